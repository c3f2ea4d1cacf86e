"""Agents that decide for a seat of a position: what they would do next, for playing and for hints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from vinci_lab.agents.callbacks import callbacks
from vinci_lab.agents.compiled import CALLED_BY_ADDRESS, SEARCH, think
from vinci_lab.agents.deciding import think_elsewhere
from vinci_lab.agents.python_agents import AgentError, PythonAgent, ask
from vinci_lab.agents.search import new_desk
from vinci_lab.engine import entries
from vinci_lab.engine.position import Position
from vinci_lab.engine.records import PLAN, new_record
from vinci_lab.simulation.seats import Seated


class Mind:
    """One agent at one seat.

    Several threads may ask at once: everything an answer is worked out with is made for it.

    Parameters
    ----------
    position : Position
        Of the game that is played.
    seated : Seated
        The agent.
    """

    def __init__(self, position: Position, seated: Seated) -> None:
        self.rules, self.seated = position.rules, seated
        self._game: Any = position.rules.definition
        self._params = self._game.policy(self.rules.tables, **seated.params)

    @property
    def name(self) -> str:
        """The agent's name."""
        return self.seated.name

    def plan(self, position: Position, seat: int, key: int, taken: int) -> list[int]:
        """Return what the agent does next, one action or more; the GIL is free while a compiled agent thinks.

        Parameters
        ----------
        position : Position
            The whole position; the agent is shown what its seat may see.
        seat : int
            Its seat, which owes a decision.
        key, taken : int
            What the agent draws at random follows from these: the game's key, and the actions taken so far. With those
            of a simulated game the same is done as there.

        Raises
        ------
        AgentError
            If an agent of a user's fails, or answers with what is not legal.
        """
        if isinstance(self.seated.player, PythonAgent):
            return [ask(self.seated.player, position.origin[1] if position.origin else 0, position.view(seat))]
        layout, code = self._game.state_layout, self.seated.code
        view, mask, plan = new_record(layout), new_record(self._game.mask_layout), new_record(PLAN)
        if code in CALLED_BY_ADDRESS:
            desk = new_desk(layout, [self.seated.settings if place == seat else {} for place in range(seat + 1)])
            called = callbacks(self._game, [None] * seat + [self.seated.callback(self._game)])
            tables, state = self.rules.tables, position.state
            think_elsewhere(tables, state, view, code, seat, self._params, key, taken, mask, plan, desk, called)
        else:
            scratch = new_record(layout)
            think(self.rules.tables, position.state, view, scratch, code, seat, self._params, key, taken, mask, plan)
        if plan.length == 0:
            raise AgentError(f"agent {self.name!r}, seat {seat}, turn {position.turn}: it answered with nothing legal")
        return [int(action) for action in plan.actions[: plan.length]]

    def prospects(self, position: Position) -> list[float]:
        """Return what the agent's fast policy makes of a position: each seat's outlook, roughly, from 0 to 1."""
        values = np.zeros(int(position.state.seats))
        entries.estimate(self.rules.tables, position.state, self._params, values)
        return [float(value) for value in values]

    @property
    def is_searching(self) -> bool:
        """Whether it plays its plans out by simulation."""
        return self.seated.player == SEARCH


@dataclass(frozen=True)
class Question:
    """What an agent is asked, in a form that no later change of the game touches.

    Attributes
    ----------
    mind : Mind
        The agent.
    position : Position
        A copy of the position.
    seat, taken : int
        Who decides, and how many actions were taken before.
    stamp : int
        Of the session when it was asked.
    """

    mind: Mind
    position: Position
    seat: int
    taken: int
    stamp: int

    def think(self) -> list[int]:
        """Return the agent's answer; may take long, and may be called in any thread."""
        return self.mind.plan(self.position, self.seat, int(self.position.state.key), self.taken)
