"""Journals: games on disk as append-only JSON Lines.

Line 1 is the header, followed by a line for each decision, roll, phase, undo, edit, pending decision, and the end.
Every line ends with a checksum (`c`) over itself and all lines before it, so that any changed byte is detected
(`journal_lines`). A line counts once its line end is on disk: a torn last line loses that line only. Replays nothing,
and validates whatever it reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from interpreter.files.durable import replace_file, sync_folder
from interpreter.files.os_errors import format_os_error
from interpreter.files.safe_read import FileTooLargeError, NotRegularFileError, read_regular_file
from interpreter.i18n.translator import Message, mark as _
from interpreter.saves.entries import (
    DecisionEntry,
    Entry,
    EntryError,
    JournalHeader,
    decode_entry,
    encode_entry,
    encode_header,
)
from interpreter.saves.journal_lines import (
    FORMAT as FORMAT,
    MARK,
    START,
    WHERE,
    Journal as Journal,
    JournalError as JournalError,
    encode_line,
    parse_journal as parse_journal,
)

MAX_BYTES = 64 * 1024 * 1024  # of a file that is read; nothing longer is ever written
FULL_BYTES = MAX_BYTES // 16 * 15  # a game ends at this size; all entries that one choice causes still fit


class JournalWriter:
    """Writer of a journal, line by line; a decision is on disk when `write` returns.

    `JournalWriter(path)` creates a file and refuses one that exists; call `start` first. Raises JournalError. Before
    each write it verifies that the file is unchanged since its last one: a file that another program has extended, cut,
    changed, deleted or replaced is not written to. No file is extended beyond the size that can be read.
    """

    __slots__ = ("_checksum", "_end", "_file", "_is_dirty", "_length", "_line_end", "_path", "_stamp")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._checksum = START
        self._is_dirty, self._length, self._stamp = True, 0, 0
        self._end, self._line_end = 0, b"\n"
        try:
            self._file: BinaryIO = self._path.open("xb")
        except FileExistsError:
            raise JournalError("{path} already exists: choose another name, or resume it", path=self._path) from None
        except OSError as error:
            raise _build_unwritable_error(self._path, error) from None

    @classmethod
    def reopen(cls, path: str | os.PathLike[str], journal: Journal) -> JournalWriter:
        """Reopen the file that `journal` was read from, with its line ends; raise JournalError if it has changed.

        An incomplete last line is cut off immediately; text below the last line is cut off at the first write.
        """
        writer = cls.__new__(cls)
        writer._path = Path(path)
        writer._checksum = journal.checksum
        writer._is_dirty, writer._length, writer._stamp = False, journal.size, 0
        writer._end, writer._line_end = journal.length, journal.line_end
        try:
            writer._file = writer._path.open("r+b")
            if os.fstat(writer._file.fileno()).st_size != journal.size:
                writer._file.close()
                raise _build_changed_error(writer._path, _("its length has changed since it was read"))
            if journal.is_torn:  # otherwise keep the modification time
                writer._truncate()
            writer._file.seek(journal.length)
        except OSError as error:
            raise _build_unwritable_error(writer._path, error) from None
        return writer

    @property
    def is_full(self) -> bool:
        """Return whether the journal is too large for a further choice; entries caused by the last choice still fit."""
        return self._end >= FULL_BYTES

    def start(self, header: JournalHeader) -> None:
        """Write the header; it is on disk when this returns."""
        self._write_line({MARK: FORMAT, **encode_header(header)})
        self.sync()
        sync_folder(self._path.parent)

    def write(self, entry: Entry) -> int:
        """Append one entry and return the number of bytes of its line.

        A decision is flushed to disk, with all lines before it.
        """
        data = encode_entry(entry)
        try:
            decode_entry(data)  # ensures that the line can be read back
        except EntryError as error:
            raise JournalError("this cannot be written to a saved game: {error}", error=error) from None
        size = self._write_line(data)
        if isinstance(entry, DecisionEntry):
            self.sync()
        return size

    def sync(self) -> None:
        """Flush everything written so far to disk."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            if self._is_dirty:
                self._stamp = os.fstat(self._file.fileno()).st_mtime_ns
        except OSError as error:
            raise _build_unwritable_error(self._path, error) from None
        self._is_dirty = False

    def close(self) -> None:
        """Flush everything to disk and close the file; idempotent."""
        if not self._file.closed:
            try:
                self.sync()
            finally:
                self._file.close()

    def abandon(self) -> None:
        """Close the file without flushing: it belongs to another program now."""
        try:
            self._file.close()
        except OSError:
            pass

    def __enter__(self) -> JournalWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _write_line(self, data: Mapping[str, Any]) -> int:
        if not self._is_dirty:
            self._require_own()
        line, checksum = encode_line(data, self._checksum, self._line_end)
        if self._end + len(line) > MAX_BYTES:
            raise JournalError(
                "{path} is full: the limit of a saved game is {most} bytes", "full", path=self._path, most=MAX_BYTES
            )
        self._is_dirty = True
        try:
            if self._length != self._end:
                self._truncate()
            self._file.write(line)
            self._file.flush()  # a crash of the program alone loses nothing
        except OSError as error:
            raise _build_unwritable_error(self._path, error) from None
        self._checksum = checksum
        self._length += len(line)
        self._end = self._length
        return len(line)

    def _truncate(self) -> None:
        """Truncate the file after the last complete line."""
        self._file.truncate(self._end)
        self._length = self._end

    def _require_own(self) -> None:
        """Raise JournalError unless the file is unchanged since the last write of this writer."""
        try:
            on_disk, mine = self._path.stat(), os.fstat(self._file.fileno())
        except FileNotFoundError:
            raise _build_changed_error(self._path, _("it was deleted or moved")) from None
        except OSError as error:
            raise _build_unwritable_error(self._path, error) from None
        if not os.path.samestat(on_disk, mine):
            raise _build_changed_error(self._path, _("another file has replaced it"))
        if mine.st_size != self._length:
            raise _build_changed_error(
                self._path,
                _("another program has written to it") if mine.st_size > self._length else _("it was truncated"),
            )
        if mine.st_mtime_ns != self._stamp:  # perhaps only touched: compare the content
            if not self._is_unchanged_on_disk():
                raise _build_changed_error(self._path, _("another program has written to it"))
            self._stamp = mine.st_mtime_ns

    def _is_unchanged_on_disk(self) -> bool:
        """Return whether the file still has the content that was written last."""
        try:
            return parse_journal(_read_bytes(self._path), "").checksum == self._checksum
        except JournalError:
            return False


