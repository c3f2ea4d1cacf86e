"""A self-contained HTML page: no script, no link to the network, readable in light and dark, and in print."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #fff; --soft: #5d6675; --line: #d9dde4; --wash: #f5f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e6eb; --paper: #14171c; --soft: #a0a8b5; --line: #363c47; --wash: #1d2128; }
}
* { box-sizing: border-box; }
body { color: var(--ink); background: var(--paper); margin: 0 auto; padding: 2rem 1.2rem 4rem; max-width: 66rem;
  font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.3rem; margin: 2.6rem 0 .6rem; border-top: 1px solid var(--line); padding-top: 1.2rem; }
p, li { max-width: 46rem; }
.lead { color: var(--soft); font-size: 1.05rem; margin-top: 0; }
.findings li { margin: .5rem 0; font-size: 1.05rem; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; color: var(--ink); }
figcaption, .note { color: var(--soft); font-size: .9rem; max-width: 46rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .55rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
thead th { border-bottom: 2px solid var(--line); white-space: nowrap; }
td.number, th.number { text-align: right; white-space: nowrap; }
tbody tr:hover { background: var(--wash); }
code, pre { font: .88rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre { background: var(--wash); padding: .7rem .9rem; white-space: pre-wrap; overflow-wrap: anywhere;
  border-radius: 4px; }
.tag { color: var(--soft); }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; } }
"""


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


def heading(text: str) -> str:
    """Return a section heading."""
    return f"<h2>{escape(text)}</h2>"


def paragraph(text: str, style: str = "") -> str:
    """Return a paragraph of plain text."""
    return f'<p class="{style}">{escape(text)}</p>' if style else f"<p>{escape(text)}</p>"


def figure(drawing: str, caption: str) -> str:
    """Return a drawing (finished SVG) with a caption in plain text."""
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>"


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
    low, high = (_shown(row[limit], field.form) for limit in (field.low, field.high))
    return text + f"<td{_style(field)}>{low} to {high}</td>"


def _style(field: Field) -> str:
    return ' class="number"' if field.form else ""


def _shown(value: Any, form: str) -> str:
    return "-" if pd.isna(value) else escape(format(value, form))
