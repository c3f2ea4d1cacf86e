"""A transcript holds all that a referee needs who has only the file: he confirms good games and finds every foul."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT
from tests.regenerate import FOLDER, Golden
from tests.vinci.file_referee import FileReferee
from tests.vinci.file_referee_board import Foul
from vinci_lab import ruleset

Lines = list[dict[str, Any]]
GAMES = sorted(FOLDER.glob("vinci_*.jsonl"))
ALL_CHECKED = {
    *("broken empires", "choices", "cohesion", "conquests", "contacts", "declines", "dismissed", "dropped", "forts"),
    *("last rounds", "losses", "peace", "positions", "results", "scores", "survivors placed", "wiped out"),
}


def read(path: Path) -> Lines:
    return [json.loads(row) for row in path.read_text(encoding="utf-8").splitlines()]


def test_golden_games_are_confirmed_without_the_program() -> None:
    """No package is installed for this Python, and what the referee imports belongs to Python itself."""
    program = (
        f"import sys; sys.path.append({str(ROOT)!r}); from tests.vinci.file_referee import main; main(sys.argv[1:]); "
        "print(sorted(name for name in sys.modules if name.startswith(('vinci_lab', 'numpy', 'numba'))))"
    )
    command = [sys.executable, "-I", "-S", "-c", program, *map(str, GAMES)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    *confirmed, imported = result.stdout.splitlines()
    assert len(confirmed) == len(GAMES) >= 4
    assert imported == "[]"


def test_golden_games_show_everything_a_referee_checks() -> None:
    counts = sum((FileReferee(read(path)).check() for path in GAMES), Counter[str]())
    assert {what for what, number in counts.items() if number} == ALL_CHECKED
    for path in GAMES:
        lines = read(path)
        events = Counter(event["kind"] for line in lines for event in line.get("events", ()))
        checked = FileReferee(lines).check()
        assert checked["conquests"] == events["conquest"]
        assert checked["losses"] == events["loss"]
        assert checked["contacts"] == events["contact"]
        assert checked["scores"] == events["scored"]
        assert checked["positions"] == 1 + sum(line["line"] == "turn_end" for line in lines)


def test_the_many_tiles_of_the_golden_games_are_in_play() -> None:
    lines = read(FOLDER / "vinci_six_seats_greedy_many_tiles.jsonl")
    names = sorted(lines[0]["rules"]["tiles"], key=lambda name: int(lines[0]["rules"]["tiles"][name]["number"]))
    chosen = [event["fields"] for line in lines for event in line.get("events", ()) if event["kind"] == "chosen"]
    kinds = {names[fields[place]] for fields in chosen for place in ("first_kind", "second_kind")}
    assert {"specialization", "rebirth", "diplomacy", "field_general"} <= kinds
    assert "rebirth" in {line.get("words") for line in lines}


@pytest.mark.slow_without_jit
@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("board", ["lagoon", "europe"])
def test_games_of_random_players_are_confirmed(board: str, players: int) -> None:
    reading = "auto" if players % 2 else "keep"
    rules = ruleset("vinci", players, map=board).replace({"victory_threshold": 25, "zero_token_rule": reading})
    for seed in range(3):
        transcript = Golden("", lambda: rules, 10 * players + seed, "random").record()
        checked = FileReferee([json.loads(row) for row in transcript.text().splitlines()]).check()
        assert checked["results"] == 1
        assert checked["conquests"] > players


# Fouls --------------------------------------------------------------------------------------------------------------


def events(lines: Lines, kind: str, **fields: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield the events of a kind that have some values, each with its line."""
    for line in lines:
        for event in line.get("events", ()):
            if event["kind"] == kind and fields.items() <= event["fields"].items():
                yield line, event


def change(kind: str, **changes: int) -> Callable[[Lines], None]:
    """Return a change that adds to the numbers of the first event of a kind."""

    def edit(lines: Lines) -> None:
        fields = next(events(lines, kind))[1]["fields"]
        for name, more in changes.items():
            fields[name] += more

    return edit


def remove(kind: str, number: int = 0) -> Callable[[Lines], None]:
    """Return a change that leaves an event out."""

    def edit(lines: Lines) -> None:
        line, event = list(events(lines, kind))[number]
        line["events"].remove(event)

    return edit


def rewrite(field: str, old: str, new: str) -> Callable[[Lines], None]:
    """Return a change of the text of the last position."""

    def edit(lines: Lines) -> None:
        line = [line for line in lines if line["line"] == "turn_end"][-1]
        assert old in line[field]
        line[field] = line[field].replace(old, new, 1)

    return edit


