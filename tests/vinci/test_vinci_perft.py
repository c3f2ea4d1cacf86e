"""How many sequences of conquests a new civilization has on the board of the set-up (case E8)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario
from vinci_lab.engine.jit import JIT
from vinci_lab.games.vinci import rules_layout as layout

ROWS = [
    ("barbarians", "port", {}, 12, (16, 48, 206, 671)),
    ("barbarians", "port", {}, 7, (16, 44, 37, 0)),
    ("weapons", "barbarians", {}, 12, (16, 48, 206, 1184)),
    ("weapons", "barbarians", {}, 7, (16, 48, 158, 467)),
    ("mountaineering", "barbarians", {}, 12, (16, 48, 206, 765)),
    ("mountaineering", "barbarians", {}, 7, (16, 44, 75, 133)),
    ("ship_building", "barbarians", {"same_coast": "zone"}, 12, (16, 48, 206, 778)),
    ("ship_building", "barbarians", {"same_coast": "zone"}, 7, (16, 44, 94, 199)),
    ("ship_building", "barbarians", {"same_coast": "water_body"}, 12, (16, 48, 206, 778)),
    ("ship_building", "barbarians", {"same_coast": "water_body"}, 7, (16, 44, 97, 199)),
    ("ship_building", "barbarians", {"same_coast": "both_coastal"}, 12, (16, 48, 206, 865)),
    ("ship_building", "barbarians", {"same_coast": "both_coastal"}, 7, (16, 46, 103, 244)),
    ("specialization", "weapons", {}, 7, (16, 48, 206, 1151)),
    ("revolutionaries", "barbarians", {}, 12, (45, 188, 1112)),
]
BY_SEA = [
    ("astronomy", "barbarians", {}, 12, (35, 1091, 35597)),
    ("astronomy", "ship_building", {"same_coast": "zone", "both_links": "border"}, 7, (35, 1084, 20009)),
    ("astronomy", "ship_building", {"same_coast": "water_body", "both_links": "border"}, 7, (35, 1084, 20139)),
    ("astronomy", "ship_building", {"same_coast": "water_body", "both_links": "best"}, 7, (35, 1088, 20239)),
    ("astronomy", "ship_building", {"same_coast": "zone", "both_links": "best"}, 7, (35, 1088, 20164)),
]


def sequences(game: Scenario, depth: int) -> int:
    """Return the number of ordered sequences of ``depth`` normal conquests."""
    if game.phase() != "conquest":
        return 0
    conquests = [code for code in game.legal_codes() if layout.A_CONQUER <= code < layout.A_CONQUER + layout.PROVINCES]
    if depth == 1:
        return len(conquests)
    total = 0
    for code in conquests:
        after = game.copy()
        after._apply(0, code)
        if after.state.turn_seat == 0:
            total += sequences(after, depth - 1)
    return total


def counts(first: str, second: str, options: dict[str, str], tokens: int, depth: int) -> tuple[int, ...]:
    """Return the numbers of sequences of 1, 2, ... conquests."""
    game = Scenario(options=options).civ(0, first, second, hand=tokens).conquest(0)
    return tuple(sequences(game, length) for length in range(1, depth + 1))


@pytest.mark.parametrize(("first", "second", "options", "tokens", "expected"), ROWS)
def test_sequences_of_conquests_on_the_board_of_the_set_up(
    first: str, second: str, options: dict[str, str], tokens: int, expected: tuple[int, ...]
) -> None:
    """Case E8."""
    assert counts(first, second, options, tokens, len(expected)) == expected


@pytest.mark.parametrize(("first", "second", "options", "tokens", "expected"), BY_SEA)
def test_sequences_of_conquests_over_sea(
    first: str, second: str, options: dict[str, str], tokens: int, expected: tuple[int, ...]
) -> None:
    """Case E8 and line 2 of the errata to the analysis; the third conquest only with compiled rules."""
    depth = len(expected) if JIT else 2
    assert counts(first, second, options, tokens, depth) == expected[:depth]
