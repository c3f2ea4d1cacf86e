"""What sharing out the work, recording and writing cost: ``python benchmarks/bench_scale.py [GAMES]``, a few minutes.

Each figure is the best of some runs; on a machine that does other work, compare figures of one table only.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import vinci_lab as vl

REPEATS = 3
OPTIONS: dict[str, Any] = {"agents": "greedy", "seed": 7, "progress": False}


def best(play: Callable[[], Any], repeats: int = REPEATS) -> float:
    """Return the least seconds of some runs, without compilation."""
    seconds = []
    for _ in range(repeats):
        began = time.perf_counter()
        play()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


def row(name: str, games: int, seconds: float, beside: float | None = None) -> float:
    compared = f"{beside / seconds:8.2f}" if beside else ""
    print(f"| {name:<34} | {games / seconds:>10,.0f} | {compared:>8} |", flush=True)
    return seconds


def head(title: str, compared: str) -> None:
    print(f"\n{title}\n| {'':<34} | games/s    | {compared:<8} |\n|{'-' * 36}|{'-' * 12}|{'-' * 10}|")


def scaling(rules: Any, games: int) -> None:
    head("Jobs", "times 1")
    for backend in ("threading", "loky"):
        one = None
        for jobs in (1, 2, 3):
            run = lambda: vl.simulate(rules, games=games, n_jobs=jobs, backend=backend, **OPTIONS)  # noqa: B023, E731
            run()  # starts the workers
            one = row(f"{backend}, {jobs} job(s)", games, best(run), one) if one is None else one
            if jobs > 1:
                row(f"{backend}, {jobs} job(s)", games, best(run), one)


def recording(rules: Any, games: int) -> None:
    head("Rows on one thread", "times")
    run = lambda rows: vl.simulate(rules, games=games, n_jobs=1, rows=rows, **OPTIONS).seconds  # noqa: E731
    pairs = [(run(False), run(True)) for _ in range(2 * REPEATS + 1)]  # in turn: both see the same machine
    off, on = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
    row("not recorded", games, off)
    row("recorded", games, on, off)
    print(f"rows cost {100 * (1 - off / on):.1f} % of games/s")


def writing(rules: Any, games: int) -> None:
    head("Parquet, two threads", "times")
    memory = row("in memory", games, best(lambda: vl.simulate(rules, games=games, n_jobs=2, **OPTIONS)))
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(99))
        write = lambda: vl.simulate(rules, games=games, n_jobs=2, out=Path(folder) / str(next(numbers)), **OPTIONS)  # noqa: E731
        row("written to a folder", games, best(write), memory)
        size = sum(path.stat().st_size for path in (Path(folder) / "0").rglob("*") if path.is_file())
        print(f"{size / games:,.0f} bytes per game")


def cluster(rules: Any, games: int) -> None:
    from distributed import Client, LocalCluster

    head("A cluster of two worker processes", "times")
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1") as local,
        Client(local),
    ):
        threads = row("threads, two", games, best(lambda: vl.simulate(rules, games=games, n_jobs=2, **OPTIONS)))
        for chunk in (1, 10, 50, 150, 500):
            some = min(games, 200 * chunk)
            play = lambda: vl.simulate(rules, games=some, n_jobs=2, chunk=chunk, backend="dask", **OPTIONS)  # noqa: B023, E731
            play()
            seconds = best(play)
            row(f"dask, {chunk} games per task", some, seconds, threads * some / games)
            overhead = (seconds - threads * some / games) * 2 / (some / chunk)
            print(f"  {1000 * overhead:.1f} ms of a worker per task beyond playing")


def main() -> None:
    """Print all tables."""
    warnings.simplefilter("ignore")
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 12_000
    rules = vl.ruleset("vinci", players=4)
    vl.simulate(rules, games=10, n_jobs=1, **OPTIONS)
    for measure in (recording, writing, scaling, cluster):
        measure(rules, games)


if __name__ == "__main__":
    main()
