"""The commands ``prices`` and ``rebalance``."""

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
    leave,
    rules_of,
    sentences,
    show_table,
)

What = Annotated[str, typer.Option(help="A number tiles can have more or less of, such as tiles.tokens.")]


@app.command()
def prices(
    game: GameName,
    players: Players = 4,
    games: Games = 10_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    changes: Changes = None,
    tokens: Annotated[
        bool, typer.Option("--tokens", help="Play more games for the red number at which each tile would be average.")
    ] = False,
    what: What = "tiles.tokens",
    level: Level = 0.95,
    out: Annotated[Path | None, typer.Option(help="Folder for the tables.")] = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
) -> None:
    """Print what tiles are worth and what was paid for them, and which place of the tray is a bargain."""
    with sentences():
        from vinci_lab.analysis.prices import fair_prices, tray_bargains
        from vinci_lab.analysis.slopes import average_tokens
        from vinci_lab.simulation.simulate import simulate

        rules = rules_of(game, players, edition, map_name, data, changes)
        runs = simulate(rules, agents, games, seed, jobs)
        leave(runs)
        place = None if out is None else out / "tiles.csv"
        show_table(fair_prices(runs, level=level), ["tile", "estimate", "low", "high", "n", "paid", "net"], place)
        columns = ["slot", "estimate", "low", "high", "n", "worth", "coins", "price", "taken", "best", "taken_estimate"]
        show_table(tray_bargains(runs, level=level), columns, None if out is None else out / "tray.csv")
        if tokens:
            found = average_tokens(rules, games, seed, agents, what, level=level, n_jobs=jobs)
            columns = ["tile", "number", "estimate", "low", "high", "recommended", "is_allowed", "effect", "slope"]
            show_table(found, columns, None if out is None else out / "average.csv")


@app.command()
def rebalance(
    game: GameName,
    players: Players = 4,
    games: Games = 20_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    what: What = "tiles.tokens",
    design: Annotated[
        str, typer.Option(help="How effects are measured: market, randomized (civilizations are dealt) or forked.")
    ] = "market",
    penalty: Annotated[float, typer.Option(help="Squared points that one squared step from the rules costs.")] = 0.05,
    max_change: Annotated[int, typer.Option(help="Largest change of a number.")] = 3,
    rounds: Annotated[int, typer.Option(help="Rounds of measuring and stepping at most.")] = 3,
    also: Annotated[
        list[str] | None,
        typer.Option(help="Other agents to judge the new numbers by, such as greedy:tuned; repeatable."),
    ] = None,
    level: Level = 0.95,
    jobs: Jobs = -1,
    out: Annotated[
        Path | None, typer.Option(help="Folder for tables, a picture, and data/ with the new tiles.csv.")
    ] = None,
    changes: Changes = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
) -> None:
    """Find whole numbers that level the tiles, and print what other games say of them."""
    with sentences():
        from vinci_lab.analysis.rebalance import rebalance as leveling

        rules = rules_of(game, players, edition, map_name, data, changes)
        found = leveling(
            rules,
            what,
            games,
            seed,
            agents,
            design=design,
            penalty=penalty,
            max_change=max_change,
            rounds=rounds,
            also=also or (),
            confidence=level,
            n_jobs=jobs,
        )
        typer.echo(repr(found))
        if out is not None:
            found.save(out)
            typer.echo(f"tables, picture and data in {out}; play with --data {out / 'data'}")
