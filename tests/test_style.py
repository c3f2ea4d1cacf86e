"""Promises about the sources that no linter of the project checks."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import vinci_lab
from tests.conftest import ROOT

ALLOWED_IN_RULES = ("__future__", "typing", "numpy", "vinci_lab.engine.")
RULES = sorted(
    path for pattern in ("rules.py", "rules_*.py") for path in (ROOT / "vinci_lab" / "games").glob(f"*/{pattern}")
)


def imported(path: Path) -> Iterator[str]:
    """Yield the full names of the modules a source imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_importing_the_package_is_light(run_python: Callable[..., str]) -> None:
    program = "import sys, vinci_lab; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = set(run_python("-c", program).split())
    assert "vinci_lab" in loaded
    assert loaded & {"matplotlib", "pandas", "scipy", "pydantic", "numba", "pyarrow", "IPython"} == set()


def test_the_public_names_are_listed_without_importing_them(run_python: Callable[..., str]) -> None:
    listed = run_python("-c", "import vinci_lab; print(*dir(vinci_lab))").split()
    assert {"ruleset", "simulate", "seat_effects", "new_position", "load_transcript"} <= set(listed)


@pytest.mark.parametrize("name", sorted(set(vinci_lab.__all__) - {"__version__"}))
def test_every_public_name_exists_and_says_what_it_is(name: str) -> None:
    assert getattr(vinci_lab, name).__doc__


def test_an_unknown_public_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        getattr(vinci_lab, "nonsense")  # noqa: B009


@pytest.mark.parametrize("path", RULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_rules_import_only_numpy_and_the_engine(path: Path) -> None:
    own = f"vinci_lab.games.{path.parent.name}.rules"
    assert [name for name in imported(path) if not name.startswith((*ALLOWED_IN_RULES, own))] == []


@pytest.mark.parametrize(
    "path", sorted((ROOT / "vinci_lab").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT / "vinci_lab"))
)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree) or not tree.body


def test_the_version_is_the_same_everywhere() -> None:
    assert f'\nversion = "{vinci_lab.__version__}"\n' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert f"\n## {vinci_lab.__version__}" in (ROOT / "CHANGES.md").read_text(encoding="utf-8")
