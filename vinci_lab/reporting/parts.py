"""What a report is made of: sections of parts, each a result with its drawing, table, method, settings and command."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pandas as pd
from matplotlib.axes import Axes

from vinci_lab.analysis import plots
from vinci_lab.reporting import page
from vinci_lab.reporting.page import Field

TALL = 5.6  # inches above which a drawing may fill a page in print


@dataclass(frozen=True)
class Drawing:
    """A finished drawing.

    Attributes
    ----------
    svg : str
        An SVG element whose ids are unique on the page.
    caption : str
        Plain text below it.
    is_whole : bool
        Whether it may fill a page in print.
    """

    svg: str
    caption: str
    is_whole: bool = False


@dataclass(frozen=True)
class Part:
    """One result.

    Attributes
    ----------
    name : str
        Unique in a report: the anchor on the page and the name of the CSV file.
    title : str
        Heading.
    table : DataFrame
        All rows, for the CSV file.
    fields : sequence of Field
        Columns that are shown on the page.
    method : str
        The estimand and the method in plain words.
    settings : str
        What was played, and at what level of confidence.
    command : str
        What to type to get this part again, a command per line.
    text : tuple of str
        Paragraphs on how to read it.
    drawings : tuple of Drawing
        Any number.
    shown : DataFrame, optional
        Rows that are shown on the page; all of the table if left out.
    notes : tuple of str
        Paragraphs after the table.
    """

    name: str
    title: str
    table: pd.DataFrame
    fields: Sequence[Field]
    method: str
    settings: str
    command: str
    text: tuple[str, ...] = ()
    drawings: tuple[Drawing, ...] = ()
    shown: pd.DataFrame | None = None
    notes: tuple[str, ...] = ()

    def html(self) -> str:
        """Return the part as HTML."""
        rows = self.table if self.shown is None else self.shown
        hidden = len(self.table) - len(rows)
        where = f"All {len(self.table):,} rows" if hidden > 0 else "The table"
        said = {
            "Table": f"{where}, with every column: {self.name}.csv",
            "Method": self.method,
            "Settings": self.settings,
        }
        return page.article(
            self.name,
            [
                f"<h3>{page.escape(self.title)}</h3>",
                *(page.paragraph(text, "before") for text in self.text),
                *(page.figure(one.svg, one.caption, "whole" if one.is_whole else "") for one in self.drawings),
                page.table(rows, self.fields),
                *(page.paragraph(note, "note") for note in self.notes),
                page.how(said, self.command),
            ],
        )


@dataclass(frozen=True)
class Missing:
    """A result that there is not, and why.

    Attributes
    ----------
    name, title : str
        As of a :class:`Part`.
    reason : str
        A sentence.
    command : str
        What to type for a study that has it; empty if there is none.
    """

    name: str
    title: str
    reason: str
    command: str = ""

    def html(self) -> str:
        """Return the sentence as HTML."""
        parts = [f"<h3>{page.escape(self.title)}</h3>", page.paragraph(self.reason)]
        return page.article(self.name, [*parts, page.how({}, self.command)] if self.command else parts)


@dataclass(frozen=True)
class Section:
    """Some results that belong together.

    Attributes
    ----------
    title : str
        Heading, and the entry in the contents.
    parts : tuple of Part or Missing
        In the order of the page.
    text : tuple of str
        Paragraphs before them.
    findings : tuple of str
        Sentences for the summary, each with its interval.
    command : str
        What to type for what the paragraphs say; empty if nothing.
    html : str
        Finished HTML after that, for what is no result.
    """

    title: str
    parts: tuple[Part | Missing, ...] = ()
    text: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    command: str = ""
    html: str = ""

    def body(self) -> list[str]:
        """Return what stands below the heading, as HTML."""
        typed = [f'<pre class="command">{page.escape(self.command)}</pre>'] if self.command else []
        said = [page.paragraph(text, "before") for text in self.text]
        return [*said, *typed, *([self.html] if self.html else []), *(part.html() for part in self.parts)]


def drawn(name: str, caption: str, draw: Callable[[Axes], object], height: float = 3.2, width: float = 7.2) -> Drawing:
    """Return a drawing made by ``draw`` on axes of some inches; ``name`` makes its ids unique."""
    figure, axes = plots.new_figure(width, height)
    draw(axes)
    return Drawing(plots.svg(figure, name, page.escape(caption)), caption, height > TALL)
