"""Locate a cursor in an unfinished document: the path of keys, the sibling keys, and key or value.

Reads lines rather than YAML, because text under the cursor need not be well formed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

_KEY = re.compile(r"""("[^"\n]*"|'[^'\n]*'|[^\s"'{}\[\],#:&*!|>%@`-][^{}\[\],#:\n]*?|-[^\s{}\[\],#:\n]+)\s*:(?=\s|$)""")
_BLOCK = re.compile(r"[|>][+-]?\d?[+-]?\s*(#.*)?$")
_QUOTES = "\"'"


@dataclass(frozen=True, slots=True)
class Cursor:
    """A position in a document.

    `path` holds the keys and list indices of the mapping (`is_key`) or the value at the cursor; an item of a block
    list may become either. `siblings` holds the other keys of the mapping, each with the text of its value. `block` is
    the text of the enclosing block scalar up to the cursor, or None outside one.
    """

    path: tuple[str | int, ...]
    is_key: bool
    siblings: Mapping[str, str] = field(default_factory=dict)
    is_item: bool = False
    block: str | None = None


@dataclass(slots=True)
class _Frame:
    indent: int
    step: str | int
    is_item: bool = False


@dataclass(slots=True)
class _Flow:
    """A mapping or list in brackets that is open at the cursor.

    `start`: the offset of its bracket; `key`: the key of the present entry; `number`: the entries before it;
    `siblings`: the finished entries by key; `token`: the text of the present key or value.
    """

    is_mapping: bool
    start: int
    key: str | None = None
    number: int = 0
    siblings: dict[str, str] = field(default_factory=dict)
    token: str = ""

    def end_entry(self) -> None:
        """Record the entry that a comma ends."""
        if self.is_mapping and self.key is not None:
            self.siblings[self.key] = self.token.strip()
        self.key, self.token = None, ""
        self.number += 1


def locate_cursor(text: str, offset: int) -> Cursor:
    """Locate an offset in a document."""
    frames: list[_Frame] = []
    lines = text[:offset].split("\n")
    line_offset = 0  # offset of the line
    skip_to = 0  # end of a multi-line value in brackets
    block: tuple[int, int] | None = None  # indent of a block scalar's key, and the start of its text
    for number, line in enumerate(lines):
        is_last = number == len(lines) - 1
        start, line_offset = line_offset, line_offset + len(line) + 1
        indent = len(line) - len(line.lstrip(" "))
        if block is not None:
            if is_last and (indent > block[0] or not line.strip()):
                return Cursor(_build_path(frames), False, block=text[block[1] : offset])
            if indent > block[0] or not line.strip():
                continue
            block = None
        if start < skip_to or ((not line.strip() or line.lstrip().startswith("#")) and not is_last):
            continue
        content, indent = _push_items(frames, line, indent)
        key = _KEY.match(content)
        if key is None:
            if is_last:
                return _find_cursor_without_colon(frames, text, offset, content, indent)
            frames[:] = [frame for frame in frames if frame.indent < indent or frame.is_item]
            if content[:1] in ("{", "["):
                begin = start + len(line) - len(content)
                open_at_cursor, skip_to = _scan_brackets(text, begin, offset)
                if open_at_cursor:
                    return _find_cursor_in_brackets(frames, open_at_cursor)
            continue
        frames[:] = [frame for frame in frames if frame.indent < indent]
        frames.append(_Frame(indent, _unquote(key[1])))
        value_text = content[key.end() :].lstrip(" ")
        begin = start + len(line) - len(value_text)
        if _BLOCK.match(value_text) and not is_last:
            block = indent, start + len(line) + 1
        elif value_text[:1] in ("{", "["):
            open_at_cursor, skip_to = _scan_brackets(text, begin, offset)
            if open_at_cursor:
                return _find_cursor_in_brackets(frames, open_at_cursor)
        if is_last:
            return Cursor(_build_path(frames), False, _list_sibling_keys(text, offset, indent))
    return Cursor(_build_path(frames), True)


