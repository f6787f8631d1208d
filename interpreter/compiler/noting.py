"""A program for ledgers: expressions that note the look-ups, tallies and tests from which they come.

Emits what the emitter emits, wrapped where something is worth noting. What only sorts things out
(sets, flags, conditions over sets) stays silent. Notes go into the state's log, see `play/ledger`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from interpreter.checker.operations import COMPARISONS, facts_of
from interpreter.compiler.decisions import Decisions
from interpreter.compiler.expressions.expression_code import Emitter, Handlers, normal
from interpreter.compiler.expressions.formers import comprehension
from interpreter.compiler.python_syntax import constant, expression, function, located, name, statements, tuple_of
from interpreter.diagnostics.source_text import Span
from interpreter.i18n.translator import mark as _
from interpreter.lowering.ledger_lowering import tallied
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.display_types import display_type
from interpreter.model.statements import Core

Made = TypeVar("Made")
Handler = Callable[[Emitter, Any], Any]
_BOUNDS = {"least": _("at least"), "most": _("at most")}


def handlers(plain: Handlers) -> Handlers:
    """Return the emitter's handlers, instrumented where `x.noting` is set."""
    made = {key: _with_notes(handler, _NOTED.get(key)) for key, handler in plain.items()}
    made.update({key: _with_notes(plain[key], _test) for key in COMPARISONS})
    return made


def _with_notes(plain: Handler, noted: Callable[..., Any] | None) -> Handler:
    def emit(x: Emitter, core: Any) -> Any:
        if not x.noting:
            return plain(x, core)
        if facts_of(core).is_silent:
            return silently(x, lambda: plain(x, core))
        return plain(x, core) if noted is None else noted(x, core, plain)

    return emit


def silently(x: Emitter, make: Callable[[], Made]) -> Made:
    """Emit without instrumentation."""
    kept, x.noting = x.noting, False
    made = make()
    x.noting = kept
    return made


def is_told(type_: t.Type) -> bool:
    """Return whether values of a type are shown: numbers, words, rungs, results; not sets and flags."""
    match type_:
        case t.MaybeType(item=item):
            return is_told(item)
        case t.ListType(item=item):
            return isinstance(item, t.PartType)
    return isinstance(type_, t.IntType | t.NumberType | t.RungType | t.OneOfType | t.PartType | t.TextType)


def functions(x: Emitter, decisions: Decisions) -> list[tuple[ast.stmt, Span]]:
    """Compile `n_name` for defines, `nt_name` for tallies, and `reckoned_name` for tallied values."""
    made: list[tuple[ast.stmt, Span]] = []
    x.thrown = frozenset()
    x.noting = True
    for d in x.model.defines.values():
        if _is_noted(x, d.name):
            body: list[ast.stmt] = [ast.Return(x.plainly(d.value))]
            made.append((function("n_" + d.name, ["G", *("v_" + n for n, _ in d.params)], body, d.span), d.span))
    made += [(_tally_function(x, decisions, t), t.span) for t in x.model.tallies.values()]
    for told, _kind, word, core in tallied(x.model):
        body = [ast.Return(x.emit(core))]
        made.append((function("reckoned_" + told, ["G", "v_" + word], body, core.span), core.span))
    x.noting = False
    return made


def noted_value(x: Emitter, core: Core, what: str, kind: str | None, of: Any) -> Any:
    """Compile the value assigned to a name or an attribute, recorded if a define with a displayable value returns it.

    `kind` is the kind of thing whose attribute it is (None for a local name), `of` the thing's expression.
    """
    if not (x.noting and isinstance(core, n.CheckedCall) and core.sort == "define" and is_told(core.type)):
        return x.plainly(core) if x.noting else x.emit(core)
    define = x.model.defines[core.name]
    return expression(
        "_noted_value(G, _mark(G), _1, _2, _3, _4, _5, _6, _7)",
        x.plainly(core),
        constant(what),
        constant(define.name),
        constant(define.cites),
        constant(display_type(core.type)),
        constant(kind),
        of,
    )


