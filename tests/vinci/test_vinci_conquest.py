"""What a conquest does (Expanding an Empire, Decline of an Empire, Clarifications)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario
from tests.vinci.words import names


def test_a_conquest_leaves_exactly_its_cost_in_the_province() -> None:
    """Expanding: the tokens must be left there; the attacker loses none."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0)
    game.conquer("Volga")
    game.conquer("Muscovy")
    assert (game.tokens("Volga"), game.tokens("Muscovy"), game.hand(0)) == (3, 4, 5)
    game.finish()
    assert game.board(0) == 12


def test_a_conquered_province_is_at_once_a_starting_point() -> None:
    """Expanding, paragraph 2."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0).do("conquer Volga")
    assert game.reach() == {"East Ukraine", "Muscovy", "Urals", "Caucasus"}
    game.do("conquer Muscovy")
    assert {"Belarus", "West Ukraine", "Novgorod"} <= game.reach()


def test_neutral_tokens_leave_the_game_for_good() -> None:
    """Expanding; R58."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0).do("conquer Volga")
    assert len(names(game.state.neutral)) == 32
    game.finish()
    game.pass_until(0).do("play on", "abandon Volga")
    assert game.is_empty("Volga")
    assert len(names(game.state.neutral)) == 32


def test_a_conquest_of_an_empty_province_costs_nobody_a_token() -> None:
    """Expanding: one token per defender, and there is none."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0).do("conquer Urals")
    (conquest,) = game.found("conquest")
    assert (conquest["defenders"], conquest["from_seat"], conquest["cost"]) == (0, -1, 3)
    assert game.found("loss") == []


def test_provinces_too_dear_are_not_offered() -> None:
    """Expanding: the cost must be paid from the hand."""
    game = Scenario().civ(0, "barbarians", "port", hand=3).own(0, {"Poland": 1}).conquest(0)
    assert game.legal("conquer") == {"Pomerania", "Hungary", "West Ukraine", "Bohemia", "Carpathians"}
    assert game.reach() == game.legal("conquer") | {"Livonia", "Belarus"}


def test_own_provinces_cannot_be_conquered() -> None:
    """E9.13: a province conquered is the attacker's for the rest of the turn."""
    game = Scenario().civ(0, "weapons", "specialization", hand=9).conquest(0)
    game.conquer("Urals")
    game.conquer("Volga")
    assert not {"Urals", "Volga"} & game.reach()


def test_the_turn_goes_on_by_itself_when_nothing_can_be_conquered() -> None:
    """Only ending the conquests is left, so nobody is asked."""
    game = Scenario().civ(0, "barbarians", "port", hand=3).conquest(0).do("conquer Volga")
    assert game.state.turn_seat == 1
    assert game.tokens("Volga") == 3


def test_a_conquest_at_no_cost_makes_the_province_own_at_once() -> None:
    """Expanding, special case; R12: an origin without a token."""
    game = Scenario().civ(0, "weapons", "specialization", hand=6).own(0, {"Caucasus": 1}).conquest(0)
    assert game.conquer("East Anatolia") == 0
    assert game.tokens("East Anatolia") == 0
    assert "East Anatolia" in game.empire(0)
    assert "West Anatolia" in game.reach()
    assert game.cost("West Anatolia") == 0  # 2 + 1 - 2 - 1, from a mountain


def test_a_conquest_at_no_cost_still_costs_the_defender_a_token() -> None:
    """R13: it is a conquest like any other."""
    game = Scenario().civ(0, "weapons", "specialization", hand=3).own(0, {"Caucasus": 1}).civ(1, "livestock", "slavery")
    game.own(1, {"Volga": 1, "Urals": 2}).conquest(0)
    assert game.conquer("Volga") == 0
    (loss,) = game.found("loss")
    assert (loss["seat"], loss["lost"], loss["survivors"]) == (1, 1, 0)


def test_a_conquest_at_no_cost_triggers_contact() -> None:
    """R13, Clar.11."""
    game = Scenario().civ(0, "weapons", "specialization", hand=3).own(0, {"Caucasus": 1}).in_decline(0, ["Muscovy"])
    game.conquest(0)
    assert game.conquer("Volga") == 0
    assert game.is_empty("Muscovy")


def test_contact_empties_bordering_provinces_of_the_own_decline_at_once() -> None:
    """Case 46: Poland touches Pomerania and Livonia, not East Ukraine."""
    game = Scenario().civ(0, "barbarians", "port", hand=9).own(0, {"Hungary": 1})
    game.in_decline(0, ["Pomerania", "Livonia", "East Ukraine"]).fortify("Livonia").conquest(0)
    assert game.old_worth(0) == 3
    game.do("conquer Poland")
    assert game.is_empty("Pomerania")
    assert game.is_empty("Livonia")
    assert game.old_empire(0) == {"East Ukraine"}
    assert {names(1 << row["province"]).pop() for row in game.found("contact")} == {"Pomerania", "Livonia"}
    game.finish()
    assert game.scored(0)["decline_base"] == 1


