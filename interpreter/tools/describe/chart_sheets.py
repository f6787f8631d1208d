"""Tables as data, and as charts the way they are printed.

Must not write anything; the caller prints the lines.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from interpreter.diagnostics.terminal_text import cell_width, printable
from interpreter.i18n.translator import Translate, mark as _
from interpreter.tools.describe.locale_format import ENGLISH_IDS, LocaleFormatter
from interpreter.tools.describe.value_format import label_words, value_data

if TYPE_CHECKING:
    from interpreter.model.ruleset import Origin, Ruleset, Table

_WIDEST = 100  # cells of a chart laid across; a wider one is laid down
SOURCES = {"reconstructed": _("reconstructed"), "inferred": _("inferred")}
_ROUNDED = {"for_defender": _("for the defender"), "down": _("down"), "up": _("up"), "near": _("to the nearest")}

Data = dict[str, Any]


def table_data(table: Table, ruleset: Ruleset, lang: str) -> Data:
    """A table: its axes with their rows, and every cell with the rows it lies in."""
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


def worded(data: Data, tongue: LocaleFormatter) -> Data:
    """The data of a table with names in place of its ids, as far as a language has some."""
    if not tongue.names:
        return data
    axes = [
        {
            **axis,
            "name": tongue.called(axis["name"], "axis"),
            "rows": [tongue.called(row, "word", "text") for row in axis["rows"]],
            **{
                end: {"result": tongue.value(axis[end]["result"])}
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
            "at": [tongue.called(row, "word", "text") for row in cell["at"]],
            "value": _cell_in_words(cell["value"], tongue) if is_worded else cell["value"],
        }
        for cell in data["cells"]
    ]
    return {
        **data,
        "axes": axes,
        "cells": cells,
        "columns": [tongue.called(c) for c in data["columns"]],
        "arms": {arm: tongue.called(arm, "word") for _sign, arm, _default in data["signs"]},
    }


def _cell_in_words(value: Any, tongue: LocaleFormatter) -> Any:
    if isinstance(value, dict):
        return {tongue.called(name): tongue.value(part) for name, part in value.items()}
    return tongue.value(value)


def origin_data(origin: Origin, lang: str) -> Data:
    """Where a datum stands and on what authority."""
    return {
        "cite": list(origin.cite),
        "source": origin.source,
        "note": label_words(origin.note, lang),
        "file": origin.span.file,
        "line": origin.span.line,
    }


def table_lines(data: Data, say: Translate) -> list[str]:
    """The chart of a table, with its title, authority and note; `say` puts the interface's words into a language.

    `data["arms"]` may have words for what the signs stand for.
    """
    data = headed(data)
    cite = f" [{', '.join(data['cite'])}]" if data["cite"] else ""
    title = data["label"] if data["label"] and data["label"] != data["id"] else ""
    lines = [(say("{id}: {title}", id=data["id"], title=title) if title else data["id"]) + cite]
    lines += authority_lines(data, say)
    lines += ["  " + line for line in _chart(data, say)]
    lines += [f"  {sign}: {words}" for sign, words in signs_told(data)]
    for axis in data["axes"]:
        lines += axis_notes(axis, say)
    return lines


def headed(data: Data) -> Data:
    """The table with what is printed over its rows in place of them, where that is something else."""
    printed = [dict(zip(a["rows"], a.get("headings") or (), strict=False)) for a in data["axes"]]

    def rows(names: Sequence[str], by: dict[str, str]) -> list[str]:
        return [by.get(name) or name for name in names]

    axes = [{**axis, "rows": rows(axis["rows"], by)} for axis, by in zip(data["axes"], printed, strict=True)]
    cells = [
        {**cell, "at": [by.get(row) or row for row, by in zip(cell["at"], printed, strict=True)]}
        for cell in data["cells"]
    ]
    return {**data, "axes": axes, "cells": cells}


def signs_told(data: Data) -> list[tuple[str, str]]:
    """The signs of a chart, each with what it stands for."""
    arms = data.get("arms", {})
    return [(sign, arms.get(arm, arm.replace("_", " "))) for sign, arm, _default in data["signs"]]


def authority(data: Data, say: Translate) -> str:
    """What must be said of a datum that was not printed, or its note; '' for nothing."""
    note = data["note"]
    if data["source"] not in SOURCES:
        return say("note: {note}", note=note) if note else ""
    source = say(SOURCES[data["source"]])
    if note:
        return say("{source}: {note}", source=source, note=note)
    return say("{source} by us; the printed game may differ", source=source)


def authority_lines(data: Data, say: Translate) -> list[str]:
    """The same as an indented line, where there is something to say."""
    told = authority(data, say)
    return ["  " + told] if told else []


def aligned(rows: Sequence[Sequence[str]], right_from: int = 1) -> list[str]:
    """Rows of cells under each other; columns from `right_from` on are set to the right."""
    safe = [[printable(cell) for cell in row] for row in rows]
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
    from interpreter.model.types import RecordType  # late: charts of a game need no model

    return list(ruleset.records[table.type.id].fields) if isinstance(table.type, RecordType) else []


def _past(end: Any, table: Table, ruleset: Ruleset) -> Any:
    return {"result": value_data(end[1], table.type, ruleset)} if isinstance(end, tuple) else end


def _chart(data: Data, say: Translate) -> list[str]:
    """Across if the lines stay short, a sheet for each row of the axes before the last two; else laid down.

    Cells that are lit stand in brackets, and so do the names of the rows and columns that they lie in.
    """
    axes, columns = data["axes"], data["columns"]
    cells = {tuple(c["at"]): c["value"] for c in data["cells"]}
    lit = {tuple(c["at"]) for c in data["cells"] if c.get("lit")}
    if columns:
        return _laid_down(
            axes,
            columns,
            {
                at: {c: _lit_text(ENGLISH_IDS.value(cell.get(c)), at in lit) for c in columns}
                for at, cell in cells.items()
                if cell is not None
            },
        )
    texts = {at: _lit_text(_cell_text(value, data["signs"]), at in lit) for at, value in cells.items()}
    lines: list[str] = []
    for sheet in _products(axes[:-2]):
        inside = {at[len(sheet) :]: t for at, t in texts.items() if at[: len(sheet)] == sheet}
        across = _across(axes[-2:], inside, [at[len(sheet) :] for at in lit if at[: len(sheet)] == sheet], say)
        lines += [", ".join(sheet), *(f"  {line}" for line in across)] if sheet else across
    if max((cell_width(line) for line in lines), default=0) <= _WIDEST:
        return lines
    return _laid_down(axes, [say("result")], {at: {say("result"): text} for at, text in texts.items()}, 1)


def _lit_text(text: str, is_lit: bool) -> str:
    return f"[{text}]" if is_lit else text


def _across(
    axes: list[Data], texts: dict[tuple[str, ...], str], lit: Sequence[tuple[str, ...]], say: Translate
) -> list[str]:
    """One or two axes: the rows of the last across, those of the first down."""
    last, down = axes[-1], axes[:-1]
    settled = [{at[n] for at in lit} for n in range(len(axes))]
    settled = [found if len(found) < len(a["rows"]) else set() for a, found in zip(axes, settled, strict=True)]
    across = [_lit_text(row, row in settled[-1]) for row in last["rows"]]
    rows = [[*(a["name"] for a in down), *across] if down else [last["name"], *across]]
    for keys in _products(down):
        named = [_lit_text(key, key in found) for key, found in zip(keys, settled, strict=False)]
        rows.append([*(named or ("",)), *(texts.get((*keys, row), "-") for row in last["rows"])])
    lines = aligned(rows)
    return [say("across: {axis}", axis=last["name"]), *lines] if down else lines


def _cell_text(value: Any, signs: list[list[Any]]) -> str:
    """A cell in words, or in the chart's own notation where it has one."""
    if signs and isinstance(value, list):
        return "".join(_sign_text(part, signs) for part in value) or "-"
    return ENGLISH_IDS.value(value)


