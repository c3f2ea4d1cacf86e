"""What the automaton would do in a scenario, in words, and turns played by it."""

from __future__ import annotations

from collections import Counter

from tests.vinci.scenario import Scenario
from vinci_lab.engine import entries
from vinci_lab.engine.game import game_of
from vinci_lab.engine.records import PLAN, new_record, new_records
from vinci_lab.games.vinci import rules_layout as layout

KEYS = range(300)


def answer(game: Scenario, key: int = 1) -> list[str]:
    """Return the next actions of the automaton at the seat that must decide."""
    seat, plan = game.seat_to_decide(), new_record(PLAN)
    view, scratch = new_records(layout.STATE, 2)
    entries.observe(game.tables, game.state, seat, view)
    policy = new_record(game_of("vinci").policy_layout)  # the automaton has no parameters
    number = entries.follow_rulebook(game.tables, view, scratch, seat, policy, key, plan)
    assert number == plan.length >= 1
    return [game.say(int(action)) for action in plan.actions[:number]]


def answers(game: Scenario, keys: range = KEYS) -> Counter[str]:
    """Return how often the automaton does what, over different dice."""
    return Counter(", ".join(answer(game, key)) for key in keys)


def follow(game: Scenario, key: int = 1, until: str = "") -> list[str]:
    """Let the automaton play until a phase, or to the end of the turn, and return what it did."""
    turn, done = int(game.state.turn), list[str]()
    while game.state.turn == turn and not game.is_over() and game.phase() != until:
        steps = answer(game, key)
        game.do(*steps)
        done += steps
    return done


def spread(game: Scenario, seat: int, key: int = 1) -> dict[str, int]:
    """Let the automaton place the tokens in hand, and return the tokens on its provinces."""
    assert game.phase() in ("place", "survivors")
    assert game.seat_to_decide() == seat
    game.do(*answer(game, key))
    return {name: game.tokens(name) for name in game.empire(seat)}
