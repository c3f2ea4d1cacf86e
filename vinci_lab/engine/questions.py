"""The questions every game answers.

A question is a plain function. A game answers it with ``@answers(question, layout)`` on a function of the same
arguments; compiled code finds the answer from the type of the ``state`` argument, plain Python from its dtype. Whatever
is written over questions (the driver, the agents, replay, conformance) is written once and compiled for each game.

Arguments that recur
--------------------
tables : record
    The printed numbers of a ruleset. Never written to.
state : record
    A position. Its layout starts with the game's tag and has the fields ``key``, ``seats`` and ``turn``
    (turns finished).
seat : int
    0 to ``seats - 1``, or ``CHANCE``.
action : int
    A code from the game's action table.
view, scratch : records
    What a seat sees, in the layout of a state, and another such record; both may be overwritten.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.extending import overload

from vinci_lab.engine.jit import JIT

CHANCE = -1
STATE_FIELDS = ("key", "seats", "turn")

Function = TypeVar("Function", bound=Callable[..., Any])
_ANSWERS: dict[tuple[str, str], Callable[..., Any]] = {}
_OPTIONS: Any = {"cache": True, "nogil": True, "error_model": "numpy"}


def _answer(question: str, state: Any) -> Callable[..., Any]:
    tag = state.dtype.names[0]
    try:
        return _ANSWERS[question, tag]
    except KeyError:
        raise TypeError(f"the game {tag!r} has no answer to the question {question!r}") from None


def begin_game(tables: Any, state: Any, key: int) -> None:
    """Make ``state`` the position before the first chance event of a new game with this random key."""
    _answer("begin_game", state)(tables, state, key)


def deciders(tables: Any, state: Any) -> int:
    """Return the set of seats (bits) that owe a decision now; 0 means chance, or over."""
    return int(_answer("deciders", state)(tables, state))


def legal_actions(tables: Any, state: Any, seat: int, mask: Any) -> int:
    """Write 1 at each legal action of ``seat`` into ``mask`` (uint8, one place per action) and return their number."""
    return int(_answer("legal_actions", state)(tables, state, seat, mask))


def apply_action(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
    """Carry out one legal action, or a chance outcome with ``seat = CHANCE``, and write what happened to ``events``."""
    _answer("apply_action", state)(tables, state, seat, action, events)


def chance_outcomes(tables: Any, state: Any, weights: Any) -> int:
    """At a chance node, write the weight of each outcome to ``weights`` (float64 by action) and return their number."""
    return int(_answer("chance_outcomes", state)(tables, state, weights))


def draw_chance(tables: Any, state: Any, key: int) -> int:
    """Return the outcome of the chance node that the random key decides."""
    return int(_answer("draw_chance", state)(tables, state, key))


def observe(tables: Any, state: Any, seat: int, view: Any) -> None:
    """Write to ``view`` what ``seat`` may know of ``state``: hidden fields and the random key are blank."""
    _answer("observe", state)(tables, state, seat, view)


def determinize(tables: Any, view: Any, seat: int, key: int, out: Any) -> None:
    """Write to ``out`` a full state drawn at random from those that look like ``view`` to ``seat``."""
    _answer("determinize", view)(tables, view, seat, key, out)


def is_over(tables: Any, state: Any) -> bool:
    """Return whether the game has ended."""
    return bool(_answer("is_over", state)(tables, state))


def returns(tables: Any, state: Any, values: Any) -> None:
    """Write each seat's share of the win (float64; ties split, sum 1) to ``values``; all 0 before the end."""
    _answer("returns", state)(tables, state, values)


def prepare_policy(tables: Any, view: Any, params: Any) -> None:
    """Write to ``params.estimates`` what the fast policy can work out once, from the printed numbers alone.

    ``view`` is any state record of the game; only its layout counts.
    """
    _answer("prepare_policy", view)(tables, view, params)


