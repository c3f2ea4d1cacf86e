"""Which conclusions survive what is not known, and which unknown matters: planted answers are found, noise is not."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import vinci_lab as vl
from vinci_lab.analysis import sensitivity_design as designs
from vinci_lab.analysis import sensitivity_outcomes as outcomes
from vinci_lab.analysis import sensitivity_tables as tables
from vinci_lab.analysis.sensitivity_model import Noise, fit, spread_of
from vinci_lab.cli import app
from vinci_lab.engine.game import game_of
from vinci_lab.engine.ruleset import Ruleset

RANGES = [designs.Unknown("a", "number", 2, 1, 3, "", ""), designs.Unknown("b", "number", 0, 0, 1, "", "")]


def planted(players: int = 3, **ranges: tuple[int, int]) -> Ruleset:
    """Return rules of the small map in which nothing but the named numbers is uncertain."""
    content = vl.ruleset("vinci", players, map="lagoon").to_json()
    for tile in content["tiles"].values():
        tile["confidence"] = "certain"
    content["map"]["confidence"] = "certain"
    content["rules"]["victory_threshold"] = 40
    for name, (low, high) in ranges.items():
        content["provenance"][name] = {"confidence": "reconstructed", "low": low, "high": high, "reason": "Planted"}
    return game_of("vinci").build(content)


# The design ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["lhs", "sobol"])
def test_a_design_gives_every_value_of_a_range_the_same_share(method: str) -> None:
    settings, cube = designs.fill(RANGES, 64, 3, method)
    for column, one in enumerate(RANGES):
        values, counts = np.unique(settings[:, column], return_counts=True)
        assert list(values) == list(range(one.low, one.high + 1))
        assert counts.max() - counts.min() <= 1
    found = designs.evenness(cube, 1)
    assert found["design"] < 0.5 * found["random"]


def test_a_design_follows_from_its_seed() -> None:
    first, second, other = (designs.fill(RANGES, 32, seed)[0] for seed in (1, 1, 2))
    assert (first == second).all()
    assert (first != other).any()


def test_the_listed_variants_of_europe_can_all_be_played_alone_and_together() -> None:
    rules = vl.ruleset("vinci", 4)
    together: dict[str, object] = {}
    for one in rules.variants:
        assert one["reason"]
        assert rules.replace(one["changes"]).hash != rules.hash
        together |= one["changes"]
    assert len(rules.variants) >= 8
    borders = rules.replace(together).content["map"]["borders"]
    assert {"a": "Norway", "b": "Denmark", "kind": "coastal"} in borders
    assert not [border for border in borders if {border["a"], border["b"]} == {"Denmark", "Sweden"}]


# The model ----------------------------------------------------------------------------------------------------------
def noisy(settings: np.ndarray, slopes: list[float], seed: int, games: int = 50, sd: float = 4.0) -> np.ndarray:
    """Return values of single games: a planted linear effect, luck all points share, and luck of their own."""
    rng = np.random.default_rng(seed)
    own = rng.normal(0, sd, (len(settings), games))
    return np.asarray((settings @ np.array(slopes))[:, None] + rng.normal(0, 10, games) + own)


def test_shares_of_planted_effects_are_recovered_and_nothing_gets_nothing() -> None:
    unknowns = [designs.Unknown(name, "number", 0, 0, 3, "", "") for name in "abc"]
    settings = designs.fill(unknowns, 64, 5)[0].astype(float)
    found, beyond = [], []
    for seed in range(40):
        values = noisy(settings, [1.0, 0.5, 0.0], seed)
        noise, means = Noise.of(values), values.mean(axis=1)
        spread = spread_of(means, noise)
        found.append(fit(settings, means, noise, spread).shares)
        beyond.append(spread.signal)
    shares = np.mean(found, axis=0)
    assert shares == pytest.approx([0.8, 0.2, 0.0], abs=0.04)
    planted_variance = (settings @ np.array([1.0, 0.5, 0.0])).var(ddof=1)
    assert np.mean(beyond) == pytest.approx(planted_variance, rel=0.1)


def test_noise_alone_is_rarely_taken_for_an_effect_though_points_share_their_luck() -> None:
    settings = designs.fill(RANGES, 32, 5)[0].astype(float)
    alarms, variances = [], []
    for seed in range(200):
        values = noisy(settings, [0.0, 0.0], seed)
        spread = spread_of(values.mean(axis=1), Noise.of(values), seed)
        alarms.append(spread.is_beyond_noise)
        variances.append(Noise.of(values).variance / (4.0**2 / 50))
    assert np.mean(alarms) < 0.05
    assert np.mean(variances) == pytest.approx(1, abs=0.05)


def test_luck_that_all_settings_share_rarely_makes_a_claim_survive() -> None:
    settings = designs.fill(RANGES, 16, 5)[0]
    claims = [outcomes.Claim("rounds", True, 0.0, "above nothing"), outcomes.Claim("rounds", True, -9.0, "true")]
    verdicts = []
    for seed in range(200):
        values = noisy(settings, [0.0, 0.0], seed)
        base = pd.DataFrame({"rounds": values[0]})
        found = tables.Found(["rounds"], base, values[:, :, None], settings, RANGES, 0.95, seed)
        verdicts.append(list(tables.conclusions_table(found, claims)["verdict"]))
    first, second = zip(*verdicts, strict=True)
    assert first.count("survives") < 0.06 * 200
    assert second.count("survives") > 0.95 * 200
    assert "too few games to tell" in first


def test_a_linear_effect_is_predicted_and_noise_is_not() -> None:
    settings = designs.fill(RANGES, 32, 5)[0].astype(float)
    for slope, least, most in ((3.0, 0.9, 1.0), (0.0, -0.5, 0.35)):
        values = noisy(settings, [slope, 0.0], 1)
        noise, means = Noise.of(values), values.mean(axis=1)
        assert least < fit(settings, means, noise, spread_of(means, noise)).r_squared < most


def test_effects_of_single_games_add_up_to_the_effects_of_tiles() -> None:
    runs = vl.simulate(planted(), games=60, n_jobs=1, progress=False)
    values, table = outcomes.per_game(runs), vl.tile_effects(runs).set_index("tile")
    for name in values.columns[values.columns.str.startswith("tile ")]:
        tile = table.loc[name.removeprefix("tile ")]
        if values[name].notna().all():
            assert values[name].mean() == pytest.approx(tile["estimate"])
            error = values[name].std(ddof=1) / np.sqrt(60)
            assert error == pytest.approx((tile["high"] - tile["low"]) / 2 / 1.96, rel=1e-3)


# The whole ----------------------------------------------------------------------------------------------------------
@pytest.mark.slow_without_jit
def test_a_planted_dominant_unknown_comes_first_and_one_that_changes_nothing_last() -> None:
    rules = planted(victory_threshold=(30, 60), stall_rounds=(150, 250), coin_value=(2, 3))
    found = vl.sensitivity(rules, games=60, points=24, seed=3)
    assert found.unknowns["unknown"].iloc[0] == "victory_threshold"
    rounds = found.shares[found.shares["outcome"] == "rounds"].set_index("unknown")
    assert rounds.loc["victory_threshold", "estimate"] > 0.9
    assert rounds.loc["stall_rounds", "estimate"] < 0.02
    assert rounds.loc["victory_threshold", "effect_low"] > 0
    of_rounds = found.outcomes.set_index("outcome").loc["rounds"]
    assert of_rounds["first"] == "victory_threshold"
    assert of_rounds["r_squared"] > 0.85
    assert "victory_threshold" in repr(found)


@pytest.mark.slow_without_jit
def test_rules_that_nothing_changes_keep_all_their_conclusions_but_for_noise() -> None:
    rules = planted(stall_rounds=(150, 250))
    claim = "rounds > 1"
    found = vl.sensitivity(
        rules, games=60, points=10, seed=3, structures={"renamed": {"title": "X"}}, conclusions=[claim]
    )
    assert not found.outcomes["is_beyond_noise"].any()
    assert found.outcomes["noise_sd"].max() == pytest.approx(0, abs=1e-9)
    assert set(found.conclusions["estimate"]) <= {0.0, 1.0}
    row = found.conclusions.set_index("conclusion").loc[claim]
    assert (row["estimate"], row["verdict"]) == (1.0, "survives")
    assert (found.ranks["low"] == found.ranks["high"]).all()
    assert "No outcome varies" in repr(found)


@pytest.mark.slow_without_jit
def test_the_result_does_not_depend_on_the_number_of_workers_and_is_saved_whole(tmp_path: object) -> None:
    rules = planted(victory_threshold=(35, 45))
    one, two = (vl.sensitivity(rules, games=30, points=6, seed=2, n_jobs=n_jobs) for n_jobs in (1, 2))
    for name in ("conclusions", "unknowns", "shares", "outcomes", "ranks", "design", "values"):
        pd.testing.assert_frame_equal(getattr(one, name), getattr(two, name))
    folder = one.save(f"{tmp_path}/saved")
    assert len(list(folder.glob("*.csv"))) == 7
    assert (folder / "sensitivity.svg").read_text(encoding="utf-8").startswith("<svg xmlns")
    assert "victory_threshold" in (folder / "findings.txt").read_text(encoding="utf-8")


def test_what_cannot_be_varied_is_said_in_a_sentence() -> None:
    rules = planted()
    with pytest.raises(ValueError, match="they have no number with a range and no variant"):
        vl.sensitivity(rules)
    rules = planted(victory_threshold=(30, 60))
    for settings, sentence in (
        ({"points": 3}, "points: must be a whole number of at least 4 for 1 unknowns; name fewer"),
        ({"games": 3}, "games: must be a whole number of at least 20, got 3"),
        ({"unknowns": ["luck"]}, "unknowns: there is no number with a range 'luck'; there are victory_threshold"),
        ({"structures": ["bridge"]}, "structures: there is no variant of these rules 'bridge'; there are none"),
        ({"structures": {"a": {"victory_threshold": 9}}}, "both change victory_threshold; keep one of them"),
        ({"design": "grid"}, "design: must be one of lhs, sobol, got 'grid'"),
        ({"design": "sobol", "points": 9}, "a Sobol sequence needs a power of two"),
        ({"structures": {"a": {"map.borders.A/B": "land"}}, "points": 8}, "must name two provinces"),
    ):
        with pytest.raises(ValueError, match=sentence):
            vl.sensitivity(rules, **settings)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("rounds about 10", "must be such as 'rounds < 12'"), ("luck > 1", "there is no quantity 'luck'; choose from")],
)
def test_a_claim_that_cannot_be_read_is_said_in_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        outcomes.read_claims([text], ["rounds"])


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        ("map.borders.Norway", "land", "must name two provinces"),
        ("map.borders.Norway/Norway", "land", "must name two different provinces"),
        ("map.borders.Norway/Denmark", "bridge", "must be one of land, coastal, none"),
        ("map.borders.Norway/Urals", "coastal", "must touch a common sea zone"),
    ],
)
def test_a_border_that_cannot_be_is_refused_in_a_sentence(place: str, value: str, sentence: str) -> None:
    with pytest.raises(vl.DataError, match=sentence):
        vl.ruleset("vinci", 4).replace({place: value})


def test_the_command_says_what_is_wrong() -> None:
    result = CliRunner().invoke(app, ["sensitivity", "vinci", "--points", "4"])
    assert result.exit_code == 2
    assert "points: must be a whole number of at least" in result.output
