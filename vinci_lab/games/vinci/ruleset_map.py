"""Vinci: the sets of provinces the rules read, worked out from a checked map.

Seas are never occupied; they are zones that touch provinces, one another and the edge of the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from vinci_lab.games.vinci import rules_layout as at


def fill_map(tables: Any, board: Mapping[str, Any], same_coast: str, optional_links: bool) -> None:
    """Write a checked map into a ``TABLES`` record.

    Parameters
    ----------
    tables : TABLES record
        Its map fields are written; the rest is left alone.
    board : mapping
        The content's ``map``.
    same_coast : str
        Reading of the option of that name.
    optional_links : bool
        Whether the map's ``optional_links`` connect their zones.
    """
    provinces, zones = board["provinces"], board["zones"]
    index = {name: province["id"] - 1 for name, province in provinces.items()}
    edge_zones = {name for name, zone in zones.items() if zone["touches_edge"]}
    parts = linked_zones(board, optional_links)
    seas = {name: set(province["seas"]) for name, province in provinces.items()}
    waters = {name: set().union(*(parts[zone] for zone in seas[name])) for name in provinces}
    shores = {name: shores_of(seas[name], zones, same_coast) for name in provinces}
    neighbors = bordering(board)

    def members(names: Iterable[str]) -> int:
        """Return a set of provinces as bits."""
        return sum(1 << index[name] for name in names)

    def having(key: str, value: Any = True) -> int:
        """Return the provinces with a value in a column of the file."""
        return members(name for name, province in provinces.items() if province[key] == value)

    def touching(of: Mapping[str, set[str]], wanted: set[str]) -> int:
        """Return the provinces that have any of the wanted waters."""
        return members(name for name in provinces if of[name] & wanted)

    tables.provinces = len(provinces)
    for terrain, name in enumerate(at.TERRAIN_NAMES):
        tables.terrain_set[terrain] = having("terrain", name)
    tables.neutral_at_start = members(name for name, province in provinces.items() if has_neutral_token(province))
    tables.coastal = members(name for name in provinces if seas[name])
    tables.water = tables.coastal | having("other_water")
    tables.starts_by_sea = touching(seas, edge_zones)
    tables.large_coasts = touching(seas, {name for name, zone in zones.items() if zone["large"]})
    tables.starts = tables.starts_by_sea | having("land_edge")
    tables.starts_astronomy = tables.starts | touching(waters, edge_zones)
    for name, province in index.items():
        others = ~(1 << province)
        tables.terrain[province] = at.TERRAIN_NAMES.index(provinces[name]["terrain"])
        tables.bordering[province] = members(neighbors[name])
        tables.across_sea[province] = touching(seas, waters[name]) & others
        tables.linked[province] = tables.bordering[province] | tables.across_sea[province]
        tables.same_shore[province] = touching(shores, shores[name]) & others

    everywhere = (1 << len(provinces)) - 1
    tables.matching[at.VP_PROVINCE] = everywhere & ~int(tables.terrain_set[at.RIVER])
    tables.matching[at.VP_FARMLAND] = tables.terrain_set[at.FARMLAND]
    tables.matching[at.VP_PASTURE] = tables.terrain_set[at.PASTURE]
    tables.matching[at.VP_MINE] = having("mine")
    tables.matching[at.VP_PORT] = having("port")
    tables.matching[at.VP_MOUNTAIN] = tables.terrain_set[at.MOUNTAIN]
    tables.matching[at.VP_DESERT] = tables.terrain_set[at.DESERT]
    tables.matching[at.VP_WATER_HALVES] = tables.water


def has_neutral_token(province: Mapping[str, Any]) -> bool:
    """Return whether a brown token starts there (Rulebook, "Setting Up").

    They stand everywhere but on mountains; in the Yucata edition not on deserts and rivers either.
    """
    return province["terrain"] not in ("mountain", "desert", "river")


def linked_zones(board: Mapping[str, Any], optional_links: bool) -> dict[str, set[str]]:
    """Return for each zone the zones a ship can get to, itself included (Rulebook, "Civilization Tiles", Astronomy)."""
    parts = {zone: {zone} for zone in board["zones"]}
    for first, second in (*board["links"], *(board["optional_links"] if optional_links else ())):
        together = parts[first] | parts[second]
        for zone in together:
            parts[zone] = together
    return parts


def shores_of(seas: set[str], zones: Mapping[str, Any], same_coast: str) -> set[str]:
    """Return the coastlines a province lies on, as the option ``same_coast`` reads the rule of Ship Building."""
    if same_coast == "water_body":
        return {zones[zone]["water_body"] for zone in seas}
    if same_coast == "both_coastal":
        return {"any"} if seas else set()
    return seas


def bordering(board: Mapping[str, Any]) -> dict[str, set[str]]:
    """Return for each province its neighbors across land and coastal borders."""
    neighbors: dict[str, set[str]] = {name: set() for name in board["provinces"]}
    for border in board["borders"]:
        neighbors[border["a"]].add(border["b"])
        neighbors[border["b"]].add(border["a"])
    return neighbors
