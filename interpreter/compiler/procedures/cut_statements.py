"""Statements in which a procedure can suspend -> blocks: calls, branches, loops, matches and phases."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.expressions.loops import through
from interpreter.compiler.procedures.blocks import BEFORE, Cut
from interpreter.compiler.python_syntax import constant, expression, located, name, statements, stored, tuple_of
from interpreter.model import statements as c


def call(cut: Cut, s: c.CallProcedure) -> None:
    """Compile a call of a procedure that can suspend."""
    here = len(cut.blocks) - 1
    resume = here + 1
    cut.emit(
        statements(
            "_r = _1(G, 0, _2)\nif _r is _ASKED:\n    _3\nG.ret = _r\npc = _4",
            name("p_" + s.procedure),
            tuple_of(cut.x.many(s.args)),
            cut.leave(resume, s, called=True),
            constant(resume),
        ),
        s.span,
    )
    cut.new()
    if s.var is not None:
        cut.emit(statements("_1 = G.ret", stored("v_" + s.var)), s.span)


def settle(cut: Cut, s: c.SettleNow) -> None:
    """Compile `settle`: run the queued calls."""
    cut.settle(s.span, s)


def branch(cut: Cut, s: c.CheckedIf) -> None:
    """`if`."""
    tests = [(cut.x.lifted(test), body) for test, body in s.branches]
    top = cut.blocks[-1]
    chosen: list[ast.Constant] = [constant(0) for _ in tests]
    miss = constant(0)
    chain: list[ast.stmt] = statements("pc = _1", miss)
    for ((before, test), _), target in reversed(list(zip(tests, chosen, strict=True))):
        chain = [*before, ast.If(test, statements("pc = _1", target), chain)]
    located(chain, s.span)
    top.extend(chain)
    ends: list[ast.Constant] = []
    for (_, body), target in zip(tests, chosen, strict=True):
        target.value = cut.new()
        cut.walk(body)
        ends.append(cut.open_jump(s.span))
    miss.value = last = cut.new()
    if s.otherwise:
        cut.walk(s.otherwise)
        ends.append(cut.open_jump(s.span))
        last = cut.new()
    for end in ends:
        end.value = last


def loop(cut: Cut, s: c.Loop) -> None:
    """Compile a loop of any sort."""
    if s.sort == "while":
        _while_loop(cut, s)
        return
    if cut.owner.suspension.at_rolls:
        _lean_loop(cut, s)
        return
    items, index = cut.remembered("s", s), cut.remembered("i", s)
    head = _members(cut, s)
    here = len(cut.blocks) - 1
    cut.emit(statements("_1 = _2\n_3 = 0", stored(items), head, stored(index)), s.span)
    cut.emit(cut.jump(here + 1, here), s.span)
    loop = cut.new()
    out = constant(0)
    bind = [] if s.var is None else statements("_1 = _2[_3]", stored("v_" + s.var), name(items), name(index))
    still = [] if s.still is None else statements("if not _1:\n    continue", cut.x.emit(s.still))
    cut.emit(
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
    _turns(cut, s, loop, out)


def _turns(cut: Cut, s: c.Loop, loop: int, out: ast.Constant) -> None:
    """Compile the body of a loop and the jump back to its head `loop`; code after the loop is where `out` leads."""
    cut.new()
    cut.walk(s.body)
    cut.emit(cut.jump(loop, len(cut.blocks) - 1), s.span)
    out.value = cut.new()


def _members(cut: Cut, s: c.Loop) -> Any:
    """Return the domain of a loop, charged before it starts."""
    if s.sort == "for":
        return through(cut.x.emit(s.head), cut.x.efforts.loop_charge(s))
    return expression("tuple(_1)", cut.plain.times(s))


def _lean_loop(cut: Cut, s: c.Loop) -> None:
    """Compile a loop that keeps only its remaining members."""
    items = cut.remembered("s", s)
    head = _members(cut, s)
    here = len(cut.blocks) - 1
    cut.emit(statements("_1 = tuple(_2)", stored(items), head), s.span)
    cut.emit(cut.jump(here + 1, here), s.span)
    loop = cut.new()
    out = constant(0)
    if s.sort == "times":  # which turn it is does not matter
        bind = []
    else:
        bind = [] if s.var is None else statements("_1 = _2[0]", stored("v_" + s.var), name(items))
    still = [] if s.still is None else statements("if not _1:\n    continue", cut.x.emit(s.still))
    rest = statements("_1 = _2[1:]" if s.sort == "for" else "_1 = _2[:-1]", stored(items), name(items))
    cut.emit(
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
    _turns(cut, s, loop, out)


def _while_loop(cut: Cut, s: c.Loop) -> None:
    here = len(cut.blocks) - 1
    cut.emit(cut.jump(here + 1, here), s.span)
    loop = cut.new()
    out = constant(0)
    cut.emit(
        statements(
            "if _1:\n    _2\n    pc = _3\nelse:\n    pc = _4",
            cut.x.emit(s.head),
            cut.plain.turn(s),
            constant(loop + 1),
            out,
        ),
        s.span,
    )
    _turns(cut, s, loop, out)


def match_part(cut: Cut, s: c.MatchPart) -> None:
    """`match`."""
    holder = cut.remembered("m", s)
    cut.emit(statements("_1 = _2", stored(holder), cut.x.emit(s.subject)), s.span)
    span = s.span
    arms: list[tuple[ast.Constant, c.Body]] = []
    other = constant(0)
    chain: list[ast.stmt] = [] if s.otherwise is None else statements("pc = _1", other)
    for arm, var, body in reversed(s.arms):
        target = constant(0)
        bind = [] if var is None else statements("_1 = _s[1]", stored("v_" + var))
        chain = [ast.If(cut.plain.arm_test(s, arm), [*bind, *statements("pc = _1", target)], chain)]
        arms.insert(0, (target, body))
    if s.otherwise is not None:
        arms.append((other, s.otherwise))
    cut.emit([*statements("_s = _1", name(holder)), *chain], span)
    ends = []
    for target, body in arms:
        target.value = cut.new()
        cut.walk(body)
        ends.append(cut.open_jump(span))
    cut.meet(ends)


def phase(cut: Cut, s: c.PhaseBlock) -> None:
    """Compile a phase: enter it, and reset at its end the attributes that last as long."""
    before = cut.remembered("b", s)
    outer: Any = constant(cut.phase_stack[-1] if cut.phase_stack else None)
    if not cut.phase_stack and cut.p.name not in ("turn", "setup"):
        outer = name(BEFORE)
        cut.hidden += [] if BEFORE in cut.hidden else [BEFORE]
    here = len(cut.blocks) - 1
    cut.emit(statements("pc = _1", constant(here + 1)), s.span)
    entry = cut.new()
    cut.entries[s.name] = entry
    cut.inside[s.name] = tuple(cut.phase_stack)
    cut.phase_stack.append(s.name)
    cut.plain.phases.append((s.name, before))
    cut.emit([*statements("_1 = _2", stored(before), outer), *cut.plain.phase_entered(s)], s.span)
    cut.walk(s.body)
    if cut.owner.suspension.uses_later:
        cut.settle(s.span, s)
    cut.phase_stack.pop()
    cut.plain.phases.pop()
    lasting = cut.owner.scopes(s.name)
    cut.emit([*lasting, *cut.plain.phase_left(s.name, before)], s.span)
    if lasting:  # what follows stands in another block: who is there has left the phase
        here = len(cut.blocks) - 1
        cut.held[s.name] = entry, here
        cut.emit(cut.jump(here + 1, here), s.span)
        cut.new()
