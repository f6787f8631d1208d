"""Find the files under a path and compute their formatted contents. Writes none of them."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.suggestions import did_you_mean
from interpreter.documents.reading.folder import MAX_BYTES
from interpreter.files.assets import list_shipped_rulesets
from interpreter.files.file_names import is_document_name, is_rules_name
from interpreter.files.safe_read import FileTooLargeError, NotRegularFileError, read_regular_file
from interpreter.i18n.translator import mark as _
from interpreter.tools.formatting.layouts import format_source

_IS_OURS = re.compile(rb"^(?:\xef\xbb\xbf)?kind:", re.MULTILINE)
MAX_FILES = 5_000


@dataclass(frozen=True, slots=True)
class FormattedFile:
    """One file before and after formatting.

    `format` is the format version it was migrated from, or 0 without migration.
    """

    path: Path
    before: bytes
    after: bytes
    format: int = 0

    @property
    def is_changed(self) -> bool:
        """Return True if formatting changes the file."""
        return self.before != self.after


def format_files(target: str, sink: Sink) -> list[FormattedFile]:
    """Return every file that `iter_files` finds, before and after formatting; errors go to `sink`."""
    return [
        formatted
        for path, content in iter_files(target, sink)
        if (formatted := _format_file(path, content, sink)) is not None
    ]


def iter_files(target: str, sink: Sink) -> Iterator[tuple[Path, bytes]]:
    """Yield every file of a shipped id, a folder or a file, in order of the names; errors go to the sink.

    In a folder only rules files and documents (which begin with `kind:`) are read; hidden files and links are skipped.
    """
    for path, is_named in _iter_paths(target, sink):
        content = _read_bytes(path, sink)
        if content is not None and (is_named or is_rules_name(path) or _IS_OURS.search(content)):
            yield path, content


def _iter_paths(target: str, sink: Sink) -> Iterator[tuple[Path, bool]]:
    """Yield each file of a target, and whether the target names the file itself; report a target without files."""
    path = list_shipped_rulesets().get(target) or Path(target)
    try:
        if target and path.is_dir():
            yield from ((file_path, False) for file_path in _list_files_below(path, target, sink))
            return
        if target and path.is_file():
            if is_document_name(path) or is_rules_name(path):
                yield path.resolve(), True
            else:
                _report_finding(sink, "unreadable-file", _("this is neither a rules file nor a document"), target)
            return
    except (OSError, ValueError):
        pass
    hint = did_you_mean(target, list_shipped_rulesets()) or _("give a built-in ruleset, a folder or a file")
    _report_finding(sink, "no-such-ruleset", _("this file or folder does not exist"), target, hint)


def _list_files_below(root: Path, target: str, sink: Sink) -> list[Path]:
    paths: list[Path] = []
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(".") and not (Path(folder) / f).is_symlink())
        documents = (
            Path(folder) / f for f in files if (is_document_name(f) or is_rules_name(f)) and not f.startswith(".")
        )
        paths += [path for path in documents if path.is_file() and not path.is_symlink()]
        if len(paths) > MAX_FILES:
            _report_finding(
                sink, "too-many-files", _("the folder contains more than {most} files", most=MAX_FILES), target
            )
            return []
    return sorted(paths)


def _read_bytes(path: Path, sink: Sink) -> bytes | None:
    try:
        return read_regular_file(path, MAX_BYTES)
    except FileTooLargeError:
        _report_finding(sink, "file-too-large", _("the file has more than {most} bytes", most=MAX_BYTES), str(path))
    except NotRegularFileError:
        _report_finding(sink, "unreadable-file", _("this is not a regular file"), str(path))
    return None


def decode_text(path: Path, content: bytes, sink: Sink) -> str | None:
    """Decode a file as UTF-8; report and return None if it is not UTF-8."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        _report_finding(sink, "not-utf8", _("the file is not UTF-8"), path.as_posix(), _("save it as UTF-8"))
        return None


def _format_file(path: Path, content: bytes, sink: Sink) -> FormattedFile | None:
    text = decode_text(path, content, sink)
    if text is None:
        return None
    formatted = format_source(Source(path.as_posix(), text), sink)
    return None if formatted is None else FormattedFile(path, content, formatted.encode("utf-8"))


def _report_finding(sink: Sink, code: str, message: str, name: str, help: str = "") -> None:
    sink.add_error(code, message, Span(Source(name or "<nothing>", ""), 0, 0), help=help)
