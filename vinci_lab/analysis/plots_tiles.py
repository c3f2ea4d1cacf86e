"""Drawings of studies of tiles: each takes a table and axes, and returns the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from vinci_lab.analysis.plots import BLUE, GRAY, INK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

GREEN = "#009E73"  # of the palette of Okabe and Ito, as the other colors
STYLES = {"market": (BLUE, "o"), "randomized": (ORANGE, "s"), "forked": (GREEN, "^")}
STEP = 0.24  # rows between two designs of one tile


def designs(tables: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the effect of each tile by one or more designs side by side, with intervals.

    Parameters
    ----------
    tables : DataFrame
        Of :func:`vinci_lab.analysis.tiles.tile_study`, one after another (``pandas.concat``).
    ax : Axes
        To draw on, about a quarter of an inch high for each tile. Tiles are in the order of the last design.
    """
    names = [name for name in STYLES if name in set(tables["design"])]
    if not names:
        raise ValueError(f"tables: must hold one of the designs {', '.join(STYLES)}, got none")
    last = tables[tables["design"] == names[-1]].sort_values("estimate")
    place = {tile: row for row, tile in enumerate(last["tile"])}
    for number, name in enumerate(names):
        shown = tables[(tables["design"] == name) & tables["estimate"].notna()]
        color, marker = STYLES[name]
        rows = shown["tile"].map(place).to_numpy(float) - STEP * (number - (len(names) - 1) / 2)
        ends = np.abs(shown[["low", "high"]].to_numpy() - shown[["estimate"]].to_numpy()).T
        ax.errorbar(
            shown["estimate"], rows, xerr=ends, fmt=marker, color=color, markersize=4, linewidth=1.2, label=name
        )
    ax.axvline(0, color=GRAY, linewidth=1)
    ax.set_yticks(range(len(place)), [tile.replace("_", " ") for tile in place])
    ax.set_ylim(-0.7, len(place) - 0.3)
    ax.set_xlabel("effect of a tile against the average one (points over the mean of the other seats)")
    ax.legend(frameon=False, labelcolor=INK, loc="lower right")
    return ax


def picks(table: pd.DataFrame, ax: Axes, named: int = 8) -> Axes:
    """Draw how often each tile is taken when it can be against what its holders win, with intervals.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.effects.tile_effects`.
    ax : Axes
        To draw on.
    named : int
        How many tiles, those farthest from the others, are named.
    """
    shown = table[table["pick_rate"].notna() & table["win_share"].notna()]
    spans = {
        f"{axis}err": np.abs(shown[[f"{name}_low", f"{name}_high"]].to_numpy() - shown[[name]].to_numpy()).T
        for axis, name in (("x", "pick_rate"), ("y", "win_share"))
    }
    ax.errorbar(
        shown["pick_rate"], shown["win_share"], fmt="o", color=BLUE, ecolor=GRAY, markersize=4, linewidth=1, **spans
    )
    scaled = shown[["pick_rate", "win_share"]].apply(lambda values: (values - values.mean()) / (values.std() or 1.0))
    far = (scaled**2).sum(axis=1).nlargest(named).index
    for row in shown.loc[far].itertuples():
        text = str(row.tile).replace("_", " ")
        ax.annotate(text, (row.pick_rate, row.win_share), xytext=(5, 4), textcoords="offset points", color=INK)
    ax.margins(x=0.12)
    ax.set_xlabel("pick rate (share of the offers of the tile that were taken)")
    ax.set_ylabel("win share of seats that held the tile")
    return ax
