"""The call or chart look-up around a cursor in the rules, and the parameter being typed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from interpreter.model import types as t
from interpreter.runtime.builtins.registry import BUILTINS
from interpreter.tools.lsp.symbol_index import SymbolIndex

_NAME_BEFORE = re.compile(r"(\w+)$")
_CALLED = ("procedure", "define", "rule", "tally", "draft", "event", "choice")


@dataclass(frozen=True, slots=True)
class OpenCall:
    """A call or chart look-up that is being typed.

    `label`: the signature to show; `params`: the text of each parameter in it; `index`: the index of the parameter at
    the cursor, whose type is `expected_type`; `summary`: the description in Markdown, or ''.
    """

    label: str
    params: tuple[str, ...]
    index: int
    summary: str = ""
    expected_type: t.Type | None = None


def find_open_call(index: SymbolIndex, text: str, offset: int) -> OpenCall | None:
    """Return the innermost call or look-up whose bracket is open at an offset, or None."""
    head = text[:offset]
    commas, depth, in_text = 0, 0, False
    position = offset - 1
    line_start = head.rfind("\n") + 1
    while position >= line_start:
        sign = head[position]
        if sign == '"':
            in_text = not in_text
        elif in_text:
            pass
        elif sign in ")]}":
            depth += 1
        elif sign in "([{":
            if depth == 0:
                name = _NAME_BEFORE.search(head, line_start, position)
                return _find_call(index, name[1], sign, commas) if name is not None else None
            depth -= 1
        elif sign == "," and depth == 0:
            commas += 1
        position -= 1
    return None


def _find_call(index: SymbolIndex, name: str, bracket: str, number: int) -> OpenCall | None:
    if bracket == "[":
        return _find_look_up(index, name, number)
    if bracket != "(":
        return None
    if name in BUILTINS:
        params = tuple(f"{word}: {spelled}" for word, spelled in BUILTINS[name].params)
        return OpenCall(f"{name}({', '.join(params)}) -> {BUILTINS[name].result}", params, number)
    for symbol in index.names.get(name, ()):
        if symbol.sort in _CALLED:
            params = tuple(f"{word}: {type_}" for word, type_ in symbol.params)
            param_type = symbol.params[number][1] if number < len(symbol.params) else None
            result = f" -> {symbol.type}" if symbol.type is not None else ""
            return OpenCall(f"{name}({', '.join(params)}){result}", params, number, symbol.summary, param_type)
    return None


def _find_look_up(index: SymbolIndex, name: str, number: int) -> OpenCall | None:
    """Return the look-up in the chart `name` whose axis `number` is being typed, or None for other names."""
    table = index.model.ruleset.tables.get(name)
    if table is None:
        return None
    params = tuple(f"{axis.name}: {axis.type}" for axis in table.axes)
    axis_type = table.axes[number].type if number < len(table.axes) else None
    return OpenCall(f"{name}[{', '.join(params)}] -> {table.type}", params, number, expected_type=axis_type)
