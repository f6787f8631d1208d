"""Implement `grognard fmt`: format rules files and documents consistently."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from interpreter.cli.errors import FINDINGS, GOOD, USAGE
from interpreter.cli.file_fixes import add_paths, read_files
from interpreter.cli.output import print_line
from interpreter.files.safe_read import overwrite_atomically
from interpreter.i18n.translator import Translator, get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.tools.formatting.formatted_files import FormattedFile

HELP = _("format rules files and documents; the content does not change")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_paths(parser)


def run(arguments: argparse.Namespace) -> int:
    """Format all files, or none if one of them cannot be parsed."""
    from interpreter.tools.formatting.formatted_files import format_files

    say = get_translator(arguments.lang)
    refusal = say("nothing was written: files that cannot be read cannot be formatted")
    files = read_files(arguments.paths, format_files, refusal, say)
    if files is None:
        return USAGE
    changed = [file for file in files if file.is_changed]
    if arguments.check:
        for file in changed:
            print_line(say("{file} would be formatted", file=file.path.as_posix()))
    else:
        _write(changed, say)
    print_line(_format_summary(len(changed), len(files), arguments.check, say))
    return FINDINGS if arguments.check and changed else GOOD


def _write(changed: list[FormattedFile], say: Translator) -> None:
    for file in changed:
        overwrite_atomically(file.path, file.after)
        print_line(say("{file} formatted", file=file.path.as_posix()))


def _format_summary(changed: int, files: int, is_check: bool, say: Translator) -> str:
    if not files:
        return say("no rules files or documents were found")
    if not changed:
        return say("files already formatted: {files}", files=files)
    if is_check:
        return say("files that would be formatted: {changed} of {files}", changed=changed, files=files)
    return say("files formatted: {changed} of {files}", changed=changed, files=files)
