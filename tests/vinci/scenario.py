"""Positions written by hand and played in words, for tests that read like the rulebook.

A scenario starts from the board of the set-up. Its builders write the position (``civ``, ``own``, ``in_decline``,
``empty``, ``fortify``, ``tray``, ``points``), ``turn`` hands the move to a seat, and ``do("conquer Poland")`` plays.
Tiles are conserved: what is neither held nor on the tray is in the bag. Seats are numbers from 0.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from tests.vinci.words import (
    FILLERS,
    PLAIN_ENDINGS,
    PROVINCE_WORDS,
    PROVINCES,
    SLOT_NAMES,
    WORDS,
    bits,
    decode,
    names,
    province,
)
from vinci_lab.engine import entries
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, copy_record, new_record
from vinci_lab.games.vinci import rules as _answers  # noqa: F401, registers the answers of the game
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as layout
from vinci_lab.games.vinci.ruleset import load


@functools.cache
def rules_for(players: int, bag: str | None = None, changes: tuple[tuple[str, Any], ...] = ()) -> Any:
    """Return a ruleset, loaded once for each set of changes."""
    rules = load(players=players) if bag is None else load(players=players, bag=bag)
    return rules.replace(dict(changes)) if changes else rules


class Scenario:
    """One position with its rules.

    Parameters
    ----------
    players : int
        Number of seats.
    options : mapping, optional
        Readings of open points, by the names of ``rules_layout.OPTIONS``, or other numbers of the rules.
    bag : str, optional
        ``"first"`` for the first printing.
    key : int
        Of the chance events.
    """

    def __init__(
        self, players: int = 5, options: Mapping[str, Any] | None = None, bag: str | None = None, key: int = 1
    ) -> None:
        self.rules = rules_for(players, bag, tuple(sorted((options or {}).items())))
        self.tables = self.rules.tables
        self.kinds: list[str] = list(self.rules.content["tiles"])
        self.state = new_record(layout.STATE)
        self.log: list[dict[str, Any]] = []
        self.last: list[dict[str, Any]] = []
        self.is_chance_automatic = True
        entries.begin_game(self.tables, self.state, key)
        self._free = self._copies()
        self._filled = False
        self._tray: list[tuple[str, str]] = []

    # writing a position ---------------------------------------------------------------------------------------------
    def _copies(self) -> dict[str, list[int]]:
        free: dict[str, list[int]] = {}
        for copy in range(int(self.tables.copies)):
            free.setdefault(self.kinds[self.tables.kind_of[copy]], []).append(copy)
        return free

    def _take(self, kind: str) -> int:
        assert self._free.get(kind), f"no copy of {kind} is left"
        return self._free[kind].pop(0)

    def civ(self, seat: int, first: str, second: str, hand: int = 0, entered: bool = False) -> Scenario:
        """Give a seat a civilization and tokens off the board."""
        self.state.tile[seat] = self._take(first), self._take(second)
        self.state.hand[seat] = hand
        self.state.is_entered[seat] = int(entered)
        return self

    def own(self, seat: int, tokens: Mapping[str, int]) -> Scenario:
        """Put tokens of a seat's active empire into provinces."""
        for name, number in tokens.items():
            self.empty(name)
            self.state.active[seat] |= 1 << province(name)
            self.state.tokens[province(name)] = number
        self.state.is_entered[seat] = 1
        return self

    def in_decline(self, seat: int, provinces: Iterable[str], tiles: Iterable[str] = ()) -> Scenario:
        """Give a seat an empire in decline, and the tiles that stay with it."""
        for name in provinces:
            self.empty(name)
            self.state.decline[seat] |= 1 << province(name)
            self.state.tokens[province(name)] = 1
        for place, kind in enumerate(tiles):
            self.state.old_tile[seat, place] = self._take(kind)
        self.state.old_doubling[seat] = 1
        return self

    def empty(self, *provinces: str) -> Scenario:
        """Clear provinces."""
        for name in provinces:
            self.state.neutral &= ~(1 << province(name))
            self.state.tokens[province(name)] = 0
        return self

    def fortify(self, *provinces: str) -> Scenario:
        """Put a fort into each province."""
        self.state.forts |= bits(provinces)
        return self

    def points(self, seat: int, score: int) -> Scenario:
        """Set a seat's score."""
        self.state.score[seat] = score
        self.state.earned[seat] = score - self.tables.start_score
        return self

    def tray(self, *pairs: tuple[str, str]) -> Scenario:
        """Name the first pairs on the tray; the rest is filled with tiles no one uses."""
        self._tray = list(pairs)
        return self

    def coins(self, slot: str, number: int) -> Scenario:
        """Put coins on a slot of the tray."""
        self.state.coins[SLOT_NAMES.index(slot)] = number
        return self

    def _fill(self) -> None:
        """Deal the tiles that the test left open, and put the rest into the bag."""
        pairs = [(self._take(first), self._take(second)) for first, second in self._tray]
        spare = [kind for kind in FILLERS for _ in self._free.get(kind, ())]
        for seat in range(int(self.state.seats)):
            if self.state.tile[seat, 0] < 0:
                self.state.tile[seat] = self._take(spare.pop(0)), self._take(spare.pop(0))
                self.state.is_entered[seat] = 1
        while len(pairs) < layout.SLOTS:
            pairs.append((self._take(spare.pop()), self._take(spare.pop())))
        self.state.tray[:] = pairs
        self.state.bag = sum(1 << copy for copies in self._free.values() for copy in copies)
        self._filled = True

    # handing over the move ------------------------------------------------------------------------------------------
    def turn(self, seat: int, round_number: int = 2) -> Scenario:
        """Put a seat at the start of its turn; seat 0 is the starting seat."""
        state = self.state
        if not self._filled:
            self._fill()
        state.start_seat, state.turn_seat, state.placing_seat = 0, seat, seat
        state.phase, state.round_number, state.choices_made = layout.TURN_START, round_number, state.seats
        state.turn = (round_number - 1) * state.seats + seat
        state.turns_taken[: state.seats] = [round_number - 1 + (other < seat) for other in range(state.seats)]
        state.decisions = state.temporary = state.peace_left = state.spies_left = state.forts_left = 0
        state.live[:] = 0
        state.live[layout.R_SEAT], state.live[layout.R_ROUND] = seat, round_number
        state.live[layout.R_BEFORE] = state.live[layout.R_PEAK] = state.score[seat]
        return self

    def arrive(self, seat: int, round_number: int = 2) -> Scenario:
        """Let the seat before, which must have nothing to do, pass its turn, so that this seat's turn begins."""
        before = (seat - 1) % int(self.state.seats)
        assert self.state.active[before] == 0, "the seat before must have nothing to do"
        assert self.state.hand[before] == 0, "the seat before must have nothing to do"
        self.turn(before, round_number)
        self.do("play on")
        assert self.state.turn_seat == seat, "the turn did not pass on"
        return self

    def conquest(self, seat: int) -> Scenario:
        """Bring a seat from the start of its turn to its conquests."""
        return self.turn(seat).go_conquer()

    def go_conquer(self) -> Scenario:
        """Play on and gather without abandoning anything."""
        for step in ("play on", "end gather"):
            if step in self.legal():
                self.do(step)
        return self

    def deal(self, pairs: Iterable[tuple[str, str]], start: int = 0) -> Scenario:
        """Play the chance events of a real set-up with these six pairs."""
        self.is_chance_automatic = False
        self.do(f"start {start}")
        for pair in pairs:
            for kind in pair:
                self.do(f"draw {kind}")
        return self

    # playing --------------------------------------------------------------------------------------------------------
    def seat_to_decide(self) -> int:
        """Return the seat that owes a decision, or -1 at a chance event or the end."""
        mask = int(entries.deciders(self.tables, self.state))
        return mask.bit_length() - 1 if mask else CHANCE

    def legal_codes(self) -> list[int]:
        """Return the codes of the legal actions, or of the chance outcomes."""
        if entries.is_over(self.tables, self.state):
            return []
        seat = self.seat_to_decide()
        if seat == CHANCE:
            weights = np.zeros(layout.ACTIONS)
            entries.chance_outcomes(self.tables, self.state, weights)
            return [int(code) for code in np.flatnonzero(weights)]
        mask = np.zeros(layout.ACTIONS, np.uint8)
        number = entries.legal_actions(self.tables, self.state, seat, mask)
        codes = [int(code) for code in np.flatnonzero(mask)]
        assert number == len(codes), f"{number} legal actions were counted, {len(codes)} are marked"
        return codes

    def say(self, code: int) -> str:
        """Return an action in words."""
        for word, number in WORDS.items():
            if code == number:
                return word
        for word, number in PROVINCE_WORDS.items():
            if number <= code < number + len(PROVINCES):
                return f"{word} {PROVINCES[code - number]}"
        if code < layout.SLOTS:
            return f"choose {SLOT_NAMES[code]}"
        if layout.A_PEACE <= code < layout.A_PEACE + layout.SEATS:
            return f"peace {code - layout.A_PEACE}"
        if layout.A_START <= code < layout.A_START + layout.SEATS:
            return f"start {code - layout.A_START}"
        assert layout.A_DRAW <= code < layout.ACTIONS, f"action {code} has no words"
        return f"draw {self.kinds[code - layout.A_DRAW]}"

    def legal(self, word: str = "") -> set[str]:
        """Return the legal actions in words; with ``word``, what follows that word in those that begin with it."""
        said = {self.say(code) for code in self.legal_codes()}
        return {text.removeprefix(word + " ") for text in said if text.startswith(word + " ")} if word else said

    def do(self, *texts: str) -> Scenario:
        """Play actions one after the other; chance events that follow are drawn unless held back."""
        self.last = []
        for text in texts:
            codes = {self.say(code): code for code in self.legal_codes()}
            assert text in codes, f"{text!r} is not legal; legal: {sorted(codes)}"
            self._apply(self.seat_to_decide(), codes[text])
            while self.is_chance_automatic and self.is_at_chance():
                self._apply(CHANCE, entries.draw_chance(self.tables, self.state, self.state.key))
        return self

    def is_at_chance(self) -> bool:
        """Return whether a chance event comes next."""
        return self.seat_to_decide() == CHANCE and not self.is_over()

    def _apply(self, seat: int, code: int) -> None:
        events = new_record(EVENTS)
        events.is_on = 1
        entries.apply_action(self.tables, self.state, seat, code, events)
        self.last += decode(events)
        self.log += decode(events)

    def conquer(self, name: str) -> int:
        """Conquer a province and return the tokens it cost."""
        expected = self.cost(name)
        seat, hand = int(self.state.turn_seat), int(self.state.hand[self.state.turn_seat])
        self.do(f"conquer {name}")
        (conquest,) = self.found("conquest", self.last)
        assert conquest["cost"] == expected, "the cost announced and the cost taken differ"
        if self.state.phase == layout.CONQUEST:
            assert self.state.hand[seat] == hand - expected, "another number of tokens left the hand"
        return expected

    def finish(self) -> Scenario:
        """End the turn in the plainest way: no more conquests, first legal placements, no fort, no rebirth."""
        seat, turns = int(self.state.turn_seat), int(self.state.turn)
        seen: list[dict[str, Any]] = []
        while not self.is_over() and self.state.turn == turns and self.state.turn_seat == seat:
            legal = [self.say(code) for code in self.legal_codes()]
            plain = [text for text in ("play on", "end conquest", *PLAIN_ENDINGS) if text in legal]
            self.do(plain[0] if plain else legal[0])
            seen += self.last
        self.last = seen
        return self

    def play_to(self, phase: str) -> Scenario:
        """Play in the plainest way until a phase asks somebody."""
        while self.phase() != phase:
            assert not self.is_over(), f"the game ended before the phase {phase}"
            legal = [self.say(code) for code in self.legal_codes()]
            plain = [text for text in ("play on", "end conquest", *PLAIN_ENDINGS) if text in legal]
            self.do(plain[0] if plain else legal[0])
        return self

    def pass_until(self, seat: int) -> Scenario:
        """Let the seats play their turns in the plainest way until a seat's turn begins."""
        self.finish()
        while self.state.turn_seat != seat and not self.is_over():
            self.finish()
        return self

    # looking --------------------------------------------------------------------------------------------------------
    def is_over(self) -> bool:
        """Return whether the game has ended."""
        return bool(entries.is_over(self.tables, self.state))

    def found(self, event: str, among: list[dict[str, Any]] | None = None) -> list[dict[str, Any]]:
        """Return the events of one kind since the scenario began, or among some events."""
        return [row for row in (self.log if among is None else among) if row["event"] == event]

    def scored(self, seat: int) -> dict[str, Any]:
        """Return the latest scoring of a seat."""
        return [row for row in self.found("scored") if row["seat"] == seat][-1]

    def cost(self, name: str, seat: int | None = None) -> int:
        """Return what a normal conquest would cost a seat, by default the seat whose turn it is."""
        attacker = int(self.state.turn_seat) if seat is None else seat
        return int(costs.conquest_cost(self.tables, self.state, attacker, province(name)))

    def reach(self, seat: int | None = None) -> set[str]:
        """Return the provinces a seat could conquer, cost aside."""
        attacker = int(self.state.turn_seat) if seat is None else seat
        return names(costs.reachable(self.tables, self.state, attacker))

    def worth(self, seat: int) -> int:
        """Return the points a seat's active empire would score now."""
        return int(effects.active_points(self.tables, self.state, seat))

    def old_worth(self, seat: int) -> int:
        """Return the points a seat's empire in decline would score now."""
        return int(effects.decline_points(self.tables, self.state, seat))

    def trait(self, seat: int, column: int) -> int:
        """Return a modifier of a seat's active civilization."""
        return int(costs.trait(self.tables, self.state, seat, column))

    def phase(self) -> str:
        """Return the name of the phase."""
        return layout.PHASE_NAMES[self.state.phase]

    def empire(self, seat: int) -> set[str]:
        """Return the provinces of a seat's active empire."""
        return names(self.state.active[seat])

    def old_empire(self, seat: int) -> set[str]:
        """Return the provinces of a seat's empire in decline."""
        return names(self.state.decline[seat])

    def tokens(self, name: str) -> int:
        """Return the tokens in a province, forts not counted."""
        return int(self.state.tokens[province(name)])

    def hand(self, seat: int) -> int:
        """Return a seat's tokens off the board."""
        return int(self.state.hand[seat])

    def board(self, seat: int) -> int:
        """Return the tokens of a seat's active empire on the board."""
        return sum(self.tokens(name) for name in self.empire(seat))

    def score(self, seat: int) -> int:
        """Return a seat's score."""
        return int(self.state.score[seat])

    def has_fort(self, name: str) -> bool:
        """Return whether a fort stands in a province."""
        return bool(self.state.forts >> province(name) & 1)

    def is_empty(self, name: str) -> bool:
        """Return whether a province holds nothing at all."""
        held = int(self.state.neutral | self.state.forts)
        for seat in range(int(self.state.seats)):
            held |= int(self.state.active[seat] | self.state.decline[seat])
        return self.tokens(name) == 0 and not held >> province(name) & 1

    def held_kinds(self, copies: Iterable[int]) -> list[str]:
        """Return the kinds of some tile copies, without empty places."""
        return sorted(self.kinds[self.tables.kind_of[copy]] for copy in copies if copy >= 0)

    def bag_kinds(self) -> list[str]:
        """Return the kinds of the tiles in the bag."""
        return self.held_kinds(copy for copy in range(int(self.tables.copies)) if int(self.state.bag) >> copy & 1)

    def shares(self) -> list[float]:
        """Return each seat's share of the win."""
        values = np.zeros(layout.SEATS)
        entries.returns(self.tables, self.state, values)
        return [float(value) for value in values[: self.state.seats]]

    def audit(self) -> int:
        """Return the broken invariants the rules themselves report."""
        return int(entries.audit(self.tables, self.state))

    def copy(self) -> Scenario:
        """Return an independent scenario at the same position."""
        twin = object.__new__(Scenario)
        twin.__dict__.update(self.__dict__)
        twin.state, twin.log, twin.last = copy_record(self.state), list(self.log), list(self.last)
        twin._free = {kind: list(copies) for kind, copies in self._free.items()}
        return twin
