"""Whole random games under the eye of a second referee (case E9)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tests.vinci.invariants import Game, differing_fields, pick, relabel, relabel_action
from tests.vinci.referee import members
from tests.vinci.scenario import Scenario, rules_for
from vinci_lab.engine import entries
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, copy_record, new_record
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as layout

GAMES = 12 if JIT else 3
STEPS = 3_000 if JIT else 500


def readings(number: int) -> tuple[tuple[str, Any], ...]:
    """Return random readings of the open points; game 0 has the defaults."""
    source = random.Random(number)
    chosen: dict[str, Any] = {name: source.choice(values) for name, values in layout.OPTIONS.items()} if number else {}
    chosen["victory_threshold"] = 60 if number % 2 else 130
    return tuple(sorted(chosen.items()))


def positions(number: int, steps: int = STEPS) -> Iterator[Game]:
    """Play a random game and yield it before every action."""
    source = random.Random(1_000 + number)
    game = Game(rules_for(3 + number % 4, "first" if number % 3 == 2 else None, readings(number)), key=number)
    for _ in range(steps):
        if game.is_over:
            return
        yield game
        game.apply(pick(game, source.randrange(1 << 30)))


@pytest.mark.parametrize("number", range(GAMES))
def test_a_random_game_keeps_every_invariant_to_its_end(number: int) -> None:
    """E9.1 to 19, checked after every action by ``Game``."""
    *_, game = positions(number)
    assert game.state.turn > 10
    assert game.is_over or len(game.actions) == STEPS


@pytest.mark.parametrize("number", range(0, GAMES, 3))
def test_the_same_actions_lead_to_the_same_position(number: int) -> None:
    """E9.16: replay from the key."""
    *_, game = positions(number, STEPS // 2)
    again = Game(game.rules, key=number)
    for seat, action in game.actions:
        assert again.decider == seat
        again.apply(action)
    assert again.state.tobytes() == game.state.tobytes()


@pytest.mark.parametrize("number", range(1, GAMES, 4))
def test_moving_every_seat_one_on_changes_nothing_else(number: int) -> None:
    """E9.16: relabelling the seats commutes with the rules."""
    compared = 0
    for game in positions(number, STEPS // 3):
        seats, seat = int(game.state.seats), game.decider
        turned = relabel(game.state, 1)
        mask = np.zeros(layout.ACTIONS, np.uint8)
        if seat != CHANCE:
            entries.legal_actions(game.tables, turned, (seat + 1) % seats, mask)
            assert sorted(relabel_action(code, 1, seats) for code in game.legal()) == np.flatnonzero(mask).tolist()
        action = pick(game, 8 * compared + 1)
        straight, record = copy_record(game.state), new_record(EVENTS)
        entries.apply_action(game.tables, straight, seat, action, record)
        turned_seat = CHANCE if seat == CHANCE else (seat + 1) % seats
        entries.apply_action(game.tables, turned, turned_seat, relabel_action(action, 1, seats), record)
        assert list(differing_fields(relabel(straight, 1), turned)) == []
        compared += 1
    assert compared > 50


def test_a_copy_shares_nothing_with_its_position() -> None:
    """E9.20: playing on a copy leaves the position and the printed tables as they were."""
    for count, game in enumerate(positions(1, 300)):
        before, printed = game.state.tobytes(), game.tables.tobytes()
        twin = copy_record(game.state)
        entries.apply_action(game.tables, twin, game.decider, pick(game, count), new_record(EVENTS))
        assert twin.tobytes() != before
        assert game.state.tobytes() == before
        assert game.tables.tobytes() == printed


def test_events_that_nobody_asked_for_change_nothing() -> None:
    """The events record is written only when it is on, and does not steer the rules."""
    for count, game in enumerate(positions(2, 300)):
        results = []
        for is_on in (0, 1):
            twin, record = copy_record(game.state), new_record(EVENTS)
            record.is_on = is_on
            entries.apply_action(game.tables, twin, game.decider, pick(game, 16 * count + 1), record)
            results.append(twin.tobytes())
            assert is_on or record.length == 0
        assert results[0] == results[1]


def test_a_view_hides_the_key_and_shows_the_rest() -> None:
    """Only the order of the bag is hidden: the key that draws from it."""
    for game in positions(3, 200):
        for seat in game.seats:
            view = new_record(layout.STATE)
            entries.observe(game.tables, game.state, seat, view)
            assert view.key != game.state.key
            view.key = game.state.key
            assert list(differing_fields(view, game.state)) == []


def test_a_state_drawn_from_a_view_is_possible_and_looks_the_same() -> None:
    """``determinize`` fills in what the view hides, by its key."""
    for game in positions(4, 200):
        view, drawn, again = (new_record(layout.STATE) for _ in range(3))
        entries.observe(game.tables, game.state, 0, view)
        entries.determinize(game.tables, view, 0, 17, drawn)
        entries.determinize(game.tables, view, 0, 17, again)
        assert drawn.tobytes() == again.tobytes()
        assert entries.audit(game.tables, drawn) == 0
        drawn.key = view.key
        assert list(differing_fields(drawn, view)) == []


def test_kernels_agree_with_the_referee_on_reach_cost_and_points() -> None:
    """The helpers that agents use are those the rules use, for every seat and not only the one to move."""
    compared = 0
    for number in range(2 if JIT else 1):
        for count, game in enumerate(positions(number, 600 if JIT else 200)):
            if count % 5:
                continue
            for seat in game.seats:
                if game.state.tile[seat, 0] < 0 or game.state.phase in (layout.KEEP, layout.DROP, layout.PLACE):
                    continue
                reach = game.referee.reach(game.state, seat)
                assert members(costs.reachable(game.tables, game.state, seat)) == reach
                for place in reach:
                    cost = costs.conquest_cost(game.tables, game.state, seat, place)
                    assert cost == game.referee.cost(game.state, seat, place)
                assert effects.active_points(game.tables, game.state, seat) == game.referee.active_points(
                    game.state, seat
                )
                assert effects.decline_points(game.tables, game.state, seat) == game.referee.decline_points(
                    game.state, seat
                )
                compared += 1
    assert compared > 20


def test_more_defenders_never_make_a_conquest_cheaper_and_more_land_never_dearer() -> None:
    """E9.14: the cost is monotonic in tokens, forts and own provinces."""
    compared = 0
    for game in positions(0, 800 if JIT else 200):
        state, tables, seat = game.state, game.tables, int(game.state.turn_seat)
        if state.phase != layout.CONQUEST or not state.active[seat]:
            continue
        reach = members(costs.reachable(tables, state, seat))
        before = {place: int(costs.conquest_cost(tables, state, seat, place)) for place in reach}
        for place in reach:
            crowded = copy_record(state)
            crowded.tokens[place] += 1
            assert costs.conquest_cost(tables, crowded, seat, place) >= before[place]
            fortified = copy_record(state)
            fortified.forts |= 1 << place
            assert costs.conquest_cost(tables, fortified, seat, place) >= before[place]
            empty = {p for p in reach - {place} if game.referee.holder(state, p)[1] < 0}
            if empty:
                larger = copy_record(state)
                larger.active[seat] |= 1 << min(empty)
                larger.neutral &= ~(1 << min(empty))
                assert costs.conquest_cost(tables, larger, seat, place) <= before[place]
                compared += 1
    assert compared > 20


@pytest.mark.parametrize("tile", ["weapons", "mountaineering", "ship_building"])
def test_a_tile_that_lowers_costs_never_raises_one(tile: str) -> None:
    """E9.14: against a civilization without cost columns."""
    land = {"Bohemia": 1, "Provence": 1, "Castile": 1, "South Italy": 1}
    plain = Scenario().civ(0, "barbarians", "port", hand=9).own(0, land).conquest(0)
    other = Scenario().civ(0, "barbarians", tile, hand=9).own(0, land).conquest(0)
    prices = [(plain.cost(name), other.cost(name)) for name in plain.reach()]
    assert all(second <= first for first, second in prices)
    assert any(second < first for first, second in prices)


def test_hand_written_positions_pass_the_audit() -> None:
    """The audit accepts what is possible, and names a fault in what is not."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Volga": 2}).in_decline(1, ["Poland"]).turn(0)
    assert game.audit() == 0
    for spoil in ("token", "fort", "owner", "tile"):
        broken = game.copy()
        if spoil == "token":
            broken.state.tokens[33] = 2
        elif spoil == "fort":
            broken.state.forts |= 1 << 0
        elif spoil == "owner":
            broken.state.active[2] |= 1 << 33
        else:
            broken.state.bag &= broken.state.bag - 1
        assert broken.audit() != 0, spoil
