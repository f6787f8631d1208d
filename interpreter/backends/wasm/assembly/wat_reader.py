"""Reader of functions written in the folded text form of WebAssembly: the runtime library of a module."""

from __future__ import annotations

import re
from collections.abc import Mapping

from interpreter.backends.wasm.assembly.encoding import Code, WasmFunction

_TOKENS = re.compile(r";;[^\n]*|[()]|[^\s()]+")
_Tree = list["str | _Tree"]


def read_functions(text: str, constants: Mapping[str, int]) -> list[WasmFunction]:
    """Return the functions of a text; words in capitals are named constants.

    >>> text = "(func $f (param $a i32) (result i32) (i32.add (local.get $a) (i32.const ONE)))"
    >>> read_functions(text, {"ONE": 1})[0].body
    [('i32.add', ('local.get', 'a'), ('i32.const', 1))]
    """
    return [_function(tree, constants) for tree in _trees(text)]


def _trees(text: str) -> list[_Tree]:
    stack: list[_Tree] = [[]]
    for token in _TOKENS.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            done = stack.pop()
            stack[-1].append(done)
        elif not token.startswith(";;"):
            stack[-1].append(token)
    assert len(stack) == 1, "unbalanced parentheses"
    return [tree for tree in stack[0] if isinstance(tree, list)]


def _function(tree: _Tree, constants: Mapping[str, int]) -> WasmFunction:
    made = WasmFunction(str(tree[1])[1:], [], "")
    for part in tree[2:]:
        assert isinstance(part, list)
        if part[0] == "param":
            made.params.append((str(part[1])[1:], str(part[2])))
        elif part[0] == "result":
            made.result = str(part[1])
        elif part[0] == "local":
            made.locals[str(part[1])[1:]] = str(part[2])
        elif part[0] == "export":
            made.exported = True
        else:
            made.body.append(_code(part, constants))
    return made


def _value(token: str, constants: Mapping[str, int]) -> str | int:
    if token.startswith("$"):
        return token[1:]
    if token in constants:
        return constants[token]
    return int(token, 0)


def _code(tree: _Tree, constants: Mapping[str, int]) -> Code:
    name = str(tree[0])
    rest = tree[1:]
    if name in ("block", "loop"):
        label = str(rest[0])[1:]
        result = ""
        rest = rest[1:]
        if rest and isinstance(rest[0], list) and rest[0][0] == "result":
            result, rest = str(rest[0][1]), rest[1:]
        return (name, label, result, *(_code(x, constants) for x in rest if isinstance(x, list)))
    if name == "if":
        result = ""
        if isinstance(rest[0], list) and rest[0][0] == "result":
            result, rest = str(rest[0][1]), rest[1:]
        parts = [x for x in rest if isinstance(x, list)]
        bodies: list[Code] = [("seq", *(_code(x, constants) for x in p[1:] if isinstance(x, list))) for p in parts[1:]]
        return ("if", result, _code(parts[0], constants), *bodies)
    operands = tuple(_code(x, constants) for x in rest if isinstance(x, list))
    heads = [x for x in rest if isinstance(x, str)]
    if ".load" in name or ".store" in name:
        offset = _value(heads[0].removeprefix("offset="), constants) if heads else 0
        return (name, offset, *operands)
    return (name, *(_value(x, constants) for x in heads), *operands)
