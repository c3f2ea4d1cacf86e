"""Vinci: what is impossible about a position, in sentences.

These checks read the record and the printed numbers with plain Python and use none of the compiled rules, so that they
can find the rules at fault.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.words import SLOT_NAMES, vocabulary

SMALLEST_PAIR = 2  # tiles the bag needs to fill a slot of the tray
CONQUERING = range(at.CONQUEST, at.PLACE)  # phases in which a free conquest may stand without a token


def status(rules: Ruleset, state: Any) -> list[str]:
    """Return what is impossible about a position, a sentence each; an empty list for a possible one."""
    board = _Board(rules, state)
    checks = (
        _moment,
        _end,
        _owners,
        _tokens,
        _forts,
        _tiles,
        _civilizations,
        _hands,
        _contact,
        _cohesion,
        _scores,
        _coins,
        _tray,
        _peace,
    )
    return [sentence for check in checks for sentence in check(board)]


class _Board:
    """A position in plain Python: sets of names instead of bits."""

    def __init__(self, rules: Ruleset, state: Any) -> None:
        words = vocabulary(rules)
        self.tables, self.state = rules.tables, state
        self.names, self.kinds = words.provinces, words.kinds
        self.seats = range(rules.seats)
        self.active = [_members(state.active[seat]) for seat in self.seats]
        self.decline = [_members(state.decline[seat]) for seat in self.seats]
        self.neutral, self.forts = _members(state.neutral), _members(state.forts)
        self.automata = _members(rules.tables.automata)
        self.order = turn_order(state, len(self.seats))
        self.owned = {place for places in (*self.active, *self.decline) for place in places}

    def name(self, province: int) -> str:
        return self.names[province] if province < len(self.names) else f"province {province}"

    def list(self, provinces: set[int]) -> str:
        return ", ".join(self.name(place) for place in sorted(provinces))

    def tile(self, copy: int) -> str:
        known = 0 <= copy < int(self.tables.copies)
        return f"{self.kinds[int(self.tables.kind_of[copy])]} (tile {copy})" if known else f"tile {copy}"

    def has(self, seat: int, column: int) -> bool:
        """Return whether a tile of the seat's active civilization has a modifier."""
        copies = [int(copy) for copy in self.state.tile[seat]]
        return any(
            self.tables.tiles[int(self.tables.kind_of[copy])][column]
            for copy in copies
            if 0 <= copy < int(self.tables.copies)
        )

    def borders(self, province: int) -> set[int]:
        return _members(self.tables.bordering[province]) if province < len(self.names) else set()

    def links(self, province: int) -> set[int]:
        return _members(self.tables.linked[province]) if province < len(self.names) else set()


def turn_order(state: Any, seats: int) -> list[int]:
    """Return the seats in turn order, or nothing if they are no circle."""
    order = [int(state.start_seat)]
    while 0 <= order[-1] < seats and len(order) <= seats:
        order.append(int(state.seat_after[order[-1]]))
    return order[:seats] if sorted(order[:seats]) == list(range(seats)) and order[0] == order[-1] else []


def _members(number: int) -> set[int]:
    return {place for place in range(64) if int(number) >> place & 1}


def _moment(board: _Board) -> Iterator[str]:
    state, seats = board.state, len(board.seats)
    if not 0 <= state.phase <= at.OVER:
        yield f"phase: there is no phase {state.phase}; allowed: 0 to {at.OVER}"
    for name in ("turn_seat", "start_seat"):
        if not 0 <= state[name] < seats:
            yield f"{name}: there is no seat {state[name]}; allowed: 0 to {seats - 1}"
    if not board.order:
        yield "turn order: playing seat after seat does not come to each seat once and back to the starting seat"
    if state.phase == at.SURVIVORS and state.placing_seat not in board.seats:
        yield f"placing_seat: there is no seat {state.placing_seat}; allowed: 0 to {seats - 1}"
    if state.turn < 0:
        yield f"turn: {state.turn} turns cannot have been finished"
    is_setting_up = state.choices_made < seats
    if is_setting_up and state.turn:
        yield f"turn: {state.turn} turns are finished, though only {state.choices_made} seats have chosen a pair"
    if not is_setting_up and at.TURN_START <= state.phase < at.OVER:
        if state.round_number != state.turn // seats + 1:
            yield f"round: {state.round_number} does not fit {state.turn} finished turns of {seats} seats"
        if board.order and state.turn_seat != board.order[state.turn % seats]:
            yield f"turn_seat: it cannot be {state.turn_seat}, {state.turn} turns after seat {state.start_seat} began"


