"""Lower checked expressions to typed expressions of the intermediate representation."""

from __future__ import annotations

from collections.abc import Callable

from interpreter.diagnostics.source_text import Span
from interpreter.ir import expression_records as e, statement_records as s
from interpreter.ir.builder import Builder
from interpreter.lowering import chart_functions
from interpreter.lowering.ledger_lowering import lower_noted
from interpreter.lowering.lowering_context import Context, Lowerer, VariableScope
from interpreter.lowering.operation_lowering import lower_operation
from interpreter.lowering.value_types import (
    NotLoweredError,
    common_type,
    get_collection_type,
    is_number,
    make_maybe,
    needs_conversion,
)
from interpreter.model import expressions as n, types as t
from interpreter.model.checked_model import CheckedTally
from interpreter.model.expressions import Value
from interpreter.model.types import strip_maybe


def lower(cx: Context, core: n.Core, names: VariableScope) -> e.Expr:
    """Lower an expression of the rules. `names`: the variable of each name in scope."""
    handler = _HANDLERS[type(core)]
    return lower_noted(cx, core, names, handler) if cx.is_tracing else handler(cx, core, names)


def lower_as(cx: Context, core: n.Core, names: VariableScope, type_: t.Type) -> e.Expr:
    """Lower an expression of the rules and convert it to another type."""
    return cx.convert(lower(cx, core, names), type_)


def _lower_literal(cx: Context, core: n.Literal, names: VariableScope) -> e.Expr:
    return e.Const(core.value, make_maybe(core.type) if core.value is None else core.type, core.span)


def _lower_local(cx: Context, core: n.CheckedLocal, names: VariableScope) -> e.Expr:
    local = names[core.name]
    type_ = strip_maybe(local.type) if not isinstance(core.type, t.MaybeType | t.NeverType) else local.type
    return e.Local(local.name, type_, core.span)


def _lower_things(cx: Context, core: n.Things, names: VariableScope) -> e.Expr:
    things = enumerate(cx.ruleset.kinds[core.kind].things)
    return e.Const(tuple(i for i, x in things if x.holding is None and core.cls in (None, x.cls)), core.type, core.span)


def get_attribute_type(cx: Context, kind: str, name: str) -> t.Type:
    """Return the declared type of an attribute."""
    slot = e.Slot(kind, name)
    if slot in cx.columns:
        return cx.columns[slot].type
    return cx.ruleset.kinds[kind].attributes[name].type


def lower_attribute(cx: Context, kind: str, name: str, owner: e.Expr, span: Span, may_lack: bool = False) -> e.Expr:
    """Return an expression that reads an attribute of a thing that is present.

    `owner`: the thing, of kind `kind`. `may_lack`: a constant that the thing lacks is a missing value, not a fault.
    """
    slot = e.Slot(kind, name)
    type_ = get_attribute_type(cx, kind, name)
    if slot in cx.columns:
        return e.Read(slot, owner, type_, span)
    things = cx.ruleset.kinds[kind].things
    if name == "seat" and kind == "side":
        return e.Read(e.SEAT_OF, owner, t.SEAT, span)
    lacking = cx.find_lacking(kind, name)
    if lacking and not isinstance(type_, t.MaybeType) and is_never_lacking(cx, kind, name, owner, lacking):
        filler = next((x.values[name] for x in things if x.values.get(name) is not None), None)
        table = cx.get_static_table(
            f"{kind}_{name}_there",
            lambda: tuple(filler if n in lacking else x.values[name] for n, x in enumerate(things)),
            type_,
            e.Origin("attribute", name, kind),
        )
        return e.StaticItem(table, (owner,), (len(things),), type_, span)
    item = make_maybe(type_) if may_lack and lacking else type_
    label = f"{kind}_{name}" + ("_or_none" if item != type_ else "")
    origin = e.Origin("attribute", name, kind)
    table = cx.get_static_table(label, lambda: tuple(x.values.get(name) for x in things), item, origin)
    return e.StaticItem(table, (owner,), (len(things),), item, span)


def is_never_lacking(cx: Context, kind: str, name: str, owner: e.Expr, lacking: frozenset[int]) -> bool:
    """Return whether an owner is known to have a constant: a known member, or a piece of a class that has it.

    `kind`, `name`: the constant. `lacking`: the things of the kind that lack it, by number.
    """
    possible = find_members(cx, owner)
    if possible is not None and not possible & lacking:
        return True
    if kind != "piece":
        return False
    pieces, classes = cx.ruleset.kinds["piece"].things, cx.ruleset.classes
    return all(name not in classes[cls].attributes for n in lacking if (cls := pieces[n].cls) is not None)


