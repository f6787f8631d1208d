"""Views of a served game in one language, at any position: its words, its map, its view builder."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING

from interpreter.runtime.localizer import Localizer
from interpreter.tools.maps.geometry import MapGeometry, compute_geometry
from interpreter.tools.maps.scans import find_picture
from interpreter.view_model.dynamic_view import ViewBuilder
from interpreter.view_model.encoded_content import EncodedContent
from interpreter.view_model.static_view import build_static_view
from interpreter.view_model.to_json import format_json, to_json
from interpreter.view_model.view_context import ViewContext, build_view_context

if TYPE_CHECKING:
    from interpreter.api.rules import Rules


class GameViews:
    """The view builders and static views of one game by language, each made at its first use. Thread-safe."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._documents = rules.documents()
        self._lock = RLock()
        self._geometry: MapGeometry | None = None
        self._builders: dict[str, ViewBuilder] = {}
        self._static_views: dict[str, bytes] = {}

    def get_geometry(self) -> MapGeometry:
        """Return the geometry of the map, memoized: it is the same in all languages."""
        with self._lock:
            if self._geometry is None:
                self._geometry = compute_geometry(self._documents)
            return self._geometry

    def get_builder(self, lang: str) -> ViewBuilder:
        """Return the view builder of a language, memoized."""
        builder = self._builders.get(lang)
        if builder is not None:
            return builder
        with self._lock:
            if lang not in self._builders:
                context = build_view_context(self._rules, lang, self._documents, self.get_geometry())
                self._builders[lang] = ViewBuilder(context)
            return self._builders[lang]

    def get_context(self, lang: str) -> ViewContext:
        """Return the view context of a language."""
        return self.get_builder(lang).context

    def get_localizer(self, lang: str) -> Localizer:
        """Return the localizer of a language."""
        return self.get_context(lang).localizer

    def get_cached_static_json(self, lang: str) -> bytes | None:
        """Return the static view as JSON if it is cached, else None."""
        return self._static_views.get(lang)

    def get_static_json(self, lang: str) -> bytes:
        """Return the static view as JSON, memoized."""
        with self._lock:
            if lang not in self._static_views:
                self._static_views[lang] = format_json(to_json(build_static_view(self.get_context(lang)))).encode(
                    "utf-8", "replace"
                )
            return self._static_views[lang]

    def find_drawing(self, name: str) -> EncodedContent | None:
        """Return the drawing of the map with a name that a scene contains, or None."""
        drawings = (builder.find_drawing(name) for builder in list(self._builders.values()))
        return next((drawing for drawing in drawings if drawing is not None), None)

    def has_drawing(self, name: str) -> bool:
        """Return whether a scene of the game refers to a drawing of the map by this name, without drawing it."""
        return any(builder.has_drawing(name) for builder in list(self._builders.values()))

    def find_picture(self, name: str) -> tuple[bytes, str] | None:
        """Return content and media type of the counter scan with a name that a scene contains, or None."""
        return find_picture(self._documents.drawing, name)
