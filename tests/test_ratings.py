"""Ratings against closed forms and naive computations, and the ladder against its promises."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import vinci_lab as vl
from vinci_lab.analysis import ratings, tuning

rng = np.random.default_rng(7)


def table(rankings: list[list[tuple[str, int]]], seeds: list[int] | None = None) -> pd.DataFrame:
    """Return a ladder's table from the agent and rank of each seat, game by game."""
    rows = []
    for game, seats in enumerate(rankings):
        winners = sum(rank == 1 for _, rank in seats)
        for seat, (agent, rank) in enumerate(seats):
            seed = game if seeds is None else seeds[game]
            rotation = 0 if seeds is None else game % max(1, seeds.count(seed))
            share = 1 / winners if rank == 1 else 0.0
            rows.append((seed, rotation, seat, agent, -rank, rank, share))
    return pd.DataFrame(rows, columns=["game", "rotation", "seat", "agent", "score", "rank", "win_share"])


def drawn(weights: dict[str, float], number: int) -> list[list[tuple[str, int]]]:
    """Return rankings drawn from the model."""
    rankings = []
    for _ in range(number):
        times = {agent: rng.exponential(1 / weight) for agent, weight in weights.items()}
        order = sorted(times, key=lambda agent: times[agent])
        rankings.append([(agent, order.index(agent) + 1) for agent in weights])
    return rankings


# Strengths ----------------------------------------------------------------------------------------------------------
def test_strengths_of_two_agents_are_the_logarithm_of_their_odds() -> None:
    games = table([[("a", 1), ("b", 2)]] * 70 + [[("a", 2), ("b", 1)]] * 30)
    found = ratings.strengths(games, shrinkage=0.0).set_index("agent")
    assert found.loc["a", "estimate"] - found.loc["b", "estimate"] == pytest.approx(math.log(7 / 3), abs=1e-9)
    assert found["first"].to_dict() == pytest.approx({"a": 0.7, "b": 0.3})
    half = 1.959964 * math.sqrt(1 / 70 + 1 / 30) / 2  # of half the log-odds, by the delta method
    assert found.loc["a", "high"] - found.loc["a", "estimate"] == pytest.approx(half, rel=0.01)


def test_a_tie_of_two_is_half_an_order_each_way() -> None:
    games = table([[("a", 1), ("b", 1)]] * 40 + [[("a", 1), ("b", 2)]] * 30 + [[("a", 2), ("b", 1)]] * 30)
    assert ratings.strengths(games)["estimate"].abs().max() < 1e-9


def test_the_strengths_of_drawn_rankings_are_found_and_covered() -> None:
    truth = {"a": 4.0, "b": 2.0, "c": 1.0, "d": 0.5}
    logs = np.log(list(truth.values()))
    found = ratings.strengths(table(drawn(truth, 4_000)))
    assert found["estimate"].to_numpy() == pytest.approx(logs - logs.mean(), abs=0.06)
    assert ((found["low"] < logs - logs.mean()) & (logs - logs.mean() < found["high"])).sum() >= 3
    assert found["first"].to_numpy() == pytest.approx(np.array(list(truth.values())) / 7.5, abs=0.02)


def log_likelihood(games: pd.DataFrame, theta: dict[str, float]) -> float:
    """Return the model's log-likelihood by going through every order of every game."""
    total = 0.0
    for _, game in games.groupby("game"):
        ranks, agents = game["rank"].tolist(), game["agent"].tolist()
        likelihoods = []
        for order in itertools.permutations(range(len(ranks))):
            if any(ranks[one] > ranks[other] for one, other in itertools.pairwise(order)):
                continue
            weights = [math.exp(theta[agents[seat]]) for seat in order]
            likelihoods.append(math.prod(weight / sum(weights[place:]) for place, weight in enumerate(weights)))
        total += math.log(sum(likelihoods) / len(likelihoods))
    return total


