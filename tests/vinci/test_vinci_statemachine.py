"""Random games with random seats, printings and readings, steered by hypothesis and checked after every action."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.vinci.invariants import Game, differing_fields, pick, relabel, relabel_action
from tests.vinci.scenario import rules_for
from vinci_lab.engine import entries
from vinci_lab.engine.questions import CHANCE
from vinci_lab.engine.records import EVENTS, copy_record, new_record
from vinci_lab.games.vinci.rules_layout import OPTIONS

NUMBERS = st.integers(0, 1 << 30)
READINGS = st.fixed_dictionaries({name: st.sampled_from(readings) for name, readings in OPTIONS.items()})


class RandomGame(RuleBasedStateMachine):
    """A game whose every action is drawn by hypothesis among the legal ones."""

    def __init__(self) -> None:
        super().__init__()
        self.game: Game | None = None

    @initialize(
        players=st.integers(3, 6), bag=st.sampled_from((None, "first")), readings=READINGS, key=st.integers(0, 1 << 40)
    )
    def begin(self, players: int, bag: str | None, readings: dict[str, str], key: int) -> None:
        changes = {**readings, "victory_threshold": 50, "stall_rounds": 20}
        self.game = Game(rules_for(players, bag, tuple(sorted(changes.items()))), key)

    def is_running(self) -> bool:
        """Return whether the game has begun and not ended."""
        return self.game is not None and not self.game.is_over

    @precondition(is_running)
    @rule(number=NUMBERS)
    def act(self, number: int) -> None:
        """Take any legal action."""
        assert self.game is not None
        legal = self.game.legal()
        self.game.apply(legal[number % len(legal)])

    @precondition(is_running)
    @rule(numbers=st.lists(NUMBERS, min_size=5, max_size=25))
    def press_on(self, numbers: list[int]) -> None:
        """Take some actions that bring the game forward."""
        assert self.game is not None
        for number in numbers:
            if not self.game.is_over:
                self.game.apply(pick(self.game, number))

    @precondition(lambda self: not self.is_running())
    @rule(key=st.integers(0, 1 << 40))
    def begin_again(self, key: int) -> None:
        """Play another game by the same rules after the end of one."""
        assert self.game is not None
        assert self.game.is_over
        self.game = Game(self.game.rules, key)

    @precondition(is_running)
    @rule(number=NUMBERS, shift=st.integers(1, 5))
    def relabel_the_seats(self, number: int, shift: int) -> None:
        """Act with the seats renamed, on a copy: the same happens under other names."""
        game = self.game
        assert game is not None
        before, seats, seat, action = game.state.tobytes(), len(game.seats), game.decider, pick(game, number)
        straight, turned, record = copy_record(game.state), relabel(game.state, shift), new_record(EVENTS)
        entries.apply_action(game.tables, straight, seat, action, record)
        turned_seat = CHANCE if seat == CHANCE else (seat + shift) % seats
        entries.apply_action(game.tables, turned, turned_seat, relabel_action(action, shift, seats), record)
        assert list(differing_fields(relabel(straight, shift), turned)) == []
        assert game.state.tobytes() == before


TestRandomGame = RandomGame.TestCase
