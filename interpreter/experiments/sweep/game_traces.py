"""Record which cells were looked up, which requirements refused and which options were chosen in a played game.

Replays the choices on an instrumented program, so only what play itself did is counted, not what a bot tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from interpreter.api.game import Rules
from interpreter.experiments.measures import Measurer
from interpreter.play.game import Game
from interpreter.play.state_transfer import transfer_state
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.log_entries import LookupNote, TraceLog
from interpreter.runtime.program import Program
from interpreter.runtime.state import State, clone_state
from interpreter.runtime.tables import Chart

CELL, REFUSAL, CHOICE = "cell", "refusal", "choice"


class TracedEvent(NamedTuple):
    """The key of a count: its `kind` (a cell that was read, a refusal, a choice), its name, and the seat that chose."""

    kind: str
    name: str
    seat: str


_FORM = "ledger"
_ASKED_EVERY = 8  # decisions


class TraceObserver:
    """Observer that records the measures, the choices, and at the end the cells and requirements used."""

    def __init__(self, rules: Rules, game: Game) -> None:
        self._measurer = Measurer(rules, game)
        self._rules = rules
        self._start = clone_state(game.state)
        self._numbers: list[int] = []
        self._scenario = game.scenario

    def before_choice(self, game: Game, number: int) -> None:
        """Record the number of the option and pass it to the measurer."""
        self._numbers.append(number)
        self._measurer.before_choice(game, number)

    def get_record(self, game: Game) -> Mapping[str, Any]:
        """Return the measures, and `looks`: [kind, name, seat, count], sorted by name."""
        looks = count_looks(self._rules.form(_FORM), self._start, self._scenario, self._numbers)
        return {**self._measurer.get_record(game), "looks": [[*key, count] for key, count in sorted(looks.items())]}


def count_looks(program: Program, start: State, scenario: str | None, numbers: list[int]) -> Counter[TracedEvent]:
    """Replay a game and count lookups, refusals and choices, by traced event.

    `start`: the state before the first choice; `numbers`: the numbers of the options chosen. Counted are cells from
    which results were read, requirements that excluded a whole option (checked at a sample of the decisions), and the
    options chosen.
    """
    looks: Counter[TracedEvent] = Counter()
    game = Game(program, transfer_state(program, start), scenario, None, False)
    for turn, number in enumerate(numbers):
        decision = game.decision
        assert decision is not None
        seat = decision.seat
        if not decision.is_draft:
            chosen = Option(decision, decision.get_raw_option(number)).name
            looks[TracedEvent(CHOICE, f"{decision.name}: {chosen}", seat)] += 1
            if turn % _ASKED_EVERY == 0:
                for address in _iter_refusals(game, decision):
                    looks[TracedEvent(REFUSAL, address, seat)] += 1
        game.state.log = log = TraceLog()
        game.pick(number)
        game.state.log = None
        for note in log:
            _count_cells(note, program, seat, looks)
    return looks


def _iter_refusals(game: Game, decision: Decision) -> Iterator[str]:
    """Yield, for each option of the decision that is not offered, the address of the requirement that excludes it."""
    offered = {Option(decision, decision.get_raw_option(n)).name for n in range(decision.count())}
    for choice in decision.info.options:
        if choice.name not in offered:
            reasons = game.why_not(choice.name)
            if reasons and reasons[0].address:
                yield reasons[0].address


def _count_cells(note: object, program: Program, seat: str, looks: Counter[TracedEvent]) -> None:
    """Add the cells read by a note of a log, and by the notes nested in it, to `looks`.

    `seat`: the seat whose choice caused the lookups.
    """
    if isinstance(note, LookupNote) and note.rows:
        cell = format_cell_path(note.table, program.charts[note.table], note.rows)
        looks[TracedEvent(CELL, cell, seat)] += 1
    if isinstance(note, tuple):
        for part in note:
            _count_cells(part, program, seat, looks)


def format_cell_path(table: str, chart: Chart, rows: Sequence[int]) -> str:
    """Format a cell by axis and heading of its rows: "storm_table[die 6]"; `rows` are the row numbers on the axes."""
    parts = [f"{axis.name} {axis.labels[row]}" for axis, row in zip(chart.axes, rows, strict=True)]
    return f"{table}[{', '.join(parts)}]"
