"""Vinci: what a conquest does, what an empire earns, what a decline leaves, and how the tray is filled.

Functions stand in the order of the rulebook; places are cited as in ``rules_cost``.
"""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.bits import contains, count, grow, lowest, member
from vinci_lab.engine.chance import FIRST_PURPOSE_OF_A_GAME, word
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.records import emit
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules_cost import (
    best_origin,
    cost_with_saving,
    defence_of,
    height_discounts,
    lasting_tokens,
    old_bonus,
    old_owner_of,
    owner_of,
    pair_of,
    terrain_modifier,
    trait,
)
from vinci_lab.games.vinci.rules_layout import (
    BORDER,
    E_CONQUEST,
    E_CONTACT,
    E_DECLINE,
    E_LOSS,
    E_RETURNED,
    E_SCORED,
    E_WIPED_OUT,
    FIRST_BONUS,
    KINDS,
    LAST_BONUS,
    R_CONQUESTS,
    R_CONTACT,
    R_KILLED,
    SEA,
    TERRAINS,
    VP_WATER_HALVES,
)

PURPOSE_BAG = FIRST_PURPOSE_OF_A_GAME


# Effects of a conquest ----------------------------------------------------------------------------------------------


@kernel(inner=True)
def clear_province(state: Any, province: int) -> None:
    """Leave a province truly empty: no token, no fort, no owner."""
    kept = ~member(province)
    state.tokens[province] = 0
    state.forts &= kept
    state.neutral &= kept
    for seat in range(state.seats):
        state.active[seat] &= kept
        state.decline[seat] &= kept


@kernel(inner=True)
def lose_province(tables: Any, state: Any, owner: int, province: int, events: Any) -> None:
    """Take a province from an active empire: one token is lost, the others wait in the owner's hand.

    Rulebook, "Expanding an Empire". With ``zero_token_rule = auto`` an empire without any token left loses its older
    empire at once, and its next turn is a turn of decline (Rulebook, "Decline of an Empire", special case); its tiles
    stay with it until then.
    """
    tokens = state.tokens[province]
    lost = min(1, tokens)
    state.hand[owner] += tokens - lost
    state.tokens_lost[owner] += lost
    clear_province(state, province)
    emit(events, E_LOSS, (owner, province, lost, tokens - lost))
    if tables.zero_token_rule == 1 and state.active[owner] == 0 and state.hand[owner] == 0:
        state.is_wiped_out[owner] = 1
        remove_old_empire(tables, state, owner, events)
        emit(events, E_WIPED_OUT, (owner,))


@kernel(inner=True)
def lose_contact(tables: Any, state: Any, seat: int, province: int, events: Any) -> None:
    """Empty the seat's own declining provinces that border a conquered one, unless Heritage allows it.

    Rulebook, "Decline of an Empire"; Clarification 11 (at once); Errata 5 (only the active civilization's Heritage).
    Borders count, sea zones do not (tile text, Astronomy).
    """
    if trait(tables, state, seat, at.HERITAGE):
        return
    touched = state.decline[seat] & tables.bordering[province]
    while touched:
        old = lowest(touched)
        touched &= touched - 1
        clear_province(state, old)
        state.live[R_CONTACT] += 1
        emit(events, E_CONTACT, (seat, old))


@kernel(inner=True)
def emit_conquest(
    tables: Any,
    state: Any,
    seat: int,
    province: int,
    origin: int,
    link: int,
    saving: int,
    is_spy: int,
    cost: int,
    events: Any,
) -> None:
    """Write the conquest event with every part of its cost, before the board changes."""
    owner, old_owner, pair = owner_of(state, province), old_owner_of(state, province), pair_of(tables, state, seat)
    terrain = tables.terrain[province]
    mountain, fort, coast = 0, 0, 0
    if link == BORDER or (link == SEA and tables.mountain_over_sea == 1):
        mountain, fort = height_discounts(tables, state, origin)
    coast = saving - mountain - fort
    emit(
        events,
        E_CONQUEST,
        (
            seat,
            province,
            max(owner, old_owner),
            1 if old_owner >= 0 else 0,
            origin,
            link,
            tables.base_cost[terrain],
            state.tokens[province],
            tables.fort_defence if contains(state.forts, province) else 0,
            defence_of(tables, state, province),
            trait(tables, state, seat, at.COST_ANY),
            terrain_modifier(tables, pair, terrain),
            trait(tables, state, seat, at.COST_WATER) if contains(tables.water, province) else 0,
            -mountain,
            -fort,
            -coast,
            is_spy,
            cost,
        ),
    )


