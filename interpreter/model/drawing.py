"""How a map is drawn: what an author says of colours, lines, counters and positions.

Only looks: nothing here may matter to play. What a look hangs on is the name of an attribute, or the key of an
expression (`ruleset.Worded`), which has a full stop in it; the values that have looks stand as documents write
them: ids, rungs, words, numbers, true and false. Must not know YAML nor any picture format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class FillStyle:
    """How a space with a value is filled. `colour` is "#rrggbb"; '' leaves the choice to the drawing.

    `mark` is the one character that stands for it where only characters can be drawn, `name` what people read of it,
    empty where the value's own name does.
    """

    colour: str = ""
    pattern: str = ""
    mark: str = ""
    name: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineStyle:
    """How a link is drawn: along the side two spaces share, through it from middle to middle, or
    as a mark over it. `width` in pixels, 0 leaves the choice to the drawing.
    """

    course: str = ""
    colour: str = ""
    width: int = 0
    stroke: str = ""


@dataclass(frozen=True, slots=True)
class LinkStyle:
    """The lines for what hangs on one thing: one for each value, else `line` for any that is not nothing.

    `name` is what people read of it, empty where the attribute's own name does.
    """

    line: LineStyle
    values: Mapping[str, LineStyle] = field(default_factory=dict)
    name: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CounterStyle:
    """What the counters of a class show.

    `owner`, `arrow`, `sign_by` and `band_by` say what looks hang on, '' for none. `angles` gives for a value of
    `arrow` the degrees clockwise from the top of the map; `numbers` the attributes written below, and the
    keys of words with holes (`ruleset.Worded`); `signs` the sign for each value of `sign_by`, `sign` that
    of all others; `bands` the colour of the stripe for each value of `band_by`; `names` what people call `sign_by`
    and `band_by` where it is stated.
    """

    owner: str = ""
    arrow: str = ""
    angles: Mapping[str, int] = field(default_factory=dict)
    numbers: tuple[str, ...] = ()
    sign: str = ""
    sign_by: str = ""
    signs: Mapping[str, str] = field(default_factory=dict)
    band_by: str = ""
    bands: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """What is drawn in each space of which something holds: a sign, or words.

    `when` is the key of the expression that tells (`ruleset.Worded`), `attribute` the attribute it names, '' where
    it says more; `text` the key of the words, '' for none. `mark` stands for it where only characters can be drawn.
    """

    when: str
    attribute: str = ""
    sign: str = ""
    text: str = ""
    colour: str = ""
    mark: str = ""
    name: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MapDrawing:
    """What is said about the drawing of a map; everything left out is chosen by the drawing itself.

    `fill` says what the colour of places hangs on, `fill_name` what people call that, `looks` the look of each of its
    values, `numbers` what is written on the space, as on counters, `marks` what is drawn in it side by side;
    `sides` is colour by side handle, `positions` (x, y) in pixels by place handle, y downwards.
    """

    fill: str = ""
    fill_name: Mapping[str, str] = field(default_factory=dict)
    looks: Mapping[str, FillStyle] = field(default_factory=dict)
    numbers: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    links: Mapping[str, LinkStyle] = field(default_factory=dict)
    sides: Mapping[int, str] = field(default_factory=dict)
    counters: Mapping[str, CounterStyle] = field(default_factory=dict)
    positions: Mapping[int, tuple[int, int]] = field(default_factory=dict)
