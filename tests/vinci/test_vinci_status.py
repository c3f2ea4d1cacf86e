"""What is impossible about a position of Vinci is said in sentences, and a possible position has none."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.vinci.scenario import Scenario
from tests.vinci.some_positions import random_positions
from vinci_lab.engine import entries
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.ruleset import load
from vinci_lab.games.vinci.status import status


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("board", ["lagoon", "europe"])
def test_positions_of_games_are_possible(board: str, players: int) -> None:
    reading = "auto" if players % 2 else "keep"
    rules = load(players, map=board).replace({"victory_threshold": 25, "zero_token_rule": reading})
    checked = 0
    for seed in range(4):
        for position in random_positions(rules, seed, 1):
            assert status(rules, position.state) == []
            checked += 1
    assert checked > 300


def test_positions_of_a_short_game_are_possible_in_every_mode() -> None:
    rules = load(3, map="lagoon").replace({"victory_threshold": 15})
    assert [status(rules, position.state) for position in random_positions(rules, 5, 2)].count([]) > 20


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
        (
            spoil(score={0: 121}, earned={0: 111}),
            "last round: 121 points are reached and 120 end the game, but the round is not the last",
        ),
        (spoil(phase=at.OVER), "phase: the game is over without a reason"),
        (spoil(phase=at.OVER, is_last_round=1, turn=9), "phase: the game is over in the middle of a round, after 9"),
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
    assert status(game.rules, game.state) == []
    edit(game.state)
    found = status(game.rules, game.state)
    assert [sentence for sentence in found if problem in sentence], found


def test_with_a_number_of_rounds_no_score_makes_a_round_the_last() -> None:
    rules = load(4).replace({"rounds_limit": 5})
    state = random_positions(rules, 1, 10_000)[0].state
    assert status(rules, state) == []
    state.is_last_round = 1
    assert status(rules, state) == ["last round: no score makes a round the last, 5 rounds are played"]


def test_status_and_audit_agree_that_a_hand_made_position_is_possible() -> None:
    game = standing()
    assert entries.audit(game.rules.tables, game.state) == 0
    assert status(game.rules, game.state) == []
