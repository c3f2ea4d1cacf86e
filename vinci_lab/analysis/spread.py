"""How far tiles are apart, without what chance alone puts between them, and estimates shrunk by as much."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import optimize, stats

from vinci_lab.analysis.rates import Floats, check_level


def true_spread(estimates: Any, covariance: Any, weights: Any, level: float = 0.95) -> dict[str, float]:
    """Return the standard deviation of true effects over tiles, from estimates with errors.

    The estimand is ``sqrt(sum of w (effect - mean)**2)`` with weights that sum to one. The same of the estimates is too
    large, since errors spread them further; what errors add on average is subtracted. The interval takes the
    spread of the estimates as a multiple of a noncentral chi-square variable (Satterthwaite's), which is exact when all
    errors are alike and independent, and looks which spreads would not be refuted by it.

    Parameters
    ----------
    estimates : array_like, (tiles,)
        Of effects; NaN ones are left out.
    covariance : array_like, (tiles, tiles)
        Of their errors.
    weights : array_like, (tiles,)
        Of the tiles, such as their copies in the bag.
    level : float
        Of confidence.

    Returns
    -------
    dict
        ``raw``, the spread of the estimates; ``estimate, low, high``, noise-corrected; ``n``, the number of tiles.

    References
    ----------
    Satterthwaite, An approximate distribution of estimates of variance components (1946).
    """
    tail = (1 - check_level(level)) / 2
    numbers = np.asarray(estimates, np.float64)
    known = np.isfinite(numbers)
    count = int(known.sum())
    if count < 2:
        return {"raw": np.nan, "estimate": np.nan, "low": np.nan, "high": np.nan, "n": count}
    share = np.asarray(weights, np.float64)[known] / np.asarray(weights, np.float64)[known].sum()
    shift = np.eye(count) - share
    form = shift.T @ (share[:, None] * shift)
    squares = float(numbers[known] @ form @ numbers[known])
    product = form @ np.asarray(covariance, np.float64)[np.ix_(known, known)]
    noise, second = float(np.trace(product)), float((product * product.T).sum())
    found = {"raw": np.sqrt(squares), "estimate": np.sqrt(max(squares - noise, 0.0))}
    if not noise > 0:
        return {**found, "low": found["raw"], "high": found["raw"], "n": count}
    scale, freedom = second / noise, noise**2 / second
    low = _noncentrality(squares / scale, freedom, 1 - tail)
    high = _noncentrality(squares / scale, freedom, tail)
    return {**found, "low": np.sqrt(scale * low), "high": np.sqrt(scale * high), "n": count}


def _noncentrality(value: float, freedom: float, probability: float) -> float:
    """Return the noncentrality at which a value is this quantile of noncentral chi-square, 0 if none is."""

    def excess(noncentrality: float) -> float:
        return float(stats.ncx2.cdf(value, freedom, noncentrality)) - probability

    if float(stats.chi2.cdf(value, freedom)) <= probability:
        return 0.0
    top = value + 10 * np.sqrt(value + freedom) + 50
    return float(optimize.brentq(excess, 1e-9, top)) if excess(1e-9) > 0 else 0.0


def kept_share(errors: Any, variance: float) -> Floats:
    """Return by how much an estimate is kept when it is shrunk: the share of its variance that is no error."""
    squares = np.asarray(errors, np.float64) ** 2
    found: Floats = variance / (variance + squares) if variance > 0 else np.zeros(squares.shape)
    return found


def shrink_to_mean(estimates: Any, errors: Any) -> tuple[Floats, Floats, Floats]:
    """Return estimates shrunk towards their mean by empirical Bayes, their errors, and by how much each is kept.

    Parameters
    ----------
    estimates, errors : array_like
        One each for independent true values, taken as normal around a common mean; NaN ones become the mean.

    Returns
    -------
    shrunk, errors, kept : arrays
        See Morris, Parametric empirical Bayes inference (1983).
    """
    numbers, squares = np.asarray(estimates, np.float64), np.asarray(errors, np.float64) ** 2
    known = np.isfinite(numbers) & (squares > 0)
    if not known.any():
        nothing = np.full(numbers.shape, np.nan)
        return nothing, nothing, np.zeros(numbers.shape)
    weights = 1 / squares[known]
    center = float(np.average(numbers[known], weights=weights))
    count = int(known.sum())
    left = 0.0
    if count > 1:  # DerSimonian and Laird's moment estimate of the variance between
        q = float((weights * (numbers[known] - center) ** 2).sum())
        left = max(q - (count - 1), 0.0) / (weights.sum() - (weights**2).sum() / weights.sum())
    total = np.where(known, left + squares, np.inf)
    mean_weights = np.where(known, 1 / total, 0.0)
    center = float((mean_weights[known] * numbers[known]).sum() / mean_weights.sum())
    kept = np.where(known, left / np.where(known, total, 1.0), 0.0)
    shrunk = center + kept * np.where(known, numbers - center, 0.0)
    variance = np.where(known, kept * squares, left) + (1 - kept) ** 2 / mean_weights.sum()
    return shrunk, np.sqrt(variance), kept
