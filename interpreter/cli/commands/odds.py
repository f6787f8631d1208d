"""Implement `grognard odds`: compute the possible outcomes and their probabilities from the rules that play runs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_format, add_list, add_number, add_ruleset, add_start
from interpreter.cli.errors import GOOD, UsageError
from interpreter.cli.output import print_result
from interpreter.diagnostics.suggestions import quote_words, suggest_words
from interpreter.i18n.translator import Message, mark as _

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.runtime.decisions import Decision
    from interpreter.tools.odds.resolution import Odds

HELP = _("compute the exact odds of an option, a procedure or a table")
_EXAMPLES = _(
    "examples:\n  grognard odds RULESET table storm_table                          results of a "
    "table over its die\n  grognard odds RULESET table storm_table column=3 die=d6+1        ... "
    "over a modified die\n  grognard odds RULESET --position storming.yaml:S1                what "
    "the case S1 calls\n  grognard odds RULESET --position S1 storm s=reds bands=a-1,a-2   a "
    'procedure in its position\n  grognard odds RULESET --position saved.jsonl --choose "fire(a-1, '
    'b-2)"\n  grognard odds RULESET --scenario S --choose storm                an option of the '
    "first decision\n\nThe result is computed to the end of the resolution: for a procedure, until "
    "it ends; for an option,\nuntil the next decision that does not belong to it. Decisions on the "
    "way are made at random unless\n--decisions says otherwise; best and worst are bounds over all "
    "possible decisions."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.usage = _(
        "grognard odds RULESET [--scenario S] [--option O]... [--seed N] [--position CASE|JOURNAL] "
        "PROCEDURE ARG=VALUE... | --choose KEY | table NAME [AXIS=VALUE]..."
    )
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = _EXAMPLES
    add_ruleset(parser)
    parser.add_argument(
        "words",
        metavar=_("PROCEDURE ARG=VALUE"),
        nargs="*",
        help=_("procedure with its arguments, or `table`, a table id and its axes"),
    )
    parser.add_argument("--choose", metavar=_("KEY"), help=_("option of the current decision"))
    parser.add_argument(
        "--position", metavar=_("CASE|JOURNAL"), help=_("position: a saved game, or a case as FILE:ID or ID")
    )
    parser.add_argument(
        "--decisions",
        choices=("random", "first"),
        default="random",
        help=_("how decisions on the way are made (default: random, all options equally likely)"),
    )
    add_list(parser, "--event", _("NAME"), _("always show this event, with its best and worst case; may be repeated"))
    add_number(
        parser,
        "--most",
        _("examine at most N positions; beyond that, estimate the odds by rolling dice (default: 40000)"),
    )
    add_number(parser, "--throws", _("number of random samples for that estimate (default: 2000)"))
    add_number(parser, "--results", _("show the N likeliest results (default: 12)"))
    add_start(parser)
    add_format(parser)
    _allow_intermixed_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Compute and print the odds."""
    if arguments.words[:1] == ["table"] and arguments.choose is None:
        return _run_table(arguments)
    from interpreter.tools.odds.odds_lines import DEFAULT_RESULTS, format_odds, serialize_odds

    odds = _compute_odds(arguments)
    most, event = arguments.results or DEFAULT_RESULTS, arguments.event
    print_result(arguments.format, serialize_odds(odds), lambda: format_odds(odds, arguments.lang, most, event))
    return GOOD


def _compute_odds(arguments: argparse.Namespace) -> Odds:
    """Compute the odds that are asked for. Raises UsageError for an incomplete or contradictory question."""
    from interpreter.api.game import load
    from interpreter.tools.evaluate import find_position
    from interpreter.tools.odds.question_parsing import parse_arguments
    from interpreter.tools.odds.resolution import DEFAULT_THROWS, MAX_POSITIONS, compute_call_odds, compute_option_odds

    if arguments.choose is not None and arguments.words:
        raise UsageError("use either --choose or a procedure, not both")
    rules = load(arguments.ruleset, checked=arguments.position is not None)
    position = None
    if arguments.position is not None:
        if arguments.scenario is not None or arguments.option or arguments.seed is not None:
            raise UsageError("--position already sets the scenario, options and dice; leave those out")
        position = find_position(rules, arguments.position)
        game = position.game
    else:
        game = rules.start(arguments.scenario, arguments.option, arguments.seed or 0)
    rules = rules.as_played(game)
    limits: dict[str, Any] = {
        "policy": "first" if arguments.decisions == "first" else "uniform",
        "most": arguments.most or MAX_POSITIONS,
        "throws": arguments.throws or DEFAULT_THROWS,
        "requested_events": arguments.event,
    }
    for event in arguments.event:
        if event not in rules.program.events:
            raise UsageError(
                "--event {event}: unknown event `{event}`{hint}",
                event=event,
                hint=suggest_words(event, rules.program.events, all_of_them=True),
            )
    if arguments.choose is not None:
        return compute_option_odds(rules, game, arguments.choose, **limits)
    if arguments.words:
        procedure, *args = arguments.words
        return compute_call_odds(rules, game, procedure, parse_arguments(rules, procedure, args), **limits)
    if position is not None and position.call is not None:
        return compute_call_odds(rules, game, *position.call, **limits)
    raise UsageError(_describe_questions(rules, game.decision))


def _describe_questions(rules: Rules, decision: Decision | None) -> Message:
    offered = (
        Message("")
        if decision is None
        else _(
            "; options of `{name}` of {side}: {keys}",
            name=decision.name,
            side=decision.side,
            keys=quote_words(option.key for option in decision.options[:8]),
        )
    )
    return _(
        "odds of what? Give a procedure with its arguments, `table` and a table, or --choose and an "
        "option{offered}; procedures: {procedures}",
        offered=offered,
        procedures=tuple(rules.program.data["procedures"]),
    )


def _run_table(arguments: argparse.Namespace) -> int:
    from interpreter.api.game import load
    from interpreter.tools.odds.table_odds import compute_table_odds, format_table, serialize_table_odds

    rules = load(arguments.ruleset)
    if len(arguments.words) < 2:
        raise UsageError("which table? Available: {tables}", tables=tuple(rules.program.charts))
    values: dict[str, str] = {}
    for word in arguments.words[2:]:
        name, parted, value = word.partition("=")
        if not parted:
            chart = rules.program.charts.get(arguments.words[1])
            axis = chart.axes[0].name if chart is not None else "die"
            raise UsageError("`{word}`: expected AXIS=VALUE, such as {axis}={word}", word=word, axis=axis)
        values[name] = value
    odds = compute_table_odds(rules.program, arguments.words[1], values)
    print_result(arguments.format, serialize_table_odds(odds), lambda: format_table(odds, arguments.lang))
    return GOOD


def _allow_intermixed_options(parser: argparse.ArgumentParser) -> None:
    """Make the parser accept options before, between and after the words of the question."""
    plain = parser.parse_known_args

    def parse_intermixed(args: Sequence[str] | None = None, namespace: object = None) -> object:
        parser.parse_known_args = plain  # type: ignore[method-assign]
        try:
            return parser.parse_known_intermixed_args(args, namespace)
        finally:
            parser.parse_known_args = parse_intermixed  # type: ignore[method-assign,assignment]

    parser.parse_known_args = parse_intermixed  # type: ignore[method-assign,assignment]
