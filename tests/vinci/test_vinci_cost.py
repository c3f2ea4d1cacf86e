"""What a conquest costs (Expanding an Empire, the tiles, Clarifications 2 and 3)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario


def at(name: str, first: str = "barbarians", second: str = "port", hand: int = 12, **options: str) -> Scenario:
    """Return seat 0 conquering from one province."""
    return Scenario(options=options).civ(0, first, second, hand=hand).own(0, {name: 1}).conquest(0)


def entering(first: str, second: str = "barbarians", hand: int = 12, **options: str) -> Scenario:
    """Return seat 0 about to enter."""
    return Scenario(options=options).civ(0, first, second, hand=hand).conquest(0)


def test_plain_costs_two_forest_and_mountain_three_and_each_defender_one() -> None:
    """Case 16."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Poland": 1}).empty("Pomerania")
    game.in_decline(1, ["Carpathians"]).conquest(0)
    costs = {name: game.cost(name) for name in ("Pomerania", "Hungary", "Livonia", "Bohemia", "Carpathians")}
    assert costs == {"Pomerania": 2, "Hungary": 3, "Livonia": 4, "Bohemia": 3, "Carpathians": 4}


def test_attack_from_a_mountain_costs_one_token_less() -> None:
    """Case 17."""
    game = at("Bohemia")
    assert [game.cost(name) for name in ("Swabia", "Saxony", "Austria")] == [3, 2, 2]


def test_weapons_take_one_token_off_every_conquest() -> None:
    """Case 18."""
    game = entering("weapons")
    assert game.conquer("Urals") == 2
    assert game.cost("Volga") == 1
    assert game.cost("Novgorod") == 2
    assert game.conquer("Volga") == 1


@pytest.mark.parametrize("second", ["weapons", "specialization"])
def test_weapons_twice_take_off_two_and_a_cost_is_never_below_zero(second: str) -> None:
    """Case 19; the tiles: modifiers add up, a cost can be zero and no less."""
    game = entering("weapons", second)
    assert game.conquer("Urals") == 1
    assert game.conquer("Volga") == 0
    assert game.tokens("Volga") == 0
    game = Scenario().civ(0, "weapons", second, hand=3).own(0, {"Bohemia": 1}).empty("Pomerania").conquest(0)
    assert game.cost("Pomerania") == 0  # 2 - 2 - 1


def test_mountaineering_takes_one_token_off_mountains() -> None:
    """Case 20."""
    game = entering("mountaineering")
    assert game.cost("Urals") == 2
    assert game.cost("Volga") == 3
    game.do("conquer Caucasus")
    assert game.conquer("East Anatolia") == 1
    game = entering("mountaineering", "weapons")
    assert game.conquer("Caucasus") == 1
    assert game.conquer("East Anatolia") == 0


CHAIN = ("Macedonia", "Dalmatia", "Austria", "Western Alps", "Bohemia")


@pytest.mark.parametrize("pair", [("weapons", "mountaineering"), ("specialization", "mountaineering")])
def test_a_chain_of_mountains_costs_one_token_in_all(pair: tuple[str, str]) -> None:
    """Cases 21 and 22."""
    game = entering(*pair, hand=1)
    assert [game.conquer(name) for name in CHAIN] == [1, 0, 0, 0, 0]
    assert game.worth(0) == 5 * (2 if pair[0] == "specialization" else 1)


def test_ship_building_takes_one_token_off_along_the_same_coast() -> None:
    """Case 23: with the tile 3, 2, 2, 1, 1; Provence from Aquitaine alone, on another sea, 3."""
    game = entering("ship_building")
    route = ("Portugal", "Castile", "Pyrenees", "Aquitaine", "Provence")
    assert [game.conquer(name) for name in route] == [3, 2, 2, 1, 1]
    assert at("Aquitaine", "ship_building").cost("Provence") == 3
    game = entering("port", hand=14)
    assert [game.conquer(name) for name in route] == [3, 3, 3, 2, 2]


def test_the_best_single_origin_counts_and_origins_are_not_added() -> None:
    """Case 24, R15: North Italy from the Western Alps 2; with Provence, on the same coast, still 2."""
    game = at("Western Alps", "ship_building")
    assert game.cost("North Italy") == 2
    game = Scenario().civ(0, "ship_building", "port", hand=12).own(0, {"Western Alps": 1, "Provence": 1}).conquest(0)
    assert game.conquer("North Italy") == 2


def test_a_mountain_helps_across_a_coastal_border() -> None:
    """Case 25, Clar.3: Scotland to Ireland 2, with Ship Building 1."""
    assert at("Scotland").cost("Ireland") == 2
    assert at("Scotland", "ship_building").cost("Ireland") == 1
    assert at("Ireland").cost("Scotland") == 3


def test_a_mountain_does_not_help_over_sea() -> None:
    """Case 9, Clar.3: Ireland, Norway, South Italy for three each with Astronomy."""
    game = entering("astronomy")
    assert [game.conquer(name) for name in ("Ireland", "Norway", "South Italy")] == [3, 3, 3]
    game = entering("astronomy", "ship_building")
    assert [game.conquer(name) for name in ("Ireland", "Norway", "South Italy")] == [3, 2, 2]


