"""What a person does with a position: look, act, undo, copy, write down, and see no more than a seat may."""

from __future__ import annotations

import numpy as np
import pytest

from tests.toys import hidden_bid
from vinci_lab import Position, new_position
from vinci_lab.engine import game as games
from vinci_lab.engine.position import IllegalActionError
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.rulesets import ruleset


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return ruleset("vinci", 4)


@pytest.fixture
def position(rules: Ruleset) -> Position:
    return new_position(rules, seed=3)


@pytest.fixture
def bidding(monkeypatch: pytest.MonkeyPatch) -> Position:
    monkeypatch.setitem(games._GAMES, "hidden_bid", hidden_bid.GAME)
    return new_position(hidden_bid.load(), seed=5)


def choose_all(position: Position) -> Position:
    for _ in range(4):
        position.apply("choose pair I")
    return position


# Looking ------------------------------------------------------------------------------------------------------------


def test_a_new_game_waits_for_the_first_choice(position: Position) -> None:
    assert position.deciders == (position.seat,) == (int(position.state.start_seat),)
    assert position.legal_words() == [f"choose pair {slot}" for slot in ("I", "II", "III", "IV", "V", "VI")]
    assert position.actions == dict(zip(position.legal_words(), position.legal_actions(), strict=True))
    assert position.scores == (10, 10, 10, 10)
    assert position.returns() == (0, 0, 0, 0)
    assert not position.is_over
    assert not position.is_chance


def test_the_same_seed_is_the_same_game_and_another_is_not(rules: Ruleset, position: Position) -> None:
    assert new_position(rules, seed=3) == position
    assert new_position(rules, seed=4) != position
    assert new_position(rules, seed=3, game=1) != position


@pytest.mark.parametrize("seed", [-1, 2**63])
def test_a_seed_out_of_range_is_refused(rules: Ruleset, seed: int) -> None:
    with pytest.raises(ValueError, match=rf"seed: {seed} is not allowed; allowed: 0 to"):
        new_position(rules, seed=seed)


def test_only_a_seat_that_must_decide_has_legal_actions(position: Position) -> None:
    others = [seat for seat in range(4) if seat != position.seat]
    assert [position.legal_actions(seat) for seat in others] == [[], [], []]


def test_the_short_form_says_who_is_to_decide(position: Position) -> None:
    assert repr(position) == "<vinci tabletop, 4 seats, turn 0: seat 3 to decide, 6 legal actions>"
    assert repr(position.view(1)).endswith("6 legal actions, as seat 1 sees it>")


def test_a_game_without_a_drawing_shows_none(bidding: Position) -> None:
    assert bidding._repr_svg_() is None


# Acting -------------------------------------------------------------------------------------------------------------


def test_an_action_is_taken_by_code_or_by_words(position: Position) -> None:
    other = position.copy()
    other.apply(position.actions["choose pair II"])
    assert position.apply("  Choose PAIR ii ") == other.events
    assert position == other


def test_the_events_of_an_action_are_words_and_numbers(position: Position) -> None:
    seat = position.seat
    chosen, *drawn = position.apply("choose pair III")
    assert chosen.kind == "chosen"
    assert (chosen.fields["seat"], chosen.fields["price"], chosen.fields["coins"]) == (seat, 4, 0)
    assert chosen.words == f"seat {seat} takes Livestock Breeding and Astronomy with 14 tokens and pays 4 points"
    assert [event.kind for event in drawn] == ["tile_drawn", "tile_drawn"]
    assert chosen.to_json() == {"kind": "chosen", "fields": dict(chosen.fields), "words": chosen.words}
    assert [step.seat for step in position.steps] == [seat, CHANCE, CHANCE]


def test_an_illegal_action_names_what_is_allowed_and_changes_nothing(position: Position) -> None:
    before = position.text()
    with pytest.raises(IllegalActionError, match=r"seat 3 may not 'play on' now; allowed: 'choose pair I', 'choose"):
        position.apply("play on")
    with pytest.raises(IllegalActionError, match="may not 'no fort' now"):
        position.apply(15)
    with pytest.raises(IllegalActionError, match="may not '99999' now"):
        position.apply(99_999)
    assert position.text() == before
    assert position.history[-1].words.startswith("draw ")


def test_words_that_mean_nothing_get_the_nearest_legal_ones(position: Position) -> None:
    with pytest.raises(
        IllegalActionError, match=r"there is no 'chose pair IV' for seat 3; did you mean 'choose pair IV'"
    ):
        position.apply("chose pair IV")
    with pytest.raises(IllegalActionError, match=r"there is no 'xyzzy' for seat 3; allowed: 'choose pair I'"):
        position.apply("xyzzy")


@pytest.mark.parametrize("nonsense", [None, 1.0, True, ["choose pair I"]])
def test_an_action_is_a_code_or_words(position: Position, nonsense: object) -> None:
    with pytest.raises(IllegalActionError, match="is neither a code nor words"):
        position.apply(nonsense)


def test_another_seat_cannot_act(position: Position) -> None:
    with pytest.raises(IllegalActionError, match="seat: 1 cannot act now; allowed: 3"):
        position.apply("choose pair I", seat=1)


