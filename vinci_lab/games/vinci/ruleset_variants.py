"""Vinci: changes of a map's structure, one border at a time, and the listed variants of a map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from vinci_lab.datafiles import Problems, as_number, near, read_csv, show
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci.ruleset_files import PROVINCE_CELLS

BORDERS = "map.borders."
KINDS = ("land", "coastal", "none")
COLUMNS = ("variant", "place", "value", "reason")


def set_border(board: dict[str, Any], name: str, value: Any, problems: Problems) -> None:
    """Add a border to a map, change its kind, or with ``none`` take it away.

    Parameters
    ----------
    board : dict
        The content's ``map``, which is changed.
    name : str
        ``map.borders.A/B``, two provinces in any order.
    value : {"land", "coastal", "none"}
        What lies between them.
    problems : Problems
        Where sentences go.
    """
    first, _, second = name.removeprefix(BORDERS).partition("/")
    unknown = [end for end in (first, second) if end not in board["provinces"]]
    if unknown:
        sentence = f"must name two provinces as in map.borders.A/B, got {show(unknown[0])}"
        problems.add_at(name, f"{sentence}; {near(unknown[0], board['provinces'])}")
    elif first == second:
        problems.add_at(name, f"must name two different provinces, got {show(first)} twice")
    elif value not in KINDS:
        problems.add_at(name, f"must be one of {', '.join(KINDS)}, got {show(value)}")
    else:
        kept = [border for border in board["borders"] if {border["a"], border["b"]} != {first, second}]
        board["borders"] = kept if value == "none" else [*kept, {"a": first, "b": second, "kind": value}]


def variants(rules: Ruleset) -> list[dict[str, Any]]:
    """Return the listed variants of the map, from ``NAME_variants.csv`` beside its other files.

    Returns
    -------
    list of dict
        ``name``, ``changes`` for :meth:`Ruleset.replace`, and ``reason``; in the order of the file. Empty if the map
        has no such file, or the rules were not read from files.

    Raises
    ------
    DataError
        If the file is broken.
    """
    shapes = rules.sources.get("shapes", "")
    path = Path(shapes).with_name(f"{Path(shapes).stem}_variants.csv") if shapes else None
    if path is None or not path.is_file():
        return []
    problems, found = Problems(), dict[str, dict[str, Any]]()
    file = read_csv(path, path.name, COLUMNS, problems)
    for row in file.rows if file else ():
        cells = row.cells
        name, place = cells.get("variant", ""), cells.get("place", "")
        one = found.setdefault(name, {"name": name, "changes": {}, "reason": ""})
        one["changes"][place] = _value(place, cells.get("value", ""))
        one["reason"] = one["reason"] or cells.get("reason", "")
    for name, one in found.items():
        try:
            rules.replace(one["changes"])
        except ValueError as error:
            problems.add_at(f"{path.name}, variant {name}", str(error))
    problems.raise_if_any()
    return list(found.values())


def _value(place: str, cell: str) -> Any:
    """Return a cell as the place holds it: columns of provinces as in the map's file, numbers, else words."""
    column = place.rpartition(".")[2]
    if place.startswith("map.provinces."):
        return PROVINCE_CELLS[column](cell) if column in PROVINCE_CELLS else cell
    return as_number(cell)
