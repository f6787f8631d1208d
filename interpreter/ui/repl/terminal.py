"""Line input and output of a terminal."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from interpreter.diagnostics.terminal_text import (
    break_line,
    count_fitting,
    escape_lines,
    is_terminal,
    measure_cells,
    strip_byte_order_mark,
)
from interpreter.play.lines import TextLine, format_terminal_line, format_terminal_prompt
from interpreter.tools.maps.text.colors import BEGIN, END

UNREADABLE = "\ufffd"  # replacement character for undecodable bytes
_COLOUR = re.compile(f"[{chr(BEGIN)}-{chr(BEGIN + 15)}{END}]")
_CLEARED = "\x1b[H\x1b[2J"  # the cursor to the corner, nothing below it
_NARROWEST = 20  # cells; narrower windows get unwrapped lines
_MAX_HISTORY_LINES = 1000
_PATIENCE = 0.5  # seconds before the waiting text appears


def is_garbled(line: str) -> bool:
    """Return True if a line was decoded with the wrong encoding, such as UTF-16 read as UTF-8."""
    return "\0" in line or UNREADABLE in line


def render_colours(line: str) -> str:
    """Replace the colour marks of `tools/maps/text/colors` with terminal escape sequences."""
    return _COLOUR.sub(lambda m: "\x1b[0m" if m[0] == END else f"\x1b[1;{31 + (ord(m[0]) - BEGIN) % 6}m", line)


def has_colours() -> bool:
    """Return True if the terminal supports colours and NO_COLOR is unset."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")


class Terminal:
    """The terminal that the program was started in; input may also be piped.

    On an interactive terminal lines are wrapped to its width, the arrow keys recall earlier lines (saved in the file
    `history` if given) and Tab completes words; `always` can be completed everywhere.
    """

    __slots__ = ("_always", "_edits", "_is_first", "_is_garbled", "_offered")

    def __init__(self, always: Sequence[str] = (), history: Path | None = None) -> None:
        self._always = tuple(always)
        self._is_garbled = False
        self._is_first = True  # True until a line has been read, for the byte order mark
        self._offered: tuple[str, ...] = ()
        self._edits = is_terminal(sys.stdin) and is_terminal(sys.stdout) and self._begin_editing(history)

    def write(self, lines: Iterable[TextLine]) -> None:
        """Print lines, with sentences capitalized and control characters made safe."""
        width = self.width()
        for line in lines:
            safe = escape_lines(format_terminal_line(line))
            if _COLOUR.search(safe):
                print(render_colours(safe))
                continue
            for part in _wrap_line(safe, width):
                print(part)

    def clear(self) -> None:
        """Clear a real terminal; one without that control sequence is scrolled."""
        if is_terminal(sys.stdout):
            has_signs = os.environ.get("TERM", "") not in ("", "dumb")
            print(_CLEARED if has_signs else "\n" * shutil.get_terminal_size().lines, end="", flush=True)

    def width(self) -> int:
        """Return the terminal's width in cells, or 0 if the output is not a terminal."""
        return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else 0

    def offer(self, words: Sequence[str]) -> None:
        """Set the words that can be completed from now on."""
        self._offered = tuple(words)

    def read(self, prompt: str) -> str | None:
        """Prompt for a line; return None at the end of the input."""
        prompt = format_terminal_prompt(prompt)
        if self._edits:
            try:
                return input(escape_lines(prompt))
            except EOFError:
                print()
                return None
        print(escape_lines(prompt), end="", flush=True)
        if sys.stdin is None:  # the parent process closed it
            return None
        try:
            line = sys.stdin.readline()
        except UnicodeError:  # the stream position is undefined after this
            return None if self._is_garbled else self._replace_unprintable()
        if not sys.stdin.isatty():
            print()  # piped input has no echo, so end the prompt's line
        if not line:
            return None
        if self._is_first:
            line = strip_byte_order_mark(line, sys.stdin.encoding)
            self._is_first = False
        return line.rstrip("\r\n")

    def _replace_unprintable(self) -> str:
        self._is_garbled = True
        return UNREADABLE

    @contextmanager
    def show_progress(self, text: str) -> Iterator[None]:
        """Show a text while the block computes, then erase it. Prints nothing if the output is not a terminal."""
        if not is_terminal(sys.stdout):
            yield
            return
        from threading import Lock, Timer

        width = shutil.get_terminal_size().columns
        line = escape_lines(text)
        line = line[: count_fitting(line, width - 1)] if width >= _NARROWEST else line
        lock, shown_line = Lock(), [""]

        def show() -> None:
            with lock:
                if shown_line:
                    shown_line[0] = line
                    print(line, end="", flush=True)

        timer = Timer(_PATIENCE, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with lock:
                text_shown = shown_line.pop()
            if text_shown:
                print("\r" + " " * measure_cells(text_shown) + "\r", end="", flush=True)

    def complete(self, text: str, state: int) -> str | None:
        """Return completion number `state` (from 0) of the typed line, as readline requests it; None after the last."""
        import readline

        completions = find_completions(
            readline.get_line_buffer()[: readline.get_endidx()], [*self._offered, *self._always]
        )
        return completions[state] if state < len(completions) else None

    def _begin_editing(self, history: Path | None) -> bool:
        """Enable the line editor; return False if readline is unavailable."""
        try:
            import readline
        except ImportError:
            return False
        readline.set_completer_delims("")  # names contain spaces, so complete the whole line
        readline.set_completer(self.complete)
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
        if history is not None:
            _load_history(history)
        return True


def find_completions(line: str, candidates: Iterable[str]) -> list[str]:
    """Return the completions of a line: of its last part after a semicolon, or of the words after a command."""
    start = line.rfind(";") + 1
    start += len(line) - start - len(line[start:].lstrip())
    typed = line[start:]
    begins = [k for k in candidates if k.casefold().startswith(typed.casefold())]
    if not begins and " " in typed:
        start += typed.index(" ") + 1
        begins = [k for k in candidates if k.casefold().startswith(line[start:].casefold())]
    return [line[:start] + k for k in dict.fromkeys(begins)]


def _wrap_line(line: str, width: int) -> list[str]:
    """Wrap a line to the window, indenting continuation lines by four more cells."""
    if width < _NARROWEST or "\n" in line:
        return [line]
    return break_line(line, width - 1, " " * min(len(line) - len(line.lstrip()) + 4, width // 3))


def _load_history(history: Path) -> None:
    """Load the line history of earlier sessions and save it at exit."""
    import atexit
    import readline

    try:
        history.parent.mkdir(parents=True, exist_ok=True)
        if history.exists():
            readline.read_history_file(history)
    except OSError:
        return
    readline.set_history_length(_MAX_HISTORY_LINES)
    atexit.register(_save_history, history)


def _save_history(history: Path) -> None:
    import readline

    try:
        readline.write_history_file(history)
    except OSError:
        return
