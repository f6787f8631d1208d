"""Syntax of the top-level items of a rules file: procedures, defines, drafts, changes and others.

Nodes are immutable and compare by identity. Names are not resolved.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics.source_text import Span
from interpreter.language.syntax.expressions import Binding, CiteClause, Expr, NamedNode, SyntaxNode, Template
from interpreter.language.syntax.statements import BlockStmt, ParameterDecl, PreferClause, RequireClause


@dataclass(frozen=True, slots=True, eq=False)
class TypeName(SyntaxNode):
    """A type as written in the rules.

    `word`: the name of a type; or "set of", "list of" or "maybe" in front of the type `item`; or "one_of" for one of
    the words `values`.
    """

    word: str
    item: TypeName | None
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class FieldDecl(NamedNode):
    """`name: type`: a field of a record."""

    type: TypeName


@dataclass(frozen=True, slots=True, eq=False)
class SequenceDecl(NamedNode):
    """`setup:` (played once) or `turn:` (played until the game ends)."""

    cites: tuple[CiteClause, ...]
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class ProcedureDecl(NamedNode):
    """`procedure name(fields) -> result`: a named block of statements.

    `deep`: the maximum depth of its recursion, or None if it is not recursive.
    """

    fields: tuple[FieldDecl, ...]
    result: TypeName | None
    cites: tuple[CiteClause, ...]
    deep: Expr | None
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class DefineDecl(NamedNode):
    """A named expression."""

    fields: tuple[FieldDecl, ...]
    result: TypeName | None
    cites: tuple[CiteClause, ...]
    value: Expr


@dataclass(frozen=True, slots=True, eq=False)
class RuleDecl(NamedNode):
    """`rule name: require ...`: a named group of requirements.

    Expressions use it as a flag, which is true if all its requirements hold. A `require` of the flag shows the messages
    of those requirements that fail.
    """

    fields: tuple[FieldDecl, ...]
    cites: tuple[CiteClause, ...]
    requires: tuple[RequireClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TallyLineDecl(SyntaxNode):
    """A line of a tally: an amount that is added or subtracted.

    `sign`: "+" or "-"; `condition`: when the line applies, None for always; `words`: its text for players.
    """

    sign: str
    amount: Expr
    condition: Expr | None
    words: Template
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TallyBoundDecl(SyntaxNode):
    """`no less than` (sort "least") or `no more than` (sort "most") a value."""

    sort: str
    value: Expr
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TallyDecl(NamedNode):
    """A sum of conditional lines with texts and citations; `bounds` limit the sum."""

    fields: tuple[FieldDecl, ...]
    result: TypeName | None
    cites: tuple[CiteClause, ...]
    lines: tuple[TallyLineDecl, ...]
    bounds: tuple[TallyBoundDecl, ...]


@dataclass(frozen=True, slots=True, eq=False)
class DraftOptionDecl(NamedNode):
    """A step of a draft; `now` gives the new values of fields.

    `stops`: the draft ends after it if `stops_if` holds (None: always); `because`: the reason in words, or None.
    """

    parameters: tuple[ParameterDecl, ...]
    now: tuple[Binding, ...]
    stops: bool
    stops_if: Expr | None
    label: Template | None
    cites: tuple[CiteClause, ...]
    requires: tuple[RequireClause, ...]
    prefers: tuple[PreferClause, ...]
    because: Template | None = None
    because_cites: tuple[CiteClause, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class DraftDecl(NamedNode):
    """A value built step by step without changing the game.

    `starting`: the initial values of the fields; `options`: the steps; `finish`: the requirements for ending it.
    `offer` is the key that distinguishes finished drafts; for equal keys the draft with the least `cheapest` is
    offered. `ending` is the text of a finished draft. `unordered`: the steps may be named in any order.
    """

    fields: tuple[FieldDecl, ...]
    unordered: bool
    starting: tuple[Binding, ...]
    cites: tuple[CiteClause, ...]
    options: tuple[DraftOptionDecl, ...]
    finish: tuple[RequireClause, ...]
    prefers: tuple[PreferClause, ...]
    offer: tuple[Binding, ...]
    cheapest: Expr | None = None
    ending: Template | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RecordDecl(NamedNode):
    """A composite value with named, typed fields."""

    fields: tuple[FieldDecl, ...]


@dataclass(frozen=True, slots=True, eq=False)
class EventDecl(NamedNode):
    """Something that can be reported, and its text."""

    fields: tuple[FieldDecl, ...]
    words: Template | None
    cites: tuple[CiteClause, ...]


@dataclass(frozen=True, slots=True, eq=False)
class WatcherDecl(SyntaxNode):
    """`whenever event(a, b) where condition:` effects that neither roll nor decide."""

    event: str
    names: tuple[str, ...]
    where: Expr | None
    cites: tuple[CiteClause, ...]
    body: BlockStmt


@dataclass(frozen=True, slots=True, eq=False)
class VariantChange(SyntaxNode):
    """A variant's change: `sort` is the operation, `path` the address, `content` the new items.

    Sorts: "replace require", "replace", "remove", "add option", "add require", "add line", "before", "after"; for
    phases "add before", "add after", "move before", "move after".
    """

    sort: str
    path: tuple[str, ...]
    path_span: Span
    content: tuple[object, ...]
    cites: tuple[CiteClause, ...]


Item = (
    SequenceDecl
    | ProcedureDecl
    | DefineDecl
    | RuleDecl
    | TallyDecl
    | DraftDecl
    | RecordDecl
    | EventDecl
    | WatcherDecl
    | VariantChange
)


@dataclass(frozen=True, slots=True, eq=False)
class RulesModule(SyntaxNode):
    """The items of one `.rules` file, or of a whole ruleset with the changes of variants applied.

    `base_names`: (generated name, the author's name) of each replaced item that its replacement still calls as `base`.
    `cited`: (address of the removed item, citation) for the citations of each change that removes something.
    """

    items: tuple[Item, ...]
    base_names: tuple[tuple[str, str], ...] = ()
    cited: tuple[tuple[str, CiteClause], ...] = ()
