"""Detection of typos that make YAML unreadable although it looks right.

Each is confirmed by re-reading a corrected copy. Covers blanks that are not spaces, ` #` inside a text, and curly
quotes that do not enclose a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import yaml

from interpreter.diagnostics.diagnostic import Diagnostic, Severity
from interpreter.diagnostics.plain_signs import BLANKS, CURLY_QUOTES, replace_blanks
from interpreter.diagnostics.source_text import Replacement, Source, Span, apply_edits
from interpreter.i18n.translator import mark as _

_LOOKED_BACK = 20  # lines above a fault in which its cause is looked for
_MAX_COPIES = 12  # copies that are read for one fault
_MAX_COPIED_CHARACTERS = 1_000_000  # characters of all copies but the first
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_BLANK_LEAD = re.compile(f"[ \\t]*[{BLANKS}][ \\t{BLANKS}]*")
_BLANK_BEHIND = re.compile(f"(?<=[:,-])[{BLANKS}]+")
_QUOTED = re.compile(r"\"(?:[^\"\\\n]|\\.)*+\"|'(?:[^'\n]|'')*'")
_MASKED = re.compile("[\"']")
_MASKED_OR_COMMENT = re.compile(r"[\"']|(?<=\s)#")
_COMMENT = re.compile(r"(?<=[ \t])#[^\n]*")
_CURLY = re.compile(
    f"(?<=[:\\[{{,-])[ \\t]*(?P<open>[{CURLY_QUOTES}])(?P<text>[^{CURLY_QUOTES}\n]*)(?P<close>[{CURLY_QUOTES}])"
)


def mask_quoted(text: str, sign: str, with_comments: bool = False) -> str:
    """Return a text in which `sign` replaces each character of quoted texts and, with `with_comments`, of comments.

    Linear: where a double quote does not close on its line, neither does any later one of that line.
    """
    begins = _MASKED_OR_COMMENT if with_comments else _MASKED
    parts, offset, searched, line_end, unclosed = list[str](), 0, 0, -1, 0
    while found := begins.search(text, searched):
        start = searched = found.start()
        if start > line_end:
            line_end = text.find("\n", start)
            line_end = len(text) if line_end < 0 else line_end
        if found[0] == "#":
            end = line_end
        else:
            quoted = None if found[0] == '"' and start < unclosed else _QUOTED.match(text, start)
            if quoted is None:
                unclosed = line_end if found[0] == '"' else unclosed
                searched += 1
                continue
            end = quoted.end()
        parts += text[offset:start], sign * (end - start)
        offset = searched = end
    return "".join((*parts, text[offset:]))


Slip = tuple[Diagnostic, list[Replacement]]


def find_slip_before(source: Source, fault: int, shift: int) -> Diagnostic | None:
    """Return the typo that causes a syntax error at offset `fault`, or None unless one is confirmed.

    `shift`: the offset in the source at which the parser began.
    """
    first = _find_line_start(source.text, fault, _LOOKED_BACK)
    last = source.text.find("\n", fault)
    stretch = first, len(source.text) if last < 0 else last
    slips = [
        slip
        for find in (_iter_blank_leads, _iter_blanks_behind, _iter_cut_texts, _iter_curly_texts)
        for slip in find(source, *stretch)
    ]
    slips.sort(key=lambda slip: -slip[0].span.start)
    for diagnostic, edits in slips[: min(_MAX_COPIES, 1 + _MAX_COPIED_CHARACTERS // (len(source.text) + 1))]:
        if _is_reading_further(source.text, edits, fault, shift):
            return diagnostic
    return None


def _is_reading_further(text: str, edits: list[Replacement], fault: int, shift: int) -> bool:
    """Return whether the edited text can be read at least beyond `fault`, the offset of the error.

    `shift`: the offset at which the parser begins.
    """
    tried = apply_edits(text, edits)
    added = len(tried) - len(text)
    try:
        for _event in yaml.parse(tried[shift:], Loader=LOADER):
            pass
    except yaml.YAMLError as other:
        mark = getattr(other, "problem_mark", None)
        return mark is not None and mark.index + shift - max(added, 0) > fault
    return True


def _iter_blank_leads(source: Source, first: int, last: int) -> Iterator[Slip]:
    """Yield a slip for each line that is indented with blanks other than spaces.

    A slip is a pair of the diagnostic and the edits that mend the text; `first` and `last` are the offsets to search.
    """
    for line in re.finditer(r"[^\n]+", source.text[first:last]):
        lead = _BLANK_LEAD.match(line[0])
        if lead:
            start = first + line.start()
            offset = start + next(n for n, sign in enumerate(lead[0]) if sign in BLANKS)
            yield build_blank_error(source, offset), [Replacement(start, start + lead.end(), replace_blanks(lead[0]))]


def _iter_blanks_behind(source: Source, first: int, last: int) -> Iterator[Slip]:
    """Yield a slip for each blank other than a space after a colon, a comma or the dash of a list.

    A slip is a pair of the diagnostic and the edits that mend the text; `first` and `last` are the offsets to search.
    """
    plain = mask_quoted(source.text[first:last], '"')
    for match in _BLANK_BEHIND.finditer(plain):
        start, end = first + match.start(), first + match.end()
        yield build_blank_error(source, start), [Replacement(start, end, " " * (end - start))]


def build_blank_error(source: Source, offset: int) -> Diagnostic:
    """Return the diagnostic for the blank at an offset, which is not a space: a no-break or a full-width space."""
    sign = source.text[offset]
    line = source.text[source.text.rfind("\n", 0, offset) + 1 : offset]
    span, cure = (
        Span(source, offset, offset + 1),
        _("write an ordinary space") if line.strip() else _("indent with ordinary spaces"),
    )
    if sign == "\u3000":
        message = _("`{sign}` is a full-width character and is read as text here", sign=sign)
        return Diagnostic("full-width-character", message, span, "error", cure)
    message = _("this character looks like a space but is {code}", code=f"U+{ord(sign):04X}")
    return Diagnostic("look-alike-space", message, span, "error", cure)


def _iter_cut_texts(source: Source, first: int, last: int) -> Iterator[Slip]:
    """Yield a slip for each unquoted text in braces or brackets that a ` #` comment cuts off at the end of a line.

    A slip is a pair of the diagnostic and the edits that mend the text; `first` and `last` are the offsets to search.
    """
    text = source.text[first:last]
    plain = mask_quoted(text, '"')
    for comment in _COMMENT.finditer(plain):
        begin = max(plain.rfind(sign, 0, comment.start()) for sign in (": ", ", ", "[", "{", "- ", "\n"))
        begin += len(plain[begin:]) - len(plain[begin:].lstrip(":,[{- \n"))
        end = next((n for n in range(comment.start(), comment.end()) if plain[n] in ",}]"), comment.end())
        value = text[begin:end].rstrip()
        if begin < comment.start() and '"' not in value and "\\" not in value:
            right = f'"{value}"'
            span = Span(source, first + begin, first + begin + len(value))
            yield (
                build_cut_error(span, text[comment.start() : comment.end()], right),
                [Replacement(span.start, span.end, right)],
            )


def build_cut_error(span: Span, comment: str, right: str, severity: Severity = "error") -> Diagnostic:
    """Return the diagnostic for a text that ` #` cuts off.

    `comment`: the part that is not read; `right`: the whole text in quotes.
    """
    short = comment if len(comment) <= 40 else f"{comment[:37]}..."
    message = _("` #` begins a comment, so `{comment}` is not read", comment=short)
    return Diagnostic(
        "text-cut-by-comment", message, span, severity, _("put the text in quotes: `{right}`", right=right)
    )


def _iter_curly_texts(source: Source, first: int, last: int) -> Iterator[Slip]:
    """Yield a slip for each text in typographic quotes, which the parser reads as plain letters.

    A slip is a pair of the diagnostic and the edits that mend the text; `first` and `last` are the offsets to search.
    """
    for match in _CURLY.finditer(source.text[first:last]):
        start, end = first + match.start("open"), first + match.end("close")
        if '"' not in match["text"] and "\\" not in match["text"]:
            yield build_curly_quote_error(source, start, end), [Replacement(start, end, f'"{match["text"]}"')]


def build_curly_quote_error(source: Source, start: int, end: int) -> Diagnostic:
    """Return the diagnostic for a text between two curly quotes that was meant to be in straight ones."""
    message = _("`{sign}` is a typographic quotation mark, which does not delimit text", sign=source.text[start])
    right = f'"{source.text[start + 1 : end - 1]}"'
    cure = _("put the text in straight quotes: `{right}`", right=right)
    return Diagnostic("curly-quote", message, Span(source, start, end), "error", cure)


def is_curly_quote_open(text: str) -> bool:
    """Return whether a text begins with a curly quote that is not closed in it."""
    return text[:1] in tuple(CURLY_QUOTES) and not any(sign in CURLY_QUOTES for sign in text[1:])


def is_curly_quote_closing(text: str) -> bool:
    """Return whether a text ends with a curly quote that is not opened in it."""
    return text[-1:] in tuple(CURLY_QUOTES) and not any(sign in CURLY_QUOTES for sign in text[:-1])


def _find_line_start(text: str, offset: int, lines: int) -> int:
    """Return the offset of the start of the line that is `lines` above the one at an offset; 0 if there are fewer."""
    for _line in range(lines + 1):
        offset = text.rfind("\n", 0, max(offset, 0))
        if offset < 0:
            return 0
    return offset + 1


def find_swallowed_comment(source: Source, end: int) -> str:
    """Return the comment after an unquoted text if it looks like a part of the text: `#3`; else ''."""
    match = re.compile(r"[ \t]+(#[0-9][^\n]*)").match(source.text, end)
    return match[1].rstrip() if match else ""


def trim_unusual_blanks(text: str) -> tuple[int, str]:
    """Strip unusual blanks from both ends; return the number of characters cut from the front, and the text."""
    signs = "".join(BLANKS) + " "
    cut = len(text) - len(text.lstrip(signs))
    return cut, text.strip(signs)
