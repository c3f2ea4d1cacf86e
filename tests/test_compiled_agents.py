"""Agents a user has compiled play in the compiled loop like those of the house."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vinci_lab as vl
from tests.toys import hidden_bid
from vinci_lab.agents.compiled import OWN
from vinci_lab.engine import game as games
from vinci_lab.engine.jit import JIT
from vinci_lab.simulation import driver
from vinci_lab.simulation.seats import seat_agents


@vl.compiled_agent(game="vinci")
def take_the_first(tables: Any, view: Any, seat: int, allowed: Any, key: int) -> Any:
    """Take the first action that is allowed."""
    return allowed.nonzero()[0][0]


@vl.compiled_agent(game="vinci")
def anything(tables: Any, view: Any, seat: int, allowed: Any, key: int) -> Any:
    legal = allowed.nonzero()[0]
    return legal[key % len(legal)]


@vl.compiled_agent(game="vinci")
def sees_the_key(tables: Any, view: Any, seat: int, allowed: Any, key: int) -> Any:
    return -5 if view.key != 0 else allowed.nonzero()[0][0]


@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=3, map="lagoon").replace({"victory_threshold": 25})


def play(rules: Any, agents: Any, games: int = 2, **options: Any) -> Any:
    return vl.simulate(rules, agents, games=games, seed=3, progress=False, **({"n_jobs": 1} | options))


def test_it_plays_as_the_same_function_in_python_does(rules: Any) -> None:
    def same_in_python(view: Any) -> int:
        return int(view.legal_actions(view.viewer)[0])

    compiled, plain = (play(rules, [agent, "greedy", "random"]) for agent in (take_the_first, same_in_python))
    assert compiled.turns.equals(plain.turns)
    assert compiled.agents[0] == "take_the_first"


@pytest.mark.compiled
def test_the_driver_is_not_compiled_again_for_other_agents(rules: Any) -> None:
    play(rules, "greedy")
    before = len(driver.play_games.signatures)
    play(rules, [take_the_first, "greedy", anything])
    play(rules, [anything, take_the_first, "search:rollouts=4"])
    play(vl.ruleset("vinci", players=6), [anything, *["greedy"] * 5])
    assert len(driver.play_games.signatures) == before


def test_tables_do_not_depend_on_jobs_or_backend(rules: Any) -> None:
    agents = [take_the_first, "greedy", anything]
    alone = play(rules, agents, games=6)
    assert play(rules, agents, games=6, n_jobs=2, chunk=1).digest == alone.digest
    assert not JIT or play(rules, agents, games=6, n_jobs=2, chunk=2, backend="loky").digest == alone.digest


def test_it_sits_beside_a_python_agent(rules: Any) -> None:
    mixed = play(rules, [anything, lambda view: view.legal_actions()[-1], "greedy"], n_jobs=2, chunk=1)
    assert mixed.agents == ("anything", "<lambda>", "greedy")


def test_it_does_not_see_the_random_key(rules: Any) -> None:
    play(rules, [sees_the_key] * 3)


@pytest.mark.parametrize("answer", [700, -1, 10**9])
def test_an_answer_that_is_not_legal_is_an_error_that_names_agent_seat_game_and_turn(rules: Any, answer: int) -> None:
    bad = vl.compiled_agent(game="vinci")(fixed(answer))
    for agents in (["greedy", bad, "greedy"], ["greedy", bad, lambda view: view.legal_actions()[0]]):
        with pytest.raises(
            vl.AgentError, match=r"agent 'always', seat 1, game 0, turn 0: it chose .* allowed: "
        ) as caught:
            play(rules, agents)
        assert f"it chose {answer}, which is not legal now" in str(caught.value)


def fixed(answer: int) -> Callable[..., int]:
    def always(tables: Any, view: Any, seat: int, allowed: Any, key: int) -> int:
        return answer

    return always


@pytest.mark.compiled
def test_a_function_that_cannot_be_compiled_is_refused_in_a_sentence(rules: Any) -> None:
    @vl.compiled_agent(game="vinci")
    def wordy(tables: Any, view: Any, seat: int, allowed: Any, key: int) -> Any:
        return view.no_such_field

    with pytest.raises(ValueError, match="agents: 'wordy' cannot be compiled"):
        play(rules, [wordy, "greedy", "greedy"])


def test_it_plays_only_the_game_it_is_compiled_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games._GAMES, "hidden_bid", hidden_bid.GAME)
    with pytest.raises(ValueError, match="agents: 'anything' is compiled for vinci, and the game is hidden_bid"):
        seat_agents(hidden_bid.load(), [anything] * 4)
    with pytest.raises(ValueError, match="game: there is no 'chess'"):
        vl.compiled_agent(game="chess")


def test_it_travels_and_can_be_asked_without_the_compiler(rules: Any) -> None:
    rebuild, arguments = anything.__reduce__()
    again = rebuild(*arguments)
    assert (again.name, again.game) == ("anything", "vinci")
    assert seat_agents(rules, [again, "greedy", "greedy"])[0].code == OWN
    assert anything(None, None, 0, np.array([0, 1, 1], np.uint8), 3) == 2
