"""Vinci: which numbers of the tiles can be adjusted to level them, and how an adjusted edition is written."""

from __future__ import annotations

import csv
import io
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from vinci_lab.datafiles import data_root
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.ruleset import in_order
from vinci_lab.games.vinci.ruleset_checks import columns
from vinci_lab.games.vinci.ruleset_files import TILE_COLUMNS

PROVENANCE = "tokens"  # the column that `confidence` and `reason` are about
BEFORE = "; before: "
LONGEST_REASON = 500


def adjustable(rules: Ruleset) -> dict[str, dict[str, Any]]:
    """Return the numbers of the tiles that can be adjusted, the red number first.

    Switches are left out, and columns of which the tabletop rules know nothing: there is no more or less of them.

    Returns
    -------
    dict
        By place, such as ``tiles.tokens``: ``column``; ``unit``; ``meaning``; ``lowest`` and ``highest``, the allowed
        values; ``values`` of the tiles in the bag by name; ``copies`` of these in the bag; and ``provenance``, by tile
        ``(confidence, low, high)`` of the number, empty for numbers of which the data do not say how sure they are.
    """
    tiles = rules.content["tiles"]
    names = [name for name in in_order(tiles, "number") if tiles[name]["copies"]]
    unknown = {at.MODIFIER_NAMES[column] for column in at.NOT_IN_TABLETOP}
    return {
        f"tiles.{column}": {
            "column": column,
            "unit": about["unit"],
            "meaning": about["meaning"],
            "lowest": int(about["lowest"]),
            "highest": int(about["highest"]),
            "values": {name: int(tiles[name][column]) for name in names},
            "copies": {name: int(tiles[name]["copies"]) for name in names},
            "provenance": {
                name: (tiles[name]["confidence"], tiles[name]["tokens_low"], tiles[name]["tokens_high"])
                for name in (names if column == PROVENANCE else ())
            },
        }
        for column, about in columns().items()
        if int(about["highest"]) - int(about["lowest"]) > 1 and column not in unknown
    }


def adjusted(rules: Ruleset, column: str, values: Mapping[str, int], study: str) -> Ruleset:
    """Return rules with other numbers of some tiles, and with it written beside each red number who set it.

    Parameters
    ----------
    rules : Ruleset
        Stays as it is.
    column : str
        Of the tiles.
    values : mapping of str to int
        New numbers by tile; those that are no others change nothing.
    study : str
        What set them, for the column ``reason``.
    """
    changes: dict[str, Any] = {}
    for name, value in values.items():
        tile = rules.content["tiles"][name]
        if int(value) == tile[column]:
            continue
        changes[f"tiles.{name}.{column}"] = int(value)
        if column == PROVENANCE:
            before = f"{tile[column]} ({tile['confidence']}): {tile['reason']}"
            if tile["confidence"] == "house" and BEFORE in tile["reason"]:
                before = tile["reason"].split(BEFORE, 1)[1]
            changes[f"tiles.{name}.confidence"] = "house"
            changes[f"tiles.{name}.reason"] = f"{study}{BEFORE}{before}"[:LONGEST_REASON]
    return rules.replace(changes) if changes else rules


def write_edition(rules: Ruleset, folder: Path) -> Path:
    """Write a data folder with the edition and its map, in which ``tiles.csv`` has the numbers of these rules.

    Only ``tiles.csv`` is written anew; the other files are copies of those the edition was read from. Rows and
    columns stay in their places.

    Parameters
    ----------
    rules : Ruleset
        Of this game.
    folder : Path
        To be given as ``data=`` afterwards. Made if it is not there.

    Returns
    -------
    Path
        Of ``tiles.csv``.

    Raises
    ------
    ValueError
        If the edition's files are not where they were, or no longer list the same tiles.
    """
    source = Path(rules.sources.get("folder", data_root() / "vinci" / rules.edition))
    maps = Path(rules.sources["shapes"]).parent if "shapes" in rules.sources else data_root() / "vinci" / "maps"
    if not (source / "tiles.csv").is_file():
        raise ValueError(f"{source}: must hold tiles.csv, from which the new one is made")
    edition, boards = folder / "vinci" / rules.edition, folder / "vinci" / "maps"
    text = _tiles_text(rules, source / "tiles.csv")
    for place in (edition, boards):
        place.mkdir(parents=True, exist_ok=True)
    (edition / "tiles.csv").write_text(text, encoding="utf-8")
    shutil.copyfile(source / "rules.toml", edition / "rules.toml")
    for path in maps.iterdir():
        if path.is_file() and path.resolve() != (boards / path.name).resolve():
            shutil.copyfile(path, boards / path.name)
    return edition / "tiles.csv"


def _tiles_text(rules: Ruleset, source: Path) -> str:
    """Return the text of a file of tiles with the numbers and texts of some rules."""
    reader = csv.DictReader(io.StringIO(source.read_text(encoding="utf-8-sig")))
    rows, header = list(reader), list(reader.fieldnames or ())
    tiles = rules.content["tiles"]
    if [row["name"].strip() for row in rows] != in_order(tiles, "number"):
        raise ValueError(f"{source}: must list the tiles of these rules in their order")
    for row in rows:
        tile = tiles[row["name"].strip()]
        numbers = {column: str(tile[column]) for column in TILE_COLUMNS if isinstance(tile.get(column), int)}
        numbers[f"copies_{rules.content['bag']}"] = str(tile["copies"])
        texts = {column: str(tile[column]) for column in ("title", "color", "confidence", "reason")}
        for column, value in {**numbers, **texts}.items():
            if (row.get(column) or "0").strip() != value and (row.get(column) or "").strip() != value:
                row[column] = value
    made = io.StringIO()
    writer = csv.DictWriter(made, header, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return made.getvalue()
