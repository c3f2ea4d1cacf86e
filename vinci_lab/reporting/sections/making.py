"""How a study was made, and what makes it again."""

from __future__ import annotations

import platform
from importlib import metadata
from typing import TYPE_CHECKING

import vinci_lab
from vinci_lab.reporting import page
from vinci_lab.reporting.context import Context
from vinci_lab.reporting.parts import Section

if TYPE_CHECKING:
    from vinci_lab.simulation.store import Runs

PACKAGES = ("numpy", "numba", "pandas", "scipy", "joblib", "matplotlib", "pyarrow")


def section(runs: Runs, context: Context) -> Section:
    """Return the command and all that decides the numbers."""
    settings, origin = runs.settings, context.origin
    facts = {
        "game and edition": f"{settings['game']}, {settings['edition']}, {len(settings['agents'])} seats",
        "agents by seat": ", ".join(settings["agents"]),
        "games": f"{settings['completed']:,}",
        "seed": settings["seed"],
        "ruleset hash": settings["ruleset_hash"],
        "digest of the tables": runs.digest,
        "vinci_lab": f"{settings['version']} (rules of {settings['game']}: version {settings['game_version']})",
        "made with": ", ".join([f"Python {platform.python_version()}", *_versions()]),
    }
    if settings["version"] != vinci_lab.__version__:
        facts["report by"] = f"vinci_lab {vinci_lab.__version__}"
    exact = (
        "With the same data files this command gives the same ruleset hash and the same digest on any machine, with "
        "any number of cores. A different ruleset hash means that a number of the rules has been changed."
    )
    inexact = (
        "No command makes this study exactly: its rules or agents are not in the data files or known to the command "
        "line. Make them in Python as before; the ruleset hash tells whether the rules are the same."
    )
    return Section(
        "How to make this again",
        text=(exact if origin.is_exact else inexact,),
        command=origin.command,
        html=page.definitions(facts),
    )


def _versions() -> list[str]:
    return [f"{name} {metadata.version(name)}" for name in PACKAGES]
