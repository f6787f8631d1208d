"""Procedures -> Python functions.

A procedure that can reach no decision becomes an ordinary function `p_name(G, ...)`.
One that can is cut into blocks: `p_name(G, pc, L)` takes the block to start at and its
locals, and when a decision is reached gives back `ASKED` after leaving a frame
(name, block, locals) in `G.frames`, innermost first.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from interpreter.compiler.building import (
    constant,
    expression,
    function,
    located,
    name,
    statements,
    stored,
    tuple_of,
)
from interpreter.compiler.decisions import Decisions
from interpreter.compiler.expressions import Emitter
from interpreter.checker.suspension import Suspension, walk
from interpreter.model import core as c
from interpreter.model import types as t
from interpreter.source.text import Span


class Procedures:
    """Emits procedures and watchers of one model."""

    __slots__ = ("x", "model", "suspension", "decisions", "watched")

    def __init__(self, x: Emitter, suspension: Suspension, decisions: Decisions) -> None:
        self.x = x
        self.model = x.model
        self.suspension = suspension
        self.decisions = decisions
        self.watched = {w.event for w in x.model.watchers}

    def procedure(self, p: c.CheckedProcedure) -> ast.stmt:
        """The function of a procedure."""
        if p.name in self.suspension.procedures:
            return _Cut(self, p).function()
        return _Plain(self, p.name).function(p)

    def watcher(self, event: str) -> ast.stmt:
        """One function that runs every watcher of an event, in order of declaration."""
        watchers = [w for w in self.model.watchers if w.event == event]
        params = [f"a{i}" for i in range(len(watchers[0].params))]
        body: list[ast.stmt] = []
        for w in watchers:
            inner = [*(located(statements("_1 = _2", stored("v_" + n), name(a))[0], w.span)
                       for (n, _), a in zip(w.params, params, strict=True))]
            plain = _Plain(self, f"whenever {event}")
            effects = [*plain.cover(w.cites), *plain.body(w.body)]
            test = None if w.where is None else self.x.emit(w.where)
            inner.extend(effects if test is None else [ast.If(test, effects or [ast.Pass()], [])])
            body.extend(inner)
        return function("watch_" + event, ["G", *params], body, watchers[0].span)

    def scopes(self, scope: str) -> list[ast.stmt]:
        """Statements that end a scope: values that last as long return to their defaults."""
        out: list[ast.stmt] = []
        for kind in self.model.ruleset.kinds.values():
            for attribute in kind.attributes.values():
                if attribute.lasts == scope:
                    column = self.x.layout.columns[(kind.id, attribute.name)]
                    out.extend(statements(f"G.{column} = [_1] * {len(kind.things)}", constant(attribute.default)))
        for attribute in self.model.ruleset.game.values():
            if attribute.lasts == scope:
                out.extend(statements(f"G.{self.x.layout.game[attribute.name]} = _1", constant(attribute.default)))
        return out


class _Simple:
    """Statements that never suspend, shared by both forms of a procedure."""

    def __init__(self, owner: Procedures, proc: str) -> None:
        self.owner = owner
        self.x = owner.x
        self.model = owner.model
        self.proc = proc
        self.effects = False  # inside `together`: effects are noted, not applied

    def ending(self) -> list[ast.stmt]:
        """What ends with the procedure: values that last as long, and its place in the count of nested calls."""
        p = self.model.procedures.get(self.proc)
        out = self.owner.scopes(self.proc)
        if p is not None and p.deep is not None:
            out += statements("G.depth[_1] -= 1", ast.Constant(p.name))
        return out

    def deepening(self) -> list[ast.stmt]:
        """Counts a nested call against the procedure's own limit."""
        p = self.model.procedures.get(self.proc)
        if p is None or p.deep is None:
            return []
        return statements("_go_deeper(G, _1, _2)", ast.Constant(p.name), self.x.emit(p.deep))

    def cover(self, cites: c.Cites) -> list[ast.stmt]:
        """Coverage of cited paragraphs, only in instrumented programs."""
        if not (self.x.instrument and cites):
            return []
        return statements("COVERAGE.cite(_1)", ast.Constant(cites))

    def body(self, body: c.Body) -> list[ast.stmt]:
        """Statements in order."""
        out: list[ast.stmt] = []
        for stmt in body:
            made = self.statement(stmt)
            located(made, stmt.span)
            out.extend(made)
        return out

    def block(self, body: c.Body) -> list[ast.stmt]:
        """A nested block, never empty."""
        return self.body(body) or [ast.Pass()]

    def statement(self, stmt: c.Stmt) -> list[ast.stmt]:
        """One statement."""
        return [*self.cover(getattr(stmt, "cites", ())), *_SIMPLE[type(stmt)](self, stmt)]

    def _set_local(self, s: c.SetLocal) -> list[ast.stmt]:
        before, value = self.x.lifted(s.value)
        return [*before, *statements("_1 = _2", stored("v_" + s.name), value)]

    def _bounded(self, kind: str, attribute: str, value: Any) -> Any:
        declared = (self.model.ruleset.game[attribute] if kind == "game"
                    else self.model.ruleset.kinds[kind].attributes[attribute])
        if declared.low is None and declared.high is None:
            return value
        called = "_clamp" if declared.clamp else "_within"
        return expression(f"{called}(_1, _2, _3, _4)", value, ast.Constant(declared.low), ast.Constant(declared.high),
                          ast.Constant(attribute))

    def _store(self, kind: str, attribute: str, owner: Any, value: Any, cites: c.Cites) -> list[ast.stmt]:
        if self.effects:
            slot = self.x.layout.game[attribute] if kind == "game" else self.x.layout.column_of(kind, attribute)
            return statements("_E.append((_1, _2, _3))", ast.Constant(slot),
                              owner if owner is not None else ast.Constant(None), value)
        if kind == "game":
            slot = self.x.layout.game[attribute]
            out = statements(f"G.{slot} = _1", value)
            if cites:
                out += statements(f"if G.log is not None: G.log.append(('set', 'game', _1, 0, G.{slot}, _2))",
                                  ast.Constant(attribute), ast.Constant(cites))
            return out
        column = self.x.layout.column_of(kind, attribute)
        if not cites:
            return statements(f"G.{column}[_1] = _2", owner, value)
        return statements(
            f"_o = _1\nG.{column}[_o] = _2\n"
            f"if G.log is not None: G.log.append(('set', _3, _4, _o, G.{column}[_o], _5))",
            owner, value, ast.Constant(kind), ast.Constant(attribute), ast.Constant(cites))

    def _set_attribute(self, s: c.SetAttribute) -> list[ast.stmt]:
        if self.effects and s.amount is not None:
            return self._add_later(s, s.amount)
        value = self._bounded(s.kind, s.name, self.x.emit(s.value))
        return self._store(s.kind, s.name, None if s.owner is None else self.x.emit(s.owner), value, s.cites)

    def _add_later(self, s: c.SetAttribute, amount: c.Core) -> list[ast.stmt]:
        """Inside `together` amounts add up."""
        declared = (self.model.ruleset.game[s.name] if s.kind == "game"
                    else self.model.ruleset.kinds[s.kind].attributes[s.name])
        slot = self.x.layout.game[s.name] if s.kind == "game" else self.x.layout.column_of(s.kind, s.name)
        bounds = (declared.low, declared.high, declared.clamp, s.name)
        return statements("_E.append((_1, _2, _3, _4))", ast.Constant(slot),
                          ast.Constant(None) if s.owner is None else self.x.emit(s.owner), self.x.emit(amount),
                          ast.Constant(bounds))

    def _step_rung(self, s: c.StepRung) -> list[ast.stmt]:
        owner = None if s.owner is None else self.x.emit(s.owner)
        if s.kind == "game":
            current = expression(f"G.{self.x.layout.game[s.name]}")
        else:
            current = expression(f"G.{self.x.layout.column_of(s.kind, s.name)}[_1]", owner)
        limit = self.x.top(s.kind, s.name, s.owner) if s.by > 0 else ast.Constant(0)
        value = expression("_step_rung(_1, _2, _3, _4)", current, ast.Constant(s.by), limit,
                           ast.Constant(s.if_possible))
        return self._store(s.kind, s.name, None if s.owner is None else self.x.emit(s.owner), value, s.cites)

    def _move(self, s: c.MovePieces) -> list[ast.stmt]:
        pieces = self.x.emit(s.what) if s.many else tuple_of([self.x.emit(s.what)])
        to = self.x.emit(s.to)
        if self.effects:
            return statements("for _u in _1: _E.append(('at', _u, _2))", pieces, to)
        if "moved" in self.owner.watched:
            return statements("_t = _2\nfor _u in _1:\n    _f = G.at[_u]\n    _move(G, _u, _t, _3)\n"
                              "    watch_moved(G, _u, _f, _t)", pieces, to, ast.Constant(s.cites))
        if s.many:
            return statements("_move_all(G, _1, _2, _3)", pieces, to, ast.Constant(s.cites))
        return statements("_move(G, _1, _2, _3)", self.x.emit(s.what), to, ast.Constant(s.cites))

    def _branch(self, s: c.Branch) -> list[ast.stmt]:
        orelse = self.block(s.otherwise) if s.otherwise else []
        for test, body in reversed(s.branches):
            before, value = self.x.lifted(test)
            orelse = [*before, ast.If(value, self.block(body), orelse)]
        return orelse

    def _loop(self, s: c.Loop) -> list[ast.stmt]:
        body = self.block(s.body)
        if s.sort == "while":
            return [ast.While(self.x.emit(s.head), [*statements("_spend(G)"), *body], [])]
        if s.sort == "times":
            return [ast.For(stored("_n"), expression("range(_1)", self.x.emit(s.head)), body, [])]
        still = [] if s.still is None else statements("if not _1: continue", self.x.emit(s.still))
        iterator, _ = self.x.iterable(s.head)
        return [ast.For(stored("v_" + (s.var or "_")), iterator, [*still, *body], [])]

    def _roll(self, s: c.RollDice) -> list[ast.stmt]:
        kind = ast.Constant(None)
        subject: Any = ast.Constant(None)
        if s.subject is not None:
            kind = ast.Constant(s.subject.type.kind if isinstance(s.subject.type, t.ThingOf) else "")
            subject = self.x.emit(s.subject)
        die = name("DIE_" + s.die)
        if s.count is None:
            value = expression("_roll(G, _1, _2, _3, _4, 1, _5)[0]", ast.Constant(s.name), kind, subject, die,
                               ast.Constant(s.cites))
        else:
            value = expression("tuple(_roll(G, _1, _2, _3, _4, _5, _6))", ast.Constant(s.name), kind, subject, die,
                               self.x.emit(s.count), ast.Constant(s.cites))
        return statements("_1 = _2", stored("v_" + s.var), value)

    def _report(self, s: c.ReportEvent) -> list[ast.stmt]:
        told: Any = ast.Constant(())
        if self.model.events[s.event].words is not None:
            told = expression("_1(G, *_a)", name("say_" + s.event))
        noted = "if G.log is not None:\n    G.log.append(('event', _2, _a, _3, _4))"
        holes = (tuple_of(self.x.many(s.args)), ast.Constant(s.event), ast.Constant(s.cites), told)
        if s.event in self.owner.watched:
            return statements(f"_a = _1\n{noted}\n_5(G, *_a)", *holes, name("watch_" + s.event))
        return statements("if G.log is not None:\n    _a = _1\n    G.log.append(('event', _2, _a, _3, _4))", *holes)

    def _end(self, s: c.End) -> list[ast.stmt]:
        winner: Any = ast.Constant(None)
        if s.winner is not None:
            winner = self.x.emit(s.winner)
            if isinstance(s.winner.type, t.ThingOf):
                winner = tuple_of([winner])
        level = ast.Constant(None) if s.level is None else self.x.emit(s.level)
        return statements("_end_game(G, _1, _2, _3)", winner, level, ast.Constant(s.cites))

    def _skip(self, s: c.SkipTo) -> list[ast.stmt]:
        return statements("raise _Skip(_1)", ast.Constant(s.phase))

    def _call(self, s: c.CallProcedure) -> list[ast.stmt]:
        args = self.x.many(s.args)
        if s.later:
            return statements("G.queue.append((_1, _2))", ast.Constant(s.procedure), tuple_of(args))
        call = ast.Call(name("p_" + s.procedure), [name("G"), *args], [])
        if s.var is not None:
            return [ast.Assign([stored("v_" + s.var)], call)]
        return [ast.Expr(call)]

    def _return(self, s: c.ReturnValue) -> list[ast.stmt]:
        end = self.ending()
        if s.value is None:
            return [*end, ast.Return(ast.Constant(None))]
        before, value = self.x.lifted(s.value)
        return [*before, *statements("_w = _1", value), *end, ast.Return(name("_w"))]

    def _assert(self, s: c.AssertThat) -> list[ast.stmt]:
        words, values = self.owner.decisions.words_values(s.words)
        return statements("if not _1: _assert_failed(G, _2, _3)", self.x.emit(s.test), ast.Constant(words), values)

    def _together(self, s: c.DoTogether) -> list[ast.stmt]:
        self.effects = True
        body = self.body(s.body)
        self.effects = False
        if "moved" in self.owner.watched:
            return [*statements("_E = []"), *body,
                    *statements("for _u, _f, _t in _apply_together(G, _E): watch_moved(G, _u, _f, _t)")]
        return [*statements("_E = []"), *body, *statements("_apply_together(G, _E)")]

    def _nothing(self, s: c.CiteOnly) -> list[ast.stmt]:
        return []

    def arm_test(self, s: c.MatchPart, arm: str) -> Any:
        """Whether the subject (in `_s`) is an arm."""
        if isinstance(s.subject.type, t.Part):
            return expression("_s[0] == _1", ast.Constant(arm))
        if isinstance(s.subject.type, t.Rung):
            rungs = self.model.ruleset.ladders[s.subject.type.ladder].rungs
            return expression("_s == _1", ast.Constant(rungs.index(arm)))
        return expression("_s == _1", ast.Constant(arm))

    def _match(self, s: c.MatchPart) -> list[ast.stmt]:
        orelse: list[ast.stmt] = []
        for arm, var, body in reversed(s.arms):
            bind = [] if var is None else statements("_1 = _s[1]", stored("v_" + var))
            orelse = [ast.If(self.arm_test(s, arm), [*bind, *self.block(body)], orelse)]
        return [*statements("_s = _1", self.x.emit(s.subject)), *orelse]

    def _phase(self, s: c.PhaseBlock) -> list[ast.stmt]:
        return [*statements("_before = G.phase\n_enter(G, _1, _2)", ast.Constant(s.name), ast.Constant(s.cites)),
                *self.body(s.body), *self.owner.scopes(s.name),
                *statements("_leave(G, _1, _before)", ast.Constant(s.name))]


