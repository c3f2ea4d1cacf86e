"""Runs on disk: what is written, refused, resumed and kept."""

from __future__ import annotations

import json
import math
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import vinci_lab as vl
from tests.killing import contents, finish, kill_and_resume, start, wait_for_blocks
from vinci_lab.simulation import folder as on_disk
from vinci_lab.simulation.blocks import BLOCK, PYTHON_BLOCK
from vinci_lab.simulation.files import FolderLock, csv_text, frame_csv, harmless

TABLES = ("games", "turns", "holdings", "offers", "places")
STREAMED = TABLES[:4]
GAMES = 2 * BLOCK + 40

pytestmark = pytest.mark.slow_without_jit


@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=4)


@pytest.fixture(scope="module")
def runs(rules: Any) -> Any:
    return play(rules, GAMES)


@pytest.fixture(scope="module")
def written(rules: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written") / "run"
    play(rules, GAMES, out=folder)
    return folder


@pytest.fixture
def copy(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(written, tmp_path / "copy"))


def play(rules: Any, games: int = 3, agents: Any = "random", **options: Any) -> Any:
    return vl.simulate(rules, agents, **{"games": games, "seed": 3, "n_jobs": 2, "progress": False, **options})


def take_the_first(view: Any) -> int:
    return int(view.legal_actions()[0])


# What is written


def test_a_run_on_disk_is_the_run_in_memory(runs: Any, written: Path) -> None:
    opened = vl.Runs.open(written)
    assert opened.digest == runs.digest
    assert opened.settings == runs.settings
    assert opened.rules == runs.rules
    assert math.isnan(opened.seconds)
    assert repr(opened) == repr(runs)
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(opened, name), getattr(runs, name))


def test_saving_a_run_writes_the_bytes_that_were_written_while_playing(
    runs: Any, written: Path, tmp_path: Path
) -> None:
    assert contents(runs.save(tmp_path / "saved")) == contents(written)


def test_the_files_are_parts_of_a_block_each_a_description_and_the_dictionary(rules: Any, written: Path) -> None:
    parts = {f"{table}/part-{first:08d}.parquet" for table in TABLES for first in range(0, GAMES, BLOCK)}
    files = contents(written)
    assert set(files) == parts | {"run.json", "columns.csv", "places.parquet", ".lock"}
    described = json.loads(files["run.json"])
    assert described["settings"]["completed"] == GAMES
    assert described["ruleset"] == rules.to_json()
    assert {column["table"] for column in described["columns"]} == set(TABLES)
    assert files[".lock"] == b""


@pytest.mark.parametrize("table", TABLES)
def test_parquet_holds_words_the_study_and_the_meaning_of_every_column(written: Path, table: str, rules: Any) -> None:
    import pyarrow.parquet

    stored = pyarrow.parquet.read_table(written / table / "part-00000000.parquet")
    for column in rules.definition.columns[table]:
        about = stored.schema.field(column.name).metadata
        assert (about[b"unit"].decode(), about[b"meaning"].decode()) == (column.unit, column.meaning)
    study = json.loads(stored.schema.metadata[b"vinci_lab"])
    assert (study["ruleset_hash"], study["seed"]) == (rules.hash, 3)
    assert (study["agents"], study["version"]) == (["random"] * 4, vl.__version__)
    assert "games" not in study


def test_other_programs_read_a_table_as_one(runs: Any, written: Path) -> None:
    import pyarrow.parquet

    whole = pyarrow.parquet.read_table(written / "holdings")
    assert whole["first_tile"].to_pylist() == runs.holdings["first_tile"].tolist()
    total = pyarrow.parquet.read_table(written / "places.parquet")
    assert total["conquests"].to_pylist() == runs.places["conquests"].tolist()


@pytest.mark.parametrize("options", [{"chunk": 7}, {"chunk": 10**6}, {"n_jobs": 1}, {"n_jobs": 3, "backend": "loky"}])
def test_the_bytes_do_not_depend_on_how_the_work_was_shared_out(
    rules: Any, written: Path, tmp_path: Path, options: dict[str, Any]
) -> None:
    play(rules, GAMES, out=tmp_path, **options)
    assert contents(tmp_path) == contents(written)


