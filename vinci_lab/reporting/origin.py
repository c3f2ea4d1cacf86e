"""Where a study's rules come from: what was changed, and the command that makes the same study again."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vinci_lab.datafiles import VARIABLE, shipped_root
from vinci_lab.engine.ruleset import DataError
from vinci_lab.simulation.seats import parse_agent

if TYPE_CHECKING:
    from vinci_lab.engine.ruleset import Ruleset
    from vinci_lab.simulation.store import Runs

UNPREFIXED = ("rules", "options")  # parts of the content whose places are named without them


@dataclass(frozen=True)
class Change:
    """A place of the rules with its value in the data files and in the study; None where it is missing."""

    place: str
    before: Any
    after: Any


@dataclass(frozen=True)
class Origin:
    """Where a study's rules come from.

    Attributes
    ----------
    game : str
        Its name.
    options : mapping of str to str
        What decides the games, such as ``{"--players": "4", "--seed": "7"}``.
    settings : tuple of str
        What ``--set`` changes of the data files.
    is_exact : bool
        Whether the command was found to make exactly these rules and agents.
    changes : tuple of Change
        How the rules differ from the data files that come with the program.
    """

    game: str
    options: Mapping[str, str]
    settings: tuple[str, ...]
    is_exact: bool
    changes: tuple[Change, ...]

    @property
    def command(self) -> str:
        """What to type for the whole study."""
        return self.typed("study")

    def typed(self, command: str, **others: Any) -> str:
        """Return what to type for a command about these rules and agents.

        Parameters
        ----------
        command : str
            Of ``vinci-lab``, one that takes the options of ``study``.
        **others
            Options with other values, such as ``games=500``; None leaves one out, True gives one without a value, and
            a list repeats it.
        """
        options: dict[str, Any] = {**self.options, **{f"--{name}": value for name, value in others.items()}}
        said = ["vinci-lab", command, shlex.quote(self.game)]
        for name, value in options.items():
            for one in value if isinstance(value, list) else [value]:
                if one is not None:
                    said.append(name if one is True else f"{name} {shlex.quote(str(one))}")
        return " ".join([*said, *(f"--set {shlex.quote(setting)}" for setting in self.settings)])


def origin_of(runs: Runs, data: str | Path | None = None) -> Origin:
    """Return where the rules of a run come from.

    Parameters
    ----------
    runs : Runs
        Any run.
    data : path, optional
        The data folder the rules were read from; ``$VINCI_LAB_DATA``, or the one that comes with the program, if left
        out.
    """
    rules, settings = runs.rules, runs.settings
    folder = data or os.environ.get(VARIABLE)
    words = {"--players": settings["players"], "--games": settings["games"], "--seed": settings["seed"]}
    agents = settings["agents"]
    is_one_for_all = len(set(agents)) == 1 and rules.seats == rules.players
    words["--agents"] = agents[0] if is_one_for_all else ",".join(agents)
    usual = _load(rules, folder, {})
    edition = rules.sources.get("edition", rules.edition)
    if usual is None or usual.edition != edition:
        words["--edition"] = edition
    board = rules.sources.get("map", rules.content.get("map", {}).get("name"))
    if board and (usual is None or usual.content["map"]["name"] != board):
        words["--map"] = board
    if folder:
        words["--data"] = folder
    options = {"edition": edition} | ({"map": board} if board else {})
    base = _load(rules, folder, options)
    changes = tuple(differences(base.content, rules.content)) if base else ()
    shipped = _load(rules, shipped_root(), options)
    return Origin(
        rules.game,
        {name: str(value) for name, value in words.items()},
        tuple(f"{change.place}={_value(change.after)}" for change in changes),
        _makes(base, changes, rules) and all(_is_known(rules, agent) for agent in agents),
        tuple(differences(shipped.content, rules.content)) if shipped else (),
    )


def differences(before: Mapping[str, Any], after: Mapping[str, Any], place: str = "") -> Iterator[Change]:
    """Yield the leaves in which two contents differ, in the order of their names."""
    for key in sorted({*before, *after}):
        here = key if not place or place in UNPREFIXED else f"{place}.{key}"
        one, other = before.get(key), after.get(key)
        if isinstance(one, Mapping) and isinstance(other, Mapping):
            yield from differences(one, other, here)
        elif one != other:
            yield Change(here, one, other)


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _load(rules: Ruleset, data: Any, options: Mapping[str, Any]) -> Ruleset | None:
    """Return rules from a data folder, or None if it does not hold such rules."""
    asked = dict(options) if data is None else {**options, "data": data}
    try:
        return rules.definition.load(rules.players, **asked)
    except (DataError, TypeError):
        return None


def _makes(base: Ruleset | None, changes: tuple[Change, ...], rules: Ruleset) -> bool:
    """Return whether the changes make the rules from the data files."""
    if base is None:
        return False
    try:
        return base.replace({change.place: change.after for change in changes}) == rules if changes else base == rules
    except DataError:
        return False


def _is_known(rules: Ruleset, agent: str) -> bool:
    """Return whether the command line knows an agent by its name."""
    try:
        parse_agent(rules.definition, agent)
    except ValueError:
        return False
    return True
