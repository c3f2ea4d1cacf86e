"""Vinci: what a choice gives, and how another tile takes the place of one of it: what studies of tiles ask."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import member
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import answers
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_layout import A_CHOOSE, CHOOSE, SLOTS, STATE


@answers(questions.scores, STATE)
def scores(tables: Any, state: Any, values: Any) -> None:
    """Write the points of each seat."""
    for seat in range(state.seats):
        values[seat] = state.score[seat]


@answers(questions.holding_of, STATE)
def holding_of(tables: Any, state: Any, seat: int, action: int, things: Any) -> int:
    """Write the two kinds of the pair that an action takes."""
    slot = action - A_CHOOSE
    if state.phase != CHOOSE or slot < 0 or slot >= SLOTS:
        return 0
    for place in range(2):
        things[place] = tables.kind_of[state.tray[slot, place]]
    return 2


@answers(questions.assign_holding, STATE)
def assign_holding(tables: Any, state: Any, seat: int, action: int, place: int, thing: int) -> bool:
    """Put a tile of a kind on one place of the pair that is taken: out of the bag, or from another pair of the tray.

    The tile that lay there goes to the bag, with a new place in the order of drawing, or to the other pair.
    """
    slot = action - A_CHOOSE
    replaced, partner = state.tray[slot, place], state.tray[slot, 1 - place]
    if tables.kind_of[replaced] == thing:
        return True
    if clash(tables, thing, tables.kind_of[partner]):
        return False
    copy = effects.first_in_order(tables, state, state.key, thing)
    if copy >= 0:
        state.bag = (state.bag & ~member(copy)) | member(replaced)
        if tables.price_rule != at.DEALT:
            state.entries[replaced] += 1  # a place of its own in the order of drawing
        state.tray[slot, place] = copy
        return True
    for spot in range(2 * SLOTS - 1, -1, -1):
        other, side = spot // 2, spot % 2
        copy = state.tray[other, side]
        if other == slot or copy < 0 or tables.kind_of[copy] != thing:
            continue
        neighbor = state.tray[other, 1 - side]
        if neighbor >= 0 and clash(tables, tables.kind_of[replaced], tables.kind_of[neighbor]):
            continue
        state.tray[other, side], state.tray[slot, place] = replaced, copy
        return True
    return False


@kernel(inner=True)
def clash(tables: Any, first: int, second: int) -> bool:
    """Return whether two kinds never make a pair: both double the other (Errata 6)."""
    return tables.tiles[first, at.SPECIALIZATION] == 1 and tables.tiles[second, at.SPECIALIZATION] == 1
