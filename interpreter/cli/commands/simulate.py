"""Implement `grognard simulate`: play many games between bots and report the results."""

from __future__ import annotations

import argparse
import sys
from _thread import interrupt_main
from contextlib import closing
from dataclasses import dataclass, field
from threading import Timer
from time import monotonic
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_batch, add_flag, add_list, add_number, add_ruleset, parse_seat_players
from interpreter.cli.errors import FINDINGS, GOOD, INTERRUPTED, print_faults
from interpreter.cli.output import Progress, log, log_error, print_json, print_line, print_message
from interpreter.diagnostics.record_walk import select_fields
from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.i18n.translator import get_translator, mark as _

if TYPE_CHECKING:
    from interpreter.runtime.localizer import Localizer
    from interpreter.simulation.batches import Batch

HELP = _("play many games between bots and count the results")
_LOG_SECONDS = 30.0  # between two lines if the output is not a terminal


@dataclass(slots=True)
class TimeLimitedProgress:
    """A progress callback that also enforces a time limit.

    Updates a line on a terminal, or prints one every 30 seconds otherwise. After `seconds` it stops the run by raising
    KeyboardInterrupt: a process in the background may not receive an interrupt.
    """

    progress: Progress
    seconds: float | None = None
    started_at: float = field(default_factory=monotonic)
    reported_at: float = field(default_factory=monotonic)

    def __call__(self, done: int, total: int) -> None:
        """Report that `done` of `total` games are finished."""
        self.progress(done, total)
        now = monotonic()
        if not sys.stderr.isatty() and now - self.reported_at >= _LOG_SECONDS and done < total:
            self.reported_at = now
            log(self.progress.say(self.progress.sentence, done=done, total=total))
        if self.seconds and now - self.started_at >= self.seconds and done < total:
            raise KeyboardInterrupt


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_ruleset(parser)
    add_number(parser, "-n", _("number of games (default: 100)"), dest="games", default=100)
    add_list(
        parser,
        "--side",
        _("SIDE=BOT"),
        _(
            "bot for a side or seat: random, greedy, search, search:200 (at most 200 playouts per decision), "
            "search:2s (at most 2 seconds per decision) (default: random for all)"
        ),
    )
    add_number(
        parser, "--timeout", _("stop after this many seconds and show the results up to then"), holds=_("SECONDS")
    )
    add_flag(parser, "--timing", _("show how many games ran in WebAssembly and how many in Python"))
    add_batch(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play the batch and print the results. Return FINDINGS if a fault of the rules ended games."""
    from interpreter.api.game import load
    from interpreter.players.bots.registry import BOTS, is_timed, make_bots
    from interpreter.players.ownership import list_seats, map_sides_to_seats
    from interpreter.runtime.localizer import Localizer
    from interpreter.simulation.batches import play_batch, serialize_batch
    from interpreter.simulation.games import BatchSpec

    rules, say = load(arguments.ruleset), get_translator(arguments.lang)
    seed: int = arguments.seed or 0
    # Starting one game in this process first reports an invalid scenario or option immediately.
    trial_game = rules.start(scenario=arguments.scenario, options=arguments.option, seed=seed, record=False)
    seats = parse_seat_players(arguments.side, list_seats(trial_game), map_sides_to_seats(trial_game), BOTS, BOTS[0])
    plan = BatchSpec(
        arguments.ruleset, seats, make_bots, seed, arguments.scenario, tuple(arguments.option), arguments.max_decisions
    )
    for player in dict.fromkeys(p for p in seats.values() if is_timed(p)):
        log(
            say(
                "`{player}` thinks for a fixed time, so another run gives different games; with playouts, "
                "such as search:50, the games and the state hash are reproducible",
                player=player,
            )
        )
    alarm = Timer(arguments.timeout or 0, interrupt_main)
    alarm.daemon = True
    if arguments.timeout:
        alarm.start()
    with closing(Progress(_("{done} of {total} (game|games)"), say)) as progress:
        limited = TimeLimitedProgress(progress, arguments.timeout)
        try:
            batch = play_batch(plan, arguments.games, arguments.jobs, limited, rules, arguments.scheduler)
        finally:
            alarm.cancel()
    if arguments.format == "json":
        print_json(serialize_batch(batch))
    else:
        _print_batch(batch, Localizer(rules.program, arguments.lang))
    if arguments.timing:
        log(
            say(
                "{inside} of {games} games ran in WebAssembly, the others in Python",
                inside=batch.native_games,
                games=batch.games,
            )
        )
        from interpreter.api.native_rules import find_refusal_reason

        if not batch.native_games and (reason := find_refusal_reason(rules)):
            log(say("the games ran in Python: {reason}", reason=reason))
    is_stopped = batch.games < batch.requested
    if is_stopped:
        log_error(say("stopped: {done} of {total} games played", done=batch.games, total=batch.requested))
    print_faults(batch.faults, say)
    if batch.faults:
        log_error(
            say("{number} of {games} games ended in an error in the rules", number=len(batch.faults), games=batch.games)
        )
    if is_stopped and not arguments.timeout:
        return INTERRUPTED
    return FINDINGS if batch.faults else GOOD


def _print_batch(batch: Batch, localizer: Localizer) -> None:
    say = localizer.say
    numbers = select_fields(batch, "games", "finished", "decisions", "seconds")
    print_line(say("{games} games, {finished} finished, {decisions} decisions in {seconds:.1f} seconds", **numbers))
    for seat in batch.seats:
        print_line(
            say(
                "{seat} ({player}): won {won}, drawn {drawn}, lost {lost}",
                seat=localizer.get_thing_name("seat", seat.seat),
                player=localizer.format_player(seat.player),
                **select_fields(seat, "won", "drawn", "lost"),
            )
        )
    outcomes = {_format_outcome(word, localizer): number for word, number in batch.outcomes.items()}
    width = max((measure_cells(word) for word in outcomes), default=0)
    for word, number in outcomes.items():
        blank = " " * (width - measure_cells(word))
        print_line(f"  {word}{blank}  {number:>6}  {100 * number / batch.finished:5.1f}%")
    if batch.turns:
        turns = sorted(turn for turn, number in batch.turns.items() for _game in range(number))
        print_message(
            say(
                "turns: {first} to {last}, half of the games by turn {half}",
                first=turns[0],
                last=turns[-1],
                half=turns[(len(turns) - 1) // 2],
            )
        )
    print_message(say("state hash: {hash}", hash=batch.state_hash))


def _format_outcome(word: str, localizer: Localizer) -> str:
    """Render an outcome such as "reds: overlord" with the names of seats and the titles of endings."""
    winners, parted, level = word.partition(": ")
    if winners in ("draw", "nobody"):
        result = localizer.say("drawn")
    else:
        seats = localizer.say(" and ").join(localizer.get_thing_name("seat", seat) for seat in winners.split("+"))
        result = localizer.say("won by {seat}", seat=seats)
    return localizer.say("{what}: {values}", what=result, values=localizer.format_level(level)) if parted else result
