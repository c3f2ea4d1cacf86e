"""What happens in a game as Python objects: steps, their events, and outcomes of chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from vinci_lab.engine.records import EVENT_CAPACITY
from vinci_lab.engine.ruleset import Ruleset


class IllegalActionError(ValueError):
    """An action that the rules do not allow now; the sentence says which are allowed."""


@dataclass(frozen=True)
class Event:
    """Something that happened.

    Attributes
    ----------
    kind : str
        One of the game's ``event_fields``.
    fields : mapping of str to int
        Its numbers by name, in the game's order.
    words : str
        The same as a sentence.
    """

    kind: str
    fields: Mapping[str, int]
    words: str

    def __str__(self) -> str:
        return self.words

    def to_json(self) -> dict[str, Any]:
        """Return the event as plain JSON values."""
        return {"kind": self.kind, "fields": dict(self.fields), "words": self.words}


@dataclass(frozen=True)
class Step:
    """One atomic step of a game: an action of a seat, or an outcome of chance.

    Attributes
    ----------
    turn : int
        Turns finished before it.
    seat : int
        Who acted; ``CHANCE`` (-1) for chance.
    action : int
        Code of the action.
    words : str
        The action in words.
    events : tuple of Event
        What it caused.
    """

    turn: int
    seat: int
    action: int
    words: str
    events: tuple[Event, ...]


class Outcome(NamedTuple):
    """One thing that chance may bring: its code, words, the weight the game gives it, and its probability."""

    action: int
    words: str
    weight: float
    probability: float


def read_events(rules: Ruleset, record: Any) -> tuple[Event, ...]:
    """Return the events that an action wrote to an ``EVENTS`` record.

    Raises
    ------
    RuntimeError
        If there was no room for all of them.
    """
    number = int(record.length)
    if number > EVENT_CAPACITY:
        raise RuntimeError(f"events: one action caused {number}, the buffer holds {EVENT_CAPACITY}")
    game = rules.definition
    kinds = tuple(game.event_fields.items())
    events = []
    for row in record.rows[:number]:
        kind, names = kinds[row[0]]
        fields = {name: int(value) for name, value in zip(names, row[1 : 1 + len(names)], strict=True)}
        events.append(Event(kind, fields, game.describe_event(rules, kind, fields)))
    return tuple(events)


def record_of(data: bytes, layout: np.dtype[Any]) -> Any:
    """Return a fresh record from its bytes."""
    return np.frombuffer(data, layout).copy().view(np.recarray)[0]
