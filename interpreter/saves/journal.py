"""Journals: games on disk as append-only JSON Lines.

Line 1 is the header; then one line for each decision, roll, phase, undo, edit, for whom the
game waits, and the end. Every line ends with a checksum (`c`) over itself and all lines before
it, so a changed byte is noticed wherever it is. A line counts once its line end is on disk: a
torn last line loses that line only. Must not replay anything, nor trust what it reads.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

from interpreter.files.system_words import said_by_system
from interpreter.files.unknown_files import NotOrdinary, TooLarge, read_ordinary
from interpreter.saves.entries import (
    Decision,
    Entry,
    EntryError,
    Header,
    entry_from_data,
    entry_to_data,
    header_from_data,
    header_to_data,
)
from interpreter.words.speech import Sentence, SpokenError, mark as _

FORMAT = 2
MAX_BYTES = 64 * 1024 * 1024
MAX_LINE_BYTES = 256 * 1024
_MARK = "grognard"
_START = "grognard journal"  # what the first line's checksum continues
_CHECKED = re.compile(rb'(\{.*),"c":"([0-9a-f]{12})"\}', re.DOTALL)
_TAIL = re.compile(rb'"c":"[0-9a-f]{12}"\}\r?$')
_PRINTED = re.compile(rb"[ -~]*")
_PICTURES = (
    (b"\x89PNG", _("a PNG picture")),
    (b"\xff\xd8\xff", _("a JPEG picture")),
    (b"GIF8", _("a GIF picture")),
    (b"%PDF", _("a PDF document")),
    (b"PK\x03\x04", _("a zip archive")),
    (b"\x1f\x8b", _("a packed file")),
)
_WHERE = _("`grognard list games` shows the games kept on this machine")


class JournalError(SpokenError):
    """A journal cannot be read or written; the message is a sentence for its owner.

    `fault` is "altered", "foreign" or "changed" (since it was last looked at), else ''; `line` is
    the line it was found in, 0 where there is none.
    """

    def __init__(self, sentence: str, /, fault: str = "", line: int = 0, **holes: object) -> None:
        self.fault = fault
        self.line = line
        super().__init__(sentence, **holes)


@dataclass(frozen=True, slots=True)
class Journal:
    """What a journal file says.

    `torn`: the last line was cut short and is left out. `length` is the number of bytes that
    hold whole lines, `checksum` that of the last of them: where a writer goes on. `size` is that of the file.
    """

    header: Header
    entries: tuple[Entry, ...]
    torn: bool
    length: int = field(default=0, compare=False)
    checksum: str = field(default="", compare=False)
    size: int = field(default=0, compare=False)


class JournalWriter:
    """Writes a journal line by line; a decision is on disk when `write` returns.

    `JournalWriter(path)` makes a new file and refuses one that exists; call `start` first.
    JournalError says what went wrong. Before it writes it makes sure that the file is as it left it: one that
    somebody else has lengthened, cut, changed, deleted or put another in place of is not written to.
    """

    __slots__ = ("_checksum", "_file", "_is_dirty", "_length", "_path", "_stamp")

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = Path(path)
        self._checksum = _START
        self._is_dirty, self._length, self._stamp = True, 0, 0
        try:
            self._file: BinaryIO = self._path.open("xb")
        except FileExistsError:
            raise JournalError("{path} exists already: choose another name, or resume it", path=self._path) from None
        except OSError as error:
            raise _unwritable(self._path, error) from None

    @classmethod
    def reopen(cls, path: str | os.PathLike[str], journal: Journal) -> JournalWriter:
        """Go on writing the file that `journal` was read from; a torn last line is cut off before anything is written.

        JournalError when the file is no longer what was read.
        """
        writer = cls.__new__(cls)
        writer._path = Path(path)
        writer._checksum = journal.checksum
        writer._is_dirty, writer._length, writer._stamp = False, journal.length, 0
        try:
            writer._file = writer._path.open("r+b")
            if os.fstat(writer._file.fileno()).st_size != journal.size:
                writer._file.close()
                raise _changed(writer._path, _("its length is no longer what was read"))
            if journal.torn:  # only then: what is merely opened keeps its date
                writer._file.truncate(journal.length)
            writer._file.seek(journal.length)
        except OSError as error:
            raise _unwritable(writer._path, error) from None
        return writer

    def start(self, header: Header) -> None:
        """Write the first line, safely on disk when this returns."""
        self._put({_MARK: FORMAT, **header_to_data(header)})
        self.sync()

    def write(self, entry: Entry) -> None:
        """Append one entry; a decision takes everything before it to disk with it."""
        data = entry_to_data(entry)
        try:
            entry_from_data(data)  # what is written must be readable
        except EntryError as error:
            raise JournalError("this cannot be written into a journal: {error}", error=error) from None
        self._put(data)
        if isinstance(entry, Decision):
            self.sync()

    def sync(self) -> None:
        """Return only when everything written so far is on disk."""
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
            if self._is_dirty:
                self._stamp = os.fstat(self._file.fileno()).st_mtime_ns
        except OSError as error:
            raise _unwritable(self._path, error) from None
        self._is_dirty = False

    def close(self) -> None:
        """Take everything to disk and close the file; closing twice does no harm."""
        if not self._file.closed:
            try:
                self.sync()
            finally:
                self._file.close()

    def abandon(self) -> None:
        """Close the file without another word: it is no longer this program's own."""
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

    def _put(self, data: Mapping[str, Any]) -> None:
        if not self._is_dirty:
            self._require_own()
        line, checksum = _checked_line(data, self._checksum)
        self._is_dirty = True
        try:
            self._file.write(line)
            self._file.flush()  # so that only the machine's failure, not the program's, can lose it
        except OSError as error:
            raise _unwritable(self._path, error) from None
        self._checksum = checksum
        self._length += len(line)

    def _require_own(self) -> None:
        """JournalError when the file is no longer as this writer left it."""
        try:
            here, mine = self._path.stat(), os.fstat(self._file.fileno())
        except FileNotFoundError:
            raise _changed(self._path, _("it was deleted or moved away")) from None
        except OSError as error:
            raise _unwritable(self._path, error) from None
        if not os.path.samestat(here, mine):
            raise _changed(self._path, _("another file stands in its place"))
        if mine.st_size != self._length:
            raise _changed(
                self._path,
                _("something else has written to it") if mine.st_size > self._length else _("it was cut short"),
            )
        if mine.st_mtime_ns != self._stamp:  # perhaps only its date: what counts is what stands in it
            if not self._is_as_written():
                raise _changed(self._path, _("something else has written to it"))
            self._stamp = mine.st_mtime_ns

    def _is_as_written(self) -> bool:
        try:
            return parse_journal(_read_bytes(self._path), "").checksum == self._checksum
        except JournalError:
            return False


