"""Forks: a game is stopped at a choice, each thing is assigned in turn, and every branch is played to its end."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import joblib
import numpy as np
from numpy.typing import NDArray

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, lowest
from vinci_lab.engine.chance import below, game_key
from vinci_lab.engine.jit import announce_compilation, kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import copy_into
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation import driver
from vinci_lab.simulation.blocks import cut
from vinci_lab.simulation.chunks import Job, Table
from vinci_lab.simulation.seats import Agent, seat_agents
from vinci_lab.simulation.simulate import _bar, _whole, _workers

if TYPE_CHECKING:
    import pandas as pd

PURPOSE_FORK = 10
CHUNK = 25  # games of a task
MOST_THINGS = 8  # things that one choice gives, at most
NEEDED = (questions.scores, questions.holding_of, questions.assign_holding)
COLUMNS = (
    *("game", "seat", "choice", "choices", "turn", "place", "thing", "replaced", "partner"),
    *("score", "lead", "over_mean", "win_share", "turns"),
)
WHOLE = COLUMNS[:9]


@kernel(inner=True)
def play_on(
    tables: Any,
    work: Any,
    kept: Any,
    agents: Any,
    params: Any,
    key: int,
    taken: int,
    watching: int,
    tools: Any,
    found: Any,
) -> int:
    """Play a game from the state it is in to its end; ``taken`` actions came before.

    With ``watching``, keep the state before one of the choices, all equally likely, and return their number; ``found``
    gets the seat and the action of that choice, how many choices and how many actions came before it.
    """
    state, plan, events, things, choices = work[0], tools[1], tools[2], np.zeros(MOST_THINGS, np.int64), 0
    while not questions.is_over(tables, state):
        due = questions.deciders(tables, state)
        seat, turn = CHANCE, state.turn
        if due == 0:
            plan.length, plan.actions[0] = 1, questions.draw_chance(tables, state, state.key)
        else:
            seat = lowest(due)
            driver.decide(tables, work, agents, params, seat, key, taken, tools)
        for place in range(plan.length):
            action = plan.actions[place]
            if watching and seat != CHANCE and questions.holding_of(tables, state, seat, action, things):
                choices += 1
                if below(choices, key, PURPOSE_FORK, 0, choices) == 0:
                    copy_into(state, kept)
                    found[0], found[1], found[2], found[3] = seat, action, choices - 1, taken
            questions.apply_action(tables, state, seat, action, events)
            if seat == CHANCE:
                break
            taken += 1
            if state.turn != turn or not contains(questions.deciders(tables, state), seat):
                break
    return choices


@kernel(inner=True)
def write_end(tables: Any, state: Any, seat: int, row: Any) -> None:
    """Write how a branch ended for a seat: score, lead over the best and over the mean of the others, share, turns."""
    values = np.zeros(state.seats, np.float64)
    questions.returns(tables, state, values)
    row[12], row[13] = values[seat], 1.0 * state.turn
    questions.scores(tables, state, values)
    best, total = -1.0e300, 0.0
    for other in range(state.seats):
        if other != seat:
            best = max(best, values[other])
            total += values[other]
    row[9], row[10] = values[seat], values[seat] - best
    row[11] = values[seat] - total / (state.seats - 1)


@kernel
def fork_games(
    tables: Any,
    work: Any,
    kept: Any,
    agents: Any,
    params: Any,
    seed: int,
    first: int,
    number: int,
    kinds: int,
    tools: Any,
    out: Any,
) -> int:
    """Fork games ``first`` to ``first + number - 1`` of a run; write a row of ``out`` per branch, return their number.

    Every branch goes on with the game's own random key, and the agents' with theirs. Nothing is recorded on the way.
    """
    state, used = work[0], 0
    found, things = np.zeros(4, np.int64), np.zeros(MOST_THINGS, np.int64)
    for game in range(first, first + number):
        choices, size, place = 0, 0, 0
        for thing in range(-1, kinds):  # first the game itself, then its branches
            key = game_key(seed, game)
            if thing < 0:
                questions.begin_game(tables, state, key)
            elif choices == 0:
                break
            else:
                copy_into(kept, state)
                if not questions.assign_holding(tables, state, found[0], found[1], place, thing):
                    continue
                questions.apply_action(tables, state, found[0], found[1], tools[2])
            taken = 0 if thing < 0 else found[3] + 1
            met = play_on(tables, work, kept, agents, params, key, taken, thing < 0, tools, found)
            if thing < 0:
                choices = met
                if choices:
                    size = questions.holding_of(tables, kept, found[0], found[1], things)
                    place = below(size, key, PURPOSE_FORK, 1, 0)
                continue
            row = out[used]
            used += 1
            row[0], row[1], row[2], row[3] = game, found[0], found[2], choices
            row[4], row[5], row[6], row[7] = kept.turn, place, thing, things[place]
            row[8] = things[1 - place] if size == 2 else -1
            write_end(tables, state, found[0], row)
    return used


class _Fork(Table):
    """A table at which games are forked."""

    def play(self, first: int, count: int) -> NDArray[np.float64]:
        """Fork some games and return a row per branch."""
        kinds = len(self._rules.definition.labels(self._rules, "kind"))
        out = np.zeros((max(count, 1) * kinds, len(COLUMNS)))
        kept = driver.new_work(self._rules.definition)[0]
        common = (self._rules.tables, self._work, kept, self._codes, self._params)
        try:
            used = fork_games(*common, self._job.seed, first, count, kinds, self._tools, out)
        except RuntimeError as error:
            raise self._explained(error) from None
        return out[: int(used)]


def fork_chunk(job: Job, first: int, count: int) -> NDArray[np.float64]:
    """Fork games ``first`` to ``first + count - 1`` and return a row per branch."""
    return _Fork(job).play(first, count)


def fork(
    rules: Ruleset,
    agents: Agent | Sequence[Agent] = "greedy",
    games: int = 1_000,
    seed: int = 7,
    n_jobs: int = -1,
    progress: bool = True,
) -> pd.DataFrame:
    """Stop each game at one of its choices, assign each thing in turn, and play every branch to its end.

    The choice is any of the game's, all equally likely; so is the place in what it gives, such as the left or right
    tile of a pair, whose thing is replaced. The partner, the price and everything else stay. The thing assigned comes
    from where such things are drawn from, or else from another offer; the one it replaces goes there. What no seat
    could get, because all of its kind are held or the rules forbid the combination, is left out. All branches of a
    game go on with the same random key, so that the one with the thing that was chosen is the game as it was played.

    Parameters
    ----------
    rules : Ruleset
        What is played, and by how many.
    agents : str or compiled agent, or a sequence of them
        As in :func:`vinci_lab.simulation.simulate.simulate`, but no Python functions.
    games : int
        Games to fork: one choice each.
    seed : int
        0 to 2**63 - 1; the games are those that ``simulate`` plays.
    n_jobs : int
        Tasks in parallel; -1 is one per core. The rows do not depend on it.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    DataFrame
        A row per branch: ``game, seat``; ``choice``, the number of choices before it in the game, of ``choices``;
        ``turn``, turns finished before it; ``place`` in what it gives; ``thing`` assigned, ``replaced`` (what the agent
        chose) and ``partner``; then how it ended for the seat: ``score``, ``lead`` over the best other seat,
        ``over_mean``, over the mean of the other seats (points), ``win_share``, and ``turns`` of the whole game.

    Raises
    ------
    ValueError
        If an argument is not allowed, an agent is a Python function, or the game has nothing to assign.
    """
    games, seed = _whole("games", games, 1), _whole("seed", seed, 0, 2**63 - 1)
    if not all(questions.is_answered(question, rules.definition.state_layout) for question in NEEDED):
        raise ValueError(f"game: {rules.game} has no choices of things that can be assigned, so it cannot be forked")
    if rules.seats < 2:
        raise ValueError("players: a fork compares a seat with the others, and there are none")
    job = Job.of(rules, seat_agents(rules, agents), seed, False)
    if job.is_python:
        raise ValueError(
            "agents: branches are played by compiled agents; name agents such as greedy, or compile yours with "
            "vinci_lab.compiled_agent"
        )
    announce_compilation()
    fork_chunk(job, 0, 0)
    pieces = list(cut(games, CHUNK))
    parallel = joblib.Parallel(n_jobs=min(_workers(n_jobs), len(pieces)), prefer="threads", return_as="generator")
    parts = []
    with _bar(games, 0, progress) as advance:
        tasks = (joblib.delayed(fork_chunk)(job, piece.first, piece.games) for piece in pieces)
        for piece, part in zip(pieces, parallel(tasks), strict=True):
            parts.append(part)
            advance(piece.games)
    return _decoded(rules, np.concatenate(parts))


def _decoded(rules: Ruleset, rows: NDArray[np.float64]) -> pd.DataFrame:
    """Return the rows with whole numbers and words where they belong."""
    import pandas as pd

    names = pd.Index(rules.definition.labels(rules, "kind"))
    table: dict[str, Any] = {}
    for column, values in zip(COLUMNS, rows.T, strict=True):
        table[column] = values.astype(np.int64) if column in (*WHOLE, "turns") else values.copy()
        if column in ("thing", "replaced", "partner"):
            table[column] = pd.Categorical.from_codes(table[column], categories=names)
    return pd.DataFrame(table)
