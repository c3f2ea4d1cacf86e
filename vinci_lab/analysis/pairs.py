"""Pairs of tiles: what a pair goes with, shrunk towards the sum of its tiles, and the synergy beyond that sum."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse, stats

from vinci_lab.analysis.effects import PAIR, SEATS, Tabled, _in_order, _players, batches, read
from vinci_lab.analysis.rates import Floats, normal_quantile, two_sided_p

LEAST_GAMES = 30  # games with a pair below which its synergy is not tested
COLUMNS = [
    *("first_tile", "second_tile", "estimate", "low", "high", "n", "games", "of_tiles", "raw"),
    *("synergy", "synergy_low", "synergy_high", "shrunk", "p_value", "q_value"),
]


def pair_effects(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return what holding each pair of tiles goes with, and what of it the two tiles by themselves do not explain.

    The estimand of ``estimate`` is, as in :func:`vinci_lab.analysis.effects.tile_effects`, an association and no cause:
    the difference in final score between two seats of the same game that held as many civilizations and differ by one
    pair, this one against an average one, net of prices and given the place in turn order. ``synergy`` is its part
    beyond the sum of the effects of the two tiles, where the tiles' effects are those that fit all pairs best, weighted
    by how often each was held. A tile that changes what its partner does (such as one that doubles it) has synergy by
    that alone, and so has what agents do with a pair.

    All pairs are fitted at once by least squares with a fixed effect for every game. A pair that is rarely held is
    shrunk towards the sum of its tiles by empirical Bayes: synergies are taken as normal around 0, with the variance
    that is left of their spread when the sampling variance is subtracted. The intervals of ``estimate`` hold on average
    over pairs, not for every single one. Errors are robust to dependence within a game, and never less than those of
    equal variances, which guards pairs seen in a few games.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        A row per pair that was held, best first: ``first_tile, second_tile`` in the order of the tiles, not of the pair
        on the tray; ``estimate, low, high`` in points, shrunk, with ``n`` holdings in ``games`` games; ``of_tiles``,
        the sum of the tiles' effects; ``raw``, not shrunk; ``synergy, synergy_low, synergy_high``, not shrunk, and
        ``shrunk``; ``p_value`` of no synergy and ``q_value``, Benjamini and Hochberg's: of the pairs with a value below
        0.1, at most about 10% are expected to be false. Pairs in fewer than 30 games are not tested.

    Raises
    ------
    ValueError
        If there are too few games to fit all pairs.

    References
    ----------
    Benjamini and Hochberg, Controlling the false discovery rate (1995). Morris, Parametric empirical Bayes
    inference (1983).
    """
    reach = normal_quantile(level)
    model = _fitted(runs)
    kept = np.flatnonzero(model.held)
    first, second = (kept // model.tiles, kept % model.tiles)
    sums, apart = _decomposition(first, second, model.tiles, model.held[kept])
    synergy, synergy_error = model.apply(apart, kept)
    variance = _spread(synergy, synergy_error, model.held[kept])
    kept_share = variance / (variance + synergy_error**2)
    combined = sums + kept_share[:, None] * apart
    estimate, error = model.apply(combined, kept)
    whole = np.sqrt(error**2 + (1 - kept_share) ** 2 * variance)
    p_values = np.where(model.in_games[kept] >= LEAST_GAMES, two_sided_p(synergy / synergy_error), np.nan)
    names = np.array(model.names, object)
    table = pd.DataFrame(
        {
            "first_tile": names[first],
            "second_tile": names[second],
            "estimate": estimate,
            "low": estimate - reach * whole,
            "high": estimate + reach * whole,
            "n": model.held[kept].astype(np.int64),
            "games": model.in_games[kept].astype(np.int64),
            "of_tiles": model.apply(sums, kept)[0],
            "raw": model.apply(sums + apart, kept)[0],
            "synergy": synergy,
            "synergy_low": synergy - reach * synergy_error,
            "synergy_high": synergy + reach * synergy_error,
            "shrunk": kept_share * synergy,
            "p_value": p_values,
            "q_value": false_discovery(p_values),
        },
        columns=COLUMNS,
    )
    return table.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def false_discovery(p_values: Any) -> Floats:
    """Return Benjamini and Hochberg's adjusted p-values; NaN stays NaN and does not count as a test."""
    raw = np.asarray(p_values, np.float64)
    adjusted = np.full(raw.shape, np.nan)
    tested = ~np.isnan(raw)
    if tested.any():
        adjusted[tested] = stats.false_discovery_control(raw[tested])
    return adjusted


def _fitted(runs: Tabled) -> _Pairs:
    """Return the model of a run, gathered in two passes."""
    model = _Pairs()
    for batch in batches(runs):
        model.add(*_tables(batch))
    model.fit()
    for batch in batches(runs):
        model.add_residuals(*_tables(batch))
    return model


def _tables(runs: Tabled) -> tuple[pd.DataFrame, pd.DataFrame]:
    return _in_order(read(runs, "games", SEATS), "seat"), read(runs, "holdings", ("game", "seat", *PAIR))


def _spread(synergy: Floats, errors: Floats, weights: Floats) -> float:
    """Return the variance of true synergies: that of the estimates minus that of their errors, or almost 0."""
    left = np.average(synergy**2 - errors**2, weights=weights)
    return float(max(left, 1e-9))


def _decomposition(first: Any, second: Any, tiles: int, held: Floats) -> tuple[Floats, Floats]:
    """Return the matrices that turn effects of pairs into sums of tiles and what is left, both against the average."""
    number = len(first)
    design = np.zeros((number, tiles + 1))
    design[:, tiles] = 1
    np.add.at(design, (np.arange(number), first), 1.0)
    np.add.at(design, (np.arange(number), second), 1.0)
    root = np.sqrt(held)[:, None]
    fit = design @ np.asarray(np.linalg.pinv(root * design)) @ np.diag(root[:, 0])
    average = np.ones((number, 1)) * (held / held.sum())[None, :]
    sums: Floats = fit - average @ fit
    apart: Floats = np.eye(number) - fit
    return sums, apart


class _Pairs:
    """Scores on pairs held and places in turn order within games: sparse cross-products, some games at a time."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.tiles = self._games = self._rows = 0
        self.held: Floats = np.zeros(0)  # holdings of each pair, lower tile * tiles + higher tile
        self.in_games: Floats = np.zeros(0)
        self._squares: Any = 0.0
        self._products: Any = 0.0
        self._meat: Any = 0.0
        self._residual_squares = 0.0
        self._used: NDArray[np.int64] = np.zeros(0, np.int64)
        self._bread: Floats = np.zeros(0)
        self._coefficients: Floats = np.zeros(0)

    def add(self, games: pd.DataFrame, lives: pd.DataFrame) -> None:
        """Add what the coefficients need."""
        design, by_game, score = self._design(games, lives)
        players = _players(games)
        sums = by_game @ design
        self._squares = self._squares + (design.T @ design - sums.T @ sums / players).toarray()
        self._products = self._products + design.T @ score
        pairs = self.tiles**2
        self.held = self.held + np.asarray(design[:, :pairs].sum(axis=0)).ravel()
        self.in_games = self.in_games + np.asarray((sums[:, :pairs] > 0).sum(axis=0)).ravel()
        self._games += by_game.shape[0]
        self._rows += len(games) - by_game.shape[0]

    def fit(self) -> None:
        """Work out the coefficients, when all games have been added."""
        self._used = np.flatnonzero(np.diag(self._squares) > 0)
        if self._rows <= 2 * len(self._used):
            raise ValueError(
                f"pairs: {self._games} games are too few to tell {int((self.held > 0).sum())} pairs apart; play at "
                f"least {max(1000, 4 * len(self._used))}"
            )
        squares = self._squares[np.ix_(self._used, self._used)]
        self._bread = np.asarray(np.linalg.pinv(squares, hermitian=True))
        self._coefficients = self._bread @ self._products[self._used]

    def add_residuals(self, games: pd.DataFrame, lives: pd.DataFrame) -> None:
        """Add what the errors need, when all games have been added and fitted."""
        design, by_game, score = self._design(games, lives)
        fitted = score - design[:, self._used] @ self._coefficients
        players = _players(games)
        residuals = fitted - (by_game.T @ (by_game @ fitted)) / players
        scores = by_game @ sparse.diags_array(residuals) @ design[:, self._used]
        self._meat = self._meat + (scores.T @ scores).toarray()
        self._residual_squares += float(residuals @ residuals)

    def apply(self, matrix: Floats, kept: NDArray[np.int64]) -> tuple[Floats, Floats]:
        """Return linear combinations of the effects of the pairs ``kept``, and their standard errors."""
        spot = np.searchsorted(self._used, kept)
        known = np.isin(kept, self._used)
        wide = np.zeros((len(matrix), len(self._used)))
        wide[:, spot[known]] = matrix[:, known]
        estimates = wide @ self._coefficients
        half = wide @ self._bread
        scale = self._games / max(self._games - 1, 1)
        robust = np.einsum("ij,jk,ik->i", half, self._meat, half, optimize=True) * scale
        plain = np.einsum("ij,ij->i", half, wide) * self._residual_squares / max(self._rows - len(self._used), 1)
        return estimates, np.sqrt(np.maximum(np.maximum(robust, plain), 1e-18))

    def _design(self, games: pd.DataFrame, lives: pd.DataFrame) -> tuple[Any, Any, Floats]:
        """Return the regressors (pairs, places), what sums them by game, and the scores less their game's mean."""
        players = _players(games)
        if not self.tiles:
            self.names = [str(name) for name in lives[PAIR[0]].cat.categories]
            self.tiles = len(self.names)
            self.held, self.in_games = np.zeros(self.tiles**2), np.zeros(self.tiles**2)
        codes = np.sort(np.column_stack([lives[name].cat.codes.to_numpy(np.int64) for name in PAIR]), axis=1)
        index = pd.Index(games["game"].to_numpy(np.int64) * players + games["seat"].to_numpy())
        rows = index.get_indexer(lives["game"].to_numpy(np.int64) * players + lives["seat"].to_numpy())
        known = (codes[:, 0] >= 0) & (rows >= 0)
        column = codes[known, 0] * self.tiles + codes[known, 1]
        ones = np.ones(len(column))
        pairs = sparse.coo_array((ones, (rows[known], column)), (len(games), self.tiles**2)).tocsr()
        order = games["turn_order"].to_numpy()
        places = np.column_stack([(order == place).astype(np.float64) for place in range(1, players)])
        number = len(games) // players
        spots = np.repeat(np.arange(number), players)
        by_game = sparse.coo_array((np.ones(len(games)), (spots, np.arange(len(games)))), (number, len(games))).tocsr()
        score = games["score"].to_numpy(np.float64)
        score = score - (by_game.T @ (by_game @ score)) / players
        return sparse.hstack([pairs, sparse.csr_array(places)]).tocsr(), by_game, score