def write_journal(path: str | os.PathLike[str], header: Header, entries: Iterable[Entry]) -> None:
    """Write a whole journal at once, in place of whatever stood there; never leaves half a file."""
    target = Path(path)
    draft = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        draft.unlink(missing_ok=True)
        with JournalWriter(draft) as writer:
            writer.start(header)
            for entry in entries:
                writer._put(entry_to_data(entry))
        draft.replace(target)
    except OSError as error:
        raise _unwritable(target, error) from None
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def read_journal(path: str | os.PathLike[str]) -> Journal:
    """The journal in a file; JournalError when there is none that can be trusted.

    The caller still has to compare the ruleset's content hash.
    """
    name = str(path)
    return parse_journal(_read_bytes(Path(path)), name)


def parse_journal(content: bytes, name: str) -> Journal:
    """As `read_journal`, from the bytes of a file; `name` is used in messages only."""
    _require_journal(content, name)
    lines = content.split(b"\n")
    rest = lines.pop()  # what follows the last line end is no line yet
    if not lines:
        raise JournalError("{name} ends inside its first line: there is no game in it", name=name)
    _require_known_format(lines[0], name)
    checksum = _START
    header: Header | None = None
    entries: list[Entry] = []
    for number, line in enumerate(lines, 1):
        data, checksum = _checked_data(line, checksum, number, name)
        try:
            if header is None:
                header = header_from_data(data)
            else:
                entries.append(entry_from_data(data))
        except EntryError as error:
            raise JournalError(
                "{name}: line {number} cannot be used: {error}",
                "altered",
                number,
                name=name,
                number=number,
                error=error,
            ) from None
    assert header is not None
    _require_torn(rest, checksum, len(lines) + 1, name)
    length = sum(len(line) + 1 for line in lines)
    return Journal(header, tuple(entries), bool(rest), length, checksum, len(content))


