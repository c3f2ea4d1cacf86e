"""A chunk of consecutive games played by the driver, in this process or another, and its rows made small."""

from __future__ import annotations

import functools
import json
import threading
from dataclasses import dataclass, replace

import numpy as np

from vinci_lab.agents.callbacks import callbacks
from vinci_lab.agents.compiled import CALLED_BY_ADDRESS, think
from vinci_lab.agents.deciding import think_elsewhere
from vinci_lab.agents.python_agents import PythonAgent, ask, refusal
from vinci_lab.agents.search import new_desk
from vinci_lab.engine import entries
from vinci_lab.engine.bits import contains, lowest
from vinci_lab.engine.game import game_of
from vinci_lab.engine.position import Position
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import new_record, new_records
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.transcript import Transcript
from vinci_lab.simulation import driver
from vinci_lab.simulation.identity import identity_of
from vinci_lab.simulation.parts import Format, Packed
from vinci_lab.simulation.seats import Seated
from vinci_lab.simulation.tables import STREAMED, Tables, join, narrow


@dataclass(frozen=True)
class Job:
    """What all chunks of a run have in common, in a form that travels to other processes.

    Attributes
    ----------
    game, content : str
        Name of the game, and the ruleset as JSON.
    agents : tuple of Seated
        By seat.
    seed : int
        Of the run.
    rows : bool
        Whether to record.
    """

    game: str
    content: str
    agents: tuple[Seated, ...]
    seed: int
    rows: bool

    @classmethod
    def of(cls, rules: Ruleset, agents: tuple[Seated, ...], seed: int, rows: bool) -> Job:
        """Return the job of a run."""
        return cls(rules.game, json.dumps(rules.to_json()), agents, seed, rows)

    @property
    def rules(self) -> Ruleset:
        """The ruleset, built once per process."""
        return _ruleset(self.game, self.content)

    @property
    def form(self) -> Format:
        """How the tables are written as files."""
        rules = self.rules
        return Format(rules, identity_of(rules, [agent.name for agent in self.agents], self.seed))

    @property
    def is_python(self) -> bool:
        """Whether some seat is played by a Python agent."""
        return any(isinstance(agent.player, PythonAgent) for agent in self.agents)


@functools.lru_cache(maxsize=8)
def _ruleset(game: str, content: str) -> Ruleset:
    return game_of(game).build(json.loads(content))


_PACKING = threading.Lock()  # bounds the memory that Parquet's encoders take
_DESKS = threading.local()  # what a thread played its latest chunk with, for the next one


def warm_up(job: Job) -> None:
    """Compile what the job needs, once for all threads and processes, by playing no game."""
    play_chunk(job, 0, 0)
    _DESKS.__dict__.clear()  # whoever plays sits down at a desk of its own


def play_chunk(job: Job, first: int, count: int) -> tuple[int, int, Tables]:
    """Play games ``first`` to ``first + count - 1``.

    Returns
    -------
    first, count : int
        As given.
    tables : Tables
        What was recorded, in the order of the games.
    """
    desk = _DESKS.__dict__.pop("desk", None)  # an interrupted chunk does not bring its desk back
    if desk is None or desk[0] != job:
        desk = job, Buffer(job), Table(job)
    _, buffer, table = desk
    play = table.play_with_python if job.is_python else table.play_compiled
    parts: list[Tables] = []
    done = 0
    while not parts or done < count:
        played = play(buffer, first + done, count - done)
        if played == 0 and count > 0:
            raise RuntimeError(
                f"game {first + done}: it is longer than the row buffer allows; lower the stalemate guard"
            )
        parts.append(buffer.harvest())
        done += played
    _DESKS.desk = desk
    return first, count, join(parts)


def play_block(job: Job, first: int, count: int) -> tuple[int, int, Packed]:
    """Play a whole block of games and return its files: packing is the worker's task, one thread at a time."""
    tables = play_chunk(job, first, count)[2]
    with _PACKING:
        return first, count, job.form.pack(tables, first, count)


def actions_of(job: Job, game: int) -> list[tuple[int, int]]:
    """Play one game again and return its actions, each with the seat that took it."""
    silent = replace(job, rows=False)
    return Table(silent).play_stepwise(Buffer(silent), game)


def transcript_of(job: Job, rules: Ruleset, game: int) -> Transcript:
    """Play one game again and return it move by move; ``rules`` are the job's, and say where they were read."""
    names = [agent.name for agent in job.agents]
    return Transcript.from_actions(rules, names, job.seed, game, actions_of(job, game))


