"""What a place in turn order is worth, and points that level the places."""

from __future__ import annotations

import numpy as np
import pytest

import vinci_lab as vl
from vinci_lab.analysis import effects, plots, plots_balance, seats

FIRST = np.array([4.0, 2.0, 0.0, 0.0])  # what the places of the invented games are ahead


def invented(seed: int, games: int, ahead: np.ndarray) -> np.ndarray:
    return np.rint(np.random.default_rng(seed).normal(100, 12, (games, 4)) + ahead)


def test_points_level_places_that_are_ahead_and_fresh_games_confirm_it() -> None:
    points = seats.level_places(invented(1, 20_000, FIRST))
    assert np.abs((points + FIRST) - (points + FIRST).mean()).max() < 1
    table = seats.judge(points, invented(2, 20_000, FIRST))
    assert table["p_before"].iloc[0] < 1e-6
    assert table["p_value"].iloc[0] > 0.001
    assert (table["estimate"] - 0.25).abs().max() < 0.25 * (table["before"] - 0.25).abs().max()


def test_places_that_are_alike_get_points_no_more_often_than_noise_allows() -> None:
    given = [seats.level_places(invented(seed, 1_000, np.zeros(4))).max() for seed in range(60)]
    assert np.mean(given) < 1.5
    assert max(given) <= 5


def test_false_alarms_of_even_places_are_nominal() -> None:
    found = [seats.even_p_value(seats.win_shares(invented(seed, 400, np.zeros(4)))) < 0.05 for seed in range(400)]
    assert abs(np.mean(found) - 0.05) < 3 * np.sqrt(0.05 * 0.95 / 400)


@pytest.mark.slow_without_jit
def test_seats_by_players_agree_with_seat_effects() -> None:
    rules = [vl.ruleset("vinci", players=players) for players in (3, 4)]
    table = seats.seats_by_players(rules, games=200)
    assert list(table["players"]) == [3] * 3 + [4] * 4
    expected = effects.seat_effects(vl.simulate(rules[1], games=200, progress=False))
    ours = table[table["players"] == 4].reset_index(drop=True)
    for column in ("estimate", "low", "high", "n", "p_value"):
        assert ours[column].to_numpy() == pytest.approx(expected[column].to_numpy())
    assert ours["lead"].sum() == pytest.approx(0, abs=1e-9)
    figure, ax = plots.new_figure()
    plots_balance.seat_values(table, ax)
    assert "points" in ax.get_ylabel()
    assert plots.svg(figure, "seats", "Seats").startswith("<svg")


@pytest.mark.slow_without_jit
def test_few_games_give_a_table_and_no_points() -> None:
    rules = vl.ruleset("vinci", players=3)
    table = vl.seat_compensation(rules, games=6)
    assert list(table["turn_order"]) == [0, 1, 2]
    assert (table["n"] == 3).all()
    assert table[["estimate", "low", "high", "before"]].notna().all(axis=None)
    assert len(vl.seats_by_players([rules], games=3)) == 3


def test_what_is_not_allowed_is_said_in_a_sentence() -> None:
    rules = vl.ruleset("vinci", players=3)
    with pytest.raises(ValueError, match="agents: give one agent for all seats"):
        vl.seat_compensation(rules, agents=["greedy", "random", "random"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="games: a compensation needs at least 4, got 3"):
        vl.seat_compensation(rules, games=3)
    with pytest.raises(ValueError, match="rules: give at least one ruleset"):
        vl.seats_by_players([])


@pytest.mark.slow_without_jit
def test_points_that_are_played_level_places_that_were_made_uneven() -> None:
    uneven = {"start_bonus.first": 12, "victory_threshold": 60}
    rules = vl.ruleset("vinci", players=3, map="lagoon").replace(uneven)
    table = vl.seat_compensation(rules, games=2_400, seed=5, played=True)
    assert table["points"].iloc[0] == 0
    assert table["points"].iloc[1:].min() >= 5
    assert table["p_before"].iloc[0] < 1e-6
    before, after = (np.abs(table[name] - table["expected"]).max() for name in ("before", "estimate"))
    assert after < 0.5 * before
    played = seats.with_bonus(rules, table["points"]).content["rules"]["start_bonus"]
    assert [played[name] for name in ("first", "second")] == [12, int(table["points"].iloc[1])]
