"""Vinci: the plans a searching agent chooses from, and how a position that is cut short is judged.

The first plans take each alternative of the decision at hand: every affordable pair, declining with each of them, every
partner, part, province or fort. The others play the turn as the policy does but for one thing: where the first
conquest goes, how greedily targets are rated, when the conquests stop, what is abandoned before.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import count, lowest, member
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import answers
from vinci_lab.engine.records import PLAN_CAPACITY, PLANS, add_to_plan, copy_into
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci.heuristics import least_of, next_conquest
from vinci_lab.games.vinci.heuristics_worth import INCOME, decaying_sum, pair_worth, turns_left
from vinci_lab.games.vinci.rules_layout import (
    A_ABANDON,
    A_CHOOSE,
    A_CONQUER,
    A_DECLINE,
    A_DROP,
    A_END_CONQUEST,
    A_END_DROP,
    A_END_GATHER,
    A_FORT,
    A_KEEP,
    A_NO_FORT,
    A_NO_PEACE,
    A_PEACE,
    A_PLAY_ON,
    A_REBIRTH_NO,
    A_REBIRTH_YES,
    CHOOSE,
    CONQUEST,
    DROP,
    FORT,
    GATHER,
    KEEP,
    PEACE,
    PLACE,
    REBIRTH_CHOICE,
    STATE,
    SURVIVORS,
    TURN_START,
)
from vinci_lab.games.vinci.rules_turn import abandonable, fort_sites, is_short_of_tokens, peace_candidates

POLICY_ITSELF, NO_PLAN = -1, -2  # in the place of a plan's first action
ENTRIES, TARGETS = 12, 5  # first conquests tried besides the policy's: when entering, and later

# Plans that play the policy's way but for one thing, after those with another first conquest
(AGGRESSIVE, PEACEFUL, ONE_LESS, TWO_LESS, LEAVE_ONE, LEAVE_TWO, WILD, WILDER, WILDEST) = range(9)
WAYS = 9
GUARDS = (0.0, 0.25, 1.0, 2.0)  # ways to place tokens besides the policy's
FORETOLD = 0.7  # share of a seat's lead in points a turn over the usual pace that is left a turn later
SPREAD, SPREAD_PER_TURN = 4.0, 1.5  # points of lead that make a win three times as likely as not


# What a plan is like ------------------------------------------------------------------------------------------------


@kernel(inner=True)
def nth(members: int, number: int) -> int:
    """Return the member of a set with a number of smaller ones, or -1."""
    while members and number:
        members &= members - 1
        number -= 1
    return lowest(members) if members else -1


@kernel(inner=True)
def slots_to_choose(tables: Any, state: Any, seat: int) -> int:
    """Return the slots of the tray that the seat can pay for."""
    slots = 0
    for slot in range(effects.pairs_on_tray(state)):
        if slot == 0 or effects.can_afford(tables, state, seat, slot):
            slots |= member(slot)
    return slots


@kernel(inner=True)
def nth_of(first: int, members: int, number: int, extra: int) -> int:
    """Return the numbered one of the actions on a set and an extra one (none below 0), or ``NO_PLAN``."""
    place = nth(members, number)
    if place >= 0:
        return first + place
    return extra if extra >= 0 and number == count(members) else NO_PLAN


@kernel(inner=True)
def opening(tables: Any, state: Any, seat: int, number: int) -> tuple[int, int]:
    """Return how a numbered plan starts, and which variation of what follows it is.

    The start is an action, ``POLICY_ITSELF``, or ``NO_PLAN`` when there are no more.
    """
    phase = state.phase
    if phase == CHOOSE:
        return nth_of(A_CHOOSE, slots_to_choose(tables, state, seat), number, -1), 0
    if phase in (TURN_START, REBIRTH_CHOICE):
        slots = max(1, count(slots_to_choose(tables, state, seat)))  # a pair that is dealt is not there yet
        if number < slots:
            return A_DECLINE if phase == TURN_START else A_REBIRTH_YES, number
        if phase == TURN_START:
            return A_PLAY_ON, number - slots
        return A_REBIRTH_NO if number == slots else NO_PLAN, 0
    if phase == PEACE:
        partners = peace_candidates(state, seat)
        extra = A_NO_PEACE if tables.peace_optional == 1 else -1
        start = nth_of(A_PEACE, partners, number, extra)
        return (start, 0) if start >= 0 else (POLICY_ITSELF, number - count(partners))
    if phase == KEEP:
        return nth_of(A_KEEP, effects.parts_to_keep(tables, state, seat), number, -1), 0
    if phase == DROP:
        extra = -1 if is_short_of_tokens(state) else A_END_DROP
        return nth_of(A_DROP, effects.droppable(tables, state, seat), number, extra), 0
    if phase == FORT:
        return nth_of(A_FORT, fort_sites(tables, state, seat), number, A_NO_FORT), 0
    if phase in (PLACE, SURVIVORS):
        return POLICY_ITSELF if number <= len(GUARDS) else NO_PLAN, number
    return POLICY_ITSELF, number


@kernel(inner=True)
def set_manner(view: Any, seat: int, variation: int, params: Any) -> int:
    """Change the policy to a variation's manner, and return its way; -1 when only its first conquest is another."""
    if view.phase in (PLACE, SURVIVORS):
        if variation > 0:
            params.guard = GUARDS[variation - 1]
        return -1
    way = variation - 1 - first_targets(view, seat)
    if way == AGGRESSIVE:
        params.denial = 1.0
    elif way == PEACEFUL:
        params.denial = 0.0
    elif way >= WILD:
        params.noise = 0.4 * (way - WILD + 1)
    return way


