"""Vinci: the automaton, the rulebook's own player ("Solitaire and Two-Player Game", where it is called fictitious).

It looks no further than the turn in hand: its next conquest is the province that earns most now, the cheapest among
equals. Where the rulebook rolls a die, a random number follows from the key and from what is decided, so that another
draw elsewhere leaves it as it is. Points are counted in halves, as ``tables.pair_halves`` holds them.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, count, lowest
from vinci_lab.engine.chance import FIRST_PURPOSE_OF_A_GAME, below, word
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import answers
from vinci_lab.engine.records import add_to_plan
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.heuristics import best_part, contact_halves
from vinci_lab.games.vinci.heuristics_automaton_defence import fort_province, least_valuable, plan_even_defence
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
    A_PEACE,
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
    PEACE,
    PLACE,
    R_CONQUESTS,
    STATE,
    SURVIVORS,
    TURN_START,
)
from vinci_lab.games.vinci.rules_order import drawn_member
from vinci_lab.games.vinci.rules_turn import fort_sites, is_short_of_tokens, peace_candidates

PURPOSE_DECLINE_DIE = FIRST_PURPOSE_OF_A_GAME + 8
PURPOSE_CONQUEST = FIRST_PURPOSE_OF_A_GAME + 9
PURPOSE_PEACE = FIRST_PURPOSE_OF_A_GAME + 10
DIE_SIDES = 6
AT_TURN_START, AT_TURN_END = 0, 1  # when a decline is considered
COST_SCALE = 1024  # more than any cost: value comes before cost


# Conquest ("First Conquest", and the tiles under "Civilizations") ---------------------------------------------------


@kernel
def conquest_halves(tables: Any, state: Any, seat: int, province: int) -> int:
    """Return the half points a conquest brings at the end of this turn ("First Conquest").

    What the province earns the civilization, the point of Slavery for a foreign or neutral token, less what the own
    empire in decline loses by it.
    """
    halves = effects.province_halves(tables, state, seat, province) - contact_halves(tables, state, seat, province)
    if state.tokens[province] > 0 and not contains(state.decline[seat], province):
        halves += 2 * trait(tables, state, seat, at.VP_KILL)
    return halves


@kernel(inner=True)
def preference(tables: Any, state: Any, seat: int, province: int, saved: int) -> int:
    """Return what counts between provinces of equal value and cost, before the die.

    The tokens Espionage saves, if ``automaton_saves_spy`` says so; then, with Heritage, an active foreign province
    beside the own empire in decline (Heritage); then, with ``automaton_attacks_real``, a real player's active province
    ("First Conquest", variant).
    """
    rank = 4 * saved if tables.automaton_saves_spy == 1 else 0
    owner = costs.owner_of(state, province)
    if owner >= 0:
        if trait(tables, state, seat, at.HERITAGE) and tables.bordering[province] & state.decline[seat]:
            rank += 2
        if tables.automaton_attacks_real == 1 and not contains(tables.automata, owner):
            rank += 1
    return rank


@kernel(inner=True)
def price(tables: Any, state: Any, seat: int, province: int, spies: bool) -> tuple[int, int]:
    """Return what a conquest takes now, and what Espionage saves of it (Espionage)."""
    cost = costs.conquest_cost(tables, state, seat, province)
    if spies and cost > tables.spy_cost:
        return tables.spy_cost, cost - tables.spy_cost
    return cost, 0


@kernel(inner=True)
def can_pay_one(tables: Any, state: Any, seat: int, provinces: int) -> bool:
    """Return whether the tokens in hand pay for any of some provinces."""
    spies = costs.can_spy(tables, state, seat)
    while provinces:
        if price(tables, state, seat, lowest(provinces), spies)[0] <= state.hand[seat]:
            return True
        provinces &= provinces - 1
    return False


@kernel
def conquest_candidates(tables: Any, state: Any, seat: int) -> int:
    """Return the provinces that are considered, cost aside.

    All in reach: over the sea with Astronomy, everywhere for the entry of Revolutionaries. A civilization with Ship
    Building first settles at an ocean or large sea, if it can pay for any such entry (Ship Building).
    """
    targets = costs.reachable(tables, state, seat)
    is_settling = state.active[seat] == 0 and state.is_entered[seat] == 0
    if is_settling and trait(tables, state, seat, at.COST_SAME_COAST) != 0:
        large = targets & tables.large_coasts
        return large if can_pay_one(tables, state, seat, large) else targets
    return targets


@kernel
def rulebook_conquest(tables: Any, state: Any, seat: int, key: int, is_forced: bool) -> int:
    """Return the next conquest, or the end of conquests when no province is worth it, paid for, and held.

    The most valuable province, then the cheapest; or, by ``automaton_choice``, the one with the least cost less twice
    its value ("First Conquest"). Further ties see :func:`preference`, then the die. A province that loses points is
    not taken, and none more than the lasting tokens can hold; two options, and a forced entry, lift that.
    """
    best, best_rating, best_rank, best_lot, best_halves = A_END_CONQUEST, -(2**40), 0, 0, -(2**40)
    is_by_formula, spies = tables.automaton_choice == 1, costs.can_spy(tables, state, seat)
    can_hold = costs.can_hold_one_more(state, seat)
    takes_any = is_forced or tables.automaton_takes_losses == 1
    targets = 0
    if can_hold or is_forced or tables.automaton_overruns == 1:
        targets = conquest_candidates(tables, state, seat)
    while targets:
        province = lowest(targets)
        targets &= targets - 1
        halves = conquest_halves(tables, state, seat, province)
        if (halves < 0 and not takes_any) or (halves < best_halves and not is_by_formula):
            continue
        cost, saved = price(tables, state, seat, province, spies)
        if cost > state.hand[seat] or (cost == 0 and tables.zero_cost_must_hold == 1 and not can_hold):
            continue
        rating = halves - cost if is_by_formula else COST_SCALE * halves - cost
        if rating < best_rating:
            continue
        rank = preference(tables, state, seat, province, saved)
        lot = word(key, PURPOSE_CONQUEST, province, state.live[R_CONQUESTS])
        if rating > best_rating or rank > best_rank or (rank == best_rank and lot < best_lot):
            best = (A_SPY if saved > 0 else A_CONQUER) + province
            best_rating, best_rank, best_lot, best_halves = rating, rank, lot, halves
    return best


@kernel(inner=True)
def next_conquest(tables: Any, state: Any, seat: int, key: int) -> int:
    """Return the next conquest, or the end of conquests unless an option forces an entry."""
    action = rulebook_conquest(tables, state, seat, key, False)
    if action == A_END_CONQUEST and tables.must_enter == 1 and state.active[seat] == 0:
        return rulebook_conquest(tables, state, seat, key, True)
    return action


# Decline and peace --------------------------------------------------------------------------------------------------


@kernel
def spare_tokens(tables: Any, state: Any, seat: int) -> int:
    """Return the tokens available for expansion: lasting ones beyond one a province, with those of Medicine to come."""
    spare = costs.lasting_tokens(state, seat) - count(state.active[seat])
    return spare + trait(tables, state, seat, at.TOKENS_TURN_START)


@kernel
def considers_decline(tables: Any, state: Any, seat: int) -> bool:
    """Return whether the die is rolled for a decline: a poor empire with few tokens available ("Decline").

    Field General allows fewer tokens (Field General).
    """
    worth = effects.active_points(tables, state, seat)
    if tables.automaton_worth == 1:
        worth += effects.decline_points(tables, state, seat)
    limit = tables.automaton_decline_tokens
    if trait(tables, state, seat, at.TEMPORARY_TOKENS):
        limit = tables.automaton_general_tokens
    return worth < tables.automaton_decline_points and spare_tokens(tables, state, seat) <= limit


@kernel
def wants_decline(tables: Any, state: Any, seat: int, key: int, moment: int) -> bool:
    """Return whether the empire declines: if considered, when the die shows more than the tokens available."""
    if not considers_decline(tables, state, seat):
        return False
    die = 1 + below(DIE_SIDES, key, PURPOSE_DECLINE_DIE, moment, 0)
    if trait(tables, state, seat, at.TEMPORARY_TOKENS):
        die -= tables.automaton_general_die
    return die > spare_tokens(tables, state, seat)


@kernel(inner=True)
def declines_at_start(tables: Any, state: Any, seat: int, key: int) -> bool:
    """Return whether to decline instead of playing; with Rebirth that is considered at the end of the turn (Rebirth).

    A civilization that has made no conquest yet is played.
    """
    if state.is_entered[seat] == 0 or trait(tables, state, seat, at.REBIRTH):
        return False
    return wants_decline(tables, state, seat, key, AT_TURN_START)


@kernel
def peace_partner(tables: Any, state: Any, seat: int, key: int) -> int:
    """Return whom to make peace with: a real player, drawn if there are several; anybody when none is left.

    Tile "Diplomacy" of the section.
    """
    candidates = peace_candidates(state, seat)
    real = candidates & ~tables.automata
    return drawn_member(real if real else candidates, key, PURPOSE_PEACE, count(state.peace[seat]))


# The question -------------------------------------------------------------------------------------------------------


@answers(questions.follow_rulebook, STATE)
def follow_rulebook(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
    """Write the automaton's next action, or in the placement phases all of them."""
    plan.length = 0
    if view.phase in (PLACE, SURVIVORS):
        plan_even_defence(tables, view, seat, key, plan)
    else:
        add_to_plan(plan, next_action(tables, view, seat, key))
    return plan.length