def _end(board: _Board) -> Iterator[str]:
    """Check that the game goes on as long as it must, and no longer than it may."""
    state, tables = board.state, board.tables
    limit, threshold = int(tables.rounds_limit), int(tables.victory_threshold)
    best = max(int(state.score[seat]) for seat in board.seats)
    if limit and state.is_last_round:
        yield f"last round: no score makes a round the last, {limit} rounds are played"
    if not limit and tables.threshold_rule == 0 and best >= threshold and not state.is_last_round:
        yield f"last round: {best} points are reached and {threshold} end the game, but the round is not the last"
    if state.phase == at.OVER:
        if not (state.is_last_round or state.is_stalled or state.round_number == limit):
            yield "phase: the game is over without a reason"
        if state.turn % len(board.seats):
            yield f"phase: the game is over in the middle of a round, after {state.turn} turns"


def _owners(board: _Board) -> Iterator[str]:
    owners = [(f"the empire of seat {seat}", board.active[seat]) for seat in board.seats]
    owners += [(f"the empire in decline of seat {seat}", board.decline[seat]) for seat in board.seats]
    owners.append(("the neutral provinces", board.neutral))
    times = Counter(place for _, places in owners for place in places)
    for place in sorted(times):
        if place >= len(board.names):
            yield f"province {place}: is not on the map, which has {len(board.names)}"
        elif times[place] > 1:
            holders = " and ".join(owner for owner, places in owners if place in places)
            yield f"{board.name(place)}: belongs to {holders}"


def _tokens(board: _Board) -> Iterator[str]:
    state = board.state
    declining = set().union(*board.decline)
    is_conquering = state.phase in CONQUERING and state.turn_seat in board.seats
    free = board.active[int(state.turn_seat)] if is_conquering else set()
    for place, tokens in enumerate(int(number) for number in state.tokens):
        if place in board.neutral:
            if tokens != 1:
                yield f"{board.name(place)}: has {tokens} neutral tokens; allowed: 1"
        elif place in declining:
            if tokens < 1 or (tokens > 1 and not board.tables.tiles[:, at.PHILOSOPHY].any()):
                yield f"{board.name(place)}: has {tokens} tokens in decline; allowed: 1"
        elif place in board.owned:
            if tokens < (0 if place in free else 1):
                yield f"{board.name(place)}: has {tokens} tokens of an active empire; allowed: 1 or more"
        elif tokens:
            yield f"{board.name(place)}: has {tokens} tokens but belongs to nobody"


def _forts(board: _Board) -> Iterator[str]:
    if astray := board.forts - board.owned:
        yield f"forts: stand in {board.list(astray)}, which no empire owns"


def _tiles(board: _Board) -> Iterator[str]:
    state = board.state
    found = Counter(copy for name in ("bag", "aside", "unreturned") for copy in _members(state[name]))
    for name in ("tray", "tile", "old_tile"):
        found += Counter(int(copy) for copy in state[name].flat if copy >= 0)
    for copy in range(int(board.tables.copies)):
        if found[copy] != 1:
            where = "is nowhere" if found[copy] == 0 else f"is in {found[copy]} places at once"
            yield f"tiles: {board.tile(copy)} {where}"
    for copy in sorted(copy for copy in found if copy >= board.tables.copies):
        yield f"tiles: there is no tile {copy}; allowed: 0 to {int(board.tables.copies) - 1}"


def _civilizations(board: _Board) -> Iterator[str]:
    for seat in board.seats:
        held = sum(copy >= 0 for copy in board.state.tile[seat])
        if held == 1:
            yield f"seat {seat}: holds one tile of a civilization; allowed: two or none"
        if held == 0 and board.active[seat]:
            yield f"seat {seat}: owns {board.list(board.active[seat])} without a civilization"
        old = [int(copy) for copy in board.state.old_tile[seat] if 0 <= copy < board.tables.copies]
        for copy in old:
            if not board.tables.tiles[int(board.tables.kind_of[copy])][at.LASTS_IN_DECLINE]:
                yield f"seat {seat}: {board.tile(copy)} does not stay with an empire in decline"


