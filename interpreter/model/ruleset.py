"""The resolved ruleset: kinds, things, tables, ladders, options, scenarios.

Everything is immutable and every name is resolved: a value that refers to a
thing holds its handle (its index among the things of its kind), a rung its
index in the ladder, a word of a `one of` list its text. Must not know YAML.

Values by type: int -> int; number -> int or Fraction; flag -> bool;
text, one of, direction -> str; thing, rung -> int; set, list, record -> tuple;
part -> (arm, number); missing -> None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.model.drawing import Drawing
from interpreter.model.types import ThingOf, Type
from interpreter.source.text import NOWHERE, Source, Span

Value = Any  # one of the shapes in the module's docstring
Label = Mapping[str, str]  # language -> words; empty only where nothing is said


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a datum was set and on what authority: printed, reconstructed or unstated ('')."""

    span: Span = NOWHERE
    cite: tuple[str, ...] = ()
    source: str = ""
    note: Label = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Embedded:
    """An expression written inside a document: its text and its exact span there."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Attribute:
    """A typed attribute of a kind, a class, a game-wide value or a table column.

    `changes` marks state; `lasts` names the phase or procedure (or "turn", "game")
    at whose end the value returns to `default`; `top` names the attribute that
    holds the highest rung this owner may reach; what is not `told` only the rules need.
    """

    name: str
    type: Type
    changes: bool
    default: Value = None
    has_default: bool = False
    lasts: str | None = None
    low: int | None = None
    high: int | None = None
    clamp: bool = False
    told: bool = True
    top: str | None = None
    label: Label = field(default_factory=dict)
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True)
class Thing:
    """One side, seat, place, edge, piece or thing of the ruleset's own kind.

    `values` gives every attribute of its kind (constants and starting values).
    `cls` is the class of a piece; `at` its starting place handle;
    `ends` the two places of an edge; `members` the side handles of a seat.
    """

    id: str
    label: Label
    values: Mapping[str, Value]
    origin: Origin
    cls: str | None = None
    at: int | None = None
    ends: tuple[int, int] | None = None
    members: tuple[int, ...] = ()
    holding: str | None = None
    direction: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things. `id` is ours ("side", "piece") or the ruleset's; `one` and `many` are its words."""

    id: str
    one: str
    many: str
    attributes: Mapping[str, Attribute]
    things: tuple[Thing, ...]
    label: Label = field(default_factory=dict)
    origin: Origin = Origin()
    _handles: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def handles(self) -> Mapping[str, int]:
        """The handle of each thing by its id; worked out once. Where two share an id the first one counts."""
        if not self._handles:
            for handle, thing in enumerate(self.things):
                self._handles.setdefault(thing.id, handle)
        return self._handles


@dataclass(frozen=True, slots=True)
class PieceClass:
    """A class of pieces. `alike`: pieces equal in every attribute and place are one in decisions.

    `counters` are the attributes that name a group of alike pieces, in order.
    """

    id: str
    one: str
    many: str
    attributes: tuple[str, ...]
    alike: bool
    counters: tuple[str, ...]
    label: Label = field(default_factory=dict)
    origin: Origin = Origin()


