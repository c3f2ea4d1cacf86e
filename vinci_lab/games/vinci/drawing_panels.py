"""Vinci: what lies beside the board of a drawing: the moment, legend, score track, seats, and tray."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from vinci_lab.engine.bits import count
from vinci_lab.engine.picture import Node, fitting
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.drawing_board import WIDE
from vinci_lab.games.vinci.drawing_style import (
    ANCHOR,
    PICK,
    TERRAIN_GLYPHS,
    TILE_COLORS,
    TOWER,
    add_icon,
    add_marker,
    seat_path,
)
from vinci_lab.games.vinci.ruleset import labels
from vinci_lab.games.vinci.status import turn_order
from vinci_lab.games.vinci.words import SLOT_NAMES, vocabulary

EDGE = 10.0  # pixels left free at the sides
GAP = 7.0
TICKS = tuple(step * 10**power for power in range(1, 19) for step in (1, 2, 5))
MOST_TICKS = 16
PHASE_WORDS = {
    at.START_SEAT: "the starting seat is drawn",
    at.DRAW: "tiles are drawn",
    at.CHOOSE: "chooses a pair",
    at.TURN_START: "plays on or declines",
    at.PEACE: "may name a peace partner",
    at.GATHER: "gathers tokens",
    at.CONQUEST: "conquers",
    at.KEEP: "chooses which part to keep",
    at.DROP: "withdraws tokens",
    at.PLACE: "places tokens",
    at.FORT: "places a fort",
    at.SURVIVORS: "places survivors",
    at.REBIRTH_CHOICE: "may call a rebirth",
    at.NEXT_SEAT: "the turn ends",
    at.OVER: "the game is over",
}
ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th")
BY_CHANCE = (at.START_SEAT, at.DRAW, at.NEXT_SEAT, at.OVER)


def moment(rules: Ruleset, state: Any) -> str:
    """Return where the game is, in a line."""
    phase, seat = int(state.phase), int(state.placing_seat if state.phase == at.SURVIVORS else state.turn_seat)
    doing = PHASE_WORDS[phase] if phase in BY_CHANCE else f"seat {seat} {PHASE_WORDS[phase]}"
    notes = [f"round {state.round_number}, turn {state.turn + (phase != at.OVER)}", doing]
    if phase == at.SURVIVORS:
        notes.append(f"seat {state.turn_seat}'s turn")
    for number, one, many in (
        (state.temporary, "temporary token", "temporary tokens"),
        (state.spies_left, "spy", "spies"),
        (state.peace_left, "peace offer", "peace offers"),
        (state.forts_left, "fort to place", "forts to place"),
        (state.defeated, "token beaten", "tokens beaten"),
    ):
        if number:
            notes.append(f"{number} {one if number == 1 else many}")
    if state.is_last_round and phase != at.OVER:
        notes.append("last round")
    if state.is_stalled:
        notes.append("stalemate")
    return " · ".join(notes)


def draw_head(parent: Node, rules: Ruleset, state: Any, top: float, width: float) -> float:
    """Draw the title and the moment of the game."""
    title = f"{rules.content['title']} — {rules.content['map']['title']}"
    words = moment(rules, state)
    if width >= WIDE:
        parent.text(EDGE, top + 20, fitting(title, width * 0.45, 14), 14, font_weight="bold")
        parent.text(width - EDGE, top + 20, fitting(words, width * 0.55, 12), 12, "soft", "end").title(words)
        return 32
    parent.text(EDGE, top + 18, fitting(title, width - 2 * EDGE, 13), 13, font_weight="bold")
    parent.text(EDGE, top + 36, fitting(words, width - 2 * EDGE, 11), 11, "soft").title(words)
    return 46


def draw_legend(parent: Node, rules: Ruleset, top: float, width: float) -> float:
    """Draw what terrains and marks mean, with costs and points of terrains; as many rows as needed."""
    numbers, board = rules.content["rules"], rules.content["map"]["provinces"]
    present = [name for name in at.TERRAIN_NAMES if any(province["terrain"] == name for province in board.values())]
    x, row = EDGE, 0

    def place(words: str, draw: Callable[[float, float], object], icon: float) -> None:
        nonlocal x, row
        needed = icon + 5 + len(words) * 6.1 + 14
        if x + needed > width and x > EDGE:
            x, row = EDGE, row + 1
        draw(x, top + 14 + 20 * row)
        parent.text(x + icon + 5, top + 18 + 20 * row, words, 10.5, "soft")
        x += needed

    for name in present:
        place(
            f"{name}: cost {numbers['base_cost'][name]}, {numbers['base_points'][name]} VP",
            lambda left, middle, name=name: _swatch(parent, name, left, middle),  # type: ignore[misc]
            20,
        )
    for words, path, class_ in (("port", ANCHOR, "icon"), ("mine", PICK, "icon"), ("fort", TOWER, "tower")):
        place(
            words,
            lambda left, middle, path=path, class_=class_: add_icon(parent, path, left + 7, middle, 14, class_),  # type: ignore[misc]
            14,
        )
    place(
        "neutral",
        lambda left, middle: parent.add("rect", x=left, y=middle - 6, width=12, height=12, rx=3, class_="neutral"),
        12,
    )
    place("empire", lambda left, middle: _empire(parent, left, middle, is_decline=False), 32)
    place("in decline", lambda left, middle: _empire(parent, left, middle, is_decline=True), 32)
    place("coastal border", lambda left, middle: parent.add("path", d=f"M{left} {middle}h18", class_="coastal"), 18)
    return 20.0 * (row + 1) + 8


def _swatch(parent: Node, terrain: str, left: float, middle: float) -> None:
    size = {"x": left, "y": middle - 7, "width": 20, "height": 14, "rx": 3}
    parent.add("rect", class_=f"land-{terrain}", **size)
    if terrain in TERRAIN_GLYPHS:
        parent.add("rect", fill=parent.url(terrain), **size)


def _empire(parent: Node, left: float, middle: float, is_decline: bool) -> None:
    area = {"x": left, "y": middle - 7, "width": 32, "height": 14, "rx": 3}
    if is_decline:
        parent.add("rect", fill=parent.url("decline0"), opacity="0.75", **area)
    else:
        parent.add("rect", class_="seat0", opacity="0.45", **area)
    add_marker(parent, 0, left + 16, middle, 7, "3", is_decline)


def draw_score_track(parent: Node, rules: Ruleset, state: Any, top: float, width: float) -> float:
    """Draw the points of all seats on a lane each, with the threshold."""
    threshold = int(rules.content["rules"]["victory_threshold"])
    scores = [int(state.score[seat]) for seat in range(state.seats)]
    low, high = min(0, *scores), max(threshold, *scores)
    left, right = EDGE + 18, width - EDGE - 30
    lanes = 15.0
    bottom = top + 10 + lanes * len(scores)

    def at_score(points: float) -> float:
        return left + (right - left) * (points - low) / max(high - low, 1)

    step = next(size for size in TICKS if (high - low) / size <= MOST_TICKS)
    for points in range(low - low % step, high + 1, step):
        if points >= low:
            x = at_score(points)
            parent.add("path", d=f"M{x:.1f} {top + 6:.1f}V{bottom:.1f}", class_="line")
            parent.text(x, bottom + 11, str(points), 9, "soft", "middle")
    end = at_score(threshold)
    parent.add("path", d=f"M{end:.1f} {top + 3:.1f}V{bottom + 2:.1f}", class_="turn").title(
        f"victory threshold: {threshold} points"
    )
    parent.text(end + 4, top + 12, f"{threshold}", 9, "ink", font_weight="bold")
    for seat, points in enumerate(scores):
        y = top + 10 + lanes * (seat + 0.5)
        lane = parent.group(data_score=points)
        lane.title(f"seat {seat}: {points} points")
        begin, end_of_bar = at_score(min(0, points)), at_score(max(0, points))
        lane.add("rect", x=begin, y=y - 2, width=end_of_bar - begin, height=4, class_=f"seat{seat}")
        lane.add(
            "path",
            d=seat_path(seat, 5),
            class_=f"seat{seat}",
            stroke="#ffffff",
            transform=f"translate({at_score(points):.1f} {y:.1f})",
        )
    return bottom - top + 20


def draw_seats(parent: Node, rules: Ruleset, state: Any, top: float, width: float) -> float:
    """Draw a card for each seat: points, civilization, tokens in hand, the empire in decline."""
    seats = int(state.seats)
    across = seats if width >= WIDE else 2
    card, height = (width - 2 * EDGE - GAP * (across - 1)) / across, 104.0
    for seat in range(seats):
        x = EDGE + (card + GAP) * (seat % across)
        y = top + (height + GAP) * (seat // across)
        _draw_seat(parent, rules, state, seat, x, y, card, height)
    return (height + GAP) * -(-seats // across)


def _draw_seat(
    parent: Node, rules: Ruleset, state: Any, seat: int, x: float, y: float, width: float, height: float
) -> None:
    group = parent.group(data_seat=seat)
    group.title(_seat_sentence(state, seat))
    group.add("rect", x=x, y=y, width=width, height=height, rx=6, class_="card")
    if state.turn_seat == seat and state.phase not in (at.START_SEAT, at.OVER):
        group.add("rect", x=x, y=y, width=width, height=height, rx=6, class_="turn")
    add_marker(group, seat, x + 16, y + 17, 9, str(seat))
    words = _standing(rules, state, seat)
    group.text(x + 32, y + 21, fitting(words, width - 72, 11), 11, "soft")
    group.text(x + width - 9, y + 23, f"{state.score[seat]}", 17, "ink", "end", font_weight="bold")
    _write_pair(group, rules, state.tile[seat], x + 8, y + 43, width - 16)
    notes = [f"{state.hand[seat]} in hand", f"last turn {state.last_points[seat]:+d}"]
    if state.tokens_lost[seat]:
        notes.append(f"lost {state.tokens_lost[seat]}")
    if state.peace[seat]:
        partners = [str(other) for other in range(state.seats) if state.peace[seat] >> other & 1]
        notes.append(f"peace: {', '.join(partners)}")
    if state.is_wiped_out[seat]:
        notes.append("wiped out")
    if not state.is_entered[seat] and state.tile[seat][0] >= 0:
        notes.append("not on the board")
    if state.start_seat == seat and state.phase != at.START_SEAT:
        notes.append("starts")
    words = " · ".join(notes)
    group.text(x + 8, y + 77, fitting(words, width - 16, 10), 10).title(words)
    _write_old(group, rules, state, seat, x + 8, y + 94, width - 16)


def _standing(rules: Ruleset, state: Any, seat: int) -> str:
    """Return a seat's name; with automata also its place in the turn order, and whether it is one of them."""
    automata, is_known = int(rules.tables.automata), state.phase != at.START_SEAT
    if not automata:
        return f"seat {seat}"
    order = turn_order(state, int(state.seats)) if is_known else []
    place = f", {ORDINALS[order.index(seat)]}" if order else ""
    return f"seat {seat}{place}{', automaton' if automata >> seat & 1 else ''}"


