"""Write the golden transcripts and the pictures of them anew: ``python -m tests.regenerate``.

Each golden game is a transcript (``.jsonl``) and the same game in words (``.txt``). They are read by
``test_transcript.py``; write them anew only when the rules of a game, or its words, were meant to change. The pictures
in the documentation are drawn from the golden games; ``python -m tests.regenerate pictures`` writes them alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from vinci_lab.engine import entries
from vinci_lab.engine.chance import PURPOSE_AGENT, below, game_key, word
from vinci_lab.engine.position import Position
from vinci_lab.engine.records import PLAN, new_record
from vinci_lab.engine.ruleset import Ruleset
from vinci_lab.engine.transcript import Transcript, load_transcript, record_game
from vinci_lab.rulesets import ruleset

FOLDER = Path(__file__).parent / "transcripts"
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"
PICTURED = {"europe": "vinci_four_seats_greedy", "lagoon": "vinci_lagoon_four_seats_greedy_wiped_out"}
Choose = Callable[[Position], int]


def random_player(seed: int) -> Choose:
    """Return a player that takes any legal action, always the same in the same game."""
    decisions = 0

    def choose(view: Position) -> int:
        nonlocal decisions
        decisions += 1
        legal = view.legal_actions(view.viewer)
        return int(legal[below(len(legal), game_key(seed, 0), PURPOSE_AGENT, 0, decisions)])

    return choose


def compiled_player(rules: Ruleset, question: Callable[..., int]) -> Choose:
    """Return a player that follows the game's fast policy, or the rulebook's own player."""
    policy, plan, scratch = (
        rules.definition.policy(rules.tables),
        new_record(PLAN),
        new_record(rules.definition.state_layout),
    )

    def choose(view: Position) -> int:
        key = word(view.turn, PURPOSE_AGENT, view.viewer or 0, 0)
        question(rules.tables, view.copy().state, scratch, view.viewer, policy, key, plan)
        return int(plan.actions[0])

    return choose


@dataclass(frozen=True)
class Golden:
    """One golden game; ``player`` plays the players' seats, and the automaton the seats that the rules play."""

    name: str
    rules: Callable[[], Ruleset]
    seed: int
    player: str

    def record(self) -> Transcript:
        """Play it."""
        rules = self.rules()
        names = [self.player] * rules.players + ["automaton"] * (rules.seats - rules.players)
        players = {
            "random": random_player(self.seed),
            "greedy": compiled_player(rules, entries.suggest),
            "automaton": compiled_player(rules, entries.follow_rulebook),
        }
        return record_game(rules, self.seed, 0, lambda view: players[names[view.viewer or 0]](view), names)


GOLDEN = (
    Golden("vinci_four_seats_greedy", lambda: ruleset("vinci", 4), 7, "greedy"),
    Golden(
        "vinci_lagoon_three_seats_random",
        lambda: ruleset("vinci", 3, map="lagoon").replace({"victory_threshold": 35}),
        11,
        "random",
    ),
    Golden(
        "vinci_six_seats_greedy_many_tiles",  # Specialization, Rebirth, Diplomacy and Field General are in play
        lambda: ruleset("vinci", 6).replace({"victory_threshold": 45}),
        12,
        "greedy",
    ),
    Golden(
        "vinci_lagoon_four_seats_greedy_wiped_out",
        lambda: ruleset("vinci", 4, map="lagoon").replace({"victory_threshold": 35, "zero_token_rule": "auto"}),
        12,
        "greedy",
    ),
    Golden("vinci_solitaire_greedy", lambda: ruleset("vinci", 1), 5, "greedy"),
    Golden("vinci_four_automata", lambda: ruleset("vinci", 1), 9, "automaton"),
)


def main() -> None:
    """Write every golden game."""
    FOLDER.mkdir(exist_ok=True)
    for golden in GOLDEN:
        transcript = golden.record()
        path = transcript.save(FOLDER / f"{golden.name}.jsonl")
        words = "".join(f"{sentence}\n" for sentence in transcript.in_words())
        path.with_suffix(".txt").write_text(words, encoding="utf-8", newline="\n")
        print(f"{path}: {len(transcript.lines) + 1} lines, {path.stat().st_size} bytes")


def draw_pictures() -> None:
    """Draw the opening, the middle and the end of a game on each map."""
    PICTURES.mkdir(exist_ok=True)
    for board, golden in PICTURED.items():
        transcript = load_transcript(FOLDER / f"{golden}.jsonl")
        turns = sum(line["line"] == "turn_end" for line in transcript.lines)
        for moment, turn in (("opening", transcript.rules.seats), ("middle", turns * 5 // 8), ("end", None)):
            name = f"{board}_{moment}"
            print(transcript.position_after(turn).picture(name=name).save(PICTURES / f"{name}.svg"))


if __name__ == "__main__":
    if sys.argv[1:] != ["pictures"]:
        main()
    draw_pictures()