@dataclass(frozen=True, slots=True)
class Ladder:
    """An ordered list of rungs, lowest first."""

    id: str
    rungs: tuple[str, ...]
    labels: tuple[Label, ...]
    label: Label
    origin: Origin


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its faces in order; `faces[i]` is the number on face i."""

    id: str
    faces: tuple[int, ...]
    origin: Origin


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a table.

    `sort` is "keys" (a thing, rung or word: exact match on `keys`), "range" (whole
    numbers low..high), "bands" (each key is (low, low_closed, high, high_closed), None open)
    or "ratio" (each key an exact fraction a/b; `rounding` "for_defender" | "down" | "up" | "near").
    `labels` are the keys as they are written, `headings` what is printed over each where that is something else: empty
    for those without, () where none has one. `below` and `above` say what happens past each end:
    "refuse", "clamp", or ("result", cell value).
    """

    name: str
    sort: str
    type: Type
    keys: tuple[Any, ...]
    labels: tuple[str, ...]
    below: Any = "refuse"
    above: Any = "refuse"
    rounding: str = ""
    headings: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A chart: `cells` maps a tuple of row indexes, one for each axis, to a value.

    `type` is the type of a cell. A cell may be absent only when `blanks` is true;
    a look-up is then of a type that may be missing. `signs` is the notation of results made of parts:
    how a part is written ("Rn"), its name, and the number meant where none is written. `unreadable`: an axis has a
    fault, which has been told; how the chart is looked up cannot be judged then.
    """

    id: str
    axes: tuple[Axis, ...]
    type: Type
    cells: Mapping[tuple[int, ...], Value]
    cell_spans: Mapping[tuple[int, ...], Span]
    blanks: bool
    label: Label
    origin: Origin
    signs: tuple[tuple[str, str, int | None], ...] = ()
    unreadable: bool = False


@dataclass(frozen=True, slots=True)
class Constant:
    """A named number (or word) that a variant may change."""

    id: str
    type: Type
    value: Value
    label: Label
    origin: Origin


@dataclass(frozen=True, slots=True)
class RecordType:
    """A record's fields in order: declared in rules, or the columns of a table."""

    id: str
    fields: Mapping[str, Type]


