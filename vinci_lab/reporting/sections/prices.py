"""Prices: what tiles are worth, what was paid for them, and the red number at which each would be average."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import plots_prices
from vinci_lab.analysis.prices import fair_prices, tray_bargains
from vinci_lab.analysis.slopes import average_tokens
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

TITLE = "Prices and red numbers"


def section(runs: Runs, context: Context) -> Section:
    """Return fair prices, bargains of the tray, and average numbers; leveling is offered as a command."""
    why = context.too_few("fair prices")
    if why:
        return Section(TITLE, (Missing("prices", "What tiles are worth", why, context.command("prices")),))
    worth = fair_prices(runs, level=context.level)
    worth.insert(1, "title", worth["tile"].map(context.titles))
    return Section(
        TITLE,
        (_prices(worth, context), _tray(tray_bargains(runs, level=context.level), context), _average(runs, context)),
        (
            "Numbers that level all tiles at once are searched for by a command of its own. It takes minutes, changes "
            "the game, and needs a designer to say how much may change, so this report does not run it:",
        ),
        (_finding(worth),),
        context.origin.typed("rebalance", games=20_000, out="leveled"),
    )


def _finding(worth: pd.DataFrame) -> str:
    known = worth[worth["low"].notna()]
    gap = known.iloc[(known["paid"] - known["estimate"]).argsort()]

    def said(row: pd.Series) -> str:
        return f"{row['title']} is worth {row['estimate']:+.1f} ({row['low']:+.1f} to {row['high']:+.1f})"

    under, over = gap.iloc[0], gap.iloc[-1]
    return (
        f"Prices: against an average tile, {said(under)} and {under.paid:+.1f} was paid for it ({under.paid_low:+.1f} "
        f"to {under.paid_high:+.1f}), the most below its worth; {said(over)} and {over.paid:+.1f} was paid "
        f"({over.paid_low:+.1f} to {over.paid_high:+.1f}), the most above."
    )


def _prices(worth: pd.DataFrame, context: Context) -> Part:
    shown = worth.assign(tile=worth["title"])
    caption = "What each tile is worth, and what was paid for it, both in points more than for an average tile."
    return Part(
        "prices",
        "What tiles are worth, and what was paid",
        worth,
        [
            Field("title", "Tile"),
            Field("estimate", "worth (points)", "+.2f", "low", "high"),
            Field("paid", "paid", "+.2f", "paid_low", "paid_high"),
            Field("net", "left", "+.2f", "net_low", "net_high"),
            Field("n", "holdings", ","),
        ],
        "Worth, the fair price: between two seats of the same game that held as many civilizations and differ by one "
        "tile, the expected difference in what they scored apart from prices and coins. Paid: the same difference in "
        "points paid for skipped pairs less points received for coins. An association in the hands of these agents.",
        context.settings,
        context.origin.typed("prices", level=f"{context.level:g}", out="prices"),
        drawings=(drawn("prices-figure", caption, lambda ax: plots_prices.prices(shown, ax), 0.6 + 0.23 * len(worth)),),
    )


def _tray(table: pd.DataFrame, context: Context) -> Part:
    table = table.assign(place=table["slot"] + 1)
    caption = "What taking the pair in each place of the tray brings: its worth plus its coins less the price."
    return Part(
        "tray",
        "Which place of the tray is a bargain",
        table,
        [
            Field("place", "Place", "d"),
            Field("estimate", "brings (points)", "+.2f", "low", "high"),
            Field("worth", "worth", "+.2f"),
            Field("coins", "coins", ".2f"),
            Field("price", "price", ".2f"),
            Field("taken", "taken", ".1%"),
            Field("best", "was best", ".1%"),
            Field("n", "offers", ","),
        ],
        "Expected value, over choices between these agents, of what taking the pair in a place would bring against an "
        "average pair that costs nothing; the worth of a pair is the worth of its two tiles together. Was best: "
        "share of choices in which no pair that could be paid brought more.",
        context.settings,
        context.origin.typed("prices", level=f"{context.level:g}", out="prices"),
        drawings=(drawn("tray-figure", caption, lambda ax: plots_prices.bargains(table, ax)),),
    )


def _average(runs: Runs, context: Context) -> Part | Missing:
    name, title, command = "average", "The red number at which each tile would be average", context.command("prices")
    if why := context.why_no_further_games():
        return Missing(name, title, why, command)
    try:
        table = average_tokens(
            runs.rules, context.further, runs.seed, context.player, level=context.level, n_jobs=context.n_jobs
        )
    except ValueError as error:
        return Missing(name, title, f"There are no such numbers: {error}.", command)
    table.insert(1, "title", table["tile"].map(context.titles))
    shown = table.assign(tile=table["title"])
    caption = "The number at which each tile would be average, with intervals, and the number it has."
    return Part(
        name,
        title,
        table,
        [
            Field("title", "Tile"),
            Field("number", "has", "d"),
            Field("estimate", "average at", ".1f", "low", "high"),
            Field("slope", "points for one more", "+.2f", "slope_low", "slope_high"),
            Field("n", "games per run", ","),
        ],
        "The number at which holding the tile would go with as many points as holding an average tile, if its effect "
        "were linear in its number, with the slope measured between one less and one more, all tiles varied at once in "
        "a planned experiment on common keys. Fieller's intervals, infinite where the slope is not told from 0. Far "
        "from the present number it says which way and roughly how far.",
        context.further_settings(f"five runs of {context.further:,}"),
        context.origin.typed("prices", games=context.further, level=f"{context.level:g}", tokens=True, out="prices"),
        drawings=(
            drawn("average-figure", caption, lambda ax: plots_prices.averages(shown, ax), 0.6 + 0.23 * len(table)),
        ),
    )
