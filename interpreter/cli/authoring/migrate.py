"""`grognard migrate`: documents and rules of an older format brought to the newest."""

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
    from interpreter.tools.migration.migrated_files import Migrated

HELP = _("bring documents and rules of an older format to the newest; comments and layout stay")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("paths", metavar=_("PATH"), nargs="+", help=_("a shipped id, a folder or a file"))
    parser.add_argument(
        "--check", action="store_true", help=_("write nothing; name the files that would change, and end with 1")
    )
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Change every file, or none where one of them cannot be read."""
    from interpreter.source.rendering import render
    from interpreter.tools.migration.format_steps import STEPS, newest
    from interpreter.tools.migration.migrated_files import migrated

    told = speaker(arguments.lang)
    sink = Sink()
    files = {one.path.resolve(): one for path in dict.fromkeys(arguments.paths) for one in migrated(path, sink)}
    if sink.has_errors:
        faults = tuple(d for d in sink.sorted() if d.severity == "error")
        tell_prepared(render(faults, colour=sys.stderr.isatty(), say=told))
        tell("\ngrognard: " + told("nothing has been written: what cannot be read cannot be changed"))
        return USAGE
    changed = [one for one in files.values() if one.is_changed]
    for one in changed:
        _tell(one, arguments.check, told)
        if not arguments.check:
            mode = one.path.stat().st_mode
            write_whole(one.path, one.after)
            one.path.chmod(mode & 0o7777)
    if not changed:
        say(
            told(
                "nothing is to be done: format {format} is the newest there is ({files} files)",
                format=newest(STEPS),
                files=len(files),
            )
        )
    return FINDINGS if arguments.check and changed else GOOD


def _tell(one: Migrated, is_check: bool, told: Say) -> None:
    from interpreter.tools.migration.format_steps import FIRST, STEPS, newest

    holes = {"file": one.path.as_posix(), "before": one.format, "now": newest(STEPS)}
    say(
        told("{file} would go from format {before} to {now}", **holes)
        if is_check
        else told("{file} brought from format {before} to {now}", **holes)
    )
    for step in STEPS[one.format - FIRST :]:
        say(f"  {told(step.about)}")
