"""Vinci: how the columns of ``measures_columns`` are filled while a game is played."""

from __future__ import annotations

from typing import Any

import numpy as np

from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, count, first, lowest
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE, answers
from vinci_lab.engine.rows import GAMES, HOLDINGS, OFFERS, PLACE_ROWS, TURNS, new_row
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.measures_columns import COLUMNS
from vinci_lab.games.vinci.rules_layout import (
    A_CHOOSE,
    A_CONQUER,
    A_DECLINE,
    A_DRAW,
    A_KEEP,
    A_PLAY_ON,
    A_REBIRTH_YES,
    DECLINE_TURN,
    PLAY_TURN,
    REBIRTH_TURN,
    SEATS,
    SLOTS,
    STATE,
)
from vinci_lab.games.vinci.rules_order import place_in_order
from vinci_lab.games.vinci.rules_turn import next_gap, winners

HOLDING = len(COLUMNS["holdings"])
(
    H_GAME,
    H_SEAT,
    H_HOLDING,
    H_FIRST,
    H_SECOND,
    H_OBTAINED,
    H_ROUND,
    H_SLOT,
    H_PRICE,
    H_COINS,
    H_TOKENS,
    H_BEFORE,
    H_TURNS_ACTIVE,
    H_TURNS_DECLINE,
    H_POINTS_ACTIVE,
    H_POINTS_KILLS,
    H_POINTS_DECLINE,
    H_MOST_PROVINCES,
    H_LOST,
    H_ENDED,
    H_CENSORED,
    H_BAG,
    H_BAG_FIRST,
    H_BAG_SECOND,
) = range(HOLDING)
IN_PLAY, IN_DECLINE, REPLACED, LOST = range(4)
SETUP, BY_DECLINE, BY_REBIRTH, BY_WIPE_OUT = range(4)

P_CONQUESTS, P_ENTRIES, P_ACTIVE, P_DECLINE, P_NEUTRAL, P_EMPTY, P_INCOME = range(1, 8)

_INT = np.int64
MEMO = np.dtype(
    [
        ("vinci_memo", _INT),
        ("game", _INT),
        ("civilizations", _INT, (SEATS,)),
        ("declines", _INT, (SEATS,)),
        ("conquests", _INT, (SEATS,)),
        ("kills", _INT, (SEATS,)),
        ("lost", _INT, (SEATS,)),
        ("decisions", _INT, (SEATS,)),
        ("young", _INT, (SEATS, HOLDING)),  # row in progress of the active civilization
        ("old", _INT, (SEATS, HOLDING)),  # row in progress of the civilization in decline
        ("has_old", _INT, (SEATS,)),
        ("bag_total", _INT, (SLOTS, 2)),  # tiles in the bag when the tile on this place was drawn
        ("bag_kind", _INT, (SLOTS, 2)),  # of these, tiles of its kind
        ("places", _INT, (PLACE_ROWS, len(COLUMNS["places"]))),  # this game's part of the table
    ]
)


@answers(questions.measure_start, STATE)
def measure_start(tables: Any, state: Any, memo: Any) -> None:
    """Clear the notes of a game."""
    memo.civilizations[:] = 0
    memo.declines[:] = 0
    memo.conquests[:] = 0
    memo.kills[:] = 0
    memo.lost[:] = 0
    memo.decisions[:] = 0
    memo.young[:] = 0
    memo.old[:] = 0
    memo.has_old[:] = 0
    memo.bag_total[:] = 0
    memo.bag_kind[:] = 0
    memo.places[:] = 0


