"""Provinces: what is fought over, on the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis.map_use import MEASURES, map_picture, map_use
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Drawing, Missing, Part, Section

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

NAME, TITLE = "places", "The board"
FOUGHT_OVER = 12
DRAWN = ("conquests", "points")
SHOWN = {"conquests": ("conquests per game", ".2f"), "points": ("points per game", ".2f")}
SHOWN |= {"active": ("held", ".1%"), "decline": ("in decline", ".1%")}


def section(runs: Runs, context: Context) -> Section:
    """Return how provinces are used, and two measures on the map."""
    name, title, command = NAME, "What is fought over", context.command(NAME)
    try:
        table = map_use(runs, context.level)
    except ValueError as error:
        return Section(TITLE, (Missing(name, title, f"There is no table of provinces: {error}.", command),))
    shown = _by_province(table)
    known = [name for name in SHOWN if name in shown]
    part = Part(
        name,
        title,
        table,
        [
            Field("province", "Province"),
            *(Field(one, *SHOWN[one], f"{one}_low", f"{one}_high") for one in known),
        ],
        "Expected numbers of a game, and expected shares of the turn ends of all games. How much games differ, which "
        "the intervals need, is seen from blocks of games, or from up to 300 games played again where blocks are few.",
        context.settings,
        command,
        drawings=_maps(runs, table),
        shown=shown,
        notes=(f"The table shows the {len(shown)} provinces that are conquered most.",),
    )
    return Section(TITLE, (part,))


def _by_province(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per province with some measures, those conquered most first."""
    parts = []
    for name, rows in table.groupby("measure", sort=False):
        columns = {"estimate": str(name), "low": f"{name}_low", "high": f"{name}_high"}
        parts.append(rows.set_index("province")[list(columns)].rename(columns=columns))
    wide = pd.concat(parts, axis=1).reset_index()
    return wide.sort_values("conquests", ascending=False, kind="stable", ignore_index=True).head(FOUGHT_OVER)


def _maps(runs: Runs, table: pd.DataFrame) -> tuple[Drawing, ...]:
    """Return a map for each measure; none for a game without a drawing."""
    if not runs.rules.definition.drawing:
        return ()
    return tuple(
        Drawing(
            map_picture(table, name, runs.rules, name=f"map-{name}").inline,
            f"{MEASURES[name].title}, {MEASURES[name].unit}.",
        )
        for name in DRAWN
    )