def _read_bytes(path: Path) -> bytes:
    """Content of a regular file of bearable size."""
    try:
        return read_ordinary(path, MAX_BYTES)
    except NotOrdinary:
        raise JournalError(
            "{path} is not a file, but a journal is one; {where}", "foreign", path=path, where=_WHERE
        ) from None
    except TooLarge as fault:
        raise JournalError(
            "{path} is too large for a journal ({size} bytes; at most {most} are read); {where}",
            "foreign",
            path=path,
            size=fault.size,
            most=MAX_BYTES,
            where=_WHERE,
        ) from None
    except FileNotFoundError:
        raise JournalError("{path} was not found: there is no such journal; {where}", path=path, where=_WHERE) from None
    except (OSError, ValueError) as error:
        raise JournalError(
            "cannot read the journal {path}: {problem}", path=path, problem=said_by_system(error)
        ) from None


def _require_journal(content: bytes, name: str) -> None:
    """Refuse what was never a journal, and journals that an editor saved in another encoding."""
    if not content:
        raise JournalError("{name} is empty: there is no game in it; {where}", "foreign", name=name, where=_WHERE)
    if content.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"{\0", b"\0{")):
        raise JournalError(
            "{name} has an encoding that cannot be read: a journal is plain UTF-8; use the file as "
            "it was written, not as an editor saved it",
            "altered",
            1,
            name=name,
        )
    start = b'{"' + _MARK.encode() + b'":'
    if content.startswith(start[: len(content)]):
        return
    if _TAIL.search(content.split(b"\n", 1)[0]):
        raise _altered(name, 1, _("it does not begin as it was written"))
    raise JournalError(
        "{name} is not a journal: it looks like {kind}; name a file that `grognard play` wrote; {where}",
        "foreign",
        name=name,
        kind=_looks(content),
        where=_WHERE,
    )


def _looks(content: bytes) -> Sentence:
    """What a foreign file seems to be."""
    for mark, words in _PICTURES:
        if content.startswith(mark):
            return words
    head = content[:4096]
    if b"\0" in head:
        return _("no text")
    return _("JSON of another program") if head.lstrip()[:1] in (b"{", b"[") else _("something else")


def _require_known_format(line: bytes, name: str) -> None:
    """Refuse another format before its lines are judged by the checksums of this one."""
    data = _json_data(line)
    found = data.get(_MARK) if data else None
    if not isinstance(found, int) or isinstance(found, bool) or found == FORMAT:
        return
    if found > FORMAT:
        raise JournalError(
            "{name} has journal format {found}, which is too new: this version reads format "
            "{format}; update grognard to use it",
            name=name,
            found=found,
            format=FORMAT,
        )
    raise JournalError(
        "{name} has journal format {found}, which is too old: this version reads format {format}; "
        "play it on with the version of grognard it was begun with",
        name=name,
        found=found,
        format=FORMAT,
    )


