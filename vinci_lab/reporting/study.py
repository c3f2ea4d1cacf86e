"""A run as one self-contained HTML page with its tables beside it, made of sections."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from vinci_lab.reporting import page
from vinci_lab.reporting.context import FURTHER_GAMES, Context
from vinci_lab.reporting.origin import Change, origin_of
from vinci_lab.reporting.parts import Part, Section
from vinci_lab.reporting.sections import SECTIONS, SUMMARY_ORDER
from vinci_lab.simulation.files import frame_csv, write_whole

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

MOST_CHANGES = 12


@dataclass(frozen=True)
class Study:
    """A finished report.

    Attributes
    ----------
    title : str
        Of the page.
    lead : str
        A paragraph below it.
    sections : mapping of str to Section
        By name, in the order of the page.
    remarks : tuple of str
        What holds for all of it, such as changed rules.
    name : str
        Of the page's file, without ending.
    """

    title: str
    lead: str
    sections: Mapping[str, Section]
    remarks: tuple[str, ...] = ()
    name: str = "index"

    @property
    def findings(self) -> list[str]:
        """The summary: sentences, each with its interval."""
        first = [name for name in SUMMARY_ORDER if name in self.sections]
        names = [*first, *(name for name in self.sections if name not in first)]
        return [finding for name in names for finding in self.sections[name].findings]

    def html(self) -> str:
        """Return the page."""
        names = list(self.sections)
        anchors = {f"section-{name}": self.sections[name].title for name in names}
        parts = [
            f"<h1>{page.escape(self.title)}</h1>",
            page.paragraph(self.lead, "lead"),
            *([page.bullets(self.findings, "findings")] if self.findings else []),
            *(page.paragraph(remark, "note") for remark in self.remarks),
            page.contents(anchors),
            *(
                page.section(f"section-{name}", self.sections[name].title, self.sections[name].body(), name == names[0])
                for name in names
            ),
        ]
        return page.page(self.title, parts)

    def write(self, folder: str | Path) -> Path:
        """Write the page and a CSV file for every table, and return the path of the page."""
        target = Path(folder)
        target.mkdir(parents=True, exist_ok=True)
        for section in self.sections.values():
            for part in section.parts:
                if isinstance(part, Part):
                    _write_text(target / f"{part.name}.csv", frame_csv(part.table, "%.6g"))
        page_file = target / f"{self.name}.html"
        _write_text(page_file, self.html())
        return page_file


def make_study(
    runs: Runs,
    data: str | Path | None = None,
    only: Iterable[str] | None = None,
    further: int = FURTHER_GAMES,
    level: float = 0.95,
    n_jobs: int = -1,
) -> Study:
    """Return the report on a run.

    Parameters
    ----------
    runs : Runs
        Simulated games, all of those asked for or not.
    data : path, optional
        The data folder the rules were read from, for the commands on the page.
    only : iterable of str, optional
        Names of sections, see :data:`vinci_lab.reporting.sections.SECTIONS`; all if left out. The page is then named
        after them, so that it does not replace a whole report.
    further : int
        Games that a section may play for each variant it looks at, such as for each threshold, and never more than the
        run has; 0 for none, which is quick.
    level : float
        Of confidence of all intervals.
    n_jobs : int
        Games in parallel, for further games.

    Raises
    ------
    ValueError
        If there is no such section.
    """
    wanted = list(SECTIONS) if only is None else list(only)
    for name in wanted:
        if name not in SECTIONS:
            raise ValueError(f"only: there is no section {name!r}; choose from {', '.join(SECTIONS)}")
    context = Context(runs, origin_of(runs, data), level, further, n_jobs)
    sections = {name: make(runs, context) for name, make in SECTIONS.items() if name in wanted}
    return Study(
        f"{_title(runs)}: a study of {context.games:,} {'game' if context.games == 1 else 'games'}",
        f"{len(runs.agents)} seats, played by {context.agents}; seed {runs.seed}. Intervals are at {100 * level:g}% "
        "and take the game as the independent unit. They say how sure the simulation is, not how people would play.",
        sections,
        tuple(_remarks(runs, context)),
        "index" if only is None else "-".join(sections),
    )


def write_study(
    runs: Runs,
    folder: str | Path,
    data: str | Path | None = None,
    further: int = FURTHER_GAMES,
    level: float = 0.95,
    n_jobs: int = -1,
) -> Path:
    """Write the report on a run: ``index.html``, which needs nothing else, and every table as CSV.

    The same run gives the same files.

    Parameters
    ----------
    runs : Runs
        Simulated games.
    folder : path
        Made when missing.
    data, further, level, n_jobs
        As for :func:`make_study`.

    Returns
    -------
    Path
        The page.
    """
    return make_study(runs, data, None, further, level, n_jobs).write(folder)


def _write_text(path: Path, text: str) -> None:
    write_whole(path, lambda unfinished: unfinished.write_text(text, encoding="utf-8", newline="\n"))


def _title(runs: Runs) -> str:
    return str(runs.rules.content.get("title") or f"{runs.rules.game}, {runs.rules.edition}")


def _remarks(runs: Runs, context: Context) -> Iterable[str]:
    changes = context.origin.changes
    if changes:
        said = "; ".join(_said(change) for change in changes[:MOST_CHANGES])
        more = f"; and {len(changes) - MOST_CHANGES} more" if len(changes) > MOST_CHANGES else ""
        yield f"Changed for this study: {said}{more}."
    if not runs.is_complete:
        yield f"The run was interrupted: {context.games:,} of {runs.settings['games']:,} games."


def _said(change: Change) -> str:
    """Return a change in words."""
    if change.before is None:
        return f"{change.place} is new"
    return f"{change.place} is gone" if change.after is None else f"{change.place} {change.before} → {change.after}"
