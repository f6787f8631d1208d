"""Results that a chart may give and never does. Must not look at who reads the chart."""

from __future__ import annotations

from interpreter.model import core as c
from interpreter.model import types as t
from interpreter.model.ruleset import Table
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import mark as _


def find_unused_results(model: c.CheckedModel, sink: Sink) -> None:
    """Report each word or sign that a chart declares and no cell of it holds."""
    for table in model.ruleset.tables.values():
        if table.unreadable or model.ruleset.extends is not None:
            continue
        for word in _declared(table):
            if not _is_held(table, word):
                sink.warning(
                    "unused-result",
                    _("no cell of `{table}` gives `{word}`", table=table.id, word=word),
                    table.origin.span,
                    help=_("take it out of `gives`, or correct the cell that should give it"),
                )


def _declared(table: Table) -> list[str]:
    if table.signs:
        return list(dict.fromkeys(name for _sign, name, _number in table.signs))
    return list(table.type.values) if isinstance(table.type, t.OneOf) else []


def _is_held(table: Table, word: str) -> bool:
    for value in table.cells.values():
        if value == word or isinstance(value, tuple) and any(isinstance(p, tuple) and p[:1] == (word,) for p in value):
            return True
    return False
