"""What the commands have in common: the application, options, sentences instead of tracebacks, tables as text."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import pandas as pd

    from vinci_lab.engine.ruleset import Ruleset
    from vinci_lab.simulation.store import Runs

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Simulate board games and measure how well balanced they are."
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, such as vinci.")]
Players = Annotated[
    int, typer.Option(help="Number of players; with 1 or 2 of Vinci automata take the other of four seats.")
]
Games = Annotated[int, typer.Option(help="Number of games.")]
Seed = Annotated[int, typer.Option(help="Seed; the same seed gives the same games.")]
Agents = Annotated[str, typer.Option(help="One agent for all seats or one per seat, such as greedy,random.")]
Jobs = Annotated[int, typer.Option(help="Games in parallel; -1 is one per core.")]
Edition = Annotated[str | None, typer.Option(help="A folder of the game's data.")]
Map = Annotated[str | None, typer.Option("--map", help="A map of the game.")]
Replace = Annotated[bool, typer.Option("--replace", help="Remove another study from the folder rather than refuse.")]
Data = Annotated[Path | None, typer.Option(help="Another data folder.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PLACE=VALUE", help="Change the rules, as in tiles.weapons.tokens=4; repeatable."),
]
Level = Annotated[float, typer.Option(help="Of confidence of the intervals.")]
Csv = Annotated[Path | None, typer.Option("--out", help="FILE.csv for the whole table.")]


@contextlib.contextmanager
def sentences() -> Iterator[None]:
    """Turn what a person can put right into sentences on stderr and exit code 2; other errors keep their traceback."""
    try:
        yield
    except BrokenPipeError:  # whoever read the output, such as head, has had enough
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - Python flushes it once more on the way out
        raise typer.Exit(0) from None
    except FileNotFoundError as error:
        typer.echo(f"{error.filename}: there is no such file or folder", err=True)
        raise typer.Exit(2) from None
    except (ValueError, OSError) as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        typer.echo("interrupted; games that were finished and written are kept, and the same command goes on", err=True)
        raise typer.Exit(130) from None


@contextlib.contextmanager
def plain_warnings() -> Iterator[None]:
    """Print warnings as plain sentences on stderr."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        yield
    for one in caught:
        typer.echo(str(one.message), err=True)


def spare_memory() -> None:
    """Keep Numba from loading SciPy's linear algebra, 13 MB that no rule uses; SciPy itself may load it later."""
    name = "scipy.linalg.cython_blas"
    if name not in sys.modules:
        modules: dict[str, Any] = sys.modules
        modules[name] = None  # an import of it fails, and Numba goes without
        importlib.import_module("numba.np.arraymath")
        del modules[name]


def leave(runs: Runs) -> None:
    """Leave with the exit code of an interruption if the run was interrupted."""
    if not runs.is_complete:
        raise typer.Exit(130)


def rules_of(
    game: str, players: int, edition: str | None, map_name: str | None, data: Path | None, changes: list[str] | None
) -> Ruleset:
    """Return the ruleset the options ask for."""
    from vinci_lab.rulesets import ruleset

    asked: dict[str, Any] = {"edition": edition, "map": map_name, "data": data}
    rules = ruleset(game, players, **{name: value for name, value in asked.items() if value is not None})
    return rules.replace(dict(change_of(text) for text in changes)) if changes else rules


def change_of(text: str) -> tuple[str, Any]:
    """Return the place and the value of ``place=value``; a value that is not JSON is a word."""
    place, equals, value = text.partition("=")
    if not place or not equals:
        raise ValueError(f"--set: must be place=value, such as tiles.weapons.tokens=4, got {text!r}")
    try:
        return place.strip(), json.loads(value)
    except json.JSONDecodeError:
        return place.strip(), value.strip()


def number_of(text: str) -> int:
    """Return a whole number of ``--players``."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"--players: must be whole numbers, such as 3,4, got {text!r}") from None


def show_table(table: pd.DataFrame, columns: list[str], out: Path | None) -> None:
    """Print some columns of a table, and write all of it to a file if asked to."""
    typer.echo(table[columns].to_string(index=False, float_format=lambda number: f"{number:.4g}", na_rep="-"))
    if out is not None:
        write_table(table, out)


def write_table(table: pd.DataFrame, out: Path) -> None:
    """Write a table as CSV and say where."""
    from vinci_lab.simulation.files import frame_csv

    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(frame_csv(table), encoding="utf-8")
    typer.echo(f"table in {out}")
