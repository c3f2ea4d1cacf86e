"""Drawings of curves over thresholds and of pace: each takes a table and axes, and returns the axes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from vinci_lab.analysis.plots import BLUE, GRAY, INK, ORANGE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STYLES = ((BLUE, "-", "o"), (ORANGE, "--", "s"))  # differ in print too
DASHES = ("-", "--", "-.", ":")


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
    ax.set_ylabel(_with_unit(metric, shown["unit"].iloc[0]))
    return ax


def differences(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw what a change of the rules changes: each difference in multiples of the least one worth seeing.

    Quantities have different units, so the axis counts their ``difference``; the difference itself is written beside
    each. Filled dots differ from 0 after the adjustment for the number of quantities (5%).

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.compare.compare`; rows without an interval are left out.
    ax : Axes
        To draw on, about a quarter of an inch high for each quantity.
    """
    shown = table[table["low"].notna()].iloc[::-1]
    rows = np.arange(len(shown))
    estimate, low, high = (shown[name] / shown["difference"] for name in ("estimate", "low", "high"))
    ax.axvspan(-1, 1, color=GRAY, alpha=0.12, linewidth=0)
    ax.axvline(0, color=GRAY, linewidth=1, linestyle="--")
    ax.hlines(rows, low, high, color=BLUE, linewidth=1.5)
    sure = (shown["p_holm"] < 0.05).to_numpy()
    for which, face in ((sure, BLUE), (~sure, "white")):
        ax.plot(estimate[which], rows[which], "o", color=BLUE, markerfacecolor=face, markersize=5)
    ax.set_yticks(rows, [_with_unit(name, unit) for name, unit in zip(shown["metric"], shown["unit"], strict=True)])
    for row, value in zip(rows, shown["estimate"], strict=True):
        ax.annotate(f"{value:+.3g}", (1.01, row), xycoords=("axes fraction", "data"), va="center", fontsize=8)
    ax.set_xlabel("difference, in multiples of the least worth seeing (shaded: less than that)")
    return ax


def _with_unit(name: str, unit: str) -> str:
    return f"{name.replace('_', ' ')} ({unit})"


def fans(table: pd.DataFrame, ax: Axes, least: float = 0.1) -> Axes:
    """Draw how scores grow by final place: median, and the middle half of the best and the last as bands.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.pace.score_fans`.
    ax : Axes
        To draw on.
    least : float
        Rounds that fewer games reach, as a share of the first round's, are left out.
    """
    shown = table[table["n"] >= least * table.groupby("rank")["n"].transform("max")]
    ranks = sorted(shown["rank"].unique())
    for index, rank in enumerate(ranks):
        rows = shown[shown["rank"] == rank]
        color = {0: ORANGE, len(ranks) - 1: BLUE}.get(index, GRAY)
        if color != GRAY:
            ax.fill_between(rows["round"], rows["q25"], rows["q75"], color=color, alpha=0.2, linewidth=0)
        ax.plot(rows["round"], rows["q50"], DASHES[index % len(DASHES)], color=color, label=f"place {rank}")
    ax.set_xlabel("round")
    ax.set_ylabel("score after the round (points)")
    ax.legend(frameon=False, labelcolor=INK)
    return ax


def shares_by_round(table: pd.DataFrame, ax: Axes, label: str, by: str | None = None) -> Axes:
    """Draw shares by round with their intervals, one line or one for each value of a column.

    Parameters
    ----------
    table : DataFrame
        With ``round, estimate, low, high``, such as of ``lead_change_rounds`` or ``decline_times``.
    ax : Axes
        To draw on.
    label : str
        What the shares are.
    by : str, optional
        Column that tells lines apart, such as ``"number"``.
    """
    groups: list[tuple[object, pd.DataFrame]] = [("", table)] if by is None else list(table.groupby(by))
    colors = (BLUE, ORANGE, GRAY, INK)
    for index, (name, rows) in enumerate(groups):
        color, dashes = colors[index % len(colors)], DASHES[index % len(DASHES)]
        ax.fill_between(rows["round"], rows["low"], rows["high"], color=color, alpha=0.2, linewidth=0)
        ax.plot(rows["round"], rows["estimate"], dashes, marker=".", color=color, label=f"{by} {name}")
    ax.set_xlabel("round")
    ax.set_ylabel(label)
    ax.yaxis.set_major_formatter(lambda share, _: f"{100 * share:.3g}%")
    if by is not None:
        ax.legend(frameon=False, labelcolor=INK)
    return ax


