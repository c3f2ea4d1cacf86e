"""Vinci: what a pair of tiles is worth to the fast policy, and whether to decline.

Everything is read from modifiers, never from tile names, and every modifier column moves the estimate of a pair.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import count
from vinci_lab.engine.game import Parameter
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import answers
from vinci_lab.engine.records import policy_layout
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_cost import trait
from vinci_lab.games.vinci.rules_layout import (
    FIRST_BONUS,
    KINDS,
    LAST_BONUS,
    MOUNTAIN,
    NO_PAIR,
    STATE,
    VP_WATER_HALVES,
)

PARAMETERS = (
    Parameter("horizon", 4.0, "turns a decline is judged over"),
    Parameter("decline_margin", 0.0, "points by which declining must beat playing on"),
    Parameter("active_decay", 0.7, "share of active points that is left a turn later when playing on"),
    Parameter("old_decay", 0.85, "share of points in decline that is left a turn later"),
    Parameter("growth", 1.0, "weight of the provinces that spare tokens would still take, when playing on"),
    Parameter("fresh_special", 0.0, "weight of kills and special effects of the next civilization, when declining"),
    Parameter("denial", 0.25, "weight of points a conquest takes from another seat"),
    Parameter("leader", 0.0, "further weight of points a conquest takes from the seat that leads"),
    Parameter("exposure", 0.0, "points less for each active province of others beside a conquest"),
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
AVERAGE_PAIR = NO_PAIR + 1  # the row of a civilization that is not known yet
ESTIMATES = (AVERAGE_PAIR + 1, 5)  # by civilization: the columns below
INCOME, OLD_INCOME, KILLS, SPECIAL, TOKEN_YIELD = range(ESTIMATES[1])
POLICY = policy_layout("vinci", [parameter.name for parameter in PARAMETERS], ESTIMATES)


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
                weight = 0.5 if column == VP_WATER_HALVES else 1.0
                total += weight * tables.tiles[kind, column] * found(tables, tables.matching[column], params)
    return total / tables.provinces


@kernel(inner=True)
def expected_size(tables: Any, pair: int, params: Any) -> float:
    """Return the provinces a civilization is expected to hold, never more than a third of the map."""
    tokens = expected_tokens(tables, pair, params)
    return min(tokens / province_price(tables, pair, params), tables.provinces / 3.0)


@kernel(inner=True)
def special_worth(tables: Any, pair: int, params: Any) -> float:
    """Return the points, over its whole active life, of effects that are not tokens, costs or provinces' points."""
    row = tables.pairs[pair]
    points = row[at.FORTS_CHOSEN] * params.fort_value + row[at.FORTS_AUTOMATIC] * params.defence_value
    points += row[at.CONVERSIONS] * params.conversion_value + row[at.EXPANSIONS] * params.expansion_value
    points += row[at.DEFENCE] * params.defence_value + row[at.PEACE_PARTNERS] * params.peace_value
    points += row[at.MESSAGES] * params.messages_value + row[at.ASTRONOMY] * params.astronomy_value
    points += row[at.HERITAGE] * params.heritage_value + row[at.REVOLUTIONARIES] * params.revolutionaries_value
    points += row[at.NOMADS] * params.nomads_value + row[at.WARSHIPS] * params.warships_value
    points += row[at.PHILOSOPHY] * params.philosophy_value + row[at.HORDES] * params.hordes_value
    return points + row[at.REBIRTH] * params.rebirth_value


@answers(questions.prepare_policy, STATE)
def prepare_policy(tables: Any, view: Any, params: Any) -> None:
    """Estimate every civilization that two kinds of tiles can make."""
    for first in range(tables.kinds):
        for second in range(tables.kinds):
            pair = first * KINDS + second
            row, size = params.estimates[pair], expected_size(tables, pair, params)
            points = province_yield(tables, pair, params)
            row[INCOME] = size * points
            row[TOKEN_YIELD] = points / province_price(tables, pair, params)
            row[OLD_INCOME] = size * params.old_decay * old_yield(tables, pair, params)
            row[KILLS] = size * params.kill_share * tables.pairs[pair, at.VP_KILL]
            row[SPECIAL] = special_worth(tables, pair, params) / params.turns_active
    average_pair(tables, params)


@kernel(inner=True)
def average_pair(tables: Any, params: Any) -> None:
    """Write the mean of all civilizations by how likely two tiles of the full bag are to make them."""
    average, total = params.estimates[AVERAGE_PAIR], 0
    average[:] = 0.0
    for first in range(tables.copies):
        for second in range(tables.copies):
            if first != second:
                row = params.estimates[tables.kind_of[first] * KINDS + tables.kind_of[second]]
                for column in range(TOKEN_YIELD + 1):
                    average[column] += row[column]
                total += 1
    for column in range(TOKEN_YIELD + 1):
        average[column] /= max(1, total)


@kernel
def pair_worth(pair: int, turns_left: float, params: Any) -> float:
    """Return the points a civilization is expected to earn in the turns left, its price aside.

    Parameters
    ----------
    pair : int
        Row of ``tables.pairs``.
    turns_left : float
        Turns the seat is expected to play after the choice.
    params : record
        A prepared policy.
    """
    row = params.estimates[pair]
    active = min(params.turns_active, turns_left)
    old = min(params.turns_decline, turns_left - active)
    return active * (row[INCOME] + row[SPECIAL]) + old * row[OLD_INCOME] + min(1.5, active) * row[KILLS]


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
        worth = pair_worth(pair_on_tray(tables, state, slot), later, params)
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
    spare = costs.lasting_tokens(state, seat) - count(state.active[seat])
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
    pair = costs.pair_of(tables, state, seat)
    growth = params.growth * (spare_tokens(tables, state, seat) * params.estimates[pair, TOKEN_YIELD])
    kept = points_after_decline(tables, state, seat)
    slot, _ = best_slot(tables, state, seat, params)
    following = pair_on_tray(tables, state, slot) if effects.pairs_on_tray(state) else AVERAGE_PAIR
    row = params.estimates[following]
    fresh = row[INCOME] + params.fresh_special * (row[KILLS] + row[SPECIAL])
    change = state.coins[slot] * tables.coin_value - effects.price_of(tables, slot)
    staying = decaying_sum(params.active_decay * active + growth, params.active_decay, turns)
    staying += decaying_sum(params.old_decay * old, params.old_decay, turns)
    leaving = decaying_sum(fresh, params.active_decay, turns) + change
    leaving += decaying_sum(params.old_decay * kept, params.old_decay, turns)
    if not is_rebirth:
        staying += active + growth + old
        leaving += kept
    return leaving - staying - params.decline_margin
