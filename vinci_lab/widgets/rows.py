"""A table whose rows can be clicked: the log beside a board, the rows of a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anywidget
import traitlets

HERE = Path(__file__).parent


class Rows(anywidget.AnyWidget):
    """A table of words that tells which row was clicked. Cells are text and never markup.

    Attributes
    ----------
    columns : list of str
        Heads; none for a list without a head.
    rows : list of list of str
        The cells.
    numeric : list of int
        Columns whose cells stand on the right.
    selected : int
        The row that is marked and kept in sight; -1 for none.
    clicked : dict
        ``{"row": number, "n": count}`` of the latest click.
    height : str
        At most, as in CSS.
    label : str
        For those who cannot see it.
    """

    _esm = HERE / "rows.js"
    _css = HERE / "rows.css"

    columns = traitlets.List(traitlets.Unicode()).tag(sync=True)
    rows = traitlets.List(traitlets.List(traitlets.Unicode())).tag(sync=True)
    numeric = traitlets.List(traitlets.Int()).tag(sync=True)
    selected = traitlets.Int(-1).tag(sync=True)
    clicked = traitlets.Dict({"row": -1, "n": 0}).tag(sync=True)
    height = traitlets.Unicode("420px").tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)

    def on_row(self, act: Callable[[int], object]) -> None:
        """Call a function with the number of every row that is clicked."""

        def clicked(change: dict[str, Any]) -> None:
            row = change["new"].get("row", -1)
            if isinstance(row, int) and 0 <= row < len(self.rows):
                act(row)

        self.observe(clicked, "clicked")

    def show(self, columns: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[int] = ()) -> None:
        """Show other rows, none of them selected."""
        with self.hold_sync():
            self.columns, self.rows = list(columns), [list(row) for row in rows]
            self.numeric, self.selected = list(numeric), -1
