"""Vinci, tabletop edition: the sequence of a game, as answers to the questions every game answers.

A turn is a run of phases (``rules_layout.PHASE_NAMES``). ``apply_action`` walks from phase to phase until somebody has a real
choice, chance must speak, or the game is over. ``rules_effects`` holds costs, effects and points.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, count, lowest, member
from vinci_lab.engine.chance import FIRST_PURPOSE_OF_A_GAME, PURPOSE_DETERMINIZE, below, word
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE, answers
from vinci_lab.engine.records import copy_into, emit
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
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
    DECLINE_TURN,
    DRAW,
    DROP,
    FORT,
    GATHER,
    KEEP,
    NEXT_SEAT,
    OVER,
    PEACE,
    PLACE,
    PLAY_TURN,
    REBIRTH_CHOICE,
    REBIRTH_TURN,
    REPORT,
    SEATS,
    SLOTS,
    START_SEAT,
    STATE,
    SURVIVORS,
    TURN_START,
)
from vinci_lab.games.vinci.rules_effects import trait

PURPOSE_START_SEAT = FIRST_PURPOSE_OF_A_GAME + 1
EVERY_SEAT = (1 << SEATS) - 1


# Set-up (Rulebook, "Setting Up") ------------------------------------------------------------------------------------


@answers(questions.begin_game, STATE)
def begin_game(tables: Any, state: Any, key: int) -> None:
    """Lay out the board: neutral tokens on all but the mountains, every tile in the bag, scores on their start."""
    clear_state(state)
    state.key = key
    state.seats = tables.seats
    state.round_number = 1
    state.phase = START_SEAT
    state.bag = (1 << tables.copies) - 1
    state.neutral = tables.neutral_at_start
    for province in range(tables.provinces):
        state.tokens[province] = 1 if contains(state.neutral, province) else 0
    for seat in range(tables.seats):
        state.score[seat] = tables.start_score


@kernel(inner=True)
def clear_state(state: Any) -> None:
    """Set every field to nothing."""
    state.turn = state.after_draw = state.start_seat = state.turn_seat = state.placing_seat = 0
    state.choices_made = state.decisions = state.is_last_round = state.is_stalled = 0
    state.temporary = state.peace_left = state.spies_left = state.forts_left = state.defeated = 0
    state.pool = state.kept = state.cursor = state.forts = state.aside = state.unreturned = 0
    state.score[:] = 0
    state.earned[:] = 0
    state.paid[:] = 0
    state.received[:] = 0
    state.last_points[:] = 0
    state.active[:] = 0
    state.decline[:] = 0
    state.hand[:] = 0
    state.tile[:] = -1
    state.old_tile[:] = -1
    state.old_doubling[:] = 1
    state.is_entered[:] = 0
    state.turns_taken[:] = 0
    state.is_wiped_out[:] = 0
    state.peace[:] = 0
    state.tokens_lost[:] = 0
    state.live[:] = 0
    state.done[:] = 0
    state.tokens[:] = 0
    state.tray[:] = -1
    state.coins[:] = 0
    state.entries[:] = 0


@kernel(inner=True)
def next_gap(state: Any) -> int:
    """Return the first tray place without a tile, slot by slot, as ``2 * slot + place``; -1 when the tray is full."""
    for place in range(2 * SLOTS):
        if state.tray[place // 2, place % 2] < 0:
            return place
    return -1


@kernel(inner=True)
def start_the_play(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Name the starting seat; it will choose first once the tray is laid out."""
    state.start_seat = seat
    state.turn_seat = seat
    state.phase = DRAW
    state.after_draw = CHOOSE
    emit(events, at.E_SEAT, (seat,))


