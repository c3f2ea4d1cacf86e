"""Points by place in turn order: who gets them, when, and that they are played with."""

from __future__ import annotations

import json

import numpy as np
import pytest

import vinci_lab as vl
from tests.vinci.file_referee import FileReferee
from vinci_lab.games.vinci import rules_layout as at

BONUS = {"start_bonus.first": 1, "start_bonus.second": 4, "start_bonus.third": 9, "start_bonus.fourth": 16}
RULES = vl.ruleset("vinci", 4)


def test_each_place_starts_with_its_own_points() -> None:
    for seed in range(4):
        position = vl.new_position(RULES.replace(BONUS), seed=seed)
        start = int(position.state.start_seat)
        assert [int(position.state.score[(start + place) % 4]) for place in range(4)] == [11, 14, 19, 26]
        assert position.status() == []
        assert vl.Position.from_text(position.rules, position.text()) == position


def test_the_printed_rules_give_every_place_the_same() -> None:
    assert (RULES.tables.start_bonus == 0).all()
    assert RULES.content["provenance"]["start_bonus"]["confidence"] == "certain"


def test_an_automaton_gets_the_points_of_its_place_when_the_order_is_known() -> None:
    rules = vl.ruleset("vinci", 2).replace(BONUS)
    position = vl.new_position(rules, seed=5)
    seat, order = int(position.state.start_seat), []
    for _ in range(4):
        order.append(seat)
        seat = int(position.state.seat_after[seat])
    assert [int(position.state.score[one]) for one in order] == [11, 14, 19, 26]


@pytest.mark.parametrize("players", [2, 4])
def test_a_game_with_start_points_adds_up_and_satisfies_the_referee(players: int) -> None:
    rules = vl.ruleset("vinci", players).replace(BONUS | {"victory_threshold": 45})
    runs = vl.simulate(rules, games=3, seed=3, n_jobs=1, progress=False)
    games = runs.games
    bonus = np.array([1, 4, 9, 16])[games["turn_order"].to_numpy()]
    assert (games["score"] == 10 + bonus + games["earned"] - games["paid"] + games["received"]).all()
    for game in range(3):
        lines = [json.loads(line) for line in vl.open_game(runs, game).text().splitlines()]
        assert FileReferee(lines).check()["results"] == 1


def test_what_is_no_number_of_points_is_refused_in_a_sentence() -> None:
    with pytest.raises(vl.DataError, match=r"start_bonus\.second: must be a whole number from 0 to 1000, got -1"):
        RULES.replace({"start_bonus.second": -1})
    assert len(at.PLACE_NAMES) == at.SEATS
