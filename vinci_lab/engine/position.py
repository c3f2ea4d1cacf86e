"""A person's handle on a state: legal actions in words, apply, undo, copy, text form, and what a seat can see.

>>> position = new_position(rules, seed=3)                                            # doctest: +SKIP
>>> position.legal_words()                                                            # doctest: +SKIP
['choose pair I', 'choose pair II', ...]
>>> position.apply("choose pair I")                                                   # doctest: +SKIP
"""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from vinci_lab.engine import entries
from vinci_lab.engine.chance import LARGEST_SEED, game_key
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, copy_record, new_record
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.steps import Event, IllegalActionError, Outcome, Step, read_events, record_of

if TYPE_CHECKING:
    from vinci_lab.engine.picture import Picture

__all__ = ["Event", "IllegalActionError", "Outcome", "Position", "Step", "new_position"]

NAMED_AT_MOST = 12
NEAR_ONES = 3


class Position:
    """A state of a game with everything a person does with it.

    Attributes
    ----------
    rules : Ruleset
        The rules it is played by.
    state : record
        The state. Read its fields freely; writing to them goes around the rules.
    auto_chance : bool
        Whether chance is drawn from the game's key as soon as it is due.
    viewer : int or None
        The seat whose knowledge this is, for positions made by :meth:`view`.
    origin : tuple of int or None
        Seed and index of the game, for positions made by :func:`new_position`.
    start : str
        Text of the position the history began with.
    steps : tuple of Step
        What the latest action did: the action itself, then the chance events that followed it.
    """

    def __init__(
        self,
        rules: Ruleset,
        state: Any,
        *,
        auto_chance: bool = True,
        viewer: int | None = None,
        origin: tuple[int, int] | None = None,
    ) -> None:
        self.rules = rules
        self.state = copy_record(state)
        self.auto_chance = auto_chance
        self.viewer = viewer
        self.origin = origin
        self.steps: tuple[Step, ...] = ()
        self._start = self.state.tobytes()
        self._past: list[tuple[bytes, tuple[Step, ...]]] = []  # state before and steps of each earlier call
        self._pending: list[Step] = []
        self._record: Any = None  # buffer of events, made when first needed

    # What is going on ---------------------------------------------------------------------------------------------

    @property
    def _game(self) -> Any:
        return self.rules.definition

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(entries.is_over(self.rules.tables, self.state))

    @property
    def deciders(self) -> tuple[int, ...]:
        """The seats that owe a decision now; none when chance is due or the game is over."""
        if self.is_over:
            return ()
        owing = int(entries.deciders(self.rules.tables, self.state))
        return tuple(seat for seat in range(self.state.seats) if owing >> seat & 1)

    @property
    def seat(self) -> int | None:
        """The first seat that owes a decision now, or None."""
        return self.deciders[0] if self.deciders else None

    @property
    def is_chance(self) -> bool:
        """Whether chance is due."""
        return not self.is_over and not self.deciders

    @property
    def turn(self) -> int:
        """Turns finished."""
        return int(self.state.turn)

    @property
    def scores(self) -> tuple[float, ...]:
        """Points by seat; the shares of the win in a game without points."""
        if "score" in self.state.dtype.names:
            return tuple(int(points) for points in self.state.score[: self.state.seats])
        return self.returns()

    def returns(self) -> tuple[float, ...]:
        """Return each seat's share of the win: ties split it, all are 0 before the end."""
        values = np.zeros(int(self.state.seats))
        entries.returns(self.rules.tables, self.state, values)
        return tuple(float(value) for value in values)

    def status(self) -> list[str]:
        """Return what is impossible about the position, a sentence each; an empty list for a possible one."""
        return list(self._game.status(self.rules, self.state))

    # What may be done ---------------------------------------------------------------------------------------------

    def legal_actions(self, seat: int | None = None) -> list[int]:
        """Return the codes of what a seat may do (by default the first that owes a decision); empty if none does."""
        seat = self._decider(seat)
        if seat is None:
            return []
        mask = np.zeros(self._game.actions, np.uint8)
        entries.legal_actions(self.rules.tables, self.state, seat, mask)
        return [int(action) for action in np.flatnonzero(mask)]

    def legal_words(self, seat: int | None = None) -> list[str]:
        """Return what a seat may do in words."""
        return [self.describe(action) for action in self.legal_actions(seat)]

    @property
    def actions(self) -> dict[str, int]:
        """What the first seat that owes a decision may do: words and their codes."""
        return {self.describe(action): action for action in self.legal_actions()}

    @property
    def chance(self) -> list[Outcome]:
        """What chance may bring now, with weights; empty when chance is not due."""
        if not self.is_chance:
            return []
        weights = np.zeros(self._game.actions)
        entries.chance_outcomes(self.rules.tables, self.state, weights)
        total = weights.sum()
        return [
            Outcome(int(action), self.describe(int(action)), float(weights[action]), float(weights[action] / total))
            for action in np.flatnonzero(weights)
        ]

    def describe(self, action: int) -> str:
        """Return an action in words."""
        return str(self._game.describe_action(self.rules, action))

    def _decider(self, seat: int | None) -> int | None:
        if seat is None:
            return self.seat
        return seat if seat in self.deciders else None

    # Doing it -----------------------------------------------------------------------------------------------------

    def apply(self, action: int | str, seat: int | None = None) -> tuple[Event, ...]:
        """Carry out an action, or an outcome when chance is due, and return what happened.

        Parameters
        ----------
        action : int or str
            A code or its words.
        seat : int, optional
            Who acts; the first seat that owes a decision if left out.

        Raises
        ------
        IllegalActionError
            If the rules do not allow it; nothing has changed then.
        """
        before = self.state.tobytes()
        actor = self._actor(seat)
        code = self._code(action, actor)
        self._pending = []
        self._take(actor, code)
        if self.auto_chance:
            self._draw_while_due()
        self._remember(before)
        return self.events

    def resolve_chance(self) -> tuple[Event, ...]:
        """Draw from the game's key as long as chance is due, and return what happened."""
        before = self.state.tobytes()
        self._pending = []
        self._draw_while_due()
        if self._pending:
            self._remember(before)
            return self.events
        return ()

    def undo(self) -> None:
        """Take the latest action back.

        Raises
        ------
        IllegalActionError
            If there is none, or chance was revealed with it: what has been seen cannot be unseen.
        """
        if not self._past:
            raise IllegalActionError("undo: there is no action to take back")
        revealed = [step for step in self.steps if step.seat == CHANCE]
        if revealed:
            raise IllegalActionError(f"undo: chance has spoken since ({revealed[0].words}) and cannot be unseen")
        before, _ = self._past.pop()
        self.state = record_of(before, self.state.dtype)
        self.steps = self._past[-1][1] if self._past else ()

    @property
    def events(self) -> tuple[Event, ...]:
        """What the latest action caused, chance after it included."""
        return tuple(event for step in self.steps for event in step.events)

    @property
    def history(self) -> list[Step]:
        """All steps since the position was made."""
        return [step for _, steps in self._past for step in steps]

    def _actor(self, seat: int | None) -> int:
        """Return who acts, or raise with a sentence that says who could."""
        if self.is_over:
            raise IllegalActionError("seat: the game is over, nobody acts")
        if self.is_chance:
            if seat in (None, CHANCE):
                return CHANCE
            raise IllegalActionError(f"seat: {seat} cannot act now, chance is due")
        first = self.seat
        assert first is not None
        if seat is None or seat in self.deciders:
            return first if seat is None else seat
        raise IllegalActionError(f"seat: {seat} cannot act now; allowed: {_listed(map(str, self.deciders))}")

    def _code(self, action: int | str, actor: int) -> int:
        """Return the code of a legal action, or raise with a sentence that says what is allowed."""
        if actor == CHANCE:
            allowed = {outcome.action: outcome.words for outcome in self.chance}
        else:
            allowed = {code: self.describe(code) for code in self.legal_actions(actor)}
        who = "chance" if actor == CHANCE else f"seat {actor}"
        if isinstance(action, str):
            try:
                code = int(self._game.parse_action(self.rules, action))
            except ValueError:
                folded = {words.casefold(): words for words in allowed.values()}
                near = difflib.get_close_matches(action.strip().casefold(), folded, NEAR_ONES, 0.4)
                hint = f"allowed: {_quoted(allowed.values())}"
                if near:
                    hint = f"did you mean {_quoted(folded[words] for words in near)}?"
                raise IllegalActionError(f"action: there is no {action!r} for {who}; {hint}") from None
        elif isinstance(action, int | np.integer) and not isinstance(action, bool):
            code = int(action)
        else:
            raise IllegalActionError(f"action: {action!r} is neither a code nor words")
        if code not in allowed:
            words = action if isinstance(action, str) else self._words_or_code(code)
            raise IllegalActionError(f"action: {who} may not {words!r} now; allowed: {_quoted(allowed.values())}")
        return code

    def _words_or_code(self, code: int) -> str:
        try:
            return self.describe(code)
        except (ValueError, LookupError):
            return str(code)

    def _take(self, seat: int, action: int) -> None:
        """Carry out one step that is known to be legal."""
        turn, words = self.turn, self.describe(action)
        if self._record is None:
            self._record = new_record(EVENTS)
        self._record.is_on, self._record.length = 1, 0
        entries.apply_action(self.rules.tables, self.state, seat, action, self._record)
        self._pending.append(Step(turn, seat, action, words, read_events(self.rules, self._record)))

    def _draw_while_due(self) -> None:
        while self.is_chance:
            self._take(CHANCE, self.drawn_outcome())

    def drawn_outcome(self) -> int:
        """Return the outcome that the game's key decides, when chance is due."""
        return int(entries.draw_chance(self.rules.tables, self.state, self.state.key))

    def _remember(self, before: bytes) -> None:
        self.steps = tuple(self._pending)
        self._past.append((before, self.steps))

    # Other forms --------------------------------------------------------------------------------------------------

    def copy(self) -> Position:
        """Return an independent copy, history included; the two never share memory that changes."""
        twin = Position(self.rules, self.state, auto_chance=self.auto_chance, viewer=self.viewer, origin=self.origin)
        twin.steps, twin._past, twin._start = self.steps, list(self._past), self._start
        return twin

    def view(self, seat: int) -> Position:
        """Return what a seat may know: hidden fields and the random key are blank, and chance is not drawn."""
        self._check_seat(seat)
        seen = new_record(self.state.dtype)
        entries.observe(self.rules.tables, self.state, seat, seen)
        return Position(self.rules, seen, auto_chance=False, viewer=seat)

    def imagine(self, key: int, seat: int | None = None) -> Position:
        """Return a full position drawn at random from those that look like this one to a seat (default: the viewer)."""
        seat = self.viewer if seat is None else seat
        if seat is None:
            raise ValueError("seat: whose knowledge? name a seat, or start from a view")
        self._check_seat(seat)
        full = new_record(self.state.dtype)
        entries.determinize(self.rules.tables, self.state, seat, key, full)
        return Position(self.rules, full)

    def _check_seat(self, seat: int) -> None:
        if not 0 <= seat < self.state.seats:
            raise ValueError(f"seat: there is no {seat}; allowed: 0 to {int(self.state.seats) - 1}")

    @property
    def start(self) -> str:
        """Text of the position the history began with."""
        return str(self._game.write_position(self.rules, record_of(self._start, self.state.dtype)))

    def text(self) -> str:
        """Return the whole position as text, hidden fields included; :meth:`from_text` reads it back exactly."""
        return str(self._game.write_position(self.rules, self.state))

    @classmethod
    def from_text(cls, rules: Ruleset, text: str, *, auto_chance: bool = True) -> Position:
        """Return the position a text describes; chance that is due is left so until :meth:`resolve_chance`.

        Raises
        ------
        DataError
            With all that is wrong: line, what was found, what is allowed.
        """
        return cls(rules, rules.definition.read_position(rules, text), auto_chance=auto_chance)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.rules == other.rules and bool(self.state.tobytes() == other.state.tobytes())

    __hash__ = None  # type: ignore[assignment]  # a position changes

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        if self.is_over:
            doing = "over"
        elif self.is_chance:
            doing = "chance is due"
        else:
            doing = f"seat {_listed(map(str, self.deciders))} to decide, {len(self.legal_actions())} legal actions"
        seen = "" if self.viewer is None else f", as seat {self.viewer} sees it"
        return f"<{self.rules.game} {self.rules.edition}, {self.state.seats} seats, turn {self.turn}: {doing}{seen}>"

    def picture(self, **options: Any) -> Picture:
        """Return the position as a picture, to be shown in a notebook or saved.

        Parameters
        ----------
        **options
            Of the game's drawing, such as ``width`` and ``theme``; see :func:`vinci_lab.games.vinci.drawing.draw`.

        Raises
        ------
        ValueError
            If the game has no drawing, or an option is not allowed.
        """
        if not self._game.drawing:
            raise ValueError(f"picture: {self.rules.game} has no drawing")
        drawn: Picture = importlib.import_module(self._game.drawing).draw(self, **options)
        return drawn

    def _repr_svg_(self) -> str | None:
        """Return the position as a drawing, for notebooks; None for a game that has none."""
        return self.picture().svg if self._game.drawing else None


def new_position(rules: Ruleset, seed: int = 0, game: int = 0, *, auto_chance: bool = True) -> Position:
    """Return the beginning of a game, the one that a simulation with this seed plays under this index.

    Parameters
    ----------
    rules : Ruleset
        The rules to play by.
    seed, game : int
        Seed of the run and index of the game in it.
    auto_chance : bool
        Draw chance from the game's key when it is due; otherwise outcomes are applied like actions, see
        :attr:`Position.chance`.
    """
    for place, number in (("seed", seed), ("game", game)):
        if not 0 <= number <= LARGEST_SEED:
            raise ValueError(f"{place}: {number} is not allowed; allowed: 0 to {LARGEST_SEED}")
    state = new_record(rules.definition.state_layout)
    entries.begin_game(rules.tables, state, game_key(seed, game))
    position = Position(rules, state, auto_chance=auto_chance, origin=(seed, game))
    if auto_chance:
        position.resolve_chance()
    return position


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)


def _quoted(words: Iterable[str]) -> str:
    listed = [repr(word) for word in words]
    more = len(listed) - NAMED_AT_MOST
    return ", ".join(listed[:NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")
