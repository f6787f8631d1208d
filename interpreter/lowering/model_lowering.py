"""Lower a whole checked model to a program of the intermediate representation."""

from __future__ import annotations

from collections.abc import Iterator

from interpreter.diagnostics.source_text import NOWHERE
from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.program_records import ProgramForm
from interpreter.lowering.decision_lowering import DecisionLowering, explain_model, lower_draft
from interpreter.lowering.expression_lowering import lower, lower_lenient, lower_lookup
from interpreter.lowering.ledger_lowering import iter_tallies, lower_tallied_value, lower_tally_notes
from interpreter.lowering.lowering_context import Context, FunctionNames
from interpreter.lowering.procedure_lowering import analyze_suspension, build_resets, lower_procedure, lower_watcher
from interpreter.lowering.value_types import NotLoweredError
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel, iter_model_records
from interpreter.model.ruleset import Ruleset


def lower_model(
    model: CheckedModel,
    explained: bool = False,
    form: ProgramForm = ProgramForm.PLAY,
) -> ir.LoweredProgram:
    """Lower every item of a model. Raise NotLoweredError if a construct is unsupported.

    `explained`: lower explanations and trace nodes too. `form`: decides which trace nodes there are; for a form that
    `is_beside_play`, only procedures, watchers and drafts are lowered, with the functions that they call.
    """
    cx = Context(model, lower, lower_lenient, lower_lookup, explained, form)
    cx.names = FunctionNames()
    if not form.is_beside_play:
        _lower_functions(cx)
    suspension = analyze_suspension(model, form.suspends_at_chance)
    decisions = DecisionLowering(cx)
    procedures = {p.name: lower_procedure(cx, p, suspension, decisions) for p in model.procedures.values()}
    watchers = tuple(lower_watcher(cx, w, number) for number, w in enumerate(model.watchers))
    for procedure in procedures.values():
        if (
            not explained
            and procedure.suspends
            and any(isinstance(x, s.Run) and x.procedure == procedure.name for w in watchers for x in w.body)
        ):
            raise NotLoweredError("a watcher that calls a procedure with phases", procedure.span)
    drafts = {d.name: lower_draft(cx, d) for d in model.drafts.values()}
    if explained and not form.is_beside_play:
        explain_model(cx)
    if form.notes_terms:
        cx.explanations.tally_notes.extend(lower_tally_notes(cx, tally) for tally in model.tallies.values())
        param_types = {
            "score": t.SEAT,
            **{"view_" + name: model.ruleset.views[name].of or t.SEAT for name in model.views},
        }
        cx.explanations.tallied.extend(
            lower_tallied_value(cx, name, word, param_types[name], core) for name, _, word, core in iter_tallies(model)
        )
    return ir.LoweredProgram(
        cx.functions,
        procedures,
        tuple(decisions.lowered),
        drafts,
        watchers,
        cx.columns,
        cx.records,
        model.phases,
        build_resets(cx, "turn", NOWHERE),
        cx.tables,
        frozenset(_iter_words(model)),
        cx.explanations,
        form,
    )


class AdhocLowering:
    """Lowering of expressions from outside the rules, for a program that is already compiled.

    The functions that they call are declared and not lowered: the program has them.
    """

    def __init__(self, model: CheckedModel, form: ProgramForm) -> None:
        cx = self._context = Context(
            model, lower, lower_lenient, lower_lookup, explained=True, form=form, declares_only=True
        )
        self.program = ir.LoweredProgram(
            cx.functions, {}, (), {}, (), cx.columns, cx.records, model.phases, (), cx.tables, frozenset(), form=form
        )

    def lower(self, core: n.Core) -> e.Expr:
        """Lower an expression that has no free names."""
        self._context.names = FunctionNames()
        return lower(self._context, core, {})


def _lower_functions(cx: Context) -> None:
    """Lower the functions that the rules declare, the score and the evaluation."""
    model = cx.model
    for sort, name, params in _iter_callables(model):
        args = tuple(n.CheckedLocal(param, type_, NOWHERE) for param, type_ in params)
        names = {param: e.Local(param, type_, NOWHERE) for param, type_ in params}
        lower(cx, n.CheckedCall(sort, name, args, t.FLAG, NOWHERE), names)
    if model.score is not None:
        word = model.ruleset.victory.score_word or "s"
        score = model.score
        cx.define(
            "score",
            ((word, t.SEAT),),
            score.type,
            score.span,
            lambda names: (s.Return(lower(cx, score, names), score.span),),
        )
    if model.evaluation is not None:
        evaluation = model.evaluation
        free = sorted(n.find_free_names(evaluation))
        cx.define(
            "evaluation",
            tuple((name, t.SEAT) for name in free),
            evaluation.type,
            evaluation.span,
            lambda names: (s.Return(lower(cx, evaluation, names), evaluation.span),),
        )


def _iter_callables(model: CheckedModel) -> Iterator[tuple[str, str, tuple[tuple[str, t.Type], ...]]]:
    """Yield (sort, name, parameters) of each define, rule, tally and condition of the rules."""
    yield from (("define", d.name, d.params) for d in model.defines.values())
    yield from (("rule", r.name, r.params) for r in model.rules.values())
    yield from (("tally", x.name, x.params) for x in model.tallies.values())
    yield from (("condition", name, ()) for name in model.conditions)


def _iter_words(model: CheckedModel) -> Iterator[str]:
    """Iterate over every word that a value can be."""
    rs: Ruleset = model.ruleset
    yield from model.phases
    for record in iter_model_records(model):
        if isinstance(record, n.Literal):
            yield from _iter_value_words(record.value)
        if isinstance(record, c.MatchPart):
            yield from (arm.name for arm in record.arms)
    for kind in rs.kinds.values():
        for attribute in kind.attributes.values():
            yield from _iter_type_words(attribute.type)
            yield from _iter_value_words(attribute.default)
        for thing in kind.things:
            for value in thing.values.values():
                yield from _iter_value_words(value)
    for value in rs.game.values():
        yield from _iter_type_words(value.type)
        yield from _iter_value_words(value.default)
    for table in rs.tables.values():
        yield from _iter_type_words(table.type)
        for cell in table.cells.values():
            yield from _iter_value_words(cell)
        for axis in table.axes:
            yield from _iter_type_words(axis.type)
            yield from _iter_value_words((axis.keys, axis.below, axis.above))
    for constant in rs.constants.values():
        yield from _iter_value_words(constant.value)
    for option in rs.options.values():
        yield from option.values
    yield from rs.grid.directions if rs.grid is not None else ()


def _iter_value_words(value: object) -> Iterator[str]:
    """Iterate over the words in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from _iter_value_words(part)


def _iter_type_words(type_: t.Type) -> Iterator[str]:
    """Iterate over the words that values of a type can be."""
    match type_:
        case t.OneOfType(values=values):
            yield from values
        case t.MaybeType(item=item):
            yield from _iter_type_words(item)
        case t.SetType(item=item) | t.ListType(item=item) if item is not None:
            yield from _iter_type_words(item)
        case t.PartType(arms=arms):
            yield from (name for name, _ in arms)
