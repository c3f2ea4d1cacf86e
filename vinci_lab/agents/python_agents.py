"""Agents written in plain Python: any ``choose(view) -> action``, called with what its seat may see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from typing import Any

NAMED_AT_MOST = 12


class AgentError(RuntimeError):
    """An agent of a user's failed or chose what is not allowed; the sentence names the agent, the game and the turn."""


@dataclass(frozen=True)
class PythonAgent:
    """A function that plays, under the name it has in the tables.

    Attributes
    ----------
    name : str
        Unique among the agents of a run.
    choose : callable
        ``choose(view) -> action`` for a :class:`vinci_lab.Position` that shows what the seat may see.
    """

    name: str
    choose: Callable[[Any], int]


def name_of(function: Callable[..., Any]) -> str:
    """Return a readable name: the function's own, or that of the object's class."""
    return str(getattr(function, "__name__", type(function).__name__))


def ask(agent: PythonAgent, game: int, view: Any) -> int:
    """Return the action an agent chooses, or raise :class:`AgentError` with a sentence.

    Parameters
    ----------
    agent : PythonAgent
        Whom to ask.
    game : int
        Index of the game in the run, for the sentence.
    view : Position
        What the seat may see; it is the agent's own copy.
    """
    allowed = view.legal_actions(view.viewer)
    try:
        chosen = agent.choose(view)
    except Exception as error:
        raise AgentError(f"{_where(agent.name, game, view)}: it failed with {type(error).__name__}: {error}") from error
    try:
        code: int = view.rules.definition.parse_action(view.rules, chosen) if isinstance(chosen, str) else index(chosen)
    except (TypeError, ValueError):
        code = -1
    if code not in allowed:
        raise refusal(agent.name, game, view, chosen)
    return code


def refusal(name: str, game: int, view: Any, chosen: Any) -> AgentError:
    """Return the error for an answer that is not legal, with what is."""
    allowed = view.legal_actions(view.viewer)
    words = [view.describe(action) for action in allowed[:NAMED_AT_MOST]]
    more = "" if len(allowed) <= NAMED_AT_MOST else f" and {len(allowed) - NAMED_AT_MOST} more"
    return AgentError(
        f"{_where(name, game, view)}: it chose {chosen!r}, which is not legal now; allowed: {', '.join(words)}{more}"
    )


def _where(name: str, game: int, view: Any) -> str:
    return f"agent {name!r}, seat {view.viewer}, game {game}, turn {view.turn}"
