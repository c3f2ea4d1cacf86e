"""The command line, ``vinci-lab``. Heavy packages are imported inside the commands, so that help comes at once."""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

import vinci_lab

if TYPE_CHECKING:
    from vinci_lab.engine.position import Position
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


def main() -> None:
    """Run the command line."""
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # the others keep some 20 MB that they do not use
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
        typer.echo("interrupted; games that were finished and written are kept, and the same command goes on", err=True)
        raise typer.Exit(130) from None


@contextlib.contextmanager
def _warnings() -> Iterator[None]:
    """Print warnings as plain sentences on stderr."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", RuntimeWarning)
        yield
    for one in caught:
        typer.echo(str(one.message), err=True)


def _spare_memory() -> None:
    """Keep Numba from loading SciPy's linear algebra, 13 MB that no rule uses; SciPy itself may load it later."""
    name = "scipy.linalg.cython_blas"
    if name not in sys.modules:
        modules: dict[str, Any] = sys.modules
        modules[name] = None  # an import of it fails, and Numba goes without
        importlib.import_module("numba.np.arraymath")
        del modules[name]


def _leave(runs: Runs) -> None:
    """Leave with the exit code of an interruption if the run was interrupted."""
    if not runs.is_complete:
        raise typer.Exit(130)


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
    with _sentences():
        from vinci_lab.simulation.simulate import simulate as play

        _spare_memory()
        rules = _rules(game, players, edition, map_name, data, changes)
        with _warnings():
            runs = play(rules, agents, games, seed, jobs, out, chunk, transcripts=transcripts, replace=replace)
        if runs.played < runs.completed:
            typer.echo(f"{runs.completed - runs.played:,} games were in {out} already")
        if runs.played:
            typer.echo(f"{runs.played:,} games in {runs.seconds:.1f} s, {runs.played / runs.seconds:,.0f} games/s")
        typer.echo(f"ruleset {rules.hash}")
        typer.echo(f"digest {runs.digest}")
        if out is not None:
            typer.echo(f"tables in {out}")
        _leave(runs)


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
    with _sentences():
        from vinci_lab.simulation import sweep as sweeping

        _spare_memory()
        varied = dict(_choices(text) for text in changes or [])
        cells = sweeping.design(
            lambda number: _rules(game, number, edition, map_name, data, None),
            varied,
            [_number(text) for text in players.split(",")],
            agents or ["greedy"],
        )
        typer.echo(sweeping.table_text(sweeping.rows_of(cells, games, seed)), nl=False)
        if dry:
            return
        with _warnings():
            sweeping.sweep(cells, games, seed, out, jobs)
        typer.echo(f"{len(cells)} runs of {games:,} games in {out}")


def _number(text: str) -> int:
    """Return a whole number of ``--players``."""
    try:
        return int(text)
    except ValueError:
        raise ValueError(f"--players: must be whole numbers, such as 3,4, got {text!r}") from None


def _choices(text: str) -> tuple[str, list[Any]]:
    """Return the place and the values of ``place=value,value``."""
    place, _ = _change(text)
    return place, [_change(f"{place}={value}")[1] for value in text.partition("=")[2].split(",")]


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
    with _sentences():
        from vinci_lab.reporting import summarize, write_study
        from vinci_lab.simulation.simulate import simulate as play

        rules = _rules(game, players, edition, map_name, data, changes)
        folder = out or Path("reports") / f"{rules.game}-{rules.edition}"
        with _warnings():
            runs = play(rules, agents, games, seed, jobs, folder / "tables", replace=replace)
        summary = summarize(runs)
        page = write_study(runs, folder, data, summary)
        typer.echo(str(page))
        for finding in summary.findings():
            typer.echo(f"- {finding}")
        _leave(runs)


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
    players: Annotated[int | None, typer.Option(help="Number of seats; 4 if left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the game; 7 if left out.")] = None,
    edition: Edition = None,
    map_name: Annotated[
        str | None, typer.Option("--map", help="A map of the game; of a transcript: where to look for its shapes.")
    ] = None,
    data: Data = None,
    changes: Changes = None,
) -> None:
    """Draw a position as SVG or PNG."""
    with _sentences():
        from vinci_lab.engine.position import new_position
        from vinci_lab.engine.transcript import load_transcript

        path = out or Path(f"{Path(source).stem}.svg")
        if Path(source).suffix == ".jsonl":
            _refuse("a transcript", players=players, seed=seed, edition=edition, position=position, set=changes)
            shown = load_transcript(source).position_after(turn)
            if map_name is not None or data is not None:
                other = _rules(shown.rules.game, shown.rules.players, None, map_name, data, None)
                shown.rules = replace(shown.rules, sources=other.sources)
        else:
            rules = _rules(source, 4 if players is None else players, edition, map_name, data, changes)
            _refuse("a game; give a transcript", turn=turn)
            if position is not None:
                _refuse("a position", seed=seed)
                shown = _read_position(rules, position)
            else:
                shown = new_position(rules, 7 if seed is None else seed)
        typer.echo(str(shown.picture(width=width, theme=theme, name=path.stem).save(path, scale)))


def _refuse(what: str, **options: Any) -> None:
    """Raise a sentence if an option was given that says nothing about what is shown."""
    for name, value in options.items():
        if value is not None and value != []:
            raise ValueError(f"--{name}: it does not go with {what}")


def _read_position(rules: Ruleset, path: Path) -> Position:
    from vinci_lab.datafiles import Problems, read_text
    from vinci_lab.engine.position import Position

    problems = Problems()
    text = read_text(path, str(path), problems)
    problems.raise_if_any()
    return Position.from_text(rules, text or "")


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
        if pictures.exists() and not pictures.is_dir():
            raise ValueError(f"--out: must be a folder, got the file {pictures}")
        pictures.mkdir(parents=True, exist_ok=True)
        drawn: Counter[str] = Counter()
        for checked in found:
            typer.echo(f"{checked.name}: {_counted(len(checked.problems))}")
            for said in (*checked.problems, *([checked.note] if checked.note else [])):
                typer.echo(f"  {said}")
            if checked.rules is not None:
                name = checked.name.replace(" ", "_")
                drawn[name] += 1
                name += f"_{drawn[name]}" if drawn[name] > 1 else ""
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


importlib.import_module("vinci_lab.cli_balance")  # its commands use the options above

if __name__ == "__main__":
    importlib.import_module("vinci_lab.cli").main()
