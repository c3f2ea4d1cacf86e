"""Drawings of curves over thresholds and of pace: each takes a table and axes, and returns the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis.plots import BLUE, GRAY, INK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = ((BLUE, "-", "o"), (ORANGE, "--", "s"))  # differ in print too


def curve(table: pd.DataFrame, ax: Axes, metric: str) -> Axes:
    """Draw one quantity of :func:`vinci_lab.analysis.thresholds.threshold_curve` with its simultaneous band.

    Parameters
    ----------
    table : DataFrame
        Of ``threshold_curve``.
    ax : Axes
        To draw on. The printed value is marked by a line.
    metric : str
        A quantity of the table.
    """
    shown = table[table["metric"] == metric]
    if not len(shown):
        raise ValueError(f"metric: there is no {metric!r}; choose from {', '.join(dict.fromkeys(table['metric']))}")
    methods = list(dict.fromkeys(shown["method"]))
    for method, (color, line, marker) in zip(methods, STYLES, strict=False):
        rows = shown[shown["method"] == method]
        ax.fill_between(rows["value"], rows["band_low"], rows["band_high"], color=color, alpha=0.2, linewidth=0)
        ax.plot(rows["value"], rows["estimate"], line, marker=marker, color=color, markersize=4, label=method)
    printed = shown.loc[shown["is_printed"].astype(bool), "value"]
    if len(printed):
        ax.axvline(float(printed.iloc[0]), color=GRAY, linewidth=1, linestyle=":", label="printed")
    if len(methods) + len(printed) > 1:
        ax.legend(frameon=False, labelcolor=INK)
    ax.set_xlabel(str(shown["place"].iloc[0]).replace("_", " "))
    ax.set_ylabel(f"{metric.replace('_', ' ')} ({shown['unit'].iloc[0]})")
    return ax
