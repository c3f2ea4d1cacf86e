"""Skill sensitivity: the same questions of several agents, and how far their answers agree."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import vinci_lab as vl
from vinci_lab.analysis.skill import rank_correlation
from vinci_lab.engine.jit import JIT


def table(first: np.ndarray, second: np.ndarray, error: float) -> pd.DataFrame:
    rows = [
        {
            "agent": agent,
            "tile": f"t{tile}",
            "estimate": value,
            "low": value - 1.96 * error,
            "high": value + 1.96 * error,
        }
        for agent, values in (("a", first), ("b", second))
        for tile, value in enumerate(values)
    ]
    return pd.DataFrame(rows)


def test_the_same_estimates_agree_and_opposite_ones_disagree() -> None:
    values = np.arange(20.0)
    same = rank_correlation(table(values, values * 3 + 1, 0.01), "tile", "a", "b")
    assert same == {"estimate": pytest.approx(1), "low": pytest.approx(1), "high": pytest.approx(1), "n": 20}
    assert rank_correlation(table(values, -values, 0.01), "tile", "a", "b")["high"] == pytest.approx(-1)


def test_errors_widen_the_interval() -> None:
    values = np.arange(20.0)
    sure, unsure = (rank_correlation(table(values, values, error), "tile", "a", "b") for error in (0.5, 8.0))
    assert unsure["high"] - unsure["low"] > sure["high"] - sure["low"] > 0
    assert unsure["low"] < 0.6


def test_agents_without_a_common_order_are_not_found_to_agree() -> None:
    """Two sets of estimates that have nothing to do with one another: their interval holds 0 nearly always."""
    source = np.random.default_rng(4)
    found = [
        rank_correlation(table(*source.normal(size=(2, 26)), 0.7), "tile", "a", "b", seed=number)
        for number in range(40)
    ]
    assert sum(one["low"] <= 0 <= one["high"] for one in found) >= 34


def test_a_tile_that_one_agent_never_held_is_left_out() -> None:
    values = np.arange(20.0)
    lacking = table(values, values, 0.01)
    lacking.loc[3, ["estimate", "low", "high"]] = np.nan
    assert rank_correlation(lacking, "tile", "a", "b")["n"] == 19


@pytest.mark.slow_without_jit
def test_agents_are_compared_on_the_same_seeds() -> None:
    rules = vl.ruleset("vinci", players=3, map="lagoon").replace({"victory_threshold": 40})
    compared = vl.skill_sensitivity(rules, ["greedy", "automaton"], games=60 if JIT else 4, seed=3, progress=False)
    assert set(compared.tiles["agent"]) == {"greedy", "automaton"}
    own = vl.tile_effects(vl.simulate(rules, "automaton", games=60, seed=3, progress=False))
    shown = compared.tiles[compared.tiles["agent"] == "automaton"].reset_index(drop=True)
    pd.testing.assert_frame_equal(shown[["tile", "estimate", "low"]], own[["tile", "estimate", "low"]])
    assert shown["rank"].is_monotonic_increasing
    assert compared.correlations["what"].tolist() == ["tile", "turn_order"]
    assert len(compared.seats) == 6


@pytest.mark.parametrize("agents", [[], ["greedy"], ["greedy", "greedy"]])
def test_fewer_than_two_agents_are_refused(agents: list[str]) -> None:
    with pytest.raises(ValueError, match="agents: give at least two, each once"):
        vl.skill_sensitivity(vl.ruleset("vinci", players=3), agents, games=3, progress=False)
