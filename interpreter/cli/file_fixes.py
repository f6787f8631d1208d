"""Code shared by the commands that change or watch ruleset files: `fmt`, `migrate`, `check --fix` and `--watch`.

Fixes and affected cases are determined elsewhere.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from interpreter.cli.arguments import add_flag
from interpreter.cli.errors import format_counts
from interpreter.cli.output import log_error, print_line, print_message
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.rendering import format_span_start, render
from interpreter.diagnostics.terminal_text import escape_text
from interpreter.files.safe_read import overwrite_atomically
from interpreter.i18n.translator import Translator, mark as _

if TYPE_CHECKING:
    from interpreter.tools.autofix.watcher import RulesetWatcher, ScanResult

SCAN_INTERVAL = 0.5  # seconds between two scans


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Add PATH... and --check."""
    parser.add_argument("paths", metavar=_("PATH"), nargs="+", help=_("a built-in ruleset, a folder or a file"))
    add_flag(parser, "--check", _("write nothing; list the files that would change, and exit with 1"))


class _File(Protocol):
    @property
    def path(self) -> Path:
        """Return the path of the file."""


_AnyFile = TypeVar("_AnyFile", bound=_File)


def read_files(
    paths: Sequence[str], read: Callable[[str, Sink], Iterable[_AnyFile]], refusal: str, say: Translator
) -> list[_AnyFile] | None:
    """Read every file once by `read` and return all; if one cannot be read, print all errors and return None.

    `read` yields the files of a path and reports errors to a sink; `refusal`: the message printed after the errors.
    """
    sink = Sink()
    files = {file.path.resolve(): file for path in dict.fromkeys(paths) for file in read(path, sink)}
    if not sink.has_errors:
        return list(files.values())
    print(render(sink.list_errors(), colour=sys.stderr.isatty(), say=say), file=sys.stderr)
    log_error(refusal, is_apart=True)
    return None


def fix(target: str, say: Translator, is_printed: bool = True) -> int:
    """Apply the certain fixes to a target and return their number; `is_printed`: print each of them."""
    from interpreter.tools.autofix.apply_fixes import apply_fixes

    result = apply_fixes(target)
    for path, content in result.texts.items():
        overwrite_atomically(path, content)
    for applied in result.cured if is_printed else ():
        print_line(
            say(
                "{place}: `{before}` is now `{after}` [{code}]",
                place=format_span_start(applied.diagnostic.span),
                before=escape_text(applied.before),
                after=escape_text(applied.after),
                code=applied.diagnostic.code,
            )
        )
    return len(result.cured)


def watch(target: str, say: Translator, scans: int | None = None) -> None:
    """Scan a target repeatedly and print the findings, until interrupted or after `scans` scans (None: no limit)."""
    from interpreter.tools.autofix.watcher import RulesetWatcher

    watcher = RulesetWatcher(target)
    print_message(say("watching {target}; to stop, press Ctrl-C", target=target))
    while scans is None or scans > 0:
        _check_and_print(watcher, say)
        scans = None if scans is None else scans - 1
        if scans != 0:
            time.sleep(SCAN_INTERVAL)


def _check_and_print(watcher: RulesetWatcher, say: Translator) -> None:
    result = watcher.check_for_changes()
    if result is not None:
        print_scan_result(watcher.target, result, say)


def print_scan_result(target: str, result_of_scan: ScanResult, say: Translator) -> None:
    """Print the findings and failed cases of a scan of the target (`result_of_scan`)."""
    if result_of_scan.findings:
        print(render(result_of_scan.findings, say=say) + "\n")
    print_line(f"{target}: {format_counts(result_of_scan.findings, say)}")
    if not result_of_scan.cases:
        return
    for result in result_of_scan.failed:
        print_line(say("FAILED {id}  {title}", id=result.case.id, title=result.case.title))
        for line in result.message.splitlines():
            print_line(f"    {line}")
    print_message(
        say(
            "cases run: {run} of {cases}; failed: {failed}",
            run=result_of_scan.run,
            cases=result_of_scan.cases,
            failed=len(result_of_scan.failed),
        )
    )
