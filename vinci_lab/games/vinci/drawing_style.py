"""Vinci: colors, patterns and small shapes of the drawings.

Nothing is told by color alone: seats have shapes, terrains patterns, and empires in decline a hatching.
"""

from __future__ import annotations

import math

from vinci_lab.engine.picture import Node
from vinci_lab.games.vinci.rules_layout import TERRAIN_NAMES

SEAT_COLORS = ("#0b5fa5", "#e66100", "#6a3d9a", "#f2c800", "#12a594", "#d81b78")
SEAT_INKS = ("#ffffff", "#1b1b1b", "#ffffff", "#1b1b1b", "#1b1b1b", "#ffffff")
TILE_COLORS = {"yellow": "#e8c22f", "pink": "#d987a8", "blue": "#6f9fd0"}
TERRAINS_LIGHT = dict(
    zip(TERRAIN_NAMES, ("#ead9b8", "#f6e59b", "#d3e6ac", "#a3c794", "#c9beb6", "#f3ead2", "#b9d8e8"), strict=True)
)
TERRAINS_DARK = dict(
    zip(TERRAIN_NAMES, ("#7d6b4d", "#8c7a2f", "#62773f", "#3d5f3c", "#66605c", "#8f8363", "#456a80"), strict=True)
)
STEPS = 7  # of the scale that measures are drawn with
SCALE_LIGHT = ("#f7f4ea", "#dfe6cd", "#bcd6b5", "#8dc0a4", "#559f98", "#2f7a86", "#1c4f68")
SCALE_DARK = ("#2a2f33", "#2c4750", "#2d6068", "#3b7d7a", "#5c9d86", "#91bf92", "#d3e2a5")


def _style(
    paper: str, card: str, line: str, ink: str, soft: str, sea: str, shore: str, edge: str, glyph: str, beyond: str
) -> dict[str, dict[str, str]]:
    """Return the looks that differ between light and dark."""
    return {
        "paper": {"fill": paper},
        "card": {"fill": card, "stroke": line},
        "line": {"stroke": line, "fill": "none"},
        "ink": {"fill": ink},
        "soft": {"fill": soft},
        "sea": {"fill": sea, "stroke": shore, "stroke-width": "1.4", "stroke-dasharray": "5 4"},
        "water": {"fill": shore, "stroke": shore},
        "beyond": {"fill": beyond},
        "border": {"fill": "none", "stroke": edge, "stroke-width": "1.1", "stroke-linejoin": "round"},
        "coastal": {"fill": "none", "stroke": edge, "stroke-width": "1.6", "stroke-dasharray": "2 3"},
        "glyph": {"fill": "none", "stroke": glyph, "stroke-width": "1", "stroke-linecap": "round"},
        "zone": {"fill": soft, "font-style": "italic", "letter-spacing": "1"},
        "name": {
            "fill": ink,
            "stroke": paper,
            "stroke-width": "2.4",
            "stroke-opacity": "0.85",
            "paint-order": "stroke",
        },
        "badge": {"fill": paper, "stroke": ink, "stroke-width": "0.8"},
        "icon": {"fill": "none", "stroke": ink, "stroke-width": "1.4", "stroke-linecap": "round"},
        "tower": {"fill": ink},
        "neutral": {"fill": "#8a5a35", "stroke": paper, "stroke-width": "1.2"},
        "hollow": {"fill": paper},
        "turn": {"fill": "none", "stroke": ink, "stroke-width": "2.2"},
    }


LIGHT = _style(
    paper="#ffffff",
    card="#f6f5f1",
    line="#d5d2c8",
    ink="#20242b",
    soft="#5b6470",
    sea="#d7e6ef",
    shore="#b9cfdc",
    edge="#6b5f50",
    glyph="#8a7f6c",
    beyond="#e4e2dd",
) | {f"land-{name}": {"fill": color} for name, color in TERRAINS_LIGHT.items()}
DARK = _style(
    paper="#15181d",
    card="#20252c",
    line="#3b424d",
    ink="#eceef1",
    soft="#a7b0bc",
    sea="#1d2f3d",
    shore="#2c4557",
    edge="#d0c4ae",
    glyph="#b9ad97",
    beyond="#2b2e33",
) | {f"land-{name}": {"fill": color} for name, color in TERRAINS_DARK.items()}
for _scale, _theme in ((SCALE_LIGHT, LIGHT), (SCALE_DARK, DARK)):
    _theme.update({f"step{step}": {"fill": color} for step, color in enumerate(_scale)})
for _theme in (LIGHT, DARK):
    for _seat, (_color, _ink) in enumerate(zip(SEAT_COLORS, SEAT_INKS, strict=True)):
        _theme[f"seat{_seat}"] = {"fill": _color}
        _theme[f"rim{_seat}"] = {"stroke": _color}
        _theme[f"on{_seat}"] = {"fill": _ink}

