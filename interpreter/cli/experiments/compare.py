"""Implement `grognard compare`: play two rulesets, scenarios or bots with equal seeds and report the differences."""

from __future__ import annotations

import argparse
from contextlib import closing
from typing import TYPE_CHECKING

from interpreter.cli.arguments import (
    WHICH,
    add_file,
    add_flag,
    add_format,
    add_jobs,
    add_list,
    add_max_decisions,
    add_number,
    add_scheduler,
    add_target,
    parse_seed,
)
from interpreter.cli.errors import FINDINGS, GOOD, INTERRUPTED, UsageError, prepare_output, print_faults
from interpreter.cli.output import EstimatedProgress, print_result
from interpreter.cli.participants import load_batch
from interpreter.files.assets import format_target_name
from interpreter.files.durable import write_text_file
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.rules import Rules
    from interpreter.experiments.paired_comparison import ComparisonPlan, PairedComparison
    from interpreter.runtime.localizer import Localizer
    from interpreter.runtime.program import Program
    from interpreter.simulation.games import BatchSpec

HELP = _(
    "play two rulesets, variants, scenarios or bots with the same seeds and show the differences and "
    "how certain they are"
)
_PAIRS, _MAX_PAIRS = 200, 5000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(parser, "a", "A", WHICH)
    add_target(parser, "b", "B", _("the ruleset to compare with; may be the same one with other bots or options"))
    add_number(parser, "-n", _("games of each (default: 200); with --until the maximum (default: 5000)"), dest="pairs")
    parser.add_argument(
        "--bots",
        metavar=_("B"),
        default="random",
        help=_(
            "players in both: a bot for all seats, or SEAT=BOT,SEAT=BOT; greedy@RULESET uses the evaluation "
            "of that ruleset (default: random)"
        ),
    )
    parser.add_argument("--bots-a", metavar=_("B"), help=_("players in A only"))
    parser.add_argument("--bots-b", metavar=_("B"), help=_("players in B only"))
    parser.add_argument("--scenario", metavar=_("S"), help=_("scenario of both (default: set by the ruleset)"))
    parser.add_argument("--scenario-a", metavar=_("S"), help=_("scenario of A only"))
    parser.add_argument("--scenario-b", metavar=_("S"), help=_("scenario of B only"))
    for name, text in (
        ("--option", _("optional rule of both: its id, or id=value; may be repeated")),
        ("--option-a", _("optional rule of A only")),
        ("--option-b", _("optional rule of B only")),
    ):
        add_list(parser, name, _("O"), text)
    parser.add_argument(
        "--until",
        metavar="95%",
        type=parse_share,
        help=_("stop as soon as it is this certain which one wins more, or that there is no relevant difference"),
    )
    parser.add_argument(
        "--worth",
        metavar="5%",
        type=parse_share,
        default=0.05,
        help=_("smallest relevant difference in games won (default: 5%%)"),
    )
    add_flag(parser, "--apart", _("use different seeds for the games of B"))
    parser.add_argument(
        "--seed",
        metavar=_("N"),
        type=parse_seed,
        default=0,
        help=_("base seed, from which the seed of each game is derived (default: 0)"),
    )
    add_max_decisions(parser)
    add_jobs(parser)
    add_scheduler(parser)
    add_file(parser, "--html", _("write a page with charts (needs the extra `lab`)"))
    add_format(parser)


def parse_share(text: str) -> float:
    """Parse "95%" or "0.95" as a number between 0 and 1."""
    number = text.removesuffix("%")
    try:
        value = float(number) / (100 if text.endswith("%") else 1)
    except ValueError:
        value = 0.0
    if not 0 < value < 1:
        raise argparse.ArgumentTypeError(_("expected a share such as 0.95 or 95%, found {found!r}", found=text[:40]))
    return value


def run(arguments: argparse.Namespace) -> int:
    """Play the pairs and print the differences. Return FINDINGS if a fault of the rules ended games."""
    from interpreter.experiments.comparison_report import render_comparison
    from interpreter.experiments.paired_comparison import ComparisonPlan, serialize_comparison
    from interpreter.runtime.localizer import Localizer

    if arguments.html:
        from interpreter.experiments.plots import require_plots

        require_plots()
        with prepare_output(arguments.html):  # at once, so that a folder that cannot be created costs no games
            pass
    (rules_a, plan_a), (rules_b, plan_b) = (_build_contender(arguments, contender) for contender in "ab")
    if not set(plan_a.seats) & set(plan_b.seats):
        raise UsageError("A and B have no seat in common, so their wins cannot be compared")
    is_open = arguments.until is not None
    question = ComparisonPlan(
        arguments.pairs or (_MAX_PAIRS if is_open else _PAIRS),
        arguments.until or 0.95,
        is_open,
        arguments.worth,
        arguments.apart,
    )
    localizer = Localizer(rules_a.program, arguments.lang)
    comparison = _play_comparison(arguments, (plan_a, plan_b), (rules_a.program, rules_b.program), question, localizer)
    data = {"a": _serialize_contender(plan_a), "b": _serialize_contender(plan_b), **serialize_comparison(comparison)}
    print_result(arguments.format, data, lambda: render_comparison(comparison, (plan_a, plan_b), localizer))
    if arguments.html:
        from interpreter.experiments.comparison_report import render_page

        write_text_file(arguments.html, render_page(comparison, (plan_a, plan_b), localizer))
    print_faults(comparison.faults, get_translator(arguments.lang))
    if comparison.is_stopped:
        return INTERRUPTED
    return FINDINGS if comparison.faults else GOOD


def _build_contender(arguments: argparse.Namespace, contender: str) -> tuple[Rules, BatchSpec]:
    from interpreter.simulation.seeds import derive_seed

    values = vars(arguments)
    start = arguments.seed if contender == "a" or not arguments.apart else derive_seed(arguments.seed, "apart")
    return load_batch(
        values[contender],
        values[f"bots_{contender}"] or arguments.bots,
        values[f"scenario_{contender}"] or arguments.scenario,
        (*arguments.option, *values[f"option_{contender}"]),
        start,
        arguments.max_decisions,
        f"--bots-{contender}" if values[f"bots_{contender}"] else "--bots",
    )


def _serialize_contender(plan: BatchSpec) -> dict[str, object]:
    return {
        "ruleset": format_target_name(plan.target),
        "content": plan.content,
        "scenario": plan.scenario,
        "options": list(plan.options),
        "bots": dict(plan.seats),
        "seed": plan.seed,
    }


def _play_comparison(
    arguments: argparse.Namespace,
    plans: tuple[BatchSpec, BatchSpec],
    programs: tuple[Program, Program],
    question: ComparisonPlan,
    localizer: Localizer,
) -> PairedComparison:
    from interpreter.experiments.comparison_report import format_progress
    from interpreter.experiments.paired_comparison import run_comparison
    from interpreter.simulation.executors import open_executor

    with (
        closing(EstimatedProgress(get_translator(arguments.lang), 2 * question.pairs)) as progress,
        open_executor(arguments.jobs, arguments.scheduler, [plan.target for plan in plans]) as executor,
    ):
        return run_comparison(
            plans,
            programs,
            question,
            executor,
            lambda comparison, played: progress(played, lambda: format_progress(comparison, localizer)),
        )
