"""Places beside the map as boxes in rows: each with its name and the counters that wait in it.

Must not know why they are there; an empty place has no box.
"""

from __future__ import annotations

from collections.abc import Sequence

from interpreter.model.ruleset import Ruleset, Thing
from interpreter.tools.handbook.value_words import label_words
from interpreter.tools.maps.counters import counter
from interpreter.tools.maps.geometry import Layout
from interpreter.tools.maps.looks import Looks
from interpreter.tools.maps.shapes import element, shortened, text_width, words
from interpreter.tools.maps.standing import Shown, Standing

_CELL = 44.0  # room of a counter
_COUNTER = 36.0
_COLUMNS = 12
_HEAD = 22.0
_EDGE = 6.0
_GAP = 12.0
_LETTERS = 40
_SIZE = 11.0


def boxes(ruleset: Ruleset, looks: Looks, layout: Layout, shown: Shown, width: float, lang: str) -> tuple[str, float]:
    """The boxes in rows no wider than this, their upper left corner at (0, 0), and how high they are."""
    places = ruleset.kinds["place"].things
    x = y = lowest = 0.0
    parts = []
    for handle, here in shown.beside.items():
        wide, high = _size(places[handle], here, lang)
        if x and x + wide > width:
            x, y = 0.0, lowest + _GAP
        parts.append(_box(places[handle], here, (x, y, wide, high), layout, looks, ruleset, lang))
        lowest = max(lowest, y + high)
        x += wide + _GAP
    return "".join(parts), lowest


def _columns(here: Sequence[Standing]) -> int:
    return min(len(here), _COLUMNS)


def _title(place: Thing, lang: str) -> str:
    return shortened(label_words(place.label, lang) or place.id, _LETTERS)


def _size(place: Thing, here: Sequence[Standing], lang: str) -> tuple[float, float]:
    rows = -(-len(here) // _COLUMNS)
    wide = max(_columns(here) * _CELL, text_width(_title(place, lang), _SIZE)) + 2 * _EDGE
    return wide, _HEAD + rows * _CELL + _EDGE


def _box(
    place: Thing,
    here: Sequence[Standing],
    box: tuple[float, float, float, float],
    layout: Layout,
    looks: Looks,
    ruleset: Ruleset,
    lang: str,
) -> str:
    x, y, wide, high = box
    parts = [
        element("rect", x=x, y=y, width=wide, height=high, rx=6, fill="#f1ecdb", stroke="#8a8676", stroke_width=0.8),
        words(
            _title(place, lang), x + _EDGE, y + 15, _SIZE, text_anchor="start", font_weight="bold", class_="box-name"
        ),
    ]
    for n, one in enumerate(here):
        at = (x + _EDGE + (n % _COLUMNS + 0.5) * _CELL, y + _HEAD + (n // _COLUMNS + 0.5) * _CELL)
        parts.append(counter(one, at, _COUNTER, layout, looks, ruleset, lang))
    return element("g", parts, class_="box", data_place=place.id)
