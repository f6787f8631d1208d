"""Apply a variant's changes of phases, and of the blocks `turn` and `setup`, to the syntax of its base.

A phase is not a procedure: `base()` is replaced by the old body, which keeps the names that are in scope there.
Reports nothing; `variant_changes` reports phases that are not found.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from interpreter.checker.variants.syntax_rewrite import find_parts, rebuild
from interpreter.language import syntax as s

_Edit = Callable[[list[Any], int], list[Any]]


def phases_of(items: list[Any]) -> list[s.PhaseStmt]:
    """Return all phases, in order."""
    return [p for i in items if isinstance(i, s.ProcedureDecl | s.SequenceDecl) for p in find_parts(i, s.PhaseStmt)]


def find_phase(items: list[Any], name: str) -> s.PhaseStmt | None:
    """Return the phase of this name, or None."""
    return next((p for p in phases_of(items) if p.name == name), None)


def replace_phase(items: list[Any], new: s.PhaseStmt) -> list[Any]:
    """Replace the body of the phase of the same name; title and citations are kept unless new ones are given."""

    def edit(statements: list[Any], at: int) -> list[Any]:
        old = statements[at]
        phase = replace(
            new, title=new.title or old.title, cites=new.cites or old.cites, body=substitute_base(new.body, old.body)
        )
        return [*statements[:at], phase, *statements[at + 1 :]]

    return _at_phase(items, new.name, edit)


def replace_sequence(old: s.SequenceDecl, new: s.SequenceDecl) -> s.SequenceDecl:
    """Replace the body of `turn` or `setup`."""
    return replace(new, cites=new.cites or old.cites, body=substitute_base(new.body, old.body))


def remove_phase(items: list[Any], name: str) -> list[Any]:
    """Remove a phase."""
    return _at_phase(items, name, lambda statements, at: statements[:at] + statements[at + 1 :])


def put_phase(items: list[Any], phase: s.PhaseStmt, where: str, name: str) -> list[Any]:
    """Insert a phase "before" or "after" another."""

    def edit(statements: list[Any], at: int) -> list[Any]:
        at += where == "after"
        return [*statements[:at], phase, *statements[at:]]

    return _at_phase(items, name, edit)


def substitute_base(body: s.Block, old: s.Block) -> s.Block:
    """Return a body with each `base()` replaced by the statements of the old body."""

    def visit(part: object) -> object:
        if isinstance(part, s.Block) and any(_is_base(x) for x in part.items):
            return rebuild(
                replace(part, items=tuple(y for x in part.items for y in (old.items if _is_base(x) else (x,)))), visit
            )
        return part if part is old else rebuild(part, visit)

    block = visit(body)
    assert isinstance(block, s.Block)
    return block


def _is_base(node: object) -> bool:
    return isinstance(node, s.CallStmt) and node.name == "base" and not node.args


def _at_phase(items: list[Any], name: str, edit: _Edit) -> list[Any]:
    def visit(part: object) -> object:
        if isinstance(part, s.Block):
            for at, statement in enumerate(part.items):
                if isinstance(statement, s.PhaseStmt) and statement.name == name:
                    items = edit(list(part.items), at) or [s.NothingStmt((), statement.span)]
                    return replace(part, items=tuple(items))
        return rebuild(part, visit)

    return [visit(i) if isinstance(i, s.ProcedureDecl | s.SequenceDecl) else i for i in items]
