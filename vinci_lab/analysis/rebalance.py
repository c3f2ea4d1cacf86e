"""``rebalance``: whole numbers that level the tiles, found step by step and judged by games they were not chosen by."""

from __future__ import annotations

import html
import importlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from numbers import Integral, Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from vinci_lab.analysis.influences import Effects
from vinci_lab.analysis.leveling import Problem, level
from vinci_lab.analysis.rates import check_level, normal_quantile
from vinci_lab.analysis.slopes import MARKET, Adjustable, Design, Measuring, Slopes, check_measuring, measure_slopes
from vinci_lab.analysis.spread import kept_share, true_spread
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.seats import Agent

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_PENALTY = 1e-9  # of two ways that are as level, the shorter one


@dataclass(frozen=True)
class Rebalance:
    """Leveled numbers, and what games they were not chosen by say of them.

    Attributes
    ----------
    rules, leveled : Ruleset
        Before and after; a red number that was changed says that a study set it.
    what, unit : str
        The number that was changed, and its unit.
    study : str
        The study in a line, as it stands beside the numbers it set.
    tiles : DataFrame
        A row per tile in the bag, those changed most first: ``tile, before, after, change``; ``confidence,
        printed_low, printed_high`` of the number before, where the data say so, and ``in_range``, whether the new one
        lies in that range; ``effect_before, effect_after`` in points against the mean tile, each with ``_low`` and
        ``_high``, from games that chose nothing; ``slope``, points for one more, of the last step.
    spreads : DataFrame
        A row each for ``before`` and ``after`` (``state``) between the ``agents`` it was leveled for (or by the
        function that is its design), and then between each of the others asked for, in fresh games on common keys:
        ``raw``, the standard deviation of the estimated effects over tiles, weighted by copies; ``estimate, low,
        high``, what is left of it without their errors (:func:`vinci_lab.analysis.spread.true_spread`); ``n`` games.
    steps : DataFrame
        A row per round: ``round, seed``; ``raw, estimate, low, high`` as in ``spreads``, under the numbers it began
        with; ``slope``, the mean; ``predicted``, the spread foretold for the numbers it ended with; ``floor``, the
        least that whole numbers can be foretold to reach if distance is free and only the schema limits them;
        ``rounding``, what is left when every tile is within half a step; ``changed``, tiles whose number it changed.
    """

    rules: Ruleset
    leveled: Ruleset
    what: str
    unit: str
    study: str
    tiles: pd.DataFrame
    spreads: pd.DataFrame
    steps: pd.DataFrame

    @property
    def changes(self) -> dict[str, int]:
        """The changes as :meth:`Ruleset.replace` takes them, without a note of who made them."""
        group, column = self.what.split(".")
        moved = self.tiles[self.tiles["change"] != 0]
        return {f"{group}.{tile}.{column}": int(n) for tile, n in zip(moved["tile"], moved["after"], strict=True)}

    def figure(self) -> Figure:
        """Return a Matplotlib figure of the effects before and after."""
        from vinci_lab.analysis import plots, plots_prices

        figure, ax = plots.new_figure(7.2, 1.2 + 0.24 * len(self.tiles))
        plots_prices.before_after(self.tiles, ax)
        return figure

    def save(self, folder: str | Path) -> Path:
        """Write tables, figure and a data folder with the new ``tiles.csv`` to a folder, and return it.

        ``data/`` in it can be given as ``data=`` and checked with :func:`vinci_lab.check_folder`. Changes that
        ``rules`` had from its files in other places than the tiles are not in it; ``summary.txt`` says so.
        """
        from vinci_lab.analysis import plots
        from vinci_lab.simulation.files import frame_csv

        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name in ("tiles", "spreads", "steps"):
            (target / f"{name}.csv").write_text(frame_csv(getattr(self, name)), encoding="utf-8")
        importlib.import_module(f"vinci_lab.games.{self.rules.game}.adjusting").write_edition(
            self.leveled, target / "data"
        )
        drawn = plots.svg(self.figure(), "rebalance", "Tile effects before and after").replace(
            "currentColor", plots.INK
        )
        names = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
        (target / "rebalance.svg").write_text(drawn.replace("<svg", f"<svg {names}", 1), encoding="utf-8")
        text = f"{self!r}\n\nstudy: {self.study}\nrules before: {self.rules.hash}\nrules after: {self.leveled.hash}\n"
        if not self._is_held_by(target / "data"):
            text += (
                "data/ holds other rules than these: they had changes in other places than the tiles. Repeat them.\n"
            )
        (target / "summary.txt").write_text(text, encoding="utf-8")
        return target

    def _is_held_by(self, data: Path) -> bool:
        """Return whether a data folder, loaded in the plainest way, gives the leveled rules."""
        content = self.leveled.content
        asked = {"edition": self.leveled.edition, "bag": content.get("bag"), "data": data}
        if "map" in self.rules.sources:
            asked["map"] = content["map"]["name"]
        known = {name: value for name, value in asked.items() if value is not None}
        return bool(self.leveled.definition.load(self.leveled.players, **known).hash == self.leveled.hash)

    def sentences(self) -> list[str]:
        """Return what came out, in sentences."""
        before, after = (self.spreads.iloc[row] for row in (0, 1))
        moved = int((self.tiles["change"] != 0).sum())
        last = self.steps.iloc[-1]
        said = [
            f"{self.rules.game} ({self.rules.edition}), {self.rules.players} players, {self.what}: {moved} of "
            f"{len(self.tiles)} numbers changed.",
            f"Spread of tile effects without chance, in {int(before['n'])} fresh games: {_range(before)} points "
            f"before, {_range(after)} after.",
            f"Foretold {last['predicted']:.2f}; with distance free {last['floor']:.2f}; rounding to whole numbers "
            f"alone leaves {last['rounding']:.2f}.",
        ]
        for row in range(2, len(self.spreads), 2):
            before, after = (self.spreads.iloc[at] for at in (row, row + 1))
            said.append(f"Between {before['agents']}: {_range(before)} before, {_range(after)} after.")
        guessed = int(self.tiles["confidence"].isin(["likely", "reconstructed"]).sum())
        if guessed:
            outside = int((self.tiles["in_range"].to_numpy(object) == np.False_).sum())
            said.append(
                f"{guessed} of the numbers before are not certain but likely or reconstructed, so this levels a "
                f"reconstruction; {outside} new numbers lie outside the range the printed one may lie in."
            )
        return said

    def __repr__(self) -> str:
        shown = self.tiles[["tile", "before", "after", "change", "effect_before", "effect_after"]]
        table = shown.to_string(index=False, float_format=lambda number: f"{number:.2f}")
        return "\n".join([*self.sentences(), table])

    def _repr_html_(self) -> str:
        said = "".join(f"<p>{html.escape(sentence)}</p>" for sentence in self.sentences())
        return said + self.tiles.to_html(index=False, float_format=lambda number: f"{number:.2f}")


