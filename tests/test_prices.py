"""Prices: planted worth and prices are told apart, bargains agree with hand computation, and averages are recovered."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import vinci_lab as vl
from vinci_lab.analysis import influences, plots, plots_prices, prices, slopes, spread
from vinci_lab.analysis.effects import tile_effects
from vinci_lab.cli import app

TILES = ("axes", "boats", "corn", "drums", "elk")
WORTH = np.array([6.0, 0.0, -1.0, 2.0, -7.0])
PRICE = np.array([4.0, 0.0, 1.0, -3.0, -2.0])


def invented(seed: int, games: int = 400) -> Any:
    """Return tables in which tiles add points to what is earned and others to what is paid."""
    rng, players = np.random.default_rng(seed), 4
    game, seat = np.repeat(np.arange(games), players), np.tile(np.arange(players), games)
    civilizations = rng.integers(1, 4, games * players)
    row = np.repeat(np.arange(games * players), civilizations)
    pair = np.argsort(rng.random((len(row), len(TILES))), axis=1)[:, :2]
    sums = [np.bincount(row, points[pair].sum(axis=1), minlength=games * players) for points in (WORTH, PRICE)]
    earned = 100 + 8 * civilizations + sums[0] + np.repeat(rng.normal(0, 20, games), players)
    earned = np.rint(earned + rng.normal(0, 5, games * players)).astype(int)
    received = rng.integers(0, 4, games * players)
    paid = np.rint(30 + sums[1] + received + rng.normal(0, 1, games * players)).astype(int)
    table = pd.DataFrame({"game": game, "seat": seat, "turn_order": seat, "paid": paid, "received": received})
    kinds = pd.CategoricalDtype(list(TILES))
    tiles = {
        name: pd.Categorical.from_codes(pair[:, place], dtype=kinds)
        for place, name in enumerate(("first_tile", "second_tile"))
    }
    holdings = pd.DataFrame({"game": game[row], "seat": seat[row]} | tiles)
    return SimpleNamespace(games=table.assign(score=earned - paid + received, win_share=0.25), holdings=holdings)


@pytest.fixture(scope="module")
def rules() -> vl.Ruleset:
    return vl.ruleset("vinci", players=4)


@pytest.fixture(scope="module")
def runs(rules: vl.Ruleset) -> vl.Runs:
    return vl.simulate(rules, games=2_000, seed=11, progress=False)


# What tiles and pairs are worth


def test_planted_worth_and_prices_are_told_apart() -> None:
    table = vl.fair_prices(invented(1, 4_000)).set_index("tile").loc[list(TILES)]
    assert table["estimate"].to_numpy() == pytest.approx(WORTH - WORTH.mean(), abs=0.3)
    assert table["paid"].to_numpy() == pytest.approx(PRICE - PRICE.mean(), abs=0.1)
    assert table["net"].to_numpy() == pytest.approx((table["estimate"] - table["paid"]).to_numpy())


def test_intervals_of_prices_cover() -> None:
    covered = []
    for seed in range(60):
        table = vl.fair_prices(invented(seed + 50, 150)).set_index("tile").loc[list(TILES)]
        counts = table["n"].to_numpy()
        true = WORTH - np.average(WORTH, weights=counts)
        covered.append(((table["low"] <= true) & (true <= table["high"])).mean())
    assert 0.91 <= np.mean(covered) <= 0.98


def test_pairs_are_worth_about_their_tiles() -> None:
    table = vl.fair_prices(invented(2, 3_000), of="pairs").set_index(["first_tile", "second_tile"])
    assert len(table) == 10
    assert table.loc[("axes", "drums"), "estimate"] == pytest.approx(8.0, abs=0.7)
    assert table.loc[("axes", "drums"), "paid"] == pytest.approx(1.0, abs=0.3)
    assert table["estimate"].is_monotonic_decreasing


@pytest.mark.slow_without_jit
def test_what_is_left_after_the_price_is_the_tile_effect(runs: vl.Runs) -> None:
    table = vl.fair_prices(runs).set_index("tile")
    effects = tile_effects(runs).set_index("tile").loc[table.index]
    assert table["net"].to_numpy() == pytest.approx(effects["estimate"].to_numpy())
    assert table["net_low"].to_numpy() == pytest.approx(effects["low"].to_numpy())
    assert (table["n"] == effects["n"]).all()


@pytest.mark.slow_without_jit
def test_prices_in_batches_are_those_of_the_whole(runs: vl.Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, tray = vl.fair_prices(runs), vl.tray_bargains(runs)
    for module in (influences, prices):
        monkeypatch.setattr(module, "batches", lambda runs: runs.batches(700))
    pd.testing.assert_frame_equal(vl.fair_prices(runs), whole)
    pd.testing.assert_frame_equal(vl.tray_bargains(runs), tray)


# Which place of the tray is a bargain


def small_tray(offers: list[tuple[int, int, str, str, int, int, int, int]]) -> Any:
    columns = ["game", "slot", "first_tile", "second_tile", "price", "coins", "is_legal", "is_taken"]
    table = pd.DataFrame(offers, columns=columns).assign(turn=0, seat=0, holding=0)
    games = pd.DataFrame({"game": sorted(table["game"].unique())})
    return SimpleNamespace(offers=table, games=games)


def test_bargains_agree_with_hand_computation() -> None:
    runs = small_tray(
        [
            (0, 0, "axes", "boats", 0, 1, 1, 1),
            (0, 1, "corn", "axes", 2, 0, 1, 0),
            (1, 0, "corn", "boats", 0, 3, 1, 0),
            (1, 1, "axes", "axes", 2, 0, 1, 1),
            (2, 0, "boats", "boats", 0, 0, 1, 1),
            (2, 1, "axes", "axes", 2, 5, 0, 0),
        ]
    )
    worth = pd.DataFrame({"tile": ["axes", "boats", "corn"], "estimate": [3.0, -1.0, 0.5]})
    table = vl.tray_bargains(runs, worth).set_index("slot")
    brings = {0: np.array([3 - 1 + 1, 0.5 - 1 + 3, -2]), 1: np.array([3.5 - 2, 6 - 2, 6 + 5 - 2])}
    for slot, values in brings.items():
        assert table.loc[slot, "estimate"] == pytest.approx(values.mean())
        half = 1.959964 * np.sqrt(((values - values.mean()) ** 2).sum()) / 3
        assert table.loc[slot, "high"] - table.loc[slot, "low"] == pytest.approx(2 * half)
    assert table["taken"].tolist() == pytest.approx([2 / 3, 1 / 3])
    assert table["best"].tolist() == pytest.approx([2 / 3, 1 / 3])  # the last pair could not be paid
    assert table["taken_estimate"].tolist() == pytest.approx([(3 - 2) / 2, 4])
    pairs = pd.DataFrame({"first_tile": ["boats"], "second_tile": ["axes"], "estimate": [10.0]})
    assert vl.tray_bargains(runs, pairs).loc[0, "worth"] == pytest.approx(10 / 3)


@pytest.mark.slow_without_jit
def test_intervals_of_bargains_cover(rules: vl.Ruleset) -> None:
    whole = vl.tray_bargains(vl.simulate(rules, games=5_000, seed=21, progress=False))
    covered = []
    for block in range(16):
        part = vl.tray_bargains(vl.simulate(rules, games=200, seed=100 + block, progress=False))
        covered.append(((part["low"] <= whole["estimate"]) & (whole["estimate"] <= part["high"])).mean())
    assert np.mean(covered) >= 0.87


# The number at which a tile is average


def straight(rules: vl.Ruleset, slope: float, noise: float = 0.1) -> Any:
    """Return a design in which each tile is average at 4 tokens, and one more adds the same to every tile."""

    def design(played: vl.Ruleset, games: int, seed: int) -> pd.DataFrame:
        names = [name for name, tile in played.content["tiles"].items() if tile["copies"]]
        tokens = np.array([played.content["tiles"][name]["tokens"] for name in names])
        digits = int(played.hash[:8], 16)
        chance = np.random.default_rng([seed, digits]).normal(0, noise, len(names))
        effect = slope * (tokens - 4.0) + chance
        half = 1.959964 * noise
        return pd.DataFrame({"tile": names, "estimate": effect, "low": effect - half, "high": effect + half})

    return design


def test_averages_are_recovered_where_effects_are_straight(rules: vl.Ruleset) -> None:
    table = vl.average_tokens(rules, games=10, design=straight(rules, 1.5), pairs=2)
    mean = np.average([4.0 - tile["tokens"] for tile in rules.content["tiles"].values()], weights=_copies(rules))
    true = 4.0 - mean  # the average tile is the one with the mean number
    assert table["slope"].to_numpy() == pytest.approx(np.full(len(table), 1.5), abs=0.15)
    assert ((table["low"] <= true) & (true <= table["high"])).mean() >= 0.85
    assert (table["recommended"] - true).abs().max() < 1.2
    assert table["change"].is_monotonic_increasing


def _copies(rules: vl.Ruleset) -> list[int]:
    return [tile["copies"] for tile in rules.content["tiles"].values()]


@pytest.mark.slow_without_jit
def test_three_tokens_more_are_asked_back(rules: vl.Ruleset) -> None:
    tables = [
        vl.average_tokens(one, games=2_500, seed=3, pairs=1).set_index("tile")
        for one in (rules, rules.replace({"tiles.militia.tokens": 6}))
    ]
    before, after = (table.loc["militia"] for table in tables)
    width = np.hypot(before["high"] - before["low"], after["high"] - after["low"])
    assert abs(after["change"] - before["change"] + 3) < width
    assert after["high"] - after["number"] < -1
    assert after["variance_gain"] > 0.9


def test_an_interval_is_infinite_when_the_slope_may_be_none() -> None:
    low, high = slopes.fieller([1.0], [0.1], [0.1], [0.2], [0.0], 1.96)
    assert np.isneginf(low).all()
    assert np.isposinf(high).all()


def test_fieller_covers_with_correlated_errors() -> None:
    rng, effect, slope = np.random.default_rng(4), 2.0, 1.0
    drawn = rng.multivariate_normal([effect, slope], [[0.04, 0.015], [0.015, 0.04]], 4_000)
    number = np.ones(4_000)
    low, high = slopes.fieller(drawn[:, 0], 0.2 * number, drawn[:, 1], 0.2 * number, 0.015 * number, 1.959964)
    assert np.mean((low <= -2) & (high >= -2)) == pytest.approx(0.95, abs=0.012)


# Spread without chance


@pytest.mark.parametrize("size", [0.0, 0.3, 1.5])
def test_the_spread_without_chance_is_covered(size: float) -> None:
    rng, tiles, repeats = np.random.default_rng(6), 26, 400
    true = rng.normal(0, 1, tiles)
    weights = rng.integers(1, 4, tiles)
    true = size * (true - np.average(true, weights=weights))
    real = np.sqrt(np.average(true**2, weights=weights))
    errors = 0.4 / np.sqrt(weights)
    found = [spread.true_spread(true + rng.normal(0, errors), np.diag(errors**2), weights) for _ in range(repeats)]
    covered = np.mean([one["low"] - 1e-9 <= real <= one["high"] for one in found])
    assert covered >= 0.92
    squares = np.mean([one["raw"] ** 2 for one in found])
    assert squares > real**2
    if size > 1:
        assert np.mean([one["estimate"] for one in found]) == pytest.approx(real, rel=0.03)


def test_shrinking_goes_to_the_mean_and_keeps_what_is_sure() -> None:
    shrunk, errors, kept = spread.shrink_to_mean([1.0, 2.0, 9.0, np.nan], [0.1, 0.1, 5.0, np.nan])
    assert shrunk[2] < 6
    assert kept[0] > 0.9
    assert np.isfinite(shrunk).all()
    assert errors[3] > errors[0]


# Odd inputs


@pytest.mark.slow_without_jit
def test_three_games_are_refused_in_a_sentence(rules: vl.Ruleset) -> None:
    few = vl.simulate(rules, games=3, progress=False)
    for function in (vl.fair_prices, vl.tray_bargains):
        with pytest.raises(ValueError, match="games: 3 are too few to tell"):
            function(few)
    with pytest.raises(ValueError, match="games: 3 are too few to tell"):
        vl.average_tokens(rules, games=3)
    worth = pd.DataFrame({"tile": ["weapons"], "estimate": [1.0]})
    assert vl.tray_bargains(few, worth)["low"].notna().all()


def test_wrong_arguments_are_refused_in_sentences(rules: vl.Ruleset) -> None:
    with pytest.raises(ValueError, match="of: must be 'tiles' or 'pairs'"):
        vl.fair_prices(invented(1, 50), of="triples")
    with pytest.raises(ValueError, match="worth: the table must have estimate"):
        vl.tray_bargains(small_tray([]), pd.DataFrame({"tile": []}))
    with pytest.raises(ValueError, match=r"what: .* one of tiles.tokens, .* got 'tiles.copies'"):
        vl.average_tokens(rules, what="tiles.copies")
    with pytest.raises(ValueError, match="pairs: must be a whole number of at least 1, got 0"):
        vl.average_tokens(rules, pairs=0)
    with pytest.raises(ValueError, match="estimate is missing"):
        vl.average_tokens(rules, design=lambda rules, games, seed: pd.DataFrame({"tile": ["weapons"]}))


@pytest.mark.slow_without_jit
def test_prices_are_drawn_and_printed(runs: vl.Runs, rules: vl.Ruleset, tmp_path: Path) -> None:
    averages = vl.average_tokens(rules, games=10, design=straight(rules, 1.0))
    for draw, table in (
        (plots_prices.prices, vl.fair_prices(runs)),
        (plots_prices.bargains, vl.tray_bargains(runs)),
        (plots_prices.averages, averages),
    ):
        figure, ax = plots.new_figure(7, 6)
        draw(table, ax)
        assert plots.svg(figure, "prices", "Prices").startswith("<svg")
    arguments = ["prices", "vinci", "--games", "300", "--tokens", "--out", str(tmp_path)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "taken_estimate" in result.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"tiles.csv", "tray.csv", "average.csv"}
