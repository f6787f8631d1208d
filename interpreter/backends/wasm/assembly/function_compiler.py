"""Compiler of the functions that all modules share. They are written in a typed subset of Python.

    def alloc(n: i32) -> i32:             (func $alloc (param $n i32) (result i32) (local $at i32)
        at = arena                          (local.set $at (global.get $arena))
        arena = at + n                      (global.set $arena (i32.add (local.get $at) (local.get $n)))
        assert arena <= ARENA_END           (if (i32.gt_u (global.get $arena) (i32.const 960)) (then (unreachable)))
        return at                           (local.get $at))

Types are i32, i64 and f64. A local variable has the type of the value that it is first assigned, i32 for a literal, and
starts at 0. Names in capitals are constants, and `@export` lets the host call a function. `i32[address, offset]` is a
word of memory. Comparisons of i32 and all `>>` are unsigned, comparisons of i64 signed; other instructions are called
by name: `lt_s(a, b)`. Calls of a type convert, from i32 to i64 without a sign. A failed `assert` traps. Tests of
statements may have `and`; `&`, `|` and conditional expressions evaluate both operands. `for` evaluates the end of its
range before each iteration.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from textwrap import dedent

from interpreter.backends.wasm.assembly.code_builder import TRAP, Writer, const, get, put, seq, when
from interpreter.backends.wasm.assembly.encoding import I32, I64, Code, WasmFunction

Constants = Mapping[str, "int | Code"]

_VIEWS = {  # view of memory -> its type, and what its instructions are called after `load` and `store`
    "i32": (I32, ""),
    "i64": (I64, ""),
    "f64": ("f64", ""),
    "u8": (I32, "8_u"),
    "i16": (I32, "16_s"),
}
_ARITHMETIC: dict[type[ast.AST], str] = dict(
    zip(
        (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor),
        ("add", "sub", "mul", "div", "shl", "shr_u", "and", "or", "xor"),
        strict=True,
    )
)
_COMPARISONS: dict[type[ast.AST], str] = dict(
    zip((ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE), ("eq", "ne", "lt", "le", "gt", "ge"), strict=True)
)
_OPPOSITES = {"eq": "ne", "ne": "eq", "lt": "ge", "ge": "lt", "gt": "le", "le": "gt"}
_SIGNS = {I32: "_u", I64: "_s", "f64": ""}
_CONVERSIONS = {
    "i32": (I64, "i32.wrap_i64", I32),
    "i64": (I32, "i64.extend_i32_u", I64),
    "f64": (I64, "f64.convert_i64_s", "f64"),
}
_INSTRUCTIONS = frozenset(
    ("clz", "ctz", "popcnt", "rotl", "rotr", "shr_s", "div_s", "div_u", "rem_s", "rem_u")
    + tuple(f"{name}_{sign}" for name in ("lt", "le", "gt", "ge") for sign in "su")
)


def compile_functions(
    text: str,
    constants: Constants,
    globals_: Mapping[str, tuple[str, int]],
    known: Mapping[str, WasmFunction] | None = None,
) -> list[WasmFunction]:
    """Compile a text to its functions.

    `constants`: a number or the code of a value by name. `globals_`: (type, initial value) of each global variable.
    `known`: other functions that the text calls, by name.

    >>> [function] = compile_functions("def f(a: i32) -> i32:\\n    return a + ONE", {"ONE": 1}, {})
    >>> function.body
    [('i32.add', ('local.get', 'a'), ('i32.const', 1))]
    """
    definitions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    functions = dict(known or {})
    compilers = []
    for node in definitions:
        params = [(param.arg, _get_type_name(param.annotation)) for param in node.args.args]
        writer = Writer(node.name, params, _get_type_name(node.returns))
        writer.function.exported = bool(node.decorator_list)
        functions[node.name] = writer.function
        compilers.append((_FunctionCompiler(writer, constants, globals_, functions), node))
    for compiler, node in compilers:
        compiler.compile(node.body)
    return [compiler.writer.function for compiler, _ in compilers]


def compile_statements(
    text: str,
    writer: Writer,
    constants: Constants,
    globals_: Mapping[str, tuple[str, int]],
    known: Mapping[str, WasmFunction],
) -> None:
    """Add the statements of a text to the function being written; for the other parameters see `compile_functions`."""
    _FunctionCompiler(writer, constants, globals_, known).compile(ast.parse(dedent(text)).body)


def _get_type_name(annotation: ast.expr | None) -> str:
    return annotation.id if isinstance(annotation, ast.Name) else ""


class _FunctionCompiler:
    """Compiler of one function."""

    def __init__(
        self,
        writer: Writer,
        constants: Constants,
        globals_: Mapping[str, tuple[str, int]],
        functions: Mapping[str, WasmFunction],
    ) -> None:
        self.writer = writer
        self.constants = constants
        self.globals = globals_
        self.functions = functions
        self.types = dict(writer.function.params) | writer.function.locals
        self.labels: list[tuple[str, str]] = []  # of the enclosing loops: where `break` and `continue` jump to

    def compile(self, body: list[ast.stmt]) -> None:
        """Add the code of statements to the function; a final `return` leaves its value on the stack."""
        *statements, last = body
        parts = [self.compile_statement(node) for node in statements]
        is_value = isinstance(last, ast.Return) and last.value is not None
        self.writer.append(*parts, self.compile_statement(last)[1] if is_value else self.compile_statement(last))  # type: ignore[arg-type]

    # --- statements -------------------------------------------------------------------------------------

    def compile_body(self, nodes: list[ast.stmt]) -> Code:
        """Return the code of statements in order."""
        return seq(*(self.compile_statement(node) for node in nodes))

    def compile_statement(self, node: ast.stmt) -> Code:
        """Return the code of one statement."""
        match node:
            case ast.Assign([target], value):
                return self.compile_assignment(target, value)
            case ast.AnnAssign(ast.Name(name), annotation, ast.expr() as value):
                return self.compile_assignment(node.target, value, _get_type_name(annotation))
            case ast.AugAssign(target, operator, value):
                return self.compile_assignment(target, ast.BinOp(target, operator, value))
            case ast.Expr(ast.Call(ast.Name(name), args) as call):
                if name.startswith("memory_"):
                    return (name.replace("_", "."), *(self.compile_value(arg) for arg in args))
                code = self.compile_value(call)
                return ("drop", code) if self.functions[name].result else code
            case ast.Expr(ast.Name(name)):
                return self.compile_value(node.value)
            case ast.If():
                return self.compile_branch(node)
            case ast.While(ast.Constant(True), [*body, ast.If(stop, [ast.Break()], [])]):
                return self.compile_loop(
                    lambda again: [self.compile_body(body), ("br_if", again, self.compile_negation(stop))], ""
                )
            case ast.While(test, body):
                tests = [] if isinstance(test, ast.Constant) else _list_conjuncts(test)
                return self.compile_loop(
                    lambda again: [*self.compile_exits(tests), self.compile_body(body), ("br", again)], ""
                )
            case ast.For(ast.Name(name), ast.Call(_, args), body):
                return self.compile_for(name, args, body)
            case ast.Break():
                return ("br", self.labels[-1][0])
            case ast.Continue():
                return ("br", self.labels[-1][1])
            case ast.Return(value):
                return (
                    ("return",) if value is None else ("return", self.compile_value(value, self.writer.function.result))
                )
            case ast.Assert(test):
                return when(self.compile_negation(test), TRAP)
            case ast.Raise():
                return TRAP
        raise ValueError(f"{self.writer.function.name}: {ast.unparse(node)}")

    def compile_assignment(self, target: ast.expr, value: ast.expr, type_: str = "") -> Code:
        """Return code that assigns a value to a variable or a word of memory. `type_`: the type that is written."""
        if isinstance(target, ast.Subscript):
            view, offset, address = self.compile_location(target)
            type_, width = _VIEWS[view]
            return (f"{type_}.store{width.partition('_')[0]}", offset, address, self.compile_value(value, type_))
        assert isinstance(target, ast.Name)
        name = target.id
        if name in self.globals:
            return ("global.set", name, self.compile_value(value, self.globals[name][0]))
        is_first = name not in self.types
        if is_first:
            self.types[name] = type_ or self.infer_type(value) or I32
            self.writer.get_local(name, self.types[name])
        if is_first and not self.labels and isinstance(value, ast.Constant) and value.value == 0:
            return seq()
        return put(name, self.compile_value(value, self.types[name]))

    def compile_branch(self, node: ast.If) -> Code:
        """Return the code of a conditional statement."""
        match node:
            case ast.If(ast.BoolOp(ast.And(), tests), body, []):
                skip = self.writer.create_label("skip")
                return (
                    "block",
                    skip,
                    "",
                    *(("br_if", skip, self.compile_negation(test)) for test in tests),
                    self.compile_body(body),
                )
            case ast.If(test, [ast.Break() | ast.Continue() as jump], []):
                return ("br_if", self.labels[-1][isinstance(jump, ast.Continue)], self.compile_value(test))
            case ast.If(test, body, []):
                return when(self.compile_value(test), self.compile_body(body))
        return when(self.compile_value(node.test), self.compile_body(node.body), self.compile_body(node.orelse))

    def compile_loop(self, turn: Callable[[str], list[Code]], skip: str) -> Code:
        """Return the code of a loop. `turn`: returns the code of an iteration, given the label of the next one.

        `skip`: the label that `continue` jumps to, "" for the next iteration.
        """
        out, again = self.writer.create_label("out"), self.writer.create_label("again")
        self.labels.append((out, skip or again))
        code = ("loop", again, "", seq(*turn(again)))
        self.labels.pop()
        return ("block", out, "", code)

    def compile_for(self, name: str, args: list[ast.expr], body: list[ast.stmt]) -> Code:
        """Return the code of a loop over a range of numbers."""
        zero, unit = ast.Constant(0), ast.Constant(1)
        start, end, step = {1: [zero, *args, unit], 2: [*args, unit]}.get(len(args), args)
        target = ast.Name(name)
        begun = self.compile_assignment(target, start)
        skip = self.writer.create_label("skip")

        def turn(again: str) -> list[Code]:
            inner = self.compile_body(body)
            if any(isinstance(node, ast.Continue) for part in body for node in ast.walk(part)):
                inner = ("block", skip, "", inner)
            test = ast.Compare(target, [ast.Lt()], [end])
            return [
                *self.compile_exits([test]),
                inner,
                self.compile_assignment(target, ast.BinOp(target, ast.Add(), step)),
                ("br", again),
            ]

        return seq(begun, self.compile_loop(turn, skip))

    def compile_exits(self, tests: list[ast.expr]) -> list[Code]:
        """Return code that leaves the loop unless all tests hold."""
        return [("br_if", self.labels[-1][0], self.compile_negation(test)) for test in tests]

    # --- expressions ------------------------------------------------------------------------------------

    def compile_negation(self, test: ast.expr) -> Code:
        """Return the code of the opposite of a test."""
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            return self.compile_value(test.operand)
        code = self.compile_value(test)
        type_, _, name = str(code[0]).partition(".")
        operator, _, sign = name.partition("_")
        if operator in _OPPOSITES and type_ != "f64":
            return (f"{type_}.{_OPPOSITES[operator]}{sign and '_' + sign}", *code[1:])
        return (f"{self.infer_type(test) or I32}.eqz", code)

    def infer_type(self, node: ast.expr) -> str:
        """Return the type of an expression; "" if it consists of constants, which have the type that is needed."""
        match node:
            case ast.Name(name):
                return (
                    self.types.get(name) or self.globals.get(name, ("",))[0] or _get_code_type(self.constants.get(name))
                )
            case ast.NamedExpr(target):
                return self.infer_type(target)
            case ast.BinOp(one, _, other) | ast.IfExp(_, one, other):
                return self.infer_type(one) or self.infer_type(other)
            case ast.Compare() | ast.UnaryOp(ast.Not()):
                return I32
            case ast.Subscript(ast.Name(view)):
                return _VIEWS[view][0]
            case ast.Call(ast.Name(name), args):
                if name in _CONVERSIONS:
                    return _CONVERSIONS[name][2]
                if name in self.functions:
                    return self.functions[name].result
                return (
                    I32
                    if name.partition("_")[0] in _OPPOSITES
                    else self.infer_type(args[0]) or self.infer_type(args[-1])
                )
        return ""

    def compile_value(self, node: ast.expr, type_: str = "") -> Code:
        """Return the code of an expression. `type_`: the type of constants in it, if nothing else determines it."""
        match node:
            case ast.Constant(int() as number):
                return const(type_ or I32, number)
            case ast.UnaryOp(ast.USub(), ast.Constant(int() as number)):
                return const(type_ or I32, -number)
            case ast.UnaryOp(ast.Not(), operand):
                return (f"{self.infer_type(operand) or I32}.eqz", self.compile_value(operand))
            case ast.Name(name):
                if name in self.types:
                    return get(name)
                if name in self.globals:
                    return ("global.get", name)
                constant = self.constants[name]
                return const(type_ or I32, constant) if isinstance(constant, int) else constant
            case ast.NamedExpr(ast.Name(name), value):
                return ("local.tee", name, self.compile_value(value, self.types[name]))
            case ast.BinOp(one, operator, other):
                type_ = self.infer_type(node) or type_ or I32
                return (
                    f"{type_}.{_ARITHMETIC[type(operator)]}",
                    self.compile_value(one, type_),
                    self.compile_value(other, type_),
                )
            case ast.Compare(one, [operator], [other]):
                type_ = self.infer_type(one) or self.infer_type(other)
                name = _COMPARISONS[type(operator)]
                sign = "" if name in ("eq", "ne") else _SIGNS[type_]
                return (f"{type_}.{name}{sign}", self.compile_value(one, type_), self.compile_value(other, type_))
            case ast.IfExp(test, one, other):
                return (
                    "select",
                    self.compile_value(one, type_),
                    self.compile_value(other, type_),
                    self.compile_value(test),
                )
            case ast.Subscript():
                view, offset, address = self.compile_location(node)
                type_, width = _VIEWS[view]
                return (f"{type_}.load{width}", offset, address)
            case ast.Call(ast.Name(name), args):
                return self.compile_call(name, args)
        raise ValueError(f"{self.writer.function.name}: {ast.unparse(node)}")

    def compile_call(self, name: str, args: list[ast.expr]) -> Code:
        """Return the code of a call of a function, an instruction or a conversion."""
        if name in _CONVERSIONS:
            source, instruction, _ = _CONVERSIONS[name]
            return (instruction, self.compile_value(args[0], source))
        if name in _INSTRUCTIONS:
            type_ = self.infer_type(args[0]) or self.infer_type(args[-1])
            return (f"{type_}.{name}", *(self.compile_value(arg, type_) for arg in args))
        params = self.functions[name].params
        return ("call", name, *(self.compile_value(arg, type_) for arg, (_, type_) in zip(args, params, strict=True)))

    def compile_location(self, node: ast.Subscript) -> tuple[str, int, Code]:
        """Return (view, offset, code of the address) of a word of memory."""
        assert isinstance(node.value, ast.Name)
        if not isinstance(node.slice, ast.Tuple):
            return node.value.id, 0, self.compile_value(node.slice)
        address, offset = node.slice.elts
        code = self.compile_value(offset)
        assert isinstance(code[1], int)
        return node.value.id, code[1], self.compile_value(address)


def _get_code_type(code: int | Code | None) -> str:
    """Return the type of the value of an instruction; "" for a number or an instruction whose name has no type."""
    type_, _, name = str(code[0]).partition(".") if isinstance(code, tuple) else ("", "", "")
    if type_ not in _SIGNS:
        return ""
    return I32 if name == "eqz" or name.partition("_")[0] in _OPPOSITES else type_


def _list_conjuncts(test: ast.expr) -> list[ast.expr]:
    """Return the tests that a conjunction consists of."""
    return test.values if isinstance(test, ast.BoolOp) else [test]
