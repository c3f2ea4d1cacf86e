"""The tiles and numbers of the tabletop edition: copies, red numbers, sums of pairs, and what a ruleset promises."""

from __future__ import annotations

import copy
import json
import pickle
import random
import re
import shutil
import tomllib
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vinci_lab.datafiles import data_root, shipped_root
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.ruleset import assumed, build, civilization, labels, load, vary
from vinci_lab.games.vinci.ruleset_checks import columns

RULES = load(4)
KINDS = labels(RULES, "kind")


def row(rules: Ruleset, *tiles: str) -> dict[str, int]:
    """Return the modifiers of a tile or a pair that are not 0."""
    kinds = [labels(rules, "kind").index(tile) for tile in tiles]
    values = rules.tables.pairs[kinds[0] * at.KINDS + kinds[1]] if len(kinds) == 2 else rules.tables.tiles[kinds[0]]
    return {name: int(value) for name, value in zip(at.MODIFIER_NAMES, values, strict=True) if value}


def pair_sums(rules: Ruleset) -> list[int]:
    """Return the red numbers of all pairs of tiles in the box."""
    kinds = rules.tables.kind_of[: rules.tables.copies]
    return [int(rules.tables.pairs[first * at.KINDS + second, at.TOKENS]) for first, second in combinations(kinds, 2)]


def copies(rules: Ruleset) -> dict[str, int]:
    return {name: tile["copies"] for name, tile in rules.content["tiles"].items()}


# The box ------------------------------------------------------------------------------------------------------------
def test_there_are_26_kinds_ten_yellow_seven_pink_nine_blue() -> None:
    colors = Counter(tile["color"] for tile in RULES.content["tiles"].values())
    assert colors == {"yellow": 10, "pink": 7, "blue": 9}
    assert RULES.tables.kinds == len(KINDS) == 26


def test_the_first_printing_has_two_copies_of_every_kind() -> None:
    first = load(4, bag="first")
    assert set(copies(first).values()) == {2}
    assert first.tables.copies == 52


def test_the_second_printing_has_a_third_barbarians_for_a_specialization() -> None:
    assert RULES.content["bag"] == "second"
    odd = {name: number for name, number in copies(RULES).items() if number != 2}
    assert odd == {"barbarians": 3, "specialization": 1}
    assert RULES.tables.copies == 52


def test_copies_of_a_kind_stand_together_in_the_order_of_the_file() -> None:
    kind_of = RULES.tables.kind_of[: RULES.tables.copies]
    assert (np.diff(kind_of) >= 0).all()
    assert {KINDS[kind]: number for kind, number in Counter(map(int, kind_of)).items()} == copies(RULES)


def test_four_tiles_come_with_and_without_the_broken_column() -> None:
    lasting = {name for name in KINDS if row(RULES, name).get("lasts_in_decline")}
    assert lasting == {"agriculture_col", "livestock_col", "mining_col", "port_col"}
    for name in lasting:
        plain = row(RULES, name.removesuffix("_col"))
        assert row(RULES, name) == plain | {"tokens": plain["tokens"] - 1, "lasts_in_decline": 1}


# The effects printed on the tiles -----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("tile", "effect"),
    [
        ("agriculture", {"vp_farmland": 1}),
        ("livestock", {"vp_pasture": 1}),
        ("mining", {"vp_mine": 2}),
        ("port", {"vp_port": 1}),
        ("currency", {"vp_province": 1}),
        ("slavery", {"vp_kill": 1}),
        ("weapons", {"cost_any": -1}),
        ("espionage", {"espionage": 1}),
        ("fortification", {"forts_chosen": 1}),
        ("ship_building", {"cost_same_coast": -1}),
        ("field_general", {"temporary_tokens": 7}),
        ("militia", {"defence": 1}),
        ("mountaineering", {"cost_mountain": -1, "vp_mountain": 1}),
        ("astronomy", {"astronomy": 1}),
        ("barbarians", {}),
        ("diplomacy", {"peace_partners": 1}),
        ("heritage", {"heritage": 1}),
        ("medicine", {"tokens_turn_start": 1}),
        ("messages", {"messages": 1}),
        ("rebirth", {"rebirth": 1}),
        ("revolutionaries", {"revolutionaries": 1}),
        ("specialization", {"specialization": 1}),
    ],
)
def test_a_tile_has_its_printed_effect_and_no_other(tile: str, effect: dict[str, int]) -> None:
    assert {name: value for name, value in row(RULES, tile).items() if name != "tokens"} == effect


