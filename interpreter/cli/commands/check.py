"""Implement `grognard check`: report the faults of rulesets with file, line and column."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from interpreter.cli.arguments import WHICH, add_flag, add_format, add_target
from interpreter.cli.errors import (
    FINDINGS,
    GOOD,
    MOST_REPORTED,
    USAGE,
    UsageError,
    format_counts,
    is_missing,
    limit_findings,
    missing_text,
)
from interpreter.cli.file_fixes import fix, watch
from interpreter.cli.output import print_json, print_line, print_message
from interpreter.diagnostics.diagnostic import Sink
from interpreter.diagnostics.rendering import as_data, render
from interpreter.i18n.translator import mark as _, translator_for

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
    from interpreter.documents.target import files_of
    from interpreter.tools.autofix.check_cache import find_diagnostics

    targets: list[str] = arguments.rulesets
    if arguments.watch:
        if len(targets) > 1 or arguments.format == "json" or arguments.fix:
            raise UsageError("--watch handles one ruleset, prints only text and changes no files")
        watch(targets[0], translator_for(arguments.lang))
        return GOOD
    is_printed = arguments.format != "json"
    cured = (
        [fix(target, translator_for(arguments.lang), is_printed) for target in dict.fromkeys(targets)]
        if arguments.fix
        else []
    )
    if cured and is_printed:
        say = translator_for(arguments.lang)
        print_message(say("cured: {number}", number=sum(cured)))
    found = {target: find_diagnostics(target, arguments.odd) for target in dict.fromkeys(targets)}
    everything = [d for diagnostics in found.values() for d in diagnostics]
    bad = any(d.severity != "note" for d in everything)
    if arguments.format == "json":
        data: dict[str, Any] = {"ok": not bad, "diagnostics": [as_data(d) for d in limit_findings(everything)]}
        if len(everything) > MOST_REPORTED:
            data["more"] = len(everything) - MOST_REPORTED
        if arguments.files:
            data["files"] = {target: files_of(target) for target in found}
        if arguments.verbose:
            data["webassembly"] = {target: _native_reason(target) for target in found if not is_missing(found[target])}
        print_json(data)
    else:
        say = translator_for(arguments.lang)
        for target, diagnostics in found.items():
            if is_missing(diagnostics) and arguments.lang:
                print_line(missing_text(diagnostics[0], say))
            elif diagnostics:
                print(render(diagnostics, colour=sys.stdout.isatty(), say=say) + "\n")
            for name in files_of(target) if arguments.files else ():
                print_message(say("checked {file}", file=name))
            print_line(f"{target}: {format_counts(diagnostics, say)}")
            if arguments.verbose and all(d.severity != "error" for d in diagnostics):
                reason = _native_reason(target)
                if reason is None:
                    print_line(say("{target}: batches of games run in WebAssembly", target=target))
                else:
                    print_line(say("{target}: batches of games run in Python: {reason}", target=target, reason=reason))
    if any(is_missing(d) for d in found.values()):
        return USAGE
    return FINDINGS if bad else GOOD


def _native_reason(target: str) -> str | None:
    """Return why batches of games of the ruleset `target` do not run in WebAssembly, or None if they do."""
    from interpreter.api.loading import load_model
    from interpreter.api.native_rules import build, why_off

    off = why_off()
    if off is not None:
        return str(off)
    model = load_model(target, Sink())
    built = None if model is None else build(model)
    return built if isinstance(built, str) else None
