"""The turns of a scenario in a row of fields, the present one framed and pointed at.

Must not know what happens in a turn.
"""

from __future__ import annotations

from collections.abc import Mapping

from interpreter.tools.maps.shapes import INK, element, lines, path, words
from interpreter.words.speech import ENGLISH, Say

_FIELD = (74.0, 42.0)
_POINTER = 9.0
_MOST = 60  # turns; a longer row is not drawn


def turns_row(turns: range, now: int, titles: Mapping[int, str], width: float, say: Say = ENGLISH) -> tuple[str, float]:
    """The fields in rows no wider than this, its upper left corner at (0, 0), and how high it is; nothing for none."""
    if not turns or len(turns) > _MOST:
        return "", 0.0
    columns = max(1, int(width // _FIELD[0]))
    rows = -(-len(turns) // columns)
    parts = [
        _field(
            turn,
            say("turn {number}", number=turn),
            turn == now,
            titles.get(turn, ""),
            (n % columns) * _FIELD[0],
            (n // columns) * _row(),
        )
        for n, turn in enumerate(turns)
    ]
    # the present one last: its frame lies over its neighbours'
    parts.sort(key=lambda part: 'data-now="yes"' in part)
    return element("g", parts, class_="turns"), rows * _row()


def _row() -> float:
    return _FIELD[1] + _POINTER


def _field(turn: int, name: str, is_now: bool, title: str, x: float, y: float) -> str:
    wide, high = _FIELD
    top, middle = y + _POINTER, x + wide / 2
    parts = [
        element(
            "rect",
            x=x,
            y=top,
            width=wide,
            height=high,
            fill="#fff3bf" if is_now else "#f1ecdb",
            stroke=INK if is_now else "#8a8676",
            stroke_width=2.4 if is_now else 0.8,
        ),
        words(name, middle, top + (14.0 if title else 26.0), 11.5, font_weight="bold"),
    ]
    if title:
        parts.append(lines(title, middle, top + 29, (wide - 6, 22.0), 9.5))
    if is_now:
        points = [(middle - 7, y), (middle + 7, y), (middle, y + _POINTER)]
        parts.append(element("path", d=path(points, True), fill=INK))
    return element("g", parts, class_="turn", data_turn=turn, data_now="yes" if is_now else None)
