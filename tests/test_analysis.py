"""Intervals and effects: checked against SciPy, against plain pandas and NumPy, and on data with known answers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from vinci_lab.analysis import effects, rates

TILES = ("axes", "boats", "corn", "drums", "elk", "forts")


def invented_runs(seed: int, games: int = 300, players: int = 4, effect: dict[str, float] | None = None) -> Any:
    """Return tables in which a tile adds points to its holder's score, and nothing else matters but luck."""
    rng = np.random.default_rng(seed)
    effect = effect or {}
    game = np.repeat(np.arange(games), players)
    seat = np.tile(np.arange(players), games)
    civilizations = rng.integers(1, 4, games * players)
    row = np.repeat(np.arange(games * players), civilizations)
    pair = np.array([rng.choice(len(TILES), 2, replace=False) for _ in row])
    worth = np.array([effect.get(tile, 0.0) for tile in TILES])
    table_luck = np.repeat(rng.normal(0, 20, games), players)
    score = 100 + table_luck + 8 * civilizations + rng.normal(0, 5, games * players)
    score += np.bincount(row, worth[pair].sum(axis=1), minlength=games * players)
    score = np.rint(score)
    best = score.reshape(-1, players).max(axis=1).repeat(players)
    won = score == best
    winners = won.reshape(-1, players).sum(axis=1).repeat(players)
    start = rng.integers(0, players, games).repeat(players)
    table = pd.DataFrame(
        {
            "game": game,
            "seat": seat,
            "turn_order": (seat - start) % players,
            "score": score.astype(int),
            "is_winner": won.astype(int),
            "winners": winners,
            "win_share": won / winners,
            "rounds": rng.integers(8, 13, games).repeat(players),
            "turns": 10,
            "civilizations": civilizations,
            "declines": civilizations - 1,
            "decisions": 100,
            "is_stalled": 0,
        }
    )
    kinds = pd.CategoricalDtype(list(TILES))
    holdings = pd.DataFrame(
        {
            "game": game[row],
            "seat": seat[row],
            "first_tile": pd.Categorical.from_codes(pair[:, 0], dtype=kinds),
            "second_tile": pd.Categorical.from_codes(pair[:, 1], dtype=kinds),
            "points_active": rng.integers(10, 30, len(row)),
            "points_kills": 0,
            "points_decline": rng.integers(0, 10, len(row)),
            "turns_active": rng.integers(1, 5, len(row)),
            "is_censored": 0,
        }
    )
    offers = holdings[["game", "seat", "first_tile", "second_tile"]].assign(
        is_legal=1, is_taken=rng.integers(0, 2, len(row))
    )
    turns = pd.DataFrame({"game": game, "seat": seat, "round": 1, "kind": "decline", "score_after": score}).assign(
        points_active=10, points_kills=0, points_decline=2
    )
    return SimpleNamespace(games=table, holdings=holdings, offers=offers, turns=turns)


# Intervals


