"""A self-contained HTML page: no script, no link to the network, readable in light and dark, and in print."""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #5d6675; --line: #d9dde4; --wash: #f5f6f8;
  --link: #1f5fb5; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e6eb; --paper: #14171c; --soft: #a0a8b5; --line: #363c47; --wash: #1d2128; --link: #8ab4f0; }
}
* { box-sizing: border-box; }
body { color: var(--ink); background: var(--paper); margin: 0 auto; padding: 2rem 1.2rem 4rem; max-width: 66rem;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.45rem; line-height: 1.25; margin: 3rem 0 .6rem; border-top: 2px solid var(--line);
  padding-top: 1.2rem; }
h3 { font-size: 1.1rem; line-height: 1.3; margin: 2rem 0 .4rem; }
p, li { max-width: 46rem; overflow-wrap: break-word; }
a { color: var(--link); }
.lead { color: var(--soft); font-size: 1.05rem; margin-top: 0; }
.findings li { margin: .45rem 0; }
.contents { background: var(--wash); border-radius: 4px; padding: .8rem 1.1rem; margin: 1.5rem 0; }
.contents p { margin: 0 0 .3rem; font-weight: 600; }
.contents ol { margin: 0; padding-left: 1.4rem; columns: 18rem; column-gap: 2rem; }
.contents li { break-inside: avoid; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg, figure img { max-width: 100%; height: auto; color: var(--ink); }
figcaption, .note { color: var(--soft); font-size: .9rem; max-width: 46rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .55rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); vertical-align: bottom; }
td.number, th.number { text-align: right; }
td.number { white-space: nowrap; }
tbody tr:hover { background: var(--wash); }
code, pre { font: .88rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--wash); padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere;
  border-radius: 4px; }
