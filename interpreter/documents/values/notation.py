"""Reads results made of several parts, in the notation a chart declares: "1DR2*".

Must not know charts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from interpreter.documents.reading.tree import Branch, Entry, Node, Scalar, describe
from interpreter.documents.values.context import Context
from interpreter.documents.values.typed_values import FAULT
from interpreter.model import types as t
from interpreter.model.ruleset import Value
from interpreter.source.diagnostic import Sink
from interpreter.source.plain_signs import plain_signs
from interpreter.words.speech import mark as _

NOTHING = "-"
MAX_RESULT = 200  # characters; the longest printed ones have a dozen


_Step = tuple[int, tuple[str, int]]  # the place before, and the part between


@dataclass(frozen=True, slots=True)
class Sign:
    """One sign of a notation: how it is written, the arm it stands for, its number when left out.

    `default` is None when the number must be written; `carries` says whether there is one.
    """

    written: str
    pattern: re.Pattern[str]
    arm: str
    carries: bool
    default: int | None


@dataclass(frozen=True, slots=True)
class Notation:
    """All signs, longest first, and the type of a result."""

    signs: tuple[Sign, ...]
    type: t.ListOf


def read_notation(tree: Branch, ctx: Context) -> Notation | None:
    """The notation declared under `parts`, or None (reported)."""
    signs = [s for entry in tree if (s := _sign(entry, ctx))]
    arms: dict[str, bool] = {}
    for sign, entry in zip(signs, tree, strict=False):
        if arms.setdefault(sign.arm, sign.carries) != sign.carries:
            ctx.sink.error(
                "bad-notation",
                _("`{arm}` stands once with and once without a number", arm=sign.arm),
                entry.key.span,
                help=_("let all signs of one arm carry a number, or none"),
            )
    if len(signs) != len(tree.entries) or not signs:
        return None
    signs.sort(key=lambda s: -len(s.written))
    return Notation(tuple(signs), t.ListOf(t.Part(tuple(arms.items()))))


def _sign(entry: Entry, ctx: Context) -> Sign | None:
    written = "".join(entry.key.text.split())
    arm, number = _arm(entry.value)
    if arm is None or not re.fullmatch(r"[a-z][a-z0-9_]*", arm):
        ctx.sink.error(
            "bad-notation",
            _("found {found}, expected what `{written}` stands for", found=describe(entry.value), written=written),
            entry.value.span,
            help=_(
                "write a name, or `{name: int}` when a number belongs to it, or `{name: 1}` when the number may "
                "be left out"
            ),
        )
        return None
    carries = number is not None
    if carries and "n" not in written:
        ctx.sink.error(
            "bad-notation",
            _("`{arm}` carries a number, but `{written}` has no `n` in its place", arm=arm, written=written),
            entry.key.span,
            help=_("write `n` where the number stands"),
        )
        return None
    if not written or written == NOTHING:
        ctx.sink.error(
            "bad-notation",
            _("`{written}` cannot be a sign: it means no result", written=written),
            entry.key.span,
            help=_("choose another sign"),
        )
        return None
    default = number if isinstance(number, int) else None
    before, mark, after = written.partition("n") if carries else (written, "", "")
    optional = "?" if default is not None and (before or after) else ""
    digits = f"([0-9]{{1,6}}){optional}" if mark else ""
    return Sign(written, re.compile(re.escape(before) + digits + re.escape(after)), arm, carries, default)


def _arm(node: Node) -> tuple[str | None, int | str | None]:
    """The arm's name, and its number: None, "int" (must be written) or the one meant when left out."""
    if isinstance(node, Scalar):
        return (node.text or None), None
    if isinstance(node, Branch) and len(node.entries) == 1:
        entry = next(iter(node))
        if isinstance(entry.value, Scalar) and (entry.value.text == "int" or type(entry.value.value) is int):
            return entry.key.text, "int" if entry.value.text == "int" else int(entry.value.text)
    return None, None


def read_parts(node: Node, notation: Notation, sink: Sink) -> Value:
    """A cell as a tuple of (arm, number or 0), or `FAULT` (reported)."""
    if not isinstance(node, Scalar) or node.value is None:
        sink.error(
            "unreadable-result",
            _("found {found}, expected a result", found=describe(node)),
            node.span,
            help=_("write signs one after the other, or `-` for no result"),
        )
        return FAULT
    text = "".join(node.text.split())
    if len(text) > MAX_RESULT:
        sink.error(
            "unreadable-result",
            _("found a result of {number} characters, expected at most {most}", number=len(text), most=MAX_RESULT),
            node.span,
            help=_("write one result in each cell"),
        )
        return FAULT
    found, at = _parts_of(text, notation)
    if at == len(text):
        return found
    plain = plain_signs(text)
    known = ", ".join(f"`{s.written}`" for s in notation.signs)
    sink.error(
        "unreadable-result",
        _("`{more}` in the result `{node}` is no sign of this chart", more=text[at:], node=node.text),
        node.span,
        help=_("write `{right}`: what stands there only looks like it", right=plain)
        if plain != text and _parts_of(plain, notation)[1] == len(plain)
        else _("its signs are {known}; `n` stands for a number, `-` for no result", known=known),
    )
    return FAULT


def _parts_of(text: str, notation: Notation) -> tuple[tuple[Any, ...], int]:
    """The parts that a result is made of, and how far it could be read; of several readings one that takes in all.

    At each place the sign that reaches farthest is tried first: beside `An` and `AR`, `A2AR` is read as `A2` and `AR`.
    Depth-first search that visits each place once, so the time grows with the length alone.
    """
    farthest = begin = len(text) if text == NOTHING else 0
    came: dict[int, _Step | None] = {}  # how each place was reached first
    waiting: list[tuple[int, _Step | None]] = [(begin, None)]
    while waiting:
        at, step = waiting.pop()
        if at in came:
            continue
        came[at] = step
        farthest = max(farthest, at)
        if at == len(text):
            break
        for sign, found in sorted(_signs_at(text, at, notation), key=lambda one: one[1].end()):
            number = found.group(1) if sign.carries else None
            part = (sign.arm, int(number) if number is not None else (sign.default or 0))
            waiting.append((found.end(), (at, part)))
    parts: list[tuple[str, int]] = []
    step = came[farthest]
    while step is not None:
        parts.append(step[1])
        step = came[step[0]]
    return tuple(reversed(parts)), farthest


def _signs_at(text: str, at: int, notation: Notation) -> list[tuple[Sign, re.Match[str]]]:
    found = [(sign, sign.pattern.match(text, at)) for sign in reversed(notation.signs)]
    return [(sign, match) for sign, match in found if match is not None and match.end() > at]
