"""The end of the conquests: dismissal, shortage of tokens, placing, forts (Reorganizing an Empire, Errata 3 and 4)."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.vinci.scenario import Scenario


def kept_sets(game: Scenario) -> set[frozenset[str]]:
    """Return every set of provinces that some order of drops can keep."""
    if game.phase() != "drop":
        return {frozenset(game.empire(0))}
    found: set[frozenset[str]] = set()
    for text in game.legal():
        found |= kept_sets(game.copy().do(text))
    return found


def test_all_tokens_are_distributed_freely_and_each_province_keeps_one() -> None:
    """Reorganizing: also those in provinces held before, and those that paid for conquests."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Poland": 5, "Pomerania": 2}).conquest(0)
    game.do("conquer Hungary")
    assert game.phase() == "place"
    assert game.legal() == {"place Pomerania", "place Hungary", "place Poland"}
    assert [game.tokens(name) for name in ("Pomerania", "Hungary", "Poland")] == [1, 1, 1]
    game.do("place Hungary", "place Hungary")
    assert game.legal() == {"place Hungary", "place Poland"}
    game.do("place Poland")  # the last token can only follow
    assert [game.tokens(name) for name in ("Pomerania", "Hungary", "Poland")] == [1, 3, 3]
    assert game.hand(0) == 0


def test_the_rest_goes_to_the_last_province_without_a_question() -> None:
    """Only one placement is possible."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Poland": 5, "Pomerania": 2}).conquest(0)
    game.do("end conquest", "place Poland")
    assert game.tokens("Poland") == 6
    assert game.state.turn_seat == 1


def test_field_general_lends_seven_tokens_for_conquests_only() -> None:
    """Case 38: 8 lasting and 7 temporary tokens take four provinces for 13; 8 tokens remain; 4 points and 4 kills."""
    game = Scenario(5).tray(("field_general", "slavery")).turn(0).do("decline", "choose I")
    assert game.hand(0) == 8
    game.pass_until(0).do("play on")
    assert (game.hand(0), game.state.temporary) == (15, 7)
    costs = [game.conquer(name) for name in ("Volga", "East Ukraine", "Muscovy", "West Ukraine")]
    assert costs == [3, 3, 4, 3]
    assert game.phase() == "place"  # two tokens take nothing more, and seven have left
    assert game.hand(0) == 4
    game.finish()
    assert (game.board(0), len(game.empire(0)), game.hand(0)) == (8, 4, 0)
    scored = game.scored(0)
    assert (scored["kills"], scored["total"]) == (4, 8)


def test_field_general_doubled_lends_fourteen() -> None:
    """Case 40."""
    game = Scenario().civ(0, "field_general", "specialization", hand=9).turn(0).do("play on")
    assert (game.hand(0), game.state.temporary) == (23, 14)


def shortage(**options: str) -> Scenario:
    """Return seat 0 after its conquests: five provinces, three lasting tokens."""
    game = Scenario(options=options).civ(0, "field_general", "barbarians")
    game.own(0, {"Volga": 1, "East Ukraine": 1, "Muscovy": 1}).conquest(0)
    assert game.conquer("West Ukraine") == 3
    return game.do("conquer Belarus")


def test_with_fewer_tokens_than_provinces_a_connected_rest_of_the_players_choice_is_kept() -> None:
    """Case 39, R36: eight of the ten triples are connected."""
    game = shortage()
    assert game.phase() == "drop"
    triples = {frozenset(three) for three in combinations(sorted(game.empire(0)), 3)}
    broken = {frozenset({"Belarus", "West Ukraine", "Volga"}), frozenset({"Belarus", "East Ukraine", "Volga"})}
    assert kept_sets(game) == triples - broken
    game.finish()
    assert len(game.empire(0)) == 3
    assert game.board(0) == 3
    assert game.scored(0)["total"] == 3


def test_messages_allow_any_rest() -> None:
    """R36: connected unless Messages."""
    game = Scenario().civ(0, "field_general", "messages").own(0, {"Volga": 1, "East Ukraine": 1, "Muscovy": 1})
    game.conquest(0).do("conquer West Ukraine", "conquer Belarus")
    assert len(kept_sets(game)) == 10


def test_as_many_provinces_as_possible_are_kept_unless_the_reading_frees_it() -> None:
    """R36, Errata 3: by default a province is given up only for want of a token."""
    bound, free = shortage(), shortage(keep_all_possible="no")
    assert {len(kept) for kept in kept_sets(bound)} == {3}
    assert "end drop" not in bound.legal()
    for game in (bound, free):
        game.do("drop Belarus", "drop West Ukraine")
    assert bound.phase() != "drop"
    assert free.phase() == "drop"
    assert {"end drop", "drop Muscovy"} <= free.legal()
    free.do("drop Muscovy").finish()
    assert len(free.empire(0)) < 3
    assert free.board(0) == 3


def test_nothing_can_be_given_up_when_there_are_enough_tokens() -> None:
    """R53: not to please."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Poland": 1, "Pomerania": 1, "Hungary": 1}).turn(0)
    game.do("play on", "end gather")
    assert game.state.turn_seat == 1
    assert game.empire(0) == {"Poland", "Pomerania", "Hungary"}