def test_no_other_strengths_make_rankings_with_ties_and_repeated_agents_likelier() -> None:
    games = table(
        [
            [("a", 1), ("b", 2), ("b", 2), ("c", 4)],
            [("b", 1), ("a", 2), ("c", 3), ("b", 4)],
            [("a", 1), ("c", 1), ("b", 1), ("b", 4)],
            [("c", 1), ("b", 2), ("a", 3), ("b", 3)],
            [("a", 1), ("b", 2), ("c", 3), ("b", 4)],
        ]
    )
    found = ratings.strengths(games, shrinkage=0.0).set_index("agent")["estimate"].to_dict()
    best = log_likelihood(games, found)
    for agent, change in itertools.product(found, (-0.02, 0.02)):
        assert log_likelihood(games, {**found, agent: found[agent] + change}) < best


def test_an_agent_that_always_wins_has_a_finite_strength_and_a_wide_interval() -> None:
    found = ratings.strengths(table([[("a", 1), ("b", 2)]] * 50)).set_index("agent")
    assert np.isfinite(found.select_dtypes(float)).all().all()
    assert found.loc["a", "low"] < found.loc["a", "estimate"] - 0.5


def test_rotations_of_a_seed_count_once() -> None:
    games = drawn({"a": 2.0, "b": 1.0}, 200)
    alone = ratings.strengths(table(games))
    seeds = [seed for seed in range(200) for _ in range(4)]
    copied = ratings.strengths(table([games[seed] for seed in seeds], seeds))
    assert copied["n"].tolist() == alone["n"].tolist() == [200, 200]
    assert copied["high"].to_numpy() == pytest.approx(alone["high"].to_numpy(), abs=0.005)


# Shares and matrix --------------------------------------------------------------------------------------------------
def test_shares_and_matrix_are_those_of_a_plain_count() -> None:
    games = table(drawn({"a": 3.0, "b": 1.0, "c": 1.0}, 300))
    shares = ratings.win_shares(games).set_index("agent")
    assert shares["estimate"].to_dict() == games.groupby("agent")["win_share"].mean().to_dict()
    assert (shares["par"] == 1 / 3).all()
    assert shares["estimate"].sum() == pytest.approx(1)
    ranks = games.pivot(index="game", columns="agent", values="rank")
    for row in ratings.win_matrix(games).itertuples():
        assert row.estimate == pytest.approx((ranks[row.agent] < ranks[row.opponent]).mean())
        assert row.low < row.estimate < row.high


def test_several_seats_of_an_agent_are_averaged_over() -> None:
    games = table([[("a", 1), ("b", 2), ("b", 3)], [("a", 2), ("b", 1), ("b", 2)]])
    matrix = ratings.win_matrix(games).set_index(["agent", "opponent"])["estimate"]
    assert matrix["a", "b"] == pytest.approx((1 + (0 + 0.5) / 2) / 2)
    shares = ratings.win_shares(games).set_index("agent")
    assert shares["seats"].to_dict() == {"a": 1, "b": 2}
    assert shares["estimate"].to_dict() == {"a": 0.5, "b": 0.25}


# The ladder ---------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def rules() -> Any:
    return vl.ruleset("vinci", players=3, map="lagoon").replace({"victory_threshold": 25})


def climb(rules: Any, agents: Any, games: int = 12, **options: Any) -> vl.Ladder:
    return vl.ladder(rules, agents, games=games, seed=5, progress=False, **({"n_jobs": 1} | options))


def test_every_agent_plays_every_seat_as_often_on_the_same_draws(rules: Any) -> None:
    climbed = climb(rules, "greedy,random,greedy:noise=1")
    assert climbed.rotations == 3
    assert (climbed.games.groupby(["agent", "seat"]).size() == 4).all()
    for rotation, seats in climbed.games.groupby("rotation"):
        agents = seats[seats["game"] == 0].sort_values("seat")["agent"].tolist()
        moved = ["greedy", "random", "greedy:noise=1"]
        assert agents == moved[-rotation:] + moved[:-rotation] if rotation else moved
        alone = vl.simulate(rules, agents, games=4, seed=5, n_jobs=1, progress=False)
        assert alone.games["score"].tolist() == seats["score"].tolist()