def find_members(cx: Context, expr: e.Expr) -> frozenset[int] | None:
    """Return the numbers of the things that a value can be, or a collection can hold; None if that is not known."""
    match expr:
        case e.Const(int() as value) if not isinstance(value, bool):
            return frozenset((value,))
        case e.Const(tuple() as values):
            return frozenset(v for v in values if isinstance(v, int))
        case e.Local(name):
            return cx.names.members.get(name)
        case e.StaticItem(table) if isinstance(table.item, t.SetType | t.ListType | t.ThingType):
            rows = [v if isinstance(v, tuple) else (v,) for v in table.values]
            return frozenset(m for row in rows for m in row if isinstance(m, int))
        case e.Fold(sort="set" | "list", domain=domain, result=None):
            return find_members(cx, domain)
        case e.Apply("minus" | "take" | "as_list" | "unique" | "first" | "last", operands):
            return find_members(cx, operands[1] if expr.op == "take" else operands[0])
        case e.Apply("union" | "set" | "list", operands):
            member_sets = [find_members(cx, x) for x in operands]
            known_sets = [x for x in member_sets if x is not None]
            return frozenset[int]().union(*known_sets) if len(known_sets) == len(member_sets) else None
        case e.PiecesAt(str() as cls):
            return frozenset(n for n, x in enumerate(cx.ruleset.kinds["piece"].things) if x.cls == cls)
        case e.Let(body=body):
            return find_members(cx, body)
        case e.Call(function):
            match cx.functions[function].body:
                case (s.Return(e_value),) if e_value is not None and not isinstance(e_value, e.Local):
                    return find_members(cx, e_value)
    return None


def _lower_attribute_of(cx: Context, core: n.AttributeOf, names: VariableScope, may_lack: bool = False) -> e.Expr:
    owner = lower(cx, core.owner, names)
    if not isinstance(owner.type, t.MaybeType):
        return lower_attribute(cx, core.kind, core.name, owner, core.span, may_lack)
    name = cx.names.create_name("owner")
    inner = lower_attribute(cx, core.kind, core.name, e.Local(name, strip_maybe(owner.type), core.span), core.span)
    return e.IfPresent(name, owner, inner, make_maybe(inner.type), core.span)


def lower_lenient(cx: Context, core: n.Core, names: VariableScope) -> e.Expr:
    """Lower an operand that is only compared: a constant that its owner lacks is a missing value, not a fault."""
    if isinstance(core, n.AttributeOf):
        return _lower_attribute_of(cx, core, names, may_lack=True)
    return lower(cx, core, names)


def _lower_pieces_at(cx: Context, core: n.CheckedPiecesAt, names: VariableScope) -> e.Expr:
    cls = core.cls if core.cls is not None and len(cx.ruleset.classes) > 1 else None
    return e.PiecesAt(cls, lower(cx, core.place, names), core.type, core.span)


def _lower_game_value(cx: Context, core: n.GameValue, names: VariableScope) -> e.Expr:
    slot = e.Slot("game", core.name)
    return e.Read(slot, None, cx.columns[slot].type, core.span)


def _lower_playing(cx: Context, core: n.Playing, names: VariableScope) -> e.Expr:
    return e.Read(e.Slot("option", core.option), None, core.type, core.span)


def lower_top_rung(cx: Context, kind: str, name: str, owner: e.Expr | None, span: Span) -> e.Expr:
    """Return an expression for the highest rung that a ladder value may reach.

    `kind`, `name`: the attribute, or value of the game. `owner`: the thing it belongs to, None for the game.
    """
    declared = cx.ruleset.game[name] if kind == "game" else cx.ruleset.kinds[kind].attributes[name]
    if declared.top is None:
        assert isinstance(declared.type, t.RungType)
        return e.Const(len(cx.ruleset.ladders[declared.type.ladder].rungs) - 1, declared.type, span)
    return lower_rung(cx, kind, declared.top, owner, span)


def lower_rung(cx: Context, kind: str, name: str, owner: e.Expr | None, span: Span) -> e.Expr:
    """Return an expression that reads the present rung of an attribute, or of a value of the game.

    `owner`: the thing it belongs to, None for the game.
    """
    if kind == "game":
        slot = e.Slot("game", name)
        return e.Read(slot, None, cx.columns[slot].type, span)
    assert owner is not None
    return lower_attribute(cx, kind, name, owner, span)


