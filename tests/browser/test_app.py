"""The game in a browser for people without Jupyter, as the command line serves it."""

from __future__ import annotations

import re
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.pages import Watched
from tests.browser.servers import PATIENCE, private_environment
from tests.conftest import ROOT

GAME = ROOT / "tests" / "transcripts" / "vinci_four_seats_greedy.jsonl"


@contextmanager
def command(folder: Path, *arguments: str) -> Iterator[str]:
    """Run ``vinci-lab play`` while the block lasts, and yield the address it prints."""
    log = folder / "command.log"
    line = [sys.executable, "-m", "vinci_lab.cli", "play", *arguments, "--no-browser"]
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(line, cwd=folder, env=private_environment(folder), stdout=file, stderr=file)
    try:
        end = time.monotonic() + PATIENCE
        while (found := re.search(r"the game is at (\S+);", log.read_text(encoding="utf-8"))) is None:
            assert process.poll() is None and time.monotonic() < end, log.read_text(encoding="utf-8")  # noqa: PT018
            time.sleep(0.1)
        yield found[1]
    finally:
        process.terminate()
        process.wait(20)


def test_a_written_game_is_shown_without_jupyter_and_without_the_net(
    watch: Callable[..., Watched], tmp_path: Path
) -> None:
    with command(tmp_path, str(GAME)) as address:
        watched = watch()
        watched.page.goto(address, wait_until="commit")
        board = watched.page.locator(".vl-replay .vb-board svg").first
        expect(board).to_be_visible(timeout=90_000)
        version = watched.page.locator(".vb-board").get_attribute("data-version")
        watched.page.get_by_role("button", name="turn ▶|").click()
        expect(watched.page.locator(".vb-board")).not_to_have_attribute("data-version", version or "")
        watched.keep(".vl-replay", "voila_replay")


def test_a_game_is_played_without_jupyter_and_without_the_net(watch: Callable[..., Watched], tmp_path: Path) -> None:
    seats = "human,greedy,greedy,greedy"
    with command(tmp_path, "vinci", "--map", "lagoon", "--seats", seats, "--seed", "30") as address:
        watched = watch()
        page = watched.page
        page.goto(address, wait_until="commit")
        expect(page.locator(".vl-status").first).to_contain_text("Choose a civilization", timeout=90_000)
        page.locator('[data-region="slot:0"]').first.press("Enter")
        expect(page.locator(".vl-status").first).to_contain_text("in hand", timeout=30_000)
        expect(page.locator(".vl-log")).to_contain_text("takes")
        watched.keep("#rendered_cells", "voila_play")


def test_what_cannot_be_played_is_a_sentence_on_the_page(watch: Callable[..., Watched], tmp_path: Path) -> None:
    with command(tmp_path, "vinci", "--set", "tiles.weapons.tokens=-400") as address:
        watched = watch()
        watched.page.goto(address, wait_until="commit")
        expect(watched.page.get_by_text("tiles.weapons.tokens")).to_be_visible(timeout=90_000)


def test_the_page_asks_for_the_token(tmp_path: Path) -> None:
    with command(tmp_path, str(GAME)) as address:
        assert re.search(r"^http://127\.0\.0\.1:\d+/\?token=[0-9a-f]{32}$", address)
        with urllib.request.urlopen(address.partition("?")[0]) as answer:
            shown = answer.read().decode()
        assert "token" in shown
        assert "vb-board" not in shown
        assert "jupyter-config-data" not in shown