_SIMPLE: dict[type, Callable[[_Simple, Any], list[ast.stmt]]] = {
    c.SetLocal: _Simple._set_local, c.SetAttribute: _Simple._set_attribute, c.StepRung: _Simple._step_rung,
    c.MovePieces: _Simple._move, c.Branch: _Simple._branch, c.Loop: _Simple._loop, c.RollDice: _Simple._roll,
    c.ReportEvent: _Simple._report, c.End: _Simple._end, c.SkipTo: _Simple._skip, c.CallProcedure: _Simple._call,
    c.ReturnValue: _Simple._return, c.AssertThat: _Simple._assert, c.DoTogether: _Simple._together,
    c.CiteOnly: _Simple._nothing, c.MatchPart: _Simple._match, c.PhaseBlock: _Simple._phase,
}


class _Plain(_Simple):
    """A procedure without decisions."""

    def function(self, p: c.CheckedProcedure) -> ast.stmt:
        """The whole function."""
        body = [*self.cover(p.cites), *self.body(p.body)] or [ast.Pass()]
        end = self.ending()
        if end and not isinstance(body[-1], ast.Return):
            body.extend(end)
        if end:
            body = statements("try:\n    _1\nexcept _Skip:\n    _2\n    raise", body, end)
        body = [*self.deepening(), *body]
        return function("p_" + p.name, ["G", *("v_" + n for n, _ in p.params)], body, p.span)


