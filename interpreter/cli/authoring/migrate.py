"""Implement `grognard migrate`: upgrade documents and rules of an older format to the newest."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from interpreter.cli.errors import FINDINGS, GOOD, USAGE
from interpreter.cli.file_fixes import add_paths, read_files
from interpreter.cli.output import print_line, print_message
from interpreter.files.safe_read import overwrite_atomically
from interpreter.i18n.translator import Translator, get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.tools.migration import MigratedFile

HELP = _("update documents and rules to the newest format; comments and layout are preserved")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_paths(parser)


def run(arguments: argparse.Namespace) -> int:
    """Migrate all files, or none if one of them cannot be parsed."""
    from interpreter.documents.reading.formats import get_newest_format
    from interpreter.tools.migration import migrate_files

    say = get_translator(arguments.lang)
    refusal = say("nothing was written: files that cannot be read cannot be changed")
    migrated = read_files(arguments.paths, migrate_files, refusal, say)
    if migrated is None:
        return USAGE
    changed = [file for file in migrated if file.file.is_changed]
    for file in migrated:
        _print_migrated(file, arguments.check, say)
        if file.file.is_changed and not arguments.check:
            overwrite_atomically(file.path, file.file.after)
    if not changed:
        print_message(
            say(
                "nothing to do: format {format} is the newest ({files} files)",
                format=get_newest_format(),
                files=len(migrated),
            )
        )
    return FINDINGS if arguments.check and changed else GOOD


def _print_migrated(file: MigratedFile, is_check: bool, say: Translator) -> None:
    from interpreter.documents.reading.formats import get_newest_format

    if file.file.is_changed:
        holes = {"file": file.path.as_posix(), "before": file.file.format, "now": get_newest_format()}
        print_line(
            say("{file} would be updated from format {before} to {now}", **holes)
            if is_check
            else say("{file} updated from format {before} to {now}", **holes)
        )
    for change in file.changes:
        print_line(f"  {say(change)}")
    for remark in file.remarks:
        print_line("  " + say("check {place}: {what}", place=remark.span, what=remark.message))
