"""Tiles with a rule of their own: Diplomacy, Medicine, Rebirth, Specialization, and what a civilization adds up to."""

from __future__ import annotations

import pytest

from tests.vinci.referee import Referee
from tests.vinci.scenario import Scenario
from vinci_lab.games.vinci import rules_layout as layout


def test_medicine_brings_a_token_at_the_start_of_every_turn_the_first_included() -> None:
    """Case 43, R35: 12 tokens, 13 usable on the first turn, 14 on the second."""
    game = Scenario(5).tray(("medicine", "messages")).turn(0).do("decline", "choose I")
    assert game.hand(0) == 12
    game.pass_until(0).do("play on")
    assert game.hand(0) == 13
    game.do("conquer Volga").finish()
    assert game.board(0) == 13
    game.pass_until(0).do("play on")
    assert game.hand(0) + game.board(0) == 14
    assert [row["lasting"] for row in game.found("income") if row["seat"] == 0] == [1, 1]


def test_medicine_doubled_brings_two() -> None:
    """Case 43: 11 and 13 tokens."""
    game = Scenario(5).tray(("specialization", "medicine")).turn(0).do("decline", "choose I")
    assert game.hand(0) == 11
    game.pass_until(0).do("play on")
    assert game.hand(0) == 13


def test_medicine_brings_nothing_in_a_turn_of_decline() -> None:
    """R35: the decline comes first."""
    game = Scenario().civ(0, "medicine", "barbarians").own(0, {"Volga": 2}).turn(0).do("decline")
    assert game.hand(0) == 0
    assert game.tokens("Volga") == 1


def rivals(first: str = "diplomacy", second: str = "barbarians", **options: str) -> Scenario:
    """Return seat 0 with Diplomacy at the start of its turn, beside seat 1's active and old empires."""
    game = Scenario(4, options).civ(0, first, second).own(0, {"Poland": 9, "Hungary": 1})
    game.civ(1, "espionage", "livestock").own(1, {"Pomerania": 9, "Saxony": 1}).in_decline(1, ["Livonia"])
    return game.in_decline(0, ["Low Countries"]).turn(0)


def test_diplomacy_must_name_one_opponent() -> None:
    """R42, at the beginning of the turn."""
    game = rivals().do("play on")
    assert game.phase() == "peace"
    assert game.legal() == {"peace 1", "peace 2", "peace 3"}


def test_by_the_other_reading_diplomacy_may_name_nobody() -> None:
    """R42."""
    game = rivals(peace_optional="yes").do("play on")
    assert game.legal() == {"peace 1", "peace 2", "peace 3", "no peace"}
    game.do("no peace", "end gather")
    assert "Pomerania" in game.reach()


def test_neither_of_two_seats_at_peace_may_attack_the_other() -> None:
    """Case 48: active empires are safe from each other, by Espionage too; declines are not."""
    game = rivals().do("play on", "peace 1", "end gather")
    assert "Pomerania" not in game.reach()
    assert "conquer Livonia" in game.legal()
    game.finish()
    game.go_conquer()
    assert game.state.turn_seat == 1
    assert game.hand(1) == 8
    assert not {"Poland", "Hungary"} & game.reach()
    assert not {"spy Poland", "spy Hungary", "conquer Poland"} & game.legal()
    assert {"conquer Low Countries", "spy Low Countries"} <= game.legal()


def test_peace_binds_only_the_seat_named() -> None:
    """Case 48: seat 2, not named, attacks."""
    game = Scenario(4).civ(0, "diplomacy", "barbarians").own(0, {"Poland": 1, "Hungary": 1})
    game.civ(2, "weapons", "livestock", hand=9).own(2, {"Pomerania": 1}).turn(0)
    game.do("play on", "peace 1", "end gather").pass_until(2).go_conquer()
    assert "conquer Poland" in game.legal()


def test_peace_ends_with_the_next_turn_of_the_seat_that_named_it() -> None:
    """Case 48, R43: after that, another may be named and the first attacked."""
    game = rivals().do("play on", "peace 1", "end gather").finish()
    game.pass_until(0).do("play on")
    assert game.state.peace[0] == 0
    game.do("peace 2", "end gather")
    assert "Pomerania" in game.reach()


def test_diplomacy_doubled_names_two_seats() -> None:
    """Case 48, R45."""
    game = rivals("specialization", "diplomacy").do("play on", "peace 1")
    assert game.phase() == "peace"
    assert game.legal() == {"peace 2", "peace 3"}
    game.do("peace 3", "end gather")
    assert "Pomerania" not in game.reach()


def test_peace_also_binds_a_seat_without_an_active_empire_and_its_new_civilization() -> None:
    """Case 63, R44, Clar.5: seat 1 has declined; its new civilization spares seat 0 until seat 0's next turn."""
    game = Scenario(4).tray(("revolutionaries", "barbarians")).civ(0, "diplomacy", "port")
    game.own(0, {"Volga": 1, "Urals": 1}).civ(3, "livestock", "slavery").own(3, {"Poland": 1}).turn(3)
    game.do("decline", "choose I")
    assert game.state.turn_seat == 0
    game.do("play on", "peace 3", "end gather").pass_until(3).go_conquer()
    assert game.empire(3) == set()
    assert game.hand(3) > 9
    assert not {"Volga", "Urals"} & game.reach()
    assert "Caucasus" in game.legal("conquer")


