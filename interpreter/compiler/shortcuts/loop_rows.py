"""Row tables for loops: what is fixed for each member of a loop is stored in a row beside it.

A loop over directions that reads `ray(h, d)` iterates the rows (d, ray) of a table by h, which is filled on demand.
Works on finished Python statements annotated by `Emitter.emit`; reads of the state and what may fault stay.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from interpreter.compiler.python_syntax import (
    expression,
    function,
    lambda_of,
    located,
    name,
    row,
    stored,
    table_name,
    target,
)
from interpreter.compiler.python_trees import bound_in, changed, inside, parts_of, rewritten
from interpreter.compiler.shortcuts.enough import enough
from interpreter.diagnostics.source_text import Span
from interpreter.runtime.program import AT_ONCE

MOST_NAMES = 3  # that the rows of a table hang on
MOST_MEMBERS = 12  # of rows that hang on more than their members do ...
MOST_STANDS = 5_000  # ... or of so many pieces in so many places
Count = Callable[[str, str | None], int]
_LOCAL = re.compile(r"[vh]_|w\d+_")  # names of the rules in Python, and values of things read into names
AT = "h_at_"  # where a piece is, read into a name
_MEMBERS = re.compile(r"(ALL|CLASS)_")


def in_rows(made: list[tuple[ast.stmt, Span]], tables: dict[str, None], things: Count) -> None:
    """Rewrite the functions with a state parameter; add the functions that make the rows, and note their tables.

    `things` returns the number of things of a kind, or of pieces of a class.
    """
    for node, span in list(made):
        if isinstance(node, ast.FunctionDef) and node.args.args[:1] and node.args.args[0].arg == "G":
            parts = parts_of(node.body)
            if any(isinstance(x, ast.For) for x in parts):
                found = _Rows(node, span, tables, things, {x.arg for x in node.args.args} - bound_in(parts))
                found.loads = _loads(parts)
                before, node.body = node.body, found.body(node.body)
                if node.body != before:  # where rows are looked up may itself stand in a row
                    found.loads = _loads(parts_of(node.body))
                    node.body = found.body(node.body)
                made += found.made


class _Rows:
    """Rewriter of one function with its row tables; `steady` are parameters that keep their values."""

    def __init__(
        self, node: ast.FunctionDef, span: Span, tables: dict[str, None], things: Count, steady: set[str]
    ) -> None:
        self._things = things
        self.node = node
        self.span = span
        self.tables = tables
        self.made: list[tuple[ast.stmt, Span]] = []
        self.loads = Counter[str]()  # how often each name is read
        self._count = 0
        self._steady = steady
        self._outer: list[str] = []  # names of the loops around

    def body(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Statements with their loops changed."""
        out: list[ast.stmt] = []
        for part in body:
            out.append(part)
            if isinstance(part, ast.For):
                self._loop(out)
            outer, self._outer = self._outer, [*self._outer, *_targets(out[-1])]
            out[-1] = inside(out[-1], self.body)
            self._outer = outer
        return out

    def _loop(self, out: list[ast.stmt]) -> None:
        """Rewrite the last of some statements, a loop, to use rows; its iterable may be in a name assigned before."""
        loop = out[-1]
        assert isinstance(loop, ast.For)
        if not isinstance(loop.target, ast.Name):
            return
        before, members = None, loop.iter
        if isinstance(members, ast.Name) and not _MEMBERS.match(members.id):
            before = next((i for i, x in enumerate(out) if _sets(x, members.id)), None)
            if before is None or self.loads[members.id] != 1 + _lengths(out[before:], members.id):
                return
            members = out[before].value  # type: ignore[attr-defined]
        around, members = _around(members)
        if not _is_members(members):
            return
        between = [] if before is None else out[before + 1 : -1]
        found = self._of(loop.target.id, members, loop.body, between)
        if found is None:
            return
        turns, table, body = found
        if around is not None:
            table = changed(around, args=[x if x is not members else table for x in around.args])
        if before is None:
            out[-1] = changed(loop, target=turns, iter=table, body=body)
        else:
            out[before] = changed(out[before], value=table)
            out[-1] = changed(loop, target=turns, body=body)

    def _of(
        self, var: str, members: Any, body: list[ast.stmt], between: list[ast.stmt]
    ) -> tuple[Any, Any, list[ast.stmt]] | None:
        """Return the target, table and body of a loop that reads fixed values from rows, or None.

        `between` are the statements after the lookup of the table.
        """
        bound = bound_in(parts_of([*between, *body]))
        told = {found for x in parts_of(body) for found in _asked_for_none(x)}
        if var in bound or var in told:
            return None
        given, are_few, tests = _names(members), self._are_few(members), list[ast.expr]()

        def hangs_on_more(part: ast.expr) -> bool:
            others = _names(part) - {var}
            return bool(others & (bound | told) or len(given | others) > MOST_NAMES or not are_few and others - given)

        shorter = None if between else enough(body, self.loads)
        if shorter is not None and not hangs_on_more(shorter.room):
            body, tests = located(shorter.body, self.span), [expression("_1 >= 0", shorter.room)]
            given |= _names(shorter.room) - {var}
        is_small = self._is_small()
        kept: dict[str, ast.expr] = {}
        for part, behind in _fixed_parts(body, var, bound | told):
            if self._saved(part) <= behind and not (is_small and _is_option(part)) or hangs_on_more(part):
                continue
            given |= _names(part) - {var}
            kept[ast.dump(part)] = part
        if not kept:
            return None
        named = {}
        for key in kept:
            self._count += 1
            named[key] = f"row_{self._count}"
        body = [_read(stmt, named) for stmt in body]
        match body:
            case [ast.Assign(targets=[ast.Name(id=begun)], value=ast.Name(id=read)), *rest] if read in named.values():
                if _loads(parts_of(rest))[read] == 0:  # the row is read once, into a name that counts
                    named = {key: begun if x == read else x for key, x in named.items()}
                    body = rest
        own = sum(isinstance(x, ast.Name) and x.id == var for part in kept.values() for x in parts_of(part))
        is_read = self.loads[var] > own or self.node.name.startswith("p_") and var[:2] == "v_"  # frames keep it
        own_name = [var] if is_read else []
        values = row([*map(name, own_name), *kept.values()])
        table = self._table(var, values, members, given, tests)
        return located(target([*own_name, *named.values()]), self.span), located(table, self.span), body

    def _saved(self, part: ast.expr) -> int:
        """About how much is saved by not working a part out, in look-ups; those in tables that fill take longer."""
        found = parts_of(part)
        dear = any(isinstance(x, ast.Name) and x.id in self.tables for x in found)
        return sum(
            2 if isinstance(x, ast.Call | ast.Tuple) else (3 if dear else 1) * isinstance(x, ast.Subscript)
            for x in found
        )

    def _is_small(self) -> bool:
        """Return whether there are so few pieces and places that rows may depend on piece locations."""
        return self._things("piece", None) * self._things("place", None) <= MOST_STANDS

    def _are_few(self, members: Any) -> bool:
        """Return whether the members are few enough for their rows to depend on other names as well."""
        if self._is_small():
            return True
        match members:
            case ast.Constant():
                return len(ast.literal_eval(members)) <= MOST_MEMBERS
            case ast.Tuple(elts=parts):
                return len(parts) <= MOST_MEMBERS
            case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(), ast.Constant()] as ends):
                low, high = map(ast.literal_eval, ends)
                return bool(high - low <= MOST_MEMBERS)
            case ast.Name(id=given):
                sort, _, called = given.partition("_")
                count = self._things(called, None) if sort == "ALL" else self._things("piece", called)
                return count <= MOST_MEMBERS
        return False

    def _table(self, var: str, values: Any, members: Any, hangs_on: set[str], tests: list[ast.expr]) -> Any:
        """Return the lookup of the rows that pass tests, in a table that is filled on demand."""
        given = sorted(hangs_on, key=lambda x: (x not in self._steady, x not in self._outer, x))
        made = table_name((self.span.file, var, given, *map(ast.dump, (members, values, *tests))))
        made = made if given else AT_ONCE + made
        if made not in self.tables:
            self.tables[made] = None
            rows = expression("tuple(_1)", ast.ListComp(values, [ast.comprehension(stored(var), members, tests, 0)]))
            for inner in reversed(given[1:]):  # tables in tables
                every = "_by_place" if inner.startswith(AT) else "_WorkedOut"
                rows = expression(every + "(_1)", lambda_of([inner], rows))
            self.made.append((function(made.lower(), given[:1], [ast.Return(rows)], self.span), self.span))
        table: ast.expr = name(made)
        for outer in given:
            table = ast.Subscript(table, name(outer), ast.Load())
            table.fixed = True  # type: ignore[attr-defined]
        return table


