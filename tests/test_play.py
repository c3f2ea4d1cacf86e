"""Playing without a browser: the session people and agents share, and the widget that shows it."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import vinci_lab as vl
from tests.conftest import ROOT
from tests.toys.hidden_bid import GAME as TOY
from vinci_lab.engine.game import register
from vinci_lab.engine.position import IllegalActionError, Position
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.widgets.board import Board, BoardEvent
from vinci_lab.widgets.play import Play, play
from vinci_lab.widgets.play_words import end_html, log_html, note_html, status_html
from vinci_lab.widgets.session import Session

TWO = ["human", "greedy", "greedy", "greedy"]


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return vl.ruleset("vinci", players=4, map="lagoon").replace({"victory_threshold": 60})


def decide(session: Session, rng: random.Random) -> None:
    """Do something that is offered to a person, whatever it is."""
    choices = session.choices()
    if choices.spread is not None:
        session.spread_evenly()
        session.push("Done")
        return
    spots = [spot for spot in choices.spots if spot.actions]
    buttons = [button for button in choices.buttons if button.actions]
    if spots and (not buttons or rng.random() < 0.8):
        session.press(rng.choice(spots).key)
    else:
        session.push(rng.choice(buttons).words)


def finished(session: Session, seed: int = 0) -> Session:
    """Play a game to its end by what is offered."""
    rng = random.Random(seed)
    while not session.is_over:
        session.run_bots()
        if session.is_humans_turn:
            decide(session, rng)
    return session


def until(session: Session, wanted: Callable[[Session], bool], seed: int = 0) -> Session:
    """Play until something is the case."""
    rng = random.Random(seed)
    for _ in range(3000):
        session.run_bots()
        assert not session.is_over, "the game ended before"
        if wanted(session):
            return session
        decide(session, rng)
    raise AssertionError("it never came to that")


def phase(*names: int) -> Callable[[Session], bool]:
    return lambda session: int(session.position.state.phase) in names


# Whole games --------------------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_whole_game_is_played_by_what_is_offered(rules: Ruleset, seed: int) -> None:
    session = finished(Session(rules, ["human", "greedy", "random", "human:Ada"], seed=seed), seed)
    assert session.transcript().verify() is None
    assert session.scores_by_turn()[-1] == session.position.scores
    assert len(session.scores_by_turn()) == session.position.turn + 1


@pytest.mark.slow_without_jit
def test_agents_alone_play_the_game_that_is_simulated(rules: Ruleset) -> None:
    agents = ["greedy", "search:rollouts=8", "random", "greedy"]
    runs = vl.simulate(rules, agents=agents, games=1, seed=5, progress=False)
    session = Session(rules, agents, seed=5)
    session.run_bots()
    simulated = vl.open_game(runs, 0)
    assert session.transcript().lines == simulated.lines


def test_everything_that_is_legal_is_offered_and_nothing_else(rules: Ruleset) -> None:
    """Except giving up provinces and placing tokens, which are marked first and then played in order."""
    rng, session, seen = random.Random(3), Session(rules, ["human"] * 4, seed=4), set()
    while not session.is_over and session.position.turn < 40:
        choices, state = session.choices(), session.position.state
        seen.add(int(state.phase))
        offered = {one.actions for one in (*choices.spots, *choices.buttons) if one.actions}
        first = {actions[0] for actions in offered}
        legal = set(session.position.legal_actions())
        assert first <= legal
        if state.phase not in (at.GATHER, at.PLACE, at.SURVIVORS):
            spied = {code for code in legal if at.A_SPY <= code < at.A_SPY + 64}
            assert legal - first <= spied
        decide(session, rng)
    assert {at.CHOOSE, at.TURN_START, at.GATHER, at.CONQUEST, at.PLACE} <= seen


def test_the_cost_is_known_before_the_click(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.CONQUEST))
    spot = next(spot for spot in session.choices().spots if spot.actions and spot.badge)
    hand = int(session.position.state.hand[0])
    session.press(spot.key)
    conquest = next(event for event in session.position.events if event.kind == "conquest")
    assert str(conquest.fields["cost"]) == spot.badge
    assert conquest.words.partition(": ")[2] in spot.lines[0]
    assert spot.lines[0].endswith(f"Leaves {hand - conquest.fields['cost']} in hand")


# What cannot be done ------------------------------------------------------------------------------------------------
def test_there_is_always_something_to_do(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.PLACE))
    session.undo()
    finished(session, 1)  # once it came to a turn in which nothing could be conquered


def test_a_province_out_of_reach_says_why(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.CONQUEST))
    closed = [spot for spot in session.choices().spots if not (spot.is_open or spot.is_note)]
    before = session.position.text()
    with pytest.raises(IllegalActionError, match=r"Out of reach|edge of the board|You have \d+"):
        session.press(closed[0].key)
    assert session.position.text() == before
    assert all(spot.lines for spot in closed)


@pytest.mark.parametrize("key", ["province:999", "nonsense", "", "slot:0"])
def test_a_place_without_meaning_is_a_sentence(rules: Ruleset, key: str) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.CONQUEST))
    with pytest.raises(IllegalActionError, match="nothing to do here"):
        session.press(key)


def test_an_unknown_button_names_the_ones_there_are(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.CONQUEST))
    with pytest.raises(IllegalActionError, match="'End conquests'"):
        session.push("Surrender")


def test_nobody_plays_for_an_agent(rules: Ruleset) -> None:
    session = Session(rules, ["greedy"] * 4, seed=1)
    for act in (lambda: session.press("slot:0"), lambda: session.do([0]), lambda: session.hint()):
        with pytest.raises(IllegalActionError, match="an agent"):
            act()


def test_a_command_is_carried_out_whole_or_not_at_all(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.CONQUEST))
    spot = next(spot for spot in session.choices().spots if spot.actions)
    before = session.position.text()
    with pytest.raises(IllegalActionError):
        session.do([*spot.actions, *spot.actions])
    assert session.position.text() == before
    assert session.position.history == session.position.copy().history


@pytest.mark.parametrize(
    ("seats", "complaint"),
    [
        (["human", "nobody", "greedy", "greedy"], "there is no 'nobody'"),
        (["human", "greedy"], "give one for all seats"),
        (["human", 3, "greedy", "greedy"], "must be a name"),
    ],
)
def test_odd_seats_are_refused_in_a_sentence(rules: Ruleset, seats: list[Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Session(rules, seats, seed=1)


def test_an_odd_seed_is_refused_in_a_sentence(rules: Ruleset) -> None:
    with pytest.raises(ValueError, match="seed: -1 is not allowed"):
        Session(rules, TWO, seed=-1)


# Tokens -------------------------------------------------------------------------------------------------------------
def test_tokens_are_placed_as_marked(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.PLACE))
    spots = [spot for spot in session.choices().spots if spot.mark]
    total = session.choices().spread.total  # type: ignore[union-attr]
    for _ in range(total):
        session.press(spots[-1].key)
    with pytest.raises(IllegalActionError, match="no token is left"):
        session.press(spots[0].key)
    session.press(spots[-1].key, take_back=True)
    session.press(spots[0].key)
    wanted = {spot.key: spot.held for spot in spots}
    wanted[spots[0].key] += 1
    wanted[spots[-1].key] += total - 1
    session.push("Done")
    tokens = session.position.state.tokens
    assert {key: int(tokens[int(key.partition(":")[2])]) for key in wanted} == wanted


def test_a_single_token_moves_to_where_it_is_wanted(rules: Ruleset) -> None:
    one = lambda session: session.choices().spread is not None and session.choices().spread.total == 1  # noqa: E731
    session = until(Session(rules, TWO, seed=8), one, seed=1)
    first, second = session.choices().spots[:2]
    session.press(first.key)
    session.press(second.key)
    assert session.marks == {second.mark: 1}
    widget = Play(session)
    looks = {region["key"]: region["mark"] for region in widget._board.regions}
    assert (looks[first.key], looks[second.key]) == ("can", "chosen")
    session.push("Done")


def test_even_gives_no_province_two_more_than_another(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.PLACE))
    spots = [spot for spot in session.choices().spots if spot.mark]
    session.spread_evenly()
    session.push("Done")
    tokens = [int(session.position.state.tokens[int(spot.key.partition(":")[2])]) for spot in spots]
    assert max(tokens) - min(tokens) <= 1


def test_done_waits_until_all_tokens_are_marked(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.PLACE))
    with pytest.raises(IllegalActionError, match="not yet"):
        session.push("Done")
    with pytest.raises(IllegalActionError, match="nothing to take back"):
        session.press(session.choices().spots[0].key, take_back=True)


def test_a_province_is_given_up_with_the_next_conquest(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.TURN_START))
    session.push("Play on")
    assert phase(at.GATHER)(session)
    own = next(spot for spot in session.choices().spots if spot.mark)
    session.press(own.key)
    target = next(spot for spot in session.choices().spots if spot.actions)
    session.press(target.key)
    kinds = [event.kind for step in session.position.history[-4:] for event in step.events]
    assert kinds.index("abandoned") < kinds.index("conquest")
    session.undo()
    assert phase(at.GATHER)(session)


def test_a_person_is_asked_for_survivors_in_the_turn_of_another(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=8), phase(at.SURVIVORS), seed=1)
    assert session.player is not None
    assert session.player.is_human
    assert int(session.position.state.turn_seat) != session.player.seat
    assert "surviving tokens" in session.choices().question
    assert "It is the turn of seat" in status_html(session, session.choices().question, False)
    turn = session.position.turn
    session.spread_evenly()
    session.push("Done")
    session.run_bots()
    assert session.position.turn >= turn


# Undo ---------------------------------------------------------------------------------------------------------------
def test_undo_goes_back_to_before_the_command(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.CONQUEST))
    before, log = session.position.text(), session.log()
    session.press(next(spot for spot in session.choices().spots if spot.actions).key)
    assert session.can_undo
    session.undo()
    assert session.position.text() == before
    assert session.log() == log


def test_undo_takes_what_agents_did_back_too(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.PLACE))
    before = session.position.text()
    session.spread_evenly()
    session.push("Done")
    session.bot_step()
    if not session.can_undo:
        pytest.fail("the next agent revealed something; choose another seed")
    session.undo()
    assert session.position.text() == before
    assert session.scores_by_turn()[-1] == session.position.scores


def test_undo_takes_marks_back_first(rules: Ruleset) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.PLACE))
    before = session.position.text()
    session.press(session.choices().spots[0].key)
    session.undo()
    assert session.marks == {}
    assert session.position.text() == before


def test_what_chance_has_revealed_is_not_undone(rules: Ruleset) -> None:
    session = Session(rules, ["human"] * 4, seed=2)
    session.press("slot:0")
    before = session.position.text()
    assert not session.can_undo
    with pytest.raises(IllegalActionError, match="cannot be unseen"):
        session.undo()
    assert session.position.text() == before


def test_nothing_to_undo_is_a_sentence(rules: Ruleset) -> None:
    with pytest.raises(IllegalActionError, match="no command to take back"):
        Session(rules, ["human"] * 4, seed=2).undo()


# Hints --------------------------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("agent", ["greedy", "search:rollouts=8", "random", "automaton"])
def test_any_agent_gives_a_hint_with_reasons_that_can_be_followed(rules: Ruleset, agent: str) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.CONQUEST))
    before = session.position.text()
    hint = session.hint(agent)
    assert session.position.text() == before
    assert hint.words
    assert any("outlook" in reason for reason in hint.reasons)
    session.do(hint.actions)
    assert session.position.text() != before


def test_a_hint_for_a_choice_says_what_the_pair_brings(rules: Ruleset) -> None:
    hint = Session(rules, ["human"] * 4, seed=2).hint()
    assert hint.words[0].startswith("choose pair")
    assert any("token" in reason for reason in hint.reasons)


def test_an_unknown_adviser_is_a_sentence(rules: Ruleset) -> None:
    with pytest.raises(ValueError, match="there is no 'oracle'"):
        Session(rules, ["human"] * 4, seed=2).hint("oracle")


# Files --------------------------------------------------------------------------------------------------------------
def test_a_game_is_saved_and_played_on(rules: Ruleset, tmp_path: Path) -> None:
    session = until(Session(rules, TWO, seed=6), phase(at.PLACE))
    path = session.save(tmp_path / "game.jsonl")
    again = Session.load(path)
    assert again.position == session.position
    assert [player.name for player in again.players] == TWO
    assert again.log() == session.log()
    again.undo()
    session.undo()
    assert again.position == session.position
    assert finished(again, 1).position == finished(session, 1).position


def test_a_game_whose_chance_was_given_is_loaded(rules: Ruleset, tmp_path: Path) -> None:
    position = vl.new_position(rules, seed=3, auto_chance=False)
    while position.is_chance:
        position.apply(position.chance[-1].action, CHANCE)
    path = vl.Transcript.from_position(position, ["human"] * 4).save(tmp_path / "given.jsonl")
    session = Session.load(path)
    assert session.position == position
    assert session.transcript().verify() is None
    finished(session)


def test_a_file_that_is_no_transcript_is_not_written_over(rules: Ruleset, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("precious", encoding="utf-8")
    with pytest.raises(ValueError, match="is no transcript"):
        Session(rules, TWO, seed=1).save(path)
    assert path.read_text(encoding="utf-8") == "precious"


def test_a_transcript_that_breaks_the_rules_is_refused(rules: Ruleset, tmp_path: Path) -> None:
    path = until(Session(rules, TWO, seed=6), phase(at.PLACE)).save(tmp_path / "game.jsonl")
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    number = next(place for place, line in enumerate(lines) if line["line"] == "action")
    lines[number]["action"] = at.A_FORT
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(DataError, match=f"line {number + 1}"):
        Session.load(path)


def test_a_position_is_played_on(rules: Ruleset) -> None:
    middle = vl.load_transcript(ROOT / "tests/transcripts/vinci_lagoon_three_seats_random.jsonl").position_after(9)
    session = Session(middle.rules, ["human", "greedy", "greedy"], position=middle)
    session.run_bots()
    assert session.position.turn >= 9
    assert session.transcript().verify() is None
    with pytest.raises(ValueError, match="other rules"):
        Session(rules, TWO, position=middle)


# Other games --------------------------------------------------------------------------------------------------------
@pytest.fixture
def toy() -> Iterator[Ruleset]:
    from vinci_lab.engine import game

    known = dict(game._GAMES)
    register(TOY)
    yield TOY.load(4, "toy")
    game._GAMES.clear()
    game._GAMES.update(known)


@pytest.mark.slow_without_jit
def test_a_game_without_drawing_is_played_by_buttons(toy: Ruleset) -> None:
    session = Session(toy, ["human", "greedy", "greedy", "human"], seed=3)
    rng = random.Random(0)
    for _ in range(100):
        session.run_bots()
        if session.is_over:
            break
        decide(session, rng)
    assert session.is_over
    widget = Play(Session(toy, ["human", "greedy", "greedy", "human"], seed=3))
    assert [button.description for button in widget._buttons][:1] == [widget.session.choices().buttons[0].words]
    data, _ = widget._repr_mimebundle_()
    assert "image/png" not in data


# The widget ---------------------------------------------------------------------------------------------------------
def click(widget: Play, key: str, kind: str = "click") -> None:
    widget._clicked(BoardEvent(kind, key))


def test_a_turn_is_played_by_clicks(rules: Ruleset) -> None:
    widget = play(rules, ["human", "greedy", "greedy", "greedy"], seed=6)
    click(widget, "slot:0")
    while not phase(at.CONQUEST)(widget.session):
        decide(widget.session, random.Random(0))
        widget._wake()
    region = next(region for region in widget._board.regions if region["mark"] == "can")
    click(widget, region["key"])
    assert any(event.kind == "conquest" for event in widget.session.position.events)
    closed = next(region for region in widget._board.regions if region["mark"] == "cannot")
    click(widget, closed["key"])
    assert 'data-kind="error"' in widget._said.value
    assert closed["words"] in widget._said.value
    widget._undo.click()
    assert 'data-kind="error"' not in widget._said.value


def test_small_parts_of_the_picture_travel_after_a_click(rules: Ruleset) -> None:
    widget = play(rules, ["human"] * 4, seed=6)
    whole = len(widget._board.svg)
    while not phase(at.CONQUEST)(widget.session):
        decide(widget.session, random.Random(0))
    widget._wake()
    before = widget._board.sent
    click(widget, next(region for region in widget._board.regions if region["mark"] == "can")["key"])
    assert 0 < widget._board.sent - before < whole / 5


def test_a_still_picture_and_words_stand_beside_the_widget(rules: Ruleset) -> None:
    data, _ = play(rules, ["human"] * 4, seed=6)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["image/png"].startswith("iVBOR")
    assert "turn 0" in data["text/plain"]
    assert "image/svg+xml" not in data


def test_controls_answer_while_agents_think(rules: Ruleset) -> None:
    thinking, release = [], []

    def slow(view: Position) -> int:
        thinking.append(view.viewer)
        while not release:
            time.sleep(0.01)
        return view.legal_actions()[0]

    async def run() -> None:
        widget = play(rules, ["human", slow, slow, slow], seed=6, pace=0)
        try:
            while not thinking:
                await asyncio.sleep(0.01)
            began = time.monotonic()
            widget._stop.click()
            assert widget._stop.description == "Let agents go on"
            assert time.monotonic() - began < 2
            before = widget.session.position.text()
            release.append(True)
            await asyncio.sleep(0.1)
            assert widget.session.position.text() == before, "an answer that came after the stop was dropped"
            widget._step.click()
            await asyncio.sleep(0.6)
            assert len(widget.session.position.history) > len(Position.from_text(rules, before).history)
        finally:
            widget.close()

    asyncio.run(run())


def test_agents_go_on_by_themselves_until_a_person_decides(rules: Ruleset) -> None:
    async def run() -> None:
        widget = play(rules, TWO, seed=6, pace=0)
        for _ in range(500):
            if widget.session.is_humans_turn:
                break
            await asyncio.sleep(0.01)
        assert widget.session.is_humans_turn
        widget.hint()
        for _ in range(500):
            if widget._hint:
                break
            await asyncio.sleep(0.01)
        assert widget._hint is not None
        assert 'data-kind="hint"' in widget._said.value
        widget._follow.click()
        assert widget._hint is None
        widget.close()

    asyncio.run(run())


def test_a_failing_agent_is_a_sentence_and_the_game_waits(rules: Ruleset) -> None:
    def broken(view: Position) -> int:
        raise RuntimeError("no idea")

    async def run() -> None:
        widget = play(rules, [broken] * 4, seed=6, pace=0)
        await asyncio.sleep(0.2)
        assert "no idea" in widget._said.value
        assert widget._stop.description == "Let agents go on"
        widget.close()

    asyncio.run(run())


def test_new_games_saving_and_loading_by_buttons(rules: Ruleset, tmp_path: Path) -> None:
    widget = play(rules, ["human"] * 4, seed=6)
    start = widget.session.position.text()
    click(widget, "slot:1")
    widget._path.value = str(tmp_path / "game.jsonl")
    press(widget, "Save")
    assert "Saved as" in widget._said.value
    chosen = widget.session.position.text()
    press(widget, "Same game again")
    assert widget.session.position.text() == start
    press(widget, "Load")
    assert widget.session.position.text() == chosen
    widget._names.value = "human, nobody, greedy, greedy"
    press(widget, "New game")
    assert "there is no &#x27;nobody&#x27;" in widget._said.value
    widget._path.value = str(tmp_path / "missing.jsonl")
    press(widget, "Load")
    assert 'data-kind="error"' in widget._said.value
    assert widget.session.position.text() == chosen


def press(widget: Play, words: str) -> None:
    boxes = [widget]
    while boxes:
        box = boxes.pop()
        if getattr(box, "description", "") == words and hasattr(box, "click"):
            box.click()
            return
        boxes.extend(getattr(box, "children", ()))
    raise AssertionError(f"there is no button {words!r}")


@pytest.mark.slow_without_jit
def test_the_end_names_the_winner_and_shows_the_scores(rules: Ruleset) -> None:
    session = finished(Session(rules, ["human:Ada", "greedy", "greedy", "greedy"], seed=1), 1)
    widget = Play(session)
    best = max(range(4), key=lambda seat: session.position.scores[seat])
    assert session.players[best].title.removeprefix("seat") in widget._end.value
    assert "polyline" in widget._end.value
    assert "seat 0 (Ada)" in widget._end.value


# Names --------------------------------------------------------------------------------------------------------------
EVIL = "<img src=x onerror=alert(1)>"


def test_names_from_files_and_people_stay_text(rules: Ruleset) -> None:
    content = json.loads(json.dumps(rules.to_json()))
    for tile in content["tiles"].values():
        tile["title"] = EVIL
    evil = rules.definition.build(content)
    session = Session(evil, [f"human:{EVIL}", "human", "human", "human"], seed=2)
    session.press("slot:0")
    written = [
        log_html(session),
        status_html(session, EVIL, False),
        note_html("error", EVIL, [EVIL]),
        end_html(session, ""),
        *(picture.svg for picture in vl.engine.playing.pictures_of(session.view, ["a", "b"])),
    ]
    assert all("<img" not in text for text in written)
    assert any("&lt;img" in text for text in written)


def test_what_travels_to_the_board_is_marked_as_data_not_as_page(rules: Ruleset) -> None:
    board = Board(vl.new_position(rules, 1).picture(name="x"))
    assert "<script" not in board.svg
    assert dataclasses.asdict(BoardEvent("click", EVIL))["region"] == EVIL
    heard: list[BoardEvent] = []
    board.on_event(heard.append)
    for content in ({"event": "click", "region": EVIL}, {"event": "explode", "region": "a:1"}, "nonsense", {}, [1]):
        board._receive(board, content, [])
    assert heard == []
