"""One number per game and quantity: what curves over thresholds and comparisons of rules are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from vinci_lab.analysis.effects import Tabled, _in_order, _players, batches, read
from vinci_lab.analysis.rates import Floats, Interval, mean_interval, share_interval

GAMES = ("game", "seat", "agent", "turn_order", "score", "win_share", "rounds", "turns", "is_stalled")
TURNS = ("game", "round", "seat", "score_after")
AHEAD = " ahead of "


class Metric(NamedTuple):
    """What a quantity is.

    Attributes
    ----------
    unit : str
        Of its values; ``share`` for what lies between 0 and 1.
    worth_seeing : float
        A difference a designer would want to see, the default for how many games that takes.
    meaning : str
        In words.
    """

    unit: str
    worth_seeing: float
    meaning: str


METRICS = {
    "rounds": Metric("rounds", 0.1, "rounds of a game"),
    "turns": Metric("turns", 0.5, "turns of a game, all seats counted"),
    "winner_score": Metric("points", 1.0, "final score of the best seat"),
    "margin": Metric("points", 0.5, "lead of the best seat over the next one at the end"),
    "lead_changes": Metric("changes", 0.1, "rounds after which another seat led than before; a tied lead is no change"),
    "ties": Metric("share", 0.01, "games whose win is shared"),
    "stalled": Metric("share", 0.01, "games ended by the stalemate guard"),
    "half_leader_wins": Metric("share", 0.01, "share of the win of who led after half of the rounds"),
    "comebacks": Metric(
        "share", 0.01, "share of the win of seats in the lower half of the table after half the rounds"
    ),
}


def metric(name: str) -> Metric:
    """Return what a column of :func:`game_metrics` is."""
    if name in METRICS:
        return METRICS[name]
    what, _, whose = name.partition(" of ")
    if AHEAD in name:
        return Metric(
            "share", 0.01, "how often a seat of the one ends ahead of a seat of the other, a tie counting half"
        )
    if what == "score":
        return Metric("points", 1.0, f"final score of a seat of {whose}")
    if what == "win_share":
        return Metric("share", 0.01, f"share of the win of a seat of {whose}")
    place = int(name.rpartition("_")[2]) + 1
    if name.startswith("lead_place_"):
        return Metric("points", 0.5, f"final score of the seat that plays as number {place} less the others' mean")
    return Metric("share", 0.01, f"share of the win of the seat that plays as number {place}")


@dataclass(frozen=True)
class Standings:
    """Scores after every round.

    Attributes
    ----------
    game : (games,) array
        Index of each game, ascending.
    scores : (games, rounds, seats) array
        Score of each seat after each round; after a game's end its last score.
    rounds : (games,) array
        Rounds of each game.
    final, shares : (games, seats) arrays
        Final scores and shares of the win.
    order : (games, seats) array
        Place of each seat in turn order.
    turns : (games,) array
        Turns of each game.
    is_stalled : (games,) array
        1 for games that the stalemate guard ended.
    agents : tuple of str
        By seat.
    """

    game: NDArray[np.int64]
    scores: NDArray[np.int64]
    rounds: NDArray[np.int64]
    final: NDArray[np.int64]
    shares: Floats
    order: NDArray[np.int64]
    turns: NDArray[np.int64]
    is_stalled: NDArray[np.int64]
    agents: tuple[str, ...]

    def cut(self, last: NDArray[np.int64]) -> Standings:
        """Return the same games ended after earlier rounds; ties share the win, whatever breaks them in the rules."""
        final = self.scores[np.arange(len(last)), last - 1]
        best = final == final.max(axis=1, keepdims=True)
        is_cut = last < self.rounds
        return Standings(
            self.game,
            self.scores,
            last,
            np.where(is_cut[:, None], final, self.final),
            np.where(is_cut[:, None], best / best.sum(axis=1, keepdims=True), self.shares),
            self.order,
            np.where(is_cut, last * final.shape[1], self.turns),
            np.where(is_cut, 0, self.is_stalled),
            self.agents,
        )


def standings(runs: Tabled) -> Standings:
    """Return the scores after every round of every game."""
    games = _in_order(read(runs, "games", GAMES), "seat")
    players = _players(games)
    first = games.iloc[::players]
    index = first["game"].to_numpy(np.int64)
    rounds = first["rounds"].to_numpy(np.int64)
    turns = read(runs, "turns", TURNS)
    scores = _dense(turns, index, int(rounds.max(initial=1)), players)

    def by_seat(column: str, dtype: Any = np.int64) -> Any:
        return games[column].to_numpy(dtype).reshape(-1, players)

    return Standings(
        index,
        scores,
        rounds,
        by_seat("score"),
        by_seat("win_share", np.float64),
        by_seat("turn_order"),
        by_seat("turns").sum(axis=1),
        first["is_stalled"].to_numpy(np.int64),
        tuple(games["agent"].iloc[:players].astype(str)),
    )


def _dense(turns: pd.DataFrame, games: NDArray[np.int64], rounds: int, players: int) -> NDArray[np.int64]:
    """Return the score of every seat after every round; a seat without a turn in a round keeps the score it had."""
    scores = np.zeros((len(games), rounds, players), np.int64)
    known = np.zeros(scores.shape, np.bool_)
    place = np.searchsorted(games, turns["game"].to_numpy(np.int64))
    spot = (place, turns["round"].to_numpy(np.int64) - 1, turns["seat"].to_numpy(np.int64))
    scores[spot] = turns["score_after"].to_numpy(np.int64)
    known[spot] = True
    for number in range(1, rounds):
        missing = ~known[:, number]
        scores[:, number][missing] = scores[:, number - 1][missing]
    return scores


def metrics_of(found: Standings) -> pd.DataFrame:
    """Return one row per game and one column per quantity; see :func:`game_metrics`."""
    number, players = found.final.shape
    ordered = np.sort(found.final, axis=1)
    half = np.maximum(found.rounds // 2, 1)
    then = found.scores[np.arange(number), half - 1]
    leads = then == then.max(axis=1, keepdims=True)
    behind = (then[:, None, :] > then[:, :, None]).sum(axis=2) >= players / 2
    columns: dict[str, Any] = {
        "rounds": found.rounds,
        "turns": found.turns,
        "winner_score": ordered[:, -1],
        "margin": ordered[:, -1] - ordered[:, -2],
        "lead_changes": lead_changes(found),
        "ties": (found.shares > 0).sum(axis=1) > 1,
        "stalled": found.is_stalled == 1,
        "half_leader_wins": (found.shares * leads).sum(axis=1) / leads.sum(axis=1),
        "comebacks": (found.shares * behind).sum(axis=1),
    }
    others = (found.final.sum(axis=1, keepdims=True) - found.final) / (players - 1)
    for place in range(players):
        of_place = found.order == place
        columns[f"win_place_{place}"] = (found.shares * of_place).sum(axis=1)
        columns[f"lead_place_{place}"] = ((found.final - others) * of_place).sum(axis=1)
    columns |= _of_agents(found)
    return pd.DataFrame(columns, index=pd.Index(found.game, name="game"), dtype=np.float64)


def _of_agents(found: Standings) -> dict[str, Any]:
    """Return the quantities that tell different agents apart; none if all are alike."""
    names = list(dict.fromkeys(found.agents))
    seats = {name: [seat for seat, agent in enumerate(found.agents) if agent == name] for name in names}
    columns: dict[str, Any] = {}
    if len(names) < 2:
        return columns
    for name in names:
        columns[f"win_share of {name}"] = found.shares[:, seats[name]].mean(axis=1)
        columns[f"score of {name}"] = found.final[:, seats[name]].mean(axis=1)
    for place, name in enumerate(names):
        for other in names[place + 1 :]:
            ours, theirs = found.final[:, seats[name], None], found.final[:, None, seats[other]]
            columns[f"{name}{AHEAD}{other}"] = ((ours > theirs) + 0.5 * (ours == theirs)).mean(axis=(1, 2))
    return columns


def lead_changes(found: Standings) -> NDArray[np.int64]:
    """Return how often each game had another leader after a round than before; a tied lead stays the old leader's."""
    number = len(found.rounds)
    leader, changes = np.full(number, -1), np.zeros(number, np.int64)
    for place in range(found.scores.shape[1]):
        now = found.scores[:, place]
        best = now.max(axis=1)
        is_alone = ((now == best[:, None]).sum(axis=1) == 1) & (place < found.rounds)
        new = now.argmax(axis=1)
        changes += is_alone & (leader >= 0) & (new != leader)
        leader = np.where(is_alone, new, leader)
    return changes


