"""Builder of expressions and statements that share one source span.

build = Builder(span)
build.build_if(build.build_flag("lt", row, 0), build.fail("no row"))        # if row < 0: fault
"""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.model import types as t
from interpreter.model.expressions import Value

Operand = e.Expr | int  # a plain number is a whole number of the rules


@dataclass(frozen=True, slots=True)
class Builder:
    """Builder of records of the intermediate representation that all have one source span."""

    span: Span

    def build_const(self, value: Value, type_: t.Type = t.INT) -> e.Const:
        """Return a literal."""
        return e.Const(value, type_, self.span)

    def apply(self, op: str, type_: t.Type, *operands: Operand) -> e.Apply:
        """Return a primitive operation `op` with a result of a type; integers among the operands become literals."""
        return e.Apply(op, tuple(self.build_const(x) if isinstance(x, int) else x for x in operands), type_, self.span)

    def build_whole(self, op: str, *operands: Operand) -> e.Apply:
        """Return a primitive operation `op` whose result is a whole number."""
        return self.apply(op, t.INT, *operands)

    def build_flag(self, op: str, *operands: Operand) -> e.Apply:
        """Return a primitive operation `op` whose result is true or false."""
        return self.apply(op, t.FLAG, *operands)

    def negate(self, test: e.Expr) -> e.Apply:
        """Return the negation of a test."""
        return self.build_flag("not", test)

    def build_conjunction(self, *tests: e.Expr) -> e.Expr:
        """Return the conjunction of some tests; true for none."""
        if not tests:
            return self.build_const(True, t.FLAG)
        return tests[0] if len(tests) == 1 else e.Logic("and", tests, t.FLAG, self.span)

    def build_disjunction(self, *tests: e.Expr) -> e.Expr:
        """Return the disjunction of some tests."""
        return e.Logic("or", tests, t.FLAG, self.span)

    def choose(self, test: e.Expr, yes: e.Expr, no: e.Expr) -> e.Conditional:
        """Return a conditional expression of the type of its first value."""
        return e.Conditional(test, yes, no, yes.type, self.span)

    def build_static_item(self, table: e.StaticTable, *indices: e.Expr, sizes: tuple[int, ...] = ()) -> e.StaticItem:
        """Return an element of a static table.

        `sizes`: the number of values of each index, needed for several indices.
        """
        return e.StaticItem(table, indices, sizes or (len(table.values),), table.item, self.span)

    def assign(self, variable: e.Local, value: e.Expr) -> s.Assign:
        """Return the assignment of a variable."""
        return s.Assign(variable.name, value, self.span)

    def build_if(self, test: e.Expr, *yes: s.Stmt, otherwise: s.Body = ()) -> s.If:
        """Return a conditional statement."""
        return s.If(test, yes, otherwise, self.span)

    def build_return(self, value: e.Expr) -> s.Return:
        """Return the statement that leaves a function with a value."""
        return s.Return(value, self.span)

    def fail(self, sort: str) -> s.Fail:
        """Return the statement that stops with an error of the ruleset; `sort` names the error."""
        return s.Fail(sort, self.span)
