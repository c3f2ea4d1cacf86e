"""Vinci: the fast policy behind the greedy agent, and the plans a searching agent chooses from.

The policy takes the best points for their cost now, defends evenly, declines when continuing is expected to earn less
over a horizon, and picks the civilization with the best estimate minus price. It reads modifiers, never tile names, and
every modifier column moves its estimate of a pair.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, count, lowest, member
from vinci_lab.engine.chance import PURPOSE_AGENT, uniform
from vinci_lab.engine.game import Parameter
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import answers
from vinci_lab.engine.records import EVENTS, PLAN, PLAN_CAPACITY, PLANS, add_to_plan, copy_into, policy_layout
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules import abandonable, fort_sites, is_short_of_tokens, peace_candidates
from vinci_lab.games.vinci.rules_effects import trait
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
    FIRST_BONUS,
    FORT,
    GATHER,
    KEEP,
    KINDS,
    LAST_BONUS,
    MOUNTAIN,
    PEACE,
    PLACE,
    STATE,
    SURVIVORS,
    TURN_START,
    VP_WATER_HALVES,
)

PARAMETERS = (
    Parameter("horizon", 4.0, "turns a decline is judged over"),
    Parameter("decline_margin", 0.0, "points by which declining must beat playing on"),
    Parameter("active_decay", 0.7, "share of active points that is left a turn later when playing on"),
    Parameter("old_decay", 0.85, "share of points in decline that is left a turn later"),
    Parameter("denial", 0.25, "weight of points a conquest takes from another seat"),
    Parameter("height", 0.2, "points a mountain is worth as a place to attack from"),
    Parameter("prospect", 0.15, "weight of the neighborhood's points when entering"),
    Parameter("guard", 0.5, "tokens of defence less for each point a province earns"),
    Parameter("noise", 0.0, "random part of a conquest's rating, for variety"),
    Parameter("pace", 11.0, "points a turn expected before a seat has scored"),
    Parameter("defenders", 0.9, "tokens expected in a province to be conquered"),
    Parameter("focus", 1.7, "how far a civilization finds the provinces it has a bonus for"),
    Parameter("turns_active", 2.5, "turns a new civilization is expected to be active"),
    Parameter("turns_decline", 3.0, "turns it is then expected to score in decline"),
    Parameter("late_tokens", 0.5, "share of a token gained during play that counts like one from the start"),
    Parameter("temporary_value", 0.35, "share of a temporary token that counts like a lasting one"),
    Parameter("kill_share", 0.8, "kills expected for each province conquered"),
    Parameter("defence_value", 2.0, "points of a defence of 1"),
    Parameter("fort_value", 2.5, "points of a fort a turn"),
    Parameter("peace_value", 2.0, "points of a peace partner"),
    Parameter("conversion_value", 4.0, "points of a conversion a turn"),
    Parameter("expansion_value", 8.0, "points of a second expansion a turn"),
    Parameter("astronomy_value", 3.0, "points of Astronomy"),
    Parameter("messages_value", 1.0, "points of ignoring cohesion"),
    Parameter("heritage_value", 4.0, "points of ignoring contact"),
    Parameter("rebirth_value", 4.0, "points of a decline without a lost turn"),
    Parameter("revolutionaries_value", 3.0, "points of entering anywhere"),
    Parameter("nomads_value", 4.0, "points of losing no tokens"),
    Parameter("warships_value", 2.0, "points of losing no tokens in rivers"),
    Parameter("philosophy_value", 5.0, "points of a declining empire that keeps its tokens"),
    Parameter("hordes_value", 3.0, "points of taking tokens back off the board"),
)
POLICY = policy_layout("vinci", [parameter.name for parameter in PARAMETERS])


# What a pair of tiles is worth --------------------------------------------------------------------------------------


@kernel(inner=True)
def found(tables: Any, provinces: int, params: Any) -> float:
    """Return how many provinces of the map count for a civilization that looks for those of a set."""
    return min(1.0 * tables.provinces, params.focus * count(provinces))


@kernel(inner=True)
def province_price(tables: Any, pair: int, params: Any) -> float:
    """Return the tokens a civilization is expected to spend on a province: an average over the map."""
    row, terrain = tables.pairs[pair], tables.terrain_set
    total = 1.0 * tables.cost_sum + row[at.COST_WATER] * count(tables.water)
    total += 0.6 * row[at.COST_SAME_COAST] * count(tables.coastal)
    total += row[at.COST_OPEN] * count(terrain[at.NORMAL] | terrain[at.FARMLAND] | terrain[at.PASTURE])
    total += row[at.COST_MOUNTAIN] * found(tables, terrain[MOUNTAIN], params)
    total += row[at.COST_DESERT] * (1.0 + found(tables, terrain[at.DESERT], params))
    total += row[at.COST_RIVER] * (1.0 + found(tables, terrain[at.RIVER], params))
    return max(0.7, params.defenders + row[at.COST_ANY] + total / tables.provinces)


@kernel(inner=True)
def expected_tokens(tables: Any, pair: int, params: Any) -> float:
    """Return the tokens a civilization is expected to have for conquest, those of later turns at a discount."""
    row = tables.pairs[pair]
    tokens = 1.0 * row[at.TOKENS] + tables.token_bonus
    tokens += row[at.TEMPORARY_TOKENS] * params.temporary_value
    tokens += row[at.TOKENS_TURN_START] * (1.0 + params.late_tokens)
    tokens += row[at.TOKENS_REORGANIZATION] * 2.0 * params.late_tokens
    tokens += row[at.TOKENS_PER_TWO_DEFEATED] * 2.0 * params.late_tokens
    tokens += row[at.ESPIONAGE] * (1.0 + params.defenders)
    return tokens


@kernel(inner=True)
def province_yield(tables: Any, pair: int, params: Any) -> float:
    """Return the points an active province of a civilization is expected to earn a turn: an average over the map."""
    row, total = tables.pairs[pair], 1.0 * tables.points_sum
    for column in range(FIRST_BONUS, LAST_BONUS + 1):
        if row[column]:
            weight = 0.5 if column == VP_WATER_HALVES else 1.0
            total += weight * row[column] * (1.0 + found(tables, tables.matching[column], params))
    return total / tables.provinces


@kernel(inner=True)
def old_yield(tables: Any, pair: int, params: Any) -> float:
    """Return the points a province is expected to earn a turn once the civilization is in decline."""
    total = 1.0 * tables.points_sum
    for kind in (pair // KINDS, pair % KINDS):
        if tables.tiles[kind, at.LASTS_IN_DECLINE]:
            for column in range(FIRST_BONUS, LAST_BONUS + 1):
                total += tables.tiles[kind, column] * found(tables, tables.matching[column], params)
    return total / tables.provinces


@kernel(inner=True)
def expected_size(tables: Any, pair: int, params: Any) -> float:
    """Return the provinces a civilization is expected to hold, never more than a third of the map."""
    tokens = expected_tokens(tables, pair, params)
    return min(tokens / province_price(tables, pair, params), tables.provinces / 3.0)


@kernel(inner=True)
def special_worth(tables: Any, pair: int, turns: float, params: Any) -> float:
    """Return the points of effects that are not tokens, costs or provinces' points, for a number of turns."""
    row = tables.pairs[pair]
    by_turn = row[at.FORTS_CHOSEN] * params.fort_value + row[at.FORTS_AUTOMATIC] * params.defence_value
    by_turn += row[at.CONVERSIONS] * params.conversion_value + row[at.EXPANSIONS] * params.expansion_value
    by_turn += row[at.DEFENCE] * params.defence_value + row[at.PEACE_PARTNERS] * params.peace_value
    by_turn += row[at.MESSAGES] * params.messages_value + row[at.ASTRONOMY] * params.astronomy_value
    by_turn += row[at.HERITAGE] * params.heritage_value + row[at.REVOLUTIONARIES] * params.revolutionaries_value
    by_turn += row[at.NOMADS] * params.nomads_value + row[at.WARSHIPS] * params.warships_value
    by_turn += row[at.PHILOSOPHY] * params.philosophy_value + row[at.HORDES] * params.hordes_value
    by_turn += row[at.REBIRTH] * params.rebirth_value
    return by_turn * turns / params.turns_active


