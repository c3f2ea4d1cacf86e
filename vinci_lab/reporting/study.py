"""``write_study``: a run as one self-contained HTML page with its summary tables beside it."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Callable
from dataclasses import replace
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
from matplotlib.axes import Axes

import vinci_lab
from vinci_lab.analysis import plots
from vinci_lab.reporting import boards, page
from vinci_lab.reporting.origin import Change, Origin, origin_of
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.summary import PLACE_NAMES, Summary, summarize
from vinci_lab.simulation.files import frame_csv, write_whole

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

PAGE_FILE = "index.html"
TABLE_FILES = ("seats", "tiles", "pace", "length", "scores", "places", "assumed")
PACKAGES = ("numpy", "numba", "pandas", "scipy", "joblib", "matplotlib", "pyarrow")
FOUGHT_OVER = 12
MOST_CHANGES = 12
SMALLEST_P = 1e-4


def write_study(runs: Runs, folder: str | Path, data: str | Path | None = None, summary: Summary | None = None) -> Path:
    """Write a study of a run: ``index.html``, which needs nothing else, and the summary tables as CSV.

    The same run gives the same files.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    folder : path
        Made when missing.
    data : path, optional
        The data folder the rules were read from, for the command that makes the study again.
    summary : Summary, optional
        Of these runs, if already worked out.

    Returns
    -------
    Path
        The page.
    """
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    summary, origin = summary or summarize(runs), origin_of(runs, data)
    summary = replace(summary, assumed=_with_changes(summary.assumed, origin))
    for name in TABLE_FILES:
        frame: pd.DataFrame = getattr(summary, name)
        _write_text(target / f"{name}.csv", frame_csv(frame, "%.6g"))
    parts = [
        *_opening(runs, summary, origin),
        *boards.position_parts(runs),
        *_length(summary),
        *_scores(runs, summary),
        *_seats(summary),
        *_tiles(summary),
        *_places(runs, summary),
        *_assumed(summary, origin),
        *_making(runs, origin),
    ]
    title = f"{_title(runs)}: a study of {runs.settings['completed']:,} games"
    _write_text(target / PAGE_FILE, page.page(title, [f"<h1>{page.escape(title)}</h1>", *parts]))
    return target / PAGE_FILE


def _write_text(path: Path, text: str) -> None:
    write_whole(path, lambda unfinished: unfinished.write_text(text, encoding="utf-8", newline="\n"))


def _title(runs: Runs) -> str:
    return str(runs.rules.content.get("title") or f"{runs.rules.game}, {runs.rules.edition}")


def _with_changes(assumed: pd.DataFrame, origin: Origin) -> pd.DataFrame:
    """Return the table with the entries that were set for this study marked so, without range or reason of the old."""
    marked = assumed.copy()
    for change in origin.changes:
        is_here = marked["place"] == change.place
        marked.loc[is_here, ["low", "high"]] = None
        marked.loc[is_here, "confidence"] = "changed"
        marked.loc[is_here, "reason"] = f"Set for this study; the data files have {change.before}"
    return marked


def _said(change: Change) -> str:
    """Return a change in words."""
    if change.before is None:
        return f"{change.place} is new"
    return f"{change.place} is gone" if change.after is None else f"{change.place} {change.before} → {change.after}"


def _drawing(name: str, title: str, draw: Callable[[Axes], object], height: float = 3.2) -> str:
    """Return a figure drawn by ``draw`` as SVG."""
    figure, axes = plots.new_figure(height=height)
    draw(axes)
    return plots.svg(figure, name, page.escape(title))


def _opening(runs: Runs, summary: Summary, origin: Origin) -> list[str]:
    settings = runs.settings
    agents = ", ".join(dict.fromkeys(settings["agents"]))
    found = "".join(f"<li>{page.escape(sentence)}</li>" for sentence in summary.findings())
    parts = [
        page.paragraph(
            f"{len(settings['agents'])} seats, played by {agents}; seed {settings['seed']}. Intervals are at "
            f"{100 * summary.level:g}% and take the game as the independent unit. They say how sure the simulation "
            "is, not how people would play.",
            "lead",
        ),
        f'<ul class="findings">{found}</ul>',
    ]
    if origin.changes:
        said = "; ".join(_said(change) for change in origin.changes[:MOST_CHANGES])
        more = len(origin.changes) - MOST_CHANGES
        said += f"; and {more} more" if more > 0 else ""
        parts.append(page.paragraph(f"Changed for this study: {said}.", "note"))
    if len(summary.assumed):
        parts.append(page.paragraph(f"{_missing(summary)} All findings are about this reconstruction.", "note"))
    if not runs.is_complete:
        parts.append(
            page.paragraph(
                f"The run was interrupted: {settings['completed']:,} of {settings['games']:,} games.", "note"
            )
        )
    return parts


def _length(summary: Summary) -> list[str]:
    drawing = _drawing(
        "length",
        "Share of games by number of rounds",
        lambda ax: plots.bars(summary.length["value"], summary.length["estimate"], ax).set(
            xlabel="rounds", ylabel="share of games"
        ),
    )
    is_share = summary.pace["unit"].str.startswith("share")
    means = [
        Field("quantity", "Quantity"),
        Field("estimate", "mean", ".2f", "low", "high"),
        Field("unit", "unit"),
        Field("n", "games", ","),
    ]
    shares = [Field("quantity", "Quantity"), Field("estimate", "share", ".2%", "low", "high"), Field("n", "games", ",")]
    return [
        page.heading("Length and pace"),
        page.figure(drawing, "Length of a game (length.csv)."),
        page.table(summary.pace[~is_share], means),
        page.table(summary.pace[is_share], shares),
    ]


def _scores(runs: Runs, summary: Summary) -> list[str]:
    games = runs.table("games", ["score", "is_winner"])
    drawing = _drawing(
        "scores",
        "Distribution of final scores",
        lambda ax: plots.score_histogram(games["score"], games["is_winner"], ax).set(
            xlabel="final score", ylabel="share of seats"
        ),
    )
    quantiles = {"q05": "5%", "q25": "25%", "q50": "median", "q75": "75%", "q95": "95%"}
    fields = [
        Field("place", "Place", "d"),
        Field("estimate", "mean score", ".2f", "low", "high"),
        *(Field(column, head, ".0f") for column, head in quantiles.items()),
    ]
    return [
        page.heading("Scores"),
        page.figure(drawing, "Final scores of all seats and of the winners, in steps of five points."),
        page.table(summary.scores, fields),
    ]


def _seats(summary: Summary) -> list[str]:
    seats = summary.seats.assign(name=[PLACE_NAMES[place] for place in summary.seats["turn_order"]])
    even = float(seats["expected"].iloc[0])
    drawing = _drawing(
        "seats",
        "Share of the win by place in turn order",
        lambda ax: plots.share_bars(seats, ax, list(seats["name"]), even).set(
            xlabel="plays", ylabel="share of the win"
        ),
    )
    fields = [
        Field("name", "Plays"),
        Field("estimate", "share of the win", ".2%", "low", "high"),
        Field("score", "mean score", ".2f", "score_low", "score_high"),
        Field("n", "games", ","),
    ]
    test = seats.iloc[0]
    return [
        page.heading("Seats"),
        page.figure(drawing, f"Wins by place in turn order; the dashed line is the even share of 1/{len(seats)}."),
        page.table(seats, fields),
        page.paragraph(
            f"Test that all places are alike: chi-square {test.chi_square:.2f} with {len(seats) - 1} degrees of "
            f"freedom, p = {test.p_value:.3g}. Ties share the win; intervals are Wilson's.",
            "note",
        ),
    ]


def _tiles(summary: Summary) -> list[str]:
    drawing = _drawing(
        "tiles",
        "Points that go with each tile",
        lambda ax: plots.interval_dots(summary.tiles, ax, "title").set(
            xlabel="points of final score against an average tile"
        ),
        height=0.6 + 0.24 * len(summary.tiles),
    )
    fields = [
        Field("title", "Tile"),
        Field("estimate", "points", "+.2f", "low", "high"),
        Field("p_holm", "p (Holm)", "s"),
        Field("points", "earned", ".1f"),
        Field("turns_active", "turns", ".1f"),
        Field("win_share", "wins", ".1%", "win_share_low", "win_share_high"),
        Field("pick_rate", "picked", ".1%"),
        Field("n", "holdings", ","),
    ]
    shown = summary.tiles.assign(p_holm=summary.tiles["p_holm"].map(_p_value, na_action="ignore"))
    return [
        page.heading("Tiles"),
        page.paragraph(
            "Points: difference in final score between two seats of the same game that held as many civilizations and "
            "differ by this tile against an average one, net of prices and coins. It says what goes with a tile when "
            "these agents choose and pay; it is not the effect of handing the tile to somebody. p (Holm): how often "
            "chance alone would make some tile look this far from average."
        ),
        page.paragraph(
            "Earned and turns: points a civilization with the tile made on the board, its partner's share included, "
            "and the turns it was active. A civilization that is kept long earns more and leaves time for fewer "
            "others, so a high number here is no sign of strength by itself. Wins: share of the win of seats that held "
            "the tile. Picked: of the times it could be taken. All intervals are in tiles.csv."
        ),
        page.figure(drawing, "Points that go with each tile, best first, with intervals (tiles.csv)."),
        page.table(shown, fields),
    ]


def _places(runs: Runs, summary: Summary) -> list[str]:
    shown = summary.places.sort_values("conquests_per_game", ascending=False, kind="stable").head(FOUGHT_OVER)
    per_game = {"conquests": "conquests per game", "entries": "entries per game", "points": "points per game"}
    shares = {"active": "held", "decline": "in decline", "neutral": "neutral", "empty": "empty"}
    fields = [
        Field("province", "Province"),
        *(Field(f"{name}_per_game", head, ".2f") for name, head in per_game.items()),
        *(Field(f"share_{name}", head, ".1%") for name, head in shares.items()),
    ]
    return [
        page.heading("Provinces"),
        page.paragraph(
            "The provinces that are conquered most; shares are of all ends of turns. The whole table is in places.csv."
        ),
        page.table(shown, fields),
        *boards.map_parts(runs, summary.places),
    ]


def _assumed(summary: Summary, origin: Origin) -> list[str]:
    parts = [page.heading("What is not certain about the rules")]
    if not len(summary.assumed):
        return [*parts, page.paragraph("Every number of these rules is marked as certain.")]
    counts = summary.assumed["confidence"].value_counts()
    said = " and ".join(f"{count} are {confidence}" for confidence, count in counts.items())
    parts.append(
        page.paragraph(
            f"{_missing(summary)} Of the entries below, {said}. Reconstructed values are guesses from reports and "
            "patterns, within the range given, and not the published ones; changed ones were set for this study. "
            "What this page says about tiles, provinces, seats and length is about this reconstruction; it holds for "
            "the published game only as far as it does not change with these values. To see whether it does, play "
            "the study again with another one:"
        )
    )
    again = f"{origin.command} --set {shlex.quote(_another(summary.assumed))} --out OTHER"
    parts.append(f"<pre>{page.escape(again)}</pre>")
    heads = {
        "place": "Place",
        "value": "used",
        "low": "low",
        "high": "high",
        "confidence": "confidence",
        "reason": "why",
    }
    return [*parts, page.table(summary.assumed, [Field(column, head) for column, head in heads.items()])]


def _missing(summary: Summary) -> str:
    """Return a sentence on the originals that the rules were written without."""
    guessed = summary.assumed[summary.assumed["confidence"] == "reconstructed"]["place"].astype(str)
    tokens = int((guessed.str.startswith("tiles.") & guessed.str.endswith(".tokens")).sum())
    known = {"the printed board": (guessed == "map").any(), f"the red numbers (tokens) of {tokens} tiles": tokens > 0}
    missing = [name for name, is_missing in known.items() if is_missing]
    if not missing:
        return f"{len(summary.assumed)} entries of the rules are not certain."
    said = " and ".join(missing)
    return f"{said[0].upper()}{said[1:]} could not be obtained and are reconstructed."


def _another(assumed: pd.DataFrame) -> str:
    """Return ``place=value`` for an entry and a value in its range that is not the one used."""
    for entry in assumed.to_dict("records"):
        for value in (entry["low"], entry["high"]):
            if not pd.isna(value) and value != entry["value"]:
                return f"{entry['place']}={value}"
    return f"{assumed['place'].iloc[0]}=VALUE"


def _p_value(value: float) -> str:
    return f"<{SMALLEST_P:g}" if value < SMALLEST_P else f"{value:.2g}"


def _making(runs: Runs, origin: Origin) -> list[str]:
    settings = runs.settings
    facts = {
        "game and edition": f"{settings['game']}, {settings['edition']}, {len(settings['agents'])} seats",
        "agents by seat": ", ".join(settings["agents"]),
        "games": f"{settings['completed']:,}",
        "seed": settings["seed"],
        "ruleset hash": settings["ruleset_hash"],
        "digest of the tables": runs.digest,
        "vinci_lab": f"{settings['version']} (rules of {settings['game']}: version {settings['game_version']})",
        "made with": ", ".join([f"Python {platform.python_version()}", *_versions()]),
    }
    if settings["version"] != vinci_lab.__version__:
        facts["report by"] = f"vinci_lab {vinci_lab.__version__}"
    return [
        page.heading("How to make this again"),
        f"<pre>{page.escape(origin.command)}</pre>",
        page.definitions(facts),
        page.paragraph(
            "With the same data files this command gives the same ruleset hash and the same digest on any machine, "
            "with any number of cores. A different ruleset hash means that a number of the rules has been changed."
            if origin.is_exact
            else "No command makes this study exactly: its rules or agents are not in the data files or known to the "
            "command line. Make them in Python as before; the ruleset hash tells whether the rules are the same."
        ),
    ]


def _versions() -> list[str]:
    return [f"{name} {metadata.version(name)}" for name in PACKAGES]