def test_peace_ends_when_the_tile_leaves() -> None:
    """R43: the chooser declines by Rebirth in the same turn, and his peace is void at once."""
    game = Scenario(4).civ(1, "diplomacy", "rebirth").own(1, {"Poland": 3, "Hungary": 1}).arrive(1)
    game.do("peace 2")
    assert game.state.peace[1] == 1 << 2
    game.play_to("rebirth").do("rebirth")
    assert game.state.peace[1] == 0


def reborn(hand: int = 0, **options: str) -> Scenario:
    """Return seat 0 with Rebirth in its conquests: seven active points, two in decline."""
    land = {"Poland": 1, "Pomerania": 1, "Saxony": 1, "Hungary": 1, "Livonia": 1, "Belarus": 1, "West Ukraine": 1}
    game = Scenario(4, options).tray(("barbarians", "weapons")).civ(0, "rebirth", "slavery").own(0, land)
    return game.in_decline(0, ["Burgundy", "North France"]).arrive(0, round_number=2)


def test_rebirth_declines_after_scoring_and_the_next_turn_enters() -> None:
    """Case 49, R26: nine points with the old decline, none again; the old decline goes; the pair is chosen at once."""
    game = reborn().play_to("rebirth")
    assert game.legal() == {"rebirth", "no rebirth"}
    assert game.score(0) == 19
    game.do("rebirth")
    assert game.score(0) == 19
    assert game.phase() == "choose"
    assert len(game.old_empire(0)) == 7
    assert game.is_empty("Burgundy")
    game.do("choose I")
    assert game.state.turn_seat == 1
    assert game.hand(0) == 15
    game.pass_until(0).go_conquer()
    assert game.phase() == "conquest"
    assert "conquer Volga" in game.legal()
    game.do("conquer Caucasus").finish()
    assert game.scored(0)["decline_base"] == 7


def test_rebirth_is_optional_each_turn() -> None:
    """R33."""
    game = reborn().play_to("rebirth").do("no rebirth")
    assert game.state.turn_seat == 1
    assert len(game.empire(0)) == 7
    assert game.old_empire(0) == {"Burgundy", "North France"}


@pytest.mark.parametrize(("reading", "is_asked"), [("no", False), ("yes", True)])
def test_rebirth_has_no_decline_at_the_start_of_a_turn_by_default(reading: str, is_asked: bool) -> None:
    """R33."""
    game = reborn(rebirth_start_too=reading)
    assert (game.phase() == "turn_start") is is_asked
    assert ("decline" in game.legal()) is is_asked


def test_rebirth_works_on_the_first_turn() -> None:
    """Case 49, last sentence."""
    rest = [("port", "mining"), ("weapons", "slavery")] * 2
    game = Scenario(3).deal([("rebirth", "barbarians"), *rest, ("heritage", "militia")])
    game.is_chance_automatic = True
    game.do("choose I", "choose II", "choose II")
    assert game.state.turn_seat == 0
    game.do("conquer Volga").play_to("rebirth")
    game.do("rebirth", "choose I")
    assert game.old_empire(0) == {"Volga"}
    assert game.state.turn_seat == 1


def test_rebirth_tiles_return_to_the_bag_or_the_tray() -> None:
    """Errata 5: Rebirth does not stay with the empire in decline."""
    game = reborn().play_to("rebirth").do("rebirth")
    assert game.held_kinds(game.state.old_tile[0]) == []
    assert game.bag_kinds().count("rebirth") + game.held_kinds(game.state.tray.ravel()).count("rebirth") == 2


@pytest.mark.parametrize("bag", [None, "first"])
def test_a_civilization_is_the_sum_of_its_tiles_and_specialization_doubles_the_other(bag: str | None) -> None:
    """Part B2, E9.18: numbers add up, flags join; red numbers 2x + 1; every pair of the box."""
    game = Scenario(4, bag=bag)
    referee = Referee(game.tables)
    first_copy = {int(game.tables.kind_of[copy]): copy for copy in range(int(game.tables.copies))}
    kinds = range(len(game.kinds))
    for first in kinds:
        for second in kinds:
            if {game.kinds[first], game.kinds[second]} == {"specialization"}:
                continue
            expected = referee.civ((first_copy[first], first_copy[second]))
            found = dict(
                zip(layout.MODIFIER_NAMES, game.tables.pairs[first * layout.KINDS + second].tolist(), strict=True)
            )
            flags = layout.MODIFIER_NAMES[layout.FIRST_FLAG :]
            numbers = [name for name in layout.MODIFIER_NAMES if name not in flags]
            pair = (game.kinds[first], game.kinds[second])
            assert [found[name] for name in numbers] == [expected[name] for name in numbers], pair
            marks = [name for name in flags if name != "lasts_in_decline"]
            assert [bool(found[name]) for name in marks] == [bool(expected[name]) for name in marks], pair


def test_traits_come_from_the_active_civilization() -> None:
    """Part B2: the sum of two tiles."""
    game = Scenario().civ(0, "weapons", "specialization").civ(1, "weapons", "mountaineering").turn(0)
    assert game.trait(0, layout.COST_ANY) == -2
    assert game.trait(1, layout.COST_ANY) == -1
    assert game.trait(1, layout.VP_MOUNTAIN) == 1
    assert game.trait(0, layout.VP_MOUNTAIN) == 0
