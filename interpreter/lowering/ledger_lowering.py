"""Trace nodes of a ledger: the look-ups, tallies and tests that a value is computed from.

rules:  set losses = fire_table[strength + cover, die]
IR:     losses := noted(look_fire_table(strength + cover, die)), with the terms strength and cover of the first axis

Sets, flags and conditions over sets are not noted, because they only select things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from interpreter.checker.operations import COMPARISONS, get_facts
from interpreter.ir import explanation_records as x, expression_records as e, statement_records as s
from interpreter.lowering.lowering_context import Context, VariableScope
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.checked_model import CheckedModel, CheckedTally
from interpreter.model.statements import Core
from interpreter.model.types import strip_maybe

PlainLowering: TypeAlias = Callable[..., e.Expr]


def is_shown_in_ledger(type_: t.Type) -> bool:
    """Return whether a ledger shows values of a type: numbers, words, rungs, results; not sets and flags."""
    match type_:
        case t.MaybeType(item=item):
            return is_shown_in_ledger(item)
        case t.ListType(item=item):
            return isinstance(item, t.PartType)
    return isinstance(type_, t.IntType | t.NumberType | t.RungType | t.OneOfType | t.PartType | t.TextType)


def lower_noted(cx: Context, core: Core, names: VariableScope, plain: PlainLowering) -> e.Expr:
    """Lower an expression with its trace nodes.

    `plain`: the function that lowers the expression without adding a trace node.
    """
    if get_facts(core).is_silent:
        return _lower_silently(cx, core, names, plain)
    match core:
        case n.LookUp():
            return _lower_lookup(cx, core, names, plain)
        case n.CheckedCall():
            return _lower_call(cx, core, names, plain)
        case n.Comprehension():
            return _lower_fold(cx, core, names, plain)
        case n.FieldAccess():
            return _lower_field(cx, core, names, plain)
        case n.Operation(name) if name in COMPARISONS:
            return _lower_comparison(cx, core, names, plain)
    return plain(cx, core, names)


def lower_value(
    cx: Context, core: Core, names: VariableScope, name: str, kind: str | None = None, owner: Core | None = None
) -> e.Expr:
    """Lower the value given to a variable or attribute; the value of a define gets a trace node under that name.

    `kind` is the kind of thing whose attribute it is (None for a variable), `owner` the thing.
    """
    value = cx.lower(core, names)
    if not (
        cx.is_tracing and isinstance(core, n.CheckedCall) and core.sort == "define" and is_shown_in_ledger(core.type)
    ):
        return value
    define = cx.model.defines[core.name]
    lowered_owner = None if owner is None else cx.lower(owner, names)
    return e.NotedValue(value, name, define.name, define.cites, core.type, kind, lowered_owner, value.type, core.span)


def _lower_silently(cx: Context, core: Core, names: VariableScope, plain: PlainLowering) -> e.Expr:
    with cx.set_tracing(False):
        return plain(cx, core, names)


def _lower_lookup(cx: Context, core: n.LookUp, names: VariableScope, plain: PlainLowering) -> e.Expr:
    if not is_shown_in_ledger(core.type):
        return _lower_silently(cx, core, names, plain)
    return cx.convert(_lower_traced_lookup(cx, core, names, None), core.type)


def _lower_traced_lookup(
    cx: Context, core: n.LookUp, names: VariableScope, column: tuple[int, str, t.Type] | None
) -> e.Expr:
    look = cx.lower_lookup(core, names)
    with cx.set_tracing(False):
        terms = tuple(_build_terms(cx, axis, names) for axis in core.axes)
    type_ = look.type
    if column is not None:
        type_ = t.MaybeType(column[2]) if isinstance(type_, t.MaybeType) else column[2]
    return e.NotedLookUp(look, terms, column, type_, core.span)


def _lower_field(cx: Context, core: n.FieldAccess, names: VariableScope, plain: PlainLowering) -> e.Expr:
    """Lower a field of a chart's record, as a look-up whose trace node shows only that field."""
    record = core.record
    if not isinstance(record, n.LookUp) or not is_shown_in_ledger(core.type):
        return plain(cx, core, names)
    kind = strip_maybe(record.type)
    if not isinstance(kind, t.RecordType):
        return plain(cx, core, names)
    word, _ = cx.model.records[kind.id][core.index]
    return _lower_traced_lookup(cx, record, names, (core.index, word, core.type))


