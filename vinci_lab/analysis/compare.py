"""``compare``: what a change of the rules changes, game by game on common keys."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from vinci_lab.analysis.metrics import game_metrics, metric, oriented
from vinci_lab.analysis.rates import Floats, check_level, holm, mean_interval, normal_quantile
from vinci_lab.analysis.sequential import first_decision, normal_mixture
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.seats import Agent
from vinci_lab.simulation.simulate import simulate
from vinci_lab.simulation.store import Runs

POWER = 0.8
LEAST = 30  # games below which no number of games needed is given
FIRST_STOP = 500  # games of the first look of `until`; each later look has twice as many


def compare(
    a: Ruleset | Runs,
    b: Ruleset | Runs,
    games: int = 20_000,
    seed: int = 7,
    agents: Agent | Sequence[Agent] = "greedy",
    level: float = 0.95,
    differences: Mapping[str, float] | None = None,
    until: str | None = None,
    n_jobs: int = -1,
    progress: bool = False,
) -> pd.DataFrame:
    """Return what changes from the rules ``a`` to the rules ``b``.

    The estimand of every row is the expected difference ``b - a`` of a quantity of a game between these agents. Game
    ``i`` is played by both rules with the same keys, so the same draws as far as the games agree, and the interval is
    that of the mean of the differences of single games. How much this gains is measured: ``variance_gain`` is the
    variance that independent seeds would give, divided by the one of the pairs; 3 means that independent
    seeds would need three times as many games.

    Parameters
    ----------
    a, b : Ruleset or Runs
        Rules to play, or runs of the same seed that were played.
    games : int
        Games with each of the rules, at least 2.
    seed : int
        Of the games.
    agents : str, callable, or a sequence of them
        As for :func:`simulate`; the same for both.
    level : float
        Of confidence.
    differences : mapping of str to float, optional
        For some quantities the difference that ``games_needed`` is about; others have a default, see ``difference``.
    until : str, optional
        A quantity to stop by: games are doubled from 500 up to ``games`` until its confidence sequence (see
        :func:`vinci_lab.analysis.sequential.normal_mixture`) leaves out 0. Looking is paid for: judge such a comparison
        by ``sequence_low`` and ``sequence_high``, not by ``low`` and ``high``.
    n_jobs : int
        Games in parallel.
    progress : bool
        Whether to show bars.

    Returns
    -------
    DataFrame
        A row per quantity (:func:`vinci_lab.analysis.metrics.game_metrics` describes them): ``metric, unit, a, b``, the
        means; ``estimate, low, high, n`` of the difference, Student's interval over games; ``p_value`` and ``p_holm``
        (adjusted for the number of quantities); ``variance_gain``; ``difference`` and ``games_needed`` to see it with
        a chance of 80% at this level; ``sequence_low, sequence_high``, limits that hold at all numbers of games at
        once (infinite for fewer than 100), and ``decided_at``, the number of games after which they first left out 0;
        ``meaning``. NaN where nothing varies, or nothing was decided.

    Raises
    ------
    ValueError
        If an argument is not allowed, or the two cannot be paired.
    """
    check_level(level)
    if not isinstance(games, Integral) or games < 2:
        raise ValueError(f"games: a comparison needs at least 2, got {games!r}")
    players = [one.rules.players if isinstance(one, Runs) else one.players for one in (a, b)]
    if players[0] != players[1]:
        raise ValueError(f"compare: both need the same number of players, got {players[0]} and {players[1]}")
    looks = [games]
    if until is not None:
        if isinstance(a, Runs) or isinstance(b, Runs):
            raise ValueError("until: it plays as many games as needed, so give rules, not runs")
        looks = [*_doubled(games), games]
    table = pd.DataFrame()
    for number in looks:
        first, second = _paired(*(_played(one, number, seed, agents, n_jobs, progress) for one in (a, b)))
        if until is not None and until not in first:
            raise ValueError(f"until: there is no {until!r}; choose from {', '.join(map(str, first.columns))}")
        table = compare_metrics(first, second, level, differences, tightest=games)
        if until is not None and table.loc[table["metric"] == until, "decided_at"].notna().any():
            break
    return table


def _doubled(games: int) -> Iterator[int]:
    number = FIRST_STOP
    while number < games:
        yield number
        number *= 2


class _Played(NamedTuple):
    """What a comparison needs of a run; its tables are let go before the next one is played."""

    seed: int
    agents: tuple[str, ...]
    metrics: pd.DataFrame


def _played(
    one: Ruleset | Runs, games: int, seed: int, agents: Agent | Sequence[Agent], n_jobs: int, progress: bool
) -> _Played:
    if isinstance(one, Runs):
        return _Played(one.seed, one.agents, game_metrics(one))
    runs = simulate(one, agents, games, seed, n_jobs, progress=progress)
    if not runs.is_complete:
        raise KeyboardInterrupt
    return _Played(runs.seed, runs.agents, game_metrics(runs))


def _paired(a: _Played, b: _Played) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the metrics of the games both have, from game 0 on."""
    if a.seed != b.seed:
        raise ValueError(
            f"compare: games are paired by their keys, so both runs need one seed, got {a.seed} and {b.seed}"
        )
    if a.agents != b.agents:
        raise ValueError("compare: both runs need the same agents on the same seats")
    first, second = oriented([a.metrics, b.metrics])
    common = min(len(first), len(second))
    if common < 2:
        raise ValueError(f"games: a comparison needs at least 2 games in both runs, got {common}")
    return first.iloc[:common], second.iloc[:common]


