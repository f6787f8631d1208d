"""Cures of findings carried out where they are certain, tried before anything is written.

A cure counts when the finding is gone and nothing new is found in its place. Must not write.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.files.open_texts import reading
from interpreter.source.cures import TextEdit, cure_of
from interpreter.source.diagnostic import Diagnostic
from interpreter.source.text import edited, span_in
from interpreter.tools.cases.case_checks import check_with_cases

_ROUNDS = 40
_SHOWN = 40  # characters of a cure of many lines
_Place = tuple[str, str, str]  # a finding that was tried: its code, its file, its message


@dataclass(frozen=True, slots=True)
class Cured:
    """One cure that has helped: what was found, and the words before and after."""

    found: Diagnostic
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Mended:
    """What was cured, the files as they would be, and what is found then."""

    cured: tuple[Cured, ...]
    texts: dict[Path, bytes]
    left: tuple[Diagnostic, ...]


def mend(target: str) -> Mended:
    """Carry out every certain cure of what `check` finds about a target, again until nothing more can be done."""
    texts: dict[Path, bytes] = {}
    cured: list[Cured] = []
    refused: set[_Place] = set()
    left, paths = _checked(target, texts)
    for _round in range(_ROUNDS):
        chosen = _chosen(left, paths, refused)
        if not chosen:
            break
        own = [(found, _in_files([edit], texts, paths)) for found, edit in chosen]
        refused.update(_place(found) for found, edits in own if not edits)
        if any(not edits for _, edits in own):
            continue
        chosen = [(found, edits[0]) for found, edits in own if edits]
        tried = _edited(texts, paths, [edit for _, edit in chosen])
        after, now = _checked(target, tried)
        bad = [found for found, edit in chosen if not _has_helped(found, edit, left, after)]
        if bad:
            refused.update(_place(found) for found in bad)
            continue
        texts, left, paths = tried, after, now
        for found, edit in chosen:
            before = edit.span.source.text[edit.span.start : edit.span.end]
            cured.append(Cured(found, *_differing(before, edit.text)))
    return Mended(tuple(cured), texts, left)


def _differing(before: str, after: str) -> tuple[str, str]:
    """The words before and after a cure of many lines without the end that both have, shortened; others as they are."""
    if "\n" not in before:
        return before, after
    same = 0
    while same < min(len(before), len(after)) and before[-1 - same] == after[-1 - same]:
        same += 1
    texts = before[: len(before) - same], after[: len(after) - same]
    first, second = (text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..." for text in texts)
    return first, second


def _checked(target: str, texts: dict[Path, bytes]) -> tuple[tuple[Diagnostic, ...], dict[str, Path]]:
    with reading(texts) as opened:
        return check_with_cases(target), opened.paths


def _chosen(
    left: Sequence[Diagnostic], paths: dict[str, Path], refused: set[_Place]
) -> list[tuple[Diagnostic, TextEdit]]:
    """The cures that can be carried out together: no two in one line of one file, nor in the lines of a longer one."""
    found: list[tuple[Diagnostic, TextEdit]] = []
    last: dict[str, int] = {}  # for each file the last line that is cured already; findings come in order
    for one in left:
        edit = cure_of(one) if one.severity != "note" and _place(one) not in refused else None
        if edit is not None and edit.span.file in paths and edit.span.line > last.get(edit.span.file, 0):
            found.append((one, edit))
            last[edit.span.file] = edit.span.source.position(max(edit.span.start, edit.span.end - 1))[0]
    return found


def _place(found: Diagnostic) -> _Place:
    return found.code, found.file, str(found.message)


def _in_files(edits: Sequence[TextEdit], texts: dict[Path, bytes], paths: dict[str, Path]) -> list[TextEdit] | None:
    """The same edits in the files' own texts; None where one of them stands in none."""
    found: list[TextEdit] = []
    for edit in edits:
        path = paths[edit.span.file]
        text = (texts.get(path) or path.read_bytes()).decode("utf-8")
        span = span_in(text, edit.span)
        if span is None or text[span.start : span.end] != edit.span.source.text[edit.span.start : edit.span.end]:
            return None
        found.append(TextEdit(span, edit.text))
    return found


def _edited(texts: dict[Path, bytes], paths: dict[str, Path], edits: Sequence[TextEdit]) -> dict[Path, bytes]:
    made = dict(texts)
    by_file: dict[str, list[TextEdit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.file, []).append(edit)
    for name, own in by_file.items():
        parts = [(edit.span.start, edit.span.end, edit.text) for edit in own]
        made[paths[name]] = edited(own[0].span.source.text, parts).encode("utf-8")
    return made


def _has_helped(found: Diagnostic, edit: TextEdit, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Whether it is gone and nothing new is found in its place; what it hid may come to light beside it."""
    line, column = edit.span.line, edit.span.column
    last = column + max(len(edit.text), 1)
    old = {_place(d) for d in before}
    here = [d for d in after if d.file == edit.span.file and d.line == line]
    new = [d for d in here if _place(d) not in old and d.severity != "note"]
    return not any(_place(d) == _place(found) for d in here) and not any(
        column - 1 <= d.column <= last or d.column <= column < d.column + d.span.end - d.span.start for d in new
    )
