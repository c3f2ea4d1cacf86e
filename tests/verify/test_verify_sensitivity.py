"""What survives the unknowns survives another design and other games too."""

from __future__ import annotations

from collections.abc import Callable

import vinci_lab as vl


def test_what_survives_is_not_contradicted_by_another_design_and_other_games(tell: Callable[[str], None]) -> None:
    rules = vl.ruleset("vinci", players=4)
    first, second = (vl.sensitivity(rules, games=1_000, points=128, seed=seed) for seed in (11, 12))
    surviving = first.conclusions[first.conclusions["verdict"] == "survives"].set_index(["quantity", "sign"])
    assert len(surviving) >= 5
    for quantity, sign in surviving.index:
        values = second.values[quantity]
        number = float(surviving.loc[(quantity, sign), "number"])
        holds = (values > number if sign == ">" else values < number).mean()
        assert holds > 0.75, f"{quantity} {sign} {number} holds in {holds:.0%} of the other settings, noise included"
    leading = [set(one.unknowns["unknown"].head(3)) for one in (first, second)]
    assert len(leading[0] & leading[1]) >= 2
    tell(
        f"{len(surviving)} conclusions survive what is not known, in two designs of 128 settings of 1,000 games; most "
        f"matter {', '.join(sorted(leading[0] & leading[1]))}"
    )
