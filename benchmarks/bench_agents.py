"""How fast agents play, and how many rollouts a second search makes: ``make bench``."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

import vinci_lab as vl
from vinci_lab.simulation import chunks
from vinci_lab.simulation.seats import seat_agents

OWN = "compiled by a user"
GAMES = {"random": 2_000, "greedy": 4_000, "greedy:tuned": 4_000, OWN: 2_000, "search": 40, "search:budget=play": 2}
WANTED_TURN = {"search": 0.020, "search:budget=play": 1.0}  # seconds on one core


@vl.compiled_agent(game="vinci")
def first_come(tables: Any, view: Any, seat: int, allowed: Any, key: int) -> Any:
    return allowed.nonzero()[0][0]


@pytest.fixture
def say(capsys: pytest.CaptureFixture[str]) -> Callable[[str], None]:
    """Return a function that prints a line in spite of pytest."""

    def print_line(line: str) -> None:
        with capsys.disabled():
            print(f"\n  {line}", end=" ")

    return print_line


@pytest.mark.parametrize("agent", list(GAMES))
def bench_agent(benchmark: Any, say: Callable[[str], None], agent: str) -> None:
    """One seat of the agent against three of greedy, one thread, without rows."""
    asked: Any = first_come if agent == OWN else agent
    job = chunks.Job.of(
        rules := vl.ruleset("vinci", players=4), seat_agents(rules, [asked, "greedy", "greedy", "greedy"]), 7, False
    )
    table, buffer = chunks.Table(job), chunks.Buffer(job)
    table.play_compiled(buffer, 0, 1)
    benchmark.group = "games"
    before = int(table._tools[3].done)
    benchmark.pedantic(lambda: table.play_compiled(buffer, 0, GAMES[agent]), rounds=3, iterations=1)
    rollouts = (int(table._tools[3].done) - before) / 3
    seconds = benchmark.stats.stats.min
    line = f"{agent}: {GAMES[agent] / seconds:,.1f} games/s"
    if agent in WANTED_TURN:
        turns = turn_times(job, 2)
        line += (
            f", {rollouts / seconds:,.0f} rollouts/s, {rollouts / GAMES[agent]:,.0f} rollouts a game; a turn takes "
            f"{1000 * sum(turns) / len(turns):.1f} ms, the longest {1000 * max(turns):.1f} ms (wanted at most "
            f"{1000 * WANTED_TURN[agent]:.0f} ms)"
        )
    say(line)


def turn_times(job: chunks.Job, games: int) -> list[float]:
    """Return the seconds seat 0 thought in each turn of the game, while it chose pairs and took survivors back too."""
    table, spent = chunks.Table(job), dict[tuple[int, int], float]()
    ask = table._next_actions

    def timed(seat: int, game: int, key: int, number: int) -> list[int]:
        began, turn = time.perf_counter(), (game, int(table._work[0].turn))
        actions = ask(seat, game, key, number)
        if seat == 0:
            spent[turn] = spent.get(turn, 0.0) + time.perf_counter() - began
        return actions

    table._next_actions = timed  # type: ignore[method-assign]
    for game in range(games):
        table.play_stepwise(chunks.Buffer(job), game)
    return list(spent.values())
