"""What the automaton conquers (Rulebook, "Solitaire and Two-Player Game"; cases 5, 51, 65, 66, 69 and 70; table D4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vinci.automaton import answer, answers, follow
from tests.vinci.scenario import Scenario
from tests.vinci.words import names, province
from vinci_lab.games.vinci.heuristics_automaton import conquest_candidates, conquest_halves

ENTRIES = {
    *("Ireland", "Lapland", "Portugal", "South Italy", "Thrace", "South Greece", "Volga", "West Anatolia"),
}


def solitaire(first: str = "barbarians", second: str = "messages", hand: int = 9, **options: Any) -> Scenario:
    """Return a solitaire game in which seat 1 is an automaton with a civilization."""
    return Scenario(1, options).civ(1, first, second, hand=hand)


def in_italy(first: str = "barbarians", second: str = "messages", hand: int = 9, **options: Any) -> Scenario:
    """Return an automaton in Central Italy, beside North and South Italy (value 1) and Dalmatia (value 0)."""
    return solitaire(first, second, hand, **options).own(1, {"Central Italy": 1})


def value(game: Scenario, name: str) -> float:
    """Return the points a province would bring seat 1."""
    return int(conquest_halves(game.tables, game.state, 1, province(name))) / 2


# Which province -----------------------------------------------------------------------------------------------------


def test_it_takes_the_most_valuable_province_then_the_cheapest_then_rolls_the_die() -> None:
    """Case 65: 16 tokens, eight equal entries; from Thrace three farmlands, then a tie of four; one token is left."""
    game = solitaire("agriculture", "messages", hand=16).conquest(1)
    found = answers(game)
    assert {words.removeprefix("conquer ") for words in found} == ENTRIES
    assert min(found.values()) > 300 / 8 / 2
    game.do("conquer Thrace")
    for name in ("Wallachia", "West Ukraine", "Poland"):
        assert answers(game).keys() == {f"conquer {name}"}
        game.do(f"conquer {name}")
    tied = {"conquer West Anatolia", "conquer Hungary", "conquer Pomerania", "conquer East Ukraine"}
    assert answers(game).keys() == tied
    game.do("conquer Hungary")
    assert game.phase() == "place"  # one token is left, and nothing can be paid for any more
    assert game.hand(1) == 16 - 5  # every province has one, the others are distributed
    assert game.worth(1) == 8
    game.do(*answer(game))
    assert game.scored(1)["total"] == 8


def test_by_the_formula_the_order_of_that_game_is_the_same() -> None:
    """Case 66: farmland -1, plain 1, forest 2, mountain 3."""
    game = solitaire("agriculture", "messages", hand=16, automaton_choice="formula").conquest(1)
    assert {words.removeprefix("conquer ") for words in answers(game)} == ENTRIES
    game.do("conquer Thrace")
    for name in ("Wallachia", "West Ukraine", "Poland"):
        assert answers(game).keys() == {f"conquer {name}"}
        game.do(f"conquer {name}")


@pytest.mark.parametrize(("choice", "target"), [("value", "Wallachia"), ("formula", "Macedonia")])
def test_the_formula_prefers_an_empty_mountain_to_a_farmland_with_six_tokens(choice: str, target: str) -> None:
    """Case 5, printed: 3 - 2 x 0 is less than 8 - 2 x 2; by value alone the farmland comes first."""
    game = solitaire("agriculture", "messages", hand=8, automaton_choice=choice).own(1, {"Thrace": 1})
    game.own(0, {"Wallachia": 6, "West Anatolia": 9}).conquest(1)
    assert game.cost("Wallachia") == 8
    assert answers(game).keys() == {f"conquer {target}"}


def test_without_the_tokens_for_the_preferred_province_it_chooses_the_next() -> None:
    game = solitaire("agriculture", "messages", hand=7).own(1, {"Thrace": 1})
    game.own(0, {"Wallachia": 6, "West Anatolia": 4}).conquest(1)
    assert answers(game).keys() == {"conquer West Anatolia"}


def test_mountains_without_value_are_taken_last() -> None:
    """F3."""
    game = solitaire(hand=9).own(1, {"South Greece": 1}).own(0, {"West Anatolia": 9}).conquest(1)
    assert answers(game).keys() == {"conquer Macedonia"}


def test_it_goes_on_as_long_as_it_has_tokens_and_never_empties_a_province() -> None:
    game = in_italy(hand=6).turn(1)
    assert follow(game)[:3] == ["play on", *answers_in_italy(game)]
    assert game.empire(1) == {"Central Italy", "North Italy", "South Italy"}


def answers_in_italy(game: Scenario) -> list[str]:
    """Return the two conquests in the order in which they were made."""
    return [f"conquer {name}" for row in game.found("conquest") for name in names(1 << row["province"])]


# What loses points --------------------------------------------------------------------------------------------------


def beside_its_decline(**options: Any) -> Scenario:
    game = solitaire(hand=3, **options).own(1, {"Denmark": 1}).in_decline(1, ["Low Countries", "Pomerania"])
    return game.own(0, {"Sweden": 9}).conquest(1)


@pytest.mark.parametrize(("reading", "action"), [("no", "end conquest"), ("yes", "conquer Saxony")])
def test_a_province_that_loses_points_in_decline_is_taken_only_by_an_option(reading: str, action: str) -> None:
    """Case 69 and F2: Saxony earns 1, and empties two plains in decline."""
    game = beside_its_decline(automaton_takes_losses=reading)
    assert value(game, "Saxony") == -1
    assert answers(game).keys() == {action}


def test_contact_costs_what_the_lost_provinces_earn_in_decline_now() -> None:
    """F17: a mine with the broken column earns 3, so that Saxony brings 1 - 3 - 1."""
    game = solitaire(hand=3).own(1, {"Denmark": 1}).in_decline(1, ["Low Countries", "Bohemia"], ["mining_col"])
    assert value(game.conquest(1), "Saxony") == 1 - 1 - 2
    assert value(game, "Sweden") == 1


def test_its_own_province_in_decline_brings_nothing_new() -> None:
    """The value of a conquest: the decline's points of the province itself are lost."""
    game = solitaire("slavery", "messages").in_decline(1, ["Ireland"]).conquest(1)
    assert value(game, "Ireland") == 1 - 1
    assert value(game, "Portugal") == 1 + 1


