"""The colours of a painted ground, in light and dark, and the stylesheet that carries them.

Shapes carry classes and no colours, so both palettes share one geometry. A stylesheet for one palette has its colours
written in, for renderers without custom properties; `AUTO` follows the colour scheme of the page that shows the map.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from colorsys import hls_to_rgb, rgb_to_hls
from functools import cache
from importlib import resources

LIGHT, DARK, AUTO = "light", "dark", "auto"

_COLOURS: Mapping[str, tuple[str, str]] = {  # in light, in dark
    "page": ("#e4d9be", "#12130f"),
    "paper": ("#efe6cb", "#23251d"),
    "paper-shade": ("#e2d3ae", "#2b2a1f"),
    "speck": ("#8a7448", "#c9bb8e"),
    "ink": ("#3a2c1c", "#d8ccab"),
    "ink-soft": ("#6b5636", "#a3956f"),
    "field-1": ("#e6dcb0", "#30321f"),
    "field-2": ("#dfe0b2", "#29301f"),
    "field-3": ("#ecdfba", "#34301f"),
    "field-4": ("#d9d6a4", "#2d3622"),
    "field-5": ("#e9d7ab", "#3a3120"),
    "furrow": ("#a8935c", "#746a42"),
    "hedge": ("#7f8f58", "#40502f"),
    "woods": ("#b3ba86", "#1c2c1d"),
    "woods-edge": ("#8b9868", "#2c4429"),
    "crown-1": ("#7d9160", "#2f4f2e"),
    "crown-2": ("#8a9b68", "#365833"),
    "crown-3": ("#6c8455", "#294628"),
    "crown-lit": ("#aab98a", "#4b713f"),
    "crown-edge": ("#475c38", "#14231a"),
    "shade": ("#3b3217", "#000000"),
    "marsh": ("#c6d6c4", "#203033"),
    "marsh-deep": ("#aecacb", "#1f3a42"),
    "reed": ("#6f8a4e", "#5e7a4c"),
    "pool": ("#8db9c6", "#2b5768"),
    "water": ("#8fb9cc", "#27566f"),
    "water-lit": ("#b9d6df", "#3b7390"),
    "water-deep": ("#7fadc4", "#1f475d"),
    "bank": ("#4f7f96", "#6fa3bb"),
    "shore": ("#cfdcc8", "#1f2f30"),
    "rise": ("#d8c690", "#39331f"),
    "rise-lit": ("#f4e8c2", "#4a4530"),
    "hachure": ("#7a5c30", "#a88a56"),
    "earth": ("#dcc796", "#3a311f"),
    "earth-edge": ("#b79b62", "#5c4c2c"),
    "rampart": ("#a67f4a", "#8a6a3c"),
    "rampart-lit": ("#e0c189", "#c09a5e"),
    "rampart-ink": ("#4b341a", "#120c05"),
    "ditch": ("#8a6a3a", "#a2834e"),
    "ruin": ("#9a8150", "#8b7748"),
    "sand": ("#eddca6", "#3d3620"),
    "sand-dot": ("#a9894a", "#8c7744"),
    "rough": ("#dacfa8", "#322e20"),
    "rock": ("#a79c85", "#6c6554"),
    "rock-ink": ("#5f5646", "#17140e"),
    "built": ("#e2cfae", "#352d22"),
    "lane": ("#f2e7cf", "#4b4231"),
    "garden": ("#b7c48c", "#2f3d26"),
    "roof-lit": ("#cf6f4f", "#a9553d"),
    "roof-dark": ("#a4492f", "#7b3625"),
    "roof-ink": ("#5e2a1c", "#1c0d08"),
    "slate": ("#7d8691", "#5f6974"),
    "slate-dark": ("#596068", "#434b54"),
    "road": ("#f6ead0", "#9a8a66"),
    "road-edge": ("#7c5a32", "#15120c"),
    "rail": ("#4b4034", "#b5a98f"),
    "deck": ("#e9dcc0", "#b7a988"),
    "deck-ink": ("#4a3a26", "#0e0b07"),
    "border": ("#9c3b2e", "#c8614d"),
    "grid": ("#5c4a2a", "#e6dab5"),
    "grid-fade": (".26", ".17"),
    "number": ("#5c4a2a", "#d8ccab"),
    "number-fade": (".62", ".5"),
    "number-pale": ("#fbf6df", "#c9d6b4"),
    "label": ("#2e2115", "#efe4c6"),
    "halo": ("#f3ead2", "#161710"),
    "water-label": ("#2d5f7a", "#8fc3dc"),
    "frame": ("#3a2c1c", "#8d7f5c"),
    "frame-gap": ("#efe6cb", "#23251d"),
    "red": ("#b4472f", "#c9694f"),
}
_VARIABLE = re.compile(r"var\(--map-([a-z0-9-]+)\)")


def derive_dark_ground(colour: str) -> str:
    """Return the colour of a dark map for the "#rrggbb" that an author chose for a light one."""
    hue, light, saturation = rgb_to_hls(*(int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)))
    mixed = hls_to_rgb(hue, 0.1 + 0.2 * light, min(saturation, 0.6) * 0.6)
    return "#" + "".join(f"{round(part * 255):02x}" for part in mixed)


def derive_dark_line(colour: str) -> str:
    """Return the colour of a line on a dark map for the "#rrggbb" that an author chose for a light one."""
    hue, light, saturation = rgb_to_hls(*(int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)))
    mixed = hls_to_rgb(hue, 0.4 + 0.3 * light, saturation * 0.7)
    return "#" + "".join(f"{round(part * 255):02x}" for part in mixed)


def build_stylesheet(palette: str, rules: str, more: Mapping[str, tuple[str, str]] | None = None) -> str:
    """Return CSS rules with the colour names in them replaced by those of a palette.

    For a palette other than light and dark, both are defined, and the reader's screen chooses. `more`: further colours
    (light, dark) by name.
    """
    known = {**_COLOURS, **(more or {})}
    tones = {which: {name: pair[n] for name, pair in known.items()} for n, which in enumerate((LIGHT, DARK))}
    if palette in tones:
        return _VARIABLE.sub(lambda found: tones[palette][found[1]], rules)
    used = dict.fromkeys(_VARIABLE.findall(rules))
    light, dark = ("".join(f"--map-{n}:{tones[which][n]};" for n in used) for which in (LIGHT, DARK))
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


@cache
def ground_rules() -> str:
    """Return the CSS rules of painted grounds, with colours as custom properties."""
    return _minify_css(resources.files(__package__).joinpath("ground.css").read_text(encoding="utf-8"))


def _minify_css(css: str) -> str:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return re.sub(r"\s*([{};:,])\s*", r"\1", re.sub(r"\s+", " ", css)).replace(";}", "}").strip()
