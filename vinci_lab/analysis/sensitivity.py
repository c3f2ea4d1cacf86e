"""``sensitivity``: which conclusions survive what is not known about the rules, and which unknown matters most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from tqdm.auto import tqdm

from vinci_lab.analysis import sensitivity_design as designs
from vinci_lab.analysis import sensitivity_outcomes as looked_at
from vinci_lab.analysis import sensitivity_tables as tables
from vinci_lab.analysis.rates import Floats, check_level
from vinci_lab.analysis.sensitivity_design import Structures, Unknown
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.files import frame_csv
from vinci_lab.simulation.seats import Agent
from vinci_lab.simulation.simulate import simulate

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEAST_GAMES = 20
BASE_TIMES = 10  # games of the rules as they are, for each game of a point of the design
SAVED = ("conclusions", "unknowns", "shares", "outcomes", "ranks", "design", "values")


@dataclass(frozen=True)
class Sensitivity:
    """What stays true of some rules when the unknown numbers and the structure vary.

    The design gives every value of a range the same weight, and the unknowns vary independently. A share of its points
    is therefore a share of what is thought possible, not a probability that something is true of the printed game.

    Attributes
    ----------
    rules : Ruleset
        The rules as they are.
    seed, games, base_games : int
        Of all games, and their numbers at a point of the design and with the rules as they are.
    discrepancy : dict of str to float
        Centered discrepancy of the ``design`` before rounding, and of ``random`` points of the same number.
    conclusions : DataFrame
        A row per claim: ``conclusion, quantity, sign, number``; ``base, base_low, base_high`` with the rules as they
        are; ``estimate, low, high, n``, the share of the design's points where it holds, with Wilson's interval over
        points; ``without_noise``, the same after the noise of the games is taken out, with ``without_noise_low`` and
        ``without_noise_high``, which allow for how well the games tell the noise and the middle of the settings;
        ``contradicted``, the share where the interval of the point lies wholly on the other side; ``verdict``.
    unknowns : DataFrame
        A row per unknown, the one that matters most first: ``estimate, low, high, n``, its share of the variance
        without noise, averaged over the outcomes that vary beyond noise, so that ``tiles``, ``places`` and ``course``
        of the game, which have columns of their own, count alike; the limits average those of the outcomes, which is
        cautious.
        Also ``unknown, kind, base, lowest, highest, confidence, reason``.
    shares : DataFrame
        A row per outcome and unknown: ``outcome, unknown``, the share ``estimate, low, high, n``, and ``effect,
        effect_low, effect_high``, the change of the outcome for a step of one.
    outcomes : DataFrame
        A row per outcome: ``outcome, group, unit, meaning``; ``base, base_low, base_high``; ``estimate, low, high, n``,
        the mean over the design and its lowest and highest point; ``q05, q95``; ``signal_sd``, the spread over the
        design that the games' noise does not explain, and ``noise_sd``; ``is_beyond_noise``; ``r_squared``,
        cross-validated, and ``r_squared_possible``, more than which noise does not allow; ``first`` unknown and its
        ``first_share``.
    ranks : DataFrame
        A row per tile by its effect: ``tile, title, base_rank``; ``estimate, low, high, n``, the median and the 5% and
        95% quantiles of its rank over the design after the noise is taken out; ``best, worst``; ``noisy_low,
        noisy_high``, the quantiles as they were seen; ``noise_low, noise_high``, what noise alone gives.
    design, values : DataFrame
        A row per point: its settings, and its outcomes.
    level : float
        Of confidence.
    """

    rules: Ruleset
    seed: int
    games: int
    base_games: int
    discrepancy: dict[str, float]
    conclusions: pd.DataFrame = field(repr=False)
    unknowns: pd.DataFrame = field(repr=False)
    shares: pd.DataFrame = field(repr=False)
    outcomes: pd.DataFrame = field(repr=False)
    ranks: pd.DataFrame = field(repr=False)
    design: pd.DataFrame = field(repr=False)
    values: pd.DataFrame = field(repr=False)
    level: float = 0.95

    @property
    def points(self) -> int:
        """Number of points of the design."""
        return len(self.design)

    def findings(self) -> list[str]:
        """Return the answer in plain sentences."""
        return tables.findings(self.conclusions, self.unknowns, self.outcomes, self.points)

    def figure(self) -> Figure:
        """Return a Matplotlib figure of what survives, what matters, and the ranks of the tiles."""
        from vinci_lab.analysis.plots_sensitivity import plot_sensitivity

        return plot_sensitivity(self)

    def save(self, folder: str | Path) -> Path:
        """Write the tables as CSV, the findings as text and the figure as SVG to a folder, and return it."""
        from vinci_lab.analysis.plots_sensitivity import standalone_svg

        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for name in SAVED:
            (target / f"{name}.csv").write_text(frame_csv(getattr(self, name)), encoding="utf-8", newline="\n")
        (target / "findings.txt").write_text(f"{self}\n", encoding="utf-8", newline="\n")
        (target / "sensitivity.svg").write_text(standalone_svg(self.figure()), encoding="utf-8", newline="\n")
        return target

    def __repr__(self) -> str:
        head = (
            f"Sensitivity of {self.rules.game} ({self.rules.edition}), {self.rules.players} players, seed {self.seed}: "
            f"unknowns: {len(self.unknowns)}, {self.points} settings of {self.games} games (discrepancy "
            f"{self.discrepancy['design']:.3g}, of random points {self.discrepancy['random']:.3g}), {self.base_games} "
            "games with the rules as they are"
        )
        return "\n".join([head, *self.findings()])


def sensitivity(
    rules: Ruleset,
    games: int = 400,
    points: int = 128,
    seed: int = 7,
    agents: Agent | Sequence[Agent] = "greedy",
    conclusions: Sequence[str] | None = None,
    structures: Structures | None = None,
    unknowns: Sequence[str] | None = None,
    design: str = "lhs",
    base_games: int | None = None,
    level: float = 0.95,
    n_jobs: int = -1,
    progress: bool = False,
) -> Sensitivity:
    """Return which conclusions survive what is not known about the rules, and which unknown matters most.

    The numbers of ``rules.assumed`` that have a range, and the structural variants of ``rules.variants``, vary together
    over a space-filling design. At every point the same games are played, on common keys, and every quantity that is
    claimed of the rules as they are is worked out again. How far it varies is set against the noise of the games:
    errors of points on common keys are correlated, so the noise is estimated from single games, paired across points.

    Parameters
    ----------
    rules : Ruleset
        The rules as they are.
    games : int
        Games at each point, at least 20. The default design takes about a minute on two cores; ``points=512,
        games=1000`` is a thorough one.
    points : int
        Points of the design, at least 2 for each unknown and 2 more.
    seed : int
        Of games and design.
    agents : str, callable, or a sequence of them
        As for :func:`simulate`. Conclusions are about games between these agents.
    conclusions : sequence of str, optional
        Further claims, such as ``"rounds < 12"``, ``"tile weapons > 0"`` or ``"win_place_0 < 0.25"``.
    structures : mapping or sequence of str, optional
        Variants of the structure, each there or not there: names of ``rules.variants``, or own ones, such as
        ``{"norway_denmark": {"map.borders.Norway/Denmark": "coastal"}}``; ``[]`` for none; all listed if left out.
    unknowns : sequence of str, optional
        Places of the numbers to vary, if not all.
    design : {"lhs", "sobol"}
        A Latin hypercube, or a scrambled Sobol sequence, for which ``points`` must be a power of two.
    base_games : int, optional
        Games with the rules as they are; ten times ``games`` if left out.
    level : float
        Of confidence.
    n_jobs : int
        Games in parallel; the result does not depend on it.
    progress : bool
        Whether to show a bar of settings.

    Returns
    -------
    Sensitivity
        With the tables ``conclusions``, ``unknowns``, ``shares``, ``outcomes``, ``ranks``, ``design`` and ``values``.

    Raises
    ------
    ValueError
        If nothing about the rules is uncertain, an argument is not allowed, or there are too few points or games.
    DataError
        If a combination of changes is not allowed; all are checked before anything is played.
    """
    check_level(level)
    varied = designs.unknowns_of(rules, unknowns, structures)
    least = 2 * len(varied) + 2
    base_games = BASE_TIMES * _whole("games", games, LEAST_GAMES) if base_games is None else base_games
    _whole("base_games", base_games, LEAST_GAMES)
    _whole("points", points, least, f" for {len(varied)} unknowns; name fewer of them with unknowns= and structures=")
    settings, cube = designs.fill(varied, points, seed, design)
    changed = designs.rules_at(rules, varied, settings)
    base = looked_at.per_game(_played(rules, agents, base_games, seed, n_jobs))
    rounds = looked_at.central_rounds(base)
    looked_at.read_claims(conclusions or (), [*map(str, base.columns)])
    base = looked_at.with_length(base, rounds)
    values = np.empty((points, games, base.shape[1]))
    for number, one in enumerate(tqdm(changed, unit="setting", disable=not progress)):
        found = looked_at.per_game(_played(one, agents, games, seed, n_jobs))
        values[number] = looked_at.with_length(found, rounds)[list(base.columns)]
    return _result(rules, varied, settings, changed, base, values, conclusions or (), cube, seed, level)


def _played(rules: Ruleset, agents: Any, games: int, seed: int, n_jobs: int) -> Any:
    runs = simulate(rules, agents, games, seed, n_jobs, progress=False)
    if not runs.is_complete:
        raise KeyboardInterrupt
    return runs


def _result(
    rules: Ruleset,
    varied: Sequence[Unknown],
    settings: Any,
    changed: Sequence[Ruleset],
    base: pd.DataFrame,
    values: Floats,
    asked: Sequence[str],
    cube: Floats,
    seed: int,
    level: float,
) -> Sensitivity:
    titles = _titles(rules)
    is_known = base.notna().all().to_numpy() & ~np.isnan(values).any(axis=(0, 1))
    names = [str(name) for name, known in zip(base.columns, is_known, strict=True) if known]
    claims = looked_at.claims_of(base[names], titles, rules.players, level) + looked_at.read_claims(asked, names)
    found = tables.Found(names, base[names], values[:, :, is_known], settings, varied, level, seed)
    shares = tables.shares_table(found)
    return Sensitivity(
        rules,
        seed,
        values.shape[1],
        len(base),
        designs.evenness(cube, seed),
        conclusions=tables.conclusions_table(found, claims),
        unknowns=tables.unknowns_table(found, shares),
        shares=shares,
        outcomes=tables.outcomes_table(found, shares, titles),
        ranks=tables.ranks_table(found, titles),
        design=designs.design_table(changed, varied, settings),
        values=tables.values_table(found),
        level=level,
    )


def _titles(rules: Ruleset) -> dict[str, str]:
    """Return the printed titles of the tiles by name."""
    names, titles = (rules.definition.labels(rules, what) for what in ("kind", "kind_title"))
    return dict(zip(names, titles, strict=True))


def _whole(name: str, value: Any, least: int, why: Iterable[str] = "") -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise ValueError(f"{name}: must be a whole number of at least {least}{''.join(why)}, got {value!r}")
    return int(value)
