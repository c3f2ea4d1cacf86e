"""Vinci: the shapes of a map, read from GeoJSON or, where a map has none, laid out as a schematic.

A file is a GeoJSON ``FeatureCollection`` whose features have the properties ``kind`` and ``name``; the kinds are
``province`` (name as in the table of provinces), ``sea`` (id of a zone), ``water`` (such as a lake) and ``beyond``
(land that is not part of the board). ``docs/add_a_map.md`` explains how to make one.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry import shape as to_shape

from vinci_lab.datafiles import Problems, data_root, near, read_text, show
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci.ruleset_map import bordering

KINDS = ("province", "sea", "water", "beyond")
NO_SHAPES = "A schematic: the map has no shapes. Circles are provinces, lines are borders."
UNUSABLE_SHAPES = "A schematic: the shapes in {name} cannot be used, and vinci-lab check says why."
SCHEMATIC_RADIUS, SCHEMATIC_MARGIN, SCHEMATIC_HEIGHT = 0.03, 0.05, 0.8
SHORTEST_BORDER = 1e-3  # of the provinces' width; shapes that share less only touch in a point
NEARLY = 1e-2  # of a map's width: shapes this near were meant to touch
LARGEST = 1e9  # coordinate of a file
FLATTEST, TALLEST = 0.1, 5  # height of a map in widths


@dataclass(frozen=True)
class Geometry:
    """The shapes of a map in the plane, y downward, the whole of it between 0 and 1 in width.

    Attributes
    ----------
    title, notice : str
        What the map is, and what is to be known about it.
    provinces, seas, waters, beyond : mapping of str to shapely geometry
        Shapes by name.
    height : float
        In widths.
    is_schematic : bool
        Whether the shapes only show what borders on what.
    """

    title: str
    notice: str
    provinces: Mapping[str, Any]
    seas: Mapping[str, Any]
    waters: Mapping[str, Any]
    beyond: Mapping[str, Any]
    height: float
    is_schematic: bool = False

    @functools.cached_property
    def shortest(self) -> float:
        """The shortest stretch of outline that makes a border."""
        left, _, right, _ = shapely.total_bounds(list(self.provinces.values()))
        return float(SHORTEST_BORDER * (right - left))

    @functools.cached_property
    def centers(self) -> dict[str, tuple[float, float, float]]:
        """The middle and the radius of the largest circle inside each province and sea zone."""
        return {name: inner_circle(shape) for name, shape in (*self.provinces.items(), *self.seas.items())}


def inner_circle(shape: Any) -> tuple[float, float, float]:
    """Return the middle and the radius of the largest circle inside a shape."""
    line = shapely.maximum_inscribed_circle(shape, tolerance=0.002)
    (x, y), _ = shapely.get_coordinates(line)
    return float(x), float(y), float(line.length)


# Reading ------------------------------------------------------------------------------------------------------------
def geometry_of(rules: Ruleset) -> Geometry:
    """Return the shapes of a ruleset's map: from the file beside its tables, or a schematic if there is none that fits.

    A ruleset that was not read from files, such as that of a transcript, gets the shapes of the map of the same name
    if that map has the same provinces and zones. What is wrong with a file is for ``vinci-lab check`` to say.
    """
    board = rules.content["map"]
    source = rules.sources.get("shapes")
    path = Path(source) if source else data_root() / "vinci" / "maps" / f"{board['name']}.geojson"
    if path.is_file():
        geometry = _read_cached(path, path.stat().st_mtime_ns)
        if (
            geometry
            and geometry.provinces.keys() == board["provinces"].keys()
            and geometry.seas.keys() == board["zones"].keys()
        ):
            return geometry
        return _schematic_cached(rules, UNUSABLE_SHAPES.format(name=path.name))
    return _schematic_cached(rules, NO_SHAPES)


@functools.lru_cache(maxsize=8)
def _read_cached(path: Path, changed: int) -> Geometry | None:  # `changed`, a time, makes an edited file another one
    return read_geometry(path, path.name, Problems())


def read_geometry(path: Path, name: str, problems: Problems) -> Geometry | None:
    """Return the shapes of a GeoJSON file, or None after saying what is wrong with it.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        How messages name it.
    problems : Problems
        Where they go.
    """
    text = read_text(path, name, problems)
    if text is None:
        return None
    try:
        content = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        problems.add_at(name, f"must be JSON, got something else ({error})")
        return None
    if not isinstance(content, dict) or not isinstance(content.get("features"), list):
        problems.add_at(name, "must be a FeatureCollection with a list of features")
        return None
    before = len(problems.sentences)
    projection = content.get("projection", {"name": "plane"})
    project = _projection(projection, name, problems)
    shapes: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
    for place, feature in enumerate(content["features"], start=1):
        _read_feature(feature, f"{name}, feature {place}", shapes, problems)
    if not shapes["province"] and len(problems.sentences) == before:
        problems.add_at(name, "must have at least one feature of the kind province")
    if project is None or len(problems.sentences) > before:
        return None
    left, low, right, high = shapely.total_bounds([shape for found in shapes.values() for shape in found.values()])
    is_round = projection["name"] != "plane"
    if is_round and not (left >= -360 and right <= 360 and low >= -89 and high <= 89):
        problems.add_at(name, "coordinates must be degrees that its projection can show, latitudes from -89 to 89")
    elif not (max(-left, -low, right, high) <= LARGEST and min(right - left, high - low) >= 1 / LARGEST):
        problems.add_at(name, f"coordinates must be from {-LARGEST:g} to {LARGEST:g}, and not all nearly the same")
    if len(problems.sentences) > before:
        return None
    title, notice = (" ".join(str(content.get(key, "")).split()) for key in ("title", "notice"))
    placed = _placed(title, notice, {kind: _mapped(found, project) for kind, found in shapes.items()})
    if not FLATTEST <= placed.height <= TALLEST:
        problems.add_at(name, f"must be {FLATTEST} to {TALLEST} times as high as wide, got {placed.height:.3g} times")
        return None
    return placed


def _no_number(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _read_feature(feature: Any, where: str, shapes: dict[str, dict[str, Any]], problems: Problems) -> None:
    """Add one feature to the shapes of its kind, or say what is wrong with it."""
    properties = feature.get("properties") if isinstance(feature, dict) else None
    if not isinstance(properties, dict):
        problems.add_at(where, "must be a feature with properties kind and name")
        return
    kind, name = properties.get("kind"), properties.get("name")
    if kind not in KINDS:
        problems.add_at(f"{where}, kind", f"must be one of {', '.join(KINDS)}, got {show(kind)}")
        return
    if not isinstance(name, str):
        problems.add_at(f"{where}, name", f"must be a text, got {show(name)}")
        return
    where = f"{where} ({show(name)})"
    if name in shapes[kind]:
        problems.add_at(where, f"must be the only {kind} of this name; one feature may have several polygons")
        return
    try:
        shape = to_shape(feature.get("geometry"))
    except Exception as error:  # whatever stands where a geometry should be
        problems.add_at(where, f"must have a Polygon or MultiPolygon as geometry, got something else ({error})")
        return
    if shape.geom_type not in ("Polygon", "MultiPolygon") or shape.is_empty:
        problems.add_at(where, f"must have a Polygon or MultiPolygon as geometry, got {shape.geom_type}")
    elif not np.isfinite(shapely.get_coordinates(shape)).all():
        problems.add_at(where, "must have numbers as coordinates")
    elif not shape.is_valid:
        problems.add_at(where, f"must be a polygon that does not cross itself, got {shapely.is_valid_reason(shape)}")
    else:
        shapes[kind][name] = shape


Projection = Callable[[Any], Any]


def _projection(asked: Any, name: str, problems: Problems) -> Projection | None:
    """Return what turns coordinates of the file, ``(n, 2)``, into the plane with y downward."""
    if isinstance(asked, dict) and asked.get("name") == "plane":
        return lambda points: points * (1, -1)
    try:
        if asked["name"] != "lambert_conformal_conic":
            raise ValueError
        longitude, latitude = map(float, asked["center"])
        south, north = map(float, asked["parallels"])
        if not (-90 < south < north < 90 and -90 < latitude < 90 and south + north and -360 <= longitude <= 360):
            raise ValueError
    except (KeyError, TypeError, ValueError):
        problems.add_at(
            f"{name}, projection",
            'must be {"name": "plane"} or {"name": "lambert_conformal_conic", "center": [longitude, latitude], '
            f'"parallels": [south, north]}} in degrees, got {show(asked)}',
        )
        return None
    return functools.partial(_lambert, longitude=longitude, latitude=latitude, south=south, north=north)


def _lambert(points: Any, longitude: float, latitude: float, south: float, north: float) -> Any:
    """Return degrees of longitude and latitude in Lambert's conformal conic projection of the sphere, y downward."""
    east, up = np.radians(points).T
    first, second, origin, meridian = np.radians((south, north, latitude, longitude))
    cone = np.log(np.cos(first) / np.cos(second)) / np.log(_stretched(second) / _stretched(first))
    size = np.cos(first) * _stretched(first) ** cone / cone
    middle, angle = size / _stretched(origin) ** cone, cone * (east - meridian)
    distance = size / _stretched(up) ** cone
    return np.column_stack([distance * np.sin(angle), distance * np.cos(angle) - middle])


