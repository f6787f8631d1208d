"""Translatable messages for errors of the operating system on reading or writing a file."""

from __future__ import annotations

import errno

from interpreter.files.safe_read import FileTooLargeError, NotRegularFileError
from interpreter.i18n.translator import Message, mark as _

_KNOWN = {
    errno.EACCES: _("permission denied"),
    errno.EPERM: _("operation not permitted"),
    errno.ENOENT: _("no such file or directory"),
    errno.EEXIST: _("file exists"),
    errno.EISDIR: _("is a directory"),
    errno.ENOTDIR: _("not a directory"),
    errno.ENAMETOOLONG: _("file name too long"),
    errno.ENOSPC: _("no space left on device"),
    errno.EDQUOT: _("disk quota exceeded"),
    errno.EFBIG: _("file too large"),
    errno.EROFS: _("read-only file system"),
    errno.EIO: _("input/output error"),
    errno.EMFILE: _("too many open files"),
    errno.ELOOP: _("too many levels of symbolic links"),
    errno.EBUSY: _("device or resource busy"),
    errno.EINVAL: _("invalid argument"),
}


def format_os_error(error: Exception) -> Message:
    """Return the reason for an error as a translatable phrase, without the path and the error number."""
    if error.args and isinstance(error.args[0], Message):
        return error.args[0]
    if isinstance(error, NotRegularFileError):
        return _("it is not a regular file")
    if isinstance(error, FileTooLargeError):
        return _("it is too large ({size} bytes)", size=error.size)
    message = _KNOWN.get(error.errno or 0) if isinstance(error, OSError) else None
    if message is not None:
        return message
    if isinstance(error, OSError) and error.strerror:
        return Message(error.strerror[:1].lower() + error.strerror[1:])
    if isinstance(error, ValueError):  # a NUL or an unencodable character in a path
        return _("this is not a valid file name")
    return _("the system gives no reason")
