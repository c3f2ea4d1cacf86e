"""The immutable ruleset: what was read from ``data/``, checked, hashed, and turned into the record kernels read."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from vinci_lab.engine.game import Game, game_of


class DataError(ValueError):
    """Everything that is wrong with data files or changes, one sentence each, with place, value and what is allowed.

    Attributes
    ----------
    problems : tuple of str
        The sentences.
    """

    def __init__(self, problems: list[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(problems))


@dataclass(frozen=True, eq=False)
class Ruleset:
    """One edition of one game for a number of players.

    Attributes
    ----------
    game, edition : str
        Names, as in the folders of ``data/``.
    players : int
        Number of players; the rules themselves may play further seats.
    content : mapping
        Everything the data files hold, as plain JSON values. Do not write to it; use :meth:`replace`.
    tables : record
        The same numbers as compiled rules read them.
    hash : str
        16 hex digits of the content; equal content, equal hash.
    sources : mapping of str to str
        Where it was read from, beyond what the content says: ``edition`` and ``map`` as they were asked for, and
        ``shapes``, the path of the file with the shapes of the board. Empty when it was not read from files.
    """

    game: str
    edition: str
    players: int
    content: Mapping[str, Any] = field(repr=False)
    tables: Any = field(repr=False)
    hash: str
    sources: Mapping[str, str] = field(default_factory=dict, repr=False)

    def replace(self, changes: Mapping[str, Any]) -> Ruleset:
        """Return a variant with some numbers changed.

        Parameters
        ----------
        changes : mapping of str to value
            Dotted places and their new values, e.g. ``{"tiles.weapons.tokens": 4, "victory_threshold": 110}``. A place
            without a dot is one of the rules' own numbers or options.

        Raises
        ------
        DataError
            If a place does not exist or a value is not allowed.
        """
        return self.definition.vary(self, changes)

    def to_json(self) -> dict[str, Any]:
        """Return an independent copy of the content, from which ``game.build`` makes the same ruleset again."""
        return copy.deepcopy(dict(self.content))

    @property
    def seats(self) -> int:
        """Number of seats on the table: the players, who have the first ones, and those the rules play."""
        return int(self.tables.seats) if "seats" in (self.tables.dtype.names or ()) else self.players

    @property
    def definition(self) -> Game:
        """The game this ruleset belongs to."""
        return game_of(self.game)

    @property
    def assumed(self) -> list[dict[str, Any]]:
        """The numbers that are not certain: dicts with ``place, value, low, high, confidence, reason``."""
        return self.definition.assumed(self)

    @property
    def variants(self) -> list[dict[str, Any]]:
        """Listed changes of the structure, such as a border that may be printed otherwise: ``name, changes, reason``.

        They stand in a file beside the map (``data/README.md``); rules that were not read from files have none.
        """
        return self.definition.variants(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ruleset) and self.hash == other.hash

    def __hash__(self) -> int:
        return hash(self.hash)


@dataclass(frozen=True)
class Checked:
    """Something somebody made, such as a map, and what is wrong with it.

    Attributes
    ----------
    name : str
        What it is.
    problems : tuple of str
        Sentences; none if all is well.
    rules : Ruleset or None
        Rules to draw and play it with; None if it cannot be played.
    note : str
        What is to be known although nothing is wrong, or nothing.
    """

    name: str
    problems: tuple[str, ...]
    rules: Ruleset | None = None
    note: str = ""


def content_hash(content: Mapping[str, Any]) -> str:
    """Return 16 hex digits of a JSON value, the same whatever the order of its keys."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


Builder = Callable[[Mapping[str, Any]], Ruleset]
