"""Turns, rounds, the end of the game and its winner (End of the Game, part A2 of the analysis)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario

NORTH = {"Poland": 1, "Pomerania": 1, "Saxony": 1, "Hungary": 1, "Livonia": 1}


def test_seats_move_in_turn_order() -> None:
    """Setting Up: clockwise from the starting player."""
    game = Scenario(4).turn(0)
    order = []
    for _ in range(8):
        order.append(int(game.state.turn_seat))
        game.finish()
    assert order == [0, 1, 2, 3, 0, 1, 2, 3]
    assert game.state.round_number == 4
    assert game.state.turns_taken[:4].tolist() == [3, 3, 3, 3]


def test_a_game_played_from_the_set_up_counts_turns_and_rounds() -> None:
    """The starting seat opens every round."""
    game = Scenario(3).deal([("port", "mining"), ("weapons", "slavery"), ("heritage", "militia")] * 2, start=1)
    game.is_chance_automatic = True
    game.do("choose I", "choose I", "choose I")
    order = []
    for _ in range(6):
        order.append((int(game.state.round_number), int(game.state.turn_seat)))
        game.finish()
    assert order == [(1, 1), (1, 2), (1, 0), (2, 1), (2, 2), (2, 0)]
    assert game.state.turn == 6


def test_the_end_of_conquests_is_asked_when_nothing_else_was() -> None:
    """A first turn without an affordable entry still belongs to the player."""
    game = Scenario(3).deal([("port", "mining"), ("weapons", "slavery"), ("heritage", "militia")] * 2)
    game.is_chance_automatic = True
    game.do("choose I", "choose I", "choose I")
    game.state.hand[0] = 0
    assert game.phase() == "conquest"
    assert game.legal() == {"end conquest"}
    game.do("end conquest")
    assert game.state.turn_seat == 1


def near_the_end(scores: tuple[int, ...], seat: int = 1, players: int = 4, **options: str) -> Scenario:
    """Return the start of a seat's turn with these scores; the seat holds an empire worth five."""
    game = Scenario(players, options).civ(seat, "barbarians", "weapons").own(seat, NORTH)
    for other, score in enumerate(scores):
        game.points(other, score)
    return game.turn(seat, round_number=6)


def test_the_round_is_played_out_after_the_threshold_is_reached() -> None:
    """Case 60: seat 1 reaches 121, seats 2 and 3 still move; seat 3 with 125 wins."""
    game = Scenario(4).civ(1, "barbarians", "weapons").own(1, NORTH)
    east = ("Volga", "West Ukraine", "East Ukraine", "Muscovy", "Belarus", "Novgorod")
    game.civ(3, "barbarians", "port").own(3, dict.fromkeys(east, 1))
    game.points(0, 90).points(1, 116).points(3, 119).turn(1, round_number=6)
    game.finish()
    assert game.score(1) == 121
    assert game.state.is_last_round
    assert [row["seat"] for row in game.found("last_round")] == [1]
    assert game.state.turn_seat == 2
    game.finish()
    assert game.state.turn_seat == 3
    assert not game.is_over()
    game.finish()
    assert game.is_over()
    assert game.score(3) == 125
    assert game.shares() == [0, 0, 0, 1]
    assert game.found("game_over")[0]["is_stalled"] == 0


def test_the_last_seat_of_a_round_ends_the_game_at_once() -> None:
    """R62: everybody has had the same number of turns."""
    game = near_the_end((90, 90, 90, 118), seat=3)
    game.finish()
    assert game.is_over()
    assert game.state.turns_taken[:4].tolist() == [6, 6, 6, 6]
    assert game.shares() == [0, 0, 0, 1]
    assert game.legal() == set()


def test_below_the_threshold_the_game_goes_on() -> None:
    """End of the Game: 120 points with four players."""
    game = near_the_end((90, 90, 90, 114), seat=3).finish()
    assert game.score(3) == 119
    assert not game.is_over()
    assert game.state.turn_seat == 0
    assert game.state.round_number == 7


def test_exactly_the_threshold_is_enough() -> None:
    """End of the Game: has reached."""
    game = near_the_end((90, 90, 90, 115), seat=3).finish()
    assert game.score(3) == 120
    assert game.is_over()