def test_nobody_acts_after_the_end(rules: Ruleset) -> None:
    position = new_position(rules.replace({"stall_rounds": 1}), seed=1)
    while not position.is_over:
        position.apply(position.legal_actions()[0])
    assert sum(position.returns()) == pytest.approx(1)
    assert (position.seat, position.legal_actions(), position.chance) == (None, [], [])
    with pytest.raises(IllegalActionError, match="the game is over, nobody acts"):
        position.apply("play on")


# Chance -------------------------------------------------------------------------------------------------------------


def test_chance_can_be_decided_by_hand(rules: Ruleset) -> None:
    position = new_position(rules, seed=3, auto_chance=False)
    assert position.is_chance
    assert position.seat is None
    assert [(outcome.words, outcome.probability) for outcome in position.chance] == [
        (f"seat {seat} starts", 0.25) for seat in range(4)
    ]
    position.apply("seat 2 starts")
    drawn = {outcome.words: outcome for outcome in position.chance}
    assert drawn["draw Weapons"].weight == 2
    assert drawn["draw Specialization"].probability == pytest.approx(1 / 52)
    position.apply("draw Weapons")
    assert [step.seat for step in position.steps] == [CHANCE]
    assert int(position.rules.tables.kind_of[position.state.tray[0, 0]]) == drawn["draw Weapons"].action - 584
    with pytest.raises(IllegalActionError, match="seat: 1 cannot act now, chance is due"):
        position.apply("choose pair I", seat=1)


def test_chance_resolved_later_is_what_the_key_would_have_drawn_at_once(rules: Ruleset, position: Position) -> None:
    waiting = new_position(rules, seed=3, auto_chance=False)
    assert len(waiting.resolve_chance()) == 13
    assert waiting == position
    assert waiting.resolve_chance() == ()


# Undo ---------------------------------------------------------------------------------------------------------------


def test_undo_goes_back_to_the_last_revealed_chance(position: Position) -> None:
    choose_all(position)
    start, history = position.text(), len(position.history)
    for _ in range(3):
        position.apply(position.legal_actions()[0])
    for _ in range(3):
        position.undo()
    assert position.text() == start
    assert len(position.history) == history
    with pytest.raises(IllegalActionError, match=r"undo: chance has spoken since \(draw .*\) and cannot be unseen"):
        position.undo()
    assert position.text() == start


def test_undo_without_an_action_is_refused(rules: Ruleset, position: Position) -> None:
    with pytest.raises(IllegalActionError, match="there is no action to take back"):
        Position.from_text(rules, position.text()).undo()


# Copies and views ---------------------------------------------------------------------------------------------------


def test_copies_share_nothing_not_even_through_undo(position: Position) -> None:
    choose_all(position)
    position.apply(position.legal_actions()[0])
    twin, after = position.copy(), position.text()
    assert not np.shares_memory(np.asarray(twin.state.score), np.asarray(position.state.score))
    twin.undo()
    before = twin.text()
    twin.apply(twin.legal_actions()[-1])
    assert position.text() == after
    position.undo()
    assert position.text() == before


def test_a_view_hides_the_key_and_waits_at_chance(position: Position) -> None:
    view = position.view(0)
    assert position.state.key != 0
    assert view.state.key == 0
    assert view.viewer == 0
    assert view.legal_words(position.seat) == position.legal_words()
    view.apply("choose pair I")
    assert view.is_chance
    assert position.seat is not None
    with pytest.raises(ValueError, match="seat: there is no 4; allowed: 0 to 3"):
        position.view(4)


def test_what_a_seat_imagines_looks_the_same_and_draws_otherwise(position: Position) -> None:
    view = position.view(2)
    worlds = [view.imagine(key) for key in range(5)]
    assert all(world.view(2) == view for world in worlds)
    drawn = {world.apply("choose pair I")[-1].words for world in worlds}
    assert len(drawn) > 1
    with pytest.raises(ValueError, match="whose knowledge"):
        position.imagine(1)


def test_several_seats_decide_at_once_and_do_not_see_each_other(bidding: Position) -> None:
    assert bidding.deciders == (0, 1, 2, 3)
    bidding.apply("bid 3", seat=2)
    assert bidding.deciders == (0, 1, 3)
    assert bidding.view(0).state.pending[2] == hidden_bid.HIDDEN
    assert bidding.view(2).state.pending[2] == 3
    assert bidding.scores == (0, 0, 0, 0)
    bidding.undo()
    assert bidding.deciders == (0, 1, 2, 3)


# Text ---------------------------------------------------------------------------------------------------------------


def test_a_position_comes_back_from_its_text(rules: Ruleset, position: Position) -> None:
    back = Position.from_text(rules, choose_all(position).text())
    assert back == position
    assert back.state.key == position.state.key
    assert str(back) == position.text()
    assert back.apply(back.legal_actions()[0]) == position.apply(position.legal_actions()[0])


def test_a_position_is_not_equal_to_something_else(position: Position) -> None:
    assert position != position.text()
    with pytest.raises(TypeError):
        hash(position)
