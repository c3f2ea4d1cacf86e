"""The command ``sensitivity``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from vinci_lab.cli.options import (
    Agents,
    Changes,
    Data,
    Edition,
    GameName,
    Games,
    Jobs,
    Level,
    Map,
    Players,
    Seed,
    app,
    rules_of,
    sentences,
    show_table,
)

UNKNOWNS = ["unknown", "kind", "estimate", "low", "high", "tiles", "places", "course", "lowest", "highest"]
RANKS = ["title", "base_rank", "estimate", "low", "high", "noisy_low", "noisy_high", "noise_low", "noise_high"]


@app.command()
def sensitivity(
    game: GameName,
    players: Players = 4,
    games: Games = 400,
    points: Annotated[int, typer.Option(help="Settings of the unknowns, each with so many games.")] = 128,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    claims: Annotated[
        list[str] | None,
        typer.Option("--claim", metavar="'QUANTITY<NUMBER'", help="A further conclusion, as 'rounds<12'; repeatable."),
    ] = None,
    structures: Annotated[
        str | None, typer.Option(help="Variants of the map: all that are listed, or some, as a,b; or none.")
    ] = None,
    unknowns: Annotated[str | None, typer.Option(help="Numbers to vary, as tiles.port.tokens,..., if not all.")] = None,
    design: Annotated[str, typer.Option(help="lhs, a Latin hypercube, or sobol.")] = "lhs",
    level: Level = 0.95,
    out: Annotated[Path | None, typer.Option(help="Folder for all tables, the findings and a figure.")] = None,
    changes: Changes = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
) -> None:
    """Vary what is not known about the rules; print which conclusions survive, and which unknown matters most."""
    with sentences():
        from vinci_lab.analysis.sensitivity import sensitivity as varying

        rules = rules_of(game, players, edition, map_name, data, changes)
        listed = None if structures is None else [] if structures == "none" else structures.split(",")
        numbers = None if unknowns is None else unknowns.split(",")
        found = varying(
            rules, games, points, seed, agents, claims, listed, numbers, design, None, level, jobs, progress=True
        )
        typer.echo(repr(found))
        show_table(found.unknowns, UNKNOWNS, None)
        show_table(found.ranks, RANKS, None)
        if out is not None:
            typer.echo(f"tables in {found.save(out)}")
