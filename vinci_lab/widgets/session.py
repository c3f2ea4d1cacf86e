"""A game that people and agents play at one screen: all that playing takes, without a widget.

A person's command may be several actions (``play on``, then a conquest); it is carried out whole or not at all, and
taken back whole.
"""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from vinci_lab.engine.playing import Button, Choices, Spot, choices_of
from vinci_lab.engine.position import IllegalActionError, Position, new_position
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.engine.transcript import Transcript, load_transcript
from vinci_lab.simulation.seats import Agent, Seated, parse_agent
from vinci_lab.widgets.hints import Hint, hint_of
from vinci_lab.widgets.log import Entry, entries_of
from vinci_lab.widgets.players import HUMAN, Player, seat_players
from vinci_lab.widgets.thinking import Mind, Question

__all__ = ["HUMAN", "Entry", "Hint", "Player", "Session"]

LARGEST_NEW_SEED = 10**6


class Session:
    """A game with its players.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    seats : sequence of str or callable
        Who plays: ``"human"`` (or ``"human:Ada"``), or an agent as in :func:`vinci_lab.simulate`.
    seed : int, optional
        Of the game; a new one is made up if left out.
    game : int
        Index of the game in the run with this seed.
    position : Position, optional
        Where to begin, instead of at the start of a game.

    Attributes
    ----------
    rules : Ruleset
        The rules.
    players : tuple of Player
        By seat.
    position : Position
        The game, with its history.
    marks : dict of str to int
        What has been marked on the board but not played yet.

    Raises
    ------
    ValueError
        If there is no such agent or seed, or there are neither one nor as many as seats.
    """

    def __init__(
        self,
        rules: Ruleset,
        seats: Agent | Sequence[Agent] = HUMAN,
        seed: int | None = None,
        game: int = 0,
        position: Position | None = None,
    ) -> None:
        self.rules = rules
        self.players = seat_players(rules, seats)
        if position is None:
            seed = secrets.randbelow(LARGEST_NEW_SEED) if seed is None else seed
            position = new_position(rules, seed, game)
        elif position.rules != rules:
            raise ValueError("position: it is of a game by other rules")
        self.marks: dict[str, int] = {}
        self._minds: dict[str, Mind] = {}
        self._begin(position)

    def _begin(self, position: Position) -> None:
        """Put a position on the table; chance that is due is drawn."""
        self.position = position.copy()
        self.position.auto_chance = True
        self.position.resolve_chance()
        self.marks = {}
        self.stamp = 0  # raised with every change: an answer to an older question is worth nothing
        self._length = 0  # calls that changed the position
        self._commands: list[int] = []  # how many there were before each command of a person
        self._scores: list[tuple[int, tuple[float, ...]]] = [(self.position.turn, self.position.scores)]
        self._plan: list[int] = []
        self._asked: tuple[Any, Choices] | None = None

    # Who and what ----------------------------------------------------------------------------------------------------

    @property
    def seed(self) -> int | None:
        """Seed of the game; None for one that did not begin with a seed."""
        return self.position.origin[0] if self.position.origin else None

    @property
    def player(self) -> Player | None:
        """Who has to decide now: the first of them, or None when the game is over."""
        seat = self.position.seat
        return None if seat is None else self.players[seat]

    @property
    def is_humans_turn(self) -> bool:
        """Whether a person has to decide."""
        return self.player is not None and self.player.is_human

    @property
    def is_bots_turn(self) -> bool:
        """Whether an agent has to decide."""
        return self.player is not None and not self.player.is_human

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.position.is_over

    @property
    def view(self) -> Position:
        """What may be shown: what the person who decides sees, else the only person, else everything."""
        humans = [player.seat for player in self.players if player.is_human]
        if self.is_humans_turn:
            assert self.player is not None
            return self.position.view(self.player.seat)
        return self.position.view(humans[0]) if len(humans) == 1 else self.position.copy()

    def choices(self) -> Choices:
        """Return what the person who has to decide may do; nothing while an agent decides."""
        if not self.is_humans_turn:
            return Choices("The game is over." if self.is_over else "")
        known = (self.stamp, tuple(sorted(self.marks.items())))
        if self._asked is None or self._asked[0] != known:
            self._asked = known, choices_of(self.view, self.marks)
        return self._asked[1]

    # What a person does ----------------------------------------------------------------------------------------------

    def do(self, actions: Sequence[int | str]) -> None:
        """Carry out actions of the person who has to decide, all of them or none.

        Raises
        ------
        IllegalActionError
            If the rules do not allow one of them, or it is an agent's turn; nothing has changed then.
        """
        player = self._human()
        twin, calls = self.position.copy(), 0
        for action in actions:
            if calls and player.seat not in twin.deciders:
                break  # the rules have done the rest
            twin.apply(action, player.seat)
            calls += 1
        self._commands.append(self._length)
        self._change(twin, calls)

    def press(self, key: str, take_back: bool = False) -> None:
        """Click on a spot of the picture.

        Parameters
        ----------
        key : str
            The spot.
        take_back : bool
            Take a mark back instead of adding one.

        Raises
        ------
        IllegalActionError
            If there is nothing to do there; the sentence says why.
        """
        self._human()
        spot = self.choices().by_key.get(key)
        if spot is None or spot.is_note:
            raise IllegalActionError(f"{key}: there is nothing to do here now")
        if spot.actions:
            if take_back:
                raise IllegalActionError(f"{spot.words}: there is nothing to take back here")
            self.do(spot.actions)
        elif spot.mark:
            self._mark(spot, take_back)
        else:
            raise IllegalActionError(f"{spot.words}: {spot.lines[0] if spot.lines else 'it cannot be chosen now'}")

    def push(self, button: str | Button) -> None:
        """Press a button, by its words.

        Raises
        ------
        IllegalActionError
            If there is no such button now, or it cannot be pressed yet.
        """
        self._human()
        words = button if isinstance(button, str) else button.words
        found = next((one for one in self.choices().buttons if one.words == words), None)
        if found is None:
            known = ", ".join(repr(one.words) for one in self.choices().buttons) or "none"
            raise IllegalActionError(f"button: there is no {words!r} now; there are {known}")
        if found.toggles:
            self._set_mark(found.toggles, 1 - self.marks.get(found.toggles, 0))
        elif found.actions:
            self.do(found.actions)
        else:
            raise IllegalActionError(f"{found.words}: not yet. {self.choices().question}")

    def spread_evenly(self) -> None:
        """Mark all that is to be spread, each where there is least.

        Raises
        ------
        IllegalActionError
            If nothing is to be spread now.
        """
        self._human()
        spread, spots = self.choices().spread, [spot for spot in self.choices().spots if spot.mark]
        if spread is None or not spots:
            raise IllegalActionError("even: there is nothing to spread now")
        there = {spot.mark: spot.held for spot in spots}
        for _ in range(spread.total):
            least = min(there, key=there.__getitem__)
            there[least] += 1
        self.marks = {spot.mark: there[spot.mark] - spot.held for spot in spots if there[spot.mark] > spot.held}

    def clear_marks(self) -> None:
        """Take back all that has been marked."""
        self.marks = {}

    def _mark(self, spot: Spot, take_back: bool) -> None:
        """Count one more or one less in a spot's marks; a mark goes on and off where nothing is to be spread."""
        now, spread = self.marks.get(spot.mark, 0), self.choices().spread
        if spread is None:
            return self._set_mark(spot.mark, 0 if take_back else 1 - now)
        if take_back:
            if now == 0:
                raise IllegalActionError(f"{spot.words}: there is nothing to take back here")
            return self._set_mark(spot.mark, now - 1)
        placed = sum(self.marks.get(one.mark, 0) for one in self.choices().spots if one.mark)
        if spread.total == 1:
            self.marks = {}  # the only one moves
        elif placed >= spread.total:
            raise IllegalActionError(f"{spot.words}: no {spread.what} is left; take one back elsewhere first")
        return self._set_mark(spot.mark, now + 1)

    def _set_mark(self, key: str, number: int) -> None:
        self.marks = {name: value for name, value in {**self.marks, key: number}.items() if value}

    def _human(self) -> Player:
        """Return the person who has to decide, or raise a sentence."""
        player = self.player
        if player is None:
            raise IllegalActionError("the game is over, nobody acts")
        if not player.is_human:
            raise IllegalActionError(f"it is the turn of {player.title}, an agent")
        return player

    # Back ------------------------------------------------------------------------------------------------------------

    def undo(self) -> None:
        """Take the latest command of a person back, and what agents have done since; marks first, if there are any.

        Raises
        ------
        IllegalActionError
            If there is none, or chance was revealed since: what has been seen cannot be unseen; nothing changes then.
        """
        if self.marks:
            self.marks = {}
            return
        if not self._commands:
            raise IllegalActionError("undo: there is no command to take back")
        twin, target = self.position.copy(), self._commands[-1]
        for _ in range(self._length - target):
            twin.undo()
        self._commands.pop()
        self._change(twin, target - self._length)

    @property
    def can_undo(self) -> bool:
        """Whether there is something to take back, and no chance was revealed since."""
        if self.marks:
            return True
        if not self._commands:
            return False
        steps = self.position.history
        later = itertools.takewhile(lambda step: step.seat != CHANCE, reversed(steps))
        return sum(1 for _ in later) >= self._length - self._commands[-1]

    def _change(self, position: Position, calls: int) -> None:
        """Put the same game a few calls later, or earlier, on the table."""
        self.position, self.marks, self._plan = position, {}, []
        self._length += calls
        self._note()

    def _note(self) -> None:
        """Remember the scores at the end of each turn."""
        self.stamp += 1
        turn = self.position.turn
        while len(self._scores) > 1 and self._scores[-1][0] > turn:
            self._scores.pop()
        if turn > self._scores[-1][0]:
            self._scores.append((turn, self.position.scores))

    # What agents do --------------------------------------------------------------------------------------------------

    def question(self) -> Question:
        """Return what the agent that has to decide is asked; it can be answered in another thread.

        Raises
        ------
        IllegalActionError
            If no agent has to decide.
        """
        player = self.player
        if player is None or player.agent is None:
            raise IllegalActionError("no agent has to decide now")
        return self._question(player.seat, player.agent)

    def _question(self, seat: int, agent: Seated) -> Question:
        if agent.name not in self._minds:
            self._minds[agent.name] = Mind(self.position, agent)
        taken = sum(step.seat != CHANCE for step in self.position.history)
        return Question(self._minds[agent.name], self.position.copy(), seat, taken, self.stamp)

    def answer(self, question: Question, actions: Sequence[int]) -> bool:
        """Take an agent's answer as its plan; return False if the game has gone on since it was asked."""
        if question.stamp != self.stamp:
            return False
        self._plan = list(actions)
        return True

    def bot_step(self) -> None:
        """Carry out the next action of the agent that has to decide; ask it first if it has no plan.

        Raises
        ------
        IllegalActionError
            If no agent has to decide.
        """
        question = self.question()
        if not self._plan:
            self.answer(question, question.think())
        seat, turn = question.seat, self.position.turn
        plan = self._plan
        self.position.apply(plan.pop(0), seat)
        self._length += 1
        self.marks = {}
        self._note()
        if self.position.turn != turn or seat not in self.position.deciders:
            plan.clear()

    @property
    def has_plan(self) -> bool:
        """Whether the agent that has to decide knows what to do next."""
        return bool(self._plan)

    def run_bots(self) -> None:
        """Let agents decide until a person has to, or the game is over."""
        while self.is_bots_turn:
            self.bot_step()

    # Hints -----------------------------------------------------------------------------------------------------------

    def ask_for_hint(self, agent: str) -> Question:
        """Return what an agent is asked for a hint; its answer goes to :func:`vinci_lab.widgets.hints.hint_of`.

        Raises
        ------
        IllegalActionError
            If no person has to decide.
        ValueError
            If there is no such agent.
        """
        seat = self._human().seat
        return self._question(seat, parse_agent(self.rules.definition, agent))

    def hint(self, agent: str = "greedy") -> Hint:
        """Return what an agent would do in the place of the person who has to decide, and why."""
        question = self.ask_for_hint(agent)
        return hint_of(question, question.think())

    # Records ---------------------------------------------------------------------------------------------------------

    def log(self, since: int = 0) -> list[Entry]:
        """Return what has happened after so many turns, step by step; equal steps in a row are told once."""
        return entries_of([step for step in self.position.history if step.turn >= since], self.players)

    def scores_by_turn(self) -> list[tuple[float, ...]]:
        """Return the points by seat at the beginning and after each turn."""
        return [scores for _, scores in self._scores]

    def transcript(self) -> Transcript:
        """Return the game so far as a transcript."""
        return Transcript.from_position(self.position, [player.name for player in self.players])

    def save(self, path: str | Path) -> Path:
        """Write the game so far to a file, and return its path; only a transcript is written over.

        Raises
        ------
        ValueError
            If there is another kind of file.
        OSError
            If the file cannot be written.
        """
        path = Path(path)
        if path.exists():
            try:
                load_transcript(path)
            except (DataError, OSError):
                raise ValueError(f"{path}: is there already and is no transcript; choose another name") from None
        return self.transcript().save(path)

    @classmethod
    def load(cls, source: str | Path | Transcript, seats: Agent | Sequence[Agent] | None = None) -> Session:
        """Return the game of a transcript, to be played on where it ends.

        Parameters
        ----------
        source : path or Transcript
            The game, finished or not.
        seats : sequence, optional
            Who plays on; those who played it if left out.

        Raises
        ------
        DataError
            With what is wrong about the file, or does not follow the rules.
        ValueError
            If somebody who played it is not known by name.
        """
        transcript = source if isinstance(source, Transcript) else load_transcript(source)
        if problem := transcript.verify():
            raise DataError([problem])
        start = next(transcript.replay())
        session = cls(transcript.rules, transcript.header["agents"] if seats is None else seats, position=start)
        is_given = transcript.header["chance"] != "drawn"
        if is_given:
            session._begin_as_it_is(start)
        for line in transcript.lines:
            if line["line"] == "action" or (line["line"] == "chance" and is_given):
                session._replay(CHANCE if line["line"] == "chance" else line["seat"], line["action"])
        session.position.auto_chance = True
        if session.position.resolve_chance():
            session._length += 1
        return session

    def _begin_as_it_is(self, position: Position) -> None:
        """Put a position on the table whose chance somebody else decides."""
        self._begin(position)
        self.position = position.copy()
        self.position.auto_chance = False

    def _replay(self, seat: int, action: int) -> None:
        if seat != CHANCE and self.players[seat].is_human:
            self._commands.append(self._length)
        self.position.apply(action, seat)
        self._length += 1
        self._note()
