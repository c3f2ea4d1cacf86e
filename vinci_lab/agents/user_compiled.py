"""Agents that a user has compiled: a Numba function that plays in the same compiled loop as the agents of the house."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numba
from numba.core.errors import NumbaError

from vinci_lab.agents.callbacks import compiled_callback
from vinci_lab.agents.python_agents import name_of
from vinci_lab.engine.game import Game, game_of
from vinci_lab.engine.jit import JIT


class CompiledAgent:
    """A compiled function that plays one game; see :func:`compiled_agent`.

    Attributes
    ----------
    name : str
        As in the tables.
    game : str
        The game it plays.
    function : callable
        As it was written.
    """

    def __init__(self, game: str, function: Callable[..., int]) -> None:
        self.game, self.function, self.name = game_of(game).name, function, name_of(function)
        self.__doc__ = function.__doc__

    def __call__(self, tables: Any, view: Any, seat: int, allowed: Any, key: int) -> int:
        """Ask the function as it was written, without the compiler."""
        return int(self.function(tables, view, seat, allowed, key))

    def __reduce__(self) -> tuple[Any, ...]:
        return CompiledAgent, (self.game, self.function)

    def require(self, game: Game) -> CompiledAgent:
        """Return the agent, or raise ``ValueError`` if it plays another game."""
        if game.name != self.game:
            raise ValueError(f"agents: {self.name!r} is compiled for {self.game}, and the game is {game.name}")
        return self

    @functools.cached_property
    def callback(self) -> Any:
        """What the driver calls, compiled when first asked for."""
        function = self.function
        choose: Any = numba.njit(nogil=True, error_model="numpy")(function) if JIT else function

        def play(tables: Any, view: Any, seat: int, params: Any, key: int, desk: Any, mask: Any, plan: Any) -> None:
            plan.actions[0] = choose(tables, view, seat, mask.allowed, key)
            plan.length = 1

        try:
            return compiled_callback(game_of(self.game), play, cache=False)
        except (NumbaError, LookupError, TypeError) as error:  # Numba's own error, or what it trips over
            raise ValueError(f"agents: {self.name!r} cannot be compiled: {error}") from error


def compiled_agent(game: str) -> Callable[[Callable[..., int]], CompiledAgent]:
    """Make an agent at full speed from a function that Numba can compile.

    Parameters
    ----------
    game : str
        The game it plays, such as ``"vinci"``.

    Returns
    -------
    decorator
        For a function ``choose(tables, view, seat, allowed, key) -> action``: the printed numbers and what the seat
        sees, as records; the seat; a uint8 array with a 1 at each action that is legal now; and a random number from 0
        to 2**63 - 1, another one for each decision. The result stands for an agent wherever one is asked for.

    Raises
    ------
    ValueError
        If there is no such game; and when the agent first plays, if Numba cannot compile it.

    Examples
    --------
    >>> import vinci_lab as vl
    >>> @vl.compiled_agent(game="vinci")
    ... def anything(tables, view, seat, allowed, key):
    ...     legal = allowed.nonzero()[0]
    ...     return legal[key % len(legal)]
    """
    game_of(game)
    return functools.partial(CompiledAgent, game)
