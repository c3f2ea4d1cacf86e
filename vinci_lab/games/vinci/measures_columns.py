"""Vinci: the columns that are recorded for every game, turn, civilization, offer and province."""

from __future__ import annotations

from vinci_lab.engine.game import Column
from vinci_lab.games.vinci.rules_layout import TURN_KIND_NAMES

OBTAINED_NAMES = ("set-up", "decline", "rebirth", "wiped out")
ENDED_NAMES = ("in play", "in decline", "replaced", "lost")  # lost: without a province when it was replaced
TRIGGER_NAMES = ("threshold", "rounds", "stalemate")

GAME = Column("game", "int32", "index", "game of the run; with the run's seed it gives the whole game")
SEAT = Column("seat", "int8", "index", "seat in turn order of the box, 0 first; see turn_order for who starts")

COLUMNS: dict[str, tuple[Column, ...]] = {
    "games": (
        GAME,
        SEAT,
        Column("agent", "int8", "name", "who played the seat", "agent"),
        Column("turn_order", "int8", "place", "0 for the starting seat, 1 for the next, and so on"),
        Column("score", "int32", "points", "final score"),
        Column("rank", "int8", "place", "1 is best; tied seats share the better place"),
        Column("winners", "int8", "seats", "seats that share the win"),
        Column(
            "is_winner",
            "int8",
            "0/1",
            "1 if one of the winners; a tie-break may single one out among equal ranks",
        ),
        Column("rounds", "int16", "rounds", "rounds played"),
        Column("turns", "int16", "turns", "turns this seat took"),
        Column("trigger", "int8", "name", "what ended the game", TRIGGER_NAMES),
        Column("is_stalled", "int8", "0/1", "1 if the stalemate guard ended the game"),
        Column("earned", "int32", "points", "points scored on the board"),
        Column("paid", "int32", "points", "points paid for skipped pairs"),
        Column("received", "int32", "points", "points received for coins"),
        Column("civilizations", "int16", "civilizations", "civilizations chosen"),
        Column("declines", "int16", "turns", "declines declared"),
        Column("conquests", "int16", "provinces", "conquests made"),
        Column("kills", "int16", "tokens", "foreign and neutral tokens eliminated"),
        Column("tokens_lost", "int16", "tokens", "tokens lost to conquests by others"),
        Column("decisions", "int32", "actions", "actions taken in the game by this seat"),
    ),
    "turns": (
        GAME,
        Column("turn", "int16", "index", "turn of the game, 0 first, all seats counted"),
        Column("round", "int16", "rounds", "round, from 1"),
        SEAT,
        Column("kind", "int8", "name", "what the seat did", TURN_KIND_NAMES),
        Column("score_before", "int32", "points", "score when the turn began"),
        Column("score_peak", "int32", "points", "highest score within the turn, before any price is paid"),
        Column("score_after", "int32", "points", "score when the turn ended"),
        Column("points_active", "int32", "points", "from provinces of the active empire"),
        Column("points_kills", "int32", "points", "from eliminated tokens"),
        Column("points_decline", "int32", "points", "from the empire in decline"),
        Column("price_paid", "int32", "points", "paid for skipped pairs"),
        Column("coins_received", "int32", "points", "received for coins"),
        Column("conquests", "int8", "provinces", "conquests this turn"),
        Column("kills", "int8", "tokens", "foreign and neutral tokens eliminated this turn"),
        Column("tokens_lost", "int8", "tokens", "tokens this seat lost since its previous turn ended"),
        Column("contact_losses", "int8", "provinces", "own declining provinces emptied by contact"),
        Column("provinces", "int8", "provinces", "active provinces at the end of the turn"),
        Column("old_provinces", "int8", "provinces", "declining provinces at the end of the turn"),
        Column("tokens", "int16", "tokens", "lasting tokens of the active civilization at the end of the turn"),
        Column("lead", "int32", "points", "score minus the best other score after the turn"),
        Column("holding", "int16", "index", "civilization of the seat this turn was played with, 0 its first"),
    ),
    "holdings": (
        GAME,
        SEAT,
        Column("holding", "int16", "index", "0 the seat's first civilization"),
        Column("first_tile", "int8", "name", "left tile of the pair", "kind"),
        Column("second_tile", "int8", "name", "right tile of the pair", "kind"),
        Column("obtained", "int8", "name", "occasion of the choice", OBTAINED_NAMES),
        Column("round", "int16", "rounds", "round of the choice, 0 in the set-up"),
        Column("slot", "int8", "index", "place in the tray, 0 the free one"),
        Column("price", "int32", "points", "paid for skipped pairs"),
        Column("coins", "int32", "points", "received with the pair"),
        Column("tokens", "int16", "tokens", "received with the pair"),
        Column("score_before", "int32", "points", "score before the choice"),
        Column("turns_active", "int16", "turns", "turns played as active civilization"),
        Column("turns_decline", "int16", "turns", "turns scored in decline, the declaring turn included"),
        Column("points_active", "int32", "points", "points of active provinces"),
        Column("points_kills", "int32", "points", "points of eliminated tokens"),
        Column("points_decline", "int32", "points", "points scored in decline"),
        Column("most_provinces", "int8", "provinces", "most active provinces at the end of a turn"),
        Column("tokens_lost", "int16", "tokens", "tokens lost to conquests by others while active"),
        Column(
            "ended", "int8", "name", "state of the civilization when the game ended or it was replaced", ENDED_NAMES
        ),
        Column("is_censored", "int8", "0/1", "1 if the game's end cut the active life short"),
        Column("bag", "int8", "tiles", "tiles in the bag when the first of the pair was drawn"),
        Column("bag_first", "int8", "tiles", "of these, tiles of the first tile's kind"),
        Column("bag_second", "int8", "tiles", "tiles of the second tile's kind in the bag when it was drawn"),
    ),
    "offers": (
        GAME,
        Column("turn", "int16", "index", "turn of the game, 0 in the set-up too"),
        SEAT,
        Column("holding", "int16", "index", "civilization the choice leads to, 0 the seat's first"),
        Column("slot", "int8", "index", "place in the tray, 0 the free one"),
        Column("first_tile", "int8", "name", "left tile of the pair", "kind"),
        Column("second_tile", "int8", "name", "right tile of the pair", "kind"),
        Column("price", "int32", "points", "what choosing it costs"),
        Column("coins", "int32", "points", "what its coins pay"),
        Column("tokens", "int16", "tokens", "tokens it brings"),
        Column("is_legal", "int8", "0/1", "1 if the seat could pay"),
        Column("is_taken", "int8", "0/1", "1 for the pair that was chosen"),
    ),
    "places": (
        Column("province", "int8", "name", "province of the map", "province"),
        Column("conquests", "int64", "conquests", "conquests of the province"),
        Column("entries", "int64", "conquests", "of these, entries by a civilization without a province"),
        Column("turns_active", "int64", "turns", "turn ends at which it belonged to an active empire"),
        Column("turns_decline", "int64", "turns", "turn ends at which it belonged to an empire in decline"),
        Column("turns_neutral", "int64", "turns", "turn ends at which a neutral token stood there"),
        Column("turns_empty", "int64", "turns", "turn ends at which it was empty"),
        Column("income", "int64", "half points", "half points it gave its owners, bonuses included"),
    ),
}
