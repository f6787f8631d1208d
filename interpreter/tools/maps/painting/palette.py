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
PALETTES = (LIGHT, DARK, AUTO)

Colours = Mapping[str, str]

_LIGHT: Colours = {
    "page": "#e4d9be",
    "paper": "#efe6cb",
    "paper-shade": "#e2d3ae",
    "speck": "#8a7448",
    "ink": "#3a2c1c",
    "ink-soft": "#6b5636",
    "field-1": "#e6dcb0",
    "field-2": "#dfe0b2",
    "field-3": "#ecdfba",
    "field-4": "#d9d6a4",
    "field-5": "#e9d7ab",
    "furrow": "#a8935c",
    "hedge": "#7f8f58",
    "woods": "#b3ba86",
    "woods-edge": "#8b9868",
    "crown-1": "#7d9160",
    "crown-2": "#8a9b68",
    "crown-3": "#6c8455",
    "crown-lit": "#aab98a",
    "crown-edge": "#475c38",
    "shade": "#3b3217",
    "marsh": "#c6d6c4",
    "marsh-deep": "#aecacb",
    "reed": "#6f8a4e",
    "pool": "#8db9c6",
    "water": "#8fb9cc",
    "water-lit": "#b9d6df",
    "water-deep": "#7fadc4",
    "bank": "#4f7f96",
    "shore": "#cfdcc8",
    "rise": "#d8c690",
    "rise-lit": "#f4e8c2",
    "hachure": "#7a5c30",
    "earth": "#dcc796",
    "earth-edge": "#b79b62",
    "rampart": "#a67f4a",
    "rampart-lit": "#e0c189",
    "rampart-ink": "#4b341a",
    "ditch": "#8a6a3a",
    "ruin": "#9a8150",
    "sand": "#eddca6",
    "sand-dot": "#a9894a",
    "rough": "#dacfa8",
    "rock": "#a79c85",
    "rock-ink": "#5f5646",
    "built": "#e2cfae",
    "lane": "#f2e7cf",
    "garden": "#b7c48c",
    "roof-lit": "#cf6f4f",
    "roof-dark": "#a4492f",
    "roof-ink": "#5e2a1c",
    "slate": "#7d8691",
    "slate-dark": "#596068",
    "road": "#f6ead0",
    "road-edge": "#7c5a32",
    "rail": "#4b4034",
    "deck": "#e9dcc0",
    "deck-ink": "#4a3a26",
    "border": "#9c3b2e",
    "grid": "#5c4a2a",
    "grid-fade": ".26",
    "number": "#5c4a2a",
    "number-fade": ".62",
    "number-pale": "#fbf6df",
    "label": "#2e2115",
    "halo": "#f3ead2",
    "water-label": "#2d5f7a",
    "frame": "#3a2c1c",
    "frame-gap": "#efe6cb",
    "red": "#b4472f",
}
_DARK: Colours = {
    **_LIGHT,
    "page": "#12130f",
    "paper": "#23251d",
    "paper-shade": "#2b2a1f",
    "speck": "#c9bb8e",
    "ink": "#d8ccab",
    "ink-soft": "#a3956f",
    "field-1": "#30321f",
    "field-2": "#29301f",
    "field-3": "#34301f",
    "field-4": "#2d3622",
    "field-5": "#3a3120",
    "furrow": "#746a42",
    "hedge": "#40502f",
    "woods": "#1c2c1d",
    "woods-edge": "#2c4429",
    "crown-1": "#2f4f2e",
    "crown-2": "#365833",
    "crown-3": "#294628",
    "crown-lit": "#4b713f",
    "crown-edge": "#14231a",
    "shade": "#000000",
    "marsh": "#203033",
    "marsh-deep": "#1f3a42",
    "reed": "#5e7a4c",
    "pool": "#2b5768",
    "water": "#27566f",
    "water-lit": "#3b7390",
    "water-deep": "#1f475d",
    "bank": "#6fa3bb",
    "shore": "#1f2f30",
    "rise": "#39331f",
    "rise-lit": "#4a4530",
    "hachure": "#a88a56",
    "earth": "#3a311f",
    "earth-edge": "#5c4c2c",
    "rampart": "#8a6a3c",
    "rampart-lit": "#c09a5e",
    "rampart-ink": "#120c05",
    "ditch": "#a2834e",
    "ruin": "#8b7748",
    "sand": "#3d3620",
    "sand-dot": "#8c7744",
    "rough": "#322e20",
    "rock": "#6c6554",
    "rock-ink": "#17140e",
    "built": "#352d22",
    "lane": "#4b4231",
    "garden": "#2f3d26",
    "roof-lit": "#a9553d",
    "roof-dark": "#7b3625",
    "roof-ink": "#1c0d08",
    "slate": "#5f6974",
    "slate-dark": "#434b54",
    "road": "#9a8a66",
    "road-edge": "#15120c",
    "rail": "#b5a98f",
    "deck": "#b7a988",
    "deck-ink": "#0e0b07",
    "border": "#c8614d",
    "grid": "#e6dab5",
    "grid-fade": ".17",
    "number": "#d8ccab",
    "number-fade": ".5",
    "number-pale": "#c9d6b4",
    "label": "#efe4c6",
    "halo": "#161710",
    "water-label": "#8fc3dc",
    "frame": "#8d7f5c",
    "frame-gap": "#23251d",
    "red": "#c9694f",
}
BY_NAME: Mapping[str, Colours] = {LIGHT: _LIGHT, DARK: _DARK}
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
    """Return CSS rules with the colours of a palette; `more` adds colours in light and dark by name."""
    tones = {
        LIGHT: {**_LIGHT, **{name: light for name, (light, _) in (more or {}).items()}},
        DARK: {**_DARK, **{name: dark for name, (_, dark) in (more or {}).items()}},
    }
    if palette in tones:
        return _VARIABLE.sub(lambda found: tones[palette][found[1]], rules)
    used = dict.fromkeys(_VARIABLE.findall(rules))
    light, dark = ("".join(f"--map-{n}:{tones[which][n]};" for n in used) for which in (LIGHT, DARK))
    return f":root{{{light}}}@media(prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


@cache
def ground_rules() -> str:
    """Return the CSS rules of painted grounds, with colours as custom properties."""
    return _packed(resources.files(__package__).joinpath("ground.css").read_text(encoding="utf-8"))


def _packed(css: str) -> str:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    return re.sub(r"\s*([{};:,])\s*", r"\1", re.sub(r"\s+", " ", css)).replace(";}", "}").strip()
