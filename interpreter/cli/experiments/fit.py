"""Implement `grognard fit`: learn the weights of a ruleset's evaluation from bot games and test them in new ones."""

from __future__ import annotations

import argparse
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import (
    add_file,
    add_format,
    add_jobs,
    add_max_decisions,
    add_number,
    add_ruleset,
    parse_seed,
)
from interpreter.cli.errors import FINDINGS, GOOD, UsageError, prepare_output
from interpreter.cli.output import EstimatedProgress, print_result
from interpreter.cli.participants import load_batch
from interpreter.diagnostics.diagnostic import Sink
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.experiments.weight_fitting import FitRound, FitTrial, WeightStudy

HELP = _("learn the weights of the evaluation of a ruleset from games between bots, and test them in new games")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    add_number(parser, "-n", _("games per round (default: 100)"), dest="games", default=100)
    add_number(parser, "--rounds", _("rounds of playing and learning (default: 2)"), default=2)
    parser.add_argument(
        "--bots",
        metavar=_("B"),
        default="greedy",
        help=_("players: a bot for all seats, or SEAT=BOT,SEAT=BOT (default: greedy)"),
    )
    parser.add_argument("--scenario", metavar=_("S"), help=_("scenario (default: set by the ruleset)"))
    add_file(parser, "--out", _("write the weights to this file as a variant"))
    parser.add_argument(
        "--seed",
        metavar=_("N"),
        type=parse_seed,
        default=0,
        help=_("base seed, from which the seed of each game is derived (default: 0)"),
    )
    add_max_decisions(parser)
    add_jobs(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Fit the weights, test them in new games, and print the results. Return FINDINGS if the new weights do worse."""
    from tempfile import TemporaryDirectory

    from interpreter.api.loading import read_model
    from interpreter.experiments.fit_report import render_study, serialize_study
    from interpreter.experiments.weight_fitting import WeightStudy
    from interpreter.experiments.weights import find_integer_values, find_weights
    from interpreter.runtime.localizer import Localizer

    out = _resolve_output_path(arguments.out)
    rules, plan = load_batch(
        arguments.ruleset, arguments.bots, arguments.scenario, (), arguments.seed, arguments.max_decisions
    )
    model = read_model(arguments.ruleset, Sink())
    weights = {} if model is None else find_weights(model)
    if model is None or not weights:
        raise UsageError(
            "{ruleset} has no weights to learn: it needs numbers under `values:` that only its `evaluation` reads",
            ruleset=arguments.ruleset,
        )
    with TemporaryDirectory() as folder:
        study = WeightStudy(plan, weights, find_integer_values(model), Path(folder), arguments.games, arguments.rounds)
        rounds, trial = _run_study(study, arguments)
    localizer = Localizer(rules.program, arguments.lang)
    if out is not None:
        _write(out, study, rounds[-1], trial)
    data = serialize_study(study, rounds, trial)
    print_result(arguments.format, data, lambda: render_study(study, rounds, trial, localizer))
    return FINDINGS if trial.verdict == "worse" else GOOD


def _resolve_output_path(name: str | None) -> Path | None:
    if name is None:
        return None
    path = Path(name)
    if path.suffix not in (".yaml", ".yml"):
        raise UsageError("--out {file}: the name of a variant file must end in .yaml", file=name)
    if path.exists():
        raise UsageError("--out {file}: the file already exists", file=name)
    with prepare_output(name):  # at once, so that a folder that cannot be created costs no games
        return path


def _run_study(study: WeightStudy, arguments: argparse.Namespace) -> tuple[list[FitRound], FitTrial]:
    from interpreter.simulation.executors import open_executor

    say = get_translator(arguments.lang)
    progress = EstimatedProgress(say, study.total)
    rounds: list[FitRound] = []

    def report_round(done: int, _total: int) -> None:
        number = len(rounds) + 1
        title = say("round {number} of {rounds}", number=number, rounds=study.rounds)
        progress(done, lambda: title if number <= study.rounds else say("the trial"))

    with closing(progress), open_executor(arguments.jobs) as executor:
        rounds += study.iter_rounds(executor, report_round)
        return rounds, study.test_weights(rounds[-1].weights, executor, report_round)


def _write(out: Path, study: WeightStudy, last: FitRound, trial: FitTrial) -> None:
    from interpreter.experiments.fit_report import list_remarks
    from interpreter.experiments.weights import write_variant

    write_variant(out, study.spec.target, out.stem.replace("-", "_"), last.weights, list_remarks(study, trial))
