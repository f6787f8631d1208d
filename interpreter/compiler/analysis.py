"""What can be said of an expression without running it: names it reads, its size, whether it reads state."""

from __future__ import annotations

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
        cores = [*tests, *(p.domain for p in choice.params[number + 1:])]
        pieces = {name for core in cores for name in _piece_locals(core) if "v_" + name in around}
        if param.alike and pieces - {param.name}:
            found.add(param.name)
    return frozenset(found)


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


_READS_STATE = ("game", "turn", "last_turn", "rule", "tally", "pieces_at", "filter_at", "onmap", "playing",
                "option_value", "canadvance", "possible", "condition", "highest_level")


def static_defines(model: CheckedModel) -> frozenset[str]:
    """Defines that read no state: their results are remembered for good."""
    changing = {(k.id, a.name) for k in model.ruleset.kinds.values() for a in k.attributes.values() if a.changes}
    changing |= {("piece", "at"), ("side", "seat")}
    dynamic: set[str] = set()
    again = True
    while again:
        again = False
        for define in model.defines.values():
            if define.name not in dynamic and _reads_state(define.value, changing, dynamic):
                dynamic.add(define.name)
                again = True
    return frozenset(n for n in model.defines if n not in dynamic)


def _reads_state(core: Core, changing: set[tuple[str, str]], dynamic: set[str]) -> bool:
    if core.op in _READS_STATE or core.op == "builtin" and core.args[0] == "alike":
        return True
    if core.op in ("attr", "maybe_attr") and (core.args[0], core.args[1]) in changing:
        return True
    if core.op == "define" and core.args[0] in dynamic:
        return True
    return any(_reads_state(child, changing, dynamic) for child in children(core))
