"""A real Chromium, JupyterLab and Voila for the tests of what people see.

Every page is watched: an error in the console, an exception, a failed request or a request that leaves this machine
fails the test. A picture of each page at the end of its test is kept in ``tests/browser/pictures``.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.pages import PICTURES, Notebook, Watched, notebook_text
from tests.browser.servers import jupyterlab

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", OFFLINE),
)
MISSING = (
    "tests/browser need Chromium or Chrome and found neither: install it (Debian, Ubuntu: apt-get install chromium "
    "fonts-dejavu-core), or say where it is with VINCI_LAB_BROWSER=/path/to/chrome. VINCI_LAB_BROWSER=none leaves "
    "these tests out, except where CI is set."
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if os.environ.get("VINCI_LAB_BROWSER") != "none" or os.environ.get("CI"):
        return
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.skip(reason="VINCI_LAB_BROWSER=none"))


def browser_path() -> str:
    """Return the program, or fail with a sentence that says what to install."""
    named = os.environ.get("VINCI_LAB_BROWSER")
    names = [named] if named and named != "none" else NAMES
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        pytest.fail(MISSING, pytrace=False)
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A browser without a window that can reach nothing but this machine."""
    path = browser_path()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(QUIET))
        yield started
        started.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Cookies and storage of one test."""
    made = browser.new_context(viewport={"width": 1280, "height": 1000}, accept_downloads=True)
    made.set_default_timeout(15_000)
    yield made
    made.close()


@pytest.fixture
def watch(context: BrowserContext, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
    """Return ``watch(kind, *arguments)``, which opens a watched page; nothing may go wrong on any of them."""
    opened: list[Watched] = []

    def make(kind: type[Watched] = Watched, *arguments: Any) -> Watched:
        opened.append(kind(context, *arguments))
        return opened[-1]

    yield make
    name = re.sub(r"\W+", "_", request.node.name).strip("_")
    for number, one in enumerate(opened):
        one.screenshot(PICTURES / f"{name}{f'_{number}' if number else ''}.png")
    assert [fault for one in opened for fault in one.faults] == []


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str, Path]]:
    """JupyterLab: its address, its token and the folder it serves."""
    folder, token = tmp_path_factory.mktemp("lab"), secrets.token_hex(16)
    with jupyterlab(folder, token) as base:
        yield base, token, folder


@pytest.fixture
def open_notebook(
    watch: Callable[..., Any], lab: tuple[str, str, Path], request: pytest.FixtureRequest
) -> Callable[..., Notebook]:
    """Return ``open_notebook(*cells)``, which writes a notebook and opens it in JupyterLab; ``run`` runs it."""
    base, token, folder = lab

    def make(*cells: str | dict[str, Any]) -> Notebook:
        name = f"{re.sub(r'[^a-z0-9]+', '_', request.node.name.lower())}.ipynb"
        (folder / name).write_text(notebook_text(cells), encoding="utf-8")
        opened: Notebook = watch(Notebook, base, token, name)
        return opened

    return make
