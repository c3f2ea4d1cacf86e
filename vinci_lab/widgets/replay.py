"""``replay``: a game on the board, action by action or turn by turn, with its log; to be played on from anywhere."""

from __future__ import annotations

import asyncio
import html
from pathlib import Path
from typing import Any

import ipywidgets
import traitlets

from vinci_lab.engine.position import Position
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.transcript import Transcript, load_transcript
from vinci_lab.simulation.reopen import open_game
from vinci_lab.simulation.seats import parse_agent
from vinci_lab.simulation.store import Runs
from vinci_lab.widgets.board import Board
from vinci_lab.widgets.controls import button
from vinci_lab.widgets.film import LEAD, TURN, Film
from vinci_lab.widgets.play import play
from vinci_lab.widgets.players import HUMAN
from vinci_lab.widgets.rows import Rows
from vinci_lab.widgets.score_chart import draw_scores
from vinci_lab.widgets.still import small_png, with_still

SPEEDS = {"slow": 1.2, "steady": 0.6, "fast": 0.2}  # seconds a frame is shown


def replay(source: Transcript | str | Path | Runs, game: int = 0, turn: int | None = None) -> Replay:
    """Show a game on the board, to be gone through step by step.

    Parameters
    ----------
    source : Transcript, path or Runs
        A game that was written down, its file, or a run of which one game is opened from its seed and index.
    game : int
        Which game of the run.
    turn : int, optional
        Where to begin: after so many turns. The start of the game if left out.

    Returns
    -------
    Replay
        A widget: the last line of a notebook's cell shows it.

    Raises
    ------
    ValueError
        If there is no such game or turn.
    DataError
        If the transcript does not follow the rules; the sentence names its line.
    """
    if isinstance(source, Runs):
        transcript = open_game(source, game)
    else:
        transcript = source if isinstance(source, Transcript) else load_transcript(source)
    return Replay(Film(transcript), turn=turn)


