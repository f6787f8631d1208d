"""`grognard simulate`: many games between bots, and what came of them."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_format, add_start, count, seats_by_player
from interpreter.cli.failures import FINDINGS, GOOD
from interpreter.cli.output import Progress, say, say_json, tell

if TYPE_CHECKING:
    from interpreter.simulation.batches import Batch

HELP = "play many games between bots and count the outcomes"


_TELL_EVERY = 30.0  # seconds


@dataclass(slots=True)
class Patience:
    """Progress on a terminal; elsewhere a line now and then, when a run is long."""

    shown: Progress
    told: float = field(default_factory=monotonic)

    def __call__(self, done: int, total: int) -> None:
        """`done` of `total` games have been played."""
        self.shown(done, total)
        now = monotonic()
        if not sys.stderr.isatty() and now - self.told >= _TELL_EVERY and done < total:
            self.told = now
            tell(f"{done} of {total} {self.shown.what}")

    def finish(self) -> None:
        """Take the line away."""
        self.shown.finish()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a shipped id, a folder or a variant file")
    parser.add_argument(
        "-n", dest="games", metavar="N", type=count, default=100, help="how many games (default: 100)"
    )
    parser.add_argument(
        "--jobs",
        metavar="J",
        type=count,
        default=1,
        help="how many processes; the result is the same for any number (default: 1)",
    )
    parser.add_argument(
        "--side",
        metavar="SIDE=BOT",
        action="append",
        default=[],
        help="which bot plays a side or seat: random, greedy, search, search:200 (playouts a decision), search:2s "
        "(time a decision) (default: random for all)",
    )
    parser.add_argument(
        "--max-decisions",
        metavar="M",
        type=count,
        default=100_000,
        help="a game is cut off after so many decisions (default: 100000)",
    )
    add_start(parser)
    add_format(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the batch and print it; games that a fault of the rules ended make the result bad."""
    from interpreter.game import load
    from interpreter.players.roster import BOTS, is_timed, make_bots
    from interpreter.players.seating import seats_of, side_seats
    from interpreter.simulation.batches import batch_data, play_batch
    from interpreter.simulation.games import Plan

    rules = load(arguments.ruleset)
    seed: int = arguments.seed or 0
    # A first start tells at once, and in this process, whether scenario and options can be had.
    first = rules.start(scenario=arguments.scenario, options=arguments.option, seed=seed, record=False)
    seats = seats_by_player(arguments.side, seats_of(first), side_seats(first), BOTS, BOTS[0])
    plan = Plan(
        arguments.ruleset,
        seats,
        make_bots,
        seed,
        arguments.scenario,
        tuple(arguments.option),
        arguments.max_decisions,
    )
    for player in dict.fromkeys(p for p in seats.values() if is_timed(p)):
        tell(f"`{player}` thinks for a set time: another run gives other games; with playouts, such as search:50, "
             "games and state hash can be had again")
    progress = Patience(Progress("games"))
    try:
        batch = play_batch(plan, arguments.games, arguments.jobs, progress, rules)
    finally:
        progress.finish()
    if arguments.format == "json":
        say_json(batch_data(batch))
    else:
        _say_batch(batch)
    for fault in batch.faults[:10]:
        tell(f"{fault.file}:{fault.line}: fault in the rules: {fault.message} (seed {fault.seed})")
    if batch.faults:
        tell(f"grognard: {len(batch.faults)} of {batch.games} games ended in a fault of the rules")
    return FINDINGS if batch.faults else GOOD


def _say_batch(batch: Batch) -> None:
    say(
        f"{batch.games} games, {batch.finished} finished, {batch.decisions} decisions "
        f"in {batch.seconds:.1f} seconds"
    )
    for seat in batch.seats if any(s.player != "random" for s in batch.seats) else ():
        say(f"{seat.seat} ({seat.player}): won {seat.won}, drawn {seat.drawn}, lost {seat.lost}")
    width = max((len(word) for word in batch.outcomes), default=0)
    for word, number in batch.outcomes.items():
        say(f"  {word.ljust(width)}  {number:>6}  {100 * number / batch.finished:5.1f}%")
    if batch.turns:
        turns = sorted(turn for turn, number in batch.turns.items() for _ in range(number))
        say(f"turns: {turns[0]} to {turns[-1]}, half of the games by turn {turns[(len(turns) - 1) // 2]}")
    say(f"state hash: {batch.state_hash}")
