"""Last stone: two seats take one or two stones in turn, and who takes the last one wins. No chance, nothing hidden."""

from __future__ import annotations

from typing import Any

import numpy as np

from vinci_lab.engine import questions
from vinci_lab.engine.questions import answers

STONES, ACTIONS = 10, 3  # an action is a number of stones
TABLES = np.dtype([("last_stone_tables", "i8"), ("stones", "i8")])
STATE = np.dtype([("last_stone", "i8"), ("key", "i8"), ("seats", "i8"), ("turn", "i8"), ("stones", "i8")])


@answers(questions.begin_game, STATE)
def begin_game(tables: Any, state: Any, key: int) -> None:
    state.key = key
    state.seats = 2
    state.turn = 0
    state.stones = tables.stones


@answers(questions.deciders, STATE)
def deciders(tables: Any, state: Any) -> int:
    return 1 << (state.turn % 2) if state.stones > 0 else 0


@answers(questions.legal_actions, STATE)
def legal_actions(tables: Any, state: Any, seat: int, mask: Any) -> int:
    mask[:] = 0
    mask[1] = 1
    if state.stones > 1:
        mask[2] = 1
    return mask.sum()


@answers(questions.apply_action, STATE)
def apply_action(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
    state.stones -= action
    state.turn += 1


@answers(questions.draw_chance, STATE)
def draw_chance(tables: Any, state: Any, key: int) -> int:
    return -1


@answers(questions.observe, STATE)
def observe(tables: Any, state: Any, seat: int, view: Any) -> None:
    view.last_stone = state.last_stone
    view.key = 0
    view.seats = state.seats
    view.turn = state.turn
    view.stones = state.stones


@answers(questions.is_over, STATE)
def is_over(tables: Any, state: Any) -> bool:
    return state.stones == 0


@answers(questions.returns, STATE)
def returns(tables: Any, state: Any, values: Any) -> None:
    for seat in range(2):
        values[seat] = 1.0 if state.stones == 0 and seat != state.turn % 2 else 0.0
