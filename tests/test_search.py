"""The searching agent: it cannot see the future, chooses the same again, and uses what it is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vinci_lab as vl
from tests.toys import hidden_bid
from tests.vinci.scenario import Scenario
from vinci_lab.agents.compiled import SEARCH
from vinci_lab.agents.deciding import think_elsewhere
from vinci_lab.agents.search import BUDGETS, SETTINGS, new_desk
from vinci_lab.engine import game as games
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.position import Position
from vinci_lab.engine.records import copy_record
from vinci_lab.simulation import driver
from vinci_lab.simulation.seats import seat_agents

TINY = "search:rollouts=6,horizon=5,stages=2"
DIGESTS = """
import vinci_lab as vl
from tests.test_search import TINY, tiny_rules
print(vl.simulate(tiny_rules(), [TINY, "greedy", "random"], games=1, seed=3, n_jobs=1, progress=False).digest)
"""


def tiny_rules() -> Any:
    return vl.ruleset("vinci", players=3, map="lagoon").replace({"victory_threshold": 25})


@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=4)


class Mind:
    """A searching agent outside a run."""

    def __init__(self, rules: Any, **settings: int) -> None:
        self.rules, game = rules, rules.definition
        told = {name: default for name, (default, _) in SETTINGS.items()} | settings
        from vinci_lab.agents.callbacks import callbacks, search_callback

        seats = rules.players
        self.desk = new_desk(game.state_layout, [told] * seats)
        self.called = callbacks(game, [search_callback(game)] * seats)
        self.work, self.tools = driver.new_work(game), driver.new_tools(game)
        self.policy = game.policy(rules.tables)

    def choose(self, state: Any, seat: int, key: int = 1, number: int = 0) -> list[int]:
        mask, plan = self.tools[:2]
        think_elsewhere(
            *(self.rules.tables, copy_record(state), self.work[1], SEARCH, seat, self.policy, key, number),
            *(mask, plan, self.desk, self.called),
        )
        return [int(action) for action in plan.actions[: plan.length]]


# What it can know ---------------------------------------------------------------------------------------------------
def test_it_chooses_the_same_whatever_the_random_key_so_it_cannot_see_what_will_be_drawn(rules: Any) -> None:
    mind = Mind(rules, rollouts=60 if JIT else 2, horizon=0 if JIT else 1, stages=3 if JIT else 1)
    position, decisions, multiple = vl.new_position(rules, seed=3), 0, 0
    while not position.is_over and decisions < (40 if JIT else 5):
        seat = position.deciders[0]
        choices = []
        for key in (int(position.state.key), 12345 + decisions, 99):
            other = copy_record(position.state)
            other.key = key
            choices.append(mind.choose(other, seat, 777, decisions))
        assert choices[0] == choices[1] == choices[2], position.text()
        decisions += 1
        multiple += len(position.legal_actions(seat)) > 1
        for action in choices[0]:
            position.apply(action, seat)
            if position.is_over or seat not in position.deciders:
                break
    assert multiple > decisions // 2


def test_secrets_of_others_do_not_change_its_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games._GAMES, "hidden_bid", hidden_bid.GAME)
    rules = hidden_bid.load()
    position = vl.new_position(rules, seed=4)
    position.apply("bid 3", 1)
    twin = copy_record(position.state)
    twin.pending[1] = 0
    mind = Mind(rules, rollouts=50, horizon=0)
    assert mind.choose(position.state, 0) == mind.choose(twin, 0)


def test_it_plays_a_game_of_secret_choices_in_the_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games._GAMES, "hidden_bid", hidden_bid.GAME)
    rules = hidden_bid.load()
    assert Mind(rules, rollouts=20, horizon=0).choose(vl.new_position(rules, seed=1).state, 2)[0] in range(8)


# How it uses its rollouts -------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("rollouts", [1, 5, 40, 200])
def test_it_uses_no_more_rollouts_than_it_is_given(rules: Any, rollouts: int) -> None:
    mind, position = Mind(rules, rollouts=rollouts, horizon=8), vl.new_position(rules, seed=5)
    most = 0
    for number in range(60):
        if position.is_over:
            break
        seat, before = position.deciders[0], int(mind.desk.done)
        for action in mind.choose(position.state, seat, 5, number):
            position.apply(action, seat)
            if position.is_over or seat not in position.deciders:
                break
        most = max(most, int(mind.desk.done) - before)
    assert most <= rollouts
    assert most > 0.5 * rollouts or rollouts == 1


@pytest.mark.slow_without_jit
def test_another_key_of_the_game_draws_other_rollouts(rules: Any) -> None:
    mind, position = Mind(rules, rollouts=8, horizon=0), vl.new_position(rules, seed=5)
    assert len({tuple(mind.choose(position.state, position.deciders[0], key)) for key in range(30)}) > 1
    assert mind.choose(position.state, position.deciders[0], 3) == mind.choose(position.state, position.deciders[0], 3)


# What it finds ------------------------------------------------------------------------------------------------------
def answer(game: Scenario, **settings: int) -> list[str]:
    mind, seat = Mind(game.rules, **settings), game.seat_to_decide()
    return [game.say(action) for action in mind.choose(game.state, seat)]


@pytest.mark.slow_without_jit
def test_it_declines_a_spent_empire_early_and_never_in_the_last_round() -> None:
    def spent(last: int) -> list[str]:
        land = {"Poland": 1, "Livonia": 1, "Belarus": 1}
        game = Scenario().civ(0, "messages", "slavery", hand=4 * last).own(0, land).points(0, 30)
        game.tray(("barbarians", "currency")).turn(0, 4)
        game.state.is_last_round = last
        return answer(game)

    assert spent(0)[0] == "decline"
    assert spent(1)[0] == "play on"


@pytest.mark.slow_without_jit
def test_it_takes_the_win_that_needs_one_more_province() -> None:
    """In the last round, last to move and two points behind, stopping early loses what conquering on wins."""
    game = Scenario(players=3).civ(0, "barbarians", "messages", hand=6).own(0, {"Poland": 1, "Livonia": 1})
    game.points(0, 98).points(1, 101).points(2, 60).tray(("barbarians", "currency")).turn(0, 4)
    game.state.is_last_round = 1
    game.state.start_seat = 1
    position = Position(game.rules, copy_record(game.state))
    for action in Mind(game.rules).choose(game.state, 0):
        position.apply(action, 0)
    assert position.is_over
    assert position.scores[0] > 101


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("players", [3, 6])
def test_it_beats_greedy_from_every_seat(players: int) -> None:
    table = vl.ladder(
        vl.ruleset("vinci", players=players), ["search:rollouts=40", *["greedy"] * (players - 1)], games=60,
        progress=False,
    )  # fmt: skip
    assert table.shares.set_index("agent")["low"]["search:rollouts=40"] > 1.5 / players


# The same again -----------------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
def test_digest_is_the_same_for_any_number_of_jobs_chunks_and_backend(rules: Any) -> None:
    agents = ["search:rollouts=30", "greedy", "search:rollouts=12,horizon=0,stages=1", "random"]
    runs = [
        vl.simulate(rules, agents, games=8, seed=3, progress=False, **options)
        for options in (
            {"n_jobs": 1},
            {"n_jobs": 2, "chunk": 1},
            {"n_jobs": 2, "chunk": 3, "backend": "loky"},
            {"n_jobs": 1, "chunk": 5, "rows": True},
        )
    ]
    assert len({run.digest for run in runs}) == 1


@pytest.mark.compiled
def test_digest_is_the_same_with_the_compiler_off(run_python: Callable[..., str]) -> None:
    assert run_python("-c", DIGESTS, VINCI_LAB_JIT="0") == run_python("-c", DIGESTS)


@pytest.mark.compiled
def test_a_second_process_compiles_search_no_more(run_python: Callable[..., str]) -> None:
    program = """
