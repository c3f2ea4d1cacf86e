"""The recorded tables written a second time: from the events and positions of a replayed game, in plain Python.

Nothing here is shared with the measures but the layouts. A column means what ``measures_columns`` says it means.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np

from tests.vinci.invariants import ACTIVE_PARTS
from tests.vinci.referee import members
from tests.vinci.words import decode
from vinci_lab.engine import entries
from vinci_lab.engine.chance import game_key
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, copy_record, new_record
from vinci_lab.games.vinci import rules_layout as at
from vinci_lab.games.vinci.measures_columns import ENDED_NAMES, OBTAINED_NAMES, TRIGGER_NAMES

Row = dict[str, int]
PLAY, DECLINE, REBIRTH = range(3)


class Ledger:
    """One game, kept by an independent clerk.

    Parameters
    ----------
    rules : Ruleset
        The rules.
    seed, game : int
        Of the run, and of the game in it.
    actions : list of (seat, action)
        What the seats did.
    """

    def __init__(self, rules: Any, seed: int, game: int, actions: list[tuple[int, int]]) -> None:
        self.tables, self.game, self._left = rules.tables, game, list(actions)
        self.rows: dict[str, list[Row]] = {"games": [], "turns": [], "holdings": [], "offers": []}
        self.places: dict[str, Counter[int]] = defaultdict(Counter)
        self.state = new_record(at.STATE)
        entries.begin_game(self.tables, self.state, game_key(seed, game))
        self.seats = range(int(self.state.seats))
        self._turn = {seat: self._new_turn(seat) for seat in self.seats}
        self._lost = dict.fromkeys(self.seats, 0)  # since the seat's latest turn ended
        self._lives: dict[int, list[Row]] = {seat: [] for seat in self.seats}
        self._drawn: dict[int, tuple[int, int]] = {}  # copy -> tiles in the bag, and of its kind, when it was drawn
        self._totals = {seat: Counter[str]() for seat in self.seats}
        while not entries.is_over(self.tables, self.state):
            self._step()
        self._close()

    # step by step ---------------------------------------------------------------------------------------------------
    def _step(self) -> None:
        before, record = copy_record(self.state), new_record(EVENTS)
        record.is_on = 1
        if entries.deciders(self.tables, before):
            seat, action = self._left.pop(0)
            self._totals[seat]["decisions"] += 1
        else:
            seat, action = CHANCE, int(entries.draw_chance(self.tables, before, before.key))
        if seat != CHANCE and action < at.A_PLAY_ON:
            self._note_offers(before, seat, action)
        entries.apply_action(self.tables, self.state, seat, action, record)
        for event in decode(record):
            self._follow(event, before, action)
        if self.state.turn != before.turn:
            self._end_turn(int(before.turn_seat))

    def _follow(self, event: dict[str, Any], before: Any, action: int) -> None:
        name, seat = event["event"], event.get("seat", CHANCE)
        if name == "tile_drawn":
            kinds = [int(self.tables.kind_of[copy]) for copy in members(before.bag)]
            self._drawn[event["copy"]] = len(kinds), kinds.count(event["kind"])
        elif name == "chosen":
            self._choose(event, before)
        elif name == "conquest":
            self._conquer(event)
        elif name == "loss":
            self._lost[seat] += event["lost"]
            self._lives[seat][-1]["tokens_lost"] += event["lost"]
        elif name == "contact":
            self._turn[seat]["contact_losses"] += 1
        elif name == "wiped_out" and len(self._lives[seat]) > 1:
            self._lives[seat][-2]["ended"] = ENDED_NAMES.index("lost")
        elif name == "decline":
            self._decline(event, action)
        elif name == "scored":
            self._score(event)

    def _note_offers(self, before: Any, seat: int, taken: int) -> None:
        allowed = np.zeros(at.ACTIONS, np.uint8)
        is_automaton = int(self.tables.automata) >> seat & 1
        bonus = self.tables.automaton_token_bonus if is_automaton else self.tables.token_bonus
        entries.legal_actions(self.tables, before, seat, allowed)
        for slot, copies in enumerate(before.tray):
            if min(copies) < 0:
                continue
            first, second = (int(self.tables.kind_of[copy]) for copy in copies)
            self.rows["offers"].append(
                {
                    **{"game": self.game, "turn": int(before.turn), "seat": seat, "holding": len(self._lives[seat])},
                    **{"slot": slot, "first_tile": first, "second_tile": second},
                    "price": slot * int(self.tables.price_per_skip),
                    "coins": int(before.coins[slot] * self.tables.coin_value),
                    "tokens": int(self.tables.pairs[first * at.KINDS + second, at.TOKENS] + bonus),
                    **{"is_legal": int(allowed[at.A_CHOOSE + slot]), "is_taken": int(slot == taken)},
                }
            )

    def _choose(self, event: dict[str, Any], before: Any) -> None:
        seat, turn = event["seat"], self._turn[event["seat"]]
        is_setup = before.choices_made < before.seats
        copies = [int(copy) for copy in before.tray[event["slot"]]]
        occasion = "set-up" if is_setup else "rebirth" if turn["kind"] == REBIRTH else "decline"
        if turn["is_forced"]:
            occasion = "wiped out"
        self._lives[seat].append(
            {
                **{"game": self.game, "seat": seat, "holding": len(self._lives[seat])},
                **{"first_tile": event["first_kind"], "second_tile": event["second_kind"]},
                **{"obtained": OBTAINED_NAMES.index(occasion), "round": 0 if is_setup else int(before.round_number)},
                **{key: event[key] for key in ("slot", "price", "coins", "tokens")},
                **{"score_before": int(before.score[seat]), "turns_active": 0, "turns_decline": 0},
                **{"points_active": 0, "points_kills": 0, "points_decline": 0, "most_provinces": 0, "tokens_lost": 0},
                **{"ended": ENDED_NAMES.index("in play"), "is_censored": 0},
                **{"bag": self._drawn[copies[0]][0], "bag_first": self._drawn[copies[0]][1]},
                "bag_second": self._drawn[copies[1]][1],
            }
        )
        if is_setup:
            self._totals[seat].update(paid=event["price"], received=event["coins"])
            self._turn[seat] = self._new_turn(seat)
            return
        turn["price_paid"], turn["coins_received"] = event["price"], event["coins"]
        turn["score_peak"] = max(turn["score_peak"], int(before.score[seat]) - event["price"] + event["coins"])

    def _conquer(self, event: dict[str, Any]) -> None:
        turn, province = self._turn[event["seat"]], event["province"]
        turn["conquests"] += 1
        turn["kills"] += event["defenders"] > 0 and event["from_seat"] != event["seat"]
        self.places["conquests"][province] += 1
        self.places["entries"][province] += event["origin"] < 0

    def _decline(self, event: dict[str, Any], action: int) -> None:
        seat, lives = event["seat"], self._lives[event["seat"]]
        turn = self._turn[seat]
        turn["kind"] = REBIRTH if turn["is_scored"] else DECLINE
        turn["is_forced"] = not turn["is_scored"] and action != at.A_DECLINE
        lives[-1]["ended"] = ENDED_NAMES.index("in decline" if event["provinces"] else "lost")
        if len(lives) > 1:
            lives[-2]["ended"] = ENDED_NAMES.index("replaced" if event["old_provinces_removed"] else "lost")

    def _score(self, event: dict[str, Any]) -> None:
        state, seat = self.state, event["seat"]
        turn, lives = self._turn[seat], self._lives[seat]
        is_declining = turn["kind"] == DECLINE
        young = None if is_declining else lives[-1]
        old = lives[-1] if is_declining else lives[-2] if len(lives) > 1 else None
        turn["is_scored"] = 1
        turn["points_active"] = sum(event[part] for part in ACTIVE_PARTS)
        turn["points_kills"] = event["kills"]
        turn["points_decline"] = event["decline_base"] + event["decline_bonus"]
        turn["score_peak"] = max(turn["score_peak"], turn["score_before"] + event["total"])
        if young is not None:
            young["turns_active"] += 1
            young["points_active"] += turn["points_active"]
            young["points_kills"] += turn["points_kills"]
            young["most_provinces"] = max(young["most_provinces"], len(members(state.active[seat])))
        if old is not None and (is_declining or state.decline[seat]):
            old["turns_decline"] += 1
            old["points_decline"] += turn["points_decline"]
        self._count_income(state.tile[seat], state.active[seat], True)
        self._count_income(
            state.old_tile[seat], state.decline[seat], is_active=False, doubling=state.old_doubling[seat]
        )

    def _count_income(self, copies: Any, provinces: int, is_active: bool, doubling: int = 1) -> None:
        pair = [self.tables.tiles[self.tables.kind_of[copy]] for copy in copies if copy >= 0]
        for province in members(provinces):
            self.places["income"][province] += self._halves(pair, province, is_active, doubling)

    def _halves(self, pair: list[Any], province: int, is_active: bool, doubling: int) -> int:
        """Return the half points a province gives for some tiles."""
        total = 2 * int(self.tables.base_points[self.tables.terrain[province]])
        for place, tile in enumerate(pair):
            other = pair[1 - place] if len(pair) == 2 else None
            is_doubled = is_active and other is not None and bool(other[at.SPECIALIZATION])
            factor = (2 if is_doubled else 1) if is_active else doubling
            for column in range(at.FIRST_BONUS, at.LAST_BONUS + 1):
                if province in members(self.tables.matching[column]):
                    total += factor * int(tile[column]) * (1 if column == at.VP_WATER_HALVES else 2)
        return total

    # turn by turn ---------------------------------------------------------------------------------------------------
    def _new_turn(self, seat: int) -> Row:
        score = int(self.state.score[seat])
        names = ("kind", "is_forced", "is_scored", "points_active", "points_kills", "points_decline", "price_paid")
        names += ("coins_received", "conquests", "kills", "contact_losses")
        return {**dict.fromkeys(names, 0), "score_before": score, "score_peak": score}

    def _end_turn(self, seat: int) -> None:
        state, turn = self.state, self._turn[seat]
        active, number = members(state.active[seat]), int(state.turn) - 1
        turn.update(game=self.game, turn=number, round=number // len(self.seats) + 1, seat=seat)
        turn.update(
            tokens_lost=self._lost[seat], provinces=len(active), old_provinces=len(members(state.decline[seat]))
        )
        points = turn["points_active"] + turn["points_kills"] + turn["points_decline"]
        turn["score_after"] = turn["score_before"] + points - turn["price_paid"] + turn["coins_received"]
        turn["tokens"] = int(state.hand[seat]) + sum(int(state.tokens[province]) for province in active)
        turn["lead"] = turn["score_after"] - max(int(state.score[other]) for other in self.seats if other != seat)
        turn["holding"] = len(self._lives[seat]) - 1 - (turn["kind"] != PLAY)
        self._totals[seat].update(
            turns=1,
            earned=points,
            paid=turn["price_paid"],
            received=turn["coins_received"],
            declines=int(turn["kind"] != PLAY),
            conquests=turn["conquests"],
            kills=turn["kills"],
            tokens_lost=self._lost[seat],
        )
        self.rows["turns"].append({key: value for key, value in turn.items() if key not in ("is_forced", "is_scored")})
        self._lost[seat] = 0
        self._turn[seat] = self._new_turn(seat)
        self._count_places()

    def _count_places(self) -> None:
        active = set[int]().union(*(members(self.state.active[seat]) for seat in self.seats))
        old = set[int]().union(*(members(self.state.decline[seat]) for seat in self.seats))
        neutral = members(self.state.neutral)
        empty = set(range(int(self.tables.provinces))) - active - old - neutral
        for name, provinces in (("active", active), ("decline", old), ("neutral", neutral), ("empty", empty)):
            self.places[f"turns_{name}"].update(provinces)

    # at the end -----------------------------------------------------------------------------------------------------
    def _close(self) -> None:
        state, scores = self.state, [int(score) for score in self.state.score[: len(self.seats)]]
        assert not self._left, "actions are left over"
        trigger = "stalemate" if state.is_stalled else "threshold" if not self.tables.rounds_limit else "rounds"
        best, order = scores.count(max(scores)), [int(state.start_seat)]
        while len(order) < len(self.seats):
            order.append(int(state.seat_after[order[-1]]))
        for seat in self.seats:
            lives, total = self._lives[seat], self._totals[seat]
            lives[-1]["is_censored"] = 1
            if len(lives) > 1 and not state.decline[seat]:
                lives[-2]["ended"] = ENDED_NAMES.index("lost")
            self.rows["holdings"] += lives
            self.rows["games"].append(
                {
                    **{"game": self.game, "seat": seat, "score": scores[seat]},
                    "turn_order": order.index(seat),
                    "rank": 1 + sum(score > scores[seat] for score in scores),
                    **{"winners": best, "is_winner": int(scores[seat] == max(scores))},
                    **{"rounds": int(state.round_number), "trigger": TRIGGER_NAMES.index(trigger)},
                    **{"is_stalled": int(state.is_stalled), "civilizations": len(lives)},
                    **{name: total[name] for name in ("turns", "earned", "paid", "received", "declines", "conquests")},
                    **{"kills": total["kills"], "tokens_lost": total["tokens_lost"] + self._lost[seat]},
                    "decisions": total["decisions"],
                }
            )
