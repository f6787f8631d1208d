"""The two palettes of a map of areas, light and dark, and the shades of an author's colour in both.

An element states its light colours as attributes, and a class whose name holds both colours; `render_dark_css` turns
the classes that a picture uses into the rules of its dark palette. A picture without those rules is a light one.
"""

from __future__ import annotations

import re
from colorsys import hls_to_rgb, rgb_to_hls
from functools import lru_cache

TONES = {  # name: (light, dark)
    "paper": ("#efe6d0", "#17150f"),
    "sea": ("#bcd0d4", "#0f212c"),
    "sea_2": ("#c5d6d0", "#12252b"),
    "sea_3": ("#bfd5d8", "#10242f"),
    "strange_sea": ("#d3d6cc", "#151a1d"),
    "wave": ("#6f929a", "#3f6879"),
    "land": ("#e2dac6", "#1e1d1a"),
    "ink": ("#3a2e22", "#d9ccb0"),
    "soft": ("#6e5c45", "#948565"),
    "name": ("#33271c", "#efe4cb"),
    "sea_name": ("#3f6672", "#7fb0c2"),
    "river": ("#7fa3ac", "#4b7686"),
    "lake": ("#c5d6d6", "#12252e"),
    "peak": ("#6d5a45", "#a8967a"),
    "slope": ("#f1e8d3", "#26221b"),
    "leaf": ("#86a07a", "#3d5a3a"),
    "halo": ("#f4ecd9", "#14120e"),
    "border": ("#5a2f22", "#d8a67e"),
    "frame": ("#3a2e22", "#b9a784"),
    "plate": ("#f5eddb", "#1f1c16"),
    "gold": ("#c8a24a", "#d6b25e"),
    "red": ("#9d2f2a", "#c85a4c"),
    "thin": ("#8aa5a8", "#2d4652"),
    "shade": ("#2a1d10", "#000000"),
    "stain": ("#6b5432", "#8a7a58"),
}
_CLASS = re.compile(r"am-(?<!\wam-)([fsp])([0-9a-f]{6})([0-9a-f]{6})\b")
_PROPERTIES = {"f": "fill", "s": "stroke", "p": "stop-color"}
_PALE = 0.72  # lightness from which a colour is a tint, and not the colour of an edge

Pair = tuple[str, str]


def format_tone(fill: str | Pair | None = None, stroke: str | Pair | None = None, more: str = "") -> dict[str, str]:
    """Return the attributes of an SVG element that give it these colours in the light and the dark palette.

    `fill` and `stroke`: a name of `TONES`, a pair of colours (light, dark), "none", or None to leave it out. `more`: a
    further class of the element.
    """
    attributes: dict[str, str] = {}
    classes = [more] if more else []
    for key, stated in (("f", fill), ("s", stroke)):
        if stated is None:
            continue
        if stated == "none":
            attributes[_PROPERTIES[key]] = "none"
            continue
        light, dark = TONES[stated] if isinstance(stated, str) else stated
        attributes[_PROPERTIES[key]] = light
        if light != dark:
            classes.append(f"am-{key}{light[1:]}{dark[1:]}")
    return {**attributes, "class_": " ".join(classes)} if classes else attributes


def render_dark_css(markup: str) -> str:
    """Return the style rules that show a picture with this markup in its dark palette."""
    return "".join(
        f".am-{key}{light}{dark}{{{_PROPERTIES[key]}:#{dark}}}"
        for key, light, dark in sorted(set(_CLASS.findall(markup)))
    )


def mix_colours(first: str, second: str, share: float) -> str:
    """Return the colour `share` (0 to 1) of the way from one "#rrggbb" to another."""
    parts = zip(parse_rgb(first), parse_rgb(second), strict=True)
    return _format_hex(*(a + (b - a) * share for a, b in parts))


def mix_tones(first: str, second: str, share: float) -> Pair:
    """Return the tone `share` (0 to 1) of the way from one named tone to another."""
    (a, b), (c, d) = TONES[first], TONES[second]
    return mix_colours(a, c, share), mix_colours(b, d, share)


@lru_cache(1024)
def choose_shades(colour: str) -> tuple[Pair, Pair]:
    """Return the tones of an area's ground and of its coloured edge for the colour that the author states."""
    hue, lightness, saturation = to_hls(colour)
    if lightness >= _PALE:
        edge = from_hls(hue, min(0.56, lightness - 0.28), min(0.55, saturation * 0.8))
        ground = colour
    else:
        edge, ground = colour, mix_colours("#fffdf6", colour, 0.36)
    _, edge_lightness, edge_saturation = to_hls(edge)
    dark_edge = from_hls(hue, min(0.52, edge_lightness * 0.86), min(0.6, edge_saturation * 1.15))
    return (ground, mix_colours("#0d0d0f", dark_edge, 0.3)), (edge, dark_edge)


@lru_cache(1024)
def choose_line_tone(colour: str) -> Pair:
    """Return the tones of a line of a stated colour: one too dark for the dark palette becomes lighter there."""
    hue, lightness, saturation = to_hls(colour)
    return colour, colour if lightness > 0.5 else from_hls(hue, 0.5 + (0.5 - lightness) * 0.5, saturation * 0.8)


def parse_rgb(colour: str) -> tuple[int, int, int]:
    """Return the parts of a colour "#rrggbb", from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def _format_hex(*parts: float) -> str:
    return "#" + "".join(f"{max(0, min(255, round(part))):02x}" for part in parts)


def to_hls(colour: str) -> tuple[float, float, float]:
    """Return hue, lightness and saturation of a colour "#rrggbb", from 0 to 1."""
    red, green, blue = parse_rgb(colour)
    return rgb_to_hls(red / 255, green / 255, blue / 255)


def from_hls(hue: float, lightness: float, saturation: float) -> str:
    """Return the colour "#rrggbb" with these parts, from 0 to 1."""
    return _format_hex(*(part * 255 for part in hls_to_rgb(hue, lightness, saturation)))
