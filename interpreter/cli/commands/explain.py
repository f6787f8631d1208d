"""`grognard explain`: what a diagnostic means, or what a rule of a ruleset says."""

from __future__ import annotations

import argparse

from interpreter.cli.arguments import add_format, add_language
from interpreter.cli.failures import GOOD, UsageError
from interpreter.cli.output import say, say_json, say_lines
from interpreter.source.diagnostic import Sink
from interpreter.source.suggestion import did_you_mean

HELP = "explain a diagnostic's code, or a rule of a ruleset"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.usage = "grognard explain CODE | grognard explain RULESET RULE [--format text|json] [--lang L]"
    parser.add_argument("subject", metavar="CODE|RULESET", help="a code such as unknown-key, or a ruleset")
    parser.add_argument("rule", metavar="RULE", nargs="?", help="the number of a paragraph of the ruleset")
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the explanation."""
    if arguments.rule is None:
        return _explain_code(arguments.subject, arguments.format)
    return _explain_rule(arguments)


def _explain_code(code: str, form: str) -> int:
    from interpreter.assets import shipped_rulesets
    from interpreter.tools.explanations import diagnostic_codes, diagnostic_page

    page = diagnostic_page(code)
    if page is None:
        if code in shipped_rulesets():
            raise UsageError(
                f"which rule of {code}? name one: grognard explain {code} RULE "
                f"(grognard show {code} rulebook lists them)"
            )
        hint = did_you_mean(code, diagnostic_codes())
        raise UsageError(f"there is no page for the code `{code}`" + (f"; {hint}" if hint else ""))
    if form == "json":
        say_json({"code": code, "text": page})
    else:
        say(page.rstrip())
    return GOOD


def _explain_rule(arguments: argparse.Namespace) -> int:
    from interpreter.documents.loading import read_cases
    from interpreter.game import load
    from interpreter.tools.explanations import rule_data, rule_lines

    model = load(arguments.subject, checked=True).model
    assert model is not None
    number: str = arguments.rule.strip("[]")
    if number not in model.ruleset.rulebook:
        below = [p for p in model.ruleset.rulebook if p.startswith((number + "-", number + "."))]
        hint = (
            f"it has the paragraphs {', '.join(below[:12])}"
            if below
            else did_you_mean(number, model.ruleset.rulebook)
        )
        raise UsageError(f"the rulebook has no paragraph `{number}`" + (f"; {hint}" if hint else ""))
    data = rule_data(model, number, read_cases(arguments.subject, Sink()), arguments.lang)
    if arguments.format == "json":
        say_json(data)
    else:
        say_lines(rule_lines(data))
    return GOOD
