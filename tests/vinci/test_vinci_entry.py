"""How a civilization enters play (A Civilization Enters Play)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario
from tests.vinci.words import PROVINCES, names

STARTS = (
    *("Ireland", "Scotland", "Norway", "Lapland", "South Spain", "Portugal", "South Italy", "Thrace", "Macedonia"),
    *("South Greece", "Novgorod", "Volga", "Urals", "Caucasus", "West Anatolia", "East Anatolia"),
)


def test_entry_is_from_the_board_edge_or_over_one_sea_zone_that_touches_it() -> None:
    """Cases 4 and 51: Scotland and Ireland, but neither France nor North Italy."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0)
    assert game.reach() == set(STARTS)
    assert len(STARTS) == 16
    assert not game.reach() & {"Aquitaine", "North France", "Burgundy", "Provence", "North Italy"}
    assert game.legal("conquer") == set(STARTS)


def test_revolutionaries_appear_in_any_province_at_the_normal_cost() -> None:
    """Cases 29 and 51: Swabia, a neutral forest, costs four."""
    game = Scenario().civ(0, "revolutionaries", "barbarians", hand=12).conquest(0)
    assert game.reach() == set(PROVINCES)
    assert game.conquer("Swabia") == 4
    assert game.reach() == {"North France", "Burgundy", "Low Countries", "Saxony", "Bohemia", "Western Alps", "Austria"}


def test_swabia_and_denmark_are_no_entries_for_others() -> None:
    """Case 29, second half."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0)
    assert not {"conquer Swabia", "conquer Denmark"} & game.legal()


def test_astronomy_enters_at_every_coast_linked_to_the_edge() -> None:
    """Cases 29 and 51, R19: 35 provinces; Denmark costs three."""
    game = Scenario().civ(0, "astronomy", "barbarians", hand=12).conquest(0)
    assert len(game.reach()) == 35
    assert {"Denmark", "North Italy", "East Ukraine"} <= game.reach()
    assert not {"Swabia", "Hungary", "Poland"} & game.reach()
    assert game.conquer("Denmark") == 3


def test_with_the_reading_single_zone_astronomy_does_not_widen_the_entry() -> None:
    """R19: only zones that touch the board edge."""
    game = Scenario(options={"astronomy_entry": "single_zone"}).civ(0, "astronomy", "barbarians", hand=12).conquest(0)
    assert game.reach() == set(STARTS)


def test_without_a_link_to_the_black_sea_three_coasts_leave_the_astronomy_start_set() -> None:
    """Part F, point 3: Wallachia and both parts of Ukraine."""
    linked = Scenario().civ(0, "astronomy", "barbarians", hand=12).conquest(0).reach()
    closed = Scenario(options={"black_sea_linked": "no"}).civ(0, "astronomy", "barbarians", hand=12).conquest(0).reach()
    assert linked - closed == {"Wallachia", "West Ukraine", "East Ukraine"}
    assert closed <= linked


def test_after_the_entry_an_empire_grows_across_borders_only() -> None:
    """Expanding an Empire; Clar.2: a coastal border is a border."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0).do("conquer Ireland")
    assert game.reach() == {"Scotland", "England and Wales"}


