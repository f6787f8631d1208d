"""Line chart of values over the course of a game, as SVG; lines differ by colour, dashes and markers.

Readable in black and white, and on light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import floor, log10

from interpreter.diagnostics.svg_markup import element, escape, sanitize_text
from interpreter.diagnostics.terminal_text import cell_width
from interpreter.i18n.number_format import number_text

_WIDE, _HIGH = 900.0, 320.0
_LEFT, _RIGHT, _TOP, _LOW = 52.0, 190.0, 18.0, 36.0
# a palette safe for colour-blind readers
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
_DASHES = ("", "9 5", "2 5", "12 4 2 4", "5 3", "1 3")
_LINE = 17.0  # vertical distance between two labels at the right
_CELL = 8.5  # width of a letter
_LETTERS = 18

Values = Sequence[Fraction]


def draw_line_chart(lines: Mapping[str, Values], turns: Mapping[int, str]) -> str:
    """Draw named lines with one value per decision, including the start; `turns` labels the start of each turn."""
    last = max((len(values) for values in lines.values()), default=1) - 1
    steps = _steps(lines.values())
    low, high = steps[0], steps[-1]

    def x_of(decision: int) -> float:
        return _LEFT + (_WIDE - _LEFT - _RIGHT) * decision / max(1, last)

    def y_of(value: Fraction) -> float:
        return _HIGH - _LOW - (_HIGH - _LOW - _TOP) * float((value - low) / ((high - low) or 1))

    parts = [_grid(number_text(step), y_of(step)) for step in steps]
    end = 0.0  # right end of the last label
    for decision, name in turns.items():
        x = x_of(decision)
        parts.append(element("path", class_="tick", d=f"M{x:.1f} {_TOP:.1f}V{_HIGH - _LOW:.1f}"))
        if x >= end:
            parts.append(_text(name, x + 2, _HIGH - _LOW + 18, "start"))
            end = x + cell_width(name) * _CELL
    names = _label_positions({name: y_of(values[-1]) for name, values in lines.items() if values})
    for n, (name, values) in enumerate(lines.items()):
        if values:
            points = [(x_of(decision), y_of(value)) for decision, value in enumerate(values)]
            parts.append(_series(n, name, points, number_text(values[-1]), names[name]))
    size = {"viewBox": f"0 0 {_WIDE:.0f} {_HIGH:.0f}", "width": f"{_WIDE:.0f}", "height": f"{_HIGH:.0f}"}
    return element("svg", parts, class_="curve", role="img", **size, font_size="13")


def _steps(lines: Iterable[Values]) -> list[Fraction]:
    """Return round axis values from below the minimum to above the maximum."""
    values = [value for line in lines for value in line]
    low, high = min([*values, Fraction()]), max([*values, Fraction(1)])
    rough = float(high - low) / 5
    unit = Fraction(10) ** floor(log10(rough))
    step = next(unit * k for k in (1, 2, 5, 10) if unit * k >= Fraction(rough))
    step = max(step, Fraction(1)) if all(v.denominator == 1 for v in values) else step
    first, last = floor(low / step), -floor(-high / step)
    return [step * n for n in range(first, last + 1)]


def _grid(text: str, y: float) -> str:
    line = element("path", class_="grid", d=f"M{_LEFT:.1f} {y:.1f}H{_WIDE - _RIGHT:.1f}")
    return line + _text(text, _LEFT - 7, y + 4.5, "end")


def _label_positions(ends: Mapping[str, float]) -> dict[str, float]:
    """Return the vertical positions of the labels at the right: at the ends of their lines, without overlaps."""
    positions: dict[str, float] = {}
    y = -_LINE
    for name, wanted in sorted(ends.items(), key=lambda end: (end[1], end[0])):
        y = positions[name] = max(wanted, y + _LINE)
    over = max(0.0, y - (_HIGH - 8))
    return {name: y - over for name, y in positions.items()}


def _series(number: int, name: str, points: Sequence[tuple[float, float]], last: str, label: float) -> str:
    colour, dash = _COLOURS[number % len(_COLOURS)], _DASHES[number % len(_DASHES)]
    way = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for (_, before), (x, y) in zip(points, points[1:], strict=False):
        if y != before:
            way.append(f"H{x:.1f}V{y:.1f}")
    way.append(f"H{points[-1][0]:.1f}")
    x, y = points[-1]
    shown = name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"
    line = {"fill": "none", "stroke": colour, "stroke_width": "3", "stroke_dasharray": dash or None}
    parts = [
        element("path", **line, d="".join(way)),
        _mark(number, x, y, colour),
        element("path", class_="tick", d=f"M{x + 6:.1f} {y:.1f}L{x + 14:.1f} {label:.1f}"),
        _text(f"{shown} {last}", x + 18, label + 4.5, "start"),
    ]
    return element("g", parts, class_="line")


def _mark(number: int, x: float, y: float, colour: str) -> str:
    """Draw the marker at the end of a line, with a shape per line number."""
    r = 5.0
    corners = {
        1: [(-r, -r), (r, -r), (r, r), (-r, r)],
        2: [(0, -r - 1), (r + 1, r), (-r - 1, r)],
        3: [(0, -r - 1), (r + 1, 0), (0, r + 1), (-r - 1, 0)],
    }.get(number % 4)
    if corners is None:
        return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=str(r), fill=colour)
    way = "L".join(f"{x + a:.1f} {y + b:.1f}" for a, b in corners)
    return element("path", d=f"M{way}Z", fill=colour)


def _text(text: str, x: float, y: float, anchor: str) -> str:
    return element("text", escape(sanitize_text(text)), x=f"{x:.1f}", y=f"{y:.1f}", text_anchor=anchor)
