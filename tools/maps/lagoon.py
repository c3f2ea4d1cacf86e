"""Build the geometry of the map of the Lagoon, a fictional map drawn by hand: ``python tools/maps/lagoon.py``."""

import numpy as np
import shapely
from building import (
    MAPS,
    Key,
    dissolve,
    faces,
    finish,
    inscribed,
    noise,
    problems,
    read_tables,
    settle,
    simplify,
    smooth,
    write,
)
from shapely import MultiPoint, Polygon, box
from shapely.geometry.base import BaseGeometry

TITLE = "The Lagoon"
NOTICE = "A fictional map: its coordinates are units of a plane, not places on Earth."

WIDTH, HEIGHT = 10.0, 7.0
FRAME = box(0, 0, WIDTH, HEIGHT)
GRID = 1e-4
TOLERANCE = 0.014
LEAST_BORDER = 0.25
COUNTER = 0.25  # the radius that leaves room for a counter
WAVES = ((1.3, 0.07), (0.5, 0.045), (0.22, 0.014))  # lengths and amplitudes of the noise on all lines
CALM = 0.6  # the noise fades at this distance from the frame

# Where lines meet. Four provinces at a point of the coast keep two of them from being neighbors, or one from the sea.
NODES = {
    "frame north": (3.0, 7.0),  # Outer Sea, Northern Waste
    "frame highmoor": (4.6, 7.0),  # Northern Waste, Highmoor
    "frame eastwood": (5.9, 7.0),  # Highmoor, Eastwood
    "frame east": (10.0, 4.9),  # Eastwood, Eastern Waste
    "frame southwood": (8.6, 0.0),  # Eastern Waste, Southwood
    "frame longbarrow": (3.7, 0.0),  # Southwood, Longbarrow
    "frame heath": (1.6, 0.0),  # Longbarrow, Western Heath
    "frame west": (0.0, 1.1),  # Western Heath, Outer Sea
    "cape": (3.1, 6.35),  # Outer Sea, Northern Waste, Northcape
    "moor": (3.7, 6.05),  # Northern Waste, Northcape, Highmoor
    "north coast": (1.7, 4.5),  # Outer Sea, Northcape, Oldport
    "old road": (3.1, 4.85),  # Northcape, Oldport, Highmoor
    "north bank": (2.4, 3.45),  # Outer Sea, Lagoon, Oldport
    "south bank": (2.4, 3.05),  # Outer Sea, Lagoon, Oldport
    "moor foot": (3.7, 4.15),  # Lagoon, Oldport, Highmoor, Reedwater
    "heath": (1.1, 1.6),  # Outer Sea, Oldport, Western Heath
    "barrow west": (1.75, 1.3),  # Western Heath, Oldport, Longbarrow
    "barrow head": (2.9, 2.3),  # Lagoon, Oldport, Longbarrow, Saltmarsh
    "barrow east": (3.4, 1.35),  # Longbarrow, Saltmarsh, Southwood
    "salt point": (5.0, 1.75),  # Lagoon, Sound, Saltmarsh, Southwood
    "lock": (5.95, 3.98),  # Lagoon, Sound, Reedwater, Greenhollow, Goldfield
    "gold coast": (7.75, 2.45),  # Sound, Goldfield, Farshore
    "far coast": (9.15, 0.95),  # Sound, Farshore, Eastern Waste
    "wood coast": (8.3, 0.5),  # Sound, Eastern Waste, Southwood
    "far hill": (9.2, 2.9),  # Farshore, Ironhill, Eastern Waste
    "waste": (9.2, 4.6),  # Ironhill, Eastwood, Eastern Waste
    "gold hill": (8.15, 3.2),  # Goldfield, Farshore, Ironhill
    "hollow south": (7.55, 3.9),  # Goldfield, Ironhill, Greenhollow
    "hollow east": (7.9, 4.95),  # Greenhollow, Ironhill, Eastwood
    "hollow north": (6.2, 5.45),  # Reedwater, Greenhollow, Eastwood
    "reed north": (5.0, 5.75),  # Highmoor, Reedwater, Eastwood
}

