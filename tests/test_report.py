"""The report of a study: one page that needs nothing else, summary tables beside it, the same for the same run."""

from __future__ import annotations

import html
import re
import shlex
import shutil
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import typer.main
from typer.testing import CliRunner

import vinci_lab as vl
from tests.conftest import ROOT
from vinci_lab.analysis import plots
from vinci_lab.cli import app
from vinci_lab.engine.jit import JIT
from vinci_lab.reporting import Missing, Part, Study, make_study, page, pdf, print_page, write_study
from vinci_lab.reporting.origin import origin_of
from vinci_lab.reporting.sections import SECTIONS, assumed, thresholds
from vinci_lab.reporting.sections.tiles import p_value

GAMES = 1200 if JIT else 4
FURTHER = 60 if JIT else 0
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
def study(runs: Any) -> Study:
    return make_study(runs, further=FURTHER, n_jobs=1)


@pytest.fixture(scope="module")
def folder(study: Study, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return study.write(tmp_path_factory.mktemp("study")).parent


def parts_of(study: Study) -> list[Part]:
    return [part for section in study.sections.values() for part in section.parts if isinstance(part, Part)]


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
    assert all(reference.startswith(("#", "data:image/png;base64,")) for reference in checked.references)


def test_the_page_is_well_formed_and_its_ids_are_unique(text: str) -> None:
    checked = Checked(text)
    assert checked.crossed == []
    assert checked.open == []
    assert len(checked.ids) == len(set(checked.ids))
    assert {reference[1:] for reference in checked.references if reference.startswith("#")} <= set(checked.ids)


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


def test_the_page_has_the_findings_every_section_and_every_tile(runs: Any, study: Study, text: str) -> None:
    shown = visible(text)
    assert list(study.sections) == list(SECTIONS)
    for section in study.sections.values():
        assert f">{page.escape(section.title)}</a>" in text
        assert f"<h2>{page.escape(section.title)}</h2>" in text
    for finding in study.findings:
        assert page.escape(finding.partition(": ")[2]) in text
    for title in runs.rules.definition.labels(runs.rules, "kind_title"):
        assert page.escape(title) in shown or not JIT


def test_every_figure_has_a_table_a_method_settings_and_a_command(study: Study, text: str, folder: Path) -> None:
    articles = re.findall(r'<article id="([^"]*)">(.*?)</article>', text, re.DOTALL)
    assert sum(body.count("<figure") for _, body in articles) == text.count("<figure") >= 12 - 6 * (not JIT)
    for name, body in articles:
        if "<figure" in body:
            assert body.count("<table>") == 1
            assert f"{name}.csv" in body
            assert len(pd.read_csv(folder / f"{name}.csv")) > 0
            for word in ("Method", "Settings"):
                assert re.search(rf"<b>{word}\.</b> \w+", body)
            assert body.count('<pre class="command">') == 1
    assert {part.name for part in parts_of(study)} <= {name for name, _ in articles}


def commands(text: str) -> list[list[str]]:
    said = [html.unescape(one) for one in re.findall(r'<pre class="command">(.*?)</pre>', text, re.DOTALL)]
    return [shlex.split(line) for one in said for line in one.splitlines()]


def test_every_command_on_the_page_is_one_of_the_command_line(text: str) -> None:
    group: Any = typer.main.get_command(app)
    found = commands(text)
    assert len(found) >= len(SECTIONS)
    for program, name, *arguments in found:
        assert program == "vinci-lab"
        context = group.commands[name].make_context(name, arguments)
        assert context.params["players" if name != "show" else "turn"]


def test_a_command_with_only_makes_the_same_table(runs: Any, text: str, folder: Path, tmp_path: Path) -> None:
    arguments = next(one for one in commands(text) if one[-2:] == ["--only", "seats"])
    result = CliRunner().invoke(app, [*arguments[1:], "--out", str(tmp_path), "--no-pdf", "--jobs", "1"])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "seats.html").is_file()
    assert (tmp_path / "seats.csv").read_bytes() == (folder / "seats.csv").read_bytes()


def test_an_unknown_section_is_refused_with_the_names_of_all(runs: Any) -> None:
    with pytest.raises(ValueError, match="there is no section 'tile'; choose from example, length"):
        make_study(runs, only=["tile"])


@pytest.mark.parametrize("games", [1, 3])
def test_very_few_games_give_sentences_instead_of_empty_tables(games: int, tmp_path: Path) -> None:
    few = vl.simulate(vl.ruleset("vinci", players=4), games=games, seed=5, n_jobs=1, progress=False)
    made = make_study(few, further=FURTHER, n_jobs=1)
    written = made.write(tmp_path).read_text(encoding="utf-8")
    assert "too few for telling tiles apart" in written
    assert not re.search(r"\bnan\b|\binf\b", visible(written))
    assert all(len(part.table) and len(part.shown if part.shown is not None else part.table) for part in parts_of(made))
    assert "<tbody>\n\n</tbody>" not in written


