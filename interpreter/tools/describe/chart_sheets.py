"""Tables as plain data, and as charts in their printed layout.

Returns lines; the caller prints them.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.terminal_text import cell_width, escape_text
from interpreter.i18n.translator import Translate, mark as _
from interpreter.play.lines import Line, TextLine
from interpreter.tools.describe.locale_format import ENGLISH_IDS, LocaleFormatter
from interpreter.tools.describe.value_format import label_words, value_data

if TYPE_CHECKING:
    from interpreter.model.ruleset import Origin, Ruleset, Table

_WIDEST = 100  # width in cells up to which a chart is laid out across
SOURCES = {"reconstructed": _("reconstructed"), "inferred": _("inferred")}
_ROUNDED = {"for_defender": _("for the defender"), "down": _("down"), "up": _("up"), "near": _("to the nearest")}

Data = dict[str, Any]


def table_data(table: Table, ruleset: Ruleset, lang: str) -> Data:
    """Return a table as data: its axes with their rows, and every cell with the rows it lies in."""
    axes = [
        {
            "name": a.name,
            "rows": list(a.labels),
            "headings": [label_words(h, lang) for h in a.headings],
            "rounding": a.rounding,
            "below": _past(a.below, table, ruleset),
            "above": _past(a.above, table, ruleset),
        }
        for a in table.axes
    ]
    cells = [
        {
            "at": [a.labels[i] for a, i in zip(table.axes, at, strict=True)],
            "value": value_data(value, table.type, ruleset),
        }
        for at, value in sorted(table.cells.items())
    ]
    return {
        "id": table.id,
        "label": label_words(table.label, lang),
        **origin_data(table.origin, lang),
        "columns": _columns(table, ruleset),
        "signs": [list(sign) for sign in table.signs],
        "axes": axes,
        "cells": cells,
    }


def translate_table(data: Data, formatter: LocaleFormatter) -> Data:
    """Translate the ids in the data of a table to their names, as far as the language has names."""
    if not formatter.names:
        return data
    axes = [
        {
            **axis,
            "name": formatter.name_of(axis["name"], "axis"),
            "rows": [formatter.name_of(row, "word", "text") for row in axis["rows"]],
            **{
                end: {"result": formatter.value(axis[end]["result"])}
                for end in ("below", "above")
                if isinstance(axis[end], dict)
            },
        }
        for axis in data["axes"]
    ]
    is_worded = not data["signs"]
    cells = [
        {
            **cell,
            "at": [formatter.name_of(row, "word", "text") for row in cell["at"]],
            "value": _cell_in_words(cell["value"], formatter) if is_worded else cell["value"],
        }
        for cell in data["cells"]
    ]
    return {
        **data,
        "axes": axes,
        "cells": cells,
        "columns": [formatter.name_of(c) for c in data["columns"]],
        "arms": {arm: formatter.name_of(arm, "word") for _sign, arm, _default in data["signs"]},
    }


def _cell_in_words(value: object, formatter: LocaleFormatter) -> object:
    if isinstance(value, dict):
        return {formatter.name_of(name): formatter.value(part) for name, part in value.items()}
    return formatter.value(value)


def origin_data(origin: Origin, lang: str) -> Data:
    """Return the location of a datum and its source."""
    return {
        "cite": list(origin.cite),
        "source": origin.source,
        "note": label_words(origin.note, lang),
        "file": origin.span.file,
        "line": origin.span.line,
    }


def table_lines(data: Data, say: Translate) -> list[TextLine]:
    """Format the chart of a table with its title, source and note; `say` translates the interface's words.

    `data["arms"]` may give words for the meaning of the signs.
    """
    data = apply_headings(data)
    title = data["label"] if data["label"] and data["label"] != data["id"] else ""
    head = say("{id}: {title}", id=data["id"], title=title) if title else data["id"]
    lines: list[TextLine] = [Line(head, tuple(data["cite"]))]
    lines += source_lines(data, say)
    lines += _chart(data, say)
    lines += [f"  {sign}: {words}" for sign, words in sign_meanings(data)]
    for axis in data["axes"]:
        lines += axis_notes(axis, say)
    return lines


def apply_headings(data: Data) -> Data:
    """Replace row names by their printed headings where the headings differ."""
    printed = [dict(zip(a["rows"], a.get("headings") or (), strict=False)) for a in data["axes"]]

    def rows(names: Sequence[str], by: dict[str, str]) -> list[str]:
        return [by.get(name) or name for name in names]

    axes = [{**axis, "rows": rows(axis["rows"], by)} for axis, by in zip(data["axes"], printed, strict=True)]
    cells = [
        {**cell, "at": [by.get(row) or row for row, by in zip(cell["at"], printed, strict=True)]}
        for cell in data["cells"]
    ]
    return {**data, "axes": axes, "cells": cells}


def sign_meanings(data: Data) -> list[tuple[str, str]]:
    """Return the signs of a chart, each with its meaning."""
    arms = data.get("arms", {})
    return [(sign, arms.get(arm, arm.replace("_", " "))) for sign, arm, _default in data["signs"]]


def source_text(data: Data, say: Translate) -> str:
    """Return the source of a datum that was not printed, or its note; '' if there is neither."""
    note = data["note"]
    if data["source"] not in SOURCES:
        return say("note: {note}", note=note) if note else ""
    source = say(SOURCES[data["source"]])
    if note:
        return say("{source}: {note}", source=source, note=note)
    return say("{source} by the authors of this ruleset; the printed game may differ", source=source)


def source_lines(data: Data, say: Translate) -> list[str]:
    """Return the source or note of a datum as an indented line; [] if there is neither."""
    told = source_text(data, say)
    return ["  " + told] if told else []


def align_rows(rows: Sequence[Sequence[str]], right_from: int = 1) -> list[str]:
    """Pad rows of cells into aligned columns; columns from `right_from` on are right-aligned."""
    safe = [[escape_text(cell) for cell in row] for row in rows]
    widths = [max(cell_width(row[n]) for row in safe) for n in range(len(safe[0]))] if safe else []
    lines = []
    for row in safe:
        cells = [
            (" " * (w - cell_width(c)) + c) if n >= right_from else (c + " " * (w - cell_width(c)))
            for n, (c, w) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip())
    return lines


def _columns(table: Table, ruleset: Ruleset) -> list[str]:
    from interpreter.model.types import RecordType  # imported late: charts of a game need no model

    return list(ruleset.records[table.type.id].fields) if isinstance(table.type, RecordType) else []


def _past(end: object, table: Table, ruleset: Ruleset) -> object:
    return {"result": value_data(end[1], table.type, ruleset)} if isinstance(end, tuple) else end


def _chart(data: Data, say: Translate) -> list[TextLine]:
    """Lay out a chart across if its lines stay short, else downwards.

    Across, each row of the leading axes gets a sheet, which shows the last two axes. Highlighted cells are in
    brackets, and so are the names of their rows and columns.
    """
    axes, columns = data["axes"], data["columns"]
    cells = {tuple(c["at"]): c["value"] for c in data["cells"]}
    lit = {tuple(c["at"]) for c in data["cells"] if c.get("lit")}
    if columns:
        values = {
            at: {c: _lit_text(ENGLISH_IDS.value(cell.get(c)), at in lit) for c in columns}
            for at, cell in cells.items()
            if cell is not None
        }
        return _indented(_layout_down(axes, columns, values))
    texts = {at: _lit_text(_cell_text(value, data["signs"]), at in lit) for at, value in cells.items()}
    lines: list[TextLine] = []
    for sheet in _products(axes[:-2]):
        inside = {at[len(sheet) :]: t for at, t in texts.items() if at[: len(sheet)] == sheet}
        across = _layout_across(axes[-2:], inside, [at[len(sheet) :] for at in lit if at[: len(sheet)] == sheet], say)
        if sheet:
            lines.append(Line(", ".join(sheet), kind="section", level=1))
        lines += _indented(across, 2 if sheet else 1)
    if max((cell_width(str(line)) for line in lines), default=0) <= _WIDEST + 2:
        return lines
    found = {at: {say("result"): text} for at, text in texts.items()}
    return _indented(_layout_down(axes, [say("result")], found, 1))


def _indented(rows: Sequence[str], level: int = 1) -> list[TextLine]:
    return [Line(row, kind="row", level=level) for row in rows]


def _lit_text(text: str, is_lit: bool) -> str:
    return f"[{text}]" if is_lit else text


def _layout_across(
    axes: list[Data], texts: dict[tuple[str, ...], str], lit: Sequence[tuple[str, ...]], say: Translate
) -> list[str]:
    """Lay out one or two axes: rows of the last axis across, rows of the first axis downwards."""
    last, down = axes[-1], axes[:-1]
    settled = [{at[n] for at in lit} for n in range(len(axes))]
    settled = [found if len(found) < len(a["rows"]) else set() for a, found in zip(axes, settled, strict=True)]
    across = [_lit_text(row, row in settled[-1]) for row in last["rows"]]
    rows = [[*(a["name"] for a in down), *across] if down else [last["name"], *across]]
    for keys in _products(down):
        named = [_lit_text(key, key in found) for key, found in zip(keys, settled, strict=False)]
        rows.append([*(named or ("",)), *(texts.get((*keys, row), "-") for row in last["rows"])])
    lines = align_rows(rows)
    return [say("across: {axis}", axis=last["name"]), *lines] if down else lines


def _cell_text(value: object, signs: list[list[Any]]) -> str:
    """Format a cell in words, or in the chart's own notation if it has one."""
    if signs and isinstance(value, list):
        return "".join(_sign_text(part, signs) for part in value) or "-"
    return ENGLISH_IDS.value(value)