# Lines from node to node.
LINES: list[tuple[str, list[tuple[float, float]], str]] = [
    ("frame north", [(3.2, 6.7)], "cape"),
    ("cape", [(3.4, 6.3)], "moor"),
    ("moor", [(4.2, 6.4)], "frame highmoor"),
    ("cape", [(2.4, 6.5), (1.6, 6.1), (1.1, 5.4), (1.35, 4.8)], "north coast"),
    ("north coast", [(2.4, 4.85)], "old road"),
    ("old road", [(3.2, 5.5)], "moor"),
    ("north coast", [(1.3, 4.2), (1.3, 3.7), (1.8, 3.45)], "north bank"),
    ("north bank", [(2.9, 3.5), (3.3, 3.9)], "moor foot"),
    ("old road", [(3.5, 4.6)], "moor foot"),
    ("south bank", [(1.7, 3.05), (1.1, 2.7), (0.85, 2.1)], "heath"),
    ("heath", [(0.6, 1.45)], "frame west"),
    ("heath", [(1.4, 1.35)], "barrow west"),
    ("barrow west", [(1.9, 0.7)], "frame heath"),
    ("barrow west", [(2.2, 1.9)], "barrow head"),
    ("south bank", [(2.85, 3.05), (2.95, 2.7)], "barrow head"),
    ("barrow head", [(3.1, 1.8)], "barrow east"),
    ("barrow east", [(3.5, 0.8)], "frame longbarrow"),
    ("barrow east", [(4.2, 1.5)], "salt point"),
    ("barrow head", [(3.35, 2.5), (3.7, 2.95), (4.3, 2.9), (4.8, 2.5)], "salt point"),
    ("moor foot", [(4.3, 4.3), (4.8, 3.95), (5.4, 4.2)], "lock"),
    ("lock", [(6.4, 3.75), (6.65, 3.1), (7.2, 2.95)], "gold coast"),
    ("gold coast", [(7.7, 1.9), (8.4, 1.75), (8.6, 1.1)], "far coast"),
    ("far coast", [(9.4, 0.65), (8.9, 0.45)], "wood coast"),
    ("salt point", [(5.4, 1.3), (6.2, 1.3), (6.9, 0.8), (7.6, 0.8)], "wood coast"),
    ("wood coast", [(8.4, 0.25)], "frame southwood"),
    ("far coast", [(9.5, 1.6), (9.2, 2.3)], "far hill"),
    ("far hill", [(9.5, 3.5), (9.3, 4.1)], "waste"),
    ("waste", [(9.6, 4.9)], "frame east"),
    ("gold coast", [(8.0, 2.8)], "gold hill"),
    ("gold hill", [(8.7, 3.0)], "far hill"),
    ("gold hill", [(7.9, 3.6)], "hollow south"),
    ("hollow south", [(6.8, 4.35), (6.3, 4.15)], "lock"),
    ("hollow south", [(7.7, 4.4)], "hollow east"),
    ("hollow east", [(8.5, 5.0)], "waste"),
    ("lock", [(5.85, 4.4), (6.05, 5.0)], "hollow north"),
    ("hollow north", [(7.0, 5.3)], "hollow east"),
    ("hollow north", [(5.6, 5.8)], "reed north"),
    ("reed north", [(4.5, 5.3), (4.2, 4.7)], "moor foot"),
    ("reed north", [(5.5, 6.4)], "frame eastwood"),
]

# Borders of zones that do not run from node to node alone: over the isles, and across the channel.
ZONE_LINES = [
    [NODES["north bank"], NODES["south bank"]],
    [NODES["salt point"], (5.3, 2.1), (5.7, 2.6), (5.75, 3.1), (5.72, 3.5), NODES["lock"]],
]
ISLES = [
    [(5.15, 2.7), (5.35, 3.1), (5.85, 3.15), (6.25, 2.85), (6.2, 2.3), (5.75, 2.1), (5.3, 2.3)],
    [(5.45, 3.55), (5.65, 3.75), (5.95, 3.7), (6.05, 3.42), (5.75, 3.33)],
]
LAKE = [(5.75, 4.8), (5.85, 5.0), (6.1, 5.05), (6.35, 4.95), (6.35, 4.7), (6.1, 4.6), (5.85, 4.65)]

