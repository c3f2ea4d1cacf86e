"""The protocol of ``engine.questions``, proved on a game of secret simultaneous bids and chance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.toys import hidden_bid, last_stone
from tests.toys.hidden_bid import ACTIONS, COINS, HIDDEN, NOT_YET, PRIZES, ROUNDS, SEATS
from tests.toys.play_out import digest, finished_games
from vinci_lab.conformance import plan_tools
from vinci_lab.engine import chance, entries
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, PLAN, PLAN_LIST, copy_record, new_record, new_records

TABLES = hidden_bid.load().tables
GAMES = 2_000 if JIT else 60


@pytest.fixture
def events() -> Any:
    record = new_record(EVENTS)
    record.is_on = 1
    return record


@pytest.fixture
def bidding(events: Any) -> Any:
    """Return a position in which all four seats owe a bid for a prize of 4."""
    state = new_record(hidden_bid.STATE)
    entries.begin_game(TABLES, state, chance.game_key(7, 0))
    entries.apply_action(TABLES, state, CHANCE, hidden_bid.A_PRIZE + 1, events)
    events["length"] = 0
    return state


def kinds(events: Any) -> list[int]:
    return [int(row[0]) for row in events.rows[: events["length"]]]


def bid(state: Any, events: Any, *coins: int) -> None:
    for seat, number in enumerate(coins):
        entries.apply_action(TABLES, state, seat, number, events)


def positions(games: int) -> Iterator[Any]:
    """Yield every position of some games of random bids in random order of the seats."""
    state, nothing, mask = new_record(hidden_bid.STATE), new_record(EVENTS), np.zeros(ACTIONS, np.uint8)
    dice = np.random.default_rng(3)
    for game in range(games):
        entries.begin_game(TABLES, state, chance.game_key(11, game))
        while not entries.is_over(TABLES, state):
            yield state
            owing = [seat for seat in range(SEATS) if entries.deciders(TABLES, state) >> seat & 1]
            if owing:
                seat = int(dice.choice(owing))
                entries.legal_actions(TABLES, state, seat, mask)
                action = int(dice.choice(np.flatnonzero(mask)))
            else:
                seat, action = CHANCE, entries.draw_chance(TABLES, state, state.key)
            entries.apply_action(TABLES, state, seat, action, nothing)
        yield state


def test_several_seats_decide_at_once_and_each_bid_takes_one_off(bidding: Any, events: Any) -> None:
    assert entries.deciders(TABLES, bidding) == 0b1111
    entries.apply_action(TABLES, bidding, 2, 5, events)
    assert entries.deciders(TABLES, bidding) == 0b1011


def test_nothing_is_revealed_before_the_last_bid_is_in(bidding: Any, events: Any) -> None:
    bid(bidding, events, 3, 1, 2)
    assert list(bidding.coins) == [COINS] * SEATS
    assert list(bidding.pending) == [3, 1, 2, NOT_YET]
    assert kinds(events) == [hidden_bid.E_BID] * 3


def test_the_highest_bid_that_nobody_shares_takes_the_prize(bidding: Any, events: Any) -> None:
    bid(bidding, events, 3, 1, 3, 2)
    assert list(bidding.points) == [0, 0, 0, 4]
    assert list(bidding.coins) == [COINS - 3, COINS - 1, COINS - 3, COINS - 2]
    assert list(bidding.pending) == [NOT_YET] * SEATS
    assert entries.deciders(TABLES, bidding) == 0
    assert kinds(events) == [hidden_bid.E_BID] * 4 + [hidden_bid.E_REVEALED] * 4 + [hidden_bid.E_TAKEN]
    assert list(events.rows[8, :3]) == [hidden_bid.E_TAKEN, 3, 4]


def test_shared_bids_leave_the_prize(bidding: Any, events: Any) -> None:
    bid(bidding, events, 3, 1, 3, 1)
    assert list(bidding.points) == [0, 0, 0, 0]


def test_events_that_are_off_write_nothing(bidding: Any, events: Any) -> None:
    events.is_on = 0
    bid(bidding, events, 3, 1, 3, 2)
    assert kinds(events) == []


def test_a_view_hides_the_key_and_the_bids_of_others_but_not_that_they_were_made(bidding: Any, events: Any) -> None:
    bid(bidding, events, 3, 1)
    view = new_record(hidden_bid.STATE)
    entries.observe(TABLES, bidding, 1, view)
    assert view.key == 0
    assert list(view.pending) == [HIDDEN, 1, NOT_YET, NOT_YET]
    assert entries.deciders(TABLES, view) == entries.deciders(TABLES, bidding) == 0b1100


def test_no_view_of_any_position_depends_on_a_secret() -> None:
    view, other_view = new_record(hidden_bid.STATE), new_record(hidden_bid.STATE)
    secrets = 0
    for state in positions(40):
        for seat in range(SEATS):
            changed = copy_record(state)
            changed.key = state.key ^ 0b1010101
            for other in range(SEATS):
                if other != seat and state.pending[other] != NOT_YET:
                    changed.pending[other] = state.coins[other] - state.pending[other]
                    secrets += 1
            entries.observe(TABLES, state, seat, view)
            entries.observe(TABLES, changed, seat, other_view)
            assert view == other_view
    assert secrets > 100


def test_a_determinized_view_is_a_possible_position_that_looks_the_same() -> None:
    view, out, again = new_records(hidden_bid.STATE, 3)
    filled = set()
    for number, state in enumerate(positions(40)):
        for seat in range(SEATS):
            entries.observe(TABLES, state, seat, view)
            entries.determinize(TABLES, view, seat, number, out)
            entries.observe(TABLES, out, seat, again)
            assert again == view
            assert out.key != 0
            assert HIDDEN not in list(out.pending)
            assert entries.audit(TABLES, out) == 0
            filled.update(int(out.pending[other]) for other in range(SEATS) if view.pending[other] == HIDDEN)
    assert filled == set(range(COINS + 1))


def test_determinized_bids_follow_the_key_and_vary_with_it(bidding: Any, events: Any) -> None:
    bid(bidding, events, 3)
    view, out = new_records(hidden_bid.STATE, 2)
    entries.observe(TABLES, bidding, 1, view)
    bids = []
    for key in range(800):
        entries.determinize(TABLES, view, 1, key, out)
        bids.append(int(out.pending[0]))
    assert stats.chisquare(np.bincount(bids, minlength=COINS + 1)).pvalue > 1e-4
    entries.determinize(TABLES, view, 1, 5, out)
    assert out.pending[0] == bids[5]


def test_chance_outcomes_are_the_prizes_with_their_weights() -> None:
    state, weights = new_record(hidden_bid.STATE), np.ones(ACTIONS)
    entries.begin_game(TABLES, state, 1)
    assert entries.chance_outcomes(TABLES, state, weights) == PRIZES
    assert list(weights) == [0.0] * (COINS + 1) + [3.0, 2.0, 1.0]


def test_drawn_prizes_come_as_often_as_their_weights_say() -> None:
    state, weights = new_record(hidden_bid.STATE), np.zeros(ACTIONS)
    drawn = []
    for game in range(3_000):
        entries.begin_game(TABLES, state, chance.game_key(7, game))
        drawn.append(int(entries.draw_chance(TABLES, state, state.key)))
    entries.chance_outcomes(TABLES, state, weights)
    expected = weights / weights.sum() * len(drawn)
    counts = np.bincount(drawn, minlength=ACTIONS)
    assert counts[expected == 0].sum() == 0
    assert stats.chisquare(counts[expected > 0], expected[expected > 0]).pvalue > 1e-4


def test_the_prizes_of_a_game_do_not_depend_on_what_the_seats_bid(events: Any) -> None:
    first, second = new_records(hidden_bid.STATE, 2)
    for state in (first, second):
        entries.begin_game(TABLES, state, chance.game_key(7, 5))
    for _ in range(ROUNDS):
        drawn = [int(entries.draw_chance(TABLES, state, state.key)) for state in (first, second)]
        assert drawn[0] == drawn[1]
        for state, bids in ((first, (0, 1, 0, 1)), (second, (1, 0, 0, 0))):
            entries.apply_action(TABLES, state, CHANCE, drawn[0], events)
            bid(state, events, *bids)


def test_the_fast_policy_bids_its_share_of_the_prize(bidding: Any) -> None:
    work, plan = new_records(hidden_bid.STATE, 2), new_record(PLAN)
    entries.observe(TABLES, bidding, 0, work[0])
    assert entries.suggest(TABLES, *work, 0, hidden_bid.GAME.policy(TABLES, share=0.5), 1, plan) == 1
    assert plan.actions[0] == 2
    entries.suggest(TABLES, *work, 0, hidden_bid.GAME.policy(TABLES, share=1.0), 1, plan)
    assert plan.actions[0] == 4


def test_proposed_plans_are_legal_and_best_first(bidding: Any) -> None:
    work, plans, mask = new_records(hidden_bid.STATE, 2), new_record(PLAN_LIST), np.zeros(ACTIONS, np.uint8)
    entries.observe(TABLES, bidding, 0, work[0])
    policy, tools = hidden_bid.GAME.policy(TABLES, share=0.5), plan_tools(hidden_bid.STATE)
    number = entries.propose_plans(TABLES, *work, 0, policy, 1, plans, tools)
    assert number == entries.legal_actions(TABLES, bidding, 0, mask) == COINS + 1
    assert list(np.diff(plans.values[:number]) <= 0) == [True] * COINS
    assert plans.actions[0, 0] == 2
    assert {int(action) for action in plans.actions[:number, 0]} == set(np.flatnonzero(mask))


def test_random_games_end_and_break_no_invariant() -> None:
    finished, shares, decisions = finished_games(hidden_bid, GAMES)
    assert decisions == GAMES * ROUNDS * SEATS
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert {entries.audit(TABLES, state) for state in finished} == {0}
    assert np.unique(finished, axis=0).size > GAMES * 0.9


def test_no_seat_is_favored_by_random_play() -> None:
    _, shares, _ = finished_games(hidden_bid, GAMES)
    error = shares.std(axis=0) / GAMES**0.5
    assert (abs(shares.mean(axis=0) - 1 / SEATS) < 4 * error).all()


def test_an_impossible_position_is_named(bidding: Any) -> None:
    bidding.coins[0] = -1
    assert hidden_bid.GAME.status(hidden_bid.load(), bidding) == [
        "coins are neither made nor negative",
    ]


def test_play_never_writes_to_the_tables() -> None:
    before = TABLES.tobytes()
    finished_games(hidden_bid, 20)
    assert TABLES.tobytes() == before


def test_a_position_has_a_text_form_that_round_trips(bidding: Any, events: Any) -> None:
    bid(bidding, events, 3, 1)
    rules = hidden_bid.load()
    text = hidden_bid.GAME.write_position(rules, bidding)
    assert hidden_bid.GAME.read_position(rules, text) == bidding


def test_actions_have_words_that_round_trip() -> None:
    rules = hidden_bid.load()
    words = [hidden_bid.GAME.describe_action(rules, action) for action in range(ACTIONS)]
    assert len(set(words)) == ACTIONS
    assert [hidden_bid.GAME.parse_action(rules, text) for text in words] == list(range(ACTIONS))


def test_two_games_live_in_one_driver() -> None:
    finished, shares, decisions = finished_games(last_stone, 200)
    assert {int(state.stones) for state in finished} == {0}
    assert 200 * last_stone.STONES / 2 <= decisions <= 200 * last_stone.STONES
    assert set(shares[:, :2].sum(axis=1)) == {1.0}
    assert {entries.is_over(TABLES, state) for state in finished_games(hidden_bid, 5)[0]} == {True}


@pytest.mark.compiled
def test_a_second_process_compiles_nothing_and_plays_the_same_games_as_plain_python(
    run_python: Callable[..., str], tmp_path: Path
) -> None:
    command = ("-m", "tests.toys.play_out", "60")
    first = run_python(*command, NUMBA_CACHE_DIR=str(tmp_path)).split()
    compiled = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb*")}
    second = run_python(*command, NUMBA_CACHE_DIR=str(tmp_path)).split()
    plain = run_python(*command, VINCI_LAB_JIT="0").split()
    assert first[:2] == second[:2] == plain[:2]
    assert first[0] == digest(60)
    assert first[2:] == ["3", "0"]  # compiled: random play for two games, the driver for one
    assert second[2:] == ["0", "3"]  # loaded
    assert compiled
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.nb*")} == compiled
