"""Vinci in words: actions and back, and events as sentences."""

from __future__ import annotations

import contextlib
import re

import pytest

from tests.conftest import ROOT
from tests.vinci.scenario import Scenario
from tests.vinci.some_positions import HOSTILE_NAMES, random_positions, with_hostile_names, with_odd_names
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci import words
from vinci_lab.games.vinci.ruleset import build, load


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return load(4)


@pytest.fixture(scope="module")
def odd_rules(rules: Ruleset) -> Ruleset:
    return with_odd_names(rules)


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
    lagoon = load(3, map="lagoon")
    for some in (rules, odd_rules, with_hostile_names(rules), lagoon, with_hostile_names(lagoon)):
        seats, provinces = some.players, len(some.content["map"]["provinces"])
        described = {}
        for action in range(at.ACTIONS):
            with contextlib.suppress(ValueError):
                described[action] = words.describe_action(some, action)
        assert len(set(described.values())) == len(described) == 6 + 9 + seats + 7 * provinces + seats + 26
        assert {action: words.parse_action(some, text) for action, text in described.items()} == {
            action: action for action in described
        }
    assert len(HOSTILE_NAMES) > 45
    assert words.parse_action(odd_rules, "spy on on") == at.A_SPY + 3


def test_every_action_of_a_game_is_legal_in_its_own_words(rules: Ruleset) -> None:
    some = with_hostile_names(rules.replace({"victory_threshold": 20}))
    seen = set()
    for position in random_positions(some, 4, 3):
        for action, text in zip(position.legal_actions(), position.legal_words(), strict=True):
            twin = position.copy()
            twin.apply(text)
            assert twin.steps[0].action == action
            seen.add(action // 64)
    assert seen >= {0, 1, 2, 6}


@pytest.mark.parametrize("name", ["a, b", '"quoted"', "<b>bold</b>", "<img onerror=1>", " x", "x ", "two\nlines"])
def test_provinces_with_names_that_invite_trouble_are_refused(rules: Ruleset, name: str) -> None:
    content = rules.to_json()
    content["map"]["provinces"][name] = content["map"]["provinces"].pop("Ireland")
    with pytest.raises(DataError, match="must be 1 to 40 letters, digits, spaces"):
        build(content)


def test_tiles_of_the_same_title_are_told_apart(odd_rules: Ruleset) -> None:
    assert words.parse_action(odd_rules, "draw Twice [weapons]") == at.A_DRAW + 10
    assert words.parse_action(odd_rules, "draw twice [ESPIONAGE]") == at.A_DRAW + 11


def test_names_that_differ_only_in_case_must_be_written_exactly(odd_rules: Ruleset) -> None:
    assert words.parse_action(odd_rules, "conquer Poland") == at.A_CONQUER + 33
    assert words.parse_action(odd_rules, "conquer poland") == at.A_CONQUER + 11
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
    assert said(game, "loss") == ["seat 0 loses Bohemia and 1 token; 1 token survives"]


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
            "seat 0 conquers Ireland (neutral) over the sea for 2 tokens: 2 pasture, 1 defender, -1 along the coast "
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


@pytest.mark.parametrize(
    ("kind", "fields", "text"),
    [
        ("chosen", {"tokens": 9}, "seat 0 takes Agriculture and Agriculture with 9 tokens"),
        (
            "chosen",
            {"price": 4, "tokens": 9},
            "seat 0 takes Agriculture and Agriculture with 9 tokens and pays 4 points",
        ),
        (
            "chosen",
            {"price": 2, "coins": 4, "tokens": 1},
            "seat 0 takes Agriculture and Agriculture with 1 token, pays 2 points and receives 4 points for coins",
        ),
        ("income", {"lasting": 1}, "seat 0 receives 1 token to keep"),
        ("income", {"temporary": 7}, "seat 0 receives 7 tokens for this turn"),
        ("income", {"lasting": 2, "temporary": 7}, "seat 0 receives 2 tokens to keep and 7 tokens for this turn"),
        ("loss", {"lost": 1}, "seat 0 loses Ireland and 1 token"),
        ("loss", {"lost": 1, "survivors": 3}, "seat 0 loses Ireland and 1 token; 3 tokens survive"),
        ("dismissed", {"temporary": 7}, "seat 0 sends away 7 temporary tokens"),
        ("dropped", {"tokens": 1}, "seat 0 gives up Ireland with 1 token"),
        ("decline", {"provinces": 1}, "seat 0 declines with 1 province"),
        (
            "decline",
            {"provinces": 4, "tokens_removed": 7, "old_provinces_removed": 1},
            "seat 0 declines with 4 provinces, returns 7 tokens and clears 1 province of the older empire",
        ),
        ("wiped_out", {}, "seat 0 has lost its last token, and its empire in decline leaves the board"),
    ],
)
def test_what_is_nothing_is_not_said(rules: Ruleset, kind: str, fields: dict[str, int], text: str) -> None:
    assert sentence(rules, kind, **fields) == text


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


# The documentation ----------------------------------------------------------------------------------------------------


def documented(title: str) -> str:
    """Return a section of the page about transcripts."""
    page = (ROOT / "docs" / "transcripts.md").read_text(encoding="utf-8")
    return page.split(f"\n## Vinci: {title}\n")[1].split("\n## ")[0]


def test_every_event_is_documented_with_its_fields() -> None:
    text = documented("events")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", text, re.MULTILINE))
    paragraphs = dict(re.findall(r"^\*\*`(\w+)`\*\*: (.*?)(?:\n\n|\Z)", text + "\n\n", re.MULTILINE | re.DOTALL))
    assert list(rows) == list(at.EVENT_FIELDS)
    for kind, fields in at.EVENT_FIELDS.items():
        named = set(re.findall(r"`(\w+)`", rows[kind] + paragraphs.get(kind, "")))
        assert named >= set(fields), kind


def test_every_action_is_documented_with_its_code(rules: Ruleset) -> None:
    text = documented("actions")
    for action, said in words.vocabulary(rules).actions.items():
        if action in words.SINGLE_ACTIONS:
            row = next(row for row in text.splitlines() if re.match(rf"\|.*\b{said}\b", row))
            assert re.search(rf"\b{action}\b", row), said
    for first, verb in words.PROVINCE_ACTIONS.items():
        assert re.search(rf"^\| {verb} \*p\*.*\| {first} \+ \*p\* \|$", text, re.MULTILINE), verb
    for first, said in ((at.A_PEACE, "peace with seat *s*"), (at.A_START, "seat *s* starts (chance)")):
        assert f"| {said} | {first} + *s* |" in text
    assert f"| {at.A_DRAW} + *k* |" in text
    assert f"| choose pair I ... VI | {at.A_CHOOSE} to {at.A_CHOOSE + at.SLOTS - 1} |" in text
