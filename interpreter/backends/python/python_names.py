"""Names and small parts of printed Python."""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.ir import program_records as ir
from interpreter.model import types as t

_PREFIX = {
    "define": "d_",
    "rule": "r_",
    "tally": "t_",
    "condition": "cond_",
    "noted define": "n_",
    "static": "d_",
}


def variable(name: str) -> str:
    """Return the Python name of a variable; dots and upper case do not occur in names of the rules.

    >>> variable("each.2"), variable("u@3")
    ('v_each_N2', 'v_u_C3')
    """
    return "v_" + name.replace(".", "_N").replace("@", "_C")


def present(type_: t.Type) -> t.Type:
    """Return the type of a value that is known to be present."""
    return type_.item if isinstance(type_, t.MaybeType) else type_


def row(parts: Iterable[str]) -> str:
    """Return the code of a key of a table: a single part by itself, several as a tuple."""
    found = list(parts)
    return found[0] if len(found) == 1 else "(" + ", ".join(found) + ")"


def tuple_text(parts: Iterable[str]) -> str:
    """Return the code of a tuple with these elements."""
    found = list(parts)
    return f"({found[0]},)" if len(found) == 1 else "(" + ", ".join(found) + ")"


def python_name(function: ir.Function) -> str:
    """Return the Python name of a function of the ruleset."""
    origin = function.origin
    if origin is None or origin.sort not in _PREFIX:
        return "f_" + variable(function.name)
    return _PREFIX[origin.sort] + origin.name


def memo_key(function: ir.Function) -> str:
    """Return the key of a function in a position's memo."""
    return "memo " + function.name
