"""The whole matrix: jobs, games per task, backend, hash seed, compiler, agents, seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vinci_lab as vl
from tests.test_determinism import DIGESTS, MIXED, digests, take_the_last
from vinci_lab.engine.position import Position

GAMES = 220
JOBS, CHUNKS, BACKENDS = (1, 2, 3), (1, 7, 100, GAMES), ("threading", "loky")
SEATED = {players: ("greedy", "random", MIXED[:players]) for players in (3, 4, 5, 6)}


def play(rules: Any, agents: Any, **options: Any) -> str:
    return str(vl.simulate(rules, agents, games=GAMES, seed=23, progress=False, **options).digest)


@pytest.mark.parametrize("backend", BACKENDS)
def test_every_way_to_share_out_the_work_gives_the_same_tables(backend: str, tell: Callable[[str], None]) -> None:
    runs = 0
    for players, seated in SEATED.items():
        rules = vl.ruleset("vinci", players=players)
        for agents in seated if players == 4 else seated[2:]:
            alone = play(rules, agents, n_jobs=1, chunk=GAMES)
            for n_jobs in JOBS:
                for chunk in CHUNKS:
                    assert play(rules, agents, n_jobs=n_jobs, chunk=chunk, backend=backend) == alone, (n_jobs, chunk)
                    runs += 1
    tell(f"{runs} runs of {GAMES} games on {backend}: jobs {JOBS} x games per task {CHUNKS}, all tables the same")


def test_python_agents_give_the_same_tables_for_every_way_to_share_out_the_work() -> None:
    rules = vl.ruleset("vinci", players=3)
    agents = [take_the_last, "greedy", by_text]
    runs = [
        vl.simulate(rules, agents, games=12, seed=23, progress=False, n_jobs=n_jobs, chunk=chunk, backend=backend)
        for n_jobs in (1, 2)
        for chunk in (1, 5, 12)
        for backend in BACKENDS
    ]
    assert len({run.digest for run in runs}) == 1


@pytest.mark.filterwarnings("default")  # of dask's own closing and opening of sockets
def test_a_cluster_gives_the_same_tables(tell: Callable[[str], None]) -> None:
    distributed = pytest.importorskip("distributed")
    rules, runs = vl.ruleset("vinci", players=4), 0
    for workers in JOBS:
        cluster = distributed.LocalCluster(
            n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        )
        with cluster, distributed.Client(cluster):
            for agents in SEATED[4]:
                alone = play(rules, agents, n_jobs=1, chunk=GAMES)
                for chunk in CHUNKS:
                    assert play(rules, agents, n_jobs=workers, chunk=chunk, backend="dask") == alone, (workers, chunk)
                    runs += 1
    tell(f"{runs} runs of {GAMES} games on dask: workers {JOBS} x games per task {CHUNKS}, all tables the same")


def by_text(view: Position) -> str:
    """Choose the middle of the legal actions, in words."""
    words = view.legal_words()
    return words[len(words) // 2]


@pytest.mark.compiled
def test_tables_depend_on_neither_the_hash_seed_nor_the_compiler(
    run_python: Callable[..., str], tell: Callable[[str], None]
) -> None:
    players = (3, 4, 5, 6)
    here, games = digests(players, 12), 12
    for environment in ({"PYTHONHASHSEED": "0"}, {"PYTHONHASHSEED": "1"}, {"VINCI_LAB_JIT": "0"}):
        printed = run_python("-c", DIGESTS.format(players=players, games=games), **environment).split()
        assert printed == here, environment
    tell(f"{len(here) * games} games with hash seeds 0 and 1 and without the compiler: the same tables")