@kernel(inner=True)
def conquer(tables: Any, state: Any, seat: int, province: int, is_spy: int, events: Any) -> None:
    """Conquer a province: pay its cost onto it, remove one defender, and break contact with the own declining empire.

    A conquest that costs nothing leaves the province empty but the conqueror's until reorganization (Rulebook,
    "Expanding an Empire", special case). The attacker loses nothing.
    """
    pair = pair_of(tables, state, seat)
    origin, link, saving = best_origin(tables, state, seat, pair, province)
    cost = tables.spy_cost if is_spy else cost_with_saving(tables, state, pair, province, saving)
    if events.is_on:
        emit_conquest(tables, state, seat, province, origin, link, saving, is_spy, cost, events)
    owner, old_owner = owner_of(state, province), old_owner_of(state, province)
    beaten = min(1, state.tokens[province])
    state.defeated += beaten
    if old_owner != seat:
        state.live[R_KILLED] += beaten
    if owner >= 0:
        lose_province(tables, state, owner, province, events)
    else:
        clear_province(state, province)
    state.hand[seat] -= cost
    state.tokens[province] = cost
    state.active[seat] |= member(province)
    state.is_entered[seat] = 1
    state.live[R_CONQUESTS] += 1
    if is_spy:
        state.spies_left -= 1
    lose_contact(tables, state, seat, province, events)


# Cohesion (Rulebook, "Cohesion of an Empire") -----------------------------------------------------------------------


@kernel
def part_of(tables: Any, state: Any, seat: int, province: int, within: int) -> int:
    """Return the connected part of ``within`` that holds a province; Astronomy also connects over the sea."""
    if trait(tables, state, seat, at.ASTRONOMY):
        return grow(member(province), within, tables.linked)
    return grow(member(province), within, tables.bordering)


@kernel
def is_one_piece(tables: Any, state: Any, seat: int, provinces: int) -> bool:
    """Return whether a set of the seat's provinces satisfies cohesion.

    Messages lifts the rule (tile text), and it does not bind automata ("Solitaire and Two-Player Game", Cohesion).
    """
    if provinces == 0 or contains(tables.automata, seat) or trait(tables, state, seat, at.MESSAGES):
        return True
    return part_of(tables, state, seat, lowest(provinces), provinces) == provinces


@kernel
def parts_to_keep(tables: Any, state: Any, seat: int) -> int:
    """Return the lowest province of each part that may be kept; of the largest parts only if the option says so."""
    rest = state.active[seat]
    choices, largest = 0, 0
    while rest:
        part = part_of(tables, state, seat, lowest(rest), rest)
        size = count(part)
        if tables.cohesion_keep == 1 and size > largest:
            choices, largest = 0, size
        if size >= largest:
            choices |= member(lowest(part))
        rest &= ~part
    return choices


@kernel
def droppable(tables: Any, state: Any, seat: int) -> int:
    """Return the kept provinces that may be given up for want of tokens without breaking cohesion (Errata 3)."""
    choices = 0
    rest = state.kept
    while rest:
        province = lowest(rest)
        rest &= rest - 1
        if is_one_piece(tables, state, seat, state.kept & ~member(province)):
            choices |= member(province)
    return choices


# Points (Rulebook, "Victory Points") --------------------------------------------------------------------------------


@kernel(inner=True)
def base_points(tables: Any, provinces: int) -> int:
    """Return the points of provinces by terrain alone: 1 each, mountains nothing."""
    points = 0
    for terrain in range(TERRAINS):
        points += tables.base_points[terrain] * count(provinces & tables.terrain_set[terrain])
    return points


@kernel(inner=True)
def bonus_points(tables: Any, provinces: int, column: int, value: int) -> int:
    """Return the points of one bonus column; half points are summed, then rounded down."""
    points = value * count(provinces & tables.matching[column])
    return points // 2 if column == VP_WATER_HALVES else points


@kernel
def province_halves(tables: Any, state: Any, seat: int, province: int) -> int:
    """Return the half points one province earns the seat's active civilization a turn."""
    return tables.pair_halves[pair_of(tables, state, seat), province]


