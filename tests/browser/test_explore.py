"""A run filtered and drawn, a row opened as a game, and the what-if panel stopped half way, in a real notebook."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.pages import Notebook

RUN = """
import vinci_lab as vl
runs = vl.simulate(vl.ruleset('vinci', players=4), 'greedy,greedy,greedy,random', games=60, seed=7, progress=False)
vl.explore(runs)
"""
MANY = 10_000_000


def number(words: str | None) -> int:
    """Return the first number of a sentence."""
    found = re.search(r"[\d,]+", words or "")
    assert found is not None, words
    return int(found[0].replace(",", ""))


def explored(page: Page, label: str, value: str) -> None:
    """Choose in one of the lists below each other."""
    page.locator(f".vl-explore .widget-dropdown:visible:has(label:text-is('{label}')) select").select_option(value)


def test_a_filter_narrows_figure_and_rows_and_a_row_opens_its_game(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(RUN)
    notebook.run()
    page = notebook.page
    shown = page.locator(".vl-explore")
    count = shown.get_by_text("games", exact=False).locator("b").first
    everything = number(count.text_content())
    lists = shown.locator("select[multiple]")
    lists.nth(1).select_option("random")
    expect(count).not_to_have_text(f"{everything:,}")
    assert 0 < number(count.text_content()) < everything
    explored(page, "number", "points_active")
    expect(shown.locator(".vl-rows th").nth(1)).to_have_text("points active")
    notebook.keep(".vl-explore", "explore")
    shown.locator(".vl-rows tbody tr").first.click()
    expect(shown.locator(".vl-replay svg").first).to_be_visible(timeout=30_000)
    notebook.keep(".vl-explore", "explore_with_a_game")


def test_what_if_is_stopped_half_way_and_keeps_what_was_played(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(RUN)
    notebook.run()
    page = notebook.page
    page.get_by_role("tab", name="what if").click()
    panel = page.locator(".vl-what-if")
    becomes = panel.get_by_label("becomes")
    becomes.fill("110")
    becomes.press("Enter")
    panel.get_by_role("button", name="change it").click()
    expect(panel.get_by_text("120 → 110")).to_be_visible()
    games = panel.get_by_label("games", exact=True)
    games.fill(str(MANY))
    games.press("Enter")
    panel.get_by_role("button", name="run both").click()
    expect(panel.get_by_text(re.compile(r"^playing: [1-9]"))).to_be_visible(timeout=30_000)
    expect(panel.locator("svg").first).to_be_visible()
    page.wait_for_timeout(2_000)
    panel.get_by_role("button", name="stop").click()
    stopped = panel.get_by_text(re.compile(r"^stopped after"))
    expect(stopped).to_be_visible()
    assert 100 <= number(stopped.text_content()) < MANY
    expect(panel.locator(".vl-rows tbody tr").first.locator("td").nth(6)).to_have_text(re.compile(r"^[\d,]+$"))
    notebook.keep(".vl-what-if", "what_if")
