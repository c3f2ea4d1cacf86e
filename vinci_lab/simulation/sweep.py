"""``sweep``: rulesets x agents x numbers of players on common keys, as one run that can be resumed."""

from __future__ import annotations

import functools
import itertools
import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vinci_lab.engine.ruleset import DataError, Ruleset, content_hash
from vinci_lab.rulesets import ruleset
from vinci_lab.simulation.files import FolderLock, csv_text, write_bytes
from vinci_lab.simulation.seats import Agent, seat_agents
from vinci_lab.simulation.simulate import simulate
from vinci_lab.simulation.store import Runs

if TYPE_CHECKING:
    import pandas as pd

INDEX_FILE, TABLE_FILE = "sweep.json", "sweep.csv"
FIXED = ("cell", "rules", "players", "agents", "ruleset_hash", "games", "seed")  # columns of sweep.csv


@dataclass(frozen=True)
class Cell:
    """One combination of a design.

    Attributes
    ----------
    name : str
        Name of its folder; it follows from what is played, not from the place in the design.
    label : str
        Name of the ruleset in the design, or what was changed.
    changes : mapping
        Places changed, with their values; empty for named rulesets.
    rules : Ruleset
        What is played.
    agents : sequence of agents
        By seat, or one for all.
    """

    name: str
    label: str
    changes: Mapping[str, Any]
    rules: Ruleset
    agents: Agent | Sequence[Agent]

    @property
    def agent_names(self) -> str:
        """The agents as the command line takes them."""
        names = [agent.name for agent in seat_agents(self.rules, self.agents)]
        return names[0] if len(set(names)) == 1 else ",".join(names)


def design(
    rules: Callable[[int], Ruleset] | str,
    changes: Mapping[str, Sequence[Any]] | None = None,
    players: Sequence[int] = (4,),
    agents: Sequence[Agent | Sequence[Agent]] = ("greedy",),
) -> list[Cell]:
    """Return every combination of changed rules, numbers of players and agents.

    Parameters
    ----------
    rules : str or callable
        A game, or ``rules(players) -> Ruleset``.
    changes : mapping of str to sequence
        Places of the rules with the values each shall take, such as ``{"victory_threshold": [100, 110, 120]}``.
    players : sequence of int
        Numbers of players.
    agents : sequence
        Each as for :func:`simulate`: one for all seats, or one per seat.

    Raises
    ------
    ValueError
        If a list is empty, or two combinations are the same.
    DataError
        If a change is not allowed; all combinations are checked before anything is played.
    """
    make = functools.partial(ruleset, rules) if isinstance(rules, str) else rules
    varied = {place: list(values) for place, values in (changes or {}).items()}
    for what, values in {"players": players, "agents": agents, **varied}.items():
        if not len(values):
            raise ValueError(f"{what}: give at least one value")
    cells = []
    for number, seated in itertools.product(players, agents):
        base = make(number)
        for values in itertools.product(*varied.values()):
            changed = dict(zip(varied, values, strict=True))
            label = " ".join(f"{place}={value}" for place, value in changed.items()) or base.edition
            cells.append(cell(base.replace(changed) if changed else base, seated, label, changed))
    return _different(cells)


def cell(rules: Ruleset, agents: Agent | Sequence[Agent], label: str, changes: Mapping[str, Any] | None = None) -> Cell:
    """Return one combination, for designs that are no product: ``sweep([cell(one, ...), cell(other, ...)], ...)``."""
    names = [agent.name for agent in seat_agents(rules, agents)]
    name = f"{rules.players}p-{content_hash({'rules': rules.hash, 'agents': names})}"
    return Cell(name, label, dict(changes or {}), rules, agents)


def _different(cells: Sequence[Cell]) -> list[Cell]:
    seen: dict[str, Cell] = {}
    for one in cells:
        if one.name in seen:
            raise ValueError(
                f"sweep: {one.label!r} and {seen[one.name].label!r} are the same rules with the same agents; list them "
                "once"
            )
        seen[one.name] = one
    return list(seen.values())


