"""The texts around the board of a game that is played, as HTML; every name and every sentence is escaped."""

from __future__ import annotations

import html
import itertools
from collections.abc import Sequence

from vinci_lab.engine.questions import CHANCE
from vinci_lab.widgets.log import Entry
from vinci_lab.widgets.score_chart import SEAT_COLORS
from vinci_lab.widgets.session import Session

TURNS_SHOWN = 12
DRAWS_SHOWN = 4


def status_html(session: Session, question: str, is_stopped: bool) -> str:
    """Return who has to decide, and what is asked."""
    player = session.player
    if player is None:
        who, words, color = "The game is over.", "", "transparent"
    elif player.is_human:
        other = _whose_turn(session)
        who, words, color = f"Your decision, {player.title}.", f"{other}{question}", SEAT_COLORS[player.seat % 6]
    else:
        doing = "is to decide; agents are stopped" if is_stopped else "is thinking …"
        who, words, color = f"{player.title[:1].upper()}{player.title[1:]}", doing, SEAT_COLORS[player.seat % 6]
    return (
        f'<div class="vl-status" data-step="{step_of(session)}" style="border-left-color:{color}" role="status">'
        f"<b>{html.escape(who)}</b> {html.escape(words)}</div>"
    )


def step_of(session: Session) -> str:
    """Return what changes whenever something was done or marked, for pages that wait for it."""
    return f"{session.stamp}-{sum(session.marks.values())}"


def _whose_turn(session: Session) -> str:
    """Return a remark if a person is asked during the turn of somebody else."""
    state = session.position.state
    if "turn_seat" not in state.dtype.names or session.player is None or session.player.seat == state.turn_seat:
        return ""
    return f"It is the turn of {session.players[int(state.turn_seat)].title}. "


def note_html(kind: str, words: str, lines: Sequence[str] = ()) -> str:
    """Return a remark: ``note``, ``error`` or ``hint``."""
    more = "".join(f"<li>{html.escape(line)}</li>" for line in lines)
    listed = f"<ul>{more}</ul>" if more else ""
    return f'<div class="vl-note" data-kind="{kind}" aria-live="polite">{html.escape(words)}{listed}</div>'


def log_html(session: Session) -> str:
    """Return what happened in the latest turns, the latest first."""
    older = session.position.turn + 1 - TURNS_SHOWN
    recent = itertools.groupby(session.log(since=older), key=lambda entry: entry.turn)
    turns = [_turn_html(turn, list(steps)) for turn, steps in recent]
    shown = "".join(reversed(turns))
    more = f'<div class="vl-chance">{older} earlier turns are in the saved game</div>' if older > 0 else ""
    looks = f'class="vl-log" data-step="{step_of(session)}" role="log" tabindex="0" aria-label="log of the game"'
    return f"<div {looks}>{shown}{more}</div>"


def _turn_html(turn: int, steps: Sequence[Entry]) -> str:
    rows = []
    for seat, entries in itertools.groupby(steps, key=lambda entry: entry.seat):
        listed = list(entries)
        lines = [line for entry in listed for line in entry.lines]
        if seat == CHANCE and len(lines) > DRAWS_SHOWN:
            drawn = html.escape("; ".join(lines))
            rows.append(f'<details class="vl-chance"><summary>{len(lines)} draws of chance</summary>{drawn}</details>')
        elif seat == CHANCE:
            rows.append(f'<div class="vl-chance">{html.escape("; ".join(lines))}</div>')
        else:
            rows.append(
                f'<div class="vl-did" style="border-left-color:{SEAT_COLORS[seat % 6]}"><b>{html.escape(listed[0].who)}'
                f"</b>{''.join(f'<div>{html.escape(line)}</div>' for line in lines)}</div>"
            )
    return f"<h4>turn {turn + 1}</h4>{''.join(rows)}"


def end_html(session: Session, curve: str) -> str:
    """Return who has won, by how much, and the scores turn by turn."""
    shares, scores = session.position.returns(), session.position.scores
    order = sorted(range(len(scores)), key=lambda seat: (-shares[seat], -scores[seat]))
    best = [session.players[seat].title for seat in order if shares[seat] > 0]
    won = f"{' and '.join(best)} {'share the win' if len(best) > 1 else 'wins'}" if best else "Nobody wins"
    rows = "".join(
        f"<tr><td>{1 + sum((shares[other] > 0, scores[other]) > (shares[seat] > 0, scores[seat]) for other in order)}"
        f"</td><td>{html.escape(session.players[seat].title)}</td><td>{scores[seat]:g}</td></tr>"
        for seat in order
    )
    turns = session.position.turn
    head = f"{won[:1].upper()}{won[1:]} after {turns} turns."
    titles = "<tr><th>rank</th><th>who</th><th>points</th></tr>"
    return (
        f'<div class="vl-end"><h3>{html.escape(head)}</h3><div class="vl-beside"><table>{titles}'
        f"{rows}</table><div>{curve}</div></div></div>"
    )
