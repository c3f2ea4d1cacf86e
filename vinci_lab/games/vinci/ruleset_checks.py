"""Vinci: what the content of a ruleset must look like, part by part, and what its parts must be to one another.

Every field's description says what is allowed; messages quote it. Nothing here knows of files: ``Problems`` does.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, Field, create_model

from vinci_lab.datafiles import Place, Problems, check, read_csv, shipped_root, show
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.ruleset_map_checks import check_map
from vinci_lab.games.vinci.ruleset_models import PLAIN, model, one_of, text, whole

PLAYERS = (1, 2, 3, 4, 5, 6)
PER_PLAYERS = {"token_bonus": (0, 40), "victory_threshold": (1, 2000), "automata": (0, at.SEATS - 1)}
FEWEST_SEATS = 2
BAGS = ("first", "second")
COLORS = ("yellow", "pink", "blue")
CONFIDENCES = ("certain", "likely", "reconstructed")
TRAY_TILES = 2 * at.SLOTS
TILES_PER_SEAT = 4  # an active civilization and one in decline
COLUMN_HEADER = (
    "name",
    "meaning",
    "unit",
    "lowest",
    "highest",
    "doubled_by_specialization",
    "in_decline",
    "editions",
)


class Content(BaseModel):
    """The whole content: who plays what, and its five parts."""

    model_config = PLAIN
    game: str = one_of(("vinci",))
    edition: str = text(40)
    players: int = whole(PLAYERS[0], PLAYERS[-1])
    bag: str = one_of(BAGS)
    title: str = text(80)
    rules: dict[str, Any] = Field(description="a table of numbers")
    options: dict[str, Any] = Field(description="a table of options")
    provenance: dict[str, Any] = Field(description="a table of provenances")
    tiles: dict[str, Any] = Field(description="a table of tiles")
    map: dict[str, Any] = Field(description="a map")


class Numbers(BaseModel):
    """The numbers of the edition; see ``data/vinci/tabletop/rules.toml``."""

    model_config = PLAIN
    start_score: int = whole(0, 1000)
    price_per_skip: int = whole(0, 50)
    coin_value: int = whole(0, 50)
    token_bonus: int = whole(*PER_PLAYERS["token_bonus"])
    victory_threshold: int = whole(*PER_PLAYERS["victory_threshold"])
    rounds_limit: int = whole(0, 400)
    stall_rounds: int = whole(1, 400)
    cost_floor: int = whole(0, 10)
    spy_cost: int = whole(0, 10)
    mountain_discount: int = whole(0, 10)
    fort_discount: int = whole(0, 10)
    fort_defence: int = whole(0, 10)
    brown_tokens: int = whole(0, 500)
    automata: int = whole(*PER_PLAYERS["automata"])
    automaton_start_score: int = whole(0, 1000)
    automaton_token_bonus: int = whole(0, 40)
    automaton_decline_points: int = whole(0, 100)
    automaton_decline_tokens: int = whole(0, 100)
    automaton_general_tokens: int = whole(0, 100)
    automaton_general_die: int = whole(0, 10)
    start_bonus: dict[str, Any] = Field(description="a table of the six places in turn order")
    base_cost: dict[str, Any] = Field(description="a table of the seven terrains")
    base_points: dict[str, Any] = Field(description="a table of the seven terrains")


class Provenance(BaseModel):
    """How sure a number is, and where it is from."""

    model_config = PLAIN
    confidence: str = one_of((*CONFIDENCES, "house"))
    reason: str = text(500)
    low: int | None = Field(default=None, description="a whole number, with high")
    high: int | None = Field(default=None, description="a whole number, with low")


TerrainNumbers = model("TerrainNumbers", int, {name: whole(0, 20) for name in at.TERRAIN_NAMES})
PlaceNumbers = model("PlaceNumbers", int, {name: whole(0, 1000) for name in at.PLACE_NAMES})
Options = model("Options", str, {name: one_of(readings) for name, readings in at.OPTIONS.items()})


@functools.cache
def per_players_model(name: str) -> type[BaseModel]:
    """Return the model of a table with one entry for each number of players."""
    return model("PerPlayers", int, {str(players): whole(*PER_PLAYERS[name]) for players in PLAYERS})


@functools.cache
def columns() -> dict[str, dict[str, str]]:
    """Return the dictionary of modifier columns, ``data/vinci/columns.csv``, by column."""
    problems = Problems()
    file = read_csv(shipped_root() / "vinci" / "columns.csv", "data/vinci/columns.csv", COLUMN_HEADER, problems)
    problems.raise_if_any()
    return {row.cells["name"]: dict(row.cells) for row in (file.rows if file else ())}


@functools.cache
def tile_model() -> type[BaseModel]:
    """Return the model of a tile: its texts and one number per modifier column, within the column's range."""
    numbers = {name: whole(int(row["lowest"]), int(row["highest"])) for name, row in columns().items()}
    fields: dict[str, Any] = {
        "number": (int, whole(1, at.KINDS)),
        "title": (str, text(60)),
        "color": (str, one_of(COLORS)),
        "copies": (int, whole(0, 20)),
        "tokens_low": (int, numbers["tokens"]),
        "tokens_high": (int, numbers["tokens"]),
        "confidence": (str, one_of(CONFIDENCES)),
        "reason": (str, text(500)),
        **{name: (int, numbers[name]) for name in at.MODIFIER_NAMES},
    }
    return create_model("Tile", __config__=PLAIN, **fields)


