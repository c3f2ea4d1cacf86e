"""Provinces: what is fought over, on the map."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Drawing, Part, Section

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

FOUGHT_OVER = 12
MEASURES = {
    "conquests_per_game": ("Conquests by province", "per game"),
    "points_per_game": ("Income by province", "points per game"),
}


def section(runs: Runs, context: Context) -> Section:
    """Return counts by province, and two of them on the map."""
    table = per_game(runs)
    shown = table.sort_values("conquests_per_game", ascending=False, kind="stable").head(FOUGHT_OVER)
    counts = {"conquests": "conquests per game", "entries": "entries per game", "points": "points per game"}
    shares = {"active": "held", "decline": "in decline", "neutral": "neutral", "empty": "empty"}
    part = Part(
        "places",
        "What is fought over",
        table,
        [
            Field("province", "Province"),
            *(Field(f"{name}_per_game", head, ".2f") for name, head in counts.items()),
            *(Field(f"share_{name}", head, ".1%") for name, head in shares.items()),
        ],
        "Counts summed over all games, divided by their number; entries are conquests by a civilization without a "
        "province. Shares are of all ends of turns. These are totals by province, which are recorded without the games "
        "they come from, so they have no intervals.",
        context.settings,
        context.command("places"),
        drawings=_maps(runs, table),
        shown=shown,
        notes=(f"The table shows the {len(shown)} provinces that are conquered most.",),
    )
    return Section("The board", (part,))


def per_game(runs: Runs) -> pd.DataFrame:
    """Return counts per game and shares of turn ends for every province."""
    places = runs.places
    games = int(runs.settings["completed"])
    states = [name for name in places.columns if name.startswith("turns_")]
    ends = places[states].sum(axis=1)
    table = pd.DataFrame({"province": places["province"].astype(str)})
    for name in ("conquests", "entries"):
        table[f"{name}_per_game"] = places[name] / games
    units = {column.name: column.unit for column in runs.rules.definition.columns["places"]}
    table["points_per_game"] = places["income"] / (2 if units["income"] == "half points" else 1) / games
    for name in states:
        table[f"share_{name.removeprefix('turns_')}"] = places[name] / ends
    return table.assign(games=games)


def _maps(runs: Runs, table: pd.DataFrame) -> tuple[Drawing, ...]:
    """Return a map for each figure by province; none for a game without a drawing."""
    module = runs.rules.definition.drawing
    if not module:
        return ()
    draw_measure = importlib.import_module(module).draw_measure
    names = table["province"].astype(str)
    return tuple(
        Drawing(
            draw_measure(runs.rules, dict(zip(names, table[column], strict=True)), title, unit, name=column).inline,
            f"{title}, {unit}.",
        )
        for column, (title, unit) in MEASURES.items()
    )
