"""Implement `grognard lsp`: the language server for editors, over standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from typing import BinaryIO

from interpreter.cli.arguments import add_flag
from interpreter.cli.errors import FINDINGS, GOOD, UsageError
from interpreter.files.installing import get_install_command
from interpreter.i18n.translator import get_translator, mark as _

_MAX_BYTES = 256 * 1024 * 1024  # of one message

HELP = _("run the language server for editors, over standard input and output")


class EditorStream:
    """The output stream to the editor; exits the process as soon as the editor has closed it."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def write(self, data: bytes) -> int:
        """Send bytes to the editor and return their number; exit the process if the editor has closed the stream."""
        try:
            return self.stream.write(data)
        except (OSError, ValueError):
            os._exit(FINDINGS)

    def flush(self) -> None:
        """Flush the stream; exit the process if the editor has closed it."""
        try:
            self.stream.flush()
        except (OSError, ValueError):
            os._exit(FINDINGS)

    def close(self) -> None:
        """Close the stream."""
        self.stream.close()


class EditorInput:
    """The input stream from the editor; refuses messages too long for any document."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def readline(self) -> bytes:
        """Read a line of a message's head."""
        return self.stream.readline(_MAX_BYTES)

    def read(self, size: int) -> bytes:
        """Read the body of a message; raise UsageError if its announced length is over the limit."""
        if size > _MAX_BYTES:
            raise UsageError(
                "the editor announces a message of {size:,} bytes; at most {most:,} are read",
                size=size,
                most=_MAX_BYTES,
            )
        return self.stream.read(size)

    def close(self) -> None:
        """Close the stream."""
        self.stream.close()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_flag(parser, "--stdio", _("accepted because editors pass it; it is the only mode"))


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor ends the session."""
    try:
        import pygls  # noqa: F401
    except ImportError:
        raise UsageError(
            "the language server needs the extra `lsp`: {command}", command=get_install_command("lsp")
        ) from None
    from interpreter.tools.lsp.server import make_server

    server = make_server(get_translator(arguments.lang))
    stream = EditorStream(
        os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    )  # a duplicate, because the server closes its stream
    out, sys.stdout = sys.stdout, sys.stderr  # the original output is reserved for the protocol
    try:
        server.start_io(EditorInput(sys.stdin.buffer), stream)  # type: ignore[arg-type]
    finally:
        sys.stdout = out
    return GOOD
