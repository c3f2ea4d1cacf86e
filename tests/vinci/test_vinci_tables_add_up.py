"""The recorded tables: equal to a second clerk's, and adding up among themselves."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pandas as pd
import pytest

import vinci_lab as vl
from tests.vinci.ledger import Ledger
from vinci_lab.engine.jit import JIT
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.measures_columns import ENDED_NAMES, OBTAINED_NAMES, TRIGGER_NAMES
from vinci_lab.simulation import chunks
from vinci_lab.simulation.seats import seat_agents

SEED = 5
RECOUNTED = 4 if JIT else 1  # games of each setting
GAMES = 60 if JIT else 1
KEY = ["game", "seat"]
SETTINGS: dict[str, dict[str, Any]] = {
    "greedy": {"agents": "greedy"},
    "random": {"agents": "random", "players": 3},
    "mixed": {"agents": "greedy,random,greedy,random,greedy", "players": 5},
    "first printing": {"agents": "greedy,greedy:noise=0.5,random,greedy,greedy,random", "players": 6, "bag": "first"},
    "wiped out": {
        **{"agents": "greedy:guard=-3,denial=3", "players": 6, "zero_token_rule": "auto", "victory_threshold": 200},
    },
    "other readings": {
        **{"agents": "random,greedy,greedy", "players": 3, "price_rule": "debt", "survivors_first": "yes"},
        **{
            "drop_tokens_lost": "yes",
            "keep_all_possible": "no",
            "return_before_draw": "no",
            "rebirth_start_too": "yes",
        },
        **{"specialization_doubles_decline": "yes", "fort_limit": "supply", "zero_token_rule": "auto"},
    },
    "few rounds": {"agents": "greedy", "rounds_limit": 5},
    "solitaire": {"agents": "greedy", "players": 1},
    "two players": {"agents": "greedy,random", "players": 2, "automaton_overruns": "yes", "zero_token_rule": "auto"},
    "small map": {"agents": "random", "players": 3, "map": "lagoon", "stall_rounds": 12},
}


class Setting:
    """A run of some games under one setting, and a second clerk's tables of its first games."""

    def __init__(self, name: str) -> None:
        changes = dict(SETTINGS[name])
        agents, players = changes.pop("agents"), changes.pop("players", 4)
        loading = {key: changes.pop(key) for key in ("map", "bag") if key in changes}
        self.rules = vl.ruleset("vinci", players=players, **loading).replace(changes)
        self.runs = vl.simulate(self.rules, agents, games=GAMES, seed=SEED, n_jobs=1, progress=False)
        self.job = chunks.Job.of(self.rules, seat_agents(self.rules, agents), SEED, True)
        self.first_games = chunks.play_chunk(self.job, 0, RECOUNTED)[2]
        played = [chunks.actions_of(self.job, game) for game in range(RECOUNTED)]
        self.ledgers = [Ledger(self.rules, SEED, game, actions) for game, actions in enumerate(played)]


@functools.cache
def setting_of(name: str) -> Setting:
    return Setting(name)


@pytest.fixture(scope="module", params=list(SETTINGS) if JIT else ["other readings", "few rounds", "solitaire"])
def setting(request: pytest.FixtureRequest) -> Setting:
    return setting_of(request.param)


@pytest.fixture(scope="module")
def runs(setting: Setting) -> Any:
    return setting.runs


# A second clerk -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("table", ["games", "turns", "holdings", "offers"])
def test_every_row_is_what_the_events_of_the_game_say(setting: Setting, table: str) -> None:
    order = {"games": KEY, "turns": ["game", "turn"], "holdings": [*KEY, "holding"]}.get(table, [])
    expected = pd.DataFrame([row for ledger in setting.ledgers for row in ledger.rows[table]])
    columns = setting.first_games[table]
    found = pd.DataFrame({name: values.astype(np.int64) for name, values in columns.items() if name != "agent"})
    if order:
        expected, found = (frame.sort_values(order, ignore_index=True) for frame in (expected, found))
    assert set(expected.columns) == set(found.columns)
    for column in found.columns:
        differing = expected[column].to_numpy() != found[column].to_numpy()
        shown = found[differing].head(3).assign(expected=expected.loc[differing, column].head(3))
        assert not differing.any(), f"{table}.{column}, {differing.sum()} of {len(found)} rows:\n{shown.T}"


def test_every_province_is_counted_as_the_events_of_the_games_say(setting: Setting) -> None:
    for name, values in setting.first_games["places"].items():
        if name != "province":
            expected = [sum(ledger.places[name][place] for ledger in setting.ledgers) for place in range(len(values))]
            assert values.tolist() == expected, name


