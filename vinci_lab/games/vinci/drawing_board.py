"""Vinci: the board of a drawing: seas, land, borders, and what stands on each province."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from vinci_lab.engine.picture import Node
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.drawing_style import ANCHOR, PICK, TERRAIN_GLYPHS, TOWER, add_icon, add_marker
from vinci_lab.games.vinci.geometry import Geometry, geometry_of
from vinci_lab.games.vinci.ruleset import OPTIONAL_LINKS_OPTION
from vinci_lab.games.vinci.words import vocabulary

WIDE = 640  # pixels; from here on names of provinces and seas are written on the board
ZONE_SIZE = 11.0

REORGANIZING = (at.KEEP, at.DROP, at.PLACE, at.FORT)


@dataclass(frozen=True)
class Canvas:
    """Where a board is drawn.

    Attributes
    ----------
    rules : Ruleset
        Whose map it is.
    geometry : Geometry
        The shapes of the map.
    width : int
        Pixels.
    top : float
        Pixels above the board.
    """

    rules: Ruleset
    geometry: Geometry
    width: int
    top: float

    @classmethod
    def of(cls, rules: Ruleset, width: int, top: float) -> Canvas:
        """Return a canvas for the map of a ruleset."""
        return cls(rules, geometry_of(rules), width, top)

    @property
    def height(self) -> float:
        """Pixels the board takes."""
        return self.width * self.geometry.height

    @property
    def radius(self) -> float:
        """Of a marker, in pixels."""
        return 11.0 if self.width >= WIDE else 8.0

    @property
    def names(self) -> tuple[str, ...]:
        """Provinces by number."""
        return vocabulary(self.rules).provinces

    def path(self, shape: Any) -> str:
        """Return a shape as the path of an SVG."""
        return outline(shape, self.width, self.top)

    def center(self, name: str) -> tuple[float, float, float]:
        """Return the middle and the radius of the largest circle inside a province or sea, in pixels."""
        x, y, radius = self.geometry.centers[name]
        return x * self.width, y * self.width + self.top, radius * self.width


@functools.lru_cache(maxsize=4096)
def outline(shape: Any, width: float, top: float) -> str:
    """Return a shape of a map of width 1 as the path of an SVG of ``width`` pixels."""
    parts = []
    for polygon in getattr(shape, "geoms", (shape,)):
        for ring in (polygon.exterior, *polygon.interiors):
            points = np.round(shapely.get_coordinates(ring) * width + (0, top), 1)
            points = points[1:][(np.diff(points, axis=0) != 0).any(axis=1)]
            if len(points) > 2:
                parts.append("M" + " ".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z")
    return "".join(parts)


def draw_land(parent: Node, canvas: Canvas, fills: Mapping[str, str], has_glyphs: bool = True) -> dict[str, Node]:
    """Draw the map without what stands on it.

    Parameters
    ----------
    parent : Node
        Where it goes.
    canvas : Canvas
        The map and its size.
    fills : mapping of str to str
        Class of each province's fill.
    has_glyphs : bool
        Whether terrains show their patterns.

    Returns
    -------
    dict of str to Node
        A group for each province, for what stands on it and its title.
    """
    geometry = canvas.geometry
    if geometry.is_schematic:
        _draw_connections(parent, canvas)
    _draw_seas(parent, canvas)
    for name, shape in geometry.beyond.items():
        parent.add("path", d=canvas.path(shape), class_="beyond").title(name)
    groups = {}
    terrains = canvas.rules.content["map"]["provinces"]
    outlines = parent.add("defs")
    for number, name in enumerate(canvas.names):
        outlines.add("path", id=parent.id(f"land{number}"), d=canvas.path(geometry.provinces[name]))
        group = groups[name] = parent.group(data_province=number, class_="province")
        _fill(group, number, class_=fills[name])
        if has_glyphs and terrains[name]["terrain"] in TERRAIN_GLYPHS:
            _fill(group, number, fill=parent.url(terrains[name]["terrain"]))
    for name, shape in geometry.waters.items():
        parent.add("path", d=canvas.path(shape), class_="water").title(name)
    return groups


def _fill(group: Node, number: int, **looks: object) -> None:
    """Draw the outline of a province once more, in another way."""
    group.add("use", href=f"#{group.id(f'land{number}')}", **looks)


def draw_borders(parent: Node, canvas: Canvas) -> None:
    """Draw the outlines of provinces and the coastal borders over everything that fills the land."""
    shapes = canvas.geometry.provinces
    lines = parent.group(class_="border", pointer_events="none")
    for number in range(len(canvas.names)):
        _fill(lines, number)
    for border in canvas.rules.content["map"]["borders"]:
        if border["kind"] == "coastal" and not canvas.geometry.is_schematic:
            crossing = shapely.shortest_line(shapes[border["a"]], shapes[border["b"]])
            (x1, y1), (x2, y2) = shapely.get_coordinates(crossing) * canvas.width + (0, canvas.top)
            line = parent.add("path", d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}", class_="coastal")
            line.title(f"coastal border: {border['a']} and {border['b']}")


def _draw_connections(parent: Node, canvas: Canvas) -> None:
    """Draw the borders of a schematic as lines between its circles."""
    for border in canvas.rules.content["map"]["borders"]:
        (x1, y1, _), (x2, y2, _) = canvas.center(border["a"]), canvas.center(border["b"])
        class_ = "border" if border["kind"] == "land" else "coastal"
        parent.add("path", d=f"M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}", class_=class_)


def _draw_seas(parent: Node, canvas: Canvas) -> None:
    board = canvas.rules.content["map"]
    is_open = canvas.rules.content["options"][OPTIONAL_LINKS_OPTION] == "yes"
    links = [*board["links"], *(board["optional_links"] if is_open else ())]
    for zone, shape in canvas.geometry.seas.items():
        group = parent.group(data_zone=zone, class_="zone-of-sea")
        group.add("path", d=canvas.path(shape), class_="sea")
        entry = "; civilizations can enter from it" if board["zones"][zone]["touches_edge"] else ""
        ways = sorted(other for link in links if zone in link for other in link if other != zone)
        leads = f"; leads to {', '.join(board['zones'][way]['title'] for way in ways)}" if ways else ""
        group.title(f"{board['zones'][zone]['title']}{entry}{leads}")
        x, y, radius = canvas.center(zone)
        words = board["zones"][zone]["title"]
        if canvas.width >= WIDE and radius * 2.2 > len(words) * ZONE_SIZE * 0.4:
            _write_lines(group, words, x, y, ZONE_SIZE, radius)


def _write_lines(parent: Node, words: str, x: float, y: float, size: float, radius: float) -> None:
    """Write the name of a sea, in two lines if it does not fit in one."""
    middle = len(words) // 2
    blanks = [place for place, letter in enumerate(words) if letter == " "]
    if len(words) * size * 0.62 > 2 * radius and blanks:
        cut = min(blanks, key=lambda place: abs(place - middle))
        parent.text(x, y - size * 0.25, words[:cut], size, "zone", "middle")
        parent.text(x, y + size * 0.95, words[cut + 1 :], size, "zone", "middle")
    else:
        parent.text(x, y + size * 0.35, words, size, "zone", "middle")


# What stands on the land --------------------------------------------------------------------------------------------
def draw_pieces(parent: Node, groups: Mapping[str, Node], canvas: Canvas, state: Any) -> None:
    """Draw tokens, forts and the marks of the map over the land, and say all of it in the titles of provinces."""
    board = canvas.rules.content["map"]["provinces"]
    for number, name in enumerate(canvas.names):
        group, province = parent.group(data_province=number), board[name]
        said = sentence(canvas.rules, state, number)
        groups[name].title(said)
        group.title(said)
        x, y, _ = canvas.center(name)
        step = canvas.radius
        if is_kept(state, number):
            group.add("circle", cx=x, cy=y, r=step * 1.75, class_="turn", stroke_dasharray="3 2")
        _draw_holder(group, canvas, state, number, x, y)
        size = step * 1.15
        if state.forts >> number & 1:
            add_icon(group, TOWER, x + step * 1.15, y - step * 1.15, size, "tower")
        if province["port"]:
            add_icon(group, ANCHOR, x - step * 1.75, y + step * 0.1, size)
        if province["mine"]:
            add_icon(group, PICK, x + step * 1.75, y + step * 0.1, size)
        if canvas.width >= WIDE:
            group.text(x, y + step + 8.5, name, 8.5, "name", "middle")


def draw_owners(groups: Mapping[str, Node], canvas: Canvas, state: Any) -> None:
    """Tint the provinces of each active empire and hatch those in decline, with a rim in the seat's color."""
    for number, name in enumerate(canvas.names):
        owner = holder(state, number)
        if owner is None:
            continue
        seat, is_decline = owner
        group, clip = groups[name], groups[name].id(f"inside{number}")
        _fill(group.add("clipPath", id=clip), number)
        if is_decline:
            _fill(group, number, fill=group.url(f"decline{seat}"), opacity="0.75")
        else:
            _fill(group, number, class_=f"seat{seat}", opacity="0.45")
        _fill(
            group,
            number,
            class_=f"rim{seat}",
            fill="none",
            stroke_width=8 if canvas.width >= WIDE else 5,
            clip_path=f"url(#{clip})",
            stroke_dasharray="5 3" if is_decline else None,
        )


