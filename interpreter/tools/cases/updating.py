"""A case whose figures were changed on purpose: the new ones put in place of the old, one case at a time.

Must not touch anything that is no figure: a case that fails for another reason is left alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from interpreter.documents.target import find_target
from interpreter.facade.game import load
from interpreter.files.file_names import iter_documents
from interpreter.files.unknown_files import write_whole
from interpreter.runtime.faults import SetupError
from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import guess
from interpreter.tools.cases.case_documents import Case, Fault, read_case_book
from interpreter.tools.cases.expectations import as_data
from interpreter.tools.cases.flow_words import flow
from interpreter.tools.cases.suite import run_case


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure of a case: what stood there and what stands there now."""

    was: str
    now: str
    file: str
    line: int


def update_case(target: str, wanted: str) -> list[Figure]:
    """Write the figures that a case comes to into its file; those that changed, none where it holds.

    SetupError when there is no such case, when it fails for another reason, or when the file is not ours to change.
    """
    rules = load(target, checked=True)
    book = read_case_book(target, Sink())
    case = next((c for c in book.cases if c.id == wanted), None)
    if case is None or rules.model is None:
        hint = guess(wanted, [c.id for c in book.cases])
        raise SetupError("there is no case `{case}`{hint}", case=wanted, hint=hint)
    faults = run_case(case, rules, rules.model).faults
    others = [fault for fault in faults if fault.figure is None]
    if others:
        raise SetupError("`{case}` fails for more than a figure: {fault}", case=wanted, fault=others[0].message)
    if not faults:
        return []
    path = _file_of(target, case)
    data = path.read_bytes()
    figures = _written(path, data, list(faults))
    again = next(c for c in read_case_book(target, Sink()).cases if c.id == wanted)
    if not run_case(again, rules, rules.model).ok:
        write_whole(path, data)
        raise SetupError("{file} could not be brought up to date; it is as it was", file=path)
    return figures


def _written(path: Path, data: bytes, faults: list[Fault]) -> list[Figure]:
    text, figures = data.decode("utf-8"), []
    for fault in sorted(faults, key=lambda f: -f.span.start):
        assert fault.figure is not None
        was, now = text[fault.span.start : fault.span.end], flow(as_data(fault.figure[0]))
        text = text[: fault.span.start] + now + text[fault.span.end :]
        figures.append(Figure(was, now, fault.span.file, fault.span.line))
    write_whole(path, text.encode("utf-8"))
    return figures[::-1]


def _file_of(target: str, case: Case) -> Path:
    found = find_target(target, Sink())
    assert found is not None  # its cases have been read
    roots = [found.root, *(layer.file.path.parent for layer in (*found.variants, *filter(None, [found.scenario])))]
    for root in roots:
        for path in iter_documents(root):
            if (
                case.span.file.endswith(path.name)
                and path.read_bytes().decode("utf-8", "replace") == case.span.source.text
            ):
                return path
    raise SetupError("the file of the case `{case}` was not found", case=case.id)
