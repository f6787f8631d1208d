"""Small tools to build Python syntax trees that point into rules files.

Templates are texts of ours with placeholders `_1`, `_2`, ... for nodes; text of
authors only ever enters as a constant.
"""

from __future__ import annotations

import ast
from copy import deepcopy
from fractions import Fraction
from functools import lru_cache
from typing import Any, TypeVar

from interpreter.runtime.limits import LIMITS
from interpreter.source.text import Source, Span

Node = TypeVar("Node", bound=ast.AST)


@lru_cache(maxsize=2048)
def _template(text: str, mode: str) -> ast.AST:
    tree = ast.parse(text, mode=mode)
    for node in ast.walk(tree):
        for field in ("lineno", "col_offset", "end_lineno", "end_col_offset"):
            if hasattr(node, field):
                delattr(node, field)
    return tree


def _is_hole(identifier: str) -> bool:
    return identifier[:1] == "_" and identifier[1:].isdigit()


def _fill(node: Any, holes: tuple[Any, ...]) -> Any:
    if isinstance(node, ast.Name) and _is_hole(node.id):
        return holes[int(node.id[1:]) - 1]
    if isinstance(node, ast.AST):
        new = type(node)()
        for name in node._fields:
            value = getattr(node, name)
            setattr(new, name, _fill(value, holes) if isinstance(value, ast.AST | list) else value)
        return new
    if isinstance(node, list):
        out: list[Any] = []
        for item in node:
            if isinstance(item, ast.Expr) and isinstance(item.value, ast.Name) and _is_hole(item.value.id):
                filled = holes[int(item.value.id[1:]) - 1]
                out.extend(filled if isinstance(filled, list) else [filled])
            else:
                out.append(_fill(item, holes))
        return out
    return node


def expression(text: str, *holes: Any) -> Any:
    """The expression `text` with nodes for its placeholders."""
    return _fill(_template(text, "eval").body, holes)  # type: ignore[attr-defined]


def statements(text: str, *holes: Any) -> list[ast.stmt]:
    """The statements `text`; a placeholder alone on a line takes a list of statements."""
    result: list[ast.stmt] = _fill(_template(text, "exec").body, holes)  # type: ignore[attr-defined]
    return result


def constant(value: Any) -> Any:
    """A constant; fractions become calls, tuples of plain values one constant."""
    if isinstance(value, tuple):
        if all(_is_plain(v) for v in value):
            return ast.Constant(value)  # type: ignore[arg-type]  # Python folds tuples, but its stubs know it not
        return ast.Tuple([constant(v) for v in value], ast.Load())
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
    """A name that is read."""
    return ast.Name(identifier, ast.Load())


def stored(identifier: str) -> ast.Name:
    """A name that is written."""
    return ast.Name(identifier, ast.Store())


def tuple_of(nodes: list[Any]) -> Any:
    """A tuple display."""
    return ast.Tuple(list(nodes), ast.Load())


def located(node: Any, span: Span) -> Any:
    """The node (or list of nodes), every part without a place now pointing at `span`."""
    if getattr(node, "lineno", None) is None:
        _place(node, _place_of(span.source, span.start, span.end))
    return node


@lru_cache(maxsize=20_000)
def _place_of(source: Source, start: int, end: int) -> tuple[int, int, int, int]:
    """Line and column (in bytes) of a stretch of a source, and of its end."""
    line, column = source.position(start)
    end_line, end_column = source.position(end)
    begin = len(source.line(line)[: column - 1].encode()) if source.text else 0
    stop = len(source.line(end_line)[: end_column - 1].encode()) if source.text else 0
    return max(line, 1), begin, max(end_line, 1), stop


def _place(node: Any, place: tuple[int, int, int, int]) -> None:
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if type(part) is list:
            waiting += part
        elif isinstance(part, ast.AST) and (part._fields or part._attributes) and getattr(part, "lineno", None) is None:
            if part._attributes:
                part.lineno, part.col_offset, part.end_lineno, part.end_col_offset = place  # type: ignore[attr-defined]
            waiting += [getattr(part, field, None) for field in part._fields]


def function(identifier: str, parameters: list[str], body: list[ast.stmt], span: Span) -> ast.FunctionDef:
    """A function definition; one that is not given the state counts no steps."""
    if "G" not in parameters and "self" not in parameters:
        visited = [_Uncounted().visit(part) for part in deepcopy(body)]  # functions share parts
        body = [part for part in visited if part is not None]
    arguments = ast.arguments(
        posonlyargs=[], args=[ast.arg(p) for p in parameters], kwonlyargs=[], kw_defaults=[], defaults=[]
    )
    node = ast.FunctionDef(identifier, arguments, body or [ast.Pass()], [], None)
    located(node, span)
    return node


def spending(steps: Any) -> list[ast.stmt]:
    """Statements that count so many steps of work, against the budget between two decisions."""
    return statements("G.spent += _1\nif G.spent > _2: _out_of_steps()", steps, constant(LIMITS.steps))


def _is_spent(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "spent"


class _Uncounted(ast.NodeTransformer):
    """Code for a function that has no state at hand."""

    def visit_Call(self, node: ast.Call) -> Any:
        """What is gone through, without the counting around it."""
        self.generic_visit(node)
        counts = isinstance(node.func, ast.Name) and node.func.id in ("_through", "_looked")
        return node.args[1] if counts else node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """No steps are spent ..."""
        return None if _is_spent(node.target) else self.generic_visit(node)

    def visit_If(self, node: ast.If) -> Any:
        """... nor looked at."""
        spent = isinstance(node.test, ast.Compare) and _is_spent(node.test.left)
        return None if spent else self.generic_visit(node)

    def visit_Name(self, node: ast.Name) -> Any:
        """The state itself is handed on to searches, which do without."""
        return ast.copy_location(ast.Constant(None), node) if node.id == "G" else node