# A point in each face of a feature.
FACES: dict[Key, list[tuple[float, float]]] = {
    ("sea", "OUT"): [(0.5, 4.0)],
    ("sea", "LAG"): [(4.2, 3.5)],
    ("sea", "SND"): [(7.0, 2.0)],
    ("beyond", "Northern Waste"): [(3.7, 6.7)],
    ("beyond", "Eastern Waste"): [(9.75, 3.0)],
    ("beyond", "Western Heath"): [(0.8, 0.7)],
    ("province", "Northcape"): [(2.3, 5.6)],
    ("province", "Highmoor"): [(4.2, 5.8)],
    ("province", "Reedwater"): [(5.0, 4.8)],
    ("province", "Oldport"): [(2.2, 4.1), (1.7, 2.3)],
    ("province", "Saltmarsh"): [(4.1, 2.1)],
    ("province", "Eastwood"): [(7.8, 6.0)],
    ("province", "Greenhollow"): [(7.0, 4.7)],
    ("province", "Ironhill"): [(8.5, 4.0)],
    ("province", "Goldfield"): [(7.3, 3.4)],
    ("province", "Southwood"): [(5.2, 0.7)],
    ("province", "Farshore"): [(8.6, 2.4)],
    ("province", "Longbarrow"): [(2.6, 1.0)],
}


def displace(points: np.ndarray) -> np.ndarray:
    """
    Make lines uneven, but not at the frame.

    Parameters
    ----------
    points
        Points of lines.

    Returns
    -------
    np.ndarray
        The same points, moved.
    """
    depth = np.minimum.reduce([points[:, 0], WIDTH - points[:, 0], points[:, 1], HEIGHT - points[:, 1]])
    return points + np.clip(depth / CALM, 0, 1)[:, None] * (noise(11, WAVES)(points) - points)


def ring(points: list[tuple[float, float]]) -> Polygon:
    """
    Draw a shore that closes.

    Parameters
    ----------
    points
        Its corners.

    Returns
    -------
    Polygon
        What it encloses, uneven.
    """
    first = tuple((np.array(points[0]) + np.array(points[-1])) / 2)
    return uneven(Polygon(smooth([first, *points, first])))


def uneven(geometry: BaseGeometry) -> BaseGeometry:
    """
    Make a line or a shore uneven.

    Parameters
    ----------
    geometry
        A smooth line or polygon.

    Returns
    -------
    BaseGeometry
        The same with noise.
    """
    return shapely.transform(geometry.segmentize(0.04), displace)


def label(face: Polygon, isles: list[Polygon], lake: Polygon) -> Key | None:
    """
    Tell to which feature a face belongs.

    Parameters
    ----------
    face
        The face.
    isles
        The parts of Twin Isle.
    lake
        The lake.

    Returns
    -------
    Key or None
        The feature's key; none when a face is none of the named ones.
    """
    inside = face.representative_point()
    if any(isle.contains(inside) for isle in isles):
        return "province", "Twin Isle"
    if lake.contains(inside):
        return "water", "Mirror Lake"
    return next((key for key, points in FACES.items() if face.intersects(MultiPoint(points))), None)


def build() -> dict[Key, BaseGeometry]:
    """
    Build the map.

    Returns
    -------
    dict
        The polygons as they are written.
    """
    isles, lake = [ring(points) for points in ISLES], ring(LAKE)
    lines = [uneven(smooth([NODES[start], *between, NODES[end]])) for start, between, end in LINES]
    lines += [uneven(smooth(points)) for points in ZONE_LINES]
    cut = [(label(face, isles, lake), face) for face in faces([FRAME, *isles, lake, *lines], GRID)]
    return finish(simplify(dissolve(settle(cut)), TOLERANCE), lambda points: points)


def main() -> None:
    """Build the map, compare it with its tables, and write it."""
    coverage = build()
    bad = problems(coverage, read_tables("lagoon"), lambda points: points, LEAST_BORDER)
    room = {name: inscribed(geometry)[1] for (kind, name), geometry in coverage.items() if kind == "province"}
    bad += [f"{name} has room for a radius of {radius:.2f} only" for name, radius in room.items() if radius < COUNTER]
    if bad:
        raise SystemExit("The geometry disagrees with the tables:\n  " + "\n  ".join(bad))
    write(MAPS / "lagoon.geojson", {"title": TITLE, "notice": NOTICE, "projection": {"name": "plane"}}, coverage)


if __name__ == "__main__":
    main()
