"""The text of a journal: JSON Lines, each with a checksum over itself and all lines before it.

Changes that mail programs and editors make around the lines do not change the game: other line ends, a byte order
mark, text below the last line. Changes inside a line are detected. Reads and writes no files, and replays nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

from interpreter.i18n.translator import LocalizedError, Message, mark as _
from interpreter.saves.entries import Entry, EntryError, JournalHeader, decode_entry, decode_header

FORMAT = 3
READABLE_FORMATS = (2, 3)  # format versions; only the header has changed since 2
MAX_LINE_BYTES = 256 * 1024
MARK = "grognard"
START = "grognard journal"  # initial value of the checksum chain
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_CHECKED = re.compile(rb'(\{.*),"c":"([0-9a-f]{12})"\}', re.DOTALL)
_TAIL = re.compile(rb'"c":"[0-9a-f]{12}"\}\r?$')
_PRINTED = re.compile(rb"[ -~]*")
_TEXT = re.compile(rb"[\t\n\f\r\x20-\xff]*")
_PACKED = (
    (b"PK\x03\x04", _("a zip archive")),
    (b"\x1f\x8b", _("a gzip file")),
    (b"BZh", _("a bzip2 file")),
    (b"\xfd7zXZ", _("an xz file")),
    (b"\x28\xb5\x2f\xfd", _("a zstd file")),
    (b"7z\xbc\xaf", _("a 7z archive")),
    (b"Rar!", _("a rar archive")),
)
_PICTURES = (
    (b"\x89PNG", _("a PNG picture")),
    (b"\xff\xd8\xff", _("a JPEG picture")),
    (b"GIF8", _("a GIF picture")),
    (b"%PDF", _("a PDF document")),
)
WHERE = _("to list the saved games on this computer: `grognard list games`")


class JournalError(LocalizedError):
    """Raised when a journal cannot be read or written; the message is a sentence for the player.

    `fault` is "altered", "foreign", "changed" (since the file was read or last written), or ''; `line` is the number of
    the affected line, 0 if none.
    """

    def __init__(self, sentence: str, /, fault: str = "", line: int = 0, **holes: object) -> None:
        self.fault = fault
        self.line = line
        super().__init__(sentence, **holes)


@dataclass(frozen=True, slots=True)
class Journal:
    """Parsed content of a journal file.

    `is_torn`: the last line was truncated and is left out. `has_text_below`: the last line is followed by text that
    does not belong to the game, such as a mail signature. `length`: the number of bytes in whole lines, including the
    byte order mark if `is_marked`. `checksum`: the checksum of the last line, from which a writer continues, with the
    line ends `line_end`. `size`: the number of bytes of the file; `sizes`: the number of bytes of the line of each
    entry.
    """

    header: JournalHeader
    entries: tuple[Entry, ...]
    is_torn: bool
    has_text_below: bool = field(default=False, compare=False)
    length: int = field(default=0, compare=False)
    checksum: str = field(default="", compare=False)
    size: int = field(default=0, compare=False)
    line_end: bytes = field(default=b"\n", compare=False)
    is_marked: bool = field(default=False, compare=False)
    sizes: tuple[int, ...] = field(default=(), compare=False)


def parse_journal(content: bytes, name: str) -> Journal:
    """Parse the journal in a file's bytes; raise JournalError if it is invalid. `name` is for messages only."""
    _require_journal(content, name)
    length = len(_BYTE_ORDER_MARK) if content.startswith(_BYTE_ORDER_MARK) else 0
    is_marked = length > 0
    lines = content[length:].split(b"\n")
    rest = lines.pop()  # incomplete line after the last line end
    if not lines:
        raise JournalError("{name} ends inside its first line, so it contains no game", name=name)
    _require_known_format(lines[0], name)
    line_end = b"\r\n" if lines[0].endswith(b"\r") else b"\n"
    checksum, below = START, False
    header: JournalHeader | None = None
    entries: list[Entry] = []
    sizes: list[int] = []
    for number, line in enumerate(lines, 1):
        if header is not None and not line.startswith(b'{"'):
            _require_text_below([*lines[number - 1 :], rest], number, name)
            below = True
            break
        data, checksum = _verify_line(line.removesuffix(b"\r"), checksum, number, name)
        try:
            if header is None:
                header = decode_header(data)
            else:
                entries.append(decode_entry(data))
                sizes.append(len(line) + 1)
        except EntryError as error:
            raise JournalError(
                "{name}: line {number} cannot be used: {error}",
                "altered",
                number,
                name=name,
                number=number,
                error=error,
            ) from None
        length += len(line) + 1
    assert header is not None
    torn = not below and bool(rest)
    if torn and not _may_be_torn_line(rest):
        _require_text_below([rest], len(lines) + 1, name)
        torn, below = False, True
    elif torn:
        _require_torn(rest, checksum, len(lines) + 1, name)
    return Journal(
        header,
        tuple(entries),
        is_torn=torn,
        has_text_below=below,
        length=length,
        checksum=checksum,
        size=len(content),
        line_end=line_end,
        is_marked=is_marked,
        sizes=tuple(sizes),
    )