@kernel
def pair_worth(tables: Any, pair: int, turns_left: float, params: Any) -> float:
    """Return the points a pair of tile kinds is expected to earn in the turns left, its price aside.

    Parameters
    ----------
    pair : int
        Row of ``tables.pairs``.
    turns_left : float
        Turns the seat is expected to play after the choice.
    """
    active = min(params.turns_active, turns_left)
    old = min(params.turns_decline, turns_left - active)
    size = expected_size(tables, pair, params)
    kills = tables.pairs[pair, at.VP_KILL] * params.kill_share * size * min(1.5, active)
    worth = active * size * province_yield(tables, pair, params) + kills
    worth += old * size * params.old_decay * old_yield(tables, pair, params)
    return worth + special_worth(tables, pair, active, params)


@kernel(inner=True)
def turns_left(tables: Any, state: Any, params: Any) -> float:
    """Return how many turns a seat is expected to have after this one: until the leader is at the threshold."""
    if state.is_last_round:
        return 0.0
    if tables.rounds_limit > 0:
        return 1.0 * (tables.rounds_limit - state.round_number)
    best, fastest = 0, 1.0
    for seat in range(state.seats):
        if state.score[seat] > best:
            best = state.score[seat]
        played = state.turns_taken[seat]
        fastest = max(fastest, state.earned[seat] / played if played > 1 else params.pace)
    return max(0.0, (tables.victory_threshold - best) / fastest)