class _Cut(_Simple):
    """A procedure cut into blocks."""

    def __init__(self, owner: Procedures, p: c.CheckedProcedure) -> None:
        super().__init__(owner, p.name)
        self.p = p
        self.blocks: list[list[ast.stmt]] = [[]]
        self.hidden: list[str] = []
        self.entries: dict[str, int] = {}
        self.inside: dict[str, tuple[str, ...]] = {}
        self.phase_stack: list[str] = []
        self.names = _locals(p)

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
        return statements(text, ast.Constant(target))

    def frame_locals(self) -> Any:
        """All locals, as a tuple for the frame (completed when all hidden names are known)."""
        return _LOCALS()

    def leave(self, resume: int) -> list[ast.stmt]:
        """Leave a frame to go on at `resume`, and tell the caller that a decision was reached."""
        return statements("G.frames.append((_1, _2, _3))\nreturn _ASKED", ast.Constant(self.p.name),
                          ast.Constant(resume), self.frame_locals())

    def function(self) -> ast.stmt:
        """The whole function."""
        p = self.p
        self.emit(self.cover(p.cites), p.span)
        self.walk(p.body)
        if self.owner.suspension.uses_later and p.name in ("turn", "setup"):
            self._settle(p.span)
        end = self.ending()
        self.emit([*end, ast.Return(ast.Constant(None))], p.span)
        everything = [*self.names, *self.hidden]
        params = ["v_" + n for n, _ in p.params]
        rest = [n for n in everything if n not in params]
        start: list[ast.stmt] = []
        if params:
            start.append(ast.Assign([ast.Tuple([stored(n) for n in params], ast.Store())], name("L")))
        start.extend(ast.Assign([stored(n)], ast.Constant(None)) for n in rest)
        start.extend(self.deepening())
        again: list[ast.stmt] = [ast.Assign([ast.Tuple([stored(n) for n in everything], ast.Store())], name("L"))]
        if not everything:
            again = [ast.Pass()]
        chain: list[ast.stmt] = statements("if pc < 0: raise _Skip(G.signal)")
        chain += _dispatch(self.blocks, 0, len(self.blocks))
        if end or self.entries:
            chain = statements("try:\n    _1\nexcept _Skip as _e:\n    _2", chain, self._on_skip(end))
        body = [ast.If(expression("pc == 0"), start or [ast.Pass()], again), ast.While(ast.Constant(True), chain, [])]
        made = _fill_locals(ast.Module(body, []), everything)
        return function("p_" + p.name, ["G", "pc", "L"], made.body, p.span)

    def _on_skip(self, end: list[ast.stmt]) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for phase, block in self.entries.items():
            around = (*self.inside[phase], phase)
            ended: list[ast.stmt] = []
            for other in self.entries:
                if other not in around:
                    ended.extend(self.owner.scopes(other))
            out += [ast.If(expression("_e.phase == _1", ast.Constant(phase)),
                           [*ended, *statements("pc = _1\ncontinue", ast.Constant(block))], [])]
        for phase in self.entries:
            out.extend(self.owner.scopes(phase))
        return [*out, *end, *statements("raise")]

    # --- statements -------------------------------------------------------------------------

    def walk(self, body: c.Body) -> None:
        """Statements in order, cutting where one can suspend."""
        for stmt in body:
            if not self.owner.suspension.suspends(stmt) and not isinstance(stmt, c.PhaseBlock):
                self.emit(self.statement(stmt), stmt.span)
                continue
            self.emit(self.cover(getattr(stmt, "cites", ())), stmt.span)
            _CUTS[type(stmt)](self, stmt)

    def _hidden(self, letter: str) -> str:
        made = f"{letter}_{len(self.hidden)}"
        self.hidden.append(made)
        return made

    def _cut_call(self, s: c.CallProcedure) -> None:
        here = len(self.blocks) - 1
        resume = here + 1
        self.emit(statements("_r = _1(G, 0, _2)\nif _r is _ASKED:\n    _3\nG.ret = _r\npc = _4",
                             name("p_" + s.procedure), tuple_of(self.x.many(s.args)), self.leave(resume),
                             ast.Constant(resume)), s.span)
        self.new()
        if s.var is not None:
            self.emit(statements("_1 = G.ret", stored("v_" + s.var)), s.span)

    def _cut_settle(self, s: c.SettleNow) -> None:
        self._settle(s.span)

    def _settle(self, span: Span) -> None:
        here = len(self.blocks) - 1
        loop = here + 1
        self.emit(self.jump(loop, here), span)
        self.new()
        self.emit(statements("if G.queue:\n    _r = _run_queued(G)\n    if _r is _ASKED:\n        _1\n    pc = _2\n"
                             "    continue\npc = _3", self.leave(loop), ast.Constant(loop), ast.Constant(loop + 1)),
                  span)
        self.new()

    def _cut_branch(self, s: c.Branch) -> None:
        tests = [(self.x.lifted(test), body) for test, body in s.branches]
        top = self.blocks[-1]
        chosen: list[ast.Constant] = [ast.Constant(0) for _ in tests]
        miss = ast.Constant(0)
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
        target = ast.Constant(0)
        made: list[ast.stmt] = [ast.Assign([stored("pc")], target)]
        self.emit(made, span)
        return target

    def _cut_loop(self, s: c.Loop) -> None:
        if s.sort == "while":
            self._cut_while(s)
            return
        items, index = self._hidden("s"), self._hidden("i")
        head = self.x.emit(s.head) if s.sort == "for" else expression("tuple(range(_1))", self.x.emit(s.head))
        here = len(self.blocks) - 1
        self.emit(statements("_1 = _2\n_3 = 0", stored(items), head, stored(index)), s.span)
        self.emit(self.jump(here + 1, here), s.span)
        loop = self.new()
        out = ast.Constant(0)
        bind = [] if s.var is None else statements("_1 = _2[_3]", stored("v_" + s.var), name(items), name(index))
        still = [] if s.still is None else statements("if not _1:\n    continue", self.x.emit(s.still))
        self.emit([*statements("if _1 >= len(_2):\n    pc = _3\nelse:\n    _4\n    _5 = _1 + 1\n    _6\n    pc = _7",
                               name(index), name(items), out, bind or [ast.Pass()], stored(index),
                               still or [ast.Pass()], ast.Constant(loop + 1))], s.span)
        self.new()
        self.walk(s.body)
        self.emit(self.jump(loop, len(self.blocks) - 1), s.span)
        out.value = self.new()

    def _cut_while(self, s: c.Loop) -> None:
        here = len(self.blocks) - 1
        self.emit(self.jump(here + 1, here), s.span)
        loop = self.new()
        out = ast.Constant(0)
        self.emit(statements("_spend(G)\nif _1:\n    pc = _2\nelse:\n    pc = _3", self.x.emit(s.head),
                             ast.Constant(loop + 1), out), s.span)
        self.new()
        self.walk(s.body)
        self.emit(self.jump(loop, len(self.blocks) - 1), s.span)
        out.value = self.new()

    def _cut_match(self, s: c.MatchPart) -> None:
        holder = self._hidden("m")
        self.emit(statements("_1 = _2", stored(holder), self.x.emit(s.subject)), s.span)
        span = s.span
        arms: list[tuple[ast.Constant, c.Body]] = []
        chain: list[ast.stmt] = []
        for arm, var, body in reversed(s.arms):
            target = ast.Constant(0)
            bind = [] if var is None else statements("_1 = _s[1]", stored("v_" + var))
            chain = [ast.If(self.arm_test(s, arm), [*bind, ast.Assign([stored("pc")], target)], chain)]
            arms.insert(0, (target, body))
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
        before = self._hidden("b")
        here = len(self.blocks) - 1
        self.emit(statements("pc = _1", ast.Constant(here + 1)), s.span)
        entry = self.new()
        self.entries[s.name] = entry
        self.inside[s.name] = tuple(self.phase_stack)
        self.phase_stack.append(s.name)
        self.emit(statements("_1 = _3\n_enter(G, _2, _4)", stored(before), ast.Constant(s.name),
                             ast.Constant(self.phase_stack[-2] if len(self.phase_stack) > 1 else None),
                             ast.Constant(s.cites)), s.span)
        self.walk(s.body)
        if self.owner.suspension.uses_later:
            self._settle(s.span)
        self.phase_stack.pop()
        self.emit([*self.owner.scopes(s.name), *statements("_leave(G, _1, _2)", ast.Constant(s.name), name(before))],
                  s.span)

    # --- decisions ----------------------------------------------------------------------------

    def _cut_decide(self, s: c.Decide) -> None:
        number = self.owner.decisions.add(s)
        free = self.owner.decisions.free[number]
        here = len(self.blocks) - 1
        if s.until_done:
            self.emit(statements("pc = _1", ast.Constant(here + 1)), s.span)
            here = self.new()
        resume = here + 1
        given = [name("v_" + n) for n in free]
        listed = ast.Call(name(f"list_{number}"), [name("G"), *given], [])
        nobody, out = ast.Constant(0), ast.Constant(0)
        ask = statements("G.pending = (_1, _2, _o)\n_3", ast.Constant(number), tuple_of(list(given)),
                         self.leave(resume))
        first: list[ast.stmt] = statements("_o = _1", listed)
        if s.until_done:
            done = ast.Call(name(f"done_{number}"), [name("G"), *given], [])
            if s.finish:
                first += statements("_d = _1\nif _o:\n    if _d: _o.append((-1, ()))\n    _2\npc = _3 if _d else _4",
                                    done, ask, out, nobody)
            else:
                first += statements("if _o:\n    _o.append((-1, ()))\n    _1\npc = _2", ask, out)
        elif s.alone:
            first += statements(
                "if len(_o) == 1:\n    G.answer = _o[0]\n    _taken(G, _1, _2, _o[0])\n    pc = _3\nelif _o:\n    _4\n"
                "else:\n    pc = _5", ast.Constant(number), tuple_of(list(given)), ast.Constant(resume), ask, nobody)
        else:
            first += statements("if _o:\n    _1\npc = _2", ask, nobody)
        self.emit(first, s.span)
        self.new()
        self._cut_answers(s, here, nobody, out)

    def _cut_answers(self, s: c.Decide, again: int, nobody: ast.Constant, out: ast.Constant) -> None:
        """Where the answer leads: an option's effects, the end of a repetition, or `otherwise`."""
        chain: list[ast.stmt] = []
        targets: list[tuple[ast.Constant, c.Choice]] = []
        for index in reversed(range(len(s.choices))):
            choice = s.choices[index]
            target = ast.Constant(0)
            bind: list[ast.stmt] = []
            if choice.params:
                left = ast.Tuple([stored("v_" + p.name) for p in choice.params], ast.Store())
                bind = [ast.Assign([left], name("_args"))]
            chain = [ast.If(expression("_i == _1", ast.Constant(index)),
                            [*bind, ast.Assign([stored("pc")], target)], chain)]
            targets.insert(0, (target, choice))
        if s.until_done:
            chain = [ast.If(expression("_i < 0"), [ast.Assign([stored("pc")], out)], chain)]
        self.emit([*statements("_i, _args = G.answer"), *chain], s.span)
        ends: list[ast.Constant] = []
        for target, choice in targets:
            target.value = self.new()
            self.emit(self.cover(choice.cites), choice.span)
            self.walk(choice.body)
            if s.until_done:
                self.emit(self.jump(again, len(self.blocks) - 1), s.span)
            else:
                ends.append(self._open_jump(s.span))
        nobody.value = self.new()
        if s.otherwise is not None:
            self.walk(s.otherwise)
            ends.append(self._open_jump(s.span))
        else:
            self.emit(statements("_no_option(G, _1)", ast.Constant(s.address)), s.span)
        last = self.new()
        out.value = last
        for end in ends:
            end.value = last

    def _cut_draft(self, s: c.DecideDraft) -> None:
        number = self.owner.decisions.add_draft(s)
        free = self.owner.decisions.free[number]
        here = len(self.blocks) - 1
        given = tuple_of([name("v_" + n) for n in free])
        self.emit(statements("G.pending = (_1, _2, _3)\n_4", ast.Constant(number), given,
                             tuple_of(self.x.many(s.args)), self.leave(here + 1)), s.span)
        self.new()
        if s.var is not None:
            self.emit(statements("_1 = G.answer", stored("v_" + s.var)), s.span)


_CUTS: dict[type, Callable[[_Cut, Any], None]] = {
    c.CallProcedure: _Cut._cut_call, c.SettleNow: _Cut._cut_settle, c.Branch: _Cut._cut_branch,
    c.Loop: _Cut._cut_loop, c.MatchPart: _Cut._cut_match, c.PhaseBlock: _Cut._cut_phase,
    c.Decide: _Cut._cut_decide, c.DecideDraft: _Cut._cut_draft,
}


def _LOCALS() -> Any:
    return name("_LOCALS_")


def _fill_locals(tree: Any, everything: list[str]) -> Any:
    """Puts the tuple of all locals where frames are left."""
    class Fill(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> Any:
            if node.id == "_LOCALS_":
                new = tuple_of([ast.copy_location(name(n), node) for n in everything])
                return ast.copy_location(new, node)
            return node

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
            case c.RollDice(var=n):
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
        out.append(ast.If(expression("pc == _1", ast.Constant(number)), blocks[number] or [ast.Pass()], []))
    return out
