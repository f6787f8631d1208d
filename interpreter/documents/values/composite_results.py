"""Reading of results made of several parts, in the notation a chart declares, such as "1DR2*"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.plain_signs import to_keyboard_characters
from interpreter.documents.reading.tree import MappingEntry, MappingNode, Node, ScalarNode, describe
from interpreter.documents.values.context import BuildContext
from interpreter.documents.values.typed_values import FAULT
from interpreter.i18n.translator import mark as _
from interpreter.model import types as t
from interpreter.model.ruleset import Value

NOTHING = "-"
MAX_RESULT = 200  # characters; the longest printed ones have a dozen


_Step = tuple[int, tuple[str, int]]  # offset where a part begins, and the part: name and number


@dataclass(frozen=True, slots=True)
class ResultSymbol:
    """One symbol of a notation: its spelling, the result part it denotes, its default number.

    `carries` says whether it carries a number; `default` is None if the number must be written.
    """

    spelling: str
    pattern: re.Pattern[str]
    arm: str
    carries: bool
    default: int | None


@dataclass(frozen=True, slots=True)
class ResultNotation:
    """All symbols of a notation, longest first, and the type of a result."""

    signs: tuple[ResultSymbol, ...]
    type: t.ListType


def read_notation(tree: MappingNode, ctx: BuildContext) -> ResultNotation | None:
    """Return the notation declared under `parts`, or None (reported)."""
    signs = [s for entry in tree if (s := _read_symbol(entry, ctx))]
    arms: dict[str, bool] = {}
    for sign, entry in zip(signs, tree, strict=False):
        if arms.setdefault(sign.arm, sign.carries) != sign.carries:
            message = _("`{arm}` occurs both with and without a number", arm=sign.arm)
            cure = _("give a number to all signs of one result, or to none")
            ctx.sink.add_error("bad-notation", message, entry.key.span, help=cure)
    if len(signs) != len(tree.entries) or not signs:
        return None
    signs.sort(key=lambda s: -len(s.spelling))
    return ResultNotation(tuple(signs), t.ListType(t.PartType(tuple(arms.items()))))


def _read_symbol(entry: MappingEntry, ctx: BuildContext) -> ResultSymbol | None:
    """Return the symbol that an entry of a notation declares, or None (reported)."""
    text = "".join(entry.key.text.split())
    arm, number = _parse_arm(entry.value)
    if arm is None or not re.fullmatch(r"[a-z][a-z0-9_]*", arm):
        message = _("found {found}, expected the meaning of `{written}`", found=describe(entry.value), written=text)
        cure = _("write a name, or `{name: int}` if it has a number, or `{name: 1}` if the number can be left out")
        ctx.sink.add_error("bad-notation", message, entry.value.span, help=cure)
        return None
    carries = number is not None
    if carries and "n" not in text:
        message = _("`{arm}` has a number, but `{written}` has no `n` for it", arm=arm, written=text)
        ctx.sink.add_error("bad-notation", message, entry.key.span, help=_("write `n` in the place of the number"))
        return None
    if not text or text == NOTHING:
        message = _("`{written}` cannot be a sign: it denotes an empty result", written=text)
        ctx.sink.add_error("bad-notation", message, entry.key.span, help=_("choose another sign"))
        return None
    default = number if isinstance(number, int) else None
    before, mark, after = text.partition("n") if carries else (text, "", "")
    optional = "?" if default is not None and (before or after) else ""
    digits = f"([0-9]{{1,6}}){optional}" if mark else ""
    return ResultSymbol(text, re.compile(re.escape(before) + digits + re.escape(after)), arm, carries, default)


def _parse_arm(node: Node) -> tuple[str | None, int | str | None]:
    """Parse a declared part; return (name, number): None for none, "int" if it must be written, else its default."""
    if isinstance(node, ScalarNode):
        return (node.text or None), None
    if isinstance(node, MappingNode) and len(node.entries) == 1:
        entry = next(iter(node))
        if isinstance(entry.value, ScalarNode) and (entry.value.text == "int" or type(entry.value.value) is int):
            return entry.key.text, "int" if entry.value.text == "int" else int(entry.value.text)
    return None, None


def read_parts(node: Node, notation: ResultNotation, sink: Sink) -> Value:
    """Parse a cell to a tuple of (part name, number or 0), or return `FAULT` (reported)."""
    if not isinstance(node, ScalarNode) or node.value is None:
        message = _("found {found}, expected a result", found=describe(node))
        cure = _("write the signs one after the other, or `-` for an empty result")
        sink.add_error("unreadable-result", message, node.span, help=cure)
        return FAULT
    text = "".join(node.text.split())
    if len(text) > MAX_RESULT:
        message = _("found a result of {number} characters, expected at most {most}", number=len(text), most=MAX_RESULT)
        sink.add_error("unreadable-result", message, node.span, help=_("write one result in each cell"))
        return FAULT
    parts, end = _split_parts(text, notation)
    if end == len(text):
        return parts
    plain = to_keyboard_characters(text)
    spellings = ", ".join(f"`{s.spelling}`" for s in notation.signs)
    sink.add_error(
        "unreadable-result",
        _("`{more}` in the result `{node}` is not a sign of this chart", more=text[end:], node=node.text),
        node.span,
        help=_("write `{right}`: the character here only looks like it", right=plain)
        if plain != text and _split_parts(plain, notation)[1] == len(plain)
        else _("the chart has the signs {known}; `n` denotes a number, and `-` an empty result", known=spellings),
    )
    return FAULT


def _split_parts(text: str, notation: ResultNotation) -> tuple[tuple[Any, ...], int]:
    """Split a result into its parts; return them and the offset up to which it could be read.

    The longest sign is tried first at each offset: beside `An` and `AR`, `A2AR` is read as `A2` and `AR`. Depth-first
    search that visits each offset once, so time is linear in the length.
    """
    farthest = begin = len(text) if text == NOTHING else 0
    reached_by: dict[int, _Step | None] = {}  # the step by which each offset was reached first
    stack: list[tuple[int, _Step | None]] = [(begin, None)]
    while stack:
        offset, step = stack.pop()
        if offset in reached_by:
            continue
        reached_by[offset] = step
        farthest = max(farthest, offset)
        if offset == len(text):
            break
        for sign, match in sorted(_match_signs(text, offset, notation), key=lambda one: one[1].end()):
            number = match.group(1) if sign.carries else None
            part = (sign.arm, int(number) if number is not None else (sign.default or 0))
            stack.append((match.end(), (offset, part)))
    parts: list[tuple[str, int]] = []
    step = reached_by[farthest]
    while step is not None:
        parts.append(step[1])
        step = reached_by[step[0]]
    return tuple(reversed(parts)), farthest


def _match_signs(text: str, offset: int, notation: ResultNotation) -> list[tuple[ResultSymbol, re.Match[str]]]:
    """Return the symbols of a notation that match at an offset of a text, the last declared first."""
    matches = [(sign, sign.pattern.match(text, offset)) for sign in reversed(notation.signs)]
    return [(sign, match) for sign, match in matches if match is not None and match.end() > offset]
