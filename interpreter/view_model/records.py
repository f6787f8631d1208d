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


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line of an answer.

    `cite`: the paragraphs it rests on; `depth`: by how many steps it is indented. `cells`: its parts if it is a row
    of a table, else (); of consecutive rows the first is the head.
    """

    text: str
    cite: tuple[str, ...] = ()
    depth: int = 0
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TextAnswer:
    """The answer to a query: a title and lines."""

    title: str
    lines: tuple[AnswerLine, ...]


@dataclass(frozen=True, slots=True)
class ChartGrid:
    """One sheet of a chart: headings of its rows and columns, and the cells row by row.

    `title` says which sheet it is; `across` and `down` name the axes of the columns and rows; `heads` and `sides`:
    headings of the columns and rows; `lit`: (row, column) of marked cells.
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
    """A chart as the page shows it, with cells marked, and `lines`: its note and what the marks mean.

    `reconstructed`: it is not taken from the printed game.
    """

    title: str
    cite: tuple[str, ...]
    reconstructed: bool
    grids: tuple[ChartGrid, ...]
    lines: tuple[AnswerLine, ...]


@dataclass(frozen=True, slots=True)
class PlannedRoute:
    """A route before it is taken: the keys that take it one after another, and its properties.

    `label`: the whole route in one line; `title` and `detail` are its two parts. `path`: the places on it; `dice`: the
    rolls on it, in words. `number`: how many pieces it takes along, 0 if it names no number; `angle`: the facing at its
    end, in degrees clockwise from the top, or None.
    """

    keys: tuple[str, ...]
    label: str
    title: str
    detail: str
    path: tuple[str, ...]
    cost: str
    dice: tuple[str, ...]
    cite: tuple[str, ...]
    number: int = 0
    angle: float | None = None


@dataclass(frozen=True, slots=True)
class OptionPreview:
    """The likely results of an option in few lines: charts to be read, sides likely to lose something.

    `question`: the reasons why the option is to be confirmed before it is carried out, () if it is not.
    """

    lines: tuple[str, ...]
    question: tuple[str, ...] = ()


class OverlayMark(NamedTuple):
    """A marked place of an overlay: its id, the text to write there, and the sides to which the mark belongs."""

    place: str
    text: str
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Overlay:
    """A property of places or counters, to be drawn over the map.

    `marks`: the marked places; `lines`: (place, place) of links to draw. `asks_piece`: it needs a
    counter to be selected first; `explains`: the player can also ask why not.
    """

    id: str
    title: str
    cite: tuple[str, ...]
    marks: tuple[OverlayMark, ...]
    lines: tuple[tuple[str, str], ...]
    asks_piece: bool = False
    explains: bool = False


@dataclass(frozen=True, slots=True)
class VisibilityAnswer:
    """Answer to whether a rule holds between a counter and a place.

    `lines`: the reasons if it does not hold. `through`: the places in the way.
    """

    holds: bool
    lines: tuple[AnswerLine, ...]
    through: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardSide:
    """One side of a resolution: its counters before it, their `names`, its strength ('' if none was compared).

    `steps`: how many steps its counters had before and after it, or (). `is_opponent`: it opposed the side that gave
    the order; partners of that side did not.
    """

    side: str
    name: str
    pieces: tuple[ShownPiece, ...]
    strength: str
    names: str
    steps: tuple[int, ...] = ()
    is_opponent: bool = False


@dataclass(frozen=True, slots=True)
class CardSum:
    """One line of the explanation of a number: `amount` as text; `is_total`: it is the total of the lines above."""

    amount: str
    text: str
    cite: tuple[str, ...]
    is_total: bool


@dataclass(frozen=True, slots=True)
class CardPart:
    """One step of a resolution in order of time; `kind` determines which fields are filled.

    - "sums": `lines`, how figures came about
    - "dice": `title`, `side`, `faces` and `pips` (True if the dice have pips); `total`, the number with which a chart
      was entered or a limit compared, and `compared`, the limit in words, '' without; `terms`: the summands of the
      total as (amount with its sign, name); `yields`: for each face what the chart gave for it and whether that was
      anything
    - "chart": `title`, `grids` (sheets with a marked cell), `cuts` (each of them cut down to what is next to these
      cells), `results` as lines
    - "came": `texts`, what happened
    - "phase": `title` of the phase that began
    - "order": `title`, the choice of `side` whose dice follow
    """

    kind: str
    title: str = ""
    cite: tuple[str, ...] = ()
    side: str = ""
    lines: tuple[CardSum, ...] = ()
    faces: tuple[str, ...] = ()
    pips: bool = False
    total: str = ""
    terms: tuple[tuple[str, str], ...] = ()
    compared: str = ""
    yields: tuple[tuple[str, bool], ...] = ()
    grids: tuple[ChartGrid, ...] = ()
    cuts: tuple[ChartGrid, ...] = ()
    results: tuple[str, ...] = ()
    texts: tuple[AnswerLine, ...] = ()
    reconstructed: bool = False


