"""The five tables of a run as columns of small integers: narrowing, joining, hashing, and decoding into DataFrames."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from vinci_lab.engine.game import Column
from vinci_lab.engine.rows import TABLE_NAMES

if TYPE_CHECKING:
    import pandas as pd

TABLES = TABLE_NAMES
STREAMED = TABLES[:4]  # grow with the games; places has one row per province and is summed
CELL = 100  # games whose rows are hashed together; the digest of a run is made of the digests of its cells

Rows = NDArray[np.int64]
Columns = dict[str, NDArray[Any]]  # name -> values, in the order of the game's columns
Tables = dict[str, Columns]
WIN_SHARE = Column("win_share", "float64", "share", "share of the win: 1 / winners for each winner, 0 for the others")


@functools.cache
def stored_dtype(column: Column) -> np.dtype[Any]:
    """Return the little-endian dtype a column is stored and hashed with."""
    return np.dtype(column.dtype).newbyteorder("<")


def narrow(rows: Rows, columns: Sequence[Column], table: str) -> Columns:
    """Return the recorded rows as one array of the column's own dtype per column.

    Parameters
    ----------
    rows : int64 array, (number, columns)
        As the driver recorded them.
    columns : sequence of Column
        The game's columns of this table.
    table : str
        Name, for the error.

    Raises
    ------
    OverflowError
        If a value does not fit its column; nothing wraps around.
    """
    by_column = np.ascontiguousarray(rows.T)
    least, most = by_column.min(axis=1, initial=0), by_column.max(axis=1, initial=0)
    narrowed = {}
    for index, column in enumerate(columns):
        dtype = stored_dtype(column)
        allowed = np.iinfo(dtype)
        for value in (least[index], most[index]):
            if not allowed.min <= value <= allowed.max:
                raise OverflowError(
                    f"table {table}, column {column.name}: the value {value} does not fit {column.dtype}, which holds "
                    f"{allowed.min} to {allowed.max}"
                )
        narrowed[column.name] = by_column[index].astype(dtype)
    return narrowed


def join(parts: Iterable[Tables]) -> Tables:
    """Return parts of a run, given in the order of their games, as one: rows follow one another, places are summed.

    The parts are used up: each of their columns is let go when it has been copied, to save memory.
    """
    listed = list(parts)
    if len(listed) == 1:
        return listed[0]
    joined: Tables = {
        table: {name: np.concatenate([part[table].pop(name) for part in listed]) for name in list(listed[0][table])}
        for table in STREAMED
    }
    joined["places"] = sum_places(part["places"] for part in listed)
    return joined


def sum_places(parts: Iterable[Columns]) -> Columns:
    """Return the sum of the places of parts of a run; the first column names the place and is not summed."""
    total: Columns = {}
    for part in parts:
        if not total:
            total = {name: values.copy() for name, values in part.items()}
            continue
        for name in list(total)[1:]:
            total[name] += part[name]
    return total


def digest(tables: Tables) -> str:
    """Return 32 hex digits that name the content of all tables, whatever the chunks, jobs or backend it came from."""
    return combine(cell_digests(tables), tables["places"])


def combine(cells: Iterable[bytes], places: Columns) -> str:
    """Return the digest of a run from the digests of its cells, in the order of their games, and its places."""
    total = hashlib.blake2b(digest_size=16)
    for cell in cells:
        total.update(cell)
    _hash_columns(total, "places", places, slice(None))
    return total.hexdigest()


def cell_digests(tables: Tables) -> Iterator[bytes]:
    """Yield the digest of each ``CELL`` consecutive games, counted from game 0 of the run.

    Parameters
    ----------
    tables : Tables
        Rows in the order of their games. Games of one cell must not be spread over several tables.
    """
    games = tables["games"]["game"]
    if not len(games):
        return
    first, last = int(games[0]) // CELL, int(games[-1]) // CELL
    edges = np.arange(first, last + 2) * CELL
    ends = {table: np.searchsorted(tables[table]["game"], edges) for table in STREAMED}
    for cell in range(last - first + 1):
        total = hashlib.blake2b(digest_size=16)
        for table in STREAMED:
            _hash_columns(total, table, tables[table], slice(ends[table][cell], ends[table][cell + 1]))
        yield total.digest()


def _hash_columns(total: Any, table: str, columns: Columns, rows: slice) -> None:
    for name, values in columns.items():
        chosen = np.ascontiguousarray(values[rows])
        total.update(f"{table}.{name}:{chosen.dtype.str}:{len(chosen)};".encode())
        total.update(chosen.data)


def words_of(column: Column, labels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return the words of a column's values, empty for plain numbers.

    Parameters
    ----------
    column : Column
        Any column.
    labels : mapping of str to tuple of str
        The lists a column can name, such as ``"kind"``.
    """
    return labels[column.labels] if isinstance(column.labels, str) and column.labels else tuple(column.labels)


def decode(columns: Columns, layout: Sequence[Column], labels: Mapping[str, tuple[str, ...]]) -> pd.DataFrame:
    """Return stored columns as a DataFrame: numbers keep their small dtypes, named values become categories."""
    import pandas as pd

    decoded: dict[str, Any] = {}
    for column in layout:
        values, words = columns[column.name], words_of(column, labels)
        decoded[column.name] = pd.Categorical.from_codes(values, categories=pd.Index(words)) if words else values
    frame = pd.DataFrame(decoded)
    if {"is_winner", "winners"} <= set(columns):
        frame[WIN_SHARE.name] = columns["is_winner"] / np.maximum(columns["winners"], 1)
    return frame
