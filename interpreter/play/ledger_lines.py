"""Ledger entries as lines of words, indented, with their citations, in the ruleset's language."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from interpreter.i18n.number_format import number_text
from interpreter.play.events import format_event, is_silent
from interpreter.play.ledger import LedgerEntry, lookup_show
from interpreter.play.lines import Line
from interpreter.runtime.log_entries import ComparisonNote, EachNote, LookupNote, TallyLine, TallyNote, ValueNote
from interpreter.runtime.tables import ShiftedKey
from interpreter.runtime.type_aliases import Number, Terms, handle_of
from interpreter.runtime.value_format import ValueFormatter

if TYPE_CHECKING:
    from interpreter.runtime.program import Program


def ledger_lines(program: Program, entries: Iterable[LedgerEntry], language: str = "") -> list[Line]:
    """Return one line for each entry, followed by the indented lines it is made of."""
    naming = program.naming(language)
    return [
        line for entry in entries if not is_silent(program, entry.raw) for line in _lines(program, entry, naming, 0)
    ]


def _lines(program: Program, entry: LedgerEntry, naming: ValueFormatter, depth: int) -> list[Line]:
    words = _words(program, entry, naming)
    times = f" ×{entry.times}" if entry.times > 1 else ""
    lines = [Line(words + times, entry.cite, level=depth)]
    for inner in entry.inside:
        lines += _lines(program, inner, naming, depth + 1)
    return lines


def _words(program: Program, entry: LedgerEntry, naming: ValueFormatter) -> str:
    match entry.raw:
        case LookupNote() as note:
            return _look(program, note, entry.source, naming)
        case TallyNote(name, _, total):
            return naming.phrase("{what}: {values}", what=naming.name(name), values=number_text(total))
        case TallyLine(words, values, amount):
            return f"{'+' if amount >= 0 else '−'}{number_text(abs(amount))} {naming.words(words, values)}"
        case ValueNote() as note:
            return _value(note, naming)
        case ComparisonNote() as note:
            return _test(note, naming)
        case EachNote():
            raise TypeError("an entry of a ledger holds the note of a member, not the member")
        case event:
            return format_event(program, event, naming.language)


def _look(program: Program, raw: LookupNote, source: str, naming: ValueFormatter) -> str:
    table, keys, rows, value, terms, column, _ = raw
    chart = program.charts[table]
    read = []
    bases = chart.unshifted(keys)
    for n, axis in enumerate(chart.axes):
        given = keys[n]
        shift = given.by if isinstance(given, ShiftedKey) else 0
        key = given.value if isinstance(given, ShiftedKey) else given
        words = (
            " : ".join(number_text(k) for k in key)
            if isinstance(key, tuple) and axis.sort == "ratio"
            else naming.value(axis.show, key)
        )
        label = naming.heading(axis, rows[n]) if rows else ""
        if terms[n]:
            words = naming.phrase("{what} ({more})", what=words, more=_sum_words(terms[n], naming))
        base = bases[n]
        if base is not None:
            label = format_shift(naming.phrase, naming.heading(axis, base), shift, label)
        is_other = bool(rows and axis.headings and axis.headings[rows[n]])
        if (axis.sort in ("ratio", "bands") or base is not None or is_other) and label:
            words += f" → {label}"
        read.append(f"{naming.name(axis.name, 'axis')} {words}")
    title = naming.label(chart.label, table).replace("_", " ")
    if column is not None:
        title += f", {naming.name(column[1])}"
    if source not in ("printed", "None", ""):
        title = naming.phrase("{what} ({more})", what=title, more=naming.phrase(source))
    found = f"{naming.phrase(', ').join(read)} = {naming.value(lookup_show(program, raw), value)}"
    return naming.phrase("{what}: {values}", what=title, values=found)


def format_shift(phrase: Callable[..., str], base: str, by: int, row: str) -> str:
    """Format a row or column before and after a shift; `row` is "" if the shift leads past an end."""
    if not by:
        return base
    where = (
        phrase("{base}, {count} (shift|shifts) left", base=base, count=-by)
        if by < 0
        else phrase("{base}, {count} (shift|shifts) right", base=base, count=by)
    )
    return phrase("{what}: {values}", what=where, values=row) if row else where


def _sum_words(terms: Iterable[tuple[int, str, Any]], naming: ValueFormatter) -> str:
    words = ""
    for sign, name, value in terms:
        if not name and not value:
            continue
        amount = number_text(value)
        called = f"{naming.name(name)} " if name else ""
        words += (f" {'+' if sign > 0 else '−'} " if words else "" if sign > 0 else "−") + called + amount
    return words


def _value(raw: ValueNote, naming: ValueFormatter) -> str:
    name, value, define, _, show, kind, of, _ = raw
    what = naming.name(name)
    if define != name and naming.name(define) != what:
        what = naming.phrase("{what} ({more})", what=what, more=naming.name(define))
    told = naming.phrase("{what}: {values}", what=what, values=naming.value(show, value))
    return (
        told
        if kind in (None, "game")
        else naming.phrase("{what}: {values}", what=naming.thing(str(kind), handle_of(of)), values=told)
    )


def _test(raw: ComparisonNote, naming: ValueFormatter) -> str:
    symbol, left, right, names, terms, result, _ = raw
    sides = [_side(value, name, term, naming) for value, name, term in zip((left, right), names, terms, strict=True)]
    return naming.phrase(
        "{what}: {values}", what=f"{sides[0]} {symbol} {sides[1]}", values=naming.phrase("yes" if result else "no")
    )


def _side(value: Number, name: str, terms: Terms, naming: ValueFormatter) -> str:
    if terms:
        return naming.phrase("{what} ({more})", what=number_text(value), more=_sum_words(terms, naming))
    return f"{naming.name(name)} {number_text(value)}" if name else number_text(value)
