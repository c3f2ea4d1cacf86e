"""Comparisons on common keys: nothing is found where there is nothing, and what is there with the games foretold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import vinci_lab as vl
from vinci_lab.analysis import compare as comparing
from vinci_lab.analysis import effects, metrics, plots, plots_balance, sequential
from vinci_lab.cli import app

pytestmark = pytest.mark.slow_without_jit


@pytest.fixture(scope="module")
def rules() -> vl.Ruleset:
    return vl.ruleset("vinci", players=4)


@pytest.fixture(scope="module")
def runs(rules: vl.Ruleset) -> vl.Runs:
    return vl.simulate(rules, games=600, seed=11, progress=False)


# Metrics of a game


def test_metrics_agree_with_the_plain_tables(runs: vl.Runs) -> None:
    found = metrics.game_metrics(runs)
    paces = effects.pace(runs).set_index("quantity")["estimate"]
    same = {
        "rounds": "rounds of a game",
        "turns": "turns of a game",
        "winner_score": "score of the winner",
        "margin": "lead of the winner",
        "lead_changes": "changes of the lead from round to round",
        "ties": "games with a tie for the win",
    }
    for name, quantity in same.items():
        assert found[name].mean() == pytest.approx(paces[quantity]), name
    shares = effects.seat_effects(runs)["estimate"]
    assert [found[f"win_place_{place}"].mean() for place in range(4)] == pytest.approx(list(shares))
    assert found[[f"lead_place_{place}" for place in range(4)]].sum(axis=1).abs().max() < 1e-9


def test_half_time_is_read_from_the_turns(runs: vl.Runs) -> None:
    found = metrics.game_metrics(runs)
    games, turns = runs.games, runs.turns
    for game in range(40):
        ours = games[games["game"] == game].set_index("seat")
        half = int(ours["rounds"].iloc[0]) // 2
        then = turns[(turns["game"] == game) & (turns["round"] == half)].set_index("seat")["score_after"]
        leaders = then.index[then == then.max()]
        assert found["half_leader_wins"].iloc[game] == pytest.approx(ours.loc[leaders, "win_share"].mean())
        behind = [seat for seat in then.index if (then > then[seat]).sum() >= 2]
        assert found["comebacks"].iloc[game] == pytest.approx(ours.loc[behind, "win_share"].sum())


def test_metrics_of_batches_are_those_of_the_whole(rules: vl.Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = vl.simulate(rules, games=1_100, seed=3, progress=False)
    whole = metrics.metrics_of(metrics.standings(runs))
    monkeypatch.setattr(metrics, "batches", lambda runs: runs.batches(500))
    assert metrics.game_metrics(runs).equals(whole)


def test_every_metric_says_what_it_is(rules: vl.Ruleset) -> None:
    runs = vl.simulate(rules, ["greedy", "greedy", "random", "random"], 5, progress=False)
    for name in metrics.game_metrics(runs):
        assert metrics.metric(str(name)).meaning


def test_the_stronger_agent_stands_first(rules: vl.Ruleset) -> None:
    seats = ["random", "greedy", "random", "greedy"]
    table = vl.compare(rules, rules.replace({"victory_threshold": 60}), 60, agents=seats).set_index("metric")
    row = table.loc["greedy ahead of random"]
    assert row["a"] > 0.9
    assert row["unit"] == "share"


# Comparisons


def test_rules_do_not_differ_from_themselves(rules: vl.Ruleset) -> None:
    table = vl.compare(rules, rules, games=150)
    assert (table[["estimate", "low", "high"]] == 0).all(axis=None)
    assert (table["p_value"] == 1).all()
    assert table["decided_at"].isna().all()
    assert (table["sequence_low"] == 0).all()


def test_the_estimate_is_the_mean_of_the_differences_of_games(runs: vl.Runs, rules: vl.Ruleset) -> None:
    other = vl.simulate(rules.replace({"victory_threshold": 110}), games=500, seed=11, progress=False)
    row = vl.compare(runs, other).set_index("metric").loc["rounds"]
    ours, theirs = (one.games.drop_duplicates("game")["rounds"].to_numpy()[:500] for one in (runs, other))
    assert row["n"] == 500
    assert row["estimate"] == pytest.approx((theirs.astype(int) - ours).mean())
    assert row["variance_gain"] > 3


def test_a_change_is_found_with_about_the_games_foretold(rules: vl.Ruleset) -> None:
    """The power at the number of games foretold is 80%, within binomial error of 60 repetitions."""
    other = rules.replace({"victory_threshold": 110})
    pair = [metrics.game_metrics(vl.simulate(one, games=20_000, seed=5, progress=False)) for one in (rules, other)]
    whole = comparing.compare_metrics(*pair, differences={"margin": 1.0}).set_index("metric")
    true = abs(float(whole.loc["margin", "estimate"]))
    needed = int(
        comparing.compare_metrics(*pair, differences={"margin": true}).set_index("metric").at["margin", "games_needed"]
    )
    repeats = min(60, 20_000 // needed)
    assert repeats >= 30
    found = 0
    for repeat in range(repeats):
        part = slice(repeat * needed, (repeat + 1) * needed)
        row = comparing.compare_metrics(*(one.iloc[part][["margin"]] for one in pair)).iloc[0]
        found += bool(row["high"] < 0)
    error = np.sqrt(0.8 * 0.2 / repeats)
    assert abs(found / repeats - 0.8) < 2.6 * error


def test_the_variance_gain_is_what_independent_seeds_cost(rules: vl.Ruleset) -> None:
    other = rules.replace({"victory_threshold": 110})
    a, same, apart = (
        metrics.game_metrics(vl.simulate(one, games=2_000, seed=seed, progress=False))["rounds"].to_numpy()
        for one, seed in ((rules, 5), (other, 5), (other, 6))
    )
    measured = (apart - a).var(ddof=1) / (same - a).var(ddof=1)
    assert comparing.variance_gain(a, same) == pytest.approx(measured, rel=0.15)
    assert comparing.variance_gain(a, apart) == pytest.approx(1, abs=0.1)


def test_a_comparison_stops_when_its_sequence_is_decided(rules: vl.Ruleset) -> None:
    table = vl.compare(rules, rules.replace({"victory_threshold": 100}), games=4_000, until="rounds")
    row = table.set_index("metric").loc["rounds"]
    assert row["n"] == 500
    assert 100 <= row["decided_at"] <= 500
    assert row["sequence_high"] < 0
    assert row["sequence_low"] < row["low"]


def test_three_games_give_a_table(rules: vl.Ruleset) -> None:
    table = vl.compare(rules, rules.replace({"victory_threshold": 90}), games=3)
    assert table["low"].notna().all()
    assert table["decided_at"].isna().all()


def test_what_cannot_be_compared_is_said_in_a_sentence(rules: vl.Ruleset, runs: vl.Runs) -> None:
    with pytest.raises(ValueError, match="games: a comparison needs at least 2, got 1"):
        vl.compare(rules, rules, games=1)
    with pytest.raises(ValueError, match="same number of players, got 4 and 3"):
        vl.compare(rules, vl.ruleset("vinci", players=3))
    with pytest.raises(ValueError, match="one seed, got 11 and 7"):
        vl.compare(runs, rules, games=5)
    with pytest.raises(ValueError, match="until: there is no 'round'; choose from rounds"):
        vl.compare(rules, rules, games=5, until="round")
    with pytest.raises(ValueError, match="give rules, not runs"):
        vl.compare(runs, rules, until="rounds")
    with pytest.raises(ValueError, match="differences: there is no 'length'"):
        vl.compare(rules, rules, games=5, differences={"length": 1})
    with pytest.raises(ValueError, match="differences: rounds must be greater than 0"):
        vl.compare(rules, rules, games=5, differences={"rounds": 0})


# Looking after every game


@pytest.mark.parametrize("kind", ["normal", "rounds", "rare", "skewed"])
def test_looking_all_the_time_gives_at_most_the_nominal_false_alarms(kind: str) -> None:
    rng = np.random.default_rng(9)
    repeats, number, level = 400, 3_000, 0.9
    draws = {
        "normal": lambda: rng.normal(0, 3, number),
        "rounds": lambda: rng.choice([-1.0, 0.0, 1.0], number, p=[0.1, 0.8, 0.1]),
        "rare": lambda: rng.choice([-1.0, 0.0, 1.0], number, p=[0.01, 0.98, 0.01]),
        "skewed": lambda: rng.exponential(1, number) - 1,
    }[kind]
    alarms = sum(
        sequential.first_decision(*sequential.normal_mixture(draws(), level, tightest=1_000)) is not None
        for _ in range(repeats)
    )
    assert alarms / repeats <= 0.1 + 2 * np.sqrt(0.1 * 0.9 / repeats)


def test_a_difference_is_decided_sooner_or_later() -> None:
    values = np.random.default_rng(1).normal(0.3, 1, 5_000)
    decided = sequential.first_decision(*sequential.normal_mixture(values))
    assert decided is not None
    assert 100 <= decided < 1_000


def test_the_sequence_says_nothing_before_its_first_look_or_about_values_that_are_all_alike() -> None:
    low, high = sequential.normal_mixture(np.arange(150.0), first=100)
    assert np.isinf(low[:99]).all()
    assert np.isfinite(high[99:]).all()
    assert sequential.first_decision(*sequential.normal_mixture(np.full(500, 2.0))) is None
    assert len(sequential.normal_mixture([])[0]) == 0


# The command


def test_the_command_prints_the_table_and_writes_it(tmp_path: Path) -> None:
    out = tmp_path / "compared" / "table.csv"
    arguments = ["compare", "vinci", "--games", "30", "--with", "victory_threshold=60", "--out", str(out)]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "games_needed" in result.output
    assert out.read_text(encoding="utf-8").startswith("metric,unit,a,b,estimate,low,high,n,")


def test_the_command_asks_what_to_compare_with() -> None:
    result = CliRunner().invoke(app, ["compare", "vinci", "--games", "30"])
    assert result.exit_code == 2
    assert "--with: say what the second rules change" in result.stderr


# Coverage


def coverage(rules: vl.Ruleset, blocks: int, games: int = 200) -> dict[str, float]:
    """Return how often a block's interval holds the mean of all blocks."""
    other = rules.replace({"victory_threshold": 110})
    pair = [
        metrics.game_metrics(vl.simulate(one, games=blocks * games, seed=3, progress=False)) for one in (rules, other)
    ]
    names = ["rounds", "margin", "lead_changes", "win_place_0", "lead_place_0"]
    whole = comparing.compare_metrics(*pair).set_index("metric")["estimate"]
    found = dict.fromkeys(names, 0.0)
    for block in range(blocks):
        part = slice(block * games, (block + 1) * games)
        rows = comparing.compare_metrics(*(one.iloc[part][names] for one in pair)).set_index("metric")
        for name in names:
            found[name] += bool(rows.loc[name, "low"] <= whole[name] <= rows.loc[name, "high"]) / blocks
    return found


