"""The maps: what is known of the printed board, what the rules read from a map, and what a map must be in any case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Any

import networkx as nx
import pytest

from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.ruleset import labels, load, vary

EUROPE = load(4)
LAGOON = load(3, map="lagoon")
PLAINS = ("normal", "farmland", "pasture")  # base cost 2
BOTH = pytest.mark.parametrize("rules", [EUROPE, LAGOON], ids=["europe", "lagoon"])


def names(rules: Ruleset, members: Any) -> set[str]:
    """Return the names of a set of provinces."""
    return {name for number, name in enumerate(labels(rules, "province")) if int(members) >> number & 1}


def neighbors(name: str, rules: Ruleset = EUROPE, field: str = "bordering") -> set[str]:
    return names(rules, rules.tables[field][labels(rules, "province").index(name)])


def province(name: str, rules: Ruleset = EUROPE) -> Mapping[str, Any]:
    found: Mapping[str, Any] = rules.content["map"]["provinces"][name]
    return found


def borders(rules: Ruleset) -> Iterator[tuple[str, str, str]]:
    for border in rules.content["map"]["borders"]:
        yield border["a"], border["b"], border["kind"]


def graph(rules: Ruleset) -> Any:
    drawn = nx.Graph()
    drawn.add_nodes_from(labels(rules, "province"))
    drawn.add_edges_from((first, second) for first, second, _ in borders(rules))
    return drawn


# What is known of the printed board ---------------------------------------------------------------------------------
def test_europe_has_45_provinces_of_which_12_are_mountains() -> None:
    terrains = Counter(entry["terrain"] for entry in EUROPE.content["map"]["provinces"].values())
    assert terrains == {"mountain": 12, "forest": 8, "farmland": 8, "pasture": 9, "normal": 8}
    assert EUROPE.tables.provinces == terrains.total() == 45


def test_33_neutral_tokens_stand_on_all_provinces_but_mountains_and_use_up_the_brown_tokens() -> None:
    neutral = names(EUROPE, EUROPE.tables.neutral_at_start)
    assert neutral == {name for name in labels(EUROPE, "province") if province(name)["terrain"] != "mountain"}
    assert len(neutral) == EUROPE.tables.brown_tokens == 33


def test_scotland_and_ireland_are_starts_but_france_and_north_italy_are_not() -> None:
    starts = names(EUROPE, EUROPE.tables.starts)
    assert {"Scotland", "Ireland"} <= starts
    assert not starts & {"Aquitaine", "North France", "Burgundy", "Provence", "North Italy"}


@pytest.mark.parametrize("zone_neighbor", ["Ireland", "Scotland"])
def test_a_sea_zone_at_the_board_edge_lies_beside_ireland_and_scotland(zone_neighbor: str) -> None:
    zones = EUROPE.content["map"]["zones"]
    assert any(zones[zone]["touches_edge"] for zone in province(zone_neighbor)["seas"])


@pytest.mark.parametrize(
    "seen",
    [
        {"South Spain"},  # the rulebook's example of conquest
        {"Urals"},  # a mountain in the north-east
        {"Caucasus", "West Anatolia", "East Anatolia", "Thrace"},  # around the Black Sea
        {"South Italy", "Macedonia", "South Greece"},  # southern Italy and the Balkans
    ],
    ids=lambda seen: "-".join(sorted(seen)),
)
def test_empires_can_enter_where_players_report_having_entered(seen: set[str]) -> None:
    assert seen <= names(EUROPE, EUROPE.tables.starts)


def test_south_spain_is_a_forest_beside_the_pyrenees() -> None:
    assert province("South Spain")["terrain"] == "forest"
    assert "Pyrenees" in neighbors("South Spain")


def test_the_pyrenees_are_a_mountain_between_two_spanish_provinces_and_a_french_one() -> None:
    assert province("Pyrenees")["terrain"] == "mountain"
    assert {"South Spain", "Castile", "Aquitaine"} <= neighbors("Pyrenees")
    assert {province(name)["terrain"] for name in ("Castile", "Aquitaine")} <= set(PLAINS)


@pytest.mark.parametrize("other", ["Scotland", "England and Wales"])
def test_ireland_has_coastal_borders_with_scotland_and_england(other: str) -> None:
    assert ("Ireland", other, "coastal") in list(borders(EUROPE))


def test_england_has_a_port_and_poland_a_mine() -> None:
    assert province("England and Wales")["port"]
    assert province("Poland")["mine"]


def test_one_empire_can_hold_south_italy_and_the_balkans_without_astronomy() -> None:
    assert neighbors("South Italy") & {"Dalmatia", "Macedonia", "South Greece"}


def test_finland_has_a_southern_part() -> None:
    assert "South Finland" in labels(EUROPE, "province")


def test_regions_that_players_name_are_on_the_map() -> None:
    words = (
        "Ukraine",
        "Anatolia",
        "Spain",
        "France",
        "Italy",
        "Alps",
        "Norway",
        "Sweden",
        "Austria",
        "Finland",
        "Poland",
    )
    assert [word for word in words if not any(word in name for name in labels(EUROPE, "province"))] == []


def test_astronomy_leads_from_ireland_over_norway_to_south_italy() -> None:
    assert "Norway" in neighbors("Ireland", field="across_sea")
    assert "South Italy" in neighbors("Norway", field="across_sea")
    assert "Norway" not in neighbors("Ireland")


# What was chosen for the reconstruction -----------------------------------------------------------------------------
def test_europe_has_84_land_and_10_coastal_borders() -> None:
    assert Counter(kind for _, _, kind in borders(EUROPE)) == {"land": 84, "coastal": 10}


def test_europe_has_10_ports_all_on_a_coast_and_5_mines() -> None:
    ports = names(EUROPE, EUROPE.tables.matching[at.VP_PORT])
    assert len(ports) == 10
    assert ports <= names(EUROPE, EUROPE.tables.coastal)
    assert names(EUROPE, EUROPE.tables.matching[at.VP_MINE]) == {"Sweden", "Bohemia", "Dalmatia", "Poland", "Urals"}


def test_the_16_starts_of_europe() -> None:
    assert names(EUROPE, EUROPE.tables.starts) == {
        *("Ireland", "Scotland", "Norway", "Lapland", "South Spain", "Portugal", "South Italy", "Thrace", "Macedonia"),
        *("South Greece", "Novgorod", "Volga", "Urals", "Caucasus", "West Anatolia", "East Anatolia"),
    }
    by_land = names(EUROPE, EUROPE.tables.starts) - names(EUROPE, EUROPE.tables.starts_by_sea)
    assert by_land == {"Volga", "Urals", "Caucasus", "East Anatolia"}


def test_33_provinces_touch_water_and_astronomy_can_enter_at_35() -> None:
    assert len(names(EUROPE, EUROPE.tables.coastal)) == 33
    assert EUROPE.tables.water == EUROPE.tables.coastal
    assert len(names(EUROPE, EUROPE.tables.starts_astronomy)) == 35


def test_closing_the_black_sea_takes_its_three_inner_coasts_from_astronomy() -> None:
    closed = vary(EUROPE, {"black_sea_linked": "no"})
    lost = names(EUROPE, EUROPE.tables.starts_astronomy) - names(closed, closed.tables.starts_astronomy)
    assert lost == {"Wallachia", "West Ukraine", "East Ukraine"}
    assert closed.tables.starts == EUROPE.tables.starts
    assert "Ireland" not in neighbors("Wallachia", closed, "across_sea")
    assert neighbors("Wallachia", closed, "across_sea") == {
        *("Thrace", "West Ukraine", "East Ukraine", "Caucasus", "West Anatolia", "East Anatolia")
    }


def test_all_sea_zones_of_europe_are_linked_in_one_piece() -> None:
    coasts = names(EUROPE, EUROPE.tables.coastal)
    assert all(neighbors(name, field="across_sea") == coasts - {name} for name in coasts)


def test_astronomy_reaches_nothing_from_inland() -> None:
    inland = set(labels(EUROPE, "province")) - names(EUROPE, EUROPE.tables.coastal)
    assert len(inland) == 12
    assert all(neighbors(name, field="across_sea") == set() for name in inland)


def test_the_large_seas_of_europe() -> None:
    zones = EUROPE.content["map"]["zones"]
    assert {zone for zone in zones if zones[zone]["large"]} == {"ATL", "NOR", "SME", "WHI", "NSE", "BIS"}
    assert {zone for zone in zones if zones[zone]["touches_edge"]} == {"ATL", "NOR", "SME", "WHI"}


def test_the_mean_number_of_neighbors_in_europe_is_4_2() -> None:
    degrees = [degree for _, degree in graph(EUROPE).degree()]
    assert sum(degrees) / len(degrees) == pytest.approx(188 / 45)
    assert min(degrees) == 2
    assert sum(len(neighbors(start)) for start in names(EUROPE, EUROPE.tables.starts)) == 48


def test_the_pyrenees_and_england_are_the_only_bottlenecks() -> None:
    assert set(nx.articulation_points(graph(EUROPE))) == {"Pyrenees", "England and Wales"}


# Coastlines (Rulebook, "Civilization Tiles", Ship Building) ---------------------------------------------------------
def land_pairs_without_common_shore(rules: Ruleset) -> set[frozenset[str]]:
    coasts = names(rules, rules.tables.coastal)
    return {
        frozenset((first, second))
        for first, second, kind in borders(rules)
        if kind == "land" and {first, second} <= coasts and second not in neighbors(first, rules, "same_shore")
    }


def test_water_bodies_join_three_pairs_of_neighbors_that_share_no_zone() -> None:
    by_body = land_pairs_without_common_shore(EUROPE)
    by_zone = land_pairs_without_common_shore(vary(EUROPE, {"same_coast": "zone"}))
    assert (len(by_zone), len(by_body)) == (11, 8)
    assert {frozenset(pair) for pair in by_zone - by_body} == {
        frozenset(("South Spain", "Castile")),
        frozenset(("South Spain", "Pyrenees")),
        frozenset(("North France", "Low Countries")),
    }


def test_both_coastal_puts_all_coasts_on_one_shore() -> None:
    rules = vary(EUROPE, {"same_coast": "both_coastal"})
    assert land_pairs_without_common_shore(rules) == set()
    assert neighbors("Wallachia", rules, "same_shore") == names(rules, rules.tables.coastal) - {"Wallachia"}
    assert neighbors("Swabia", rules, "same_shore") == set()


def test_the_reading_of_coastlines_changes_nothing_else_in_the_map() -> None:
    other = vary(EUROPE, {"same_coast": "zone"})
    for field in ("bordering", "across_sea", "linked", "matching", "terrain"):
        assert (other.tables[field] == EUROPE.tables[field]).all()


# The lagoon, by hand ------------------------------------------------------------------------------------------------
def test_the_lagoon_has_13_provinces_of_all_five_terrains() -> None:
    terrains = Counter(entry["terrain"] for entry in LAGOON.content["map"]["provinces"].values())
    assert terrains == {"normal": 4, "pasture": 3, "farmland": 2, "forest": 2, "mountain": 2}
    assert set(terrains) == set(at.TERRAIN_NAMES[:5])


def test_starts_of_the_lagoon_by_land_and_sea_and_with_astronomy() -> None:
    by_sea = {"Northcape", "Oldport"}
    by_land = {"Highmoor", "Eastwood", "Southwood", "Longbarrow"}
    assert names(LAGOON, LAGOON.tables.starts_by_sea) == by_sea
    assert names(LAGOON, LAGOON.tables.starts) == by_sea | by_land
    inner = {"Reedwater", "Saltmarsh", "Twin Isle", "Goldfield", "Farshore"}
    assert names(LAGOON, LAGOON.tables.starts_astronomy) == by_sea | by_land | inner
    closed = vary(LAGOON, {"black_sea_linked": "no"})
    assert names(closed, closed.tables.starts_astronomy) == by_sea | by_land | {"Reedwater", "Saltmarsh", "Twin Isle"}


def test_neighbors_of_the_twin_isle_by_border_by_sea_and_along_the_shore() -> None:
    closed = vary(LAGOON, {"black_sea_linked": "no"})
    assert neighbors("Twin Isle", closed) == {"Saltmarsh", "Goldfield"}
    on_the_lagoon, on_the_sound = {"Reedwater", "Oldport", "Saltmarsh"}, {"Goldfield", "Southwood", "Farshore"}
    assert neighbors("Twin Isle", closed, "across_sea") == on_the_lagoon | on_the_sound | {"Northcape"}
    assert neighbors("Northcape", closed, "across_sea") == on_the_lagoon | {"Twin Isle"}
    assert neighbors("Goldfield", closed, "same_shore") == {"Twin Isle", "Southwood", "Farshore"}
    assert neighbors("Northcape", closed, "same_shore") == on_the_lagoon | {"Twin Isle"}
    by_zone = vary(closed, {"same_coast": "zone"})
    assert neighbors("Northcape", by_zone, "same_shore") == {"Oldport"}


def test_a_lake_is_water_but_no_coast() -> None:
    assert names(LAGOON, LAGOON.tables.water) - names(LAGOON, LAGOON.tables.coastal) == {"Greenhollow"}
    assert LAGOON.tables.matching[at.VP_WATER_HALVES] == LAGOON.tables.water


def test_a_lake_both_sides_touch_can_carry_a_coastal_border() -> None:
    changed = [dict(border) for border in LAGOON.content["map"]["borders"]]
    lake = next(border for border in changed if {border["a"], border["b"]} == {"Reedwater", "Greenhollow"})
    lake["kind"] = "coastal"
    assert vary(LAGOON, {"map.borders": changed}).hash != LAGOON.hash


# What holds for every map -------------------------------------------------------------------------------------------
@BOTH
def test_the_map_is_connected_and_can_be_drawn_without_crossings(rules: Ruleset) -> None:
    drawn = graph(rules)
    assert nx.is_connected(drawn)
    assert nx.check_planarity(drawn)[0]


@BOTH
@pytest.mark.parametrize("field", ["bordering", "across_sea", "linked", "same_shore"])
def test_neighborhoods_are_mutual_and_nobody_is_its_own_neighbor(rules: Ruleset, field: str) -> None:
    sets = [int(members) for members in rules.tables[field]]
    assert any(sets)
    for first, second in combinations(range(len(sets)), 2):
        assert sets[first] >> second & 1 == sets[second] >> first & 1
    assert all(sets[number] >> number & 1 == 0 for number in range(len(sets)))
    assert all(members < 1 << rules.tables.provinces for members in sets)
    assert not any(sets[rules.tables.provinces :])


@BOTH
def test_linked_are_neighbors_by_border_or_by_sea(rules: Ruleset) -> None:
    for name in labels(rules, "province"):
        united = neighbors(name, rules) | neighbors(name, rules, "across_sea")
        assert neighbors(name, rules, "linked") == united


@BOTH
def test_borders_of_the_file_are_the_neighbors_of_the_tables(rules: Ruleset) -> None:
    listed = {frozenset((first, second)) for first, second, _ in borders(rules)}
    in_tables = {frozenset((name, other)) for name in labels(rules, "province") for other in neighbors(name, rules)}
    assert in_tables == listed


@BOTH
def test_both_sides_of_a_coastal_border_touch_a_common_sea_zone(rules: Ruleset) -> None:
    coastal = [(first, second) for first, second, kind in borders(rules) if kind == "coastal"]
    assert coastal
    for first, second in coastal:
        assert set(province(first, rules)["seas"]) & set(province(second, rules)["seas"])


@BOTH
def test_terrain_sets_part_the_map_and_feed_the_bonus_columns(rules: Ruleset) -> None:
    tables, everywhere = rules.tables, (1 << int(rules.tables.provinces)) - 1
    assert sum(int(members) for members in tables.terrain_set) == everywhere
    for number, name in enumerate(labels(rules, "province")):
        assert at.TERRAIN_NAMES[tables.terrain[number]] == province(name, rules)["terrain"]
        assert int(tables.terrain_set[tables.terrain[number]]) >> number & 1
    assert tables.matching[at.VP_PROVINCE] == everywhere
    for column, terrain in (
        (at.VP_FARMLAND, at.FARMLAND),
        (at.VP_PASTURE, at.PASTURE),
        (at.VP_MOUNTAIN, at.MOUNTAIN),
        (at.VP_DESERT, at.DESERT),
    ):
        assert tables.matching[column] == tables.terrain_set[terrain]
    assert names(rules, tables.matching[at.VP_PORT]) == {
        n for n in labels(rules, "province") if province(n, rules)["port"]
    }
    assert not tables.matching[at.VP_KILL :].any()


def test_rivers_and_deserts_have_no_neutral_token_and_rivers_do_not_match_currency() -> None:
    changes = {"map.provinces.Farshore.terrain": "river", "map.provinces.Saltmarsh.terrain": "desert"}
    rules = vary(LAGOON, changes)
    assert names(LAGOON, LAGOON.tables.neutral_at_start) - names(rules, rules.tables.neutral_at_start) == {
        *("Farshore", "Saltmarsh")
    }
    assert "Farshore" not in names(rules, rules.tables.matching[at.VP_PROVINCE])
    assert "Saltmarsh" in names(rules, rules.tables.matching[at.VP_PROVINCE])
