"""What is not known about some rules, and a design of settings that fills its ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.stats import qmc

from vinci_lab.analysis.rates import Floats
from vinci_lab.engine.ruleset import DataError, Ruleset

DESIGNS = ("lhs", "sobol")
Structures = Mapping[str, Mapping[str, Any]] | Sequence[str]


@dataclass(frozen=True)
class Unknown:
    """A number with a range, or a variant that is there or not.

    Attributes
    ----------
    name : str
        Place of the number, or name of the variant.
    kind : {"number", "structure"}
        A structure is 0 (as in the rules) or 1 (changed).
    base, low, high : int
        Value in the rules, and the range.
    confidence, reason : str
        How sure the rules are of it, and why.
    changes : mapping of str to value
        What a structure changes.
    """

    name: str
    kind: str
    base: int
    low: int
    high: int
    confidence: str
    reason: str
    changes: Mapping[str, Any] = field(default_factory=dict)

    def settings(self, value: int) -> dict[str, Any]:
        """Return the changes of the rules that give it a value."""
        if self.kind == "structure":
            return dict(self.changes) if value else {}
        return {self.name: int(value)}


def unknowns_of(
    rules: Ruleset, unknowns: Sequence[str] | None = None, structures: Structures | None = None
) -> list[Unknown]:
    """Return the numbers of the rules that have a range, and the variants of their structure.

    Parameters
    ----------
    rules : Ruleset
        Whose ``assumed`` and ``variants`` are looked through.
    unknowns : sequence of str, optional
        Places of numbers to keep; all if left out.
    structures : mapping, or sequence of str, optional
        Names of ``rules.variants``, or own ones with the changes each makes; all of ``rules.variants`` if left out.

    Raises
    ------
    ValueError
        If nothing is uncertain, a name is not known, or two structures change the same place.
    """
    numbers = [
        Unknown(
            one["place"], "number", int(one["value"]), one["low"], one["high"], one["confidence"], str(one["reason"])
        )
        for one in rules.assumed
        if one["low"] is not None and one["high"] is not None and one["low"] < one["high"]
    ]
    if unknowns is not None:
        numbers = [_find(name, numbers, "unknowns", "number with a range") for name in unknowns]
    found = [*numbers, *_structures(rules, structures)]
    if not found:
        raise ValueError("rules: they have no number with a range and no variant, so there is nothing to vary")
    _check_apart(found)
    return found


def _structures(rules: Ruleset, asked: Structures | None) -> list[Unknown]:
    if isinstance(asked, Mapping):
        return [
            Unknown(str(name), "structure", 0, 0, 1, "", "given with the call", changes)
            for name, changes in asked.items()
        ]
    known = [
        Unknown(one["name"], "structure", 0, 0, 1, "reconstructed", one["reason"], one["changes"])
        for one in rules.variants
    ]
    return known if asked is None else [_find(name, known, "structures", "variant of these rules") for name in asked]


def _find(name: str, known: Sequence[Unknown], what: str, kind: str) -> Unknown:
    for one in known:
        if one.name == name:
            return one
    options = ", ".join(one.name for one in known) or "none"
    raise ValueError(f"{what}: there is no {kind} {name!r}; there are {options}")


def _check_apart(unknowns: Sequence[Unknown]) -> None:
    """Refuse unknowns of one name, and structures that change the same place."""
    owner: dict[str, str] = {}
    for one in unknowns:
        for place in (one.name, *one.changes):
            if place in owner:
                raise ValueError(f"structures: {one.name!r} and {owner[place]!r} both change {place}; keep one of them")
            owner[place] = one.name


def fill(unknowns: Sequence[Unknown], points: int, seed: int, method: str = "lhs") -> tuple[NDArray[np.int64], Floats]:
    """Return whole-number settings that fill the ranges, and the points of the unit cube they were rounded from.

    Every value of a range has the same share of its axis. A Latin hypercube spreads the points evenly over each axis
    and is then made more even by exchanging coordinates (centered discrepancy); a scrambled Sobol sequence needs a
    power of two points.

    Parameters
    ----------
    unknowns : sequence of Unknown
        The axes.
    points : int
        Number of settings.
    seed : int
        Of the design.
    method : {"lhs", "sobol"}
        Latin hypercube, or Sobol sequence.

    Returns
    -------
    settings : (points, unknowns) int64 array
        A value for each unknown.
    cube : (points, unknowns) float64 array
        From 0 to 1.
    """
    if method not in DESIGNS:
        raise ValueError(f"design: must be one of {', '.join(DESIGNS)}, got {method!r}")
    rng: Any = np.random.default_rng(seed)
    if method == "lhs":
        engine: Any = qmc.LatinHypercube(len(unknowns), optimization="random-cd", seed=rng)
    elif points & (points - 1):
        raise ValueError(f"points: a Sobol sequence needs a power of two, such as 64 or 128, got {points}")
    else:
        engine = qmc.Sobol(len(unknowns), scramble=True, seed=rng)
    cube = np.asarray(engine.random(points), np.float64)
    low = np.array([one.low for one in unknowns])
    width = np.array([one.high - one.low + 1 for one in unknowns])
    return low + np.minimum(np.floor(cube * width), width - 1).astype(np.int64), cube


def evenness(cube: Floats, seed: int) -> dict[str, float]:
    """Return the centered discrepancy of a design, and its mean over independent random points of the same number."""
    rng = np.random.default_rng(seed)
    random = [float(qmc.discrepancy(rng.random(cube.shape))) for _ in range(10)]
    return {"design": float(qmc.discrepancy(cube)), "random": float(np.mean(random))}


def rules_at(rules: Ruleset, unknowns: Sequence[Unknown], settings: NDArray[np.int64]) -> list[Ruleset]:
    """Return the rules at each setting; all are made before anything is played.

    Raises
    ------
    DataError
        If a combination is not allowed, such as a map that falls apart.
    """
    made = []
    for number, row in enumerate(settings):
        changes: dict[str, Any] = {}
        for one, value in zip(unknowns, row, strict=True):
            changes |= one.settings(int(value))
        try:
            made.append(rules.replace(changes))
        except DataError as error:
            changed = [one.name for one, value in zip(unknowns, row, strict=True) if value and one.changes]
            sentence = f"point {number} of the design, with the structures {', '.join(changed) or 'none'}: "
            raise DataError([sentence + problem for problem in error.problems]) from error
    return made


def design_table(rules: Sequence[Ruleset], unknowns: Sequence[Unknown], settings: NDArray[np.int64]) -> pd.DataFrame:
    """Return a row per point: ``point``, a column per unknown, and ``ruleset_hash``."""
    table = pd.DataFrame(settings, columns=[one.name for one in unknowns])
    table.insert(0, "point", np.arange(len(table)))
    return table.assign(ruleset_hash=[one.hash for one in rules])
