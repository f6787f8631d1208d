"""Facts about each operation, and the properties of expressions derived from them: reads, faults, look-ups.

The facts of builtins are declared next to them (`runtime.builtins`); here are those of operators and other shapes. A
property of a whole expression is a fold over these tables. Independent of code generation.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction

from interpreter.model import expressions as n, types as t
from interpreter.model.checked_model import CheckedDraft, CheckedModel
from interpreter.model.expressions import Core, list_children
from interpreter.runtime import intrinsics as _functions  # imported for its side effect: declares the builtins
from interpreter.runtime.builtins.registry import BUILTINS as BUILTINS, EVERYTHING, OperationFacts
from interpreter.runtime.limits import LIMITS

Slot = tuple[str, str]  # (kind, attribute), ("game", name), or ("", other part of the position)
ANYTHING: Slot = ("", EVERYTHING)
TURN: Slot = ("", "turn")
_PLAIN = OperationFacts()
_LENIENT = OperationFacts(takes_missing=True)
_LENIENT_SILENT = OperationFacts(takes_missing=True, is_silent=True)
_WEIGHED = OperationFacts(weighs=True)
OPERATIONS: dict[str, OperationFacts] = {
    **{name: b.facts for name, b in BUILTINS.items()},
    **dict.fromkeys(("and", "or", "not", "<", "<=", ">", ">=", "div", "union", "minus", "range", "item"), _PLAIN),
    **dict.fromkeys(("min_of", "max_of", "opponent", "shifted"), _PLAIN),
    **dict.fromkeys(("==", "!=", "orelse", "set", "list"), _LENIENT),
    **dict.fromkeys(("in", "not in"), _LENIENT_SILENT),
    **dict.fromkeys(("add", "sub", "mul", "neg"), _WEIGHED),
    "cond": OperationFacts(takes_missing=True, weighs=True),
    "filter_at": OperationFacts(reads=("at",), is_silent=True),
    "on_map": OperationFacts(reads=("at",)),
    "turn": OperationFacts(reads=("turn",), is_short=True),
    "last_turn": OperationFacts(reads=("last_turn",)),
}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")

_SHAPES: dict[type, OperationFacts] = {
    **dict.fromkeys((n.Literal, n.CheckedLocal, n.Things, n.AttributeOf, n.GameValue, n.CanAdvance), _PLAIN),
    n.HoldingPlace: _PLAIN,
    **dict.fromkeys((n.Comprehension, n.CheckedMakeRecord, n.FieldAccess, n.RecordUpdate), _LENIENT),
    **dict.fromkeys((n.HasCell, n.CheckedSearch, n.CheckedClosure), OperationFacts(is_silent=True)),
    n.CheckedPiecesAt: OperationFacts(reads=("at",)),
    n.Playing: OperationFacts(reads=("options",)),
    n.LookUp: OperationFacts(looks_up=True),
}
_CALLS: dict[str, OperationFacts] = {
    "define": _LENIENT,
    "rule": _LENIENT_SILENT,
    "tally": _LENIENT,
    "condition": OperationFacts(is_silent=True),
    "draft": OperationFacts(takes_missing=True, reads=(EVERYTHING,), looks_up=True, is_silent=True),
}


def get_facts(core: Core) -> OperationFacts:
    """Return the facts of an expression's top-level operation."""
    if isinstance(core, n.Operation):
        return OPERATIONS[core.name]
    if isinstance(core, n.CheckedCall):
        return _CALLS[core.sort]
    return _SHAPES[type(core)]


def list_called_expressions(model: CheckedModel, core: Core) -> tuple[Core, ...]:
    """Return the expressions of the definition that a call refers to; () for a draft or any other node."""
    return list_definition_expressions(model, core.sort, core.name) if isinstance(core, n.CheckedCall) else ()


def list_definition_expressions(model: CheckedModel, sort: str, name: str) -> tuple[Core, ...]:
    """Return the expressions of the definition `name` of a `sort` ("define", "rule", "tally" or "condition")."""
    match sort:
        case "define":
            return (model.defines[name].value,)
        case "rule":
            return tuple(r.test for r in model.rules[name].requires)
        case "tally":
            tally = model.tallies[name]
            return (
                *(line.amount for line in tally.lines),
                *(line.condition for line in tally.lines if line.condition is not None),
                *(bound.value for bound in tally.bounds),
            )
        case "condition":
            return (model.conditions[name],)
        case "draft":
            return _list_draft_expressions(model.drafts[name])
    return ()


def _list_draft_expressions(draft: CheckedDraft) -> tuple[Core, ...]:
    """Return the expressions evaluated to decide whether a draft can be finished."""
    parts = [*(field.start for field in draft.fields), *(r.test for r in draft.finish), *(v for _, v in draft.offer)]
    for step in draft.steps:
        parts += [p.domain for p in step.params]
        parts += [r.test for r in step.requires]
        parts += [p.value for p in step.prefers]
        parts += [value for _, value in step.now]
        parts += [] if step.stops_if is None else [step.stops_if]
    return tuple(parts if draft.cheapest is None else [*parts, draft.cheapest])


