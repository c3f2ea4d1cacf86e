"""Every game passes the conformance check, and the check finds what it is there to find."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from tests.toys import hidden_bid
from vinci_lab import new_position, ruleset
from vinci_lab.conformance import check_game
from vinci_lab.engine import entries
from vinci_lab.engine import game as games
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.position import Position
from vinci_lab.engine.ruleset import Ruleset


@pytest.fixture
def bid_rules(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    monkeypatch.setitem(games._GAMES, "hidden_bid", hidden_bid.GAME)
    return hidden_bid.load()


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5, 6])
def test_vinci_conforms(players: int) -> None:
    rules = ruleset("vinci", players)
    if JIT:
        assert check_game(rules, games=2, seed=players, every=23) > 500
    else:
        assert check_game(rules.replace({"victory_threshold": 40}), games=1, seed=players, every=150) > 60


def test_vinci_conforms_on_a_small_map() -> None:
    rules = ruleset("vinci", 3, map="lagoon").replace({"victory_threshold": 40 if JIT else 25})
    assert check_game(rules, games=2 if JIT else 1, seed=1, every=3 if JIT else 40) > 100


def test_a_game_of_secret_choices_conforms(bid_rules: Ruleset) -> None:
    assert check_game(bid_rules, games=5) == 5 * hidden_bid.ROUNDS * (hidden_bid.SEATS + 1)


# What the check finds -----------------------------------------------------------------------------------------------


def broken(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Ruleset:
    """Return the rules of a toy some hooks of which are broken."""
    monkeypatch.setitem(games._GAMES, "hidden_bid", dataclasses.replace(hidden_bid.GAME, **changes))
    return hidden_bid.load()


def test_words_that_lead_elsewhere_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = broken(monkeypatch, parse_action=lambda rules, text: 0)
    with pytest.raises(AssertionError, match=r"hidden_bid, seed 4, game 0, turn 0, step 0: action 8 reads 'prize 2', "):
        check_game(rules, games=1, seed=4)


def test_a_text_that_forgets_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def forgetful(rules: Ruleset, text: str) -> Any:
        state = hidden_bid.read_position(rules, text)
        state.spent[0] = 0
        return state

    rules = broken(monkeypatch, read_position=forgetful)
    with pytest.raises(AssertionError, match="the position's text does not lead back to it"):
        check_game(rules, games=1)


def test_a_possible_position_that_is_called_impossible_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = broken(monkeypatch, status=lambda rules, state: ["too early"] if state.turn == 2 else [])
    with pytest.raises(
        AssertionError, match=r"turn 2, step \d+: the position is said to be impossible: \['too early'\]"
    ):
        check_game(rules, games=1)


@pytest.mark.parametrize(
    ("question", "answer", "sentence"),
    [
        ("legal_actions", lambda tables, state, seat, mask: 0, "seat 0 must decide but may do nothing"),
        ("chance_outcomes", lambda tables, state, weights: 0, "neither a seat nor chance has anything to do"),
        ("draw_chance", lambda tables, state, key: 0, "chance draws 0, which is not among the outcomes"),
        ("audit", lambda tables, state: 5, r"broken invariants: \[0, 2\]"),
        ("suggest", lambda tables, view, scratch, seat, params, key, plan: 0, "the fast policy suggests nothing"),
        ("propose_plans", lambda tables, view, scratch, seat, params, key, plans, tools: 0, "no plan is proposed"),
    ],
)
def test_broken_answers_are_found(
    bid_rules: Ruleset, monkeypatch: pytest.MonkeyPatch, question: str, answer: Any, sentence: str
) -> None:
    monkeypatch.setattr(entries, question, answer)
    with pytest.raises(AssertionError, match=sentence):
        check_game(bid_rules, games=1)


def test_an_illegal_suggestion_is_found(bid_rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    def suggest(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
        plan.actions[0] = 9
        return 1

    monkeypatch.setattr(entries, "suggest", suggest)
    with pytest.raises(AssertionError, match=r"the fast policy: 'prize 4' \(step 1\) is not legal"):
        check_game(bid_rules, games=1)


def test_a_suggestion_that_goes_on_when_others_decide_is_found(
    bid_rules: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    def suggest(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
        plan.actions[:2] = 0
        return 2

    monkeypatch.setattr(entries, "suggest", suggest)
    with pytest.raises(AssertionError, match="the fast policy goes on with 'bid 0' when seat 0 decides nothing"):
        check_game(bid_rules, games=1)


def test_a_view_that_tells_the_key_is_found(bid_rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    def observe(tables: Any, state: Any, seat: int, view: Any) -> None:
        for name in state.dtype.names:
            view[name] = state[name]

    monkeypatch.setattr(entries, "observe", observe)
    with pytest.raises(AssertionError, match="the view of seat 0 depends on the random key"):
        check_game(bid_rules, games=1)


def test_an_action_that_writes_to_the_printed_numbers_is_found(
    bid_rules: Ruleset, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = entries.apply_action

    def apply_action(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
        tables.weight[0] += 1
        original(tables, state, seat, action, events)

    monkeypatch.setattr(entries, "apply_action", apply_action)
    with pytest.raises(AssertionError, match=r"the printed numbers have changed|draws something else"):
        check_game(bid_rules, games=1)


def test_shares_that_do_not_sum_to_one_are_found(bid_rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Position, "returns", lambda position: (0.5,) * 4 if position.is_over else (0.0,) * 4)
    with pytest.raises(AssertionError, match=r"the shares of the win are \(0.5, 0.5, 0.5, 0.5\)"):
        check_game(bid_rules, games=1)


def test_a_forbidden_field_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = broken(monkeypatch, memo_layout=np.dtype([("hidden_bid_memo", "i8"), ("round", "i8")]))
    with pytest.raises(ValueError, match="fields round are names of ndarray methods"):
        check_game(rules, games=1)


def test_an_event_that_overflows_the_buffer_is_an_error(bid_rules: Ruleset, monkeypatch: pytest.MonkeyPatch) -> None:
    def apply_action(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
        events.length = 1_000

    position = new_position(bid_rules, auto_chance=False)
    monkeypatch.setattr(entries, "apply_action", apply_action)
    with pytest.raises(RuntimeError, match="one action caused 1000, the buffer holds 192"):
        position.apply("prize 2")
