"""Vinci: what must hold in every position, as one compiled check for long runs."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, count, first, lowest, member
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import answers
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_cost import trait
from vinci_lab.games.vinci.rules_effects import is_one_piece, pairs_on_tray
from vinci_lab.games.vinci.rules_layout import CONQUEST, DRAW, NEXT_SEAT, PEACE, PLACE, SLOTS, STATE, TURN_START
from vinci_lab.games.vinci.rules_order import points_at_start

INVARIANTS = (
    "each tile is in one place",
    "a province belongs to one empire, or is neutral, or is empty",
    "tokens fit what a province is: 1 if neutral or in decline, at least 1 if active, 0 if empty",
    "forts stand only in provinces of an empire",
    "no hand is negative and temporary tokens exist only while conquering",
    "no active province borders an own declining one without Heritage",
    "the empire whose turn has ended is in one piece unless it has Messages or is an automaton's",
    "scores are the start score plus points minus prices plus coins, and not negative when prices are paid beforehand",
    "prices paid and coins received differ by the coins on the tray",
    "the tray is full unless the bag is short",
    "peace is made with other seats of the game",
    "the turn order is one circle of all seats",
)


@answers(questions.audit, STATE)
def audit(tables: Any, state: Any) -> int:
    """Return the broken entries of ``INVARIANTS`` as a set."""
    broken = 0 if are_tiles_conserved(tables, state) else member(0)
    broken |= 0 if are_owners_disjoint(tables, state) else member(1)
    broken |= 0 if do_tokens_fit(tables, state) else member(2)
    broken |= 0 if are_forts_owned(state) else member(3)
    broken |= 0 if are_hands_sane(state) else member(4)
    broken |= 0 if is_contact_kept(tables, state) else member(5)
    broken |= 0 if is_last_mover_in_one_piece(tables, state) else member(6)
    broken |= 0 if are_scores_explained(tables, state) else member(7)
    broken |= 0 if is_money_conserved(tables, state) else member(8)
    broken |= 0 if is_tray_full(state) else member(9)
    broken |= 0 if is_peace_sane(state) else member(10)
    broken |= 0 if is_order_a_circle(state) else member(11)
    return broken


@kernel(inner=True)
def are_tiles_conserved(tables: Any, state: Any) -> bool:
    """Check that bag, tray, empires and waiting tiles hold every copy exactly once."""
    seen = 0
    number = count(state.bag) + count(state.aside) + count(state.unreturned)
    seen = state.bag | state.aside | state.unreturned
    for slot in range(SLOTS):
        for place in range(2):
            if state.tray[slot, place] >= 0:
                seen |= member(state.tray[slot, place])
                number += 1
    for seat in range(state.seats):
        for place in range(2):
            if state.tile[seat, place] >= 0:
                seen |= member(state.tile[seat, place])
                number += 1
            if state.old_tile[seat, place] >= 0:
                seen |= member(state.old_tile[seat, place])
                number += 1
    return seen == first(tables.copies) and number == tables.copies


@kernel(inner=True)
def all_empires(state: Any) -> int:
    """Return the provinces of all empires."""
    owned = 0
    for seat in range(state.seats):
        owned |= state.active[seat] | state.decline[seat]
    return owned


@kernel(inner=True)
def are_owners_disjoint(tables: Any, state: Any) -> bool:
    """Check that no province is counted twice or lies off the map."""
    total = count(state.neutral)
    for seat in range(state.seats):
        total += count(state.active[seat]) + count(state.decline[seat])
    together = all_empires(state) | state.neutral
    return total == count(together) and together >> tables.provinces == 0


@kernel(inner=True)
def do_tokens_fit(tables: Any, state: Any) -> bool:
    """Check tokens by what a province is; a free conquest may stand empty until reorganization."""
    old, active = 0, 0
    for seat in range(state.seats):
        old |= state.decline[seat]
        active |= state.active[seat]
    for province in range(at.PROVINCES):
        tokens = state.tokens[province]
        if contains(old | state.neutral, province):
            if tokens != 1:
                return False
        elif contains(active, province):
            is_conquering = contains(state.active[state.turn_seat], province) and CONQUEST <= state.phase < PLACE
            if tokens < (0 if is_conquering else 1):
                return False
        elif tokens != 0:
            return False
    return True


@kernel(inner=True)
def are_forts_owned(state: Any) -> bool:
    """Check that forts stand only in provinces of an empire."""
    return state.forts & ~all_empires(state) == 0


@kernel(inner=True)
def are_hands_sane(state: Any) -> bool:
    """Check hands and temporary tokens."""
    for seat in range(state.seats):
        if state.hand[seat] < 0:
            return False
    return state.temporary == 0 or PEACE <= state.phase < PLACE


@kernel(inner=True)
def is_contact_kept(tables: Any, state: Any) -> bool:
    """Check that contact has emptied what it must."""
    for seat in range(state.seats):
        if trait(tables, state, seat, at.HERITAGE):
            continue
        rest = state.active[seat]
        while rest:
            if tables.bordering[lowest(rest)] & state.decline[seat]:
                return False
            rest &= rest - 1
    return True


@kernel(inner=True)
def is_last_mover_in_one_piece(tables: Any, state: Any) -> bool:
    """Check cohesion of the seat that moved last, at the start of the next seat's turn."""
    if state.turn == 0 or state.phase != TURN_START:
        return True
    seat = state.done[at.R_SEAT]
    return is_one_piece(tables, state, seat, state.active[seat])


@kernel(inner=True)
def are_scores_explained(tables: Any, state: Any) -> bool:
    """Check the account of every seat."""
    for seat in range(state.seats):
        score = points_at_start(tables, state, seat) + state.earned[seat] - state.paid[seat] + state.received[seat]
        if score != state.score[seat] or (tables.price_rule == 0 and score < 0):
            return False
    return True


@kernel(inner=True)
def is_money_conserved(tables: Any, state: Any) -> bool:
    """Check that coins on the tray are what was paid and not yet received."""
    if tables.price_per_skip != tables.coin_value:
        return True
    balance = 0
    for seat in range(state.seats):
        balance += state.paid[seat] - state.received[seat]
    for slot in range(SLOTS):
        balance -= tables.coin_value * state.coins[slot]
    return balance == 0


@kernel(inner=True)
def is_tray_full(state: Any) -> bool:
    """Check that six pairs lie ready whenever somebody decides."""
    return state.phase <= DRAW or pairs_on_tray(state) == SLOTS or count(state.bag) < 2 or state.phase == NEXT_SEAT


@kernel(inner=True)
def is_peace_sane(state: Any) -> bool:
    """Check that partners are other seats."""
    for seat in range(state.seats):
        if state.peace[seat] & member(seat) or state.peace[seat] >> state.seats:
            return False
    return True


@kernel(inner=True)
def is_order_a_circle(state: Any) -> bool:
    """Check that playing seat after seat comes to every seat and back."""
    seen, seat = 0, state.start_seat
    for _ in range(state.seats):
        seen |= member(seat)
        seat = state.seat_after[seat]
        if seat < 0 or seat >= state.seats:
            return False
    return seen == first(state.seats) and seat == state.start_seat