from vinci_lab.agents.callbacks import search_callback
from vinci_lab.engine.game import game_of
print(search_callback(game_of("vinci")).cache_hits)
"""
    run_python("-c", program)
    assert run_python("-c", program) == "1"


@pytest.mark.slow_without_jit
def test_games_played_step_by_step_are_those_of_the_compiled_loop(rules: Any, tmp_path: Any) -> None:
    runs = vl.simulate(
        rules, ["search:rollouts=20", "greedy", "greedy", "greedy"], games=2, seed=3, n_jobs=1, progress=False,
        out=tmp_path, transcripts=1,
    )  # fmt: skip
    transcript = vl.load_transcript(tmp_path / "transcripts" / "game_000000.jsonl")
    assert transcript.verify() is None
    assert transcript.result is not None
    assert transcript.result["scores"] == runs.games.loc[runs.games["game"] == 0, "score"].tolist()


# Names --------------------------------------------------------------------------------------------------------------
def settings(rules: Any, name: str) -> dict[str, int]:
    return dict(seat_agents(rules, name)[0].settings)


def test_budgets_and_settings_are_read_from_the_name(rules: Any) -> None:
    study = {name: default for name, (default, _) in SETTINGS.items()}
    assert settings(rules, "search") == settings(rules, "search:budget=study") == study
    assert settings(rules, "search:budget=play") == study | BUDGETS["play"]
    assert settings(rules, "search:rollouts=64,horizon=8") == study | {"rollouts": 64, "horizon": 8}
    assert settings(rules, "search:budget=play,rollouts=9")["rollouts"] == 9
    assert settings(rules, "greedy") == {}


def test_the_policy_of_rollouts_can_be_set_too(rules: Any) -> None:
    assert seat_agents(rules, "search:rollouts=8,denial=0.5")[0].params == {"denial": 0.5}
    tuned = seat_agents(rules, "greedy:tuned")[0].params
    assert seat_agents(rules, "search:rollouts=8,policy=tuned")[0].params == tuned


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("search:rollouts=0", "agents: search:rollouts must be an integer from 1 to"),
        ("search:rollouts=many", "agents: search:rollouts must be an integer from 1 to .*, got 'many'"),
        ("search:stages=1.5", "agents: search:stages must be an integer"),
        ("search:budget=huge", "agents: search:budget does not know 'huge'; choose from study, play"),
        ("search:depth=3", "agents: search has no parameter 'depth'; choose from rollouts, horizon, stages, budget, "),
        ("greedy:rollouts=3", "agents: greedy has no parameter 'rollouts'"),
        ("greedy:best", "agents: greedy does not know 'best'; choose from tuned"),
    ],
)
def test_unknown_settings_are_refused_in_a_sentence(rules: Any, name: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        seat_agents(rules, name)


def test_every_setting_is_in_the_guide() -> None:
    from tests.conftest import ROOT

    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    for name, (default, meaning) in SETTINGS.items():
        play = BUDGETS["play"].get(name, default)
        assert f"| `{name}` | {default} | {play} | {meaning} |" in page


def test_estimates_of_an_ended_game_tell_the_winner(rules: Any) -> None:
    from vinci_lab.engine import entries

    game = Scenario(players=3).points(0, 120).points(1, 90).points(2, 119)
    game.state.phase = 14
    values = np.zeros(8)
    entries.estimate(game.tables, game.state, rules.definition.policy(game.tables), values)
    assert values[0] > 0.5 > values[2] > values[1]
