"""Intervals for shares and means."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

Floats = NDArray[np.float64]


class Interval(NamedTuple):
    """An estimate with its interval and the number of independent observations behind it."""

    estimate: float
    low: float
    high: float
    n: int


def check_level(level: float) -> float:
    """Return a confidence level, or raise ``ValueError`` unless it lies between 0 and 1."""
    if not 0 < level < 1:
        raise ValueError(f"level: must lie between 0 and 1, such as 0.95, got {level!r}")
    return float(level)


def normal_quantile(level: float) -> float:
    """Return how many standard errors a two-sided interval reaches to each side."""
    return float(stats.norm.ppf((1 + check_level(level)) / 2))


def wilson(successes: ArrayLike, n: ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return Wilson's score interval for shares of independent trials.

    Parameters
    ----------
    successes, n : array_like
        Successes and trials; any shape. Neither needs to be whole, which serves shares with less variance than
        trials have.
    level : float
        Of confidence.

    Returns
    -------
    low, high : float64 arrays
        NaN where there are no trials.

    References
    ----------
    Wilson, Probable inference, the law of succession, and statistical inference (1927).
    """
    trials = np.asarray(n, np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.asarray(successes, np.float64) / trials
        squared = normal_quantile(level) ** 2 / trials
        center = (share + squared / 2) / (1 + squared)
        half = np.sqrt(squared * (share * (1 - share) + squared / 4)) / (1 + squared)
    return np.maximum(center - half, 0.0), np.minimum(center + half, 1.0)


def _clustered(values: ArrayLike, clusters: ArrayLike | None) -> tuple[Floats, NDArray[np.int64]]:
    """Return the sum and the number of the values in each cluster."""
    numbers = np.asarray(values, np.float64)
    if clusters is None:
        return numbers, np.ones(len(numbers), np.int64)
    place = np.unique(np.asarray(clusters), return_inverse=True)[1]
    return np.bincount(place, numbers).astype(np.float64), np.bincount(place).astype(np.int64)


class Tally:
    """What the interval of a mean needs to know of its values, gathered some games at a time.

    Attributes
    ----------
    clusters, values : int
        Numbers of clusters (games) and of values.
    """

    def __init__(self) -> None:
        self.clusters = self.values = 0
        self._means = np.zeros(2)  # over clusters: of the sum of values, and of their number
        self._moments = np.zeros((2, 2))  # sums of products of deviations from these means

    @classmethod
    def of(cls, values: ArrayLike, clusters: ArrayLike | None = None) -> Tally:
        """Return the tally of some values."""
        tally = cls()
        tally.add(values, clusters)
        return tally

    def add(self, values: ArrayLike, clusters: ArrayLike | None = None) -> None:
        """Add values, with the game of each; by default each value stands alone.

        All values of a cluster must be added together. Means and moments are merged as in Chan, Golub and LeVeque
        (1983), which loses no digits.
        """
        pairs = np.vstack(_clustered(values, clusters)).astype(np.float64)
        number = pairs.shape[1]
        if not number:
            return
        means = pairs.mean(axis=1)
        deviations = pairs - means[:, None]
        shift, total = means - self._means, self.clusters + number
        self._moments += deviations @ deviations.T + np.outer(shift, shift) * self.clusters * number / total
        self._means += shift * number / total
        self.clusters = total
        self.values += int(pairs[1].sum())

    def _estimate(self) -> tuple[float, float]:
        """Return the mean of all values, and the sum of squares of what each cluster's sum differs from it."""
        mean = float(self._means[0] / self._means[1])
        weights = np.array([1.0, -mean])
        return mean, max(float(weights @ self._moments @ weights), 0.0)

    def mean(self, level: float = 0.95) -> Interval:
        """Return the mean with a cluster-robust interval; see :func:`mean_interval`."""
        tail = (1 - check_level(level)) / 2
        if not self.clusters:
            return Interval(np.nan, np.nan, np.nan, 0)
        mean, squares = self._estimate()
        if self.clusters < 2:
            return Interval(mean, np.nan, np.nan, self.clusters)
        error = np.sqrt(squares * self.clusters / (self.clusters - 1)) / self.values
        half = float(stats.t.ppf(1 - tail, self.clusters - 1) * error)
        return Interval(mean, mean - half, mean + half, self.clusters)

    def share(self, level: float = 0.95) -> Interval:
        """Return the mean of shares with a score interval; see :func:`share_interval`."""
        if not self.clusters:
            return Interval(np.nan, np.nan, np.nan, 0)
        mean, squares = self._estimate()
        variance = squares / self.values**2  # of the mean
        trials = mean * (1 - mean) / variance if variance > 0 else float(self.clusters)
        low, high = wilson(mean * trials, trials, level)
        return Interval(mean, float(low), float(high), self.clusters)


def share_interval(shares: ArrayLike, clusters: ArrayLike | None = None, level: float = 0.95) -> Interval:
    """Return the mean of shares that may be fractions (a tied win is half a win) with a score interval.

    The number of trials in Wilson's formula is the one that would give the variance observed between games; for
    independent shares of only 0 and 1 it is their number, and the interval is Wilson's own.

    Parameters
    ----------
    shares : array_like
        Values from 0 to 1.
    clusters : array_like, optional
        The game of each value; by default each value stands alone.
    level : float
        Of confidence.

    Returns
    -------
    Interval
        ``n`` counts clusters; NaN for no values.
    """
    return Tally.of(shares, clusters).share(level)


def mean_interval(
    values: ArrayLike,
    clusters: ArrayLike | None = None,
    level: float = 0.95,
    method: str = "normal",
    resamples: int = 1000,
    seed: int = 0,
) -> Interval:
    """Return a mean with its interval, from independent clusters of values (the seats or turns of a game).

    Parameters
    ----------
    values : array_like
        Numbers.
    clusters : array_like, optional
        The game of each value; by default each value stands alone.
    level : float
        Of confidence.
    method : str
        ``"normal"``: cluster-robust standard error and Student's t. ``"bootstrap"``: percentiles of the mean over
        resampled clusters.
    resamples, seed : int
        Of the bootstrap.

    Returns
    -------
    Interval
        ``n`` counts clusters; NaN for no values, and limits of NaN for a single cluster.
    """
    if method not in ("normal", "bootstrap"):
        raise ValueError(f"method: must be 'normal' or 'bootstrap', got {method!r}")
    found = Tally.of(values, clusters).mean(level)
    if method == "normal" or found.n < 2:
        return found
    sums, counts = _clustered(values, clusters)
    tail, number = (1 - check_level(level)) / 2, len(sums)
    rng, even = np.random.default_rng(seed), np.full(number, 1 / number)
    draws = (rng.multinomial(number, even) for _ in range(resamples))
    low, high = np.quantile([(drawn @ sums) / (drawn @ counts) for drawn in draws], [tail, 1 - tail])
    return Interval(found.estimate, float(low), float(high), number)


def holm(p_values: ArrayLike) -> Floats:
    """Return Holm's adjusted p-values: below ``a``, at most a share ``a`` of families has any false alarm.

    NaN stays NaN and does not count as a test.
    """
    raw = np.asarray(p_values, np.float64)
    adjusted = np.full(raw.shape, np.nan)
    tested = np.flatnonzero(~np.isnan(raw))
    order = tested[np.argsort(raw[tested], kind="stable")]
    steps = raw[order] * np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0) if len(order) else steps
    return adjusted


def two_sided_p(statistic: Any) -> Any:
    """Return the two-sided p-value of a standard normal statistic."""
    return 2 * stats.norm.sf(np.abs(statistic))
