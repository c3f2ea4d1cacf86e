"""What the tables of a run say of tiles: who held which, how seats ended, and counts and rates of each tile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import sparse

from vinci_lab.analysis.effects import PAIR, POINTS, Tabled, _in_order, _named, _players, batches, read
from vinci_lab.analysis.rates import Floats, Tally, normal_quantile

ENDS = ("game", "seat", "turn_order", "score", "win_share", "rounds")
LIFE = ("game", "seat", *PAIR, *POINTS, "turns_active")
MOMENT = "round"  # when a holding was obtained
BAG = ("bag", "bag_first", "bag_second")
OUTCOMES = ("over_mean", "lead", "win_share")
EARLY_SHARE = 1 / 3  # of the rounds of the average game: what was obtained until then is early


class Seats(NamedTuple):
    """Some games as arrays.

    Attributes
    ----------
    order : (games, seats) array
        Place in turn order.
    outcomes : (games, seats, 3) array
        Score over the mean of the other seats, over the best of them, and share of the win.
    frame : DataFrame
        The table ``games`` in the same order.
    """

    order: Floats
    outcomes: Floats
    frame: pd.DataFrame


class Lives(NamedTuple):
    """The holdings of some games: tiles as numbers of kinds, and the seat (row of the games) that held each."""

    codes: Any  # (number, 2) int array, -1 unknown
    row: Any  # (number,) int array
    frame: pd.DataFrame


def has_columns(runs: Tabled, table: str, columns: Sequence[str]) -> bool:
    """Return whether the tables of a run hold some columns; those of simulated games do."""
    return hasattr(runs, "table") or set(columns) <= set(getattr(runs, table).columns)


def doubling_of(runs: Tabled, kinds: int) -> Floats:
    """Return how often each kind makes its partner count once more, by the rules of the run."""
    rules = getattr(runs, "rules", None)
    hooks = rules.definition.dealing_hooks if rules is not None else None
    return np.zeros(kinds) if hooks is None else np.asarray(hooks.doubling(rules), np.float64)


def seats_of(runs: Tabled) -> Seats:
    """Return how the seats of some games ended."""
    games = _in_order(read(runs, "games", ENDS), "seat")
    players = _players(games)
    score = games["score"].to_numpy(np.float64).reshape(-1, players)
    ranked = np.sort(score, axis=1)
    best_other = np.where(score == ranked[:, -1:], ranked[:, -2:-1], ranked[:, -1:]) if players > 1 else score
    others = (score.sum(axis=1, keepdims=True) - score) / max(players - 1, 1)
    share = games["win_share"].to_numpy(np.float64).reshape(-1, players)
    outcomes = np.stack([score - others, score - best_other, share - 1 / players], axis=2)
    return Seats(games["turn_order"].to_numpy(np.float64).reshape(-1, players), outcomes, games)


def lives_of(runs: Tabled, games: pd.DataFrame, columns: Sequence[str]) -> Lives:
    """Return the holdings of some games."""
    lives = read(runs, "holdings", columns)
    players = _players(games)
    index = pd.Index(games["game"].to_numpy(np.int64) * players + games["seat"].to_numpy())
    row = index.get_indexer(lives["game"].to_numpy(np.int64) * players + lives["seat"].to_numpy())
    codes = np.column_stack([lives[name].cat.codes.to_numpy(np.int64) for name in PAIR])
    return Lives(codes, row, lives)


def held_by_life(lives: Lives, doubling: Floats) -> Floats:
    """Return how often each holding counts each kind: (number, kinds); a doubled partner counts twice."""
    held = np.zeros((len(lives.row), len(doubling)))
    for place in range(2):
        mine, partner = lives.codes[:, place], lives.codes[:, 1 - place]
        known = np.flatnonzero(mine >= 0)
        times = 1.0 + np.where(partner >= 0, doubling[partner], 0.0)
        times[(partner >= 0) & (doubling[mine] > 0)] = 1.0
        held[known, mine[known]] += times[known]
    return held


def by_seat(values: Floats, lives: Lives, chosen: Any, shape: tuple[int, int]) -> Floats:
    """Return the sums over the holdings of each seat, (games, seats, kinds), of those that are chosen."""
    ones = np.where(chosen & (lives.row >= 0), 1.0, 0.0)
    spots = (np.maximum(lives.row, 0), np.arange(len(lives.row)))
    gather = sparse.coo_array((ones, spots), (shape[0] * shape[1], len(lives.row))).tocsr()
    sums: Floats = (gather @ values).reshape(*shape, values.shape[1])
    return sums


def early_rounds(runs: Tabled) -> int:
    """Return the last round that counts as early: a third of the rounds of the average game, at least 1."""
    rounds = Tally()
    for batch in batches(runs):
        rounds.add(read(batch, "games", ("game", "rounds")).drop_duplicates("game")["rounds"])
    return max(1, round(rounds.mean().estimate * EARLY_SHARE))


class Counts:
    """Each tile's holdings, points and turns of a holding, win share of its holders and pick rate."""

    def __init__(self, kinds: int) -> None:
        self._lists = [(Tally(), Tally(), Tally(), Tally()) for _ in range(kinds)]

    def add(self, seats: Seats, lives: Lives, held: Floats, offers: pd.DataFrame) -> None:
        """Add some games; ``held`` is by seat."""
        legal = offers[offers["is_legal"] == 1]
        offered = np.column_stack([legal[name].cat.codes.to_numpy() for name in PAIR])
        taken, offer_games = legal["is_taken"].to_numpy(), legal["game"].to_numpy()
        gained, turns = lives.frame[list(POINTS)].sum(axis=1).to_numpy(), lives.frame["turns_active"].to_numpy()
        life_games, flat = lives.frame["game"].to_numpy(), held.reshape(-1, held.shape[2])
        shares, seat_games = seats.frame["win_share"].to_numpy(), seats.frame["game"].to_numpy()
        for code, (points, active, wins, picks) in enumerate(self._lists):
            mine = (lives.codes == code).any(axis=1)
            points.add(gained[mine], life_games[mine])
            active.add(turns[mine], life_games[mine])
            holders = flat[:, code] > 0
            wins.add(shares[holders], seat_games[holders])
            seen = (offered == code).any(axis=1)
            picks.add(taken[seen], offer_games[seen])

    @property
    def holdings(self) -> Floats:
        """Holdings of each tile."""
        return np.array([points.values for points, *_ in self._lists], np.float64)

    def describe(self, level: float) -> list[dict[str, Any]]:
        """Return a row per tile."""
        return [
            {"n": points.values, "games": points.clusters}
            | _named(points.mean(level), "points")
            | _named(active.mean(level), "turns_active")
            | _named(wins.share(level), "win_share")
            | _named(picks.share(level), "pick_rate")
            | {"offers": picks.values}
            for points, active, wins, picks in self._lists
        ]


