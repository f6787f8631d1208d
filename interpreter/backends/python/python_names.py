"""Names in printed Python: functions, variables, and the layout of columns, game-wide slots and constants."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from interpreter.ir import program_records as ir
from interpreter.model.checked_model import CheckedModel

_PREFIX = {
    "define": "d_",
    "rule": "r_",
    "tally": "t_",
    "condition": "cond_",
    "noted define": "n_",
    "static": "d_",
}


def format_variable(name: str) -> str:
    """Return the Python name of a variable; dots and upper case do not occur in names of the rules.

    >>> format_variable("each.2"), format_variable("u@3")
    ('v_each_N2', 'v_u_C3')
    """
    return "v_" + name.replace(".", "_N").replace("@", "_C")


def format_key(parts: Iterable[str]) -> str:
    """Return the code of a key of a table: a single part by itself, several as a tuple."""
    codes = list(parts)
    return codes[0] if len(codes) == 1 else "(" + ", ".join(codes) + ")"


def format_tuple(parts: Iterable[str]) -> str:
    """Return the code of a tuple with these elements."""
    codes = list(parts)
    return f"({codes[0]},)" if len(codes) == 1 else "(" + ", ".join(codes) + ")"


def format_function_name(function: ir.Function) -> str:
    """Return the Python name of a function of the ruleset."""
    origin = function.origin
    if origin is None or origin.sort not in _PREFIX:
        return "f_" + format_variable(function.name)
    return _PREFIX[origin.sort] + origin.name


def format_memo_key(function: ir.Function) -> str:
    """Return the key of a function in a position's memo."""
    return "memo " + function.name


@dataclass(frozen=True, slots=True)
class Layout:
    """Names of columns (`(kind, attribute)` -> slot), game slots and constant tuples."""

    columns: dict[tuple[str, str], str] = field(default_factory=dict)
    game: dict[str, str] = field(default_factory=dict)
    constants: dict[tuple[str, str], str] = field(default_factory=dict)

    def find_column(self, kind: str, name: str) -> str | None:
        """Return the state column of an attribute, or None for a constant."""
        if kind == "piece" and name == "at":
            return "at"
        if kind == "side" and name == "seat":
            return "seat_of"
        return self.columns.get((kind, name))


@lru_cache(maxsize=1)
def assign_layout(model: CheckedModel) -> Layout:
    """Assign names to columns, game slots and constants in document order: the layout depends on the ruleset alone."""
    layout = Layout()
    for kind in model.ruleset.kinds.values():
        for attribute in kind.attributes.values():
            if attribute.changes:
                layout.columns[(kind.id, attribute.name)] = f"c{len(layout.columns)}"
            else:
                layout.constants[(kind.id, attribute.name)] = f"K{len(layout.constants)}"
    for name in model.ruleset.game:
        layout.game[name] = f"g{len(layout.game)}"
    return layout
