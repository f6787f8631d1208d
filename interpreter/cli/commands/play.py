"""Implement `grognard play`: a game at the terminal between people and bots in any combination."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from interpreter.cli.arguments import (
    add_flag,
    add_list,
    add_number,
    add_sides,
    add_start,
    add_target,
    parse_seat_players,
)
from interpreter.cli.errors import GOOD, UsageError
from interpreter.cli.output import log, print_line
from interpreter.cli.saves import (
    add_saves,
    find_path_for_name,
    find_path_to_resume,
    format_report_command,
    format_resume_command,
    refuse_contradictions,
)
from interpreter.cli.tui_setup import (
    add_screen,
    make_play_context,
    open_screen_channel,
    open_side_output,
    play_on_screen,
)
from interpreter.diagnostics.suggestions import suggest_words
from interpreter.files.assets import format_target_name
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import get_translator, mark as _
from interpreter.saves.journal import JournalError, read_journal

if TYPE_CHECKING:
    from interpreter.api.game import Rules
    from interpreter.api.resume import Replay
    from interpreter.i18n.translator import Message
    from interpreter.play.game import Game
    from interpreter.players.manual_dice import ManualDice
    from interpreter.runtime.dice import DiceSource
    from interpreter.saves.file_lock import FileLock
    from interpreter.saves.journal import Journal
    from interpreter.ui.repl.repl import Repl

HELP = _("play a game in the terminal, against people or bots")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the command's arguments."""
    add_target(
        parser,
        "ruleset",
        _("RULESET"),
        _(
            "a built-in ruleset, its variant or scenario as ID/NAME, a folder, or a variant or scenario file; "
            "not needed with --resume"
        ),
        nargs="?",
    )
    add_sides(parser)
    add_flag(parser, "--brief", _("write short text without brackets, one line per move, for listening"))
    add_start(parser)
    parser.add_argument(
        "--position",
        metavar=_("CASE"),
        help=_("start in the position of a case (FILE:ID or ID) with its call; such a game is not saved"),
    )
    add_number(
        parser,
        "--max-decisions",
        _("stop bots after this many decisions in a row (default: 100000)"),
        default=100_000,
        holds=_("M"),
    )
    add_saves(parser)
    add_list(
        parser,
        "--seat",
        _("SEAT"),
        _("play only this seat, as in play by mail: stop when another person has to decide; may be repeated"),
    )
    add_flag(parser, "--plain", _("write plain lines of text (the default without --screen)"))
    add_screen(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play until the game ends or the player quits."""
    from interpreter.api.game import load
    from interpreter.runtime.errors import RuleFault

    refuse_contradictions(arguments)
    arguments.front = open_screen_channel(arguments)
    if arguments.resume is None:
        session = _start_session(arguments, load(arguments.ruleset, checked=arguments.position is not None))
    else:
        session = _resume_session(arguments)
    finished = was_demo = False
    rescued = None
    exit_signal: SystemExit | None = None
    try:
        finished = play_on_screen(arguments, session, lambda: _play_session(session))
        if not finished and _is_input_empty(arguments, session):
            _run_demo(arguments, session)
            was_demo = True
    except KeyboardInterrupt:
        print_line()
    except SystemExit as end:  # a signal ended the full-screen interface
        exit_signal = end
    except RuleFault:
        if session.autosave.is_saved:
            log(session.context.localizer.say("the game up to the error: {file}", file=session.autosave.path))
        raise
    finally:
        session.autosave.save_progress(session.game)
        rescued = session.autosave.rescue(session.game)
        session.autosave.close()
    if was_demo:
        return GOOD
    with suppress(OSError) if exit_signal is not None else nullcontext():  # its terminal may be closed
        _print_farewell(arguments, session, finished, rescued)
    if exit_signal is not None:
        raise exit_signal
    return GOOD


def _play_session(session: Repl) -> bool:
    """Play the game; if the player refuses to roll for a bot, undo to the player's last decision and play on.

    Return what the session returns, or False if it cannot be continued.
    """
    from interpreter.players.manual_dice import RollDeclined

    while True:
        try:
            return session.play()
        except RollDeclined as declined:
            session.autosave.complain(str(declined))
            if declined.is_last or not _undo_to_person(session):
                return False


def _is_input_empty(arguments: argparse.Namespace, session: Repl) -> bool:
    """Return whether a player of a new, unsaved game is asked but has typed nothing and is not at a terminal."""
    is_kept = arguments.resume is not None or arguments.save or arguments.name or arguments.dice == "ask"
    is_asked = any(seat not in session.bots for seat in session.autosave.seats)
    is_interactive = sys.stdin is not None and sys.stdin.isatty()
    return (
        is_asked
        and session.line_input.is_untouched
        and not is_kept
        and not is_interactive
        and not (arguments.position or arguments.front)
    )


def _run_demo(arguments: argparse.Namespace, session: Repl) -> None:
    """Let bots play the whole game as a demonstration, without saving it."""
    from interpreter.players.bots.registry import make_bots
    from interpreter.ui.repl.demo import play_demo

    session.autosave.discard()
    seats = {seat: "greedy" if seat not in session.bots else player for seat, player in session.autosave.seats.items()}
    session.context.bots = make_bots(seats, session.game.seed or 0, len(session.game.keys))
    play_demo(session.context, arguments.max_decisions)


def _undo_to_person(session: Repl) -> bool:
    from interpreter.runtime.errors import IllegalAction

    game = session.game
    try:
        game.undo()
        while game.decision is not None and game.decision.seat in session.bots:
            game.undo()
    except IllegalAction:
        return False
    session.reporter.log_position = len(game.get_raw_log())
    session.autosave.save_progress(game)
    return True


def _start_session(arguments: argparse.Namespace, rules: Rules) -> Repl:
    """Start a new game and its saving. Return the session."""
    from interpreter.api.resume import store_target
    from interpreter.players.bots.registry import HUMAN
    from interpreter.players.manual_dice import RollDeclined
    from interpreter.runtime.dice import AskedDice, SeededDice
    from interpreter.runtime.log_entries import LoggedTurn
    from interpreter.saves.storage import choose_journal_path, create_seed

    seed: int = create_seed() if arguments.seed is None else arguments.seed
    typed_dice = None
    if arguments.dice == "ask":
        unplayed_game = rules.start(scenario=arguments.scenario, options=arguments.option, empty=True, record=False)
        typed_dice = AskedDice(_create_manual_dice(arguments, rules.as_played(unplayed_game)))
    try:
        if arguments.position is None:
            game = rules.start(scenario=arguments.scenario, options=arguments.option, seed=seed, dice=typed_dice)
        else:
            game = _start_in_position(arguments, rules, typed_dice or SeededDice(seed))
    except RollDeclined:
        raise UsageError("the game was not started: it begins with a roll, and no result was typed") from None
    seats = _choose_players(arguments, game, {})
    path, is_named = None, bool(arguments.save or arguments.name)
    is_own = not is_named and HUMAN in seats.values() and arguments.position is None
    if is_named:
        path = Path(arguments.save) if arguments.save else find_path_for_name(arguments)
    elif is_own:
        path = choose_journal_path(rules.id)
    if path is None and HUMAN in seats.values() and arguments.position is None:
        say = get_translator(arguments.lang)
        log(say("this game is not being saved: {problem}", problem=_("cannot create a folder for saved games")))
    session = _create_session(arguments, rules, game, seats, path)
    store_target(rules)
    localizer = session.context.localizer
    rolled = (
        localizer.say("seed {seed}", seed=seed) if typed_dice is None else localizer.say("dice rolled at the table")
    )
    greeting = [localizer.with_detail(localizer.translate_label(rules.program.data["title"], rules.id), rolled)]
    if localizer.data.get("reconstructed"):
        greeting.append(
            localizer.say(
                "parts of this game's data are reconstructed; to see which: grognard show {ruleset}",
                ruleset=format_target_name(arguments.ruleset),
            )
        )
    session.context.write(*greeting)
    _begin(session, None, is_named)
    if is_own and path is None:
        log(session.autosave.describe_location())
    session.reporter.unbriefed = [seat for seat in seats if seat not in session.bots]
    if session.reporter.unbriefed:  # the set-up is part of the position
        session.reporter.log_position = next(
            (n for n, raw in enumerate(game.get_raw_log()) if isinstance(raw, LoggedTurn)),
            session.reporter.log_position,
        )
    return session


def _start_in_position(arguments: argparse.Namespace, rules: Rules, dice: DiceSource) -> Game:
    """Return a game in the position of the requested case, before the case calls or plays anything."""
    from interpreter.tools.evaluate import continue_position, find_position

    position = find_position(rules, arguments.position, dice)
    game = continue_position(position)
    if game.decision is None:
        case_id = arguments.position.rpartition(":")[2]
        raise UsageError(
            "`{case}` has no decision, so it cannot be played; to see its position: {command}",
            case=arguments.position,
            command=f"grognard test {format_target_name(rules.target)} --show {case_id}",
        )
    return game


def _create_manual_dice(arguments: argparse.Namespace, rules: Rules) -> ManualDice:
    from interpreter.players.manual_dice import ManualDice
    from interpreter.runtime.localizer import Localizer
    from interpreter.ui.repl.terminal import Terminal

    return ManualDice(Localizer(rules.program, arguments.lang), open_side_output(arguments) or Terminal())


def _resume_session(arguments: argparse.Namespace) -> Repl:
    """Resume a game; if another program holds its lock, return a read-only session."""
    from interpreter.saves.file_lock import lock_game

    path = find_path_to_resume(arguments)
    with lock_game(path, arguments.take_over) as lock:
        return _replay_game(arguments, path, lock)


def _replay_game(arguments: argparse.Namespace, path: Path, lock: FileLock | Message) -> Repl:
    from interpreter.saves.file_lock import FileLock

    journal, replay = _replay_saved_game(arguments, path)
    game, rules = replay.game, replay.rules
    replay.ask = _create_manual_dice(arguments, rules)
    session = _create_session(
        arguments, rules, game, _choose_players(arguments, game, journal.header.seats), path, journal
    )
    session.reporter.log_position = len(game.get_raw_log())
    session.reporter.event_formatter.has_started = True
    is_unfinished = not game.over or not replay.is_whole
    if isinstance(lock, FileLock):
        session.autosave.lock = lock
    elif is_unfinished:
        session.autosave.read_only_reason = lock
    session.context.write(*_render_greeting(session, replay, path))
    if is_unfinished:
        _begin(session, journal, is_named=True)
    return session


def _replay_saved_game(arguments: argparse.Namespace, path: Path) -> tuple[Journal, Replay]:
    """Read and replay a saved game to its end. Raises UsageError or JournalError if it cannot be continued."""
    from interpreter.api.resume import build_replay, load_journal_rules

    journal = read_journal(path)
    rules = load_journal_rules(journal.header, path, arguments.ruleset)
    if journal.header.ruleset != rules.id:
        raise UsageError(
            "--resume: {path} is a game of `{ruleset}`, not of `{given}`",
            path=path,
            ruleset=journal.header.ruleset,
            given=rules.id,
        )
    if arguments.dice and (arguments.dice == "ask") != (journal.header.seed is None):
        raise UsageError(
            _("--dice seed: the dice of this game are rolled at the table and cannot change; leave out --dice")
            if journal.header.seed is None
            else _("--dice ask: the dice of this game come from its seed and cannot change; leave out --dice")
        )
    replay = build_replay(journal, rules, path)
    replay.finish_without_divergence(path)
    return journal, replay


def _render_greeting(session: Repl, replay: Replay, path: Path) -> list[str]:
    """Render the lines shown when a player resumes a game from the file `path`."""
    from interpreter.players.ownership import list_seat_sides
    from interpreter.players.reports.manual_edits import render_edits
    from interpreter.saves.storage import list_notes_since

    localizer, game = session.context.localizer, session.game
    greeting = [
        localizer.say(
            "{game}: resumed from {file}",
            game=localizer.translate_label(localizer.data["title"], replay.rules.id),
            file=path,
        )
    ]
    if session.autosave.read_only_reason:
        greeting += [
            localizer.say("you can only view it: {problem}", problem=session.autosave.read_only_reason),
            localizer.say(
                "You can use every command that does not change the game. To play on with a copy: save FILE. "
                "To take over the game: quit, and resume it with --take-over"
            ),
        ]
    greeting += render_edits(replay.journal, localizer.say)
    if replay.rules_remark:
        greeting.append(localizer.say(replay.rules_remark))
    if replay.journal.has_text_below and not session.autosave.read_only_reason:
        greeting.append(
            localizer.say("your next choice removes the text after the last line of the game from the file")
        )
    if replay.journal.is_torn:
        greeting.append(localizer.say("the last line of the file is incomplete and was ignored"))
    if replay.lost_decision:
        greeting.append(localizer.say("the dice of the last choice were lost with it; make the choice again"))
    bots = [
        localizer.prefix_topic(localizer.get_thing_name("seat", seat), localizer.format_player(player))
        for seat, player in session.autosave.seats.items()
        if seat in session.bots
    ]
    if bots and not game.over:
        greeting.append(localizer.say("bots: {players}", players=localizer.join_list(bots)))
    if game.decision is not None:
        greeting.append(
            localizer.say(
                "to move: {seat}, for {side}",
                seat=localizer.get_thing_name("seat", game.decision.seat),
                side=localizer.get_thing_name("side", game.decision.side),
            )
        )
        seat = next(iter(session.seats_played_here), game.decision.seat)
        greeting += _render_since_last_choice(session, seat)
        notes = list_notes_since(replay.journal, list_seat_sides(game, seat))
        greeting += [localizer.say("notes since your last choice:"), *(f"  {note}" for note in notes)] if notes else []
    return greeting


def _render_since_last_choice(session: Repl, seat: str) -> list[str]:
    """Render what other players did since the last choice of a seat, in a few lines; [] if nothing."""
    from interpreter.ui.repl.summary_commands import render_news

    news = render_news(session.context, seat)
    return [session.context.localizer.say("since your last choice:"), *(f"  {line}" for line in news)] if news else []


def _begin(session: Repl, journal: Journal | None, is_named: bool) -> None:
    """Start saving the game; a failure is fatal only if the player named the file (`is_named`).

    `journal`: the saved game that is continued, or None for a new one.
    """
    try:
        session.autosave.begin(session.game, journal)
    except (JournalError, OSError) as problem:
        if is_named:
            raise
        log(session.context.localizer.say("this game is not being saved: {problem}", problem=format_os_error(problem)))
        session.autosave.path = None


def _choose_players(arguments: argparse.Namespace, game: Game, before: Mapping[str, str]) -> dict[str, str]:
    """Return the player of each seat: as given by --side, else as in the journal, else a human.

    The search budget of a bot from the journal is limited. `before`: the players in the journal, by seat.
    """
    from interpreter.players.bots.registry import BOTS, HUMAN, is_bot, limit_budget
    from interpreter.players.ownership import list_seats, map_sides_to_seats

    seats = list_seats(game)
    chosen = parse_seat_players(arguments.side, seats, map_sides_to_seats(game), (HUMAN, *BOTS), "")
    players = {}
    for seat in seats:
        recorded = before.get(seat, HUMAN)
        players[seat] = chosen[seat] or (limit_budget(recorded) if is_bot(recorded) else HUMAN)
        if is_bot(recorded) and not chosen[seat] and players[seat] != recorded:
            say = get_translator(arguments.lang)
            log(
                say(
                    "the file names {asked} for {seat}, which may think for a long time; {player} plays "
                    "instead; to use it anyway: --side {seat}={asked}",
                    asked=recorded,
                    seat=seat,
                    player=players[seat],
                )
            )
    return players


def _create_session(
    arguments: argparse.Namespace,
    rules: Rules,
    game: Game,
    seats: dict[str, str],
    path: Path | None,
    journal: Journal | None = None,
) -> Repl:
    from interpreter.files.ruleset_locations import find_user_file
    from interpreter.players.bots.registry import make_bots
    from interpreter.players.narration.event_lines import EventFormatter
    from interpreter.saves.storage import count_decisions
    from interpreter.ui.repl.repl import Repl

    bots = make_bots(seats, game.seed or 0, count_decisions(journal) if journal else 0)
    context = make_play_context(arguments, rules, game, seats, bots, path, find_user_file("typed.history"))
    localizer, lang = context.localizer, arguments.lang
    if lang and localizer.lang != lang:
        log(
            localizer.say(
                "the ruleset has no translation into `{lang}`; showing {shown}", lang=lang, shown=localizer.lang
            )
        )
    local_seats, event_formatter = _find_local_seats(arguments.seat, game), EventFormatter(localizer, decisions=False)
    session = Repl(context, event_formatter, most=arguments.max_decisions, seats_played_here=local_seats)
    if arguments.brief:
        session.context.is_brief = True
    return session


def _find_local_seats(names: Sequence[str], game: Game) -> tuple[str, ...]:
    """Return the seats that are played on this computer, given by the names of seats or sides; () for all.

    Raises UsageError for unknown names.
    """
    from interpreter.players.ownership import list_seats, map_sides_to_seats

    seats, seat_of_side = list_seats(game), map_sides_to_seats(game)
    local_seats = []
    for name in names:
        seat = name if name in seats else seat_of_side.get(name)
        if seat is None:
            hint = suggest_words(name, [*seats, *seat_of_side], all_of_them=True)
            raise UsageError("--seat {name}: unknown seat `{name}`{hint}", name=name, hint=hint)
        local_seats.append(seat)
    return tuple(dict.fromkeys(local_seats))


def _render_handover(session: Repl) -> list[str]:
    """Render whose turn it is and which file the next player needs, if several people play; otherwise []."""
    decision, autosave = session.game.decision, session.autosave
    people = [seat for seat in autosave.seats if seat not in session.bots]
    if decision is None or len(people) < 2 or autosave.path is None:
        return []
    seat = session.context.localizer.get_thing_name("seat", decision.seat)
    return [
        session.context.localizer.say(
            "it is the turn of {seat}; to play by mail, send this file: {file}", seat=seat, file=autosave.path.name
        )
    ]


def _print_farewell(arguments: argparse.Namespace, session: Repl, finished: bool, rescued: Path | None) -> None:
    """Print where the game is saved and how to continue it; `rescued`: the new file of a game that lost its own."""
    autosave, localizer = session.autosave, session.context.localizer
    if rescued is not None:
        log(
            localizer.say(
                "the game is saved in {file}; to continue: {command}",
                file=rescued,
                command=format_resume_command(rescued, arguments.ruleset, arguments.lang),
            )
        )
    elif autosave.read_only_reason and not autosave.is_full:
        session.context.write(localizer.say("stopped; no changes were made to the game"))
    elif finished:
        if autosave.is_saved:
            assert autosave.path is not None
            log(localizer.say("saved game: {file}", file=autosave.path))
            log(
                localizer.say(
                    "report of the game, with its luck: {command}",
                    command=format_report_command(autosave.path, arguments.lang),
                )
            )
    elif autosave.is_saved:
        assert autosave.path is not None
        command = format_resume_command(autosave.path, arguments.ruleset, arguments.lang)
        session.context.screen.write(
            [localizer.say("stopped; to continue: {command}", command=command), *_render_handover(session)]
        )
    else:
        session.context.write(localizer.say("stopped; this game was not saved"))
