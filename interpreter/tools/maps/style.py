"""Resolve the look of everything on a map: stated by the ruleset, or a default.

Deterministic defaults; independent of geometry and picture formats.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from interpreter.i18n.number_format import format_plain_value
from interpreter.model import types as t
from interpreter.model.drawing import (
    CounterStyle,
    FillStyle,
    LineStyle,
    LinkStyle,
    Mark,
    MarkerGroup,
    MarkerStyle,
    get_default_course,
)
from interpreter.model.ruleset import Attribute, Kind, Ruleset, Thing
from interpreter.tools.describe.value_format import format_label, to_plain_value
from interpreter.tools.maps.painting.vocabulary import find_line_style, find_terrain_style, is_small_river

# Choose markers for the conditions of pieces whose ruleset states none, from its attributes and their words.
_SIGNS: Mapping[str, str] = {
    "flag": "broken fled flees fleeing panicked rout routed routing surrendered",
    "corner": "acted activated done exhausted finished marched moved ordered played sailed spent used",
    "flash": "fired firing loaded prepared ready shot",
    "swords": "assaulted attacked charged engaged fighting fought melee",
    "bar": "halted hidden immobile isolated pinned stopped stunned suppressed unsupplied",
}
_SIGN_OF = {word: sign for sign, words in _SIGNS.items() for word in words.split()}


def choose_markers(ruleset: Ruleset, cls: str) -> tuple[MarkerGroup, ...]:
    """Return a group of markers for each attribute of a class that is not hidden, changes in play and has a default.

    Each flag, word or rung that differs from the default gets a marker. `cls`: the id of the class.
    """
    attributes = ruleset.kinds["piece"].attributes
    markers = []
    for name in ruleset.classes[cls].attributes:
        attribute = attributes[name]
        if attribute.changes and attribute.is_shown and attribute.has_default:
            looks = {
                value: _choose_marker_style(value if value != "true" else name)
                for value in _iter_marked_values(attribute, ruleset)
            }
            if looks:
                markers.append(MarkerGroup(name, looks))
    return tuple(markers)


def _iter_marked_values(attribute: Attribute, ruleset: Ruleset) -> Iterator[str]:
    """Yield the values of an attribute, as documents write them, that deserve a marker."""
    match attribute.type:
        case t.FlagType() if not attribute.default:
            yield "true"
        case t.OneOfType(values=words):
            yield from (word for word in words if word != attribute.default)
        case t.RungType(ladder=name):
            rungs = ruleset.ladders[name].rungs
            yield from (rung for n, rung in enumerate(rungs) if n != attribute.default)


def _choose_marker_style(word: str) -> MarkerStyle:
    """Return the marker for a condition called by a word: a known sign, or a badge."""
    sign = next((_SIGN_OF[part] for part in word.casefold().split("_") if part in _SIGN_OF), "badge")
    return MarkerStyle(sign)


PLAIN = "#f4f0e0"  # a space without a value, and the most common sort
_FILLS = "#a9cf95 #e3c78f #b7c9e2 #d9a892 #cfd08a #c3b2d6 #9fcfc4 #d8d8d8 #e6b8cc #a8b58d".split()
_LINES = ("#3f7fc0", "#8a5a2b", "#b03a3a", "#4f8f4f", "#7a4fa0", "#555555")
_AREA_LINES = ("#5a2f22", "#3f6672", "#8a6a2b", "#4f6b45", "#6b5a77", "#4a4a4a")  # borders between areas
_AREA_STROKES = ("border", "dashed", "dotted")
_STYLE_COLOURS = {  # of spaces, where nothing draws a picture of the ground
    "fields": PLAIN,
    "woods": "#a9c48d",
    "orchard": "#c2d29a",
    "marsh": "#c5ddd6",
    "hill": "#e8dcb4",
    "slope": "#e3d2a4",
    "mountain": "#cdb58a",
    "water": "#9fc6dd",
    "sand": "#efdfa8",
    "rough": "#d9cda6",
    "town": "#e8c3b0",
    "earth": "#ddc08e",
    "star_fort": "#c9a46a",
    "field_fort": "#d8c9a3",
    "ruins": "#e6dcbc",
}
_LINE_COLOURS = {
    "river": "#3f7fc0",
    "road": "#a0703a",
    "track": "#a0703a",
    "rail": "#4b4034",
    "wall": "#6b3d14",
    "bridge": "#f4f4f4",
    "ford": "#cfe2f0",
    "border": "#9c3b2e",
    "cliff": "#5f5646",
}
_LINE_WIDTHS = {"river": (8, 13), "road": (4, 4), "track": (3, 3), "rail": (3, 3), "bridge": (9, 9)}
_SMALL_RIVER = (3, 6)
_SIDES = ("#c0392b", "#2f5fb3", "#3d8b4a", "#d09020", "#7a4fa0", "#4b4b4b", "#2a9aa5", "#b8588a")

_NAMED = {
    "red": _SIDES[0],
    "blue": _SIDES[1],
    "green": _SIDES[2],
    "orange": "#cf6a1f",
    "yellow": "#dcb52c",
    "purple": _SIDES[4],
    "violet": _SIDES[4],
    "black": "#33312f",
    "white": "#efe9da",
    "grey": "#7d7f82",
    "gray": "#7d7f82",
    "brown": "#7b5531",
    "pink": _SIDES[7],
}


@dataclass(frozen=True, slots=True)
class NamedValue:
    """A value of a type that can be listed, with its id in documents and its text."""

    value: Any
    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ValueLook:
    """A value that colours spaces, as written in documents, with its text and look.

    `is_own_colour`: the style of the look does not have this colour by itself.
    """

    value: str
    words: str
    look: FillStyle
    is_own_colour: bool = False

    @property
    def is_uncoloured_default(self) -> bool:
        """Return True if this is the commonest value and nothing states a colour for it.

        A map of areas gives each area with such a value one of several tints, so that neighbours differ.
        """
        return self.look.colour == PLAIN and not self.is_own_colour


@dataclass(frozen=True, slots=True)
class LineLook:
    """A sort of line on the map: its attribute, the value it shows (None: any), text and style.

    `is_own_colour`: the author stated its colour. `inscription`: the text along it.
    """

    attribute: str
    value: str | None
    words: str
    line: LineStyle
    is_own_colour: bool = False
    inscription: str = ""

    def is_shown(self, value: str | None) -> bool:
        """Return True if links with this value of the attribute, as documents write it, have the line."""
        # 0 is a value; only False and None are empty
        return value not in (None, "false", "") if self.value is None else value == self.value


@dataclass(frozen=True, slots=True)
class MapStyle:
    """All looks of a map. `fill` is "" if nothing colours the spaces.

    `sides` holds colour and letter by side handle; `counters` the style of each class by id.
    """

    fill: str
    fills: tuple[ValueLook, ...]
    lines: tuple[LineLook, ...]
    sides: Mapping[int, tuple[str, str]]
    counters: Mapping[str, CounterStyle]

    def find_fill(self, ruleset: Ruleset, values: Mapping[str, Any]) -> ValueLook | None:
        """Return the look of a place with these values, or None if nothing colours it."""
        value = find_written_value(ruleset, "place", self.fill, values)
        return next((f for f in self.fills if f.value == value), None)

    def find_side(self, cls: str | None, values: Mapping[str, Any]) -> int | None:
        """Return the handle of the side that owns a piece, or None if it is unowned.

        `cls`: the id of the piece's class; `values`: its values by attribute or expression.
        """
        owner = values.get(self.counters[cls].owner) if cls else None
        return owner if owner in self.sides else None

    def list_lines(self, ruleset: Ruleset, values: Mapping[str, Any]) -> list[LineLook]:
        """Return the lines of a link with these values, in drawing order."""
        names = {look.attribute for look in self.lines}
        written = {name: find_written_value(ruleset, "edge", name, values) for name in names}
        return [look for look in self.lines if look.is_shown(written[look.attribute])]


StatedTexts = Mapping[str, Mapping[str, str]]


def resolve_style(ruleset: Ruleset, lang: str = "", value_texts: StatedTexts | None = None) -> MapStyle:
    """Return the looks of the ruleset's map; `value_texts` holds the known texts of the values that determine looks."""
    fill = choose_fill_key(ruleset)
    return MapStyle(
        fill,
        _resolve_fills(ruleset, fill, lang, value_texts or {}),
        _resolve_lines(ruleset, lang, value_texts or {}),
        _choose_side_colours(ruleset),
        build_counter_styles(ruleset),
    )


