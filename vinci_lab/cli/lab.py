"""The commands ``play`` and ``lab``: a game, or the notebooks, in the browser of this machine."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated, Any

import typer

import vinci_lab
from vinci_lab.cli.options import Changes, Data, Edition, Map, Players, app, change_of, sentences

Port = Annotated[int | None, typer.Option(help="Of this machine's loopback interface; a free one if left out.")]
Opens = Annotated[bool, typer.Option("--browser/--no-browser", help="Open a browser, or only print the address.")]
COPY = Path("vinci_lab_notebooks")


@app.command()
def play(
    game: Annotated[
        str, typer.Argument(help="A game, such as vinci, or FILE.jsonl, a written game to look at.")
    ] = "vinci",
    players: Players = 4,
    seats: Annotated[
        str | None, typer.Option(help="Who plays, such as human,search,greedy,greedy; you against greedy if left out.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Of the game; made up if left out.")] = None,
    edition: Edition = None,
    map_name: Map = None,
    data: Data = None,
    changes: Changes = None,
    port: Port = None,
    opens: Opens = True,
) -> None:
    """Play against the agents on the board in a browser, without Jupyter; nothing leaves this machine."""
    with sentences():
        from vinci_lab.simulation.seats import split_names
        from vinci_lab.widgets.app import serving

        serving.require("voila", "Voila")
        asked: dict[str, Any] = {"game": game, "players": players, "seed": seed, "edition": edition, "map": map_name}
        asked["data"] = None if data is None else str(data.resolve())
        asked["seats"] = None if seats is None else split_names(seats)
        asked["changes"] = dict(change_of(text) for text in changes or [])
        if game.endswith(".jsonl"):
            asked = {"transcript": str(_existing(Path(game)).resolve())}
        raise typer.Exit(serving.serve_page(asked, port, opens, typer.echo))


@app.command()
def lab(
    folder: Annotated[Path | None, typer.Argument(help="With notebooks; those of vinci_lab if left out.")] = None,
    port: Port = None,
    opens: Opens = True,
) -> None:
    """Open the notebooks in JupyterLab, on this machine alone."""
    with sentences():
        import subprocess

        from vinci_lab.widgets.app import serving

        serving.require("jupyterlab", "JupyterLab")
        place = _notebooks() if folder is None else _existing(folder)
        typer.echo(f"notebooks in {place}")
        try:
            code = subprocess.call(serving.lab_command(place.resolve(), port, opens), env=serving.environment())
        except KeyboardInterrupt:
            code = 0
        raise typer.Exit(code)


def _existing(path: Path) -> Path:
    if not path.exists():
        raise ValueError(f"{path}: there is no such file or folder")
    return path


def _notebooks() -> Path:
    """Return the notebooks of the checkout, or a copy of the packaged ones in this folder; nothing is overwritten."""
    package = Path(vinci_lab.__file__).parent
    if (package.parent / "notebooks").is_dir():
        return package.parent / "notebooks"
    COPY.mkdir(exist_ok=True)
    for path in sorted(_existing(package / "notebooks").glob("*.ipynb")):
        if not (COPY / path.name).exists():
            shutil.copyfile(path, COPY / path.name)
    return COPY
