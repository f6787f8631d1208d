"""The built-in functions of the language, with their types.

Each names no game concept and could serve any ruleset. To add one: a checker here,
its meaning in runtime/functions.py, a line in the author's guide.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.checker.expressions import sets
from interpreter.checker.expressions.expression_types import Expressions
from interpreter.checker.scope import Env
from interpreter.language import syntax as s
from interpreter.model import types as t
from interpreter.model.core import Core
from interpreter.words.speech import mark as _

_Builtin = Callable[["Expressions", s.Call, Env, "t.Type | None"], Core]


def _set_argument(x: Expressions, node: s.Call, index: int, env: Env) -> tuple[Core, t.Type]:
    core = x.present(x.check(node.args[index], env), _("what `{name}` works on", name=node.name))
    return core, x.item_of(core, _("what `{name}` works on", name=node.name))


def _wrong(x: Expressions, node: s.Call, usage: str) -> Core:
    return x.fault(
        "wrong-number-of-arguments", _("`{name}` is written {usage}", name=node.name, usage=usage), node.span
    )


def _fold(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    """count, sum, min, max over a former, a set or a list; min and max also over plain numbers."""
    sort = node.name
    if not node.args:
        return _wrong(x, node, f"{sort}(x in set where ...)")
    if len(node.args) == 1:
        former = sets.as_former(node.args[0], env)
        if former is not None:
            return sets.former(x, former, env, sort)
        core, item = _set_argument(x, node, 0, env)
        if sort == "count":
            return Core("builtin", ("count", core), t.INT, node.span)
        if not t.fits(item, t.NUMBER):
            return x.fault(
                "wrong-type", _("`{sort}` needs numbers, found {more}", sort=sort, more=x.word(core.type)), node.span
            )
        type_: t.Type = item if sort == "sum" else t.Maybe(item)
        return Core("builtin", (sort, core), type_, node.span)
    if sort not in ("min", "max"):
        return _wrong(x, node, f"{sort}(x in set where ...)")
    what = _("each value of `{name}`", name=sort)
    numbers = tuple(x.of_type(a, env, t.NUMBER, what) for a in node.args)  # type: ignore[arg-type]
    whole = all(isinstance(n.type, t.Int) for n in numbers)
    return Core("builtin", (sort + "_of", *numbers), t.INT if whole else t.NUMBER, node.span)


def _end(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    """first and last of a set, list or former."""
    if len(node.args) != 1:
        return _wrong(x, node, f"{node.name}(set)")
    former = sets.as_former(node.args[0], env)
    if former is not None:
        core = sets.former(x, former, env, "list")
    else:
        core = x.present(x.check(node.args[0], env), _("the set"))
    item = x.item_of(core, _("what `{name}` works on", name=node.name))
    return Core("builtin", (node.name, core), t.Maybe(item), node.span)


def _take(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    if len(node.args) != 2:
        return _wrong(x, node, "take(number, set)")
    number = x.of_type(node.args[0], env, t.INT, _("the number to take"))  # type: ignore[arg-type]
    core, _item = _set_argument(x, node, 1, env)
    return Core("builtin", ("take", number, core), core.type, node.span)


def _alike(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    if len(node.args) != 2:
        return _wrong(x, node, "alike(piece, set of pieces)")
    piece = x.of_type(node.args[0], env, t.PIECE, _("the piece"))  # type: ignore[arg-type]
    core, _item = _set_argument(x, node, 1, env)
    return Core("builtin", ("alike", piece, core), core.type, node.span)


def _both(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    if len(node.args) != 2:
        return _wrong(x, node, "both(set, set)")
    a, _item = _set_argument(x, node, 0, env)
    b, _item = _set_argument(x, node, 1, env)
    if t.join(a.type, b.type) is None:
        return x.fault("wrong-type", _("`both` needs two sets of one type"), node.span)
    return Core("builtin", ("both", a, b), a.type, node.span)


def _typed(usage: str, params: tuple[t.Type, ...], result: t.Type) -> _Builtin:
    def check(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
        if len(node.args) != len(params):
            return _wrong(x, node, usage)
        args = tuple(
            x.of_type(a, env, p, _("each value of `{name}`", name=node.name))  # type: ignore[arg-type]
            for a, p in zip(node.args, params, strict=True)
        )
        return Core("builtin", (node.name, *args), result, node.span)

    return check


def _highest_level(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    if len(node.args) != 1:
        return _wrong(x, node, "highest_level(seat)")
    seat = x.of_type(node.args[0], env, t.SEAT, _("the seat"))  # type: ignore[arg-type]
    return Core("highest_level", (seat,), t.Maybe(t.ThingOf("level")), node.span)


def _spelled(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    core: Any = x.present(x.check(node.args[0], env), _("the number")) if len(node.args) == 1 else None
    if core is None:
        return _wrong(x, node, f"{node.name}(number)")
    number = x.expect(core, t.NUMBER, _("the value of `{name}`", name=node.name))
    return Core("builtin", (node.name, number), t.INT if node.name != "abs" else number.type, node.span)


def _step(x: Expressions, node: s.Call, env: Env, expected: t.Type | None) -> Core:
    """A step from a place that may be missing leads to a missing place: steps can be chained."""
    if len(node.args) != 2:
        return _wrong(x, node, "step(place, direction)")
    place, direction = (
        x.of_type(a, env, t.Maybe(wanted), _("each value of `{name}`", name="step"))  # type: ignore[arg-type]
        for a, wanted in zip(node.args, (t.PLACE, t.DIRECTION), strict=True)
    )
    return Core("builtin", ("step", place, direction), t.Maybe(t.PLACE), node.span)


PLACES = t.SetOf(t.PLACE)
BUILTINS: dict[str, _Builtin] = {
    "count": _fold,
    "sum": _fold,
    "min": _fold,
    "max": _fold,
    "first": _end,
    "last": _end,
    "take": _take,
    "alike": _alike,
    "both": _both,
    "highest_level": _highest_level,
    "round_down": _spelled,
    "round_up": _spelled,
    "round_near": _spelled,
    "abs": _spelled,
    "remainder": _typed("remainder(number, by)", (t.INT, t.INT), t.INT),
    "neighbours": _typed("neighbours(place)", (t.PLACE,), PLACES),
    "linked": _typed("linked(place, place)", (t.PLACE, t.PLACE), t.FLAG),
    "edge": _typed("edge(place, place)", (t.PLACE, t.PLACE), t.Maybe(t.EDGE)),
    "edges_of": _typed("edges_of(place)", (t.PLACE,), t.SetOf(t.EDGE)),
    "ends_of": _typed("ends_of(edge)", (t.EDGE,), PLACES),
    "step": _step,
    "ray": _typed("ray(place, direction)", (t.PLACE, t.DIRECTION), t.ListOf(t.PLACE)),
    "direction_to": _typed("direction_to(place, neighbour)", (t.PLACE, t.PLACE), t.Maybe(t.DIRECTION)),
    "turned": _typed("turned(direction, steps clockwise)", (t.DIRECTION, t.INT), t.DIRECTION),
    "turns_between": _typed("turns_between(direction, direction)", (t.DIRECTION, t.DIRECTION), t.INT),
    "spaces_between": _typed("spaces_between(place, place)", (t.PLACE, t.PLACE), t.INT),
    "line_between": _typed("line_between(place, place)", (t.PLACE, t.PLACE), t.ListOf(t.PLACE)),
    "column_of": _typed("column_of(place)", (t.PLACE,), t.INT),
    "row_of": _typed("row_of(place)", (t.PLACE,), t.INT),
}
