"""The shapes of maps: they agree with the tables, and what is wrong with a file is said."""

from __future__ import annotations

import itertools
import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shapely

import vinci_lab as vl
from vinci_lab.datafiles import Problems, shipped_root
from vinci_lab.games.vinci.geometry import disagreements, geometry_of, read_geometry, schematic

MAPS = ("europe", "lagoon")
FOLDER = shipped_root() / "vinci" / "maps"
Segment = frozenset[tuple[float, float]]
TURN = 0.1  # of a degree or of a unit: what touches less than this only meets in a point


def features(board: str, kind: str) -> Iterator[tuple[str, Any]]:
    """Yield names and polygons of the features of a kind, as the file has them."""
    content = json.loads((FOLDER / f"{board}.geojson").read_text(encoding="utf-8"))
    for feature in content["features"]:
        if feature["properties"]["kind"] == kind:
            shape = feature["geometry"]
            polygons = shape["coordinates"] if shape["type"] == "MultiPolygon" else [shape["coordinates"]]
            yield feature["properties"]["name"], polygons


def segments(polygons: Any) -> set[Segment]:
    """Return the pieces of outline between two corners."""
    return {
        frozenset((tuple(first), tuple(second)))
        for polygon in polygons
        for ring in polygon
        for first, second in itertools.pairwise(ring)
    }


def touching(first: dict[str, set[Segment]], second: dict[str, set[Segment]]) -> set[frozenset[str]]:
    """Return the pairs that share pieces of outline, worked out from corners alone."""
    owners: dict[Segment, list[str]] = defaultdict(list)
    for name, pieces in second.items():
        for piece in pieces:
            owners[piece].append(name)
    return {
        frozenset((name, other))
        for name, pieces in first.items()
        for piece in pieces
        for other in owners[piece]
        if other != name
    }


def outlines(board: str, kind: str) -> dict[str, set[Segment]]:
    return {name: segments(polygons) for name, polygons in features(board, kind)}


@pytest.fixture(params=MAPS)
def board(request: pytest.FixtureRequest) -> dict[str, Any]:
    return vl.ruleset("vinci", players=4, map=request.param).to_json()["map"]


# Agreement ----------------------------------------------------------------------------------------------------------
def test_polygons_touch_exactly_where_the_table_has_land_borders(board: dict[str, Any]) -> None:
    provinces = outlines(board["name"], "province")
    assert provinces.keys() == board["provinces"].keys()
    listed = {frozenset((border["a"], border["b"])) for border in board["borders"] if border["kind"] == "land"}
    assert touching(provinces, provinces) == listed


def test_provinces_lie_on_exactly_the_seas_of_their_rows(board: dict[str, Any]) -> None:
    seas = outlines(board["name"], "sea")
    assert seas.keys() == board["zones"].keys()
    listed = {frozenset((name, sea)) for name, row in board["provinces"].items() for sea in row["seas"]}
    assert touching(outlines(board["name"], "province"), seas) == listed


def test_seas_that_touch_are_linked(board: dict[str, Any]) -> None:
    seas = outlines(board["name"], "sea")
    links = {frozenset(link) for link in board["links"]}
    optional = {frozenset(link) for link in board["optional_links"]}
    touched = touching(seas, seas)
    assert links <= touched
    assert touched <= links | optional


def test_provinces_with_other_water_touch_water(board: dict[str, Any]) -> None:
    waters = outlines(board["name"], "water")
    touched = {name for pair in touching(outlines(board["name"], "province"), waters) for name in pair} - waters.keys()
    assert touched == {name for name, row in board["provinces"].items() if row["other_water"]}


def test_shapes_neither_overlap_nor_leave_gaps(board: dict[str, Any]) -> None:
    shapes = [
        shapely.multipolygons([shapely.Polygon(rings[0], rings[1:]) for rings in polygons])
        for kind in ("province", "sea", "water", "beyond")
        for _, polygons in features(board["name"], kind)
    ]
    assert all(shape.is_valid for shape in shapes)
    assert shapely.coverage_is_valid(shapes)
    union = shapely.union_all(shapes)
    assert union.geom_type == "Polygon"
    assert not union.interiors


def test_the_frame_is_where_civilizations_enter(board: dict[str, Any]) -> None:
    """Land edges and seas that touch the edge reach the frame of the picture, and no other sea does."""
    shapes = {
        kind: {
            name: shapely.multipolygons([shapely.Polygon(rings[0], rings[1:]) for rings in polygons])
            for name, polygons in features(board["name"], kind)
        }
        for kind in ("province", "sea", "water", "beyond")
    }
    frame = shapely.union_all([shape for found in shapes.values() for shape in found.values()]).exterior
    on_frame = {
        kind: {name for name, shape in shapes[kind].items() if shape.boundary.intersection(frame).length > TURN}
        for kind in ("province", "sea")
    }
    assert on_frame["sea"] == {name for name, zone in board["zones"].items() if zone["touches_edge"]}
    assert on_frame["province"] == {name for name, row in board["provinces"].items() if row["land_edge"]}


