"""The command line, ``vinci-lab``. Heavy packages are imported inside the commands, so that help comes at once."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import vinci_lab

if TYPE_CHECKING:
    from vinci_lab.engine.ruleset import Ruleset

app = typer.Typer(
    no_args_is_help=True, add_completion=False, help="Simulate board games and measure how well balanced they are."
)

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game, such as vinci.")]
Players = Annotated[int, typer.Option(help="Number of seats.")]
Games = Annotated[int, typer.Option(help="Number of games.")]
Seed = Annotated[int, typer.Option(help="Seed; the same seed gives the same games.")]
Agents = Annotated[str, typer.Option(help="One agent for all seats or one per seat, such as greedy,random.")]
Jobs = Annotated[int, typer.Option(help="Games in parallel; -1 is one per core.")]
Edition = Annotated[str | None, typer.Option(help="A folder of the game's data.")]
Map = Annotated[str | None, typer.Option("--map", help="A map of the game.")]
Data = Annotated[Path | None, typer.Option(help="Another data folder.")]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PLACE=VALUE", help="Change the rules, as in tiles.weapons.tokens=4; repeatable."),
]


def main() -> None:
    """Run the command line."""
    app()


def _show_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"vinci_lab {vinci_lab.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Take the options that stand before a command."""


@contextlib.contextmanager
def _sentences() -> Iterator[None]:
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
        typer.echo("interrupted before the first games were finished", err=True)
        raise typer.Exit(130) from None


@app.command()
def simulate(
    game: GameName,
    players: Players = 4,
    games: Games = 10_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    out: Annotated[Path | None, typer.Option(help="Folder for the tables as Parquet.")] = None,
    transcripts: Annotated[int, typer.Option(help="Write this many games move by move to OUT/transcripts.")] = 0,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Play many games; print their number per second and the digest of the tables."""
    with _sentences():
        from vinci_lab.simulation.simulate import simulate as play

        rules = _rules(game, players, edition, map_name, data, changes)
        runs = play(rules, agents, games, seed, jobs, out, transcripts=transcripts)
        done = int(runs.settings["completed"])
        typer.echo(f"{done:,} games in {runs.seconds:.1f} s, {done / runs.seconds:,.0f} games/s")
        typer.echo(f"ruleset {rules.hash}")
        typer.echo(f"digest {runs.digest}")
        if out is not None:
            typer.echo(f"tables in {out}")


@app.command()
def study(
    game: GameName,
    players: Players = 4,
    games: Games = 20_000,
    seed: Seed = 7,
    agents: Agents = "greedy",
    jobs: Jobs = -1,
    out: Annotated[Path | None, typer.Option(help="Folder for the report; reports/GAME-EDITION if left out.")] = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Play many games and write a report: one HTML page, summary tables as CSV, all tables as Parquet."""
    with _sentences():
        from vinci_lab.reporting import summarize, write_study
        from vinci_lab.simulation.simulate import simulate as play

        rules = _rules(game, players, edition, map_name, data, changes)
        folder = out or Path("reports") / f"{rules.game}-{rules.edition}"
        runs = play(rules, agents, games, seed, jobs, folder / "tables")
        summary = summarize(runs)
        page = write_study(runs, folder, data, summary)
        typer.echo(str(page))
        for finding in summary.findings():
            typer.echo(f"- {finding}")


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
    with _sentences():
        from vinci_lab.analysis.ladder import ladder as climb

        rules = _rules(game, players, edition, map_name, data, changes)
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
    with _sentences():
        from vinci_lab.analysis.tuning import tune as search
        from vinci_lab.analysis.tuning import write_stored

        rules = _rules(game, players, edition, map_name, data, changes)
        found = search(rules, start, steps, games, confirm, seed, jobs)
        section = found.to_toml(name)
        if out is None:
            typer.echo(section, nl=False)
        else:
            write_stored(out, name, section)
            typer.echo(f"{found.score}\nparameters in {out}, as {name}")


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    verify: Annotated[bool, typer.Option("--verify", help="Play it again and report the first difference.")] = False,
) -> None:
    """Print a transcript in words, or check it against the rules."""
    with _sentences():
        from vinci_lab.engine.transcript import load_transcript

        transcript = load_transcript(file)
        if not verify:
            for sentence in transcript.in_words():
                typer.echo(sentence)
            return
        difference = transcript.verify()
        typer.echo(difference or f"{file}: every step agrees with the rules")
        if difference:
            raise typer.Exit(1)