def suggest(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
    """Write the next actions of the game's fast policy to ``plan`` and return their number, at least 1.

    Stops before chance is revealed or another seat decides. ``params`` is a record of the policy's parameters.
    """
    return int(_answer("suggest", view)(tables, view, scratch, seat, params, key, plan))


def propose_plans(
    tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plans: Any, tools: tuple[Any, Any, Any]
) -> int:
    """Write candidate plans for the rest of the seat's turn with rough values, best first; return their number.

    The policy's own plan is among them, and every alternative that matters. A plan stops before chance is revealed or
    another seat decides. ``tools`` are more room to think: a state record, a plan, and events that are off.
    """
    return int(_answer("propose_plans", view)(tables, view, scratch, seat, params, key, plans, tools))


def estimate(tables: Any, state: Any, params: Any, values: Any) -> None:
    """Write to ``values`` (float64) how likely each seat of any position is to win, from 0 to 1; the sum is free.

    It judges games that search has not played to their end, and tells a clear win from a close one after it.
    """
    _answer("estimate", state)(tables, state, params, values)


def follow_rulebook(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
    """Write the next actions of the rulebook's own player to ``plan`` and return their number, at least 1.

    A game without such a player does not answer, and ``suggest`` answers for it. The random numbers of ``key`` belong
    to the seat and the turn: the same question in the same position has the same answer.
    """
    question = "follow_rulebook" if is_answered(follow_rulebook, view.dtype) else "suggest"
    return int(_answer(question, view)(tables, view, scratch, seat, params, key, plan))


def measure_start(tables: Any, state: Any, memo: Any) -> None:
    """Clear the running notes of one game."""
    _answer("measure_start", state)(tables, state, memo)


def measure_action(tables: Any, state: Any, seat: int, action: int, memo: Any, rows: Any) -> None:
    """Note an action about to be applied, and write its rows."""
    _answer("measure_action", state)(tables, state, seat, action, memo, rows)


def measure_turn(tables: Any, state: Any, memo: Any, rows: Any) -> None:
    """Write the rows of the turn that has just ended."""
    _answer("measure_turn", state)(tables, state, memo, rows)


def measure_end(tables: Any, state: Any, memo: Any, rows: Any) -> None:
    """Write the rows that are known when the game is over."""
    _answer("measure_end", state)(tables, state, memo, rows)


def scores(tables: Any, state: Any, values: Any) -> None:
    """Write the score of each seat so far to ``values`` (float64)."""
    _answer("scores", state)(tables, state, values)


def holding_of(tables: Any, state: Any, seat: int, action: int, things: Any) -> int:
    """Write the kinds of things under study that a legal action gives the seat to ``things`` (int64).

    Return their number; 0 for an action that gives none.
    """
    return int(_answer("holding_of", state)(tables, state, seat, action, things))


def assign_holding(tables: Any, state: Any, seat: int, action: int, place: int, thing: int) -> bool:
    """Change the state so that an action gives the seat another thing in one place, the others as they were.

    What it would have given goes where the new one is taken from, or back to where such things are drawn from. Return
    False, and leave the state as it is, when no such thing is free or the rules forbid the combination.
    """
    return bool(_answer("assign_holding", state)(tables, state, seat, action, place, thing))


def audit(tables: Any, state: Any) -> int:
    """Return 0 for a possible position, else the set of broken invariants as bits (see the game's ``INVARIANTS``)."""
    return int(_answer("audit", state)(tables, state))


QUESTIONS: dict[str, Callable[..., Any]] = {
    question.__name__: question
    for question in (
        begin_game,
        deciders,
        legal_actions,
        apply_action,
        chance_outcomes,
        draw_chance,
        observe,
        determinize,
        is_over,
        returns,
        prepare_policy,
        suggest,
        propose_plans,
        estimate,
        follow_rulebook,
        measure_start,
        measure_action,
        measure_turn,
        measure_end,
        scores,
        holding_of,
        assign_holding,
        audit,
    )
}


# Questions that a game need not answer
OPTIONAL = ("follow_rulebook", "scores", "holding_of", "assign_holding")


def is_answered(question: Callable[..., Any], layout: np.dtype[Any]) -> bool:
    """Return whether the game of a state layout answers a question itself."""
    return (question.__name__, (layout.names or ("",))[0]) in _ANSWERS


def _tag(state_type: Any) -> str | None:
    """Return the first field's name of a compiled record (or array of records) type."""
    record = state_type.dtype if isinstance(state_type, types.Array) else state_type
    return next(iter(record.fields)) if isinstance(record, types.Record) else None


def answers(question: Callable[..., Any], layout: np.dtype[Any]) -> Callable[[Function], Function]:
    """Register a function as one game's answer to a question.

    Parameters
    ----------
    question : callable
        One of the functions of this module.
    layout : numpy.dtype
        The game's state layout; its first field is the game's tag.

    Raises
    ------
    ValueError
        If the arguments differ from the question's, or the game has answered already.
    """
    name, tag = question.__name__, (layout.names or ("",))[0]

    def register(function: Function) -> Function:
        arguments = list(inspect.signature(function).parameters)
        if arguments != list(inspect.signature(question).parameters):
            raise ValueError(f"{tag}: the answer to {name} must take {inspect.signature(question)}")
        if (name, tag) in _ANSWERS:
            raise ValueError(f"{tag}: {name} is answered twice")
        _ANSWERS[name, tag] = function
        if JIT:
            overload(question, jit_options=_OPTIONS)(_typing_of(function, tag))
        return function

    return register


def _typing_of(function: Callable[..., Any], tag: str) -> Callable[..., Any]:
    """Return the typing function Numba asks for, which picks on the second argument.

    It must show exactly the signature of the answer, annotations included, or Numba refuses the answer.
    """
    signature = inspect.signature(function)

    def pick(*arguments: Any, **named: Any) -> Callable[..., Any] | None:
        return function if _tag(signature.bind(*arguments, **named).args[1]) == tag else None

    pick.__signature__ = signature  # type: ignore[attr-defined]
    return pick


def _suggest_instead(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> Any:
    """Return the compiled answer to ``follow_rulebook`` of a game that gives none."""
    tag = _tag(view)
    if tag is None or ("follow_rulebook", tag) in _ANSWERS:
        return None

    def answer(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> Any:
        return suggest(tables, view, scratch, seat, params, key, plan)

    return answer


if JIT:
    overload(follow_rulebook, jit_options=_OPTIONS)(_suggest_instead)
