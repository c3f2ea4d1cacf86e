"""Who plays: from what a person writes (``"greedy,random"``, a function) to one agent per seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vinci_lab.agents.callbacks import search_callback
from vinci_lab.agents.compiled import AGENT_CODES, AGENT_NAMES, OWN, RANDOM, SEARCH
from vinci_lab.agents.python_agents import PythonAgent, name_of
from vinci_lab.agents.user_compiled import CompiledAgent
from vinci_lab.engine.game import Game
from vinci_lab.engine.questions import follow_rulebook, is_answered
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.agent_settings import read_settings

Agent = str | Callable[..., int]
AUTOMATON = "automaton"


@dataclass(frozen=True)
class Seated:
    """One seat's agent.

    Attributes
    ----------
    name : str
        As in the tables.
    player : int, PythonAgent or CompiledAgent
        Code of an agent of the house, or an agent of a user's.
    params : mapping of str to float
        Parameters of the game's fast policy that differ from their defaults.
    settings : mapping of str to int
        What search is told, such as its number of rollouts; empty for other agents.
    """

    name: str
    player: int | PythonAgent | CompiledAgent
    params: Mapping[str, float]
    settings: Mapping[str, int] = field(default_factory=dict)

    @property
    def code(self) -> int:
        """The agent's code in the driver, which leaves Python agents alone."""
        if isinstance(self.player, CompiledAgent):
            return OWN
        return RANDOM if isinstance(self.player, PythonAgent) else self.player

    def callback(self, game: Game) -> Any:
        """Return what the driver calls by address, or None for agents it calls by name."""
        if isinstance(self.player, CompiledAgent):
            return self.player.callback
        return search_callback(game) if self.player == SEARCH else None


def seat_agents(rules: Ruleset, agents: Agent | Sequence[Agent]) -> tuple[Seated, ...]:
    """Return one agent per seat; seats the rules play are automata unless all seats are named.

    Raises
    ------
    ValueError
        If an agent is unknown, or there are neither one nor as many as players or seats.
    """
    asked: list[Any] = (
        split_names(agents) if isinstance(agents, str) else [agents] if callable(agents) else list(agents)
    )
    if len(asked) == 1:
        asked *= rules.players
    if len(asked) == rules.players:
        asked += [AUTOMATON] * (rules.seats - rules.players)
    if len(asked) != rules.seats:
        players = f", or one for each player, {rules.players}" if rules.seats > rules.players else ""
        raise ValueError(
            f"agents: give one for all seats or one for each of the {rules.seats}{players}, got {len(asked)}"
        )
    names: dict[int, str] = {}
    return tuple(_seated(rules, agent, seat, names) for seat, agent in enumerate(asked))


def split_names(text: str) -> list[str]:
    """Return the agents of ``"greedy:horizon=4,denial=0,random"``: ``name=value`` belongs to the agent before it."""
    agents: list[str] = []
    for piece in (piece.strip() for piece in text.split(",")):
        if agents and "=" in piece and ":" not in piece:
            agents[-1] += f",{piece}"
        else:
            agents.append(piece)
    return agents


def _seated(rules: Ruleset, agent: Any, seat: int, names: dict[int, str]) -> Seated:
    """Return one agent; ``names`` holds the names of the Python agents so far, by identity."""
    if isinstance(agent, str):
        return parse_agent(rules.definition, agent)
    if isinstance(agent, CompiledAgent):
        return Seated(agent.name, agent.require(rules.definition), {})
    if not callable(agent):
        raise ValueError(
            f"agents: seat {seat} must be a name ({', '.join(AGENT_NAMES)}) or a function choose(view) -> action, "
            f"got {agent!r}"
        )
    if id(agent) not in names:
        taken, plain = {*AGENT_NAMES, *names.values()}, name_of(agent)
        names[id(agent)] = next(
            name for name in (plain, *(f"{plain} {number}" for number in range(2, 99))) if name not in taken
        )
    return Seated(names[id(agent)], PythonAgent(names[id(agent)], agent), {})


def parse_agent(game: Game, text: str) -> Seated:
    """Return a compiled agent from its name and settings, ``"greedy:horizon=4,denial=0"`` or ``"search:rollouts=64"``.

    Raises
    ------
    ValueError
        If there is no such agent or parameter, or a value is not a number.
    """
    name, _, settings = text.partition(":")
    if name not in AGENT_NAMES:
        raise ValueError(f"agents: there is no {name!r}; choose from {', '.join(AGENT_NAMES)}")
    if name == AUTOMATON and (settings or not is_answered(follow_rulebook, game.state_layout)):
        what = "takes no parameters" if settings else f"is a player of the rulebook, and {game.name} has none"
        raise ValueError(f"agents: {name} {what}, got {text!r}")
    params, search = read_settings(game, name, settings)
    return Seated(text, AGENT_CODES[name], params, search)