def _loads(parts: list[Any]) -> Counter[str]:
    """Count the reads of each name."""
    return Counter(x.id for x in parts if isinstance(x, ast.Name) and isinstance(x.ctx, ast.Load))


def _targets(part: ast.stmt) -> list[str]:
    """Return the names that a loop binds."""
    return [x.id for x in parts_of(part.target) if isinstance(x, ast.Name)] if isinstance(part, ast.For) else []


def _around(members: Any) -> tuple[Any, Any]:
    """Split a loop's iterable into the wrapper around the members, and the members."""
    match members:
        case (
            ast.Call(func=ast.Name(id="_through"), args=[_, inner, _])
            | ast.Call(func=ast.Name(id="_reversed"), args=[inner])
        ):
            return members, inner
    return None, members


def _is_members(part: Any) -> bool:
    """Return whether iterating an expression depends only on the names in it."""
    match part:
        case ast.Constant(value=members):
            return isinstance(members, tuple)
        case ast.Name(id=given):
            return _MEMBERS.match(given) is not None
        case ast.Call(func=ast.Name(id="range"), args=ends):
            return all(isinstance(x, ast.Constant) for x in ends)
    return _is_fixed(part)


def _is_fixed(part: Any) -> bool:
    """Return whether an expression is a lookup that depends on names alone."""
    if not getattr(part, "fixed", False):
        return False
    found = [x.id for x in parts_of(part) if isinstance(x, ast.Name)]
    return all(_LOCAL.match(x) or x == "len" or x[:1] == "_" or x[:1].isupper() and x != "G" for x in found)


