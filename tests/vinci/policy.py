"""What the fast policy thinks and does: estimates of pairs, suggestions in words, and games that check its plans."""

from __future__ import annotations

import functools
import random
from typing import Any

import numpy as np

from tests.vinci.scenario import Scenario
from vinci_lab.conformance import plan_tools
from vinci_lab.engine import entries
from vinci_lab.engine.bits import lowest
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, PLAN, PLAN_CAPACITY, PLAN_LIST, copy_record, new_record
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.heuristics_worth import pair_worth
from vinci_lab.games.vinci.ruleset import civilization, fill_sums, labels

TURNS = 8.0


@functools.cache
def policy_for(rules: Any, **params: float) -> Any:
    """Return the policy prepared for a ruleset."""
    return rules.definition.policy(rules.tables, **params)


def worth(rules: Any, first: str, second: str, tables: Any = None, **params: float) -> float:
    """Return the estimate of a pair with many turns to play."""
    kinds = labels(rules, "kind")
    pair = kinds.index(first) * at.KINDS + kinds.index(second)
    policy = policy_for(rules, **params) if tables is None else rules.definition.policy(tables, **params)
    return float(pair_worth(pair, TURNS, policy))


def with_columns(rules: Any, tile: str, **columns: int) -> Any:
    """Return tables in which one tile has other modifiers; no check says what the edition allows."""
    tables, kind = copy_record(rules.tables), labels(rules, "kind").index(tile)
    for name, value in columns.items():
        tables.tiles[kind, at.MODIFIER_NAMES.index(name)] = value
    for other in range(int(tables.kinds)):
        for first, second in ((kind, other), (other, kind)):
            tables.pairs[first * at.KINDS + second] = civilization(tables.tiles[first], tables.tiles[second])
    fill_sums(tables)
    return tables


def suggestion(game: Scenario, key: int = 1, **params: float) -> list[str]:
    """Return what the policy does next, in words, for the seat that is to decide."""
    view, scratch, plan = new_record(at.STATE), new_record(at.STATE), new_record(PLAN)
    seat, policy = game.seat_to_decide(), policy_for(game.rules, **params)
    entries.observe(game.tables, game.state, seat, view)
    length = entries.suggest(game.tables, view, scratch, seat, policy, key, plan)
    assert 1 <= length == plan.length <= PLAN_CAPACITY
    return [game.say(int(action)) for action in plan.actions[:length]]


class PolicyGames:
    """Games in which the policy and chance meet, with every suggestion held against the legal actions.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    number : int
        Seed of the strange moves that lead games off the policy's own path.
    """

    def __init__(self, rules: Any, number: int) -> None:
        self.rules, self.tables, self.source = rules, rules.tables, random.Random(number)
        self.state, self.policy = new_record(at.STATE), policy_for(rules)
        self.suggested = self.planned = 0

    def play(self, key: int, actions: int, strange: float, plans_every: int) -> None:
        """Play a game; a share of the moves is random, and now and then plans are proposed and tried."""
        entries.begin_game(self.tables, self.state, key)
        left = actions
        while left > 0 and not entries.is_over(self.tables, self.state):
            due = int(entries.deciders(self.tables, self.state))
            if due == 0:
                self._apply(self.state, CHANCE, entries.draw_chance(self.tables, self.state, self.state.key))
                continue
            seat = lowest(due)
            if left % plans_every == 0:
                self._try_plans(seat)
            if self.source.random() < strange:
                self._apply(self.state, seat, self.source.choice(self._legal(self.state, seat)))
                left -= 1
            else:
                taken = self._take_suggestion(seat)
                self.suggested += taken
                left -= taken

    def _take_suggestion(self, seat: int) -> int:
        view, scratch, plan = new_record(at.STATE), new_record(at.STATE), new_record(PLAN)
        entries.observe(self.tables, self.state, seat, view)
        entries.suggest(self.tables, view, scratch, seat, self.policy, self.source.randrange(1 << 40), plan)
        return self._follow(self.state, seat, plan.actions[: plan.length], "the policy suggests")

    def _legal(self, state: Any, seat: int) -> list[int]:
        mask = np.zeros(at.ACTIONS, np.uint8)
        entries.legal_actions(self.tables, state, seat, mask)
        return [int(code) for code in np.flatnonzero(mask)]

    def _apply(self, state: Any, seat: int, action: int) -> None:
        entries.apply_action(self.tables, state, seat, action, new_record(EVENTS))

    def _follow(self, state: Any, seat: int, actions: Any, who: str) -> int:
        """Apply a plan until it is another's move, as the driver does; return the actions taken."""
        turn, taken = state.turn, 0
        for action in actions:
            legal = self._legal(state, seat)
            phase = at.PHASE_NAMES[state.phase]
            assert action in legal, f"{who} {action}, which is not legal in the phase {phase}; legal: {legal}"
            self._apply(state, seat, int(action))
            taken += 1
            if state.turn != turn or entries.deciders(self.tables, state) != 1 << seat:
                break
        assert taken > 0, f"{who} nothing"
        return taken

    def _try_plans(self, seat: int) -> None:
        """Check that every proposed plan can be played from here to its end, and that they come best first."""
        view, scratch, plans = new_record(at.STATE), new_record(at.STATE), new_record(PLAN_LIST)
        entries.observe(self.tables, self.state, seat, view)
        tools = plan_tools(at.STATE)
        number = int(entries.propose_plans(self.tables, view, scratch, seat, self.policy, 1, plans, tools))
        assert number == plans.length > 0
        values = [float(value) for value in plans.values[:number]]
        assert values == sorted(values, reverse=True), "plans are not in the order of their values"
        for place in range(number):
            actions = plans.actions[place, : plans.lengths[place]]
            taken = self._follow(copy_record(self.state), seat, actions, "a plan has")
            assert taken == len(actions), "a plan goes on when another decides or chance comes"
            self.planned += taken
