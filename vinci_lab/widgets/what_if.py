"""Two rules played on common keys in the background, compared while they are played. No widget.

The intervals are confidence sequences, so one may look after every game, stop when one likes, and still be right.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd

from vinci_lab.analysis.compare import compare_metrics
from vinci_lab.analysis.metrics import game_metrics, oriented
from vinci_lab.analysis.sequential import FIRST_LOOK, normal_mixture
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.blocks import MemoryBlocks, Piece, cut
from vinci_lab.simulation.chunks import Job, play_chunk, warm_up
from vinci_lab.simulation.identity import identity_of
from vinci_lab.simulation.seats import Agent, seat_agents
from vinci_lab.simulation.store import Runs

TIGHTEST = 2_000  # games near which the intervals are tightest; fixed before anybody looks
CHUNK = 100  # games of both rules between two looks
LEAST = 2  # games a comparison needs


class WhatIf:
    """A comparison that can be watched and stopped.

    Parameters
    ----------
    before, after : Ruleset
        The rules as they are and as they might be.
    games : int
        At most, with each of the rules.
    seed : int
        Of the games; game i has the same keys under both rules.
    agents : str, callable, or a sequence of them
        As for :func:`vinci_lab.simulate`.
    level : float
        Of confidence.
    chunk : int
        Games between two looks.

    Attributes
    ----------
    error : str
        What went wrong, in a sentence; nothing otherwise.

    Raises
    ------
    ValueError
        If the numbers of players or seats differ, or an argument is not allowed.
    """

    def __init__(
        self,
        before: Ruleset,
        after: Ruleset,
        games: int = 5_000,
        seed: int = 7,
        agents: Agent | Sequence[Agent] = "greedy",
        level: float = 0.95,
        chunk: int = CHUNK,
    ) -> None:
        if before.seats != after.seats:
            raise ValueError(f"what if: both rules need the same number of seats, got {before.seats} and {after.seats}")
        if games < LEAST or chunk < LEAST:
            raise ValueError(f"games: a comparison needs at least {LEAST}, got {min(games, chunk)}")
        self.games, self.seed, self.level, self.chunk = games, seed, level, chunk
        self.error = ""
        self._sides = [self._side(rules, agents) for rules in (before, after)]
        self._found: tuple[list[pd.DataFrame], list[pd.DataFrame]] = ([], [])
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def _side(self, rules: Ruleset, agents: Agent | Sequence[Agent]) -> tuple[Ruleset, Job]:
        return rules, Job.of(rules, seat_agents(rules, agents), self.seed, rows=True)

    # Playing ------------------------------------------------------------------------------------------------------

    def start(self, look: Callable[[], object] = lambda: None) -> None:
        """Play in a thread of its own; ``look`` is called there after every chunk, and once when all is over."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, args=(look,), name="what-if", daemon=True)
            self._thread.start()

    def stop(self) -> None:
        """Ask for an end after the chunk that is being played; what has been played stays."""
        self._stop.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until the thread has ended."""
        if self._thread is not None:
            self._thread.join(seconds)

    @property
    def is_running(self) -> bool:
        """Whether games are being played."""
        return self._thread is not None and self._thread.is_alive()

    @property
    def is_stopped(self) -> bool:
        """Whether it was stopped before all games were played."""
        return self._stop.is_set() and self.played < self.games

    def run(self) -> Iterator[int]:
        """Play here and yield the number of games after every chunk, for those who need no thread."""
        with ThreadPoolExecutor(2, thread_name_prefix="what-if") as pair:
            list(pair.map(lambda side: warm_up(side[1]), self._sides))
            for piece in cut(self.games, self.chunk):
                if self._stop.is_set():
                    return
                parts = list(pair.map(lambda side: _played(side[0], side[1], piece), self._sides))  # noqa: B023 - used at once
                with self._lock:
                    for frames, part in zip(self._found, parts, strict=True):
                        frames.append(part)
                yield self.played

    def _work(self, look: Callable[[], object]) -> None:
        try:
            for _ in self.run():
                look()
        except Exception as error:  # a thread has nobody to raise to
            self.error = f"{type(error).__name__}: {error}"
        finally:
            self._thread = None
            look()

    # Looking ------------------------------------------------------------------------------------------------------

    @property
    def played(self) -> int:
        """Games played with both rules."""
        return sum(map(len, self._found[0]))

    @property
    def metrics(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """One row per game and one column per quantity, under the rules as they are and as they might be."""
        with self._lock:
            frames = [pd.concat(parts) if parts else pd.DataFrame() for parts in self._found]
        first, second = oriented(frames) if len(frames[0]) else frames
        return first, second

    def table(self) -> pd.DataFrame:
        """Return the comparison so far, as :func:`vinci_lab.compare` gives it; empty before there are two games."""
        first, second = self.metrics
        if len(first) < LEAST:
            return pd.DataFrame()
        return compare_metrics(first, second, self.level, tightest=min(self.games, TIGHTEST))

    def sequence(self, metric: str) -> pd.DataFrame:
        """Return how the interval of one difference grew tighter.

        The estimand is the expected difference of a quantity of a game, after less before. The limits hold at all
        numbers of games at once with the confidence of this comparison.

        Parameters
        ----------
        metric : str
            A quantity of :func:`vinci_lab.game_metrics`.

        Returns
        -------
        DataFrame
            ``n, estimate, low, high`` after every game from the 100th on; empty before.
        """
        first, second = self.metrics
        empty = pd.DataFrame({"n": [], "estimate": [], "low": [], "high": []}, dtype=np.float64)
        if len(first) < FIRST_LOOK:
            return empty
        if metric not in first:
            raise ValueError(f"metric: there is no {metric!r}; choose from {', '.join(map(str, first.columns))}")
        apart = (second[metric] - first[metric]).to_numpy(np.float64)
        low, high = normal_mixture(apart, self.level, min(self.games, TIGHTEST))
        n = np.arange(1, len(apart) + 1)
        return pd.DataFrame({"n": n, "estimate": np.cumsum(apart) / n, "low": low, "high": high})[FIRST_LOOK - 1 :]


def _played(rules: Ruleset, job: Job, piece: Piece) -> pd.DataFrame:
    """Play some games and return their quantities."""
    tables = play_chunk(job, *piece)[2]
    identity = identity_of(rules, [agent.name for agent in job.agents], job.seed)
    runs = Runs(
        rules, {**identity, "games": piece.games, "completed": piece.games}, MemoryBlocks([tables], piece.games)
    )
    return game_metrics(runs)
