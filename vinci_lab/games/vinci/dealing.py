"""Vinci: games in which civilizations are dealt, and the chances by which they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at

Floats = NDArray[np.float64]


def dealt(rules: Ruleset) -> Ruleset:
    """Return the variant without a tray: a seat that needs a civilization is dealt a pair from the bag, unseen."""
    return rules.replace({"price_rule": "dealt"})


def doubling(rules: Ruleset) -> NDArray[np.int64]:
    """Return 1 for each kind that makes its partner count twice, else 0."""
    return np.array(rules.tables.tiles[: rules.tables.kinds, at.SPECIALIZATION], np.int64)


def expected(rules: Ruleset, holdings: Mapping[str, Any], turn_order: Any) -> Floats:
    """Return how many tiles of each kind each holding of dealt games was going to have, by the chances of its draws.

    The bag is followed from draw to draw: tiles are drawn without replacement, a declining civilization gives back its
    tiles but for those that stay with it, and these come back when the next one declines. All chances are those before
    the first of the two tiles is drawn; a partner that is doubled counts twice, with the chance that it is doubled.
    Held minus expected is what chance alone decided.

    Parameters
    ----------
    holdings : mapping of str to int arrays, (number,)
        ``game, seat, round, first_tile, second_tile, bag, bag_first, bag_second`` of all holdings of whole games, tiles
        as numbers of their kinds.
    turn_order : int array, (number,)
        Place in turn order of each holding's seat.

    Returns
    -------
    float64 array, (number, kinds)

    Raises
    ------
    ValueError
        If the bag cannot be followed, as with ``zero_token_rule = auto``, or pairs were not dealt.
    """
    kinds = int(rules.tables.kinds)
    game, rounds = np.asarray(holdings["game"], np.int64), np.asarray(holdings["round"])
    order = np.lexsort((np.asarray(turn_order), rounds, game))
    games, begins, counts = np.unique(game[order], return_index=True, return_counts=True)
    bags = _Bags(rules, len(games))
    chances = np.zeros((len(game), kinds))
    for step in range(int(counts.max(initial=0))):
        at_table = np.flatnonzero(counts > step)
        rows = order[begins[at_table] + step]
        chances[rows] = bags.deal(at_table, {name: np.asarray(values)[rows] for name, values in holdings.items()})
    return chances


class _Bags:
    """The bags of many games side by side, followed from one dealt pair to the next."""

    def __init__(self, rules: Ruleset, games: int) -> None:
        tables = rules.tables
        kinds, copies = int(tables.kinds), tables.kind_of[: int(tables.copies)]
        self._left = np.tile(np.bincount(copies, minlength=kinds), (games, 1)).astype(np.int64)
        self._lasts = np.asarray(tables.tiles[:kinds, at.LASTS_IN_DECLINE]) == 1
        self._doubles = doubling(rules) == 1
        self._returns_first = rules.content["options"]["return_before_draw"] == "yes"
        self._active = np.full((games, at.SEATS, 2), -1)
        self._old = np.full((games, at.SEATS, 2), -1)

    def deal(self, games: NDArray[np.int64], holdings: Mapping[str, Any]) -> Floats:
        """Follow one pair dealt in each of some games, and return the expected numbers of tiles of each kind."""
        seat = np.asarray(holdings["seat"], np.int64)
        first, second = (np.asarray(holdings[name], np.int64) for name in ("first_tile", "second_tile"))
        if self._returns_first:
            self._decline(games, seat)
        left = self._left[games]
        rows = np.arange(len(games))
        number = left.sum(axis=1)
        after = left.copy()
        after[rows, first] -= 1
        seen = (number, left[rows, first], after[rows, second])
        if any((np.asarray(holdings[name]) != one).any() for name, one in zip(COUNTS, seen, strict=True)):
            raise ValueError("holdings: the bag cannot be followed; pairs must be dealt, with zero_token_rule = keep")
        chances = self._chances(left, number)
        self._left[games, first] -= 1
        self._left[games, second] -= 1
        if not self._returns_first:
            self._decline(games, seat)
        self._active[games, seat] = np.column_stack([first, second])
        return chances

    def _chances(self, left: NDArray[np.int64], number: NDArray[np.int64]) -> Floats:
        """Return the expected numbers of tiles of each kind of a pair; two that double are never dealt together."""
        doubling = left[:, self._doubles].sum(axis=1)
        plain = np.where(self._doubles, 0, left)
        of_two = number * np.maximum(number - 1, 1)
        after_doubling = plain * (doubling / (number * np.maximum(number - doubling, 1)))[:, None]
        second = left * ((number - doubling)[:, None] - plain.astype(bool)) / of_two[:, None] + after_doubling
        doubled = plain * (doubling / of_two)[:, None] + after_doubling
        chances: Floats = left / number[:, None] + second + doubled
        return chances

    def _decline(self, games: NDArray[np.int64], seat: NDArray[np.int64]) -> None:
        """Give back the old empire's tiles and those of the active one that do not stay with it."""
        old, active = self._old[games, seat], self._active[games, seat]
        stays = (active >= 0) & self._lasts[active]
        for tiles, goes in ((old, old >= 0), (active, (active >= 0) & ~stays)):
            spot, place = np.nonzero(goes)
            np.add.at(self._left, (games[spot], tiles[spot, place]), 1)
        self._old[games, seat] = np.where(stays, active, -1)
        self._active[games, seat] = -1


COUNTS = ("bag", "bag_first", "bag_second")
