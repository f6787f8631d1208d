"""Convert an SVG picture to PNG with an optional library."""

from __future__ import annotations

import re

from interpreter.diagnostics.svg_markup import unescape
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.files.installing import get_install_command
from interpreter.i18n.translator import mark as _
from interpreter.tools.maps.shapes import FONT

_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_TEXTS = re.compile(r"<text [^>]*>([^<]*)</text>")
_ALONE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40" font-family="'
    + FONT
    + '"><text x="4" y="30" font-size="24">{letter}</text></svg>'
)
_WIDE_FONT = "Noto Sans CJK JP, Noto Sans JP, " + FONT
_LARGEST = 8000.0  # longest side in pixels; larger pictures are scaled down


NO_FONT = _(
    "no installed font has the letters of this language ({letters}), so the PNG would show boxes or gaps: "
    "install one, such as Noto Sans CJK for Japanese (package fonts-noto-cjk), or use --svg"
)
_COMPARED_LETTERS = 4  # letters that are compared


class NoPngError(Exception):
    """The library that makes PNG pictures is missing or cannot read the picture."""


def render_png(svg: str) -> bytes:
    """Render the picture as PNG with two pixels per SVG pixel. Raises NoPngError if that is impossible."""
    try:
        import resvg_py
    except ImportError:
        raise NoPngError(
            _(
                "PNG pictures need the extra `png`: install it with {command}, or use --svg",
                command=get_install_command("png"),
            )
        ) from None
    size = _SIZE.search(svg)
    width = float(size[1]) if size else 1.0
    height = float(size[2]) if size else 1.0
    if any(measure_cells(c) > 1 for text in _TEXTS.findall(svg) for c in text):
        svg = svg.replace(FONT, _WIDE_FONT, 1)  # resvg falls back to another font only for missing glyphs
    zoom = min(2.0, _LARGEST / max(width, height, 1.0))
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=max(1, int(width * zoom))))
    except ValueError as error:
        raise NoPngError(_("cannot create the picture: {error}", error=error)) from None


def find_missing_glyphs(svg: str) -> list[str]:
    """Return some letters of a picture that no installed font can draw; or [] if every letter can be drawn.

    Letters without a glyph are recognized because they all render alike: as the same box, or as nothing.
    """
    letters = dict.fromkeys(c for text in _TEXTS.findall(svg) for c in unescape(text) if c.isalnum())
    for is_wide in (True, False):
        some = [c for c in letters if (measure_cells(c) > 1) == is_wide][:_COMPARED_LETTERS]
        if len(some) > 1 and len({render_png(_ALONE.format(letter=letter)) for letter in some}) == 1:
            return some
    return []