def test_every_entry_is_paid_like_a_conquest_without_an_origin() -> None:
    """Case 16 on entries: mountains and plain provinces three, forests four."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0)
    costs = {name: game.cost(name) for name in STARTS}
    assert {name for name, cost in costs.items() if cost == 4} == {"South Spain", "Novgorod"}
    assert set(costs.values()) == {3, 4}


def test_an_empire_that_abandoned_everything_enters_again_with_all_its_tokens() -> None:
    """Case 56, R2: four provinces and nine tokens."""
    land = {"Poland": 3, "Pomerania": 2, "Saxony": 2, "Bohemia": 2}
    game = Scenario().civ(0, "barbarians", "port").own(0, land).turn(0).do("play on")
    for name in ("Saxony", "Bohemia", "Pomerania", "Poland"):
        game.do(f"abandon {name}")
    if game.phase() == "gather":
        game.do("end gather")
    assert game.hand(0) == 9
    assert game.reach() == set(STARTS)
    assert all(game.is_empty(name) for name in land)
    assert game.conquer("Volga") == 3


def test_with_the_reading_no_teleport_the_last_province_cannot_be_abandoned() -> None:
    """R2, the other reading."""
    game = Scenario(options={"teleport": "no"}).civ(0, "barbarians", "port").own(0, {"Poland": 3, "Pomerania": 2})
    game.turn(0).do("play on")
    assert game.legal("abandon") == {"Poland", "Pomerania"}
    game.do("abandon Pomerania")
    assert game.legal("abandon") == set()
    assert game.empire(0) == {"Poland"}


def test_a_player_may_refuse_to_enter_unless_the_reading_compels_it() -> None:
    """R56."""
    free = Scenario().civ(0, "barbarians", "port", hand=12).conquest(0)
    assert "end conquest" in free.legal()
    bound = Scenario(options={"must_enter": "yes"}).civ(0, "barbarians", "port", hand=12).conquest(0)
    assert "end conquest" not in bound.legal()
    assert bound.legal("conquer") == set(STARTS)
    bound.do("conquer Volga")
    assert "end conquest" in bound.legal()


def test_ship_building_gives_nothing_on_entry_unless_the_reading_says_so() -> None:
    """R18: the sea clause is tied to conquests over sea from an own province."""
    usual = Scenario().civ(0, "ship_building", "barbarians", hand=12).conquest(0)
    other = Scenario(options={"ship_on_entry": "yes"}).civ(0, "ship_building", "barbarians", hand=12).conquest(0)
    assert usual.cost("Portugal") == 3
    assert other.cost("Portugal") == 2
    assert usual.cost("Urals") == other.cost("Urals") == 3


def test_by_the_other_reading_ship_building_also_helps_an_entry_over_several_zones() -> None:
    """R18 names both: the entry over one sea zone and, with Astronomy, over several."""
    usual = Scenario().civ(0, "ship_building", "astronomy", hand=12).conquest(0)
    other = Scenario(options={"ship_on_entry": "yes"}).civ(0, "ship_building", "astronomy", hand=12).conquest(0)
    assert (usual.cost("Portugal"), other.cost("Portugal")) == (3, 2)
    assert (usual.cost("Aquitaine"), other.cost("Aquitaine")) == (3, 2)
    assert usual.cost("Urals") == other.cost("Urals") == 3


def test_an_own_decline_can_be_the_entry_and_its_neighbours_are_emptied() -> None:
    """Case 64, R28: Ireland costs 2 + 1; no kill for Slavery; Scotland, own decline too, is emptied."""
    game = Scenario().civ(0, "slavery", "barbarians", hand=8).in_decline(0, ["Ireland", "Scotland"]).conquest(0)
    assert game.conquer("Ireland") == 3
    assert game.is_empty("Scotland")
    assert game.old_empire(0) == set()
    assert game.empire(0) == {"Ireland"}
    game.finish()
    assert game.scored(0)["kills"] == 0
    assert game.scored(0)["total"] == 1


@pytest.mark.parametrize(
    ("reading", "tile", "is_legal"),
    [
        ("yes", "barbarians", True),
        ("yes", "heritage", True),
        ("heritage", "barbarians", False),
        ("heritage", "heritage", True),
        ("no", "barbarians", False),
        ("no", "heritage", False),
    ],
)
def test_the_own_decline_is_a_target_by_each_reading(reading: str, tile: str, is_legal: bool) -> None:
    """R28: always, with Heritage only, or never."""
    game = Scenario(options={"own_decline_target": reading}).civ(0, tile, "port", hand=8)
    game.in_decline(0, ["Ireland"]).conquest(0)
    assert ("Ireland" in game.legal("conquer")) is is_legal
    assert ("Ireland" in game.reach()) is is_legal


def test_the_starts_of_the_tables_are_the_sixteen() -> None:
    """R59, case 51."""
    assert names(Scenario().tables.starts) == set(STARTS)
    assert len(names(Scenario().tables.starts_astronomy)) == 35