@pytest.mark.slow_without_jit
def test_the_recounted_games_show_every_occasion_and_every_end() -> None:
    rows = [row for name in SETTINGS for ledger in setting_of(name).ledgers for row in ledger.rows["holdings"]]
    assert {row["obtained"] for row in rows} == set(range(len(OBTAINED_NAMES)))
    assert {row["ended"] for row in rows} == set(range(len(ENDED_NAMES)))
    games = [row for name in SETTINGS for ledger in setting_of(name).ledgers for row in ledger.rows["games"]]
    assert {row["trigger"] for row in games} == set(range(len(TRIGGER_NAMES)))


# Among themselves ---------------------------------------------------------------------------------------------------
def test_a_score_is_the_start_score_plus_points_less_prices_plus_coins(setting: Setting) -> None:
    games = setting.runs.games.astype({name: int for name in ("score", "earned", "paid", "received")})
    assert (games["score"] == setting.rules.tables.start_score + games.earned - games.paid + games.received).all()


def test_points_of_turns_and_of_holdings_sum_to_the_points_earned(runs: Any) -> None:
    columns = ["points_active", "points_kills", "points_decline"]
    earned = runs.games.set_index(KEY)["earned"].astype(int)
    for table in (runs.turns, runs.holdings):
        assert table.groupby(KEY)[columns].sum().sum(axis=1).astype(int).equals(earned.rename(None))


def test_prices_and_coins_of_holdings_are_those_of_the_seat(runs: Any) -> None:
    sums = runs.holdings.groupby(KEY)[["price", "coins"]].sum()
    assert sums["price"].tolist() == runs.games["paid"].tolist()
    assert sums["coins"].tolist() == runs.games["received"].tolist()


def test_each_turn_begins_with_the_score_the_one_before_ended_with(runs: Any) -> None:
    turns = runs.turns.sort_values(["game", "seat", "turn"])
    before = turns.groupby(KEY)["score_after"].shift()
    is_later = before.notna()
    assert is_later.any()
    assert (turns["score_before"][is_later] == before[is_later]).all()
    assert (turns["score_peak"] >= turns[["score_before", "score_after"]].max(axis=1)).all()