def _lower_can_advance(cx: Context, core: n.CanAdvance, names: VariableScope) -> e.Expr:
    owner = None if core.owner is None else lower(cx, core.owner, names)
    kind, name, span = core.kind, core.name, core.span

    def is_below_top(thing: e.Expr | None) -> e.Expr:
        return Builder(span).build_flag(
            "lt", lower_rung(cx, kind, name, thing, span), lower_top_rung(cx, kind, name, thing, span)
        )

    if owner is None or isinstance(owner, e.Local | e.Const):
        return is_below_top(owner)
    owner_name = cx.names.create_name("owner")  # read twice, evaluated once
    test = is_below_top(e.Local(owner_name, owner.type, span))
    return e.Let(owner_name, owner, test, test.type, span)


# --- calls, charts ------------------------------------------------------------------------------------


def _lower_call(cx: Context, core: n.CheckedCall, names: VariableScope) -> e.Expr:
    model, name, span, sort = cx.model, core.name, core.span, core.sort
    cites: tuple[str, ...] = ()
    params: tuple[tuple[str, t.Type], ...] = ()
    result: t.Type = t.FLAG
    make: Callable[[VariableScope], s.Body]
    match sort:
        case "draft":
            return e.Possible(name, _lower_arguments(cx, core.args, model.drafts[name].params, names), t.FLAG, span)
        case "define":
            define = model.defines[name]
            declared, params, result = define.span, define.params, define.type
            is_constant = isinstance(define.value, n.Literal) and not params  # a constant is not a rule
            cites = () if is_constant else define.cites
            make = lambda inside: (s.Return(lower_as(cx, define.value, inside, result), declared),)  # noqa: E731
        case "rule":
            rule = model.rules[name]
            declared, params, cites, build = rule.span, rule.params, rule.cites, Builder(rule.span)
            make = lambda inside: (  # noqa: E731
                build.build_return(build.build_conjunction(*(cx.lower_requirement(q, inside) for q in rule.requires))),
            )
        case "condition":
            condition = model.conditions[name]
            declared = condition.span
            make = lambda inside: (s.Return(lower(cx, condition, inside), declared),)  # noqa: E731
        case "tally":
            tally = model.tallies[name]
            declared, params, result = tally.span, tally.params, tally.type
            make = lambda inside: _build_tally_body(cx, tally, inside)  # noqa: E731
        case _:
            raise NotLoweredError(f"a call of a {sort}", span)
    function = f"{sort}_{name}"
    charge = 0 if cx.cost_model is None or sort == "condition" else cx.cost_model.get_call_charge(sort, name)
    cx.define(function, params, result, declared, make, e.Origin(sort, name), charge, cites)
    return e.Call(function, _lower_arguments(cx, core.args, params, names), result, span)


def _lower_arguments(
    cx: Context, args: tuple[n.Core, ...], params: tuple[tuple[str, t.Type], ...], names: VariableScope
) -> tuple[e.Expr, ...]:
    return tuple(lower_as(cx, arg, names, type_) for arg, (_, type_) in zip(args, params, strict=True))


def _build_tally_body(cx: Context, tally: CheckedTally, names: VariableScope) -> s.Body:
    """Return the body of a tally: its lines added up in order, then its bounds."""
    total = cx.names.create_variable("total", tally.type, tally.span)
    out: list[s.Stmt] = [s.Assign(total.name, e.Const(0, tally.type, tally.span), tally.span)]
    for line in tally.lines:
        amount = lower_as(cx, line.amount, names, tally.type)
        added = e.Apply("add" if line.sign > 0 else "sub", (total, amount), tally.type, line.span)
        body: s.Body = (*cx.build_citation(line.cites, line.span), s.Assign(total.name, added, line.span))
        out += body if line.condition is None else (s.If(lower(cx, line.condition, names), body, (), line.span),)
    for bound in tally.bounds:
        op, span = "max_of" if bound.sort == "least" else "min_of", bound.value.span
        limited = e.Apply(op, (total, lower_as(cx, bound.value, names, tally.type)), tally.type, span)
        out.append(s.Assign(total.name, limited, span))
    return (*out, s.Return(total, tally.span))


