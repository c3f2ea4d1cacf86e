"""What must hold in every position and across every action, checked by a second reading of the rules (case E9)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tests.vinci.referee import Referee, members
from tests.vinci.words import decode
from vinci_lab.engine import entries
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, copy_record, new_record
from vinci_lab.games.vinci import rules_layout as layout

UNSETTLED = (layout.KEEP, layout.DROP, layout.PLACE)  # the turn's seat is lifting and placing its tokens
BEFORE_PLAY = (layout.START_SEAT, layout.DRAW, layout.CHOOSE)
ACTIVE_PARTS = ("base", "province", "farmland", "pasture", "mine", "port", "mountain", "desert", "water")
PROVINCE_ACTIONS = range(layout.A_CONQUER, layout.A_CONQUER + layout.PROVINCES)
SPY_ACTIONS = range(layout.A_SPY, layout.A_SPY + layout.PROVINCES)


class Game:
    """A game in play that checks itself after every action.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    key : int
        Of the chance events.
    """

    def __init__(self, rules: Any, key: int) -> None:
        self.rules, self.tables, self.referee = rules, rules.tables, Referee(rules.tables)
        self.state = new_record(layout.STATE)
        entries.begin_game(self.tables, self.state, key)
        self.seats = range(int(self.state.seats))
        self.permanent = [0] * len(self.seats)
        self.kills = 0
        self.conquered: set[int] = set()
        self.actions: list[tuple[int, int]] = []
        self.events: list[dict[str, Any]] = []
        self.scored: dict[int, tuple[int, int]] = {}
        self.check_position()

    # playing --------------------------------------------------------------------------------------------------------
    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(entries.is_over(self.tables, self.state))

    @property
    def decider(self) -> int:
        """The seat that owes a decision, or CHANCE."""
        mask = int(entries.deciders(self.tables, self.state))
        assert mask.bit_count() <= 1, "two seats decide at once"
        return mask.bit_length() - 1 if mask else CHANCE

    def legal(self) -> list[int]:
        """Return the legal actions, or chance outcomes."""
        seat = self.decider
        if seat == CHANCE:
            weights = np.zeros(layout.ACTIONS)
            number = entries.chance_outcomes(self.tables, self.state, weights)
            codes = np.flatnonzero(weights)
        else:
            mask = np.zeros(layout.ACTIONS, np.uint8)
            number = entries.legal_actions(self.tables, self.state, seat, mask)
            codes = np.flatnonzero(mask)
        assert number == len(codes) > 0, "before the end there is always something to do"
        return [int(code) for code in codes]

    def drawn(self) -> int:
        """Return the chance outcome that the game's key decides."""
        return int(entries.draw_chance(self.tables, self.state, self.state.key))

    def apply(self, action: int) -> None:
        """Carry out an action and check everything."""
        seat, before = self.decider, copy_record(self.state)
        record = new_record(EVENTS)
        record.is_on = 1
        entries.apply_action(self.tables, self.state, seat, action, record)
        self.actions.append((seat, action))
        self.events = decode(record)
        self.check_events(before)
        self.check_position()
        self.check_legal_conquests()
        if self.is_over:
            self.check_end()

    # one position ---------------------------------------------------------------------------------------------------
    def check_position(self) -> None:
        """Check what holds between any two actions."""
        self.check_tiles()
        self.check_board()
        self.check_scores()
        assert entries.audit(self.tables, self.state) == 0, "the rules' own audit finds a fault"

    def check_tiles(self) -> None:
        """E9.1 and 12: every copy is in one place; the tray is full unless it is being refilled or pairs are dealt."""
        state = self.state
        held = [int(copy) for field in (state.tray, state.tile, state.old_tile) for copy in field.ravel() if copy >= 0]
        for loose in (state.bag, state.aside, state.unreturned):
            held += members(loose)
        assert sorted(held) == list(range(int(self.tables.copies))), "a tile is lost or doubled"
        if self.referee.option("price_rule") == "dealt":
            if state.phase not in (layout.START_SEAT, layout.DRAW):
                dealt = 2 if state.phase == layout.CHOOSE else 0
                assert (state.tray >= 0).sum() == dealt, "a pair is on the table that nobody is to take, or none is"
        elif state.phase not in (layout.START_SEAT, layout.DRAW):
            assert (state.tray >= 0).all(), "the tray has a gap"

    def check_board(self) -> None:
        """E9.2 to 4, 9 and 19: what a province can hold."""
        state, tables = self.state, self.tables
        owned: set[int] = set()
        for seat in self.seats:
            active, decline = members(state.active[seat]), members(state.decline[seat])
            assert not active & decline, "a province is active and in decline"
            assert not (active | decline) & owned, "a province has two owners"
            owned |= active | decline
            assert all(state.tokens[p] == 1 for p in decline), "a decline province holds one token"
            may_be_bare = seat == state.turn_seat and state.phase in (layout.CONQUEST, *UNSETTLED)
            assert all(state.tokens[p] >= (0 if may_be_bare else 1) for p in active), "an active province is bare"
            assert state.hand[seat] >= 0, "a hand is negative"
            if not self.referee.civ_of(state, seat)["heritage"]:
                touching = {q for p in active for q in self.referee.neighbours[p]} & decline
                assert not touching, "the two empires of a seat touch"
        neutral = members(state.neutral)
        assert not neutral & owned, "a neutral province has an owner"
        assert neutral <= members(tables.neutral_at_start), "a neutral token has come back"
        assert all(state.tokens[p] == 1 for p in neutral), "a neutral province holds one token"
        empty = set(range(layout.PROVINCES)) - owned - neutral
        assert all(state.tokens[p] == 0 for p in empty), "an empty province holds tokens"
        assert members(state.forts) <= owned, "a fort stands where nobody rules"

    def check_scores(self) -> None:
        """E9.11: points, prices and coins balance."""
        state, tables = self.state, self.tables
        order = [int(state.start_seat)]
        for _ in self.seats[1:]:
            order.append(int(state.seat_after[order[-1]]))
        for seat in self.seats:
            is_automaton = int(tables.automata) >> seat & 1
            start = tables.automaton_start_score if is_automaton else tables.start_score
            if state.phase != layout.START_SEAT:
                start += tables.start_bonus[order.index(seat)]
            made = start + state.earned[seat] - state.paid[seat] + state.received[seat]
            assert state.score[seat] == made, "a score is not what was earned, paid and received"
            assert state.score[seat] >= 0 or self.referee.option("price_rule") == "debt", "a score is below zero"
        coins = tables.coin_value * state.coins.sum()
        assert state.paid.sum() - state.received.sum() == coins, "prices, coins received and coins lying differ"
        is_reached = state.score[: len(self.seats)].max() >= tables.victory_threshold
        if is_reached and state.phase == layout.TURN_START:
            assert state.is_last_round, "the threshold is reached and the round is not the last"

    def check_legal_conquests(self) -> None:
        """E9.13: conquests offered are those in reach and affordable, no others."""
        state, referee = self.state, self.referee
        if self.is_over or state.phase != layout.CONQUEST:
            return
        seat, legal = int(state.turn_seat), set(self.legal())
        hand, reach = int(state.hand[seat]), referee.reach(state, seat)
        conquests = {p for p in reach if referee.cost(state, seat, p) <= hand}
        offered = {code - layout.A_CONQUER for code in legal & set(PROVINCE_ACTIONS)}
        if referee.option("zero_cost_must_hold") == "yes":
            assert offered <= conquests, "a conquest is offered out of reach or means"
        else:
            assert offered == conquests, "the conquests offered are not those in reach and means"
        is_entry = not members(state.active[seat])
        can_spy = state.spies_left > 0 and hand >= self.tables.spy_cost
        can_spy = can_spy and not (is_entry and referee.option("spy_on_entry") == "no")
        spied = {code - layout.A_SPY for code in legal & set(SPY_ACTIONS)}
        assert spied == (reach if can_spy else set()), "the spy's targets are not those in reach"
        must_go_on = is_entry and referee.option("must_enter") == "yes" and bool(offered | spied)
        assert (layout.A_END_CONQUEST in legal) is not must_go_on, "ending the conquests is wrongly offered or refused"

    # one action -----------------------------------------------------------------------------------------------------
    def check_events(self, before: Any) -> None:
        """Follow the events of one action from the position before it."""
        state = self.state
        assert not members(state.neutral) - members(before.neutral), "E9.3: the neutral provinces have grown"
        self.check_declines(before)
        forts = members(state.forts) - members(before.forts)
        built = {row["province"] for row in self.events if row["event"] == "fort"}
        assert forts == built, "a fort stands without an event"
        is_loss_active = False
        temporary = int(before.temporary)
        for row in self.events:
            name, seat = row["event"], row.get("seat", CHANCE)
            if name == "chosen":
                self.permanent[seat] = row["tokens"]
            elif name == "income":
                self.permanent[seat] += row["lasting"]
                temporary += row["temporary"]
            elif name == "decline":
                self.permanent[seat] = 0
            elif name == "conquest":
                is_loss_active = row["from_seat"] >= 0 and not row["from_decline"]
                self.check_conquest(before, row)
            elif name == "loss" and is_loss_active:
                assert row["lost"] == 1, "E9.6: a conquest costs an active defender one token"
                self.permanent[seat] -= 1
            elif name == "dropped" and self.referee.option("drop_tokens_lost") == "yes":
                gone = max(0, row["tokens"] - temporary)  # temporary tokens leave the pool first
                temporary = max(0, temporary - row["tokens"])
                self.permanent[seat] = max(0, self.permanent[seat] - gone)
            elif name == "scored":
                self.check_scoring(before, row)
        if state.phase not in UNSETTLED:
            for seat in self.seats:
                found = self.referee.permanent(state, seat)
                expected = self.permanent[seat]
                assert found == expected, f"E9.5: seat {seat} has {found} lasting tokens, not {expected}"
        if state.turn > before.turn:
            self.check_report(int(before.turn_seat))

    def check_conquest(self, before: Any, row: dict[str, Any]) -> None:
        """Check one conquest against the position before it: reach, peace, cost, losses, contact."""
        state, referee, seat, place = self.state, self.referee, row["seat"], row["province"]
        kind, owner = referee.holder(before, place)
        assert place in referee.reach(before, seat), "a conquest out of reach"
        assert place not in self.conquered, "E9.13: conquered twice in one turn"
        self.conquered.add(place)
        expected = int(self.tables.spy_cost) if row["is_spy"] else referee.cost(before, seat, place)
        assert row["cost"] == expected <= before.hand[seat], f"the cost is {row['cost']}, not {expected}"
        assert (row["from_seat"], bool(row["from_decline"])) == (owner, kind == "decline"), "another owner is named"
        if kind == "neutral" or (owner >= 0 and owner != seat):
            self.kills += 1
        if state.phase == layout.CONQUEST and state.turn == before.turn:
            assert state.tokens[place] == expected, "another number of tokens lies there"
            assert place in members(state.active[seat]), "the province was not taken"
            assert not int(state.forts) >> place & 1, "a fort outlived its province"
        losses = [other for other in self.events if other["event"] == "loss" and other["province"] == place]
        if kind == "active":
            assert [(other["seat"], other["survivors"]) for other in losses] == [(owner, before.tokens[place] - 1)]
        if not referee.civ_of(before, seat)["heritage"]:
            assert not referee.neighbours[place] & members(state.decline[seat]), "contact was not resolved"

    def check_declines(self, before: Any) -> None:
        """E9.17: an empire in decline never earns more than before."""
        fresh = {row["seat"] for row in self.events if row["event"] == "decline"}
        for seat in set(self.seats) - fresh:
            worth = [self.referee.decline_points(position, seat) for position in (before, self.state)]
            assert worth[1] <= worth[0], "an empire in decline has gained"
            assert members(self.state.decline[seat]) <= members(before.decline[seat]), "a decline has grown"

    def check_scoring(self, before: Any, row: dict[str, Any]) -> None:
        """E9.7, 8 and 10: the points of a turn, and the empire as it is left."""
        state, referee, seat = self.state, self.referee, row["seat"]
        civ, land = referee.civ_of(state, seat), members(state.active[seat])
        is_declining = any(other["event"] == "decline" and other["seat"] == seat for other in self.events)
        active = sum(row[part] for part in ACTIVE_PARTS)
        assert active == (0 if is_declining else referee.active_points(state, seat)), "active points"
        assert row["kills"] == (0 if is_declining else civ["vp_kill"] * self.kills), "points for kills"
        assert row["decline_base"] + row["decline_bonus"] == referee.decline_points(state, seat), "decline points"
        assert row["total"] == active + row["kills"] + row["decline_base"] + row["decline_bonus"], "their sum"
        assert state.earned[seat] - before.earned[seat] == row["total"], "the points are not on the track"
        if land and not is_declining:
            assert state.hand[seat] == 0, "tokens stay off the board"
            is_free = civ["messages"] or int(self.tables.automata) >> seat & 1
            assert is_free or len(referee.parts(land, bool(civ["astronomy"]))) == 1, "the empire is split"
        self.scored[seat] = len(self.conquered), self.kills
        self.kills, self.conquered = 0, set()

    def check_report(self, seat: int) -> None:
        """E9.10: the report of the turn just ended adds up to the seat's score."""
        report, at = self.state.done, layout
        assert report[at.R_SEAT] == seat, "the report is of another seat"
        assert (report[at.R_CONQUESTS], report[at.R_KILLED]) == self.scored[seat], "conquests and kills"
        gained = report[at.R_ACTIVE] + report[at.R_KILLS] + report[at.R_DECLINE]
        after = report[at.R_BEFORE] + gained - report[at.R_PAID] + report[at.R_RECEIVED]
        assert report[at.R_AFTER] == after == self.state.score[seat], "the report does not add up"
        assert report[at.R_PEAK] >= max(report[at.R_BEFORE], report[at.R_AFTER]), "the peak is no peak"

    def check_end(self) -> None:
        """E9.15: equal turns, a win of 1 in all, and the winners have the most points."""
        state, values = self.state, np.zeros(layout.SEATS)
        is_timed_out = state.round_number == self.tables.rounds_limit
        assert state.is_last_round or state.is_stalled or is_timed_out, "the game ended without a reason"
        turns, scores = state.turns_taken[: len(self.seats)], state.score[: len(self.seats)]
        assert len(set(turns.tolist())) == 1, "some seat had more turns"
        entries.returns(self.tables, state, values)
        assert abs(values.sum() - 1) < 1e-12, "the shares of the win do not add up"
        assert (values[len(self.seats) :] == 0).all(), "an absent seat wins"
        assert all(scores[seat] == scores.max() for seat in np.flatnonzero(values)), "a winner has fewer points"


