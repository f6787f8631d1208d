"""Log entries: the records of what happened in a game, one class for each kind of entry.

They hold handles and values of the rules, not words: `play/events.py` turns one into an event with ids, and
`Localizer` puts it into a language. All are named tuples, so that creating one costs little and equal entries
compare and hash alike. `LogEntry` is what a recorded game logs; a ledger's program also logs a `TraceNote` for each
computation.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, TypeVar

from interpreter.runtime.limits import size_of
from interpreter.runtime.state import Standing
from interpreter.runtime.type_aliases import Cites, DisplayType, Number, Telling, Terms, Value, Values


class LoggedReport(NamedTuple):
    """An event that the rules reported.

    `event`: its name. `args`: its arguments, in the order of its parameters. `cites`: the paragraphs cited where it is
    reported; those of the event itself are in `program.events`. `words`: the values that fill the placeholders of its
    text.
    """

    event: str
    args: Values
    cites: Cites
    words: Values


class LoggedRoll(NamedTuple):
    """Dice that were rolled, or a member that was drawn.

    `name`: the name of the roll. `subject_id`: what it was rolled for, as text, or ''. `faces`: the numbers thrown.
    `kind` and `subject`: kind and handle of what it was rolled for, or None. `thrower`: handle of the side that threw,
    or None if the rules do not say. `drawn`: type and value of the drawn member, or None for dice.
    """

    name: str
    subject_id: str
    faces: tuple[int, ...]
    cites: Cites
    kind: str | None
    subject: Value
    thrower: int | None
    drawn: tuple[DisplayType, Value] | None


class LoggedMove(NamedTuple):
    """Pieces that moved together from one place to another; all are handles."""

    pieces: tuple[int, ...]
    origin: int
    destination: int
    cites: Cites


class LoggedChange(NamedTuple):
    """A new value of an attribute.

    `kind`: kind of the thing that has it, or "game". `attribute`: its name. `owner`: handle of that thing (0 for the
    game).
    """

    kind: str
    attribute: str
    owner: int
    value: Value
    cites: Cites


class LoggedChoice(NamedTuple):
    """A choice that a seat made.

    `side` and `seat`: ids of the deciding side and its seat. `decision`: name of the decision. `key`: key of the chosen
    option. `words`: the option's words as data for `Localizer.format_telling`.
    """

    side: str
    seat: str
    decision: str
    key: str
    cites: Cites
    words: Telling


class LoggedForcedChoice(NamedTuple):
    """A choice that the machine made because only one option was legal.

    `decision`: number of the decision in the program. `values`: the values its expressions read. `option`: (number of
    the option, arguments), or None for a finished draft. `words`: the values that fill the option's label, or None; for
    a draft, its words as data for `Localizer.format_telling`. `side`: handle of the deciding side, or None. `depth`:
    number of suspended procedures.
    """

    decision: int
    values: Values
    option: tuple[int, Values] | None
    words: Values | None
    side: int | None
    depth: int


class LoggedTurn(NamedTuple):
    """The beginning of a turn: its number and the id of the scenario."""

    turn: int
    scenario: str | None


class LoggedPhase(NamedTuple):
    """The beginning of a phase.

    `phase`: its name. `position`: the position at that moment, or None if positions are not logged. `title_values`: the
    values that fill the placeholders of its title.
    """

    phase: str
    cites: Cites
    position: Standing | None
    turn: int
    title_values: Values


class LoggedPhaseEnd(NamedTuple):
    """The end of a phase."""

    phase: str


class LoggedEnd(NamedTuple):
    """The end of the game.

    `winner`: handles of the winning seats, or None for a draw. `level`: number of the victory level, or None.
    """

    winner: tuple[int, ...] | None
    level: int | None
    cites: Cites


class LookupNote(NamedTuple):
    """A note that a chart was looked up.

    `keys`: the value on each axis. `rows`: the row number on each axis, or () outside the chart. `value`: the result.
    `terms`: for each axis, the operands from which its value was computed. `column`: index, name and type of the field
    that was read from a record in the cell, or None. `inside`: the notes made while the keys were computed.
    """

    table: str
    keys: Values
    rows: tuple[int, ...]
    value: Value
    terms: tuple[Terms, ...]
    column: tuple[int, str, DisplayType] | None
    inside: tuple[TraceNote, ...]


class ValueNote(NamedTuple):
    """A note of a value that a `define` of the rules computed.

    `name`: the local name or attribute that the value was assigned to. `define`: the name of the define. `show`: the
    type of the value. `kind` and `owner`: kind and handle of the thing whose attribute it is, or None. `inside`: the
    notes made while it was computed.
    """

    name: str
    value: Value
    define: str
    cites: Cites
    show: DisplayType
    kind: str | None
    owner: Value
    inside: tuple[TraceNote, ...]


class ComparisonNote(NamedTuple):
    """A note of a comparison of two numbers.

    `symbol`: the operator. `names`: the names of the left and the right side, or ''. `terms`: the operands from which
    each side was computed. `rolled`: whether each side was computed from dice that the same procedure rolled. `inside`:
    the notes made while the sides were computed.
    """

    symbol: str
    left: Number
    right: Number
    names: tuple[str, str]
    terms: tuple[Terms, ...]
    rolled: tuple[bool, bool]
    result: bool
    inside: tuple[TraceNote, ...]


class TallyLine(NamedTuple):
    """A line of a tally whose condition held.

    `words`: the number of its text, or its parts; `values`: the values that fill the placeholders. `amount`: its
    summand. `inside`: the notes made while it was computed.
    """

    words: Telling
    values: Values
    amount: Number
    cites: Cites
    inside: tuple[TraceNote, ...]


class TallyNote(NamedTuple):
    """A note of a tally that was added up.

    `lines`: the lines that applied. `inside`: the notes made outside its lines.
    """

    name: str
    cites: Cites
    total: Number
    lines: tuple[TallyLine, ...]
    inside: tuple[TraceNote, ...]


class EachNote(NamedTuple):
    """A note made for one member of a sum, minimum or maximum.

    Equal notes of several members are shown once, with a count.
    """

    note: ComputationNote


LogEntry: TypeAlias = (
    LoggedReport
    | LoggedRoll
    | LoggedMove
    | LoggedChange
    | LoggedChoice
    | LoggedForcedChoice
    | LoggedTurn
    | LoggedPhase
    | LoggedPhaseEnd
    | LoggedEnd
)
ComputationNote: TypeAlias = LookupNote | ValueNote | ComparisonNote | TallyNote
TraceNote: TypeAlias = ComputationNote | EachNote
TraceEntry: TypeAlias = LogEntry | TraceNote  # what the log of an instrumented program holds


def measure_entry(entry: TraceEntry) -> int:
    """Return the number of values that an entry holds, nested ones included, plus 1 for itself and 1 for its kind."""
    return size_of((("", *entry),))


Entry = TypeVar("Entry", bound=TraceEntry)


class _EntryList(list[Entry]):
    """A list of entries; if `hashes`, the entry of a phase records the position in which the phase begins.

    `text_steps`: the budget steps that formatting texts of the log has taken since the choice began.
    """

    __slots__ = ("hashes", "text_steps")

    def __init__(self, hashes: bool = False) -> None:
        super().__init__()
        self.hashes = hashes
        self.text_steps = 0

    def measure_last_entry(self) -> int:
        """Return the number of values that the last entry holds, or 0 for an empty log."""
        return measure_entry(self[-1]) if self else 0


class Log(_EntryList[LogEntry]):
    """The log of a game."""

    __slots__ = ()


class TraceLog(_EntryList[TraceEntry]):
    """The log of an instrumented program: entries, each after the notes of the computations that led to it."""

    __slots__ = ()


# classes that compiled rules create, by the names they use
EMITTED = {"_" + cls.__name__: cls for cls in (LoggedReport, LoggedChange, LoggedPhaseEnd, TallyLine)}
