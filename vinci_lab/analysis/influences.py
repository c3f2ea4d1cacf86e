"""Tile effects with what every game contributes to their errors, so that runs on common keys can be set against others.

:func:`vinci_lab.analysis.effects.tile_effects` is the table for readers; this is the same estimate for further work.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.analysis import tile_rows as rows
from vinci_lab.analysis.effects import PAIR, Tabled, _centered, _in_order, _players, batches, read
from vinci_lab.analysis.rates import Floats, normal_quantile
from vinci_lab.analysis.seat_model import contrast_of

NET, PRICE, GROSS = "net", "price", "gross"
LEAST_ROWS = 2  # rows free within games for each regressor, below which nothing is said


@dataclass(frozen=True)
class Effects:
    """Estimates for all tiles with their errors.

    Attributes
    ----------
    tiles : tuple of str
        Names.
    estimate : (tiles,) array
        In points, against an average tile; NaN for a tile that was never held.
    covariance : (tiles, tiles) array
        Of the estimates; NaN where there is none.
    shares : (games, tiles) array or None
        What each game adds to the errors of the estimates: ``shares.T @ shares`` is the covariance, and with another
        run of the same keys ``shares.T @ other.shares`` is the covariance between the two. None when only the errors
        are known.
    """

    tiles: tuple[str, ...]
    estimate: Floats
    covariance: Floats
    shares: Floats | None = None

    @property
    def error(self) -> Floats:
        """Standard errors."""
        found: Floats = np.sqrt(np.diag(self.covariance))
        return found

    def between(self, other: Effects) -> Floats:
        """Return each tile's covariance with the same tile of another run; 0 unless both have the same games."""
        if self.shares is None or other.shares is None or self.shares.shape != other.shares.shape:
            return np.zeros(len(self.tiles))
        found: Floats = (self.shares * other.shares).sum(axis=0)
        return found

    def against(self, weights: Floats) -> Effects:
        """Return the effects against the mean tile with other weights; tiles never held have none."""
        known = np.isfinite(self.estimate)
        shifted = np.eye(len(known)) - np.where(known, weights, 0.0) / max(float(weights[known].sum()), 1e-300)
        clean = np.where(known, self.estimate, 0.0)
        within = np.where(known[:, None] & known[None, :], self.covariance, 0.0)
        estimate = np.where(known, shifted @ clean, np.nan)
        covariance = np.where(known[:, None] & known[None, :], shifted @ within @ shifted.T, np.nan)
        shares = None if self.shares is None else np.where(known, np.nan_to_num(self.shares) @ shifted.T, np.nan)
        return Effects(self.tiles, estimate, covariance, shares)


def effects_of_table(table: pd.DataFrame, tiles: Sequence[str], level: float = 0.95) -> Effects:
    """Return the effects of a table with ``tile, estimate, low, high``; errors of different tiles count as independent.

    Parameters
    ----------
    table : DataFrame
        Of any design of a tile study. A column ``error`` is used if there is one, else half the interval's width.
    tiles : sequence of str
        In the order wanted; a tile that is not in the table has no estimate.
    level : float
        Of confidence of the intervals of the table.

    Raises
    ------
    ValueError
        If a column is missing.
    """
    if missing := [name for name in ("tile", "estimate", "low", "high") if name not in table]:
        raise ValueError(f"effects: the table must have the columns tile, estimate, low, high; {missing[0]} is missing")
    found = table.assign(tile=table["tile"].astype(str)).set_index("tile").reindex(list(tiles))
    half = (found["high"] - found["low"]).to_numpy(np.float64) / 2
    errors = found["error"].to_numpy(np.float64) if "error" in found else half / normal_quantile(level)
    return Effects(tuple(tiles), found["estimate"].to_numpy(np.float64), np.diag(errors**2))


def market_effects(runs: Tabled, outcomes: Sequence[str] = (NET,)) -> dict[str, Effects]:
    """Return what holding each tile goes with, as :func:`vinci_lab.analysis.effects.tile_effects`, by outcome.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    outcomes : sequence of str
        ``"net"``, the final score; ``"price"``, points paid for skipped pairs less those received for coins;
        ``"gross"``, their sum, which is what the score would have been without prices and coins.

    Returns
    -------
    dict of str to Effects
        Against an average tile, weighted by how often each was held. The effects of ``net`` and ``price`` add up to
        those of ``gross``.

    Raises
    ------
    ValueError
        If there are too few games to tell the tiles apart.
    """
    kinds = len(read(next(iter(batches(runs))), "holdings", PAIR[:1])[PAIR[0]].cat.categories)
    model = _Fit(tuple(outcomes), rows.doubling_of(runs, kinds))
    for batch in batches(runs):
        model.add(batch)
    model.fit()
    for batch in batches(runs):
        model.add_shares(batch)
    return model.effects()


