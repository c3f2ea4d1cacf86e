"""The page of ``vinci-lab play``: a game to be played, or a written one to be gone through."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets

from vinci_lab.rulesets import ruleset
from vinci_lab.widgets.app.serving import asked


def page(what: Mapping[str, Any] | None = None) -> Any:
    """Return what the page shows.

    Parameters
    ----------
    what : mapping, optional
        ``game, players, seats, seed, edition, map, data, changes``, or ``transcript`` with the path of a written game;
        by default what the command line asked for.
    """
    what = dict(asked() if what is None else what)
    try:
        return _replayed(what) if "transcript" in what else _played(what)
    except (ValueError, OSError) as error:
        return ipywidgets.HTML(f"<p>{html.escape(str(error))}</p>")


def _played(what: dict[str, Any]) -> Any:
    from vinci_lab.widgets.play import play

    options = {name: what[name] for name in ("edition", "map", "data") if what.get(name) is not None}
    rules = ruleset(what.get("game", "vinci"), what.get("players", 4), **options)
    if what.get("changes"):
        rules = rules.replace(what["changes"])
    return play(rules, what.get("seats"), what.get("seed"))


def _replayed(what: dict[str, Any]) -> Any:
    from vinci_lab.widgets.replay import replay

    return replay(what["transcript"])