# The parts and what they are to one another -------------------------------------------------------------------------
def check_content(content: Any, problems: Problems) -> None:
    """Add everything that is wrong with the content of a ruleset to ``problems``."""
    check(Content, content, (), problems)
    parts = content if isinstance(content, Mapping) else {}
    tables = {name: part for name, part in parts.items() if isinstance(part, Mapping)}
    if "rules" in tables:
        check_rules(tables["rules"], problems)
    if "options" in tables:
        check(Options, tables["options"], ("options",), problems)
    if "rules" in tables and "provenance" in tables:
        check_provenance(tables["provenance"], tables["rules"], problems)
    seats = check_seats(parts.get("players"), tables.get("rules", {}).get("automata"), problems)
    if "tiles" in tables:
        check_tiles(tables["tiles"], seats, problems)
    if "map" in tables:
        check_map(tables["map"], problems)


def check_rules(rules: Mapping[str, Any], problems: Problems) -> None:
    """Check the numbers of the edition."""
    check(Numbers, rules, ("rules",), problems)
    for name, numbers in (
        ("start_bonus", PlaceNumbers),
        ("base_cost", TerrainNumbers),
        ("base_points", TerrainNumbers),
    ):
        if isinstance(rules.get(name), Mapping):
            check(numbers, rules[name], ("rules", name), problems)


def check_seats(players: Any, automata: Any, problems: Problems) -> int | None:
    """Return the number of seats on the table, if it is allowed."""
    if players not in PLAYERS or not isinstance(automata, int):
        return None
    if FEWEST_SEATS <= players + automata <= at.SEATS:
        return int(players + automata)
    allowed = f"such a number that {players} players and automata take {FEWEST_SEATS} to {at.SEATS} seats"
    problems.add(("rules", "automata"), f"must be {allowed}, got {automata}")
    return None


def check_provenance(provenance: Mapping[str, Any], rules: Mapping[str, Any], problems: Problems) -> None:
    """Check that every number of the edition says how sure it is, and that nothing else does."""
    known = {name for place in number_places(rules) for name in (place, place.split(".")[0])}
    for name, entry in provenance.items():
        place: Place = ("provenance", name)
        if name not in known:
            problems.add(place, f"must be the name of a number, got {show(name)}")
        if not check(Provenance, entry, place, problems):
            continue
        low, high = entry.get("low"), entry.get("high")
        if entry["confidence"] in ("certain", "house"):
            continue
        if low is None or high is None or low > high:
            problems.add(place, f"must have a low and a high, low first, got {show(low)} and {show(high)}")
    for name in number_places(rules):
        if name not in provenance and name.split(".")[0] not in provenance:
            problems.add(("provenance", name), "is missing; every number must say how sure it is")


def number_places(rules: Mapping[str, Any]) -> Iterator[str]:
    """Yield the dotted places of all numbers of the edition."""
    for name, value in rules.items():
        if isinstance(value, Mapping):
            yield from (f"{name}.{key}" for key in value)
        else:
            yield name


def check_tiles(tiles: Mapping[str, Any], seats: int | None, problems: Problems) -> None:
    """Check each tile, and that the bag can serve the game with a number of seats."""
    valid = {name: tile for name, tile in tiles.items() if check_tile(name, tile, problems)}
    if not 1 <= len(tiles) <= at.KINDS:
        problems.add(("tiles",), f"there must be 1 to {at.KINDS} kinds of tiles, got {len(tiles)}")
        return
    if len(valid) == len(tiles) and sorted(tile["number"] for tile in tiles.values()) != list(range(1, len(tiles) + 1)):
        problems.add(("tiles",), f"the tiles' numbers must run from 1 to {len(tiles)}, each once")
    if len(valid) < len(tiles) or seats is None:
        return
    copies = sum(tile["copies"] for tile in tiles.values())
    fewest = TRAY_TILES + TILES_PER_SEAT * seats + 2  # two may wait to go back while others are drawn
    if not fewest <= copies <= at.COPIES:
        need = f"{TRAY_TILES} for the tray and {TILES_PER_SEAT} for each of {seats} seats and 2 on their way back"
        problems.add(("tiles",), f"the bag must hold {fewest} ({need}) to {at.COPIES} tiles, got {copies}")


def check_tile(name: str, tile: Any, problems: Problems) -> bool:
    """Check one tile; the tabletop rules know only some of the columns."""
    place: Place = ("tiles", name)
    found = len(problems.sentences)
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        problems.add((*place, "name"), f"must be 1 to 40 small letters, digits and underscores, got {show(name)}")
    if not check(tile_model(), tile, place, problems):
        return False
    for column in at.NOT_IN_TABLETOP:
        if value := tile[at.MODIFIER_NAMES[column]]:
            sentence = f"must be 0, got {value}; the tabletop rules have no such effect"
            problems.add((*place, at.MODIFIER_NAMES[column]), sentence)
    if tile["tokens_low"] > tile["tokens_high"]:
        sentence = f"must be at most tokens_high, {tile['tokens_high']}, got {tile['tokens_low']}"
        problems.add((*place, "tokens_low"), sentence)
    return len(problems.sentences) == found
