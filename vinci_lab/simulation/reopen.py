"""Games of a run played again from its seed and their index: as a transcript, or for what single games add up to."""

from __future__ import annotations

import operator
from collections.abc import Iterator

from vinci_lab.engine.transcript import Transcript
from vinci_lab.simulation.chunks import Job, play_chunk, transcript_of
from vinci_lab.simulation.seats import seat_agents
from vinci_lab.simulation.store import Runs
from vinci_lab.simulation.tables import Columns


def open_game(runs: Runs, game: int) -> Transcript:
    """Return one game of a run move by move.

    Parameters
    ----------
    runs : Runs
        The run; its agents must be known by their names, as all but Python agents are.
    game : int
        Index of the game in the run, from 0.

    Raises
    ------
    ValueError
        If there is no such game, or one of the agents is not known by its name.
    """
    game, completed = operator.index(game), int(runs.settings["completed"])
    if not 0 <= game < completed:
        raise ValueError(f"game: must be a number from 0 to {completed - 1}, got {game}")
    seated = seat_agents(runs.rules, list(runs.agents))
    job = Job.of(runs.rules, seated, runs.seed, rows=False)
    return transcript_of(job, runs.rules, game)


def places_by_game(runs: Runs, games: int) -> Iterator[Columns]:
    """Yield the table ``places`` of each of the first games of a run's seed, which are played again one by one.

    Parameters
    ----------
    runs : Runs
        The run; its agents must be known by their names, as all but Python agents are.
    games : int
        How many.

    Raises
    ------
    ValueError
        If one of the agents is not known by its name.
    """
    job = Job.of(runs.rules, seat_agents(runs.rules, list(runs.agents)), runs.seed, rows=True)
    for game in range(games):
        yield play_chunk(job, game, 1)[2]["places"]
