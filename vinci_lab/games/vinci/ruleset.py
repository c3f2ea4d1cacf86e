"""Vinci: rules as data. Files become one plain content, a content becomes the record the rules read.

The content is ``{"game", "edition", "players", "bag", "title", "rules", "options", "provenance", "tiles", "map"}``; its
parts are what the files hold (``data/README.md``), for one number of players and one printing of the tiles.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from vinci_lab.datafiles import Place, Problems, show
from vinci_lab.engine.records import new_records
from vinci_lab.engine.ruleset import Ruleset, content_hash
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.ruleset_map import fill_map
from vinci_lab.games.vinci.ruleset_variants import BORDERS, set_border

SHORT_PARTS = ("rules", "options")  # their places may be written without the part's name
SET_WHEN_LOADING = ("game", "edition", "players", "bag", "map.name")
LONG_PLACES = (
    "tiles.<tile>.<column>",
    "map.provinces.<province>.<column>",
    "map.borders.<province>/<province>",
    "map.zones.<zone>.<key>",
)
OPTIONAL_LINKS_OPTION = "black_sea_linked"


def load(
    players: int,
    edition: str | Path = "tabletop",
    *,
    map: str | Path | None = None,
    data: str | Path | None = None,
    bag: str | None = None,
) -> Ruleset:
    """Return the ruleset of an edition from the data files.

    Parameters
    ----------
    players : int
        1 to 6. With 1 and 2 players automata take the other seats of four.
    edition : str
        A folder of ``data/vinci`` with a ``rules.toml``, or the path of such a folder elsewhere.
    map : str, optional
        A map of ``data/vinci/maps``, or the path of one elsewhere, such as ``my_maps/islands.toml``; the edition's own
        when not given.
    data : path, optional
        Another data folder; see :func:`vinci_lab.datafiles.data_root`.
    bag : {"first", "second"}, optional
        Whose printing's copies of the tiles are in the bag; the edition's own when not given.

    Raises
    ------
    DataError
        With everything that is wrong with the files or the arguments.
    """
    from vinci_lab.games.vinci.ruleset_checks import PLAYERS
    from vinci_lab.games.vinci.ruleset_files import read_content, shapes_path

    problems = Problems()
    players = _plain(players)
    if isinstance(players, bool) or players not in PLAYERS:
        problems.add_at("players", f"must be a whole number from {PLAYERS[0]} to {PLAYERS[-1]}, got {show(players)}")
        problems.raise_if_any()
    edition, map = str(edition), None if map is None else str(map)
    content = read_content(players, edition, map, bag, data, problems)
    shapes = shapes_path(data, map, content["map"].get("name", ""))
    sources = {"edition": edition, "shapes": shapes} | ({} if map is None else {"map": map})
    return _build(content, problems, sources)


def build(content: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of a content, as made by :meth:`Ruleset.to_json`; it may come from anywhere and is checked.

    Raises
    ------
    DataError
        With everything that is wrong with it.
    """
    problems = Problems()
    try:
        return _build(_plain(content), problems)
    except RecursionError:
        problems.add((), "must be tables a few levels deep, got more")
        problems.raise_if_any()
        raise


def vary(rules: Ruleset, changes: Mapping[str, Any]) -> Ruleset:
    """Return a variant of a ruleset.

    Parameters
    ----------
    rules : Ruleset
        Stays as it is.
    changes : mapping of str to value
        Dotted places and new values: ``tiles.weapons.tokens``, ``base_cost.forest``, ``same_coast``,
        ``map.provinces.Ireland.terrain``, ``map.borders.Norway/Denmark`` (land, coastal or none), ... A number of the
        edition or an option needs no part's name.

    Raises
    ------
    DataError
        If a place does not exist or a value is not allowed.
    """
    content, problems = rules.to_json(), Problems()
    for name, value in changes.items():
        if str(name).startswith(BORDERS):
            set_border(content["map"], str(name), value, problems)
            continue
        place = _find(content, str(name), problems)
        if place:
            _parent(content, place)[place[-1]] = _plain(value)
    problems.raise_if_any()
    return _build(content, problems, rules.sources)


