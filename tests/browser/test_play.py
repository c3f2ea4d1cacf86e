"""A game played on the board in a real notebook: by clicks, by keys, against agents, from start to end."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.pages import Notebook

START = """
import vinci_lab as vl
rules = vl.ruleset('vinci', players=4, map='lagoon').replace({'victory_threshold': %d})
game = vl.play(rules, seats=['human', 'greedy', 'greedy', 'greedy'], seed=30, pace=0)
game
"""
STATUS, NOTE = ".vl-status", ".vl-note"
OPEN = '.vl-play [data-mark="can"]'
CLICK_TO_BOARD = """async (key) => {
    const board = document.querySelector('.vl-play .vb-board'), before = board.dataset.version;
    const began = performance.now();
    document.querySelector(`[data-region="${key}"]`).dispatchEvent(new MouseEvent('click', {bubbles: true}));
    while (board.dataset.version === before) await new Promise(resolve => setTimeout(resolve, 1));
    return performance.now() - began; }"""
SLOWEST = 150.0  # milliseconds from a click to the board that shows it, in the middle of several


def button(page: Page, name: str) -> Locator:
    return page.get_by_role("button", name=name, exact=True)


def asked(page: Page, words: str) -> None:
    expect(page.locator(STATUS).first).to_contain_text(words, timeout=30_000)


def keys(page: Page, mark: str) -> list[str]:
    """Return the provinces with a mark."""
    found = page.locator(f'.vl-play [data-region^="province"][data-mark="{mark}"]')
    return [str(region.get_attribute("data-region")) for region in found.all()]


def click(page: Page, key: str) -> None:
    """Click in the middle of a region; what stands on it belongs to it."""
    page.locator(f'[data-region="{key}"]').first.click(force=True)


def press(page: Page, key: str, stroke: str = "Enter") -> None:
    page.locator(f'[data-region="{key}"]').first.press(stroke)


@contextlib.contextmanager
def doing(page: Page) -> Iterator[None]:
    """Wait until what is done in the block shows."""
    step = page.locator(".vl-log").get_attribute("data-step")
    yield
    page.wait_for_function("(step) => document.querySelector('.vl-log').dataset.step !== step", arg=step)


def to_conquest(page: Page) -> None:
    asked(page, "Choose a civilization")
    click(page, "slot:0")
    asked(page, "in hand")


@pytest.fixture
def game(open_notebook: Callable[..., Notebook]) -> Notebook:
    notebook = open_notebook(START % 60)
    notebook.run(180)
    return notebook


def test_a_turn_is_played_by_clicks(game: Notebook) -> None:
    page = game.page
    to_conquest(page)
    target = keys(page, "can")[0]
    page.locator(f'[data-region="{target}"]').first.hover(force=True)
    expect(page.locator(".vb-tip:popover-open")).to_contain_text("Costs")
    click(page, target)
    expect(page.locator(f'[data-region="{target}"]').first).to_have_attribute("data-mark", "cannot")
    press(page, target)
    expect(page.locator(NOTE)).to_contain_text("It is yours already")
    button(page, "Undo").click()
    expect(page.locator(f'[data-region="{target}"]').first).to_have_attribute("data-mark", "can")
    button(page, "Hint from").click()
    expect(page.locator(NOTE)).to_have_attribute("data-kind", "hint", timeout=30_000)
    expect(page.locator(NOTE)).to_contain_text("outlook")
    with doing(page):
        button(page, "Do it").click()
    with doing(page):
        press(page, keys(page, "can")[0])
    button(page, "End conquests").click()
    asked(page, "left to place")
    press(page, keys(page, "can")[0])
    expect(page.locator('.vl-play [data-mark="chosen"]')).to_have_count(1)
    press(page, keys(page, "chosen")[0], "-")
    expect(page.locator('.vl-play [data-mark="chosen"]')).to_have_count(0)
    button(page, "Even").click()
    button(page, "Done").click()
    expect(page.locator(".vl-log")).to_contain_text("seat 0 scores")


def test_a_click_is_answered_in_time(game: Notebook) -> None:
    page = game.page
    to_conquest(page)
    times = []
    for _ in range(3):
        times.append(page.evaluate(CLICK_TO_BOARD, keys(page, "can")[0]))
        page.wait_for_timeout(200)
        before = page.locator(".vb-board").first.get_attribute("data-version")
        button(page, "Undo").click()
        expect(page.locator(".vb-board").first).not_to_have_attribute("data-version", str(before))
    assert sorted(times)[1] < SLOWEST, times


def test_the_board_is_walked_over_with_the_keyboard_and_keys_stay_in_it(game: Notebook) -> None:
    page = game.page
    to_conquest(page)
    page.locator(OPEN).first.focus()
    first = page.evaluate("document.activeElement.dataset.region")
    for stroke in ("ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight"):
        page.keyboard.press(stroke)
    assert page.evaluate("document.activeElement.dataset.region") is not None
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.mark") == "can"
    for focused in ("board", "button"):
        for stroke in ("a", "b", "m"):  # in a notebook these add cells
            page.keyboard.press(stroke)
        assert page.locator(".jp-Cell").count() == 1, focused
        button(page, "Hint from").focus()
    label = page.locator(f'[data-region="{first}"]').first.get_attribute("aria-label")
    assert label is not None
    assert "Costs" in label


def test_a_game_is_saved_and_loaded(game: Notebook, lab: tuple[str, str, Path]) -> None:
    page = game.page
    to_conquest(page)
    path = page.locator('.vl-play input[type="text"]').last
    path.fill("browser_game.jsonl")
    path.press("Tab")
    button(page, "Save").click()
    expect(page.locator(NOTE)).to_contain_text("Saved as")
    assert (lab[2] / "browser_game.jsonl").is_file()
    press(page, keys(page, "can")[0])
    expect(page.locator(".vl-log")).to_contain_text("seat 0 enters")
    button(page, "Load").click()
    expect(page.locator(NOTE)).to_contain_text("Loaded from")
    expect(page.locator(".vl-log")).not_to_contain_text("seat 0 enters")
    path.fill("missing.jsonl")
    path.press("Tab")
    button(page, "Load").click()
    expect(page.locator(NOTE)).to_have_attribute("data-kind", "error")


def test_a_whole_game_against_agents(open_notebook: Callable[..., Notebook]) -> None:
    """A clicker that takes the first of everything, without looking at the rules."""
    notebook = open_notebook(START % 20)
    notebook.run(180)
    page = notebook.page
    for _ in range(200):
        page.wait_for_function(
            "() => { const [status, log] = ['.vl-status', '.vl-log'].map(name => document.querySelector(name)); "
            "return document.querySelector('.vl-end') "
            "|| (status.innerText.startsWith('Your decision') && status.dataset.step === log.dataset.step); }"
        )
        if page.locator(".vl-end").count():
            break
        once(page)
    expect(page.locator(".vl-end")).to_contain_text(re.compile("wins|share the win"))
    expect(page.locator(".vl-end polyline").first).to_be_visible()


def once(page: Page) -> None:
    """Do one thing, and wait until it is done."""
    if button(page, "Even").is_visible():
        with doing(page):
            button(page, "Even").click()
    region = page.locator(OPEN).first
    other = page.locator(".vl-choices button:not([disabled])").first
    with doing(page):
        if button(page, "Done").is_visible():
            button(page, "Done").click()
        elif region.count():
            region.press("Enter")
        else:
            other.click()


def test_two_games_in_one_notebook_and_a_cell_that_is_run_again(open_notebook: Callable[..., Notebook]) -> None:
    other = "second = vl.play(rules, seats='human', seed=9)\nsecond"
    notebook = open_notebook(START % 60, other, "game")
    notebook.run(180)
    page = notebook.page
    expect(page.locator(".vl-play")).to_have_count(3)
    ids = page.evaluate("[...document.querySelectorAll('.vb-board [id]')].map(node => node.id)")
    assert len(ids) == len(set(ids)) > 0
    page.locator('.vl-play >> nth=1 >> [data-region="slot:2"]').first.press("Enter")
    expect(page.locator(".vl-play >> nth=1 >> .vl-log")).to_contain_text("takes")
    asked(page, "Choose a civilization")
    page.locator('.vl-play >> nth=2 >> [data-region="slot:0"]').first.press("Enter")
    asked(page, "in hand")
    versions = [page.locator(f".vl-play >> nth={place} >> .vb-board >> nth=0") for place in (0, 2)]
    expect(versions[1]).to_have_attribute("data-version", str(versions[0].get_attribute("data-version")))
    notebook.run(60)
    expect(page.locator(".vl-play")).to_have_count(3)
    asked(page, "Choose a civilization")
    page.locator('.vl-play >> nth=0 >> [data-region="slot:0"]').first.press("Enter")
    asked(page, "in hand")


def test_after_a_kernel_restart_the_cell_makes_a_game_that_works(game: Notebook) -> None:
    page = game.page
    to_conquest(page)
    page.evaluate("async () => { await window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart() }")
    game.run(180)
    to_conquest(page)


def test_a_notebook_that_is_closed_and_opened_again_shows_the_game_as_it_is(game: Notebook) -> None:
    page = game.page
    to_conquest(page)
    press(page, keys(page, "can")[0])
    expect(page.locator(".vl-log")).to_contain_text("seat 0 enters")
    owned = keys(page, "cannot")
    page.evaluate("async () => { await window.jupyterapp.commands.execute('docmanager:save') }")
    page.reload()
    page.wait_for_selector(".vl-play .vb-board svg", timeout=60_000)
    expect(page.locator(".vl-log")).to_contain_text("seat 0 enters")
    assert keys(page, "cannot") == owned
    press(page, keys(page, "can")[0])
    expect(page.locator(".vl-log")).to_contain_text(re.compile("seat 0 conquers"))


def test_names_stay_text(open_notebook: Callable[..., Notebook]) -> None:
    evil = "<img src=x onerror=document.title='broken'>"
    cell = f"""