@kernel
def old_province_halves(tables: Any, state: Any, seat: int, province: int) -> int:
    """Return the half points one province earns the seat's empire in decline a turn."""
    bonus = 0
    for place in range(2):
        copy = state.old_tile[seat, place]
        if copy >= 0:
            bonus += tables.bonus_halves[tables.kind_of[copy], province]
    return 2 * tables.base_points[tables.terrain[province]] + bonus * state.old_doubling[seat]


@kernel
def active_points(tables: Any, state: Any, seat: int) -> int:
    """Return the points the seat's active provinces would score now, kills aside."""
    own, pair = state.active[seat], pair_of(tables, state, seat)
    points = base_points(tables, own)
    for column in range(FIRST_BONUS, LAST_BONUS + 1):
        value = tables.pairs[pair, column]
        if value:
            points += bonus_points(tables, own, column, value)
    return points


@kernel
def decline_bonus(tables: Any, state: Any, seat: int) -> int:
    """Return the points that tiles with the broken column still give an empire in decline."""
    points = 0
    if state.old_tile[seat, 0] >= 0 or state.old_tile[seat, 1] >= 0:
        for column in range(FIRST_BONUS, LAST_BONUS + 1):
            points += bonus_points(tables, state.decline[seat], column, old_bonus(tables, state, seat, column))
    return points


@kernel
def decline_points(tables: Any, state: Any, seat: int) -> int:
    """Return the points the seat's empire in decline would score now."""
    return base_points(tables, state.decline[seat]) + decline_bonus(tables, state, seat)


@kernel(inner=True)
def emit_scored(tables: Any, state: Any, seat: int, kills: int, total: int, events: Any) -> None:
    """Write the points of a turn with their parts."""
    own, old = state.active[seat], state.decline[seat]
    emit(
        events,
        E_SCORED,
        (
            seat,
            base_points(tables, own),
            bonus_points(tables, own, at.VP_PROVINCE, trait(tables, state, seat, at.VP_PROVINCE)),
            bonus_points(tables, own, at.VP_FARMLAND, trait(tables, state, seat, at.VP_FARMLAND)),
            bonus_points(tables, own, at.VP_PASTURE, trait(tables, state, seat, at.VP_PASTURE)),
            bonus_points(tables, own, at.VP_MINE, trait(tables, state, seat, at.VP_MINE)),
            bonus_points(tables, own, at.VP_PORT, trait(tables, state, seat, at.VP_PORT)),
            bonus_points(tables, own, at.VP_MOUNTAIN, trait(tables, state, seat, at.VP_MOUNTAIN)),
            bonus_points(tables, own, at.VP_DESERT, trait(tables, state, seat, at.VP_DESERT)),
            bonus_points(tables, own, at.VP_WATER_HALVES, trait(tables, state, seat, at.VP_WATER_HALVES)),
            kills,
            base_points(tables, old),
            decline_bonus(tables, state, seat),
            total,
        ),
    )


# Decline (Rulebook, "Decline of an Empire"; Errata 5; Clarifications 9 and 10) --------------------------------------


@kernel(inner=True)
def return_tile(tables: Any, state: Any, copy: int, events: Any) -> None:
    """Put a tile back into the bag, now or (``return_before_draw = no``) after the next refill."""
    if tables.return_before_draw == 0:
        put_into_bag(tables, state, copy, events)
    else:
        state.unreturned |= member(copy)


@kernel(inner=True)
def put_into_bag(tables: Any, state: Any, copy: int, events: Any) -> None:
    """Put a tile into the bag with a new place in the order of drawing."""
    state.bag |= member(copy)
    state.entries[copy] += 1
    emit(events, E_RETURNED, (copy, tables.kind_of[copy]))


@kernel
def remove_old_empire(tables: Any, state: Any, seat: int, events: Any) -> int:
    """Take the seat's empire in decline off the board, its last tiles go to the bag; return its provinces' number."""
    removed = count(state.decline[seat])
    while state.decline[seat]:
        clear_province(state, lowest(state.decline[seat]))
    for place in range(2):
        if state.old_tile[seat, place] >= 0:
            return_tile(tables, state, state.old_tile[seat, place], events)
            state.old_tile[seat, place] = -1
    state.old_doubling[seat] = 1
    return removed