def test_a_zero_cost_conquest_without_a_token_to_hold_it_costs_a_province() -> None:
    """Case 58: four provinces, three tokens; the Caucasus holds the others together and cannot be dropped."""
    game = Scenario().civ(0, "weapons", "specialization").own(0, {"Caucasus": 1, "Volga": 1, "East Ukraine": 1})
    game.conquest(0)
    assert game.conquer("East Anatolia") == 0
    while game.phase() == "conquest":
        game.do("end conquest")
    assert game.phase() == "drop"
    assert game.legal() == {"drop Volga", "drop East Ukraine", "drop East Anatolia"}
    game.do("drop Volga")
    assert game.empire(0) == {"Caucasus", "East Ukraine", "East Anatolia"}
    assert game.board(0) == 3
    assert game.is_empty("Volga")


CHAIN = ("Macedonia", "Dalmatia", "Austria", "Western Alps", "Bohemia")


@pytest.mark.parametrize(("tokens", "kept"), [(1, 1), (3, 3), (5, 5), (6, 5)])
def test_zero_cost_conquests_are_kept_as_far_as_tokens_reach(tokens: int, kept: int) -> None:
    """Case 21: five mountains for one token; at the end each needs one."""
    game = Scenario().civ(0, "weapons", "mountaineering", hand=tokens).conquest(0)
    for name in CHAIN:
        game.conquer(name)
    game.finish()
    assert len(game.empire(0)) == kept
    assert game.board(0) == tokens
    assert game.scored(0)["mountain"] == kept


def test_by_the_other_reading_a_zero_cost_conquest_needs_a_token_to_hold_it() -> None:
    """R12."""
    for reading, is_legal in (("no", True), ("yes", False)):
        game = Scenario(options={"zero_cost_must_hold": reading}).civ(0, "weapons", "mountaineering", hand=2)
        game.conquest(0).do("conquer Macedonia", "conquer Dalmatia")
        assert ("Austria" in game.legal("conquer")) is is_legal


def test_a_seat_without_spare_tokens_is_asked_nothing_at_the_end() -> None:
    """One token on each province is forced."""
    game = Scenario().civ(0, "barbarians", "port", hand=0).own(0, {"Poland": 1, "Pomerania": 1}).turn(0)
    game.do("play on", "end gather")
    assert game.state.turn_seat == 1
    assert game.board(0) == 2


def builders(first: str = "fortification", second: str = "barbarians", **options: str) -> Scenario:
    """Return seat 0 at the fort phase with three provinces."""
    game = Scenario(options=options).civ(0, first, second).own(0, {"Poland": 1, "Pomerania": 1, "Bohemia": 1})
    return game.turn(0).do("play on", "end gather")


def test_one_fort_is_built_at_the_end_of_each_turn() -> None:
    """Case 50, Clar.7; a fort may stand on a mountain."""
    game = builders()
    assert game.phase() == "fort"
    assert game.legal() == {"fort Poland", "fort Pomerania", "fort Bohemia", "no fort"}
    game.do("fort Bohemia")
    assert game.has_fort("Bohemia")
    assert game.state.turn_seat == 1
    game.pass_until(0).do("play on", "end gather")
    assert game.legal() == {"fort Poland", "fort Pomerania", "no fort"}


def test_fortification_doubled_builds_two_in_different_provinces() -> None:
    """Case 50, Clar.7."""
    game = builders("specialization", "fortification").do("fort Poland")
    assert game.phase() == "fort"
    assert "fort Poland" not in game.legal()
    game.do("fort Pomerania")
    assert game.state.turn_seat == 1
    assert game.has_fort("Poland")
    assert game.has_fort("Pomerania")


def test_building_a_fort_is_optional() -> None:
    """R46."""
    game = builders().do("no fort")
    assert game.state.forts == 0
    assert game.state.turn_seat == 1


def test_an_abandoned_province_loses_its_fort() -> None:
    """Case 50."""
    game = Scenario().civ(0, "fortification", "barbarians").own(0, {"Poland": 2, "Pomerania": 2})
    game.fortify("Poland").turn(0).do("play on", "abandon Poland")
    assert not game.has_fort("Poland")
    assert game.is_empty("Poland")


def test_forts_stay_when_their_builder_declines() -> None:
    """Case 50, Clar.10: a decline province with a fort on a plain costs four; no new fort is built."""
    game = Scenario().civ(0, "fortification", "barbarians").own(0, {"Poland": 2}).fortify("Poland")
    game.civ(1, "barbarians", "slavery", hand=9).own(1, {"Livonia": 1}).turn(0).do("decline", "choose I")
    assert game.has_fort("Poland")
    assert game.held_kinds(game.state.old_tile[0]) == []
    assert game.state.turn_seat == 1
    game.go_conquer()
    assert game.cost("Poland") == 4


def test_forts_go_with_the_old_decline() -> None:
    """R48."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Urals": 2}).in_decline(0, ["Poland"]).fortify("Poland")
    game.turn(0).do("decline")
    assert not game.has_fort("Poland")
    assert game.is_empty("Poland")


@pytest.mark.parametrize(("reading", "is_offered"), [("none", True), ("supply", False)])
def test_by_the_reading_supply_brown_tokens_can_run_out(reading: str, is_offered: bool) -> None:
    """R47: all 33 lie on the board until the first neutral province falls."""
    game = Scenario(options={"fort_limit": reading}).civ(0, "fortification", "barbarians", hand=4).conquest(0)
    game.do("conquer Urals")
    if game.phase() == "conquest":
        game.do("end conquest")
    assert (game.phase() == "fort") is is_offered


def test_a_neutral_token_taken_is_a_fort_to_build_by_the_reading_supply() -> None:
    """R47."""
    game = Scenario(options={"fort_limit": "supply"}).civ(0, "fortification", "barbarians", hand=4).conquest(0)
    game.do("conquer Volga").play_to("fort")
    assert game.legal() == {"fort Volga", "no fort"}
