"""Vinci in words: actions and back, events as sentences, positions as text, and what is impossible about a position."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.vinci.scenario import Scenario
from vinci_lab.engine import entries
from vinci_lab.engine.chance import PURPOSE_AGENT, below
from vinci_lab.engine.position import Position, new_position
from vinci_lab.engine.records import copy_record
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.games.vinci import game as vinci
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci import words
from vinci_lab.games.vinci.ruleset import build, load

ODD_NAMES = (
    "none",
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


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(4)


@pytest.fixture(scope="module")
def odd_rules(rules: Ruleset) -> Ruleset:
    """Return rules whose provinces and tiles have names that are easily misread."""
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


# Actions ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("choose pair II", at.A_CHOOSE + 1),
        ("play on", at.A_PLAY_ON),
        ("decline", at.A_DECLINE),
        ("rebirth", at.A_REBIRTH_YES),
        ("no rebirth", at.A_REBIRTH_NO),
        ("no peace", at.A_NO_PEACE),
        ("peace with seat 2", at.A_PEACE + 2),
        ("abandon Poland", at.A_ABANDON + 33),
        ("end gathering", at.A_END_GATHER),
        ("conquer Poland", at.A_CONQUER + 33),
        ("spy on Poland", at.A_SPY + 33),
        ("end conquest", at.A_END_CONQUEST),
        ("keep the part of Poland", at.A_KEEP + 33),
        ("drop Poland", at.A_DROP + 33),
        ("end dropping", at.A_END_DROP),
        ("place on Poland", at.A_PLACE + 33),
        ("fort on Poland", at.A_FORT + 33),
        ("no fort", at.A_NO_FORT),
        ("seat 3 starts", at.A_START + 3),
        ("draw Weapons", at.A_DRAW + 10),
    ],
)
def test_actions_read_like_the_rulebook(rules: Ruleset, text: str, action: int) -> None:
    assert words.describe_action(rules, action) == text
    assert words.parse_action(rules, text) == action
    assert words.parse_action(rules, f"  {text.upper()} ".replace(" ", "  ")) == action


def test_every_action_has_words_of_its_own_whatever_the_names(rules: Ruleset, odd_rules: Ruleset) -> None:
    for some in (rules, odd_rules):
        described = words.vocabulary(some).actions
        assert len(set(described.values())) == len(described) == 6 + 9 + 4 + 7 * 45 + 4 + 26
        assert {action: words.parse_action(some, text) for action, text in described.items()} == {
            action: action for action in described
        }


def test_tiles_of_the_same_title_are_told_apart(odd_rules: Ruleset) -> None:
    assert words.parse_action(odd_rules, "draw Twice [weapons]") == at.A_DRAW + 10
    assert words.parse_action(odd_rules, "draw twice [ESPIONAGE]") == at.A_DRAW + 11


def test_names_that_differ_only_in_case_must_be_written_exactly(odd_rules: Ruleset) -> None:
    assert words.parse_action(odd_rules, "conquer Poland") == at.A_CONQUER + 33
    assert words.parse_action(odd_rules, "conquer poland") == at.A_CONQUER + 10
    with pytest.raises(ValueError, match="'CONQUER POLAND' could mean any of 'conquer poland', 'conquer Poland'"):
        words.parse_action(odd_rules, "CONQUER POLAND")


def test_words_without_meaning_get_the_nearest_ones(rules: Ruleset) -> None:
    with pytest.raises(ValueError, match="there is no 'conquer Polnd'; near it are 'conquer Poland'"):
        words.parse_action(rules, "conquer Polnd")
    with pytest.raises(ValueError, match="there is no 'qqqqq'; actions read like 'conquer Poland'"):
        words.parse_action(rules, "qqqqq")


@pytest.mark.parametrize("action", [-1, 7, at.A_CONQUER + 45, at.A_START + 4, at.ACTIONS])
def test_codes_without_an_action_are_refused(rules: Ruleset, action: int) -> None:
    with pytest.raises(ValueError, match=f"there is no code {action}; codes run from 0 to"):
        words.describe_action(rules, action)


# Events -------------------------------------------------------------------------------------------------------------


def said(game: Scenario, kind: str) -> list[str]:
    """Return the sentences of the events of a kind."""
    return [words.describe_event(game.rules, kind, row) for row in game.found(kind)]


def test_a_conquest_spells_out_its_cost() -> None:
    game = Scenario(4).civ(2, "barbarians", "slavery").civ(0, "livestock", "mining")
    game.own(2, {"Austria": 9}).own(0, {"Bohemia": 2}).conquest(2).do("conquer Bohemia")
    assert said(game, "conquest") == [
        "seat 2 conquers Bohemia from seat 0 for 4 tokens: 3 mountain, 2 defenders, -1 from a mountain (Austria)"
    ]
    assert said(game, "loss") == ["seat 0 loses Bohemia: 1 token gone, 1 token to place again"]


def sentence(rules: Ruleset, kind: str, **fields: int) -> str:
    """Return an event with all fields that are not named at 0."""
    return words.describe_event(rules, kind, dict.fromkeys(at.EVENT_FIELDS[kind], 0) | fields)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        (
            {"from_seat": -1, "origin": -1, "base": 2, "cost": 2},
            "seat 0 enters and conquers Ireland (empty) for 2 tokens: 2 pasture",
        ),
        (
            {"from_seat": -1, "link": at.SEA, "origin": 1, "base": 2, "defenders": 1, "origin_coast": -1, "cost": 2},
            "seat 0 conquers over the sea Ireland (neutral) for 2 tokens: 2 pasture, 1 defender, -1 along the coast "
            "(Scotland)",
        ),
        (
            {"from_seat": 1, "from_decline": 1, "link": at.BORDER, "is_spy": 1, "cost": 2},
            "seat 0 conquers Ireland from seat 1 in decline by espionage for 2 tokens",
        ),
        (
            {"from_seat": 0, "from_decline": 1, "link": at.BORDER, "base": 2, "defenders": 1, "fort": 1, "cost": 4},
            "seat 0 conquers Ireland from its own empire in decline for 4 tokens: 2 pasture, 1 defender, 1 fort",
        ),
        (
            {
                "from_seat": 1,
                "link": at.BORDER,
                "base": 2,
                "militia": 1,
                "tile_any": -2,
                "origin_fort": -1,
                "origin": 2,
            },
            "seat 0 conquers Ireland from seat 1 for 0 tokens: 2 pasture, 1 for the owner's tiles, -2 by tiles, "
            "-1 from a fort (England and Wales)",
        ),
        (
            {"from_seat": -1, "link": at.BORDER, "base": 2, "tile_terrain": -1, "tile_water": -2, "cost": 1},
            "seat 0 conquers Ireland (empty) for 1 token: 2 pasture, -1 by tiles on pasture, -2 by tiles beside water, "
            "but at least 1",
        ),
    ],
)
def test_every_part_of_a_cost_has_its_reason(rules: Ruleset, fields: dict[str, int], text: str) -> None:
    assert sentence(rules, "conquest", **fields) == text


def test_points_are_said_with_their_parts(rules: Ruleset) -> None:
    assert sentence(rules, "scored", seat=1, base=3, mine=2, kills=2, decline_base=4, decline_bonus=1, total=12) == (
        "seat 1 scores 12 points: 3 for provinces, 2 for mines, 2 for eliminated tokens, 4 for provinces in decline, "
        "1 by tiles in decline"
    )
    assert sentence(rules, "scored", seat=1) == "seat 1 scores 0 points"


def test_every_kind_of_event_is_one_sentence(rules: Ruleset) -> None:
    sentences = [sentence(rules, kind) for kind in at.EVENT_FIELDS]
    assert len(set(sentences)) == len(at.EVENT_FIELDS)
    assert not [text for text in sentences if re.search(r"[{}]|\n|\.$", text)]
    assert sentence(rules, "game_over", is_stalled=1) == "the game is over: it has gone on for too many rounds"
    with pytest.raises(ValueError, match="event: there is no 'earthquake'; allowed: seat_drawn, "):
        words.describe_event(rules, "earthquake", {})


def test_names_with_braces_are_only_names(rules: Ruleset) -> None:
    odd = rules.to_json()
    odd["tiles"]["agriculture"]["title"] = "{seat} {0}"
    assert sentence(build(odd), "tile_returned") == "{seat} {0} goes back to the bag"


# Positions as text --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [3, 6])
def test_every_position_of_a_game_comes_back_exactly(players: int) -> None:
    rules = load(players).replace({"victory_threshold": 25})
    for position in random_positions(rules, players, 7):
        text = position.text()
        assert position.state.tobytes() == Position.from_text(rules, text).state.tobytes()
        assert "\nother\n" not in text
        assert max(map(len, text.splitlines())) <= 120


def test_odd_names_survive(odd_rules: Ruleset) -> None:
    some = odd_rules.replace({"victory_threshold": 20})
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
            back = vinci.read_position(rules, vinci.write_position(rules, changed))
            assert back.tobytes() == changed.tobytes(), name
            checked.add(name)
    assert checked == set(at.STATE.names or ())


def test_the_text_names_what_lies_on_the_table(rules: Ruleset) -> None:
    game = Scenario(4).civ(0, "weapons", "astronomy").own(0, {"Poland": 3, "Bohemia": 2}).fortify("Bohemia")
    game.in_decline(1, {"Ireland"}).turn(0)
    rows = [row.strip() for row in vinci.write_position(game.rules, game.state).splitlines()]
    assert rows[0] == "vinci: tabletop, 4 seats"
    assert rows[1] == f"rules: {game.rules.hash}"
    assert "phase: turn start" in rows
    assert "to act: seat 0" in rows
    assert "empire: Bohemia 2 fort, Poland 3" in rows
    assert "in decline: Ireland 1" in rows
    assert any(re.fullmatch(r"tiles: Weapons#\d+ \+ Astronomy#\d+", row) for row in rows)


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


# What is impossible -------------------------------------------------------------------------------------------------


def test_positions_of_a_game_are_possible(rules: Ruleset) -> None:
    for position in random_positions(rules.replace({"victory_threshold": 25}), 5, 5):
        assert position.status() == []


def standing() -> Any:
    """Return a possible position in the middle of a game."""
    game = Scenario(4).civ(0, "weapons", "astronomy").civ(1, "mining", "port").own(0, {"Poland": 3, "Bohemia": 2})
    game.own(1, {"Norway": 1}).in_decline(1, {"Ireland"}).turn(0)
    return game


def spoil(**fields: Any) -> Callable[[Any], None]:
    """Return a function that writes to fields; a dict writes to places of an array."""

    def edit(state: Any) -> None:
        for name, value in fields.items():
            if isinstance(value, dict):
                for place, number in value.items():
                    state[name][place] = number
            else:
                state[name] = value

    return edit


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (spoil(phase=99), "phase: there is no phase 99; allowed: 0 to 14"),
        (spoil(turn_seat=4), "turn_seat: there is no seat 4; allowed: 0 to 3"),
        (spoil(start_seat=-1), "start_seat: there is no seat -1; allowed: 0 to 3"),
        (spoil(phase=at.SURVIVORS, placing_seat=-1), "placing_seat: there is no seat -1; allowed: 0 to 3"),
        (spoil(turn=-1), "turn: -1 turns cannot have been finished"),
        (spoil(choices_made=2, turn=9), "turn: 9 turns are finished, though only 2 seats have chosen a pair"),
        (spoil(round_number=50), "round: 50 does not fit"),
        (spoil(turn_seat=2), "turn_seat: it cannot be 2,"),
        (spoil(neutral=2**33 | 2**19), "Bohemia: belongs to the empire of seat 0 and the neutral provinces"),
        (spoil(neutral=2**50), "province 50: is not on the map, which has 45"),
        (spoil(tokens={33: 0}), "Poland: has 0 tokens of an active empire; allowed: 1 or more"),
        (spoil(tokens={0: 2}), "Ireland: has 2 tokens in decline; allowed: 1"),
        (spoil(tokens={2: 2}), "England and Wales: has 2 neutral tokens; allowed: 1"),
        (spoil(tokens={1: 1}), "Scotland: has 1 tokens but belongs to nobody"),
        (spoil(forts=2**1 | 2**33), "forts: stand in Scotland, which no empire owns"),
        (spoil(bag=0), "is nowhere"),
        (spoil(bag=2**63 - 1), "is in 2 places at once"),
        (spoil(bag=2**63 - 1), "tiles: there is no tile 52; allowed: 0 to 51"),
        (spoil(tile={(0, 0): -1}), "seat 0: holds one tile of a civilization; allowed: two or none"),
        (spoil(tile={(0, 0): -1, (0, 1): -1}), "seat 0: owns Bohemia, Poland without a civilization"),
        (spoil(old_tile={(2, 0): 20}), "seat 2: Weapons (tile 20) does not stay with an empire in decline"),
        (spoil(hand={1: -2}), "seat 1: has -2 tokens in hand; allowed: 0 or more"),
        (spoil(hand={1: 2}), "seat 1: keeps 2 tokens in hand between turns though it has provinces"),
        (spoil(temporary=7), "temporary: 7 temporary tokens cannot be there outside the conquests of a turn"),
        (spoil(decline={0: 2**34}), "Poland: borders Livonia of the same seat 0 in decline"),
        (
            spoil(active={1: 2**3 | 2**31}, done={at.R_SEAT: 1}, turn=8),
            "seat 1: its empire is in pieces after its turn; Macedonia hangs apart",
        ),
        (
            spoil(score={2: 11}),
            "seat 2: has 11 points; 10 at the start + 0 earned - 0 paid + 0 received make 10",
        ),
        (spoil(score={2: -2}, paid={2: 12}), "seat 2: has -2 points, but prices are paid beforehand from what one has"),
        (spoil(coins={0: -1}), "pair I: has -1 coins on 2 tiles"),
        (spoil(coins={0: 3}), "coins: 0 were put on pairs and 0 taken, but 3 lie on the tray"),
        (spoil(tray={(1, 0): -1}), "tray: pair II is missing though there are pairs after it"),
        (spoil(tray={(5, 0): -1, (5, 1): -1}), "tray: 5 pairs lie ready though the bag could fill 6"),
        (spoil(peace={1: 2}), "seat 1: cannot make peace with seat 1"),
        (spoil(peace={1: 16}), "seat 1: cannot make peace with seat 4"),
    ],
)
def test_an_impossible_position_is_named(edit: Callable[[Any], None], problem: str) -> None:
    game = standing()
    assert not [found for found in vinci.status(game.rules, game.state) if problem in found]
    edit(game.state)
    assert [found for found in vinci.status(game.rules, game.state) if problem in found], vinci.status(
        game.rules, game.state
    )


def test_status_and_audit_agree_that_a_hand_made_position_is_possible() -> None:
    game = standing()
    assert entries.audit(game.rules.tables, game.state) == 0
    assert vinci.status(game.rules, game.state) == []
