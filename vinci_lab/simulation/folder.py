"""A run on disk: one folder, written block by block, resumed after any interruption, read a few columns at a time.

A block is five files of the same name, ``part-00001000.parquet`` in ``games``, ``turns``, ``holdings``, ``offers`` and
``places``. The one in ``places`` is written last and names the others with size and hash: a block is finished when it
is there. What a killed run left unfinished is removed by the next one.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from vinci_lab.engine.game import game_of
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.simulation.blocks import Piece, cut, digest_of, read_all
from vinci_lab.simulation.files import TEMPORARY, FolderLock, csv_text, write_bytes
from vinci_lab.simulation.identity import IDENTITY, dictionary_of, differences
from vinci_lab.simulation.parts import Block, Format, Packed, block_of, file_hash
from vinci_lab.simulation.tables import STREAMED, TABLES, Columns

RUN_FILE, COLUMNS_FILE, PLACES_FILE = "run.json", "columns.csv", "places.parquet"
FORMAT = 2  # of the folder
PART = "part-{:08d}.parquet"
TRANSCRIPTS = "transcripts"


class FolderBlocks:
    """The finished blocks of a run on disk, from game 0 up to the first that is missing.

    Parameters
    ----------
    folder : path
        Of the run.
    form : Format
        Of its tables.
    blocks : sequence of Block
        In the order of their games.
    size : int
        Games of a block.
    """

    def __init__(self, folder: Path, form: Format, blocks: Sequence[Block], size: int) -> None:
        self.folder, self.form, self.blocks, self.size = folder, form, list(blocks), size

    def __len__(self) -> int:
        return len(self.blocks)

    def rows(self, index: int, table: str) -> int:
        """Return the number of rows of a table in a block."""
        return self.blocks[index].rows[table]

    def read(self, index: int, table: str, names: Sequence[str]) -> Columns:
        """Return some columns of a table in a block.

        Raises
        ------
        DataError
            If the file is not the one that was written.
        """
        block = self.blocks[index]
        path = self.folder / table / PART.format(block.first)
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            raise DataError([f"{path}: this file of the run is missing"]) from None
        if table != "places" and file_hash(content) != block.files[table][1]:
            raise DataError(
                [
                    f"{path}: this is not the file that was written; it has been changed or damaged; remove it, and "
                    "the same command plays its games again"
                ]
            )
        return self.form.decoded(table, content, names, str(path))

    def cells(self, index: int) -> Iterable[bytes]:
        """Return the digests of a block's games."""
        return self.blocks[index].cells


def finished_block(folder: Path, first: int) -> Block | None:
    """Return the block that begins with a game, or None unless all its files are there at their full size."""
    try:
        block = block_of((folder / "places" / PART.format(first)).read_bytes())
        sizes = {table: (folder / table / PART.format(first)).stat().st_size for table in block.files}
    except (OSError, ValueError, KeyError):
        return None
    is_whole = block.first == first and all(sizes[table] == size for table, (size, _) in block.files.items())
    return block if is_whole else None


def finished_blocks(folder: Path) -> list[Block]:
    """Return all finished blocks of a folder in the order of their games, gaps and all."""
    names = sorted(path.stem.removeprefix("part-") for path in (folder / "places").glob("part-*.parquet"))
    found = (finished_block(folder, int(name)) for name in names if name.isdecimal())
    return [block for block in found if block is not None]


def contiguous(blocks: Iterable[Block]) -> list[Block]:
    """Return the blocks from game 0 up to the first that is missing."""
    prefix: list[Block] = []
    for block in blocks:
        if block.first != (prefix[-1].first + prefix[-1].games if prefix else 0):
            break
        prefix.append(block)
    return prefix


def describe(rules: Ruleset, settings: Mapping[str, Any], block: int, digest: str | None) -> bytes:
    """Return the content of ``run.json``; ``completed`` and the digest are null until all games are there."""
    described = {
        "format": FORMAT,
        "settings": {**settings, "completed": settings["games"] if digest else None},
        "digest": digest,
        "block": block,
        "ruleset": rules.to_json(),
        "columns": dictionary_of(rules, settings["agents"]),
    }
    return (json.dumps(described, indent=1, ensure_ascii=False) + "\n").encode()


