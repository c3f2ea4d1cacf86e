"""The lines of a transcript as plain JSON: reading them, checking their shape, and finding where two of them differ."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from vinci_lab.engine.game import game_names, game_of
from vinci_lab.engine.ruleset import DataError

Line = dict[str, Any]

LARGEST_NUMBER = 2**63 - 1
PROBLEMS_NAMED = 20
SHOWN = 60  # characters of a value in a sentence

# Kinds of values: name -> (test, words)
_NUMBER = "an integer"
_COUNT = "an integer from 0"
_TEXT = "a text"
_OBJECT = "an object"
_NUMBERS = "a list of numbers"
_TEXTS = "a list of texts"
_EVENTS = "a list of events, each an object with kind (a text), fields (an object of integers) and words (a text)"
_SEED = "an integer from 0, or null"

FIELDS: dict[str, dict[str, str]] = {
    "header": {
        "format": _TEXT,
        "format_version": _NUMBER,
        "program": _TEXT,
        "game": _TEXT,
        "game_version": _NUMBER,
        "edition": _TEXT,
        "players": _COUNT,
        "agents": _TEXTS,
        "seed": _SEED,
        "game_index": _SEED,
        "chance": _TEXT,
        "ruleset_hash": _TEXT,
        "rules": _OBJECT,
        "start": _TEXT,
    },
    "chance": {"turn": _COUNT, "who": _TEXT, "action": _COUNT, "words": _TEXT, "events": _EVENTS},
    "action": {
        "turn": _COUNT,
        "seat": _COUNT,
        "who": _TEXT,
        "action": _COUNT,
        "words": _TEXT,
        "events": _EVENTS,
    },
    "turn_end": {"turn_end": _COUNT, "scores": _NUMBERS, "position": _TEXT},
    "result": {"scores": _NUMBERS, "ranks": _NUMBERS, "shares": _NUMBERS, "rounds": _COUNT},
}


def _is_integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= LARGEST_NUMBER


def _is_number(value: Any) -> bool:
    return _is_integer(value) or isinstance(value, float)


def _is_event(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and set(value) == {"kind", "fields", "words"}
        and isinstance(value["kind"], str)
        and isinstance(value["words"], str)
        and isinstance(value["fields"], dict)
        and all(map(_is_integer, value["fields"].values()))
    )


def _fits(value: Any, kind: str) -> bool:
    """Return whether a value is of the kind that the words describe."""
    if kind == _SEED:
        return value is None or _fits(value, _COUNT)
    if kind in (_NUMBER, _COUNT):
        return _is_integer(value) and (kind == _NUMBER or value >= 0)
    if kind == _TEXT:
        return isinstance(value, str)
    if kind == _OBJECT:
        return isinstance(value, dict)
    members = {_NUMBERS: _is_number, _TEXTS: lambda member: isinstance(member, str), _EVENTS: _is_event}[kind]
    return isinstance(value, list) and all(map(members, value))


def parse_lines(data: bytes) -> list[Line]:
    """Return the JSON objects of a file.

    Raises
    ------
    DataError
        With every line that is not one.
    """
    lines, problems = [], []
    rows = data.split(b"\n")
    if rows[-1] == b"":
        rows.pop()
    for number, row in enumerate(rows, 1):
        try:
            lines.append(_parse(row))
        except UnicodeDecodeError as error:
            problems.append(f"line {number}: byte {error.start + 1} is not UTF-8")
        except RecursionError:
            problems.append(f"line {number}: lists and objects are nested too deeply")
        except ValueError as error:
            problems.append(f"line {number}: {error}")
        if len(problems) == PROBLEMS_NAMED:
            break
    if not rows:
        problems.append("line 1: the file is empty; a transcript begins with a header")
    if problems:
        raise DataError(problems)
    return lines


def _parse(row: bytes) -> Line:
    """Return one line, or raise ``ValueError`` with a sentence."""
    try:
        value = json.loads(row.decode("utf-8"), parse_constant=_refuse, object_pairs_hook=_no_duplicates)
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg.lower()} at character {error.pos + 1}") from None
    if not isinstance(value, dict):
        raise ValueError(f"{shown(value)} is not a JSON object")
    return value


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number JSON allows")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{shown(twice)} is given twice")
    return made


def check_lines(lines: list[Line], format_name: str, version: int, largest_seed: int) -> None:
    """Raise ``DataError`` with all that is wrong about the shape of a transcript's lines."""
    header = lines[0]
    problems = _shape(header, 1, ("header",))
    if not problems:
        problems = _header(header, format_name, version, largest_seed)
    for number, line in enumerate(lines[1:], 2):
        if len(problems) >= PROBLEMS_NAMED:
            break
        problems += _shape(line, number, ("chance", "action", "turn_end", "result"))
    if problems:
        raise DataError(problems[:PROBLEMS_NAMED])


