"""Vinci: from the data files to one plain content, with a note of where each part was read."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from vinci_lab.datafiles import (
    CsvFile,
    CsvRow,
    Place,
    Problems,
    TomlFile,
    as_number,
    as_switch,
    check,
    data_root,
    label,
    near,
    read_csv,
    read_toml,
    show,
)
from vinci_lab.games.vinci import rules_layout as at

RULES_KEYS = (
    "title",
    "map",
    "bag",
    "numbers",
    "token_bonus",
    "victory_threshold",
    "automata",
    "start_bonus",
    "base_cost",
    "base_points",
    "options",
    "provenance",
)
PER_PLAYERS = ("token_bonus", "victory_threshold", "automata")
PER_PLACE = ("start_bonus",)
PER_TERRAIN = ("base_cost", "base_points")
TILE_COLUMNS = (
    "name",
    "title",
    "color",
    "copies_first",
    "copies_second",
    "tokens",
    "tokens_low",
    "tokens_high",
    "confidence",
    "reason",
    *(name for name in at.MODIFIER_NAMES if name != "tokens"),
)
TILE_TEXTS = ("title", "color", "confidence", "reason")
PROVINCE_COLUMNS = (
    "id",
    "name",
    "terrain",
    "port",
    "mine",
    "land_edge",
    "seas",
    "other_water",
    "provenance",
    "reason",
)
BORDER_COLUMNS = ("a", "b", "kind")
MAP_KEYS = ("title", "confidence", "reason", "notes", "links", "optional_links", "zones")
PROVINCE_CELLS: dict[str, Callable[[str], Any]] = {
    "id": as_number,
    "port": as_switch,
    "mine": as_switch,
    "land_edge": as_switch,
    "seas": str.split,
    "other_water": as_switch,
}


def read_content(
    players: int, edition: str, board: str | None, bag: str | None, data: str | Path | None, problems: Problems
) -> dict[str, Any]:
    """Return the content of an edition's files for a number of players; what cannot be read is noted and silenced."""
    root = data_root(data)
    editions, edition = place_of(root / "vinci", edition)
    edition = choose("edition", edition, editions, "*/rules.toml", _folder_name, problems)
    problems.raise_if_any()
    folder = editions / edition
    rules = read_toml(folder / "rules.toml", label(root, folder / "rules.toml"), problems)
    content: dict[str, Any] = {"game": "vinci", "edition": edition, "players": players}
    content |= _rules_part(rules, players, problems)
    if bag is not None:
        content["bag"] = bag
    tiles = read_csv(folder / "tiles.csv", label(root, folder / "tiles.csv"), TILE_COLUMNS, problems)
    content["tiles"] = _tiles_part(tiles, content.get("bag"), problems)
    maps, name = _find_map(root, board, rules, problems)
    if not name:
        problems.silence(("map",))
    content["map"] = _map_part(root, maps, name, problems) if name else {}
    return content


def place_of(folder: Path, name: str) -> tuple[Path, str]:
    """Return where an edition or a map is looked for, and its name there.

    A name is looked for in ``folder``, among those of the data folder; a path, such as ``my_maps/islands``, leads
    anywhere.
    """
    if not ("/" in name or os.sep in name):
        return folder, name
    path = Path(os.path.expanduser(name)).resolve()
    return path.parent, path.name


def _find_map(root: Path, board: str | None, rules: TomlFile | None, problems: Problems) -> tuple[Path, str]:
    """Return the folder and the name of the map that was asked for, else of the edition's own."""
    maps = root / "vinci" / "maps"
    if board is not None:
        maps, name = place_of(maps, board)
        if (maps / name).is_dir():
            maps, name = maps / name, ""
        return maps, choose("map", name.removesuffix(".toml"), maps, "*.toml", _stem, problems)
    if rules is None:
        return maps, ""
    return maps, choose(rules.where("map"), rules.table.get("map"), maps, "*.toml", _stem, problems)


def shapes_path(data: str | Path | None, board: str | None, name: str) -> str:
    """Return the path of the file with the shapes of a map that has been read, whether there is one or not."""
    folder = data_root(data).resolve() / "vinci" / "maps"
    return str((place_of(folder, board)[0] if board else folder) / f"{name}.geojson")


