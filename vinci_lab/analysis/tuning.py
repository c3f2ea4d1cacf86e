"""``tune``: better parameters for a game's fast policy, found by play and confirmed on fresh seeds.

The search is simultaneous perturbation (SPSA). At each step all parameters are changed a little at once, each up or
down at random; agents with these parameters and agents with the opposite changes sit at one table, in alternating seats
and then the other way round with the same draws; and the parameters move the way of those who end ahead, in proportion
to how far. A parameter is searched on a logarithmic scale, so its sign stays; one that is 0 is searched as it is.

References
----------
Spall, Multivariate stochastic approximation using a simultaneous perturbation gradient approximation (1992).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from vinci_lab.analysis.ladder import ladder
from vinci_lab.analysis.rates import Floats, Interval, share_interval
from vinci_lab.analysis.ratings import win_matrix
from vinci_lab.engine.chance import PURPOSE_AGENT, word
from vinci_lab.engine.game import Parameter
from vinci_lab.engine.ruleset import Ruleset

NUDGE, GAIN = 0.2, 0.5  # of the logarithm of a parameter: the change tried at each step, and the move for a lead of 1
NUDGE_FADES, GAIN_FADES, GAIN_BEGINS = 0.101, 0.602, 0.1  # Spall's exponents, and when the gain starts to fall
UNIT_OF_ZERO = 1.0
DIGITS = 4
KEPT = ("noise",)


@dataclass(frozen=True)
class Tuned:
    """What a tuning run found.

    Attributes
    ----------
    parameters : mapping of str to float
        All parameters of the policy that were searched.
    share : Interval
        Share of the win of one agent with them against agents with the parameters of the start, rotated seats, on
        seeds the search has not seen.
    score : str
        The same in words.
    command : str
        That makes the run again.
    ruleset : str
        Hash of the rules it was made with.
    history : DataFrame
        A row per step: ``step`` and the parameters after it.
    """

    parameters: Mapping[str, float]
    share: Interval
    score: str
    command: str
    ruleset: str
    history: pd.DataFrame

    def to_toml(self, name: str) -> str:
        """Return a section for the file of stored agents."""
        lines = [
            f"[{name}]",
            f'command = "{self.command}"',
            f'ruleset = "{self.ruleset}"',
            f'score = "{self.score}"',
            "",
            f"[{name}.parameters]",
            *(f"{parameter} = {value!r}" for parameter, value in self.parameters.items()),
        ]
        return "\n".join(lines) + "\n"


def tune(
    rules: Ruleset,
    start: str = "greedy",
    steps: int = 1_000,
    games: int = 400,
    confirm: int = 8_000,
    seed: int = 1,
    n_jobs: int = -1,
    kept: Sequence[str] = KEPT,
    progress: bool = True,
) -> Tuned:
    """Search better parameters for the fast policy.

    Parameters
    ----------
    rules : Ruleset
        What is played, and by how many.
    start : str
        The agent to start from, such as ``"greedy"`` or ``"greedy:denial=0.5"``.
    steps, games : int
        Steps, and games in each.
    confirm : int
        Games on fresh seeds against three agents of the start.
    seed : int
        Decides the perturbations and the games; the same seed finds the same parameters.
    n_jobs : int
        Games in parallel; the result does not depend on it.
    kept : sequence of str
        Parameters to leave alone.
    progress : bool
        Whether to show a bar.

    Returns
    -------
    Tuned
        The mean of the parameters over the last half of the steps, and how well they do.

    Raises
    ------
    ValueError
        If the agent or a parameter to keep is not known.
    """
    from tqdm.auto import tqdm

    from vinci_lab.simulation.seats import parse_agent

    known = rules.definition.parameters
    if unknown := sorted(set(kept) - {parameter.name for parameter in known}):
        raise ValueError(f"keep: there is no parameter {unknown[0]!r}; choose from {', '.join(p.name for p in known)}")
    asked = parse_agent(rules.definition, start).params
    searched = [Parameter(one.name, asked.get(one.name, one.default), "") for one in known if one.name not in kept]
    fixed = {name: value for name, value in asked.items() if name in kept}
    rng, place, rows = np.random.default_rng(seed), np.zeros(len(searched)), []
    for step in tqdm(range(steps), unit="step", disable=not progress, mininterval=1):
        nudge = NUDGE / (step + 1) ** NUDGE_FADES * rng.choice([-1.0, 1.0], len(searched))
        up, down = (_name(fixed, _values(searched, place + change)) for change in (nudge, -nudge))
        lead = _lead(rules, up, down, games, int(word(seed, PURPOSE_AGENT, 0, step)), n_jobs)
        fall = ((step + 1 + GAIN_BEGINS * steps) / (1 + GAIN_BEGINS * steps)) ** GAIN_FADES
        place = place + GAIN / fall * lead * np.sign(nudge)
        rows.append(place)
    settled = np.mean(rows[steps // 2 :], axis=0) if rows else place
    best = _values(searched, settled)
    table = ladder(
        rules,
        [_name(fixed, best), *[start] * (rules.players - 1)],
        confirm,
        int(word(seed, PURPOSE_AGENT, 1, 0)),
        n_jobs,
        progress=False,
    )
    mine = table.games[table.games["agent"] == _name(fixed, best)]
    history = pd.DataFrame([_values(searched, one) for one in rows])
    history.insert(0, "step", range(len(history)))
    command = (
        f"vinci-lab tune {rules.game} --players {rules.players} --start {start} --steps {steps} --games {games} "
        f"--confirm {confirm} --seed {seed}"
    )
    share = share_interval(mine["win_share"], mine["game"])
    score = (
        f"{100 * share.estimate:.1f} % of the win for one against {rules.players - 1} {start}, 95 % interval "
        f"{100 * share.low:.1f} to {100 * share.high:.1f} %, {len(mine)} games with rotated seats"
    )
    return Tuned({**fixed, **best}, share, score, command, rules.hash, history)


def _values(searched: Sequence[Parameter], place: Floats) -> dict[str, float]:
    """Return the parameters at a place of the search."""
    return {
        one.name: round(one.default * math.exp(at) if one.default else UNIT_OF_ZERO * float(at), DIGITS)
        for one, at in zip(searched, place.tolist(), strict=True)
    }


def _name(fixed: Mapping[str, float], values: Mapping[str, float]) -> str:
    return "greedy:" + ",".join(f"{name}={value!r}" for name, value in {**fixed, **values}.items())


def _lead(rules: Ruleset, up: str, down: str, games: int, seed: int, n_jobs: int) -> float:
    """Return how much more often than not a seat of ``up`` ends before a seat of ``down``, from -1 to 1."""
    seats = [up if seat % 2 == 0 else down for seat in range(rules.players)]
    games_played = ladder(rules, seats, games, seed, n_jobs, progress=False).games
    matrix = win_matrix(games_played)
    return float(2 * matrix.loc[matrix["agent"] == up, "estimate"].iloc[0] - 1)


def write_stored(path: Path, name: str, section: str) -> None:
    """Put a section into a file of stored agents, in the place of an older one of the same name."""
    text = path.read_text(encoding="utf-8") if path.is_file() else ""
    kept: list[str] = []
    skipping = False
    for line in text.splitlines():
        if line.startswith("["):
            skipping = line.strip("[] \t").split(".")[0] == name
        if not skipping:
            kept.append(line)
    body = "\n".join(kept).strip()
    path.write_text((body + "\n\n" if body else "") + section, encoding="utf-8")
