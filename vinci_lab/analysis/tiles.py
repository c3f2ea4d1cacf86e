"""How strong tiles are, by three designs: agents choose and pay, chance deals, or a game is forked at a choice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.analysis import tile_rows as rows
from vinci_lab.analysis.effects import PAIR, POINTS, Tabled, batches, read
from vinci_lab.analysis.forked import forked_effects
from vinci_lab.analysis.pairs import false_discovery
from vinci_lab.analysis.rates import Floats, holm, normal_quantile, two_sided_p
from vinci_lab.analysis.seat_model import Effects, SeatModel, contrast_of
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.simulation.forks import fork
from vinci_lab.simulation.seats import Agent
from vinci_lab.simulation.simulate import simulate
from vinci_lab.simulation.store import Runs

DESIGNS = ("market", "randomized", "forked")
ESTIMANDS = {
    "market": "What holding a tile goes with when agents choose and pay: the difference in final points between two "
    "seats of a game that differ by one tile, prices and all. Not a cause: who holds what is the agents' choice.",
    "randomized": "What being dealt a tile does: civilizations come unseen from the bag, and the points of a seat are "
    "compared by what chance alone decided. A cause, in a game in which nobody chooses or pays.",
    "forked": "What one holding of a tile does: a game is stopped at a choice, each tile is put in the chosen pair in "
    "turn, and every branch is played to its end. A cause, at the table as it is; all branches pay the same price.",
}
INTERFERENCE = {
    "market": "Others hold what a seat leaves them, and a strong tile changes what they take later: its effect on them "
    "is part of the difference, which therefore says more than what it does for its holder.",
    "randomized": "A tile that is held is not in the bag for others, and holdings of one game fight one another; "
    "chance balances this on average, so it is part of the effect, as is how many civilizations follow a holding.",
    "forked": "A branch takes one copy out of the others' reach and gives them another; this is part of the effect of "
    "one holding. What would happen if every game had more of a tile, it does not say.",
}
Amounts = Callable[[rows.Lives, rows.Seats], Floats]


def tile_study(
    rules: Ruleset,
    design: str = "market",
    agents: Agent | Sequence[Agent] = "greedy",
    games: int = 10_000,
    seed: int = 7,
    level: float = 0.95,
    n_jobs: int = -1,
    progress: bool = True,
) -> pd.DataFrame:
    """Return how strong each tile is, by one of three designs; in each, an average tile has effect 0.

    What the designs estimate, and where what other seats hold comes in, is in ``ESTIMANDS`` and ``INTERFERENCE`` of
    this module, in plain words.

    - ``"market"``: :func:`tile_effects` of simulated games. An association.
    - ``"randomized"``: games in which a pair is dealt, unseen, to whoever needs one; least squares on tiles held minus
      what the bag made likely, known from draw to draw. The total effect of one holding on its seat, in that game.
    - ``"forked"``: each game is stopped at one of its choices, all equally likely, and each tile is put in the place of
      one of the two chosen, with the same partner and price; differences between branches of a game, on common random
      keys. The total effect of one holding on its seat, in the game that the agents play. Needs compiled agents.

    Parameters
    ----------
    rules : Ruleset
        What is played, and by how many.
    design : {"market", "randomized", "forked"}
        See above.
    agents : str, callable, or a sequence of them
        As in :func:`vinci_lab.simulation.simulate.simulate`.
    games : int
        Games to play; of the forked design, games to fork, each of which is played about a dozen times over.
    seed : int
        Of the games; the same seed gives the same table, whatever ``n_jobs``.
    level : float
        Of confidence.
    n_jobs : int
        Games in parallel; -1 is one per core.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    DataFrame
        A row per tile, best first: ``estimate, low, high``, final points over the mean of the other seats, with ``n``
        holdings (forked: branches) in ``games`` games; ``p_value`` of no difference from the average tile, ``p_holm``
        and ``q_value``, adjusted for the number of tiles as Holm and as Benjamini and Hochberg; ``lead``, final points
        over the best other seat; ``win_effect``, share of the win; ``early`` and ``late``, the estimate for holdings
        obtained in the set-up or in the first third of the average game's rounds, and after. ``rate_active`` and
        ``rate_decline``, points a turn in play above all holdings' average, and the other columns of
        :func:`tile_effects` only where games have whole tables, that is not for forks. Each with ``_low`` and
        ``_high``. ``design`` is the first column.

    Raises
    ------
    ValueError
        If an argument is not allowed, or there are too few games to tell the tiles apart.
    """
    if design not in DESIGNS:
        raise ValueError(f"design: must be one of {', '.join(DESIGNS)}, got {design!r}")
    normal_quantile(level)
    hooks = rules.definition.dealing_hooks
    if hooks is None:
        raise ValueError(f"game: {rules.game} has no tiles to study")
    _check_games(rules, games)
    common: dict[str, Any] = {"games": games, "seed": seed, "n_jobs": n_jobs, "progress": progress}
    if design == "forked":
        table = forked_effects(fork(rules, agents, **common), hooks.doubling(rules), level)
    elif design == "market":
        table = market_effects(simulate(rules, agents, **common), level)
    else:
        table = dealt_effects(simulate(hooks.dealt(rules), agents, **common), level)
    table = finished(table)
    table.insert(0, "design", design)
    return table


def _check_games(rules: Ruleset, games: int) -> None:
    """Raise ``ValueError`` if there are fewer games than tiles to tell apart."""
    least = 2 * len(rules.definition.labels(rules, "kind"))
    if isinstance(games, int) and 0 < games < least:
        raise ValueError(f"games: {games} are too few to tell the tiles apart; play at least {least}")


def market_effects(runs: Tabled, level: float = 0.95) -> pd.DataFrame:
    """Return the table of :func:`vinci_lab.analysis.effects.tile_effects`."""
    doubling = rows.doubling_of(runs, _kinds(runs))
    return finished(_from_tables(runs, level, lambda lives, seats: rows.held_by_life(lives, doubling), doubling))


def dealt_effects(runs: Runs, level: float = 0.95) -> pd.DataFrame:
    """Return what being dealt each tile does, from games in which pairs are dealt (``hooks.dealt(rules)``).

    The regressor is the number of tiles held minus what the bag made likely when they were drawn, which chance alone
    decides, whatever happened before: it is unrelated to anything but what follows from the draw. Columns are those of
    :func:`tile_study`.

    Raises
    ------
    ValueError
        If pairs were not dealt in these games.
    """
    rules, hooks = runs.rules, runs.rules.definition.dealing_hooks
    doubling = np.asarray(hooks.doubling(rules), np.float64)

    def surprise(lives: rows.Lives, seats: rows.Seats) -> Floats:
        columns = {name: lives.frame[name].to_numpy() for name in ("game", "seat", rows.MOMENT, *rows.BAG)}
        columns |= {name: lives.codes[:, place] for place, name in enumerate(PAIR)}
        order = seats.frame["turn_order"].to_numpy()[lives.row]
        expected: Floats = rows.held_by_life(lives, doubling) - hooks.expected(rules, columns, order)
        return expected

    table = finished(_from_tables(runs, level, surprise, doubling, rows.BAG))
    return table.drop(columns=["pick_rate", "pick_rate_low", "pick_rate_high", "offers"])


def finished(table: pd.DataFrame) -> pd.DataFrame:
    """Return a table of tiles with adjusted p-values, best first."""
    table = table.copy()
    table["p_holm"] = holm(table["p_value"])
    table["q_value"] = false_discovery(table["p_value"])
    first = ["tile", "estimate", "low", "high", "n", "games", "p_value", "p_holm", "q_value"]
    table = table[first + [name for name in table.columns if name not in first]]
    return table.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def with_intervals(name: str, estimate: Floats, error: Floats, level: float) -> dict[str, Floats]:
    """Return columns of an estimate: ``estimate, low, high`` or ``name, name_low, name_high``."""
    half = normal_quantile(level) * error
    low, high = ("low", "high") if name == "estimate" else (f"{name}_low", f"{name}_high")
    return {name: estimate, low: estimate - half, high: estimate + half}


def _kinds(runs: Tabled) -> int:
    """Return the number of kinds of tiles."""
    return len(read(next(iter(batches(runs))), "holdings", PAIR[:1])[PAIR[0]].cat.categories)


def _from_tables(
    runs: Tabled, level: float, amounts: Amounts, doubling: Floats, more: Sequence[str] = ()
) -> pd.DataFrame:
    """Return the columns that games with whole tables have; ``amounts`` is what a holding counts in the model."""
    is_dated = rows.has_columns(runs, "holdings", (rows.MOMENT,)) and rows.has_columns(runs, "games", ("rounds",))
    has_decline = rows.has_columns(runs, "holdings", ("turns_decline",))
    until = rows.early_rounds(runs) if is_dated else 0
    columns = [*rows.LIFE, *([rows.MOMENT] if is_dated else []), *(["turns_decline"] if has_decline else []), *more]
    kinds = len(doubling)
    model, halves, counts = SeatModel(), SeatModel(), rows.Counts(kinds)
    active, decline = rows.Rates(kinds), rows.Rates(kinds)
    early_late, names = np.zeros(2 * kinds), list[str]()
    for batch, seats, lives in _parts(runs, columns):
        names = [str(name) for name in lives.frame[PAIR[0]].cat.categories]
        plain, parts = rows.held_by_life(lives, np.zeros(kinds)), _split(lives, amounts(lives, seats), seats, until)
        everything = np.ones(len(lives.row), bool)
        held = rows.by_seat(plain, lives, everything, seats.order.shape)
        counts.add(seats, lives, held, read(batch, "offers", ("game", *PAIR, "is_legal", "is_taken")))
        model.add(parts[:, :, :kinds] + parts[:, :, kinds:], seats.order, seats.outcomes)
        if is_dated:
            halves.add(parts, seats.order, seats.outcomes[:, :, :1])
            early_late += _split(lives, plain, seats, until).sum(axis=(0, 1))
        games = lives.frame["game"].to_numpy()
        points = {name: lives.frame[name].to_numpy(np.float64) for name in POINTS}
        active.add(lives, games, points[POINTS[0]] + points[POINTS[1]], lives.frame["turns_active"].to_numpy(float))
        if has_decline:
            decline.add(lives, games, points[POINTS[2]], lives.frame["turns_decline"].to_numpy(float))
    for _, seats, lives in _parts(runs, columns):
        parts = _split(lives, amounts(lives, seats), seats, until)
        model.add_residuals(parts[:, :, :kinds] + parts[:, :, kinds:], seats.order, seats.outcomes)
        if is_dated:
            halves.add_residuals(parts, seats.order, seats.outcomes[:, :, :1])
    table = _main_columns(names, model.effects(contrast_of(counts.holdings, doubling), counts.holdings), level)
    described = pd.DataFrame(counts.describe(level))
    table = pd.concat([table, described[["n", "games"]]], axis=1)
    if is_dated:
        table = pd.concat([table, _early_and_late(halves, early_late, doubling, level)], axis=1)
    rates = [active.describe("rate_active", level)] + ([decline.describe("rate_decline", level)] if has_decline else [])
    return pd.concat([table, *rates, described.drop(columns=["n", "games"])], axis=1)


def _parts(runs: Tabled, columns: Sequence[str]) -> Iterator[tuple[Tabled, rows.Seats, rows.Lives]]:
    """Yield a run some games at a time: how seats ended, and what they held."""
    for batch in batches(runs):
        seats = rows.seats_of(batch)
        yield batch, seats, rows.lives_of(batch, seats.frame, columns)


def _split(lives: rows.Lives, amounts: Floats, seats: rows.Seats, until: int) -> Floats:
    """Return the amounts of each seat's early and of its late holdings, side by side: (games, seats, 2 kinds)."""
    early = lives.frame[rows.MOMENT].to_numpy() <= until if until else np.zeros(len(lives.row), bool)
    halves = [rows.by_seat(amounts, lives, chosen, seats.order.shape) for chosen in (early, ~early)]
    return np.concatenate(halves, axis=2)


