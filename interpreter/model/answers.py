"""Answers to decisions as documents write them, in a case or in a lesson."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from interpreter.diagnostics.source_text import Span


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """An answer to the decision `decision`.

    `option`: the key or the name of the option to choose; `args`: its arguments, by name. One of them may be None; if
    both are given, they mean the option with this name and these arguments.
    """

    decision: str
    option: str | None
    args: Mapping[str, Any] | None
    span: Span

    def __str__(self) -> str:
        if self.args is None:
            return f"{self.decision}: {self.option}"
        listed = ", ".join(f"{k}: {v}" for k, v in self.args.items())
        return f"{self.decision}: {self.option or ''}{'{'}{listed}{'}'}"
