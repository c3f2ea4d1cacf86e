"""Pace and drama: against plain loops over the tables, and on games invented so that the answer is known."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import vinci_lab as vl
from vinci_lab.analysis import pace, plots, plots_balance, rates

TABLES: list[Callable[..., pd.DataFrame]] = [
    pace.score_fans,
    pace.lead_change_rounds,
    pace.comebacks,
    pace.decline_times,
]


def invented(scores: list[list[list[int]]]) -> Any:
    """Return games of two seats or more from their scores: game, round, seat."""
    games, turns = [], []
    for game, table in enumerate(scores):
        final = table[-1]
        won = [one == max(final) for one in final]
        for seat, score in enumerate(final):
            fixed = {"turn_order": seat, "rounds": len(table), "turns": len(table), "is_stalled": 0, "agent": "x"}
            games.append({"game": game, "seat": seat, "score": score, "win_share": won[seat] / sum(won)} | fixed)
        for number, row in enumerate(table, start=1):
            turns += [
                {"game": game, "round": number, "seat": seat, "score_after": score, "kind": "play"}
                for seat, score in enumerate(row)
            ]
    return SimpleNamespace(games=pd.DataFrame(games), turns=pd.DataFrame(turns))


@pytest.fixture(scope="module")
def runs() -> vl.Runs:
    return vl.simulate(vl.ruleset("vinci", players=4), games=300, seed=5, progress=False)


def test_a_lead_that_changes_in_every_second_game_is_a_half() -> None:
    games = invented([[[1, 2], [3, 2]], [[1, 2], [1, 3]]])
    table = pace.lead_change_rounds(games)
    assert table[["round", "estimate", "n"]].to_numpy().tolist() == [[2, 0.5, 2]]
    low, high = rates.wilson(1, 2)
    assert (table["low"][0], table["high"][0]) == pytest.approx((low, high))


def test_a_tied_lead_stays_the_old_leaders() -> None:
    table = pace.lead_change_rounds(invented([[[1, 2], [3, 3], [4, 5], [6, 5]]]))
    assert list(table["estimate"]) == [0, 0, 1]


def test_who_is_behind_wins_as_often_as_it_happened() -> None:
    games = invented([[[10, 4], [12, 14]], [[10, 4], [14, 5]], [[10, 4], [14, 14]], [[4, 4], [6, 9]]])
    table = pace.comebacks(games).set_index("deficit_from")
    assert table.loc[6, "estimate"] == pytest.approx((1 + 0 + 0.5) / 3)
    assert (table.loc[6, "deficit_to"], table.loc[6, "n"], table.loc[6, "seats"]) == (10, 3, 3)
    assert table.loc[0, "estimate"] == pytest.approx((0 + 1 + 0.5 + 0 + 1) / 5)
    assert (table.loc[0, "n"], table.loc[0, "seats"]) == (4, 5)


def test_fans_are_the_scores_by_final_place() -> None:
    games = invented([[[1, 2], [9, 5]], [[3, 2], [4, 8]]])
    table = pace.score_fans(games).set_index(["rank", "round"])
    assert table.loc[(1, 1), "estimate"] == 1.5
    assert table.loc[(1, 2), "estimate"] == 8.5
    assert table.loc[(2, 2), ["q05", "q50", "q95"]].tolist() == [4, 4, 5]


@pytest.mark.slow_without_jit
def test_the_shares_of_declines_add_up(runs: vl.Runs) -> None:
    table = pace.decline_times(runs)
    turns = runs.turns
    declines = turns[turns["kind"] == "decline"]
    first = declines.drop_duplicates(["game", "seat"])
    of_first = table[table["number"] == 1].set_index("round")
    assert of_first["estimate"].sum() == pytest.approx(len(first) / (300 * 4))
    assert of_first.loc[2, "estimate"] == pytest.approx((first["round"] == 2).sum() / (300 * 4))
    assert table["estimate"].sum() == pytest.approx(len(declines) / (300 * 4))
    assert set(table["n"]) == {300}


@pytest.mark.slow_without_jit
def test_fans_and_comebacks_agree_with_the_final_scores(runs: vl.Runs) -> None:
    fans = pace.score_fans(runs)
    assert fans[fans["round"] == 1]["n"].max() == 300
    back = pace.comebacks(runs)
    by_round = (back["estimate"] * back["seats"]).groupby(back["round"]).sum()
    reached = runs.games.drop_duplicates("game")["rounds"].to_numpy()
    assert by_round.to_dict() == pytest.approx({one: float((reached > one).sum()) for one in by_round.index})


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("make", TABLES)
def test_batches_give_the_same_table(make: Callable[..., pd.DataFrame], monkeypatch: pytest.MonkeyPatch) -> None:
    runs = vl.simulate(vl.ruleset("vinci", players=3), games=1_200, seed=2, progress=False)
    whole = make(runs)
    monkeypatch.setattr(pace, "batches", lambda runs: runs.batches(500))
    pd.testing.assert_frame_equal(make(runs), whole)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("make", TABLES)
def test_three_games_give_a_table_with_intervals_where_there_is_more_than_one(
    make: Callable[..., pd.DataFrame],
) -> None:
    runs = vl.simulate(vl.ruleset("vinci", players=4), games=3, seed=2, progress=False)
    table = make(runs)
    assert len(table)
    assert table.loc[table["n"] > 1, ["estimate", "low", "high"]].notna().all(axis=None)


def test_intervals_allow_for_seats_that_depend_on_one_another() -> None:
    """All seats of a game alike: as wide as one seat each."""
    rng = np.random.default_rng(1)
    games = [[[0, 0, 0], [one, one, one]] for one in rng.integers(1, 3, 80).tolist()]
    alike = invented(games)
    alike.turns["kind"] = pd.Categorical(np.where(alike.turns["score_after"] == 2, "decline", "play"))
    row = pace.decline_times(alike).iloc[0]
    low, high = rates.wilson(row["estimate"] * 80, 80)
    assert (row["low"], row["high"]) == pytest.approx((low, high))


def test_what_is_not_allowed_is_said_in_a_sentence() -> None:
    games = invented([[[1, 2], [3, 2]]])
    with pytest.raises(ValueError, match="width: must be a whole number of points of at least 1, got 0"):
        pace.comebacks(games, width=0)
    with pytest.raises(ValueError, match="kind: there is no 'decline'; choose from play"):
        pace.decline_times(games)
    with pytest.raises(ValueError, match="level: must lie between 0 and 1"):
        pace.score_fans(games, level=95)


@pytest.mark.slow_without_jit
def test_every_table_is_drawn_with_named_axes(runs: vl.Runs) -> None:
    draws: list[Callable[[Any], Any]] = [
        lambda ax: plots_balance.fans(pace.score_fans(runs), ax),
        lambda ax: plots_balance.shares_by_round(pace.lead_change_rounds(runs), ax, "games whose lead changes"),
        lambda ax: plots_balance.shares_by_round(pace.decline_times(runs), ax, "seats that decline", by="number"),
        lambda ax: plots_balance.comeback_map(pace.comebacks(runs), ax),
    ]
    for draw in draws:
        figure, ax = plots.new_figure()
        draw(ax)
        assert ax.get_xlabel()
        assert ax.get_ylabel()
        assert plots.svg(figure, "pace", "Pace").startswith("<svg")
