"""Which conclusions survive what is not known about the rules, and which unknown matters most."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vinci_lab.analysis import plots_sensitivity
from vinci_lab.analysis.sensitivity import Sensitivity
from vinci_lab.analysis.sensitivity import sensitivity as vary
from vinci_lab.analysis.sensitivity_design import unknowns_of
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Missing, Part, Section, drawn

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

NAME, TITLE = "sensitivity", "What survives what is not known"
GAMES = 100  # at every setting of the unknowns
LEAST_POINTS = 64
MOST_UNKNOWNS = 10


def section(runs: Runs, context: Context) -> Section:
    """Return conclusions and unknowns of a small study of sensitivity."""
    command = context.command(NAME)
    why = context.too_few("asking what survives") or context.why_no_further_games()
    if why:
        return Section(TITLE, (Missing(NAME, TITLE, why, command),))
    games = min(GAMES, max(context.further // 20, 20))
    try:
        points = max(LEAST_POINTS, 2 * len(unknowns_of(runs.rules, None, None)) + 2)
        found = vary(runs.rules, games, points, runs.seed, context.player, level=context.level, n_jobs=context.n_jobs)
    except ValueError as error:
        return Section(TITLE, (Missing(NAME, TITLE, f"Nothing can be varied: {error}.", command),))
    return Section(TITLE, (_conclusions(found, context), _unknowns(found, context)), findings=(_finding(found),))


def _finding(found: Sensitivity) -> str:
    table = found.conclusions
    counts = table["verdict"].value_counts()
    said = ", ".join(f"{number} of {len(table)}: {verdict}" for verdict, number in counts.items())
    last = table.sort_values("without_noise_low", kind="stable").iloc[0]
    return (
        f"What survives: when all unknown numbers and variants of the map vary together, conclusions fare so: {said}. "
        f"The least certain is that {last.conclusion}: it holds in {last.without_noise_low:.0%} to "
        f"{last.without_noise:.0%} of settings with the noise of the games taken out, cautiously and by the best guess."
    )


def _command(found: Sensitivity, context: Context) -> str:
    options = {"games": found.games, "points": len(found.design), "level": f"{context.level:g}", "out": NAME}
    return context.origin.typed(NAME, **options)


def _settings(found: Sensitivity, context: Context) -> str:
    what = f"{len(found.design)} settings of {len(found.unknowns)} unknowns with {found.games} games each"
    return context.further_settings(f"{what}, on common keys, and {found.base_games:,} with the rules as they are")


def _conclusions(found: Sensitivity, context: Context) -> Part:
    caption = "Share of the settings in which each conclusion holds, noise taken out; the line: cautiously."
    rows = min(len(found.conclusions), plots_sensitivity.MOST_ROWS)
    return Part(
        "conclusions",
        "Which conclusions survive",
        found.conclusions,
        [
            Field("conclusion", "Conclusion"),
            Field("without_noise", "holds in", ".0%"),
            Field("without_noise_low", "cautiously", ".0%"),
            Field("estimate", "as seen", ".0%", "low", "high"),
            Field("contradicted", "contradicted", ".0%"),
            Field("verdict", "verdict"),
        ],
        "Share of the settings where a conclusion drawn from the rules as they are holds too. Every value of a range "
        "has the same weight and unknowns vary independently, so a share is one of what is thought possible, not a "
        "probability that it is true of the printed game. With few games at each setting the noise is large; it is "
        "estimated and taken out, once by the best guess and once cautiously.",
        _settings(found, context),
        _command(found, context),
        drawings=(
            drawn(
                "conclusions-figure",
                caption,
                lambda ax: plots_sensitivity.conclusion_dots(found.conclusions, ax),
                0.8 + 0.24 * rows,
            ),
        ),
    )


def _unknowns(found: Sensitivity, context: Context) -> Part:
    caption = "Share of the variance that goes with each unknown, the mean over tiles, places and course."
    shown = found.unknowns.head(MOST_UNKNOWNS)
    return Part(
        "unknowns",
        "Which unknown matters most",
        found.unknowns,
        [
            Field("unknown", "Unknown"),
            Field("kind", "kind"),
            Field("estimate", "share of variance", ".0%", "low", "high"),
            Field("tiles", "of tiles", ".0%"),
            Field("places", "of places", ".0%"),
            Field("course", "of the course", ".0%"),
        ],
        "Share of the variance over the settings, without the noise of the games, that goes with an unknown in a "
        "linear model, averaged over the outcomes that vary beyond noise. Checking the first of these against a "
        "printed copy would settle most.",
        _settings(found, context),
        _command(found, context),
        drawings=(
            drawn(
                "unknowns-figure",
                caption,
                lambda ax: plots_sensitivity.unknown_dots(shown, ax),
                0.8 + 0.24 * len(shown),
            ),
        ),
        shown=shown,
    )
