"""Statements that cannot suspend -> Python statements; the same in every form of a procedure."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from interpreter.checker.suspension import Suspension
from interpreter.compiler.decisions import Decisions
from interpreter.compiler.expressions import charts
from interpreter.compiler.expressions.expression_code import Emitter
from interpreter.compiler.expressions.loops import looped, ready
from interpreter.compiler.noting import noted_value, silently
from interpreter.compiler.python_syntax import (
    constant,
    expression,
    located,
    name,
    spending,
    statements,
    stored,
    tuple_of,
)
from interpreter.model import expressions as n, statements as c, types as t
from interpreter.model.display_types import display_type
from interpreter.runtime.state import own_bits_of


class Workshop:
    """Shared context of the procedure compilers: emitter, decisions, suspension analysis."""

    def __init__(self, x: Emitter, suspension: Suspension, decisions: Decisions) -> None:
        self.x = x
        self.model = x.model
        self.suspension = suspension
        self.decisions = decisions
        self.watched = {w.event for w in x.model.watchers}
        # where each cut procedure goes on: [block, number of the statement that suspended, names in its frame, whether
        # each is still needed]
        self.resumes: dict[str, list[list[Any]]] = {}
        # for each cut procedure [block, the decisions in whose options it stands, outermost first]
        self.around: dict[str, list[list[Any]]] = {}
        self.within: dict[int, list[int]] = {}  # decision -> the decisions in whose options it stands

    def changed(self, *slots: str) -> list[ast.stmt]:
        """Return statements that invalidate the caches depending on these slots."""
        return self.x.forgetting(list(slots))

    def scopes(self, scope: str) -> list[ast.stmt]:
        """Statements that end a scope: values that last as long return to their defaults."""
        out: list[ast.stmt] = []
        slots: list[str] = []
        for kind in self.model.ruleset.kinds.values():
            for attribute in kind.attributes.values():
                if attribute.lasts == scope:
                    column = self.x.layout.columns[(kind.id, attribute.name)]
                    slots.append(column)
                    out.extend(statements(f"G.{column} = [_1] * {len(kind.things)}", constant(attribute.default)))
        for attribute in self.model.ruleset.game.values():
            if attribute.lasts == scope:
                slots.append(self.x.layout.game[attribute.name])
                out.extend(statements(f"G.{self.x.layout.game[attribute.name]} = _1", constant(attribute.default)))
        if out:
            out += self.changed(*slots)
        return out


class Effects:
    """Emits the statements of one procedure (or watcher) that never suspend."""

    def __init__(self, owner: Workshop, proc: str, is_cut: bool = False) -> None:
        self.is_cut = is_cut  # the procedure can be left and taken up again
        self.owner = owner
        self.x = owner.x
        self.model = owner.model
        self.proc = proc
        self.phases: list[tuple[str, str]] = []  # open phases, outermost first, and the names that keep what was before
        self.effects = False  # inside `together`: effects are noted, not applied

    def ending(self) -> list[ast.stmt]:
        """Return the epilogue: reset attributes that last as long as the procedure, decrement the call depth."""
        p = self.model.procedures.get(self.proc)
        out = self.owner.scopes(self.proc)
        if p is not None and p.deep is not None:
            out += statements("_go_back(G, _1)", constant(p.name))
        return out

    def leaving(self) -> list[ast.stmt]:
        """Return what a `return` ends: the enclosing phases, innermost first, then the procedure."""
        out: list[ast.stmt] = []
        for phase, before in reversed(self.phases):
            out += [*self.owner.scopes(phase), *self.phase_left(phase, before)]
        return [*out, *self.ending()]

    def deepening(self) -> list[ast.stmt]:
        """Charge a call to the budget of steps, and a nested one to the procedure's depth limit."""
        p = self.model.procedures.get(self.proc)
        if p is None:
            return []
        steps = self.x.efforts.procedure_charge(p)
        counted = spending(constant(steps)) if steps else []
        if p.deep is None:
            return counted
        return [*counted, *statements("_go_deeper(G, _1, _2)", constant(p.name), self.x.emit(p.deep))]

    def cover(self, cites: c.Cites) -> list[ast.stmt]:
        """Coverage of cited paragraphs, only in programs that note it."""
        if not (self.x.instrument and cites):
            return []
        return statements("COVERAGE.cite(_1)", constant(cites))

    def body(self, body: c.Body) -> list[ast.stmt]:
        """Statements in order."""
        out: list[ast.stmt] = []
        for stmt in body:
            made = self.statement(stmt)
            located(made, stmt.span)
            out.extend(made)
        return out

    def block(self, body: c.Body) -> list[ast.stmt]:
        """Return a nested block, never empty."""
        return self.body(body) or [ast.Pass()]

    def statement(self, stmt: c.Stmt) -> list[ast.stmt]:
        """One statement."""
        return [*self.cover(getattr(stmt, "cites", ())), *_SIMPLE[type(stmt)](self, stmt)]

    def _set_local(self, s: c.SetLocal) -> list[ast.stmt]:
        if self.x.noting:
            noted = noted_value(self.x, s.value, s.name, None, constant(None))
            return statements("_1 = _2", stored("v_" + s.name), self._kept(s.value, noted))
        before, value = self.x.lifted(s.value)
        return [*before, *statements("_1 = _2", stored("v_" + s.name), self._kept(s.value, value))]

    def _kept(self, core: c.Core, value: Any) -> Any:
        """Check that a stored value has not grown too large."""
        efforts = self.x.efforts
        if efforts.is_nested(core.type):
            return expression("_held(G, _1)", value)
        return expression("_sized(_1)", value) if efforts.grows(core) else value

    def _bounded(self, kind: str, attribute: str, core: c.Core, value: Any) -> Any:
        declared = (
            self.model.ruleset.game[attribute]
            if kind == "game"
            else self.model.ruleset.kinds[kind].attributes[attribute]
        )
        if declared.low is None and declared.high is None:
            return self._kept(core, value)
        called = "_clamp" if declared.clamp else "_within"
        return expression(
            f"{called}(_1, _2, _3, _4)", value, constant(declared.low), constant(declared.high), constant(attribute)
        )

    def _store(self, kind: str, attribute: str, owner: Any, value: Any, cites: c.Cites) -> list[ast.stmt]:
        if self.effects:
            slot = self.x.layout.game[attribute] if kind == "game" else self.x.layout.column_of(kind, attribute)
            return statements(
                "_E.append((_1, _2, _3))", constant(slot), owner if owner is not None else constant(None), value
            )
        if kind == "game":
            slot = self.x.layout.game[attribute]
            if not cites:
                return [*statements(f"G.{slot} = _1", value), *self.owner.changed(slot)]
            return [
                *statements(
                    f"_v = _1\nif G.log is not None and G.{slot} != _v:\n"
                    "    G.log.append(_LoggedChange('game', _2, 0, _v, _3))\n"
                    f"G.{slot} = _v",
                    value,
                    constant(attribute),
                    constant(cites),
                ),
                *self.owner.changed(slot),
            ]
        column = self.x.layout.column_of(kind, attribute)
        mark = own_bits_of(self.x.layout.columns.values())[str(column)]
        begun: list[ast.stmt] = []
        of, new = (_at_hand(short, part, begun) for short, part in (("_o", owner), ("_v", value)))
        stored = statements(
            f"if not G.own & {mark}:\n    G.{column} = G.{column}[:]\n    G.own |= {mark}\nG.{column}[_1] = _2", of, new
        )
        if cites:
            logged = "if G.log is not None: G.log.append(_LoggedChange(_1, _2, _3, _4, _5))"
            stored = [*statements(logged, constant(kind), constant(attribute), of, new, constant(cites)), *stored]
        forgotten = self._changed_of(kind, str(column), of)
        if cites or forgotten:  # where a value stays as it is, so does what is remembered of it
            is_flag = isinstance(self.model.ruleset.kinds[kind].attributes[attribute].type, t.FlagType)
            differs = "is not" if is_flag else "!="
            stored = statements(f"if G.{column}[_1] {differs} _2: _3", of, new, [*stored, *forgotten])
        return [*begun, *stored]

    def _changed_of(self, kind: str, column: str, owner: Any) -> list[ast.stmt]:
        """Return statements that invalidate the caches depending on one thing's attribute."""
        return self.x.forgetting_of(column, owner) if kind == "piece" else self.owner.changed(column)

    def _set_attribute(self, s: c.SetAttribute) -> list[ast.stmt]:
        if self.effects and s.amount is not None:
            return self._add_later(s, s.amount)
        emitted = (
            self.x.emit(s.value)
            if not self.x.noting
            else noted_value(
                self.x, s.value, s.name, s.kind, constant(None) if s.owner is None else self.x.emit(s.owner)
            )
        )
        value = self._bounded(s.kind, s.name, s.value, emitted)
        return self._store(s.kind, s.name, None if s.owner is None else self.x.emit(s.owner), value, s.cites)

    def _add_later(self, s: c.SetAttribute, amount: c.Core) -> list[ast.stmt]:
        """Inside `together` amounts add up."""
        declared = (
            self.model.ruleset.game[s.name] if s.kind == "game" else self.model.ruleset.kinds[s.kind].attributes[s.name]
        )
        slot = self.x.layout.game[s.name] if s.kind == "game" else self.x.layout.column_of(s.kind, s.name)
        bounds = (declared.low, declared.high, declared.clamp, s.name)
        return statements(
            "_E.append((_1, _2, _3, _4))",
            constant(slot),
            constant(None) if s.owner is None else self.x.emit(s.owner),
            self.x.emit(amount),
            constant(bounds),
        )

    def _step_rung(self, s: c.StepRung) -> list[ast.stmt]:
        owner = None if s.owner is None else self.x.emit(s.owner)
        if s.kind == "game":
            current = expression(f"G.{self.x.layout.game[s.name]}")
        else:
            current = expression(f"G.{self.x.layout.column_of(s.kind, s.name)}[_1]", owner)
        limit = charts.top(self.x, s.kind, s.name, s.owner) if s.by > 0 else constant(0)
        value = expression("_step_rung(_1, _2, _3, _4)", current, constant(s.by), limit, constant(s.if_possible))
        return self._store(s.kind, s.name, None if s.owner is None else self.x.emit(s.owner), value, s.cites)

    def _move(self, s: c.MovePieces) -> list[ast.stmt]:
        pieces = self.x.emit(s.what) if s.many else tuple_of([self.x.emit(s.what)])
        to = self.x.emit(s.to)
        if self.effects:
            return statements("for _u in _1: _E.append(('at', _u, _2))", pieces, to)
        if "moved" in self.owner.watched:
            return statements(
                "_t = _2\nfor _u in _1:\n    _f = G.at[_u]\n    _move(G, _u, _t, _3)\n"
                "    if _f != _t: watch_moved(G, _u, _f, _t)",
                pieces,
                to,
                constant(s.cites),
            )
        if s.many:
            return statements("_move_all(G, _1, _2, _3)", pieces, to, constant(s.cites))
        return statements("_move(G, _1, _2, _3)", self.x.emit(s.what), to, constant(s.cites))

    def _branch(self, s: c.CheckedIf) -> list[ast.stmt]:
        orelse = self.block(s.otherwise) if s.otherwise else []
        for test, body in reversed(s.branches):
            before, value = self.x.condition(test)
            orelse = [*before, ast.If(value, self.block(body), orelse)]
        return orelse

    def _loop(self, s: c.Loop) -> list[ast.stmt]:
        body = self.block(s.body)
        if s.sort == "while":
            return [ast.While(self.x.emit(s.head), [*self.turn(s), *body], [])]
        if s.sort == "times":
            return [ast.For(stored("_n"), self.times(s), body, [])]
        still = [] if s.still is None else statements("if not _1: continue", self.x.emit(s.still))
        steps = self.x.efforts.loop_charge(s)
        before, members = ready(self.x, s.head)
        return [*before, *looped(self.x, "v_" + (s.var or "_"), members, [*still, *body], steps)]

    def times(self, s: c.Loop) -> Any:
        """Return the iterations of a loop, charged before it starts."""
        return expression("_turns(G, _1, _2)", self.x.emit(s.head), constant(self.x.efforts.loop_charge(s)))

    def turn(self, s: c.Loop) -> list[ast.stmt]:
        """One more turn of a loop without an end of its own is counted."""
        return spending(constant(self.x.efforts.loop_charge(s)))

    def whom(self, subject: c.Core | None) -> tuple[Any, Any]:
        """For whom chance falls: the kind of thing ("" for a value) and the thing, as expressions."""
        if subject is None:
            return constant(None), constant(None)
        return constant(subject.type.kind if isinstance(subject.type, t.ThingType) else ""), self.x.emit(subject)

    def _roll(self, s: c.RollDice) -> list[ast.stmt]:
        kind, subject = self.whom(s.subject)
        die = name("DIE_" + s.die)
        number = constant(1) if s.count is None else self.x.emit(s.count)
        given = [constant(s.name), kind, subject, die, number, constant(s.cites)]
        if s.thrower is None:
            value = expression("_roll(G, _1, _2, _3, _4, _5, _6)", *given)
        else:
            value = expression("_roll(G, _1, _2, _3, _4, _5, _6, _7)", *given, self.x.emit(s.thrower))
        value = expression("_1[0]" if s.count is None else "tuple(_1)", value)
        return statements("_1 = _2", stored("v_" + s.var), value)

    def _draw(self, s: c.DrawMembers) -> list[ast.stmt]:
        kind, subject = self.whom(s.subject)
        count = constant(1) if s.count is None else self.x.emit(s.count)
        value = expression(
            "_draw(G, _1, _2, _3, _4, _5, _6, _7)",
            constant(s.name),
            kind,
            subject,
            self.x.emit(s.source),
            count,
            constant(s.cites),
            constant(display_type(s.source.type)[1]),
        )
        if s.count is None:
            value = expression("_only(_1, _2)", value, constant(s.name))
        return statements("_1 = _2", stored("v_" + s.var), value)

    def _report(self, s: c.ReportEvent) -> list[ast.stmt]:
        told: Any = constant(())
        if self.model.events[s.event].words is not None:
            told = expression("_1(G, *_a)", name("say_" + s.event))
        noted = "if G.log is not None:\n    G.log.append(_LoggedReport(_2, _a, _3, _4))"
        if not self._is_safe_to_tell(s):  # a fault of the rules does not depend on who listens
            noted = "_w = _4\nif G.log is not None:\n    G.log.append(_LoggedReport(_2, _a, _3, _w))"
        holes = (tuple_of(self.x.many(s.args)), constant(s.event), constant(s.cites), told)
        if not self._is_safe_to_tell(s) and s.event not in self.owner.watched:
            return statements(f"_a = _1\n{noted}", *holes)
        if s.event in self.owner.watched:
            return statements(f"_a = _1\n{noted}\n_5(G, *_a)", *holes, name("watch_" + s.event))
        telling = "_a = _1\n    G.log.append(_LoggedReport(_2, _a, _3, _4))"
        if any(_may_count(x) for part in self._told(s) for x in n.descendants(part)):
            telling = f"_n = _aside(G)\n    {telling}\n    _resumed(G, _n)"
        return statements(f"if G.log is not None:\n    {telling}", *holes)

    def _told(self, s: c.ReportEvent) -> Iterator[c.Core]:
        """Yield the expressions in an event's arguments and text."""
        words = self.model.events[s.event].words
        for part in (*s.args, *(words.parts if words is not None else ())):
            if not isinstance(part, str):
                yield part

    def _is_safe_to_tell(self, s: c.ReportEvent) -> bool:
        """Return whether evaluating an event's arguments and text cannot fault."""
        return all(self.x.is_safe(x) for x in self._told(s))

    def _end(self, s: c.CheckedEndGame) -> list[ast.stmt]:
        winner: Any = constant(None)
        if s.winner is not None:
            winner = self.x.emit(s.winner)
            if isinstance(s.winner.type, t.ThingType):
                winner = tuple_of([winner])
        level = constant(None) if s.level is None else self.x.emit(s.level)
        ended = statements("_end_game(G, _1, _2, _3)", winner, level, constant(s.cites))
        return [*ended, *statements("return _ASKED" if self.is_cut else "raise _Ended")]

    def _skip(self, s: c.CheckedSkipTo) -> list[ast.stmt]:
        return statements("raise _Skip(_1)", constant(s.phase))

    def _call(self, s: c.CallProcedure) -> list[ast.stmt]:
        args = self.x.many(s.args)
        if s.later:
            return statements("_put_off(G, _1, _2)", constant(s.procedure), tuple_of(args))
        call = ast.Call(name("p_" + s.procedure), [name("G"), *args], [])
        if s.var is not None:
            return [ast.Assign([stored("v_" + s.var)], call)]
        return [ast.Expr(call)]

    def _return(self, s: c.ReturnValue) -> list[ast.stmt]:
        end = self.leaving()
        if s.value is None:
            return [*end, ast.Return(constant(None))]
        before, value = self.x.lifted(s.value)
        return [*before, *statements("_w = _1", value), *end, ast.Return(name("_w"))]

    def _assert(self, s: c.AssertThat) -> list[ast.stmt]:
        words, values = self.owner.decisions.words_values(s.words)
        return statements("if not _1: _assert_failed(G, _2, _3)", self.x.emit(s.test), constant(words), values)

    def _together(self, s: c.DoTogether) -> list[ast.stmt]:
        self.effects = True
        body = self.body(s.body)
        self.effects = False
        if "moved" in self.owner.watched:
            return [
                *statements("_E = []"),
                *body,
                *statements("for _u, _f, _t in _apply_together(G, _E): watch_moved(G, _u, _f, _t)"),
            ]
        return [*statements("_E = []"), *body, *statements("_apply_together(G, _E)")]

    def _nothing(self, s: c.CiteOnly) -> list[ast.stmt]:
        return []

    def arm_test(self, s: c.MatchPart, arm: str) -> Any:
        """Return the test whether the subject (in `_s`) is an arm."""
        if isinstance(s.subject.type, t.PartType):
            return expression("_s[0] == _1", constant(arm))
        if isinstance(s.subject.type, t.RungType):
            rungs = self.model.ruleset.ladders[s.subject.type.ladder].rungs
            return expression("_s == _1", constant(rungs.index(arm)))
        return expression("_s == _1", constant(arm))

    def _match(self, s: c.MatchPart) -> list[ast.stmt]:
        orelse: list[ast.stmt] = self.block(s.otherwise) if s.otherwise is not None else []
        for arm, var, body in reversed(s.arms):
            bind = [] if var is None else statements("_1 = _s[1]", stored("v_" + var))
            orelse = [ast.If(self.arm_test(s, arm), [*bind, *self.block(body)], orelse)]
        return [*statements("_s = _1", self.x.emit(s.subject)), *orelse]

    def title_values(self, s: c.PhaseBlock) -> Any:
        """Return the values of the placeholders in a phase's title."""
        return silently(self.x, lambda: self.owner.decisions.words_values(s.title)[1])

    def _phase(self, s: c.PhaseBlock) -> list[ast.stmt]:
        before = f"b_{len(self.phases)}"
        self.phases.append((s.name, before))
        body = self.body(s.body)
        self.phases.pop()
        lasting = self.owner.scopes(s.name)
        if lasting:
            body = statements("try:\n    _1\nexcept _Skip:\n    _2\n    raise", body or [ast.Pass()], lasting)
        return [
            *statements("_1 = G.phase", stored(before)),
            *self.phase_entered(s),
            *body,
            *lasting,
            *self.phase_left(s.name, before),
        ]

    def phase_entered(self, s: c.PhaseBlock) -> list[ast.stmt]:
        """Return the start of a phase; its title is evaluated whether or not a log is kept."""
        values = self.title_values(s)
        filled = [] if isinstance(values, ast.Constant) else statements("_w = _1", values)
        return [
            *filled,
            *statements("G.phase = _1", constant(s.name)),
            *spending(constant(100)),
            *statements(
                "if G.log is not None: _note_phase(G, _1, _2, _3)",
                constant(s.name),
                constant(s.cites),
                name("_w") if filled else values,
            ),
        ]

    def phase_left(self, phase: str, before: str) -> list[ast.stmt]:
        """Return the end of a phase; the enclosing one continues."""
        return statements(
            "if G.log is not None: G.log.append(_LoggedPhaseEnd(_1))\nG.phase = _2", constant(phase), name(before)
        )


