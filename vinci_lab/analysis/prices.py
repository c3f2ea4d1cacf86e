"""What tiles and pairs are worth in points, what was paid for them, and which place of the tray is a bargain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from vinci_lab.analysis.effects import PAIR, Tabled, batches, read
from vinci_lab.analysis.influences import GROSS, NET, PRICE, Effects, market_effects
from vinci_lab.analysis.pairs import pair_effects
from vinci_lab.analysis.rates import Floats, normal_quantile

OFFERS = ("game", "turn", "seat", "holding", "slot", *PAIR, "price", "coins", "is_legal", "is_taken")
CHOICE = ["game", "turn", "seat", "holding"]
KEPT = ["game", *PAIR, "price", "coins", "is_taken", "worth", "brings", "best"]  # what the rows of a place need


def fair_prices(runs: Tabled, of: str = "tiles", level: float = 0.95) -> pd.DataFrame:
    """Return what a tile or a pair is worth in points against an average one, and what was paid for it.

    The estimand of ``estimate``, the fair price, is an association in games where agents choose and pay: between two
    seats of the same game that held as many civilizations and differ by one tile (or pair), given the place in turn
    order, the difference in what they scored apart from prices and coins. A seat that paid that much more for it than
    for an average one would end with the same score. ``paid`` is the same difference in points paid for skipped pairs
    less points received for coins, and ``net`` what is left, the difference in final score, as in
    :func:`vinci_lab.analysis.effects.tile_effects`. It says what a tile is worth in the hands of these agents.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    of : {"tiles", "pairs"}
        Pairs are shrunk towards the sum of their tiles; see :func:`vinci_lab.analysis.pairs.pair_effects`.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        A row per tile (``tile``) or pair that was held (``first_tile, second_tile``), dearest first: ``estimate, low,
        high``, the fair price, with ``n`` holdings; ``paid`` and ``net``, each with ``_low`` and ``_high``; all in
        points, and for a pair not shrunk evenly, so that they need not add up there. NaN for a tile never held.

    Raises
    ------
    ValueError
        If there are too few games, or ``of`` is something else.
    """
    if of == "pairs":
        return _pair_prices(runs, level)
    if of != "tiles":
        raise ValueError(f"of: must be 'tiles' or 'pairs', got {of!r}")
    found = market_effects(runs, (GROSS, PRICE, NET))
    counts: Any = 0
    for batch in batches(runs):
        lives = read(batch, "holdings", PAIR)
        first, second = (lives[name].cat.codes.to_numpy() for name in PAIR)
        codes = np.concatenate([first, second[second != first]])
        counts = counts + np.bincount(codes[codes >= 0], minlength=len(found[NET].tiles))
    reach = normal_quantile(level)
    columns: dict[str, Any] = {"tile": list(found[NET].tiles)}
    for outcome, name in ((GROSS, ""), (PRICE, "paid"), (NET, "net")):
        columns |= _columns(found[outcome], name, reach)
        if not name:
            columns["n"] = counts
    return _sorted(pd.DataFrame(columns))


def _columns(effects: Effects, name: str, reach: float) -> dict[str, Floats]:
    estimate, half = effects.estimate, reach * effects.error
    names = (name, f"{name}_low", f"{name}_high") if name else ("estimate", "low", "high")
    return dict(zip(names, (estimate, estimate - half, estimate + half), strict=True))


def _sorted(table: pd.DataFrame) -> pd.DataFrame:
    return table.sort_values("estimate", ascending=False, kind="stable", ignore_index=True)


def _pair_prices(runs: Tabled, level: float) -> pd.DataFrame:
    gross = pair_effects(_Scored(runs, GROSS), level)[[*PAIR, "estimate", "low", "high", "n"]]
    for outcome, name in ((PRICE, "paid"), (NET, "net")):
        other = pair_effects(_Scored(runs, outcome), level)[[*PAIR, "estimate", "low", "high"]]
        other.columns = pd.Index([*PAIR, name, f"{name}_low", f"{name}_high"])
        gross = gross.merge(other, on=list(PAIR), validate="one_to_one")
    return _sorted(gross)


class _Scored:
    """A run in which the score of a seat is another outcome."""

    def __init__(self, runs: Tabled, outcome: str) -> None:
        self._runs, self._outcome = runs, outcome

    def table(self, name: str, columns: Sequence[str]) -> pd.DataFrame:
        """Return some columns of a table."""
        if name != "games":
            return read(self._runs, name, columns)
        games = read(self._runs, name, [*columns, "paid", "received"])
        price = games["paid"].astype(np.int64) - games["received"]
        score = {NET: games["score"], PRICE: price, GROSS: games["score"] + price}[self._outcome]
        return games.assign(score=score)[list(columns)]

    def batches(self) -> Iterator[_Scored]:
        """Return the run some whole games at a time."""
        return (_Scored(batch, self._outcome) for batch in batches(self._runs))

    @property
    def games(self) -> pd.DataFrame:
        """Not read as a whole."""
        return self.table("games", list(self._runs.games.columns))

    @property
    def turns(self) -> pd.DataFrame:
        """Turns of the run."""
        return self._runs.turns

    @property
    def holdings(self) -> pd.DataFrame:
        """Holdings of the run."""
        return self._runs.holdings

    @property
    def offers(self) -> pd.DataFrame:
        """Offers of the run."""
        return self._runs.offers


def tray_bargains(runs: Tabled, worth: pd.DataFrame | None = None, level: float = 0.95) -> pd.DataFrame:
    """Return which place of the tray is a bargain: worth of what lay there plus its coins less the price, by place.

    The estimand of ``estimate`` is the expected value, over choices between these agents, of what taking the pair in
    that place would bring against an average pair that costs nothing. The worth of a pair is the fair price
    (:func:`fair_prices`) of its two tiles together, or what ``worth`` says.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    worth : DataFrame, optional
        ``tile, estimate`` or ``first_tile, second_tile, estimate`` in points, such as ``fair_prices(runs, "pairs")``.
        A pair that is not in it is worth as much as an average pair. Intervals then take the worth as known.
    level : float
        Of confidence.

    Returns
    -------
    DataFrame
        A row per ``slot``, 0 the free one: ``estimate, low, high`` in points, ``n`` choices; the means of ``worth``,
        ``coins`` and ``price`` it is made of; ``taken``, the share of choices that took it; ``best``, the share in
        which it brought most of those that could be paid (shared by ties); and ``taken_estimate``, the mean of what it
        brought when taken, NaN if it never was.
    """
    if worth is None:
        effects = market_effects(runs, (GROSS,))[GROSS]
        table = pd.DataFrame({"tile": effects.tiles, "estimate": effects.estimate})
        return _by_slot(runs, table, effects, level)
    if "estimate" not in worth or not ("tile" in worth or set(PAIR) <= set(worth.columns)):
        raise ValueError("worth: the table must have estimate, and tile or first_tile and second_tile")
    return _by_slot(runs, worth, None, level)


def _by_slot(runs: Tabled, worth: pd.DataFrame, effects: Effects | None, level: float) -> pd.DataFrame:
    of_slots: dict[int, list[pd.DataFrame]] = defaultdict(list)
    games = []
    for batch in batches(runs):
        offers = _valued(read(batch, "offers", OFFERS), worth)
        games.append(np.unique(offers["game"].to_numpy()))
        for slot, part in offers.groupby("slot", sort=True):
            of_slots[int(str(slot))].append(part[KEPT])
    if not of_slots:
        raise ValueError("offers: there are none, so nothing can be said of places in the tray")
    order = np.unique(np.concatenate(games))
    rows = [
        {"slot": slot} | _of_slot(pd.concat(of_slots.pop(slot)), order, effects, level) for slot in sorted(of_slots)
    ]
    return pd.DataFrame(rows)


def _valued(offers: pd.DataFrame, worth: pd.DataFrame) -> pd.DataFrame:
    """Return offers with their worth, what taking them brings, and whether nothing legal brings more."""
    points = _worths(offers, worth)
    brings = points + offers["coins"].to_numpy(np.float64) - offers["price"].to_numpy(np.float64)
    found = offers.assign(worth=points, brings=brings)
    legal = found["brings"].where(found["is_legal"] == 1)
    groups = [found[name] for name in CHOICE]
    is_best = legal == legal.groupby(groups).transform("max")
    return found.assign(best=is_best / is_best.groupby(groups).transform("sum").clip(lower=1))


def _worths(offers: pd.DataFrame, worth: pd.DataFrame) -> Floats:
    if "tile" in worth:
        of_tile = dict(zip(worth["tile"].astype(str), worth["estimate"].fillna(0.0), strict=True))
        columns = [offers[name].astype("category").cat for name in PAIR]
        points = [np.array([of_tile.get(str(tile), 0.0) for tile in column.categories]) for column in columns]
        codes = [column.codes.to_numpy() for column in columns]
        return np.asarray(sum(np.where(one >= 0, of[one], 0.0) for one, of in zip(codes, points, strict=True)))
    first, second = (offers[name].astype(str) for name in PAIR)
    names = worth[PAIR[0]].astype(str), worth[PAIR[1]].astype(str)
    of_pair = dict(zip(zip(*names, strict=True), worth["estimate"], strict=True))
    of_pair |= {(b, a): points for (a, b), points in of_pair.items()}
    return np.array([of_pair.get(pair, 0.0) for pair in zip(first, second, strict=True)], np.float64)


def _of_slot(part: pd.DataFrame, order: Any, effects: Effects | None, level: float) -> dict[str, float]:
    """Return the row of a place of the tray."""
    number, brings = len(part), part["brings"].to_numpy(np.float64)
    mean = float(brings.mean())
    spot = np.searchsorted(order, part["game"].to_numpy())
    shares = np.bincount(spot, brings - mean, minlength=len(order)) / number
    if effects is not None and effects.shares is not None:
        codes = [part[name].cat.codes.to_numpy() for name in PAIR]
        lying = sum(np.bincount(one[one >= 0], minlength=len(effects.tiles)) for one in codes) / number
        shares = shares + np.nan_to_num(effects.shares[: len(order)]) @ lying
    half = normal_quantile(level) * float(np.sqrt((shares**2).sum())) if len(order) > 1 else np.nan
    taken = brings[part["is_taken"].to_numpy() == 1]
    return {
        **{"estimate": mean, "low": mean - half, "high": mean + half, "n": number},
        **{name: float(part[name].mean()) for name in ("worth", "coins", "price")},
        "taken": float(part["is_taken"].mean()),
        "best": float(part["best"].mean()),
        "taken_estimate": float(taken.mean()) if len(taken) else np.nan,
    }
