"""Syntax of what stands at the top of a rules file: procedures, defines, drafts, changes and the rest.

Nodes are immutable and compare by identity. Must not know what names mean.
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.language.syntax.expressions import Binding, Cite, Expr, Template
from interpreter.language.syntax.statements import Block, Parameter, Prefer, Require
from interpreter.source.text import Span


@dataclass(frozen=True, slots=True, eq=False)
class TypeName:
    """A type as written: a word, or "set of" / "list of" / "maybe" another, or "one_of" with its `values`."""

    word: str
    item: TypeName | None
    span: Span
    values: tuple[str, ...] = ()


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
    """A step of a draft: what the fields become; `stops` ends the draft after it, perhaps `stops_if`, `because`."""

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
    because: Template | None = None
    because_cites: tuple[Cite, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Draft:
    """A value built step by step without touching the game.

    `offer` tells finished drafts apart; of those alike, the one with the least `cheapest` is offered. `ending` are
    the words of an end.
    """

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
    cheapest: Expr | None = None
    ending: Template | None = None


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

    Sorts: "replace require", "replace", "remove", "add option", "add require", "add line", "before", "after"; for
    phases "add before", "add after", "move before", "move after".
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
    """One `.rules` file; or all of a ruleset with the changes of variants made.

    `kept`: names for what changes build on, and the authors' own. `cited`: what removals cite, with what they removed.
    """

    items: tuple[Item, ...]
    span: Span
    kept: tuple[tuple[str, str], ...] = ()
    cited: tuple[tuple[str, Cite], ...] = ()
