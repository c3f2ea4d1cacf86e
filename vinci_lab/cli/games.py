"""The commands about single games and about data: ``replay``, ``show``, ``check``."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vinci_lab.cli.options import (
    Changes,
    Data,
    Edition,
    app,
    rules_of,
    sentences,
)

if TYPE_CHECKING:
    from vinci_lab.engine.position import Position
    from vinci_lab.engine.ruleset import Ruleset


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A transcript.")],
    verify: Annotated[bool, typer.Option("--verify", help="Play it again and report the first difference.")] = False,
) -> None:
    """Print a transcript in words, or check it against the rules."""
    with sentences():
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
    with sentences():
        from vinci_lab.engine.position import new_position
        from vinci_lab.engine.transcript import load_transcript

        path = out or Path(f"{Path(source).stem}.svg")
        if Path(source).suffix == ".jsonl":
            _refuse("a transcript", players=players, seed=seed, edition=edition, position=position, set=changes)
            shown = load_transcript(source).position_after(turn)
            if map_name is not None or data is not None:
                other = rules_of(shown.rules.game, shown.rules.players, None, map_name, data, None)
                shown.rules = replace(shown.rules, sources=other.sources)
        else:
            rules = rules_of(source, 4 if players is None else players, edition, map_name, data, changes)
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
    with sentences():
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