# Red numbers --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("players", "tokens", "threshold"), [(3, 17, 150), (4, 15, 120), (5, 13, 100), (6, 12, 100)])
def test_astronomy_and_mountaineering_bring_the_tokens_of_the_rulebooks_example(
    players: int, tokens: int, threshold: int
) -> None:
    rules = load(players)
    assert row(rules, "astronomy", "mountaineering")["tokens"] + rules.tables.token_bonus == tokens
    assert rules.tables.victory_threshold == threshold
    assert rules.tables.seats == rules.players == players


def test_astronomy_and_weapons_sum_to_8_field_general_and_a_livestock_tile_to_4() -> None:
    assert row(RULES, "astronomy", "weapons")["tokens"] == 8
    assert row(RULES, "field_general", "livestock_col")["tokens"] == 4


def test_sums_of_pairs_run_from_0_to_13_with_a_mean_of_6_8() -> None:
    sums = pair_sums(RULES)
    assert len(sums) == 1326
    assert (min(sums), max(sums)) == (0, 13)
    assert np.mean(sums) == pytest.approx(6.8, abs=0.05)


@pytest.mark.parametrize(("players", "mean"), [(3, 14.8), (4, 12.8), (5, 10.8), (6, 9.8)])
def test_a_civilization_has_about_a_dozen_tokens(players: int, mean: float) -> None:
    rules = load(players)
    assert np.mean(pair_sums(rules)) + rules.tables.token_bonus == pytest.approx(mean, abs=0.05)


def test_numbers_that_are_not_certain_are_listed_with_their_ranges() -> None:
    found = {entry["place"]: entry for entry in assumed(RULES)}
    sure = {"mountaineering", "astronomy", "specialization"}
    assert set(found) == {f"tiles.{name}.tokens" for name in KINDS if name not in sure} | {"map"}
    likely = {place for place, entry in found.items() if entry["confidence"] == "likely"}
    assert likely == {"tiles.weapons.tokens", "tiles.field_general.tokens", "tiles.barbarians.tokens"}
    assert found["map"]["value"] == "europe"
    assert found["map"]["confidence"] == "reconstructed"
    for entry in found.values():
        assert entry["reason"]
        assert entry["place"] == "map" or entry["low"] <= entry["value"] <= entry["high"]


def test_the_cost_of_deserts_is_assumed_only_where_there_are_deserts() -> None:
    desert = vary(RULES, {"map.provinces.Castile.terrain": "desert"})
    places = {entry["place"] for entry in assumed(desert)} - {entry["place"] for entry in assumed(RULES)}
    assert places == {"base_cost.desert"}


def test_a_fictional_map_and_a_tile_without_copies_are_not_assumed() -> None:
    lagoon = vary(load(3, map="lagoon"), {"tiles.slavery.copies": 0})
    places = {entry["place"] for entry in assumed(lagoon)}
    assert not places & {"map", "tiles.slavery.tokens"}
    assert "tiles.currency.tokens" in places


# Civilizations (Rulebook, "Civilization Tiles", Specialization) -----------------------------------------------------
def test_a_civilization_is_the_sum_of_its_tiles_in_either_order() -> None:
    assert row(RULES, "weapons", "mountaineering") == {
        "tokens": 7,
        "cost_any": -1,
        "cost_mountain": -1,
        "vp_mountain": 1,
    }
    square = RULES.tables.pairs[: at.NO_PAIR].reshape(at.KINDS, at.KINDS, at.MODIFIERS)
    assert (square == square.transpose(1, 0, 2)).all()
    assert not RULES.tables.pairs[at.NO_PAIR].any()


def test_two_copies_of_a_tile_add_up_but_a_flag_stays_one() -> None:
    assert row(RULES, "weapons", "weapons") == {"tokens": 6, "cost_any": -2}
    assert row(RULES, "astronomy", "astronomy") == {"tokens": 10, "astronomy": 1}


@pytest.mark.parametrize("tile", [name for name in KINDS if name != "specialization"])
def test_specialization_doubles_the_numbers_of_the_other_tile_and_adds_a_token(tile: str) -> None:
    single, doubled = row(RULES, tile), row(RULES, "specialization", tile)
    flags = set(at.MODIFIER_NAMES[at.FIRST_FLAG :])
    expected = {name: value if name in flags else 2 * value for name, value in single.items()}
    expected["tokens"] = 2 * single.get("tokens", 0) + 1
    assert doubled == expected | {"specialization": 1}


def test_two_specializations_have_nothing_to_double() -> None:
    assert row(RULES, "specialization", "specialization") == {"tokens": 1, "specialization": 1}