def test_the_checks_find_nothing_wrong_with_the_maps(board: dict[str, Any]) -> None:
    problems = Problems()
    geometry = read_geometry(FOLDER / f"{board['name']}.geojson", "map", problems)
    assert not problems.sentences
    assert geometry is not None
    assert disagreements(geometry, board) == []
    assert geometry.title == board["title"]


def test_a_marker_fits_into_every_province(board: dict[str, Any]) -> None:
    geometry = geometry_of(vl.ruleset("vinci", players=4, map=board["name"]))
    for name in board["provinces"]:
        _, _, radius = geometry.centers[name]
        assert radius * 900 >= 9, name


def test_the_map_of_europe_says_that_it_is_reconstructed() -> None:
    svg = vl.new_position(vl.ruleset("vinci", players=4), seed=1).picture().svg
    assert "Europe (reconstruction)" in svg
    assert "not the printed board" in svg


def test_any_gis_opens_the_file(board: dict[str, Any]) -> None:
    """Check what RFC 7946 asks for: closed rings, the outer one counter-clockwise, degrees."""
    for kind in ("province", "sea", "water", "beyond"):
        for name, polygons in features(board["name"], kind):
            for rings in polygons:
                for number, ring in enumerate(rings):
                    assert ring[0] == ring[-1], name
                    assert shapely.LinearRing(ring).is_ccw == (number == 0), name
                    assert all(-180 <= x <= 180 and -90 <= y <= 90 for x, y in ring), name


# A map without shapes -----------------------------------------------------------------------------------------------
def test_a_map_without_shapes_is_drawn_as_a_schematic(board: dict[str, Any]) -> None:
    drawn = schematic(board)
    assert drawn.is_schematic
    assert drawn.provinces.keys() == board["provinces"].keys()
    for name, other in ((a, b) for a in drawn.provinces for b in drawn.provinces if a < b):
        assert drawn.provinces[name].disjoint(drawn.provinces[other])


def test_a_transcript_is_drawn_on_the_shapes_of_the_map_of_its_name() -> None:
    rules = vl.ruleset("vinci", players=4, map="lagoon")
    assert not geometry_of(rules.definition.build(rules.to_json())).is_schematic
    content = rules.to_json()
    content["map"]["name"] = "elsewhere"
    assert geometry_of(rules.definition.build(content)).is_schematic


# Broken files -------------------------------------------------------------------------------------------------------
def square(x: float, y: float, size: float = 1) -> dict[str, Any]:
    corners = [[x, y], [x + size, y], [x + size, y + size], [x, y + size], [x, y]]
    return {"type": "Polygon", "coordinates": [corners]}


def feature(kind: Any, name: Any, shape: Any) -> dict[str, Any]:
    return {"type": "Feature", "properties": {"kind": kind, "name": name}, "geometry": shape}


def collection(*found: Any, **members: Any) -> str:
    return json.dumps({"type": "FeatureCollection", **members, "features": list(found)})


BROKEN = {
    "": "must not be empty",
    "{": "must be JSON",
    "[1]": "must be a FeatureCollection",
    collection(): "must have at least one feature of the kind province",
    collection(1): "feature 1: must be a feature with properties kind and name",
    collection(feature("island", "A", square(0, 0))): 'kind: must be one of province, sea, water, beyond, got "island"',
    collection(feature("province", 3, square(0, 0))): "name: must be a text, got 3",
    collection(feature("province", "A", None)): 'feature 1 ("A"): must have a Polygon or MultiPolygon as geometry',
    collection(feature("province", "A", {"type": "Point", "coordinates": [0, 0]})): "got Point",
    collection(feature("province", "A", {"type": "Polygon", "coordinates": "x"})): "got something else",
    collection(
        feature("province", "A", {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 1], [1, 0], [0, 0]]]})
    ): ("must be a polygon that does not cross itself"),
    collection(feature("province", "A", square(0, 0)), feature("province", "A", square(1, 0))): "the only province",
    collection(feature("province", "A", square(0, 0)), projection={"name": "globe"}): "projection: must be",
    collection(feature("province", "A", square(0, 0)), projection=7): "projection: must be",
    collection(
        feature("province", "A", square(0, 50)),
        projection={"name": "lambert_conformal_conic", "center": [1e9, 50], "parallels": [40, 60]},
    ): "projection: must be",
    collection(feature("province", "A", square(0, 0))).replace("[0, 0]", "[NaN, 0]", 1): "must be JSON",
    collection(feature("province", "A", square(0, 0))).replace("[0, 0]", f"[{'9' * 5000}, 0]", 1): "must be JSON",
    collection(feature("province", "A", square(0, 0, 1e300))): "coordinates must be from -1e+09 to 1e+09",
    collection(feature("province", "A", square(0, 0, 1e-12))): "coordinates must be from",
    collection(feature("province", "A", square(0, 0)), feature("sea", "S", square(0, 99))): "times as high as wide",
    collection(
        feature("province", "A", square(0, -90)),
        projection={"name": "lambert_conformal_conic", "center": [0, 50], "parallels": [40, 60]},
    ): "coordinates must be degrees that its projection can show",
}


