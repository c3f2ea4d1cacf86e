"""Pairs of tiles: planted synergy is recovered, none is found where none is, rare pairs are shrunk."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import vinci_lab as vl
from vinci_lab.analysis import pairs, plots, plots_balance
from vinci_lab.analysis.effects import tile_effects

TILES = ("axes", "boats", "corn", "drums", "elk", "forts")
WORTH = {"axes": 4.0, "elk": -3.0}
Synergies = Mapping[tuple[str, str], float]


def invented(seed: int, games: int = 400, synergy: Synergies | None = None, rare: str = "") -> Any:
    """Return tables in which tiles add points, and some pairs more than their tiles; one tile may be rare."""
    rng, players = np.random.default_rng(seed), 4
    game, seat = np.repeat(np.arange(games), players), np.tile(np.arange(players), games)
    civilizations = rng.integers(1, 4, games * players)
    row = np.repeat(np.arange(games * players), civilizations)
    weights = np.array([0.05 if tile == rare else 1.0 for tile in TILES])
    keys = rng.exponential(1, (len(row), len(TILES))) / weights
    pair = np.argsort(keys, axis=1)[:, :2]
    worth = np.array([WORTH.get(tile, 0.0) for tile in TILES])[pair].sum(axis=1)
    for (first, second), points in (synergy or {}).items():
        both = np.sort(pair, axis=1) == np.sort([TILES.index(first), TILES.index(second)])
        worth = worth + points * both.all(axis=1)
    score = 100 + np.repeat(rng.normal(0, 20, games), players) + 8 * civilizations + rng.normal(0, 5, games * players)
    score = score + np.bincount(row, worth, minlength=games * players)
    table = pd.DataFrame({"game": game, "seat": seat, "turn_order": seat, "score": np.rint(score).astype(int)})
    kinds = pd.CategoricalDtype(list(TILES))
    tiles = {
        name: pd.Categorical.from_codes(pair[:, place], dtype=kinds)
        for place, name in enumerate(("first_tile", "second_tile"))
    }
    holdings = pd.DataFrame({"game": game[row], "seat": seat[row]} | tiles)
    return SimpleNamespace(games=table.assign(win_share=0.25), holdings=holdings)


def test_a_planted_synergy_is_recovered_and_found() -> None:
    table = pairs.pair_effects(invented(1, 4_000, {("boats", "corn"): 6.0})).set_index(["first_tile", "second_tile"])
    row = table.loc[("boats", "corn")]
    assert row["q_value"] < 0.001
    raw = row["raw"] - row["of_tiles"]
    assert raw == pytest.approx(row["synergy"])
    others = table.drop(("boats", "corn"))
    other = others.loc[[("axes", "boats"), ("axes", "corn"), ("drums", "elk")], "raw"]
    assert row["raw"] - (other.iloc[0] - 4) == pytest.approx(6, abs=0.8)
    assert row["raw"] - (other.iloc[1] - 4) == pytest.approx(6, abs=0.8)


def test_without_synergy_the_sum_of_the_tiles_is_all() -> None:
    table = pairs.pair_effects(invented(2, 4_000)).set_index(["first_tile", "second_tile"])
    assert (table["shrunk"].abs() < 0.5).all()
    apart = table.loc[("axes", "boats"), "estimate"] - table.loc[("boats", "elk"), "estimate"]
    assert apart == pytest.approx(7, abs=0.5)
    assert (table["q_value"] > 0.05).all()


def test_false_alarms_are_rare_and_intervals_cover_where_there_is_no_synergy() -> None:
    alarms, covered = 0, []
    for seed in range(60):
        table = pairs.pair_effects(invented(seed + 100, 200))
        alarms += bool((table["q_value"] < 0.1).any())
        covered.append(((table["synergy_low"] <= 0) & (table["synergy_high"] >= 0)).mean())
    assert alarms / 60 <= 0.1 + 2.6 * np.sqrt(0.1 * 0.9 / 60)
    assert 0.92 <= np.mean(covered) <= 0.98


def test_shrunk_intervals_cover_on_average_over_pairs() -> None:
    rng, covered = np.random.default_rng(8), []
    names = [(first, second) for place, first in enumerate(TILES) for second in TILES[place + 1 :]]
    for seed in range(40):
        drawn = dict(zip(names, rng.normal(0, 3, len(names)), strict=True))
        table = pairs.pair_effects(invented(seed + 500, 200, drawn))
        true = np.array(
            [
                WORTH.get(first, 0) + WORTH.get(second, 0) + drawn[first, second]
                for first, second in zip(table["first_tile"], table["second_tile"], strict=True)
            ]
        )
        true = true - np.average(true, weights=table["n"])
        covered.append(((table["low"] <= true) & (true <= table["high"])).mean())
    assert 0.92 <= np.mean(covered) <= 0.98


def test_a_rare_pair_is_shrunk_more_than_a_common_one() -> None:
    synergy = {("boats", "corn"): 5.0, ("drums", "elk"): -5.0}
    table = pairs.pair_effects(invented(3, 600, synergy, rare="forts"))
    kept = table["shrunk"] / table["synergy"]
    is_rare = table["second_tile"] == "forts"
    assert kept[is_rare].max() < kept[~is_rare].min()
    assert ((table["high"] - table["low"])[is_rare].min()) > (table["high"] - table["low"])[~is_rare].max()


def test_pairs_of_a_few_games_are_not_tested() -> None:
    table = pairs.pair_effects(invented(4, 150, rare="forts"))
    assert table.loc[table["games"] < pairs.LEAST_GAMES, "p_value"].isna().all()
    assert table["games"].min() < pairs.LEAST_GAMES


def test_coefficients_are_those_of_plain_least_squares() -> None:
    runs = invented(5, 120)
    table = pairs.pair_effects(runs)
    games, lives = runs.games, runs.holdings
    names = list(zip(table["first_tile"], table["second_tile"], strict=True))
    design = np.zeros((len(games), len(names) + 3))
    for game, seat, first, second in lives.itertuples(index=False):
        name = tuple(sorted((first, second)))
        design[game * 4 + seat, names.index(name)] += 1
    for place in (1, 2, 3):
        design[:, len(names) + place - 1] = games["turn_order"] == place
    dummies = np.kron(np.eye(120), np.ones((4, 1)))
    fitted = np.linalg.lstsq(np.hstack([design, dummies]), games["score"], rcond=None)[0][: len(names)]
    fitted = fitted - np.average(fitted, weights=table["n"])
    assert table["raw"].to_numpy() == pytest.approx(fitted)


def test_too_few_games_are_refused_in_a_sentence() -> None:
    with pytest.raises(ValueError, match="pairs: 3 games are too few to tell"):
        pairs.pair_effects(invented(6, 3))


@pytest.mark.slow_without_jit
def test_pairs_of_real_games_in_batches_are_those_of_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = vl.simulate(vl.ruleset("vinci", players=4), games=1_200, seed=2, progress=False)
    whole = pairs.pair_effects(runs)
    assert whole["n"].sum() == len(runs.holdings)
    tiles = tile_effects(runs).set_index("tile")["estimate"]
    of_tiles = whole["first_tile"].map(tiles) + whole["second_tile"].map(tiles)
    assert np.corrcoef(whole["of_tiles"], of_tiles)[0, 1] > 0.9
    monkeypatch.setattr(pairs, "batches", lambda runs: runs.batches(500))
    again = pairs.pair_effects(runs)
    pd.testing.assert_frame_equal(again, whole)
    figure, ax = plots.new_figure(7, 6)
    plots_balance.pair_map(whole, ax)
    assert plots.svg(figure, "pairs", "Pairs").startswith("<svg")