@kernel(inner=True)
def next_action(tables: Any, state: Any, seat: int, key: int) -> int:
    """Return the automaton's action in the phases that ask for a single one.

    It takes the first pair ("Choosing a Civilization") and never empties a province ("First Conquest"). At a real seat
    cohesion binds it, and it keeps the part with the most points.
    """
    phase = state.phase
    if phase == CONQUEST:
        return next_conquest(tables, state, seat, key)
    if phase == CHOOSE:
        return A_CHOOSE
    if phase == TURN_START:
        return A_DECLINE if declines_at_start(tables, state, seat, key) else A_PLAY_ON
    if phase == PEACE:
        return A_PEACE + peace_partner(tables, state, seat, key)
    if phase == GATHER:
        return A_END_GATHER
    if phase == KEEP:
        return A_KEEP + best_part(tables, state, seat)
    if phase == DROP:
        if not is_short_of_tokens(state):
            return A_END_DROP
        return A_DROP + least_valuable(tables, state, seat, effects.droppable(tables, state, seat), key)
    if phase == FORT:
        return A_FORT + fort_province(tables, state, seat, fort_sites(tables, state, seat), key)
    return A_REBIRTH_YES if wants_decline(tables, state, seat, key, AT_TURN_END) else A_REBIRTH_NO