class _Fit:
    """Outcomes on tiles held and places in turn order within games: one least squares for several outcomes."""

    def __init__(self, outcomes: tuple[str, ...], doubling: Floats) -> None:
        self.outcomes = outcomes
        self._doubling = doubling
        self.tiles: list[str] = []
        self._squares: Any = 0.0
        self._products: Any = 0.0
        self._held: Any = 0.0
        self._rows = self._games = 0
        self._bread: Floats = np.zeros(0)
        self._coefficients: Floats = np.zeros(0)
        self._shares: list[Floats] = []

    def add(self, runs: Tabled) -> None:
        design, results, counts = self._design(runs)
        self._squares = self._squares + design.T @ design
        self._products = self._products + design.T @ results
        self._held = self._held + counts

    def fit(self) -> None:
        used = int((np.diag(self._squares) > 0).sum())
        if self._rows < LEAST_ROWS * used:
            per_game = self._rows / max(self._games, 1)
            raise ValueError(
                f"games: {self._games} are too few to tell {int((self._held > 0).sum())} tiles apart; play at least "
                f"{max(200, int(np.ceil(LEAST_ROWS * used / max(per_game, 1))))}"
            )
        self._bread = np.asarray(np.linalg.pinv(self._squares), np.float64)
        self._coefficients = self._bread @ self._products

    def add_shares(self, runs: Tabled) -> None:
        design, results, _ = self._design(runs, count=False)
        residuals = results - design @ self._coefficients
        wide = design[:, :, None] * residuals[:, None, :]
        by_game = wide.reshape(-1, self._players, *wide.shape[1:]).sum(axis=1)
        self._shares.append(np.einsum("gpk,tp->gtk", by_game, self._contrast() @ self._bread, optimize=True))

    def effects(self) -> dict[str, Effects]:
        shares = np.concatenate(self._shares) * np.sqrt(self._games / max(self._games - 1, 1))
        estimates = self._contrast() @ self._coefficients
        never = self._held == 0
        estimates[never], shares[:, never] = np.nan, np.nan
        return {
            name: Effects(
                tuple(self.tiles), estimates[:, at], shares[:, :, at].T @ shares[:, :, at], shares[:, :, at].copy()
            )
            for at, name in enumerate(self.outcomes)
        }

    def _contrast(self) -> Floats:
        """Return what turns coefficients into effects against the average tile."""
        tiles, columns = len(self._held), len(self._bread)
        contrast = np.zeros((tiles, columns))
        contrast[:, :tiles] = contrast_of(self._held, self._doubling)
        return contrast

    def _design(self, runs: Tabled, count: bool = True) -> tuple[Floats, Floats, Floats]:
        """Return regressors and outcomes, each minus its mean in the game, and how many holdings had each tile."""
        needed = ("paid", "received") if set(self.outcomes) != {NET} else ()
        games = _in_order(read(runs, "games", ("game", "seat", "turn_order", "score", *needed)), "seat")
        self._players = players = _players(games)
        lives = rows.lives_of(runs, games, ("game", "seat", *PAIR))
        self.tiles = [str(name) for name in lives.frame[PAIR[0]].cat.categories]
        amounts, shape = rows.held_by_life(lives, self._doubling), (len(games) // players, players)
        held = rows.by_seat(amounts, lives, np.ones(len(lives.row), bool), shape).reshape(len(games), -1)
        order = games["turn_order"].to_numpy()
        design = np.column_stack([held, *((order == place).astype(float) for place in range(1, players))])
        found = outcomes_of(games, self.outcomes)
        if count:
            self._games += len(games) // players
            self._rows += len(games) - len(games) // players
        return (
            _centered(design, players),
            _centered(np.column_stack(list(found.values())), players),
            (amounts > 0).sum(axis=0).astype(np.float64),
        )


def outcomes_of(games: pd.DataFrame, outcomes: Sequence[str]) -> Mapping[str, Floats]:
    """Return the outcomes of every row of ``games``; see :func:`market_effects`."""
    score = games["score"].to_numpy(np.float64)
    if set(outcomes) == {NET}:
        return {NET: score}
    price = games["paid"].to_numpy(np.float64) - games["received"].to_numpy(np.float64)
    every = {NET: score, PRICE: price, GROSS: score + price}
    return {name: every[name] for name in outcomes}