@dataclass(frozen=True, slots=True)
class Grid:
    """A hex or square grid: its directions clockwise, and for each place its neighbours by direction."""

    shape: str
    directions: tuple[str, ...]
    neighbours: tuple[tuple[int | None, ...], ...]
    column_row: tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A numbered paragraph of the rulebook (or a ruling on it).

    `definition`: says what a word means or what is in the box; nothing to carry out.
    `replaced_when`: an expression; while it holds the paragraph is not in force.
    """

    id: str
    title: Label
    text: Label
    definition: bool
    ruling: bool
    replaced_when: Embedded | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Telling:
    """A sentence or two for players, and where it comes from."""

    text: Label
    origin: Origin


@dataclass(frozen=True, slots=True)
class Tellings:
    """What players are told: by seat handle what it plays for, how points are counted, and how it ends."""

    aims: Mapping[int, Telling] = field(default_factory=dict)
    counting: Telling | None = None
    ending: Telling | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """An optional rule: a flag, a choice of words, or a way to split a seat among several players.

    `type` is "flag", "choice" or "split"; `values` the words of a choice;
    `splits`/`into` the seat handles of a split; `shares` gives by number of players the share (counted from 0) that
    each side of the split seat goes to. `needs`/`excludes` name other options; `told` is what players are told
    otherwise while it is used. `exchanges`: pairs of things that go by each other's names and looks then, each as
    (kind, handle, handle).
    """

    id: str
    type: str
    values: tuple[str, ...]
    default: Any
    splits: int | None
    into: tuple[int, ...]
    needs: tuple[str, ...]
    excludes: tuple[str, ...]
    label: Label
    origin: Origin
    shares: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    told: Tellings = Tellings()
    exchanges: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Position:
    """Values to set before play: pieces by group or id, things by id, game-wide values.

    `groups`: (place handle, ((attribute, value), ...), count); `pieces`: piece handle ->
    {"at": place handle, attribute: value}; `things`: (kind, handle) -> {attribute: value};
    `group_classes`: for each of `groups` the class of its pieces.
    """

    groups: tuple[tuple[int, tuple[tuple[str, Value], ...], int], ...] = ()
    pieces: Mapping[int, Mapping[str, Value]] = field(default_factory=dict)
    things: Mapping[tuple[str, int], Mapping[str, Value]] = field(default_factory=dict)
    game: Mapping[str, Value] = field(default_factory=dict)
    group_classes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scenario:
    """A starting position with its options, and what players are told otherwise in it.

    It begins with `first_turn`; after the turn `turns` the game ends (a draw unless rules say else), None: never.
    """

    id: str
    title: Label
    about: Label
    default: bool
    position: Position
    options: Mapping[str, Any]
    turns: int | None
    origin: Origin
    first_turn: int = 1
    told: Tellings = Tellings()


@dataclass(frozen=True, slots=True)
class Level:
    """A way a game can end: who wins, the title, and the condition under which it is reached."""

    id: str
    seat: int | None
    title: Label
    when: Embedded | None
    origin: Origin


@dataclass(frozen=True, slots=True)
class Victory:
    """Conditions by name, levels from lowest to highest, the score of a seat, and what players are told of it all."""

    conditions: Mapping[str, Embedded]
    levels: tuple[Level, ...]
    score: Embedded | None
    score_word: str
    evaluation: Embedded | None = None
    condition_origins: Mapping[str, Origin] = field(default_factory=dict)
    told: Tellings = Tellings()


@dataclass(frozen=True, slots=True)
class View:
    """What players are told of a thing beside its attributes: `word` stands for the thing in the expression.

    Without `of` it is told of the game.
    """

    id: str
    of: ThingOf | None
    word: str
    value: Embedded
    label: Label
    origin: Origin


@dataclass(frozen=True, slots=True)
class Worded:
    """Words with holes that a document gives, by language; `word` stands for a thing of the type `of` in them.

    `key` says for what: "turn", "turn.SCENARIO.NUMBER", "short.class.CLASS", "short.KIND", "short.KIND.THING",
    "drawn.place.NUMBER", "drawn.class.CLASS.NUMBER" (what a map writes), "drawn.mark.NUMBER", "drawn.text.NUMBER"
    (when it draws a mark, and its words), "drawn.place.fill", "drawn.link.NAME", "drawn.class.CLASS.LOOK" (what looks
    hang on). `is_asked`: not words but one expression, whether something holds. `is_valued`: one expression for its
    value; `looks` are the values that are spoken of, each with where it stands, `wanted` the type that it must have.
    """

    key: str
    words: Mapping[str, Embedded]
    of: ThingOf | None = None
    word: str = "it"
    is_asked: bool = False
    is_valued: bool = False
    looks: tuple[tuple[str, Span], ...] = ()
    wanted: Type | None = None


@dataclass(frozen=True, slots=True)
class SetupCheck:
    """What must hold when a scenario has been set up, of each thing of a type or, without one, once."""

    id: str
    of: ThingOf | None
    word: str
    holds: Embedded
    origin: Origin


@dataclass(frozen=True, slots=True)
class Translation:
    """What a text or a name becomes in another language: where the original is named, the words, where they stand."""

    key: Span
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Locale:
    """One language: translations of the texts of the rules, by the text, and of names, by the name.

    `labels` are words for options and drafts that have none in the rules, with their arguments as holes: by the name
    of the option, `decision.option` or the draft. `complete` is where the documents claim that nothing is missing.
    """

    language: str
    texts: Mapping[str, Translation]
    names: Mapping[str, Translation]
    labels: Mapping[str, Translation] = field(default_factory=dict)
    complete: Span | None = None


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One ruleset with its overlays applied, before its rules are checked."""

    id: str
    title: Label
    version: str
    languages: tuple[str, ...]
    about: Label
    kinds: Mapping[str, Kind]
    classes: Mapping[str, PieceClass]
    game: Mapping[str, Attribute]
    ladders: Mapping[str, Ladder]
    dice: Mapping[str, Die]
    tables: Mapping[str, Table]
    constants: Mapping[str, Constant]
    records: Mapping[str, RecordType]
    regions: Mapping[str, tuple[int, ...]]
    grid: Grid | None
    rulebook: Mapping[str, Paragraph]
    options: Mapping[str, Option]
    scenarios: Mapping[str, Scenario]
    victory: Victory
    rules: tuple[Source, ...]
    changes: tuple[Source, ...]
    seats: tuple[int, ...]
    content_hash: str
    reconstructed: tuple[tuple[str, Origin], ...] = ()
    extends: str | None = None
    root: Origin = Origin()
    drawing: Drawing = Drawing()
    locales: Mapping[str, Locale] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    worded: tuple[Worded, ...] = ()
    setup_checks: Mapping[str, SetupCheck] = field(default_factory=dict)
