"""Seats: whether going first matters, and the points that level the places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from vinci_lab.analysis import plots
from vinci_lab.analysis.bands import joint_level
from vinci_lab.analysis.seats import compensation_of
from vinci_lab.analysis.thresholds import seat_bias
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from vinci_lab.simulation.store import Runs

SMALL = 4  # games below which halves of a run say nothing


def section(runs: Runs, context: Context) -> Section:
    """Return the share of the win of each place in turn order, and a compensation."""
    leveled = _leveled(runs, context)
    table = leveled.table if isinstance(leveled, Part) else None
    return Section(
        "Seats",
        (_shares(context), leveled),
        findings=(_finding(context), *_compensation_finding(table, context)),
    )


def _finding(context: Context) -> str:
    """Return whether a seat differs from the even share, or how far none does, for all seats together."""
    seats = context.seats
    if context.games < 2:
        return "Seats: one game says nothing about seats."
    columns = [name for name in context.metrics.columns if str(name).startswith("win_place_")]
    shares = context.metrics[columns].to_numpy(np.float64)
    bias = seat_bias(shares, joint_level(shares, context.level))
    far = seats.iloc[int((seats["estimate"] - seats["expected"]).abs().argmax())]
    wins = (
        f"the seat that plays {far['name']} wins {far.estimate:.1%} ({context.interval} {far.low:.1%} to "
        f"{far.high:.1%}) where an even share is {far.expected:.1%}"
    )
    if bias.low > 0:
        return (
            f"Seats: they are not even. Furthest from it, {wins}; taking all seats together, some seat is at least "
            f"{100 * bias.low:.2g} percentage points from an even share, and none more than {100 * bias.high:.2g}."
        )
    return (
        f"Seats: no seat can be told from an even share, and none differs from it by more than {100 * bias.high:.2g} "
        f"percentage points ({context.level:.0%} sure for all seats together). Furthest from it, {wins}."
    )


def _compensation_finding(table: pd.DataFrame | None, context: Context) -> tuple[str, ...]:
    if table is None or not table["points"].any():
        return ()
    given = ", ".join(
        f"{points} to the {name}" for name, points in zip(table["name"], table["points"], strict=True) if points
    )
    far = table.iloc[int((table["estimate"] - table["expected"]).abs().argmax())]
    return (
        f"Leveling the seats: with points at the end of the game ({given}), the place furthest from an even share of "
        f"{far.expected:.1%} wins {far.estimate:.1%} ({context.interval} {far.low:.1%} to {far.high:.1%}) in the half "
        "of the games that did not choose the points.",
    )


def _shares(context: Context) -> Part:
    seats = context.seats
    even = float(seats["expected"].iloc[0])
    test = seats.iloc[0]
    caption = (
        f"Share of the win by place in turn order, with intervals; the dashed line is the even share, 1/{len(seats)}."
    )

    def draw(ax: Axes) -> None:
        plots.share_bars(seats, ax, list(seats["name"]), even)
        ax.set(xlabel="place in turn order", ylabel="share of the win")

    return Part(
        "seats",
        "Share of the win by place in turn order",
        seats,
        [
            Field("name", "Plays"),
            Field("estimate", "share of the win", ".2%", "low", "high"),
            Field("score", "mean score", ".2f", "score_low", "score_high"),
            Field("n", "games", ","),
        ],
        "Expected share of the win of the seat that plays first, second, ...; a tie of two is half a win for each. "
        "Wilson's intervals, each by itself.",
        context.settings,
        context.command("seats"),
        drawings=(drawn("seats-figure", caption, draw),),
        notes=(
            f"Test that all places are alike: chi-square {test.chi_square:.2f} with {len(seats) - 1} degrees of "
            f"freedom, p = {test.p_value:.3g}.",
        ),
    )


def _leveled(runs: Runs, context: Context) -> Part | Missing:
    name, title, command = "compensation", "Points that level the places", context.command("seats")
    if len(set(runs.agents)) > 1:
        return Missing(name, title, "The agents differ by seat, so places and agents cannot be told apart.", command)
    if context.games < SMALL:
        return Missing(
            name, title, f"This needs at least {SMALL} games: half choose the points, half judge them.", command
        )
    table = compensation_of(runs, context.level).assign(name=context.seats["name"])
    row = table.iloc[0]
    said = (
        "No point makes the shares more even than chance would, so none is given."
        if not table["points"].any()
        else f"All places alike: p = {row.p_before:.3g} without the points, p = {row.p_value:.3g} with them."
    )
    return Part(
        name,
        title,
        table,
        [
            Field("name", "Plays"),
            Field("points", "points", "+d"),
            Field("before", "share without", ".2%", "before_low", "before_high"),
            Field("estimate", "share with", ".2%", "low", "high"),
            Field("n", "games", ","),
        ],
        "Whole points added at the end of the game that make the shares of the win even. The first half of the games "
        "chooses them, and only where they help more than chance would (chi-square falls by more than 2); the second "
        "half, which the table shows, judges. Points given at the start would also bring the end of the game nearer "
        "and pay for choices, which this does not follow.",
        context.settings,
        command,
        notes=(said,),
    )
