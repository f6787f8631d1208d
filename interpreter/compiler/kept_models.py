"""Checked rules kept between starts beside their compiled form: what the other forms of a program are compiled from.

Only records of the model are made anew from what was kept, and nothing of it is called. Must not check anything.
"""

from __future__ import annotations

import pickle
from dataclasses import is_dataclass
from fractions import Fraction
from io import BytesIO
from typing import Any

from interpreter.files import kept
from interpreter.model.core import CheckedModel

_SORT = "checked"
_UNREADABLE = (pickle.UnpicklingError, AttributeError, EOFError, ImportError)
_HOMES = ("interpreter.model.", "interpreter.source.text")


class _Records(pickle.Unpickler):
    """Reads records of the model, numbers and plain values, and refuses everything else."""

    def find_class(self, module: str, name: str) -> Any:
        """The class of a record."""
        if (module, name) == ("fractions", "Fraction"):
            return Fraction
        found = super().find_class(module, name) if module.startswith(_HOMES) and name.isidentifier() else None
        if isinstance(found, type) and is_dataclass(found):
            return found
        raise pickle.UnpicklingError(f"{module}.{name} is no record of the model")


def keep(key: str | None, model: CheckedModel) -> None:
    """Keep the checked rules; those that lie too deeply inside one another are not."""
    if key is None:
        return
    try:
        body = pickle.dumps(model, protocol=5)
    except RecursionError:
        return
    kept.keep(_SORT, key, body)


def find(key: str | None) -> CheckedModel | None:
    """The checked rules kept under a key; None where there are none that can be read."""
    body = None if key is None else kept.find(_SORT, key)
    if body is None:
        return None
    try:
        found = _Records(BytesIO(body)).load()
    except (*_UNREADABLE, ArithmeticError, LookupError, TypeError, ValueError):
        return None
    return found if isinstance(found, CheckedModel) else None
