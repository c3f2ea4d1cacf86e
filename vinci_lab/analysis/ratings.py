"""How strong agents are: shares of the win, who ends before whom, and Plackett-Luce strengths.

All take the table of games of a ladder: a row per game and seat with ``game, rotation, seat, agent, rank, win_share``.
The rotations of a game share its random draws, so ``game`` is the independent unit of every interval.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import optimize

from vinci_lab.analysis.rates import Floats, normal_quantile, share_interval

SHRINKAGE = 0.01  # keeps the strength of an agent that always wins finite; no matter for any other

Ranking = tuple[tuple[int, ...], ...]  # agents in groups that share a place, best first


def win_shares(games: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Return how often a seat of each agent wins.

    The estimand is the expected share of the win of one seat played by the agent, all seats of the table alike often; a
    tie of two is half a win for each. An agent with several seats counts each of them.

    Parameters
    ----------
    games : DataFrame
        Of a ladder.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``agent, estimate, low, high, n, par, seats``: ``par`` is the share of equal agents, ``seats`` how many the
        agent has in a game, ``n`` counts seeds.
    """
    players = games["seat"].nunique()
    each = len(games) / players
    rows = []
    for agent in _agents(games):
        of_agent = games[games["agent"] == agent]
        found = share_interval(of_agent["win_share"], of_agent["game"], level)
        seats = round(len(of_agent) / each)
        rows.append({"agent": agent, **found._asdict(), "par": 1 / players, "seats": seats})
    return pd.DataFrame(rows)


