"""Build the calibration page: one file that holds the scan, the map's spaces, and a small program.

The page works from disk, without a server, and sends nothing anywhere.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from html import escape
from importlib.resources import files
from typing import Any

from interpreter.files.picture_files import PictureHeader
from interpreter.i18n.translator import Translator, mark as _
from interpreter.model.ruleset import Ruleset
from interpreter.tools.describe.value_format import format_label
from interpreter.tools.maps.geometry import compute_geometry
from interpreter.tools.maps.style import list_spaces

_WORDS = {
    "title": _("where places lie on the scan"),
    "points": _("points"),
    "outlines": _("outlines"),
    "help_points": _(
        "Choose a place, then click its middle on the scan. Two points far apart will do; one more corrects a scan "
        "that is squeezed or slanted. The spaces are drawn over the scan as soon as there are two."
    ),
    "help_outlines": _(
        "Choose an area, then click along its border. A click near a corner that is already there takes that corner, "
        "so that neighbours share their border. Use another outline for an island."
    ),
    "place": _("place"),
    "undo": _("take back the last click"),
    "ring": _("another outline"),
    "copy": _("copy"),
    "result": _("lines for the map document"),
    "zoom": _("Turn the wheel to zoom, drag to move."),
}
_FOLDER = "interpreter.tools.calibration"
_HOLE = re.compile(r"\{(lang|title|data|script)\}")  # all are filled at once: a name may look like one


def render_page(ruleset: Ruleset, name: str, content: bytes, header: PictureHeader, lang: str, say: Translator) -> str:
    """Return the HTML page on which an author marks points of a scanned map to calibrate it.

    `name`: the name of the scan in the ruleset's folder; `content`: its bytes; `header`: its format and size in
    pixels.
    """
    data = {
        "image": name,
        "size": header.size,
        "source": f"data:image/{header.kind};base64,{b64encode(content).decode('ascii')}",
        "words": {key: say(words) for key, words in _WORDS.items()},
        **_serialize_map(ruleset, lang),
    }
    page = files(_FOLDER).joinpath("page.html").read_text(encoding="utf-8")
    script = files(_FOLDER).joinpath("page.js").read_text(encoding="utf-8")
    # no text of a file may end the element that holds it
    embedded_json = json.dumps(data, ensure_ascii=True).replace("<", "\\u003c")
    parts = {
        "lang": escape(lang or "en"),
        "title": escape(say(_WORDS["title"])),
        "data": embedded_json,
        "script": script,
    }
    return _HOLE.sub(lambda hole: parts[hole[1]], page)


def _serialize_map(ruleset: Ruleset, lang: str) -> dict[str, Any]:
    """Return the map as JSON data: places with id, name and middle, the corners of a space, whether it is a grid."""
    layout = compute_geometry(ruleset)
    places = [
        {"id": place.id, "name": format_label(place.label, lang) or place.id, "middle": layout.middles[n]}
        for n, place in list_spaces(ruleset)
        if n in layout.middles
    ]
    return {"places": places, "corners": layout.corners, "isGrid": bool(layout.on_grid)}
