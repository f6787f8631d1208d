"""Log entries: the records of what happened in a game, one class for each kind of entry.

They hold handles and values of the rules, not words: `play/events.py` turns one into an event with ids, and
`Localizer` puts it into a language. All are named tuples, so that creating one costs little and equal entries
compare and hash alike. `LogEntry` is what a recorded game logs; a ledger's program also logs a `TraceNote` for each
computation.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from interpreter.runtime.limits import size_of
from interpreter.runtime.state import Standing
from interpreter.runtime.type_aliases import Cites, Number, Show, Telling, Terms, Value, Values


class LoggedReport(NamedTuple):
    """An event that the rules reported.

    `event`: its name. `args`: its arguments, in the order of its parameters. `cites`: paragraphs at the place that
    reports it; the event's own are in `program.events`. `words`: the values that fill the placeholders of its words.
    """

    event: str
    args: Values
    cites: Cites
    words: Values


class LoggedRoll(NamedTuple):
    """Dice that were rolled, or a member that was drawn.

    `name`: of the roll. `subject_id`: for what it was rolled, as text, or ''. `faces`: the numbers thrown. `kind` and
    `subject`: kind and handle of what it was rolled for, or None. `thrower`: handle of the side that threw, if the
    rules say. `drawn`: type and value of the drawn member, or None for dice.
    """

    name: str
    subject_id: str
    faces: tuple[int, ...]
    cites: Cites
    kind: str | None
    subject: Value
    thrower: int | None
    drawn: tuple[Show, Value] | None


class LoggedMove(NamedTuple):
    """Pieces that moved together from one place to another; all are handles."""

    pieces: tuple[int, ...]
    origin: int
    destination: int
    cites: Cites


class LoggedChange(NamedTuple):
    """A new value of an attribute.

    `kind`: kind of its owner, or "game". `attribute`: its name. `owner`: handle of the thing (0 for the game).
    """

    kind: str
    attribute: str
    owner: int
    value: Value
    cites: Cites


class LoggedChoice(NamedTuple):
    """A choice that a seat made.

    `side` and `seat`: ids of the deciding side and its seat. `decision`: name of the decision. `key`: key of the
    chosen option. `words`: the option as a telling.
    """

    side: str
    seat: str
    decision: str
    key: str
    cites: Cites
    words: Telling


class LoggedForcedChoice(NamedTuple):
    """A choice that the machine made because only one option was legal.

    `decision`: number of the decision in the program. `values`: the values its expressions read. `option`: choice
    number and arguments, or None for the end of a draft. `words`: the values in the option's label or None; for a
    draft, its telling. `side`: handle of the side it was made for, or None. `depth`: number of suspended procedures.
    """

    decision: int
    values: Values
    option: tuple[int, Values] | None
    words: Values | None
    side: int | None
    depth: int


class LoggedTurn(NamedTuple):
    """The beginning of a turn: its number, and the id of the scenario."""

    turn: int
    scenario: str | None


class LoggedPhase(NamedTuple):
    """The beginning of a phase.

    `phase`: its name. `position`: the position then, or None if positions are not logged. `title_values`: the values
    that fill the placeholders of its title.
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
    """A chart that was looked up.

    `keys`: the value on each axis. `rows`: the row number on each axis, or () outside the chart. `value`: the result.
    `terms`: for each axis the operands that its key was computed from. `column`: index, name and type of the field
    that was read from a record, or None. `inside`: the notes of the keys.
    """

    table: str
    keys: Values
    rows: tuple[int, ...]
    value: Value
    terms: tuple[Terms, ...]
    column: tuple[int, str, Show] | None
    inside: tuple[TraceNote, ...]


class ValueNote(NamedTuple):
    """A value that was computed by a define.

    `name`: the local name or attribute it was given to. `define`: the define. `show`: its type. `kind` and `owner`:
    kind and handle of the thing whose attribute it is, or None. `inside`: the notes of the computation.
    """

    name: str
    value: Value
    define: str
    cites: Cites
    show: Show
    kind: str | None
    owner: Value
    inside: tuple[TraceNote, ...]


class ComparisonNote(NamedTuple):
    """A comparison of two numbers.

    `names`: the names of both sides, or ''. `terms`: the operands that each side was computed from. `rolled`: whether
    each side was computed from dice that the same procedure rolled.
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
    """A line of a tally that applied: its words with the values in their placeholders, and its amount."""

    words: Telling
    values: Values
    amount: Number
    cites: Cites
    inside: tuple[TraceNote, ...]


class TallyNote(NamedTuple):
    """A tally that was added up; `inside` holds notes of the tally outside its lines."""

    name: str
    cites: Cites
    total: Number
    lines: tuple[TallyLine, ...]
    inside: tuple[TraceNote, ...]


class EachNote(NamedTuple):
    """A note of one member of a sum or an extreme; equal notes of several members are shown once, with their number."""

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


def size_of_entry(entry: TraceEntry) -> int:
    """Return the number of members that an entry holds, counting itself, its kind and what is nested in it."""
    return size_of((("", *entry),))


class Log(list[LogEntry]):
    """Log of a game; with `hashes`, every phase records the position it begins with.

    `told`: budget steps that texts of the log have taken in this choice.
    """

    __slots__ = ("hashes", "told")

    def __init__(self, hashes: bool = False) -> None:
        super().__init__()
        self.hashes = hashes
        self.told = 0

    def size_of_last(self) -> int:
        """Return the number of members that the last entry holds."""
        return size_of_entry(self[-1]) if self else 0


class TraceLog(list[TraceEntry]):
    """The log of an instrumented program: entries, each after the notes of what led to it."""

    __slots__ = ("told",)
    hashes = False

    def __init__(self) -> None:
        super().__init__()
        self.told = 0

    def size_of_last(self) -> int:
        """Return the number of members that the last entry holds."""
        return size_of_entry(self[-1]) if self else 0


# classes that compiled rules create, by the names they use
EMITTED = {"_" + cls.__name__: cls for cls in (LoggedReport, LoggedChange, LoggedPhaseEnd, TallyLine)}