def test_emptied_provinces_cost_what_empty_ones_cost() -> None:
    """R27: emptied for good, so Pomerania is now a plain without defenders."""
    game = Scenario().civ(0, "barbarians", "port", hand=9).own(0, {"Hungary": 1}).in_decline(0, ["Pomerania"])
    game.conquest(0).do("conquer Poland")
    assert game.cost("Pomerania") == 2


def test_there_is_no_contact_by_sea() -> None:
    """Case 47, R20: an Astronomy empire in Norway, the own decline in Denmark."""
    game = Scenario().civ(0, "astronomy", "barbarians", hand=9).in_decline(0, ["Denmark"]).conquest(0)
    game.do("conquer Norway")
    assert game.old_empire(0) == {"Denmark"}
    assert "Denmark" in game.reach()
    game.do("conquer Sweden")
    assert game.old_empire(0) == set()


def test_contact_across_a_coastal_border() -> None:
    """Clar.2: provinces on both sides of a black line are adjacent."""
    game = Scenario().civ(0, "barbarians", "port", hand=9).in_decline(0, ["Scotland", "England and Wales"]).conquest(0)
    game.do("conquer Ireland")
    assert game.old_empire(0) == set()


def test_the_decline_of_others_is_not_touched_by_contact() -> None:
    """Decline: only a player's own two empires exclude each other."""
    game = Scenario().civ(0, "barbarians", "port", hand=9).own(0, {"Hungary": 1}).in_decline(1, ["Pomerania"])
    game.conquest(0).do("conquer Poland")
    assert game.old_empire(1) == {"Pomerania"}


def test_heritage_lets_both_empires_touch() -> None:
    """Case 45: entry beside the own decline empties nothing; it may even be attacked (Clar.4)."""
    game = Scenario().civ(0, "heritage", "slavery", hand=12).in_decline(0, ["Muscovy", "East Ukraine"]).conquest(0)
    game.do("conquer Volga")
    assert game.old_empire(0) == {"Muscovy", "East Ukraine"}
    assert game.conquer("Muscovy") == 4
    game.finish()
    assert game.old_empire(0) == {"East Ukraine"}
    assert game.scored(0)["kills"] == 1  # the neutral of Volga; the own token is no opponent (R38)
    assert game.scored(0)["decline_base"] == 1


def test_heritage_ends_with_its_civilization() -> None:
    """Case 45, R29: the next civilization without the tile empties what it touches."""
    game = Scenario().tray(("barbarians", "weapons")).civ(0, "heritage", "port").own(0, {"Muscovy": 2, "Urals": 2})
    game.turn(0).do("decline", "choose I")
    assert game.held_kinds(game.state.old_tile[0]) == []
    game.pass_until(0).go_conquer()
    assert game.old_empire(0) == {"Muscovy", "Urals"}
    game.do("conquer Volga")
    assert game.old_empire(0) == set()


@pytest.mark.parametrize("holder", ["active", "decline"])
def test_a_fort_vanishes_when_its_province_is_taken(holder: str) -> None:
    """Fortification: forts disappear if the province is taken."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1})
    if holder == "active":
        game.civ(1, "fortification", "livestock").own(1, {"Poland": 1, "Hungary": 1})
    else:
        game.in_decline(1, ["Poland", "Hungary"])
    game.fortify("Poland").conquest(0)
    assert game.conquer("Poland") == 4
    assert not game.has_fort("Poland")
    assert "Poland" not in game.old_empire(1) | game.empire(1)


def test_a_province_abandoned_can_be_conquered_again_in_the_same_turn() -> None:
    """R57: it is empty then."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Poland": 4, "Pomerania": 2}).turn(0)
    game.do("play on", "abandon Pomerania", "end gather")
    assert game.hand(0) == 5
    assert game.conquer("Pomerania") == 2


def test_all_tokens_but_one_are_gathered_from_each_province() -> None:
    """Expanding: one token stays in each controlled province."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Poland": 4, "Pomerania": 2, "Saxony": 1}).conquest(0)
    assert game.hand(0) == 4
    assert game.board(0) == 3


def test_the_events_of_a_conquest_add_up_to_its_cost() -> None:
    """Every part of the cost formula is named: base, defenders, fort, Militia, tiles and origin."""
    game = Scenario().civ(0, "weapons", "ship_building", hand=12).own(0, {"Bohemia": 1, "Saxony": 1})
    game.civ(1, "militia", "fortification").own(1, {"Pomerania": 2, "Livonia": 1}).fortify("Pomerania").conquest(0)
    assert game.conquer("Pomerania") == 4  # 2 + 2 + 1 + 1 - 1 - 1
    (conquest,) = game.found("conquest")
    assert conquest["base"] == 2
    assert conquest["defenders"] == 2
    assert (conquest["fort"], conquest["militia"]) == (1, 1)
    parts = ("base", "defenders", "fort", "militia", "tile_any", "tile_terrain", "tile_water")
    origin = ("origin_mountain", "origin_fort", "origin_coast")
    assert sum(conquest[name] for name in parts + origin) == 4
    assert (conquest["from_seat"], conquest["from_decline"]) == (1, 0)