def _draw_holder(group: Node, canvas: Canvas, state: Any, number: int, x: float, y: float) -> None:
    owner, step = holder(state, number), canvas.radius
    if owner is not None:
        seat, is_decline = owner
        add_marker(group, seat, x, y, step, str(int(state.tokens[number])), is_decline)
    elif state.neutral >> number & 1:
        side = step * 0.62
        group.add("rect", x=x - side, y=y - side, width=2 * side, height=2 * side, rx=side * 0.4, class_="neutral")


def holder(state: Any, province: int) -> tuple[int, bool] | None:
    """Return whose province it is and whether that empire is in decline; None for a neutral or empty one."""
    active, decline = state.active, state.decline  # looking a field up takes longer than all the rest
    for seat in range(state.seats):
        if active[seat] >> province & 1:
            return seat, False
        if decline[seat] >> province & 1:
            return seat, True
    return None


def is_kept(state: Any, province: int) -> bool:
    """Return whether an empire keeps a province, while its owner withdraws and places tokens after the conquests."""
    return bool(state.phase in REORGANIZING and state.kept >> province & 1)


def sentence(rules: Ruleset, state: Any, number: int) -> str:
    """Return all there is to say about a province: what is printed on it and what stands there."""
    name = vocabulary(rules).provinces[number]
    return f"{land_sentence(rules, name)}. {_standing(state, number)}"


