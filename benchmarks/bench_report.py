"""What a whole study costs, part by part: ``python benchmarks/bench_report.py [GAMES]``, a few minutes.

Games are played into a folder, as ``vinci-lab study`` does; compilation is left out. The last column is the
most memory that the process has taken until then, the browser's left out.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import vinci_lab as vl
from vinci_lab.reporting import print_page
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.origin import origin_of
from vinci_lab.reporting.sections import SECTIONS
from vinci_lab.reporting.study import make_study


def row(name: str, work: Callable[[], Any]) -> Any:
    """Print how long some work takes, and return what it gives."""
    began = time.perf_counter()
    result = work()
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"| {name:<22} | {time.perf_counter() - began:8.1f} | {memory:11.2f} |", flush=True)
    return result


def main() -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    rules = vl.ruleset("vinci", players=4)
    vl.simulate(rules, games=10, n_jobs=1, progress=False)
    print(f"| {games:,} games{'':<10} | seconds  | most GB yet |\n|{'-' * 24}|{'-' * 10}|{'-' * 13}|")
    with tempfile.TemporaryDirectory() as folder:
        runs = row("play", lambda: vl.simulate(rules, games=games, out=Path(folder) / "tables", progress=False))
        context = Context(runs, origin_of(runs))
        for name, make in SECTIONS.items():
            row(name, lambda make=make: make(runs, context))
        page = make_study(runs, only=["making"]).write(folder)
        row("PDF of a short page", lambda: print_page(page))


if __name__ == "__main__":
    main()
