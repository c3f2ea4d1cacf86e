"""The numbers of a first study of a run, each worked out once: for the page, the CSV files and the findings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.analysis import effects

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

PLACE_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")


@dataclass(frozen=True)
class Summary:
    """Tables of a first study; every one but ``places`` and ``assumed`` has ``estimate, low, high, n``.

    Attributes
    ----------
    seats, tiles, pace : DataFrame
        See the functions of these names in :mod:`vinci_lab.analysis.effects`.
    length : DataFrame
        Share of games by number of rounds.
    scores : DataFrame
        Final scores by place.
    places : DataFrame
        What happened in each province, per game and as shares of turn ends.
    assumed : DataFrame
        The numbers of the rules that are not certain.
    level : float
        Of confidence of all intervals.
    """

    seats: pd.DataFrame
    tiles: pd.DataFrame
    pace: pd.DataFrame
    length: pd.DataFrame
    scores: pd.DataFrame
    places: pd.DataFrame
    assumed: pd.DataFrame
    level: float

    def findings(self) -> list[str]:
        """Return three findings in plain sentences, with intervals."""
        level = f"{100 * self.level:g}% interval"
        rounds = self.pace[self.pace["quantity"] == "rounds of a game"].iloc[0]
        median = int(self.length["value"][self.length["count"].cumsum() >= self.length["count"].sum() / 2].iloc[0])
        found = [
            f"Length: a game takes {rounds.estimate:.2f} rounds on average ({level} {rounds.low:.2f} to "
            f"{rounds.high:.2f}); half of the games take at most {median}."
        ]
        far = self.seats.iloc[int((self.seats["estimate"] - self.seats["expected"]).abs().argmax())]
        seat = PLACE_NAMES[int(far.turn_order)]
        found.append(
            f"Seats: the seat that plays {seat} is furthest from the even share of {far.expected:.1%}: it wins "
            f"{far.estimate:.1%} ({level} {far.low:.1%} to {far.high:.1%}). Equal seats would differ this much in "
            f"{_chance(far.p_value)} of such studies."
        )
        ranked = self.tiles[self.tiles["estimate"].notna() & self.tiles["low"].notna()]
        if len(ranked) > 1:
            best, worst = ranked.iloc[0], ranked.iloc[-1]
            found.append(
                f"Tiles: against an average tile, {best.title} goes with {best.estimate:+.1f} points ({level} "
                f"{best.low:+.1f} to {best.high:+.1f}), the most; {worst.title} with {worst.estimate:+.1f} "
                f"({worst.low:+.1f} to {worst.high:+.1f}), the least."
            )
        else:
            found.append("Tiles: there are too few games to tell tiles apart.")
        return found


def summarize(runs: Runs, level: float = 0.95) -> Summary:
    """Return the tables of a first study of a run."""
    return Summary(
        seats=effects.seat_effects(runs, level),
        tiles=_with_titles(runs, effects.tile_effects(runs, level)),
        pace=effects.pace(runs, level),
        length=effects.distribution(runs.table("games", ["game", "rounds"]).drop_duplicates("game")["rounds"], level),
        scores=effects.scores_by_rank(runs, level),
        places=_places(runs),
        assumed=pd.DataFrame(
            runs.rules.assumed, columns=["place", "value", "low", "high", "confidence", "reason"], dtype=object
        ),
        level=level,
    )


def _with_titles(runs: Runs, tiles: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the printed title of each tile after its name."""
    names, titles = (runs.rules.definition.labels(runs.rules, what) for what in ("kind", "kind_title"))
    tiles.insert(1, "title", tiles["tile"].map(dict(zip(names, titles, strict=True))))
    return tiles


def _places(runs: Runs) -> pd.DataFrame:
    """Return counts per game and shares of turn ends for every province."""
    places = runs.places
    games = int(runs.settings["completed"])
    states = [name for name in places.columns if name.startswith("turns_")]
    ends = places[states].sum(axis=1)
    table = pd.DataFrame({"province": places["province"].astype(str)})
    for name in ("conquests", "entries"):
        table[f"{name}_per_game"] = places[name] / games
    units = {column.name: column.unit for column in runs.rules.definition.columns["places"]}
    table["points_per_game"] = places["income"] / (2 if units["income"] == "half points" else 1) / games
    for name in states:
        table[f"share_{name.removeprefix('turns_')}"] = places[name] / ends
    return table.assign(games=games)


def _chance(p_value: float) -> str:
    return "fewer than one in a thousand" if p_value < 0.001 else f"{100 * p_value:.2g}%"
