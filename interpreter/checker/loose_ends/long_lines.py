"""Lines of rules that are too long to be read beside a rulebook. Must not look at what they say."""

from __future__ import annotations

from interpreter.model import core as c
from interpreter.source.diagnostic import Sink
from interpreter.source.printing import cell_width
from interpreter.source.text import Source, Span
from interpreter.words.speech import mark as _

MOST_CELLS = 120


def check_lines(model: c.CheckedModel, sink: Sink) -> None:
    """Tell of each line that is too long, the first of a file with the number of its others."""
    groups = (model.procedures, model.defines, model.rules, model.tallies, model.drafts, model.events)
    items = [item for group in groups for item in group.values()]
    sources = {item.span.source.name: item.span.source for item in items}
    for _name, source in sorted(sources.items()):
        _check(source, sink)


def _check(source: Source, sink: Sink) -> None:
    starts = [*source.line_starts(), len(source.text) + 1]
    found: list[Span] = []
    cells = 0  # of the first line that is told
    for start, end in zip(starts, starts[1:], strict=False):
        line = source.text[start : end - 1].rstrip()  # of a variant's document only the rules are left
        if len(line) * 2 > MOST_CELLS and cell_width(line) > MOST_CELLS:
            cells = cells or cell_width(line)
            found.append(Span(source, start + len(line) - len(line.lstrip()), start + len(line)))
    if found:
        sink.add_note(
            "long-line",
            _(
                "this line has {cells} characters, more than the {most} that can be read at a glance; "
                "lines as long in this file: {count}",
                cells=cells,
                most=MOST_CELLS,
                count=len(found),
            ),
            found[0],
            help=_("end it after a comma, `and`, `or`, `then` or `else`, or before a text or a citation"),
        )
