"""Three designs of a study of tiles: what they find is checked against planted effects, null games and statsmodels."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import vinci_lab as vl
from tests.conftest import ROOT
from tests.test_analysis import TILES, invented_runs
from vinci_lab.analysis import effects, tiles
from vinci_lab.analysis import tile_rows as rows
from vinci_lab.analysis.forked import forked_effects
from vinci_lab.analysis.seat_model import SeatModel, contrast_of
from vinci_lab.engine import entries
from vinci_lab.engine.records import copy_record
from vinci_lab.games.vinci import dealing, rules_layout

pytestmark = pytest.mark.slow_without_jit
ALIKE = {"tokens": 3, **{name: 0 for name in rules_layout.MODIFIER_NAMES if name != "tokens"}}
REPLICATES = 100


def four_players() -> Any:
    return vl.ruleset("vinci", players=4)


def all_alike(rules: Any) -> Any:
    """Return rules in which tiles differ by nothing but their names."""
    names = rules.content["tiles"]
    changes = {f"tiles.{name}.{column}": value for name in names for column, value in ALIKE.items()}
    ranges = {f"tiles.{name}.tokens_{end}": 3 for name in names for end in ("low", "high")}
    return rules.replace(changes | ranges)


def alarms_allowed(tests: int, rate: float = 0.05, level: float = 0.999) -> tuple[int, int]:
    low, high = stats.binom.interval(level, tests, rate)
    return int(low), int(high)


# Playing


def test_forks_do_not_depend_on_how_the_work_is_shared_out() -> None:
    rules = four_players()
    one, two = (vl.fork(rules, games=30, seed=3, n_jobs=jobs, progress=False) for jobs in (1, 2))
    fewer = vl.fork(rules, games=10, seed=3, n_jobs=1, progress=False)
    assert one.equals(two)
    assert one[one["game"] < 10].equals(fewer)


@pytest.mark.parametrize("agents", ["greedy", "random,greedy", "search:rollouts=4,greedy,greedy,greedy"])
def test_the_branch_with_the_tile_that_was_chosen_is_the_game_as_it_was_played(agents: str) -> None:
    rules = four_players().replace({"victory_threshold": 60})
    if agents == "random,greedy":
        agents = "random,greedy,random,greedy"
    games = 8 if "search" in agents else 40
    forks = vl.fork(rules, agents, games=games, seed=5, progress=False)
    played = vl.simulate(rules, agents, games=games, seed=5, progress=False)
    own = forks[forks["thing"] == forks["replaced"]].merge(played.games, on=["game", "seat"])
    assert len(own) == games
    assert (own["score_x"] == own["score_y"]).all()
    assert own["win_share_x"].to_numpy() == pytest.approx(own["win_share_y"].to_numpy())


def test_an_assigned_tile_leaves_every_copy_in_one_place() -> None:
    position = vl.new_position(four_players(), seed=4)
    seat, tables, done = position.deciders[0], position.rules.tables, 0
    for slot in position.legal_actions(seat):
        for place in range(2):
            for kind in range(int(tables.kinds)):
                state = copy_record(position.state)
                things = np.zeros(8, np.int64)
                entries.holding_of(tables, state, seat, slot, things)
                before = things[:2].copy()
                if entries.assign_holding(tables, state, seat, slot, place, kind):
                    assert entries.audit(tables, state) == 0
                    entries.holding_of(tables, state, seat, slot, things)
                    before[place] = kind
                    assert things[:2].tolist() == before.tolist()
                    done += 1
    assert done > 250


@pytest.mark.parametrize("agents", ["greedy", "random", "search:rollouts=4"])
def test_dealt_civilizations_come_by_the_chances_of_the_bag(agents: str) -> None:
    games = 12 if "search" in agents else 600
    runs = vl.simulate(dealing.dealt(four_players()), agents, games=games, seed=2, progress=False)
    assert (runs.holdings["price"] == 0).all()
    assert (runs.holdings["coins"] == 0).all()
    seats = rows.seats_of(runs)
    lives = rows.lives_of(runs, seats.frame, [*rows.LIFE, rows.MOMENT, *rows.BAG])
    columns = {name: lives.frame[name].to_numpy() for name in ("game", "seat", rows.MOMENT, *rows.BAG)}
    columns |= {name: lives.codes[:, place] for place, name in enumerate(rows.PAIR)}
    doubling = dealing.doubling(runs.rules)
    expected = dealing.expected(runs.rules, columns, seats.frame["turn_order"].to_numpy()[lives.row])
    surprise = rows.held_by_life(lives, doubling.astype(float)) - expected
    assert np.abs(surprise[:, doubling == 0].sum(axis=1)).max() < 1e-9
    worst = np.abs(surprise.mean(axis=0)) / (surprise.std(axis=0) / np.sqrt(len(surprise)))
    assert worst.max() < stats.norm.isf(0.0005 / 26)


def test_chances_are_refused_where_seats_choose() -> None:
    runs = vl.simulate(four_players(), games=3, seed=2, progress=False)
    with pytest.raises(ValueError, match="pairs must be dealt"):
        tiles.dealt_effects(runs)


def test_a_position_of_a_dealt_game_survives_its_text_and_is_possible() -> None:
    position = vl.new_position(dealing.dealt(four_players()), seed=8)
    for _ in range(60):
        if position.is_over:
            break
        position.apply(position.legal_actions()[0])
        assert position.status() == []
        assert vl.Position.from_text(position.rules, position.text()) == position


# Arguments


def test_the_three_designs_answer_with_the_same_first_columns() -> None:
    first = None
    for design in tiles.DESIGNS:
        table = vl.tile_study(four_players(), design, games=60, seed=1, progress=False)
        assert len(table) == 26
        assert set(table["design"]) == {design}
        assert table["estimate"].notna().all()
        assert ((table["low"] < table["estimate"]) & (table["estimate"] < table["high"])).all()
        columns = list(table.columns[:10])
        assert first in (None, columns)
        first = columns
        assert tiles.ESTIMANDS[design]
        assert tiles.INTERFERENCE[design]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"design": "randomised"}, "design: must be one of market, randomized, forked, got 'randomised'"),
        ({"games": 3}, "games: 3 are too few to tell the tiles apart; play at least 52"),
        ({"games": 0}, "games: must be an integer of at least 1, got 0"),
        ({"level": 95}, "level: must lie between 0 and 1"),
        ({"design": "forked", "agents": lambda view: 0}, "branches are played by compiled agents"),
    ],
)
def test_what_cannot_be_studied_is_refused_in_a_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        vl.tile_study(four_players(), **{"games": 100, "progress": False, **arguments})


# The regressions


def test_the_market_model_is_statsmodels_with_a_dummy_for_every_game() -> None:
    sm = pytest.importorskip("statsmodels.api")
    runs = invented_runs(5, games=150, effect={"axes": 4.0})
    found = effects.tile_effects(runs).set_index("tile").loc[list(TILES)]
    games = runs.games
    held = np.zeros((len(games), 6))
    for column in ("first_tile", "second_tile"):
        row = runs.holdings["game"].to_numpy() * 4 + runs.holdings["seat"].to_numpy()
        np.add.at(held, (row, runs.holdings[column].cat.codes.to_numpy()), 1.0)
    places = (games["turn_order"].to_numpy()[:, None] == np.arange(1, 4)).astype(float)
    dummies = (games["game"].to_numpy()[:, None] == np.arange(150)).astype(float)
    contrast = np.zeros((6, 6 + 3 + 150))
    contrast[:, :6] = np.eye(6) - held.sum(axis=0) / held.sum()
    for outcome, scale, name in (("score", 1.0, "estimate"), ("win_share", 0.75, "win_effect")):
        fit = sm.OLS(games[outcome].to_numpy(float), np.hstack([held, places, dummies])).fit(
            cov_type="cluster", cov_kwds={"groups": games["game"].to_numpy(), "use_correction": False}
        )
        errors = np.sqrt(np.diag(contrast @ fit.cov_params() @ contrast.T) * 150 / 149) * scale
        assert found[name].to_numpy() == pytest.approx(contrast @ fit.params * scale)
        high = found["high" if name == "estimate" else f"{name}_high"]
        assert (high - found[name]).to_numpy() == pytest.approx(stats.norm.ppf(0.975) * errors)


def test_the_effect_on_the_lead_is_statsmodels_on_what_a_seat_and_the_others_hold() -> None:
    sm = pytest.importorskip("statsmodels.api")
    runs = invented_runs(6, games=200, effect={"axes": 4.0})
    found = effects.tile_effects(runs).set_index("tile").loc[list(TILES)]
    seats = rows.seats_of(runs)
    lives = rows.lives_of(runs, seats.frame, rows.LIFE)
    held = rows.by_seat(rows.held_by_life(lives, np.zeros(6)), lives, True, seats.order.shape)
    others = (held.sum(axis=1, keepdims=True) - held).reshape(-1, 6)
    held = held.reshape(-1, 6)
    places = (seats.order.reshape(-1, 1) == np.arange(1, 4)).astype(float)
    scores = seats.frame["score"].to_numpy().reshape(-1, 4)
    lead = [row[seat] - np.delete(row, seat).max() for row in scores for seat in range(4)]
    fit = sm.OLS(np.array(lead, float), sm.add_constant(np.hstack([held, others, places]))).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(200), 4), "use_correction": False}
    )
    contrast = np.zeros((6, len(fit.params)))
    contrast[:, 1:7] = np.eye(6) - held.sum(axis=0) / held.sum()
    assert found["lead"].to_numpy() == pytest.approx(contrast @ fit.params, abs=0.02)
    errors = np.sqrt(np.diag(contrast @ fit.cov_params() @ contrast.T) * 200 / 199)
    assert (found["lead_high"] - found["lead"]).to_numpy() == pytest.approx(1.95996 * errors, rel=0.01)


def test_the_forked_model_is_statsmodels_with_a_dummy_for_every_fork() -> None:
    sm = pytest.importorskip("statsmodels.api")
    forks = vl.fork(four_players(), games=60, seed=9, progress=False)
    doubling = dealing.doubling(four_players())
    found = forked_effects(forks, doubling)
    thing, partner = (forks[name].cat.codes.to_numpy() for name in ("thing", "partner"))
    design = np.zeros((len(forks), 26))
    for row, (mine, other) in enumerate(zip(thing, partner, strict=True)):
        design[row, mine] += 1 + doubling[other]
        design[row, other] += 1 + doubling[mine]
    dummies = (forks["game"].to_numpy()[:, None] == forks["game"].unique()).astype(float)
    kept = np.flatnonzero(doubling == 0)[:-1]  # without one tile, against which the others are measured
    doubler = int(np.flatnonzero(doubling)[0])
    used = [*kept, doubler]
    fit = sm.OLS(forks["lead"].to_numpy(), np.hstack([design[:, used], dummies])).fit(
        cov_type="cluster", cov_kwds={"groups": forks["game"].to_numpy(), "use_correction": False}
    )
    last = int(np.flatnonzero(doubling == 0)[-1])
    difference = found["lead"].to_numpy()[kept] - found["lead"][last]
    assert difference == pytest.approx(fit.params[: len(kept)], abs=1e-6)


def test_a_rate_is_points_over_turns_against_that_of_all_holdings() -> None:
    runs = vl.simulate(four_players(), games=200, seed=4, progress=False)
    found = vl.tile_effects(runs).set_index("tile").loc["mining"]
    lives = runs.holdings
    mine = lives[(lives["first_tile"] == "mining") | (lives["second_tile"] == "mining")]
    for name, points, turns in (
        ("rate_active", ["points_active", "points_kills"], "turns_active"),
        ("rate_decline", ["points_decline"], "turns_decline"),
    ):
        rate = [frame[points].to_numpy().sum() / frame[turns].sum() for frame in (mine, lives)]
        assert found[name] == pytest.approx(rate[0] - rate[1])
        draws = []
        rng = np.random.default_rng(1)
        sums = [
            frame.assign(points=frame[points].sum(axis=1))
            .groupby("game")[["points", turns]]
            .sum()
            .reindex(range(200), fill_value=0)
            .to_numpy()
            for frame in (mine, lives)
        ]
        for _ in range(400):
            again = rng.integers(0, 200, 200)
            one, all_of_them = (part[again].sum(axis=0) for part in sums)
            draws.append(one[0] / one[1] - all_of_them[0] / all_of_them[1])
        half = (found[f"{name}_high"] - found[f"{name}_low"]) / 2
        assert half == pytest.approx(1.96 * np.std(draws), rel=0.2)


def test_a_doubled_partner_counts_twice() -> None:
    codes = np.array([[0, 2], [2, 1], [0, 1]])
    lives = rows.Lives(codes, np.arange(3), pd.DataFrame())
    assert rows.held_by_life(lives, np.array([0.0, 0.0, 1.0])).tolist() == [[2, 0, 1], [0, 2, 1], [1, 1, 0]]


def test_intervals_of_early_and_late_holdings_and_of_win_shares_cover_what_was_planted() -> None:
    covered = {"early": 0, "late": 0, "estimate": 0}
    for seed in range(REPLICATES):
        runs = planted_early(seed)
        found = effects.tile_effects(runs).set_index("tile").loc["corn"]
        for name, truth in (("early", 6.0), ("late", 2.0)):
            covered[name] += found[f"{name}_low"] <= truth * 5 / 6 <= found[f"{name}_high"]
        covered["estimate"] += found["low"] <= 4.0 * 5 / 6 + 0.05 and found["high"] >= 4.0 * 5 / 6 - 0.05
    low, high = alarms_allowed(REPLICATES)
    assert all(low <= REPLICATES - number <= high for number in covered.values()), covered


def planted_early(seed: int) -> Any:
    """Return invented runs in which corn is worth 6 points when obtained early and 2 points late."""
    runs = invented_runs(seed, games=150)
    rng = np.random.default_rng(seed)
    early = rng.random(len(runs.holdings)) < 0.5
    runs.holdings["round"] = np.where(early, 1, 9)
    has = (runs.holdings["first_tile"] == "corn") | (runs.holdings["second_tile"] == "corn")
    worth = (
        pd.Series(np.where(has, np.where(early, 6, 2), 0))
        .groupby([runs.holdings["game"].to_numpy(), runs.holdings["seat"].to_numpy()])
        .sum()
    )
    index = pd.MultiIndex.from_frame(runs.games[["game", "seat"]])
    runs.games["score"] += worth.reindex(index, fill_value=0).to_numpy()
    return SimpleNamespace(games=runs.games, holdings=runs.holdings, offers=runs.offers, turns=runs.turns)


# Planted effects and null games


def test_branches_of_tiles_that_are_all_alike_end_alike() -> None:
    """On common keys nothing is left to differ, so that the effects are 0 without error."""
    table = vl.tile_study(all_alike(four_players()), "forked", games=80, seed=6, progress=False)
    for name in ("estimate", "low", "high", "lead", "win_effect", "early", "late_high"):
        assert (table[name] == 0).all(), name
    assert (table["p_holm"] == 1).all()


def slices(design: str, replicates: int, games: int, seed: int = 6) -> list[Any]:
    """Return the models of many small studies of tiles that are all alike, cut out of one run."""
    rules = all_alike(four_players())
    rules = dealing.dealt(rules) if design == "randomized" else rules
    runs = vl.simulate(rules, games=replicates * games, seed=seed, progress=False)
    seats = rows.seats_of(runs)
    lives = rows.lives_of(runs, seats.frame, [*rows.LIFE, rows.MOMENT, *rows.BAG])
    amounts = held = rows.held_by_life(lives, np.zeros(26))
    if design == "randomized":
        columns = {name: lives.frame[name].to_numpy() for name in ("game", "seat", rows.MOMENT, *rows.BAG)}
        columns |= {name: lives.codes[:, place] for place, name in enumerate(rows.PAIR)}
        amounts = held - dealing.expected(rules, columns, seats.frame["turn_order"].to_numpy()[lives.row])
    amounts, held = (rows.by_seat(one, lives, True, seats.order.shape) for one in (amounts, held))
    found = []
    for begin in range(0, len(held), games):
        part = slice(begin, begin + games)
        model = SeatModel()
        model.add(amounts[part], seats.order[part], seats.outcomes[part])
        model.add_residuals(amounts[part], seats.order[part], seats.outcomes[part])
        number = held[part].sum(axis=(0, 1))
        found.append(model.effects(contrast_of(number, np.zeros(26)), number))
    return found


@pytest.mark.parametrize("design", ["market", "randomized"])
def test_tiles_that_are_all_alike_alarm_in_about_5_percent_of_tests(design: str) -> None:
    """Six tiles of each study, whose tests are nearly independent."""
    found = np.array([one.estimate[-6:] / one.error[-6:] for one in slices(design, REPLICATES, 300)])
    low, high = alarms_allowed(6 * REPLICATES)
    for place, outcome in enumerate(rows.OUTCOMES):
        alarms = int((np.abs(found[:, :, place]) > 1.96).sum())
        assert low <= alarms <= high, (outcome, alarms)


@pytest.mark.parametrize(
    "changes", [{"tiles.slavery.tokens": 4, "tiles.slavery.tokens_high": 4}, {"tiles.militia.vp_province": 1}]
)
def test_a_planted_effect_is_found_and_as_large_as_the_forks_say(changes: dict[str, Any]) -> None:
    rules = four_players()
    tile = next(iter(changes)).split(".")[1]
    contrast = {}
    for design, games in (("forked", 200), ("randomized", 1500), ("market", 1500)):
        found = [
            vl.tile_study(one, design, games=games, seed=8, progress=False).set_index("tile").loc[tile]
            for one in (rules, rules.replace(changes))
        ]
        error = np.hypot(*((one["high"] - one["low"]) / 2 / 1.96 for one in found))
        contrast[design] = found[1]["estimate"] - found[0]["estimate"], error
    truth, error = contrast["forked"]
    assert truth > 2.5 * error
    planted, own = contrast["randomized"]
    assert abs(planted - truth) < 3.3 * np.hypot(own, error)
    bought, own = contrast["market"]
    assert 0 < bought < truth + 3.3 * np.hypot(own, error)  # agents pay for it, and take it when it suits them less


# The command


def test_the_command_prints_and_writes_a_design(tmp_path: Path) -> None:
    out = tmp_path / "tiles.csv"
    command = [sys.executable, "-m", "vinci_lab.cli", "tiles", "vinci", "--design", "forked", "--games", "60"]
    done = subprocess.run([*command, "--out", str(out)], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mountaineering" in done.stdout
    assert tiles.INTERFERENCE["forked"] in done.stdout
    assert len(pd.read_csv(out)) == 26


# Drawings


def test_drawings_take_the_tables_and_name_their_axes() -> None:
    import matplotlib.pyplot as plt

    from vinci_lab.analysis import plots_tiles

    table = vl.tile_study(four_players(), games=60, seed=1, progress=False)
    figure, (left, right) = plt.subplots(1, 2)
    plots_tiles.designs(table, left)
    plots_tiles.picks(table, right)
    assert len(left.get_yticks()) == 26
    assert "points" in left.get_xlabel()
    assert len(right.texts) == 8
    plt.close(figure)
    with pytest.raises(ValueError, match="must hold one of the designs"):
        plots_tiles.designs(table.assign(design="other"), left)
