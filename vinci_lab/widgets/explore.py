"""``explore``: the rows of a run filtered and drawn, from an odd row to its replay, and the what-if panel."""

from __future__ import annotations

import functools
import html
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import ipywidgets
import pandas as pd

from vinci_lab.analysis.plots import svg
from vinci_lab.simulation.store import Runs
from vinci_lab.widgets.controls import button, note, some_of
from vinci_lab.widgets.replay import replay
from vinci_lab.widgets.rows import Rows
from vinci_lab.widgets.saving import save_rows
from vinci_lab.widgets.selection import RUN, Explored, Filters, outliers
from vinci_lab.widgets.still import fewer_colors, with_still
from vinci_lab.widgets.views import draw_view
from vinci_lab.widgets.what_if_panel import WhatIfPanel

LISTED = 100  # rows in the table
FIRST = ("turns", "lead", "round")  # what is shown first, where a game has it
ROUNDS = ("round", "rounds")


def explore(runs: Runs | Sequence[Runs] | Mapping[str, Runs], folder: str | Path = "explored") -> Explore:
    """Show simulated games to be filtered, drawn, saved and replayed, with a panel for changes of the rules.

    Parameters
    ----------
    runs : Runs, or several
        What to look at: one run, a list of runs of the same game, such as one for each number of players, or runs by
        name.
    folder : path
        Where the buttons write rows as CSV and Parquet; made when it is needed.

    Returns
    -------
    Explore
        A widget: the last line of a notebook's cell shows it.

    Raises
    ------
    ValueError
        If there is no run, or the runs are of different games.
    """
    return Explore(Explored.of(runs), Path(folder))


