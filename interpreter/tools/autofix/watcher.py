"""Watch a ruleset: check it after each change, and rerun only the cases that the change can affect.

An instrumented run records which rules each case executes; a change not known to be harmless reruns every case.
Neither prints nor sleeps: the caller polls.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from pathlib import Path

from interpreter.api.loading import load
from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.files.buffer_overlay import overlay_texts
from interpreter.files.file_names import is_document_name, is_rules_name
from interpreter.tools.cases.case_checks import check_with_cases
from interpreter.tools.cases.case_documents import Case, collect_cases
from interpreter.tools.cases.suite import CaseResult
from interpreter.tools.mutation.case_trace import trace_cases

_EVERYTHING = ("setup", "turn", "whenever", "replace", "remove", "add", "before", "after", "move", "event", "record")
_KIND = re.compile(r"^\ufeff?kind:[ \t]*(\w+)", re.MULTILINE)
_MAX_PATHS = 2_000


@dataclass(frozen=True, slots=True)
class ScanResult:
    """The result of a check after a change.

    `changed`: the names of the changed files; `findings`: all diagnostics; `failed`: the cases that fail; `run`: the
    number of cases that ran; `cases`: the number of all cases.
    """

    changed: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    failed: tuple[CaseResult, ...]
    run: int
    cases: int


class RulesetWatcher:
    """A watcher of a target, which compares its files with their texts at the previous poll."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._texts: dict[Path, str] = {}
        self._names: dict[Path, str] = {}
        self._checked_texts: dict[Path, str] = {}  # file texts at the last run of the cases
        self._items: dict[str, frozenset[tuple[str, str]]] = {}  # rule items that each case executes
        self._failed: dict[str, CaseResult] = {}
        self._digests: dict[str, str] = {}  # digest of each case at its last run

    def check_for_changes(self) -> ScanResult | None:
        """Check the target and run the cases that may be affected; None if no file has changed since the last call."""
        if self._texts and self._texts == self._read_texts():
            return None
        with overlay_texts({}) as opened:
            findings = check_with_cases(self.target)
        self._names = {path: name for name, path in opened.paths.items()}
        old_texts, self._texts = self._texts, self._read_texts()
        changed = sorted(p for p in {*old_texts, *self._texts} if old_texts.get(p) != self._texts.get(p))
        names = tuple(self._names.get(p, p.name) for p in changed)
        if any(d.severity == "error" for d in findings):
            return ScanResult(names, findings, (), 0, 0)
        return self._run_affected_cases(names, findings)

    def _run_affected_cases(self, names: tuple[str, ...], findings: tuple[Diagnostic, ...]) -> ScanResult:
        """Run the cases that a change may affect. `names`: the changed files; `findings`: those of the check."""
        cases = list(collect_cases(self.target, Sink()))
        touched = [case for case in cases if self._is_affected(case)]
        try:
            watched = trace_cases(touched, load(self.target, checked=True, instrument=True))
        except RulesetError as fault:
            return ScanResult(names, fault.diagnostics, (), 0, len(cases))
        lines: dict[int, set[tuple[str, str]]] = {}
        heads = {name: _find_headings(self._texts[p]) for p, name in self._names.items() if p in self._texts}
        for (file, line), numbers in watched.lines.items():
            head = _find_heading(heads.get(file, ()), line)
            for number in numbers:
                lines.setdefault(number, set()).add((file, head))
        for number, case in enumerate(touched):
            self._items[case.id] = frozenset(lines.get(number, ()))
            self._digests[case.id] = _compute_case_digest(case)
            self._failed.pop(case.id, None)
        self._failed.update({result.case.id: result for result in watched.failed})
        case_ids = {case.id for case in cases}
        self._failed = {id: result for id, result in self._failed.items() if id in case_ids}
        self._checked_texts = dict(self._texts)
        return ScanResult(names, findings, tuple(self._failed.values()), len(touched), len(cases))

    def _is_affected(self, case: Case) -> bool:
        """Return True if a change since the last run can affect a case; always True for a new or failed case."""
        if (
            case.id not in self._items
            or case.id in self._failed
            or self._digests.get(case.id) != _compute_case_digest(case)
        ):
            return True
        return any(self._affects(path, case) for path in {*self._texts, *self._checked_texts})

    def _affects(self, path: Path, case: Case) -> bool:
        checked_text, current_text = self._checked_texts.get(path), self._texts.get(path)
        if checked_text == current_text:
            return False
        if checked_text is None or current_text is None:
            return True
        if is_rules_name(path):
            name = self._names.get(path, path.name)
            items, old, new = self._items[case.id], _split_into_items(checked_text), _split_into_items(current_text)
            changed_heads = {head for head in {*old, *new} if old.get(head) != new.get(head)}
            return any(head.split(" ")[0] in _EVERYTHING or (name, head) in items for head in changed_heads)
        return _find_kind(checked_text) != "cases" or _find_kind(current_text) != "cases"

    def _read_texts(self) -> dict[Path, str]:
        """Return the text of every document and rules file beside or below those that the last check read, by path."""
        texts: dict[Path, str] = {}
        for root in {path.parent for path in self._names}:
            for path in sorted(root.rglob("*"))[:_MAX_PATHS]:
                if (is_document_name(path) or is_rules_name(path)) and path.is_file():
                    texts[path.resolve()] = _read_text(path)
        return texts


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _find_kind(text: str) -> str:
    match = _KIND.search(text)
    return match[1] if match else ""


def _find_headings(text: str) -> list[tuple[int, str]]:
    """Return the (line, heading) of each item of a rules file; the heading names the item."""
    headings: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1].isalpha():
            headings.append((number, " ".join(re.split(r"[(:=\[]", line)[0].split())))
    return headings


def _find_heading(heads: Iterable[tuple[int, str]], line: int) -> str:
    head = ""
    for number, name in heads:
        if number > line:
            break
        head = name
    return head


def _split_into_items(text: str) -> Mapping[str, str]:
    """Return the text of each item by its heading, without blank lines and comments."""
    lines = text.split("\n")
    heads = [*_find_headings(text), (len(lines) + 1, "")]
    items: dict[str, str] = {}
    for (start, head), (end, _next) in pairwise(heads):
        body = [line for line in lines[start - 1 : end - 1] if line.strip() and not line.lstrip().startswith("#")]
        items[head] = items.get(head, "") + "\n".join(body)
    return items


def _compute_case_digest(case: Case) -> str:
    source = case.span.source.text
    start = case.span.start
    following = re.compile(r"^  \S", re.MULTILINE).search(source, start + 1)
    return blake2b(source[start : following.start() if following else len(source)].encode()).hexdigest()
