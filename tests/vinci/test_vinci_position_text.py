"""Positions of Vinci as text: every record comes back, and a bad text gets a sentence for everything that is wrong."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
import pytest

from tests.conftest import ROOT
from tests.vinci.scenario import Scenario
from tests.vinci.some_positions import random_positions, with_hostile_names, with_odd_names
from vinci_lab.engine.position import Position, new_position
from vinci_lab.engine.records import copy_record
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.position_fields import NUMBERS, SEAT_NUMBERS
from vinci_lab.games.vinci.position_reading import read_position
from vinci_lab.games.vinci.position_writing import write_position
from vinci_lab.games.vinci.ruleset import load


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(4)


@pytest.mark.parametrize("players", [3, 6])
def test_every_position_of_a_game_comes_back_exactly(players: int) -> None:
    rules = load(players).replace({"victory_threshold": 25})
    for position in random_positions(rules, players, 7):
        text = position.text()
        assert position.state.tobytes() == Position.from_text(rules, text).state.tobytes()
        assert "\nother\n" not in text
        assert max(map(len, text.splitlines())) <= 120


@pytest.mark.parametrize("rename", [with_odd_names, with_hostile_names])
def test_odd_names_survive(rules: Ruleset, rename: Callable[[Ruleset], Ruleset]) -> None:
    some = rename(rules.replace({"victory_threshold": 20}))
    for position in random_positions(some, 9, 11):
        assert position.state.tobytes() == Position.from_text(some, position.text()).state.tobytes()


def test_every_field_of_the_state_comes_back_even_from_nonsense(rules: Ruleset) -> None:
    """Each number of the record is changed in turn, within the range that names something."""
    state = new_position(rules, seed=3).state
    checked = set()
    for name in at.STATE.names or ():
        for place in np.ndindex(np.shape(state[name])):
            if place and place[0] not in (0, 5):
                continue
            changed = copy_record(state)
            value = {"seats": 4, "vinci": 0}.get(name, 1 - int(state[name][place] if place else state[name]) % 2)
            if place:
                changed[name][place] = value
            else:
                changed[name] = value
            back = read_position(rules, write_position(rules, changed))
            assert back.tobytes() == changed.tobytes(), name
            checked.add(name)
    assert checked == set(at.STATE.names or ())


def test_the_text_names_what_lies_on_the_table(rules: Ruleset) -> None:
    game = Scenario(4).civ(0, "weapons", "astronomy").own(0, {"Poland": 3, "Bohemia": 2}).fortify("Bohemia")
    game.in_decline(1, {"Ireland"}).turn(0)
    rows = [row.strip() for row in write_position(game.rules, game.state).splitlines()]
    assert rows[0] == "vinci: tabletop, 4 seats"
    assert rows[1] == f"rules: {game.rules.hash}"
    assert "phase: turn start" in rows
    assert "to act: seat 0" in rows
    assert "empire: Bohemia 2 fort, Poland 3" in rows
    assert "in decline: Ireland 1" in rows
    assert any(re.fullmatch(r"tiles: Weapons#\d+ \+ Astronomy#\d+", row) for row in rows)


def test_every_line_of_the_text_is_documented(rules: Ruleset) -> None:
    page = (ROOT / "docs" / "transcripts.md").read_text(encoding="utf-8").split("## Vinci: a position as text")[1]
    explained = set(re.findall(r"`([^`]+)`", page))
    for row in new_position(rules, seed=3).text().splitlines():
        key, colon, _ = row.partition(":")
        if colon and not row.startswith("    "):
            assert key.strip() in explained or key.strip() in ("II", "III", "IV", "V"), row
    for names in (*NUMBERS.values(), *SEAT_NUMBERS.values()):
        assert set(names) <= explained


Edit = Callable[[str], str]


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (lambda text: "", "position: the lines 'vinci', 'turn', 'phase'"),
        (
            lambda text: text.replace("4 seats", "5 seats"),
            "line 1: the position is for 'tabletop, 5 seats', these rules",
        ),
        (lambda text: re.sub("rules: ....", "rules: 0000", text), "line 2: the position was written for rules '0000"),
        (lambda text: text.replace("round 1", "round x"), "line 3: 'round x' is not a name and a whole number"),
        (lambda text: text.replace("round 1", "rnd 1"), "line 3: there is no number 'rnd' here; near it are round"),
        (lambda text: text.replace("finished 0, ", ""), "line 3: 'finished' is missing"),
        (lambda text: text.replace("round 1", "round 1, round 2"), "line 3: 'round' is given twice"),
        (
            lambda text: text.replace("phase: choose", "phase: lunch"),
            "line 4: there is no phase 'lunch'; allowed: start",
        ),
        (
            lambda text: text.replace("to act: seat 3", "to act: seat 1"),
            "line 6: 'seat 1' is to act, by the phase it is",
        ),
        (lambda text: text.replace("seat 2\n", "seat 9\n"), "line 29: there is no block 'seat 9'; near it are"),
        (lambda text: text.replace("  empire:", "  empires:", 1), "line 14: there is no line 'empires' here; near it"),
        (
            lambda text: text.replace("end: ", "turn: finished 3\nend: "),
            "line 7: 'turn' is written twice in this block",
        ),
        (lambda text: text.replace("Ireland,", "Irland,"), "line 50: 'Irland': there is no province 'Irland'; near it"),
        (lambda text: text.replace("Ireland,", "Ireland, Ireland,"), "line 50: 'Ireland' is named twice in a list"),
        (lambda text: text.replace("Ireland, ", ""), "board: Ireland stands in no list of provinces"),
        (
            lambda text: text.replace("empire: none", "empire: Ireland", 1),
            "line 14: 'Ireland' needs its number of tokens",
        ),
        (
            lambda text: text.replace("empire: none", "empire: Ireland 3", 1),
            "line 50: 'Ireland' has 1 tokens here and 3 elsewhere",
        ),
        (
            lambda text: text.replace("#2 +", "#1 +"),
            "line 58: 'Agriculture (broken column)#1': tile 1 is 'Agriculture'",
        ),
        (lambda text: text.replace("#44,", "#9,"), "line 58: 'Medicine#9': tile 9 is 'Mining'"),
        (lambda text: text.replace("#44,", "#99,"), "line 58: 'Medicine#99': there is no tile 99; allowed: 0 to 51"),
        (lambda text: text.replace("Medicine#44", "Medicine"), "line 58: 'Medicine' is not a tile with its number"),
        (lambda text: text.replace(" + Medicine#44", ""), "line 58: 'Agriculture (broken column)#2' is not a pair of"),
        (lambda text: text.replace("Currency#16", "Currency#16, Currency#16"), "line 66: 'Currency#16' is named twice"),
        (
            lambda text: text.replace("Ireland,", '"Ireland\\q",'),
            r"""line 50: '"Ireland\\q"' is not a name in quotes""",
        ),
        (lambda text: text.replace("with: none", "with: seat 7", 1), "line 17: there is no 'seat 7'; allowed: seat 0"),
        (
            lambda text: text.replace("seat 3, starting", "seat 8, starting"),
            "turn_seat: 8 is not allowed; allowed: 0 to",
        ),
        (lambda text: text.replace("key ", "key 99999999999999999999"), "line 89: 'key 999"),
        (lambda text: text + "\nother\n  nonsense: 1\n", "line 92: there is no field 'nonsense'"),
        (
            lambda text: text + "\nother\n  score[9]: 1\n",
            "line 92: score[9]: '1' is no whole number, or score has no such",
        ),
        (
            lambda text: text + "\nother\n  score: 1\n",
            "line 92: score: '1' is no whole number, or score has no such place",
        ),
        (lambda text: text + "\nother\n  turn: one\n", "line 92: turn: 'one' is no whole number"),
    ],
)
def test_a_bad_text_gets_a_sentence_with_its_line(rules: Ruleset, edit: Edit, problem: str) -> None:
    good = new_position(rules, seed=3).text()
    bad = edit(good)
    assert bad != good
    with pytest.raises(DataError) as caught:
        Position.from_text(rules, bad)
    assert any(found.startswith(problem) for found in caught.value.problems), caught.value.problems


def test_all_that_is_wrong_with_a_text_is_said_at_once(rules: Ruleset) -> None:
    text = new_position(rules, seed=3).text()
    bad = text.replace("phase: choose", "phase: lunch").replace("Ireland,", "Irland,").replace("round 1", "rnd 1")
    with pytest.raises(DataError) as caught:
        Position.from_text(rules, bad)
    assert sorted({problem.split(":")[0] for problem in caught.value.problems}) == ["line 3", "line 4", "line 50"]


def test_a_text_without_its_rules_line_is_read_for_any_rules(rules: Ruleset) -> None:
    other = rules.replace({"victory_threshold": 60})
    text = new_position(rules, seed=3).text()
    with pytest.raises(DataError, match="without this line it is read for any rules"):
        Position.from_text(other, text)
    assert Position.from_text(other, re.sub("rules: .*\n", "", text)).state == new_position(rules, seed=3).state
