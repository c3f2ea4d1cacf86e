"""Vinci in words: names of provinces and tiles, actions and back, and events as sentences.

Names come from the data files, so any text may be one. An action is first looked for exactly as it is written, then
without regard to case and spaces.
"""

from __future__ import annotations

import difflib
import functools
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci import ruleset

SLOT_NAMES = ("I", "II", "III", "IV", "V", "VI")
SINGLE_ACTIONS = {
    at.A_PLAY_ON: "play on",
    at.A_DECLINE: "decline",
    at.A_REBIRTH_YES: "rebirth",
    at.A_REBIRTH_NO: "no rebirth",
    at.A_NO_PEACE: "no peace",
    at.A_END_GATHER: "end gathering",
    at.A_END_CONQUEST: "end conquest",
    at.A_NO_FORT: "no fort",
    at.A_END_DROP: "end dropping",
}
PROVINCE_ACTIONS = {
    at.A_ABANDON: "abandon",
    at.A_CONQUER: "conquer",
    at.A_SPY: "spy on",
    at.A_KEEP: "keep the part of",
    at.A_DROP: "drop",
    at.A_PLACE: "place on",
    at.A_FORT: "fort on",
}
NEAR_ONES = 4


@dataclass(frozen=True)
class Vocabulary:
    """The words of one ruleset.

    Attributes
    ----------
    provinces, kinds : tuple of str
        Names by number; two tiles of the same title are told apart by their short names.
    actions : dict of int to str
        Words of every action.
    codes, folded_codes : dict of str to list of int
        The way back: as written, and without regard to case and spaces.
    """

    provinces: tuple[str, ...]
    kinds: tuple[str, ...]
    actions: dict[int, str]
    codes: dict[str, list[int]]
    folded_codes: dict[str, list[int]]


@functools.lru_cache(maxsize=64)
def vocabulary(rules: Ruleset) -> Vocabulary:
    """Return the words of a ruleset."""
    provinces = ruleset.labels(rules, "province")
    kinds = _distinct(ruleset.labels(rules, "kind_title"), ruleset.labels(rules, "kind"))
    actions = {at.A_CHOOSE + slot: f"choose pair {SLOT_NAMES[slot]}" for slot in range(at.SLOTS)}
    actions |= SINGLE_ACTIONS
    actions |= {at.A_PEACE + seat: f"peace with seat {seat}" for seat in range(rules.seats)}
    for first, verb in PROVINCE_ACTIONS.items():
        actions |= {first + number: f"{verb} {name}" for number, name in enumerate(provinces)}
    is_next = "is next in turn order" if rules.tables.automata else "starts"
    actions |= {at.A_START + seat: f"seat {seat} {is_next}" for seat in range(rules.seats)}
    actions |= {at.A_DRAW + number: f"draw {name}" for number, name in enumerate(kinds)}
    return Vocabulary(provinces, kinds, actions, _inverse(actions), _inverse(actions, is_folded=True))


