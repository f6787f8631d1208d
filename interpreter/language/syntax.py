"""Syntax of the rules language: what was written, with the span of every part.

Nodes are immutable and compare by identity. Must not know what names mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.source.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class Cite:
    """A citation of a rulebook paragraph."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Template:
    """Words with holes: `parts` are texts and expressions in order."""

    parts: tuple[str | Expr, ...]
    span: Span


# --- expressions ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A bare word."""

    id: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A number, a text, true or false."""

    value: int | str | bool
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Attr:
    """`owner.name`."""

    owner: Expr
    name: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """`owner[a, b]`: a look-up in a table or a list."""

    owner: Expr
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Former:
    """`x in domain where condition`, or `result for x in domain where condition`.

    With `extreme`, only the members for which `measure` is least or most.
    """

    result: Expr | None
    var: str
    domain: Expr
    where: Expr | None
    span: Span
    extreme: str | None = None
    measure: Expr | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`name(args)`; an argument may be a former."""

    name: str
    args: tuple[Expr | Former, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    """`not e`, `-e`, `+e`."""

    op: str
    operand: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    """Arithmetic, comparison, membership, `below`, `above`, `..`."""

    op: str
    left: Expr
    right: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Logic:
    """`and` / `or` over two or more operands."""

    op: str
    items: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Quantified:
    """`any` / `no` / `every` x in domain where condition (satisfies `then`)."""

    sort: str
    var: str
    domain: Expr
    where: Expr | None
    then: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Conditional:
    """`if c then a else b`."""

    test: Expr
    yes: Expr
    no: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OrElse:
    """`value else fallback`, for values that may be missing."""

    value: Expr
    fallback: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """`pieces at place`."""

    pieces: Expr
    place: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class OnMap:
    """`piece on map`."""

    piece: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """`{a, b}` (sort "set") or `[a, b]` (sort "list"); a single former is a comprehension."""

    sort: str
    items: tuple[Expr | Former, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Playing:
    """`playing option`."""

    option: str
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class HasCell:
    """`table has [a, b]`."""

    table: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CanAdvance:
    """`can advance owner.ladder`."""

    target: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Possible:
    """`possible draft(args)`: some draft can be finished."""

    draft: str
    args: tuple[Expr, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Search:
    """`distance|path|reach from a to b within n through x after p where c cost e`."""

    sort: str
    start: Expr
    goal: Expr | None
    within: Expr | None
    var: str | None
    previous: str | None
    where: Expr | None
    cost: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """`closure of s over a, b where c`: everything linked to s, directly or through others."""

    start: Expr
    first: str
    second: str
    where: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """`name = value`."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class WithFields:
    """`record with (field = value, ...)`."""

    record: Expr
    bindings: tuple[Binding, ...]
    span: Span


Expr = (Name | Literal | Attr | Index | Call | Unary | Binary | Logic | Quantified | Conditional | OrElse
        | At | OnMap | Collection | Playing | HasCell | CanAdvance | Possible | Search | Closure | WithFields)

# --- statements ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Statements in order."""

    items: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Phase:
    """A named stretch of the sequence of play."""

    name: str
    title: Template | None
    cites: tuple[Cite, ...]
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """`let name = value`."""

    name: str
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assign:
    """`set`, `raise ... by`, `lower ... by`: `op` is "set", "raise" or "lower"."""

    op: str
    target: Expr
    value: Expr
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class RungMove:
    """`advance` or `drop` a ladder value by one rung."""

    op: str
    target: Expr
    if_possible: bool
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Move:
    """`move pieces to place`."""

    what: Expr
    to: Expr
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class If:
    """Branches in order, each a test and a block; `otherwise` last."""

    branches: tuple[tuple[Expr, Block], ...]
    otherwise: Block | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class For:
    """`for var in domain`; `still` is tested again before each turn."""

    var: str
    domain: Expr
    still: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class While:
    """`while test`."""

    test: Expr
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Times:
    """`repeat n times`."""

    count: Expr
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Roll:
    """`roll name: count of die for subject -> var`; without a count the result is one number."""

    name: str
    count: Expr | None
    die: str
    subject: Expr | None
    var: str
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Report:
    """`report event(args)`."""

    event: str
    args: tuple[Expr, ...]
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class EndGame:
    """`end game drawn` (winner None) or `end game won by winner as level`."""

    winner: Expr | None
    level: Expr | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Skip:
    """`skip to phase`."""

    phase: str
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """`later procedure(args)`."""

    procedure: str
    args: tuple[Expr, ...]
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Settle:
    """`settle`: carry out what was put off."""

    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Return:
    """`return value`."""

    value: Expr | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Assert:
    """`assert test "words"`: what must hold; a failure is a fault of the ruleset."""

    test: Expr
    words: Template
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Together:
    """Effects whose expressions are all read before any is applied."""

    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Nothing:
    """`nothing`: a statement without effect, to cite a rule that forbids or leaves things alone."""

    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Arm:
    """An arm of `match`: a result's name, the variable for its number, what to do."""

    name: str
    var: str | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """`match part`: one arm for every result the table can give."""

    subject: Expr
    arms: tuple[Arm, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class CallStatement:
    """A call of a procedure, or of a draft decided `by` a side; `var` takes what it returns."""

    name: str
    args: tuple[Expr, ...]
    decider: Expr | None
    prompt: Template | None
    var: str | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Require:
    """A requirement: `name` is its address, `words` what a player is told."""

    name: str | None
    test: Expr
    words: Template | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Prefer:
    """A preference: a test (extreme None) or a measure to be least or most."""

    extreme: str | None
    test: Expr
    words: Template | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """`name in domain`."""

    name: str
    domain: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceOption:
    """An option of a decision: parameters, requirements, preferences, effects."""

    name: str
    parameters: tuple[Parameter, ...]
    label: Template | None
    cites: tuple[Cite, ...]
    requires: tuple[Require, ...]
    prefers: tuple[Prefer, ...]
    body: Block | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Choose:
    """A decision of a side among options."""

    name: str
    decider: Expr
    prompt: Template | None
    cites: tuple[Cite, ...]
    alone: bool
    until_done: bool
    options: tuple[ChoiceOption, ...]
    finish: tuple[Require, ...]
    otherwise: Block | None
    otherwise_cites: tuple[Cite, ...]
    span: Span


Statement = (Phase | Let | Assign | RungMove | Move | If | For | While | Times | Roll | Report | EndGame | Skip
             | Later | Settle | Return | Assert | Together | Nothing | Match | CallStatement | Choose)

# --- items --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class TypeName:
    """A type as written: a word, or "set of" / "list of" / "maybe" another."""

    word: str
    item: TypeName | None
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """`name: type`."""

    name: str
    type: TypeName
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Sequence:
    """`setup:` (played once) or `turn:` (played until the game ends)."""

    name: str
    cites: tuple[Cite, ...]
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Procedure:
    """Statements by name; `deep` bounds its recursion."""

    name: str
    fields: tuple[Field, ...]
    result: TypeName | None
    cites: tuple[Cite, ...]
    deep: Expr | None
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Define:
    """A named expression."""

    name: str
    fields: tuple[Field, ...]
    result: TypeName | None
    cites: tuple[Cite, ...]
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A named group of requirements, usable as a yes/no value that keeps its reasons."""

    name: str
    fields: tuple[Field, ...]
    cites: tuple[Cite, ...]
    requires: tuple[Require, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TallyLine:
    """One entry of a tally: amount, condition, words, citation."""

    sign: str
    amount: Expr
    condition: Expr | None
    words: Template
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class TallyBound:
    """`no less than` (sort "least") or `no more than` (sort "most") a value."""

    sort: str
    value: Expr
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """A sum of named, cited, conditional entries."""

    name: str
    fields: tuple[Field, ...]
    result: TypeName | None
    cites: tuple[Cite, ...]
    lines: tuple[TallyLine, ...]
    bounds: tuple[TallyBound, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class DraftOption:
    """A step of a draft: what the fields become; `stops` ends the draft after it, perhaps `stops_if`."""

    name: str
    parameters: tuple[Parameter, ...]
    now: tuple[Binding, ...]
    stops: bool
    stops_if: Expr | None
    label: Template | None
    cites: tuple[Cite, ...]
    requires: tuple[Require, ...]
    prefers: tuple[Prefer, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A value built step by step without touching the game."""

    name: str
    fields: tuple[Field, ...]
    unordered: bool
    starting: tuple[Binding, ...]
    cites: tuple[Cite, ...]
    options: tuple[DraftOption, ...]
    finish: tuple[Require, ...]
    prefers: tuple[Prefer, ...]
    offer: tuple[Binding, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Record:
    """A composite value with named, typed fields."""

    name: str
    fields: tuple[Field, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """Something that can be reported, and the words for it."""

    name: str
    fields: tuple[Field, ...]
    words: Template | None
    cites: tuple[Cite, ...]
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Watcher:
    """`whenever event(a, b) where condition:` effects that neither roll nor decide."""

    event: str
    names: tuple[str, ...]
    where: Expr | None
    cites: tuple[Cite, ...]
    body: Block
    span: Span


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A variant's change: `sort` names it, `path` the address, `content` what comes in.

    Sorts: "replace require", "replace", "remove", "add option", "add require", "add line", "before", "after".
    """

    sort: str
    path: tuple[str, ...]
    path_span: Span
    content: tuple[object, ...]
    cites: tuple[Cite, ...]
    span: Span


Item = Sequence | Procedure | Define | Rule | Tally | Draft | Record | Event | Watcher | Change


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """One `.rules` file."""

    items: tuple[Item, ...]
    span: Span
