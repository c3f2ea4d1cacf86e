"""What is looked at in the games of each point of a design, one number per game, and what is claimed about it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from vinci_lab.analysis import tile_rows as rows
from vinci_lab.analysis.effects import PAIR, Tabled
from vinci_lab.analysis.metrics import game_metrics, metric
from vinci_lab.analysis.rates import Floats, normal_quantile
from vinci_lab.analysis.seat_model import SeatModel, contrast_of

TILE = "tile "
LENGTH = "length "
MOST_TIES = 0.05
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Claim:
    """That a quantity lies above or below a number.

    Attributes
    ----------
    quantity : str
        Name of an outcome.
    is_above : bool
        Whether above is claimed.
    value : float
        The number.
    text : str
        As a sentence.
    """

    quantity: str
    is_above: bool
    value: float
    text: str

    def holds(self, values: Floats) -> Floats:
        """Return 1.0 where the claim is true."""
        return (values > self.value if self.is_above else values < self.value).astype(np.float64)


def per_game(runs: Tabled) -> pd.DataFrame:
    """Return a value per game and outcome whose means over games are the outcomes.

    Parameters
    ----------
    runs : Runs
        Simulated games, all of them read at once.

    Returns
    -------
    DataFrame
        Indexed by game: the columns of :func:`vinci_lab.analysis.metrics.game_metrics`, and ``tile NAME`` for the
        effect of each tile as in :func:`vinci_lab.analysis.effects.tile_effects` with what each game contributes to its
        error. A tile that was never held has NaN.
    """
    found = game_metrics(runs).drop(columns="turns")  # the rounds times the seats
    return pd.concat([found, _tile_values(runs, found.index)], axis=1)


def with_length(values: pd.DataFrame, rounds: tuple[int, int]) -> pd.DataFrame:
    """Return the table with the outcome ``length A-B``, whether a game has so many rounds."""
    return values.assign(**{f"{LENGTH}{rounds[0]}-{rounds[1]}": values["rounds"].between(*rounds).astype(np.float64)})


def _tile_values(runs: Tabled, index: pd.Index) -> pd.DataFrame:
    seats = rows.seats_of(runs)
    lives = rows.lives_of(runs, seats.frame, ("game", "seat", *PAIR))
    tiles = list(lives.frame[PAIR[0]].cat.categories)
    doubling, outcome = rows.doubling_of(runs, len(tiles)), seats.outcomes[:, :, :1]
    counted = rows.by_seat(rows.held_by_life(lives, doubling), lives, True, seats.order.shape)
    number = np.array([(lives.codes == code).any(axis=1).sum() for code in range(len(tiles))], np.float64)
    contrast, model = contrast_of(number, doubling), SeatModel()
    model.add(counted, seats.order, outcome)
    model.add_residuals(counted, seats.order, outcome)
    effects = model.effects(contrast, number).estimate[:, 0]
    parts = model.contributions(contrast, counted, seats.order, outcome)[:, :, 0]
    return pd.DataFrame(effects + len(parts) * parts, index=index, columns=[f"{TILE}{name}" for name in tiles])


def outcome_title(name: str, titles: Mapping[str, str]) -> str:
    """Return an outcome in words; ``titles`` are the printed names of tiles."""
    if name.startswith(TILE):
        tile = name.removeprefix(TILE)
        return f"what {titles.get(tile, tile)} goes with, against an average tile"
    if name.startswith(LENGTH):
        return f"games of {name.removeprefix(LENGTH)} rounds"
    return metric(name).meaning


def outcome_unit(name: str) -> str:
    """Return the unit of an outcome."""
    if name.startswith(TILE):
        return "points"
    return "share" if name.startswith(LENGTH) else metric(name).unit


def outcome_group(name: str) -> str:
    """Return what an outcome is about: ``tiles``, ``places`` in turn order, or ``course`` of the game."""
    if name.startswith(TILE):
        return "tiles"
    return "places" if "_place_" in name else "course"


def central_rounds(values: pd.DataFrame) -> tuple[int, int]:
    """Return the range that leaves out the shortest and the longest tenth of games."""
    low, high = np.quantile(values["rounds"], [0.1, 0.9], method="closest_observation")
    return int(low), int(high)


def claims_of(base: pd.DataFrame, titles: Mapping[str, str], players: int, level: float) -> list[Claim]:
    """Return what the games of the rules as they are say with confidence.

    Each is read off an interval that leaves out its number: tiles above or below the average, places in turn order
    above or below the even share, what the leader at half time is worth, and how rare ties are; and that most games
    have as many rounds as most have.
    """
    middle, errors = base.mean(), base.std(ddof=1) / np.sqrt(len(base))
    reach = normal_quantile(level) * errors
    found = []
    for name in map(str, base.columns):
        value, words = _number_claimed(name, titles, players)
        if words and np.isfinite(reach[name]) and reach[name] > 0 and abs(middle[name] - value) > reach[name]:
            is_above = bool(middle[name] > value)
            found.append(Claim(name, is_above, value, words.format("above" if is_above else "below")))
    for name in map(str, base.columns):
        if name.startswith(LENGTH):
            low, _, high = name.removeprefix(LENGTH).partition("-")
            found.append(Claim(name, True, 0.5, f"most games take {low} to {high} rounds"))
    if middle["ties"] + reach["ties"] < MOST_TIES:
        found.append(Claim("ties", False, MOST_TIES, f"fewer than {MOST_TIES:.0%} of games end in a shared win"))
    return found


def _number_claimed(name: str, titles: Mapping[str, str], players: int) -> tuple[float, str]:
    """Return the number an outcome is compared with, and the sentence; none for outcomes without a claim."""
    if name.startswith(TILE):
        tile = name.removeprefix(TILE)
        return 0.0, f"{titles.get(tile, tile)} is {{}} the average tile"
    if name.startswith("win_place_"):
        place = ORDINALS[int(name.rpartition("_")[2])]
        return 1 / players, f"the seat that plays {place} wins {{}} its even share"
    if name == "half_leader_wins":
        return 0.5, "the leader at half time wins {} half of the games"
    return 0.0, ""


def read_claims(asked: Sequence[str], outcomes: Sequence[str]) -> list[Claim]:
    """Return claims written as ``quantity > number`` or ``quantity < number``.

    Raises
    ------
    ValueError
        If one cannot be read, or there is no such quantity.
    """
    found = []
    for text in asked:
        parts = re.fullmatch(r"\s*(.+?)\s*([<>])\s*([-+]?[0-9.]+(?:e[-+]?[0-9]+)?)\s*", str(text))
        if parts is None:
            raise ValueError(f"conclusions: must be such as 'rounds < 12' or 'tile weapons > 0', got {text!r}")
        name, sign, number = parts.groups()
        if name not in outcomes:
            raise ValueError(f"conclusions: there is no quantity {name!r}; choose from {', '.join(outcomes)}")
        found.append(Claim(name, sign == ">", float(number), " ".join(str(text).split())))
    return found
