"""Vinci, tabletop edition: the sequence of phases, and the answers to the questions every game answers.

A turn is a run of phases (``rules_layout.PHASE_NAMES``). ``apply_action`` walks from phase to phase until somebody has
a real choice, chance must speak, or the game is over. ``rules_turn`` holds what happens in a phase, ``rules_cost`` and
``rules_effects`` costs, effects and points.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, count, first, lowest, member
from vinci_lab.engine.chance import FIRST_PURPOSE_OF_A_GAME, PURPOSE_DETERMINIZE, below, word
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE, answers
from vinci_lab.engine.records import copy_into, emit
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_cost import (
    trait,
)
from vinci_lab.games.vinci.rules_layout import (
    A_ABANDON,
    A_CHOOSE,
    A_CONQUER,
    A_DECLINE,
    A_DRAW,
    A_DROP,
    A_END_CONQUEST,
    A_END_DROP,
    A_END_GATHER,
    A_FORT,
    A_KEEP,
    A_NO_FORT,
    A_NO_PEACE,
    A_PEACE,
    A_PLACE,
    A_PLAY_ON,
    A_REBIRTH_NO,
    A_REBIRTH_YES,
    A_SPY,
    A_START,
    CHOOSE,
    CONQUEST,
    DRAW,
    DROP,
    FORT,
    GATHER,
    KEEP,
    NEXT_SEAT,
    OVER,
    PEACE,
    PLACE,
    REBIRTH_CHOICE,
    REBIRTH_TURN,
    START_SEAT,
    STATE,
    SURVIVORS,
    TURN_START,
)
from vinci_lab.games.vinci.rules_order import drawn_member, start_score, start_the_play, undrawn_seats
from vinci_lab.games.vinci.rules_turn import (
    abandon,
    abandonable,
    choose_pair,
    clear_state,
    decline_turn,
    dismiss,
    draw_tile,
    end_conquest,
    finish_drawing,
    fort_sites,
    gather,
    give_up,
    is_short_of_tokens,
    keep_part,
    may_decline,
    may_fall,
    may_give_up_more,
    may_stop_conquest,
    name_partner,
    next_gap,
    next_seat,
    next_with_survivors,
    offer_pairs,
    peace_candidates,
    place_tokens,
    placeable,
    play_on,
    score_turn,
    start_placing,
    weakest_province,
    winners,
)

PURPOSE_START_SEAT = FIRST_PURPOSE_OF_A_GAME + 1
PURPOSE_TURN_ORDER = FIRST_PURPOSE_OF_A_GAME + 2


# From phase to phase ------------------------------------------------------------------------------------------------


@kernel(inner=True)
def is_waiting(tables: Any, state: Any, events: Any) -> bool:
    """Return True if the phase waits for a choice or for chance; else do what it does without one and return False."""
    phase = state.phase
    if phase < TURN_START:
        return waits_in_setup(tables, state, events)
    if phase <= CONQUEST:
        return waits_before_battle_ends(tables, state, events)
    if phase <= PLACE:
        return waits_in_reorganization(tables, state, events)
    return waits_at_turn_end(tables, state, events)


@kernel(inner=True)
def waits_in_setup(tables: Any, state: Any, events: Any) -> bool:
    """Handle the phases START_SEAT, DRAW and CHOOSE; choosing is always asked, even with one pair to pay for."""
    if state.phase == DRAW and (next_gap(tables, state) < 0 or state.bag == 0):
        finish_drawing(tables, state, events)
        return False
    return True


@kernel(inner=True)
def waits_before_battle_ends(tables: Any, state: Any, events: Any) -> bool:
    """Handle the phases TURN_START, PEACE, GATHER and CONQUEST."""
    seat = state.turn_seat
    if state.phase == TURN_START:
        if state.is_wiped_out[seat]:
            decline_turn(tables, state, seat, events)
            return False
        if may_decline(tables, state, seat):
            return True
        play_on(tables, state, seat, events)
        return False
    if state.phase == PEACE:
        candidates = peace_candidates(state, seat)
        if state.peace_left == 0 or candidates == 0:
            gather(state, seat)
            return False
        if tables.peace_optional == 1 or count(candidates) > 1:
            return True
        name_partner(state, seat, lowest(candidates), events)
        return False
    if state.phase == GATHER:
        if abandonable(tables, state, seat):
            return True
        state.phase = CONQUEST
        return False
    if state.decisions == 0 or costs.can_conquer_anything(tables, state, seat):
        return True
    end_conquest(tables, state, seat, events)
    return False


@kernel(inner=True)
def waits_in_reorganization(tables: Any, state: Any, events: Any) -> bool:
    """Handle the phases KEEP, DROP and PLACE."""
    seat = state.turn_seat
    if state.phase == KEEP:
        if not effects.is_one_piece(tables, state, seat, state.active[seat]):
            choices = effects.parts_to_keep(tables, state, seat)
            if count(choices) > 1:
                return True
            keep_part(tables, state, seat, lowest(choices), events)
        dismiss(tables, state, seat, events)
        return False
    if state.phase == DROP:
        if may_give_up_more(tables, state):
            choices = effects.droppable(tables, state, seat)
            if state.pool > 0 and (count(choices) > 1 or not is_short_of_tokens(state)):
                return True
            give_up(tables, state, seat, choices if state.pool > 0 else state.kept, False, events)
            return False
        start_reorganization(tables, state, seat)
        return False
    if state.hand[seat] > 0 and state.active[seat] != 0:
        sites = placeable(state, seat)
        if count(sites) > 1:
            return True
        place_tokens(state, seat, lowest(sites), state.hand[seat], events)
    state.phase = FORT
    return False


@kernel(inner=True)
def start_reorganization(tables: Any, state: Any, seat: int) -> None:
    """Let the conqueror place, or first the survivors if ``survivors_first`` says so."""
    start_placing(state, seat)
    if tables.survivors_first == 1:
        state.phase = SURVIVORS
        state.placing_seat = -1


@kernel(inner=True)
def waits_at_turn_end(tables: Any, state: Any, events: Any) -> bool:
    """Handle the phases FORT, SURVIVORS, REBIRTH_CHOICE, NEXT_SEAT and OVER."""
    seat = state.turn_seat
    if state.phase == FORT:
        if state.forts_left > 0 and fort_sites(tables, state, seat):
            return True
        state.placing_seat = -1
        state.phase = SURVIVORS
        return False
    if state.phase == SURVIVORS:
        return waits_for_survivors(tables, state, events)
    if state.phase == REBIRTH_CHOICE:
        if trait(tables, state, seat, at.REBIRTH) and may_fall(tables, state, seat):
            return True
        state.phase = NEXT_SEAT
        return False
    if state.phase == NEXT_SEAT:
        next_seat(tables, state, events)
        return False
    return True


@kernel(inner=True)
def waits_for_survivors(tables: Any, state: Any, events: Any) -> bool:
    """Let each defender in turn order take surviving tokens back to his empire (Rulebook, summary card, step 3)."""
    seat = next_with_survivors(state)
    if seat < 0:
        if tables.survivors_first == 1 and state.hand[state.turn_seat] > 0 and state.active[state.turn_seat] != 0:
            state.cursor = 0
            state.phase = PLACE
            return False
        if tables.survivors_first == 1 and state.forts_left > 0 and fort_sites(tables, state, state.turn_seat):
            state.phase = FORT
            return False
        score_turn(tables, state, state.turn_seat, events)
        state.phase = REBIRTH_CHOICE
        return False
    if seat != state.placing_seat:
        state.placing_seat = seat
        state.cursor = 0
    if tables.survivors == 1:
        state.cursor = 0
        place_tokens(state, seat, weakest_province(state, seat), 1, events)
        return False
    sites = placeable(state, seat)
    if count(sites) > 1:
        return True
    place_tokens(state, seat, lowest(sites), state.hand[seat], events)
    return False


# The questions ------------------------------------------------------------------------------------------------------


@answers(questions.begin_game, STATE)
def begin_game(tables: Any, state: Any, key: int) -> None:
    """Lay out the board: neutral tokens on all but the mountains, every tile in the bag, scores on their start."""
    clear_state(state)
    state.key = key
    state.seats = tables.seats
    state.round_number = 1
    state.phase = START_SEAT
    state.bag = first(tables.copies)
    state.neutral = tables.neutral_at_start
    for province in range(tables.provinces):
        state.tokens[province] = 1 if contains(state.neutral, province) else 0
    for seat in range(tables.seats):
        state.score[seat] = start_score(tables, seat)
        state.seat_after[seat] = (seat + 1) % tables.seats


@answers(questions.deciders, STATE)
def deciders(tables: Any, state: Any) -> int:
    """Return the one seat that must decide: the turn's seat, or a defender who places survivors."""
    if state.phase <= DRAW or state.phase >= NEXT_SEAT:
        return 0
    if state.phase == SURVIVORS:
        return member(state.placing_seat)
    return member(state.turn_seat)


