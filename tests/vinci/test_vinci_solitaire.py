"""Solitaire and two-player games: the table, what binds an automaton, and whole games."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vinci_lab as vl
from tests.vinci import automaton
from tests.vinci.invariants import Game, pick
from tests.vinci.scenario import Scenario, rules_for
from vinci_lab.agents.compiled import AUTOMATON, think
from vinci_lab.conformance import check_game
from vinci_lab.engine import entries
from vinci_lab.engine.chance import word
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import PLAN, new_record
from vinci_lab.engine.ruleset import DataError
from vinci_lab.games.vinci import rules_layout as layout
from vinci_lab.simulation import driver
from vinci_lab.simulation.reopen import open_game
from vinci_lab.simulation.store import Runs

GAMES = 300 if JIT else 1


def simulate(rules: Any, agents: Any = "greedy", games: int = GAMES, **options: Any) -> Any:
    return vl.simulate(rules, agents, games=games, seed=3, progress=False, **{"n_jobs": 1, **options})


# The table ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2])
def test_real_players_and_automata_take_four_seats_and_play_to_150_points(players: int) -> None:
    """Principle, Start of the Game, Choosing a Civilization."""
    rules = rules_for(players)
    tables = rules.tables
    assert (rules.players, rules.seats, tables.seats) == (players, 4, 4)
    assert tables.automata == {1: 0b1110, 2: 0b1100}[players]
    assert tables.victory_threshold == 150
    assert (tables.token_bonus, tables.automaton_token_bonus) == (6, 8)
    assert (tables.start_score, tables.automaton_start_score) == (10, 10)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_larger_games_have_no_automata(players: int) -> None:
    rules = rules_for(players)
    assert (rules.seats, rules.tables.automata) == (players, 0)


def test_red_numbers_and_six_tokens_for_a_real_player_and_eight_for_an_automaton() -> None:
    """Case 65: 8 + Agriculture 3 + Messages 5 are 16."""
    for seat, tokens in ((0, 14), (1, 16)):
        game = Scenario(1).tray(("agriculture", "messages")).turn(seat).do("decline", "choose I")
        assert game.hand(seat) == tokens


def test_the_difficulty_is_raised_by_points_and_tokens() -> None:
    """Increasing the Difficulty: 15 points instead of 10, nine or more tokens."""
    options = {"automaton_start_score": 15, "automaton_token_bonus": 9}
    game = Scenario(2, options).tray(("agriculture", "messages"))
    assert [game.score(seat) for seat in range(4)] == [10, 10, 15, 15]
    assert game.turn(3).do("decline", "choose I").hand(3) == 17
    assert game.audit() == 0
    games = simulate(vl.ruleset("vinci", 1).replace(options), games=3).games
    starts = games["score"] - games["earned"] + games["paid"] - games["received"]
    assert (starts == np.where(games["agent"] == "automaton", 15, 10)).all()


def test_the_number_of_automata_is_data_within_the_seats_of_the_table() -> None:
    small = vl.ruleset("vinci", 1).replace({"automata": 1})
    assert (small.seats, small.tables.automata) == (2, 0b10)
    for number in (0, 6):
        with pytest.raises(DataError, match="automata"):
            vl.ruleset("vinci", 1).replace({"automata": number})
    with pytest.raises(DataError, match=r"3 players and automata take 2 to 6 seats, got 4"):
        vl.ruleset("vinci", 3).replace({"automata": 4})


# Turn order ---------------------------------------------------------------------------------------------------------


def orders(players: int, keys: int) -> Counter[tuple[int, ...]]:
    """Return how often which seats play in which order."""
    rules, found = rules_for(players), Counter[tuple[int, ...]]()
    for key in range(keys):
        game = Scenario(players, key=word(key, 1, 2, 3))
        while game.phase() == "start_seat":
            game._apply(CHANCE, entries.draw_chance(rules.tables, game.state, game.state.key))
        order = [int(game.state.start_seat)]
        while len(order) < rules.seats:
            order.append(int(game.state.seat_after[order[-1]]))
        assert int(game.state.seat_after[order[-1]]) == order[0]
        assert game.state.turn_seat == order[0]
        found[tuple(order)] += 1
    return found


def test_the_turn_order_is_random() -> None:
    """Start of the Game: all 24 orders are equally likely, so two real players need not sit side by side."""
    number = 2_400 if JIT else 240
    found = orders(2, number)
    if not JIT:
        assert len(found) > 20
        return
    assert len(found) == 24
    assert sum((times - 100) ** 2 / 100 for times in found.values()) < 45  # chi-square, 23 degrees: p about 0.004


def test_without_automata_turns_go_clockwise() -> None:
    assert set(orders(4, 60)) == {(0, 1, 2, 3), (1, 2, 3, 0), (2, 3, 0, 1), (3, 0, 1, 2)}


def test_chance_offers_the_seats_that_are_not_drawn_yet() -> None:
    game = Scenario(1)
    game.is_chance_automatic = False
    for seat, left in ((2, {0, 1, 3}), (0, {1, 3})):
        game.do(f"start {seat}")
        assert game.legal() == {f"start {other}" for other in left}
    game.do("start 3")
    assert game.phase() == "draw"  # the last one is known
    assert [int(game.state.seat_after[seat]) for seat in (2, 0, 3, 1)] == [0, 3, 1, 2]
    assert [(row["seat"], row["after"]) for row in game.found("seat_follows")] == [(0, 2), (3, 0)]


def test_a_game_follows_its_turn_order_in_choosing_playing_and_placing() -> None:
    rules = rules_for(2)
    position = vl.new_position(rules, seed=8, auto_chance=False)
    for word_ in ("seat 1 is next in turn order", "seat 3 is next in turn order", "seat 0 is next in turn order"):
        position.apply(word_)
    while position.is_chance:
        position.apply(position.drawn_outcome())
    assert position.seat == 1
    chosen = []
    while position.turn == 0 and position.state.choices_made < 4:
        chosen.append(position.seat)
        position.apply("choose pair I")
        while position.is_chance:
            position.apply(position.drawn_outcome())
    assert chosen == [1, 3, 0, 2]
    assert position.text() == vl.new_position(rules, seed=8).__class__.from_text(rules, position.text()).text()
    assert "turn order: seat 1, seat 3, seat 0, seat 2\n" in position.text()


def test_a_text_with_an_impossible_turn_order_is_refused() -> None:
    position = vl.new_position(rules_for(1), seed=8)
    right = next(row for row in position.text().splitlines() if row.startswith("turn order"))
    for wrong in ("seat 0, seat 1, seat 2", "seat 0, seat 1, seat 2, seat 2", "seat 0, seat 1, seat 2, seat 4"):
        with pytest.raises(DataError, match="is not a turn order; allowed: seat 0, seat 1, seat 2, seat 3, each once"):
            type(position).from_text(position.rules, position.text().replace(right, f"turn order: {wrong}"))


def test_a_turn_order_that_is_no_circle_is_impossible() -> None:
    position = vl.new_position(rules_for(1), seed=8)
    position.state.seat_after[:4] = 1, 0, 3, 2
    assert any(sentence.startswith("turn order: ") for sentence in position.status())
    assert type(position).from_text(position.rules, position.text()) == position


# What binds an automaton, whoever plays it -------------------------------------------------------------------------


def test_an_automaton_never_empties_a_province() -> None:
    game = Scenario(1).civ(1, "barbarians", "port").own(1, {"Poland": 5, "Volga": 1}).turn(1).do("play on")
    assert game.phase() == "conquest"
    real = Scenario(1).civ(0, "barbarians", "port").own(0, {"Poland": 5}).turn(0).do("play on")
    assert real.legal("abandon") == {"Poland"}


def test_cohesion_does_not_bind_an_automaton_but_binds_a_real_player() -> None:
    land = {"South Spain": 2, "Aquitaine": 3, "Volga": 1}
    game = Scenario(1).civ(1, "barbarians", "slavery").own(1, land).conquest(1).do("end conquest").finish()
    assert game.empire(1) == set(land)
    assert game.scored(1)["total"] == 3
    assert game.audit() == 0
    real = Scenario(1).civ(0, "barbarians", "slavery").own(0, land).conquest(0).do("end conquest")
    assert real.legal() == {"keep South Spain", "keep Aquitaine", "keep Volga"}


def test_an_automaton_short_of_tokens_may_give_up_any_province() -> None:
    land = {"Volga": 1, "East Ukraine": 1, "Muscovy": 1}
    game = Scenario(1).civ(1, "field_general", "barbarians").own(1, land).conquest(1)
    game.do("conquer Urals", "conquer Caucasus")
    assert game.phase() == "drop"
    assert game.legal("drop") == game.empire(1)


def test_contact_and_peace_bind_an_automaton_like_everybody() -> None:
    game = Scenario(1).civ(1, "barbarians", "port", hand=9).own(1, {"Volga": 1}).in_decline(1, ["Muscovy"])
    game.own(0, {"East Ukraine": 1})
    game.state.peace[0] = 1 << 1
    game.conquest(1)
    assert "East Ukraine" not in game.reach()
    assert game.do("conquer Urals").old_empire(1) == set()


def test_an_automaton_is_offered_the_first_pair_alone() -> None:
    game = Scenario(1).points(1, 60).points(0, 60)
    assert game.turn(1).do("decline").legal() == {"choose I"}
    real = Scenario(1).points(0, 60).turn(0).do("decline")
    assert len(real.legal("choose")) == 6


# Who plays ----------------------------------------------------------------------------------------------------------


def test_agents_name_the_real_players_and_automata_play_the_rest() -> None:
    rules = vl.ruleset("vinci", 2).replace({"victory_threshold": 20})
    assert simulate(rules, "greedy", 1).agents == ("greedy", "greedy", "automaton", "automaton")
    assert simulate(rules, "greedy,random", 1).agents == ("greedy", "random", "automaton", "automaton")
    named = ["random", "automaton", "greedy", "automaton"]
    assert list(simulate(rules, named, 1).agents) == named
    with pytest.raises(ValueError, match=r"each of the 4, or one for each player, 2, got 3"):
        simulate(rules, "greedy,greedy,greedy", 1)
    with pytest.raises(ValueError, match="automaton takes no parameters"):
        simulate(rules, "automaton:horizon=2", 1)


def test_a_python_agent_plays_against_automata() -> None:
    def first_come(view: Any) -> int:
        return int(view.legal_actions(view.viewer)[0])

    games = simulate(vl.ruleset("vinci", 1).replace({"victory_threshold": 25}), first_come, 2).games
    assert games["agent"].tolist() == ["first_come", "automaton", "automaton", "automaton"] * 2


def test_the_automaton_plays_at_an_ordinary_seat_under_ordinary_rules() -> None:
    """Its tokens are those of the seat, and where its empire has fallen apart the part with most points stays."""
    game = Scenario(4).civ(1, "mining", "slavery").own(1, {"South Spain": 2, "Aquitaine": 3, "Poland": 1})
    game.conquest(1).do("end conquest")
    assert automaton.answers(game, range(20)).keys() == {"keep Poland"}
    rules = vl.ruleset("vinci", 4).replace({"victory_threshold": 60})
    runs = simulate(rules, "automaton,greedy,automaton,random", 20 if JIT else 1)
    holdings = runs.holdings[runs.holdings["seat"] == 0]
    red = {name: tile["tokens"] for name, tile in rules.content["tiles"].items() if name != "specialization"}
    plain = holdings[holdings["first_tile"].isin(red) & holdings["second_tile"].isin(red)]
    expected = plain["first_tile"].map(red).astype(int) + plain["second_tile"].map(red).astype(int) + 6
    assert (plain["tokens"] == expected).all()
    assert set(holdings["slot"]) == {0}


def test_the_dice_follow_from_game_seat_and_turn_and_from_nothing_else() -> None:
    """The same question in the same position has the same answer, however many decisions were taken before it."""
    rules = rules_for(1)
    definition = rules.definition
    work, mask = driver.new_work(definition), driver.new_tools(definition)[0]
    policy = new_record(definition.policy_layout)
    game = Scenario(1).civ(1, "barbarians", "messages", hand=9).conquest(1)
    game.state.turn = 5

    def plans(key: int, number: int) -> tuple[int, ...]:
        plan = new_record(PLAN)
        think(rules.tables, game.state, work[1], work[2], AUTOMATON, 1, policy, key, number, mask, plan)
        return tuple(plan.actions[: plan.length])

    assert {plans(77, number) for number in range(50)} == {plans(77, 0)}
    assert len({plans(key, 0) for key in range(50)}) > 3


# Whole games --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "number"), [(1, 0), (2, 1), (1, 2), (2, 3)] if JIT else [(1, 0), (2, 1)])
def test_random_games_keep_every_invariant(players: int, number: int) -> None:
    """E9, with automaton seats free of cohesion; games 2 and 3 under random readings."""
    source = random.Random(number)
    readings = {name: source.choice(values) for name, values in layout.OPTIONS.items()} if number > 1 else {}
    game = Game(rules_for(players, None, tuple(sorted({**readings, "victory_threshold": 90}.items()))), key=number)
    for _ in range(3_000 if JIT else 400):
        if game.is_over:
            break
        game.apply(pick(game, source.randrange(1 << 30)))
    assert game.state.turn > 8


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("real", ["greedy", "automaton"])
def test_games_of_policies_keep_every_invariant(players: int, real: str) -> None:
    rules = rules_for(players, None, (("victory_threshold", 150 if JIT else 30),))
    for key in range(3 if JIT else 1):
        game = Game(rules, key=100 + key)
        policy, plan = rules.definition.policy(rules.tables), new_record(PLAN)
        view, scratch = new_record(layout.STATE), new_record(layout.STATE)
        while not game.is_over:
            seat = game.decider
            if seat == CHANCE:
                game.apply(game.drawn())
                continue
            entries.observe(rules.tables, game.state, seat, view)
            asked = entries.suggest if seat < players and real == "greedy" else entries.follow_rulebook
            asked(rules.tables, view, scratch, seat, policy, word(key, 5, seat, int(game.state.turn)), plan)
            game.apply(int(plan.actions[0]))
        assert game.state.is_last_round


@pytest.mark.parametrize("options", [{"automata": 1}, {"automata": 5}, {"survivors_first": "yes", "must_enter": "yes"}])
def test_other_tables_and_readings_conform(options: dict[str, Any]) -> None:
    rules = vl.ruleset("vinci", 1, map="lagoon").replace({**options, "victory_threshold": 60 if JIT else 20})
    assert check_game(rules, games=2 if JIT else 1, seed=4, every=7 if JIT else 60) > 30


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("players", [1, 2])
def test_a_seed_gives_the_same_tables_however_the_work_is_shared(players: int) -> None:
    rules = vl.ruleset("vinci", players)
    runs = simulate(rules)
    assert runs.digest == simulate(rules, n_jobs=2, chunk=7).digest
    assert runs.digest != simulate(rules, "automaton").digest
    transcript = open_game(runs, 11)
    assert transcript.verify() is None
    assert list(transcript.result["scores"]) == runs.games[runs.games["game"] == 11]["score"].tolist()


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("players", [1, 2])
def test_no_game_stalls_and_automata_do_as_the_rulebook_says(players: int) -> None:
    runs = simulate(vl.ruleset("vinci", players))
    games, holdings, offers = runs.games, runs.holdings, runs.offers
    assert not games["is_stalled"].any()
    assert (games.groupby("game")["score"].max() >= 150).all()
    automata = games["seat"] >= players
    assert set(games["agent"][automata]) == {"automaton"}
    assert not games["paid"][automata].any()
    assert set(holdings[holdings["seat"] >= players]["slot"]) == {0}
    assert (offers[offers["seat"] >= players]["is_legal"] == (offers[offers["seat"] >= players]["slot"] == 0)).all()
    assert games["received"][automata].any() or players == 1


@pytest.mark.slow_without_jit
def test_more_tokens_make_the_automata_stronger() -> None:
    usual = simulate(vl.ruleset("vinci", 1)).games
    harder = simulate(vl.ruleset("vinci", 1).replace({"automaton_token_bonus": 11, "automaton_start_score": 15})).games
    assert harder[harder["seat"] == 0]["win_share"].mean() < usual[usual["seat"] == 0]["win_share"].mean()


@pytest.mark.slow_without_jit
def test_a_run_of_solitaire_games_is_stored_reported_and_made_again(tmp_path: Path) -> None:
    from vinci_lab.reporting import write_study
    from vinci_lab.reporting.origin import origin_of

    runs = simulate(vl.ruleset("vinci", 1), out=tmp_path / "tables", transcripts=1)
    assert Runs.open(tmp_path / "tables").digest == runs.digest
    assert vl.load_transcript(tmp_path / "tables" / "transcripts" / "game_000000.jsonl").verify() is None
    page = write_study(runs, tmp_path / "study", further=0)
    assert "4 seats, played by greedy, automaton" in page.read_text(encoding="utf-8")
    assert "--players 1" in origin_of(runs).command
    assert "--agents greedy,automaton,automaton,automaton" in origin_of(runs).command
    assert origin_of(runs).is_exact
