"""The drawing of a map of areas: outlines, lettering, landscape and furniture that an author states.

Looks only; nothing here affects play. Coordinates are pixels of the sheet, x to the right, y downwards.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

Point = tuple[float, float]
Line = tuple[Point, ...]
Rings = tuple[Line, ...]  # closed lines; the last point joins the first

USUAL_SIZE = 16  # of letters, in pixels
USUAL_RADIUS = 60  # of a compass rose, in pixels


class SizedPoint(NamedTuple):
    """A point where a sign is drawn, with the size of the sign in percent."""

    x: int
    y: int
    size: int


@dataclass(frozen=True, slots=True)
class Lettering:
    """A text set evenly on a curve from `start` to `end`, whose middle rises by `bend` pixels.

    An empty `text` means the name of the area.
    """

    start: Point
    end: Point
    bend: int = 0
    size: int = USUAL_SIZE
    text: Mapping[str, str] = field(default_factory=dict)
    is_water: bool = False


@dataclass(frozen=True, slots=True)
class AreaStyle:
    """Drawing of one area.

    `rings` is the outline, () to let the renderer choose one. `counters` is the box (left, top, right, bottom) for
    counters, `site` the point of the area's town and figures, with the `side` (n, e, s, w) on which they are written.
    """

    rings: Rings = ()
    colour: str = ""
    lettering: tuple[Lettering, ...] = ()
    counters: tuple[int, int, int, int] | None = None
    site: Point | None = None
    side: str = ""


@dataclass(frozen=True, slots=True)
class Town:
    """A place of no importance to play, drawn as a ring with its name on one side (n, e, s, w)."""

    at: Point
    name: Mapping[str, str]
    side: str = ""


@dataclass(frozen=True, slots=True)
class Landscape:
    """Surroundings of the areas: out-of-play land and water, rivers, hills, woods and towns.

    `lines` are thin lines over land and water, such as meridians.
    """

    lands: tuple[Rings, ...] = ()
    waters: tuple[Rings, ...] = ()
    lakes: tuple[Rings, ...] = ()
    rivers: tuple[Line, ...] = ()
    lines: tuple[Line, ...] = ()
    hills: tuple[SizedPoint, ...] = ()
    woods: tuple[tuple[int, int], ...] = ()
    marshes: tuple[tuple[int, int], ...] = ()
    ships: tuple[SizedPoint, ...] = ()
    towns: tuple[Town, ...] = ()
    names: tuple[Lettering, ...] = ()


@dataclass(frozen=True, slots=True)
class ScaleBar:
    """A scale bar: `length` pixels are `distance` of a `unit`."""

    length: int
    distance: int
    unit: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Compass:
    """A compass rose: its centre `at`, its radius `size`, and how far it is `turned` clockwise, in degrees."""

    at: Point
    size: int = USUAL_RADIUS
    turned: int = 0


@dataclass(frozen=True, slots=True)
class SheetStyle:
    """Sheet on which areas are drawn; every field is optional.

    `ticks` maps a side (top, right, bottom, left) to numbers and their pixels along it; `cartouche` is the upper left
    corner of the panel with title and key.
    """

    size: Point | None = None
    title: Mapping[str, str] = field(default_factory=dict)
    subtitle: Mapping[str, str] = field(default_factory=dict)
    cartouche: Point | None = None
    compass: Compass | None = None
    scale: ScaleBar | None = None
    ticks: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class AreaMap:
    """Everything an author states of a map of areas; `areas` by place handle, `straits` by link handle.

    `badges` maps an attribute that is written on areas to its form: "shield", "wreath" or "city".
    """

    sheet: SheetStyle = SheetStyle()
    areas: Mapping[int, AreaStyle] = field(default_factory=dict)
    landscape: Landscape = Landscape()
    straits: Mapping[int, Line] = field(default_factory=dict)
    badges: Mapping[str, str] = field(default_factory=dict)
