"""A program for ledgers: expressions that note the look-ups, tallies and tests from which they come.

Emits what the emitter emits, wrapped where something is worth noting. What only sorts things out
(sets, flags, conditions over sets) stays silent. Notes go into the state's log, see `play/ledger`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

from interpreter.compiler.decisions import Decisions, showing
from interpreter.compiler.expression_code import Emitter
from interpreter.compiler.python_syntax import constant, expression, function, located, name, statements, tuple_of
from interpreter.model import core as c
from interpreter.model import types as t
from interpreter.model.core import Core
from interpreter.source.text import Span

Made = TypeVar("Made")
Handlers = dict[str, Callable[[Emitter, Core], Any]]
_SILENT = ("search", "closure", "possible", "rule", "hascell", "in", "notin", "filter_at", "condition")


def handlers(plain: Handlers) -> Handlers:
    """The emitter's handlers, with notes where `x.noting` is set."""

    def silent(x: Emitter, core: Core) -> Any:
        return silently(x, lambda: plain[core.op](x, core))

    made: Handlers = {**plain, **dict.fromkeys(_SILENT, silent)}
    for op, noted in (
        ("table", _table),
        ("tally", _tally),
        ("define", _define),
        ("former", _former),
        ("cmp", _test),
        ("field", _field),
    ):
        made[op] = _or_plain(plain[op], noted)
    return made


def _or_plain(plain: Callable[[Emitter, Core], Any], noted: Callable[..., Any]) -> Callable[[Emitter, Core], Any]:
    return lambda x, core: noted(x, core, plain) if x.noting else plain(x, core)


def silently(x: Emitter, make: Callable[[], Made]) -> Made:
    """What `make` emits, noting nothing."""
    kept, x.noting = x.noting, False
    made = make()
    x.noting = kept
    return made


def is_told(type_: t.Type) -> bool:
    """True for values that stand for themselves: numbers, words, rungs, results; not sets and flags."""
    match type_:
        case t.Maybe(item=item):
            return is_told(item)
        case t.ListOf(item=item):
            return isinstance(item, t.Part)
    return isinstance(type_, t.Int | t.Number | t.Rung | t.OneOf | t.Part | t.Text)


def functions(x: Emitter, decisions: Decisions) -> list[tuple[ast.stmt, Span]]:
    """`n_name` for defines and `nt_name` for tallies: as `d_` and `t_`, with notes."""
    made: list[tuple[ast.stmt, Span]] = []
    x.thrown = frozenset()
    x.noting = True
    for d in x.model.defines.values():
        if _is_noted(x, d.name):
            body: list[ast.stmt] = [ast.Return(x.plainly(d.value))]
            made.append((function("n_" + d.name, ["G", *("v_" + n for n, _ in d.params)], body, d.span), d.span))
    made += [(_tally_function(x, decisions, t), t.span) for t in x.model.tallies.values()]
    x.noting = False
    return made


def noted_value(x: Emitter, core: Core, what: str, kind: str | None, of: Any) -> Any:
    """The value that a name or an attribute takes, noted when a define that says something gives it.

    `kind` is the kind of thing whose attribute it is (None for a local name), `of` the thing's expression.
    """
    if not (x.noting and core.op == "define" and is_told(core.type)):
        return x.plainly(core) if x.noting else x.emit(core)
    define = x.model.defines[core.args[0]]
    return expression(
        "_noted_value(G, _mark(G), _1, _2, _3, _4, _5, _6, _7)",
        x.plainly(core),
        constant(what),
        constant(define.name),
        constant(define.cites),
        constant(showing(core.type)),
        constant(kind),
        of,
    )


# --- expressions ------------------------------------------------------------------------------


def _table(x: Emitter, core: Core, plain: Callable[[Emitter, Core], Any]) -> Any:
    called, *args = core.args
    if not is_told(core.type):
        return silently(x, lambda: plain(x, core))
    return _noted_look(x, called, args, None)


def _noted_look(x: Emitter, called: str, args: list[Core], field: tuple[int, str, t.Type] | None) -> Any:
    keys = tuple_of([x.plainly(a) for a in args])
    terms = silently(x, lambda: tuple_of([_terms(x, a) for a in args]))
    shown = constant(None) if field is None else constant((field[0], field[1], showing(field[2])))
    return expression(
        "_noted_look(G, _mark(G), _1, _2, _3, _4, _5)", constant(called), name("T_" + called), keys, terms, shown
    )


def _field(x: Emitter, core: Core, plain: Callable[[Emitter, Core], Any]) -> Any:
    """A column of a chart whose rows are records."""
    record, index = core.args
    if record.op != "table" or not is_told(core.type):
        return plain(x, core)
    kind = record.type.item if isinstance(record.type, t.Maybe) else record.type
    if not isinstance(kind, t.RecordOf):
        return plain(x, core)
    names = [n for n, _ in x.model.records[kind.id]]
    called, *args = record.args
    return _noted_look(x, called, args, (index, names[index], core.type))


def _terms(x: Emitter, core: Core) -> Any:
    """What a row is reckoned from: ((sign, name or "", value), ...); () where it is no sum."""
    found = _signed(core, 1)
    if len(found) < 2:
        return constant(())
    return tuple_of([tuple_of([constant(sign), constant(_name_of(part)), x.plainly(part)]) for sign, part in found])


