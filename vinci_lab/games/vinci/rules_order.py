"""Vinci: who sits at the table, what they start with, and in which order they play."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.bits import contains, first, lowest, member
from vinci_lab.engine.chance import word
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.records import emit
from vinci_lab.games.vinci import rules_layout as at


@kernel
def start_score(tables: Any, seat: int) -> int:
    """Return the points a seat starts with; automata may start with more ("Increasing the Difficulty")."""
    return tables.automaton_start_score if contains(tables.automata, seat) else tables.start_score


@kernel
def points_at_start(tables: Any, state: Any, seat: int) -> int:
    """Return the points a seat has started with: those of its place come when the turn order is known."""
    score = start_score(tables, seat)
    return score if state.phase == at.START_SEAT else score + tables.start_bonus[place_in_order(state, seat)]


@kernel(inner=True)
def start_the_play(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Name the starting seat, which will choose first once the tray is laid out, or the next in turn order.

    Turns go clockwise (Rulebook, "Setting Up"). With automata the whole order is random ("Solitaire and Two-Player
    Game", Start of the Game): seat after seat is drawn, the last one is then known.
    """
    if state.cursor == 0:
        state.start_seat = seat
        state.turn_seat = seat
        emit(events, at.E_SEAT, (seat,))
    else:
        latest = seat_at(state, state.cursor - 1)
        move_behind(state, seat, latest)
        emit(events, at.E_FOLLOWS, (seat, latest))
    state.cursor += 1
    if tables.automata != 0 and state.cursor < state.seats - 1:
        return
    for place in range(state.seats):
        state.score[seat_at(state, place)] += tables.start_bonus[place]
    state.cursor = 0
    state.phase = at.DRAW
    state.after_draw = at.CHOOSE


@kernel(inner=True)
def move_behind(state: Any, seat: int, other: int) -> None:
    """Let a seat play after another one, and the rest in the order they had."""
    if state.seat_after[other] == seat:
        return
    before = seat
    while state.seat_after[before] != seat:
        before = state.seat_after[before]
    state.seat_after[before] = state.seat_after[seat]
    state.seat_after[seat] = state.seat_after[other]
    state.seat_after[other] = seat


@kernel(inner=True)
def seat_at(state: Any, place: int) -> int:
    """Return the seat at a place of the turn order, 0 for the starting seat."""
    seat = state.start_seat
    for _ in range(place):
        seat = state.seat_after[seat]
    return seat


@kernel(inner=True)
def place_in_order(state: Any, seat: int) -> int:
    """Return a seat's place in the turn order, 0 for the starting seat."""
    place, other = 0, state.start_seat
    while other != seat and place < state.seats:
        other = state.seat_after[other]
        place += 1
    return place


@kernel(inner=True)
def undrawn_seats(state: Any) -> int:
    """Return the seats whose place in the turn order is still to be drawn."""
    left = first(state.seats)
    for place in range(state.cursor):
        left &= ~member(seat_at(state, place))
    return left


@kernel(inner=True)
def drawn_member(members: int, key: int, purpose: int, count: int) -> int:
    """Return a member of a set, all equally likely: each gets a random number, and the lowest is drawn.

    Another member more or less leaves the draw among the others as it was.
    """
    best, best_lot = -1, 0
    while members:
        one = lowest(members)
        members &= members - 1
        lot = word(key, purpose, one, count)
        if best < 0 or lot < best_lot:
            best, best_lot = one, lot
    return best
