"""``Runs``: the tables of simulated games with all that is needed to make them again, in memory and on disk."""

from __future__ import annotations

import functools
import json
import math
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from vinci_lab.engine.game import Column, game_of
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.simulation.tables import TABLES, WIN_SHARE, Tables, decode, digest, stored_dtype, words_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

RUN_FILE = "run.json"


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

    Notes
    -----
    The tables are ``games`` (a row is a game and seat), ``turns`` (a turn of a seat), ``holdings`` (a life of a thing
    under study), ``offers`` (one thing in a choice, taken or not) and ``places`` (a province, summed over all games).
    :meth:`describe_columns` explains every column.
    """

    def __init__(self, rules: Ruleset, settings: Mapping[str, Any], tables: Tables, seconds: float = math.nan) -> None:
        self.rules = rules
        self.seconds = seconds
        self.settings = dict(settings)
        self._tables = tables

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
        return digest(self._tables)

    @functools.cached_property
    def games(self) -> pd.DataFrame:
        """One row per game and seat."""
        return self._decoded("games")

    @functools.cached_property
    def turns(self) -> pd.DataFrame:
        """One row per turn of a seat."""
        return self._decoded("turns")

    @functools.cached_property
    def holdings(self) -> pd.DataFrame:
        """One row per life of the thing under study."""
        return self._decoded("holdings")

    @functools.cached_property
    def offers(self) -> pd.DataFrame:
        """One row per thing in a choice."""
        return self._decoded("offers")

    @functools.cached_property
    def places(self) -> pd.DataFrame:
        """One row per province, summed over all games."""
        return self._decoded("places")

    def _decoded(self, table: str) -> pd.DataFrame:
        return decode(self._tables[table], self.rules.definition.columns[table], self._labels)

    @functools.cached_property
    def _labels(self) -> dict[str, tuple[str, ...]]:
        """The lists of words that columns name."""
        game = self.rules.definition
        named = {
            column.labels
            for columns in game.columns.values()
            for column in columns
            if isinstance(column.labels, str) and column.labels
        }
        labels = {what: game.labels(self.rules, what) for what in sorted(named - {"agent"})}
        return labels | {"agent": tuple(dict.fromkeys(self.agents))}

    def describe_columns(self) -> pd.DataFrame:
        """Return the dictionary of columns: ``table, column, dtype, unit, meaning, values``."""
        import pandas as pd

        described = [
            {
                "table": table,
                "column": column.name,
                "dtype": column.dtype,
                "unit": column.unit,
                "meaning": column.meaning,
                "values": ", ".join(words_of(column, self._labels)),
            }
            for table in TABLES
            for column in (*self.rules.definition.columns[table], *((WIN_SHARE,) if table == "games" else ()))
        ]
        return pd.DataFrame(described)

    def save(self, folder: str | Path) -> Path:
        """Write the five tables as Parquet, the dictionary of columns as CSV, and ``run.json``.

        Every file is written under a temporary name and renamed, ``run.json`` last.

        Parameters
        ----------
        folder : path
            Made when missing; files of an earlier run there are replaced.

        Returns
        -------
        Path
            The folder.
        """
        import pyarrow.parquet

        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for table in TABLES:
            arrow = self._arrow(table)
            write_whole(
                target / f"{table}.parquet",
                functools.partial(pyarrow.parquet.write_table, arrow, compression="zstd"),
            )
        columns = self.describe_columns().to_csv(index=False, lineterminator="\n")
        write_whole(target / "columns.csv", lambda path: path.write_text(columns, encoding="utf-8"))
        described = {"settings": self.settings, "digest": self.digest, "ruleset": self.rules.to_json()}
        text = json.dumps(described, indent=1, ensure_ascii=False) + "\n"
        write_whole(target / RUN_FILE, lambda path: path.write_text(text, encoding="utf-8"))
        return target

    def _arrow(self, table: str) -> pa.Table:
        import pyarrow as pa

        arrays, fields = [], []
        for column in self.rules.definition.columns[table]:
            values, words = self._tables[table][column.name], words_of(column, self._labels)
            array = pa.array(values)
            if words:
                array = pa.DictionaryArray.from_arrays(pa.array(values, mask=values < 0), list(words))
            arrays.append(array)
            about = {"unit": column.unit, "meaning": column.meaning}
            fields.append(pa.field(column.name, array.type, metadata=about))
        about = {"vinci_lab": json.dumps(self.settings | {"digest": self.digest}, ensure_ascii=False)}
        return pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata=about))

    @classmethod
    def open(cls, folder: str | Path) -> Runs:
        """Read a saved run.

        Parameters
        ----------
        folder : path
            Where :meth:`save` wrote it.

        Raises
        ------
        DataError
            If a file is missing, or the tables are not those that were saved.
        """
        import pyarrow.parquet

        source = Path(folder)
        needed = [source / RUN_FILE, *(source / f"{table}.parquet" for table in TABLES)]
        if missing := [f"{path}: this file of the run is missing" for path in needed if not path.is_file()]:
            raise DataError(missing)
        try:
            described = json.loads(needed[0].read_text(encoding="utf-8"))
            settings, saved = described["settings"], described["digest"]
            rules = game_of(settings["game"]).build(described["ruleset"])
        except (json.JSONDecodeError, KeyError) as error:
            raise DataError([f"{needed[0]}: not the description of a run ({error})"]) from None
        runs = cls(rules, settings, {})
        for table in TABLES:
            arrow = pyarrow.parquet.read_table(source / f"{table}.parquet")
            columns = rules.definition.columns[table]
            runs._tables[table] = {column.name: _stored(arrow, column, runs._labels, table) for column in columns}
        if runs.digest != saved:
            raise DataError([f"{source}: the digest of the tables is {runs.digest}, {RUN_FILE} has {saved}"])
        return runs

    def __repr__(self) -> str:
        where = f"{self.settings['game']} ({self.settings['edition']}), {self.settings['players']} players"
        rows = ", ".join(f"{table} {len(next(iter(self._tables[table].values())))}" for table in TABLES)
        return f"Runs of {self.settings['completed']} games of {where}, seed {self.seed}; rows: {rows}"


def _stored(arrow: pa.Table, column: Column, labels: Mapping[str, tuple[str, ...]], table: str) -> Any:
    """Return one column of a Parquet table as stored integers."""
    if column.name not in arrow.column_names:
        raise DataError([f"{table}.parquet: column {column.name} is missing; it has {', '.join(arrow.column_names)}"])
    words = words_of(column, labels)
    if not words:
        return arrow[column.name].to_numpy().astype(stored_dtype(column))
    encoded = arrow[column.name].combine_chunks().dictionary_encode()
    encoded = encoded.combine_chunks() if hasattr(encoded, "combine_chunks") else encoded
    known = {word: code for code, word in enumerate(words)}
    codes = np.array([known.get(word, -1) for word in encoded.dictionary.to_pylist()] or [-1])
    indices = encoded.indices.fill_null(0).to_numpy(zero_copy_only=False)
    valid = encoded.is_valid().to_numpy(zero_copy_only=False)
    return np.where(valid, codes[indices], -1).astype(stored_dtype(column))


def write_whole(path: Path, write: Callable[[Path], object]) -> None:
    """Let ``write`` fill a temporary file beside ``path`` and rename it, so that the name never holds half a file."""
    temporary = path.with_name(f".{path.name}.part")
    try:
        write(temporary)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