def land_sentence(rules: Ruleset, name: str) -> str:
    """Return what is printed on a province."""
    board, numbers = rules.content["map"], rules.content["rules"]
    province = board["provinces"][name]
    terrain = province["terrain"]
    said = [
        f"{terrain}, costs {numbers['base_cost'][terrain]}, {numbers['base_points'][terrain]} points a turn",
        *(mark for mark in ("port", "mine") if province[mark]),
        *(["entry by land"] if province["land_edge"] else []),
        *(board["zones"][zone]["title"] for zone in province["seas"]),
    ]
    return f"{name}: {'; '.join(said)}"


def _standing(state: Any, number: int) -> str:
    owner = holder(state, number)
    fort = ", a fort" if state.forts >> number & 1 else ""
    kept = ", kept" if is_kept(state, number) else ""
    if owner is None:
        return ("A neutral token" if state.neutral >> number & 1 else "Empty") + fort + kept
    seat, is_decline = owner
    tokens = int(state.tokens[number])
    empire = "empire in decline" if is_decline else "empire"
    return f"Seat {seat}'s {empire}, {tokens} token{'' if tokens == 1 else 's'}{fort}{kept}"


def terrain_fills(rules: Ruleset) -> dict[str, str]:
    """Return the class of each province's fill by its terrain."""
    return {name: f"land-{province['terrain']}" for name, province in rules.content["map"]["provinces"].items()}
