"""A strip with the scores of a whole game, turn by turn, and where one is in it."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from vinci_lab.engine.picture import Picture, finish, new_picture

SEAT_COLORS = ("#0b5fa5", "#e66100", "#6a3d9a", "#f2c800", "#12a594", "#d81b78")  # those of the boards
DASHES = (None, "7 2", "2 2", "9 2 2 2", "4 3", "1 2")  # nothing is told by color alone
INK, PALE = "#333a44", "#d5dae1"
INK_DARK, PALE_DARK = "#d7dce3", "#4a525d"
TOP, BOTTOM, LEFT, RIGHT = 14, 16, 30, 96


def draw_scores(
    scores: Sequence[Sequence[float]],
    turn: float,
    marks: Sequence[int] = (),
    width: int = 900,
    height: int = 120,
    name: str | None = None,
) -> Picture:
    """Return the strip.

    Parameters
    ----------
    scores : sequence of sequences of float
        Points by seat, at the start and after each turn.
    turn : float
        Turns finished now.
    marks : sequence of int
        Turns to mark with a dot below, such as those in which the lead changed.
    width, height : int
        Pixels.
    name : str, optional
        What ids of the picture begin with.
    """
    root = new_picture(width, "Scores by turn", name)
    low, high = min(0.0, *(min(row) for row in scores)), max(1.0, *(max(row) for row in scores))
    last = max(len(scores) - 1, 1)

    def across(place: float) -> float:
        return LEFT + (width - LEFT - RIGHT) * place / last

    def down(points: float) -> float:
        return TOP + (height - TOP - BOTTOM) * (high - points) / (high - low)

    for points in (low, high):
        root.add("line", x1=LEFT, x2=width - RIGHT, y1=down(points), y2=down(points), class_="pale")
        root.text(LEFT - 4, down(points) + 3, f"{points:g}", 9, "ink", "end")
    for place in marks:
        root.add("circle", cx=across(place), cy=height - BOTTOM + 6, r=2.5, class_="dot")
    for seat in range(len(scores[0])):
        points_of = " ".join(f"{across(place):.1f},{down(row[seat]):.1f}" for place, row in enumerate(scores))
        root.add("polyline", points=points_of, class_=f"line{seat % 6}", stroke_dasharray=DASHES[seat % 6])
    for seat, height_of in enumerate(_apart([down(value) for value in scores[-1]])):
        words = f"seat {seat}: {scores[min(int(turn), last)][seat]:g}"
        root.text(width - RIGHT + 6, height_of + 3, words, 10, f"name{seat % 6}")
    turn = min(turn, last)
    root.add("line", x1=across(turn), x2=across(turn), y1=TOP - 6, y2=height - BOTTOM + 10, class_="now")
    root.text(across(turn), TOP - 5, f"after turn {int(turn)}", 9, "ink", "middle")
    return finish(root, height, _style(INK, PALE), _style(INK_DARK, PALE_DARK))


def _apart(heights: list[float], least: float = 12.0) -> list[float]:
    """Return heights in the same order that are far enough apart to write on."""
    order = sorted(range(len(heights)), key=heights.__getitem__)
    moved = list(heights)
    for before, after in itertools.pairwise(order):
        moved[after] = max(moved[after], moved[before] + least)
    up = (max(moved) - max(heights)) / 2
    up = min(up, min(moved) - TOP - 6)  # not into what is written above
    return [height - up for height in moved]


def _style(ink: str, pale: str) -> dict[str, dict[str, str]]:
    lines = {
        f"line{seat}": {"fill": "none", "stroke": color, "stroke-width": "2", "stroke-linejoin": "round"}
        for seat, color in enumerate(SEAT_COLORS)
    }
    names = {f"name{seat}": {"fill": ink} for seat in range(len(SEAT_COLORS))}
    return {
        **lines,
        **names,
        "ink": {"fill": ink},
        "pale": {"stroke": pale, "stroke-width": "1"},
        "now": {"stroke": ink, "stroke-width": "1.5"},
        "dot": {"fill": ink},
    }
