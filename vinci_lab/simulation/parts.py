"""A block of games as Parquet files: made in the worker that played it, read a few columns at a time."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from vinci_lab.engine.game import Column
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.simulation.identity import labels_of
from vinci_lab.simulation.tables import STREAMED, Columns, Tables, cell_digests, stored_dtype, words_of

if TYPE_CHECKING:
    import pyarrow as pa

ABOUT, MARK = b"vinci_lab", b"vinci_lab_block"


@dataclass(frozen=True)
class Block:
    """What is known of a block without reading its rows; the metadata of its part of ``places``.

    Attributes
    ----------
    first, games : int
        Index of the first game, and the number of games.
    cells : tuple of bytes
        Digests of its games; see :func:`vinci_lab.simulation.tables.cell_digests`.
    rows : mapping of str to int
        Rows of each table.
    files : mapping of str to (int, str)
        Size and hash of the files of the other tables.
    """

    first: int
    games: int
    cells: tuple[bytes, ...]
    rows: Mapping[str, int]
    files: Mapping[str, tuple[int, str]]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "first": self.first,
            "games": self.games,
            "cells": [cell.hex() for cell in self.cells],
            "rows": dict(self.rows),
            "files": {table: list(size_and_hash) for table, size_and_hash in self.files.items()},
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> Block:
        """Return the block that :meth:`to_json` wrote."""
        cells = tuple(bytes.fromhex(cell) for cell in found["cells"])
        files = {table: (int(size), str(content)) for table, (size, content) in found["files"].items()}
        return cls(int(found["first"]), int(found["games"]), cells, dict(found["rows"]), files)


@dataclass(frozen=True)
class Packed:
    """A block as the bytes of its files, one for each table."""

    block: Block
    files: Mapping[str, bytes]


def file_hash(content: bytes) -> str:
    """Return the hash of a file."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


class Format:
    """How the tables of one run are written as Parquet: a pure function of the run's rules, agents and seed.

    Parameters
    ----------
    rules : Ruleset
        What is played.
    identity : mapping
        See :func:`vinci_lab.simulation.identity.identity_of`; written into every file.
    """

    def __init__(self, rules: Ruleset, identity: Mapping[str, Any]) -> None:
        self.columns = rules.definition.columns
        self.labels = labels_of(rules, identity["agents"])
        self._about = {ABOUT: json.dumps(dict(identity), ensure_ascii=False).encode()}

    def pack(self, tables: Tables, first: int, games: int) -> Packed:
        """Return the files of a block of games."""
        files = {table: self._encoded(table, tables[table], {}) for table in STREAMED}
        block = Block(
            first,
            games,
            tuple(cell_digests(tables)),
            {table: len(next(iter(columns.values()))) for table, columns in tables.items()},
            {table: (len(content), file_hash(content)) for table, content in files.items()},
        )
        mark = {MARK: json.dumps(block.to_json()).encode()}
        return Packed(block, files | {"places": self._encoded("places", tables["places"], mark)})

    def places_file(self, places: Columns) -> bytes:
        """Return the file of the places of a whole run."""
        return self._encoded("places", places, {})

    def _encoded(self, table: str, columns: Columns, more: Mapping[bytes, bytes]) -> bytes:
        import pyarrow as pa
        import pyarrow.parquet

        arrays, fields = [], []
        for column in self.columns[table]:
            arrays.append(_array(columns[column.name], words_of(column, self.labels)))
            about = {"unit": column.unit, "meaning": column.meaning}
            fields.append(pa.field(column.name, arrays[-1].type, metadata=about))
        made = pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata=self._about | dict(more)))
        pool = pa.system_memory_pool()  # gives back what it took; Arrow's own keeps some 30 MB
        stream = pa.BufferOutputStream(pool)
        with pyarrow.parquet.ParquetWriter(stream, made.schema, compression="zstd", memory_pool=pool) as writer:
            writer.write_table(made)
        return bytes(stream.getvalue())

    def decoded(self, table: str, content: bytes, names: Sequence[str], place: str) -> Columns:
        """Return some columns of a table from the bytes of its file.

        Raises
        ------
        DataError
            If a column is missing.
        """
        import pyarrow as pa
        import pyarrow.parquet

        file = pyarrow.parquet.ParquetFile(pa.BufferReader(content))
        if missing := [name for name in names if name not in file.schema_arrow.names]:
            raise DataError([f"{place}: column {missing[0]} is missing; it has {', '.join(file.schema_arrow.names)}"])
        arrow = file.read(columns=list(names), use_threads=False)
        layout = {column.name: column for column in self.columns[table]}
        return {name: _stored(arrow[name], layout[name], words_of(layout[name], self.labels)) for name in names}


def _array(values: Any, words: Sequence[str]) -> pa.Array:
    """Return stored integers as an Arrow array, as words where the column has them; -1 is no word.

    Made from buffers, because ``pyarrow.array`` imports pandas, which a worker has no use for.
    """
    import pyarrow as pa

    plain = pa.from_numpy_dtype(values.dtype.newbyteorder("="))
    data = pa.py_buffer(np.ascontiguousarray(values))
    if not words:
        return pa.Array.from_buffers(plain, len(values), [None, data])
    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    text = pa.StringArray.from_buffers(len(words), pa.py_buffer(ends), pa.py_buffer(b"".join(encoded)))
    is_known = values >= 0
    valid = None if is_known.all() else pa.py_buffer(np.packbits(is_known, bitorder="little"))
    return pa.DictionaryArray.from_buffers(pa.dictionary(plain, pa.string()), len(values), [valid, data], text)


def block_of(content: bytes) -> Block:
    """Return the block that a part of ``places`` completes.

    Raises
    ------
    ValueError
        If the bytes are not such a part; Arrow's errors are ``ValueError`` too.
    """
    import pyarrow as pa
    import pyarrow.parquet

    found = (pyarrow.parquet.read_metadata(pa.BufferReader(content)).metadata or {}).get(MARK)
    if found is None:
        raise ValueError("no part of places")
    return Block.from_json(json.loads(found))


def _stored(array: pa.ChunkedArray, column: Column, words: Sequence[str]) -> Any:
    """Return one column of a Parquet table as stored integers; read from buffers, as :func:`_array` writes them."""
    dtype = stored_dtype(column)
    if not words:
        parts = [_numbers(chunk).astype(dtype, copy=False) for chunk in array.chunks]
    else:
        known = {word: code for code, word in enumerate(words)}
        parts = []
        for chunk in array.chunks:
            codes = np.array([known.get(word, -1) for word in chunk.dictionary.to_pylist()] or [-1], dtype)
            is_known = np.ones(len(chunk), np.bool_)
            if chunk.null_count:
                bits = np.frombuffer(chunk.indices.buffers()[0], np.uint8)
                is_known = np.unpackbits(bits, bitorder="little")[chunk.offset :][: len(chunk)].astype(np.bool_)
            places = np.where(is_known, _numbers(chunk.indices), 0)
            parts.append(np.where(is_known, codes[places], -1).astype(dtype))
    return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])


def _numbers(array: pa.Array) -> Any:
    """Return the values of an Arrow array of integers, whatever stands in the place of missing ones."""
    dtype = np.dtype(str(array.type))
    if not len(array):
        return np.empty(0, dtype)
    return np.frombuffer(array.buffers()[1], dtype)[array.offset : array.offset + len(array)]
