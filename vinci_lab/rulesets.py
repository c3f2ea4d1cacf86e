"""``ruleset``: the rules of a game by its name."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.game import game_of
from vinci_lab.engine.ruleset import Ruleset


def ruleset(game: str, players: int, edition: str | None = None, **options: Any) -> Ruleset:
    """Return the rules of a game for a number of players, read from the data files and checked.

    Parameters
    ----------
    game : str
        Such as ``"vinci"``.
    players : int
        Number of seats.
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
