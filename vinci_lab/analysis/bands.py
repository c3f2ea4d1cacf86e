"""Simultaneous bands: intervals of several means of the same games that hold together."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from vinci_lab.analysis.rates import check_level

DRAWS = 20_000


def joint_level(values: ArrayLike, level: float = 0.95, draws: int = DRAWS, seed: int = 0) -> float:
    """Return the level at which single intervals have to be taken so that all hold together.

    The max-t method: the largest of the standardised errors of the means is followed by drawing from the normal
    distribution with the correlations measured between the columns. Means of the same games on common keys are closely
    correlated, which makes the bands narrower than Bonferroni's; for independent columns it is Sidak's.

    Parameters
    ----------
    values : array_like, (games, means)
        What is averaged over games, a column for each mean. A column that does not vary counts as independent.
    level : float
        Of confidence of all intervals together.
    draws, seed : int
        Of the simulation; the same numbers give the same level.

    Returns
    -------
    float
        From ``level``, for one column, to Sidak's level.

    References
    ----------
    Hothorn, Bretz and Westfall, Simultaneous inference in general parametric models (2008).
    """
    numbers = np.asarray(values, np.float64)
    columns = numbers.shape[1]
    if columns == 1 or len(numbers) < 2:
        return float(check_level(level) ** (1 / columns))
    centered = numbers - numbers.mean(axis=0)
    norms = np.sqrt((centered**2).sum(axis=0))
    scaled = centered / np.where(norms > 0, norms, 1)
    correlation = scaled.T @ scaled
    np.fill_diagonal(correlation, 1.0)
    eigenvalues, vectors = np.linalg.eigh(correlation)
    root = vectors * np.sqrt(np.maximum(eigenvalues, 0))
    errors = np.random.default_rng(seed).standard_normal((draws, columns)) @ root.T
    reach = float(np.quantile(np.abs(errors).max(axis=1), check_level(level)))
    return float(min(max(1 - 2 * stats.norm.sf(reach), level), level ** (1 / columns)))
