"""Positions of random games, and rules in which everything has an odd name."""

from __future__ import annotations

import dataclasses
from typing import Any

from vinci_lab.engine.chance import PURPOSE_AGENT, below
from vinci_lab.engine.position import Position, new_position
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci.ruleset import build

ODD_NAMES = (
    "none",
    "on",
    "Zone 3",
    "Zone",
    "Old fort",
    "no fort",
    "seat 1 starts",
    "Île-de-France",
    "北京",
    "poland",
    "7 (b)",
)
ODD_TITLES = (
    *ODD_NAMES,
    'The "Rock"',
    "A, B",
    "A + B",
    "C#4",
    "back\\slash",
    "x: y",
    "'quoted'",
    "none + none",
    "D#1, E#2",
)
HOSTILE_NAMES = (
    *("on", "on on", "the part of", "none", "none none", "part of on", "spy on on", "conquer", "fort", "x fort"),
    *("x 3 fort", "a, b", "a + b", "a: b", "#", "Weapons#20", '"', '"quoted"', "'quoted'", "back\\slash", "\\", '\\"'),
    *("two\nlines", "tab\tbed", "two  spaces", "x ", " x", " ", "\x1b[2Jred", "<img src=x onerror=1>", "&amp;"),
    *("{seat}", "na\u00efve", "nai\u0308ve", "Straße", "STRASSE", "北京", "שלום", "\u202eabc", "zero\u200bwidth", "😀"),
    *("-1", "0", "1e9", "%s", "${x}"),
)


def with_odd_names(rules: Ruleset) -> Ruleset:
    """Return rules whose provinces and tiles have names that are allowed but easily misread."""
    content = rules.to_json()
    board = content["map"]
    renamed = dict(zip(list(board["provinces"])[2:], ODD_NAMES, strict=False))
    board["provinces"] = {renamed.get(name, name): row for name, row in board["provinces"].items()}
    for border in board["borders"]:
        border["a"], border["b"] = (renamed.get(border[end], border[end]) for end in ("a", "b"))
    for tile, title in zip(
        list(content["tiles"].values())[:7] + list(content["tiles"].values())[12:], ODD_TITLES, strict=False
    ):
        tile["title"] = title
    content["tiles"]["weapons"]["title"] = content["tiles"]["espionage"]["title"] = "Twice"
    return build(content)


def with_hostile_names(rules: Ruleset) -> Ruleset:
    """Return rules with names that the checks of the data files would refuse, so that nothing leans on those checks."""
    content: dict[str, Any] = rules.to_json()
    rows = sorted(content["map"]["provinces"].items(), key=lambda item: int(item[1]["id"]))
    names = [*HOSTILE_NAMES, *(f"province, {number}" for number in range(len(rows)))]
    content["map"]["provinces"] = {name: row for name, (_, row) in zip(names, rows, strict=False)}
    for tile, title in zip(content["tiles"].values(), reversed(HOSTILE_NAMES), strict=False):
        tile["title"] = title
    return dataclasses.replace(rules, content=content, hash=rules.hash[::-1])


def random_positions(rules: Ruleset, seed: int, every: int) -> list[Position]:
    """Return some positions of a random game, chance nodes among them."""
    position, found, step = new_position(rules, seed, auto_chance=False), [], 0
    while not position.is_over:
        if step % every == 0:
            found.append(position.copy())
        allowed = [outcome.action for outcome in position.chance] or position.legal_actions()
        position.apply(allowed[below(len(allowed), seed, PURPOSE_AGENT, 0, step)])
        step += 1
    return [*found, position]
