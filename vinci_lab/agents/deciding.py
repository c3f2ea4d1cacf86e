"""Who decides in the driver: an agent of the house, search, or an agent a user has compiled.

What is not asked for is not compiled: ``desk`` is None in games that need nothing but ``think``.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.agents.compiled import SEARCH, think
from vinci_lab.agents.search import search
from vinci_lab.engine import questions
from vinci_lab.engine.chance import PURPOSE_AGENT, word
from vinci_lab.engine.jit import kernel


@kernel
def decide(
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
    desk: Any,
) -> None:
    """Let an agent write its next actions to ``plan``; see :func:`vinci_lab.agents.compiled.think`.

    Parameters
    ----------
    desk : tuple or None
        The room search needs, if somebody searches.
    """
    if desk is None:
        think(tables, state, view, scratch, agent, seat, params, key, number, mask, plan)
    elif agent == SEARCH:
        questions.observe(tables, state, seat, view)
        plan.length = 0
        search(tables, view, seat, params, word(key, PURPOSE_AGENT, seat, number), desk, plan)
    else:
        think(tables, state, view, scratch, agent, seat, params, key, number, mask, plan)
