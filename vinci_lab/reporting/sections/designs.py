"""Tiles by three designs side by side: what happens at the table, what chance deals, what one holding does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import plots_study
from vinci_lab.analysis.tiles import ESTIMANDS, tile_study
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

NAME, TITLE = "designs", "Tiles by three designs"
SHORT = {"market": "chosen and paid", "randomized": "dealt unseen", "forked": "put in its place"}
BRANCHES = 8  # a forked game is played about so many times over, and more


def section(runs: Runs, context: Context) -> Section:
    """Return the effects of tiles by the three designs of a tile study."""
    command = context.command(NAME)
    why = context.too_few("comparing designs") or context.why_no_further_games()
    if why:
        return Section(TITLE, (Missing(NAME, TITLE, why, command),))
    forked = max(context.further // BRANCHES, 2 * len(context.titles))
    games = {"randomized": max(context.further, 2 * len(context.titles)), "forked": forked}
    found = {"market": context.tiles}
    try:
        for design, number in games.items():
            found[design] = tile_study(
                runs.rules, design, context.player, number, runs.seed, context.level, context.n_jobs, progress=False
            )
    except ValueError as error:
        return Section(TITLE, (Missing(NAME, TITLE, f"There is no such study: {error}.", command),))
    return Section(TITLE, (_side_by_side(_wide(found, context), games, context),), findings=_findings(found, context))


def _wide(found: dict[str, pd.DataFrame], context: Context) -> pd.DataFrame:
    """Return a row per tile with the estimate and its limits by every design."""
    table = pd.DataFrame({"tile": found["market"]["tile"], "title": found["market"]["tile"].map(context.titles)})
    for design, rows in found.items():
        part = rows[["tile", "estimate", "low", "high", "n"]].rename(
            columns={name: f"{design}_{name}" for name in ("low", "high", "n")} | {"estimate": design}
        )
        table = table.merge(part, on="tile", how="left")
    return table


def _findings(found: dict[str, pd.DataFrame], context: Context) -> tuple[str, ...]:
    """Return the tile on which market and fork contradict each other most, if there is one."""
    both = found["market"].merge(found["forked"], on="tile", suffixes=("", "_forked"))
    apart = both[((both["high"] < 0) & (both["low_forked"] > 0)) | ((both["low"] > 0) & (both["high_forked"] < 0))]
    if not len(apart):
        return (
            "Designs: no tile is certainly above average by one design and below by another, at the table and put in a "
            f"pair's place ({context.level:.0%} intervals from {SHORT['market']} to {SHORT['forked']}).",
        )
    row = apart.iloc[int((apart["estimate"] - apart["estimate_forked"]).abs().argmax())]
    others = f"; so for {len(apart) - 1} more" if len(apart) > 1 else ""
    return (
        f"Designs: {context.titles[row.tile]} goes with {row.estimate:+.1f} points ({row.low:+.1f} to {row.high:+.1f}) "
        f"when agents choose and pay, but one holding of it, all else being equal, brings {row.estimate_forked:+.1f} "
        f"({row.low_forked:+.1f} to {row.high_forked:+.1f}){others}: what goes with a tile is not what it does.",
    )


def _side_by_side(table: pd.DataFrame, games: dict[str, int], context: Context) -> Part:
    caption = "Effect of each tile in points, against an average one, by three designs, with intervals."
    return Part(
        NAME,
        "Does a strong tile do well, or do strong seats buy it?",
        table,
        [
            Field("title", "Tile"),
            *(Field(name, head, "+.1f", f"{name}_low", f"{name}_high") for name, head in SHORT.items()),
        ],
        " ".join(f"{SHORT[name][0].upper()}{SHORT[name][1:]}: {ESTIMANDS[name]}" for name in SHORT),
        f"{SHORT['market'].capitalize()}: {context.settings} "
        + context.further_settings(
            f"{games['randomized']:,} in which pairs are dealt; {games['forked']:,} forked games"
        ),
        context.command(NAME),
        drawings=(
            drawn(
                "designs-figure",
                caption,
                lambda ax: plots_study.three_designs(table, ax, SHORT),
                0.6 + 0.27 * len(table),
            ),
        ),
    )
