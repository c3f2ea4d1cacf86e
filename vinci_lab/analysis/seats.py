"""Seats: what it is worth to go first, for every number of players, and the points that level the places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from vinci_lab.analysis.effects import Tabled, _even_shares_statistic, _in_order, _players, batches, read
from vinci_lab.analysis.rates import Floats, check_level, mean_interval, share_interval
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.seats import Agent
from vinci_lab.simulation.simulate import simulate

WORTH_A_POINT = 2.0  # by how much chi-square has to fall for another point; noise alone gives about 1
MOST_POINTS = 60
START_BONUS = "start_bonus"  # where rules keep points by place in turn order, if they do
PLAYED_ROUNDS = 3  # how often points are played and put right before fresh games judge them


def seats_by_players(
    rules: Sequence[Ruleset],
    games: int = 10_000,
    seed: int = 7,
    agents: Agent = "greedy",
    level: float = 0.95,
    n_jobs: int = -1,
    progress: bool = False,
) -> pd.DataFrame:
    """Return what each place in turn order is worth, for several numbers of players.

    The estimands are the expected share of the win of a place, a tie being shared, and in ``lead`` its expected final
    score less the mean of the other seats, in games of one kind of agent on all seats. The lead of place 0 is the value
    of going first in points.

    Parameters
    ----------
    rules : sequence of Ruleset
        One for each number of players, such as ``[ruleset("vinci", players) for players in (3, 4, 5, 6)]``.
    games : int
        Games with each.
    seed : int
        Of the games.
    agents : str or callable
        One agent for all seats.
    level : float
        Of confidence.
    n_jobs : int
        Games in parallel.
    progress : bool
        Whether to show bars.

    Returns
    -------
    DataFrame
        ``players, turn_order, estimate, low, high, n, expected`` of the share of the win; ``lead, lead_low, lead_high``
        in points; ``p_value`` of all places being alike, the same for all places of a number of players, by the
        chi-square statistic of :func:`vinci_lab.analysis.effects.seat_effects`.
    """
    check_level(level)
    _one_agent(agents)
    if not len(rules):
        raise ValueError("rules: give at least one ruleset")
    rows: list[dict[str, Any]] = []
    for one in rules:
        scores, shares = _by_place(simulate(one, agents, games, seed, n_jobs, progress=progress))
        p_value = even_p_value(shares)
        for place in range(one.players):
            lead = scores[:, place] - np.delete(scores, place, axis=1).mean(axis=1)
            row: dict[str, Any] = {"players": one.players, "turn_order": place}
            row |= share_interval(shares[:, place], level=level)._asdict()
            found = mean_interval(lead, level=level)
            row |= {"expected": 1 / one.players, "lead": found.estimate, "lead_low": found.low, "lead_high": found.high}
            rows.append(row | {"p_value": p_value})
    return pd.DataFrame(rows)


def seat_compensation(
    rules: Ruleset,
    games: int = 20_000,
    seed: int = 7,
    agents: Agent = "greedy",
    level: float = 0.95,
    n_jobs: int = -1,
    progress: bool = False,
    played: bool = False,
) -> pd.DataFrame:
    """Return the points for each place in turn order that level the win, and whether fresh games confirm it.

    The points are counted at the end of the game. Given at the start they also bring the threshold nearer and pay for
    choices; with ``played`` they are: games start with them, what is still uneven is put right, a few times over, and
    the fresh games are played from the points and, on the same keys, from the rules as they are. Half of the games, of
    ``seed``, choose; as many of ``seed + 1`` judge. A point is given only where it makes the shares more even than
    chance would (chi-square falls by more than 2), so seats that cannot be told apart get none. The estimand of
    ``estimate`` is the expected share of the win with the points, a tie being shared whatever breaks it in the rules.

    Parameters
    ----------
    rules : Ruleset
        What is played.
    games : int
        Games in all, at least 4.
    seed : int
        Of the games that choose.
    agents : str or callable
        One agent for all seats.
    level : float
        Of confidence.
    n_jobs : int
        Games in parallel.
    progress : bool
        Whether to show bars.
    played : bool
        Whether games start with the points, the ``start_bonus`` of the rules; it takes two to three times as long.

    Returns
    -------
    DataFrame
        A row per place: ``turn_order, points, estimate, low, high, n, expected``; ``before, before_low,
        before_high``, the share without points in the same games; and ``p_value, p_before`` of all places being alike.
    """
    check_level(level)
    _one_agent(agents)
    if not isinstance(games, Integral) or games < 4:
        raise ValueError(f"games: a compensation needs at least 4, got {games!r}")

    def scores(tried: Ruleset, number: int) -> Floats:
        return _by_place(simulate(tried, agents, games // 2, number, n_jobs, progress=progress))[0]

    if not played:
        return judge(level_places(scores(rules, seed)), scores(rules, seed + 1), level)
    points = _played_points(rules, lambda tried: scores(tried, seed))
    before = scores(rules, seed + 1)
    return judge(points, before, level, scores(with_bonus(rules, points), seed + 1))


def with_bonus(rules: Ruleset, points: Any) -> Ruleset:
    """Return the rules with further points at the start for each place in turn order.

    Parameters
    ----------
    rules : Ruleset
        With a ``start_bonus`` by place.
    points : (places,) array of int
        Added to it.

    Raises
    ------
    ValueError
        If the rules have none.
    """
    printed = rules.content.get("rules", {}).get(START_BONUS)
    if not printed:
        raise ValueError(f"played: the rules of {rules.game} have no {START_BONUS}, so points can only be counted")
    places = zip(printed.items(), points, strict=False)
    return rules.replace({f"{START_BONUS}.{name}": old + int(more) for (name, old), more in places})


def _played_points(rules: Ruleset, scores: Callable[[Ruleset], Floats]) -> NDArray[np.int64]:
    """Return the points at the start, of those tried, with which the shares of the win were most even."""
    places = rules.seats
    points, tried = np.zeros(places, np.int64), list[tuple[float, int, NDArray[np.int64]]]()
    for _ in range(PLAYED_ROUNDS):
        found = scores(with_bonus(rules, points))
        tried.append((_uneven(found, np.zeros(places, np.int64)), int(points.sum()), points))
        more = level_places(found)
        if not more.any():
            break
        points = points + more - (points + more).min()
        if any((points == other).all() for _, _, other in tried):
            break
    return min(tried, key=lambda one: one[:2])[2]


def judge(points: NDArray[np.int64], scores: Floats, level: float = 0.95, played: Floats | None = None) -> pd.DataFrame:
    """Return the table of :func:`seat_compensation` for given points and games.

    Parameters
    ----------
    points : (places,) array
        Points for each place.
    scores : (games, places) array
        Final scores by place in turn order.
    level : float
        Of confidence.
    played : (games, places) array, optional
        Final scores of games that started with the points; if left out, they are counted at the end.
    """
    before, after = win_shares(scores), win_shares(scores + points if played is None else played)
    rows = []
    for place in range(scores.shape[1]):
        old = share_interval(before[:, place], level=level)
        row: dict[str, Any] = {"turn_order": place, "points": int(points[place])}
        row |= share_interval(after[:, place], level=level)._asdict()
        row |= {"expected": 1 / scores.shape[1], "before": old.estimate, "before_low": old.low, "before_high": old.high}
        rows.append(row | {"p_value": even_p_value(after), "p_before": even_p_value(before)})
    return pd.DataFrame(rows)


def level_places(scores: Floats) -> NDArray[np.int64]:
    """Return whole points for each place that make the shares of the win even, no more than are told from chance.

    Parameters
    ----------
    scores : (games, places) array
        Final scores by place in turn order.

    Returns
    -------
    (places,) int64 array
        The least is 0.
    """
    points = np.zeros(scores.shape[1], np.int64)
    uneven = _uneven(scores, points)
    for _ in range(MOST_POINTS):
        tried = []
        for place in range(len(points)):
            for step in (1, -1):
                other = points.copy()
                other[place] += step
                tried.append((_uneven(scores, other), other - other.min()))
        best, better = min(tried, key=lambda one: (one[0], int(one[1].sum())))
        if uneven - best <= WORTH_A_POINT:
            break
        uneven, points = best, better
    return points


def win_shares(scores: Floats) -> Floats:
    """Return the share of the win of every place; who is level at the top shares it."""
    best = scores == scores.max(axis=1, keepdims=True)
    return np.asarray(best / best.sum(axis=1, keepdims=True), np.float64)


def even_p_value(shares: Floats) -> float:
    """Return how likely shares at least so uneven are when all places are alike, by chi-square."""
    return float(stats.chi2.sf(_even_shares_statistic(shares), shares.shape[1] - 1))


def _uneven(scores: Floats, points: NDArray[np.int64]) -> float:
    return _even_shares_statistic(win_shares(scores + points))


def _by_place(runs: Tabled) -> tuple[Floats, Floats]:
    """Return final scores and shares of the win, a row per game and a column per place in turn order."""
    scores, shares = [], []
    for batch in batches(runs):
        games = _in_order(read(batch, "games", ("game", "turn_order", "score", "win_share")), "turn_order")
        players = _players(games)
        scores.append(games["score"].to_numpy(np.float64).reshape(-1, players))
        shares.append(games["win_share"].to_numpy(np.float64).reshape(-1, players))
    return np.vstack(scores), np.vstack(shares)


def _one_agent(agents: Any) -> None:
    if not isinstance(agents, str) and not callable(agents):
        raise ValueError("agents: give one agent for all seats, or places and agents would be mixed up")
