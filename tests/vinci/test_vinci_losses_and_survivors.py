"""What defenders lose, where their survivors go, and empires without a province (Expanding an Empire)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario

EAST = {"Poland": 4, "Livonia": 1, "West Ukraine": 1, "Belarus": 1, "Muscovy": 1}


def attack(players: int = 5, hand: int = 12, **options: str) -> Scenario:
    """Return seat 0 in Pomerania beside the eastern empire of seat 1."""
    game = Scenario(players, options).civ(0, "barbarians", "port", hand=hand).own(0, {"Pomerania": 1})
    return game.civ(1, "livestock", "slavery").own(1, EAST).conquest(0)


def test_a_defender_loses_one_token_per_province_and_places_the_survivors() -> None:
    """Case 59: provinces with 4 and 1 tokens; 2 lost, 3 placed on any other own province."""
    game = attack()
    game.do("conquer Poland", "conquer Livonia").play_to("survivors")
    assert game.seat_to_decide() == 1
    assert game.state.turn_seat == 0
    assert game.legal() == {"place Belarus", "place West Ukraine", "place Muscovy"}
    game.do("place Belarus", "place Belarus", "place Muscovy")
    assert [game.tokens(name) for name in ("Belarus", "West Ukraine", "Muscovy")] == [3, 1, 2]
    assert game.state.turn_seat == 1
    assert game.board(1) == 6
    assert sum(row["lost"] for row in game.found("loss")) == 2


def test_survivors_are_placed_in_rising_province_order() -> None:
    """A placement is a multiset: after West Ukraine, Belarus is no longer offered."""
    game = attack()
    game.do("conquer Poland", "conquer Livonia").play_to("survivors").do("place West Ukraine")
    assert game.legal() == {"place West Ukraine", "place Muscovy"}


def test_survivors_may_go_to_a_part_cut_off_from_the_rest() -> None:
    """R54: connected or not."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1}).civ(1, "livestock", "slavery")
    game.own(1, {"Poland": 4, "Livonia": 1, "Hungary": 1}).conquest(0).do("conquer Poland", "end conquest")
    assert game.play_to("survivors").legal() == {"place Livonia", "place Hungary"}


def test_a_single_province_takes_the_survivors_without_a_question() -> None:
    """Only one placement is possible."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1}).civ(1, "livestock", "slavery")
    game.own(1, {"Poland": 4, "Livonia": 1}).conquest(0).do("conquer Poland").finish()
    assert game.tokens("Livonia") == 4
    assert game.hand(1) == 0


def test_several_defenders_place_in_turn_order_after_the_attacker() -> None:
    """R54: from the seat after the attacker's."""
    game = Scenario(4).civ(2, "barbarians", "port", hand=14).own(2, {"Pomerania": 1})
    game.civ(1, "livestock", "slavery").own(1, {"Poland": 3, "West Ukraine": 1, "East Ukraine": 1})
    game.civ(3, "livestock", "slavery").own(3, {"Saxony": 3, "Denmark": 1, "Low Countries": 1}).conquest(2)
    game.do("conquer Poland", "conquer Saxony", "end conquest").play_to("survivors")
    assert game.seat_to_decide() == 3
    game.do("place Denmark", "place Denmark")
    assert game.seat_to_decide() == 1
    game.do("place West Ukraine", "place East Ukraine")
    assert game.state.turn_seat == 3


@pytest.mark.parametrize(("reading", "first"), [("no", 0), ("yes", 1)])
def test_the_attacker_distributes_before_the_defender_by_default(reading: str, first: int) -> None:
    """R5."""
    game = attack(survivors_first=reading).do("conquer Poland", "end conquest")
    assert game.seat_to_decide() == first
    game.finish()
    assert game.board(0) == 13
    assert game.board(1) == 7
    assert game.hand(1) == 0


def test_with_the_reading_auto_survivors_go_one_by_one_to_the_weakest_province() -> None:
    """Part A3, P8: fewest tokens first, lowest province first among equals."""
    game = Scenario(options={"survivors": "auto"}).civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1})
    game.civ(1, "livestock", "slavery").own(1, {"Poland": 4, "Livonia": 1, "Belarus": 1, "West Ukraine": 2})
    game.conquest(0).do("conquer Poland", "end conquest")
    while game.state.turn_seat == 0:
        assert game.phase() != "survivors"
        game.do(sorted(game.legal())[0])
    assert [game.tokens(name) for name in ("Livonia", "Belarus", "West Ukraine")] == [3, 2, 2]


def test_a_decline_province_leaves_no_survivors() -> None:
    """Decline: a single token lies there."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1}).civ(1, "livestock", "slavery")
    game.in_decline(1, ["Poland"]).own(1, {"Urals": 1}).conquest(0).do("conquer Poland").finish()
    assert game.old_empire(1) == set()
    assert game.board(1) + game.hand(1) == 1
    assert not [row for row in game.found("loss") if row["survivors"]]


def wiped_out(tokens: dict[str, int], hand: int = 20, **options: str) -> Scenario:
    """Return the start of seat 1's turn after seat 0 has taken all its provinces."""
    game = Scenario(options=options).civ(0, "barbarians", "port", hand=hand).own(0, {"Pomerania": 1})
    game.civ(1, "livestock", "slavery").own(1, tokens)
    game.in_decline(1, ["North France", "Burgundy", "Provence", "Aquitaine", "Low Countries"]).conquest(0)
    return game.do(*(f"conquer {name}" for name in tokens)).finish()