def test_intervals_of_differences_cover_in_100_replicates(rules: vl.Ruleset) -> None:
    error = 3 * np.sqrt(0.95 * 0.05 / 100)
    assert all(abs(share - 0.95) <= error for share in coverage(rules, 100).values())


@pytest.mark.verify
def test_intervals_of_differences_cover_in_500_replicates(rules: vl.Ruleset) -> None:
    error = 3 * np.sqrt(0.95 * 0.05 / 500)
    assert all(abs(share - 0.95) <= error for share in coverage(rules, 500).values())


# The drawing


def test_the_drawing_has_a_dot_and_the_difference_of_each_quantity(rules: vl.Ruleset) -> None:
    table = vl.compare(rules, rules.replace({"victory_threshold": 60}), games=100)
    figure, ax = plots.new_figure(7, 5)
    plots_balance.differences(table, ax)
    shown = table[table["low"].notna()]
    labels = [text.get_text() for text in ax.get_yticklabels()]
    assert labels == [f"{row.metric.replace('_', ' ')} ({row.unit})" for row in shown.iloc[::-1].itertuples()]
    assert [text.get_text() for text in ax.texts] == [f"{value:+.3g}" for value in shown["estimate"].iloc[::-1]]
    filled, empty = ax.lines[-2:]
    assert len(filled.get_xdata()) == (shown["p_holm"] < 0.05).sum() > 0
    assert len(filled.get_xdata()) + len(empty.get_xdata()) == len(shown)
    plots.svg(figure, "differences", "what a change changes")
