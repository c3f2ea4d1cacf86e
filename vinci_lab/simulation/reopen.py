"""``open_game``: any game of a run, played again from its seed and index, as a transcript."""

from __future__ import annotations

import operator

from vinci_lab.engine.transcript import Transcript
from vinci_lab.simulation.chunks import Job, transcript_of
from vinci_lab.simulation.seats import seat_agents
from vinci_lab.simulation.store import Runs


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