def test_a_quick_report_says_which_sections_need_further_games(runs: Any) -> None:
    [part] = make_study(runs, only=["thresholds"], further=0).sections["thresholds"].parts
    assert isinstance(part, Missing)
    assert "without further games" in part.reason
    assert part.command.endswith("--only thresholds")


@pytest.mark.compiled
def test_the_thresholds_of_the_page_are_those_its_command_prints(text: str, folder: Path, tmp_path: Path) -> None:
    [arguments] = [one for one in commands(text) if one[1] == "thresholds"]
    result = CliRunner().invoke(app, [*arguments[1:-1], str(tmp_path / "again.csv"), "--jobs", "1"])
    assert result.exit_code == 0, result.output
    shown, again = pd.read_csv(folder / "thresholds.csv"), pd.read_csv(tmp_path / "again.csv")
    pd.testing.assert_frame_equal(shown, again[shown.columns], rtol=1e-4, atol=1e-5)


def test_thresholds_are_tried_around_the_value_of_the_rules() -> None:
    rules = vl.ruleset("vinci", players=4)
    assert thresholds.around(rules, thresholds.End.of(rules)) == [100, 110, 120, 130, 140]
    rounds = rules.replace({"rounds_limit": 2})
    assert thresholds.around(rounds, thresholds.End.of(rounds))[:2] in ([0, 1], [1, 2])


@pytest.mark.skipif(pdf.find_browser() is None, reason="there is no Chromium or Chrome to print with")
def test_the_page_is_printed_to_a_pdf_of_several_pages(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "index.html", tmp_path / "index.html")
    made, said = print_page(tmp_path / "index.html")
    assert made is not None, said
    content = made.read_bytes()
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", content)) >= 5
    assert len(content) < 5_000_000
    assert [path.name for path in tmp_path.iterdir() if path.suffix not in (".html", ".pdf")] == []


