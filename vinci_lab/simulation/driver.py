"""The compiled loop that plays games, written once over the questions and compiled for each game."""

from __future__ import annotations

from typing import Any

import numpy as np

from vinci_lab.agents.compiled import EXTERNAL, decide
from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, lowest
from vinci_lab.engine.chance import PURPOSE_AGENT, game_key, word
from vinci_lab.engine.game import Game
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, PLAN, new_record, new_records
from vinci_lab.engine.rows import FILL, FILL_ACTIONS, FILL_OVERFLOW, FILL_RECORD, PLACES, TABLE_NAMES

WORK = 4  # state records a game needs: the true state, an agent's view, and scratch
GAME_IS_OVER = -1


def new_tools(game: Game) -> tuple[Any, Any, Any]:
    """Return the scratch a loop needs: a mask of actions, a plan, and an events record that is off."""
    return np.zeros(game.actions, np.uint8), new_record(PLAN), new_record(EVENTS)


def new_work(game: Game) -> Any:
    """Return the state records a loop needs."""
    return new_records(game.state_layout, WORK)


def new_rows(game: Game, capacities: tuple[int, ...]) -> tuple[Any, ...]:
    """Return empty row buffers, one array per table in the order of ``TABLE_NAMES``."""
    return tuple(
        np.zeros((capacity, len(game.columns[name])), np.int64)
        for name, capacity in zip(TABLE_NAMES, capacities, strict=True)
    )


def new_fill(record: bool) -> Any:
    """Return the counters of row buffers."""
    fill = np.zeros(FILL, np.int64)
    fill[FILL_RECORD] = int(record)
    return fill


@kernel
def step(
    tables: Any, state: Any, seat: int, action: int, memo: Any, rows: Any, fill: Any, events: Any
) -> None:
    """Apply one action or chance outcome and record what is to be recorded."""
    turn = state.turn
    if fill[FILL_RECORD]:
        questions.measure_action(tables, state, seat, action, memo, rows, fill)
    questions.apply_action(tables, state, seat, action, events)
    if seat != CHANCE:
        fill[FILL_ACTIONS] += 1
    if fill[FILL_RECORD] and state.turn != turn:
        questions.measure_turn(tables, state, memo, rows, fill)


@kernel
def advance(
    tables: Any, work: Any, memo: Any, agents: Any, params: Any, key: int, rows: Any, fill: Any, tools: Any
) -> int:
    """Play on until the game is over or a seat played from outside must decide.

    Parameters
    ----------
    work : (WORK,) state records
        ``work[0]`` is the true state.
    agents : (seats,) int64 array
        Codes of ``agents.compiled``, or ``EXTERNAL``.
    params : (seats, n) float64 array
        Parameters of each seat's policy.
    key : int
        Key of the agents' random numbers.

    Returns
    -------
    int
        The seat that must decide, or ``GAME_IS_OVER``.
    """
    state = work[0]
    mask, plan, events = tools
    while not questions.is_over(tables, state):
        due = questions.deciders(tables, state)
        if due == 0:
            step(tables, state, CHANCE, questions.draw_chance(tables, state, state.key), memo, rows, fill, events)
            continue
        seat = lowest(due)
        if agents[seat] == EXTERNAL:
            return seat
        questions.observe(tables, state, seat, work[1])
        decision = word(key, PURPOSE_AGENT, seat, fill[FILL_ACTIONS])
        decide(agents[seat], tables, work[1:], seat, params[seat], decision, mask, plan)
        turn = state.turn
        for place in range(plan.length):
            step(tables, state, seat, plan.actions[place], memo, rows, fill, events)
            if state.turn != turn or not contains(questions.deciders(tables, state), seat):
                break
    return GAME_IS_OVER


@kernel
def start_game(tables: Any, work: Any, memo: Any, seed: int, game: int, fill: Any) -> int:
    """Set up one game of a seeded run and return its key."""
    key = game_key(seed, game)
    questions.begin_game(tables, work[0], key)
    memo.game = game
    if fill[FILL_RECORD]:
        questions.measure_start(tables, work[0], memo)
    return key


@kernel
def play_games(
    tables: Any,
    work: Any,
    memo: Any,
    agents: Any,
    params: Any,
    seed: int,
    first: int,
    number: int,
    rows: Any,
    fill: Any,
    tools: Any,
) -> int:
    """Play games ``first`` to ``first + number - 1`` of a run with compiled agents.

    Returns
    -------
    int
        Games completed. Fewer than asked for means that a row buffer was full: the rows of completed games are intact,
        and the next game is to be played again with room.
    """
    for done in range(number):
        before = fill.copy()
        places = rows[PLACES].copy()
        actions, fill[FILL_ACTIONS] = fill[FILL_ACTIONS], 0
        key = start_game(tables, work, memo, seed, first + done, fill)
        advance(tables, work, memo, agents, params, key, rows, fill, tools)
        if fill[FILL_RECORD]:
            questions.measure_end(tables, work[0], memo, rows, fill)
        if fill[FILL_OVERFLOW]:
            fill[:] = before
            rows[PLACES][:] = places
            return done
        fill[FILL_ACTIONS] += actions
    return number
