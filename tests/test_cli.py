"""The command line: what it prints and writes, and how it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import vinci_lab as vl
from vinci_lab.cli import app
from vinci_lab.engine.jit import JIT

GAMES = "30" if JIT else "2"


def run(*arguments: object, code: int = 0) -> Result:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


def test_simulate_prints_games_per_second_and_the_digest_of_the_tables(tmp_path: Path) -> None:
    printed = run("simulate", "vinci", "--games", GAMES, "--seed", 3, "--jobs", 2, "--out", tmp_path).stdout
    assert re.search(rf"^{GAMES} games in [\d.]+ s, [\d,]+ games/s$", printed, re.MULTILINE)
    digest = re.search(r"^digest ([0-9a-f]{32})$", printed, re.MULTILINE)
    assert digest is not None
    assert digest[1] == vl.Runs.open(tmp_path).digest


def test_simulate_takes_players_agents_map_and_changed_numbers(tmp_path: Path) -> None:
    run(
        *("simulate", "vinci", "--players", 3, "--games", 2, "--agents", "greedy,random,greedy", "--map", "lagoon"),
        *("--set", "victory_threshold=40", "--set", "tiles.weapons.tokens=4", "--set", "price_rule=debt"),
        *("--out", tmp_path),
    )
    runs = vl.Runs.open(tmp_path)
    expected = vl.ruleset("vinci", players=3, map="lagoon").replace(
        {"victory_threshold": 40, "tiles.weapons.tokens": 4, "price_rule": "debt"}
    )
    assert runs.rules == expected
    assert runs.agents == ("greedy", "random", "greedy")


def test_simulate_writes_transcripts_that_replay_prints_and_verifies(tmp_path: Path) -> None:
    run("simulate", "vinci", "--games", 2, "--out", tmp_path, "--transcripts", 1)
    [file] = (tmp_path / "transcripts").iterdir()
    words = run("replay", file).stdout
    assert words.startswith("vinci tabletop, 4 seats")
    assert "result after" in words
    assert "every step agrees with the rules" in run("replay", file, "--verify").stdout


def test_replay_verify_reports_the_first_difference_and_fails(tmp_path: Path) -> None:
    run("simulate", "vinci", "--games", 1, "--out", tmp_path, "--transcripts", 1)
    [file] = (tmp_path / "transcripts").iterdir()
    lines = file.read_text(encoding="utf-8").splitlines()
    last = json.loads(lines[-1])
    last["scores"][0] += 1
    file.write_text("\n".join([*lines[:-1], json.dumps(last)]) + "\n", encoding="utf-8")
    assert f"line {len(lines)}: scores" in run("replay", file, "--verify", code=1).stdout


def test_study_writes_a_page_and_tables_and_prints_its_path_and_findings(tmp_path: Path) -> None:
    options = ("--games", GAMES, "--out", tmp_path, "--set", "victory_threshold=60", "--quick", "--no-pdf")
    lines = run("study", "vinci", *options).stdout.splitlines()
    assert lines[0] == str(tmp_path / "index.html")
    assert {"- Length", "- Seats", "- Tiles", "- Assumed"} <= {line.split(":")[0] for line in lines[1:]}
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    command = f"vinci-lab study vinci --players 4 --games {GAMES} --seed 7 --agents greedy --set victory_threshold=60"
    assert command in page
    runs = vl.Runs.open(tmp_path / "tables")
    assert runs.digest in page
    assert runs.rules.content["rules"]["victory_threshold"] == 60


def test_study_goes_to_reports_when_no_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("study", "vinci", "--games", 2, "--only", "length", "--no-pdf")
    assert (tmp_path / "reports" / "vinci-tabletop" / "length.html").is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("simulate", "vinki"), "game: there is no 'vinki'; choose from"),
        (("simulate", "vinci", "--players", 9), "players: must be a whole number from 1 to 6, got 9"),
        (("simulate", "vinci", "--games", 0), "games: must be an integer of at least 1, got 0"),
        (("simulate", "vinci", "--jobs", 0), "n_jobs: must be a positive number"),
        (("simulate", "vinci", "--agents", "deep"), "agents: there is no 'deep'; choose from random, greedy"),
        (("simulate", "vinci", "--edition", "zyx"), "edition"),
        (("simulate", "vinci", "--set", "victory_threshold"), "--set: must be place=value"),
        (("simulate", "vinci", "--set", "tiles.weapon.tokens=4"), "near it are tiles.weapons.tokens"),
        (("simulate", "vinci", "--transcripts", 1), "transcripts: they are written to the folder `out`"),
        (("study", "vinci", "--data", "/nowhere/at/all"), "/nowhere/at/all"),
        (("replay", "/nowhere/game.jsonl"), "/nowhere/game.jsonl"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence_with_exit_code_2(arguments: tuple[object, ...], sentence: str) -> None:
    result = run(*arguments, code=2)
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_file_that_is_no_transcript_is_refused_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "game.jsonl"
    file.write_bytes(b"\xff\xfe not json")
    assert run("replay", file, code=2).stderr.strip()


def test_version_is_the_packages_version() -> None:
    assert run("--version").stdout == f"vinci_lab {vl.__version__}\n"


def test_help_names_every_command() -> None:
    shown = run("--help").stdout
    assert all(command in shown for command in ("simulate", "study", "replay"))


def test_help_imports_neither_pandas_nor_numba(run_python: Callable[..., str]) -> None:
    program = (
        "import sys; from typer.testing import CliRunner; from vinci_lab.cli import app; "
        "assert CliRunner().invoke(app, ['--help']).exit_code == 0; "
        "print(*sorted({'pandas', 'numba', 'matplotlib', 'scipy', 'joblib'} & set(sys.modules)))"
    )
    assert run_python("-c", program) == ""
