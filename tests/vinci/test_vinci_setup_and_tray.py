"""The set-up, the tray of six pairs, prices and coins (Setting Up)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.vinci.scenario import Scenario, rules_for
from tests.vinci.words import SLOT_NAMES, names
from vinci_lab.engine import entries
from vinci_lab.games.vinci import rules_layout as layout

ORDINARY = [
    ("weapons", "barbarians"),
    ("astronomy", "mountaineering"),
    ("mining", "currency"),
    ("port", "slavery"),
    ("livestock", "messages"),
    ("agriculture", "militia"),
]
REFILLS = [
    ("heritage", "espionage"),
    ("mining_col", "port_col"),
    ("livestock_col", "agriculture_col"),
    ("port", "mining"),
]


def choose_and_refill(game: Scenario, slot: str, refill: tuple[str, str]) -> None:
    """Take a pair and force the two tiles that follow."""
    game.do(f"choose {slot}")
    for kind in refill:
        game.do(f"draw {kind}")


def coin_balance(game: Scenario) -> tuple[int, int]:
    """Return prices paid less coins received, and the value of the coins on the tray."""
    paid, received = int(game.state.paid.sum()), int(game.state.received.sum())
    return paid - received, int(game.tables.coin_value * game.state.coins.sum())


@pytest.mark.parametrize(("players", "threshold", "bonus"), [(3, 150, 8), (4, 120, 6), (5, 100, 4), (6, 100, 3)])
def test_threshold_and_extra_tokens_depend_on_the_number_of_players(players: int, threshold: int, bonus: int) -> None:
    """Case 6: the table of the Game Aids."""
    tables = rules_for(players).tables
    assert tables.victory_threshold == threshold
    assert tables.token_bonus == bonus


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_seat_starts_at_ten_and_every_province_but_the_mountains_holds_a_neutral_token(players: int) -> None:
    """Setting Up, first two paragraphs; 33 brown tokens on this map."""
    game = Scenario(players)
    assert [game.score(seat) for seat in range(players)] == [10] * players
    neutral = names(game.state.neutral)
    assert len(neutral) == 33
    assert {"Scotland", "Norway", "Urals", "Bohemia"} & neutral == set()
    assert all(game.tokens(name) == 1 for name in neutral)
    assert game.state.tokens.sum() == 33


@pytest.mark.parametrize("players", [3, 6])
def test_the_starting_seat_is_drawn_evenly(players: int) -> None:
    """Setting Up: the starting player is chosen at random."""
    game = Scenario(players)
    assert game.legal() == {f"start {seat}" for seat in range(players)}
    weights = chance_weights(game)
    assert len(set(weights.values())) == 1


def chance_weights(game: Scenario) -> dict[str, float]:
    """Return the weight of each chance outcome, in words."""
    weights = np.zeros(layout.ACTIONS)
    entries.chance_outcomes(game.tables, game.state, weights)
    return {game.say(int(code)): float(weights[code]) for code in np.flatnonzero(weights)}


def test_a_tile_is_drawn_with_the_weight_of_its_copies_in_the_bag() -> None:
    """Setting Up: tiles come from the bag at random."""
    game = Scenario(4)
    game.is_chance_automatic = False
    game.do("start 0")
    weights = chance_weights(game)
    assert weights["draw barbarians"] == pytest.approx(3 * weights["draw specialization"])
    assert weights["draw weapons"] == pytest.approx(2 * weights["draw specialization"])
    game.do("draw weapons")
    weights = chance_weights(game)
    assert weights["draw weapons"] == pytest.approx(weights["draw specialization"])
    game.do("draw weapons")
    assert "draw weapons" not in game.legal()


def test_six_pairs_are_drawn_slot_by_slot_before_anybody_chooses() -> None:
    """Setting Up, paragraph 3."""
    game = Scenario(4).deal(ORDINARY, start=2)
    dealt = [tuple(game.kinds[game.tables.kind_of[copy]] for copy in pair) for pair in game.state.tray]
    assert dealt == ORDINARY
    assert game.phase() == "choose"
    assert game.seat_to_decide() == 2
    assert game.state.start_seat == 2
    assert game.legal() == {f"choose {slot}" for slot in SLOT_NAMES}


def test_all_seats_choose_in_turn_order_before_anybody_plays() -> None:
    """Setting Up, last paragraph: the game begins once all have chosen; slot VI is filled after each choice."""
    game = Scenario(4).deal(ORDINARY, start=2)
    order = []
    for refill in REFILLS:
        order.append(game.seat_to_decide())
        choose_and_refill(game, "I", refill)
        assert (game.state.tray >= 0).all()
        assert len(names(game.state.neutral)) == 33
    assert order == [2, 3, 0, 1]
    assert game.state.turn_seat == 2
    assert game.state.round_number == 1


def test_the_third_pair_costs_four_and_puts_a_coin_on_each_pair_passed_over() -> None:
    """Case 3: two points per skipped pair; the sixth costs ten."""
    game = Scenario(4).deal(ORDINARY)
    game.do("choose III")
    assert game.score(0) == 6
    assert game.state.coins.tolist() == [1, 1, 0, 0, 0, 0]
    game = Scenario(4).deal(ORDINARY)
    game.do("choose VI")
    assert game.score(0) == 0
    assert game.state.coins.tolist() == [1, 1, 1, 1, 1, 0]


def test_pairs_shift_left_and_two_new_tiles_enter_the_last_slot() -> None:
    """Setting Up, paragraph 6."""
    game = Scenario(4).deal(ORDINARY)
    choose_and_refill(game, "III", ("heritage", "espionage"))
    pairs = [tuple(game.kinds[game.tables.kind_of[copy]] for copy in pair) for pair in game.state.tray]
    assert pairs == [*ORDINARY[:2], *ORDINARY[3:], ("heritage", "espionage")]
    assert game.held_kinds(game.state.tile[0]) == ["currency", "mining"]


def test_coins_are_collected_with_the_pair_and_the_sums_balance() -> None:
    """Cases 11 and 12: four choices, every coin ends with a player."""
    game = Scenario(4).deal(ORDINARY)
    scores = []
    for seat, (slot, refill) in enumerate(zip(("III", "III", "II", "I"), REFILLS, strict=True)):
        choose_and_refill(game, slot, refill)
        scores.append(game.score(seat))
        paid, on_tray = coin_balance(game)
        assert paid == on_tray
        if seat == 1:
            assert game.state.coins.tolist() == [2, 2, 0, 0, 0, 0]
        if seat == 2:
            assert game.state.coins.tolist() == [3, 0, 0, 0, 0, 0]
    assert scores == [6, 6, 12, 16]
    assert game.state.paid.sum() == game.state.received.sum() == 10
    assert game.state.coins.sum() == 0
    chosen = game.found("chosen")
    assert [(row["price"], row["coins"]) for row in chosen] in (
        [(4, 0), (4, 0), (2, 4), (0, 6)],  # coins as points
        [(4, 0), (4, 0), (2, 2), (0, 3)],  # coins as pieces
    )


@pytest.mark.parametrize(("players", "tokens"), [(3, 17), (4, 15), (5, 13), (6, 12)])
def test_a_civilization_receives_its_red_numbers_and_the_bonus_for_the_number_of_players(
    players: int, tokens: int
) -> None:
    """Case 1: Astronomy 5 and Mountaineering 4."""
    game = Scenario(players).deal(ORDINARY)
    game.do("choose II")
    assert game.hand(0) == tokens


@pytest.mark.parametrize(
    ("players", "pair", "tokens"),
    [
        (5, ("barbarians", "weapons"), 13),
        (5, ("specialization", "barbarians"), 17),
        (3, ("barbarians", "specialization"), 21),
        (5, ("specialization", "currency"), 5),
        (5, ("specialization", "field_general"), 9),
        (5, ("medicine", "messages"), 12),
        (5, ("specialization", "medicine"), 11),
        (5, ("field_general", "slavery"), 8),
    ],
)
def test_specialization_doubles_the_other_red_number_and_adds_one(
    players: int, pair: tuple[str, str], tokens: int
) -> None:
    """Cases 38 and 40 to 43."""
    game = Scenario(players).tray(pair).turn(0).do("decline", "choose I")
    assert game.hand(0) == tokens


@pytest.mark.parametrize(
    ("reading", "legal"),
    [
        ("prepay", {"choose I", "choose II"}),
        ("net", {"choose I", "choose II", "choose III"}),
        ("debt", {f"choose {slot}" for slot in SLOT_NAMES}),
    ],
)
def test_a_pair_must_be_paid_from_the_score_before_its_coins_come_in(reading: str, legal: set[str]) -> None:
    """Case 13, R6: three points, five coins on III; other readings count the coins first, or allow a debt."""
    game = Scenario(5, {"price_rule": reading}).points(0, 3).coins("III", 5).turn(0).do("decline")
    assert game.phase() == "choose"
    assert game.legal() == legal


def test_net_price_sets_the_coins_against_the_price() -> None:
    """Case 13: 3 - 4 + 10 = 9 under the reading ``net``."""
    game = Scenario(5, {"price_rule": "net"}).points(0, 3).coins("III", 5).turn(0).do("decline", "choose III")
    assert game.score(0) == 9


def test_a_debt_takes_the_score_below_zero() -> None:
    """R6, reading ``debt``: 3 - 10 = -7."""
    game = Scenario(5, {"price_rule": "debt"}).points(0, 3).turn(0).do("decline", "choose VI")
    assert game.score(0) == -7


def test_the_bag_holds_thirty_two_tiles_after_four_first_choices() -> None:
    """Case 15: 52 - 12 - 8."""
    game = Scenario(4).deal(ORDINARY)
    for refill in REFILLS:
        choose_and_refill(game, "I", refill)
    assert len(game.bag_kinds()) == 32


@pytest.mark.parametrize(("bag", "barbarians", "specialization"), [(None, 3, 1), ("first", 2, 2)])
def test_the_printings_differ_in_barbarians_and_specialization(
    bag: str | None, barbarians: int, specialization: int
) -> None:
    """Errata, last paragraph: both boxes hold 52 tiles."""
    kinds = Scenario(4, bag=bag).bag_kinds()
    assert len(kinds) == 52
    assert kinds.count("barbarians") == barbarians
    assert kinds.count("specialization") == specialization
    others = set(kinds) - {"barbarians", "specialization"}
    assert len(others) == 24
    assert all(kinds.count(kind) == 2 for kind in others)


def test_a_second_specialization_in_a_pair_is_replaced_and_goes_back_to_the_bag() -> None:
    """R11: first printing only; the replaced tile returns after the draw."""
    game = Scenario(4, bag="first")
    game.is_chance_automatic = False
    game.do("start 0", "draw specialization", "draw specialization")
    assert game.state.tray[0, 1] < 0
    assert game.phase() == "draw"
    assert "draw specialization" not in game.legal()
    game.do("draw weapons")
    assert game.held_kinds(game.state.tray[0]) == ["specialization", "weapons"]
    assert game.bag_kinds().count("specialization") == 1
    assert game.found("tile_set_aside")
    game.do("draw specialization")
    assert game.held_kinds(game.state.tray[1]) == ["specialization"]


def test_one_specialization_in_each_of_two_pairs_is_no_reason_to_redraw() -> None:
    """R11 speaks of two in one pair."""
    game = Scenario(4, bag="first")
    game.is_chance_automatic = False
    game.do("start 0", "draw weapons", "draw specialization", "draw specialization", "draw port")
    assert game.held_kinds(game.state.tray[1]) == ["port", "specialization"]
    assert game.found("tile_set_aside") == []


@pytest.mark.parametrize(("reading", "is_in_draw"), [("yes", True), ("no", False)])
def test_returned_tiles_can_be_drawn_in_the_same_refill(reading: str, is_in_draw: bool) -> None:
    """R10: the Errata and the card return tiles before the new civilization is chosen."""
    game = Scenario(5, {"return_before_draw": reading}).civ(0, "weapons", "weapons").turn(0)
    game.is_chance_automatic = False
    game.do("decline", "choose I")
    assert ("draw weapons" in game.legal()) is is_in_draw
    game.do("draw " + first_of(game.legal("draw")), "draw " + first_of(game.legal("draw")))
    held = game.held_kinds(copy for pair in game.state.tray for copy in pair) + game.bag_kinds()
    assert held.count("weapons") == 2


def first_of(words: Any) -> str:
    """Return the alphabetically first word."""
    return str(min(words))


def test_taking_the_first_pair_is_free_and_leaves_no_coin() -> None:
    """Setting Up: space I costs nothing and earns nothing."""
    game = Scenario(4).deal(ORDINARY)
    game.do("choose I")
    assert game.score(0) == 10
    assert game.state.coins.sum() == 0
    assert game.found("chosen")[0]["price"] == 0
