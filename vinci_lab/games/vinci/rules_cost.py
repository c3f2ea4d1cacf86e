"""Vinci: the two tiles of a civilization, where it may go, and what a conquest costs.

"Rulebook, X" names a section of the rulebook; "Errata n" and "Clarification n" count the paragraphs of those sections.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.bits import contains, count, first, lowest
from vinci_lab.engine.jit import kernel
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_layout import (
    BORDER,
    COST_COLUMNS,
    ENTRY,
    KINDS,
    MOUNTAIN,
    NO_PAIR,
    SEA,
)

# The two tiles of a civilization ------------------------------------------------------------------------------------


@kernel(inner=True)
def pair_of(tables: Any, state: Any, seat: int) -> int:
    """Return the row of ``tables.pairs`` for the seat's active civilization; an empty row without one."""
    if state.tile[seat, 0] < 0:
        return NO_PAIR
    return tables.kind_of[state.tile[seat, 0]] * KINDS + tables.kind_of[state.tile[seat, 1]]


@kernel
def trait(tables: Any, state: Any, seat: int, column: int) -> int:
    """Return a modifier of the seat's active civilization: the sum over its two tiles, 0 without a civilization."""
    return tables.pairs[pair_of(tables, state, seat), column]


@kernel(inner=True)
def old_bonus(tables: Any, state: Any, seat: int, column: int) -> int:
    """Return a bonus column of the empire in decline: only tiles with the broken column still count, and singly."""
    total = 0
    for place in range(2):
        copy = state.old_tile[seat, place]
        if copy >= 0:
            total += tables.tiles[tables.kind_of[copy], column]
    return total * state.old_doubling[seat]


@kernel(inner=True)
def lasting_tokens(state: Any, seat: int) -> int:
    """Return the tokens of the active civilization on and off the board, temporary ones included."""
    total = state.hand[seat]
    provinces = state.active[seat]
    while provinces:
        total += state.tokens[lowest(provinces)]
        provinces &= provinces - 1
    return total


# Entry and reach (Rulebook, "A Civilization Enters Play" and "Expanding an Empire") ---------------------------------


@kernel
def entry_provinces(tables: Any, state: Any, seat: int) -> int:
    """Return where a civilization without a province may enter.

    From the board's edge, directly or over one sea zone that touches it; with Astronomy over any chain of sea zones;
    with Revolutionaries anywhere (Rulebook, "A Civilization Enters Play"; tile texts).
    """
    if trait(tables, state, seat, at.REVOLUTIONARIES):
        return first(tables.provinces)
    if trait(tables, state, seat, at.ASTRONOMY) and tables.astronomy_entry == 0:
        return tables.starts_astronomy
    return tables.starts


@kernel
def protected_provinces(state: Any, seat: int) -> int:
    """Return the active provinces that peace keeps from this seat, whoever of the two named the other."""
    protected = 0
    for other in range(state.seats):
        if contains(state.peace[seat], other) or contains(state.peace[other], seat):
            protected |= state.active[other]
    return protected


@kernel
def reachable(tables: Any, state: Any, seat: int) -> int:
    """Return the provinces the seat could conquer next, cost aside.

    Neighbors of any own province across land or coastal borders, with Astronomy also over linked sea zones; entry
    provinces for an empire without one (Rulebook, "Expanding an Empire"; Clarifications 1 and 2).
    """
    own = state.active[seat]
    if own == 0:
        reach = entry_provinces(tables, state, seat)
    else:
        reach = 0
        sails = trait(tables, state, seat, at.ASTRONOMY)
        rest = own
        while rest:
            province = lowest(rest)
            rest &= rest - 1
            reach |= tables.linked[province] if sails else tables.bordering[province]
    blocked = own | protected_provinces(state, seat)
    if tables.own_decline_target == 2 or (
        tables.own_decline_target == 1 and not trait(tables, state, seat, at.HERITAGE)
    ):
        blocked |= state.decline[seat]
    return reach & ~blocked


# Cost of a conquest (Rulebook, "Expanding an Empire") ---------------------------------------------------------------


@kernel(inner=True)
def owner_of(state: Any, province: int) -> int:
    """Return the seat whose active empire holds a province, or -1."""
    for seat in range(state.seats):
        if contains(state.active[seat], province):
            return seat
    return -1


@kernel(inner=True)
def old_owner_of(state: Any, province: int) -> int:
    """Return the seat whose empire in decline holds a province, or -1."""
    if contains(state.neutral, province):
        return -1
    for seat in range(state.seats):
        if contains(state.decline[seat], province):
            return seat
    return -1


@kernel(inner=True)
def terrain_modifier(tables: Any, pair: int, terrain: int) -> int:
    """Return a civilization's change of cost for a terrain (tile texts, e.g. Mountaineering)."""
    column = COST_COLUMNS[terrain]
    return tables.pairs[pair, column] if column >= 0 else 0


@kernel(inner=True)
def defence_of(tables: Any, state: Any, province: int) -> int:
    """Return the extra cost of an active owner's defence (tile text, Militia)."""
    if contains(state.neutral, province) or state.tokens[province] == 0:
        return 0
    owner = owner_of(state, province)
    return trait(tables, state, owner, at.DEFENCE) if owner >= 0 else 0


@kernel(inner=True)
def height_discounts(tables: Any, state: Any, origin: int) -> tuple[int, int]:
    """Return what attacking from a mountain and from a fort saves (Clarification 3; tile text, Fortification)."""
    mountain = tables.mountain_discount if tables.terrain[origin] == MOUNTAIN else 0
    fort = tables.fort_discount if contains(state.forts, origin) else 0
    if tables.fort_mountain_stack == 1 and mountain and fort:
        fort = 0
    return mountain, fort


