"""The notebooks run, and what is stored of them is what their sources say, small, and of use without a kernel."""

from __future__ import annotations

import base64
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from tests.conftest import ROOT
from tests.notebooks import ALIVE, FOLDER, SMALL, make_small, read, sources

LARGEST = 600_000  # bytes of a stored notebook
NAMES = [path.stem for path in sources()]
PNG = b"\x89PNG\r\n\x1a\n"


def stored(name: str) -> Any:
    return nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)


def outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]


def test_there_are_seven() -> None:
    assert len(NAMES) == 7
    assert sorted(path.stem for path in FOLDER.glob("*.ipynb")) == NAMES


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_runs_with_few_games(name: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.notebooks", "--small", "--out", str(tmp_path), name]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    run = nbformat.read(tmp_path / f"{name}.ipynb", as_version=4)
    assert [output for output in outputs(run) if output.output_type == "error"] == []
    assert len(outputs(run)) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_was_made_from_the_source(name: str) -> None:
    written = [cell.source for cell in read(FOLDER / f"{name}.py").cells]
    assert [cell.source for cell in stored(name).cells] == written


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_is_small_and_has_pictures_for_those_without_a_kernel(name: str) -> None:
    assert (FOLDER / f"{name}.ipynb").stat().st_size < LARGEST
    found = [output.data for output in outputs(stored(name)) if "data" in output]
    pictures = [base64.b64decode(data["image/png"]) for data in found if "image/png" in data]
    assert pictures
    assert all(picture.startswith(PNG) for picture in pictures)
    assert not any(ALIVE in data for data in found)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_tells_nothing_of_the_machine_and_no_warnings(name: str) -> None:
    text = (FOLDER / f"{name}.ipynb").read_text(encoding="utf-8")
    assert not any(place in text for place in (str(ROOT), str(Path.home()) + "/", "site-packages"))
    assert [output for output in outputs(stored(name)) if output.get("name") == "stderr"] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_notebook_says_what_is_reconstructed(name: str) -> None:
    prose = " ".join(cell.source for cell in stored(name).cells if cell.cell_type == "markdown")
    assert "reconstruct" in prose


def test_few_games_are_fewer_than_the_notebooks_play() -> None:
    notebook = read(FOLDER / "02_tile_balance.py")
    before = notebook.cells[1].source
    make_small(notebook)
    assert "GAMES = 20_000" in before
    assert f"GAMES = {SMALL['GAMES']}" in notebook.cells[1].source
