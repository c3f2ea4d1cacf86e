"""An empire must be of one piece at the end of its turn (Cohesion of an Empire)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario


def split(second: str = "barbarians", more: dict[str, int] | None = None, **options: str) -> Scenario:
    """Return seat 0 about to conquer with South Spain and Aquitaine, the Pyrenees between them lost."""
    game = Scenario(options=options).civ(0, second, "slavery").civ(1, "livestock", "militia")
    game.own(0, {"South Spain": 2, "Aquitaine": 3, **(more or {})}).own(1, {"Pyrenees": 9})
    return game.conquest(0)


def test_the_owner_chooses_which_part_to_keep() -> None:
    """Case 44, R52: either part, and the tokens of the other are placed again (R4)."""
    game = split().do("end conquest")
    assert game.phase() == "keep"
    assert game.legal() == {"keep South Spain", "keep Aquitaine"}
    game.do("keep South Spain")
    assert game.empire(0) == {"South Spain"}
    assert game.is_empty("Aquitaine")
    assert game.tokens("South Spain") == 5
    assert game.scored(0)["total"] == 1
    assert [row["seat"] for row in game.found("dropped")] == [0]


def test_the_smaller_part_may_be_kept() -> None:
    """R52: the rule asks for one piece, not for the largest."""
    game = split(more={"North France": 1}).do("end conquest", "keep South Spain")
    assert game.empire(0) == {"South Spain"}
    assert game.tokens("South Spain") == 6
    assert game.is_empty("North France")


def test_by_the_reading_largest_the_largest_part_stays_without_a_question() -> None:
    """R52, the other reading."""
    game = split(more={"North France": 1}, cohesion_keep="largest").do("end conquest")
    assert game.phase() != "keep"
    game.finish()
    assert game.empire(0) == {"Aquitaine", "North France"}
    assert game.board(0) == 6


def test_by_the_reading_largest_equal_parts_are_still_a_choice() -> None:
    """R52: two parts of one province each."""
    game = split(cohesion_keep="largest").do("end conquest")
    assert game.legal() == {"keep South Spain", "keep Aquitaine"}


@pytest.mark.parametrize("tile", ["messages", "astronomy"])
def test_messages_and_astronomy_hold_both_parts(tile: str) -> None:
    """Case 44: Messages lift the rule; Astronomy links the Atlantic and Biscay coasts."""
    game = split(tile).do("end conquest")
    assert game.phase() == "place"
    game.finish()
    assert game.empire(0) == {"South Spain", "Aquitaine"}
    assert game.board(0) == 5
    assert game.scored(0)["base"] == 2


def test_messages_do_not_widen_the_reach() -> None:
    """R51: conquests still go across borders."""
    game = split("messages")
    assert "North Italy" not in game.reach()
    assert game.reach() == {"Portugal", "Castile", "Pyrenees", "North France", "Burgundy", "Provence"}


def test_a_turn_can_be_used_to_join_the_parts_again() -> None:
    """Cohesion: the rule applies at the end of the turn only."""
    game = Scenario().civ(0, "barbarians", "slavery").own(0, {"South Spain": 3, "Aquitaine": 3}).empty("Pyrenees")
    game.conquest(0).do("conquer Pyrenees")
    game.finish()
    assert game.empire(0) == {"South Spain", "Pyrenees", "Aquitaine"}
    assert game.found("dropped") == []


def test_a_part_that_was_cut_off_still_attacks_before_the_end_of_the_turn() -> None:
    """Cohesion: an empire split by opponents may use its turn to reconquer from every part."""
    game = split(more={"Urals": 4})
    assert {"Volga", "Muscovy", "Novgorod", "Castile", "North France"} <= game.reach()


def test_the_middle_of_three_provinces_can_be_abandoned() -> None:
    """Case 57: legal; cohesion must then be restored, or a part is chosen."""
    game = Scenario().civ(0, "barbarians", "slavery").own(0, {"Pomerania": 1, "Poland": 1, "Hungary": 2}).turn(0)
    game.do("play on", "abandon Poland")
    assert game.is_empty("Poland")
    assert game.hand(0) == 2
    restored = game.copy().do("conquer Poland").finish()
    assert restored.empire(0) == {"Pomerania", "Poland", "Hungary"}
    game.do("end conquest")
    assert game.legal() == {"keep Pomerania", "keep Hungary"}


def test_a_part_is_named_by_its_lowest_province() -> None:
    """Three parts: Castile with South Spain, Aquitaine, and the Urals."""
    game = split(more={"Castile": 1, "Urals": 1}).do("end conquest")
    assert game.legal() == {"keep South Spain", "keep Aquitaine", "keep Urals"}
    game.do("keep South Spain").finish()
    assert game.empire(0) == {"South Spain", "Castile"}
    assert game.board(0) == 7


def test_forts_vanish_in_provinces_given_up() -> None:
    """R48."""
    game = Scenario().civ(0, "fortification", "slavery").civ(1, "livestock", "militia")
    game.own(0, {"South Spain": 2, "Aquitaine": 3}).own(1, {"Pyrenees": 9}).fortify("Aquitaine", "South Spain")
    game.conquest(0).do("end conquest", "keep South Spain")
    assert not game.has_fort("Aquitaine")
    assert game.has_fort("South Spain")
    assert game.is_empty("Aquitaine")


def test_an_empire_in_decline_may_lie_in_parts() -> None:
    """Cohesion, last paragraph."""
    game = Scenario().civ(0, "barbarians", "slavery").own(0, {"South Spain": 2, "Aquitaine": 3, "Urals": 1}).turn(0)
    game.do("decline")
    assert game.old_empire(0) == {"South Spain", "Aquitaine", "Urals"}
    assert game.scored(0)["total"] == 2


@pytest.mark.parametrize(("reading", "tokens"), [("no", 5), ("yes", 4)])
def test_tokens_of_a_part_given_up_are_placed_again_by_default(reading: str, tokens: int) -> None:
    """R4: lost by the other reading; gathering left one token in Aquitaine."""
    game = split(drop_tokens_lost=reading).do("end conquest", "keep South Spain")
    assert game.board(0) == tokens


def test_being_split_by_an_opponent_is_no_loss_before_the_own_turn_ends() -> None:
    """Cohesion: the opponent's turn does not test it."""
    game = Scenario().civ(0, "barbarians", "port", hand=9).own(0, {"Castile": 1}).civ(1, "livestock", "militia")
    game.own(1, {"South Spain": 1, "Pyrenees": 1, "Aquitaine": 1}).conquest(0).do("conquer Pyrenees").finish()
    assert game.empire(1) == {"South Spain", "Aquitaine"}
    game.do("play on")
    assert game.empire(1) == {"South Spain", "Aquitaine"}
