"""`grognard check`: what is wrong with rulesets, each finding with file, line and column."""

from __future__ import annotations

import argparse
import sys

from interpreter.cli.arguments import add_format, add_language
from interpreter.cli.failures import FINDINGS, GOOD, USAGE, counted, is_missing, missing_text
from interpreter.cli.output import say, say_json, say_prepared
from interpreter.source.rendering import as_data, render
from interpreter.speech import mark as _
from interpreter.speech import speaker

HELP = _("check rulesets: form, names, types, flow, tables and maps")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "rulesets", metavar=_("RULESET"), nargs="+", help=_("a shipped id, a folder or a variant file")
    )
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Check each ruleset; findings of any kind but notes make the result bad."""
    from interpreter.assets import unread_twin
    from interpreter.game import check

    targets: list[str] = arguments.rulesets
    found = {target: check(target) for target in dict.fromkeys(targets)}
    everything = [d for diagnostics in found.values() for d in diagnostics]
    bad = any(d.severity != "note" for d in everything)
    if arguments.format == "json":
        say_json({"ok": not bad, "diagnostics": [as_data(d) for d in everything]})
    else:
        told = speaker(arguments.lang)
        for target, diagnostics in found.items():
            if is_missing(diagnostics) and arguments.lang:
                say(missing_text(diagnostics[0], told))
            elif diagnostics:
                say_prepared(render(diagnostics, colour=sys.stdout.isatty(), say=told) + "\n")
            say(f"{target}: {counted(diagnostics, told)}")
            if twin := unread_twin(target):
                say(told("  `{id}` is the copy that is installed; for the folder here: grognard check {folder}",
                         id=target, folder=twin.as_posix()))
    if any(is_missing(d) for d in found.values()):
        return USAGE
    return FINDINGS if bad else GOOD
