"""Charts of a game in progress: the tables of a ruleset with the cells that apply now marked.

Returns data and lines; the caller chooses what is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from interpreter.i18n.translator import ENGLISH, Translate
from interpreter.play.lines import TextLine
from interpreter.runtime.program import Program, value_of
from interpreter.runtime.value_format import ValueFormatter
from interpreter.tools.describe.chart_sheets import table_lines


def chart_lines(
    program: Program, name: str, lang: str = "", lit: Collection[tuple[int, ...]] = (), say: Translate = ENGLISH
) -> list[TextLine]:
    """Format the chart of a table; the cells at the row numbers `lit` are in brackets."""
    return table_lines(chart_data(program, name, lang, lit), say)


def chart_data(program: Program, name: str, lang: str = "", lit: Collection[tuple[int, ...]] = ()) -> dict[str, Any]:
    """Return a table of a compiled ruleset as `chart_sheets.table_data` does, with words for rows and cells."""
    table, naming = program.data["tables"][name], program.naming(lang)
    axes = [
        {
            "name": naming.name(a["name"], "axis"),
            "rows": _rows(a, naming),
            "rounding": a["rounding"],
            "below": _past(a["below"], table, naming),
            "above": _past(a["above"], table, naming),
        }
        for a in table["axes"]
    ]
    cells = [
        {
            "at": [a["rows"][i] for a, i in zip(axes, at, strict=True)],
            "value": _cell(value, table, naming),
            "lit": tuple(at) in lit,
        }
        for at, value in table["cells"]
    ]
    return {
        "id": name,
        "label": naming.label(table["label"]),
        "cite": table["cites"],
        "source": table["source"],
        "note": naming.label(table["note"]),
        "signs": table["signs"],
        "arms": {arm: naming.name(arm, "word") for _, arm, _ in table["signs"]},
        "columns": [naming.name(name) for name, _ in table["fields"]],
        "axes": axes,
        "cells": cells,
    }


def _rows(axis: Mapping[str, Any], naming: ValueFormatter) -> list[str]:
    """Return the row titles: names of things and rungs; printed labels for numbers, bands and odds."""
    headed = axis["headings"] or [{}] * len(axis["keys"])
    if axis["sort"] != "keys":
        return [naming.heading(axis, n) for n in range(len(headed))]
    shown = [naming.value(axis["show"], value_of(key)) for key in axis["keys"]]
    return [naming.label(own) if own else value for own, value in zip(headed, shown, strict=True)]


def _cell(value: Sequence[Any] | None, table: Mapping[str, Any], naming: ValueFormatter) -> object:
    """Return the content of a cell: parts for a notation, a text per column for several values, or a text."""
    if table["signs"]:
        return [{name: number} if number else name for name, number in value or ()]
    if table["fields"] and value is not None:
        return {
            naming.name(name): naming.value(show, value_of(part))
            for (name, show), part in zip(table["fields"], value, strict=True)
        }
    return "-" if value is None or value == [] else naming.value(table["show"], value_of(value))


def _past(end: Sequence[Any], table: Mapping[str, Any], naming: ValueFormatter) -> object:
    return end if isinstance(end, str) else {"result": naming.value(table["show"], value_of(end[1]))}
