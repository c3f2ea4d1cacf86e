"""The agent ``search``: it plays a game's candidate plans out by simulation, and follows the one that does best.

It sees its view and nothing else. A rollout draws a full position that fits the view, follows a plan, and lets the game's
fast policy play all seats to a horizon or the end; it is worth the seat's share of the win, or what the game makes of a
position that is cut short. All plans are tried on the same draws (common random numbers), and half of them are dropped
again and again, so that most rollouts go to the best (sequential halving). What the best two plans have in common and the
first action in which they differ is then settled, and the rest of the turn is planned anew with half of the rollouts
left. The number of rollouts is fixed, so a choice can be repeated on any machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, lowest, member
from vinci_lab.engine.chance import PURPOSE_AGENT, word
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import (
    EVENTS,
    PLAN,
    PLAN_CAPACITY,
    PLAN_LIST,
    PLANS,
    add_to_plan,
    copy_into,
    new_record,
    new_records,
)

PURPOSE_ROLLOUT = 9
SEATS_AT_MOST = 8

# What a person can set, with default and meaning -----------------------------------------------------------------------
SETTINGS = {
    "rollouts": (400, "rollouts a decision may use; a plan covers the rest of the turn"),
    "horizon": (12, "turns of all seats a rollout is played on, this one included; 0 plays to the end"),
    "stages": (4, "how often the rest of a turn is planned anew, at most"),
}
SETTINGS_AT_MOST = {"rollouts": (1, 10_000_000), "horizon": (0, 10_000), "stages": (1, 100)}
BUDGETS: dict[str, dict[str, int]] = {"study": {}, "play": {"rollouts": 8_000, "stages": 8}}
WEIGHT_OF_WIN = 0.5  # of a rollout that reaches the end: this share for the win, the rest for how clear it is

BOOK = np.dtype(
    [
        ("search_book", np.int64),
        *((name, np.int64, (SEATS_AT_MOST,)) for name in SETTINGS),  # by seat
        ("done", np.int64),  # rollouts since the book was opened, for measuring
        ("order", np.int64, (PLANS,)),  # plans still in the running, best first
        ("sums", np.float64, (PLANS,)),  # by plan
        ("values", np.float64, (SEATS_AT_MOST,)),
    ]
)
BASE, TRIAL, SEEN, SCRATCH = range(4)  # the state records of a desk


def new_desk(layout: np.dtype[Any]) -> tuple[Any, ...]:
    """Return the room search needs: a book, plans, two plans to write, the best so far, events that are off, states."""
    plans = (new_record(PLAN_LIST), new_record(PLAN), new_record(PLAN))
    return new_record(BOOK), *plans, new_record(EVENTS), new_records(layout, 4)


def desk_for(layout: np.dtype[Any], settings: Sequence[Mapping[str, int]]) -> tuple[Any, ...] | None:
    """Return a desk with the settings of each seat; None when no seat searches.

    Parameters
    ----------
    layout : numpy.dtype
        Of the game's state.
    settings : sequence of mapping
        By seat; empty for seats that do not search.
    """
    if not any(settings):
        return None
    desk = new_desk(layout)
    for seat, asked in enumerate(settings):
        for name, value in asked.items():
            desk[0][name][seat] = value
    return desk


@kernel(inner=True)
def search(tables: Any, view: Any, seat: int, params: Any, key: int, desk: Any, plan: Any) -> None:
    """Write to ``plan`` what search does in the rest of the turn.

    Parameters
    ----------
    view : record
        What the seat sees.
    params : record
        The policy of all seats in rollouts.
    key : int
        What the draws of this decision follow from.
    desk : tuple
        See :func:`new_desk`; its book has the settings of the seat.
    """
    book, plans, draft, best, events, states = desk
    base = states[BASE]
    copy_into(view, base)
    best.length = 0
    left, stage = book.rollouts[seat], 0
    while True:
        copy_into(base, states[SEEN])
        tools = (states[TRIAL], draft, events)
        questions.propose_plans(tables, states[SEEN], states[SCRATCH], seat, params, word(key, 0, 0, stage), plans, tools)
        add_best(plans, best)
        drop_repeats(plans)
        is_last = stage + 1 >= book.stages[seat]
        spent = left if is_last else (left + 1) // 2
        number = compare(tables, seat, params, word(key, PURPOSE_ROLLOUT, 0, stage), spent, desk)
        left -= spent
        stage += 1
        write_down(plans, book.order[0], best)
        settled = best.length if is_last or left < 2 or number < 2 else settle(plans, book.order)
        for place in range(settled):
            add_to_plan(plan, best.actions[place])
        if settled >= best.length or not go_on(tables, seat, key, best, settled, desk):
            return


@kernel(inner=True)
def add_best(plans: Any, best: Any) -> None:
    """Add what is left of the best plan so far to the candidates, in front; the last of a full list makes room."""
    if best.length == 0:
        return
    place = min(plans.length, PLANS - 1)
    plans.length = place + 1
    plans.lengths[place] = best.length
    for step in range(best.length):
        plans.actions[place, step] = best.actions[step]
    plans.values[place] = plans.values[0]


@kernel(inner=True)
def drop_repeats(plans: Any) -> None:
    """Keep the first of plans with the same actions."""
    kept = 0
    for place in range(plans.length):
        is_new = True
        for other in range(kept):
            if common_steps(plans, place, other) == max(plans.lengths[place], plans.lengths[other]):
                is_new = False
        if is_new:
            plans.lengths[kept] = plans.lengths[place]
            plans.values[kept] = plans.values[place]
            for step in range(plans.lengths[place]):
                plans.actions[kept, step] = plans.actions[place, step]
            kept += 1
    plans.length = kept


@kernel(inner=True)
def common_steps(plans: Any, one: int, other: int) -> int:
    """Return how many actions two plans start with alike."""
    shorter = min(plans.lengths[one], plans.lengths[other])
    for step in range(shorter):
        if plans.actions[one, step] != plans.actions[other, step]:
            return step
    return shorter


@kernel(inner=True)
def compare(tables: Any, seat: int, params: Any, key: int, rollouts: int, desk: Any) -> int:
    """Order the plans in the book by sequential halving on common draws, and return how many were compared."""
    book, plans = desk[0], desk[1]
    number = min(plans.length, max(1, rollouts))
    rounds = 0
    while (1 << rounds) < number:
        rounds += 1
    for place in range(number):
        book.order[place] = place
        book.sums[place] = 0.0
    alive, drawn, left = number, 0, rollouts
    while alive > 1:
        each = max(1, left // (rounds * alive))
        for draw in range(drawn, drawn + each):
            for place in range(alive):
                book.sums[book.order[place]] += rollout(
                    tables, seat, params, word(key, PURPOSE_ROLLOUT, 1, draw), book.order[place], desk
                )
        drawn += each
        left -= each * alive
        rounds -= 1
        sort_order(book, alive)
        alive = (alive + 1) // 2
    return number


@kernel(inner=True)
def sort_order(book: Any, alive: int) -> None:
    """Sort the plans in the running by what their rollouts came to; equals keep their order."""
    for place in range(1, alive):
        here, moved = place, book.order[place]
        while here > 0 and book.sums[moved] > book.sums[book.order[here - 1]]:
            book.order[here] = book.order[here - 1]
            here -= 1
        book.order[here] = moved


@kernel(inner=True)
def write_down(plans: Any, number: int, plan: Any) -> None:
    """Copy one plan of a list."""
    plan.length = plans.lengths[number]
    for step in range(plan.length):
        plan.actions[step] = plans.actions[number, step]


@kernel(inner=True)
def settle(plans: Any, order: Any) -> int:
    """Return how many actions of the best plan are settled: up to the first in which the second best differs."""
    return min(plans.lengths[order[0]], common_steps(plans, order[0], order[1]) + 1)


@kernel(inner=True)
def go_on(tables: Any, seat: int, key: int, best: Any, settled: int, desk: Any) -> bool:
    """Take the settled actions, leave the others in ``best``, and return whether the seat's turn goes on."""
    events, states = desk[4], desk[5]
    base, trial = states[BASE], states[TRIAL]
    questions.determinize(tables, base, seat, key, trial)
    for place in range(settled):
        questions.apply_action(tables, trial, seat, best.actions[place], events)
    for place in range(settled, best.length):
        best.actions[place - settled] = best.actions[place]
    best.length -= settled
    goes_on = trial.turn == base.turn and questions.deciders(tables, trial) == member(seat)
    questions.observe(tables, trial, seat, base)
    return goes_on


