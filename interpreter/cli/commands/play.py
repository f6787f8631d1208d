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
    from interpreter.game import Rules
    from interpreter.players.plain.keeping import Keeper
    from interpreter.players.plain.session import Session
    from interpreter.runtime.journal import Journal
    from interpreter.runtime.session import Game

HELP = "play a game in the terminal, against people or bots"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument("ruleset", metavar="RULESET", help="a shipped id, a folder or a variant file")
    parser.add_argument(
        "--side",
        metavar="SIDE=PLAYER",
        action="append",
        default=[],
        help="who plays a side or seat: human or random (default: human for all)",
    )
    add_start(parser)
    parser.add_argument("--save", metavar="FILE", help="keep the journal of the game in this file")
    parser.add_argument("--resume", metavar="FILE", help="go on with the game of this journal")
    parser.add_argument("--plain", action="store_true", help="plain lines of text (the only way now)")
    add_language(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play to the end, or until the people stop."""
    from interpreter.game import load
    from interpreter.runtime.faults import RuleFault

    _refuse_contradictions(arguments)
    rules = load(arguments.ruleset)
    session = _resumed(arguments, rules) if arguments.resume else _started(arguments, rules)
    finished = False
    try:
        finished = session.play()
    except KeyboardInterrupt:
        say()
    except RuleFault:
        if session.keeper.is_kept:
            tell(f"the game up to the fault: {session.keeper.path}")
        raise
    finally:
        session.keeper.keep(session.game)
        session.keeper.close()
    _say_farewell(arguments, session.keeper, finished)
    return GOOD


def _refuse_contradictions(arguments: argparse.Namespace) -> None:
    if arguments.resume and (arguments.scenario or arguments.option or arguments.seed is not None):
        raise UsageError(
            "--resume goes on with a game as it was started; leave out --scenario, --option, --seed"
        )
    if arguments.resume and arguments.save:
        raise UsageError(
            "--resume goes on writing the file it reads; leave out --save, or copy the file first"
        )
    if arguments.resume and not Path(arguments.resume).exists():
        raise UsageError(f"--resume: there is no file {arguments.resume}")
    if arguments.save and Path(arguments.save).exists():
        raise UsageError(
            f"--save: {arguments.save} exists already; go on with it by --resume {arguments.save}, "
            "or choose another name"
        )


def _started(arguments: argparse.Namespace, rules: Rules) -> Session:
    from interpreter.players.plain.storage import fresh_seed, own_journal
    from interpreter.players.roster import HUMAN

    seed: int = fresh_seed() if arguments.seed is None else arguments.seed
    game = rules.start(scenario=arguments.scenario, options=arguments.option, seed=seed)
    seats = _players(arguments, game, {})
    path = (
        Path(arguments.save) if arguments.save else own_journal(rules.id) if HUMAN in seats.values() else None
    )
    session = _session(arguments, rules, game, seats, path)
    say(f"{session.words.label(rules.program.data['title'], rules.id)} (seed {seed})")
    if session.words.data.get("reconstructed"):
        say(f"parts of this game's data are reconstructed: grognard show {arguments.ruleset} tells which")
    _begin(session, None, named=bool(arguments.save))
    return session


def _resumed(arguments: argparse.Namespace, rules: Rules) -> Session:
    from interpreter.runtime.journal import JournalError, read_journal
    from interpreter.saving import open_replay

    path = Path(arguments.resume)
    journal = read_journal(path)
    if journal.header.ruleset != rules.id:
        raise UsageError(f"--resume: {path} is a game of `{journal.header.ruleset}`, not of `{rules.id}`")
    replay = open_replay(path, target=arguments.ruleset)
    game = replay.finish()
    if replay.divergence is not None:
        raise JournalError(f"{path} does not replay: {replay.divergence.message}")
    session = _session(arguments, rules, game, _players(arguments, game, journal.header.seats), path, journal)
    session.told = len(game.raw_log())
    session.teller.begun = True
    note = "; its last line was cut short and is lost" if journal.torn else ""
    say(f"{session.words.label(rules.program.data['title'], rules.id)}: resumed from {path}{note}")
    if not game.over:
        _begin(session, journal, named=True)
    return session


def _begin(session: Session, journal: Journal | None, named: bool) -> None:
    """Start writing; a file that the player did not name must not keep him from playing."""
    from interpreter.runtime.journal import JournalError

    try:
        session.keeper.begin(session.game, journal)
    except (JournalError, OSError) as problem:
        if named:
            raise
        tell(f"this game is not kept: {problem}")
        session.keeper.path = None


def _players(arguments: argparse.Namespace, game: Game, before: Mapping[str, str]) -> dict[str, str]:
    """Who plays each seat: as asked, else as in the journal, else a person."""
    from interpreter.players.roster import BOTS, HUMAN
    from interpreter.players.seating import seats_of, side_seats

    seats = seats_of(game)
    chosen = seats_by_player(arguments.side, seats, side_seats(game), (HUMAN, *BOTS), "")
    return {s: chosen[s] or (before[s] if before.get(s) in BOTS else HUMAN) for s in seats}


def _session(
    arguments: argparse.Namespace,
    rules: Rules,
    game: Game,
    seats: dict[str, str],
    path: Path | None,
    journal: Journal | None = None,
) -> Session:
    from interpreter.players.plain.keeping import Keeper
    from interpreter.players.plain.screen import Terminal
    from interpreter.players.plain.session import Session
    from interpreter.players.plain.storage import decisions_in
    from interpreter.players.plain.telling import Teller
    from interpreter.players.roster import make_bots
    from interpreter.players.words import Words

    words = Words(rules.program, arguments.lang)
    if arguments.lang and words.lang != arguments.lang:
        tell(f"the ruleset has no words in `{arguments.lang}`; showing {words.lang}")
    bots = make_bots(seats, game.seed or 0, decisions_in(journal) if journal else 0)
    return Session(game, words, Terminal(), bots, Keeper(path, seats, tell), Teller(words, decisions=False))


def _say_farewell(arguments: argparse.Namespace, keeper: Keeper, finished: bool) -> None:
    if finished:
        if keeper.is_kept:
            tell(f"the journal of this game: {keeper.path}")
    elif keeper.is_kept:
        say(f"stopped; go on with: grognard play {arguments.ruleset} --resume {keeper.path}")
    else:
        say("stopped; this game was not kept")
