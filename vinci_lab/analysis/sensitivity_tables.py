"""The tables of a sensitivity analysis, from a value per point, game and outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vinci_lab.analysis.rates import Floats, normal_quantile, wilson
from vinci_lab.analysis.sensitivity_design import Unknown
from vinci_lab.analysis.sensitivity_model import DRAWS, Noise, Spread, Surrogate, fit, spread_of
from vinci_lab.analysis.sensitivity_outcomes import TILE, Claim, outcome_group, outcome_title, outcome_unit

SURVIVES, MOSTLY = 0.95, 0.8  # shares of the design's points
VERDICTS = ("survives", "probably survives", "mostly", "depends on the unknowns", "too few games to tell")


class Seen(NamedTuple):
    """What one outcome does over a design: errors of points and of their mean, noise, spread, and linear model."""

    errors: Floats
    common: float
    noise: float
    spread: Spread
    model: Surrogate


@dataclass(frozen=True)
class Found:
    """What was seen at the points of a design.

    Attributes
    ----------
    names : list of str
        Outcomes.
    base : DataFrame
        A row per game with the rules as they are, a column per outcome.
    values : (points, games, outcomes) array
        Games on common keys.
    settings : (points, unknowns) array
        Of the design.
    unknowns : sequence of Unknown
        Its axes.
    level : float
        Of confidence.
    seed : int
        Of the draws of noise.
    """

    names: list[str]
    base: pd.DataFrame
    values: Floats
    settings: NDArray[np.int64]
    unknowns: Sequence[Unknown]
    level: float
    seed: int

    @cached_property
    def means(self) -> Floats:
        """Outcomes by point, (points, outcomes)."""
        return np.asarray(self.values.mean(axis=1), np.float64)

    @cached_property
    def seen(self) -> list[Seen]:
        """What each outcome does over the design."""
        settings = self.settings.astype(np.float64)
        found = []
        for column in range(len(self.names)):
            noise, values = Noise.of(self.values[:, :, column]), self.means[:, column]
            spread = spread_of(values, noise, self.seed)
            model = fit(settings, values, noise, spread, self.level)
            found.append(Seen(noise.errors, noise.common, noise.variance, spread, model))
        return found

    def calm(self, is_cautious: bool = False) -> Floats:
        """Return outcomes by point with the noise taken out, (points, outcomes); cautiously, as little as may be."""
        drawn = [one.spread.calm(self.means[:, column], is_cautious) for column, one in enumerate(self.seen)]
        return np.column_stack(drawn)

    def base_interval(self, name: str) -> tuple[float, float, float]:
        """Return an outcome with the rules as they are, with its interval."""
        column = self.base[name].to_numpy(np.float64)
        middle, error = float(column.mean()), float(column.std(ddof=1) / np.sqrt(len(column)))
        reach = normal_quantile(self.level) * error
        return middle, middle - reach, middle + reach


def conclusions_table(found: Found, claims: Sequence[Claim]) -> pd.DataFrame:
    """Return in which share of the points each claim holds; see :class:`vinci_lab.analysis.sensitivity.Sensitivity`."""
    columns = ["conclusion", "quantity", "sign", "number", "base", "base_low", "base_high", "estimate", "low", "high"]
    columns += ["n", "without_noise", "without_noise_low", "without_noise_high", "contradicted", "verdict"]
    rows: list[dict[str, Any]] = []
    points, drawn, cautious = len(found.means), found.calm(), found.calm(is_cautious=True)
    for claim in claims:
        column = found.names.index(claim.quantity)
        values, reach = found.means[:, column], normal_quantile(found.level) * found.seen[column].errors
        far = values + reach if claim.is_above else values - reach
        holds, calm = claim.holds(values).mean(), claim.holds(drawn[:, column]).mean()
        shift = (1 if claim.is_above else -1) * normal_quantile(found.level) * found.seen[column].common
        least = min(claim.holds(some[:, column] - shift).mean() for some in (drawn, cautious))
        most = claim.holds(drawn[:, column] + shift).mean()
        low, high = wilson(holds * points, points, found.level)
        middle, base_low, base_high = found.base_interval(claim.quantity)
        rows.append(
            {
                "conclusion": claim.text,
                "quantity": claim.quantity,
                "sign": ">" if claim.is_above else "<",
                "number": claim.value,
                **{"base": middle, "base_low": base_low, "base_high": base_high},
                **{"estimate": holds, "low": float(low), "high": float(high), "n": points},
                "without_noise": calm,
                "without_noise_low": least,
                "without_noise_high": most,
                "contradicted": 1 - claim.holds(far).mean(),
                "verdict": _verdict(calm, least, most),
            }
        )
    return pd.DataFrame(rows, columns=columns)


def _verdict(share: float, least: float, most: float) -> str:
    if least >= SURVIVES:
        return VERDICTS[0]
    if share >= SURVIVES:
        return VERDICTS[1]
    if share >= MOSTLY:
        return VERDICTS[2]
    return VERDICTS[3] if most < SURVIVES else VERDICTS[4]


def shares_table(found: Found) -> pd.DataFrame:
    """Return what goes with each unknown, by outcome."""
    parts = []
    reach = normal_quantile(found.level)
    for name, one in zip(found.names, found.seen, strict=True):
        model = one.model
        parts.append(
            pd.DataFrame(
                {
                    "outcome": name,
                    "unknown": [one.name for one in found.unknowns],
                    "estimate": model.shares,
                    "low": model.lows,
                    "high": model.highs,
                    "n": len(found.means),
                    "effect": model.slopes,
                    "effect_low": model.slopes - reach * model.errors,
                    "effect_high": model.slopes + reach * model.errors,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def unknowns_table(found: Found, shares: pd.DataFrame) -> pd.DataFrame:
    """Return the unknowns by how much they matter over all outcomes that vary beyond noise."""
    moving = [name for name, one in zip(found.names, found.seen, strict=True) if one.spread.is_beyond_noise]
    of_moving = shares[shares["outcome"].isin(moving)]
    group = of_moving["outcome"].map(outcome_group)
    order = [one.name for one in found.unknowns]
    by_group = of_moving.groupby([group.rename("group"), "unknown"])[["estimate", "low", "high"]].mean()
    over_all = by_group.groupby("unknown").mean().reindex(order, fill_value=0.0)
    table = pd.DataFrame(
        {
            "unknown": order,
            "kind": [one.kind for one in found.unknowns],
            **{name: over_all[name].to_numpy() for name in ("estimate", "low", "high")},
            "n": len(found.means),
        }
    )
    for name in ("tiles", "places", "course"):
        known = by_group["estimate"].xs(name, level="group") if name in set(group) else pd.Series(dtype=np.float64)
        table[name] = known.reindex(order, fill_value=0.0).to_numpy()
    table = table.assign(
        base=[one.base for one in found.unknowns],
        lowest=[one.low for one in found.unknowns],
        highest=[one.high for one in found.unknowns],
        confidence=[one.confidence for one in found.unknowns],
        reason=[one.reason for one in found.unknowns],
    )
    return table.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def outcomes_table(found: Found, shares: pd.DataFrame, titles: Mapping[str, str]) -> pd.DataFrame:
    """Return how far every outcome varies over the design, and with which unknown."""
    rows = []
    for column, name in enumerate(found.names):
        values, (_, _, noise, spread, model) = found.means[:, column], found.seen[column]
        middle, base_low, base_high = found.base_interval(name)
        first = int(np.argmax(model.shares))
        is_led = spread.is_beyond_noise and model.lows[first] > 0
        rows.append(
            {
                "outcome": name,
                "group": outcome_group(name),
                "unit": outcome_unit(name),
                "meaning": outcome_title(name, titles),
                **{"base": middle, "base_low": base_low, "base_high": base_high},
                **{"estimate": values.mean(), "low": values.min(), "high": values.max(), "n": len(values)},
                **dict(zip(("q05", "q95"), np.quantile(values, [0.05, 0.95]), strict=True)),
                "signal_sd": np.sqrt(spread.signal),
                "noise_sd": np.sqrt(noise),
                "is_beyond_noise": spread.is_beyond_noise,
                "r_squared": model.r_squared,
                "r_squared_possible": spread.possible,
                "first": found.unknowns[first].name if is_led else "",
                "first_share": model.shares[first],
            }
        )
    return pd.DataFrame(rows)


def ranks_table(found: Found, titles: Mapping[str, str]) -> pd.DataFrame:
    """Return the ranks of the tiles over the design, 1 for the greatest effect."""
    columns = [column for column, name in enumerate(found.names) if name.startswith(TILE)]
    tiles = [found.names[column].removeprefix(TILE) for column in columns]
    if not tiles:
        return pd.DataFrame(columns=["tile", "title", "base_rank", "estimate", "low", "high", "n"])
    seen, calm = _ranks(found.means[:, columns]), _ranks(found.calm()[:, columns])
    base = _ranks(np.array([[found.base[found.names[column]].mean() for column in columns]]))[0]
    middle = np.quantile(calm, [0.05, 0.5, 0.95], axis=0)
    noisy = np.quantile(seen, [0.05, 0.95], axis=0)
    alone = np.quantile(_ranks(found.means[:, columns].mean(axis=0) + _noise(found, columns)), [0.05, 0.95], axis=0)
    table = pd.DataFrame(
        {
            "tile": tiles,
            "title": [titles.get(tile, tile) for tile in tiles],
            "base_rank": base.astype(np.int64),
            **{"estimate": middle[1], "low": middle[0], "high": middle[2], "n": len(seen)},
            **{"best": calm.min(axis=0).astype(np.int64), "worst": calm.max(axis=0).astype(np.int64)},
            **{"noisy_low": noisy[0], "noisy_high": noisy[1], "noise_low": alone[0], "noise_high": alone[1]},
        }
    )
    return table.sort_values(["base_rank"], kind="stable", ignore_index=True)


def _noise(found: Found, columns: Sequence[int]) -> Floats:
    """Return draws of the errors of the tiles' effects at one point, (draws, tiles), with their correlations."""
    point = found.values[:, :, list(columns)]
    apart = point[0] - point[0].mean(axis=0)
    games = len(apart)
    rng = np.random.default_rng(found.seed)
    return np.asarray(rng.standard_normal((DRAWS, games)) @ apart / np.sqrt(games * (games - 1)), np.float64)