def _distinct(titles: tuple[str, ...], names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the titles, with the short name added to each that would be mistaken for another."""
    times = Counter(map(_fold, titles))
    return tuple(
        title if times[_fold(title)] == 1 else f"{title} [{name}]" for title, name in zip(titles, names, strict=True)
    )


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()


def _inverse(actions: Mapping[int, str], *, is_folded: bool = False) -> dict[str, list[int]]:
    codes: dict[str, list[int]] = {}
    for code, words in actions.items():
        codes.setdefault(_fold(words) if is_folded else words, []).append(code)
    return codes


def describe_action(rules: Ruleset, action: int) -> str:
    """Return an action, or an outcome of chance, in words.

    Raises
    ------
    ValueError
        If there is no such action.
    """
    try:
        return vocabulary(rules).actions[int(action)]
    except KeyError:
        raise ValueError(f"action: there is no code {action}; codes run from 0 to {at.ACTIONS - 1} with gaps") from None


def parse_action(rules: Ruleset, text: str) -> int:
    """Return the code of an action given in words; case and spaces do not matter.

    Raises
    ------
    ValueError
        If the words mean no action, with the nearest ones; or if they could mean several.
    """
    words = vocabulary(rules)
    found = words.codes.get(text) or words.codes.get(text.strip()) or words.folded_codes.get(_fold(text)) or []
    if len(found) == 1:
        return found[0]
    if found:
        meant = ", ".join(repr(words.actions[code]) for code in found)
        raise ValueError(f"action: {text!r} could mean any of {meant}; write it exactly")
    near = difflib.get_close_matches(_fold(text), words.folded_codes, NEAR_ONES)
    listed = ", ".join(repr(words.actions[words.folded_codes[word][0]]) for word in near)
    hint = f"near it are {listed}" if near else "actions read like 'conquer Poland', 'play on' or 'choose pair II'"
    raise ValueError(f"action: there is no {text!r}; {hint}")


# Events -------------------------------------------------------------------------------------------------------------


def describe_event(rules: Ruleset, kind: str, fields: Mapping[str, int]) -> str:
    """Return an event as a sentence, with the parts of every cost and of all points.

    Raises
    ------
    ValueError
        If there is no such kind of event.
    """
    if kind not in at.EVENT_FIELDS:
        raise ValueError(f"event: there is no {kind!r}; allowed: {', '.join(at.EVENT_FIELDS)}")
    if kind in SPELLED_OUT:
        return SPELLED_OUT[kind](rules, fields)
    words = vocabulary(rules)
    known: dict[str, object] = dict(fields)
    if "province" in fields:
        known["province"] = words.provinces[fields["province"]]
    if "slot" in fields:
        known["slot"] = SLOT_NAMES[fields["slot"]]
    if "kind" in fields:
        known["kind"] = words.kinds[fields["kind"]]
    if "tokens" in fields:
        known["tokens"] = count_of(fields["tokens"], "token")
    if "temporary" in fields:
        known["temporary"] = count_of(fields["temporary"], "temporary token")
    return SENTENCES[kind, fields.get("is_stalled", 0)].format(**known)


SENTENCES = {
    ("seat_drawn", 0): "seat {seat} starts",
    ("seat_follows", 0): "seat {seat} plays after seat {after}",
    ("tile_drawn", 0): "{kind} is drawn for pair {slot}",
    ("tile_set_aside", 0): "{kind} is set aside, since its pair has nothing to double",
    ("tile_returned", 0): "{kind} goes back to the bag",
    ("peace", 0): "seat {seat} makes peace with seat {partner}",
    ("abandoned", 0): "seat {seat} abandons {province} and takes {tokens} from it",
    ("contact", 0): "seat {seat} loses {province} in decline by contact with its own active empire",
    ("wiped_out", 0): "seat {seat} has lost its last token, and its empire in decline leaves the board",
    ("dismissed", 0): "seat {seat} sends away {temporary}",
    ("dropped", 0): "seat {seat} gives up {province} with {tokens}",
    ("placed", 0): "seat {seat} places {tokens} on {province}",
    ("fort", 0): "seat {seat} builds a fort on {province}",
    ("last_round", 0): "seat {seat} has {score} points: this round is the last",
    ("game_over", 0): "the game is over",
    ("game_over", 1): "the game is over: it has gone on for too many rounds",
}


def _chosen(rules: Ruleset, fields: Mapping[str, int]) -> str:
    kinds = vocabulary(rules).kinds
    pair = f"{kinds[fields['first_kind']]} and {kinds[fields['second_kind']]}"
    parts = [f"takes {pair} with {count_of(fields['tokens'], 'token')}"]
    if fields["price"]:
        parts.append(f"pays {count_of(fields['price'], 'point')}")
    if fields["coins"]:
        parts.append(f"receives {count_of(fields['coins'], 'point')} for coins")
    return f"seat {fields['seat']} {series(parts)}"


def _income(rules: Ruleset, fields: Mapping[str, int]) -> str:
    ways = {"lasting": "to keep", "temporary": "for this turn"}
    parts = [f"{count_of(fields[name], 'token')} {way}" for name, way in ways.items() if fields[name]]
    return f"seat {fields['seat']} receives {series(parts) or 'nothing'}"


def _loss(rules: Ruleset, fields: Mapping[str, int]) -> str:
    lost, survivors = fields["lost"], fields["survivors"]
    sentence = f"seat {fields['seat']} loses {vocabulary(rules).provinces[fields['province']]}"
    if lost:
        sentence += f" and {count_of(lost, 'token')}"
    return f"{sentence}; {count_of(survivors, 'token')} survive{'s' * (survivors == 1)}" if survivors else sentence


def _decline(rules: Ruleset, fields: Mapping[str, int]) -> str:
    parts = [f"declines with {count_of(fields['provinces'], 'province')}"]
    if fields["tokens_removed"]:
        parts.append(f"returns {count_of(fields['tokens_removed'], 'token')}")
    if fields["old_provinces_removed"]:
        parts.append(f"clears {count_of(fields['old_provinces_removed'], 'province')} of the older empire")
    return f"seat {fields['seat']} {series(parts)}"


def _conquest(rules: Ruleset, fields: Mapping[str, int]) -> str:
    names = vocabulary(rules).provinces
    seat, place, link = fields["seat"], names[fields["province"]], fields["link"]
    if fields["from_seat"] == seat:
        owner = "from its own empire in decline"
    elif fields["from_seat"] >= 0:
        owner = f"from seat {fields['from_seat']}" + (" in decline" if fields["from_decline"] else "")
    else:
        owner = "(neutral)" if fields["defenders"] else "(empty)"
    verb = "enters and conquers" if link == at.ENTRY else "conquers"
    sentence = f"seat {seat} {verb} {place} {owner}{' over the sea' if link == at.SEA else ''}"
    if fields["is_spy"]:
        return f"{sentence} by espionage for {count_of(fields['cost'], 'token')}"
    return f"{sentence} for {count_of(fields['cost'], 'token')}: {', '.join(cost_parts(rules, fields))}"


def cost_parts(rules: Ruleset, fields: Mapping[str, int]) -> list[str]:
    """Return the parts of a cost that are not 0, each with its sign and its reason."""
    origin = vocabulary(rules).provinces[fields["origin"]] if fields["origin"] >= 0 else "nowhere"
    terrain = at.TERRAIN_NAMES[int(rules.tables.terrain[fields["province"]])]
    defenders = "defender" if fields["defenders"] == 1 else "defenders"
    reasons = {
        "base": terrain if terrain != "normal" else "normal terrain",
        "defenders": defenders,
        "fort": "fort",
        "militia": "for the owner's tiles",
        "tile_any": "by tiles",
        "tile_terrain": f"by tiles on {terrain}",
        "tile_water": "by tiles beside water",
        "origin_mountain": f"from a mountain ({origin})",
        "origin_fort": f"from a fort ({origin})",
        "origin_coast": f"along the coast ({origin})",
    }
    parts = [f"{fields[name]} {reason}" for name, reason in reasons.items() if fields[name] or name == "base"]
    if sum(fields[name] for name in reasons) < fields["cost"]:
        parts.append(f"but at least {fields['cost']}")
    return parts


def _scored(rules: Ruleset, fields: Mapping[str, int]) -> str:
    reasons = {
        "base": "for provinces",
        "province": "for provinces by tiles",
        "farmland": "for farmland",
        "pasture": "for pastures",
        "mine": "for mines",
        "port": "for ports",
        "mountain": "for mountains",
        "desert": "for deserts",
        "water": "beside water",
        "kills": "for eliminated tokens",
        "decline_base": "for provinces in decline",
        "decline_bonus": "by tiles in decline",
    }
    parts = [f"{fields[name]} {reason}" for name, reason in reasons.items() if fields[name]]
    sentence = f"seat {fields['seat']} scores {count_of(fields['total'], 'point')}"
    return f"{sentence}: {', '.join(parts)}" if parts else sentence


SPELLED_OUT = {
    "chosen": _chosen,
    "income": _income,
    "conquest": _conquest,
    "loss": _loss,
    "scored": _scored,
    "decline": _decline,
}


def series(parts: list[str]) -> str:
    """Return parts as a series: ``a``, ``a and b``, ``a, b and c``."""
    return " and ".join(part for part in (", ".join(parts[:-1]), *parts[-1:]) if part)


def count_of(number: int, thing: str) -> str:
    """Return a number with its noun: ``1 token``, ``3 tokens``."""
    return f"{number} {thing}{'' if number == 1 else 's'}"
