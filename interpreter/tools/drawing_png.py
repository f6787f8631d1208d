"""A picture as PNG, made from its SVG by an optional library.

Must not know what is in the picture.
"""

from __future__ import annotations

import re

from interpreter.speech import mark as _

MISSING = _("PNG pictures need the extra `png`: install it with `pip install 'grognard[png]'`, or ask for --svg")
_SIZE = re.compile(r'<svg [^>]*?width="([0-9.]+)" height="([0-9.]+)"')
_LARGEST = 8000.0  # pixels; larger pictures are made smaller


class NoPngError(Exception):
    """The library that makes PNG pictures is not installed, or it could not read the picture."""


def png_of(svg: str) -> bytes:
    """The picture as PNG, with two pixels for each of the SVG's; NoPngError when that cannot be done here."""
    try:
        import resvg_py
    except ImportError:
        raise NoPngError(MISSING) from None
    size = _SIZE.search(svg)
    width = float(size[1]) if size else 1.0
    height = float(size[2]) if size else 1.0
    zoom = min(2.0, _LARGEST / max(width, height, 1.0))
    try:
        return bytes(resvg_py.svg_to_bytes(svg_string=svg, width=max(1, int(width * zoom))))
    except ValueError as error:
        raise NoPngError(_("the picture could not be made: {error}", error=error)) from None
