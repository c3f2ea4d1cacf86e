"""Vinci: a position from its text; everything that is wrong with a text is said at once."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from vinci_lab.engine import entries
from vinci_lab.engine.records import new_record
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.games.vinci import position_lines as lines
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.position_fields import (
    COPY_SETS,
    NUMBERS,
    ORDER,
    PHASES,
    REPORT_WORDS,
    REPORTS,
    SEAT_NUMBERS,
    has_order,
    out_of_range,
    who_acts,
)
from vinci_lab.games.vinci.position_lines import Place, Reader
from vinci_lab.games.vinci.words import SLOT_NAMES, vocabulary

Found = dict[tuple[str, str], tuple[int, str]]  # (block, key) -> line number and value


def read_position(rules: Ruleset, text: str) -> Any:
    """Return the record a text describes.

    Raises
    ------
    DataError
        With all that is wrong: line, what was found, what is allowed.
    """
    record, problems = read_lines(rules, text)
    problems = problems or out_of_range(rules, record)
    if problems:
        raise DataError(problems)
    return record


def read_lines(rules: Ruleset, text: str) -> tuple[Any, list[str]]:
    """Return a record with all that could be read, and what is wrong."""
    words = vocabulary(rules)
    reader = Reader(words.provinces, words.kinds, [int(kind) for kind in rules.tables.kind_of[: rules.tables.copies]])
    record = new_record(at.STATE)
    entries.begin_game(rules.tables, record, 0)
    record.tokens[:] = 0
    Filler(rules, record, reader, _find_lines(reader, rules, text)).fill()
    return record, reader.problems


def _expected(rules: Ruleset) -> dict[str, list[str]]:
    """Return the keys of every block."""
    seat = [*SEAT_NUMBERS, "tiles", "empire", "old tiles", "in decline", "peace with"]
    blocks = {"": ["vinci", "rules", "turn", *PHASES, "to act", "end", *([ORDER] if has_order(rules) else [])]}
    blocks |= {f"seat {number}": seat for number in range(rules.seats)}
    blocks |= {"board": ["neutral", "empty"], "tray": list(SLOT_NAMES), "bag": [*COPY_SETS, "times returned"]}
    return blocks | {"in progress": ["numbers", "kept", *REPORTS], "hidden": ["numbers"]}


def _find_lines(reader: Reader, rules: Ruleset, text: str) -> Found:
    """Return the values of all lines, and report lines that are unknown, written twice or missing."""
    expected, found = _expected(rules), Found()
    block, last = "", ("", "")
    for number, row in enumerate(text.split("\n"), 1):
        content = row.strip()
        indent = len(row) - len(row.lstrip(" "))
        key, colon, value = content.partition(":")
        if not content:
            continue
        if indent >= 4 and last in found:
            found[last] = (found[last][0], f"{found[last][1]} {content}")
        elif indent == 0 and not colon:
            block = content
            if block not in (*expected, "other"):
                reader.report(number, f"there is no block {block!r}; {lines.near(block, [*expected, 'other'][1:])}")
        else:
            last = ("" if indent == 0 else block, key.strip())
            if last in found:
                reader.report(number, f"{key!r} is written twice in this block")
            elif last[0] in expected and last[1] not in expected[last[0]]:
                reader.report(number, f"there is no line {key!r} here; {lines.near(key, expected[last[0]])}")
            else:
                found[last] = (number, value.strip())
    missing = [
        f"{where}: {key}" if where else key
        for where, keys in expected.items()
        for key in keys
        if (where, key) not in found and key not in ("rules", "to act")
    ]
    if missing:
        listed = ", ".join(repr(name) for name in missing[:12]) + (", ..." if len(missing) > 12 else "")
        reader.problems.append(f"position: the lines {listed} are missing")
    return found


class Filler:
    """Fills a record from the lines of a text."""

    def __init__(self, rules: Ruleset, record: Any, reader: Reader, found: Found) -> None:
        self.rules, self.record, self.reader, self.found = rules, record, reader, found
        self.tokens: dict[int, int] = {}

    def value(self, block: str, key: str) -> tuple[int, str] | None:
        """Return the line number and the value of a line; a missing line has been reported already."""
        return self.found.get((block, key))

    def fill(self) -> None:
        """Read everything."""
        record = self.record
        self.head()
        for (block, key), fields in NUMBERS.items():
            self.numbers(block, key, fields)
        if line := self.value("", ORDER):
            self.order(*line)
        for seat in range(self.rules.seats):
            self.seat(seat)
        record.neutral = self.places("board", "neutral", 1)
        self.places("board", "empty", 0)
        record.kept = self.places("in progress", "kept", None)
        unnamed = [name for place, name in enumerate(self.reader.provinces) if place not in self.tokens]
        if unnamed and not self.reader.problems:
            self.reader.problems.append(f"board: {', '.join(unnamed)} stands in no list of provinces")
        for slot, name in enumerate(SLOT_NAMES):
            self.pair_and_number("tray", name, record.tray[slot], "coins", record.coins, slot)
        for key, field in COPY_SETS.items():
            if line := self.value("bag", key):
                record[field] = sum(1 << copy for copy in lines.read_copies(self.reader, *line))
        if line := self.value("bag", "times returned"):
            for copy, times in lines.read_copies(self.reader, *line).items():
                record.entries[copy] = times
        for key, field in REPORTS.items():
            if line := self.value("in progress", key):
                for name, number in lines.read_numbers(self.reader, *line, REPORT_WORDS).items():
                    record[field][REPORT_WORDS.index(name)] = number
        self.other()
        self.check_who_acts()

    def head(self) -> None:
        """Check which game and rules a text is for, and read the phases."""
        rules, report = self.rules, self.reader.report
        right = f"{rules.edition}, {rules.seats} seats"
        if (line := self.value("", "vinci")) and line[1] != right:
            report(line[0], f"the position is for {line[1]!r}, these rules are for {right!r}")
        if (line := self.value("", "rules")) and line[1] != rules.hash:
            report(
                line[0],
                f"the position was written for rules {line[1]!r}, these are {rules.hash!r}; "
                "without this line it is read for any rules",
            )
        names = [name.replace("_", " ") for name in at.PHASE_NAMES]
        for key, field in PHASES.items():
            if line := self.value("", key):
                if line[1] in names:
                    self.record[field] = names.index(line[1])
                else:
                    report(line[0], f"there is no phase {line[1]!r}; allowed: {', '.join(names)}")

    def order(self, line: int, text: str) -> None:
        """Read the turn order, a list of all seats."""
        names = [f"seat {seat}" for seat in range(self.rules.seats)]
        items = lines.split_list(text)
        if sorted(items) != names:
            self.reader.report(line, f"{text!r} is not a turn order; allowed: {', '.join(names)}, each once")
            return
        for seat, after in zip(items, [*items[1:], items[0]], strict=True):
            self.record.seat_after[names.index(seat)] = names.index(after)

    def numbers(self, block: str, key: str, fields: dict[str, str], seat: int | None = None) -> None:
        """Read a line of named numbers."""
        if line := self.value(block, key):
            for name, number in lines.read_numbers(self.reader, *line, fields).items():
                if seat is None:
                    self.record[fields[name]] = number
                else:
                    self.record[fields[name]][seat] = number

    def seat(self, seat: int) -> None:
        """Read the block of a seat."""
        record, block = self.record, f"seat {seat}"
        for key, fields in SEAT_NUMBERS.items():
            self.numbers(block, key, fields, seat)
        if line := self.value(block, "tiles"):
            record.tile[seat, :] = lines.read_pair(self.reader, *line)
        self.pair_and_number(block, "old tiles", record.old_tile[seat], "bonus factor", record.old_doubling, seat)
        record.active[seat] = self.places(block, "empire", None)
        record.decline[seat] = self.places(block, "in decline", None)
        if line := self.value(block, "peace with"):
            names = [f"seat {other}" for other in range(self.rules.seats)]
            for item in lines.split_list(line[1]):
                if item in names:
                    record.peace[seat] |= 1 << names.index(item)
                else:
                    self.reader.report(line[0], f"there is no {item!r}; allowed: {', '.join(names)}")

    def pair_and_number(self, block: str, key: str, pair: Any, name: str, numbers: Any, place: int) -> None:
        """Read two tiles with a number after a comma."""
        line = self.value(block, key)
        if line is None:
            return
        tiles, _, number = line[1].rpartition(", ")
        pair[:] = lines.read_pair(self.reader, line[0], tiles)
        numbers[place] = lines.read_numbers(self.reader, line[0], number, [name]).get(name, 0)

    def places(self, block: str, key: str, usual: int | None) -> int:
        """Read a list of provinces, note their tokens and forts, and return the set."""
        line = self.value(block, key)
        if line is None:
            return 0
        found = 0
        for place in lines.read_places(self.reader, *line):
            if found >> place.province & 1:
                self.reader.report(line[0], f"{self.reader.provinces[place.province]!r} is named twice in a list")
            found |= 1 << place.province
            if key != "kept":
                self.note(line[0], place, usual)
        return found

    def note(self, line: int, place: Place, usual: int | None) -> None:
        """Note the tokens and the fort of a province."""
        tokens = usual if place.tokens is None else place.tokens
        name = self.reader.provinces[place.province]
        if tokens is None:
            self.reader.report(line, f"{name!r} needs its number of tokens; allowed: like '{name} 3'")
        elif self.tokens.setdefault(place.province, tokens) != tokens:
            self.reader.report(line, f"{name!r} has {tokens} tokens here and {self.tokens[place.province]} elsewhere")
        else:
            self.record.tokens[place.province] = tokens
            self.record.forts |= int(place.is_fortified) << place.province

    def other(self) -> None:
        """Read the raw fields."""
        for (block, key), (line, value) in self.found.items():
            if block != "other":
                continue
            match = re.fullmatch(r"(\w+)(?:\[(\d+)(?:, (\d+))?\])?", key)
            name = match[1] if match else ""
            if not match or name not in (at.STATE.names or ()):
                self.reader.report(line, f"there is no field {key!r}; {lines.near(name, at.STATE.names or ())}")
                continue
            index = tuple(int(number) for number in match.groups()[1:] if number is not None)
            shape = np.shape(self.record[name])
            fits = len(index) == len(shape) and all(one < most for one, most in zip(index, shape, strict=False))
            if not fits or not re.fullmatch(r"-?\d{1,19}", value) or abs(int(value)) > lines.LARGEST:
                self.reader.report(line, f"{key}: {value!r} is no whole number, or {name} has no such place")
            elif index:
                self.record[name][index] = int(value)
            else:
                self.record[name] = int(value)

    def check_who_acts(self) -> None:
        """Compare who acts by the text with who acts by the rules."""
        line = self.value("", "to act")
        if line is None or self.reader.problems or out_of_range(self.rules, self.record):
            return
        acts = who_acts(self.rules, self.record)
        if acts != line[1]:
            self.reader.report(line[0], f"{line[1]!r} is to act, by the phase it is {acts!r}")