def build_counter_styles(ruleset: Ruleset) -> dict[str, CounterStyle]:
    """Return the style of the counters of each class, by its id."""
    return {cls: _resolve_counter(ruleset, cls) for cls in ruleset.classes}


def choose_fill_key(ruleset: Ruleset) -> str:
    """Return the key that determines the colour of spaces, stated by the drawing or else chosen; "" for none."""
    return ruleset.drawing.fill or _choose_fill(ruleset.kinds["place"])


def find_written_value(ruleset: Ruleset, kind: str, name: str, values: Mapping[str, Any]) -> str | None:
    """Return a thing's value of the attribute or expression `name` as documents write it, or None if it has none.

    `kind`: the kind of the thing; `values`: its values by name.
    """
    value = values.get(name)
    if value is None:
        return None
    attribute = ruleset.kinds[kind].attributes.get(name)
    if attribute is not None:
        value = to_plain_value(value, attribute.type, ruleset)
    return None if value is None else format_plain_value(value)


def list_values_with_text(
    ruleset: Ruleset, kind: str, name: str, stated: Iterable[str], lang: str, value_texts: StatedTexts
) -> list[tuple[str, str]]:
    """Return (value as written, text) for each value of the attribute or expression `name` that has a look.

    `stated`: the values with looks; they are returned in the order of the documents if the attribute lists its values.
    `value_texts`: the known texts of an expression's values, by key and value.
    """
    attribute = ruleset.kinds[kind].attributes.get(name)
    known = list_type_values(attribute.type, ruleset, lang) if attribute is not None else []
    if known:
        return [(named.id, named.text) for named in known if named.id in stated]
    words_of = value_texts.get(name, {})
    return [(id, words_of.get(id) or translate_word(ruleset, id, lang)) for id in stated]


