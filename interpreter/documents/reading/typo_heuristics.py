"""Detection of typos that leave a document readable but change its meaning: missing spaces, full-width signs."""

from __future__ import annotations

import re

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.plain_signs import BLANKS
from interpreter.diagnostics.source_text import Source, Span
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, ScalarNode, is_null
from interpreter.documents.reading.yaml_slips import build_blank_error
from interpreter.i18n.translator import mark as _

_STUCK = re.compile(rf"\s*(?:- +)?(?P<key>[\w./-]+)(?P<colon>[:：])(?P<value>(?:[{BLANKS}][{BLANKS} ]*)?\S.*)")

_SWALLOWED = re.compile(r"(?P<key>[\w./-]+)(?P<colon>:)(?P<value>[\[{\"'].*)", re.ASCII)


def match_stuck_colon(node: Node) -> re.Match[str] | None:
    """Match a plain text that was meant as `key: value` but lacks the space, or return None."""
    return _STUCK.fullmatch(node.text) if isinstance(node, ScalarNode) and not node.style else None


def report_stuck_colon(match: re.Match[str], offset: int, source: Source, sink: Sink) -> None:
    """Report a colon with a wrong blank or no space after it, or a full-width colon.

    `match` has the groups `key`, `colon` and `value`; `offset` is that of the matched text in the source.
    """
    start = offset + match.start("colon")
    span = Span(source, start, start + 1)
    key, value = match["key"], match["value"].strip()
    if match["value"][0] in BLANKS:
        sign = match["value"][0]
        message = _("this character looks like a space but is {code}", code=f"U+{ord(sign):04X}")
        sink.add_error(
            "look-alike-space", message, Span(source, start + 1, start + 2), help=_("write an ordinary space")
        )
    elif match["colon"] == "：":
        message = _("`{sign}` is a full-width character and is read as text here", sign="：")
        sink.add_error("full-width-character", message, span, help=_("write `{right}`", right=f"{key}: {value}"))
    else:
        cure = _("write `{right}`", right=f"{key}: {value}")
        sink.add_error("missing-space", _("a space is missing after the colon of `{key}`", key=key), span, help=cure)


def is_cut_by_comma(entry: MappingEntry) -> bool:
    """Return whether an entry is the part after a comma of an unquoted text inside braces."""
    return not entry.key.style and _has_no_colon(entry)


def _has_no_colon(entry: MappingEntry) -> bool:
    end = entry.key.span.end
    behind = entry.key.span.source.text[end : end + 200].lstrip()
    return is_null(entry.value) and not behind.startswith((":", "："))


def get_unbracketed_text(node: ScalarNode, beside: MappingNode, key: str) -> str:
    """Return the source text of a list without brackets, starting at its first member, the value of `key`.

    `node`: that value; `beside`: the mapping that has it. Within braces the commas have turned the further members
    into keys of `beside`.
    """
    entries = list(beside)
    index = next((n for n, entry in enumerate(entries) if entry.key.text == key), len(entries))
    end = node.span.end
    for entry in entries[index + 1 :]:
        if not _has_no_colon(entry):
            break
        end = entry.key.span.end
    return node.span.source.text[node.span.start : end]


def report_cut_by_comma(entry: MappingEntry, sink: Sink) -> None:
    """Report an unquoted comma that splits a text or a number."""
    if report_decimal_comma(entry, sink):
        return
    message = _("the comma before `{key}` ends the text, so the rest is read as a key", key=entry.key.text)
    sink.add_error("bad-name", message, entry.key.span, help=_("text with a comma inside braces needs quotes"))


def report_decimal_comma(entry: MappingEntry, sink: Sink) -> bool:
    """Report an entry that is the part after the decimal comma of a number in braces; return whether it is one."""
    if not (entry.key.text.isdigit() and is_cut_by_comma(entry)):
        return False
    message = _("the comma before `{key}` ends the number, so the rest is read as a key", key=entry.key.text)
    cure = _("write a decimal point or a fraction, such as `1.5` or `1/2`")
    sink.add_error("bad-value", message, entry.key.span, help=cure)
    return True


def match_stuck_bracket(key: ScalarNode) -> re.Match[str] | None:
    """Match a plain key that has swallowed the start of its value, such as `key:{a`."""
    return None if key.style else _SWALLOWED.match(key.text)


def has_wide_indent(key: ScalarNode) -> bool:
    """Return whether a plain key is indented with blanks that are not spaces."""
    return not key.style and _find_blank_lead(key) >= 0


def report_wide_indent(key: ScalarNode, sink: Sink) -> None:
    """Report a full-width space in front of a key."""
    sink.add(build_blank_error(key.span.source, _find_blank_lead(key)))


def _find_blank_lead(key: ScalarNode) -> int:
    """Return the offset of the first blank before a key that is not a space, or -1."""
    text, end = key.span.source.text, key.span.start
    start = text.rfind("\n", 0, end) + 1
    return next((n for n in range(start, end) if text[n] in BLANKS), -1)
