"""Implement `grognard lsp`: the language server for editors, over standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from typing import BinaryIO

from interpreter.cli.arguments import add_flag
from interpreter.cli.errors import FINDINGS, GOOD, UsageError
from interpreter.files.installing import install_command
from interpreter.i18n.translator import mark as _, translator_for

HELP = _("run the language server for editors, over standard input and output")


class EditorStream:
    """The output stream to the editor; exits the process as soon as the editor has closed it."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def write(self, data: bytes) -> int:
        """Send some bytes."""
        try:
            return self.stream.write(data)
        except (OSError, ValueError):
            os._exit(FINDINGS)

    def flush(self) -> None:
        """Flush the stream."""
        try:
            self.stream.flush()
        except (OSError, ValueError):
            os._exit(FINDINGS)

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
            "the language server needs the extra `lsp`: {command}", command=install_command("lsp")
        ) from None
    from interpreter.tools.lsp.server import make_server

    server = make_server(translator_for(arguments.lang))
    spoken = EditorStream(
        os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    )  # a duplicate, because the server closes its stream
    out, sys.stdout = sys.stdout, sys.stderr  # the original output is reserved for the protocol
    try:
        server.start_io(sys.stdin.buffer, spoken)  # type: ignore[arg-type]
    finally:
        sys.stdout = out
    return GOOD
