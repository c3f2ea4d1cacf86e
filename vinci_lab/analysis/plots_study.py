"""Drawings of tiles for a report: each takes a table and axes, and returns the axes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from vinci_lab.analysis.plots import BLUE, GRAY, INK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SERIES = ((BLUE, "o", 0.26), (ORANGE, "s", 0.0), (INK, "D", -0.26))  # differ in print too


def three_designs(table: pd.DataFrame, ax: Axes, designs: Mapping[str, str]) -> Axes:
    """Draw the effect of each tile by several designs with their intervals, a row per tile, the first on top.

    Parameters
    ----------
    table : DataFrame
        With ``title``, and for each design a column of its name and others with ``_low`` and ``_high``.
    ax : Axes
        To draw on.
    designs : mapping of str to str
        Up to three columns with their names in words.
    """
    places = np.arange(len(table))[::-1]
    for (color, marker, above), (name, words) in zip(SERIES, designs.items(), strict=False):
        ax.hlines(places + above, table[f"{name}_low"], table[f"{name}_high"], color=color, linewidth=1.2, alpha=0.7)
        ax.plot(table[name], places + above, marker, color=color, markersize=3.5, label=words)
    ax.axvline(0, color=GRAY, linewidth=1, linestyle="--")
    ax.set_yticks(places, [str(title) for title in table["title"]])
    ax.set_ylim(-0.7, max(len(table) - 0.3, 0.7))
    ax.set_xlabel("effect against an average tile (points)")
    ax.legend(frameon=False, labelcolor=INK, loc="lower center", bbox_to_anchor=(0.25, 1), ncols=3)
    return ax


def picks_and_wins(table: pd.DataFrame, ax: Axes, even: float) -> Axes:
    """Draw how often each tile is picked and how often its holders win, with intervals both ways, and name the tiles.

    Parameters
    ----------
    table : DataFrame
        With ``title`` and ``pick_rate, win_share``, each with ``_low`` and ``_high``.
    ax : Axes
        To draw on.
    even : float
        An even share of the win, drawn as a line.
    """
    across, up = table["pick_rate"].to_numpy(np.float64), table["win_share"].to_numpy(np.float64)
    ax.axhline(even, color=GRAY, linewidth=1, linestyle="--")
    ax.hlines(up, table["pick_rate_low"], table["pick_rate_high"], color=BLUE, linewidth=1, alpha=0.5)
    ax.vlines(across, table["win_share_low"], table["win_share_high"], color=BLUE, linewidth=1, alpha=0.5)
    ax.plot(across, up, "o", color=BLUE, markersize=4)
    ax.margins(0.06)
    line: Any = {"arrowstyle": "-", "color": GRAY, "linewidth": 0.5, "shrinkA": 0, "shrinkB": 2}
    for index, offset in enumerate(_free_places(across, up, table["title"], ax)):
        ax.annotate(
            str(table["title"].iloc[index]),
            (float(across[index]), float(up[index])),
            offset,
            textcoords="offset points",
            ha="center",
            va="center",
            fontsize=6.5,
            arrowprops=line,
        )
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    ax.set_xlabel("picked, of the times it could be taken")
    ax.set_ylabel("share of the win of its holders")
    return ax


def _free_places(across: Any, up: Any, titles: Any, ax: Axes) -> list[tuple[float, float]]:
    """Return for each point how far from it its name goes, in points: near, and where it covers few names and dots."""
    area = ax.get_window_extent()
    scale = 72 / ax.figure.dpi
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    dots = np.column_stack(
        [
            (across - left) / (right - left) * area.width * scale,
            (up - bottom) / (top - bottom) * area.height * scale,
        ]
    )
    boxes: list[tuple[float, float, float, float]] = []  # of names: left, bottom, right, top
    offsets = []
    for dot, title in zip(dots, titles, strict=True):
        half = 1.8 * len(str(title)) + 2
        tried: list[tuple[Any, ...]] = []
        for ring in (1.0, 2.0, 3.0, 4.5):
            for angle in np.arange(12) * np.pi / 6:
                offset = (float((half + 4) * ring**0.5 * np.cos(angle)), float(9 * ring * np.sin(angle)))
                x, y = dot + offset
                box = (x - half, y - 4, x + half, y + 4)
                hidden = sum(
                    min(box[2], one[2]) > max(box[0], one[0]) and min(box[3], one[3]) > max(box[1], one[1])
                    for one in boxes
                )
                hidden += int(np.sum((np.abs(dots[:, 0] - x) < half + 1) & (np.abs(dots[:, 1] - y) < 6)))
                hidden += 9 * (box[0] < 0 or box[2] > area.width * scale)
                tried.append((hidden, ring, len(tried), box, offset))
        *_, box, offset = min(tried)
        boxes.append(box)
        offsets.append(offset)
    return offsets
