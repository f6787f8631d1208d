"""Options that change nothing: no rule asks for them. Must not judge what they change."""

from __future__ import annotations

from interpreter.model import core as c
from interpreter.model import nodes as n
from interpreter.model.core import records_of
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import mark as _


def find_unread_options(model: c.CheckedModel, sink: Sink) -> None:
    """Report options that neither rules nor documents read; those that split a seat change who plays."""
    read = {x.option for x in records_of(model) if isinstance(x, n.Playing)}
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
