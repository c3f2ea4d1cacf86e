"""Who sits at a table: people and agents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from vinci_lab.agents.compiled import AGENT_NAMES
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.transcript_lines import printable
from vinci_lab.simulation.seats import Agent, Seated, seat_agents

HUMAN = "human"


@dataclass(frozen=True)
class Player:
    """Who sits at a seat.

    Attributes
    ----------
    seat : int
        The seat.
    name : str
        ``"human"``, ``"human:Ada"``, or the agent's name.
    agent : Seated or None
        The agent; None for a person.
    """

    seat: int
    name: str
    agent: Seated | None

    @property
    def is_human(self) -> bool:
        """Whether a person decides."""
        return self.agent is None

    @property
    def title(self) -> str:
        """Seat and name in words."""
        called = self.name.partition(":")[2] if self.is_human else self.name
        return printable(f"seat {self.seat}{f' ({called})' if called else ''}")


def seat_players(rules: Ruleset, seats: Agent | Sequence[Agent]) -> tuple[Player, ...]:
    """Return who sits where; ``"human"`` and ``"human:Ada"`` are people, anything else is an agent.

    Raises
    ------
    ValueError
        If an agent is unknown, or there are neither one nor as many as players or seats.
    """
    asked: list[Agent] = [seats] if isinstance(seats, str) or callable(seats) else list(seats)
    if isinstance(seats, str) and "," in seats:
        asked = [piece.strip() for piece in seats.split(",")]
    stand_ins = [AGENT_NAMES[0] if is_human(one) else one for one in asked]
    seated = seat_agents(rules, stand_ins)
    names = asked * rules.players if len(asked) == 1 else asked
    return tuple(
        Player(seat, str(names[seat]), None)
        if seat < len(names) and is_human(names[seat])
        else Player(seat, one.name, one)
        for seat, one in enumerate(seated)
    )


def is_human(who: Any) -> bool:
    """Return whether a name stands for a person."""
    return isinstance(who, str) and (who == HUMAN or who.startswith(f"{HUMAN}:"))
