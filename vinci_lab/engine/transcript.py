"""One game as a text file: record, save, load, verify, replay, and print it in words.

The format, field by field, is in ``docs/transcripts.md``. A transcript holds the rules it was played by, every
outcome of chance, every action with its events, and the whole position after each turn, so that somebody else's program
can check it. Reading one executes nothing: it is plain JSON, and replaying it asks the rules, never an agent.
"""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import vinci_lab
from vinci_lab.engine.chance import LARGEST_SEED
from vinci_lab.engine.game import game_of
from vinci_lab.engine.position import IllegalActionError, Position, Step, new_position
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.engine.transcript_lines import Line, check_lines, difference, parse_lines, printable, shown

FORMAT = "vinci_lab transcript"
FORMAT_VERSION = 1
LARGEST_FILE = 256 * 2**20
NOBODY = "unnamed"


class Transcript:
    """One game written down.

    Attributes
    ----------
    header : dict
        First line of the file: the rules, seats, seed and versions.
    lines : list of dict
        The other lines, in order.
    """

    def __init__(self, header: Line, lines: list[Line], rules: Ruleset | None = None) -> None:
        self.header = header
        self.lines = lines
        self._rules = rules

    @classmethod
    def from_actions(
        cls,
        rules: Ruleset,
        agents: Sequence[str] | None,
        seed: int,
        game: int,
        actions: Iterable[tuple[int, int]],
    ) -> Transcript:
        """Write down a game from its actions.

        Parameters
        ----------
        rules : Ruleset
            The rules it was played by.
        agents : sequence of str or None
            Names of who played the seats.
        seed, game : int
            Seed of the run and index of the game.
        actions : iterable of (seat, action)
            In the order of the game. Outcomes of chance (seat ``CHANCE``) may be left out: they follow from the seed.

        Raises
        ------
        IllegalActionError
            If the rules do not allow one of the actions.
        """
        scribe = Scribe(new_position(rules, seed, game, auto_chance=False), agents)
        for seat, action in actions:
            if seat != CHANCE:
                scribe.draw_while_due()
            scribe.apply(action, seat)
        scribe.draw_while_due()
        return scribe.transcript()

    @classmethod
    def from_position(cls, position: Position, agents: Sequence[str] | None = None) -> Transcript:
        """Write down what has been played on a position since it was made, finished or not."""
        rules, origin = position.rules, position.origin
        if origin is not None:
            start = new_position(rules, *origin, auto_chance=False)
        else:
            start = Position.from_text(rules, position.start, auto_chance=False)
        scribe = Scribe(start, agents)
        for step in position.history:
            scribe.apply(step.action, step.seat)
        return scribe.transcript()

    @property
    def rules(self) -> Ruleset:
        """The rules the game was played by, built from the header of a loaded file.

        Raises
        ------
        DataError
            If the header holds no possible rules.
        """
        if self._rules is None:
            try:
                self._rules = game_of(self.header["game"]).build(self.header["rules"])
            except DataError as error:
                raise DataError([f"line 1: rules: {problem}" for problem in error.problems]) from None
        return self._rules

    @property
    def result(self) -> Line | None:
        """The last line of a finished game: scores, ranks, shares and rounds; None for an unfinished one."""
        return self.lines[-1] if self.lines and self.lines[-1]["line"] == "result" else None

    def text(self) -> str:
        """Return the file's content: one JSON object per line."""
        dumped = (json.dumps(line, ensure_ascii=False) for line in [self.header, *self.lines])
        return "".join(line + "\n" for line in dumped)

    def save(self, path: str | Path) -> Path:
        """Write the file, whole or not at all, and return its path."""
        path = Path(path)
        unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
        try:
            unfinished.write_text(self.text(), encoding="utf-8", newline="\n")
            unfinished.replace(path)
        finally:
            unfinished.unlink(missing_ok=True)
        return path

    def verify(self) -> str | None:
        """Play the game again by the rules and return the first difference as a sentence, or None if there is none.

        Compared are the rules' hash, the start, every outcome of chance, the legality and the words of every action,
        all events with their numbers, the position after each turn, and the result.
        """
        try:
            return self._verify()
        except DataError as error:
            return error.problems[0]

    def replay(self) -> Iterator[Position]:
        """Return the positions of the game one after another: the start, then one after each line of a step.

        Raises
        ------
        DataError
            If the rules do not allow a step; the sentence names its line.
        """
        position = self._start()
        yield position.copy()
        for number, line in self._steps():
            self._play(position, number, line)
            yield position.copy()

    def position_after(self, turn: int | None = None) -> Position:
        """Return the position of the game after so many turns; its last one if left out.

        Raises
        ------
        ValueError
            If there were fewer turns.
        """
        for position in self.replay():
            if turn is not None and position.turn == turn:
                return position
        if turn is None:
            return position
        raise ValueError(f"turn: must be a number from 0 to {position.turn}, the turns of this game, got {turn}")

    def in_words(self) -> Iterator[str]:
        """Return the game as sentences, without playing it again; equal steps in a row are told once."""
        header = self.header
        origin = "from a given position"
        if header["seed"] is not None:
            origin = f"seed {header['seed']}, game {header['game_index']}"
        yield printable(
            f"{header['game']} {header['edition']}, {len(header['agents'])} seats ({', '.join(header['agents'])}), "
            f"{origin}, rules {header['ruleset_hash']}"
        )
        for line, equal_lines in itertools.groupby(self.lines):
            if line["line"] == "turn_end":
                yield f"  scores after turn {line['turn_end']}: {', '.join(map(str, line['scores']))}"
            elif line["line"] == "result":
                yield (
                    f"result after {line['rounds']} rounds: scores {', '.join(map(str, line['scores']))}, "
                    f"ranks {', '.join(map(str, line['ranks']))}"
                )
            else:
                who = "chance" if line["line"] == "chance" else f"turn {line['turn'] + 1}, seat {line['seat']}"
                times = len(list(equal_lines))
                yield printable(f"{who}: {line['words']}{f' ({times} times)' if times > 1 else ''}")
                yield from (
                    printable(f"    {event['words']}") for event in line["events"] if event["words"] != line["words"]
                )

    # Verification -------------------------------------------------------------------------------------------------

    def _start(self) -> Position:
        """Return the position before the first line."""
        header, rules = self.header, self.rules
        if header["seed"] is None:
            try:
                start = Position.from_text(rules, header["start"], auto_chance=False)
                if impossible := start.status():
                    raise DataError(impossible)
            except DataError as error:
                raise DataError([f"line 1: start: {problem}" for problem in error.problems]) from None
            return start
        return new_position(rules, header["seed"], header["game_index"], auto_chance=False)

    def _steps(self) -> Iterator[tuple[int, Line]]:
        """Return the lines that are steps, with their line numbers in the file."""
        return ((number, line) for number, line in enumerate(self.lines, 2) if line["line"] in ("chance", "action"))

    def _play(self, position: Position, number: int, line: Line) -> None:
        seat = CHANCE if line["line"] == "chance" else line["seat"]
        try:
            position.apply(line["action"], seat)
        except IllegalActionError as error:
            raise DataError([f"line {number}: {error}"]) from None

    def _verify(self) -> str | None:
        header = self.header
        if header["game_version"] != game_of(header["game"]).version:
            return (
                f"line 1: game_version: {header['game_version']} was recorded, this program plays "
                f"{header['game']} version {game_of(header['game']).version}"
            )
        scribe = Scribe(self._start(), header["agents"])
        expected = {**scribe.header(), "program": header["program"], "chance": header["chance"]}
        problem = difference(header, expected, "line 1")
        for number, line in enumerate(self.lines, 2):
            if problem:
                return problem
            if line["line"] in ("chance", "action"):
                problem = self._verify_chance(scribe.position, number, line)
                if not problem:
                    self._play(scribe.position, number, line)
                    scribe.write_step()
            if not problem:
                right = scribe.lines[number - 2] if number - 2 < len(scribe.lines) else None
                problem = difference(line, right, f"line {number}")
                if right is None:
                    problem = f"line {number}: {line['line']!r} is written, by the rules there is no such line here"
        missing = scribe.lines[len(self.lines) :]
        if not problem and missing:
            problem = f"line {len(self.lines) + 2}: {missing[0]['line']!r} is missing"
        return problem

    def _verify_chance(self, position: Position, number: int, line: Line) -> str | None:
        """Return what is wrong about an outcome of chance in a game whose chance was drawn from its key."""
        if self.header["chance"] != "drawn" or line["line"] != "chance" or not position.is_chance:
            return None
        drawn = position.drawn_outcome()
        if drawn == line["action"]:
            return None
        return (
            f"line {number}: action: chance brings {line['action']} ({printable(line['words'])}) here, by the seed it "
            f"brings {drawn} ({position.describe(drawn)})"
        )


