"""A cluster: the same tables and files from two worker processes that dask runs on this machine."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import joblib
import pytest

import vinci_lab as vl
from tests.killing import contents

distributed = pytest.importorskip("distributed", reason="dask is an extra, and part of the extra dev")

pytestmark = [
    pytest.mark.slow_without_jit,
    pytest.mark.filterwarnings("default"),  # of dask's own closing and opening of sockets
    pytest.mark.xdist_group("dask"),
]


def take_the_last(view: Any) -> int:
    return int(view.legal_actions()[-1])


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        )
        with cluster, distributed.Client(cluster) as connected:
            yield connected


@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=4)


@pytest.mark.parametrize("chunk", [7, 100, None])
def test_a_cluster_gives_the_tables_of_this_process(client: Any, rules: Any, chunk: int | None) -> None:
    options = {"games": 120, "seed": 3, "progress": False}
    here = vl.simulate(rules, n_jobs=1, **options)
    with joblib.parallel_config(backend="dask"):
        there = vl.simulate(rules, chunk=chunk, **options)
    assert there.digest == here.digest
    assert vl.simulate(rules, chunk=chunk, backend="dask", n_jobs=2, **options).digest == here.digest


def test_a_cluster_writes_the_same_files(client: Any, rules: Any, tmp_path: Path) -> None:
    options = {"games": 4_100, "seed": 3, "progress": False}
    with joblib.parallel_config(backend="dask"):
        vl.simulate(rules, "random", out=tmp_path / "there", **options)
    vl.simulate(rules, "random", out=tmp_path / "here", n_jobs=2, **options)
    assert contents(tmp_path / "there") == contents(tmp_path / "here")


def test_agents_in_python_travel_to_a_cluster(client: Any, rules: Any) -> None:
    agents, options = [take_the_last, "greedy", "random", "greedy"], {"games": 6, "seed": 3, "progress": False}
    here = vl.simulate(rules, agents, n_jobs=1, **options)
    with joblib.parallel_config(backend="dask"):
        assert vl.simulate(rules, agents, chunk=2, **options).digest == here.digest
