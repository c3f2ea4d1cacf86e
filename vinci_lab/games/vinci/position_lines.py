"""Vinci: the small parts of a position's text: lists of provinces, pairs of tiles, named numbers, and their readers.

A name from the data files stands as it is, or in JSON quotes where it would be misread. Lists are separated by commas;
``none`` is the empty list.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

NONE = "none"
WIDTH = 118
LARGEST = 2**63 - 1
_SPECIAL = re.compile(r'[,"#:\\]|\s\s|^\s|\s$|[^\S ]| \+ ')
_ITEM = re.compile(r'"(?:[^"\\]|\\.)*"|[^,"]+')
_PLACE = re.compile(r"(?P<name>.+?)(?: (?P<tokens>-?\d{1,19}))?(?P<fort> fort)?", re.DOTALL)
_NUMBERED = re.compile(r"(?P<name>.+) (?P<number>-?\d{1,19})", re.DOTALL)
_COPY = re.compile(r"(?P<name>.+)#(?P<copy>\d{1,3})(?: (?P<times>\d{1,9}))?", re.DOTALL)


@dataclass
class Reader:
    """Where a text is read, and what has been found wrong with it.

    Attributes
    ----------
    provinces, kinds : sequence of str
        Names by number.
    kind_of : sequence of int
        Kind of each tile.
    problems : list of str
        Sentences.
    """

    provinces: Sequence[str]
    kinds: Sequence[str]
    kind_of: Sequence[int]
    problems: list[str] = field(default_factory=list)

    def report(self, line: int, what: str) -> None:
        """Add a sentence."""
        self.problems.append(f"line {line}: {what}")


class Place(NamedTuple):
    """A province in a list, with its tokens (None when not written) and fort."""

    province: int
    tokens: int | None
    is_fortified: bool


# Writing ------------------------------------------------------------------------------------------------------------


def write_name(name: str, names: Sequence[str]) -> str:
    """Return a name as it may stand in a list, quoted if it could be misread."""
    match = _PLACE.fullmatch(name)
    is_split = match is not None and match["name"] != name
    is_plain = name and name.isprintable() and not _SPECIAL.search(name) and name != NONE and not is_split
    return name if is_plain else json.dumps(name).replace(",", r"\u002c").replace("+", r"\u002b")


def write_list(items: Iterable[str]) -> str:
    """Return items as a list."""
    return ", ".join(items) or NONE


def write_numbers(numbers: Mapping[str, int]) -> str:
    """Return named numbers as a list."""
    return write_list(f"{name} {int(number)}" for name, number in numbers.items())


def write_line(indent: str, key: str, value: str) -> str:
    """Return ``key: value``, folded at commas into lines that are indented more deeply."""
    items = value.split(", ")
    lines, current = [], f"{indent}{key}: {items[0]}"
    for item in items[1:]:
        if len(current) + len(item) + 2 > WIDTH:
            lines.append(current + ",")
            current = f"{indent}    {item}"
        else:
            current += f", {item}"
    return "\n".join([*lines, current])


# Reading ------------------------------------------------------------------------------------------------------------


def split_list(text: str) -> list[str]:
    """Return the items of a list; commas within quotes do not separate."""
    if text.strip() == NONE:
        return []
    items, current = [], ""
    end = 0
    for match in _ITEM.finditer(text):
        if "," in text[end : match.start()]:
            items.append(current.strip())
            current = ""
        current += match.group()
        end = match.end()
    return [*items, current.strip()]


def read_name(text: str) -> str:
    """Return a name without its quotes; raise ``ValueError`` for quotes that are not JSON."""
    if text.startswith('"'):
        value = json.loads(text)
        if isinstance(value, str):
            return value
    return text


def _unquoted(text: str) -> tuple[str, str]:
    """Return a quoted name at the start of an item and what follows it; no name when there is none."""
    match = re.match(r'"(?:[^"\\]|\\.)*"', text)
    return (read_name(match.group()), text[match.end() :]) if match else ("", text)


def read_places(reader: Reader, line: int, text: str) -> list[Place]:
    """Return a list of provinces with tokens and forts, and report what is no province."""
    return [place for item in split_list(text) if (place := _read_place(reader, line, item)) is not None]


def _read_place(reader: Reader, line: int, item: str) -> Place | None:
    try:
        name, rest = _unquoted(item)
    except ValueError:
        reader.report(line, f"{item!r} is not a name in quotes")
        return None
    match = _PLACE.fullmatch(f"x{rest}" if name else item)
    if match is None or (name and match["name"] != "x"):
        reader.report(line, f"{item!r} is not a province with its tokens; allowed: like 'Poland 3' or 'Poland 3 fort'")
        return None
    found = name or match["name"]
    if found not in reader.provinces:
        reader.report(line, f"{item!r}: there is no province {found!r}; {near(found, reader.provinces)}")
        return None
    tokens = None if match["tokens"] is None else int(match["tokens"])
    return Place(reader.provinces.index(found), tokens, match["fort"] is not None)


def read_copies(reader: Reader, line: int, text: str) -> dict[int, int]:
    """Return a list of tiles as their numbers, each with the number written after it (1 when there is none)."""
    found: dict[int, int] = {}
    for item in split_list(text):
        copy, times = _read_copy(reader, line, item)
        if copy in found:
            reader.report(line, f"{item!r} is named twice")
        elif copy >= 0:
            found[copy] = times
    return found


def read_pair(reader: Reader, line: int, text: str) -> tuple[int, int]:
    """Return two tiles, written ``Weapons#20 + Astronomy#35``, as their numbers; -1 for none."""
    parts = text.split(" + ")
    if len(parts) != 2:
        reader.report(line, f"{text!r} is not a pair of tiles; allowed: two of them with ' + ' between")
        return -1, -1
    first, second = (-1 if part.strip() == NONE else _read_copy(reader, line, part.strip())[0] for part in parts)
    return first, second


