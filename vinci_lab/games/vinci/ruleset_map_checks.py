"""Vinci: what a map must look like, part by part, and what its parts must be to one another."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, Field

from vinci_lab.datafiles import Place, Problems, check, near, show
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.ruleset_models import PLAIN, one_of, paragraph, switch, text, whole

CONFIDENCES = ("certain", "likely", "reconstructed")
KINDS_OF_BORDER = ("land", "coastal")


class Board(BaseModel):
    """A map."""

    model_config = PLAIN
    name: str = text(40)
    title: str = text(80)
    confidence: str = one_of(CONFIDENCES)
    reason: str = paragraph(2000)
    notes: str = paragraph(2000)
    zones: dict[str, Any] = Field(description="a table of sea zones")
    links: list[Any] = Field(description="a list of pairs of zones")
    optional_links: list[Any] = Field(description="a list of pairs of zones")
    provinces: dict[str, Any] = Field(description="a table of provinces")
    borders: list[Any] = Field(description="a list of borders")


class Zone(BaseModel):
    """A sea zone."""

    model_config = PLAIN
    title: str = text(60)
    touches_edge: bool = switch()
    large: bool = switch()
    water_body: str = text(60)


class Province(BaseModel):
    """A province."""

    model_config = PLAIN
    id: int = whole(1, at.PROVINCES)
    terrain: str = one_of(at.TERRAIN_NAMES)
    port: bool = switch()
    mine: bool = switch()
    land_edge: bool = switch()
    seas: list[str] = Field(description="ids of sea zones")
    other_water: bool = switch()
    provenance: str = one_of(CONFIDENCES)
    reason: str = text(500)


class Border(BaseModel):
    """A border between two provinces."""

    model_config = PLAIN
    a: str = Field(description="the name of a province")
    b: str = Field(description="the name of a province")
    kind: str = one_of(KINDS_OF_BORDER)


def check_map(board: Mapping[str, Any], problems: Problems) -> None:
    """Add everything that is wrong with a map to ``problems``."""
    check(Board, board, ("map",), problems)
    zones, provinces = (board[key] if isinstance(board.get(key), Mapping) else {} for key in ("zones", "provinces"))
    for zone, entry in zones.items():
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_-]{0,15}", zone):
            problems.add(("map", "zones", zone), "a zone's id must be 1 to 16 letters, digits, _ and -, a letter first")
        check(Zone, entry, ("map", "zones", zone), problems)
    for name in ("links", "optional_links"):
        check_links(name, board.get(name), zones, problems)
    check_provinces(provinces, zones, problems)
    check_borders(board.get("borders"), provinces, problems)


def check_links(name: str, links: Any, zones: Mapping[str, Any], problems: Problems) -> None:
    """Check that links join two known zones each."""
    for number, link in enumerate(links if isinstance(links, list) else ()):
        place: Place = ("map", name)
        if not (isinstance(link, list) and len(link) == 2 and all(isinstance(zone, str) for zone in link)):
            problems.add(place, f"entry {number + 1} must be a pair of zones, got {show(link)}")
            continue
        for zone in link:
            if zone not in zones:
                problems.add(
                    place, f"entry {number + 1} must name zones of the map, got {show(zone)}; {near(zone, zones)}"
                )
        if link[0] == link[1]:
            problems.add(place, f"entry {number + 1} must join two different zones, got {show(link)}")


def check_provinces(provinces: Mapping[str, Any], zones: Mapping[str, Any], problems: Problems) -> None:
    """Check each province, their numbers, and that there is a way onto the board."""
    valid = {}
    for name, province in provinces.items():
        place: Place = ("map", "provinces", name)
        if not re.fullmatch(r"[^\W_](?:[\w '()-]{0,38}[\w)])?", name):
            allowed = "1 to 40 letters, digits, spaces, hyphens, apostrophes and parentheses, a letter or digit first"
            problems.add((*place, "name"), f"must be {allowed}, got {show(name)}")
        if not check(Province, province, place, problems):
            continue
        valid[name] = province
        for zone in province["seas"]:
            if zone not in zones:
                problems.add((*place, "seas"), f"must be zones of the map, got {show(zone)}; {near(zone, zones)}")
        if len(set(province["seas"])) < len(province["seas"]):
            problems.add((*place, "seas"), f"must name each zone once, got {show(province['seas'])}")
    if not 1 <= len(provinces) <= at.PROVINCES:
        problems.add(("map", "provinces"), f"there must be 1 to {at.PROVINCES} provinces, got {len(provinces)}")
        return
    if len(valid) < len(provinces):
        return
    check_ids(provinces, problems)
    edge = {zone for zone, entry in zones.items() if isinstance(entry, Mapping) and entry.get("touches_edge") is True}
    if not any(province["land_edge"] or edge & set(province["seas"]) for province in provinces.values()):
        sentence = "at least one province must have land_edge or touch a zone with touches_edge, got no start province"
        problems.add(("map", "zones"), sentence)


def check_ids(provinces: Mapping[str, Any], problems: Problems) -> None:
    """Check that the provinces are numbered 1, 2, 3 and so on."""
    holders: dict[int, str] = {}
    for name, province in provinces.items():
        number, place = province["id"], ("map", "provinces", name, "id")
        if number in holders:
            problems.add(place, f"must be another number than that of {holders[number]}, got {number}")
        elif number > len(provinces):
            problems.add(place, f"must be a number from 1 to {len(provinces)}, the number of provinces, got {number}")
        holders.setdefault(number, name)


def check_borders(borders: Any, provinces: Mapping[str, Any], problems: Problems) -> None:
    """Check each border, that none is listed twice, and that every province can be reached over borders."""
    if not isinstance(borders, list):
        return
    seen: dict[frozenset[str], tuple[Place, str]] = {}
    for number, border in enumerate(borders):
        place: Place = ("map", "borders", number)
        if not check(Border, border, place, problems):
            continue
        ends = (border["a"], border["b"])
        for column, end in zip(("a", "b"), ends, strict=True):
            if end not in provinces:
                problems.add(
                    (*place, column), f"must be a province of the map, got {show(end)}; {near(end, provinces)}"
                )
        if ends[0] == ends[1]:
            problems.add((*place, "b"), f"must be another province than a, got {show(ends[1])}")
        first_place, first_kind = seen.setdefault(frozenset(ends), (place, border["kind"]))
        if first_kind != border["kind"]:
            sentence = f"must be {first_kind} as in {problems.where(first_place)}, got {border['kind']}"
            problems.add((*place, "kind"), f"{sentence}; a border is the same from both sides")
        elif first_place != place:
            listed = f"{show(ends[0])} with {show(ends[1])}"
            problems.add(
                place, f"each border must be listed once, got {listed} again, as in {problems.where(first_place)}"
            )
        if border["kind"] == "coastal" and all(isinstance(provinces.get(end), Mapping) for end in ends):
            check_coast(place, provinces[ends[0]], provinces[ends[1]], problems)
    ends_of = [(border.get("a"), border.get("b")) for border in borders if isinstance(border, Mapping)]
    if len(ends_of) == len(borders) and all(
        isinstance(end, str) and end in provinces for ends in ends_of for end in ends
    ):
        check_connected(ends_of, provinces, problems)


def check_coast(place: Place, first: Mapping[str, Any], second: Mapping[str, Any], problems: Problems) -> None:
    """Check that a coastal border has water both sides touch: a sea zone, or other water."""
    seas = [end.get("seas") for end in (first, second)]
    if not all(isinstance(zones, list) for zones in seas) or (first.get("other_water") and second.get("other_water")):
        return
    if not {str(zone) for zone in seas[0] or ()} & {str(zone) for zone in seas[1] or ()}:
        sentence = "must be land, or both provinces must touch a common sea zone or other water, got coastal"
        problems.add((*place, "kind"), sentence)


def check_connected(pairs: list[tuple[Any, Any]], provinces: Mapping[str, Any], problems: Problems) -> None:
    """Check that borders between known provinces connect all of them."""
    neighbors: dict[str, set[str]] = {name: set() for name in provinces}
    for first, second in pairs:
        neighbors[first].add(second)
        neighbors[second].add(first)
    start = next(iter(provinces), "")
    reached, edge = {start}, [start] if provinces else []
    while edge:
        fresh = neighbors[edge.pop()] - reached
        reached |= fresh
        edge.extend(fresh)
    for name in provinces:
        if name not in reached:
            row = problems.where(("map", "provinces", name))
            sentence = f"must connect all provinces, got no way from {show(start)} to {show(name)} ({row})"
            problems.add(("map", "borders"), sentence)
