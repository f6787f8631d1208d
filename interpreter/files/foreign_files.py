"""Recognition of other programs' files by their first bytes, so that a message can name them and suggest what to do."""

from __future__ import annotations

import codecs
import zipfile
from dataclasses import dataclass
from io import BytesIO

from interpreter.i18n.translator import Message, mark as _

_MAX_NAMES = 10_000
_SHARE_OF_NUL = 4  # a file with one zero byte in this many is not UTF-8 text
_UNPACK = _("unpack it, and pass the unpacked folder")
_CHARTS = _("to read a chart from it: grognard table import RULESET TABLE FILE")
_TEXT_ONLY = _("rulesets are plain text: documents end in .yaml, rules in .rules")


@dataclass(frozen=True, slots=True)
class ForeignFile:
    """A file of another program: what it is, and what the user can do with it (`cure`)."""

    description: Message
    cure: Message


_MAGIC: tuple[tuple[bytes, ForeignFile], ...] = (
    (b"\x1f\x8b", ForeignFile(_("a compressed file (gzip)"), _UNPACK)),
    (b"7z\xbc\xaf\x27\x1c", ForeignFile(_("a 7z archive"), _UNPACK)),
    (b"Rar!\x1a\x07", ForeignFile(_("a RAR archive"), _UNPACK)),
    (b"%PDF-", ForeignFile(_("a PDF file"), _TEXT_ONLY)),
    (b"\x89PNG", ForeignFile(_("a picture (PNG)"), _TEXT_ONLY)),
    (b"\xff\xd8\xff", ForeignFile(_("a picture (JPEG)"), _TEXT_ONLY)),
    (b"GIF8", ForeignFile(_("a picture (GIF)"), _TEXT_ONLY)),
    (b"{\\rtf", ForeignFile(_("a formatted text (RTF)"), _("save it as plain text in UTF-8"))),
    (b"SQLite format 3", ForeignFile(_("a database (SQLite)"), _TEXT_ONLY)),
    (b"\xd0\xcf\x11\xe0", ForeignFile(_("an old office file, or one with a password"), _TEXT_ONLY)),
)
_ENCODINGS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)


def identify_foreign_file(data: bytes) -> ForeignFile | None:
    """Identify content that is not text; return None if it may be text."""
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _identify_archive(data)
    for begin, foreign in _MAGIC:
        if data.startswith(begin):
            return foreign
    head = data[:200].removeprefix(codecs.BOM_UTF8).lstrip().lower()
    if head.startswith((b"<?xml", b"<!doctype", b"<html", b"<svg", b"<map", b"<vassal")):
        return ForeignFile(_("a markup file (XML or HTML)"), _TEXT_ONLY)
    return None


def detect_encoding(data: bytes) -> str:
    """Return "UTF-16" or "UTF-32" if a text is in that encoding, else ''."""
    for mark, name in _ENCODINGS:
        if data.startswith(mark):
            return name
    sample = data[:4000]
    return "UTF-16" if len(sample) > 1 and sample.count(0) * _SHARE_OF_NUL > len(sample) else ""


def _identify_archive(data: bytes) -> ForeignFile:
    """Identify a zip archive by the names of its members."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            names = set(archive.namelist()[:_MAX_NAMES])
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError, UnicodeDecodeError):
        return ForeignFile(_("a damaged zip archive"), _("download or copy it again"))
    if "buildFile" in names or "buildFile.xml" in names:
        return ForeignFile(
            _("a VASSAL module"), _("grognard cannot read its map and counters; write them in documents")
        )
    if any(name.startswith("xl/") for name in names) or "content.xml" in names:
        return ForeignFile(_("a spreadsheet or another office file"), _CHARTS)
    if any(name.startswith("word/") for name in names):
        return ForeignFile(_("a word processor document"), _("save it as plain text in UTF-8"))
    return ForeignFile(_("a zip archive"), _UNPACK)