def win_matrix(games: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    """Return how often a seat of one agent ends before a seat of another one in the same game.

    Parameters
    ----------
    games : DataFrame
        Of a ladder.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``agent, opponent, estimate, low, high, n``: the expected share of pairs of seats in which the agent has the
        better rank, equal ranks counting half.
    """
    agents, ranks, codes, clusters = _arrays(games)
    rows = []
    for one, other in itertools.permutations(range(len(agents)), 2):
        pairs = (codes == one)[:, :, None] & (codes == other)[:, None, :]
        ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
        met = pairs.sum(axis=(1, 2))
        shares = (ahead * pairs).sum(axis=(1, 2))[met > 0] / met[met > 0]
        found = share_interval(shares, clusters[met > 0], level)
        rows.append({"agent": agents[one], "opponent": agents[other], **found._asdict()})
    return pd.DataFrame(rows, columns=["agent", "opponent", "estimate", "low", "high", "n"])


def strengths(games: pd.DataFrame, level: float = 0.95, shrinkage: float = SHRINKAGE) -> pd.DataFrame:
    """Return Plackett-Luce strengths of the agents from the order in which their seats end.

    The model takes a game's ranking as drawn place by place, each time in proportion to the strengths of the seats that
    are left; seats that share a place stand for any order of them, all averaged.

    Parameters
    ----------
    games : DataFrame
        Of a ladder.
    level : float
        Of confidence.
    shrinkage : float
        Weight of a prior that holds the log-strengths together.

    Returns
    -------
    DataFrame
        A row per agent: ``agent``, the log-strength ``estimate`` (their mean is 0) with ``low, high``, ``n`` seeds, and
        ``first``, the probability to end first in a game with one seat of each agent. Variances are the sandwich
        estimate with scores summed by seed, which allows for any dependence between rotations, or the model's own where
        that is larger, as for an agent that always wins.

    References
    ----------
    Plackett, The analysis of permutations (1975); Luce, Individual choice behavior (1959).
    """
    agents, ranks, codes, clusters = _arrays(games)
    patterns, which = _patterns(ranks, codes)
    terms = [_Orders.of(pattern, len(agents)) for pattern in patterns]
    counts = np.bincount(which, minlength=len(terms)).astype(np.float64)
    number = len(agents)
    hold = shrinkage * np.eye(number) + np.ones((number, number))  # the second part fixes the mean at 0

    def value(theta: Floats) -> float:
        likelihood = sum(count * term.log_likelihood(theta) for count, term in zip(counts, terms, strict=True))
        return float(0.5 * theta @ hold @ theta - likelihood)

    def slope(theta: Floats) -> Floats:
        slopes: Floats = hold @ theta - counts @ np.array([term.slope(theta)[0] for term in terms])
        return slopes

    def curvature(theta: Floats) -> Floats:
        bends: Floats = hold - np.tensordot(counts, np.array([term.slope(theta)[1] for term in terms]), 1)
        return bends

    found = optimize.minimize(value, np.zeros(number), jac=slope, hess=curvature, method="trust-exact", tol=1e-8)
    theta = np.asarray(found.x, np.float64)
    theta = theta - np.linalg.solve(curvature(theta), slope(theta))  # one step of Newton's, to the last digits
    scores = np.zeros((int(clusters.max()) + 1, number))
    np.add.at(scores, clusters, np.array([term.slope(theta)[0] for term in terms])[which])
    used = len(np.unique(clusters))
    bread = np.linalg.inv(curvature(theta))
    covariance = bread @ (scores.T @ scores) @ bread * used / max(used - 1, 1)
    reach = normal_quantile(level) * np.sqrt(np.maximum(np.diag(covariance), np.diag(bread) - 1 / number**2))
    first = np.exp(theta - theta.max())
    return pd.DataFrame(
        {
            "agent": agents,
            "estimate": theta,
            "low": theta - reach,
            "high": theta + reach,
            "n": used,
            "first": first / first.sum(),
        }
    )


class _Orders(NamedTuple):
    """All orders a ranking may stand for, and which agents are left at each place of each.

    ``chosen`` counts the agents of the ranking; ``left`` has the axes order, place and agent.
    """

    chosen: Floats
    left: Floats

    @classmethod
    def of(cls, ranking: Ranking, agents: int) -> _Orders:
        groups = [sorted(set(itertools.permutations(group))) for group in ranking]
        orders = np.array([list(itertools.chain(*choice)) for choice in itertools.product(*groups)])
        one_hot = np.eye(agents)[orders]
        return cls(one_hot[0].sum(axis=0), one_hot[:, ::-1].cumsum(axis=1)[:, ::-1])

    def _by_order(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood of each order, and at each place each agent's chance to be next."""
        weights = self.left * np.exp(theta)
        totals = weights.sum(axis=2)
        return self.chosen @ theta - np.log(totals).sum(axis=1), weights / totals[:, :, None]

    def log_likelihood(self, theta: Floats) -> float:
        """Return the log-likelihood: the mean likelihood over the orders."""
        logs, _ = self._by_order(theta)
        top = float(logs.max())
        return top + math.log(float(np.exp(logs - top).mean()))

    def slope(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return the log-likelihood's first and second derivatives."""
        logs, chances = self._by_order(theta)
        weights = np.exp(logs - logs.max())
        weights = weights / weights.sum()
        slopes = self.chosen - chances.sum(axis=1)
        mean = weights @ slopes
        bends = np.einsum("opa,opb->oab", chances, chances)
        bends -= np.einsum("opa,ab->oab", chances, np.eye(len(theta)))
        bends += np.einsum("oa,ob->oab", slopes, slopes)
        return mean, np.einsum("o,oab->ab", weights, bends) - np.outer(mean, mean)


def _agents(games: pd.DataFrame) -> list[str]:
    return [str(agent) for agent in dict.fromkeys(games["agent"])]


def _arrays(games: pd.DataFrame) -> tuple[list[str], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the agents; ranks and codes of agents by game (a row) and seat; and the seed of each game."""
    agents = _agents(games)
    ordered = games.sort_values(["rotation", "game", "seat"], kind="stable")
    players = ordered["seat"].nunique()
    codes = ordered["agent"].astype(str).map({agent: code for code, agent in enumerate(agents)})
    ranks, seated, seeds = (np.asarray(column, np.int64) for column in (ordered["rank"], codes, ordered["game"]))
    return agents, ranks.reshape(-1, players), seated.reshape(-1, players), seeds[::players]


def _patterns(ranks: NDArray[np.int64], codes: NDArray[np.int64]) -> tuple[Sequence[Ranking], NDArray[np.int64]]:
    """Return the different rankings, and which of them each game has."""
    known: dict[Any, int] = {}
    which = np.empty(len(ranks), np.int64)
    for row, (places, agents) in enumerate(zip(ranks.tolist(), codes.tolist(), strict=True)):
        order = sorted(zip(places, agents, strict=True))
        ranking = tuple(tuple(agent for _, agent in group) for _, group in itertools.groupby(order, lambda one: one[0]))
        which[row] = known.setdefault(ranking, len(known))
    return list(known), which
