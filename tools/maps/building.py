"""What the builders of map geometry share: noise, faces, simplification, the comparison with the tables, the file."""

import csv
import itertools
import json
import math
import random
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import shapely
from shapely import LineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

MAPS = Path(__file__).resolve().parents[2] / "data" / "vinci" / "maps"
DECIMALS = 3

Key = tuple[str, str]  # the kind of a feature and its name
Transform = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Tables:
    """
    What the tables of a map say of its geometry.

    Parameters
    ----------
    seas
        Each province's sea zones.
    edge
        The provinces on the map's edge.
    water
        The provinces at other water.
    land
        Pairs of provinces with a border on land.
    coastal
        Pairs of provinces that face each other over water.
    zones
        Each zone, and whether it is on the map's edge.
    links
        Pairs of zones that are linked, always or by an option.
    """

    seas: dict[str, set[str]]
    edge: set[str]
    water: set[str]
    land: set[frozenset[str]]
    coastal: set[frozenset[str]]
    zones: dict[str, bool]
    links: set[frozenset[str]]


def read_tables(name: str) -> Tables:
    """
    Read the tables of a map.

    Parameters
    ----------
    name
        The map's name, such as ``europe``.

    Returns
    -------
    Tables
        What they say of geometry.
    """
    with (MAPS / f"{name}_provinces.csv").open(encoding="utf-8", newline="") as file:
        provinces = list(csv.DictReader(file))
    with (MAPS / f"{name}_borders.csv").open(encoding="utf-8", newline="") as file:
        borders = list(csv.DictReader(file))
    head = tomllib.loads((MAPS / f"{name}.toml").read_text(encoding="utf-8"))
    return Tables(
        seas={row["name"]: set(row["seas"].split()) for row in provinces},
        edge={row["name"] for row in provinces if row["land_edge"] == "yes"},
        water={row["name"] for row in provinces if row["other_water"] == "yes"},
        land={frozenset((row["a"], row["b"])) for row in borders if row["kind"] == "land"},
        coastal={frozenset((row["a"], row["b"])) for row in borders if row["kind"] == "coastal"},
        zones={zone: bool(entry["touches_edge"]) for zone, entry in head["zones"].items()},
        links={frozenset(pair) for pair in head["links"] + head["optional_links"]},
    )


def noise(seed: int, waves: Iterable[tuple[float, float]]) -> Transform:
    """
    Make a smooth random displacement of the plane: sums of sine waves in random directions.

    Parameters
    ----------
    seed
        The seed of the directions and phases.
    waves
        Pairs of a wave's length and its amplitude; each is used in five directions.

    Returns
    -------
    Transform
        Maps an array of points to the displaced points.
    """
    chance = random.Random(seed)
    terms = []
    for length, amplitude in waves:
        for _ in range(5):
            angle, turn, phase = (chance.uniform(0, 2 * math.pi) for _ in range(3))
            wave = np.array([math.cos(angle), math.sin(angle)]) * 2 * math.pi / (length * chance.uniform(0.8, 1.25))
            terms.append((wave, phase, np.array([math.cos(turn), math.sin(turn)]) * amplitude / math.sqrt(5)))

    def displace(points: np.ndarray) -> np.ndarray:
        moved = np.array(points, dtype=float)
        for wave, phase, shift in terms:
            moved += np.sin(points @ wave + phase)[:, None] * shift
        return moved

    return displace


def smooth(points: list[tuple[float, float]], rounds: int = 3) -> LineString:
    """
    Round the corners of a line by cutting them, keeping its ends.

    Parameters
    ----------
    points
        The line's corners.
    rounds
        How often corners are cut.

    Returns
    -------
    LineString
        The smooth line.
    """
    line = np.array(points, dtype=float)
    for _ in range(rounds):
        before, after = line[:-1], line[1:]
        cut = np.stack([0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after], axis=1).reshape(-1, 2)
        line = np.vstack([line[:1], cut[1:-1], line[-1:]])
    return LineString(line)