def _read_copy(reader: Reader, line: int, item: str) -> tuple[int, int]:
    """Return the number of a tile and what is written after it; -1 after reporting what is wrong."""
    try:
        name, rest = _unquoted(item)
    except ValueError:
        reader.report(line, f"{item!r} is not a name in quotes")
        return -1, 1
    match = _COPY.fullmatch(f"x{rest}" if name else item)
    if match is None or (name and match["name"] != "x"):
        reader.report(line, f"{item!r} is not a tile with its number; allowed: like 'Weapons#20'")
        return -1, 1
    found, copy = name or match["name"], int(match["copy"])
    if copy >= len(reader.kind_of):
        reader.report(line, f"{item!r}: there is no tile {copy}; allowed: 0 to {len(reader.kind_of) - 1}")
        return -1, 1
    right = reader.kinds[reader.kind_of[copy]]
    if found != right:
        reader.report(line, f"{item!r}: tile {copy} is {right!r}")
        return -1, 1
    return copy, int(match["times"] or 1)


def read_numbers(reader: Reader, line: int, text: str, names: Iterable[str]) -> dict[str, int]:
    """Return named numbers, and report those that are missing, unknown or written twice."""
    wanted, found = list(names), dict[str, int]()
    for item in split_list(text):
        match = _NUMBERED.fullmatch(item)
        if match is None or abs(int(match["number"])) > LARGEST:
            reader.report(line, f"{item!r} is not a name and a whole number")
        elif match["name"] not in wanted:
            reader.report(line, f"there is no number {match['name']!r} here; {near(match['name'], wanted)}")
        elif match["name"] in found:
            reader.report(line, f"{match['name']!r} is given twice")
        else:
            found[match["name"]] = int(match["number"])
    missing = [name for name in wanted if name not in found]
    if missing:
        reader.report(line, f"{', '.join(repr(name) for name in missing)} is missing")
    return found


def near(found: str, allowed: Sequence[str]) -> str:
    """Return the part of a sentence that names what is allowed, the nearest first where there are many."""
    close = difflib.get_close_matches(found, allowed, n=4)
    if close or len(allowed) > 12:
        return f"near it are {', '.join(close)}" if close else f"allowed: {', '.join(allowed[:12])}, ..."
    return f"allowed: {', '.join(allowed)}"
