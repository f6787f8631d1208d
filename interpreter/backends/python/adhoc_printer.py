"""Expressions from outside the rules as Python functions of a position, executed in the namespace of a program.

Expression:  count(u in units where high(u.at))
Printed:     def answer(G):
                 x1 = 0
                 for v_u in CLASS_unit:
                     if d_high(G, G.at[v_u]):        # the program's own function
                         x1 += 1
                 return x1
"""

from __future__ import annotations

from threading import Lock
from types import CodeType

from interpreter.backends.python.expression_printer import ExpressionPrinter
from interpreter.backends.python.loop_printer import LoopPrinter
from interpreter.backends.python.python_names import assign_layout
from interpreter.backends.python.source_module import SourceBlock, SourceModule
from interpreter.ir.effect_analysis import EffectAnalysis
from interpreter.ir.program_records import ProgramForm
from interpreter.lowering.model_lowering import AdhocLowering
from interpreter.model.checked_model import CheckedModel
from interpreter.model.expressions import Core
from interpreter.passes.early_exit import shorten_folds

ANSWER = "answer"  # the function that an expression becomes


class AdhocPrinter:
    """Compiler of expressions for the programs of one model.

    `static` are the defines whose values are cached in tables. The programs have the form for play, or the one that
    records coverage.
    """

    def __init__(self, model: CheckedModel, static: frozenset[str], form: ProgramForm = ProgramForm.PLAY) -> None:
        self._lowering = AdhocLowering(model, form)
        program = self._lowering.program
        names = frozenset("define_" + name for name in static)
        self._effects = EffectAnalysis(program)
        self._printer = ExpressionPrinter(program, model.ruleset, assign_layout(model), SourceModule(), names)
        self._lock = Lock()

    def compile(self, core: Core) -> tuple[CodeType, ...]:
        """Return code objects that define the function `answer(G)`: the value of an expression in position `G`."""
        with self._lock:
            expr = shorten_folds(self._effects, self._lowering.lower(core))
            module, out = SourceModule(), SourceBlock()
            self._printer.module = module
            self._printer.begin_function()
            out.add(f"return {LoopPrinter(self._printer).print_value(out, expr, core.span)}", core.span)
            module.add_function(ANSWER, ["G"], out, core.span)
            return module.compile_code()
