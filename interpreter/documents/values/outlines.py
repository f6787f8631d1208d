"""Reading of outlines and lines: lists of points, or the path of a drawing program (SVG `d`), as points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from math import isfinite
from typing import NamedTuple

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Span
from interpreter.documents.reading.tree import Node, ScalarNode, SequenceNode, read_point
from interpreter.i18n.translator import Message, mark as _
from interpreter.model.area_drawing import Line, Point, Rings

MAX_POINTS = 100_000  # points of one outline
FARTHEST = 20_000.0  # pixels
_TOKEN = re.compile(r"\s*,?\s*(?:([A-Za-z])|([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))")
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "Z": 0}
_CURVE_STEPS = 8  # straight pieces per curve
_MIN_POINTS = 3  # points that enclose something
_CODE = "bad-shape"


class PathError(Exception):
    """A path that cannot be read; `problem` says why, `index` is that of the character."""

    def __init__(self, problem: Message | str, index: int) -> None:
        self.problem = problem
        self.index = index
        super().__init__(problem)


def parse_path(text: str) -> list[list[Point]]:
    """Parse the `d` of an SVG path to lines, curves to straight pieces; raise PathError if it cannot be read."""
    lines: list[list[Point]] = []
    current: Point = (0.0, 0.0)
    last: tuple[str, Point] = ("", current)  # the command and control point before, for S and T
    total = 0
    for letter, numbers, position in _iter_commands(text):
        kind, is_relative = letter.upper(), letter.islower()
        if kind == "Z":
            if lines:
                current = lines[-1][0]
            last = ("Z", current)
            continue
        if kind == "M":
            current = _to_absolute_point(current, numbers, is_relative)
            lines.append([current])
        elif not lines:
            raise PathError(_("the path does not begin with M"), position)
        else:
            if last[0] == "Z":
                lines.append([current])
            points, control = _compute_command_points(kind, numbers, current, is_relative, last)
            lines[-1] += points
            current = points[-1]
            last = (kind, control)
        if kind == "M":
            last = ("M", current)
        total += 1
        if total * _CURVE_STEPS > MAX_POINTS * _CURVE_STEPS or not _is_near(current):
            raise PathError(_("the path has too many points, or a point too far away"), position)
    return lines


def _is_near(point: Point) -> bool:
    return all(isfinite(value) and abs(value) <= FARTHEST for value in point)


class _PathCommand(NamedTuple):
    """A command of a path: its letter, its numbers, and the position of the letter in the text."""

    letter: str
    numbers: list[float]
    position: int


def _iter_commands(text: str) -> Iterator[_PathCommand]:
    """Yield each command of a path; a repeated command needs no letter. Raises PathError."""
    offset, letter, start = 0, "", 0
    pending_numbers: list[float] = []
    text = text.rstrip()
    while offset < len(text):
        token = _TOKEN.match(text, offset)
        if token is None:
            raise PathError(_("`{sign}` cannot occur in a path", sign=text[offset]), offset)
        if token[1]:
            if pending_numbers:
                raise PathError(_("a number is missing before `{sign}`", sign=token[1]), token.start(1))
            letter, start = token[1], token.start(1)
            if letter.upper() not in _NUMBERS:
                raise PathError(_("the command `{sign}` is not supported: use straight lines", sign=letter), start)
            if letter.upper() == "Z":
                yield _PathCommand(letter, [], start)
        else:
            if letter in ("", "z", "Z"):
                raise PathError(_("this number follows no command"), token.start(2))
            pending_numbers.append(float(token[2]))
            if len(pending_numbers) == _NUMBERS[letter.upper()]:
                yield _PathCommand(letter, pending_numbers, start)
                letter, pending_numbers = {"M": "L", "m": "l"}.get(letter, letter), []
        offset = token.end()
    if pending_numbers:
        raise PathError(_("a number is missing at the end"), len(text))


def _to_absolute_point(current: Point, numbers: list[float], is_relative: bool) -> Point:
    return (current[0] + numbers[0], current[1] + numbers[1]) if is_relative else (numbers[0], numbers[1])


def _compute_command_points(
    kind: str, numbers: list[float], current: Point, is_relative: bool, last: tuple[str, Point]
) -> tuple[list[Point], Point]:
    """Return the points that a path command adds, and the control point that a following `S` or `T` mirrors.

    `kind`: the upper-case letter of the command; `numbers`: its arguments, relative to `current` if `is_relative`;
    `current`: the point where it begins; `last`: letter and control point of the command before.
    """
    dx, dy = current if is_relative else (0.0, 0.0)
    if kind == "H":
        return [(numbers[0] + dx, current[1])], current
    if kind == "V":
        return [(current[0], numbers[0] + dy)], current
    pairs = [(numbers[n] + dx, numbers[n + 1] + dy) for n in range(0, len(numbers), 2)]
    if kind == "L":
        return pairs, current
    mirrored = (2 * current[0] - last[1][0], 2 * current[1] - last[1][1])
    if kind in "ST":
        same = ("C", "S") if kind == "S" else ("Q", "T")
        pairs = [mirrored if last[0] in same else current, *pairs]
    curve = [current, *pairs]
    return [_compute_curve_point(curve, n / _CURVE_STEPS) for n in range(1, _CURVE_STEPS + 1)], pairs[-2]


def _compute_curve_point(points: list[Point], share: float) -> Point:
    """Return the point of a Bézier curve at the parameter `share`, from 0 to 1 (de Casteljau's algorithm)."""
    while len(points) > 1:
        points = [(a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share) for a, b in pairwise(points)]
    return points[0]


def read_rings(node: Node | None, sink: Sink) -> Rings:
    """Return the closed lines of an outline, or () if it is missing or faulty (reported)."""
    rings = []
    for line in _read_lines(node, sink):
        ring = _drop_repeated_points(line)
        if len(ring) < _MIN_POINTS and node is not None:
            _report_problem(_("an outline needs three points or more"), node.span, sink)
            return ()
        rings.append(ring)
    return tuple(rings)


def read_lines(node: Node | None, sink: Sink) -> tuple[Line, ...]:
    """Return the open lines of a path or a list of points, or () if it is missing or faulty (reported)."""
    return tuple(tuple(line) for line in _read_lines(node, sink) if len(line) > 1)


def _drop_repeated_points(line: list[Point]) -> Line:
    points = [point for point, before in zip(line, [None, *line], strict=False) if point != before]
    return tuple(points[:-1] if len(points) > 1 and points[0] == points[-1] else points)


def _read_lines(node: Node | None, sink: Sink) -> list[list[Point]]:
    if isinstance(node, ScalarNode):
        try:
            return parse_path(node.text)
        except PathError as error:
            _report_problem(error.problem, _get_character_span(node, error.index), sink)
            return []
    if not isinstance(node, SequenceNode) or not node.items:
        return []
    first = node.items[0]
    is_line = isinstance(first, SequenceNode) and bool(first.items) and not isinstance(first.items[0], SequenceNode)
    lines = [node] if is_line else [item for item in node.items if isinstance(item, SequenceNode)]
    return [[read_point(pair) or (0.0, 0.0) for pair in line.items] for line in lines]


def _get_character_span(node: ScalarNode, index: int) -> Span:
    """Return the span of the character at `index` of a one-line text, else the span of the whole text."""
    span = node.span
    text = span.source.text[span.start : span.end]
    shift = text.find(node.text)
    if shift < 0 or index >= len(node.text):
        return span
    return Span(span.source, span.start + shift + index, span.start + shift + index + 1)


def _report_problem(problem: Message | str, span: Span, sink: Sink) -> None:
    cure = _('write points, [[10, 20], [80, 20], [40, 90]], or the path of a drawing program, "M10 20L80 20L40 90z"')
    sink.add_error(_CODE, problem, span, help=cure)
