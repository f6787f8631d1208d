"""Where lines are read from and written to. Must not know what they say."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from interpreter.source.printing import (
    broken,
    cell_width,
    fitting,
    is_terminal,
    printable_lines,
    without_byte_order_mark,
)
from interpreter.tools.maps.plain.colouring import BEGIN, END

UNREADABLE = "\ufffd"  # stands for what could not be decoded
_COLOUR = re.compile(f"[{chr(BEGIN)}-{chr(BEGIN + 15)}{END}]")
_CLEARED = "\x1b[H\x1b[2J"  # the cursor to the corner, nothing below it
_NARROWEST = 20  # cells; lines are not broken for less
_MOST_HISTORY = 1000
_PATIENCE = 0.5  # seconds after which those who wait are told why


def is_garbled(line: str) -> bool:
    """True for a line that was fed in another encoding than it was read in, such as UTF-16."""
    return "\0" in line or UNREADABLE in line


def coloured(line: str) -> str:
    """A line with the marks of `tools/maps/plain/colouring` as colours of a terminal."""
    return _COLOUR.sub(lambda m: "\x1b[0m" if m[0] == END else f"\x1b[1;{31 + (ord(m[0]) - BEGIN) % 6}m", line)


def shows_colours() -> bool:
    """True where a terminal on the other side shows colours, and nobody has asked for none (NO_COLOR)."""
    return is_terminal(sys.stdout) and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") not in ("", "dumb")


class Screen(Protocol):
    """What the runner needs of a terminal."""

    def write(self, lines: Iterable[str]) -> None:
        """Show lines."""

    def clear(self) -> None:
        """Take away what is shown."""

    def width(self) -> int:
        """The cells of a line; 0 where lines may be of any length."""

    def read(self, prompt: str) -> str | None:
        """The next line typed, without its end; None when no more will come."""

    def offer(self, words: Sequence[str]) -> None:
        """What may be completed while the next line is typed."""

    def meanwhile(self, text: str) -> AbstractContextManager[None]:
        """Where somebody waits: shows the text as long as what is done inside takes."""


class Terminal:
    """The terminal the program was started in; lines typed come from whatever feeds it.

    At a real terminal lines are broken to its width, earlier lines come back with the arrow keys
    (kept in the file `history` if one is given) and words are completed; `always` are completed everywhere.
    """

    __slots__ = ("_always", "_edits", "_is_first", "_is_garbled", "_offered")

    def __init__(self, always: Sequence[str] = (), history: Path | None = None) -> None:
        self._always = tuple(always)
        self._is_garbled = False
        self._is_first = True  # no line has been read yet
        self._offered: tuple[str, ...] = ()
        self._edits = is_terminal(sys.stdin) and is_terminal(sys.stdout) and self._begin_editing(history)

    def write(self, lines: Iterable[str]) -> None:
        """Print lines, made safe."""
        width = self.width()
        for line in lines:
            safe = printable_lines(line)
            if _COLOUR.search(safe):
                print(coloured(safe))
                continue
            for part in _laid_out(safe, width):
                print(part)

    def clear(self) -> None:
        """Empty a real terminal; where it knows no such sign, move what is shown out of sight."""
        if is_terminal(sys.stdout):
            has_signs = os.environ.get("TERM", "") not in ("", "dumb")
            print(_CLEARED if has_signs else "\n" * shutil.get_terminal_size().lines, end="", flush=True)

    def width(self) -> int:
        """The cells of a line of the terminal; 0 where none is on the other side."""
        return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else 0

    def offer(self, words: Sequence[str]) -> None:
        """Complete these from now on."""
        self._offered = tuple(words)

    def read(self, prompt: str) -> str | None:
        """Ask for a line; None at the end of the input."""
        if self._edits:
            try:
                return input(printable_lines(prompt))
            except EOFError:
                print()
                return None
        print(printable_lines(prompt), end="", flush=True)
        if sys.stdin is None:  # closed before we were started
            return None
        try:
            line = sys.stdin.readline()
        except UnicodeError:  # fed in an encoding that is not what it says: nothing more can be read
            return None if self._is_garbled else self._garble()
        if not sys.stdin.isatty():
            print()  # what is fed to us is not echoed: keep the account readable
        if not line:
            return None
        if self._is_first:
            line = without_byte_order_mark(line, sys.stdin.encoding)
            self._is_first = False
        return line.rstrip("\r\n")

    def _garble(self) -> str:
        self._is_garbled = True
        return UNREADABLE

    @contextmanager
    def meanwhile(self, text: str) -> Iterator[None]:
        """At a real terminal: what takes long is told in a line that goes away again."""
        if not is_terminal(sys.stdout):
            yield
            return
        from threading import Lock, Timer

        width = shutil.get_terminal_size().columns
        line = printable_lines(text)
        line = line[: fitting(line, width - 1)] if width >= _NARROWEST else line
        lock, shown = Lock(), [""]

        def show() -> None:
            with lock:
                if shown:
                    shown[0] = line
                    print(line, end="", flush=True)

        timer = Timer(_PATIENCE, show)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with lock:
                told = shown.pop()
            if told:
                print("\r" + " " * cell_width(told) + "\r", end="", flush=True)

    def complete(self, text: str, state: int) -> str | None:
        """The completion number `state` of the line typed so far, as the line editor asks for it."""
        import readline

        found = completions(readline.get_line_buffer()[: readline.get_endidx()], [*self._offered, *self._always])
        return found[state] if state < len(found) else None

    def _begin_editing(self, history: Path | None) -> bool:
        """Switch the line editor on; False where there is none."""
        try:
            import readline
        except ImportError:
            return False
        readline.set_completer_delims("")  # names have blanks in them: complete the whole line
        readline.set_completer(self.complete)
        readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
        if history is not None:
            _remember(history)
        return True


def completions(line: str, known: Iterable[str]) -> list[str]:
    """What a line may be completed to; after a command or a semicolon, what may follow."""
    start = line.rfind(";") + 1
    start += len(line) - start - len(line[start:].lstrip())
    typed = line[start:]
    begins = [k for k in known if k.casefold().startswith(typed.casefold())]
    if not begins and " " in typed:
        start += typed.index(" ") + 1
        begins = [k for k in known if k.casefold().startswith(line[start:].casefold())]
    return [line[:start] + k for k in dict.fromkeys(begins)]


def _laid_out(line: str, width: int) -> list[str]:
    """A line in parts that fit into the window, later ones under the first, a little farther in."""
    if width < _NARROWEST or "\n" in line:
        return [line]
    return broken(line, width - 1, " " * min(len(line) - len(line.lstrip()) + 4, width // 3))


def _remember(history: Path) -> None:
    """Bring back the lines of earlier sittings, and keep those of this one."""
    import atexit
    import readline

    try:
        history.parent.mkdir(parents=True, exist_ok=True)
        if history.exists():
            readline.read_history_file(history)
    except OSError:
        return
    readline.set_history_length(_MOST_HISTORY)
    atexit.register(_keep, history)


def _keep(history: Path) -> None:
    import readline

    try:
        readline.write_history_file(history)
    except OSError:
        return
