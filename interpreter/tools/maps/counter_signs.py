"""Draw the signs on counters, and the markers of conditions, around their own middle points.

A new sign or marker is a drawing here, with its classes in `counters.css`, and a word under `sign` or `marker` of
`schemas/map.schema.json`. `tools/maps/style.py` chooses markers for a ruleset that states none.
"""

from __future__ import annotations

from interpreter.diagnostics.svg_markup import build_element, escape, format_coordinate, sanitize_text
from interpreter.model.drawing import MarkerStyle
from interpreter.tools.maps.shapes import build_star_path

WIDE, HIGH = 18.0, 11.5  # half the size of a sign's box
_BOX = "m-18-11.5h36v23h-36z"
# signs as paths from the middle of their box: browsers draw them faster than transformed groups
_LINES = {
    "cross": "m-18-11.5 36 23m-36 0 36-23",
    "slash": "m-18 11.5 36-23",
    "ring": "m-7 0a7 7 0 1 0 14 0a7 7 0 1 0-14 0",
    "wheel": "m-7.4 0a7.4 7.4 0 1 0 14.8 0a7.4 7.4 0 1 0-14.8 0",
    "bar": "m0-11.5v23",
    "anchor": "m0-6v14m-4.5-11h9m-11.5 5c1 5 4 6 7 6 3 0 6-1 7-6",
    "flag": "m-7 9v-17h15l-4 4.5 4 4.5h-15",
}
_THIN = {"wheel": "m0-7v14m-7-7h14m-12-5 10 10m0-10-10 10"}
_FULL = {
    "half": "m-18 11.5 36-23v23z",
    "dot": "m-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0",
    "wheel": "m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
    "triangle": "m-8 7h16l-8-14.6z",
    "square": "m-6-6h12v12h-12z",
    "star": "m0-8.4 2.1 5.5 5.9.3-4.6 3.7 1.5 5.7-4.9-3.2-4.9 3.2 1.5-5.7-4.6-3.7 5.9-.3z",
    "anchor": "m-1.8-7.6a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0-3.6 0",
    "bust": "m-4-3a4 4 0 1 0 8 0a4 4 0 1 0-8 0m-5 14.5c1-7.5 5-8.9 9-8.9s8 1.4 9 8.9z",
}
_FULL["tricorne"] = _FULL["bust"]


def draw_sign_box(name: str, y: float = 0.0) -> str:
    """Draw a sign in its box around (0, `y`); an unknown name gives the box alone."""
    start = f"M0 {format_coordinate(y)}"
    parts = [("c-box", _BOX)]
    parts += [
        (look, shapes[name])
        for look, shapes in (("c-sign", _LINES), ("c-sign-thin", _THIN), ("c-sign-full", _FULL))
        if name in shapes
    ]
    parts.append(("c-box-line", _BOX))
    return "".join(build_element("path", class_=look, d=start + shape) for look, shape in parts)


def draw_portrait(name: str) -> str:
    """Draw a head and shoulders for a medal of radius 20 around (0, 0).

    `name`: "", "bust" or "tricorne", which choose the hat; the name of any other sign draws that sign in its box
    instead.
    """
    if name not in ("", "bust", "tricorne"):
        return draw_sign_box(name, -2.0)
    coat = build_element(
        "path", class_="c-coat", d="M-17.6 9.6C-14 8.2-7 8-3.4 6.6H3.4C7 8 14 8.2 17.6 9.6A20 20 0 0 1-17.6 9.6Z"
    )
    face = build_element("path", class_="c-face", d="M-5.8-6H5.8C6.8 1 4.6 7.4 0 8-4.6 7.4-6.8 1-5.8-6Z")
    if name != "tricorne":
        hat = build_element(
            "path", class_="c-hat", d="M-6.6-4.4C-7.6-11-4-13.6 0-13.6S7.6-11 6.6-4.4C3.6-7-3.6-7-6.6-4.4Z"
        )
        return coat + face + hat
    curls = "M-9.4-4C-12 2-11.6 9-8.4 12-5 11.2-4.8 7-5 3H5C4.8 7 5 11.2 8.4 12 11.6 9 12 2 9.4-4Z"
    brim = "M-14.6-5.2C-14-10.4-8.4-9-6.6-13.2-4-15.6 4-15.6 6.6-13.2 8.4-9 14-10.4 14.6-5.2 9-7.6 4-5.6 0-3.4"
    brim += "-4-5.6-9-7.6-14.6-5.2Z"
    lace = "M-14-5.6C-9-7.8-4-5.8 0-3.6 4-5.8 9-7.8 14-5.6"
    hat = build_element("path", class_="c-hat", d=brim) + build_element("path", class_="c-lace", d=lace)
    return coat + build_element("path", class_="c-hair", d=curls) + face + hat


