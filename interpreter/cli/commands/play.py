"""`grognard play`: a game at the terminal, people and bots in any mixture."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_language, add_start, seats_by_player
from interpreter.cli.failures import GOOD, UsageError
from interpreter.cli.output import say, tell

if TYPE_CHECKING:
    from interpreter.game import Game, Rules
    from interpreter.players.plain.keeping import Keeper
    from interpreter.players.plain.session import Session

HELP = "play a game in the terminal, against people or bots"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a shipped id, a folder or a variant file")
    parser.add_argument("--side", metavar="SIDE=PLAYER", action="append", default=[],
                        help="who plays a side or seat: human or random (default: human for all)")
    add_start(parser)
    parser.add_argument("--save", metavar="FILE", help="keep the journal of the game in this file")
    parser.add_argument("--resume", metavar="FILE", help="go on with the game of this journal")
    parser.add_argument("--plain", action="store_true", help="plain lines of text (the only way now)")
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play to the end, or until the people stop."""
    from interpreter.game import load

    _refuse_contradictions(arguments)
    rules = load(arguments.ruleset)
    session = _resumed(arguments, rules) if arguments.resume else _started(arguments, rules)
    try:
        finished = session.play()
    except KeyboardInterrupt:
        say()
        finished = False
    session.keeper.keep(session.game)
    if not finished:
        _say_how_to_resume(arguments, session.keeper)
    elif session.keeper.path and session.keeper.path.exists():
        tell(f"the journal of this game: {session.keeper.path}")
    return GOOD


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if arguments.resume and (arguments.scenario or arguments.option or arguments.seed is not None):
        raise UsageError("--resume goes on with a game as it was started; leave out --scenario, --option, --seed")
    if arguments.save and not arguments.resume and Path(arguments.save).exists():
        raise UsageError(f"--save: {arguments.save} exists already; resume it with --resume {arguments.save}, "
                         "or choose another name")


def _started(arguments: argparse.Namespace, rules: Rules) -> Session:
    from interpreter.players.plain.storage import fresh_seed

    seed: int = fresh_seed() if arguments.seed is None else arguments.seed
    game = rules.start(scenario=arguments.scenario, options=arguments.option, seed=seed)
    session = _session(arguments, rules, game, _players(arguments, game, {}), seed, 0)
    say(f"{_title(rules, session)} (seed {seed})")
    _say_reconstructed(session)
    return session


def _resumed(arguments: argparse.Namespace, rules: Rules) -> Session:
    from interpreter.game import resume
    from interpreter.players.plain.storage import decisions_in
    from interpreter.runtime.journal import read_journal

    journal = read_journal(arguments.resume)
    if journal.header.ruleset != rules.id:
        raise UsageError(f"--resume: {arguments.resume} is a game of `{journal.header.ruleset}`, not of `{rules.id}`")
    game = resume(arguments.resume)
    seats = _players(arguments, game, journal.header.seats)
    session = _session(arguments, rules, game, seats, journal.header.seed or 0, decisions_in(journal))
    session.told = len(game.raw_log())
    session.teller.begun = True
    note = "; its last line was cut short and is lost" if journal.torn else ""
    say(f"{_title(rules, session)}: resumed from {arguments.resume}{note}")
    return session


def _players(arguments: argparse.Namespace, game: Game, before: Mapping[str, str]) -> dict[str, str]:
    from interpreter.players.roster import BOTS, HUMAN
    from interpreter.players.seating import seats_of, side_seats

    seats = seats_of(game)
    chosen = seats_by_player(arguments.side, seats, side_seats(game), (HUMAN, *BOTS), "")
    return {s: chosen[s] or (before.get(s, HUMAN) if before.get(s) in BOTS else HUMAN) for s in seats}


def _session(arguments: argparse.Namespace, rules: Rules, game: Game, seats: dict[str, str], seed: int,
             decisions: int) -> Session:
    from interpreter.players.plain.keeping import Keeper
    from interpreter.players.plain.screen import Terminal
    from interpreter.players.plain.session import Session
    from interpreter.players.plain.storage import own_journal
    from interpreter.players.plain.telling import Teller
    from interpreter.players.roster import HUMAN, make_bots
    from interpreter.players.words import Words

    path: Path | None = None
    if arguments.save or arguments.resume:
        path = Path(arguments.save or arguments.resume)
    elif HUMAN in seats.values():
        path = own_journal(rules.id)
    words = Words(rules.program, arguments.lang)
    if arguments.lang and words.lang != arguments.lang:
        tell(f"the ruleset has no words in `{arguments.lang}`; showing {words.lang}")
    return Session(game, words, Terminal(), make_bots(seats, seed, decisions), Keeper(path, tell),
                   Teller(words, decisions=False))


def _title(rules: Rules, session: Session) -> str:
    return session.words.label(rules.program.data["title"], rules.id)


def _say_reconstructed(session: Session) -> None:
    if session.words.data.get("reconstructed"):
        say("some of its charts, its map or its start are reconstructed; grognard show tells which")


def _say_how_to_resume(arguments: argparse.Namespace, keeper: Keeper) -> None:
    if keeper.path is None or keeper.failed or not keeper.path.exists():
        say("stopped; this game was not kept")
        return
    say(f"stopped; go on with: grognard play {arguments.ruleset} --resume {keeper.path}")