@kernel(inner=True)
def origin_saving(tables: Any, state: Any, pair: int, origin: int, target: int, link: int) -> int:
    """Return what attacking over one link from one origin saves: mountain, fort and shared coastline together."""
    saving = 0
    if link == BORDER or tables.mountain_over_sea == 1:
        mountain, fort = height_discounts(tables, state, origin)
        saving += mountain + fort
    if link == SEA or contains(tables.same_shore[target], origin):
        saving -= tables.pairs[pair, at.COST_SAME_COAST]
    return saving


@kernel(inner=True)
def entry_saving(tables: Any, pair: int, target: int) -> int:
    """Return what Ship Building saves on an entry from the sea: nothing, unless ``ship_on_entry`` says so."""
    if tables.ship_on_entry == 0:
        return 0
    is_by_sea = contains(tables.starts_by_sea, target)
    if tables.pairs[pair, at.ASTRONOMY] and tables.astronomy_entry == 0:
        is_by_sea = is_by_sea or tables.across_sea[target] & tables.starts_by_sea != 0
    return -tables.pairs[pair, at.COST_SAME_COAST] if is_by_sea else 0


@kernel
def best_origin(tables: Any, state: Any, seat: int, pair: int, target: int) -> tuple[int, int, int]:
    """Return the origin that saves most, its link and the saving; (-1, ENTRY, saving) for an entry.

    One origin counts, discounts of two origins are never added (the cost names the province the attack comes from).
    Where a border and the sea join two provinces the better link counts, or the border, as ``both_links`` says.
    """
    own = state.active[seat]
    if own == 0:
        return -1, ENTRY, entry_saving(tables, pair, target)
    origins = own & tables.bordering[target]
    best, best_link, best_saving = -1, ENTRY, -(2**30)
    if tables.pairs[pair, at.COST_SAME_COAST] == 0:
        if origins:
            best, best_link, best_saving = lowest(origins), BORDER, 0
        origins &= tables.terrain_set[MOUNTAIN] | state.forts  # no other origin saves anything
    while origins:
        origin = lowest(origins)
        origins &= origins - 1
        saving = origin_saving(tables, state, pair, origin, target, BORDER)
        if saving > best_saving:
            best, best_link, best_saving = origin, BORDER, saving
    if tables.pairs[pair, at.ASTRONOMY]:
        origins = own & tables.across_sea[target]
        if tables.both_links == 1:
            origins &= ~tables.bordering[target]
        while origins:
            origin = lowest(origins)
            origins &= origins - 1
            saving = origin_saving(tables, state, pair, origin, target, SEA)
            if saving > best_saving:
                best, best_link, best_saving = origin, SEA, saving
            if tables.mountain_over_sea == 0:
                break  # over sea all origins save the same
    return best, best_link, best_saving


@kernel
def conquest_cost(tables: Any, state: Any, seat: int, target: int) -> int:
    """Return the tokens a normal conquest takes: terrain, defenders and modifiers, never below the edition's floor."""
    pair = pair_of(tables, state, seat)
    return cost_with_saving(tables, state, pair, target, best_origin(tables, state, seat, pair, target)[2])


@kernel(inner=True)
def cost_with_saving(tables: Any, state: Any, pair: int, target: int, saving: int) -> int:
    """Return the cost of a normal conquest whose origin saves a number of tokens."""
    terrain = tables.terrain[target]
    cost = tables.base_cost[terrain] + state.tokens[target] + defence_of(tables, state, target)
    if contains(state.forts, target):
        cost += tables.fort_defence
    cost += tables.pairs[pair, at.COST_ANY] + terrain_modifier(tables, pair, terrain)
    if contains(tables.water, target):
        cost += tables.pairs[pair, at.COST_WATER]
    return max(tables.cost_floor, cost - saving)


@kernel(inner=True)
def can_hold_one_more(state: Any, seat: int) -> bool:
    """Return whether the lasting tokens suffice for one province more than the empire has."""
    return count(state.active[seat]) + 1 <= lasting_tokens(state, seat) - state.temporary


@kernel(inner=True)
def can_conquer(tables: Any, state: Any, seat: int, target: int) -> bool:
    """Return whether the tokens in hand pay for a normal conquest of a province in reach."""
    cost = conquest_cost(tables, state, seat, target)
    if cost == 0 and tables.zero_cost_must_hold == 1 and not can_hold_one_more(state, seat):
        return False
    return cost <= state.hand[seat]


@kernel(inner=True)
def can_spy(tables: Any, state: Any, seat: int) -> bool:
    """Return whether Espionage can be used now: a flat price, once a turn per tile (tile text)."""
    if state.spies_left == 0 or state.hand[seat] < tables.spy_cost:
        return False
    if tables.spy_cost == 0 and tables.zero_cost_must_hold == 1 and not can_hold_one_more(state, seat):
        return False
    return state.active[seat] != 0 or tables.spy_on_entry == 0


@kernel(inner=True)
def can_conquer_anything(tables: Any, state: Any, seat: int) -> bool:
    """Return whether any conquest is legal."""
    targets = reachable(tables, state, seat)
    if targets != 0 and can_spy(tables, state, seat):
        return True
    while targets:
        if can_conquer(tables, state, seat, lowest(targets)):
            return True
        targets &= targets - 1
    return False
