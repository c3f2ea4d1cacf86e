"""Which unknown moves a quantity: a linear surrogate over a design, with the noise of the games taken out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats

from vinci_lab.analysis.rates import Floats, normal_quantile

TINY = 1e-18  # a variance that is nothing but rounding
RIDGES = 10.0 ** np.arange(-2, 5.5, 0.5)  # how strongly slopes are drawn to 0, tried for prediction
DRAWS = 400  # of noise alone, to tell what exceeds it


@dataclass(frozen=True)
class Noise:
    """What the finite number of games does to a quantity at the points of a design.

    All points are played on the same keys, so the errors of different points are correlated; what all have in common
    does not make them differ. Both follow from the values of single games.

    Attributes
    ----------
    root : (points, games) array
        ``root @ root.T`` is the covariance of the errors of the points.
    """

    root: Floats

    @classmethod
    def of(cls, values: Floats) -> Noise:
        """Return the noise of means of single games: a row per point, a column per game on common keys."""
        games = values.shape[1]
        return cls((values - values.mean(axis=1, keepdims=True)) / np.sqrt(games * max(games - 1, 1)))

    @property
    def errors(self) -> Floats:
        """Standard error of each point by itself."""
        return np.asarray(np.sqrt((self.root**2).sum(axis=1)), np.float64)

    @property
    def variance(self) -> float:
        """Expected variance over the points if nothing but the games made them differ."""
        apart = self.root - self.root.mean(axis=0)
        return float((apart**2).sum() / max(len(apart) - 1, 1))

    @property
    def common(self) -> float:
        """Standard error of the mean over all points: luck of the games that moves them together."""
        return float(np.sqrt((self.root.mean(axis=0) ** 2).sum()))

    def draws(self, number: int, seed: int) -> Floats:
        """Return errors of the points drawn at random, a row each, less what all points have in common."""
        apart = self.root - self.root.mean(axis=0)
        return np.asarray(np.random.default_rng(seed).standard_normal((number, apart.shape[1])) @ apart.T, np.float64)


@dataclass(frozen=True)
class Spread:
    """How far a quantity varies over a design.

    Attributes
    ----------
    total : float
        Variance over the points.
    signal, most : float
        Of this, what the games' noise does not explain; at least 0. And what it may be at most, with 95% confidence.
    is_beyond_noise : bool
        Whether the total exceeds 99% of what noise alone gives.
    """

    total: float
    signal: float
    most: float
    is_beyond_noise: bool

    @property
    def possible(self) -> float:
        """The share of the variance that any surrogate could explain."""
        return self.signal / self.total if self.total > 0 else 0.0

    def calm(self, values: Floats, is_cautious: bool = False) -> Floats:
        """Return values drawn together so that they vary as much as without the noise, or as much as they may."""
        middle, part = values.mean(), self.most if is_cautious else self.signal
        share = min(part / self.total, 1.0) if self.total > 0 else 0.0
        return np.asarray(middle + np.sqrt(share) * (values - middle), np.float64)


def spread_of(values: Floats, noise: Noise, seed: int = 0) -> Spread:
    """Return how far a quantity with a value per point varies, with and without the noise of its games."""
    total = float(values.var(ddof=1))
    alone = noise.draws(DRAWS, seed).var(axis=1, ddof=1)
    free = len(values) - 1
    most = max(total * free / float(stats.chi2.ppf(0.05, free)) - noise.variance, 0.0)
    is_beyond = total > float(np.quantile(alone, 0.99)) and total > TINY
    return Spread(total, max(total - noise.variance, 0.0), most, is_beyond)


@dataclass(frozen=True)
class Surrogate:
    """A linear model of a quantity over a design.

    Attributes
    ----------
    slopes, errors : (unknowns,) arrays
        Change of the quantity per unit of each unknown, with standard errors from the games' noise and from what the
        model does not fit.
    shares, lows, highs : (unknowns,) arrays
        Share of the variance without noise that goes with each unknown alone (first order), with its interval.
    r_squared : float
        Of predictions: cross-validated, leaving out one point at a time, 1 less their squared error over that of the
        mean. They come from ridge regression, which draws slopes to 0 as far as helps prediction; slopes and shares are
        those of least squares.
    """

    slopes: Floats
    errors: Floats
    shares: Floats
    lows: Floats
    highs: Floats
    r_squared: float


def fit(settings: Floats, values: Floats, noise: Noise, spread: Spread, level: float = 0.95) -> Surrogate:
    """Return the linear surrogate of a quantity.

    An unknown's share is the squared slope times the variance of its values over the variance of the quantity; the
    square of a slope known with an error is too large by the error's variance, which is subtracted, so that an unknown
    that changes nothing gets about 0.

    Parameters
    ----------
    settings : (points, unknowns) array
        More points than unknowns and 2.
    values : (points,) array
        The quantity.
    noise : Noise
        Of the values.
    spread : Spread
        Of the values.
    level : float
        Of confidence.
    """
    points, number = settings.shape
    signal = spread.signal if spread.is_beyond_noise else 0.0
    centered = np.column_stack([np.ones(points), settings - settings.mean(axis=0)])
    solve = np.linalg.pinv(centered)
    hat = centered @ solve
    residuals = values - hat @ values
    free = max(points - np.linalg.matrix_rank(centered), 1)
    of_games = ((noise.root - hat @ noise.root) ** 2).sum()
    unfitted = max(float((residuals**2).sum() - of_games) / free, 0.0)
    covariance = (solve @ noise.root) @ (solve @ noise.root).T + unfitted * solve @ solve.T
    slopes, errors = (solve @ values)[1:], np.sqrt(np.diag(covariance))[1:]
    scale = settings.var(axis=0, ddof=1) / signal if signal > 0 else np.zeros(number)
    reach = normal_quantile(level) * errors
    near = np.maximum(np.abs(slopes) - reach, 0.0)
    return Surrogate(
        slopes,
        errors,
        np.clip((slopes**2 - errors**2) * scale, 0.0, 1.0),
        np.clip(near**2 * scale, 0.0, 1.0),
        np.clip((np.abs(slopes) + reach) ** 2 * scale, 0.0, 1.0),
        predicted_share(settings, values),
    )


def predicted_share(settings: Floats, values: Floats) -> float:
    """Return the cross-validated R squared of ridge regression, at the best of some strengths; 0 if nothing varies."""
    points = len(values)
    about = values - values.mean()
    total = float(((about * points / (points - 1)) ** 2).sum())
    if total <= TINY:
        return 0.0
    spread = settings.std(axis=0)
    centered = (settings - settings.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    left, singular, _ = np.linalg.svd(centered, full_matrices=False)
    found = []
    for ridge in RIDGES:
        kept = left * (singular**2 / (singular**2 + ridge))
        leverage = (kept * left).sum(axis=1) + 1 / points
        errors = (about - kept @ (left.T @ about)) / np.maximum(1 - leverage, 1e-9)
        found.append(1 - float((errors**2).sum()) / total)
    return max(found)
