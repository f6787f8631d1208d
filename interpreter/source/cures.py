"""Cures of findings: edits of the text they point to, where it is clear what was meant.

A finding carries what its cure is made of: its code, its place, and its help as a sentence with the words in it.
Must not carry out an edit, nor say whether it has helped.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from interpreter.source.diagnostic import Diagnostic
from interpreter.source.near_numbers import same_digits
from interpreter.source.plain_signs import BLANKS, plain_signs, with_spaces
from interpreter.source.text import Span
from interpreter.words.speech import Sentence

_BLANK_LINES = re.compile(f"(?:[ \\t]*[{BLANKS}][^\\n]*(?:\\n|$))+")  # lines that are indented with such blanks
_LEAD = re.compile(f"^[ \\t{BLANKS}]+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class TextEdit:
    """What a stretch of a source is to be replaced by."""

    span: Span
    text: str


def cure_of(found: Diagnostic) -> TextEdit | None:
    """The edit that cures a finding; None where it is not certain what was meant.

    >>> from interpreter.source.suggestion import did_you_mean
    >>> from interpreter.source.text import Source
    >>> where = Span(Source("x", "a sprit"), 2, 7)
    >>> cure_of(Diagnostic("unknown-name", "?", where, help=did_you_mean("sprit", ["spirit"]))).text
    'spirit'
    """
    text = found.span.source.text
    if not text or found.span.end > len(text):
        return None
    if found.code in _BY_CODE:
        return _BY_CODE[found.code](found)
    key = found.help.key if isinstance(found.help, Sentence) else str(found.help)
    cure = _BY_HELP.get(key)
    return cure(found) if cure else None


def _word(found: Diagnostic) -> TextEdit | None:
    """A misspelt word: of those that are like it one differs by a letter only."""
    meant_words = [word for word in (_hole(found, "word"), _hole(found, "other")) if word]
    start, end = found.span.start, found.span.end
    here = found.span.source.text[start:end]
    for word in re.findall(r"[^\s\"'(){}\[\],.:;=<>]+", here):
        near = [meant for meant in meant_words if is_near(word, meant)]
        if word not in meant_words and len(near) == 1 and here.count(word) == 1 and _is_certain(word, near[0]):
            at = start + here.index(word)
            return TextEdit(Span(found.span.source, at, at + len(word)), near[0])
    return None


def _is_certain(word: str, meant: str) -> bool:
    """Whether a number is the one meant in other signs; another number that is only near may be wrong as well."""
    return not meant.isdigit() or same_digits(word, meant)


def is_near(word: str, other: str) -> bool:
    """Return whether one letter more, less or other, two swapped ones, or look-alike signs make one word of the other.

    >>> is_near("raod", "road"), is_near("rod", "road"), is_near("red", "road"), is_near("a", "b"), is_near("–1", "-1")
    (True, True, False, False, True)
    """
    if word != other and plain_signs(word) == other:
        return True
    short, long = sorted((word, other), key=len)
    if len(long) < 3 or len(long) - len(short) > 1:
        return False
    head = 0
    while head < len(short) and short[head] == long[head]:
        head += 1
    tail = 0
    while tail < len(short) - head and short[-1 - tail] == long[-1 - tail]:
        tail += 1
    left, right = short[head : len(short) - tail], long[head : len(long) - tail]
    return len(right) <= 1 or (len(left) == len(right) == 2 and left == right[::-1])


def _right_sign(found: Diagnostic) -> TextEdit | None:
    """A full-width character as the ordinary one."""
    source, start = found.span.source, found.span.start
    sign = source.text[start]
    right = _hole(found, "right")
    if len(right) > 2:  # the help writes the whole entry; the sign itself is a colon
        right = ":"
    if sign.isascii() or not right:
        return None
    following = source.text[start + 1 : start + 2]
    if right.strip() in (":", ",") and not source.name.lower().endswith(".rules"):
        right = right.strip() + ("" if following.isspace() else " ")
    return TextEdit(Span(source, start, start + 1), right)


def _spaces(found: Diagnostic) -> TextEdit | None:
    """Blanks that are no spaces as ordinary ones; in an indentation all of them, and those of the lines below."""
    source, start = found.span.source, found.span.start
    text = source.text
    line_start = text.rfind("\n", 0, start) + 1
    if not text[line_start:start].strip():
        lines = _BLANK_LINES.match(text, line_start)
        made = _LEAD.sub(lambda lead: with_spaces(lead[0]), lines[0]) if lines else ""
        return TextEdit(Span(source, line_start, lines.end()), made) if lines else None
    end = start
    while text[end : end + 1] in tuple(BLANKS):
        end += 1
    return TextEdit(Span(source, start, end), " " * (end - start)) if end > start else None


def _space_after_colon(found: Diagnostic) -> TextEdit | None:
    source = found.span.source
    at = source.text.find(":", max(found.span.start - 1, 0), found.span.end + 1)
    if at < 0 or source.text[at + 1 : at + 2].isspace():
        return None
    return TextEdit(Span(source, at + 1, at + 1), " ")


def _comma(found: Diagnostic) -> TextEdit | None:
    """A comma behind what stands before the word."""
    source, start = found.span.source, found.span.start
    at = len(source.text[:start].rstrip())
    if at == start or not source.name.lower().endswith(".rules") or source.text[at - 1] in "([{,":
        return None
    return TextEdit(Span(source, at, at), ",")


def _tabs(found: Diagnostic) -> TextEdit | None:
    """Every tab of an indentation as a step of spaces."""
    source, line = found.span.source, found.span.line
    text = source.line(line)
    lead = len(text) - len(text.lstrip())
    start = source.line_starts()[line - 1]
    step = 4 if source.name.lower().endswith(".rules") else 2
    made = text[:lead].replace("\t", " " * step)
    return TextEdit(Span(source, start, start + lead), made) if "\t" in text[:lead] else None


def _take_out(found: Diagnostic) -> TextEdit | None:
    return TextEdit(found.span, "") if found.span.end - found.span.start == 1 else None


def _put(sign: str, instead: str) -> Callable[[Diagnostic], TextEdit | None]:
    """The right sign in the place of one that other languages have, doubled or not."""

    def cure(found: Diagnostic) -> TextEdit | None:
        source, start = found.span.source, found.span.start
        end = start
        while source.text[end : end + 1] == sign:
            end += 1
        if sign == "=" and source.text[start - 1 : start] == "=":  # two, where a name gets its value
            return TextEdit(Span(source, start - 1, end), "=")
        return TextEdit(Span(source, start, end), instead) if end > start else None

    return cure


def _colon(found: Diagnostic) -> TextEdit | None:
    """A colon at the end of a line that opens a block."""
    source, line = found.span.source, found.span.line
    bare = source.line(line).split("#")[0].rstrip()
    at = source.line_starts()[line - 1] + len(bare)
    return TextEdit(Span(source, at, at), ":") if bare and not bare.endswith(":") else None


def _call(found: Diagnostic) -> TextEdit | None:
    """A thing in the rules' words, where its id stands alone and nothing else is spoken of."""
    return TextEdit(found.span, _hole(found, "call")) if found.code == "wrong-type" else None


