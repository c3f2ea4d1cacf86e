"""The examples of the README and the documentation run, and what they promise is there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT
from vinci_lab.games.vinci.heuristics_worth import PARAMETERS
from vinci_lab.games.vinci.measures_columns import COLUMNS
from vinci_lab.games.vinci.rules_layout import OPTIONS

PAGES = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))


def blocks(path: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def examples() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        for number, code in enumerate(blocks(page, "python"), start=1):
            yield f"{page.name} {number}", code


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("code", [pytest.param(code, id=place) for place, code in examples()])
def test_examples_run(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(compile(code, "<example>", "exec"), {"__name__": "example"})
    assert capsys.readouterr().out


def test_the_tour_is_about_twenty_lines() -> None:
    [tour] = blocks(ROOT / "README.md", "python")
    assert 15 <= len([line for line in tour.splitlines() if line.strip()]) <= 22


def test_the_commands_of_the_readme_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake ([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8")))
    assert {"study", "test"} <= named <= targets
    assert "\nmake test\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_the_study_of_the_readme_is_the_one_make_runs() -> None:
    command = re.compile(r"\.?\S*vinci-lab (study vinci .*)")
    readme = command.search("\n".join(blocks(ROOT / "README.md", "console")))
    makefile = command.search((ROOT / "Makefile").read_text(encoding="utf-8"))
    assert readme is not None
    assert makefile is not None
    assert readme[1] == makefile[1]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).is_file(), target


@pytest.mark.parametrize("name", OPTIONS)
def test_every_reading_of_the_rules_is_listed_with_its_default_and_the_others(name: str) -> None:
    default, *others = (f"`{value}`" for value in OPTIONS[name])
    page = (ROOT / "docs" / "rules_as_implemented.md").read_text(encoding="utf-8")
    assert f"| `{name}` | {default} | {', '.join(others)} |" in page


def test_the_defaults_in_the_data_are_the_listed_ones() -> None:
    rules = tomllib.loads((ROOT / "data" / "vinci" / "tabletop" / "rules.toml").read_text(encoding="utf-8"))
    assert rules["options"] == {name: values[0] for name, values in OPTIONS.items()}


def test_every_parameter_of_the_greedy_agent_is_listed_with_its_default() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    for parameter in PARAMETERS:
        assert f"| `{parameter.name}` | {parameter.default:g} | {parameter.meaning} |" in page


@pytest.mark.parametrize("table", COLUMNS)
def test_every_recorded_column_is_listed_with_unit_and_meaning(table: str) -> None:
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    section = page.split(f"## `{table}`")[1].split("\n## ")[0]
    for column in COLUMNS[table]:
        assert f"| `{column.name}` | {column.dtype} | {column.unit} | {column.meaning}" in section