def compare_metrics(
    a: pd.DataFrame,
    b: pd.DataFrame,
    level: float = 0.95,
    differences: Mapping[str, float] | None = None,
    tightest: int = 20_000,
) -> pd.DataFrame:
    """Return the comparison of two tables of metrics with the same games in the same order; see :func:`compare`.

    Parameters
    ----------
    a, b : DataFrame
        From :func:`vinci_lab.analysis.metrics.game_metrics`.
    level : float
        Of confidence.
    differences : mapping of str to float, optional
        The difference that ``games_needed`` is about.
    tightest : int
        Number of games near which the confidence sequence is tightest.
    """
    asked, names = dict(differences or {}), [str(name) for name in a.columns]
    if unknown := [name for name in asked if name not in names]:
        raise ValueError(f"differences: there is no {unknown[0]!r}; choose from {', '.join(names)}")
    if wrong := [name for name, value in asked.items() if not value > 0]:
        raise ValueError(f"differences: {wrong[0]} must be greater than 0, got {asked[wrong[0]]!r}")
    rows = []
    for name in names:
        about = metric(name)
        ours, theirs = a[name].to_numpy(np.float64), b[name].to_numpy(np.float64)
        apart = theirs - ours
        difference = asked.get(name, about.worth_seeing)
        low, high = normal_mixture(apart, level, tightest)
        spread = float(apart.std(ddof=1))
        rows.append(
            {"metric": name, "unit": about.unit, "a": ours.mean(), "b": theirs.mean()}
            | mean_interval(apart, level=level)._asdict()
            | {
                "p_value": _p_value(apart),
                "variance_gain": variance_gain(ours, theirs),
                "difference": difference,
                "games_needed": games_needed(spread, difference, level),
                "sequence_low": low[-1],
                "sequence_high": high[-1],
                "decided_at": first_decision(low, high),
                "meaning": about.meaning,
            }
        )
    table = pd.DataFrame(rows)
    table["decided_at"] = table["decided_at"].astype(np.float64)
    table.insert(list(table.columns).index("p_value") + 1, "p_holm", holm(table["p_value"]))
    return table


def _p_value(apart: Floats) -> float:
    """Return Student's two-sided p-value of differences with mean 0; 1 if there are none, NaN if all are one other."""
    spread = float(apart.std(ddof=1))
    if spread == 0:
        return 1.0 if apart[0] == 0 else np.nan
    return float(2 * stats.t.sf(abs(apart.mean()) / spread * np.sqrt(len(apart)), len(apart) - 1))


def variance_gain(a: Any, b: Any) -> float:
    """Return the variance of a difference of independent games over the one of paired games; NaN if pairs never differ.

    Parameters
    ----------
    a, b : array_like, (games,)
        A quantity in the same games under two rules.
    """
    ours, theirs = np.asarray(a, np.float64), np.asarray(b, np.float64)
    paired = float((theirs - ours).var(ddof=1))
    return float(ours.var(ddof=1) + theirs.var(ddof=1)) / paired if paired > 0 else np.nan


def games_needed(spread: float, difference: float, level: float = 0.95, power: float = POWER) -> float:
    """Return how many games it takes until a difference is told from 0 with a given chance.

    Parameters
    ----------
    spread : float
        Standard deviation of the difference of a pair of games.
    difference : float
        To be seen, in the same unit.
    level : float
        Of confidence of the two-sided interval that shall leave out 0.
    power : float
        Chance that it does.

    Returns
    -------
    float
        A whole number of games, at least 30, below which the normal approximation does not hold; NaN where nothing
        varies.
    """
    if not spread > 0:
        return np.nan
    reach = normal_quantile(level) + float(stats.norm.ppf(check_level(power)))
    return float(max(LEAST, np.ceil((reach * spread / difference) ** 2)))
