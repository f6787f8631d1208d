"""The drawing of a map: colours, lines, counters and positions that an author chooses.

Looks only; nothing here affects play. A look depends on an attribute, given by its name, or on an expression, given by
its key (`ruleset.Worded`), which contains a full stop. The values that have looks are spelled as in documents: ids,
rungs, words, numbers, true and false. Independent of YAML and of picture formats.

Pictures of the author's own, scans of a map and of counters, are files in the ruleset's folder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from interpreter.model.area_drawing import AreaMap

_Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class FillStyle:
    """Fill of a space for one value. `colour` is "#rrggbb"; '' leaves the choice to the renderer.

    `pattern` names what is drawn over the colour, such as "dots". `mark` is the one character shown in text output,
    `name` the displayed name by language, {} to use the value's name. `style` names the way in which the ground is
    painted; `dark` is the colour on a dark map, '' to derive it.
    """

    colour: str = ""
    pattern: str = ""
    mark: str = ""
    name: Mapping[str, str] = field(default_factory=dict)
    style: str = ""
    dark: str = ""


@dataclass(frozen=True, slots=True)
class LineStyle:
    """Line of a link: along the shared side of two spaces, through it between centres, or as a mark over it.

    `course` is "along", "through" or "over" accordingly; `stroke` is "solid", "dashed", "dotted" or "border" (dashes
    and dots). `width` is in pixels; 0 leaves the choice to the renderer. `style` names the way in which the line is
    painted; `source` is a river's width at its source, and `flows` the direction to its mouth.
    """

    course: str = ""
    colour: str = ""
    width: int = 0
    stroke: str = ""
    style: str = ""
    dark: str = ""
    source: int = 0
    flows: str = ""


def get_default_course(style: str) -> str:
    """Return the course of a line on a grid if the drawing states the style of the line, but no course."""
    if style in ("road", "track", "rail"):
        return "through"
    return "over" if style in ("bridge", "ford") else "along"


@dataclass(frozen=True, slots=True)
class LinkStyle:
    """The line styles for one attribute or expression of links, by value.

    `line` applies to all other values that are not empty. `name` is the displayed name by language, {} to use that
    of the attribute; `inscription`, by language, is written along the line.
    """

    line: LineStyle
    values: Mapping[str, LineStyle] = field(default_factory=dict)
    name: Mapping[str, str] = field(default_factory=dict)
    inscription: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MarkerStyle:
    """A condition shown on a counter.

    `sign`: the name of its sign; `letter`: the letter on its badge; `colour`: the colour of its badge. `name`: its
    displayed name by language, {} to use the name of the value.
    """

    sign: str = ""
    letter: str = ""
    colour: str = ""
    name: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MarkerGroup:
    """The markers for the values of one attribute or expression of pieces.

    `by`: the attribute, or the key of the expression; `looks`: the marker of each value, values left out show none;
    `name`: the displayed name of the group by language.
    """

    by: str
    looks: Mapping[str, MarkerStyle]
    name: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CounterStyle:
    """Content and look of the counters of a class.

    `owner`, `arrow`, `sign_by` and `band_by` name the attribute or expression that a look depends on, '' for none.
    `angles` maps values of `arrow` to degrees clockwise from the top of the map; `numbers` lists the attributes, or
    keys of text templates (`ruleset.Worded`), printed below; `signs` maps values of `sign_by` to signs, with `sign`
    for all others; `bands` maps values of `band_by` to the colour of the stripe; `names` holds the displayed names of
    `sign_by`, `band_by` and single numbers if given. `frames` maps numbers to the frame drawn around them. `form` is ""
    for a square counter, or "medal". `steps` and `full_steps` name the attributes that hold the steps left and all
    steps; `markers` is None to choose markers for the conditions that the class has. `pictures` are scans that replace
    the drawn face.
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
    frames: Mapping[str, str] = field(default_factory=dict)
    form: str = ""
    steps: str = ""
    full_steps: str = ""
    markers: tuple[MarkerGroup, ...] | None = None
    pictures: CounterPictures | None = None


