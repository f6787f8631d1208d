"""Values of checked expressions, evaluated operand by operand as the author's guide says.

Nothing is cached or reordered: operands are evaluated from left to right, each at its turn, and `and`, `or`, `if` and
`else` evaluate their right side only if needed. Never changes the position.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from interpreter.model import statements as c, types as t
from tests.witness import ways
from tests.witness.charts import NoColumn, Shift, cell_of, has_cell
from tests.witness.faults import Faulted, NotCovered
from tests.witness.nodes import Opened, opened
from tests.witness.world import World, normal

if TYPE_CHECKING:
    from interpreter.model.checked_model import CheckedModel
    from interpreter.model.statements import Core

Names = dict[str, Any]


class Evaluator:
    """An evaluator of the expressions of one model in one position."""

    def __init__(self, model: CheckedModel, world: World) -> None:
        self.model = model
        self.ruleset = model.ruleset
        self.world = world
        self.met: set[str] = set()  # operations evaluated so far, for coverage reports
        self.parted: dict[int, tuple[Core, Opened]] = {}  # expressions, which never change, with their parts

    def value(self, core: Core, names: Names) -> Any:
        """Return the value of an expression with these names; raise Faulted at the part that is at fault."""
        known = self.parted.get(id(core)) or self._parted(core)
        node = known[1]
        handler = OPERATIONS.get(node.op)
        if handler is None:
            raise NotCovered(node.op)
        try:
            return normal(handler(self, node, names))
        except ZeroDivisionError:
            raise Faulted("zero", node.span) from None
        except NoColumn:
            raise Faulted("no column", node.span) from None
        except ways.NegativeCost:
            raise Faulted("cost", node.span) from None

    def _parted(self, core: Core) -> tuple[Core, Opened]:
        """Open an expression at its first use; it is kept too, so that its id stays unique."""
        node = opened(core)
        self.met.add(node.op if node.op != "builtin" else f"{node.args[0]}()")
        self.parted[id(core)] = core, node
        return core, node

    def values(self, cores: Any, names: Names) -> tuple[Any, ...]:
        """Return the values of several expressions, evaluated in order."""
        return tuple(self.value(core, names) for core in cores)

    def holds(self, requires: tuple[c.CheckedRequirement, ...], names: Names) -> bool:
        """Return True if all requirements hold; test them in order, up to the first that does not."""
        return all(self.value(requirement.test, names) for requirement in requires)


# --- names and attributes --------------------------------------------------------------------


def constant(x: Evaluator, node: Opened, names: Names) -> Any:
    return node.args[0]


def local(x: Evaluator, node: Opened, names: Names) -> Any:
    return names[node.args[0]]


def everything(x: Evaluator, node: Opened, names: Names) -> Any:
    kind, cls = node.args
    return tuple(
        number
        for number, thing in enumerate(x.ruleset.kinds[kind].things)
        if thing.holding is None and cls in (None, thing.cls)
    )


def attribute(x: Evaluator, node: Opened, names: Names) -> Any:
    kind, name, owner = node.args
    thing = x.value(owner, names)
    return None if thing is None else x.world.attribute(kind, name, thing)


def of_game(x: Evaluator, node: Opened, names: Names) -> Any:
    return x.world.game[node.args[0]]


def turn(x: Evaluator, node: Opened, names: Names) -> Any:
    return x.world.turn


def last_turn(x: Evaluator, node: Opened, names: Names) -> Any:
    return x.world.last_turn


def playing(x: Evaluator, node: Opened, names: Names) -> Any:
    value = x.world.options[node.args[0]]
    return value != "" if x.ruleset.options[node.args[0]].type == "split" else value


def can_advance(x: Evaluator, node: Opened, names: Names) -> Any:
    kind, name, owner = node.args
    thing = None if owner is None else x.value(owner, names)
    return rung_of(x, kind, name, thing) < top_rung(x, kind, name, thing)


def rung_of(x: Evaluator, kind: str, name: str, thing: Any) -> int:
    """Return the present rung of a ladder attribute of a thing, or of the game."""
    rung: int = x.world.game[name] if kind == "game" else x.world.attribute(kind, name, thing)
    return rung


def top_rung(x: Evaluator, kind: str, name: str, thing: Any) -> int:
    """Return the highest rung that may be reached."""
    declared = x.ruleset.game[name] if kind == "game" else x.ruleset.kinds[kind].attributes[name]
    if declared.top is not None:
        return rung_of(x, kind, declared.top, thing)
    assert isinstance(declared.type, t.RungType)
    return len(x.ruleset.ladders[declared.type.ladder].rungs) - 1


def holding(x: Evaluator, node: Opened, names: Names) -> Any:
    first, count, owner, _ = node.args
    number = x.value(owner, names)
    if count == 0:
        return first + number
    if not 1 <= number <= count:
        raise Faulted("holding", node.span)
    return first + number - 1


# --- logic, numbers, choices ------------------------------------------------------------------


def all_hold(x: Evaluator, node: Opened, names: Names) -> Any:
    return all(x.value(part, names) for part in node.args)


def one_holds(x: Evaluator, node: Opened, names: Names) -> Any:
    return any(x.value(part, names) for part in node.args)


def negation(x: Evaluator, node: Opened, names: Names) -> Any:
    return not x.value(node.args[0], names)


def comparison(x: Evaluator, node: Opened, names: Names) -> Any:
    symbol, *sides = node.args
    left, right = x.values(sides, names)
    return COMPARE[symbol](left, right)


COMPARE: dict[str, Callable[[Any, Any], bool]] = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def member(x: Evaluator, node: Opened, names: Names) -> Any:
    item, domain = x.values(node.args, names)
    return (item in domain) is (node.op == "in")


def arithmetic(x: Evaluator, node: Opened, names: Names) -> Any:
    left, right = x.values(node.args, names)
    if node.op == "div":
        return Fraction(left) / right
    return left + right if node.op == "add" else left - right if node.op == "sub" else left * right


def negative(x: Evaluator, node: Opened, names: Names) -> Any:
    return -x.value(node.args[0], names)


def conditional(x: Evaluator, node: Opened, names: Names) -> Any:
    test, yes, no = node.args
    return x.value(yes if x.value(test, names) else no, names)


def or_else(x: Evaluator, node: Opened, names: Names) -> Any:
    value = x.value(node.args[0], names)
    return x.value(node.args[1], names) if value is None else value


# --- sets, lists, records ---------------------------------------------------------------------


def in_order(items: Any) -> tuple[Any, ...]:
    """Return a set: each member once, in the order of all sets."""
    return tuple(sorted(set(items)))


def union(x: Evaluator, node: Opened, names: Names) -> Any:
    left, right = x.values(node.args, names)
    return left + right if isinstance(node.type, t.ListType) else in_order(left + right)


def minus(x: Evaluator, node: Opened, names: Names) -> Any:
    left, right = x.values(node.args, names)
    return tuple(item for item in left if item not in right)


def span_of(x: Evaluator, node: Opened, names: Names) -> Any:
    low, high = x.values(node.args, names)
    if high - low >= 10_000:
        raise Faulted("range", node.span)
    return tuple(range(low, high + 1))


def collection(x: Evaluator, node: Opened, names: Names) -> Any:
    items = x.values(node.args, names)
    return in_order(items) if node.op == "set" else items


def former(x: Evaluator, node: Opened, names: Names) -> Any:
    """Evaluate an iteration over a set: members that pass `where` are collected, counted, summed or quantified over."""
    sort, var, domain, where, result, extreme, measure = node.args
    made: list[Any] = []
    measures: list[Any] = []
    for item in x.value(domain, names):
        inner = {**names, var: item}
        if where is not None and not x.value(where, inner):
            continue
        if sort in ("any", "no"):
            return sort == "any"
        if sort == "every":
            if not x.value(result, inner):
                return False
            continue
        if measure is not None:
            measures.append(x.value(measure, inner))
        made.append(item if result is None else x.value(result, inner))
    if sort in ("any", "no", "every"):
        return sort != "any"
    if extreme is not None and made:
        best = min(measures) if extreme == "least" else max(measures)
        made = [item for item, measured in zip(made, measures, strict=True) if measured == best]
    return FOLDS[sort](made)


FOLDS: dict[str, Callable[[Any], Any]] = {
    "set": in_order,
    "list": tuple,
    "count": len,
    "sum": sum,
    "min": lambda items: min(items, default=None),
    "max": lambda items: max(items, default=None),
}


def item_of(x: Evaluator, node: Opened, names: Names) -> Any:
    items, number = x.values(node.args, names)
    return items[number - 1] if 1 <= number <= len(items) else None


def record(x: Evaluator, node: Opened, names: Names) -> Any:
    return x.values(node.args[1:], names)


def field(x: Evaluator, node: Opened, names: Names) -> Any:
    held = x.value(node.args[0], names)
    return None if held is None else held[node.args[1]]


def with_fields(x: Evaluator, node: Opened, names: Names) -> Any:
    held, changes = node.args
    made = list(x.value(held, names))
    for index, value in [(index, x.value(value, names)) for index, value in changes]:
        made[index] = value
    return tuple(made)


# --- pieces and the map -----------------------------------------------------------------------


def pieces_at(x: Evaluator, node: Opened, names: Names) -> Any:
    cls, place = node.args
    standing = x.world.standing(x.value(place, names))
    return tuple(piece for piece in standing if cls in (None, x.ruleset.kinds["piece"].things[piece].cls))


def those_at(x: Evaluator, node: Opened, names: Names) -> Any:
    pieces, place = x.values(node.args, names)
    made = tuple(piece for piece in pieces if x.world.at[piece] == place)
    return in_order(made) if isinstance(node.type, t.SetType) else made


def is_on_map(x: Evaluator, node: Opened, names: Names) -> Any:
    return x.world.on_map(x.world.at[x.value(node.args[0], names)])


def search(x: Evaluator, node: Opened, names: Names) -> Any:
    sort, start, goal, within, var, previous, where, cost = node.args
    begin = x.value(start, names)
    end = None if goal is None else x.value(goal, names)
    limit = None if within is None else x.value(within, names)

    def asked(core: Any) -> ways.Test | None:
        if core is None:
            return None
        return lambda place, before: x.value(
            core, {**names, **({var: place} if var else {}), **({previous: before} if previous else {})}
        )

    found, first = ways.settled(x.world.map, begin, end, limit, asked(where), asked(cost))
    if sort == "reach":
        return in_order(found)
    if first is None:
        return None
    if sort == "distance":
        return found[first][0]
    way = [first]
    while (before := found[way[0]][1]) is not None:
        way.insert(0, before)
    return tuple(way)


def closure(x: Evaluator, node: Opened, names: Names) -> Any:
    start, around, first, second, where = node.args
    found = list(dict.fromkeys(x.value(start, names)))
    others = x.value(around, names)
    waiting = list(found)
    while waiting:
        one = waiting.pop()
        for other in others:
            if other not in found and (
                x.value(where, {**names, first: one, second: other})
                or x.value(where, {**names, first: other, second: one})
            ):
                found.append(other)
                waiting.append(other)
    return in_order(found)


# --- what the ruleset declares -----------------------------------------------------------------


def define(x: Evaluator, node: Opened, names: Names) -> Any:
    called = x.model.defines[node.args[0]]
    given = x.values(node.args[1:], names)
    return x.value(called.value, dict(zip([n for n, _ in called.params], given, strict=True)))


def rule(x: Evaluator, node: Opened, names: Names) -> Any:
    called = x.model.rules[node.args[0]]
    given = x.values(node.args[1:], names)
    inner = dict(zip([n for n, _ in called.params], given, strict=True))
    return x.holds(called.requires, inner)


def tally(x: Evaluator, node: Opened, names: Names) -> Any:
    called = x.model.tallies[node.args[0]]
    inner = dict(zip([n for n, _ in called.params], x.values(node.args[1:], names), strict=True))
    made: Any = 0
    for line in called.lines:
        if line.condition is None or x.value(line.condition, inner):
            made += line.sign * x.value(line.amount, inner)
    for sort, bound, _ in called.bounds:
        made = (max if sort == "least" else min)(made, x.value(bound, inner))
    return made


def table(x: Evaluator, node: Opened, names: Names) -> Any:
    found, cell = cell_of(x.ruleset.tables[node.args[0]], x.values(node.args[1:], names))
    if not found:
        raise Faulted("no row", node.span)
    return cell


def has_row(x: Evaluator, node: Opened, names: Names) -> Any:
    return has_cell(x.ruleset.tables[node.args[0]], x.values(node.args[1:], names))


def shifted(x: Evaluator, node: Opened, names: Names) -> Any:
    return Shift(*x.values(node.args, names))


def condition(x: Evaluator, node: Opened, names: Names) -> Any:
    return x.value(x.model.conditions[node.args[0]], {})


def highest_level(x: Evaluator, node: Opened, names: Names) -> Any:
    seat = x.value(node.args[0], names)
    best = None
    for number, (level, test) in enumerate(zip(x.ruleset.victory.levels, x.model.levels, strict=True)):
        if level.seat == seat and test is not None and x.value(test, {}):
            best = number
    return best


def possible(x: Evaluator, node: Opened, names: Names) -> Any:
    from tests.witness.deciding import has_an_end

    draft, *args = node.args
    given = x.values(args, names)
    return has_an_end(x, x.model.drafts[draft], given)


# --- built-in functions ------------------------------------------------------------------------


def builtin(x: Evaluator, node: Opened, names: Names) -> Any:
    from tests.witness.builtins import FUNCTIONS

    called, *args = node.args
    if called not in FUNCTIONS:
        raise NotCovered(called)
    return FUNCTIONS[called](x, node.span, *x.values(args, names))


OPERATIONS: dict[str, Callable[[Evaluator, Opened, Names], Any]] = {
    "const": constant,
    "local": local,
    "all": everything,
    "attr": attribute,
    "game": of_game,
    "turn": turn,
    "last_turn": last_turn,
    "playing": playing,
    "canadvance": can_advance,
    "holding": holding,
    "and": all_hold,
    "or": one_holds,
    "not": negation,
    "cmp": comparison,
    "in": member,
    "notin": member,
    "add": arithmetic,
    "sub": arithmetic,
    "mul": arithmetic,
    "div": arithmetic,
    "neg": negative,
    "cond": conditional,
    "orelse": or_else,
    "union": union,
    "minus": minus,
    "range": span_of,
    "set": collection,
    "list": collection,
    "former": former,
    "item": item_of,
    "record": record,
    "field": field,
    "with": with_fields,
    "pieces_at": pieces_at,
    "filter_at": those_at,
    "onmap": is_on_map,
    "search": search,
    "closure": closure,
    "define": define,
    "rule": rule,
    "tally": tally,
    "table": table,
    "hascell": has_row,
    "shifted": shifted,
    "condition": condition,
    "highest_level": highest_level,
    "possible": possible,
    "builtin": builtin,
}