@kernel
def fall_into_decline(tables: Any, state: Any, seat: int, events: Any) -> None:
    """Put the active empire into decline: one token per province stays, the older empire goes, forts stay.

    Tiles with the broken column stay with it, the others go back to the bag. Peace named by the seat ends.
    """
    old_provinces = remove_old_empire(tables, state, seat, events)
    before = lasting_tokens(state, seat)
    provinces = state.active[seat]
    state.decline[seat] = provinces
    state.active[seat] = 0
    state.hand[seat] = 0
    state.peace[seat] = 0
    state.is_entered[seat] = 0
    state.is_wiped_out[seat] = 0
    emit(events, E_DECLINE, (seat, count(provinces), before - count(provinces), old_provinces))
    while provinces:
        state.tokens[lowest(provinces)] = 1
        provinces &= provinces - 1
    specialized = trait(tables, state, seat, at.SPECIALIZATION)
    if specialized and tables.specialization_doubles_decline == 1:
        state.old_doubling[seat] = 2
    for place in range(2):
        copy = state.tile[seat, place]
        state.tile[seat, place] = -1
        if copy < 0:
            continue
        if tables.tiles[tables.kind_of[copy], at.LASTS_IN_DECLINE]:
            state.old_tile[seat, place] = copy
        else:
            return_tile(tables, state, copy, events)


# The tray and the bag (Rulebook, "Setting Up"; Errata 6) ------------------------------------------------------------


@kernel
def pairs_on_tray(state: Any) -> int:
    """Return the number of complete pairs; they fill the tray from the left."""
    number = 0
    while number < at.SLOTS and state.tray[number, 1] >= 0:
        number += 1
    return number


@kernel
def price_of(tables: Any, slot: int) -> int:
    """Return what the pair in a slot costs: a fixed price for each pair passed over."""
    return slot * tables.price_per_skip


@kernel
def can_afford(tables: Any, state: Any, seat: int, slot: int) -> bool:
    """Return whether the score pays for a slot: beforehand, with its coins, or on debt, as ``price_rule`` says.

    The first pair is free for everybody, and the only one for an automaton ("Solitaire and Two-Player Game", Choosing).
    """
    if slot == 0 or contains(tables.automata, seat) or tables.price_rule == at.DEALT:
        return slot == 0
    funds = state.score[seat]
    if tables.price_rule == 1:
        funds += state.coins[slot] * tables.coin_value
    return tables.price_rule == 2 or price_of(tables, slot) <= funds


@kernel
def tokens_of_pair(tables: Any, seat: int, first: int, second: int) -> int:
    """Return the tokens a pair of tile copies brings a seat: red numbers and a bonus.

    The bonus depends on the number of players, and is another for automata ("Solitaire and Two-Player Game").
    """
    bonus = tables.automaton_token_bonus if contains(tables.automata, seat) else tables.token_bonus
    return tables.pairs[tables.kind_of[first] * KINDS + tables.kind_of[second], at.TOKENS] + bonus


@kernel(inner=True)
def draws_so_far(tables: Any, state: Any) -> int:
    """Return how many tiles have been drawn: those that came back, and those that are out."""
    draws = tables.copies - count(state.bag)
    for copy in range(tables.copies):
        draws += state.entries[copy]
    return draws


@kernel(inner=True)
def first_in_order(tables: Any, state: Any, key: int, kind: int) -> int:
    """Return the copy in the bag that is drawn first, of one kind or (``kind = -1``) of all; -1 if there is none.

    A copy gets a random number each time it enters the bag, and the lowest is drawn: other tiles keep their order when
    one comes or goes. When pairs are dealt, all copies get new numbers for every draw, so that each is as likely.
    """
    best, best_order = -1, 0
    draws = draws_so_far(tables, state)
    rest = state.bag
    while rest:
        copy = lowest(rest)
        rest &= rest - 1
        if kind < 0 or tables.kind_of[copy] == kind:
            times = draws if tables.price_rule == at.DEALT else state.entries[copy]
            order = word(key, PURPOSE_BAG, copy, times)
            if best < 0 or order < best_order:
                best, best_order = copy, order
    return best


@kernel(inner=True)
def is_double_specialization(tables: Any, state: Any, slot: int) -> bool:
    """Return whether both tiles of a slot are Specialization, which has nothing to double (Errata 6)."""
    first, second = state.tray[slot, 0], state.tray[slot, 1]
    if first < 0 or second < 0:
        return False
    return (
        tables.tiles[tables.kind_of[first], at.SPECIALIZATION] == 1
        and tables.tiles[tables.kind_of[second], at.SPECIALIZATION] == 1
    )
