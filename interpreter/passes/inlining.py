"""Inlining: a call of a small function becomes its expression; one that gives a set does where it is iterated over.

before: count(u in ours_at(p) where u.fresh)        # a set is made for every call
after:  count(u in (u in pieces_at(p) where u.side == ours) where u.fresh)

Arguments are evaluated once, before the expression. Memoized functions, functions that cost budget steps and recursive
functions are not inlined.
"""

from __future__ import annotations

from dataclasses import replace

from interpreter.ir import expression_records as e, program_records as ir, statement_records as s
from interpreter.ir.record_fields import list_fields_holding
from interpreter.ir.traversal import map_expressions, rebuild
from interpreter.model import types as t

SMALL = 40  # records of an expression that is written out wherever it is called
MEDIUM = 140  # of one that is written out where it is iterated over, or is the test of an option
SEARCH_SIZE = 300


def inline_calls(program: ir.LoweredProgram) -> ir.LoweredProgram:
    """Return the program with small calls inlined."""
    inliner = Inliner(program)
    functions = {name: inliner.inline_function(name) for name in program.functions}
    inlined = map_expressions(replace(program, functions=functions), inliner.inline_expression, inliner.inline_test)
    return replace(inlined, functions=functions)


class Inliner:
    """Inliner of the calls in one program; the inlined body of each function is computed once."""

    def __init__(self, program: ir.LoweredProgram) -> None:
        self.program = program
        self._done: dict[str, ir.Function] = {}
        self._open: set[str] = set()
        self._sizes: dict[str, int] = {}
        self._copies = 0

    def inline_function(self, name: str) -> ir.Function:
        """Return a function with the calls in its body inlined."""
        if name in self._done or name in self._open:
            return self._done.get(name, self.program.functions[name])
        self._open.add(name)
        function = self.program.functions[name]
        match function.body:
            case (s.Return(e_value) as returned,) if e_value is not None:
                function = replace(function, body=(replace(returned, value=self.inline_expression(e_value)),))
        self._open.discard(name)
        self._done[name] = function
        return function

    def find_inlinable_value(self, name: str, most: int) -> e.Expr | None:
        """Return the expression that a function returns, or None if it cannot be inlined or has over `most` nodes."""
        called = self.program.functions[name]
        if called.is_memoized or called.charge or called.cites or name in self._open:
            return None
        match self.inline_function(name).body:
            case (s.Return(e_value),) if e_value is not None:
                if name not in self._sizes:
                    self._sizes[name] = measure_size(e_value)
                return e_value if self._sizes[name] <= most else None
        return None

    def inline_expression(self, expr: e.Expr) -> e.Expr:
        """Return an expression with the calls in it inlined."""
        match expr:
            case e.Fold(domain=domain):
                expr = replace(expr, domain=self.inline_domain(domain))
                rest = rebuild(expr, lambda x: x if x is expr.domain else self.inline_expression(x))
                return rest
            case e.Apply("in", (item, many)):
                return replace(expr, operands=(self.inline_expression(item), self.inline_domain(many)))
        rebuilt = rebuild(expr, self.inline_expression)
        if isinstance(rebuilt, e.Call):
            value = self.find_inlinable_value(rebuilt.function, SMALL)
            if value is not None:
                return self.substitute_arguments(rebuilt, value)
        return rebuilt

    def inline_domain(self, expr: e.Expr) -> e.Expr:
        """Inline the calls in an expression that a loop iterates over, and return the result."""
        if isinstance(expr, e.Call) and isinstance(expr.type, t.SetType | t.ListType):
            value = self.find_inlinable_value(expr.function, MEDIUM)
            if value is not None and not isinstance(value, e.Search | e.Closure):
                return self.substitute_arguments(
                    replace(expr, args=tuple(self.inline_expression(x) for x in expr.args)), value
                )
        return self.inline_expression(expr)

    def inline_test(self, expr: e.Expr) -> e.Expr:
        """Inline the calls in the test of an option, and return the result."""
        if isinstance(expr, e.Call):
            value = self.find_inlinable_value(expr.function, MEDIUM)
            if value is not None:
                return self.substitute_arguments(
                    replace(expr, args=tuple(self.inline_expression(x) for x in expr.args)), value
                )
        if isinstance(expr, e.Logic) and expr.op == "and":
            return replace(expr, operands=tuple(self.inline_test(x) for x in expr.operands))
        return self.inline_expression(expr)

    def substitute_arguments(self, call: e.Call, value: e.Expr) -> e.Expr:
        """Return the expression `value` of a called function with the call's arguments in place of its parameters.

        An argument that is not a variable or literal is bound by a `let`.
        """
        self._copies += 1
        names: dict[str, e.Expr] = {}
        lets: list[tuple[str, e.Expr]] = []
        for (param, type_), arg in zip(self.program.functions[call.function].params, call.args, strict=True):
            if isinstance(arg, e.Local | e.Const):
                names[param] = arg
            else:
                temporary = f"{param}@{self._copies}"
                lets.append((temporary, arg))
                names[param] = e.Local(temporary, type_, arg.span)
        inlined = rename_variables(value, names, f"@{self._copies}")
        for temporary, arg in reversed(lets):
            inlined = e.Let(temporary, arg, inlined, inlined.type, call.span)
        return inlined


def measure_size(expr: e.Expr) -> int:
    """Return the approximate code size of an expression, in nodes."""
    size = 0
    for node in e.list_descendants(expr):
        size += SEARCH_SIZE if isinstance(node, e.Search | e.Closure) else 1
    return size


def rename_variables(expr: e.Expr, names: dict[str, e.Expr], suffix: str) -> e.Expr:
    """Return a copy of an expression with variables replaced and fresh names for the variables that it binds.

    `names`: the replacement of each variable. `suffix`: appended to the names of bound variables.
    """
    bound = {name: name + suffix for name in e.list_bound_names(expr)}
    inner = names
    if bound:
        inner = {**names, **{old: e.Local(new, t.NEVER, expr.span) for old, new in bound.items()}}

    def rename_one(part: e.Expr) -> e.Expr:
        return rename_variables(part, inner, suffix)

    if isinstance(expr, e.Local):
        replacement = names.get(expr.name)
        if replacement is None:
            return expr
        if isinstance(replacement, e.Local):
            return (
                replace(expr, name=replacement.name)
                if isinstance(replacement.type, t.NeverType)
                else replace(replacement, type=choose_narrower_type(expr, replacement))
            )
        return replacement
    renamed = rebuild(expr, rename_one)
    if not bound:
        return renamed
    shape: type = type(expr)
    return replace(renamed, **{field: bound[getattr(expr, field)] for field in list_fields_holding(shape, "bound")})  # type: ignore[arg-type]


def choose_narrower_type(expr: e.Expr, replacement: e.Expr) -> t.Type:
    """Return the type of `replacement` in place of the variable `expr`; without `maybe` if the variable has none."""
    if isinstance(replacement.type, t.MaybeType) and not isinstance(expr.type, t.MaybeType):
        return replacement.type.item
    return replacement.type
