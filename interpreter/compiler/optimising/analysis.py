"""What can be said of an expression without running it: names it reads, its size, whether it reads state."""

from __future__ import annotations

from interpreter.compiler.efforts import uncountable
from interpreter.compiler.layout import Layout
from interpreter.model import core as c
from interpreter.model import types as t
from interpreter.model.core import CheckedModel, Core, children

INLINE_WEIGHT = 24  # nodes of a define that is written out where it is called
INLINE_DEPTH = 3  # defines written out inside one another


def weight(core: Core) -> int:
    """Number of nodes of an expression; heavy where writing it out could be wrong or slow."""
    if core.op in ("search", "closure", "possible", "with"):
        return INLINE_WEIGHT + 1
    return 1 + sum(weight(child) for child in children(core))


def loops_inside(model: CheckedModel, core: Core, wanted: int) -> bool:
    """True when working out an expression goes through at least `wanted` loops or searches."""
    return _loops(model, core, wanted, 0) >= wanted


def _loops(model: CheckedModel, core: Core, wanted: int, depth: int) -> int:
    found = 1 if core.op in ("former", "search", "closure", "possible") else 0
    if depth > 8:
        return found
    inside: list[Core] = list(children(core))
    if core.op == "define":
        inside.append(model.defines[core.args[0]].value)
    elif core.op == "rule":
        inside += [r.test for r in model.rules[core.args[0]].requires]
    elif core.op == "tally":
        inside += [line.amount for line in model.tallies[core.args[0]].lines]
    for child in inside:
        if found >= wanted:
            break
        found += _loops(model, child, wanted - found, depth + 1)
    return found


def held_apart(choice: c.Choice | c.CheckedStep, given: list[str]) -> frozenset[str]:
    """Parameters whose alike pieces another local may hold apart: a set they are in, or another piece chosen.

    `given` are the locals around the option, with their prefix.
    """
    tests = [*(r.test for r in choice.requires), *(p.value for p in choice.prefers)]
    around = {*given, *("v_" + p.name for p in choice.params)}
    found = set()
    for number, param in enumerate(choice.params):
        cores = [*tests, *(p.domain for p in choice.params[number + 1 :])]
        pieces = {name for core in cores for name in _piece_locals(core) if "v_" + name in around}
        if param.alike and pieces - {param.name}:
            found.add(param.name)
    return frozenset(found)


def narrowed(param: c.Param, tests: list[Core], later: set[str]) -> Core | None:
    """A test that lets a parameter that runs over all things only be one of a set, known before its loop."""
    if param.domain.op != "all" or param.alike:
        return None
    for test in tests:
        around = None
        if test.op == "in" and _is_local(test.args[0], param.name) and isinstance(test.args[1].type, t.SetOf):
            around = test.args[1]
        elif test.op == "builtin" and test.args[0] == "linked":
            _, a, b = test.args
            around = b if _is_local(a, param.name) else a if _is_local(b, param.name) else None
        if around is not None and not locals_of(around) & later:
            return test
    return None


def members_of(param: c.Param, test: Core) -> Core:
    """The set that a test found by `narrowed` wants the parameter to be in; sets have an order of their own."""
    if test.op == "in":
        found: Core = test.args[1]
        return found
    _, a, b = test.args
    return Core("builtin", ("neighbours", b if _is_local(a, param.name) else a), t.SetOf(t.PLACE), test.span)


def _is_local(core: Core, name: str) -> bool:
    return core.op == "local" and bool(core.args[0] == name)


def _piece_locals(core: Core) -> set[str]:
    """Locals in an expression that hold pieces, alone or among other things."""
    found: set[str] = set()
    stack = [core]
    while stack:
        node = stack.pop()
        if node.op == "local" and _holds_pieces(node.type):
            found.add(node.args[0])
        stack.extend(children(node))
    return found


def _holds_pieces(type_: t.Type | None) -> bool:
    match type_:
        case t.SetOf(item=None) | t.ListOf(item=None):
            return True  # began empty: nothing is known of its members here
        case t.SetOf(item=item) | t.ListOf(item=item) | t.Maybe(item=item):
            return _holds_pieces(item)
        case t.ThingOf(kind=kind):
            return kind == "piece"
    return isinstance(type_, t.RecordOf)


def locals_of(core: Core) -> set[str]:
    """Names of rules' locals that an expression reads (its own bound names included)."""
    found: set[str] = set()
    stack = [core]
    while stack:
        node = stack.pop()
        if node.op == "local":
            found.add(node.args[0])
        stack.extend(children(node))
    return found


_READS_STATE = (
    "game",
    "turn",
    "last_turn",
    "rule",
    "tally",
    "pieces_at",
    "filter_at",
    "onmap",
    "playing",
    "option_value",
    "canadvance",
    "possible",
    "condition",
    "highest_level",
    "marks",
)


