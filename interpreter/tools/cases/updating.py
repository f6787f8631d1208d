"""Update the numbers of a case after an intended change, one case at a time.

Only numbers are replaced; a case that fails for another reason is left unchanged. Cases of a base can be
retired instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from interpreter.api.game import load
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.diagnostics.terminal_text import escape_text
from interpreter.documents.reading.yaml_reader import quote_text
from interpreter.documents.target import find_target
from interpreter.files.file_names import iter_documents
from interpreter.files.safe_read import write_atomically
from interpreter.runtime.errors import SetupError
from interpreter.tools.cases.case_documents import Case, CaseFault, read_case_book
from interpreter.tools.cases.expectations import to_case_data
from interpreter.tools.cases.suite import run_case
from interpreter.tools.cases.yaml_flow import format_flow


@dataclass(frozen=True, slots=True)
class CaseFigure:
    """One updated number of a case: the old and the new text, and its location."""

    was: str
    now: str
    file: str
    line: int


def update_case(target: str, case_id: str) -> list[CaseFigure]:
    """Write the actual numbers of a case into its file. Return the numbers that changed; none if the case passes.

    `case_id`: the id of the case. Raises SetupError if the case does not exist, fails for another reason, or belongs to
    a file that may not be changed.
    """
    rules = load(target, checked=True)
    book = read_case_book(target, Sink())
    case = next((c for c in book.cases if c.id == case_id), None)
    if case is None:
        hint = suggest_words(case_id, [c.id for c in book.cases])
        raise SetupError("unknown case `{case}`{hint}", case=case_id, hint=hint)
    faults = run_case(case, rules).faults
    other_faults = [fault for fault in faults if fault.figure is None]
    if other_faults:
        raise SetupError(
            "`{case}` fails for other reasons than a value: {fault}", case=case_id, fault=other_faults[0].message
        )
    if not faults:
        return []
    path = _find_file(target, case)
    data = path.read_bytes()
    figures = _write_case_file(path, data, list(faults))
    again = next(c for c in read_case_book(target, Sink()).cases if c.id == case_id)
    if not run_case(again, rules).ok:
        write_atomically(path, data)
        raise SetupError("cannot update {file}; it is unchanged", file=path)
    return figures


def _write_case_file(path: Path, data: bytes, faults: list[CaseFault]) -> list[CaseFigure]:
    text, figures = data.decode("utf-8"), []
    for fault in sorted(faults, key=lambda f: -f.span.start):
        assert fault.figure is not None
        was, now = text[fault.span.start : fault.span.end], format_flow(to_case_data(fault.figure[0]))
        text = text[: fault.span.start] + now + text[fault.span.end :]
        figures.append(CaseFigure(was, now, fault.span.file, fault.span.line))
    write_atomically(path, text.encode("utf-8"))
    return figures[::-1]


def _find_file(target: str, case: Case) -> Path:
    read_target = find_target(target, Sink())
    assert read_target is not None  # guaranteed, because its cases have been read
    roots = [
        read_target.root,
        *(layer.file.path.parent for layer in (*read_target.variants, *filter(None, [read_target.scenario]))),
    ]
    for root in roots:
        for path in iter_documents(root):
            if (
                case.span.file.endswith(path.name)
                and path.read_bytes().decode("utf-8", "replace") == case.span.source.text
            ):
                return path
    raise SetupError("the file of the case `{case}` was not found", case=case.id)


_PLAIN = re.compile(r"[A-Za-z][\w-]*", re.ASCII)


def render_retiring_document(cases: Iterable[Case], reason: str) -> str:
    """Return the text of a document that retires cases for one reason, each with its title as a comment."""
    lines = ["kind: cases", "format: 1", f"because: {quote_text(escape_text(reason.strip()))}", "cases:"]
    for case in cases:
        name = case.id if _PLAIN.fullmatch(case.id) else quote_text(case.id)
        lines.append(f"  {name}: null" + (f"  # {escape_text(case.title)}" if case.title else ""))
    return "\n".join(lines) + "\n"
