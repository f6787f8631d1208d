"""Implement `grognard rank`: play bots against each other on both sides of a ruleset and report their ratings."""

from __future__ import annotations

import argparse
import shlex
from contextlib import closing
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_batch, add_number, add_ruleset
from interpreter.cli.errors import GOOD, INTERRUPTED, UsageError
from interpreter.cli.output import EstimatedProgress, log_error, print_result
from interpreter.cli.participants import load_batch, make_bot_factory, parse_bots
from interpreter.i18n.translator import mark as _

if TYPE_CHECKING:
    from interpreter.experiments.ratings import GameScore, Rating
    from interpreter.runtime.localizer import Localizer
    from interpreter.simulation.games import BatchSpec, GameResult

HELP = _("play every bot against every other, on both sides, and rate them")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    parser.add_argument(
        "--bots",
        metavar="B1,B2",
        default="random,greedy",
        help=_(
            "bots, such as random,greedy,search:20; greedy@RULESET uses the evaluation of that ruleset "
            "(default: random,greedy)"
        ),
    )
    add_number(
        parser,
        "-n",
        _("number of seeds; each pair of bots plays each seed on both sides (default: 20)"),
        dest="games",
        default=20,
    )
    add_batch(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play every pair of bots on both sides, and each bot against itself, and print the ratings."""
    from interpreter.experiments.ratings import compute_ratings
    from interpreter.runtime.localizer import Localizer

    rules, base = load_batch(
        arguments.ruleset, "random", arguments.scenario, arguments.option, arguments.seed or 0, arguments.max_decisions
    )
    seats = list(base.seats)
    if len(seats) != 2:
        raise UsageError(
            "ratings need two seats; this game has {seats}. To rate bots in one seat: grognard compare "
            "{ruleset} {ruleset} --bots-a {seat}=greedy --bots-b {seat}=random",
            seats=tuple(seats),
            ruleset=shlex.quote(arguments.ruleset),
            seat=seats[0],
        )
    bots = list(dict.fromkeys(word.strip() for word in arguments.bots.split(",")))
    for bot in bots:
        parse_bots(bot, seats, {}, allows_overrides=True)
    base = replace(base, make_bots=make_bot_factory(bots, rules))
    if len(bots) < 2:
        raise UsageError("--bots {bots}: give two or more bots", bots=arguments.bots)
    localizer = Localizer(rules.program, arguments.lang)
    results, is_stopped = _play_pairs(arguments, base, bots, localizer)
    if not results:
        return INTERRUPTED
    bot_ratings, seat = compute_ratings(results)
    first_seat_effect = {**_serialize_rating(seat), "seat": seats[0]}
    data = {
        "ruleset": rules.id,
        "games": len(results),
        "bots": {r.name: _serialize_rating(r) for r in bot_ratings},
        "first": first_seat_effect,
    }
    lines = [
        *(_format_rating(rating, localizer) for rating in bot_ratings),
        _format_seat_effect(seat, seats[0], localizer),
    ]
    print_result(arguments.format, data, lambda: lines)
    return INTERRUPTED if is_stopped else GOOD


def _play_pairs(
    arguments: argparse.Namespace, base: BatchSpec, bots: list[str], localizer: Localizer
) -> tuple[list[GameScore], bool]:
    """Play all pairs of bots. Return the finished games, and whether the user interrupted the run.

    `base`: the settings of the batch, without the bots.
    """
    from interpreter.experiments.ratings import GameScore, compute_ratings
    from interpreter.simulation.executors import open_executor
    from interpreter.simulation.scheduler import play_blocks

    seats, say = list(base.seats), localizer.say
    seatings = [two for pair in combinations(bots, 2) for two in (pair, pair[::-1])]
    seatings += [(bot, bot) for bot in bots]  # measures the advantage of the seat alone
    plans = [replace(base, seats=dict(zip(seats, two, strict=True))) for two in seatings]
    blocks = [(n, [game]) for game in range(arguments.games) for n in range(len(plans))]
    played: dict[tuple[int, int], GameResult] = {}
    progress, is_stopped = EstimatedProgress(say, len(blocks)), False

    def collect_results() -> list[GameScore]:
        return [
            GameScore(*seatings[n], 0.5 if not game.winners else float(seats[0] in game.winners))
            for (_number, n), game in sorted(played.items())
            if game.outcome
        ]

    def describe_best_so_far() -> str:
        ended = collect_results()
        return _format_rating(compute_ratings(ended)[0][0], localizer) if ended else say("no game has ended yet")

    try:
        with closing(progress), open_executor(arguments.jobs, arguments.scheduler, [base.target]) as executor:
            for n, results in play_blocks(plans, blocks, executor):
                played.update({(game.number, n): game for game in results})
                progress(len(played), describe_best_so_far)
    except KeyboardInterrupt:
        is_stopped = True
        log_error(say("stopped: {done} of {total} games played", done=len(played), total=len(blocks)))
    return collect_results(), is_stopped


def _serialize_rating(rating: Rating) -> dict[str, float]:
    return {
        "rating": round(rating.value, 1),
        "low": round(rating.low, 1),
        "high": round(rating.high, 1),
        "games": rating.games,
        "points": rating.points,
    }


def _format_rating(rating: Rating, localizer: Localizer) -> str:
    return localizer.say(
        "{bot}: {rating} Elo ({low} to {high}), {points} of {games} points",
        bot=localizer.format_player(rating.name),
        points=f"{rating.points:g}",
        games=rating.games,
        **_convert_to_elo(rating),
    )


def _format_seat_effect(rating: Rating, first_seat: str, localizer: Localizer) -> str:
    return localizer.say(
        "playing as {seat} is worth {rating} Elo ({low} to {high})",
        seat=localizer.get_thing_name("seat", first_seat),
        **_convert_to_elo(rating),
    )


def _convert_to_elo(rating: Rating) -> dict[str, str]:
    return {"rating": f"{rating.value:+.0f}", "low": f"{rating.low:+.0f}", "high": f"{rating.high:+.0f}"}
