"""How the driver asks agents that it calls by address: search, and agents a user has compiled."""

from __future__ import annotations

from typing import Any

from vinci_lab.agents.compiled import OWN
from vinci_lab.engine import questions
from vinci_lab.engine.chance import PURPOSE_AGENT, word
from vinci_lab.engine.jit import kernel


@kernel
def think_elsewhere(
    tables: Any,
    state: Any,
    view: Any,
    agent: int,
    seat: int,
    params: Any,
    key: int,
    number: int,
    mask: Any,
    plan: Any,
    desk: Any,
    called: Any,
) -> None:
    """Let an agent called by address write its next actions; see :func:`vinci_lab.agents.compiled.think`.

    The plan stays empty if a user's agent answers with what is not legal; ``desk.refused`` then holds its answer.

    Parameters
    ----------
    desk : record
        Room to think; see :func:`vinci_lab.agents.search.new_desk`.
    called : tuple
        The agents by seat; see ``agents.callbacks``.
    """
    questions.observe(tables, state, seat, view)
    plan.length = 0
    if agent == OWN:
        questions.legal_actions(tables, view, seat, mask.allowed)
    called[seat](tables, view, seat, params, word(key, PURPOSE_AGENT, seat, number), desk, mask, plan)
    if agent == OWN:
        questions.legal_actions(tables, state, seat, mask.allowed)
        action = plan.actions[0]
        if action < 0 or action >= len(mask.allowed) or mask.allowed[action] == 0:
            desk.refused, desk.refusing = action, seat + 1
            plan.length = 0