def _at_hand(short: str, part: Any, begun: list[ast.stmt]) -> Any:
    """Return a value that is read several times: unchanged if cheap, else a name assigned at the end of `begun`."""
    if isinstance(part, ast.Name | ast.Constant):
        return part
    begun += statements("_1 = _2", stored(short), part)
    return name(short)


def _may_count(core: c.Core) -> bool:
    """Return whether an expression may charge steps itself."""
    return isinstance(core, n.CheckedCall | n.Comprehension | n.CheckedSearch | n.CheckedClosure) or isinstance(
        core.type, t.SetType | t.ListType
    )


_SIMPLE: dict[type, Callable[[Effects, Any], list[ast.stmt]]] = {
    c.SetLocal: Effects._set_local,
    c.SetAttribute: Effects._set_attribute,
    c.StepRung: Effects._step_rung,
    c.MovePieces: Effects._move,
    c.CheckedIf: Effects._branch,
    c.Loop: Effects._loop,
    c.RollDice: Effects._roll,
    c.DrawMembers: Effects._draw,
    c.ReportEvent: Effects._report,
    c.CheckedEndGame: Effects._end,
    c.CheckedSkipTo: Effects._skip,
    c.CallProcedure: Effects._call,
    c.ReturnValue: Effects._return,
    c.AssertThat: Effects._assert,
    c.DoTogether: Effects._together,
    c.CiteOnly: Effects._nothing,
    c.MatchPart: Effects._match,
    c.PhaseBlock: Effects._phase,
}
