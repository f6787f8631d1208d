"""The common base of all views of one ruleset in one language: its words, its map's layout and looks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.runtime.localizer import Localizer
from interpreter.tools.maps.drawing_context import DrawingContext, create_context
from interpreter.tools.maps.geometry import MapGeometry, compute_geometry
from interpreter.tools.maps.piece_groups import build_current_position

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.model.ruleset import Ruleset
    from interpreter.play.game import Game


@dataclass(frozen=True, slots=True)
class ViewContext:
    """A loaded ruleset with its documents and its map, and the words of one language."""

    rules: Rules
    ruleset: Ruleset
    localizer: Localizer
    layout: MapGeometry

    @property
    def lang(self) -> str:
        """Return the language of the ruleset's words."""
        return self.localizer.lang

    def create_drawing_context(self, game: Game) -> DrawingContext:
        """Return what the map shows of the current position of a game."""
        scenario = self.ruleset.scenarios.get(game.scenario or "")
        position = build_current_position(self.ruleset, scenario, game, "", self.lang)
        return create_context(self.ruleset, position, self.lang, self.localizer.say, self.layout)


def build_view_context(
    rules: Rules, lang: str = "", ruleset: Ruleset | None = None, layout: MapGeometry | None = None
) -> ViewContext:
    """Build the context of a loaded ruleset; raise SetupError if its files have changed since loading.

    `ruleset`: its documents, if they were already read for another language; `layout`: the geometry of their map.
    """
    ruleset = ruleset or rules.documents()
    return ViewContext(rules, ruleset, Localizer(rules.program, lang), layout or compute_geometry(ruleset))
