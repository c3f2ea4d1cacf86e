"""What the harness itself promises: notebooks run, and pages on which something goes wrong are found out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import BrowserContext, expect

from tests.browser import conftest
from tests.browser.pages import Notebook, Watched


def test_a_position_is_drawn_in_a_notebook(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook("import vinci_lab as vl\nvl.new_position(vl.ruleset('vinci', players=4), seed=3)")
    notebook.run()
    expect(notebook.output.locator("img, svg").first).to_be_visible()


def test_a_page_that_asks_another_machine_is_found_out(context: BrowserContext) -> None:
    watched = Watched(context)
    watched.page.set_content("<img src='http://example.org/picture.png'><script>console.error('oh')</script>")
    watched.page.wait_for_timeout(200)
    assert any("left this machine" in fault for fault in watched.faults)
    assert any("oh" in fault for fault in watched.faults)


def test_a_missing_browser_is_a_sentence_that_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VINCI_LAB_BROWSER", "no-such-program")
    with pytest.raises(pytest.fail.Exception, match="apt-get install chromium"):
        conftest.browser_path()
