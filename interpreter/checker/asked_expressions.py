"""Expressions asked from outside, by a case, a tool or a reader: checked against rules that have been checked.

Must not change the model, nor compile or run anything.
"""

from __future__ import annotations

from interpreter.checker.expressions.forms import expressions_of
from interpreter.checker.scope import Env, Names, Signature
from interpreter.language.parsing import parse_expression
from interpreter.model import core as c
from interpreter.model import types as t
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Source


def names_of(model: c.CheckedModel) -> Names:
    """All that expressions asked from outside may name; whoever asks many makes it once."""
    names = Names(model.ruleset, Sink())
    for table, items in ((names.defines, model.defines), (names.tallies, model.tallies)):
        for key, item in items.items():
            table[key] = Signature(item.params, item.type, item.span)
    for key, rule in model.rules.items():
        names.rules[key] = Signature(rule.params, t.FLAG, rule.span)
    for key, draft in model.drafts.items():
        names.drafts[key] = Signature(draft.params, None, draft.span)
    names.records.update(model.records)
    return names


def check_expression(model: c.CheckedModel, source: Source, sink: Sink, names: Names | None = None) -> c.Core | None:
    """An expression asked from outside (a test, a tool), checked against a checked model.

    `names`: those of the model, where they are at hand.
    """
    names = names_of(model) if names is None else names
    names.sink = sink
    node = parse_expression(source, 0, len(source.text), sink)
    return None if node is None else expressions_of(names).check(node, Env({}))