def faces(lines: Iterable[BaseGeometry], grid: float) -> list[Polygon]:
    """
    Cut the plane along lines.

    Parameters
    ----------
    lines
        Lines, or polygons whose boundaries count.
    grid
        The grid to which all points are rounded.

    Returns
    -------
    list of Polygon
        The bounded faces.
    """
    edges = [part if part.geom_type.endswith("String") else part.boundary for part in lines]
    noded = shapely.unary_union(edges, grid_size=grid)
    return list(shapely.polygonize(shapely.get_parts([noded]).tolist()).geoms)


def parts(geometry: BaseGeometry) -> list[Polygon]:
    """
    List the polygons of a geometry, the largest first.

    Parameters
    ----------
    geometry
        Any geometry.

    Returns
    -------
    list of Polygon
        Its polygons.
    """
    found = [part for part in shapely.get_parts([geometry]) if part.geom_type == "Polygon" and not part.is_empty]
    return sorted(found, key=lambda part: -part.area)


def shared(a: BaseGeometry, b: BaseGeometry) -> BaseGeometry:
    """
    Find the stretch that two neighbors share.

    Parameters
    ----------
    a, b
        Polygons of a coverage.

    Returns
    -------
    BaseGeometry
        The common line, of length 0 when they meet at points only.
    """
    return a.boundary.intersection(b.boundary)


def dissolve(pieces: Iterable[tuple[Key, BaseGeometry]]) -> dict[Key, BaseGeometry]:
    """
    Join the faces of each feature.

    Parameters
    ----------
    pieces
        Faces with the keys of their features.

    Returns
    -------
    dict
        The joined geometry of each key, in the order of the keys.
    """
    groups: dict[Key, list[BaseGeometry]] = defaultdict(list)
    for key, piece in pieces:
        groups[key].append(piece)
    return {key: shapely.coverage_union_all(groups[key]) for key in sorted(groups)}


def settle(labelled: list[tuple[Key | None, Polygon]]) -> list[tuple[Key, Polygon]]:
    """
    Give every face without a key that of the neighbor with which it shares most.

    Parameters
    ----------
    labelled
        Faces with their keys or None.

    Returns
    -------
    list of tuple
        The faces, each with a key.
    """
    done = [(key, face) for key, face in labelled if key is not None]
    waiting = [face for key, face in labelled if key is None]
    while waiting:
        rest = []
        for face in waiting:
            lengths: dict[Key, float] = defaultdict(float)
            for key, other in done:
                if other.intersects(face):
                    lengths[key] += shared(face, other).length
            if lengths and max(lengths.values()) > 0:
                done.append((max(sorted(lengths), key=lambda key: lengths[key]), face))
            else:
                rest.append(face)
        if len(rest) == len(waiting):
            raise ValueError(f"{len(rest)} faces have no neighbor")
        waiting = rest
    return done


def simplify(coverage: dict[Key, BaseGeometry], tolerance: float) -> dict[Key, BaseGeometry]:
    """
    Simplify all borders, each alike for both its sides.

    Parameters
    ----------
    coverage
        Polygons that tile.
    tolerance
        Corners with a triangle below the square of this vanish.

    Returns
    -------
    dict
        The simplified polygons.
    """
    simple = shapely.coverage_simplify(list(coverage.values()), tolerance, simplify_boundary=False)
    return dict(zip(coverage, simple, strict=True))


def finish(coverage: dict[Key, BaseGeometry], transform: Transform) -> dict[Key, BaseGeometry]:
    """
    Bring polygons into the coordinates of the file: transformed, rounded, rings in the order of RFC 7946.

    Parameters
    ----------
    coverage
        Polygons that tile.
    transform
        From the working plane to the coordinates of the file.

    Returns
    -------
    dict
        The polygons as they are written.
    """

    def rounded(points: np.ndarray) -> np.ndarray:
        return np.round(transform(points), DECIMALS) + 0.0

    def clean(geometry: BaseGeometry) -> BaseGeometry:
        polygons = [shapely.orient_polygons(part) for part in parts(shapely.transform(geometry, rounded))]
        polygons = [shapely.remove_repeated_points(part) for part in polygons]
        return polygons[0] if len(polygons) == 1 else MultiPolygon(polygons)

    return {key: clean(geometry) for key, geometry in coverage.items()}