def test_whole_blocks_played_by_workers_have_the_bytes_of_pieces_put_together(rules: Any, tmp_path: Path) -> None:
    games = 4 * BLOCK
    play(rules, games, out=tmp_path / "whole", n_jobs=1)
    play(rules, games, out=tmp_path / "pieces", n_jobs=1, chunk=300)
    assert contents(tmp_path / "whole") == contents(tmp_path / "pieces")


# Reading some of it


def test_a_table_can_be_read_in_part(written: Path, runs: Any) -> None:
    opened = vl.Runs.open(written)
    for wanted in (["score"], ["win_share", "game"], ["game", "agent"]):
        pd.testing.assert_frame_equal(opened.table("games", wanted), runs.games[wanted])
    pd.testing.assert_frame_equal(opened.table("places", ["income"]), runs.places[["income"]])
    with pytest.raises(ValueError, match="columns: turns has no 'color'; choose from game, turn"):
        opened.table("turns", ["color"])
    with pytest.raises(ValueError, match="table: there is no 'seats'; choose from games"):
        opened.table("seats")


def test_batches_are_the_run_some_games_at_a_time(written: Path, runs: Any) -> None:
    batches = list(vl.Runs.open(written).batches(BLOCK))
    assert [batch.completed for batch in batches] == [BLOCK, BLOCK, 40]
    for name in STREAMED:
        joined = pd.concat([getattr(batch, name) for batch in batches], ignore_index=True)
        pd.testing.assert_frame_equal(joined, getattr(runs, name))
    with pytest.raises(ValueError, match="save: these are some games of a run"):
        batches[1].save("nowhere")


