"""``play``: a game on the board in a notebook, people against agents and against each other.

The widget shows a :class:`~vinci_lab.widgets.session.Session` and hands it what people do; it knows no rules. Agents
think in threads of their own while the kernel stays free, and what they answer to a position that is gone is dropped:
every control answers at once.

What pages and tests may rely on, besides what :mod:`vinci_lab.widgets.board` promises: ``.vl-play`` is the whole,
``.vl-status`` what is asked, ``.vl-note`` the latest remark (``data-kind`` is ``note``, ``error`` or ``hint``),
``.vl-log`` the log, ``.vl-end`` the summary at the end; buttons are found by their words. ``data-step`` of the status
changes first when something was done, that of the log last.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import ipywidgets

from vinci_lab.agents.python_agents import AgentError
from vinci_lab.engine.picture import Picture
from vinci_lab.engine.playing import Spot, pictures_of
from vinci_lab.engine.position import IllegalActionError, Position
from vinci_lab.engine.ruleset import DataError, Ruleset
from vinci_lab.engine.transcript import Transcript
from vinci_lab.rulesets import ruleset
from vinci_lab.simulation.seats import Agent
from vinci_lab.widgets.board import Board, BoardEvent, Region
from vinci_lab.widgets.hints import Hint, hint_of
from vinci_lab.widgets.play_words import end_html, log_html, note_html, status_html
from vinci_lab.widgets.score_chart import draw_scores
from vinci_lab.widgets.session import Session
from vinci_lab.widgets.still import small_png, with_still

ADVISERS = ("greedy", "search", "search:budget=play", "automaton", "random")
QUICKEST = 0.15  # seconds between two pictures while agents play without a pause
STILL_SCALE = 0.75
WRONG = (IllegalActionError, AgentError, DataError, ValueError, OSError)
ROW = {"flex_flow": "row wrap", "align_items": "center", "grid_gap": "6px"}


def play(
    rules: Ruleset | str | None = None,
    seats: Agent | Sequence[Agent] | None = None,
    seed: int | None = None,
    *,
    position: Position | None = None,
    transcript: Transcript | str | Path | None = None,
    pace: float = 0.5,
) -> Play:
    """Play a game on the board, against agents and against other people at the same screen.

    Parameters
    ----------
    rules : Ruleset or str, optional
        The rules, or the name of a game: it is played by as many as ``seats`` lists then, else by four. Not needed with
        a position or a transcript.
    seats : sequence of str or callable, optional
        Who plays: ``"human"``, ``"human:Ada"``, or an agent as in :func:`vinci_lab.simulate`. A person against greedy
        agents if left out; with a transcript, those who played it.
    seed : int, optional
        Of the game: with the same seed and the same decisions it is the same game. Made up if left out.
    position : Position, optional
        Where to begin, instead of at the start of a game.
    transcript : Transcript or path, optional
        A saved game to go on with.
    pace : float
        Seconds an agent waits before each action; there is a slider for it.

    Returns
    -------
    Play
        A widget: the last line of a notebook's cell shows it.

    Raises
    ------
    ValueError
        If there is no such agent or seed, or there are neither one nor as many as seats.
    DataError
        If the transcript does not follow the rules; the sentence names its line.

    Examples
    --------
    >>> import vinci_lab as vl
    >>> game = vl.play(vl.ruleset("vinci", players=4), seats=["human", "search", "greedy", "greedy"], seed=3)
    """
    if transcript is not None:
        return Play(Session.load(transcript, seats), pace)
    if rules is None:
        if position is None:
            raise ValueError("play: name the rules, a position or a transcript")
        rules = position.rules
    several = len(seats) if isinstance(seats, list | tuple) else 4
    known = ruleset(rules, players=several) if isinstance(rules, str) else rules
    asked = ["human", *["greedy"] * (known.players - 1)] if seats is None else seats
    return Play(Session(known, asked, seed, position=position), pace)


class Play(ipywidgets.VBox):
    """The widget of :func:`play`.

    Attributes
    ----------
    session : Session
        The game; call :meth:`refresh` after changing it in a cell.
    """

    def __init__(self, session: Session, pace: float = 0.5) -> None:
        self.session = session
        self._task: asyncio.Task[None] | None = None
        self._hinting: asyncio.Task[None] | None = None
        self._pool = ThreadPoolExecutor(max_workers=4, thread_name_prefix="vinci_lab play")
        self._hint: Hint | None = None
        self._drawn = 0.0
        self._is_stopped = False
        self._pictures: tuple[Picture, ...] = ()
        self._make_choices()
        self._make_controls(pace)
        self._make_table()
        super().__init__([self._status, *self._controls, self._end, self._table])
        self.add_class("vl-play")
        self._note("note", self._welcome())
        self._wake()

    def _welcome(self) -> str:
        seed = self.session.seed
        origin = f"Seed {seed}. " if seed is not None else ""
        return f"{origin}Point at anything to see what it costs and brings; Tab and the arrow keys do the same."

    # What is on the screen -------------------------------------------------------------------------------------------

    def _make_choices(self) -> None:
        self._status, self._said = ipywidgets.HTML(), ipywidgets.HTML()
        self._choices = ipywidgets.HBox(layout=ROW)
        self._buttons: list[ipywidgets.Button] = []
        self._adding = ipywidgets.ToggleButtons(options=[("+ add", False), ("- take back", True)])
        self._adding.style.button_width = "auto"
        self._even = _button("Even", lambda: self.session.spread_evenly(), self, "Spread them evenly")
        self._clear = _button("Clear", lambda: self.session.clear_marks(), self, "Take all back")
        self._spreading = ipywidgets.HBox([self._adding, self._even, self._clear], layout=ROW)

    def _make_table(self) -> None:
        self._board = Board(label="The board")
        self._side = Board(label="Scores, seats and offers")
        for board in (self._board, self._side):
            board.on_event(self._clicked)
        self._log = ipywidgets.HTML()
        side = ipywidgets.VBox([self._side, self._said, self._log], layout={"flex": "1 1 340px", "max_width": "440px"})
        left = ipywidgets.VBox([self._board, *self._files], layout={"flex": "1 1 480px", "max_width": "760px"})
        self._table = ipywidgets.HBox([left, side], layout={"flex_flow": "row wrap", "grid_gap": "10px"})
        self._end = ipywidgets.HTML()

    def _make_controls(self, pace: float) -> None:
        short = {"width": "auto"}
        self._undo = _button("Undo", lambda: self.session.undo(), self, "Take your latest command back")
        self._adviser = ipywidgets.Combobox(value="greedy", options=list(ADVISERS), layout={"width": "170px"})
        self._advise = ipywidgets.Button(description="Hint from", tooltip="Ask an agent what it would do", layout=short)
        self._advise.on_click(lambda _: self.hint())
        self._follow = _button("Do it", self._follow_hint, self, "Do what the hint says")
        self._stop = ipywidgets.Button(description="Stop agents", layout=short)
        self._stop.on_click(lambda _: self._stop_or_go())
        self._step = ipywidgets.Button(description="One step", tooltip="One action of an agent", layout=short)
        self._step.on_click(lambda _: self._one_step())
        self._pace = ipywidgets.FloatSlider(
            pace, min=0, max=3, step=0.1, description="pace", tooltip="Seconds before each action of an agent"
        )
        self._pace.layout.width = "260px"
        self._seed = ipywidgets.IntText(self.session.seed or 0, description="seed", layout={"width": "180px"})
        self._names = ipywidgets.Text(self._seat_names(), description="seats", layout={"width": "360px"})
        again = _button("Same game again", lambda: self._new(self._seed.value), self, "From the start, with this seed")
        other = _button("New game", lambda: self._new(None), self, "With another seed")
        self._path = ipywidgets.Text(f"{self.session.rules.game}_game.jsonl", layout={"width": "240px"})
        save = _button("Save", self._save, self, "Write the game so far to this file")
        load = _button("Load", self._load, self, "Go on with the game in this file")
        game = [self._undo, self._advise, self._adviser, self._follow, self._stop, self._step, self._pace]
        more = [again, other, self._seed, self._names]
        files = [ipywidgets.Label("file"), self._path, save, load]
        choosing = ipywidgets.HBox([self._choices, self._spreading], layout=ROW)
        choosing.add_class("vl-choices")
        self._controls = [choosing, ipywidgets.HBox(game, layout=ROW)]
        self._files = [ipywidgets.HBox(row, layout=ROW) for row in (more, files)]

    def _seat_names(self) -> str:
        return ", ".join(player.name for player in self.session.players)

    def refresh(self) -> None:
        """Show the session as it is now."""
        session, choices = self.session, self.session.choices()
        self._drawn = time.monotonic()
        self._pictures = pictures_of(session.view, [self._board.name, self._side.name])
        regions = [self._region(spot) for spot in choices.spots]
        names = {region.key.partition(":")[0] for region in regions}
        for board, picture in itertools.zip_longest((self._board, self._side), self._pictures[:2]):
            board.layout.display = None if picture else "none"
            if picture:
                board.draw(picture)
                there = {name for name in names if f' data-{name}="' in picture.svg}
                board.mark(region for region in regions if region.key.partition(":")[0] in there)
                names -= there
        self._status.value = status_html(session, choices.question, self._is_stopped)
        self._board.said = choices.question
        self._show_buttons()
        self._log.value = log_html(session)
        self._end.value = self._ending() if session.is_over else ""

    def _region(self, spot: Spot) -> Region:
        """Return a spot as a region of the board, with what a hint and marks say about it."""
        looks = "can" if spot.is_open else "plain" if spot.is_note else "cannot"
        if self.session.marks.get(spot.mark):
            looks = "chosen"
        elif spot.key in self._hint_keys:
            looks = "hint"
        elif spot.mark and self.session.choices().spread is None:
            looks = "plain"
        return Region(spot.key, spot.words, spot.lines, looks, spot.badge, spot.place)

    @property
    def _hint_keys(self) -> set[str]:
        """The spots that a hint would come to, in this decision and later ones of the turn."""
        if self._hint is None:
            return set()
        last = {spot.actions[-1]: spot.key for spot in self.session.choices().spots if spot.actions}
        return {last[action] for action in self._hint.actions if action in last}

    def _show_buttons(self) -> None:
        choices = self.session.choices()
        wanted = choices.buttons
        while len(self._buttons) < len(wanted):
            button = ipywidgets.Button(layout={"width": "auto"})
            button.on_click(lambda pressed: self._act(lambda: self.session.push(pressed.description)))
            self._buttons.append(button)
        for button, one in zip(self._buttons, wanted, strict=False):
            button.description, button.tooltip = one.words, one.tip or one.words
            button.disabled = not (one.actions or one.toggles)
            is_hinted = self._hint and one.actions and self._hint.actions[: len(one.actions)] == one.actions
            is_on = bool(one.toggles and self.session.marks.get(one.toggles))
            button.button_style = "warning" if is_hinted else "success" if is_on else "primary"
        shown = tuple(self._buttons[: len(wanted)])
        if self._choices.children != shown:
            self._choices.children = shown
        self._spreading.layout.display = None if choices.spread else "none"
        self._undo.disabled = not self.session.can_undo
        self._advise.disabled = not self.session.is_humans_turn
        self._follow.layout.display = None if self._hint else "none"
        self._step.disabled = not self.session.is_bots_turn
        self._stop.description = "Let agents go on" if self._is_stopped else "Stop agents"

    def _ending(self) -> str:
        session = self.session
        scores = session.scores_by_turn()
        return end_html(session, draw_scores(scores, len(scores) - 1, width=760).inline)

    def _note(self, kind: str, words: str, lines: Sequence[str] = ()) -> None:
        self._said.value = note_html(kind, words, lines)

    # What people do --------------------------------------------------------------------------------------------------

    def _clicked(self, event: BoardEvent) -> None:
        if event.kind in ("click", "more", "less"):
            is_spread = self.session.choices().spread is not None
            take_back = event.kind == "less" or (event.kind == "click" and is_spread and self._adding.value)
            self._act(lambda: self.session.press(event.region, take_back))

    def _act(self, act: Callable[[], object]) -> None:
        """Do something to the session, say what is wrong about it, and go on."""
        stamp = self.session.stamp
        try:
            told = act()
        except WRONG as error:
            self._note("error", str(error))
        else:
            if self.session.stamp != stamp or isinstance(told, str):
                self._cancel()
                self._hint = None
                self._adding.value = False
                self._note("note", told if isinstance(told, str) else "")
        self._wake()

    def hint(self) -> None:
        """Ask the chosen agent what it would do, and show its answer when it comes."""
        try:
            question = self.session.ask_for_hint(self._adviser.value.strip())
        except WRONG as error:
            self._note("error", str(error))
            return

        def show(actions: list[int]) -> None:
            if question.stamp == self.session.stamp:
                self._hint = hint_of(question, actions)
                self._note("hint", f"{self._hint.agent} would: {', '.join(self._hint.words)}", self._hint.reasons)
                self.refresh()

        loop = _running_loop()
        if loop is None:
            show(question.think())
            return
        self._note("note", f"{question.mind.name} is thinking …")
        self._hinting = loop.create_task(self._ask(question.think, show))

    async def _ask(self, think: Callable[[], list[int]], show: Callable[[list[int]], None]) -> None:
        try:
            show(await asyncio.get_running_loop().run_in_executor(self._pool, think))
        except WRONG as error:
            self._note("error", str(error))

    def _follow_hint(self) -> None:
        if self._hint is not None:
            self.session.do(self._hint.actions)

    def _new(self, seed: int | None) -> str:
        """Begin another game with the seats as they are written; agents that are functions stay where they are."""
        functions = {
            player.name: player.agent.player.choose
            for player in self.session.players
            if player.agent is not None and hasattr(player.agent.player, "choose")
        }
        names = [name.strip() for name in self._names.value.split(", ")]
        self.session = Session(self.session.rules, [functions.get(name, name) for name in names], seed)
        self._seed.value = self.session.seed or 0
        return self._welcome()

    def _save(self) -> str:
        return f"Saved as {self.session.save(self._path.value.strip())}"

    def _load(self) -> str:
        self.session = Session.load(self._path.value.strip())
        self._seed.value, self._names.value = self.session.seed or 0, self._seat_names()
        return f"Loaded from {self._path.value.strip()}"

    # What agents do --------------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        """Show how things stand, and let agents go on if it is their turn."""
        self.refresh()
        if not self.session.is_bots_turn or self._is_stopped or (self._task and not self._task.done()):
            return
        loop = _running_loop()
        if loop is None:  # nobody could press a button meanwhile
            self.session.run_bots()
            self.refresh()
        else:
            self._task = loop.create_task(self._run())

    async def _run(self) -> None:
        try:
            while self.session.is_bots_turn and not self._is_stopped:
                await self._step_once(self._pace.value)
        except Exception as error:  # nobody else would hear of it
            self._is_stopped = True
            self._note("error", str(error))
        self.refresh()

    async def _step_once(self, pace: float) -> None:
        """Let the agent whose turn it is think, wait, and do the next thing."""
        session, loop = self.session, asyncio.get_running_loop()
        if not session.has_plan:
            question = session.question()
            if not session.answer(question, await loop.run_in_executor(self._pool, question.think)):
                return
        await asyncio.sleep(max(pace, 0.005))
        if session is self.session and session.is_bots_turn and session.has_plan:
            session.bot_step()
            if pace > QUICKEST or time.monotonic() - self._drawn > QUICKEST or not session.is_bots_turn:
                self.refresh()

    def _cancel(self) -> None:
        """Leave what agents are doing: an answer that comes later is dropped."""
        for task in (self._task, self._hinting):
            if task is not None:
                task.cancel()
        self._task = self._hinting = None

    def _stop_or_go(self) -> None:
        self._is_stopped = not self._is_stopped
        if self._is_stopped:
            self._cancel()
        self._wake()

    def _one_step(self) -> None:
        """Let an agent do one thing, and stop."""
        self._cancel()
        self._is_stopped = True
        self.refresh()
        loop = _running_loop()
        if not self.session.is_bots_turn:
            return
        if loop is None:
            self.session.bot_step()
            self.refresh()
        else:
            self._task = loop.create_task(self._step_and_show())

    async def _step_and_show(self) -> None:
        try:
            await self._step_once(QUICKEST * 2)
        except WRONG as error:
            self._note("error", str(error))
        self.refresh()

    def close(self) -> None:
        """Take the game off all pages, and leave its agents."""
        self._cancel()
        self._pool.shutdown(wait=False, cancel_futures=True)
        for board in (self._board, self._side):
            board.close()
        super().close()

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """Return the widget with a still picture of the board, for those who cannot show widgets."""
        session = self.session
        words = f"{session.rules.content.get('title', session.rules.game)}, {session.position!r}"
        has_drawing = bool(session.rules.definition.drawing)
        still = small_png(session.view.picture(theme="light"), STILL_SCALE) if has_drawing else None
        return with_still(super()._repr_mimebundle_(**options), still, words)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the kernel's loop; None in a script, where agents are waited for."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _button(words: str, act: Callable[[], object], play: Play, tip: str) -> ipywidgets.Button:
    button = ipywidgets.Button(description=words, tooltip=tip, layout={"width": "auto"})
    button.on_click(lambda _: play._act(act))
    return button
