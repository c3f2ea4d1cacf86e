"""``simulate`` and ``Runs``: what is recorded, saved and refused. The games are Vinci's."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pandas as pd
import pytest

import vinci_lab as vl
from vinci_lab.agents.python_agents import PythonAgent
from vinci_lab.engine.game import Column
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.rows import ROOM, TURNS
from vinci_lab.simulation import chunks, tables
from vinci_lab.simulation.seats import seat_agents, split_names

GAMES = 40 if JIT else 3
TABLES = ("games", "turns", "holdings", "offers", "places")


@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=4)


@pytest.fixture(scope="module")
def runs(rules: Any) -> Any:
    return vl.simulate(rules, games=GAMES, seed=3, n_jobs=1, progress=False)


def play(rules: Any, agents: Any, games: int = 2, **options: Any) -> Any:
    return vl.simulate(rules, agents, games=games, n_jobs=1, progress=False, **options)


def take_the_first(view: Any) -> int:
    return int(view.legal_actions()[0])


# What the tables hold


def test_every_game_has_one_row_per_seat_in_order(runs: Any) -> None:
    assert runs.games["game"].tolist() == np.repeat(np.arange(GAMES), 4).tolist()
    assert runs.games["seat"].tolist() == [0, 1, 2, 3] * GAMES


def test_the_shares_of_a_win_sum_to_one_in_every_game(runs: Any) -> None:
    assert runs.games.groupby("game")["win_share"].sum().tolist() == pytest.approx([1.0] * GAMES)
    assert (runs.games["win_share"] > 0).tolist() == (runs.games["is_winner"] == 1).tolist()


def test_a_seats_turns_lead_from_its_first_score_to_its_final_one(runs: Any) -> None:
    last = runs.turns.groupby(["game", "seat"])["score_after"].last()
    assert last.tolist() == runs.games["score"].tolist()
    counts = runs.turns.groupby(["game", "seat"])["turn"].count()
    assert counts.tolist() == runs.games["turns"].tolist()


def test_holdings_are_the_civilizations_of_the_seats_and_each_was_taken_from_an_offer(runs: Any) -> None:
    keys = ["game", "seat", "holding", "first_tile", "second_tile"]
    held = runs.holdings[keys].sort_values(keys, ignore_index=True)
    taken = runs.offers.loc[runs.offers["is_taken"] == 1, keys].sort_values(keys, ignore_index=True)
    pd.testing.assert_frame_equal(held, taken)
    counts = runs.holdings.groupby(["game", "seat"])["holding"].count()
    assert counts.tolist() == runs.games["civilizations"].tolist()


def test_points_of_holdings_are_the_points_seats_earned(runs: Any) -> None:
    columns = ["points_active", "points_kills", "points_decline"]
    by_seat = runs.holdings.groupby(["game", "seat"])[columns].sum().sum(axis=1)
    assert by_seat.tolist() == runs.games["earned"].tolist()


def test_places_count_every_conquest_and_every_end_of_a_turn(runs: Any) -> None:
    states = ["turns_active", "turns_decline", "turns_neutral", "turns_empty"]
    assert runs.places["conquests"].sum() == runs.games["conquests"].sum()
    assert (runs.places[states].sum(axis=1) == len(runs.turns)).all()
    assert runs.places["province"].tolist() == list(runs.rules.definition.labels(runs.rules, "province"))


def test_named_values_are_categories_and_numbers_keep_their_small_types(runs: Any) -> None:
    assert isinstance(runs.holdings["first_tile"].dtype, pd.CategoricalDtype)
    assert "weapons" in runs.holdings["first_tile"].cat.categories
    for name in TABLES:
        for column in runs.rules.definition.columns[name]:
            if not column.labels:
                assert getattr(runs, name)[column.name].dtype == column.dtype


def test_every_column_of_every_table_is_described_with_unit_and_meaning(runs: Any) -> None:
    described = runs.describe_columns().set_index(["table", "column"])
    for name in TABLES:
        for column in getattr(runs, name).columns:
            assert described.loc[(name, column), "unit"]
            assert described.loc[(name, column), "meaning"]
    assert "weapons" in described.loc[("holdings", "first_tile"), "values"]


def test_a_game_is_the_same_in_a_longer_run(rules: Any, runs: Any) -> None:
    shorter = play(rules, "greedy", games=2, seed=3)
    pd.testing.assert_frame_equal(shorter.turns, runs.turns[runs.turns["game"] < 2])


def test_another_seed_gives_other_games(rules: Any, runs: Any) -> None:
    assert play(rules, "greedy", games=2, seed=4).digest != play(rules, "greedy", games=2, seed=3).digest


def test_without_rows_nothing_is_recorded(rules: Any) -> None:
    silent = play(rules, "greedy", rows=False)
    assert [len(getattr(silent, name)) for name in TABLES[:4]] == [0, 0, 0, 0]
    assert silent.places["conquests"].sum() == 0


# Row buffers


@pytest.mark.slow_without_jit
def test_a_chunk_that_fills_the_row_buffer_loses_nothing_and_counts_nothing_twice(rules: Any) -> None:
    job = chunks.Job.of(rules, seat_agents(rules, "greedy"), 3, True)
    games = 1 + ROOM[TURNS] // 30  # a game of four seats has more than 30 turns
    buffer, table = chunks.Buffer(job), chunks.Table(job)
    assert 0 < table.play_compiled(buffer, 0, games) < games
    whole = chunks.play_chunk(job, 0, games)[2]
    small = [chunks.play_chunk(job, first, 1)[2] for first in range(games)]
    assert tables.digest(whole) == tables.digest(tables.join(small))


@pytest.mark.slow_without_jit
def test_a_full_row_buffer_loses_nothing_with_a_python_agent_either(rules: Any) -> None:
    job = chunks.Job.of(rules, seat_agents(rules, [take_the_first, "greedy", "greedy", "greedy"]), 3, True)
    buffer, table = chunks.Buffer(job), chunks.Table(job)
    buffer.rows.used[:] = [ROOM[0] - 6, 0, 0, 0]  # room for one game
    assert table.play_with_python(buffer, 0, 2) == 1
    assert buffer.rows.kept[0] == ROOM[0] - 2
    buffer.harvest()
    assert table.play_with_python(buffer, 1, 1) == 1
    assert tables.digest(buffer.harvest()) == tables.digest(chunks.play_chunk(job, 1, 1)[2])


def test_a_game_longer_than_the_row_buffer_is_an_error(rules: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    job = chunks.Job.of(rules, seat_agents(rules, [take_the_first] * 4), 3, True)
    monkeypatch.setattr(chunks.Table, "play_with_python", lambda table, buffer, first, count: 0)
    with pytest.raises(RuntimeError, match="game 5: it is longer than the row buffer allows"):
        chunks.play_chunk(job, 5, 2)


def test_a_value_that_does_not_fit_its_column_is_an_error_and_never_wraps() -> None:
    column = Column("tokens", "int8", "tokens", "tokens somewhere")
    assert tables.narrow(np.array([[127], [-128]]), [column], "turns")["tokens"].tolist() == [127, -128]
    with pytest.raises(OverflowError, match="table turns, column tokens: the value 128 does not fit int8"):
        tables.narrow(np.array([[5], [128]]), [column], "turns")


def test_the_digest_changes_with_a_single_value(runs: Any) -> None:
    [block] = runs._blocks.tables
    changed = {name: {key: values.copy() for key, values in columns.items()} for name, columns in block.items()}
    assert tables.digest(changed) == runs.digest
    changed["holdings"]["coins"][-1] += 1
    assert tables.digest(changed) != runs.digest


# Agents


def test_one_agent_per_seat_is_named_in_the_games_table(rules: Any) -> None:
    mixed = play(rules, "greedy,random,greedy:horizon=4,random")
    assert mixed.agents == ("greedy", "random", "greedy:horizon=4", "random")
    assert mixed.games["agent"].tolist() == ["greedy", "random", "greedy:horizon=4", "random"] * 2


def test_parameters_belong_to_the_agent_before_them() -> None:
    assert split_names("greedy:horizon=4,denial=0, random") == ["greedy:horizon=4,denial=0", "random"]


def test_a_parameter_changes_how_the_agent_plays(rules: Any) -> None:
    assert play(rules, "greedy:horizon=1").digest != play(rules, "greedy").digest
    [default] = [known.default for known in rules.definition.parameters if known.name == "horizon"]
    assert play(rules, f"greedy:horizon={default}").turns.equals(play(rules, "greedy").turns)


def test_a_python_agent_plays_beside_compiled_ones(rules: Any) -> None:
    mixed = play(rules, [take_the_first, "greedy", "random", "greedy"])
    assert mixed.games["agent"].tolist() == ["take_the_first", "greedy", "random", "greedy"] * 2
    assert len(mixed.turns) == mixed.games["turns"].sum()


def test_a_python_agent_may_answer_in_words(rules: Any) -> None:
    def in_words(view: Any) -> Any:
        return view.legal_words()[0]

    assert play(rules, in_words, games=1, seed=5).turns.equals(play(rules, take_the_first, games=1, seed=5).turns)


def test_a_python_agent_sees_neither_the_key_nor_can_it_change_the_game(rules: Any) -> None:
    keys = set()

    def meddler(view: Any) -> int:
        keys.add(int(view.state.key))
        action = take_the_first(view)
        view.state.score[:] = 999
        return action

    met = play(rules, meddler, games=1)
    assert keys == {0}
    assert met.turns.equals(play(rules, take_the_first, games=1).turns)


def test_games_played_step_by_step_are_the_games_of_the_compiled_loop(rules: Any, runs: Any) -> None:
    job = chunks.Job.of(rules, seat_agents(rules, "greedy"), 3, True)
    buffer, table = chunks.Buffer(job), chunks.Table(job)
    assert table.play_with_python(buffer, 0, GAMES) == GAMES
    assert tables.digest(buffer.harvest()) == runs.digest


def test_an_error_in_a_python_agent_names_agent_seat_game_and_turn(rules: Any) -> None:
    def broken(view: Any) -> int:
        raise KeyError("no plan")

    with pytest.raises(vl.AgentError, match=r"agent 'broken', seat 1, game 0, turn \d+: it failed with KeyError"):
        play(rules, ["greedy", broken, "greedy", "greedy"])


@pytest.mark.parametrize("answer", [10**6, -1, None, 1.5, "dance"])
def test_an_illegal_action_of_a_python_agent_is_refused_with_what_is_allowed(rules: Any, answer: Any) -> None:
    with pytest.raises(vl.AgentError, match=r"seat 0, game 0, turn 0: it chose .* not legal now; allowed: "):
        play(rules, [lambda view: answer, "greedy", "greedy", "greedy"])


def test_two_python_agents_of_the_same_name_are_told_apart(rules: Any) -> None:
    again: Any = lambda view: take_the_first(view)  # noqa: E731
    again.__name__ = "take_the_first"
    assert play(rules, [take_the_first, again, "greedy", "greedy"], games=1).agents[:2] == (
        "take_the_first",
        "take_the_first 2",
    )


# Sentences for bad arguments


@pytest.mark.parametrize(
    ("agents", "sentence"),
    [
        ("greddy", "agents: there is no 'greddy'; choose from random, greedy"),
        ("greedy:speed=3", "agents: greedy has no parameter 'speed'; choose from horizon"),
        ("greedy:horizon=fast", "agents: greedy:horizon must be a number, got 'fast'"),
        ("greedy:horizon=nan", "agents: parameters must be finite numbers"),
        ("greedy,random", "agents: give one for all seats or one for each of the 4, got 2"),
        ([1, 2, 3, 4], "agents: seat 0 must be a name"),
    ],
)
def test_unknown_agents_are_refused_in_a_sentence(rules: Any, agents: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        play(rules, agents)


@pytest.mark.parametrize(
    ("argument", "value", "sentence"),
    [
        ("games", 0, "games: must be an integer of at least 1, got 0"),
        ("games", 2.5, "games: must be an integer of at least 1, got 2.5"),
        ("games", True, "games: must be an integer"),
        ("seed", -1, "seed: must be an integer from 0 to"),
        ("seed", 2**63, "seed: must be an integer from 0 to"),
        ("n_jobs", 0, "n_jobs: must be a positive number"),
        ("chunk", 0, "chunk: must be an integer of at least 1"),
        ("transcripts", 9, "transcripts: must be an integer from 0 to 2"),
        ("transcripts", 1, "transcripts: they are written to the folder `out`"),
        ("backend", "steam", "backend: there is no 'steam'; choose from"),
    ],
)
def test_arguments_that_are_not_allowed_are_refused_in_a_sentence(
    rules: Any, argument: str, value: Any, sentence: str
) -> None:
    with pytest.raises(ValueError, match=sentence):
        vl.simulate(rules, **{"games": 2, "n_jobs": 1, "progress": False, argument: value})


# Interruption


def test_ctrl_c_keeps_the_games_before_the_first_unfinished_one(rules: Any) -> None:
    calls = []

    def stops(view: Any) -> int:
        calls.append(view.turn)
        if calls.count(0) > 15:
            raise KeyboardInterrupt
        return take_the_first(view)

    with pytest.warns(RuntimeWarning, match="these are the first"):
        stopped = play(rules, [stops, "greedy", "greedy", "greedy"], games=200, chunk=1)
    assert not stopped.is_complete
    done = stopped.settings["completed"]
    assert 0 < done < 16
    assert stopped.games["game"].nunique() == done
    whole = play(rules, [take_the_first, "greedy", "greedy", "greedy"], games=done)
    assert whole.is_complete
    assert stopped.turns.equals(whole.turns)


def test_ctrl_c_before_the_first_chunk_is_finished_is_passed_on(rules: Any) -> None:
    def stops(view: Any) -> int:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play(rules, stops)


# Where it runs


def test_joblibs_parallel_config_decides_backend_and_number_of_jobs(
    rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[tuple[str, int]] = []

    class Watched(joblib.Parallel):  # type: ignore[misc]
        def __call__(self, tasks: Sequence[Any]) -> Any:
            used.append((type(self._backend).__name__, self.n_jobs))
            return super().__call__(tasks)

    monkeypatch.setattr(joblib, "Parallel", Watched)
    options = {"games": 4, "chunk": 1, "progress": False}
    vl.simulate(rules, n_jobs=2, **options)
    with joblib.parallel_config(backend="sequential"):
        vl.simulate(rules, **options)
    with joblib.parallel_config(n_jobs=3):
        vl.simulate(rules, **options)
    assert used == [("ThreadingBackend", 2), ("SequentialBackend", 1), ("ThreadingBackend", 3)]


def test_the_bar_counts_games(rules: Any, capfd: pytest.CaptureFixture[str]) -> None:
    vl.simulate(rules, games=3, n_jobs=1, chunk=1)
    assert "3/3" in capfd.readouterr().err


# Files; more on them in test_store.py


def test_transcripts_are_the_recorded_games_and_verify(rules: Any, tmp_path: Path) -> None:
    written = play(rules, "greedy,random,greedy,random", out=tmp_path, transcripts=2)
    paths = sorted((tmp_path / "transcripts").iterdir())
    assert [path.name for path in paths] == ["game_000000.jsonl", "game_000001.jsonl"]
    for game, path in enumerate(paths):
        transcript = vl.load_transcript(path)
        assert transcript.verify() is None
        assert transcript.result is not None
        assert transcript.result["scores"] == written.games.loc[written.games["game"] == game, "score"].tolist()
        assert transcript.header["agents"] == ["greedy", "random", "greedy", "random"]


def test_python_agents_carry_their_own_name() -> None:
    assert PythonAgent("mine", take_the_first).name == "mine"
