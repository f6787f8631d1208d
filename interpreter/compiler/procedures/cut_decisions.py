"""Decisions, drafts and rolls of a suspending procedure, split into blocks."""

from __future__ import annotations

import ast
from typing import Any

from interpreter.compiler.noting import silently
from interpreter.compiler.optimising.passes import ON_DEMAND
from interpreter.compiler.procedures.blocks import Cut
from interpreter.compiler.procedures.frames import taken
from interpreter.compiler.python_syntax import call_of, constant, expression, name, statements, stored, tuple_of
from interpreter.diagnostics.source_text import Span
from interpreter.lowering.dice_pools import Reading, pool_use
from interpreter.model import statements as c


def decide(cut: Cut, s: c.Decide) -> None:
    """Compile a decision: list its options and suspend if there are any."""
    number = silently(cut.x, lambda: cut.owner.decisions.add(s))
    cut.owner.within[number] = list(cut.within)
    free = cut.owner.decisions.free[number]
    here = len(cut.blocks) - 1
    if s.until_done:
        cut.emit(statements("pc = _1", constant(here + 1)), s.span)
        here = cut.new()
    resume = here + 1
    given = [name("v_" + n) for n in free]
    listed = _listed(cut, number, given, s.alone)
    nobody, out = constant(0), constant(0)
    ask = cut.owner.decisions.deciding(number, s.decider, given)
    ask += statements(
        "G.pending = _PendingDecision(_1, _2, _o)\n_3", constant(number), tuple_of([*given]), cut.leave(resume, s)
    )
    first: list[ast.stmt] = statements("_o = _1", listed)
    if s.until_done:
        done = call_of(f"done_{number}", name("G"), *given)
        if s.finish:
            alone = _alone(cut, s, number, given, resume)
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
    cut.emit(first, s.span)
    cut.new()
    _answers(cut, s, number, here, nobody, out)


def _listed(cut: Cut, number: int, given: list[Any], alone: bool) -> Any:
    """Return the options; in a trial their existence suffices, unless a sole one would be taken automatically."""
    listed = call_of(f"list_{number}", name("G"), *given)
    if alone or ON_DEMAND not in cut.x.passes:
        return listed
    some = call_of(f"some_{number}", name("G"), *given)
    return expression("_1 if G.on_trial else _2", some, listed)


def _alone(cut: Cut, s: c.Decide, number: int, given: list[Any], resume: int) -> list[ast.stmt]:
    """Compile the automatic choice of a repetition's sole option while `done` is refused; it is charged as work."""
    if not s.alone:
        return [ast.Pass()]
    return statements(
        "if len(_o) == 1 and not _d:\n    _spend(G)\n    G.answer = _o[0]\n    _taken(G, _1, _2, _o[0])\n    pc = _3",
        constant(number),
        tuple_of(list(given)),
        constant(resume),
    )


def _answers(cut: Cut, s: c.Decide, decision: int, again: int, nobody: ast.Constant, out: ast.Constant) -> None:
    """Compile the branches after the answer: an option's effects, the end of a repetition, or `otherwise`."""
    chain: list[ast.stmt] = []
    targets: list[tuple[ast.Constant, c.CheckedOption]] = []
    for index in reversed(range(len(s.choices))):
        choice = s.choices[index]
        target = constant(0)
        bind = taken(["v_" + p.name for p in choice.params], "_args")
        goes_on: list[ast.stmt] = [*bind, *statements("pc = _1", target)]
        chain = [ast.If(expression("_i == _1", constant(index)), goes_on, chain)] if chain else goes_on
        targets.insert(0, (target, choice))
    if s.until_done:
        chain = [ast.If(expression("_i < 0"), statements("pc = _1", out), chain)]
    cut.emit([*statements("_i, _args = G.answer"), *chain], s.span)
    ends: list[ast.Constant] = []
    cut.within.append(decision)
    for target, choice in targets:
        target.value = cut.new()
        cut.emit(cut.plain.cover(choice.cites), choice.span)
        cut.walk(choice.body)
        if s.until_done:
            if cut.owner.suspension.at_rolls:
                _close(cut, decision, s.span)
            cut.emit(cut.jump(again, len(cut.blocks) - 1), s.span)
        else:
            ends.append(cut.open_jump(s.span))
    cut.within.pop()
    nobody.value = cut.new()
    if s.otherwise is not None:
        cut.walk(s.otherwise)
        ends.append(cut.open_jump(s.span))
    else:
        cut.emit(statements("_no_option(G, _1)", constant(s.address)), s.span)
    cut.meet([*ends, out])