class Replay(ipywidgets.VBox):
    """The widget of :func:`replay`.

    Attributes
    ----------
    film : Film
        The game.
    index : int
        The frame that is shown.
    """

    index = traitlets.Int(0)

    def __init__(self, film: Film, turn: int | None = None, width: int = 900) -> None:
        self.film, self.width = film, width
        self._scores = film.scores_by_turn()
        self._playing: asyncio.Task[None] | None = None
        self._board = Board(label="board")
        self._strip = ipywidgets.HTML()
        self._now = ipywidgets.HTML()
        self._below = ipywidgets.VBox()
        self._log = self._make_log()
        super().__init__([self._head(), *self._controls(), self._now, self._middle(), self._strip, self._below])
        self.add_class("vl-replay")
        if turn is not None:
            self.go_to_turn(turn)
        self._show()
        self.observe(lambda _: self._show(), "index")

    # What is shown ------------------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.film.position(self.index)

    def _head(self) -> ipywidgets.HTML:
        film = self.film
        players = ", ".join(f"seat {seat} {agent}" for seat, agent in enumerate(film.agents))
        return ipywidgets.HTML(f"<b>{html.escape(film.rules.game)}</b>, {film.origin}: {html.escape(players)}")

    def _make_log(self) -> Rows:
        film = self.film
        rows = [[str(frame.turn + 1), _told(frame.words, frame.events)] for frame in film.frames]
        log = Rows(label="log of the game", height="640px", columns=["turn", "what happened"], rows=rows, numeric=[0])
        log.on_row(self.go_to)
        log.layout = {"flex": "1 1 300px", "min_width": "280px"}
        return log

    def _middle(self) -> ipywidgets.HBox:
        self._board.layout = {"width": "100%"}
        board = ipywidgets.VBox([self._board], layout={"flex": "2 1 560px", "min_width": "400px"})
        return ipywidgets.HBox([board, self._log], layout={"flex_flow": "row wrap", "grid_gap": "8px"})

    def _show(self) -> None:
        frame, film = self.film.frames[self.index], self.film
        self._board.draw(film.position(self.index).picture(width=self.width, name=self._board.name))
        marks = [film.frames[place].finished for place in film.marks.get(LEAD, ())]
        self._strip.value = draw_scores(self._scores, frame.finished, marks, self.width, name="strip").inline
        told = html.escape(_told(frame.words, frame.events))
        self._now.value = f"<b>{html.escape(film.who(self.index))}</b>: {told}"
        self._log.selected = self.index

    # Controls -----------------------------------------------------------------------------------------------------

    def _controls(self) -> list[ipywidgets.Widget]:
        last, turns = len(self.film) - 1, self.film.frames[-1].finished
        wide = {"width": "min(980px, 98%)"}
        self._action = ipywidgets.IntSlider(0, 0, last, description="steps", layout=wide)
        self._turn = ipywidgets.IntSlider(
            self.film.frames[0].finished, self.film.frames[0].finished, turns, description="turns", layout=wide
        )
        traitlets.link((self, "index"), (self._action, "value"))
        self._turn.observe(lambda change: self._slid_to_turn(change["new"]), "value")
        self.observe(lambda _: self._follow_turn(), "index")
        self._play = button("▶ play", lambda: self.pause() if self.is_playing else self.play(), "plays by itself")
        self._speed = ipywidgets.Dropdown(options=SPEEDS, value=SPEEDS["steady"], layout={"width": "90px"})
        steps = [
            button("|◀ turn", lambda: self._jump(TURN, -1), "to the end of the turn before"),
            button("◀ step", lambda: self.go_to(self.index - 1), "one step back"),
            self._play,
            button("step ▶", lambda: self.go_to(self.index + 1), "one step on"),
            button("turn ▶|", lambda: self._jump(TURN, 1), "to the end of this turn"),
            self._speed,
        ]
        names = [name for name in self.film.marks if name != TURN]
        favorites = sorted(names, key=lambda name: (name not in (LEAD, "decline"), names.index(name)))
        self._mark = ipywidgets.Dropdown(options=favorites, layout={"width": "190px"})
        jumps = [
            ipywidgets.Label("  to:"),
            self._mark,
            button("previous", lambda: self._jump(self._mark.value, -1), "to the one before"),
            button("next", lambda: self._jump(self._mark.value, 1), "to the next one"),
            button("play on from here", self.play_on, "take a seat in this position"),
        ]
        wrap = {"flex_flow": "row wrap"}
        bar = ipywidgets.HBox([*steps, *jumps], layout=wrap)
        return [bar, self._action, self._turn]

    def go_to(self, index: int) -> None:
        """Show a frame; the first or the last one if there is no such."""
        self.index = min(max(index, 0), len(self.film) - 1)

    def go_to_turn(self, turn: int) -> None:
        """Show the position after so many turns.

        Raises
        ------
        ValueError
            If there were fewer turns.
        """
        first, last = self.film.frames[0].finished, self.film.frames[-1].finished
        if not first <= turn <= last:
            raise ValueError(f"turn: must be a number from {first} to {last}, the turns of this game, got {turn}")
        self.go_to(self.film.turns[turn - first])

    def _slid_to_turn(self, turn: int) -> None:
        if turn != self.film.frames[self.index].finished:
            self.go_to_turn(turn)

    def _follow_turn(self) -> None:
        self._turn.value = self.film.frames[self.index].finished

    def _jump(self, name: str | None, direction: int) -> None:
        find = self.film.next_mark if direction > 0 else self.film.previous_mark
        found = find(name or TURN, self.index)
        if found is not None:
            self.go_to(found)

    # By itself ----------------------------------------------------------------------------------------------------

    @property
    def is_playing(self) -> bool:
        """Whether frames follow one another by themselves."""
        return self._playing is not None and not self._playing.done()

    def play(self) -> None:
        """Show one frame after another, from the start if this is the last one."""
        if self.index == len(self.film) - 1:
            self.go_to(0)
        if not self.is_playing:
            self._playing = asyncio.get_running_loop().create_task(self._run())

    def pause(self) -> None:
        """Stay where it is."""
        if self._playing is not None:
            self._playing.cancel()
            self._playing = None
        self._play.description = "▶ play"

    async def _run(self) -> None:
        self._play.description = "❚❚ pause"
        while self.index < len(self.film) - 1:
            await asyncio.sleep(self._speed.value)
            self.go_to(self.index + 1)
        self._play.description = "▶ play"

    # Playing on ---------------------------------------------------------------------------------------------------

    def play_on(self) -> None:
        """Take a seat in the position that is shown: the game is played on below by a person and the same agents."""
        self.pause()
        position = self.film.playable(self.index)
        if position.seat is None:
            self._show_below(ipywidgets.HTML("the game is over here; go back to play on from an earlier position"))
            return
        seats = [_who(agent, self.film.rules) for agent in self.film.agents]
        seats[position.seat] = HUMAN
        self._show_below(play(seats=seats, position=position))

    def _show_below(self, widget: ipywidgets.Widget) -> None:
        before, self._below.children = self._below.children, (widget,)
        for old in before:
            old.close()

    def close(self) -> None:
        """Take the replay off all pages and let it rest."""
        self.pause()
        for widget in self._below.children:
            widget.close()
        super().close()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget with a still picture of the position, for those who cannot show widgets."""
        words = f"{self.film.rules.game}, {self.film.origin}, step {self.index} of {len(self.film) - 1}"
        still = small_png(self.position.picture(width=self.width, theme="light"))
        return with_still(super()._repr_mimebundle_(**options), still, words)


def _who(agent: str, rules: Ruleset) -> str:
    """Return an agent that can play on: the one that played, or a greedy one for a person or a function."""
    try:
        return parse_agent(rules.definition, agent).name
    except ValueError:
        return "greedy"


def _told(words: str, events: tuple[str, ...]) -> str:
    """Return a step in words: what it caused says it, or else the step itself."""
    return "; ".join(events) if events else words
