"""Take the outlines of letters out of Old Standard TT for the lettering of maps.

    python docs/maps/letters.py FOLDER

reads the fonts in the folder `files` of the npm package `@fontsource/old-standard-tt` and writes `letters.json`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

TARGET = Path(__file__).resolve().parents[2] / "interpreter" / "tools" / "maps" / "areas" / "letters.json"
STYLES = {"r": "400-normal", "i": "400-italic", "b": "700-normal"}
LETTERS = (
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789 .,:;!?'()-/&+*×°–—’·"
    "ÄÖÜäöüßÀÂÆÇÈÉÊËÎÏÔŒÙÛàâæçèéêëîïôœùûÁÍÓÚÑáíóúñÅØåøÃÕãõÐÞðþÌÒìò"
)
LATIN_2 = "ŁłŚśŹźŻżĄąĘęĆćŃńČčŘřŠšŽžĚěŮůŐőŰűĐđ"
EM = 500  # units per font size


def outlines(folder: Path, style: str) -> dict[str, list[object]]:
    """Return width and path of each letter of a style that the font has."""
    found: dict[str, list[object]] = {}
    for part, letters in (("latin", LETTERS), ("latin-ext", LATIN_2)):
        file = folder / f"old-standard-tt-{part}-{style}.woff"
        if not file.is_file():
            continue
        font = TTFont(file)
        glyphs, names, scale = font.getGlyphSet(), font.getBestCmap(), EM / font["head"].unitsPerEm
        for letter in letters:
            if ord(letter) in names:
                glyph = glyphs[names[ord(letter)]]
                pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
                glyph.draw(TransformPen(pen, (scale, 0, 0, -scale, 0, 0)))
                found[letter] = [round(glyph.width * scale), pen.getCommands()]
    return found


if __name__ == "__main__":
    all_styles = {key: outlines(Path(sys.argv[1]), style) for key, style in STYLES.items()}
    TARGET.write_text(json.dumps(all_styles, ensure_ascii=False, separators=(",", ":")) + "\n", encoding="utf-8")