def _stretched(latitude: Any) -> Any:
    return np.tan(np.pi / 4 + latitude / 2)


def _mapped(shapes: Mapping[str, Any], project: Projection) -> dict[str, Any]:
    return {name: shapely.transform(shape, project) for name, shape in shapes.items()}


def _placed(title: str, notice: str, shapes: Mapping[str, Mapping[str, Any]]) -> Geometry:
    """Return a geometry moved and scaled to a width of 1."""
    left, top, right, bottom = shapely.total_bounds([shape for found in shapes.values() for shape in found.values()])
    size = right - left
    provinces, seas, waters, beyond = (
        _mapped(shapes[kind], lambda points: (points - (left, top)) / size) for kind in KINDS
    )
    return Geometry(title, notice, provinces, seas, waters, beyond, float((bottom - top) / size))


# A schematic --------------------------------------------------------------------------------------------------------
@functools.lru_cache(maxsize=8)
def _schematic_cached(rules: Ruleset, notice: str) -> Geometry:
    return schematic(rules.content["map"], notice)


def schematic(board: Mapping[str, Any], notice: str = NO_SHAPES) -> Geometry:
    """Return circles for provinces, laid out by what borders on what; the seas are left out."""
    import networkx

    graph: networkx.Graph[str] = networkx.Graph()
    graph.add_nodes_from(board["provinces"])
    graph.add_edges_from((name, other) for name, others in bordering(board).items() for other in others)
    places = networkx.kamada_kawai_layout(graph)
    points = np.array([places[name] for name in board["provinces"]])
    low, high = points.min(axis=0), points.max(axis=0)
    points = (points - low) / np.maximum(high - low, 1e-9)
    points = SCHEMATIC_MARGIN + points * (1 - 2 * SCHEMATIC_MARGIN, SCHEMATIC_HEIGHT - 2 * SCHEMATIC_MARGIN)
    circles = {
        name: shapely.Point(*point).buffer(SCHEMATIC_RADIUS)
        for name, point in zip(board["provinces"], points, strict=True)
    }
    return Geometry(board["title"], notice, circles, {}, {}, {}, SCHEMATIC_HEIGHT, is_schematic=True)


