"""Where a block of statements may go, and what it may set. Must not report anything."""

from __future__ import annotations

from interpreter.checker.operations import facts_of
from interpreter.diagnostics.record_walk import records_within
from interpreter.language import syntax as s
from interpreter.model import expressions, statements as c


def leaves(block: s.Block) -> bool:
    """True when a block may end what it stands in: by `return`, `end game` or `skip to`."""
    return any(isinstance(part, s.ReturnStmt | s.EndGameStmt | s.SkipStmt) for part in records_within(block))


def can_change(test: c.Core, body: s.Block) -> bool:
    """True when running the body could change what the test reads."""
    more = (
        expressions.Call
        | expressions.AttributeOf
        | expressions.GameValue
        | expressions.PiecesAt
        | expressions.CanAdvance
        | expressions.Playing
    )
    reads_more = any(isinstance(x, more) or facts_of(x).reads for x in expressions.descendants(test))
    return reads_more or _sets(body, expressions.locals_of(test)) or leaves(body)


def _sets(block: s.Block, names: set[str]) -> bool:
    targets = [part.target for part in records_within(block) if isinstance(part, s.AssignStmt)]
    return any(isinstance(target, s.NameExpr) and target.id in names for target in targets)
