"""Evaluation of ad-hoc expressions: parse, check, compile and evaluate one in a position."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Source
from interpreter.runtime.errors import SetupError
from interpreter.runtime.limits import reset_budget
from interpreter.runtime.machine import RULES_FAULTS, locate_fault
from interpreter.runtime.value_ids import to_value_id

if TYPE_CHECKING:
    from interpreter.backends.python.adhoc_printer import AdhocPrinter
    from interpreter.model.checked_model import CheckedModel
    from interpreter.model.statements import Core
    from interpreter.model.types import Type
    from interpreter.play.game import Game
    from interpreter.runtime.program import Program

_MAX_CACHED_EXPRESSIONS = 2000  # expressions per ruleset
EXPRESSION = "expression"  # source name of ad-hoc expressions


class EvaluationError(SetupError):
    """Raised for an expression that is invalid under these rules; `diagnostics` holds one or more errors."""

    def __init__(self, text: str, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.diagnostics = diagnostics
        first = diagnostics[0]
        super().__init__(f"`{text}`: {first.message}" + (f"; {first.help}" if first.help else ""))


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The result of an expression: as ids, numbers and words (`value`), and as the program represents it (`raw`).

    `type`: the type of the expression; `show`: that type as plain data, for formatting.
    """

    value: Any
    raw: Any
    type: Type
    show: Any


def evaluate_expression(model: CheckedModel | None, game: Game, text: str) -> Evaluated:
    """Evaluate an expression in the current position, without changing it.

    Raises EvaluationError if it is invalid, RuleFault if it cannot be computed in this position.
    """
    from interpreter.checker.adhoc_expressions import check_expression
    from interpreter.model.types import to_display_type

    if model is None:
        raise SetupError("expressions need a ruleset loaded with its checked rules")
    sink = Sink()
    source = Source(EXPRESSION, text)
    core = check_expression(model, source, sink)
    if core is None or sink.has_errors:
        raise EvaluationError(text, sink.list_errors())
    space = dict(game.program.functions)
    for code in _compile_memoized(model, text, core, game.program):
        exec(code, space)
    reset_budget(game.state)
    try:
        value = space["answer"](game.state)
    except RULES_FAULTS as fault:
        raise locate_fault(game.state, fault) from fault
    show = to_display_type(core.type)
    return Evaluated(to_value_id(game.program, show, value), value, core.type, show)


@dataclass(frozen=True, slots=True)
class _Compiled:
    """The expressions compiled for the programs of a model, by their text."""

    printer: AdhocPrinter
    codes: dict[str, tuple[CodeType, ...]]


def _compile_memoized(model: CheckedModel, text: str, core: Core, program: Program) -> tuple[CodeType, ...]:
    """Return the compiled code of an expression; memoized by `text`, because test cases repeat expressions.

    `core` is the checked form of `text`; `program` the program on whose states the code will run.
    """
    cache = _get_compiled_cache(model, frozenset(program.data["static"]), program.data["form"])
    if len(cache.codes) > _MAX_CACHED_EXPRESSIONS:
        cache.codes.clear()
    codes = cache.codes.get(text)
    if codes is None:
        codes = cache.codes[text] = cache.printer.compile(core)
    return codes


@lru_cache(maxsize=2)
def _get_compiled_cache(model: CheckedModel, static: frozenset[str], form: str) -> _Compiled:
    """Return the cache of compiled expressions of a model, for programs of one kind.

    `static`: the names of the defines whose values these programs cache in tables; `form`: the form of these programs.
    """
    from interpreter.backends.python.adhoc_printer import AdhocPrinter  # only expressions need it
    from interpreter.ir.program_records import ProgramForm

    is_covered = form == ProgramForm.COVERED  # the look-ups of such an expression do not belong in a ledger
    return _Compiled(AdhocPrinter(model, static, ProgramForm.COVERED if is_covered else ProgramForm.PLAY), {})
