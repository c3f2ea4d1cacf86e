"""Vinci: the sets of provinces the rules read, worked out from a checked map.

Seas are never occupied; they are zones that touch provinces, one another and the edge of the board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from vinci_lab.games.vinci import rules_layout as at

Name = str
Test = Callable[[Mapping[str, Any]], bool]


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
    edge_zones = {name for name, zone in zones.items() if zone["touches_edge"]}
    parts = linked_zones(board, optional_links)
    seas = {name: set(province["seas"]) for name, province in provinces.items()}
    waters = {name: set().union(*(parts[zone] for zone in seas[name])) for name in provinces}
    shores = {name: shores_of(seas[name], zones, same_coast) for name in provinces}

    def members(test: Callable[[Name], Any]) -> int:
        """Return the set of provinces that pass a test, as bits."""
        return sum(1 << (province["id"] - 1) for name, province in provinces.items() if test(name))

    tables.provinces = len(provinces)
    for terrain, terrain_name in enumerate(at.TERRAIN_NAMES):
        tables.terrain_set[terrain] = members(lambda name, word=terrain_name: provinces[name]["terrain"] == word)
    tables.neutral_at_start = members(lambda name: has_neutral_token(provinces[name]))
    tables.coastal = members(lambda name: seas[name])
    tables.water = members(lambda name: seas[name] or provinces[name]["other_water"])
    tables.starts_by_sea = members(lambda name: seas[name] & edge_zones)
    tables.starts = members(lambda name: provinces[name]["land_edge"] or seas[name] & edge_zones)
    tables.starts_astronomy = tables.starts | members(lambda name: waters[name] & edge_zones)

    neighbors = bordering(board)
    for name, province in provinces.items():
        index, others = province["id"] - 1, ~(1 << (province["id"] - 1))
        tables.terrain[index] = at.TERRAIN_NAMES.index(province["terrain"])
        tables.bordering[index] = members(lambda other, near=neighbors[name]: other in near)
        tables.across_sea[index] = members(lambda other, water=waters[name]: seas[other] & water) & others
        tables.linked[index] = tables.bordering[index] | tables.across_sea[index]
        tables.same_shore[index] = members(lambda other, shore=shores[name]: shores[other] & shore) & others

    everywhere = (1 << len(provinces)) - 1
    tables.matching[at.VP_PROVINCE] = everywhere & ~int(tables.terrain_set[at.RIVER])
    tables.matching[at.VP_FARMLAND] = tables.terrain_set[at.FARMLAND]
    tables.matching[at.VP_PASTURE] = tables.terrain_set[at.PASTURE]
    tables.matching[at.VP_MINE] = members(lambda name: provinces[name]["mine"])
    tables.matching[at.VP_PORT] = members(lambda name: provinces[name]["port"])
    tables.matching[at.VP_MOUNTAIN] = tables.terrain_set[at.MOUNTAIN]
    tables.matching[at.VP_DESERT] = tables.terrain_set[at.DESERT]
    tables.matching[at.VP_WATER_HALVES] = tables.water


def has_neutral_token(province: Mapping[str, Any]) -> bool:
    """Return whether a brown token starts there: on every province but mountains, and the Yucata edition's deserts and
    rivers (Rulebook, "Setting Up")."""
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
