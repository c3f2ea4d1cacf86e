"""The driver's loop with every invariant asked after every action, for any game of the house.

Numba keeps the machine code of a kernel until its own file or (see ``engine.jit``) a kernel source of the house
changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vinci_lab.agents.compiled import think
from vinci_lab.engine import questions
from vinci_lab.engine.bits import contains, lowest
from vinci_lab.engine.chance import game_key
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import new_records
from vinci_lab.simulation import driver
from vinci_lab.simulation.seats import seat_agents

COUNTS = ("actions", "audits", "broken", "stalled", "uneven", "unshared")
ACTIONS, AUDITS, BROKEN, STALLED, UNEVEN, UNSHARED = range(len(COUNTS))


@dataclass(frozen=True)
class Audit:
    """What was found in some games.

    Attributes
    ----------
    games : int
        Played to their end.
    counts : dict of str to int
        Actions and chance outcomes applied; positions audited, and of these broken; games that the stalemate guard
        ended; that ended with unequal turns; whose shares of the win do not sum to 1.
    first_fault : tuple of int
        Game, turn and broken invariants of the first broken position; (-1, 0, 0) when there is none.
    """

    games: int
    counts: dict[str, int]
    first_fault: tuple[int, ...]


@kernel
def apply_and_audit(tables: Any, state: Any, seat: int, action: int, events: Any, counts: Any) -> int:
    """Apply one action or chance outcome and return the broken invariants."""
    questions.apply_action(tables, state, seat, action, events)
    broken = questions.audit(tables, state)
    counts[ACTIONS] += 1
    counts[AUDITS] += 1
    if broken:
        counts[BROKEN] += 1
    return broken


@kernel
def play_audited(
    tables: Any,
    work: Any,
    agents: Any,
    params: Any,
    seed: int,
    first: int,
    number: int,
    tools: Any,
    counts: Any,
    fault: Any,
) -> None:
    """Play games ``first`` to ``first + number - 1`` of a seed, and count what is wrong in them."""
    state, view, scratch = work[0], work[1], work[2]
    mask, plan, events = tools[0], tools[1], tools[2]
    shares = np.zeros(8)
    for game in range(first, first + number):
        key, taken, broken = game_key(seed, game), 0, 0
        questions.begin_game(tables, state, key)
        while not questions.is_over(tables, state):
            due = questions.deciders(tables, state)
            if due == 0:
                broken |= apply_and_audit(
                    tables, state, CHANCE, questions.draw_chance(tables, state, state.key), events, counts
                )
                continue
            seat, turn = lowest(due), state.turn
            think(tables, state, view, scratch, agents[seat], seat, params[seat], key, taken, mask, plan)
            for place in range(plan.length):
                broken |= apply_and_audit(tables, state, seat, plan.actions[place], events, counts)
                taken += 1
                if state.turn != turn or not contains(questions.deciders(tables, state), seat):
                    break
            if broken and fault[0] < 0:
                fault[0], fault[1], fault[2] = game, state.turn, broken
        counts[STALLED] += state.is_stalled
        counts[UNEVEN] += 0 if state.turn == state.seats * state.turns_taken[0] else 1
        questions.returns(tables, state, shares)
        counts[UNSHARED] += 0 if abs(shares.sum() - 1.0) < 1e-9 else 1


def audit_games(rules: Any, agents: Any, seed: int, first: int, number: int) -> Audit:
    """Play games under one ruleset with compiled agents, and return what was found."""
    seated = seat_agents(rules, agents)
    params = new_records(rules.definition.policy_layout, rules.seats)
    for seat, agent in enumerate(seated):
        params[seat] = rules.definition.policy(rules.tables, **agent.params)
    codes = np.array([agent.player for agent in seated], np.int64)
    counts, fault = np.zeros(len(COUNTS), np.int64), np.array([-1, 0, 0], np.int64)
    work, tools = driver.new_work(rules.definition), driver.new_tools(rules.definition)
    play_audited(rules.tables, work, codes, params, seed, first, number, tools, counts, fault)
    return Audit(number, dict(zip(COUNTS, counts.tolist(), strict=True)), tuple(fault.tolist()))