# --- expressions ------------------------------------------------------------------------------


def _table(x: Emitter, core: n.LookUp, plain: Handler) -> Any:
    if not is_told(core.type):
        return silently(x, lambda: plain(x, core))
    return _noted_look(x, core.table, core.axes, None)


def _noted_look(x: Emitter, called: str, args: tuple[Core, ...], field: tuple[int, str, t.Type] | None) -> Any:
    keys = tuple_of([x.plainly(a) for a in args])
    terms = silently(x, lambda: tuple_of([_terms(x, a) for a in args]))
    shown = constant(None) if field is None else constant((field[0], field[1], display_type(field[2])))
    return expression(
        "_noted_look(G, _mark(G), _1, _2, _3, _4, _5)", constant(called), name("T_" + called), keys, terms, shown
    )


def _field(x: Emitter, core: n.FieldAccess, plain: Handler) -> Any:
    """Compile a column of a chart whose rows are records."""
    record, index = core.record, core.index
    if not isinstance(record, n.LookUp) or not is_told(core.type):
        return plain(x, core)
    kind = record.type.item if isinstance(record.type, t.MaybeType) else record.type
    if not isinstance(kind, t.RecordType):
        return plain(x, core)
    names = [word for word, _ in x.model.records[kind.id]]
    return _noted_look(x, record.table, record.axes, (index, names[index], core.type))


def _terms(x: Emitter, core: Core) -> Any:
    """Return the terms of a sum: ((sign, name or "", value), ...); () if it is not a sum."""
    found = _signed(core, 1)
    if len(found) < 2:
        return constant(())
    return tuple_of([tuple_of([constant(sign), constant(_name_of(part)), x.plainly(part)]) for sign, part in found])


def _signed(core: Core, sign: int) -> list[tuple[int, Core]]:
    match core:
        case n.Operation("add", (left, right)):
            return _signed(left, sign) + _signed(right, sign)
        case n.Operation("sub", (left, right)):
            return _signed(left, sign) + _signed(right, -sign)
    return [(sign, core)]


def _name_of(core: Core) -> str:
    """Return the name by which an author knows a value, or ""."""
    match core:
        case n.CheckedLocal(name) | n.GameValue(name) | n.AttributeOf(_, name) | n.LookUp(name):
            return name
        case n.CheckedCall("define" | "tally", name):
            return name
    return ""


def _call(x: Emitter, core: n.CheckedCall, plain: Handler) -> Any:
    """Compile a call of an instrumented tally or define."""
    if core.sort == "tally":
        return ast.Call(name("nt_" + core.name), [name("G"), *(x.plainly(a) for a in core.args)], [])
    if core.sort != "define" or isinstance(core.type, t.SetType | t.FlagType) or not _is_noted(x, core.name):
        return silently(x, lambda: plain(x, core))
    return ast.Call(name("n_" + core.name), [name("G"), *(x.plainly(a) for a in core.args)], [])


def _former(x: Emitter, core: n.Comprehension, plain: Handler) -> Any:
    """Compile a comprehension: sums and extremes are recorded, selections and counts are not."""
    sort, var, domain, where, result = core.sort, core.var, core.domain, core.where, core.result
    if sort not in ("sum", "min", "max") or core.extreme is not None or result is None:
        return silently(x, lambda: plain(x, core))

    def element() -> Any:
        x.noting = True
        made = expression("_noted_each(G, _mark(G), _1)", x.emit(result))
        x.noting = False
        return made

    listed = silently(
        x, lambda: comprehension(x, element, var, domain, where, True, x.efforts.charge(domain, where, result))
    )
    if sort == "sum":
        return normal(core, expression("sum(_1)", listed))
    return expression(f"{sort}(_1, default=None)", listed)


