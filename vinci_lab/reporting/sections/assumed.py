"""What is not certain about the rules."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.reporting.context import Context
from vinci_lab.reporting.origin import Origin
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

NAME, TITLE = "assumed", "What is not certain about the rules"
COLUMNS = ["place", "value", "low", "high", "confidence", "reason"]


def section(runs: Runs, context: Context) -> Section:
    """Return the numbers of the rules that are not certain, and how to play with others."""
    table = with_changes(pd.DataFrame(runs.rules.assumed, columns=COLUMNS, dtype=object), context.origin)
    return of_table(table, context.origin)


def of_table(table: pd.DataFrame, origin: Origin) -> Section:
    """Return the section on a table of uncertain numbers."""
    if not len(table):
        certain = "Every number of these rules is marked as certain."
        return Section(
            TITLE, (Missing(NAME, "Nothing is assumed", certain),), findings=(f"Assumed: nothing. {certain}",)
        )
    missing = what_is_missing(table)
    counts = table["confidence"].value_counts()
    said = " and ".join(f"{count} are {confidence}" for confidence, count in counts.items())
    heads = {
        "place": "Place",
        "value": "used",
        "low": "low",
        "high": "high",
        "confidence": "confidence",
        "reason": "why",
    }
    part = Part(
        NAME,
        "Numbers that are not certain",
        table,
        [Field(column, head) for column, head in heads.items()],
        f"{missing} Of the entries below, {said}. Reconstructed values are guesses from reports and patterns, within "
        "the range given, and not the published ones; changed ones were set for this study. What this page says "
        "about tiles, provinces, seats and length is about this reconstruction; it holds for the published game only "
        "as far as it does not change with these values.",
        "The data files as they were when the games were played.",
        origin.typed("study", only=NAME),
    )
    return Section(
        TITLE,
        (part,),
        ("To see how far a result depends on one of these numbers, play the study again with another value:",),
        findings=(f"Assumed: {missing} All findings are about this reconstruction.",),
        command=f"{origin.command} --set {shlex.quote(_another(table))} --out OTHER",
    )


def with_changes(assumed: pd.DataFrame, origin: Origin) -> pd.DataFrame:
    """Return the table with the entries that were set for this study marked so, without range or reason of the old."""
    marked = assumed.copy()
    for change in origin.changes:
        is_here = marked["place"] == change.place
        marked.loc[is_here, ["low", "high"]] = None
        marked.loc[is_here, "confidence"] = "changed"
        marked.loc[is_here, "reason"] = f"Set for this study; the data files have {change.before}"
    return marked


def what_is_missing(assumed: pd.DataFrame) -> str:
    """Return a sentence on the originals that the rules were written without."""
    guessed = assumed[assumed["confidence"] == "reconstructed"]["place"].astype(str)
    tokens = int((guessed.str.startswith("tiles.") & guessed.str.endswith(".tokens")).sum())
    known = {"the printed board": (guessed == "map").any(), f"the red numbers (tokens) of {tokens} tiles": tokens > 0}
    missing = [name for name, is_missing in known.items() if is_missing]
    if not missing:
        return f"{len(assumed)} entries of the rules are not certain."
    said = " and ".join(missing)
    return f"{said[0].upper()}{said[1:]} could not be obtained and are reconstructed."


def _another(assumed: pd.DataFrame) -> str:
    """Return ``place=value`` for an entry and a value in its range that is not the one used."""
    for entry in assumed.to_dict("records"):
        for value in (entry["low"], entry["high"]):
            if not pd.isna(value) and value != entry["value"]:
                return f"{entry['place']}={value}"
    return f"{assumed['place'].iloc[0]}=VALUE"
