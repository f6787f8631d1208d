"""Random procedures against an oracle: the rules language and a direct reading of the same program must agree.

A program is a nest of loops, branches, calls, decisions, phases and leaves, made from a seed. It is written out as
rules, compiled and played; and it is walked as it stands by a Python generator. Both get the same answers and must
report the same numbers.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.tiny import build, closely, notes
from tests.witness.faults import ReturnSignal, SkipSignal

PHASES = ("alpha", "beta", "gamma")
END = "the_end"


@dataclass(frozen=True)
class Node:
    """A statement: its sort, plain arguments, and blocks inside."""

    sort: str
    args: tuple[Any, ...] = ()
    blocks: tuple[tuple[Node, ...], ...] = ()


class Writer:
    """Makes a random program and writes it as rules."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = 0
        self.notes = 0
        self.procedures: dict[str, tuple[Node, ...]] = {}

    def name(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def block(self, depth: int, seen: tuple[str, ...], loops: int, may_leave: bool) -> tuple[Node, ...]:
        out: list[Node] = []
        for _ in range(self.random.randint(1, 3)):
            node = self.statement(depth, seen, loops, may_leave)
            out.append(node)
            if node.sort in ("let", "ask", "call"):
                seen = (*seen, node.args[0])
            if node.sort in ("return", "skip"):
                break
        return tuple(out)

    def statement(self, depth: int, seen: tuple[str, ...], loops: int, may_leave: bool) -> Node:
        sorts = ["note", "ask", "let", "set", "raise"]
        if depth > 0:
            sorts += ["if", "if", "choose", "draft"]
            if loops < 2:
                sorts += ["for", "repeat", "while", "until_done", "still"]
            if len(self.procedures) < 4:
                sorts += ["call"]
        if may_leave:
            sorts += ["return", "skip"]
        sort = self.random.choice(sorts)
        pick = self.random.choice(seen) if seen else None
        deeper = depth - 1

        def inner(names: tuple[str, ...] = (), more_loops: int = 0) -> tuple[Node, ...]:
            return self.block(deeper, (*seen, *names), loops + more_loops, True)

        match sort:
            case "note":
                self.notes += 1
                return Node("note", (self.notes * 100, pick))
            case "ask" | "let":
                return Node(sort, (self.name(), pick, self.random.randint(0, 3)))
            case "set" if pick is not None:
                return Node("set", (pick, self.random.randint(0, 5)))
            case "if":
                return Node("if", (pick, self.random.randint(0, 3)), (inner(), inner(), inner()))
            case "choose":
                name = self.name()
                return Node("choose", (name,), (inner((name,)), inner()))
            case "draft":
                return Node("draft", (self.name(),))
            case "for" | "repeat" | "while" | "until_done" | "still":
                name = self.name()
                named = (name,) if sort in ("for", "until_done") else ()
                return Node(sort, (name, self.random.randint(1, 3)), (inner(named, 1),))
            case "call":
                called = f"proc{len(self.procedures)}"
                self.procedures[called] = ()
                self.procedures[called] = self.block(deeper, ("given",), loops, True)
                return Node("call", (self.name(), called, pick))
            case "return":
                return Node("return", (pick,))
            case "skip":
                return Node("skip", (self.random.choice(PHASES[1:]),))
        return Node("raise", (self.random.randint(1, 2),))

    # --- as rules -------------------------------------------------------------------

    def rules(self, phases: tuple[tuple[Node, ...], ...]) -> str:
        lines = [
            "draft counted(a: army) starting sum_so_far = 0:",
            "    option add(n in 1..2) now sum_so_far = sum_so_far + n:",
            '        require sum_so_far < 2  "enough"',
            '    finish require sum_so_far > 0  "more"',
            "",
        ]
        for name, body in self.procedures.items():
            lines.append(f"procedure {name}(a: army, given: int) -> int:")
            lines += self.lines(body, 1)
            if body[-1].sort not in ("return", "skip"):
                lines.append("    return 0")
        lines.append("turn:")
        for phase, body in zip(PHASES, phases, strict=True):
            lines += [f"    phase {phase}:", "        let a = reds"]
            lines += self.lines(body, 2, "a")
        lines += [f"    phase {END}:", "        end game drawn"]
        return "\n".join(lines) + "\n"

    def lines(self, block: tuple[Node, ...], depth: int, side: str = "a") -> list[str]:
        out: list[str] = []
        for node in block:
            out += ["    " * depth + line for line in self.told(node)]
        return out

    def told(self, node: Node) -> list[str]:
        inner = [self.lines(b, 1) for b in node.blocks]
        match node.sort, node.args:
            case "note", (number, name):
                return [f"report note({number}" + (f" + {name})" if name else ")")]
            case "ask", (name, _, _):
                return [f"ask(a) -> {name}"]
            case "let", (name, other, number):
                return [f"let {name} = {number}" + (f" + {other}" if other else "")]
            case "set", (name, number):
                return [f"set {name} = remainder({name} + {number}, 7)"]
            case "raise", (number,):
                return [f"raise game.total by {number}", "report note(game.total)"]
            case "if", (name, number):
                test = name or "game.total"
                return [
                    f"if {test} == {number}:",
                    *inner[0],
                    f"else if {test} > {number}:",
                    *inner[1],
                    "else:",
                    *inner[2],
                ]
            case "choose", (name,):
                return [
                    f"choose pick_{name} by a:",
                    f"    option one({name} in 1..2):",
                    *["    " + x for x in inner[0]],
                    "    option other:",
                    *["    " + x for x in inner[1]],
                ]
            case "until_done", (name, number):
                return [
                    f"let left_{name} = {number}",
                    f"choose more_{name} by a repeat until done:",
                    f"    option again({name} in 1..2):",
                    f'        require left_{name} > 0  "no more"',
                    f"        set left_{name} = left_{name} - 1",
                    *["    " + x for x in inner[0]],
                ]
            case "draft", (name,):
                return [f"counted(a) by a -> {name}", f"report note({name}.sum_so_far)"]
            case "for", (name, number):
                return [f"for {name} in 1..{number}:", *inner[0]]
            case "still", (name, number):
                return [f"for {name} in 1..{number} while still game.total < 6:", *inner[0]]
            case "repeat", (_, number):
                return [f"repeat {number} times:", *inner[0]]
            case "while", (name, number):
                return [f"let {name} = 0", f"while {name} < {number}:", f"    set {name} = {name} + 1", *inner[0]]
            case "call", (name, called, other):
                return [f"{called}(a, {other or 1}) -> {name}"]
            case "return", (name,):
                return [f"return {name or 3}"]
            case "skip", (phase,):
                return [f"skip to {phase}"]
        raise AssertionError(node)


class Oracle:
    """An interpreter of a program's tree. `run` yields the keys to choose from and is sent the key chosen."""

    def __init__(self, writer: Writer) -> None:
        self.procedures = writer.procedures
        self.total = 0
        self.told: list[int] = []

    def turn(self, phases: tuple[tuple[Node, ...], ...]) -> Iterator[Any]:
        at = 0
        while at < len(PHASES):
            try:
                yield from self.block(phases[at], {})
            except SkipSignal as skip:
                at = (*PHASES, END).index(skip.phase)
                continue
            at += 1

    def block(self, block: tuple[Node, ...], seen: dict[str, int]) -> Any:
        for node in block:
            yield from self.one(node, seen)

    def one(self, node: Node, seen: dict[str, int]) -> Any:
        args, blocks = node.args, node.blocks
        match node.sort:
            case "note":
                self.told.append(args[0] + (seen[args[1]] if args[1] else 0))
            case "ask":
                key = yield [f"say({n})" for n in range(4)]
                seen[args[0]] = int(key[4])
            case "let":
                seen[args[0]] = args[2] + (seen[args[1]] if args[1] else 0)
            case "set":
                seen[args[0]] = (seen[args[0]] + args[1]) % 7
            case "raise":
                self.total += args[0]
                self.told.append(self.total)
            case "if":
                value = seen[args[0]] if args[0] else self.total
                yield from self.block(blocks[0 if value == args[1] else 1 if value > args[1] else 2], seen)
            case "choose":
                key = yield ["one(1)", "one(2)", "other"]
                if key != "other":
                    seen[args[0]] = int(key[4])
                yield from self.block(blocks[1 if key == "other" else 0], seen)
            case "until_done":
                left = args[1]
                while left > 0:
                    key = yield ["again(1)", "again(2)", "done"]
                    if key == "done":
                        break
                    left -= 1
                    seen[args[0]] = int(key[6])
                    yield from self.block(blocks[0], seen)
            case "draft":
                # a way to each sum: 1, 2, and 3 by 1 and 2
                key = yield ["add(1)", "add(2)", "add(1) > add(2)"]
                self.told.append({"add(1)": 1, "add(2)": 2}.get(key, 3))
            case "for":
                for n in range(1, args[1] + 1):
                    seen[args[0]] = n
                    yield from self.block(blocks[0], seen)
            case "still":
                for n in range(1, args[1] + 1):
                    seen[args[0]] = n
                    if self.total < 6:
                        yield from self.block(blocks[0], seen)
            case "repeat":
                for _ in range(args[1]):
                    yield from self.block(blocks[0], seen)
            case "while":
                seen[args[0]] = 0
                while seen[args[0]] < args[1]:
                    seen[args[0]] += 1
                    yield from self.block(blocks[0], seen)
            case "call":
                try:
                    yield from self.block(self.procedures[args[1]], {"given": seen[args[2]] if args[2] else 1})
                    seen[args[0]] = 0
                except ReturnSignal as leave:
                    seen[args[0]] = leave.value
            case "return":
                raise ReturnSignal(seen[args[0]] if args[0] else 3)
            case "skip":
                raise SkipSignal(args[0])


def make(seed: int) -> tuple[Writer, tuple[tuple[Node, ...], ...]]:
    """Make a program; its phases hold no `return`, and only the second and third may be skipped to from the first."""
    writer = Writer(seed)
    phases = tuple(_without_leaving(writer.block(3, (), 0, False), n) for n in range(3))
    writer.procedures = {n: _only_forward(b) for n, b in writer.procedures.items()}
    return writer, phases


def _without_leaving(block: tuple[Node, ...], number: int) -> tuple[Node, ...]:
    """`return` has no place in a phase; a skip backwards might never end."""
    out: list[Node] = []
    for node in block:
        if node.sort == "return" or (node.sort == "skip" and PHASES.index(node.args[0]) <= number):
            out.append(Node("raise", (1,)))
            continue
        out.append(Node(node.sort, node.args, tuple(_without_leaving(b, number) for b in node.blocks)))
        if node.sort == "skip":
            break
    return tuple(out)


def _only_forward(block: tuple[Node, ...]) -> tuple[Node, ...]:
    """Replace skips in a procedure by skips to the last phase, the only one ahead of every phase that calls it."""
    return tuple(
        Node("skip", (END,)) if n.sort == "skip" else Node(n.sort, n.args, tuple(_only_forward(b) for b in n.blocks))
        for n in block
    )


def compare(seed: int, folder: Path) -> None:
    """Play one program both ways."""
    writer, phases = make(seed)
    text = writer.rules(phases)
    game = build(folder, text).start()
    chooser = random.Random(seed)
    oracle = Oracle(writer)
    walk = oracle.turn(phases)
    keys: list[str] = []
    try:
        wanted = next(walk)
        while len(keys) < 60:
            key = chooser.choice(wanted)
            keys.append(key)
            wanted = walk.send(key)
    except StopIteration:
        wanted = []
    closely(game, keys)
    assert notes(game) == oracle.told, text
    assert sorted(o.key for o in game.decision.options) == sorted(wanted) if game.decision else not wanted, text
    assert game.over == (not wanted), text


@pytest.mark.parametrize("seed", range(40))
def test_random_program_agrees_with_reference(seed: int, tmp_path: Path) -> None:
    compare(seed, tmp_path)


@pytest.mark.soak
def test_many_random_programs_agree_with_oracle(tmp_path: Path) -> None:
    for seed in range(1000, 3000):
        compare(seed, tmp_path / str(seed))
