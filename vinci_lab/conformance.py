"""What every game must pass: the protocol, checked on random games of any ruleset.

>>> check_game(vinci_lab.ruleset("vinci", players=4), games=20)                      # doctest: +SKIP
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vinci_lab.engine import entries
from vinci_lab.engine.chance import PURPOSE_AGENT, below, game_key, word
from vinci_lab.engine.position import IllegalActionError, Position, new_position
from vinci_lab.engine.questions import CHANCE, STATE_FIELDS
from vinci_lab.engine.records import (
    EVENT_WIDTH,
    EVENTS,
    PLAN,
    PLAN_LIST,
    check_layout,
    copy_record,
    new_record,
)
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.transcript import Transcript

LONGEST_GAME = 200_000  # steps


def check_game(rules: Ruleset, games: int = 20, seed: int = 0, every: int = 1) -> int:
    """Play random games and check at every step what the protocol promises.

    Parameters
    ----------
    rules : Ruleset
        The game to check.
    games, seed : int
        How many games of which seed.
    every : int
        The slow checks (text form, views, copies, undo, plans) are made at each ``every``-th step.

    Returns
    -------
    int
        Steps checked.

    Raises
    ------
    AssertionError
        At the first broken promise; the sentence names game, seed and turn.
    """
    _check_layouts(rules)
    printed = rules.tables.tobytes()
    steps = 0
    for game in range(games):
        check = _Check(rules, seed, game, every)
        steps += check.play()
        check.that(rules.tables.tobytes() == printed, "the printed numbers have changed during the game")
    return steps


def _check_layouts(rules: Ruleset) -> None:
    game = rules.definition
    for layout in (game.tables_layout, game.state_layout, game.memo_layout):
        check_layout(layout)
    missing = [name for name in STATE_FIELDS if name not in (game.state_layout.names or ())]
    assert not missing, f"{game.name}: the state has no field {', '.join(missing)}"
    wide = [kind for kind, fields in game.event_fields.items() if len(fields) >= EVENT_WIDTH]
    assert not wide, f"{game.name}: the events {', '.join(wide)} have more than {EVENT_WIDTH - 1} fields"


def plan_tools(layout: np.dtype[Any]) -> tuple[Any, Any, Any]:
    """Return the room to think that ``propose_plans`` asks for: a state record, a plan, and events that are off."""
    return new_record(layout), new_record(PLAN), new_record(EVENTS)


class _Check:
    """One random game under inspection."""

    def __init__(self, rules: Ruleset, seed: int, game: int, every: int) -> None:
        self.rules, self.seed, self.game, self.every = rules, seed, game, every
        self.tables, self.definition = rules.tables, rules.definition
        self.position = new_position(rules, seed, game, auto_chance=False)
        self.key = game_key(seed, game)
        self.steps = 0
        self.policy = self.definition.policy(self.tables)

    def that(self, holds: bool, sentence: str) -> None:
        """Raise unless something holds."""
        if not holds:
            raise AssertionError(
                f"{self.rules.game}, seed {self.seed}, game {self.game}, turn {self.position.turn}, "
                f"step {self.steps}: {sentence}"
            )

    def play(self) -> int:
        """Play to the end and return the number of steps."""
        position, actions = self.position, list[tuple[int, int]]()
        self.check_state()
        while not position.is_over:
            self.that(self.steps < LONGEST_GAME, f"the game has not ended after {LONGEST_GAME} steps")
            seat, action = self.check_chance() if position.is_chance else self.check_decision()
            before = position.copy() if self.steps % self.every == 0 else None
            if before is not None:
                self.slow_checks()
            actions.append((seat, action))
            position.apply(action, seat)
            self.steps += 1
            self.check_state()
            if before is not None:
                self.check_copies(before, seat, action)
        self.slow_checks()
        self.check_end(actions)
        return self.steps

    def random(self, limit: int, place: int) -> int:
        """Return a random number below a limit."""
        return int(below(limit, self.key, PURPOSE_AGENT, place, self.steps))

    # Quick checks -------------------------------------------------------------------------------------------------

    def check_chance(self) -> tuple[int, int]:
        """Check a chance node and return what the key draws."""
        weights = np.zeros(self.definition.actions)
        number = int(entries.chance_outcomes(self.tables, self.position.state, weights))
        self.that(number > 0, "neither a seat nor chance has anything to do, and the game is not over")
        self.that(bool(np.isfinite(weights).all() and (weights >= 0).all()), "a weight of chance is negative")
        self.that(number == np.count_nonzero(weights), f"{number} outcomes are counted, but not as many have a weight")
        drawn = self.position.drawn_outcome()
        self.that(weights[drawn] > 0, f"chance draws {drawn}, which is not among the outcomes")
        self.check_words(np.flatnonzero(weights))
        return CHANCE, drawn

    def check_decision(self) -> tuple[int, int]:
        """Check what the deciders may do and return a random action of one of them."""
        deciders = self.position.deciders
        for seat in deciders:
            mask = np.zeros(self.definition.actions, np.uint8)
            number = int(entries.legal_actions(self.tables, self.position.state, seat, mask))
            self.that(number > 0, f"seat {seat} must decide but may do nothing")
            self.that(
                number == mask.sum() and mask.max() == 1, f"seat {seat}: {number} actions are counted, not marked"
            )
            self.check_words(np.flatnonzero(mask))
        seat = deciders[self.random(len(deciders), 0)]
        legal = self.position.legal_actions(seat)
        return seat, legal[self.random(len(legal), 1)]

    def check_words(self, actions: Any) -> None:
        """Check that words lead back to their actions."""
        for action in map(int, actions):
            words = self.position.describe(action)
            back = int(self.definition.parse_action(self.rules, words))
            self.that(back == action, f"action {action} reads {words!r}, which is read back as {back}")

    def check_state(self) -> None:
        """Check the invariants of the game and of its result."""
        broken = int(entries.audit(self.tables, self.position.state))
        self.that(broken == 0, f"broken invariants: {[bit for bit in range(63) if broken >> bit & 1]}")
        if not self.position.is_over:
            self.that(not any(self.position.returns()), "shares of the win are given before the end")

    def check_end(self, actions: list[tuple[int, int]]) -> None:
        """Check the result, and that the same actions give the same game."""
        position = self.position
        self.that(abs(sum(position.returns()) - 1) < 1e-9, f"the shares of the win are {position.returns()}")
        self.that(position.deciders == () and position.legal_actions() == [], "somebody must decide after the end")
        again = new_position(self.rules, self.seed, self.game, auto_chance=False)
        for seat, action in actions:
            if seat == CHANCE:
                self.that(again.drawn_outcome() == action, "the same seed draws something else")
            again.apply(action, seat)
        self.that(again == position, "the same actions lead to another position")
        if self.game == 0:
            transcript = Transcript.from_actions(self.rules, None, self.seed, self.game, actions)
            difference = transcript.verify()
            self.that(difference is None, f"the transcript is not confirmed: {difference}")

    # Slow checks --------------------------------------------------------------------------------------------------

    def slow_checks(self) -> None:
        """Check the text form, the views and the plans of the position."""
        position = self.position
        back = Position.from_text(self.rules, position.text())
        self.that(back == position, "the position's text does not lead back to it")
        self.that(position.status() == [], f"the position is said to be impossible: {position.status()}")
        for seat in range(int(position.state.seats)):
            self.check_view(seat)
        for seat in position.deciders:
            self.check_plans(seat)
        self.check_estimate()

    def check_estimate(self) -> None:
        """Check that every seat's prospect is a share, and that estimating changes nothing."""
        values, before = np.full(8, np.nan), self.position.state.tobytes()
        entries.estimate(self.tables, self.position.state, self.policy, values)
        shown = values[: int(self.position.state.seats)]
        self.that(bool(((shown >= 0) & (shown <= 1)).all()), f"the prospects of the seats are {shown.tolist()}")
        self.that(self.position.state.tobytes() == before, "an estimate changed the position")

    def check_view(self, seat: int) -> None:
        """Check what a seat sees and what it can imagine."""
        position = self.position
        view = position.view(seat)
        other = position.copy()
        other.state.key = word(self.key, PURPOSE_AGENT, seat, self.steps)
        self.that(view == other.view(seat), f"the view of seat {seat} depends on the random key")
        self.that(view.view(seat) == view, f"seat {seat} sees its own view otherwise")
        full = view.imagine(word(self.key, PURPOSE_AGENT, seat + 64, self.steps))
        self.that(full.view(seat) == view, f"what seat {seat} imagines does not look like what it sees")
        for known in (view, full):
            same = seat not in position.deciders or known.legal_actions(seat) == position.legal_actions(seat)
            self.that(same, f"seat {seat} may do something else by what it knows")

    def check_copies(self, before: Position, seat: int, action: int) -> None:
        """Check on the position before an action that copies are apart, that it repeats, and that it can be undone."""
        twin, kept = before.copy(), before.state.tobytes()
        twin.apply(action, seat)
        self.that(before.state.tobytes() == kept, "an action on a copy changed the original")
        self.that(twin == self.position, "the same action on a copy led elsewhere")
        if seat != CHANCE:
            twin.undo()
            self.that(twin == before, "undoing does not lead back")
            return
        try:
            twin.undo()
        except IllegalActionError:
            return
        self.that(False, "chance that was revealed could be undone")

    def check_plans(self, seat: int) -> None:
        """Check that the fast policy's plan and the proposed plans are legal, and stop where they must."""
        key = int(word(self.key, PURPOSE_AGENT, seat + 128, self.steps))
        plan, plans = new_record(PLAN), new_record(PLAN_LIST)
        view, scratch = self.work(seat)
        number = int(entries.suggest(self.tables, view, scratch, seat, self.policy, key, plan))
        self.that(number >= 1, "the fast policy suggests nothing")
        self.check_plan("the fast policy", seat, plan.actions[:number])
        view, scratch = self.work(seat)
        number = int(entries.follow_rulebook(self.tables, view, scratch, seat, self.policy, key, plan))
        self.that(number >= 1, "the rulebook's player does nothing")
        self.check_plan("the rulebook's player", seat, plan.actions[:number])
        view, scratch = self.work(seat)
        tools = plan_tools(self.definition.state_layout)
        number = int(entries.propose_plans(self.tables, view, scratch, seat, self.policy, key, plans, tools))
        self.that(number >= 1, "no plan is proposed")
        values = plans["values"][:number]
        self.that(bool((values[1:] <= values[:-1]).all()), "the proposed plans are not sorted, best first")
        for index in range(number):
            self.check_plan(f"plan {index}", seat, plans.actions[index][: plans.lengths[index]])

    def work(self, seat: int) -> tuple[Any, Any]:
        """Return the records a policy gets: what the seat sees, and scratch."""
        return copy_record(self.position.view(seat).state), new_record(self.position.state.dtype)

    def check_plan(self, whose: str, seat: int, actions: Any) -> None:
        """Check that each action of a plan is legal when it comes."""
        state = copy_record(self.position.state)
        mask, events = np.zeros(self.definition.actions, np.uint8), new_record(EVENTS)
        for place, action in enumerate(map(int, actions)):
            is_up = bool(int(entries.deciders(self.tables, state)) >> seat & 1)
            self.that(
                is_up, f"{whose} goes on with {self.position.describe(action)!r} when seat {seat} decides nothing"
            )
            entries.legal_actions(self.tables, state, seat, mask)
            self.that(mask[action] == 1, f"{whose}: {self.position.describe(action)!r} (step {place + 1}) is not legal")
            entries.apply_action(self.tables, state, seat, action, events)
