"""The what-if panel: change numbers of the rules, play both on common keys, and watch the intervals grow tighter."""

from __future__ import annotations

import asyncio
import html
import time
from collections.abc import Mapping
from typing import Any

import ipywidgets
import matplotlib
import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from vinci_lab.analysis.metrics import metric as about
from vinci_lab.analysis.plots import BLUE, GRAY, STYLE, svg
from vinci_lab.analysis.sequential import FIRST_LOOK
from vinci_lab.analysis.thresholds import End
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.widgets.changes import Changes, numbers_of
from vinci_lab.widgets.controls import button, note
from vinci_lab.widgets.rows import Rows
from vinci_lab.widgets.views import safe
from vinci_lab.widgets.what_if import WhatIf

EVERY = 0.4  # seconds between two looks
SHOWN = ("metric", "before", "after", "difference", "low", "high", "games until certain")


class WhatIfPanel(ipywidgets.VBox):
    """Controls and pictures of a :class:`WhatIf`.

    Parameters
    ----------
    rules : Ruleset
        As they are.
    agents : str or sequence of str
        Who plays.
    seed : int
        Of the games.
    games : int
        At most, at first.
    """

    def __init__(self, rules: Ruleset, agents: Any = "greedy", seed: int = 7, games: int = 5_000) -> None:
        self.changes, self.agents, self.seed = Changes(rules), agents, seed
        self.what_if: WhatIf | None = None
        self._looked = 0.0
        self._numbers = numbers_of(rules)
        self._make_changing(rules)
        self._make_running(games)
        self._figure, self._said = ipywidgets.HTML(), note()
        self._rows = Rows(label="what changes", height="330px")
        self._rows.on_row(lambda row: setattr(self._metric, "value", self._rows.rows[row][0]))
        super().__init__([*self._bars(), self._said, self._figure, self._rows])
        self.add_class("vl-what-if")
        self._show_changes()

    def _make_changing(self, rules: Ruleset) -> None:
        self._part = ipywidgets.Dropdown(options=list(self._numbers), description="part")
        self._place = ipywidgets.Dropdown(description="number", layout={"width": "330px"})
        self._value = ipywidgets.IntText(description="becomes", layout={"width": "170px"})
        self._part.observe(lambda _: self._offer_places(), "value")
        self._place.observe(lambda _: self._offer_value(), "value")
        try:
            end = End.of(rules).place
        except ValueError:  # the game does not say what ends it
            end = ""
        part = next((part for part, places in self._numbers.items() if f"{part}.{end}" in places), None)
        if part is not None:
            self._part.value = part
        self._offer_places()
        if part is not None:
            self._place.value = f"{part}.{end}"

    def _make_running(self, games: int) -> None:
        narrow = {"width": "180px"}
        self._games = ipywidgets.BoundedIntText(games, 100, 10_000_000, 100, description="games", layout=narrow)
        self._metric = ipywidgets.Dropdown(options=["rounds"], description="watch", layout={"width": "300px"})
        self._metric.observe(lambda _: self._show_figure(), "value")
        self._bar = ipywidgets.IntProgress(0, 0, games, layout={"width": "260px"})
        self._run = button("▶ run both", self.start, "play both rules on the same keys", "primary")
        self._stop = button("■ stop", self.stop, "stop after the games that are being played")
        self._stop.disabled = True

    def _bars(self) -> list[ipywidgets.Widget]:
        wrap = {"flex_flow": "row wrap"}
        set_, clear = button("change it", self.change, "add this change"), button("clear", self.clear, "no changes")
        self._made = ipywidgets.HTML()
        return [
            ipywidgets.HBox([self._part, self._place, self._value, set_, clear], layout=wrap),
            self._made,
            ipywidgets.HBox([self._games, self._run, self._stop, self._bar, self._metric], layout=wrap),
        ]

    # Changing the rules -------------------------------------------------------------------------------------------

    def _offer_places(self) -> None:
        numbers = self._numbers[self._part.value]
        self._place.options = [(place.rpartition(".")[2], place) for place in numbers]
        self._offer_value()

    def _offer_value(self) -> None:
        place = self._place.value
        if place is not None:
            self._value.value = int(self.changes.made.get(place, self._numbers[self._part.value][place]))

    def change(self) -> None:
        """Take over the number that was typed, or say why it is not allowed."""
        try:
            self.changes.set(self._place.value, self._value.value)
        except ValueError as error:
            self._said.value = html.escape(str(error))
            return
        self._show_changes()

    def clear(self) -> None:
        """Take all changes back."""
        self.changes.made.clear()
        self._offer_value()
        self._show_changes()

    def _show_changes(self) -> None:
        words = self.changes.words or [
            "no changes yet: choose a number above, type what it becomes, and press “change it”"
        ]
        self._made.value = "what changes: " + "; ".join(f"<b>{html.escape(word)}</b>" for word in words)
        self._said.value = html.escape("; ".join(self.changes.assumed))

    # Running ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Play both rules in the background."""
        if self.what_if is not None and self.what_if.is_running:
            return
        try:
            changed = self.changes.changed
            self.what_if = WhatIf(self.changes.rules, changed, self._games.value, self.seed, self.agents)
        except ValueError as error:
            self._said.value = html.escape(str(error))
            return
        self._bar.max, self._bar.value, self._bar.bar_style = self._games.value, 0, ""
        self._run.disabled, self._stop.disabled = True, False
        self._said.value = "playing…"
        self.what_if.start(self._looker())

    def stop(self) -> None:
        """Stop after the games that are being played; what has been played stays."""
        if self.what_if is not None:
            self.what_if.stop()

    def _looker(self) -> Any:
        """Return what the playing thread calls: it has the notebook's own thread show how things are, not too often."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            loop = None
        running = self.what_if

        def look() -> None:
            is_over = running is None or not running.is_running
            if is_over or time.monotonic() - self._looked > EVERY:
                self._looked = time.monotonic()
                self.show() if loop is None else loop.call_soon_threadsafe(self.show)

        return look

    def show(self) -> None:
        """Show how things are."""
        what_if = self.what_if
        if what_if is None:
            return
        self._bar.value = what_if.played
        table = what_if.table()
        if len(table):
            self._show_table(table)
        self._show_figure()
        if what_if.is_running:
            self._said.value = f"playing: {what_if.played:,} of {what_if.games:,} games with each of the rules"
        else:
            self._show_end(what_if)

    def _show_end(self, what_if: WhatIf) -> None:
        self._run.disabled, self._stop.disabled = False, True
        self._bar.bar_style = "danger" if what_if.error else "warning" if what_if.is_stopped else "success"
        words = f"{'stopped after' if what_if.is_stopped else 'played'} {what_if.played:,} games with each of the rules"
        certain = "; the intervals hold at any moment, so stopping when they say enough is allowed"
        self._said.value = html.escape(what_if.error or words + certain)

    def _show_table(self, table: pd.DataFrame) -> None:
        names = [str(name) for name in table["metric"]]
        if list(self._metric.options) != names:
            kept = self._metric.value
            self._metric.options = names
            self._metric.value = kept if kept in names else names[0]
        self._rows.show(SHOWN, [_cells(row) for row in table.to_dict("records")], range(1, len(SHOWN)))
        self._rows.selected = names.index(self._metric.value)

    def _show_figure(self) -> None:
        if self.what_if is None or self._metric.value is None:
            return
        names = [row[0] for row in self._rows.rows]
        self._rows.selected = names.index(self._metric.value) if self._metric.value in names else -1
        self._figure.value = svg(self.figure(), "what-if", "the interval of the difference, game by game")

    def figure(self) -> Figure:
        """Return the picture of how the interval of the difference that is watched grew tighter."""
        assert self.what_if is not None
        return draw_sequence(self.what_if.sequence(self._metric.value), self._metric.value, self.what_if.level)


def draw_sequence(sequence: pd.DataFrame, name: str, level: float) -> Figure:
    """Return the picture of a confidence sequence: estimate and limits against the number of games."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(9.6, 2.9), layout="constrained")
        ax = figure.subplots()
        ax.axhline(0, color=GRAY, linewidth=1, linestyle="--")
        unit = about(name).unit
        ax.set_ylabel(f"{safe(name.replace('_', ' '))}\nafter less before, {unit}")
        ax.set_xlabel("games with each of the rules")
        if len(sequence):
            shown = sequence.iloc[np.unique(np.geomspace(1, len(sequence), 400).astype(int)) - 1]
            finite = shown[np.isfinite(shown["low"])]
            if not len(finite):
                return figure
            ax.fill_between(finite["n"], finite["low"], finite["high"], color=BLUE, alpha=0.25, linewidth=0)
            ax.plot(shown["n"], shown["estimate"], color=BLUE, linewidth=1.6)
            ax.set_ylim(*_range(finite))
            ax.set_xscale("log")
            ax.xaxis.set_major_formatter(lambda games, _: f"{games:,.0f}")
            ax.xaxis.set_minor_formatter(lambda games, _: f"{games:,.0f}" if f"{games:.0e}"[0] in "25" else "")
            ax.set_title(f"{100 * level:g} % at all numbers of games at once", fontsize=9)
        else:
            ax.set_title(f"limits from game {FIRST_LOOK} on", fontsize=9)
        return figure


def _range(sequence: pd.DataFrame) -> tuple[float, float]:
    """Return limits that show 0 and the later part of the sequence well; its beginning may stand out."""
    later = sequence[sequence["n"] >= np.sqrt(FIRST_LOOK * sequence["n"].max())]
    low, high = min(0.0, float(later["low"].min())), max(0.0, float(later["high"].max()))
    room = 0.08 * (high - low) or 1.0
    return low - room, high + room


def _cells(row: Mapping[Any, Any]) -> list[str]:
    """Return a row of the comparison as words."""
    numbers = [f"{row[name]:.4g}" for name in ("a", "b", "estimate")]
    limits = [f"{row[name]:.3g}" if np.isfinite(row[name]) else "-" for name in ("sequence_low", "sequence_high")]
    decided = "" if np.isnan(row["decided_at"]) else f"{row['decided_at']:,.0f}"
    return [str(row["metric"]), *numbers, *limits, decided or "not yet"]
