"""Procedures that can reach a decision -> functions cut into blocks.

`p_name(G, pc, L)` takes the block to start at and its locals. When a decision is reached it
gives back `ASKED` after leaving a frame (name, block, locals) in `G.frames`, innermost first;
the machine calls it again with that frame when the answer is known.

A program for exact odds is cut at rolls too, and where an option of a row of choices has done all
it does; its frames keep only what is still needed, so that histories which no longer matter become
one.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.checker.suspension import walk
from interpreter.compiler.noting import silently
from interpreter.compiler.procedures.effects import Effects, Workshop
from interpreter.compiler.procedures.liveness import needed_at
from interpreter.compiler.procedures.pools import Reading, pool_use
from interpreter.compiler.python_syntax import (
    constant,
    expression,
    function,
    located,
    name,
    statements,
    stored,
    tuple_of,
)
from interpreter.model import core as c
from interpreter.source.text import Span

_BEFORE = "b_before"  # the phase in which a procedure with phases of its own was called


class Cut:
    """A procedure cut into blocks."""

    __slots__ = (
        "owner",
        "x",
        "plain",
        "p",
        "blocks",
        "hidden",
        "entries",
        "inside",
        "phase_stack",
        "names",
        "numbers",
        "resumes",
        "around",
        "within",
    )

    def __init__(self, owner: Workshop, p: c.CheckedProcedure) -> None:
        self.owner = owner
        self.x = owner.x
        self.plain = Effects(owner, p.name)
        self.p = p
        self.blocks: list[list[ast.stmt]] = [[]]
        self.hidden: list[str] = []
        self.entries: dict[str, int] = {}
        self.inside: dict[str, tuple[str, ...]] = {}
        self.phase_stack: list[str] = []
        self.names = _locals(p)
        self.numbers = {id(s): n for n, s in enumerate(walk(p.body))}
        self.resumes: dict[int, int] = {}  # block -> the statement whose end it is, by its number in the text
        self.around: dict[int, list[int]] = {}  # block -> the decisions in whose options it stands, outermost first
        self.within: list[int] = []  # decisions whose options are being written, outermost first

    # --- blocks ---------------------------------------------------------------------------

    def new(self) -> int:
        """A new block; later statements go into it."""
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

    def frame_locals(self) -> Any:
        """All locals, as a tuple for the frame (completed when all hidden names are known)."""
        return _LOCALS()

    def leave(self, resume: int, stmt: c.Stmt | None) -> list[ast.stmt]:
        """Leave a frame to go on at `resume` after `stmt`, and tell the caller that a decision was reached."""
        self.resumes[resume] = -1 if stmt is None else self.numbers[id(stmt)]
        self.around[resume] = list(self.within)
        return statements(
            "G.frames.append((_1, _2, _3))\nreturn _ASKED", constant(self.p.name), constant(resume), self.frame_locals()
        )

    def function(self) -> ast.stmt:
        """The whole function."""
        p = self.p
        self.emit(self.plain.cover(p.cites), p.span)
        self.walk(p.body)
        if self.owner.suspension.uses_later and p.name in ("turn", "setup"):
            self._settle(p.span, None)
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
        params = ["v_" + n for n, _ in p.params]
        rest = [n for n in everything if n not in params]
        start: list[ast.stmt] = []
        if params:
            start.append(ast.Assign([ast.Tuple([stored(n) for n in params], ast.Store())], name("L")))
        start.extend(ast.Assign([stored(n)], constant(None)) for n in rest)
        start += statements("_1 = G.phase", stored(_BEFORE)) if _BEFORE in self.hidden else []
        start.extend(self.plain.deepening())
        again = _unpacked(everything, kept if lean else None)
        chain: list[ast.stmt] = statements("if pc < 0: raise _Skip(G.signal)")
        chain += _dispatch(self.blocks, 0, len(self.blocks))
        if end or self.entries:
            chain = statements("try:\n    _1\nexcept _Skip as _e:\n    _2", chain, self._on_skip(end))
        body = [ast.If(expression("pc == 0"), start or [ast.Pass()], again), ast.While(constant(True), chain, [])]
        made = _fill_locals(ast.Module(body, []), kept)
        return function("p_" + p.name, ["G", "pc", "L"], made.body, p.span)

    def _on_skip(self, end: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for phase, block in self.entries.items():
            around = (*self.inside[phase], phase)
            ended: list[ast.stmt] = []
            for other in self.entries:
                if other not in around:
                    ended.extend(self.owner.scopes(other))
            out += [
                ast.If(
                    expression("_e.phase == _1", constant(phase)),
                    [*ended, *statements("G.queue.clear()\npc = _1\ncontinue", constant(block))],
                    [],
                )
            ]
        for phase in self.entries:
            out.extend(self.owner.scopes(phase))
        return [*out, *end, *statements("raise")]

    # --- statements -------------------------------------------------------------------------

    def walk(self, body: c.Body) -> None:
        """Statements in order, cutting where one can suspend."""
        for number, stmt in enumerate(body):
            if not self.owner.suspension.suspends(stmt) and not isinstance(stmt, c.PhaseBlock):
                self.emit(self.plain.statement(stmt), stmt.span)
                continue
            self.emit(self.plain.cover(getattr(stmt, "cites", ())), stmt.span)
            if isinstance(stmt, c.RollDice | c.DrawMembers):
                self._cut_roll(stmt, body[number + 1] if number + 1 < len(body) else None)
                continue
            _CUTS[type(stmt)](self, stmt)

    def _hidden(self, letter: str, stmt: c.Stmt) -> str:
        """A name for what a statement remembers; the same in every form of the program."""
        made = f"{letter}_{self.numbers[id(stmt)]}"
        self.hidden.append(made)
        return made

    def _cut_call(self, s: c.CallProcedure) -> None:
        here = len(self.blocks) - 1
        resume = here + 1
        self.emit(
            statements(
                "_r = _1(G, 0, _2)\nif _r is _ASKED:\n    _3\nG.ret = _r\npc = _4",
                name("p_" + s.procedure),
                tuple_of(self.x.many(s.args)),
                self.leave(resume, s),
                constant(resume),
            ),
            s.span,
        )
        self.new()
        if s.var is not None:
            self.emit(statements("_1 = G.ret", stored("v_" + s.var)), s.span)

    def _cut_settle(self, s: c.SettleNow) -> None:
        self._settle(s.span, s)

    def _settle(self, span: Span, stmt: c.Stmt | None) -> None:
        here = len(self.blocks) - 1
        loop = here + 1
        self.emit(self.jump(loop, here), span)
        self.new()
        self.emit(
            statements(
                "if G.queue:\n    _r = _run_queued(G)\n    if _r is _ASKED:\n        _1\n    pc = _2\n"
                "    continue\npc = _3",
                self.leave(loop, stmt),
                constant(loop),
                constant(loop + 1),
            ),
            span,
        )
        self.new()

    def _cut_branch(self, s: c.Branch) -> None:
        tests = [(self.x.lifted(test), body) for test, body in s.branches]
        top = self.blocks[-1]
        chosen: list[ast.Constant] = [constant(0) for _ in tests]
        miss = constant(0)
        chain: list[ast.stmt] = [ast.Assign([stored("pc")], miss)]
        for ((before, test), _), target in reversed(list(zip(tests, chosen, strict=True))):
            chain = [*before, ast.If(test, [ast.Assign([stored("pc")], target)], chain)]
        located(chain, s.span)
        top.extend(chain)
        ends: list[ast.Constant] = []
        for (_, body), target in zip(tests, chosen, strict=True):
            target.value = self.new()
            self.walk(body)
            ends.append(self._open_jump(s.span))
        miss.value = self.new()
        if s.otherwise:
            self.walk(s.otherwise)
            ends.append(self._open_jump(s.span))
            last = self.new()
        else:
            last = miss.value
        for end in ends:
            end.value = last

    def _open_jump(self, span: Span) -> ast.Constant:
        """A forward jump whose target is filled in later."""
        target: ast.Constant = constant(0)
        made: list[ast.stmt] = [ast.Assign([stored("pc")], target)]
        self.emit(made, span)
        return target

    def _cut_loop(self, s: c.Loop) -> None:
        if s.sort == "while":
            self._cut_while(s)
            return
        if self.owner.suspension.at_rolls:
            self._cut_lean_loop(s)
            return
        items, index = self._hidden("s", s), self._hidden("i", s)
        head = self._members(s)
        here = len(self.blocks) - 1
        self.emit(statements("_1 = _2\n_3 = 0", stored(items), head, stored(index)), s.span)
        self.emit(self.jump(here + 1, here), s.span)
        loop = self.new()
        out = constant(0)
        bind = [] if s.var is None else statements("_1 = _2[_3]", stored("v_" + s.var), name(items), name(index))
        still = [] if s.still is None else statements("if not _1:\n    continue", self.x.emit(s.still))
        self.emit(
            [
                *statements(
                    "if _1 >= len(_2):\n    pc = _3\nelse:\n    _4\n    _5 = _1 + 1\n    _6\n    pc = _7",
                    name(index),
                    name(items),
                    out,
                    bind or [ast.Pass()],
                    stored(index),
                    still or [ast.Pass()],
                    constant(loop + 1),
                )
            ],
            s.span,
        )
        self.new()
        self.walk(s.body)
        self.emit(self.jump(loop, len(self.blocks) - 1), s.span)
        out.value = self.new()

    def _members(self, s: c.Loop) -> Any:
        """What a loop goes through, counted before it begins."""
        if s.sort == "for":
            return self.x.through(self.x.emit(s.head), self.x.efforts.loop_charge(s))
        return expression("tuple(_1)", self.plain.times(s))

    def _cut_lean_loop(self, s: c.Loop) -> None:
        """A loop that holds only what it has still to go through."""
        items = self._hidden("s", s)
        head = self._members(s)
        here = len(self.blocks) - 1
        self.emit(statements("_1 = tuple(_2)", stored(items), head), s.span)
        self.emit(self.jump(here + 1, here), s.span)
        loop = self.new()
        out = constant(0)
        if s.sort == "times":  # which turn it is does not matter
            bind = []
        else:
            bind = [] if s.var is None else statements("_1 = _2[0]", stored("v_" + s.var), name(items))
        still = [] if s.still is None else statements("if not _1:\n    continue", self.x.emit(s.still))
        rest = statements("_1 = _2[1:]" if s.sort == "for" else "_1 = _2[:-1]", stored(items), name(items))
        self.emit(
            statements(
                "if not _1:\n    pc = _2\nelse:\n    _3\n    _4\n    _5\n    pc = _6",
                name(items),
                out,
                bind or [ast.Pass()],
                rest,
                still or [ast.Pass()],
                constant(loop + 1),
            ),
            s.span,
        )
        self.new()
        self.walk(s.body)
        self.emit(self.jump(loop, len(self.blocks) - 1), s.span)
        out.value = self.new()

    def _cut_while(self, s: c.Loop) -> None:
        here = len(self.blocks) - 1
        self.emit(self.jump(here + 1, here), s.span)
        loop = self.new()
        out = constant(0)
        self.emit(
            [
                *self.plain.turn(s),
                *statements("if _1:\n    pc = _2\nelse:\n    pc = _3", self.x.emit(s.head), constant(loop + 1), out),
            ],
            s.span,
        )
        self.new()
        self.walk(s.body)
        self.emit(self.jump(loop, len(self.blocks) - 1), s.span)
        out.value = self.new()

    def _cut_match(self, s: c.MatchPart) -> None:
        holder = self._hidden("m", s)
        self.emit(statements("_1 = _2", stored(holder), self.x.emit(s.subject)), s.span)
        span = s.span
        arms: list[tuple[ast.Constant, c.Body]] = []
        other = constant(0)
        chain: list[ast.stmt] = [] if s.otherwise is None else [ast.Assign([stored("pc")], other)]
        for arm, var, body in reversed(s.arms):
            target = constant(0)
            bind = [] if var is None else statements("_1 = _s[1]", stored("v_" + var))
            chain = [ast.If(self.plain.arm_test(s, arm), [*bind, ast.Assign([stored("pc")], target)], chain)]
            arms.insert(0, (target, body))
        if s.otherwise is not None:
            arms.append((other, s.otherwise))
        self.emit([*statements("_s = _1", name(holder)), *chain], span)
        ends = []
        for target, body in arms:
            target.value = self.new()
            self.walk(body)
            ends.append(self._open_jump(span))
        last = self.new()
        for end in ends:
            end.value = last

    def _cut_phase(self, s: c.PhaseBlock) -> None:
        before = self._hidden("b", s)
        outer: Any = constant(self.phase_stack[-1] if self.phase_stack else None)
        if not self.phase_stack and self.p.name not in ("turn", "setup"):
            outer = name(_BEFORE)
            self.hidden += [] if _BEFORE in self.hidden else [_BEFORE]
        here = len(self.blocks) - 1
        self.emit(statements("pc = _1", constant(here + 1)), s.span)
        entry = self.new()
        self.entries[s.name] = entry
        self.inside[s.name] = tuple(self.phase_stack)
        self.phase_stack.append(s.name)
        self.plain.phases.append((s.name, before))
        self.emit(
            statements(
                "_1 = _3\n_enter(G, _2, _4, _5)",
                stored(before),
                constant(s.name),
                outer,
                constant(s.cites),
                self.plain.title_values(s),
            ),
            s.span,
        )
        self.walk(s.body)
        if self.owner.suspension.uses_later:
            self._settle(s.span, s)
        self.phase_stack.pop()
        self.plain.phases.pop()
        self.emit(
            [*self.owner.scopes(s.name), *statements("_leave(G, _1, _2)", constant(s.name), name(before))], s.span
        )

    # --- decisions ----------------------------------------------------------------------------

    def _cut_decide(self, s: c.Decide) -> None:
        number = silently(self.x, lambda: self.owner.decisions.add(s))
        self.owner.within[number] = list(self.within)
        free = self.owner.decisions.free[number]
        here = len(self.blocks) - 1
        if s.until_done:
            self.emit(statements("pc = _1", constant(here + 1)), s.span)
            here = self.new()
        resume = here + 1
        given = [name("v_" + n) for n in free]
        listed = ast.Call(name(f"list_{number}"), [name("G"), *given], [])
        nobody, out = constant(0), constant(0)
        ask = self.owner.decisions.deciding(number, s.decider, given)
        ask += statements("G.pending = (_1, _2, _o)\n_3", constant(number), tuple_of([*given]), self.leave(resume, s))
        first: list[ast.stmt] = statements("_o = _1", listed)
        if s.until_done:
            done = ast.Call(name(f"done_{number}"), [name("G"), *given], [])
            if s.finish:
                alone = self._alone(s, number, given, resume)
                first += statements(
                    "_d = _1\n_5\nif pc == _6 and _o:\n    if _d: _o.append((-1, ()))\n    _2\n"
                    "if pc == _6: pc = _3 if _d else _4",
                    done,
                    ask,
                    out,
                    nobody,
                    alone,
                    constant(here),
                )
            else:
                first += statements("if _o:\n    _o.append((-1, ()))\n    _1\npc = _2", ask, out)
        elif s.alone:
            first += statements(
                "if len(_o) == 1:\n    G.answer = _o[0]\n    _taken(G, _1, _2, _o[0])\n    pc = _3\nelif _o:\n    _4\n"
                "else:\n    pc = _5",
                constant(number),
                tuple_of(list(given)),
                constant(resume),
                ask,
                nobody,
            )
        else:
            first += statements("if _o:\n    _1\npc = _2", ask, nobody)
        self.emit(first, s.span)
        self.new()
        self._cut_answers(s, number, here, nobody, out)

    def _alone(self, s: c.Decide, number: int, given: list[Any], resume: int) -> list[ast.stmt]:
        """The only option of a repetition takes itself while `done` is refused; it counts as work done."""
        if not s.alone:
            return [ast.Pass()]
        return statements(
            "if len(_o) == 1 and not _d:\n    _spend(G)\n    G.answer = _o[0]\n"
            "    _taken(G, _1, _2, _o[0])\n    pc = _3",
            constant(number),
            tuple_of(list(given)),
            constant(resume),
        )

    def _cut_answers(self, s: c.Decide, decision: int, again: int, nobody: ast.Constant, out: ast.Constant) -> None:
        """Where the answer leads: an option's effects, the end of a repetition, or `otherwise`."""
        chain: list[ast.stmt] = []
        targets: list[tuple[ast.Constant, c.Choice]] = []
        for index in reversed(range(len(s.choices))):
            choice = s.choices[index]
            target = constant(0)
            bind: list[ast.stmt] = []
            if choice.params:
                left = ast.Tuple([stored("v_" + p.name) for p in choice.params], ast.Store())
                bind = [ast.Assign([left], name("_args"))]
            chain = [
                ast.If(expression("_i == _1", constant(index)), [*bind, ast.Assign([stored("pc")], target)], chain)
            ]
            targets.insert(0, (target, choice))
        if s.until_done:
            chain = [ast.If(expression("_i < 0"), [ast.Assign([stored("pc")], out)], chain)]
        self.emit([*statements("_i, _args = G.answer"), *chain], s.span)
        ends: list[ast.Constant] = []
        self.within.append(decision)
        for target, choice in targets:
            target.value = self.new()
            self.emit(self.plain.cover(choice.cites), choice.span)
            self.walk(choice.body)
            if s.until_done:
                if self.owner.suspension.at_rolls:
                    self._cut_close(decision, s.span)
                self.emit(self.jump(again, len(self.blocks) - 1), s.span)
            else:
                ends.append(self._open_jump(s.span))
        self.within.pop()
        nobody.value = self.new()
        if s.otherwise is not None:
            self.walk(s.otherwise)
            ends.append(self._open_jump(s.span))
        else:
            self.emit(statements("_no_option(G, _1)", constant(s.address)), s.span)
        last = self.new()
        out.value = last
        for end in ends:
            end.value = last

    def _cut_draft(self, s: c.DecideDraft) -> None:
        number = silently(self.x, lambda: self.owner.decisions.add_draft(s))
        self.owner.within[number] = list(self.within)
        free = self.owner.decisions.free[number]
        here = len(self.blocks) - 1
        given = tuple_of([name("v_" + n) for n in free])
        self.emit(statements("_args = _1", tuple_of(self.x.many(s.args))), s.span)
        if self.owner.model.drafts[s.draft].finish:
            self.emit(statements("if not _possible(G, _1, _args): _no_end(_1)", constant(s.draft)), s.span)
        ask = self.owner.decisions.deciding(number, s.decider, [name("v_" + n) for n in free])
        ask += statements("G.pending = (_1, _2, _args)\n_3", constant(number), given, self.leave(here + 1, s))
        if s.alone:
            ask = statements(
                "_f = _sole_end(G, _1, _2, _3, _args)\nif _f is None:\n    _4\nG.answer = _f\npc = _5",
                constant(number),
                given,
                constant(s.draft),
                ask,
                constant(here + 1),
            )
        self.emit(ask, s.span)
        self.new()
        if s.var is not None:
            self.emit(statements("_1 = G.answer", stored("v_" + s.var)), s.span)

    # --- chance, where it suspends ----------------------------------------------------------------

    def _cut_roll(self, s: c.RollDice | c.DrawMembers, following: c.Stmt | None) -> None:
        """Stand still before dice or a draw; no dice at all need nobody to throw them."""
        here = len(self.blocks) - 1
        use = pool_use(self.p, s, following, self.owner.model)
        kind, subject = self.plain.whom(s.subject)
        count = constant(1) if s.count is None else self.x.emit(s.count)
        if isinstance(s, c.RollDice):
            source: Any = name("DIE_" + s.die)
            least = "_n < 1"
            nothing = expression("tuple(_roll(G, _1, None, None, _2, _n, ()))", constant(s.name), source)
        else:
            source = self.x.emit(s.source)
            least, nothing = "_n < 1 or not _m", constant(())
        signs = constant(None)
        if use.readings is not None and s.count is not None and isinstance(s, c.RollDice):
            signs = expression("lambda: _1", tuple_of([self._sign(r, source) for r in use.readings]))
        self.emit(
            statements(
                f"_n = _1\n_m = _2\nif {least}:\n    G.answer = _3\nelse:\n"
                "    G.pending = (_4, _5, _6, _7, _m, _n, _8, _9)\n    _10\npc = _11",
                count,
                source,
                nothing,
                constant("roll" if isinstance(s, c.RollDice) else "draw"),
                constant(s.name),
                kind,
                subject,
                signs,
                constant(use.ordered),
                self.leave(here + 1, s),
                constant(here + 1),
            ),
            s.span,
        )
        self.new()
        taken = (
            "G.answer"
            if s.count is not None
            else ("G.answer[0]" if isinstance(s, c.RollDice) else "_only(G.answer, _2)")
        )
        self.emit(statements(f"_1 = {taken}", stored("v_" + s.var), constant(s.name)), s.span)

    def _cut_close(self, decision: int, span: Span) -> None:
        """Stand still where an option of a row has done all it does, before the row is gone on with."""
        resume = len(self.blocks)
        left = self.leave(resume, None)
        self.resumes[resume] = -2 - decision  # the end of no statement
        self.emit(statements("G.pending = (_1, _2)\n_3", constant("close"), constant(decision), left), span)
        self.new()

    def _sign(self, reading: Reading, die: Any) -> Any:
        """What one reading takes of each face of a die: faces of equal signs need not be told apart."""
        var = "v_" + reading.var
        read = tuple_of([self.x.plainly(part) for part in reading.parts])
        if reading.where is not None:
            read = ast.IfExp(self.x.plainly(reading.where), read, constant(None))
        return expression("tuple(_1)", ast.ListComp(read, [ast.comprehension(stored(var), die, [], 0)]))


