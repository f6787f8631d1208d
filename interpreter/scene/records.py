"""What a scene is made of: records of texts, numbers and ids, in one language and for one seat.

Texts are finished sentences for people. Ids are those of the ruleset; lengths are those of the map's drawing, y
downwards, angles degrees clockwise from the top. Must not hold anything that is no plain data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place of the ruleset. `kind`: "space" of a grid, "area" on the map, or "box" off the map.

    `shape`: corners from the middle, () for a box; `neighbours`: direction -> id on a grid, else id -> id. `order`:
    how far along it is when the map is read row by row. `ground`: what is drawn of it and its sides, in words, as far
    as that never changes; '' for nothing.
    """

    id: str
    name: str
    kind: str
    middle: tuple[float, float]
    shape: tuple[tuple[float, float], ...]
    neighbours: Mapping[str, str]
    order: int
    ground: str = ""


@dataclass(frozen=True, slots=True)
class Still:
    """What of a game's scenes stays the same: map, charts and rules of one ruleset, in one language."""

    ruleset: str
    title: str
    about: str
    language: str
    languages: tuple[str, ...]
    size: tuple[float, float]
    places: tuple[ShownPlace, ...]
    sides: tuple[ShownSide, ...]
    charts: tuple[tuple[str, str], ...]
    rules: tuple[tuple[str, str], ...]
    reconstructed: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownSide:
    """A side with its colour on counters, and its letter."""

    id: str
    name: str
    colour: str
    letter: str


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A counter: one piece, or several that are alike in one place.

    `id` is that of one of them, `members` those of all. `name` stands on it, `spoken` tells all that it shows.
    `at` and `size` where it stands on the map: its middle and the length of its sides, None off the map. `turned`: the
    angle of its arrow, None for none. `drawn`: its picture, SVG around (0, 0) with sides of the length 44. `orderable`:
    an option names it.
    """

    id: str
    place: str
    side: str
    name: str
    short: str
    count: int
    members: tuple[str, ...]
    spoken: str
    at: tuple[float, float] | None
    size: float
    turned: float | None
    sign: str
    drawn: str
    orderable: bool


@dataclass(frozen=True, slots=True)
class ShownOption:
    """Something that may be chosen now. `key` chooses it; `pieces` (ids of counters) and `places` it names.

    `path`: the places on its way, the last one its end. `cost` as people write it, '' for none. `heading`: the
    number of the group under which it is listed.
    """

    key: str
    label: str
    name: str
    pieces: tuple[str, ...]
    places: tuple[str, ...]
    path: tuple[str, ...]
    cost: str
    cite: tuple[str, ...]
    heading: int


@dataclass(frozen=True, slots=True)
class Heading:
    """Over options that belong together: `by` "piece", "place" or "verb", with its id, and its title ('' for none)."""

    by: str
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """What is asked: of whom, in words, with what may be chosen; `about`: the counters of which it is asked."""

    side: str
    seat: str
    prompt: str
    cite: tuple[str, ...]
    is_draft: bool
    options: tuple[ShownOption, ...]
    headings: tuple[Heading, ...]
    about: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log. `kind`: "turn", "phase", "choice", "roll", "move", "change", "event" or "note"."""

    number: int
    kind: str
    text: str
    cite: tuple[str, ...]
    side: str = ""
    places: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TakingBack:
    """What can be taken back, in words; `horizon`: what has come out since, () where nothing has."""

    text: str
    horizon: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """A value that stands beside the map, in words, on step `at` of `steps`, from 0; without a track both are 0."""

    text: str
    steps: int
    at: int


@dataclass(frozen=True, slots=True)
class TrackSheet:
    """The tracks of the game, in one row without a name, or of the things of a `kind`: a row for each, by id and name.

    A row has a track, or None, for each of `columns`. `folds`: there is more to be seen at first than this.
    """

    kind: str
    title: str
    folds: bool
    columns: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[Track | None, ...]], ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """Where the game stands, as one seat is shown it.

    `version` changes with every choice, undo and redo. `ground` names the drawing of the map as it is now. `waiting`
    says for whom the seat waits; `log_from` is the number of the first line in `log`; `last_places` are those that
    the log has named since the last choice. `track`: the turns that are known beforehand, by number with their names;
    `choices`: how many have been made, after each of which the game can be looked at.
    """

    version: str
    heading: str
    turn: int
    phase: str
    ground: str
    seat: str
    may_choose: bool
    waiting: str
    pieces: tuple[ShownPiece, ...]
    decision: ShownDecision | None
    log: tuple[LogLine, ...]
    log_from: int
    standing: tuple[str, ...]
    tracks: tuple[TrackSheet, ...]
    scores: tuple[tuple[str, str], ...]
    track: tuple[tuple[int, str], ...]
    choices: int
    undo: TakingBack | None
    redo: bool
    outcome: tuple[str, ...]
    last_places: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A line of an answer: words, the paragraphs it rests on, how many steps it is set in.

    `cells`: its parts where it is a row of a table; of rows that follow each other the first is the head.
    """

    text: str
    cite: tuple[str, ...] = ()
    depth: int = 0
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What was asked, told: a title, and lines."""

    title: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """One sheet of a chart: heads of its rows and columns, and the cells row by row.

    `title` tells which sheet it is; `across` and `down` what the heads are of; `lit`: (row, column) of marked cells.
    """

    title: str
    across: str
    down: str
    heads: tuple[str, ...]
    sides: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    lit: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class ChartAnswer:
    """A chart with what is lit in it and why; `reconstructed`: it is ours, not the printed one."""

    title: str
    cite: tuple[str, ...]
    reconstructed: bool
    grids: tuple[Grid, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """A way to somewhere before it is taken: the keys that take it one after another, and all that is known of it.

    `path`: the places on it; `dice`: the rolls on it, in words.
    """

    keys: tuple[str, ...]
    label: str
    path: tuple[str, ...]
    cost: str
    dice: tuple[str, ...]
    cite: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """What may come of an option, in few lines: what charts would be read, who is likely to lose something."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overlay:
    """Something that the rules know of places or counters, to be laid over the map.

    `marks`: (place, words, sides that it belongs to); `lines`: (place, place) of what leads from one to another.
    `asks_piece`: nothing can be told of it before a counter is pointed out; `explains`: why not can be asked too.
    """

    id: str
    title: str
    cite: tuple[str, ...]
    marks: tuple[tuple[str, str, tuple[str, ...]], ...]
    lines: tuple[tuple[str, str], ...]
    asks_piece: bool = False
    explains: bool = False


@dataclass(frozen=True, slots=True)
class Sighting:
    """Whether a rule holds between a counter and a place; where not, why, and `through`: the places in the way."""

    holds: bool
    lines: tuple[Line, ...]
    through: tuple[str, ...]