def test_a_civilization_leaves_the_rows_of_its_tiles_alone() -> None:
    first, second = (np.array(RULES.tables.tiles[KINDS.index(name)]) for name in ("specialization", "currency"))
    before = first.copy(), second.copy()
    civilization(first, second)
    assert (first == before[0]).all()
    assert (second == before[1]).all()


# The dictionary of columns ------------------------------------------------------------------------------------------
def test_the_dictionary_has_every_column_of_the_rules_in_their_order() -> None:
    assert tuple(columns()) == at.MODIFIER_NAMES
    assert all(entry["meaning"] and entry["unit"] for entry in columns().values())


def test_the_dictionary_agrees_with_the_rules_on_doubling_and_editions() -> None:
    for number, (name, entry) in enumerate(columns().items()):
        expected = "no" if number >= at.FIRST_FLAG else "twice the other tile plus 1" if name == "tokens" else "yes"
        assert entry["doubled_by_specialization"] == expected
        assert (entry["editions"] == "yucata") == (number in at.NOT_IN_TABLETOP)
        assert number < at.FIRST_FLAG or (entry["lowest"], entry["highest"]) == ("0", "1")


def test_columns_that_last_in_decline_are_the_points_for_provinces() -> None:
    lasting = {name for name, entry in columns().items() if entry["in_decline"] == "if lasts_in_decline is 1"}
    assert lasting == set(at.MODIFIER_NAMES[at.FIRST_BONUS : at.LAST_BONUS + 1])


def test_the_readme_of_the_data_names_every_file() -> None:
    text = (shipped_root() / "README.md").read_text(encoding="utf-8")
    files = [path for path in shipped_root().rglob("*") if path.suffix in (".csv", ".toml") and "vinci" in path.parts]
    assert len(files) >= 9
    assert [path.name for path in files if path.name not in text] == []


def test_every_option_and_reading_is_explained_beside_its_value() -> None:
    text = (shipped_root() / "vinci/tabletop/rules.toml").read_text(encoding="utf-8")
    assert tomllib.loads(text)["options"] == {name: readings[0] for name, readings in at.OPTIONS.items()}
    for name, readings in at.OPTIONS.items():
        block = text[: text.index(f"\n{name} = ")].rsplit("\n\n", 1)[1]
        assert block.startswith("#")
        yes_or_no = set(readings) == {"yes", "no"}
        assert yes_or_no or all(re.search(rf"\b{reading}\b", block) for reading in readings)


# Tables of a ruleset ------------------------------------------------------------------------------------------------
def test_numbers_of_the_edition_are_in_the_tables() -> None:
    tables = RULES.tables
    assert (tables.start_score, tables.price_per_skip, tables.coin_value) == (10, 2, 2)
    assert (tables.rounds_limit, tables.stall_rounds, tables.cost_floor, tables.spy_cost) == (0, 200, 0, 2)
    assert (tables.mountain_discount, tables.fort_discount, tables.fort_defence, tables.brown_tokens) == (1, 1, 1, 33)
    cost = dict(zip(at.TERRAIN_NAMES, map(int, tables.base_cost), strict=True))
    assert cost == {"normal": 2, "farmland": 2, "pasture": 2, "forest": 3, "mountain": 3, "desert": 3, "river": 2}
    points = dict(zip(at.TERRAIN_NAMES, map(int, tables.base_points), strict=True))
    assert points == {"normal": 1, "farmland": 1, "pasture": 1, "forest": 1, "mountain": 0, "desert": 0, "river": 0}


@pytest.mark.parametrize("option", at.OPTION_NAMES)
def test_every_reading_of_an_option_has_its_number_in_the_tables(option: str) -> None:
    found = [int(vary(RULES, {option: reading}).tables[option]) for reading in at.OPTIONS[option]]
    assert found == list(range(len(at.OPTIONS[option])))
    assert RULES.tables[option] == 0


def test_half_points_a_tile_adds_to_a_province() -> None:
    rules = vary(load(3, map="lagoon"), {"tiles.port.vp_water_halves": 1, "tiles.mining.vp_mountain": 1})
    provinces = labels(rules, "province")

    def halves(tile: str) -> dict[str, int]:
        found = rules.tables.bonus_halves[labels(rules, "kind").index(tile)]
        return {name: int(value) for name, value in zip(provinces, found, strict=False) if value}

    assert halves("agriculture") == {"Reedwater": 2, "Goldfield": 2}
    assert halves("currency") == dict.fromkeys(provinces, 2)
    assert halves("mining") == {"Highmoor": 6, "Ironhill": 6, "Southwood": 4}
    on_water = ("Northcape", "Reedwater", "Saltmarsh", "Greenhollow", "Goldfield", "Southwood")
    assert halves("port") == {**dict.fromkeys(on_water, 1), **dict.fromkeys(("Oldport", "Twin Isle", "Farshore"), 3)}
    assert halves("weapons") == {}
    assert not rules.tables.bonus_halves[:, len(provinces) :].any()


