"""Helpers that build Python syntax trees with positions in rules files.

Templates are our own strings with placeholders `_1`, `_2`, ... for nodes; authors' text only enters as constants.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from typing import Any, TypeVar

from interpreter.diagnostics.source_text import Source, Span
from interpreter.runtime.limits import LIMITS

METER = "METER"  # stands in compiled code for the program's `limits.Meter`
MOST_KEPT = 1_000  # values of one table
Node = TypeVar("Node", bound=ast.AST)


@lru_cache(maxsize=2048)
def _template(text: str, mode: str) -> Any:
    tree = ast.parse(text, mode=mode)
    return _part(tree.body)  # type: ignore[attr-defined]


_BARE = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


def _part(node: Any) -> Any:
    """Precompile a node for `_filled`: its class, its fixed fields, and those with placeholders.

    A placeholder is represented by its number; one alone on a line replaces the whole line.
    """
    if isinstance(node, list):
        return [_part(item.value if isinstance(item, ast.Expr) and _is_hole(item.value) else item) for item in node]
    if _is_hole(node):
        return int(node.id[1:]) - 1
    inside = {field: value for field, value in ast.iter_fields(node) if type(value) in MADE}
    plain = {field: value for field, value in ast.iter_fields(node) if field not in inside}
    return type(node), plain, tuple((field, _part(value)) for field, value in inside.items())


# What a tree is made of that has a place or parts: lists and all nodes but contexts and operators.
MADE = frozenset(
    x
    for x in (list, *vars(ast).values())
    if x is list or isinstance(x, type) and issubclass(x, ast.AST) and not issubclass(x, _BARE)
)
WITHOUT_PARTS = frozenset((ast.Name, ast.Constant, ast.Pass, ast.Continue, ast.Break))


def _is_hole(node: Any) -> bool:
    return isinstance(node, ast.Name) and node.id[:1] == "_" and node.id[1:].isdigit()


def _filled(part: Any, holes: tuple[Any, ...]) -> Any:
    sort = type(part)
    if sort is tuple:
        cls, plain, inside = part
        return cls(**plain, **{field: _filled(value, holes) for field, value in inside})
    if sort is int:
        return holes[part]
    out: list[Any] = []
    for item in part:
        made = _filled(item, holes)
        if type(made) is list:
            out += made
        else:
            out.append(made)
    return out


def _copied(node: Any) -> Any:
    """Copy a node or list of nodes with their annotations; leaves without position are shared."""
    if type(node) is list:
        return [_copied(x) if type(x) in MADE else x for x in node]
    cls, fields, marks = type(node), {}, {}
    for field, value in node.__dict__.items():
        if field in cls._fields or field in cls._attributes:
            fields[field] = _copied(value) if type(value) in MADE else value
        else:
            marks[field] = value
    new = cls(**fields)
    new.__dict__.update(marks)
    return new


def expression(text: str, *holes: Any) -> Any:
    """Return the expression `text` with nodes for its placeholders."""
    return _filled(_template(text, "eval"), holes)


def statements(text: str, *holes: Any) -> list[ast.stmt]:
    """Return the statements `text`; a placeholder alone on a line takes a list of statements."""
    result: list[ast.stmt] = _filled(_template(text, "exec"), holes)
    return result


def constant(value: Any) -> Any:
    """Return a constant; fractions become calls, tuples of plain values one constant."""
    if isinstance(value, tuple):
        if all(_is_plain(v) for v in value):
            return ast.Constant(value)  # type: ignore[arg-type]  # Python folds tuples, but its stubs know it not
        return tuple_of(map(constant, value))
    if isinstance(value, Fraction) and value.denominator == 1:
        value = value.numerator
    if _is_plain(value):
        return ast.Constant(value)
    return expression("_fraction(_1, _2)", ast.Constant(value.numerator), ast.Constant(value.denominator))


def _is_plain(value: Any) -> bool:
    if isinstance(value, tuple):
        return all(_is_plain(v) for v in value)
    return value is None or isinstance(value, int | str | bool)


def name(identifier: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(identifier, ast.Load())


def stored(identifier: str) -> ast.Name:
    """Return a name that is written."""
    return ast.Name(identifier, ast.Store())


def all_stored(identifiers: Iterable[str]) -> ast.Tuple:
    """Names that are written, one for each member of a tuple."""
    return ast.Tuple([stored(x) for x in identifiers], ast.Store())


def target(identifiers: Sequence[str]) -> ast.expr:
    """Return the assignment target for a row as `row` makes it."""
    return stored(identifiers[0]) if len(identifiers) == 1 else all_stored(identifiers)


def assigned(identifier: str, value: Any) -> ast.stmt:
    """Return an assignment to a name."""
    return ast.Assign([stored(identifier)], value)


def tuple_of(nodes: Iterable[Any]) -> Any:
    """Return a tuple display."""
    return ast.Tuple(list(nodes), ast.Load())


def row(nodes: Sequence[Any]) -> Any:
    """Return a tuple display of several nodes, or a single node by itself: the form of rows and cache keys."""
    return nodes[0] if len(nodes) == 1 else tuple_of(nodes)


def call_of(identifier: str, *given: Any) -> ast.Call:
    """Return a call of a named function."""
    return ast.Call(name(identifier), list(given), [])


def lambda_of(identifiers: list[str], body: Any) -> ast.Lambda:
    """Return a lambda."""
    return ast.Lambda(_parameters(identifiers), body)


def _parameters(identifiers: list[str]) -> ast.arguments:
    args = [ast.arg(x) for x in identifiers]
    return ast.arguments(posonlyargs=[], args=args, kwonlyargs=[], kw_defaults=[], defaults=[])


def table_name(said: Any) -> str:
    """Return a table's name derived from its content, so that all forms of a program share it."""
    return "S" + blake2b(repr(said).encode(), digest_size=8).hexdigest()


