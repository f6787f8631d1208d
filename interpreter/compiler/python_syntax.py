"""Small tools to build Python syntax trees that point into rules files.

Templates are texts of ours with placeholders `_1`, `_2`, ... for nodes; text of
authors only ever enters as a constant.
"""

from __future__ import annotations

import ast
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from typing import Any, TypeVar

from interpreter.runtime.limits import LIMITS
from interpreter.source.text import Source, Span

Node = TypeVar("Node", bound=ast.AST)


@lru_cache(maxsize=2048)
def _template(text: str, mode: str) -> Any:
    tree = ast.parse(text, mode=mode)
    return _part(tree.body)  # type: ignore[attr-defined]


_BARE = (ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop)


def _part(node: Any) -> Any:
    """What `_filled` makes a node again of: its class, the fields that are as they are, those to be filled.

    A placeholder is its number; one alone on a line stands for the whole line.
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


def _is_hole(node: Any) -> bool:
    return isinstance(node, ast.Name) and node.id[:1] == "_" and node.id[1:].isdigit()


def _filled(part: Any, holes: tuple[Any, ...]) -> Any:
    sort = type(part)
    if sort is tuple:
        cls, plain, inside = part
        new = cls()
        fields = new.__dict__
        fields.update(plain)
        for field, value in inside:
            fields[field] = _filled(value, holes)
        return new
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
    """A node or list of nodes anew, with whatever is marked of them; what has neither place nor parts is shared."""
    if type(node) is list:
        return [_copied(x) if type(x) in MADE else x for x in node]
    new = type(node)()
    fields = new.__dict__
    for field, value in node.__dict__.items():
        fields[field] = _copied(value) if type(value) in MADE else value
    return new


def expression(text: str, *holes: Any) -> Any:
    """The expression `text` with nodes for its placeholders."""
    return _filled(_template(text, "eval"), holes)


def statements(text: str, *holes: Any) -> list[ast.stmt]:
    """The statements `text`; a placeholder alone on a line takes a list of statements."""
    result: list[ast.stmt] = _filled(_template(text, "exec"), holes)
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


def table_name(said: Any) -> str:
    """A table that fills as it is read goes by what it says: each form of a program knows those of the others."""
    return "S" + blake2b(repr(said).encode(), digest_size=8).hexdigest()


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
    told = dict(zip(("lineno", "col_offset", "end_lineno", "end_col_offset"), place, strict=True))
    waiting = [node]
    while waiting:
        part = waiting.pop()
        if type(part) is list:
            waiting += part
            continue
        fields = part.__dict__
        if "lineno" not in fields:
            waiting += [value for value in fields.values() if type(value) in MADE]
            if part._attributes:
                fields.update(told)


def placed(made: Any, like: Any) -> Any:
    """The node (or list of nodes), every part without a place now where another node stands."""
    _place(made, (like.lineno, like.col_offset, like.end_lineno, like.end_col_offset))
    return made


def function(identifier: str, parameters: list[str], body: list[ast.stmt], span: Span) -> ast.FunctionDef:
    """A function definition; one that is not given the state counts no steps."""
    if "G" not in parameters and "self" not in parameters:
        visited = [_Uncounted().visit(part) for part in _copied(body)]  # functions share parts
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
