"""First answers: who profits from the seat, which tiles do well, how long a game is.

Every function returns a tidy DataFrame with ``estimate, low, high, n``; intervals take a game, not a seat, as the
independent unit, because the seats of a game depend on one another.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy as np
import pandas as pd
from scipy import stats

from vinci_lab.analysis.rates import (
    Floats,
    Interval,
    Tally,
    mean_interval,
    share_interval,
    wilson,
)

PACE = tuple(
    ["game", "seat", "rounds", "turns", "civilizations", "declines", "score", "winners", "is_stalled", "decisions"]
)
SEATS = ("game", "seat", "turn_order", "score", "win_share")
POINTS = ("points_active", "points_kills", "points_decline")
PAIR = ("first_tile", "second_tile")


class Tabled(Protocol):
    """Anything with the tables of a run."""

    @property
    def games(self) -> pd.DataFrame:
        """One row per game and seat."""

    @property
    def turns(self) -> pd.DataFrame:
        """One row per turn of a seat."""

    @property
    def holdings(self) -> pd.DataFrame:
        """One row per life of a civilization."""

    @property
    def offers(self) -> pd.DataFrame:
        """One row per pair in a choice."""


def read(runs: Tabled, table: str, columns: Sequence[str]) -> pd.DataFrame:
    """Return some columns of a table; a run on disk reads no others."""
    frame: pd.DataFrame = runs.table(table, columns) if hasattr(runs, "table") else getattr(runs, table)[list(columns)]
    return frame


def batches(runs: Tabled) -> Iterable[Tabled]:
    """Return the run some whole games at a time, so that a million games need no more room than a few thousand."""
    found: Iterable[Tabled] = runs.batches() if hasattr(runs, "batches") else [runs]
    return found


def seat_effects(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return how often each place in turn order wins.

    The estimand is the expected share of the win of a seat that plays first, second, ... in games between these agents;
    a tie of two is half a win for each.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        A row per place: ``turn_order, estimate, low, high, n, expected, score, score_low, score_high, chi_square,
        p_value``. The last two test that all places are alike and are the same in all rows; for games without ties
        the statistic is Pearson's.
    """
    games = _in_order(read(runs, "games", ("game", "turn_order", "score", "win_share")), "turn_order")
    players = _players(games)
    shares = games["win_share"].to_numpy().reshape(-1, players)
    statistic = _even_shares_statistic(shares)
    rows = []
    for place in range(players):
        of_place = games[games["turn_order"] == place]
        rows.append(
            {"turn_order": place}
            | _named(share_interval(of_place["win_share"], level=level))
            | {"expected": 1 / players}
            | _named(mean_interval(of_place["score"], level=level), "score")
            | {"chi_square": statistic, "p_value": float(stats.chi2.sf(statistic, players - 1))}
        )
    return pd.DataFrame(rows)


def tile_effects(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return what holding each tile goes with, in games where agents choose and pay for what they hold.

    The estimand of ``estimate`` is an association, not a cause: the difference in final score between two seats of the
    same game that held as many civilizations and differ by one tile, this one against an average one (weighted by how
    often each was held), net of prices and coins and given the place in turn order. Agents pick tiles that suit the
    position, and a civilization that lasts leaves fewer others, so a designer should read it as "what happens at the
    table". It is fitted by least squares on all tiles at once with a fixed effect for every game; standard errors allow
    for any dependence within a game.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        A row per tile, best first. ``estimate, low, high`` in points, with ``n`` holdings in ``games`` games;
        ``p_value`` and ``p_holm`` (adjusted for the number of tiles); ``points`` a holding of the tile earned on the
        board, its partner's included; ``turns_active``, how long it was played (to the end of the game if that came
        first); ``win_share`` of seats that held it; ``pick_rate``, the share of legal ``offers`` of it that were
        taken; each with ``_low`` and ``_high``. NaN for what never occurred.
    """
    from vinci_lab.analysis.tiles import market_effects

    return market_effects(runs, level)


def pace(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return how long games are, how often empires change, and how close games end.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``quantity, unit, estimate, low, high, n``: means over games, seats, turns or civilizations, and shares of
        games. Intervals of means are Student's: for a quantity that is nearly always the same they are too short when
        there are only a few hundred games.
    """
    means: dict[tuple[str, str], Tally] = defaultdict(Tally)
    shares: dict[str, Tally] = defaultdict(Tally)
    for batch in batches(runs):
        _add_paces(batch, means, shares)
    rows = [
        {"quantity": quantity, "unit": unit} | _named(tally.mean(level)) for (quantity, unit), tally in means.items()
    ]
    rows += [
        {"quantity": quantity, "unit": "share of games"} | _named(tally.share(level))
        for quantity, tally in shares.items()
    ]
    return pd.DataFrame(rows)


