"""Decisions and drafts: options, requirements, preferences and ends, and the explanations of requirements and texts.

Pieces with equal values are interchangeable in an option unless the rules may distinguish them.
"""

from __future__ import annotations

from interpreter.checker.operations import list_called_expressions
from interpreter.diagnostics.source_text import Span
from interpreter.ir import explanation_records as x, expression_records as e, program_records as ir
from interpreter.lowering.expression_lowering import find_members, lower, lower_as
from interpreter.lowering.lowering_context import Context, FunctionNames, VariableScope
from interpreter.lowering.value_types import get_collection_type
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedDraft, CheckedLine, CheckedModel, CheckedStep
from interpreter.model.expressions import find_local_names
from interpreter.model.statements import Core, list_children
from interpreter.model.types import strip_maybe


class DecisionLowering:
    """The decisions lowered so far, by number."""

    def __init__(self, cx: Context) -> None:
        self.cx = cx
        self.lowered: list[ir.LoweredDecision] = []
        self.explained = cx.explanations.decisions

    def get_mark(self) -> int:
        """Return how many decisions there are, for `discard_since`."""
        return len(self.lowered)

    def discard_since(self, mark: int) -> None:
        """Discard the decisions lowered since `get_mark` returned this number."""
        del self.lowered[mark:]
        del self.explained[mark:]

    def add(self, stmt: c.Decide, procedure: str, names: VariableScope) -> int:
        """Lower a decision among options; return its number. `procedure`: the procedure that contains it."""
        with self.cx.set_tracing(False):
            return self._add(stmt, procedure, names)

    def _add(self, stmt: c.Decide, procedure: str, names: VariableScope) -> int:
        cx, number = self.cx, len(self.lowered)
        choices = () if cx.form.is_beside_play else stmt.choices
        lowered = [lower_option(cx, choice, names) for choice in choices]
        options = tuple(option for option, _ in lowered)
        finish = tuple(cx.lower_requirement(q, names) for q in stmt.finish)
        decider = lower(cx, stmt.decider, names)
        self.lowered.append(
            ir.LoweredDecision(
                number,
                stmt.name,
                procedure,
                options,
                stmt.until_done,
                finish,
                decider,
                None,
                stmt.span,
                address=stmt.address,
            )
        )
        if cx.cost_model is not None:
            self.explained.append(_explain_decision(cx, stmt, names, [inner for _, inner in lowered]))
        return number

    def add_draft(self, stmt: c.DecideDraft, procedure: str, names: VariableScope) -> int:
        """Lower a decision that is answered by a draft; return its number.

        `procedure`: the procedure that contains it.
        """
        number = len(self.lowered)
        with self.cx.set_tracing(False):
            decider = lower(self.cx, stmt.decider, names)
        staged = self.cx.model.drafts[stmt.draft].staged
        self.lowered.append(
            ir.LoweredDecision(
                number, stmt.draft, procedure, (), False, (), decider, stmt.draft, stmt.span, staged, stmt.draft
            )
        )
        if self.cx.cost_model is not None:
            with self.cx.set_tracing(False):
                self.explained.append(_explain_draft_decision(self.cx, stmt, names))
        return number


def lower_option(
    cx: Context, choice: c.CheckedOption | CheckedStep, names: VariableScope
) -> tuple[ir.LoweredOption, VariableScope]:
    """Lower an option or step; return it with the names in scope in its body.

    `names`: the IR variable of each name in scope around the option.
    """
    inner = dict(names)
    apart = (
        frozenset[str]() if cx.cost_model is None else _find_distinguished_params(cx.model, choice, frozenset(names))
    )
    charges = list_parameter_charges(cx, choice)
    params: list[ir.Parameter] = []
    for param, charge in zip(choice.params, charges, strict=True):
        domain = lower(cx, param.domain, inner)
        collection = get_collection_type(domain.type)
        if isinstance(collection, t.ListType):
            domain = e.Apply("unique", (domain,), collection, choice.span)
        item = collection.item or param.type
        local = e.Local(cx.names.create_name(param.name), item, choice.span)
        if (members := find_members(cx, domain)) is not None:
            cx.names.members[local.name] = members
        inner[param.name] = local
        params.append(ir.Parameter(local.name, item, domain, param.alike, param.name in apart, charge))
    tests = tuple(cx.lower_requirement(q, inner) for q in choice.requires)
    prefers = tuple(ir.Preference(p.sort, lower(cx, p.value, inner)) for p in choice.prefers)
    return ir.LoweredOption(choice.name, tuple(params), tests, prefers, choice.span), inner