# --- state slots read ----------------------------------------------------------------

SlotMemo = dict[tuple[str, str], frozenset[Slot]]


def find_slots_read(model: CheckedModel, core: Core, memo: SlotMemo) -> frozenset[Slot]:
    """Return the state slots that evaluating an expression may read.

    `memo`: the results known so far for called definitions by (sort, name), extended here.
    """
    slots: set[Slot] = {("piece", "at") if slot == "at" else ("", slot) for slot in get_facts(core).reads}
    match core:
        case n.AttributeOf(kind, name) if is_changing(model, kind, name):
            slots.add((kind, name))
        case n.GameValue(name):
            slots.add(("game", name))
        case n.CanAdvance(kind, name):
            slots |= _find_rungs_read(model, kind, name)
        case n.CheckedCall(sort, name):
            slots |= find_slots_called(model, sort, name, memo)
    for child in list_children(core):
        slots |= find_slots_read(model, child, memo)
    return frozenset(slots)


def find_slots_called(model: CheckedModel, sort: str, name: str, memo: SlotMemo) -> frozenset[Slot]:
    """Return the state slots that evaluating a named definition may read.

    `sort`: "define", "rule", "tally" or "condition"; `memo`: the results known so far by (sort, name), extended here.
    """
    if (sort, name) not in memo:
        memo[(sort, name)] = frozenset((ANYTHING,))  # the answer for recursive calls
        memo[(sort, name)] = _union(
            find_slots_read(model, x, memo) for x in list_definition_expressions(model, sort, name)
        )
    return memo[(sort, name)]


def _union(sets: Iterable[frozenset[Slot]]) -> frozenset[Slot]:
    return frozenset[Slot]().union(*sets)


def _find_rungs_read(model: CheckedModel, kind: str, name: str) -> set[Slot]:
    """Return the slots that a rung value reads: its own slot, and the slot of the attribute that limits it, if any."""
    rs = model.ruleset
    declared = rs.game[name] if kind == "game" else rs.kinds[kind].attributes[name]
    names = {name, *([declared.top] if declared.top is not None else [])}
    return {(kind, x) for x in names if kind == "game" or is_changing(model, kind, x)}


def is_changing(model: CheckedModel, kind: str, name: str) -> bool:
    """Return whether an attribute `name` of a kind is stored in the state because play can change it."""
    if (kind, name) in (("piece", "at"), ("side", "seat")):
        return True
    attribute = model.ruleset.kinds[kind].attributes.get(name) if kind in model.ruleset.kinds else None
    return attribute is not None and attribute.changes


# --- faults and look-ups ----------------------------------------------------


@dataclass(slots=True)
class FaultMemo:
    """Memo of which expressions (by identity) and named definitions, as (sort, name), may fault.

    A definition under evaluation counts as True, so that recursion terminates. `open` is the depth of open calls;
    results inside them are provisional.
    """

    definitions: dict[tuple[str, str], bool] = field(default_factory=dict)
    expressions: dict[int, tuple[Core, bool]] = field(default_factory=dict)  # by id(); the expression is kept alive
    open: int = 0  # depth of open calls; results inside them are provisional


def may_fault(model: CheckedModel, core: Core, memo: FaultMemo) -> bool:
    """Return whether evaluating an expression may fault.

    If False, the expression can be hoisted or dropped: it has a value whatever its operands are.
    """
    memoized = memo.expressions.get(id(core))
    if memoized is not None:
        return memoized[1]
    result = _compute_may_fault(model, core, memo)
    if not memo.open:
        memo.expressions[id(core)] = core, result
    return result


