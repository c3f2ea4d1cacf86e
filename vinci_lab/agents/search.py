"""The agent ``search``: it plays a game's candidate plans out by simulation, and follows the one that does best.

It sees its view and nothing else. A rollout draws a full position that fits the view, follows a plan, and lets the
game's fast policy play all seats to a horizon or the end; it is worth the seat's share of the win, or what the game
makes of a position that is cut short. All plans are tried on the same draws (common random numbers), and half of them
are dropped again and again, so that most rollouts go to the best (sequential halving). What the best two plans have in
common and the first action in which they differ is then settled, and the rest of the turn is planned anew with half of
the rollouts left. The number of rollouts is fixed, so a choice can be repeated on any machine.
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
    PLAN_LIST,
    PLANS,
    add_to_plan,
    as_records,
    copy_into,
    new_record,
)

PURPOSE_ROLLOUT = 9
SEATS_AT_MOST = 8

SETTINGS = {
    "rollouts": (200, "rollouts a decision may use; a plan covers the rest of the turn"),
    "horizon": (20, "turns of all seats a rollout is played on, this one included; 0 plays to the end"),
    "stages": (4, "how often the rest of a turn is planned anew, at most"),
}
SETTINGS_RANGE = {"rollouts": (1, 10_000_000), "horizon": (0, 10_000), "stages": (1, 100)}
BUDGETS: dict[str, dict[str, int]] = {"study": {}, "play": {"rollouts": 2_000, "horizon": 0, "stages": 6}}
WEIGHT_OF_WIN = 0.5  # of a rollout that reaches the end: this share for the win, the rest for how clear it is

BASE, TRIAL, SEEN, SCRATCH = range(4)  # the state records of a desk


def desk_layout(state_layout: np.dtype[Any]) -> np.dtype[Any]:
    """Return the layout of what agents that are called from the driver have to think with; search uses all of it."""
    return np.dtype(
        [
            (f"{(state_layout.names or ('',))[0]}_desk", np.int64),
            *((name, np.int64, (SEATS_AT_MOST,)) for name in SETTINGS),  # by seat
            ("done", np.int64),  # rollouts so far, for measuring
            ("refused", np.int64),  # what a user's agent answered that is not legal, and its seat + 1
            ("refusing", np.int64),
            ("order", np.int64, (PLANS,)),  # plans still in the running, best first
            ("sums", np.float64, (PLANS,)),  # what their rollouts came to, by plan
            ("values", np.float64, (SEATS_AT_MOST,)),
            ("plans", as_records(PLAN_LIST)),
            ("draft", as_records(PLAN)),
            ("best", as_records(PLAN)),
            ("events", as_records(EVENTS)),  # off
            ("states", as_records(state_layout), (4,)),
        ]
    )


def new_desk(state_layout: np.dtype[Any], settings: Sequence[Mapping[str, int]] = ()) -> Any:
    """Return a desk with the settings of each seat; they are empty for seats that do not search."""
    desk = new_record(desk_layout(state_layout))
    for seat, asked in enumerate(settings):
        for name, value in asked.items():
            desk[name][seat] = value
    return desk


def search(tables: Any, view: Any, seat: int, params: Any, key: int, desk: Any, mask: Any, plan: Any) -> None:
    """Write to ``plan`` what search does in the rest of the turn.

    Parameters
    ----------
    view : record
        What the seat sees.
    params : record
        The policy of all seats in rollouts.
    key : int
        What the draws of this decision follow from.
    desk : record
        Room to think, with the settings of the seat; see :func:`new_desk`.
    mask : record
        Not used.
    """
    base, best, plans = desk.states[BASE], desk.best, desk.plans
    copy_into(view, base)
    best.length = plan.length = 0
    left, stage = desk.rollouts[seat], 0
    while True:
        propose(tables, seat, params, word(key, 0, 0, stage), desk)
        is_last = stage + 1 >= desk.stages[seat] or longest(plans) == 1
        spent = left if is_last else (left + 1) // 2
        number = compare(tables, seat, params, word(key, PURPOSE_ROLLOUT, 0, stage), spent, desk)
        left -= spent
        stage += 1
        write_down(plans, desk.order[0], best)
        settled = best.length if is_last or left < 2 or number < 2 else settle(plans, desk.order)
        for place in range(settled):
            add_to_plan(plan, best.actions[place])
        if settled >= best.length or not go_on(tables, seat, key, settled, desk):
            return


@kernel(inner=True)
def propose(tables: Any, seat: int, params: Any, key: int, desk: Any) -> None:
    """Let the game propose plans for what the seat sees at ``BASE``, and add what is left of the best plan so far."""
    states = desk.states
    copy_into(states[BASE], states[SEEN])
    tools = (states[TRIAL], desk.draft, desk.events)
    questions.propose_plans(tables, states[SEEN], states[SCRATCH], seat, params, key, desk.plans, tools)
    add_best(desk.plans, desk.best)
    drop_repeats(desk.plans)


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
def longest(plans: Any) -> int:
    """Return the length of the longest plan."""
    steps = 0
    for place in range(plans.length):
        steps = max(steps, plans.lengths[place])
    return steps


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
    """Order the plans by sequential halving on common draws, and return how many were compared."""
    plans = desk.plans
    number = min(plans.length, max(1, rollouts // 2))
    rounds = 0
    while (1 << rounds) < number:
        rounds += 1
    for place in range(number):
        desk.order[place] = place
        desk.sums[place] = 0.0
    alive, drawn, left = number, 0, rollouts
    while alive > 1 and left >= alive:
        each = max(1, left // (rounds * alive))
        for draw in range(drawn, drawn + each):
            for place in range(alive):
                desk.sums[desk.order[place]] += rollout(
                    tables, seat, params, word(key, PURPOSE_ROLLOUT, 1, draw), desk.order[place], desk
                )
        drawn += each
        left -= each * alive
        rounds -= 1
        sort_order(desk, alive)
        alive = (alive + 1) // 2
    return number


@kernel(inner=True)
def sort_order(desk: Any, alive: int) -> None:
    """Sort the plans in the running by what their rollouts came to; equals keep their order."""
    for place in range(1, alive):
        here, moved = place, desk.order[place]
        while here > 0 and desk.sums[moved] > desk.sums[desk.order[here - 1]]:
            desk.order[here] = desk.order[here - 1]
            here -= 1
        desk.order[here] = moved


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
def go_on(tables: Any, seat: int, key: int, settled: int, desk: Any) -> bool:
    """Take the settled actions, leave the others in ``best``, and return whether the seat's turn goes on."""
    best, events, states = desk.best, desk.events, desk.states
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
    plans, events, states = desk.plans, desk.events, desk.states
    base, trial = states[BASE], states[TRIAL]
    desk.done += 1
    questions.determinize(tables, base, seat, key, trial)
    for step in range(plans.lengths[number]):
        questions.apply_action(tables, trial, seat, plans.actions[number, step], events)
        if trial.turn != base.turn or not contains(questions.deciders(tables, trial), seat):
            break
    horizon = desk.horizon[seat]
    play_on(tables, params, key, base.turn + horizon if horizon > 0 else 1 << 40, desk)
    questions.estimate(tables, trial, params, desk.values)
    value = desk.values[seat]
    if questions.is_over(tables, trial):
        questions.returns(tables, trial, desk.values)
        value = WEIGHT_OF_WIN * desk.values[seat] + (1.0 - WEIGHT_OF_WIN) * value
    return value


@kernel(inner=True)
def play_on(tables: Any, params: Any, key: int, until: int, desk: Any) -> None:
    """Let the fast policy play all seats until so many turns are finished, or to the end."""
    draft, events, states = desk.draft, desk.events, desk.states
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
