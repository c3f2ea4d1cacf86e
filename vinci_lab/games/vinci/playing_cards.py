"""Vinci: what a tile does, in plain words for somebody who is about to choose it."""

from __future__ import annotations

import functools

from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci.rules_layout import MODIFIER_NAMES
from vinci_lab.games.vinci.ruleset import labels
from vinci_lab.games.vinci.words import count_of, vocabulary

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
