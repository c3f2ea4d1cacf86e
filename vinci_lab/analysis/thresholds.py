"""How a game changes with the number that ends it: a threshold of points, or a number of rounds."""

from __future__ import annotations

import importlib
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.analysis.bands import joint_level
from vinci_lab.analysis.compare import variance_gain
from vinci_lab.analysis.effects import Tabled, batches, read
from vinci_lab.analysis.metrics import Metric, game_metrics, interval_of, metric, metrics_of, oriented, standings
from vinci_lab.analysis.rates import Floats, Interval, check_level, mean_interval, share_interval
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.seats import Agent
from vinci_lab.simulation.simulate import simulate

RERUN, LONG_RUN = "re-run", "one long run"
MINUTES_PER_TURN = 2.0
MADE = {
    "minutes": Metric("minutes", 5.0, "turns times the minutes a turn is taken to last"),
    "seat_bias": Metric(
        "share", 0.01, "how far the place in turn order furthest from the even share of the win is from it"
    ),
}
COLUMNS = [
    *("place", "value", "is_printed", "method", "metric", "unit", "estimate", "low", "high", "n"),
    *("band_low", "band_high", "against", "change", "change_low", "change_high", "variance_gain"),
    *("gap", "gap_low", "gap_high", "meaning"),
]


@dataclass(frozen=True)
class End:
    """The number of the rules that ends a game.

    Attributes
    ----------
    place : str
        In the rules, as :meth:`Ruleset.replace` takes it.
    value : int or None
        As in the rules; None if the game does not list the place.
    column : str
        Of the table ``turns``: the round in which it first reaches the value is the last one. Empty if unknown.
    """

    place: str
    value: int | None = None
    column: str = ""

    @classmethod
    def of(cls, rules: Ruleset, place: str | None = None) -> End:
        """Return the end of a ruleset, by default the one in force, as its game lists them."""
        try:
            module = importlib.import_module(f"vinci_lab.games.{rules.game}.ends")
        except ModuleNotFoundError:
            if place is None:
                raise ValueError(f"place: the game {rules.game} does not say what ends it, so name the place") from None
            return cls(place)
        listed: Mapping[str, Mapping[str, Any]] = module.end_measures(rules)
        chosen = next(iter(listed)) if place is None else place
        about = listed.get(chosen)
        return cls(chosen) if about is None else cls(chosen, about["value"], about["column"])