@pytest.mark.parametrize(("successes", "trials"), [(0, 12), (3, 12), (12, 12), (257, 1000), (1, 1)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_interval_is_scipys(successes: int, trials: int, level: float) -> None:
    expected = stats.binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert rates.wilson(successes, trials, level) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_wilson_interval_of_no_trials_is_unknown() -> None:
    low, high = rates.wilson([0, 1], [0, 2])
    assert np.isnan([low[0], high[0]]).all()
    assert not np.isnan([low[1], high[1]]).any()


def test_share_of_whole_wins_has_wilsons_interval() -> None:
    wins = [1.0] * 37 + [0.0] * 63
    found = rates.share_interval(wins)
    assert (found.low, found.high) == pytest.approx(rates.wilson(37, 100))
    assert (found.estimate, found.n) == (0.37, 100)


def test_halves_of_wins_give_a_narrower_interval_than_whole_wins() -> None:
    whole, halves = rates.share_interval([0.0, 1.0] * 50), rates.share_interval([0.25, 0.75] * 50)
    assert halves.estimate == whole.estimate
    assert halves.high - halves.low < 0.6 * (whole.high - whole.low)


def test_mean_interval_is_students_for_independent_values() -> None:
    values = np.random.default_rng(1).normal(3, 2, 40)
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.9)
    found = rates.mean_interval(values, level=0.9)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_repeating_every_value_of_a_game_does_not_narrow_the_interval() -> None:
    values = np.random.default_rng(2).normal(0, 1, 50)
    once = rates.mean_interval(values, np.arange(50))
    repeated = rates.mean_interval(np.repeat(values, 4), np.repeat(np.arange(50), 4))
    assert repeated == pytest.approx(once)


def test_bootstrap_interval_agrees_with_the_normal_one_and_with_itself() -> None:
    rng = np.random.default_rng(3)
    clusters = np.repeat(np.arange(200), 3)
    values = rng.normal(0, 1, 200)[clusters] + rng.normal(0, 1, 600)
    normal = rates.mean_interval(values, clusters)
    drawn = rates.mean_interval(values, clusters, method="bootstrap", seed=5)
    assert drawn == rates.mean_interval(values, clusters, method="bootstrap", seed=5)
    assert (drawn.low, drawn.high) == pytest.approx((normal.low, normal.high), abs=0.25 * (normal.high - normal.low))


def test_95_percent_intervals_of_fractional_shares_cover_95_percent_of_the_time() -> None:
    rng = np.random.default_rng(4)
    covered = 0
    for _ in range(400):
        found = rates.share_interval(rng.choice([0, 0.5, 1], 80, p=[0.7, 0.2, 0.1]))
        covered += found.low <= 0.2 <= found.high
    assert 0.92 <= covered / 400 <= 0.98


def test_holm_multiplies_the_smallest_p_value_by_the_number_of_tests() -> None:
    assert rates.holm([0.01, 0.04, 0.03, np.nan]) == pytest.approx([0.03, 0.06, 0.06, np.nan], nan_ok=True)


@pytest.mark.parametrize("level", [0, 1, 95, -0.5])
def test_a_level_outside_0_and_1_is_refused_in_a_sentence(level: float) -> None:
    with pytest.raises(ValueError, match="level: must lie between 0 and 1"):
        rates.wilson(1, 2, level)


# Seats


def test_seat_shares_are_the_plain_means_and_sum_to_one() -> None:
    runs = invented_runs(1)
    found = effects.seat_effects(runs)
    naive = runs.games.groupby("turn_order")["win_share"].mean()
    assert found["estimate"].tolist() == pytest.approx(naive.tolist())
    assert found["estimate"].sum() == pytest.approx(1)
    assert ((found["low"] < found["estimate"]) & (found["estimate"] < found["high"])).all()
    assert found["score"].tolist() == pytest.approx(runs.games.groupby("turn_order")["score"].mean().tolist())


def test_seat_test_is_pearsons_chi_square_when_no_game_is_tied() -> None:
    runs = invented_runs(2)
    tied = runs.games.loc[runs.games["winners"] > 1, "game"]
    runs.games = runs.games[~runs.games["game"].isin(tied)]
    found = effects.seat_effects(runs).iloc[0]
    expected = stats.chisquare(runs.games.groupby("turn_order")["is_winner"].sum())
    assert (found.chi_square, found.p_value) == pytest.approx((expected.statistic, expected.pvalue))


def test_equal_seats_alarm_in_about_5_percent_of_studies() -> None:
    alarms = sum(effects.seat_effects(invented_runs(seed, games=60))["p_value"][0] < 0.05 for seed in range(200))
    assert 2 <= alarms <= 20  # 99.9 % of binomial(200, 0.05)


# Tiles


def test_tile_effects_find_the_points_a_tile_was_given() -> None:
    found = effects.tile_effects(invented_runs(3, games=1500, effect={"corn": 6.0, "elk": -3.0})).set_index("tile")
    average = (6.0 - 3.0) / len(TILES)  # every tile is held about as often
    assert found.index[0] == "corn"
    assert found.index[-1] == "elk"
    for tile, worth in (("corn", 6.0), ("elk", -3.0), ("axes", 0.0)):
        assert found.loc[tile, "low"] - 0.2 < worth - average < found.loc[tile, "high"] + 0.2
    assert found.loc["corn", "high"] - found.loc["corn", "low"] < 1.5
    assert (found.loc[["corn", "elk"], "p_holm"] < 0.001).all()


def test_tiles_without_effect_alarm_in_about_5_percent_of_tests() -> None:
    alarms = [(effects.tile_effects(invented_runs(seed, games=80))["p_value"] < 0.05).sum() for seed in range(60)]
    assert 4 <= sum(alarms) <= 40  # of 360 tests that are not independent; 18 expected


def test_tile_effects_are_least_squares_with_a_dummy_for_every_game() -> None:
    runs = invented_runs(5, games=40, effect={"axes": 4.0})
    games = runs.games
    design, score, cluster = [], [], []
    for row in games.itertuples():
        mine = runs.holdings[(runs.holdings["game"] == row.game) & (runs.holdings["seat"] == row.seat)]
        held = [(mine["first_tile"] == tile).sum() + (mine["second_tile"] == tile).sum() for tile in TILES]
        order = [float(row.turn_order == place) for place in (1, 2, 3)]
        design.append([*held, *order, *(np.arange(40) == row.game)])
        score.append(row.score)
        cluster.append(row.game)
    matrix, target, where = np.array(design, float), np.array(score, float), np.array(cluster)
    bread = np.linalg.pinv(matrix.T @ matrix)
    fitted = bread @ matrix.T @ target
    left = target - matrix @ fitted
    meat = np.zeros_like(bread)
    for game in range(40):
        total = matrix[where == game].T @ left[where == game]
        meat += np.outer(total, total)
    covariance = (bread @ meat @ bread)[:6, :6] * 40 / 39
    weights = matrix[:, :6].sum(axis=0) / matrix[:, :6].sum()
    contrast = np.eye(6) - weights
    found = effects.tile_effects(runs).set_index("tile").loc[list(TILES)]
    assert found["estimate"].tolist() == pytest.approx((contrast @ fitted[:6]).tolist())
    errors = np.sqrt(np.diag(contrast @ covariance @ contrast.T))
    assert ((found["high"] - found["low"]) / 2).tolist() == pytest.approx((stats.norm.ppf(0.975) * errors).tolist())


def test_tile_counts_points_and_pick_rates_are_the_plain_pandas_ones() -> None:
    runs = invented_runs(6)
    found = effects.tile_effects(runs).set_index("tile").loc["boats"]
    mine = runs.holdings[(runs.holdings["first_tile"] == "boats") | (runs.holdings["second_tile"] == "boats")]
    offered = runs.offers[(runs.offers["first_tile"] == "boats") | (runs.offers["second_tile"] == "boats")]
    holders = runs.games.merge(mine[["game", "seat"]].drop_duplicates())
    assert found["n"] == len(mine)
    assert found["games"] == mine["game"].nunique()
    assert found["points"] == pytest.approx((mine["points_active"] + mine["points_decline"]).mean())
    assert found["turns_active"] == pytest.approx(mine["turns_active"].mean())
    assert found["pick_rate"] == pytest.approx(offered["is_taken"].mean())
    assert found["offers"] == len(offered)
    assert found["win_share"] == pytest.approx(holders["win_share"].mean())


def test_a_tile_that_was_never_held_has_no_effect_and_disturbs_no_other() -> None:
    runs = invented_runs(7)
    before = effects.tile_effects(runs).set_index("tile")["estimate"]
    for table in (runs.holdings, runs.offers):
        for column in ("first_tile", "second_tile"):
            table[column] = table[column].cat.add_categories("gold")
    after = effects.tile_effects(runs).set_index("tile")["estimate"]
    assert np.isnan(after["gold"])
    assert after[list(TILES)].tolist() == pytest.approx(before[list(TILES)].tolist())


# Length and scores


def test_pace_is_the_plain_mean_of_rounds_and_declines() -> None:
    runs = invented_runs(8)
    found = effects.pace(runs).set_index("quantity")
    assert found.loc["rounds of a game", "estimate"] == runs.games.drop_duplicates("game")["rounds"].mean()
    assert found.loc["rounds of a game", "n"] == 300
    assert found.loc["declines of a seat", "estimate"] == pytest.approx(runs.games["declines"].mean())
    assert found.loc["points of a turn", "estimate"] == 12
    tied = runs.games.drop_duplicates("game")["winners"].gt(1).mean()
    assert found.loc["games with a tie for the win", "estimate"] == pytest.approx(tied)


def test_the_lead_changes_when_another_seat_is_alone_in_front_after_a_round() -> None:
    scores = {0: [(5, 3), (5, 5), (5, 8), (9, 8)], 1: [(1, 2), (3, 4)]}  # game: scores of two seats after each round
    runs = invented_runs(11, games=2, players=2)
    runs.turns = pd.DataFrame(
        [
            {"game": game, "round": turn, "seat": seat, "score_after": score, "kind": "play"}
            for game, rounds in scores.items()
            for turn, after in enumerate(rounds, 1)
            for seat, score in enumerate(after)
        ]
    ).assign(points_active=1, points_kills=0, points_decline=0)
    found = effects.pace(runs).set_index("quantity")
    assert found.loc["changes of the lead from round to round", "estimate"] == (2 + 0) / 2


def test_distribution_has_a_row_for_every_value_in_between() -> None:
    found = effects.distribution(pd.Series([3, 3, 6]))
    assert found["value"].tolist() == [3, 4, 5, 6]
    assert found["count"].tolist() == [2, 0, 0, 1]
    assert found["estimate"].sum() == 1
    assert found["low"][1] == 0
    assert found["high"][1] > 0


def test_scores_by_rank_fall_from_first_to_last() -> None:
    runs = invented_runs(9)
    found = effects.scores_by_rank(runs)
    best = runs.games.groupby("game")["score"].max()
    assert found["estimate"][0] == pytest.approx(best.mean())
    assert found["q50"][0] == best.median()
    assert found["estimate"].is_monotonic_decreasing


def test_games_with_different_numbers_of_seats_are_refused_in_a_sentence() -> None:
    runs = invented_runs(10, games=5)
    runs.games = runs.games.iloc[:-1]
    with pytest.raises(ValueError, match="all must have the same number of seats"):
        effects.seat_effects(runs)