@kernel(inner=True)
def allow(mask: Any, first: int, members: int) -> int:
    """Mark the actions ``first + p`` for all members of a set; return their number."""
    rest = members
    while rest:
        mask[first + lowest(rest)] = 1
        rest &= rest - 1
    return count(members)


@answers(questions.legal_actions, STATE)
def legal_actions(tables: Any, state: Any, seat: int, mask: Any) -> int:
    """Write what the seat may do in this phase."""
    mask[:] = 0
    if questions.deciders(tables, state) != member(seat):
        return 0
    phase = state.phase
    if phase == CHOOSE:
        return allow(mask, A_CHOOSE, affordable_slots(tables, state, seat))
    if phase == TURN_START:
        return allow(mask, 0, member(A_PLAY_ON) | member(A_DECLINE))
    if phase == PEACE:
        optional = allow(mask, A_NO_PEACE, 1) if tables.peace_optional == 1 else 0
        return optional + allow(mask, A_PEACE, peace_candidates(state, seat))
    if phase == GATHER:
        return allow(mask, A_END_GATHER, 1) + allow(mask, A_ABANDON, abandonable(tables, state, seat))
    if phase == CONQUEST:
        return legal_conquests(tables, state, seat, mask)
    if phase == KEEP:
        return allow(mask, A_KEEP, effects.parts_to_keep(tables, state, seat))
    if phase == DROP:
        enough = 0 if is_short_of_tokens(state) else allow(mask, A_END_DROP, 1)
        return enough + allow(mask, A_DROP, effects.droppable(tables, state, seat))
    if phase in (PLACE, SURVIVORS):
        return allow(mask, A_PLACE, placeable(state, seat))
    if phase == FORT:
        return allow(mask, A_NO_FORT, 1) + allow(mask, A_FORT, fort_sites(tables, state, seat))
    return allow(mask, 0, member(A_REBIRTH_YES) | member(A_REBIRTH_NO))


