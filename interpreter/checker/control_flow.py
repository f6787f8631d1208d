"""Control flow of statement blocks: how a block can be left, and what it can change. Reports nothing."""

from __future__ import annotations

from interpreter.checker.operations import facts_of
from interpreter.diagnostics.record_walk import records_within
from interpreter.language import syntax as s
from interpreter.model import expressions, statements as c


def leaves(block: s.Block) -> bool:
    """Return whether a block may leave the enclosing block by `return`, `end game` or `skip to`."""
    return any(isinstance(part, s.ReturnStmt | s.EndGameStmt | s.SkipStmt) for part in records_within(block))


def can_change(test: c.Core, body: s.Block) -> bool:
    """Return whether running the body could change a value that the test reads."""
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