def list_parameter_charges(cx: Context, choice: c.CheckedOption | CheckedStep) -> list[int]:
    """Return, for each parameter, the budget steps to charge for each member of its domain."""
    if cx.cost_model is None:
        return [0] * len(choice.params)
    charges: list[int] = []
    each = 4 + sum(cx.cost_model.estimate_expr(q.test) for q in choice.requires)
    for param in reversed(choice.params):
        members = cx.cost_model.bound_size(param.domain)
        steps = cx.cost_model.get_iteration_charge(members, each)
        charges.insert(0, steps)
        each = cx.cost_model.estimate_expr(param.domain) + (0 if steps else members * each)
    return charges


def lower_draft(cx: Context, draft: CheckedDraft) -> ir.Draft:
    """Lower a draft."""
    cx.names = FunctionNames()
    names: VariableScope = {}
    for name, type_ in draft.params:
        names[name] = e.Local(cx.names.create_name(name), type_, draft.span)
    params = tuple((names[name].name, type_) for name, type_ in draft.params)
    start = tuple(lower_as(cx, field.start, names, field.type) for field in draft.fields)
    inner = dict(names)
    for field in draft.fields:
        inner[field.name] = e.Local(cx.names.create_name(field.name), field.type, draft.span)
    fields = tuple((inner[field.name].name, field.type) for field in draft.fields)
    steps: list[ir.Step] = []
    explained: list[x.ExplainedOption] = []
    for step in draft.steps:
        option, within = lower_option(cx, step, inner)
        if cx.cost_model is not None and not cx.form.is_beside_play:
            explained.append(_explain_option(cx, step, within))
        now = tuple((index, lower_as(cx, value, within, draft.fields[index].type)) for index, value in step.now)
        stops: e.Expr = e.Const(step.stops, t.FLAG, step.span)
        if step.stops_if is not None:
            stops = lower(cx, step.stops_if, within)
        if cx.form.notes_coverage and step.because_cites:
            stops = e.CitedTest(stops, step.because_cites, t.FLAG, step.span)
        steps.append(ir.Step(option, now, stops))
    finish = tuple(cx.lower_requirement(q, inner) for q in draft.finish)
    offer = tuple(lower(cx, value, inner) for _, value in draft.offer)
    price = None if draft.cheapest is None else lower(cx, draft.cheapest, inner)
    prefers = tuple(ir.Preference(p.sort, lower(cx, p.value, inner)) for p in draft.prefers)
    offer = offer or tuple(inner[field.name] for field in draft.fields)
    if cx.cost_model is not None and not cx.form.is_beside_play:
        _explain_draft(cx, draft, inner, explained)
    return ir.Draft(
        draft.name,
        params,
        fields,
        start,
        tuple(steps),
        finish,
        offer,
        price,
        prefers,
        draft.unordered,
        draft.staged,
        draft.span,
    )


def _find_distinguished_params(
    model: CheckedModel, choice: c.CheckedOption | CheckedStep, outside: frozenset[str]
) -> frozenset[str]:
    """Return the parameters of an option for which equal pieces must be offered separately.

    A set, another choice, or a selected piece may distinguish them. `outside`: the names in scope around the option.
    """
    if not any(p.alike for p in choice.params):
        return frozenset()
    tests = [*(r.test for r in choice.requires), *(p.value for p in choice.prefers)]
    around = outside.union(p.name for p in choice.params)
    memo: dict[tuple[str, str], bool] = {}
    if any(_is_picking_pieces(model, core, memo) for core in [*tests, *(p.domain for p in choice.params[1:])]):
        return frozenset(p.name for p in choice.params if p.alike)
    names = set()
    for number, param in enumerate(choice.params):
        cores = [*tests, *(p.domain for p in choice.params[number + 1 :])]
        pieces = {name for core in cores for name in _find_piece_locals(core) if name in around}
        if param.alike and pieces - {param.name}:
            names.add(param.name)
    return frozenset(names)


def _is_picking_pieces(model: CheckedModel, core: Core, memo: dict[tuple[str, str], bool]) -> bool:
    """Return whether an expression, or a callee, refers to pieces other than by filtering all of them.

    `memo`: results for callees by (sort, name), extended here.
    """
    picks = n.Literal | n.GameValue | n.AttributeOf | n.LookUp
    if isinstance(core, n.Operation):
        if core.name in ("item", "first", "last", "take") and _has_pieces(core.type):
            return True
    elif isinstance(core, picks) and _has_pieces(core.type):
        return True
    if isinstance(core, n.CheckedCall):
        key = (core.sort, core.name)
        if key not in memo:
            memo[key] = False  # while it is looked at
            memo[key] = any(_is_picking_pieces(model, x, memo) for x in list_called_expressions(model, core))
        if memo[key]:
            return True
    return any(_is_picking_pieces(model, child, memo) for child in list_children(core))


