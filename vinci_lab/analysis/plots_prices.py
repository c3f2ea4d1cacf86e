"""Drawings of prices and of leveled tiles: each takes a table and axes, and returns the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from vinci_lab.analysis.plots import BLUE, GRAY, INK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SERIES = ((BLUE, "o", 0.16), (ORANGE, "s", -0.16))  # color, marker and height above the row


def _two(table: pd.DataFrame, ax: Axes, names: tuple[str, str], labels: tuple[str, str], rows: list[str]) -> Axes:
    """Draw two estimates with their intervals in each row, the first row on top."""
    places = np.arange(len(table))[::-1]
    for (color, marker, above), name, label in zip(SERIES, names, labels, strict=True):
        low, high = ("low", "high") if name == "estimate" else (f"{name}_low", f"{name}_high")
        ax.hlines(places + above, table[low], table[high], color=color, linewidth=1.5, alpha=0.7)
        ax.plot(table[name], places + above, marker, color=color, markersize=4, label=label)
    ax.axvline(0, color=GRAY, linewidth=1, linestyle="--")
    ax.set_yticks(places, rows)
    ax.set_ylim(-0.7, max(len(table) - 0.3, 0.7))
    ax.legend(frameon=False, labelcolor=INK)
    return ax


def prices(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw what tiles are worth and what was paid for them.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.prices.fair_prices`, of tiles or some pairs.
    ax : Axes
        To draw on.
    """
    rows = table["tile"] if "tile" in table else table["first_tile"] + " + " + table["second_tile"]
    ax.set_xlabel("points more than for an average one")
    names = [str(row).replace("_", " ") for row in rows]
    return _two(table, ax, ("estimate", "paid"), ("worth", "paid"), names)


def bargains(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw what taking from each place of the tray brings, and beside it what it brought when taken.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.prices.tray_bargains`.
    ax : Axes
        To draw on.
    """
    ax.vlines(table["slot"], table["low"], table["high"], color=BLUE, linewidth=2)
    ax.plot(table["slot"], table["estimate"], "o", color=BLUE, markersize=5, label="all offers")
    ax.plot(table["slot"], table["taken_estimate"], "s", color=ORANGE, markersize=5, label="those taken")
    ax.axhline(0, color=GRAY, linewidth=1, linestyle="--")
    ax.set_xticks(table["slot"], [str(slot + 1) for slot in table["slot"]])
    ax.set_xlabel("place in the tray (1 is free)")
    ax.set_ylabel("worth plus coins less price (points)")
    ax.legend(frameon=False, labelcolor=INK)
    return ax


def averages(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw the number at which each tile would be average, and the number it has.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.slopes.average_tokens`. Infinite limits are drawn as far as the others reach.
    ax : Axes
        To draw on.
    """
    shown = table[table["estimate"].notna()]
    finite = np.concatenate([shown[name][np.isfinite(shown[name])] for name in ("low", "high", "number")])
    least, most = (float(finite.min()) - 1, float(finite.max()) + 1) if len(finite) else (-1.0, 1.0)
    places = np.arange(len(shown))[::-1]
    ax.hlines(
        places, shown["low"].clip(least, most), shown["high"].clip(least, most), color=BLUE, linewidth=2, alpha=0.6
    )
    ax.plot(shown["estimate"].clip(least, most), places, "o", color=BLUE, markersize=5, label="average at")
    ax.plot(shown["number"], places, "|", color=ORANGE, markersize=11, markeredgewidth=2, label="now")
    ax.set_yticks(places, [str(tile).replace("_", " ") for tile in shown["tile"]])
    ax.set_ylim(-0.7, max(len(shown) - 0.3, 0.7))
    ax.legend(frameon=False, labelcolor=INK, loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    return ax


def before_after(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw tile effects before and after leveling, with the numbers.

    Parameters
    ----------
    table : DataFrame
        ``tiles`` of :class:`vinci_lab.analysis.rebalance.Rebalance`.
    ax : Axes
        To draw on.
    """
    shown = table.sort_values("effect_before", ascending=False, kind="stable")
    rows = [
        f"{str(tile).replace('_', ' ')}  {old} → {new}" if old != new else f"{str(tile).replace('_', ' ')}  {old}"
        for tile, old, new in zip(shown["tile"], shown["before"], shown["after"], strict=True)
    ]
    ax.set_xlabel("effect of holding the tile (points)")
    return _two(shown, ax, ("effect_before", "effect_after"), ("before", "after"), rows)