@pytest.mark.parametrize("text", BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_described_and_never_drawn(text: str, tmp_path: Path) -> None:
    path = tmp_path / "m.geojson"
    path.write_text(text, encoding="utf-8")
    problems = Problems()
    assert read_geometry(path, "m.geojson", problems) is None
    (sentence,) = problems.sentences
    assert sentence.startswith("m.geojson")
    assert BROKEN[text] in sentence


def small_board(*borders: tuple[str, str, str]) -> dict[str, Any]:
    names = ("A", "B", "C")
    return {
        "provinces": {name: {"seas": ["S"] if name == "A" else [], "other_water": name == "B"} for name in names},
        "zones": {"S": {}},
        "links": [],
        "optional_links": [],
        "borders": [{"a": a, "b": b, "kind": kind} for a, b, kind in borders],
    }


def small_geometry(tmp_path: Path, *found: Any) -> Any:
    path = tmp_path / "m.geojson"
    path.write_text(collection(*found), encoding="utf-8")
    problems = Problems()
    geometry = read_geometry(path, "m.geojson", problems)
    assert not problems.sentences
    return geometry


ROW = [feature("province", name, square(x, 0)) for name, x in (("A", 0), ("B", 1), ("C", 2))]
SEA = [feature("sea", "S", square(-1, 0)), feature("water", "Lake", square(1, 1))]
GOOD = (("A", "B", "land"), ("B", "C", "land"))
NEAR = '"B" and "C" have a land border, their shapes share no stretch of outline; they are very near'
RING = {"type": "Polygon", "coordinates": [square(-4, -4, 9)["coordinates"][0], square(-2, -2, 6)["coordinates"][0]]}


def test_shapes_and_tables_that_agree(tmp_path: Path) -> None:
    assert disagreements(small_geometry(tmp_path, *ROW, *SEA), small_board(*GOOD)) == []


@pytest.mark.parametrize(
    ("borders", "found", "expected"),
    [
        ((*GOOD, ("A", "C", "land")), [*ROW, *SEA], '"A" and "C" have a land border, their shapes share no stretch'),
        ((GOOD[0], ("B", "C", "coastal")), [*ROW, *SEA], '"B" and "C" have a coastal border, their shapes touch'),
        ((GOOD[0],), [*ROW, *SEA], 'the shapes of "B" and "C" touch, the table of borders has no such pair'),
        (GOOD, [*ROW[:2], *SEA], 'the province "C" has no shape'),
        (GOOD, [*ROW, feature("province", "Cc", square(5, 0)), *SEA], 'there is no province "Cc"'),
        (GOOD, ROW, 'the sea "S" has no shape'),
        (GOOD, [*ROW, feature("sea", "S", square(-3, 0))], '"A" lies on the sea "S" by its row, its shape does not'),
        (GOOD, [*ROW, feature("sea", "S", square(3, 0))], 'the shapes of "C" and of the sea "S" touch, the row of "C"'),
        (GOOD, [*ROW, SEA[0]], '"B" has other water by its row, its shape touches none'),
        (GOOD, [*ROW, *SEA, feature("water", "Pond", square(2, -1))], 'the shape of "C" touches water, its row'),
        (GOOD, [*ROW, *SEA, feature("beyond", "Waste", square(2, 0))], '"C" and "Waste" must not overlap'),
        (GOOD, [*ROW[:2], feature("province", "C", square(2 + 1e-9, 0)), *SEA], NEAR),
        (GOOD, [*ROW, *SEA, feature("beyond", "Waste", RING)], "there is a hole between the shapes, beside"),
        (GOOD, [*ROW[:2], feature("province", "C", square(1.5, 0)), *SEA], '"B" and "C" must not overlap'),
        (GOOD, [*ROW[:2], feature("province", "C", square(2, 1)), *SEA], '"B" and "C" have a land border'),
    ],
)  # fmt: skip
def test_every_disagreement_is_found(borders: Any, found: Any, expected: str, tmp_path: Path) -> None:
    sentences = disagreements(small_geometry(tmp_path, *found), small_board(*borders))
    assert any(sentence.startswith(expected) for sentence in sentences), sentences
