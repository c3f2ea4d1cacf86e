from __future__ import annotations

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import ROOT
from vinci_lab.engine import jit

FOLDER = "from vinci_lab.engine import jit; print(jit.CACHE_FOLDER)"
HASH = "from vinci_lab.engine import jit; print(jit.source_hash())"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return the root of a copy of the package whose sources a test may change."""
    shutil.copytree(ROOT / "vinci_lab", tmp_path / "vinci_lab", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


@pytest.mark.compiled
def test_the_cache_folder_is_named_by_the_hash_of_the_kernel_sources() -> None:
    assert jit.CACHE_FOLDER is not None
    assert jit.CACHE_FOLDER.name == f"kernels-{jit.source_hash()}"
    assert re.fullmatch("[0-9a-f]{16}", jit.source_hash())


@pytest.mark.parametrize("name", ["engine/bits.py", "games/vinci/rules_layout.py", "games/vinci/measures.py"])
def test_another_kernel_source_gives_another_hash(checkout: Path, run_python: Callable[..., str], name: str) -> None:
    before = run_python("-c", HASH, root=checkout)
    with (checkout / "vinci_lab" / name).open("a") as source:
        source.write("# one more line\n")
    assert run_python("-c", HASH, root=checkout) != before == jit.source_hash()


def test_a_source_without_kernels_leaves_the_hash(checkout: Path, run_python: Callable[..., str]) -> None:
    (checkout / "vinci_lab" / "analysis" / "more.py").write_text("NUMBER = 1\n")
    assert run_python("-c", HASH, root=checkout) == jit.source_hash()


@pytest.mark.compiled
def test_a_cached_kernel_follows_an_edit_of_a_kernel_it_calls(
    checkout: Path, run_python: Callable[..., str], tmp_path: Path
) -> None:
    (checkout / "vinci_lab" / "engine" / "caller.py").write_text(
        "from vinci_lab.engine import bits\nfrom vinci_lab.engine.jit import kernel\n"
        "@kernel\ndef set_of_five():\n    return bits.member(5)\n"
    )
    ask = ("-c", "from vinci_lab.engine.caller import set_of_five; print(set_of_five())")
    cache = str(tmp_path / "cache")
    assert run_python(*ask, root=checkout, NUMBA_CACHE_DIR=cache) == "32"
    source = checkout / "vinci_lab" / "engine" / "bits.py"
    text = source.read_text()
    assert "return 1 << number" in text
    source.write_text(text.replace("return 1 << number", "return 3 << number"))
    assert run_python(*ask, root=checkout, NUMBA_CACHE_DIR=cache) == "96"


def test_the_switch_leaves_plain_functions_and_no_cache_folder(run_python: Callable[..., str]) -> None:
    program = (
        "from vinci_lab.engine import jit\ndef double(x): return 2 * x\n"
        "print(jit.kernel(double) is double, jit.kernel(inner=True)(double) is double, jit.CACHE_FOLDER)"
    )
    assert run_python("-c", program, VINCI_LAB_JIT="0") == "True True None"


@pytest.mark.compiled
def test_the_machine_code_goes_where_numba_cache_dir_says(run_python: Callable[..., str], tmp_path: Path) -> None:
    program = "from vinci_lab.engine import chance; print(chance.game_key(7, 3))"
    run_python("-c", program, NUMBA_CACHE_DIR=str(tmp_path / "asked"))
    assert list(tmp_path.glob(f"asked/kernels-{jit.source_hash()}/**/chance.game_key*.nbc"))


@pytest.mark.compiled
def test_without_a_writable_home_the_kernels_still_run(run_python: Callable[..., str], tmp_path: Path) -> None:
    program = f"{FOLDER}; from vinci_lab.engine import chance; print(chance.game_key(7, 3))"
    printed = run_python(
        "-c", program, HOME=os.devnull, XDG_CACHE_HOME=None, NUMBA_CACHE_DIR=None, TMPDIR=str(tmp_path)
    ).split()
    assert Path(printed[0]).is_relative_to(tmp_path)
    assert len(printed) == 2


@pytest.mark.compiled
def test_old_folders_go_and_the_newest_stay(run_python: Callable[..., str], tmp_path: Path) -> None:
    for age in range(6):
        folder = tmp_path / f"kernels-{age}"
        folder.mkdir()
        os.utime(folder, (1e9 - age, 1e9 - age))
    (tmp_path / "something else").mkdir()
    run_python("-c", FOLDER, NUMBA_CACHE_DIR=str(tmp_path))
    kept = {f"kernels-{age}" for age in range(jit.FOLDERS_KEPT - 1)}
    assert {path.name for path in tmp_path.iterdir()} == kept | {f"kernels-{jit.source_hash()}", "something else"}


@pytest.mark.compiled
def test_a_cold_start_is_announced_once_and_a_warm_one_not(run_python: Callable[..., str], tmp_path: Path) -> None:
    program = (
        "import sys; sys.stderr = sys.stdout; from vinci_lab.engine import chance, jit\n"
        "jit.announce_compilation(); jit.announce_compilation(); chance.game_key(7, 3)"
    )
    cold = run_python("-c", program, NUMBA_CACHE_DIR=str(tmp_path))
    warm = run_python("-c", program, NUMBA_CACHE_DIR=str(tmp_path))
    assert cold.count("compiling") == 1
    assert warm == ""
