"""Leveling at the size it is meant for: most of the spread is gone in games that chose nothing."""

from __future__ import annotations

from pathlib import Path

import vinci_lab as vl


def test_leveling_20_000_games_a_run_takes_most_of_the_spread(tmp_path: Path) -> None:
    rules = vl.ruleset("vinci", players=4)
    found = vl.rebalance(rules, games=20_000, seed=7)
    before, after = found.spreads.iloc[0], found.spreads.iloc[1]
    assert after["high"] < before["low"] / 2
    assert after["estimate"] < 2 * found.steps["floor"].iloc[-1]
    folder = found.save(tmp_path)
    assert vl.ruleset("vinci", players=4, data=folder / "data").hash == found.leveled.hash
