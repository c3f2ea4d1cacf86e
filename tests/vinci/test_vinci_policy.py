"""The fast policy: every column and parameter counts, it never breaks a rule, and it plays well."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

import vinci_lab as vl
from tests.conftest import ROOT
from tests.vinci.policy import PolicyGames, suggestion, with_columns, worth
from tests.vinci.scenario import Scenario, rules_for
from tests.vinci.test_vinci_invariants import readings
from tests.vinci.words import province
from vinci_lab.datafiles import shipped_root
from vinci_lab.engine.jit import JIT
from vinci_lab.engine.ruleset import DataError
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.heuristics_worth import PARAMETERS
from vinci_lab.games.vinci.ruleset import labels, load

RULES = load(4)
TABLETOP = [name for number, name in enumerate(at.MODIFIER_NAMES) if number not in at.NOT_IN_TABLETOP]
YUCATA = [at.MODIFIER_NAMES[number] for number in at.NOT_IN_TABLETOP]
PARTNERS = ("agriculture", "slavery", "port_col", "espionage")
STRONG = {"tokens": 12, "vp_province": 2}
WEAK = {"tokens": 0, "cost_any": 5}
NAMES = [parameter.name for parameter in PARAMETERS]


# Every column counts ------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("column", TABLETOP if JIT else TABLETOP[::8])
def test_the_estimate_of_a_pair_follows_every_column_of_the_edition(column: str) -> None:
    tile = "livestock" if column == "lasts_in_decline" else "barbarians"
    before = RULES.content["tiles"][tile][column]
    better = RULES.replace({f"tiles.{tile}.{column}": before + (-1 if column.startswith("cost_") else 1)})
    for partner in PARTNERS if JIT else PARTNERS[:1]:
        assert worth(better, tile, partner) > worth(RULES, tile, partner), partner
        assert worth(better, partner, tile) > worth(RULES, partner, tile), partner


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("column", [name for name in TABLETOP if name.startswith("cost_")])
def test_the_estimate_of_a_pair_falls_when_a_cost_rises(column: str) -> None:
    worse = RULES.replace({f"tiles.barbarians.{column}": 1})
    for partner in PARTNERS:
        assert worth(worse, "barbarians", partner) < worth(RULES, "barbarians", partner)


@pytest.mark.parametrize("column", YUCATA if JIT else YUCATA[:2])
def test_the_estimate_of_a_pair_follows_the_columns_of_the_other_edition_too(column: str) -> None:
    with pytest.raises(DataError, match=column):
        RULES.replace({f"tiles.barbarians.{column}": 1})
    changed = with_columns(RULES, "barbarians", **{column: 1})
    for partner in PARTNERS if JIT else PARTNERS[:1]:
        assert worth(RULES, "barbarians", partner, changed) > worth(RULES, "barbarians", partner)


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("terrain", ["desert", "river"])
def test_costs_of_a_terrain_count_more_where_there_is_some_of_it(terrain: str) -> None:
    land = ("Ireland", "Scotland", "Castile", "Saxony", "Poland", "Urals")
    dry = RULES.replace({f"map.provinces.{name}.terrain": terrain for name in land})
    gains = []
    for rules in (RULES, dry):
        cheaper = rules.replace({f"tiles.barbarians.cost_{terrain}": -1})
        gains.append(worth(cheaper, "barbarians", "militia") - worth(rules, "barbarians", "militia"))
    assert gains[1] > 2 * gains[0] > 0


@pytest.mark.slow_without_jit
def test_more_of_a_good_column_is_never_worth_less_with_any_partner() -> None:
    kinds = labels(RULES, "kind")
    kind, compared = kinds.index("messages"), 0
    for column in (*TABLETOP, *YUCATA):
        sign = -1 if column.startswith("cost_") else 1
        steps = (0, 1) if at.MODIFIER_NAMES.index(column) >= at.FIRST_FLAG else (0, 1, 2, 4)
        policies = [RULES.definition.policy(with_columns(RULES, "messages", **{column: sign * n})) for n in steps]
        # two Specializations have nothing to double
        partners = [other for other, name in enumerate(kinds) if name not in ("messages", "specialization")]
        estimates = np.array([policy.estimates[kind * at.KINDS + np.array(partners)] for policy in policies])
        assert (np.diff(estimates, axis=0) >= -1e-9).all(), column
        compared += estimates.size
    assert compared > 10_000


# Invented tiles -----------------------------------------------------------------------------------------------------
def data_with_tile(folder: Path, **columns: Any) -> Path:
    """Copy the data files and add a tile ``invented`` of many copies to the CSV file."""
    shutil.copytree(shipped_root(), folder, dirs_exist_ok=True)
    path = folder / "vinci" / "tabletop" / "tiles.csv"
    header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    row = {"name": "invented", "title": "Invented", "color": "pink", "copies_first": 3, "copies_second": 3}
    row |= {
        "tokens_low": 0,
        "tokens_high": 20,
        "confidence": "reconstructed",
        "reason": "Made up for a test",
        **columns,
    }
    with path.open("a", encoding="utf-8") as file:
        file.write(",".join(str(row.get(column, "")) for column in header) + "\n")
    return folder


def pick_rate(rules: Any, tile: str) -> float:
    """Return the share of choices of the set-up that took a tile, among those that could; later on coins weigh more."""
    offers = vl.simulate(rules, games=200, seed=3, n_jobs=1, progress=False).offers
    has_tile = (offers["first_tile"] == tile) | (offers["second_tile"] == tile)
    open_to = offers[has_tile & (offers["is_legal"] == 1) & (offers["holding"] == 0)]
    choices = open_to.groupby(["game", "seat"])["is_taken"].max()
    assert len(choices) > 100
    return float(choices.mean())


@pytest.mark.slow_without_jit
def test_a_plainly_strong_tile_added_to_the_file_is_taken_and_a_weak_one_is_left(tmp_path: Path) -> None:
    strong = load(4, data=data_with_tile(tmp_path / "strong", **STRONG))
    weak = load(4, data=data_with_tile(tmp_path / "weak", **WEAK))
    assert labels(strong, "kind")[-1] == "invented"
    assert pick_rate(strong, "invented") > 0.8
    assert pick_rate(weak, "invented") < 0.05


@pytest.mark.slow_without_jit
def test_a_tile_made_strong_or_weak_in_a_variant_is_taken_or_left() -> None:
    usual = pick_rate(RULES, "militia")
    strong = RULES.replace({f"tiles.militia.{column}": value for column, value in STRONG.items()})
    weak = RULES.replace({f"tiles.militia.{column}": value for column, value in WEAK.items()})
    assert pick_rate(weak, "militia") < 0.05 < usual < 0.5 < 0.8 < pick_rate(strong, "militia")


def test_the_best_pair_is_taken_until_its_price_is_higher_than_what_it_is_worth_more() -> None:
    def choice(price: int) -> list[str]:
        game = Scenario(options={"price_per_skip": price, "coin_value": price, "tiles.currency.vp_province": 3})
        game.civ(0, "messages", "slavery").own(0, {"Poland": 1}).points(0, 60)
        game.tray(("heritage", "revolutionaries"), ("medicine", "rebirth"), ("barbarians", "currency"))
        return suggestion(game.turn(0).do("decline"))

    assert choice(1) == ["choose III"]
    assert choice(20) == ["choose I"]


# Every parameter counts ---------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_changes_an_estimate_or_a_game(name: str) -> None:
    default = next(parameter.default for parameter in PARAMETERS if parameter.name == name)
    values = {**dict.fromkeys(YUCATA, 1), "defence": 1, "temporary_tokens": 2, "tokens_reorganization": 1}
    values |= dict.fromkeys((*TABLETOP[TABLETOP.index("forts_chosen") :], "vp_kill"), 1) | {"specialization": 0}
    everything = with_columns(RULES, "barbarians", **values)
    estimates = [
        worth(RULES, "barbarians", "port_col", everything, **changed) for changed in ({}, {name: 4 * default + 1})
    ]
    if estimates[0] != estimates[1]:
        return
    games = [
        vl.simulate(RULES, agents, games=40, seed=2, n_jobs=1, progress=False).games["score"].tolist()
        for agents in ("greedy", f"greedy:{name}={4 * default + 1}")
    ]
    assert games[0] != games[1]


def test_every_parameter_is_described_with_its_default_in_the_guide() -> None:
    lines = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")]
    described = {row[0].strip("`"): (float(row[1]), row[2]) for row in rows if row[0].strip("`") in NAMES}
    assert described == {parameter.name: (parameter.default, parameter.meaning) for parameter in PARAMETERS}
    assert all(parameter.meaning for parameter in PARAMETERS)


# It keeps the rules -------------------------------------------------------------------------------------------------
def check_suggestions(rules: Any, number: int, strange: float) -> None:
    """Play some games in which every suggestion and every planned action must be legal."""
    games = PolicyGames(rules, number)
    for key in range(3 if JIT else 1):
        games.play(key, 1_500 if JIT else 120, strange, plans_every=23)
    assert games.suggested > (400 if JIT else 40)
    assert games.planned > (400 if JIT else 10)


@pytest.mark.parametrize("number", range(16 if JIT else 2))
def test_suggestions_and_plans_are_legal_under_any_reading_of_the_rules(number: int) -> None:
    rules = rules_for(3 + number % 4, "first" if number % 3 == 2 else None, readings(number))
    check_suggestions(rules, number, strange=0.15 * (number % 3))


@pytest.mark.slow_without_jit
@pytest.mark.parametrize(
    "changes",
    [
        {"zero_token_rule": "auto", "survivors_first": "yes", "survivors": "auto"},
        {"peace_optional": "yes", "keep_all_possible": "no", "cohesion_keep": "largest"},
        {"must_enter": "yes", "fort_limit": "supply", "brown_tokens": 30, "zero_cost_must_hold": "yes"},
        {"teleport": "no", "decline_first_turn": "yes", "decline_unentered": "no", "rebirth_start_too": "yes"},
        {"own_decline_target": "no", "spy_on_entry": "no", "drop_tokens_lost": "yes", "price_rule": "debt"},
        {"cost_floor": 1, "both_links": "border", "mountain_over_sea": "yes", "price_rule": "net"},
        {"tiles.barbarians.peace_partners": 2, "tiles.weapons.espionage": 2, "must_enter": "yes"},
        {"tiles.barbarians.cost_any": -4, "tiles.weapons.cost_any": -4, "zero_cost_must_hold": "yes"},
        {"tiles.slavery.temporary_tokens": 20, "tiles.port.forts_chosen": 5, "fort_limit": "supply"},
    ],
    ids=lambda changes: ", ".join(changes),
)
def test_suggestions_and_plans_are_legal_under_options_chosen_together(changes: dict[str, Any]) -> None:
    check_suggestions(rules_for(5, None, tuple(sorted(changes.items()))), 77, strange=0.1)


# It plays well ------------------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
@pytest.mark.parametrize("players", [3, 4, 6])
def test_greedy_beats_random_from_every_seat(players: int) -> None:
    rules, wins, games = load(players), 0, 60
    for seat in range(players):
        agents = ["greedy" if other == seat else "random" for other in range(players)]
        table = vl.simulate(rules, agents, games=games, seed=40 + seat, n_jobs=1, progress=False).games
        wins += int((table.loc[table["agent"] == "greedy", "win_share"] == 1).sum())
    assert binomtest(wins, games * players).proportion_ci(method="wilson").low > 0.9


def test_greedy_declines_a_spent_empire_and_plays_on_with_a_fresh_one() -> None:
    spent = Scenario().civ(0, "messages", "slavery").own(0, {"Poland": 1, "Livonia": 1, "Belarus": 1}).points(0, 30)
    spent.tray(("barbarians", "currency"))
    assert suggestion(spent.turn(0, 4)) == ["decline"]
    fresh = Scenario().civ(0, "barbarians", "currency", hand=12).own(0, {"Poland": 1, "Livonia": 1}).points(0, 30)
    fresh.tray(("messages", "slavery"))
    assert suggestion(fresh.turn(0, 4))[0] == "play on"


def test_greedy_does_not_decline_in_the_last_round() -> None:
    def spent(last: int) -> list[str]:
        game = Scenario().civ(0, "messages", "slavery").own(0, {"Poland": 1, "Livonia": 1}).points(0, 30)
        game.tray(("barbarians", "currency")).turn(0, 4)
        game.state.is_last_round = last
        return suggestion(game)

    assert spent(0) == ["decline"]
    assert spent(1)[0] == "play on"


def test_a_margin_keeps_greedy_from_declining() -> None:
    game = Scenario().civ(0, "messages", "slavery").own(0, {"Poland": 1, "Livonia": 1}).points(0, 30)
    game.tray(("barbarians", "currency")).turn(0, 4)
    assert suggestion(game) == ["decline"]
    assert suggestion(game, decline_margin=200)[0] == "play on"


def test_greedy_takes_rebirth_when_the_next_civilization_promises_more() -> None:
    game = Scenario().civ(0, "rebirth", "slavery", hand=1).own(0, {"Poland": 1, "Livonia": 1}).points(0, 30)
    game.tray(("barbarians", "currency")).turn(0, 4).play_to("rebirth")
    assert suggestion(game) == ["rebirth"]
    assert suggestion(game, decline_margin=200) == ["no rebirth"]


def best_conquest(first: str, second: str, land: str, **params: float) -> str:
    game = Scenario().civ(0, first, second, hand=9).own(0, {land: 1}).conquest(0)
    return suggestion(game, **params)[0]


def test_greedy_conquers_what_its_tiles_pay_for() -> None:
    plain, paid = (best_conquest("barbarians", tile, "Bohemia") for tile in ("messages", "mining"))
    mines = [name for name, row in RULES.content["map"]["provinces"].items() if row["mine"]]
    assert paid.removeprefix("conquer ") in mines
    assert plain != paid


def test_greedy_conquers_no_mountain_without_a_reason() -> None:
    mountains = {name for name, row in RULES.content["map"]["provinces"].items() if row["terrain"] == "mountain"}
    assert best_conquest("barbarians", "messages", "Swabia").removeprefix("conquer ") not in mountains
    assert best_conquest("barbarians", "messages", "Swabia", height=50).removeprefix("conquer ") in mountains


def test_greedy_keeps_away_from_its_empire_in_decline() -> None:
    def targets(tile: str) -> set[str]:
        game = Scenario().civ(0, "barbarians", tile, hand=9).own(0, {"Saxony": 1})
        game.in_decline(0, ["Livonia", "Belarus", "Poland"]).conquest(0)
        return {suggestion(game, key)[0] for key in range(12)}

    assert "conquer Pomerania" in targets("heritage")
    assert "conquer Pomerania" not in targets("messages")


def test_greedy_spreads_its_tokens_so_that_no_province_is_cheap_to_take() -> None:
    land = ("Poland", "Livonia", "Belarus")
    game = Scenario().civ(0, "barbarians", "messages", hand=6).own(0, dict.fromkeys(land, 1))
    game.conquest(0).do("end conquest")
    game.do(*suggestion(game, guard=0))
    prices = [game.tokens(name) + game.tables.base_cost[game.tables.terrain[province(name)]] for name in land]
    assert sum(game.tokens(name) for name in land) == 9
    assert max(prices) - min(prices) <= 1


def test_greedy_names_the_neighbor_who_is_most_dangerous() -> None:
    game = Scenario(players=4).civ(0, "diplomacy", "port", hand=4).own(0, {"Poland": 1})
    game.own(1, {"Portugal": 1, "Castile": 1}).own(2, {"Livonia": 1, "Belarus": 1}).own(3, {"Saxony": 1})
    assert suggestion(game.turn(0).do("play on")) == ["peace 2"]
