"""Type-check expressions from outside the rules (test cases, tools, readers) against a checked model.

The model is read only; nothing is compiled or run.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from threading import Lock

from interpreter.checker.expressions.dispatch import build_expression_checker
from interpreter.checker.scope import CONTAINERS, Env, RulesScope, Signature
from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import NOWHERE, Source
from interpreter.language.parsing import parse_expression
from interpreter.language.syntax import Expr, TypeName
from interpreter.model import statements as c, types as t
from interpreter.model.checked_model import CheckedModel

_checking = Lock()  # a scope records its findings for one expression at a time
_MAX_CACHED_EXPRESSIONS = 2000  # cache size per ruleset


@lru_cache(maxsize=1)
def build_scope(model: CheckedModel) -> RulesScope:
    """Return a scope with every name that an expression outside the rules may use."""
    names = RulesScope(model.ruleset, Sink())
    for table, items in ((names.defines, model.defines), (names.tallies, model.tallies)):
        for key, item in items.items():
            table[key] = Signature(item.params, item.type, item.span)
    for key, rule in model.rules.items():
        names.rules[key] = Signature(rule.params, t.FLAG, rule.span)
    for key, draft in model.drafts.items():
        names.drafts[key] = Signature(draft.params, None, draft.span)
    names.records.update(model.records)
    return names


def check_expression(model: CheckedModel, source: Source, sink: Sink) -> c.Core | None:
    """Parse and check an expression from outside the rules, such as one of a test or a tool, against a model."""
    with _checking:
        cache = _get_cache(model)
        if len(cache) > _MAX_CACHED_EXPRESSIONS:
            cache.clear()
        key = source.name, source.text
        if key not in cache:
            names, own = build_scope(model), Sink()
            names.sink = own
            node, diagnostics = _parse_expression(source.name, source.text)
            for each in diagnostics:
                own.add(each)
            core = None if node is None else build_expression_checker(names).check(node, Env({}))
            cache[key] = core, own.items
        core, findings = cache[key]
    for each in findings:
        sink.add(each)
    return core


def infer_expression_type(model: CheckedModel, text: str, local: Mapping[str, t.Type]) -> t.Type | None:
    """Infer the type of an expression with the given local names, or None if it has an error."""
    node, faults = _parse_expression("expression", text)
    if node is None or faults:
        return None
    with _checking:
        names = build_scope(model)
        names.sink = Sink()
        type_found = build_expression_checker(names).check(node, Env(dict(local))).type
        return None if names.sink.has_errors or isinstance(type_found, t.NeverType) else type_found


def find_type_by_name(model: CheckedModel, text: str) -> t.Type | None:
    """Return the type that a type name such as `set of unit` denotes, or None."""
    for words, around in CONTAINERS.items():
        if text.startswith(words + " "):
            inner = find_type_by_name(model, text.removeprefix(words).strip())
            return None if inner is None else around(inner)
    with _checking:
        names = build_scope(model)
        names.sink, names.draft_names = Sink(), set(model.drafts)
        type_found = names.resolve_type(TypeName(text, None, span=NOWHERE))
        return None if isinstance(type_found, t.NeverType) else type_found


@lru_cache(maxsize=_MAX_CACHED_EXPRESSIONS)
def _parse_expression(name: str, text: str) -> tuple[Expr | None, tuple[Diagnostic, ...]]:
    """Return the syntax tree of the expression `text` (None after an error), and its syntax errors.

    `name`: the name of its source in messages. Memoized because the test cases of a variant repeat the expressions of
    its base.
    """
    source, sink = Source(name, text), Sink()
    node = parse_expression(source, 0, len(text), sink)
    return node, tuple(sink.items)


@lru_cache(maxsize=1)
def _get_cache(model: CheckedModel) -> dict[tuple[str, str], tuple[c.Core | None, list[Diagnostic]]]:
    """Return the cache of recently checked expressions: (name, text) -> (result, diagnostics)."""
    return {}
