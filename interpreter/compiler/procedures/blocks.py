"""Procedures as basic blocks: where they start, how they jump, how frames are suspended and resumed."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from interpreter.checker.suspension import walk
from interpreter.compiler.optimising.passes import JOINING, TURNS
from interpreter.compiler.procedures.effects import Effects, Workshop
from interpreter.compiler.procedures.frames import all_locals, emptied, fill_locals, locals_declared, taken, unpacked
from interpreter.compiler.procedures.liveness import needed_at
from interpreter.compiler.python_syntax import constant, expression, function, located, statements, stored
from interpreter.compiler.shortcuts.joined_blocks import joined, leads_to
from interpreter.diagnostics.source_text import Span
from interpreter.model import statements as c

_FEW_BLOCKS = 3  # that are tried one after the other
BEFORE = "b_before"  # the phase in which a procedure with phases of its own was called


class Cut:
    """A procedure cut into blocks; `cuts` says how each statement is cut that can suspend."""

    def __init__(self, owner: Workshop, p: c.CheckedProcedure, cuts: Mapping[type, Callable[[Cut, Any], None]]) -> None:
        self.owner = owner
        self.cuts = cuts
        self.following: c.Stmt | None = None  # what stands behind the statement being cut
        self.x = owner.x
        self.plain = Effects(owner, p.name, is_cut=True)
        self.p = p
        self.blocks: list[list[ast.stmt]] = [[]]
        self.hidden: list[str] = []
        self.entries: dict[str, int] = {}
        self.inside: dict[str, tuple[str, ...]] = {}
        self.held: dict[str, tuple[int, int]] = {}  # phases that values last as long as -> their first and last block
        self.phase_stack: list[str] = []
        self.names = locals_declared(p)
        self.numbers = {id(s): n for n, s in enumerate(walk(p.body))}
        self.resumes: dict[int, int] = {}  # block -> the statement whose end it is, by its number in the text
        self.around: dict[int, list[int]] = {}  # block -> the decisions in whose options it stands, outermost first
        self.frames: list[tuple[int, ast.Tuple]] = []  # the block where each goes on, and the tuple of its locals
        self.within: list[int] = []  # decisions whose options are being written, outermost first

    # --- blocks ---------------------------------------------------------------------------

    def new(self) -> int:
        """Start a new block that receives the following statements."""
        self.blocks.append([])
        return len(self.blocks) - 1

    def emit(self, made: list[ast.stmt], span: Span) -> None:
        """Add statements to the block being written."""
        located(made, span)
        self.blocks[-1].extend(made)

    def jump(self, target: int, here: int) -> list[ast.stmt]:
        """Go to a block; only backward jumps need a new turn of the loop."""
        text = "pc = _1" if target > here else "pc = _1\ncontinue"
        return statements(text, constant(target))

    def leave(self, resume: int, stmt: c.Stmt | None, called: bool = False) -> list[ast.stmt]:
        """Suspend a frame to resume at `resume` after `stmt`, and report to the caller that a decision was reached.

        `called`: the decision was reached in a callee.
        """
        self.resumes[resume] = -1 if stmt is None else self.numbers[id(stmt)]
        self.around[resume] = list(self.within)
        held = all_locals()
        self.frames.append((resume, held))
        left = "G.above = (_1, _2, G.above)" if called else "G.stack = (_1, _2, G.stack)"
        return statements(left + "\nreturn _ASKED", constant((self.p.name, resume)), held)

    def function(self) -> ast.stmt:
        """Return the whole function."""
        p = self.p
        self.emit(self.plain.cover(p.cites), p.span)
        self.walk(p.body)
        if self.owner.suspension.uses_later and p.name in ("turn", "setup"):
            self.settle(p.span, None)
        end = self.plain.ending()
        self.emit([*end, ast.Return(constant(None))], p.span)
        everything = [*self.names, *self.hidden]
        lean = self.owner.suspension.at_rolls and not self.entries
        needed = [frozenset(everything)] * len(self.blocks) if self.entries else needed_at(self.blocks, everything)
        kept = {block: [n for n in everything if not lean or n in needed[block]] for block in self.resumes}
        self.owner.resumes[p.name] = [
            [block, number, kept[block], [n in needed[block] for n in kept[block]]]
            for block, number in self.resumes.items()
        ]
        self.owner.around[p.name] = [[block, decisions] for block, decisions in self.around.items() if decisions]
        start, first = self._begun(everything), 0
        if JOINING in self.x.passes and (first := leads_to(self.blocks[0])):
            start += self.blocks[0]
        if p.name == "turn" and TURNS in self.x.passes:
            again = [*self._begun(everything), *self.jump(first, len(self.blocks) - 1)]
            self.blocks[-1][-1:] = located(
                [*statements("if _next_turn(G):\n    _1", again), ast.Return(constant(None))], p.span
            )
        again = unpacked(everything, kept if lean else None)
        blocks = list(enumerate(self.blocks))
        if JOINING in self.x.passes:
            blocks = joined(self.blocks, {first, *self.resumes, *self.entries.values()}, told=bool(self.held))
        chain: list[ast.stmt] = _dispatch(blocks)
        chain += statements("raise _Skip(G.signal)")  # who is left by a skip goes on at no block
        if end or self.entries:
            chain = statements("try:\n    _1\nexcept _Skip as _e:\n    _2", chain, self._on_skip(end))
        body = [ast.If(expression("pc == 0"), start or [ast.Pass()], again), ast.While(constant(True), chain, [])]
        made = function("p_" + p.name, ["G", "pc", "L"], body, p.span)
        for block, held in self.frames:
            fill_locals(held, kept[block])
        return made

    def _begun(self, everything: list[str]) -> list[ast.stmt]:
        """Return the prologue: parameters are bound, other names are empty, and the call is charged."""
        params = ["v_" + n for n, _ in self.p.params]
        out = [*taken(params), *emptied(n for n in everything if n not in params)]
        out += statements("_1 = G.phase", stored(BEFORE)) if BEFORE in self.hidden else []
        return [*out, *self.plain.deepening()]

    def _on_skip(self, end: list[ast.stmt]) -> list[ast.stmt]:
        """Return the code that ends the phases that a skip leaves, then continues here or leaves the procedure too."""
        out: list[ast.stmt] = []
        if self.held:  # a frame that is left names the block where it stood as -1 - block
            out += statements("_here = pc if pc >= 0 else -1 - pc")
        for phase, (first, last) in self.held.items():
            stays = tuple(target for target in self.entries if phase in self.inside[target])
            left = expression("_1 <= _here <= _2", constant(first), constant(last))
            if stays:
                left = expression("_1 and _e.phase not in _2", left, constant(stays))
            out.append(ast.If(left, self.owner.scopes(phase), []))
        for phase, block in self.entries.items():
            goes_on = statements("G.queue = ()\npc = _1\ncontinue", constant(block))
            out.append(ast.If(expression("_e.phase == _1", constant(phase)), goes_on, []))
        return [*out, *end, *statements("raise")]

    # --- statements -------------------------------------------------------------------------

    def walk(self, body: c.Body) -> None:
        """Statements in order, cutting where one can suspend."""
        for number, stmt in enumerate(body):
            if not self.owner.suspension.suspends(stmt) and not isinstance(stmt, c.PhaseBlock):
                self.emit(self.plain.statement(stmt), stmt.span)
                continue
            self.emit(self.plain.cover(getattr(stmt, "cites", ())), stmt.span)
            self.following = body[number + 1] if number + 1 < len(body) else None
            self.cuts[type(stmt)](self, stmt)

    def remembered(self, letter: str, stmt: c.Stmt) -> str:
        """Return a name for a value that a statement keeps; the same in every form of the program."""
        made = f"{letter}_{self.numbers[id(stmt)]}"
        self.hidden.append(made)
        return made

    def open_jump(self, span: Span) -> ast.Constant:
        """Emit a forward jump whose target is filled in later."""
        target: ast.Constant = constant(0)
        made: list[ast.stmt] = statements("pc = _1", target)
        self.emit(made, span)
        return target

    def meet(self, ends: list[ast.Constant]) -> int:
        """Start a new block that is the target of open jumps."""
        here = self.new()
        for end in ends:
            end.value = here
        return here

    def settle(self, span: Span, stmt: c.Stmt | None) -> None:
        """Emit the execution of queued calls, on behalf of `stmt`."""
        here = len(self.blocks) - 1
        loop = here + 1
        self.emit(self.jump(loop, here), span)
        self.new()
        self.emit(
            statements(
                "if G.queue:\n    _r = _run_queued(G)\n    if _r is _ASKED:\n        _1\n    pc = _2\n"
                "    continue\npc = _3",
                self.leave(loop, stmt, called=True),
                constant(loop),
                constant(loop + 1),
            ),
            span,
        )
        self.new()


def _dispatch(blocks: list[tuple[int, list[ast.stmt]]]) -> list[ast.stmt]:
    """`if pc == n:` for each block, in order: forward jumps fall through, and those behind are passed by at once."""
    if len(blocks) > _FEW_BLOCKS:
        middle = len(blocks) // 2
        passed = ast.If(expression("pc < _1", constant(blocks[middle][0])), _dispatch(blocks[:middle]), [])
        return [passed, *_dispatch(blocks[middle:])]
    return [ast.If(expression("pc == _1", constant(n)), block or [ast.Pass()], []) for n, block in blocks]
