"""Vinci: what is printed (``TABLES``), what lies on the table (``STATE``), and the tables of actions and events.

Provinces, seats, tile copies and tile kinds are numbers from 0; a set of them is an integer (see ``engine.bits``).
"""

from __future__ import annotations

import numpy as np

from vinci_lab.engine.bits import CAPACITY

SEATS = 6
PROVINCES = CAPACITY
COPIES = CAPACITY  # tiles in the box
KINDS = 48
SLOTS = 6
NO_PAIR = KINDS * KINDS  # the row of a seat without a civilization: all 0

# Terrains ---------------------------------------------------------------------------------------------------------
NORMAL, FARMLAND, PASTURE, FOREST, MOUNTAIN, DESERT, RIVER = range(7)
TERRAIN_NAMES = ("normal", "farmland", "pasture", "forest", "mountain", "desert", "river")
TERRAINS = len(TERRAIN_NAMES)
PLACE_NAMES = ("first", "second", "third", "fourth", "fifth", "sixth")  # in turn order

# Modifier columns: a tile is a row of these, a civilization the sum of two rows -------------------------------------
MODIFIER_NAMES = (
    "tokens",
    "vp_province",
    "vp_farmland",
    "vp_pasture",
    "vp_mine",
    "vp_port",
    "vp_mountain",
    "vp_desert",
    "vp_water_halves",
    "vp_kill",
    "cost_any",
    "cost_open",
    "cost_mountain",
    "cost_desert",
    "cost_river",
    "cost_water",
    "cost_same_coast",
    "defence",
    "forts_chosen",
    "forts_automatic",
    "temporary_tokens",
    "tokens_turn_start",
    "tokens_reorganization",
    "tokens_per_two_defeated",
    "espionage",
    "peace_partners",
    "conversions",
    "expansions",
    "lasts_in_decline",
    "astronomy",
    "messages",
    "heritage",
    "rebirth",
    "revolutionaries",
    "specialization",
    "nomads",
    "warships",
    "philosophy",
    "hordes",
)
MODIFIERS = len(MODIFIER_NAMES)
(
    TOKENS,
    VP_PROVINCE,
    VP_FARMLAND,
    VP_PASTURE,
    VP_MINE,
    VP_PORT,
    VP_MOUNTAIN,
    VP_DESERT,
    VP_WATER_HALVES,
    VP_KILL,
    COST_ANY,
    COST_OPEN,
    COST_MOUNTAIN,
    COST_DESERT,
    COST_RIVER,
    COST_WATER,
    COST_SAME_COAST,
    DEFENCE,
    FORTS_CHOSEN,
    FORTS_AUTOMATIC,
    TEMPORARY_TOKENS,
    TOKENS_TURN_START,
    TOKENS_REORGANIZATION,
    TOKENS_PER_TWO_DEFEATED,
    ESPIONAGE,
    PEACE_PARTNERS,
    CONVERSIONS,
    EXPANSIONS,
    LASTS_IN_DECLINE,
    ASTRONOMY,
    MESSAGES,
    HERITAGE,
    REBIRTH,
    REVOLUTIONARIES,
    SPECIALIZATION,
    NOMADS,
    WARSHIPS,
    PHILOSOPHY,
    HORDES,
) = range(MODIFIERS)
FIRST_BONUS, LAST_BONUS = VP_PROVINCE, VP_WATER_HALVES  # columns that give points for provinces held
FIRST_FLAG = LASTS_IN_DECLINE  # from here on a column is 0 or 1 and is never doubled
NOT_IN_TABLETOP = (
    FORTS_AUTOMATIC,
    CONVERSIONS,
    EXPANSIONS,
    NOMADS,
    WARSHIPS,
    PHILOSOPHY,
    HORDES,
)

COST_COLUMNS = (COST_OPEN, COST_OPEN, COST_OPEN, -1, COST_MOUNTAIN, COST_DESERT, COST_RIVER)  # by terrain; forest none