# Agreement with the tables ------------------------------------------------------------------------------------------
def disagreements(geometry: Geometry, board: Mapping[str, Any]) -> list[str]:
    """Return where shapes and tables of a map differ, a sentence each."""
    found: list[str] = []
    for kind, shapes, names in (
        ("province", geometry.provinces, board["provinces"]),
        ("sea", geometry.seas, board["zones"]),
    ):
        found += [f"the {kind} {show(name)} has no shape" for name in names if name not in shapes]
        found += [f"there is no {kind} {show(name)}; {near(name, names)}" for name in shapes if name not in names]
    if found:
        return found
    return [*_overlaps(geometry), *_gaps(geometry), *_borders(geometry, board), *_coasts(geometry, board)]


def _overlaps(geometry: Geometry) -> list[str]:
    kinds = (geometry.provinces, geometry.seas, geometry.waters, geometry.beyond)
    names, shapes = zip(*(item for kind in kinds for item in kind.items()), strict=True)
    pairs = shapely.STRtree(shapes).query(shapes, predicate="intersects").T
    return [
        f"{show(names[first])} and {show(names[second])} must not overlap"
        for first, second in pairs
        if first < second and shapes[first].intersection(shapes[second]).area > geometry.shortest**2
    ]


def _gaps(geometry: Geometry) -> list[str]:
    """Return where the shapes leave a hole in the map."""
    kinds = (geometry.provinces, geometry.seas, geometry.waters, geometry.beyond)
    together: Any = shapely.union_all([shape for kind in kinds for shape in kind.values()])
    found = []
    for polygon in getattr(together, "geoms", (together,)):
        for hole in map(shapely.Polygon, polygon.interiors):
            if hole.area > geometry.shortest**2:
                beside = [name for kind in kinds[:2] for name, shape in kind.items() if shape.intersects(hole)]
                found.append(f"there is a hole between the shapes, beside {', '.join(map(show, beside))}")
    return found