def test_heritage_keeps_what_touches_but_not_what_is_taken() -> None:
    game = solitaire("heritage", "barbarians", hand=3).own(1, {"Denmark": 1})
    game.in_decline(1, ["Low Countries", "Saxony"]).conquest(1)
    assert value(game, "Saxony") == 0
    assert value(game, "Sweden") == 1


# Ties ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tile", "expected"), [("heritage", {"South Italy"}), ("messages", {"South Italy", "North Italy"})]
)
def test_with_heritage_a_tie_goes_to_the_enemy_beside_the_own_decline(tile: str, expected: set[str]) -> None:
    """Case 70: both cost 3 and bring 1; South Italy is a foreign empire's, beside Macedonia in decline."""
    game = in_italy("barbarians", tile).own(0, {"South Italy": 1}).in_decline(1, ["Macedonia"]).conquest(1)
    assert (value(game, "North Italy"), value(game, "South Italy")) == (1, 1)
    assert answers(game).keys() == {f"conquer {name}" for name in expected}


@pytest.mark.parametrize(("reading", "expected"), [("no", {"South Italy", "North Italy"}), ("yes", {"South Italy"})])
def test_by_the_variant_a_tie_goes_to_a_real_player(reading: str, expected: set[str]) -> None:
    """First Conquest, variant, and F1: seat 0 is real, seat 2 an automaton."""
    game = in_italy(automaton_attacks_real=reading).own(0, {"South Italy": 1}).own(2, {"North Italy": 1}).conquest(1)
    assert answers(game).keys() == {f"conquer {name}" for name in expected}


def test_heritage_comes_before_the_variant() -> None:
    """F1: value, cost, Heritage, variant, die."""
    game = in_italy("barbarians", "heritage", automaton_attacks_real="yes")
    game.own(0, {"North Italy": 1}).own(2, {"South Italy": 1}).in_decline(1, ["Macedonia"]).conquest(1)
    assert answers(game).keys() == {"conquer South Italy"}


def test_ties_of_many_are_drawn_evenly() -> None:
    """F16: 13 equal entries are more than a die has sides."""
    game = solitaire("revolutionaries", "barbarians").conquest(1)
    found = answers(game, range(2_000))
    plains = {name for name in game.reach() if game.cost(name) == 3 and value(game, name) == 1}
    assert {words.removeprefix("conquer ") for words in found} == plains
    assert len(plains) > 20
    assert max(found.values()) < 2 * 2_000 / len(plains)


# Tiles --------------------------------------------------------------------------------------------------------------


def test_slavery_counts_in_the_value_of_a_province() -> None:
    """Slavery: a neutral province brings 2, an empty one 1; without the tile the empty one is cheaper."""
    for tile, target in (("slavery", "North Italy"), ("messages", "South Italy")):
        game = in_italy("barbarians", tile).empty("South Italy").conquest(1)
        assert answers(game).keys() == {f"conquer {target}"}


def test_ship_building_settles_first_at_a_large_sea() -> None:
    """Case 51 and F14: 12 of the 16 entries; Caucasus and East Anatolia have only the Black Sea, two have none."""
    game = solitaire("ship_building", "barbarians").conquest(1)
    found = names(conquest_candidates(game.tables, game.state, 1))
    assert len(found) == 12
    assert game.reach() - found == {"Caucasus", "East Anatolia", "Volga", "Urals"}
    assert "conquer Volga" not in answers(game)


