"""A `cases` document that retires failed cases of a variant's base."""

from __future__ import annotations

import re
from collections.abc import Iterable

from interpreter.diagnostics.terminal_text import escape_text
from interpreter.documents.reading.yaml_reader import quoted
from interpreter.tools.cases.case_documents import Case

_PLAIN = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


def render_retiring_document(cases: Iterable[Case], reason: str) -> str:
    """Return the text of a document that retires cases, each with its title as a comment."""
    lines = ["kind: cases", "format: 1", f"because: {quoted(escape_text(reason.strip()))}", "cases:"]
    for case in cases:
        name = case.id if _PLAIN.fullmatch(case.id) else quoted(case.id)
        lines.append(f"  {name}: null" + (f"  # {escape_text(case.title)}" if case.title else ""))
    return "\n".join(lines) + "\n"
