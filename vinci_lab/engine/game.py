"""A game as the rest of the house sees it: its layouts, its words, and the hooks it registers."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vinci_lab.engine import entries
from vinci_lab.engine.records import check_layout, mask_layout, new_record, policy_layout
from vinci_lab.engine.rows import rows_layout

if TYPE_CHECKING:
    from vinci_lab.engine.ruleset import Ruleset


@dataclass(frozen=True)
class Column:
    """One recorded column of a table.

    Attributes
    ----------
    name, dtype : str
        Name, and the NumPy dtype it is stored with.
    unit, meaning : str
        For the column dictionary.
    labels : str or tuple of str
        Words for the values: a tuple is indexed by the value; ``"kind"``, ``"province"`` and ``"agent"`` name a list
        the run knows; empty for plain numbers.
    """

    name: str
    dtype: str
    unit: str
    meaning: str
    labels: str | tuple[str, ...] = ()


@dataclass(frozen=True)
class Parameter:
    """One number that steers a game's fast policy."""

    name: str
    default: float
    meaning: str


@dataclass(frozen=True)
class Game:
    """Everything the shared code needs to know about one game.

    Attributes
    ----------
    name : str
        As in ``data/`` and on the command line.
    version : int
        Raised whenever the same seed would give other games.
    players : tuple of int
        Allowed numbers of players.
    tables_layout, state_layout, memo_layout : numpy.dtype
        Layouts of the printed numbers, of a position, and of the running notes of measures.
    actions : int
        Number of action codes.
    event_fields : mapping of str to tuple of str
        Kinds of events in the order of their codes, with the names of their fields.
    columns : mapping of str to tuple of Column
        Recorded columns of the tables ``games``, ``turns``, ``holdings``, ``offers`` and ``places``.
    parameters : tuple of Parameter
        Of the fast policy ``suggest``.
    load : callable
        ``load(players, edition, **options) -> Ruleset`` from the data files.
    build : callable
        ``build(content) -> Ruleset`` from the plain JSON of :meth:`Ruleset.to_json`.
    vary : callable
        ``vary(rules, changes) -> Ruleset``.
    assumed : callable
        ``assumed(rules) -> list of dict``: the numbers that are not certain.
    labels : callable
        ``labels(rules, what) -> tuple of str``: names of the rows of ``"kind"`` or ``"province"``.
    describe_action, parse_action : callable
        ``describe_action(rules, action) -> str`` and back, ``parse_action(rules, text) -> int``.
    describe_event : callable
        ``describe_event(rules, kind, fields) -> str``: an event as a sentence.
    write_position, read_position : callable
        ``write_position(rules, state) -> str`` and back, ``read_position(rules, text) -> record``.
    status : callable
        ``status(rules, state) -> list of str``: what is impossible about a position, in sentences.
    variants : callable
        ``variants(rules) -> list of dict``: listed changes of the rules' structure, such as a border of the map that
        may be printed otherwise, with ``name, changes, reason``.
    drawing : str
        Module that draws positions, imported when first needed; empty when there is none. It has
        ``draw(position, **options) -> Picture``, and ``draw_measure(rules, values, title, **options) -> Picture`` for a
        figure for each ``"province"``.
    checking : str
        Module that checks what somebody made, imported when first needed; empty when there is none. It has
        ``check_folder(path) -> list of Checked``.
    dealing : str
        Module that knows how the things under study (``kind``) come to seats, imported when first needed; empty when
        there is none. It has ``dealt(rules) -> Ruleset``, the variant in which chance alone decides who holds what;
        ``expected(rules, holdings, turn_order) -> array``, how many of each kind each row of ``holdings`` of such games
        was going to hold by the chances when it was drawn; and ``doubling(rules) -> array``, how often each kind makes
        its partner count once more.
    playing : str
        Module that says how a person plays it, imported when first needed; empty when there is none. See
        :mod:`vinci_lab.engine.playing`.
    estimates : (int, int)
        Shape of what the fast policy works out beforehand.
    """

    name: str
    version: int
    players: tuple[int, ...]
    tables_layout: np.dtype[Any]
    state_layout: np.dtype[Any]
    memo_layout: np.dtype[Any]
    actions: int
    event_fields: Mapping[str, tuple[str, ...]]
    columns: Mapping[str, tuple[Column, ...]]
    parameters: tuple[Parameter, ...]
    load: Callable[..., Ruleset]
    build: Callable[[Mapping[str, Any]], Ruleset]
    vary: Callable[[Ruleset, Mapping[str, Any]], Ruleset]
    assumed: Callable[[Ruleset], list[dict[str, Any]]]
    labels: Callable[[Ruleset, str], tuple[str, ...]]
    describe_action: Callable[[Ruleset, int], str]
    parse_action: Callable[[Ruleset, str], int]
    describe_event: Callable[[Ruleset, str, Mapping[str, int]], str]
    write_position: Callable[[Ruleset, Any], str]
    read_position: Callable[[Ruleset, str], Any]
    status: Callable[[Ruleset, Any], list[str]]
    variants: Callable[[Ruleset], list[dict[str, Any]]] = lambda rules: []
    drawing: str = ""
    checking: str = ""
    dealing: str = ""
    playing: str = ""
    estimates: tuple[int, int] = (1, 1)

    @property
    def policy_layout(self) -> np.dtype[Any]:
        """Layout of the fast policy's parameters."""
        return policy_layout(self.name, [parameter.name for parameter in self.parameters], self.estimates)

    @property
    def mask_layout(self) -> np.dtype[Any]:
        """Layout of a mask of actions."""
        return mask_layout(self.name, self.actions)

    @property
    def rows_layout(self) -> np.dtype[Any]:
        """Layout of the row buffer."""
        return rows_layout(self.name, self.columns)

    @property
    def dealing_hooks(self) -> Any:
        """The module ``dealing``, or None."""
        return importlib.import_module(self.dealing) if self.dealing else None

    def policy(self, tables: Any, **values: float) -> Any:
        """Return the fast policy for printed numbers: its default parameters, and the values given by name.

        What it works out beforehand follows from both; make another policy rather than change a field.

        Raises
        ------
        ValueError
            If there is no such parameter.
        """
        known = [parameter.name for parameter in self.parameters]
        if unknown := sorted(set(values) - set(known)):
            raise ValueError(f"policy: there is no parameter {unknown[0]!r}; choose from {', '.join(known)}")
        params = new_record(self.policy_layout)
        for parameter in self.parameters:
            params[parameter.name] = values.get(parameter.name, parameter.default)
        entries.prepare_policy(tables, new_record(self.state_layout), params)
        return params


