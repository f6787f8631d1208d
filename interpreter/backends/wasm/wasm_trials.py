"""Addresses and shapes that trials of options need; see `trial_text`.

The shape of a decision says how its options are identified: by the number of arguments of each, or by the values of an
offer. Parts of options are alike if they are equal at the same place, so the values there must be of one sort.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.backends.wasm.assembly import trial_text
from interpreter.backends.wasm.assembly.code_builder import c32, get, put, when
from interpreter.backends.wasm.assembly.session_text import REQUEST
from interpreter.backends.wasm.emitter import Emitter
from interpreter.backends.wasm.memory_layout import MemoryLayout
from interpreter.backends.wasm.value_encoding import get_missing_value
from interpreter.backends.wasm.wasm_drafts import compute_end_size
from interpreter.backends.wasm.wasm_expressions import emit_load, place_static_cell
from interpreter.ir import expression_records as e, program_records as ir
from interpreter.model import types as t
from interpreter.model.types import strip_maybe

NEVER_EQUAL, EQUAL_AS_WORDS, PERHAPS_EQUAL = 0, 1, 2
_NO_VALUE = -1  # the sort of a value that has no key


def build_trial_functions(emitter: Emitter) -> tuple[str, dict[str, int]]:
    """Return (text of the functions with which bots try options, constants that it refers to).

    The text is in the language of `function_compiler`. Both are empty if an option has no key or a position no value.
    """
    layout, program = emitter.layout, emitter.program
    offers = [v.type for draft in program.drafts.values() for v in draft.offer]
    value = _build_evaluation_text(emitter)
    if value is None or any(_offer_sort(layout, type_) == _NO_VALUE for type_ in offers):
        layout.trial_regions = {}
        return "", {}
    return value[0] + trial_text.TEXT, _list_constants(layout, value[1])


def _build_evaluation_text(emitter: Emitter) -> tuple[str, t.Type] | None:
    """Return (code that evaluates a position, in the language of `function_compiler`; type of the value), or None.

    It computes what `players.bots.evaluation` does; None if it is impossible here.
    """
    functions = emitter.program.functions
    name = next((name for name in ("evaluation", "score") if name in functions), None)
    if name is None and emitter.layout.values.get_domain_size(t.SEAT) > trial_text.MAX_SEATS:
        return None
    if name is None:
        _write_owner(emitter)
        return trial_text.BY_PIECES, t.INT
    measure = functions[name]
    if len(measure.params) > 1 or not isinstance(measure.result, t.IntType | t.NumberType):
        return None
    return trial_text.BY_EVALUATION if name == "evaluation" else trial_text.BY_POINTS, measure.result


def _write_owner(emitter: Emitter) -> None:
    """Write `owner(piece)`, which returns the side in the first attribute of a piece that holds a side, or -1."""
    pieces = emitter.layout.ruleset.kinds["piece"]
    with emitter.begin_function("owner", [("piece", "i32")], "i32") as w:
        side = w.create_local("side", "i32")
        for name, attribute in pieces.attributes.items():
            if not (isinstance(attribute.type, t.ThingType) and attribute.type.kind == "side"):
                continue
            cell = emitter.layout.columns.get(e.Slot("piece", name))
            if cell is None:
                cell, _ = place_static_cell(
                    emitter, tuple(thing.values.get(name) for thing in pieces.things), attribute.type
                )
            w.append(
                put(side, emit_load(cell, get("piece"))), when(("i32.ge_s", get(side), c32(0)), ("return", get(side)))
            )
        w.append(c32(-1))


def _list_constants(layout: MemoryLayout, measure: t.Type) -> dict[str, int]:
    """Return the addresses and sizes that `assembly/trial_text.py` refers to. `measure`: the type of an evaluation."""
    after, region, program = layout.request + 8 * len(REQUEST), layout.trial_regions, layout.program
    decisions, places = program.decisions, layout.ruleset.kinds["place"].things
    shapes = [layout.put(_encode_shape(layout, d)) for d in decisions] or [0]
    relations = bytes(_compare_key_types(program, a, b) for a in decisions for b in decisions)
    return {
        **{name: number for name, number in vars(trial_text).items() if isinstance(number, int)},
        "FEW": after,
        "TRIAL": after + 8,
        "VALUE": after + 16,
        **region,
        "COUNTS_SIZE": 8 * max(1, layout.values.get_domain_size(t.SEAT)),
        "KEYS_LIMIT": region["KEYS"] + trial_text.KEYS_SIZE - trial_text.LONGEST_KEY,
        "POLICY_ENTRIES": region["POLICY"] + trial_text.POLICY_TABLE,
        "POLICY_END": region["POLICY"] + trial_text.POLICY_SIZE,
        "KEY_SIZE": trial_text.TRIAL_SIZE - trial_text.KEY_AT,
        "ENDS_AT": layout.asked_ends,
        "WORTH_SCALE": layout.values.scale if isinstance(measure, t.NumberType) else 1,
        "ON_MAP": layout.put(bytes(place.holding is None for place in places) or b"\0", 1),
        "DECISIONS": len(decisions),
        "RELATIONS": layout.put(relations or b"\0", 1),
        "SHAPES": layout.put(b"".join(at.to_bytes(4, "little") for at in shapes)),
    }


def _offer_sort(layout: MemoryLayout, type_: t.Type) -> int:
    """Return how a value of an offer becomes part of its key: the words of a bit set, LIST, 0 for one word."""
    match type_:
        case t.SetType() if words := layout.values.count_set_words(type_):
            return words if words < trial_text.LIST else _NO_VALUE
        case t.SetType(item=item) | t.ListType(item=item) if item is None or _get_kind(item):
            return trial_text.LIST
    return 0 if _get_kind(type_) else _NO_VALUE


def _encode_shape(layout: MemoryLayout, decision: ir.LoweredDecision) -> bytes:
    """Return the shape of the keys of a decision's options, in the layout that `trial_text.KEYS` reads.

    It holds the size of an end of the draft (0 without a draft), whether arguments are comparable, then a byte for each
    option (its number of arguments) or each value of an offer.
    """
    if decision.draft is None:
        rows = [[_get_kind(p.type) or "part" for p in option.params] for option in decision.options]
        depth = max([len(row) for row in rows], default=0)
        is_similar = all(_are_equal(row[k] for row in rows if len(row) > k) for k in range(depth))
        return bytes(4) + _encode_flag(is_similar) + bytes((0, *(len(row) for row in rows)))
    draft = layout.program.drafts[decision.draft]
    types = [v.type for v in draft.offer]
    sorts = [max(0, _offer_sort(layout, type_)) for type_ in types]
    first = next((k for k, sort in enumerate(sorts) if sort), len(sorts))
    is_similar = _are_equal(_get_kind(_get_member_type(type_)) for type_ in types[first:])
    return (
        compute_end_size(draft).to_bytes(4, "little")
        + _encode_flag(is_similar)
        + bytes((*sorts, trial_text.END_OF_SHAPE))
    )


def _compare_key_types(program: ir.LoweredProgram, first: ir.LoweredDecision, second: ir.LoweredDecision) -> int:
    """Return how keys of two decisions compare: NEVER_EQUAL, EQUAL_AS_WORDS, or PERHAPS_EQUAL if Python must decide."""
    offers = [None if d.draft is None else [v.type for v in program.drafts[d.draft].offer] for d in (first, second)]
    match offers:
        case [None, None]:
            rows = zip(first.options, second.options, strict=False)
            pairs = [(_list_kinds(p.type for p in a.params), _list_kinds(p.type for p in b.params)) for a, b in rows]
            is_plain = all(a == b for a, b in pairs if len(a) == len(b))
            return EQUAL_AS_WORDS if is_plain else PERHAPS_EQUAL
        case [None, offer] | [offer, None]:
            assert offer is not None
            return PERHAPS_EQUAL if [_is_row(type_) for type_ in offer] == [False, True] else NEVER_EQUAL
        case [a, b]:
            assert a is not None
            assert b is not None
            if [_is_row(type_) for type_ in a] != [_is_row(type_) for type_ in b]:
                return NEVER_EQUAL
            return EQUAL_AS_WORDS if _list_kinds(a) == _list_kinds(b) else PERHAPS_EQUAL
    raise AssertionError


def _list_kinds(types: Iterable[t.Type]) -> list[str]:
    return [_get_kind(_get_member_type(type_)) or str(type_) for type_ in types]


def _is_row(type_: t.Type) -> bool:
    return isinstance(type_, t.SetType | t.ListType)


def _encode_flag(value: bool) -> bytes:
    return int(value).to_bytes(4, "little")


def _are_equal(kinds: Iterable[str]) -> bool:
    return len(set(kinds)) < 2


def _get_member_type(type_: t.Type) -> t.Type:
    return (type_.item or t.INT) if isinstance(type_, t.SetType | t.ListType) else type_


def _get_kind(type_: t.Type) -> str:
    """Return the name of a type's representation; '' if a value is not a single word.

    Types with one name have equal values exactly if the words are equal.
    """
    match strip_maybe(type_):
        case t.SetType() | t.ListType() | t.RecordType() | t.PartType() | t.NeverType():
            return ""
        case held if isinstance(type_, t.MaybeType):
            return f"{_get_kind(held)} or {get_missing_value(type_)}"
        case t.NumberType():
            return "fraction"
        case t.TextType() | t.OneOfType() | t.DirectionType():
            return "word"
    return "number"
