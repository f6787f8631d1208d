"""Lint lines of rules that are too long to read next to a rulebook. Looks at their length only."""

from __future__ import annotations

from itertools import pairwise

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.i18n.translator import mark as _
from interpreter.model.checked_model import CheckedModel, iter_items

MAX_CELLS = 120


def check_lines(model: CheckedModel, sink: Sink) -> None:
    """Report the first overlong line of each file, with the number of further ones."""
    sources = {item.span.source.name: item.span.source for _sort, _name, item in iter_items(model)}
    for _name, source in sorted(sources.items()):
        _report_long_lines(source, sink)


def _report_long_lines(source: Source, sink: Sink) -> None:
    """Report the first line of a source that is too long to read easily, with the number of such lines."""
    starts = [*source.get_line_starts(), len(source.text) + 1]
    spans: list[Span] = []
    cells = 0  # of the first reported line
    for start, end in pairwise(starts):
        line = source.text[start : end - 1].rstrip()  # of a variant's document only the rules are left
        if len(line) * 2 > MAX_CELLS and measure_cells(line) > MAX_CELLS:
            cells = cells or measure_cells(line)
            spans.append(Span(source, start + len(line) - len(line.lstrip()), start + len(line)))
    if spans:
        sink.add_note(
            "long-line",
            _(
                "this line has {cells} characters; {most} is the limit for easy reading; lines as long in "
                "this file: {count}",
                cells=cells,
                most=MAX_CELLS,
                count=len(spans),
            ),
            spans[0],
            help=_("break it after a comma, `and`, `or`, `then` or `else`, or before a text or a citation"),
        )
