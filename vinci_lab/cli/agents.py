"""The commands about agents: ``ladder`` and ``tune``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vinci_lab.cli.options import (
    Changes,
    Data,
    Edition,
    GameName,
    Jobs,
    Map,
    Players,
    Seed,
    app,
    rules_of,
    sentences,
)


@app.command()
def ladder(
    game: GameName,
    agents: Annotated[str, typer.Option(help="One agent for each seat, such as search,greedy,greedy,greedy.")],
    players: Players = 4,
    games: Annotated[int, typer.Option(help="Number of games, all rotations of the seats together.")] = 2_000,
    seed: Seed = 5,
    jobs: Jobs = -1,
    out: Annotated[Path | None, typer.Option(help="Folder for the tables as CSV and a figure.")] = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Let agents play one another in rotated seats on the same draws, and rate them."""
    with sentences():
        from vinci_lab.analysis.ladder import ladder as climb

        rules = rules_of(game, players, edition, map_name, data, changes)
        climbed = climb(rules, agents, games, seed, jobs)
        typer.echo(repr(climbed))
        typer.echo(f"\nwho ends before whom\n{climbed.matrix.to_string(index=False)}")
        typer.echo(f"\nPlackett-Luce strengths\n{climbed.strengths.to_string(index=False)}")
        if out is not None:
            typer.echo(f"tables in {climbed.save(out)}")


@app.command()
def tune(
    game: GameName,
    players: Players = 4,
    start: Annotated[str, typer.Option(help="The agent to start from.")] = "greedy",
    steps: Annotated[int, typer.Option(help="Steps of the search.")] = 1_000,
    games: Annotated[int, typer.Option(help="Games in each step.")] = 400,
    confirm: Annotated[int, typer.Option(help="Games on fresh seeds against the start.")] = 8_000,
    seed: Annotated[int, typer.Option(help="Seed; the same seed finds the same parameters.")] = 1,
    jobs: Jobs = -1,
    out: Annotated[Path | None, typer.Option(help="File of stored agents to write to; printed if left out.")] = None,
    name: Annotated[str, typer.Option(help="Name of the parameters in that file.")] = "tuned",
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Search better parameters for the greedy agent by play, and confirm them on fresh seeds."""
    with sentences():
        from vinci_lab.analysis.tuning import tune as search
        from vinci_lab.analysis.tuning import write_stored

        rules = rules_of(game, players, edition, map_name, data, changes)
        found = search(rules, start, steps, games, confirm, seed, jobs)
        section = found.to_toml(name)
        if out is None:
            typer.echo(section, nl=False)
        else:
            write_stored(out, name, section)
            typer.echo(f"{found.score}\nparameters in {out}, as {name}")
