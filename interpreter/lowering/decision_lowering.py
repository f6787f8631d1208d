"""Decisions and drafts: their options, requirements, preferences and ends."""

from __future__ import annotations

from interpreter.ir import explanation_records as x, expression_records as e, program_records as ir
from interpreter.lowering.alike_pieces import held_apart
from interpreter.lowering.explanation_lowering import (
    explain_decision,
    explain_draft,
    explain_draft_decision,
    explain_option,
)
from interpreter.lowering.expression_lowering import lower, lower_as, members_of
from interpreter.lowering.lowering_context import Context, FunctionNames, Names
from interpreter.lowering.value_types import collection
from interpreter.model import statements as c, types as t


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
        choices = () if cx.form.is_beside_play else stmt.choices
        lowered = [lower_option(cx, choice, names) for choice in choices]
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


def lower_option(cx: Context, choice: c.CheckedOption | c.CheckedStep, names: Names) -> tuple[ir.LoweredOption, Names]:
    """Lower an option or step; return it with the names in scope in its body.

    `names`: the IR variable of each name in scope around the option.
    """
    inner = dict(names)
    apart = frozenset[str]() if cx.efforts is None else held_apart(cx.model, choice, frozenset(names))
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
    for step in draft.steps:
        option, within = lower_option(cx, step, inner)
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
