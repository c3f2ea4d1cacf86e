"""Curves over thresholds, their bands, the shortcut of one long run, and the value that fits wishes."""

from __future__ import annotations

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import vinci_lab as vl
from vinci_lab.analysis import bands, metrics, plots, plots_balance, thresholds, wishes
from vinci_lab.cli import app

pytestmark = pytest.mark.slow_without_jit


@pytest.fixture(scope="module")
def rules() -> vl.Ruleset:
    return vl.ruleset("vinci", players=4)


@pytest.fixture(scope="module")
def curve(rules: vl.Ruleset) -> pd.DataFrame:
    return vl.threshold_curve(rules, [60, 90, 120], games=300, shortcut=True)


def rows(table: pd.DataFrame, metric: str, method: str = thresholds.RERUN) -> pd.DataFrame:
    return table[(table["metric"] == metric) & (table["method"] == method)].reset_index(drop=True)


# The curve


def test_the_curve_has_what_the_games_say(curve: pd.DataFrame, rules: vl.Ruleset) -> None:
    games = vl.simulate(rules.replace({"victory_threshold": 90}), games=300, seed=7, progress=False).games
    first = games.drop_duplicates("game")
    assert rows(curve, "rounds")["estimate"][1] == pytest.approx(first["rounds"].mean())
    assert rows(curve, "turns")["estimate"][1] == pytest.approx(games.groupby("game")["turns"].sum().mean())
    assert rows(curve, "minutes")["estimate"][1] == pytest.approx(2 * rows(curve, "turns")["estimate"][1])
    shares = games.groupby("turn_order")["win_share"].mean()
    assert rows(curve, "seat_bias")["estimate"][1] == pytest.approx((shares - 0.25).abs().max())
    assert list(rows(curve, "rounds")["is_printed"]) == [False, False, True]
    assert set(curve["place"]) == {"victory_threshold"}


def test_a_higher_threshold_makes_longer_games(curve: pd.DataFrame) -> None:
    assert rows(curve, "rounds")["estimate"].is_monotonic_increasing
    assert (rows(curve, "rounds")["high"].shift() < rows(curve, "rounds")["low"]).iloc[1:].all()


def test_changes_are_those_of_the_same_games_from_the_rules_own_value(curve: pd.DataFrame, rules: vl.Ruleset) -> None:
    found = vl.compare(rules, rules.replace({"victory_threshold": 60}), games=300).set_index("metric").loc["rounds"]
    row = rows(curve, "rounds").set_index("value").loc[60]
    assert row["against"] == 120
    names = ["change", "change_low", "change_high", "variance_gain"]
    assert row[names].to_list() == pytest.approx(found[["estimate", "low", "high", "variance_gain"]].to_list())
    assert rows(curve, "rounds").set_index("value").loc[120, names].isna().all()


def test_without_the_rules_own_value_changes_are_from_the_least(rules: vl.Ruleset) -> None:
    table = vl.threshold_curve(rules, [70, 50], games=30)
    assert set(table["against"]) == {50}


def test_bands_hold_the_single_intervals(curve: pd.DataFrame) -> None:
    assert (curve["band_low"] <= curve["low"] + 1e-12).all()
    assert (curve["band_high"] >= curve["high"] - 1e-12).all()
    assert curve[["estimate", "low", "high", "band_low", "band_high"]].notna().all(axis=None)


def test_one_long_run_is_exact_for_agents_blind_to_the_end(rules: vl.Ruleset) -> None:
    table = vl.threshold_curve(rules, [20, 40, 60], games=100, agents="random", shortcut=True)
    read = table[table["method"] == thresholds.LONG_RUN]
    assert (read["gap"] == 0).all()
    assert len(read) == len(table) / 2


@pytest.mark.parametrize("change", [{"options.threshold_rule": "end_of_turn"}, {"rounds_limit": 9}])
def test_the_shortcut_follows_the_games_own_end(rules: vl.Ruleset, change: dict[str, object]) -> None:
    other = rules.replace(change)
    values = [4, 6] if "rounds_limit" in change else [30, 50]
    table = vl.threshold_curve(other, values, games=60, agents="random", shortcut=True)
    assert (table.loc[table["method"] == thresholds.LONG_RUN, "gap"] == 0).all()
    assert set(table["place"]) == {"rounds_limit" if "rounds_limit" in change else "victory_threshold"}