class Explore(ipywidgets.VBox):
    """The widget of :func:`explore`.

    Attributes
    ----------
    explored : Explored
        The runs.
    what_if : WhatIfPanel
        The panel for changes of the first run's rules.
    """

    def __init__(self, explored: Explored, folder: Path) -> None:
        self.explored, self.folder = explored, folder
        self._shown = pd.DataFrame()
        self._is_quiet = True
        first = explored.first
        self.what_if = WhatIfPanel(first.rules, list(first.agents), first.seed)
        self._make_axes()
        self._make_filters()
        self._figure, self._count, self._said = ipywidgets.HTML(), note(), note()
        self._rows = Rows(label="rows that stand out", height="300px")
        self._rows.on_row(self.open_row)
        self._below = ipywidgets.VBox()
        tabs = ipywidgets.Tab([self._looking(), self.what_if], titles=("look at the games", "what if"))
        super().__init__([tabs])
        self.add_class("vl-explore")
        self._is_quiet = False
        self.show()

    # Making it ----------------------------------------------------------------------------------------------------

    def _make_axes(self) -> None:
        tables = list(self.explored.measures)
        narrow = {"width": "250px"}
        self._table = ipywidgets.Dropdown(options=tables, description="table", layout=narrow)
        self._column = ipywidgets.Dropdown(description="number", layout=narrow)
        self._group = ipywidgets.Dropdown(description="by", layout=narrow)
        if FIRST[0] in tables:
            self._table.value = FIRST[0]
        self._offer_columns()
        self._table.observe(lambda _: self._offer_columns(), "value")
        for chooser in (self._column, self._group):
            chooser.observe(lambda _: self.show(), "value")

    def _offer_columns(self) -> None:
        """Offer the numbers and groups of the table that was chosen; what was looked at before stays if it can."""
        was_quiet, self._is_quiet = self._is_quiet, True
        table = self._table.value
        for chooser, names, wanted in (
            (self._column, self.explored.measures[table], FIRST[1]),
            (self._group, self.explored.groups[table], FIRST[2]),
        ):
            before = chooser.value
            chooser.options = names
            chooser.value = next((name for name in (before, wanted) if name in names), names[0] if names else None)
        self._is_quiet = was_quiet
        self.show()

    def _make_filters(self) -> None:
        explored = self.explored
        games, lives = explored.table("games"), explored.table("holdings")
        kinds = sorted({str(kind) for column in explored.columns_with("holdings", "kind") for kind in lives[column]})
        lists: dict[str, list[Any]] = {
            RUN: list(explored.runs),
            "seat": sorted(int(seat) for seat in games["seat"].unique()),
            "agent": sorted(games["agent"].unique()),
            "kind": kinds,
        }
        self._lists: dict[str, Any] = {
            name: some_of("tile" if name == "kind" else name, options, "210px" if name == "kind" else "130px")
            for name, options in lists.items()
            if len(options) > 1
        }
        last = int(max([games[name].max() for name in ROUNDS if name in games], default=1))
        self._last = last
        self._rounds = ipywidgets.IntRangeSlider(
            value=(0, last), min=0, max=last, description="rounds", continuous_update=False, layout={"width": "330px"}
        )
        for box in self._lists.values():
            box.children[1].observe(lambda _: self.show(), "value")
        self._rounds.observe(lambda _: self.show(), "value")

    def _looking(self) -> ipywidgets.VBox:
        wrap = {"flex_flow": "row wrap", "grid_gap": "6px"}
        clear = button("all rows", self.clear, "take all filters away")
        saves = [
            button(f"save {words}", functools.partial(self.save, kind), f"write the chosen rows to {self.folder}")
            for kind, words in (("csv", "CSV"), ("parquet", "Parquet"))
        ]
        axes = ipywidgets.VBox([self._table, self._column, self._group])
        narrowing = ipywidgets.VBox([self._rounds, ipywidgets.HBox([clear, *saves])])
        filters = ipywidgets.HBox([axes, *self._lists.values(), narrowing], layout=wrap)
        hint = ipywidgets.HTML("<b>What stands out</b>, the oddest first; a click on a row opens its game.")
        return ipywidgets.VBox([filters, self._count, self._figure, hint, self._rows, self._said, self._below])

    # Showing ------------------------------------------------------------------------------------------------------

    @property
    def filters(self) -> Filters:
        """What is filtered now."""
        chosen = {name: frozenset(box.children[1].value) for name, box in self._lists.items()}
        low, high = self._rounds.value
        rounds = None if (low, high) == (0, self._last) else (int(low), int(high))
        none: frozenset[Any] = frozenset()
        return Filters(
            chosen.get(RUN, none), chosen.get("seat", none), chosen.get("agent", none), chosen.get("kind", none), rounds
        )

    @property
    def chosen(self) -> pd.DataFrame:
        """The rows that pass the filters."""
        return self.explored.chosen(self._table.value, self.filters)

    def clear(self) -> None:
        """Take all filters away."""
        self._is_quiet = True
        for box in self._lists.values():
            box.children[1].value = ()
        self._rounds.value = (0, self._last)
        self._is_quiet = False
        self.show()

    def show(self) -> None:
        """Draw everything anew, in the places where it stood."""
        if self._is_quiet or self._column.value is None or self._group.value is None:
            return
        table, column = self._table.value, self._column.value
        everything, chosen = self.explored.table(table), self.chosen
        games = [len(frame.drop_duplicates([RUN, "game"])) for frame in (chosen, everything)]
        self._count.value = (
            f"<b>{len(chosen):,}</b> of {len(everything):,} rows, from {games[0]:,} of {games[1]:,} games"
        )
        self._figure.value = svg(self.figure(), "explore", "spread of a number and its mean by group")
        self._shown = outliers(chosen, column, LISTED)
        self._show_rows(column)

    def figure(self) -> Any:
        """Return the figure of the rows that are chosen."""
        table, column, group = self._table.value, self._column.value, self._group.value
        words = f"{table}: {self.explored.meaning(table, column)}"
        return draw_view(self.explored.table(table), self.chosen, column, group, words)

    def _show_rows(self, column: str) -> None:
        first = ["unusual", column, *([RUN] if len(self.explored.runs) > 1 else [])]
        names = [str(name) for name in self._shown.columns]
        columns = [*first, *(name for name in names if name not in (*first, RUN))]
        numeric = [place for place, name in enumerate(columns) if pd.api.types.is_numeric_dtype(self._shown[name])]
        cells = [
            [f"{value:+.1f}" if name == "unusual" else _cell(value) for name, value in zip(columns, row, strict=True)]
            for row in self._shown[columns].itertuples(index=False)
        ]
        self._rows.show([name.replace("_", " ") for name in columns], cells, numeric)

    # From a row to its game ---------------------------------------------------------------------------------------

    def open_row(self, number: int) -> None:
        """Open the game of a row of the table below the table, at the turn of the row."""
        row = self._shown.iloc[number]
        runs, game = self.explored.runs[str(row[RUN])], int(row["game"])
        self._rows.selected = number
        self._said.value = f"opening game {game} of {html.escape(str(row[RUN]))}, seed {runs.seed} …"
        try:
            shown = replay(runs, game, turn=self._turn_of(row))
        except ValueError as error:
            self._said.value = html.escape(str(error))
            return
        before, self._below.children = self._below.children, (shown,)
        for widget in before:
            widget.close()
        self._said.value = f"game {game} of {html.escape(str(row[RUN]))}, seed {runs.seed}:"

    def _turn_of(self, row: pd.Series) -> int:
        """Return how many turns were finished when the turn of a row began; 0 for a row about a whole game."""
        if "turn" in row:
            return int(row["turn"])
        if "holding" not in row:
            return 0
        turns = self.explored.table("turns")
        keys = [RUN, "game", "seat", "holding"]
        played = turns[(turns[keys].astype({RUN: str}) == row[keys]).all(axis=1)]
        return int(played["turn"].min()) if len(played) else 0

    # Files --------------------------------------------------------------------------------------------------------

    def save(self, kind: str) -> None:
        """Write the chosen rows to the folder and offer them as a link."""
        rows, table = self.chosen, self._table.value
        about: dict[str, Any] = {name: str(value) for name, value in vars(self.filters).items()}
        about |= {"runs": {name: runs.settings for name, runs in self.explored.runs.items()}}
        try:
            path, link = save_rows(rows, self.folder, f"{table}_chosen", kind, about)
        except OSError as error:
            self._said.value = html.escape(f"{self.folder}: cannot be written ({error.strerror})")
            return
        self._said.value = f"{len(rows):,} rows in <code>{html.escape(str(path))}</code> {link}"

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget with a still picture of the figure, for those who cannot show widgets."""
        import io

        written = io.BytesIO()
        self.figure().savefig(written, format="png", dpi=110, facecolor="white")
        words = f"explore: {len(self.chosen)} rows of {self._table.value}"
        return with_still(super()._repr_mimebundle_(**options), fewer_colors(written.getvalue()), words)


def _cell(value: Any) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
