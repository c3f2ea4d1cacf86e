"""A game of the study in the middle: the board and the standing."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pandas as pd

from vinci_lab.engine.position import Position
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.page import Field
from vinci_lab.reporting.parts import Drawing, Missing, Part, Section
from vinci_lab.simulation.reopen import open_game

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

NAME, TITLE = "example", "One of these games"
FOLDER = "one_game"
COLUMNS = ["game", "turn", "round", "seat", "score_after", "provinces", "old_provinces", "tokens"]


def section(runs: Runs, context: Context) -> Section:
    """Return the board in the middle of the first game."""
    try:
        transcript = open_game(runs, 0)
    except ValueError:  # an agent that only the caller has
        return Section(TITLE, (Missing(NAME, TITLE, "These agents are known only to the program that played them."),))
    turns = sum(line["line"] == "turn_end" for line in transcript.lines)
    return Section(TITLE, (_middle(runs, transcript.position_after(turns // 2), turns, context),))


def _middle(runs: Runs, position: Position, turns: int, context: Context) -> Part:
    half = turns // 2
    whole = next(iter(runs.batches())).table("turns", COLUMNS)
    played = whole[(whole["game"] == 0) & (whole["turn"] < half)]
    standing = played.groupby("seat").tail(1).sort_values("seat", kind="stable")
    agents = pd.Series(runs.agents, name="agent")
    table = (
        standing.drop(columns=["game", "turn"]).merge(agents, left_on="seat", right_index=True).reset_index(drop=True)
    )
    play = context.origin.typed("simulate", games=1, transcripts=1, out=FOLDER)
    show = shlex.join(["vinci-lab", "show", f"{FOLDER}/transcripts/game_000000.jsonl", "--turn", str(half)])
    drawings: tuple[Drawing, ...] = ()
    if runs.rules.definition.drawing:
        caption = f"The board of game 0 after {half} of its {turns} turns. On screen, hover over a province to read it."
        drawings = (Drawing(position.picture(name="board").inline, caption, is_whole=True),)
    return Part(
        NAME,
        f"Game 0 after {half} of its {turns} turns",
        table,
        [
            Field("seat", "Seat", "d"),
            Field("agent", "agent"),
            Field("round", "last turn in round", "d"),
            Field("score_after", "points", "d"),
            Field("provinces", "active provinces", "d"),
            Field("old_provinces", "in decline", "d"),
            Field("tokens", "tokens", "d"),
        ],
        "One game of the study, not a typical one: the first. Each seat is shown as after its last turn.",
        f"Game 0 of seed {runs.seed}, played by {context.agents}.",
        f"{play}\n{show}",
        drawings=drawings,
    )