def threshold_curve(
    rules: Ruleset,
    thresholds: Sequence[int],
    games: int = 5_000,
    seed: int = 7,
    agents: Agent | Sequence[Agent] = "greedy",
    place: str | None = None,
    shortcut: bool = False,
    minutes_per_turn: float = MINUTES_PER_TURN,
    level: float = 0.95,
    n_jobs: int = -1,
    progress: bool = False,
) -> pd.DataFrame:
    """Return what a game is like for each value of the number that ends it.

    The estimand of every row is the expected value of a quantity of a game between these agents under the rules with
    that value. The games are played again for every value, on common keys, because good agents play towards the end
    they know.

    Parameters
    ----------
    rules : Ruleset
        The rules, with any value.
    thresholds : sequence of int
        Values to try.
    games : int
        Games for each value, at least 2.
    seed : int
        Of the games.
    agents : str, callable, or a sequence of them
        As for :func:`simulate`. When they differ, rows ``STRONGER ahead of WEAKER`` say how well a game of this length
        tells them apart: 1 always, 0.5 not at all.
    place : str, optional
        The number of the rules that is varied; by default the one that ends this ruleset's games, as its game says.
    shortcut : bool
        Whether to add rows of the method "one long run": every value read off the games with the largest one, ended
        after the round in which it was first reached. That is right for agents blind to the end, and ``gap`` shows how
        wrong it is for these; ties share the win there, whatever breaks them in the rules.
    minutes_per_turn : float
        How long a turn of a person is taken to last; it is no result.
    level : float
        Of confidence.
    n_jobs : int
        Games in parallel.
    progress : bool
        Whether to show bars.

    Returns
    -------
    DataFrame
        A row per value, method and quantity (those of :func:`vinci_lab.analysis.metrics.game_metrics`, and ``minutes``
        and ``seat_bias``): ``place, value, is_printed`` (whether the rules have this value), ``method, metric, unit,
        estimate, low, high, n``; ``band_low, band_high``, limits that hold for all values together (max-t method, see
        :func:`vinci_lab.analysis.bands.joint_level`); ``change, change_low, change_high``, the difference from the
        value ``against`` (the rules' own if it was tried, else the least), from the pairs of games, and
        ``variance_gain``, how many times as many games independent seeds would need for that; ``gap, gap_low,
        gap_high``, the long run's estimate minus the re-run's, from the pairs of games; ``meaning``. The interval of
        ``seat_bias`` holds for all places together and is on the careful side; its estimate is too high by chance when
        games are few.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    DataError
        If a value is not allowed by the rules.
    """
    values = _checked(thresholds, games, minutes_per_turn, level)
    end = End.of(rules, place)
    variants = {value: rules.replace({end.place: value}) for value in values}
    if shortcut and not end.column:
        raise ValueError(f"shortcut: the game {rules.game} does not say how {end.place} is read off a longer game")
    played: dict[int, pd.DataFrame] = {}
    cut: dict[int, pd.DataFrame] = {}
    for value, variant in sorted(variants.items(), reverse=True):
        runs = simulate(variant, agents, games, seed, n_jobs, progress=progress)
        if not runs.is_complete:
            raise KeyboardInterrupt
        played[value] = game_metrics(runs)
        if shortcut and not cut:
            cut = {smaller: cut_metrics(runs, end.column, smaller) for smaller in values}
    frames = [*(played[value] for value in values), *(cut[value] for value in cut)]
    frames = [_with_minutes(frame, minutes_per_turn) for frame in oriented(frames)]
    rerun = dict(zip(values, frames[: len(values)], strict=True))
    against = values[0] if end.value not in values else int(end.value or 0)
    rows = [row | _change(row, rerun, against, level) for row in _rows(rerun, level, RERUN)]
    if shortcut:
        rows += _rows(dict(zip(cut, frames[len(values) :], strict=True)), level, LONG_RUN, rerun)
    table = pd.DataFrame(rows).assign(place=end.place)
    table["is_printed"] = table["value"] == end.value if end.value is not None else False
    return table.reindex(columns=COLUMNS)


def cut_metrics(runs: Tabled, column: str, value: float) -> pd.DataFrame:
    """Return the metrics of games as if they had ended after the round in which a column first reached a value.

    Parameters
    ----------
    runs : Runs
        Games that go on at least that long; those that do not are taken as they are.
    column : str
        Of the table ``turns``.
    value : float
        That ends a game.
    """
    parts = []
    for batch in batches(runs):
        found = standings(batch)
        turns = read(batch, "turns", list(dict.fromkeys(["game", "round", column])))
        reached = turns[turns[column] >= value].groupby("game")["round"].min()
        last = reached.reindex(found.game).to_numpy(np.float64)
        whole = np.where(np.isnan(last), found.rounds, last).astype(np.int64)
        parts.append(metrics_of(found.cut(np.minimum(whole, found.rounds))))
    return pd.concat(parts)


def about(name: str) -> Metric:
    """Return what a quantity of :func:`threshold_curve` is."""
    return MADE[name] if name in MADE else metric(name)


def summarize_games(frame: pd.DataFrame, level: float = 0.95) -> dict[str, Interval]:
    """Return the mean of every quantity over games with its interval, ``seat_bias`` included."""
    found = {str(name): _interval(str(name), frame[name].to_numpy(), level) for name in frame.columns}
    places = frame[_places(frame)].to_numpy()
    return {**found, "seat_bias": seat_bias(places, joint_level(places, level))}