# Marks in a square of 14, drawn around its middle.
ANCHOR = (
    "M0 -3.2V5.4M-3 -1.2H3M-5 1.6C-4.6 4.4 -2.4 5.4 0 5.4S4.6 4.4 5 1.6"
    "M0 -3.2A1.3 1.3 0 1 0 0 -5.8A1.3 1.3 0 1 0 0 -3.2"
)
PICK = "M-5.2 -1.6C-2.6 -5.2 2.6 -5.2 5.2 -1.6M0 -4.2V5.6"
TOWER = "M-5 6V-5H-2.8V-3H-1.1V-5H1.1V-3H2.8V-5H5V6H1.6V2.6H-1.6V6Z"

# What is drawn on the land in each terrain, in a tile of 16.
TERRAIN_GLYPHS = {
    "farmland": "M3 5V2M5 5V1.6M7 5V2M11 13V10M13 13V9.6M15 13V10",
    "pasture": (
        "M2 5C2.6 3.6 3.2 3.4 3.6 2.6M5.4 5C5 3.8 4.8 3.4 4.4 2.8"
        "M10 13C10.6 11.6 11.2 11.4 11.6 10.6M13.4 13C13 11.8 12.8 11.4 12.4 10.8"
    ),
    "forest": "M4 2L1.8 6H6.2ZM4 6V7.4M12 10L9.8 14H14.2ZM12 14V15.4",
    "mountain": "M1 7L4 2L7 7M9 15L12 10L15 15",
    "desert": "M3 4H4M11 4H12M7 9H8M14 13H15M3 13H4",
    "river": "M1 4C3 2 5 6 7 4M9 12C11 10 13 14 15 12",
}


def seat_path(seat: int, radius: float) -> str:
    """Return the outline of a seat's marker around the origin; each seat has another."""
    if seat == 0:
        half = f"A{radius:.1f} {radius:.1f} 0 1 1"
        return f"M{-radius:.1f} 0{half} {radius:.1f} 0{half} {-radius:.1f} 0Z"
    if seat == 1:
        return _polygon(4, radius * 1.25, 45)
    if seat == 2:
        return _polygon(4, radius * 1.35, 0)
    if seat == 3:
        return _polygon(6, radius * 1.15, 0)
    if seat == 4:  # a shield
        side, top, foot = radius * 0.95, radius * 0.95, radius * 1.3
        return f"M{-side:.1f} {-top:.1f}H{side:.1f}V{radius * 0.3:.1f}L0 {foot:.1f}L{-side:.1f} {radius * 0.3:.1f}Z"
    side, top, foot = radius * 0.95, radius * 1.35, radius * 0.95  # a house
    return f"M{-side:.1f} {foot:.1f}H{side:.1f}V{-radius * 0.35:.1f}L0 {-top:.1f}L{-side:.1f} {-radius * 0.35:.1f}Z"


def _polygon(corners: int, radius: float, turned: float) -> str:
    angles = [math.radians(turned + 360 * corner / corners) for corner in range(corners)]
    points = " ".join(f"{radius * math.cos(angle):.1f} {radius * math.sin(angle):.1f}" for angle in angles)
    return f"M{points}Z"


def define_patterns(root: Node) -> None:
    """Add the patterns of terrains and of empires in decline to the picture's definitions."""
    definitions = root.add("defs")
    for terrain, path in TERRAIN_GLYPHS.items():
        pattern = definitions.add("pattern", id=root.id(terrain), width=16, height=16, patternUnits="userSpaceOnUse")
        pattern.add("path", d=path, class_="glyph")
    for seat in range(len(SEAT_COLORS)):
        hatch = definitions.add(
            "pattern",
            id=root.id(f"decline{seat}"),
            width=7,
            height=7,
            patternUnits="userSpaceOnUse",
            patternTransform="rotate(45)",
        )
        hatch.add("rect", width=3.2, height=7, class_=f"seat{seat}")


def add_marker(
    parent: Node, seat: int, x: float, y: float, radius: float, words: str, is_decline: bool = False
) -> Node:
    """Add a seat's marker with a number or a letter on it: filled, or hollow for an empire in decline."""
    marker = parent.group(transform=f"translate({x:.1f} {y:.1f})")
    outline = seat_path(seat, radius)
    if is_decline:
        marker.add("path", d=outline, class_=f"hollow rim{seat}", stroke_width=2.6)
    else:
        marker.add("path", d=outline, class_=f"seat{seat}", stroke="#ffffff", stroke_width=1.2)
    size = radius * (1.3 if len(words) < 2 else 1.1)
    ink = "ink" if is_decline else f"on{seat}"
    marker.text(0, size * 0.36, words, size, ink, "middle", font_weight="bold")
    return marker


def add_icon(parent: Node, path: str, x: float, y: float, size: float, class_: str = "icon") -> Node:
    """Add a mark on a small badge."""
    icon = parent.group(transform=f"translate({x:.1f} {y:.1f}) scale({size / 14:.3f})")
    icon.add("rect", x=-7.5, y=-7.5, width=15, height=15, rx=4, class_="badge")
    icon.add("path", d=path, class_=class_)
    return icon