def measure_line(entry: Entry) -> int:
    """Return the number of bytes of an entry's line; raise JournalError if it is too long."""
    line, _checksum = encode_line(encode_entry(entry), START, b"\n")
    return len(line)


def write_journal(path: str | os.PathLike[str], header: JournalHeader, entries: Iterable[Entry]) -> None:
    """Write a whole journal atomically, replacing any existing file."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.unlink(missing_ok=True)
        with JournalWriter(draft) as writer:
            writer.start(header)
            for entry in entries:
                writer._write_line(encode_entry(entry))
        replace_file(draft, target)
        sync_folder(target.parent)
    except OSError as error:
        raise _build_unwritable_error(target, error) from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def format_journal(header: JournalHeader, entries: Iterable[Entry]) -> bytes:
    """Return a whole journal as the content of its file; raise JournalError for a line that is too long."""
    lines, checksum = [], START
    for data in ({MARK: FORMAT, **encode_header(header)}, *map(encode_entry, entries)):
        line, checksum = encode_line(data, checksum)
        lines.append(line)
    return b"".join(lines)


def read_journal(path: str | os.PathLike[str]) -> Journal:
    """Return the journal in a file; raise JournalError if the file contains no valid journal.

    The caller still has to compare the identity of the rules.
    """
    name = str(path)
    return parse_journal(_read_bytes(Path(path)), name)


def _read_bytes(path: Path) -> bytes:
    """Return the content of a regular file of limited size."""
    try:
        return read_regular_file(path, MAX_BYTES)
    except NotRegularFileError:
        raise JournalError(
            "{path} is not a file, so it is not a saved game; {where}", "foreign", path=path, where=WHERE
        ) from None
    except FileTooLargeError as fault:
        raise JournalError(
            "{path} is too large for a saved game ({size} bytes; the limit is {most}); {where}",
            "foreign",
            path=path,
            size=fault.size,
            most=MAX_BYTES,
            where=WHERE,
        ) from None
    except FileNotFoundError:
        raise JournalError("the saved game {path} does not exist; {where}", path=path, where=WHERE) from None
    except (OSError, ValueError) as error:
        raise JournalError(
            "cannot read the saved game {path}: {problem}", path=path, problem=format_os_error(error)
        ) from None


def _build_unwritable_error(path: Path, error: OSError) -> JournalError:
    return JournalError("cannot write the saved game {path}: {problem}", path=path, problem=format_os_error(error))


def _build_changed_error(path: Path, change: Message) -> JournalError:
    return JournalError(
        "{path} has changed since it was last written: {found}; nothing more is written to it",
        "changed",
        path=path,
        found=change,
    )
