"""Final scores, and how scores grow and part."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import effects, pace, plots, plots_balance
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Part, Section, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from vinci_lab.simulation.store import Runs

LEAST_REACHING = 0.1  # share of games that reach a round, below which it is left out on the page


def section(runs: Runs, context: Context) -> Section:
    """Return the distribution of final scores and the fans of scores by round."""
    return Section("Scores", (_final(runs, context), _fans(runs, context)))


def _final(runs: Runs, context: Context) -> Part:
    games = runs.table("games", ["score", "is_winner"])
    caption = "Final scores of all seats, and of the winners among them, in steps of five points."

    def draw(ax: Axes) -> None:
        plots.score_histogram(games["score"], games["is_winner"], ax)
        ax.set(xlabel="final score (points)", ylabel="share of seats")

    quantiles = {"q05": "5%", "q25": "25%", "q50": "median", "q75": "75%", "q95": "95%"}
    return Part(
        "scores",
        "Final scores",
        effects.scores_by_rank(runs, context.level),
        [
            Field("place", "Place", "d"),
            Field("estimate", "mean score", ".2f", "low", "high"),
            *(Field(column, head, ".0f") for column, head in quantiles.items()),
            Field("n", "games", ","),
        ],
        "Final score of the best, second, ... seat of a game: mean with Student's interval, and the scores that 5%, "
        "25%, 50%, 75% and 95% of games do not exceed.",
        context.settings,
        context.command("scores"),
        drawings=(drawn("scores-figure", caption, draw),),
    )


def _fans(runs: Runs, context: Context) -> Part:
    fans = pace.score_fans(runs, context.level)
    last = int(fans["rank"].max())
    caption = "Score after each round by final place: medians, and the middle half of the winners and of the last."
    return Part(
        "fans",
        "How scores part",
        fans,
        [
            Field("round", "Round", "d"),
            Field("estimate", "later winner", ".1f", "low", "high"),
            Field("last", f"place {last}", ".1f", "last_low", "last_high"),
            Field("apart", "apart", ".1f"),
            Field("n", "games", ","),
        ],
        "Mean score after a round of the seats that will end at a place, among games that play this round; later "
        "rounds are those of long games only, as the number of games says. Tied seats share the better place.",
        context.settings,
        context.command("scores"),
        text=("Where the bands part, the later winner can be told from the later last by the score.",),
        drawings=(drawn("fans-figure", caption, lambda ax: plots_balance.fans(fans, ax, LEAST_REACHING)),),
        shown=_first_and_last(fans, last),
    )


def _first_and_last(fans: pd.DataFrame, last: int) -> pd.DataFrame:
    """Return a row per round with the means of the winners and of the last."""
    shown = fans[fans["n"] >= LEAST_REACHING * fans.groupby("rank")["n"].transform("max")]
    best = shown[shown["rank"] == 1]
    worst = shown.loc[shown["rank"] == last, ["round", "estimate", "low", "high"]]
    worst = worst.rename(columns={"estimate": "last", "low": "last_low", "high": "last_high"})
    both = best.merge(worst, on="round", how="inner")
    return both.assign(apart=both["estimate"] - both["last"])
