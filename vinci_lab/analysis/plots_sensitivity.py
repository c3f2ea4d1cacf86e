"""Drawings of a sensitivity analysis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib
import matplotlib.figure
import numpy as np
import pandas as pd

from vinci_lab.analysis import plots

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from vinci_lab.analysis.sensitivity import Sensitivity

MOST_ROWS = 26


def conclusion_dots(conclusions: pd.DataFrame, ax: Axes) -> Axes:
    """Draw in which share of the settings each conclusion holds, and between what shares the games leave it.

    Parameters
    ----------
    conclusions : DataFrame
        See :class:`vinci_lab.analysis.sensitivity.Sensitivity`.
    ax : Axes
        To draw on.
    """
    shown = conclusions.sort_values("without_noise_low", ascending=False, kind="stable").head(MOST_ROWS)
    shown = shown.assign(
        estimate=shown["without_noise"], low=shown["without_noise_low"], high=shown["without_noise_high"]
    )
    plots.interval_dots(shown, ax, "conclusion", 0.95)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    ax.set_xlabel("share of settings where it holds, noise taken out")
    return ax


def unknown_dots(unknowns: pd.DataFrame, ax: Axes) -> Axes:
    """Draw how much each unknown matters, the first on top.

    Parameters
    ----------
    unknowns : DataFrame
        See :class:`vinci_lab.analysis.sensitivity.Sensitivity`.
    ax : Axes
        To draw on.
    """
    plots.interval_dots(unknowns.head(MOST_ROWS), ax, "unknown", None)
    ax.set_xlim(left=0)
    ax.xaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    ax.set_xlabel("share of the variance: tiles, places, course")
    return ax


def rank_ranges(ranks: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the 5% to 95% range of each tile's rank, noise taken out, its median, and its rank by the rules as they are.

    Parameters
    ----------
    ranks : DataFrame
        See :class:`vinci_lab.analysis.sensitivity.Sensitivity`.
    ax : Axes
        To draw on.
    """
    plots.interval_dots(ranks, ax, "title", None)
    places = np.arange(len(ranks))[::-1]
    ax.plot(ranks["base_rank"], places, "|", color=plots.ORANGE, markersize=12, markeredgewidth=2)
    ax.set_xlabel("rank by effect; orange: now")
    return ax


def plot_sensitivity(found: Sensitivity) -> Figure:
    """Return a figure of what survives, what matters, and the ranks of the tiles."""
    rows = max(min(len(table), MOST_ROWS) for table in (found.conclusions, found.unknowns, found.ranks))
    with matplotlib.rc_context(plots.STYLE):
        figure = matplotlib.figure.Figure(figsize=(17.0, 1.6 + 0.24 * rows), layout="constrained")
        left, middle, right = figure.subplots(1, 3)
        conclusion_dots(found.conclusions, left)
        unknown_dots(found.unknowns, middle)
        rank_ranges(found.ranks, right)
    return figure


def standalone_svg(figure: Figure) -> str:
    """Return a figure as an SVG file of its own."""
    drawn = plots.svg(figure, "sensitivity", "Sensitivity").replace("currentColor", plots.INK)
    spaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    return drawn.replace("<svg", f"<svg {spaces}", 1)