def test_ship_building_enters_anywhere_later_or_without_the_tokens_for_a_large_sea() -> None:
    later = solitaire("ship_building", "barbarians")
    later.state.is_entered[1] = 1
    later.conquest(1)
    assert len(names(conquest_candidates(later.tables, later.state, 1))) == 16
    poor = solitaire("ship_building", "barbarians", hand=2).empty("Volga").conquest(1)
    assert answers(poor).keys() == {"conquer Volga"}


def test_astronomy_considers_all_coasts_that_it_reaches() -> None:
    """Astronomy, case 51: 35 provinces to settle in, and expansion over the sea."""
    game = solitaire("astronomy", "barbarians", hand=16).conquest(1)
    assert len(names(conquest_candidates(game.tables, game.state, 1))) == 35
    game.do("conquer Portugal")
    assert "conquer Wallachia" in answers(solitaire("agriculture", "astronomy").own(1, {"Portugal": 1}).conquest(1))


def test_revolutionaries_consider_all_provinces_to_settle_in() -> None:
    """Revolutionaries, case 51: 45 provinces; with Agriculture it settles on a farmland inland."""
    game = solitaire("agriculture", "revolutionaries").conquest(1)
    assert len(names(conquest_candidates(game.tables, game.state, 1))) == 45
    assert {"conquer Poland", "conquer Aquitaine"} <= answers(game).keys()


@pytest.mark.parametrize(
    ("reading", "expected"), [("no", {"spy North Italy", "spy South Italy"}), ("yes", {"spy North Italy"})]
)
def test_espionage_counts_when_costs_of_equal_value_are_compared(reading: str, expected: set[str]) -> None:
    """Espionage and F4: five tokens or one, both cost 2 by Espionage; the option saves it for the dear one."""
    game = in_italy("espionage", "barbarians", automaton_saves_spy=reading).own(0, {"North Italy": 5}).conquest(1)
    assert answers(game).keys() == expected


def test_espionage_is_not_spent_where_the_normal_price_is_no_higher() -> None:
    game = in_italy("espionage", "barbarians").empty("South Italy").own(0, {"North Italy": 5}).conquest(1)
    assert answers(game).keys() == {"conquer South Italy", "spy North Italy"}


def test_by_the_formula_espionage_counts_as_a_cost_of_two() -> None:
    """F20: 2 - 2 x 1 against 2 - 2 x 1."""
    game = in_italy("espionage", "barbarians", automaton_choice="formula").empty("South Italy")
    game.own(0, {"North Italy": 5}).conquest(1)
    assert answers(game).keys() == {"conquer South Italy", "spy North Italy"}


def general(**options: Any) -> Scenario:
    """Return an automaton with Field General and three lasting tokens on two provinces."""
    game = solitaire("field_general", "barbarians", hand=0, **options).own(1, {"Volga": 2, "Urals": 1})
    return game.own(0, {"Portugal": 1}).conquest(1)


def test_field_general_conquers_no_more_than_lasting_tokens_can_hold() -> None:
    """F5: three tokens hold three provinces, though seven more are in hand."""
    game = general()
    assert game.hand(1) == 8
    follow(game)
    assert len(game.empire(1)) == 3
    assert not game.found("dropped")


def test_by_the_option_field_general_conquers_more_and_gives_up_the_least_valuable() -> None:
    """F5, the other reading: the mountain is given up first, and no cohesion binds it."""
    game = general(automaton_overruns="yes")
    follow(game)
    assert len(game.found("conquest")) == 2
    (dropped,) = game.found("dropped")
    assert names(1 << dropped["province"]) == {"Urals"}
    assert len(game.empire(1)) == 3


def test_zero_cost_chains_end_where_the_tokens_cannot_hold_more() -> None:
    """F5: Weapons and Mountaineering take mountains for nothing."""
    game = solitaire("weapons", "mountaineering", hand=1).empty("Dalmatia").own(1, {"Macedonia": 1}).conquest(1)
    assert game.hand(1) == 1
    follow(game)
    assert game.board(1) == len(game.empire(1)) == 2


def test_a_peace_made_by_a_real_player_is_respected() -> None:
    """F19."""
    game = in_italy().own(0, {"South Italy": 1})
    game.state.peace[0] = 1 << 1
    assert answers(game.conquest(1)).keys() == {"conquer North Italy"}


@pytest.mark.parametrize(("reading", "enters"), [("no", False), ("yes", True)])
def test_a_forced_entry_is_made_even_at_a_loss(reading: str, enters: bool) -> None:
    """Option ``must_enter``: every entry it can pay would empty its own decline."""
    game = solitaire(hand=3, must_enter=reading).empty("Portugal", "Castile", "South Spain")
    others = {name: 9 for name in game.reach(1) - {"Portugal"}}
    game.own(0, others).in_decline(1, ["Castile", "South Spain"]).conquest(1)
    assert value(game, "Portugal") == -1
    assert answers(game).keys() == {"conquer Portugal" if enters else "end conquest"}