def _names(part: Any) -> set[str]:
    return {x.id for x in parts_of(part) if isinstance(x, ast.Name) and _LOCAL.match(x.id)}


def _fixed_parts(body: list[ast.stmt], var: str, bound: set[str]) -> Iterator[tuple[ast.expr, int]]:
    """Yield the largest parts that depend on the loop variable and on loop-invariant names.

    Each comes with the number of tests before it.
    """
    waiting: list[tuple[Any, int]] = [(part, 0) for part in reversed(body)]
    while waiting:
        part, behind = waiting.pop()
        if isinstance(part, ast.expr) and (_is_fixed(part) or _is_option(part)):
            names = _names(part)
            if var in names and not names & bound:
                yield part, behind
                continue
        found = [(x, behind) for x in ast.iter_child_nodes(part)]
        if isinstance(part, ast.If):
            found = [(part.test, behind), *((x, behind + 1) for x in (*part.body, *part.orelse))]
        waiting += reversed(found)


def _is_option(part: Any) -> bool:
    """Return whether a node is an option as it is listed."""
    match part:
        case ast.Tuple(elts=[ast.Constant(), ast.Tuple(elts=names)], ctx=ast.Load()):
            return all(isinstance(x, ast.Name) and _LOCAL.match(x.id) for x in names)
    return False


def _asked_for_none(part: ast.AST) -> Iterator[str]:
    """Yield the name that a node compares with None: what depends on it may follow that test."""
    match part:
        case ast.Compare(left=ast.Name(id=asked), ops=[ast.Is() | ast.IsNot()]):
            yield asked


def _lengths(body: list[ast.stmt], wanted: str) -> int:
    """Count the uses of a name in which only its length matters."""
    return sum(isinstance(x, ast.Call) and _is_length(x, wanted) for x in parts_of(body))


def _is_length(part: ast.Call, wanted: str) -> bool:
    match part:
        case ast.Call(ast.Name("len"), [ast.Name(given)], []):
            return given == wanted
    return False


def _sets(part: ast.stmt, wanted: str) -> bool:
    return isinstance(part, ast.Assign) and isinstance(part.targets[0], ast.Name) and part.targets[0].id == wanted


def _read(part: Any, named: dict[str, str]) -> Any:
    """Return a part that reads rows."""

    def change(x: Any) -> Any:
        may_be = getattr(x, "fixed", False) or isinstance(x, ast.Tuple)
        made = named.get(ast.dump(x)) if may_be else None
        return None if made is None else ast.copy_location(name(made), x)

    return rewritten(part, change)
