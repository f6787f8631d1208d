"""Safe reading of picture files from strangers: identified by content, limited in size, confined to one folder.

Accepts PNG, JPEG, GIF and WebP only, none of which can contain scripts. Reads the header for kind and size; decodes
nothing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from interpreter.files.foreign_files import identify_foreign_file
from interpreter.files.os_errors import format_os_error
from interpreter.files.safe_read import FileTooLargeError, NotRegularFileError, read_regular_file
from interpreter.i18n.translator import Message, mark as _

MAX_BYTES = 16 * 1024 * 1024
MAX_PIXELS = 64_000_000
_MEGABYTE = 1024 * 1024
_NAME_BYTES = 12
_SIZE_MARKERS = frozenset((*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)))  # of JPEG
_MAX_MARKERS = 10_000  # before the size in a JPEG; large colour profiles and thumbnails take a few hundred
_BARE_MARKERS = frozenset((0x01, *range(0xD0, 0xD9)))  # JPEG markers without a length


@dataclass(frozen=True, slots=True)
class PictureHeader:
    """The kind of a picture ("png", "jpeg", "gif" or "webp") and its width and height in pixels."""

    kind: str
    size: tuple[int, int]


def build_content_name(content: bytes, kind: str) -> str:
    """Return the name under which a page finds a picture: a digest of its content, and its kind."""
    return f"{blake2b(content, digest_size=_NAME_BYTES).hexdigest()}.{kind}"


@dataclass(frozen=True, slots=True)
class CheckedPicture:
    """A picture file that is safe to show: its path, its header and its content."""

    path: Path
    header: PictureHeader
    content: bytes


class PictureError(Exception):
    """Raised for a file that cannot be used as a picture; `problem` says why, `cure` what to do."""

    def __init__(self, problem: Message, cure: Message) -> None:
        self.problem = problem
        self.cure = cure
        super().__init__(problem)


def read_picture_header(data: bytes) -> PictureHeader | None:
    """Return the kind and size of a picture, or None if `data` does not begin like PNG, JPEG, GIF or WebP."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and data[12:16] == b"IHDR" and len(data) >= 24:
        return PictureHeader("png", (int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")))
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        return PictureHeader("gif", (int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")))
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        size = _read_webp_size(data)
    elif data.startswith(b"\xff\xd8\xff"):
        size = _read_jpeg_size(data)
        return None if size is None else PictureHeader("jpeg", size)
    else:
        return None
    return None if size is None else PictureHeader("webp", size)


def _read_webp_size(data: bytes) -> tuple[int, int] | None:
    """Return width and height of a WebP picture (extended, lossless or lossy), or None if the header is incomplete."""
    if len(data) < 30:
        return None
    if data[12:16] == b"VP8X":
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if data[12:16] == b"VP8L" and data[20] == 0x2F:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if data[12:16] == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None


def _read_jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Return the size in the first frame header of a JPEG, or None without such a header."""
    index = 2
    for _marker in range(_MAX_MARKERS):
        if index + 9 >= len(data) or data[index] != 0xFF:
            return None
        marker = data[index + 1]
        if marker == 0xFF:
            index += 1  # fill byte
        elif marker in _SIZE_MARKERS:
            return int.from_bytes(data[index + 7 : index + 9], "big"), int.from_bytes(
                data[index + 5 : index + 7], "big"
            )
        elif marker in _BARE_MARKERS:
            index += 2
        else:
            index += 2 + max(2, int.from_bytes(data[index + 2 : index + 4], "big"))
    return None


def read_picture(root: Path, name: str) -> CheckedPicture:
    """Return a picture in a folder. Raises PictureError if it cannot be used.

    `name` is relative to the folder, with `/` between its parts; no part may be a link.
    """
    path = _resolve_inside(root, name)
    try:
        data = read_regular_file(path, MAX_BYTES, follow=False)
    except FileNotFoundError:
        raise PictureError(
            _("the ruleset's folder holds no picture `{name}`", name=name),
            _("put the file into the folder, or correct the name; capital letters count"),
        ) from None
    except FileTooLargeError as fault:
        raise PictureError(
            _("the picture takes {size} megabytes", size=round(fault.size / _MEGABYTE)),
            _("save it smaller: at most {most} megabytes", most=MAX_BYTES // _MEGABYTE),
        ) from None
    except NotRegularFileError:
        raise PictureError(
            _("`{name}` is not an ordinary file", name=name), _("put the picture itself into the folder, not a link")
        ) from None
    except (OSError, ValueError) as fault:
        reason = format_os_error(fault)
        raise PictureError(
            _("the picture cannot be read: {reason}", reason=reason), _("check its permissions")
        ) from None
    return CheckedPicture(path, _check_picture(name, data), data)


def _check_picture(name: str, data: bytes) -> PictureHeader:
    """Return the header of a picture. Raises PictureError for another kind of file, and for too many pixels."""
    header = read_picture_header(data)
    if header is None:
        foreign = identify_foreign_file(data)
        sort = foreign.description if foreign is not None else _("a file of another kind")
        raise PictureError(
            _("`{name}` is {what}, not a PNG, JPEG, GIF or WebP picture", name=name, what=sort),
            _("open it in a picture program and save it as PNG or JPEG"),
        )
    width, height = header.size
    if not 0 < width * height <= MAX_PIXELS:
        raise PictureError(
            _("the picture is {wide} pixels wide and {high} high", wide=width, high=height),
            _("scale it down: at most {most} million pixels in all", most=MAX_PIXELS // 1_000_000),
        )
    return header


def _resolve_inside(root: Path, name: str) -> Path:
    """Return the path of a name in a folder. Raises PictureError if it is outside the folder or passes a link."""
    parts = name.split("/")
    is_plain = all(part not in ("", ".", "..") and "\\" not in part and ":" not in part for part in parts)
    if not is_plain or not name.isprintable():
        raise PictureError(
            _("`{name}` does not name a file in the ruleset's folder", name=name),
            _("put the picture into the folder and write its name, such as map.jpg or pictures/map.jpg"),
        )
    path = root
    for part in parts:
        path = path / part
        if path.is_symlink() or (os.name == "nt" and path.exists() and path.resolve() != path.absolute()):
            raise PictureError(
                _("`{name}` is a link to another place", name=name),
                _("put the picture itself into the ruleset's folder, not a link"),
            )
    return path
