"""What all tests share: the check that skips a test for its mode, and a way to run Python in a process of its own."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


def pytest_runtest_setup(item: pytest.Item) -> None:
    for marker in ("compiled", "slow_without_jit"):
        if os.environ.get("VINCI_LAB_JIT") == "0" and item.get_closest_marker(marker):
            pytest.skip(f"{marker}, and VINCI_LAB_JIT=0")


@pytest.fixture
def run_python() -> Callable[..., str]:
    """Return a function that runs Python with some arguments and changed environment, and returns what it prints."""

    def run(*arguments: str, root: Path = ROOT, **environment: str | None) -> str:
        variables = {**os.environ, "PYTHONPATH": str(root), **environment}
        result = subprocess.run(
            [sys.executable, *arguments],
            cwd=root,
            env={name: value for name, value in variables.items() if value is not None},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == 0, result.stderr
        return result.stdout.strip()

    return run


@pytest.fixture(autouse=True)
def loop_of_its_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hide the event loop that a browser of other tests keeps running, from tests that ask whether there is one."""
    running = asyncio._get_running_loop()
    if running is None or "browser" in request.path.parts:
        yield
        return
    asyncio._set_running_loop(None)
    yield
    asyncio._set_running_loop(running)