def list_spaces(ruleset: Ruleset) -> list[tuple[int, Thing]]:
    """Return the places on the map with their handles."""
    return [(n, p) for n, p in enumerate(ruleset.kinds["place"].things) if p.holding is None]


def list_type_values(type: t.Type, ruleset: Ruleset, lang: str = "") -> list[NamedValue]:
    """Return every value of a type that can be listed; [] for other types."""
    match type:
        case t.MaybeType(item=item):
            return list_type_values(item, ruleset, lang)
        case t.OneOfType(values=words):
            return [NamedValue(word, word, translate_word(ruleset, word, lang)) for word in words]
        case t.RungType(ladder=name):
            ladder = ruleset.ladders[name]
            return [
                NamedValue(n, rung, format_label(ladder.labels[n], lang) or rung) for n, rung in enumerate(ladder.rungs)
            ]
        case t.ThingType(kind=kind) if kind not in ("place", "edge", "piece"):
            return [
                NamedValue(n, thing.id, format_label(thing.label, lang))
                for n, thing in enumerate(ruleset.kinds[kind].things)
            ]
    return []


def translate_word(ruleset: Ruleset, word: str, lang: str) -> str:
    """Return a word or text of the documents translated into a language, or unchanged without a translation."""
    locale = ruleset.locales.get(lang)
    names = locale.names if locale is not None else {}
    translation = names.get(f"word.{word}") or names.get(f"text.{word}") or names.get(word)
    return translation.text if translation is not None else word.replace("_", " ")


def format_attribute(attribute: Attribute, lang: str) -> str:
    """Return the display name of an attribute."""
    return format_label(attribute.label, lang) or attribute.name.replace("_", " ")


