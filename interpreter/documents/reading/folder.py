"""Safe reading of a ruleset folder's files as text.

Never follows a link out of the folder, opens only regular files, and enforces limits on size and number.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from interpreter.diagnostics.diagnostic import Diagnostic, Sink
from interpreter.diagnostics.source_text import Source, Span
from interpreter.diagnostics.terminal_text import escape_text
from interpreter.files.buffer_overlay import get_overlay_text
from interpreter.files.file_names import find_added_suffix, is_document_name, is_rules_name
from interpreter.files.foreign_files import detect_encoding, identify_foreign_file
from interpreter.files.memory_cache import get_source
from interpreter.files.os_errors import format_os_error
from interpreter.files.safe_read import FileTooLargeError, NotRegularFileError, read_regular_file
from interpreter.i18n.translator import mark as _

MAX_BYTES = 2 * 1024 * 1024
MAX_FILES = 500
MAX_WHOLE = 64 * 1024 * 1024  # total of all files
LOCALES = "locale"
LEARNING = "learn"  # tutorials and the glossary
APART = ("tests", LOCALES, "variants", LEARNING)  # folders whose files are not part of the ruleset itself


@dataclass(frozen=True, slots=True)
class TextFile:
    """One file that was read; `inside` is its name within the folder, with `/`."""

    inside: str
    path: Path
    data: bytes
    source: Source


@dataclass(frozen=True, slots=True)
class Folder:
    """The files of a ruleset folder, sorted by name; `unread` names the files that could not be read.

    `locales` are the files under `locale/`: they translate the ruleset and change nothing in it.
    """

    root: Path
    documents: tuple[TextFile, ...]
    rules: tuple[TextFile, ...]
    unread: tuple[str, ...]
    locales: tuple[TextFile, ...] = ()


def read_folder(root: Path, sink: Sink) -> Folder:
    """Read all files of a folder that belong to the ruleset; report what cannot be read."""
    names = list_ruleset_files(root, sink)
    files_by_name = _read_files(root, names, sink)
    files = [file for file in files_by_name.values() if file]
    return Folder(
        root,
        tuple(f for f in files if not is_rules_name(f.inside)),
        tuple(f for f in files if is_rules_name(f.inside)),
        tuple(name for name, file in files_by_name.items() if file is None),
        _read_locales(root, sink),
    )


def _read_files(root: Path, names: list[str], sink: Sink) -> dict[str, TextFile | None]:
    """Return the named files of a folder; None for a file that is unreadable or beyond the limit of the total size."""
    files: dict[str, TextFile | None] = {}
    size = 0
    for name in names:
        file = read_file(root, name, sink) if size <= MAX_WHOLE else None
        files[name] = file
        if file is None:
            continue
        size += len(file.data)
        if size > MAX_WHOLE:
            message = _(
                "with this file, the folder exceeds the limit of {max_bytes} bytes; the rest is not read",
                max_bytes=MAX_WHOLE,
            )
            sink.add_error(
                "file-too-large", message, build_file_span(root, name), help=_("put fewer files into one ruleset")
            )
    return files


def _read_locales(root: Path, sink: Sink) -> tuple[TextFile, ...]:
    if not (root / LOCALES).is_dir():
        return ()
    names = list_ruleset_files(root, sink, below=LOCALES, apart=())
    files = _read_files(root, [name for name in names if not is_rules_name(name)], sink)
    return tuple(file for file in files.values() if file is not None)


def list_ruleset_files(root: Path, sink: Sink, *, below: str = "", apart: tuple[str, ...] = APART) -> list[str]:
    """Return names (inside `root`) of the documents and rules files under `below`, sorted, at most `MAX_FILES`.

    `apart`: names of folders directly in `root` that do not belong to the rules.
    """
    names: list[str] = []
    entry_count = 0
    for walked, folders, files in os.walk(root / below, onerror=lambda fault: _report_unreadable(root, fault, sink)):
        folder = Path(walked)
        at_top = folder == root
        before = "" if at_top else f"{folder.relative_to(root).as_posix()}/"
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".")
            and not (at_top and f in apart)
            and _check_file_name(root, before + f, sink)
            and _check_own_folder(root, folder / f, sink)
        )
        names += [
            before + f
            for f in sorted(files)
            if (is_document_name(f) or is_rules_name(f))
            and not f.startswith(".")
            and _check_file_name(root, before + f, sink)
        ]
        _report_passed_over(root, before, files, sink)
        entry_count += 1
        if at_top and not below and not any(map(is_document_name, names)):
            break  # not a ruleset: avoid scanning a whole disk
        if max(len(names), entry_count) > MAX_FILES:
            message = _("the folder has more than {max_files} documents, rules files or folders", max_files=MAX_FILES)
            cure = _("only the first ones are read; merge documents into fewer files")
            sink.add_error("too-many-files", message, build_file_span(root, ""), help=cure)
            break
    return sorted(names)[:MAX_FILES]


def _report_passed_over(root: Path, before: str, files: list[str], sink: Sink) -> None:
    """Report files that are skipped because an editor appended a suffix to their names.

    `before`: their folder inside `root`, '' or with a final `/`; `files`: the names of all files in it.
    """
    for name in sorted(files):
        added = find_added_suffix(name)
        if added and not name.startswith(".") and escape_text(name) == name:
            sink.add(
                Diagnostic(
                    "passed-over-file",
                    _("this file is not read: its name ends in {ending}", ending=added),
                    build_file_span(root, before + name),
                    "note",
                    _("rename it to `{name}`", name=name.removesuffix(added)),
                )
            )


def format_display_name(root: Path, inside: str) -> str:
    """Return the name of a file for messages, starting with the folder's own name.

    `inside`: the name of the file within the folder.
    """
    own = root.resolve().name if root.name in ("", ".", "..") else root.name
    return f"{own}/{inside}" if inside else own


def build_file_span(root: Path, inside: str) -> Span:
    """Return an empty span for a file whose text was not read."""
    return Span(Source(format_display_name(root, inside), ""), 0, 0)


def _report_unreadable(root: Path, fault: OSError, sink: Sink) -> None:
    message = _("cannot read the folder: {reason}", reason=format_os_error(fault))
    sink.add_error("unreadable-folder", message, build_file_span(root, ""), help=_("check its permissions"))


def _check_file_name(root: Path, inside: str, sink: Sink) -> bool:
    """Return whether a file name is printable UTF-8 without control characters; report it otherwise.

    `root`: the folder; `inside`: the name of the file within it, with `/`.
    """
    name = inside.rpartition("/")[2]
    if escape_text(name) == name:
        return True
    message = _("this file or folder is not read: its name is not valid UTF-8")
    cure = _("use only letters, digits, hyphens and underscores in the name")
    sink.add_error("unreadable-file", message, build_file_span(root, escape_text(inside)), help=cure)
    return False


def _check_own_folder(root: Path, folder: Path, sink: Sink) -> bool:
    """Return whether a folder lies in the ruleset itself; report one that is a link to another place."""
    if not folder.is_symlink():
        return True
    message = _("this folder is a link to another place and is not read")
    cure = _("put the files themselves into the ruleset")
    sink.add_error("outside-folder", message, build_file_span(root, folder.relative_to(root).as_posix()), help=cure)
    return False


def read_file(root: Path, inside: str, sink: Sink) -> TextFile | None:
    """Read one file of a folder, or return None (reported) if it is forbidden or unreadable.

    `root`: the folder; `inside`: the name of the file within it, with `/`.
    """
    path = root / inside
    try:
        if not (_is_free_of_links(root, inside) or path.resolve().is_relative_to(root.resolve())):
            message = _("this file is not read: it is a link to a place outside the folder of the ruleset")
            cure = _("put the file itself into the ruleset")
            sink.add_error("outside-folder", message, build_file_span(root, inside), help=cure)
            return None
        opened = get_overlay_text(path, format_display_name(root, inside))
        data = read_regular_file(path, MAX_BYTES) if opened is None else opened
    except NotRegularFileError:
        message, cure = _("this is not a regular file"), _("remove it from the folder")
        sink.add_error("unreadable-file", message, build_file_span(root, inside), help=cure)
        return None
    except FileTooLargeError as fault:
        message = _("the file has {st_size} bytes; the limit is {max_bytes}", st_size=fault.size, max_bytes=MAX_BYTES)
        cure = _("split it into several files of the same kind")
        sink.add_error("file-too-large", message, build_file_span(root, inside), help=cure)
        return None
    except (OSError, RuntimeError, ValueError) as fault:
        reason = format_os_error(fault)
        message = _("cannot read the file: {reason}", reason=reason)
        sink.add_error("unreadable-file", message, build_file_span(root, inside), help=_("check its permissions"))
        return None
    source = decode(format_display_name(root, inside), data, sink)
    return TextFile(inside, path, data, source) if source else None


def _is_free_of_links(root: Path, inside: str) -> bool:
    """Return whether the path below the folder certainly contains no links, so it need not be resolved."""
    if os.name == "nt":
        return False  # junctions lead elsewhere too, but are not links
    path = str(root)
    for part in inside.split("/"):
        path = f"{path}/{part}"
        if part in ("", ".", "..") or os.path.islink(path):
            return False
    return True


def decode(name: str, data: bytes, sink: Sink) -> Source | None:
    """Decode a UTF-8 file, or return None (reported at the line of the first wrong byte)."""
    if (foreign := identify_foreign_file(data)) is not None:
        message = _("this is {what}, not a text file", what=foreign.description)
        sink.add_error("foreign-file", message, Span(Source(name, ""), 0, 0), help=foreign.cure)
        return None
    if encoding := detect_encoding(data):
        source = Source(name, data.decode(encoding, errors="replace"))
        cure = _("save the file as UTF-8; some editors call UTF-16 `Unicode`")
        sink.add_error(
            "not-utf8", _("the text is {encoding}, not UTF-8", encoding=encoding), Span(source, 0, 0), help=cure
        )
        return None
    try:
        return get_source(name, data.decode("utf-8"))
    except UnicodeDecodeError as fault:
        source = Source(name, data.decode("utf-8", errors="replace"))
        offset = len(data[: fault.start].decode("utf-8"))
        message = _("the byte {more:#04x} is not UTF-8 text", more=data[fault.start])
        sink.add_error("not-utf8", message, Span(source, offset, offset + 1), help=_("save the file as UTF-8"))
        return None
