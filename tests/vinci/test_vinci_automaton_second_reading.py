"""Whole games of automata, each decision held against a second reading of the rulebook in plain Python."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.vinci.invariants import Game
from tests.vinci.referee import members
from tests.vinci.scenario import rules_for
from vinci_lab.engine import entries
from vinci_lab.engine.chance import word
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import PLAN, new_record
from vinci_lab.games.vinci import rules_layout as layout

SPIED = range(layout.A_SPY, layout.A_SPY + 64)
CONQUERED = range(layout.A_CONQUER, layout.A_CONQUER + 64)
LARGE_SEAS = {"ATL", "NOR", "NSE", "BIS", "SME", "WHI"}


class SecondReading:
    """What the rulebook allows an automaton in a position, with the usual readings."""

    def __init__(self, game: Game, seat: int) -> None:
        self.state, self.seat, self.referee = game.state, seat, game.referee
        self.civ, self.tables = game.referee.civ_of(game.state, seat), game.tables
        self.own, self.old = members(game.state.active[seat]), members(game.state.decline[seat])
        rows = sorted(game.rules.content["map"]["provinces"].values(), key=lambda row: int(row["id"]))
        self.large = {place for place, row in enumerate(rows) if LARGE_SEAS & set(row["seas"])}
        self.lasting = game.referee.permanent(game.state, seat)

    def earns(self, place: int) -> int:
        """Return what a province earns the civilization."""
        return self.referee.ground({place}) + self.referee.bonus({place}, self.civ)

    def kills(self, place: int) -> int:
        """Return the points for the token that a conquest beats."""
        kind, owner = self.referee.holder(self.state, place)
        return 0 if kind == "empty" or (kind == "decline" and owner == self.seat) else self.civ["vp_kill"]

    def value(self, place: int) -> int:
        """Return the points a conquest brings this turn."""
        lost = self.old & ({place} if self.civ["heritage"] else {place} | self.referee.neighbours[place])
        rows = [self.referee.row(int(copy)) for copy in self.state.old_tile[self.seat]]
        old = self.referee.ground(lost) + sum(self.referee.bonus(lost, row) for row in rows if row["lasts_in_decline"])
        return self.earns(place) + self.kills(place) - old

    def cost(self, place: int) -> int:
        """Return the tokens a conquest takes, by Espionage if that is cheaper."""
        normal = self.referee.cost(self.state, self.seat, place)
        return min(normal, 2) if self.state.spies_left and self.state.hand[self.seat] >= 2 else normal

    def conquests(self) -> set[int]:
        """Return the provinces the die may choose from."""
        if len(self.own) >= self.lasting:
            return set()
        reach = self.referee.reach(self.state, self.seat)
        found = {place for place in reach if self.cost(place) <= self.state.hand[self.seat]}
        if not self.own and not self.state.is_entered[self.seat] and self.civ["cost_same_coast"]:
            found = found & self.large or found
        found = {place for place in found if self.value(place) >= 0}
        best = [(-self.value(place), self.cost(place)) for place in found]
        tied = {place for place in found if (-self.value(place), self.cost(place)) == min(best)}
        if self.civ["heritage"]:
            guarding = {place for place in tied if self.referee.holder(self.state, place)[0] == "active"}
            guarding = {place for place in guarding if self.referee.neighbours[place] & self.old}
            return guarding or tied
        return tied

    def may_decline(self) -> bool:
        """Return whether some die leads to a decline now."""
        spare = self.lasting - len(self.own) + self.civ["tokens_turn_start"]
        is_general = self.civ["temporary_tokens"] > 0
        points = self.referee.active_points(self.state, self.seat)
        return points < 10 and spare <= (2 if is_general else 5) and (4 if is_general else 6) > spare

    def must_decline(self) -> bool:
        """Return whether every die does."""
        return (
            self.may_decline()
            and self.lasting == len(self.own)
            and not self.civ["tokens_turn_start"]
            and (not self.civ["temporary_tokens"])
        )

    def strength(self, place: int, added: int) -> int:
        """Return what a province would cost a plain attacker."""
        fort = int(self.state.forts) >> place & 1
        return int(self.tables.base_cost[self.tables.terrain[place]]) + int(self.state.tokens[place]) + fort + added

    def check(self, actions: list[int]) -> str:
        """Raise unless the rulebook allows the actions; return what was decided."""
        phase, first = int(self.state.phase), actions[0]
        if phase == layout.CONQUEST:
            allowed = self.conquests()
            if first == layout.A_END_CONQUEST:
                assert not allowed
                return "end"
            assert first % 64 in allowed
            normal = self.referee.cost(self.state, self.seat, first % 64)
            assert first in (SPIED if self.cost(first % 64) < normal else CONQUERED)
            return "conquest" if len(allowed) == 1 else "tie"
        if phase in (layout.PLACE, layout.SURVIVORS):
            self.check_spread(Counter(action - layout.A_PLACE for action in actions))
            return "spread"
        if phase == layout.TURN_START:
            is_decline = first == layout.A_DECLINE
            assert not is_decline or (self.may_decline() and self.state.is_entered[self.seat])
            assert is_decline or not self.state.is_entered[self.seat] or not self.must_decline()
            return "decline" if is_decline else "play on"
        if phase == layout.REBIRTH_CHOICE:
            assert first == layout.A_REBIRTH_NO or self.may_decline()
            return "rebirth"
        if phase == layout.PEACE:
            real = set(range(int(self.tables.seats))) - members(self.tables.automata) - {self.seat}
            left = real - members(self.state.peace[self.seat])
            assert not left or first - layout.A_PEACE in left
            return "peace"
        if phase == layout.FORT:
            sites = self.own - members(self.state.forts)
            near = {place: self.referee.neighbours[place] - self.own - self.old for place in sites}
            rank = {p: (len(n), sum(self.earns(q) + self.kills(q) for q in n)) for p, n in near.items()}
            assert rank[first - layout.A_FORT] == max(rank.values())
            return "fort"
        assert first == layout.A_CHOOSE
        return "choice"

    def check_spread(self, added: Counter[int]) -> None:
        """Check that every token went to a province that was among the weakest then."""
        left = int(self.state.hand[self.seat]) - added.total()
        added[max(self.own)] += left  # the last province takes the rest in one action
        final = {place: self.strength(place, added[place]) for place in self.own}
        raised = [place for place in self.own if added[place]]
        assert all(final[place] - 1 <= min(final.values()) for place in raised)


@pytest.mark.parametrize("players", [1, 2])
def test_an_automaton_does_what_the_rulebook_says_in_every_decision_of_whole_games(players: int) -> None:
    rules, decided = rules_for(players, None, (("victory_threshold", 150 if JIT else 25),)), Counter[str]()
    policy, plan = new_record(rules.definition.policy_layout), new_record(PLAN)
    view, scratch = new_record(layout.STATE), new_record(layout.STATE)
    for number in range(8 if JIT else 1):
        game = Game(rules, key=900 + number)
        while not game.is_over:
            seat: Any = game.decider
            if seat == CHANCE:
                game.apply(game.drawn())
                continue
            entries.observe(rules.tables, game.state, seat, view)
            dice = word(number, 5, seat, int(game.state.turn))
            entries.follow_rulebook(rules.tables, view, scratch, seat, policy, dice, plan)
            actions = [int(action) for action in plan.actions[: plan.length]]
            if int(rules.tables.automata) >> seat & 1:
                decided[SecondReading(game, seat).check(actions)] += 1
            for action in actions:
                game.apply(action)
    if JIT:
        assert all(decided[what] > 10 for what in ("tie", "conquest", "spread", "decline", "play on", "choice"))
        assert all(decided[what] > 0 for what in ("peace", "fort", "rebirth")), decided
