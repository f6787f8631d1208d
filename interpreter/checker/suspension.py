"""Find which procedures can reach a decision and which can roll dice.

Procedures that reach a decision are split into blocks to be resumable; a watcher may call neither sort. A program for
exact odds also suspends at rolls, so there every procedure that can roll is split as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from interpreter.model import statements as c


@dataclass(frozen=True, slots=True)
class Suspension:
    """The parts of the rules that can suspend.

    `procedures`: the names of the procedures that can suspend; `rolling`: those that can roll or draw; `uses_later`:
    the rules defer calls with `later`; `at_rolls`: rolls and draws suspend too.
    """

    procedures: frozenset[str]
    rolling: frozenset[str]
    uses_later: bool
    at_rolls: bool = False

    def suspends(self, stmt: c.Stmt) -> bool:
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
        return any(self.suspends(inner) for inner in child_statements(stmt))


def bodies_of(stmt: c.Stmt) -> tuple[c.Body, ...]:
    """Return the bodies directly inside a statement."""
    match stmt:
        case c.CheckedIf():
            return (*(body for _, body in stmt.branches), stmt.otherwise or ())
        case c.Loop() | c.DoTogether() | c.PhaseBlock():
            return (stmt.body,)
        case c.MatchPart():
            return (*(body for _, _, body in stmt.arms), stmt.otherwise or ())
        case c.Decide():
            return (*(choice.body for choice in stmt.choices), stmt.otherwise or ())
    return ()


def child_statements(stmt: c.Stmt) -> Iterator[c.Stmt]:
    """Yield the statements directly inside a statement."""
    for body in bodies_of(stmt):
        yield from body


def walk(body: c.Body) -> Iterator[c.Stmt]:
    """Yield every statement of a body, at any depth."""
    for stmt in body:
        yield stmt
        yield from walk(tuple(child_statements(stmt)))


def find_suspension(model: c.CheckedModel, at_rolls: bool = False) -> Suspension:
    """Return the suspending and the rolling procedures, as a fixed point over the call graph.

    `at_rolls`: dice rolls and draws suspend too.
    """
    bodies = {p.name: list(walk(p.body)) for p in model.procedures.values()}
    later = any(isinstance(s, c.CallProcedure) and s.later for b in bodies.values() for s in b) or any(
        isinstance(s, c.CallProcedure) and s.later for w in model.watchers for s in walk(w.body)
    )
    suspending_types = c.Decide | c.DecideDraft | c.SettleNow
    chance = c.RollDice | c.DrawMembers
    suspending = _compute_closure(
        bodies,
        lambda s: (
            isinstance(s, suspending_types)
            or (at_rolls and isinstance(s, chance))
            or (later and isinstance(s, c.PhaseBlock))
        ),
    )
    suspending |= {n for n in ("turn", "setup") if n in bodies}
    rolling = _compute_closure(bodies, lambda s: isinstance(s, chance))
    return Suspension(frozenset(suspending), frozenset(rolling), later, at_rolls)


def _compute_closure(bodies: dict[str, list[c.Stmt]], directly: object) -> set[str]:
    assert callable(directly)
    names = {n for n, stmts in bodies.items() if any(directly(s) for s in stmts)}
    again = True
    while again:
        again = False
        for name, stmts in bodies.items():
            if name not in names and any(
                isinstance(s, c.CallProcedure) and not s.later and s.procedure in names for s in stmts
            ):
                names.add(name)
                again = True
    return names
