"""Mutation test of the checker: spoils copies of a shipped ruleset, one fault at a time, and counts what is caught.

    python -m tests.soak.spoil --count 200 --seed 1

A fault is caught if there is an error, or a finding that the good ruleset does not have; located if some finding
points into the right file at most two lines away. A traceback is never allowed.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import traceback
from dataclasses import dataclass, field
from pathlib import Path

import interpreter
from interpreter.diagnostics.diagnostic import Diagnostic
from tests.soak.faults import MAKERS
from tests.soak.spoiling import ROOT, Book, Fault

SHIPPED = ROOT / "rulesets"
NEAR = 2  # lines


@dataclass
class Count:
    """The counts for the faults of one sort."""

    made: int = 0
    caught: int = 0
    located: int = 0
    crashed: int = 0
    misses: list[str] = field(default_factory=list)


def read_book(folder: Path) -> Book:
    """Read every document and rules file that is part of the game itself."""
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix in (".yaml", ".rules") and not name.startswith(("tests/", "variants/", "locale/")):
            files[name] = path.read_text(encoding="utf-8")
    return Book(files)


def make_fault(book: Book, sort: str, chance: random.Random) -> Fault:
    """Return a fault of this sort in some file that has a place for it."""
    ending, maker = MAKERS[sort]
    for _ in range(200):
        fault = maker(book, chance.choice(book.names(ending)), chance)
        if fault is not None and fault.text != book.files[fault.file]:
            return fault
    raise ValueError(f"no file has a place for a fault of the sort {sort}")


def judge(folder: Path, fault: Fault, known: set[tuple[str, str]], count: Count) -> None:
    """Write the fault, check, restore the file, and count."""
    path = folder / fault.file
    good = path.read_text(encoding="utf-8")
    path.write_text(fault.text, encoding="utf-8")
    count.made += 1
    try:
        found = interpreter.check(str(folder))
    except Exception:
        count.crashed += 1
        count.misses.append(f"crashed: {fault.file}: {fault.told}\n{traceback.format_exc()}")
        return
    finally:
        path.write_text(good, encoding="utf-8")
    new = [d for d in found if d.severity == "error" or (d.code, d.message) not in known]
    if not new:
        count.misses.append(f"missed: {fault.file}:{fault.places[0][1]}: {fault.told}")
        return
    count.caught += 1
    if any(is_near(d, fault, folder.name) for d in new):
        count.located += 1
    else:
        first = new[0]
        count.misses.append(
            f"elsewhere: {fault.file}:{fault.places[0][1]}: {fault.told}\n"
            f"    found at {first.span}: {first.code}: {first.message}"
        )


def is_near(found: Diagnostic, fault: Fault, folder: str) -> bool:
    """Return True if a finding points near one of the fault's places."""
    spans = [found.span, *(r.span for r in found.related)]
    return any(
        s.file == f"{folder}/{file}" and abs(s.line - line) <= NEAR for s in spans for file, line in fault.places
    )


def run(count: int, seed: int, ruleset: str = "napoleon", sorts: tuple[str, ...] = tuple(MAKERS)) -> dict[str, Count]:
    """Spoil `count` times, rotating over the sorts of faults."""
    chance = random.Random(seed)
    counts = {s: Count() for s in sorts}
    with tempfile.TemporaryDirectory() as there:
        folder = Path(there) / ruleset
        shutil.copytree(SHIPPED / ruleset, folder)
        book = read_book(folder)
        known = {(d.code, d.message) for d in interpreter.check(str(folder))}
        for number in range(count):
            sort = sorts[number % len(sorts)]
            judge(folder, make_fault(book, sort, chance), known, counts[sort])
    return counts


def report(counts: dict[str, Count]) -> str:
    """Return the counts as text."""
    lines = [f"{'':<20} {'made':>5} {'caught':>7} {'located':>8} {'crashed':>8}"]
    total = Count()
    for sort, c in counts.items():
        lines.append(f"{sort:<20} {c.made:>5} {c.caught:>7} {c.located:>8} {c.crashed:>8}")
        total = Count(
            total.made + c.made, total.caught + c.caught, total.located + c.located, total.crashed + c.crashed
        )
    lines.append(f"{'in all':<20} {total.made:>5} {total.caught:>7} {total.located:>8} {total.crashed:>8}")
    lines += [f"{sort}: {miss}" for sort, c in counts.items() for miss in c.misses]
    return "\n".join(lines)


def main(arguments: list[str]) -> int:
    """Run from the command line; return 1 if something crashed or was missed."""
    parser = argparse.ArgumentParser(description="spoil a ruleset, one fault at a time")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ruleset", default="napoleon")
    parser.add_argument("--sort", action="append", choices=sorted(MAKERS))
    given = parser.parse_args(arguments)
    counts = run(given.count, given.seed, given.ruleset, tuple(given.sort or MAKERS))
    print(report(counts))
    return int(any(c.crashed or c.caught < c.made for c in counts.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