def test_the_gap_of_agents_that_see_the_end_is_measured(curve: pd.DataFrame) -> None:
    long, again = rows(curve, "rounds", thresholds.LONG_RUN), rows(curve, "rounds")
    assert long["gap"].to_numpy() == pytest.approx((long["estimate"] - again["estimate"]).to_numpy())
    assert long["gap"].iloc[-1] == 0  # the largest value is the long run itself
    assert (long["gap_low"] <= long["gap"]).all()


def test_a_longer_game_tells_the_stronger_agent_better_or_as_well(rules: vl.Ruleset) -> None:
    table = vl.threshold_curve(rules, [15, 60], games=100, agents=["random", "random", "greedy", "greedy"])
    told = rows(table, "greedy ahead of random")["estimate"]
    assert told[0] <= told[1]
    assert told[1] > 0.9


def test_any_number_of_the_rules_can_be_varied(rules: vl.Ruleset) -> None:
    table = vl.threshold_curve(rules, [5, 20], games=30, place="start_score")
    assert not table["is_printed"].any()
    with pytest.raises(ValueError, match="does not say how start_score is read off a longer game"):
        vl.threshold_curve(rules, [5, 20], games=30, place="start_score", shortcut=True)


def test_three_games_give_a_curve(rules: vl.Ruleset) -> None:
    table = vl.threshold_curve(rules, np.array([40, 50]), games=np.int64(3))  # type: ignore[arg-type]
    assert table[["estimate", "low", "high", "band_low", "band_high"]].notna().all(axis=None)


def test_what_no_curve_can_be_made_of_is_said_in_a_sentence(rules: vl.Ruleset) -> None:
    with pytest.raises(ValueError, match="thresholds: give at least one value"):
        vl.threshold_curve(rules, [])
    with pytest.raises(ValueError, match="games: a curve needs at least 2, got 1"):
        vl.threshold_curve(rules, [50], games=1)
    with pytest.raises(ValueError, match="victory_threshold"):
        vl.threshold_curve(rules, [-5], games=10)
    with pytest.raises(ValueError, match=r"thresholds: must be whole numbers, got \[50.5\]"):
        vl.threshold_curve(rules, [50.5], games=10)  # type: ignore[list-item]
    with pytest.raises(ValueError, match="minutes_per_turn: must be greater than 0"):
        vl.threshold_curve(rules, [50], games=10, minutes_per_turn=0)


def test_a_game_that_does_not_say_what_ends_it_needs_the_place() -> None:
    unknown = SimpleNamespace(game="chess")
    with pytest.raises(ValueError, match="the game chess does not say what ends it"):
        thresholds.End.of(unknown)  # type: ignore[arg-type]
    assert thresholds.End.of(unknown, "moves") == thresholds.End("moves")  # type: ignore[arg-type]


# Bands


def test_independent_columns_need_sidaks_level_and_equal_ones_none() -> None:
    rng = np.random.default_rng(2)
    independent, one = rng.normal(size=(4_000, 5)), rng.normal(size=(4_000, 1))
    assert bands.joint_level(independent) == pytest.approx(0.95 ** (1 / 5), abs=0.002)
    assert bands.joint_level(np.hstack([one] * 5)) == pytest.approx(0.95, abs=0.004)
    assert bands.joint_level(one) == 0.95
    assert bands.joint_level(np.zeros((10, 3))) == pytest.approx(0.95 ** (1 / 3), abs=0.002)


def test_bands_cover_all_means_at_once() -> None:
    rng = np.random.default_rng(3)
    mixing = rng.normal(size=(6, 6)) + 2
    covered = 0
    for _ in range(300):
        values = rng.normal(size=(200, 6)) @ mixing
        level = bands.joint_level(values, draws=4_000)
        found = [metrics.mean_interval(values[:, column], level=level) for column in range(6)]
        covered += all(one.low <= 0 <= one.high for one in found)
    assert abs(covered / 300 - 0.95) < 3 * math.sqrt(0.95 * 0.05 / 300)


def test_the_interval_of_the_seat_bias_covers() -> None:
    rng = np.random.default_rng(4)
    chances, covered = [0.22, 0.25, 0.25, 0.28], 0
    for _ in range(300):
        won = np.eye(4)[rng.choice(4, 800, p=chances)]
        found = thresholds.seat_bias(won, bands.joint_level(won, draws=2_000))
        covered += found.low <= 0.03 <= found.high
    assert covered / 300 >= 0.95 - 3 * math.sqrt(0.95 * 0.05 / 300)


