"""A game as frames: what they show, and where one can jump to."""

from __future__ import annotations

import pytest

from tests.conftest import ROOT
from vinci_lab.engine.transcript import Transcript, load_transcript
from vinci_lab.games.vinci.drawing_style import SEAT_COLORS
from vinci_lab.widgets import score_chart
from vinci_lab.widgets.film import LEAD, TURN, Film

TRANSCRIPTS = ROOT / "tests" / "transcripts"


@pytest.fixture(scope="module")
def written() -> Transcript:
    return load_transcript(TRANSCRIPTS / "vinci_four_seats_greedy.jsonl")


@pytest.fixture(scope="module")
def film(written: Transcript) -> Film:
    return Film(written)


def test_there_is_a_frame_for_the_start_and_for_every_step(film: Film, written: Transcript) -> None:
    steps = [line for line in written.lines if line["line"] in ("action", "chance")]
    assert len(film) == len(steps) + 1
    assert [frame.words for frame in film.frames[1:]] == [line["words"] for line in steps]
    assert film.frames[0].words == "start of the game"


def test_the_position_of_a_frame_is_the_one_the_transcript_leads_to(film: Film, written: Transcript) -> None:
    for turn in (0, 1, 7, len(film.turns) - 1):
        if turn:
            assert film.position(film.turns[turn]).text() == _after(written, turn)
    assert film.position(len(film) - 1).is_over


def _after(written: Transcript, turn: int) -> str:
    return next(str(line["position"]) for line in written.lines if line.get("turn_end") == turn)


def test_scores_are_told_at_the_start_and_after_every_turn(film: Film, written: Transcript) -> None:
    ends = [tuple(line["scores"]) for line in written.lines if line["line"] == "turn_end"]
    assert film.scores_by_turn()[1:] == ends
    assert len(set(film.scores_by_turn()[0])) == 1


def test_the_lead_changes_where_another_seat_is_alone_ahead(film: Film) -> None:
    leader: int | None = None
    found = []
    for frame in film.frames:
        ahead = [seat for seat, points in enumerate(frame.scores) if points == max(frame.scores)]
        if len(ahead) == 1:
            if leader is not None and ahead[0] != leader:
                found.append(frame.index)
            leader = ahead[0]
    assert found
    assert film.marks[LEAD] == tuple(found)


def test_declines_are_marked_and_what_happens_all_the_time_is_not(film: Film) -> None:
    assert all("declines" in " ".join(film.frames[index].events) for index in film.marks["decline"])
    assert "placed" not in film.marks


def test_jumps_go_to_the_nearest_mark_on_either_side_and_stop_at_the_ends(film: Film) -> None:
    first, second, *_ = film.marks["decline"]
    last = film.marks["decline"][-1]
    assert film.next_mark("decline", 0) == first
    assert film.next_mark("decline", first) == second
    assert film.previous_mark("decline", second) == first
    assert film.previous_mark("decline", first) is None
    assert film.next_mark("decline", last) is None
    assert film.next_mark("nothing of the kind", 0) is None


def test_a_game_can_be_played_on_from_any_frame_with_the_same_chance(film: Film) -> None:
    for index in (0, 5, 60, 200):
        played = film.playable(index)
        assert not played.is_chance
        assert played.legal_actions()
    replayed = film.playable(0)
    assert replayed.text() == next(
        film.position(index).text() for index in range(1, len(film)) if not film.position(index).is_chance
    )


def test_turns_are_counted_as_on_the_board(film: Film) -> None:
    assert film.turns[0] == 0
    assert [film.position(index).turn for index in film.turns] == list(range(len(film.turns)))
    assert film.marks[TURN] == film.turns


def test_the_strip_has_a_line_for_every_seat_in_the_colors_of_the_board(film: Film) -> None:
    drawn = score_chart.draw_scores(film.scores_by_turn(), turn=7, marks=[3])
    assert drawn.svg.count("<polyline") == 4
    assert score_chart.SEAT_COLORS == SEAT_COLORS


def test_a_strip_of_a_game_that_has_not_begun_can_be_drawn() -> None:
    assert "<polyline" in score_chart.draw_scores([(0.0, 0.0)], turn=0).svg
