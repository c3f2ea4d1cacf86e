"""When empires decline."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import pace, plots_balance
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

TITLE = "Times of decline"
SHOWN = 3  # declines of a seat
ORDINALS = ("first", "second", "third")
LEAST = 0.005


def section(runs: Runs, context: Context) -> Section:
    """Return in which rounds seats declare their first, second and third decline."""
    return Section(TITLE, (_times(runs, context),))


def _times(runs: Runs, context: Context) -> Part | Missing:
    name, title, command = "declines", "When empires decline", context.command("declines")
    try:
        table = pace.decline_times(runs, level=context.level)
    except ValueError as error:  # a game without declines
        return Missing(name, title, f"This game has no declines ({error}).", command)
    drawn_rows = table[table["number"] <= SHOWN]
    if not len(drawn_rows):
        return Missing(name, title, "No seat declared a decline in these games.", command)
    caption = "Share of seats that declare their first, second and third decline in a round, with intervals."
    return Part(
        name,
        title,
        table,
        [
            Field("round", "Round", "d"),
            *(
                Field(f"estimate_{number}", f"{ORDINALS[number - 1]} decline", ".1%", f"low_{number}", f"high_{number}")
                for number in sorted(drawn_rows["number"].unique())
            ),
        ],
        "Share of all seats of all games that declare their first, second, ... decline in a round; over the rounds the "
        "shares of a number add up to the seats that decline so often at all. Intervals allow for the dependence of "
        "the seats of a game.",
        context.settings,
        command,
        drawings=(
            drawn(
                "declines-figure",
                caption,
                lambda ax: plots_balance.shares_by_round(
                    drawn_rows.rename(columns={"number": "decline"}), ax, "share of seats", "decline"
                ),
            ),
        ),
        shown=_by_round(drawn_rows),
    )


def _by_round(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per round and three columns per number; a round nobody declined in is left blank."""
    wide = table.pivot(index="round", columns="number", values=["estimate", "low", "high"])
    wide.columns = pd.Index(["_".join(map(str, names)) for names in wide.columns.to_list()])
    estimates = wide.filter(like="estimate_")
    return wide[(estimates >= LEAST).any(axis=1) | (len(wide) <= SHOWN)].reset_index()
