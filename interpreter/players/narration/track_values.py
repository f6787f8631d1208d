"""Track values: the current values of tracks and markers, of the game, of sides and of a ruleset's own things.

Selects the values worth showing; their layout is up to the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.runtime.localizer import Localizer
from interpreter.runtime.program import value_of

Data = Mapping[str, Any]
_NOTHING: tuple[Any, ...] = (None, False, "", [], ())
_MAX_ALWAYS_SHOWN = 8  # up to this many things of a kind, their rungs and words are shown even if unchanged
_APART = ("side", "seat", "piece", "place", "edge")  # kinds that every ruleset has


@dataclass(frozen=True, slots=True)
class TrackValue:
    """One value with its label and text.

    `steps` is the length of its track and `at` its position there, from 0; both are 0 for values without a track.
    """

    label: str
    value: Any
    text: str
    steps: int = 0
    at: int = 0

    def render(self) -> str:
        """Render the value with its label, a flag by its label alone."""
        return self.label if self.value is True else f"{self.label} {self.text}"


def collect_game_values(view: Data, localizer: Localizer) -> list[TrackValue]:
    """Return the values of the game as a whole; temporary ones only while they differ from their default."""
    readings = []
    for _, name, attribute in localizer.data["game"]:
        value = view.get("game", {}).get(name)
        is_usual = attribute["lasts"] and value == attribute["default"]
        if attribute["told"] and value is not None and value is not False and not is_usual:
            readings.append(read_track_value(attribute, value, localizer))
    return readings


def collect_side_values(view: Data, localizer: Localizer) -> dict[str, dict[str, TrackValue]]:
    """Return the variable values of each side by side and attribute, except those that are 0, empty or the default."""
    attributes = {n: a for n, a in localizer.get_kind("side")["attributes"].items() if a["changes"] and a["told"]}
    readings: dict[str, dict[str, TrackValue]] = {}
    for side, values in view["sides"].items():
        for name, attribute in attributes.items():
            value = values.get(name)
            if value in _NOTHING or value == 0:
                continue
            reading = read_track_value(attribute, value, localizer)
            if not attribute["lasts"] or not is_default(attribute, reading.text, localizer):
                readings.setdefault(side, {})[name] = reading
    return readings


def collect_changed_values(
    values: Data, attributes: Data, localizer: Localizer, *, stands: bool = False
) -> dict[str, TrackValue]:
    """Return the variable values that differ from their defaults, by attribute.

    `values`: the values of a thing by attribute; `attributes`: the description of each attribute. With `stands`, also
    permanent rungs and words at their default, because a marker is always somewhere on its track.
    """
    readings = {}
    for name, attribute in attributes.items():
        if not attribute["changes"] or not attribute["told"] or values.get(name) in _NOTHING:
            continue
        reading, sort = read_track_value(attribute, values[name], localizer), attribute["show"][0]
        is_mark = stands and sort in ("rung", "word") and not attribute["lasts"]
        if is_mark or sort == "thing" or not is_default(attribute, reading.text, localizer):
            readings[name] = reading
    return readings


def collect_thing_values(view: Data, localizer: Localizer) -> dict[str, dict[str, dict[str, TrackValue]]]:
    """Return values of things of the ruleset's own kinds that differ from their initial value, by kind, id, attribute.

    If a kind has few things, rungs and words are included even if they have their initial value.
    """
    readings_by_kind: dict[str, dict[str, dict[str, TrackValue]]] = {}
    for kind in localizer.data["kinds"]:
        if kind not in _APART:
            things, attributes = view.get(localizer.get_kind(kind)["many"], {}), localizer.get_kind(kind)["attributes"]
            stands = len(things) <= _MAX_ALWAYS_SHOWN
            changed = {
                thing: collect_changed_values(values, attributes, localizer, stands=stands)
                for thing, values in things.items()
            }
            if own := {thing: readings for thing, readings in changed.items() if readings}:
                readings_by_kind[kind] = own
    return readings_by_kind


def read_track_value(attribute: Data, value: object, localizer: Localizer) -> TrackValue:
    """Return a value with its position on its track: the rungs of a ladder, or the numbers between two bounds.

    `attribute`: the description of the attribute.
    """
    show, text = attribute["show"], localizer.format_id_value(attribute["show"], value)
    show = show[1] if show[0] == "maybe" and value is not None else show
    steps = at = 0
    if show[0] == "rung":
        rungs = localizer.data["ladders"][show[1]]["rungs"]
        steps, at = len(rungs), rungs.index(value)
    elif show[0] == "int" and attribute["low"] is not None and attribute["high"] is not None:
        steps, at = attribute["high"] - attribute["low"] + 1, value - attribute["low"]
    return TrackValue(localizer.translate_attribute(attribute), value, text, steps, at)


def is_default(attribute: Data, text: str, localizer: Localizer) -> bool:
    """Return whether `text` renders the default value of an attribute.

    Texts are compared because the description of the attribute holds handles while the view holds ids.
    """
    default = attribute["default"]
    return default is not None and localizer.format_value(attribute["show"], value_of(default)) == text
