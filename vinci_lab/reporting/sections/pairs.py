"""Pairs of tiles: the strongest and weakest, and what is more than the sum of two tiles."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import pairs, plots, plots_balance
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn
from vinci_lab.reporting.sections.tiles import p_value

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

TITLE = "Pairs of tiles"
ENDS = 8  # pairs at each end
FOUND = 0.1
MOST_SYNERGIES = 12


def section(runs: Runs, context: Context) -> Section:
    """Return the strongest and weakest pairs, and the map of synergies."""
    command = context.command("pairs")
    try:
        table = pairs.pair_effects(runs, context.level)
    except ValueError as error:
        return Section(TITLE, (Missing("pairs", "Pairs", f"There is no table of {error}.", command),))
    for column in ("first_tile", "second_tile"):
        table[column] = table[column].map(context.titles)
    table.insert(0, "pair", table["first_tile"] + " + " + table["second_tile"])
    return Section(
        TITLE, (_strongest(table, context), _synergies(table, context)), findings=(_finding(table, context),)
    )


def _finding(table: pd.DataFrame, context: Context) -> str:
    best = ", ".join(
        f"{row.pair} {row.estimate:+.1f} ({row.low:+.1f} to {row.high:+.1f})" for row in table.head(3).itertuples()
    )
    worst = table.iloc[-1]
    found = table[table["q_value"] < FOUND]
    said = (
        f"Pairs: against an average pair, the most points go with {best}, the fewest with {worst.pair} "
        f"{worst.estimate:+.1f} ({worst.low:+.1f} to {worst.high:+.1f}). "
    )
    if not len(found):
        return f"{said}No pair is found to be more or less than the sum of its tiles."
    most = found.iloc[int(found["synergy"].abs().argmax())]
    return (
        f"{said}{len(found)} of {int(table['q_value'].notna().sum())} pairs differ from the sum of their tiles (of "
        f"these, at most about {FOUND:.0%} are expected to be false); the largest such difference is {most.pair}, "
        f"{most.synergy:+.1f} ({most.synergy_low:+.1f} to {most.synergy_high:+.1f})."
    )


def _strongest(table: pd.DataFrame, context: Context) -> Part:
    ends = table if len(table) <= 2 * ENDS else pd.concat([table.head(ENDS), table.tail(ENDS)])
    caption = f"The {ENDS} strongest and the {ENDS} weakest pairs against an average pair, shrunk, with intervals."
    return Part(
        "pairs",
        "Strongest and weakest pairs",
        table,
        [
            Field("pair", "Pair"),
            Field("estimate", "points", "+.2f", "low", "high"),
            Field("of_tiles", "of the tiles", "+.2f"),
            Field("raw", "not shrunk", "+.2f"),
            Field("n", "holdings", ","),
        ],
        "Points: expected difference in final score between two seats of the same game that held as many civilizations "
        "and differ by one pair, this one against an average one, net of prices: what goes with a pair when these "
        "agents choose and pay, not the effect of handing it to somebody. Least squares on all pairs at once with a "
        "fixed effect per game; rarely held pairs are shrunk towards the sum of their tiles (empirical Bayes), and "
        "intervals hold on average over pairs.",
        context.settings,
        context.command("pairs"),
        drawings=(
            drawn(
                "pairs-figure",
                caption,
                lambda ax: plots.interval_dots(ends, ax, "pair").set(
                    xlabel="final score against an average pair (points)"
                ),
                height=0.6 + 0.22 * len(ends),
            ),
        ),
        shown=ends,
    )


def _synergies(table: pd.DataFrame, context: Context) -> Part:
    columns = ["pair", "first_tile", "second_tile", "synergy", "synergy_low", "synergy_high", "shrunk", "p_value"]
    listed = table[[*columns, "q_value", "n", "games"]].sort_values("q_value", kind="stable", ignore_index=True)
    tested = listed[listed["q_value"].notna()]
    top = tested[tested["q_value"] < FOUND].head(MOST_SYNERGIES)
    top = top if len(top) else tested.head(3)
    caption = "Synergy of every pair that was held, shrunk; dots mark pairs found at a false discovery rate of 10%."
    return Part(
        "synergies",
        "More, or less, than the sum of two tiles",
        listed,
        [
            Field("pair", "Pair"),
            Field("synergy", "synergy (points)", "+.2f", "synergy_low", "synergy_high"),
            Field("shrunk", "shrunk", "+.2f"),
            Field("p_value", "p", "s"),
            Field("q_value", "q", "s"),
            Field("games", "games", ","),
        ],
        "Synergy: the part of a pair's points beyond the sum of the effects of its two tiles, that fit all pairs best. "
        "q is Benjamini and Hochberg's: of the pairs with a q below 0.1, at most about 10% are expected to be false. "
        "Pairs in fewer than 30 games are not tested. Agents that use a pair better or worse show here too.",
        context.settings,
        context.command("pairs"),
        text=("Orange: together they are worth more than apart. Violet: less. Blank: never held together.",),
        drawings=(drawn("synergies-figure", caption, lambda ax: plots_balance.pair_map(table, ax), 6.4),),
        shown=top.assign(**{name: top[name].map(p_value, na_action="ignore") for name in ("p_value", "q_value")}),
        notes=(f"The table shows the {len(top)} clearest of {len(tested)} pairs that were tested.",),
    )