@kernel(inner=True)
def first_targets(view: Any, seat: int) -> int:
    """Return how many first conquests are tried besides the policy's; entering leaves the widest choice."""
    return ENTRIES if view.active[seat] == 0 else TARGETS


# Writing plans ------------------------------------------------------------------------------------------------------


@answers(questions.propose_plans, STATE)
def propose_plans(
    tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plans: Any, tools: tuple[Any, Any, Any]
) -> int:
    """Write plans for the rest of the turn: each alternative at hand, then variations of how the policy goes on.

    A plan's value is the points of the turn plus, where a pair is chosen, its estimated worth.
    """
    plans.length = 0
    usual = 0  # conquests of the policy's own plan
    noise, denial, guard = params.noise, params.denial, params.guard
    for number in range(PLANS):
        start, variation = opening(tables, view, seat, number)
        if start == NO_PLAN:
            break
        way = set_manner(view, seat, variation, params)
        if way >= WAYS:
            break
        copy_into(view, scratch)
        conquests = write_plan(
            tables, scratch, view.turn, seat, params, key + number, start, variation, way, usual, number, plans, tools
        )
        params.noise, params.denial, params.guard = noise, denial, guard
        if variation == 0:
            usual = conquests
        plans.values[number] = scratch.score[seat] - view.score[seat] + tray_worth(tables, scratch, seat, params)
        plans.length += 1
    params.noise, params.denial, params.guard = noise, denial, guard
    sort_plans(plans)
    return plans.length


@kernel(inner=True)
def write_plan(
    tables: Any,
    state: Any,
    turn: int,
    seat: int,
    params: Any,
    key: int,
    start: int,
    variation: int,
    way: int,
    usual: int,
    number: int,
    plans: Any,
    tools: tuple[Any, Any, Any],
) -> int:
    """Play one plan to the end of the turn, write it down, and return its conquests."""
    seen, plan, events = tools
    steps, conquests = 0, 0
    given_up = worst_provinces(tables, state, seat, way)
    while steps < PLAN_CAPACITY and state.turn == turn and questions.deciders(tables, state) == member(seat):
        plan.length = 0
        forced = forced_action(
            tables, state, seat, params, key, start, variation, way, steps, conquests, usual, given_up
        )
        if forced >= 0:
            add_to_plan(plan, forced)
        else:
            copy_into(state, seen)
            questions.suggest(tables, seen, seen, seat, params, key, plan)
        for place in range(min(plan.length, PLAN_CAPACITY - steps)):
            action = plan.actions[place]
            conquests += 1 if A_CONQUER <= action < A_KEEP else 0
            plans.actions[number, steps] = action
            questions.apply_action(tables, state, seat, action, events)
            steps += 1
    plans.lengths[number] = steps
    return conquests


