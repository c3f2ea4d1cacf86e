"""Serving games and notebooks to a browser on this machine: commands, what the page shows, and what is missing."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path

import ipywidgets
import pytest
from typer.testing import CliRunner

from tests.conftest import ROOT
from vinci_lab.cli import lab as commands
from vinci_lab.cli.options import app
from vinci_lab.widgets.app import serving
from vinci_lab.widgets.app.page import page
from vinci_lab.widgets.play import Play
from vinci_lab.widgets.replay import Replay

GAME = ROOT / "tests" / "transcripts" / "vinci_solitaire_greedy.jsonl"


@pytest.mark.parametrize(("command", "package"), [("play", "Voila"), ("lab", "JupyterLab")])
def test_without_the_extra_a_sentence_says_what_to_install(
    command: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    result = CliRunner().invoke(app, [command])
    assert result.exit_code == 2
    assert f"{package} is not installed; to have it: pip install 'vinci-lab[lab]'" in result.output


def test_servers_listen_on_this_machine_alone_and_keep_their_token() -> None:
    voila, lab = serving.voila_command(8123, "secret"), serving.lab_command(Path("notebooks"), None, opens=False)
    assert "--Voila.ip=127.0.0.1" in voila
    assert "--token=secret" in voila
    assert "--ServerApp.ip=127.0.0.1" in lab
    assert not any("token=" in option for option in lab)  # JupyterLab makes one of its own
    assert serving.PAGE.is_file()


def test_what_is_asked_for_reaches_the_page() -> None:
    asked = {"game": "vinci", "players": 3, "changes": {"victory_threshold": 100}}
    assert serving.asked(serving.environment(asked)) == asked
    assert serving.asked({}) == {}


def test_the_page_shows_a_written_game_or_one_to_play() -> None:
    assert isinstance(page({"transcript": str(GAME)}), Replay)
    asked = {"game": "vinci", "players": 3, "map": "lagoon", "seats": ["human", "greedy", "greedy"], "seed": 4}
    shown = page({**asked, "edition": None, "data": None, "changes": {"victory_threshold": 60}})
    assert isinstance(shown, Play)
    assert shown.session.rules.players == 3
    shown.close()


@pytest.mark.parametrize("asked", [{"game": "<b>nonsense</b>"}, {"transcript": "no such <b>file</b>"}])
def test_what_cannot_be_shown_is_a_sentence_and_no_markup(asked: dict[str, str]) -> None:
    shown = page(asked)
    assert isinstance(shown, ipywidgets.HTML)
    assert "&lt;b&gt;" in shown.value
    assert "<b>" not in shown.value


@pytest.mark.parametrize("arguments", [["lab", "nowhere"], ["play", "nowhere.jsonl"]])
def test_what_is_not_there_is_a_sentence(arguments: list[str]) -> None:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert "there is no such file or folder" in result.output


def test_an_installed_package_copies_its_notebooks_and_overwrites_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    package = tmp_path / "site" / "vinci_lab"
    (package / "notebooks").mkdir(parents=True)
    (package / "notebooks" / "01_tour.ipynb").write_text("new", encoding="utf-8")
    (package / "notebooks" / "02_more.ipynb").write_text("new", encoding="utf-8")
    here = tmp_path / "here"
    (here / "vinci_lab_notebooks").mkdir(parents=True)
    (here / "vinci_lab_notebooks" / "01_tour.ipynb").write_text("mine", encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setattr(commands.vinci_lab, "__file__", str(package / "__init__.py"))
    called: list[list[str]] = []
    monkeypatch.setattr(subprocess, "call", lambda command, env: called.append(command) or 0)
    result = CliRunner().invoke(app, ["lab", "--no-browser"])
    assert result.exit_code == 0, result.output
    copies = here / "vinci_lab_notebooks"
    assert {path.name: path.read_text(encoding="utf-8") for path in copies.iterdir()} == {
        "01_tour.ipynb": "mine",
        "02_more.ipynb": "new",
    }
    assert f"--ServerApp.root_dir={copies}" in called[0]