def test_estimates_are_the_same_some_games_at_a_time(runs: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    few = vl.Runs(runs.rules, runs.settings, runs._blocks)
    monkeypatch.setattr(few, "batches", lambda: runs.batches(BLOCK))
    for function in (vl.tile_effects, vl.pace):
        pd.testing.assert_frame_equal(function(few), function(runs), rtol=1e-9)


# Going on


def test_the_same_call_plays_nothing_again(rules: Any, copy: Path, written: Path) -> None:
    again = play(rules, GAMES, out=copy)
    assert again.played == 0
    assert again.is_complete
    assert contents(copy) == contents(written)


def test_more_games_are_added_to_a_folder_and_the_last_short_block_is_played_whole(rules: Any, tmp_path: Path) -> None:
    play(rules, BLOCK + 10, out=tmp_path / "a")
    longer = play(rules, 2 * BLOCK + 5, out=tmp_path / "a")
    assert longer.played == BLOCK + 5
    play(rules, 2 * BLOCK + 5, out=tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_fewer_games_than_are_there_are_refused_and_nothing_is_lost(rules: Any, copy: Path, written: Path) -> None:
    with pytest.raises(vl.DataError, match=r"it holds 1,040 games of this study, more than the 7 asked for"):
        play(rules, 7, out=copy)
    assert contents(copy) == contents(written)


@pytest.mark.parametrize("lost", ["places/part-00000500.parquet", "offers/part-00000000.parquet"])
def test_a_lost_file_is_named_and_its_block_played_again(rules: Any, copy: Path, written: Path, lost: str) -> None:
    (copy / lost).unlink()
    with pytest.raises(vl.DataError, match=f"{lost}: this file of the run is missing"):
        vl.Runs.open(copy)
    assert play(rules, GAMES, out=copy).played == BLOCK
    assert contents(copy) == contents(written)


def test_a_file_cut_short_is_noticed_and_its_block_played_again(rules: Any, copy: Path, written: Path) -> None:
    path = copy / "turns" / "part-00000500.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(vl.DataError, match="missing or damaged"):
        vl.Runs.open(copy)
    assert play(rules, GAMES, out=copy).played == BLOCK
    assert contents(copy) == contents(written)


def test_a_changed_file_is_noticed_when_it_is_read(copy: Path) -> None:
    path = copy / "turns" / "part-00000500.parquet"
    content = bytearray(path.read_bytes())
    content[1000] ^= 1
    path.write_bytes(content)
    opened = vl.Runs.open(copy)
    assert len(opened.games) == 4 * GAMES
    for look in (lambda: opened.turns, opened.verify):
        with pytest.raises(vl.DataError, match=r"part-00000500\.parquet: this is not the file that was written"):
            look()


def test_a_run_that_is_whole_verifies(written: Path) -> None:
    vl.Runs.open(written).verify()


def test_an_unfinished_run_opens_as_its_first_blocks_with_a_warning(copy: Path, runs: Any) -> None:
    described = json.loads((copy / "run.json").read_text(encoding="utf-8"))
    described["digest"] = described["settings"]["completed"] = None
    (copy / "run.json").write_text(json.dumps(described), encoding="utf-8")
    (copy / "places" / "part-00000500.parquet").unlink()
    with pytest.warns(RuntimeWarning, match="unfinished; these are the first 500 of 1040 games.*the same command"):
        opened = vl.Runs.open(copy)
    assert opened.completed == BLOCK
    assert not opened.is_complete
    pd.testing.assert_frame_equal(opened.turns, runs.turns[runs.turns["game"] < BLOCK])
    (copy / "places" / "part-00000000.parquet").unlink()
    with pytest.raises(vl.DataError, match="no block of games of this run is finished yet"):
        vl.Runs.open(copy)


def test_ctrl_c_keeps_whole_blocks_and_the_same_call_goes_on(rules: Any, tmp_path: Path) -> None:
    games = PYTHON_BLOCK + 12

    def take_the_first(view: Any) -> int:
        if interrupts and (tmp_path / "a" / "places" / "part-00000000.parquet").exists():
            raise KeyboardInterrupt
        return int(view.legal_actions()[0])

    interrupts, agents = True, [take_the_first, "greedy", "greedy", "greedy"]
    with pytest.warns(RuntimeWarning, match=r"first 100 of 112 games.*the same command with the folder"):
        stopped = play(rules, games, agents, out=tmp_path / "a", n_jobs=1, chunk=5)
    assert (stopped.completed, stopped.is_complete) == (PYTHON_BLOCK, False)
    interrupts = False
    assert play(rules, games, agents, out=tmp_path / "a", n_jobs=1).played == 12
    play(rules, games, agents, out=tmp_path / "b", n_jobs=1)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_real_ctrl_c_says_how_to_go_on_and_loses_nothing(rules: Any, tmp_path: Path) -> None:
    arguments = ("simulate", "vinci", "--agents", "random", "--jobs", 2, "--seed", 3, "--games", 12 * BLOCK)
    process = start(*arguments, "--out", tmp_path / "a")
    wait_for_blocks(process, tmp_path / "a", 2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, (out, err)
    assert "Traceback" not in err
    assert "the same command" in err
    finish(*arguments, "--out", tmp_path / "a")
    play(rules, 12 * BLOCK, out=tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_run_killed_at_random_moments_and_resumed_equals_one_never_stopped(rules: Any, tmp_path: Path) -> None:
    arguments = ("simulate", "vinci", "--agents", "random", "--jobs", 2, "--seed", 3, "--games", 16 * BLOCK)
    hit, _ = kill_and_resume(tmp_path / "a", arguments, 3, 1)
    assert hit >= 2
    play(rules, 16 * BLOCK, out=tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_leftovers_of_a_killed_run_are_removed_and_files_of_others_are_not(
    rules: Any, copy: Path, written: Path
) -> None:
    (copy / "turns" / ".part-00000500.parquet.part").write_bytes(b"half")
    (copy / ".run.json.part").write_bytes(b"half")
    (copy / "offers" / "part-00009000.parquet").write_bytes(b"no block of this name is finished")
    (copy / "offers" / "notes.txt").write_text("mine")
    play(rules, GAMES, out=copy)
    assert contents(copy) == {**contents(written), "offers/notes.txt": b"mine"}


# What is refused


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"seed": 4}, "it holds another study (seed 3 there, 4 asked for)"),
        ({"agents": "greedy"}, "agents random,random,random,random there, greedy,greedy,greedy,greedy asked for"),
        ({"changes": {"victory_threshold": 90}}, "ruleset"),
        ({"players": 3}, "number of players 4 there, 3 asked for"),
    ],
)
def test_another_study_is_refused_with_what_differs_and_nothing_is_touched(
    copy: Path, written: Path, other: dict[str, Any], sentence: str
) -> None:
    rules = vl.ruleset("vinci", players=other.get("players", 4))
    rules = rules.replace(other["changes"]) if "changes" in other else rules
    with pytest.raises(vl.DataError) as caught:
        play(rules, GAMES, other.get("agents", "random"), out=copy, seed=other.get("seed", 3))
    assert sentence in str(caught.value)
    assert "name another folder, or have it replaced" in str(caught.value)
    assert contents(copy) == contents(written)


def test_another_study_is_replaced_when_asked_for(rules: Any, copy: Path, tmp_path: Path) -> None:
    (copy / "mine.txt").write_text("mine")
    play(rules, 5, out=copy, seed=4, replace=True)
    play(rules, 5, out=tmp_path / "fresh", seed=4)
    assert contents(copy) == {**contents(tmp_path / "fresh"), "mine.txt": b"mine"}


def test_tables_without_a_description_and_strange_descriptions_are_refused(rules: Any, copy: Path) -> None:
    (copy / "run.json").write_text("{", encoding="utf-8")
    with pytest.raises(vl.DataError, match=r"run\.json: not the description of a run"):
        vl.Runs.open(copy)
    with pytest.raises(vl.DataError, match=r"run\.json: not the description of a run.*name another folder"):
        play(rules, GAMES, out=copy)
    (copy / "run.json").write_text('{"settings": {}}', encoding="utf-8")
    with pytest.raises(vl.DataError, match="another version of the program"):
        vl.Runs.open(copy)
    (copy / "run.json").unlink()
    with pytest.raises(vl.DataError, match=r"it has games but no run\.json"):
        play(rules, GAMES, out=copy)
    with pytest.raises(vl.DataError, match=r"run\.json: this file of the run is missing"):
        vl.Runs.open(copy)


def test_two_writers_at_once_are_refused_in_a_sentence(rules: Any, tmp_path: Path) -> None:
    lock = FolderLock(tmp_path)
    with pytest.raises(vl.DataError, match=r"process \d+ on .* is writing to this folder; wait until it has finished"):
        play(rules, out=tmp_path)
    lock.release()
    play(rules, out=tmp_path)


def test_two_processes_at_once_do_not_mix(rules: Any, tmp_path: Path) -> None:
    arguments = ("simulate", "vinci", "--agents", "random", "--seed", 3, "--games", 12 * BLOCK, "--jobs", 1)
    first = start(*arguments, "--out", tmp_path / "a")
    wait_for_blocks(first, tmp_path / "a")
    _, err = finish(*arguments, "--out", tmp_path / "a", code=2)
    assert f"process {first.pid} on " in err
    first.communicate()
    assert first.returncode == 0
    play(rules, 12 * BLOCK, out=tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from vinci_lab.cli import main
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are Unix's")
def test_when_the_system_refuses_to_write_it_is_said_and_finished_games_are_kept(rules: Any, tmp_path: Path) -> None:
    arguments = ["simulate", "vinci", "--agents", "random", "--seed", "3", "--games", str(3 * BLOCK), "--jobs", "1"]
    play(rules, BLOCK, out=tmp_path / "a")
    command = [sys.executable, "-c", LIMITED, "100000", *arguments, "--out", str(tmp_path / "a")]
    refused = subprocess.run(command, capture_output=True, text=True, check=False)
    assert refused.returncode == 2, refused.stderr
    assert "it cannot be written (File too large); games that were finished are kept" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not list((tmp_path / "a").glob("*/.*"))
    with pytest.warns(RuntimeWarning, match="these are the first 500 of 1500 games"):
        vl.Runs.open(tmp_path / "a")
    play(rules, 3 * BLOCK, out=tmp_path / "a")
    play(rules, 3 * BLOCK, out=tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


@pytest.mark.parametrize(("number", "words"), [(28, "No space left on device"), (13, "Permission denied")])
def test_a_full_disk_and_a_folder_without_permission_are_said(
    rules: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, words: str
) -> None:
    real = on_disk.write_bytes

    def refuse(path: Path, content: bytes) -> None:
        if path.parent.name == "offers" and path.name != "part-00000000.parquet":
            raise OSError(number, words, str(path))
        real(path, content)

    monkeypatch.setattr(on_disk, "write_bytes", refuse)
    with pytest.raises(vl.DataError, match=f"it cannot be written \\({words}\\)"):
        play(rules, 3 * BLOCK, out=tmp_path, n_jobs=1)
    monkeypatch.undo()
    with pytest.warns(RuntimeWarning, match="first 500 of 1500"):
        vl.Runs.open(tmp_path)
    assert play(rules, 3 * BLOCK, out=tmp_path).played == 2 * BLOCK


def test_a_folder_that_cannot_be_made_or_has_gone_is_said(
    rules: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(vl.DataError, match=r"file.*: it cannot be written"):
        play(rules, out=tmp_path / "file" / "run")
    real = on_disk.Writer.add

    def gone(writer: Any, packed: Any) -> None:
        shutil.rmtree(tmp_path / "run", ignore_errors=True)
        real(writer, packed)

    monkeypatch.setattr(on_disk.Writer, "add", gone)
    with pytest.raises(vl.DataError, match="it cannot be written \\(No such file or directory\\)"):
        play(rules, out=tmp_path / "run")


def test_nothing_recorded_is_nothing_to_write(rules: Any, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="rows: with rows=False nothing is recorded"):
        play(rules, out=tmp_path, rows=False)


# Spreadsheets


@pytest.mark.parametrize("cell", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"])  # noqa: RUF001
def test_text_that_a_spreadsheet_would_run_gets_an_apostrophe(cell: str) -> None:
    assert harmless(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", [-3, -2.5, "-3", "+4", "-1.5e-3", "greedy", "", "a=b", None, True])
def test_numbers_and_plain_words_stay_as_they_are(cell: Any) -> None:
    assert harmless(cell) == cell


def test_every_kind_of_column_is_made_harmless_and_numbers_are_not_touched() -> None:
    frame = pd.DataFrame({"=head": ["=a", "b"], "n": [-1, 2], "x": [-0.5, None], "o": [-1, "@b"]})
    frame["c"] = pd.Categorical.from_codes([0, -1], categories=pd.Index(["-x"]))
    assert frame_csv(frame) == "'=head,n,x,o,c\n'=a,-1,-0.5,-1,'-x\nb,2,,'@b,\n"
    assert csv_text(["=h", "n"], [["+a", -1]]) == "'=h,n\n'+a,-1\n"


def test_csv_files_hold_every_row_and_names_of_agents_are_harmless(rules: Any, tmp_path: Path) -> None:
    agent: Any = lambda view: take_the_first(view)  # noqa: E731
    agent.__name__ = '=HYPERLINK("x")'
    runs = play(rules, 3, [agent, "greedy", "greedy", "greedy"], n_jobs=1)
    folder = runs.to_csv(tmp_path / "csv")
    assert {path.name for path in folder.iterdir()} == {"columns.csv", *(f"{table}.csv" for table in TABLES)}
    games = pd.read_csv(folder / "games.csv")
    assert games["agent"].tolist() == ['\'=HYPERLINK("x")', "greedy", "greedy", "greedy"] * 3
    assert games["score"].tolist() == runs.games["score"].tolist()
    assert pd.read_csv(folder / "turns.csv")["lead"].tolist() == runs.turns["lead"].tolist()
    assert (runs.turns["lead"] < 0).any()


def test_csv_files_of_several_blocks_have_one_header(written: Path, runs: Any, tmp_path: Path) -> None:
    vl.Runs.open(written).to_csv(tmp_path)
    assert pd.read_csv(tmp_path / "holdings.csv")["round"].tolist() == runs.holdings["round"].tolist()


# Memory

PEAK = """
import sys
from vinci_lab.cli import app
try:
    app(sys.argv[1:])
except SystemExit:
    pass
[peak] = [line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(peak)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peaks are measured in Linux's unit")
def test_memory_does_not_grow_with_the_number_of_games(
    run_python: Callable[..., str], tmp_path: Path, rules: Any
) -> None:
    play(rules, 1, "greedy")  # compiled
    peaks = {}
    for games in (5_000, 30_000):
        out = tmp_path / str(games)
        arguments = ("simulate", "vinci", "--games", str(games), "--jobs", "2", "--out", str(out))
        peaks[games] = (
            int(run_python("-c", PEAK, *arguments, ARROW_DEFAULT_MEMORY_POOL="system").split()[-1]) * 1024 / 1e6
        )
        shutil.rmtree(out)
    assert peaks[30_000] < 250, peaks
    assert peaks[30_000] < peaks[5_000] + 15, peaks