def change_rules(lines: Lines, edit: Callable[[dict[str, Any]], None]) -> None:
    """Change the rules of the header and write the hash that belongs to them."""
    edit(lines[0]["rules"])
    content = json.dumps(lines[0]["rules"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    lines[0]["ruleset_hash"] = hashlib.blake2b(content.encode(), digest_size=8).hexdigest()


def lower_the_cost_of_farmland(lines: Lines) -> None:
    change_rules(lines, lambda rules: rules["rules"]["base_cost"].update(farmland=1))


def lower_the_cost_of_farmland_secretly(lines: Lines) -> None:
    lines[0]["rules"]["rules"]["base_cost"]["farmland"] = 1


def close_all_borders(lines: Lines) -> None:
    change_rules(lines, lambda rules: rules["map"].update(borders=[]))


def skip_cohesion(lines: Lines) -> None:
    line = next(line for line in lines if line.get("words", "").startswith("keep the part of"))
    line["events"] = [event for event in line["events"] if event["kind"] != "dropped"]
    line["action"] = 14


def win_for_another(lines: Lines) -> None:
    lines[-1]["shares"] = [1 / len(lines[-1]["shares"])] * len(lines[-1]["shares"])


FOULS: dict[str, tuple[str, Callable[[Lines], None], str]] = {
    "a cost": ("four_seats_greedy", change("conquest", cost=1), "cost: 4 is written, it is 3"),
    "a defender too many": ("four_seats_greedy", change("conquest", defenders=1, cost=1), "parts of the cost: "),
    "a discount": ("four_seats_greedy", change("conquest", origin_mountain=-1, cost=-1), "parts of the cost: "),
    "an origin": ("four_seats_greedy", change("conquest", origin=5), "way to the province: False"),
    "the terrain's cost": ("four_seats_greedy", lower_the_cost_of_farmland, "parts of the cost: "),
    "the rules": ("four_seats_greedy", lower_the_cost_of_farmland_secretly, "ruleset_hash: "),
    "the map": ("four_seats_greedy", close_all_borders, "way to the province: False"),
    "a loss": ("four_seats_greedy", change("loss", lost=1), "event: "),
    "survivors": ("four_seats_greedy", change("loss", survivors=1), "event: "),
    "a loss left out": ("four_seats_greedy", remove("loss"), "event"),
    "contact left out": ("lagoon_three_seats_random", remove("contact"), "event"),
    "contact elsewhere": ("lagoon_three_seats_random", change("contact", province=1), "event: "),
    "a broken empire": ("lagoon_three_seats_random", skip_cohesion, "provinces that hang together: "),
    "a part given up": ("lagoon_three_seats_random", remove("dropped"), "event"),
    "points": ("four_seats_greedy", change("scored", total=1), "points: 7 is written, it is 6"),
    "points for nothing": ("four_seats_greedy", change("scored", mine=2, total=2), "parts of the points: "),
    "a price": ("four_seats_greedy", change("chosen", price=2), "price: 2 is written, it is 0"),
    "coins": ("four_seats_greedy", change("chosen", coins=2), "coins: 2 is written, it is 0"),
    "tokens": ("four_seats_greedy", change("chosen", tokens=-1), "tokens: 14 is written, it is 15"),
    "a tile": ("four_seats_greedy", change("chosen", first_kind=1), "pair: "),
    "a decline": ("four_seats_greedy", change("decline", tokens_removed=1), "tokens removed: "),
    "a tile that stays away": ("four_seats_greedy", remove("tile_returned"), "loose tiles: "),
    "income": ("six_seats_greedy_many_tiles", change("income", temporary=1), "income: "),
    "income left out": ("six_seats_greedy_many_tiles", remove("income"), "income without an event: "),
    "temporary tokens that stay": ("six_seats_greedy_many_tiles", remove("dismissed"), "7 temporary tokens are not"),
    "a fort left out": ("six_seats_greedy_many_tiles", remove("fort"), "empire: "),
    "a token out of nothing": ("four_seats_greedy", change("placed", tokens=20), "21 of 9 tokens in hand: False"),
    "the last round": ("four_seats_greedy", remove("last_round"), "event"),
    "a wiped-out empire": ("lagoon_four_seats_greedy_wiped_out", remove("wiped_out"), "event"),
    "a position": ("four_seats_greedy", rewrite("position", "neutral: ", "neutral: Ireland, "), "neutral: "),
    "the result": ("four_seats_greedy", win_for_another, "shares: "),
}


@pytest.mark.parametrize("name", FOULS)
def test_a_foul_is_found(name: str) -> None:
    game, edit, sentence = FOULS[name]
    lines = read(FOLDER / f"vinci_{game}.jsonl")
    edit(lines)
    with pytest.raises(Foul) as caught:
        FileReferee(lines).check()
    assert str(caught.value).split(": ", 1)[-1].startswith(sentence) or str(caught.value).startswith(sentence)


def test_readings_a_referee_does_not_know_are_refused() -> None:
    lines = read(FOLDER / "vinci_four_seats_greedy.jsonl")
    lines[0]["rules"]["options"]["price_rule"] = "debt"
    with pytest.raises(Foul, match="other readings of price_rule"):
        FileReferee(lines)
