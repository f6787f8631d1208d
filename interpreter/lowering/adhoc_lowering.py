"""Lowering of expressions from outside the rules, for a program that is already compiled.

The functions that such an expression calls are declared and not lowered: the program has them.
"""

from __future__ import annotations

from interpreter.ir import expression_records as e, program_records as ir
from interpreter.ir.program_form import ProgramForm
from interpreter.lowering.expression_lowering import lenient, look_up, lower
from interpreter.lowering.lowering_context import Context, FunctionNames
from interpreter.model import expressions as n, statements as c


class AdhocLowering:
    """Lowering of expressions for one model; `program` declares the functions that they call, without bodies."""

    def __init__(self, model: c.CheckedModel, form: ProgramForm) -> None:
        self._context = Context(model, lower, lenient, look_up, explained=True, form=form, declares_only=True)
        cx = self._context
        records = {**model.records, **{name: tuple(r.fields.items()) for name, r in model.ruleset.records.items()}}
        self.program = ir.LoweredProgram(
            cx.functions, {}, (), {}, (), cx.columns, records, model.phases, (), cx.tables, frozenset(), form=form
        )

    def lower(self, core: n.Core) -> e.Expr:
        """Return an expression without free names in the intermediate representation."""
        self._context.names = FunctionNames()
        return lower(self._context, core, {})