def comeback_map(table: pd.DataFrame, ax: Axes, least: int = 30) -> Axes:
    """Draw the share of the win by round and deficit as a map with the percentages written in.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.pace.comebacks`.
    ax : Axes
        To draw on.
    least : int
        Cells with fewer games are left empty.
    """
    shown = table[table["n"] >= least]
    grid = shown.pivot(index="deficit_from", columns="round", values="estimate")
    ends = dict(zip(table["deficit_from"], table["deficit_to"], strict=True))
    most = float(shown["estimate"].max()) if len(shown) else 1.0
    ax.pcolormesh(np.arange(grid.shape[1] + 1), np.arange(grid.shape[0] + 1), grid, cmap="cividis", vmin=0, vmax=most)
    cells = grid.to_numpy(np.float64)
    for row, column in np.argwhere(np.isfinite(cells)):
        share = float(cells[row, column])
        color = "black" if share > 0.55 * most else "white"
        ax.text(column + 0.5, row + 0.5, f"{100 * share:.0f}", ha="center", va="center", color=color, fontsize=7)
    ax.set_xticks(np.arange(grid.shape[1]) + 0.5, [str(number) for number in grid.columns])
    labels = ["leads" if not start else f"{start} to {ends[start]}" for start in grid.index]
    ax.set_yticks(np.arange(grid.shape[0]) + 0.5, labels)
    ax.set_xlabel("round after which somebody is so far behind")
    ax.set_ylabel("deficit (points)")
    ax.set_title("share of the win (%)", fontsize=10)
    return ax


def seat_values(table: pd.DataFrame, ax: Axes) -> Axes:
    """Draw what each place in turn order is worth in points, a group for each number of players.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.seats.seats_by_players`.
    ax : Axes
        To draw on.
    """
    places = sorted(table["turn_order"].unique())
    for index, (players, rows) in enumerate(table.groupby("players")):
        spots = rows["turn_order"] + 0.15 * (index - (table["players"].nunique() - 1) / 2)
        color, marker = (BLUE, ORANGE, GRAY, INK)[index % 4], "osD^"[index % 4]
        ax.vlines(spots, rows["lead_low"], rows["lead_high"], color=color, linewidth=1.5)
        ax.plot(spots, rows["lead"], marker, color=color, markersize=5, label=f"{players!s} players")
    ax.axhline(0, color=GRAY, linewidth=1, linestyle="--")
    ax.set_xticks(places, [str(int(place) + 1) for place in places])
    ax.set_xlabel("place in turn order (1 starts)")
    ax.set_ylabel("score less the others' mean (points)")
    ax.legend(frameon=False, labelcolor=INK)
    return ax


def pair_map(table: pd.DataFrame, ax: Axes, value: str = "shrunk", found: float = 0.1) -> Axes:
    """Draw a figure for every pair of tiles as a map; a dot marks pairs whose synergy is found.

    Parameters
    ----------
    table : DataFrame
        Of :func:`vinci_lab.analysis.pairs.pair_effects`.
    ax : Axes
        To draw on, about square; its figure gets a scale.
    value : str
        Column to draw: ``shrunk`` for the synergy, ``estimate`` for the whole effect.
    found : float
        False discovery rate below which a pair is marked.
    """
    tiles = sorted({*table["first_tile"], *table["second_tile"]})
    spot = {tile: index for index, tile in enumerate(tiles)}
    rows, columns = (table[name].map(spot).to_numpy(np.int64) for name in ("first_tile", "second_tile"))
    grid = np.full((len(tiles), len(tiles)), np.nan)
    grid[rows, columns] = grid[columns, rows] = table[value].to_numpy(np.float64)
    most = float(np.nanmax(np.abs(grid))) if len(table) else 1.0
    mesh = ax.pcolormesh(grid, cmap="PuOr_r", vmin=-most, vmax=most)
    marked = table["q_value"].to_numpy(np.float64) < found
    ax.plot(columns[marked] + 0.5, rows[marked] + 0.5, ".", color=INK, markersize=2)
    ax.plot(rows[marked] + 0.5, columns[marked] + 0.5, ".", color=INK, markersize=2)
    places = np.arange(len(tiles)) + 0.5
    names = [tile.replace("_", " ") for tile in tiles]
    ax.set_xticks(places, names, rotation=90, fontsize=7)
    ax.set_yticks(places, names, fontsize=7)
    ax.invert_yaxis()
    what = "synergy beyond the sum of the tiles" if value in ("shrunk", "synergy") else "effect of the pair"
    ax.figure.colorbar(mesh, ax=ax, label=f"{what} (points); a dot: found")
    return ax
