"""The colours of a painted ground, in light and dark, and the stylesheet that carries them.

Shapes carry classes and no colours, so both palettes share one geometry. A stylesheet for one palette has its colours
written in, for renderers without custom properties; `AUTO` follows the colour scheme of the page that shows the map.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from interpreter.tools.maps.areas.tones import from_hls, to_hls

LIGHT, DARK, AUTO = "light", "dark", "auto"

_COLOURS: Mapping[str, tuple[str, str]] = {  # in light, in dark
    "page": ("#e4d9be", "#171812"),
    "paper": ("#efe6cb", "#34372b"),
    "paper-shade": ("#e2d3ae", "#3d3b2c"),
    "speck": ("#8a7448", "#d3c69b"),
    "ink": ("#3a2c1c", "#e0d5b6"),
    "ink-soft": ("#6b5636", "#b5a881"),
    "field-1": ("#e6dcb0", "#454730"),
    "field-2": ("#dfe0b2", "#3a4630"),
    "field-3": ("#ecdfba", "#4a442f"),
    "field-4": ("#d9d6a4", "#414f33"),
    "field-5": ("#e9d7ab", "#524630"),
    "furrow": ("#a8935c", "#8e8353"),
    "hedge": ("#7f8f58", "#5b7242"),
    "woods": ("#b3ba86", "#253d27"),
    "woods-edge": ("#8b9868", "#3c5c38"),
    "crown-1": ("#7d9160", "#3f6a3b"),
    "crown-2": ("#8a9b68", "#497643"),
    "crown-3": ("#6c8455", "#365d34"),
    "crown-lit": ("#aab98a", "#6c9a58"),
    "crown-edge": ("#475c38", "#13241a"),
    "shade": ("#3b3217", "#000000"),
    "marsh": ("#c6d6c4", "#2c474c"),
    "marsh-deep": ("#aecacb", "#2b545f"),
    "reed": ("#6f8a4e", "#8aa566"),
    "pool": ("#8db9c6", "#3f7d94"),
    "water": ("#8fb9cc", "#34749a"),
    "water-lit": ("#b9d6df", "#6aa9c8"),
    "water-deep": ("#7fadc4", "#2a6286"),
    "bank": ("#4f7f96", "#8fc3da"),
    "shore": ("#cfdcc8", "#33484a"),
    "rise": ("#d8c690", "#584c2e"),
    "rise-lit": ("#f4e8c2", "#70653f"),
    "hachure": ("#7a5c30", "#c9a76b"),
    "earth": ("#dcc796", "#5e4e30"),
    "earth-edge": ("#b79b62", "#8a7344"),
    "rampart": ("#a67f4a", "#a8824b"),
    "rampart-lit": ("#e0c189", "#e0b873"),
    "rampart-ink": ("#4b341a", "#120c05"),
    "ditch": ("#8a6a3a", "#bf9b60"),
    "ruin": ("#9a8150", "#b09a60"),
    "sand": ("#eddca6", "#5d5230"),
    "sand-dot": ("#a9894a", "#b39a5a"),
    "rough": ("#dacfa8", "#4a4530"),
    "rock": ("#a79c85", "#8a8170"),
    "rock-ink": ("#5f5646", "#191611"),
    "built": ("#e2cfae", "#4d4232"),
    "lane": ("#f2e7cf", "#6a5e47"),
    "garden": ("#b7c48c", "#425634"),
    "roof-lit": ("#cf6f4f", "#cf6b4c"),
    "roof-dark": ("#a4492f", "#99432d"),
    "roof-ink": ("#5e2a1c", "#1c0d08"),
    "slate": ("#7d8691", "#7d8994"),
    "slate-dark": ("#596068", "#57616b"),
    "road": ("#f6ead0", "#cdb98b"),
    "road-edge": ("#7c5a32", "#17130c"),
    "rail": ("#4b4034", "#cfc3ab"),
    "deck": ("#e9dcc0", "#d8c9a6"),
    "deck-ink": ("#4a3a26", "#0e0b07"),
    "border": ("#9c3b2e", "#e07a62"),
    "grid": ("#5c4a2a", "#efe5c4"),
    "grid-fade": (".26", ".2"),
    "number": ("#5c4a2a", "#e8dcba"),
    "number-fade": (".62", ".62"),
    "number-pale": ("#fbf6df", "#dfeacb"),
    "label": ("#2e2115", "#fbf2d8"),
    "halo": ("#f3ead2", "#12130d"),
    "water-label": ("#2d5f7a", "#b4e0f4"),
    "frame": ("#3a2c1c", "#a8976b"),
    "frame-gap": ("#efe6cb", "#23251d"),
    "red": ("#b4472f", "#e07a5c"),
}
_VARIABLE = re.compile(r"var\(--map-([a-z0-9-]+)\)")


def derive_dark_ground(colour: str) -> str:
    """Return the colour of a dark map for the "#rrggbb" that an author chose for a light one."""
    hue, light, saturation = to_hls(colour)
    return from_hls(hue, 0.15 + 0.2 * light, min(saturation, 0.6) * 0.6)


def derive_dark_line(colour: str) -> str:
    """Return the colour of a line on a dark map for the "#rrggbb" that an author chose for a light one."""
    hue, light, saturation = to_hls(colour)
    return from_hls(hue, 0.4 + 0.3 * light, saturation * 0.7)


def build_stylesheet(palette: str, rules: str, more: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Return CSS rules with the colour names in them replaced by the colours of a palette.

    For a palette other than light and dark, both are defined, and the reader's screen chooses. `more`: further colours
    (light, dark) by name.
    """
    known = {**_COLOURS, **(more or {})}
    tones = {which: {name: pair[n] for name, pair in known.items()} for n, which in enumerate((LIGHT, DARK))}
    if palette in tones:
        return _VARIABLE.sub(lambda match: tones[palette][match[1]], rules)
    used = dict.fromkeys(_VARIABLE.findall(rules))
    light, dark = ("".join(f"--map-{n}:{tones[which][n]};" for n in used) for which in (LIGHT, DARK))
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


@cache
def render_ground_css() -> str:
    """Return the CSS rules of painted grounds, with colours as custom properties."""
    return _minify_css(resources.files(__package__).joinpath("ground.css").read_text(encoding="utf-8"))


def _minify_css(css: str) -> str:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return re.sub(r"\s*([{};:,])\s*", r"\1", re.sub(r"\s+", " ", css)).replace(";}", "}").strip()
