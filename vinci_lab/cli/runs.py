"""The commands that play many games: ``simulate``, ``sweep``, ``study``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from vinci_lab.cli.options import (
    Agents,
    Changes,
    Data,
    Edition,
    GameName,
    Games,
    Jobs,
    Map,
    Players,
    Replace,
    Seed,
    app,
    change_of,
    leave,
    number_of,
    plain_warnings,
    rules_of,
    sentences,
    spare_memory,
)


@app.command()
def simulate(
    game: GameName,
    players: Players = 4,
    games: Games = 10_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    out: Annotated[Path | None, typer.Option(help="Folder for the tables; the same command goes on in it.")] = None,
    chunk: Annotated[int | None, typer.Option(help="Games per task.")] = None,
    transcripts: Annotated[int, typer.Option(help="Write this many games move by move to OUT/transcripts.")] = 0,
    replace: Replace = False,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Play many games; print their number per second and the digest of the tables.

    With --out, games are written as they are finished: Ctrl-C, a kill or a full disk loses at most those being played,
    and the same command goes on. The same command with more --games adds to the folder.
    """
    with sentences():
        from vinci_lab.simulation.simulate import simulate as play

        spare_memory()
        rules = rules_of(game, players, edition, map_name, data, changes)
        with plain_warnings():
            runs = play(rules, agents, games, seed, jobs, out, chunk, transcripts=transcripts, replace=replace)
        if runs.played < runs.completed:
            typer.echo(f"{runs.completed - runs.played:,} games were in {out} already")
        if runs.played:
            typer.echo(f"{runs.played:,} games in {runs.seconds:.1f} s, {runs.played / runs.seconds:,.0f} games/s")
        typer.echo(f"ruleset {rules.hash}")
        typer.echo(f"digest {runs.digest}")
        if out is not None:
            typer.echo(f"tables in {out}")
        leave(runs)


@app.command()
def sweep(
    game: GameName,
    players: Annotated[str, typer.Option(help="Numbers of seats, such as 3,4.")] = "4",
    games: Games = 10_000,
    seed: Seed = 7,
    agents: Annotated[
        list[str] | None, typer.Option(help="Agents as for simulate; repeat the option for other agents.")
    ] = None,
    jobs: Jobs = -1,
    out: Annotated[Path, typer.Option(help="Folder for the runs; the same command goes on in it.")] = Path("sweep"),
    dry: Annotated[bool, typer.Option("--dry", help="List the combinations and play nothing.")] = False,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="PLACE=V1,V2", help="Values a number of the rules shall take; repeatable."),
    ] = None,
) -> None:
    """Play every combination of changed rules, numbers of players and agents on common keys, as one resumable run."""
    with sentences():
        from vinci_lab.simulation import sweep as sweeping

        spare_memory()
        varied = dict(_choices(text) for text in changes or [])
        cells = sweeping.design(
            lambda number: rules_of(game, number, edition, map_name, data, None),
            varied,
            [number_of(text) for text in players.split(",")],
            agents or ["greedy"],
        )
        typer.echo(sweeping.table_text(sweeping.rows_of(cells, games, seed)), nl=False)
        if dry:
            return
        with plain_warnings():
            sweeping.sweep(cells, games, seed, out, jobs)
        typer.echo(f"{len(cells)} runs of {games:,} games in {out}")


def _choices(text: str) -> tuple[str, list[Any]]:
    """Return the place and the values of ``place=value,value``."""
    place, _ = change_of(text)
    return place, [change_of(f"{place}={value}")[1] for value in text.partition("=")[2].split(",")]


@app.command()
def study(
    game: GameName,
    players: Players = 4,
    games: Games = 20_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    out: Annotated[Path | None, typer.Option(help="Folder for the report; reports/GAME-EDITION if left out.")] = None,
    replace: Replace = False,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Play many games and write a report: one HTML page, summary tables as CSV, all tables as Parquet."""
    with sentences():
        from vinci_lab.reporting import summarize, write_study
        from vinci_lab.simulation.simulate import simulate as play

        rules = rules_of(game, players, edition, map_name, data, changes)
        folder = out or Path("reports") / f"{rules.game}-{rules.edition}"
        with plain_warnings():
            runs = play(rules, agents, games, seed, jobs, folder / "tables", replace=replace)
        summary = summarize(runs)
        page = write_study(runs, folder, data, summary)
        typer.echo(str(page))
        for finding in summary.findings():
            typer.echo(f"- {finding}")
        leave(runs)
