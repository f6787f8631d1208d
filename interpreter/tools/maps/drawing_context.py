"""The shared inputs of all parts of a map picture. Draws nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.i18n.translator import Translator
from interpreter.model.drawing import CounterStyle
from interpreter.model.ruleset import Ruleset
from interpreter.tools.describe.ruleset_names import add_names
from interpreter.tools.maps.geometry import MapGeometry, compute_geometry
from interpreter.tools.maps.piece_groups import PlacedGroup, ShownPosition
from interpreter.tools.maps.style import MapStyle, resolve_style


@dataclass(frozen=True, slots=True)
class DrawingContext:
    """The documents, geometry, style and shown position of a map; ruleset texts are in `lang`.

    `say` also knows the names of the ruleset. `is_linked`: scans of counters are named by address,
    for a page that serves them, instead of being part of the picture.
    """

    ruleset: Ruleset
    geometry: MapGeometry
    style: MapStyle
    position: ShownPosition
    lang: str
    say: Translator
    is_linked: bool = False

    def get_style(self, group: PlacedGroup) -> CounterStyle:
        """Return the style of a counter."""
        return self.style.counters[group.piece.cls or ""]

    def copy_without_counters(self) -> DrawingContext:
        """Return a copy whose position has an empty list of counters at every place.

        No counter is drawn, but the words and figures of a listed place leave room for counters drawn separately.
        """
        return replace(self, position=replace(self.position, groups={n: [] for n in self.geometry.middles}))


def create_context(
    ruleset: Ruleset, position: ShownPosition, lang: str, say: Translator, layout: MapGeometry | None = None
) -> DrawingContext:
    """Create the drawing context of a shown position; `layout` is computed unless it is given."""
    looks = resolve_style(ruleset, lang, position.look_values)
    named = add_names(say, ruleset, lang)
    return DrawingContext(ruleset, layout or compute_geometry(ruleset), looks, position, lang, named)
