"""A ruleset under watch: what is found after each change, and which of its cases a change can touch.

Which cases run what is learnt by running them; what is not known to be harmless runs all. Must not print, nor wait.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from interpreter.facade.rules import load
from interpreter.files.file_names import is_document_name, is_rules_name
from interpreter.files.open_texts import reading
from interpreter.source.diagnostic import Diagnostic, RulesetError, Sink
from interpreter.tools.cases.case_checks import check_with_cases
from interpreter.tools.cases.case_documents import Case, collect_cases
from interpreter.tools.cases.suite import CaseResult
from interpreter.tools.mutation.watching import watch

_EVERYTHING = ("setup", "turn", "whenever", "replace", "remove", "add", "before", "after", "move", "event", "record")
_KIND = re.compile(r"^\ufeff?kind:[ \t]*(\w+)", re.MULTILINE)
_MOST = 2_000


@dataclass(frozen=True, slots=True)
class Seen:
    """What was found after a change: the files that changed, findings, cases that failed, how many ran, of how many."""

    changed: tuple[str, ...]
    findings: tuple[Diagnostic, ...]
    failed: tuple[CaseResult, ...]
    run: int
    cases: int


class Vigil:
    """Looks at a target when asked, and remembers how it stood."""

    def __init__(self, target: str) -> None:
        self.target = target
        self._texts: dict[Path, str] = {}
        self._names: dict[Path, str] = {}
        self._good: dict[Path, str] = {}  # as they stood when the cases ran
        self._items: dict[str, frozenset[tuple[str, str]]] = {}  # for each case the items of the rules that it runs
        self._failed: dict[str, CaseResult] = {}
        self._told: dict[str, str] = {}  # each case as it stood

    def look(self) -> Seen | None:
        """What is found now; None where no file has changed since it was last asked."""
        texts = self._read()
        if texts == self._texts and self._texts:
            return None
        changed = sorted(p for p in {*texts, *self._texts} if texts.get(p) != self._texts.get(p))
        with reading({}) as opened:
            findings = check_with_cases(self.target)
        self._names = {path: name for name, path in opened.paths.items()}
        self._texts = self._read()
        names = tuple(self._names.get(p, p.name) for p in changed)
        if any(d.severity == "error" for d in findings):
            return Seen(names, findings, (), 0, 0)
        return self._run(names, findings)

    def _run(self, names: tuple[str, ...], findings: tuple[Diagnostic, ...]) -> Seen:
        cases = list(collect_cases(self.target, Sink()))
        touched = [case for case in cases if self._is_touched(case)]
        try:
            watched = watch(touched, load(self.target, checked=True, instrument=True))
        except RulesetError as fault:
            return Seen(names, fault.diagnostics, (), 0, len(cases))
        lines: dict[int, set[tuple[str, str]]] = {}
        heads = {name: _heads(self._texts[p]) for p, name in self._names.items() if p in self._texts}
        for (file, line), numbers in watched.lines.items():
            head = _head_at(heads.get(file, ()), line)
            for number in numbers:
                lines.setdefault(number, set()).add((file, head))
        for number, case in enumerate(touched):
            self._items[case.id] = frozenset(lines.get(number, ()))
            self._told[case.id] = _text_of(case)
            self._failed.pop(case.id, None)
        self._failed.update({result.case.id: result for result in watched.failed})
        known = {case.id for case in cases}
        self._failed = {id: result for id, result in self._failed.items() if id in known}
        self._good = dict(self._texts)
        return Seen(names, findings, tuple(self._failed.values()), len(touched), len(cases))

    def _is_touched(self, case: Case) -> bool:
        """Whether what has changed since the cases last ran can touch a case; a new or failed one always is."""
        if case.id not in self._items or case.id in self._failed or self._told.get(case.id) != _text_of(case):
            return True
        return any(self._touches(path, case) for path in {*self._texts, *self._good})

    def _touches(self, path: Path, case: Case) -> bool:
        before, after = self._good.get(path), self._texts.get(path)
        if before == after:
            return False
        if before is None or after is None:
            return True
        if is_rules_name(path):
            name = self._names.get(path, path.name)
            items, old, new = self._items[case.id], _items_of(before), _items_of(after)
            other = {head for head in {*old, *new} if old.get(head) != new.get(head)}
            return any(head.split(" ")[0] in _EVERYTHING or (name, head) in items for head in other)
        return _kind(before) != "cases" or _kind(after) != "cases"

    def _read(self) -> dict[Path, str]:
        """The texts of all files that may be read for the target."""
        roots = {p.parent for p in self._names} or _roots(self.target)
        found: dict[Path, str] = {}
        for root in roots:
            for path in sorted(root.rglob("*"))[:_MOST]:
                if (is_document_name(path) or is_rules_name(path)) and path.is_file():
                    found[path.resolve()] = _content(path)
        return found


def _roots(target: str) -> set[Path]:
    with reading({}) as opened:
        check_with_cases(target)
    return {path.parent for path in opened.paths.values()}


def _content(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _kind(text: str) -> str:
    found = _KIND.search(text)
    return found[1] if found else ""


def _heads(text: str) -> list[tuple[int, str]]:
    """The items of a rules file: the line where each begins, and its head, which names it."""
    found: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line[:1].isalpha():
            found.append((number, " ".join(re.split(r"[(:=\[]", line)[0].split())))
    return found


def _head_at(heads: Iterable[tuple[int, str]], line: int) -> str:
    head = ""
    for number, name in heads:
        if number > line:
            break
        head = name
    return head


def _items_of(text: str) -> Mapping[str, str]:
    """What each item says, by its head; blanks and comments between items count for nothing."""
    lines = text.split("\n")
    heads = [*_heads(text), (len(lines) + 1, "")]
    found: dict[str, str] = {}
    for (start, head), (end, _next) in zip(heads, heads[1:], strict=False):
        body = [line for line in lines[start - 1 : end - 1] if line.strip() and not line.lstrip().startswith("#")]
        found[head] = found.get(head, "") + "\n".join(body)
    return found


def _text_of(case: Case) -> str:
    source = case.span.source.text
    start = case.span.start
    following = re.compile(r"^  \S", re.MULTILINE).search(source, start + 1)
    return blake2b(source[start : following.start() if following else len(source)].encode()).hexdigest()
