"""A civilization is given up (Decline of an Empire, the summary card, Errata 5, Clarifications 9 and 10)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario

SIX = {"Bohemia": 3, "Austria": 2, "Saxony": 2, "Swabia": 2, "Pomerania": 1, "Hungary": 1}

PAIRS = [("port", "mining"), ("weapons", "slavery"), ("heritage", "militia")] * 2


def declining(first: str = "mining_col", second: str = "currency", **options: str) -> Scenario:
    """Return seat 0 with six provinces, eleven tokens, and an older empire of three provinces."""
    game = Scenario(options=options).tray(("barbarians", "weapons")).civ(0, first, second).own(0, SIX)
    return game.in_decline(0, ["Ireland", "Portugal", "Castile"], ["port_col"]).turn(0)


def test_a_turn_of_decline_in_atomic_steps() -> None:
    """Case 52: five tokens go, six points, Currency to the bag; the older empire goes first and scores nothing."""
    game = declining()
    assert game.legal() == {"play on", "decline"}
    game.do("decline")
    (decline,) = game.found("decline")
    assert (decline["provinces"], decline["tokens_removed"], decline["old_provinces_removed"]) == (6, 5, 3)
    assert game.scored(0)["total"] == 6
    assert game.score(0) == 16
    assert game.old_empire(0) == set(SIX)
    assert game.empire(0) == set()
    assert all(game.tokens(name) == 1 for name in SIX)
    assert all(game.is_empty(name) for name in ("Ireland", "Portugal", "Castile"))
    assert game.held_kinds(game.state.old_tile[0]) == ["mining_col"]
    assert game.phase() == "choose"
    assert {"currency", "port_col"} <= set(game.bag_kinds())


def test_the_new_civilization_waits_until_the_next_turn() -> None:
    """Decline, paragraph 2: no conquest in the turn of decline."""
    game = declining().do("decline", "choose I")
    assert game.state.turn_seat == 1
    assert game.empire(0) == set()
    assert game.hand(0) == 6 + 3 + 4
    game.pass_until(0).go_conquer()
    assert game.phase() == "conquest"
    game.do("conquer Volga").finish()
    assert game.scored(0)["total"] == 1 + 4 + 2


def test_choosing_is_part_of_the_turn_of_decline() -> None:
    """R7: compulsory, from the six pairs on the tray."""
    game = declining().do("decline")
    assert game.legal() == {f"choose {slot}" for slot in ("I", "II", "III", "IV", "V", "VI")}


def test_nothing_but_decline_or_play_is_asked_at_the_start_of_a_turn() -> None:
    """Decline, paragraph 1: only at the beginning of a turn."""
    game = declining()
    assert game.legal() == {"play on", "decline"}
    game.do("play on")
    assert "decline" not in game.legal()


@pytest.mark.parametrize("tile", ["heritage", "fortification", "rebirth", "currency", "agriculture", "slavery"])
def test_tiles_without_a_broken_column_return_to_the_bag(tile: str) -> None:
    """Errata 5, R30: Heritage, Rebirth and Fortification too."""
    game = Scenario(options={"rebirth_start_too": "yes"}).civ(0, tile, tile).own(0, {"Volga": 2, "Urals": 1}).turn(0)
    assert game.bag_kinds().count(tile) == 0
    game.do("decline")
    assert game.bag_kinds().count(tile) == 2
    assert (game.state.old_tile[0] < 0).all()


@pytest.mark.parametrize("tile", ["agriculture_col", "livestock_col", "mining_col", "port_col"])
def test_tiles_with_a_broken_column_stay_with_the_empire_in_decline(tile: str) -> None:
    """The tiles; they return with the next decline."""
    game = Scenario().tray(("barbarians", "weapons")).civ(0, tile, "heritage").own(0, {"Volga": 2, "Urals": 1}).turn(0)
    game.do("decline", "choose I")
    assert game.held_kinds(game.state.old_tile[0]) == [tile]
    game.pass_until(0).do("decline")
    assert game.held_kinds(game.state.old_tile[0]) == []
    assert len(game.bag_kinds()) + 12 + 2 * 4 == 52


def test_declining_without_a_province_is_legal_and_scores_nothing() -> None:
    """R24: the older empire is removed, nothing replaces it."""
    game = Scenario().civ(0, "barbarians", "port", entered=True).in_decline(0, ["Ireland", "Portugal"]).turn(0)
    game.do("decline")
    assert game.scored(0)["total"] == 0
    assert game.is_empty("Ireland")
    assert game.old_empire(0) == set()
    assert game.phase() == "choose"


@pytest.mark.parametrize(("reading", "is_legal"), [("yes", True), ("no", False)])
def test_a_civilization_that_never_entered_can_decline_by_default(reading: str, is_legal: bool) -> None:
    """R25: at the beginning of any turn."""
    game = Scenario(options={"decline_unentered": reading}).civ(1, "barbarians", "port", hand=9).arrive(1)
    assert ("decline" in game.legal()) is is_legal
    if not is_legal:
        assert game.phase() == "conquest"


@pytest.mark.parametrize(("reading", "is_legal"), [("no", False), ("yes", True)])
def test_there_is_no_decline_on_the_first_turn_by_default(reading: str, is_legal: bool) -> None:
    """R68."""
    game = Scenario(3, {"decline_first_turn": reading}).deal(PAIRS)
    game.is_chance_automatic = True
    game.do("choose I", "choose I", "choose I")
    assert game.state.turns_taken[0] == 0
    assert ("decline" in game.legal()) is is_legal
    assert game.phase() == ("turn_start" if is_legal else "conquest")


def test_from_the_second_turn_on_decline_is_offered() -> None:
    """R68."""
    game = Scenario(3).deal(PAIRS)
    game.is_chance_automatic = True
    game.do("choose I", "choose I", "choose I", "conquer Volga").pass_until(0)
    assert game.state.turns_taken[0] == 1
    assert game.legal() == {"play on", "decline"}


def test_a_player_has_at_most_one_empire_in_decline() -> None:
    """Decline, paragraph 5: twice in a row, the oldest goes."""
    game = Scenario().tray(("barbarians", "weapons"), ("livestock", "militia")).civ(0, "port", "port")
    game.own(0, {"Poland": 2, "Pomerania": 1}).turn(0).do("decline", "choose I").pass_until(0)
    game.go_conquer().do("conquer Volga").finish().pass_until(0).do("decline")
    assert game.old_empire(0) == {"Volga"}
    assert game.is_empty("Poland")
    assert game.is_empty("Pomerania")


def test_the_score_of_an_old_empire_falls_with_its_provinces() -> None:
    """Decline, paragraph 4: until other players conquer them."""
    game = Scenario().civ(0, "barbarians", "port", hand=9).own(0, {"Pomerania": 1}).civ(1, "livestock", "militia")
    game.in_decline(1, ["Poland", "Livonia", "Hungary"]).conquest(0).do("conquer Poland").finish()
    game.finish()
    assert game.scored(1)["decline_base"] == 2


def test_tokens_off_the_board_go_with_the_decline() -> None:
    """Decline: the civilization's tokens cannot pass to the next one."""
    game = Scenario().tray(("currency", "weapons")).civ(0, "barbarians", "port", hand=5).own(0, {"Volga": 4}).turn(0)
    game.do("decline")
    assert game.hand(0) == 0
    assert game.found("decline")[0]["tokens_removed"] == 8
    game.do("choose I")
    assert game.hand(0) == 3 + 4


def test_the_tray_is_full_again_after_a_decline() -> None:
    """Setting Up: six civilizations are always there for the next player."""
    game = declining().do("decline", "choose III")
    assert (game.state.tray >= 0).all()
    assert game.state.coins.tolist() == [1, 1, 0, 0, 0, 0]
    assert game.score(0) == 10 + 6 - 4
    assert len(game.bag_kinds()) + 12 + 1 + 2 * 5 == 52