def test_two_games_won_by_one_place_prove_no_seat_bias() -> None:
    won = np.array([[1.0, 0, 0, 0], [1.0, 0, 0, 0]])
    found = thresholds.seat_bias(won, bands.joint_level(won))
    assert found.estimate == 0.75
    assert found.low < 0.02
    assert found.high == pytest.approx(0.75)


# Wishes


def test_the_value_nearest_to_the_wish_is_recommended_and_confirmed(rules: vl.Ruleset) -> None:
    table = vl.recommend_threshold(rules, [60, 90, 120], games=600, target_rounds=8, seat_bias=0.2).set_index("metric")
    assert set(table["value"]) == {90}
    assert set(table["printed"]) == {120}
    assert list(table["verdict"]) == ["met", "met"]
    assert table.loc["rounds", "n"] == 300
    assert table.loc["rounds", "chosen_by"] != table.loc["rounds", "estimate"]  # other games


def test_a_wish_that_games_cannot_settle_is_called_so(rules: vl.Ruleset) -> None:
    table = vl.recommend_threshold(rules, [60, 90], games=200, seat_bias=0.02, rounds=2).set_index("metric")
    assert table.loc["seat_bias", "verdict"] == "cannot tell"
    assert table.loc["rounds", "verdict"] == "not met"
    assert set(table["value"]) == {60}


def test_limits_come_first_then_targets_then_the_printed_value() -> None:
    def row(value: int, metric: str, estimate: float) -> dict[str, object]:
        found = {"estimate": estimate, "low": estimate - 0.1, "high": estimate + 0.1}
        return {"value": value, "method": "re-run", "metric": metric, **found}

    curve = pd.DataFrame(
        [row(value, "rounds", value / 10) for value in (80, 100, 120)]
        + [row(value, "ties", share) for value, share in ((80, 0.5), (100, 0.9), (120, 0.5))]
    )
    assert wishes.choose(curve, {"target_rounds": 10}) == 100
    assert wishes.choose(curve, {"target_rounds": 10, "ties": 0.5}, printed=120) == 120
    assert wishes.choose(curve, {"target_rounds": 10, "ties": 0.5}, printed=80) == 80
    assert wishes.choose(curve, {"ties": 0.85}, printed=100) == 100


def test_wishes_that_mean_nothing_are_said_in_a_sentence(rules: vl.Ruleset) -> None:
    with pytest.raises(ValueError, match="wishes: say what the games shall be like"):
        vl.recommend_threshold(rules, [60], games=4)
    with pytest.raises(ValueError, match="wishes: there is no 'target_length'"):
        vl.recommend_threshold(rules, [60], games=4, target_length=3)


# Drawing and command


def test_a_curve_is_drawn_with_units_band_and_printed_value(curve: pd.DataFrame) -> None:
    figure, ax = plots.new_figure()
    plots_balance.curve(curve, ax, "rounds")
    assert ax.get_xlabel() == "victory threshold"
    assert ax.get_ylabel() == "rounds (rounds)"
    assert plots.svg(figure, "curve", "A curve").startswith("<svg")
    with pytest.raises(ValueError, match="metric: there is no 'length'; choose from rounds"):
        plots_balance.curve(curve, ax, "length")


def test_the_command_prints_a_row_per_value_and_the_recommendation(tmp_path: Path) -> None:
    out = tmp_path / "curve.csv"
    arguments = ["thresholds", "vinci", "--games", "40", "--players", "3,4", "--values", "40,50"]
    result = CliRunner().invoke(app, [*arguments, "--wish", "target_rounds=5", "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert result.output.count("players: ") == 2
    assert result.output.count("verdict") == 2
    written = pd.read_csv(out)
    assert set(written["players"]) == {3, 4}
    assert set(written["value"]) == {40, 50}


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        (["--values", "40:50"], "--values: must be numbers such as 80,100,120 or FROM:TO:STEP, got '40:50'"),
        (["--wish", "rounds"], "--wish: must be name=number"),
        (["--values", "9:1:5"], "thresholds: give at least one value"),
    ],
)
def test_the_command_refuses_in_a_sentence(option: list[str], sentence: str) -> None:
    result = CliRunner().invoke(app, ["thresholds", "vinci", "--games", "10", *option])
    assert result.exit_code == 2
    assert sentence in result.stderr