@kernel(inner=True)
def draw_tile(tables: Any, state: Any, kind: int, events: Any) -> None:
    """Move a tile of a kind from the bag to the tray.

    A second Specialization in a pair is set aside and another tile is drawn in its place (Errata 6).
    """
    gap = next_gap(state)
    copy = effects.first_in_order(tables, state, state.key, kind)
    state.bag &= ~member(copy)
    state.tray[gap // 2, gap % 2] = copy
    emit(events, at.E_DRAWN, (gap // 2, gap % 2, copy, kind))
    if gap % 2 == 1 and state.bag != 0 and effects.is_double_specialization(tables, state, gap // 2):
        state.tray[gap // 2, 1] = -1
        state.aside |= member(copy)
        emit(events, at.E_ASIDE, (copy, kind))
    elif gap % 2 == 1:
        return_set_aside(tables, state, events)


@kernel(inner=True)
def return_set_aside(tables: Any, state: Any, events: Any) -> None:
    """Put tiles that were replaced back into the bag."""
    waiting = state.aside
    state.aside = 0
    while waiting:
        effects.put_into_bag(tables, state, lowest(waiting), events)
        waiting &= waiting - 1


@kernel(inner=True)
def finish_drawing(tables: Any, state: Any, events: Any) -> None:
    """Return waiting tiles to the bag, and hand on to what follows the refill."""
    return_set_aside(tables, state, events)
    waiting = state.unreturned
    state.unreturned = 0
    while waiting:
        effects.put_into_bag(tables, state, lowest(waiting), events)
        waiting &= waiting - 1
    state.phase = state.after_draw


@kernel(inner=True)
def choose_pair(tables: Any, state: Any, seat: int, slot: int, events: Any) -> None:
    """Take a pair: pay for those passed over, collect its coins and tokens, close the gap in the tray.

    Every pair passed over gets a coin (Rulebook, "Setting Up").
    """
    price = effects.price_of(tables, slot)
    coins = state.coins[slot] * tables.coin_value
    state.score[seat] += coins - price
    state.paid[seat] += price
    state.received[seat] += coins
    state.live[at.R_PAID] += price
    state.live[at.R_RECEIVED] += coins
    state.tile[seat, 0], state.tile[seat, 1] = state.tray[slot, 0], state.tray[slot, 1]
    for passed in range(slot):
        state.coins[passed] += 1
    for later in range(slot, SLOTS):
        last = later == SLOTS - 1
        state.coins[later] = 0 if last else state.coins[later + 1]
        state.tray[later, 0] = -1 if last else state.tray[later + 1, 0]
        state.tray[later, 1] = -1 if last else state.tray[later + 1, 1]
    state.hand[seat] = effects.tokens_of_pair(tables, state.tile[seat, 0], state.tile[seat, 1])
    state.is_entered[seat] = 0
    emit(
        events,
        at.E_CHOSEN,
        (
            seat,
            slot,
            tables.kind_of[state.tile[seat, 0]],
            tables.kind_of[state.tile[seat, 1]],
            price,
            coins,
            state.hand[seat],
        ),
    )
    note_score(tables, state, seat, events)
    state.phase = DRAW
    state.after_draw = NEXT_SEAT


# The turn (Rulebook, summary card "Sequence of a Player's Turn") ----------------------------------------------------


@kernel(inner=True)
def start_turn(tables: Any, state: Any, seat: int) -> None:
    """Open a seat's turn: its own peace ends, the counters of a turn start at nothing."""
    state.turn_seat = seat
    state.phase = TURN_START
    state.decisions = 0
    state.peace[seat] = 0
    state.temporary = state.peace_left = state.spies_left = state.forts_left = state.defeated = 0
    state.pool = state.kept = state.cursor = 0
    for entry in range(REPORT):
        state.live[entry] = 0
    state.live[at.R_SEAT] = seat
    state.live[at.R_ROUND] = state.round_number
    state.live[at.R_BEFORE] = state.score[seat]
    state.live[at.R_PEAK] = state.score[seat]


@kernel
def may_decline(tables: Any, state: Any, seat: int) -> bool:
    """Return whether the seat may declare a decline at the start of its turn.

    Not before its first turn is over (an option allows it), and not with Rebirth, whose moment is the end of a turn.
    """
    if state.turns_taken[seat] == 0 and tables.decline_first_turn == 0:
        return False
    if tables.decline_unentered == 1 and state.is_entered[seat] == 0:
        return False
    return not trait(tables, state, seat, at.REBIRTH) or tables.rebirth_start_too == 1


@kernel(inner=True)
def decline_turn(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Spend the turn on a decline: the empire falls, scores as an empire in decline, and a new pair is chosen."""
    state.live[at.R_KIND] = DECLINE_TURN
    effects.fall_into_decline(tables, state, seat, events)
    score_turn(tables, state, seat, events)
    state.phase = CHOOSE


@kernel(inner=True)
def play_on(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Open a turn of conquest: extra tokens come to hand (tile texts, Medicine and Field General)."""
    state.live[at.R_KIND] = PLAY_TURN
    lasting = trait(tables, state, seat, at.TOKENS_TURN_START)
    state.temporary = trait(tables, state, seat, at.TEMPORARY_TOKENS)
    state.hand[seat] += lasting + state.temporary
    state.spies_left = trait(tables, state, seat, at.ESPIONAGE)
    state.peace_left = trait(tables, state, seat, at.PEACE_PARTNERS)
    state.forts_left = trait(tables, state, seat, at.FORTS_CHOSEN)
    if lasting or state.temporary:
        emit(events, at.E_INCOME, (seat, lasting, state.temporary))
    state.phase = PEACE


@kernel(inner=True)
def peace_candidates(state: Any, seat: int) -> int:
    """Return the seats that can still be named as partners."""
    return ((1 << state.seats) - 1) & ~member(seat) & ~state.peace[seat]


@kernel(inner=True)
def name_partner(state: Any, seat: int, partner: int, events: Any) -> None:
    """Make peace with a seat until the start of the next own turn (tile text, Diplomacy)."""
    state.peace[seat] |= member(partner)
    state.peace_left -= 1
    emit(events, at.E_PEACE, (seat, partner))


@kernel(inner=True)
def gather(state: Any, seat: int) -> None:
    """Take all tokens but one per province to hand (Rulebook, "Expanding an Empire")."""
    provinces = state.active[seat]
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        state.hand[seat] += state.tokens[province] - 1
        state.tokens[province] = 1
    state.cursor = 0
    state.phase = GATHER


@kernel(inner=True)
def abandonable(tables: Any, state: Any, seat: int) -> int:
    """Return the provinces that may still be emptied, in rising order; all of them unless ``teleport = no``.

    Errata 3; Clarification 1.
    """
    if tables.teleport == 1 and count(state.active[seat]) == 1:
        return 0
    return state.active[seat] & ~((1 << state.cursor) - 1)


@kernel(inner=True)
def abandon(state: Any, seat: int, province: int, events: Any) -> None:
    """Empty an own province; its token goes to hand and it is nobody's."""
    emit(events, at.E_ABANDONED, (seat, province, state.tokens[province]))
    state.hand[seat] += state.tokens[province]
    effects.clear_province(state, province)
    state.cursor = province + 1


@kernel(inner=True)
def may_stop_conquest(tables: Any, state: Any, seat: int) -> bool:
    """Return whether the seat may end its conquests; an option forces an empire without a province to enter."""
    if tables.must_enter == 0 or state.active[seat] != 0:
        return True
    return not effects.can_conquer_anything(tables, state, seat)


@kernel(inner=True)
def end_conquest(tables: Any, state: Any, seat: int, events: Any) -> None:
    """End the conquests; what follows depends on who moves first, the conqueror or the survivors."""
    state.phase = KEEP
    state.kept = state.active[seat]


@kernel(inner=True)
def keep_part(tables: Any, state: Any, seat: int, province: int, events: Any) -> None:
    """Keep the part of the empire that holds a province; give up the others, their tokens are placed anew.

    Rulebook, "Cohesion of an Empire"; with ``drop_tokens_lost`` the tokens on them are lost.
    """
    kept = effects.part_of(tables, state, seat, province, state.active[seat])
    give_up(tables, state, seat, state.active[seat] & ~kept, tables.drop_tokens_lost == 1, events)


@kernel(inner=True)
def give_up(tables: Any, state: Any, seat: int, provinces: int, is_lost: bool, events: Any) -> None:
    """Empty own provinces at the end of a turn; their tokens come to hand unless they are lost, temporary ones first."""
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        emit(events, at.E_DROPPED, (seat, province, state.tokens[province]))
        if is_lost:
            state.temporary = max(0, state.temporary - state.tokens[province])
        else:
            state.hand[seat] += state.tokens[province]
        effects.clear_province(state, province)
    state.kept = state.active[seat]


@kernel(inner=True)
def dismiss(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Pick up all tokens and send the temporary ones away before anything is counted (tile text, Field General)."""
    if state.temporary:
        emit(events, at.E_DISMISSED, (seat, state.temporary))
    provinces = state.active[seat]
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        state.hand[seat] += state.tokens[province]
        state.tokens[province] = 0
    state.hand[seat] = max(0, state.hand[seat] - state.temporary)
    state.hand[seat] += trait(tables, state, seat, at.TOKENS_REORGANIZATION)
    state.hand[seat] += trait(tables, state, seat, at.TOKENS_PER_TWO_DEFEATED) * (state.defeated // 2)
    state.temporary = 0
    state.pool = state.hand[seat]
    state.cursor = 0
    state.phase = DROP


@kernel(inner=True)
def is_short_of_tokens(state: Any) -> bool:
    """Return whether there are more provinces than tokens, the one case in which some must be given up (Errata 3)."""
    return count(state.kept) > state.pool


@kernel(inner=True)
def may_give_up_more(tables: Any, state: Any) -> bool:
    """Return whether provinces are to be given up; ``keep_all_possible = no`` lets a short empire give up more."""
    if is_short_of_tokens(state):
        state.cursor = 1  # remembered as "was short" until the placing starts
        return True
    return tables.keep_all_possible == 1 and state.cursor == 1 and state.kept != 0


@kernel(inner=True)
def start_placing(state: Any, seat: int) -> None:
    """Put the one token on each kept province that holding it takes (Rulebook, "Reorganizing an Empire")."""
    provinces = state.kept
    while provinces:
        state.tokens[lowest(provinces)] = 1
        provinces &= provinces - 1
        state.hand[seat] -= 1
    state.cursor = 0
    state.phase = PLACE


@kernel(inner=True)
def placeable(state: Any, seat: int) -> int:
    """Return where the next token may go: rising province order, so that each distribution has one order."""
    return state.active[seat] & ~((1 << state.cursor) - 1)


@kernel(inner=True)
def place_tokens(state: Any, seat: int, province: int, tokens: int, events: Any) -> None:
    """Move tokens from hand to an own province."""
    state.tokens[province] += tokens
    state.hand[seat] -= tokens
    state.cursor = province
    emit(events, at.E_PLACED, (seat, province, tokens))


@kernel(inner=True)
def fort_sites(tables: Any, state: Any, seat: int) -> int:
    """Return the own provinces that can get a fort; one per province, and with ``fort_limit`` while brown tokens last."""
    if tables.fort_limit == 1 and tables.brown_tokens <= count(state.neutral) + count(state.forts):
        return 0
    return state.active[seat] & ~state.forts


@kernel(inner=True)
def next_with_survivors(state: Any) -> int:
    """Return the next seat, in turn order, that has tokens to take back to its empire; -1 if none has."""
    for step in range(1, state.seats):
        seat = (state.turn_seat + step) % state.seats
        if state.hand[seat] > 0 and state.active[seat] != 0:
            return seat
    return -1


@kernel(inner=True)
def weakest_province(state: Any, seat: int) -> int:
    """Return the active province with the fewest tokens, the lowest number among equals."""
    best = -1
    provinces = state.active[seat]
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        if best < 0 or state.tokens[province] < state.tokens[best]:
            best = province
    return best


@kernel(inner=True)
def score_turn(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Score both empires and this turn's kills (Rulebook, "Victory Points"; tile text, Slavery)."""
    active = effects.active_points(tables, state, seat)
    kills = trait(tables, state, seat, at.VP_KILL) * state.live[at.R_KILLED]
    decline = effects.decline_points(tables, state, seat)
    total = active + kills + decline
    if events.is_on:
        effects.emit_scored(tables, state, seat, kills, total, events)
    state.score[seat] += total
    state.earned[seat] += total
    state.last_points[seat] = total
    state.live[at.R_ACTIVE] = active
    state.live[at.R_KILLS] = kills
    state.live[at.R_DECLINE] = decline
    note_score(tables, state, seat, events)


# End of the game (Rulebook, "End of the Game") ----------------------------------------------------------------------


@kernel(inner=True)
def note_score(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Remember the peak of the turn, and make the round the last once a score has reached the threshold."""
    state.live[at.R_PEAK] = max(state.live[at.R_PEAK], state.score[seat])
    if tables.threshold_rule == 0:
        check_threshold(tables, state, seat, events)


@kernel(inner=True)
def check_threshold(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Make the current round the last one if a seat has the points asked for."""
    if tables.rounds_limit == 0 and state.is_last_round == 0 and state.score[seat] >= tables.victory_threshold:
        state.is_last_round = 1
        emit(events, at.E_LAST_ROUND, (seat, state.score[seat]))


@kernel(inner=True)
def end_turn(tables: Any, state: Any, events: Any) -> None:
    """Close the turn and report it; after the last seat of the last round the game is over."""
    seat = state.turn_seat
    if tables.threshold_rule == 1:
        check_threshold(tables, state, seat, events)
    state.live[at.R_AFTER] = state.score[seat]
    state.live[at.R_LOST] = state.tokens_lost[seat]
    state.tokens_lost[seat] = 0
    for entry in range(REPORT):
        state.done[entry] = state.live[entry]
    state.turns_taken[seat] += 1
    state.turn += 1
    following = (seat + 1) % state.seats
    if following != state.start_seat:
        start_turn(tables, state, following)
        return
    if state.round_number >= tables.stall_rounds:
        state.is_stalled = 1
    if state.is_last_round or state.is_stalled or state.round_number == tables.rounds_limit:
        state.phase = OVER
        emit(events, at.E_OVER, (state.is_stalled,))
        return
    state.round_number += 1
    start_turn(tables, state, following)


@kernel(inner=True)
def next_seat(tables: Any, state: Any, events: Any) -> None:
    """Go on after a choice: to the next seat's choice in the set-up, else to the next turn."""
    if state.choices_made < state.seats:
        state.choices_made += 1
        state.turn_seat = (state.turn_seat + 1) % state.seats
        if state.choices_made < state.seats:
            state.phase = CHOOSE
        else:
            start_turn(tables, state, state.start_seat)
    else:
        end_turn(tables, state, events)


@kernel
def winners(tables: Any, state: Any) -> int:
    """Return the seats with the highest score; ``tiebreak`` may single one out.

    The rulebook names no tie-break; tournaments used the points of the last turn, then the later mover.
    """
    best, tied = -(2**40), 0
    for seat in range(state.seats):
        if state.score[seat] > best:
            best, tied = state.score[seat], 0
        if state.score[seat] == best:
            tied |= member(seat)
    if tables.tiebreak == 0:
        return tied
    single, single_points = -1, -1
    for step in range(state.seats):
        seat = (state.start_seat + step) % state.seats
        points = state.last_points[seat] if tables.tiebreak == 1 else 0
        if contains(tied, seat) and points >= single_points:
            single, single_points = seat, points
    return member(single)


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
    if state.phase == DRAW and (next_gap(state) < 0 or state.bag == 0):
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
    if state.decisions == 0 or effects.can_conquer_anything(tables, state, seat):
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
        if trait(tables, state, seat, at.REBIRTH):
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
    if phase == PLACE or phase == SURVIVORS:
        return allow(mask, A_PLACE, placeable(state, seat))
    if phase == FORT:
        return allow(mask, A_NO_FORT, 1) + allow(mask, A_FORT, fort_sites(tables, state, seat))
    return allow(mask, 0, member(A_REBIRTH_YES) | member(A_REBIRTH_NO))


@kernel(inner=True)
def affordable_slots(tables: Any, state: Any, seat: int) -> int:
    """Return the slots whose price the seat can pay; the first is always free."""
    slots = 0
    for slot in range(effects.pairs_on_tray(state)):
        if slot == 0 or effects.can_afford(tables, state, seat, slot):
            slots |= member(slot)
    return slots


@kernel(inner=True)
def legal_conquests(tables: Any, state: Any, seat: int, mask: Any) -> int:
    """Write normal conquests, conquests by Espionage, and stopping."""
    targets = effects.reachable(tables, state, seat)
    number = allow(mask, A_SPY, targets) if effects.can_spy(tables, state, seat) else 0
    while targets:
        province = lowest(targets)
        targets &= targets - 1
        if effects.can_conquer(tables, state, seat, province):
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
        state.phase = CHOOSE
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
    """Write the weight of each starting seat, or of each kind of tile in the bag by its copies."""
    weights[:] = 0.0
    if state.phase == START_SEAT:
        for seat in range(state.seats):
            weights[A_START + seat] = 1.0
        return state.seats
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
    """Return the starting seat, or the kind of the tile that is first in the bag's order."""
    if state.phase == START_SEAT:
        return A_START + below(state.seats, key, PURPOSE_START_SEAT, 0, 0)
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