def _main_columns(names: list[str], effects: Effects, level: float) -> pd.DataFrame:
    """Return the effects on points over the mean and over the best of the others, and on the share of the win."""
    columns: dict[str, Any] = {"tile": names}
    for place, name in enumerate(("estimate", "lead", "win_effect")):
        columns |= with_intervals(name, effects.estimate[:, place], effects.error[:, place], level)
    with np.errstate(invalid="ignore", divide="ignore"):
        columns["p_value"] = two_sided_p(effects.estimate[:, 0] / effects.error[:, 0])
    return pd.DataFrame(columns)


def _early_and_late(model: SeatModel, held: Floats, doubling: Floats, level: float) -> pd.DataFrame:
    """Return the effects of holdings obtained early and late, each against the average tile of its time."""
    kinds = len(doubling)
    contrast = np.zeros((2 * kinds, 2 * kinds))
    for side in (slice(0, kinds), slice(kinds, 2 * kinds)):
        contrast[side, side] = contrast_of(held[side], doubling)
    effects = model.effects(contrast, held)
    columns: dict[str, Any] = {}
    for name, side in (("early", slice(0, kinds)), ("late", slice(kinds, 2 * kinds))):
        columns |= with_intervals(name, effects.estimate[side, 0], effects.error[side, 0], level)
        columns[f"{name}_n"] = held[side].astype(np.int64)
    return pd.DataFrame(columns)
