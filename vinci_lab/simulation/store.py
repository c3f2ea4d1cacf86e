"""``Runs``: the tables of simulated games with all that is needed to make them again, in memory and on disk."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.simulation.blocks import Blocks, SomeBlocks, cut, digest_of, read_all
from vinci_lab.simulation.files import frame_csv, write_whole
from vinci_lab.simulation.folder import FolderBlocks, Writer, open_folder
from vinci_lab.simulation.identity import IDENTITY, columns_of, dictionary_of, labels_of
from vinci_lab.simulation.parts import Format
from vinci_lab.simulation.tables import TABLES, WIN_SHARE, Columns, cell_digests, combine, decode

if TYPE_CHECKING:
    import pandas as pd

BATCH = 20_000  # games whose tables are looked at together where a whole run would take too much room

__all__ = ["BATCH", "Runs", "write_whole"]


class Runs:
    """Simulated games as five tidy tables.

    Attributes
    ----------
    rules : Ruleset
        The rules that were played.
    settings : dict
        All that decides the tables: ``program, version, game, game_version, edition, players, ruleset_hash, agents,
        seed, games``, and ``completed``, the number of games in the tables.
    seconds : float
        How long playing took, without compilation; NaN for runs read from files.
    played : int
        Games that were played in this time; the others were in the folder already.

    Notes
    -----
    The tables are ``games`` (a row is a game and seat), ``turns`` (a turn of a seat), ``holdings`` (a life of a thing
    under study), ``offers`` (one thing in a choice, taken or not) and ``places`` (a province, summed over all games).
    :meth:`describe_columns` explains every column. A run on disk is read when a table is first asked for, and only what
    is asked for: :meth:`table` reads some columns, :meth:`batches` some games at a time.
    """

    def __init__(
        self,
        rules: Ruleset,
        settings: Mapping[str, Any],
        blocks: Blocks,
        seconds: float = math.nan,
        played: int = 0,
    ) -> None:
        self.rules = rules
        self.seconds = seconds
        self.played = played
        self.settings = dict(settings)
        self._blocks = blocks

    @property
    def seed(self) -> int:
        """The seed; with the index of a game it gives the whole game."""
        return int(self.settings["seed"])

    @property
    def agents(self) -> tuple[str, ...]:
        """Who played, by seat."""
        return tuple(self.settings["agents"])

    @property
    def is_complete(self) -> bool:
        """Whether all the games that were asked for are here; False after an interruption."""
        return bool(self.settings["completed"] == self.settings["games"])

    @functools.cached_property
    def digest(self) -> str:
        """32 hex digits of the content of all five tables; the same for the same games, however they were run."""
        return digest_of(self._blocks, self.rules.definition.columns["places"])

    @functools.cached_property
    def games(self) -> pd.DataFrame:
        """One row per game and seat."""
        return self.table("games")

    @functools.cached_property
    def turns(self) -> pd.DataFrame:
        """One row per turn of a seat."""
        return self.table("turns")

    @functools.cached_property
    def holdings(self) -> pd.DataFrame:
        """One row per life of the thing under study."""
        return self.table("holdings")

    @functools.cached_property
    def offers(self) -> pd.DataFrame:
        """One row per thing in a choice."""
        return self.table("offers")

    @functools.cached_property
    def places(self) -> pd.DataFrame:
        """One row per province, summed over all games."""
        return self.table("places")

    def table(self, name: str, columns: Sequence[str] | None = None) -> pd.DataFrame:
        """Return a table, or some of its columns, read now and not kept.

        Parameters
        ----------
        name : str
            ``games``, ``turns``, ``holdings``, ``offers`` or ``places``.
        columns : sequence of str, optional
            All if left out.

        Raises
        ------
        ValueError
            If there is no such table or column.
        DataError
            If a file is not the one that was written.
        """
        if name not in TABLES:
            raise ValueError(f"table: there is no {name!r}; choose from {', '.join(TABLES)}")
        known = {column.name: column for column in columns_of(self.rules, name)}
        asked = list(known) if columns is None else list(columns)
        if unknown := [column for column in asked if column not in known]:
            raise ValueError(f"columns: {name} has no {unknown[0]!r}; choose from {', '.join(known)}")
        share = ["is_winner", "winners"] if WIN_SHARE.name in asked else []
        needed = [column for column in known.values() if column.name in (*asked, *share) and column != WIN_SHARE]
        return decode(self._read(name, [column.name for column in needed]), needed, self._labels)[asked]

    def _read(self, table: str, names: Sequence[str]) -> Columns:
        """Return some stored columns of a table."""
        columns = self.rules.definition.columns[table]
        if table != "places":
            columns = tuple(column for column in columns if column.name in names)
        read = read_all(self._blocks, table, columns)
        return {name: read[name] for name in names}

    def batches(self, games: int = BATCH) -> Iterator[Runs]:
        """Yield the run some games at a time, for what would take too much room at once.

        Parameters
        ----------
        games : int
            At least this many games each, in whole blocks; the last batch may have fewer.
        """
        block = self._blocks.size
        each = max(1, -(-games // block))
        for begin in range(0, len(self._blocks), each):
            chosen = range(begin, min(begin + each, len(self._blocks)))
            number = min(int(self.settings["completed"]) - begin * block, len(chosen) * block)
            settings = {**self.settings, "games": number, "completed": number}
            yield Runs(self.rules, settings, SomeBlocks(self._blocks, chosen))

    @functools.cached_property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        """The lists of words that columns name."""
        return labels_of(self.rules, self.agents)

    def describe_columns(self) -> pd.DataFrame:
        """Return the dictionary of columns: ``table, column, dtype, unit, meaning, values``."""
        import pandas as pd

        return pd.DataFrame(dictionary_of(self.rules, self.agents))

    def save(self, folder: str | Path, replace: bool = False) -> Path:
        """Write the tables as Parquet with the dictionary of columns and ``run.json``, as ``simulate(out=...)`` does.

        Parameters
        ----------
        folder : path
            Made when missing. Games that it holds of the same study are kept.
        replace : bool
            Whether to remove another study from the folder rather than refuse.

        Returns
        -------
        Path
            The folder.

        Raises
        ------
        DataError
            If the folder holds another study, is in use, or cannot be written.
        """
        if isinstance(self._blocks, SomeBlocks):
            raise ValueError("save: these are some games of a run; save the whole run")
        identity = {name: self.settings[name] for name in IDENTITY}
        form = Format(self.rules, identity)
        settings = {**identity, "games": self.settings["games"]}
        columns = {table: [column.name for column in self.rules.definition.columns[table]] for table in TABLES}
        with Writer(folder, self.rules, settings, self._blocks.size, replace) as writer:
            for index, piece in enumerate(cut(self.completed, self._blocks.size)):
                done = writer.done.get(piece.first)
                if done is None or done.games < piece.games:
                    tables = {table: self._blocks.read(index, table, names) for table, names in columns.items()}
                    writer.add(form.pack(tables, *piece))
            if not writer.missing:
                writer.finish()
        return Path(folder)

    def to_csv(self, folder: str | Path) -> Path:
        """Write every table as a CSV file for spreadsheets, and the dictionary of columns.

        Text that a spreadsheet would take for a formula gets an apostrophe in front. Games are written some at a time,
        so memory does not grow with their number.

        Parameters
        ----------
        folder : path
            Made when missing; ``games.csv`` and the others are replaced.

        Returns
        -------
        Path
            The folder.
        """
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for table in TABLES:
            write_whole(target / f"{table}.csv", functools.partial(self._write_csv, table))
        described = frame_csv(self.describe_columns())
        write_whole(target / "columns.csv", lambda path: path.write_text(described, encoding="utf-8", newline="\n"))
        return target

    def _write_csv(self, table: str, path: Path) -> None:
        parts = [self] if table == "places" else self.batches(self._blocks.size)
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for number, part in enumerate(parts):
                file.write(frame_csv(part.table(table), header=number == 0))

    @property
    def completed(self) -> int:
        """The number of games in the tables."""
        return int(self.settings["completed"])

    @classmethod
    def open(cls, folder: str | Path) -> Runs:
        """Read a saved run: what is in it now, and its tables when they are asked for.

        A run that was interrupted, or is still being played, opens as its first games in whole blocks, with a warning.

        Parameters
        ----------
        folder : path
            Where :meth:`save` or ``simulate(out=...)`` wrote it.

        Raises
        ------
        DataError
            If a file is missing, or the tables are not those that were saved.
        """
        source = Path(folder)
        rules, settings, blocks = open_folder(source)
        runs = cls(rules, settings, blocks)
        if not len(blocks):
            raise DataError([f"{source}: no block of games of this run is finished yet; the same command plays on"])
        if not runs.is_complete:
            warnings.warn(
                f"{source}: unfinished; these are the first {runs.completed} of {settings['games']} games, as they "
                "would be in a whole run; the same command plays the others",
                RuntimeWarning,
                stacklevel=2,
            )
        return runs

    def verify(self) -> None:
        """Read every value again and compare with the digest.

        Raises
        ------
        DataError
            If a file has been changed.
        """
        names = {table: [column.name for column in self.rules.definition.columns[table]] for table in TABLES}

        def cells() -> Iterator[bytes]:
            for index in range(len(self._blocks)):
                yield from cell_digests({table: self._blocks.read(index, table, names[table]) for table in TABLES})

        found = combine(cells(), self._read("places", names["places"]))
        if found != self.digest:
            where = self._blocks.folder if isinstance(self._blocks, FolderBlocks) else "tables"
            raise DataError([f"{where}: the digest of the tables is {found}, it was {self.digest}"])

    def __repr__(self) -> str:
        where = f"{self.settings['game']} ({self.settings['edition']}), {self.settings['players']} players"
        counts = {
            table: sum(self._blocks.rows(index, table) for index in range(len(self._blocks))) for table in TABLES[:4]
        }
        rows = ", ".join(f"{table} {count}" for table, count in counts.items())
        return f"Runs of {self.completed} games of {where}, seed {self.seed}; rows: {rows}"