def _write_pair(group: Node, rules: Ruleset, copies: Any, x: float, y: float, width: float) -> None:
    """Write the two tiles of a civilization under one another."""
    if copies[0] < 0 and copies[1] < 0:
        group.text(x, y, "no civilization", 11, "soft", font_style="italic")
        return
    for line, copy in enumerate(copies):
        if copy < 0:
            group.text(x + 13, y + 15 * line, "none", 11, "soft", font_style="italic")
            continue
        name, color = _tile(rules, int(copy))
        group.add("rect", x=x, y=y - 8 + 15 * line, width=9, height=9, rx=2, fill=TILE_COLORS[color])
        words = group.text(x + 13, y + 15 * line, fitting(name, width - 13, 11), 11)
        words.title(f"{name}, copy {int(copy)}")


def _write_old(group: Node, rules: Ruleset, state: Any, seat: int, x: float, y: float, width: float) -> None:
    kept = [_tile(rules, int(copy))[0] for copy in state.old_tile[seat] if copy >= 0]
    if not state.decline[seat] and not kept:
        return
    doubling = f" x{state.old_doubling[seat]}" if kept and state.old_doubling[seat] != 1 else ""
    tiles = f" · {' + '.join(kept)}{doubling}" if kept else ""
    words = f"in decline: {count(state.decline[seat])}{tiles}"
    group.text(x, y, fitting(words, width, 10), 10, "soft").title(words)