def format_number_name(ruleset: Ruleset, name: str, attributes: Mapping[str, Attribute], lang: str = "") -> str:
    """Return the display name of a value on a space or a counter.

    That is the name of an attribute, or for a text template its text without braces. `name`: the key; `attributes`: the
    attributes of the kind.
    """
    if name in attributes:
        return format_attribute(attributes[name], lang)
    texts = next((w.words for w in ruleset.worded if w.key == name), {})
    text = (texts.get(lang) or next(iter(texts.values()))).text if texts else ""
    return text.replace("{", "").replace("}", "").replace("_", " ")


def format_fill_name(ruleset: Ruleset, fill: str, lang: str) -> str:
    """Return the display name of the key that colours the spaces; "" for none."""
    attributes = ruleset.kinds["place"].attributes
    return format_label(ruleset.drawing.fill_name, lang) or format_number_name(ruleset, fill, attributes, lang)


def format_mark_name(ruleset: Ruleset, mark: Mark, lang: str) -> str:
    """Return the display name of a mark: its own name, or the name of its attribute or condition."""
    attributes = ruleset.kinds["place"].attributes
    return format_label(mark.name, lang) or format_number_name(ruleset, mark.attribute or mark.when, attributes, lang)


def _choose_fill(places: Kind) -> str:
    """Return the first constant attribute that classifies places, else the first that is a side."""
    for name, attribute in places.attributes.items():
        type = attribute.type
        sorts = isinstance(type, t.OneOfType | t.RungType) or (
            isinstance(type, t.ThingType) and type.kind not in ("side", "seat", "place", "edge", "piece")
        )
        if sorts and not attribute.changes:
            return name
    return next((name for name, attribute in places.attributes.items() if is_side(attribute)), "")


def get_inner_type(type: t.Type) -> t.Type:
    """Return the type T of `maybe T`, or another type unchanged."""
    return type.item if isinstance(type, t.MaybeType) else type


def is_side(attribute: Attribute | None) -> bool:
    """Return True if the value of an attribute is a side, or a side or nothing."""
    inner = get_inner_type(attribute.type) if attribute is not None else None
    return isinstance(inner, t.ThingType) and inner.kind == "side"


def _resolve_fills(ruleset: Ruleset, fill: str, lang: str, value_texts: StatedTexts) -> tuple[ValueLook, ...]:
    """Return a look for every value of the key `fill` that places have or may have, else for the stated values.

    `value_texts`: the known texts of an expression's values, by key and value.
    """
    if not fill:
        return ()
    attribute, stated = ruleset.kinds["place"].attributes.get(fill), ruleset.drawing.looks
    known = list_type_values(attribute.type, ruleset, lang) if attribute is not None else []
    used = [(named.id, named.text) for named in known]
    commonest = None
    if not used:
        used = list_values_with_text(ruleset, "place", fill, stated, lang, value_texts)
    elif attribute is not None and not attribute.changes:
        counts = Counter(find_written_value(ruleset, "place", fill, place.values) for _, place in list_spaces(ruleset))
        used = [v for v in used if v[0] in counts]
        commonest = max(used, key=lambda v: counts[v[0]])[0] if used else None
    sides, looks = ruleset.kinds["side"].things, _choose_side_colours(ruleset)
    side_colours = {side.id: looks[n][0] for n, side in enumerate(sides)} if is_side(attribute) else {}
    marks = _choose_characters(
        [(stated.get(v, FillStyle()).mark or ("." if v == commonest else ""), v) for v, _ in used]
    )
    fills = []
    for n, ((value, words), mark) in enumerate(zip(used, marks, strict=True)):
        chosen = PLAIN if value == commonest else _FILLS[n % len(_FILLS)]
        look = stated.get(value, FillStyle())
        words = format_label(look.name, lang) or words
        style = look.style or (
            "" if look.pattern else find_terrain_style([value, format_label(look.name, "en") or words])
        )
        is_plain = style in ("", "bare")
        style = style or ("fields" if value == commonest and not look.pattern and ruleset.grid else "bare")
        colour = look.colour or side_colours.get(value) or _STYLE_COLOURS.get(style, "") or chosen
        is_own = bool(look.colour or side_colours.get(value)) or (is_plain and value != commonest)
        fills.append(ValueLook(value, words, replace(look, colour=colour, mark=mark, style=style), is_own))
    return tuple(fills)


