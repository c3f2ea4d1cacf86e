"""The compiled agents, written once over the questions: they see a view, and answer with the next actions."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.chance import PURPOSE_AGENT, below, word
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.records import add_to_plan

RANDOM, GREEDY, SEARCH, AUTOMATON = range(4)
AGENT_CODES = {"random": RANDOM, "greedy": GREEDY, "search": SEARCH, "automaton": AUTOMATON}
AGENT_NAMES = tuple(AGENT_CODES)
OWN = 63  # the code of agents a user has compiled
CALLED_BY_ADDRESS = (SEARCH, OWN)  # see agents.callbacks

PURPOSE_RANDOM = 8
PURPOSE_AUTOMATON = 9


@kernel(inner=True)
def choose_randomly(tables: Any, view: Any, seat: int, key: int, mask: Any, plan: Any) -> None:
    """Pick one legal action, all equally likely."""
    number = questions.legal_actions(tables, view, seat, mask.allowed)
    left = below(number, key, PURPOSE_RANDOM, seat, 0)
    action = -1
    while left >= 0:
        action += 1
        left -= mask.allowed[action]
    add_to_plan(plan, action)


@kernel
def think(
    tables: Any,
    state: Any,
    view: Any,
    scratch: Any,
    agent: int,
    seat: int,
    params: Any,
    key: int,
    number: int,
    mask: Any,
    plan: Any,
) -> None:
    """Let an agent write its next actions to ``plan``; it is shown its seat's view, never the state.

    Parameters
    ----------
    view, scratch : records
        Room for what the seat sees, and to think; both are overwritten.
    agent : int
        ``RANDOM``, ``GREEDY`` or ``AUTOMATON``; others are asked in ``agents.deciding``.
    params : record
        The agent's policy.
    key, number : int
        The game's key, and the actions taken so far: what the agent draws at random follows from them. The automaton's
        dice follow from the key, the seat and the turn alone.
    mask : record
        Room for a mask of actions.
    """
    questions.observe(tables, state, seat, view)
    plan.length = 0
    draw = word(key, PURPOSE_AGENT, seat, number)
    if agent == RANDOM:
        choose_randomly(tables, view, seat, draw, mask, plan)
    elif agent == AUTOMATON:
        dice = word(key, PURPOSE_AUTOMATON, seat, view.turn)
        questions.follow_rulebook(tables, view, scratch, seat, params, dice, plan)
    else:
        questions.suggest(tables, view, scratch, seat, params, draw, plan)
