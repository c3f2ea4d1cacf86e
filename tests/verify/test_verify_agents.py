"""How strong the agents are, at full length: the lower end of each interval is held against what was promised."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import vinci_lab as vl

PROMISED = [
    ("search", "greedy", 2_000, 0.50),
    ("search:budget=play", "greedy", 300, 0.50),
    ("greedy:tuned", "greedy", 2_000, 0.32),
    ("greedy", "random", 2_000, 0.95),
]


@pytest.mark.parametrize(("agent", "others", "games", "promised"), PROMISED, ids=[agent for agent, *_ in PROMISED])
def test_an_agent_wins_as_often_as_promised_against_three(
    agent: str, others: str, games: int, promised: float, tell: Callable[[str], None]
) -> None:
    rules = vl.ruleset("vinci", players=4)
    climbed = vl.ladder(rules, [agent, others, others, others], games=games, seed=2026, progress=False)
    share = climbed.shares.set_index("agent").loc[agent]
    tell(
        f"{agent} against three {others}: {100 * share['estimate']:.1f} % of the win, 95 % interval "
        f"{100 * share['low']:.1f} to {100 * share['high']:.1f} %, {games} games (promised {100 * promised:.0f} %)"
    )
    assert share["low"] >= promised
