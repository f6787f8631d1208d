"""Lint data that no game reaches: results of charts, rungs, levels of victory, options, a last turn.

Conservative: conditions are not evaluated, effects of options and readers of charts are ignored, and any statement
that steps to a rung makes it reachable.
"""

from __future__ import annotations

from typing import Any

from interpreter.diagnostics.diagnostic import Related, Sink
from interpreter.i18n.translator import mark as _
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel, iter_model_records, iter_nested_records
from interpreter.model.ruleset import Ladder, Ruleset, Table


def report_unused_results(model: CheckedModel, sink: Sink) -> None:
    """Report each word or sign that a chart declares but no cell contains."""
    for table in model.ruleset.tables.values():
        if table.unreadable or model.ruleset.extends is not None:
            continue
        for word in _list_declared(table):
            if not _is_held(table, word):
                sink.add_warning(
                    "unused-result",
                    _("no cell of `{table}` gives `{word}`", table=table.id, word=word),
                    table.origin.span,
                    help=_("remove it from `gives`, or correct the cell that should give it"),
                )


def _list_declared(table: Table) -> list[str]:
    if table.signs:
        return list(dict.fromkeys(name for _sign, name, _number in table.signs))
    return list(table.type.values) if isinstance(table.type, t.OneOfType) else []


def _is_held(table: Table, word: str) -> bool:
    """Return whether a cell of a chart is or contains the result `word`."""
    for value in table.cells.values():
        if value == word or isinstance(value, tuple) and any(isinstance(p, tuple) and p[:1] == (word,) for p in value):
            return True
    return False


def report_unread_options(model: CheckedModel, sink: Sink) -> None:
    """Report optional rules that nothing reads and that neither split a seat nor exchange names."""
    read = {x.option for x in iter_model_records(model) if isinstance(x, n.Playing)}
    replaced = [p.replaced_when.text for p in model.ruleset.rulebook.values() if p.replaced_when]
    for option in model.ruleset.options.values():
        has_effect = option.splits is not None or bool(option.exchanges)
        is_read = option.id in read or has_effect or any(option.id in text for text in replaced)
        if not is_read:
            sink.add_warning(
                "unread-option",
                _("nothing reads the option `{option}`: it has no effect", option=option.id),
                option.origin.span,
                help=_("test it in the rules with `playing {option}`, or remove it", option=option.id),
            )


def report_missing_last_turns(model: CheckedModel, sink: Sink) -> None:
    """Report scenarios without a last turn if rules read `last_turn` without handling its absence."""
    operations = [x for x in iter_model_records(model) if isinstance(x, n.Operation)]
    if any(_is_last_turn_test(x) for x in operations):
        return
    minded = {id(x.operands[0]) for x in operations if x.name == "orelse"}
    reads = [x.span for x in operations if x.name == "last_turn" and id(x) not in minded]
    if not reads:
        return
    first = min(reads, key=lambda span: (span.file, span.start))
    for scenario in model.ruleset.scenarios.values():
        if scenario.turns is None:
            sink.add_warning(
                "no-last-turn",
                _("the rules use `last_turn`, but `{scenario}` has no `turns:`", scenario=scenario.id),
                scenario.origin.span,
                help=_("set `turns:` to the number of its last turn, or add an `else` in the rules"),
                related=(Related(_("asked here"), first),),
            )


def _is_last_turn_test(operation: n.Operation) -> bool:
    """Return whether a comparison is `last_turn == none` or `last_turn != none`."""
    names = [x.name for x in operation.operands if isinstance(x, n.Operation)]
    nothing = [x for x in operation.operands if isinstance(x, n.Literal) and x.value is None]
    return operation.name in ("==", "!=") and "last_turn" in names and len(nothing) == 1


def report_unreachable_levels(model: CheckedModel, sink: Sink) -> None:
    """Report victory levels that have no condition and that no statement `end game won by .. as` names."""
    reachable: set[object] = set()  # handles of levels
    for end in (x for x in iter_nested_records((model.procedures, model.watchers)) if isinstance(x, c.CheckedEndGame)):
        if end.level is None:
            continue
        if not isinstance(end.level, n.Literal):
            return  # the level is computed
        reachable.add(end.level.value)
    levels = zip(model.ruleset.victory.levels, model.levels, strict=False)
    for handle, (level, when) in enumerate(levels):
        never = isinstance(when, n.Literal) and when.value is False
        if (when is None or never) and handle not in reachable:
            sink.add_warning(
                "unreachable-level",
                _("no game can end at the level `{level}`", level=level.id),
                level.origin.span,
                help=_("give it a `when:`, or use it in the rules: end game won by .. as {level}", level=level.id),
            )


def report_unreachable_rungs(model: CheckedModel, sink: Sink) -> None:
    """Report the rungs that no thing starts on and no rule can reach."""
    ruleset = model.ruleset
    if ruleset.extends is not None:
        return
    moves = iter_nested_records((model.procedures, model.watchers))
    steps = [x for x in moves if isinstance(x, c.SetAttribute | c.StepRung)]
    for ladder in ruleset.ladders.values():
        reached = _find_reachable_rungs(ruleset, ladder, steps)
        unreached = [rung for number, rung in enumerate(ladder.rungs) if reached is not None and number not in reached]
        for rung in unreached:
            sink.add_warning(
                "unreachable-rung",
                _("nothing sets the rung `{rung}` of `{ladder}`", rung=rung, ladder=ladder.id),
                ladder.origin.span,
                help=_("write the rule that sets it, or remove the rung"),
            )


def _find_reachable_rungs(ruleset: Ruleset, ladder: Ladder, steps: list[Any]) -> set[int] | None:
    """Return the indexes of the rungs of a ladder that a thing can have: at the start or by a statement of the rules.

    `steps`: the statements that set or move attributes. Returns None if a value is computed, or if no changing
    attribute uses the ladder.
    """
    kinds = [(k.id, a) for k in ruleset.kinds.values() for a in k.attributes.values() if str(a.type) == ladder.id]
    kinds += [("game", a) for a in ruleset.game.values() if str(a.type) == ladder.id]
    if not kinds or not any(a.changes for _kind, a in kinds):
        return None
    names = {(kind, a.name) for kind, a in kinds}
    rungs: set[int] = {a.default for _kind, a in kinds if isinstance(a.default, int)}
    for kind, attribute in kinds:
        things = ruleset.kinds[kind].things if kind in ruleset.kinds else ()
        values = [thing.values.get(attribute.name) for thing in things]
        for scenario in ruleset.scenarios.values():
            position = scenario.position
            settings = [*position.pieces.values(), *position.things.values(), position.game]
            values += [own.get(attribute.name) for own in settings]
            values += [v for group in position.groups for name, v in group.values if name == attribute.name]
        rungs |= {v for v in values if isinstance(v, int) and not isinstance(v, bool)}
    up = down = False
    for step in steps:
        if (step.kind, step.name) not in names:
            continue
        if isinstance(step, c.SetAttribute):
            if not isinstance(step.value, n.Literal) or not isinstance(step.value.value, int):
                return None
            rungs.add(step.value.value)
        else:
            up, down = up or step.by > 0, down or step.by < 0
    least, most = min(rungs, default=0), max(rungs, default=0)
    return set(range(0 if down else least, len(ladder.rungs) if up else most + 1)) if up or down else rungs
