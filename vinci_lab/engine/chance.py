"""Keyed randomness: a random number is a pure function of what is drawn, not of what was drawn before.

``word(key, purpose, place, count)`` mixes a game's key with the purpose of the draw (which bag, which die), its place
(which tile, which province) and a counter. Game 4711 of seed 7 is therefore the same on every machine, in every batch,
and a change somewhere in a game does not shift every later draw. The mixer is the finaliser of SplitMix64, applied once
per argument. Words have 63 bits so that they fit an ``int64`` without a sign.
"""

from __future__ import annotations

import numpy as np

from vinci_lab.engine.jit import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
ONE = np.uint64(1)
SHIFT_30, SHIFT_27, SHIFT_31 = np.uint64(30), np.uint64(27), np.uint64(31)
LARGEST_SEED = 2**63 - 1

PURPOSE_GAME = 1
PURPOSE_CHANCE = 2
PURPOSE_AGENT = 3
PURPOSE_DETERMINIZE = 4
FIRST_PURPOSE_OF_A_GAME = 16


@kernel(wraps_around=True)
def _stir(state: np.uint64, value: int) -> np.uint64:
    state = state + GOLDEN * (np.uint64(value) + ONE)
    state = (state ^ (state >> SHIFT_30)) * FIRST
    state = (state ^ (state >> SHIFT_27)) * SECOND
    return state ^ (state >> SHIFT_31)


@kernel
def word(key: int, purpose: int, place: int, count: int) -> int:
    """Return a random integer from 0 to 2**63 - 1; all arguments are non-negative integers."""
    state = _stir(_stir(_stir(_stir(np.uint64(0), key), purpose), place), count)
    return np.int64(state >> ONE)


@kernel
def uniform(key: int, purpose: int, place: int, count: int) -> float:
    """Return a random number in [0, 1) with 53 random bits."""
    return (word(key, purpose, place, count) >> 10) * (1.0 / 9007199254740992.0)


@kernel
def below(limit: int, key: int, purpose: int, place: int, count: int) -> int:
    """Return a random integer from 0 to ``limit - 1``."""
    return word(key, purpose, place, count) % limit


@kernel
def game_key(seed: int, game: int) -> int:
    """Return the key of one game of a seeded run."""
    return word(seed, PURPOSE_GAME, game, 0)
