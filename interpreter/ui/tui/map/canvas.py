"""Grid of styled characters that is written cell by cell and read row by row."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple

from interpreter.diagnostics.terminal_text import measure_cells

INK, PAPER = "#24221c", "#ebe6d6"
_SIMILAR_DISTANCE = 90  # sum of the RGB differences
_BRIGHT = 0.55  # luma above which dark text has the better contrast


class CellStyle(NamedTuple):
    """Colours ("#rrggbb", or '' for the terminal's own) and weight of a character."""

    ink: str = ""
    paper: str = ""
    bold: bool = False
    underlined: bool = False


BLANK = CellStyle()


class CellCanvas:
    """A grid of `width` by `height` cells; a wide character takes two, of which the second is ''."""

    __slots__ = ("height", "letters", "looks", "width")

    def __init__(self, width: int, height: int, style: CellStyle = BLANK) -> None:
        self.width, self.height = width, height
        self.letters = [[" "] * width for _ in range(height)]
        self.looks = [[style] * width for _ in range(height)]

    def fill_cells(self, x: int, y: int, length: int, style: CellStyle) -> None:
        """Fill `length` cells of a row, from column `x` on, with blanks in a style."""
        for n in range(length):
            self.put(x + n, y, " ", style)

    def put(self, x: int, y: int, letter: str, style: CellStyle) -> None:
        """Write one narrow character at column `x` of row `y`; cells off the canvas are ignored."""
        if 0 <= y < self.height and 0 <= x < self.width:
            self.letters[y][x], self.looks[y][x] = letter, style

    def write(self, x: int, y: int, text: str, style: CellStyle, room: int) -> int:
        """Write as much of a text as fits into `room` cells from (`x`, `y`) on, and return the number of cells used."""
        used = 0
        for letter in text:
            cells = measure_cells(letter)
            if used + cells > room:
                break
            if cells == 0:
                continue
            self.put(x + used, y, letter, style)
            if cells == 2:
                self.put(x + used + 1, y, "", style)
            used += cells
        return used

    def get_background(self, x: int, y: int) -> str:
        """Return the background colour of a cell, or '' off the canvas."""
        return self.looks[y][x].paper if 0 <= y < self.height and 0 <= x < self.width else ""

    def list_runs(self, y: int) -> list[tuple[str, CellStyle]]:
        """Return a row as runs of text with one style each."""
        row = zip(self.letters[y], self.looks[y], strict=True)
        return [("".join(letter for letter, _ in run), look) for look, run in groupby(row, key=lambda cell: cell[1])]

    def text(self, y: int) -> str:
        """Return a row without styles."""
        return "".join(self.letters[y])


def is_similar_colour(colour: str, other: str) -> bool:
    """Return True if two colours are hard to distinguish.

    >>> is_similar_colour("#e8e2d0", "#ece4c0"), is_similar_colour("#2c5aa8", "#ece4c0")
    (True, False)
    """
    if len(colour) != 7 or len(other) != 7:
        return False
    return sum(abs(int(colour[n : n + 2], 16) - int(other[n : n + 2], 16)) for n in (1, 3, 5)) < _SIMILAR_DISTANCE


def choose_ink(paper: str) -> str:
    """Return the text colour with the better contrast on a background: dark or white.

    >>> choose_ink("#ffffff"), choose_ink("#202080")
    ('#24221c', '#ffffff')
    """
    if len(paper) != 7:
        return INK
    red, green, blue = (int(paper[n : n + 2], 16) / 255 for n in (1, 3, 5))
    return INK if 0.3 * red + 0.59 * green + 0.11 * blue > _BRIGHT else "#ffffff"