# Options of the rules: every reading of an open point, the default first --------------------------------------------
OPTIONS: dict[str, tuple[str, ...]] = {
    "zero_token_rule": ("keep", "auto"),
    "price_rule": ("prepay", "net", "debt"),
    "drop_tokens_lost": ("no", "yes"),
    "survivors_first": ("no", "yes"),
    "survivors": ("choice", "auto"),
    "teleport": ("yes", "no"),
    "decline_unentered": ("yes", "no"),
    "decline_first_turn": ("no", "yes"),
    "return_before_draw": ("yes", "no"),
    "zero_cost_must_hold": ("no", "yes"),
    "keep_all_possible": ("yes", "no"),
    "mountain_over_sea": ("no", "yes"),
    "fort_mountain_stack": ("yes", "no"),
    "fort_limit": ("none", "supply"),
    "same_coast": ("water_body", "zone", "both_coastal"),
    "both_links": ("best", "border"),
    "ship_on_entry": ("no", "yes"),
    "astronomy_entry": ("linked_zones", "single_zone"),
    "black_sea_linked": ("yes", "no"),
    "own_decline_target": ("yes", "heritage", "no"),
    "specialization_doubles_decline": ("no", "yes"),
    "rebirth_start_too": ("no", "yes"),
    "spy_on_entry": ("yes", "no"),
    "peace_optional": ("no", "yes"),
    "cohesion_keep": ("choice", "largest"),
    "must_enter": ("no", "yes"),
    "threshold_rule": ("sticky", "end_of_turn"),
    "tiebreak": ("shared", "last_turn", "reverse_seat"),
    # how the automaton plays
    "automaton_choice": ("value", "formula"),
    "automaton_attacks_real": ("no", "yes"),
    "automaton_takes_losses": ("no", "yes"),
    "automaton_saves_spy": ("no", "yes"),
    "automaton_overruns": ("no", "yes"),
    "automaton_worth": ("active", "both"),
    "automaton_surplus": ("weakest", "anywhere"),
}
OPTION_NAMES = tuple(OPTIONS)

_INT = np.int64
TABLES = np.dtype(
    [
        ("vinci_tables", _INT),
        ("seats", _INT),
        ("provinces", _INT),
        ("kinds", _INT),
        ("copies", _INT),
        # numbers of the edition
        ("start_score", _INT),
        ("price_per_skip", _INT),
        ("coin_value", _INT),
        ("token_bonus", _INT),
        ("victory_threshold", _INT),
        ("rounds_limit", _INT),  # 0: the game ends by the threshold
        ("stall_rounds", _INT),  # the stalemate guard: a game this long is ended and flagged
        ("cost_floor", _INT),
        ("spy_cost", _INT),
        ("mountain_discount", _INT),
        ("fort_discount", _INT),  # attacking from a fort
        ("fort_defence", _INT),
        ("brown_tokens", _INT),
        # the automaton, the rulebook's fictitious player
        ("automata", _INT),  # seats that are automata by the rules; the real seats are the first
        ("automaton_start_score", _INT),
        ("automaton_token_bonus", _INT),
        ("automaton_decline_points", _INT),  # an empire worth less may decline,
        ("automaton_decline_tokens", _INT),  # if it has no more tokens to spare than this,
        ("automaton_general_tokens", _INT),  # or than this with temporary tokens,
        ("automaton_general_die", _INT),  # which also take this from the die
        ("start_bonus", _INT, (SEATS,)),  # points a seat starts with besides, by its place in turn order
        ("base_cost", _INT, (TERRAINS,)),
        ("base_points", _INT, (TERRAINS,)),
        # readings of open points: 0 is the default, 1 and 2 the others, in the order of OPTIONS
        *((name, _INT) for name in OPTION_NAMES),
        # the map
        ("terrain", _INT, (PROVINCES,)),
        ("terrain_set", _INT, (TERRAINS,)),
        ("neutral_at_start", _INT),
        ("coastal", _INT),  # touches a sea zone
        ("water", _INT),  # touches a sea zone or any other water
        ("starts", _INT),  # entry from the board edge
        ("starts_astronomy", _INT),  # entry with Astronomy
        ("starts_by_sea", _INT),  # coasts of sea zones that touch the board edge
        ("large_coasts", _INT),  # touches an ocean or large sea
        ("bordering", _INT, (PROVINCES,)),  # across land or coastal borders
        ("across_sea", _INT, (PROVINCES,)),  # over linked sea zones
        ("linked", _INT, (PROVINCES,)),  # union of the two
        ("cost_sum", _INT),  # base cost of all provinces together, and their base points: for estimates
        ("points_sum", _INT),
        ("same_shore", _INT, (PROVINCES,)),  # shares a coastline, by the option same_coast
        ("matching", _INT, (MODIFIERS,)),  # the provinces a bonus column counts
        # the tiles
        ("kind_of", _INT, (COPIES,)),  # copy -> kind
        ("tiles", _INT, (KINDS, MODIFIERS)),
        ("pairs", _INT, (NO_PAIR + 1, MODIFIERS)),  # a civilization's row, by first kind * KINDS + second kind
        ("pair_halves", _INT, (NO_PAIR + 1, PROVINCES)),  # half points a province gives a civilization a turn
        ("bonus_halves", _INT, (KINDS, PROVINCES)),  # of these, what a kind adds to a declining province
    ]
)

