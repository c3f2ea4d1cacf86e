"""``sweep``: every combination once, on common keys, as one folder that can be resumed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import vinci_lab as vl
from tests.killing import contents
from vinci_lab.cli import app
from vinci_lab.simulation import sweep as sweeping

OPTIONS: dict[str, Any] = {"games": 3, "seed": 5, "n_jobs": 1, "progress": False}


def cells(**changed: Any) -> Any:
    asked = {"changes": {"victory_threshold": [60, 70]}, "players": [3, 4], "agents": ["random"], **changed}
    return vl.design("vinci", **asked)


def test_a_design_is_every_combination(tmp_path: Path) -> None:
    made = cells(agents=["random", "greedy,random,random"], players=[3])
    assert [(one.rules.content["rules"]["victory_threshold"], one.agent_names) for one in made] == [
        (60, "random"),
        (70, "random"),
        (60, "greedy,random,random"),
        (70, "greedy,random,random"),
    ]
    assert len({one.name for one in made}) == 4


def test_each_run_is_the_one_that_simulate_gives(tmp_path: Path) -> None:
    found = vl.sweep(cells(), out=tmp_path, **OPTIONS)
    assert found.cells["victory_threshold"].tolist() == [60, 70, 60, 70]
    assert found.cells["players"].tolist() == [3, 3, 4, 4]
    assert found.cells["completed"].tolist() == [3] * 4
    assert pd.read_csv(tmp_path / "sweep.csv")["cell"].tolist() == found.cells["cell"].tolist()
    rules = vl.ruleset("vinci", players=4).replace({"victory_threshold": 70})
    assert found[3].digest == vl.simulate(rules, "random", **OPTIONS).digest
    assert found[found.cells["cell"][3]].digest == found[3].digest
    assert [runs.rules.players for runs in found] == [3, 3, 4, 4]
    assert len(found) == 4


def test_tables_of_all_combinations_carry_the_design(tmp_path: Path) -> None:
    found = vl.sweep(cells(), out=tmp_path, **OPTIONS)
    scores = found.table("games", ["game", "score"])
    assert scores.columns.tolist() == ["cell", "rules", "players", "agents", "victory_threshold", "game", "score"]
    assert scores.groupby(["players", "victory_threshold"]).size().tolist() == [9, 9, 12, 12]


def test_a_stopped_sweep_goes_on_and_equals_one_never_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def once(*arguments: Any, **named: Any) -> Any:
        if len(played) == 2:
            raise KeyboardInterrupt
        played.append(arguments)
        return vl.simulate(*arguments, **named)

    monkeypatch.setattr(sweeping, "simulate", once)
    with pytest.raises(KeyboardInterrupt):
        vl.sweep(cells(), out=tmp_path / "a", **OPTIONS)
    assert vl.Sweep.open(tmp_path / "a").cells["completed"].tolist() == [3, 3, 0, 0]
    monkeypatch.undo()
    vl.sweep(cells(), out=tmp_path / "a", **OPTIONS)
    vl.sweep(cells(), out=tmp_path / "b", **OPTIONS)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_more_combinations_are_added_and_another_seed_is_refused(tmp_path: Path) -> None:
    vl.sweep(cells(players=[3]), out=tmp_path, **OPTIONS)
    found = vl.sweep(cells(players=[4], changes={}), out=tmp_path, **OPTIONS)
    assert found.cells["players"].tolist() == [4, 3, 3]
    with pytest.raises(vl.DataError, match="it holds a sweep on seed 5, asked for is seed 6; name another folder"):
        vl.sweep(cells(), out=tmp_path, **{**OPTIONS, "seed": 6})


def test_what_is_wrong_with_a_design_is_said_before_anything_is_played(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="victory_threshold: give at least one value"):
        cells(changes={"victory_threshold": []})
    with pytest.raises(ValueError, match="are the same rules with the same agents; list them once"):
        cells(changes={"victory_threshold": [60, 60]})
    with pytest.raises(vl.DataError):
        cells(changes={"victory_threshold": [60, -1]})
    with pytest.raises(ValueError, match="there is no 'deep'"):
        cells(agents=["deep"])
    with pytest.raises(ValueError, match="give at least one combination"):
        vl.sweep([], out=tmp_path)
    with pytest.raises(vl.DataError, match=r"sweep\.json: this file of the sweep is missing"):
        vl.Sweep.open(tmp_path)
    (tmp_path / "sweep.json").write_text("[]")
    with pytest.raises(vl.DataError, match=r"sweep\.json: not the list of a sweep"):
        vl.Sweep.open(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(vl.DataError, match="it cannot be written"):
        vl.sweep(cells(), out=tmp_path / "file" / "x", **OPTIONS)


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, ["sweep", "vinci", *map(str, arguments)])
    assert result.exit_code == code, result.output
    return result


def test_the_command_lists_the_combinations_and_plays_them(tmp_path: Path) -> None:
    asked = ("--set", "victory_threshold=60,70", "--set", "price_rule=debt", "--players", "3,4", "--games", 2)
    asked += ("--agents", "random", "--out", tmp_path / "runs")
    listed = run(*asked, "--dry").stdout
    assert listed.count("\n") == 5
    assert listed.startswith("cell,rules,players,agents,ruleset_hash,games,seed,victory_threshold,price_rule\n")
    assert not (tmp_path / "runs").exists()
    assert "4 runs of 2 games in" in run(*asked).stdout
    assert (tmp_path / "runs" / "sweep.csv").read_text(encoding="utf-8") == listed
    assert "--players: must be whole numbers" in run("--players", "few", code=2).stderr
