"""Random play written once over the questions, as the driver of the house is, and compiled for each toy.

``python -m tests.toys.play_out GAMES`` prints a digest of the finished positions and how many functions were compiled
and how many loaded from the cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numpy as np

from tests.toys import hidden_bid, last_stone
from vinci_lab.engine import bits, chance, questions
from vinci_lab.engine.jit import CACHE_FOLDER, JIT, kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, new_record, new_records


@contextlib.contextmanager
def cache_folder_of_toys() -> Iterator[None]:
    """Let the cache folder follow the toys' sources too; the house hashes only its own."""
    if CACHE_FOLDER is not None:
        sources = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
        numba.config.CACHE_DIR = str(CACHE_FOLDER / f"toys-{hashlib.blake2b(sources, digest_size=8).hexdigest()}")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = str(CACHE_FOLDER or "")


with cache_folder_of_toys():

    @kernel
    def play_out(
        tables: Any, work: Any, games: int, seed: int, mask: Any, events: Any, finished: Any, shares: Any
    ) -> int:
        """Play games at random; keep the final positions and each seat's share; return the number of decisions."""
        state, view = work[0], work[1]
        decisions = 0
        for game in range(games):
            questions.begin_game(tables, state, chance.game_key(seed, game))
            while not questions.is_over(tables, state):
                owing = questions.deciders(tables, state)
                if owing == 0:
                    questions.apply_action(
                        tables, state, CHANCE, questions.draw_chance(tables, state, state.key), events
                    )
                    continue
                seat = bits.lowest(owing)
                questions.observe(tables, state, seat, view)
                number = questions.legal_actions(tables, view, seat, mask)
                left = chance.below(number, state.key, chance.PURPOSE_AGENT, seat, decisions)
                action = 0
                while mask[action] == 0 or left > 0:
                    left -= mask[action]
                    action += 1
                questions.apply_action(tables, state, seat, action, events)
                decisions += 1
            finished[game] = state
            questions.returns(tables, state, shares[game])
        return decisions

    @kernel
    def measure_round(tables: Any, state: Any, bids: Any, memo: Any, rows: Any, fill: Any, events: Any) -> None:
        """Measure one round of bids as if it were the last."""
        questions.measure_start(tables, state, memo)
        for seat in range(len(bids)):
            questions.measure_action(tables, state, seat, bids[seat], memo, rows, fill)
            questions.apply_action(tables, state, seat, bids[seat], events)
        questions.measure_turn(tables, state, memo, rows, fill)
        questions.measure_end(tables, state, memo, rows, fill)


def finished_games(toy: Any, games: int, seed: int = 7, events: Any = None) -> tuple[Any, Any, int]:
    """Return the final positions of some random games, the shares of the win, and the number of decisions."""
    tables = hidden_bid.load().tables if toy is hidden_bid else new_record(last_stone.TABLES)
    if toy is last_stone:
        tables.stones = last_stone.STONES
    finished, shares = new_records(toy.STATE, games), np.zeros((games, 4))
    decisions = play_out(
        tables,
        new_records(toy.STATE, 2),
        games,
        seed,
        np.zeros(toy.ACTIONS, np.uint8),
        new_record(EVENTS) if events is None else events,
        finished,
        shares,
    )
    return finished, shares, decisions


def digest(games: int) -> str:
    """Return a hash of what became of some games of both toys."""
    summary = hashlib.blake2b(digest_size=8)
    for toy in (hidden_bid, last_stone):
        finished, shares, decisions = finished_games(toy, games)
        summary.update(finished.tobytes() + shares.tobytes() + str(decisions).encode())
    return summary.hexdigest()


if __name__ == "__main__":
    print(digest(int(sys.argv[1])), end=" ")
    if JIT:
        print(sum(play_out.stats.cache_misses.values()), sum(play_out.stats.cache_hits.values()))
    else:
        print(0, 0)
