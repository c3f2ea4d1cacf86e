"""Vinci: the provinces as spots to play on: what a conquest would cost and bring, or why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from vinci_lab.engine import entries
from vinci_lab.engine.bits import contains
from vinci_lab.engine.playing import Spot
from vinci_lab.engine.position import Position
from vinci_lab.engine.records import EVENTS, copy_record, new_record
from vinci_lab.engine.steps import Event, read_events
from vinci_lab.games.vinci import rules_cost as costs
from vinci_lab.games.vinci import rules_effects as effects
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.drawing_board import Canvas, sentence
from vinci_lab.games.vinci.words import cost_parts, count_of, vocabulary

WIDTH, TOP = 760, 32  # of the board, and above its map, in pixels
PLENTY = 1000  # tokens that pay for any conquest
BADGE = (-19.0, -13.0)  # from the middle of a province


@dataclass(frozen=True)
class Table:
    """A position as the deciding seat sees it, and what is asked of it again and again.

    Attributes
    ----------
    position : Position
        What the seat sees.
    seat : int
        Who decides.
    """

    position: Position
    seat: int

    @property
    def state(self) -> Any:
        """The state."""
        return self.position.state

    @property
    def tables(self) -> Any:
        """The printed numbers."""
        return self.position.rules.tables

    @property
    def names(self) -> tuple[str, ...]:
        """Provinces by number."""
        return vocabulary(self.position.rules).provinces

    def members(self, provinces: Any) -> list[int]:
        """Return the numbers of a set of provinces."""
        return [number for number in range(len(self.names)) if int(provinces) >> number & 1]

    def after(self, actions: Sequence[int]) -> Table:
        """Return the table after some actions of the seat; what chance would bring is left open."""
        position = self.position.copy()
        for action in actions:
            position.apply(action, self.seat)
        return Table(position, self.seat)

    def spot(self, number: int, lines: Sequence[str] = (), **more: Any) -> Spot:
        """Return a province as a spot: what is on it, then what else is said."""
        name, x, y = self.names[number], *Canvas.of(self.position.rules, WIDTH, TOP).center(self.names[number])[:2]
        printed = sentence(self.position.rules, self.state, number).removeprefix(f"{name}: ")
        place = (round(x + BADGE[0], 1), round(y + BADGE[1], 1))
        return Spot(f"province:{number}", name, (*lines, printed), place=place, **more)


def outcome(table: Table, action: int, hand: int | None = None) -> tuple[Event, ...]:
    """Return what an action would cause, with as many tokens in hand as it takes if ``hand`` is given."""
    state, record = copy_record(table.state), new_record(EVENTS)
    record.is_on = 1
    if hand is not None:
        state.hand[table.seat] = hand
    entries.apply_action(table.tables, state, table.seat, action, record)
    return read_events(table.position.rules, record)


# Conquest -----------------------------------------------------------------------------------------------------------
def conquest_spots(table: Table, lead: tuple[int, ...], is_spying: bool) -> Iterator[Spot]:
    """Yield every province: what its conquest costs and brings, or why it cannot be conquered.

    Parameters
    ----------
    table : Table
        While the seat conquers.
    lead : tuple of int
        What the seat does before the conquest.
    is_spying : bool
        Whether conquests shall be made by Espionage where they can.
    """
    reach = table.members(costs.reachable(table.tables, table.state, table.seat))
    legal = set(table.position.legal_actions(table.seat))
    targets = []
    for number in range(len(table.names)):
        ways = [code for code in (at.A_CONQUER + number, at.A_SPY + number) if code in legal]
        if number not in reach:
            targets.append(table.spot(number, [_why_out_of_reach(table, number)]))
            continue
        is_spy = bool(ways) and (is_spying or at.A_CONQUER + number not in ways) and at.A_SPY + number in ways
        event, *others = _conquest(table, number, is_spy)
        cost = int(event.fields["cost"])
        lines = [_price(table, event, ways), *_gains(table, number, others)]
        if ways:
            chosen = at.A_SPY if is_spy else at.A_CONQUER
            targets.append(table.spot(number, lines, actions=(*lead, chosen + number), badge=str(cost)))
        else:
            targets.append(table.spot(number, lines, badge=str(cost)))
    yield from sorted(targets, key=lambda spot: not spot.is_open)


def _conquest(table: Table, number: int, is_spy: bool) -> list[Event]:
    """Return the conquest of a province in reach, then what else it would cause."""
    hand = None if is_spy else int(table.state.hand[table.seat]) + PLENTY
    events = outcome(table, (at.A_SPY if is_spy else at.A_CONQUER) + number, hand)
    first = next(place for place, event in enumerate(events) if event.kind == "conquest")
    return list(events[first:])


def _price(table: Table, event: Event, ways: Sequence[int]) -> str:
    """Return what a conquest costs with its parts, and whether it can be paid."""
    cost, hand = int(event.fields["cost"]), int(table.state.hand[table.seat])
    if event.fields["is_spy"]:
        words = f"Costs {count_of(cost, 'token')} by espionage"
    else:
        words = f"Costs {count_of(cost, 'token')}: {', '.join(cost_parts(table.position.rules, event.fields))}"
    if ways:
        return f"{words}. Leaves {hand - cost} in hand"
    if cost <= hand:
        return f"{words}. A conquest for nothing needs a token that can hold it"
    return f"{words}. You have {hand}"


def _gains(table: Table, number: int, events: Sequence[Event]) -> list[str]:
    """Return what a conquest brings a turn, and what it does to others and to the own empire in decline."""
    halves = int(effects.province_halves(table.tables, table.state, table.seat, number))
    lines = [f"Brings {halves / 2:g} {'point' if halves == 2 else 'points'} a turn"]
    lines += [upper(event.words) for event in events if event.kind in ("loss", "contact")]
    return lines


def _why_out_of_reach(table: Table, number: int) -> str:
    state, seat = table.state, table.seat
    if contains(state.active[seat], number):
        return "It is yours already"
    if contains(costs.protected_provinces(state, seat), number):
        owner = next(other for other in range(state.seats) if contains(state.active[other], number))
        return f"Peace with seat {owner} protects it"
    if state.active[seat] == 0:
        return "A new civilization enters from the edge of the board, and this is not there"
    near = table.members(table.tables.bordering[number])
    if contains(state.decline[seat], number) and any(contains(state.active[seat], other) for other in near):
        return "Your own empire in decline is no target by these rules"
    return "Out of reach: none of your provinces leads there"


def upper(words: str) -> str:
    """Return a sentence with a capital letter."""
    return words[:1].upper() + words[1:]


# After the conquests ------------------------------------------------------------------------------------------------
def giving_spots(table: Table, marks: dict[str, int]) -> Iterator[Spot]:
    """Yield the own provinces that can be given up before the conquests, as marks that are played with them."""
    for action in table.position.legal_actions(table.seat):
        if at.A_ABANDON <= action < at.A_ABANDON + at.PROVINCES:
            number = action - at.A_ABANDON
            key = f"province:{number}"
            does = (
                "Will be given up; a click keeps it" if marks.get(key) else "A click gives it up before the conquests"
            )
            yield table.spot(number, [does], mark=key, badge="leave" if marks.get(key) else "")


def keep_spots(table: Table) -> Iterator[Spot]:
    """Yield the provinces of an empire that has fallen apart: a click keeps the part that holds it."""
    state, seat, legal = table.state, table.seat, table.position.legal_actions(table.seat)
    for number in table.members(state.active[seat]):
        part = table.members(effects.part_of(table.tables, state, seat, number, state.active[seat]))
        action = at.A_KEEP + min(part)
        others = [table.names[other] for other in table.members(state.active[seat]) if other not in part]
        lines = [f"Keeps {_listed([table.names[one] for one in part])}", f"Gives up {_listed(others)}"]
        if action in legal:
            yield table.spot(number, lines, actions=(action,))
        else:
            yield table.spot(number, ["Only one of the largest parts can be kept"])


def drop_spots(table: Table) -> Iterator[Spot]:
    """Yield the provinces that can be given up for want of tokens."""
    legal = table.position.legal_actions(table.seat)
    for number in table.members(table.state.kept):
        if at.A_DROP + number in legal:
            yield table.spot(number, ["A click gives it up"], actions=(at.A_DROP + number,))
        else:
            yield table.spot(number, ["Without it the empire would fall apart"])


def place_spots(table: Table, marks: dict[str, int]) -> Iterator[Spot]:
    """Yield the provinces that tokens can be placed on."""
    for action in table.position.legal_actions(table.seat):
        number = action - at.A_PLACE
        key = f"province:{number}"
        there, more = int(table.state.tokens[number]), marks.get(key, 0)
        lines = [f"{count_of(there + more, 'token')} here" + (f", {more} of them new" if more else "")]
        yield table.spot(number, lines, mark=key, held=there, badge=f"+{more}" if more else "")


def placements(table: Table, marks: dict[str, int]) -> tuple[int, ...]:
    """Return the actions that place marked tokens; the last province takes all that are left with one of them."""
    sites = [action - at.A_PLACE for action in table.position.legal_actions(table.seat)]
    actions = [at.A_PLACE + site for site in sites[:-1] for _ in range(marks.get(f"province:{site}", 0))]
    if marks.get(f"province:{sites[-1]}", 0):
        actions.append(at.A_PLACE + sites[-1])
    return tuple(actions)


def fort_spots(table: Table) -> Iterator[Spot]:
    """Yield the provinces that can get a fort."""
    legal = table.position.legal_actions(table.seat)
    for number in table.members(table.state.active[table.seat]):
        if at.A_FORT + number in legal:
            yield table.spot(number, ["A click builds a fort"], actions=(at.A_FORT + number,))
        else:
            yield table.spot(number, ["It has a fort already"])


def _listed(names: Sequence[str]) -> str:
    return f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else "".join(names)