def test_by_the_other_reading_a_mountain_helps_over_sea() -> None:
    """R14: Norway to South Italy 2."""
    assert at("Norway", "astronomy").cost("South Italy") == 3
    assert at("Norway", "astronomy", mountain_over_sea="yes").cost("South Italy") == 2


def test_without_astronomy_the_sea_is_closed() -> None:
    """A Civilization Enters Play: sea zones are impassable for other civilizations."""
    assert at("Norway").reach() == {"Sweden", "Lapland"}
    assert "South Italy" in at("Norway", "astronomy").reach()


def guarded(first: str, second: str = "barbarians", hand: int = 12) -> Scenario:
    """Return seat 0 beside Poland: six tokens of a Militia civilization and a fort."""
    game = Scenario().civ(0, first, second, hand=hand).own(0, {"Pomerania": 1}).civ(1, "militia", "fortification")
    return game.own(1, {"Poland": 6, "West Ukraine": 1}).fortify("Poland").conquest(0)


def test_espionage_takes_a_province_for_two_whatever_lies_there() -> None:
    """Case 26, R41: normal cost 10; the fort goes, five of six tokens survive."""
    game = guarded("espionage")
    assert game.cost("Poland") == 10
    game.do("spy Poland")
    (conquest,) = game.found("conquest")
    assert (conquest["is_spy"], conquest["cost"]) == (1, 2)
    assert game.hand(0) == 10
    assert game.tokens("Poland") == 2
    assert not game.has_fort("Poland")
    (loss,) = game.found("loss")
    assert (loss["lost"], loss["survivors"]) == (1, 5)
    assert game.legal("spy") == set()


def test_espionage_ignores_other_tiles_and_needs_two_tokens() -> None:
    """Case 26: with Weapons the price stays two; with one token it is not possible (R39)."""
    game = guarded("espionage", "weapons")
    assert game.cost("Poland") == 9
    game.do("spy Poland")
    assert game.found("conquest")[0]["cost"] == 2
    assert guarded("espionage", hand=1).legal("spy") == set()


def test_espionage_doubled_works_twice() -> None:
    """Case 26, last sentence."""
    game = guarded("specialization", "espionage")
    game.do("spy Poland")
    assert "spy West Ukraine" in game.legal()
    game.do("spy West Ukraine")
    assert game.legal("spy") == set()


def test_espionage_may_also_serve_the_entry_unless_the_reading_forbids_it() -> None:
    """R40."""
    game = entering("espionage")
    assert "South Spain" in game.legal("spy")
    assert "Swabia" not in game.legal("spy")
    game.do("spy South Spain")
    assert game.hand(0) == 10
    game = entering("espionage", spy_on_entry="no")
    assert game.legal("spy") == set()
    game.do("conquer South Spain")
    assert "Castile" in game.legal("spy")


def test_espionage_with_revolutionaries_enters_anywhere_for_two() -> None:
    """R40: conquered normally means paid for."""
    game = entering("espionage", "revolutionaries").do("spy Swabia")
    assert game.found("conquest")[0]["cost"] == 2
    assert game.empire(0) == {"Swabia"}


def test_a_normal_conquest_stays_open_beside_espionage() -> None:
    """R39: an empty plain from a mountain costs one, by a spy two."""
    game = Scenario().civ(0, "espionage", "port", hand=1).own(0, {"Bohemia": 1}).empty("Pomerania").conquest(0)
    assert "conquer Pomerania" in game.legal()
    assert game.legal("spy") == set()
    game.conquer("Pomerania")


@pytest.mark.parametrize(("second", "cost"), [("port", 5), ("specialization", 6)])
def test_militia_makes_each_conquest_of_an_active_province_dearer(second: str, cost: int) -> None:
    """Case 27: two tokens on a plain."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1}).civ(1, "militia", second)
    assert game.own(1, {"Poland": 2}).conquest(0).cost("Poland") == cost


def test_militia_does_not_guard_a_decline() -> None:
    """Case 27, R49."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1})
    game.civ(1, "militia", "livestock").own(1, {"Poland": 2}).turn(1).do("decline", "choose I")
    game.pass_until(0).go_conquer()
    assert game.old_empire(1) == {"Poland"}
    assert game.cost("Poland") == 3


def test_a_new_militia_civilization_does_not_guard_the_old_empire() -> None:
    """R49: the tile belongs to the active empire."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1}).civ(1, "militia", "livestock")
    assert game.in_decline(1, ["Poland"]).conquest(0).cost("Poland") == 3


def test_a_fort_costs_the_attacker_one_more() -> None:
    """Case 28: mountain, fort and decline token 5; case 50: plain, fort and decline token 4."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1})
    game.in_decline(1, ["Bohemia", "Poland"]).fortify("Bohemia", "Poland").conquest(0)
    assert game.cost("Bohemia") == 5
    assert game.cost("Poland") == 4


