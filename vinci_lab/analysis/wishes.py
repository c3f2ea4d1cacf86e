"""Which value of the number that ends a game fits a designer's wishes: chosen on some games, confirmed on others."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.analysis.metrics import game_metrics, oriented
from vinci_lab.analysis.thresholds import (
    MINUTES_PER_TURN,
    End,
    _with_minutes,
    about,
    summarize_games,
    threshold_curve,
)
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.seats import Agent
from vinci_lab.simulation.simulate import simulate

TARGET = "target_"


def recommend_threshold(
    rules: Ruleset,
    thresholds: Sequence[int],
    games: int = 20_000,
    seed: int = 7,
    agents: Agent | Sequence[Agent] = "greedy",
    place: str | None = None,
    tolerance: float = 0.05,
    minutes_per_turn: float = MINUTES_PER_TURN,
    level: float = 0.95,
    n_jobs: int = -1,
    **wishes: float,
) -> pd.DataFrame:
    """Return the value that fits wishes best, and whether games it was not chosen by confirm it.

    Half of the games, of ``seed``, choose: among the values of which no limit is refuted (the interval begins above
    it), or of which the limits are broken least, the one nearest to the targets, in shares of each target. As many
    games of the seed ``seed + 1`` judge, so that the choice does not flatter itself. The estimand of ``estimate`` is
    the expected value of the quantity under the recommended value.

    Parameters
    ----------
    rules : Ruleset
        The rules, with any value.
    thresholds : sequence of int
        Values to choose from.
    games : int
        Games in all for each value, at least 4.
    seed : int
        Of the games that choose.
    agents : str, callable, or a sequence of them
        As for :func:`simulate`.
    place : str, optional
        As for :func:`threshold_curve`.
    tolerance : float
        How far a target may be missed, as a share of it.
    minutes_per_turn : float
        As for :func:`threshold_curve`.
    level : float
        Of confidence.
    n_jobs : int
        Games in parallel.
    **wishes
        ``target_rounds=10`` wants a quantity of :func:`threshold_curve` near a number; ``seat_bias=0.02`` wants one to
        be at most a number.

    Returns
    -------
    DataFrame
        A row per wish: ``place, value`` (the recommended one), ``printed`` (the one in the rules), ``metric, unit,
        wish, chosen_by`` (the estimate of the games that chose), ``estimate, low, high, n`` of the games that judge,
        and ``verdict``: "met", "not met", or "cannot tell" when the interval reaches over the limit.
    """
    if not isinstance(games, Integral) or games < 4:
        raise ValueError(f"games: a recommendation needs at least 4, got {games!r}")
    if not tolerance > 0:
        raise ValueError(f"tolerance: must be greater than 0, got {tolerance!r}")
    half, end = games // 2, End.of(rules, place)
    settings: dict[str, Any] = {"agents": agents, "n_jobs": n_jobs}
    curve = threshold_curve(
        rules, thresholds, half, seed, place=end.place, minutes_per_turn=minutes_per_turn, level=level, **settings
    )
    _check_wishes(curve, wishes)
    value = choose(curve, wishes, end.value)
    fresh = simulate(rules.replace({end.place: value}), games=half, seed=seed + 1, progress=False, **settings)
    found = summarize_games(_with_minutes(oriented([game_metrics(fresh)])[0], minutes_per_turn), level)
    chosen = curve[curve["value"] == value].set_index("metric")["estimate"]
    rows = []
    for wish, wanted in wishes.items():
        name, is_target = wish.removeprefix(TARGET), wish.startswith(TARGET)
        least, most = (wanted - tolerance * abs(wanted), wanted + tolerance * abs(wanted))
        limits = (least, most) if is_target else (-np.inf, wanted)
        rows.append(
            {"place": end.place, "value": value, "printed": end.value, "metric": name, "unit": about(name).unit}
            | {"wish": f"{wanted:g} within {tolerance:.0%}" if is_target else f"at most {wanted:g}"}
            | {"chosen_by": chosen[name], **found[name]._asdict()}
            | {"verdict": _verdict(found[name].low, found[name].high, *limits)}
        )
    return pd.DataFrame(rows)


def _check_wishes(curve: pd.DataFrame, wishes: dict[str, float]) -> None:
    if not wishes:
        raise ValueError("wishes: say what the games shall be like, such as target_rounds=10 or seat_bias=0.02")
    known = list(dict.fromkeys(curve["metric"]))
    for wish in wishes:
        if wish.removeprefix(TARGET) not in known:
            raise ValueError(
                f"wishes: there is no {wish!r}; give target_NAME=NUMBER or NAME=NUMBER (at most) with one of "
                f"{', '.join(known)}"
            )


def choose(curve: pd.DataFrame, wishes: dict[str, float], printed: int | None = None) -> int:
    """Return the value of a curve that fits wishes best; see :func:`recommend_threshold`.

    Among equally good ones, the one nearest to the printed value.
    """
    losses = {}
    for value, rows in curve[curve["method"] == curve["method"].iloc[0]].groupby("value"):
        estimates = rows.set_index("metric")
        broken = missed = 0.0
        for wish, wanted in wishes.items():
            row = estimates.loc[wish.removeprefix(TARGET)]
            scale = abs(wanted) or 1.0
            if wish.startswith(TARGET):
                missed += abs(float(row["estimate"]) - wanted) / scale
            else:
                sure = row["low"] if np.isfinite(row["low"]) else row["estimate"]
                broken += max(0.0, float(sure) - wanted) / scale
        number = int(value)
        losses[number] = (broken, missed, abs(number - printed) if printed is not None else 0)
    return min(losses, key=lambda number: losses[number])


def _verdict(low: float, high: float, least: float, most: float) -> str:
    if low >= least and high <= most:
        return "met"
    return "not met" if low > most or high < least else "cannot tell"
