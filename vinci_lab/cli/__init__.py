"""The command line, ``vinci-lab``. Heavy packages are imported inside the commands, so that help comes at once."""

from __future__ import annotations

import importlib
import os
from typing import Annotated

import typer

import vinci_lab
from vinci_lab.cli.options import app

PARTS = ("runs", "balance", "tiles", "rebalance", "sensitivity", "agents", "games", "lab")  # the order in the help
for _part in PARTS:
    importlib.import_module(f"vinci_lab.cli.{_part}")


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
