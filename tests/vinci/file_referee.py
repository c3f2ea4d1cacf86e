"""A referee for Vinci who has nothing but a transcript: plain Python, and not a line of the program.

It keeps its own board from the steps and events of the file, works out every cost, loss, cohesion, contact and point
again from the printed numbers in the header, and compares its board with the position written after each turn::

    python -S -m tests.vinci.file_referee game.jsonl

It knows the default readings of open points, and ``zero_token_rule = "auto"``.
"""

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from tests.vinci.file_referee_board import DEFAULTS, Board, Foul, Seat, listed, read_blocks, same

Line = dict[str, Any]
DECLINE, PLAY_ON, REBIRTH, NO_REBIRTH = 9, 8, 10, 11
CHOOSE, KEEP, DROP, PLACE = range(6), range(256, 320), range(320, 384), range(384, 448)
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth")
SLOTS = ("I", "II", "III", "IV", "V", "VI")


class FileReferee:
    """Follows one game and raises ``Foul`` at the first thing that is wrong; ``checked`` counts what was checked."""

    def __init__(self, lines: list[Line]) -> None:
        self.header, self.lines = lines[0], lines[1:]
        self.board = Board(self.header)
        odd = {name for name, reading in DEFAULTS.items() if self.board.options[name] != reading}
        if self.header["seed"] is None:
            raise Foul("this referee follows games from their beginning")
        if odd:
            raise Foul(f"this referee knows other readings of {', '.join(sorted(odd))}")
        players, automata = self.header["players"], self.board.numbers["automata"]
        self.automata = set(range(players, players + automata))
        starts = [self.board.numbers["start_score"]] * players
        starts += [self.board.numbers["automaton_start_score"]] * automata
        self.seats = [Seat(score) for score in starts]
        self.order = list(range(len(self.seats)))  # seats in turn order
        self.neutral = {place for place in self.board.provinces if self.board.rows[place]["terrain"] != "mountain"}
        self.tokens = [int(place in self.neutral) for place in self.board.provinces]
        self.forts: set[int] = set()
        self.bag = set(range(len(self.board.kind_of)))
        self.tray: list[list[int]] = [[] for _ in SLOTS]
        self.coins = [0] * len(SLOTS)
        self.loose: set[int] = set()  # tiles on their way back to the bag
        self.turn, self.choices, self.places_drawn = 0, 0, 0
        self.is_last_round = self.is_begun = False
        self.due: list[tuple[str, dict[str, int]]] = []  # events that must come next
        self.checked: Counter[str] = Counter()

    # The run of the game ----------------------------------------------------------------------------------------------

    def check(self) -> Counter[str]:
        """Check the whole file."""
        content = json.dumps(self.header["rules"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        same("ruleset_hash", self.header["ruleset_hash"], hashlib.blake2b(content.encode(), digest_size=8).hexdigest())
        self.compare_position(self.header["start"])
        for number, line in enumerate(self.lines, 2):
            try:
                getattr(self, f"line_{line['line']}")(line)
            except Foul as foul:
                raise Foul(f"line {number}: {foul}") from None
        return self.checked

    def line_chance(self, line: Line) -> None:
        """Check an outcome of chance."""
        same("turn", line["turn"], self.turn)
        self.events(line)

    def line_action(self, line: Line) -> None:
        """Check an action and what it caused."""
        same("turn", line["turn"], self.turn)
        action, seat = line["action"], self.seats[line["seat"]]
        if action not in CHOOSE and not self.is_begun:
            self.begin_turn()
        if action in CHOOSE and self.choices < len(self.seats):
            same("who chooses", line["seat"], self.order[self.choices])
        elif action not in PLACE:
            same("whose turn", line["seat"], self.mover)
        if action == PLAY_ON:
            self.play_on()
        elif action in (DECLINE, REBIRTH):
            self.loose |= set(seat.old_tiles)
            seat.old_tiles = []
        elif action in KEEP:
            part = self.board.part(action - KEEP[0], seat.active, bool(self.trait(line["seat"], "astronomy")))
            self.due = [self.dropped(line["seat"], place) for place in sorted(seat.active - part)]
            self.checked["broken empires"] += 1
        elif action in DROP:
            self.pick_up()
            self.due = [self.dropped(line["seat"], action - DROP[0])]
        self.events(line)

    def line_turn_end(self, line: Line) -> None:
        """Check the cohesion of the mover, the scores, and the position."""
        seat = self.seats[self.order[self.turn % len(self.seats)]]
        seat.turns += 1
        self.turn += 1
        same("turns", line["turn_end"], self.turn)
        same("loose tiles", self.loose, set())
        is_round_over = self.turn % len(self.seats) == 0
        is_over = bool(is_round_over and (self.is_last_round or self.turn >= self.stall_turns))
        if not is_over and not self.has_moved_on:
            self.begin_turn()
        same("income without an event", self.income, (0, 0))
        same("scores", line["scores"], [seat.score for seat in self.seats])
        self.compare_position(line["position"])
        self.has_moved_on = False

    def line_result(self, line: Line) -> None:
        """Check the result."""
        scores = [seat.score for seat in self.seats]
        best = scores.count(max(scores))
        same("scores", line["scores"], scores)
        same("ranks", line["ranks"], [1 + sum(other > own for other in scores) for own in scores])
        same("shares", line["shares"], [1 / best if own == max(scores) else 0 for own in scores])
        same("rounds", line["rounds"], self.turn // len(self.seats))
        same("end of the game", bool(self.is_last_round or self.turn >= self.stall_turns), True)
        self.checked["results"] += 1

    def events(self, line: Line) -> None:
        """Check the events of a line, one after another."""
        for event in line["events"]:
            kind, fields = event["kind"], event["fields"]
            if self.due and kind != "tile_returned":
                same("event", (kind, fields), self.due.pop(0))
            elif kind in ("loss", "contact", "wiped_out", "last_round"):
                raise Foul(f"{kind} has no cause")
            getattr(self, f"event_{kind}")(**fields)
        same("events that are missing", self.due, [])
        same("income without an event", self.income, (0, 0))

    # Turns ------------------------------------------------------------------------------------------------------------

    temporary = killed = defeated = spies = forts_built = 0  # in the turn in progress
    has_moved_on = False  # the next turn has begun with the line before its turn_end
    income = (0, 0)
    mover = -1
    stage = "start"

    @property
    def stall_turns(self) -> int:
        """Turns after which the guard ends the game."""
        return int(self.board.numbers["stall_rounds"]) * len(self.seats)

    def trait(self, seat: int, column: str) -> int:
        """Return a number of a seat's civilization."""
        return self.board.civ(tuple(self.board.kind_of[copy] for copy in self.seats[seat].tiles))[column]

    def begin_turn(self) -> None:
        """Open the turn of the next seat; without the right to decline it plays on at once."""
        self.is_begun = True
        self.mover = self.order[(self.turn + self.has_moved_on) % len(self.seats)]
        seat = self.seats[self.mover]
        seat.peace = set()
        self.temporary = self.killed = self.defeated = self.spies = self.forts_built = 0
        self.income, self.stage = (0, 0), "start"
        if not seat.is_wiped_out and (seat.turns == 0 or self.trait(self.mover, "rebirth")):
            self.play_on()

    def play_on(self) -> None:
        """Take the income; unless partners for peace are named first, gather the tokens at once."""
        seat = self.seats[self.mover]
        lasting, self.temporary = (self.trait(self.mover, name) for name in ("tokens_turn_start", "temporary_tokens"))
        self.income, self.stage = (lasting, self.temporary), "conquest"
        seat.hand += lasting + self.temporary
        if not self.trait(self.mover, "peace_partners"):
            self.gather()

    def gather(self) -> None:
        """Take all tokens but one of each province."""
        seat = self.seats[self.mover]
        for place in seat.active:
            seat.hand += self.tokens[place] - 1
            self.tokens[place] = 1

    def pick_up(self) -> None:
        """Check cohesion, then take up all tokens and let the temporary ones go."""
        if self.stage != "conquest":
            return
        self.stage, seat = "reorganization", self.seats[self.mover]
        if seat.active and self.mover not in self.automata and not self.trait(self.mover, "messages"):
            part = self.board.part(min(seat.active), seat.active, bool(self.trait(self.mover, "astronomy")))
            same("provinces that hang together", part, seat.active)
            self.checked["cohesion"] += 1
        seat.hand = max(0, seat.hand + sum(self.tokens[place] for place in seat.active) - self.temporary)
        seat.hand += self.trait(self.mover, "tokens_reorganization")
        seat.hand += self.trait(self.mover, "tokens_per_two_defeated") * (self.defeated // 2)
        for place in seat.active:
            self.tokens[place] = 0

    def start_placing(self) -> None:
        """Put one token on each province."""
        if self.temporary and self.stage == "conquest":
            raise Foul(f"{self.temporary} temporary tokens are not dismissed")
        self.pick_up()
        if self.stage != "reorganization":
            return
        self.stage, seat = "placing", self.seats[self.mover]
        if len(seat.active) > seat.hand:
            raise Foul(f"{len(seat.active)} provinces are kept with {seat.hand} tokens")
        seat.hand -= len(seat.active)
        for place in seat.active:
            self.tokens[place] = 1

    def clear(self, place: int) -> None:
        """Leave a province empty."""
        self.tokens[place] = 0
        self.forts.discard(place)
        self.neutral.discard(place)
        for seat in self.seats:
            seat.active.discard(place)
            seat.decline.discard(place)

    def dropped(self, seat: int, place: int) -> tuple[str, dict[str, int]]:
        """Return the event with which a province is given up."""
        return "dropped", {"seat": seat, "province": place, "tokens": self.tokens[place]}

    def add_points(self, number: int, points: int) -> None:
        """Change a score; the first to reach the threshold makes the round the last."""
        self.seats[number].score += points
        score = self.seats[number].score
        if not self.is_last_round and score >= self.board.numbers["victory_threshold"]:
            self.is_last_round = True
            self.due.append(("last_round", {"seat": number, "score": score}))

    # Tiles ------------------------------------------------------------------------------------------------------------

    def event_seat_drawn(self, seat: int) -> None:
        self.order = self.order[seat:] + self.order[:seat]
        if not self.automata:
            self.give_start_bonus()

    def event_seat_follows(self, seat: int, after: int) -> None:
        place = self.order.index(after) + 1
        self.places_drawn += 1
        same("place in turn order", (place, seat in self.order[place:]), (self.places_drawn, True))
        self.order.remove(seat)
        self.order.insert(place, seat)
        if self.places_drawn == len(self.seats) - 2:  # the last place is known then
            self.give_start_bonus()

    def give_start_bonus(self) -> None:
        for place, seat in zip(PLACES, self.order, strict=False):
            self.seats[seat].score += self.board.numbers["start_bonus"][place]

    def event_tile_drawn(self, slot: int, place: int, copy: int, kind: int) -> None:
        same("kind of tile", kind, self.board.kind_of[copy])
        same("place of the tile", place, len(self.tray[slot]))
        same(f"tile {copy} in the bag", copy in self.bag, True)
        self.bag.remove(copy)
        self.tray[slot].append(copy)
        pair = [self.board.tiles[self.board.kind_of[tile]]["specialization"] for tile in self.tray[slot]]
        if pair == [1, 1] and self.bag:
            self.due.append(("tile_set_aside", {"copy": copy, "kind": kind}))

    def event_tile_set_aside(self, copy: int, kind: int) -> None:
        next(pair for pair in self.tray if copy in pair).remove(copy)
        self.loose.add(copy)

    def event_tile_returned(self, copy: int, kind: int) -> None:
        same("kind of tile", kind, self.board.kind_of[copy])
        same(f"tile {copy} on its way back", copy in self.loose, True)
        self.loose.remove(copy)
        self.bag.add(copy)

    def event_chosen(
        self, seat: int, slot: int, first_kind: int, second_kind: int, price: int, coins: int, tokens: int
    ) -> None:
        own, numbers = self.seats[seat], self.board.numbers
        pair = [self.board.kind_of[copy] for copy in self.tray[slot]]
        same("pair", pair, [first_kind, second_kind])
        same("price", price, slot * numbers["price_per_skip"])
        same("coins", coins, self.coins[slot] * numbers["coin_value"])
        bonus = numbers["automaton_token_bonus" if seat in self.automata else "token_bonus"]
        same("tokens", tokens, self.board.civ((first_kind, second_kind))["tokens"] + bonus)
        same("a pair an automaton may take", seat not in self.automata or slot == 0, True)
        same(f"{own.score} points pay {price}", price <= own.score, True)
        own.tiles, own.hand = self.tray[slot], tokens
        own.paid += price
        own.received += coins
        self.tray = [*self.tray[:slot], *self.tray[slot + 1 :], []]
        self.coins = [*(coins + 1 for coins in self.coins[:slot]), *self.coins[slot + 1 :], 0]
        self.choices += 1
        self.checked["choices"] += 1
        self.add_points(seat, coins - price)

    # Conquest ---------------------------------------------------------------------------------------------------------

    def event_income(self, seat: int, lasting: int, temporary: int) -> None:
        self.move_on(seat)
        same("income", (lasting, temporary), self.income)
        self.income = (0, 0)

    def move_on(self, seat: int) -> None:
        """Begin the next turn early, for what happens in it without a choice."""
        if not self.is_begun or seat != self.mover:
            self.has_moved_on = self.is_begun
            self.begin_turn()
        same("whose turn", seat, self.mover)

    def event_peace(self, seat: int, partner: int) -> None:
        self.move_on(seat)
        self.seats[seat].peace.add(partner)
        same("a partner", partner != seat and partner < len(self.seats), True)
        allowed = min(self.trait(seat, "peace_partners"), len(self.seats) - 1)
        same("partners allowed", len(self.seats[seat].peace) <= allowed, True)
        if len(self.seats[seat].peace) == allowed:
            self.gather()
        self.checked["peace"] += 1

    def event_abandoned(self, seat: int, province: int, tokens: int) -> None:
        same("own province", province in self.seats[seat].active, True)
        same("an automaton", seat in self.automata, False)
        same("tokens", tokens, self.tokens[province])
        self.clear(province)
        self.seats[seat].hand += tokens

    def origins(self, seat: int, province: int) -> dict[tuple[int, int], dict[str, int]]:
        """Return the ways to a province, as (origin, link), with what each changes in the cost."""
        board, own = self.board, self.seats[seat].active
        coast, ways = self.trait(seat, "cost_same_coast"), {}
        if not own:
            starts = board.entries_by_ship if self.trait(seat, "astronomy") else board.entries
            if self.trait(seat, "revolutionaries") or province in starts:
                ways[-1, 0] = {"origin_mountain": 0, "origin_fort": 0, "origin_coast": 0}
        for origin in own & board.borders[province]:
            ways[origin, 1] = {
                "origin_mountain": -board.numbers["mountain_discount"] * (board.rows[origin]["terrain"] == "mountain"),
                "origin_fort": -board.numbers["fort_discount"] * (origin in self.forts),
                "origin_coast": coast * (province in board.same_shore[origin]),
            }
        for origin in own & board.over_sea[province] if self.trait(seat, "astronomy") else ():
            ways[origin, 2] = {"origin_mountain": 0, "origin_fort": 0, "origin_coast": coast}
        return ways

    def event_conquest(self, seat: int, province: int, **written: int) -> None:
        self.move_on(seat)
        board, own, tokens = self.board, self.seats[seat], self.tokens[province]
        row, civ = board.rows[province], board.civ(tuple(board.kind_of[copy] for copy in own.tiles))
        owner = next((number for number, other in enumerate(self.seats) if province in other.active), -1)
        old_owner = next((number for number, other in enumerate(self.seats) if province in other.decline), -1)
        same("owner", (written["from_seat"], written["from_decline"]), (max(owner, old_owner), int(old_owner >= 0)))
        same("own active province", owner == seat, False)
        same("peace", owner >= 0 and (seat in self.seats[owner].peace or owner in own.peace), False)
        ways = self.origins(seat, province)
        same("way to the province", (written["origin"], written["link"]) in ways, True)
        best = min(sum(way.values()) for way in ways.values())
        parts = ways[written["origin"], written["link"]]
        same("best origin", sum(parts.values()), best)
        parts |= {
            "base": board.numbers["base_cost"][row["terrain"]],
            "defenders": tokens,
            "fort": board.numbers["fort_defence"] * (province in self.forts),
            "militia": self.trait(owner, "defence") if owner >= 0 else 0,
            "tile_any": civ["cost_any"],
            "tile_terrain": board.terrain_cost(civ, province),
            "tile_water": civ["cost_water"] if province in board.water else 0,
        }
        same("parts of the cost", {name: written[name] for name in parts}, parts)
        cost = board.numbers["spy_cost"] if written["is_spy"] else max(board.numbers["cost_floor"], sum(parts.values()))
        same("cost", written["cost"], cost)
        same(f"{own.hand} tokens in hand pay {cost}", cost <= own.hand, True)
        self.spies += written["is_spy"]
        same("uses of Espionage", self.spies <= civ["espionage"], True)
        self.checked["conquests"] += 1
        self.clear(province)
        own.hand -= cost
        own.active.add(province)
        self.tokens[province] = cost
        self.defeated += min(1, tokens)
        self.killed += min(1, tokens) if old_owner != seat else 0
        if owner >= 0:
            self.expect_loss(owner, province, tokens)
        if not civ["heritage"]:
            touched = sorted(own.decline & board.borders[province])
            self.due += [("contact", {"seat": seat, "province": place}) for place in touched]

    def expect_loss(self, owner: int, province: int, tokens: int) -> None:
        """Expect one token to be lost, and with the last one (by option) the whole seat to be wiped out."""
        loser, lost = self.seats[owner], min(1, tokens)
        self.due.append(("loss", {"seat": owner, "province": province, "lost": lost, "survivors": tokens - lost}))
        if self.board.options["zero_token_rule"] == "auto" and not loser.active and loser.hand + tokens - lost == 0:
            self.due.append(("wiped_out", {"seat": owner}))
            self.loose |= set(loser.old_tiles)
            loser.old_tiles = []

    def event_loss(self, seat: int, province: int, lost: int, survivors: int) -> None:
        self.seats[seat].hand += survivors
        self.checked["losses"] += 1

    def event_contact(self, seat: int, province: int) -> None:
        self.clear(province)
        self.checked["contacts"] += 1

    def event_wiped_out(self, seat: int) -> None:
        self.seats[seat].is_wiped_out = True
        for place in sorted(self.seats[seat].decline):
            self.clear(place)
        self.checked["wiped out"] += 1

    # The end of a turn ------------------------------------------------------------------------------------------------

    def event_dropped(self, seat: int, province: int, tokens: int) -> None:
        own = self.seats[seat]
        if self.stage != "conquest":
            same("too few tokens for all provinces", len(own.active) > own.hand, True)
        same("own province", province in own.active, True)
        same("tokens", tokens, self.tokens[province])
        own.hand += tokens
        self.clear(province)
        self.checked["dropped"] += 1

    def event_dismissed(self, seat: int, temporary: int) -> None:
        same("temporary tokens", temporary, self.temporary)
        self.pick_up()
        self.checked["dismissed"] += 1

    def event_placed(self, seat: int, province: int, tokens: int) -> None:
        self.start_placing()
        own = self.seats[seat]
        same("own province", province in own.active, True)
        same(f"{tokens} of {own.hand} tokens in hand", 0 < tokens <= own.hand, True)
        own.hand -= tokens
        self.tokens[province] += tokens
        self.checked["survivors placed"] += seat != self.mover

    def event_fort(self, seat: int, province: int) -> None:
        self.start_placing()
        same("place for a fort", province in self.seats[seat].active - self.forts, True)
        self.forts.add(province)
        self.forts_built += 1
        same("forts allowed", self.forts_built <= self.trait(seat, "forts_chosen"), True)
        self.checked["forts"] += 1

    def event_scored(self, seat: int, total: int, **written: int) -> None:
        own, board = self.seats[seat], self.board
        same("whose turn", seat, self.mover)
        if self.stage != "start":
            self.start_placing()
            for other in self.seats:
                same("tokens in hand beside provinces", other.hand if other.active else 0, 0)
        old = [{column: board.tiles[board.kind_of[copy]][column] for column in board.columns} for copy in own.old_tiles]
        old_civ = {column: sum(tile[column] for tile in old) for column in board.columns}
        parts = board.bonus(own.active, board.civ(tuple(board.kind_of[copy] for copy in own.tiles)))
        parts |= {
            "base": board.ground(own.active),
            "kills": self.trait(seat, "vp_kill") * self.killed,
            "decline_base": board.ground(own.decline),
            "decline_bonus": sum(board.bonus(own.decline, old_civ).values()),
        }
        same("parts of the points", written, parts)
        same("points", total, sum(parts.values()))
        own.earned += total
        self.checked["scores"] += 1
        self.add_points(seat, total)

    def event_decline(self, seat: int, provinces: int, tokens_removed: int, old_provinces_removed: int) -> None:
        self.move_on(seat)
        own, board = self.seats[seat], self.board
        tokens = own.hand + sum(self.tokens[place] for place in own.active)
        same("provinces", provinces, len(own.active))
        same("tokens removed", tokens_removed, tokens - len(own.active))
        same("old provinces removed", old_provinces_removed, len(own.decline))
        same("old tiles that were not returned", own.old_tiles, [])
        for place in sorted(own.decline):
            self.clear(place)
        own.active, own.decline = set(), set(own.active)
        for place in own.decline:
            self.tokens[place] = 1
        lasting = [copy for copy in own.tiles if board.tiles[board.kind_of[copy]]["lasts_in_decline"]]
        self.loose |= set(own.tiles) - set(lasting)
        own.tiles, own.old_tiles, own.hand, own.peace, own.is_wiped_out = [], lasting, 0, set(), False
        self.checked["declines"] += 1

    def event_last_round(self, seat: int, score: int) -> None:
        self.checked["last rounds"] += 1

    def event_game_over(self, is_stalled: int) -> None:
        same("stalled", bool(is_stalled), self.turn + 1 >= self.stall_turns and not self.is_last_round)
        same("last turn of a round", (self.turn + 1) % len(self.seats), 0)

    # The position as text ---------------------------------------------------------------------------------------------

    def compare_position(self, text: str) -> None:
        """Compare the board kept here with a position of the file."""
        blocks = read_blocks(text)
        for number, seat in enumerate(self.seats):
            block = blocks[f"seat {number}"]
            points = f"score {seat.score}, earned {seat.earned}, paid {seat.paid}, received {seat.received}, "
            same("points", block["points"][: len(points)], points)
            same("tokens in hand", block["tokens"].split(",")[0], f"in hand {seat.hand}")
            same("tiles", block["tiles"], self.board.pair(seat.tiles))
            same("empire", block["empire"], self.places(seat.active))
            same("in decline", block["in decline"], self.places(seat.decline))
            kept = sorted(block["old tiles"].rpartition(",")[0].split(" + "))
            same("old tiles", kept, sorted([*map(self.board.tile, seat.old_tiles), "none", "none"][:2]))
            same("peace", block["peace with"], listed(f"seat {other}" for other in sorted(seat.peace)))
        owned = set().union(*(seat.active | seat.decline for seat in self.seats))
        same("neutral", blocks["board"]["neutral"], listed(self.board.names[place] for place in sorted(self.neutral)))
        empty = sorted(set(self.board.provinces) - owned - self.neutral)
        same("empty", blocks["board"]["empty"], listed(self.board.names[place] for place in empty))
        for slot, coins, pair in zip(SLOTS, self.coins, self.tray, strict=True):
            same(f"tray {slot}", blocks["tray"][slot], f"{self.board.pair(pair)}, coins {coins}")
        same("bag", blocks["bag"]["tiles"], listed(map(self.board.tile, sorted(self.bag))))
        self.checked["positions"] += 1

    def places(self, land: set[int]) -> str:
        return listed(
            f"{self.board.names[place]} {self.tokens[place]}{' fort' if place in self.forts else ''}"
            for place in sorted(land)
        )


def main(paths: list[str]) -> None:
    """Check some files."""
    for path in paths:
        lines = [json.loads(row) for row in Path(path).read_text(encoding="utf-8").splitlines()]
        counts = FileReferee(lines).check()
        print(f"{path}: {', '.join(f'{number} {what}' for what, number in sorted(counts.items()))}")


if __name__ == "__main__":
    main(sys.argv[1:])
