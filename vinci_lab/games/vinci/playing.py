"""Vinci as a person plays it: what is asked in each phase, where a click leads, and what speaks for an action."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from vinci_lab.engine.picture import Picture
from vinci_lab.engine.playing import Button, Choices, Spot, Spread
from vinci_lab.engine.position import Position
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.drawing import draw, draw_panels
from vinci_lab.games.vinci.playing_cards import seat_notes, tray_spots
from vinci_lab.games.vinci.playing_map import (
    WIDTH,
    Table,
    conquest_spots,
    drop_spots,
    fort_spots,
    giving_spots,
    keep_spots,
    outcome,
    place_spots,
    placements,
)
from vinci_lab.games.vinci.words import count_of

PANEL_WIDTH = 440
SPY = "spy"
Marks = Mapping[str, int]


def pictures(position: Position, names: Sequence[str]) -> tuple[Picture, ...]:
    """Return the map, and the score track, seats and tray beside it."""
    board = draw(position, width=WIDTH, name=names[0], panels=False)
    return board, draw_panels(position, width=PANEL_WIDTH, name=names[1])


def choices(position: Position, marks: Marks) -> Choices:
    """Return what the deciding seat may do; see :mod:`vinci_lab.engine.playing`."""
    seat = position.seat
    assert seat is not None
    table = Table(position, seat)
    offered = PHASES[int(position.state.phase)](table, dict(marks))
    notes = (note for note in (*tray_spots(table), *seat_notes(table)) if note.key not in offered.by_key)
    return replace(offered, spots=(*offered.spots, *notes))


def _choose(table: Table, marks: dict[str, int]) -> Choices:
    spots = tray_spots(table)
    return Choices("Choose a civilization: each pair passed over costs points and gets a coin.", tuple(spots))


def _turn_start(table: Table, marks: dict[str, int]) -> Choices:
    """Offer to play on or to decline; a click on a province plays on and conquers it, if nothing comes between."""
    on, decline = Button("Play on", (at.A_PLAY_ON,), "Gather tokens and conquer"), _falling(table, at.A_DECLINE)
    ahead = table.after((at.A_PLAY_ON,))
    words = "Play on, or let the empire decline?"
    if ahead.state.phase != at.GATHER:
        return Choices(words, buttons=(on, decline))
    later = _gather(ahead, {}, (at.A_PLAY_ON,))
    spots = tuple(spot for spot in later.spots if not spot.mark)
    return Choices(f"{words} A click on a province plays on and conquers it.", spots, (on, decline))


def _peace(table: Table, marks: dict[str, int]) -> Choices:
    spots = []
    for action in table.position.legal_actions(table.seat):
        if action >= at.A_PEACE:
            words = table.position.describe(action)
            line = "Until your next turn neither of you attacks the other's active empire"
            spots.append(Spot(f"seat:{action - at.A_PEACE}", words, (line,), actions=(action,)))
    return Choices("Diplomacy: with whom do you make peace?", tuple(spots), _buttons(table))


def _gather(table: Table, marks: dict[str, int], before: tuple[int, ...] = ()) -> Choices:
    giving = list(giving_spots(table, marks))
    left = tuple(at.A_ABANDON + int(spot.mark.partition(":")[2]) for spot in giving if marks.get(spot.mark))
    lead = (*left, at.A_END_GATHER) if table.after(left).state.phase == at.GATHER else left
    ahead = table.after(lead)
    own = {spot.key for spot in giving}
    targets = [spot for spot in _targets(ahead, (*before, *lead), marks) if spot.key not in own]
    question = f" {count_of(len(left), 'province')} will be given up." if left else " A click gives a province up."
    if ahead.state.phase != at.CONQUEST:
        go_on = Button("Go on", lead, "Keep what you have")
        return Choices(f"Nothing can be conquered.{question}", tuple(giving), (go_on,))
    none = Button("No conquests", (*lead, at.A_END_CONQUEST), "Keep what you have, and place the tokens")
    buttons = (*_spying(ahead, marks), *((none,) if _may_stop(ahead) else ()))
    return Choices(_conquering(ahead) + question, (*targets, *giving), buttons)


def _conquest(table: Table, marks: dict[str, int]) -> Choices:
    end = Button("End conquests", (at.A_END_CONQUEST,), "Then place the tokens and score")
    buttons = (*_spying(table, marks), *((end,) if _may_stop(table) else ()))
    return Choices(_conquering(table), tuple(_targets(table, (), marks)), buttons)


def _targets(table: Table, lead: tuple[int, ...], marks: dict[str, int]) -> list[Spot]:
    if table.state.phase != at.CONQUEST:
        return []
    return list(conquest_spots(table, lead, bool(marks.get(SPY))))


def _conquering(table: Table) -> str:
    verb = "Conquer" if table.state.active[table.seat] else "Enter and conquer"
    return f"{verb}: {count_of(int(table.state.hand[table.seat]), 'token')} in hand. The numbers are costs."


def _may_stop(table: Table) -> bool:
    return at.A_END_CONQUEST in table.position.legal_actions(table.seat)


def _spying(table: Table, marks: dict[str, int]) -> tuple[Button, ...]:
    if not any(at.A_SPY <= action < at.A_SPY + at.PROVINCES for action in table.position.legal_actions(table.seat)):
        return ()
    cost = count_of(int(table.tables.spy_cost), "token")
    words = f"Espionage: {cost} each" if not marks.get(SPY) else "Espionage: on"
    return (Button(words, tip=f"The next conquest costs {cost}, whatever defends the province", toggles=SPY),)


def _keep(table: Table, marks: dict[str, int]) -> Choices:
    return Choices("The empire has fallen apart: which part do you keep?", tuple(keep_spots(table)))


def _drop(table: Table, marks: dict[str, int]) -> Choices:
    words = f"There are {count_of(int(table.state.pool), 'token')} for more provinces: which do you give up?"
    return Choices(words, tuple(drop_spots(table)), _buttons(table))


def _place(table: Table, marks: dict[str, int]) -> Choices:
    spots = tuple(place_spots(table, marks))
    hand = int(table.state.hand[table.seat])
    left = hand - sum(marks.get(spot.mark, 0) for spot in spots)
    done = Button("Done", placements(table, marks) if left == 0 else (), "Places the tokens as marked")
    whose = "Your surviving tokens" if table.state.phase == at.SURVIVORS else "Your tokens"
    question = f"{whose}: {left} of {hand} left to place. A click adds one, a click with Shift takes one back."
    return Choices(question, spots, (done,), Spread(hand, "token"))


def _fort(table: Table, marks: dict[str, int]) -> Choices:
    left = count_of(int(table.state.forts_left), "fort")
    return Choices(f"Where do you build? {left} to place.", tuple(fort_spots(table)), _buttons(table))


def _rebirth(table: Table, marks: dict[str, int]) -> Choices:
    no = Button("No rebirth", (at.A_REBIRTH_NO,), "Keep the empire")
    fall = _falling(table, at.A_REBIRTH_YES)
    return Choices("Rebirth: decline now, without losing a turn?", buttons=(fall, no))


def _falling(table: Table, action: int) -> Button:
    """Return the button of a decline, with what would come of it."""
    kinds = ("decline", "scored")
    told = [event.words for event in outcome(table, action) if event.kind in kinds]
    words = {at.A_DECLINE: "Decline", at.A_REBIRTH_YES: "Rebirth: decline"}[action]
    return Button(words, (action,), "; ".join(told))


def _buttons(table: Table) -> tuple[Button, ...]:
    """Return the legal actions that name no province."""
    legal = table.position.legal_actions(table.seat)
    words = [(action, table.position.describe(action)) for action in legal if action < at.A_ABANDON]
    return tuple(Button(said[:1].upper() + said[1:], (action,)) for action, said in words)


PHASES: dict[int, Callable[[Table, dict[str, int]], Choices]] = {
    at.CHOOSE: _choose,
    at.TURN_START: _turn_start,
    at.PEACE: _peace,
    at.GATHER: _gather,
    at.CONQUEST: _conquest,
    at.KEEP: _keep,
    at.DROP: _drop,
    at.PLACE: _place,
    at.FORT: _fort,
    at.SURVIVORS: _place,
    at.REBIRTH_CHOICE: _rebirth,
}


# Reasons ------------------------------------------------------------------------------------------------------------
def reasons(position: Position, actions: Sequence[int]) -> list[str]:
    """Return what speaks for some actions of the deciding seat: what they cost and bring, and the turn's points."""
    seat = position.seat
    assert seat is not None
    twin, said = position.copy(), []
    if actions and actions[0] < at.A_PLAY_ON:
        spots = tray_spots(Table(position, seat))
        said = [line for spot in spots if actions[0] in spot.actions for line in spot.lines]
    if actions and actions[0] in (at.A_DECLINE, at.A_REBIRTH_YES):
        now = int(effects.active_points(position.rules.tables, position.state, seat))
        hand = int(position.state.hand[seat])
        said.append(f"The active empire scores {count_of(now, 'point')} a turn, with {count_of(hand, 'token')} in hand")
    for action in actions:
        if seat not in twin.deciders:
            break
        events = twin.apply(action, seat)
        said += [event.words for event in events if event.kind in ("conquest", "decline", "scored", "contact")]
    return said
