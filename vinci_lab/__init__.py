"""vinci_lab: simulate board games by their rulebooks, and measure how well balanced they are.

The public names are imported when they are first used, so that ``import vinci_lab`` is instant.
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "ruleset": "vinci_lab.rulesets",
    "Ruleset": "vinci_lab.engine.ruleset",
    "DataError": "vinci_lab.engine.ruleset",
    "Position": "vinci_lab.engine.position",
    "new_position": "vinci_lab.engine.position",
    "Transcript": "vinci_lab.engine.transcript",
    "load_transcript": "vinci_lab.engine.transcript",
    "Picture": "vinci_lab.engine.picture",
    "check_folder": "vinci_lab.rulesets",
    "open_game": "vinci_lab.simulation.reopen",
    "simulate": "vinci_lab.simulation.simulate",
    "sweep": "vinci_lab.simulation.sweep",
    "design": "vinci_lab.simulation.sweep",
    "Sweep": "vinci_lab.simulation.sweep",
    "AgentError": "vinci_lab.agents.python_agents",
    "compiled_agent": "vinci_lab.agents.user_compiled",
    "Runs": "vinci_lab.simulation.store",
    "skill_sensitivity": "vinci_lab.analysis.skill",
    "seat_effects": "vinci_lab.analysis.effects",
    "tile_effects": "vinci_lab.analysis.effects",
    "tile_study": "vinci_lab.analysis.tiles",
    "fork": "vinci_lab.simulation.forks",
    "pace": "vinci_lab.analysis.effects",
    "ladder": "vinci_lab.analysis.ladder",
    "Ladder": "vinci_lab.analysis.ladder",
    "compare": "vinci_lab.analysis.compare",
    "game_metrics": "vinci_lab.analysis.metrics",
    "threshold_curve": "vinci_lab.analysis.thresholds",
    "recommend_threshold": "vinci_lab.analysis.wishes",
    "score_fans": "vinci_lab.analysis.pace",
    "lead_change_rounds": "vinci_lab.analysis.pace",
    "comebacks": "vinci_lab.analysis.pace",
    "decline_times": "vinci_lab.analysis.pace",
    "seats_by_players": "vinci_lab.analysis.seats",
    "seat_compensation": "vinci_lab.analysis.seats",
    "map_use": "vinci_lab.analysis.map_use",
    "map_picture": "vinci_lab.analysis.map_use",
    "sensitivity": "vinci_lab.analysis.sensitivity",
    "Sensitivity": "vinci_lab.analysis.sensitivity",
    "pair_effects": "vinci_lab.analysis.pairs",
    "fair_prices": "vinci_lab.analysis.prices",
    "tray_bargains": "vinci_lab.analysis.prices",
    "average_tokens": "vinci_lab.analysis.slopes",
    "rebalance": "vinci_lab.analysis.rebalance",
    "Rebalance": "vinci_lab.analysis.rebalance",
    "write_study": "vinci_lab.reporting",
    "make_study": "vinci_lab.reporting",
    "replay": "vinci_lab.widgets.replay",
    "Replay": "vinci_lab.widgets.replay",
    "explore": "vinci_lab.widgets.explore",
    "play": "vinci_lab.widgets.play",
}
__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'vinci_lab' has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return list(__all__)
