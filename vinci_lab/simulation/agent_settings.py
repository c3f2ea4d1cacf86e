"""What stands behind the colon of an agent's name: parameters of its policy, stored sets of them, and settings."""

from __future__ import annotations

import math
from typing import Any

from vinci_lab.agents.compiled import AGENT_NAMES, SEARCH
from vinci_lab.agents.search import BUDGETS, SETTINGS, SETTINGS_RANGE
from vinci_lab.datafiles import Problems, data_root, read_toml
from vinci_lab.engine.game import Game

POLICY, BUDGET = "policy", "budget"


def read_settings(game: Game, name: str, text: str) -> tuple[dict[str, float], dict[str, int]]:
    """Return the policy parameters and search settings of ``"tuned,denial=0.5"`` or ``"budget=play,horizon=8"``.

    Parameters
    ----------
    game : Game
        Whose policy it is.
    name : str
        The agent.
    text : str
        What stands behind its name and the colon. Later entries overrule earlier ones.

    Raises
    ------
    ValueError
        If something is not known, or a value is not allowed.
    """
    params: dict[str, float] = {}
    is_search = name == AGENT_NAMES[SEARCH]
    settings = {setting: default for setting, (default, _) in SETTINGS.items()} if is_search else {}
    for piece in text.split(",") if text else []:
        parameter, equals, value = (part.strip() for part in piece.partition("="))
        if not equals:
            parameter, value = POLICY, parameter
        if parameter == POLICY:
            params |= stored_policy(game, name, value)
        elif is_search and parameter == BUDGET:
            settings |= _choice(f"{name}:{BUDGET}", value, BUDGETS)
        elif parameter in settings:
            settings[parameter] = _whole(name, parameter, value)
        else:
            params[_known(game, name, parameter, settings)] = _number(name, parameter, value)
    if not all(map(math.isfinite, params.values())):
        raise ValueError(f"agents: parameters must be finite numbers, got {name + ':' + text!r}")
    return params, settings


def stored_policies(game: Game) -> dict[str, dict[str, float]]:
    """Return a game's stored sets of policy parameters by name, from ``data/GAME/agents.toml``."""
    path = data_root() / game.name / "agents.toml"
    if not path.is_file():
        return {}
    problems = Problems()
    file = read_toml(path, f"{game.name}/agents.toml", problems)
    problems.raise_if_any()
    table = {} if file is None else file.table
    known = {parameter.name for parameter in game.parameters}
    for name, entry in table.items():
        params = entry.get("parameters") if isinstance(entry, dict) else None
        if not isinstance(params, dict):
            problems.add_at(f"{game.name}/agents.toml, {name}", "must be a table with a table of parameters")
            continue
        for parameter, value in params.items():
            where = f"{game.name}/agents.toml, {name}.parameters.{parameter}"
            if parameter not in known:
                problems.add_at(where, f"there is no such parameter; known are {', '.join(sorted(known))}")
            elif isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                problems.add_at(where, f"must be a finite number, got {value!r}")
    problems.raise_if_any()
    return {name: {key: float(value) for key, value in entry["parameters"].items()} for name, entry in table.items()}


def stored_policy(game: Game, name: str, asked: str) -> dict[str, float]:
    """Return one stored set of parameters, or raise a sentence that names all of them."""
    return dict(_choice(name, asked, stored_policies(game)))


def _choice(what: str, asked: str, known: dict[str, Any]) -> dict[str, Any]:
    if asked not in known:
        options = ", ".join(known) or "none, this game has no stored parameters"
        raise ValueError(f"agents: {what} does not know {asked!r}; choose from {options}")
    return dict(known[asked])


def _known(game: Game, name: str, parameter: str, settings: dict[str, int]) -> str:
    known = [one.name for one in game.parameters]
    if parameter not in known:
        more = [*settings, BUDGET] if settings else []
        raise ValueError(f"agents: {name} has no parameter {parameter!r}; choose from {', '.join([*more, *known])}")
    return parameter


def _number(name: str, parameter: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise ValueError(f"agents: {name}:{parameter} must be a number, got {value!r}") from None


def _whole(name: str, parameter: str, value: str) -> int:
    low, high = SETTINGS_RANGE[parameter]
    if not value.isdecimal() or not low <= int(value) <= high:
        raise ValueError(f"agents: {name}:{parameter} must be an integer from {low} to {high}, got {value!r}")
    return int(value)
