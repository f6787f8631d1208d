"""Control flow of procedures: which can reach a decision, which can roll dice, and how a block can be left.

Procedures that reach a decision are split into blocks to be resumable; a watcher may call neither sort. A program for
exact odds also suspends at rolls, so there every procedure that can roll is split as well. Reports nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from types import UnionType

from interpreter.checker.operations import get_facts
from interpreter.diagnostics.record_walk import find_reachable, iter_records
from interpreter.language import syntax as s
from interpreter.model import expressions, statements as c
from interpreter.model.checked_model import CheckedModel
from interpreter.model.ruleset import Attribute, Ruleset


@dataclass(frozen=True, slots=True)
class SuspensionAnalysis:
    """The parts of the rules that can suspend.

    `procedures`: the names of the procedures that can suspend; `rolling`: those that can roll or draw; `uses_later`:
    the rules defer calls with `later`; `at_rolls`: rolls and draws suspend too.
    """

    procedures: frozenset[str]
    rolling: frozenset[str]
    uses_later: bool
    at_rolls: bool = False

    def can_suspend(self, stmt: c.Stmt) -> bool:
        """Return whether running a statement can reach a decision."""
        match stmt:
            case c.Decide() | c.DecideDraft() | c.SettleNow():
                return True
            case c.RollDice() | c.DrawMembers() if self.at_rolls:
                return True
            case c.CallProcedure(later=False):
                return stmt.procedure in self.procedures
            case c.PhaseBlock() if self.uses_later:
                return True
        return any(self.can_suspend(inner) for inner in iter_child_statements(stmt))


def list_bodies(stmt: c.Stmt) -> tuple[c.Body, ...]:
    """Return the bodies directly inside a statement."""
    match stmt:
        case c.CheckedIf():
            return (*(body for _, body in stmt.branches), stmt.otherwise or ())
        case c.Loop() | c.DoTogether() | c.PhaseBlock():
            return (stmt.body,)
        case c.MatchPart():
            return (*(arm.body for arm in stmt.arms), stmt.otherwise or ())
        case c.Decide():
            return (*(choice.body for choice in stmt.choices), stmt.otherwise or ())
    return ()


def iter_child_statements(stmt: c.Stmt) -> Iterator[c.Stmt]:
    """Yield the statements directly inside a statement."""
    for body in list_bodies(stmt):
        yield from body


def walk(body: c.Body) -> Iterator[c.Stmt]:
    """Yield every statement of a body, at any depth."""
    for stmt in body:
        yield stmt
        yield from walk(tuple(iter_child_statements(stmt)))


def find_names_set_once(body: c.Body) -> frozenset[str]:
    """Return the local names that exactly one statement sets, among the statements of a body at any depth."""
    times = Counter(stmt.name if isinstance(stmt, c.SetLocal) else getattr(stmt, "var", None) for stmt in walk(body))
    return frozenset(name for name, count in times.items() if name and count == 1)


def find_suspension(model: CheckedModel, at_rolls: bool = False) -> SuspensionAnalysis:
    """Return the suspending and the rolling procedures, as a fixed point over the call graph.

    `at_rolls`: dice rolls and draws suspend too.
    """
    bodies = {p.name: list(walk(p.body)) for p in model.procedures.values()}
    stmts = chain(*bodies.values(), *(walk(watcher.body) for watcher in model.watchers))
    later = any(isinstance(stmt, c.CallProcedure) and stmt.later for stmt in stmts)
    chance = c.RollDice | c.DrawMembers
    own = c.Decide | c.DecideDraft | c.SettleNow
    if at_rolls:
        own |= chance
    if later:
        own |= c.PhaseBlock
    suspending = _find_procedures_that_reach(own, bodies) | {n for n in ("turn", "setup") if n in bodies}
    return SuspensionAnalysis(suspending, _find_procedures_that_reach(chance, bodies), later, at_rolls)


def _find_procedures_that_reach(stmt_type: type | UnionType, bodies: dict[str, list[c.Stmt]]) -> frozenset[str]:
    """Return the names of the procedures with a statement of a class in `stmt_type`, directly or through calls.

    `bodies`: all statements of each procedure, at any depth.
    """
    callers: dict[str, list[str]] = {}
    for name, stmts in bodies.items():
        for stmt in stmts:
            if isinstance(stmt, c.CallProcedure) and not stmt.later:
                callers.setdefault(stmt.procedure, []).append(name)
    direct = [name for name, stmts in bodies.items() if any(isinstance(stmt, stmt_type) for stmt in stmts)]
    return frozenset(find_reachable(direct, lambda name: callers.get(name, ())))


def may_leave(block: s.BlockStmt) -> bool:
    """Return whether a block may leave the enclosing block by `return`, `end game` or `skip to`."""
    return any(isinstance(part, s.ReturnStmt | s.EndGameStmt | s.SkipStmt) for part in iter_records(block))


def can_change(test: c.Core, body: s.BlockStmt, ruleset: Ruleset) -> bool:
    """Return True if running the body could change a value that the test reads."""
    reads_more = any(_is_reading_state(x, ruleset) for x in expressions.list_descendants(test))
    return reads_more or _has_assignment(body, expressions.find_local_names(test)) or may_leave(body)


def _is_reading_state(core: c.Core, ruleset: Ruleset) -> bool:
    """Return whether an expression itself, apart from its operands, reads what play may change."""
    if isinstance(core, expressions.AttributeOf):
        return find_constant_attribute(core, ruleset) is None
    more = (
        expressions.CheckedCall
        | expressions.GameValue
        | expressions.CheckedPiecesAt
        | expressions.CanAdvance
        | expressions.Playing
    )
    return isinstance(core, more) or bool(get_facts(core).reads)


def find_constant_attribute(core: c.Core, ruleset: Ruleset) -> Attribute | None:
    """Return the attribute that an expression reads if play never changes it, or None."""
    if not isinstance(core, expressions.AttributeOf) or core.kind not in ruleset.kinds:
        return None
    attribute = ruleset.kinds[core.kind].attributes.get(core.name)
    return attribute if attribute is not None and not attribute.changes and attribute.lasts is None else None


def _has_assignment(block: s.BlockStmt, names: set[str]) -> bool:
    targets = [part.target for part in iter_records(block) if isinstance(part, s.AssignStmt)]
    return any(isinstance(target, s.NameExpr) and target.id in names for target in targets)
