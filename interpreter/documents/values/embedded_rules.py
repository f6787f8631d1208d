"""Rules text inside documents: expressions, and the change statements of a variant."""

from __future__ import annotations

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.reading.tree import Node, ScalarNode
from interpreter.i18n.translator import mark as _
from interpreter.model.ruleset import Embedded


def read_expression(node: Node, sink: Sink) -> Embedded | None:
    """Return the expression in a scalar, or None (reported) if its text has no exact source span.

    The text of the result is always the source's text between the ends of its span: for a literal block that includes
    the indentation of all lines but the first.
    """
    if not isinstance(node, ScalarNode) or node.value is None:
        return None  # the schemas report it
    span = _find_exact_span(node)
    if span is None:
        message = _("errors in an expression written this way cannot be shown at their position")
        cure = _("write it on one line, in quotes without `\\` or doubled quotes, or in a block that begins with `|`")
        sink.add_error("inexact-expression", message, node.span, help=cure)
        return None
    return Embedded(span.source.text[span.start : span.end], span)


def _find_exact_span(node: ScalarNode) -> Span | None:
    source, start, end = node.span.source, node.span.start, node.span.end
    text = source.text[start:end]
    if node.style == "|":
        head, _, body = text.partition("\n")
        first = start + len(head) + 1 + (len(body) - len(body.lstrip()))
        return Span(source, first, max(first, start + len(text.rstrip())))
    if node.style in ("'", '"') and text[1:-1] == node.text:
        return Span(source, start + 1, end - 1)
    if node.style == "" and text == node.text:
        return node.span
    return None


def read_rules_block(node: Node, sink: Sink) -> Source | None:
    """Return the change statements of a variant as a source of rules text, or None (reported).

    The result has the name and length of the YAML file, and every character of the block keeps its offset, so an
    offset means the same in both. Everything else is blank. Rules must begin in the first column, so the block's
    indentation is removed: in front of each line its last space becomes a line end, and the lexer sees the line begin
    there (after one more empty line). The table of line starts stays that of the YAML file, so positions and spans
    give the line and column that an editor shows.
    """
    if not isinstance(node, ScalarNode) or node.style != "|":
        cure = _("write `rules: |` and the statements below it, indented by two spaces")
        sink.add_error("inexact-expression", _("write change statements in a literal block"), node.span, help=cure)
        return None
    source = node.span.source
    head = source.text[node.span.start : node.span.end].split("\n", 1)[0]
    first_line = source.get_position(node.span.start + len(head))[0] + 1
    last_line = source.get_position(max(node.span.start, node.span.end - 1))[0]
    lines = source.text.split("\n")
    body = [line for line in lines[first_line - 1 : last_line] if line.strip()]
    margin = min((len(line) - len(line.lstrip(" ")) for line in body), default=0)
    visible = [
        _unindent_line(line, margin) if first_line <= number <= last_line else " " * len(line)
        for number, line in enumerate(lines, 1)
    ]
    return Source(source.name, "\n".join(visible), list(source.get_line_starts()))


def _unindent_line(line: str, margin: int) -> str:
    """Return a line in which the last of `margin` spaces is a line end, so that its rules begin in column 1."""
    if not line.strip() or margin == 0:
        return line if margin == 0 else " " * len(line)
    return " " * (margin - 1) + "\n" + line[margin:]
