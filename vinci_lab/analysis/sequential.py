"""Confidence sequences: intervals that hold at all numbers of games at once, so that one may look and stop any time."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from vinci_lab.analysis.rates import Floats, check_level

FIRST_LOOK = 100  # games before which nothing is said: the sequence rests on a central limit theorem


def normal_mixture(
    values: ArrayLike, level: float = 0.95, tightest: int = 1000, first: int = FIRST_LOOK
) -> tuple[Floats, Floats]:
    """Return a confidence sequence for the mean of independent values after each of them.

    With probability ``level`` the mean lies within the limits after *every* number of values from ``first`` on, so
    looking after every game and stopping when 0 is outside gives at most ``1 - level`` false alarms. It is Robbins'
    normal mixture with the running standard deviation in the place of the unknown one, which is valid
    asymptotically, as ``first`` grows. After n values the limits are the mean plus and minus
    ``s * sqrt(2 (n r + 1) / (n**2 r) * log(sqrt(n r + 1) / (1 - level)))``, where ``r`` makes them tightest near
    ``tightest`` values.

    Parameters
    ----------
    values : array_like, (n,)
        In the order of their games, none left out.
    level : float
        Of confidence.
    tightest : int
        Number of values near which the sequence is tightest; to be chosen before looking.
    first : int
        Values needed before the first limits.

    Returns
    -------
    low, high : (n,) float64 arrays
        Minus and plus infinity before ``first``, and as long as all values are one and the same other than 0.

    References
    ----------
    Robbins, Statistical methods related to the law of the iterated logarithm (1970). Howard, Ramdas, McAuliffe and
    Sekhon, Time-uniform, nonparametric, nonasymptotic confidence sequences (2021). Waudby-Smith, Arbour, Sinha, Kennedy
    and Ramdas, Time-uniform central limit theory and asymptotic confidence sequences (2024).
    """
    numbers = np.asarray(values, np.float64)
    alpha = 1 - check_level(level)
    n = np.arange(1, len(numbers) + 1)
    mean = np.cumsum(numbers) / n
    centered = numbers - (numbers[0] if len(numbers) else 0.0)
    variance = np.maximum(np.cumsum(centered**2) / n - (np.cumsum(centered) / n) ** 2, 0.0)
    wide = -2 * np.log(alpha)
    ratio = (wide + np.log(wide + 1)) / max(tightest, 1)
    half = np.sqrt(variance * 2 * (n * ratio + 1) / (n**2 * ratio) * np.log(np.sqrt(n * ratio + 1) / alpha))
    half[(variance == 0) & (mean != 0)] = np.inf  # alike so far, which says nothing about those to come
    half[: max(first - 1, 0)] = np.inf
    return mean - half, mean + half


def first_decision(low: Any, high: Any) -> int | None:
    """Return after how many values 0 was first outside a confidence sequence, or None."""
    outside = np.flatnonzero((np.asarray(low) > 0) | (np.asarray(high) < 0))
    return int(outside[0]) + 1 if len(outside) else None
