"""Lowering of expressions from outside the rules, for a program that is already compiled.

The functions that such an expression calls are declared and not lowered: the program has them.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.program_form import ProgramForm
from interpreter.lowering.expression_lowering import lenient, look_up, lower
from interpreter.lowering.lowering_context import Context, FunctionNames, Names
from interpreter.model import expressions as n, statements as c, types as t


class DeclaringContext(Context):
    """A lowering context whose functions are declared with parameters and a result, but no body."""

    def define(
        self,
        name: str,
        params: tuple[tuple[str, t.Type], ...],
        result: t.Type,
        span: Span,
        make: Callable[[Names], s.Body],
        origin: e.Origin | None = None,
        charge: int = 0,
        cites: tuple[str, ...] = (),
    ) -> None:
        """Declare a function under a name, unless it is already declared."""
        if name not in self.functions:
            body: s.Body = (s.Fail("declared only", span),)
            self.functions[name] = ir.Function(name, params, result, body, {}, span, origin=origin, charge=charge)


class AdhocLowering:
    """Lowering of expressions for one model; `program` declares the functions that they call, without bodies."""

    def __init__(self, model: c.CheckedModel, form: ProgramForm) -> None:
        self._context = DeclaringContext(model, lower, lenient, look_up, explained=True, form=form)
        cx = self._context
        records = {**model.records, **{name: tuple(r.fields.items()) for name, r in model.ruleset.records.items()}}
        self.program = ir.LoweredProgram(
            cx.functions, {}, (), {}, (), cx.columns, records, model.phases, (), cx.tables, frozenset(), form=form
        )

    def lower(self, core: n.Core) -> e.Expr:
        """Return an expression without free names in the intermediate representation."""
        self._context.names = FunctionNames()
        return lower(self._context, core, {})
