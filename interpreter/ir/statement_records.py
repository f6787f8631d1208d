"""Statements, blocks and terminators of the intermediate representation.

Plain functions hold nested statements; a procedure that can reach a decision is cut into blocks, each ended by one
terminator, and keeps its variables in a frame.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics.source_text import Span
from interpreter.ir.explanation_records import Words
from interpreter.ir.expression_records import Expr, Slot
from interpreter.ir.record_fields import Assigned, Bound, Label, VariableRead
from interpreter.model.expressions import Value
from interpreter.model.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """Assign a value to a variable; `keeps` limits its size: "number", "members" or "" for no limit."""

    name: Assigned
    value: Expr
    span: Span
    keeps: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Assign a value to a slot of the position; derived data is invalidated if the value changes.

    `owner`: the thing whose value it is, None for a single value. `keeps`: the limit on its size, as for `Assign`.
    `cites`: the paragraphs of the statement.
    """

    slot: Slot
    owner: Expr | None
    value: Expr
    span: Span
    keeps: str = ""
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Reset:
    """Reset every value of a slot to `value`, its default; `type` is the type of the slot."""

    slot: Slot
    value: Value
    type: Type
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """Move a piece to a place; watchers of `moved` run if it was elsewhere."""

    piece: Expr
    place: Expr
    span: Span
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """Run `yes` if a test holds, else `no`."""

    test: Expr
    yes: Body
    no: Body
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """Run a body while a test holds; `charge`: the budget steps that each iteration costs."""

    test: Expr
    body: Body
    span: Span
    charge: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class ForEach:
    """Run a body for each member of a set or list, which is evaluated before the first iteration.

    `charge`: budget steps for each member. `moves_all`: the body moves the member, and all are reported as one move.
    """

    var: Assigned
    item: Type
    domain: Expr
    body: Body
    span: Span
    charge: int = 0
    moves_all: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Repeat:
    """Run a body a number of times; `charge`: the budget steps that each iteration costs."""

    count: Expr
    body: Body
    span: Span
    charge: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Chance:
    """The description of a roll or draw, for the log and for suspending at it.

    `die`: the name of the die, None for a draw. `subject`: the thing it is made for, or None. `thrower`: the side that
    rolls, or None. `cites`: the paragraphs it cites.
    """

    name: str
    die: str | None
    subject: Expr | None
    thrower: Expr | None
    cites: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """Assign to `var` a list of `count` rolled faces, or one face if `count` is None.

    `faces`: the numbers on the die. `chance`: its description, None in programs that explain nothing. `name`: the name
    of the roll.
    """

    var: Assigned
    faces: tuple[int, ...]
    count: Expr | None
    span: Span
    chance: Chance | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Draw:
    """Assign to `var` a list of `count` members of the set `source`, none twice, or one member if `count` is None.

    `chance`: its description, None in programs that explain nothing. `name`: the name of the draw.
    """

    var: Assigned
    source: Expr
    count: Expr | None
    span: Span
    chance: Chance | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Call a procedure that cannot suspend and assign its result to `var`, unless `var` is None."""

    procedure: str
    args: tuple[Expr, ...]
    var: Assigned | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Watch:
    """Run the watchers of an event."""

    event: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """Queue a call of a procedure, to run at the next `Settle`."""

    procedure: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TakeArgument:
    """Assign an argument of the chosen option, by its number, to a variable."""

    name: Assigned
    index: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Perform:
    """Evaluate an expression for its faults alone; `is_repeated` if a later statement evaluates it too."""

    value: Expr
    span: Span
    is_repeated: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """Log an event with its arguments and the values of its text's placeholders; does not affect play."""

    event: str
    args: tuple[Expr, ...]
    words: Words | None
    cites: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Charge:
    """Spend budget steps: `steps` for each member of a list or each unit of a number; once if `times` is None.

    `times`: the list or the number.
    """

    times: Expr | None
    steps: int
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """Leave the function with the result `value`, None for no result."""

    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EndGame:
    """End the game: won by a seat or a set of seats, or drawn if `winner` is None.

    `level`: the grade of the victory, or None.
    """

    winner: Expr | None
    level: Expr | None
    cites: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class SkipTo:
    """Unwind to the running procedure that holds a phase and continue there."""

    phase: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Fail:
    """Raise a fault of the rules.

    `sort`: the key of its message, such as "assert", "ladder" or "nothing legal". `words`: the text of an assertion, or
    None. `name`: what the message mentions, such as the address of a decision; "" if it mentions nothing.
    """

    sort: str
    span: Span
    words: Words | None = None
    name: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class PhaseChange:
    """Log entry of a phase.

    `statement`: the number of the statement of the phase. `title`, `cites`: its title and paragraphs at its beginning,
    None and () at its end.
    """

    phase: str
    statement: int
    outer: str | None
    is_beginning: bool
    title: Words | None = None
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SetPhase:
    """Set the phase to the constant `phase`, or to the value of `variable`; `change` is its log entry."""

    phase: str | None
    variable: VariableRead | None
    span: Span
    change: PhaseChange | None = None


