"""Slips of the pen that leave a document readable and mean something else: a colon without a space, wide signs.

Must not know what keys or values mean.
"""

from __future__ import annotations

import re

from interpreter.documents.reading.tree import Branch, Entry, Node, Scalar, is_null
from interpreter.documents.reading.yaml_slips import blank_fault
from interpreter.source.diagnostic import Sink
from interpreter.source.plain_signs import BLANKS
from interpreter.source.text import Source, Span
from interpreter.words.speech import mark as _

_STUCK = re.compile(rf"\s*(?:- +)?(?P<key>[\w./-]+)(?P<colon>[:：])(?P<value>(?:[{BLANKS}][{BLANKS} ]*)?\S.*)")

_SWALLOWED = re.compile(r"(?P<key>[\w./-]+)(?P<colon>:)(?P<value>[\[{\"'].*)", re.ASCII)


def stuck_colon(node: Node) -> re.Match[str] | None:
    """The parts `key` and `value` of a plain text that was to be a key with its value; None for other texts."""
    return _STUCK.fullmatch(node.text) if isinstance(node, Scalar) and not node.style else None


def report_stuck_colon(found: re.Match[str], at: int, source: Source, sink: Sink) -> None:
    """Tell of a colon with no space behind it, or of a wide one; `at` is where the text begins in the source."""
    start = at + found.start("colon")
    span = Span(source, start, start + 1)
    key, value = found["key"], found["value"].strip()
    if found["value"][0] in BLANKS:
        sign = found["value"][0]
        sink.error(
            "look-alike-space",
            _("this character looks like a space and is another, {code}", code=f"U+{ord(sign):04X}"),
            Span(source, start + 1, start + 2),
            help=_("write an ordinary space"),
        )
    elif found["colon"] == "：":
        sink.error(
            "full-width-character",
            _("`{sign}` is a full-width character, which is part of the text here", sign="："),
            span,
            help=_("write `{right}`", right=f"{key}: {value}"),
        )
    else:
        sink.error(
            "missing-space",
            _("after the colon of `{key}` a space is missing", key=key),
            span,
            help=_("write `{right}`", right=f"{key}: {value}"),
        )


def cut_by_comma(entry: Entry) -> bool:
    """True for a key without a colon or a value: what stood behind a comma in a text without quotes, within braces."""
    return not entry.key.style and _has_no_colon(entry)


def _has_no_colon(entry: Entry) -> bool:
    end = entry.key.span.end
    behind = entry.key.span.source.text[end : end + 200].lstrip()
    return is_null(entry.value) and not behind.startswith((":", "："))


def unbracketed(node: Scalar, beside: Branch, key: str) -> str:
    """A list without its brackets as it is written, from its first member, which alone is the value of `key`.

    Within braces the commas have made keys of the others.
    """
    entries = list(beside)
    at = next((n for n, entry in enumerate(entries) if entry.key.text == key), len(entries))
    end = node.span.end
    for entry in entries[at + 1 :]:
        if not _has_no_colon(entry):
            break
        end = entry.key.span.end
    return node.span.source.text[node.span.start : end]


def report_cut_by_comma(entry: Entry, sink: Sink) -> None:
    """Tell of it; once, whoever finds it."""
    sink.error(
        "bad-name",
        _("the comma before `{key}` ends the text, and makes a key of what follows", key=entry.key.text),
        entry.key.span,
        help=_("a text with a comma inside braces needs quotes around it"),
    )


def stuck_bracket(key: Scalar) -> re.Match[str] | None:
    """The part `key` of a plain key that has taken in what was to be its value: `key:{a`."""
    return None if key.style else _SWALLOWED.match(key.text)


def wide_indent(key: Scalar) -> bool:
    """True for a plain key behind blanks that look like indentation and are no spaces."""
    return not key.style and _blank_lead(key) >= 0


def report_wide_indent(key: Scalar, sink: Sink) -> None:
    """Tell of it."""
    sink.add(blank_fault(key.span.source, _blank_lead(key)))


def _blank_lead(key: Scalar) -> int:
    """Where the first blank stands before a key in its line that is no space; -1 where there is none."""
    text, end = key.span.source.text, key.span.start
    start = text.rfind("\n", 0, end) + 1
    return next((n for n in range(start, end) if text[n] in BLANKS), -1)
