"""`grognard replay`: tells what happened in a saved game, decision by decision."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from interpreter.cli.arguments import add_format, add_language
from interpreter.cli.failures import FINDINGS, GOOD
from interpreter.cli.journals import add_journal, open_journal
from interpreter.cli.output import say_json, say_lines, tell

if TYPE_CHECKING:
    from interpreter.players.words import Words
    from interpreter.saving import Replay

HELP = "tell what happened in a saved game"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    add_journal(parser)
    parser.add_argument(
        "--to",
        metavar="N",
        type=_number,
        default=None,
        help="stop after decision N and show the position (default: to the end)",
    )
    add_format(parser)
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Replay and tell; bad when the replay differs from the journal."""
    from interpreter.players.plain.position import position_lines
    from interpreter.players.plain.telling import outcome_lines
    from interpreter.players.words import Words

    replay = open_journal(arguments)
    words = Words(replay.rules.program, arguments.lang)
    form: str = arguments.format
    _step(replay, arguments.to, words if form == "text" else None)
    game = replay.game
    if form == "json":
        say_json(_data(replay, words))
    else:
        say_lines(["", *position_lines(game.view(), words)])
        if game.over:
            say_lines(outcome_lines(game.outcome, words))
    if replay.journal.torn:
        tell("the last line of the journal was cut short and is left out")
    if arguments.to is not None and arguments.to > replay.decisions and replay.divergence is None:
        tell(f"the journal holds only {replay.decisions} decisions")
    if replay.divergence is not None:
        tell(f"grognard: the replay differs from the journal: {replay.divergence.message}")
        return FINDINGS
    return GOOD


def _step(replay: Replay, to: int | None, words: Words | None) -> None:
    """Carry out the journal up to a decision, telling each as it happens when there are words for it."""
    from interpreter.players.plain.telling import Teller, events_since
    from interpreter.runtime.entries import Decision

    teller = Teller(words) if words is not None else None
    told = 0

    def tell_news() -> None:
        nonlocal told
        if teller is not None:
            say_lines(teller.lines(events_since(replay.game, told)))
        told = len(replay.game.raw_log())

    tell_news()
    if to == 0:
        return
    for entry in replay:
        if isinstance(entry, Decision):
            tell_news()
            if entry.number == to:
                return


def _data(replay: Replay, words: Words) -> dict[str, Any]:
    game, header = replay.game, replay.journal.header
    outcome = game.outcome
    return {
        "ruleset": header.ruleset,
        "scenario": header.scenario,
        "options": list(header.options),
        "seed": header.seed,
        "decisions": replay.decisions,
        "turn": game.turn,
        "phase": game.phase,
        "over": game.over,
        "outcome": None if outcome is None else {"winner": outcome.winner, "level": outcome.level},
        "hash": game.hash(),
        "torn": replay.journal.torn,
        "divergence": None
        if replay.divergence is None
        else {"decision": replay.divergence.decision, "message": replay.divergence.message},
        "events": [
            {"sort": e.sort, "name": e.name, "args": e.args, "text": e.text(words.lang), "cite": list(e.cite)}
            for e in game.log
        ],
    }


def _number(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0, found {text[:40]!r}")
    return int(text)
