"""Draws are what the rules say they are: over a hundred thousand games, by chi-square tests of fixed seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare, kstest

import vinci_lab as vl
from vinci_lab.engine import questions
from vinci_lab.engine.chance import below, game_key
from vinci_lab.engine.jit import JIT, kernel
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, new_record
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.rules import PURPOSE_START_SEAT
from vinci_lab.simulation import chunks
from vinci_lab.simulation.seats import seat_agents

GAMES = 100_000 if JIT else 300
LEAST = 1e-5  # of some 150 fair tests, two runs in a thousand have one below this
BLOCKS = 100
DRAWS = 13  # the starting seat and twelve tiles


@kernel
def draw_setups(tables: Any, state: Any, events: Any, seed: int, by_game: bool, drawn: Any) -> None:
    """Write the chance outcomes of many set-ups: of the games of one seed, or of game 0 of many seeds."""
    for number in range(len(drawn)):
        key = game_key(seed, number) if by_game else game_key(seed + number, 0)
        questions.begin_game(tables, state, key)
        for place in range(DRAWS):
            drawn[number, place] = questions.draw_chance(tables, state, state.key)
            questions.apply_action(tables, state, CHANCE, drawn[number, place], events)


def setups(rules: Any, by_game: bool) -> Any:
    drawn = np.zeros((GAMES, DRAWS), np.int64)
    draw_setups(rules.tables, new_record(at.STATE), new_record(EVENTS), 7, by_game, drawn)
    return drawn


@pytest.mark.parametrize("by_game", [True, False], ids=["games of a seed", "seeds"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_starting_seats_and_tiles_are_fair(players: int, by_game: bool, tell: Callable[[str], None]) -> None:
    rules = vl.ruleset("vinci", players=players, bag="first")
    drawn = setups(rules, by_game)
    seats, tiles = drawn[:, 0] - at.A_START, drawn[:, 1:] - at.A_DRAW
    copies = np.bincount(rules.tables.kind_of[: rules.tables.copies])
    found = {"starting seat": chisquare(np.bincount(seats, minlength=players)).pvalue}
    for place in range(DRAWS - 1):
        expected = GAMES * copies / copies.sum()
        found[f"tile {place}"] = chisquare(np.bincount(tiles[:, place], minlength=len(copies)), expected).pvalue
    found["tile 0 by seat"] = chi2_contingency(crossed(seats, tiles[:, 0])).pvalue
    pairs = crossed(tiles[:, 0], tiles[:, 1])
    fair = np.outer(copies, copies) - np.diag(copies)  # without replacement
    found["tile 1 by tile 0"] = chisquare(pairs.ravel(), GAMES * fair.ravel() / fair.sum()).pvalue
    found["tile 0 by the game before"] = chi2_contingency(crossed(tiles[:-1, 0], tiles[1:, 0])).pvalue
    found["parity of game and seat"] = chi2_contingency(crossed(np.arange(GAMES) % 2, seats)).pvalue
    assert min(found.values()) > LEAST, found
    tell(f"{GAMES:,} set-ups, {players} seats: {len(found)} chi-square tests, lowest p {min(found.values()):.5f}")


@pytest.mark.parametrize("by_game", [True, False], ids=["games of a seed", "seeds"])
def test_first_draws_of_ten_thousand_games_and_of_ten_thousand_seeds_all_differ(
    by_game: bool, tell: Callable[[str], None]
) -> None:
    number = min(10_000, GAMES)
    drawn = setups(vl.ruleset("vinci", players=4), by_game)[:number]
    keys = [int(game_key(7, game) if by_game else game_key(7 + game, 0)) for game in range(number)]
    assert len(set(keys)) == number
    assert len(np.unique(drawn, axis=0)) == number
    tell(f"{number:,} {'games of a seed' if by_game else 'seeds'}: keys and first thirteen draws all different")


@kernel
def count_seats(seed: int, by_game: bool, players: int, counts: Any) -> None:
    """Count starting seats by blocks: of the games of one seed each, or of game 0 of seeds in a row."""
    for block in range(len(counts)):
        for number in range(GAMES):
            key = game_key(seed + block, number) if by_game else game_key(seed + block * GAMES + number, 0)
            counts[block, below(players, key, PURPOSE_START_SEAT, 0, 0)] += 1


@pytest.mark.parametrize("by_game", [True, False], ids=["games of a seed", "seeds"])
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_starting_seats_stay_fair_over_millions(players: int, by_game: bool, tell: Callable[[str], None]) -> None:
    """One block of seeds of six seats has p = 0.00007 by itself; a fault in the draws would show in the others too."""
    counts = np.zeros((BLOCKS, players), np.int64)
    count_seats(7, by_game, players, counts)
    total = chisquare(counts.sum(axis=0)).pvalue
    spread = kstest(chisquare(counts, axis=1).pvalue, "uniform").pvalue  # neither too uneven nor too even
    assert min(total, spread) > LEAST, (total, spread)
    tell(f"{counts.sum():,} starting seats of {players}: p {total:.3f} in all, {spread:.3f} between {BLOCKS} blocks")


def crossed(first: Any, second: Any) -> Any:
    """Return how often each pair of values occurs."""
    table = np.zeros((first.max() + 1, second.max() + 1), np.int64)
    np.add.at(table, (first, second), 1)
    return table


def test_a_tile_that_comes_back_has_no_memory_of_its_place() -> None:
    """A second Specialization is set aside and another tile drawn; it returns to a fresh place in the order."""
    rules = vl.ruleset("vinci", players=4, bag="first")
    drawn = setups(rules, True)[:, 1:] - at.A_DRAW
    special = list(rules.content["tiles"]).index("specialization")
    is_double = (drawn[:, 0] == special) & (drawn[:, 1] == special)
    assert is_double.mean() == pytest.approx(2 / (52 * 51), rel=0.5)
    replaced = drawn[is_double, 2]
    assert special not in replaced
    assert chisquare(np.bincount(replaced, minlength=25)[:25]).pvalue > LEAST


def test_the_random_agent_takes_every_affordable_pair_equally_often(tell: Callable[[str], None]) -> None:
    rules = vl.ruleset("vinci", players=4)
    offers = vl.simulate(rules, "random", games=GAMES // 10, seed=3, progress=False).offers
    first = offers[(offers["holding"] == 0) & (offers["is_taken"] == 1)].groupby("game").head(1)
    counts = np.bincount(first["slot"], minlength=6)
    assert chisquare(counts).pvalue > LEAST
    tell(f"{counts.sum():,} first choices of the random agent: slots {counts.tolist()}")


def test_the_random_agent_uses_every_action_there_is() -> None:
    rules = vl.ruleset("vinci", players=4)
    job = chunks.Job.of(rules, seat_agents(rules, "random"), 3, True)
    seen = {action for game in range(60) for _, action in chunks.actions_of(job, game)}
    words = {at.A_PLAY_ON, at.A_DECLINE, at.A_REBIRTH_YES, at.A_REBIRTH_NO, at.A_END_GATHER, at.A_END_CONQUEST}
    assert words | {at.A_NO_FORT, *range(at.A_CHOOSE, at.A_CHOOSE + at.SLOTS)} <= seen
    for first in (at.A_ABANDON, at.A_CONQUER, at.A_SPY, at.A_KEEP, at.A_DROP, at.A_PLACE, at.A_FORT):
        assert any(first <= action < first + at.PROVINCES for action in seen), first
    assert any(at.A_PEACE <= action < at.A_PEACE + at.SEATS for action in seen)