def assumed(rules: Ruleset) -> list[dict[str, Any]]:
    """Return the numbers that are not certain and matter to a ruleset.

    Returns
    -------
    list of dict
        With ``place, value, low, high, confidence, reason``; the map as a whole has no low and high. Costs of a terrain
        that is not on the map, tiles without copies, and numbers of automata where there are none are left out.
    """
    content = rules.content
    terrains = {province["terrain"] for province in content["map"]["provinces"].values()}
    found = []
    for name, entry in content["provenance"].items():
        table, _, key = name.partition(".")
        if name.startswith("automaton_") and not content["rules"]["automata"]:
            continue
        if entry["confidence"] in ("likely", "reconstructed") and (key in terrains or not key):
            value = content["rules"][table][key] if key else content["rules"][table]
            found.append(_assumption(name, value, entry, entry["low"], entry["high"]))
    for name, tile in sorted(content["tiles"].items(), key=lambda item: int(item[1]["number"])):
        if tile["confidence"] != "certain" and tile["copies"]:
            place = f"tiles.{name}.tokens"
            found.append(_assumption(place, tile["tokens"], tile, tile["tokens_low"], tile["tokens_high"]))
    board = content["map"]
    if board["confidence"] != "certain":
        found.append(_assumption("map", board["name"], board, None, None))
    return found


def labels(rules: Ruleset, what: str) -> tuple[str, ...]:
    """Return the names of the rows of a list, in the order of their numbers.

    Parameters
    ----------
    what : {"kind", "kind_title", "province"}
        Names of tiles as in ``tiles.<name>``, their printed titles, or names of provinces.
    """
    if what == "province":
        return tuple(in_order(rules.content["map"]["provinces"], "id"))
    if what in ("kind", "kind_title"):
        names = in_order(rules.content["tiles"], "number")
        return tuple(rules.content["tiles"][name]["title"] if what == "kind_title" else name for name in names)
    raise ValueError(f"labels: must be one of kind, kind_title, province, got {what!r}")


# Places -------------------------------------------------------------------------------------------------------------
def _find(content: dict[str, Any], name: str, problems: Problems) -> Place:
    """Return the place a dotted name means, or an empty one after saying what is near."""
    keys = tuple(name.split("."))
    if name in SET_WHEN_LOADING:
        problems.add_at(name, "is chosen when a ruleset is loaded and must stay as it is in a variant")
        return ()
    for place in (keys, *((part, *keys) for part in SHORT_PARTS)):
        parent = _parent(content, place)
        if isinstance(parent, dict) and place[-1] in parent and (len(place) > 1 or place[0] == "title"):
            return place
    known = [place for place in _names(content) if place not in SET_WHEN_LOADING]
    short = [place.split(".", 1)[1] for place in known if place.split(".")[0] in SHORT_PARTS]
    close = (
        difflib.get_close_matches(name, short + known, n=4) or [place for place in short + known if name in place][:4]
    )
    options = f"near it are {', '.join(close)}" if close else f"places are {', '.join((*short, *LONG_PLACES))}"
    problems.add_at(name, f"there is no such place; {options}")
    return ()


def _parent(content: Any, place: Place) -> Any:
    """Return the table that holds a place's last key, or None."""
    for key in place[:-1]:
        content = content.get(key) if isinstance(content, dict) else None
    return content


def _names(content: Mapping[str, Any], start: str = "") -> Iterator[str]:
    """Yield the dotted names of all values."""
    for key, value in content.items():
        if isinstance(value, Mapping) and value:
            yield from _names(value, f"{start}{key}.")
        else:
            yield f"{start}{key}"