@answers(questions.measure_action, STATE)
def measure_action(tables: Any, state: Any, seat: int, action: int, memo: Any, rows: Any) -> None:
    """Note draws, offers, choices, conquests and Rebirth before they happen."""
    if seat == CHANCE:
        if action >= A_DRAW:
            note_draw(tables, state, action - A_DRAW, memo)
        return
    memo.decisions[seat] += 1
    if A_CONQUER <= action < A_KEEP:
        province = action % 64
        memo.places[province, P_CONQUESTS] += 1
        if state.active[seat] == 0:
            memo.places[province, P_ENTRIES] += 1
    elif action < A_PLAY_ON:
        note_offers(tables, state, seat, action - A_CHOOSE, memo, rows)
        note_choice(tables, state, seat, action - A_CHOOSE, memo, rows)
    elif action == A_DECLINE:
        note_replacement(state, seat, memo)
    elif action == A_REBIRTH_YES:
        note_replacement(state, seat, memo)
        note_income(tables, state, seat, memo)
        note_points_of_turn(state.live, state.tokens_lost[seat], seat, state, memo)


@kernel(inner=True)
def note_draw(tables: Any, state: Any, kind: int, memo: Any) -> None:
    """Remember what the bag held when a tile was drawn: its chance under random assignment."""
    gap = next_gap(tables, state)
    number = 0
    rest = state.bag
    while rest:
        number += 1 if tables.kind_of[lowest(rest)] == kind else 0
        rest &= rest - 1
    memo.bag_total[gap // 2, gap % 2] = count(state.bag)
    memo.bag_kind[gap // 2, gap % 2] = number


@kernel(inner=True)
def note_offers(tables: Any, state: Any, seat: int, slot: int, memo: Any, rows: Any) -> None:
    """Write the choice set: every pair on the tray, and which was taken."""
    for offer in range(effects.pairs_on_tray(state)):
        index = new_row(rows, OFFERS)
        if index < 0:
            return
        row = rows.offers[index]
        first, second = state.tray[offer, 0], state.tray[offer, 1]
        row[0] = memo.game
        row[1] = state.turn
        row[2] = seat
        row[3] = memo.civilizations[seat]
        row[4] = offer
        row[5] = tables.kind_of[first]
        row[6] = tables.kind_of[second]
        row[7] = effects.price_of(tables, offer)
        row[8] = state.coins[offer] * tables.coin_value
        row[9] = effects.tokens_of_pair(tables, seat, first, second)
        row[10] = 1 if effects.can_afford(tables, state, seat, offer) else 0
        row[11] = 1 if offer == slot else 0


@kernel(inner=True)
def note_choice(tables: Any, state: Any, seat: int, slot: int, memo: Any, rows: Any) -> None:
    """Start the row of a new civilization; the one before becomes the old one, and an older one is finished."""
    is_setup = state.choices_made < state.seats
    if not is_setup:
        if memo.has_old[seat]:
            is_there = memo.old[seat, H_ENDED] == IN_DECLINE and occasion(state) != BY_WIPE_OUT
            memo.old[seat, H_ENDED] = REPLACED if is_there else LOST
            write_holding(memo.old[seat], rows)
        for column in range(HOLDING):
            memo.old[seat, column] = memo.young[seat, column]
        memo.old[seat, H_ENDED] = IN_DECLINE if state.decline[seat] else LOST
        memo.has_old[seat] = 1
        memo.declines[seat] += 1
    young = memo.young[seat]
    young[:] = 0
    young[H_GAME] = memo.game
    young[H_SEAT] = seat
    young[H_HOLDING] = memo.civilizations[seat]
    young[H_FIRST] = tables.kind_of[state.tray[slot, 0]]
    young[H_SECOND] = tables.kind_of[state.tray[slot, 1]]
    young[H_OBTAINED] = SETUP if is_setup else occasion(state)
    young[H_ROUND] = 0 if is_setup else state.round_number
    young[H_SLOT] = slot
    young[H_PRICE] = effects.price_of(tables, slot)
    young[H_COINS] = state.coins[slot] * tables.coin_value
    young[H_TOKENS] = effects.tokens_of_pair(tables, seat, state.tray[slot, 0], state.tray[slot, 1])
    young[H_BEFORE] = state.score[seat]
    young[H_BAG] = memo.bag_total[slot, 0]
    young[H_BAG_FIRST] = memo.bag_kind[slot, 0]
    young[H_BAG_SECOND] = memo.bag_kind[slot, 1]
    memo.civilizations[seat] += 1
    for later in range(slot, SLOTS - 1):
        for place in range(2):
            memo.bag_total[later, place] = memo.bag_total[later + 1, place]
            memo.bag_kind[later, place] = memo.bag_kind[later + 1, place]


@kernel(inner=True)
def note_replacement(state: Any, seat: int, memo: Any) -> None:
    """Remember whether the empire in decline, about to make room for another, still had a province."""
    if memo.has_old[seat] and state.decline[seat] == 0:
        memo.old[seat, H_ENDED] = LOST


@kernel(inner=True)
def occasion(state: Any) -> int:
    """Return on what occasion a civilization is chosen during play; a declared decline counts as one in any case."""
    if state.live[at.R_KIND] == REBIRTH_TURN:
        return BY_REBIRTH
    return BY_WIPE_OUT if state.decisions == 0 else BY_DECLINE


@kernel(inner=True)
def note_points_of_turn(report: Any, lost: int, seat: int, state: Any, memo: Any) -> None:
    """Add a played turn's points, and the tokens lost before it, to the civilizations that earned and lost them."""
    young = memo.young[seat]
    young[H_TURNS_ACTIVE] += 1
    young[H_POINTS_ACTIVE] += report[at.R_ACTIVE]
    young[H_POINTS_KILLS] += report[at.R_KILLS]
    young[H_LOST] += lost
    young[H_MOST_PROVINCES] = max(young[H_MOST_PROVINCES], count(state.active[seat]))
    if memo.has_old[seat] and state.decline[seat] != 0:
        memo.old[seat, H_TURNS_DECLINE] += 1
        memo.old[seat, H_POINTS_DECLINE] += report[at.R_DECLINE]


@kernel(inner=True)
def write_holding(holding: Any, rows: Any) -> None:
    """Write the finished row of a civilization."""
    index = new_row(rows, HOLDINGS)
    if index >= 0:
        for column in range(HOLDING):
            rows.holdings[index, column] = holding[column]


@answers(questions.measure_turn, STATE)
def measure_turn(tables: Any, state: Any, memo: Any, rows: Any) -> None:
    """Write the row of the turn that has just ended and keep the sums of its civilizations and provinces."""
    report = state.done
    seat, kind = report[at.R_SEAT], report[at.R_KIND]
    if kind == PLAY_TURN:
        note_points_of_turn(report, report[at.R_LOST], seat, state, memo)
    elif kind == DECLINE_TURN:
        memo.old[seat, H_LOST] += report[at.R_LOST]
        memo.old[seat, H_TURNS_DECLINE] += 1
        memo.old[seat, H_POINTS_DECLINE] += report[at.R_DECLINE]
    if kind != REBIRTH_TURN:
        note_income(tables, state, seat, memo)
    memo.conquests[seat] += report[at.R_CONQUESTS]
    memo.kills[seat] += report[at.R_KILLED]
    memo.lost[seat] += report[at.R_LOST]
    note_places(tables, state, memo)
    write_turn(tables, state, memo, rows)


@kernel(inner=True)
def write_turn(tables: Any, state: Any, memo: Any, rows: Any) -> None:
    """Write one row of the table ``turns``."""
    index = new_row(rows, TURNS)
    if index < 0:
        return
    row, report = rows.turns[index], state.done
    seat, kind = report[at.R_SEAT], report[at.R_KIND]
    row[0] = memo.game
    row[1] = state.turn - 1
    row[2] = report[at.R_ROUND]
    row[3] = seat
    row[4] = kind
    row[5] = report[at.R_BEFORE]
    row[6] = report[at.R_PEAK]
    row[7] = report[at.R_AFTER]
    row[8] = report[at.R_ACTIVE]
    row[9] = report[at.R_KILLS]
    row[10] = report[at.R_DECLINE]
    row[11] = report[at.R_PAID]
    row[12] = report[at.R_RECEIVED]
    row[13] = report[at.R_CONQUESTS]
    row[14] = report[at.R_KILLED]
    row[15] = report[at.R_LOST]
    row[16] = report[at.R_CONTACT]
    row[17] = count(state.active[seat])
    row[18] = count(state.decline[seat])
    row[19] = costs.lasting_tokens(state, seat)
    row[20] = state.score[seat] - best_other_score(state, seat)
    row[21] = memo.civilizations[seat] - 1 - (0 if kind == PLAY_TURN else 1)


@kernel(inner=True)
def best_other_score(state: Any, seat: int) -> int:
    """Return the best score among the other seats."""
    best = -(2**40)
    for other in range(state.seats):
        if other != seat and state.score[other] > best:
            best = state.score[other]
    return best


@kernel(inner=True)
def note_places(tables: Any, state: Any, memo: Any) -> None:
    """Count what each province was at the end of a turn."""
    old, active = 0, 0
    for seat in range(state.seats):
        active |= state.active[seat]
        old |= state.decline[seat]
    everywhere = first(tables.provinces)
    count_places(memo.places, P_ACTIVE, active)
    count_places(memo.places, P_DECLINE, old)
    count_places(memo.places, P_NEUTRAL, state.neutral)
    count_places(memo.places, P_EMPTY, everywhere & ~(active | old | state.neutral))


@kernel(inner=True)
def count_places(places: Any, column: int, provinces: int) -> None:
    """Add 1 in a column for each province of a set."""
    while provinces:
        places[lowest(provinces), column] += 1
        provinces &= provinces - 1


@kernel(inner=True)
def note_income(tables: Any, state: Any, seat: int, memo: Any) -> None:
    """Add the half points each province gives the seat this turn."""
    provinces = state.active[seat]
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        memo.places[province, P_INCOME] += effects.province_halves(tables, state, seat, province)
    provinces = state.decline[seat]
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        memo.places[province, P_INCOME] += effects.old_province_halves(tables, state, seat, province)


@answers(questions.measure_end, STATE)
def measure_end(tables: Any, state: Any, memo: Any, rows: Any) -> None:
    """Write the rows of the finished game and of the civilizations still there."""
    for seat in range(state.seats):
        if memo.has_old[seat]:
            if state.decline[seat] == 0:
                memo.old[seat, H_ENDED] = LOST
            write_holding(memo.old[seat], rows)
        memo.young[seat, H_CENSORED] = 1
        memo.young[seat, H_LOST] += state.tokens_lost[seat]  # after the seat's last turn
        memo.lost[seat] += state.tokens_lost[seat]
        write_holding(memo.young[seat], rows)
        write_game(tables, state, seat, memo, rows)
    if rows.is_full:
        return  # this game will be played again
    for province in range(tables.provinces):
        for column in range(P_CONQUESTS, P_INCOME + 1):
            rows.places[province, column] += memo.places[province, column]


@kernel(inner=True)
def write_game(tables: Any, state: Any, seat: int, memo: Any, rows: Any) -> None:
    """Write one row of the table ``games``; the agent is filled in by the caller, who knows its name."""
    index = new_row(rows, GAMES)
    if index < 0:
        return
    row, best = rows.games[index], winners(tables, state)
    better = 0
    for other in range(state.seats):
        better += 1 if state.score[other] > state.score[seat] else 0
    trigger = 2 if state.is_stalled else (0 if state.is_last_round else 1)
    row[0] = memo.game
    row[1] = seat
    row[2] = 0
    row[3] = place_in_order(state, seat)
    row[4] = state.score[seat]
    row[5] = better + 1
    row[6] = count(best)
    row[7] = 1 if contains(best, seat) else 0
    row[8] = state.round_number
    row[9] = state.turns_taken[seat]
    row[10] = trigger
    row[11] = state.is_stalled
    row[12] = state.earned[seat]
    row[13] = state.paid[seat]
    row[14] = state.received[seat]
    row[15] = memo.civilizations[seat]
    row[16] = memo.declines[seat]
    row[17] = memo.conquests[seat]
    row[18] = memo.kills[seat]
    row[19] = memo.lost[seat]
    row[20] = memo.decisions[seat]
