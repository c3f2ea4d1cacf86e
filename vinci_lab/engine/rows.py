"""Row buffers: where compiled games write what is recorded.

``rows`` is a tuple of five two-dimensional ``int64`` arrays, one per table in the order of ``TABLE_NAMES``. The first
four grow row by row; ``places`` has one row per place and is added to. ``fill`` counts.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.jit import kernel

TABLE_NAMES = ("games", "turns", "holdings", "offers", "places")
GAMES, TURNS, HOLDINGS, OFFERS, PLACES = range(5)
FILL_ACTIONS = 4  # actions applied, chance left out
FILL_OVERFLOW = 5  # 1 when a row found no room; the game it belongs to must be played again with larger buffers
FILL_RECORD = 6  # 0 records nothing
FILL_STALLED = 7  # games ended by the stalemate guard
FILL = 8


@kernel(inner=True)
def new_row(rows: Any, fill: Any, table: int) -> int:
    """Return the index of the next free row of a table; -1, and a raised flag, when the buffer is full."""
    if fill[table] >= rows[table].shape[0]:
        fill[FILL_OVERFLOW] = 1
        return -1
    fill[table] += 1
    return fill[table] - 1
