"""Rendering of diagnostics as text for people and as data for programs.

Writes nothing: callers print the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Diagnostic, Severity
from interpreter.diagnostics.record_walk import select_fields
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.terminal_text import escape_character, escape_text, measure_cells
from interpreter.i18n.translator import ENGLISH, Translator, mark as _

DEFAULT_LIMIT = 50
_MAX_REPEATS = 3  # equal findings written out
_MAX_PLACES = 10  # listed for further equal findings
_TAB = 4
_WINDOW = 100  # maximum cells shown of a source line
_MAX_LETTERS = 2_000  # of a message: a name in it can be as long as a file
_LEAD = 30  # cells shown before the error in a clipped line
_COLOURS: dict[Severity, str] = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[1;36m"}
_RESET = "\x1b[0m"
_SEVERITIES: dict[Severity, str] = {"error": _("error"), "warning": _("warning"), "note": _("note")}


def render(
    diagnostics: Sequence[Diagnostic], *, limit: int = DEFAULT_LIMIT, colour: bool = False, say: Translator = ENGLISH
) -> str:
    """Render findings as text in the given order, separated by empty lines; '' for none.

    The first few of equal findings are written in full, followed by the places of the rest. At most
    `limit` are written out, then "and N more". `colour` adds terminal colours; `say` selects the language.
    """
    groups: dict[tuple[str, str, str, str], list[Diagnostic]] = {}
    for diagnostic in diagnostics:
        groups.setdefault(_build_grouping_key(diagnostic), []).append(diagnostic)
    blocks: list[str] = []
    rest = 0
    counts = dict.fromkeys(groups, 0)
    for diagnostic in diagnostics:
        group = _build_grouping_key(diagnostic)
        repeats = groups[group]
        counts[group] += 1
        is_folded = len(repeats) > _MAX_REPEATS + 1
        if is_folded and counts[group] > _MAX_REPEATS:
            continue
        folded = repeats[_MAX_REPEATS:] if is_folded and counts[group] == _MAX_REPEATS else []
        if len(blocks) == limit:
            rest += 1 + len(folded) + diagnostic.omitted + sum(d.omitted for d in folded)
            continue
        block = render_one(diagnostic, colour=colour, say=say)
        lines = [block, "  " + _summarize_repeats(folded, say)] if folded else [block]
        if omitted := diagnostic.omitted + sum(d.omitted for d in folded):
            lines.append("  " + say("and {number} more of this kind in this file", number=omitted))
        blocks.append("\n".join(lines))
    if rest:
        blocks.append(say("and {number} more", number=rest))
    return "\n\n".join(blocks)


def _build_grouping_key(diagnostic: Diagnostic) -> tuple[str, str, str, str]:
    """Return the key by which findings at different places are equal."""
    return diagnostic.severity, diagnostic.code, str(diagnostic.message), str(diagnostic.help)


def _summarize_repeats(folded: Sequence[Diagnostic], say: Translator) -> str:
    """Return a summary of further equal findings: their number and the first few lines."""
    lines = list(dict.fromkeys(_format_line(d.span) for d in folded))
    places = say(", ").join(lines[:_MAX_PLACES]) + (say(", ") + "…" if len(lines) > _MAX_PLACES else "")
    return say("and {number} more like it: {places}", number=len(folded), places=places)


def _format_line(span: Span) -> str:
    name = escape_text(span.file)
    return f"{name}:{span.line}" if span.source.text else name


def render_one(diagnostic: Diagnostic, *, colour: bool = False, say: Translator = ENGLISH) -> str:
    """Render one finding: place, severity, code and message; the line with a caret; related places; help.

    `colour` adds terminal colours; `say` selects the language.
    """
    paint, reset = (_COLOURS[diagnostic.severity], _RESET) if colour else ("", "")
    section = f" [{escape_text(diagnostic.section)}]" if diagnostic.section else ""
    lines = [
        f"{format_span_start(diagnostic.span)}: "
        f"{paint}{say(_SEVERITIES[diagnostic.severity])}[{diagnostic.code}]{reset}: "
        f"{_format_text(diagnostic.message, say)}{section}"
    ]
    lines += _quote(diagnostic.span, paint, reset)
    for related in diagnostic.related:
        lines.append(f"  {_format_text(related.message, say)}: {format_span_start(related.span)}")
        lines += _quote(related.span, "", "")
    if diagnostic.help:
        lines.append("  " + say("help: {help}", help=_format_text(diagnostic.help, say)))
    return "\n".join(lines)


def _format_text(message: str, say: Translator) -> str:
    """Return a message in the language of `say`, safe to print, and cut if it is very long."""
    text = escape_text(say(message))
    return text if len(text) <= _MAX_LETTERS else f"{text[:_MAX_LETTERS]}…"


def format_span_start(span: Span) -> str:
    """Return the start of a span as `file:line:column`, safe to print; only the name if the source has no text."""
    name = escape_text(span.file)
    return f"{name}:{span.line}:{span.column}" if span.source.text else name


def encode_diagnostic(diagnostic: Diagnostic) -> dict[str, str | int]:
    """Return one finding as plain data for JSON; lines and columns count from 1, texts are unescaped."""
    return select_fields(diagnostic, "code", "severity", "message", "file", "line", "column", "help")


@dataclass(frozen=True, slots=True)
class _Excerpt:
    """A printable part of a line; the error in it begins at cell `start` and is `length` cells wide."""

    text: str
    start: int
    length: int


def _quote(span: Span, paint: str, reset: str) -> list[str]:
    """Return the source line and the line that underlines `span`, or [] if the source has no text.

    `paint` and `reset` are the terminal codes before and after the underline, '' without colours.
    """
    if not span.source.text:
        return []
    number = span.line
    excerpt = _cut_excerpt(span.source.get_line(number), span.column - 1, max(1, span.end - span.start))
    margin = f"{number:>5} | "
    marks = "^" * excerpt.length
    return [f"{margin}{excerpt.text}".rstrip(), f"{' ' * 5} | {' ' * excerpt.start}{paint}{marks}{reset}"]


def _cut_excerpt(line: str, start: int, length: int) -> _Excerpt:
    """Return the printable excerpt of a line around the error, which is `length` characters from index `start` on."""
    cells = _list_printed_characters(line)
    end = min(start + length, len(cells))
    first, before = _find_window_start(cells, start)
    last, used = first, 0
    while last < len(cells) and used + cells[last][1] <= _WINDOW:
        used += cells[last][1]
        last += 1
    marked = sum(width for _, width in cells[start : min(end, last)])
    text = "".join(character for character, _ in cells[first:last])
    return _Excerpt(
        ("…" if first else "") + text + ("…" if last < len(cells) else ""), before + (1 if first else 0), max(1, marked)
    )


def _find_window_start(cells: list[tuple[str, int]], start: int) -> tuple[int, int]:
    """Return (index of the first character to show, width in cells from there to character `start`).

    `cells`: (printed character, width in cells) for each character of the line. Lines that fit are shown completely;
    others from a few cells before the error, which begins at index `start`.
    """
    before = sum(width for _, width in cells[:start])
    if before + _LEAD <= _WINDOW or sum(width for _, width in cells) <= _WINDOW:
        return 0, before
    first, lead = start, 0
    while first > 0 and lead + cells[first - 1][1] <= _LEAD:
        first -= 1
        lead += cells[first][1]
    return first, lead


def _list_printed_characters(line: str) -> list[tuple[str, int]]:
    """Return for each character of the line its printable form and the width of that form in cells."""
    cells = []
    column = 0
    for character in line:
        printed = " " * (_TAB - column % _TAB) if character == "\t" else escape_character(character)
        width = measure_cells(printed)
        cells.append((printed, width))
        column += width
    return cells
