"""Which rows of a run one looks at: filters that mean the same for every table, and what stands out among the rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.simulation.store import Runs
from vinci_lab.simulation.tables import STREAMED

RUN = "run"
KEYS = ("game", "seat", "holding")
NOT_MEASURED = ("game", "seat", "holding", "slot", "rank", "turn_order", "turn", "is_winner", "winners")


@dataclass(frozen=True)
class Filters:
    """What to look at; an empty filter lets everything through.

    Attributes
    ----------
    runs : frozenset of str
        Names of runs, when several are explored: other numbers of players, other rules.
    seats : frozenset of int
        Seats.
    agents : frozenset of str
        Who played.
    kinds : frozenset of str
        Things under study, such as tiles: rows in which one of them was held, offered or played.
    rounds : (int, int) or None
        From and to, both included: of the row, or, for whole games, how many rounds they took.
    """

    runs: frozenset[str] = frozenset()
    seats: frozenset[int] = frozenset()
    agents: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()
    rounds: tuple[int, int] | None = None


@dataclass
class Explored:
    """One or more runs, to be filtered.

    Attributes
    ----------
    runs : mapping of str to Runs
        By name.
    """

    runs: Mapping[str, Runs]
    _tables: dict[str, pd.DataFrame] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, source: Runs | Sequence[Runs] | Mapping[str, Runs]) -> Explored:
        """Take one run, a list of them, or runs by name.

        Raises
        ------
        ValueError
            If there is none, or they are of different games.
        """
        if isinstance(source, Runs):
            source = [source]
        named = dict(source) if isinstance(source, Mapping) else _named(list(source))
        if not named:
            raise ValueError("explore: there is no run to look at")
        games = {runs.settings["game"] for runs in named.values()}
        if len(games) > 1:
            raise ValueError(f"explore: the runs must be of one game, got {', '.join(sorted(games))}")
        return cls(named)

    @property
    def first(self) -> Runs:
        """The first run, whose game gives the columns their words."""
        return next(iter(self.runs.values()))

    def columns_with(self, table: str, labels: str) -> list[str]:
        """Return the columns of a table whose values are of a list, such as ``"kind"``."""
        columns = self.first.rules.definition.columns[table]
        return [column.name for column in columns if column.labels == labels]

    def meaning(self, table: str, column: str) -> str:
        """Return what a column is, with its unit."""
        known = {one.name: one for one in self.first.rules.definition.columns[table]}
        if column in known:
            return f"{known[column].meaning} ({known[column].unit})"
        return {"win_share": "share of the win (share)", "agent": "who played", RUN: "run"}.get(column, column)

    def table(self, name: str) -> pd.DataFrame:
        """Return a table of all runs with the columns ``run`` and ``agent``; read once."""
        if name not in self._tables:
            parts = [self._part(name, run, runs) for run, runs in self.runs.items()]
            whole = pd.concat(parts, ignore_index=True) if len(parts) > 1 else parts[0]
            whole[RUN] = pd.Categorical(whole[RUN], categories=list(self.runs))
            self._tables[name] = whole
        return self._tables[name]

    @staticmethod
    def _part(name: str, run: str, runs: Runs) -> pd.DataFrame:
        frame = runs.table(name)
        if "agent" not in frame and "seat" in frame:
            frame["agent"] = np.asarray(runs.agents, dtype=object)[frame["seat"].to_numpy()]
        frame["agent"] = frame["agent"].astype(str)
        frame.insert(0, RUN, run)
        return frame

    @property
    def measures(self) -> dict[str, list[str]]:
        """Columns with numbers that can be plotted, by table."""
        found: dict[str, list[str]] = {}
        for name in STREAMED:
            frame = self.table(name)
            numbers = [str(column) for column in frame.columns if pd.api.types.is_numeric_dtype(frame[column])]
            found[name] = [column for column in numbers if column not in NOT_MEASURED]
        return found

    @property
    def groups(self) -> dict[str, list[str]]:
        """Columns that can stand on the axis below, by table: words and small whole numbers."""
        found: dict[str, list[str]] = {}
        for name in STREAMED:
            frame = self.table(name)
            words = [
                str(column)
                for column in frame.columns
                if column != RUN and not pd.api.types.is_numeric_dtype(frame[column]) and frame[column].nunique() > 1
            ]
            known = ("turn_order", "seat", "round", "rounds", "slot", "price", "turns_active")
            numbers = [column for column in known if column in frame and frame[column].nunique() > 1]
            found[name] = [*([RUN] if len(self.runs) > 1 else []), *numbers, *words]
        return found

    def chosen(self, name: str, filters: Filters) -> pd.DataFrame:
        """Return the rows of a table that pass the filters, in their order, with their old index.

        Parameters
        ----------
        name : str
            ``games``, ``turns``, ``holdings`` or ``offers``.
        filters : Filters
            A filter on rounds does nothing for a table that has none.
        """
        frame = self.table(name)
        keep = np.ones(len(frame), np.bool_)
        for column, allowed in ((RUN, filters.runs), ("seat", filters.seats), ("agent", filters.agents)):
            if allowed:
                keep &= frame[column].isin(allowed).to_numpy()
        if filters.kinds:
            keep &= self._has_kind(name, frame, filters.kinds)
        column = "round" if "round" in frame else "rounds"
        if filters.rounds is not None and column in frame:
            keep &= frame[column].between(*filters.rounds).to_numpy()
        return frame[keep]

    def _has_kind(self, name: str, frame: pd.DataFrame, kinds: frozenset[str]) -> Any:
        """Say for each row whether one of the kinds is named in it, or in the holding it was played with."""
        columns = self.columns_with(name, "kind")
        if columns:
            return frame[columns].isin(kinds).any(axis=1).to_numpy()
        keys = [RUN, *(key for key in KEYS if key in frame)]
        lives = self.table("holdings")
        held = lives[lives[self.columns_with("holdings", "kind")].isin(kinds).any(axis=1)]
        return pd.MultiIndex.from_frame(frame[keys].astype({RUN: str})).isin(
            pd.MultiIndex.from_frame(held[keys].astype({RUN: str}).drop_duplicates())
        )


def _named(runs: list[Runs]) -> dict[str, Runs]:
    """Return runs by a name that tells them apart: the number of players, then what else it takes."""
    found: dict[str, Runs] = {}
    for one in runs:
        name = f"{one.settings['players']} players"
        if name in found:
            name = f"{name}, rules {one.rules.hash[:6]}, seed {one.seed}"
        while name in found:
            name = f"{name}, again"
        found[name] = one
    return found


def outliers(frame: pd.DataFrame, column: str, most: int = 100) -> pd.DataFrame:
    """Return the rows that are farthest from the middle, the farthest first.

    Parameters
    ----------
    frame : DataFrame
        Rows.
    column : str
        The number that is looked at.
    most : int
        Rows to return.

    Returns
    -------
    DataFrame
        The rows with a further last column ``unusual``: the distance from the median in robust standard deviations,
        1.4826 times the median absolute deviation; where that is 0, in mean absolute deviations.
    """
    values = frame[column].to_numpy(np.float64)
    away = values - np.median(values) if len(values) else values
    scale = 1.4826 * float(np.median(np.abs(away))) if len(values) else 0.0
    if scale == 0:
        scale = float(np.abs(away).mean()) if len(values) else 0.0
    unusual = away / scale if scale > 0 else np.zeros(len(values))
    order = np.argsort(-np.abs(unusual), kind="stable")[:most]
    return frame.iloc[order].assign(unusual=unusual[order])