def list_text_remarks(journal: Journal) -> list[Message]:
    """Return remarks on the harmless changes that mail programs and editors made around the lines of a journal."""
    remarks = []
    if journal.is_marked:
        remarks.append(_("the file begins with a byte order mark, which some editors add"))
    if journal.line_end != b"\n":
        remarks.append(_("its lines end with CR LF, which mail programs and Windows editors write"))
    if journal.has_text_below:
        remarks.append(_("the text below its last line is not part of the game; playing on with the file removes it"))
    return remarks


def _may_be_torn_line(rest: bytes) -> bool:
    """Return whether the bytes after the last line end can be the beginning of a line.

    A power failure may leave zeros there.
    """
    start = rest.rstrip(b"\0")
    return start.startswith(b'{"'[: len(start)])


def _require_text_below(lines: Sequence[bytes], number: int, name: str) -> None:
    """Raise JournalError unless the lines after line `number` are text unrelated to the game.

    Text that resembles a changed or split line of a journal counts as related.
    """
    for line in lines:
        if not _TEXT.fullmatch(line) or _is_like_entry(line):
            raise _build_altered_error(name, number, _("it is not the beginning of a line"))


def _is_like_entry(line: bytes) -> bool:
    """Return whether a line resembles a line of a journal; whole lines quoted by a mail program do not count."""
    bare = line.strip()
    if bare.startswith(b">") and bare.lstrip(b"> \t").startswith(b'{"'):
        return False
    return bare.startswith(b"{") or _TAIL.search(bare) is not None


def _require_journal(content: bytes, name: str) -> None:
    """Raise JournalError for content that was never a journal, or was saved in another encoding."""
    if not content:
        raise JournalError("{name} is empty, so it contains no game; {where}", "foreign", name=name, where=WHERE)
    if content.startswith((b"\xff\xfe", b"\xfe\xff", b"{\0", b"\0{")):
        raise JournalError(
            "cannot decode {name}: a saved game is plain UTF-8; use the original file, not one saved by an editor",
            "altered",
            1,
            name=name,
        )
    content = content.removeprefix(_BYTE_ORDER_MARK)
    start = b'{"' + MARK.encode() + b'":'
    if content.startswith(start[: len(content)]):
        return
    if _TAIL.search(content.split(b"\n", 1)[0]):
        raise _build_altered_error(name, 1, _("its beginning has changed since it was written"))
    for mark, description in _PACKED:
        if content.startswith(mark):
            raise JournalError(
                "{name} is {kind}, not a saved game: unpack it, and give the file inside",
                "foreign",
                name=name,
                kind=description,
            )
    raise JournalError(
        "{name} is not a saved game: it looks like {kind}; give a file written by `grognard play`; {where}",
        "foreign",
        name=name,
        kind=_describe_foreign_file(content),
        where=WHERE,
    )


def _describe_foreign_file(content: bytes) -> Message:
    """Describe the apparent type of a foreign file."""
    for mark, description in _PICTURES:
        if content.startswith(mark):
            return description
    head = content[:4096]
    if b"\0" in head:
        return _("no text")
    return _("JSON of another program") if head.lstrip()[:1] in (b"{", b"[") else _("something else")


