"""Vinci: a position as text.

The text has a block for the moment of the game, one for each seat, and blocks for the board, the tray, the bag, the
turn in progress and the reports; ``docs/transcripts.md`` explains every line. What a line cannot say is written as a
raw field under ``other``, so that any possible record comes back as it was.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np

from vinci_lab.engine.ruleset import Ruleset
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
    members,
    who_acts,
)
from vinci_lab.games.vinci.position_lines import NONE
from vinci_lab.games.vinci.position_reading import read_lines
from vinci_lab.games.vinci.status import turn_order
from vinci_lab.games.vinci.words import SLOT_NAMES, vocabulary


def write_position(rules: Ruleset, state: Any) -> str:
    """Return a position as text, hidden fields included; ``read_position`` makes the same record of it."""
    text = "\n".join(Writer(rules, state).rows()) + "\n"
    record, _ = read_lines(rules, text)
    left = [] if record.tobytes() == state.tobytes() else list(_leftovers(state, record))
    return text + ("\nother\n" + "".join(f"  {row}\n" for row in left) if left else "")


class Writer:
    """Writes the lines of one position."""

    def __init__(self, rules: Ruleset, state: Any) -> None:
        self.rules, self.state = rules, state
        words = vocabulary(rules)
        self.provinces = [lines.write_name(name, words.provinces) for name in words.provinces]
        self.kinds = [lines.write_name(name, words.kinds) for name in words.kinds]
        self.kind_of = [int(kind) for kind in rules.tables.kind_of[: rules.tables.copies]]

    def rows(self) -> Iterator[str]:
        """Return the lines, blocks parted by empty ones."""
        rules, state = self.rules, self.state
        yield f"vinci: {rules.edition}, {rules.seats} seats"
        yield f"rules: {rules.hash}"
        yield self.numbers("", "turn")
        for key, field in PHASES.items():
            yield f"{key}: {self.phase(int(state[field]))}"
        yield f"to act: {who_acts(rules, state)}"
        yield self.numbers("", "end")
        if has_order(rules):
            order = turn_order(state, rules.seats) or range(rules.seats)
            yield f"{ORDER}: {lines.write_list(f'seat {seat}' for seat in order)}"
        for seat in range(rules.seats):
            yield ""
            yield f"seat {seat}"
            yield from self.seat(seat)
        yield "\nboard"
        yield from self.board()
        yield "\ntray"
        for slot, name in enumerate(SLOT_NAMES):
            yield f"  {name}: {self.pair(state.tray[slot])}, coins {int(state.coins[slot])}"
        yield "\nbag"
        for key, field in COPY_SETS.items():
            yield lines.write_line("  ", key, lines.write_list(map(self.copy, members(state[field]))))
        returned = [f"{self.copy(int(copy))} {int(state.entries[copy])}" for copy in np.flatnonzero(state.entries)]
        yield lines.write_line("  ", "times returned", lines.write_list(returned))
        yield "\nin progress"
        yield self.numbers("in progress", "numbers")
        yield lines.write_line(
            "  ", "kept", lines.write_list(self.provinces[place] for place in self.on_map(state.kept))
        )
        for key, field in REPORTS.items():
            report = dict(zip(REPORT_WORDS, state[field], strict=True))
            yield lines.write_line("  ", key, lines.write_numbers(report))
        yield "\nhidden"
        yield self.numbers("hidden", "numbers")

    def seat(self, seat: int) -> Iterator[str]:
        """Return the lines of a seat."""
        state = self.state
        for key, fields in SEAT_NUMBERS.items():
            yield f"  {key}: {lines.write_numbers({name: state[field][seat] for name, field in fields.items()})}"
        yield f"  tiles: {self.pair(state.tile[seat])}"
        yield lines.write_line("  ", "empire", self.places(int(state.active[seat])))
        old = lines.write_numbers({"bonus factor": state.old_doubling[seat]})
        yield f"  old tiles: {self.pair(state.old_tile[seat])}, {old}"
        yield lines.write_line("  ", "in decline", self.places(int(state.decline[seat])))
        yield f"  peace with: {lines.write_list(f'seat {other}' for other in members(state.peace[seat]))}"

    def board(self) -> Iterator[str]:
        """Return the lines of what no seat owns."""
        state = self.state
        everything = (1 << int(self.rules.tables.provinces)) - 1
        owned = functools.reduce(lambda one, other: one | other, map(int, [*state.active, *state.decline]))
        neutral = int(state.neutral)
        yield lines.write_line("  ", "neutral", self.places(neutral, 1))
        yield lines.write_line("  ", "empty", self.places(everything & ~owned & ~neutral, 0))

    def numbers(self, block: str, key: str) -> str:
        """Return a line of named numbers."""
        fields = NUMBERS[block, key]
        values = {name: self.state[field] for name, field in fields.items()}
        return lines.write_line("  " if block else "", key, lines.write_numbers(values))

    def phase(self, phase: int) -> str:
        """Return the name of a phase."""
        return at.PHASE_NAMES[phase].replace("_", " ") if 0 <= phase <= at.OVER else f"? {phase}"

    def places(self, provinces: int, usual: int | None = None) -> str:
        """Return a list of provinces with tokens, which are left out where they are as usual, and forts."""
        state, items = self.state, []
        for province in self.on_map(provinces):
            tokens = int(state.tokens[province])
            is_fortified = int(state.forts) >> province & 1
            written = "" if tokens == usual and not is_fortified else f" {tokens}"
            items.append(f"{self.provinces[province]}{written}{' fort' if is_fortified else ''}")
        return lines.write_list(items)

    def on_map(self, provinces: int) -> list[int]:
        """Return the members of a set that are provinces of the map."""
        return members(int(provinces) & ((1 << len(self.provinces)) - 1))

    def copy(self, copy: int) -> str:
        """Return a tile with its number."""
        known = 0 <= copy < len(self.kind_of)
        return f"{self.kinds[self.kind_of[copy]]}#{copy}" if known else NONE

    def pair(self, copies: Any) -> str:
        """Return two tiles."""
        return f"{self.copy(int(copies[0]))} + {self.copy(int(copies[1]))}"


def _leftovers(state: Any, record: Any) -> Iterator[str]:
    """Return the fields whose value differs from what the lines say, as ``name: value`` or ``name[place]: value``."""
    for name in at.STATE.names or ():
        wanted, found = np.atleast_1d(state[name]), np.atleast_1d(record[name])
        for place in zip(*np.nonzero(wanted != found), strict=True):
            index = f"[{', '.join(str(int(number)) for number in place)}]" if np.ndim(state[name]) else ""
            yield f"{name}{index}: {int(wanted[place])}"
