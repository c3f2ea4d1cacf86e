"""Decline, peace, distribution and forts of the automaton (cases 67, 68 and 71; table D4)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.vinci.automaton import KEYS, answer, answers, follow, spread
from tests.vinci.scenario import Scenario

NINE = ("Volga", "East Ukraine", "West Ukraine", "Wallachia", "Poland", "Hungary", "Thrace", "Pomerania", "Saxony")
TEN = (*NINE, "South Greece")


def empire(
    spare: int, provinces: tuple[str, ...] = NINE, tiles: tuple[str, str] = ("barbarians", "messages"), **options: Any
) -> Scenario:
    """Return an automaton at the start of its turn, with provinces of one point and some tokens to spare."""
    land = dict.fromkeys(provinces, 1) | {provinces[0]: 1 + spare}
    return Scenario(1, options).civ(1, *tiles).own(1, land).turn(1)


def declines(game: Scenario) -> float:
    """Return the share of dice with which the automaton declines."""
    found = answers(game, range(1_200))
    assert found.keys() <= {"decline", "play on"}
    return found["decline"] / 1_200


def about(sixths: int) -> Any:
    return pytest.approx(sixths / 6, abs=0.05 if 0 < sixths < 6 else 0)


# Decline ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spare", "sixths"), [(0, 6), (1, 5), (2, 4), (3, 3), (4, 2), (5, 1), (6, 0)])
def test_a_poor_empire_declines_when_the_die_shows_more_than_its_spare_tokens(spare: int, sixths: int) -> None:
    """Case 68 and F9: 9 points and 0 to 5 tokens roll the die."""
    assert declines(empire(spare)) == about(sixths)


def test_an_empire_worth_ten_points_never_declines() -> None:
    """Case 68."""
    assert declines(empire(0, TEN)) == 0


@pytest.mark.parametrize(("limit", "sixths"), [(2, (4, 3, 2, 0, 0)), (3, (4, 3, 2, 1, 0))])
def test_field_general_declines_with_fewer_tokens_and_two_less_on_the_die(limit: int, sixths: tuple[int, ...]) -> None:
    """Case 68, F7, F8 and F9: the seven tokens do not count; fewer than three tokens, or three by the other reading."""
    for spare, expected in enumerate(sixths):
        game = empire(spare, tiles=("field_general", "barbarians"), automaton_general_tokens=limit)
        assert declines(game) == about(expected)


def test_the_token_of_medicine_is_available() -> None:
    """F7: five to spare and one to come are six."""
    assert declines(empire(5, tiles=("medicine", "messages"))) == 0
    assert declines(empire(4, tiles=("medicine", "messages"))) == about(1)


def test_slavery_and_the_empire_in_decline_do_not_count_in_its_worth() -> None:
    """F6."""
    game = empire(0, tiles=("slavery", "messages")).in_decline(1, ["Portugal", "Ireland"])
    assert declines(game) == 1


def test_by_the_option_the_empire_in_decline_counts_in_its_worth() -> None:
    """F6, the other reading: 9 and 1."""
    assert declines(empire(0, automaton_worth="both")) == 1
    assert declines(empire(0, automaton_worth="both").in_decline(1, ["Portugal"])) == 0


def test_the_numbers_of_the_test_are_data() -> None:
    changed = {"automaton_decline_points": 9}
    assert declines(empire(0, **changed)) == 0
    assert declines(empire(6, automaton_decline_tokens=6)) == 0  # considered, but no die shows more than six
    assert declines(empire(2, tiles=("field_general", "barbarians"), automaton_general_die=0)) == about(4)


def test_a_civilization_that_has_not_entered_yet_is_played() -> None:
    game = Scenario(1).civ(1, "barbarians", "messages", hand=3).turn(1)
    assert answers(game).keys() == {"play on"}


@pytest.mark.parametrize(("left", "sixths"), [(0, 6), (5, 1), (6, 0)])
def test_a_wiped_out_empire_takes_the_usual_test(left: int, sixths: int) -> None:
    """F15."""
    game = Scenario(1).civ(1, "barbarians", "messages", hand=left, entered=True).turn(1)
    assert declines(game) == about(sixths)


@pytest.mark.parametrize("start_too", ["no", "yes"])
def test_with_rebirth_decline_is_considered_at_the_end_of_the_turn_alone(start_too: str) -> None:
    """Rebirth and F10."""
    game = empire(0, NINE[:3], ("rebirth", "barbarians"), rebirth_start_too=start_too)
    if start_too == "yes":
        assert answers(game).keys() == {"play on"}
    game.finish() if game.phase() == "next_seat" else game.play_to("rebirth")
    assert answers(game).keys() == {"rebirth"}
    rich = empire(3, NINE[:3], ("rebirth", "barbarians")).play_to("rebirth")
    shares = answers(rich, range(1_200))
    assert shares["rebirth"] / 1_200 == about(3)
    assert declines_never(empire(0, TEN, ("rebirth", "barbarians")).play_to("rebirth"))


def declines_never(game: Scenario) -> bool:
    return answers(game).keys() == {"no rebirth"}


def test_after_a_decline_it_takes_the_first_pair_and_its_coins() -> None:
    """Choosing a Civilization, and F18: no other pair is offered to it, whatever lies there."""
    game = Scenario(1).civ(1, "barbarians", "messages").own(1, {"Volga": 1}).points(1, 40).coins("I", 3)
    game.tray(("agriculture", "port"), ("weapons", "barbarians")).turn(1).do("decline")
    assert game.legal() == {"choose I"}
    score = game.score(1)
    game.do(*answer(game))
    assert game.score(1) == score + 3 * 2
    assert game.hand(1) == 3 + 3 + 8


# Diplomacy ----------------------------------------------------------------------------------------------------------


def peacemaker(players: int, second: str = "barbarians") -> Scenario:
    return Scenario(players).civ(3, "diplomacy", second, hand=9).turn(3).do("play on")


def test_peace_is_always_made_with_the_only_real_player() -> None:
    """Case 71."""
    game = peacemaker(1)
    assert game.legal() == {"peace 0", "peace 1", "peace 2"}
    assert answers(game).keys() == {"peace 0"}


def test_peace_is_made_with_either_of_two_real_players() -> None:
    found = answers(peacemaker(2))
    assert found.keys() == {"peace 0", "peace 1"}
    assert min(found.values()) > len(KEYS) / 3


def test_doubled_diplomacy_names_both_real_players_or_the_real_one_first() -> None:
    game = peacemaker(2, "specialization")
    first = answer(game)
    game.do(*first)
    assert {*first, *answers(game)} == {"peace 0", "peace 1"}
    single = peacemaker(1, "specialization").do("peace 0")
    assert answers(single).keys() == {"peace 1", "peace 2"}


# Distribution -------------------------------------------------------------------------------------------------------


def holding(land: dict[str, int], foes: dict[int, list[str]], first: str = "barbarians", **options: Any) -> Scenario:
    """Return an automaton that has ended its conquests; foes own provinces, so that nobody waits to enter."""
    game = Scenario(1, options).civ(1, first, "messages").own(1, land)
    for seat in (0, 2, 3):
        game.own(seat, dict.fromkeys(foes.get(seat, [("Ireland", "", "Portugal", "Pyrenees")[seat]]), 1))
    return game.conquest(1).play_to("place")


def test_the_defence_is_made_even_then_the_front_line_gets_the_surplus() -> None:
    """Case 67: plain, forest, mountain with six tokens: one each, one more for the plain, then two for three."""
    game = holding({"Volga": 4, "Muscovy": 1, "Urals": 1}, {0: ["East Ukraine"]})
    for key in KEYS[:20]:
        assert spread(game.copy(), 1, key) == {"Volga": 3, "Muscovy": 2, "Urals": 1}


def test_the_border_of_the_board_gets_the_surplus_when_a_new_empire_is_announced() -> None:
    """Reorganization and F12: a civilization waits to enter, so Volga and Urals come first."""
    game = holding({"Volga": 4, "Muscovy": 1, "Urals": 1}, {0: ["East Ukraine"], 2: []})
    for key in KEYS[:20]:
        assert spread(game.copy(), 1, key) == {"Volga": 3, "Muscovy": 1, "Urals": 2}


def test_of_preferred_provinces_the_one_that_earns_most_comes_first() -> None:
    game = holding({"Volga": 3, "Muscovy": 1, "Urals": 1}, {0: ["East Ukraine"]}, "livestock")
    for key in KEYS[:20]:
        assert spread(game.copy(), 1, key) == {"Volga": 3, "Muscovy": 1, "Urals": 1}


def test_between_equals_the_die_decides_who_gets_the_surplus() -> None:
    game = holding({"Volga": 3, "Muscovy": 1, "Urals": 1}, {0: ["East Ukraine"]})
    found = {tuple(sorted(spread(game.copy(), 1, key).items())) for key in KEYS[:40]}
    assert found == {
        (("Muscovy", 1), ("Urals", 1), ("Volga", 3)),
        (("Muscovy", 2), ("Urals", 1), ("Volga", 2)),
    }


def test_a_fort_counts_like_a_token() -> None:
    game = holding({"Volga": 4, "Muscovy": 1, "Urals": 1}, {0: ["East Ukraine"]}).fortify("Volga")
    assert spread(game, 1) == {"Volga": 2, "Muscovy": 2, "Urals": 2}


@pytest.mark.parametrize(("reading", "fed"), [("weakest", {"Volga", "Lapland"}), ("anywhere", {"Muscovy"})])
def test_the_surplus_goes_to_the_weakest_or_by_an_option_anywhere(reading: str, fed: set[str]) -> None:
    """F11: one token is left for two plains; only the forest, which is stronger, is at the front."""
    land = {"Volga": 2, "Lapland": 1, "Muscovy": 1}
    game = holding(land, {0: ["Belarus"]}, automaton_surplus=reading)
    found = set()
    for key in KEYS[:40]:
        tokens = spread(game.copy(), 1, key)
        found |= {name for name, number in tokens.items() if number == 2}
    assert found == fed


def test_survivors_are_placed_by_the_same_rule() -> None:
    """The defender's provinces stay as they stand, the survivors make them even."""
    game = Scenario(1).civ(0, "weapons", "barbarians", hand=9).own(0, {"Pomerania": 1})
    game.civ(1, "barbarians", "messages").own(1, {"Poland": 3, "Hungary": 1, "Belarus": 2, "Volga": 2})
    game.own(2, {"Ireland": 1}).own(3, {"Portugal": 1}).conquest(0).do("conquer Poland", "end conquest")
    while game.phase() == "place":
        game.do(min(game.legal()))
    assert game.hand(1) == 2
    assert spread(game, 1) == {"Hungary": 3, "Belarus": 2, "Volga": 2}  # Hungary 3, then 4: beside Poland