def cell_words(value: object, signs: Sequence[tuple[str, str, int | None]], formatter: LocaleFormatter) -> str:
    """Format the data of one cell in words, or in its chart's notation; "-" if the cell has no effect."""
    return (
        _cell_text(value, [list(sign) for sign in signs])
        if signs and isinstance(value, list)
        else formatter.value(value)
    )


def _sign_text(part: object, signs: list[list[Any]]) -> str:
    name, number = next(iter(part.items())) if isinstance(part, dict) else (part, None)
    for written, arm, default in signs:
        if arm == name:
            told = "" if number is None or number == default and written != "n" else str(number)
            return str(written).replace("n", told) if number is not None else str(written)
    return ENGLISH_IDS.value(part)


def _layout_down(axes: list[Data], columns: list[str], cells: dict[tuple[str, ...], Any], left: int = 0) -> list[str]:
    """Lay out one line per cell; the first `left` columns are left-aligned like the axes."""
    rows = [[*(a["name"] for a in axes), *columns]]
    for keys in _products(axes):
        cell = cells.get(keys)
        if cell is not None:
            rows.append([*keys, *(ENGLISH_IDS.value(cell.get(c)) for c in columns)])
    return align_rows(rows, len(axes) + left)


def _products(axes: Sequence[Data]) -> list[tuple[str, ...]]:
    return list(product(*(axis["rows"] for axis in axes)))


def axis_notes(axis: Data, say: Translate) -> list[str]:
    """Format the effects beyond the ends of an axis and the rounding of ratios, as indented lines."""
    lines = []
    name = axis["name"]
    for rule, where in (
        (axis["below"], say("{axis} below the rows", axis=name)),
        (axis["above"], say("{axis} above the rows", axis=name)),
    ):
        if rule == "clamp":
            lines.append("  " + say("{where}: the nearest row is used", where=where))
        elif isinstance(rule, dict):
            lines.append("  " + say("{where}: {result}", where=where, result=ENGLISH_IDS.value(rule["result"])))
    if rounding := axis["rounding"]:
        lines.append("  " + say("{axis}: ratios are rounded {how}", axis=name, how=say(_ROUNDED[rounding])))
    return lines