def test_a_wiped_out_empire_enters_again_with_its_survivors() -> None:
    """Case 53: three tokens off the board open 14 of the 16 starts."""
    game = wiped_out({"Poland": 3, "Livonia": 2})
    assert sum(row["lost"] for row in game.found("loss")) == 2
    assert (game.hand(1), game.empire(1)) == (3, set())
    assert game.state.turn_seat == 1
    assert game.legal() == {"play on", "decline"}
    game.do("play on")
    assert len(game.reach()) == 16
    assert game.reach() - game.legal("conquer") == {"South Spain", "Novgorod"}
    assert {game.cost(name) for name in game.legal("conquer")} == {3}


def test_a_wiped_out_civilization_keeps_its_tiles() -> None:
    """Expanding: it starts again as when a new civilization enters, Revolutionaries and Astronomy included (R21)."""
    game = Scenario().civ(0, "barbarians", "port", hand=20).own(0, {"Pomerania": 1})
    game.civ(1, "revolutionaries", "slavery").own(1, {"Poland": 6}).conquest(0).do("conquer Poland").finish()
    game.do("play on")
    assert "Swabia" in game.legal("conquer")


FOUR = {"Poland": 1, "Livonia": 1, "Belarus": 1, "West Ukraine": 1}


def test_an_empire_without_a_token_keeps_scoring_its_old_empire() -> None:
    """Case 54, reading ``keep``: the player decides on his turn; the old empire scores five."""
    game = wiped_out(FOUR)
    assert (game.hand(1), len(game.old_empire(1))) == (0, 5)
    assert game.legal() == {"play on", "decline"}
    game.do("play on")
    assert game.state.turn_seat == 2
    assert game.scored(1)["total"] == 5


def test_by_the_reading_auto_an_empire_without_a_token_falls_at_once() -> None:
    """Case 54, reading ``auto``: the old empire is emptied, the next turn scores nothing and chooses."""
    game = wiped_out(FOUR, zero_token_rule="auto")
    assert game.old_empire(1) == set()
    assert [row["seat"] for row in game.found("wiped_out")] == [1]
    assert game.state.turn_seat == 1
    assert game.phase() == "choose"
    before = game.score(1)
    game.do("choose I")
    assert game.score(1) == before
    assert game.state.turn_seat == 2
    assert game.hand(1) > 0
    game.pass_until(1)
    assert game.hand(1) > 0


def test_by_the_reading_auto_survivors_save_the_civilization() -> None:
    """R22 speaks of an empire with no tokens left at all."""
    game = wiped_out({"Poland": 2}, zero_token_rule="auto")
    assert (game.hand(1), len(game.old_empire(1))) == (1, 5)
    assert game.found("wiped_out") == []
    assert game.legal() == {"play on", "decline"}


def test_two_empires_wiped_out_in_one_turn_place_nothing() -> None:
    """Case 62: both hold their survivors off the board."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1})
    game.civ(1, "livestock", "slavery").own(1, {"Poland": 2})
    game.civ(2, "livestock", "slavery").own(2, {"Saxony": 3}).conquest(0)
    game.do("conquer Poland", "conquer Saxony", "end conquest")
    while game.state.turn_seat == 0:
        assert game.seat_to_decide() == 0
        game.do(sorted(game.legal())[0])
    assert (game.hand(1), game.hand(2)) == (1, 2)


def test_a_field_general_without_tokens_can_only_raid() -> None:
    """Case 55, R37: seven temporary tokens take two plains, which are lost at the end."""
    game = Scenario().civ(0, "field_general", "barbarians").turn(0).do("play on")
    assert (game.hand(0), game.state.temporary) == (7, 7)
    game.conquer("Volga")
    game.conquer("East Ukraine")
    game.finish()
    assert game.empire(0) == set()
    assert game.is_empty("Volga")
    assert game.is_empty("East Ukraine")
    assert (game.hand(0), game.state.temporary) == (0, 0)
    assert game.scored(0)["total"] == 0


def test_a_raid_pays_with_slavery() -> None:
    """Case 55: two kills."""
    game = Scenario().civ(0, "field_general", "slavery").turn(0).do("play on", "conquer Volga", "conquer East Ukraine")
    game.finish()
    assert game.scored(0)["total"] == 2


def test_an_empty_handed_seat_may_pass_its_turn() -> None:
    """R23."""
    game = Scenario().turn(0).do("play on")
    assert game.state.turn_seat == 1
    assert game.scored(0)["total"] == 0


def test_survivors_keep_their_number_in_all() -> None:
    """E9.5: board, hand and survivors together lose exactly the tokens beaten."""
    game = attack(hand=20)
    game.do("conquer Poland", "conquer Livonia", "conquer Belarus")
    lost = sum(row["lost"] for row in game.found("loss"))
    assert lost == 3
    game.finish()
    assert game.board(1) + game.hand(1) == sum(EAST.values()) - lost


def test_survivors_of_conquest_are_off_the_board_until_the_turn_ends() -> None:
    """Expanding: they are taken back at the end of the attacker's turn, so they do not defend meanwhile."""
    game = attack(hand=20).do("conquer Poland")
    assert game.tokens("West Ukraine") == 1
    assert game.cost("West Ukraine") == 3
    assert game.hand(1) == 3