def from_fort(name: str, second: str = "barbarians", **options: str) -> Scenario:
    """Return seat 0 with Fortification and a fort in its only province."""
    game = Scenario(options=options).civ(0, "fortification", second, hand=12).own(0, {name: 1})
    return game.fortify(name).conquest(0)


def test_attack_from_a_fort_costs_one_token_less() -> None:
    """Case 28."""
    assert from_fort("Poland").cost("Pomerania") == 2


def test_a_fort_on_a_mountain_takes_off_two_unless_the_reading_says_one() -> None:
    """Case 28, R16."""
    assert from_fort("Bohemia").cost("Pomerania") == 1
    assert from_fort("Bohemia", fort_mountain_stack="no").cost("Pomerania") == 2


def test_a_fort_does_not_help_over_sea() -> None:
    """Case 28, R14."""
    game = from_fort("England and Wales", "astronomy")
    assert game.cost("Denmark") == 3
    assert game.cost("Low Countries") == 2


def test_discounts_of_a_mountain_and_of_a_fort_elsewhere_do_not_add_up() -> None:
    """R15: Bohemia (mountain) and Saxony (fort) both border Pomerania."""
    game = Scenario().civ(0, "fortification", "barbarians", hand=12).own(0, {"Bohemia": 1, "Saxony": 1})
    assert game.fortify("Saxony").conquest(0).cost("Pomerania") == 2


def test_active_defenders_cost_one_each() -> None:
    """Case 30: four tokens on a plain, from a plain."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1}).civ(1, "livestock", "slavery")
    assert game.own(1, {"Poland": 4, "West Ukraine": 1}).conquest(0).conquer("Poland") == 6
    (loss,) = game.found("loss")
    assert (loss["seat"], loss["lost"], loss["survivors"]) == (1, 1, 3)


@pytest.mark.parametrize(
    ("reading", "to_castile", "to_provence"), [("water_body", 2, 3), ("zone", 3, 3), ("both_coastal", 2, 2)]
)
def test_the_same_coastline_by_each_reading(reading: str, to_castile: int, to_provence: int) -> None:
    """R17: South Spain and Castile share a water body, not a zone; Aquitaine and Provence only have coasts."""
    assert at("South Spain", "ship_building", same_coast=reading).cost("Castile") == to_castile
    assert at("Aquitaine", "ship_building", same_coast=reading).cost("Provence") == to_provence


def test_the_cheaper_of_border_and_sea_counts_unless_the_reading_says_border() -> None:
    """Errata to the analysis, line 1: Sweden to Lapland with Astronomy and Ship Building."""
    assert at("Sweden", "astronomy", "ship_building").cost("Lapland") == 2
    assert at("Sweden", "astronomy", "ship_building", both_links="border").cost("Lapland") == 3


def test_the_spanish_example_of_the_rulebook() -> None:
    """Case 2: 13 red tokens take South Spain 5, the Pyrenees 3, Castile 2 and Aquitaine 2."""
    game = Scenario(5).civ(0, "barbarians", "barbarians", hand=13).civ(1, "livestock", "agriculture")
    game.own(1, {"South Spain": 2, "Castile": 1, "Aquitaine": 1, "North France": 1}).empty("Pyrenees")
    game.conquest(0)
    assert game.conquer("South Spain") == 5
    assert game.conquer("Pyrenees") == 3
    assert game.conquer("Castile") == 2
    assert game.conquer("Aquitaine") == 2
    assert sum(row["cost"] for row in game.found("conquest")) == 12
    assert game.phase() == "place"  # the last token takes nothing
    game.finish()
    assert game.empire(0) == {"South Spain", "Pyrenees", "Castile", "Aquitaine"}
    assert game.board(0) == 13
    assert game.scored(0)["total"] == 3
    assert sum(row["lost"] for row in game.found("loss")) == 3
    assert sum(row["survivors"] for row in game.found("loss")) == 1
    assert game.tokens("North France") == 2


def test_an_undefended_mountain_is_cheaper_than_a_crowded_farmland() -> None:
    """Case 5, arithmetic: mountain 3 for 0 points, farmland with six tokens 8 for 2 points of Agriculture."""
    game = Scenario().civ(0, "agriculture", "barbarians", hand=12).own(0, {"Pomerania": 1}).civ(1, "mining", "slavery")
    game.own(1, {"Poland": 6}).conquest(0)
    formula = {}
    for name in ("Bohemia", "Poland"):
        value = game.copy().do(f"conquer {name}").worth(0) - game.worth(0)
        formula[name] = game.cost(name) - 2 * value
    assert formula == {"Bohemia": 3, "Poland": 4}


def test_adding_tokens_adds_their_number_to_the_cost() -> None:
    """E9.14: the cost rises by one for each defender."""
    game = Scenario().civ(0, "barbarians", "port", hand=12).own(0, {"Pomerania": 1}).civ(1, "livestock", "slavery")
    game.own(1, {"Poland": 1}).conquest(0)
    costs = []
    for tokens in range(1, 8):
        game.state.tokens[33] = tokens
        costs.append(game.cost("Poland"))
    assert costs == [3, 4, 5, 6, 7, 8, 9]
