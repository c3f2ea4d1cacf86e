"""How long games are, and what happens in them on average."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import effects, plots
from vinci_lab.reporting.context import Context, limits, said
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Part, Section, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from vinci_lab.simulation.store import Runs


def section(runs: Runs, context: Context) -> Section:
    """Return the distribution of lengths and the table of pace."""
    first = runs.table("games", ["game", "rounds"]).drop_duplicates("game")
    length = effects.distribution(first["rounds"], context.level)
    pace = effects.pace(runs, context.level)
    return Section(
        "Length and pace",
        (_length(length, context), _pace(pace, context)),
        findings=(_finding(length, pace, context),),
    )


def _finding(length: pd.DataFrame, pace: pd.DataFrame, context: Context) -> str:
    rounds = pace[pace["quantity"] == "rounds of a game"].iloc[0]
    median = int(length["value"][length["count"].cumsum() >= length["count"].sum() / 2].iloc[0])
    if pd.isna(rounds.low):
        return f"Length: the only game took {median} rounds; one game says nothing about others."
    return (
        f"Length: a game takes {rounds.estimate:.2f} rounds on average ({context.interval} {rounds.low:.2f} to "
        f"{rounds.high:.2f}); half of the games take at most {median}."
    )


def _length(length: pd.DataFrame, context: Context) -> Part:
    def draw(ax: Axes) -> None:
        plots.bars(length["value"], length["estimate"], ax, (length["low"], length["high"]))
        ax.set(xlabel="length of the game (rounds)", ylabel="share of games")

    return Part(
        "length",
        "How long a game is",
        length,
        [
            Field("value", "rounds", "d"),
            Field("estimate", "share of games", ".2%", "low", "high"),
            Field("count", "games", ","),
        ],
        "Share of games that end after so many rounds; Wilson's interval for each share by itself.",
        context.settings,
        context.command("length"),
        drawings=(drawn("length-figure", "Share of games by their number of rounds, with intervals.", draw),),
        shown=length[length["estimate"] >= 0.0005],
        notes=("Lengths of fewer than one game in two thousand are in the file only.",)
        if (length["estimate"] < 0.0005).any()
        else (),
    )


def _pace(pace: pd.DataFrame, context: Context) -> Part:
    rows = []
    for row in pace.to_dict("records"):
        form = ".2%" if str(row["unit"]).startswith("share") else ".2f"
        rows.append(row | {"value": said(row["estimate"], form), "limits": limits(row, form)})
    return Part(
        "pace",
        "What happens in a game",
        pace,
        [
            Field("quantity", "Quantity"),
            Field("value", "mean or share", "s"),
            Field("limits", "interval", "s"),
            Field("unit", "unit"),
            Field("n", "games", ","),
        ],
        "Means over games, seats, turns or civilizations, and shares of games. A game is the independent unit: seats "
        "and turns of one game depend on each other, and the intervals allow for it.",
        context.settings,
        context.command("length"),
        shown=pd.DataFrame(rows),
    )
