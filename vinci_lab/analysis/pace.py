"""Pace and drama: how scores part, when the lead changes, whether who is behind can still win, when empires decline."""

from __future__ import annotations

from collections import defaultdict
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vinci_lab.analysis.effects import Tabled, batches, read
from vinci_lab.analysis.metrics import Standings, standings
from vinci_lab.analysis.rates import Tally, check_level

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
NAMES = ("q05", "q25", "q50", "q75", "q95")


def score_fans(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return how the scores of the later winner, second, ... grow.

    The estimand is the expected score after a round of the seat that will end at a place, among games that play this
    round; later rounds are those of long games only, as ``n`` says. Tied seats share the better place.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    level : float
        Of confidence of the means.

    Returns
    -------
    DataFrame
        ``rank, round, estimate, low, high, n`` of the mean, ``n`` in games, and the quantiles ``q05, q25, q50, q75,
        q95`` of the scores.
    """
    check_level(level)
    tallies: dict[tuple[int, int], Tally] = defaultdict(Tally)
    counts: dict[tuple[int, int], list[tuple[Any, Any]]] = defaultdict(list)
    for batch in batches(runs):
        found = standings(batch)
        rank = 1 + (found.final[:, None, :] > found.final[:, :, None]).sum(axis=2)
        for place, number in _rounds(found):
            for one in range(1, found.final.shape[1] + 1):
                game, seat = np.nonzero((rank == one) & (found.rounds >= number)[:, None])
                values = found.scores[game, place, seat]
                if len(values):
                    tallies[one, number].add(values, game)
                    counts[one, number].append(np.unique(values, return_counts=True))
    rows = []
    for one, number in sorted(tallies):
        quantiles = _quantiles(counts[one, number])
        mean = tallies[one, number].mean(level)._asdict()
        rows.append({"rank": one, "round": number} | mean | dict(zip(NAMES, quantiles, strict=True)))
    return pd.DataFrame(rows)


def lead_change_rounds(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return how likely the lead changes in each round.

    The estimand is the chance that after a round another seat leads than before, among games that play this round; a
    tied lead stays the old leader's.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``round, estimate, low, high, n`` from round 2 on, Wilson's interval over games.
    """
    check_level(level)
    tallies: dict[int, Tally] = defaultdict(Tally)
    for batch in batches(runs):
        found = standings(batch)
        leader = np.full(len(found.game), -1)
        for place, number in _rounds(found):
            now, is_on = found.scores[:, place], found.rounds >= number
            is_alone = (now == now.max(axis=1, keepdims=True)).sum(axis=1) == 1
            changed = is_alone & (leader >= 0) & (now.argmax(axis=1) != leader)
            if number > 1:
                tallies[number].add(changed[is_on])
            leader = np.where(is_alone, now.argmax(axis=1), leader)
    rows = [{"round": number} | tally.share(level)._asdict() for number, tally in sorted(tallies.items())]
    return pd.DataFrame(rows, columns=["round", "estimate", "low", "high", "n"])


def comebacks(runs: Tabled, width: int = 5, level: float = 0.95) -> pd.DataFrame:
    """Return what a deficit leaves of the win.

    The estimand is the expected share of the win of a seat that is so many points behind the best seat after a round,
    among games that go on after it. Deficit 0 is who leads, alone or not.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    width : int
        Points of a class of deficits: 1 to ``width``, and so on.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``round, deficit_from, deficit_to, estimate, low, high, n, seats``: Wilson's interval, with the number of trials
        that gives the variance observed between games, since seats of a game are dependent; ``n`` games, ``seats``
        seats in them.
    """
    check_level(level)
    if not isinstance(width, Integral) or width < 1:
        raise ValueError(f"width: must be a whole number of points of at least 1, got {width!r}")
    tallies: dict[tuple[int, int], Tally] = defaultdict(Tally)
    for batch in batches(runs):
        found = standings(batch)
        for place, number in _rounds(found):
            goes_on = found.rounds > number
            now = found.scores[goes_on, place]
            classes = -(-(now.max(axis=1, keepdims=True) - now) // width)
            shares, games = found.shares[goes_on], found.game[goes_on]
            for one in np.unique(classes):
                game, seat = np.nonzero(classes == one)
                tallies[number, int(one)].add(shares[game, seat], games[game])
    rows = []
    for (number, one), tally in sorted(tallies.items()):
        points = {"deficit_from": (one - 1) * width + 1 if one else 0, "deficit_to": one * width}
        rows.append({"round": number} | points | tally.share(level)._asdict() | {"seats": tally.values})
    return pd.DataFrame(rows, columns=["round", "deficit_from", "deficit_to", "estimate", "low", "high", "n", "seats"])


def decline_times(runs: Tabled, kind: str = "decline", level: float = 0.95) -> pd.DataFrame:
    """Return in which round seats take their first, second, ... turn of a kind.

    The estimand is the share of seats that take their ``number``-th turn of the kind in a round, of all seats of all
    games; the shares of a number add up to the seats that take so many at all.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    kind : str
        A word of the column ``kind`` of the table ``turns``.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        ``number, round, estimate, low, high, n``: Wilson's interval, allowing for the dependence of the seats of a
        game; ``n`` games.
    """
    check_level(level)
    tallies: dict[tuple[int, int], Tally] = {}
    seen, players = 0, 1
    for batch in batches(runs):
        turns = read(batch, "turns", ["game", "round", "seat", "kind"])
        kinds = list(turns["kind"].cat.categories) if hasattr(turns["kind"], "cat") else list(turns["kind"].unique())
        if kind not in kinds:
            raise ValueError(f"kind: there is no {kind!r}; choose from {', '.join(map(str, kinds))}")
        games = read(batch, "games", ["game", "seat"])
        number, players = games["game"].nunique(), int(games["seat"].max()) + 1
        declines = turns[turns["kind"] == kind]
        order = declines.groupby(["game", "seat"]).cumcount() + 1
        cells = declines["game"].groupby([order, declines["round"]])
        for cell_of, part in cells:
            which, place = np.array(cell_of).tolist()
            cell = tallies.setdefault((which, place), _none(seen, players))
            _add_seats(cell, part.value_counts().to_numpy(), number, players)
        for cell in tallies.values():
            missing = seen + number - cell.clusters
            _add_seats(cell, np.zeros(0, np.int64), missing, players)
        seen += number
    rows = [
        {"number": which, "round": place} | tally.share(level)._asdict()
        for (which, place), tally in sorted(tallies.items())
    ]
    return pd.DataFrame(rows, columns=["number", "round", "estimate", "low", "high", "n"])


def _none(games: int, players: int) -> Tally:
    """Return the tally of games in which no seat does something."""
    tally = Tally()
    _add_seats(tally, np.zeros(0, np.int64), games, players)
    return tally


def _add_seats(tally: Tally, seats: NDArray[Any], games: int, players: int) -> None:
    """Add games of which some have so many seats that do something, and the others none."""
    doing = np.zeros(games, np.int64)
    doing[: len(seats)] = seats
    values = np.arange(players)[None, :] < doing[:, None]
    tally.add(values.ravel(), np.repeat(np.arange(games), players))


def _rounds(found: Standings) -> list[tuple[int, int]]:
    """Return the places and the numbers of the rounds that some game plays."""
    return [(number - 1, number) for number in range(1, int(found.rounds.max(initial=0)) + 1)]


def _quantiles(parts: list[tuple[Any, Any]]) -> list[float]:
    """Return quantiles of counted whole numbers: the least value that so large a share does not exceed."""
    counted: dict[int, int] = defaultdict(int)
    for values, counts in parts:
        for value, count in zip(values.tolist(), counts.tolist(), strict=True):
            counted[value] += count
    values = np.array(sorted(counted))
    reached = np.cumsum([counted[value] for value in values.tolist()])
    wanted = np.array(QUANTILES) * reached[-1]
    return [float(value) for value in values[np.searchsorted(reached, wanted)]]