def _shape(line: Line, number: int, allowed: tuple[str, ...]) -> list[str]:
    """Return what is wrong about the fields of one line."""
    kind = line.get("line")
    if not isinstance(kind, str) or kind not in allowed:
        return [f"line {number}: line: {shown(kind)} is not a kind of line here; allowed: {', '.join(allowed)}"]
    fields = FIELDS[kind]
    problems = [f"line {number}: {name}: is missing; it is {fields[name]}" for name in fields if name not in line]
    problems += [
        f"line {number}: {shown(name)}: there is no such field; allowed: {', '.join(fields)}"
        for name in line
        if name not in fields and name != "line"
    ]
    problems += [
        f"line {number}: {name}: {shown(line[name])} is not allowed; allowed: {fields[name]}"
        for name in fields
        if name in line and not _fits(line[name], fields[name])
    ]
    return problems


def _header(header: Line, format_name: str, version: int, largest_seed: int) -> list[str]:
    """Return what is wrong about the values of the header."""
    allowed: dict[str, tuple[Any, ...]] = {
        "format": (format_name,),
        "format_version": (version,),
        "game": game_names(),
        "chance": ("drawn", "given"),
    }
    problems = [
        f"line 1: {name}: {shown(header[name])} is not allowed; allowed: {', '.join(map(str, values))}"
        for name, values in allowed.items()
        if header[name] not in values
    ]
    if (header["seed"] is None) != (header["game_index"] is None):
        problems.append("line 1: seed and game_index: both are numbers, or both are null")
    if header["seed"] is None and header["chance"] == "drawn":
        problems.append("line 1: chance: 'drawn' needs a seed; allowed without one: given")
    if not problems and header["players"] not in game_of(header["game"]).players:
        counts = ", ".join(map(str, game_of(header["game"]).players))
        problems.append(f"line 1: players: {header['players']} is not allowed; allowed: {counts}")
    return problems


def difference(written: Any, right: Any, place: str) -> str | None:
    """Return the first difference between what is written and what is right as a sentence, or None."""
    if isinstance(written, Mapping) and isinstance(right, Mapping):
        for name in [*written, *(name for name in right if name not in written)]:
            if name not in written or name not in right:
                what = "is missing" if name not in written else "should not be there"
                return f"{place}: {printable(str(name))} {what}"
            if found := difference(written[name], right[name], f"{place}: {printable(str(name))}"):
                return found
        return None
    if isinstance(written, list) and isinstance(right, list):
        for index, (one, other) in enumerate(zip(written, right, strict=False)):
            if found := difference(one, other, f"{place}: number {index + 1}"):
                return found
        if len(written) != len(right):
            return f"{place}: {len(written)} are written, by the rules there are {len(right)}"
        return None
    if isinstance(written, str) and isinstance(right, str) and "\n" in written + right:
        return _text_difference(written, right, place)
    if type(written) is type(right) and written == right:
        return None
    return f"{place}: {shown(written)} is written, by the rules it is {shown(right)}"


def _text_difference(written: str, right: str, place: str) -> str | None:
    """Return the first row in which two texts of several rows differ."""
    one, other = written.split("\n"), right.split("\n")
    for row in range(max(len(one), len(other))):
        found, wanted = (rows[row] if row < len(rows) else None for rows in (one, other))
        if found != wanted:
            return f"{place}: row {row + 1}: {shown(found)} is written, by the rules it is {shown(wanted)}"
    return None


def shown(value: Any) -> str:
    """Return a value as it may stand in a sentence: short, on one line, without control characters."""
    text = "nothing" if value is None else repr(value)
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def printable(text: str) -> str:
    """Return a text with everything that could steer a terminal written out as an escape."""
    return "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