def test_without_a_browser_a_sentence_says_that_the_page_stands_alone(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    (tmp_path / "index.html").write_text("<p>x</p>", encoding="utf-8")
    (tmp_path / "index.pdf").write_bytes(b"of an older page")
    assert print_page(tmp_path / "index.html")[0] is None
    assert "no Chromium or Chrome" in print_page(tmp_path / "index.html")[1]
    assert not (tmp_path / "index.pdf").exists()


def test_a_browser_that_fails_is_a_sentence_too(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>x</p>", encoding="utf-8")
    assert "false could not print index.html" in print_page(tmp_path / "index.html", shutil.which("false"))[1]


def test_the_page_lists_every_uncertain_number_and_says_what_that_means(runs: Any, text: str) -> None:
    shown = visible(text)
    for entry in runs.rules.assumed:
        assert page.escape(entry["place"]) in shown
    assert shown.count("The printed board and the red numbers (tokens) of 20 tiles could not be obtained") == 2
    assert "21 are reconstructed and 3 are likely" in shown  # the map is the twenty-first


def test_the_page_names_a_command_that_sets_an_uncertain_number_to_another_value(runs: Any, text: str) -> None:
    [(place, value)] = re.findall(r"--set (\S+)=(\d+) --out OTHER</pre>", text)
    [entry] = [entry for entry in runs.rules.assumed if entry["place"] == place]
    assert int(value) in (entry["low"], entry["high"])
    assert runs.rules.replace({place: int(value)}).hash != runs.rules.hash


def test_rules_without_uncertain_numbers_are_called_certain(runs: Any) -> None:
    section = assumed.of_table(pd.DataFrame(columns=assumed.COLUMNS), origin_of(runs))
    assert "Every number of these rules is marked as certain" in "".join(section.body())
    assert section.findings == ("Assumed: nothing. Every number of these rules is marked as certain.",)


def test_the_smallest_p_values_are_shown_as_less_than_a_limit() -> None:
    assert [p_value(value) for value in (0.0, 0.00009, 0.0001, 0.25)] == ["<0.0001", "<0.0001", "0.0001", "0.25"]


def test_drawings_take_the_color_of_the_text_for_light_and_dark(text: str) -> None:
    assert "currentColor" in text
    assert plots.INK not in text
    assert "prefers-color-scheme: dark" in text


def test_tables_hold_the_numbers_of_the_page(runs: Any, study: Study, folder: Path) -> None:
    names = {path.name for path in folder.iterdir()}
    assert names == {"index.html", *(f"{part.name}.csv" for part in parts_of(study))}
    assert {"seats.csv", "pace.csv", "length.csv", "scores.csv", "places.csv", "assumed.csv"} <= names
    seats = pd.read_csv(folder / "seats.csv")
    assert seats["estimate"].tolist() == pytest.approx(vl.seat_effects(runs)["estimate"].tolist(), rel=1e-5)
    length = pd.read_csv(folder / "length.csv")
    assert length["count"].sum() == GAMES
    if JIT:
        tiles, twins = pd.read_csv(folder / "tiles.csv"), runs.holdings["first_tile"] == runs.holdings["second_tile"]
        assert tiles["n"].sum() == 2 * len(runs.holdings) - twins.sum()
    assert len(pd.read_csv(folder / "assumed.csv")) == len(runs.rules.assumed)
    places = pd.read_csv(folder / "places.csv").set_index("measure")
    scored = runs.turns[["points_active", "points_decline"]].sum().sum()  # no tile of this edition gives half points
    assert places.loc["points", "estimate"].sum() == pytest.approx(scored / GAMES, rel=1e-4)
    shares = places.loc[["active", "decline", "neutral", "empty"]].groupby("province")["estimate"].sum()
    assert shares.tolist() == pytest.approx([1.0] * len(shares), abs=1e-4)


def test_the_same_run_gives_the_same_files(runs: Any, folder: Path, tmp_path: Path) -> None:
    write_study(runs, tmp_path, further=FURTHER, n_jobs=2)
    for path in folder.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_names_cannot_smuggle_html_into_the_page(runs: Any, tmp_path: Path) -> None:
    settings = {**runs.settings, "agents": ["<script>alert(1)</script>"] * 4}
    hostile = vl.Runs(runs.rules.replace({"title": "A & <u>B</u>"}), settings, runs._blocks)
    written = write_study(hostile, tmp_path, "<img src=x>", 0).read_text(encoding="utf-8")
    assert not Checked(written).tags & {"script", "u", "img"}
    assert "&lt;script&gt;" in written
    assert "A &amp; &lt;u&gt;B&lt;/u&gt;" in written


def test_an_interrupted_run_says_so_on_the_page(runs: Any, tmp_path: Path) -> None:
    settings = {**runs.settings, "games": 10 * GAMES}
    part = vl.Runs(runs.rules, settings, runs._blocks)
    assert "The run was interrupted" in write_study(part, tmp_path, further=0).read_text(encoding="utf-8")


@pytest.mark.compiled
def test_every_finding_carries_an_interval(study: Study) -> None:
    starts = [finding.partition(":")[0] for finding in study.findings]
    assert starts[0] == "Length"
    assert {"Seats", "Tiles", "Pairs", "Prices", "Designs", "Where the end stands", "Pace and drama"} <= set(starts)
    assert {"What survives", "Assumed"} <= set(starts)
    for finding in study.findings[:-1]:
        assert re.search(r"[-+\d.%]+ to [-+\d.%]+", finding) or finding.startswith("Designs: no tile"), finding


@pytest.mark.compiled
def test_the_finding_on_seats_claims_no_more_than_the_games_show(runs: Any, study: Study) -> None:
    [finding] = study.sections["seats"].findings[:1]
    shares = vl.seat_effects(runs)
    is_sure = (shares["p_value"] < 0.001).any()
    assert ("they are not even" in finding) == is_sure or shares["p_value"].iloc[0] < 0.2
    most = float(re.findall(r"(?:more than) ([\d.]+)", finding)[-1]) / 100
    assert most >= (shares["estimate"] - shares["expected"]).abs().max()


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
    assert {f"{name}.csv" for name in re.findall(r'<article id="([^"]*)">', text)} < {
        path.name for path in EXAMPLE.iterdir()
    }
    assert "/home/" not in text
    assert "/tmp/" not in text


@pytest.mark.verify
@pytest.mark.skipif(not EXAMPLE.is_dir(), reason="the finished example is in the repository only")
def test_the_finished_example_is_what_its_command_gives(tmp_path: Path) -> None:
    text = (EXAMPLE / "index.html").read_text(encoding="utf-8")
    again = vl.simulate(vl.ruleset("vinci", players=4), "greedy", games=20_000, seed=7, progress=False)
    assert again.digest in text, "run `make study` and commit reports/vinci-tabletop"
    write_study(again, tmp_path)
    for path in tmp_path.glob("*.csv"):
        pd.testing.assert_frame_equal(pd.read_csv(path), pd.read_csv(EXAMPLE / path.name))


def made_again(runs: Any, tmp_path: Path, data: Path | None = None) -> Any:
    """Return the ruleset that the page's command makes, and the page."""
    text = write_study(runs, tmp_path / "study", data, 0).read_text(encoding="utf-8")
    command = commands(text)[-1]
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
    text = write_study(runs, tmp_path, further=0).read_text(encoding="utf-8")
    assert "No command makes this study exactly" in text