def touching(first: Mapping[str, Any], second: Mapping[str, Any], shortest: float) -> set[tuple[str, str]]:
    """Return which shapes share more than ``shortest`` of their outlines: pairs of names, one of each."""
    names, shapes = list(second), list(second.values())
    tree = shapely.STRtree(shapes)
    return {
        (name, names[index])
        for name, shape in first.items()
        for index in tree.query(shape, predicate="intersects")
        if shapes[index] is not shape and shape.intersection(shapes[index]).length > shortest
    }


def _borders(geometry: Geometry, board: Mapping[str, Any]) -> list[str]:
    shapes = geometry.provinces
    touched = {frozenset(pair) for pair in touching(shapes, shapes, geometry.shortest)}
    listed = {frozenset((border["a"], border["b"])): border["kind"] for border in board["borders"]}
    found = []
    for pair, kind in listed.items():
        first, second = sorted(pair)
        if kind == "land" and pair not in touched:
            is_near = shapes[first].distance(shapes[second]) < NEARLY
            hint = "; they are very near, their corners must be the same (snap them)" if is_near else ""
            found.append(
                f"{show(first)} and {show(second)} have a land border, their shapes share no stretch of outline{hint}"
            )
        if kind == "coastal" and pair in touched:
            found.append(f"{show(first)} and {show(second)} have a coastal border, their shapes touch")
    for first, second in sorted(sorted(pair) for pair in touched - listed.keys()):
        found.append(f"the shapes of {show(first)} and {show(second)} touch, the table of borders has no such pair")
    return found


def _coasts(geometry: Geometry, board: Mapping[str, Any]) -> list[str]:
    """Return where provinces and waters touch otherwise than rows say, and seas that touch without a link."""
    shortest, provinces, seas = geometry.shortest, geometry.provinces, geometry.seas
    touched = touching(provinces, seas, shortest)
    listed = {(name, zone) for name, province in board["provinces"].items() for zone in province["seas"]}
    wet = {name for name, _ in touching(provinces, geometry.waters, shortest)}
    other = {name for name, province in board["provinces"].items() if province["other_water"]}
    links = {frozenset(link) for link in (*board["links"], *board["optional_links"])}
    near_seas = {frozenset(pair) for pair in touching(seas, seas, shortest)}
    return [
        *(
            f"{show(name)} lies on the sea {show(zone)} by its row, its shape does not touch that of the sea"
            for name, zone in sorted(listed - touched)
        ),
        *(
            f"the shapes of {show(name)} and of the sea {show(zone)} touch, the row of {show(name)} does not list it"
            for name, zone in sorted(touched - listed)
        ),
        *(f"{show(name)} has other water by its row, its shape touches none" for name in sorted(other - wet)),
        *(f"the shape of {show(name)} touches water, its row says no other_water" for name in sorted(wet - other)),
        *(
            f"the shapes of the seas {' and '.join(map(show, sorted(pair)))} touch, no link joins them"
            for pair in sorted(near_seas - links, key=sorted)
        ),
    ]
