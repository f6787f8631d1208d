"""The record that the Python back end hands to the linker."""

from __future__ import annotations

from dataclasses import dataclass
from types import CodeType
from typing import Any


@dataclass(frozen=True, slots=True)
class CompiledProgram:
    """Input of the linker: code objects by file, and data, JSON-like throughout."""

    codes: tuple[CodeType, ...]
    data: dict[str, Any]
