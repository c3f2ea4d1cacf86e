"""Vinci: the fast policy behind the greedy agent.

The policy takes the best points for their cost now, defends evenly, declines when continuing is expected to earn less
over a horizon, and picks the civilization with the best estimate minus price (``heuristics_worth``).
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, count, first, lowest, member
from vinci_lab.engine.chance import PURPOSE_AGENT, uniform
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import answers
from vinci_lab.engine.records import add_to_plan
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.heuristics_worth import best_slot, decline_advantage
from vinci_lab.games.vinci.rules_cost import trait
from vinci_lab.games.vinci.rules_layout import (
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
    A_PEACE,
    A_PLACE,
    A_PLAY_ON,
    A_REBIRTH_NO,
    A_REBIRTH_YES,
    A_SPY,
    CHOOSE,
    CONQUEST,
    DROP,
    FORT,
    GATHER,
    KEEP,
    MOUNTAIN,
    PEACE,
    PLACE,
    STATE,
    SURVIVORS,
    TURN_START,
)
from vinci_lab.games.vinci.rules_turn import (
    abandonable,
    fort_sites,
    is_short_of_tokens,
    peace_candidates,
)

# Conquest -----------------------------------------------------------------------------------------------------------


@kernel(inner=True)
def province_value(tables: Any, state: Any, seat: int, province: int) -> float:
    """Return the points a province would earn the seat's active civilization a turn."""
    return 0.5 * effects.province_halves(tables, state, seat, province)


@kernel(inner=True)
def contact_halves(tables: Any, state: Any, seat: int, province: int) -> int:
    """Return the half points in decline that conquering a province would cost the seat."""
    lost = state.decline[seat] & (member(province) | tables.bordering[province])
    if lost == 0:
        return 0
    if trait(tables, state, seat, at.HERITAGE):
        lost &= member(province)
    halves = 0
    while lost:
        halves += effects.old_province_halves(tables, state, seat, lowest(lost))
        lost &= lost - 1
    return halves


@kernel(inner=True)
def conquest_gain(tables: Any, state: Any, seat: int, province: int, params: Any) -> float:
    """Return what a conquest is worth: own points, kills, points taken from others, height, less contact."""
    gain = province_value(tables, state, seat, province) - 0.5 * contact_halves(tables, state, seat, province)
    if state.tokens[province] > 0:
        owner = costs.owner_of(state, province)
        if owner >= 0:
            weight = params.denial
            if params.leader != 0.0 and is_leading(state, owner):
                weight += params.leader
            gain += weight * province_value(tables, state, owner, province)
        elif not contains(state.neutral, province) and not contains(state.decline[seat], province):
            gain += params.denial * tables.base_points[tables.terrain[province]]
        if not contains(state.decline[seat], province):
            gain += trait(tables, state, seat, at.VP_KILL)
    if tables.terrain[province] == MOUNTAIN:
        gain += params.height
    if params.exposure != 0.0:
        gain -= params.exposure * count(tables.bordering[province] & active_of_others(state, seat))
    return gain


@kernel(inner=True)
def is_leading(state: Any, seat: int) -> bool:
    """Return whether no seat has more points."""
    best = state.score[seat]
    for other in range(state.seats):
        best = max(best, state.score[other])
    return state.score[seat] == best


@kernel(inner=True)
def active_of_others(state: Any, seat: int) -> int:
    """Return the provinces of all other active empires."""
    provinces = 0
    for other in range(state.seats):
        if other != seat:
            provinces |= state.active[other]
    return provinces


@kernel(inner=True)
def neighborhood(tables: Any, state: Any, seat: int, province: int) -> float:
    """Return the points of the provinces bordering one, as far as they are not the seat's."""
    total = 0.0
    rest = tables.bordering[province] & ~state.active[seat]
    while rest:
        total += province_value(tables, state, seat, lowest(rest))
        rest &= rest - 1
    return total


