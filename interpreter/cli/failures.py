"""What a command says, and the code it ends with, when something went wrong.

Nothing that reaches a person is a traceback. Must not hide a failure: an unknown one is told as
a fault of the program.
"""

from __future__ import annotations

import sys
from pathlib import Path
from traceback import extract_tb
from typing import TYPE_CHECKING

from interpreter.cli.output import tell, tell_prepared
from interpreter.source.diagnostic import RulesetError

if TYPE_CHECKING:
    from interpreter.runtime.faults import RuleFault

GOOD, FINDINGS, USAGE = 0, 1, 2
INTERRUPTED = 130  # as a shell expects of whoever was stopped from the keyboard
_NOT_FOUND = "no-such-ruleset"


class UsageError(Exception):
    """The command line asks for something that is not there; the message says what, and what is."""


def tell_failure(error: Exception) -> int:
    """Say what happened on the stream for messages; the exit code."""
    from interpreter.runtime.faults import IllegalAction, RuleFault, SetupError
    from interpreter.runtime.journal import JournalError

    match error:
        case UsageError() | SetupError():
            tell(f"grognard: {error}")
            return USAGE
        case RulesetError():
            return tell_ruleset_faults(error)
        case RuleFault():
            tell(fault_text(error))
            return FINDINGS
        case JournalError() | IllegalAction():
            tell(f"grognard: {error}")
            return FINDINGS
        case OSError():
            tell(f"grognard: {_system_words(error)}")
            return FINDINGS
    _tell_own_fault(error)
    return FINDINGS


def tell_ruleset_faults(error: RulesetError) -> int:
    """Say why a ruleset cannot be used."""
    from interpreter.source.rendering import render, summary

    found = error.diagnostics
    if is_missing(found):
        hint = f"; {found[0].help}" if found[0].help else ""
        tell(f"grognard: {found[0].file}: {found[0].message}{hint}")
        return USAGE
    tell_prepared(render(found))
    tell(f"\ngrognard: the ruleset cannot be used: {summary(found)}")
    return FINDINGS


def is_missing(found: object) -> bool:
    """True for the diagnostics of a target that is no ruleset at all: a slip on the command line."""
    return (
        isinstance(found, tuple)
        and len(found) == 1
        and found[0].code == _NOT_FOUND
        and not found[0].span.source.text
    )


def fault_text(fault: RuleFault) -> str:
    """A fault of a ruleset in play: its words, the line of the rules, how play came there, and the seed."""
    where = f"{fault.file}:{fault.line}: " if fault.file else ""
    lines = [f"{where}fault in the rules: {fault.message}"]
    lines += [f"  {place}" for place in fault.stack[-8:]]
    if fault.seed is not None:
        lines.append(f"  seed: {fault.seed}")
    return "\n".join(lines)


def _system_words(error: OSError) -> str:
    words = error.strerror or str(error)
    words = words[:1].lower() + words[1:]
    return f"{error.filename}: {words}" if error.filename else words


def _tell_own_fault(error: Exception) -> None:
    frames = extract_tb(error.__traceback__)
    package = Path(__file__).resolve().parents[1]
    ours = [f for f in frames if package in Path(f.filename).parents] or list(frames)
    where = f" ({Path(ours[-1].filename).name}, line {ours[-1].lineno})" if ours else ""
    tell(
        f"grognard: a fault of grognard itself: {type(error).__name__}: {error}{where}\n"
        "your files are as they were; please report this line and the command that led to it"
    )
    if sys.flags.dev_mode:
        raise error
