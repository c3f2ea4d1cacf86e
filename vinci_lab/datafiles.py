"""The data files: where they are, and how they are read so that everything wrong is said at once.

The folder ``data/`` is looked for in this order: the argument, the environment variable ``VINCI_LAB_DATA``, inside the
installed package, beside the package in a checkout.

A game's loader reads its files into one plain ``content`` and notes in :class:`Problems` where each part came from. The
checks then speak of the content alone, and their sentences still name file, row and column.
"""

from __future__ import annotations

import csv
import difflib
import io
import json
import os
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vinci_lab.engine.ruleset import DataError

if TYPE_CHECKING:
    from pydantic import BaseModel

VARIABLE = "VINCI_LAB_DATA"
LONGEST_SHOWN = 60

Place = tuple[str | int, ...]


# Where the files are ------------------------------------------------------------------------------------------------
def shipped_root() -> Path:
    """Return the data folder that came with the program: inside the wheel, or in the checkout."""
    inside = Path(__file__).with_name("data")
    return inside if inside.is_dir() else Path(__file__).resolve().parents[1] / "data"


def data_root(override: str | Path | None = None) -> Path:
    """Return the folder of editable data files.

    Parameters
    ----------
    override : path, optional
        A folder to use instead of ``$VINCI_LAB_DATA`` and the shipped one.

    Raises
    ------
    DataError
        If the folder does not exist.
    """
    asked = override or os.environ.get(VARIABLE)
    root = Path(asked).expanduser() if asked else shipped_root()
    if not root.is_dir():
        source = "data" if override else VARIABLE if asked else "data folder"
        raise DataError([f"{source}: must be a folder laid out like the program's data/, got {str(root)!r}"])
    return root


def label(root: Path, path: Path) -> str:
    """Return how messages name a file: by its place in the data folder, or by its path if it is elsewhere."""
    if not path.is_relative_to(root):
        return path.as_posix()
    return f"{root.resolve().name}/{path.relative_to(root).as_posix()}"


# Saying what is wrong -----------------------------------------------------------------------------------------------
def show(value: Any) -> str:
    """Return a value as it may stand in a message: short, on one line, and printable."""
    try:
        text = json.dumps(value, ensure_ascii=False, default=repr)
    except (ValueError, TypeError, RecursionError):
        text = f"a value of type {type(value).__name__}"
    text = text if text.isprintable() else ascii(text)[1:-1]
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 1] + "…"


def near(word: str, options: Iterable[str]) -> str:
    """Return the options most like a word as ``did you mean a or b?``, or all of them if none is alike."""
    known = list(options)
    alike = difflib.get_close_matches(word, known, n=3, cutoff=0.6)
    return f"did you mean {' or '.join(alike)}?" if alike else f"known are {', '.join(known)}"


@dataclass
class Problems:
    """What is wrong with some content, sentence by sentence, and where each part of it was read.

    Attributes
    ----------
    sentences : dict
        What has been found so far, as keys in order.
    """

    sentences: dict[str, None] = field(default_factory=dict)
    _origins: dict[Place, tuple[str, str]] = field(default_factory=dict)
    _silent: set[Place] = field(default_factory=set)

    def read_from(self, place: Place, words: str, child: str = "") -> None:
        """Note where a part of the content was read; ``child`` is put before the names of its own parts."""
        self._origins[place] = (words, child)

    def silence(self, place: Place) -> None:
        """Say nothing more about a part: what is wrong with it has been said."""
        self._silent.add(place)

    def where(self, place: Place) -> str:
        """Return a part's file, row and column, or its dotted place when it was not read from a file."""
        for length in range(len(place), 0, -1):
            if place[:length] in self._origins:
                words, child = self._origins[place[:length]]
                rest = ".".join(_printable(part) for part in place[length:])
                return f"{words}, {child}{rest}" if rest else words
        return ".".join(_printable(part) for part in place) or "content"

    def add(self, place: Place, sentence: str) -> None:
        """Add a sentence about a part of the content, unless the part is silenced or the sentence is there already."""
        if not any(place[:length] in self._silent for length in range(len(place) + 1)):
            self.add_at(self.where(place), sentence)

    def add_at(self, where: str, sentence: str) -> None:
        """Add a sentence about a place in a file."""
        self.sentences[f"{where}: {sentence}"] = None

    def raise_if_any(self) -> None:
        """Raise :class:`DataError` with all sentences, if there are any."""
        if self.sentences:
            raise DataError(list(self.sentences))


def _printable(part: str | int) -> str:
    text = str(part)
    return text if text.isprintable() and len(text) <= LONGEST_SHOWN else show(text)


def check(model: type[BaseModel], value: Any, place: Place, problems: Problems) -> bool:
    """Check one flat part of the content against a model whose fields' descriptions say what is allowed."""
    from pydantic import ValidationError

    if not isinstance(value, Mapping):
        problems.add(place, f"must be a table with {', '.join(model.model_fields)}, got {show(value)}")
        return False
    try:
        model.model_validate(value)
    except ValidationError as error:
        for detail in error.errors(include_url=False, include_context=False):
            name = str(detail["loc"][0]) if detail["loc"] else ""
            allowed = model.model_fields[name].description if name in model.model_fields else ""
            if detail["type"] == "extra_forbidden":
                sentence = f"is not known here; {near(name, model.model_fields)}"
            elif detail["type"] == "missing":
                sentence = f"is missing; must be {allowed}"
            else:
                sentence = f"must be {allowed}, got {show(value.get(name))}"
            problems.add((*place, name), sentence)
        return False
    return True