def _choose_characters(entries: Sequence[tuple[str, str]], capital: bool = False) -> list[str]:
    """Choose a character for each (stated character or "", id): the stated one, else one that is still unused.

    Letters of the id come first; "?" if all characters are used. `capital`: choose capital letters.
    """
    used = {mark for mark, _ in entries if mark}
    characters = []
    for stated, id in entries:
        spare = (id + "abcdefghijklmnopqrstuvwxyz0123456789").replace("_", "").replace("-", "")
        spare = spare.upper() if capital else spare.lower()
        mark = stated or next((c for c in spare if c.isascii() and c not in used), "?")
        used.add(mark)
        characters.append(mark)
    return characters


def _resolve_lines(ruleset: Ruleset, lang: str, value_texts: StatedTexts) -> tuple[LineLook, ...]:
    """Return the stated looks of lines in order, or by default one for each flag and each classifying value of links.

    `value_texts`: the known texts of an expression's values, by key and value.
    """
    attributes = ruleset.kinds["edge"].attributes
    lines: list[LineLook] = []
    is_grid = ruleset.grid is not None
    classified = [n for n in ruleset.drawing.links or attributes if _is_classified(attributes.get(n))]

    def format_named(name: str, words: str, value_words: str) -> str:
        """Return the text of a value with its attribute, which is left out if it alone classifies links."""
        return value_words if classified == [name] else f"{words}: {value_words}"

    def add(name: str, value: str | None, words: str, stated: LineStyle, inscription: str = "") -> None:
        attribute, names = attributes.get(name), [*([value] if value else []), name.removeprefix("drawn.link.")]
        is_sort = _is_classified(attribute)
        line = _complete_line_style(stated, len(lines), names, is_grid, is_grid or is_sort)
        lines.append(LineLook(name, value, words, line, bool(stated.colour), inscription))

    for name, stated in ruleset.drawing.links.items():
        words = format_label(stated.name, lang) or format_attribute(attributes[name], lang)
        inscription = format_label(stated.inscription, lang)
        if not stated.values:
            add(name, None, words, stated.line, inscription)
        for value, value_words in _list_line_values(ruleset, name, stated, lang, value_texts) if stated.values else ():
            line = _merge_line_style(stated.line, stated.values.get(value, LineStyle()))
            is_named = bool(format_label(stated.name, lang))
            text = f"{words}: {value_words}" if is_named else format_named(name, words, value_words)
            add(name, value, text if value_words else words, line, inscription)
    for name, attribute in attributes.items() if not ruleset.drawing.links else ():
        words = format_attribute(attribute, lang)
        if isinstance(attribute.type, t.FlagType):
            add(name, None, words, LineStyle())
        elif _is_classified(attribute):
            for named in list_type_values(attribute.type, ruleset, lang):
                add(name, named.id, format_named(name, words, named.text), LineStyle())
    return tuple(lines)


def _is_classified(attribute: Attribute | None) -> bool:
    """Return True if the values of an attribute are words or rungs, which sort things into classes."""
    return attribute is not None and isinstance(attribute.type, t.OneOfType | t.RungType)


def _list_line_values(
    ruleset: Ruleset, name: str, stated: LinkStyle, lang: str, value_texts: StatedTexts
) -> list[tuple[str, str]]:
    """Return (value as written, text) for each value of links that has its own line; a flag has no text.

    `name`: the attribute or expression; `stated`: its style; `value_texts`: the known texts of an expression's values.
    """
    attribute = ruleset.kinds["edge"].attributes.get(name)
    if attribute is not None and isinstance(attribute.type, t.FlagType):
        return [("true", "")]
    known = list_type_values(attribute.type, ruleset, lang) if attribute is not None else []
    return [(named.id, named.text) for named in known] or list_values_with_text(
        ruleset, "edge", name, stated.values, lang, value_texts
    )


