"""Lint requirements that never refuse anything, because they hold for every choice.

Reports only what is syntactically evident: a constant true, a value compared with itself, a test implied by the
parameter's domain or by an earlier requirement. Findings are warnings; the model is read only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.checker.suspension import walk
from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import Message, mark as _
from interpreter.model import expressions as n, statements as c
from interpreter.model.checked_model import CheckedModel

Owner = tuple[Sequence[c.CheckedRequirement], Sequence[c.Param]]


def check_requirements(model: CheckedModel, sink: Sink) -> None:
    """Report each requirement of an option, a step or a rule that cannot fail."""
    for requires, params in iter_requirements(model):
        earlier_tests: list[c.Core] = []
        for requirement in requires:
            reason = _explain_idle(requirement.test, earlier_tests, params)
            if reason:
                sink.add_warning(
                    "idle-requirement",
                    _("this requirement never fails: {reason}", reason=reason),
                    requirement.span,
                    help=_("remove it, or write the test that was meant"),
                )
            earlier_tests.append(requirement.test)


def iter_requirements(model: CheckedModel) -> Iterator[Owner]:
    """Yield the requirements of each rule, draft, step and option, with the parameters in scope."""
    for rule in model.rules.values():
        yield rule.requires, ()
    for draft in model.drafts.values():
        yield draft.finish, ()
        for step in draft.steps:
            yield step.requires, step.params
    for procedure in model.procedures.values():
        for stmt in walk(procedure.body):
            if isinstance(stmt, c.Decide):
                yield stmt.finish, ()
                for choice in stmt.choices:
                    yield choice.requires, choice.params


def _explain_idle(test: c.Core, before: Sequence[c.Core], params: Sequence[c.Param]) -> Message | None:
    """Return why a test is always true, or None.

    `before`: the tests that hold already; `params`: the parameters in scope.
    """
    if isinstance(test, n.Literal) and test.value is True:
        return _("it is always true")
    match test:
        case n.Operation("==" | "<=" | ">=", (left, right)) if n.is_equivalent(left, right):
            return _("it compares a value with itself")
    if any(n.is_equivalent(test, earlier) for earlier in before):
        return _("it is already written above")
    match test:
        case n.Operation("in", (n.CheckedLocal(name), domain)):
            if any(p.name == name and n.is_equivalent(p.domain, domain) for p in params):
                return _("`{name}` is chosen from this set", name=name)
    return None
