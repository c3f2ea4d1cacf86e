"""What a person is offered: where a click on the picture leads, the buttons, and what is spread before it is played.

A game describes its decisions in these terms in a module of its own, which it registers as ``Game.playing`` and which
has

``choices(position, marks) -> Choices``
    for a position as the deciding seat sees it. ``marks`` holds what has been marked but not played yet.
``pictures(position, names) -> tuple of Picture``
    the board, and perhaps what stands beside it. ``names`` are what the ids of the pictures begin with.
``reasons(position, actions) -> list of str``
    what speaks for doing this, in sentences.

A game without such a module can be played as well: every legal action is a button then.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vinci_lab.engine.picture import Picture
    from vinci_lab.engine.position import Position


@dataclass(frozen=True)
class Spot:
    """A place of the picture.

    Attributes
    ----------
    key : str
        ``"name:value"`` for the elements of the picture with ``data-name="value"``.
    words : str
        What it is, in a line.
    lines : tuple of str
        What choosing it costs and brings, or why it cannot be chosen.
    actions : tuple of int
        What a click does, action after action; empty if it does nothing.
    mark : str
        Key under which a click counts one more in the marks, instead of doing something at once.
    held : int
        How many are here already.
    badge : str
        A few letters to be written on it, such as a cost.
    place : (float, float) or None
        Where, in pixels of the picture.
    is_note : bool
        Whether there are only words to it, and nothing that could be chosen at another time.
    """

    key: str
    words: str
    lines: tuple[str, ...] = ()
    actions: tuple[int, ...] = ()
    mark: str = ""
    held: int = 0
    badge: str = ""
    place: tuple[float, float] | None = None
    is_note: bool = False

    @property
    def is_open(self) -> bool:
        """Whether it can be chosen."""
        return bool(self.actions or self.mark)


@dataclass(frozen=True)
class Button:
    """Something to choose that has no place in the picture.

    Attributes
    ----------
    words, tip : str
        What it does, and what comes of it.
    actions : tuple of int
        The actions, one after another; empty for one that cannot be pressed now.
    toggles : str
        Key in the marks that pressing it sets and takes back, instead.
    """

    words: str
    actions: tuple[int, ...] = ()
    tip: str = ""
    toggles: str = ""


@dataclass(frozen=True)
class Spread:
    """Things that are spread over the spots with a ``mark``, and then played at once.

    Attributes
    ----------
    total : int
        How many there are; all must be spread.
    what : str
        One of them, such as ``"token"``.
    """

    total: int
    what: str


@dataclass(frozen=True)
class Choices:
    """All that a seat may do now.

    Attributes
    ----------
    question : str
        What is asked, in a sentence or two.
    spots : tuple of Spot
        In the order of the Tab key.
    buttons : tuple of Button
        The others.
    spread : Spread or None
        What is to be spread first, if that is what is asked.
    """

    question: str
    spots: tuple[Spot, ...] = ()
    buttons: tuple[Button, ...] = ()
    spread: Spread | None = None
    by_key: Mapping[str, Spot] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_key", {spot.key: spot for spot in self.spots})


def room_of(position: Position) -> Any:
    """Return the module in which a game says how it is played, or None."""
    name = position.rules.definition.playing
    return importlib.import_module(name) if name else None


def choices_of(position: Position, marks: Mapping[str, int]) -> Choices:
    """Return what the deciding seat of a position may do; see the module for what a game can say about it."""
    if not position.deciders:
        return Choices("The game is over." if position.is_over else "Chance is due.")
    room = room_of(position)
    if room is not None:
        choices: Choices = room.choices(position, marks)
        return choices
    seat = position.seat if position.viewer is None else position.viewer
    buttons = tuple(Button(position.describe(action), (action,)) for action in position.legal_actions(seat))
    return Choices("What do you do?", buttons=buttons)


def pictures_of(position: Position, names: Sequence[str]) -> tuple[Picture, ...]:
    """Return the pictures of a position to play on: the board first; none for a game without drawing."""
    room = room_of(position)
    if room is not None:
        pictures: tuple[Picture, ...] = room.pictures(position, names)
        return pictures
    return (position.picture(name=names[0]),) if position.rules.definition.drawing else ()


def reasons_of(position: Position, actions: Sequence[int]) -> list[str]:
    """Return what speaks for some actions in a game's own words; nothing for a game that says nothing about it."""
    room = room_of(position)
    return list(room.reasons(position, actions)) if room is not None else []
