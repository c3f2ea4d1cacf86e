"""The questions, compiled for callers in Python.

Kernels ask ``questions.x`` directly; Python asks ``entries.x``, one compiled step that finds the game's answer. They
are functions of their own because Numba's cache would confuse one function compiled both ways.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine import questions
from vinci_lab.engine.jit import kernel


@kernel
def begin_game(tables: Any, state: Any, key: int) -> None:
    """Ask :func:`vinci_lab.engine.questions.begin_game`."""
    questions.begin_game(tables, state, key)


@kernel
def deciders(tables: Any, state: Any) -> int:
    """Ask :func:`vinci_lab.engine.questions.deciders`."""
    return questions.deciders(tables, state)


@kernel
def legal_actions(tables: Any, state: Any, seat: int, mask: Any) -> int:
    """Ask :func:`vinci_lab.engine.questions.legal_actions`."""
    return questions.legal_actions(tables, state, seat, mask)


@kernel
def apply_action(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
    """Ask :func:`vinci_lab.engine.questions.apply_action`."""
    questions.apply_action(tables, state, seat, action, events)


@kernel
def chance_outcomes(tables: Any, state: Any, weights: Any) -> int:
    """Ask :func:`vinci_lab.engine.questions.chance_outcomes`."""
    return questions.chance_outcomes(tables, state, weights)


@kernel
def draw_chance(tables: Any, state: Any, key: int) -> int:
    """Ask :func:`vinci_lab.engine.questions.draw_chance`."""
    return questions.draw_chance(tables, state, key)


@kernel
def observe(tables: Any, state: Any, seat: int, view: Any) -> None:
    """Ask :func:`vinci_lab.engine.questions.observe`."""
    questions.observe(tables, state, seat, view)


@kernel
def determinize(tables: Any, view: Any, seat: int, key: int, out: Any) -> None:
    """Ask :func:`vinci_lab.engine.questions.determinize`."""
    questions.determinize(tables, view, seat, key, out)


@kernel
def is_over(tables: Any, state: Any) -> bool:
    """Ask :func:`vinci_lab.engine.questions.is_over`."""
    return questions.is_over(tables, state)


@kernel
def returns(tables: Any, state: Any, values: Any) -> None:
    """Ask :func:`vinci_lab.engine.questions.returns`."""
    questions.returns(tables, state, values)


@kernel
def prepare_policy(tables: Any, view: Any, params: Any) -> None:
    """Ask :func:`vinci_lab.engine.questions.prepare_policy`."""
    questions.prepare_policy(tables, view, params)


@kernel
def suggest(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
    """Ask :func:`vinci_lab.engine.questions.suggest`."""
    return questions.suggest(tables, view, scratch, seat, params, key, plan)


@kernel
def propose_plans(
    tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plans: Any, tools: tuple[Any, Any, Any]
) -> int:
    """Ask :func:`vinci_lab.engine.questions.propose_plans`."""
    return questions.propose_plans(tables, view, scratch, seat, params, key, plans, tools)


@kernel
def estimate(tables: Any, state: Any, params: Any, values: Any) -> None:
    """Ask :func:`vinci_lab.engine.questions.estimate`."""
    questions.estimate(tables, state, params, values)


@kernel
def follow_rulebook(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
    """Ask :func:`vinci_lab.engine.questions.follow_rulebook`."""
    return questions.follow_rulebook(tables, view, scratch, seat, params, key, plan)


@kernel
def scores(tables: Any, state: Any, values: Any) -> None:
    """Ask :func:`vinci_lab.engine.questions.scores`."""
    questions.scores(tables, state, values)


@kernel
def holding_of(tables: Any, state: Any, seat: int, action: int, things: Any) -> int:
    """Ask :func:`vinci_lab.engine.questions.holding_of`."""
    return questions.holding_of(tables, state, seat, action, things)


@kernel
def assign_holding(tables: Any, state: Any, seat: int, action: int, place: int, thing: int) -> bool:
    """Ask :func:`vinci_lab.engine.questions.assign_holding`."""
    return questions.assign_holding(tables, state, seat, action, place, thing)


@kernel
def audit(tables: Any, state: Any) -> int:
    """Ask :func:`vinci_lab.engine.questions.audit`."""
    return questions.audit(tables, state)