def _merge_line_style(line: LineStyle, change: LineStyle) -> LineStyle:
    """Return the line style `line` with the fields that `change` states."""
    stated = {name: value for name in LineStyle.__dataclass_fields__ if (value := getattr(change, name))}
    return replace(line, **stated)


def _complete_line_style(
    line: LineStyle, number: int, names: Sequence[str], is_grid: bool, is_border: bool
) -> LineStyle:
    """Return a line style completed by the defaults of its named style.

    `number`: the index of the line, which chooses a colour; `names`: its names, from which an unstated style is
    inferred; `is_grid`: the map has a grid; `is_border`: the line may run along borders.
    """
    style = line.style or find_line_style(names) or "line"
    course = get_default_course(style)
    if course == "along" and not is_border or course == "over" and not is_grid:
        course = "through" if not is_border else "along"
    source, mouth = _SMALL_RIVER if style == "river" and is_small_river(names) else _LINE_WIDTHS.get(style, (5, 5))
    if line.width:  # a river that states one width has it in the middle of its way
        source, mouth = (line.width * 3 // 4, line.width * 5 // 4) if style == "river" else (line.width, line.width)
    is_named, spare = style in _LINE_COLOURS, _LINES if is_grid else _AREA_LINES
    colour = _LINE_COLOURS[style] if is_named else spare[number % len(spare)]
    stroke = "solid" if is_grid or is_named or course != "along" else _AREA_STROKES[number % len(_AREA_STROKES)]
    chosen = LineStyle(course, colour, mouth, stroke, style, "", source)
    return _merge_line_style(chosen, replace(line, width=line.width if line.source else 0))


def _choose_side_colours(ruleset: Ruleset) -> dict[int, tuple[str, str]]:
    things = ruleset.kinds["side"].things
    letters = _choose_characters([("", side.id) for side in things], capital=True)
    chosen = {
        n: colour
        for n, side in enumerate(things)
        if (colour := ruleset.drawing.sides.get(n) or _find_named_colour(side))
    }
    spare = [colour for colour in _SIDES if colour not in chosen.values()] or list(_SIDES)
    for n in range(len(things)):
        if n not in chosen:
            chosen[n] = _SIDES[n] if n < len(_SIDES) and _SIDES[n] in spare else spare[0]
            spare = [colour for colour in spare if colour != chosen[n]] or list(_SIDES)
    return {n: (chosen[n], letter) for n, letter in enumerate(letters)}


def _find_named_colour(side: Thing) -> str:
    """Return the colour that the id or the English label of a side names, such as "reds", or ""."""
    words = f"{side.id.replace('_', ' ')} {format_label(side.label, 'en')}".casefold().split()
    return next((_NAMED[key] for word in words for key in (word, word.removesuffix("s")) if key in _NAMED), "")


def _resolve_counter(ruleset: Ruleset, cls: str) -> CounterStyle:
    """Return the style of a class's counters: the stated one, or a default with an arrow if they have a direction.

    Markers and owner are chosen by the types of attributes if the author states none. `cls`: the id of the class.
    """
    look = ruleset.drawing.counters.get(cls)
    attributes = ruleset.kinds["piece"].attributes
    plain = {name: get_inner_type(attributes[name].type) for name in ruleset.classes[cls].attributes}
    if look is None:
        arrow = next((name for name, type in plain.items() if isinstance(type, t.DirectionType)), "")
        look = CounterStyle(arrow=arrow)
    if look.markers is None:
        shown_keys = (look.sign_by, look.band_by, look.arrow)
        chosen = choose_markers(ruleset, cls)
        look = replace(look, markers=tuple(group for group in chosen if group.by not in shown_keys))
    if look.owner:
        return look
    return replace(look, owner=next((name for name, type in plain.items() if type == t.SIDE), ""))
