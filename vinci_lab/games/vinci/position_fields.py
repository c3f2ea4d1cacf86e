"""Vinci: which line of a position's text holds which fields of the state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from vinci_lab.engine import entries
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at

# Named numbers: block and key of a line -> name on the line -> field ------------------------------------------------
NUMBERS: dict[tuple[str, str], dict[str, str]] = {
    ("", "turn"): {"finished": "turn", "round": "round_number", "seat": "turn_seat", "starting seat": "start_seat"},
    ("", "end"): {"last round": "is_last_round", "stalled": "is_stalled"},
    ("in progress", "numbers"): {
        "decisions": "decisions",
        "choices made": "choices_made",
        "placing seat": "placing_seat",
        "temporary": "temporary",
        "peace left": "peace_left",
        "spies left": "spies_left",
        "forts left": "forts_left",
        "defeated": "defeated",
        "pool": "pool",
        "cursor": "cursor",
    },
    ("hidden", "numbers"): {"key": "key"},
}
SEAT_NUMBERS: dict[str, dict[str, str]] = {
    "points": {
        "score": "score",
        "earned": "earned",
        "paid": "paid",
        "received": "received",
        "last turn": "last_points",
    },
    "tokens": {"in hand": "hand", "lost": "tokens_lost"},
    "civilization": {"entered": "is_entered", "wiped out": "is_wiped_out", "turns taken": "turns_taken"},
}
PHASES = {"phase": "phase", "phase after drawing": "after_draw"}
REPORTS = {"this turn": "live", "last turn": "done"}
REPORT_WORDS = tuple(name.replace("_", " ") for name in at.REPORT_NAMES)
COPY_SETS = {"tiles": "bag", "set aside": "aside", "to return": "unreturned"}

# Fields that count or name something: the largest value, the smallest is 0 or as given ------------------------------
Limit = Callable[[Any], tuple[int, int]]
LIMITS: dict[str, Limit] = {
    "phase": lambda tables: (0, at.OVER),
    "after_draw": lambda tables: (0, at.OVER),
    "turn_seat": lambda tables: (0, tables.seats - 1),
    "start_seat": lambda tables: (0, tables.seats - 1),
    "seat_after": lambda tables: (0, tables.seats - 1),
    "placing_seat": lambda tables: (-1, tables.seats - 1),
    "seats": lambda tables: (tables.seats, tables.seats),
    "cursor": lambda tables: (0, at.PROVINCES),
    "tile": lambda tables: (-1, tables.copies - 1),
    "old_tile": lambda tables: (-1, tables.copies - 1),
    "tray": lambda tables: (-1, tables.copies - 1),
    "peace": lambda tables: (0, 2**tables.seats - 1),
    "bag": lambda tables: (0, 2**tables.copies - 1),
    "aside": lambda tables: (0, 2**tables.copies - 1),
    "unreturned": lambda tables: (0, 2**tables.copies - 1),
    **{name: lambda tables: (0, 2**tables.provinces - 1) for name in ("active", "decline", "neutral", "forts", "kept")},
}


ORDER = "turn order"  # a line of games whose turn order is not simply clockwise


def has_order(rules: Ruleset) -> bool:
    """Return whether positions say in which order the seats play."""
    return bool(rules.tables.automata)


def members(number: int) -> list[int]:
    """Return the members of a set."""
    return [place for place in range(63) if int(number) >> place & 1]


def who_acts(rules: Ruleset, state: Any) -> str:
    """Return who must act, in words."""
    if entries.is_over(rules.tables, state):
        return "nobody"
    owing = members(entries.deciders(rules.tables, state))
    return ", ".join(f"seat {seat}" for seat in owing) if owing else "chance"


def out_of_range(rules: Ruleset, record: Any) -> list[str]:
    """Return which fields name seats, tiles, provinces or phases that do not exist."""
    problems = []
    for name, limit in LIMITS.items():
        low, high = (int(number) for number in limit(rules.tables))
        for value in np.atleast_1d(record[name]).flat:
            if not low <= int(value) <= high:
                problems.append(f"{name}: {int(value)} is not allowed; allowed: {low} to {high}")
    if record.phase == at.SURVIVORS and record.placing_seat < 0:
        problems.append("placing_seat: -1 is not allowed while survivors are placed; allowed: a seat")
    return problems