def _build_terms(cx: Context, core: Core, names: VariableScope) -> e.Expr:
    """Return the trace of the terms of a sum: signs, names and values; without terms if it is not a sum."""
    signed_terms = _list_signed_terms(core, 1)
    if len(signed_terms) < 2:
        signed_terms = []
    signs = tuple(sign for sign, _ in signed_terms)
    words = tuple(_find_name(part) for _, part in signed_terms)
    return e.Terms(signs, words, tuple(cx.lower(part, names) for _, part in signed_terms), t.NEVER, core.span)


def _list_signed_terms(core: Core, sign: int) -> list[tuple[int, Core]]:
    match core:
        case n.Operation("add", (left, right)):
            return _list_signed_terms(left, sign) + _list_signed_terms(right, sign)
        case n.Operation("sub", (left, right)):
            return _list_signed_terms(left, sign) + _list_signed_terms(right, -sign)
    return [(sign, core)]


def _find_name(core: Core) -> str:
    """Return the name that a value has in the rules, or "" if it has none."""
    match core:
        case n.CheckedLocal(name) | n.GameValue(name) | n.AttributeOf(_, name) | n.LookUp(name):
            return name
        case n.CheckedCall("define" | "tally", name):
            return name
    return ""


def _lower_call(cx: Context, core: n.CheckedCall, names: VariableScope, plain: PlainLowering) -> e.Expr:
    """Lower a call; a call of a tally, or of a define that `is_noted`, gets a trace node."""
    if core.sort == "tally":
        tally = cx.model.tallies[core.name]
        args = tuple(cx.lower_as(a, names, type_) for a, (_, type_) in zip(core.args, tally.params, strict=True))
        return e.NotedTally(core.name, args, tally.type, core.span)
    if core.sort != "define" or isinstance(core.type, t.SetType | t.FlagType) or not is_noted(cx, core.name):
        return _lower_silently(cx, core, names, plain)
    define = cx.model.defines[core.name]
    name = "noted_define_" + core.name

    def body(inside: VariableScope) -> s.Body:
        with cx.set_tracing(True):
            return (s.Return(cx.lower_as(define.value, inside, define.type), define.span),)

    cx.define(name, define.params, define.type, define.span, body, e.Origin("noted define", core.name))
    args = tuple(cx.lower_as(a, names, type_) for a, (_, type_) in zip(core.args, define.params, strict=True))
    return e.Call(name, args, define.type, core.span)


def _lower_fold(cx: Context, core: n.Comprehension, names: VariableScope, plain: PlainLowering) -> e.Expr:
    """Lower a comprehension. In a sum, minimum or maximum each member gets a trace node; other comprehensions get none.

    `plain`: the function that lowers an expression without adding a trace node for it.
    """
    if core.sort not in ("sum", "min", "max") or core.extreme is not None or core.result is None:
        return _lower_silently(cx, core, names, plain)

    def noted_each(inner_cx: Context, result: Core, inner: VariableScope) -> e.Expr:
        with inner_cx.set_tracing(True):
            value = inner_cx.lower(result, inner)
        return e.NotedEach(value, value.type, result.span)

    with cx.set_tracing(False):
        return plain(cx, core, names, noted_each)


def _lower_comparison(cx: Context, core: n.Operation, names: VariableScope, plain: PlainLowering) -> e.Expr:
    """Lower a comparison with a trace node if dice, a tally or a chart decide it; for words only inputs get nodes."""
    left, right = core.operands
    if not all(is_shown_in_ledger(side.type) for side in (left, right)) or not any(
        _is_based_on_dice_or_charts(cx, side) for side in (left, right)
    ):
        return _lower_silently(cx, core, names, plain)
    if not all(isinstance(side.type, t.IntType | t.NumberType) for side in (left, right)):
        return plain(cx, core, names)
    sides = cx.lower(left, names), cx.lower(right, names)
    with cx.set_tracing(False):
        terms = (_build_terms(cx, left, names), _build_terms(cx, right, names))
    rolled = _is_rolled(cx, left), _is_rolled(cx, right)
    return e.NotedTest(core.name, *sides, (_find_name(left), _find_name(right)), terms, rolled, t.FLAG, core.span)


