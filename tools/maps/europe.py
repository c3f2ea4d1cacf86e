"""Build the geometry of the map of Europe from Natural Earth: ``python tools/maps/europe.py land-50m.json``."""

import csv
import hashlib
import itertools
import json
import math
import sys
from pathlib import Path

import numpy as np
import shapely
import shapely.affinity
from building import (
    MAPS,
    Key,
    Transform,
    dissolve,
    faces,
    finish,
    inscribed,
    noise,
    parts,
    problems,
    read_tables,
    settle,
    shared,
    simplify,
    smooth,
    write,
)
from shapely import LineString, MultiPoint, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry

LAND_SHA256 = "619477ff690c086885e45cb91707d783805561bd75ae8e437b7d4694b0204e0f"
TITLE = "Europe (reconstruction)"
NOTICE = (
    "A reconstruction: this is not the printed board. Provinces and sea zones are drawn to agree with the tables of "
    "this map. Coastlines: Natural Earth, public domain, simplified."
)

RADIUS = 6371.0
CENTER = (15.0, 52.0)
PARALLELS = (42.0, 62.0)
FRAME = box(-2330, -1900, 2330, 2165)  # km from the center
GRID = 0.01  # km
TOLERANCE = 5.0  # km
LEAST_BORDER = 15.0  # km
LEAST_ISLAND = 1500.0  # km2
SPLIT_LAND = 200_000.0  # km2: smaller land belongs to one province
COUNTER = 49.0  # km: the radius that leaves room for a counter when the map is 900 pixels wide

WAVES = ((420, 16), (170, 9), (75, 4))  # km: lengths and amplitudes of the noise on borders

LEFT_OUT = {
    "Iceland": (-18.5, 65),
    "Mallorca": (3, 39.6),
    "Kolguyev": (49.2, 69),
    "Vaygach": (59.6, 70),
}
BEYOND = {"Africa", "Syria"}  # land outside the board

# Water wide enough to be seen: lines, and the width in km.
CHANNELS = {
    "Bosporus": (16, [(29.25, 41.4), (29.05, 41.05), (28.8, 40.75)]),
    "Dardanelles": (16, [(25.8, 40.0), (26.3, 40.1), (26.75, 40.43), (27.3, 40.6)]),
    "Kerch Strait": (16, [(36.5, 44.9), (36.55, 45.3), (36.8, 45.7)]),
    "Strait of Messina": (14, [(15.5, 37.6), (15.6, 38.1), (15.9, 38.5)]),
    "Oresund": (16, [(12.4, 56.4), (12.75, 55.9), (12.75, 55.3)]),
    "Great Belt": (14, [(10.9, 55.9), (10.95, 55.3), (10.9, 54.7)]),
    "Strait of Gibraltar": (22, [(-6.2, 35.9), (-5.6, 35.95), (-5.0, 36.05)]),
    "Isthmus of Nordkinn": (13, [(26.9, 70.55), (27.3, 70.72), (27.9, 70.72), (28.6, 70.75)]),
}


def conic(parallels: tuple[float, float] = PARALLELS) -> tuple[float, float]:
    """
    Work out the constants of Lambert's conformal conic projection of a sphere.

    Parameters
    ----------
    parallels
        The standard parallels.

    Returns
    -------
    tuple
        The cone's constant and the radius of the equator.
    """
    low, high = (math.radians(value) for value in parallels)

    def half(angle: float) -> float:
        return math.tan(math.pi / 4 + angle / 2)

    cone = math.log(math.cos(low) / math.cos(high)) / math.log(half(high) / half(low))
    return cone, RADIUS * math.cos(low) * half(low) ** cone / cone


CONE, EQUATOR = conic()
MIDDLE = EQUATOR / math.tan(math.pi / 4 + math.radians(CENTER[1]) / 2) ** CONE


