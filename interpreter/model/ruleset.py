"""The resolved ruleset: kinds, things, tables, ladders, options, scenarios.

Everything is immutable and every name is resolved: a reference to a thing is its handle (its index among the things of
its kind), a rung its index in the ladder, a word of a `one of` list its text. Independent of YAML.

Values by type: int -> int; number -> int or Fraction; flag -> bool; text, one of, direction -> str; thing, rung ->
int; set, list, record -> tuple; part -> (arm, number); missing -> None.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from interpreter.diagnostics.source_text import NOWHERE, Source, Span
from interpreter.model.drawing import MapDrawing
from interpreter.model.types import ThingType, Type
from interpreter.runtime.tables import Chart, ChartAxis

Value = Any  # see the module docstring
Label = Mapping[str, str]  # language -> text; empty without a text


@dataclass(frozen=True, slots=True)
class Provenance:
    """Origin of a datum: its location in the documents and its authority.

    `span`: its location in the documents; `cite`: the paragraphs of the rulebook; `source`: "printed", "inferred",
    "reconstructed", or '' if unstated; `note`: the author's remark by language.
    """

    span: Span = NOWHERE
    cite: tuple[str, ...] = ()
    source: str = ""
    note: Label = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Embedded:
    """An expression embedded in a document: its text and its exact span."""

    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Attribute:
    """A typed attribute of a kind or a class, a game-wide value, or a table column.

    `changes`: play may set it; `has_default`: a thing that does not state it has the value `default`; `lasts`: the
    phase or procedure (or "turn", "game") at whose end the value returns to `default`. `low` and `high`: its bounds,
    None for no bound; `clamp`: a value beyond a bound becomes the bound instead of a fault. `is_shown`: it is shown to
    players; `top`: the attribute with the highest rung that this owner may reach; `label`: its displayed name.
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
    is_shown: bool = True
    top: str | None = None
    label: Label = field(default_factory=dict)
    origin: Provenance = Provenance()


@dataclass(frozen=True, slots=True)
class Thing:
    """One side, seat, place, edge, piece or thing of a user-defined kind.

    `values`: every attribute of its kind (constants and starting values). `cls`: the class of a piece; `at`: the handle
    of its starting place. `ends`: the handles of the two places of an edge; `direction`: the direction of a grid from
    the first to the second. `members`: the handles of the sides of a seat. `holding`: for a place off the map the name
    of its entry under `holding`, else None. `family`: the name that the pieces of one entry with a count share.
    """

    id: str
    label: Label
    values: Mapping[str, Value]
    origin: Provenance
    cls: str | None = None
    at: int | None = None
    ends: tuple[int, int] | None = None
    members: tuple[int, ...] = ()
    holding: str | None = None
    direction: str | None = None
    family: Label = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of things.

    `id` is built in ("side", "piece") or user-defined; `one` and `many` are its singular and plural.
    """

    id: str
    one: str
    many: str
    attributes: Mapping[str, Attribute]
    things: tuple[Thing, ...]
    label: Label = field(default_factory=dict)
    origin: Provenance = Provenance()
    _handles: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    def get_handles(self) -> Mapping[str, int]:
        """Return the handle of each thing by its id; memoized. If two things share an id the first one counts."""
        if not self._handles:
            for handle, thing in enumerate(self.things):
                self._handles.setdefault(thing.id, handle)
        return self._handles


@dataclass(frozen=True, slots=True)
class PieceClass:
    """A class of pieces. `alike`: decisions merge pieces that are equal in every attribute and place.

    `one` and `many` are its singular and plural. `counters` are the attributes that name a group of equal pieces, in
    order.
    """

    id: str
    one: str
    many: str
    attributes: tuple[str, ...]
    alike: bool
    counters: tuple[str, ...]
    label: Label = field(default_factory=dict)
    origin: Provenance = Provenance()


@dataclass(frozen=True, slots=True)
class Ladder:
    """An ordered list of rungs, lowest first."""

    id: str
    rungs: tuple[str, ...]
    labels: tuple[Label, ...]
    label: Label
    origin: Provenance


@dataclass(frozen=True, slots=True)
class Die:
    """A die: its faces in order; `faces[i]` is the number on face i."""

    id: str
    faces: tuple[int, ...]
    origin: Provenance


class Band(NamedTuple):
    """A range of numbers that a row of a chart covers; a bound is None if there is none."""

    low: Any
    includes_low: bool
    high: Any
    includes_high: bool


@dataclass(frozen=True, slots=True)
class Axis(ChartAxis):
    """An axis of a chart with the type of its values."""

    type: Type = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Table(Chart):
    """A chart with what the checker needs: the type of a cell, and where its cells were written.

    A look-up in a chart with blanks has a maybe type. `unreadable`: an axis has a reported error, so look-ups cannot be
    checked.
    """

    type: Type = field(kw_only=True)
    cell_spans: Mapping[tuple[int, ...], Span] = field(kw_only=True)
    origin: Provenance = field(kw_only=True)
    unreadable: bool = field(kw_only=True, default=False)
    axes: tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """A named number (or word) that a variant may change."""

    id: str
    type: Type
    value: Value
    label: Label
    origin: Provenance


@dataclass(frozen=True, slots=True)
class RecordDefinition:
    """A record's fields in order: declared in rules, or the columns of a table."""

    id: str
    fields: Mapping[str, Type]