class Scribe:
    """Writes the lines of a transcript while a game is played on a position.

    Parameters
    ----------
    position : Position
        At the start of the game, with ``auto_chance=False`` so that every step is seen.
    agents : sequence of str, optional
        Names of who plays the seats.
    """

    def __init__(self, position: Position, agents: Sequence[str] | None = None) -> None:
        seats = int(position.state.seats)
        self.position = position
        self.agents = list(agents) if agents is not None else [NOBODY] * seats
        if len(self.agents) != seats:
            raise ValueError(f"agents: {len(self.agents)} are named for {seats} seats")
        self.lines: list[Line] = []
        self._is_drawn = position.origin is not None

    def apply(self, action: int | str, seat: int | None = None) -> None:
        """Carry out one step and write its lines."""
        if self.position.is_chance and self._is_drawn:
            drawn = self.position.drawn_outcome()
            self._is_drawn = action in (drawn, self.position.describe(drawn))
        self.position.apply(action, seat)
        self.write_step()

    def draw_while_due(self) -> None:
        """Let the game's key decide as long as chance is due, and write the lines."""
        while self.position.is_chance:
            self.apply(self.position.drawn_outcome(), CHANCE)

    def write_step(self) -> None:
        """Write the lines of the step that was just carried out on the position."""
        (step,) = self.position.steps
        self.lines.append(self._step_line(step))
        if self.position.turn != step.turn:
            self.lines.append(
                {
                    "line": "turn_end",
                    "turn_end": self.position.turn,
                    "scores": list(self.position.scores),
                    "position": self.position.text(),
                }
            )
        if self.position.is_over:
            self.lines.append(self._result_line())

    def _step_line(self, step: Step) -> Line:
        is_chance = step.seat == CHANCE
        line: Line = {"line": "chance" if is_chance else "action", "turn": step.turn}
        if not is_chance:
            line["seat"] = step.seat
        line["who"] = "chance" if is_chance else self.agents[step.seat]
        line |= {"action": step.action, "words": step.words, "events": [event.to_json() for event in step.events]}
        return line

    def _result_line(self) -> Line:
        position, seats = self.position, range(len(self.agents))
        scores, shares = position.scores, position.returns()
        standing = [(shares[seat] > 0, scores[seat]) for seat in seats]
        return {
            "line": "result",
            "scores": list(scores),
            "ranks": [1 + sum(other > own for other in standing) for own in standing],
            "shares": list(shares),
            "rounds": -(-position.turn // len(self.agents)),
        }

    def header(self) -> Line:
        """Return the first line."""
        rules, (seed, game) = self.position.rules, self.position.origin or (None, None)
        return {
            "line": "header",
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            "program": vinci_lab.__version__,
            "game": rules.game,
            "game_version": rules.definition.version,
            "edition": rules.edition,
            "players": rules.players,
            "agents": self.agents,
            "seed": seed,
            "game_index": game,
            "chance": "drawn" if self._is_drawn else "given",
            "ruleset_hash": rules.hash,
            "rules": rules.to_json(),
            "start": self.position.start,
        }

    def transcript(self) -> Transcript:
        """Return what has been written so far."""
        return Transcript(self.header(), list(self.lines), self.position.rules)


def record_game(
    rules: Ruleset,
    seed: int,
    game: int,
    choose: Callable[[Position], int | str],
    agents: Sequence[str] | None = None,
    *,
    sees_all: bool = False,
) -> Transcript:
    """Play one game and write it down.

    Parameters
    ----------
    rules : Ruleset
        The rules to play by.
    seed, game : int
        Seed of the run and index of the game.
    choose : callable
        ``choose(position) -> action`` as code or words; asked for each decision with what the deciding seat may know
        (its number is ``position.viewer``).
    agents : sequence of str, optional
        Names of who plays the seats.
    sees_all : bool
        Ask with the whole position instead (``position.seat`` decides), for callers that make the views themselves.
    """
    scribe = Scribe(new_position(rules, seed, game, auto_chance=False), agents)
    scribe.draw_while_due()
    while (seat := scribe.position.seat) is not None:
        scribe.apply(choose(scribe.position.copy() if sees_all else scribe.position.view(seat)), seat)
        scribe.draw_while_due()
    return scribe.transcript()


def load_transcript(path: str | Path) -> Transcript:
    """Read a transcript; nothing in it is executed.

    Raises
    ------
    DataError
        With all that is wrong: line, what was found, what is allowed.
    OSError
        If the file cannot be opened.
    """
    path = Path(path)
    if path.stat().st_size > LARGEST_FILE:
        raise DataError([f"{path}: {path.stat().st_size} bytes are too many; allowed: {LARGEST_FILE}"])
    lines = parse_lines(path.read_bytes())
    check_lines(lines, FORMAT, FORMAT_VERSION, LARGEST_SEED)
    transcript = Transcript(lines[0], lines[1:])
    rules = transcript.rules
    if rules.hash != lines[0]["ruleset_hash"]:
        written = shown(lines[0]["ruleset_hash"])
        raise DataError([f"line 1: ruleset_hash: {written} is written, the rules in this line have {rules.hash!r}"])
    if len(lines[0]["agents"]) != rules.seats:
        raise DataError([f"line 1: agents: {len(lines[0]['agents'])} are named for {rules.seats} seats"])
    return transcript
