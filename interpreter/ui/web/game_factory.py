"""Factory of served games: a new one of a ruleset, or a resumed one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from interpreter.api.autosave import Autosave
from interpreter.api.loading import load
from interpreter.api.resume import build_replay, load_journal_rules, store_target
from interpreter.api.rules import Rules
from interpreter.documents.learning import has_tutorial, read_first_game
from interpreter.i18n.translator import Message, Translator, mark as _
from interpreter.players.bots.registry import HUMAN, is_bot, limit_budget, make_bots
from interpreter.players.ownership import list_seats, map_sides_to_seats
from interpreter.saves.file_lock import FileLock, lock_game
from interpreter.saves.journal import JournalError, read_journal
from interpreter.saves.storage import choose_journal_path, count_decisions, create_seed, format_game_name
from interpreter.ui.web.served_game import OPPONENT, ServedGame


def create_game(
    rules: Rules,
    say: Translator,
    players: Mapping[str, str],
    scenario: str | None = None,
    options: Sequence[str] | Mapping[str, Any] = (),
    seed: int | None = None,
) -> ServedGame:
    """Start a new game, saved among the user's games.

    `players` maps seats to players; a missing seat is played by a human.
    """
    game = rules.start(scenario=scenario, options=options, seed=create_seed() if seed is None else seed)
    player_of = {seat: players.get(seat) or HUMAN for seat in list_seats(game)}
    path = choose_journal_path(rules.id)
    autosave = Autosave(path, player_of, lambda text: None, say=say, continues_in_new_file=True)
    if path is None:
        autosave.trouble = _("your moves are not being saved: cannot create a folder for saved games")
    try:
        autosave.begin(game)
    except (JournalError, OSError) as problem:
        autosave.handle_write_failure(problem, game)
    store_target(rules)
    name = rules.id if path is None else format_game_name(path)
    bots = make_bots(player_of, game.seed or 0)
    return ServedGame(name, rules, game, autosave, bots, has_lesson=has_tutorial(rules.target))


def create_lesson(rules: Rules, say: Translator) -> ServedGame | None:
    """Start the lesson of a ruleset, which is not saved; None if it has none.

    Bots play the other seats once the lesson is over. Raises LessonError if the lesson cannot begin.
    """
    from interpreter.tools.lessons.course import start_lesson

    lesson = rules.source.load_lesson(rules.program.languages)
    if lesson is None:
        return None
    course = start_lesson(lesson, rules)
    seats = {seat: HUMAN if seat == lesson.seat else OPPONENT for seat in list_seats(course.game)}
    autosave = Autosave(None, seats, lambda text: None, say=say, continues_in_new_file=True)
    bots = make_bots(seats, lesson.seed)
    return ServedGame(rules.id, rules, course.game, autosave, bots, course, has_lesson=True)


def create_game_like(served: ServedGame, say: Translator) -> ServedGame:
    """Start a new game with the ruleset, scenario, options and players of another.

    After a lesson it is the first game that the tutorial recommends, if it names one.
    """
    game, target, first = served.game, served.rules.target, None
    if served.course is not None:
        first = read_first_game(target, served.rules.program.languages)
    if first is not None and first.seat in served.players:
        players = {seat: HUMAN if seat == first.seat else first.opponent for seat in served.players}
        return create_game(load(target), say, players, first.scenario)
    return create_game(load(target), say, served.players, game.scenario, game.view()["options"])


Players = Callable[[Sequence[str], dict[str, str]], Mapping[str, str]]


def resume_game(path: Path, say: Translator, players: Players | None = None) -> ServedGame:
    """Resume a saved game; one that another process plays is read-only.

    `players` is called with the seats and the seat of each side; it returns the new player of each seat that gets one.
    Without it each seat keeps its player. Raises JournalError if the game cannot be resumed.
    """
    with lock_game(path) as lock:
        return _resume_locked(path, say, players, lock)


def _resume_locked(path: Path, say: Translator, players: Players | None, lock: FileLock | Message) -> ServedGame:
    """Resume a saved game; `lock`: the lock of its file, or the reason why another process holds it."""
    journal = read_journal(path)
    rules = load_journal_rules(journal.header, path)
    replay = build_replay(journal, rules, path)
    game = replay.finish_without_divergence(path)
    player_of, requested_players = (
        {},
        players(list_seats(game), map_sides_to_seats(game)) if players is not None else {},
    )
    for seat in list_seats(game):
        before = journal.header.seats.get(seat, HUMAN)
        player_of[seat] = requested_players.get(seat) or (limit_budget(before) if is_bot(before) else HUMAN)
    autosave = Autosave(path, player_of, lambda text: None, say=say, continues_in_new_file=True)
    if isinstance(lock, FileLock):
        autosave.lock = lock
    if journal.header.seed is None and not game.over:  # the web page has no input for manual dice
        autosave.read_only_reason = _("the dice of this game are rolled at a table: continue it in the terminal")
    elif not isinstance(lock, FileLock):
        autosave.read_only_reason = lock
    if not game.over or not replay.is_whole:
        autosave.begin(game, journal)
    bots = make_bots(player_of, game.seed or 0, count_decisions(journal))
    served = ServedGame(format_game_name(path), rules, game, autosave, bots, has_lesson=has_tutorial(rules.target))
    if replay.rules_remark:
        served.notices.append(say(replay.rules_remark))
    return served
