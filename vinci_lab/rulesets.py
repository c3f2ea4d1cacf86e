"""The rules of a game by its name, and what is wrong with rules that somebody made."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from vinci_lab.engine.game import game_names, game_of
from vinci_lab.engine.ruleset import Checked, Ruleset


def ruleset(game: str, players: int, edition: str | None = None, **options: Any) -> Ruleset:
    """Return the rules of a game for a number of players, read from the data files and checked.

    Parameters
    ----------
    game : str
        Such as ``"vinci"``.
    players : int
        Number of players. With 1 and 2, automata take the other of Vinci's four seats.
    edition : str, optional
        A folder of the game's data; the game's first edition if left out.
    **options
        Of the game, such as ``map`` and ``data`` (another data folder).

    Raises
    ------
    DataError
        With everything that is wrong with the data files.
    ValueError
        If there is no such game.
    """
    if edition is not None:
        options["edition"] = edition
    return game_of(game).load(players, **options)


def check_folder(folder: str | Path) -> list[Checked]:
    """Return the maps and editions found in a folder, each with all that is wrong with it.

    Parameters
    ----------
    folder : path
        Laid out like ``data/``, or one of its folders.

    Raises
    ------
    ValueError
        If there is no such folder, or nothing in it that a game knows.
    """
    place = Path(folder)
    if not place.is_dir():
        raise ValueError(f"{place}: must be a folder with maps or an edition of a game")
    modules = [game_of(name).checking for name in game_names()]
    found = [checked for module in modules if module for checked in importlib.import_module(module).check_folder(place)]
    if not found:
        raise ValueError(f"{place}: must hold maps (NAME.toml, NAME_provinces.csv, ...) or an edition (rules.toml)")
    return found