def to_plane(points: np.ndarray) -> np.ndarray:
    """
    Project.

    Parameters
    ----------
    points
        Longitudes and latitudes in degrees.

    Returns
    -------
    np.ndarray
        Kilometres east and north of the center.
    """
    angle = CONE * np.radians(points[:, 0] - CENTER[0])
    radius = EQUATOR / np.tan(np.pi / 4 + np.radians(points[:, 1]) / 2) ** CONE
    return np.column_stack([radius * np.sin(angle), MIDDLE - radius * np.cos(angle)])


def to_degrees(points: np.ndarray) -> np.ndarray:
    """
    Undo the projection.

    Parameters
    ----------
    points
        Kilometres east and north of the center.

    Returns
    -------
    np.ndarray
        Longitudes and latitudes in degrees.
    """
    east, south = points[:, 0], MIDDLE - points[:, 1]
    lon = CENTER[0] + np.degrees(np.arctan2(east, south)) / CONE
    lat = np.degrees(2 * np.arctan((EQUATOR / np.hypot(east, south)) ** (1 / CONE)) - np.pi / 2)
    return np.column_stack([lon, lat])


def spot(lon: float, lat: float) -> Point:
    """
    Project one point.

    Parameters
    ----------
    lon, lat
        Degrees.

    Returns
    -------
    Point
        The point in the plane.
    """
    return Point(to_plane(np.array([[lon, lat]]))[0])


def read_land(path: Path) -> BaseGeometry:
    """
    Read the land of Natural Earth from TopoJSON.

    Parameters
    ----------
    path
        The file ``land-50m.json`` of the package ``world-atlas``.

    Returns
    -------
    BaseGeometry
        Europe's land within the frame, in the plane.
    """
    content = path.read_bytes()
    if hashlib.sha256(content).hexdigest() != LAND_SHA256:
        raise ValueError(f"{path} is not land-50m.json of world-atlas 2.0.2")
    topology = json.loads(content)
    scale, shift = (np.array(topology["transform"][key]) for key in ("scale", "translate"))
    arcs = [np.cumsum(np.array(arc), axis=0) * scale + shift for arc in topology["arcs"]]

    def ring(indices: list[int]) -> np.ndarray:
        pieces = [arcs[index] if index >= 0 else arcs[~index][::-1] for index in indices]
        points = np.vstack([pieces[0], *(piece[1:] for piece in pieces[1:])])
        return np.column_stack([np.unwrap(points[:, 0], period=360), points[:, 1]])

    window = box(-45, 25, 95, 82)
    found = []
    for entry in topology["objects"]["land"]["geometries"]:
        groups = [entry["arcs"]] if entry["type"] == "Polygon" else entry["arcs"]
        for group in groups:
            rings = [ring(indices) for indices in group]
            land = shapely.make_valid(Polygon(rings[0], rings[1:]))
            found += [shapely.affinity.translate(land, turn).intersection(window) for turn in (-360, 0, 360)]
    flat = [shapely.make_valid(shapely.transform(part, to_plane)) for part in found if not part.is_empty]
    return shapely.union_all(flat).intersection(FRAME.buffer(200))


def shape_land(land: BaseGeometry) -> list[Polygon]:
    """
    Make coasts fit for a board: no slivers, straits open, small islands gone.

    Parameters
    ----------
    land
        The land of Natural Earth.

    Returns
    -------
    list of Polygon
        The pieces of land within the frame, the largest first.
    """
    land = land.buffer(4, quad_segs=2).buffer(-7, quad_segs=2).buffer(3, quad_segs=2)
    for width, points in CHANNELS.values():
        line = smooth([spot(*point).coords[0] for point in points])
        land = land.difference(line.buffer(width / 2, quad_segs=3))
    land = land.intersection(FRAME)
    away = MultiPoint([spot(*point) for point in LEFT_OUT.values()])
    kept = [part for part in parts(land) if part.area >= LEAST_ISLAND or part.intersects(FRAME.exterior)]
    return [Polygon(part.exterior) for part in kept if not part.intersects(away)]


