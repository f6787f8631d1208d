"""Reader of the fenced blocks of the author's guide, which writes, appends, runs or checks them.

The first word of a fence is the language; the rest describes the block:
`file=PATH` a whole file, `file=PATH add` more lines at its end, `console` commands with their output,
`rules` items for the sample ruleset, `rules statements` the inside of a procedure, `rules values`
expressions with their values, `rules error=CODE` something that must be refused,
`rules instead=FILE` a file that replaces one of the sample ruleset's,
`yaml extra=KIND` part of a document, added to those of the sample ruleset; `yaml variant=NAME` a variant of it,
`yaml cases=NAME` cases for it.

    python -m tests.docs.blocks PAGE FOLDER

writes the files that a page shows into a folder, such as those of the game that `hexes.md` builds.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GUIDE = ROOT / "docs" / "author-guide"
DECISIONS = ROOT / "docs" / "decisions"
_FENCE = re.compile(r"^```(\S+)(.*)$")


@dataclass(frozen=True)
class Block:
    """One fenced block: its page and line, its language, its tags and its text."""

    page: str
    line: int
    language: str
    tags: tuple[str, ...]
    text: str
    values: dict[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the page and line, by which a failing test names the block."""
        return f"{self.page}:{self.line}"

    def is_tagged(self, *tags: str) -> bool:
        """Return True if the fence has all of these bare words."""
        return all(tag in self.tags for tag in tags)


def blocks_of(path: Path) -> list[Block]:
    """Return every fenced block of a page, in order."""
    found: list[Block] = []
    opened: tuple[int, str, str] | None = None
    lines: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if opened is None:
            match = _FENCE.match(line)
            if match:
                opened, lines = (number, match[1], match[2]), []
        elif line == "```":
            found.append(_block(path, opened, lines))
            opened = None
        else:
            lines.append(line)
    assert opened is None, f"{path.name}: the block that begins in line {opened[0]} is not closed"
    return found


def _block(path: Path, opened: tuple[int, str, str], lines: list[str]) -> Block:
    words = opened[2].split()
    values = dict(w.split("=", 1) for w in words if "=" in w)
    tags = tuple(w for w in words if "=" not in w)
    return Block(path.name, opened[0], opened[1], tags, "\n".join(lines) + "\n", values)


def pages() -> list[Path]:
    """Return the pages of the guide."""
    return sorted(GUIDE.glob("*.md"))


def write(block: Block, folder: Path) -> Path:
    """Carry out a `file=` block."""
    path = folder / block.values["file"]
    path.parent.mkdir(parents=True, exist_ok=True)
    old = path.read_text(encoding="utf-8") if block.is_tagged("add") else ""
    path.write_text(old + block.text, encoding="utf-8")
    return path


def write_all(page: str, folder: Path) -> Path:
    """Write every file of a page, in order; return the folder of the first."""
    first: Path | None = None
    for block in blocks_of(GUIDE / page):
        if "file" in block.values:
            path = write(block, folder)
            first = first or path
    assert first is not None, f"{page} shows no file"
    return folder / first.relative_to(folder).parts[0]


def commands(block: Block) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the commands of a console block as words, each with the lines it prints."""
    command: list[str] | None = None
    shown: list[str] = []
    for line in block.text.splitlines():
        if line.startswith("$ "):
            if command is not None:
                yield command, shown
            command, shown = shlex.split(line[2:]), []
        else:
            shown.append(line)
    if command is not None:
        yield command, shown


def difference(expected: list[str], printed: str) -> str:
    """Return '' if the output is as shown, else a description of the difference.

    A line `...` matches any number of lines, `...` inside a line any text.
    """
    lines = [line.rstrip() for line in printed.splitlines()]
    at, loose = 0, False
    for line in (e.rstrip() for e in expected):
        if line.strip() == "...":
            loose = True
            continue
        if loose:
            while at < len(lines) and not _fits(line, lines[at]):
                at += 1
        if at >= len(lines) or not _fits(line, lines[at]):
            return f"expected the line\n  {line}\nin\n{printed}"
        at, loose = at + 1, False
    if not loose and any(lines[at:]):
        return f"more was printed than is shown:\n{printed}"
    return ""


def _fits(expected: str, line: str) -> bool:
    parts = [re.escape(part) for part in expected.split("...")]
    return re.fullmatch(".*".join(parts), line) is not None


def happens(page: Path, folder: Path, main: Callable[[list[str]], int], said: Callable[[], str]) -> int:
    """Write the files of a page and run its commands in order, in one folder; return how many ran.

    `exit=1` on a fence is the exit code of its commands. `said` returns what has been printed since its last call.
    """
    ran = 0
    for block in blocks_of(page):
        if "file" in block.values:
            write(block, folder)
        elif block.language == "console":
            for words, shown in commands(block):
                assert words[0] == "grognard", f"{block.name}: {words}"
                code, printed = main(words[1:]), said()
                wrong = difference(shown, printed)
                assert not wrong, f"{block.name}: {' '.join(words)}: {wrong}"
                assert code == int(block.values.get("exit", 0)), f"{block.name}: {' '.join(words)}"
                ran += 1
    return ran


if __name__ == "__main__":
    print(write_all(sys.argv[1], Path(sys.argv[2])))