def read_description(folder: Path) -> dict[str, Any]:
    """Return the content of ``run.json``.

    Raises
    ------
    DataError
        If it is missing or not the description of a run.
    """
    path = folder / RUN_FILE
    if not path.is_file():
        raise DataError([f"{path}: this file of the run is missing"])
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
        if described.get("format") != FORMAT:
            raise DataError(
                [f"{path}: a run in the format of another version of the program, which this one cannot read"]
            )
        missing = [name for name in ("settings", "digest", "block", "ruleset") if name not in described]
        missing += [name for name in (*IDENTITY, "games") if name not in described.get("settings", {})]
    except (json.JSONDecodeError, AttributeError, UnicodeDecodeError) as error:
        raise DataError([f"{path}: not the description of a run ({error})"]) from None
    if missing:
        raise DataError([f"{path}: not the description of a run ({missing[0]!r} is missing)"])
    return dict(described)


def open_folder(folder: Path) -> tuple[Ruleset, dict[str, Any], FolderBlocks]:
    """Return the rules, settings and finished blocks of a run on disk.

    Raises
    ------
    DataError
        If files are missing, changed or not those of a run.
    """
    described = read_description(folder)
    settings: dict[str, Any] = described["settings"]
    rules = game_of(settings["game"]).build(described["ruleset"])
    blocks = contiguous(finished_blocks(folder))
    settings["completed"] = sum(block.games for block in blocks)
    found = FolderBlocks(
        folder, Format(rules, {name: settings[name] for name in IDENTITY}), blocks, int(described["block"])
    )
    if described["digest"] is None:
        return rules, settings, found
    if settings["completed"] != settings["games"]:
        first = settings["completed"]
        lost = [folder / table / PART.format(first) for table in TABLES]
        missing = [path for path in lost if not path.is_file()] or lost
        raise DataError([f"{path}: this file of the run is missing or damaged" for path in missing])
    if (digest := digest_of(found, rules.definition.columns["places"])) != described["digest"]:
        raise DataError([f"{folder}: the digest of the tables is {digest}, {RUN_FILE} has {described['digest']}"])
    return rules, settings, found


