"""Numbers no printed tile has, and sizes at the edge of what the program can count."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vinci_lab as vl
from tests.vinci.scenario import Scenario
from vinci_lab.engine import bits
from vinci_lab.games.vinci import rules_layout as at


def test_a_tile_can_make_the_same_coastline_dearer() -> None:
    """The best origin counts even when every origin costs more."""
    changes: dict[str, Any] = {"tiles.ship_building.cost_same_coast": 2}
    game = Scenario(options=changes).civ(0, "ship_building", "port", hand=12).own(0, {"Portugal": 1}).conquest(0)
    assert game.cost("Castile") == 5


def test_a_round_that_ends_a_game_anyway_is_no_stalemate() -> None:
    rules = vl.ruleset("vinci", players=3).replace({"rounds_limit": 2, "stall_rounds": 2})
    games = vl.simulate(rules, "greedy", games=3, seed=1, n_jobs=1, progress=False).games
    assert set(games["trigger"]) == {"rounds"}
    assert not games["is_stalled"].any()


def test_a_game_that_ends_by_the_guard_is_flagged() -> None:
    rules = vl.ruleset("vinci", players=3).replace({"victory_threshold": 2000, "stall_rounds": 2})
    games = vl.simulate(rules, "greedy", games=3, seed=1, n_jobs=1, progress=False).games
    assert set(games["trigger"]) == {"stalemate"}
    assert games["is_stalled"].all()


@pytest.mark.parametrize(("reading", "is_asked"), [("yes", True), ("no", False)])
def test_a_rebirth_civilization_that_never_entered_declines_only_by_the_usual_reading(
    reading: str, is_asked: bool
) -> None:
    game = Scenario(options={"decline_unentered": reading}).civ(0, "rebirth", "port", hand=9).conquest(0)
    game.do("end conquest")
    assert (int(game.state.phase) == at.REBIRTH_CHOICE) is is_asked


@pytest.mark.parametrize("number", [0, 1, 62, 63])
def test_the_first_members_of_a_set_can_be_all_sixty_three(number: int) -> None:
    assert int(bits.first(np.int64(number))) == 2**number - 1


def test_a_policy_refuses_a_parameter_it_does_not_have() -> None:
    rules = vl.ruleset("vinci", players=3)
    with pytest.raises(ValueError, match="policy: there is no parameter 'decline_margn'; choose from horizon"):
        rules.definition.policy(rules.tables, decline_margn=5.0)
