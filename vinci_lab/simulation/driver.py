"""The compiled loop that plays games, written once over the questions and compiled for each game."""

from __future__ import annotations

from typing import Any

from vinci_lab.agents.callbacks import callbacks
from vinci_lab.agents.compiled import CALLED_BY_ADDRESS, think
from vinci_lab.agents.deciding import think_elsewhere
from vinci_lab.agents.search import new_desk
from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, lowest
from vinci_lab.engine.chance import game_key
from vinci_lab.engine.game import Game
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, PLAN, new_record, new_records
from vinci_lab.engine.rows import STREAMED

WORK = 3  # state records a game needs: the true state, an agent's view, and scratch


def new_tools(game: Game, desk: Any = None, called: Any = None) -> tuple[Any, ...]:
    """Return the scratch a loop needs.

    Returns
    -------
    tuple
        A mask of actions, a plan, events that are off, a desk, and the agents that are called by address: none of these
        unless given.
    """
    tools = new_record(game.mask_layout), new_record(PLAN), new_record(EVENTS)
    return *tools, new_desk(game.state_layout) if desk is None else desk, called or callbacks(game, [])


def new_work(game: Game) -> Any:
    """Return the state records a loop needs."""
    return new_records(game.state_layout, WORK)


def new_rows(game: Game, is_on: bool) -> Any:
    """Return an empty row buffer that records, or not."""
    rows = new_record(game.rows_layout)
    rows.is_on = int(is_on)
    return rows


@kernel
def start_game(tables: Any, work: Any, memo: Any, seed: int, game: int, rows: Any) -> int:
    """Set up one game of a seeded run and return its key."""
    key = game_key(seed, game)
    questions.begin_game(tables, work[0], key)
    memo.game = game
    if rows.is_on:
        questions.measure_start(tables, work[0], memo)
    return key


@kernel
def step(tables: Any, state: Any, seat: int, action: int, memo: Any, rows: Any, events: Any) -> None:
    """Apply one action or chance outcome and record what is to be recorded."""
    turn = state.turn
    if rows.is_on:
        questions.measure_action(tables, state, seat, action, memo, rows)
    questions.apply_action(tables, state, seat, action, events)
    if seat != CHANCE:
        rows.actions += 1
    if rows.is_on and state.turn != turn:
        questions.measure_turn(tables, state, memo, rows)


@kernel
def end_game(tables: Any, work: Any, memo: Any, rows: Any) -> None:
    """Record what is known when a game is over; its rows are kept if none is missing."""
    if rows.is_on:
        questions.measure_end(tables, work[0], memo, rows)
    if not rows.is_full:
        for table in range(STREAMED):
            rows.kept[table] = rows.used[table]


@kernel(inner=True)
def decide(tables: Any, work: Any, agents: Any, params: Any, seat: int, key: int, taken: int, tools: Any) -> None:
    """Let a seat's agent write its next actions to the plan; ``taken`` actions have been taken in the game."""
    state, view, scratch = work[0], work[1], work[2]
    mask, plan, _, desk, called = tools
    if agents[seat] in CALLED_BY_ADDRESS:
        think_elsewhere(tables, state, view, agents[seat], seat, params[seat], key, taken, mask, plan, desk, called)
    else:
        think(tables, state, view, scratch, agents[seat], seat, params[seat], key, taken, mask, plan)
    if plan.length == 0:
        raise RuntimeError("an agent answered with no action that is legal")


@kernel(inner=True)
def play_on(
    tables: Any, work: Any, memo: Any, agents: Any, params: Any, key: int, begun: int, rows: Any, tools: Any
) -> None:
    """Play a game from the state it is in to its end; ``begun`` is what ``rows.actions`` was at its beginning."""
    state, plan, events = work[0], tools[1], tools[2]
    while not questions.is_over(tables, state):
        due = questions.deciders(tables, state)
        if due == 0:
            step(tables, state, CHANCE, questions.draw_chance(tables, state, state.key), memo, rows, events)
            continue
        seat, turn = lowest(due), state.turn
        decide(tables, work, agents, params, seat, key, rows.actions - begun, tools)
        for place in range(plan.length):
            step(tables, state, seat, plan.actions[place], memo, rows, events)
            if state.turn != turn or not contains(questions.deciders(tables, state), seat):
                break


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
    tools: Any,
) -> int:
    """Play games ``first`` to ``first + number - 1`` of a run with compiled agents.

    Parameters
    ----------
    work : (WORK,) state records
        The true state, an agent's view, and scratch.
    agents : (seats,) int64 array
        Codes of ``agents.compiled``.
    params : (seats,) policy records
        Each seat's policy.

    Returns
    -------
    int
        Games completed. Fewer than asked for means that the row buffer was full: ``rows.kept`` tells the rows of
        completed games, and the next game is to be played again with an empty buffer.
    """
    for done in range(number):
        begun = rows.actions
        key = start_game(tables, work, memo, seed, first + done, rows)
        play_on(tables, work, memo, agents, params, key, begun, rows, tools)
        end_game(tables, work, memo, rows)
        if rows.is_full:
            return done
    return number
