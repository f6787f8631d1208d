"""What a picture of a map is drawn from: everything that its parts need to know. Must not draw."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.model.drawing import CounterLook
from interpreter.model.ruleset import Ruleset
from interpreter.tools.maps.geometry import Layout, layout_of
from interpreter.tools.maps.looks import Looks, looks_of
from interpreter.tools.maps.standing import Shown, Standing
from interpreter.words.speech import Say


@dataclass(frozen=True, slots=True)
class Motif:
    """The documents, where places lie, how everything looks and what is shown; words of the ruleset in `lang`.

    `say` puts the interface's words into a language.
    """

    ruleset: Ruleset
    layout: Layout
    looks: Looks
    shown: Shown
    lang: str
    say: Say

    def look_of(self, one: Standing) -> CounterLook:
        """How a counter looks."""
        return self.looks.counters[one.piece.cls or ""]

    def without_counters(self) -> Motif:
        """The same with every place empty: names and figures stand where counters leave room for them."""
        return replace(self, shown=replace(self.shown, standing={n: [] for n in self.layout.middles}))


def motif_of(ruleset: Ruleset, shown: Shown, lang: str, say: Say, layout: Layout | None = None) -> Motif:
    """The motif of what is shown; `layout`: that of the ruleset's map, where it is known already."""
    return Motif(ruleset, layout or layout_of(ruleset), looks_of(ruleset, lang, shown.told), shown, lang, say)