def _seat_sentence(state: Any, seat: int) -> str:
    return (
        f"seat {seat}: {state.score[seat]} points; earned {state.earned[seat]}, paid {state.paid[seat]}, received "
        f"{state.received[seat]}; {count(state.active[seat])} provinces, {count(state.decline[seat])} in decline; "
        f"{state.turns_taken[seat]} turns with this civilization"
    )


def _tile(rules: Ruleset, copy: int) -> tuple[str, str]:
    """Return the name and the color of a tile copy."""
    kind = int(rules.tables.kind_of[copy])
    return vocabulary(rules).kinds[kind], _colors(rules)[kind]


@functools.lru_cache(maxsize=64)
def _colors(rules: Ruleset) -> tuple[str, ...]:
    """Return the color of each kind of tile."""
    return tuple(str(rules.content["tiles"][name]["color"]) for name in labels(rules, "kind"))


def draw_tray(parent: Node, rules: Ruleset, state: Any, top: float, width: float) -> float:
    """Draw the pairs on the tray with price, coins and tokens, and what is left in the bag."""
    across = at.SLOTS if width >= WIDE else 3
    card, height = (width - 2 * EDGE - GAP * (across - 1)) / across, 72.0
    price = int(rules.tables.price_per_skip)
    for slot in range(at.SLOTS):
        x, y = EDGE + (card + GAP) * (slot % across), top + (height + GAP) * (slot // across)
        group = parent.group(data_slot=slot)
        group.add("rect", x=x, y=y, width=card, height=height, rx=6, class_="card")
        group.text(x + 8, y + 18, SLOT_NAMES[slot], 12, font_weight="bold")
        if price * slot:
            group.text(x + 30, y + 18, f"price {price * slot}", 10.5, "soft")
        first, second = (int(copy) for copy in state.tray[slot])
        if first >= 0 and second >= 0:
            tokens = pair_tokens(rules, first, second)
            group.text(x + card - 8, y + 18, f"{tokens} tokens", 10.5, "ink", "end").title(
                f"{tokens} tokens with this pair, the bonus for the number of players included"
            )
        _write_pair(group, rules, state.tray[slot], x + 8, y + 36, card - 16)
        if state.coins[slot]:
            coins = int(state.coins[slot])
            for coin in range(min(coins, 8)):
                group.add("circle", cx=x + 13 + 9 * coin, cy=y + 62, r=5, fill="#d9a514", stroke="#7a5a05")
            worth = coins * int(rules.tables.coin_value)
            group.text(x + 22 + 9 * min(coins, 8), y + 65.5, f"+{worth}", 10.5, font_weight="bold").title(
                f"{coins} coins, worth {worth} points"
            )
    rows = -(-at.SLOTS // across)
    return (height + GAP) * rows + _draw_bag(parent, rules, state, top + (height + GAP) * rows, width)


def pair_tokens(rules: Ruleset, first: int, second: int) -> int:
    """Return the tokens a pair of tile copies brings, the bonus for the number of players included."""
    tables = rules.tables
    row = tables.pairs[int(tables.kind_of[first]) * at.KINDS + int(tables.kind_of[second])]
    return max(0, int(row[at.TOKENS]) + int(tables.token_bonus))


def _draw_bag(parent: Node, rules: Ruleset, state: Any, top: float, width: float) -> float:
    words = [f"{count(state.bag)} tiles in the bag"]
    for tiles, said in ((state.aside, "set aside"), (state.unreturned, "to be returned")):
        if tiles:
            words.append(f"{count(tiles)} {said}")
    copies = [copy for copy in range(int(rules.tables.copies)) if state.bag >> copy & 1]
    parent.text(EDGE, top + 10, " · ".join(words), 10.5, "soft").title(
        ", ".join(_tile(rules, copy)[0] for copy in copies) or "none"
    )
    return 18


def draw_notice(parent: Node, words: str, top: float, width: float) -> float:
    """Write what is to be known about the map, in as many lines as it takes."""
    room, lines = int((width - 2 * EDGE) / 5.1), [""]
    for word in words.split():
        if len(lines[-1]) + len(word) + 1 > room:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    for number, line in enumerate(lines):
        parent.text(EDGE, top + 10 + 12 * number, line, 9, "soft")
    return 12.0 * len(lines) + 6
