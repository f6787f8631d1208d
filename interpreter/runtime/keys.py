"""Keys: how a decision's options and their arguments are written for people and programs. Must not judge them."""

from __future__ import annotations

from typing import Any

from interpreter.runtime.naming import value_id
from interpreter.words.numbers import number_text


def piece_group(state: Any, piece: int) -> str:
    """The stable name of a group of alike pieces: its counters' values, other marks, and its place."""
    program = state.program
    data = program.kinds["piece"]
    cls = program.classes[data["things"][piece]["cls"]]
    words: list[str] = []
    for name in cls["counters"]:
        words.append(str(value_id(program, data["attributes"][name]["show"], piece_value(state, piece, name))))
    for slot, kind, name, start in program.columns:
        if kind == "piece" and name not in cls["counters"] and name in cls["attributes"]:
            value = getattr(state, slot)[piece]
            attribute = data["attributes"][name]
            if value != start[piece]:
                words.append(name if value is True else f"{name}={value_id(program, attribute['show'], value)}")
    place: str = program.ids["place"][state.at[piece]]
    return ".".join(words) + "@" + place


def piece_value(state: Any, piece: int, name: str) -> Any:
    """An attribute of a piece, constant or not."""
    slot = state.program.slot_of.get(("piece", name))
    return getattr(state, slot)[piece] if slot is not None else state.program.constant_of(piece, name)


def argument_id(state: Any, param: dict[str, Any], value: Any) -> Any:
    """An argument as stable data; alike pieces by their group."""
    program = state.program
    show = param["show"]
    if show[0] == "thing" and show[1] == "piece" and program.is_alike[value]:
        return piece_group(state, value)
    return value_id(program, show, value)


def _text(argument: Any) -> str:
    if argument is True:
        return "true"
    if argument is False:
        return "false"
    if isinstance(argument, tuple | list):
        return "{" + "; ".join(_text(a) for a in argument) + "}"
    return number_text(argument)


def key_of(state: Any, described: list[dict[str, Any]], option: tuple[int, tuple[Any, ...]]) -> str:
    """The stable key of an option: its name and arguments."""
    index, args = option
    if index < 0:
        return "done"
    choice = described[index]
    if not args:
        return str(choice["name"])
    ids = [_text(argument_id(state, p, a)) for p, a in zip(choice["params"], args, strict=True)]
    return f"{choice['name']}({', '.join(ids)})"