@kernel(inner=True)
def rollout(tables: Any, seat: int, params: Any, key: int, number: int, desk: Any) -> float:
    """Return what a plan is worth to a seat on one draw of what it cannot see."""
    book, plans, events, states = desk[0], desk[1], desk[4], desk[5]
    base, trial = states[BASE], states[TRIAL]
    book.done += 1
    questions.determinize(tables, base, seat, key, trial)
    for step in range(plans.lengths[number]):
        questions.apply_action(tables, trial, seat, plans.actions[number, step], events)
        if trial.turn != base.turn or not contains(questions.deciders(tables, trial), seat):
            break
    horizon = book.horizon[seat]
    play_on(tables, params, key, base.turn + horizon if horizon > 0 else 1 << 40, desk)
    questions.estimate(tables, trial, params, book.values)
    value = book.values[seat]
    if questions.is_over(tables, trial):
        questions.returns(tables, trial, book.values)
        value = WEIGHT_OF_WIN * book.values[seat] + (1.0 - WEIGHT_OF_WIN) * value
    return value


@kernel(inner=True)
def play_on(tables: Any, params: Any, key: int, until: int, desk: Any) -> None:
    """Let the fast policy play all seats until so many turns are finished, or to the end."""
    draft, events, states = desk[2], desk[4], desk[5]
    trial, seen, scratch = states[TRIAL], states[SEEN], states[SCRATCH]
    taken = 0
    while trial.turn < until and not questions.is_over(tables, trial):
        due = questions.deciders(tables, trial)
        if due == 0:
            questions.apply_action(tables, trial, CHANCE, questions.draw_chance(tables, trial, trial.key), events)
            continue
        actor, turn = lowest(due), trial.turn
        questions.observe(tables, trial, actor, seen)
        questions.suggest(tables, seen, scratch, actor, params, word(key, PURPOSE_AGENT, actor, taken), draft)
        for place in range(draft.length):
            questions.apply_action(tables, trial, actor, draft.actions[place], events)
            taken += 1
            if trial.turn != turn or not contains(questions.deciders(tables, trial), actor):
                break
