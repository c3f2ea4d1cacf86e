"""Pages that take notes of what goes wrong on them, and notebooks opened in JupyterLab."""

from __future__ import annotations

import json
import urllib.parse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request

PICTURES = Path(__file__).parent / "pictures"
HOME = ("127.0.0.1", "localhost", "")
READY = """async () => {
    const app = window.jupyterapp; await app.restored;
    const panel = app.shell.currentWidget; await panel.sessionContext.ready; await panel.revealed;
    for (let i = 0; i < 300 && panel.sessionContext.session?.kernel?.status !== 'idle'; i++)
        await new Promise(resolve => setTimeout(resolve, 100));
    if (panel.sessionContext.session?.kernel?.status !== 'idle') throw new Error('the kernel is never idle'); }"""
RUN_ALL = "() => { window.jupyterapp.commands.execute('notebook:run-all-cells') }"  # a promise could hang for ever
HAS_RUN = """() => {
    const panel = window.jupyterapp.shell.currentWidget;
    const code = panel.content.widgets.filter(cell => cell.model.type === 'code');
    return code.every(cell => cell.model.executionCount != null)
        && panel.sessionContext.session?.kernel?.status === 'idle'; }"""
ERRORS = """() => window.jupyterapp.shell.currentWidget.content.widgets
    .filter(cell => cell.model.type === 'code').flatMap(cell => cell.model.outputs.toJSON())
    .filter(output => output.output_type === 'error').map(output => `${output.ename}: ${output.evalue}`)"""


class Watched:
    """A browser page and what went wrong on it.

    Attributes
    ----------
    page : Page
        Of Playwright.
    faults : list of str
        Errors in the console, exceptions, failed requests, and requests to anywhere but this machine.
    requests : list of str
        All addresses that were asked for.
    """

    def __init__(self, context: BrowserContext) -> None:
        self.page: Page = context.new_page()
        self.faults: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.faults.append(f"exception: {error}"))
        self.page.on("requestfailed", self._failed)
        self.page.on("request", lambda request: self._asked(request.url))
        self.page.on("websocket", lambda socket: self._asked(socket.url))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left before the answer came
            self.faults.append(f"failed: {request.url}: {request.failure}")

    def _asked(self, url: str) -> None:
        self.requests.append(url)
        if (urllib.parse.urlsplit(url).hostname or "") not in HOME:
            self.faults.append(f"left this machine: {url}")

    def screenshot(self, path: Path, **options: Any) -> None:
        """Save a picture of the page."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path, **options)

    def keep(self, selector: str, name: str) -> None:
        """Keep a picture of a part of the page, whole even where it is longer than the window."""
        PICTURES.mkdir(exist_ok=True)
        size = self.page.viewport_size
        assert size is not None
        part = self.page.locator(selector).first
        box = part.bounding_box()
        height = max(size["height"], int(box["height"] if box else 0) + 400)
        self.page.set_viewport_size({"width": size["width"], "height": height})
        part.screenshot(path=PICTURES / f"{name}.png")
        self.page.set_viewport_size(size)


class Notebook(Watched):
    """A notebook in JupyterLab.

    Parameters
    ----------
    context : BrowserContext
        To open it in.
    base, token : str
        Of the server.
    name : str
        File, in the folder that is served.
    """

    def __init__(self, context: BrowserContext, base: str, token: str, name: str) -> None:
        super().__init__(context)
        self.page.goto(f"{base}/doc/tree/{name}?token={token}&reset")
        self.page.wait_for_selector(".jp-Notebook .jp-Cell")

    def run(self, timeout: float = 180) -> None:
        """Run all cells, wait until they have, and fail if one of them raised."""
        self.page.evaluate(READY)
        self.page.evaluate(RUN_ALL)
        self.page.wait_for_function(HAS_RUN, timeout=1000 * timeout)
        assert self.page.evaluate(ERRORS) == []

    @property
    def output(self) -> Locator:
        """The outputs of all cells; words in the source of a cell are not among them."""
        return self.page.locator(".jp-OutputArea-output")


def notebook_text(cells: Sequence[str | dict[str, Any]]) -> str:
    """Return the text of a notebook file with these cells: source, or whole cells with outputs."""
    written = [
        cell
        if isinstance(cell, dict)
        else {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": [], "source": cell}
        for cell in cells
    ]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    content = {"cells": written, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(content)
