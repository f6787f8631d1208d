"""A canvas of named layers, on which painters put SVG markup."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.diagnostics.svg_markup import build_element

# from bottom to top
_LAYERS = "paper tints fields ground water reeds ruins lanes roads works gates bridges houses avenues trees".split()
Coat = tuple[str, Mapping[str, object]]


class PaintingCanvas:
    """Markup by layer, and the shapes that are defined once and used several times.

    `prefix` begins all ids, so that several canvases of one document have different ids.
    """

    def __init__(self, prefix: str = "g") -> None:
        self.prefix = prefix
        self.definitions: list[str] = []
        self._layers: dict[str, list[str]] = {name: [] for name in _LAYERS}
        self._shared = 0

    def put(self, layer: str, markup: str) -> None:
        """Append markup to the layer `layer`."""
        self._layers[layer].append(markup)

    def add_path(self, layer: str, look: str, outline: str, **attributes: object) -> None:
        """Add the SVG path `outline` to a layer with the class `g-LOOK`; do nothing if it is empty.

        `look`: may have a further class after a blank; blanks at its end are ignored.
        """
        if outline:
            self.put(layer, build_element("path", class_=f"g-{look}".strip(), d=outline, **attributes))

    def add_coats(self, layer: str, outline: str, coats: Sequence[Coat]) -> None:
        """Add an SVG path to a layer once for each coat, from bottom to top; the outline is stored once.

        `coats`: (look, attributes) for each; the class of a coat is `g-LOOK`, as for `add_path`.
        """
        if not outline:
            return
        name = self.define(build_element("path", id=self.create_id(), d=outline))
        for look, attributes in coats:
            self.put(layer, build_element("use", href=f"#{name}", class_=f"g-{look}".strip(), **attributes))

    def create_id(self) -> str:
        """Return the id for the next shape that is defined."""
        return f"{self.prefix}{self._shared + 1}"

    def define(self, markup: str) -> str:
        """Add a definition and return its id, which must be the one that `create_id` has returned."""
        self._shared += 1
        self.definitions.append(markup)
        return f"{self.prefix}{self._shared}"

    def add_symbol(self, layer: str, symbol: str, x: float, y: float) -> None:
        """Add the defined symbol with the id `symbol` to a layer, at (x, y)."""
        self.put(layer, build_element("use", href=f"#{symbol}", x=float(x), y=float(y)))

    def list_parts(self) -> list[str]:
        """Return the layers from bottom to top, as groups."""
        return [build_element("g", markup, class_=f"g-layer-{name}") for name, markup in self._layers.items() if markup]
