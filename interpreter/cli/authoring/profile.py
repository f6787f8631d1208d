"""Implement `grognard profile`: find the rules lines that cost the most time and the requirements that never refuse."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import closing
from math import ceil
from time import perf_counter
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_flag, add_format, add_number, add_ruleset, add_start, parse_count
from interpreter.cli.errors import FINDINGS, GOOD
from interpreter.cli.output import Progress, log, print_json, print_line, print_lines
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.api.game import Rules

_SECONDS, _MOST = 2.0, 500  # without -n: total duration in seconds, and the maximum number of games
HELP = _(
    "show which lines of the rules take the most time in play and how to speed them up, or which "
    "requirements never fail"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument(
        "-n",
        "--games",
        metavar=_("N"),
        type=parse_count,
        help=_("number of games (default: as many as fit in two seconds)"),
    )
    parser.add_argument(
        "--bots",
        metavar=_("BOT"),
        default="greedy",
        help=_("bot for all seats: random, greedy, search:N (default: greedy)"),
    )
    add_flag(parser, "--refusals", _("show instead how often requirements were tested, and which of them never failed"))
    add_number(
        parser, "--max-decisions", _("maximum number of decisions per game (default: 2000)"), default=2000, holds=_("M")
    )
    add_start(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the games and print the requested profile and any faults of the rules."""
    from interpreter.api.game import load

    say = get_translator(arguments.lang)
    rules = load(arguments.ruleset, checked=True)
    faults: list[str] = []
    print_profile = _play_and_print_refusals if arguments.refusals else _play_and_print_costs
    with closing(Progress(_("{done} of {total} (game|games)"), say)) as progress:
        print_profile(arguments, rules, faults, progress)
    for fault in dict.fromkeys(faults):
        log(say("error in the rules: {fault}", fault=fault))
    return FINDINGS if faults else GOOD


def _play_and_print_costs(arguments: argparse.Namespace, rules: Rules, faults: list[str], progress: Progress) -> None:
    """Play the games once to sample the time and once more to count calls, and print the costs.

    Faults of the rules are appended to `faults`.
    """
    from interpreter.tools.profiling.cost_advice import find_suggestions
    from interpreter.tools.profiling.costs import MIN_SAMPLES, attribute_samples, format_costs, serialize_costs
    from interpreter.tools.profiling.sampling import count_calls, sample_play

    model, say = rules.model, progress.say
    assert model is not None
    ruleset = model.ruleset
    sources = {source.name: source for source in (*ruleset.rules, *ruleset.changes)}
    if ruleset.victory.evaluation is not None:
        sources[ruleset.victory.evaluation.span.file] = ruleset.victory.evaluation.span.source
    decisions: list[int] = []
    play = _build_player(arguments, rules, decisions, faults, progress)
    games = _choose_game_count(arguments, play)
    decisions.clear()
    samples = sample_play(lambda: play(games), lambda file: file in sources)
    number = sum(decisions)
    counts = count_calls(lambda: play(games), lambda file: file in sources)
    progress.close()
    costs = attribute_samples(model, samples, counts)
    shares = {id(x.item.node): x.whole / max(samples.taken, 1) for x in costs.items if x.item.node is not None}
    cures = find_suggestions(model, shares, [x.item for x in costs.items]) if samples.taken >= MIN_SAMPLES else []
    about = {"games": games, "bots": arguments.bots, "decisions": number}
    if arguments.format == "json":
        print_json(serialize_costs(costs, cures, about))
    else:
        print_line(
            say(
                "{games} games of {bots}, {decisions} decisions in {seconds:.1f} seconds, {samples} samples",
                **about,
                seconds=samples.seconds,
                samples=samples.taken,
            )
        )
        print_lines(format_costs(costs, cures, sources, say))


def _play_and_print_refusals(
    arguments: argparse.Namespace, rules: Rules, faults: list[str], progress: Progress
) -> None:
    """Play the games and print the requirements that never refuse an order.

    Faults of the rules are appended to `faults`.
    """
    from interpreter.api.game import Rules
    from interpreter.tools.profiling.never_refused import count_refusals, format_refusals, serialize_refusals

    assert rules.model is not None
    program, decisions = rules.form("asked"), list[int]()
    play = _build_player(
        arguments, Rules(program, rules.model, rules.target, rules.source), decisions, faults, progress
    )
    games = _choose_game_count(arguments, play)
    decisions.clear()
    program.coverage.requirements.clear()
    play(games)
    progress.close()
    refusals = count_refusals(rules.model, program.coverage.requirements)
    about = {"games": games, "bots": arguments.bots, "decisions": sum(decisions)}
    if arguments.format == "json":
        print_json({**about, "requirements": serialize_refusals(refusals)})
    else:
        print_line(progress.say("{games} games of {bots}, {decisions} decisions", **about))
        print_lines(format_refusals(refusals, progress.say))


def _choose_game_count(arguments: argparse.Namespace, play: Callable[[int], None]) -> int:
    """Return the requested number of games, or as many as take a few seconds.

    `play` plays a number of games; it is timed if no number is requested.
    """
    if arguments.games:
        return int(arguments.games)
    play(1)  # the first game fills the caches
    started_at = perf_counter()
    play(1)
    return max(1, min(_MOST, ceil(_SECONDS / max(perf_counter() - started_at, 1e-3))))


def _build_player(
    arguments: argparse.Namespace, rules: Rules, decisions: list[int], faults: list[str], progress: Progress
) -> Callable[[int], None]:
    """Return a function that plays a number of games from fixed seeds.

    It appends the number of decisions of each game to `decisions`, and faults of the rules to `faults`.
    """
    from interpreter.cli.participants import parse_bots
    from interpreter.players.bots.registry import make_bots
    from interpreter.players.ownership import list_seats, map_sides_to_seats
    from interpreter.simulation.games import BatchSpec, play_game

    seed: int = arguments.seed or 0
    trial_game = rules.start(scenario=arguments.scenario, options=arguments.option, seed=seed, record=False)
    seats = parse_bots(arguments.bots, list_seats(trial_game), map_sides_to_seats(trial_game))
    most: int = arguments.max_decisions
    plan = BatchSpec(arguments.ruleset, seats, make_bots, seed, arguments.scenario, tuple(arguments.option), most)

    def play(games: int) -> None:
        for number in range(games):
            progress(number, games)
            played = play_game(rules, plan, number, seed + number)
            decisions.append(played.decisions)
            if played.fault is not None:
                faults.append(f"{played.fault.file}:{played.fault.line}: {played.fault.message}")

    return play