def _ranks(values: Floats) -> Floats:
    """Return the rank of each column in each row, 1 for the greatest."""
    return np.asarray(np.argsort(np.argsort(-values, axis=1, kind="stable"), axis=1) + 1.0, np.float64)


def values_table(found: Found) -> pd.DataFrame:
    """Return a row per point with its outcomes."""
    table = pd.DataFrame(found.means, columns=found.names)
    table.insert(0, "point", np.arange(len(table)))
    return table


def findings(conclusions: pd.DataFrame, unknowns: pd.DataFrame, outcomes: pd.DataFrame, points: int) -> list[str]:
    """Return what survives and what matters in plain sentences."""
    counts = conclusions["verdict"].value_counts()
    said = [
        f"{len(conclusions)} conclusions in {points} settings: "
        f"{', '.join(f'{one}: {counts.get(one, 0)}' for one in VERDICTS)}. One survives if, the noise of the games "
        f"taken out cautiously, it holds in {SURVIVES:.0%} of settings; probably, if that is the best guess; mostly: "
        f"{MOSTLY:.0%}."
    ]
    for verdict in VERDICTS:
        of_verdict = conclusions[conclusions["verdict"] == verdict]
        for row in of_verdict.sort_values("without_noise_low", ascending=False, kind="stable").itertuples():
            said.append(
                f"  {verdict}: {row.conclusion} ({row.without_noise:.0%} of settings without noise, cautiously "
                f"{row.without_noise_low:.0%}, as seen {row.estimate:.0%})"
            )
    moving = outcomes[outcomes["is_beyond_noise"]]
    if moving.empty:
        return [*said, "No outcome varies beyond the noise of the games: play more games at each point."]
    first = unknowns.iloc[0]
    explained = moving["r_squared"].median() / moving["r_squared_possible"].median()
    return [
        *said,
        f"What matters most is {first.unknown}: {first.estimate:.0%} of the variance ({first.low:.0%} to "
        f"{first.high:.0%}) on average over tiles, places and course of the game"
        f"{'; then ' if len(unknowns) > 1 else ''}{', '.join(unknowns['unknown'].iloc[1:4])}.",
        f"{len(moving)} of {len(outcomes)} outcomes vary beyond noise; the linear model predicts about "
        f"{max(explained, 0.0):.0%} of what can be predicted of them (median, cross-validated).",
    ]
