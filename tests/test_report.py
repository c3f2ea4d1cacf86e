"""The report of a study: one page that needs nothing else, summary tables beside it, the same for the same run."""

from __future__ import annotations

import html
import re
import shlex
import shutil
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from typer.testing import CliRunner

import vinci_lab as vl
from tests.conftest import ROOT
from vinci_lab.analysis import plots
from vinci_lab.cli import app
from vinci_lab.engine.jit import JIT
from vinci_lab.reporting import page, study, summarize, write_study

GAMES = 300 if JIT else 4
EXAMPLE = Path(__file__).parents[1] / "reports" / "vinci-tabletop"
VOID = {"meta", "br", "img", "hr", "link", "input"}


class Checked(HTMLParser):
    """Notes attributes, text and tags that are closed in the wrong order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.crossed: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            if name in ("src", "href", "data"):
                self.references.append(value or "")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.crossed.append(tag)


@pytest.fixture(scope="module")
def runs() -> Any:
    return vl.simulate(vl.ruleset("vinci", players=4), games=GAMES, seed=5, n_jobs=1, progress=False)


@pytest.fixture(scope="module")
def folder(runs: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(write_study(runs, tmp_path_factory.mktemp("study"))).parent


@pytest.fixture(scope="module")
def text(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def visible(text: str) -> str:
    """Return the page without style and tags, on one line."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", re.sub(r"<style>.*?</style>", "", text, flags=re.DOTALL)))


def test_the_page_needs_no_network_and_runs_no_script(text: str) -> None:
    checked = Checked(text)
    assert "http" not in text
    assert "@import" not in text
    assert not checked.tags & {"script", "link", "iframe", "object", "img"}
    assert all(reference.startswith("#") for reference in checked.references)


def test_the_page_is_well_formed_and_its_ids_are_unique(text: str) -> None:
    checked = Checked(text)
    assert checked.crossed == []
    assert checked.open == []
    assert len(checked.ids) == len(set(checked.ids))
    assert {reference[1:] for reference in checked.references} <= set(checked.ids)


def test_the_page_says_how_it_was_made(runs: Any, text: str) -> None:
    shown = visible(text)
    for fact in (
        runs.digest,
        runs.rules.hash,
        f"vinci-lab study vinci --players 4 --games {GAMES} --seed 5 --agents greedy",
        vl.__version__,
        "Python 3.",
        "numpy ",
    ):
        assert fact in shown


def test_the_page_has_the_findings_seven_figures_and_every_tile(runs: Any, text: str) -> None:
    shown = visible(text)
    assert text.count("<svg") == 7
    for finding in summarize(runs).findings():
        assert page.escape(finding) in text
    for title in runs.rules.definition.labels(runs.rules, "kind_title"):
        assert page.escape(title) in shown


def test_the_page_lists_every_uncertain_number_and_says_what_that_means(runs: Any, text: str) -> None:
    shown = visible(text)
    for entry in runs.rules.assumed:
        assert page.escape(entry["place"]) in shown
    assert shown.count("The printed board and the red numbers (tokens) of 20 tiles could not be obtained") == 2
    assert "21 are reconstructed and 3 are likely" in shown  # the map is the twenty-first


def test_the_page_names_a_command_that_sets_an_uncertain_number_to_another_value(runs: Any, text: str) -> None:
    [(place, value)] = re.findall(r"^.*--set (\S+)=(\d+) --out OTHER</pre>", text, re.MULTILINE)
    [entry] = [entry for entry in runs.rules.assumed if entry["place"] == place]
    assert int(value) in (entry["low"], entry["high"])
    assert runs.rules.replace({place: int(value)}).hash != runs.rules.hash


def test_rules_without_uncertain_numbers_are_called_certain(runs: Any) -> None:
    summary = replace(summarize(runs), assumed=pd.DataFrame(columns=["place", "value", "low", "high", "confidence"]))
    assert "Every number of these rules is marked as certain" in "".join(study._assumed(summary, "vinci-lab study"))


def test_the_smallest_p_values_are_shown_as_less_than_a_limit() -> None:
    assert [study._p_value(value) for value in (0.0, 0.00009, 0.0001, 0.25)] == ["<0.0001", "<0.0001", "0.0001", "0.25"]


