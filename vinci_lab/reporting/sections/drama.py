"""Pace and drama: who leads, how often that changes, and what a deficit leaves of the win."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import pace, plots_balance
from vinci_lab.analysis.metrics import metric
from vinci_lab.reporting.context import Context, limits, said
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

QUANTITIES = ("lead_changes", "half_leader_wins", "comebacks", "margin", "ties", "stalled")
LEAST_GAMES = 30  # behind a share that is shown


def section(runs: Runs, context: Context) -> Section:
    """Return quantities of drama, changes of the lead by round, and comebacks by deficit."""
    return Section(
        "Lead and comebacks",
        (_drama(context), _lead_changes(runs, context), _comebacks(runs, context)),
        findings=_findings(context),
    )


def _findings(context: Context) -> tuple[str, ...]:
    means = context.means
    if context.games < LEAST_GAMES:
        return ()
    changes, half, back, margin = (means[name] for name in ("lead_changes", "half_leader_wins", "comebacks", "margin"))
    return (
        f"Pace and drama: the lead changes {changes.estimate:.2f} times in a game ({context.interval} "
        f"{changes.low:.2f} to {changes.high:.2f}); who leads at half time wins {half.estimate:.1%} ({half.low:.1%} to "
        f"{half.high:.1%}), the lower half of the table then still {back.estimate:.1%} ({back.low:.1%} to "
        f"{back.high:.1%}). The winner is {margin.estimate:.1f} points ahead at the end ({margin.low:.1f} to "
        f"{margin.high:.1f}).",
    )


def _drama(context: Context) -> Part:
    rows = []
    for name in QUANTITIES:
        found = context.means[name]
        form = ".1%" if metric(name).unit == "share" else ".2f"
        row = {"quantity": name, "unit": metric(name).unit, **found._asdict(), "meaning": metric(name).meaning}
        rows.append(row | {"value": said(found.estimate, form), "limits": limits(row, form)})
    table = pd.DataFrame(rows)
    return Part(
        "drama",
        "Drama in figures",
        table.drop(columns=["value", "limits"]),
        [
            Field("meaning", "Quantity"),
            Field("value", "mean", "s"),
            Field("limits", "interval", "s"),
            Field("unit", "unit"),
            Field("n", "games", ","),
        ],
        "Means over games. Half time is the end of half of the rounds; the lower half of the table are seats with at "
        "least half of all seats ahead of them then.",
        context.settings,
        context.command("drama"),
        shown=table,
    )


def _lead_changes(runs: Runs, context: Context) -> Part | Missing:
    table = pace.lead_change_rounds(runs, context.level)
    name, title, command = "lead_changes", "When the lead changes", context.command("drama")
    shown = table[table["n"] >= LEAST_GAMES]
    if not len(shown):
        return Missing(name, title, f"No round after the first is played by {LEAST_GAMES} games or more.", command)
    caption = "How likely another seat leads after a round than before it, with intervals."
    return Part(
        name,
        title,
        table,
        [
            Field("round", "Round", "d"),
            Field("estimate", "the lead changes", ".1%", "low", "high"),
            Field("n", "games", ","),
        ],
        "Share of the games that play a round in which another seat leads after it than before; a tied lead stays the "
        "old leader's. Wilson's intervals.",
        context.settings,
        command,
        drawings=(
            drawn(
                "lead-figure", caption, lambda ax: plots_balance.shares_by_round(shown, ax, "games with a new leader")
            ),
        ),
        shown=shown,
    )


def _comebacks(runs: Runs, context: Context) -> Part | Missing:
    table = pace.comebacks(runs, level=context.level)
    name, title, command = "comebacks", "What a deficit leaves of the win", context.command("drama")
    known = table[table["n"] >= LEAST_GAMES]
    if not len(known):
        return Missing(name, title, f"No deficit was seen in {LEAST_GAMES} games or more.", command)
    some = _three_rounds(known)
    caption = "Share of the win, in percent, of a seat so many points behind the best seat after a round."
    height = 1.3 + 0.24 * known["deficit_from"].nunique()
    return Part(
        name,
        title,
        table,
        [
            Field("deficit", "points behind"),
            *(
                Field(f"estimate_{number}", f"after round {number}", ".1%", f"low_{number}", f"high_{number}")
                for number in sorted(some["round"].unique())
            ),
        ],
        "Expected share of the win of a seat that is so far behind the best seat after a round, among games that go on "
        "after it; 0 is who leads, alone or not. Intervals allow for the dependence of the seats of a game.",
        context.settings,
        command,
        text=("Read along a row: the same deficit weighs more the later it is.",),
        drawings=(drawn("comebacks-figure", caption, lambda ax: plots_balance.comeback_map(table, ax), height),),
        shown=_by_deficit(some),
        notes=(
            f"The table shows three rounds; cells with fewer than {LEAST_GAMES} games are blank in the figure and only "
            "in the file.",
        ),
    )


def _three_rounds(table: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of an early, a middle and a late round."""
    rounds = sorted(table["round"].unique())
    places = sorted({len(rounds) // 4, len(rounds) // 2, 3 * len(rounds) // 4})
    return table[table["round"].isin([rounds[place] for place in places])]


def _by_deficit(table: pd.DataFrame) -> pd.DataFrame:
    """Return a row per class of deficits with the share and its limits for every round."""
    wide = table.pivot(index=["deficit_from", "deficit_to"], columns="round", values=["estimate", "low", "high"])
    wide.columns = pd.Index(["_".join(map(str, names)) for names in wide.columns.to_list()])
    rows = wide.reset_index()
    ends = zip(rows["deficit_from"], rows["deficit_to"], strict=True)
    rows.insert(0, "deficit", ["leads" if first == 0 else f"{first} to {last}" for first, last in ends])
    return rows
