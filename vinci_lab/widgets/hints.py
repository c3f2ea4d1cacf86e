"""Hints: what an agent would do in the place of a person, and why."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from vinci_lab.engine.playing import reasons_of
from vinci_lab.engine.transcript_lines import printable
from vinci_lab.widgets.thinking import Question

HINT_KEY = 0x5EED  # what a hint's look ahead draws chance from, not the game's key


@dataclass(frozen=True)
class Hint:
    """What an agent would do.

    Attributes
    ----------
    agent : str
        Its name.
    actions : tuple of int
        The actions, as far as it has decided.
    words : tuple of str
        The same in words; equal ones in a row are told once.
    reasons : tuple of str
        What speaks for it.
    """

    agent: str
    actions: tuple[int, ...]
    words: tuple[str, ...]
    reasons: tuple[str, ...]


def hint_of(question: Question, actions: Sequence[int]) -> Hint:
    """Return an agent's answer as a hint: the actions up to where the turn or the decision passes on, and reasons."""
    seat, view = question.seat, question.position.view(question.seat)
    twin = view.imagine(HINT_KEY)
    done: list[int] = []
    before = question.mind.prospects(twin)[seat]
    for action in actions:
        if done and (twin.turn != view.turn or seat not in twin.deciders):
            break
        twin.apply(action, seat)
        done.append(int(action))
    after = question.mind.prospects(twin)[seat]
    reasons = [printable(words) for words in reasons_of(view, done)]
    reasons.append(f"By its estimate the outlook of seat {seat} is {after:.0%} after this, and was {before:.0%}")
    if question.mind.is_searching:
        rollouts = question.mind.seated.settings["rollouts"]
        reasons.append(f"Chosen among several plans by up to {rollouts} simulated continuations")
    return Hint(question.mind.name, tuple(done), tuple(told([view.describe(one) for one in done])), tuple(reasons))


def told(words: Sequence[str]) -> list[str]:
    """Return sentences with equal ones in a row told once."""
    groups = ((one, len(list(same))) for one, same in itertools.groupby(words))
    return [f"{printable(one)} ({times} times)" if times > 1 else printable(one) for one, times in groups]
