"""Studies of tiles by design, at length: false alarms, coverage against a large run, and planted effects."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

import vinci_lab as vl
from tests.test_tile_designs import alarms_allowed, four_players, slices
from vinci_lab.analysis import tile_rows as rows

REPLICATES = 500
PLANTED = {
    "tokens for one tile": {"tiles.militia.tokens": 5, "tiles.militia.tokens_high": 5},
    "points a turn": {"tiles.militia.vp_province": 1},
}


@pytest.mark.parametrize("design", ["market", "randomized"])
def test_tiles_that_are_all_alike_alarm_in_5_percent_of_500_studies(design: str, tell: Callable[[str], None]) -> None:
    found = np.array([one.estimate / one.error for one in slices(design, REPLICATES, 300, seed=60)])
    shares = (np.abs(found) > stats.norm.isf(0.025)).mean(axis=(0, 1))
    low, high = alarms_allowed(6 * REPLICATES)
    for share in shares:
        assert low <= share * 6 * REPLICATES <= high, shares
    listed = ", ".join(f"{name} {share:.4f}" for name, share in zip(rows.OUTCOMES, shares, strict=True))
    tell(f"{design}: share of false alarms in {REPLICATES} studies of 26 tiles: {listed}")


@pytest.mark.parametrize("design", ["market", "randomized", "forked"])
def test_intervals_of_small_studies_cover_what_a_large_one_finds(design: str, tell: Callable[[str], None]) -> None:
    rules = four_players()
    size, replicates = (60, 100) if design == "forked" else (300, 100)
    large = vl.tile_study(rules, design, games=60 * size, seed=1, progress=False).set_index("tile").sort_index()
    covered = []
    for seed in range(2, 2 + replicates):
        found = vl.tile_study(rules, design, games=size, seed=seed, progress=False).set_index("tile").sort_index()
        covered.append((found["low"] <= large["estimate"]) & (large["estimate"] <= found["high"]))
    share = float(np.mean(covered))
    assert 0.91 < share < 0.97
    tell(f"{design}: {share:.3f} of the 95% intervals of {replicates} studies of {size} games cover")


@pytest.mark.parametrize("changes", PLANTED.values(), ids=PLANTED)
def test_planted_effects_are_as_large_as_the_forks_say(changes: dict[str, int], tell: Callable[[str], None]) -> None:
    rules, tile = four_players(), "militia"
    said = []
    contrast = {}
    for design, games in (("forked", 2_000), ("randomized", 20_000), ("market", 20_000)):
        found = [
            vl.tile_study(one, design, games=games, seed=8, progress=False).set_index("tile").loc[tile]
            for one in (rules, rules.replace(changes))
        ]
        half = np.hypot(*(one["high"] - one["estimate"] for one in found))
        contrast[design] = float(found[1]["estimate"] - found[0]["estimate"]), float(half)
        said.append(f"{design} {contrast[design][0]:.2f} +- {half:.2f}")
    truth, half = contrast["forked"]
    assert truth > half
    assert abs(contrast["randomized"][0] - truth) < 1.7 * np.hypot(half, contrast["randomized"][1])
    assert contrast["market"][0] > 0
    tell(f"planted on {tile}: {', '.join(said)} points")
