"""Victory points (Victory Points, the yellow tiles, case E4)."""

from __future__ import annotations

import pytest

from tests.vinci.scenario import Scenario

X = {"Poland": 1, "Bohemia": 1, "Livonia": 1, "Pomerania": 1, "Saxony": 1}
HERDS = {"Burgundy": 1, "North France": 1, "Low Countries": 1}


def empire(first: str, second: str, land: dict[str, int] | None = None, **options: str) -> Scenario:
    """Return seat 0 at the start of a turn with an empire."""
    return Scenario(options=options).civ(0, first, second).own(0, land or X).turn(0)


def after_decline(first: str, second: str, land: dict[str, int] | None = None, **options: str) -> int:
    """Return what the turn scores in which the empire declines."""
    game = empire(first, second, land, **options).do("decline")
    total = int(game.scored(0)["total"])
    assert game.old_worth(0) == total
    assert game.score(0) == 10 + total
    return total


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ("barbarians", "weapons", 4),
        ("agriculture", "barbarians", 6),
        ("agriculture_col", "barbarians", 6),
        ("agriculture", "agriculture_col", 8),
        ("mining", "barbarians", 8),
        ("mining_col", "barbarians", 8),
        ("specialization", "mining", 12),
        ("mining_col", "specialization", 12),
        ("port", "barbarians", 5),
        ("specialization", "port", 6),
        ("currency", "barbarians", 9),
        ("currency", "specialization", 14),
        ("currency", "mountaineering", 10),
        ("mountaineering", "barbarians", 5),
        ("specialization", "mountaineering", 6),
        ("livestock", "barbarians", 4),
    ],
)
def test_an_active_empire_scores_one_per_province_but_mountains_and_its_bonuses(
    first: str, second: str, points: int
) -> None:
    """Cases 31 and 33 to 36: Poland (farmland, mine), Bohemia (mountain, mine), Livonia (port), Pomerania, Saxony."""
    game = empire(first, second)
    assert game.worth(0) == points
    game.finish()
    scored = game.scored(0)
    assert scored["total"] == points
    assert game.score(0) == 10 + points
    assert sum(number for name, number in scored.items() if name not in ("event", "seat", "total")) == points


def test_livestock_counts_pastures() -> None:
    """Case 32: Burgundy and the Low Countries are pastures, North France is not."""
    assert empire("livestock", "barbarians", HERDS).worth(0) == 5
    assert empire("livestock_col", "barbarians", HERDS).worth(0) == 5


@pytest.mark.parametrize(
    ("first", "second", "points"),
    [
        ("agriculture", "barbarians", 4),
        ("agriculture_col", "barbarians", 6),
        ("agriculture", "agriculture_col", 6),
        ("mining", "barbarians", 4),
        ("mining_col", "barbarians", 8),
        ("port", "barbarians", 4),
        ("port_col", "barbarians", 5),
        ("currency", "barbarians", 4),
        ("mountaineering", "barbarians", 4),
        ("specialization", "mining_col", 8),
        ("mining_col", "mining_col", 12),
    ],
)
def test_in_decline_only_tiles_with_a_broken_column_score(first: str, second: str, points: int) -> None:
    """Cases 31 to 35, R31."""
    assert after_decline(first, second) == points


def test_livestock_in_decline() -> None:
    """Case 32."""
    assert after_decline("livestock", "barbarians", HERDS) == 3
    assert after_decline("livestock_col", "barbarians", HERDS) == 5


@pytest.mark.parametrize(("reading", "points"), [("no", 8), ("yes", 12)])
def test_specialization_doubles_a_column_in_decline_only_by_the_other_reading(reading: str, points: int) -> None:
    """Case 33, R31."""
    assert after_decline("specialization", "mining_col", specialization_doubles_decline=reading) == points


def test_both_empires_of_a_player_score() -> None:
    """Decline of an Empire, paragraph 4."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Volga": 2, "Urals": 2})
    game.in_decline(0, ["Burgundy", "North France", "Western Alps"], ["mining_col"]).turn(0).finish()
    scored = game.scored(0)
    assert (scored["base"], scored["decline_base"], scored["decline_bonus"], scored["total"]) == (1, 2, 0, 3)
    assert game.score(0) == 13


def test_the_old_tiles_do_not_serve_the_new_empire() -> None:
    """Decline: effects that stay with the old empire cannot benefit the new civilization."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Urals": 2})
    game.in_decline(0, ["Poland"], ["mining_col"]).turn(0)
    assert game.worth(0) == 0
    assert game.old_worth(0) == 3


def test_the_new_tiles_do_not_serve_the_old_empire() -> None:
    """Decline: only advantages of tiles that stay with it."""
    game = Scenario().civ(0, "currency", "agriculture").own(0, {"Volga": 2}).in_decline(0, ["Poland"]).turn(0)
    assert game.worth(0) == 2
    assert game.old_worth(0) == 1


@pytest.mark.parametrize(("second", "points"), [("barbarians", 4), ("specialization", 6)])
def test_slavery_pays_for_each_token_beaten_this_turn(second: str, points: int) -> None:
    """Case 37: Volga (neutral), Urals (empty), Muscovy (neutral)."""
    game = Scenario().civ(0, "slavery", second, hand=12).conquest(0)
    game.do("conquer Volga", "conquer Urals", "conquer Muscovy").finish()
    assert game.scored(0)["base"] == 2
    assert game.scored(0)["total"] == points
    game.pass_until(0).finish()
    assert game.scored(0)["kills"] == 0
    assert game.scored(0)["total"] == 2


def test_slavery_counts_one_token_per_province_however_many_defend() -> None:
    """Case 37, R38: four tokens on a plain, one is lost."""
    game = Scenario().civ(0, "slavery", "barbarians", hand=12).own(0, {"Pomerania": 1}).civ(1, "livestock", "militia")
    game.own(1, {"Poland": 4, "Hungary": 1}).conquest(0).do("conquer Poland").finish()
    assert game.scored(0)["kills"] == 1


def test_slavery_counts_a_decline_token_but_not_its_fort() -> None:
    """Case 37."""
    game = Scenario().civ(0, "slavery", "barbarians", hand=12).own(0, {"Pomerania": 1}).in_decline(1, ["Poland"])
    game.fortify("Poland").conquest(0).do("conquer Poland").finish()
    assert game.scored(0)["kills"] == 1


def test_slavery_counts_what_a_spy_beats() -> None:
    """R38: any conquest."""
    game = Scenario().civ(0, "slavery", "espionage", hand=4).own(0, {"Pomerania": 1}).conquest(0)
    game.do("spy Poland").finish()
    assert game.scored(0)["kills"] == 1


def test_the_other_seats_score_nothing_in_a_turn() -> None:
    """Victory Points: each player at the end of his own turn."""
    game = Scenario().civ(0, "barbarians", "port").own(0, {"Volga": 2}).civ(1, "livestock", "slavery")
    game.own(1, X).turn(0).finish()
    assert [game.score(seat) for seat in range(5)] == [11, 10, 10, 10, 10]


def test_mountains_score_nothing() -> None:
    """Victory Points, paragraph 1."""
    game = empire("barbarians", "weapons", {"Urals": 1, "Caucasus": 1, "Volga": 1})
    assert game.worth(0) == 1


def test_mines_on_mountains_score_two_and_not_the_base_point() -> None:
    """Errata 1: two for each mine, also on a mountain."""
    assert empire("mining", "weapons", {"Urals": 1}).worth(0) == 2
