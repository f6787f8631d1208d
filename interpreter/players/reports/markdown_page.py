"""Render a report as Markdown; texts from the game are escaped so that they never become markup."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from interpreter.play.lines import format_citations
from interpreter.players.reports.report_model import (
    Block,
    ReportFigure,
    ReportHeading,
    ReportItem,
    ReportParagraph,
    ReportTable,
)

_SPECIAL = str.maketrans({c: "\\" + c for c in "\\`*_<>|#"})
_LINK = re.compile(r"\](?=[\[(:])")  # a bracket that begins or defines a link or picture


def markdown_lines(blocks: Iterable[Block]) -> list[str]:
    """Render the report as lines, without figures."""
    lines: list[str] = []
    before: Block | None = None
    for block in blocks:
        if isinstance(block, ReportFigure):
            continue
        if lines and not (isinstance(block, ReportItem) and isinstance(before, ReportItem)):
            lines.append("")
        lines += _render_block(block)
        before = block
    return lines


def _render_block(block: Block) -> list[str]:
    match block:
        case ReportHeading(level=level, text=text):
            return [f"{'#' * level} {_text(text)}"]
        case ReportParagraph(text=text):
            return [_text(text)]
        case ReportItem(text=text, citations=citations, is_choice=is_choice, is_below=is_below):
            markdown = _text(text + format_citations(citations))
            return [f"- **{markdown}**" if is_choice else f"{'  ' if is_below else ''}- {markdown}"]
        case ReportTable(heads=heads, rows=rows, numbers=numbers):
            rule = "|".join("---" if n < numbers else "---:" for n in range(len(heads)))
            return [_row(heads), f"|{rule}|", *(_row(row) for row in rows)]
    return []


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_text(cell) for cell in cells)} |"


def _text(text: str) -> str:
    """Escape a text so that Markdown shows it literally, without markup, pictures or links."""
    return _LINK.sub(r"]\\", text.translate(_SPECIAL))
