"""The project installed as people install it: from a checkout, a wheel, and a wheel made from the source archive."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

from tests.conftest import ROOT

LOAD = (
    "import pathlib, vinci_lab, vinci_lab as vl; rules = vl.ruleset('vinci', players=4); "
    "print(pathlib.Path(vinci_lab.__file__).parent, rules.hash)"
)


def run(*arguments: str | Path, cwd: Path) -> str:
    """Run a command without the checkout on Python's path, and return what it prints."""
    environment = {name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "VINCI_LAB_DATA")}
    result = subprocess.run(
        [str(argument) for argument in arguments], cwd=cwd, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, f"{result.stdout}\n{result.stderr}"
    return result.stdout.strip()


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the source archive and, below ``direct/``, a wheel straight from the checkout."""
    folder = tmp_path_factory.mktemp("archives")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir")
    run(*build, folder, ROOT, cwd=folder)  # the source archive, and a wheel from it
    run(*build, folder / "direct", "--wheel", ROOT, cwd=folder)
    return folder


@pytest.fixture
def install(tmp_path: Path) -> Path:
    """Return the Python of a fresh virtual environment that sees the dependencies of the running one."""
    venv.create(tmp_path / "venv", with_pip=False)
    python = tmp_path / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    packages = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=tmp_path))
    (packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def install_and_load(python: Path, *what: str | Path) -> tuple[Path, str]:
    """Install something, load a ruleset elsewhere, and return the package's folder and the ruleset's hash."""
    pip = (sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check")
    home = python.parents[1]
    run(*pip, "install", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", *what, cwd=home)
    folder, content_hash = run(python, "-c", LOAD, cwd=home).split()
    return Path(folder), content_hash


@pytest.fixture(scope="module")
def expected_hash() -> str:
    return run(sys.executable, "-c", f"import sys; sys.path.insert(0, {str(ROOT)!r}); {LOAD}", cwd=ROOT.parent).split()[
        1
    ]


def test_an_editable_checkout_loads_a_ruleset_from_the_files_beside_it(install: Path, expected_hash: str) -> None:
    folder, content_hash = install_and_load(install, "--editable", ROOT)
    assert folder == ROOT / "vinci_lab"
    assert content_hash == expected_hash


def test_a_wheel_loads_a_ruleset_from_its_own_data(install: Path, archives: Path, expected_hash: str) -> None:
    folder, content_hash = install_and_load(install, *(archives / "direct").glob("*.whl"))
    assert folder.is_relative_to(install.parents[1])
    assert (folder / "data" / "vinci" / "tabletop" / "tiles.csv").is_file()
    assert content_hash == expected_hash


def test_a_wheel_made_from_the_source_archive_does_the_same(install: Path, archives: Path, expected_hash: str) -> None:
    folder, content_hash = install_and_load(install, *archives.glob("*.whl"))
    assert folder.is_relative_to(install.parents[1])
    assert content_hash == expected_hash


def test_both_wheels_hold_every_data_file_and_no_test(archives: Path) -> None:
    data = {
        f"vinci_lab/{path.relative_to(ROOT).as_posix()}"
        for path in (ROOT / "data").rglob("*")
        if path.is_file() and not path.name.startswith(".")
    }
    assert data
    for wheel in (*archives.glob("*.whl"), *(archives / "direct").glob("*.whl")):
        names = set(zipfile.ZipFile(wheel).namelist())
        assert data <= names
        assert "vinci_lab/py.typed" in names
        assert not [name for name in names if name.startswith(("tests/", "data/"))]


def test_the_source_archive_holds_the_tests_and_the_data(archives: Path) -> None:
    [archive] = archives.glob("*.tar.gz")
    with tarfile.open(archive) as source:
        names = {name.partition("/")[2] for name in source.getnames()}
    assert {"data/vinci/tabletop/tiles.csv", "tests/test_packaging.py", "Makefile", "README.md", "LICENSE"} <= names
