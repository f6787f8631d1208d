"""Decisions and drafts: options, requirements, preferences and ends, and the pieces interchangeable in them."""

from __future__ import annotations

from interpreter.checker.operations import called_expressions
from interpreter.ir import explanation_records as x, expression_records as e, program_records as ir
from interpreter.lowering.explanation_lowering import (
    explain_decision,
    explain_draft,
    explain_draft_decision,
    explain_option,
)
from interpreter.lowering.expression_lowering import lower, lower_as, members_of
from interpreter.lowering.lowering_context import Context, FunctionNames, Names
from interpreter.lowering.value_types import collection
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.statements import CheckedModel, Core, children


class Decisions:
    """The decisions lowered so far, by number."""

    def __init__(self, cx: Context) -> None:
        self.cx = cx
        self.made: list[ir.LoweredDecision] = []
        self.explained = cx.explanations.decisions

    def mark(self) -> int:
        """Return how many decisions there are, for `back_to`."""
        return len(self.made)

    def back_to(self, mark: int) -> None:
        """Discard the decisions lowered since `mark` returned this number."""
        del self.made[mark:]
        del self.explained[mark:]

    def add(self, stmt: c.Decide, procedure: str, names: Names) -> int:
        """Lower a decision among options; return its number. `procedure`: the procedure that contains it."""
        with self.cx.noting(False):
            return self._add(stmt, procedure, names)

    def _add(self, stmt: c.Decide, procedure: str, names: Names) -> int:
        cx, number = self.cx, len(self.made)
        outside = frozenset(names)
        choices = () if cx.form.is_beside_play else stmt.choices
        lowered = [lower_option(cx, choice, names, outside) for choice in choices]
        options = tuple(option for option, _ in lowered)
        finish = tuple(cx.requirement(q, names) for q in stmt.finish)
        decider = lower(cx, stmt.decider, names)
        self.made.append(
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
        if cx.efforts is not None:
            self.explained.append(explain_decision(cx, stmt, names, [inner for _, inner in lowered]))
        return number

    def add_draft(self, stmt: c.DecideDraft, procedure: str, names: Names) -> int:
        """Lower a decision that is answered by a draft; return its number.

        `procedure`: the procedure that contains it.
        """
        number = len(self.made)
        with self.cx.noting(False):
            decider = lower(self.cx, stmt.decider, names)
        staged = self.cx.model.drafts[stmt.draft].staged
        self.made.append(
            ir.LoweredDecision(
                number, stmt.draft, procedure, (), False, (), decider, stmt.draft, stmt.span, staged, stmt.draft
            )
        )
        if self.cx.efforts is not None:
            with self.cx.noting(False):
                self.explained.append(explain_draft_decision(self.cx, stmt, names))
        return number


def lower_option(
    cx: Context, choice: c.CheckedOption | c.CheckedStep, names: Names, outside: frozenset[str]
) -> tuple[ir.LoweredOption, Names]:
    """Lower an option or step; return it with the names in scope in its body.

    `names`: the variable of each name in scope around the option. `outside`: the names of the rules that are in scope
    around it.
    """
    inner = dict(names)
    apart = frozenset[str]() if cx.efforts is None else _held_apart(cx.model, choice, outside)
    charges = parameter_charges(cx, choice)
    params: list[ir.Parameter] = []
    for param, charge in zip(choice.params, charges, strict=True):
        domain = lower(cx, param.domain, inner)
        held = collection(domain.type)
        if isinstance(held, t.ListType):
            domain = e.Apply("unique", (domain,), held, choice.span)
        item = held.item or param.type
        local = e.Local(cx.names.fresh(param.name), item, choice.span)
        if (members := members_of(cx, domain)) is not None:
            cx.names.members[local.name] = members
        inner[param.name] = local
        params.append(ir.Parameter(local.name, item, domain, param.alike, param.name in apart, charge))
    tests = tuple(cx.requirement(q, inner) for q in choice.requires)
    prefers = tuple(ir.Preference(p.sort, lower(cx, p.value, inner)) for p in choice.prefers)
    return ir.LoweredOption(choice.name, tuple(params), tests, prefers, choice.span), inner


def parameter_charges(cx: Context, choice: c.CheckedOption | c.CheckedStep) -> list[int]:
    """Return, for each parameter, the budget steps to charge for each member of its domain."""
    if cx.efforts is None:
        return [0] * len(choice.params)
    charges: list[int] = []
    each = 4 + sum(cx.efforts.of(q.test) for q in choice.requires)
    for param in reversed(choice.params):
        members = cx.efforts.members(param.domain)
        steps = cx.efforts.charge_of(members, each)
        charges.insert(0, steps)
        each = cx.efforts.of(param.domain) + (0 if steps else members * each)
    return charges


def lower_draft(cx: Context, draft: c.CheckedDraft) -> ir.Draft:
    """Lower a draft."""
    cx.names = FunctionNames()
    names: Names = {}
    for name, type_ in draft.params:
        names[name] = e.Local(cx.names.fresh(name), type_, draft.span)
    params = tuple((names[name].name, type_) for name, type_ in draft.params)
    start = tuple(lower_as(cx, value, names, type_) for _, type_, value in draft.fields)
    inner = dict(names)
    for name, type_, _ in draft.fields:
        inner[name] = e.Local(cx.names.fresh(name), type_, draft.span)
    fields = tuple((inner[name].name, type_) for name, type_, _ in draft.fields)
    steps: list[ir.Step] = []
    explained: list[x.ExplainedOption] = []
    outside = frozenset(inner)
    for step in draft.steps:
        option, within = lower_option(cx, step, inner, outside)
        if cx.efforts is not None and not cx.form.is_beside_play:
            explained.append(explain_option(cx, step, within))
        now = tuple((index, lower_as(cx, value, within, draft.fields[index][1])) for index, value in step.now)
        stops: e.Expr = e.Const(step.stops, t.FLAG, step.span)
        if step.stops_if is not None:
            stops = lower(cx, step.stops_if, within)
        if cx.form.notes_coverage and step.because_cites:
            stops = e.CitedTest(stops, step.because_cites, t.FLAG, step.span)
        steps.append(ir.Step(option, now, stops))
    finish = tuple(cx.requirement(q, inner) for q in draft.finish)
    offer = tuple(lower(cx, value, inner) for _, value in draft.offer)
    price = None if draft.cheapest is None else lower(cx, draft.cheapest, inner)
    prefers = tuple(ir.Preference(p.sort, lower(cx, p.value, inner)) for p in draft.prefers)
    offer = offer or tuple(inner[name] for name, _, _ in draft.fields)
    if cx.efforts is not None and not cx.form.is_beside_play:
        explain_draft(cx, draft, inner, explained)
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


def _held_apart(
    model: CheckedModel, choice: c.CheckedOption | c.CheckedStep, outside: frozenset[str]
) -> frozenset[str]:
    """Return the parameters for which equal pieces are not interchangeable here.

    A set, another choice, or a selected piece may distinguish them. `outside`: the names in scope around the option.
    """
    if not any(p.alike for p in choice.params):
        return frozenset()
    tests = [*(r.test for r in choice.requires), *(p.value for p in choice.prefers)]
    around = outside.union(p.name for p in choice.params)
    known: dict[tuple[str, str], bool] = {}
    if any(_picks_pieces(model, core, known) for core in [*tests, *(p.domain for p in choice.params[1:])]):
        return frozenset(p.name for p in choice.params if p.alike)
    found = set()
    for number, param in enumerate(choice.params):
        cores = [*tests, *(p.domain for p in choice.params[number + 1 :])]
        pieces = {name for core in cores for name in _piece_locals(core) if name in around}
        if param.alike and pieces - {param.name}:
            found.add(param.name)
    return frozenset(found)


def _picks_pieces(model: CheckedModel, core: Core, known: dict[tuple[str, str], bool]) -> bool:
    """Return whether an expression, or a callee, refers to pieces other than by filtering all of them.

    `known`: results for callees by (sort, name), extended here.
    """
    picks = n.Literal | n.GameValue | n.AttributeOf | n.LookUp
    if isinstance(core, n.Operation):
        if core.name in ("item", "first", "last", "take") and _holds_pieces(core.type):
            return True
    elif isinstance(core, picks) and _holds_pieces(core.type):
        return True
    if isinstance(core, n.CheckedCall):
        key = (core.sort, core.name)
        if key not in known:
            known[key] = False  # while it is looked at
            known[key] = any(_picks_pieces(model, x, known) for x in called_expressions(model, core))
        if known[key]:
            return True
    return any(_picks_pieces(model, child, known) for child in children(core))


def _piece_locals(core: Core) -> set[str]:
    """Return the locals in an expression that hold pieces, alone or in a collection."""
    return {x.name for x in n.descendants(core) if isinstance(x, n.CheckedLocal) and _holds_pieces(x.type)}


def _holds_pieces(type_: t.Type | None) -> bool:
    match type_:
        case t.SetType(item=None) | t.ListType(item=None):
            return True  # began empty: nothing is known of its members here
        case t.SetType(item=item) | t.ListType(item=item) | t.MaybeType(item=item):
            return _holds_pieces(item)
        case t.ThingType(kind=kind):
            return kind == "piece"
    return isinstance(type_, t.RecordType)
