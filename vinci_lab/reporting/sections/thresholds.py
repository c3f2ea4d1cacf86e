"""Where the number that ends a game stands: the same games with other values of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import plots, plots_balance
from vinci_lab.analysis.thresholds import MINUTES_PER_TURN, End, threshold_curve
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.reporting import page
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Drawing, Missing, Part, Section

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

NAME, TITLE = "thresholds", "Where the end of the game stands"
DRAWN = ("rounds", "seat_bias", "lead_changes", "half_leader_wins")
SHOWN = {
    "rounds": ("rounds", ".2f"),
    "seat_bias": ("seat bias", ".1%"),
    "lead_changes": ("lead changes", ".2f"),
    "half_leader_wins": ("half-time leader wins", ".1%"),
}
STEPS = (-2, -1, 0, 1, 2)


def section(runs: Runs, context: Context) -> Section:
    """Return a curve over values around the one in the rules."""
    why = context.why_no_further_games()
    try:
        end = End.of(runs.rules)
    except ValueError as error:
        return Section(TITLE, (Missing(NAME, TITLE, f"There is no curve: {error}."),))
    if why:
        return Section(TITLE, (Missing(NAME, TITLE, why, context.command(NAME)),))
    values = around(runs.rules, end)
    table = threshold_curve(
        runs.rules, values, context.further, runs.seed, context.player, level=context.level, n_jobs=context.n_jobs
    )
    return Section(TITLE, (_curve(table, values, end, context),), findings=(_finding(table, end, context),))


def around(rules: Ruleset, end: End) -> list[int]:
    """Return values around the one in the rules, as far as the rules allow them."""
    middle = int(end.value or 0)
    step = 10 if middle >= 80 else 5 if middle >= 30 else 1
    values = []
    for value in (middle + number * step for number in STEPS):
        try:
            rules.replace({end.place: value})
        except DataError:
            continue
        values.append(value)
    return values


def _finding(table: pd.DataFrame, end: End, context: Context) -> str:
    rounds = table[(table["metric"] == "rounds")].set_index("value")
    name = end.place.replace("_", " ")
    here = rounds.loc[end.value]
    others = [
        f"{value} makes it {row.change:+.2f} rounds ({row.change_low:+.2f} to {row.change_high:+.2f})"
        for value, row in rounds.iterrows()
        if value in (rounds.index[0], rounds.index[-1]) and value != end.value
    ]
    bias = table[table["metric"] == "seat_bias"]
    return (
        f"Where the end stands: with the {name} of {end.value} a game takes {here.estimate:.2f} rounds "
        f"({context.interval} {here.low:.2f} to {here.high:.2f}, {here.n:,} games); {', '.join(others)}. "
        f"In these games no value from {rounds.index[0]} to {rounds.index[-1]} puts a seat more than "
        f"{100 * bias['band_high'].max():.2g} percentage points from an even share. Which value is best depends "
        "on what is wished for; the command of that section recommends one for wishes."
    )


def _curve(table: pd.DataFrame, values: list[int], end: End, context: Context) -> Part:
    name = end.place.replace("_", " ")
    caption = (
        f"Length, fairness and drama by {name}, with bands that hold for all values together; dotted: the value in the "
        "rules. Seat bias: how far the place in turn order furthest from an even share is from it."
    )
    figure, axes = plots.new_figures(2, 2, 7.2, 5.2)
    for metric, ax in zip(DRAWN, axes, strict=True):
        plots_balance.curve(table, ax, metric)
    for ax in axes[1:]:
        if (legend := ax.get_legend()) is not None:
            legend.remove()
    typed = {"games": context.further, "values": ",".join(map(str, values)), "level": f"{context.level:g}"}
    return Part(
        NAME,
        f"Games with another {name}",
        table,
        [
            Field("value", name, "d"),
            *(Field(metric, head, form, f"{metric}_low", f"{metric}_high") for metric, (head, form) in SHOWN.items()),
        ],
        "Expected value of each quantity under rules with this value. The games are played again for every value, on "
        "common keys, because good agents play towards the end they know; intervals on the page are bands that hold "
        f"for all values together. The file also has minutes, if a turn of a person lasts {MINUTES_PER_TURN:g}. "
        "The estimate of the seat bias is too high by chance when games are few; its band allows for that.",
        context.further_settings(f"{context.further:,} for each of {len(values)} values, on common keys"),
        context.origin.typed(NAME, **typed, out="thresholds.csv"),
        text=(
            "How to choose: the command with --wish, such as --wish target_rounds=10 --wish seat_bias=0.02, finds the "
            "value that fits wishes best on half of the games and says whether the other half confirms it.",
        ),
        drawings=(Drawing(plots.svg(figure, "thresholds-figure", page.escape(caption)), caption),),
        shown=_by_value(table),
    )


def _by_value(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per value with some quantities and their bands."""
    rows = []
    for value, found in table.groupby("value"):
        row: dict[str, object] = {"value": value}
        by_metric = found.set_index("metric")
        for metric in SHOWN:
            one = by_metric.loc[metric]
            row |= {metric: one["estimate"], f"{metric}_low": one["band_low"], f"{metric}_high": one["band_high"]}
        rows.append(row)
    return pd.DataFrame(rows)
