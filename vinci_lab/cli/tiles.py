"""The command ``tiles``."""

from __future__ import annotations

from typing import Annotated

import typer

from vinci_lab.cli.options import (
    Agents,
    Changes,
    Csv,
    Data,
    Edition,
    GameName,
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


@app.command()
def tiles(
    game: GameName,
    design: Annotated[
        str,
        typer.Option(
            help="market: agents choose and pay; randomized: chance deals; forked: each tile in turn at a choice."
        ),
    ] = "market",
    players: Players = 4,
    games: Annotated[
        int, typer.Option(help="Number of games; forked, of games that are stopped and played a dozen times over.")
    ] = 10_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    level: Level = 0.95,
    out: Csv = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Play games and print how strong each tile is against the average one, with intervals, and what that means."""
    with sentences():
        from vinci_lab.analysis.tiles import ESTIMANDS, INTERFERENCE, tile_study

        rules = rules_of(game, players, edition, map_name, data, changes)
        table = tile_study(rules, design, agents, games, seed, level, jobs)
        columns = ["tile", "estimate", "low", "high", "n", "p_holm", "lead", "win_effect", "early", "late"]
        columns += [name for name in ("rate_active", "rate_decline", "pick_rate") if name in table]
        show_table(table, columns, out)
        typer.echo(f"{ESTIMANDS[design]} {INTERFERENCE[design]}")
