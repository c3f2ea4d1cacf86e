"""The board: one widget for all games that shows a picture and says what somebody does with its regions.

It holds no rules. Python draws the picture and lists its *regions*; a region is named by an attribute of the drawing:
``"province:12"`` is every element with ``data-province="12"``. The first such element of the picture is the one that
takes the keyboard's focus and gets the outline; the others only listen to the pointer.

What pages and tests may rely on:

========================================  =============================================================================
``.vb-board``                             the widget, with the board's name as ``data-board`` and the number of its
                                          picture as ``data-version``
``[data-region="province:12"]``           the element of a region: ``role="button"``, ``aria-label`` with all its words,
                                          ``aria-disabled``, and its mark as ``data-mark`` (``can``, ``cannot``,
                                          ``chosen``, ``hint`` or ``plain``)
``.vb-tip``                               the words of the region under the pointer or the focus
``.vb-said``                              the latest sentence for screen readers (``role="status"``)
========================================  =============================================================================

Keys: Tab goes through the regions that can be chosen, the arrows to the next region on that side; Enter or Space is a
click, ``+`` and ``-`` ask for more or less, as Shift and a click do for less. They never reach the notebook.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from vinci_lab.engine.picture import Picture
from vinci_lab.widgets.still import small_png, with_still

MARKS = ("plain", "can", "cannot", "chosen", "hint")
EVENTS = ("click", "more", "less", "focus", "hover", "leave")
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Region:
    """A part of a picture that can be pointed at.

    Attributes
    ----------
    key : str
        ``"name:value"`` for the elements with ``data-name="value"``.
    words : str
        What it is, in a line.
    lines : tuple of str
        What else there is to say about it, a line each.
    mark : {"plain", "can", "cannot", "chosen", "hint"}
        How it stands out: can be chosen, cannot (dimmed), is chosen, is recommended.
    badge : str
        A few letters written on it, such as a cost.
    place : (float, float) or None
        Where the badge goes, in pixels of the picture; without a place there is none.
    """

    key: str
    words: str
    lines: tuple[str, ...] = ()
    mark: str = "plain"
    badge: str = ""
    place: tuple[float, float] | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the region as plain JSON values."""
        return {
            "key": self.key,
            "words": self.words,
            "lines": list(self.lines),
            "mark": self.mark,
            "badge": self.badge,
            "place": None if self.place is None else list(self.place),
        }


@dataclass(frozen=True)
class BoardEvent:
    """Something that somebody did with a board.

    Attributes
    ----------
    kind : {"click", "more", "less", "focus", "hover", "leave"}
        ``more`` and ``less`` come from the keys + and -, and ``less`` from a click with Shift. ``focus``, ``hover`` and
        ``leave`` are told only by a board made with ``hovers=True``.
    region : str
        Key of the region.
    """

    kind: str
    region: str


class Board(anywidget.AnyWidget):
    """A picture whose regions can be clicked, pointed at, and walked over with the keyboard.

    Parameters
    ----------
    picture : Picture, optional
        What to show first; see :meth:`draw`.
    label : str
        What it is, for readers that cannot see it.
    hovers : bool
        Whether to tell what the pointer and the focus rest on, besides clicks.

    Attributes
    ----------
    name : str
        What ids of its pictures should begin with (``position.picture(name=board.name)``): two pictures of one name
        differ in few parts, and only those travel.
    picture : Picture or None
        What is shown.
    sent : int
        Characters of pictures sent to the browser so far, for measuring.
    """

    _esm = HERE / "board.js"
    _css = HERE / "board.css"

    svg = traitlets.Unicode("").tag(sync=True)
    version = traitlets.Int(0).tag(sync=True)
    regions = traitlets.List(traitlets.Dict()).tag(sync=True)
    label = traitlets.Unicode("").tag(sync=True)
    hovers = traitlets.Bool(False).tag(sync=True)
    said = traitlets.Unicode("").tag(sync=True)
    board_name = traitlets.Unicode("").tag(sync=True)

    def __init__(self, picture: Picture | None = None, *, label: str = "", hovers: bool = False) -> None:
        self.name = uuid.uuid4().hex[:8]
        self.picture: Picture | None = None
        self.sent = 0
        self._parts: list[str] = []
        self._frame = ""
        self._is_quiet = False
        self._callbacks: list[Callable[[BoardEvent], None]] = []
        super().__init__(label=label, hovers=hovers, board_name=self.name)
        self.on_msg(self._receive)
        if picture is not None:
            self.draw(picture)

    # Showing ---------------------------------------------------------------------------------------------------------

    def draw(self, picture: Picture) -> None:
        """Show a picture; of one with the same number of parts as the last, only the parts that differ are sent."""
        self.picture = picture
        if picture.svg == self.svg:
            return
        frame, parts = split(picture)
        number = self.version + 1
        if not parts or frame != self._frame or len(parts) != len(self._parts):
            with self.hold_sync():
                self.svg, self.version = picture.svg, number
            self.sent += len(picture.svg)
        else:
            changed = {place: part for place, part in enumerate(parts) if part != self._parts[place]}
            self._set_quietly(picture.svg, number)
            self.send({"kind": "patch", "from": number - 1, "to": number, "parts": changed})
            self.sent += sum(map(len, changed.values()))
        self._frame, self._parts = frame, parts

    def mark(self, regions: Iterable[Region]) -> None:
        """Say which parts of the picture can be pointed at, in the order of the Tab key.

        Raises
        ------
        ValueError
            If a key is not of the form ``name:value``, or a mark is not known.
        """
        listed = list(regions)
        for region in listed:
            if not region.key.partition(":")[0].replace("-", "").isalnum() or ":" not in region.key:
                raise ValueError(f"regions: a key must be of the form 'name:value', got {region.key!r}")
            if region.mark not in MARKS:
                raise ValueError(f"regions: {region.key}: the mark must be one of {', '.join(MARKS)}")
        self.regions = [region.to_json() for region in listed]

    def on_event(self, callback: Callable[[BoardEvent], None]) -> None:
        """Call a function with each :class:`BoardEvent`."""
        self._callbacks.append(callback)

    def _set_quietly(self, svg: str, version: int) -> None:
        """Set what new views will show without sending it: views that are open get the parts that differ."""
        self._is_quiet = True
        try:
            self.svg, self.version = svg, version
        finally:
            self._is_quiet = False

    def _should_send_property(self, key: str, value: Any) -> bool:
        if self._is_quiet and key in ("svg", "version"):
            return False
        return bool(super()._should_send_property(key, value))

    # Listening -------------------------------------------------------------------------------------------------------

    def _receive(self, _: Any, content: Any, buffers: Any = None) -> None:
        """Take a message of the browser; one that makes no sense is left alone."""
        if not isinstance(content, dict):
            return
        kind, region = content.get("event"), content.get("region")
        if kind == "lost" and content.get("version") != self.version:
            self.send_state(["svg", "version"])
        elif isinstance(region, str) and kind in EVENTS and region in {known["key"] for known in self.regions}:
            for callback in list(self._callbacks):
                callback(BoardEvent(kind, region))

    def close(self) -> None:
        """Take the board off all pages and forget who listened."""
        self._callbacks.clear()
        super().close()

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        still = None if self.picture is None else small_png(self.picture)
        return with_still(super()._repr_mimebundle_(**kwargs) or {}, still, self.label)


def split(picture: Picture) -> tuple[str, list[str]]:
    """Return the size of a picture with its name, and one by one what stands in it."""
    name = re.search(r'<svg[^>]*\sid="([^"]*)"', picture.svg)
    return f"{picture.width} {picture.height} {name and name[1]}", list(picture.parts)
