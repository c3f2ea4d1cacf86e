"""Drawings of the analysis tables: each function takes a table and Matplotlib axes, and returns the axes."""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING, Any

import matplotlib
import matplotlib.figure
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"  # becomes the color of the surrounding text
BLUE = "#3b7dd8"
ORANGE = "#d9822b"
GRAY = "#8a8f98"
DPI = 144  # of artists that are drawn as pixels
STYLE: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "vinci_lab",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
}


def new_figure(width: float = 7.2, height: float = 3.2) -> tuple[Figure, Axes]:
    """Return an empty figure in the house style, in inches, without touching Matplotlib's global state."""
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(width, height), layout="constrained")
        return figure, figure.add_subplot()


def new_figures(rows: int, columns: int, width: float = 7.2, height: float = 5.2) -> tuple[Figure, list[Axes]]:
    """Return an empty figure with axes in rows and columns, row by row, in the house style."""
    with matplotlib.rc_context(STYLE):
        figure = matplotlib.figure.Figure(figsize=(width, height), layout="constrained")
        return figure, list(figure.subplots(rows, columns).ravel())


def interval_dots(table: pd.DataFrame, ax: Axes, label: str, reference: float | None = 0.0) -> Axes:
    """Draw one dot with its interval per row, the first row on top.

    Parameters
    ----------
    table : DataFrame
        With ``estimate, low, high`` and the column ``label``. Rows without an estimate are left out.
    ax : Axes
        To draw on.
    label : str
        Column that names the rows.
    reference : float, optional
        Where to draw a line.
    """
    shown = table[table["estimate"].notna()]
    places = np.arange(len(shown))[::-1]
    ax.hlines(places, shown["low"], shown["high"], color=BLUE, linewidth=2, alpha=0.6)
    ax.plot(shown["estimate"], places, "o", color=BLUE, markersize=5)
    if reference is not None:
        ax.axvline(reference, color=GRAY, linewidth=1, linestyle="--")
    ax.set_yticks(places, [str(name) for name in shown[label]])
    ax.set_ylim(-0.7, max(len(shown) - 0.3, 0.7))
    return ax


def share_bars(table: pd.DataFrame, ax: Axes, labels: list[str], reference: float | None = None) -> Axes:
    """Draw shares as bars with their intervals.

    Parameters
    ----------
    table : DataFrame
        With ``estimate, low, high``.
    ax : Axes
        To draw on.
    labels : list of str
        One per row.
    reference : float, optional
        Where to draw a line, such as the even share.
    """
    places = np.arange(len(table))
    ax.bar(places, table["estimate"], color=BLUE, alpha=0.75, width=0.7)
    ax.vlines(places, table["low"], table["high"], color=INK, linewidth=1.5)
    if reference is not None:
        ax.axhline(reference, color=ORANGE, linewidth=1.5, linestyle="--")
    ax.set_xticks(places, labels)
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    return ax


def bars(values: Any, heights: Any, ax: Axes, limits: tuple[Any, Any] | None = None) -> Axes:
    """Draw a distribution over whole numbers, with the limits of each share if given."""
    ax.bar(values, heights, color=BLUE, alpha=0.75, width=0.85)
    if limits is not None:
        ax.vlines(values, *limits, color=INK, linewidth=1.2)
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    return ax


def score_histogram(scores: pd.Series, is_winner: pd.Series, ax: Axes, width: int = 5) -> Axes:
    """Draw final scores of all seats and of winners, as shares of all seats, in bins of ``width`` points."""
    low, high = int(scores.min()) // width * width, int(scores.max()) // width * width + width
    edges = [float(edge) for edge in range(low, high + 1, width)]
    whole = np.full(len(scores), 1 / len(scores))
    ax.hist(scores, edges, weights=whole, color=BLUE, alpha=0.45, label="all seats")
    won = is_winner.to_numpy() == 1
    ax.hist(scores[won], edges, weights=whole[won], color=ORANGE, alpha=0.7, label="winners")
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    ax.legend(frameon=False, labelcolor=INK)
    return ax


def svg(figure: Figure, name: str, title: str) -> str:
    """Return a figure as an SVG element for an HTML page: the same text for the same figure, no date, no links.

    Parameters
    ----------
    figure : Figure
        To draw.
    name : str
        Prefix of the element's ids, unique on the page.
    title : str
        What it shows, for readers who cannot see it; must be escaped for HTML.
    """
    text = io.StringIO()
    with matplotlib.rc_context(STYLE):
        figure.savefig(
            text, format="svg", dpi=DPI, metadata={"Date": None, "Creator": None, "Format": None, "Type": None}
        )
    drawn = text.getvalue()
    drawn = re.sub(r"<metadata>.*?</metadata>", "", drawn[drawn.index("<svg") :], flags=re.DOTALL)
    drawn = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawn).replace("xlink:href", "href")
    drawn = re.sub(r'\bid="', f'id="{name}-', drawn)
    drawn = re.sub(r'href="#', f'href="#{name}-', drawn).replace("url(#", f"url(#{name}-").replace(INK, "currentColor")
    return drawn.replace("<svg", f'<svg role="img" aria-label="{title}"', 1).strip()