@dataclass(frozen=True, slots=True, eq=False)
class KeepPhase:
    """Store the present phase in a variable."""

    name: Assigned
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EnterRecursion:
    """Count the start of a nested call of a recursive procedure; more than `most` at a time are a fault."""

    procedure: str
    most: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class LeaveRecursion:
    """Count the end of a nested call of a recursive procedure."""

    procedure: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Collect the effects that `Note` records in a body, then apply them at once.

    `slots`: the slots that may change, with their types.
    """

    body: Body
    slots: tuple[tuple[Slot, Type], ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Note:
    """Inside `Together`: record a new value of a slot, or an amount to add to it if `is_amount`.

    `owner`: the thing whose value it is, None for a single value.
    """

    slot: Slot
    owner: Expr | None
    value: Expr
    is_amount: bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class NoteParagraphs:
    """Record paragraphs as covered."""

    cites: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TakeChance:
    """Assign the outcome of the `AskChance` that suspended the procedure to a variable.

    `name`: the name of the roll or draw. `is_single`: it is one face or member instead of a list. `is_draw`: it is a
    draw instead of a roll.
    """

    var: Assigned
    name: str
    is_single: bool
    is_draw: bool
    span: Span


Stmt = (
    Assign
    | Store
    | Reset
    | Move
    | If
    | While
    | ForEach
    | Repeat
    | Roll
    | Draw
    | Run
    | Watch
    | Later
    | TakeArgument
    | Perform
    | Report
    | Charge
    | Return
    | EndGame
    | SkipTo
    | Fail
    | SetPhase
    | KeepPhase
    | EnterRecursion
    | LeaveRecursion
    | Together
    | Note
    | NoteParagraphs
    | TakeChance
)
Body = tuple[Stmt, ...]
STATEMENTS: tuple[type, ...] = Stmt.__args__


# --- terminators ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Goto:
    """Continue at a block."""

    block: Label


@dataclass(frozen=True, slots=True, eq=False)
class Test:
    """Continue at the block `yes` if a test holds, else at `no`."""

    test: Expr
    yes: Label
    no: Label


@dataclass(frozen=True, slots=True, eq=False)
class Next:
    """Take the next member of the list in `items` into `var` and continue at `block`, or at `done` after the last.

    `index`: the variable that holds the member's position in the list.
    """

    items: VariableRead
    index: VariableRead
    var: Assigned | None
    block: Label
    done: Label


@dataclass(frozen=True, slots=True, eq=False)
class Countdown:
    """Continue at `block`, with the number in `left` reduced by one, while it is positive; else continue at `done`."""

    left: VariableRead
    block: Label
    done: Label


@dataclass(frozen=True, slots=True, eq=False)
class Ask:
    """List a decision's options and suspend; continue at `nobody` without options, at `out` if it may end without any.

    `resume`: the block that the answer continues at. A decision repeated until done also has the option `done` while
    its `finish` holds. With `alone`, a single option is taken automatically.
    """

    decision: int
    alone: bool
    resume: Label
    nobody: Label
    out: Label


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """Continue at the block of the chosen option, after its parameters are bound.

    `blocks`: the block of each option by its number; `out`: the block for the option `done`.
    """

    decision: int
    blocks: tuple[Label, ...]
    out: Label


@dataclass(frozen=True, slots=True, eq=False)
class AskDraft:
    """Search the finished drafts and suspend for the choice of one, which `TakeDraft` at `resume` takes.

    `alone`: a single one is taken automatically.
    """

    decision: int
    args: tuple[Expr, ...]
    alone: bool
    resume: Label


@dataclass(frozen=True, slots=True, eq=False)
class TakeDraft:
    """Assign the draft that was chosen in a decision to a variable and continue at `block`."""

    decision: int
    var: Assigned | None
    block: Label


@dataclass(frozen=True, slots=True, eq=False)
class DieReading:
    """One expression that reads each die of a pool.

    `var`: the variable that holds the die. `where`: the test that the die must pass, or None. `parts`: the values read
    of it.
    """

    var: Bound
    where: Expr | None
    parts: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False)
class AskChance:
    """Suspend for a roll, or for a draw from `source`; `count` is None for a single die or member.

    `readings`: all that is read of each die, or None if that is not known. `is_ordered`: whether it matters which die
    shows what. `is_summed`: only sums over the dice are read.
    """

    chance: Chance
    source: Expr | None
    count: Expr | None
    readings: tuple[DieReading, ...] | None
    is_ordered: bool
    is_summed: bool
    resume: Label


@dataclass(frozen=True, slots=True, eq=False)
class Close:
    """Suspend after an option of a repeated decision, before the next one is asked for."""

    decision: int
    resume: Label


@dataclass(frozen=True, slots=True, eq=False)
class CallThen:
    """Call a procedure that can suspend and continue at `resume`, its result in `var`."""

    procedure: str
    args: tuple[Expr, ...]
    var: Assigned | None
    resume: Label


@dataclass(frozen=True, slots=True)
class Settle:
    """Run the first queued call and return to this block, or continue at `done` if the queue is empty."""

    done: Label


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the procedure; the last statement of the block gives the result."""


Terminator = (
    Goto | Test | Next | Countdown | Ask | Answer | AskDraft | TakeDraft | AskChance | Close | CallThen | Settle | Leave
)


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements and the terminator that ends them.

    `statement`: the number of the statement that the block completes when the procedure is resumed there, or None.
    `span`: the span of the statement that ends the block.
    """

    body: Body
    end: Terminator
    statement: int | None = None
    span: Span | None = None
