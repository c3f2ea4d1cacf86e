"""A game written down: what the file holds, that replay confirms it, and that nothing false gets past it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.regenerate import FOLDER, GOLDEN, Golden, random_player
from tests.toys import hidden_bid
from vinci_lab import DataError, Position, Transcript, load_transcript, new_position
from vinci_lab.engine import game as games
from vinci_lab.engine.position import IllegalActionError
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.transcript import record_game
from vinci_lab.engine.transcript_lines import FIELDS
from vinci_lab.rulesets import ruleset

Change = Callable[[list[dict[str, Any]]], object]
LINE_TOO_MUCH = {"line": "chance", "turn": 0, "who": "chance", "action": 584, "words": "", "events": []}


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return ruleset("vinci", 3, map="lagoon").replace({"victory_threshold": 15})


@pytest.fixture(scope="module")
def short(rules: Ruleset) -> Transcript:
    return record_game(rules, 5, 2, random_player(5), ["one", "two", "three"])


@pytest.fixture
def changed(short: Transcript) -> Callable[[Change], Transcript]:
    """Return a function that returns the short game after a change to its lines."""

    def change(edit: Change) -> Transcript:
        lines = [json.loads(line) for line in short.text().splitlines()]
        edit(lines)
        return Transcript(lines[0], lines[1:])

    return change


def first(lines: list[dict[str, Any]], kind: str, event: str = "") -> dict[str, Any]:
    """Return the first line of a kind, with a kind of event among its own."""
    return next(
        line
        for line in lines
        if line["line"] == kind and (not event or any(found["kind"] == event for found in line["events"]))
    )


def event_of(lines: list[dict[str, Any]], kind: str) -> dict[str, Any]:
    """Return the first event of a kind."""
    events = (event for line in lines for event in line.get("events", ()) if event["kind"] == kind)
    return next(events)


# Golden games -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_golden_games_replay_identically(golden: Golden) -> None:
    transcript = load_transcript(FOLDER / f"{golden.name}.jsonl")
    assert transcript.verify() is None
    words = (FOLDER / f"{golden.name}.txt").read_text(encoding="utf-8")
    assert words.splitlines() == list(transcript.in_words())
    assert transcript.result is not None


@pytest.mark.parametrize("golden", GOLDEN, ids=lambda golden: golden.name)
def test_golden_games_are_those_that_are_listed(golden: Golden) -> None:
    """The rules of today lead through the same game, whatever the program's version and the data's comments."""
    transcript = load_transcript(FOLDER / f"{golden.name}.jsonl")
    header = transcript.header
    actions = [(line.get("seat", CHANCE), line["action"]) for line in transcript.lines if "action" in line]
    again = Transcript.from_actions(golden.rules(), header["agents"], golden.seed, 0, actions)
    assert again.lines == transcript.lines
    assert again.header["chance"] == "drawn"


def test_every_game_has_a_golden_transcript() -> None:
    recorded = {load_transcript(path).header["game"] for path in FOLDER.glob("*.jsonl")}
    own = {name for name in games.game_names() if games.game_of(name).load.__module__.startswith("vinci_lab.")}
    assert own
    assert own <= recorded


# What is written ----------------------------------------------------------------------------------------------------


def test_a_transcript_holds_the_rules_the_seats_and_the_seed(rules: Ruleset, short: Transcript) -> None:
    header = short.header
    assert header["rules"] == rules.to_json()
    assert header["ruleset_hash"] == rules.hash
    assert (header["agents"], header["seed"], header["game_index"]) == (["one", "two", "three"], 5, 2)
    assert header["chance"] == "drawn"
    assert set(header) == {"line", *FIELDS["header"]}


def test_every_step_and_every_turn_is_a_line(short: Transcript) -> None:
    position = new_position(short.rules, 5, 2, auto_chance=False)
    turns = 0
    for line in short.lines:
        assert set(line) == {"line", *FIELDS[line["line"]]}
        if line["line"] == "turn_end":
            turns += 1
            assert line["turn_end"] == position.turn == turns
            assert line["position"] == position.text()
            assert line["scores"] == list(position.scores)
        elif line["line"] == "result":
            assert line["shares"] == list(position.returns())
        else:
            assert line["who"] == ("chance" if position.is_chance else ["one", "two", "three"][line["seat"]])
            assert line["turn"] == position.turn
            position.apply(line["words"])
            assert line["events"] == [event.to_json() for event in position.events]
    assert position.is_over
    assert short.lines[-1]["line"] == "result"


def test_the_result_ranks_ties_equal(rules: Ruleset) -> None:
    def idle(view: Position) -> str:
        legal = view.legal_words()
        return "end conquest" if "end conquest" in legal else legal[0]

    def expand_in_seat_1(view: Position) -> str:
        return view.legal_words()[-1] if view.viewer == 1 and view.state.choices_made == 3 else idle(view)

    tied = record_game(rules.replace({"stall_rounds": 1}), 1, 0, idle)
    assert tied.result == {
        "line": "result",
        "scores": [10, 10, 10],
        "ranks": [1, 1, 1],
        "shares": [1 / 3, 1 / 3, 1 / 3],
        "rounds": 1,
    }
    won = record_game(rules.replace({"stall_rounds": 1}), 1, 0, expand_in_seat_1)
    assert won.result is not None
    assert (won.result["ranks"], won.result["shares"]) == ([2, 1, 2], [0, 1, 0])
    assert tied.header["agents"] == ["unnamed"] * 3


def test_a_game_is_the_same_from_its_actions_with_or_without_chance(short: Transcript) -> None:
    steps = [line for line in short.lines if "action" in line]
    with_chance = [(line.get("seat", CHANCE), line["action"]) for line in steps]
    decisions = [(seat, action) for seat, action in with_chance if seat != CHANCE]
    for actions in (with_chance, decisions):
        assert Transcript.from_actions(short.rules, ["one", "two", "three"], 5, 2, actions).text() == short.text()


def test_actions_that_the_rules_do_not_allow_are_refused(rules: Ruleset) -> None:
    with pytest.raises(IllegalActionError, match="may not 'play on' now"):
        Transcript.from_actions(rules, None, 5, 2, [(new_position(rules, 5, 2).seat or 0, 8)])


def test_the_number_of_names_must_be_the_number_of_seats(rules: Ruleset) -> None:
    with pytest.raises(ValueError, match="agents: 2 are named for 3 seats"):
        record_game(rules, 1, 0, random_player(1), ["one", "two"])


def test_a_game_played_by_hand_can_be_written_down_before_its_end(rules: Ruleset) -> None:
    position = new_position(rules, seed=8)
    position.apply("choose pair II")
    position.apply("choose pair I")
    transcript = Transcript.from_position(position)
    assert transcript.verify() is None
    assert transcript.result is None
    assert list(transcript.replay())[-1] == position
    from_here = Position.from_text(rules, position.text())
    from_here.apply("choose pair I")
    later = Transcript.from_position(from_here)
    assert (later.header["seed"], later.header["chance"]) == (None, "given")
    assert later.verify() is None
    assert list(later.replay())[-1] == from_here


def test_a_game_with_chance_chosen_by_hand_is_marked_and_confirmed(rules: Ruleset) -> None:
    position = new_position(rules, seed=8, auto_chance=False)
    drawn = position.drawn_outcome()
    position.apply(next(outcome.action for outcome in position.chance if outcome.action != drawn))
    transcript = Transcript.from_position(position)
    assert transcript.header["chance"] == "given"
    assert transcript.verify() is None


def test_agents_are_asked_with_what_their_seat_may_know(rules: Ruleset) -> None:
    asked = []

    def choose(view: Position) -> int:
        asked.append((view.viewer == view.seat, int(view.state.key)))
        legal: list[int] = view.legal_actions()
        return legal[0]

    record_game(rules.replace({"stall_rounds": 1}), 1, 0, choose)
    assert set(asked) == {(True, 0)}


def test_a_game_with_secret_choices_is_recorded_and_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games._GAMES, "hidden_bid", hidden_bid.GAME)
    transcript = record_game(hidden_bid.load(), 3, 0, lambda view: min(1, len(view.legal_actions(view.viewer)) - 1))
    assert transcript.verify() is None
    assert transcript.result is not None
    assert sum(transcript.result["shares"]) == pytest.approx(1)


def test_every_field_of_a_line_is_documented() -> None:
    page = (ROOT / "docs" / "transcripts.md").read_text(encoding="utf-8")
    parts = dict(re.findall(r"^### (`.*?)\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL))
    for kind, fields in FIELDS.items():
        [text] = [text for title, text in parts.items() if f"`{kind}`" in title]
        explained = {
            name for row in re.findall(r"^\| (`.*?) \|", text, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
        }
        assert explained >= set(fields), kind


# Saving, loading, replaying -----------------------------------------------------------------------------------------


def test_a_saved_transcript_is_loaded_the_same(short: Transcript, tmp_path: Path) -> None:
    path = short.save(tmp_path / "game.jsonl")
    loaded = load_transcript(path)
    assert loaded.text() == short.text()
    assert loaded.rules == short.rules
    assert [found.name for found in tmp_path.iterdir()] == ["game.jsonl"]


def test_replay_never_asks_an_agent_and_passes_through_every_position(short: Transcript) -> None:
    positions = list(short.replay())
    steps = [line for line in short.lines if "action" in line]
    assert len(positions) == len(steps) + 1
    assert [position.steps[0].words for position in positions[1:]] == [line["words"] for line in steps]
    assert positions[0].text() == short.header["start"]
    assert positions[-1].is_over
    ends = [line["position"] for line in short.lines if line["line"] == "turn_end"]
    assert set(ends) <= {position.text() for position in positions}


def test_a_game_in_words_says_who_did_what_and_what_came_of_it(short: Transcript) -> None:
    sentences = list(short.in_words())
    assert sentences[0] == (
        f"vinci tabletop, 3 seats (one, two, three), seed 5, game 2, rules {short.header['ruleset_hash']}"
    )
    for line in short.lines:
        if line["line"] == "action":
            said = f"turn {line['turn'] + 1}, seat {line['seat']}: {line['words']}"
            assert [sentence for sentence in sentences if sentence.partition(" (")[0] == said.partition(" (")[0]]
            assert {f"    {event['words']}" for event in line["events"]} <= {*sentences, f"    {line['words']}"}
    assert sentences[-1].startswith("result after ")


def test_equal_steps_in_a_row_are_told_once(changed: Callable[[Change], Transcript]) -> None:
    again = {"turn": 0, "who": "one", "seat": 0, "action": 385, "words": "place on Highmoor"}
    told = {"kind": "placed", "fields": {}, "words": "seat 0 places 1 token on Highmoor"}
    line = {"line": "action", **again, "events": [told]}
    sentences = list(changed(lambda lines: lines.__setitem__(slice(1, None), [line, line, line])).in_words())
    assert sentences[1:] == ["turn 1, seat 0: place on Highmoor (3 times)", "    seat 0 places 1 token on Highmoor"]


def test_a_game_from_a_given_position_says_so(rules: Ruleset) -> None:
    position = Position.from_text(rules, new_position(rules, seed=8).text())
    assert ", from a given position, rules " in next(Transcript.from_position(position).in_words())


def test_words_in_a_file_cannot_steer_the_terminal(changed: Callable[[Change], Transcript]) -> None:
    transcript = changed(lambda lines: lines[1].update(words="\x1b[2Jdraw\nnothing"))
    assert "chance: \\x1b[2Jdraw\\nnothing" in list(transcript.in_words())


# Verification -------------------------------------------------------------------------------------------------------


def spoil_cost(lines: list[dict[str, Any]]) -> None:
    event_of(lines, "conquest")["fields"]["cost"] += 1


def spoil_words(lines: list[dict[str, Any]]) -> None:
    event_of(lines, "scored")["words"] = "seat 0 scores 99 points"


def spoil_position(lines: list[dict[str, Any]]) -> None:
    line = first(lines, "turn_end")
    line["position"] = line["position"].replace("  points: score", "  points: score 1", 1)


def spoil_action(lines: list[dict[str, Any]]) -> None:
    first(lines, "action")["action"] = 8


def spoil_seat(lines: list[dict[str, Any]]) -> None:
    line = first(lines, "action")
    line["seat"] = (line["seat"] + 1) % 3


def spoil_drawn_tile(lines: list[dict[str, Any]]) -> None:
    line = first(lines, "chance", "tile_drawn")
    line["action"] = 584 if line["action"] != 584 else 585


def drop_event(lines: list[dict[str, Any]]) -> None:
    first(lines, "action", "chosen")["events"].pop()


def drop_turn_end(lines: list[dict[str, Any]]) -> None:
    lines.remove(first(lines, "turn_end"))


def drop_result(lines: list[dict[str, Any]]) -> None:
    lines.pop()


def add_line(lines: list[dict[str, Any]]) -> None:
    lines.append(dict(LINE_TOO_MUCH))


def spoil_score(lines: list[dict[str, Any]]) -> None:
    lines[-1]["scores"][0] += 1


def spoil_seed(lines: list[dict[str, Any]]) -> None:
    lines[0]["seed"] = 6


def spoil_version(lines: list[dict[str, Any]]) -> None:
    lines[0]["game_version"] = 99


def spoil_who(lines: list[dict[str, Any]]) -> None:
    first(lines, "action")["who"] = "somebody else"


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (spoil_cost, r"line \d+: events: number 1: fields: cost: \d+ is written, by the rules it is \d+"),
        (spoil_words, r"line \d+: events: number \d+: words: 'seat 0 scores 99 points' is written, by the rules"),
        (spoil_position, r"line \d+: position: row 10: '  points: score 1 \d+, .* is written, by the rules"),
        (spoil_action, r"line \d+: action: seat \d may not 'play on' now; allowed: 'choose pair I'"),
        (spoil_seat, r"line \d+: seat: \d cannot act now; allowed: \d"),
        (
            spoil_drawn_tile,
            r"line \d+: action: chance brings 58[45] \(draw .*\) here, by the seed it brings \d+ \(draw",
        ),
        (drop_event, r"line \d+: events: \d are written, by the rules there are \d"),
        (drop_turn_end, r"line \d+: line: '\w+' is written, by the rules it is 'turn_end'"),
        (drop_result, r"line \d+: 'result' is missing"),
        (add_line, r"line \d+: seat: the game is over, nobody acts"),
        (spoil_score, r"line \d+: scores: number 1: -?\d+ is written, by the rules it is"),
        (spoil_seed, r"line 1: start: row \d+: .*key \d+' is written, by the rules it is .*key"),
        (spoil_version, r"line 1: game_version: 99 was recorded, this program plays vinci version 1"),
        (spoil_who, r"line \d+: who: 'somebody else' is written, by the rules it is '\w+'"),
    ],
)
def test_verification_names_the_first_difference(
    changed: Callable[[Change], Transcript], spoil: Change, sentence: str
) -> None:
    difference = changed(spoil).verify()
    assert difference is not None
    assert re.match(sentence, difference), difference


# Bad files ----------------------------------------------------------------------------------------------------------


def edited(edit: Change) -> Callable[[list[dict[str, Any]]], bytes]:
    def content(lines: list[dict[str, Any]]) -> bytes:
        edit(lines)
        return "".join(json.dumps(line) + "\n" for line in lines).encode()

    return content


BAD_FILES: dict[str, tuple[Callable[[list[dict[str, Any]]], bytes], str]] = {
    "empty": (lambda lines: b"", "line 1: the file is empty; a transcript begins with a header"),
    "not JSON": (lambda lines: b"hello\n", "line 1: not JSON: expecting value at character 1"),
    "a list": (lambda lines: b"[1, 2]\n", "line 1: [1, 2] is not a JSON object"),
    "not UTF-8": (lambda lines: b'{"line": "\xff"}\n', "line 1: byte 11 is not UTF-8"),
    "too deep": (lambda lines: b"[" * 200_000 + b"\n", "line 1: lists and objects are nested too deeply"),
    "not a number": (lambda lines: b'{"line": NaN}\n', "line 1: NaN is not a number JSON allows"),
    "a huge number": (lambda lines: b'{"seed": ' + b"9" * 5000 + b"}\n", "line 1: Exceeds the limit"),
    "a key twice": (lambda lines: b'{"line": 1, "line": 2}\n', "line 1: 'line' is given twice"),
    "no header": (
        edited(lambda lines: lines.pop(0)),
        "line 1: line: 'chance' is not a kind of line here; allowed: header",
    ),
    "another format": (
        edited(lambda lines: lines[0].update(format="chess")),
        "line 1: format: 'chess' is not allowed; allowed: vinci_lab transcript",
    ),
    "another version": (
        edited(lambda lines: lines[0].update(format_version=2)),
        "line 1: format_version: 2 is not allowed; allowed: 1",
    ),
    "another game": (
        edited(lambda lines: lines[0].update(game="os")),
        "line 1: game: 'os' is not allowed; allowed: vinci",
    ),
    "a field too little": (
        edited(lambda lines: lines[3].pop("words")),
        "line 4: words: is missing; it is a text",
    ),
    "a field too much": (
        edited(lambda lines: lines[3].update(run="me")),
        "line 4: 'run': there is no such field; allowed: turn, who, action, words, events",
    ),
    "a wrong type": (
        edited(lambda lines: lines[3].update(action=True)),
        "line 4: action: True is not allowed; allowed: an integer from 0",
    ),
    "a wrong event": (
        edited(lambda lines: lines[3].update(events=[{"kind": "x"}])),
        "line 4: events: [{'kind': 'x'}] is not allowed; allowed: a list of events",
    ),
    "a number too large": (
        edited(lambda lines: lines[3].update(action=2**64)),
        f"line 4: action: {2**64} is not allowed; allowed: an integer from 0",
    ),
    "half a seed": (edited(lambda lines: lines[0].update(seed=None)), "line 1: seed and game_index: both are numbers"),
    "too few names": (edited(lambda lines: lines[0].update(agents=["one"])), "line 1: agents: 1 are named for 3 seats"),
    "broken rules": (edited(lambda lines: lines[0]["rules"].pop("tiles")), "line 1: rules: "),
    "other rules": (
        edited(lambda lines: lines[0]["rules"]["rules"].update(victory_threshold=99)),
        "line 1: ruleset_hash: ",
    ),
}


@pytest.mark.parametrize("name", BAD_FILES)
def test_a_bad_file_gets_a_sentence_with_its_line(name: str, short: Transcript, tmp_path: Path) -> None:
    content, sentence = BAD_FILES[name]
    path = tmp_path / "bad.jsonl"
    path.write_bytes(content([json.loads(line) for line in short.text().splitlines()]))
    with pytest.raises(DataError) as caught:
        load_transcript(path)
    assert caught.value.problems[0].startswith(sentence)


def test_all_that_is_wrong_is_said_at_once(short: Transcript, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in short.text().splitlines()]
    lines[2]["turn"], lines[4]["who"], lines[5]["line"] = -1, 7, "nonsense"
    path = tmp_path / "bad.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(DataError) as caught:
        load_transcript(path)
    assert [problem.split(":")[0] for problem in caught.value.problems] == ["line 3", "line 5", "line 6"]


def test_an_impossible_start_is_refused(rules: Ruleset, changed: Callable[[Change], Transcript]) -> None:
    position = new_position(rules, seed=8)
    text = position.text().replace("points: score 10", "points: score 11", 1)

    def start_elsewhere(lines: list[dict[str, Any]]) -> None:
        lines[0] |= {"seed": None, "game_index": None, "chance": "given", "start": text}
        del lines[1:]

    transcript = changed(start_elsewhere)
    assert transcript.verify() == (
        "line 1: start: seat 0: has 11 points; 10 at the start + 0 earned - 0 paid + 0 received make 10"
    )
    with pytest.raises(DataError, match="line 1: start: seat 0: has 11 points"):
        next(transcript.replay())


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vinci_lab.engine.transcript.LARGEST_FILE", 10)
    (tmp_path / "large.jsonl").write_text("x" * 11)
    with pytest.raises(DataError, match="11 bytes are too many; allowed: 10"):
        load_transcript(tmp_path / "large.jsonl")