@kernel(inner=True)
def forced_action(
    tables: Any,
    state: Any,
    seat: int,
    params: Any,
    key: int,
    start: int,
    variation: int,
    way: int,
    steps: int,
    conquests: int,
    usual: int,
    given_up: int,
) -> int:
    """Return the next action of a plan where it is not the policy's, else -1."""
    phase = state.phase
    if steps == 0 and start >= 0:
        return start
    if phase == CHOOSE and start in (A_DECLINE, A_REBIRTH_YES):
        return nth_of(A_CHOOSE, slots_to_choose(tables, state, seat), variation, -1)
    if phase == GATHER and given_up:
        leaving = abandonable(tables, state, seat) & given_up
        return A_ABANDON + lowest(leaving) if leaving else A_END_GATHER
    if phase != CONQUEST:
        return -1
    if way in (ONE_LESS, TWO_LESS) and state.active[seat]:
        return A_END_CONQUEST if conquests >= max(0, usual - (way - ONE_LESS + 1)) else -1
    if conquests == 0 and variation > 0 and way < 0:
        return conquest_of_rank(tables, state, seat, params, key, variation)
    return -1


@kernel(inner=True)
def conquest_of_rank(tables: Any, state: Any, seat: int, params: Any, key: int, rank: int) -> int:
    """Return the conquest the policy would make if its first ``rank`` choices were not to be had."""
    excluded = 0
    action = next_conquest(tables, state, seat, params, key, excluded)
    for _ in range(rank):
        if action < A_CONQUER:
            break
        excluded |= member(action % 64)
        action = next_conquest(tables, state, seat, params, key, excluded)
    return action


@kernel(inner=True)
def worst_provinces(tables: Any, state: Any, seat: int, way: int) -> int:
    """Return the provinces a plan abandons before its conquests: none, or the one or two with the fewest points."""
    if way not in (LEAVE_ONE, LEAVE_TWO):
        return 0
    worst, left = 0, state.active[seat]
    for _ in range(way - LEAVE_ONE + 1):
        if left:
            worst |= member(least_of(tables, state, seat, left))
            left &= ~worst
    return worst


@kernel(inner=True)
def tray_worth(tables: Any, state: Any, seat: int, params: Any) -> float:
    """Return the estimated worth of a civilization that has been chosen and has not entered, else 0."""
    if state.tile[seat, 0] < 0 or state.is_entered[seat]:
        return 0.0
    return pair_worth(costs.pair_of(tables, state, seat), turns_left(tables, state, params), params)


@kernel(inner=True)
def sort_plans(plans: Any) -> None:
    """Order plans by value, best first; equal values keep their order."""
    for place in range(1, plans.length):
        here = place
        while here > 0 and plans.values[here] > plans.values[here - 1]:
            swap_plans(plans, here, here - 1)
            here -= 1


@kernel(inner=True)
def swap_plans(plans: Any, one: int, other: int) -> None:
    """Exchange two plans."""
    plans.values[one], plans.values[other] = plans.values[other], plans.values[one]
    longest = max(plans.lengths[one], plans.lengths[other])
    plans.lengths[one], plans.lengths[other] = plans.lengths[other], plans.lengths[one]
    for step in range(longest):
        plans.actions[one, step], plans.actions[other, step] = plans.actions[other, step], plans.actions[one, step]


# Judging a position -------------------------------------------------------------------------------------------------


@answers(questions.estimate, STATE)
def estimate(tables: Any, state: Any, params: Any, values: Any) -> None:
    """Write each seat's prospect by the score it is heading for against the best of the others."""
    best, second = -1.0e9, -1.0e9
    later = 0.0 if questions.is_over(tables, state) else turns_left(tables, state, params)
    for seat in range(state.seats):
        values[seat] = state.score[seat] + outlook(tables, state, seat, later, params)
        if values[seat] > best:
            best, second = values[seat], best
        elif values[seat] > second:
            second = values[seat]
    spread = SPREAD + SPREAD_PER_TURN * later
    for seat in range(state.seats):
        lead = values[seat] - (second if values[seat] == best else best)
        values[seat] = 0.5 + 0.5 * lead / (spread + abs(lead))


@kernel(inner=True)
def outlook(tables: Any, state: Any, seat: int, later: float, params: Any) -> float:
    """Return the points a seat is expected to score until the end: its income now, which goes back to the usual pace.

    A seat whose turn in this round is still to come has one turn more than ``later``.
    """
    if questions.is_over(tables, state):
        return 0.0
    moved = (seat - state.start_seat) % state.seats < (state.turn_seat - state.start_seat) % state.seats
    turns = later + (0.0 if moved else 1.0)
    income = 1.0 * effects.decline_points(tables, state, seat)
    if state.active[seat]:
        income += effects.active_points(tables, state, seat)
    else:
        income += params.estimates[costs.pair_of(tables, state, seat), INCOME]
    return params.pace * turns + decaying_sum(FORETOLD * (income - params.pace), FORETOLD, turns)
