"""The few controls the panels are made of, all in one look."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import ipywidgets


def button(words: str, act: Callable[[], object], tip: str, style: str = "") -> ipywidgets.Button:
    """Return a button that calls a function; its words are its label for everybody."""
    made = ipywidgets.Button(description=words, tooltip=tip, button_style=style, layout={"width": "auto"})
    made.on_click(lambda _: act())
    return made


def note() -> ipywidgets.HTML:
    """Return a line for sentences that come and go."""
    return ipywidgets.HTML(layout={"min_height": "28px"})


def some_of(words: str, options: Iterable[Any], width: str = "150px") -> ipywidgets.VBox:
    """Return a list of which some can be chosen, below its name; its second child is the list."""
    listed = list(options)
    rows = min(max(len(listed), 3), 6)
    chooser = ipywidgets.SelectMultiple(options=listed, rows=rows, layout={"width": width})
    return ipywidgets.VBox([ipywidgets.Label(f"{words} (none: all)"), chooser])
