"""Rungs of ladders to which nothing leads. Must not follow the rules: any step counts, wherever it stands."""

from __future__ import annotations

from typing import Any

from interpreter.model import core as c
from interpreter.model import nodes as n
from interpreter.model.core import records_inside
from interpreter.model.ruleset import Ladder, Ruleset
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import mark as _


def find_unreachable_rungs(model: c.CheckedModel, sink: Sink) -> None:
    """Report the rungs that no thing begins on and no rule can bring it to."""
    ruleset = model.ruleset
    if ruleset.extends is not None:
        return
    moves = records_inside((model.procedures, model.watchers))
    steps = [x for x in moves if isinstance(x, c.SetAttribute | c.StepRung)]
    for ladder in ruleset.ladders.values():
        reached = _reached(ruleset, ladder, steps)
        left = [rung for number, rung in enumerate(ladder.rungs) if reached is not None and number not in reached]
        for rung in left:
            sink.warning(
                "unreachable-rung",
                _("nothing leads to the rung `{rung}` of `{ladder}`", rung=rung, ladder=ladder.id),
                ladder.origin.span,
                help=_("write the rule that leads there, or take the rung out"),
            )


def _reached(ruleset: Ruleset, ladder: Ladder, steps: list[Any]) -> set[int] | None:
    """The rungs that can come; None where a value comes from somewhere else, or no attribute stands on the ladder."""
    kinds = [(k.id, a) for k in ruleset.kinds.values() for a in k.attributes.values() if str(a.type) == ladder.id]
    kinds += [("game", a) for a in ruleset.game.values() if str(a.type) == ladder.id]
    if not kinds or not any(a.changes for _kind, a in kinds):
        return None
    names = {(kind, a.name) for kind, a in kinds}
    found: set[int] = {a.default for _kind, a in kinds if isinstance(a.default, int)}
    for kind, attribute in kinds:
        things = ruleset.kinds[kind].things if kind in ruleset.kinds else ()
        values = [thing.values.get(attribute.name) for thing in things]
        for scenario in ruleset.scenarios.values():
            position = scenario.position
            given = [*position.pieces.values(), *position.things.values(), position.game]
            values += [own.get(attribute.name) for own in given]
            values += [v for _cls, group, _number in position.groups for name, v in group if name == attribute.name]
        found |= {v for v in values if isinstance(v, int) and not isinstance(v, bool)}
    up = down = False
    for step in steps:
        if (step.kind, step.name) not in names:
            continue
        if isinstance(step, c.SetAttribute):
            if not isinstance(step.value, n.Literal) or not isinstance(step.value.value, int):
                return None
            found.add(step.value.value)
        else:
            up, down = up or step.by > 0, down or step.by < 0
    least, most = min(found, default=0), max(found, default=0)
    return set(range(0 if down else least, len(ladder.rungs) if up else most + 1)) if up or down else found
