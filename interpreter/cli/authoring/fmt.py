"""`grognard fmt`: rules files and documents in one layout."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_language
from interpreter.cli.failures import FINDINGS, GOOD, USAGE
from interpreter.cli.output import say, tell, tell_prepared
from interpreter.files.unknown_files import write_whole
from interpreter.source.diagnostic import Sink
from interpreter.words.speech import Say, speaker
from interpreter.words.speech import mark as _

if TYPE_CHECKING:
    from interpreter.tools.formatting.formatted_files import Tidied

HELP = _("bring rules files and documents into one layout; what they say stays as it is")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("paths", metavar=_("PATH"), nargs="+", help=_("a shipped id, a folder or a file"))
    parser.add_argument(
        "--check", action="store_true", help=_("write nothing; name the files that would change, and end with 1")
    )
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Lay out every file, or none where one of them cannot be read."""
    from interpreter.source.rendering import render
    from interpreter.tools.formatting.formatted_files import tidied

    told = speaker(arguments.lang)
    sink = Sink()
    files = {file.path.resolve(): file for path in dict.fromkeys(arguments.paths) for file in tidied(path, sink)}
    if sink.has_errors:
        faults = tuple(d for d in sink.sorted() if d.severity == "error")
        tell_prepared(render(faults, colour=sys.stderr.isatty(), say=told))
        tell("\ngrognard: " + told("nothing has been written: what cannot be read cannot be laid out"))
        return USAGE
    changed = [file for file in files.values() if file.is_changed]
    if arguments.check:
        for file in changed:
            say(told("{file} would change", file=file.path.as_posix()))
    else:
        _write(changed, told)
    say(_summary(len(changed), len(files), arguments.check, told))
    return FINDINGS if arguments.check and changed else GOOD


def _write(changed: list[Tidied], told: Say) -> None:
    for file in changed:
        mode = file.path.stat().st_mode
        write_whole(file.path, file.after)
        file.path.chmod(mode & 0o7777)
        say(told("{file} laid out", file=file.path.as_posix()))


def _summary(changed: int, files: int, is_check: bool, told: Say) -> str:
    if not files:
        return told("no rules files and no documents")
    if not changed:
        return told("files as they should be: {files}", files=files)
    if is_check:
        return told("files that would change: {changed} of {files}", changed=changed, files=files)
    return told("files laid out: {changed} of {files}", changed=changed, files=files)