@dataclass(frozen=True, slots=True)
class MapScale:
    """The scale of a grid: the distance `across` a space, and the name of its `unit` by language."""

    across: int
    unit: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign or text drawn in each space that satisfies a condition.

    `when` is the key of the condition (`ruleset.Worded`), `attribute` the attribute it names, '' for a larger
    expression; `text` the key of the text, '' for none. `mark` is the character shown in text output.
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
    """The author's specification of a map drawing; the renderer chooses everything else.

    `fill` names what the colour of places depends on, `fill_name` is its displayed name, `looks` maps its values to
    styles. `numbers` lists what is printed on the space, as on counters; `marks` what is drawn in it side by side.
    `sides` maps side handles to colours, `positions` place handles to (x, y) in pixels, with y downwards. `holder`
    names the attribute of places that holds the side in whose colour their numbers are drawn; `north` is the bearing of
    north in degrees clockwise from the top. `area_map` is what is stated of a map without a grid, `background` a
    scanned map below the spaces.
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
    holder: str = ""
    scale: MapScale | None = None
    north: int = 0
    area_map: AreaMap = AreaMap()
    background: Background | None = None

    @property
    def has_pictures(self) -> bool:
        """Return True if the drawing names pictures, whose files are not part of the documents."""
        return any(True for _picture in self.iter_pictures())

    def iter_pictures(self) -> Iterator[PictureFile]:
        """Yield the scanned map and the scans of counters."""
        if self.background is not None:
            yield self.background.picture
        yield from self.iter_counter_pictures()

    def iter_counter_pictures(self) -> Iterator[PictureFile]:
        """Yield the scans of counters."""
        for style in self.counters.values():
            if style.pictures is not None:
                yield from style.pictures.iter_files()

    def with_pictures(self, change: Callable[[PictureFile], PictureFile]) -> MapDrawing:
        """Return the drawing with each picture changed."""
        background = self.background and replace(self.background, picture=change(self.background.picture))
        counters = {
            name: replace(style, pictures=style.pictures.replace_scans(change)) if style.pictures is not None else style
            for name, style in self.counters.items()
        }
        return replace(self, background=background, counters=counters)


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture that was found and recognized: its name in the folder, its file, its kind and its size in pixels.

    `kind` is "png", "jpeg", "gif" or "webp". `content` is set where files are not available, as in a browser.
    """

    name: str
    path: str
    kind: str
    size: tuple[int, int]
    content: bytes | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class CalibrationPoint:
    """A calibration point: a pixel of the scan, and the place or sheet point that it shows."""

    at: _Point
    place: int | None = None
    on: _Point | None = None


@dataclass(frozen=True, slots=True)
class Background:
    """A scanned map below the spaces. Without reference points it is placed at the upper left corner, unscaled.

    `has_grid`: the outlines of the spaces are drawn over it.
    """

    picture: PictureFile
    points: tuple[CalibrationPoint, ...] = ()
    has_grid: bool = False


@dataclass(frozen=True, slots=True)
class CounterPictures:
    """The scans of the counters of a class.

    `usual`: one for all; `values`: by the value of the attribute or expression `by`; `pieces`: by the piece's handle.
    """

    usual: PictureFile | None = None
    by: str = ""
    values: Mapping[str, PictureFile] = field(default_factory=dict)
    pieces: Mapping[int, PictureFile] = field(default_factory=dict)

    def iter_files(self) -> Iterator[PictureFile]:
        """Yield the scans."""
        yield from ([self.usual] if self.usual is not None else [])
        yield from self.values.values()
        yield from self.pieces.values()

    def replace_scans(self, change: Callable[[PictureFile], PictureFile]) -> CounterPictures:
        """Return a copy with each scan replaced by `change(scan)`."""
        values = {name: change(picture) for name, picture in self.values.items()}
        pieces = {handle: change(picture) for handle, picture in self.pieces.items()}
        return CounterPictures(None if self.usual is None else change(self.usual), self.by, values, pieces)
