"""Verifier: a program of the intermediate representation is well formed, or the first flaw is named.

The first flaw is reported. Every name is bound, every operand has the type its operation wants, every jump has a
target. Run after each pass.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.primitives import PRIMITIVES
from interpreter.ir.record_fields import list_held_names
from interpreter.ir.traversal import iter_expressions, iter_statements, list_targets
from interpreter.model import types as t
from interpreter.model.types import strip_maybe


class MalformedError(Exception):
    """Raised for a program that lowering or a pass has broken; the message locates the flaw."""


def verify(program: ir.LoweredProgram) -> None:
    """Raise MalformedError at the first flaw of a program."""
    checker = _Checker(program)
    for function in program.functions.values():
        names = {name for name, _ in function.params} | set(function.locals)
        checker.check_body(function.name, function.body, names)
    for procedure in program.procedures.values():
        checker.check_procedure(procedure)
    for watcher in program.watchers:
        names = {name for name, _ in watcher.params} | set(watcher.locals)
        checker.check_body(f"watcher of {watcher.event}", watcher.body, names)
        if watcher.where is not None:
            checker.check_expression(f"watcher of {watcher.event}", watcher.where, names)
    for decision in program.decisions:
        checker.check_decision(decision)
    for draft in program.drafts.values():
        checker.check_draft(draft)


class _Checker:
    def __init__(self, program: ir.LoweredProgram) -> None:
        self.program = program

    def fail(self, where: str, what: str) -> None:
        raise MalformedError(f"{where}: {what}")

    def check_body(self, where: str, body: s.Body, names: set[str]) -> None:
        for stmt in iter_statements(body):
            for name in list_held_names(stmt, "assigned"):
                if name not in names:
                    self.fail(where, f"`{name}` is assigned and not declared")
            match stmt:
                case s.Store(slot) | s.Note(slot) | s.Reset(slot):
                    if slot not in self.program.columns:
                        self.fail(where, f"{slot} is written and no column")
                case s.Run(procedure) | s.Later(procedure):
                    if procedure not in self.program.procedures:
                        self.fail(where, f"no procedure `{procedure}`")
        for expr in iter_expressions(body, explained=True):
            self.check_expression(where, expr, names)

    def check_procedure(self, procedure: ir.Procedure) -> None:
        where = procedure.name
        names = {name for name, _ in procedure.params} | set(procedure.locals)
        missing = [name for name in procedure.frame if name not in names]
        if missing:
            self.fail(where, f"{missing} are in the frame and not declared")
        self.check_body(where, procedure.body, names)
        self.check_body(where, procedure.ending, names)
        for number, block in enumerate(procedure.blocks):
            self.check_body(f"{where}, block {number}", block.body, names)
            readings = (block.end.readings or ()) if isinstance(block.end, s.AskChance) else ()
            bound = {name for reading in readings for name in list_held_names(reading, "bound")}
            for expr in iter_expressions(block.end, explained=True):
                self.check_expression(f"{where}, block {number}", expr, names | bound)
            for target in list_targets(block.end):
                if not 0 <= target < len(procedure.blocks):
                    self.fail(f"{where}, block {number}", f"block {target} does not exist")

    def check_decision(self, decision: ir.LoweredDecision) -> None:
        procedure = self.program.procedures[decision.procedure]
        names = {name for name, _ in procedure.params} | set(procedure.locals)
        where = f"decision {decision.number} of {decision.procedure}"
        names |= {param.name for option in decision.options for param in option.params}
        for option in decision.options:
            self.check_option(where, option)
        for expr in iter_expressions(decision):
            self.check_expression(where, expr, names)

    def check_option(self, where: str, option: ir.LoweredOption) -> None:
        if option.pushed and len(option.pushed) != len(option.tests):
            self.fail(where, f"option {option.name}: a level for each test")
        bound = [param.name for param in option.params]
        for test, level in zip(option.tests, option.pushed, strict=False):
            late = set(bound[level:]) & e.find_free_names(test)
            if late:
                self.fail(where, f"option {option.name}: a test reads {late} before they are bound")

    def check_draft(self, draft: ir.Draft) -> None:
        params = {name for name, _ in draft.params}
        for expr in draft.start:
            self.check_expression(draft.name, expr, params)
        names = params | {name for name, _ in draft.fields}
        for expr in (*draft.finish, *draft.offer, *(p.value for p in draft.prefers)):
            self.check_expression(draft.name, expr, names)
        for step in draft.steps:
            self.check_option(draft.name, step.option)
            inner = names | {param.name for param in step.option.params}
            for expr in (*step.option.tests, step.stops, *(value for _, value in step.now)):
                self.check_expression(draft.name, expr, inner)

    def check_expression(self, where: str, expr: e.Expr, names: set[str]) -> None:
        """Check one outermost expression. `where`: its location for messages. `names`: the variables it may read."""
        free = e.find_free_names(expr) - names
        if free:
            self.fail(where, f"{sorted(free)} are read and not bound")
        for node in e.list_descendants(expr):
            match node:
                case e.Read(slot) if slot not in self.program.columns and slot.kind not in ("", "option"):
                    self.fail(where, f"{slot} is read and no column")
                case e.Call(function, args):
                    self.check_call(where, function, args)
                case e.Apply(op, operands):
                    self.check_operation(where, op, operands)
                case e.Logic(operands=operands):
                    self.check_flags(where, operands)
                case e.Conditional(test=test):
                    self.check_flags(where, (test,))
                case e.Fold(where=selected) if selected is not None:
                    self.check_flags(where, (selected,))
                case e.StaticItem(indices=indices, sizes=sizes, table=table):
                    count = 1
                    for size in sizes:
                        count *= size
                    if len(indices) != len(sizes) or count != len(table.values):
                        self.fail(where, f"an element of the table `{table.name}` by other indices")

    def check_call(self, where: str, function: str, args: tuple[e.Expr, ...]) -> None:
        if function not in self.program.functions:
            self.fail(where, f"no function `{function}`")
        params = self.program.functions[function].params
        if len(params) != len(args):
            self.fail(where, f"`{function}` takes {len(params)} arguments, found {len(args)}")
        for (name, type_), arg in zip(params, args, strict=True):
            if is_number(type_) != is_number(arg.type) and not isinstance(arg.type, t.NeverType):
                self.fail(where, f"`{function}`: {name} is {type_}, found {arg.type}")

    def check_operation(self, where: str, op: str, operands: tuple[e.Expr, ...]) -> None:
        primitive = PRIMITIVES.get(op)
        if primitive is None:
            self.fail(where, f"no operation `{op}`")
            return
        if primitive.operands is not None and len(operands) != primitive.operands:
            self.fail(where, f"`{op}` takes {primitive.operands} operands, found {len(operands)}")
        if primitive.alike and len({is_number(x.type) for x in operands if not isinstance(x.type, t.NeverType)}) > 1:
            self.fail(where, f"`{op}`: operands of one type, found {', '.join(str(x.type) for x in operands)}")

    def check_flags(self, where: str, exprs: Iterable[e.Expr]) -> None:
        for expr in exprs:
            if not isinstance(expr.type, t.FlagType | t.NeverType):
                self.fail(where, f"a test of type {expr.type}")


def is_number(type_: t.Type) -> bool:
    """Return whether a type holds fractions, with or without missing values."""
    return isinstance(strip_maybe(type_), t.NumberType)
