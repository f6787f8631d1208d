"""Ledger entries as lines of words, indented, with their citations, in the ruleset's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from interpreter.i18n.number_format import format_number
from interpreter.play.events import format_event, is_silent
from interpreter.play.ledger import LedgerEntry, get_lookup_type
from interpreter.play.lines import Line
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import ComparisonNote, EachNote, LookupNote, TallyLine, TallyNote, ValueNote
from interpreter.runtime.tables import ShiftedKey
from interpreter.runtime.type_aliases import Number, Terms, handle_of

if TYPE_CHECKING:
    from interpreter.runtime.program import Program

_SIGNS = {"==": "=", "!=": "≠", "<=": "≤", ">=": "≥"}  # mathematical signs for the operators of the rules


def format_ledger(program: Program, entries: Iterable[LedgerEntry], language: str = "") -> list[Line]:
    """Return one line for each entry, followed by indented lines for the entries inside it."""
    localizer = program.get_localizer(language)
    return [
        line
        for entry in entries
        if not is_silent(program, entry.raw)
        for line in _format_entry(program, entry, localizer, 0)
    ]


def _format_entry(program: Program, entry: LedgerEntry, localizer: Localizer, depth: int) -> list[Line]:
    words = _format_entry_text(program, entry, localizer)
    times = f" ×{entry.times}" if entry.times > 1 else ""
    lines = [Line(words + times, entry.cite, level=depth)]
    for inner in entry.inside:
        lines += _format_entry(program, inner, localizer, depth + 1)
    return lines


def _format_entry_text(program: Program, entry: LedgerEntry, localizer: Localizer) -> str:
    """Return the text of a ledger entry."""
    match entry.raw:
        case LookupNote() as note:
            return _format_lookup(program, note, entry.source, localizer)
        case TallyNote(name, _, total):
            return localizer.translate_phrase(
                "{what}: {values}", what=localizer.translate_name(name), values=format_number(total)
            )
        case TallyLine(words, values, amount):
            return f"{'+' if amount >= 0 else '−'}{format_number(abs(amount))} {localizer.fill_text(words, values)}"
        case ValueNote() as note:
            return _format_value(note, localizer)
        case ComparisonNote() as note:
            return _format_comparison(note, localizer)
        case EachNote():
            raise TypeError("an entry of a ledger holds the note of a member, not the member")
        case event:
            return format_event(program, event, localizer.lang)


def _format_lookup(program: Program, raw: LookupNote, source: str, localizer: Localizer) -> str:
    table, keys, rows, value, terms, column, _ = raw
    chart = program.charts[table]
    read = []
    bases = chart.find_unshifted_rows(keys)
    for n, axis in enumerate(chart.axes):
        requested = keys[n]
        shift = requested.by if isinstance(requested, ShiftedKey) else 0
        key = requested.value if isinstance(requested, ShiftedKey) else requested
        words = (
            " : ".join(format_number(k) for k in key)
            if isinstance(key, tuple) and axis.sort == "ratio"
            else localizer.format_value(axis.show, key)
        )
        label = localizer.format_axis_heading(axis, rows[n]) if rows else ""
        if terms[n]:
            words = localizer.translate_phrase("{what} ({more})", what=words, more=_format_sum(terms[n], localizer))
        base = bases[n]
        if base is not None:
            label = format_shift(localizer.translate_phrase, localizer.format_axis_heading(axis, base), shift, label)
        is_other = bool(rows and axis.headings and axis.headings[rows[n]])
        if (axis.sort in ("ratio", "bands") or base is not None or is_other) and label:
            words += f" → {label}"
        titles = (
            [localizer.format_value(axis.show, key_value) for key_value in axis.keys] if axis.sort == "keys" else []
        )
        is_plain = chart.has_plain_rows(n, titles)
        read.append(words if is_plain else f"{localizer.translate_name(axis.name, 'axis')} {words}")
    title = localizer.translate_label(chart.label, table).replace("_", " ")
    if column is not None:
        title += f", {localizer.translate_name(column[1])}"
    if source not in ("printed", "None", ""):
        title = localizer.translate_phrase("{what} ({more})", what=title, more=localizer.translate_phrase(source))
    result = localizer.format_value(get_lookup_type(program, raw), value)
    result_text = f"{localizer.translate_phrase(', ').join(read)} = {result}"
    return localizer.translate_phrase("{what}: {values}", what=title, values=result_text)


def format_shift(translate_phrase: Callable[..., str], base: str, by: int, row: str) -> str:
    """Format a row or column before and after a shift, with its size and direction.

    `base`: the row before; `by`: how far it is shifted, negative to the left; `row`: the row after, '' if the shift
    leads past an end.
    """
    if not by:
        return base
    shifted = (
        translate_phrase("{base}, {count} (shift|shifts) left", base=base, count=-by)
        if by < 0
        else translate_phrase("{base}, {count} (shift|shifts) right", base=base, count=by)
    )
    return translate_phrase("{what}: {values}", what=shifted, values=row) if row else shifted


def _format_sum(terms: Iterable[tuple[int, str, Any]], localizer: Localizer) -> str:
    """Return terms (sign, name, value) as a sum in words."""
    text = ""
    for sign, name, value in terms:
        if not name and not value:
            continue
        amount = format_number(value)
        label = f"{localizer.translate_name(name)} " if name else ""
        text += (f" {'+' if sign > 0 else '−'} " if text else "" if sign > 0 else "−") + label + amount
    return text


def _format_value(raw: ValueNote, localizer: Localizer) -> str:
    name, value, define, _, show, kind, owner, _ = raw
    title = localizer.translate_name(name)
    if define != name and localizer.translate_name(define) != title:
        title = localizer.translate_phrase("{what} ({more})", what=title, more=localizer.translate_name(define))
    text = localizer.translate_phrase("{what}: {values}", what=title, values=localizer.format_value(show, value))
    return (
        text
        if kind in (None, "game")
        else localizer.translate_phrase(
            "{what}: {values}", what=localizer.get_name_by_handle(str(kind), handle_of(owner)), values=text
        )
    )


def _format_comparison(raw: ComparisonNote, localizer: Localizer) -> str:
    symbol, left, right, names, terms, _rolled, result, _ = raw
    sign = _SIGNS.get(symbol, symbol)
    sides = [
        _format_comparison_side(value, name, term, localizer)
        for value, name, term in zip((left, right), names, terms, strict=True)
    ]
    return localizer.translate_phrase(
        "{what}: {values}",
        what=f"{sides[0]} {sign} {sides[1]}",
        values=localizer.translate_phrase("yes" if result else "no"),
    )


def _format_comparison_side(value: Number, name: str, terms: Terms, localizer: Localizer) -> str:
    if terms:
        return localizer.translate_phrase(
            "{what} ({more})", what=format_number(value), more=_format_sum(terms, localizer)
        )
    return f"{localizer.translate_name(name)} {format_number(value)}" if name else format_number(value)
