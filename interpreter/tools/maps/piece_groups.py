"""Group the pieces by place: at the start according to the documents, or in a game's current state.

Pieces that the rules place before the first decision are known only from a game. Never runs the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from interpreter.i18n.translator import Message
from interpreter.model.drawing import CounterStyle, MapDrawing
from interpreter.model.ruleset import Ruleset, Scenario, Thing
from interpreter.play.game import Game
from interpreter.play.template_values import (
    find_template_value,
    format_documented_value,
    format_short_form,
    format_template,
    format_turn_title,
    is_template_true,
)
from interpreter.runtime.limits import one_budget
from interpreter.tools.describe.value_format import to_plain_value
from interpreter.tools.maps.style import choose_fill_key


@dataclass(frozen=True, slots=True)
class PlacedGroup:
    """`count` pieces that look alike at one place, with their common values and short form.

    `piece` and `handle`: one of the pieces; `members`: the handles of all.
    """

    piece: Thing
    handle: int
    values: Mapping[str, Any]
    count: int
    short: str = ""
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownPosition:
    """The position shown on a sheet.

    `groups`: pieces by handle of their place. `when`: the moment as text, "" for the documents alone. `texts`: by place
    and key, texts written on spaces besides attributes. `marked`: by place, the texts of the marks drawn there, by mark
    number. `places`, `links`: by handle, values in their written form, also of the expressions that determine looks.
    `look_values`: by attribute or expression that determines a look, the text of each value. `off_map_groups`: pieces
    by handle of their place off the map, known only from a game. `turn`: the number of the current turn, 0 without a
    game. `titles`: names of turns by number, if requested.
    """

    scenario: Scenario | None
    groups: Mapping[int, list[PlacedGroup]]
    when: Message | str = ""
    texts: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    marked: Mapping[int, Mapping[int, str]] = field(default_factory=dict)
    places: Sequence[Mapping[str, Any]] = ()
    links: Sequence[Mapping[str, Any]] = ()
    look_values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    off_map_groups: Mapping[int, list[PlacedGroup]] = field(default_factory=dict)
    turn: int = 0
    titles: Mapping[int, str] = field(default_factory=dict)

    def mark_characters(self, drawing: MapDrawing) -> dict[int, str]:
        """Return the characters of the marks drawn at each place, by handle."""
        return {place: "".join(drawing.marks[n].mark for n in sorted(marks)) for place, marks in self.marked.items()}

    @property
    def ground(self) -> tuple[object, ...]:
        """Return the values and texts of the position that the map shows apart from counters."""
        return self.places, self.links, self.marked, self.texts


def build_initial_position(ruleset: Ruleset, scenario: Scenario | None, when: Message | str = "") -> ShownPosition:
    """Return the position that the documents alone define.

    Its marks are only the signs that depend on an attribute. `when`: the time shown in the title.
    """
    marks = [(n, mark) for n, mark in enumerate(ruleset.drawing.marks) if mark.attribute and not mark.text]
    marked = {
        handle: {n: "" for n, mark in marks if place.values.get(mark.attribute) not in (None, False)}
        for handle, place in enumerate(ruleset.kinds["place"].things)
    }
    places, links = ([thing.values for thing in ruleset.kinds[kind].things] for kind in ("place", "edge"))
    groups = group_starting_pieces(ruleset, scenario)
    return ShownPosition(scenario, groups, when, marked=marked, places=places, links=links)


@one_budget()
def build_current_position(
    ruleset: Ruleset, scenario: Scenario | None, game: Game, when: Message | str, lang: str = ""
) -> ShownPosition:
    """Return the current position of a game, as a map shows it.

    `when`: the time shown in the title; short forms of pieces and texts on spaces are in `lang`.
    """
    values = _collect_values(ruleset, game, "piece", ())
    for handle, piece in enumerate(ruleset.kinds["piece"].things):
        look = ruleset.drawing.counters.get(piece.cls or "", CounterStyle())
        values[handle] |= _evaluate_texts(game, look.numbers, handle, lang) | _evaluate_looks(game, look, handle)
    places = range(len(ruleset.kinds["place"].things))
    written = {handle: _evaluate_texts(game, ruleset.drawing.numbers, handle, lang) for handle in places}
    shorts = [format_short_form(game.state, "piece", handle, lang) for handle in range(len(values))]
    standing = group_pieces(ruleset, values, list(game.state.at), shorts)
    beside = group_pieces(ruleset, values, list(game.state.at), shorts, off_map=True)
    drawing, fill = ruleset.drawing, choose_fill_key(ruleset)
    look_values = {
        name: {value: format_documented_value(game.program, kind, name, value, lang) for value in values}
        for kind, name, values in _iter_look_keys(drawing, fill)
    }
    return ShownPosition(
        scenario,
        standing,
        when,
        written,
        _evaluate_marks(ruleset, game, lang),
        _collect_values(ruleset, game, "place", (fill,)),
        _collect_values(ruleset, game, "edge", drawing.links),
        look_values,
        beside,
        game.turn,
    )


def list_turns(scenario: Scenario | None) -> range:
    """Return the turn numbers of a scenario, empty if it has no last turn."""
    if scenario is None or scenario.turns is None:
        return range(0)
    return range(scenario.first_turn, scenario.turns + 1)


@one_budget()
def add_turn_titles(position: ShownPosition, game: Game, lang: str = "") -> ShownPosition:
    """Return the position with the title of each turn of the scenario."""
    titles = {
        turn: format_turn_title(game.program, game.scenario, turn, lang) for turn in list_turns(position.scenario)
    }
    return replace(position, titles=titles)


def _iter_look_keys(drawing: MapDrawing, fill: str) -> Iterator[tuple[str, str, Iterable[str]]]:
    """Yield (kind, key, values with a look) for each key that determines the look of places, links or pieces.

    `fill`: the key that determines the colour of spaces.
    """
    yield "place", fill, drawing.looks
    for name, link in drawing.links.items():
        yield "edge", name, link.values
    for look in drawing.counters.values():
        yield "piece", look.sign_by, look.signs
        yield "piece", look.band_by, look.bands
        for group in look.markers or ():
            yield "piece", group.by, group.looks


def _collect_values(ruleset: Ruleset, game: Game, kind: str, looks: Iterable[str]) -> list[dict[str, Any]]:
    """Return the current values of each thing of a kind, by handle.

    `looks`: the keys that determine looks; a key that names an expression is evaluated for each thing as well.
    """
    changing = {
        name: getattr(game.state, slot) for slot, column_kind, name, _ in game.program.columns if column_kind == kind
    }
    keys = [key for key in looks if key in game.program.data["worded"]]
    values = []
    for handle, thing in enumerate(ruleset.kinds[kind].things):
        changed = {name: column[handle] for name, column in changing.items()}
        values.append(
            {**thing.values, **changed} | {key: find_template_value(game.state, kind, key, handle) for key in keys}
        )
    return values


def _evaluate_looks(game: Game, style: CounterStyle, handle: int) -> dict[str, Any]:
    """Return the values of the expressions that determine a counter's look, by key; the owner as a handle.

    `handle`: the handle of the piece.
    """
    known = game.program.data["worded"]
    keys = (style.owner, style.arrow, style.sign_by, style.band_by, *(group.by for group in style.markers or ()))
    values: dict[str, Any] = {
        key: find_template_value(game.state, "piece", key, handle) for key in keys if key in known
    }
    if style.owner in values:
        values[style.owner] = game.program.handles["side"].get(values[style.owner])
    return values


def _evaluate_marks(ruleset: Ruleset, game: Game, lang: str) -> dict[int, dict[int, str]]:
    return {
        handle: {
            n: format_template(game.state, mark.text, (handle,), lang)
            for n, mark in enumerate(ruleset.drawing.marks)
            if is_template_true(game.state, mark.when, (handle,))
        }
        for handle in range(len(ruleset.kinds["place"].things))
    }


def _evaluate_texts(game: Game, keys: Sequence[str], handle: int, lang: str) -> dict[str, str]:
    """Return the text of each key that names a text template, evaluated for the thing with handle `handle`.

    Other keys, such as names of attributes, and empty texts are left out.
    """
    known = [key for key in keys if key in game.program.data["worded"]]
    return {key: text for key in known if (text := format_template(game.state, key, (handle,), lang))}


def find_default_scenario(ruleset: Ruleset) -> Scenario | None:
    """Return the default scenario, or None if the ruleset has none."""
    scenarios = [*ruleset.scenarios.values()]
    return next((s for s in scenarios if s.default), scenarios[0] if scenarios else None)


def group_starting_pieces(ruleset: Ruleset, scenario: Scenario | None) -> dict[int, list[PlacedGroup]]:
    """Return the starting pieces on the map by place handle; pieces that look alike form one group."""
    return group_pieces(ruleset, *_start(ruleset, scenario))


def group_pieces(
    ruleset: Ruleset,
    values: list[dict[str, Any]],
    locations: list[int | None],
    shorts: Sequence[str] = (),
    off_map: bool = False,
) -> dict[int, list[PlacedGroup]]:
    """Group the pieces that look alike, by the handle of their place, in order of the handles.

    `values`, `locations` (place handles) and `shorts` (short forms) are given by piece handle. `off_map`: return the
    pieces in holding places instead of the pieces on the map.
    """
    places = ruleset.kinds["place"].things
    alike = {cls.id for cls in ruleset.classes.values() if cls.alike}
    groups: dict[int, list[PlacedGroup]] = {}
    for handle, piece in enumerate(ruleset.kinds["piece"].things):
        place = locations[handle]
        if place is None or (places[place].holding is not None) != off_map:
            continue
        members, short = groups.setdefault(place, []), shorts[handle] if shorts else ""
        for n, other in enumerate(members):
            is_same = (other.piece.cls, other.values, other.short) == (piece.cls, values[handle], short)
            if piece.cls in alike and is_same:
                members[n] = replace(other, count=other.count + 1, members=(*other.members, handle))
                break
        else:
            members.append(PlacedGroup(piece, handle, values[handle], 1, short, (handle,)))
    return {place: groups[place] for place in sorted(groups)}


def serialize_groups(ruleset: Ruleset, groups: Mapping[int, list[PlacedGroup]]) -> list[dict[str, Any]]:
    """Return the groups as JSON data: one entry for each place, with its pieces and their values."""
    attributes, places = ruleset.kinds["piece"].attributes, ruleset.kinds["place"].things

    def serialize_entry(group: PlacedGroup) -> dict[str, Any]:
        names = ruleset.classes[group.piece.cls or ""].attributes
        values = {n: to_plain_value(group.values.get(n), attributes[n].type, ruleset) for n in names}
        return {"id": group.piece.id, "class": group.piece.cls, "count": group.count, "attributes": values}

    return [
        {"place": places[place].id, "pieces": [serialize_entry(group) for group in members]}
        for place, members in groups.items()
    ]


def _start(ruleset: Ruleset, scenario: Scenario | None) -> tuple[list[dict[str, Any]], list[int | None]]:
    """Return the values and the place (None off the map) of every piece at the start, by piece handle."""
    pieces = ruleset.kinds["piece"].things
    values = [dict(p.values) for p in pieces]
    locations = [p.at for p in pieces]
    if scenario is None:
        return values, locations
    position = scenario.position
    placed: set[int] = set()
    for handle, stated in position.pieces.items():
        placed.add(handle)
        locations[handle] = stated.get("at", locations[handle])
        values[handle].update({k: v for k, v in stated.items() if k != "at"})
    for group in position.groups:
        counters = ruleset.classes[group.cls].counters
        unplaced = [n for n, p in enumerate(pieces) if p.cls == group.cls and n not in placed]
        for handle in [n for n in unplaced if _can_take_group_values(pieces[n], group.values, counters, ruleset)][
            : group.number
        ]:
            placed.add(handle)
            locations[handle] = group.place
            values[handle].update(group.values)
    return values, locations


def _can_take_group_values(
    piece: Thing, group_values: tuple[tuple[str, Any], ...], counters: tuple[str, ...], ruleset: Ruleset
) -> bool:
    """Return True if a piece can take the values that a scenario states for a group of pieces.

    A constant attribute must already have the stated value. `group_values`: (attribute, value) pairs; `counters`: the
    attributes by which the class of the piece names equal pieces, all others are ignored.
    """
    attributes = ruleset.kinds["piece"].attributes
    return all(attributes[n].changes or piece.values.get(n) == v for n, v in group_values if n in counters)
