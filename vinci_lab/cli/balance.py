"""The commands ``compare`` and ``thresholds``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from vinci_lab.cli.options import (
    Agents,
    Changes,
    Csv,
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
    change_of,
    number_of,
    rules_of,
    sentences,
    show_table,
    write_table,
)

if TYPE_CHECKING:
    import pandas as pd


@app.command()
def compare(
    game: GameName,
    players: Players = 4,
    games: Games = 20_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    changes: Changes = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="PLACE=VALUE", help="What the second rules change besides; repeatable."),
    ] = None,
    until: Annotated[
        str | None, typer.Option(help="A quantity, such as rounds: stop once its difference is certain.")
    ] = None,
    level: Level = 0.95,
    out: Csv = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
) -> None:
    """Play the same games by two rules and print what changes, with intervals and the games needed to see it."""
    with sentences():
        from vinci_lab.analysis.compare import compare as comparing

        if not others:
            raise ValueError("--with: say what the second rules change, such as --with victory_threshold=110")
        first = rules_of(game, players, edition, map_name, data, changes)
        second = first.replace(dict(change_of(text) for text in others))
        table = comparing(first, second, games, seed, agents, level, until=until, n_jobs=jobs)
        columns = ["metric", "a", "b", "estimate", "low", "high", "n", "p_holm", "variance_gain", "games_needed"]
        columns += ["sequence_low", "sequence_high", "decided_at"] if until is not None else []
        show_table(table, columns, out)


@app.command()
def thresholds(
    game: GameName,
    players: Annotated[str, typer.Option(help="Numbers of seats, such as 3,4.")] = "4",
    values: Annotated[str, typer.Option(help="Values to try: 80,100,120 or FROM:TO:STEP, both ends included.")] = (
        "80:160:10"
    ),
    games: Games = 5_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    place: Annotated[
        str | None, typer.Option(help="The number of the rules to vary; the one that ends the game if left out.")
    ] = None,
    wishes: Annotated[
        list[str] | None,
        typer.Option("--wish", metavar="NAME=NUMBER", help="Such as target_rounds=10, seat_bias=0.02; repeatable."),
    ] = None,
    shortcut: Annotated[
        bool, typer.Option("--shortcut", help="Read the values off one long run too, and show how far that is off.")
    ] = False,
    minutes: Annotated[float, typer.Option(help="Minutes that a turn of a person is taken to last.")] = 2.0,
    level: Level = 0.95,
    jobs: Jobs = -1,
    out: Csv = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Play games for each value of the number that ends them; print what they are like, and what fits your wishes."""
    with sentences():
        import pandas as pd

        from vinci_lab.analysis.thresholds import threshold_curve
        from vinci_lab.analysis.wishes import recommend_threshold

        tried, wanted, tables = _values(values), dict(_wish(text) for text in wishes or []), []
        for number in [number_of(text) for text in players.split(",")]:
            rules = rules_of(game, number, edition, map_name, data, changes)
            table = threshold_curve(rules, tried, games, seed, agents, place, shortcut, minutes, level, jobs)
            tables.append(table.assign(players=number))
            typer.echo(f"players: {number}")
            typer.echo(_wide(table).to_string(index=False, float_format=lambda number: f"{number:.4g}"))
            if wanted:
                settings: dict[str, Any] = {"minutes_per_turn": minutes, "level": level, "n_jobs": jobs, **wanted}
                found = recommend_threshold(rules, tried, 2 * games, seed, agents, place, **settings)
                show_table(
                    found, ["value", "printed", "metric", "wish", "estimate", "low", "high", "n", "verdict"], None
                )
        if out is not None:
            write_table(pd.concat(tables), out)


SHOWN = ("rounds", "minutes", "seat_bias", "margin", "lead_changes", "ties", "half_leader_wins", "comebacks")


def _wide(table: pd.DataFrame) -> pd.DataFrame:
    """Return some quantities of a curve as columns, each with half the width of its band."""
    rows = []
    for (value, method), part in table.groupby(["value", "method"], sort=False):
        found = part.set_index("metric")
        is_printed = bool(part["is_printed"].iloc[0])
        row: dict[str, object] = {"value": f"{value}{' (in the rules)' if is_printed else ''}", "method": method}
        for name in [*SHOWN, *(str(name) for name in found.index if " ahead of " in str(name))]:
            one = found.loc[name]
            row[name] = f"{one['estimate']:.4g} ±{(one['band_high'] - one['band_low']) / 2:.2g}"
        rows.append(row)
    import pandas as pd

    return pd.DataFrame(rows)


def _values(text: str) -> list[int]:
    """Return the numbers of ``--values``."""
    try:
        if ":" not in text:
            return [int(one) for one in text.split(",")]
        first, last, step = (int(one) for one in text.split(":"))
        return list(range(first, last + 1, step))
    except ValueError:
        raise ValueError(f"--values: must be numbers such as 80,100,120 or FROM:TO:STEP, got {text!r}") from None


def _wish(text: str) -> tuple[str, float]:
    """Return the name and the number of ``--wish``."""
    name, _, number = text.partition("=")
    try:
        return name.strip(), float(number)
    except ValueError:
        raise ValueError(f"--wish: must be name=number, such as target_rounds=10, got {text!r}") from None
