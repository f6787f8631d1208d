"""Checks of requirements and preferences with their failure messages: syntax in, checked forms out.

Independent of the owner: an option, a step of a draft, a rule, or `finish`.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.checker.expressions.expression_types import ExpressionChecker
from interpreter.checker.scope import Env
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _
from interpreter.language import syntax as s
from interpreter.model import expressions as n, statements as c, types as t


class RequirementChecker:
    """Checker for requirements and preferences."""

    def __init__(self, checker: ExpressionChecker, check_cites: Callable[[tuple[s.CiteClause, ...]], c.Cites]) -> None:
        self.expressions = checker
        self.check_cites = check_cites

    def check_requirement(self, node: s.RequireClause, env: Env, address: str, number: int) -> c.CheckedRequirement:
        """Check a requirement and its message; a failing `no` or `any` makes its member available to the message.

        `address`: the owner's address, to which the requirement's name is appended, or `number` if it has no name.
        """
        test = self.expressions.check_flag(node.test, env, _("a requirement"))
        witness = _find_witness(test)
        inner = env
        if witness is not None:
            inner = env.create_nested(**{witness.var: t.get_member_type(witness.domain.type) or t.NEVER})
        unusable = _list_unusable_names(test, witness)
        for name, span in {} if node.words is None else _find_hole_names(node.words).items():
            if name in unusable and inner.find(name) is None:
                self.expressions.error(
                    "unlent-name",
                    _("`{name}` is not always the cause of the failure, so the text cannot name it", name=name),
                    span,
                    _(
                        "a text can name only the member that a test `no x in ...` finds: make that test a "
                        "requirement of its own"
                    ),
                )
                inner = inner.create_nested(**{name: t.NEVER})
        words = self.expressions.check_template(node.words, inner)
        if words is None and not _is_self_explanatory(test):
            self.expressions.error(
                "missing-words",
                _("a requirement needs a text that says why it fails"),
                node.span,
                _('write the text after it: require ... "the gate is shut" [5.2]'),
            )
        name = node.name or str(number)
        return c.CheckedRequirement(f"{address}.{name}", test, words, self.check_cites(node.cites), node.span, witness)

    def check_all(self, nodes: tuple[s.RequireClause, ...], env: Env, address: str) -> tuple[c.CheckedRequirement, ...]:
        """Check the requirements of one owner in order; report duplicate names. `address`: the owner's address."""
        spans_by_name: dict[str, Span] = {}
        for node in nodes:
            if node.name is not None and node.name in spans_by_name:
                self.expressions.error(
                    "name-taken",
                    _("two requirements here are called `{name}`", name=node.name),
                    node.span,
                    _("rename one of them"),
                )
            if node.name is not None:
                spans_by_name[node.name] = node.span
        return tuple(self.check_requirement(n, env, address, i + 1) for i, n in enumerate(nodes))

    def check_preference(self, node: s.PreferClause, env: Env) -> c.CheckedPreference:
        """Check a preference: a test, or a number to minimize or maximize."""
        expected_type = t.FLAG if node.extreme is None else t.NUMBER
        value = self.expressions.check_type(node.test, env, expected_type, _("a preference"))
        return c.CheckedPreference(
            node.extreme or "test",
            value,
            self.expressions.check_template(node.words, env),
            self.check_cites(node.cites),
            node.span,
        )


def _find_witness(test: c.Core) -> n.Comprehension | None:
    """Return the comprehension `no x in ...` (or `not any`) whose member the message may name on failure, or None."""
    match test:
        case n.Comprehension("no"):
            return test
        case n.Operation("not", (n.Comprehension("any") as inner,)):
            return inner
        case n.Operation("or", (*_before, last)):
            return _find_witness(last)
    return None


def _list_unusable_names(test: c.Core, witness: c.Core | None) -> set[str]:
    """Return the names of a test's loop variables that the requirement's message cannot use.

    `witness`: the comprehension whose variable the message can use, or None.
    """
    names = {test.var} if isinstance(test, n.Comprehension) and test is not witness else set[str]()
    return names.union(*(_list_unusable_names(child, witness) for child in c.list_children(test)))


def _find_hole_names(template: s.Template) -> dict[str, Span]:
    """Return the names used in the holes of a message, alone or before a dot, with their spans."""
    spans: dict[str, Span] = {}
    for part in template.parts:
        while isinstance(part, s.AttrExpr):
            part = part.owner
        if isinstance(part, s.NameExpr):
            spans.setdefault(part.id, part.span)
    return spans


def _is_self_explanatory(test: c.Core) -> bool:
    """Return whether a test needs no message: a rule call, or an `and` of them, reports the rule's own message."""
    match test:
        case n.CheckedCall("rule"):
            return True
        case n.Operation("and", items):
            return all(_is_self_explanatory(i) for i in items)
    return False
