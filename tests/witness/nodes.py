"""The one place of the witness that knows how a checked expression is made: what it does, to what, of which type.

Whoever changes the shape of checked expressions changes this module and no other of the witness. Must not work
anything out.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from interpreter.model.core import Core
from interpreter.model.types import Type
from interpreter.source.text import Span


class Opened(NamedTuple):
    """An expression taken apart: the operation and its arguments, as the list in `model/core` names them."""

    op: str
    args: tuple[Any, ...]
    type: Type
    span: Span


def opened(core: Core) -> Opened:
    """The parts of a checked expression."""
    return Opened(core.op, core.args, core.type, core.span)
