"""What is declared or read and no game meets: results of charts, levels of victory, options, a last turn.

Must not look at who reads a chart, judge whether a condition ever holds, nor what an option changes.
"""

from __future__ import annotations

from interpreter.model import core as c
from interpreter.model import nodes as n
from interpreter.model import types as t
from interpreter.model.core import records_inside, records_of
from interpreter.model.ruleset import Table
from interpreter.source.diagnostic import Related, Sink
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


def find_missing_last_turns(model: c.CheckedModel, sink: Sink) -> None:
    """Report scenarios without a last turn where rules ask for it and say nothing for want of one."""
    asked = [x for x in records_of(model) if isinstance(x, n.Operation)]
    if any(_asks_whether_there_is_one(x) for x in asked):
        return
    minded = {id(x.operands[0]) for x in asked if x.name == "orelse"}
    reads = [x.span for x in asked if x.name == "last_turn" and id(x) not in minded]
    if not reads:
        return
    first = min(reads, key=lambda span: (span.file, span.start))
    for scenario in model.ruleset.scenarios.values():
        if scenario.turns is None:
            sink.warning(
                "no-last-turn",
                _("the rules ask for `last_turn`, and `{scenario}` has no `turns:`", scenario=scenario.id),
                scenario.origin.span,
                help=_("give it `turns:`, the number of its last turn, or let the rules say what holds without: else"),
                related=(Related(_("asked here"), first),),
            )


def _asks_whether_there_is_one(asked: n.Operation) -> bool:
    """True for `last_turn == none` and `last_turn != none`."""
    names = [x.name for x in asked.operands if isinstance(x, n.Operation)]
    nothing = [x for x in asked.operands if isinstance(x, n.Literal) and x.value is None]
    return asked.name in ("==", "!=") and "last_turn" in names and len(nothing) == 1


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
