"""Row buffers: one record in which compiled games write what is recorded.

The tables ``games``, ``turns``, ``holdings`` and ``offers`` grow row by row up to a fixed room, enough for a few dozen
games; the driver stops before a game that does not fit, and the caller empties the buffer. ``places`` has one row per
place and is added to. A record, unlike arrays, costs compiled code no reference counting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vinci_lab.engine.bits import CAPACITY
from vinci_lab.engine.jit import kernel

TABLE_NAMES = ("games", "turns", "holdings", "offers", "places")
GAMES, TURNS, HOLDINGS, OFFERS, PLACES = range(5)
STREAMED = 4  # tables that grow
ROOM = (1024, 8192, 4096, 16384)  # rows; see the limit on the length of a game in the data files
PLACE_ROWS = CAPACITY + 1


def rows_layout(tag: str, columns: Mapping[str, Sequence[Any]]) -> np.dtype[Any]:
    """Return the layout of a game's row buffer.

    Parameters
    ----------
    tag : str
        Name of the game.
    columns : mapping of str to sequence of Column
        The columns of each table in ``TABLE_NAMES``.
    """
    widths = [max(1, len(columns[name])) for name in TABLE_NAMES]
    return np.dtype(
        [
            (f"{tag}_rows", np.int64),
            ("is_on", np.int64),  # 0 records nothing
            ("is_full", np.int64),  # 1 when a row found no room
            ("actions", np.int64),  # applied since the buffer was emptied, chance left out
            ("used", np.int64, (STREAMED,)),  # rows written to each table
            ("kept", np.int64, (STREAMED,)),  # of these, rows of finished games
            *((name, np.int64, (room, width)) for name, room, width in zip(TABLE_NAMES, ROOM, widths, strict=False)),
            ("places", np.int64, (PLACE_ROWS, widths[PLACES])),
        ]
    )


@kernel(inner=True)
def new_row(rows: Any, table: int) -> int:
    """Return the index of the next free row of a table; -1, and a raised flag, when there is no room."""
    if rows.used[table] >= ROOM[table]:
        rows.is_full = 1
        return -1
    rows.used[table] += 1
    return rows.used[table] - 1
