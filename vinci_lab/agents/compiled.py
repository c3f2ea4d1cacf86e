"""The compiled agents, written once over the questions: they see a view, and answer with the next actions."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.chance import below
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.records import add_to_plan

AGENT_NAMES = ("random", "greedy")
RANDOM, GREEDY = range(len(AGENT_NAMES))

PURPOSE_RANDOM = 8


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


@kernel(inner=True)
def decide(
    agent: int, tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, mask: Any, plan: Any
) -> None:
    """Write an agent's next actions to ``plan``.

    Parameters
    ----------
    agent : int
        ``RANDOM`` or ``GREEDY``.
    view, scratch : records
        What the seat sees, and room to think; both may be overwritten.
    mask : record
        Room for a mask of actions.
    """
    plan.length = 0
    if agent == RANDOM:
        choose_randomly(tables, view, seat, key, mask, plan)
    else:
        questions.suggest(tables, view, scratch, seat, params, key, plan)