# The report of a turn -----------------------------------------------------------------------------------------------
REPORT_NAMES = (
    "seat",
    "round_number",
    "kind",
    "score_before",
    "score_peak",
    "score_after",
    "points_active",
    "points_kills",
    "points_decline",
    "price_paid",
    "coins_received",
    "conquests",
    "tokens_lost",
    "kills",
    "contact_losses",
)
REPORT = len(REPORT_NAMES)
(
    R_SEAT,
    R_ROUND,
    R_KIND,
    R_BEFORE,
    R_PEAK,
    R_AFTER,
    R_ACTIVE,
    R_KILLS,
    R_DECLINE,
    R_PAID,
    R_RECEIVED,
    R_CONQUESTS,
    R_LOST,
    R_KILLED,
    R_CONTACT,
) = range(REPORT)
TURN_KIND_NAMES = ("play", "decline", "rebirth")
PLAY_TURN, DECLINE_TURN, REBIRTH_TURN = range(3)

STATE = np.dtype(
    [
        ("vinci", _INT),
        ("key", _INT),  # of the game's random draws; hidden
        ("seats", _INT),
        ("turn", _INT),  # turns finished
        ("round_number", _INT),  # from 1
        ("phase", _INT),
        ("after_draw", _INT),  # the phase that follows the refill of the tray
        ("start_seat", _INT),
        ("seat_after", _INT, (SEATS,)),  # the turn order: who plays after a seat
        ("turn_seat", _INT),  # whose turn it is
        ("placing_seat", _INT),  # who places survivors
        ("choices_made", _INT),  # in the set-up
        ("decisions", _INT),  # taken in this turn
        ("is_last_round", _INT),
        ("is_stalled", _INT),
        # seats
        ("score", _INT, (SEATS,)),
        ("earned", _INT, (SEATS,)),  # points scored so far
        ("paid", _INT, (SEATS,)),  # for skipped pairs
        ("received", _INT, (SEATS,)),  # for coins
        ("last_points", _INT, (SEATS,)),  # scored on the latest turn
        ("active", _INT, (SEATS,)),  # provinces of the active empire
        ("decline", _INT, (SEATS,)),  # provinces of the empire in decline
        ("hand", _INT, (SEATS,)),  # tokens off the board, temporary ones included
        ("tile", _INT, (SEATS, 2)),  # copies of the active civilization, -1 none
        ("old_tile", _INT, (SEATS, 2)),  # copies that stay with the empire in decline, -1 none
        ("old_doubling", _INT, (SEATS,)),  # factor on the bonus of the old tiles
        ("is_entered", _INT, (SEATS,)),  # the active civilization has made a conquest
        ("turns_taken", _INT, (SEATS,)),
        ("is_wiped_out", _INT, (SEATS,)),  # only with zero_token_rule = auto
        ("peace", _INT, (SEATS,)),  # seats this seat has named
        ("tokens_lost", _INT, (SEATS,)),  # since the seat's latest turn ended
        # the turn in progress
        ("temporary", _INT),  # tokens of the turn's seat that leave before scoring
        ("peace_left", _INT),
        ("spies_left", _INT),
        ("forts_left", _INT),
        ("defeated", _INT),  # tokens beaten this turn, own decline included
        ("pool", _INT),  # tokens that reorganization can place
        ("kept", _INT),  # provinces kept after the conquests
        ("cursor", _INT),  # placements and withdrawals go in rising province order; seats whose turn order is drawn
        ("live", _INT, (REPORT,)),  # report of the turn in progress
        ("done", _INT, (REPORT,)),  # report of the latest finished turn
        # the board
        ("neutral", _INT),
        ("forts", _INT),
        ("tokens", _INT, (PROVINCES,)),
        # the tray and the bag
        ("tray", _INT, (SLOTS, 2)),  # copies, -1 none
        ("coins", _INT, (SLOTS,)),
        ("bag", _INT),  # copies in the bag
        ("entries", _INT, (COPIES,)),  # how often a copy has gone into the bag
        ("aside", _INT),  # copies replaced in a double Specialization, back to the bag after the draw
        ("unreturned", _INT),  # with return_before_draw = no: back to the bag after the refill
    ]
)