def test_tables_cannot_be_written_to() -> None:
    with pytest.raises(ValueError, match="read-only"):
        RULES.tables.start_score = 11
    with pytest.raises(ValueError, match="read-only"):
        RULES.tables.tiles[0, 0] = 11


def test_names_and_titles_of_tiles() -> None:
    assert KINDS[:2] == ("agriculture", "agriculture_col")
    assert labels(RULES, "kind_title")[:2] == ("Agriculture", "Agriculture (broken column)")
    with pytest.raises(ValueError, match="must be one of kind, kind_title, province, got 'seat'"):
        labels(RULES, "seat")


# Variants -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("place", "value", "field", "index"),
    [
        ("tiles.weapons.tokens", 4, "tiles", (KINDS.index("weapons"), at.TOKENS)),
        ("tiles.weapons.cost_any", -2, "tiles", (KINDS.index("weapons"), at.COST_ANY)),
        ("victory_threshold", 110, "victory_threshold", ()),
        ("rules.token_bonus", 7, "token_bonus", ()),
        ("base_cost.forest", 4, "base_cost", (at.FOREST,)),
        ("start_score", np.int64(12), "start_score", ()),
    ],
)
def test_a_variant_has_the_new_number_and_the_original_keeps_the_old_one(
    place: str, value: int, field: str, index: tuple[int, ...]
) -> None:
    before, old = RULES.hash, RULES.tables[field][index] if index else RULES.tables[field]
    variant = vary(RULES, {place: value})
    assert (variant.tables[field][index] if index else variant.tables[field]) == value
    assert (RULES.tables[field][index] if index else RULES.tables[field]) == old != value
    assert RULES.hash == before != variant.hash
    assert variant != RULES
    back = vary(variant, {place: old})
    assert back == RULES
    assert back.hash == RULES.hash


def test_an_option_has_a_short_and_a_long_place() -> None:
    assert vary(RULES, {"same_coast": "zone"}) == vary(RULES, {"options.same_coast": "zone"}) != RULES


def test_a_province_can_change_its_terrain() -> None:
    variant = vary(RULES, {"map.provinces.Ireland.terrain": "farmland"})
    assert at.TERRAIN_NAMES[variant.tables.terrain[0]] == "farmland"
    assert RULES.content["map"]["provinces"]["Ireland"]["terrain"] == "pasture"


def test_changing_more_copies_changes_the_bag() -> None:
    assert vary(RULES, {"tiles.currency.copies": 4}).tables.copies == 54


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ("tiles.wepons.tokens", "near it are tiles.weapons.tokens"),
        ("victory_treshold", "near it are victory_threshold"),
        ("black_sea", "near it are black_sea_linked"),
        ("map.provinces.Irland.terrain", "map.provinces.Ireland.terrain"),
        ("xyz", "places are start_score"),
        ("", "there is no such place"),
        ("tiles", "there is no such place"),
        ("players", "is chosen when a ruleset is loaded"),
        ("bag", "is chosen when a ruleset is loaded"),
    ],
)
def test_a_place_that_cannot_be_changed_gets_a_sentence_with_what_is_near(place: str, words: str) -> None:
    with pytest.raises(DataError) as caught:
        vary(RULES, {place: 1})
    assert len(caught.value.problems) == 1
    assert caught.value.problems[0].startswith(f"{place}: ")
    assert words in caught.value.problems[0]


def test_all_wrong_changes_are_named_at_once_with_place_value_and_what_is_allowed() -> None:
    changes = {"tiles.weapons.tokens": 99, "same_coast": "lake", "base_cost.forest": 2.5, "tiles.slavery.hordes": 1}
    with pytest.raises(DataError) as caught:
        vary(RULES, changes)
    assert set(caught.value.problems) == {
        "tiles.weapons.tokens: must be a whole number from 0 to 20, got 99",
        'options.same_coast: must be one of water_body, zone, both_coastal, got "lake"',
        "rules.base_cost.forest: must be a whole number from 0 to 20, got 2.5",
        "tiles.slavery.hordes: must be 0, got 1; the tabletop rules have no such effect",
    }


# Identity -----------------------------------------------------------------------------------------------------------
def shuffled(value: Any, chance: random.Random) -> Any:
    """Return the same JSON value with the keys of its tables in another order."""
    if not isinstance(value, dict):
        return value
    keys = list(value)
    chance.shuffle(keys)
    return {key: shuffled(value[key], chance) for key in keys}