def _signed(core: Core, sign: int) -> list[tuple[int, Core]]:
    if core.op == "add" and not isinstance(core.type, t.ListOf | t.SetOf):
        return _signed(core.args[0], sign) + _signed(core.args[1], sign)
    if core.op == "sub":
        return _signed(core.args[0], sign) + _signed(core.args[1], -sign)
    return [(sign, core)]


def _name_of(core: Core) -> str:
    """The word by which a reader of the rules knows a value; "" where it has none."""
    if core.op in ("local", "game", "define", "tally", "table"):
        return str(core.args[0])
    return str(core.args[1]) if core.op in ("attr", "maybe_attr") else ""


def _tally(x: Emitter, core: Core, plain: Callable[[Emitter, Core], Any]) -> Any:
    called, *args = core.args
    return ast.Call(name("nt_" + called), [name("G"), *(x.plainly(a) for a in args)], [])


def _define(x: Emitter, core: Core, plain: Callable[[Emitter, Core], Any]) -> Any:
    called, *args = core.args
    if isinstance(core.type, t.SetOf | t.Flag) or not _is_noted(x, called):
        return silently(x, lambda: plain(x, core))
    return ast.Call(name("n_" + called), [name("G"), *(x.plainly(a) for a in args)], [])


def _former(x: Emitter, core: Core, plain: Callable[[Emitter, Core], Any]) -> Any:
    """Sums and extremes note what they are made of; whatever only picks out or counts is silent."""
    sort, var, domain, where, result, extreme, _ = core.args
    if sort not in ("sum", "min", "max") or extreme is not None or result is None:
        return silently(x, lambda: plain(x, core))

    def element() -> Any:
        x.noting = True
        made = expression("_noted_each(G, _mark(G), _1)", x.emit(result))
        x.noting = False
        return made

    listed = silently(
        x, lambda: x.comprehension(element, var, domain, where, True, x.efforts.charge(domain, where, result))
    )
    return expression("sum(_1)", listed) if sort == "sum" else expression(f"{sort}(_1, default=None)", listed)


def _test(x: Emitter, core: Core, plain: Callable[[Emitter, Core], Any]) -> Any:
    """A comparison that dice or modifiers decide; of words (results of a chart) only what they come from is noted."""
    symbol, left, right = core.args
    if not all(is_told(side.type) for side in (left, right)) or not any(_weighs(x, side) for side in (left, right)):
        return silently(x, lambda: plain(x, core))
    if not all(isinstance(side.type, t.Int | t.Number) for side in (left, right)):
        return plain(x, core)
    sides = [x.plainly(left), x.plainly(right)]
    terms = silently(x, lambda: tuple_of([_terms(x, left), _terms(x, right)]))
    return expression(
        "_noted_test(G, _mark(G), _1, _2, _3, _4, _5)",
        constant(symbol),
        sides[0],
        sides[1],
        constant((_name_of(left), _name_of(right))),
        terms,
    )


def _weighs(x: Emitter, core: Core) -> bool:
    """True for an expression that reads dice just thrown, a tally or a chart."""
    if core.op in ("tally", "table") or core.op == "local" and core.args[0] in x.thrown:
        return True
    if core.op == "define":
        return _is_noted(x, core.args[0]) or any(_weighs(x, a) for a in core.args[1:])
    return core.op in ("add", "sub", "neg", "mul", "cond") and any(_weighs(x, child) for child in c.children(core))


# --- defines and tallies -----------------------------------------------------------------------


def _is_noted(x: Emitter, called: str) -> bool:
    """True for a define that reaches a chart or a tally and tells a value."""
    known = x.noted.get(called)
    if known is None:
        x.noted[called] = False  # no define calls itself; this only ends the search
        define = x.model.defines[called]
        known = x.noted[called] = is_told(define.type) and _reaches(x, define.value)
    return known


def _reaches(x: Emitter, core: Core) -> bool:
    if core.op == "tally" or core.op == "table" and is_told(core.type) or core.op == "field":
        return True
    if core.op in _SILENT or isinstance(core.type, t.SetOf):
        return False
    if core.op == "define":
        return _is_noted(x, core.args[0]) or any(_reaches(x, a) for a in core.args[1:])
    return any(_reaches(x, child) for child in c.children(core))


def _tally_function(x: Emitter, decisions: Decisions, tally: c.CheckedTally) -> ast.stmt:
    """The sum of a tally, with a note of every line that applied."""
    body: list[ast.stmt] = statements("_m = _mark(G)\n_n = 0\n_l = []")
    for line in tally.lines:
        amount = x.plainly(line.amount)
        x.noting = False
        parts, values = decisions.words_values(line.words)
        sign = "" if line.sign > 0 else "-"
        add = statements(
            f"_k = _mark(G)\n_v = {sign}_1\n_n += _v\n_i = _taken_notes(G, _k)\n"
            "if _v or _2: _l.append((_3, _4, _v, _5, _i))",
            amount,
            constant(line.amount.op == "local"),
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
            f"_v = {kept}(_n, _1)\nif _v != _n: _l.append((_2, (_v,), _v - _n, _3, ()))\n_n = _v",
            x.plainly(value),
            constant((f"at {sort}", " ", ("number",))),
            constant(cites),
        )
        x.noting = True
    body += statements("return _noted_tally(G, _m, _1, _2, _n, _l)", constant(tally.name), constant(tally.cites))
    return function("nt_" + tally.name, ["G", *("v_" + n for n, _ in tally.params)], body, tally.span)