def _compute_may_fault(model: CheckedModel, core: Core, memo: FaultMemo) -> bool:
    """Return what `may_fault` does, without its memo."""
    facts = get_facts(core)
    inside = list_children(core)
    if not facts.takes_missing and any(isinstance(x.type, t.MaybeType) for x in inside):
        return True
    if facts.faults and not _is_on_full_grid(model, core):
        return True
    match core:
        case n.LookUp(table) | n.HasCell(table):
            if not _is_total(model, table, isinstance(core, n.LookUp)):
                return True
        case n.HoldingPlace(_, count, owner) if count:
            if not isinstance(owner, n.Literal) or not isinstance(owner.value, int) or not 1 <= owner.value <= count:
                return True
        case n.CheckedSearch(cost=cost) if cost is not None and not _is_never_negative(model, cost):
            return True
        case n.Operation("div", (_, divisor)):
            if not isinstance(divisor, n.Literal) or not divisor.value:
                return True
        case n.Operation("range", (n.Literal(), n.Literal())):
            return False
        case n.Operation("range", (n.Literal(int() as low), high)) if low >= 0 and _is_small_count(model, high):
            return may_fault(model, high, memo)
        case n.Operation("range", _):
            return True  # the range may exceed the limit
        case n.Operation("in" | "not in", (item, n.Operation("range", (low, high)))):
            return any(isinstance(x.type, t.MaybeType) or may_fault(model, x, memo) for x in (item, low, high))
        case n.Comprehension(where=where, result=result, measure=measure) if numbers := n.find_unrollable_range(core):
            each = [x for x in (where, result, measure) if x is not None]
            return any(may_fault(model, n.substitute(x, core.var, number), memo) for number in numbers for x in each)
        case n.CheckedCall(sort, name):
            if (sort, name) not in memo.definitions:
                memo.definitions[(sort, name)] = True
                memo.open += 1
                memo.definitions[(sort, name)] = any(
                    may_fault(model, x, memo) for x in list_called_expressions(model, core)
                )
                memo.open -= 1
            if memo.definitions[(sort, name)]:
                return True
    return any(may_fault(model, x, memo) for x in inside)


def _is_small_count(model: CheckedModel, core: Core) -> bool:
    """Return whether an expression counts things of a kind that has fewer things than a range may have members."""
    match core:
        case n.Operation("count", (many,)) | n.Comprehension("count", _, many):
            item = many.type.item if isinstance(many.type, t.SetType) else None
            kinds = model.ruleset.kinds
            return isinstance(item, t.ThingType) and item.kind in kinds and len(kinds[item.kind].things) < LIMITS.range
    return False


_ON_GRID = ("step", "ray", "column_of", "row_of")


def _is_on_full_grid(model: CheckedModel, core: Core) -> bool:
    """Return whether a grid operation cannot fault because every place has a cell."""
    if not isinstance(core, n.Operation) or core.name not in _ON_GRID or model.ruleset.grid is None:
        return False
    cells = model.ruleset.grid.column_row
    places = model.ruleset.kinds["place"].things
    return len(cells) >= len(places) and all(x.holding is None for x in places) and None not in cells


def _is_never_negative(model: CheckedModel, core: Core) -> bool:
    """Return whether a number is 0 or more in every state."""
    match core:
        case n.Literal(value):
            return isinstance(value, int | Fraction) and value >= 0
        case n.LookUp(table):
            return all(isinstance(v, int | Fraction) and v >= 0 for v in model.ruleset.tables[table].cells.values())
        case n.AttributeOf(kind, name, _, False):
            attribute = model.ruleset.kinds[kind].attributes.get(name)
            if attribute is None or attribute.changes:
                return attribute is not None and attribute.low is not None and attribute.low >= 0
            values = (x.values.get(name, attribute.default) for x in model.ruleset.kinds[kind].things)
            return all(isinstance(v, int | Fraction) and v >= 0 for v in values)
        case n.Operation("add" | "mul" | "min_of" | "max_of" | "sum", operands):
            return all(_is_never_negative(model, x) for x in operands)
        case n.Operation("cond", (_, yes, no)) | n.Operation("orelse", (yes, no)):
            return _is_never_negative(model, yes) and _is_never_negative(model, no)
        case n.Operation("count" | "abs" | "spaces_between") | n.Comprehension("count"):
            return True
        case n.CheckedCall("define", name):
            return _is_never_negative(model, model.defines[name].value)
    return False


def _is_total(model: CheckedModel, name: str, looked_up: bool) -> bool:
    """Return whether reading a table cannot fail because of a missing row; blank cells count as entries.

    That holds if every axis is of keys and, if `looked_up`, each has a row for every thing or rung of its type.
    Without `looked_up` the table is only asked whether it has a cell.
    """
    for axis in model.ruleset.tables[name].axes:
        if axis.sort != "keys":
            return False
        match axis.type:
            case t.ThingType(kind=kind):
                every = len(model.ruleset.kinds[kind].things) if kind in model.ruleset.kinds else len(axis.keys) + 1
            case t.RungType(ladder=ladder):
                every = len(model.ruleset.ladders[ladder].rungs)
            case _:
                every = 0
        if looked_up and len(axis.keys) < every:
            return False
    return True


def may_look_up(model: CheckedModel, core: Core, memo: dict[tuple[str, str], bool]) -> bool:
    """Return whether evaluating an expression may look up a table; `memo` memoizes called definitions."""
    if get_facts(core).looks_up:
        return True
    if isinstance(core, n.CheckedCall):
        key = (core.sort, core.name)
        if key not in memo:
            memo[key] = True
            memo[key] = any(may_look_up(model, x, memo) for x in list_called_expressions(model, core))
        if memo[key]:
            return True
    return any(may_look_up(model, x, memo) for x in list_children(core))


assert _functions  # keeps the import from being unused