_CUTS: dict[type, Callable[[Cut, Any], None]] = {
    c.CallProcedure: Cut._cut_call,
    c.SettleNow: Cut._cut_settle,
    c.Branch: Cut._cut_branch,
    c.Loop: Cut._cut_loop,
    c.MatchPart: Cut._cut_match,
    c.PhaseBlock: Cut._cut_phase,
    c.Decide: Cut._cut_decide,
    c.DecideDraft: Cut._cut_draft,
}


def _LOCALS() -> Any:
    return name("_LOCALS_")


def _unpacked(everything: list[str], kept: dict[int, list[str]] | None) -> list[ast.stmt]:
    """Takes the locals out of a frame again; with `kept` each block has its own, and the others hold nothing."""

    def taken(names: list[str]) -> list[ast.stmt]:
        if not names:
            return [ast.Pass()]
        return [ast.Assign([ast.Tuple([stored(n) for n in names], ast.Store())], name("L"))]

    if kept is None:
        return taken(everything)
    out: list[ast.stmt] = [ast.Assign([stored(n)], constant(None)) for n in everything]
    for block, names in kept.items():
        out.append(ast.If(expression("pc == _1", constant(block)), taken(names), []))
    return out or [ast.Pass()]


def _fill_locals(tree: Any, kept: dict[int, list[str]]) -> Any:
    """Puts the tuple of the locals that a block needs where a frame is left for it."""

    class Fill(ast.NodeTransformer):
        def visit_Tuple(self, node: ast.Tuple) -> Any:
            match node.elts:
                case [_, ast.Constant(value=int() as block), ast.Name(id="_LOCALS_") as held]:
                    new = tuple_of([ast.copy_location(name(n), held) for n in kept[block]])
                    node.elts[2] = ast.copy_location(new, held)
                    return node
            return self.generic_visit(node)

    return Fill().visit(tree)


def _locals(p: c.CheckedProcedure) -> list[str]:
    """Python names of every local a procedure declares, parameters first."""
    found: dict[str, None] = {"v_" + n: None for n, _ in p.params}
    for stmt in walk(p.body):
        match stmt:
            case c.SetLocal(name=n):
                found["v_" + n] = None
            case c.Loop(var=str() as n):
                found["v_" + n] = None
            case c.RollDice(var=n) | c.DrawMembers(var=n):
                found["v_" + n] = None
            case c.CallProcedure(var=str() as n) | c.DecideDraft(var=str() as n):
                found["v_" + n] = None
            case c.MatchPart():
                for _, var, _ in stmt.arms:
                    if var is not None:
                        found["v_" + var] = None
            case c.Decide():
                for choice in stmt.choices:
                    for param in choice.params:
                        found["v_" + param.name] = None
    return list(found)


def _dispatch(blocks: list[list[ast.stmt]], low: int, high: int) -> list[ast.stmt]:
    """`if pc == n:` for each block, in order, so that forward jumps fall through."""
    out: list[ast.stmt] = []
    for number in range(low, high):
        out.append(ast.If(expression("pc == _1", constant(number)), blocks[number] or [ast.Pass()], []))
    return out