class SideLoss(NamedTuple):
    """The losses of a side, in words; `name`: the name of the side."""

    side: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class ResolutionCard:
    """An order that dice resolved: its opponents, every step with its reasons, and its result.

    `about`: the labels of the ordering side's choices up to the first roll, without the title. `ratio`: the strengths
    compared and the printed column, e.g. ("5 : 2", "2-1"), or (). `result`: what the order did to the pieces that are
    worse off, () if none are. `losses`: those of each side, including lowered conditions of pieces. `later`: the events
    of the choices after the last roll. `others`: the numbers of all choices with dice; `own`: the numbers of those that
    this card shows. `previous`, `following`: (choice, part) of the cards before and after it, or (). `two_sided`:
    counters of opponents took part. `is_open`: a choice that belongs to the order is still to be made. `address`: its
    own (choice, part). `counted`: the card's number among the cards since the viewer's last turn, in words, '' if it
    has none; `has_next`: another of these cards follows.
    """

    number: int
    title: str
    about: str
    side: str
    places: tuple[str, ...]
    sides: tuple[CardSide, ...]
    ratio: tuple[str, ...]
    parts: tuple[CardPart, ...]
    result: tuple[AnswerLine, ...]
    losses: tuple[SideLoss, ...]
    later: tuple[AnswerLine, ...]
    others: tuple[int, ...]
    own: tuple[int, ...]
    previous: tuple[int, ...]
    following: tuple[int, ...]
    two_sided: bool
    is_open: bool
    address: tuple[int, int]
    counted: str = ""
    has_next: bool = False


class RecapMove(NamedTuple):
    """A move: the ids of the pieces separated by spaces, and the places from and to which they moved."""

    pieces: str
    origin: str
    goal: str


@dataclass(frozen=True, slots=True)
class RecapItem:
    """A choice and its results: `number` is the number of the choice, `side` the side that made it.

    `weight`: "small" (it had no results), "normal", "big" (a loss, or a thing other than a piece changed) or "loud" (it
    moved a side of the viewer down a ladder, or cost the viewer points).
    `has_dice`: there is a card of it. `subject`: the side that `text` is about, or ''. `is_own`: the viewer made it;
    `hurts`: another player did and it cost the viewer something, or it moved a side of the viewer down a ladder.
    """

    number: int
    turn: int
    side: str
    text: str
    weight: str
    moves: tuple[RecapMove, ...]
    places: tuple[str, ...]
    has_dice: bool
    subject: str
    is_own: bool
    hurts: bool


@dataclass(frozen=True, slots=True)
class PointSource:
    """A source of points: its name, the points of each seat as text, and each as a share of the largest on the card."""

    label: str
    amounts: tuple[str, ...]
    shares: tuple[float, ...]


class SeatPoints(NamedTuple):
    """The points of a seat as text; `side`: its only side, or '' if it plays several."""

    seat: str
    name: str
    side: str
    points: str


class TurnScore(NamedTuple):
    """The points of each seat after a turn, in the order of the seats."""

    turn: int
    points: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Ending:
    """The result of a game.

    `winners`: the ids of the winning seats, () for a draw; `title`: what was decided, the grade of victory if there is
    one; `lead`: the winner and the lead in points, as far as the title does not say so. `reasons`: the paragraphs by
    which it ended. `points`: those of each seat; `sources`: where they come from, in the order of `points`, if
    tallies add up to them; else `counted` says how they are counted. `course`: the points after each turn.
    """

    winners: tuple[str, ...]
    title: str
    lead: str
    reasons: tuple[AnswerLine, ...]
    points: tuple[SeatPoints, ...]
    sources: tuple[PointSource, ...]
    counted: tuple[AnswerLine, ...]
    course: tuple[TurnScore, ...]


@dataclass(frozen=True, slots=True)
class OptionAhead:
    """An option of the next decision, after an option that names no piece or place.

    `keys`: the keys of both options.
    """

    keys: tuple[str, ...]
    option: ShownOption


@dataclass(frozen=True, slots=True)
class GroupOrder:
    """An order to several pieces at once: `id` selects it, `number` is the number of pieces that can go.

    `goes_forward`: it needs no place as a goal.
    """

    id: str
    name: str
    number: int
    goes_forward: bool


@dataclass(frozen=True, slots=True)
class ShownRule:
    """A paragraph of the rulebook: its number, its title and its text as lines."""

    number: str
    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShownHint:
    """The option that a bot would choose: its key, words and citations, and the reasons in lines."""

    key: str
    label: str
    cite: tuple[str, ...]
    lines: tuple[AnswerLine, ...]
