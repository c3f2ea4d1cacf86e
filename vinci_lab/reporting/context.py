"""What the sections of a report share: where the rules come from, tables, and what may be played."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import pandas as pd

from vinci_lab.analysis import effects
from vinci_lab.analysis.metrics import game_metrics
from vinci_lab.analysis.thresholds import summarize_games
from vinci_lab.reporting.origin import Origin
from vinci_lab.simulation.seats import parse_agent

if TYPE_CHECKING:
    from vinci_lab.analysis.rates import Interval
    from vinci_lab.simulation.store import Runs

PLACE_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")
FEWEST_GAMES = 100  # below, effects of tiles are not estimated
FURTHER_GAMES = 2_000


class Context:
    """What the sections of a report share; tables are worked out when first asked for, and once.

    Attributes
    ----------
    runs : Runs
        The games.
    origin : Origin
        Where the rules come from.
    level : float
        Of confidence of all intervals.
    further : int
        Further games that a section may play for each variant it looks at; 0 for none.
    n_jobs : int
        Games in parallel.
    """

    def __init__(
        self, runs: Runs, origin: Origin, level: float = 0.95, further: int = FURTHER_GAMES, n_jobs: int = -1
    ) -> None:
        self.runs, self.origin, self.level, self.n_jobs = runs, origin, level, n_jobs
        self.games = int(runs.settings["completed"])
        self.further = min(further, max(self.games, 2)) if further else 0

    @property
    def interval(self) -> str:
        """How sentences call an interval."""
        return f"{100 * self.level:g}% interval"

    @property
    def agents(self) -> str:
        """Who played, each kind once."""
        return ", ".join(dict.fromkeys(self.runs.settings["agents"]))

    @property
    def settings(self) -> str:
        """What most parts are made from, as a sentence."""
        seats = len(self.runs.settings["agents"])
        return (
            f"{self.games:,} games of this study, seed {self.runs.seed}, {seats} seats, played by {self.agents}; "
            f"intervals at {100 * self.level:g}%."
        )

    def command(self, section: str) -> str:
        """Return what to type for one section of this study."""
        return self.origin.typed("study", only=section)

    def further_settings(self, what: str) -> str:
        """Return what a part with further games is made from, as a sentence."""
        return (
            f"Further games: {what}, seed {self.runs.seed}, played by {self.agents}; intervals at "
            f"{100 * self.level:g}%."
        )

    def why_no_further_games(self) -> str:
        """Return why no section may play further games, as a sentence; empty if it may."""
        if not self.further:
            return "This study was made without further games (--quick)."
        if not self.runs.is_complete:
            return "The run was interrupted, so no further games were played."
        try:
            for agent in self.runs.agents:
                parse_agent(self.runs.rules.definition, agent)
        except ValueError:
            return "This needs further games, and these agents are known only to the program that played them."
        return ""

    @property
    def player(self) -> str | list[str]:
        """The agents, as ``simulate`` takes them."""
        agents = list(self.runs.agents)
        is_one_for_all = len(set(agents)) == 1 and self.runs.rules.seats == self.runs.rules.players
        return agents[0] if is_one_for_all else agents

    @functools.cached_property
    def seats(self) -> pd.DataFrame:
        """See :func:`vinci_lab.analysis.effects.seat_effects`; with the name of each place."""
        table = effects.seat_effects(self.runs, self.level)
        return table.assign(name=[PLACE_NAMES[place] for place in table["turn_order"]])

    @functools.cached_property
    def tiles(self) -> pd.DataFrame:
        """See :func:`vinci_lab.analysis.effects.tile_effects`; with the printed title of each tile."""
        table = effects.tile_effects(self.runs, self.level)
        table.insert(1, "title", table["tile"].map(self.titles))
        return table

    @functools.cached_property
    def titles(self) -> dict[str, str]:
        """Printed titles by the names of the tiles."""
        rules = self.runs.rules
        names, titles = (rules.definition.labels(rules, what) for what in ("kind", "kind_title"))
        return dict(zip(names, titles, strict=True))

    @functools.cached_property
    def metrics(self) -> pd.DataFrame:
        """See :func:`vinci_lab.analysis.metrics.game_metrics`."""
        return game_metrics(self.runs)

    @functools.cached_property
    def means(self) -> dict[str, Interval]:
        """Mean of every quantity of a game, with its interval."""
        return summarize_games(self.metrics, self.level)

    def too_few(self, what: str) -> str:
        """Return a sentence if there are too few games for effects of tiles; empty if there are enough."""
        if self.games >= FEWEST_GAMES:
            return ""
        number = "1 game is" if self.games == 1 else f"{self.games} games are"
        return f"{number} too few for {what}; play at least {FEWEST_GAMES}, and thousands for narrow intervals."


def said(value: Any, form: str) -> str:
    """Return a number in a format, or a dash if there is none."""
    return "-" if pd.isna(value) else format(value, form)


def limits(row: Any, form: str) -> str:
    """Return the limits of a row's estimate, such as ``9.80 to 9.90``, or a dash if there are none."""
    return "-" if pd.isna(row["low"]) else f"{said(row['low'], form)} to {said(row['high'], form)}"
