"""The drawing of a position: nothing visible is left out, nothing is told by color alone, nothing breaks the page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import vinci_lab as vl
from vinci_lab.engine.position import Position
from vinci_lab.games.vinci import drawing, drawing_style
from vinci_lab.games.vinci import rules_layout as at

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
NASTY = "<img src=x onerror=alert(1)> & \"'"

# What nobody at the table sees, or what only serves the order of small steps.
BOOKKEEPING = {
    "vinci",
    "key",
    "seats",
    "seat_after",
    "after_draw",
    "choices_made",
    "decisions",
    "pool",
    "cursor",
    "live",
    "done",
    "entries",
}


@pytest.fixture(scope="module")
def middle() -> Position:
    """Return a position in the middle of a game, with empires in decline and tokens in hand."""
    transcript = vl.load_transcript(TRANSCRIPTS / "vinci_four_seats_greedy.jsonl")
    turns = max(line["turn_end"] for line in transcript.lines if line["line"] == "turn_end")
    return transcript.position_after(turns // 2)


def set_to(field: str, value: int, *place: int) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        if place:
            state[field][place] = value
        else:
            state[field] = value

    return change


def flip(field: str, bit: int, *place: int) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        if place:
            state[field][place] ^= 1 << bit
        else:
            state[field] ^= 1 << bit

    return change


def both(*changes: Callable[[Any], None]) -> Callable[[Any], None]:
    def change(state: Any) -> None:
        for one in changes:
            one(state)

    return change


# A change of each visible field, after what has to be so for it to be seen.
SAME: Callable[[Any], None] = both()
VISIBLE: dict[str, tuple[Callable[[Any], None], Callable[[Any], None]]] = {
    "turn": (SAME, set_to("turn", 99)),
    "round_number": (SAME, set_to("round_number", 77)),
    "phase": (set_to("phase", at.CONQUEST), set_to("phase", at.PLACE)),
    "start_seat": (set_to("start_seat", 0), set_to("start_seat", 1)),
    "turn_seat": (set_to("turn_seat", 0), set_to("turn_seat", 1)),
    "placing_seat": (both(set_to("phase", at.SURVIVORS), set_to("placing_seat", 1)), set_to("placing_seat", 2)),
    "is_last_round": (set_to("is_last_round", 0), set_to("is_last_round", 1)),
    "is_stalled": (SAME, set_to("is_stalled", 1)),
    "score": (SAME, set_to("score", 55, 1)),
    "earned": (SAME, set_to("earned", 555, 1)),
    "paid": (SAME, set_to("paid", 555, 1)),
    "received": (SAME, set_to("received", 555, 1)),
    "last_points": (SAME, set_to("last_points", 55, 1)),
    "hand": (SAME, set_to("hand", 55, 1)),
    "active": (both(set_to("active", 1, 1), set_to("neutral", 0)), set_to("active", 2, 1)),
    "decline": (both(set_to("decline", 1, 1), set_to("active", 0, 0)), set_to("decline", 3, 1)),
    "tile": (set_to("tile", 1, 1, 0), set_to("tile", 30, 1, 0)),
    "old_tile": (set_to("old_tile", 1, 1, 0), set_to("old_tile", 30, 1, 0)),
    "old_doubling": (set_to("old_tile", 1, 1, 0), set_to("old_doubling", 2, 1)),
    "is_entered": (both(set_to("tile", 1, 1, 0), set_to("is_entered", 1, 1)), set_to("is_entered", 0, 1)),
    "turns_taken": (SAME, set_to("turns_taken", 55, 1)),
    "is_wiped_out": (SAME, set_to("is_wiped_out", 1, 1)),
    "peace": (set_to("peace", 0, 1), set_to("peace", 1, 1)),
    "tokens_lost": (SAME, set_to("tokens_lost", 55, 1)),
    "temporary": (SAME, set_to("temporary", 5)),
    "peace_left": (SAME, set_to("peace_left", 5)),
    "spies_left": (SAME, set_to("spies_left", 5)),
    "forts_left": (SAME, set_to("forts_left", 5)),
    "defeated": (SAME, set_to("defeated", 55)),
    "kept": (set_to("phase", at.PLACE), flip("kept", 3)),
    "neutral": (both(set_to("neutral", 0), *(set_to("active", 0, s) for s in range(4))), flip("neutral", 3)),
    "forts": (SAME, flip("forts", 3)),
    "tokens": (set_to("active", 2, 1), set_to("tokens", 9, 1)),
    "tray": (set_to("tray", 1, 2, 0), set_to("tray", 30, 2, 0)),
    "coins": (SAME, set_to("coins", 5, 2)),
    "bag": (SAME, flip("bag", 3)),
    "aside": (set_to("aside", 0), flip("aside", 3)),
    "unreturned": (set_to("unreturned", 0), flip("unreturned", 3)),
}


def test_every_field_of_the_state_is_visible_or_bookkeeping() -> None:
    assert VISIBLE.keys() | BOOKKEEPING == set(at.STATE.names or ())
    assert not VISIBLE.keys() & BOOKKEEPING


@pytest.mark.parametrize("width", [900, 450])
@pytest.mark.parametrize("field", VISIBLE)
def test_the_picture_changes_with_every_visible_field(field: str, width: int, middle: Position) -> None:
    position = middle.copy()
    prepare, change = VISIBLE[field]
    prepare(position.state)
    before = position.picture(name="x", width=width).svg
    change(position.state)
    assert position.picture(name="x", width=width).svg != before


@pytest.mark.parametrize("field", sorted(BOOKKEEPING - {"vinci", "seats"}))
def test_the_picture_does_not_tell_the_key_or_the_bookkeeping(field: str, middle: Position) -> None:
    position = middle.copy()
    before = position.picture(name="x").svg
    position.state[field] = 3
    assert position.picture(name="x").svg == before


def test_ids_are_unique_and_what_is_referred_to_is_there(middle: Position) -> None:
    first, second = (ElementTree.fromstring(middle.picture().svg) for _ in range(2))
    ids = Counter(element.attrib["id"] for element in first.iter() if "id" in element.attrib)
    assert max(ids.values()) == 1
    assert not ids.keys() & {element.attrib.get("id") for element in second.iter()}
    text = ElementTree.tostring(first, encoding="unicode")
    referred = set(re.findall(r"url\(#([^)]+)\)|href=\"#([^\"]+)\"", text))
    assert {one or other for one, other in referred} <= ids.keys()
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_every_province_slot_seat_and_zone_can_be_clicked_and_says_what_it_is(middle: Position) -> None:
    root = ElementTree.fromstring(middle.picture().svg)
    for attribute, number in (("data-province", 45), ("data-slot", 6), ("data-seat", middle.rules.players)):
        found = {element.attrib[attribute] for element in root.iter() if attribute in element.attrib}
        assert found == {str(place) for place in range(number)}
    for element in root.iter():
        if "data-province" in element.attrib:
            name = vl.games.vinci.ruleset.labels(middle.rules, "province")[int(element.attrib["data-province"])]
            assert (element[0].text or "").startswith(f"{name}: ")


def test_seats_of_a_solitaire_game_say_who_is_an_automaton_and_when_it_plays() -> None:
    position = vl.load_transcript(TRANSCRIPTS / "vinci_solitaire_greedy.jsonl").position_after(20)
    for width in (900, 450):
        text = position.picture(width=width).svg
        for words in ("seat 3, 1st, automaton", "seat 0, 2nd", "seat 2, 3rd, automaton", "seat 1, 4th, automaton"):
            assert f">{words}<" in text
    start = vl.new_position(position.rules, auto_chance=False).picture().svg
    assert ">seat 0<" in start
    assert ">seat 1, automaton<" in start


def test_names_from_data_files_stay_text() -> None:
    rules = vl.ruleset("vinci", players=4)
    changes = {f"tiles.{tile}.title": f"{NASTY} {tile}" for tile in rules.content["tiles"]}
    changes |= {"title": NASTY, "map.title": NASTY, "map.zones.ATL.title": NASTY}
    position = vl.new_position(rules.replace(changes), seed=3)
    plain = ElementTree.fromstring(vl.new_position(rules, seed=3).picture().svg)
    root = ElementTree.fromstring(position.picture().svg)
    assert {element.tag for element in root.iter()} == {element.tag for element in plain.iter()}
    assert sum(NASTY in (element.text or "") for element in root.iter()) > 10
    measured = drawing.draw_measure(rules.replace(changes), {"Ireland": 1.0}, NASTY, NASTY)
    assert "<img" not in measured.svg


def test_seats_differ_in_shape_and_terrains_in_pattern_too() -> None:
    assert len({drawing_style.seat_path(seat, 10) for seat in range(at.SEATS)}) == at.SEATS
    assert len(set(drawing_style.SEAT_COLORS)) == at.SEATS
    patterns = [drawing_style.TERRAIN_GLYPHS.get(name, "") for name in at.TERRAIN_NAMES]
    assert len(set(patterns)) == at.TERRAINS


@pytest.mark.parametrize("theme", ["LIGHT", "DARK"])
def test_writing_stands_out_from_what_is_under_it(theme: str) -> None:
    """Check the contrast of letters with their grounds: at least 4.5 to 1, as web guidelines ask."""
    style = getattr(drawing_style, theme)
    pairs = [("ink", "paper"), ("ink", "card"), ("soft", "paper"), ("soft", "card"), ("zone", "sea")]
    pairs += [(f"on{seat}", f"seat{seat}") for seat in range(at.SEATS)]
    for letters, ground in pairs:
        ratio = contrast(style[letters]["fill"], style[ground]["fill"])
        assert ratio >= 4.5, (letters, ground, ratio)


def contrast(first: str, second: str) -> float:
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    parts = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_a_narrow_picture_has_no_writing_too_small_to_read(middle: Position) -> None:
    for width, smallest in ((900, 8.5), (450, 8.5)):
        root = ElementTree.fromstring(middle.picture(width=width).svg)
        sizes = {float(element.attrib["font-size"]) for element in root.iter() if element.tag.endswith("text")}
        assert min(sizes) >= smallest


@pytest.mark.parametrize("points", [-500, 0, 161, 9_999, 2**62])
def test_any_score_has_a_place_on_a_track_with_few_numbers(points: int, middle: Position) -> None:
    position = middle.copy()
    position.state.score[1] = points
    svg = position.picture().svg
    assert svg.count('class="line"') <= 18
    assert f'data-score="{points}"' in svg
    assert not re.search(r'="[^"]*\b(nan|inf)\b', svg)


def test_width_and_theme_are_checked(middle: Position) -> None:
    with pytest.raises(ValueError, match="width: must be a whole number of pixels from 400 to 4000, got 100"):
        middle.picture(width=100)
    with pytest.raises(ValueError, match="theme: must be one of"):
        middle.picture(theme="pink")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("board", ["europe", "lagoon"])
def test_all_maps_and_numbers_of_seats_are_drawn(players: int, board: str) -> None:
    position = vl.new_position(vl.ruleset("vinci", players=players, map=board), seed=1)
    svg = position._repr_svg_()
    assert svg is not None
    seats = {element.attrib.get("data-seat") for element in ElementTree.fromstring(svg).iter()} - {None}
    assert len(seats) == players


def test_a_measure_shades_provinces_and_leaves_those_without_a_figure_blank() -> None:
    rules = vl.ruleset("vinci", players=4)
    drawn = drawing.draw_measure(rules, {"Ireland": 0.0, "Saxony": 10.0, "Urals": float("nan")}, "Income", "points")
    root = ElementTree.fromstring(drawn.svg)
    classes = {
        int(group.attrib["data-province"]): group[1].attrib["class"]
        for group in root.iter()
        if "data-province" in group.attrib
    }
    assert (classes[0], classes[17], classes[41], classes[1]) == ("step0", "step6", "card", "card")
    with pytest.raises(ValueError, match="values: must be numbers"):
        drawing.draw_measure(rules, {"Ireland": None}, "Income")  # type: ignore[dict-item]
    assert "step6" in drawing.draw_measure(rules, {"Ireland": -1e308, "Saxony": 1e308}, "Income").svg
    with pytest.raises(ValueError, match="values: there is no province 'Atlantis'"):
        drawing.draw_measure(rules, {"Atlantis": 1.0}, "Income")


@pytest.mark.parametrize(("option", "lagoon_leads"), [("yes", "Outer Sea, Sound"), ("no", "Outer Sea")])
def test_a_sea_says_where_it_leads_with_the_optional_links_open_or_closed(option: str, lagoon_leads: str) -> None:
    rules = vl.ruleset("vinci", players=4, map="lagoon").replace({"black_sea_linked": option})
    root = ElementTree.fromstring(vl.new_position(rules).picture().svg)
    (zone,) = (element for element in root.iter() if element.attrib.get("data-zone") == "LAG")
    assert zone[0].text == f"Lagoon; leads to {lagoon_leads}"
