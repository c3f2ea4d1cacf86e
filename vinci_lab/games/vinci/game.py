"""Vinci as the rest of the house sees it."""

from __future__ import annotations

from vinci_lab.engine.game import Game, register
from vinci_lab.games.vinci import (  # noqa: F401 - they answer questions
    heuristics,
    heuristics_automaton,
    heuristics_plans,
    measures,
    rules,
    rules_audit,
    rules_holdings,
    ruleset,
    ruleset_variants,
)
from vinci_lab.games.vinci.heuristics_worth import ESTIMATES, PARAMETERS
from vinci_lab.games.vinci.measures_columns import COLUMNS
from vinci_lab.games.vinci.position_reading import read_position
from vinci_lab.games.vinci.position_writing import write_position
from vinci_lab.games.vinci.rules_layout import ACTIONS, EVENT_FIELDS, STATE, TABLES
from vinci_lab.games.vinci.status import status
from vinci_lab.games.vinci.words import describe_action, describe_event, parse_action

GAME = register(
    Game(
        name="vinci",
        version=1,
        players=(1, 2, 3, 4, 5, 6),
        tables_layout=TABLES,
        state_layout=STATE,
        memo_layout=measures.MEMO,
        actions=ACTIONS,
        event_fields=EVENT_FIELDS,
        columns=COLUMNS,
        parameters=PARAMETERS,
        estimates=ESTIMATES,
        load=ruleset.load,
        build=ruleset.build,
        vary=ruleset.vary,
        assumed=ruleset.assumed,
        labels=ruleset.labels,
        variants=ruleset_variants.variants,
        describe_action=describe_action,
        parse_action=parse_action,
        describe_event=describe_event,
        write_position=write_position,
        read_position=read_position,
        status=status,
        drawing="vinci_lab.games.vinci.drawing",
        checking="vinci_lab.games.vinci.checking",
        dealing="vinci_lab.games.vinci.dealing",
        playing="vinci_lab.games.vinci.playing",
    )
)
