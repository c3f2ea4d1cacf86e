"""Vinci: what a tile does in plain words, the pairs on the tray, and what the tiles of the seats do."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from vinci_lab.engine.playing import Spot
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.playing_map import Table, upper
from vinci_lab.games.vinci.rules_layout import MODIFIER_NAMES
from vinci_lab.games.vinci.ruleset import labels
from vinci_lab.games.vinci.words import SLOT_NAMES, count_of, vocabulary

POINTS = {
    "vp_province": "for each of its provinces",
    "vp_farmland": "for each farmland",
    "vp_pasture": "for each pasture",
    "vp_mine": "for each mine",
    "vp_port": "for each port",
    "vp_mountain": "for each mountain",
    "vp_desert": "for each desert",
    "vp_kill": "for each conquest that beats a token",
}
COSTS = {
    "cost_any": "every conquest",
    "cost_open": "conquests of normal land, farmland and pasture",
    "cost_mountain": "conquests of mountains",
    "cost_desert": "conquests of deserts",
    "cost_river": "conquests of rivers",
    "cost_water": "conquests beside water",
    "cost_same_coast": "conquests over the sea or along the same coast",
}
NUMBERS = {
    "defence": "others pay {} more for each of its provinces",
    "forts_chosen": "places {} at the end of each turn",
    "temporary_tokens": "{} more for the conquests of each turn, taken away before scoring",
    "tokens_turn_start": "receives {} at the start of each turn, to keep",
    "tokens_reorganization": "receives {} at the end of each turn, to keep",
    "tokens_per_two_defeated": "receives {} for every two tokens beaten, to keep",
    "espionage": "{} a turn for a flat price, whatever defends the province",
    "peace_partners": "makes peace each turn with {}",
}
NOUNS = {
    "forts_chosen": "fort",
    "espionage": "conquest",
    "peace_partners": "other seat",
}
FLAGS = {
    "lasts_in_decline": "its points go on in decline",
    "astronomy": "crosses linked seas, and enters over them",
    "messages": "need not hang together",
    "heritage": "contact does not harm its empire in decline",
    "rebirth": "may decline at the end of a turn, after scoring",
    "revolutionaries": "enters anywhere",
    "specialization": "doubles the numbers of the other tile",
}


@functools.lru_cache(maxsize=64)
def tile_sentences(rules: Ruleset) -> tuple[str, ...]:
    """Return what each kind of tile does, such as ``Weapons: every conquest costs 1 token less``."""
    titles = vocabulary(rules).kinds
    return tuple(
        f"{title}: {'; '.join(_effects(rules.content['tiles'][name])) or 'nothing but its tokens'}"
        for title, name in zip(titles, labels(rules, "kind"), strict=True)
    )


def _effects(tile: dict[str, int]) -> list[str]:
    """Return what a tile's numbers mean, one by one."""
    said = []
    for name in MODIFIER_NAMES[1:]:
        number = int(tile[name])
        if number == 0:
            continue
        if name in POINTS:
            said.append(f"{number:+d} {'point' if abs(number) == 1 else 'points'} {POINTS[name]}")
        elif name == "vp_water_halves":
            said.append(f"{number / 2:+g} points for each province beside water, rounded down")
        elif name in COSTS:
            said.append(f"{COSTS[name]} cost {count_of(abs(number), 'token')} {'less' if number < 0 else 'more'}")
        elif name in NUMBERS:
            said.append(NUMBERS[name].format(count_of(number, NOUNS.get(name, "token"))))
        elif name in FLAGS:
            said.append(FLAGS[name])
        else:
            said.append(f"{name.replace('_', ' ')} {number}")
    return [sentence.replace("every conquest cost ", "every conquest costs ") for sentence in said]


def tray_spots(table: Table) -> Iterator[Spot]:
    """Yield the pairs on the tray with price, coins, tokens and what their tiles do; notes while nobody chooses."""
    state, tables, seat = table.state, table.tables, table.seat
    sentences, is_note = tile_sentences(table.position.rules), state.phase != at.CHOOSE
    legal, titles = table.position.legal_actions(seat), vocabulary(table.position.rules).kinds
    for slot in range(at.SLOTS):
        first, second = (int(copy) for copy in state.tray[slot])
        if first < 0 or second < 0:
            continue
        kinds = [int(tables.kind_of[copy]) for copy in (first, second)]
        price, coins = int(effects.price_of(tables, slot)), int(state.coins[slot]) * int(tables.coin_value)
        terms = [f"costs {count_of(price, 'point')}" if price else "free"]
        terms += [f"pays {count_of(coins, 'point')} in coins"] if coins else []
        terms.append(f"brings {count_of(int(effects.tokens_of_pair(tables, seat, first, second)), 'token')}")
        lines = [upper(", ".join(terms)), *(sentences[kind] for kind in kinds)]
        words = f"{SLOT_NAMES[slot]}: {titles[kinds[0]]} and {titles[kinds[1]]}"
        if is_note:
            yield Spot(f"slot:{slot}", words, tuple(lines), is_note=True)
        elif at.A_CHOOSE + slot in legal:
            yield Spot(f"slot:{slot}", words, tuple(lines), actions=(at.A_CHOOSE + slot,))
        else:
            yield Spot(f"slot:{slot}", words, (f"You have {state.score[seat]} points", *lines))


def seat_notes(table: Table) -> Iterator[Spot]:
    """Yield the seats with what their tiles do, those that stay in decline included."""
    state, sentences = table.state, tile_sentences(table.position.rules)
    for seat in range(int(state.seats)):
        active = [sentences[int(table.tables.kind_of[copy])] for copy in state.tile[seat] if copy >= 0]
        kept = [sentences[int(table.tables.kind_of[copy])] for copy in state.old_tile[seat] if copy >= 0]
        if active or kept:
            lines = (*active, *(f"In decline: {sentence}" for sentence in kept))
            whose = "You" if seat == table.seat else f"Seat {seat}"
            yield Spot(f"seat:{seat}", f"{whose}, {count_of(int(state.score[seat]), 'point')}", lines, is_note=True)
