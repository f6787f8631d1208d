"""Implement `grognard ask`: evaluate an expression of the rules language in a position."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_format, add_ruleset, add_start
from interpreter.cli.errors import FINDINGS, GOOD, USAGE, UsageError
from interpreter.cli.output import log_error, print_result
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.play.game import Game

HELP = _("evaluate an expression of the rules, at the start of a game or in the position of a case")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument(
        "expression", metavar=_("EXPRESSION"), help=_('the expression, as written in the rules, such as "1 + 1"')
    )
    parser.add_argument("--position", metavar=_("CASE"), help=_("position: a saved game, or a case as FILE:ID or ID"))
    add_start(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the value of an expression in a position.

    Return USAGE for an invalid expression, FINDINGS for a fault of the rules during evaluation.
    """
    from interpreter.api.evaluate import EvaluationError
    from interpreter.api.game import load
    from interpreter.diagnostics.rendering import render
    from interpreter.runtime.errors import RuleFault
    from interpreter.tools.evaluate import evaluate_to_data, explain_fault, format_expression

    say = get_translator(arguments.lang)
    rules = load(arguments.ruleset, checked=True)
    game = _find_position(arguments, rules)
    try:
        data = evaluate_to_data(rules, game, arguments.expression, arguments.lang)
    except EvaluationError as fault:
        print(render(fault.diagnostics, say=say), file=sys.stderr)
        return USAGE
    except RuleFault as fault:
        log_error("\n".join(explain_fault(fault, say)))
        return FINDINGS
    print_result(arguments.format, data, lambda: format_expression(data, say, in_words=bool(arguments.lang)))
    return GOOD


def _find_position(arguments: argparse.Namespace, rules: Rules) -> Game:
    """Return the position to query: of a case, of a saved game, or a scenario's set-up before its first turn."""
    from interpreter.tools.evaluate import find_position

    if arguments.position is None:
        return rules.start(arguments.scenario, arguments.option, arguments.seed or 0, ready=True)
    if arguments.scenario is not None or arguments.option or arguments.seed is not None:
        raise UsageError("--position already sets the scenario, options and dice; leave those out")
    return find_position(rules, arguments.position).game