class Sweep:
    """The runs of a design.

    Attributes
    ----------
    folder : Path
        Where they are.
    cells : DataFrame
        A row per combination: ``cell, rules, players, agents, ruleset_hash, games, seed``, a column per changed place,
        and ``completed``, the number of games played.
    """

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        self._index = _read_index(self.folder)

    @classmethod
    def open(cls, folder: str | Path) -> Sweep:
        """Return the sweep in a folder."""
        return cls(folder)

    @functools.cached_property
    def cells(self) -> pd.DataFrame:
        """One row per combination."""
        import pandas as pd

        rows = [{**row, "completed": self._completed(row["cell"])} for row in self._index]
        return pd.DataFrame(rows)

    def _completed(self, name: str) -> int:
        try:
            return self[name].completed
        except DataError:
            return 0

    def __len__(self) -> int:
        return len(self._index)

    def __getitem__(self, which: int | str) -> Runs:
        """Return the run of a combination, by its place in :attr:`cells` or its name."""
        import warnings

        known = [row["cell"] for row in self._index]
        if isinstance(which, str) and which not in known:
            raise KeyError(f"sweep: there is no cell {which!r}; see the table `cells`")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # that it is unfinished is in the table
            return Runs.open(self.folder / (which if isinstance(which, str) else known[which]))

    def __iter__(self) -> Iterator[Runs]:
        return (self[place] for place in range(len(self)))

    def table(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a table of all combinations, one after another, with the columns of the design in front.

        Parameters
        ----------
        name, columns
            As for :meth:`Runs.table`. The number of games decides how large it gets; name the columns you need.
        """
        import pandas as pd

        design_columns = [key for key in self._index[0] if key not in ("ruleset_hash", "games", "seed")]
        parts = []
        for row in self._index:
            part = self[row["cell"]].table(name, columns)
            shared = {f"{key}_of_design" if key in part else key: row[key] for key in design_columns}
            parts.append(pd.concat([pd.DataFrame(shared, index=part.index), part], axis=1))
        return pd.concat(parts, ignore_index=True)


def sweep(
    cells: Sequence[Cell],
    games: int = 10_000,
    seed: int = 7,
    out: str | Path = "sweep",
    n_jobs: int = -1,
    progress: bool = True,
    backend: str | None = None,
) -> Sweep:
    """Play every combination of a design on common keys, and return the runs.

    Game ``i`` draws from the same keys in every combination, so that differences between combinations have less noise
    than the combinations themselves. The same call goes on where an earlier one was stopped; a call with more
    combinations, or more games, adds to the folder.

    Parameters
    ----------
    cells : sequence of Cell
        See :func:`design`.
    games, seed, n_jobs, progress, backend
        As for :func:`simulate`; games and seed are those of every combination.
    out : path
        Folder: a folder for each combination, and ``sweep.csv`` and ``sweep.json``, which list them.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    DataError
        If the folder holds a sweep with another seed or another program's, is in use, or cannot be written.
    KeyboardInterrupt
        When interrupted; what is finished is kept.
    """
    chosen, folder = _different(cells), Path(out)
    if not chosen:
        raise ValueError("sweep: give at least one combination")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FolderLock(folder)
    except OSError as error:
        raise DataError([f"{folder}: it cannot be written ({error.strerror or error})"]) from error
    try:
        _write_index(folder, chosen, games, seed)
        for number, one in enumerate(chosen, start=1):
            if progress:
                said = f"{number} of {len(chosen)}: {one.label}, {one.rules.players} players, {one.agent_names}"
                print(said, file=sys.stderr)
            runs = simulate(
                one.rules, one.agents, games, seed, n_jobs, folder / one.name, progress=progress, backend=backend
            )
            if not runs.is_complete:
                raise KeyboardInterrupt
    finally:
        lock.release()
    return Sweep(folder)


def rows_of(cells: Sequence[Cell], games: int, seed: int) -> list[dict[str, Any]]:
    """Return the table of a design, one dict per combination."""
    places = list(dict.fromkeys(place for one in cells for place in one.changes))
    return [
        {
            "cell": one.name,
            "rules": one.label,
            "players": one.rules.players,
            "agents": one.agent_names,
            "ruleset_hash": one.rules.hash,
            "games": games,
            "seed": seed,
        }
        | {place: one.changes.get(place) for place in places}
        for one in cells
    ]


def table_text(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return the table of a design as CSV."""
    return csv_text(list(rows[0]), [["" if value is None else value for value in row.values()] for row in rows])


def _write_index(folder: Path, cells: Sequence[Cell], games: int, seed: int) -> None:
    """Write what the sweep consists of; combinations of an earlier call stay in the list.

    Raises
    ------
    DataError
        If the folder holds a sweep on another seed.
    """
    rows, old = rows_of(cells, games, seed), []
    if (folder / INDEX_FILE).exists():
        old = _read_index(folder)
        if other := [row["seed"] for row in old if row["seed"] != seed]:
            raise DataError(
                [f"{folder}: it holds a sweep on seed {other[0]}, asked for is seed {seed}; name another folder"]
            )
    known = {row["cell"] for row in rows}
    rows += [row for row in old if row["cell"] not in known]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    rows = [{key: row.get(key) for key in columns} for row in rows]
    write_bytes(folder / TABLE_FILE, table_text(rows).encode())
    write_bytes(folder / INDEX_FILE, (json.dumps({"cells": rows}, indent=1, ensure_ascii=False) + "\n").encode())


def _read_index(folder: Path) -> list[dict[str, Any]]:
    path = folder / INDEX_FILE
    if not path.is_file():
        raise DataError([f"{path}: this file of the sweep is missing"])
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))["cells"]
        if not all(isinstance(row, dict) and set(FIXED) <= set(row) for row in rows) or not rows:
            raise KeyError("cells")
    except (json.JSONDecodeError, KeyError, TypeError, UnicodeDecodeError) as error:
        raise DataError([f"{path}: not the list of a sweep ({error})"]) from None
    return list(rows)