# Phases -------------------------------------------------------------------------------------------------------------
PHASE_NAMES = (
    "start_seat",
    "draw",
    "choose",
    "turn_start",
    "peace",
    "gather",
    "conquest",
    "keep",
    "drop",
    "place",
    "fort",
    "survivors",
    "rebirth",
    "next_seat",
    "over",
)
(
    START_SEAT,
    DRAW,
    CHOOSE,
    TURN_START,
    PEACE,
    GATHER,
    CONQUEST,
    KEEP,
    DROP,
    PLACE,
    FORT,
    SURVIVORS,
    REBIRTH_CHOICE,
    NEXT_SEAT,
    OVER,
) = range(len(PHASE_NAMES))

# Actions: first code and number of codes of each range --------------------------------------------------------------
A_CHOOSE = 0  # + slot
A_PLAY_ON, A_DECLINE = 8, 9
A_REBIRTH_YES, A_REBIRTH_NO = 10, 11
A_NO_PEACE = 12
A_END_GATHER = 13
A_END_CONQUEST = 14
A_NO_FORT = 15
A_END_DROP = 16
A_PEACE = 24  # + seat
A_ABANDON = 64  # + province, and so on
A_CONQUER = 128
A_SPY = 192
A_KEEP = 256
A_DROP = 320
A_PLACE = 384
A_FORT = 448
A_START = 576  # chance: + seat that starts, or is next in turn order
A_DRAW = 584  # chance: + kind of tile
ACTIONS = A_DRAW + KINDS

# Events: names and fields; province, seat and tile fields are numbers ------------------------------------------------
EVENT_FIELDS: dict[str, tuple[str, ...]] = {
    "seat_drawn": ("seat",),
    "tile_drawn": ("slot", "place", "copy", "kind"),
    "tile_set_aside": ("copy", "kind"),
    "tile_returned": ("copy", "kind"),
    "chosen": ("seat", "slot", "first_kind", "second_kind", "price", "coins", "tokens"),
    "income": ("seat", "lasting", "temporary"),
    "peace": ("seat", "partner"),
    "abandoned": ("seat", "province", "tokens"),
    "conquest": (
        "seat",
        "province",
        "from_seat",  # whose empire it was, -1 neutral or empty
        "from_decline",  # 1 if that empire was in decline
        "origin",  # province the best discount comes from, -1 on entry
        "link",  # see LINK_NAMES
        "base",
        "defenders",
        "fort",
        "militia",
        "tile_any",
        "tile_terrain",
        "tile_water",
        "origin_mountain",
        "origin_fort",
        "origin_coast",
        "is_spy",
        "cost",
    ),
    "loss": ("seat", "province", "lost", "survivors"),
    "contact": ("seat", "province"),
    "wiped_out": ("seat",),
    "dismissed": ("seat", "temporary"),
    "dropped": ("seat", "province", "tokens"),
    "placed": ("seat", "province", "tokens"),
    "fort": ("seat", "province"),
    "scored": (
        "seat",
        "base",
        "province",
        "farmland",
        "pasture",
        "mine",
        "port",
        "mountain",
        "desert",
        "water",
        "kills",
        "decline_base",
        "decline_bonus",
        "total",
    ),
    "decline": ("seat", "provinces", "tokens_removed", "old_provinces_removed"),
    "last_round": ("seat", "score"),
    "game_over": ("is_stalled",),
    "seat_follows": ("seat", "after"),
}
EVENT_NAMES = tuple(EVENT_FIELDS)
(
    E_SEAT,
    E_DRAWN,
    E_ASIDE,
    E_RETURNED,
    E_CHOSEN,
    E_INCOME,
    E_PEACE,
    E_ABANDONED,
    E_CONQUEST,
    E_LOSS,
    E_CONTACT,
    E_WIPED_OUT,
    E_DISMISSED,
    E_DROPPED,
    E_PLACED,
    E_FORT,
    E_SCORED,
    E_DECLINE,
    E_LAST_ROUND,
    E_OVER,
    E_FOLLOWS,
) = range(len(EVENT_NAMES))
LINK_NAMES = ("entry", "border", "sea")
ENTRY, BORDER, SEA = range(3)
