"""How fast games are played: ``make bench``. Not collected by ``make test``.

The table of pytest-benchmark shows seconds per batch; the lines printed in between show games and decisions per second
beside the figures the project wants on one core of a 2-core machine.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vinci_lab as vl

ROOT = Path(__file__).resolve().parents[1]
GAMES = 4_000
WANTED_GAMES, WANTED_DECISIONS, WANTED_SPEED_UP = 8_000, 1_500_000, 1.8  # per second, per second, two threads
WANTED_WARM, WANTED_COLD = 1.0, 25.0  # seconds
FIRST_GAME = """
import time
import vinci_lab as vl
rules = vl.ruleset("vinci", players=4)
vl.simulate, vl.seat_effects
from vinci_lab.simulation import driver
began = time.perf_counter()
vl.simulate(rules, agents="greedy", games=1, seed=7, n_jobs=1, progress=False)
print(time.perf_counter() - began)
"""


@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=4)


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Return a function that prints a line in spite of pytest."""

    def print_line(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {line}", end=" ")

    return print_line


@pytest.mark.parametrize("rows", [True, False], ids=["rows", "no rows"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("agent", ["greedy", "random"])
def bench_games(benchmark: Any, rules: Any, say: Callable[[str], None], agent: str, threads: int, rows: bool) -> None:
    def play(with_rows: bool = rows) -> Any:
        return vl.simulate(
            rules,
            agents=agent,
            games=GAMES,
            seed=7,
            n_jobs=threads,
            rows=with_rows,
            progress=False,
            backend="threading",
        )

    decisions = int(play(with_rows=True).games["decisions"].sum())  # also compiles
    benchmark.group = agent
    benchmark.pedantic(play, rounds=5, iterations=1)
    seconds = benchmark.stats.stats.min
    benchmark.extra_info.update(games_per_second=GAMES / seconds, decisions_per_second=decisions / seconds)
    say(
        f"{agent}, {threads} thread(s), {'rows' if rows else 'no rows'}: {GAMES / seconds:,.0f} games/s, "
        f"{decisions / seconds:,.0f} decisions/s (wanted, greedy, one thread, rows: {WANTED_GAMES:,} and "
        f"{WANTED_DECISIONS:,}; two threads: {WANTED_SPEED_UP} times one)"
    )


def seconds_to_first_game(cache: Path) -> float:
    """Return how long the first game takes in a fresh process, after the imports."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NUMBA_CACHE_DIR": str(cache)}
    run = subprocess.run(
        [sys.executable, "-c", FIRST_GAME], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return float(run.stdout)


def bench_first_game(benchmark: Any, say: Callable[[str], None], tmp_path: Path) -> None:
    cold = seconds_to_first_game(tmp_path)
    benchmark.group = "first game in a new process (whole process, warm)"
    warm: list[float] = []
    benchmark.pedantic(lambda: warm.append(seconds_to_first_game(tmp_path)), rounds=3, iterations=1)
    benchmark.extra_info.update(cold_seconds=cold, warm_seconds=min(warm))
    say(
        f"first game after import: cold {cold:.1f} s (wanted below {WANTED_COLD:g}), "
        f"warm {min(warm):.2f} s (wanted below {WANTED_WARM:g})"
    )
    assert min(warm) < cold
