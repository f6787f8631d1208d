"""YAML reader: a text to a tree with a span for every node.

It uses its own resolvers: `true`, `false`, `null`, `~` and plain decimal numbers have their usual meaning; every other
plain scalar is text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import yaml

from interpreter.diagnostics.diagnostic import Related, Sink, build_control_character_error
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.terminal_text import can_join_without_space, find_control_character
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, ScalarNode, SequenceNode
from interpreter.documents.reading.typo_heuristics import (
    has_wide_indent,
    match_stuck_bracket,
    match_stuck_colon,
    report_stuck_colon,
    report_wide_indent,
)
from interpreter.documents.reading.yaml_errors import build_syntax_error
from interpreter.documents.reading.yaml_slips import (
    LOADER,
    build_curly_quote_error,
    build_cut_error,
    find_swallowed_comment,
    is_curly_quote_closing,
    is_curly_quote_open,
    trim_unusual_blanks,
)
from interpreter.i18n.translator import mark as _

MAX_DEPTH = 40
MAX_NODES = 200_000
MAX_DIGITS = 18
_INT = re.compile(r"0|-?[1-9][0-9]*", re.ASCII)
_WORDS: dict[str, None | bool] = {"true": True, "false": False, "null": None, "~": None, "": None}


class _RefusedError(Exception):
    """Raised after a fault was reported that prevents reading the text further."""


@dataclass(slots=True)
class _Reader:
    """The state of reading one text; `shift`: the length of its byte order mark; `nodes`: the number read so far."""

    source: Source
    sink: Sink
    events: Iterator[Any]
    shift: int
    nodes: int = 0

    def span(self, event: Any) -> Span:  # noqa: ANN401 - an event; the stubs of PyYAML lack its fields
        return Span(self.source, event.start_mark.index + self.shift, event.end_mark.index + self.shift)


def read_yaml(source: Source, sink: Sink, *, parser: str = "c") -> Node | None:
    """Parse a YAML text to a tree, or return None if it is empty or unreadable (reported to `sink`).

    `parser` is "c" (libyaml if installed) or "python"; both give the same tree. Spans count characters of
    the source's text, including a byte order mark.
    """
    shift = 1 if source.text.startswith("\ufeff") else 0
    offset = find_control_character(source.text, shift)  # comments are checked too
    if offset >= 0:
        sink.add(build_control_character_error(source.text[offset], Span(source, offset, offset + 1)))
        return None
    loader = yaml.SafeLoader if parser == "python" else LOADER
    try:
        events = iter(loader(source.text[shift:]).get_event, None)  # None follows the last event
        return _read_document(_Reader(source, sink, events, shift))
    except _RefusedError:
        return None
    except (yaml.YAMLError, RecursionError) as fault:
        if isinstance(fault, yaml.YAMLError) and "nesting depth" not in str(getattr(fault, "problem", "")):
            sink.add(build_syntax_error(source, fault, shift))
            return None
        message = _("the text is nested more than {max_depth} levels deep", max_depth=MAX_DEPTH)
        sink.add_error("too-deep", message, Span(source, 0, 0), help=_("use fewer levels"))
    return None


def _read_document(reader: _Reader) -> Node | None:
    root: Node | None = None
    for event in reader.events:
        if isinstance(event, yaml.DocumentStartEvent):
            if root is not None:
                cure = _("a file can have only one document: remove the line `---` or make a second file")
                _refuse(reader, "second-document", event, _("a second document begins here"), cure)
            if event.tags:
                _refuse(reader, "yaml-tag", event, _("the file declares tags"), _("remove the lines that begin with %"))
            root = _read_node(reader, next(reader.events), 1)
    return root


def _refuse(reader: _Reader, code: str, event: yaml.Event, message: str, help: str) -> None:
    reader.sink.add_error(code, message, reader.span(event), help=help)
    raise _RefusedError


def _read_node(reader: _Reader, event: Any, depth: int) -> Node:  # noqa: ANN401 - an event; the stubs of PyYAML lack its fields
    reader.nodes += 1
    if reader.nodes > MAX_NODES:
        message = _("the file contains more than {max_nodes} values", max_nodes=MAX_NODES)
        _refuse(reader, "too-many-nodes", event, message, _("split it into several files"))
    if depth > MAX_DEPTH:
        message = _("this is nested more than {max_depth} levels deep", max_depth=MAX_DEPTH)
        _refuse(reader, "too-deep", event, message, _("use fewer levels"))
    if event.anchor or event.tag is not None:
        _check_plainness(reader, event)
    if isinstance(event, yaml.ScalarEvent):
        return _read_scalar(reader, event)
    if isinstance(event, yaml.SequenceStartEvent):
        return _read_sequence(reader, event, depth)
    if isinstance(event, yaml.MappingStartEvent):
        return _read_mapping(reader, event, depth)
    return ScalarNode(f"*{event.anchor}", f"*{event.anchor}", reader.span(event))


def _check_plainness(reader: _Reader, event: Any) -> None:  # noqa: ANN401 - an event; the stubs of PyYAML lack its fields
    """Report an alias, an anchor or a tag of a parser's event, because they hide or multiply meaning."""
    if isinstance(event, yaml.AliasEvent):
        message = _("`*{anchor}` repeats another part of the file", anchor=event.anchor)
        cure = _("write the value in full; text that begins with `*` needs quotes")
        reader.sink.add_error("yaml-alias", message, reader.span(event), help=cure)
        return
    if event.anchor:
        message = _("`&{anchor}` gives a part of the file a name", anchor=event.anchor)
        cure = _("remove it; text that begins with `&` needs quotes")
        reader.sink.add_error("yaml-anchor", message, reader.span(event), help=cure)
    if event.tag not in (None, "!") or (event.tag == "!" and not isinstance(event, yaml.ScalarEvent)):
        message = _("`{tag}` is a tag, which documents cannot use", tag=event.tag)
        cure = _("remove it; text that begins with `!` needs quotes")
        reader.sink.add_error("yaml-tag", message, reader.span(event), help=cure)