def test_a_content_makes_the_same_ruleset_again() -> None:
    again = build(json.loads(json.dumps(RULES.to_json())))
    assert again == RULES
    assert again.tables.tobytes() == RULES.tables.tobytes()
    assert (again.game, again.edition, again.players) == ("vinci", "tabletop", 4)


def test_the_order_of_keys_changes_neither_hash_nor_tables() -> None:
    content = shuffled(RULES.to_json(), random.Random(5))
    assert list(content["tiles"]) != list(RULES.content["tiles"])
    again = build(content)
    assert again.hash == RULES.hash
    assert again.tables.tobytes() == RULES.tables.tobytes()
    assert labels(again, "kind") == KINDS


def test_players_map_bag_and_numbers_all_count_for_the_hash() -> None:
    others = [load(3), load(4, map="lagoon"), load(4, bag="first"), vary(RULES, {"spy_cost": 3})]
    assert len({RULES.hash, *(other.hash for other in others)}) == 5


def test_a_ruleset_survives_pickling_and_copying() -> None:
    for twin in (pickle.loads(pickle.dumps(RULES)), copy.deepcopy(RULES)):
        assert twin == RULES
        assert hash(twin) == hash(RULES)
        assert twin.tables.tobytes() == RULES.tables.tobytes()
        assert twin.tables.dtype == at.TABLES
        assert vary(twin, {"spy_cost": 3}).hash == vary(RULES, {"spy_cost": 3}).hash


def test_the_json_of_a_ruleset_is_independent_of_it() -> None:
    content = RULES.to_json()
    content["tiles"]["weapons"]["tokens"] = 9
    assert RULES.content["tiles"]["weapons"]["tokens"] == 3


def test_replace_is_the_same_as_vary() -> None:
    assert RULES.replace({"tiles.weapons.tokens": 4}) == vary(RULES, {"tiles.weapons.tokens": 4})


# A designer's own files ---------------------------------------------------------------------------------------------
@pytest.fixture
def own_data(tmp_path: Path) -> Path:
    """Return a copy of the data folder."""
    return Path(shutil.copytree(shipped_root(), tmp_path / "mine"))


def test_a_tile_invented_in_the_file_is_in_the_bag_without_a_change_of_code(own_data: Path) -> None:
    path = own_data / "vinci/tabletop/tiles.csv"
    header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    cells = {"name": "pilgrims", "title": "Pilgrims", "color": "blue", "copies_first": 2, "copies_second": 2}
    cells |= {"tokens": 4, "tokens_low": 3, "tokens_high": 5, "confidence": "reconstructed", "reason": "Invented"}
    cells |= {"vp_mountain": 2, "cost_open": -1, "astronomy": 1}
    with path.open("a", encoding="utf-8") as file:
        file.write(",".join(str(cells.get(column, "")) for column in header) + "\n")
    rules = load(4, data=own_data)
    assert rules.tables.copies == 54
    assert labels(rules, "kind")[-1] == "pilgrims"
    assert row(rules, "pilgrims") == {"tokens": 4, "vp_mountain": 2, "cost_open": -1, "astronomy": 1}
    assert row(rules, "specialization", "pilgrims") == {
        **{"tokens": 9, "vp_mountain": 4, "cost_open": -2, "astronomy": 1, "specialization": 1}
    }


def test_the_environment_can_name_the_data_folder(own_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = own_data / "vinci/tabletop/rules.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("spy_cost = 2 ", "spy_cost = 3 "), encoding="utf-8")
    monkeypatch.setenv("VINCI_LAB_DATA", str(own_data))
    assert data_root() == own_data
    assert load(4).tables.spy_cost == 3
    assert load(4, data=shipped_root()).tables.spy_cost == 2


def test_an_edition_of_ones_own_is_a_folder(own_data: Path) -> None:
    shutil.copytree(own_data / "vinci/tabletop", own_data / "vinci/short")
    path = own_data / "vinci/short/rules.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("4 = 120", "4 = 80").replace('map = "europe"', 'map = "lagoon"'), encoding="utf-8")
    rules = load(4, "short", data=own_data)
    assert rules.tables.victory_threshold == 80
    assert rules.edition == "short"
    assert rules.content["map"]["name"] == "lagoon"


def test_only_the_asked_for_number_of_players_counts_for_the_hash(own_data: Path) -> None:
    path = own_data / "vinci/tabletop/rules.toml"
    path.write_text(path.read_text(encoding="utf-8").replace("6 = 100", "6 = 90"), encoding="utf-8")
    assert load(4, data=own_data) == RULES
    assert load(6, data=own_data) != load(6)
