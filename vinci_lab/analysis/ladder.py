"""``ladder``: agents play one another in all seats, on the same draws, and are rated."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib
import matplotlib.figure
import numpy as np
import pandas as pd

from vinci_lab.analysis import plots, ratings
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.seats import Agent, seat_agents, split_names
from vinci_lab.simulation.simulate import simulate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ["game", "rotation", "seat", "agent", "score", "rank", "win_share"]


@dataclass(frozen=True)
class Ladder:
    """Games of agents in rotated seats, and what they say about the agents.

    Attributes
    ----------
    rules : Ruleset
        What was played.
    seed : int
        Of all rotations.
    rotations : int
        Different ways to seat the agents in turn; each has the same seeds.
    games : DataFrame
        A row per game and seat: ``game, rotation, seat, agent, score, rank, win_share``; games of the same number have
        the same draws in all rotations.
    level : float
        Of confidence.
    """

    rules: Ruleset
    seed: int
    rotations: int
    games: pd.DataFrame
    level: float = 0.95

    @functools.cached_property
    def shares(self) -> pd.DataFrame:
        """How often a seat of each agent wins; see :func:`vinci_lab.analysis.ratings.win_shares`."""
        return ratings.win_shares(self.games, self.level)

    @functools.cached_property
    def matrix(self) -> pd.DataFrame:
        """How often one agent ends before another; see :func:`vinci_lab.analysis.ratings.win_matrix`."""
        return ratings.win_matrix(self.games, self.level)

    @functools.cached_property
    def strengths(self) -> pd.DataFrame:
        """Plackett-Luce strengths; see :func:`vinci_lab.analysis.ratings.strengths`."""
        return ratings.strengths(self.games, self.level)

    def figure(self) -> Figure:
        """Return a Matplotlib figure of shares and matrix."""
        return plot_ladder(self)

    def save(self, folder: str | Path) -> Path:
        """Write the tables as CSV and the figure as SVG to a folder, and return it."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name in ("shares", "matrix", "strengths", "games"):
            getattr(self, name).to_csv(target / f"{name}.csv", index=False, lineterminator="\n")
        drawn = plots.svg(self.figure(), "ladder", "Ladder").replace("currentColor", plots.INK)
        drawn = drawn.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
        drawn = drawn.replace("<svg", '<svg xmlns:xlink="http://www.w3.org/1999/xlink"', 1)
        (target / "ladder.svg").write_text(drawn, encoding="utf-8")
        return target

    def __repr__(self) -> str:
        number = self.games["game"].nunique()
        return (
            f"Ladder of {self.rules.game} ({self.rules.edition}), {self.rules.players} players, seed {self.seed}: "
            f"{self.rotations} rotations of {number} games\n{self.shares.to_string(index=False)}"
        )


def ladder(
    rules: Ruleset,
    agents: str | Sequence[Agent],
    games: int = 2_000,
    seed: int = 5,
    n_jobs: int = -1,
    progress: bool = True,
    level: float = 0.95,
) -> Ladder:
    """Let agents play one another in rotated seats and rate them.

    The agents are seated in their order, then each moves on by one seat, and so on; every different seating plays the
    same number of games with the same draws. The result depends on rules, agents, games and seed alone.

    Parameters
    ----------
    rules : Ruleset
        What is played, and by how many.
    agents : str or sequence
        One for each seat: names, functions, compiled agents. ``"search,greedy,greedy,greedy"`` is a sequence of four.
    games : int
        Games of all rotations together; rounded up to a multiple of their number.
    seed : int
        Of all rotations.
    n_jobs : int
        Games in parallel; -1 is one per core.
    progress : bool
        Whether to show a bar for each rotation.
    level : float
        Of confidence.

    Returns
    -------
    Ladder
        With the tables ``shares``, ``matrix``, ``strengths`` and ``games``, and a ``figure()``.

    Raises
    ------
    ValueError
        If there are not as many agents as seats, or an argument is not allowed.
    """
    seated: list[Any] = split_names(agents) if isinstance(agents, str) else list(agents)
    if len(seated) != rules.players:
        raise ValueError(f"agents: a ladder needs one for each of the {rules.players} seats, got {len(seated)}")
    if isinstance(games, bool) or not isinstance(games, int | np.integer) or games < 1:
        raise ValueError(f"games: must be an integer of at least 1, got {games!r}")
    turned = list(dict.fromkeys(tuple(_moved(seated, by)) for by in range(len(seated))))
    names = _names(rules, seated)
    parts = []
    for rotation, seating in enumerate(turned):
        runs = simulate(rules, list(seating), math.ceil(games / len(turned)), seed, n_jobs, progress=progress)
        table = runs.games.assign(rotation=rotation)
        table["agent"] = table["seat"].map(lambda seat, seating=seating: names[id(seating[seat])])
        parts.append(table[COLUMNS])
    return Ladder(rules, seed, len(turned), pd.concat(parts, ignore_index=True), level)


def _moved(agents: list[Any], by: int) -> list[Any]:
    return agents[-by:] + agents[:-by] if by else agents


def _names(rules: Ruleset, agents: list[Any]) -> dict[int, str]:
    """Return the name of each agent object, the same in every rotation."""
    return {id(agent): seat.name for agent, seat in zip(agents, seat_agents(rules, agents), strict=True)}


def plot_ladder(ladder: Ladder) -> Figure:
    """Draw the shares of the win with their intervals, and beside them who ends before whom."""
    agents = ladder.shares["agent"].tolist()
    with matplotlib.rc_context(plots.STYLE):
        figure = matplotlib.figure.Figure(figsize=(9.0, 1.8 + 0.5 * len(agents)), layout="constrained")
        left, right = figure.subplots(1, 2)
        plots.interval_dots(ladder.shares, left, "agent", float(ladder.shares["par"].iloc[0]))
        left.set_xlabel("share of the win of a seat; the line is par")
        draw_matrix(ladder.matrix, agents, right)
    return figure


def draw_matrix(matrix: pd.DataFrame, agents: Sequence[str], ax: Axes) -> Axes:
    """Draw a win matrix as a heat map, with the shares written in it.

    Parameters
    ----------
    matrix : DataFrame
        See :func:`vinci_lab.analysis.ratings.win_matrix`.
    agents : sequence of str
        In the order of rows and columns.
    ax : Axes
        To draw on.
    """
    order = list(agents)
    table = matrix.pivot(index="agent", columns="opponent", values="estimate").reindex(index=order, columns=order)
    ax.imshow(table.to_numpy(np.float64), vmin=0, vmax=1, cmap="RdBu", aspect="auto")
    for row, column in np.argwhere(table.notna().to_numpy()):
        share = float(table.to_numpy()[row, column])
        ink = "white" if abs(share - 0.5) > 0.3 else plots.INK
        ax.text(column, row, f"{100 * share:.0f}%", ha="center", va="center", color=ink)
    ax.set_xticks(range(len(agents)), agents)
    ax.set_yticks(range(len(agents)), agents)
    ax.set_xlabel("share of games in which the row ends before the column")
    return ax
