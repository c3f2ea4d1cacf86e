"""Compiled code does not check the places it reads; here it is compiled once more with the check."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import vinci_lab as vl

EACH = 130  # games of each of 16 settings
AGENTS = ("greedy", "random")
PROGRAM = f"""
import numba
import vinci_lab
from vinci_lab.engine.records import PLAN, new_record
from tests.verify.test_verify_bounds import digests

@numba.njit
def peek(plan, place):
    return plan.actions[place]

try:
    peek(new_record(PLAN), 100_000)
except IndexError:
    print("checked")
print(*digests({EACH}))
"""


def digests(games: int) -> list[str]:
    """Return a digest of all tables for each number of players, map and agent."""
    found = []
    for players in (3, 4, 5, 6):
        for board in ("europe", "lagoon"):
            rules = vl.ruleset("vinci", players=players, map=board)
            for agents in AGENTS:
                found.append(str(vl.simulate(rules, agents, games=games, seed=99, n_jobs=1, progress=False).digest))
    return found


@pytest.mark.compiled
def test_no_kernel_reads_or_writes_out_of_bounds(
    run_python: Callable[..., str], tmp_path: Path, tell: Callable[[str], None]
) -> None:
    printed = run_python("-c", PROGRAM, NUMBA_BOUNDSCHECK="1", NUMBA_CACHE_DIR=str(tmp_path)).split()
    assert printed[0] == "checked", "the check of bounds was not on"
    assert printed[1:] == digests(EACH)
    tell(f"{len(printed[1:]) * EACH:,} recorded games with checked bounds: none out of bounds, the same tables")
