"""`grognard lsp`: the language server for editors, over standard input and output."""

from __future__ import annotations

import argparse
import os
import sys
from typing import BinaryIO

from interpreter.cli.arguments import add_flag
from interpreter.cli.failures import FINDINGS, GOOD, UsageError
from interpreter.files.installing import install_command
from interpreter.words.speech import mark as _, speaker

HELP = _("speak with an editor over standard input and output (language server protocol)")


class Spoken:
    """What the editor reads; when the editor has gone, the server goes too instead of telling nobody of it."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def write(self, data: bytes) -> int:
        """Send some bytes."""
        try:
            return self.stream.write(data)
        except (OSError, ValueError):
            os._exit(FINDINGS)

    def flush(self) -> None:
        """Send them now."""
        try:
            self.stream.flush()
        except (OSError, ValueError):
            os._exit(FINDINGS)

    def close(self) -> None:
        """Nothing more is sent."""
        self.stream.close()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_flag(parser, "--stdio", _("as editors ask for it; there is no other way"))


def run(arguments: argparse.Namespace) -> int:
    """Serve until the editor says that it is enough."""
    try:
        import pygls  # noqa: F401
    except ImportError:
        raise UsageError(
            "the language server needs the extra `lsp`: {command}", command=install_command("lsp")
        ) from None
    from interpreter.tools.editing.server import make_server

    server = make_server(speaker(arguments.lang))
    spoken = Spoken(os.fdopen(os.dup(sys.stdout.fileno()), "wb"))  # the server closes what it is given
    out, sys.stdout = sys.stdout, sys.stderr  # the output belongs to the protocol alone
    try:
        server.start_io(sys.stdin.buffer, spoken)  # type: ignore[arg-type]
    finally:
        sys.stdout = out
    return GOOD
