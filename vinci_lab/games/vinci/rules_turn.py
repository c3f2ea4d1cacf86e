"""Vinci, tabletop edition: what happens in each phase of the set-up and of a turn, and when the game ends."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.bits import contains, count, first, lowest, member
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.records import emit
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_cost import (
    trait,
)
from vinci_lab.games.vinci.rules_layout import (
    CHOOSE,
    DEALT,
    DECLINE_TURN,
    DRAW,
    DROP,
    GATHER,
    KEEP,
    NEXT_SEAT,
    OVER,
    PEACE,
    PLACE,
    PLAY_TURN,
    REPORT,
    SLOTS,
    TURN_START,
)
from vinci_lab.games.vinci.rules_order import seat_at

# Set-up (Rulebook, "Setting Up") ------------------------------------------------------------------------------------


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
    state.seat_after[:] = 0
    state.entries[:] = 0


@kernel(inner=True)
def next_gap(tables: Any, state: Any) -> int:
    """Return the first tray place without a tile, slot by slot, as ``2 * slot + place``; -1 when the tray is full.

    When pairs are dealt, the tray is the one pair that is being drawn for a seat.
    """
    for place in range(2 if tables.price_rule == DEALT else 2 * SLOTS):
        if state.tray[place // 2, place % 2] < 0:
            return place
    return -1


@kernel(inner=True)
def draw_tile(tables: Any, state: Any, kind: int, events: Any) -> None:
    """Move a tile of a kind from the bag to the tray.

    A second Specialization in a pair is set aside and another tile is drawn in its place (Errata 6).
    """
    gap = next_gap(tables, state)
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
    state.hand[seat] = effects.tokens_of_pair(tables, seat, state.tile[seat, 0], state.tile[seat, 1])
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
    state.phase = NEXT_SEAT if tables.price_rule == DEALT else DRAW
    state.after_draw = NEXT_SEAT


@kernel(inner=True)
def offer_pairs(tables: Any, state: Any) -> None:
    """Let the turn's seat choose from the tray, or draw the pair it is dealt."""
    state.phase = DRAW if tables.price_rule == DEALT else CHOOSE
    state.after_draw = CHOOSE


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


@kernel(inner=True)
def may_fall(tables: Any, state: Any, seat: int) -> bool:
    """Return whether the civilization may decline at all: an option wants it to have entered first."""
    return tables.decline_unentered == 0 or state.is_entered[seat] == 1


@kernel
def may_decline(tables: Any, state: Any, seat: int) -> bool:
    """Return whether the seat may declare a decline at the start of its turn.

    Not before its first turn is over (an option allows it), and not with Rebirth, whose moment is the end of a turn.
    """
    if state.turns_taken[seat] == 0 and tables.decline_first_turn == 0:
        return False
    if not may_fall(tables, state, seat):
        return False
    return not trait(tables, state, seat, at.REBIRTH) or tables.rebirth_start_too == 1


@kernel(inner=True)
def decline_turn(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Spend the turn on a decline: the empire falls, scores as an empire in decline, and a new pair is chosen."""
    state.live[at.R_KIND] = DECLINE_TURN
    effects.fall_into_decline(tables, state, seat, events)
    score_turn(tables, state, seat, events)
    offer_pairs(tables, state)


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
    return first(state.seats) & ~member(seat) & ~state.peace[seat]


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

    Errata 3; Clarification 1. An automaton never empties one ("Solitaire and Two-Player Game", First Conquest).
    """
    if contains(tables.automata, seat):
        return 0
    if tables.teleport == 1 and count(state.active[seat]) == 1:
        return 0
    return state.active[seat] & ~first(state.cursor)


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
    return not costs.can_conquer_anything(tables, state, seat)


@kernel(inner=True)
def end_conquest(tables: Any, state: Any, seat: int, events: Any) -> None:
    """End the conquests: what the empire holds now is kept, as far as cohesion and tokens allow."""
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
    """Empty own provinces at the end of a turn; their tokens come to hand or are lost, temporary ones first."""
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
    return state.active[seat] & ~first(state.cursor)


@kernel(inner=True)
def place_tokens(state: Any, seat: int, province: int, tokens: int, events: Any) -> None:
    """Move tokens from hand to an own province."""
    state.tokens[province] += tokens
    state.hand[seat] -= tokens
    state.cursor = province
    emit(events, at.E_PLACED, (seat, province, tokens))


@kernel(inner=True)
def fort_sites(tables: Any, state: Any, seat: int) -> int:
    """Return the own provinces that can get a fort; one each, and with ``fort_limit`` while brown tokens last."""
    if tables.fort_limit == 1 and tables.brown_tokens <= count(state.neutral) + count(state.forts):
        return 0
    return state.active[seat] & ~state.forts


@kernel(inner=True)
def next_with_survivors(state: Any) -> int:
    """Return the next seat, in turn order, that has tokens to take back to its empire; -1 if none has."""
    seat = state.turn_seat
    for _ in range(1, state.seats):
        seat = state.seat_after[seat]
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
    following = state.seat_after[seat]
    if following != state.start_seat:
        start_turn(tables, state, following)
        return
    is_finished = state.is_last_round == 1 or state.round_number == tables.rounds_limit
    if not is_finished and state.round_number >= tables.stall_rounds:
        state.is_stalled = 1
    if is_finished or state.is_stalled:
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
        state.turn_seat = state.seat_after[state.turn_seat]
        if state.choices_made < state.seats:
            offer_pairs(tables, state)
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
        seat = seat_at(state, step)
        points = state.last_points[seat] if tables.tiebreak == 1 else 0
        if contains(tied, seat) and points >= single_points:
            single, single_points = seat, points
    return member(single)
