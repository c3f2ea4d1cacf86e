"""Least squares for how seats end on what they and the others held, with errors that allow for games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from vinci_lab.analysis.rates import Floats

CUTOFF = 1e-10  # share of the largest eigenvalue below which a direction counts as undetermined


class Effects(NamedTuple):
    """Effects of each thing on some outcomes, with standard errors; NaN for things that were never held.

    Attributes
    ----------
    estimate, error : (things, outcomes) float64 array
    """

    estimate: Floats
    error: Floats


def contrast_of(held: Floats, doubling: Floats) -> Floats:
    """Return what turns coefficients of things into effects against the average thing, with an average partner.

    A thing that makes its partner count twice is worth its own coefficient and one average partner more. Where every
    holding has two things, only such differences are determined.

    Parameters
    ----------
    held : (things,) array
        How often each was held: the weights of the average.
    doubling : (things,) array
        How often each makes its partner count once more.
    """
    number = len(held)
    weights = held / max(float(held.sum()), 1.0)
    partners = np.where(doubling > 0, 0.0, held)
    partners = partners / max(float(partners.sum()), 1.0)
    against_partner = np.eye(number) + np.outer(doubling - 1.0, partners)
    contrast: Floats = (np.eye(number) - weights) @ against_partner
    return contrast


def inverse_of(squares: Floats) -> Floats:
    """Return the inverse of a matrix of cross-products, 0 in undetermined directions."""
    scale = np.sqrt(np.maximum(np.diag(squares), 1e-300))
    inverse: Floats = np.asarray(np.linalg.pinv(squares / np.outer(scale, scale), rcond=CUTOFF, hermitian=True))
    unscaled: Floats = inverse / np.outer(scale, scale)
    return unscaled


class SeatModel:
    """Outcomes of a seat on what it held, what the others held, and its place in turn order.

    The seats of a game are split into what differs between them and what they have in common, which are fitted apart:
    for outcomes whose sum over a game is fixed, such as shares of the win, this is a fixed effect for every game. Held
    things are added some games at a time, in two passes; errors allow for any dependence within a game.
    """

    def __init__(self) -> None:
        self._squares, self._products, self._meat = (np.zeros(1) for _ in range(3))  # they grow when added to
        self._bread: Floats = np.zeros(0)
        self._coefficients: Floats = np.zeros(0)
        self.games = 0
        self._seats = self._things = 0

    def add(self, held: Floats, order: Floats, outcomes: Floats) -> None:
        """Add what the coefficients need.

        Parameters
        ----------
        held : (games, seats, things) array
            Numbers held, or what chance made of them.
        order : (games, seats) array
            Place of each seat in turn order.
        outcomes : (games, seats, outcomes) array
        """
        self.games, self._seats, self._things = self.games + len(held), held.shape[1], held.shape[2]
        design = _design(held, order).reshape(-1, 2 * self._things + self._seats)
        self._squares = self._squares + design.T @ design
        self._products = self._products + design.T @ outcomes.reshape(len(design), -1)

    def add_residuals(self, held: Floats, order: Floats, outcomes: Floats) -> None:
        """Add what the errors need, when all games have been added."""
        if not self._coefficients.size:
            self._bread = inverse_of(self._squares)
            self._coefficients = self._bread @ self._products
        design = _design(held, order)
        residuals = outcomes - design @ self._coefficients
        by_game = design.transpose(0, 2, 1) @ residuals  # games, columns, outcomes
        self._meat = self._meat + by_game.transpose(2, 1, 0) @ by_game.transpose(2, 0, 1)

    def effects(self, contrast: Floats, held: Floats) -> Effects:
        """Return the effects of what the seat itself holds: rows of ``contrast`` on the things' coefficients."""
        wanted = contrast @ self._own()
        half = wanted @ self._bread
        scale = self.games / max(self.games - 1, 1)
        variances = np.einsum("ij,ojk,ik->io", half, self._meat, half, optimize=True) * scale
        errors = np.sqrt(np.maximum(variances, 0))
        unknown = (held == 0)[:, None] | (errors == 0)
        estimate = np.where((held == 0)[:, None], np.nan, wanted @ self._coefficients)
        return Effects(estimate, np.where(unknown, np.nan, errors))

    def contributions(self, contrast: Floats, held: Floats, order: Floats, outcomes: Floats) -> Floats:
        """Return what each game contributes to the error of each effect, (games, things, outcomes).

        To first order the error of an effect is the sum of its games' contributions, which sum to 0.
        """
        design = _design(held, order)
        residuals = outcomes - design @ self._coefficients
        by_game = design.transpose(0, 2, 1) @ residuals
        parts: Floats = (contrast @ self._own() @ self._bread) @ by_game
        return parts

    def _own(self) -> Floats:
        """Return what turns the model's coefficients into those of what the seat itself holds."""
        seats, things = self._seats, self._things
        own = np.zeros((things, 2 * things + seats))
        own[:, :things] = np.eye(things) * (1 - 1 / seats)
        own[:, things + seats - 1 : 2 * things + seats - 1] = np.eye(things) / seats
        return own


def _design(held: Floats, order: Floats) -> Floats:
    """Return the regressors: differences within the game, places in turn order, what the game has in common, one."""
    games, seats, things = held.shape
    common = held.mean(axis=1, keepdims=True)
    places = (order[:, :, None] == np.arange(1, seats)) - 1 / seats
    design = np.empty((games, seats, 2 * things + seats))
    design[:, :, :things] = held - common
    design[:, :, things : things + seats - 1] = places
    design[:, :, things + seats - 1 : -1] = common
    design[:, :, -1] = 1.0
    return design
