"""Records of a view: texts, numbers and ids in one language and for one seat.

Texts are finished sentences for people. Ids are those of the ruleset. Lengths are those of the map's drawing, y
downwards, angles in degrees clockwise from the top. Only plain data is allowed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class ShownPlace:
    """A place of the ruleset. `kind`: "space" of a grid, "area" on the map, or "box" off the map.

    `middle`: its centre. `shape`: corners relative to the centre, () for a box; `neighbours`: direction -> id on a
    grid, else id -> id. `order`: its number when the map is read row by row; water precedes land that may overlap it.
    `ground`: what is permanently drawn in it and on its sides, in words; '' for nothing. `outline`: the SVG path of an
    area with an outline of its own, '' for other spaces; `shape` is then the box around it.
    """

    id: str
    name: str
    kind: str
    middle: tuple[float, float]
    shape: tuple[tuple[float, float], ...]
    neighbours: Mapping[str, str]
    order: int
    ground: str = ""
    outline: str = ""


class ShownNameSpot(NamedTuple):
    """A spot for a name: the middle of its baseline, and the SVG path that it follows ('' for none).

    `covering`: the places whose counters would cover it.
    """

    x: float
    y: float
    path: str
    covering: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownMapName:
    """A name on the painted map: its text, CSS classes, font size and spacing of letters, and its spots, best first."""

    text: str
    look: str
    size: float
    spacing: float
    spots: tuple[ShownNameSpot, ...]


@dataclass(frozen=True, slots=True)
class StaticView:
    """The part of a game's view that never changes: map, charts and rules of one ruleset, in one language.

    `ruleset`: its id; `languages`: all languages that it has. `size`: width and height of the map in pixels. `charts`:
    (id, name) of each; `rules`: (number, title) of each paragraph. `reconstructed`: lines that name the data that was
    not in the printed game.
    """

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
    """A side with its counter colour and its letter."""

    id: str
    name: str
    colour: str
    letter: str


@dataclass(frozen=True, slots=True)
class ShownPiece:
    """A counter: one piece, or several interchangeable pieces at one place.

    `id` is the id of one of them, `members` those of all. `name` is printed on it, `label` is that name with the number
    of pieces, `tip` the label with figures and conditions ('' without figures), `spoken` describes all that it shows.
    `short`: its short form; `sign`: the name of its sign, '' for none. `at` and `size`: the centre and side length on
    the map, `at` is None off the map. `turned`: the angle of its arrow, None for no arrow. `drawn`: its picture, SVG
    around (0, 0) with sides of length 44. `orderable`: an option names it. `figures`: the values printed on it, in
    their order, as (name, text); `conditions`: those it has markers for, as (letter, words). `depth`: how many counters
    of its pile lie above it; `is_rider`: a leader on the edge of a pile.
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
    figures: tuple[tuple[str, str], ...] = ()
    conditions: tuple[tuple[str, str], ...] = ()
    depth: int = 0
    is_rider: bool = False
    label: str = ""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class ShownOption:
    """An option that may be chosen now: `key` chooses it; it names `pieces` (ids of counters) and `places`.

    `label`: the whole option in one line; `title` and `detail` are its two parts. `path`: the places on its path, the
    last one its end. `cost`: formatted, '' for none. `heading`: the index of the heading under which it is listed.
    `angle`: the facing it gives a counter, in degrees clockwise from the top, or None. `number`: how many of a
    counter's pieces it takes, 0 if it names no such number.
    """

    key: str
    label: str
    title: str
    detail: str
    name: str
    pieces: tuple[str, ...]
    places: tuple[str, ...]
    path: tuple[str, ...]
    cost: str
    cite: tuple[str, ...]
    heading: int
    angle: float | None = None
    number: int = 0


@dataclass(frozen=True, slots=True)
class OptionHeading:
    """The heading of a group of options: `by` is "piece", "place" or "verb", with its id and title ('' for none)."""

    by: str
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """The pending decision.

    `side`, `seat`: ids of those that decide; `prompt`: the question; `is_draft`: it is answered step by step;
    `headings`: the titles of groups of options; `about`: the counters that the question names. `progress`: for a series
    of orders (pieces that can no longer be ordered, pieces that could be at its beginning); () if they cannot be
    counted.
    """

    side: str
    seat: str
    prompt: str
    cite: tuple[str, ...]
    is_draft: bool
    options: tuple[ShownOption, ...]
    headings: tuple[OptionHeading, ...]
    about: tuple[str, ...] = ()
    progress: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log; `kind` is "turn", "phase", "choice", "roll", "move", "change", "event" or "note".

    `choice`: the number of the choice it belongs to, from 1, or 0 before the first one.
    """

    number: int
    kind: str
    text: str
    cite: tuple[str, ...]
    side: str = ""
    places: tuple[str, ...] = ()
    pieces: tuple[str, ...] = ()
    choice: int = 0


@dataclass(frozen=True, slots=True)
class UndoInfo:
    """The choice that can be undone, in words; `horizon`: what was revealed after it, () for nothing."""

    text: str
    horizon: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Track:
    """A value shown beside the map, at step `at` of `steps`, counted from 0; without a track both are 0."""

    text: str
    steps: int
    at: int


class TrackRow(NamedTuple):
    """The tracks of one thing, with its id and name ('' for the game); a track or None for each column."""

    id: str
    name: str
    tracks: tuple[Track | None, ...]


@dataclass(frozen=True, slots=True)
class TrackSheet:
    """The tracks of the game in one unnamed row, or of each thing of a `kind` in a row of its own.

    `columns`: the headings. `folds`: the sheet is collapsed at first.
    """

    kind: str
    title: str
    folds: bool
    columns: tuple[str, ...]
    rows: tuple[TrackRow, ...]


@dataclass(frozen=True, slots=True)
class DynamicView:
    """The current position as shown to one seat.

    `version` changes with every choice, undo and redo. `painting`, `ground` and `marks` name the drawings of the map
    from bottom to top, '' for none: what seldom changes, what may change below the counters, and what is above them.
    `may_choose`: the viewer decides; otherwise `waiting` says which seat the viewer waits for. `standing`: the values
    of the game and the sides, as lines; `scores`: (name of the seat, score). `outcome`: the result of a finished game,
    as lines; `notices`: faults and other remarks, as lines. `log_from` is the number of the first line in `log`;
    `last_places` are the places the log has named since the last choice. `track`: the turns known in advance, by number
    with their names; `choices`: the number of choices made; the game can be viewed as it was after each.
    """

    version: str
    heading: str
    turn: int
    phase: str = ""
    painting: str = ""
    ground: str = ""
    marks: str = ""
    seat: str = ""
    may_choose: bool = False
    waiting: str = ""
    pieces: tuple[ShownPiece, ...] = ()
    decision: ShownDecision | None = None
    log: tuple[LogLine, ...] = ()
    log_from: int = 0
    standing: tuple[str, ...] = ()
    tracks: tuple[TrackSheet, ...] = ()
    scores: tuple[tuple[str, str], ...] = ()
    track: tuple[tuple[int, str], ...] = ()
    choices: int = 0
    undo: UndoInfo | None = None
    redo: bool = False
    outcome: tuple[str, ...] = ()
    last_places: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
