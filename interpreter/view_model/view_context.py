"""What all scenes of one ruleset in one language are made from: its words, its map's layout and looks.

Must not know a position.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.players.narration.localizer import Localizer
from interpreter.tools.maps.geometry import MapGeometry, layout_of

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.model.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class ViewContext:
    """A loaded ruleset with its documents and its map, and the words of one language."""

    rules: Rules
    ruleset: Ruleset
    words: Localizer
    layout: MapGeometry

    @property
    def lang(self) -> str:
        """The language of the ruleset's words."""
        return self.words.lang


def stage_of(rules: Rules, lang: str = "", ruleset: Ruleset | None = None) -> ViewContext:
    """The stage of a loaded ruleset; SetupError when it has changed on disk since.

    `ruleset`: its documents, where they have been read for another language already.
    """
    ruleset = ruleset or rules.documents()
    return ViewContext(rules, ruleset, Localizer(rules.program, lang), layout_of(ruleset))
