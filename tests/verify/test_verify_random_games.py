"""A hundred thousand games under random readings of the rules, audited after every action."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import joblib
import pytest

import vinci_lab as vl
from tests.verify.audited_play import Audit, audit_games
from tests.vinci.invariants import Game, pick
from vinci_lab.engine import entries
from vinci_lab.engine.records import copy_record, new_record
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_audit import INVARIANTS

GAMES, SETTINGS = 100_000, 400
WATCHED = 20  # whole games under the eye of the second referee
STEPS = 100_000
AGENTS = (
    "random",
    "automaton",
    "greedy",
    "greedy:noise=0.8",
    "random",
    "greedy:decline_margin=-6,denial=2",
    "greedy:guard=-3",
)


def varied_rules(number: int) -> Any:
    """Return a ruleset for 1 to 6 players with random readings, bags, maps and thresholds; 0 to 5 are the usual."""
    players, source = 1 + number % 6, random.Random(number)
    if number < 6:
        return vl.ruleset("vinci", players=players)
    changes: dict[str, Any] = {name: source.choice(values) for name, values in at.OPTIONS.items()}
    changes["cost_floor"] = source.choice([0, 0, 1])
    if source.random() < 0.3:
        changes["rounds_limit"] = source.randrange(3, 12)
    elif source.random() < 0.5:
        changes["victory_threshold"] = source.choice([40, 70, 200])
    board, bag = source.choice(["europe", "europe", "lagoon"]), source.choice(["first", "second"])
    return vl.ruleset("vinci", players=players, map=board, bag=bag).replace(changes)


def seats_of(number: int, players: int) -> Any:
    """Return agents: all random in every other six settings, else a mixture."""
    return "random" if number // 6 % 2 else [AGENTS[(number // 2 + seat) % len(AGENTS)] for seat in range(players)]


def audit_setting(number: int) -> tuple[Audit, bool]:
    """Play the games of one setting; say also whether the printed numbers stayed as they were."""
    rules, each = varied_rules(number), GAMES // SETTINGS
    printed = rules.tables.tobytes()
    found = audit_games(rules, seats_of(number, rules.players), 2_000 + number, number * each, each)
    return found, rules.tables.tobytes() == printed


def test_no_invariant_is_ever_broken(tell: Callable[[str], None]) -> None:
    audit_games(varied_rules(1), "random", 0, 0, 0)  # compile once, before the threads
    work = (joblib.delayed(audit_setting)(number) for number in range(SETTINGS))
    found = joblib.Parallel(n_jobs=-1, prefer="threads")(work)
    total = Counter[str]()
    for number, (audit, is_untouched) in enumerate(found):
        assert is_untouched, f"setting {number}: a game wrote to the printed numbers"
        game, turn, bits = audit.first_fault
        broken = [text for bit, text in enumerate(INVARIANTS) if bits >> bit & 1]
        assert not broken, f"setting {number}, game {game}, turn {turn}: broken: {'; '.join(broken)}"
        total.update(games=audit.games, **audit.counts)
    tell(
        f"{total['games']:,} games of 3 to 6 seats, {SETTINGS} settings: {total['actions']:,} actions, "
        f"{len(INVARIANTS)} invariants after each, {total['broken']} broken; {total['stalled']} stalemates"
    )
    assert total["games"] == GAMES
    assert total["audits"] == total["actions"] > 200 * GAMES
    assert (total["broken"], total["uneven"], total["unshared"]) == (0, 0, 0)
    assert total["stalled"] < GAMES // 1_000


@pytest.mark.parametrize("field", ["score", "tokens", "bag", "neutral", "hand"])
def test_the_audit_notices_a_fault(field: str) -> None:
    game = Game(varied_rules(1), 5)
    for number in range(200):
        game.apply(pick(game, number))
    spoiled = copy_record(game.state)
    if field == "bag":
        spoiled.bag ^= 1
    elif field == "neutral":
        spoiled.neutral |= spoiled.active[spoiled.turn_seat] | spoiled.decline[0] | 1 << 40
        spoiled.tokens[40] = 0
    else:
        spoiled[field][0] -= 40
    assert entries.audit(game.tables, game.state) == 0
    assert entries.audit(game.tables, spoiled) != 0


def test_whole_games_satisfy_the_second_referee(tell: Callable[[str], None]) -> None:
    actions = 0
    for number in range(WATCHED):
        source, game = random.Random(9_000 + number), Game(varied_rules(4 + 7 * number), 31 * number)
        while not game.is_over and len(game.actions) < STEPS:
            game.apply(pick(game, source.randrange(1 << 30)))
        assert game.is_over, f"game {number} is not over after {STEPS} actions"
        actions += len(game.actions)
    assert new_record(at.STATE).turn == 0
    tell(f"{WATCHED} whole games, {actions:,} actions, re-judged by an independent referee in Python")
