"""Control flow of statement blocks: how a block can be left, and what it can change. Reports nothing."""

from __future__ import annotations

from interpreter.checker.operations import facts_of
from interpreter.diagnostics.record_walk import records_within
from interpreter.language import syntax as s
from interpreter.model import expressions, statements as c
from interpreter.model.ruleset import Attribute, Ruleset


def may_leave(block: s.BlockStmt) -> bool:
    """Return whether a block may leave the enclosing block by `return`, `end game` or `skip to`."""
    return any(isinstance(part, s.ReturnStmt | s.EndGameStmt | s.SkipStmt) for part in records_within(block))


def can_change(test: c.Core, body: s.BlockStmt, ruleset: Ruleset) -> bool:
    """Return True if running the body could change a value that the test reads."""
    reads_more = any(_reads_state(x, ruleset) for x in expressions.descendants(test))
    return reads_more or _sets(body, expressions.local_names(test)) or may_leave(body)


def _reads_state(core: c.Core, ruleset: Ruleset) -> bool:
    if isinstance(core, expressions.AttributeOf):
        return constant_attribute(core, ruleset) is None
    more = (
        expressions.CheckedCall
        | expressions.GameValue
        | expressions.CheckedPiecesAt
        | expressions.CanAdvance
        | expressions.Playing
    )
    return isinstance(core, more) or bool(facts_of(core).reads)


def constant_attribute(core: c.Core, ruleset: Ruleset) -> Attribute | None:
    """Return the attribute that an expression reads if play never changes it, or None."""
    if not isinstance(core, expressions.AttributeOf) or core.kind not in ruleset.kinds:
        return None
    attribute = ruleset.kinds[core.kind].attributes.get(core.name)
    return attribute if attribute is not None and not attribute.changes and attribute.lasts is None else None


def _sets(block: s.BlockStmt, names: set[str]) -> bool:
    targets = [part.target for part in records_within(block) if isinstance(part, s.AssignStmt)]
    return any(isinstance(target, s.NameExpr) and target.id in names for target in targets)