def _altered(name: str, number: int, found: Sentence) -> JournalError:
    """The error for a line that is not as it was written, with what can be done."""
    cure = (
        _(
            "the lines above it are as written: to go on from there, delete line {number} and all below it in a copy",
            number=number,
        )
        if number > 1
        else _("ask for the file again, or use an older copy")
    )
    return JournalError(
        "{name}: line {number} was altered: {found}; {cure}",
        "altered",
        number,
        name=name,
        number=number,
        found=found,
        cure=cure,
    )


def _require_torn(rest: bytes, checksum: str, number: int, name: str) -> None:
    """Refuse what stands after the last line end if it cannot be the beginning of a line.

    A machine that lost its power may leave zeros there.
    """
    begun = rest.rstrip(b"\0")
    if not begun:
        return
    if len(rest) > MAX_LINE_BYTES or not _PRINTED.fullmatch(begun) or not begun.startswith(b'{"'[: len(begun)]):
        raise _altered(name, number, _("it is not the beginning of a line"))
    try:
        _data, end = json.JSONDecoder().raw_decode(begun.decode("ascii"))
    except (ValueError, RecursionError):
        return
    match = _CHECKED.fullmatch(rest)
    if end < len(begun) or match is None or match[2].decode() != _checksum(checksum, match[1]):
        raise _altered(name, number, _("its end is not as written"))


def _checked_data(line: bytes, before: str, number: int, name: str) -> tuple[Mapping[str, Any], str]:
    """A line's data and checksum, once it is known to follow the lines before it unchanged."""
    if len(line) > MAX_LINE_BYTES:
        raise JournalError(
            "{name}: line {number} is too long ({size} bytes; at most {most} are read)",
            "altered",
            number,
            name=name,
            number=number,
            size=len(line),
            most=MAX_LINE_BYTES,
        )
    if line.endswith(b"\r"):
        raise JournalError(
            "{name}: line {number} was altered: its line end is not as written; use the file as it "
            "was written, not as an editor saved it",
            "altered",
            number,
            name=name,
            number=number,
        )
    match = _CHECKED.fullmatch(line)
    if match is None:
        raise _altered(name, number, _("it does not end with a checksum"))
    if match[2].decode() != _checksum(before, match[1]):
        raise _altered(name, number, _("its checksum does not fit; or a line before it was taken out or put in"))
    data = _json_data(line)
    if data is None:
        raise JournalError(
            "{name}: line {number} cannot be used: it is not a JSON object", "altered", number, name=name, number=number
        )
    return data, match[2].decode()


def _checked_line(data: Mapping[str, Any], before: str) -> tuple[bytes, str]:
    """A line with its checksum and line end, and that checksum. ASCII only: nothing to encode wrongly."""
    body = json.dumps(data, separators=(",", ":"), allow_nan=False).encode("ascii")[:-1]
    checksum = _checksum(before, body)
    line = body + b',"c":"' + checksum.encode("ascii") + b'"}\n'
    if len(line) > MAX_LINE_BYTES:
        raise JournalError(
            "a journal line would take {size} bytes; at most {most} may be", size=len(line), most=MAX_LINE_BYTES
        )
    return line, checksum


def _checksum(before: str, body: bytes) -> str:
    """12 hexadecimal digits; `body` is the line up to its checksum."""
    return blake2b(body, digest_size=6, key=before.encode("ascii")).hexdigest()


def _json_data(line: bytes) -> Mapping[str, Any] | None:
    """A line as a JSON object, or None if it is none, whatever it is instead."""
    if len(line) > MAX_LINE_BYTES:
        return None
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is no JSON")


def _unwritable(path: Path, error: OSError) -> JournalError:
    return JournalError("cannot write the journal {path}: {problem}", path=path, problem=said_by_system(error))


def _changed(path: Path, found: Sentence) -> JournalError:
    return JournalError(
        "{path} is not as it was left: {found}; nothing more is written to it", "changed", path=path, found=found
    )