def test_like_seatings_are_played_once(rules: Any) -> None:
    assert climb(rules, "greedy,random,random", 3).rotations == 3
    assert climb(rules, ["greedy"] * 3, 3).rotations == 1
    assert len(climb(rules, "greedy,random,random", 4).games) == 6 * 3  # rounded up to two of each rotation


@pytest.mark.slow_without_jit
def test_a_ladder_is_the_same_to_the_last_digit_whatever_the_number_of_jobs(rules: Any) -> None:
    one, two = (climb(rules, "search:rollouts=8,greedy,random", 30, n_jobs=jobs) for jobs in (1, 2))
    for name in ("games", "shares", "matrix", "strengths"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name), check_exact=True)


def test_a_python_function_climbs_the_ladder(rules: Any) -> None:
    def first_come(view: Any) -> int:
        return int(view.legal_actions(view.viewer)[0])

    climbed = climb(rules, [first_come, "greedy", first_come], 3)
    assert climbed.shares["agent"].tolist() == ["first_come", "greedy"]
    assert climbed.shares["seats"].tolist() == [2, 1]


def test_tables_and_figure_are_written(rules: Any, tmp_path: Path) -> None:
    climbed = climb(rules, "greedy,random,greedy:noise=1")
    climbed.save(tmp_path / "ladder")
    assert {path.name for path in (tmp_path / "ladder").iterdir()} == {
        *(f"{name}.csv" for name in ("games", "shares", "matrix", "strengths")),
        "ladder.svg",
    }
    assert (tmp_path / "ladder" / "ladder.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "greedy" in repr(climbed)
    assert len(climbed.figure().axes) == 2


@pytest.mark.parametrize(
    ("agents", "games", "sentence"),
    [
        ("greedy,random", 6, "agents: a ladder needs one for each of the 3 seats, got 2"),
        ("greedy,random,random", 0, "games: must be an integer of at least 1, got 0"),
        ("greedy,greddy,random", 6, "agents: there is no 'greddy'"),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_sentence(rules: Any, agents: str, games: int, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        climb(rules, agents, games)


# Tuning -------------------------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
def test_tuning_finds_the_same_parameters_again_and_stores_them(rules: Any, tmp_path: Path) -> None:
    runs = [tuning.tune(rules, steps=3, games=4, confirm=6, seed=2, n_jobs=jobs, progress=False) for jobs in (1, 2)]
    assert runs[0].to_toml("tuned") == runs[1].to_toml("tuned")
    assert runs[0].history["step"].tolist() == [0, 1, 2]
    assert "noise" not in runs[0].parameters
    path = tmp_path / "agents.toml"
    for name in ("tuned", "other", "tuned"):
        tuning.write_stored(path, name, runs[0].to_toml(name))
    import tomllib

    stored = tomllib.loads(path.read_text(encoding="utf-8"))
    assert set(stored) == {"tuned", "other"}
    assert stored["tuned"]["parameters"] == dict(runs[0].parameters)


@pytest.mark.slow_without_jit
def test_tuning_leaves_a_policy_that_is_hurt_on_purpose(rules: Any) -> None:
    """From a hopeless margin against declining, the search moves back towards declining."""
    found = tuning.tune(
        rules, "greedy:active_decay=2", steps=60, games=60, confirm=1_500, seed=1, n_jobs=2, progress=False
    )
    assert found.share.low > 1 / 3


def test_an_unknown_parameter_to_keep_is_refused(rules: Any) -> None:
    with pytest.raises(ValueError, match="keep: there is no parameter 'speed'"):
        tuning.tune(rules, steps=0, kept=["speed"], progress=False)


def test_stored_parameters_say_how_they_were_found() -> None:
    import tomllib

    from tests.conftest import ROOT
    from vinci_lab.games.vinci.heuristics_worth import PARAMETERS

    stored = tomllib.loads((ROOT / "data" / "vinci" / "agents.toml").read_text(encoding="utf-8"))["tuned"]
    assert stored["command"].startswith("vinci-lab tune vinci --players 4")
    assert set(stored["parameters"]) == {parameter.name for parameter in PARAMETERS} - {"noise"}
