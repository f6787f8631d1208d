"""Apply the quick fixes that are certain, and verify each one in memory.

A fix is accepted if its diagnostic disappears and no new diagnostic appears in its place. Writes no files.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.diagnostics.quick_fixes import SpanEdit, find_quick_fix
from interpreter.diagnostics.source_text import Replacement, apply_edits, map_span
from interpreter.files.buffer_overlay import overlay_texts
from interpreter.tools.cases.case_checks import check_with_cases

_ROUNDS = 40
_MAX_CURE_LENGTH = 40  # characters of a cure of many lines
_Place = tuple[str, str, str]  # identity of a finding: code, file, message


@dataclass(frozen=True, slots=True)
class AppliedFix:
    """A fix that was accepted.

    `diagnostic`: what it corrects; `before` and `after`: the text it replaced and the text it inserted. For a fix of
    several lines their common end is left out, and both are truncated.
    """

    diagnostic: Diagnostic
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class FixResult:
    """The result of applying fixes to a target.

    `cured`: the accepted fixes; `texts`: the new contents of the changed files; `remaining`: the diagnostics that are
    left.
    """

    cured: tuple[AppliedFix, ...]
    texts: dict[Path, bytes]
    remaining: tuple[Diagnostic, ...]


def apply_fixes(target: str) -> FixResult:
    """Apply every certain quick fix for a ruleset in memory; files are not written.

    Repeats until no fix is left to try or the round limit is reached. `target`: the id of a shipped ruleset, a folder
    or a variant file.
    """
    texts: dict[Path, bytes] = {}
    cured: list[AppliedFix] = []
    refused: set[_Place] = set()
    unfixed, paths = _check_overlay(target, texts)
    for _round in range(_ROUNDS):
        selected = _select_fixes(unfixed, paths, refused)
        if not selected:
            break
        mapped = [(diagnostic, _map_to_file(edit, texts, paths)) for diagnostic, edit in selected]
        fixes = [(diagnostic, edit) for diagnostic, edit in mapped if edit is not None]
        if len(fixes) < len(mapped):
            refused.update(_build_finding_key(diagnostic) for diagnostic, edit in mapped if edit is None)
            continue
        tried = _apply_edits(texts, paths, [edit for _, edit in fixes])
        unfixed_after, paths_after = _check_overlay(target, tried)
        useless = {
            _build_finding_key(diagnostic)
            for diagnostic, edit in fixes
            if not _has_helped(diagnostic, edit, unfixed, unfixed_after)
        }
        if useless:
            refused |= useless
            continue
        texts, unfixed, paths = tried, unfixed_after, paths_after
        for diagnostic, edit in fixes:
            before = edit.span.source.text[edit.span.start : edit.span.end]
            cured.append(AppliedFix(diagnostic, *_strip_common_end(before, edit.text)))
    return FixResult(tuple(cured), texts, unfixed)


def _strip_common_end(old: str, new: str) -> tuple[str, str]:
    """Strip the common end from the old and new text of a multi-line fix and truncate both.

    Return a one-line fix unchanged.
    """
    if "\n" not in old:
        return old, new
    same = 0
    while same < min(len(old), len(new)) and old[-1 - same] == new[-1 - same]:
        same += 1
    texts = old[: len(old) - same], new[: len(new) - same]
    old_start, new_start = (
        text if len(text) <= _MAX_CURE_LENGTH else f"{text[:_MAX_CURE_LENGTH]}..." for text in texts
    )
    return old_start, new_start


def _check_overlay(target: str, texts: dict[Path, bytes]) -> tuple[tuple[Diagnostic, ...], dict[str, Path]]:
    with overlay_texts(texts) as opened:
        return check_with_cases(target), opened.paths


def _select_fixes(
    diagnostics: Sequence[Diagnostic], paths: dict[str, Path], refused: set[_Place]
) -> list[tuple[Diagnostic, SpanEdit]]:
    """Return (diagnostic, edit) for each fix to apply in this round: at most one per line of a file.

    A fix inside the lines of an earlier one waits for the next round. `diagnostics`: the present diagnostics, in order
    of files and lines; `paths`: the files that may be changed, by the name in spans; `refused`: the findings whose fix
    was rejected in an earlier round.
    """
    fixes: list[tuple[Diagnostic, SpanEdit]] = []
    last_lines: dict[str, int] = {}  # for each file the last line that is cured already; findings come in order
    for diagnostic in diagnostics:
        edit = (
            find_quick_fix(diagnostic)
            if diagnostic.severity != "note" and _build_finding_key(diagnostic) not in refused
            else None
        )
        if edit is not None and edit.span.file in paths and edit.span.line > last_lines.get(edit.span.file, 0):
            fixes.append((diagnostic, edit))
            last_lines[edit.span.file] = edit.span.last_line
    return fixes


def _build_finding_key(diagnostic: Diagnostic) -> _Place:
    return diagnostic.code, diagnostic.file, str(diagnostic.message)


def _map_to_file(edit: SpanEdit, texts: dict[Path, bytes], paths: dict[str, Path]) -> SpanEdit | None:
    """Map an edit to a span of its file's own text; return None if the text to replace does not occur there verbatim.

    `texts`: the changed contents of files by path, others are read from disk; `paths`: the files by the name in spans.
    """
    path = paths[edit.span.file]
    text = (texts.get(path) or path.read_bytes()).decode("utf-8")
    span = map_span(text, edit.span)
    if span is None or text[span.start : span.end] != edit.span.source.text[edit.span.start : edit.span.end]:
        return None
    return SpanEdit(span, edit.text)


def _apply_edits(texts: dict[Path, bytes], paths: dict[str, Path], edits: Sequence[SpanEdit]) -> dict[Path, bytes]:
    new_texts = dict(texts)
    by_file: dict[str, list[SpanEdit]] = {}
    for edit in edits:
        by_file.setdefault(edit.span.file, []).append(edit)
    for name, file_edits in by_file.items():
        parts = [Replacement(edit.span.start, edit.span.end, edit.text) for edit in file_edits]
        new_texts[paths[name]] = apply_edits(file_edits[0].span.source.text, parts).encode("utf-8")
    return new_texts


def _has_helped(
    diagnostic: Diagnostic,
    edit: SpanEdit,
    diagnostics_before: Sequence[Diagnostic],
    diagnostics_after: Sequence[Diagnostic],
) -> bool:
    """Return True if the diagnostic is fixed and no new one overlaps the edit.

    `diagnostics_before` and `diagnostics_after`: all diagnostics without and with the fix. New diagnostics elsewhere
    are allowed, since a fix may uncover an error that the first one hid.
    """
    line, column = edit.span.line, edit.span.column
    last_column = column + max(len(edit.text), 1)
    old = {_build_finding_key(d) for d in diagnostics_before}
    at_edit = [d for d in diagnostics_after if d.file == edit.span.file and d.line == line]
    new = [d for d in at_edit if _build_finding_key(d) not in old and d.severity != "note"]
    return not any(_build_finding_key(d) == _build_finding_key(diagnostic) for d in at_edit) and not any(
        column - 1 <= d.column <= last_column or d.column <= column < d.column + d.span.end - d.span.start for d in new
    )
