"""Levels of victory that no game can end on. Must not judge whether a condition ever holds."""

from __future__ import annotations

from interpreter.model import core as c
from interpreter.model import nodes as n
from interpreter.model.core import records_inside
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import mark as _


def find_unreachable_levels(model: c.CheckedModel, sink: Sink) -> None:
    """Report levels without a condition of their own that no `won by .. as` names."""
    named: set[object] = set()  # handles of levels
    for end in (x for x in records_inside((model.procedures, model.watchers)) if isinstance(x, c.End)):
        if end.level is None:
            continue
        if not isinstance(end.level, n.Literal):
            return  # the level is worked out
        named.add(end.level.value)
    levels = zip(model.ruleset.victory.levels, model.levels, strict=False)
    for handle, (level, when) in enumerate(levels):
        never = isinstance(when, n.Literal) and when.value is False
        if (when is None or never) and handle not in named:
            sink.warning(
                "unreachable-level",
                _("no game can end on the level `{level}`", level=level.id),
                level.origin.span,
                help=_("give it a `when:`, or name it in the rules: end game won by .. as {level}", level=level.id),
            )
