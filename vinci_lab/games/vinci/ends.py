"""The numbers of the rules that end a game, for whoever wants to know what other values of them would do."""

from __future__ import annotations

from typing import Any

from vinci_lab.engine.ruleset import Ruleset


def end_measures(rules: Ruleset) -> dict[str, dict[str, Any]]:
    """Return the places of the rules that can end a game, the one in force first.

    Parameters
    ----------
    rules : Ruleset
        Of this game.

    Returns
    -------
    dict
        By place, ``value``, as in the rules; ``unit``; ``title`` for an axis; and ``column`` of the table ``turns``:
        the round in which it first reaches the value is the last one. Rulebook, "End of the Game"; a score counts at
        any moment of a turn or at its end, as the option ``threshold_rule`` says.
    """
    numbers, options = rules.content["rules"], rules.content["options"]
    column = "score_peak" if options["threshold_rule"] == "sticky" else "score_after"
    found = {
        "victory_threshold": {"unit": "points", "title": "victory threshold", "column": column},
        "rounds_limit": {"unit": "rounds", "title": "number of rounds", "column": "round"},
    }
    in_force = "rounds_limit" if numbers["rounds_limit"] else "victory_threshold"
    return {
        place: {"value": numbers[place], **found[place]} for place in sorted(found, key=lambda one: one != in_force)
    }
