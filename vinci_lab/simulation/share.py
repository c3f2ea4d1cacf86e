"""Sharing out the work: games as tasks for threads, processes or a cluster, and their results as they come in."""

from __future__ import annotations

import contextlib
import itertools
import math
import warnings
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import joblib
from joblib.parallel import BACKENDS

from vinci_lab.simulation.blocks import BLOCK, PYTHON_BLOCK, Assembly, Piece, cut
from vinci_lab.simulation.chunks import Job, play_block, play_chunk
from vinci_lab.simulation.folder import Writer
from vinci_lab.simulation.tables import Tables

COMPILED_CHUNK = 150  # fits the row buffer
PYTHON_CHUNK = 10
TASKS_EACH = 4  # per worker, at least: enough to share out evenly
BLOCKS_EACH = 16  # whole blocks per worker that may wait to be written
WAVE = 4  # blocks whose pieces may wait to be put together


def backend_names() -> tuple[str, ...]:
    """Return the backends of joblib that hand over chunks as they are finished."""
    ready = (name for name, kind in BACKENDS.items() if getattr(kind, "supports_return_generator", True))
    return tuple(sorted({*ready, "dask"}))


@dataclass
class Crew:
    """Those who play the games of a run.

    Attributes
    ----------
    job : Job
        What is played.
    workers : int
        Tasks at once.
    backend : str, optional
        Of joblib; by default threads for compiled agents, processes when an agent is Python.
    chunk : int, optional
        Games per task, if asked for.
    advance : callable
        Told the number of games of every task that is done.
    """

    job: Job
    workers: int
    backend: str | None = None
    chunk: int | None = None
    advance: Callable[[int], object] = field(default=lambda games: None)

    @property
    def block(self) -> int:
        """Games of a block."""
        return PYTHON_BLOCK if self.job.is_python else BLOCK

    def play_in_memory(self, games: int) -> tuple[list[Tables], int]:
        """Return blocks of finished games, from game 0 up to the first unfinished one, and the number of games.

        Raises
        ------
        KeyboardInterrupt
            If no game is finished.
        """
        assembly, blocks = Assembly(self.block, games), dict[int, Tables]()
        size = self._chunk_size(games)
        tasks = (piece for whole in cut(games, self.block) for piece in cut(whole.games, size, whole.first))
        try:
            for piece, tables in self._results(self._hired(games <= size), play_chunk, tasks):
                if done := assembly.add(piece, tables):
                    blocks[done[0].first] = done[1]
        except KeyboardInterrupt:
            prefix = list(itertools.takewhile(lambda first: first in blocks, range(0, games, self.block)))
            rest = assembly.beginning_of(len(prefix) * self.block)
            if not prefix and rest is None:
                raise
            more, tables = rest or (0, None)
            return [blocks[first] for first in prefix] + ([tables] if tables else []), len(prefix) * self.block + more
        return [blocks[first] for first in sorted(blocks)], games

    def play_into(self, writer: Writer) -> None:
        """Play the missing blocks of a run on disk and write each when it is finished.

        Memory is bounded: tasks are handed out in waves, and the next one begins when the latest is written.
        """
        missing = writer.missing
        if not missing:
            return
        if self.chunk is None and not self.job.is_python and len(missing) >= TASKS_EACH * self.workers:
            size, at_once = self.block, BLOCKS_EACH * self.workers
        else:
            size = min(self.block, self._chunk_size(sum(piece.games for piece in missing)))
            at_once = max(WAVE, math.ceil(TASKS_EACH * self.workers * size / self.block))
        assembly = Assembly(self.block, int(writer.settings["games"]))
        with self._hired(len(missing) == 1 and missing[0].games <= size) as parallel:  # the same ones for all waves
            for wave in _waves(missing, at_once):
                if size == self.block:
                    for _, packed in self._results(parallel, play_block, wave):
                        writer.add(packed)
                    continue
                tasks = (piece for whole in wave for piece in cut(whole.games, size, whole.first))
                for piece, tables in self._results(parallel, play_chunk, tasks):
                    if done := assembly.add(piece, tables):
                        writer.add(writer.form.pack(done[1], *done[0]))

    def _chunk_size(self, games: int) -> int:
        """Return games per task: enough tasks to share out evenly, none so long that the bar stands still."""
        most = PYTHON_CHUNK if self.job.is_python else COMPILED_CHUNK
        return self.chunk or min(most, math.ceil(games / (TASKS_EACH * self.workers)))

    def _hired(self, is_single: bool) -> Any:
        """Return the workers as joblib knows them."""
        prefer = "processes" if self.job.is_python else "threads"
        where: dict[str, Any] = {"backend": self.backend} if self.backend else {"prefer": prefer}
        workers = 1 if is_single else self.workers
        if self.backend == "dask":  # joblib hands it wrong arguments when it is named to Parallel itself
            with joblib.parallel_config(backend="dask"):
                return joblib.Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1)
        return joblib.Parallel(n_jobs=workers, return_as="generator_unordered", batch_size=1, **where)

    def _results(
        self, parallel: Any, play: Callable[[Job, int, int], Any], tasks: Iterable[Piece]
    ) -> Iterator[tuple[Piece, Any]]:
        """Yield tasks with their results as they are finished; when interrupted, call the others off."""
        results = parallel(joblib.delayed(play)(self.job, piece.first, piece.games) for piece in tasks)
        with _called_off(results):
            for first, count, result in results:
                self.advance(count)
                yield Piece(first, count), result


@contextlib.contextmanager
def _called_off(results: Generator[Any]) -> Iterator[None]:
    """Close joblib's generator quietly: it warns of tasks that are left, which here are left on purpose."""
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results.close()


def _waves(pieces: Sequence[Piece], size: int) -> Iterator[Sequence[Piece]]:
    for begin in range(0, len(pieces), size):
        yield pieces[begin : begin + size]
