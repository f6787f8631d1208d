"""What a picture of a map is drawn from: everything that its parts need to know. Must not draw."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.i18n.translator import Translate
from interpreter.model.drawing import CounterStyle
from interpreter.model.ruleset import Ruleset
from interpreter.tools.maps.geometry import MapGeometry, layout_of
from interpreter.tools.maps.piece_groups import PlacedGroup, ShownPosition
from interpreter.tools.maps.style import MapStyle, looks_of


@dataclass(frozen=True, slots=True)
class DrawingContext:
    """The documents, where places lie, how everything looks and what is shown; words of the ruleset in `lang`.

    `say` puts the interface's words into a language.
    """

    ruleset: Ruleset
    layout: MapGeometry
    looks: MapStyle
    shown: ShownPosition
    lang: str
    say: Translate

    def look_of(self, one: PlacedGroup) -> CounterStyle:
        """How a counter looks."""
        return self.looks.counters[one.piece.cls or ""]

    def without_counters(self) -> DrawingContext:
        """The same with every place empty: names and figures stand where counters leave room for them."""
        return replace(self, shown=replace(self.shown, standing={n: [] for n in self.layout.middles}))


def motif_of(
    ruleset: Ruleset, shown: ShownPosition, lang: str, say: Translate, layout: MapGeometry | None = None
) -> DrawingContext:
    """The motif of what is shown; `layout`: that of the ruleset's map, where it is known already."""
    return DrawingContext(ruleset, layout or layout_of(ruleset), looks_of(ruleset, lang, shown.told), shown, lang, say)
