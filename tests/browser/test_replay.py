"""A game gone through on the board, in a real notebook."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.pages import Notebook

GAME = """
import vinci_lab as vl
runs = vl.simulate(vl.ruleset('vinci', players=4), games=20, seed=7, progress=False)
shown = vl.replay(runs, game=17)
shown
"""


def test_the_slider_moves_board_log_and_words_together(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(GAME)
    notebook.run()
    page = notebook.page
    expect(page.locator(".vl-replay svg").first).to_be_visible()
    handle = page.locator(".vl-replay .widget-slider .noUi-handle").first
    handle.focus()
    for _ in range(3):
        handle.press("ArrowRight")
    expect(page.locator(".vl-rows tr.vl-selected")).to_have_attribute("data-row", "3")
    page.get_by_role("button", name="turn ▶|").click()
    expect(page.locator(".vl-rows tr.vl-selected")).to_have_attribute("data-row", "44")
    page.locator(".vl-rows tbody tr").nth(47).click()
    expect(page.locator(".vl-rows tr.vl-selected")).to_have_attribute("data-row", "47")
    page.get_by_role("button", name="next", exact=True).click()
    expect(page.locator(".vl-rows tr.vl-selected")).not_to_have_attribute("data-row", "47")
    page.get_by_role("button", name=re.compile("play$")).click()
    expect(page.get_by_role("button", name=re.compile("pause"))).to_be_visible()
    notebook.keep(".vl-replay", "replay")
