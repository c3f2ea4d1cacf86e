"""What the referee of ``file_referee`` reads in the header of a transcript: map, tiles, and printed numbers."""

from collections import Counter
from typing import Any

Civ = dict[str, int]
READINGS = """
price_rule=prepay drop_tokens_lost=no survivors_first=no decline_first_turn=no return_before_draw=yes peace_optional=no
keep_all_possible=yes mountain_over_sea=no fort_mountain_stack=yes fort_limit=none same_coast=water_body teleport=yes
both_links=best ship_on_entry=no astronomy_entry=linked_zones own_decline_target=yes rebirth_start_too=no must_enter=no
specialization_doubles_decline=no spy_on_entry=yes decline_unentered=yes threshold_rule=sticky tiebreak=shared
zero_cost_must_hold=no cohesion_keep=choice survivors=choice
"""
DEFAULTS = dict(reading.split("=") for reading in READINGS.split())
FLAGS = (
    *("lasts_in_decline", "astronomy", "messages", "heritage", "rebirth", "revolutionaries", "specialization"),
    *("nomads", "warships", "philosophy", "hordes"),
)
TEXTS = ("number", "title", "color", "confidence", "reason", "tokens_low", "tokens_high", "copies")
OPEN_GROUND = ("normal", "farmland", "pasture")
COUNTED = ("farmland", "pasture", "mine", "port", "mountain", "desert")


class Foul(Exception):
    """Something in a transcript that the rules do not allow."""


class Board:
    """The map and the tiles of a header."""

    def __init__(self, header: dict[str, Any]) -> None:
        self.rules = header["rules"]
        self.numbers, self.options = self.rules["rules"], self.rules["options"]
        board = self.rules["map"]
        names = sorted(board["provinces"], key=lambda name: int(board["provinces"][name]["id"]))
        self.names, self.rows = names, [board["provinces"][name] for name in names]
        self.provinces = range(len(names))
        self.borders: list[set[int]] = [set() for _ in names]
        for border in board["borders"]:
            one, other = names.index(border["a"]), names.index(border["b"])
            self.borders[one].add(other)
            self.borders[other].add(one)
        zones = board["zones"]
        sea_parts = {zone: {zone} for zone in zones}
        open_links = board["optional_links"] if self.options["black_sea_linked"] == "yes" else []
        for one, other in [*board["links"], *open_links]:
            together = sea_parts[one] | sea_parts[other]
            sea_parts.update(dict.fromkeys(together, together))
        edge = {zone for zone in zones if zones[zone]["touches_edge"]}
        seas = [set(row["seas"]) for row in self.rows]
        reached = [set().union(*(sea_parts[zone] for zone in sea)) for sea in seas]
        shores = [{zones[zone]["water_body"] for zone in sea} for sea in seas]
        others = [[other for other in self.provinces if other != place] for place in self.provinces]
        self.over_sea = [{other for other in others[place] if reached[place] & seas[other]} for place in self.provinces]
        self.same_shore = [
            {other for other in others[place] if shores[place] & shores[other]} for place in self.provinces
        ]
        self.water = {place for place in self.provinces if seas[place] or self.rows[place]["other_water"]}
        self.entries = {place for place in self.provinces if seas[place] & edge or self.rows[place]["land_edge"]}
        self.entries_by_ship = self.entries | {place for place in self.provinces if reached[place] & edge}
        self.tiles = sorted(self.rules["tiles"].values(), key=lambda tile: int(tile["number"]))
        self.columns = [column for column in self.tiles[0] if column not in TEXTS]
        self.kind_of = [kind for kind, tile in enumerate(self.tiles) for _ in range(tile["copies"])]

    def civ(self, kinds: tuple[int, ...]) -> Civ:
        """Return the sum of two tiles; Specialization doubles the other; what is only there or not stays 0 or 1."""
        if not kinds:
            return dict.fromkeys(self.columns, 0)
        first, second = (self.tiles[kind] for kind in kinds)
        if first["specialization"] and second["specialization"]:
            return {column: max(first[column], second[column]) for column in self.columns}
        total = {
            column: first[column] * (1 + second["specialization"]) + second[column] * (1 + first["specialization"])
            for column in self.columns
        }
        return total | {flag: max(first[flag], second[flag]) for flag in FLAGS}

    def terrain_cost(self, civ: Civ, place: int) -> int:
        """Return what the tiles change in the cost of a terrain."""
        terrain = self.rows[place]["terrain"]
        return civ["cost_open"] if terrain in OPEN_GROUND else civ.get(f"cost_{terrain}", 0)

    def bonus(self, land: set[int], civ: Civ) -> dict[str, int]:
        """Return the points by tiles for provinces."""
        terrains = Counter(self.rows[place]["terrain"] for place in land)
        counts = {name: terrains[name] for name in COUNTED}
        counts |= {name: sum(bool(self.rows[place][name]) for place in land) for name in ("mine", "port")}
        points = {name: civ[f"vp_{name}"] * number for name, number in counts.items()}
        points["province"] = civ["vp_province"] * (len(land) - terrains["river"])
        points["water"] = civ["vp_water_halves"] * len(land & self.water) // 2
        return points

    def tile(self, copy: int) -> str:
        """Return a tile as positions write it."""
        return f"{self.tiles[self.kind_of[copy]]['title']}#{copy}"

    def pair(self, copies: list[int]) -> str:
        """Return two tiles as positions write them."""
        return " + ".join([*map(self.tile, copies), "none", "none"][:2])

    def ground(self, land: set[int]) -> int:
        """Return the points of the provinces themselves."""
        return sum(self.numbers["base_points"][self.rows[place]["terrain"]] for place in land)

    def part(self, start: int, land: set[int], has_astronomy: bool) -> set[int]:
        """Return the connected part of some provinces around one."""
        found, edge = set[int](), {start}
        while edge:
            found |= edge
            near = set().union(
                *(self.borders[place] | (self.over_sea[place] if has_astronomy else set()) for place in edge)
            )
            edge = (near & land) - found
        return found


class Seat:
    """What a seat has."""

    def __init__(self, score: int) -> None:
        self.score, self.earned, self.paid, self.received = score, 0, 0, 0
        self.hand, self.turns, self.is_wiped_out = 0, 0, False
        self.tiles: list[int] = []  # copies of the active civilization
        self.old_tiles: list[int] = []
        self.active: set[int] = set()
        self.decline: set[int] = set()
        self.peace: set[int] = set()


def listed(items: Any) -> str:
    """Return a list as positions write it."""
    return ", ".join(items) or "none"


def read_blocks(text: str) -> dict[str, dict[str, str]]:
    """Return the lines of a position by block and key; folded lines are joined."""
    blocks: dict[str, dict[str, str]] = {"": {}}
    block = last = ""
    for row in text.splitlines():
        key, colon, value = row.partition(": ")
        if row.startswith("    "):
            blocks[block][last] += " " + row.strip()
        elif colon:
            last = key.strip()
            blocks[block][last] = value
        elif row:
            block = row
            blocks[block] = {}
    return blocks


def same(what: str, written: object, right: object) -> None:
    """Raise unless two things are equal."""
    if written != right:
        raise Foul(f"{what}: {written} is written, it is {right}")
