"""Random play written once over the questions, as the driver of the house is, and compiled for each toy.

``python -m tests.toys.play_out GAMES`` plays both toys here and one in the driver of the house, and prints a digest of
each, and how many kernels were compiled and how many loaded from the cache.
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
from vinci_lab.agents.compiled import GREEDY, RANDOM
from vinci_lab.engine import bits, chance, questions
from vinci_lab.engine.jit import CACHE_FOLDER, JIT, kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, new_record, new_records
from vinci_lab.engine.rows import ROOM, TABLE_NAMES
from vinci_lab.simulation import driver

COUNTS = ("cache_misses", "cache_hits")


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


def drive(games: int, taken: int = 0) -> tuple[int, dict[str, Any], int]:
    """Play games in the driver of the house, two seats random and two greedy.

    Parameters
    ----------
    games : int
        Number of games.
    taken : int
        Rows of the table ``games`` that are taken already.

    Returns
    -------
    number : int
        Games completed.
    rows : dict of arrays
        What was recorded, by table.
    actions : int
        Actions applied.
    """
    toy = hidden_bid.GAME
    rows, params = driver.new_rows(toy, True), new_records(toy.policy_layout, hidden_bid.SEATS)
    rows.used[0] = taken
    params[:] = toy.policy(hidden_bid.load().tables)
    agents = np.array([RANDOM, GREEDY, RANDOM, GREEDY])
    number = driver.play_games(
        hidden_bid.load().tables,
        driver.new_work(toy),
        new_record(toy.memo_layout),
        agents,
        params,
        7,
        0,
        games,
        rows,
        driver.new_tools(toy),
    )
    recorded = {name: rows[name][: rows.kept[index]] for index, name in enumerate(TABLE_NAMES[:2])}
    return int(number), recorded, int(rows.actions)


def drive_and_check(games: int) -> str:
    """Return a hash of the driver's rows, after checking what must hold for them."""
    number, rows, actions = drive(games)
    assert number == games
    assert actions == games * hidden_bid.ROUNDS * hidden_bid.SEATS
    assert rows["turns"][:, :2].tolist() == [[game, turn + 1] for game in range(games) for turn in range(5)]
    assert rows["games"][:, :2].tolist() == [[game, seat] for game in range(games) for seat in range(4)]
    assert 0 < rows["turns"][:, 2].max() <= hidden_bid.COINS
    assert rows["games"][:, 2].sum() > 0
    taken = ROOM[0] - 2 * hidden_bid.SEATS + 1
    few, first_rows, _ = drive(games, taken)  # a full buffer stops at the last whole game
    assert few == 1
    assert first_rows["games"][taken:].tolist() == rows["games"][: hidden_bid.SEATS].tolist()
    return hashlib.blake2b(rows["games"].tobytes() + rows["turns"].tobytes(), digest_size=8).hexdigest()


def main(games: int) -> None:
    """Print both digests, and kernels compiled and loaded."""
    kernels = (play_out, driver.play_games)
    print(digest(games), drive_and_check(games), end=" ")
    print(*(sum(sum(getattr(one.stats, what).values()) for one in kernels) if JIT else 0 for what in COUNTS))


if __name__ == "__main__":
    main(int(sys.argv[1]))
