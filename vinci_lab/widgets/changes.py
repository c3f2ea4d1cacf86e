"""Changes of the rules as a person puts them together: which numbers there are, and what they become. No widget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from vinci_lab.engine.ruleset import Ruleset

NO_RULES = ("provenance",)  # says how sure numbers are; nothing of it is played
RANGE = ("_low", "_high")  # what a number might be in truth; not played either


def numbers_of(rules: Ruleset) -> dict[str, dict[str, float]]:
    """Return the numbers of the rules: by part, by place, with their values.

    Parameters
    ----------
    rules : Ruleset
        Whose numbers.

    Returns
    -------
    dict
        ``{"rules": {"rules.victory_threshold": 120, ...}, "tiles.weapons": {"tiles.weapons.tokens": 3, ...}}``; the
        places are those of :meth:`Ruleset.replace`. Numbers other than 0 come first in their part.
    """
    found: dict[str, dict[str, float]] = {}
    for part, value in rules.content.items():
        if isinstance(value, Mapping) and part not in NO_RULES:
            _gather(part, value, found)
    return {part: dict(sorted(numbers.items(), key=lambda item: item[1] == 0)) for part, numbers in found.items()}


def _gather(part: str, content: Mapping[str, Any], found: dict[str, dict[str, float]]) -> None:
    for name, value in content.items():
        place = f"{part}.{name}"
        is_range = name.endswith(RANGE) and name.rpartition("_")[0] in content
        if isinstance(value, Mapping):
            _gather(place, value, found)
        elif isinstance(value, int | float) and not isinstance(value, bool) and not is_range:
            found.setdefault(part, {})[place] = value


@dataclass
class Changes:
    """A list of changes to some rules.

    Attributes
    ----------
    rules : Ruleset
        As they are.
    made : dict of str to number
        Places and their new values.
    """

    rules: Ruleset
    made: dict[str, float] = field(default_factory=dict)

    def set(self, place: str, value: float) -> None:
        """Change a number, or no longer if it is what the rules say.

        Raises
        ------
        DataError
            If there is no such number, or the value is not allowed with the other changes; nothing has changed then.
        """
        number = int(value) if float(value).is_integer() else value
        self.rules.replace({**self.made, place: number})
        if number == self.printed(place):
            self.made.pop(place, None)
        else:
            self.made[place] = number

    def printed(self, place: str) -> float | None:
        """Return what the rules say, or None if it is not among the listed numbers."""
        for numbers in numbers_of(self.rules).values():
            if place in numbers:
                return numbers[place]
        return None

    @property
    def changed(self) -> Ruleset:
        """The rules with the changes."""
        return self.rules.replace(self.made) if self.made else self.rules

    @property
    def words(self) -> list[str]:
        """The changes, one line each."""
        return [f"{place}: {self.printed(place):g} → {value:g}" for place, value in self.made.items()]

    @property
    def assumed(self) -> list[str]:
        """Those of the changed numbers that are reconstructed or not certain, with what is known of them."""
        known = {one["place"]: one for one in self.rules.assumed}
        return [
            f"{place}: {known[short]['value']} is {known[short]['confidence']}, {known[short]['low']} to "
            f"{known[short]['high']} is possible"
            for place in self.made
            if (short := place if place in known else place.partition(".")[2]) in known
        ]