def _push_items(frames: list[_Frame], line: str, indent: int) -> tuple[str, int]:
    """Consume the dashes of list items at the start of a line and push a frame for each.

    `frames`: the mappings and lists open at the line; `indent`: the line's indentation. Return the rest of the line
    and its indentation.
    """
    content = line[indent:]
    while content == "-" or content.startswith("- "):
        sibling = next((f for f in frames if f.is_item and f.indent == indent), None)
        frames[:] = [f for f in frames if f.indent < indent or (f.indent == indent and not f.is_item)]
        frames.append(_Frame(indent, int(sibling.step) + 1 if sibling is not None else 0, is_item=True))
        bare = content[1:].lstrip(" ")
        indent += len(content) - len(bare)
        content = bare
    return content, indent


def _find_cursor_without_colon(frames: list[_Frame], text: str, offset: int, content: str, indent: int) -> Cursor:
    """Return the cursor in a line without a colon: in brackets, at the start of a key, or in a list item.

    `frames`: the open mappings and lists; `content`: the line up to the cursor without dashes; `indent`: its
    indentation.
    """
    if content[:1] in ("{", "["):
        open_at_cursor, _ = _scan_brackets(text, offset - len(content), offset)
        if open_at_cursor:
            return _find_cursor_in_brackets(frames, open_at_cursor)
    outer_frames = [f for f in frames if f.indent < indent]
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    is_item = bool(outer_frames) and outer_frames[-1].is_item and line.lstrip(" ").startswith("-")
    return Cursor(_build_path(outer_frames), True, _list_sibling_keys(text, offset, indent), is_item)


def _build_path(frames: list[_Frame]) -> tuple[str | int, ...]:
    return tuple(frame.step for frame in frames)


def _unquote(key: str) -> str:
    return key.strip().strip(_QUOTES).strip()


def _list_sibling_keys(text: str, offset: int, indent: int) -> dict[str, str]:
    """Return the keys beside the cursor's line that are indented by `indent`, each with the text of its value."""
    lines = text.split("\n")
    number = text.count("\n", 0, offset)
    keys: dict[str, str] = {}
    is_new_item = lines[number].lstrip(" ").startswith("- ")
    for way in (range(number - 1, -1, -1) if not is_new_item else (), range(number + 1, len(lines))):
        for n in way:
            line = lines[n]
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            bare = line.lstrip(" ")
            line_indent = len(line) - len(bare)
            is_first = bare.startswith("- ") and line_indent < indent
            if is_first:
                line_indent, bare = line_indent + len(bare) - len(bare[1:].lstrip(" ")), bare[1:].lstrip(" ")
            if line_indent < indent:
                break
            key = _KEY.match(bare) if line_indent == indent else None
            if key is not None:
                keys[_unquote(key[1])] = bare[key.end() :].strip()
            if is_first:
                break
    return keys


def _scan_brackets(text: str, begin: int, offset: int) -> tuple[list[_Flow], int]:
    """Scan a value in brackets from the offset `begin` to the cursor.

    Return the brackets open there, outermost first, and `offset`; or [] and the end of the value if it is closed
    before.
    """
    open_: list[_Flow] = []
    index = begin
    while index < offset:
        sign = text[index]
        if sign in _QUOTES and (not open_ or not open_[-1].token.strip()):
            end = text.find(sign, index + 1)
            end = offset if end < 0 or end >= offset else end + 1
            if open_:
                open_[-1].token += text[index:end]
            index = end
            continue
        if sign == "#" and text[index - 1 : index] in (" ", "\n", ""):
            end = text.find("\n", index)
            index = offset if end < 0 else end
            continue
        if sign in "{[":
            open_.append(_Flow(sign == "{", index))
        elif sign in "}]" and open_:
            closed = open_.pop()
            if not open_:
                return [], index + 1
            open_[-1].token += text[closed.start : index + 1]
        elif sign == "," and open_:
            open_[-1].end_entry()
        elif sign == ":" and open_ and open_[-1].is_mapping and text[index + 1 : index + 2] in (" ", "\n", ""):
            open_[-1].key, open_[-1].token = _unquote(open_[-1].token), ""
        elif open_:
            open_[-1].token += sign
        index += 1
    return open_, offset


def _find_cursor_in_brackets(frames: list[_Frame], open_: list[_Flow]) -> Cursor:
    inner = open_[-1]
    is_key = inner.is_mapping and inner.key is None
    return Cursor((*_build_path(frames), *_iter_steps(open_)), is_key, inner.siblings)


def _iter_steps(open_: list[_Flow]) -> Iterator[str | int]:
    for flow in open_:
        if not flow.is_mapping:
            yield flow.number
        elif flow.key is not None:
            yield flow.key