def read_seeds() -> dict[str, list[Point]]:
    """
    Read the places that stand for the provinces.

    Returns
    -------
    dict
        Each province's places in the plane.
    """
    seeds: dict[str, list[Point]] = {}
    with (Path(__file__).parent / "europe_seeds.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            seeds.setdefault(row["province"], []).append(spot(float(row["lon"]), float(row["lat"])))
    return seeds


def nearest_regions(seeds: dict[str, list[Point]], displace: Transform) -> dict[str, BaseGeometry]:
    """
    Divide the plane among provinces: each point goes to its nearest seed; then borders are made uneven.

    Parameters
    ----------
    seeds
        The seeds of each province.
    displace
        The displacement that makes borders uneven.

    Returns
    -------
    dict
        Each province's region.
    """
    points = [point for places in seeds.values() for point in places]
    owners = [name for name, places in seeds.items() for _ in places]
    cells = parts(shapely.voronoi_polygons(MultiPoint(points), extend_to=FRAME.buffer(500)))
    tree = shapely.STRtree(points)
    pieces = [(("province", owners[tree.query(cell, predicate="contains")[0]]), cell) for cell in cells]
    regions = dissolve(pieces)
    return {name: shapely.transform(region.segmentize(12), displace) for (_, name), region in regions.items()}


def key_of(name: str) -> Key:
    """
    Tell the kind of a piece of land.

    Parameters
    ----------
    name
        The name of a province or of land outside the board.

    Returns
    -------
    Key
        Its kind and name.
    """
    return "beyond" if name in BEYOND else "province", name


def near(point: Point, pieces: list[Polygon]) -> Polygon:
    """
    Find the nearest polygon.

    Parameters
    ----------
    point
        A point.
    pieces
        Polygons.

    Returns
    -------
    Polygon
        The one that contains the point or is nearest to it.
    """
    return min(pieces, key=point.distance)


def divide(land: list[Polygon], seeds: dict[str, list[Point]]) -> list[tuple[Key | None, Polygon]]:
    """
    Divide the land among provinces.

    Parameters
    ----------
    land
        The pieces of land.
    seeds
        The seeds of each province.

    Returns
    -------
    list of tuple
        Faces of the land with the keys of their features.
    """
    displace = noise(7, WAVES)
    everything = nearest_regions(seeds, displace)
    large = [piece for piece in land if piece.area >= SPLIT_LAND]
    found: list[tuple[Key | None, Polygon]] = []
    for piece in land:
        if piece.area < SPLIT_LAND:
            centre = piece.representative_point()
            found.append((key_of(min(everything, key=lambda name: everything[name].distance(centre))), piece))
        else:
            here = {name: [p for p in places if near(p, large) is piece] for name, places in seeds.items()}
            regions = nearest_regions({name: places for name, places in here.items() if places}, displace)
            found += split(piece, regions)
    return found


def split(piece: Polygon, regions: dict[str, BaseGeometry]) -> list[tuple[Key | None, Polygon]]:
    """
    Divide one piece of land among regions.

    Parameters
    ----------
    piece
        The land.
    regions
        The provinces' regions.

    Returns
    -------
    list of tuple
        Faces with the keys of their provinces, None for those apart from their province's largest.
    """
    patches = wedge(piece)
    owned: dict[str, list[Polygon]] = {}
    for face in faces([piece, *regions.values(), *(patch for _, patch in patches)], GRID):
        inside = face.representative_point()
        if piece.contains(inside):
            name = next((name for name, patch in patches if patch.contains(inside)), None)
            name = name or min(regions, key=lambda name: regions[name].distance(inside))
            owned.setdefault(name, []).append(face)
    found: list[tuple[Key | None, Polygon]] = []
    for name, pieces in sorted(owned.items()):
        for index, part in enumerate(parts(shapely.coverage_union_all(pieces))):
            found.append((key_of(name) if index == 0 else None, part))
    return found


# At the head of the Gulf of Bothnia Sweden, Lapland and South Finland meet in one point of the coast.
APEX = (24.0, 65.85)
WEDGE = {
    "Lapland": [(22.9, 66.35), (24.0, 66.9), (25.4, 66.25)],
    "Sweden": [(22.9, 66.35), (22.0, 66.2), (21.9, 65.6), (22.8, 65.4)],
    "South Finland": [(25.4, 66.25), (26.6, 66.1), (26.6, 65.2), (25.0, 65.2)],
}


def wedge(piece: Polygon) -> list[tuple[str, Polygon]]:
    """
    Draw the patches that keep Lapland from the Gulf of Bothnia.

    Parameters
    ----------
    piece
        A piece of land.

    Returns
    -------
    list of tuple
        Provinces and the polygons they get; none when the gulf is not on this land.
    """
    head = spot(*APEX)
    if piece.distance(head) > 60:
        return []
    coast = MultiPoint(piece.exterior.coords)
    apex = Point(shapely.shortest_line(head, coast).coords[1])
    return [(name, Polygon([apex.coords[0], *(spot(*p).coords[0] for p in ring)])) for name, ring in WEDGE.items()]


# Borders of zones: from one end over points of the sea to the other end. An end is a place on land or beyond the frame,
# or the two provinces whose border meets the coast there.
ZONE_LINES: dict[str, list[tuple[float, float] | tuple[str, str]]] = {
    "ATL NOR": [(-4.6, 58.2), (-5.0, 59.1), (-8, 60.6), (-14, 62.2), (-24, 62.9), (-40, 62.5)],
    "NOR NSE": [(-3.5, 58.3), (-2.4, 59.0), (-0.6, 60.3), (2.2, 61.1), (4.5, 61.4), (6.5, 61.5)],
    "NSE BAL": [("Norway", "Sweden"), (10.9, 58.75), (10.2, 58.2), (10.3, 57.8), (10.2, 57.3)],
    "NSE BIS": [("North France", "Low Countries"), (2.0, 51.25), (0.9, 51.2)],
    "BIS ATL north": [("Scotland", "England and Wales"), (-3.75, 54.68), (-4.5, 54.4), (-5.2, 54.3), (-6.2, 54.2)],
    "BIS ATL south": [(-9.3, 51.9), (-10.4, 51.2), (-11, 49), (-11.3, 46), (-11, 44.2), (-10.0, 43.2), (-8.5, 42.9)],
    "ATL SME": [(-5.7, 36.4), (-5.6, 35.95), (-5.5, 35.4)],
    "SME TYR": [("Pyrenees", "South Spain"), (1.3, 39.9), (4, 38.8), (7, 38.1), (9, 38.1), (11, 38.2), (12.9, 37.9)],
    "SME TYR Messina": [(15.1, 38.0), (15.6, 38.1), (16.2, 38.3)],
    "SME ADR": [(18.1, 40.3), (18.7, 39.9), (19.3, 39.7), (20.5, 39.9)],
    "NOR WHI": [(27.6, 70.5), (27.6, 71.0)],
    "SME BLA": [(28.0, 41.4), (28.15, 40.8), (28.3, 40.0)],
}
ZONE_SEEDS = {
    "ATL": [(-14, 50)],
    "NOR": [(0, 66)],
    "NSE": [(3, 56)],
    "BIS": [(-5, 46)],
    "SME": [(18, 35)],
    "TYR": [(11, 40)],
    "ADR": [(15.5, 43)],
    "BLA": [(34, 43)],
    "BAL": [(19.5, 56.5)],
    "WHI": [(40, 69.5)],
}


def zone_line(entries: list[tuple[float, float] | tuple[str, str]], land: dict[Key, BaseGeometry]) -> LineString:
    """
    Draw a border of two zones.

    Parameters
    ----------
    entries
        The ends and the points between them.
    land
        The provinces.

    Returns
    -------
    LineString
        The border.
    """
    points = [spot(*entry).coords[0] if isinstance(entry[0], float | int) else None for entry in entries]
    if points[0] is None:
        a, b = (land["province", name] for name in entries[0])
        coast = shapely.union_all(list(land.values())).boundary
        landings = shared(a, b).intersection(coast)
        points[0] = Point(shapely.shortest_line(Point(points[1]), landings).coords[1]).coords[0]
    return smooth(points)


def add_seas(land: dict[Key, BaseGeometry]) -> dict[Key, BaseGeometry]:
    """
    Divide the water among zones.

    Parameters
    ----------
    land
        The provinces and the land outside the board.

    Returns
    -------
    dict
        The same with the zones.
    """
    lines = [zone_line(entries, land) for entries in ZONE_LINES.values()]
    seeds = {("sea", zone): MultiPoint([spot(*point) for point in places]) for zone, places in ZONE_SEEDS.items()}
    ashore: list[tuple[Key | None, Polygon]] = []
    afloat: list[tuple[Key | None, Polygon]] = []
    for face in faces([*land.values(), FRAME, *lines], GRID):
        inside = face.representative_point()
        if FRAME.contains(inside):
            key = next((key for key, geometry in land.items() if geometry.contains(inside)), None)
            if key:
                ashore.append((key, face))
            else:
                afloat.append((next((key for key, places in seeds.items() if face.intersects(places)), None), face))
    return dissolve(ashore + settle(afloat))


def bend_frame(coverage: dict[Key, BaseGeometry], step: float = 60) -> dict[Key, BaseGeometry]:
    """
    Put points on the frame, so that it stays straight when a map is projected again.

    Parameters
    ----------
    coverage
        Polygons that tile the frame.
    step
        The distance of the points.

    Returns
    -------
    dict
        The polygons with more points.
    """
    west, south, east, north = FRAME.bounds

    def ring(points: np.ndarray) -> list[np.ndarray]:
        found = [points[0]]
        for start, end in itertools.pairwise(points):
            sides = ((0, west), (0, east), (1, south), (1, north))
            if any(abs(start[axis] - side) + abs(end[axis] - side) < GRID for axis, side in sides):
                count = max(1, round(float(np.hypot(*(end - start))) / step))
                found += [start + (end - start) * part / count for part in range(1, count)]
            found.append(end)
        return found

    def polygon(part: Polygon) -> Polygon:
        return Polygon(ring(np.array(part.exterior.coords)), [hole.coords for hole in part.interiors])

    return {key: MultiPolygon([polygon(part) for part in parts(geometry)]) for key, geometry in coverage.items()}


def build(path: Path) -> dict[Key, BaseGeometry]:
    """
    Build the map.

    Parameters
    ----------
    path
        The file of Natural Earth's land.

    Returns
    -------
    dict
        The polygons as they are written.
    """
    land = dissolve(settle(divide(shape_land(read_land(path)), read_seeds())))
    coverage = simplify(add_seas(land), TOLERANCE)
    return finish(bend_frame(coverage), to_degrees)


def main() -> None:
    """Build the map, compare it with its tables, and write it."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    coverage = build(Path(sys.argv[1]))
    bad = problems(coverage, read_tables("europe"), to_plane, LEAST_BORDER)
    small = {
        name: round(inscribed(shapely.transform(geometry, to_plane))[1])
        for (kind, name), geometry in coverage.items()
        if kind == "province"
    }
    bad += [f"{name} has room for a radius of {room} km only" for name, room in small.items() if room < COUNTER]
    if bad:
        raise SystemExit("The geometry disagrees with the tables:\n  " + "\n  ".join(bad))
    projection = {"name": "lambert_conformal_conic", "center": list(CENTER), "parallels": list(PARALLELS)}
    write(MAPS / "europe.geojson", {"title": TITLE, "notice": NOTICE, "projection": projection}, coverage)


if __name__ == "__main__":
    main()