def seat_bias(shares: Floats, level: float) -> Interval:
    """Return how far the mean share furthest from the even one is from it, with an interval.

    Parameters
    ----------
    shares : (games, places) array
        Share of the win of each place in turn order.
    level : float
        Of confidence of the score interval of a single place; see :func:`vinci_lab.analysis.bands.joint_level`.
    """
    number, players = shares.shape
    far = float(np.abs(shares.mean(axis=0) - 1 / players).max())
    if number < 2:
        return Interval(far, np.nan, np.nan, number)
    limits = np.array([share_interval(shares[:, place], level=level)[1:3] for place in range(players)]) - 1 / players
    low = np.maximum(np.maximum(limits[:, 0], -limits[:, 1]), 0)  # 0 where the even share lies within the limits
    return Interval(far, float(low.max()), float(np.abs(limits).max()), number)


def _checked(thresholds: Sequence[int], games: int, minutes_per_turn: float, level: float) -> list[int]:
    check_level(level)
    try:
        values = sorted({operator.index(value) for value in thresholds})
    except TypeError:
        raise ValueError(f"thresholds: must be whole numbers, got {list(thresholds)!r}") from None
    if not values:
        raise ValueError("thresholds: give at least one value")
    if not isinstance(games, Integral) or games < 2:
        raise ValueError(f"games: a curve needs at least 2, got {games!r}")
    if not minutes_per_turn > 0:
        raise ValueError(f"minutes_per_turn: must be greater than 0, got {minutes_per_turn!r}")
    return values


def _with_minutes(frame: pd.DataFrame, minutes_per_turn: float) -> pd.DataFrame:
    made = frame.copy()
    made.insert(2, "minutes", frame["turns"] * minutes_per_turn)
    return made


def _places(frame: pd.DataFrame) -> list[str]:
    return [str(name) for name in frame.columns if str(name).startswith("win_place_")]


def _interval(name: str, values: Any, level: float) -> Interval:
    return mean_interval(values, level=level) if name in MADE else interval_of(name, values, level)


def _rows(
    frames: Mapping[int, pd.DataFrame], level: float, method: str, against: Mapping[int, pd.DataFrame] | None = None
) -> list[dict[str, Any]]:
    """Return the rows of one method: a value after another, in it a quantity after another."""
    first = next(iter(frames.values()))
    names = [str(name) for name in first.columns]
    joint = {name: joint_level(np.column_stack([one[name] for one in frames.values()]), level) for name in names}
    every = joint_level(np.hstack([one[_places(one)].to_numpy() for one in frames.values()]), level)
    rows = []
    for value, frame in frames.items():
        for name, found in summarize_games(frame, level).items():
            if name == "seat_bias":
                band = seat_bias(frame[_places(frame)].to_numpy(), every)
            else:
                band = _interval(name, frame[name].to_numpy(), joint[name])
            row = {"value": value, "method": method, "metric": name, "unit": about(name).unit} | found._asdict()
            row |= {"band_low": band.low, "band_high": band.high, "meaning": about(name).meaning}
            if against is not None:
                row |= _gap(name, found, frame, against[value], level)
            rows.append(row)
    return rows


def _change(row: Mapping[str, Any], frames: Mapping[int, pd.DataFrame], against: int, level: float) -> dict[str, float]:
    """Return the difference of a row from the value ``against``, game by game; without one for no mean over games."""
    name, value = str(row["metric"]), int(row["value"])
    if name not in frames[value] or value == against:
        return {"against": against}
    base, here = (frames[one][name].to_numpy(np.float64) for one in (against, value))
    change = mean_interval(here - base, level=level)
    limits = {"change": change.estimate, "change_low": change.low, "change_high": change.high}
    return {"against": against, **limits, "variance_gain": variance_gain(base, here)}


def _gap(name: str, found: Interval, frame: pd.DataFrame, rerun: pd.DataFrame, level: float) -> dict[str, float]:
    """Return the difference of the long run from the re-run; without an interval for what is no mean over games."""
    if name == "seat_bias":
        return {"gap": found.estimate - summarize_games(rerun, level)[name].estimate}
    gap = mean_interval(frame[name].to_numpy() - rerun[name].to_numpy(), level=level)
    return {"gap": gap.estimate, "gap_low": gap.low, "gap_high": gap.high}
