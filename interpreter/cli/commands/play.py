"""`grognard play`: a game at the terminal, people and bots in any mixture."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import add_flag, add_list, add_number, add_sides, add_start, seats_by_player
from interpreter.cli.failures import GOOD, UsageError
from interpreter.cli.full_screen import add_screen, beside, front_of, played_in_front
from interpreter.cli.output import say, tell
from interpreter.cli.saves import (
    add_saves,
    how_to_report,
    how_to_resume,
    named_path,
    refuse_contradictions,
    resumed_path,
)
from interpreter.files.assets import called, named_target
from interpreter.files.system_words import said_by_system
from interpreter.saves.journal import JournalError, read_journal
from interpreter.source.suggestion import guess
from interpreter.words.speech import mark as _, speaker

if TYPE_CHECKING:
    from interpreter.facade.game import Rules
    from interpreter.facade.resuming import Replay
    from interpreter.faces.terminal.sitting import Session
    from interpreter.play.session import Game
    from interpreter.players.table_dice import TableDice
    from interpreter.runtime.dice import DiceSource
    from interpreter.saves.holding import Hold
    from interpreter.saves.journal import Journal
    from interpreter.words.speech import Sentence

HELP = _("play a game in the terminal, against people or bots")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's own arguments."""
    parser.add_argument(
        "ruleset",
        metavar=_("RULESET"),
        nargs="?",
        type=named_target,
        help=_("a shipped id, a variant or scenario of one as ID/NAME, a folder or a file; not needed with --resume"),
    )
    add_sides(parser)
    add_flag(parser, "--brief", _("few words and no brackets, a line for a move: for listening"))
    add_start(parser)
    parser.add_argument(
        "--position",
        metavar=_("CASE"),
        help=_("begin in the position of a case (FILE:ID or ID), with what it calls; such a game is not kept"),
    )
    add_number(
        parser,
        "--max-decisions",
        _("programs are stopped after so many decisions in a row (default: 100000)"),
        default=100_000,
        holds=_("M"),
    )
    add_saves(parser)
    add_list(
        parser,
        "--seat",
        _("SEAT"),
        _("play this seat only, as by mail: stop where another person is to decide; may be repeated"),
    )
    add_flag(parser, "--plain", _("plain lines of text, as without --screen"))
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play to the end, or until the people stop."""
    from interpreter.facade.game import load
    from interpreter.runtime.faults import RuleFault

    refuse_contradictions(arguments)
    arguments.front = front_of(arguments)
    if arguments.resume is None:
        session = _started(arguments, load(arguments.ruleset, checked=arguments.position is not None))
    else:
        session = _resumed(arguments)
    finished = shown = False
    rescued = None
    told_to_end: SystemExit | None = None
    try:
        finished = played_in_front(arguments, session, lambda: _played(session))
        if not finished and _nobody_types(arguments, session):
            shown = _shown_by_bots(arguments, session)
    except KeyboardInterrupt:
        say()
    except SystemExit as end:  # a signal has ended the full screen
        told_to_end = end
    except RuleFault:
        if session.keeper.is_kept:
            tell(session.words.say("the game up to the fault: {file}", file=session.keeper.path))
        raise
    finally:
        session.keeper.keep(session.game)
        rescued = session.keeper.rescue(session.game)
        session.keeper.close()
    if shown:
        return GOOD
    with suppress(OSError) if told_to_end is not None else nullcontext():  # its terminal may be gone
        _say_farewell(arguments, session, finished, rescued)
    if told_to_end is not None:
        raise told_to_end
    return GOOD


def _played(session: Session) -> bool:
    """Play; what a person does not want to roll for a bot is taken back to his own last decision."""
    from interpreter.players.table_dice import RollDeclined

    while True:
        try:
            return session.play()
        except RollDeclined as declined:
            session.keeper.complain(str(declined))
            if declined.is_last or not _back_to_a_person(session):
                return False


def _nobody_types(arguments: argparse.Namespace, session: Session) -> bool:
    """True where a new game that need not be kept met nobody: input that is no terminal was at its end at once."""
    is_kept = arguments.resume is not None or arguments.save or arguments.name or arguments.dice == "ask"
    is_asked = any(seat not in session.bots for seat in session.keeper.seats)
    is_there = sys.stdin is not None and sys.stdin.isatty()
    return (
        is_asked
        and session.is_untouched
        and not is_kept
        and not is_there
        and not (arguments.position or arguments.front)
    )


def _shown_by_bots(arguments: argparse.Namespace, session: Session) -> bool:
    """Let bots play the game out for all to see; it leaves no file."""
    from interpreter.faces.terminal.playing_out import play_out
    from interpreter.players.bots.roster import make_bots

    session.keeper.give_up()
    seats = {seat: "greedy" if seat not in session.bots else player for seat, player in session.keeper.seats.items()}
    session.bots = make_bots(seats, session.game.seed or 0, len(session.game.keys))
    play_out(session, arguments.max_decisions)
    return True


def _back_to_a_person(session: Session) -> bool:
    from interpreter.runtime.faults import IllegalAction

    game = session.game
    try:
        game.undo()
        while game.decision is not None and game.decision.seat in session.bots:
            game.undo()
    except IllegalAction:
        return False
    session.told = len(game.raw_log())
    session.keeper.keep(game)
    return True


def _started(arguments: argparse.Namespace, rules: Rules) -> Session:
    from interpreter.facade.resuming import remember
    from interpreter.players.bots.roster import HUMAN
    from interpreter.players.table_dice import RollDeclined
    from interpreter.runtime.dice import AskedDice, SeededDice
    from interpreter.saves.storage import fresh_seed, own_journal

    seed: int = fresh_seed() if arguments.seed is None else arguments.seed
    asked = None
    if arguments.dice == "ask":
        outset = rules.start(scenario=arguments.scenario, options=arguments.option, empty=True, record=False)
        asked = AskedDice(_table_dice(arguments, rules.as_played(outset)))
    try:
        if arguments.position is None:
            game = rules.start(scenario=arguments.scenario, options=arguments.option, seed=seed, dice=asked)
        else:
            game = _in_position(arguments.position, rules, asked or SeededDice(seed))
    except RollDeclined:
        raise UsageError("no game was begun: it starts with a roll, and what fell was not typed") from None
    seats = _players(arguments, game, {})
    path, is_named = None, bool(arguments.save or arguments.name)
    is_own = not is_named and HUMAN in seats.values() and arguments.position is None
    if is_named:
        path = Path(arguments.save) if arguments.save else named_path(arguments)
    elif is_own:
        path = own_journal(rules.id)
    if path is None and HUMAN in seats.values() and arguments.position is None:
        told = speaker(arguments.lang)
        tell(told("this game is not kept: {problem}", problem=_("no folder for saved games can be made")))
    session = _session(arguments, rules, game, seats, path)
    remember(rules)
    words = session.words
    rolled = words.say("seed {seed}", seed=seed) if asked is None else words.say("dice rolled at the table")
    greeting = [words.aside(words.label(rules.program.data["title"], rules.id), rolled)]
    if words.data.get("reconstructed"):
        greeting.append(
            words.say(
                "parts of this game's data are reconstructed: grognard show {ruleset} tells which",
                ruleset=called(arguments.ruleset),
            )
        )
    session.screen.write(greeting)
    _begin(session, None, is_named)
    if is_own and path is None:
        tell(session.keeper.where())
    session.unbriefed = [seat for seat in seats if seat not in session.bots]
    if session.unbriefed:  # who was put where stands in the position
        session.told = next((n for n, raw in enumerate(game.raw_log()) if raw[0] == "turn"), session.told)
    return session


def _in_position(name: str, rules: Rules, dice: DiceSource) -> Game:
    """A game that stands in the position of a case, before what the case calls or plays first."""
    from interpreter.tools.asking.named_positions import find_position, gone_on

    position = find_position(rules, name, dice)
    game = gone_on(position)
    if game.decision is None:
        raise UsageError(
            "`{case}` comes to no decision, so there is nothing to play; look at it with --show {case}", case=name
        )
    return game


def _table_dice(arguments: argparse.Namespace, rules: Rules) -> TableDice:
    from interpreter.faces.terminal.screen import Terminal
    from interpreter.players.table_dice import TableDice
    from interpreter.players.telling.vocabulary import Words

    return TableDice(Words(rules.program, arguments.lang), beside(arguments) or Terminal())


def _resumed(arguments: argparse.Namespace) -> Session:
    """A game gone on with; where another program plays it, one that can only be looked at."""
    from interpreter.saves.holding import held

    path = resumed_path(arguments)
    with held(path, arguments.take_over) as found:
        return _replayed(arguments, path, found)


def _replayed(arguments: argparse.Namespace, path: Path, held: Hold | Sentence) -> Session:
    from interpreter.saves.holding import Hold

    journal, replay = _read_again(arguments, path)
    game, rules = replay.game, replay.rules
    replay.ask = _table_dice(arguments, rules)
    session = _session(arguments, rules, game, _players(arguments, game, journal.header.seats), path, journal)
    session.told = len(game.raw_log())
    session.teller.begun = True
    goes_on = not game.over or not replay.is_whole
    if isinstance(held, Hold):
        session.keeper.hold = held
    elif goes_on:
        session.keeper.looking = held
    session.screen.write(_greeting(session, replay, path))
    if goes_on:
        _begin(session, journal, named=True)
    return session


def _read_again(arguments: argparse.Namespace, path: Path) -> tuple[Journal, Replay]:
    """A saved game, carried out to its end; UsageError and JournalError say why it cannot be gone on with."""
    from interpreter.facade.resuming import replay_of, rules_of

    journal = read_journal(path)
    rules = rules_of(journal.header, path, arguments.ruleset)
    if journal.header.ruleset != rules.id:
        raise UsageError(
            "--resume: {path} is a game of `{ruleset}`, not of `{given}`",
            path=path,
            ruleset=journal.header.ruleset,
            given=rules.id,
        )
    if arguments.dice and (arguments.dice == "ask") != (journal.header.seed is None):
        raise UsageError(
            _("--dice seed: the dice of this game are rolled at the table, and stay so; leave out --dice")
            if journal.header.seed is None
            else _("--dice ask: the dice of this game come from its seed, and stay so; leave out --dice")
        )
    replay = replay_of(journal, rules, path)
    replay.finish_exactly(path)
    return journal, replay


def _greeting(session: Session, replay: Replay, path: Path) -> list[str]:
    """What whoever goes on with a game is told first."""
    from interpreter.players.afterwards.by_hand import told_edits
    from interpreter.players.belonging import seat_sides
    from interpreter.saves.storage import notes_since

    words, game = session.words, session.game
    greeting = [
        words.say("{game}: resumed from {file}", game=words.label(words.data["title"], replay.rules.id), file=path)
    ]
    if session.keeper.looking:
        greeting += [
            words.say("you can only look at it: {problem}", problem=session.keeper.looking),
            words.say(
                "all that asks works; what would change the game is refused. A copy to play on with: "
                "save FILE. To take it over from there: quit, and resume it with --take-over"
            ),
        ]
    greeting += told_edits(replay.journal, words.say)
    if replay.unproved:
        greeting.append(words.say(replay.unproved))
    if replay.journal.below and not session.keeper.looking:
        greeting.append(words.say("your next choice removes the text below the last line of the game from the file"))
    if replay.journal.torn:
        greeting.append(words.say("the last line of the file was cut short and is lost"))
    if replay.lost_decision:
        greeting.append(words.say("the dice of the last choice were lost with its end; it has to be made again"))
    bots = [
        words.about(words.thing("seat", seat), words.player(player))
        for seat, player in session.keeper.seats.items()
        if seat in session.bots
    ]
    if bots and not game.over:
        greeting.append(words.say("programs play: {players}", players=words.listed(bots)))
    if game.decision is not None:
        greeting.append(
            words.say(
                "to move: {seat}, for {side}",
                seat=words.thing("seat", game.decision.seat),
                side=words.thing("side", game.decision.side),
            )
        )
        seat = next(iter(session.only), game.decision.seat)
        greeting += _since_last_choice(session, seat)
        notes = notes_since(replay.journal, seat_sides(game, seat))
        greeting += [words.say("notes since your last choice:"), *(f"  {note}" for note in notes)] if notes else []
    return greeting


def _since_last_choice(session: Session, seat: str) -> list[str]:
    """What the others have done since the last choice of a seat, in a few lines."""
    from interpreter.faces.terminal.glances import news

    told = news(session, seat)
    return [session.words.say("since your last choice:"), *(f"  {line}" for line in told)] if told else []


def _begin(session: Session, journal: Journal | None, named: bool) -> None:
    """Start writing; a file that the player did not name must not keep him from playing."""
    try:
        session.keeper.begin(session.game, journal)
    except (JournalError, OSError) as problem:
        if named:
            raise
        tell(session.words.say("this game is not kept: {problem}", problem=said_by_system(problem)))
        session.keeper.path = None


def _players(arguments: argparse.Namespace, game: Game, before: Mapping[str, str]) -> dict[str, str]:
    """Who plays each seat: as asked, else as in the journal within bounds, else a person."""
    from interpreter.players.belonging import seats_of, side_seats
    from interpreter.players.bots.roster import BOTS, HUMAN, is_bot, within_bounds

    seats = seats_of(game)
    chosen = seats_by_player(arguments.side, seats, side_seats(game), (HUMAN, *BOTS), "")
    players = {}
    for seat in seats:
        asked = before.get(seat, HUMAN)
        players[seat] = chosen[seat] or (within_bounds(asked) if is_bot(asked) else HUMAN)
        if is_bot(asked) and not chosen[seat] and players[seat] != asked:
            told = speaker(arguments.lang)
            tell(
                told(
                    "the file asks for {asked} at {seat}, which may think for long; it is {player} now; to have it all "
                    "the same: --side {seat}={asked}",
                    asked=asked,
                    seat=seat,
                    player=players[seat],
                )
            )
    return players


def _session(
    arguments: argparse.Namespace,
    rules: Rules,
    game: Game,
    seats: dict[str, str],
    path: Path | None,
    journal: Journal | None = None,
) -> Session:
    from interpreter.cli.sheets import sheets_of
    from interpreter.facade.keeping import Keeper
    from interpreter.faces.terminal.announcing import be_brief
    from interpreter.faces.terminal.commands import COMMANDS
    from interpreter.faces.terminal.screen import Terminal, shows_colours
    from interpreter.faces.terminal.sitting import Session
    from interpreter.files.whereabouts import own_file
    from interpreter.players.bots.roster import make_bots
    from interpreter.players.telling.happenings import Teller
    from interpreter.players.telling.vocabulary import Words
    from interpreter.saves.storage import decisions_in

    rules = rules.as_played(game)
    words = Words(rules.program, arguments.lang)
    if arguments.lang and words.lang != arguments.lang:
        tell(words.say("the ruleset has no words in `{lang}`; showing {shown}", lang=arguments.lang, shown=words.lang))
    bots = make_bots(seats, game.seed or 0, decisions_in(journal) if journal else 0)
    front, arguments.rules = arguments.front, rules
    known = [words.say(name) for name in COMMANDS]
    if front is not None:
        front.always = known
    screen = front or Terminal(known, own_file("typed.history"))
    teller = Teller(words, decisions=False)
    keeper = Keeper(path, seats, tell if front is None else front.complain, say=words.say)
    sheets = sheets_of(rules, words, front is None and shows_colours())
    only = _only_seats(arguments.seat, game)
    session = Session(game, words, screen, bots, keeper, teller, sheets, most=arguments.max_decisions, only=only)
    if arguments.brief:
        be_brief(session)
    return session


def _only_seats(given: Sequence[str], game: Game) -> tuple[str, ...]:
    """Return the seats that are played here, by their own names or those of their sides; () for all."""
    from interpreter.players.belonging import seats_of, side_seats

    seats, of_side = seats_of(game), side_seats(game)
    found = []
    for name in given:
        seat = name if name in seats else of_side.get(name)
        if seat is None:
            hint = guess(name, [*seats, *of_side], all_of_them=True)
            raise UsageError("--seat {name}: there is no seat `{name}`{hint}", name=name, hint=hint)
        found.append(seat)
    return tuple(dict.fromkeys(found))


def _handed_over(session: Session) -> list[str]:
    """Where several people play: whose turn it is, and which file he needs."""
    decision, keeper = session.game.decision, session.keeper
    people = [seat for seat in keeper.seats if seat not in session.bots]
    if decision is None or len(people) < 2 or keeper.path is None:
        return []
    seat = session.words.thing("seat", decision.seat)
    return [
        session.words.say(
            "it is the turn of {seat}; to play by mail, send this file: {file}", seat=seat, file=keeper.path.name
        )
    ]


def _say_farewell(arguments: argparse.Namespace, session: Session, finished: bool, rescued: Path | None) -> None:
    keeper, words = session.keeper, session.words
    if rescued is not None:
        tell(
            words.say(
                "what was played is kept in {file}; go on with: {command}",
                file=rescued,
                command=how_to_resume(rescued, arguments.ruleset, arguments.lang),
            )
        )
    elif keeper.looking and not keeper.is_full:
        session.screen.write([words.say("stopped; the game was not changed from here")])
    elif finished:
        if keeper.is_kept:
            assert keeper.path is not None
            tell(words.say("the journal of this game: {file}", file=keeper.path))
            tell(words.say("its story, with its luck: {command}", command=how_to_report(keeper.path, arguments.lang)))
    elif keeper.is_kept:
        assert keeper.path is not None
        how = how_to_resume(keeper.path, arguments.ruleset, arguments.lang)
        session.screen.write([words.say("stopped; go on with: {command}", command=how), *_handed_over(session)])
    else:
        session.screen.write([words.say("stopped; this game was not kept")])