def choose(
    where: str, asked: Any, folder: Path, pattern: str, name_of: Callable[[Path], str], problems: Problems
) -> str:
    """Return a name if it is one of those found in a folder, else an empty one after saying what there is."""
    found = sorted(name_of(path) for path in folder.glob(pattern))
    if asked in found:
        return str(asked)
    sentence = f"must be one of {', '.join(found)}" if found else f"{str(folder)!r} must hold {pattern}"
    problems.add_at(where, f"{sentence}, got {show(asked) if found else 'none'}")
    return ""


def _stem(path: Path) -> str:
    return path.stem


def _folder_name(path: Path) -> str:
    return path.parent.name


# rules.toml ---------------------------------------------------------------------------------------------------------
def _rules_part(file: TomlFile | None, players: int, problems: Problems) -> dict[str, Any]:
    """Return title, bag, rules, options and provenance; of the tables per number of players, the one entry."""
    if file is None:
        for part in ("title", "rules", "options", "provenance", "bag"):
            problems.silence((part,))
        return {"title": "", "rules": {}, "options": {}, "provenance": {}}
    table = file.table
    for key in table:
        if key not in RULES_KEYS:
            problems.add_at(file.where(key), f"is not known here; {near(key, RULES_KEYS)}")
    parts: dict[str, Any] = {}
    for key in ("title", "bag"):
        problems.read_from((key,), file.where(key))
        if key in table:
            parts[key] = table[key]
    for key, part in (("numbers", "rules"), ("options", "options"), ("provenance", "provenance")):
        _note_toml(file, (key,), (part,), problems)
        value = table.get(key)
        if not isinstance(value, Mapping):
            problems.add_at(file.where(key), f"must be a table [{key}], got {show(value)}")
            problems.silence((part,))
        parts[part] = dict(value) if isinstance(value, Mapping) else {}
    for key in (*PER_PLAYERS, *PER_PLACE, *PER_TERRAIN):
        _note_toml(file, (key,), ("rules", key), problems)
        value = table.get(key)
        if not isinstance(value, Mapping):
            problems.add_at(file.where(key), f"must be a table [{key}], got {show(value)}")
            problems.silence(("rules", key))
        elif key not in PER_PLAYERS:
            parts["rules"][key] = dict(value)
        else:
            parts["rules"][key] = _for_players(file, key, value, players, problems)
    return parts


def _for_players(file: TomlFile, key: str, table: Mapping[str, Any], players: int, problems: Problems) -> Any:
    """Return the entry for a number of players; the others are checked too."""
    from vinci_lab.games.vinci.ruleset_checks import PLAYERS, per_players_model

    place: Place = ("per_players", key)
    _note_toml(file, (key,), place, problems)
    check(per_players_model(key), table, place, problems)
    problems.silence(("rules", key))
    return table.get(str(players), table.get(str(PLAYERS[0])))


def _note_toml(file: TomlFile, keys: tuple[str, ...], place: Place, problems: Problems) -> None:
    """Note where a key and everything below it was read."""
    problems.read_from(place, file.where(*keys))
    value: Any = file.table
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    if isinstance(value, Mapping):
        for key in value:
            _note_toml(file, (*keys, key), (*place, key), problems)


# Tables -------------------------------------------------------------------------------------------------------------
def _note_row(file: CsvFile, row: CsvRow, place: Place, problems: Problems) -> None:
    """Note where a row was read, and say nothing of cells whose column is missing."""
    problems.read_from(place, file.where(row), "column ")
    for column in file.missing:
        problems.silence((*place, column))


def _new_name(file: CsvFile, row: CsvRow, part: Place, taken: Mapping[str, Any], problems: Problems) -> str:
    """Return the key a named row is kept under; of two rows with one name the later is noted and silenced."""
    name = row.cells.get("name", f"(row {row.line})")
    if name in taken:
        sentence = f"must be another name than that of an earlier row, got {show(name)} again"
        problems.add_at(f"{file.where(row)}, column name", sentence)
        name = f"{name} (row {row.line})"
        problems.silence((*part, name))
    _note_row(file, row, (*part, name), problems)
    return name


