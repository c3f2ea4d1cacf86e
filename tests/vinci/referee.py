"""A second reading of the rules in plain Python, for checking the compiled one: reach, cost, points, connection.

Nothing here is shared with the rules but the layouts and the printed tables. Sets of provinces are Python sets.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vinci_lab.games.vinci import rules_layout as layout

Civ = dict[str, int]
FLAGS = layout.MODIFIER_NAMES[layout.FIRST_FLAG :]
BONUSES = layout.MODIFIER_NAMES[layout.FIRST_BONUS : layout.LAST_BONUS + 1]


def members(number: int) -> set[int]:
    """Return the members of a set kept as bits."""
    number = int(number)
    return {place for place in range(number.bit_length()) if number >> place & 1}


class Referee:
    """The rules of cost, reach and points for one ruleset."""

    def __init__(self, tables: Any) -> None:
        self.tables = tables
        self.provinces = range(int(tables.provinces))
        self.neighbours = [members(tables.bordering[p]) for p in self.provinces]
        self.over_sea = [members(tables.across_sea[p]) for p in self.provinces]
        self.shore = [members(tables.same_shore[p]) for p in self.provinces]

    def option(self, name: str) -> str:
        """Return the reading in force."""
        return layout.OPTIONS[name][int(self.tables[name])]

    # civilizations --------------------------------------------------------------------------------------------------
    def row(self, copy: int) -> Civ:
        """Return the modifiers of one tile."""
        if copy < 0:
            return dict.fromkeys(layout.MODIFIER_NAMES, 0)
        numbers = self.tables.tiles[self.tables.kind_of[copy]]
        return {name: int(number) for name, number in zip(layout.MODIFIER_NAMES, numbers, strict=True)}

    def civ(self, copies: Iterable[int]) -> Civ:
        """Return a civilization: the sum of its tiles; Specialization doubles the numbers of the other tile."""
        first, second = (self.row(int(copy)) for copy in copies)
        if second["specialization"]:
            first, second = second, first
        factor = 2 if first["specialization"] else 1
        total = {name: first[name] + factor * second[name] for name in layout.MODIFIER_NAMES}
        for flag in FLAGS:
            total[flag] = int(bool(first[flag] or second[flag]))
        if factor == 2:
            total["tokens"] = 2 * second["tokens"] + 1
        return total

    def civ_of(self, state: Any, seat: int) -> Civ:
        """Return the active civilization of a seat."""
        return self.civ(state.tile[seat])

    # the map --------------------------------------------------------------------------------------------------------
    def parts(self, land: set[int], has_astronomy: bool) -> list[set[int]]:
        """Return the connected parts of some provinces."""
        left, found = set(land), []
        while left:
            part, edge = set(), {min(left)}
            while edge:
                part |= edge
                around = set().union(*(self.neighbours[p] for p in edge))
                if has_astronomy:
                    around |= set().union(*(self.over_sea[p] for p in edge))
                edge = (around & left) - part
            found.append(part)
            left -= part
        return found

    def holder(self, state: Any, place: int) -> tuple[str, int]:
        """Return who holds a province: (active, seat), (decline, seat), (neutral, -1) or (empty, -1)."""
        for seat in range(int(state.seats)):
            if int(state.active[seat]) >> place & 1:
                return "active", seat
            if int(state.decline[seat]) >> place & 1:
                return "decline", seat
        return ("neutral" if int(state.neutral) >> place & 1 else "empty"), -1

    def are_at_peace(self, state: Any, one: int, other: int) -> bool:
        """Return whether one of two seats has named the other."""
        return bool(int(state.peace[one]) >> other & 1 or int(state.peace[other]) >> one & 1)

    def enters_by_linked_zones(self, civ: Civ) -> bool:
        """Return whether an entry may cross several sea zones."""
        return bool(civ["astronomy"]) and self.option("astronomy_entry") == "linked_zones"

    def reach(self, state: Any, seat: int) -> set[int]:
        """Return the provinces a seat may conquer, cost aside."""
        own, civ = members(state.active[seat]), self.civ_of(state, seat)
        if own:
            near = set().union(*(self.neighbours[p] for p in own))
            if civ["astronomy"]:
                near |= set().union(*(self.over_sea[p] for p in own))
        elif civ["revolutionaries"]:
            near = set(self.provinces)
        else:
            near = members(self.tables.starts)
            if self.enters_by_linked_zones(civ):
                near |= members(self.tables.starts_astronomy)
        reading = self.option("own_decline_target")
        spares_decline = reading == "no" or (reading == "heritage" and not civ["heritage"])
        found = set()
        for place in near - own:
            kind, owner = self.holder(state, place)
            at_peace = kind == "active" and self.are_at_peace(state, seat, owner)
            if not at_peace and not (kind == "decline" and owner == seat and spares_decline):
                found.add(place)
        return found

    # cost -----------------------------------------------------------------------------------------------------------
    def discount(self, state: Any, civ: Civ, origin: int, target: int) -> int:
        """Return the best sum of the terms that depend on one origin; 0 or less."""
        on_mountain = self.tables.terrain[origin] == layout.MOUNTAIN
        on_fort = int(state.forts) >> origin & 1
        ground = [int(self.tables.mountain_discount)] * bool(on_mountain) + [int(self.tables.fort_discount)] * on_fort
        stacked = sum(ground) if self.option("fort_mountain_stack") == "yes" else max(ground, default=0)
        found = []
        if target in self.neighbours[origin]:
            found.append(-stacked + (civ["cost_same_coast"] if target in self.shore[origin] else 0))
        is_sea_open = self.option("both_links") == "best" or not found
        if civ["astronomy"] and target in self.over_sea[origin] and is_sea_open:
            found.append(civ["cost_same_coast"] - (stacked if self.option("mountain_over_sea") == "yes" else 0))
        return min(found)

    def origins(self, state: Any, civ: Civ, seat: int, target: int) -> set[int]:
        """Return the own provinces a target can be attacked from."""
        near = self.neighbours[target] | (self.over_sea[target] if civ["astronomy"] else set())
        return members(state.active[seat]) & near

    def cost(self, state: Any, seat: int, target: int) -> int:
        """Return the tokens of a normal conquest from the best origin."""
        civ, terrain = self.civ_of(state, seat), layout.TERRAIN_NAMES[self.tables.terrain[target]]
        total = int(self.tables.base_cost[self.tables.terrain[target]]) + int(state.tokens[target])
        total += int(self.tables.fort_defence) * (int(state.forts) >> target & 1)
        kind, owner = self.holder(state, target)
        if kind == "active":
            total += self.civ_of(state, owner)["defence"]
        total += civ["cost_any"]
        total += civ.get(f"cost_{terrain}", 0)
        total += civ["cost_open"] if terrain in ("normal", "farmland", "pasture") else 0
        total += civ["cost_water"] if int(self.tables.water) >> target & 1 else 0
        origins = self.origins(state, civ, seat, target)
        if origins:
            total += min(self.discount(state, civ, origin, target) for origin in origins)
        elif self.option("ship_on_entry") == "yes":
            by_sea = members(self.tables.starts_by_sea)
            if self.enters_by_linked_zones(civ):
                by_sea |= members(self.tables.coastal)
            total += civ["cost_same_coast"] if target in by_sea else 0
        return max(int(self.tables.cost_floor), total)

    # points ---------------------------------------------------------------------------------------------------------
    def bonus(self, land: set[int], civ: Civ) -> int:
        """Return the points the bonus columns give for provinces held."""
        total = 0
        for column, name in enumerate(layout.MODIFIER_NAMES):
            if name in BONUSES and civ[name]:
                number = len(land & members(self.tables.matching[column]))
                total += civ[name] * number // 2 if name == "vp_water_halves" else civ[name] * number
        return total

    def ground(self, land: set[int]) -> int:
        """Return the points of the provinces themselves."""
        return sum(int(self.tables.base_points[self.tables.terrain[p]]) for p in land)

    def active_points(self, state: Any, seat: int) -> int:
        """Return what the active empire scores, kills aside."""
        land = members(state.active[seat])
        return self.ground(land) + self.bonus(land, self.civ_of(state, seat))

    def decline_points(self, state: Any, seat: int) -> int:
        """Return what the empire in decline scores: only tiles with a column count, and once unless the option says."""
        land = members(state.decline[seat])
        total = self.ground(land)
        for copy in state.old_tile[seat]:
            row = self.row(int(copy))
            if row["lasts_in_decline"]:
                total += self.bonus(land, row) * int(state.old_doubling[seat])
        return total

    def permanent(self, state: Any, seat: int) -> int:
        """Return a seat's lasting tokens, on the board and off it."""
        total = sum(int(state.tokens[p]) for p in members(state.active[seat])) + int(state.hand[seat])
        return total - (int(state.temporary) if seat == state.turn_seat else 0)