def cell_words(value: Any, signs: Sequence[tuple[str, str, int | None]], tongue: LocaleFormatter) -> str:
    """The data of one cell in words, or in the notation of its chart; "-" where nothing happens."""
    return (
        _cell_text(value, [list(sign) for sign in signs]) if signs and isinstance(value, list) else tongue.value(value)
    )


def _sign_text(part: Any, signs: list[list[Any]]) -> str:
    name, number = next(iter(part.items())) if isinstance(part, dict) else (part, None)
    for written, arm, default in signs:
        if arm == name:
            told = "" if number is None or number == default and written != "n" else str(number)
            return str(written).replace("n", told) if number is not None else str(written)
    return ENGLISH_IDS.value(part)


def _laid_down(axes: list[Data], columns: list[str], cells: dict[tuple[str, ...], Any], left: int = 0) -> list[str]:
    """A line for each cell; `left` of the columns stand to the left as the axes do."""
    rows = [[*(a["name"] for a in axes), *columns]]
    for keys in _products(axes):
        cell = cells.get(keys)
        if cell is not None:
            rows.append([*keys, *(ENGLISH_IDS.value(cell.get(c)) for c in columns)])
    return aligned(rows, len(axes) + left)


def _products(axes: Sequence[Data]) -> list[tuple[str, ...]]:
    return list(product(*(axis["rows"] for axis in axes)))


def axis_notes(axis: Data, say: Translate) -> list[str]:
    """What happens past the ends of an axis, and how ratios are rounded, indented."""
    lines = []
    name = axis["name"]
    for rule, where in (
        (axis["below"], say("{axis} below the rows", axis=name)),
        (axis["above"], say("{axis} above the rows", axis=name)),
    ):
        if rule == "clamp":
            lines.append("  " + say("{where}: the nearest row counts", where=where))
        elif isinstance(rule, dict):
            lines.append("  " + say("{where}: {result}", where=where, result=ENGLISH_IDS.value(rule["result"])))
    if rounding := axis["rounding"]:
        lines.append("  " + say("{axis}: ratios are rounded {how}", axis=name, how=say(_ROUNDED[rounding])))
    return lines