@dataclass(frozen=True, slots=True)
class Grid:
    """A hex or square grid: its directions clockwise, and for each place its neighbours by direction.

    `column_row`: the column and row of each place, or None for a place without a cell.
    """

    shape: str
    directions: tuple[str, ...]
    neighbours: tuple[tuple[int | None, ...], ...]
    column_row: tuple[tuple[int, int] | None, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A numbered paragraph of the rulebook (or a ruling on it).

    `definition`: it defines a term or lists components, so there is nothing to implement. `replaced_when`: an
    expression; while it is true the paragraph is not in force.
    """

    id: str
    title: Label
    text: Label
    definition: bool
    ruling: bool
    replaced_when: Embedded | None
    origin: Provenance


@dataclass(frozen=True, slots=True)
class PlayerText:
    """A sentence or two for players, with its origin."""

    text: Label
    origin: Provenance


@dataclass(frozen=True, slots=True)
class PlayerTexts:
    """Texts for players: the aim of each seat by handle, how points are counted, and how the game ends."""

    aims: Mapping[int, PlayerText] = field(default_factory=dict)
    counting: PlayerText | None = None
    ending: PlayerText | None = None


class Exchange(NamedTuple):
    """Two things of a kind, by handle, that have each other's names and looks while an optional rule is used."""

    kind: str
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class OptionalRule:
    """An optional rule: a flag, a choice of words, or a way to split a seat among several players.

    `type` is "flag", "choice" or "split"; `values` the words of a choice; `splits` and `into` the seat handles of a
    split; `shares` gives by number of players the share (counted from 0) that each side of the split seat goes to.
    `needs` and `excludes` name other options; `texts`: the texts for players that replace others while it is used.
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
    origin: Provenance
    shares: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    texts: PlayerTexts = PlayerTexts()
    exchanges: tuple[Exchange, ...] = ()


class StartingGroup(NamedTuple):
    """A `number` of pieces of the class `cls` that start at a place with the same values (attribute, value)."""

    place: int
    values: tuple[tuple[str, Value], ...]
    number: int
    cls: str


@dataclass(frozen=True, slots=True)
class SetupPosition:
    """Values to set before play: pieces by group or by handle, things by (kind, handle), game-wide values.

    Each mapping in `pieces` and `things` holds values by attribute; for a piece "at" is the handle of its place.
    """

    groups: tuple[StartingGroup, ...] = ()
    pieces: Mapping[int, Mapping[str, Value]] = field(default_factory=dict)
    things: Mapping[tuple[str, int], Mapping[str, Value]] = field(default_factory=dict)
    game: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scenario:
    """A starting position with its options, and the texts for players that it replaces.

    It begins with `first_turn`; after the turn `turns` the game ends (a draw unless the rules say otherwise), None:
    never.
    """

    id: str
    title: Label
    about: Label
    default: bool
    position: SetupPosition
    options: Mapping[str, Any]
    turns: int | None
    origin: Provenance
    first_turn: int = 1
    texts: PlayerTexts = PlayerTexts()


@dataclass(frozen=True, slots=True)
class VariantSummary:
    """The title of a variant, and its own description of what it changes (empty if it has none)."""

    title: Label
    about: Label


@dataclass(frozen=True, slots=True)
class Level:
    """A way a game can end: the winner, the title, and the condition under which it is reached."""

    id: str
    seat: int | None
    title: Label
    when: Embedded | None
    origin: Provenance


@dataclass(frozen=True, slots=True)
class Victory:
    """The victory conditions by name, the levels from lowest to highest, and the score of a seat.

    `score_word`: the name of the seat in the expression `score`. `condition_origins`: where each condition is stated.
    `evaluation`: the expression by which bots evaluate a position for a seat; `texts`: the texts for players.
    """

    conditions: Mapping[str, Embedded]
    levels: tuple[Level, ...]
    score: Embedded | None
    score_word: str
    evaluation: Embedded | None = None
    condition_origins: Mapping[str, Provenance] = field(default_factory=dict)
    texts: PlayerTexts = PlayerTexts()


@dataclass(frozen=True, slots=True)
class View:
    """A value shown to players beside the attributes of things.

    `value`: the expression; it is evaluated for each thing of the type `of`, which it calls `word`, or once for the
    game if `of` is None. `label`: the displayed name.
    """

    id: str
    of: ThingType | None
    word: str
    value: Embedded
    label: Label
    origin: Provenance


@dataclass(frozen=True, slots=True)
class Worded:
    """A text template of a document by language; in its holes `word` denotes a thing of the type `of`.

    `key` says what it is for: "turn", "turn.SCENARIO.NUMBER", "short.class.CLASS", "short.KIND", "short.KIND.THING",
    "drawn.place.NUMBER", "drawn.class.CLASS.NUMBER" (printed on the map), "drawn.mark.NUMBER", "drawn.text.NUMBER"
    (the condition of a mark, and its text), "drawn.place.fill", "drawn.link.NAME", "drawn.class.CLASS.LOOK" (what
    looks depend on). `is_asked`: a single condition in place of a text. `is_valued`: a single expression for its
    value; `looks` are the values that have looks, with their spans, `wanted` the required type.
    """

    key: str
    words: Mapping[str, Embedded]
    of: ThingType | None = None
    word: str = "it"
    is_asked: bool = False
    is_valued: bool = False
    looks: tuple[tuple[str, Span], ...] = ()
    wanted: Type | None = None


@dataclass(frozen=True, slots=True)
class SetupCheck:
    """A condition that must hold after the setup of a scenario.

    `holds`: the condition; it is tested for each thing of the type `of`, which it calls `word`, or once if `of` is
    None.
    """

    id: str
    of: ThingType | None
    word: str
    holds: Embedded
    origin: Provenance


@dataclass(frozen=True, slots=True)
class Translation:
    """The translation of a text or a name: the span that names the original, the text, and its own span."""

    key: Span
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Locale:
    """One language: translations of texts and of names, each keyed by the original.

    `labels` are the texts for options and drafts that have none in the rules, with their arguments as holes, keyed by
    option, `decision.option` or draft. `complete` is the span of the claim that nothing is missing.
    """

    language: str
    texts: Mapping[str, Translation]
    names: Mapping[str, Translation]
    labels: Mapping[str, Translation] = field(default_factory=dict)
    complete: Span | None = None


@dataclass(frozen=True, slots=True)
class Ruleset:
    """One ruleset with its overlays applied, before its rules are checked; most fields map ids to their records.

    `rules`: the source of each rules file; `changes`: the sources of the variants' changes to the rules. `seats`: the
    handles of the seats. `reconstructed`: (path, origin) of each entry marked as reconstructed. `extends`: the id of
    the ruleset that a variant extends, or None; `variants`: those laid over it, in this order. `root`: where the id of
    the ruleset is stated.
    """

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
    records: Mapping[str, RecordDefinition]
    regions: Mapping[str, tuple[int, ...]]
    grid: Grid | None
    rulebook: Mapping[str, Paragraph]
    options: Mapping[str, OptionalRule]
    scenarios: Mapping[str, Scenario]
    victory: Victory
    rules: tuple[Source, ...]
    changes: tuple[Source, ...]
    seats: tuple[int, ...]
    content_hash: str
    reconstructed: tuple[tuple[str, Provenance], ...] = ()
    extends: str | None = None
    variants: tuple[VariantSummary, ...] = ()
    root: Provenance = Provenance()
    drawing: MapDrawing = MapDrawing()
    locales: Mapping[str, Locale] = field(default_factory=dict)
    views: Mapping[str, View] = field(default_factory=dict)
    worded: tuple[Worded, ...] = ()
    setup_checks: Mapping[str, SetupCheck] = field(default_factory=dict)
