"""Mark colours in text maps, for screens that show them: letters of sides and lines along spaces.

A mark is a private-use character: `BEGIN + n` starts colour number n of `PALETTE`, `END` ends it. Prints nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import dist

BEGIN, END = 0xE100, "\ue1ff"
# ANSI colours 31 to 36
PALETTE = ((205, 49, 49), (13, 188, 121), (229, 180, 16), (36, 114, 200), (188, 63, 188), (17, 168, 205))


def add_color_marks(lines: Sequence[str], sides: Sequence[tuple[str, str]], along: Sequence[str]) -> list[str]:
    """Return the lines of a text map with colour marks around the letters of sides and around the signs of lines.

    `sides`: (letter, colour as "#rrggbb") for each side. A letter is marked together with the number after it, and only
    if no word character follows. `along`: the characters that draw lines along spaces, all marked in one colour.
    """
    colours = {letter: number for (letter, _), number in zip(sides, _assign_colors([c for _, c in sides]), strict=True)}
    letters = "".join(re.escape(letter) for letter in colours)
    ends = "".join(re.escape(sign) for sign in along) + letters
    parts = [rf"(?P<side>[{letters}])[0-9]*(?=[_\s/\\|{ends}]|$)"] if letters else []
    parts += [f"(?P<line>[{''.join(re.escape(sign) for sign in along)}]+)"] if along else []
    if not parts:
        return list(lines)
    pattern = re.compile("|".join(parts))

    def mark_color(match: re.Match[str]) -> str:
        side = match.groupdict().get("side")
        return f"{chr(BEGIN + (colours[side] if side else 5))}{match[0]}{END}"

    return [pattern.sub(mark_color, line) for line in lines]


def _assign_colors(colours: Sequence[str]) -> list[int]:
    """Return for each "#rrggbb" the index in `PALETTE` of the nearest colour that is still unused.

    If all are used, colours are reused; a colour in another form counts as grey.
    """
    used: list[int] = []
    for colour in colours:
        red, green, blue = (int(colour[n : n + 2], 16) for n in (1, 3, 5)) if len(colour) == 7 else (128, 128, 128)
        free = [n for n in range(len(PALETTE)) if n not in used] or list(range(len(PALETTE)))
        used.append(min(free, key=lambda n: (dist(PALETTE[n], (red, green, blue)), n)))
    return used