def test_drawings_take_the_color_of_the_text_for_light_and_dark(text: str) -> None:
    assert "currentColor" in text
    assert plots.INK not in text
    assert "prefers-color-scheme: dark" in text


def test_summary_tables_hold_the_numbers_of_the_page(runs: Any, folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "index.html",
        *(f"{name}.csv" for name in ("seats", "tiles", "pace", "length", "scores", "places", "assumed")),
    }
    seats = pd.read_csv(folder / "seats.csv")
    assert seats["estimate"].tolist() == pytest.approx(vl.seat_effects(runs)["estimate"].tolist(), rel=1e-5)
    length = pd.read_csv(folder / "length.csv")
    assert length["count"].sum() == GAMES
    tiles = pd.read_csv(folder / "tiles.csv")
    assert (
        tiles["n"].sum() == 2 * len(runs.holdings) - (runs.holdings["first_tile"] == runs.holdings["second_tile"]).sum()
    )
    assert len(pd.read_csv(folder / "assumed.csv")) == len(runs.rules.assumed)
    places = pd.read_csv(folder / "places.csv")
    scored = runs.turns[["points_active", "points_decline"]].sum().sum()  # no tile of this edition gives half points
    assert places["points_per_game"].sum() == pytest.approx(scored / GAMES, rel=1e-4)
    assert places.filter(like="share_").sum(axis=1).tolist() == pytest.approx([1.0] * len(places), abs=1e-4)


def test_the_same_run_gives_the_same_files(runs: Any, folder: Path, tmp_path: Path) -> None:
    write_study(runs, tmp_path)
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_names_cannot_smuggle_html_into_the_page(runs: Any, tmp_path: Path) -> None:
    settings = {**runs.settings, "agents": ["<script>alert(1)</script>"] * 4}
    hostile = vl.Runs(runs.rules.replace({"title": "A & <b>B</b>"}), settings, runs._blocks)
    written = write_study(hostile, tmp_path, data="<img src=x>").read_text(encoding="utf-8")
    assert not Checked(written).tags & {"script", "b", "img"}
    assert "&lt;script&gt;" in written
    assert "A &amp; &lt;b&gt;B&lt;/b&gt;" in written


def test_an_interrupted_run_says_so_on_the_page(runs: Any, tmp_path: Path) -> None:
    settings = {**runs.settings, "games": 10 * GAMES}
    part = vl.Runs(runs.rules, settings, runs._blocks)
    assert "The run was interrupted" in write_study(part, tmp_path).read_text(encoding="utf-8")


def test_three_findings_each_with_an_interval(runs: Any) -> None:
    findings = summarize(runs).findings()
    assert [finding.split(":")[0] for finding in findings] == ["Length", "Seats", "Tiles"]
    assert all(re.search(r"95% interval [-+\d.%]+ to [-+\d.%]+", finding) for finding in findings)


def test_missing_values_are_shown_as_a_dash_and_numbers_to_the_right() -> None:
    frame = pd.DataFrame({"name": ["a & b", "c"], "estimate": [1.234, float("nan")]})
    shown = page.table(frame, [page.Field("name", "Name"), page.Field("estimate", "mean", ".1f")])
    assert '<td>a &amp; b</td><td class="number">1.2</td>' in shown
    assert '<td>c</td><td class="number">-</td>' in shown


def test_an_interval_stands_beside_its_estimate() -> None:
    frame = pd.DataFrame({"share": [0.25], "low": [0.2], "high": [0.31]})
    shown = page.table(frame, [page.Field("share", "wins", ".0%", "low", "high")])
    assert '<th class="number">wins</th><th class="number">interval</th>' in shown
    assert '<td class="number">25%</td><td class="number">20% to 31%</td>' in shown


def test_rows_without_an_estimate_are_left_out_of_the_dot_chart() -> None:
    table = pd.DataFrame({"tile": ["a", "b"], "estimate": [1.0, None], "low": [0.0, None], "high": [2.0, None]})
    figure, axes = plots.new_figure()
    plots.interval_dots(table, axes, "tile")
    assert [label.get_text() for label in axes.get_yticklabels()] == ["a"]
    assert "<text" in plots.svg(figure, "dots", "Dots")


