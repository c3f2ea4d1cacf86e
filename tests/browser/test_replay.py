"""A game gone through on the board, in a real notebook."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.pages import Notebook
from tests.conftest import ROOT

GAME = """
import vinci_lab as vl
runs = vl.simulate(vl.ruleset('vinci', players=4), games=20, seed=7, progress=False)
shown = vl.replay(runs, game=17)
shown
"""

CLICK_TO_BOARD = """async () => {
    const board = document.querySelector('.vl-replay .vb-board'), before = board.dataset.version;
    const step = [...document.querySelectorAll('.vl-replay button')].find(one => one.innerText.includes('step ▶'));
    const began = performance.now();
    step.click();
    while (board.dataset.version === before) await new Promise(resolve => setTimeout(resolve, 1));
    return performance.now() - began; }"""
SLOWEST = 150.0  # milliseconds from a click to the board that shows it, in the middle of several
HOSTILE = """
import json
import vinci_lab as vl
rules = vl.ruleset('vinci', players=3, map='lagoon')
content = json.loads(json.dumps(rules.to_json()))
for tile in content['tiles'].values(): tile['title'] = "<img src=x onerror=document.title='broken'>"
rules = rules.definition.build(content)
vl.explore({"<img src=x onerror=document.title='broken'>": vl.simulate(rules, games=5, seed=7, progress=False)})
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
    page.get_by_role("button", name=re.compile("pause")).click()
    notebook.keep(".vl-replay", "replay")
    page.get_by_role("button", name="play on from here").click()
    expect(page.locator(".vl-replay .vl-play .vl-status").first).to_contain_text("Your decision")


def test_a_step_is_shown_in_time(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(GAME)
    notebook.run()
    expect(notebook.page.locator(".vl-replay .vb-board svg")).to_be_visible()
    notebook.page.locator(".vl-rows tbody tr").nth(60).click()
    notebook.page.wait_for_timeout(500)
    medians = []
    for _ in range(3):  # a machine that is busy with something else gets another chance
        medians.append(sorted(notebook.page.evaluate(CLICK_TO_BOARD) for _ in range(7))[3])
        if medians[-1] < SLOWEST:
            break
        notebook.page.wait_for_timeout(2_000)
    print(f"from a click to the board, in the middle of seven: {min(medians):.0f} ms")
    assert min(medians) < SLOWEST, medians


def test_names_stay_text_in_replay_explore_and_what_if(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(HOSTILE)
    notebook.run()
    page = notebook.page
    shown = page.locator(".vl-explore")
    expect(shown).to_be_visible()
    shown.locator(".vl-rows tbody tr").first.click()
    expect(shown.locator(".vl-replay .vl-rows")).to_contain_text("<img src=x", timeout=30_000)
    page.get_by_role("tab", name="what if").click()
    assert page.locator("img[src='x']").count() == 0
    assert page.title() != "broken"


def test_a_stored_notebook_shows_its_pictures_before_it_is_run(
    open_notebook: Callable[..., Notebook], watch: Callable[..., Notebook]
) -> None:
    """The notebook is not trusted and has no kernel's widgets: the board stands there as a PNG."""
    cells = json.loads((ROOT / "notebooks" / "07_replay_and_explore.ipynb").read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        cell.pop("id")
    notebook = open_notebook(*cells)
    notebook.page.set_viewport_size({"width": 1280, "height": 4000})  # cells out of sight are not drawn
    expect(notebook.output.locator("img").nth(1)).to_be_visible()
    assert notebook.page.get_by_text("Error displaying widget").count() == 0


def test_a_widget_that_is_not_trusted_shows_its_picture(open_notebook: Callable[..., Notebook]) -> None:
    import vinci_lab as vl

    data, _ = vl.replay(ROOT / "tests" / "transcripts" / "vinci_solitaire_greedy.jsonl")._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    output = {"output_type": "execute_result", "execution_count": 1, "metadata": {}, "data": data}
    cell = {"cell_type": "code", "metadata": {}, "execution_count": 1, "outputs": [output], "source": "shown"}
    notebook = open_notebook(cell)
    expect(notebook.output.locator("img")).to_be_visible()
