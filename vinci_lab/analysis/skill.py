"""``skill_sensitivity``: which conclusions about tiles and seats hold whoever plays."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from vinci_lab.analysis.effects import seat_effects, tile_effects
from vinci_lab.analysis.rates import normal_quantile
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.simulate import simulate

DRAWS = 4_000  # of the estimates within their errors, for the intervals of rank correlations


@dataclass(frozen=True)
class SkillSensitivity:
    """The same questions asked of games of several agents, each among its like.

    Attributes
    ----------
    tiles, seats : DataFrame
        A row per agent and tile, or agent and place in the turn order: ``agent, tile`` or ``turn_order, estimate, low,
        high, n, rank``; rank 1 is the highest estimate.
    correlations : DataFrame
        A row per pair of agents and question: ``what, agent, other, estimate, low, high, n``. The estimate is
        Spearman's correlation of the two columns of estimates, which the errors of both pull towards 0; the interval
        is that of the same correlation when every estimate is drawn again within its error. ``n`` is the number of
        tiles or places.
    """

    tiles: pd.DataFrame
    seats: pd.DataFrame
    correlations: pd.DataFrame


def skill_sensitivity(
    rules: Ruleset,
    agents: Sequence[str] = ("automaton", "greedy:tuned", "search"),
    games: int = 2_000,
    seed: int = 7,
    level: float = 0.95,
    progress: bool = True,
    n_jobs: int = -1,
) -> SkillSensitivity:
    """Play the same seeds with each of several agents in all seats, and compare what the tables say.

    Parameters
    ----------
    rules : Ruleset
        What is played.
    agents : sequence of str
        At least two; their strengths should differ.
    games, seed : int
        Games of each agent, and the seed they share.
    level : float
        Of the intervals.
    progress, n_jobs
        As for :func:`vinci_lab.simulate`.

    Returns
    -------
    SkillSensitivity
        Tile effects of the market design (see :func:`vinci_lab.tile_effects`) and shares of the win by place in the
        turn order, side by side. An agreement says that a conclusion does not hang on who plays; it does not say that
        people would play so.

    Raises
    ------
    ValueError
        If fewer than two different agents are given.
    """
    if len(set(agents)) < 2 or len(set(agents)) < len(agents):
        raise ValueError(f"agents: give at least two, each once, got {', '.join(map(str, agents)) or 'none'}")
    tiles, seats = [], []
    for agent in agents:
        runs = simulate(rules, agent, games, seed, n_jobs, progress=progress)
        tiles.append(_ranked(tile_effects(runs, level), agent, "tile"))
        seats.append(_ranked(seat_effects(runs, level), agent, "turn_order"))
    found = {"tile": pd.concat(tiles, ignore_index=True), "turn_order": pd.concat(seats, ignore_index=True)}
    pairs = [
        {"what": what, "agent": one, "other": other} | rank_correlation(table, what, one, other, level)
        for what, table in found.items()
        for one, other in itertools.combinations(agents, 2)
    ]
    return SkillSensitivity(found["tile"], found["turn_order"], pd.DataFrame(pairs))


def _ranked(table: pd.DataFrame, agent: str, label: str) -> pd.DataFrame:
    ranked = table[[label, "estimate", "low", "high", "n"]].copy()
    ranked.insert(0, "agent", agent)
    ranked["rank"] = ranked["estimate"].rank(ascending=False, method="min").astype(int)
    return ranked


def rank_correlation(
    table: pd.DataFrame, label: str, agent: str, other: str, level: float = 0.95, seed: int = 0
) -> dict[str, float]:
    """Return Spearman's correlation of two agents' estimates, with an interval for the errors of both.

    Parameters
    ----------
    table : DataFrame
        With ``agent, estimate, low, high`` and a column ``label`` that both agents have rows of.
    label : str
        What is ranked.
    agent, other : str
        Whose estimates.
    level : float
        Of the interval; that of ``low`` and ``high`` in the table must be the same.
    seed : int
        Of the draws.
    """
    known = table.dropna(subset=["estimate", "low", "high"])
    columns = {who: known[known["agent"] == who].set_index(label) for who in (agent, other)}
    both = columns[agent].index.intersection(columns[other].index)
    draws, estimates, drawn = np.random.default_rng(seed), {}, {}
    for who, rows in columns.items():
        chosen = rows.loc[both]
        estimates[who] = chosen["estimate"].to_numpy(float)
        errors = (chosen["high"] - chosen["low"]).to_numpy(float) / (2 * normal_quantile(level))
        drawn[who] = stats.rankdata(draws.normal(estimates[who], errors, (DRAWS, len(both))), axis=1)
    ranks = [drawn[who] - drawn[who].mean(axis=1, keepdims=True) for who in (agent, other)]
    products = (ranks[0] * ranks[1]).sum(axis=1)
    sizes = np.sqrt((ranks[0] ** 2).sum(axis=1) * (ranks[1] ** 2).sum(axis=1))
    low, high = np.quantile(products / sizes, [(1 - level) / 2, (1 + level) / 2])
    estimate = stats.spearmanr(estimates[agent], estimates[other]).statistic
    return {"estimate": float(estimate), "low": float(low), "high": float(high), "n": len(both)}