def lower_lookup(cx: Context, core: n.LookUp | n.HasCell, names: VariableScope) -> e.Expr:
    """Lower a look-up of a chart, or the test that it has a cell."""
    axes = chart_functions.list_axes(core)
    operand = (
        lower_lenient if isinstance(core, n.HasCell) else lower
    )  # what is lacking has no row, which is a fault too
    values = tuple(tuple(operand(cx, x, names) for x in parts) for parts, _ in axes)
    moves_on = tuple(None if shift is None else lower(cx, shift, names) for _, shift in axes)
    return chart_functions.lower_lookup(
        cx, core.table, values, moves_on, isinstance(core, n.HasCell), core.type, core.span
    )


def _lower_any_lookup(cx: Context, core: n.LookUp | n.HasCell, names: VariableScope) -> e.Expr:
    lookup = lower_lookup(cx, core, names)
    if cx.form.notes_coverage and isinstance(core, n.LookUp):
        lookup = e.CoveredLookUp(lookup, lookup.type, core.span)
    return cx.convert(lookup, core.type)


# --- formers, searches, records ------------------------------------------------------------------------


def _bind_name(
    cx: Context, names: VariableScope, name: str, type_: t.Type, span: Span, members: frozenset[int] | None = None
) -> tuple[str, VariableScope]:
    new_name = cx.names.create_name(name or "unused")
    if members is not None:
        cx.names.members[new_name] = members
    return new_name, {**names, name: e.Local(new_name, type_, span)} if name else names


def _lower_fold(cx: Context, core: n.Comprehension, names: VariableScope, result_of: Lowerer = lower) -> e.Expr:
    domain = lower(cx, core.domain, names)
    collection = get_collection_type(domain.type)
    if collection.item is None:
        return _build_empty_fold(core)
    item = collection.item
    var, inner = _bind_name(cx, names, core.var, item, core.span, find_members(cx, domain))
    where, measure = (None if x is None else lower(cx, x, inner) for x in (core.where, core.measure))
    result = None if core.result is None else result_of(cx, core.result, inner)
    gives = item if result is None else result.type
    sort, type_ = core.sort, core.type
    if sort in ("set", "list"):
        member_type = type_.item if isinstance(type_, t.SetType | t.ListType) and type_.item is not None else gives
        gives = common_type(member_type, gives) or gives
        if result is not None:
            result = cx.convert(result, gives)
        elif needs_conversion(item, gives):
            result = cx.convert(e.Local(var, item, core.span), gives)
        result_type: t.Type = t.SetType(gives) if sort == "set" else t.ListType(gives)
    else:
        counted = {"count": t.INT, **dict.fromkeys(("any", "no", "every"), t.FLAG), "sum": gives}
        result_type = counted.get(sort) or make_maybe(gives)
    charge = cx.get_charge(core.domain, core.where, core.result, core.measure)
    fold = e.Fold(sort, var, domain, where, result, core.extreme, measure, result_type, core.span, charge)
    return cx.convert(fold, type_) if sort not in ("set", "list") else fold


def _build_empty_fold(core: n.Comprehension) -> e.Expr:
    """Return the literal that a comprehension over an empty set evaluates to."""
    value: Value = () if core.sort in ("set", "list") else 0 if core.sort in ("count", "sum") else None
    if isinstance(core.type, t.FlagType):
        value = core.sort != "any"
    return e.Const(value, core.type, core.span)


def _lower_search(cx: Context, core: n.CheckedSearch, names: VariableScope) -> e.Expr:
    start = lower(cx, core.start, names)
    goal = None if core.goal is None else lower(cx, core.goal, names)
    within = None if core.within is None else lower(cx, core.within, names)
    linked = frozenset(place for place, near in enumerate(cx.map.neighbours) if near)
    var, inner = _bind_name(cx, names, core.var, t.PLACE, core.span, linked)
    previous, inner = _bind_name(cx, inner, core.previous, t.PLACE, core.span)
    where = None if core.where is None else lower(cx, core.where, inner)
    cost = None if core.cost is None else lower(cx, core.cost, inner)
    spent: t.Type = t.INT if cost is None else cost.type
    if within is not None and within.type != spent:
        within = cx.convert(within, spent) if is_number(spent) else e.Apply("floor", (within,), t.INT, core.span)
    type_: t.Type = (
        make_maybe(spent)
        if core.sort == "distance"
        else make_maybe(t.ListType(t.PLACE))
        if core.sort == "path"
        else t.SetType(t.PLACE)
    )
    charge = cx.get_search_charge(core.where, core.cost)
    search = e.Search(core.sort, start, goal, within, var, previous, where, cost, type_, core.span, charge)
    return cx.convert(search, core.type)