def test_turns_are_numbered_without_a_gap_and_seats_move_in_order(setting: Setting) -> None:
    games, turns = setting.runs.games, setting.runs.turns
    assert (turns["turn"] == turns.groupby("game").cumcount()).all()
    assert (turns["round"] == turns["turn"] // setting.rules.seats + 1).all()
    assert turns.groupby(KEY)["turn"].count().tolist() == games["turns"].tolist()
    assert (games["turns"] == games["rounds"]).all()
    order = games.set_index(KEY)["turn_order"].reindex(pd.MultiIndex.from_frame(turns[KEY]))
    assert (order.to_numpy() == turns["turn"].to_numpy() % setting.rules.seats).all()


def test_sums_over_turns_are_the_sums_of_the_game(runs: Any) -> None:
    sums = runs.turns.groupby(KEY)[["conquests", "kills"]].sum()
    assert sums["conquests"].tolist() == runs.games["conquests"].tolist()
    assert sums["kills"].tolist() == runs.games["kills"].tolist()
    declines = (runs.turns["kind"] != "play").groupby([runs.turns["game"], runs.turns["seat"]]).sum()
    assert declines.tolist() == runs.games["declines"].tolist()
    assert (runs.games["civilizations"] == runs.games["declines"] + 1).all()


def test_every_choice_takes_exactly_one_offer_that_the_seat_can_pay(runs: Any) -> None:
    taken = runs.offers.groupby([*KEY, "holding"])["is_taken"].sum()
    assert (taken == 1).all()
    assert len(taken) == len(runs.holdings)
    assert (runs.offers.loc[runs.offers["is_taken"] == 1, "is_legal"] == 1).all()
    assert (runs.offers.loc[runs.offers["slot"] == 0, ["price", "is_legal"]] == [0, 1]).all(axis=None)


def test_a_holding_is_the_offer_that_was_taken(runs: Any) -> None:
    columns = ["first_tile", "second_tile", "slot", "price", "coins", "tokens"]
    key = [*KEY, "holding"]
    offered = runs.offers[runs.offers["is_taken"] == 1].set_index(key)[columns].sort_index()
    assert runs.holdings.set_index(key)[columns].sort_index().equals(offered)


def test_holdings_follow_one_another_and_only_the_last_is_cut_short(runs: Any) -> None:
    holdings = runs.holdings.sort_values([*KEY, "holding"])
    groups = holdings.groupby(KEY)
    assert (holdings["holding"] == groups.cumcount()).all()
    is_last = holdings["holding"] == groups["holding"].transform("max")
    assert (holdings["is_censored"] == is_last).all()
    assert ((holdings["ended"] == "in play") == is_last).all()
    assert ((holdings["obtained"] == "set-up") == (holdings["holding"] == 0)).all()
    is_old = holdings["holding"] == groups["holding"].transform("max") - 1
    assert not (holdings["ended"] == "in decline")[~is_old].any()
    assert holdings["ended"][is_old].isin(["in decline", "lost"]).all()


def test_turns_of_holdings_are_the_turns_played_with_them_the_last_before_rebirth_included(runs: Any) -> None:
    played = runs.turns[runs.turns["kind"] != "decline"].groupby([*KEY, "holding"])["turn"].count()
    holdings = runs.holdings.set_index([*KEY, "holding"])["turns_active"].sort_index()
    assert holdings[holdings > 0].tolist() == played.sort_index().tolist()
    reborn = runs.turns.loc[runs.turns["kind"] == "rebirth", [*KEY, "holding"]]
    assert (holdings.loc[list(reborn.itertuples(index=False, name=None))] >= 1).all()


def test_points_need_turns_and_active_points_need_provinces(runs: Any) -> None:
    holdings = runs.holdings
    assert (holdings.loc[holdings["points_active"] > 0, "most_provinces"] > 0).all()
    assert (holdings.loc[holdings["points_decline"] > 0, "turns_decline"] > 0).all()
    most = runs.turns[runs.turns["kind"] == "play"].groupby([*KEY, "holding"])["provinces"].max()
    found = holdings.set_index([*KEY, "holding"])["most_provinces"].loc[most.index]
    assert (found >= most).all()


def test_provinces_count_all_conquests_turn_ends_and_points_but_those_for_kills(setting: Setting) -> None:
    places, games, turns = setting.runs.places, setting.runs.games, setting.runs.turns
    assert places["conquests"].sum() == games["conquests"].sum()
    assert (places["entries"] <= places["conquests"]).all()
    states = places[["turns_active", "turns_decline", "turns_neutral", "turns_empty"]]
    assert (states.sum(axis=1) == len(turns)).all()
    assert states["turns_active"].sum() >= turns["provinces"].sum() > 0
    assert places["income"].sum() == 2 * (games["earned"].sum() - turns["points_kills"].sum())


def test_bags_are_full_when_the_first_pair_is_drawn_and_never_hold_fewer_of_a_kind_than_are_drawn(
    setting: Setting,
) -> None:
    holdings, tables = setting.runs.holdings, setting.rules.tables
    copies = np.bincount(tables.kind_of[: tables.copies], minlength=at.KINDS)
    first, second = holdings["first_tile"].cat.codes.to_numpy(), holdings["second_tile"].cat.codes.to_numpy()
    assert holdings["bag"].between(1, tables.copies).all()
    assert holdings["bag_first"].between(1, copies[first]).all()
    assert holdings["bag_second"].between(1, copies[second]).all()
    is_first_pair = (holdings["bag"] == tables.copies).to_numpy()
    assert is_first_pair.any()
    assert (holdings["bag_first"].to_numpy() == copies[first])[is_first_pair].all()
    setup = holdings[holdings["obtained"] == "set-up"]
    assert set(setup["bag"]) <= set(range(tables.copies, tables.copies - 2 * (at.SLOTS + setting.rules.seats), -2))


def test_a_win_and_a_rank_follow_from_the_scores(runs: Any) -> None:
    games = runs.games
    best = games.groupby("game")["score"].transform("max")
    assert ((games["is_winner"] == 1) == (games["score"] == best)).all()
    assert (games.groupby("game")["is_winner"].transform("sum") == games["winners"]).all()
    assert (games["rank"] == games.groupby("game")["score"].rank(method="min", ascending=False)).all()


def test_the_end_of_a_game_is_what_its_highest_scores_say(setting: Setting) -> None:
    games, tables = setting.runs.games, setting.rules.tables
    peaks = games["game"].map(setting.runs.turns.groupby("game")["score_peak"].max())
    if tables.rounds_limit:
        assert (games["trigger"] == "rounds").all()
        assert (games["rounds"] == tables.rounds_limit).all()
    else:
        assert ((games["trigger"] == "threshold") == (peaks >= tables.victory_threshold)).all()
        assert ((games["trigger"] == "stalemate") == (games["is_stalled"] == 1)).all()
        assert (games["rounds"][games["is_stalled"] == 1] == tables.stall_rounds).all()