class Buffer:
    """The record the driver writes rows to.

    Attributes
    ----------
    rows : record
        See :mod:`vinci_lab.engine.rows`.
    """

    def __init__(self, job: Job) -> None:
        game = job.rules.definition
        self._game = game
        self._places = len(game.labels(job.rules, "province"))
        self._names = [agent.name for agent in job.agents]
        self.rows = driver.new_rows(game, job.rows)

    def harvest(self) -> Tables:
        """Return what was recorded in small integers, and empty the buffer."""
        columns, rows = self._game.columns, self.rows
        places = rows.places[: self._places]
        places[:, 0] = np.arange(self._places)
        tables = {
            table: narrow(rows[table][: rows.kept[index]], columns[table], table)
            for index, table in enumerate(STREAMED)
        }
        tables["places"] = narrow(places, columns["places"], "places")
        self._name_agents(tables)
        places[:] = 0
        rows.used[:] = rows.kept[:] = 0
        rows.is_full = 0
        return tables

    def _name_agents(self, tables: Tables) -> None:
        """Fill the columns that say which agent played: the place of its name among the different names of the run."""
        words = list(dict.fromkeys(self._names))
        by_seat = np.array([words.index(name) for name in self._names])
        for table in STREAMED:
            for column in self._game.columns[table]:
                if column.labels == "agent":
                    tables[table][column.name][:] = by_seat[tables[table]["seat"]]


class Table:
    """Everything a game is played with, used again for the next one."""

    def __init__(self, job: Job) -> None:
        game = job.rules.definition
        self._job, self._rules = job, job.rules
        desk = new_desk(game.state_layout, [agent.settings for agent in job.agents])
        called = callbacks(game, [agent.callback(game) for agent in job.agents])
        self._work, self._tools = driver.new_work(game), driver.new_tools(game, desk, called)
        self._memo = new_record(game.memo_layout)
        self._params = new_records(game.policy_layout, len(job.agents))
        for seat, agent in enumerate(job.agents):
            self._params[seat] = game.policy(self._rules.tables, **agent.params)
        self._codes = np.array([agent.code for agent in job.agents], np.int64)

    def play_compiled(self, buffer: Buffer, first: int, count: int) -> int:
        """Play games with compiled agents, and return how many were finished before the buffer was full."""
        try:
            played = driver.play_games(
                self._rules.tables,
                self._work,
                self._memo,
                self._codes,
                self._params,
                self._job.seed,
                first,
                count,
                buffer.rows,
                self._tools,
            )
        except RuntimeError as error:
            raise self._explained(error) from None
        return int(played)

    def play_with_python(self, buffer: Buffer, first: int, count: int) -> int:
        """Do the same step by step, with Python agents among the seats."""
        for game in range(first, first + count):
            self.play_stepwise(buffer, game)
            if buffer.rows.is_full:
                return game - first
        return count

    def play_stepwise(self, buffer: Buffer, game: int) -> list[tuple[int, int]]:
        """Play one game and return its actions, each with the seat that took it; chance is left out."""
        tables, state, memo, rows, events = self._rules.tables, self._work[0], self._memo, buffer.rows, self._tools[2]
        taken: list[tuple[int, int]] = []
        key = driver.start_game(tables, self._work, memo, self._job.seed, game, rows)
        while not entries.is_over(tables, state):
            due = entries.deciders(tables, state)
            if due == 0:
                outcome = entries.draw_chance(tables, state, state.key)
                driver.step(tables, state, CHANCE, outcome, memo, rows, events)
                continue
            seat, turn = lowest(due), state.turn
            for action in self._next_actions(seat, game, key, len(taken)):
                driver.step(tables, state, seat, action, memo, rows, events)
                taken.append((seat, action))
                if state.turn != turn or not contains(entries.deciders(tables, state), seat):
                    break
        driver.end_game(tables, self._work, memo, rows)
        return taken

    def _next_actions(self, seat: int, game: int, key: int, number: int) -> list[int]:
        """Return what a seat's agent does next: one action of a Python agent, perhaps more of a compiled one."""
        agent, tables = self._job.agents[seat], self._rules.tables
        if isinstance(agent.player, PythonAgent):
            return [ask(agent.player, game, Position(self._rules, self._work[0]).view(seat))]
        state, view, scratch = self._work
        (mask, plan, _, desk, called), params, code = self._tools, self._params[seat], agent.code
        if code in CALLED_BY_ADDRESS:
            think_elsewhere(tables, state, view, code, seat, params, key, number, mask, plan, desk, called)
        else:
            think(tables, state, view, scratch, code, seat, params, key, number, mask, plan)
        if plan.length == 0:
            raise self._explained(RuntimeError("an agent answered with no action that is legal"))
        return [int(action) for action in plan.actions[: plan.length]]

    def _explained(self, error: RuntimeError) -> RuntimeError:
        """Return what went wrong in the driver: with names and words if an agent's answer is not legal."""
        desk, state = self._tools[3], self._work[0]
        if desk.refusing == 0:
            return error
        seat = int(desk.refusing) - 1
        view = Position(self._rules, state).view(seat)
        desk.refusing = 0
        return refusal(self._job.agents[seat].name, int(self._memo.game), view, int(desk.refused))