class Writer:
    """Writes the blocks of a run into a folder that may hold some of them already. A context manager.

    Parameters
    ----------
    folder : path
        Made when missing.
    rules : Ruleset
        What is played.
    settings : mapping
        Of the run: its identity and ``games``.
    block : int
        Games of a block.
    replace : bool
        Whether to remove another study from the folder rather than refuse.

    Raises
    ------
    DataError
        If the folder holds another study or more games, another process is writing there, or it cannot be written.
    """

    def __init__(
        self, folder: str | Path, rules: Ruleset, settings: Mapping[str, Any], block: int, replace: bool = False
    ) -> None:
        self.folder, self.rules, self.settings, self.block = Path(folder), rules, dict(settings), block
        self.identity = {name: settings[name] for name in IDENTITY}
        self.form = Format(rules, self.identity)
        self.done: dict[int, Block] = {}
        with self._sentences():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.folder)
        try:
            with self._sentences():
                self._begin(replace)
        except BaseException:
            self._lock.release()
            raise

    def __enter__(self) -> Writer:
        return self

    def __exit__(self, *error: object) -> None:
        self._lock.release()

    @property
    def missing(self) -> list[Piece]:
        """The blocks that are still to be played."""
        return [
            piece
            for piece in cut(int(self.settings["games"]), self.block)
            if piece.first not in self.done or self.done[piece.first].games != piece.games
        ]

    @property
    def games(self) -> int:
        """The number of finished games, gaps or not, without a block that is too short now."""
        return int(self.settings["games"]) - sum(piece.games for piece in self.missing)

    def add(self, packed: Packed) -> None:
        """Write a block; its part of ``places`` comes last, and with it the block is finished."""
        name = PART.format(packed.block.first)
        with self._sentences():
            if packed.block.first in self.done:  # a shorter block that ended an earlier run
                (self.folder / "places" / name).unlink()
            for table in (*STREAMED, "places"):
                write_bytes(self.folder / table / name, packed.files[table])
        self.done[packed.block.first] = packed.block

    def blocks(self) -> FolderBlocks:
        """Return the finished blocks from game 0 up to the first that is missing."""
        prefix = contiguous(self.done[first] for first in sorted(self.done))
        return FolderBlocks(self.folder, self.form, prefix, self.block)

    def finish(self) -> str:
        """Write what is known only when all games are there, and return the digest."""
        blocks, columns = self.blocks(), self.rules.definition.columns["places"]
        digest = digest_of(blocks, columns)
        described = describe(self.rules, self.settings, self.block, digest)
        with self._sentences():
            write_bytes(self.folder / PLACES_FILE, self.form.places_file(read_all(blocks, "places", columns)))
            write_bytes(self.folder / RUN_FILE, described)
        return digest

    def _begin(self, replace: bool) -> None:
        """Look at what the folder holds, refuse or remove what does not belong, and write what is known beforehand."""
        if problem := self._problem():
            if not replace:
                raise DataError([problem])
            self._clear()
        found = {block.first: block for block in finished_blocks(self.folder)}
        end, asked = max((one.first + one.games for one in found.values()), default=0), int(self.settings["games"])
        if end > asked:
            if not replace:
                raise DataError(
                    [
                        f"{self.folder}: it holds {end:,} games of this study, more than the {asked:,} asked for; ask "
                        f"for at least {end:,}, or name another folder"
                    ]
                )
            self._clear()
            found = {}
        self.done = found
        self._remove_leftovers()
        unfinished = describe(self.rules, self.settings, self.block, None)
        if self.missing or not (self.folder / RUN_FILE).is_file():
            write_bytes(self.folder / RUN_FILE, unfinished)
            (self.folder / PLACES_FILE).unlink(missing_ok=True)
        for table in TABLES:
            (self.folder / table).mkdir(exist_ok=True)
        described = dictionary_of(self.rules, self.settings["agents"])
        text = csv_text(list(described[0]), [list(column.values()) for column in described])
        write_bytes(self.folder / COLUMNS_FILE, text.encode())

    def _problem(self) -> str | None:
        """Return why the folder cannot take this study, in a sentence; None if it can."""
        way_out = "name another folder, or have it replaced (replace=True, --replace)"
        if not (self.folder / RUN_FILE).exists():
            strangers = [name for name in (*TABLES, PLACES_FILE) if (self.folder / name).exists()]
            return f"{self.folder}: it has {strangers[0]} but no {RUN_FILE}; {way_out}" if strangers else None
        try:
            described = read_description(self.folder)
        except DataError as error:
            return f"{error}; {way_out}"
        different = differences(described["settings"], self.identity)
        if not different and described["block"] != self.block:
            different = ["agents written in Python there or here, under the same names"]
        return f"{self.folder}: it holds another study ({'; '.join(different)}); {way_out}" if different else None

    def _clear(self) -> None:
        """Remove the run that the folder holds, its description first, and nothing else."""
        for name in (RUN_FILE, COLUMNS_FILE, PLACES_FILE, *(f"{table}.parquet" for table in TABLES)):
            (self.folder / name).unlink(missing_ok=True)
        for folder in (*TABLES, TRANSCRIPTS):
            shutil.rmtree(self.folder / folder, ignore_errors=True)

    def _remove_leftovers(self) -> None:
        """Remove files of blocks that were not finished, and temporary ones."""
        kept = {PART.format(first) for first in self.done}
        for table in TABLES:
            for path in (self.folder / table).glob("part-*.parquet"):
                if path.name not in kept:
                    path.unlink()
        for folder in (self.folder, *(self.folder / table for table in TABLES)):
            for path in folder.glob(TEMPORARY.format("*")):
                path.unlink()

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turn what the operating system refuses into a sentence."""
        try:
            yield
        except OSError as error:
            place = error.filename or self.folder
            raise DataError(
                [
                    f"{place}: it cannot be written ({error.strerror or error}); games that were finished are kept, "
                    "and when there is room and permission the same command goes on from there"
                ]
            ) from error
