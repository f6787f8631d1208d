"""Quick fixes of diagnostics: text edits, offered only where the intention is clear.

A fix is derived from the diagnostic's code, span, and help message with its values. Applies no edits, and does not
verify that they help.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.diagnostics.plain_signs import BLANKS, replace_blanks, to_keyboard_characters
from interpreter.diagnostics.source_text import Span
from interpreter.diagnostics.suggestions import has_same_digits, is_number_like
from interpreter.i18n.translator import Message

_BLANK_LINES = re.compile(f"(?:[ \\t]*[{BLANKS}][^\\n]*(?:\\n|$))+")  # lines that are indented with such blanks
_INDENTATION = re.compile(f"^[ \\t{BLANKS}]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class SpanEdit:
    """The replacement of a span."""

    span: Span
    text: str


def find_quick_fix(diagnostic: Diagnostic) -> SpanEdit | None:
    """Return the edit that fixes a finding, or None if the intention is uncertain.

    >>> from interpreter.diagnostics.suggestions import did_you_mean
    >>> from interpreter.diagnostics.source_text import Source
    >>> where = Span(Source("x", "a sprit"), 2, 7)
    >>> find_quick_fix(Diagnostic("unknown-name", "?", where, help=did_you_mean("sprit", ["spirit"]))).text
    'spirit'
    """
    text = diagnostic.span.source.text
    if not text or diagnostic.span.end > len(text):
        return None
    if diagnostic.code in _BY_CODE:
        return _BY_CODE[diagnostic.code](diagnostic)
    key = diagnostic.help.key if isinstance(diagnostic.help, Message) else str(diagnostic.help)
    cure = _BY_HELP.get(key)
    return cure(diagnostic) if cure else None


def _fix_misspelling(diagnostic: Diagnostic) -> SpanEdit | None:
    """Replace a misspelt word if exactly one suggestion differs from it by a single edit."""
    meant_words = [word for word in (_format_hole(diagnostic, "word"), _format_hole(diagnostic, "other")) if word]
    start, end = diagnostic.span.start, diagnostic.span.end
    text = diagnostic.span.source.text[start:end]
    for word in re.findall(r"[^\s\"'(){}\[\],.:;=<>]+", text):
        near = [candidate for candidate in meant_words if is_near(word, candidate)]
        if word not in meant_words and len(near) == 1 and text.count(word) == 1 and _is_certain(word, near[0]):
            index = start + text.index(word)
            return SpanEdit(Span(diagnostic.span.source, index, index + len(word)), near[0])
    return None


def _is_certain(word: str, suggestion: str) -> bool:
    """Return whether a suggestion can replace `word` without asking.

    A suggested number must be `word` in other characters, because a merely similar number may be the wrong one; any
    other suggestion is certain.
    """
    return not is_number_like(suggestion) or has_same_digits(word, suggestion)


def is_near(word: str, candidate: str) -> bool:
    """Return whether two words differ by one letter (added, missing, replaced or swapped) or by look-alike signs only.

    >>> is_near("raod", "road"), is_near("rod", "road"), is_near("red", "road"), is_near("a", "b"), is_near("–1", "-1")
    (True, True, False, False, True)
    """
    if word != candidate and to_keyboard_characters(word) == candidate:
        return True
    short, long = sorted((word, candidate), key=len)
    if len(long) < 3 or len(long) - len(short) > 1:
        return False
    head = 0
    while head < len(short) and short[head] == long[head]:
        head += 1
    tail = 0
    while tail < len(short) - head and short[-1 - tail] == long[-1 - tail]:
        tail += 1
    short_rest, long_rest = short[head : len(short) - tail], long[head : len(long) - tail]
    is_swap = len(short_rest) == len(long_rest) == 2 and short_rest == long_rest[::-1]
    return len(long_rest) <= 1 or is_swap


def _fix_full_width_sign(diagnostic: Diagnostic) -> SpanEdit | None:
    """Replace a full-width character by its ASCII equivalent."""
    source, start = diagnostic.span.source, diagnostic.span.start
    sign = source.text[start]
    right = _format_hole(diagnostic, "right")
    if len(right) > 2:  # the help shows the whole entry; the sign to insert is a colon
        right = ":"
    if sign.isascii() or not right:
        return None
    following = source.text[start + 1 : start + 2]
    if right.strip() in (":", ",") and not source.name.lower().endswith(".rules"):
        right = right.strip() + ("" if following.isspace() else " ")
    return SpanEdit(Span(source, start, start + 1), right)


def _fix_full_width_spaces(diagnostic: Diagnostic) -> SpanEdit | None:
    """Replace unusual blanks by spaces; in an indentation all of them, also in the lines below."""
    source, start = diagnostic.span.source, diagnostic.span.start
    text = source.text
    line_start = text.rfind("\n", 0, start) + 1
    if not text[line_start:start].strip():
        lines = _BLANK_LINES.match(text, line_start)
        fixed = _INDENTATION.sub(lambda lead: replace_blanks(lead[0]), lines[0]) if lines else ""
        return SpanEdit(Span(source, line_start, lines.end()), fixed) if lines else None
    end = start
    while text[end : end + 1] in tuple(BLANKS):
        end += 1
    return SpanEdit(Span(source, start, end), " " * (end - start)) if end > start else None


def _insert_space_after_colon(diagnostic: Diagnostic) -> SpanEdit | None:
    source = diagnostic.span.source
    colon = source.text.find(":", max(diagnostic.span.start - 1, 0), diagnostic.span.end + 1)
    if colon < 0 or source.text[colon + 1 : colon + 2].isspace():
        return None
    return SpanEdit(Span(source, colon + 1, colon + 1), " ")


def _insert_comma(diagnostic: Diagnostic) -> SpanEdit | None:
    """Insert a comma after the text that precedes the word."""
    source, start = diagnostic.span.source, diagnostic.span.start
    end = len(source.text[:start].rstrip())
    if end == start or not source.name.lower().endswith(".rules") or source.text[end - 1] in "([{,":
        return None
    return SpanEdit(Span(source, end, end), ",")


def _replace_tabs(diagnostic: Diagnostic) -> SpanEdit | None:
    """Replace each tab of an indentation by spaces."""
    source, line = diagnostic.span.source, diagnostic.span.line
    text = source.get_line(line)
    lead = len(text) - len(text.lstrip())
    start = source.get_line_starts()[line - 1]
    step = 4 if source.name.lower().endswith(".rules") else 2
    fixed = text[:lead].replace("\t", " " * step)
    return SpanEdit(Span(source, start, start + lead), fixed) if "\t" in text[:lead] else None


def _delete_character(diagnostic: Diagnostic) -> SpanEdit | None:
    return SpanEdit(diagnostic.span, "") if diagnostic.span.end - diagnostic.span.start == 1 else None


def _replace_sign(sign: str, instead: str) -> Callable[[Diagnostic], SpanEdit | None]:
    """Return a fix that replaces an operator of other languages, written once or twice (`&`, `&&`), by `instead`."""

    def cure(diagnostic: Diagnostic) -> SpanEdit | None:
        source, start = diagnostic.span.source, diagnostic.span.start
        end = start
        while source.text[end : end + 1] == sign:
            end += 1
        if sign == "=" and source.text[start - 1 : start] == "=":  # `==` in an assignment
            return SpanEdit(Span(source, start - 1, end), "=")
        return SpanEdit(Span(source, start, end), instead) if end > start else None

    return cure


def _insert_colon(diagnostic: Diagnostic) -> SpanEdit | None:
    """Insert a colon at the end of a line that opens a block."""
    source, line = diagnostic.span.source, diagnostic.span.line
    bare = source.get_line(line).split("#")[0].rstrip()
    end = source.get_line_starts()[line - 1] + len(bare)
    return SpanEdit(Span(source, end, end), ":") if bare and not bare.endswith(":") else None


def _replace_id(diagnostic: Diagnostic) -> SpanEdit | None:
    """Replace a bare id by the expression that denotes the thing, for the code `wrong-type` only."""
    return SpanEdit(diagnostic.span, _format_hole(diagnostic, "call")) if diagnostic.code == "wrong-type" else None


def _replace_value(diagnostic: Diagnostic) -> SpanEdit | None:
    """Replace the whole value by the right form; keep quotation marks around it, except around a number."""
    span = diagnostic.span
    text, right = span.source.text[span.start : span.end], _format_hole(diagnostic, "right")
    is_quoted = len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]
    quote = text[0] if is_quoted and not right.lstrip("-").isdigit() else ""
    return SpanEdit(span, f"{quote}{right}{quote}") if text and right and "\n" not in text else None


def _fix_by_quoting(diagnostic: Diagnostic) -> SpanEdit | None:
    """Put the intended text in quotes, including the part that the parser took for a comment."""
    right, source = _format_hole(diagnostic, "right"), diagnostic.span.source
    start, inner = diagnostic.span.start, right[1:-1]
    quoted = source.text[start : start + len(inner) + 2]
    end = start + len(inner) if quoted.startswith(inner) else diagnostic.span.end
    return SpanEdit(Span(source, start, end), right) if inner and "\n" not in quoted[: end - start] else None


def _format_hole(diagnostic: Diagnostic, name: str) -> str:
    """Return the value of a placeholder in the diagnostic's help, or '' if the help has no such placeholder."""
    holes = diagnostic.help.holes if isinstance(diagnostic.help, Message) else {}
    return str(holes.get(name, ""))


_BY_CODE: dict[str, Callable[[Diagnostic], SpanEdit | None]] = {
    "missing-space": _insert_space_after_colon,
    "missing-comma": _insert_comma,
    "tab-in-indentation": _replace_tabs,
    "control-character": _delete_character,
}
_BY_HELP: dict[str, Callable[[Diagnostic], SpanEdit | None]] = {
    "did you mean `{word}`?": _fix_misspelling,
    "did you mean `{word}` or `{other}`?": _fix_misspelling,
    "write {call}": _replace_id,
    "write `{right}`": _fix_full_width_sign,
    "write it as `{right}`": _replace_value,
    "put the text in quotes: `{right}`": _fix_by_quoting,
    "put the text in straight quotes: `{right}`": _fix_by_quoting,
    "write an ordinary space": _fix_full_width_spaces,
    "indent with ordinary spaces": _fix_full_width_spaces,
    "use == to compare": _replace_sign("=", "=="),
    "write `and`": _replace_sign("&", "and"),
    "write `or`": _replace_sign("|", "or"),
    "end a line that opens a block with `:`": _insert_colon,
}
