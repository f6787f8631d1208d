"""Text from files on a terminal: escaped, measured in cells and broken into lines.

Names and texts come from untrusted files: a control character in one could clear the screen, recolour it or reverse
the reading order.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from unicodedata import category, east_asian_width

# Joiners only change the shape of neighbouring letters in several scripts.
_HARMLESS_FORMATS = "\u200c\u200d"
_UNSAFE_CATEGORIES = ("Cc", "Cf", "Cs", "Zl", "Zp")
_NARROWEST = 4  # cells; minimum width for breaking lines
_MAX_QUOTED = 40  # characters of a typed text in a message


# Invisible characters that change how a line is displayed: controls except line ends and tabs, changes of the reading
# direction, invisible marks. Joiners are allowed, see above.
_STEERING = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]|\r(?!\n)"
)


def is_terminal(stream: object) -> bool:
    """Return whether a stream is an interactive terminal; False for a missing stream."""
    isatty = getattr(stream, "isatty", None)
    return bool(isatty and isatty())


def strip_byte_order_mark(line: str, encoding: str | None) -> str:
    """Return the first line of an input without the mark that PowerShell and Notepad put before UTF-8.

    `encoding`: the encoding by which the line was decoded; other encodings than UTF-8 turn the mark into letters.

    >>> strip_byte_order_mark("\ufeffhelp", "utf-8"), strip_byte_order_mark("ï»¿help", "cp1252")
    ('help', 'help')
    """
    garbled = BOM_UTF8.decode(encoding or "utf-8", errors="replace")
    is_recognizable = garbled.strip("\ufffd") != ""  # decoded as ASCII, any three bytes look like that
    return line.removeprefix("\ufeff").removeprefix(garbled if is_recognizable else "")


def find_control_character(text: str, start: int = 0) -> int:
    r"""Return the index of the first control or formatting character from `start` on, or -1 if none follows.

    >>> find_control_character("hill\n"), find_control_character("hi\u202ell")
    (-1, 2)
    """
    if text.isascii() and text.isprintable():
        return -1
    match = _STEERING.search(text, start)
    return match.start() if match else -1


def remove_control_characters(text: str) -> str:
    r"""Return the text without control and formatting characters; line ends, tabs and joiners remain.

    >>> remove_control_characters("hi\u202ell\x1b[2J\n")
    'hill[2J\n'
    """
    return _STEERING.sub("", text)


def escape_text(text: str) -> str:
    r"""Return the text on one line, with everything that could control a terminal escaped.

    Escapes control characters (including line ends and tabs), invisible formatting such as changes of reading
    direction, and unpaired surrogates.

    >>> escape_text("hill\x1b[2J 東京")
    'hill\\x1b[2J 東京'
    """
    if text.isprintable():
        return text
    return "".join([escape_character(c) for c in text])


def escape_lines(text: str) -> str:
    """Escape a text like `escape_text`, but keep line feeds and turn tabs into single spaces."""
    return "\n".join([escape_text(line.replace("\t", " ")) for line in text.split("\n")])


def escape_character(character: str) -> str:
    """Return a character, or its escape if it could control a terminal."""
    if character.isprintable() or character in _HARMLESS_FORMATS:
        return character
    if category(character) not in _UNSAFE_CATEGORIES:
        return character
    code = ord(character)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


_SOLID = "[\u3000-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
_SOLID_JOINT = re.compile(f"{_SOLID}\n{_SOLID}")


def can_join_without_space(before: str, after: str) -> bool:
    """Return whether two pieces of text join without a space, as in Japanese and Chinese."""
    return _SOLID_JOINT.fullmatch(f"{before[-1:]}\n{after[:1]}") is not None


def measure_cells(text: str) -> int:
    """Return the width of printable text in terminal cells.

    East Asian wide characters take 2 cells, combining accents 0.
    """
    if text.isascii():
        return len(text)
    return sum([_measure_character(c) for c in text])


def has_wide(text: str) -> bool:
    """Return whether a text has a character that takes 2 terminal cells, such as a Japanese one."""
    return not text.isascii() and any(_measure_character(character) == 2 for character in text)


def count_fitting(text: str, cells: int) -> int:
    """Return how many characters of a text fit into a number of cells."""
    used = 0
    for number, character in enumerate(text):
        used += measure_cells(character)
        if used > cells:
            return number
    return len(text)


def break_line(line: str, cells: int, indent: str = "  ") -> list[str]:
    """Break a line into parts of limited width, at spaces or between CJK characters; later parts are indented.

    >>> break_line("one two three", 8), break_line("Tab 東京、大阪", 9)
    (['one two', '  three'], ['Tab 東', '  京、大', '  阪'])
    """
    parts = []
    while cells >= _NARROWEST and measure_cells(line) > cells:
        end = count_fitting(line, cells)
        start = len(line) - len(line.lstrip()) + 1
        cut = next((index for index in range(end, start - 1, -1) if _is_break(line, index)), end)
        parts.append(line[:cut].rstrip())
        line = indent + line[cut:].lstrip()
    return [*parts, line]


_NEVER_FIRST = "、。，．：；！？）」』】〕〉》ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ"
_NEVER_LAST = "（「『【〔〈《"


def _is_break(line: str, index: int) -> bool:
    """Return whether a line may be broken before the character at this index."""
    if line[index] == " ":
        return True
    is_solid = can_join_without_space(line[:index], line[index:])
    return is_solid and line[index] not in _NEVER_FIRST and line[index - 1] not in _NEVER_LAST


def _measure_character(character: str) -> int:
    if character in _HARMLESS_FORMATS or category(character) in ("Mn", "Me"):
        return 0
    return 2 if east_asian_width(character) in ("W", "F") else 1


def quote_typed(text: str, ellipsis: str = "") -> str:
    """Return a text that a user typed as messages quote it: cut to a fixed length, with `ellipsis` if it was longer."""
    return text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + ellipsis
