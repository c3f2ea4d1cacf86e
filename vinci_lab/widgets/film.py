"""A game as a film: one frame after each step, and the marks one wants to jump to. No widget, no picture."""

from __future__ import annotations

import bisect
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from vinci_lab.engine.position import Position
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.steps import record_of
from vinci_lab.engine.transcript import Transcript
from vinci_lab.engine.transcript_lines import printable

LEAD = "change of the lead"
TURN = "turn"
MARKED_AT_MOST = 0.12  # of the frames: what happens more often is no place to jump to


@dataclass(frozen=True)
class Frame:
    """What stands on the table after one step, and how it came about.

    Attributes
    ----------
    index : int
        0 for the start of the game, k after its k-th step.
    turn : int
        Turns finished before the step.
    finished : int
        Turns finished after it.
    seat : int or None
        Who acted; None for chance and for the start.
    words : str
        The step in words.
    events : tuple of str
        What it caused, in words.
    kinds : frozenset of str
        Kinds of these events.
    scores : tuple of float
        Points by seat.
    state : bytes
        The position.
    """

    index: int
    turn: int
    finished: int
    seat: int | None
    words: str
    events: tuple[str, ...]
    kinds: frozenset[str]
    scores: tuple[float, ...]
    state: bytes = field(repr=False)


class Film:
    """A game, frame by frame.

    Parameters
    ----------
    transcript : Transcript
        Of the game, finished or not.

    Attributes
    ----------
    frames : tuple of Frame
        The start, then one for each step of a seat or of chance.
    agents : tuple of str
        Who played, by seat.
    turns : tuple of int
        The start, and the frame in which every turn is finished.
    marks : mapping of str to tuple of int
        Frames to jump to, ascending: the end of every ``turn``, every ``change of the lead``, and every kind of event
        of the game, such as a decline, that does not happen all the time.

    Raises
    ------
    DataError
        If the rules do not allow a step of the transcript.
    """

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.rules: Ruleset = transcript.rules
        self.agents = tuple(printable(str(agent)) for agent in transcript.header["agents"])
        self.frames = tuple(_frame(index, position) for index, position in enumerate(transcript.replay()))
        self._layout: Any = self.rules.definition.state_layout
        self.turns = tuple(_turn_ends(self.frames))
        self.marks: Mapping[str, tuple[int, ...]] = _marks(self.frames, self.turns, self.rules)

    @property
    def origin(self) -> str:
        """Where the game comes from: seed and index of its run, or a given position."""
        header = self.transcript.header
        if header["seed"] is None:
            return "from a given position"
        return f"seed {header['seed']}, game {header['game_index']}"

    def __len__(self) -> int:
        return len(self.frames)

    def position(self, index: int) -> Position:
        """Return the position of a frame; chance that is due in it has not been drawn yet."""
        return Position(self.rules, record_of(self.frames[index].state, self._layout), auto_chance=False)

    def playable(self, index: int) -> Position:
        """Return the position of a frame to play on from: what is due to chance is drawn, from the game's own key."""
        position = Position(self.rules, record_of(self.frames[index].state, self._layout))
        position.resolve_chance()
        return position

    def next_mark(self, name: str, index: int) -> int | None:
        """Return the first marked frame after one, or None."""
        places = self.marks.get(name, ())
        found = bisect.bisect_right(places, index)
        return places[found] if found < len(places) else None

    def previous_mark(self, name: str, index: int) -> int | None:
        """Return the last marked frame before one, or None."""
        places = self.marks.get(name, ())
        found = bisect.bisect_left(places, index)
        return places[found - 1] if found else None

    def who(self, index: int) -> str:
        """Return who acted in a frame, in words."""
        frame = self.frames[index]
        if index == 0:
            return "start"
        return "chance" if frame.seat is None else f"seat {frame.seat} ({self.agents[frame.seat]})"

    def scores_by_turn(self) -> list[tuple[float, ...]]:
        """Return the scores at the start and after each turn."""
        return [self.frames[index].scores for index in self.turns]


def _frame(index: int, position: Position) -> Frame:
    scores, state = position.scores, position.state.tobytes()
    if index == 0:
        return Frame(0, position.turn, position.turn, None, "start of the game", (), frozenset(), scores, state)
    (step,) = position.steps
    events = tuple(printable(event.words) for event in step.events if event.words != step.words)
    kinds = frozenset(event.kind for event in step.events)
    seat = None if step.seat == CHANCE else step.seat
    return Frame(index, step.turn, position.turn, seat, printable(step.words), events, kinds, scores, state)


def _turn_ends(frames: Sequence[Frame]) -> list[int]:
    """Return the start, and the frame in which every turn is finished."""
    return [0, *(after.index for before, after in itertools.pairwise(frames) if after.finished != before.finished)]


def _marks(frames: Sequence[Frame], turns: tuple[int, ...], rules: Ruleset) -> dict[str, tuple[int, ...]]:
    found = {TURN: turns, LEAD: tuple(_lead_changes(frames))}
    for kind in rules.definition.event_fields:
        places = tuple(frame.index for frame in frames if kind in frame.kinds)
        if 0 < len(places) <= MARKED_AT_MOST * len(frames):
            found[kind.replace("_", " ")] = places
    return {name: places for name, places in found.items() if places}


def _lead_changes(frames: Sequence[Frame]) -> list[int]:
    """Return the frames after which another seat leads alone than before; a tied lead stays the old leader's."""
    leader, found = None, []
    for frame in frames:
        best = max(frame.scores)
        if frame.scores.count(best) == 1 and (now := frame.scores.index(best)) != leader:
            if leader is not None:
                found.append(frame.index)
            leader = now
    return found