# Reading files ------------------------------------------------------------------------------------------------------
def read_text(path: Path, name: str, problems: Problems) -> str | None:
    """Return the text of a UTF-8 file (a byte order mark is accepted), or None after saying what is wrong."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        problems.add_at(name, f"cannot be read ({error.strerror or type(error).__name__}); the file must exist")
        return None
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = raw[: error.start].count(b"\n") + 1
        problems.add_at(f"{name}, row {row}", f"must be UTF-8 text, got the byte 0x{raw[error.start]:02X}")
        return None
    if not text.strip():
        problems.add_at(name, "must not be empty, got no text")
        return None
    return text


@dataclass(frozen=True)
class TomlFile:
    """A TOML file: its table, and the row each key stands on."""

    name: str
    table: dict[str, Any]
    rows: Mapping[tuple[str, ...], int]

    def where(self, *keys: str) -> str:
        """Return the file's name with the row of a key, or of the nearest table around it."""
        for length in range(len(keys), 0, -1):
            if keys[:length] in self.rows:
                return f"{self.name}, row {self.rows[keys[:length]]}, {'.'.join(keys)}"
        return f"{self.name}, {'.'.join(keys)}" if keys else self.name


def read_toml(path: Path, name: str, problems: Problems) -> TomlFile | None:
    """Return a TOML file, or None after saying what is wrong."""
    text = read_text(path, name, problems)
    if text is None:
        return None
    try:
        table = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        row = re.search(r"at line (\d+), column (\d+)", str(error))
        where = f"{name}, row {row[1]}, column {row[2]}" if row else name
        problems.add_at(where, f"must be TOML, got something else ({error})")
        return None
    return TomlFile(name, table, dict(_rows_of_keys(text)))


def _rows_of_keys(text: str) -> Iterable[tuple[tuple[str, ...], int]]:
    """Yield the keys and tables of a TOML text with their rows, as far as they stand at the start of a line."""
    table: tuple[str, ...] = ()
    in_text = False
    for row, line in enumerate(text.splitlines(), start=1):
        if not in_text and (header := re.match(r"\s*\[([\w.-]+)\]", line)):
            table = tuple(header[1].split("."))
            yield table, row
        elif not in_text and (key := re.match(r"\s*(?:\"([^\"]+)\"|([\w-]+))\s*=", line)):
            yield (*table, key[1] or key[2]), row
        if line.count('"""') % 2 == 1:
            in_text = not in_text


@dataclass(frozen=True)
class CsvRow:
    """A row of a CSV file: the line it starts on (the header is 1) and its stripped cells by column."""

    line: int
    cells: Mapping[str, str]


@dataclass(frozen=True)
class CsvFile:
    """A CSV file with a header."""

    name: str
    rows: tuple[CsvRow, ...]
    missing: frozenset[str]  # columns that should be there

    def where(self, row: CsvRow) -> str:
        """Return the file's name with the row."""
        return f"{self.name}, row {row.line}"


def read_csv(path: Path, name: str, columns: Iterable[str], problems: Problems) -> CsvFile | None:
    """Return a CSV file that must have exactly these columns, in any order, or None if it cannot be read at all."""
    text = read_text(path, name, problems)
    if text is None:
        return None
    expected = tuple(columns)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    lines: list[tuple[int, list[str]]] = []
    try:
        start = 1
        for cells in reader:
            lines.append((start, [cell.strip() for cell in cells]))
            start = reader.line_num + 1
    except csv.Error as error:
        problems.add_at(
            f"{name}, row {reader.line_num}", f"must be comma-separated values, got something else ({error})"
        )
        return None
    header = lines[0][1]
    for column in dict.fromkeys(header):
        if column not in expected:
            problems.add_at(f"{name}, row 1, column {show(column)}", f"is not known here; {near(column, expected)}")
        elif header.count(column) > 1:
            problems.add_at(
                f"{name}, row 1, column {column}", f"must be there once, got it {header.count(column)} times"
            )
    missing = frozenset(expected) - set(header)
    for column in (column for column in expected if column in missing):
        problems.add_at(f"{name}, row 1, column {column}", f"is missing; the columns must be {', '.join(expected)}")
    rows = []
    for line, cells in lines[1:]:
        if not any(cells):
            continue
        if len(cells) != len(header):
            problems.add_at(f"{name}, row {line}", f"must have {len(header)} cells as the header has, got {len(cells)}")
        padded = cells + [""] * (len(header) - len(cells))
        rows.append(CsvRow(line, dict(zip(header, padded, strict=False))))
    return CsvFile(name, tuple(rows), missing)


def as_number(cell: str) -> int | str:
    """Return a cell as a whole number, or as it is when it is none; the checks say what is wrong with it."""
    return int(cell) if re.fullmatch(r"[+-]?[0-9]{1,18}", cell) else cell


def as_switch(cell: str) -> bool | str:
    """Return ``yes`` or ``no`` as a truth value, or the cell as it is."""
    return {"yes": True, "no": False}.get(cell, cell)
