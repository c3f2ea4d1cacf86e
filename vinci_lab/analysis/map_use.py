"""Where the game takes place: conquests, income and occupation of every province, in a table and on the board."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats

from vinci_lab.analysis.rates import Floats, check_level
from vinci_lab.simulation.reopen import places_by_game

if TYPE_CHECKING:
    from vinci_lab.engine.picture import Picture
    from vinci_lab.engine.ruleset import Ruleset
    from vinci_lab.simulation.store import Runs

ENOUGH_BLOCKS = 20  # blocks of a run from which its own blocks tell how much games differ
PLAYED_AGAIN = 300  # games played again one by one where it has fewer


class Measure(NamedTuple):
    """A figure of a province: its title, its unit, and its column in ``places``; shares are of turn ends."""

    title: str
    unit: str
    column: str
    is_share: bool = False


MEASURES = {
    "conquests": Measure("Conquests by province", "per game", "conquests"),
    "entries": Measure("Entries by province", "per game", "entries"),
    "points": Measure("Income by province", "points per game", "income"),
    "active": Measure("In an active empire", "share of turn ends", "turns_active", True),
    "decline": Measure("In an empire in decline", "share of turn ends", "turns_decline", True),
    "neutral": Measure("Held by a neutral token", "share of turn ends", "turns_neutral", True),
    "empty": Measure("Empty", "share of turn ends", "turns_empty", True),
}


def map_use(runs: Runs, level: float = 0.95) -> pd.DataFrame:
    """Return how often every province is conquered, what it pays, and who holds it.

    The estimands are expected numbers of a game, and expected shares of the turn ends of all games. The recorded table
    adds up whole blocks of games; the interval needs to know how much single games differ. A run of many blocks shows
    that itself; of a smaller one, up to 300 games are played again one by one. Where all games agree, as where nothing
    ever happened, the interval allows for as many other games as may have been missed by chance.

    Parameters
    ----------
    runs : Runs
        Simulated games, at least 2.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        A row per measure and province: ``measure, province, unit, estimate, low, high, n``, with ``n`` games; the
        measures are ``conquests, entries, points, active, decline, neutral, empty``.

    Raises
    ------
    ValueError
        If the run has a single game, or one block of games of a Python agent, which cannot be played again.
    """
    check_level(level)
    games = int(runs.settings["completed"])
    if games < 2:
        raise ValueError(f"runs: how much games differ takes at least 2 games, got {games}")
    known = {column.name: column.unit for column in runs.rules.definition.columns["places"]}
    pieces = _pieces(runs, list(known)[1:])
    whole = runs.places
    parts = []
    for name, measure in MEASURES.items():
        if measure.column not in known:
            continue
        scale = 0.5 if known[measure.column] == "half points" else 1.0
        columns = [one.column for one in MEASURES.values() if one.is_share and one.column in known]
        total = whole[measure.column].to_numpy(np.float64) * scale
        of = whole[columns].sum(axis=1).to_numpy(np.float64) if measure.is_share else np.full(len(whole), float(games))
        seen = pieces[measure.column] * scale
        beside = sum(pieces[column] for column in columns) if measure.is_share else pieces["games"]
        estimate = total / of
        reach = _reach(seen, beside, of, games, estimate, pieces["games"], level)
        reach = np.where(reach > 0, reach, -np.log((1 - level) / 2) / games)
        parts.append(
            pd.DataFrame(
                {
                    "measure": name,
                    "province": whole["province"].astype(str),
                    "unit": measure.unit,
                    "estimate": estimate,
                    "low": np.maximum(estimate - reach, 0.0),
                    "high": np.minimum(estimate + reach, 1.0) if measure.is_share else estimate + reach,
                    "n": games,
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def _reach(seen: Floats, beside: Any, of: Floats, games: int, estimate: Floats, sizes: Floats, level: float) -> Floats:
    """Return half the width of the interval of a ratio of sums, from pieces of games (rows)."""
    apart = seen - estimate * beside
    variance = (apart**2).sum(axis=0) / (len(apart) - 1) / sizes.mean()  # of one game
    quantile = float(stats.t.ppf((1 + level) / 2, len(apart) - 1))
    return np.asarray(quantile * np.sqrt(variance * games) / of, np.float64)


def _pieces(runs: Runs, columns: list[str]) -> dict[str, Floats]:
    """Return sums by piece of the run, (pieces, provinces), and the ``games`` of each piece, (pieces, 1)."""
    blocks = list(runs.batches(1))
    if len(blocks) < ENOUGH_BLOCKS:
        try:
            games = list(places_by_game(runs, min(int(runs.settings["completed"]), PLAYED_AGAIN)))
            found = {name: np.array([one[name] for one in games], np.float64) for name in columns}
            return found | {"games": np.ones((len(games), 1))}
        except ValueError:  # an agent that only the caller has
            if len(blocks) < 2:
                raise ValueError(
                    "runs: these games cannot be played again, as one of the agents is not known by its name, and they "
                    f"are too few to tell how much games differ; play more than {runs.settings['completed']} games"
                ) from None
    tables = [block.places for block in blocks]
    sizes = np.array([[block.settings["completed"]] for block in blocks], np.float64)
    return {name: np.array([one[name] for one in tables], np.float64) for name in columns} | {"games": sizes}


def map_picture(
    runs: Runs | pd.DataFrame, measure: str = "conquests", rules: Ruleset | None = None, **options: Any
) -> Picture:
    """Return the board with a figure on every province, which a notebook shows.

    Parameters
    ----------
    runs : Runs or DataFrame
        Simulated games, or a table of :func:`map_use`, such as one cut down or put together by hand.
    measure : str
        One of the measures of :func:`map_use`.
    rules : Ruleset, optional
        Whose board it is; needed for a table.
    **options
        ``width``, ``theme`` and ``name``, as for ``Position.picture``.

    Raises
    ------
    ValueError
        If there is no such measure, a table comes without rules, or the game has no drawing.
    """
    if measure not in MEASURES:
        raise ValueError(f"measure: there is no {measure!r}; choose from {', '.join(MEASURES)}")
    about = MEASURES[measure]
    if isinstance(runs, pd.DataFrame):
        if rules is None:
            raise ValueError("rules: a table does not say whose board it is; give rules=")
        of_measure = runs[runs["measure"] == measure]
        values = dict(zip(of_measure["province"], of_measure["estimate"], strict=True))
    else:
        rules, values = runs.rules, _estimates(runs, about)
    module = rules.definition.drawing
    if not module:
        raise ValueError(f"rules: the game {rules.game} has no drawing")
    drawn: Picture = importlib.import_module(module).draw_measure(rules, values, about.title, about.unit, **options)
    return drawn


def _estimates(runs: Runs, about: Measure) -> dict[str, float]:
    """Return a figure by province without its interval."""
    places = runs.places
    units = {column.name: column.unit for column in runs.rules.definition.columns["places"]}
    shares = [one.column for one in MEASURES.values() if one.is_share and one.column in units]
    scale = 0.5 if units[about.column] == "half points" else 1.0
    of = places[shares].sum(axis=1) if about.is_share else float(runs.settings["completed"])
    return dict(zip(places["province"].astype(str), places[about.column] * scale / of, strict=True))