def _tiles_part(file: CsvFile | None, bag: Any, problems: Problems) -> dict[str, Any]:
    """Return the tiles by name, with the copies of one printing."""
    if file is None:
        problems.silence(("tiles",))
        return {}
    tiles: dict[str, Any] = {}
    if not file.rows:
        problems.read_from(("tiles",), file.name)
    for number, row in enumerate(file.rows, start=1):
        name = _new_name(file, row, ("tiles",), tiles, problems)
        cells = row.cells
        tile: dict[str, Any] = {"number": number, **{key: cells.get(key, "") for key in TILE_TEXTS}}
        tile |= {key: as_number(cells.get(key, "")) for key in ("tokens", "tokens_low", "tokens_high")}
        tile |= {key: as_number(cells.get(key) or "0") for key in at.MODIFIER_NAMES if key != "tokens"}
        tile["copies"] = _copies(row, bag, ("tiles", name), problems)
        tiles[name] = tile
    return tiles


def _copies(row: CsvRow, bag: Any, place: Place, problems: Problems) -> Any:
    """Return the copies of the printing that is in the bag; the other printing's are checked too."""
    problems.silence((*place, "copies"))
    copies: dict[str, Any] = {}
    for printing in ("first", "second"):
        column = f"copies_{printing}"
        value = copies[printing] = as_number(row.cells.get(column, "0"))
        if not isinstance(value, int) or not 0 <= value <= 20:
            problems.add((*place, column), f"must be a whole number from 0 to 20, got {show(value)}")
    return copies["first" if bag == "first" else "second"]


# Maps ---------------------------------------------------------------------------------------------------------------
def _map_part(root: Path, folder: Path, name: str, problems: Problems) -> dict[str, Any]:
    """Return a map from its three files."""
    toml = read_toml(folder / f"{name}.toml", label(root, folder / f"{name}.toml"), problems)
    files = {}
    for part, columns in (("provinces", PROVINCE_COLUMNS), ("borders", BORDER_COLUMNS)):
        path = folder / f"{name}_{part}.csv"
        files[part] = read_csv(path, label(root, path), columns, problems)
    board: dict[str, Any] = {"name": name}
    if toml is None:
        for part in MAP_KEYS:
            problems.silence(("map", part))
        board["zones"] = {}
    else:
        _note_toml(toml, (), ("map",), problems)
        for key in toml.table:
            if key not in MAP_KEYS:
                problems.add_at(toml.where(key), f"is not known here; {near(key, MAP_KEYS)}")
        board |= {key: _one_line(toml.table[key]) for key in MAP_KEYS if key in toml.table}
    board["provinces"] = _provinces_part(files["provinces"], problems)
    board["borders"] = _borders_part(files["borders"], problems)
    if toml is None:
        for province in board["provinces"]:
            problems.silence(("map", "provinces", province, "seas"))
    return board


def _one_line(value: Any) -> Any:
    """Return a text without its line breaks, and anything else as it is."""
    return " ".join(value.split()) if isinstance(value, str) else value


def _provinces_part(file: CsvFile | None, problems: Problems) -> dict[str, Any]:
    """Return the provinces by name."""
    part: Place = ("map", "provinces")
    if file is None:
        problems.silence(part)
        problems.silence(("map", "borders"))
        return {}
    problems.read_from(part, file.name)
    provinces: dict[str, Any] = {}
    for row in file.rows:
        name = _new_name(file, row, part, provinces, problems)
        texts = {column: row.cells.get(column, "") for column in PROVINCE_COLUMNS if column != "name"}
        provinces[name] = {
            column: PROVINCE_CELLS[column](cell) if column in PROVINCE_CELLS else cell for column, cell in texts.items()
        }
    return provinces


def _borders_part(file: CsvFile | None, problems: Problems) -> list[dict[str, str]]:
    """Return the borders in the order of the file."""
    part: Place = ("map", "borders")
    if file is None:
        problems.silence(part)
        return []
    problems.read_from(part, file.name)
    for number, row in enumerate(file.rows):
        _note_row(file, row, (*part, number), problems)
    return [{column: row.cells.get(column, "") for column in BORDER_COLUMNS} for row in file.rows]