.how { border-left: 3px solid var(--line); padding: .1rem 0 .1rem .9rem; margin: 1rem 0; font-size: .88rem; }
.how p { margin: .25rem 0; color: var(--soft); }
.how b { color: var(--ink); font-weight: 600; }
.how pre { margin: .4rem 0 .2rem; padding: .4rem .7rem; font-size: .8rem; }
@media (max-width: 40rem) {
  body { padding: 1rem .8rem 3rem; }
  h1 { font-size: 1.5rem; }
  th, td { padding: .3rem .4rem; }
  td:first-child:not(.number) { min-width: 9rem; }
}
@page { size: A4; margin: 15mm 14mm 16mm; @bottom-right { content: counter(page) " / " counter(pages);
  font: 8pt system-ui, sans-serif; color: #5d6675; } }
@media print {
  :root { color-scheme: light; --ink: #111; --paper: #fff; --soft: #444; --line: #bbb; --wash: #f3f4f6; --link: #111; }
  body { max-width: none; padding: 0; font-size: 9.2pt; line-height: 1.35; }
  h1 { font-size: 17pt; }
  h2 { font-size: 13.5pt; margin-top: 1.6rem; padding-top: .7rem; }
  h3 { font-size: 10.5pt; margin-top: 1.2rem; }
  .lead { font-size: 9.6pt; }
  p, li, figcaption, .note { max-width: none; }
  figcaption, .note { font-size: 8.4pt; }
  h2, h3, .before { break-after: avoid; }
  figure, tr, .how, .contents, p, li { break-inside: avoid; }
  figure, .scroll { overflow: visible; }
  figure svg, figure img { max-height: 96mm; }
  .whole svg, .whole img { max-height: 205mm; }
  figcaption, thead { break-before: avoid; }
  thead { display: table-header-group; }
  table { font-size: 7.4pt; }
  th, td { padding: .14rem .3rem; }
  pre { font-size: 8pt; padding: .4rem .6rem; }
  .how, .how pre { font-size: 7.6pt; }
  .contents a { text-decoration: none; }
  .start { break-before: page; }
}
"""


MOST_BOLD = 30


def escape(text: Any) -> str:
    """Return anything as text that is safe inside HTML."""
    return html.escape(str(text))


def page(title: str, parts: Iterable[str]) -> str:
    """Return a whole page of finished HTML parts under a title that is still plain text."""
    body = "\n".join(parts)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def section(name: str, title: str, parts: Iterable[str], is_first: bool = False) -> str:
    """Return a section under a heading; the first one begins a page in print."""
    style = ' class="start"' if is_first else ""
    body = "\n".join(parts)
    return f'<section id="{escape(name)}"{style}>\n<h2>{escape(title)}</h2>\n{body}\n</section>'


def article(name: str, parts: Iterable[str]) -> str:
    """Return one result with its heading."""
    body = "\n".join(parts)
    return f'<article id="{escape(name)}">\n{body}\n</article>'


def contents(titles: Mapping[str, str]) -> str:
    """Return links to sections, named by their anchors."""
    links = "".join(f'<li><a href="#{escape(name)}">{escape(title)}</a></li>' for name, title in titles.items())
    return f'<nav class="contents"><p>Contents</p><ol>{links}</ol></nav>'


def bullets(sentences: Iterable[str], style: str = "") -> str:
    """Return sentences as a list; what stands before a colon in the first few words is set in bold."""
    shown = "".join(f"<li>{_with_bold_start(sentence)}</li>" for sentence in sentences)
    return f'<ul class="{style}">{shown}</ul>' if style else f"<ul>{shown}</ul>"


def _with_bold_start(sentence: str) -> str:
    start, colon, rest = sentence.partition(": ")
    return f"<b>{escape(start)}:</b> {escape(rest)}" if colon and len(start) <= MOST_BOLD else escape(sentence)


def how(said: Mapping[str, str], command: str) -> str:
    """Return how a result was made: names with sentences, and what to type for it."""
    lines = "".join(f"<p><b>{escape(name)}.</b> {escape(text)}</p>" for name, text in said.items())
    return f'<div class="how">{lines}<pre class="command">{escape(command)}</pre></div>'


def paragraph(text: str, style: str = "") -> str:
    """Return a paragraph of plain text."""
    return f'<p class="{style}">{escape(text)}</p>' if style else f"<p>{escape(text)}</p>"


def figure(drawing: str, caption: str, style: str = "") -> str:
    """Return a drawing (finished SVG) with a caption in plain text; the style ``whole`` gives it a page in print."""
    start = f'<figure class="{style}">' if style else "<figure>"
    return f"{start}{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


def definitions(pairs: Mapping[str, Any]) -> str:
    """Return names and values as a table without a head."""
    rows = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in pairs.items())
    return f'<div class="scroll"><table><tbody>{"".join(rows)}</tbody></table></div>'


@dataclass(frozen=True)
class Field:
    """One column of a table on the page, or two: an estimate and its interval.

    Attributes
    ----------
    column, head : str
        Column of the DataFrame, and the heading.
    form : str
        Format as for ``format``, such as ``".1f"``, or ``"s"`` for numbers that are already text; empty for words.
    low, high : str
        Columns with the limits of the interval; empty when there is none.
    """

    column: str
    head: str
    form: str = ""
    low: str = ""
    high: str = ""


def table(frame: pd.DataFrame, fields: Sequence[Field]) -> str:
    """Return some columns of a DataFrame as an HTML table; missing values are shown as a dash."""
    head = "".join(_head(field) for field in fields)
    rows = ("".join(_cells(row, field) for field in fields) for row in frame.to_dict("records"))
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>\n{body}\n</tbody></table></div>'


def _head(field: Field) -> str:
    text = f"<th{_style(field)}>{escape(field.head)}</th>"
    return text + f"<th{_style(field)}>interval</th>" if field.low else text


def _cells(row: Mapping[Any, Any], field: Field) -> str:
    text = f"<td{_style(field)}>{_shown(row[field.column], field.form)}</td>"
    if not field.low:
        return text
    if pd.isna(row[field.low]) or pd.isna(row[field.high]):
        return text + f"<td{_style(field)}>-</td>"
    low, high = (_shown(row[limit], field.form) for limit in (field.low, field.high))
    return text + f"<td{_style(field)}>{low} to {high}</td>"


def _style(field: Field) -> str:
    return ' class="number"' if field.form else ""


def _shown(value: Any, form: str) -> str:
    if pd.isna(value):
        return "-"
    if form and isinstance(value, float) and math.isinf(value):
        return "∞" if value > 0 else "-∞"
    return escape(format(value, form))