# Forts --------------------------------------------------------------------------------------------------------------


def builder(land: dict[str, int], second: str = "barbarians") -> Scenario:
    return Scenario(1).civ(1, "fortification", second).own(1, land)


def fort_words(game: Scenario) -> set[str]:
    return set(answers(game.conquest(1).play_to("fort")))


def test_the_fort_stands_where_most_foreign_or_neutral_provinces_are_near() -> None:
    """Fortification and F13: Poland has seven neighbors; empty ones count, own ones do not."""
    land = {"Poland": 1, "Belarus": 1, "Volga": 1}
    assert fort_words(builder(land).empty("Hungary", "Livonia")) == {"fort Poland"}
    assert fort_words(builder(land).in_decline(1, ["Bohemia", "Pomerania", "Carpathians"])) == {"fort Belarus"}


def test_of_equal_sites_the_one_with_the_richer_neighborhood_gets_the_fort() -> None:
    """Ireland and South Greece have two neighbors each: a mountain and a farmland, a mountain and a plain."""
    land = {"Ireland": 1, "South Greece": 1}
    assert fort_words(builder(land, "agriculture")) == {"fort Ireland"}
    assert fort_words(builder(land)) == {"fort Ireland", "fort South Greece"}


def test_doubled_fortification_builds_in_two_provinces() -> None:
    game = builder({"Poland": 1, "Belarus": 1, "Volga": 1}, "specialization")
    game.conquest(1).play_to("fort")
    follow(game)
    assert game.has_fort("Poland")
    assert game.has_fort("Belarus")
    assert not game.has_fort("Volga")