def _hands(board: _Board) -> Iterator[str]:
    state = board.state
    for seat in board.seats:
        if state.hand[seat] < 0:
            yield f"seat {seat}: has {state.hand[seat]} tokens in hand; allowed: 0 or more"
        if state.phase == at.TURN_START and board.active[seat] and state.hand[seat]:
            yield f"seat {seat}: keeps {state.hand[seat]} tokens in hand between turns though it has provinces"
    if state.temporary < 0 or (state.temporary and not at.PEACE <= state.phase < at.PLACE):
        yield f"temporary: {state.temporary} temporary tokens cannot be there outside the conquests of a turn"


def _contact(board: _Board) -> Iterator[str]:
    for seat in board.seats:
        if board.has(seat, at.HERITAGE):
            continue
        for place in sorted(board.active[seat]):
            if touched := board.borders(place) & board.decline[seat]:
                yield f"{board.name(place)}: borders {board.list(touched)} of the same seat {seat} in decline"


def _cohesion(board: _Board) -> Iterator[str]:
    """Check the seat that moved last, as long as nobody has moved since; the rule does not bind automata."""
    state = board.state
    seat = int(state.done[at.R_SEAT])
    is_due = state.turn > 0 and state.phase == at.TURN_START and seat in board.seats
    if not is_due or seat in board.automata or board.has(seat, at.MESSAGES):
        return
    rest = set(board.active[seat])
    edge = {min(rest)} if rest else set()
    while edge:
        rest -= edge
        step = board.links if board.has(seat, at.ASTRONOMY) else board.borders
        edge = {near for place in edge for near in step(place)} & rest
    if rest:
        yield f"seat {seat}: its empire is in pieces after its turn; {board.list(rest)} hangs apart"


def _scores(board: _Board) -> Iterator[str]:
    state, tables = board.state, board.tables
    for seat in board.seats:
        earned, paid, received = (int(state[name][seat]) for name in ("earned", "paid", "received"))
        start = int(tables.automaton_start_score if seat in board.automata else tables.start_score)
        if state.phase != at.START_SEAT and seat in board.order:
            start += int(tables.start_bonus[board.order.index(seat)])
        right = start + earned - paid + received
        if state.score[seat] != right:
            yield (
                f"seat {seat}: has {state.score[seat]} points; {start} at the start + {earned} earned "
                f"- {paid} paid + {received} received make {right}"
            )
        if state.score[seat] < 0 and tables.price_rule == 0:
            yield f"seat {seat}: has {state.score[seat]} points, but prices are paid beforehand from what one has"


def _coins(board: _Board) -> Iterator[str]:
    state, tables = board.state, board.tables
    for slot in range(at.SLOTS):
        coins = int(state.coins[slot])
        if coins < 0 or (coins and (state.tray[slot] < 0).any()):
            yield f"pair {SLOT_NAMES[slot]}: has {coins} coins on {sum(state.tray[slot] >= 0)} tiles"
    price, value = int(tables.price_per_skip), int(tables.coin_value)
    if price > 0 and value > 0:
        put = sum(int(paid) for paid in state.paid) / price
        taken = sum(int(received) for received in state.received) / value
        if put - taken != sum(int(coins) for coins in state.coins):
            yield f"coins: {put:g} were put on pairs and {taken:g} taken, but {int(state.coins.sum())} lie on the tray"


def _tray(board: _Board) -> Iterator[str]:
    state = board.state
    filled = [bool((state.tray[slot] >= 0).all()) for slot in range(at.SLOTS)]
    if sorted(filled, reverse=True) != filled:
        yield f"tray: pair {SLOT_NAMES[filled.index(False)]} is missing though there are pairs after it"
    is_drawing = state.phase in (at.START_SEAT, at.DRAW, at.NEXT_SEAT)
    if not is_drawing and not all(filled) and len(_members(state.bag)) >= SMALLEST_PAIR:
        yield f"tray: {sum(filled)} pairs lie ready though the bag could fill {at.SLOTS}"


def _peace(board: _Board) -> Iterator[str]:
    for seat in board.seats:
        for other in sorted(_members(board.state.peace[seat])):
            if other == seat or other not in board.seats:
                yield f"seat {seat}: cannot make peace with seat {other}"
