"""Leveling: planted imbalances are taken back, what is level stays, the files load, and the steps are the best ones."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import vinci_lab as vl
from tests.test_prices import straight
from vinci_lab.analysis import leveling
from vinci_lab.cli import app
from vinci_lab.datafiles import data_root


@pytest.fixture(scope="module")
def rules() -> vl.Ruleset:
    return vl.ruleset("vinci", players=4)


@pytest.fixture(scope="module")
def level_rules(rules: vl.Ruleset) -> vl.Ruleset:
    """Return rules in which every tile brings four tokens, which levels a straight design."""
    return rules.replace({f"tiles.{name}.tokens": 4 for name in rules.content["tiles"]})


@pytest.fixture(scope="module")
def small(rules: vl.Ruleset) -> vl.Rebalance:
    return vl.rebalance(rules, games=2_500, seed=7, rounds=2)


# Steps


@pytest.mark.parametrize("seed", range(6))
def test_steps_are_the_best_of_all_that_keep_the_mean(seed: int) -> None:
    rng, tiles = np.random.default_rng(seed), 5
    copies = np.array([2, 1, 2, 3, 2])
    values = rng.integers(0, 6, tiles)
    printed = values.copy()
    low, high = np.maximum(printed - 2, 0), printed + 2
    penalty = [0.0, 0.05, 0.5][seed % 3]
    slopes = rng.uniform(0.5, 2.0, tiles)
    problem = leveling.Problem(rng.normal(0, 3, tiles), slopes, values, printed, copies, low, high, penalty)
    found = leveling.level(problem)
    every = [
        np.array(one)
        for one in itertools.product(*(range(a, b + 1) for a, b in zip(low, high, strict=True)))
        if (copies * (np.array(one) - printed)).sum() == 0
    ]
    assert (copies * (found - printed)).sum() == 0
    assert problem.loss(found) == pytest.approx(min(problem.loss(one) for one in every), abs=1e-9)


# What is planted is taken back


def test_a_planted_imbalance_is_taken_back(level_rules: vl.Ruleset) -> None:
    planted = {"tiles.weapons.tokens": 7, "tiles.heritage.tokens": 1, "tiles.militia.tokens": 6}
    planted["tiles.messages.tokens"] = 2
    uneven = level_rules.replace(planted)
    found = vl.rebalance(uneven, games=10, design=straight(uneven, 1.5))
    assert found.changes == dict.fromkeys(planted, 4)
    assert found.spreads["estimate"].iloc[1] < 0.1 * found.spreads["estimate"].iloc[0]


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("design", ["randomized", "forked"])
def test_a_tile_with_far_too_many_tokens_is_leveled_by_dealing_and_by_assigning(design: str, rules: vl.Ruleset) -> None:
    generous = rules.replace({"tiles.militia.tokens": 9})
    found = vl.rebalance(generous, games=150, seed=8, rounds=1, design=design)
    militia = found.tiles.set_index("tile").loc["militia"]
    assert militia["after"] == 6  # as far as one round may go
    assert militia["effect_after_high"] < militia["effect_before_low"]


def test_what_is_level_stays_as_it_is(level_rules: vl.Ruleset) -> None:
    for seed in range(8):
        found = vl.rebalance(level_rules, games=10, seed=seed, design=straight(level_rules, 1.5, noise=0.3))
        assert found.changes == {}
        assert found.leveled == level_rules
        assert len(found.steps) == 1


@pytest.mark.slow_without_jit
def test_games_with_one_kind_of_effect_leave_nothing_to_change(level_rules: vl.Ruleset) -> None:
    plain = set(level_rules.content["tiles"]["barbarians"]) - {"number", "title", "color", "copies", "reason"}
    numbers = {name: level_rules.content["tiles"]["barbarians"][name] for name in plain}
    alike = level_rules.replace(
        {f"tiles.{tile}.{name}": value for tile in level_rules.content["tiles"] for name, value in numbers.items()}
    )
    found = vl.rebalance(alike, games=1_500, rounds=1)
    assert found.changes == {}
    assert found.spreads["low"].max() < 0.3


@pytest.mark.slow_without_jit
def test_fresh_games_find_less_than_half_of_the_spread(small: vl.Rebalance) -> None:
    before, after = small.spreads.iloc[0], small.spreads.iloc[1]
    assert after["high"] < before["low"] / 2
    assert before["raw"] > before["estimate"]
    assert not set(small.steps["seed"]) & {7 + len(small.steps)}


@pytest.mark.slow_without_jit
def test_the_mean_and_the_limits_are_kept(small: vl.Rebalance, rules: vl.Ruleset) -> None:
    copies = small.tiles["tile"].map({name: tile["copies"] for name, tile in rules.content["tiles"].items()})
    assert (copies * small.tiles["change"]).sum() == 0
    assert small.tiles["change"].abs().max() <= 3
    assert small.tiles["after"].between(0, 20).all()


def test_a_high_penalty_changes_less(rules: vl.Ruleset) -> None:
    moved = [
        len(vl.rebalance(rules, games=10, design=straight(rules, 1.5), penalty=penalty).changes)
        for penalty in (0.05, 5.0, 1e6)
    ]
    assert moved[0] > moved[1] > moved[2] == 0


def test_other_numbers_of_tiles_can_be_leveled(rules: vl.Ruleset) -> None:
    found = vl.rebalance(rules, "tiles.tokens_turn_start", games=10, design=straight(rules, 1.5), rounds=1)
    assert found.unit == "tokens per turn"
    assert found.changes == {}  # this design does not look at it, so nothing is gained by moving it
    assert "likely or reconstructed" not in repr(found)


# Files


@pytest.mark.slow_without_jit
def test_the_written_edition_loads_as_the_leveled_rules(small: vl.Rebalance, rules: vl.Ruleset, tmp_path: Path) -> None:
    folder = small.save(tmp_path / "leveled")
    loaded = vl.ruleset("vinci", players=4, data=folder / "data")
    notes = {
        f"tiles.{name}.{column}": loaded.content["tiles"][name][column]
        for name in rules.content["tiles"]
        for column in ("confidence", "reason")
    }
    assert loaded.hash == small.leveled.hash == rules.replace({**small.changes, **notes}).hash
    assert not any(one.problems for one in vl.check_folder(folder / "data"))
    assert "other places" not in (folder / "summary.txt").read_text()
    assert {"tiles.csv", "spreads.csv", "steps.csv", "rebalance.svg"} <= {path.name for path in folder.iterdir()}
    places = (data_root() / "vinci" / "tabletop" / "tiles.csv", folder / "data" / "vinci" / "tabletop" / "tiles.csv")
    both = [list(csv.DictReader(place.read_text(encoding="utf-8").splitlines())) for place in places]
    for old, new in zip(*both, strict=True):
        is_changed = f"tiles.{old['name']}.tokens" in small.changes
        assert (old == new) is not is_changed
        assert (new["confidence"] == "house") is is_changed
        if is_changed:
            assert new["reason"].startswith("Set by a study that levels tiles.tokens, 2500 games a run, seed 7, greedy")
            assert f"before: {old['tokens']} ({old['confidence']}): {old['reason']}"[:40] in new["reason"]
    assert not {one["place"] for one in loaded.assumed} & set(small.changes)


def test_a_folder_that_cannot_hold_all_changes_says_so(level_rules: vl.Ruleset, tmp_path: Path) -> None:
    uneven = level_rules.replace({"tiles.weapons.tokens": 7, "tiles.heritage.tokens": 1, "victory_threshold": 90})
    found = vl.rebalance(uneven, games=10, design=straight(uneven, 1.5))
    found.save(tmp_path)
    assert "changes in other places than the tiles" in (tmp_path / "summary.txt").read_text()
    written = vl.ruleset("vinci", players=4, data=tmp_path / "data")
    assert written.content["tiles"] == found.leveled.content["tiles"]


def test_a_second_study_keeps_what_was_printed_in_its_note(level_rules: vl.Ruleset) -> None:
    uneven = level_rules.replace({"tiles.weapons.tokens": 7, "tiles.heritage.tokens": 1})
    once = vl.rebalance(uneven, games=10, design=straight(uneven, 1.5)).leveled
    again = once.replace({"tiles.weapons.tokens": 6, "tiles.heritage.tokens": 2})
    twice = vl.rebalance(again, games=10, design=straight(again, 1.5)).leveled
    assert twice.content["tiles"]["weapons"]["reason"].count("before:") == 1
    assert "7 (likely)" in twice.content["tiles"]["weapons"]["reason"]


# Odd inputs


def test_wrong_arguments_are_refused_in_sentences(rules: vl.Ruleset) -> None:
    for settings, sentence in (
        ({"what": "tiles.astronomy"}, "what: must be a number that a tile can have more or less of"),
        ({"what": "victory_threshold"}, "one of tiles.tokens, .* got 'victory_threshold'"),
        ({"games": 0}, "games: must be a whole number of at least 2, got 0"),
        ({"penalty": -1}, "penalty: must be a number of at least 0, got -1"),
        ({"max_change": 0}, "max_change: must be a whole number of at least 1, got 0"),
        ({"rounds": 1.5}, "rounds: must be a whole number of at least 1, got 1.5"),
        ({"design": "guess"}, "design: must be one of market, randomized, forked, or a function"),
    ):
        with pytest.raises(ValueError, match=sentence):
            vl.rebalance(rules, **settings)  # type: ignore[arg-type]


@pytest.mark.slow_without_jit
def test_three_games_are_refused_in_a_sentence() -> None:
    result = CliRunner().invoke(app, ["rebalance", "vinci", "--games", "3"])
    assert result.exit_code == 2
    assert "games: 3 are too few to tell" in result.output


@pytest.mark.slow_without_jit
def test_the_command_prints_and_writes(tmp_path: Path) -> None:
    arguments = [
        "rebalance",
        "vinci",
        "--games",
        "400",
        "--rounds",
        "1",
        "--also",
        "random",
        "--out",
        str(tmp_path / "out"),
    ]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "Between random: " in result.stdout
    assert "this levels a reconstruction" in " ".join(result.stdout.split())
    assert (tmp_path / "out" / "data" / "vinci" / "tabletop" / "tiles.csv").is_file()
