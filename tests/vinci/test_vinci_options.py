"""Every reading of every open point makes a difference on the table, and the default is the analysis's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.vinci import automaton
from tests.vinci.scenario import Scenario, rules_for
from vinci_lab.engine.ruleset import DataError
from vinci_lab.games.vinci.rules_layout import OPTIONS

Witness = Callable[[dict[str, str]], Any]


def entry(options: dict[str, str], first: str, second: str = "barbarians", hand: int = 12) -> Scenario:
    """Return seat 0 about to enter."""
    return Scenario(options=options).civ(0, first, second, hand=hand).conquest(0)


def at(options: dict[str, str], name: str, first: str, second: str = "barbarians", hand: int = 12) -> Scenario:
    """Return seat 0 conquering from one province."""
    return Scenario(options=options).civ(0, first, second, hand=hand).own(0, {name: 1}).conquest(0)


def wiped_out(options: dict[str, str]) -> Any:
    game = Scenario(options=options).civ(0, "barbarians", "port", hand=9).own(0, {"Pomerania": 1})
    game.civ(1, "livestock", "slavery").own(1, {"Poland": 1}).in_decline(1, ["Portugal"]).conquest(0)
    return game.do("conquer Poland").old_empire(1)


def dear_pair(options: dict[str, str]) -> Any:
    return len(Scenario(options=options).points(0, 3).coins("III", 5).turn(0).do("decline").legal())


def split(options: dict[str, str], land: dict[str, int]) -> Scenario:
    game = Scenario(options=options).civ(0, "barbarians", "slavery").own(0, land).civ(1, "livestock", "militia")
    return game.own(1, {"Pyrenees": 9}).conquest(0).do("end conquest")


def dropped_tokens(options: dict[str, str]) -> Any:
    return split(options, {"South Spain": 2, "Aquitaine": 3}).do("keep South Spain").board(0)


def kept_part(options: dict[str, str]) -> Any:
    return split(options, {"South Spain": 2, "Aquitaine": 3, "North France": 1}).phase()


def attacked(options: dict[str, str]) -> Scenario:
    game = Scenario(options=options).civ(0, "barbarians", "port", hand=9).own(0, {"Pomerania": 1})
    game.civ(1, "livestock", "slavery").own(1, {"Poland": 3, "Livonia": 1, "Hungary": 1})
    return game.conquest(0).do("conquer Poland").do("end conquest")


def first_to_place(options: dict[str, str]) -> Any:
    return attacked(options).seat_to_decide()


def who_places(options: dict[str, str]) -> Any:
    game, seats = attacked(options), set()
    while game.state.turn_seat == 0:
        seats.add(game.seat_to_decide())
        game.do(min(game.legal()))
    return seats


def teleport(options: dict[str, str]) -> Any:
    game = Scenario(options=options).civ(0, "barbarians", "port").own(0, {"Poland": 3}).turn(0).do("play on")
    return game.legal("abandon")


def unentered(options: dict[str, str]) -> Any:
    return Scenario(options=options).civ(1, "barbarians", "port", hand=9).arrive(1).phase()


def first_turn(options: dict[str, str]) -> Any:
    game = Scenario(3, options).deal([("port", "mining"), ("weapons", "slavery"), ("heritage", "militia")] * 2)
    game.is_chance_automatic = True
    return game.do("choose I", "choose I", "choose I").phase()


def refill(options: dict[str, str]) -> Any:
    game = Scenario(options=options).civ(0, "weapons", "weapons").turn(0)
    game.is_chance_automatic = False
    return "weapons" in game.do("decline", "choose I").legal("draw")


def zero_cost(options: dict[str, str]) -> Any:
    game = entry(options, "weapons", "mountaineering", 2).do("conquer Macedonia", "conquer Dalmatia")
    return "Austria" in game.legal("conquer")


def shortage(options: dict[str, str]) -> Any:
    game = Scenario(options=options).civ(0, "field_general", "barbarians").own(0, {"Volga": 1}).conquest(0)
    return game.do("conquer East Ukraine", "conquer Muscovy", "drop Muscovy", "drop East Ukraine").phase()


def forts(options: dict[str, str]) -> Any:
    game = Scenario(options=options).civ(0, "fortification", "barbarians", hand=3).conquest(0).do("conquer Urals")
    return game.phase()


def fort_on_mountain(options: dict[str, str]) -> Any:
    game = Scenario(options=options).civ(0, "fortification", "port", hand=9).own(0, {"Bohemia": 1})
    return game.fortify("Bohemia").conquest(0).cost("Pomerania")


def own_decline(options: dict[str, str]) -> Any:
    found = []
    for tile in ("heritage", "port"):
        game = Scenario(options=options).civ(0, tile, "barbarians", hand=9).in_decline(0, ["Ireland"]).conquest(0)
        found.append("Ireland" in game.legal("conquer"))
    return found


def doubled_column(options: dict[str, str]) -> Any:
    game = Scenario(options=options).civ(0, "specialization", "mining_col").own(0, {"Poland": 1}).turn(0)
    return game.do("decline").scored(0)["total"]


def rebirth_start(options: dict[str, str]) -> Any:
    return Scenario(options=options).civ(1, "rebirth", "port").own(1, {"Poland": 2}).arrive(1).phase()


def peace(options: dict[str, str]) -> Any:
    return "no peace" in Scenario(options=options).civ(0, "diplomacy", "port").turn(0).do("play on").legal()


def shore(options: dict[str, str]) -> Any:
    return (
        at(options, "South Spain", "ship_building").cost("Castile"),
        at(options, "Aquitaine", "ship_building").cost("Provence"),
    )


def threshold(options: dict[str, str]) -> Any:
    game = Scenario(4, options).civ(1, "rebirth", "barbarians").own(1, {"Poland": 1}).points(1, 119)
    return bool(game.arrive(1).play_to("rebirth").do("rebirth", "choose III").state.is_last_round)


def tie(options: dict[str, str]) -> Any:
    game = Scenario(4, options).points(0, 124).points(3, 124).turn(3)
    game.state.last_points[:4] = 9, 0, 0, 0
    game.state.is_last_round = 1
    return game.finish().shares()


def in_italy(options: dict[str, str], tile: str, defenders: int) -> Any:
    """Return what an automaton between two equal provinces of seat 0 and of nobody does."""
    game = Scenario(1, options).civ(1, "barbarians", tile, hand=9).own(1, {"Central Italy": 1})
    return set(automaton.answers(game.own(0, {"South Italy": defenders}).conquest(1)))


def formula(options: dict[str, str]) -> Any:
    game = Scenario(1, options).civ(1, "agriculture", "messages", hand=8).own(1, {"Thrace": 1})
    return automaton.answer(game.own(0, {"Wallachia": 6, "West Anatolia": 9}).conquest(1))


def losing(options: dict[str, str]) -> Any:
    game = Scenario(1, options).civ(1, "barbarians", "messages", hand=3).own(1, {"Denmark": 1})
    game.in_decline(1, ["Low Countries", "Pomerania"]).own(0, {"Sweden": 9})
    return automaton.answer(game.conquest(1))


def overrun(options: dict[str, str]) -> Any:
    game = Scenario(1, options).civ(1, "field_general", "barbarians").own(1, {"Volga": 1}).conquest(1)
    automaton.follow(game)
    return len(game.found("conquest"))


def worth(options: dict[str, str]) -> Any:
    land = dict.fromkeys(("Volga", "Poland", "Hungary", "Thrace", "Saxony", "Lapland", "Denmark", "Provence"), 1)
    game = Scenario(1, options).civ(1, "barbarians", "messages").own(1, land)
    return automaton.answer(game.in_decline(1, ["Portugal", "Ireland"]).turn(1))


def surplus(options: dict[str, str]) -> Any:
    game = Scenario(1, options).civ(1, "barbarians", "messages").own(1, {"Volga": 2, "Lapland": 1, "Muscovy": 1})
    game.own(0, {"Belarus": 1}).own(2, {"Ireland": 1}).own(3, {"Portugal": 1}).conquest(1).play_to("place")
    return automaton.spread(game, 1)["Muscovy"]


WITNESSES: dict[str, tuple[Witness, dict[str, Any]]] = {
    "zero_token_rule": (wiped_out, {"keep": {"Portugal"}, "auto": set()}),
    "price_rule": (dear_pair, {"prepay": 2, "net": 3, "debt": 6, "dealt": 1}),
    "drop_tokens_lost": (dropped_tokens, {"no": 5, "yes": 4}),
    "survivors_first": (first_to_place, {"no": 0, "yes": 1}),
    "survivors": (who_places, {"choice": {0, 1}, "auto": {0}}),
    "teleport": (teleport, {"yes": {"Poland"}, "no": set()}),
    "decline_unentered": (unentered, {"yes": "turn_start", "no": "conquest"}),
    "decline_first_turn": (first_turn, {"no": "conquest", "yes": "turn_start"}),
    "return_before_draw": (refill, {"yes": True, "no": False}),
    "zero_cost_must_hold": (zero_cost, {"no": True, "yes": False}),
    "keep_all_possible": (shortage, {"yes": "turn_start", "no": "drop"}),
    "mountain_over_sea": (lambda o: at(o, "Norway", "astronomy").cost("South Italy"), {"no": 3, "yes": 2}),
    "fort_mountain_stack": (fort_on_mountain, {"yes": 1, "no": 2}),
    "fort_limit": (forts, {"none": "fort", "supply": "turn_start"}),
    "same_coast": (shore, {"water_body": (2, 3), "zone": (3, 3), "both_coastal": (2, 2)}),
    "both_links": (lambda o: at(o, "Sweden", "astronomy", "ship_building").cost("Lapland"), {"best": 2, "border": 3}),
    "ship_on_entry": (lambda o: entry(o, "ship_building").cost("Portugal"), {"no": 3, "yes": 2}),
    "astronomy_entry": (lambda o: len(entry(o, "astronomy").reach()), {"linked_zones": 35, "single_zone": 16}),
    "black_sea_linked": (lambda o: len(entry(o, "astronomy").reach()), {"yes": 35, "no": 32}),
    "own_decline_target": (own_decline, {"yes": [True, True], "heritage": [True, False], "no": [False, False]}),
    "specialization_doubles_decline": (doubled_column, {"no": 3, "yes": 5}),
    "rebirth_start_too": (rebirth_start, {"no": "gather", "yes": "turn_start"}),
    "spy_on_entry": (lambda o: len(entry(o, "espionage").legal("spy")), {"yes": 16, "no": 0}),
    "peace_optional": (peace, {"no": False, "yes": True}),
    "cohesion_keep": (kept_part, {"choice": "keep", "largest": "place"}),
    "must_enter": (lambda o: "end conquest" in entry(o, "port").legal(), {"no": True, "yes": False}),
    "threshold_rule": (threshold, {"sticky": True, "end_of_turn": False}),
    "tiebreak": (
        tie,
        {"shared": [0.5, 0, 0, 0.5], "last_turn": [1, 0, 0, 0], "reverse_seat": [0, 0, 0, 1]},
    ),
    "automaton_choice": (formula, {"value": ["conquer Wallachia"], "formula": ["conquer Macedonia"]}),
    "automaton_attacks_real": (
        lambda o: in_italy(o, "messages", 1),
        {"no": {"conquer North Italy", "conquer South Italy"}, "yes": {"conquer South Italy"}},
    ),
    "automaton_takes_losses": (losing, {"no": ["end conquest"], "yes": ["conquer Saxony"]}),
    "automaton_saves_spy": (
        lambda o: in_italy(o, "espionage", 5),
        {"no": {"spy North Italy", "spy South Italy"}, "yes": {"spy South Italy"}},
    ),
    "automaton_overruns": (overrun, {"no": 0, "yes": 2}),
    "automaton_worth": (worth, {"active": ["decline"], "both": ["play on"]}),
    "automaton_surplus": (surplus, {"weakest": 1, "anywhere": 2}),
}
CASES = [(name, reading) for name, (_, expected) in WITNESSES.items() for reading in expected]


def test_every_option_has_a_witness_for_every_reading() -> None:
    assert {name: set(expected) for name, (_, expected) in WITNESSES.items()} == {
        name: set(readings) for name, readings in OPTIONS.items()
    }


@pytest.mark.parametrize(("name", "reading"), CASES)
def test_a_reading_shows_on_the_table(name: str, reading: str) -> None:
    """Tables C1 and G of the analysis."""
    witness, expected = WITNESSES[name]
    assert witness({name: reading}) == expected[reading]


def test_the_defaults_are_those_of_the_analysis() -> None:
    """Part G, first column."""
    rules = rules_for(4)
    assert [int(rules.tables[name]) for name in OPTIONS] == [0] * len(OPTIONS)


@pytest.mark.parametrize("name", OPTIONS)
def test_an_unknown_reading_is_refused_with_the_allowed_ones(name: str) -> None:
    with pytest.raises(DataError) as caught:
        rules_for(4).replace({name: "perhaps"})
    assert "perhaps" in str(caught.value)
    assert all(reading in str(caught.value) for reading in OPTIONS[name])
