from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy import stats

from vinci_lab.engine import chance
from vinci_lab.engine.jit import kernel

MASK = 2**64 - 1
SPLITMIX64_OF_SEED_0 = (0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F)  # published test vectors


def stirred(state: int, value: int) -> int:
    """SplitMix64's step and finaliser in unbounded integers."""
    state = (state + 0x9E3779B97F4A7C15 * (value + 1)) & MASK
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & MASK
    return state ^ (state >> 31)


def expected_word(key: int, purpose: int, place: int, count: int) -> int:
    return stirred(stirred(stirred(stirred(0, key), purpose), place), count) >> 1


@kernel
def many_words(varied: int, number: int, key: int, purpose: int, place: int, count: int) -> np.ndarray:
    """Return words whose key, purpose, place or count (``varied`` 0 to 3) runs up from the given one."""
    words = np.zeros(number, np.int64)
    for step in range(number):
        words[step] = chance.word(
            key + step * (varied == 0), purpose + step * (varied == 1), place + step * (varied == 2),
            count + step * (varied == 3),
        )  # fmt: skip
    return words


@kernel
def first_words(number: int, by_seed: bool) -> np.ndarray:
    words = np.zeros(number, np.int64)
    for index in range(number):
        key = chance.game_key(index, 0) if by_seed else chance.game_key(7, index)
        words[index] = chance.word(key, chance.FIRST_PURPOSE_OF_A_GAME, 0, 0)
    return words


@pytest.mark.parametrize("value", range(3))
def test_the_mixer_is_splitmix64(value: int) -> None:
    assert int(chance._stir(np.uint64(0), value)) == stirred(0, value) == SPLITMIX64_OF_SEED_0[value]


@pytest.mark.parametrize(
    "arguments",
    [(0, 0, 0, 0), (1, 2, 3, 4), (2**63 - 1, 16, 62, 10**6), (2**63 - 1,) * 4, (12345678901234567, 3, 0, 9)],
)
def test_a_word_is_four_mixes_without_the_last_bit(arguments: tuple[int, int, int, int]) -> None:
    assert chance.word(*arguments) == expected_word(*arguments)


def test_uniform_and_below_come_from_the_word() -> None:
    for count in range(200):
        word = expected_word(5, 16, 1, count)
        assert chance.uniform(5, 16, 1, count) == (word >> 10) / 2**53
        assert chance.below(26, 5, 16, 1, count) == word % 26


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("varied", range(4), ids=["key", "purpose", "place", "count"])
@pytest.mark.parametrize("bins", [2, 6, 26, 45, 1024])
def test_words_are_uniform_whatever_runs_up(varied: int, bins: int) -> None:
    words = many_words(varied, 102_400, 3, 16, 0, 0)
    low = np.bincount(words % bins, minlength=bins)
    high = np.bincount((words / 2.0**63 * bins).astype(int), minlength=bins)
    assert stats.chisquare(low).pvalue > 1e-4
    assert stats.chisquare(high).pvalue > 1e-4


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("varied", range(4), ids=["key", "purpose", "place", "count"])
def test_neighbouring_words_are_independent(varied: int) -> None:
    words = many_words(varied, 102_401, 3, 16, 0, 0)
    pairs = np.bincount(words[:-1] % 8 * 8 + words[1:] % 8, minlength=64)
    assert stats.chisquare(pairs).pvalue > 1e-4


@pytest.mark.parametrize("by_seed", [False, True], ids=["games of a seed", "seeds"])
def test_first_words_all_differ(by_seed: bool) -> None:
    words = first_words(10_000, by_seed)
    assert np.unique(words).size == words.size


def test_games_of_neighbouring_seeds_are_not_shifted_copies() -> None:
    keys = {seed: {int(chance.game_key(seed, game)) for game in range(500)} for seed in range(4)}
    assert len(set().union(*keys.values())) == 2000


@pytest.mark.compiled
def test_words_are_the_same_without_the_compiler(run_python: Callable[..., str]) -> None:
    program = (
        "from vinci_lab.engine import chance\n"
        "print([int(chance.word(7, p, q, c)) for p in range(6) for q in range(6) for c in range(6)],"
        " [float(chance.uniform(7, 1, 2, c)) for c in range(9)], int(chance.game_key(2**63 - 1, 4711)))"
    )
    assert run_python("-c", program, VINCI_LAB_JIT="0") == run_python("-c", program, VINCI_LAB_JIT="1")