@kernel
def next_conquest(tables: Any, state: Any, seat: int, params: Any, key: int, excluded: int) -> int:
    """Return the conquest with the best gain for its cost outside a set of provinces, or the end of conquests."""
    best, best_rating = A_END_CONQUEST, 0.0
    may_hold = costs.can_hold_one_more(state, seat) or trait(tables, state, seat, at.VP_KILL) > 0
    spies = costs.can_spy(tables, state, seat)
    targets = costs.reachable(tables, state, seat) & ~excluded if may_hold else 0
    while targets:
        province = lowest(targets)
        targets &= targets - 1
        cost = costs.conquest_cost(tables, state, seat, province)
        action = A_CONQUER + province
        if spies and cost > tables.spy_cost:
            cost, action = tables.spy_cost, A_SPY + province
        if cost > state.hand[seat]:
            continue
        if cost == 0 and not costs.can_conquer(tables, state, seat, province):
            continue
        gain = conquest_gain(tables, state, seat, province, params)
        if state.active[seat] == 0:
            gain += params.prospect * neighborhood(tables, state, seat, province)
        rating = gain / max(0.5, 1.0 * cost)
        if params.noise > 0.0:
            rating *= 1.0 + params.noise * uniform(key, PURPOSE_AGENT, province, state.hand[seat])
        if rating > best_rating or (rating == best_rating > 0.0 and uniform(key, PURPOSE_AGENT, province, 0) < 0.5):
            best, best_rating = action, rating
    if best == A_END_CONQUEST and tables.must_enter == 1 and state.active[seat] == 0:
        return cheapest_entry(tables, state, seat)
    return best


@kernel(inner=True)
def cheapest_entry(tables: Any, state: Any, seat: int) -> int:
    """Return the cheapest affordable conquest, for the option that forces an empire to enter."""
    best, best_cost = A_END_CONQUEST, 2**30
    targets = costs.reachable(tables, state, seat)
    while targets:
        province = lowest(targets)
        targets &= targets - 1
        cost = costs.conquest_cost(tables, state, seat, province)
        if cost < best_cost and costs.can_conquer(tables, state, seat, province):
            best, best_cost = A_CONQUER + province, cost
        elif best_cost > tables.spy_cost and costs.can_spy(tables, state, seat):
            best, best_cost = A_SPY + province, tables.spy_cost
    return best


# Keeping, giving up, placing ----------------------------------------------------------------------------------------


@kernel(inner=True)
def best_part(tables: Any, state: Any, seat: int) -> int:
    """Return the part of a broken empire with the most points, more provinces among equals."""
    choices = effects.parts_to_keep(tables, state, seat)
    best, best_value = lowest(choices), -1.0
    while choices:
        head = lowest(choices)
        choices &= choices - 1
        part = effects.part_of(tables, state, seat, head, state.active[seat])
        value = 0.01 * count(part)
        while part:
            value += province_value(tables, state, seat, lowest(part))
            part &= part - 1
        if value > best_value:
            best, best_value = head, value
    return best


@kernel(inner=True)
def least_of(tables: Any, state: Any, seat: int, provinces: int) -> int:
    """Return the province with the fewest points, the cheapest to take among equals."""
    best, best_value = lowest(provinces), 1.0e9
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        value = province_value(tables, state, seat, province)
        value += 0.01 * tables.base_cost[tables.terrain[province]]
        if value < best_value:
            best, best_value = province, value
    return best


@kernel(inner=True)
def plan_placement(tables: Any, view: Any, seat: int, params: Any, plan: Any) -> None:
    """Spread the tokens in hand so that the weakest exposed province is as dear to take as possible.

    ``view`` is used up: its ``entries`` count the tokens planned for each province.
    """
    sites = view.active[seat] & ~first(view.cursor)
    exposed = 0
    rest = sites
    while rest:
        province = lowest(rest)
        rest &= rest - 1
        view.entries[province] = 0
        if tables.bordering[province] & ~view.active[seat]:
            exposed |= member(province)
    field = exposed if exposed else sites
    for _ in range(view.hand[seat]):
        province = weakest(tables, view, seat, field, params)
        view.entries[province] += 1
        view.tokens[province] += 1
    write_placements(view, sites, plan)