def _whole(found: Diagnostic) -> TextEdit | None:
    """The right form in the place of the whole value; quotation marks around it stay, but not around a number."""
    span = found.span
    written, right = span.source.text[span.start : span.end], _hole(found, "right")
    is_quoted = len(written) > 1 and written[0] in "\"'" and written[-1] == written[0]
    quote = written[0] if is_quoted and not right.lstrip("-").isdigit() else ""
    return TextEdit(span, f"{quote}{right}{quote}") if written and right and "\n" not in written else None


def _in_quotes(found: Diagnostic) -> TextEdit | None:
    """The text that was meant, in quotes, from where it begins; with what a comment has cut off."""
    right, source = _hole(found, "right"), found.span.source
    start, inner = found.span.start, right[1:-1]
    written = source.text[start : start + len(inner) + 2]
    end = next((start + len(text) for text in (inner,) if written.startswith(text)), found.span.end)
    return TextEdit(Span(source, start, end), right) if inner and "\n" not in written[: end - start] else None


def _hole(found: Diagnostic, name: str) -> str:
    holes = found.help.holes if isinstance(found.help, Sentence) else {}
    return str(holes.get(name, ""))


_BY_CODE: dict[str, Callable[[Diagnostic], TextEdit | None]] = {
    "missing-space": _space_after_colon,
    "missing-comma": _comma,
    "tab-in-indentation": _tabs,
    "control-character": _take_out,
}
_BY_HELP: dict[str, Callable[[Diagnostic], TextEdit | None]] = {
    "did you mean `{word}`?": _word,
    "did you mean `{word}` or `{other}`?": _word,
    "write {call}": _call,
    "write `{right}`": _right_sign,
    "write it as `{right}`": _whole,
    "put the text in quotes: `{right}`": _in_quotes,
    "put the text in straight quotes: `{right}`": _in_quotes,
    "write an ordinary space": _spaces,
    "indent with ordinary spaces": _spaces,
    "to compare write ==": _put("=", "=="),
    "write `and`": _put("&", "and"),
    "write `or`": _put("|", "or"),
    "end a line that opens a block with `:`": _colon,
}
