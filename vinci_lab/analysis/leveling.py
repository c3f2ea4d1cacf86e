"""Which whole numbers level the tiles, as far as effects are linear: exact, by dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vinci_lab.analysis.rates import Floats

CENTERINGS = 20  # times the mean effect is worked out again at most


@dataclass(frozen=True)
class Problem:
    """Tiles to be leveled.

    Attributes
    ----------
    effects, slopes : (tiles,) arrays
        Points under the present numbers, and for one more.
    values, printed, copies : (tiles,) int64 arrays
        Present numbers, those distance is counted from, and weights.
    lowest, highest : (tiles,) int64 arrays
        Allowed numbers.
    penalty : float
        Squared points that one squared step from ``printed`` costs.
    """

    effects: Floats
    slopes: Floats
    values: NDArray[np.int64]
    printed: NDArray[np.int64]
    copies: NDArray[np.int64]
    lowest: NDArray[np.int64]
    highest: NDArray[np.int64]
    penalty: float

    def predicted(self, values: Any) -> Floats:
        """Return the effects foretold for some numbers, against their mean weighted by copies."""
        found = self.effects + self.slopes * (np.asarray(values) - self.values)
        centered: Floats = found - np.average(found, weights=self.copies)
        return centered

    def spread(self, values: Any) -> float:
        """Return the spread foretold for some numbers: the standard deviation of effects, weighted by copies."""
        return float(np.sqrt(np.average(self.predicted(values) ** 2, weights=self.copies)))

    def loss(self, values: Any) -> float:
        """Return what is made least: squared spread, and the penalty of the distance, both averaged over copies."""
        distance = (np.asarray(values) - self.printed) ** 2
        return self.spread(values) ** 2 + self.penalty * float(np.average(distance, weights=self.copies))


def level(problem: Problem) -> NDArray[np.int64]:
    """Return the whole numbers with the least loss whose mean, weighted by copies, is the one of ``printed``.

    For a given mean effect the best numbers are found exactly by dynamic programming over the tiles, with the copies
    moved so far as the state; the mean effect they have is then taken, and so on until nothing changes.
    """
    best, mean = problem.printed.copy(), 0.0
    for _ in range(CENTERINGS):
        found = _around(problem, mean)
        if problem.loss(found) < problem.loss(best) - 1e-12:
            best = found
        foretold = problem.effects + problem.slopes * (found - problem.values)
        again = float(np.average(foretold, weights=problem.copies))
        if abs(again - mean) < 1e-9:
            break
        mean = again
    return best


def _around(problem: Problem, mean: float) -> NDArray[np.int64]:
    """Return the numbers with the least loss around a given mean effect."""
    moves = [_options(problem, tile, mean) for tile in range(len(problem.values))]
    reach = sum(int(np.abs(sums).max()) for _, sums, _ in moves)
    costs = np.full(2 * reach + 1, np.inf)
    costs[reach] = 0.0
    choices = []
    for _, sums, losses in moves:
        shifted = np.array([_shift(costs, int(by)) + loss for by, loss in zip(sums, losses, strict=True)])
        choice = shifted.argmin(axis=0)
        costs = shifted[choice, np.arange(len(costs))]
        choices.append(choice)
    found, at = np.zeros(len(moves), np.int64), reach  # all sums together are 0
    for tile in reversed(range(len(moves))):
        option = int(choices[tile][at])
        found[tile] = moves[tile][0][option]
        at -= int(moves[tile][1][option])
    return found


def _options(problem: Problem, tile: int, mean: float) -> tuple[Any, Any, Any]:
    """Return a tile's allowed numbers, by how many copies' steps each moves the sum, and its loss."""
    low, high = (min(int(problem.lowest[tile]), int(problem.printed[tile])), int(problem.highest[tile]))
    values = np.arange(low, max(high, int(problem.printed[tile])) + 1)
    copies = int(problem.copies[tile])
    distance = values - int(problem.printed[tile])
    left = problem.effects[tile] + problem.slopes[tile] * (values - int(problem.values[tile])) - mean
    return values, copies * distance, copies * (left**2 + problem.penalty * distance**2)


def _shift(costs: Floats, by: int) -> Floats:
    """Return costs by sum after a step that adds to it."""
    moved = np.full(costs.shape, np.inf)
    if by >= 0:
        moved[by:] = costs[: len(costs) - by]
    else:
        moved[:by] = costs[-by:]
    return moved