@kernel(inner=True)
def write_placements(view: Any, sites: int, plan: Any) -> None:
    """Write the placements counted in ``view.entries`` in the order the rules ask for.

    The last province in order takes the rest in one action, as the rules place it without asking.
    """
    while sites:
        province = lowest(sites)
        sites &= sites - 1
        repeats = view.entries[province] if sites else min(1, view.entries[province])
        for _ in range(repeats):
            add_to_plan(plan, A_PLACE + province)


@kernel(inner=True)
def weakest(tables: Any, view: Any, seat: int, field: int, params: Any) -> int:
    """Return the province of a set that would be cheapest to take, a point of income counting like fewer tokens."""
    best, best_strength = -1, 0.0
    while field:
        province = lowest(field)
        field &= field - 1
        strength = 1.0 * tables.base_cost[tables.terrain[province]] + view.tokens[province]
        if contains(view.forts, province):
            strength += tables.fort_defence
        strength -= params.guard * province_value(tables, view, seat, province)
        if best < 0 or strength < best_strength:
            best, best_strength = province, strength
    return best


@kernel(inner=True)
def most_exposed(tables: Any, state: Any, seat: int, provinces: int) -> int:
    """Return the province with the most borders to provinces that are not the seat's."""
    best, best_borders = lowest(provinces), -1
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        borders = count(tables.bordering[province] & ~state.active[seat])
        if borders > best_borders:
            best, best_borders = province, borders
    return best


@kernel(inner=True)
def most_dangerous(tables: Any, state: Any, seat: int) -> int:
    """Return the possible peace partner with the most provinces beside the seat's, the higher score among equals."""
    beside = 0
    rest = state.active[seat]
    while rest:
        beside |= tables.bordering[lowest(rest)]
        rest &= rest - 1
    candidates = peace_candidates(state, seat)
    best, best_danger = lowest(candidates), -1.0e9
    while candidates:
        other = lowest(candidates)
        candidates &= candidates - 1
        danger = count(state.active[other] & beside) + 0.001 * state.score[other]
        if danger > best_danger:
            best, best_danger = other, danger
    return best


# The questions ------------------------------------------------------------------------------------------------------


@answers(questions.suggest, STATE)
def suggest(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
    """Write the policy's next action, or in the placement phases all of them; nothing is abandoned on purpose."""
    plan.length = 0
    if view.phase in (PLACE, SURVIVORS):
        plan_placement(tables, view, seat, params, plan)
        return plan.length
    action = next_action(tables, view, seat, params, key)
    add_to_plan(plan, action)
    if action == A_PLAY_ON and abandonable(tables, view, seat) and not trait(tables, view, seat, at.PEACE_PARTNERS):
        add_to_plan(plan, A_END_GATHER)
    return plan.length


@kernel(inner=True)
def next_action(tables: Any, state: Any, seat: int, params: Any, key: int) -> int:
    """Return the policy's action in the phases that ask for a single one."""
    phase = state.phase
    if phase == CONQUEST:
        return next_conquest(tables, state, seat, params, key, 0)
    if phase == CHOOSE:
        return A_CHOOSE + best_slot(tables, state, seat, params)[0]
    if phase == TURN_START:
        return A_DECLINE if decline_advantage(tables, state, seat, False, params) > 0.0 else A_PLAY_ON
    if phase == PEACE:
        return A_PEACE + most_dangerous(tables, state, seat)
    if phase == GATHER:
        return A_END_GATHER
    if phase == KEEP:
        return A_KEEP + best_part(tables, state, seat)
    if phase == DROP:
        if not is_short_of_tokens(state):
            return A_END_DROP
        return A_DROP + least_of(tables, state, seat, effects.droppable(tables, state, seat))
    if phase == FORT:
        sites = fort_sites(tables, state, seat)
        return A_FORT + most_exposed(tables, state, seat, sites) if sites else A_NO_FORT
    return A_REBIRTH_YES if decline_advantage(tables, state, seat, True, params) > 0.0 else A_REBIRTH_NO
