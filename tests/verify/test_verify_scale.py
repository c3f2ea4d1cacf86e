"""Runs on disk in the long tier: killed again and again, a million games, and other versions of Python."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import vinci_lab as vl
from tests.conftest import ROOT
from tests.killing import contents, kill_and_resume
from tests.test_store import PEAK
from vinci_lab.simulation.blocks import BLOCK

KILLS = 20
MILLION = 1_000_000
SUMMARY = """
import sys
import vinci_lab as vl
from vinci_lab.reporting import write_study
runs = vl.Runs.open(sys.argv[1])
write_study(runs, sys.argv[2], further=0)
[peak] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(peak)
"""
OTHERS = ("3.11", "3.12", "3.13", "3.14")
DIGEST = """
import sys
import vinci_lab as vl
rules = vl.ruleset("vinci", players=4)
for agents in ("greedy", "random"):
    print(vl.simulate(rules, agents, games=220, seed=23, n_jobs=2, progress=False).digest)
"""


def test_a_run_killed_twenty_times_equals_one_never_stopped(tmp_path: Path, tell: Callable[[str], None]) -> None:
    games = 80 * BLOCK
    arguments = ("simulate", "vinci", "--agents", "random", "--jobs", 2, "--seed", 3, "--games", games)
    hit, torn = kill_and_resume(tmp_path / "a", arguments, KILLS, 11)
    whole = vl.simulate(
        vl.ruleset("vinci", players=4), "random", games=games, seed=3, out=tmp_path / "b", progress=False
    )
    assert vl.Runs.open(tmp_path / "a").digest == whole.digest
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert hit >= KILLS // 2
    tell(f"{games:,} games killed {KILLS} times, {hit} of them while playing, {torn} unfinished files left: same bytes")


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are read from /proc")
def test_a_million_games_take_less_than_250_mb_and_their_summary_less_than_2_gb(
    run_python: Callable[..., str], tmp_path: Path, tell: Callable[[str], None]
) -> None:
    folder, began = tmp_path / "million", time.perf_counter()
    arguments = ("simulate", "vinci", "--games", str(MILLION), "--seed", "7", "--agents", "greedy", "--jobs", "2")
    printed = run_python("-c", PEAK, *arguments, "--out", str(folder), ARROW_DEFAULT_MEMORY_POOL="system")
    peak, seconds = int(printed.split()[-1]) * 1024 / 1e6, time.perf_counter() - began
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1e6
    tell(f"{MILLION:,} games: {seconds:.0f} s, peak {peak:.0f} MB, {len(files):,} files of {size:,.0f} MB")
    for table in ("games", "turns", "holdings", "offers", "places"):
        parts = list((folder / table).iterdir())
        tell(f"  {table}: {len(parts):,} files, {sum(part.stat().st_size for part in parts) / 1e6:,.0f} MB")
    began = time.perf_counter()
    opened = int(run_python("-c", SUMMARY, str(folder), str(tmp_path / "study")).split()[-1]) * 1024 / 1e6
    tell(f"  opened and summarised in {time.perf_counter() - began:.0f} s, peak {opened:.0f} MB")
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["settings"]["completed"] == MILLION
    shutil.rmtree(folder)
    assert peak < 250
    assert opened < 2_000


def other_pythons() -> dict[str, str]:
    """Return the interpreters of other versions that this machine has."""
    here, found = f"{sys.version_info.major}.{sys.version_info.minor}", dict[str, str]()
    installed = sorted(Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")).glob("versions/*/bin/python"))
    candidates = [name for other in OTHERS if (name := shutil.which(f"python{other}"))] + [
        str(one) for one in installed
    ]
    for name in candidates:
        asked = [name, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        answer = subprocess.run(asked, capture_output=True, text=True, check=False)
        if answer.returncode == 0 and answer.stdout.strip() in OTHERS and answer.stdout.strip() != here:
            found.setdefault(answer.stdout.strip(), name)
    return found


@pytest.mark.compiled
def test_another_version_of_python_gives_the_same_tables(
    run_python: Callable[..., str], tmp_path: Path, tell: Callable[[str], None]
) -> None:
    others = other_pythons()
    if not others:
        tell("no other version of Python is on this machine: tables were compared with none")
        pytest.skip("no other version of Python is on this machine")
    here = run_python("-c", DIGEST)
    for version, name in others.items():
        python = tmp_path / version / "bin" / "python"
        subprocess.run([name, "-m", "venv", str(tmp_path / version)], check=True)
        pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install", str(ROOT)]
        subprocess.run(pip, check=True, capture_output=True)
        environment = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
        there = subprocess.run(
            [str(python), "-c", DIGEST], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
        )
        assert there.stdout.strip() == here, version
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    tell(f"440 games on Python {running} and {', '.join(others)}: the same tables")
