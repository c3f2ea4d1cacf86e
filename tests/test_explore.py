"""Looking at runs without a browser: filters, what stands out, files, changes of the rules, and what-if."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow.parquet
import pytest

import vinci_lab as vl
from vinci_lab.analysis.compare import compare_metrics
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.simulation.store import Runs
from vinci_lab.widgets.changes import Changes, numbers_of
from vinci_lab.widgets.explore import Explore
from vinci_lab.widgets.saving import packed, save_rows
from vinci_lab.widgets.selection import Explored, Filters, outliers
from vinci_lab.widgets.views import means_by, safe
from vinci_lab.widgets.what_if import TIGHTEST, WhatIf

pytestmark = pytest.mark.slow_without_jit
HOSTILE = "<img src=x onerror=alert(1)> $\\frac{1}{2"


@pytest.fixture(scope="module")
def rules() -> Ruleset:
    return vl.ruleset("vinci", players=3)


@pytest.fixture(scope="module")
def runs(rules: Ruleset) -> Runs:
    return vl.simulate(rules, ["greedy", "random", "random"], games=30, seed=7, progress=False)


@pytest.fixture(scope="module")
def explored(runs: Runs) -> Explored:
    return Explored.of(runs)


def test_without_filters_every_row_passes(explored: Explored, runs: Runs) -> None:
    for table in ("games", "turns", "holdings", "offers"):
        assert len(explored.chosen(table, Filters())) == len(getattr(runs, table))


def test_filters_on_seats_agents_and_rounds_are_what_they_say(explored: Explored) -> None:
    chosen = explored.chosen("turns", Filters(seats=frozenset({0, 1}), agents=frozenset({"random"}), rounds=(2, 4)))
    everything = explored.table("turns")
    kept = (everything["seat"] == 1) & everything["round"].between(2, 4)
    assert chosen.index.equals(everything[kept].index)
    assert len(chosen)


def test_a_filter_on_a_tile_finds_who_held_it_in_every_table(explored: Explored, runs: Runs) -> None:
    lives = runs.holdings
    tile = str(lives["first_tile"].iloc[0])
    filters = Filters(kinds=frozenset({tile}))
    held = lives[(lives["first_tile"] == tile) | (lives["second_tile"] == tile)]
    assert len(explored.chosen("holdings", filters)) == len(held)
    seats = set(held[["game", "seat"]].itertuples(index=False, name=None))
    games = explored.chosen("games", filters)
    assert set(games[["game", "seat"]].itertuples(index=False, name=None)) == seats
    turns = explored.chosen("turns", filters)
    lived = set(held[["game", "seat", "holding"]].itertuples(index=False, name=None))
    assert set(turns[["game", "seat", "holding"]].itertuples(index=False, name=None)) <= lived
    offers = explored.chosen("offers", filters)
    assert ((offers["first_tile"] == tile) | (offers["second_tile"] == tile)).all()


def test_several_runs_are_told_apart_by_their_numbers_of_players(runs: Runs) -> None:
    four = vl.simulate(vl.ruleset("vinci", players=4), games=5, seed=7, progress=False)
    both = Explored.of([runs, four])
    assert list(both.runs) == ["3 players", "4 players"]
    assert len(both.chosen("games", Filters(runs=frozenset({"4 players"})))) == 20
    assert len(both.table("games")) == 30 * 3 + 5 * 4


def test_no_run_is_a_sentence() -> None:
    with pytest.raises(ValueError, match="there is no run to look at"):
        Explored.of([])


def test_what_stands_out_is_farthest_from_the_middle() -> None:
    frame = pd.DataFrame({"points": [5, 6, 5, 6, 95, 5, -80, 6]})
    found = outliers(frame, "points", most=3)
    assert list(found["points"][:2]) == [95, -80]
    assert found["unusual"].iloc[0] > 0 > found["unusual"].iloc[1]


@pytest.mark.parametrize("values", [[], [3], [4, 4, 4], [4, 4, 4, 4, 9]])
def test_what_stands_out_in_odd_tables_is_a_number(values: list[int]) -> None:
    found = outliers(pd.DataFrame({"points": np.array(values, np.int64)}), "points")
    assert len(found) == len(values)
    assert np.isfinite(found["unusual"]).all()


def test_means_take_a_game_as_the_unit(explored: Explored) -> None:
    turns = explored.table("turns")
    table = means_by(turns, "points_active", "agent").set_index("group")
    assert table.loc["greedy", "estimate"] == pytest.approx(
        turns.loc[turns["agent"] == "greedy", "points_active"].mean()
    )
    assert table.loc["greedy", "games"] == 30
    assert (table["low"] < table["estimate"]).all()


def test_a_single_game_has_a_mean_and_no_limits(explored: Explored) -> None:
    turns = explored.table("turns")
    table = means_by(turns[turns["game"] == 3], "points_active", "agent")
    assert table["estimate"].notna().all()
    assert table["low"].isna().all()


def test_the_widget_follows_its_filters_and_says_when_no_row_passes(runs: Runs, tmp_path: Path) -> None:
    shown = Explore(Explored.of(runs), tmp_path)
    everything = shown._count.value
    shown._lists["agent"].children[1].value = ("greedy",)
    assert shown._count.value != everything
    shown._lists["seat"].children[1].value = (1,)  # seat 1 is random
    assert "<b>0</b> of" in shown._count.value
    assert "no row passes these filters" in shown._figure.value
    assert shown._rows.rows == []
    shown.clear()
    assert shown._count.value == everything


def test_a_row_opens_its_game_at_its_turn(runs: Runs, tmp_path: Path) -> None:
    shown = Explore(Explored.of(runs), tmp_path)
    shown._table.value, shown._column.value = "holdings", "points_active"
    shown.open_row(0)
    [replayed] = shown._below.children
    row = shown._shown.iloc[0]
    turns = runs.turns.query("game == @row.game and seat == @row.seat and holding == @row.holding")
    assert replayed.film.origin == f"seed 7, game {row['game']}"
    assert replayed.position.turn == turns["turn"].min()


def test_rows_are_saved_as_csv_and_parquet_with_where_they_come_from(explored: Explored, tmp_path: Path) -> None:
    rows = explored.chosen("games", Filters(seats=frozenset({1})))
    path, link = save_rows(rows, tmp_path / "new", "games_chosen", "csv", {})
    assert len(pd.read_csv(path)) == 30
    assert 'download="games_chosen.csv"' in link
    path, _ = save_rows(rows, tmp_path / "new", "games_chosen", "parquet", {"seats": [1]})
    assert json.loads(pyarrow.parquet.read_schema(path).metadata[b"vinci_lab"]) == {"seats": [1]}
    assert pd.read_parquet(path)["score"].tolist() == rows["score"].tolist()


def test_a_saved_cell_is_no_formula_and_another_kind_of_file_is_a_sentence() -> None:
    rows = pd.DataFrame({"name": ["=1+1"]})
    assert b"'=1+1" in packed(rows, "csv", {})
    with pytest.raises(ValueError, match="must be one of csv, parquet"):
        packed(rows, "xlsx", {})


def test_names_in_figures_are_no_formulas_and_no_markup(runs: Runs, tmp_path: Path) -> None:
    content = runs.rules.replace({"tiles.weapons.title": HOSTILE.replace("\\", "")})
    assert content.hash != runs.rules.hash
    assert safe("a$b\\c\n") == "a\\$b\\\\c\ufffd"
    shown = Explore(Explored.of({HOSTILE: runs, "b": runs}), tmp_path)
    shown._group.value = "run"
    shown.open_row(0)
    for text in (shown._figure.value, shown._said.value):
        assert "<img" not in text
    assert "&lt;img" in shown._figure.value


# Changes of the rules -------------------------------------------------------------------------------------------------


def test_every_listed_number_is_a_place_the_rules_know(rules: Ruleset) -> None:
    listed = numbers_of(rules)
    assert listed["rules"]["rules.victory_threshold"] == 150
    assert listed["tiles.weapons"]["tiles.weapons.tokens"] == 3
    assert not any(
        place.endswith("_low") or place.startswith("provenance") for part in listed.values() for place in part
    )
    for part in ("rules", "rules.base_cost", "tiles.weapons"):
        for place, value in listed[part].items():
            assert rules.replace({place: value}) == rules, place


def test_changes_are_taken_over_told_and_taken_back(rules: Ruleset) -> None:
    changes = Changes(rules)
    changes.set("tiles.agriculture.tokens", 2.0)
    changes.set("rules.victory_threshold", 100)
    assert changes.words == ["tiles.agriculture.tokens: 3 → 2", "rules.victory_threshold: 150 → 100"]
    assert changes.changed == rules.replace({"tiles.agriculture.tokens": 2, "victory_threshold": 100})
    assert "2 to 3 is possible" in " ".join(changes.assumed)
    changes.set("rules.victory_threshold", 150)
    assert list(changes.made) == ["tiles.agriculture.tokens"]


def test_a_change_that_is_not_allowed_is_a_sentence_and_changes_nothing(rules: Ruleset) -> None:
    changes = Changes(rules)
    with pytest.raises(DataError, match="tokens"):
        changes.set("tiles.weapons.tokens", -400)
    assert changes.made == {}


# What if --------------------------------------------------------------------------------------------------------------


def test_what_if_is_the_comparison_of_whole_runs(rules: Ruleset) -> None:
    other = rules.replace({"victory_threshold": 100})
    what_if = WhatIf(rules, other, games=150, chunk=40)
    assert list(what_if.run()) == [40, 80, 120, 150]
    whole = [vl.game_metrics(vl.simulate(one, games=150, seed=7, progress=False)) for one in (rules, other)]
    expected = compare_metrics(*whole, tightest=150)
    pd.testing.assert_frame_equal(what_if.table(), expected)


def test_its_intervals_grow_tighter_and_do_not_depend_on_how_many_games_were_asked_for(rules: Ruleset) -> None:
    other = rules.replace({"victory_threshold": 100})
    few, many = WhatIf(rules, other, games=TIGHTEST, chunk=150), WhatIf(rules, other, games=10**7, chunk=150)
    for what_if in (few, many):
        for played in what_if.run():
            if played >= 300:
                what_if.stop()
    sequence = few.sequence("rounds")
    widths = (sequence["high"] - sequence["low"]).to_numpy()
    assert widths[-1] < 0.8 * widths[0]
    assert sequence["n"].iloc[0] == 100
    pd.testing.assert_frame_equal(sequence, many.sequence("rounds"))
    assert many.is_stopped


def test_it_plays_in_the_background_and_is_stopped_half_way(rules: Ruleset) -> None:
    what_if = WhatIf(rules, rules.replace({"victory_threshold": 100}), games=10**6, chunk=20)
    enough = threading.Event()
    what_if.start(lambda: enough.set() if what_if.played >= 40 else None)
    assert enough.wait(120)
    what_if.stop()
    what_if.wait(60)
    assert not what_if.is_running
    assert 40 <= what_if.played < 10**6
    assert len(what_if.table())


def test_rules_that_are_the_same_never_differ(rules: Ruleset) -> None:
    what_if = WhatIf(rules, rules, games=100, chunk=50)
    assert what_if.table().empty
    assert what_if.sequence("rounds").empty
    list(what_if.run())
    table = what_if.table()
    assert (table["estimate"] == 0).all()
    assert table["decided_at"].isna().all()


def test_an_agent_that_fails_is_a_sentence_and_not_a_dead_thread(rules: Ruleset) -> None:
    def broken(view: object) -> int:
        raise KeyError("oh")

    what_if = WhatIf(rules, rules, games=10, agents=broken, chunk=5)
    what_if.start()
    what_if.wait(60)
    assert "oh" in what_if.error


def test_rules_for_other_numbers_of_seats_cannot_be_compared(rules: Ruleset) -> None:
    with pytest.raises(ValueError, match="the same number of seats, got 3 and 4"):
        WhatIf(rules, vl.ruleset("vinci", players=4))
