"""Structure of the records of the representation, read from the annotations of their fields.

Every traversal looks up the content of a field here, so that a new record needs no traversal code:

    class Let:  name: Bound     the variable that the expression binds
                value: Expr     an operand
                body: Expr
"""

from __future__ import annotations

import re
from dataclasses import fields
from functools import cache
from typing import Literal

Bound = str  # a variable that a record binds for some of its expressions
Assigned = str  # a variable that a statement or terminator assigns
VariableRead = str  # a variable that a record reads by its name
Label = int  # a block where a terminator can continue

Sort = Literal["expression", "test", "body", "record", "explanation", "bound", "assigned", "read", "label"]
_SORTS: dict[str, Sort] = {  # the first matching word in an annotation gives the content of a field
    "Expr": "expression",
    "Tests": "test",
    "Body": "body",
    **dict.fromkeys(("Block", "Terminator", "Function", "Procedure", "Watcher"), "record"),
    **dict.fromkeys(("LoweredDecision", "LoweredOption", "Parameter", "Preference", "Draft", "Step"), "record"),
    **dict.fromkeys(("Chance", "Words", "PhaseChange", "DieReading"), "explanation"),
    "Bound": "bound",
    "Assigned": "assigned",
    "VariableRead": "read",
    "Label": "label",
}
_WORD = re.compile(r"\w+")


def _sort_of(annotation: str) -> Sort | None:
    """Return the sort of data that a field with this annotation holds, or None.

    The field may hold a single item, a tuple of them, or a dictionary with them as values.
    """
    return next((_SORTS[word] for word in _WORD.findall(annotation) if word in _SORTS), None)


@cache
def list_fields_holding(shape: type, *sorts: Sort) -> tuple[str, ...]:
    """Return the names of a dataclass's fields that hold one of these sorts, in order; () for other classes."""
    if not hasattr(shape, "__dataclass_fields__"):
        return ()
    return tuple(field.name for field in fields(shape) if _sort_of(str(field.type)) in sorts)


def list_held_names(record: object, sort: Sort) -> tuple[str, ...]:
    """Return the names of variables in the fields of a record that are of a sort: "bound", "assigned" or "read"."""
    shape: type = type(record)
    return tuple([name for field in list_fields_holding(shape, sort) if (name := getattr(record, field)) is not None])
