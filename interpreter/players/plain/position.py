"""The position in words: who stands where, what has changed, which turn it is.

Makes lines from a game's view and the ruleset's words; must not print them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from interpreter.players.words import Words
from interpreter.runtime.program import value_of

Data = Mapping[str, Any]


def position_lines(view: Data, words: Words, *, whole: bool = True) -> list[str]:
    """Turn and phase; the sides and game-wide values; each place where something stands.

    `whole`: also the places off the map.
    """
    lines = [heading(view, words)]
    lines += _game_lines(view, words)
    lines += _side_lines(view, words)
    here = pieces_by_place(view)
    on_map: list[str] = []
    off_map: list[str] = []
    for place in words.kind("place")["things"]:
        told = company(here[place["id"]], words) if place["id"] in here else []
        changed = _changed(view["places"].get(place["id"], {}), words.kind("place")["attributes"], words)
        text = "; ".join([*told, *changed])
        if text:
            (off_map if place["holding"] else on_map).append(f"  {words.thing('place', place['id'])}: {text}")
    lines += ["on the map:", *on_map] if on_map else ["nothing stands on the map"]
    lines += ["off the map:", *off_map] if off_map and whole else []
    edges = _edge_lines(view, words)
    return lines + (["between places:", *edges] if edges else [])


def heading(view: Data, words: Words) -> str:
    """ "turn 3, Fire Phase"."""
    phase = phase_title(view.get("phase"), words)
    return f"turn {view['turn']}" + (f", {phase}" if phase else "")


def phase_title(phase: Any, words: Words) -> str:
    """What a phase is called."""
    described = words.data.get("phases", {}).get(phase)
    return str(described["title"]) if described else (phase or "")


def place_lines(place: str, view: Data, words: Words) -> list[str]:
    """Everything about one place: what it is, whom it touches, who stands there."""
    lines = [words.thing("place", place)]
    attributes = words.kind("place")["attributes"]
    handle = words.program.handles["place"][place]
    for name, attribute in attributes.items():
        if attribute["changes"]:
            given = view["places"][place].get(name)
            text = words.value(attribute["show"], given)
        else:
            given = words.program.constants[("place", name)][handle]
            text = words.handle_value(attribute["show"], given)
        if given not in (None, False, "", [], (), 0):
            lines.append(f"  {words.attribute(attribute)}: {text}")
    touching = _neighbours(place, words)
    lines.append("  touches " + (", ".join(touching) if touching else "no other place"))
    told = company(pieces_by_place(view).get(place, ()), words)
    lines += [f"  {line}" for line in told] or ["  nobody stands there"]
    return lines


def pieces_by_place(view: Data) -> dict[str, list[tuple[str, Data]]]:
    """Pieces (id, values) by the place they stand in."""
    found: dict[str, list[tuple[str, Data]]] = {}
    for piece, values in view["pieces"].items():
        found.setdefault(values["at"], []).append((piece, values))
    return found


def company(pieces: Iterable[tuple[str, Data]], words: Words) -> list[str]:
    """Who stands together: alike pieces counted by their counters, others by name."""
    groups: dict[str, dict[str, int]] = {}
    singles: list[str] = []
    classes = _classes(words)
    attributes = words.kind("piece")["attributes"]
    for piece, values in pieces:
        cls = words.data["classes"].get(classes.get(piece, ""), {})
        counters = cls.get("counters") or ()
        own = {n: attributes[n] for n in cls.get("attributes", attributes) if n in attributes}
        state = _changed(values, {n: a for n, a in own.items() if n not in counters}, words)
        if not counters or not cls.get("alike"):
            shown = [
                words.value(attributes[n]["show"], values.get(n))
                for n in counters
                if attributes[n]["changes"]
            ]
            more = ", ".join([*shown, *state])
            singles.append(words.thing("piece", piece) + (f" ({more})" if more else ""))
            continue
        named = [_piece_value(piece, n, values, words) for n in counters]
        rest = " ".join([*named[1:], *(f"({s})" for s in state)])
        counts = groups.setdefault(named[0], {})
        counts[rest] = counts.get(rest, 0) + 1
    told = [
        f"{name} {', '.join(f'{number} {rest}'.strip() for rest, number in counts.items())}"
        for name, counts in groups.items()
    ]
    return told + singles


def _piece_value(piece: str, name: str, values: Data, words: Words) -> str:
    """An attribute of a piece in words, whether it can change or not."""
    attribute = words.kind("piece")["attributes"][name]
    if attribute["changes"]:
        return words.value(attribute["show"], values[name])
    constant = words.program.constants[("piece", name)][words.program.handles["piece"][piece]]
    return words.handle_value(attribute["show"], constant)


def _classes(words: Words) -> dict[str, str]:
    return {t["id"]: t["cls"] for t in words.kind("piece")["things"]}


def _changed(values: Data, attributes: Data, words: Words) -> list[str]:
    """Values that can change and are not what they usually are; a flag that is up by its name alone."""
    told = []
    for name, attribute in attributes.items():
        if not attribute["changes"] or name not in values:
            continue
        value = values[name]
        text = words.value(attribute["show"], value)
        if value in (None, False, "", [], ()) or _is_default(attribute, text, words):
            continue
        told.append(words.attribute(attribute) if value is True else f"{words.attribute(attribute)} {text}")
    return told


def _is_default(attribute: Data, text: str, words: Words) -> bool:
    """True for the value an attribute begins with; the description holds handles, so words are compared."""
    default = attribute["default"]
    return default is not None and words.handle_value(attribute["show"], value_of(default)) == text


def _game_lines(view: Data, words: Words) -> list[str]:
    told = []
    for _, name, attribute in words.data["game"]:
        value = view.get("game", {}).get(name)
        if value is None or value is False or attribute["lasts"] and value == attribute["default"]:
            continue
        told.append(f"{words.attribute(attribute)} {words.value(attribute['show'], value)}")
    return [", ".join(told)] if told else []


def _side_lines(view: Data, words: Words) -> list[str]:
    attributes = words.kind("side")["attributes"]
    lines = []
    for side, values in view["sides"].items():
        told = []
        for name, attribute in attributes.items():
            value = values.get(name)
            if not attribute["changes"] or value in (None, False, "", [], ()):
                continue
            text = words.value(attribute["show"], value)
            if attribute["lasts"] and _is_default(attribute, text, words) or value == 0:
                continue
            told.append(
                words.attribute(attribute) if value is True else f"{words.attribute(attribute)} {text}"
            )
        if told:
            lines.append(f"  {words.thing('side', side)}: {', '.join(told)}")
    return lines


def _edge_lines(view: Data, words: Words) -> list[str]:
    attributes = words.kind("edge")["attributes"]
    lines = []
    for edge, values in view.get("edges", {}).items():
        told = _changed(values, attributes, words)
        if told:
            lines.append(f"  {words.thing('edge', edge)}: {', '.join(told)}")
    return lines


def _neighbours(place: str, words: Words) -> list[str]:
    things = words.kind("place")["things"]
    number = next((n for n, t in enumerate(things) if t["id"] == place), None)
    found = []
    for edge in words.kind("edge")["things"]:
        ends = edge["ends"]
        if ends and number in ends:
            other = things[ends[1] if ends[0] == number else ends[0]]["id"]
            found.append(words.thing("place", other))
    return found
