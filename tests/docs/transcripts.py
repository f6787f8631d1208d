"""Sessions at the prompt as pages: `docs/transcripts/*.typed` holds the input, and the output is regenerated.

The first line of a `.typed` file is the command after `$ grognard`; the others are typed one after another. Only the
block `text session` of the page with the same name is replaced.

    python -m tests.docs.transcripts [NAME ...]
"""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path

from interpreter.cli.main import main as grognard

ROOT = Path(__file__).resolve().parents[2]
TRANSCRIPTS = ROOT / "docs" / "transcripts"
_BLOCK = re.compile(r"(^```text session\n).*?(^```$)", re.MULTILINE | re.DOTALL)
_FOLDERS = ("XDG_DATA_HOME",)  # where games are saved
_UNSET = ("COLUMNS", "LINES", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES")  # what a terminal would be asked for


class Typing(io.StringIO):
    """Input lines, echoed as they are read."""

    def readline(self, size: int | None = -1, /) -> str:
        line = super().readline(-1 if size is None else size)
        sys.stdout.write(line.rstrip("\n"))
        return line


def names() -> list[str]:
    """Return the name of every transcript."""
    return sorted(path.stem for path in TRANSCRIPTS.glob("*.typed"))


def session(name: str) -> str:
    """Return the text on the screen after the lines of a transcript have been typed."""
    command, _, typed = (TRANSCRIPTS / f"{name}.typed").read_text(encoding="utf-8").partition("\n")
    return f"$ grognard {command}\n{played(shlex.split(command), typed)}"


def played(command: list[str], typed: str) -> str:
    """Return the output of the command when these lines are typed."""
    out, before = io.StringIO(), sys.stdin
    with _folder_of_our_own(), redirect_stdout(out):
        sys.stdin = Typing(typed)
        try:
            grognard(command)
        finally:
            sys.stdin = before
    return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())


def page(name: str) -> str:
    """Return the existing page with the program's present output."""
    found = (TRANSCRIPTS / f"{name}.md").read_text(encoding="utf-8")
    said = session(name)
    return _BLOCK.sub(lambda block: block[1] + said + block[2], found)


@contextmanager
def _folder_of_our_own() -> Iterator[None]:
    kept, here = dict(os.environ), Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(dict.fromkeys(_FOLDERS, folder))
        for name in _UNSET:
            os.environ.pop(name, None)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)
            os.environ.clear()
            os.environ.update(kept)


def main(wanted: list[str]) -> None:
    """Write all pages, or those named."""
    for name in wanted or names():
        (TRANSCRIPTS / f"{name}.md").write_text(page(name), encoding="utf-8")
        print(f"docs/transcripts/{name}.md")


if __name__ == "__main__":
    main(sys.argv[1:])