def _find_piece_locals(core: Core) -> set[str]:
    """Return the locals in an expression that hold pieces, alone or in a collection."""
    return {x.name for x in n.list_descendants(core) if isinstance(x, n.CheckedLocal) and _has_pieces(x.type)}


def _has_pieces(type_: t.Type | None) -> bool:
    match type_:
        case t.SetType(item=None) | t.ListType(item=None):
            return True  # began empty: nothing is known of its members here
        case t.SetType(item=item) | t.ListType(item=item) | t.MaybeType(item=item):
            return _has_pieces(item)
        case t.ThingType(kind=kind):
            return kind == "piece"
    return isinstance(type_, t.RecordType)


def _explain_requirement(cx: Context, source: c.CheckedRequirement, names: VariableScope) -> x.Requirement:
    """Lower a requirement for explanations: its conjuncts, to be evaluated one by one, and its words."""
    tests: tuple[n.Core, ...] = (source.test,)
    if isinstance(source.test, n.Operation) and source.test.name == "and":
        tests = source.test.operands
    conjuncts = cx.lower_all(tests, names)
    witness, inner = None, names
    if source.witness is not None and source.words is not None:
        domain = cx.lower(source.witness.domain, names)
        collection = strip_maybe(domain.type)
        item = collection.item if isinstance(collection, t.SetType | t.ListType) else None
        var = cx.names.create_name(source.witness.var or "unused")
        inner = {**names, source.witness.var: e.Local(var, item or t.NEVER, source.span)}
        where = None if source.witness.where is None else cx.lower(source.witness.where, inner)
        witness = x.Witness(var, domain, where)
    return x.Requirement(source, conjuncts, cx.lower_text(source.words, inner), witness)


def _explain_option(cx: Context, source: c.CheckedOption | CheckedStep, names: VariableScope) -> x.ExplainedOption:
    """Lower the texts of an option or step; `names` holds its parameters."""
    prefers = tuple(
        x.ExplainedPreference(p, cx.lower(p.value, names), cx.lower_text(p.words, names)) for p in source.prefers
    )
    requires = tuple(_explain_requirement(cx, r, names) for r in source.requires)
    because = cx.lower_text(source.because, names) if isinstance(source, CheckedStep) else None
    return x.ExplainedOption(source, requires, prefers, cx.lower_text(source.label, names), because)


def _explain_decision(
    cx: Context, source: c.Decide, names: VariableScope, inside: list[VariableScope]
) -> x.ExplainedDecision:
    """Lower the texts of a decision; `inside` holds for each option the names with its parameters.

    In a form that `is_beside_play`, the result has no texts, only the variables that the decision reads.
    """
    variables = _list_outer_variables(source.names, _list_expressions(source), names)
    if cx.form.is_beside_play:
        return x.ExplainedDecision(source, variables, None)
    options = tuple(_explain_option(cx, o, inner) for o, inner in zip(source.choices, inside, strict=True))
    finish = tuple(_explain_requirement(cx, r, names) for r in source.finish)
    return x.ExplainedDecision(source, variables, cx.lower_text(source.prompt, names), options, finish)


def _explain_draft_decision(cx: Context, source: c.DecideDraft, names: VariableScope) -> x.ExplainedDecision:
    """Lower the texts of a decision that a draft answers."""
    variables = _list_outer_variables(source.names, [source.decider, *_list_parts(source.prompt)], names)
    return x.ExplainedDecision(source, variables, cx.lower_text(source.prompt, names))


def _explain_draft(cx: Context, draft: CheckedDraft, names: VariableScope, steps: list[x.ExplainedOption]) -> None:
    """Lower the texts of a draft and store them among the explanations.

    `names`: the variables of its parameters and fields. `steps`: the lowered texts of its steps.
    """
    finish = tuple(_explain_requirement(cx, r, names) for r in draft.finish)
    offered: dict[str, e.Local] = {}
    for name, value in draft.offer:
        if name not in names:
            offered[name] = e.Local(cx.names.create_name(name), value.type, draft.span)
    ending = cx.lower_text(draft.ending, {**names, **offered})
    cx.explanations.drafts.append(x.ExplainedDraft(draft, tuple(steps), finish, ending, tuple(offered.values())))


