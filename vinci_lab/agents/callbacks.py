"""Agents that the driver calls by address: search, and agents a user has compiled.

A call by address keeps the driver as it is: one compiled loop serves any such agents, and what is not asked for is not
compiled. All have the arguments ``(tables, view, seat, params, key, desk, mask, plan)`` and write what they do to
``plan``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.core.errors import NumbaExperimentalFeatureWarning

from vinci_lab.agents.search import desk_layout, search
from vinci_lab.engine.game import Game
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.records import PLAN, new_record

CALLBACKS = 8  # the driver takes as many, so that its type does not depend on the number of seats

# Numba calls functions by address an experimental feature, each time it compiles such a call.
warnings.filterwarnings("ignore", "First-class function type", NumbaExperimentalFeatureWarning)


_SIGNATURES: dict[str, Any] = {}
_SEARCH: dict[str, Any] = {}


def signature(game: Game) -> Any:
    """Return the types of the arguments above for one game."""
    if game.name not in _SIGNATURES:
        _SIGNATURES[game.name] = _new_signature(game)
    return _SIGNATURES[game.name]


def _new_signature(game: Game) -> Any:
    layouts = (game.tables_layout, game.state_layout, game.policy_layout, desk_layout(game.state_layout))
    type_of: Callable[[Any], Any] = numba.typeof
    tables, state, params, desk = (type_of(new_record(layout)) for layout in layouts)
    mask, plan = type_of(new_record(game.mask_layout)), type_of(new_record(PLAN))
    return types.void(tables, state, types.int64, params, types.int64, desk, mask, plan)


class Nobody(types.WrapperAddressProtocol):
    """In the place of an agent in seats that have another kind; never called."""

    def __init__(self, game: Game) -> None:
        self._signature = signature(game)

    def __wrapper_address__(self) -> int:
        return 1  # no address, but Numba refuses 0

    def signature(self) -> Any:
        """Return the types of an agent's arguments."""
        return self._signature


def compiled_callback(game: Game, function: Callable[..., None], cache: bool) -> Any:
    """Return a function of the arguments above as something the driver can call; itself when the JIT is off."""
    if not JIT:
        return function
    return numba.cfunc(signature(game), cache=cache, error_model="numpy")(function)


def search_callback(game: Game) -> Any:
    """Return search for one game, compiled when first asked for."""
    if game.name not in _SEARCH:
        _SEARCH[game.name] = compiled_callback(game, search, cache=True)
    return _SEARCH[game.name]


def callbacks(game: Game, by_seat: list[Any]) -> tuple[Any, ...]:
    """Return what the driver takes: the callback of each seat, and nobody in the place of the others."""
    nobody = Nobody(game) if JIT else None
    padded = [*by_seat, *[None] * (CALLBACKS - len(by_seat))]
    return tuple(nobody if one is None else one for one in padded)
