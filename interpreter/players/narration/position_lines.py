"""Position lines: render a position: the pieces in each place, the changes since another position, the turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.play.game import Game
from interpreter.play.lines import begin_sentence
from interpreter.play.template_values import format_turn, list_short_form_attributes
from interpreter.play.views import build_all_views
from interpreter.players.narration.track_values import (
    TrackValue,
    collect_changed_values,
    collect_game_values,
    collect_side_values,
    collect_thing_values,
)
from interpreter.players.ownership import find_side_of_thing
from interpreter.runtime.localizer import Localizer

Data = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PositionText:
    """A position rendered by subject, so that two positions can be compared.

    `general` holds the game's values; `sides`, `places` (on the map), `holdings` (off the map) and `edges` are keyed
    by id, `others` by kind and id. Subjects without text are left out.
    """

    heading: str
    general: tuple[str, ...]
    sides: Mapping[str, str]
    places: Mapping[str, str]
    holdings: Mapping[str, str]
    edges: Mapping[str, str]
    others: Mapping[str, Mapping[str, str]]


def render_position(game: Game, localizer: Localizer, view: Data | None = None) -> PositionText:
    """Render a game's position, with what the ruleset's views show of the game, the sides and the seats.

    `view`: the position as `Game.view` returns it, computed unless it is given.
    """
    view = game.view() if view is None else view
    own_views = {
        kind: {
            thing: localizer.join_list(f"{label} {text}".rstrip() for label, text, _ in own)
            for thing, own in of.items()
        }
        for kind, of in build_all_views(game.state, localizer.lang).items()
    }
    pieces_at = group_pieces_by_place(view)
    on_map: dict[str, str] = {}
    off_map: dict[str, str] = {}
    attributes = _list_shown_attributes("place", localizer)
    for place in localizer.get_kind("place")["things"]:
        stack = render_stack(pieces_at[place["id"]], localizer) if place["id"] in pieces_at else []
        changed = _format_changed_values(view["places"].get(place["id"], {}), attributes, localizer)
        if stack or changed:
            (off_map if place["holding"] else on_map)[place["id"]] = localizer.join_texts([*stack, *changed])
    readings = [f"{reading.label} {reading.text}" for reading in collect_game_values(view, localizer)]
    general = (*filter(None, [localizer.join_list(readings)]), *filter(None, own_views.get("", {}).values()))
    sides = {
        side: localizer.join_list(reading.render() for reading in values.values())
        for side, values in collect_side_values(view, localizer).items()
    }
    more_sides, seats = own_views.get("side", {}), own_views.get("seat")
    side_texts = {
        side: localizer.join_texts(text for text in (sides.get(side), more_sides.get(side)) if text)
        for side in view["sides"]
        if side in sides or side in more_sides
    }
    other_things = {**({"seat": seats} if seats else {}), **_format_other_things(view, localizer)}
    edges = _render_changed_edges(view, localizer)
    return PositionText(render_heading(view, localizer), general, side_texts, on_map, off_map, edges, other_things)


def position_lines(game: Game, localizer: Localizer) -> list[str]:
    """Render turn and phase, sides and game values, then each occupied place, those off the map last."""
    return render_position_sections(render_position(game, localizer), localizer, is_complete=True)


def render_position_sections(now: PositionText, localizer: Localizer, *, is_complete: bool) -> list[str]:
    """Render all lines of a position; the places off the map only if `is_complete`."""
    lines = [now.heading, *now.general, *_render_section("side", now.sides, localizer)]
    for kind, texts in now.others.items():
        lines += _render_section(kind, texts, localizer)
    lines += (
        [localizer.say("on the map:"), *_render_section("place", now.places, localizer)]
        if now.places
        else [localizer.say("no pieces on the map")]
    )
    if now.holdings and is_complete:
        lines += [localizer.say("off the map:"), *_render_section("place", now.holdings, localizer)]
    return lines + (
        [localizer.say("between places:"), *_render_section("edge", now.edges, localizer)] if now.edges else []
    )


def render_short_position(now: PositionText, game: Game, localizer: Localizer) -> list[str]:
    """Render a position without its places: turn and phase, values, and how many pieces each side has on the map."""
    program, state = game.program, game.state
    sides = (find_side_of_thing(state, "piece", n) for n, place in enumerate(state.at) if program.on_map[place])
    counted = [f"{localizer.get_thing_name('side', side)} {number}" for side, number in Counter(sides).items() if side]
    lines = [now.heading, *now.general, *_render_section("side", now.sides, localizer)]
    if counted:
        lines.append(localizer.say("pieces on the map: {counted}", counted=localizer.join_list(counted)))
    return [
        *lines,
        localizer.say("(`position` lists everything, `front` shows where the sides meet, `map` draws the map)"),
    ]


def render_changes(before: PositionText, now: PositionText, localizer: Localizer) -> list[str]:
    """Render the heading and the differences from the position `before` to `now`, in the order of the position."""
    lines = [now.heading, *(f"  {line}" for line in now.general if line not in before.general)]
    lines += _render_section_changes("side", before.sides, now.sides, localizer)
    for kind in dict.fromkeys([*before.others, *now.others]):
        lines += _render_section_changes(kind, before.others.get(kind, {}), now.others.get(kind, {}), localizer)
    lines += _render_section_changes("place", before.places, now.places, localizer)
    return lines + _render_section_changes("edge", before.edges, now.edges, localizer)


def _render_section(kind: str, texts: Mapping[str, str], localizer: Localizer) -> list[str]:
    return ["  " + localizer.prefix_topic(localizer.get_thing_name(kind, thing), text) for thing, text in texts.items()]


def _render_section_changes(
    kind: str, before: Mapping[str, str], now: Mapping[str, str], localizer: Localizer
) -> list[str]:
    order = [t["id"] for t in localizer.get_kind(kind)["things"] if before.get(t["id"]) != now.get(t["id"])]
    empty = localizer.say("empty now") if kind == "place" else localizer.say("back to normal")
    return _render_section(kind, {thing: now.get(thing, empty) for thing in order}, localizer)


def render_heading(view: Data, localizer: Localizer) -> str:
    """Render turn and phase as a separate line: "Turn 3, Fire Phase"."""
    return begin_sentence(describe_moment(view, localizer))


def describe_moment(view: Data, localizer: Localizer) -> str:
    """Render turn and phase as a part of a line: "turn 3, Fire Phase"."""
    phase = format_phase_title(view.get("phase"), localizer, view.get("phase_values", ()))
    turn = format_turn(localizer, view["turn"], view.get("scenario"))
    return localizer.join_list([turn, phase]) if phase else turn


def format_phase_title(phase: str | None, localizer: Localizer, values: Iterable[object] = ()) -> str:
    """Return the title of a phase, or '' if `phase` is None; `values` fill the placeholders of the title."""
    return localizer.format_phase_title(phase, tuple(values)) if phase else ""


def group_pieces_by_place(view: Data) -> dict[str, list[tuple[str, Data]]]:
    """Group pieces (id, values) by their place."""
    pieces: dict[str, list[tuple[str, Data]]] = {}
    for piece, values in view["pieces"].items():
        pieces.setdefault(values["at"], []).append((piece, values))
    return pieces


def render_stack(pieces: Iterable[tuple[str, Data]], localizer: Localizer) -> list[str]:
    """Render pieces (id, attributes) in one place, a line each: interchangeable ones counted, others by name."""
    groups: dict[str, dict[str, int]] = {}
    singles: list[str] = []
    things, handles = localizer.get_kind("piece")["things"], localizer.program.handles["piece"]
    attributes = localizer.get_kind("piece")["attributes"]
    for piece, values in pieces:
        cls = localizer.data["classes"].get(things[handles[piece]]["cls"] if piece in handles else "", {})
        counters = cls.get("counters") or ()
        short = localizer.translate_label(values["short"]) if values.get("short") else ""
        in_short = list_short_form_attributes(localizer.program, "piece", handles[piece]) if values.get("short") else ()
        own = {n: attributes[n] for n in cls.get("attributes", attributes) if n in attributes and n not in in_short}
        state = _format_changed_values(values, {n: a for n, a in own.items() if n not in counters}, localizer)
        if not counters or not cls.get("alike"):
            changed_values = [
                localizer.format_id_value(attributes[n]["show"], values.get(n))
                for n in counters
                if attributes[n]["changes"]
            ]
            more = localizer.join_list([*changed_values, *state])
            singles.append(localizer.with_detail(f"{localizer.get_thing_name('piece', piece)} {short}".rstrip(), more))
            continue
        labels = [localizer.format_attribute("piece", piece, n, values)[1] for n in counters]
        further = [text for n, text in zip(counters[1:], labels[1:], strict=True) if n not in in_short]
        rest = " ".join([*further, *([short] if short else []), *(f"({s})" for s in state)])
        counts = groups.setdefault(labels[0], {})
        counts[rest] = counts.get(rest, 0) + 1
    lines = [
        f"{name} {localizer.join_list(f'{number} {rest}'.strip() for rest, number in counts.items())}"
        for name, counts in groups.items()
    ]
    return lines + singles


def _list_shown_attributes(kind: str, localizer: Localizer) -> Data:
    """Return the descriptions of the attributes of a kind that can change and be shown, by name."""
    return {n: a for n, a in localizer.get_kind(kind)["attributes"].items() if a["changes"] and a["told"]}


def _format_changed_values(values: Data, attributes: Data, localizer: Localizer) -> list[str]:
    """Render the variable attributes of a thing that differ from their defaults; a flag that is on is only its name.

    `values`: the values by attribute; `attributes`: the description of each attribute.
    """
    return [_format_reading(reading) for reading in collect_changed_values(values, attributes, localizer).values()]


def _format_reading(reading: TrackValue) -> str:
    return format_labelled_value(reading.label, reading.value, reading.text)


def format_labelled_value(label: str, value: object, text: str) -> str:
    """Render `text`, the text of `value`, with its label.

    A flag that is on is rendered as its label alone; a text that contains the label as a word is rendered without it.
    """
    return label if value is True else text if label.casefold() in text.casefold().split() else f"{label} {text}"


def _render_changed_edges(view: Data, localizer: Localizer) -> dict[str, str]:
    """Render the values of each edge that differ from their defaults, by id; edges without any are omitted."""
    attributes = _list_shown_attributes("edge", localizer)
    edges = view.get("edges", {}) if attributes else {}
    texts_by_thing = {edge: _format_changed_values(values, attributes, localizer) for edge, values in edges.items()}
    return {thing: localizer.join_list(texts) for thing, texts in texts_by_thing.items() if texts}


def _format_other_things(view: Data, localizer: Localizer) -> dict[str, dict[str, str]]:
    """Render the values that differ from their defaults, of things of the ruleset's own kinds, by kind and id."""
    return {
        kind: {thing: localizer.join_list(map(_format_reading, readings.values())) for thing, readings in own.items()}
        for kind, own in collect_thing_values(view, localizer).items()
    }