def _lower_closure(cx: Context, core: n.CheckedClosure, names: VariableScope) -> e.Expr:
    start, everything = lower(cx, core.start, names), lower(cx, core.everything, names)
    collection = get_collection_type(everything.type)
    item = collection.item or t.NEVER
    members = find_members(cx, everything)
    first, inner = _bind_name(cx, names, core.first, item, core.span)
    second, inner = _bind_name(cx, inner, core.second, item, core.span)
    if members is not None and (begun := find_members(cx, start)) is not None:
        cx.names.members[first] = cx.names.members[second] = members | begun
    where, charge = lower(cx, core.where, inner), cx.get_search_charge(core.where)
    return e.Closure(start, everything, first, second, where, core.type, core.span, charge)


def _lower_make_record(cx: Context, core: n.CheckedMakeRecord, names: VariableScope) -> e.Expr:
    fields = cx.records[core.id]
    items = tuple(lower_as(cx, x, names, type_) for x, (_, type_) in zip(core.items, fields, strict=True))
    return e.MakeRecord(items, t.RecordType(core.id), core.span)


def _lower_field(cx: Context, core: n.FieldAccess, names: VariableScope) -> e.Expr:
    record = lower(cx, core.record, names)
    record_type = strip_maybe(record.type)
    assert isinstance(record_type, t.RecordType)
    type_ = cx.records[record_type.id][core.index][1]
    if not isinstance(record.type, t.MaybeType):
        return e.GetField(record, core.index, type_, core.span)
    name = cx.names.create_name("record")
    inner = e.GetField(e.Local(name, record_type, core.span), core.index, type_, core.span)
    return e.IfPresent(name, record, inner, make_maybe(type_), core.span)


def _lower_record_update(cx: Context, core: n.RecordUpdate, names: VariableScope) -> e.Expr:
    record = lower(cx, core.record, names)
    record_type = strip_maybe(record.type)
    assert isinstance(record_type, t.RecordType)
    fields = cx.records[record_type.id]
    values = tuple(lower_as(cx, v, names, fields[k][1]) for k, v in zip(core.indices, core.values, strict=True))
    return e.WithFields(record, core.indices, values, record_type, core.span)


def _lower_holding_place(cx: Context, core: n.HoldingPlace, names: VariableScope) -> e.Expr:
    """Lower a reference to one of several holding places with the same name to an element of a static table.

    The index is the owner (one holding place for each thing of a kind) or a number from 1.
    """
    owner = lower(cx, core.owner, names)
    span = core.span
    if not core.count:
        kind = strip_maybe(owner.type)
        assert isinstance(kind, t.ThingType)
        size = len(cx.ruleset.kinds[kind.kind].things)
        index: e.Expr = owner
    else:
        size = core.count
        low, high = e.Const(1, t.INT, span), e.Const(size, t.INT, span)
        number = e.Bounded(owner, low, high, False, t.INT, span, core.word, True)
        index = e.Apply("sub", (number, e.Const(1, t.INT, span)), t.INT, span)
    table = cx.get_static_table(f"holding_{core.first}", lambda: tuple(range(core.first, core.first + size)), t.PLACE)
    return e.StaticItem(table, (index,), (size,), t.PLACE, span)


_HANDLERS: dict[type, Callable[..., e.Expr]] = {
    n.Literal: _lower_literal,
    n.CheckedLocal: _lower_local,
    n.Things: _lower_things,
    n.AttributeOf: _lower_attribute_of,
    n.CheckedPiecesAt: _lower_pieces_at,
    n.GameValue: _lower_game_value,
    n.Operation: lower_operation,
    n.CheckedCall: _lower_call,
    n.LookUp: _lower_any_lookup,
    n.HasCell: _lower_any_lookup,
    n.Playing: _lower_playing,
    n.CanAdvance: _lower_can_advance,
    n.Comprehension: _lower_fold,
    n.CheckedSearch: _lower_search,
    n.CheckedClosure: _lower_closure,
    n.CheckedMakeRecord: _lower_make_record,
    n.FieldAccess: _lower_field,
    n.RecordUpdate: _lower_record_update,
    n.HoldingPlace: _lower_holding_place,
}