def _test(x: Emitter, core: n.Operation, plain: Handler) -> Any:
    """Compile a comparison decided by dice or modifiers; for words (chart results) only inputs are recorded."""
    left, right = core.operands
    if not all(is_told(side.type) for side in (left, right)) or not any(_weighs(x, side) for side in (left, right)):
        return silently(x, lambda: plain(x, core))
    if not all(isinstance(side.type, t.IntType | t.NumberType) for side in (left, right)):
        return plain(x, core)
    sides = [x.plainly(left), x.plainly(right)]
    terms = silently(x, lambda: tuple_of([_terms(x, left), _terms(x, right)]))
    return expression(
        "_noted_test(G, _mark(G), _1, _2, _3, _4, _5)",
        constant(core.name),
        sides[0],
        sides[1],
        constant((_name_of(left), _name_of(right))),
        terms,
    )


def _weighs(x: Emitter, core: Core) -> bool:
    """Return whether an expression reads dice just thrown, a tally or a chart."""
    match core:
        case n.CheckedCall("tally") | n.LookUp():
            return True
        case n.CheckedLocal(name):
            return name in x.thrown
        case n.CheckedCall("define", name, args):
            return _is_noted(x, name) or any(_weighs(x, a) for a in args)
    return facts_of(core).weighs and any(_weighs(x, child) for child in c.children(core))


# --- defines and tallies -----------------------------------------------------------------------


def _is_noted(x: Emitter, called: str) -> bool:
    """Return whether a define reaches a chart or a tally and has a displayable value."""
    known = x.noted.get(called)
    if known is None:
        x.noted[called] = False  # no define calls itself; this only ends the search
        define = x.model.defines[called]
        known = x.noted[called] = is_told(define.type) and _reaches(x, define.value)
    return known


def _reaches(x: Emitter, core: Core) -> bool:
    match core:
        case n.CheckedCall("tally") | n.FieldAccess():
            return True
        case n.LookUp() if is_told(core.type):
            return True
        case n.CheckedCall("define", name, args):
            return not isinstance(core.type, t.SetType) and (_is_noted(x, name) or any(_reaches(x, a) for a in args))
    if facts_of(core).is_silent or isinstance(core.type, t.SetType):
        return False
    return any(_reaches(x, child) for child in c.children(core))


def _tally_function(x: Emitter, decisions: Decisions, tally: c.CheckedTally) -> ast.stmt:
    """Compile the sum of a tally, recording every line that applied."""
    body: list[ast.stmt] = statements("_m = _mark(G)\n_n = 0\n_l = []")
    for line in tally.lines:
        amount = x.plainly(line.amount)
        x.noting = False
        parts, values = decisions.words_values(line.words)
        sign = "" if line.sign > 0 else "-"
        add = statements(
            f"_k = _mark(G)\n_v = {sign}_1\n_n += _v\n_i = _taken_notes(G, _k)\n"
            "if _v or _2: _l.append(_TallyLine(_3, _4, _v, _5, _i))",
            amount,
            constant(isinstance(line.amount, n.CheckedLocal)),
            constant(parts),
            values,
            constant(line.cites),
        )
        if line.condition is not None:
            add = [ast.If(x.plainly(line.condition), add, [])]
        x.noting = True
        body += located(add, line.span)
    for sort, value, cites in tally.bounds:
        kept = "max" if sort == "least" else "min"
        x.noting = False
        body += statements(
            f"_v = {kept}(_n, _1)\nif _v != _n: _l.append(_TallyLine(_2, (_v,), _v - _n, _3, ()))\n_n = _v",
            x.plainly(value),
            constant((str(_BOUNDS[sort]), " ", ("number",))),
            constant(cites),
        )
        x.noting = True
    body += statements(
        "return _noted_tally(G, _m, _1, _2, _normal(_n), _l)", constant(tally.name), constant(tally.cites)
    )
    return function("nt_" + tally.name, ["G", *("v_" + n for n, _ in tally.params)], body, tally.span)


_NOTED: dict[str | type, Callable[..., Any]] = {
    n.LookUp: _table,
    n.CheckedCall: _call,
    n.Comprehension: _former,
    n.FieldAccess: _field,
}
