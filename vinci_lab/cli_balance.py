"""The commands ``vinci-lab compare`` and ``vinci-lab thresholds``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from vinci_lab import cli

if TYPE_CHECKING:
    import pandas as pd

Level = Annotated[float, typer.Option(help="Of confidence of the intervals.")]
Csv = Annotated[Path | None, typer.Option("--out", help="FILE.csv for the whole table.")]


@cli.app.command()
def compare(
    game: cli.GameName,
    players: cli.Players = 4,
    games: cli.Games = 20_000,
    seed: cli.Seed = 7,
    agents: cli.Agents = "greedy",
    jobs: cli.Jobs = -1,
    changes: cli.Changes = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="PLACE=VALUE", help="What the second rules change besides; repeatable."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="A quantity, such as rounds: stop once its difference is certain.")
    ] = None,
    level: Level = 0.95,
    out: Csv = None,
    edition: cli.Edition = None,
    map_name: cli.Map = None,
    data: cli.Data = None,
) -> None:
    """Play the same games by two rules and print what changes, with intervals and the games needed to see it."""
    with cli._sentences():
        from vinci_lab.analysis.compare import compare as comparing

        if not others:
            raise ValueError("--with: say what the second rules change, such as --with victory_threshold=110")
        first = cli._rules(game, players, edition, map_name, data, changes)
        second = first.replace(dict(cli._change(text) for text in others))
        table = comparing(first, second, games, seed, agents, level, until=until, n_jobs=jobs)
        columns = ["metric", "a", "b", "estimate", "low", "high", "n", "p_holm", "variance_gain", "games_needed"]
        columns += ["sequence_low", "sequence_high", "decided_at"] if until is not None else []
        _show(table, columns, out)


def _show(table: pd.DataFrame, columns: list[str], out: Path | None) -> None:
    """Print some columns of a table, and write all of it to a file if asked to."""
    from vinci_lab.simulation.files import frame_csv

    if out is not None:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(frame_csv(table), encoding="utf-8")
    shown = table[columns].to_string(index=False, float_format=lambda number: f"{number:.4g}", na_rep="-")
    typer.echo(shown)
    if out is not None:
        typer.echo(f"table in {out}")