def draft(cut: Cut, s: c.DecideDraft) -> None:
    """Compile a decision that is a draft."""
    number = silently(cut.x, lambda: cut.owner.decisions.add_draft(s))
    cut.owner.within[number] = list(cut.within)
    free = cut.owner.decisions.free[number]
    here = len(cut.blocks) - 1
    given = tuple_of([name("v_" + n) for n in free])
    cut.emit(statements("_args = _1", tuple_of(cut.x.many(s.args))), s.span)
    if cut.owner.model.drafts[s.draft].finish:
        cut.emit(statements("if not _possible(G, _1, _args): _no_end(_1)", constant(s.draft)), s.span)
    ask = cut.owner.decisions.deciding(number, s.decider, [name("v_" + n) for n in free])
    ask += statements("G.pending = _PendingDraft(_1, _2, _args)\n_3", constant(number), given, cut.leave(here + 1, s))
    if s.alone:
        ask = statements(
            "_f = _sole_end(G, _1, _2, _3, _args)\nif _f is None:\n    _4\nG.answer = _f\npc = _5",
            constant(number),
            given,
            constant(s.draft),
            ask,
            constant(here + 1),
        )
    cut.emit(ask, s.span)
    cut.new()
    if s.var is not None:
        cut.emit(statements("_1 = G.answer", stored("v_" + s.var)), s.span)


# --- chance, where it suspends ----------------------------------------------------------------


def roll(cut: Cut, s: c.RollDice | c.DrawMembers) -> None:
    """Suspend before dice or a draw; a pool of no dice does not suspend."""
    here = len(cut.blocks) - 1
    use = pool_use(cut.p, s, cut.following, cut.owner.model)
    kind, subject = cut.plain.whom(s.subject)
    count = constant(1) if s.count is None else cut.x.emit(s.count)
    if isinstance(s, c.RollDice):
        source: Any = name("DIE_" + s.die)
        least = "_n < 1"
        nothing = expression("tuple(_roll(G, _1, None, None, _2, _n, ()))", constant(s.name), source)
        counted = statements("_count_dice(G, _1, _n)", constant(s.name))
    else:
        source = cut.x.emit(s.source)
        least, nothing = "_n < 1 or not _m", constant(())
        counted = statements("_count_draw(G, _m, _n)")
    signs = constant(None)
    if use.readings is not None and s.count is not None and isinstance(s, c.RollDice):
        signs = expression("lambda: _1", tuple_of([_sign(cut, r, source) for r in use.readings]))
    cut.emit(
        statements(
            f"_n = _1\n_m = _2\nif {least}:\n    G.answer = _3\nelse:\n    _12\n"
            "    G.pending = _PendingChance(_4, _5, _6, _7, _m, _n, _8, _9, _13)\n    _10\npc = _11",
            count,
            source,
            nothing,
            constant("roll" if isinstance(s, c.RollDice) else "draw"),
            constant(s.name),
            kind,
            subject,
            signs,
            constant(use.ordered),
            cut.leave(here + 1, s),
            constant(here + 1),
            counted,
            constant(all(r.adds_up for r in use.readings or ())),
        ),
        s.span,
    )
    cut.new()
    taken = (
        "G.answer" if s.count is not None else ("G.answer[0]" if isinstance(s, c.RollDice) else "_only(G.answer, _2)")
    )
    cut.emit(statements(f"_1 = {taken}", stored("v_" + s.var), constant(s.name)), s.span)


def _close(cut: Cut, decision: int, span: Span) -> None:
    """Suspend after an option of a repeated decision has run, before the repetition continues."""
    resume = len(cut.blocks)
    left = cut.leave(resume, None)
    cut.resumes[resume] = -2 - decision  # the end of no statement
    cut.emit(statements("G.pending = _PendingClose(_1, _2)\n_3", constant("close"), constant(decision), left), span)
    cut.new()


def _sign(cut: Cut, reading: Reading, die: Any) -> Any:
    """Return what one reading uses of each face of a die: faces with equal signatures need not be distinguished."""
    var = "v_" + reading.var
    read = tuple_of([cut.x.plainly(part) for part in reading.parts])
    if reading.where is not None:
        read = ast.IfExp(cut.x.plainly(reading.where), read, constant(None))
    return expression("tuple(_1)", ast.ListComp(read, [ast.comprehension(stored(var), die, [], 0)]))
