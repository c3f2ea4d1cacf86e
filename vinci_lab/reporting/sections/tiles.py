"""Tiles: what goes with each when agents choose and pay, and whether the popular ones win."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import plots, plots_study
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

SMALLEST_P = 1e-4
NAMED = 3  # tiles at each end that the summary names


def section(runs: Runs, context: Context) -> Section:
    """Return the effects of the tiles, and how often they are picked beside how often their holders win."""
    why = context.too_few("telling tiles apart")
    if why:
        missing = Missing("tiles", "What goes with each tile", why, context.command("tiles"))
        return Section("Tiles", (missing,), findings=(f"Tiles: {why}",))
    ranked = context.tiles[context.tiles["estimate"].notna() & context.tiles["low"].notna()]
    return Section("Tiles", (_effects(context), _picks(context)), findings=(_finding(ranked, context),))


def _finding(ranked: pd.DataFrame, context: Context) -> str:
    def named(rows: pd.DataFrame) -> str:
        return ", ".join(
            f"{row.title} {row.estimate:+.1f} ({row.low:+.1f} to {row.high:+.1f})" for row in rows.itertuples()
        )

    if len(ranked) < 2:
        return "Tiles: there are too few games to tell tiles apart."
    number = min(NAMED, len(ranked) // 2)
    apart = int((ranked["p_holm"] < 1 - context.level).sum())
    return (
        f"Tiles: against an average tile, the most points go with {named(ranked.head(number))}, the fewest with "
        f"{named(ranked.tail(number).iloc[::-1])}; {context.interval}s in brackets. {apart} of {len(ranked)} tiles "
        "differ from the average after adjusting for their number."
    )


def _effects(context: Context) -> Part:
    table = context.tiles
    caption = "Points that go with each tile against an average one, best first, with intervals."
    shown = table.assign(p_holm=table["p_holm"].map(p_value, na_action="ignore"))
    return Part(
        "tiles",
        "What goes with each tile",
        table,
        [
            Field("title", "Tile"),
            Field("estimate", "points", "+.2f", "low", "high"),
            Field("p_holm", "p (Holm)", "s"),
            Field("points", "earned", ".1f"),
            Field("turns_active", "turns", ".1f"),
            Field("n", "holdings", ","),
        ],
        "Points: expected difference in final score between two seats of the same game that held as many civilizations "
        "and differ by this tile against an average one, net of prices and coins and given the place in turn order. "
        "It says what goes with a tile when these agents choose and pay; it is not the effect of handing the tile to "
        "somebody. Least squares on all tiles at once with a fixed effect per game, errors clustered by game. p "
        "(Holm): how often chance alone would make some tile look this far from average.",
        context.settings,
        context.command("tiles"),
        text=(
            "Earned and turns: points a civilization with the tile made on the board, its partner's share included, "
            "and the turns it was active. A civilization that is kept long earns more and leaves time for fewer "
            "others, so a high number here is no sign of strength by itself.",
        ),
        drawings=(
            drawn(
                "tiles-figure",
                caption,
                lambda ax: plots.interval_dots(table, ax, "title").set(
                    xlabel="final score against an average tile (points)"
                ),
                height=0.6 + 0.22 * len(table),
            ),
        ),
        shown=shown,
    )


def _picks(context: Context) -> Part:
    columns = [
        "tile",
        "title",
        *(f"{name}{end}" for name in ("pick_rate", "win_share") for end in ("", "_low", "_high")),
    ]
    table = context.tiles[[*columns, "offers", "n"]].sort_values("pick_rate", ascending=False, kind="stable")
    table = table[table["pick_rate"].notna() & table["win_share"].notna()].reset_index(drop=True)
    even = float(context.seats["expected"].iloc[0])
    caption = (
        "How often each tile is taken when it can be, and the share of the win of seats that held it, with intervals. "
        f"Dashed: an even share of the win, {even:.1%}."
    )
    return Part(
        "picks",
        "Picked, and winning",
        table,
        [
            Field("title", "Tile"),
            Field("pick_rate", "picked", ".1%", "pick_rate_low", "pick_rate_high"),
            Field("win_share", "wins", ".1%", "win_share_low", "win_share_high"),
            Field("offers", "offers", ","),
            Field("n", "holdings", ","),
        ],
        "Picked: share of the offers a seat could pay for that it took, whatever else lay there and whatever the tile "
        "then cost. Wins: expected share of the win of seats that held the tile at some time. Both are what happens at "
        "the table, not effects of the tile; seats hold several civilizations, more in long games, which moves all "
        "tiles alike.",
        context.settings,
        context.command("tiles"),
        text=(
            "To the right: popular with these agents. Above: seats that held it win more. A tile low on the right is "
            "liked more than it deserves, one high on the left less.",
        ),
        drawings=(drawn("picks-figure", caption, lambda ax: plots_study.picks_and_wins(table, ax, even), 5.4),),
    )


def p_value(value: float) -> str:
    """Return a p-value in words."""
    return f"<{SMALLEST_P:g}" if value < SMALLEST_P else f"{value:.2g}"
