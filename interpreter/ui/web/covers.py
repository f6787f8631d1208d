"""Covers of the start page: the map of each shipped ruleset as a game of it begins."""

from __future__ import annotations

from functools import lru_cache

from interpreter.api.loading import load
from interpreter.files.assets import list_shipped_rulesets
from interpreter.runtime.localizer import Localizer
from interpreter.tools.maps.svg import render_cover
from interpreter.view_model.view_context import build_view_context

COVER = "cover-"  # begins the names of covers among the pictures
_MAX_COVERS = 8  # covers kept
_SUFFIX = ".svg"


def draw_cover(name: str, lang: str) -> str | None:
    """Return the cover with a name such as "cover-RULESET.svg", or None. The first call draws it."""
    ruleset = name.removeprefix(COVER).removesuffix(_SUFFIX)
    if name != f"{COVER}{ruleset}{_SUFFIX}" or ruleset not in list_shipped_rulesets():
        return None
    rules = load(ruleset)
    return _draw_ruleset_cover(ruleset, Localizer(rules.program, lang).lang)


@lru_cache(_MAX_COVERS)
def _draw_ruleset_cover(ruleset: str, lang: str) -> str:
    rules = load(ruleset)
    game = rules.start(seed=0, record=False)
    return render_cover(build_view_context(rules, lang).create_drawing_context(game))
