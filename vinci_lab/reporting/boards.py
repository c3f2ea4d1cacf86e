"""The boards of a report: a position of one of its games, and figures by province on the map."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from vinci_lab.engine.position import Position, new_position
from vinci_lab.reporting import page
from vinci_lab.simulation.reopen import open_game

if TYPE_CHECKING:
    import pandas as pd

    from vinci_lab.simulation.store import Runs

MEASURES = {
    "conquests_per_game": ("Conquests by province", "per game"),
    "points_per_game": ("Income by province", "points per game"),
}


def position_parts(runs: Runs) -> list[str]:
    """Return the board in the middle of the first game; nothing for a game without a drawing."""
    if not runs.rules.definition.drawing:
        return []
    position, when = _example(runs)
    return [
        page.heading("The board"),
        page.figure(position.picture(name="board").inline, f"{when} Hover over a province for what is printed on it."),
    ]


def _example(runs: Runs) -> tuple[Position, str]:
    """Return a position to show, and a sentence that says when it was."""
    try:
        transcript = open_game(runs, 0)
    except ValueError:  # an agent that only the caller has: the game cannot be played again
        return new_position(runs.rules, runs.seed), "The board at the start of game 0."
    turns = sum(line["line"] == "turn_end" for line in transcript.lines)
    return transcript.position_after(turns // 2), f"The board of game 0 after {turns // 2} of its {turns} turns."


def map_parts(runs: Runs, places: pd.DataFrame) -> list[str]:
    """Return a map for each figure by province; nothing for a game without a drawing."""
    module = runs.rules.definition.drawing
    if not module:
        return []
    draw_measure = importlib.import_module(module).draw_measure
    parts = []
    for column, (title, unit) in MEASURES.items():
        values: Mapping[str, Any] = dict(zip(places["province"].astype(str), places[column], strict=True))
        drawn = draw_measure(runs.rules, values, title, unit, name=column)
        parts.append(page.figure(drawn.inline, f"{title}, {unit} (places.csv)."))
    return parts
