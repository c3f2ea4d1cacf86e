"""Broken data files: everything wrong is said at once, with file, row, column, value, and what is allowed."""

from __future__ import annotations

import copy
import json
import random
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from vinci_lab.datafiles import data_root, shipped_root
from vinci_lab.engine.ruleset import DataError
from vinci_lab.games.vinci.ruleset import build, load

RULES = "vinci/tabletop/rules.toml"
TILES = "vinci/tabletop/tiles.csv"
MAP = "vinci/maps/lagoon.toml"
PROVINCES = "vinci/maps/lagoon_provinces.csv"
BORDERS = "vinci/maps/lagoon_borders.csv"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Return a copy of the data folder, for breaking."""
    return Path(shutil.copytree(shipped_root(), tmp_path / "data"))


def change(data: Path, file: str, old: str, new: str) -> None:
    """Replace a text that is in a file once."""
    text = (data / file).read_text(encoding="utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    (data / file).write_text(text.replace(old, new), encoding="utf-8")


def change_cell(data: Path, file: str, row: int, column: str, value: str) -> None:
    """Write a cell of a CSV file whose row has no quoted cells; rows count from 1, the header."""
    lines = (data / file).read_text(encoding="utf-8").split("\n")
    cells = lines[row - 1].split(",")
    cells[lines[0].split(",").index(column)] = value
    lines[row - 1] = ",".join(cells)
    (data / file).write_text("\n".join(lines), encoding="utf-8")


def problems(data: Path, **arguments: Any) -> list[str]:
    """Return what loading the folder complains about."""
    with pytest.raises(DataError) as caught:
        load(4, data=data, map=arguments.pop("map", "lagoon"), **arguments)
    assert str(caught.value) == "\n".join(caught.value.problems)
    return list(caught.value.problems)


def test_the_shipped_files_have_no_problem(data: Path) -> None:
    assert load(4, data=data, map="lagoon").players == 4


# One breakage at a time ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("file", "row", "column", "value", "sentence"),
    [
        (TILES, 2, "tokens", "five", 'must be a whole number from 0 to 20, got "five"'),
        (TILES, 2, "tokens", "-3", "must be a whole number from 0 to 20, got -3"),
        (TILES, 2, "tokens", "", 'must be a whole number from 0 to 20, got ""'),
        (TILES, 2, "tokens", "2.5", 'must be a whole number from 0 to 20, got "2.5"'),
        (TILES, 3, "color", "green", 'must be one of yellow, pink, blue, got "green"'),
        (TILES, 3, "confidence", "sure", 'must be one of certain, likely, reconstructed, house, got "sure"'),
        (TILES, 3, "title", "", 'must be 1 to 60 printable characters, got ""'),
        (TILES, 4, "copies_first", "two", 'must be a whole number from 0 to 20, got "two"'),
        (TILES, 4, "copies_second", "-1", "must be a whole number from 0 to 20, got -1"),
        (TILES, 5, "cost_any", "-9", "must be a whole number from -5 to 5, got -9"),
        (TILES, 5, "astronomy", "2", "must be a whole number from 0 to 1, got 2"),
        (TILES, 5, "nomads", "1", "must be 0, got 1; the tabletop rules have no such effect"),
        (TILES, 6, "name", "Mining!", 'must be 1 to 40 small letters, digits and underscores, got "Mining!"'),
        (TILES, 6, "name", "weapons", 'must be another name than that of an earlier row, got "weapons" again'),
        (PROVINCES, 2, "terrain", "swamp", "must be one of normal, farmland, pasture, forest, mountain, desert, river"),
        (PROVINCES, 2, "port", "1", 'must be yes or no (true or false in TOML), got "1"'),
        (PROVINCES, 3, "id", "1", "must be another number than that of Northcape, got 1"),
        (PROVINCES, 3, "id", "14", "must be a number from 1 to 13, the number of provinces, got 14"),
        (PROVINCES, 3, "id", "0", "must be a whole number from 1 to 63, got 0"),
        (PROVINCES, 5, "seas", "OUT LAGG", 'must be zones of the map, got "LAGG"; did you mean LAG?'),
        (PROVINCES, 5, "seas", "OUT OUT", 'must name each zone once, got ["OUT", "OUT"]'),
        (PROVINCES, 5, "provenance", "maybe", 'must be one of certain, likely, reconstructed, got "maybe"'),
        (PROVINCES, 6, "name", "Highmoor", 'must be another name than that of an earlier row, got "Highmoor" again'),
        (BORDERS, 2, "kind", "river", 'must be one of land, coastal, got "river"'),
        (BORDERS, 2, "kind", "coastal", "both provinces must touch a common sea zone or other water, got coastal"),
        (BORDERS, 2, "a", "Northkape", 'must be a province of the map, got "Northkape"; did you mean Northcape?'),
        (BORDERS, 2, "b", "Northcape", 'must be another province than a, got "Northcape"'),
    ],
)  # fmt: skip
def test_a_wrong_cell_is_named_with_file_row_column_value_and_what_is_allowed(
    data: Path, file: str, row: int, column: str, value: str, sentence: str
) -> None:
    lines = (data / file).read_text(encoding="utf-8").split("\n")
    if file == TILES and column == "name" and value == "weapons":
        row = next(number for number, line in enumerate(lines, start=1) if line.startswith("espionage,"))
    change_cell(data, file, row, column, value)
    found = [problem for problem in problems(data) if problem.startswith(f"data/{file}, row {row}, column {column}: ")]
    assert len(found) == 1
    assert sentence in found[0]


@pytest.mark.parametrize(
    ("file", "old", "new", "sentence"),
    [
        (RULES, "start_score = 10 ", 'start_score = "ten" ', 'start_score|whole number from 0 to 1000, got "ten"'),
        (RULES, "start_score = 10 ", "start_score = true ", "start_score|from 0 to 1000, got true"),
        (RULES, "spy_cost = 2 ", "spy_cost = -2 ", "spy_cost|must be a whole number from 0 to 10, got -2"),
        (RULES, "spy_cost = 2 ", "spie_cost = 2 ", "spie_cost|is not known here; did you mean spy_cost"),
        (RULES, 'same_coast = "water_body"', 'same_coast = "lake"', 'water_body, zone, both_coastal, got "lake"'),
        (RULES, 'bag = "second"', 'bag = "third"', 'bag|must be one of first, second, got "third"'),
        (RULES, "forest = 3\n", 'forest = "3"\n', 'base_cost.forest|must be a whole number from 0 to 20, got "3"'),
        (RULES, "6 = 3\n", "6 = 300\n", "token_bonus.6|must be a whole number from 0 to 40, got 300"),
        (RULES, "4 = 120\n", "", "victory_threshold, 4|is missing; must be a whole number from 1 to 2000"),
        (RULES, "brown_tokens = 33 ", "#", "brown_tokens|is missing; must be a whole number from 0 to 500"),
        (RULES, "\n[options]\n", "\n[option]\n", "option|is not known here; did you mean options"),
        (RULES, "stall_rounds = { confidence", "stall = { confidence", 'must be the name of a number, got "stall"'),
        (RULES, "stall_rounds = { confidence", "stall = { confidence", "stall_rounds|every number must say how sure"),
        (RULES, 'low = 2, high = 3, reason = "Camels', 'low = 4, high = 3, reason = "Camels', "low first, got 4 and 3"),
        (MAP, 'links = [["OUT", "LAG"]]\n', 'links = [["OUT", "LGA"]]\n', 'got "LGA"; did you mean LAG'),
        (MAP, 'links = [["OUT", "LAG"]]\n', 'links = [["OUT"]]\n', 'links|must be a pair of zones, got ["OUT"]'),
        (MAP, 'links = [["OUT", "LAG"]]\n', 'links = [["OUT", "OUT"]]\n', "must join two different zones"),
        (MAP, 'links = [["OUT", "LAG"]]\n', 'links = "OUT"\n', 'links|must be a list of pairs of zones, got "OUT"'),
        (MAP, 'title = "Sound"\n', "", "title|is missing; must be 1 to 60 printable characters"),
        (MAP, 'title = "Sound"\n', "title = 3\n", "title|must be 1 to 60 printable characters, got 3"),
        (MAP, 'title = "Sound"\n', 'title = "Sound"\ndepth = 3\n', "depth|is not known here"),
        (MAP, 'title = "The Lagoon"\n', 'title = "The Lagoon"\nscale = 3\n', "scale|is not known here"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_named_with_file_row_key_value_and_what_is_allowed(
    data: Path, file: str, old: str, new: str, sentence: str
) -> None:
    text = (data / file).read_text(encoding="utf-8")
    at = text.index(old)  # the first of several
    (data / file).write_text(text[:at] + new + text[at + len(old) :], encoding="utf-8")
    words = sentence.split("|")
    found = [problem for problem in problems(data) if all(word in problem for word in words)]
    assert len(found) == 1
    assert found[0].startswith(f"data/{file}, row ")


def test_a_wrong_entry_stands_on_the_row_it_is_said_to_stand_on(data: Path) -> None:
    change(data, RULES, 'price_rule = "prepay"', 'price_rule = "later"')
    lines = (data / RULES).read_text(encoding="utf-8").splitlines()
    row = lines.index('price_rule = "later"') + 1
    allowed = "must be one of prepay, net, debt, dealt"
    assert problems(data) == [f'data/{RULES}, row {row}, options.price_rule: {allowed}, got "later"']


@pytest.mark.parametrize(
    ("file", "column"), [(TILES, "tokens"), (TILES, "vp_mine"), (PROVINCES, "terrain"), (BORDERS, "kind")]
)
def test_a_missing_column_is_named_once_with_the_columns_there_must_be(data: Path, file: str, column: str) -> None:
    change(
        data, file, f",{column}" + ("\n" if column == "kind" else ","), ",other" + ("\n" if column == "kind" else ",")
    )
    found = problems(data)
    assert len(found) == 2
    assert found[0].startswith(f'data/{file}, row 1, column "other": is not known here')
    assert found[1].startswith(f"data/{file}, row 1, column {column}: is missing; the columns must be ")


def test_a_column_that_is_there_twice_is_named(data: Path) -> None:
    change(data, BORDERS, "a,b,kind\n", "a,b,b\n")
    found = problems(data)
    assert f"data/{BORDERS}, row 1, column b: must be there once, got it 2 times" in found


def test_a_row_with_too_many_cells_is_named(data: Path) -> None:
    change(data, BORDERS, "Northcape,Highmoor,land\n", "Northcape,Highmoor,land,land\n")
    assert problems(data) == [f"data/{BORDERS}, row 2: must have 3 cells as the header has, got 4"]


@pytest.mark.parametrize("file", [RULES, TILES, MAP, PROVINCES, BORDERS])
def test_an_empty_file_is_the_only_problem(data: Path, file: str) -> None:
    (data / file).write_text("\n", encoding="utf-8")
    assert problems(data) == [f"data/{file}: must not be empty, got no text"]


@pytest.mark.parametrize("file", [RULES, TILES, MAP, PROVINCES, BORDERS])
def test_a_file_that_is_not_utf_8_is_named_with_row_and_byte(data: Path, file: str) -> None:
    raw = (data / file).read_bytes()
    at = raw.index(b"\n", raw.index(b"\n") + 1)
    (data / file).write_bytes(raw[:at] + "é".encode("latin-1") + raw[at:])
    assert problems(data) == [f"data/{file}, row 2: must be UTF-8 text, got the byte 0xE9"]


@pytest.mark.parametrize("file", [TILES, PROVINCES, BORDERS])
def test_a_missing_file_is_named(data: Path, file: str) -> None:
    (data / file).unlink()
    (only,) = problems(data)
    assert only.startswith(f"data/{file}: cannot be read (")


def test_a_file_with_a_header_alone_is_named(data: Path) -> None:
    text = (data / TILES).read_text(encoding="utf-8")
    (data / TILES).write_text(text.split("\n")[0] + "\n", encoding="utf-8")
    assert problems(data) == [f"data/{TILES}: there must be 1 to 48 kinds of tiles, got 0"]


def test_a_file_that_is_not_toml_is_named_with_row_and_column(data: Path) -> None:
    change(data, RULES, "coin_value = 2 ", "coin_value == 2 ")
    row = (data / RULES).read_text(encoding="utf-8").split("coin_value")[0].count("\n") + 1
    (only,) = problems(data)
    assert only.startswith(f"data/{RULES}, row {row}, column 13: must be TOML")


def test_a_file_that_is_not_csv_is_named_with_its_row(data: Path) -> None:
    change(data, BORDERS, "Northcape,Highmoor,land\n", '"Northcape"?,Highmoor,land\n')
    (only,) = problems(data)
    assert only.startswith(f"data/{BORDERS}, row 2: must be comma-separated values")


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(data: Path) -> None:
    expected = load(4, data=data, map="lagoon")
    for file in (RULES, TILES, MAP, PROVINCES, BORDERS):
        raw = (data / file).read_bytes()
        (data / file).write_bytes(b"\xef\xbb\xbf" + raw.replace(b"\n", b"\r\n"))
    assert load(4, data=data, map="lagoon") == expected


# Maps that do not hang together -------------------------------------------------------------------------------------
def test_a_border_that_differs_from_its_other_direction_is_named_with_both_rows(data: Path) -> None:
    with (data / BORDERS).open("a", encoding="utf-8") as file:
        file.write("Saltmarsh,Oldport,land\n")
    assert problems(data) == [
        f"data/{BORDERS}, row 24, column kind: must be coastal as in data/{BORDERS}, row 8, got land; "
        "a border is the same from both sides"
    ]


def test_a_border_that_is_listed_twice_is_named_with_both_rows(data: Path) -> None:
    with (data / BORDERS).open("a", encoding="utf-8") as file:
        file.write("Highmoor,Northcape,land\n")
    (only,) = problems(data)
    assert only == (
        f'data/{BORDERS}, row 24: each border must be listed once, got "Highmoor" with "Northcape" again, '
        f"as in data/{BORDERS}, row 2"
    )


def test_a_province_no_border_leads_to_is_named_with_its_row(data: Path) -> None:
    text = (data / BORDERS).read_text(encoding="utf-8")
    kept = [line for line in text.splitlines() if "Twin Isle" not in line]
    (data / BORDERS).write_text("\n".join(kept) + "\n", encoding="utf-8")
    assert problems(data) == [
        f'data/{BORDERS}: must connect all provinces, got no way from "Northcape" to "Twin Isle" '
        f"(data/{PROVINCES}, row 12)"
    ]


def test_a_map_without_a_start_is_named(data: Path) -> None:
    change(data, MAP, "touches_edge = true", "touches_edge = false")
    text = (data / PROVINCES).read_text(encoding="utf-8")
    lines = [",".join((*cells[:5], "no", *cells[6:])) for cells in (line.split(",") for line in text.splitlines()[1:])]
    (data / PROVINCES).write_text("\n".join([text.splitlines()[0], *lines]) + "\n", encoding="utf-8")
    (only,) = problems(data)
    assert only.startswith(f"data/{MAP}, zones: ")
    assert only.endswith(
        "at least one province must have land_edge or touch a zone with touches_edge, got no start province"
    )


def test_a_map_with_more_provinces_than_the_rules_can_count_is_named(data: Path) -> None:
    with (
        (data / PROVINCES).open("a", encoding="utf-8") as provinces,
        (data / BORDERS).open("a", encoding="utf-8") as borders,
    ):
        for number in range(14, 65):
            provinces.write(f"{number},Islet {number},normal,no,no,no,,no,certain,Invented\n")
            borders.write(f"Northcape,Islet {number},land\n")
    assert f"data/{PROVINCES}: there must be 1 to 63 provinces, got 64" in problems(data)


# Tiles and players that do not go together --------------------------------------------------------------------------
@pytest.mark.parametrize(("kept", "players", "fewest"), [(11, 4, 30), (15, 6, 38)])
def test_a_bag_too_small_for_the_players_is_named(data: Path, kept: int, players: int, fewest: int) -> None:
    lines = (data / TILES).read_text(encoding="utf-8").splitlines()
    (data / TILES).write_text("\n".join(lines[: kept + 1]) + "\n", encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load(players, data=data)
    need = f"12 for the tray and 4 for each of {players} seats and 2 on their way back"
    allowed = f"the bag must hold {fewest} ({need}) to 63 tiles"
    assert caught.value.problems == (f"tiles: {allowed}, got {2 * kept}",)


def test_a_bag_with_more_tiles_than_the_rules_can_count_is_named(data: Path) -> None:
    change_cell(data, TILES, 2, "copies_second", "14")
    (only,) = problems(data)
    assert only.endswith("to 63 tiles, got 64")


@pytest.mark.parametrize("players", [0, 7, "four", True, None, 4.5])
def test_a_wrong_number_of_players_is_named(players: Any) -> None:
    with pytest.raises(DataError, match=r"^players: must be a whole number from 1 to 6, got "):
        load(players)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"edition": "tabeltop"}, 'edition: must be one of tabletop, got "tabeltop"'),
        ({"edition": "no/such"}, "/no' must hold */rules.toml, got none"),
        ({"map": "no/such"}, "/no' must hold *.toml, got none"),
        ({"map": "atlantis"}, 'map: must be one of europe, lagoon, got "atlantis"'),
        ({"bag": "third"}, 'bag: must be one of first, second, got "third"'),
    ],
)
def test_an_unknown_edition_map_or_bag_is_named_with_those_there_are(
    data: Path, arguments: dict[str, str], sentence: str
) -> None:
    (only,) = problems(data, **arguments)
    assert only.endswith(sentence)


def test_a_data_folder_that_does_not_exist_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(DataError, match=r"^data: must be a folder laid out like the program's data/, got .*nowhere"):
        data_root(tmp_path / "nowhere")
    monkeypatch.setenv("VINCI_LAB_DATA", str(tmp_path / "elsewhere"))
    with pytest.raises(DataError, match=r"^VINCI_LAB_DATA: must be a folder .*elsewhere"):
        load(4)


def test_a_folder_without_editions_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"must hold \*/rules\.toml, got none"):
        load(4, data=tmp_path)


# All at once --------------------------------------------------------------------------------------------------------
def test_everything_that_is_wrong_with_all_files_is_said_at_once(data: Path) -> None:
    change(data, RULES, "\nstart_score = 10 ", '\nstart_score = "ten" ')
    change(data, RULES, 'teleport = "yes"', 'teleport = "perhaps"')
    change(data, RULES, 'title = "Vinci, tabletop edition"', 'title = "Vinci, tabletop edition"\nyear = 1999')
    change_cell(data, TILES, 2, "tokens", "-3")
    change_cell(data, TILES, 3, "color", "green")
    change_cell(data, TILES, 5, "name", "agriculture")
    change(data, MAP, 'water_body = "Sound"', "water_body = 3")
    change_cell(data, PROVINCES, 2, "terrain", "swamp")
    change_cell(data, PROVINCES, 9, "mine", "perhaps")
    change_cell(data, BORDERS, 3, "b", "Atlantis")
    change_cell(data, BORDERS, 4, "kind", "bridge")
    found = problems(data)
    expected = [
        (RULES, "year", "is not known here"),
        (RULES, "start_score", '"ten"'),
        (RULES, "teleport", '"perhaps"'),
        (TILES, "row 2, column tokens", "-3"),
        (TILES, "row 3, column color", '"green"'),
        (TILES, "row 5, column name", '"agriculture"'),
        (MAP, "water_body", "got 3"),
        (PROVINCES, "row 2, column terrain", '"swamp"'),
        (PROVINCES, "row 9, column mine", '"perhaps"'),
        (BORDERS, "row 3, column b", '"Atlantis"'),
        (BORDERS, "row 4, column kind", '"bridge"'),
    ]
    assert len(found) == len(expected)
    for file, where, value in expected:
        assert [p for p in found if p.startswith(f"data/{file}, row ") and where in p and value in p], (
            file,
            where,
            found,
        )


# Contents from elsewhere, such as the header of a transcript --------------------------------------------------------
def without(content: dict[str, Any], *place: str) -> None:
    for key in place[:-1]:
        content = content[key]
    del content[place[-1]]


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda c: c.update(players=9), "players: must be a whole number from 1 to 6, got 9"),
        (lambda c: c.update(game="chess"), 'game: must be one of vinci, got "chess"'),
        (lambda c: c.update(extra=1), "extra: is not known here"),
        (lambda c: c.update(tiles=[]), "tiles: must be a table of tiles, got []"),
        (lambda c: c.update(map=None), "map: must be a map, got null"),
        (lambda c: c.update(rules={}), "rules.start_score: is missing; must be a whole number from 0 to 1000"),
        (lambda c: without(c, "options", "teleport"), "options.teleport: is missing; must be one of yes, no"),
        (lambda c: without(c, "tiles", "weapons", "cost_any"), "tiles.weapons.cost_any: is missing"),
        (lambda c: without(c, "map", "borders"), "map.borders: is missing; must be a list of borders"),
        (lambda c: c["tiles"]["weapons"].update(number=1), "the tiles' numbers must run from 1 to 26, each once"),
        (lambda c: c["tiles"]["weapons"].update(tokens=10**30), "weapons.tokens: must be a whole number from 0 to 20"),
        (lambda c: c["tiles"]["weapons"].update(tokens_low=9), "tokens_low: must be at most tokens_high, 3, got 9"),
        (lambda c: c["tiles"].update(weapons=3), "tiles.weapons: must be a table with number, title"),
        (lambda c: c["map"]["provinces"].update({"<b>": {}}), "must be 1 to 40 letters, digits, spaces"),
        (lambda c: c["map"]["provinces"]["Ireland"].update(reason="\x1b[31m"), r'characters, got "\u001b[31m"'),
        (lambda c: c["map"]["provinces"]["Ireland"].update(seas="ATL"), 'seas: must be ids of sea zones, got "ATL"'),
        (lambda c: c["map"].update(borders=[["Ireland"]]), "map.borders.0: must be a table with a, b, kind"),
        (lambda c: c["map"].update(zones={}), "map.provinces.Ireland.seas: must be zones of the map"),
        (lambda c: c["map"].update(links=[[1, 2]]), "map.links: entry 1 must be a pair of zones, got [1, 2]"),
        (lambda c: c["provenance"].update(start_score=1), "provenance.start_score: must be a table with confidence"),
    ],
)  # fmt: skip
def test_a_spoiled_content_is_refused_with_sentences(spoil: Callable[[dict[str, Any]], None], sentence: str) -> None:
    content = load(4).to_json()
    spoil(content)
    with pytest.raises(DataError) as caught:
        build(content)
    assert any(sentence in problem for problem in caught.value.problems), caught.value.problems
    assert all(problem.isprintable() for problem in caught.value.problems)


@pytest.mark.parametrize("content", [None, 3, "vinci", [], {}, {"game": "vinci"}])
def test_something_that_is_no_content_is_refused(content: Any) -> None:
    with pytest.raises(DataError):
        build(content)


def places(content: Any, start: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the place of every part of a content."""
    entries = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in entries:
        yield (*start, key)
        yield from places(value, (*start, key))


def test_whatever_stands_at_whatever_place_is_accepted_or_refused_with_sentences() -> None:
    content = load(3, map="lagoon").to_json()
    spoiled = random.Random(7).sample(list(places(content)), 200)
    junk = [None, [], {}, "x", "", -1, True, 0.5, [[]], {"x": []}, "Highmoor", [["OUT", []]]]
    refusals: list[tuple[str, ...]] = []
    for number, place in enumerate(spoiled):
        part = copied = copy.deepcopy(content)
        for key in place[:-1]:
            part = part[key]
        part[place[-1]] = junk[number % len(junk)]
        try:
            build(copied)
        except DataError as error:
            refusals.append(error.problems)
    assert len(refusals) > 150
    assert all(": " in problem and problem.isprintable() for refusal in refusals for problem in refusal)


def test_a_content_of_bottomless_depth_is_refused() -> None:
    deep: Any = 0
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(DataError, match="a few levels deep"):
        build({"game": deep})


def test_lone_surrogates_in_a_content_are_refused() -> None:
    content = load(4).to_json()
    content["tiles"]["weapons"]["reason"] = json.loads('"\\ud800"')
    with pytest.raises(DataError, match=r"^tiles\.weapons\.reason: must be 1 to 500 printable characters"):
        build(content)
