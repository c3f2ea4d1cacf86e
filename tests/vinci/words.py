"""Words for provinces, actions and events, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from vinci_lab.games.vinci import rules_layout as layout

PROVINCES = (
    *("Ireland", "Scotland", "England and Wales", "Norway", "Sweden", "Lapland", "South Finland", "Denmark"),
    *("South Spain", "Portugal", "Castile", "Pyrenees", "Aquitaine", "North France", "Burgundy", "Provence"),
    *("Low Countries", "Saxony", "Swabia", "Bohemia", "Western Alps", "Austria", "North Italy", "Central Italy"),
    *("South Italy", "Pomerania", "Dalmatia", "Hungary", "Carpathians", "Wallachia", "Thrace", "Macedonia"),
    *("South Greece", "Poland", "Livonia", "Belarus", "West Ukraine", "East Ukraine", "Novgorod", "Muscovy"),
    *("Volga", "Urals", "Caucasus", "West Anatolia", "East Anatolia"),
)
SLOT_NAMES = ("I", "II", "III", "IV", "V", "VI")
# tiles that change nothing for a seat without provinces; given to seats a test does not mention, and to the tray
FILLERS = (
    *("agriculture", "livestock", "mining", "port", "agriculture_col", "livestock_col", "mining_col", "port_col"),
    *("currency", "slavery", "ship_building", "militia", "mountaineering", "barbarians", "messages", "heritage"),
    *("weapons", "espionage", "fortification", "astronomy", "revolutionaries", "medicine", "field_general"),
    *("diplomacy", "rebirth"),
)
WORDS = {
    "play on": layout.A_PLAY_ON,
    "decline": layout.A_DECLINE,
    "rebirth": layout.A_REBIRTH_YES,
    "no rebirth": layout.A_REBIRTH_NO,
    "no peace": layout.A_NO_PEACE,
    "end gather": layout.A_END_GATHER,
    "end conquest": layout.A_END_CONQUEST,
    "no fort": layout.A_NO_FORT,
    "end drop": layout.A_END_DROP,
}
PROVINCE_WORDS = {
    "abandon": layout.A_ABANDON,
    "conquer": layout.A_CONQUER,
    "spy": layout.A_SPY,
    "keep": layout.A_KEEP,
    "drop": layout.A_DROP,
    "place": layout.A_PLACE,
    "fort": layout.A_FORT,
}
PLAIN_ENDINGS = ("end gather", "no peace", "end drop", "no fort", "no rebirth")


def province(name: str) -> int:
    """Return the number of a province."""
    return PROVINCES.index(name)


def names(members: int) -> set[str]:
    """Return the names of a set of provinces."""
    return {name for number, name in enumerate(PROVINCES) if int(members) >> number & 1}


def bits(provinces: Iterable[str]) -> int:
    """Return the set of some named provinces."""
    return sum(1 << province(name) for name in provinces)


def decode(events: Any) -> list[dict[str, Any]]:
    """Return the rows of an event record as dicts with the key ``event`` and the fields of that kind."""
    assert events.length <= len(events.rows), "the event buffer overflowed"
    found = []
    for row in events.rows[: events.length]:
        name = layout.EVENT_NAMES[row[0]]
        fields = layout.EVENT_FIELDS[name]
        found.append({"event": name, **{field: int(value) for field, value in zip(fields, row[1:], strict=False)}})
    return found