class Rates:
    """Points a turn of the holdings of each tile, against the rate of all holdings: ratios with errors by game.

    A ratio of sums over turns in play does not mind that the end of a game cuts some holdings short, as long as the
    rate does not depend on the turns that were cut off.
    """

    def __init__(self, kinds: int) -> None:
        self._sums = np.zeros((kinds, 4))  # of a tile: points, turns; of all: points, turns
        self._moments = np.zeros((kinds, 4, 4))
        self._games = 0

    def add(self, lives: Lives, games: Any, points: Any, turns: Any) -> None:
        """Add the holdings of some whole games, with the points and turns of each."""
        place = np.unique(games, return_inverse=True)[1]
        number, kinds = int(place.max(initial=-1)) + 1, len(self._sums)
        values = np.zeros((number, kinds, 4))
        for column, numbers in enumerate((points, turns)):
            values[:, :, 2 + column] = np.bincount(place, numbers, number)[:, None]
            for side in range(2):
                code = lives.codes[:, side]
                known = (code >= 0) & ((side == 0) | (code != lives.codes[:, 0]))
                spots = place[known] * kinds + code[known]
                values[:, :, column] += np.bincount(spots, numbers[known], number * kinds).reshape(number, kinds)
        self._sums += values.sum(axis=0)
        self._moments += np.einsum("gki,gkj->kij", values, values, optimize=True)
        self._games += number

    def describe(self, name: str, level: float) -> pd.DataFrame:
        """Return columns ``name, name_low, name_high``: points a turn above the average; NaN without turns."""
        points, turns, all_points, all_turns = self._sums.T
        with np.errstate(divide="ignore", invalid="ignore"):
            rate, average = points / turns, all_points / all_turns
            weights = np.stack([1 / turns, -rate / turns, -1 / all_turns, average / all_turns], axis=1)
            variances = np.einsum("ki,kij,kj->k", weights, self._moments, weights)
            half = normal_quantile(level) * np.sqrt(variances * self._games / max(self._games - 1, 1))
        above = rate - average
        return pd.DataFrame({name: above, f"{name}_low": above - half, f"{name}_high": above + half})