def problems(coverage: dict[Key, BaseGeometry], tables: Tables, plane: Transform, least: float) -> list[str]:
    """
    Compare the geometry of a map with its tables.

    Parameters
    ----------
    coverage
        The polygons as they are written.
    tables
        What the tables say.
    plane
        From the coordinates of the file to a plane in which lengths are measured.
    least
        The least length of a border on land.

    Returns
    -------
    list of str
        All that disagrees.
    """
    bad = [f"{key} is not valid" for key, geometry in coverage.items() if not geometry.is_valid]
    if bad:
        return bad
    if not shapely.coverage_is_valid(list(coverage.values())):
        bad.append("the polygons do not tile")
    outline = shapely.union_all(list(coverage.values()))
    if outline.geom_type != "Polygon" or outline.interiors:
        bad.append("the polygons leave gaps")
    provinces = {name: geometry for (kind, name), geometry in coverage.items() if kind == "province"}
    zones = {name: geometry for (kind, name), geometry in coverage.items() if kind == "sea"}
    if set(provinces) != set(tables.seas) or set(zones) != set(tables.zones):
        return [*bad, "provinces or zones are missing or unknown"]

    def length(a: BaseGeometry, b: BaseGeometry) -> float:
        return shapely.transform(shared(a, b), plane).length if a.intersects(b) else 0.0

    for a, b in itertools.combinations(sorted(provinces), 2):
        stretch = length(provinces[a], provinces[b])
        if frozenset((a, b)) in tables.land:
            if stretch < least:
                bad.append(f"{a} and {b} share {stretch:.1f} instead of {least} or more")
        elif stretch > 0:
            bad.append(f"{a} and {b} are no neighbors on land but share {stretch:.1f}")
    for name, geometry in provinces.items():
        met = {zone for zone in zones if length(geometry, zones[zone]) > 0}
        bad += [f"{name} does not reach {zone}" for zone in sorted(tables.seas[name] - met)]
        bad += [f"{name} must not touch {zone}" for zone in sorted(met - tables.seas[name])]
        lakes = [other for (kind, _), other in coverage.items() if kind == "water"]
        if any(length(geometry, lake) > 0 for lake in lakes) != (name in tables.water):
            bad.append(f"{name} and other water disagree")
    for a, b in itertools.combinations(sorted(zones), 2):
        if (length(zones[a], zones[b]) > 0) != (frozenset((a, b)) in tables.links):
            bad.append(f"{a} and {b}: water and links disagree")
    frame = outline.exterior if outline.geom_type == "Polygon" else outline.convex_hull.exterior
    on_edge = {name for name in tables.edge} | {zone for zone, edge in tables.zones.items() if edge}
    for name, geometry in [*provinces.items(), *zones.items()]:
        if (geometry.boundary.intersection(frame).length > 0) != (name in on_edge):
            bad.append(f"{name} and the map's edge disagree")
    return bad


def inscribed(geometry: BaseGeometry) -> tuple[Point, float]:
    """
    Find the largest circle in a polygon.

    Parameters
    ----------
    geometry
        A polygon or several, in a plane.

    Returns
    -------
    tuple
        The circle's centre and radius.
    """
    radius = shapely.maximum_inscribed_circle(parts(geometry)[0], tolerance=0.5 * 1e-3 * geometry.length)
    return Point(radius.coords[0]), radius.length


def write(path: Path, head: dict[str, object], coverage: dict[Key, BaseGeometry]) -> None:
    """
    Write a map as GeoJSON, one feature a line.

    Parameters
    ----------
    path
        The file.
    head
        Foreign members of the collection.
    coverage
        The polygons.
    """

    def compact(value: object) -> str:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

    order = {"beyond": 0, "sea": 1, "water": 2, "province": 3}
    lines = []
    for kind, name in sorted(coverage, key=lambda key: (order[key[0]], key[1])):
        geometry = shapely.geometry.mapping(coverage[kind, name])
        feature = {"type": "Feature", "properties": {"kind": kind, "name": name}, "geometry": geometry}
        lines.append(compact(feature))
    start = compact({"type": "FeatureCollection", **head})[:-1]
    path.write_text(start + ',"features":[\n' + ",\n".join(lines) + "\n]}\n", encoding="utf-8")