def located(node: Any, span: Span) -> Any:
    """Set the position of every part that has none to `span`; return the node or list."""
    if getattr(node, "lineno", None) is None:
        _place(node, **_place_of(span.source, span.start, span.end))
    return node


@lru_cache(maxsize=20_000)
def _place_of(source: Source, start: int, end: int) -> dict[str, int]:
    """Line and column (in bytes) of a stretch of a source, and of its end."""
    line, column = source.position(start)
    end_line, end_column = source.position(end)
    begin = len(source.line(line)[: column - 1].encode()) if source.text else 0
    stop = len(source.line(end_line)[: end_column - 1].encode()) if source.text else 0
    return {"lineno": max(line, 1), "col_offset": begin, "end_lineno": max(end_line, 1), "end_col_offset": stop}


def _place(node: Any, **told: int) -> None:
    waiting = [*node] if type(node) is list else [node]
    while waiting:
        part = waiting.pop()
        fields = part.__dict__
        if "lineno" not in fields:
            if type(part) not in WITHOUT_PARTS:
                for held in fields.values():
                    sort = type(held)
                    if sort is list:
                        waiting += [x for x in held if type(x) in MADE]
                    elif sort in MADE:
                        waiting.append(held)
            if part._attributes:
                fields.update(told)


def placed(made: Any, like: Any) -> Any:
    """Set the position of every part that has none to that of another node; return the node or list."""
    _place(
        made,
        lineno=like.lineno,
        col_offset=like.col_offset,
        end_lineno=like.end_lineno,
        end_col_offset=like.end_col_offset,
    )
    return made


def function(identifier: str, parameters: list[str], body: list[ast.stmt], span: Span) -> ast.FunctionDef:
    """Return a function definition; one that is given no state counts its steps on the program's meter."""
    if "G" not in parameters and "self" not in parameters:
        body = [_Metered().visit(part) for part in _copied(body)]  # functions share parts
    node = ast.FunctionDef(identifier, _parameters(parameters), body or [ast.Pass()], [], None)
    located(node, span)
    return node


def empty_table(identifier: str, span: Span) -> tuple[ast.stmt, Span]:
    """Return an empty table that is filled on demand."""
    return located(statements("_1 = {}", stored(identifier))[0], span), span


def looked_up(identifier: str, table: str, key: Any, made: Any) -> list[ast.stmt]:
    """Statements that give a name what such a table holds by a key; what is made is kept, as long as it is not much."""
    return statements(
        "_1 = _3.get(_4)\nif _2 is None:\n    if len(_3) >= _5: _3.clear()\n    _1 = _3[_4] = _6\n    _hold(_7, _2)",
        stored(identifier),
        name(identifier),
        name(table),
        key,
        constant(MOST_KEPT),
        made,
        name(METER),
    )


def spending(steps: Any) -> list[ast.stmt]:
    """Statements that count so many steps of work, against the budget between two decisions."""
    return statements("G.spent += _1\nif G.spent > _2: _out_of_steps()", steps, constant(LIMITS.steps))


class _Metered(ast.NodeTransformer):
    """Code for a function that is given no state: nothing in it reads one but what counts, and searches for that."""

    def visit_Name(self, node: ast.Name) -> Any:
        """Put the meter in place of the state."""
        return ast.copy_location(ast.Name(METER, node.ctx), node) if node.id == "G" else node