@kernel(inner=True)
def pair_on_tray(tables: Any, state: Any, slot: int) -> int:
    """Return the row of ``tables.pairs`` for a slot of the tray."""
    return tables.kind_of[state.tray[slot, 0]] * KINDS + tables.kind_of[state.tray[slot, 1]]


@kernel(inner=True)
def best_slot(tables: Any, state: Any, seat: int, params: Any) -> tuple[int, float]:
    """Return the affordable slot with the best worth after price and coins, and that net worth."""
    best, best_worth = 0, -1.0e9
    later = turns_left(tables, state, params)
    for slot in range(effects.pairs_on_tray(state)):
        if slot > 0 and not effects.can_afford(tables, state, seat, slot):
            continue
        worth = pair_worth(tables, pair_on_tray(tables, state, slot), later, params)
        worth += state.coins[slot] * tables.coin_value - effects.price_of(tables, slot)
        if worth > best_worth:
            best, best_worth = slot, worth
    return best, best_worth


# Playing on, or declining -------------------------------------------------------------------------------------------


@kernel(inner=True)
def decaying_sum(value: float, decay: float, turns: float) -> float:
    """Return ``value * (1 + decay + decay**2 + ...)`` over a number of turns."""
    total, whole = 0.0, int(turns)
    for _ in range(whole):
        total += value
        value *= decay
    return total + value * (turns - whole)


@kernel(inner=True)
def spare_tokens(tables: Any, state: Any, seat: int) -> int:
    """Return the tokens the seat would have in hand after gathering."""
    spare = effects.lasting_tokens(state, seat) - count(state.active[seat])
    return spare + trait(tables, state, seat, at.TOKENS_TURN_START) + trait(tables, state, seat, at.TEMPORARY_TOKENS)


@kernel(inner=True)
def points_after_decline(tables: Any, state: Any, seat: int) -> int:
    """Return what the active empire would score as an empire in decline."""
    own = state.active[seat]
    points = effects.base_points(tables, own)
    for place in range(2):
        copy = state.tile[seat, place]
        if copy >= 0 and tables.tiles[tables.kind_of[copy], at.LASTS_IN_DECLINE]:
            for column in range(FIRST_BONUS, LAST_BONUS + 1):
                points += effects.bonus_points(tables, own, column, tables.tiles[tables.kind_of[copy], column])
    return points


@kernel
def decline_advantage(tables: Any, state: Any, seat: int, is_rebirth: bool, params: Any) -> float:
    """Return the points that declining now is expected to earn more than playing on, over the horizon."""
    turns = min(params.horizon, turns_left(tables, state, params))
    active, old = effects.active_points(tables, state, seat), effects.decline_points(tables, state, seat)
    pair = effects.pair_of(tables, state, seat)
    growth = spare_tokens(tables, state, seat) / province_price(tables, pair, params)
    growth *= province_yield(tables, pair, params)
    kept = points_after_decline(tables, state, seat)
    slot, _ = best_slot(tables, state, seat, params)
    following = pair_on_tray(tables, state, slot)
    fresh = expected_size(tables, following, params) * province_yield(tables, following, params)
    change = state.coins[slot] * tables.coin_value - effects.price_of(tables, slot)
    staying = decaying_sum(params.active_decay * active + growth, params.active_decay, turns)
    staying += decaying_sum(params.old_decay * old, params.old_decay, turns)
    leaving = decaying_sum(fresh, params.active_decay, turns) + change
    leaving += decaying_sum(params.old_decay * kept, params.old_decay, turns)
    if not is_rebirth:
        staying += active + growth + old
        leaving += kept
    return leaving - staying - params.decline_margin


# Conquest -----------------------------------------------------------------------------------------------------------


@kernel(inner=True)
def province_value(tables: Any, state: Any, seat: int, province: int) -> float:
    """Return the points a province would earn the seat's active civilization a turn."""
    return 0.5 * effects.province_halves(tables, state, seat, province)


@kernel(inner=True)
def contact_loss(tables: Any, state: Any, seat: int, province: int) -> float:
    """Return the points in decline that conquering a province would cost the seat."""
    lost = state.decline[seat] & (member(province) | tables.bordering[province])
    if lost == 0:
        return 0.0
    if trait(tables, state, seat, at.HERITAGE):
        lost &= member(province)
    halves = 0
    while lost:
        halves += effects.old_province_halves(tables, state, seat, lowest(lost))
        lost &= lost - 1
    return 0.5 * halves


