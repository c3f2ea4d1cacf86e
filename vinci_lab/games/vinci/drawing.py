"""Vinci: a position, or a figure for each province, as a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping

from vinci_lab.engine.picture import Node, Picture, finish, fitting, new_picture
from vinci_lab.engine.position import Position
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.games.vinci.drawing_board import (
    WIDE,
    Canvas,
    draw_borders,
    draw_land,
    draw_owners,
    draw_pieces,
    land_sentence,
    terrain_fills,
)
from vinci_lab.games.vinci.drawing_panels import (
    EDGE,
    draw_head,
    draw_legend,
    draw_notice,
    draw_score_track,
    draw_seats,
    draw_tray,
    moment,
)
from vinci_lab.games.vinci.drawing_style import DARK, LIGHT, STEPS, define_patterns

NARROWEST, WIDEST = 400, 4000
MEASURE_TOP = 30


def draw(
    position: Position, width: int = 900, theme: str = "auto", name: str | None = None, panels: bool = True
) -> Picture:
    """Return a position as a picture.

    Parameters
    ----------
    position : Position
        Any position, or what a seat sees of one.
    width : int
        Pixels, 400 to 4000. Below 640 the panels stand in more rows and names are left to the titles.
    theme : {"auto", "light", "dark"}
        ``auto`` follows the reader's system or JupyterLab.
    name : str, optional
        What ids of the picture begin with; a name of its own is made up if left out.
    panels : bool
        Whether to draw what lies beside the board: score track, seats and tray.

    Raises
    ------
    ValueError
        If the width or the theme is not allowed.
    """
    rules, state = position.rules, position.state
    _check_width(width)
    root = new_picture(width, f"{rules.content['title']}, {moment(rules, state)}", name)
    define_patterns(root)
    root.add("rect", width=width, height="100%", class_="paper")
    top = draw_head(root, rules, state, 0, width)
    canvas = Canvas.of(rules, width, top)
    groups = draw_land(root, canvas, terrain_fills(rules))
    draw_owners(groups, canvas, state)
    draw_borders(root, canvas)
    draw_pieces(root, groups, canvas, state)
    top += canvas.height + 4
    top += draw_legend(root, rules, top, width)
    if panels:
        top += draw_score_track(root, rules, state, top, width)
        top += draw_seats(root, rules, state, top, width)
        top += draw_tray(root, rules, state, top + 3, width) + 3
    top += draw_notice(root, canvas.geometry.notice, top, width)
    return finish(root, top, LIGHT, DARK, theme)


def draw_panels(position: Position, width: int = 440, theme: str = "auto", name: str | None = None) -> Picture:
    """Return what lies beside the board alone: score track, seats and tray.

    Parameters
    ----------
    position, width, theme, name
        As for :func:`draw`.

    Raises
    ------
    ValueError
        If the width or the theme is not allowed.
    """
    rules, state = position.rules, position.state
    _check_width(width)
    root = new_picture(width, f"Score track, seats and tray, {moment(rules, state)}", name)
    define_patterns(root)
    root.add("rect", width=width, height="100%", class_="paper")
    top = draw_score_track(root.group(), rules, state, 0, width)
    top += draw_seats(root, rules, state, top, width)
    top += draw_tray(root, rules, state, top + 3, width) + 3
    return finish(root, top, LIGHT, DARK, theme)


def draw_measure(
    rules: Ruleset,
    values: Mapping[str, float],
    title: str,
    unit: str = "",
    width: int = 900,
    theme: str = "auto",
    name: str | None = None,
) -> Picture:
    """Return a map whose provinces are shaded by a figure each, with the figure written on them.

    Parameters
    ----------
    rules : Ruleset
        Whose map it is.
    values : mapping of str to float
        A figure for each province; provinces without one, or with NaN or infinity, stay blank.
    title, unit : str
        What is shown.
    width, theme, name
        As for :func:`draw`.

    Raises
    ------
    ValueError
        If there is no such province, a value is no number, or the width or the theme is not allowed.
    """
    _check_width(width)
    canvas = Canvas.of(rules, width, MEASURE_TOP)
    known = _figures(values, canvas.names)
    low, high = min(known.values(), default=0.0), max(known.values(), default=0.0)
    digits = 0 if high >= 100 else 1 if high >= 10 else 2
    root = new_picture(width, title, name)
    root.add("rect", width=width, height="100%", class_="paper")
    head = fitting(f"{title}{f', {unit}' if unit else ''}", width - 2 * EDGE, 13)
    root.text(EDGE, 20, head, 13, font_weight="bold")
    fills = {place: _step(known[place], low, high) if place in known else "card" for place in canvas.names}
    groups = draw_land(root, canvas, fills, has_glyphs=False)
    draw_borders(root, canvas)
    for place in canvas.names:
        words = f"{known[place]:.{digits}f}" if place in known else ""
        groups[place].title(f"{land_sentence(rules, place)}. {title}: {words or 'none'}")
        _write_figure(root, canvas, place, words)
    top = MEASURE_TOP + canvas.height + 6
    for step in range(STEPS):
        root.add("rect", x=EDGE + 26 * step, y=top, width=26, height=12, class_=f"step{step}")
    ends = f"{low:.{digits}f} to {high:.{digits}f}{f' {unit}' if unit else ''}"
    root.text(EDGE + 26 * STEPS + 8, top + 10, ends, 10.5, "soft")
    top += 22
    top += draw_notice(root, canvas.geometry.notice, top, width)
    return finish(root, top, LIGHT, DARK, theme)


def _figures(values: Mapping[str, float], names: tuple[str, ...]) -> dict[str, float]:
    """Return the figures there are, by province."""
    if unknown := sorted(set(values) - set(names)):
        raise ValueError(f"values: there is no province {unknown[0]!r}; they are {', '.join(names)}")
    try:
        numbers = {place: float(value) for place, value in values.items()}
    except (TypeError, ValueError) as error:
        raise ValueError(f"values: must be numbers ({error})") from None
    return {place: value for place, value in numbers.items() if math.isfinite(value)}


def _step(value: float, low: float, high: float) -> str:
    """Return the class of a figure's step on the scale."""
    share = (value / 2 - low / 2) / (high / 2 - low / 2) if high > low else 0.0
    return f"step{min(STEPS - 1, int(STEPS * share))}"


def _write_figure(root: Node, canvas: Canvas, place: str, words: str) -> None:
    x, y, _ = canvas.center(place)
    size = 11 if canvas.width >= WIDE else 8.5
    root.text(x, y + 4, words, size, "name", "middle", font_weight="bold", pointer_events="none")
    if canvas.width >= WIDE:
        root.text(x, y + 14, place, 8.5, "name", "middle", pointer_events="none")


def _check_width(width: int) -> None:
    if not isinstance(width, int) or not NARROWEST <= width <= WIDEST:
        raise ValueError(f"width: must be a whole number of pixels from {NARROWEST} to {WIDEST}, got {width}")
