"""Where the game takes place."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import vinci_lab as vl
from vinci_lab.analysis import map_use


@pytest.mark.slow_without_jit
def test_figures_of_the_map_agree_with_the_table_of_places_and_their_intervals_with_repeated_runs() -> None:
    rules = vl.ruleset("vinci", 4, map="lagoon")
    tables = [vl.map_use(vl.simulate(rules, games=100, seed=seed, progress=False)) for seed in range(12)]
    runs = vl.simulate(rules, games=100, seed=0, progress=False)
    conquests = tables[0][tables[0]["measure"] == "conquests"]
    assert conquests["estimate"].to_numpy() == pytest.approx(runs.places["conquests"].to_numpy() / 100)
    assert list(conquests["province"]) == list(runs.places["province"])
    shares = tables[0][tables[0]["unit"] == "share of turn ends"].groupby("province")["estimate"].sum()
    assert shares.to_numpy() == pytest.approx(1)
    middle = np.mean([one["estimate"] for one in tables], axis=0)
    covered = np.mean([(one["low"] <= middle) & (middle <= one["high"]) for one in tables])
    assert 0.9 < covered < 0.995


@pytest.mark.slow_without_jit
def test_blocks_and_single_games_give_alike_intervals(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = vl.ruleset("vinci", 3, map="lagoon").replace({"victory_threshold": 25})
    runs = vl.simulate(rules, games=10_000, progress=False)
    of_blocks = vl.map_use(runs)
    monkeypatch.setattr(map_use, "ENOUGH_BLOCKS", 1000)
    of_games = vl.map_use(runs)
    widths = [(one["high"] - one["low"]).median() for one in (of_blocks, of_games)]
    assert widths[0] == pytest.approx(widths[1], rel=0.35)


@pytest.mark.slow_without_jit
def test_pictures_show_a_run_or_a_table_and_say_what_is_missing() -> None:
    runs = vl.simulate(vl.ruleset("vinci", 3, map="lagoon"), games=3, progress=False)
    table = vl.map_use(runs)
    assert table[["estimate", "low", "high"]].notna().all(axis=None)
    assert (table["low"] <= table["estimate"]).all()
    assert (table["low"] < table["high"]).all()
    drawn = vl.map_picture(runs, "active", name="one")
    assert drawn.svg == vl.map_picture(table, "active", runs.rules, name="one").svg
    assert "share of turn ends" in drawn.svg
    with pytest.raises(ValueError, match="rules: a table does not say whose board it is"):
        vl.map_picture(table)
    with pytest.raises(ValueError, match="measure: there is no 'luck'; choose from conquests"):
        vl.map_picture(runs, "luck")
    with pytest.raises(ValueError, match="takes at least 2 games, got 1"):
        vl.map_use(vl.simulate(runs.rules, games=1, progress=False))
    assert isinstance(table, pd.DataFrame)
