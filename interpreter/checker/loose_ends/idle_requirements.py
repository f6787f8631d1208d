"""Requirements that refuse nothing: what they ask is true whatever is chosen.

Only what can be seen at once is told: what is always true, what is compared with itself, what a parameter's
domain or an earlier requirement says already. Findings are warnings. Must not change the model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from interpreter.checker.suspension import walk
from interpreter.model import core as c
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import Sentence
from interpreter.words.speech import mark as _

Owner = tuple[Sequence[c.Requirement], Sequence[c.Param]]


def check_requirements(model: c.CheckedModel, sink: Sink) -> None:
    """Report every requirement of an option, a step or a rule that cannot fail."""
    for requires, params in _owners(model):
        seen: list[c.Core] = []
        for requirement in requires:
            reason = _why_idle(requirement.test, seen, params)
            if reason:
                sink.warning(
                    "idle-requirement",
                    _("this requirement refuses nothing: {reason}", reason=reason),
                    requirement.span,
                    help=_("take it out, or write what it was meant to ask"),
                )
            seen.append(requirement.test)


def _owners(model: c.CheckedModel) -> Iterator[Owner]:
    for rule in model.rules.values():
        yield rule.requires, ()
    for draft in model.drafts.values():
        yield draft.finish, ()
        for step in draft.steps:
            yield step.requires, step.params
    for procedure in model.procedures.values():
        for stmt in walk(procedure.body):
            if isinstance(stmt, c.Decide):
                for choice in stmt.choices:
                    yield choice.requires, choice.params


def _why_idle(test: c.Core, before: Sequence[c.Core], params: Sequence[c.Param]) -> Sentence | None:
    if test.op == "const" and test.args[0] is True:
        return _("it is always true")
    if test.op == "cmp" and test.args[0] in ("==", "<=", ">=") and _same(test.args[1], test.args[2]):
        return _("it compares a value with itself")
    if any(_same(test, earlier) for earlier in before):
        return _("it stands above already")
    if test.op == "in" and test.args[0].op == "local":
        for param in params:
            if param.name == test.args[0].args[0] and _same(param.domain, test.args[1]):
                return _("`{name}` is taken from this set", name=param.name)
    return None


def _same(one: object, other: object) -> bool:
    """Whether two expressions are written alike, wherever they stand."""
    if isinstance(one, c.Core) and isinstance(other, c.Core):
        return one.op == other.op and len(one.args) == len(other.args) and all(map(_same, one.args, other.args))
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other