def _require_known_format(line: bytes, name: str) -> None:
    """Raise JournalError if the first line states an unknown format; otherwise its lines can be verified."""
    data = _parse_json_line(line)
    version = data.get(MARK) if data else None
    if not isinstance(version, int) or isinstance(version, bool) or version in READABLE_FORMATS:
        return
    if version > FORMAT:
        raise JournalError(
            "{name} has journal format {found}, which is too new: this version reads format "
            "{format}; update grognard to use it",
            name=name,
            found=version,
            format=FORMAT,
        )
    raise JournalError(
        "{name} has journal format {found}, which is too old: this version reads formats {first} to "
        "{format}; continue it with the version of grognard that started it",
        name=name,
        found=version,
        first=READABLE_FORMATS[0],
        format=FORMAT,
    )


def _build_altered_error(name: str, number: int, change: Message) -> JournalError:
    """Return the error for an altered line, with the way to recover.

    `name`: the name of the file; `number`: the number of the line; `change`: the problem found.
    """
    cure = (
        _(
            "the lines above it are unchanged: to continue from there, delete line {number} and all lines "
            "below it in a copy",
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
        found=change,
        cure=cure,
    )


def _require_torn(rest: bytes, checksum: str, number: int, name: str) -> None:
    """Raise JournalError unless `rest`, the bytes after the last line end, can be an incomplete line.

    `checksum`: the checksum of the line before; `number`: the number of the line. A power failure may leave zeros.
    """
    start = rest.rstrip(b"\0")
    if not start:
        return
    written = start.removesuffix(b"\r")
    if len(rest) > MAX_LINE_BYTES or not _PRINTED.fullmatch(written):
        raise _build_altered_error(name, number, _("it is not the beginning of a line"))
    try:
        _data, end = json.JSONDecoder().raw_decode(written.decode("ascii"))
    except (ValueError, RecursionError):
        return
    match = _CHECKED.fullmatch(written) if len(start) == len(rest) else None
    if end < len(written) or match is None or match[2].decode() != compute_checksum(checksum, match[1]):
        raise _build_altered_error(name, number, _("its end has changed since it was written"))


def _verify_line(line: bytes, before: str, number: int, name: str) -> tuple[Mapping[str, Any], str]:
    """Return (data, checksum) of a line. Raise JournalError unless the line is unchanged and follows the one before.

    `before`: the checksum of the line before; `number` and `name`: the line's number and the file's name, for messages.
    """
    if len(line) > MAX_LINE_BYTES:
        raise JournalError(
            "{name}: line {number} is too long ({size} bytes; the limit is {most})",
            "altered",
            number,
            name=name,
            number=number,
            size=len(line),
            most=MAX_LINE_BYTES,
        )
    match = _CHECKED.fullmatch(line)
    if match is None:
        raise _build_altered_error(name, number, _("it does not end with a checksum"))
    if match[2].decode() != compute_checksum(before, match[1]):
        raise _build_altered_error(
            name, number, _("its checksum does not match, or a line before it was removed or inserted")
        )
    data = _parse_json_line(line)
    if data is None:
        raise JournalError(
            "{name}: line {number} cannot be used: it is not a JSON object", "altered", number, name=name, number=number
        )
    return data, match[2].decode()


def encode_line(data: Mapping[str, Any], before: str, line_end: bytes = b"\n") -> tuple[bytes, str]:
    """Return a line with its checksum and line end, and the checksum; raise JournalError if it is too long.

    `before`: the checksum of the line before. The line is ASCII only, so that encodings cannot corrupt it.
    """
    body = json.dumps(data, separators=(",", ":"), allow_nan=False).encode("ascii")[:-1]
    checksum = compute_checksum(before, body)
    line = body + b',"c":"' + checksum.encode("ascii") + b'"}' + line_end
    if len(line) > MAX_LINE_BYTES:
        raise JournalError(
            "a line of the saved game would have {size} bytes; the limit is {most}", size=len(line), most=MAX_LINE_BYTES
        )
    return line, checksum


def compute_checksum(before: str, body: bytes) -> str:
    """Return the checksum of a line as 12 hexadecimal digits.

    `before`: the checksum of the line before; `body`: the line up to its own checksum.
    """
    return blake2b(body, digest_size=6, key=before.encode("ascii")).hexdigest()


def _parse_json_line(line: bytes) -> Mapping[str, Any] | None:
    """Return a line as a JSON object, or None if it is anything else."""
    if len(line) > MAX_LINE_BYTES:
        return None
    try:
        data = json.loads(line.decode("utf-8"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not valid JSON")
