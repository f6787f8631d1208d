"""Records of the answers to queries about a view: texts, charts, routes, overlays, cards, recaps and scores.

As in `view_model.records`, texts are finished sentences for people, and only plain data is allowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from interpreter.view_model.records import ShownOption, ShownPiece


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