@kernel(inner=True)
def conquest_gain(tables: Any, state: Any, seat: int, province: int, params: Any) -> float:
    """Return what a conquest is worth: own points, kills, points taken from others, height, less contact."""
    gain = province_value(tables, state, seat, province) - contact_loss(tables, state, seat, province)
    if state.tokens[province] > 0:
        owner = effects.owner_of(state, province)
        if owner >= 0:
            gain += params.denial * province_value(tables, state, owner, province)
        elif not contains(state.neutral, province) and not contains(state.decline[seat], province):
            gain += params.denial * tables.base_points[tables.terrain[province]]
        if not contains(state.decline[seat], province):
            gain += trait(tables, state, seat, at.VP_KILL)
    if tables.terrain[province] == MOUNTAIN:
        gain += params.height
    return gain


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
def next_conquest(tables: Any, state: Any, seat: int, params: Any, key: int) -> int:
    """Return the conquest with the best gain for its cost, or the end of conquests."""
    best, best_rating = A_END_CONQUEST, 0.0
    may_hold = effects.can_hold_one_more(state, seat) or trait(tables, state, seat, at.VP_KILL) > 0
    spies = effects.can_spy(tables, state, seat)
    targets = effects.reachable(tables, state, seat) if may_hold else 0
    while targets:
        province = lowest(targets)
        targets &= targets - 1
        cost = effects.conquest_cost(tables, state, seat, province)
        action = A_CONQUER + province
        if spies and cost > tables.spy_cost:
            cost, action = tables.spy_cost, A_SPY + province
        if cost > state.hand[seat]:
            continue
        if cost == 0 and not effects.can_conquer(tables, state, seat, province):
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
    targets = effects.reachable(tables, state, seat)
    while targets:
        province = lowest(targets)
        targets &= targets - 1
        cost = effects.conquest_cost(tables, state, seat, province)
        if cost < best_cost and effects.can_conquer(tables, state, seat, province):
            best, best_cost = A_CONQUER + province, cost
        elif best_cost > tables.spy_cost and effects.can_spy(tables, state, seat):
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

    The last province in order takes the rest in one action, as the rules place it without asking. ``view`` is used up:
    its ``entries`` count the tokens planned for each province.
    """
    sites = view.active[seat] & ~((1 << view.cursor) - 1)
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
    if view.phase == PLACE or view.phase == SURVIVORS:
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
        return next_conquest(tables, state, seat, params, key)
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


@answers(questions.propose_plans, STATE)
def propose_plans(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plans: Any) -> int:
    """Write plans for the rest of the turn: the policy's own, and variations of its first step and its conquests.

    A plan's value is the points of the turn plus, where a pair is chosen, its estimated worth.
    """
    plans.length = 0
    events, plan, varied, seen = np.zeros(1, EVENTS), np.zeros(1, PLAN), np.zeros(1, POLICY), np.zeros(1, STATE)
    copy_into(params, varied[0])
    for number in range(PLANS):
        varied[0].noise = params.noise if number == 0 else 0.25 * number
        copy_into(view, scratch)
        steps = 0
        while (
            steps < PLAN_CAPACITY and scratch.turn == view.turn and questions.deciders(tables, scratch) == member(seat)
        ):
            plan[0].length = 0
            forced = first_variation(tables, scratch, seat, number, steps)
            if forced >= 0:
                add_to_plan(plan[0], forced)
            else:
                copy_into(scratch, seen[0])
                questions.suggest(tables, seen[0], scratch, seat, varied[0], key + number, plan[0])
            for step in range(min(plan[0].length, PLAN_CAPACITY - steps)):
                plans.actions[number, steps] = plan[0].actions[step]
                questions.apply_action(tables, scratch, seat, plan[0].actions[step], events[0])
                steps += 1
        plans.lengths[number] = steps
        plans.values[number] = scratch.score[seat] - view.score[seat] + tray_worth(tables, scratch, seat, params)
        plans.length += 1
    sort_plans(plans)
    return plans.length


@kernel(inner=True)
def first_variation(tables: Any, state: Any, seat: int, number: int, steps: int) -> int:
    """Return the action a numbered plan starts with instead of the policy's, or -1."""
    if steps > 0 or number == 0:
        return -1
    if state.phase == CHOOSE:
        slot = number % effects.pairs_on_tray(state)
        return A_CHOOSE + slot if slot == 0 or effects.can_afford(tables, state, seat, slot) else A_CHOOSE
    if state.phase == TURN_START and number < 8:
        return A_DECLINE if number % 2 == 1 else A_PLAY_ON
    return -1


@kernel(inner=True)
def tray_worth(tables: Any, state: Any, seat: int, params: Any) -> float:
    """Return the estimated worth of a civilization that has been chosen and has not entered, else 0."""
    if state.tile[seat, 0] < 0 or state.is_entered[seat]:
        return 0.0
    return pair_worth(tables, effects.pair_of(tables, state, seat), turns_left(tables, state, params), params)


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
