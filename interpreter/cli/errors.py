"""Error messages and exit codes of failed commands.

Users never see a traceback; an unknown exception is reported as a fault of the program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from interpreter.cli.output import log, log_error
from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError, count_findings
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import LocalizedError, Translator, get_error_message, mark as _

if TYPE_CHECKING:
    from interpreter.runtime.errors import RuleFault
    from interpreter.simulation.games import GameFault

GOOD, FINDINGS, USAGE = 0, 1, 2
INTERRUPTED = 130  # the shell's convention for a process interrupted from the keyboard
_COUNTED = (
    ("error", _("1 error"), _("{count} errors")),
    ("warning", _("1 warning"), _("{count} warnings")),
    ("note", _("1 note"), _("{count} notes")),
)
_NOT_FOUND = "no-such-ruleset"
MAX_REPORTED_FINDINGS = 200  # maximum number of findings in JSON output


class UsageError(LocalizedError):
    """An error on the command line, such as an unknown name; the message names the problem and the alternatives."""


def print_failure(error: Exception, say: Translator) -> int:
    """Print a failure to standard error in the language of the command and return the exit code."""
    from interpreter.runtime.errors import IllegalAction, RuleFault, SetupError
    from interpreter.saves.journal import JournalError

    match error:
        case UsageError() | SetupError():
            log_error(say(get_error_message(error)))
            return USAGE
        case RulesetError():
            return print_ruleset_faults(error, say)
        case RuleFault():
            log(format_fault(error, say))
            return FINDINGS
        case JournalError() | IllegalAction():
            log_error(say(get_error_message(error)))
            return FINDINGS
        case OSError():
            log_error(_format_system_error(error, say))
            return FINDINGS
    _print_own_fault(error, say)
    return FINDINGS


def print_ruleset_faults(error: RulesetError, say: Translator) -> int:
    """Print why a ruleset cannot be used."""
    from interpreter.diagnostics.rendering import render

    if is_missing(error.diagnostics):
        log_error(format_missing_target(error.diagnostics[0], say))
        return USAGE
    print(render(error.diagnostics, say=say), file=sys.stderr)
    log_error(
        say("the ruleset cannot be used: {summary}", summary=format_counts(error.diagnostics, say)), is_apart=True
    )
    return FINDINGS


def truncate_diagnostics(diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the findings to include in JSON output: all, or a limited number of them, errors first."""
    if len(diagnostics) <= MAX_REPORTED_FINDINGS:
        return tuple(diagnostics)
    errors = [d for d in diagnostics if d.severity == "error"]
    return tuple([*errors, *(d for d in diagnostics if d.severity != "error")][:MAX_REPORTED_FINDINGS])


def format_missing_target(diagnostic: Diagnostic, say: Translator) -> str:
    """Render the message for a target that is not a ruleset, with a suggestion if there is one."""
    from interpreter.diagnostics.suggestions import suggest_words
    from interpreter.files.assets import list_shipped_rulesets

    hint = (
        suggest_words(diagnostic.file, list_shipped_rulesets()) or _("; give a folder or a variant file")
        if diagnostic.help
        else ""
    )
    return f"{diagnostic.file}: {say(diagnostic.message)}{say(hint)}"


def format_counts(diagnostics: Sequence[Diagnostic], say: Translator) -> str:
    """Render the number of findings by severity: "2 errors, 1 warning", or "no findings"."""
    parts = []
    for severity, singular, plural in _COUNTED:
        count = count_findings(d for d in diagnostics if d.severity == severity)
        if count:
            parts.append(say(singular) if count == 1 else say(plural, count=count))
    return say(", ").join(parts) or say("no findings")


def is_missing(diagnostics: Sequence[Diagnostic]) -> bool:
    """Return whether the diagnostics say that the target is not a ruleset at all: a mistake on the command line."""
    return len(diagnostics) == 1 and diagnostics[0].code == _NOT_FOUND and not diagnostics[0].span.source.text


@contextmanager
def prepare_output(file: str | Path) -> Iterator[Path]:
    """Yield the path of an output file or folder that the user names, after creating the folders above it.

    A failure to create or write it within the context becomes a UsageError.
    """
    path = Path(file)
    if path.parent.is_file():
        raise UsageError("{file} is not a folder", file=path.parent)
    try:
        path.absolute().parent.mkdir(parents=True, exist_ok=True)
        yield path
    except (OSError, ValueError) as error:
        raise UsageError("cannot write {file}: {problem}", file=file, problem=format_os_error(error)) from None


def write_new_document(file: str | Path, text: str) -> Path:
    """Write a document to a file that must not exist, and return its path. Raises UsageError on failure."""
    with prepare_output(file) as path, path.open("x", encoding="utf-8", newline="\n") as stream:
        stream.write(text)
    return path


def print_faults(faults: Sequence[GameFault], say: Translator) -> None:
    """Print the first faults of the rules that ended games, each with file, line and the seed of its game."""
    for fault in faults[:10]:
        prefix = f"{fault.file}:{fault.line}: "
        log(prefix + say("error in the rules: {fault} (seed {seed})", fault=fault.message, seed=fault.seed))


def format_fault(fault: RuleFault, say: Translator) -> str:
    """Render a fault of a ruleset during play: its message, the rules line, the call stack, and the seed."""
    prefix = f"{fault.file}:{fault.line}: " if fault.file else ""
    lines = [prefix + say("error in the rules: {fault}", fault=fault.message)]
    lines += [f"  {place}" for place in fault.stack[-8:]]
    if fault.seed is not None:
        lines.append("  " + say("seed: {seed}", seed=fault.seed))
    return "\n".join(lines)


def _format_system_error(error: OSError, say: Translator) -> str:
    words = say(format_os_error(error))
    return f"{error.filename}: {words}" if error.filename else words


def _print_own_fault(error: Exception, say: Translator) -> None:
    frames = extract_tb(error.__traceback__)
    package = Path(__file__).resolve().parents[1]
    ours = [f for f in frames if package in Path(f.filename).parents] or list(frames)
    location = f" ({Path(ours[-1].filename).name}:{ours[-1].lineno})" if ours else ""
    log_error(say("a bug in grognard: {fault}", fault=f"{type(error).__name__}: {error}{location}"))
    log(say("your files are unchanged; please report this line and the command that caused it"))
    if sys.flags.dev_mode:
        raise error
