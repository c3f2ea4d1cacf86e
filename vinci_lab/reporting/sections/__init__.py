"""The sections of a report, one file each: functions of a run and a :class:`~vinci_lab.reporting.context.Context`.

A new section is a new file with a function ``section(runs, context) -> Section`` and a line in ``SECTIONS``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from vinci_lab.reporting.context import Context
from vinci_lab.reporting.parts import Section
from vinci_lab.reporting.sections import (
    assumed,
    declines,
    designs,
    drama,
    example,
    length,
    making,
    pairs,
    places,
    prices,
    scores,
    seats,
    sensitivity,
    thresholds,
    tiles,
)

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

SECTIONS: dict[str, Callable[[Runs, Context], Section]] = {
    "example": example.section,
    "length": length.section,
    "scores": scores.section,
    "drama": drama.section,
    "declines": declines.section,
    "seats": seats.section,
    "tiles": tiles.section,
    "designs": designs.section,
    "pairs": pairs.section,
    "prices": prices.section,
    "places": places.section,
    "thresholds": thresholds.section,
    "sensitivity": sensitivity.section,
    "assumed": assumed.section,
    "making": making.section,
}
SUMMARY_ORDER = (
    "length",
    "seats",
    "tiles",
    "designs",
    "pairs",
    "prices",
    "thresholds",
    "drama",
)  # the others follow as on the page
