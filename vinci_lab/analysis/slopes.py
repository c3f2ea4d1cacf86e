"""What one more is worth: a planned experiment on all tiles at once, and the number at which a tile is average."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.analysis.influences import NET, Effects, effects_of_table, market_effects
from vinci_lab.analysis.rates import Floats, normal_quantile
from vinci_lab.analysis.spread import shrink_to_mean
from vinci_lab.analysis.tiles import DESIGNS, tile_study
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.seats import Agent
from vinci_lab.simulation.simulate import simulate

MARKET = "market"
Design = str | Callable[[Ruleset, int, int], pd.DataFrame]


@dataclass(frozen=True)
class Adjustable:
    """The numbers of the tiles that are adjusted.

    Attributes
    ----------
    game, place, column, unit : str
        Such as "vinci", "tiles.tokens", "tokens", "tokens".
    tiles : tuple of str
        Those in the bag.
    values, copies : (tiles,) int64 arrays
        The numbers, and the copies in the bag.
    lowest, highest : int
        Allowed numbers.
    provenance : mapping
        ``(confidence, low, high)`` by tile, as far as the data say.
    """

    game: str
    place: str
    column: str
    unit: str
    tiles: tuple[str, ...]
    values: Any
    copies: Any
    lowest: int
    highest: int
    provenance: Mapping[str, tuple[str, int, int]]

    @classmethod
    def of(cls, rules: Ruleset, what: str) -> Adjustable:
        """Return the numbers a place names, or raise ``ValueError`` if they cannot be adjusted."""
        try:
            module = importlib.import_module(f"vinci_lab.games.{rules.game}.adjusting")
        except ModuleNotFoundError:
            raise ValueError(f"what: the game {rules.game} does not say what can be adjusted") from None
        listed = module.adjustable(rules)
        if what not in listed:
            raise ValueError(
                f"what: must be a number that a tile can have more or less of, one of {', '.join(listed)}, got {what!r}"
            )
        about = listed[what]
        return cls(
            rules.game,
            what,
            about["column"],
            about["unit"],
            tuple(about["values"]),
            np.array(list(about["values"].values()), np.int64),
            np.array(list(about["copies"].values()), np.int64),
            about["lowest"],
            about["highest"],
            about["provenance"],
        )

    def rules(self, rules: Ruleset, values: Any, study: str = "") -> Ruleset:
        """Return rules with other numbers; with a ``study``, it is written beside them what set them."""
        if study:
            module = importlib.import_module(f"vinci_lab.games.{rules.game}.adjusting")
            named = dict(zip(self.tiles, np.asarray(values).tolist(), strict=True))
            found: Ruleset = module.adjusted(rules, self.column, named, study)
            return found
        group = self.place.split(".")[0]
        return rules.replace(
            {
                f"{group}.{tile}.{self.column}": int(value)
                for tile, value, now in zip(self.tiles, values, self.values, strict=True)
                if value != now
            }
        )


@dataclass(frozen=True)
class Measuring:
    """How tile effects are measured: the design of a tile study, games, seed and agents."""

    design: Design
    games: int
    seed: int
    agents: Agent | Sequence[Agent]
    n_jobs: int

    def effects(self, rules: Ruleset, numbers: Adjustable, seed: int | None = None) -> Effects:
        """Return the effects of the tiles in the bag under some rules, against their mean weighted by copies."""
        key = self.seed if seed is None else seed
        if callable(self.design):
            found = effects_of_table(self.design(rules, self.games, key), numbers.tiles)
        elif self.design == MARKET:
            runs = simulate(rules, self.agents, self.games, key, self.n_jobs, progress=False)
            if not runs.is_complete:
                raise KeyboardInterrupt
            found = _of_tiles(market_effects(runs)[NET], numbers.tiles)
        else:
            settings: Any = {"games": self.games, "seed": key, "n_jobs": self.n_jobs, "progress": False}
            found = effects_of_table(tile_study(rules, self.design, self.agents, **settings), numbers.tiles)
        return found.against(numbers.copies.astype(np.float64))


def _of_tiles(effects: Effects, tiles: tuple[str, ...]) -> Effects:
    """Return the effects of some tiles, in their order."""
    at = [effects.tiles.index(tile) for tile in tiles]
    shares = None if effects.shares is None else effects.shares[:, at]
    return Effects(tiles, effects.estimate[at], effects.covariance[np.ix_(at, at)], shares)


def check_measuring(games: Any, pairs: Any, design: Any) -> None:
    """Raise ``ValueError`` unless an experiment can be made of these."""
    if isinstance(games, bool) or not isinstance(games, Integral) or games < 2:
        raise ValueError(f"games: must be a whole number of at least 2, got {games!r}")
    if isinstance(pairs, bool) or not isinstance(pairs, Integral) or pairs < 1:
        raise ValueError(f"pairs: must be a whole number of at least 1, got {pairs!r}")
    if not callable(design) and design not in DESIGNS:
        raise ValueError(
            f"design: must be one of {', '.join(DESIGNS)}, or a function of rules, games and seed, got {design!r}"
        )


@dataclass(frozen=True)
class Slopes:
    """Tile effects under some rules and what one more of a number adds to each.

    Attributes
    ----------
    effects : Effects
        Under the rules as they are.
    raw, raw_error : (tiles,) arrays
        Points for one more, by tile; NaN where the number could not be moved.
    slope, error : (tiles,) arrays
        The same, shrunk towards the mean of all tiles.
    covariance : (tiles,) array
        Of ``slope`` with the effect.
    gain : (tiles,) array
        Variance that independent games would give ``raw``, divided by the one of games on common keys.
    """

    effects: Effects
    raw: Floats
    raw_error: Floats
    slope: Floats
    error: Floats
    covariance: Floats
    gain: Floats


def measure_slopes(rules: Ruleset, numbers: Adjustable, by: Measuring, pairs: int = 1) -> Slopes:
    """Return what one more of a number is worth for every tile, from few runs in which all tiles are moved at once.

    A foldover design: in a run half of the tiles, chosen at random, have one more and the others one less, and in its
    twin all the other way round, so that the tiles as a whole stay alike. Half of the difference of a tile's effects in
    the two is its slope; what the other tiles' moves do to it cancels on average over the random choices. Where one
    less is not allowed, the tile stays as it is in that run, and the slope is the one of a step upwards. All runs, the
    one under the rules as they are included, have the same keys.

    Parameters
    ----------
    rules : Ruleset
        The rules as they are.
    numbers : Adjustable
        What is moved.
    by : Measuring
        Design, games of each run, seed and agents.
    pairs : int
        Random choices of tiles; the number of runs is one more than twice as many.
    """
    base = by.effects(rules, numbers)
    rng, number = np.random.default_rng(by.seed), len(numbers.tiles)
    total, squares, alone, shared, with_base = (np.zeros(number) for _ in range(5))
    shares: Any = 0.0
    for _ in range(pairs):
        signs = rng.permutation(np.where(np.arange(number) % 2 == 0, 1, -1))
        moved = [np.clip(numbers.values + way, numbers.lowest, numbers.highest) for way in (signs, -signs)]
        up, down = (by.effects(numbers.rules(rules, values), numbers) for values in moved)
        step = (moved[0] - moved[1]).astype(np.float64)
        total += step * (up.estimate - down.estimate)
        squares += step**2
        alone += step**2 * (up.error**2 + down.error**2)
        shared += 2 * step**2 * up.between(down)
        with_base += step * (base.between(up) - base.between(down))
        if up.shares is not None and down.shares is not None:
            shares = shares + step * (up.shares - down.shares)
    squares = np.where(squares > 0, squares, np.nan)
    raw = total / squares
    variance = ((shares**2).sum(axis=0) if isinstance(shares, np.ndarray) else alone - shared) / squares**2
    error = np.sqrt(variance)
    slope, slope_error, kept = shrink_to_mean(raw, error)
    covariance = kept * np.nan_to_num(with_base / squares)
    return Slopes(base, raw, error, slope, slope_error, covariance, alone / squares**2 / variance)


def average_tokens(
    rules: Ruleset,
    games: int = 10_000,
    seed: int = 7,
    agents: Agent | Sequence[Agent] = "greedy",
    what: str = "tiles.tokens",
    design: Design = MARKET,
    pairs: int = 2,
    level: float = 0.95,
    n_jobs: int = -1,
) -> pd.DataFrame:
    """Return the red number at which each tile would be average, by playing with numbers one more and one less.

    The estimand of ``estimate`` is the number at which holding the tile would go with as many points as holding the
    average tile of these rules does now (weighted by copies in the bag), all else being as it is, if the effect of the
    tile were linear in its number with the slope measured between one less and one more. It holds near the present
    number and for these agents; far from it, it says which way and roughly how far. Effect and slope are measured on
    common keys (:func:`measure_slopes`); slopes are shrunk towards their mean over tiles. The interval is
    Fieller's: the numbers at which the tile being average is not refuted; it is infinite when the slope is not told
    from 0.

    Parameters
    ----------
    rules : Ruleset
        The rules as they are.
    games : int
        Games of each of ``1 + 2 * pairs`` runs.
    seed : int
        Of all runs.
    agents : str, callable, or a sequence of them
        As for :func:`simulate`.
    what : str
        The number to be found: ``tiles.tokens`` or another one of tiles that they can have more or less of.
    design : str or callable
        How effects are measured: one of :func:`vinci_lab.analysis.tiles.tile_study`, ``"market"``, ``"randomized"`` or
        ``"forked"``; or a function of rules, games and seed that returns a table with ``tile, estimate, low, high`` (of
        95% intervals).
    pairs : int
        Pairs of runs the slopes are measured by.
    level : float
        Of confidence.
    n_jobs : int
        Games in parallel.

    Returns
    -------
    DataFrame
        A row per tile in the bag, those with most to lose first: ``tile, number`` (as it is); ``estimate, low, high,
        n`` (games of each run), the average number; ``change``, estimate less number; ``recommended``, the nearest
        allowed whole number; ``is_allowed``, whether the average number is no further than half from one that is
        allowed; ``effect`` in points and ``slope`` in points for one more, each with ``_low`` and ``_high``;
        ``raw_slope``, not shrunk; ``variance_gain``, how many times as many games the slope would need on independent
        keys. NaN for a tile that was never held.

    Raises
    ------
    ValueError
        If an argument is not allowed, or there are too few games.

    References
    ----------
    Fieller, Some problems in interval estimation (1954). Box and Wilson, On the experimental attainment of optimum
    conditions (1951), for foldover designs.
    """
    check_measuring(games, pairs, design)
    reach, numbers = normal_quantile(level), Adjustable.of(rules, what)
    found = measure_slopes(rules, numbers, Measuring(design, games, seed, agents, n_jobs), pairs)
    effect, slope = found.effects.estimate, found.slope
    low, high = fieller(effect, found.effects.error, slope, found.error, found.covariance, reach)
    with np.errstate(divide="ignore", invalid="ignore"):
        change = -effect / slope
    wanted = numbers.values + change
    whole = np.clip(np.rint(np.nan_to_num(wanted)), numbers.lowest, numbers.highest).astype(np.int64)
    table = pd.DataFrame(
        {
            "tile": numbers.tiles,
            "number": numbers.values,
            "estimate": wanted,
            "low": numbers.values + low,
            "high": numbers.values + high,
            "n": games,
            "change": change,
            "recommended": np.where(np.isfinite(wanted), whole, numbers.values),
            "is_allowed": np.abs(wanted - whole) <= 0.5,
            **_with_limits("effect", effect, found.effects.error, reach),
            **_with_limits("slope", slope, found.error, reach),
            "raw_slope": found.raw,
            "variance_gain": found.gain,
        }
    )
    return table.sort_values("change", kind="stable", ignore_index=True)


def _with_limits(name: str, estimate: Floats, error: Floats, reach: float) -> dict[str, Floats]:
    return {name: estimate, f"{name}_low": estimate - reach * error, f"{name}_high": estimate + reach * error}


def fieller(
    effect: Any, effect_error: Any, slope: Any, slope_error: Any, covariance: Any, reach: float
) -> tuple[Floats, Floats]:
    """Return Fieller's limits of ``-effect / slope``: where ``effect + change * slope`` is not told from 0.

    Parameters
    ----------
    effect, effect_error, slope, slope_error, covariance : array_like
        Estimates, their standard errors, and the covariance of the two.
    reach : float
        Standard errors to each side, such as 1.96.

    Returns
    -------
    low, high : arrays
        Minus and plus infinity where the slope is not told from 0.
    """
    e, s, c = (np.asarray(one, np.float64) for one in (effect, slope, covariance))
    square = reach**2
    a = s**2 - square * np.asarray(slope_error, np.float64) ** 2
    b = e * s - square * c
    rest = e**2 - square * np.asarray(effect_error, np.float64) ** 2
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(np.maximum(b**2 - a * rest, 0.0))
        low, high = (-b - root) / a, (-b + root) / a
    told = a > 0
    unknown = np.isnan(a) | np.isnan(rest)
    return (
        np.where(unknown, np.nan, np.where(told, low, -np.inf)),
        np.where(unknown, np.nan, np.where(told, high, np.inf)),
    )
