"""The games of a run as blocks: a fixed number of consecutive games each, in memory or in files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from vinci_lab.engine.game import Column
from vinci_lab.simulation.tables import Columns, Tables, cell_digests, combine, join, stored_dtype, sum_places

BLOCK = 500  # games of a block; a constant of the format, small enough that a block in the making takes little room
PYTHON_BLOCK = 100  # with Python agents, which are slower: an interruption loses the block that was being played


class Piece(NamedTuple):
    """Games ``first`` to ``first + games - 1``."""

    first: int
    games: int


def cut(games: int, size: int, first: int = 0) -> Iterator[Piece]:
    """Yield pieces of ``size`` games, the last one perhaps shorter."""
    for start in range(first, first + games, size):
        yield Piece(start, min(size, first + games - start))


class Blocks(Protocol):
    """Blocks in the order of their games, without gaps."""

    @property
    def size(self) -> int:
        """Games of a block; the last one may have fewer."""

    def __len__(self) -> int:
        """Return the number of blocks."""

    def rows(self, index: int, table: str) -> int:
        """Return the number of rows of a table in a block."""

    def read(self, index: int, table: str, names: Sequence[str]) -> Columns:
        """Return some columns of a table in a block."""

    def cells(self, index: int) -> Iterable[bytes]:
        """Return the digests of a block's games."""


class MemoryBlocks:
    """Blocks kept in memory.

    Parameters
    ----------
    tables : sequence of Tables
        One per block.
    size : int
        Games of a block.
    """

    def __init__(self, tables: Sequence[Tables], size: int) -> None:
        self.tables, self.size = list(tables), size

    def __len__(self) -> int:
        return len(self.tables)

    def rows(self, index: int, table: str) -> int:
        """Return the number of rows of a table in a block."""
        return len(next(iter(self.tables[index][table].values())))

    def read(self, index: int, table: str, names: Sequence[str]) -> Columns:
        """Return some columns of a table in a block."""
        return {name: self.tables[index][table][name] for name in names}

    def cells(self, index: int) -> Iterable[bytes]:
        """Return the digests of a block's games."""
        return cell_digests(self.tables[index])


class SomeBlocks:
    """Some consecutive blocks of others."""

    def __init__(self, blocks: Blocks, chosen: range) -> None:
        self._blocks, self._chosen, self.size = blocks, chosen, blocks.size

    def __len__(self) -> int:
        return len(self._chosen)

    def rows(self, index: int, table: str) -> int:
        """Return the number of rows of a table in a block."""
        return self._blocks.rows(self._chosen[index], table)

    def read(self, index: int, table: str, names: Sequence[str]) -> Columns:
        """Return some columns of a table in a block."""
        return self._blocks.read(self._chosen[index], table, names)

    def cells(self, index: int) -> Iterable[bytes]:
        """Return the digests of a block's games."""
        return self._blocks.cells(self._chosen[index])


def read_all(blocks: Blocks, table: str, columns: Sequence[Column]) -> Columns:
    """Return some columns of a table over all blocks, at no more memory than they take."""
    names = [column.name for column in columns]
    if table == "places":
        return sum_places(blocks.read(index, table, names) for index in range(len(blocks)))
    if len(blocks) == 1:
        return blocks.read(0, table, names)
    lengths = [blocks.rows(index, table) for index in range(len(blocks))]
    whole = {column.name: np.empty(sum(lengths), stored_dtype(column)) for column in columns}
    begin = 0
    for index, length in enumerate(lengths):
        for name, values in blocks.read(index, table, names).items():
            whole[name][begin : begin + length] = values
        begin += length
    return whole


def digest_of(blocks: Blocks, places: Sequence[Column]) -> str:
    """Return the digest of all blocks."""
    cells = (cell for index in range(len(blocks)) for cell in blocks.cells(index))
    return combine(cells, read_all(blocks, "places", places))


class Assembly:
    """Puts the pieces of blocks together, whatever order they come in.

    Parameters
    ----------
    block : int
        Games of a block; a piece never reaches over the end of one.
    games : int
        Games of the run.
    """

    def __init__(self, block: int, games: int) -> None:
        self._block, self._games = block, games
        self._waiting: dict[int, dict[Piece, Tables]] = {}

    def add(self, piece: Piece, tables: Tables) -> tuple[Piece, Tables] | None:
        """Take a piece; return its block if that is complete now."""
        first = piece.first // self._block * self._block
        whole = Piece(first, min(self._block, self._games - first))
        pieces = self._waiting.setdefault(first, {})
        pieces[piece] = tables
        if sum(one.games for one in pieces) < whole.games:
            return None
        del self._waiting[first]
        return whole, join(pieces[one] for one in sorted(pieces))

    def beginning_of(self, first: int) -> tuple[int, Tables] | None:
        """Return the games of an incomplete block before its first missing one, and their number; None for none."""
        pieces, found, end = self._waiting.get(first, {}), list[Tables](), first
        for piece in sorted(pieces):
            if piece.first != end:
                break
            found.append(pieces[piece])
            end += piece.games
        return (end - first, join(found)) if found else None