def parse_plain_value(text: str) -> None | bool | int | str:
    """Return the value of an unquoted word; a number with too many digits stays text."""
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if _INT.fullmatch(text) and len(text) <= MAX_DIGITS else text


def quote_text(text: str) -> str:
    """Return a text in double quotes, as documents write it, on one line."""
    return json.dumps(text, ensure_ascii=False)


def _is_nothing(node: Node) -> bool:
    return isinstance(node, ScalarNode) and node.value is None and not node.text


def _split_stuck_colon(key: ScalarNode, slip: re.Match[str]) -> tuple[ScalarNode, ScalarNode]:
    """Return the key and the value in a text whose colon has no space after it.

    `slip`: the match of the text, with groups `key` and `value`.
    """
    source, offset, text = key.span.source, key.span.start, slip["value"].strip()
    quote = text[0] if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'" else ""
    text = text[1:-1] if quote else text
    span = Span(source, offset + slip.start("value"), key.span.end)
    return (
        ScalarNode(slip["key"], slip["key"], Span(source, offset, offset + slip.end("key"))),
        ScalarNode(text if quote else parse_plain_value(text), text, span, quote),
    )


def _join_folded(text: str, span: Span) -> str:
    """Return a folded text without the spaces that line ends insert between letters of unspaced scripts.

    `span`: the text as written in the source.
    """
    lines = [line.strip() for line in span.source.text[span.start : span.end].split("\n")[1:]]
    begun = 0
    for line, after in pairwise(lines):
        offset = text.find(f"{line} {after}", begun) if line and after else -1
        if offset >= 0:
            begun = offset + len(line)
            if can_join_without_space(line, after):
                text = text[:begun] + text[begun + 1 :]
    return text


def _read_scalar(reader: _Reader, event: yaml.ScalarEvent) -> ScalarNode:
    span = reader.span(event)
    style = event.style or ""
    text: str = event.value
    if style:
        if style == '"':
            _check_characters(reader, text, span)
        elif style == ">" and not text.isascii():
            text = _join_folded(text, span)
        return ScalarNode(text, text, span, style)
    if not text.isascii() and "\n" not in reader.source.text[span.start : span.end]:
        cut, text = trim_unusual_blanks(text)
        span = Span(reader.source, span.start + cut, span.start + cut + len(text)) if text else span
    if text in _WORDS:
        return ScalarNode(_WORDS[text], text, span)
    if _INT.fullmatch(text):
        if len(text) > MAX_DIGITS:
            message = _("`{more}...` has more than {max_digits} digits", more=text[:24], max_digits=MAX_DIGITS)
            cure = _("write a smaller number; where a text is expected, write it in quotes")
            reader.sink.add_error("number-too-long", message, span, help=cure)
            return ScalarNode(0, "0", span)
        return ScalarNode(int(text), text, span)
    return ScalarNode(text, text, span)


def _check_characters(reader: _Reader, text: str, span: Span) -> None:
    """Report the first forbidden character of a text with escapes; unescaped ones are checked for the whole file."""
    offset = find_control_character(text)
    if offset >= 0:
        reader.sink.add(build_control_character_error(text[offset], span))