def changing_attributes(model: CheckedModel) -> set[tuple[str, str]]:
    """Attributes (kind, name) that live in the state."""
    changing = {(k.id, a.name) for k in model.ruleset.kinds.values() for a in k.attributes.values() if a.changes}
    return changing | {("piece", "at"), ("side", "seat")}


def defines_called(model: CheckedModel, core: Core) -> list[c.CheckedDefine]:
    """The defines that an expression calls, itself or by others."""
    found: dict[str, c.CheckedDefine] = {}
    waiting = [core]
    while waiting:
        node = waiting.pop()
        if node.op == "define" and node.args[0] not in found:
            found[node.args[0]] = model.defines[node.args[0]]
            waiting.append(found[node.args[0]].value)
        waiting.extend(children(node))
    return list(found.values())


def searches_in(core: Core) -> list[Core]:
    """Distances in an expression whose search does not depend on how far it may go."""
    found = [core] if core.op == "search" and core.args[0] == "distance" and core.args[3] is None else []
    return found + [x for child in children(core) for x in searches_in(child)]


EVERYTHING = "*"  # in place of slots: anything may be read


def slots_read(model: CheckedModel, layout: Layout, core: Core, known: dict[str, frozenset[str]]) -> frozenset[str]:
    """Slots of the state that working out an expression may read; `known` keeps those of defines and rules."""
    found: set[str] = set()
    match core.op:
        case "attr" | "maybe_attr":
            column = layout.column_of(core.args[0], core.args[1])
            found |= {column} if column is not None else set()
        case "game":
            found.add(layout.game[core.args[0]])
        case "pieces_at" | "filter_at" | "onmap":
            found.add("at")
        case "define" | "rule":
            found |= _slots_called(model, layout, core, known)
        case "possible" | "condition" | "highest_level" | "tally" | "canadvance":
            found.add(EVERYTHING)
        case "builtin" if core.args[0] == "alike":
            found.add(EVERYTHING)
    for child in children(core):
        found |= slots_read(model, layout, child, known)
    return frozenset(found)


def _slots_called(model: CheckedModel, layout: Layout, core: Core, known: dict[str, frozenset[str]]) -> frozenset[str]:
    key = core.op + " " + core.args[0]
    if key not in known:
        known[key] = frozenset((EVERYTHING,))  # while it is worked out, and for what calls itself
        inside = (
            (model.defines[core.args[0]].value,)
            if core.op == "define"
            else tuple(r.test for r in model.rules[core.args[0]].requires)
        )
        known[key] = frozenset[str]().union(*(slots_read(model, layout, x, known) for x in inside))
    return known[key]


def silent(model: CheckedModel, defines: list[c.CheckedDefine]) -> list[c.CheckedDefine]:
    """The defines that look nothing up in tables."""
    known: dict[str, bool] = {}
    return [d for d in defines if not _looks_up(model, d.value, known)]


def _looks_up(model: CheckedModel, core: Core, known: dict[str, bool]) -> bool:
    """True when working out an expression may look something up in a table; `known` keeps it of defines and rules."""
    if core.op in ("table", "possible", "condition", "highest_level", "tally"):
        return True
    if core.op in ("define", "rule"):
        key = core.op + " " + core.args[0]
        if key not in known:
            known[key] = True  # while it is worked out, and for what calls itself
            inside = (
                (model.defines[core.args[0]].value,)
                if core.op == "define"
                else tuple(r.test for r in model.rules[core.args[0]].requires)
            )
            known[key] = any(_looks_up(model, x, known) for x in inside)
        if known[key]:
            return True
    return any(_looks_up(model, child, known) for child in children(core))


def static_defines(model: CheckedModel) -> frozenset[str]:
    """Defines that read no state: their results are remembered for good. Those that go through too much are counted."""
    dynamic: set[str] = set()
    found = _static(model, dynamic)
    dynamic |= uncountable(model, found)
    return _static(model, dynamic) if dynamic & found else found


def _static(model: CheckedModel, dynamic: set[str]) -> frozenset[str]:
    changing = changing_attributes(model)
    again = True
    while again:
        again = False
        for define in model.defines.values():
            if define.name not in dynamic and reads_state(define.value, changing, dynamic):
                dynamic.add(define.name)
                again = True
    return frozenset(n for n in model.defines if n not in dynamic)


def reads_state(core: Core, changing: set[tuple[str, str]], dynamic: set[str]) -> bool:
    """True when an expression reads what changes in play, itself or by one of the defines in `dynamic`."""
    if core.op in _READS_STATE or core.op == "builtin" and core.args[0] == "alike":
        return True
    if core.op in ("attr", "maybe_attr") and (core.args[0], core.args[1]) in changing:
        return True
    if core.op == "define" and core.args[0] in dynamic:
        return True
    return any(reads_state(child, changing, dynamic) for child in children(core))