def _range(row: Any) -> str:
    return f"{row['estimate']:.2f} ({row['low']:.2f} to {row['high']:.2f})"


def rebalance(
    rules: Ruleset,
    what: str = "tiles.tokens",
    games: int = 20_000,
    seed: int = 7,
    agents: Agent | Sequence[Agent] = "greedy",
    design: Design = MARKET,
    penalty: float = 0.05,
    max_change: int = 3,
    rounds: int = 3,
    pairs: int = 1,
    also: Sequence[str] = (),
    confidence: float = 0.95,
    n_jobs: int = -1,
) -> Rebalance:
    """Find whole numbers that level the tiles, and judge them by games they were not chosen by.

    Each round measures the effects of all tiles under the present numbers and what one more is worth for each
    (:func:`vinci_lab.analysis.slopes.measure_slopes`), shrinks the effects by their share of chance, and steps to the
    numbers with the least squared spread foretold plus the penalty; a number whose slope is not told from 0 is left
    alone. Several rounds are needed because effects are not
    linear and a change of many numbers changes what agents choose. The mean number, weighted by copies in the bag,
    stays as it is. Rounds use the seeds ``seed``, ``seed + 1``, ...; before and after are measured with the seed after
    the last of them.

    Leveled are the effects of ``design`` between ``agents``. In the market agents choose and pay, so a tile that they
    overrate looks weak, and its number rises: the numbers are level for players who value tiles as these agents do, and
    may be less level than before for others. Ask for some of these with ``also``.

    Parameters
    ----------
    rules : Ruleset
        The rules to begin with.
    what : str
        ``tiles.tokens``, the red numbers, or another number that tiles can have more or less of.
    games : int
        Games of each of ``rounds * (1 + 2 * pairs) + 2`` runs at most.
    seed : int
        Of the first round.
    agents : str, callable, or a sequence of them
        As for :func:`simulate`.
    design : str or callable
        As for :func:`vinci_lab.analysis.slopes.average_tokens`.
    penalty : float
        Squared points that one squared step of a tile from ``rules`` costs: 0.05 moves a tile by one more step if that
        takes at least this much off its squared effect.
    max_change : int
        Largest change of a tile's number.
    rounds : int
        Rounds at most; fewer when one changes nothing.
    pairs : int
        Pairs of runs by which each round measures slopes.
    also : sequence of str
        Other agents, each for all seats, between whom the spread before and after is measured too; with the market.
    confidence : float
        Of intervals.
    n_jobs : int
        Games in parallel.

    Returns
    -------
    Rebalance
        With the tables ``tiles``, ``spreads`` and ``steps``, the new rules as ``leveled``, and ``save(folder)``.

    Raises
    ------
    ValueError
        If an argument is not allowed, or there are too few games.
    """
    check_measuring(games, pairs, design)
    _check(penalty, max_change, rounds, confidence)
    begun = Adjustable.of(rules, what)
    by, numbers, current, rows = Measuring(design, games, seed, agents, n_jobs), begun, rules, []
    for step in range(rounds):
        by = replace(by, seed=seed + step)
        found = measure_slopes(current, numbers, by, pairs)
        problem = _problem(found, numbers, begun, penalty, max_change, normal_quantile(confidence))
        values = level(problem)
        rows.append(_step(step, by.seed, found, problem, values, begun, confidence))
        if (values == numbers.values).all():
            break
        current = begun.rules(rules, values)
        numbers = replace(numbers, values=values)
    study = f"Set by a study that levels {what}, {games} games a run, seed {seed}, {_named(agents)}, {_named(design)}"
    leveled = begun.rules(rules, numbers.values, study)
    fresh = replace(by, seed=by.seed + 1)
    before, after = fresh.effects(rules, begun), fresh.effects(leveled, begun)
    judged = [(_named(agents) if design == MARKET else _named(design), before, after)]
    for one in also:
        other = replace(fresh, design=MARKET, agents=one)
        judged.append((one, other.effects(rules, begun), other.effects(leveled, begun)))
    spreads = pd.DataFrame(
        [
            {"agents": name, "state": state} | _spread(effects, begun, confidence) | {"n": games}
            for name, *both in judged
            for state, effects in zip(("before", "after"), both, strict=True)
        ]
    )
    tiles = _tiles_table(begun, numbers, before, after, found, normal_quantile(confidence))
    return Rebalance(rules, leveled, what, begun.unit, study, tiles, spreads, pd.DataFrame(rows))


