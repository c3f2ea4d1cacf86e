"""What makes two runs the same study, and the words that stand for the numbers in its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import vinci_lab
from vinci_lab.engine.game import Column
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.tables import TABLES, WIN_SHARE, words_of

# The settings that say which games are played, with their names in sentences; a run is these and a number of games.
IDENTITY = {
    "program": "program",
    "version": "version of the program",
    "game": "game",
    "game_version": "version of the game's rules",
    "edition": "edition",
    "players": "number of players",
    "ruleset_hash": "ruleset",
    "agents": "agents",
    "seed": "seed",
}


def identity_of(rules: Ruleset, agents: Sequence[str], seed: int) -> dict[str, Any]:
    """Return the settings that say which games are played."""
    return {
        "program": "vinci_lab",
        "version": vinci_lab.__version__,
        "game": rules.game,
        "game_version": rules.definition.version,
        "edition": rules.edition,
        "players": rules.players,
        "ruleset_hash": rules.hash,
        "agents": list(agents),
        "seed": seed,
    }


def differences(here: Mapping[str, Any], asked: Mapping[str, Any]) -> list[str]:
    """Return in what two identities differ, one phrase each."""

    def said(value: Any) -> str:
        return ",".join(map(str, value)) if isinstance(value, list) else str(value)

    return [
        f"{words} {said(here.get(name))} there, {said(asked[name])} asked for"
        for name, words in IDENTITY.items()
        if here.get(name) != asked[name]
    ]


def labels_of(rules: Ruleset, agents: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the lists of words that columns name, such as the names of the tiles."""
    game = rules.definition
    named = {column.labels for columns in game.columns.values() for column in columns if isinstance(column.labels, str)}
    labels = {what: game.labels(rules, what) for what in sorted(named - {"", "agent"})}
    return labels | {"agent": tuple(dict.fromkeys(agents))}


def columns_of(rules: Ruleset, table: str) -> tuple[Column, ...]:
    """Return the columns of a table as a DataFrame has them: those that are recorded, and what follows from them."""
    return (*rules.definition.columns[table], *((WIN_SHARE,) if table == "games" else ()))


def dictionary_of(rules: Ruleset, agents: Sequence[str]) -> list[dict[str, str]]:
    """Return the dictionary of columns: ``table, column, dtype, unit, meaning, values``."""
    labels = labels_of(rules, agents)
    return [
        {
            "table": table,
            "column": column.name,
            "dtype": column.dtype,
            "unit": column.unit,
            "meaning": column.meaning,
            "values": ", ".join(words_of(column, labels)),
        }
        for table in TABLES
        for column in columns_of(rules, table)
    ]
