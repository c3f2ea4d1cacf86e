"""The same games give the same digest, however the work is shared out, and a second process compiles nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vinci_lab as vl
from vinci_lab.engine import entries
from vinci_lab.engine.chance import game_key
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, new_record
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.simulation import chunks
from vinci_lab.simulation.seats import seat_agents

GAMES = 24 if JIT else 3
MIXED = ("greedy", "random", "greedy:noise=0.3", "greedy", "random", "greedy:denial=1")

# What 200 games of seed 7 come to, and the ruleset they were played with. A digest changes only with the game's
# `version` (games/vinci/game.py) or with the data files: when the same seed gives other games, raise the version, add a
# line to CHANGES.md, and write here what the test found.
GOLDEN_VERSION = 1
GOLDEN_RULESET = "5568fa05f2370fc2"
GOLDEN = {"greedy": "395aaf8c271b4407d294604c2aae79e1", "random": "d3ee4f2e82d0272348f6033facb54da4"}

DIGESTS = """
import vinci_lab as vl
from tests.test_determinism import MIXED, play
for players in {players}:
    for agents in (MIXED[:players], "random"):
        print(play(vl.ruleset("vinci", players=players), agents, games={games}))
"""
COUNT_COMPILATIONS = """
import gc
import vinci_lab as vl
from numba.core.dispatcher import Dispatcher
from vinci_lab.simulation import driver
vl.simulate(vl.ruleset("vinci", players=4), games=2, n_jobs=2, chunk=1, progress=False)
vl.simulate(vl.ruleset("vinci", players=5), [lambda view: view.legal_actions()[0], *["greedy"] * 4], 1, progress=False)
kernels = [one for one in gc.get_objects() if isinstance(one, Dispatcher)]
misses = sum(sum(one.stats.cache_misses.values()) for one in kernels)
print(len(driver.play_games.signatures), sum(driver.play_games.stats.cache_hits.values()), misses)
"""


@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=4)


@pytest.fixture(scope="module")
def digest(rules: Any) -> str:
    return play(rules)


def play(rules: Any, agents: Any = MIXED[:4], games: int = GAMES, n_jobs: int = 1, **options: Any) -> str:
    return str(vl.simulate(rules, agents, games=games, seed=11, n_jobs=n_jobs, progress=False, **options).digest)


def digests(players: tuple[int, ...], games: int) -> list[str]:
    """Return what ``DIGESTS`` prints in another process."""
    each = [vl.ruleset("vinci", players=number) for number in players]
    return [play(rules, agents, games) for rules in each for agents in (MIXED[: rules.players], "random")]


def take_the_last(view: Any) -> int:
    return int(view.legal_actions()[-1])


class Script:
    """A Python agent that plays the actions it is given, in their order."""

    def __init__(self, actions: list[int]) -> None:
        self._left = list(actions)

    def __call__(self, view: Any) -> int:
        return self._left.pop(0)


# However the work is shared out -------------------------------------------------------------------------------------
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("chunk", [1, 7, GAMES])
def test_digest_is_the_same_for_any_number_of_jobs_and_games_per_task(
    rules: Any, digest: str, n_jobs: int, chunk: int
) -> None:
    assert play(rules, n_jobs=n_jobs, chunk=chunk) == digest


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("agents", ["greedy", "random", "mixed"])
def test_digest_is_the_same_for_any_number_of_seats_and_any_agents(players: int, agents: str) -> None:
    rules, seated = vl.ruleset("vinci", players=players), MIXED[:players] if agents == "mixed" else agents
    assert play(rules, seated, n_jobs=2, chunk=5) == play(rules, seated)


def test_digest_is_the_same_from_processes_as_from_threads(rules: Any, digest: str) -> None:
    assert play(rules, n_jobs=2, chunk=5, backend="threading") == digest
    assert play(rules, n_jobs=2, chunk=5, backend="loky") == digest


def test_python_agents_give_the_same_digest_in_processes_as_in_this_one(rules: Any) -> None:
    agents = [take_the_last, "greedy", "random", "greedy"]
    here = play(rules, agents, games=4)
    assert play(rules, agents, games=4, n_jobs=2, chunk=1) == here
    assert play(rules, agents, games=4, n_jobs=2, chunk=3, backend="threading") == here


# Whatever the process -----------------------------------------------------------------------------------------------
def test_digest_does_not_depend_on_the_hash_seed(run_python: Callable[..., str]) -> None:
    program = DIGESTS.format(players=(3, 5), games=GAMES)
    printed = {run_python("-c", program, PYTHONHASHSEED=seed) for seed in ("0", "1")}
    assert printed == {"\n".join(digests((3, 5), GAMES))}


@pytest.mark.compiled
def test_digest_is_the_same_with_the_compiler_off(run_python: Callable[..., str]) -> None:
    plain = run_python("-c", DIGESTS.format(players=(3, 6), games=1), VINCI_LAB_JIT="0")
    assert plain.split() == digests((3, 6), 1)


@pytest.mark.compiled
def test_a_second_process_compiles_nothing(run_python: Callable[..., str], rules: Any) -> None:
    play(rules, "greedy", games=1)
    play(rules, [take_the_last, "greedy", "greedy", "greedy"], games=1)
    signatures, loaded, compiled = map(int, run_python("-c", COUNT_COMPILATIONS).split())
    assert (signatures, loaded, compiled) == (1, 1, 0)


# Whatever else is played or recorded --------------------------------------------------------------------------------
@pytest.mark.parametrize("agents", ["random", MIXED[:4]])
def test_a_game_is_the_same_game_whatever_the_number_of_games(rules: Any, agents: Any) -> None:
    long = vl.simulate(rules, agents, games=GAMES, seed=11, n_jobs=1, progress=False)
    for table in ("games", "turns", "holdings", "offers"):
        few = getattr(vl.simulate(rules, agents, games=2, seed=11, n_jobs=1, progress=False), table)
        assert few.equals(getattr(long, table).query("game < 2")), table


@pytest.mark.parametrize("agents", ["greedy", "random", MIXED[:4]])
def test_games_are_the_same_whether_recorded_or_not(rules: Any, agents: Any) -> None:
    ends = []
    for is_on in (True, False):
        job = chunks.Job.of(rules, seat_agents(rules, agents), 11, is_on)
        table, buffer = chunks.Table(job), chunks.Buffer(job)
        assert table.play_compiled(buffer, 0, GAMES) == GAMES
        assert bool(buffer.rows.used.any()) is is_on
        ends.append((int(buffer.rows.actions), table._work[0].tobytes()))
    assert ends[0] == ends[1]
    assert ends[0][0] > 100 * GAMES


@pytest.mark.parametrize("scripted", [(0, 1, 2, 3), (1,), (0, 2)])
def test_python_agents_that_choose_as_compiled_ones_do_play_the_same_game(
    rules: Any, scripted: tuple[int, ...]
) -> None:
    names = ["greedy", "random", "greedy", "random"]
    job = chunks.Job.of(rules, seat_agents(rules, names), 11, True)
    for game in (0, 1):
        actions = chunks.actions_of(job, game)
        scripts = {seat: Script([action for actor, action in actions if actor == seat]) for seat in scripted}
        seated = seat_agents(rules, [scripts.get(seat, name) for seat, name in enumerate(names)])
        replay = chunks.Job.of(rules, seated, 11, True)
        compiled, replayed = (chunks.play_chunk(one, game, 1)[2] for one in (job, replay))
        for table in compiled:
            for column in set(compiled[table]) - {"agent"}:
                assert np.array_equal(compiled[table][column], replayed[table][column]), (table, column)
        assert not any(script._left for script in scripts.values())


def test_games_of_a_run_begin_with_different_tiles(rules: Any) -> None:
    number = 300 if JIT else 40
    trays = {tray_of(rules, game_key(11, game)) for game in range(number)}
    assert len(trays) == number
    assert len({tray[:4] for tray in trays}) > 0.95 * number  # of 26 ** 4 ways to draw four kinds
    assert trays.isdisjoint(tray_of(rules, game_key(12, game)) for game in range(number))


def tray_of(rules: Any, key: int) -> tuple[int, ...]:
    """Return the kinds of the twelve tiles drawn in the set-up of a game."""
    state, events, drawn = new_record(at.STATE), new_record(EVENTS), []
    entries.begin_game(rules.tables, state, key)
    while not entries.deciders(rules.tables, state):
        drawn.append(int(entries.draw_chance(rules.tables, state, state.key)))
        entries.apply_action(rules.tables, state, CHANCE, drawn[-1], events)
    return tuple(outcome - at.A_DRAW for outcome in drawn if outcome >= at.A_DRAW)


# From version to version --------------------------------------------------------------------------------------------
@pytest.mark.compiled
@pytest.mark.parametrize("agents", list(GOLDEN))
def test_the_games_of_a_seed_change_only_with_the_games_version(rules: Any, agents: str) -> None:
    assert rules.hash == GOLDEN_RULESET, "the data files give another ruleset; write its hash and its games here"
    runs = vl.simulate(rules, agents, games=200, seed=7, n_jobs=1, progress=False)
    columns = ["game", "seat", "turn_order", "score", "turns", "earned", "conquests", "kills", "decisions"]
    rows = runs.games[columns].to_csv(index=False, lineterminator="\n")
    found = hashlib.blake2b(rows.encode(), digest_size=16).hexdigest()
    assert rules.definition.version == GOLDEN_VERSION, f"write here that {agents} now gives {found}"
    assert found == GOLDEN[agents], "seed 7 gives other games: raise the game's version, and write here what they are"