@kernel(inner=True)
def affordable_slots(tables: Any, state: Any, seat: int) -> int:
    """Return the slots whose price the seat can pay; the first is always free."""
    slots = 0
    for slot in range(effects.pairs_on_tray(state)):
        if effects.can_afford(tables, state, seat, slot):
            slots |= member(slot)
    return slots


@kernel(inner=True)
def legal_conquests(tables: Any, state: Any, seat: int, mask: Any) -> int:
    """Write normal conquests, conquests by Espionage, and stopping."""
    targets = costs.reachable(tables, state, seat)
    number = allow(mask, A_SPY, targets) if costs.can_spy(tables, state, seat) else 0
    while targets:
        province = lowest(targets)
        targets &= targets - 1
        if costs.can_conquer(tables, state, seat, province):
            mask[A_CONQUER + province] = 1
            number += 1
    if number == 0 or may_stop_conquest(tables, state, seat):
        mask[A_END_CONQUEST] = 1
        number += 1
    return number


@answers(questions.apply_action, STATE)
def apply_action(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
    """Carry out an action, then walk on to the next choice."""
    if seat == CHANCE:
        if action >= A_DRAW:
            draw_tile(tables, state, action - A_DRAW, events)
        else:
            start_the_play(tables, state, action - A_START, events)
    elif action < A_ABANDON:
        state.decisions += 1
        apply_word(tables, state, seat, action, events)
    else:
        state.decisions += 1
        apply_province(tables, state, seat, action, events)
    while not is_waiting(tables, state, events):
        pass


@kernel(inner=True)
def apply_word(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
    """Carry out an action that names no province."""
    if action < A_PLAY_ON:
        choose_pair(tables, state, seat, action - A_CHOOSE, events)
    elif action == A_PLAY_ON:
        play_on(tables, state, seat, events)
    elif action == A_DECLINE:
        decline_turn(tables, state, seat, events)
    elif action == A_REBIRTH_YES:
        state.live[at.R_KIND] = REBIRTH_TURN
        effects.fall_into_decline(tables, state, seat, events)
        offer_pairs(tables, state)
    elif action == A_REBIRTH_NO:
        state.phase = NEXT_SEAT
    elif action == A_NO_PEACE:
        state.peace_left = 0
    elif action == A_END_GATHER:
        state.phase = CONQUEST
    elif action == A_END_CONQUEST:
        end_conquest(tables, state, seat, events)
    elif action == A_NO_FORT:
        state.forts_left = 0
    elif action == A_END_DROP:
        start_reorganization(tables, state, seat)
    else:
        name_partner(state, seat, action - A_PEACE, events)


@kernel(inner=True)
def apply_province(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
    """Carry out an action on a province."""
    province = action % 64
    kind = action - province
    if kind == A_ABANDON:
        abandon(state, seat, province, events)
    elif kind == A_CONQUER:
        effects.conquer(tables, state, seat, province, 0, events)
    elif kind == A_SPY:
        effects.conquer(tables, state, seat, province, 1, events)
    elif kind == A_KEEP:
        keep_part(tables, state, seat, province, events)
    elif kind == A_DROP:
        give_up(tables, state, seat, member(province), False, events)
    elif kind == A_PLACE:
        place_tokens(state, seat, province, 1, events)
    elif kind == A_FORT:
        state.forts |= member(province)
        state.forts_left -= 1
        emit(events, at.E_FORT, (seat, province))


@answers(questions.chance_outcomes, STATE)
def chance_outcomes(tables: Any, state: Any, weights: Any) -> int:
    """Write the weight of each seat that may be next, or of each kind of tile in the bag by its copies."""
    weights[:] = 0.0
    if state.phase == START_SEAT:
        left = undrawn_seats(state)
        for seat in range(state.seats):
            weights[A_START + seat] = 1.0 if contains(left, seat) else 0.0
        return count(left)
    if state.phase != DRAW:
        return 0
    number = 0
    rest = state.bag
    while rest:
        outcome = A_DRAW + tables.kind_of[lowest(rest)]
        rest &= rest - 1
        number += 1 if weights[outcome] == 0.0 else 0
        weights[outcome] += 1.0
    return number


@answers(questions.draw_chance, STATE)
def draw_chance(tables: Any, state: Any, key: int) -> int:
    """Return the seat that starts or is next, or the kind of the tile that is first in the bag's order."""
    if state.phase == START_SEAT:
        if state.cursor == 0:
            return A_START + below(state.seats, key, PURPOSE_START_SEAT, 0, 0)
        return A_START + drawn_member(undrawn_seats(state), key, PURPOSE_TURN_ORDER, 0)
    return A_DRAW + tables.kind_of[effects.first_in_order(tables, state, key, -1)]


@answers(questions.observe, STATE)
def observe(tables: Any, state: Any, seat: int, view: Any) -> None:
    """Show everything but the random key: the bag's content is public, its order is not."""
    copy_into(state, view)
    view.key = 0


@answers(questions.determinize, STATE)
def determinize(tables: Any, view: Any, seat: int, key: int, out: Any) -> None:
    """Give the bag a fresh random order."""
    copy_into(view, out)
    out.key = word(key, PURPOSE_DETERMINIZE, seat, view.turn)


@answers(questions.is_over, STATE)
def is_over(tables: Any, state: Any) -> bool:
    """Return whether the last round has been played out."""
    return state.phase == OVER


@answers(questions.returns, STATE)
def returns(tables: Any, state: Any, values: Any) -> None:
    """Write each seat's share of the win."""
    values[:] = 0.0
    if state.phase == OVER:
        best = winners(tables, state)
        for seat in range(state.seats):
            if contains(best, seat):
                values[seat] = 1.0 / count(best)
