"""`vinci-lab check` and `show`: maps and editions that somebody made, and pictures of positions."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import vinci_lab as vl
from vinci_lab.cli import app
from vinci_lab.datafiles import shipped_root
from vinci_lab.reporting.origin import origin_of

TRANSCRIPT = Path(__file__).parent / "transcripts" / "vinci_lagoon_three_seats_random.jsonl"


def run(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture
def islands(tmp_path: Path) -> Path:
    """Return a folder with a copy of the small map under another name."""
    folder = tmp_path / "my maps"
    folder.mkdir()
    for file in (shipped_root() / "vinci" / "maps").glob("lagoon*"):
        shutil.copy(file, folder / file.name.replace("lagoon", "islands"))
    return folder


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_what_is_shipped_is_well(tmp_path: Path) -> None:
    printed = run("check", shipped_root(), "--out", tmp_path).stdout
    for name in ("map europe", "map lagoon", "edition tabletop"):
        assert f"{name}: all is well" in printed
    assert {path.name for path in tmp_path.iterdir()} == {"map_europe.svg", "map_lagoon.svg", "edition_tabletop.svg"}


def test_a_map_anywhere_is_checked_drawn_and_played(islands: Path, tmp_path: Path) -> None:
    assert "map islands: all is well" in run("check", islands, "--out", tmp_path / "out").stdout
    assert "<svg" in (tmp_path / "out" / "map_islands.svg").read_text(encoding="utf-8")
    for name in (islands / "islands.toml", islands / "islands", str(islands / "islands")):
        rules = vl.ruleset("vinci", players=4, map=name)
        assert rules.content["map"]["name"] == "islands"
        assert Path(rules.sources["shapes"]) == (islands / "islands.geojson").resolve()
        assert rules.replace({"victory_threshold": 50}).sources == rules.sources


def test_a_study_of_a_map_anywhere_names_the_command_that_makes_it_again(islands: Path, tmp_path: Path) -> None:
    edition = Path(shutil.copytree(shipped_root() / "vinci" / "tabletop", tmp_path / "my rules"))
    board = str(islands / "islands")
    rules = vl.ruleset("vinci", players=3, edition=str(edition), map=board).replace({"victory_threshold": 15})
    origin = origin_of(vl.simulate(rules, games=2, seed=5, progress=False))
    assert origin.is_exact
    for words in (f"--map '{board}'", f"--edition '{edition}'", "--set victory_threshold=15"):
        assert words in origin.command


def test_all_that_is_wrong_with_tables_is_said(islands: Path, tmp_path: Path) -> None:
    borders, provinces = islands / "islands_borders.csv", islands / "islands_provinces.csv"
    replace(borders, "Northcape,Highmoor,land\nNorthcape,Oldport,land\n", "Highmoor,Northcapee,land\n")
    replace(borders, "Twin Isle,Goldfield,coastal", "Twin Isle,Goldfield,coastal\nGoldfield,Twin Isle,land")
    replace(provinces, "Ironhill,mountain", "Ironhill,volcano")
    printed = run("check", islands, "--out", tmp_path, code=1).stdout
    assert "map islands: 3 problems" in printed
    for place in ('column b: must be a province of the map, got "Northcapee"', '"volcano"', "the same from both sides"):
        assert place in printed
    assert "drawn in" not in printed


def test_a_province_that_cannot_be_reached_is_named(islands: Path, tmp_path: Path) -> None:
    replace(islands / "islands_borders.csv", "Northcape,Highmoor,land\nNorthcape,Oldport,land\n", "")
    printed = run("check", islands, "--out", tmp_path, code=1).stdout
    assert "must connect all provinces, got no way from" in printed


def test_a_map_without_a_start_is_refused(islands: Path, tmp_path: Path) -> None:
    replace(islands / "islands.toml", "touches_edge = true", "touches_edge = false")
    text = (islands / "islands_provinces.csv").read_text(encoding="utf-8").splitlines()
    rows = [line.split(",") for line in text]
    for row in rows[1:]:
        row[5] = "no"
    (islands / "islands_provinces.csv").write_text("\n".join(map(",".join, rows)), encoding="utf-8")
    assert "got no start province" in run("check", islands, "--out", tmp_path, code=1).stdout


def test_shapes_that_disagree_with_the_tables_are_named_and_drawn(islands: Path, tmp_path: Path) -> None:
    borders = islands / "islands_borders.csv"
    replace(borders, "Oldport,Saltmarsh,coastal", "Oldport,Saltmarsh,land")
    replace(borders, "Northcape,Oldport,land\n", "")
    printed = run("check", islands, "--out", tmp_path, code=1).stdout
    assert 'islands.geojson: "Oldport" and "Saltmarsh" have a land border, their shapes share no stretch' in printed
    assert 'the shapes of "Northcape" and "Oldport" touch, the table of borders has no such pair' in printed
    assert "drawn in" in printed
    assert (tmp_path / "map_islands.svg").is_file()


def test_a_map_without_shapes_is_well_and_drawn_as_a_schematic(islands: Path, tmp_path: Path) -> None:
    (islands / "islands.geojson").unlink()
    printed = run("check", islands, "--out", tmp_path).stdout
    assert "map islands: all is well\n  there is no islands.geojson: the map is drawn as a schematic" in printed
    assert "schematic" in (tmp_path / "map_islands.svg").read_text(encoding="utf-8")


def test_a_folder_with_files_of_other_programs_is_checked_without_them(islands: Path, tmp_path: Path) -> None:
    (islands / "pyproject.toml").write_text("[project]", encoding="utf-8")
    assert "pyproject" not in run("check", islands, "--out", tmp_path).stdout


def test_two_maps_of_one_name_get_two_pictures(islands: Path, tmp_path: Path) -> None:
    shutil.copytree(islands, islands / "maps")
    run("check", islands, "--out", tmp_path / "out")
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"map_islands.svg", "map_islands_2.svg"}


def test_pictures_go_into_a_folder(islands: Path) -> None:
    printed = run("check", islands, "--out", islands / "islands.toml", code=2).stderr
    assert "--out: must be a folder, got the file" in printed


def test_tables_without_their_toml_are_found(islands: Path, tmp_path: Path) -> None:
    (islands / "islands.toml").unlink()
    printed = run("check", islands, "--out", tmp_path, code=1).stdout
    assert "islands_provinces.csv: must stand beside islands.toml, which is missing" in printed


def test_an_edition_anywhere_is_checked_for_all_players(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(shipped_root() / "vinci" / "tabletop", tmp_path / "house rules"))
    assert "edition house rules: all is well" in run("check", folder, "--out", tmp_path).stdout
    assert vl.ruleset("vinci", players=5, edition=str(folder)).edition == "house rules"
    replace(folder / "tiles.csv", "weapons,Weapons,pink,2,2,3", "weapons,Weapons,pink,2,2,-3")
    printed = run("check", folder, "--out", tmp_path, code=1).stdout
    assert "edition house rules: 1 problem" in printed
    assert "tokens" in printed


@pytest.mark.parametrize(("name", "expected"), [("", "must hold maps"), ("nothing here", "must be a folder")])
def test_a_folder_without_anything_to_check_is_refused(name: str, expected: str, tmp_path: Path) -> None:
    assert expected in run("check", tmp_path / name, code=2).stderr


# Showing ------------------------------------------------------------------------------------------------------------
def test_show_draws_the_start_of_a_game(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert str(path) in run("show", "vinci", "--players", 3, "--map", "lagoon", "--seed", 5, "--out", path).stdout
    position = vl.new_position(vl.ruleset("vinci", players=3, map="lagoon"), seed=5)
    assert path.read_text(encoding="utf-8") == position.picture(name="board").svg + "\n"


def test_show_draws_a_turn_of_a_transcript_in_any_size_and_theme(tmp_path: Path) -> None:
    path = tmp_path / "turn.svg"
    run("show", TRANSCRIPT, "--turn", 4, "--width", 450, "--theme", "dark", "--out", path)
    expected = vl.load_transcript(TRANSCRIPT).position_after(4).picture(width=450, theme="dark", name="turn")
    assert path.read_text(encoding="utf-8") == expected.svg + "\n"
    run("show", TRANSCRIPT, "--out", tmp_path / "end.png", "--scale", 1)
    assert (tmp_path / "end.png").read_bytes().startswith(b"\x89PNG")


def test_show_draws_a_position_in_a_text_file(tmp_path: Path) -> None:
    position = vl.new_position(vl.ruleset("vinci", players=4), seed=9)
    (tmp_path / "p.txt").write_text(position.text(), encoding="utf-8")
    run("show", "vinci", "--position", tmp_path / "p.txt", "--out", tmp_path / "p.svg")
    assert (tmp_path / "p.svg").read_text(encoding="utf-8") == position.picture(name="p").svg + "\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("nogame",), "game: there is no 'nogame'"),
        (("missing.jsonl",), "missing.jsonl: there is no such file"),
        ((TRANSCRIPT, "--turn", 999), "turn: must be a number from 0 to"),
        ((TRANSCRIPT, "--players", 3), "--players: it does not go with a transcript"),
        ((TRANSCRIPT, "--set", "a=1"), "--set: it does not go with a transcript"),
        (("vinci", "--turn", 3), "--turn: it does not go with a game"),
        (("vinci", "--position", __file__), "line 1"),
        (("vinci", "--position", sys.executable), "must be UTF-8 text"),
        (("vinci", "--width", 4000, "--scale", 10, "--out", "x.png"), "scale: must be a number above 0, up to"),
        (("vinci", "--width", 5), "width: must be a whole number of pixels"),
        (("vinci", "--theme", "pink"), "theme: must be one of auto, light, dark, got 'pink'"),
        (("vinci", "--out", "x.gif"), "x.gif: the name must end in .svg or .png"),
        (("vinci", "--out", "no/such/folder/x.svg"), "there is no such file or folder"),
    ],
)
def test_show_refuses_in_a_sentence(
    arguments: tuple[object, ...], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert expected in run("show", *arguments, code=2).stderr


def test_a_game_of_a_run_is_opened_again() -> None:
    rules = vl.ruleset("vinci", players=3, map="lagoon").replace({"victory_threshold": 30})
    runs = vl.simulate(rules, agents="greedy:horizon=3,random,greedy", games=3, seed=5, progress=False)
    transcript = vl.open_game(runs, 2)
    assert transcript.verify() is None
    assert transcript.result is not None
    scores = runs.games.query("game == 2").sort_values("seat")["score"].tolist()
    assert transcript.result["scores"] == scores
    with pytest.raises(ValueError, match="game: must be a number from 0 to 2, got 3"):
        vl.open_game(runs, 3)


def test_the_report_carries_the_board_and_maps(tmp_path: Path) -> None:
    rules = vl.ruleset("vinci", players=3, map="lagoon").replace({"victory_threshold": 30})
    runs = vl.simulate(rules, games=20, seed=5, progress=False)
    text = vl.write_study(runs, tmp_path).read_text(encoding="utf-8")
    for name in ("v-board", "v-map-conquests", "v-map-points"):
        assert f'id="{name}"' in text
    assert "The board of game 0 after" in text
    assert json.dumps("Income by province, points per game")[1:-1] in text


def test_games_on_a_map_of_ones_own_are_drawn_on_its_shapes(islands: Path, tmp_path: Path) -> None:
    board = str(islands / "islands")
    rules = vl.ruleset("vinci", players=3, map=board).replace({"victory_threshold": 15})
    runs = vl.simulate(rules, games=2, seed=5, progress=False, out=tmp_path / "run", transcripts=1)
    assert "schematic" not in vl.open_game(runs, 0).position_after(1).picture().svg
    assert "schematic" not in vl.write_study(runs, tmp_path / "study").read_text(encoding="utf-8")
    transcript = tmp_path / "run" / "transcripts" / "game_000000.jsonl"
    for options, is_schematic in (((), True), (("--map", board), False)):
        run("show", transcript, "--out", tmp_path / "t.svg", *options)
        assert ("schematic" in (tmp_path / "t.svg").read_text(encoding="utf-8")) == is_schematic


def test_shapes_that_cannot_be_used_are_not_called_missing(islands: Path) -> None:
    (islands / "islands.geojson").write_text("{", encoding="utf-8")
    rules = vl.ruleset("vinci", players=3, map=islands / "islands")
    assert "the shapes in islands.geojson cannot be used" in vl.new_position(rules).picture().svg


def test_a_report_says_that_games_of_an_agent_known_to_the_caller_only_cannot_be_shown(tmp_path: Path) -> None:
    rules = vl.ruleset("vinci", players=3, map="lagoon").replace({"victory_threshold": 15})
    runs = vl.simulate(rules, agents=[first_legal, "greedy", "greedy"], games=2, seed=5, n_jobs=1, progress=False)
    text = vl.write_study(runs, tmp_path).read_text(encoding="utf-8")
    assert "These agents are known only to the program that played them." in text
    assert "The board of game 0" not in text


def first_legal(view: vl.Position) -> int:
    return view.legal_actions()[0]
