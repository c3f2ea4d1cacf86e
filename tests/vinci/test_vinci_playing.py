"""What a person is offered in each phase of a turn, in the words of the rules."""

from __future__ import annotations

import pytest

import vinci_lab as vl
from tests.vinci.scenario import Scenario
from vinci_lab.engine.playing import Button, Spot
from vinci_lab.engine.position import IllegalActionError, Position
from vinci_lab.games.vinci.playing_cards import tile_sentences
from vinci_lab.widgets.session import Session


def seated(game: Scenario) -> Session:
    """Return a scenario with people at all seats."""
    return Session(game.rules, "human", position=Position(game.rules, game.state))


def spot(session: Session, name: str) -> Spot:
    return next(one for one in session.choices().spots if one.words == name)


def button(session: Session, name: str) -> Button:
    return next(one for one in session.choices().buttons if one.words.startswith(name))


def rivals(first: str, second: str, hand: int = 6) -> Scenario:
    """Seat 0 in Volga with tokens to spend beside an active empire of seat 1 in East Ukraine."""
    game = Scenario(4).civ(0, first, second, hand=hand, entered=True).own(0, {"Volga": 1})
    return game.civ(1, "militia", "currency", entered=True).own(1, {"East Ukraine": 3})


def test_a_cost_names_its_parts_and_what_others_lose() -> None:
    session = seated(rivals("barbarians", "mining", hand=9).turn(0))
    lines = spot(session, "East Ukraine").lines
    assert lines[0].startswith("Costs 6 tokens: 2 pasture, 3 defenders, 1 for the owner's tiles. Leaves 3 in hand")
    assert "Seat 1 loses East Ukraine and 1 token; 2 tokens survive" in lines


def test_what_is_too_dear_says_what_it_costs_and_what_there_is() -> None:
    session = seated(rivals("barbarians", "mining", hand=4).turn(0))
    dear = spot(session, "East Ukraine")
    assert not dear.is_open
    assert dear.badge == "6"
    with pytest.raises(IllegalActionError, match=r"Costs 6 tokens.*You have 4"):
        session.press(dear.key)


def test_a_click_plays_on_gives_up_and_conquers_in_one_command_that_undo_takes_back() -> None:
    game = rivals("barbarians", "mining").turn(0)
    session = seated(game)
    before = session.position.text()
    session.push("Play on")
    session.press(spot(session, "Muscovy").key)
    assert [step.words for step in session.position.history][-2:] == ["end gathering", "conquer Muscovy"]
    session.undo()
    session.undo()
    assert session.position.text() == before


def test_espionage_is_switched_on_and_makes_the_next_conquest_cheap() -> None:
    session = seated(rivals("espionage", "mining", hand=5).turn(0))
    session.push("Play on")
    assert spot(session, "East Ukraine").badge == "2", "what cannot be paid otherwise is spied on at once"
    assert spot(session, "Muscovy").lines[0].startswith("Costs 4 tokens: 3 forest")
    session.push(button(session, "Espionage"))
    assert spot(session, "Muscovy").lines[0].startswith("Costs 2 tokens by espionage")
    session.press(spot(session, "Muscovy").key)
    assert session.position.history[-1].words == "spy on Muscovy"
    assert session.marks == {}


def test_peace_is_made_with_a_seat_and_protects_it() -> None:
    session = seated(rivals("diplomacy", "mining").turn(0))
    session.push("Play on")
    assert {one.key for one in session.choices().spots if one.is_open} == {"seat:1", "seat:2", "seat:3"}
    session.press("seat:1")
    assert spot(session, "East Ukraine").lines[0] == "Peace with seat 1 protects it"


def test_a_broken_empire_keeps_the_part_that_is_clicked() -> None:
    game = Scenario(4).civ(0, "barbarians", "mining", hand=2, entered=True)
    session = seated(game.own(0, {"Volga": 1, "Muscovy": 1, "Portugal": 1}).turn(0))
    session.push("Play on")
    session.push("Go on")
    part = spot(session, "Muscovy")
    assert part.lines[:2] == ("Keeps Muscovy and Volga", "Gives up Portugal")
    session.press(part.key)
    assert spot(session, "Volga").mark


def test_a_fort_is_built_with_a_click() -> None:
    game = Scenario(4).civ(0, "fortification", "mining", entered=True).own(0, {"Volga": 1, "Muscovy": 1})
    session = seated(game.fortify("Muscovy").turn(0))
    session.push("Play on")
    session.push("Go on")
    with pytest.raises(IllegalActionError, match="It has a fort already"):
        session.press(spot(session, "Muscovy").key)
    session.press(spot(session, "Volga").key)
    assert "build" in session.position.steps[0].events[0].words


def test_rebirth_says_what_would_come_of_it() -> None:
    game = Scenario(4).civ(0, "rebirth", "mining", entered=True).own(0, {"Volga": 2, "Muscovy": 1})
    session = seated(game.turn(0))
    while not any(one.words == "No rebirth" for one in session.choices().buttons):
        if session.choices().spread:
            session.spread_evenly()
            session.push("Done")
        else:
            session.push(session.choices().buttons[0])
    assert "declines with 2 provinces" in button(session, "Rebirth").tip
    session.push("No rebirth")
    assert session.player is not None
    assert session.player.seat == 1


def test_declining_says_what_it_scores_and_a_hint_gives_the_same_reason() -> None:
    session = seated(rivals("barbarians", "mining", hand=0).turn(0))
    tip = button(session, "Decline").tip
    assert tip.startswith("seat 0 declines with 1 province")
    assert "scores 1 point" in tip


def test_a_pair_names_price_coins_tokens_and_what_its_tiles_do() -> None:
    game = Scenario(4).civ(0, "barbarians", "mining", entered=True).own(0, {"Volga": 1})
    game.tray(("weapons", "heritage"), ("currency", "astronomy"), ("militia", "medicine")).coins("II", 2).points(0, 3)
    session = seated(game.turn(0))
    session.push("Decline")
    second = session.choices().by_key["slot:1"]
    assert second.words == "II: Currency and Astronomy"
    assert second.lines[0] == "Costs 2 points, pays 4 points in coins, brings 11 tokens"
    assert second.lines[1] == "Currency: +1 point for each of its provinces"
    third = session.choices().by_key["slot:2"]
    assert third.is_open == (int(session.position.state.score[0]) >= 4)


def test_offers_and_seats_tell_what_their_tiles_do_at_any_time() -> None:
    session = seated(rivals("barbarians", "mining").turn(0))
    seat = session.choices().by_key["seat:1"]
    assert seat.lines[0] == "Militia: others pay 1 token more for each of its provinces"
    assert session.choices().by_key["slot:0"].is_note
    with pytest.raises(IllegalActionError, match="nothing to do here"):
        session.press("slot:0")


def test_every_tile_of_the_edition_is_told_in_words() -> None:
    sentences = tile_sentences(vl.ruleset("vinci", players=4))
    assert "Weapons: every conquest costs 1 token less" in sentences
    assert "Field General: 7 tokens more for the conquests of each turn, taken away before scoring" in sentences
    assert "Mining (broken column): +2 points for each mine; its points go on in decline" in sentences
    assert all("_" not in sentence for sentence in sentences)
    assert [one for one in sentences if "nothing but" in one] == ["Barbarians: nothing but its tokens"]
