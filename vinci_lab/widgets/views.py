"""Figures of the rows that were chosen: how a number is spread, and its mean by group with intervals."""

from __future__ import annotations

import re
from typing import Any

import matplotlib
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from vinci_lab.analysis.plots import BLUE, GRAY, INK, ORANGE, STYLE
from vinci_lab.analysis.rates import mean_interval
from vinci_lab.widgets.selection import RUN

FEWEST = 2  # games below which a mean gets no interval
MOST_GROUPS = 40
FEW_VALUES = 60  # up to so many whole numbers get a bar each


def means_by(frame: pd.DataFrame, column: str, group: str, level: float = 0.95) -> pd.DataFrame:
    """Return the mean of a number in each group.

    The estimand is the mean over the rows of such games; the interval takes a game as the independent unit.

    Parameters
    ----------
    frame : DataFrame
        Rows with ``run``, ``game``, the number and the group.
    column, group : str
        The number, and what to group by.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``group, estimate, low, high, n, games``, in the order of the groups; the limits are NaN where fewer than two
        games speak.
    """
    rows: list[dict[str, Any]] = []
    for name, part in frame.groupby(group, observed=True, sort=True):
        clusters = part.groupby([RUN, "game"], observed=True).ngroup()
        games = int(clusters.nunique())
        values = part[column].to_numpy(np.float64)
        found: dict[str, Any] = {"estimate": values.mean(), "low": np.nan, "high": np.nan, "n": len(values)}
        if games >= FEWEST:
            found = mean_interval(part[column], clusters, level)._asdict()
        rows.append({"group": name, **found, "games": games})
    return pd.DataFrame(rows, columns=["group", "estimate", "low", "high", "n", "games"])


def draw_view(everything: pd.DataFrame, chosen: pd.DataFrame, column: str, group: str, words: str) -> Figure:
    """Return the linked figure: on the left the spread of a number, on the right its mean by group.

    Parameters
    ----------
    everything, chosen : DataFrame
        All rows of a table, and those that passed the filters.
    column, group : str
        The number, and what to group by.
    words : str
        What the number is.
    """
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 3.7), layout="constrained")
        left, right = figure.subplots(1, 2, width_ratios=[1, 1.15])
        figure.suptitle(safe(words), fontsize=10)
        if not len(chosen):
            left.text(0.5, 0.5, "no row passes these filters", ha="center", transform=left.transAxes)
            left.set_axis_off()
            right.set_axis_off()
            return figure
        draw_spread(everything[column], chosen[column], left)
        left.set_xlabel(safe(column.replace("_", " ")))
        draw_means(means_by(chosen, column, group), right)
        is_dotted = not pd.api.types.is_numeric_dtype(chosen[group])
        (right.set_ylabel if is_dotted else right.set_xlabel)(safe(group.replace("_", " ")))
        (right.set_xlabel if is_dotted else right.set_ylabel)(safe(f"mean {column.replace('_', ' ')}"))
        return figure


def draw_spread(everything: pd.Series, chosen: pd.Series, ax: Axes) -> Axes:
    """Draw the spread of the chosen rows as bars and that of all rows as a line, each as shares of its rows."""
    low, high = float(everything.min()), float(everything.max())
    is_whole = pd.api.types.is_integer_dtype(everything) and high - low <= FEW_VALUES
    edges = np.arange(low - 0.5, high + 1.5) if is_whole else np.linspace(low, high if high > low else low + 1, 41)
    shares = [np.histogram(values, edges)[0] / max(len(values), 1) for values in (everything, chosen)]
    ax.bar(edges[:-1], shares[1], np.diff(edges), align="edge", color=BLUE, alpha=0.7, label=f"chosen: {len(chosen):,}")
    if len(everything) != len(chosen):
        ax.stairs(shares[0], edges, color=INK, linewidth=1, label=f"all: {len(everything):,}")
    middle = float(chosen.median())
    ax.axvline(middle, color=ORANGE, linewidth=1.2, linestyle="--", label=f"median {middle:g}")
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    ax.set_ylabel("share of rows")
    ax.legend(frameon=False, fontsize=8)
    return ax


def draw_means(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw means by group: along whole numbers as a line with its band, for words as dots with their intervals."""
    if pd.api.types.is_numeric_dtype(table["group"]):
        known = table["low"].notna()
        ax.fill_between(table["group"], table["low"], table["high"], where=known, color=BLUE, alpha=0.25, linewidth=0)
        ax.plot(table["group"], table["estimate"], "o-", color=BLUE, markersize=3.5, linewidth=1.3)
        return ax
    shown = table.sort_values("estimate", ascending=False, kind="stable").head(MOST_GROUPS)
    places = np.arange(len(shown))[::-1]
    ax.hlines(places, shown["low"], shown["high"], color=BLUE, linewidth=2, alpha=0.6)
    ax.plot(shown["estimate"], places, "o", color=BLUE, markersize=3.5)
    ax.axvline(float(np.average(table["estimate"], weights=table["n"])), color=GRAY, linewidth=1, linestyle="--")
    ax.set_yticks(places, [safe(str(name)) for name in shown["group"]], fontsize=max(4.5, min(9, 200 / len(shown))))
    ax.set_ylim(-0.7, len(shown) - 0.3)
    return ax


def safe(words: str) -> str:
    """Return words that Matplotlib does not take for a formula, of letters that XML can hold."""
    return re.sub(r"([\\$])", r"\\\1", "".join(letter if letter.isprintable() else "\ufffd" for letter in words))