def _check(penalty: Any, max_change: Any, rounds: Any, confidence: float) -> None:
    check_level(confidence)
    if isinstance(penalty, bool) or not isinstance(penalty, Real) or not 0 <= float(penalty) < np.inf:
        raise ValueError(f"penalty: must be a number of at least 0, got {penalty!r}")
    for name, value in (("max_change", max_change), ("rounds", rounds)):
        if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
            raise ValueError(f"{name}: must be a whole number of at least 1, got {value!r}")


def _named(one: Any) -> str:
    if isinstance(one, str):
        return one
    if isinstance(one, Sequence):
        return ",".join(_named(agent) for agent in one)
    return str(getattr(one, "name", getattr(one, "__name__", type(one).__name__)))


def _spread(effects: Effects, numbers: Adjustable, confidence: float) -> dict[str, float]:
    found = true_spread(effects.estimate, effects.covariance, numbers.copies, confidence)
    return {name: found[name] for name in ("raw", "estimate", "low", "high")}


def _problem(
    found: Slopes, numbers: Adjustable, begun: Adjustable, penalty: float, max_change: int, reach: float
) -> Problem:
    """Return the tiles to be leveled: effects without their share of chance, and slopes that are told from 0."""
    effects = found.effects
    variance = true_spread(effects.estimate, effects.covariance, numbers.copies)["estimate"] ** 2
    shrunk = np.nan_to_num(effects.estimate * kept_share(effects.error, variance))
    low = np.maximum(begun.values - max_change, begun.lowest)
    high = np.minimum(begun.values + max_change, begun.highest)
    told = np.abs(found.slope) > reach * found.error
    slopes = np.where(told, np.nan_to_num(found.slope), 0.0)  # a number that may do nothing is left alone
    weight = max(float(penalty), LEAST_PENALTY)
    return Problem(shrunk, slopes, numbers.values, begun.values, begun.copies, low, high, weight)


def _step(
    step: int, seed: int, found: Slopes, problem: Problem, values: Any, begun: Adjustable, confidence: float
) -> dict[str, Any]:
    """Return the row of a round."""
    free = replace(
        problem,
        penalty=LEAST_PENALTY,
        lowest=np.full(len(begun.tiles), begun.lowest),
        highest=np.full(len(begun.tiles), begun.highest),
    )
    squares = np.average(problem.slopes**2, weights=problem.copies)
    return {
        **{"round": step, "seed": seed},
        **_spread(found.effects, begun, confidence),
        "slope": float(np.average(problem.slopes, weights=problem.copies)),
        "predicted": problem.spread(values),
        "floor": free.spread(level(free)),
        "rounding": float(np.sqrt(squares / 12)),
        "changed": int((values != problem.values).sum()),
    }


def _tiles_table(
    begun: Adjustable,
    numbers: Adjustable,
    before: Effects,
    after: Effects,
    found: Slopes,
    reach: float,
) -> pd.DataFrame:
    rows = []
    for at, tile in enumerate(begun.tiles):
        old, new = int(begun.values[at]), int(numbers.values[at])
        sure, low, high = begun.provenance.get(tile, ("", None, None))
        row: dict[str, Any] = {"tile": tile, "before": old, "after": new, "change": new - old}
        row |= {"confidence": sure, "printed_low": low, "printed_high": high}
        row["in_range"] = None if low is None or high is None else bool(low <= new <= high)
        for name, effects in (("before", before), ("after", after)):
            estimate, half = effects.estimate[at], reach * effects.error[at]
            row |= {f"effect_{name}": estimate}
            row |= {f"effect_{name}_low": estimate - half, f"effect_{name}_high": estimate + half}
        rows.append(row | {"slope": found.slope[at]})
    table = pd.DataFrame(rows)
    return table.sort_values("change", key=lambda change: -change.abs(), kind="stable", ignore_index=True)