def game_metrics(runs: Tabled) -> pd.DataFrame:
    """Return one row per game and one column per quantity.

    Half time is the end of round ``rounds // 2`` (of round 1 if the game has one round). Who leads at half time counts
    with the mean share of those who are level; the lower half of the table are seats with at least half of all seats
    ahead of them.

    Parameters
    ----------
    runs : Runs
        Simulated games.

    Returns
    -------
    DataFrame
        Indexed by game; the columns of :data:`METRICS`; for each place in turn order (0 starts) ``win_place_0``, its
        share of the win, and ``lead_place_0``, its final score less the mean of the others; and, when agents differ,
        for each ``win_share of NAME`` and ``score of NAME``, and for each two ``NAME ahead of OTHER``.
    """
    return pd.concat([metrics_of(standings(batch)) for batch in batches(runs)])


def oriented(frames: Sequence[pd.DataFrame]) -> list[pd.DataFrame]:
    """Return tables of metrics with ``WEAKER ahead of STRONGER`` turned round; the first table says who is stronger."""
    turned: Mapping[str, str] = {
        name: AHEAD.join(reversed(name.split(AHEAD)))
        for name in frames[0].columns
        if AHEAD in name and frames[0][name].mean() < 0.5
    }
    result = []
    for frame in frames:
        changed = frame.copy()
        for name in turned:
            changed[name] = 1 - changed[name]
        result.append(changed.rename(columns=dict(turned)))
    return result


def interval_of(name: str, values: Any, level: float) -> Interval:
    """Return the mean of a metric over games with its interval: a score interval for shares, Student's for others."""
    return share_interval(values, level=level) if metric(name).unit == "share" else mean_interval(values, level=level)