@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the finished example is in the repository only")
def test_the_finished_example_is_about_the_rules_in_the_data_folder() -> None:
    text = (EXAMPLE / "index.html").read_text(encoding="utf-8")
    assert vl.ruleset("vinci", players=4).hash in text, "run `make study` and commit reports/vinci-tabletop"
    assert {f"{name}.csv" for name in study.TABLE_FILES} < {path.name for path in EXAMPLE.iterdir()}
    assert "/home/" not in text
    assert "/tmp/" not in text


@pytest.mark.verify
@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the finished example is in the repository only")
def test_the_finished_example_is_what_its_command_gives(tmp_path: Path) -> None:
    text = (EXAMPLE / "index.html").read_text(encoding="utf-8")
    again = vl.simulate(vl.ruleset("vinci", players=4), "greedy", games=20_000, seed=7, progress=False)
    assert again.digest in text, "run `make study` and commit reports/vinci-tabletop"
    write_study(again, tmp_path)
    for name in study.TABLE_FILES:
        pd.testing.assert_frame_equal(pd.read_csv(tmp_path / f"{name}.csv"), pd.read_csv(EXAMPLE / f"{name}.csv"))


def made_again(runs: Any, tmp_path: Path, data: Path | None = None) -> Any:
    """Return the ruleset that the page's command makes, and the page."""
    text = write_study(runs, tmp_path / "study", data).read_text(encoding="utf-8")
    command = shlex.split(html.unescape(re.findall(r"<pre>(vinci-lab study .*?)</pre>", text)[-1]))
    folder = tmp_path / "again"
    result = CliRunner().invoke(app, ["simulate", *command[2:], "--jobs", "1", "--out", str(folder)])
    assert result.exit_code == 0, result.output
    return vl.Runs.open(folder), text


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({}, {}),
        ({"map": "lagoon"}, {"victory_threshold": 60}),
        ({}, {"tiles.weapons.tokens": 4, "same_coast": "zone", "base_cost.forest": 2}),
        ({}, {"tiles.weapons.title": "It's <sharp>"}),
    ],
)
def test_the_command_on_the_page_makes_the_same_study(options: Any, changes: Any, tmp_path: Path) -> None:
    rules = vl.ruleset("vinci", players=3, **options)
    runs = vl.simulate(rules.replace(changes) if changes else rules, games=4, seed=5, n_jobs=1, progress=False)
    again, text = made_again(runs, tmp_path)
    assert again.digest == runs.digest
    assert again.rules == runs.rules
    assert ("Changed for this study" in text) == bool(changes)


def test_the_command_names_a_data_folder_of_ones_own(tmp_path: Path) -> None:
    data = tmp_path / "my data"
    shutil.copytree(ROOT / "data", data)
    tiles = data / "vinci" / "tabletop" / "tiles.csv"
    lines = tiles.read_text(encoding="utf-8").splitlines()
    cells = lines[1].split(",")
    cells[5] = "6"  # outside the range that the printed number may lie in
    tiles.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]) + "\n", encoding="utf-8")
    runs = vl.simulate(vl.ruleset("vinci", players=3, data=data), games=4, seed=5, n_jobs=1, progress=False)
    again, text = made_again(runs, tmp_path, data)
    assert again.digest == runs.digest
    assert f"Changed for this study: tiles.{cells[0]}.tokens 3 → 6." in text
    assumed = pd.read_csv(tmp_path / "study" / "assumed.csv").set_index("place").loc[f"tiles.{cells[0]}.tokens"]
    assert assumed["confidence"] == "changed"
    assert pd.isna(assumed["low"])


def test_a_study_no_command_makes_says_so(tmp_path: Path) -> None:
    rules = vl.ruleset("vinci", players=3, bag="first")
    runs = vl.simulate(rules, games=2, seed=5, n_jobs=1, progress=False)
    text = write_study(runs, tmp_path).read_text(encoding="utf-8")
    assert "No command makes this study exactly" in text