import json
import vinci_lab as vl
content = json.loads(json.dumps(vl.ruleset('vinci', players=4, map='lagoon').to_json()))
for tile in content['tiles'].values(): tile['title'] = {evil!r}
rules = vl.ruleset('vinci', players=4).definition.build(content)
vl.play(rules, seats={["human:" + evil, "human", "human", "human"]!r}, seed=2)"""
    notebook = open_notebook(cell)
    notebook.run(180)
    page = notebook.page
    page.locator('[data-region="slot:0"]').first.hover(force=True)
    expect(page.locator(".vb-tip:popover-open")).to_contain_text("<img src=x")
    click(page, "slot:0")
    expect(page.locator(".vl-log")).to_contain_text("<img src=x")
    assert page.locator(".vl-play img").count() == 0
    assert page.title() != "broken"


def test_the_still_picture_of_an_untrusted_notebook(open_notebook: Callable[..., Notebook]) -> None:
    """A notebook that is not trusted shows no SVG; the saved output has a PNG and words besides the widget."""
    output: dict[str, Any] = {"output_type": "execute_result", "execution_count": 1, "metadata": {}}
    import vinci_lab as vl

    data, _ = vl.play(vl.ruleset("vinci", players=4), seats="human", seed=6)._repr_mimebundle_()
    data.pop("application/vnd.jupyter.widget-view+json")
    output["data"] = data
    cell = {"cell_type": "code", "metadata": {}, "execution_count": 1, "outputs": [output], "source": "game"}
    notebook = open_notebook(cell)
    expect(notebook.output.locator("img")).to_be_visible()