def draw_marker(style: MarkerStyle, letter: str) -> str:
    """Draw a marker around (0, 0); `letter` is the default text of a badge.

    Returns "" for markers that cover the face.
    """
    match style.sign:
        case "flag":
            cloth = "M-6.4-12.6C-2-15.6 3-9.6 11-12.6V.4C3 3.4-2-2.6-6.4.4Z"
            return build_element("path", class_="c-pole", d="M-7 12V-13") + build_element(
                "path", class_="c-flag", d=cloth
            )
        case "flash":
            return build_element("path", class_="c-flash", d=build_star_path(0, 0, 10.5, 8, 0.45))
        case "swords":
            cross = "M-8-8 8 8M8-8-8 8"
            rim, hilts = build_element("path", class_="c-sword-rim", d=cross), "M-9 4.6-4.6 9M9 4.6 4.6 9"
            return rim + build_element("path", class_="c-sword", d=cross + hilts)
        case "bar":
            return build_element("circle", class_="c-bar", r=7.4) + build_element("path", class_="c-bar", d="M-5 5 5-5")
        case "star":
            return build_element("path", class_="c-star", d=build_star_path(0, 0, 7.4))
        case "corner" | "dim":
            return ""
    text = escape(sanitize_text(style.letter or letter))
    size = 12.5 if len(text) < 2 else 9.5
    look = {"class_": "c-badge-rim", "fill": style.colour} if style.colour else {"class_": "c-badge"}
    badge = build_element("circle", r=9.4, **look)
    return badge + build_element("text", text, class_="c-text c-dark", y=size * 0.36, font_size=size)


def draw_marker_sample(style: MarkerStyle, letter: str) -> str:
    """Draw a sample of a marker for the legend, also if it covers the face of a counter."""
    if style.sign in ("corner", "dim"):
        cover = "c-dim" if style.sign == "dim" else "c-spent"
        sheet, cover, rim = (
            build_element("rect", class_=look, x=-10, y=-9, width=20, height=18, rx=3)
            for look in ("c-box", cover, "c-box-line")
        )
        hatching = draw_hatching(9.0) if style.sign == "dim" else ""
        return sheet + cover + hatching + rim + (draw_fold(10.0, 9.0, 8.0) if style.sign == "corner" else "")
    return draw_marker(style, letter)


def draw_hatching(half: float) -> str:
    """Draw diagonal lines over a square of half the side length `half`, as on the back of a counter."""
    lines = []
    for n in (-3, -1, 1, 3):
        offset = n * half / 3
        left, right = max(-half, offset - half) + 1, min(half, offset + half) - 1
        ends = (left, offset - left, right, offset - right)
        lines.append("M{} {}L{} {}".format(*map(format_coordinate, ends)))
    return build_element("path", class_="c-hatching", d="".join(lines))


def draw_fold(x: float, y: float, size: float) -> str:
    """Draw a turned corner of the given size, whose outer point would be at (x, y)."""
    left, top, near = format_coordinate(x - size), format_coordinate(y - size), 2.0
    curve = f"V{format_coordinate(y - size + near)}Q{left} {top} {format_coordinate(x - size + near)} {top}Z"
    turned = f"M{format_coordinate(x)} {top}L{left} {format_coordinate(y)}{curve}"
    return build_element("path", class_="c-fold", d=turned)