def _add_paces(runs: Tabled, means: dict[tuple[str, str], Tally], shares: dict[str, Tally]) -> None:
    """Add some games to the tallies of :func:`pace`."""
    games = _in_order(read(runs, "games", PACE), "seat")
    turns = read(runs, "turns", ("game", "round", "seat", "kind", "score_after", *POINTS))
    lives = read(runs, "holdings", ("game", "is_censored", "turns_active"))
    first = games.drop_duplicates("game")
    scores = np.sort(games["score"].to_numpy().reshape(-1, _players(games)), axis=1)
    lives = lives[lives["is_censored"] == 0]
    declines = turns[turns["kind"] == "decline"].drop_duplicates("game")
    by_game = games.groupby("game", sort=False)
    points = sum(turns[name].to_numpy(np.int64) for name in POINTS)
    found: dict[tuple[str, str], tuple[Any, Any]] = {
        ("rounds of a game", "rounds"): (first["rounds"], None),
        ("turns of a game", "turns"): (by_game["turns"].sum(), None),
        ("civilizations of a seat", "civilizations"): (games["civilizations"], games["game"]),
        ("declines of a seat", "turns"): (games["declines"], games["game"]),
        ("round of the first decline", "rounds"): (declines["round"], None),
        ("active turns of a civilization that ended", "turns"): (lives["turns_active"], lives["game"]),
        ("points of a turn", "points"): (points, turns["game"]),
        ("changes of the lead from round to round", "changes"): (_lead_changes(turns), None),
        ("score of the winner", "points"): (scores[:, -1], None),
        ("score of the last", "points"): (scores[:, 0], None),
        ("lead of the winner", "points"): (scores[:, -1] - scores[:, -2], None),
        ("decisions of a game", "actions"): (by_game["decisions"].sum(), None),
    }
    for quantity, (values, clusters) in found.items():
        means[quantity].add(values, clusters)
    shares["games with a tie for the win"].add(first["winners"] > 1)
    shares["games ended by the stalemate guard"].add(first["is_stalled"] == 1)


def distribution(values: pd.Series, level: float = 0.95) -> pd.DataFrame:
    """Return the share of each whole number among independent values, with Wilson's interval.

    Parameters
    ----------
    values : Series of int
        One value per game, such as its rounds.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``value, count, estimate, low, high, n``, from the least value to the greatest without gaps.
    """
    counts = values.value_counts().sort_index()
    counts = counts.reindex(range(int(counts.index.min()), int(counts.index.max()) + 1), fill_value=0)
    total = int(counts.sum())
    low, high = wilson(counts, np.full(len(counts), total), level)
    return pd.DataFrame(
        {
            "value": counts.index,
            "count": counts.to_numpy(),
            "estimate": counts.to_numpy() / total,
            "low": low,
            "high": high,
            "n": total,
        }
    )


def scores_by_rank(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return the final scores of the best, second, ... seat of a game.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    level : float
        Of confidence of the mean.

    Returns
    -------
    DataFrame
        ``place, estimate, low, high, n`` of the mean, and the quantiles ``q05, q25, q50, q75, q95`` of the scores.
    """
    games = _in_order(read(runs, "games", ("game", "seat", "score")), "seat")
    scores = -np.sort(-games["score"].to_numpy().reshape(-1, _players(games)), axis=1)
    quantiles = np.quantile(scores, [0.05, 0.25, 0.5, 0.75, 0.95], axis=0)
    return pd.DataFrame(
        [
            {"place": place + 1}
            | _named(mean_interval(scores[:, place], level=level))
            | dict(zip(("q05", "q25", "q50", "q75", "q95"), quantiles[:, place].tolist(), strict=True))
            for place in range(scores.shape[1])
        ]
    )


def _lead_changes(turns: pd.DataFrame) -> pd.Series:
    """Return how often each game had another leader after a round than before; a tied lead stays the old leader's."""
    scores = turns.set_index(["game", "round", "seat"])["score_after"].unstack("seat")
    alone = scores.eq(scores.max(axis=1), axis=0).sum(axis=1) == 1
    leader = scores.idxmax(axis=1).where(alone).groupby("game").ffill()
    before = leader.groupby("game").shift()
    return (leader.ne(before) & before.notna()).groupby("game").sum()


def _named(interval: Interval, name: str = "") -> dict[str, float]:
    """Return an interval as columns: ``estimate, low, high, n``, or ``name, name_low, name_high`` without ``n``."""
    if name:
        return {name: interval.estimate, f"{name}_low": interval.low, f"{name}_high": interval.high}
    return interval._asdict()


def _in_order(games: pd.DataFrame, by: str) -> pd.DataFrame:
    return games.sort_values(["game", by], kind="stable", ignore_index=True)


def _players(games: pd.DataFrame) -> int:
    """Return the number of seats of every game, or raise ``ValueError`` when games have different numbers."""
    counts = games["game"].value_counts()
    if counts.nunique() != 1:
        raise ValueError("games: there must be at least one, and all must have the same number of seats")
    return int(counts.iloc[0])


def _even_shares_statistic(shares: Floats) -> float:
    """Return the chi-square statistic of equal shares, with the variance the shares would have if seats were alike."""
    number, players = shares.shape
    variance = float(((shares - 1 / players) ** 2).mean())
    if variance == 0:
        return 0.0
    deviations = shares.mean(axis=0) - 1 / players
    return float(number * (players - 1) / players * (deviations**2).sum() / variance)


def _centered(columns: Floats, players: int) -> Floats:
    """Return columns minus their mean in each game: what a fixed effect per game leaves."""
    by_game = columns.reshape(-1, players, columns.shape[1])
    centered: Floats = (by_game - by_game.mean(axis=1, keepdims=True)).reshape(columns.shape)
    return centered