def _is_rolled(cx: Context, core: Core) -> bool:
    """Return whether an expression is computed from dice just rolled, otherwise than by a chart."""
    match core:
        case n.CheckedLocal(name):
            return name in cx.dice_variables
        case n.LookUp():
            return False
    return any(_is_rolled(cx, child) for child in c.list_children(core))


def _is_based_on_dice_or_charts(cx: Context, core: Core) -> bool:
    """Return whether an expression reads dice just rolled, a tally or a chart."""
    match core:
        case n.CheckedCall("tally") | n.LookUp():
            return True
        case n.CheckedLocal(name):
            return name in cx.dice_variables
        case n.CheckedCall("define", name, args):
            return is_noted(cx, name) or any(_is_based_on_dice_or_charts(cx, a) for a in args)
    return get_facts(core).weighs and any(_is_based_on_dice_or_charts(cx, child) for child in c.list_children(core))


def is_noted(cx: Context, define: str) -> bool:
    """Return whether a define gets a trace node: it reads a chart or a tally and has a value that can be shown."""
    noted = cx.noted_defines.get(define)
    if noted is None:
        cx.noted_defines[define] = False  # no define calls itself; this only ends the search
        definition = cx.model.defines[define]
        noted = cx.noted_defines[define] = is_shown_in_ledger(definition.type) and _is_based_on_charts(
            cx, definition.value
        )
    return noted


def _is_based_on_charts(cx: Context, core: Core) -> bool:
    match core:
        case n.CheckedCall("tally") | n.FieldAccess():
            return True
        case n.LookUp() if is_shown_in_ledger(core.type):
            return True
        case n.CheckedCall("define", name, args):
            if isinstance(core.type, t.SetType):
                return False
            return is_noted(cx, name) or any(_is_based_on_charts(cx, a) for a in args)
    if get_facts(core).is_silent or isinstance(core.type, t.SetType):
        return False
    return any(_is_based_on_charts(cx, child) for child in c.list_children(core))


def lower_tally_notes(cx: Context, tally: CheckedTally) -> x.TallyNotes:
    """Lower the lines of a tally for the trace: amounts with their trace nodes, conditions and bounds without."""
    params, names = cx.begin_function(tally.params, tally.span)
    lines: list[x.ExplainedLine] = []
    for line in tally.lines:
        with cx.set_tracing(True):
            amount = cx.lower(line.amount, names)
        condition = None if line.condition is None else cx.lower(line.condition, names)
        words = cx.lower_text(line.words, names)
        assert words is not None
        lines.append(x.ExplainedLine(line, amount, condition, words))
    bounds = tuple(x.NotedBound(b.sort == "least", cx.lower(b.value, names), b.cites) for b in tally.bounds)
    return x.TallyNotes(tally, params, tuple(lines), bounds)


def lower_tallied_value(cx: Context, name: str, word: str, type_: t.Type, core: Core) -> x.Question:
    """Lower a score or a view of sides and seats that depends on tallies, as the function `tallied_NAME`.

    `word`, `type_`: name and type of its parameter. `core`: its expression.
    """
    params, names = cx.begin_function(((word, type_),), core.span)
    with cx.set_tracing(True):
        return x.Question("tallied_" + name, params, cx.lower(core, names), core.span)


def iter_tallies(model: CheckedModel) -> Iterator[tuple[str, str, str, Core]]:
    """Yield (name, kind, name of the parameter, expression) of the score and the views that depend on tallies.

    The kind is "side" or "seat".
    """
    if model.score is not None and _is_tally_dependent(model, model.score, set()):
        yield "score", "seat", model.ruleset.victory.score_word or "s", model.score
    for view, core in model.views.items():
        view_definition = model.ruleset.views[view]
        if view_definition.of in (t.SIDE, t.SEAT) and _is_tally_dependent(model, core, set()):
            yield "view_" + view, view_definition.of.kind, view_definition.word, core


def _is_tally_dependent(model: CheckedModel, core: Core, seen: set[str]) -> bool:
    """Return whether an expression depends on a tally, directly or through a define.

    `seen`: the defines already searched, extended here.
    """
    for call in (node for node in n.list_descendants(core) if isinstance(node, n.CheckedCall)):
        if call.sort == "tally":
            return True
        if call.sort == "define" and call.name not in seen:
            seen.add(call.name)
            if _is_tally_dependent(model, model.defines[call.name].value, seen):
                return True
    return False
