"""What one holding does, from games that were forked at a choice: differences between the branches of a game."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.analysis.rates import Floats, normal_quantile, two_sided_p
from vinci_lab.analysis.seat_model import contrast_of, inverse_of

OUTCOMES = {"estimate": "over_mean", "lead": "lead", "win_effect": "win_share"}
ROUNDING = 1e-9
EARLY_SHARE = 1 / 3  # of the turns of the average game: choices until then are early


def forked_effects(forks: pd.DataFrame, doubling: Any, level: float = 0.95) -> pd.DataFrame:
    """Return the total effect of one holding of each thing on its seat, by least squares with an effect for every fork.

    The estimand is the mean over games, and over the choices of a game, of what the seat's end would be with one thing
    rather than with the average one (weighted by how often agents chose each), partner, price and position the same.
    Branches that could not be, because no copy was free, are left out of a fork, so a thing that is scarce is measured
    where it was free. Errors take a game as the independent unit.

    Parameters
    ----------
    forks : DataFrame
        Of :func:`vinci_lab.simulation.forks.fork`.
    doubling : (things,) array
        1 for things that make their partner count twice: the partner's own effect is then counted twice in the model.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        In the order of the things: ``tile``; ``estimate, low, high``, points over the mean of the others; ``lead``,
        points over the best other seat, and ``win_effect``, share of the win, with ``_low`` and ``_high``;
        ``p_value``; ``n`` branches, ``games``; and ``early`` and ``late``, the estimate by the moment of the choice.
    """
    factors: Floats = np.asarray(doubling, np.float64)
    chosen = forks.groupby("game", sort=False)["replaced"].first().value_counts(sort=False)
    held: Floats = np.asarray(chosen.reindex(forks["thing"].cat.categories), np.float64)
    columns: dict[str, Any] = {"tile": [str(name) for name in forks["thing"].cat.categories]}
    outcomes = forks[list(OUTCOMES.values())].to_numpy(np.float64)
    estimate, error = _within(forks, outcomes, factors, held)
    reach = normal_quantile(level)
    for place, name in enumerate(OUTCOMES):
        columns |= _limits(name, estimate[:, place], reach * error[:, place])
    with np.errstate(invalid="ignore", divide="ignore"):
        p_values = two_sided_p(estimate[:, 0] / error[:, 0])
    columns["p_value"] = np.where((estimate[:, 0] == 0) & (error[:, 0] == 0), 1.0, p_values)
    columns["n"] = forks["thing"].value_counts(sort=False).to_numpy()
    columns["games"] = forks.groupby("thing", observed=False)["game"].nunique().to_numpy()
    until = EARLY_SHARE * forks.groupby("game", sort=False)["turns"].mean().mean()
    for name, is_part in (("early", forks["turn"] < until), ("late", forks["turn"] >= until)):
        part = forks[is_part]
        found = _within(part, part[["over_mean"]].to_numpy(np.float64), factors, held)
        columns |= _limits(name, found[0][:, 0], reach * found[1][:, 0])
        columns[f"{name}_n"] = part["thing"].value_counts(sort=False).to_numpy()
    return pd.DataFrame(columns)


def _limits(name: str, estimate: Floats, half: Floats) -> dict[str, Floats]:
    low, high = ("low", "high") if name == "estimate" else (f"{name}_low", f"{name}_high")
    return {name: estimate, low: estimate - half, high: estimate + half}


def _within(forks: pd.DataFrame, outcomes: Floats, doubling: Floats, held: Floats) -> tuple[Floats, Floats]:
    """Return the effects of things on each outcome within forks, and their errors; NaN for what never was a branch."""
    kinds = len(doubling)
    if not len(forks):
        nothing = np.full((kinds, outcomes.shape[1]), np.nan)
        return nothing, nothing
    thing, partner = forks["thing"].cat.codes.to_numpy(), forks["partner"].cat.codes.to_numpy()
    game = np.unique(forks["game"].to_numpy(), return_inverse=True)[1]
    number = np.bincount(game)
    rows = np.arange(len(forks))
    design = np.zeros((len(forks), kinds))
    design[rows, thing] = 1 + np.where(partner >= 0, doubling[partner], 0.0) * (doubling[thing] == 0)
    paired = partner >= 0
    design[rows[paired], partner[paired]] += 1 + doubling[thing[paired]] * (doubling[partner[paired]] == 0)
    design, outcomes = (_centered(values, game, number) for values in (design, outcomes))
    bread = inverse_of(design.T @ design)
    coefficients = bread @ (design.T @ outcomes)
    residuals = outcomes - design @ coefficients
    contrast = contrast_of(held, doubling)
    influences = design @ (contrast @ bread).T  # rows, kinds
    errors = np.empty_like(coefficients)
    for place in range(outcomes.shape[1]):
        by_game = _sums(influences * residuals[:, [place]], game, len(number))
        errors[:, place] = np.sqrt((by_game**2).sum(axis=0) * len(number) / max(len(number) - 1, 1))
    never = np.bincount(thing, minlength=kinds) == 0
    estimates: Floats = contrast @ coefficients
    estimates[never] = errors[never] = np.nan
    for numbers in (estimates, errors):  # branches that end alike differ by nothing, not by what rounding leaves
        numbers[np.abs(numbers) < ROUNDING] = 0.0
    return estimates, errors


def _sums(values: Floats, game: Any, games: int) -> Floats:
    """Return the sums of rows by game; the rows of a game stand together."""
    begins = np.searchsorted(game, np.arange(games))
    sums: Floats = np.add.reduceat(values, begins, axis=0)
    return sums


def _centered(values: Floats, game: Any, number: Any) -> Floats:
    """Return values minus their mean in each game."""
    centered: Floats = values - (_sums(values, game, len(number)) / number[:, None])[game]
    return centered