def _read_sequence(reader: _Reader, start: yaml.CollectionStartEvent, depth: int) -> SequenceNode:
    items: list[Node] = []
    for event in reader.events:
        if isinstance(event, yaml.SequenceEndEvent):
            return SequenceNode(tuple(items), _compute_full_span(reader, start, event, items[-1] if items else None))
        item = _read_node(reader, event, depth + 1)
        if start.flow_style and items and _report_text_cut_by_comma(reader, items[-1], item):
            continue
        items.append(item)
    raise _RefusedError


def _report_text_cut_by_comma(reader: _Reader, first: Node | None, second: Node) -> bool:
    """Report a text in curly quotes within brackets if a comma cuts it into the nodes `first` and `second`.

    Returns whether it was reported.
    """
    if not (isinstance(first, ScalarNode) and isinstance(second, ScalarNode)) or first.style or second.style:
        return False
    if not (is_curly_quote_open(first.text) and is_curly_quote_closing(second.text)):
        return False
    reader.sink.add(build_curly_quote_error(reader.source, first.span.start, second.span.end))
    return True


def _read_mapping(reader: _Reader, start: yaml.CollectionStartEvent, depth: int) -> MappingNode:
    """Read a mapping up to its end event; report keys with typos, and continue with their intended meaning."""
    entries: dict[str, MappingEntry] = {}
    last: Node | None = None
    for event in reader.events:
        if isinstance(event, yaml.MappingEndEvent):
            return MappingNode(entries, _compute_full_span(reader, start, event, last))
        before, key = last, _read_node(reader, event, depth + 1)
        last = _read_node(reader, next(reader.events), depth + 1)
        if start.flow_style and _is_nothing(last) and _report_text_cut_by_comma(reader, before, key):
            last = key  # more of it may follow
        elif isinstance(key, ScalarNode):
            if start.flow_style and _is_nothing(last) and (slip := match_stuck_colon(key)) is not None:
                report_stuck_colon(slip, key.span.start, reader.source, reader.sink)
                key, last = _split_stuck_colon(
                    key, slip
                )  # continue with the intended meaning, to avoid follow-up errors
            elif (slip := match_stuck_bracket(key)) is not None:
                report_stuck_colon(slip, key.span.start, reader.source, reader.sink)
                raise _RefusedError
            elif not start.flow_style and has_wide_indent(key):
                report_wide_indent(key, reader.sink)
                raise _RefusedError
            _add_entry(reader, entries, key, last)
            if not start.flow_style:
                _report_cut(reader, last)
        else:
            cure = _("write a word as the key; text that contains braces needs quotes")
            reader.sink.add_error("key-not-text", _("found a list or mapping, expected a key"), key.span, help=cure)
    raise _RefusedError


def _report_cut(reader: _Reader, value: Node) -> None:
    """Warn about an unquoted text that ` #` cuts off before a number: `Hill #3`."""
    if not isinstance(value, ScalarNode) or value.style or not isinstance(value.value, str):
        return
    comment = find_swallowed_comment(reader.source, value.span.end)
    if comment:
        end = reader.source.text.index(comment, value.span.end) + len(comment)
        right = quote_text(reader.source.text[value.span.start : end])
        reader.sink.add(build_cut_error(value.span, comment, right, "warning"))


def _add_entry(reader: _Reader, entries: dict[str, MappingEntry], key: ScalarNode, value: Node) -> None:
    if key.text == "<<" and not key.style:
        message = _("`<<` merges one mapping into another, which documents cannot use")
        reader.sink.add_error("merge-key", message, key.span, help=_("write the entries in full"))
    elif key.text in entries:
        first = entries[key.text].key.span
        sink = reader.sink
        message = _("the key `{key}` occurs twice here", key=key.text)
        cure = _("keep one of the two")
        sink.add_error(
            "duplicate-key", message, key.span, help=cure, related=(Related(_("first written here"), first),)
        )
    else:
        entries[key.text] = MappingEntry(key, value)


def _compute_full_span(
    reader: _Reader, start: yaml.CollectionStartEvent, end: yaml.CollectionEndEvent, last: Node | None
) -> Span:
    """Return the span of a collection from `start` to `end`; a block collection ends with `last`, its last value."""
    begin = reader.span(start).start
    if start.flow_style:
        return Span(reader.source, begin, reader.span(end).end)
    return Span(reader.source, begin, max(begin, last.span.end if last else begin))
