"""``simulate``: thousands of seeded games on all cores, as tables that do not depend on how the work was shared out."""

from __future__ import annotations

import math
import operator
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import joblib
from joblib.parallel import BACKENDS, get_active_backend

import vinci_lab
from vinci_lab.engine.chance import LARGEST_SEED
from vinci_lab.engine.jit import announce_compilation
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.transcript import Transcript
from vinci_lab.simulation.chunks import Job, actions_of, play_chunk, warm_up
from vinci_lab.simulation.seats import Agent, seat_agents
from vinci_lab.simulation.store import Runs
from vinci_lab.simulation.tables import Tables, join

COMPILED_CHUNK = 150  # fits the row buffer
PYTHON_CHUNK = 10


def simulate(
    rules: Ruleset,
    agents: Agent | Sequence[Agent] = "greedy",
    games: int = 10_000,
    seed: int = 7,
    n_jobs: int = -1,
    out: str | Path | None = None,
    chunk: int | None = None,
    rows: bool = True,
    progress: bool = True,
    backend: str | None = None,
    transcripts: int = 0,
) -> Runs:
    """Play many games and return what happened in them as tables.

    The tables depend on the rules, the agents, the seed and the number of games, and on nothing else.

    Parameters
    ----------
    rules : Ruleset
        What is played, and by how many.
    agents : str, callable, or a sequence of them
        One for all players, or one per player or seat; ``"greedy,random"`` is a sequence of two. Seats the rules play
        are played by ``"automaton"`` unless every seat is named. A name may set parameters,
        ``"greedy:decline_margin=2"``. A callable is ``choose(view) -> action``.
    games : int
        Number of games, at least 1.
    seed : int
        0 to 2**63 - 1. Game ``i`` of a seed is the same game whatever the number of games.
    n_jobs : int
        Games in parallel; -1 is one per core, or as many as ``joblib.parallel_config`` says.
    out : path, optional
        Folder for the tables as Parquet; see :meth:`Runs.save`.
    chunk : int, optional
        Games per task.
    rows : bool
        False records nothing: for measuring speed.
    progress : bool
        Whether to show a bar.
    backend : str, optional
        Of joblib. By default threads for compiled agents and processes when an agent is Python, or what
        ``joblib.parallel_config`` says.
    transcripts : int
        Write this many games, from game 0 on, move by move to ``out/transcripts``.

    Returns
    -------
    Runs
        After an interruption (Ctrl-C) the games before the first unfinished one, with a warning.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    AgentError
        If a Python agent fails or chooses an illegal action.
    """
    games = _whole("games", games, 1)
    seed = _whole("seed", seed, 0, LARGEST_SEED)
    transcripts = _whole("transcripts", transcripts, 0, games)
    if transcripts and out is None:
        raise ValueError("transcripts: they are written to the folder `out`, which is not given")
    if backend is not None and backend not in backend_names():
        raise ValueError(f"backend: there is no {backend!r}; choose from {', '.join(backend_names())}")
    seated = seat_agents(rules, agents)
    job = Job.of(rules, seated, seed, rows)
    workers = _workers(n_jobs)
    size = _whole("chunk", chunk, 1) if chunk is not None else _chunk_size(games, workers, job.is_python)

    announce_compilation()
    warm_up(job)
    began = time.perf_counter()
    parts = _play_all(job, games, size, workers, backend, progress)
    seconds = time.perf_counter() - began

    completed = sum(done for done, _ in parts)
    if completed < games:
        warnings.warn(
            f"simulate: interrupted; these are the first {completed} of {games} games, as they would be in a whole run",
            RuntimeWarning,
            stacklevel=2,
        )
    settings = {
        "program": "vinci_lab",
        "version": vinci_lab.__version__,
        "game": rules.game,
        "game_version": rules.definition.version,
        "edition": rules.edition,
        "players": rules.players,
        "ruleset_hash": rules.hash,
        "agents": [agent.name for agent in seated],
        "seed": seed,
        "games": games,
        "completed": completed,
    }
    runs = Runs(rules, settings, join(tables for _, tables in parts), seconds)
    if out is not None:
        runs.save(out)
        _write_transcripts(job, min(transcripts, completed), Path(out) / "transcripts")
    return runs


def _whole(name: str, value: Any, low: int, high: int | None = None) -> int:
    """Return ``value`` as an int within the limits, or raise a sentence."""
    allowed = f"an integer of at least {low}" if high is None else f"an integer from {low} to {high}"
    try:
        number = operator.index(value)
    except TypeError:
        raise ValueError(f"{name}: must be {allowed}, got {value!r}") from None
    if isinstance(value, bool) or number < low or (high is not None and number > high):
        raise ValueError(f"{name}: must be {allowed}, got {value!r}")
    return number


def backend_names() -> tuple[str, ...]:
    """Return the backends of joblib that hand over chunks as they are finished."""
    ready = (name for name, kind in BACKENDS.items() if getattr(kind, "supports_return_generator", True))
    return tuple(sorted({*ready, "dask"}))


def _workers(n_jobs: int) -> int:
    """Return how many tasks run at once: as asked for, else what ``joblib.parallel_config`` says, else all cores."""
    number = _whole("n_jobs", n_jobs, -(2**31))
    if number == 0:
        raise ValueError("n_jobs: must be a positive number of games in parallel, or -1 for all cores, got 0")
    if number == -1:
        number = get_active_backend()[1] or -1
    return max(1, int(joblib.effective_n_jobs(number)))


def _chunk_size(games: int, workers: int, is_python: bool) -> int:
    """Return games per task: enough tasks to share out evenly, none so long that the bar stands still."""
    return min(PYTHON_CHUNK if is_python else COMPILED_CHUNK, math.ceil(games / (4 * workers)))


def _play_all(
    job: Job, games: int, size: int, workers: int, backend: str | None, progress: bool
) -> list[tuple[int, Tables]]:
    """Return the finished chunks from game 0 up to the first unfinished one."""
    from tqdm.auto import tqdm

    firsts = range(0, games, size)
    finished: dict[int, tuple[int, Tables]] = {}
    where: dict[str, Any] = {"backend": backend} if backend else {"prefer": "processes" if job.is_python else "threads"}
    parallel = joblib.Parallel(
        n_jobs=1 if len(firsts) == 1 else workers, return_as="generator_unordered", batch_size=1, **where
    )
    with tqdm(total=games, unit="game", disable=not progress, mininterval=0.3) as bar:
        try:
            for first, done, tables in parallel(
                joblib.delayed(play_chunk)(job, first, min(size, games - first)) for first in firsts
            ):
                finished[first] = done, tables
                bar.update(done)
        except KeyboardInterrupt:
            if 0 not in finished:
                raise
    prefix = []
    for first in firsts:
        if first not in finished:
            break
        prefix.append(finished[first])
    return prefix


def _write_transcripts(job: Job, number: int, folder: Path) -> None:
    """Write the first games of a run move by move."""
    if number:
        folder.mkdir(parents=True, exist_ok=True)
    names = [agent.name for agent in job.agents]
    for game in range(number):
        actions = actions_of(job, game)
        Transcript.from_actions(job.rules, names, job.seed, game, actions).save(folder / f"game_{game:06d}.jsonl")
