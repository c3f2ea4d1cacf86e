from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.toys import hidden_bid
from vinci_lab.engine import entries, game, questions, records
from vinci_lab.engine.jit import JIT
from vinci_lab.simulation.seats import parse_agent

LAYOUT = np.dtype([("unfinished", "i8"), ("key", "i8"), ("seats", "i8"), ("turn", "i8")])


@pytest.fixture(autouse=True)
def leave_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Undo what a test registers."""
    monkeypatch.setattr(questions, "_ANSWERS", dict(questions._ANSWERS))
    monkeypatch.setattr(game, "_GAMES", dict(game._GAMES))


def test_an_answer_with_other_arguments_is_refused_with_the_ones_it_must_take() -> None:
    def is_over(state: Any) -> bool:
        return True

    with pytest.raises(ValueError, match=r"unfinished: the answer to is_over must take \(tables.*, state.*\)"):
        questions.answers(questions.is_over, LAYOUT)(is_over)


def test_a_second_answer_to_a_question_is_refused() -> None:
    with pytest.raises(ValueError, match="hidden_bid: is_over is answered twice"):
        questions.answers(questions.is_over, hidden_bid.STATE)(hidden_bid.is_over)


def test_a_question_without_answer_names_the_game_and_the_question() -> None:
    tables, state = records.new_record(LAYOUT), records.new_record(LAYOUT)
    with pytest.raises(TypeError, match="the game 'unfinished' has no answer to the question 'deciders'"):
        questions.deciders(tables, state)


@pytest.mark.compiled
def test_a_question_without_answer_is_a_typing_error_in_compiled_code() -> None:
    assert JIT
    tables, state = records.new_record(LAYOUT), records.new_record(LAYOUT)
    with pytest.raises(Exception, match="is_over"):
        entries.is_over(tables, state)


def test_every_question_is_answered_by_the_toy() -> None:
    answered = {name for name, tag in questions._ANSWERS if tag == "hidden_bid"}
    assert answered == set(questions.QUESTIONS) - set(questions.OPTIONAL)


def test_the_fast_policy_answers_where_the_rulebook_has_no_player() -> None:
    tables, state, scratch = hidden_bid.load().tables, *records.new_records(hidden_bid.STATE, 2)
    policy, plans = hidden_bid.GAME.policy(tables), records.new_records(records.PLAN, 2)
    entries.begin_game(tables, state, 5)
    entries.apply_action(tables, state, questions.CHANCE, hidden_bid.A_PRIZE + 1, records.new_record(records.EVENTS))
    assert not questions.is_answered(questions.follow_rulebook, hidden_bid.STATE)
    for question, plan in zip((entries.suggest, entries.follow_rulebook), plans, strict=True):
        assert question(tables, state, scratch, 0, policy, 1, plan) == 1
    assert plans[0].actions[0] == plans[1].actions[0] == hidden_bid.A_BID + 2


def test_a_game_without_a_player_of_the_rulebook_refuses_the_automaton() -> None:
    with pytest.raises(ValueError, match="automaton is a player of the rulebook, and hidden_bid has none"):
        parse_agent(hidden_bid.GAME, "automaton")


def test_every_question_says_what_it_asks() -> None:
    assert all(question.__doc__ for question in questions.QUESTIONS.values())


def test_a_game_registers_once_and_may_be_registered_again() -> None:
    assert game.register(hidden_bid.GAME) is game.register(hidden_bid.GAME) is game.game_of("hidden_bid")
    assert "hidden_bid" in game.game_names()


def test_two_games_cannot_share_a_layout_tag() -> None:
    game.register(hidden_bid.GAME)
    with pytest.raises(ValueError, match=r"copycat: the layout tag 'hidden_bid\w*' belongs to hidden_bid"):
        game.register(replace(hidden_bid.GAME, name="copycat"))


@pytest.mark.parametrize("name", ["round", "choose", "sort", "fill", "base"])
def test_a_field_named_like_an_array_method_is_refused(name: str) -> None:
    layout = np.dtype([("clash", "i8"), (name, "i8")])
    with pytest.raises(ValueError, match=f"layout clash: fields {name} are names of ndarray methods"):
        game.register(replace(hidden_bid.GAME, name="clash", state_layout=layout))


@pytest.mark.parametrize(
    "layout", [records.EVENTS, records.PLAN, records.PLAN_LIST], ids=lambda layout: layout.names[0]
)
def test_the_shared_records_have_no_field_named_like_an_array_method(layout: np.dtype[Any]) -> None:
    assert set(layout.names or ()) & records.FORBIDDEN_FIELDS == set()


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=r"game: there is no 'chess'; choose from .*vinci"):
        game.game_of("chess")


def test_a_copied_record_shares_nothing() -> None:
    state = records.new_record(hidden_bid.STATE)
    copy = records.copy_record(state)
    copy.coins[0] = 5
    copy.turn = 3
    assert state.coins[0] == state.turn == 0


def test_a_full_plan_stays_as_it_is() -> None:
    plan = records.new_record(records.PLAN)
    for action in range(records.PLAN_CAPACITY + 3):
        records.add_to_plan(plan, action)
    assert plan.length == records.PLAN_CAPACITY
    assert list(plan.actions) == list(range(records.PLAN_CAPACITY))
