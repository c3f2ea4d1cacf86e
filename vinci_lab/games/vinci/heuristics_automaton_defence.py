"""Vinci: how the automaton holds what it has: even defence, forts, and what it gives up.

"Reorganization" and the tiles are paragraphs of the rulebook's "Solitaire and Two-Player Game".
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.bits import contains, count, first, lowest, member
from vinci_lab.engine.chance import FIRST_PURPOSE_OF_A_GAME, word
from vinci_lab.engine.jit import kernel
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.heuristics import write_placements
from vinci_lab.games.vinci.rules_cost import trait

PURPOSE_SURPLUS = FIRST_PURPOSE_OF_A_GAME + 11
PURPOSE_FORT = FIRST_PURPOSE_OF_A_GAME + 12
PURPOSE_DROP = FIRST_PURPOSE_OF_A_GAME + 13


# Reorganization -----------------------------------------------------------------------------------------------------


@kernel(inner=True)
def plan_even_defence(tables: Any, view: Any, seat: int, key: int, plan: Any) -> None:
    """Spread the tokens in hand so that all provinces are as dear to take as one another ("Reorganization").

    All weakest provinces get a token at a time; when too few tokens are left for all of them, the surplus goes to
    preferred provinces. Survivors are placed likewise, on top of what stands. ``view`` is used up.
    """
    sites = view.active[seat] & ~first(view.cursor)
    rest = sites
    while rest:
        view.entries[lowest(rest)] = 0
        rest &= rest - 1
    left = view.hand[seat]
    while left > 0:
        low = weakest_provinces(tables, view, sites)
        if left < count(low):
            field = sites if tables.automaton_surplus == 1 else low
            low = preferred_provinces(tables, view, seat, field, left, key)
        left -= count(low)
        while low:
            province = lowest(low)
            low &= low - 1
            view.entries[province] += 1
            view.tokens[province] += 1
    write_placements(view, sites, plan)


@kernel(inner=True)
def weakest_provinces(tables: Any, state: Any, provinces: int) -> int:
    """Return the provinces that are cheapest to take: terrain, tokens and fort together."""
    weakest, least = 0, 2**30
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        strength = tables.base_cost[tables.terrain[province]] + state.tokens[province]
        if contains(state.forts, province):
            strength += tables.fort_defence
        if strength < least:
            weakest, least = 0, strength
        if strength == least:
            weakest |= member(province)
    return weakest


@kernel(inner=True)
def endangered_provinces(tables: Any, state: Any, seat: int) -> int:
    """Return the provinces where an attack is expected.

    Those at the edge of the board if another civilization waits to enter it, else those beside a foreign active empire.
    """
    foreign = 0
    for other in range(state.seats):
        if other != seat:
            if state.tile[other, 0] >= 0 and state.active[other] == 0:
                return tables.starts
            foreign |= state.active[other]
    front, rest = 0, state.active[seat]
    while rest:
        province = lowest(rest)
        rest &= rest - 1
        if tables.bordering[province] & foreign:
            front |= member(province)
    return front


@kernel
def preferred_provinces(tables: Any, state: Any, seat: int, field: int, number: int, key: int) -> int:
    """Return the provinces of a set that get the surplus: the endangered, then those that earn most, then the die."""
    endangered, chosen = endangered_provinces(tables, state, seat), 0
    for _ in range(number):
        best, best_rating, best_lot = -1, 0, 0
        rest = field & ~chosen
        while rest:
            province = lowest(rest)
            rest &= rest - 1
            rating = effects.province_halves(tables, state, seat, province)
            if contains(endangered, province):
                rating += 2**20
            lot = word(key, PURPOSE_SURPLUS, province, 0)
            if best < 0 or rating > best_rating or (rating == best_rating and lot < best_lot):
                best, best_rating, best_lot = province, rating, lot
        chosen |= member(best)
    return chosen


# Forts and shortage -------------------------------------------------------------------------------------------------


@kernel(inner=True)
def neighbor_halves(tables: Any, state: Any, seat: int, provinces: int) -> int:
    """Return the half points some provinces would bring if they were conquered, contact aside."""
    halves = 0
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        halves += effects.province_halves(tables, state, seat, province)
        if state.tokens[province] > 0:
            halves += 2 * trait(tables, state, seat, at.VP_KILL)
    return halves


@kernel
def fort_province(tables: Any, state: Any, seat: int, sites: int, key: int) -> int:
    """Return where a fort helps attacks most (Fortification).

    Beside the most provinces that are not the own, then those worth most, then the die.
    """
    own = state.active[seat] | state.decline[seat]
    best, best_borders, best_halves, best_lot = -1, 0, 0, 0
    while sites:
        province = lowest(sites)
        sites &= sites - 1
        around = tables.bordering[province] & ~own
        borders, halves = count(around), neighbor_halves(tables, state, seat, around)
        lot = word(key, PURPOSE_FORT, province, state.forts_left)
        if best < 0 or borders > best_borders:
            is_better = True
        elif borders == best_borders:
            is_better = halves > best_halves or (halves == best_halves and lot < best_lot)
        else:
            is_better = False
        if is_better:
            best, best_borders, best_halves, best_lot = province, borders, halves, lot
    return best


@kernel(inner=True)
def least_valuable(tables: Any, state: Any, seat: int, provinces: int, key: int) -> int:
    """Return the province that earns least, drawn among equals, for an empire with more provinces than tokens."""
    best, best_halves, best_lot = -1, 0, 0
    while provinces:
        province = lowest(provinces)
        provinces &= provinces - 1
        halves, lot = effects.province_halves(tables, state, seat, province), word(key, PURPOSE_DROP, province, 0)
        if best < 0 or halves < best_halves or (halves == best_halves and lot < best_lot):
            best, best_halves, best_lot = province, halves, lot
    return best
