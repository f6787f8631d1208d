"""Implement `grognard check`: report the faults of rulesets with file, line and column."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from interpreter.cli.arguments import WHICH, add_flag, add_format, add_target
from interpreter.cli.errors import (
    FINDINGS,
    GOOD,
    USAGE,
    UsageError,
    format_counts,
    format_missing_target,
    is_missing,
    truncate_diagnostics,
)
from interpreter.cli.file_fixes import fix, watch
from interpreter.cli.output import print_json, print_line, print_message
from interpreter.diagnostics.diagnostic import Diagnostic, Sink, count_findings
from interpreter.diagnostics.rendering import encode_diagnostic, render
from interpreter.i18n.translator import Translator, get_translator, mark as _

HELP = _("check rulesets: format, names, types, control flow, tables and maps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(parser, "rulesets", _("RULESET"), WHICH, nargs="+")
    add_flag(parser, "--files", _("list the files that were checked"))
    add_flag(parser, "--odd", _("also report what is valid but unusual for a wargame"))
    add_flag(parser, "--verbose", _("also report whether batches of games run in WebAssembly, and if not, why"))
    add_flag(parser, "--fix", _("first fix what can be fixed safely, in the files"))
    add_flag(parser, "--watch", _("check again and run the cases whenever a file changes"))
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check each ruleset. Return FINDINGS for any findings except notes."""
    from interpreter.tools.autofix.check_cache import find_diagnostics

    targets, say, is_json = (
        dict.fromkeys(arguments.rulesets),
        get_translator(arguments.lang),
        arguments.format == "json",
    )
    if arguments.watch:
        if len(arguments.rulesets) > 1 or is_json or arguments.fix:
            raise UsageError("--watch handles one ruleset, prints only text and changes no files")
        watch(arguments.rulesets[0], say)
        return GOOD
    if arguments.fix:
        number = sum(fix(target, say, is_printed=not is_json) for target in targets)
        if not is_json:
            print_message(say("cured: {number}", number=number))
    findings = {target: find_diagnostics(target, arguments.odd) for target in targets}
    is_bad = any(d.severity != "note" for diagnostics in findings.values() for d in diagnostics)
    if is_json:
        print_json({"ok": not is_bad, **_serialize_findings(arguments, findings)})
    else:
        for target, diagnostics in findings.items():
            _print_findings(arguments, target, diagnostics, say)
    if any(is_missing(diagnostics) for diagnostics in findings.values()):
        return USAGE
    return FINDINGS if is_bad else GOOD


def _serialize_findings(arguments: argparse.Namespace, findings: dict[str, tuple[Diagnostic, ...]]) -> dict[str, Any]:
    from interpreter.documents.target import list_files

    everything = [d for diagnostics in findings.values() for d in diagnostics]
    shown = truncate_diagnostics(everything)
    data: dict[str, Any] = {"diagnostics": [encode_diagnostic(d) for d in shown]}
    if (more := count_findings(everything) - len(shown)) > 0:
        data["more"] = more
    if arguments.files:
        data["files"] = {target: list_files(target) for target in findings}
    if arguments.verbose:
        data["webassembly"] = {
            target: _find_native_reason(target) for target, d in findings.items() if not is_missing(d)
        }
    return data


def _print_findings(
    arguments: argparse.Namespace, target: str, diagnostics: tuple[Diagnostic, ...], say: Translator
) -> None:
    from interpreter.documents.target import list_files

    if is_missing(diagnostics) and arguments.lang:
        print_line(format_missing_target(diagnostics[0], say))
    elif diagnostics:
        print(render(diagnostics, colour=sys.stdout.isatty(), say=say) + "\n")
    for name in list_files(target) if arguments.files else ():
        print_message(say("checked {file}", file=name))
    print_line(f"{target}: {format_counts(diagnostics, say)}")
    if arguments.verbose and all(d.severity != "error" for d in diagnostics):
        reason = _find_native_reason(target)
        if reason is None:
            print_line(say("{target}: batches of games run in WebAssembly", target=target))
        else:
            print_line(say("{target}: batches of games run in Python: {reason}", target=target, reason=reason))


def _find_native_reason(target: str) -> str | None:
    """Return why batches of games of the ruleset `target` do not run in WebAssembly, or None if they do."""
    from interpreter.api.loading import read_model
    from interpreter.api.native_rules import build, find_off_reason

    off = find_off_reason()
    if off is not None:
        return str(off)
    model = read_model(target, Sink())
    built = None if model is None else build(model)
    return built if isinstance(built, str) else None
