"""Options that change nothing: no rule asks for them. Must not judge what they change."""

from __future__ import annotations

from typing import Any

from interpreter.model import core as c
from interpreter.model import nodes as n
from interpreter.source.diagnostic import Sink
from interpreter.source.text import Span
from interpreter.words.speech import mark as _


def find_unread_options(model: c.CheckedModel, sink: Sink) -> None:
    """Report options that neither rules nor documents read; those that split a seat change who plays."""
    read = _asked(model)
    replaced = [p.replaced_when.text for p in model.ruleset.rulebook.values() if p.replaced_when]
    for option in model.ruleset.options.values():
        is_read = option.id in read or option.splits is not None or any(option.id in text for text in replaced)
        if not is_read:
            sink.warning(
                "unread-option",
                _("nothing reads the option `{option}`: games are alike with and without it", option=option.id),
                option.origin.span,
                help=_("ask for it in the rules, `playing {option}`, or take it out", option=option.id),
            )


def _asked(model: c.CheckedModel) -> set[str]:
    found: set[str] = set()
    stack: list[Any] = [getattr(model, name) for name in model.__dataclass_fields__ if name != "ruleset"]
    while stack:
        one = stack.pop()
        if isinstance(one, n.Playing):
            found.add(one.option)
        if n.is_core(one):
            stack.extend(n.children(one))
        elif isinstance(one, dict):
            stack.extend(one.values())
        elif isinstance(one, tuple | list):
            stack.extend(one)
        elif hasattr(one, "__dataclass_fields__") and not isinstance(one, Span):
            stack.extend(getattr(one, f) for f in one.__dataclass_fields__ if f not in ("span", "type"))
    return found