def explain_model(cx: Context) -> None:
    """Lower the explanations of rules, tallies, events and documents; decisions and drafts are lowered elsewhere."""
    model, rs = cx.model, cx.ruleset
    for rule in model.rules.values():
        params, names = cx.begin_function(rule.params, rule.span)
        requires = tuple(_explain_requirement(cx, r, names) for r in rule.requires)
        cx.explanations.rules.append(x.ExplainedRule(rule, params, requires))
    for tally in model.tallies.values():
        params, names = cx.begin_function(tally.params, tally.span)
        cx.explanations.tallies.append(
            x.ExplainedTally(tally, params, tuple(_lower_line(cx, line, names) for line in tally.lines))
        )
    for event in model.events.values():
        params, names = cx.begin_function(event.params, event.span)
        words = cx.lower_text(event.words, names)
        if words is not None:
            _add_question(cx, "say_" + event.name, params, words, event.span)
    for number, level in enumerate(model.levels):
        if level is not None:
            _add_value_question(cx, f"level_{number}", None, level)
    seat = rs.victory.score_word or "s"
    for name, core in (("score_of", model.score), ("evaluation_of", model.evaluation)):
        if core is not None:
            _add_value_question(cx, name, (seat, t.SEAT), core)
    for name, core in model.setup_checks.items():
        check = rs.setup_checks[name]
        _add_value_question(cx, "setup_check_" + name, (check.word, check.of) if check.of else None, core)
    for name, core in model.views.items():
        view = rs.views[name]
        _add_value_question(cx, "view_" + name, (view.word, view.of) if view.of else None, core)
    _lower_document_texts(cx)


def _lower_document_texts(cx: Context) -> None:
    """Lower the text templates of documents, in the order of their numbers."""
    params_by_key = {w.key: (w.word, w.of) if w.of else None for w in cx.ruleset.worded}
    number = 0
    for key, by_language in cx.model.worded.items():
        for template in by_language.values():
            subject = params_by_key[key]
            params, names = cx.begin_function(() if subject is None else (subject,), template.span)
            words = cx.lower_text(template, names)
            assert words is not None
            _add_question(cx, f"worded_{number}", params, words, template.span)
            number += 1


def _add_value_question(cx: Context, name: str, param: tuple[str, t.Type] | None, core: n.Core) -> None:
    params, names = cx.begin_function(() if param is None else (param,), core.span)
    _add_question(cx, name, params, cx.lower(core, names), core.span)


def _add_question(
    cx: Context, name: str, params: tuple[tuple[str, t.Type], ...], value: e.Expr | x.Words, span: Span
) -> None:
    cx.explanations.questions.append(x.Question(name, params, value, span))


def _lower_line(cx: Context, line: CheckedLine, names: VariableScope) -> x.ExplainedLine:
    condition = None if line.condition is None else cx.lower(line.condition, names)
    words = cx.lower_text(line.words, names)
    assert words is not None
    return x.ExplainedLine(line, cx.lower(line.amount, names), condition, words)


def _list_parts(words: c.TextTemplate | None) -> list[n.Core]:
    return [part for part in words.parts if not isinstance(part, str)] if words is not None else []


def _list_expressions(source: c.Decide) -> list[n.Core]:
    """Return every expression of a decision and its options."""
    expressions = [source.decider, *_list_parts(source.prompt)]
    for requirement in (*source.finish, *(r for choice in source.choices for r in choice.requires)):
        expressions += [requirement.test, *_list_parts(requirement.words)]
    for choice in source.choices:
        expressions += [param.domain for param in choice.params] + _list_parts(choice.label)
        for preference in choice.prefers:
            expressions += [preference.value, *_list_parts(preference.words)]
    return expressions


def _list_outer_variables(
    around: tuple[str, ...], cores: list[n.Core], names: VariableScope
) -> tuple[tuple[str, e.Local], ...]:
    """Return (name in the rules, variable) for the variables around a decision that its expressions read, in order.

    `around`: the names in scope around the decision. `cores`: its expressions.
    """
    used = frozenset[str]().union(*(find_local_names(core) for core in cores))
    types = {x.name: x.type for core in cores for x in n.list_descendants(core) if isinstance(x, n.CheckedLocal)}
    return tuple((name, e.Local(names[name].name, types[name], names[name].span)) for name in around if name in used)