def _plain(value: Any) -> Any:
    """Return a value made of JSON's own types where it can be; the checks refuse the rest."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return {str(key): _plain(entry) for key, entry in value.items()}
    return [_plain(entry) for entry in value] if isinstance(value, list | tuple | np.ndarray) else value


def _assumption(place: str, value: Any, source: Mapping[str, Any], low: Any, high: Any) -> dict[str, Any]:
    confidence, reason = source["confidence"], source["reason"]
    return {"place": place, "value": value, "low": low, "high": high, "confidence": confidence, "reason": reason}


# From content to record ---------------------------------------------------------------------------------------------
def _build(content: Any, problems: Problems, sources: Mapping[str, str] | None = None) -> Ruleset:
    """Return the ruleset of a content that belongs to it alone."""
    from vinci_lab.games.vinci.ruleset_checks import check_content

    check_content(content, problems)
    problems.raise_if_any()
    return Ruleset(
        game="vinci",
        edition=content["edition"],
        players=content["players"],
        content=content,
        tables=make_tables(content),
        hash=content_hash(content),
        sources=sources or {},
    )


def make_tables(content: Mapping[str, Any]) -> Any:
    """Return a checked content as a read-only ``TABLES`` record."""
    records = new_records(at.TABLES, 1)
    tables = records[0]
    players, automata = content["players"], content["rules"]["automata"]
    tables.seats = players + automata
    tables.automata = sum(1 << seat for seat in range(players, players + automata))
    for name, value in content["rules"].items():
        if name not in ("automata", "start_bonus", "base_cost", "base_points"):
            tables[name] = value
    tables.start_bonus[:] = [content["rules"]["start_bonus"][name] for name in at.PLACE_NAMES]
    for terrain, name in enumerate(at.TERRAIN_NAMES):
        tables.base_cost[terrain] = content["rules"]["base_cost"][name]
        tables.base_points[terrain] = content["rules"]["base_points"][name]
    for name, reading in content["options"].items():
        tables[name] = at.OPTIONS[name].index(reading)
    linked = content["options"][OPTIONAL_LINKS_OPTION] == "yes"
    fill_map(tables, content["map"], content["options"]["same_coast"], linked)
    fill_tiles(tables, content["tiles"])
    fill_sums(tables)
    records.flags.writeable = False
    return records[0]


def fill_tiles(tables: Any, tiles: Mapping[str, Any]) -> None:
    """Write the tiles and all civilizations two of them can make; copies of a kind have neighboring numbers."""
    names = in_order(tiles, "number")
    copies = [kind for kind, name in enumerate(names) for _ in range(tiles[name]["copies"])]
    tables.kinds, tables.copies = len(names), len(copies)
    tables.kind_of[: len(copies)] = copies
    rows = np.array([[tiles[name][column] for column in at.MODIFIER_NAMES] for name in names], np.int64)
    tables.tiles[: len(names)] = rows
    for first, first_row in enumerate(rows):
        for second, second_row in enumerate(rows):
            tables.pairs[first * at.KINDS + second] = civilization(first_row, second_row)


def fill_sums(tables: Any) -> None:
    """Write what follows from tiles and map together: the half points of each province, and sums over the map."""
    columns = np.arange(at.FIRST_BONUS, at.LAST_BONUS + 1)
    counted = (tables.matching[columns, None] >> np.arange(at.PROVINCES)) & 1
    counted *= np.where(columns == at.VP_WATER_HALVES, 1, 2)[:, None]
    tables.bonus_halves[:] = tables.tiles[:, columns] @ counted
    tables.pair_halves[:] = tables.pairs[:, columns] @ counted
    terrains = tables.terrain[: tables.provinces]
    tables.pair_halves[:, : tables.provinces] += 2 * tables.base_points[terrains]
    tables.cost_sum = tables.base_cost[terrains].sum()
    tables.points_sum = tables.base_points[terrains].sum()


def civilization(first: Any, second: Any) -> Any:
    """Return the row of a civilization: the sum of its tiles' rows.

    Specialization counts the other tile twice, its red number too, and adds its own (Rulebook, "Civilization Tiles",
    Specialization). Columns from ``FIRST_FLAG`` on are 0 or 1 and are never doubled ("Clarifications", effects that
    cannot be doubled). Two Specializations have nothing to double and count as one.

    Parameters
    ----------
    first, second : (MODIFIERS,) int64 array
        Rows of the tiles.
    """
    if first[at.SPECIALIZATION] and second[at.SPECIALIZATION]:
        return np.maximum(first, second)
    row = first * (1 + second[at.SPECIALIZATION]) + second * (1 + first[at.SPECIALIZATION])
    row[at.FIRST_FLAG :] = np.maximum(first, second)[at.FIRST_FLAG :]
    return row


def in_order(rows: Mapping[str, Mapping[str, Any]], number: str) -> list[str]:
    """Return the names of numbered rows in the order of their numbers."""
    return sorted(rows, key=lambda name: int(rows[name][number]))
