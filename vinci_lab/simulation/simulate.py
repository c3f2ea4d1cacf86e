"""``simulate``: thousands of seeded games on all cores, as tables that do not depend on how the work was shared out."""

from __future__ import annotations

import operator
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
from joblib.parallel import get_active_backend

from vinci_lab.engine.chance import LARGEST_SEED
from vinci_lab.engine.jit import announce_compilation
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.blocks import MemoryBlocks
from vinci_lab.simulation.chunks import Job, transcript_of, warm_up
from vinci_lab.simulation.folder import TRANSCRIPTS, Writer
from vinci_lab.simulation.identity import identity_of
from vinci_lab.simulation.seats import Agent, seat_agents
from vinci_lab.simulation.share import Crew, backend_names
from vinci_lab.simulation.store import Runs


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
    replace: bool = False,
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
        Folder for the tables. They are written while the games are played, so that memory does not grow with their
        number, and read again when asked for. The same call goes on where an earlier one was stopped, and one for more
        games adds to it.
    chunk : int, optional
        Games per task; with `out`, at most a block of them.
    rows : bool
        False records nothing: for measuring speed.
    progress : bool
        Whether to show a bar.
    backend : str, optional
        Of joblib. By default threads for compiled agents and processes when an agent is Python, or what
        ``joblib.parallel_config`` says.
    transcripts : int
        Write this many games, from game 0 on, move by move to ``out/transcripts``.
    replace : bool
        Whether to remove another study from the folder `out` rather than refuse.

    Returns
    -------
    Runs
        After an interruption (Ctrl-C) the games before the first unfinished one, with a warning; with `out`, whole
        blocks of games.

    Raises
    ------
    ValueError
        If an argument is not allowed.
    DataError
        If the folder `out` holds another study, is in use, or cannot be written.
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
    if out is not None and not rows:
        raise ValueError("rows: with rows=False nothing is recorded, so there is nothing to write to the folder `out`")
    seated = seat_agents(rules, agents)
    job = Job.of(rules, seated, seed, rows)
    crew = Crew(job, _workers(n_jobs), backend, None if chunk is None else _whole("chunk", chunk, 1))
    identity = identity_of(rules, [agent.name for agent in seated], seed)
    if out is None:
        return _in_memory(crew, rules, identity, games, progress)
    with Writer(out, rules, {**identity, "games": games}, crew.block, bool(replace)) as writer:
        runs = _into_folder(crew, rules, writer, progress)
        _write_transcripts(job, min(transcripts, runs.settings["completed"]), Path(out) / TRANSCRIPTS)
    return runs


def _in_memory(crew: Crew, rules: Ruleset, identity: dict[str, Any], games: int, progress: bool) -> Runs:
    """Play games and keep their tables."""
    _compile(crew.job)
    with _bar(games, 0, progress) as crew.advance:
        began = time.perf_counter()
        blocks, completed = crew.play_in_memory(games)
        seconds = time.perf_counter() - began
    if completed < games:
        _warn(completed, games)
    settings = {**identity, "games": games, "completed": completed}
    return Runs(rules, settings, MemoryBlocks(blocks, crew.block), seconds, completed)


def _into_folder(crew: Crew, rules: Ruleset, writer: Writer, progress: bool) -> Runs:
    """Play the games that a folder does not hold yet and write their tables there."""
    games, before, seconds = int(writer.settings["games"]), writer.games, 0.0
    if writer.missing:
        _compile(crew.job)
        with _bar(games, before, progress) as crew.advance:
            began = time.perf_counter()
            is_interrupted = False
            try:
                crew.play_into(writer)
            except KeyboardInterrupt:
                is_interrupted = True
            seconds = time.perf_counter() - began
        if is_interrupted and not len(writer.blocks()):
            raise KeyboardInterrupt
    blocks = writer.blocks()
    completed = sum(block.games for block in blocks.blocks)
    if writer.missing:
        _warn(completed, games, writer.folder)
    else:
        writer.finish()
    settings = {**writer.settings, "completed": completed}
    return Runs(rules, settings, blocks, seconds, writer.games - before)


def _compile(job: Job) -> None:
    announce_compilation()
    warm_up(job)


@contextmanager
def _bar(games: int, before: int, progress: bool) -> Iterator[Callable[[int], object]]:
    """Show a bar of games, some of them played before, and yield what moves it on."""
    from tqdm.auto import tqdm

    with tqdm(total=games, initial=before, unit="game", disable=not progress, mininterval=0.3) as bar:
        yield bar.update


def _warn(completed: int, games: int, folder: Path | None = None) -> None:
    """Say what an interruption left and how to go on."""
    more = f"; the same command with the folder {folder} plays the others" if folder else ""
    warnings.warn(
        f"simulate: interrupted; these are the first {completed} of {games} games, as they would be in a whole "
        f"run{more}",
        RuntimeWarning,
        stacklevel=4,
    )


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


def _workers(n_jobs: int) -> int:
    """Return how many tasks run at once: as asked for, else what ``joblib.parallel_config`` says, else all cores."""
    number = _whole("n_jobs", n_jobs, -(2**31))
    if number == 0:
        raise ValueError("n_jobs: must be a positive number of games in parallel, or -1 for all cores, got 0")
    if number == -1:
        number = get_active_backend()[1] or -1
    return max(1, int(joblib.effective_n_jobs(number)))


def _write_transcripts(job: Job, number: int, folder: Path) -> None:
    """Write the first games of a run move by move."""
    if number:
        folder.mkdir(parents=True, exist_ok=True)
    for game in range(number):
        transcript_of(job, job.rules, game).save(folder / f"game_{game:06d}.jsonl")
