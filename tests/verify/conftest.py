"""The long tier: every test here has the marker ``verify``, and says at the end what it has checked."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HERE = Path(__file__).parent
LINES = pytest.StashKey[list[str]]()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.verify)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    lines = config.stash.get(LINES, [])
    if lines:
        terminalreporter.section("what was verified")
    for line in lines:
        terminalreporter.write_line(line)


@pytest.fixture
def tell(request: pytest.FixtureRequest) -> Iterator[Callable[[str], None]]:
    """Return a function that notes a sentence for the end of the run; the seconds are added."""
    began, said = time.perf_counter(), list[str]()
    yield said.append
    lines = request.config.stash.setdefault(LINES, [])
    lines += [f"{sentence} ({time.perf_counter() - began:.0f} s)" for sentence in said]
