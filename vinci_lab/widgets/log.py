"""What has happened in a game that is played, in words."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.steps import Step
from vinci_lab.engine.transcript_lines import printable
from vinci_lab.widgets.players import Player


@dataclass(frozen=True)
class Entry:
    """One step in the log.

    Attributes
    ----------
    turn : int
        Turns finished before it.
    seat : int
        Who acted; ``CHANCE`` (-1) for chance.
    who : str
        The same in words.
    lines : tuple of str
        What happened, in words.
    """

    turn: int
    seat: int
    who: str
    lines: tuple[str, ...]


def entries_of(steps: Sequence[Step], players: Sequence[Player]) -> list[Entry]:
    """Return steps in words; equal ones in a row are told once."""
    return [_entry(next(same), 1 + sum(1 for _ in same), players) for _, same in itertools.groupby(steps)]


def _entry(step: Step, times: int, players: Sequence[Player]) -> Entry:
    who = "chance" if step.seat == CHANCE else players[step.seat].title
    lines = [printable(event.words) for event in step.events] or [printable(step.words)]
    again = f" ({times} times)" if times > 1 else ""
    return Entry(step.turn, step.seat, who, tuple(f"{line}{again}" for line in lines))
