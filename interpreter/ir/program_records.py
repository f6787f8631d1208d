"""Records of a whole program: its form, functions, procedures, decisions, drafts, watchers and columns of the state."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from interpreter.diagnostics.source_text import Span
from interpreter.ir.explanation_records import Explanations
from interpreter.ir.expression_records import Expr, Origin, Slot, StaticTable
from interpreter.ir.statement_records import Block, Body
from interpreter.model.expressions import Value
from interpreter.model.types import Type

Tests = tuple[Expr, ...]  # of requirements, which passes may treat specially


class ProgramForm(StrEnum):
    """A form of a program: for play, or instrumented for another use; the value is its name in data and caches."""

    PLAY = "play"
    ODDS = "odds"
    LEDGER = "ledger"
    COVERED = "covered"
    ASKED = "asked"

    @property
    def notes_coverage(self) -> bool:
        """Return whether cited paragraphs and chart cells are recorded as covered."""
        return self is ProgramForm.COVERED

    @property
    def counts_requirements(self) -> bool:
        """Return whether the results of requirements are counted."""
        return self in (ProgramForm.COVERED, ProgramForm.ASKED)

    @property
    def notes_terms(self) -> bool:
        """Return whether the look-ups, tallies and tests behind a value are recorded."""
        return self is ProgramForm.LEDGER

    @property
    def suspends_at_chance(self) -> bool:
        """Return whether rolls and draws suspend, as decisions do."""
        return self is ProgramForm.ODDS

    @property
    def is_beside_play(self) -> bool:
        """Return whether the form shares every function but procedures and watchers with the form for play."""
        return self in (ProgramForm.ODDS, ProgramForm.LEDGER)


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A pure function of the position: a define, rule, tally, condition or a helper of lowering.

    `locals`: the variables of its body with their types. `is_memoized`: its results are cached until a slot that they
    depend on is written. `origin`: the item of the rules it comes from, or None. `charge`: budget steps for each call.
    `cites`: paragraphs that each call notes as covered.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type
    body: Body
    locals: dict[str, Type]
    span: Span
    is_memoized: bool = False
    origin: Origin | None = None
    charge: int = 0
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class PhaseEntry:
    """A phase within its procedure.

    `first` and `last`: the numbers of its first and last block. `inside`: the names of the enclosing phases. `lasting`:
    the statements that reset the values that last until its end.
    """

    name: str
    first: int
    last: int
    inside: tuple[str, ...]
    lasting: Body


@dataclass(frozen=True, slots=True, eq=False)
class Procedure:
    """A procedure: one body, or blocks with a frame if it can suspend (`blocks` is not empty).

    `locals`: all variables with their types. `frame`: the names of the variables in the frame; other variables last no
    longer than a block. `hidden`: for each frame variable that no author declared (what it holds, the number of its
    statement or -1), such as "items", "index" or "left". `phases`: the phases that it contains. `ending`: the
    statements that reset the values that last until its end. `within`: for each block inside options the numbers of
    their decisions. `charge`: budget steps for each call.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    result: Type | None
    body: Body
    blocks: tuple[Block, ...]
    locals: dict[str, Type]
    frame: tuple[str, ...]
    phases: tuple[PhaseEntry, ...]
    ending: Body
    span: Span
    hidden: dict[str, tuple[str, int]] = field(default_factory=dict)
    within: dict[int, tuple[int, ...]] = field(default_factory=dict)
    charge: int = 0

    @property
    def suspends(self) -> bool:
        """Return whether the procedure has a frame."""
        return bool(self.blocks)


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """A parameter of an option or step; its domain may read the parameters before it.

    `alike`: of interchangeable pieces only one is offered. `apart`: other values may distinguish them, so that pieces
    are compared after the requirements. `charge`: budget steps for each member of the domain.
    """

    name: str
    type: Type
    domain: Expr
    alike: bool
    apart: bool = False
    charge: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Preference:
    """A filter over candidates: keep the ones that pass a "test", or whose measure `value` is "least" or "most"."""

    sort: str
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class LoweredOption:
    """An option of a decision: parameters, the tests of its requirements in order, preferences.

    `pushed` says after how many bound parameters each test is evaluated; see `passes.predicate_pushdown`.
    `narrowed` holds for some parameters a smaller set that a test implies; see `passes.parameter_narrowing`.
    """

    name: str
    params: tuple[Parameter, ...]
    tests: Tests
    prefers: tuple[Preference, ...]
    span: Span
    pushed: tuple[int, ...] = ()
    narrowed: dict[int, Expr] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class LoweredDecision:
    """A decision of a procedure, numbered in order of lowering; `draft` names the draft that answers it.

    `until_done`: it is repeated until the side ends it, which is legal while all tests in `finish` hold. `decider`: the
    side that decides. `staged`: the rules read which steps led to the chosen draft. `address`: the name by which
    variants and bots know it; decisions answered by one draft share it.
    """

    number: int
    name: str
    procedure: str
    options: tuple[LoweredOption, ...]
    until_done: bool
    finish: tuple[Expr, ...]
    decider: Expr
    draft: str | None
    span: Span
    staged: bool = False
    address: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A step of a draft.

    `option`: its parameters and tests. `now`: (index of a field, its new value) pairs. `stops`: the test of whether the
    draft ends after it.
    """

    option: LoweredOption
    now: tuple[tuple[int, Expr], ...]
    stops: Expr


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A draft: a search over tuples of fields; the player chooses among the finished ones.

    `start`: the initial values of the fields. `finish`: the tests that a finished draft passes. `offer`: the key that
    distinguishes finished drafts; for equal keys the one with the least `price` is offered. `unordered`: the order of
    the steps does not matter. `staged`: the rules read which steps led to the chosen draft.
    """

    name: str
    params: tuple[tuple[str, Type], ...]
    fields: tuple[tuple[str, Type], ...]
    start: tuple[Expr, ...]
    steps: tuple[Step, ...]
    finish: Tests
    offer: tuple[Expr, ...]
    price: Expr | None
    prefers: tuple[Preference, ...]
    unordered: bool
    staged: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Watcher:
    """Reaction to an event: a body without suspension."""

    event: str
    number: int
    params: tuple[tuple[str, Type], ...]
    where: Expr | None
    body: Body
    locals: dict[str, Type]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LoweredColumn:
    """A changing attribute: `count` values, one for each thing of a kind, or a single value of the game.

    `low` and `high`: its bounds, None for no bound. `clamps`: a value beyond a bound becomes the bound instead of a
    fault.
    """

    slot: Slot
    type: Type
    count: int
    default: Value
    low: int | None = None
    high: int | None = None
    clamps: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class LoweredProgram:
    """A whole ruleset as intermediate representation.

    `records`: the fields of each record type, as (name, type) pairs. `turn_ends`: the statements that reset the values
    that last for a turn. `words`: the words that values can be. `form`: what the program is compiled for.
    """

    functions: dict[str, Function]
    procedures: dict[str, Procedure]
    decisions: tuple[LoweredDecision, ...]
    drafts: dict[str, Draft]
    watchers: tuple[Watcher, ...]
    columns: dict[Slot, LoweredColumn]
    records: dict[str, tuple[tuple[str, Type], ...]]
    phases: tuple[str, ...]
    turn_ends: Body
    tables: dict[str, StaticTable]
    words: frozenset[str]
    explanations: Explanations = field(default_factory=Explanations)
    form: ProgramForm = ProgramForm.PLAY
