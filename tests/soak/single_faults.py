"""Single faults in shipped and sample rulesets: how many are caught, located and cured.

    python -m tests.soak.single_faults --count 500 --seed 1

There are two sorts: slips that spoil the text (`faults`), and slips that leave it valid (`silent_faults`), which
`check` can only find odd. Caught: an error, or a finding that the good ruleset does not have, oddities included.
Located: some finding within two lines. Cured: after `check --fix` there are no findings beyond those of the good
ruleset; restored: the fix gives back the original text. A traceback is never allowed.
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

from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.tools.autofix.apply_fixes import apply_fixes
from interpreter.tools.cases.case_checks import check_with_cases
from tests.soak.faults import MAKERS
from tests.soak.silent_faults import SILENT
from tests.soak.spoil import is_near, read_book
from tests.soak.spoiling import ROOT, Book, Fault, Maker

TARGETS = (
    "rulesets/napoleon",
    "rulesets/denain-1712",
    "tests/tools/games/skirmish",
    "tests/bench/border",
    "tests/bench/classics/breakthrough",
)
TEXT, SOUND = "spoils the text", "leaves it sound"


@dataclass
class Tally:
    """The counts for the faults of one sort."""

    made: int = 0
    caught: int = 0
    located: int = 0
    cured: int = 0
    restored: int = 0
    crashed: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for name in ("made", "caught", "located", "cured", "restored", "crashed"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.missed += other.missed


@dataclass(frozen=True)
class Bench:
    """A copy of a ruleset that faults are put into, and the findings of the good copy."""

    folder: Path
    book: Book
    known: frozenset[tuple[str, str]]


def bench(target: str, there: Path) -> Bench:
    """Copy a ruleset without its test cases, which are neither spoiled nor allowed to find the fault."""
    folder = there / Path(target).name
    shutil.copytree(ROOT / target, folder, ignore=shutil.ignore_patterns("tests", "variants"))
    return Bench(folder, read_book(folder), frozenset(_told(check_with_cases(str(folder), odd=True))))


def _told(found: tuple[Diagnostic, ...]) -> list[tuple[str, str]]:
    return [(d.code, str(d.message)) for d in found]


def make(book: Book, sort: str, maker: tuple[str, Maker], chance: random.Random) -> Fault | None:
    """Return a fault of this sort somewhere in a ruleset, or None if it has no place for one."""
    ending, hand = maker
    names = book.names(ending)
    for _ in range(60 if names else 0):
        fault = hand(book, chance.choice(names), chance)
        if fault is not None and fault.text != book.files[fault.file]:
            return fault
    return None


def judge(at: Bench, fault: Fault, tally: Tally, with_cure: bool) -> None:
    """Write the fault, check, apply the cure, and restore the file."""
    path = at.folder / fault.file
    good = path.read_bytes()
    path.write_text(fault.text, encoding="utf-8")
    where = f"{at.folder.name}/{fault.file}:{fault.places[0][1]}: {fault.told}"
    tally.made += 1
    try:
        found = check_with_cases(str(at.folder), odd=True)
        new = [d for d in found if d.severity == "error" or (d.code, str(d.message)) not in at.known]
        tally.caught += bool(new)
        tally.located += any(is_near(d, fault, at.folder.name) for d in new)
        if not new:
            tally.missed.append(where)
        elif with_cure:
            mended = apply_fixes(str(at.folder))
            left = [d for d in mended.remaining if d.severity == "error" or (d.code, str(d.message)) not in at.known]
            tally.cured += bool(mended.cured) and not left
            tally.restored += mended.texts.get(path.resolve(), b"").decode() == good.decode()
    except Exception:
        tally.crashed += 1
        tally.missed.append(f"crashed: {where}\n{traceback.format_exc()}")
    finally:
        path.write_bytes(good)


def run(
    count: int, seed: int, targets: tuple[str, ...] = TARGETS, with_cure: bool = True
) -> dict[tuple[str, str], Tally]:
    """Make and judge `count` faults, rotating over the rulesets and the sorts."""
    chance = random.Random(seed)
    sorts = [*((TEXT, s, m) for s, m in MAKERS.items()), *((SOUND, s, m) for s, m in SILENT.items())]
    tallies = {(part, sort): Tally() for part, sort, _maker in sorts}
    with tempfile.TemporaryDirectory() as there:
        benches = [bench(target, Path(there)) for target in targets]
        done = 0
        for turn in range(20 * count):
            part, sort, maker = sorts[turn % len(sorts)]
            at = benches[(turn // len(sorts)) % len(benches)]
            fault = make(at.book, sort, maker, chance) if done < count else None
            if fault is not None:
                judge(at, fault, tallies[part, sort], with_cure)
                done += 1
    return tallies


def report(tallies: dict[tuple[str, str], Tally]) -> str:
    """Return the figures as a table, followed by the missed faults."""
    lines = []
    for part in (TEXT, SOUND):
        whole = Tally()
        lines.append(f"{part:<22} made caught located cured restored crashed")
        for (own, sort), t in tallies.items():
            if own == part and t.made:
                whole.add(t)
                lines.append(_row(sort, t))
        lines += [_row("in all", whole), ""]
    lines += [f"{sort}: {missed}" for (_part, sort), t in tallies.items() for missed in t.missed]
    return "\n".join(lines)


def _row(name: str, t: Tally) -> str:
    return f"{name:<22} {t.made:>4} {t.caught:>6} {t.located:>7} {t.cured:>5} {t.restored:>8} {t.crashed:>7}"


def main(arguments: list[str]) -> int:
    """Run from the command line; return 1 if something crashed."""
    parser = argparse.ArgumentParser(description="put single faults into rulesets, and count what is found and cured")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--target", action="append", choices=TARGETS)
    given = parser.parse_args(arguments)
    tallies = run(given.count, given.seed, tuple(given.target or TARGETS))
    print(report(tallies))
    return int(any(t.crashed for t in tallies.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
