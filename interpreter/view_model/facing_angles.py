"""Directions that orders give a counter, as angles, read from the option argument that the counter's arrow shows."""

from __future__ import annotations

from typing import Any

from interpreter.players.orders.matching import Choosable
from interpreter.runtime.type_aliases import Show
from interpreter.tools.maps.style import counter_styles
from interpreter.view_model.view_context import ViewContext


class FacingAngles:
    """The types of the values that a ruleset's counters show as an arrow, with the angle of each value."""

    def __init__(self, context: ViewContext) -> None:
        self._layout = context.layout
        attributes = context.rules.program.kinds["piece"]["attributes"]
        self._angles: dict[tuple[Any, ...], dict[str, float]] = {}
        for look in counter_styles(context.ruleset).values():
            if look.arrow in attributes:
                angles = {value: float(angle) for value, angle in look.angles.items()}
                self._angles.setdefault(_unwrap_maybe(attributes[look.arrow]["show"]), {}).update(angles)

    def angle(self, option: Choosable) -> float | None:
        """Return the facing that an option gives, in degrees clockwise from the top, or None if it gives none."""
        found = None
        for name, show in option.shows.items() if self._angles else ():
            angles, value = self._angles.get(_unwrap_maybe(show)), option.args.get(name)
            if angles is not None and isinstance(value, str):
                found = angles[value] if value in angles else self._layout.toward(value)
        return found


def _unwrap_maybe(show: Show) -> tuple[Any, ...]:
    """Return a type without "maybe", hashable."""
    while show and show[0] == "maybe":
        show = show[1]
    return tuple(map(str, show))