@pytest.mark.parametrize(("reading", "is_last"), [("sticky", True), ("end_of_turn", False)])
def test_a_threshold_once_reached_counts_even_if_points_are_paid_away(reading: str, is_last: bool) -> None:
    """Case 60, R60: seat 1 reaches 120, declines by Rebirth and pays 4."""
    game = Scenario(4, {"threshold_rule": reading}).civ(1, "rebirth", "barbarians").own(1, NORTH)
    game.points(1, 115).arrive(1, round_number=6).play_to("rebirth")
    assert game.score(1) == 120
    game.do("rebirth", "choose III")
    assert game.score(1) == 116
    assert bool(game.state.is_last_round) is is_last
    game.pass_until(0)
    assert game.is_over() is is_last


def test_a_threshold_reached_by_coins_counts() -> None:
    """R61: points are points."""
    game = Scenario(4).civ(1, "barbarians", "weapons").points(1, 114).coins("I", 3).turn(1, round_number=6)
    game.do("decline", "choose I")
    assert game.score(1) == 120
    assert game.state.is_last_round


def test_a_decline_in_the_last_round_still_chooses_and_collects_coins() -> None:
    """R64."""
    game = near_the_end((125, 90, 90, 90), seat=3)
    game.state.is_last_round = 1
    game.coins("I", 2).do("decline", "choose I")
    assert game.score(3) == 90 + 5 + 4
    assert game.is_over()


def test_equal_scores_share_the_win() -> None:
    """Case 61, R63: 124 to 124."""
    game = near_the_end((124, 90, 90, 119), seat=3).finish()
    assert game.score(3) == 124
    assert game.shares() == [0.5, 0, 0, 0.5]


@pytest.mark.parametrize(
    ("reading", "shares"),
    [("shared", [0.5, 0, 0, 0.5]), ("last_turn", [1, 0, 0, 0]), ("reverse_seat", [0, 0, 0, 1])],
)
def test_a_tie_by_each_reading(reading: str, shares: list[float]) -> None:
    """R63: shared, more points on the last turn, or the seat that moves later."""
    game = near_the_end((124, 90, 90, 119), seat=3, tiebreak=reading)
    game.state.last_points[:4] = 20, 7, 7, 7
    game.finish()
    assert game.shares() == shares


def test_equal_last_turns_go_to_the_later_seat() -> None:
    """R63, reading ``last_turn``."""
    game = near_the_end((124, 90, 90, 119), seat=3, tiebreak="last_turn")
    game.state.last_points[:4] = 5, 7, 7, 7
    game.finish()
    assert game.shares() == [0, 0, 0, 1]


def test_the_later_seat_is_counted_from_the_starting_seat() -> None:
    """R63: with starting seat 2, seat 1 moves last."""
    game = near_the_end((124, 119, 90, 90), seat=1, tiebreak="reverse_seat")
    game.state.start_seat = 2
    game.finish()
    assert game.is_over()
    assert game.shares() == [0, 1, 0, 0]


def test_there_are_no_shares_before_the_end() -> None:
    """The questions of the engine: all 0 before the end."""
    assert near_the_end((90, 90, 90, 90)).shares() == [0, 0, 0, 0]


@pytest.mark.parametrize("players", [3, 6])
def test_a_stalled_game_ends_by_the_guard_and_is_flagged(players: int) -> None:
    """The stalemate guard: nobody conquers, no threshold is reached, the fifth round is the last."""
    game = Scenario(players, {"stall_rounds": 5}).turn(0, round_number=1)
    turns = 0
    while not game.is_over():
        game.finish()
        turns += 1
        assert turns <= 5 * players
    assert game.state.is_stalled
    assert game.state.turns_taken[:players].tolist() == [5] * players
    assert game.found("game_over")[-1]["is_stalled"] == 1
    assert game.shares() == pytest.approx([1 / players] * players)


def test_a_game_ended_by_the_threshold_is_not_flagged() -> None:
    """The flag marks the guard alone."""
    game = near_the_end((90, 90, 90, 118), seat=3).finish()
    assert not game.state.is_stalled


def test_the_threshold_is_data() -> None:
    """End of the Game, last paragraph: another length by another number."""
    game = Scenario(4, {"victory_threshold": 30}).civ(3, "barbarians", "weapons").own(3, NORTH).points(3, 25).turn(3)
    game.finish()
    assert game.is_over()