def relabel(state: Any, shift: int) -> Any:
    """Return a position with every seat moved ``shift`` places on."""
    turned, seats = copy_record(state), int(state.seats)
    for name in layout.STATE.names or ():
        shape = layout.STATE[name].shape
        if shape and shape[0] == layout.SEATS and name not in ("tray", "coins"):
            turned[name][:seats] = np.roll(state[name][:seats], shift, axis=0)
    for seat in range(seats):
        partners = members(state.peace[seat])
        turned.peace[(seat + shift) % seats] = sum(1 << (other + shift) % seats for other in partners)
    turned.seat_after[:seats] = (turned.seat_after[:seats] + shift) % seats
    for name in ("start_seat", "turn_seat", "placing_seat"):
        turned[name] = (state[name] + shift) % seats
    return turned


def relabel_action(action: int, shift: int, seats: int) -> int:
    """Return an action with the seat it names moved ``shift`` places on."""
    for first in (layout.A_PEACE, layout.A_START):
        if first <= action < first + seats:
            return first + (action - first + shift) % seats
    return action


def differing_fields(one: Any, other: Any) -> Iterator[str]:
    """Yield the names of fields in which two positions differ, seat numbers of past reports and placings aside."""
    for name in layout.STATE.names or ():
        left, right = np.array(one[name]), np.array(other[name])
        if name in ("live", "done"):
            left, right = left[layout.R_SEAT + 1 :], right[layout.R_SEAT + 1 :]
        if name == "placing_seat" and one.phase != layout.SURVIVORS:
            continue
        if not np.array_equal(left, right):
            yield name


def pick(game: Game, number: int) -> int:
    """Return a legal action: mostly one that plays on, conquers and keeps, so that games get somewhere."""
    legal = game.legal()
    if game.decider == CHANCE:
        return game.drawn() if number % 2 else legal[number // 2 % len(legal)]
    dull = {layout.A_END_CONQUEST, layout.A_DECLINE, layout.A_NO_FORT, layout.A_REBIRTH_YES}
    dull |= set(range(layout.A_ABANDON, layout.A_ABANDON + layout.PROVINCES))
    lively = [code for code in legal if code not in dull]
    choices = lively if lively and number % 8 else legal
    return choices[number // 8 % len(choices)]