@app.command()
def show(
    source: Annotated[
        str, typer.Argument(metavar="SOURCE", help="A game, for the start of a game, or a transcript FILE.jsonl.")
    ],
    out: Annotated[
        Path | None, typer.Option(help="FILE.svg or FILE.png; SOURCE.svg in this folder if left out.")
    ] = None,
    turn: Annotated[int | None, typer.Option(help="Of a transcript: after so many turns; the end if left out.")] = None,
    position: Annotated[Path | None, typer.Option(help="A file with a position as text, of the game SOURCE.")] = None,
    width: Annotated[int, typer.Option(help="Pixels; below 640 for a narrow column.")] = 900,
    theme: Annotated[str, typer.Option(help="auto, light or dark.")] = "auto",
    scale: Annotated[float, typer.Option(help="Of a PNG: pixels per pixel of the width.")] = 2,
    players: Players = 4,
    seed: Seed = 7,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Draw a position as SVG or PNG."""
    with _sentences():
        from vinci_lab.engine.position import Position, new_position
        from vinci_lab.engine.transcript import load_transcript

        if Path(source).suffix == ".jsonl":
            shown = load_transcript(source).position_after(turn)
        else:
            rules = _rules(source, players, edition, map_name, data, changes)
            shown = new_position(rules, seed)
            if position is not None:
                shown = Position.from_text(rules, position.read_text(encoding="utf-8"))
        path = out or Path(f"{Path(source).stem}.svg")
        typer.echo(str(shown.picture(width=width, theme=theme, name=path.stem).save(path, scale)))


@app.command()
def check(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Maps or an edition: files laid out as in data/.")],
    out: Annotated[Path | None, typer.Option(help="Folder for the pictures; the current one if left out.")] = None,
) -> None:
    """Check maps and editions that somebody made: say all that is wrong, and draw what can be drawn."""
    with _sentences():
        from vinci_lab.engine.position import new_position
        from vinci_lab.rulesets import check_folder

        found = check_folder(folder)
        pictures = out or Path()
        pictures.mkdir(parents=True, exist_ok=True)
        for checked in found:
            typer.echo(f"{checked.name}: {_counted(len(checked.problems))}")
            for problem in checked.problems:
                typer.echo(f"  {problem}")
            if checked.rules is not None:
                name = checked.name.replace(" ", "_")
                path = new_position(checked.rules).picture(name=name).save(pictures / f"{name}.svg")
                typer.echo(f"  drawn in {path}")
        if any(checked.problems for checked in found):
            raise typer.Exit(1)


def _counted(problems: int) -> str:
    return "all is well" if problems == 0 else "1 problem" if problems == 1 else f"{problems} problems"


def _rules(
    game: str, players: int, edition: str | None, map_name: str | None, data: Path | None, changes: list[str] | None
) -> Ruleset:
    """Return the ruleset the options ask for."""
    from vinci_lab.rulesets import ruleset

    asked: dict[str, Any] = {"edition": edition, "map": map_name, "data": data}
    rules = ruleset(game, players, **{name: value for name, value in asked.items() if value is not None})
    return rules.replace(dict(_change(text) for text in changes)) if changes else rules


def _change(text: str) -> tuple[str, Any]:
    """Return the place and the value of ``place=value``; a value that is not JSON is a word."""
    place, equals, value = text.partition("=")
    if not place or not equals:
        raise ValueError(f"--set: must be place=value, such as tiles.weapons.tokens=4, got {text!r}")
    try:
        return place.strip(), json.loads(value)
    except json.JSONDecodeError:
        return place.strip(), value.strip()


if __name__ == "__main__":
    main()
