"""Hidden bid: a four-seat game of secret, simultaneous choice and chance, which asks more of the protocol than Vinci.

Each round chance draws a prize; every seat secretly bids some of its coins; when the last bid is in, all are revealed
and paid, and the highest bid that nobody else made takes the prize. Most points win, ties share.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from vinci_lab.engine import bits, chance, game, questions, ruleset
from vinci_lab.engine.jit import kernel
from vinci_lab.engine.questions import CHANCE, answers
from vinci_lab.engine.records import PLANS, add_to_plan, emit, new_record
from vinci_lab.engine.rows import GAMES, TURNS, new_row

SEATS, ROUNDS, COINS, PRIZES = 4, 5, 7, 3
NOT_YET, HIDDEN = -1, -2  # values of a pending bid that are no number of coins
A_BID, A_PRIZE = 0, COINS + 1  # first codes: + coins, + prize
ACTIONS = A_PRIZE + PRIZES
EVENT_FIELDS = {"prize": ("value",), "bid": ("seat",), "revealed": ("seat", "coins"), "taken": ("seat", "value")}
E_PRIZE, E_BID, E_REVEALED, E_TAKEN = range(4)
INVARIANTS = ("coins are neither made nor negative", "points do not exceed the prizes drawn", "a bid is in hand")

TABLES = np.dtype([("hidden_bid_tables", "i8"), ("value", "i8", (PRIZES,)), ("weight", "i8", (PRIZES,))])
STATE = np.dtype(
    [
        ("hidden_bid", "i8"),
        ("key", "i8"),
        ("seats", "i8"),
        ("turn", "i8"),  # rounds finished
        ("prize", "i8"),  # on offer; 0 when it is still to be drawn
        ("drawn", "i8"),  # sum of all prizes so far
        ("coins", "i8", (SEATS,)),
        ("points", "i8", (SEATS,)),
        ("spent", "i8", (SEATS,)),
        ("pending", "i8", (SEATS,)),  # bids of this round, revealed when the last is in
    ]
)
MEMO = np.dtype([("hidden_bid_memo", "i8"), ("game", "i8"), ("largest_bid", "i8")])
GAME_COLUMN = game.Column("game", "int32", "index", "game of the run")
COLUMNS = {
    "games": (
        GAME_COLUMN,
        game.Column("seat", "int8", "index", "seat"),
        game.Column("points", "int8", "points", "points at the end"),
    ),
    "turns": (
        GAME_COLUMN,
        game.Column("turn", "int8", "rounds", "rounds finished"),
        game.Column("largest_bid", "int8", "coins", "largest bid of the round"),
    ),
    "holdings": (),
    "offers": (),
    "places": (),
}


@answers(questions.begin_game, STATE)
def begin_game(tables: Any, state: Any, key: int) -> None:
    state.key = key
    state.seats = SEATS
    state.turn = 0
    state.prize = 0
    state.drawn = 0
    for seat in range(SEATS):
        state.coins[seat] = COINS
        state.points[seat] = 0
        state.spent[seat] = 0
        state.pending[seat] = NOT_YET


@answers(questions.deciders, STATE)
def deciders(tables: Any, state: Any) -> int:
    owing = 0
    if state.prize > 0:
        for seat in range(SEATS):
            if state.pending[seat] == NOT_YET:
                owing |= bits.member(seat)
    return owing


@answers(questions.legal_actions, STATE)
def legal_actions(tables: Any, state: Any, seat: int, mask: Any) -> int:
    mask[:] = 0
    for coins in range(state.coins[seat] + 1):
        mask[A_BID + coins] = 1
    return state.coins[seat] + 1


@answers(questions.apply_action, STATE)
def apply_action(tables: Any, state: Any, seat: int, action: int, events: Any) -> None:
    if seat == CHANCE:
        state.prize = tables.value[action - A_PRIZE]
        state.drawn += state.prize
        emit(events, E_PRIZE, (state.prize,))
        return
    state.pending[seat] = action - A_BID
    emit(events, E_BID, (seat,))
    if questions.deciders(tables, state) == 0:
        _reveal(state, events)


@kernel(inner=True)
def _reveal(state: Any, events: Any) -> None:
    taker, best = -1, -1
    for seat in range(SEATS):
        bid = state.pending[seat]
        emit(events, E_REVEALED, (seat, bid))
        same = 0
        for other in range(SEATS):
            same += state.pending[other] == bid
        if same == 1 and bid > best:
            taker, best = seat, bid
    for seat in range(SEATS):
        state.coins[seat] -= state.pending[seat]
        state.spent[seat] += state.pending[seat]
        state.pending[seat] = NOT_YET
    if taker >= 0:
        state.points[taker] += state.prize
        emit(events, E_TAKEN, (taker, state.prize))
    state.prize = 0
    state.turn += 1


@answers(questions.chance_outcomes, STATE)
def chance_outcomes(tables: Any, state: Any, weights: Any) -> int:
    weights[:] = 0.0
    for prize in range(PRIZES):
        weights[A_PRIZE + prize] = tables.weight[prize]
    return PRIZES


@answers(questions.draw_chance, STATE)
def draw_chance(tables: Any, state: Any, key: int) -> int:
    total = 0
    for prize in range(PRIZES):
        total += tables.weight[prize]
    left = chance.below(total, key, chance.PURPOSE_CHANCE, 0, state.turn)
    prize = 0
    while left >= tables.weight[prize]:
        left -= tables.weight[prize]
        prize += 1
    return A_PRIZE + prize


@answers(questions.observe, STATE)
def observe(tables: Any, state: Any, seat: int, view: Any) -> None:
    view.hidden_bid = state.hidden_bid
    view.key = 0
    view.seats = state.seats
    view.turn = state.turn
    view.prize = state.prize
    view.drawn = state.drawn
    for other in range(SEATS):
        view.coins[other] = state.coins[other]
        view.points[other] = state.points[other]
        view.spent[other] = state.spent[other]
        view.pending[other] = state.pending[other]
        if other != seat and state.pending[other] != NOT_YET:
            view.pending[other] = HIDDEN


@answers(questions.determinize, STATE)
def determinize(tables: Any, view: Any, seat: int, key: int, out: Any) -> None:
    questions.observe(tables, view, seat, out)
    out.key = chance.word(key, chance.PURPOSE_DETERMINIZE, SEATS, view.turn)
    for other in range(SEATS):
        if view.pending[other] == HIDDEN:
            out.pending[other] = chance.below(view.coins[other] + 1, key, chance.PURPOSE_DETERMINIZE, other, view.turn)


@answers(questions.is_over, STATE)
def is_over(tables: Any, state: Any) -> bool:
    return state.turn == ROUNDS


@answers(questions.returns, STATE)
def returns(tables: Any, state: Any, values: Any) -> None:
    best, winners = 0, 0
    for seat in range(SEATS):
        best = max(best, state.points[seat])
    for seat in range(SEATS):
        winners += state.points[seat] == best
    for seat in range(SEATS):
        is_winner = state.turn == ROUNDS and state.points[seat] == best
        values[seat] = 1.0 / winners if is_winner else 0.0


@answers(questions.prepare_policy, STATE)
def prepare_policy(tables: Any, view: Any, params: Any) -> None:
    params.estimates[0, 0] = params.share


@answers(questions.suggest, STATE)
def suggest(tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plan: Any) -> int:
    plan.length = 0
    add_to_plan(plan, A_BID + min(view.coins[seat], np.int64(view.prize * params.estimates[0, 0])))
    return plan.length


@answers(questions.propose_plans, STATE)
def propose_plans(
    tables: Any, view: Any, scratch: Any, seat: int, params: Any, key: int, plans: Any, tools: tuple[Any, Any, Any]
) -> int:
    plans.length = min(view.coins[seat] + 1, PLANS)
    for coins in range(plans.length):
        plans.lengths[coins] = 1
        plans.actions[coins, 0] = A_BID + coins
        plans.values[coins] = -abs(coins - view.prize * params.estimates[0, 0])
    for last in range(1, plans.length):  # insertion sort, best first
        place = last
        while place > 0 and plans.values[place] > plans.values[place - 1]:
            plans.values[place], plans.values[place - 1] = plans.values[place - 1], plans.values[place]
            worse = plans.actions[place - 1, 0]
            plans.actions[place - 1, 0] = plans.actions[place, 0]
            plans.actions[place, 0] = worse
            place -= 1
    return plans.length


@answers(questions.estimate, STATE)
def estimate(tables: Any, state: Any, params: Any, values: Any) -> None:
    total = 1
    for seat in range(SEATS):
        total += state.points[seat]
    for seat in range(SEATS):
        values[seat] = state.points[seat] / total


@answers(questions.measure_start, STATE)
def measure_start(tables: Any, state: Any, memo: Any) -> None:
    memo.largest_bid = 0


@answers(questions.measure_action, STATE)
def measure_action(tables: Any, state: Any, seat: int, action: int, memo: Any, rows: Any) -> None:
    if seat != CHANCE:
        memo.largest_bid = max(memo.largest_bid, action - A_BID)


@answers(questions.measure_turn, STATE)
def measure_turn(tables: Any, state: Any, memo: Any, rows: Any) -> None:
    row = new_row(rows, TURNS)
    if row >= 0:
        rows.turns[row, 0] = memo.game
        rows.turns[row, 1] = state.turn
        rows.turns[row, 2] = memo.largest_bid
    memo.largest_bid = 0


@answers(questions.measure_end, STATE)
def measure_end(tables: Any, state: Any, memo: Any, rows: Any) -> None:
    for seat in range(SEATS):
        row = new_row(rows, GAMES)
        if row >= 0:
            rows.games[row, 0] = memo.game
            rows.games[row, 1] = seat
            rows.games[row, 2] = state.points[seat]


@answers(questions.audit, STATE)
def audit(tables: Any, state: Any) -> int:
    broken, points = 0, 0
    for seat in range(SEATS):
        points += state.points[seat]
        if state.coins[seat] < 0 or state.coins[seat] + state.spent[seat] != COINS:
            broken |= 1
        if state.pending[seat] > state.coins[seat]:
            broken |= 4
    if points > state.drawn:
        broken |= 2
    return broken


def load(players: int = SEATS, edition: str = "toy", **options: Any) -> ruleset.Ruleset:
    return build({"value": [2, 4, 9], "weight": [3, 2, 1]})


def build(content: Any) -> ruleset.Ruleset:
    tables = new_record(TABLES)
    tables.value[:] = content["value"]
    tables.weight[:] = content["weight"]
    return ruleset.Ruleset("hidden_bid", "toy", SEATS, content, tables, ruleset.content_hash(content))


def describe_action(rules: ruleset.Ruleset, action: int) -> str:
    return f"prize {rules.content['value'][action - A_PRIZE]}" if action >= A_PRIZE else f"bid {action}"


def parse_action(rules: ruleset.Ruleset, text: str) -> int:
    word, number = text.split()
    return A_BID + int(number) if word == "bid" else A_PRIZE + rules.content["value"].index(int(number))


def describe_event(rules: ruleset.Ruleset, kind: str, fields: Any) -> str:
    return f"{kind}: " + ", ".join(f"{name} {number}" for name, number in fields.items())


def write_position(rules: ruleset.Ruleset, state: Any) -> str:
    return " ".join(str(number) for number in np.array(state).reshape(1).view("i8"))


def read_position(rules: ruleset.Ruleset, text: str) -> Any:
    state = new_record(STATE)
    np.asarray(state).reshape(1).view("i8")[:] = [int(word) for word in text.split()]
    return state


def status(rules: ruleset.Ruleset, state: Any) -> list[str]:
    broken = questions.audit(rules.tables, state)
    return [sentence for bit, sentence in enumerate(INVARIANTS) if broken >> bit & 1]


def no_words(rules: ruleset.Ruleset, *arguments: Any) -> Any:
    return ()


GAME = game.Game(
    name="hidden_bid",
    version=1,
    players=(SEATS,),
    tables_layout=TABLES,
    state_layout=STATE,
    memo_layout=MEMO,
    actions=ACTIONS,
    event_fields=EVENT_FIELDS,
    columns=COLUMNS,
    parameters=(game.Parameter("share", 0.5, "bid per point of the prize"),),
    load=load,
    build=build,
    vary=lambda rules, changes: build({**rules.content, **changes}),
    assumed=no_words,
    labels=no_words,
    describe_action=describe_action,
    parse_action=parse_action,
    describe_event=describe_event,
    write_position=write_position,
    read_position=read_position,
    status=status,
)