_GAMES: dict[str, Game] = {}


def register(game: Game) -> Game:
    """Add a game to the house.

    Raises
    ------
    ValueError
        If a layout has a forbidden field name, or its tag is taken by another game.
    """
    for layout in (game.tables_layout, game.state_layout, game.memo_layout, game.policy_layout):
        check_layout(layout)
    tags = {(layout.names or ("",))[0] for layout in (game.tables_layout, game.state_layout, game.memo_layout)}
    for other in _GAMES.values():
        taken = {(layout.names or ("",))[0] for layout in (other.tables_layout, other.state_layout, other.memo_layout)}
        if other.name != game.name and tags & taken:
            raise ValueError(f"{game.name}: the layout tag {sorted(tags & taken)[0]!r} belongs to {other.name}")
    _GAMES[game.name] = game
    return game


def game_names() -> tuple[str, ...]:
    """Return the names of all games of the house."""
    games = importlib.import_module("vinci_lab.games")  # by name: the engine does not depend on the games it finds
    found = {module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg}
    return tuple(sorted(found | set(_GAMES)))


def game_of(name: str) -> Game:
    """Return a game by name, importing it when first asked for.

    Raises
    ------
    ValueError
        If there is no such game.
    """
    if name not in _GAMES:
        if name not in game_names():
            raise ValueError(f"game: there is no {name!r}; choose from {', '.join(game_names())}")
        importlib.import_module(f"vinci_lab.games.{name}.game")
    return _GAMES[name]
