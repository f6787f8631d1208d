"""Games of a page without a server: started from a code, a journal or the page's own defaults, and kept by the page.

Nothing is written to files: the page asks for the journal and stores it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from interpreter.api.autosave import Autosave
from interpreter.api.game_code import GameCode, replay_game_code
from interpreter.api.resume import build_replay
from interpreter.api.rules import Rules
from interpreter.i18n.translator import mark as _
from interpreter.play.game import Game
from interpreter.players.bots.registry import HUMAN, is_bot, limit_budget, make_bots
from interpreter.players.ownership import list_seats
from interpreter.runtime.errors import SetupError
from interpreter.saves.journal import Journal, format_journal, parse_journal
from interpreter.saves.recorder import build_journal
from interpreter.saves.storage import count_decisions, create_seed, list_notes
from interpreter.tools.lessons.course import NOTHING_DONE, LessonCourse, LessonProgress, start_lesson
from interpreter.tools.lessons.errors import LessonError, OtherOrderError
from interpreter.ui.web.background_work import SentPosition
from interpreter.ui.web.served_game import OPPONENT, ServedGame

_TYPED = _("the dice of this game are rolled at a table: continue it in the terminal")


@dataclass(frozen=True, slots=True)
class StartDefaults:
    """Default start of a game on a page; seats without a player are human."""

    players: Mapping[str, str] = field(default_factory=dict)
    scenario: str = ""
    options: tuple[str, ...] = ()


class UnusedWorker:
    """A background worker that does nothing: the page asks its own second worker.

    Its methods raise EOFError, so that the caller computes the answer itself.
    """

    def choose(self, position: SentPosition, seat: str, players: Mapping[str, str], decisions: int) -> int:
        """Raise EOFError."""
        raise EOFError("no worker")

    def compute_odds(self, position: SentPosition, key: str, lang: str, most: int, throws: int) -> object:
        """Raise EOFError."""
        raise EOFError("no worker")

    def end(self) -> None:
        """Do nothing."""


def start_game(rules: Rules, defaults: StartDefaults) -> ServedGame:
    """Start a new game with the page's default players, scenario and optional rules."""
    code = GameCode(rules.id, "", defaults.scenario, defaults.options, None, defaults.players)
    return start_coded_game(rules, code)


def start_coded_game(rules: Rules, code: GameCode) -> ServedGame:
    """Start the game of a code. Raises SetupError if it does not fit the rules."""
    game = replay_game_code(code, rules, create_seed())
    return _serve(rules, game, {seat: _check_player(code.players.get(seat, HUMAN)) for seat in list_seats(game)})


def start_lesson_game(rules: Rules, progress: LessonProgress = NOTHING_DONE) -> ServedGame:
    """Start the lesson of a ruleset, or continue it from its progress.

    Bots play the other seats once it is over. Raises SetupError for a missing lesson or progress that does not fit
    it.
    """
    lesson = rules.source.load_lesson(rules.program.languages)
    if lesson is None:
        raise SetupError("this game has no lesson")
    try:
        course = start_lesson(lesson, rules)
        course.resume(progress)
    except LessonError as problem:
        raise SetupError("the lesson cannot go on: {problem}", problem=problem.message) from None
    except OtherOrderError:
        raise SetupError("this lesson was begun in another version of the game; begin it again") from None
    players = {seat: HUMAN if seat == lesson.seat else OPPONENT for seat in list_seats(course.game)}
    return _serve(rules, course.game, players, course=course)


def decode_progress(data: Mapping[str, Any]) -> LessonProgress:
    """Return the progress in a lesson that `encode_progress` has described.

    >>> decode_progress({"steps": ["", "go"]}).steps
    ('', 'go')
    """
    steps, after = (tuple(map(str, data.get(name, ()))) for name in ("steps", "after"))
    return LessonProgress(steps, data.get("has_left") is True, after)


def encode_progress(progress: LessonProgress) -> dict[str, Any]:
    """Return the progress in a lesson as plain data."""
    return {"steps": progress.steps, "has_left": progress.has_left, "after": progress.after}


def resume_game(rules: Rules, content: bytes, name: str) -> ServedGame:
    """Resume the game of a journal with the bytes `content`; `name`: its file name.

    Raises JournalError or SetupError if it does not fit the rules.
    """
    journal = parse_journal(content, name)
    replay = build_replay(journal, rules, name)
    game = replay.finish_without_divergence(name)
    players = {seat: _check_player(journal.header.seats.get(seat, HUMAN)) for seat in list_seats(game)}
    served = _serve(rules, game, players, journal)
    if journal.header.seed is None and not game.over:
        served.autosave.read_only_reason = _TYPED
    if replay.rules_remark:
        served.notices.append(replay.rules_remark)
    return served


def _serve(
    rules: Rules,
    game: Game,
    players: Mapping[str, str],
    journal: Journal | None = None,
    course: LessonCourse | None = None,
) -> ServedGame:
    """Return a served game that is not saved to a file, with bots that the page runs in its own worker."""
    autosave = Autosave(None, players, lambda text: None, notes=[] if journal is None else list_notes(journal))
    bots = make_bots(players, game.seed or 0, count_decisions(journal) if journal is not None else len(game.keys))
    has_lesson = course is not None or rules.source.load_lesson(rules.program.languages) is not None
    unused = UnusedWorker()
    return ServedGame(rules.title(), rules, game, autosave, bots, course, has_lesson, lambda target: unused)


def _check_player(name: str) -> str:
    """Return the player that a link or file names if it is an allowed bot within limits, else a human."""
    return limit_budget(name) if is_bot(name) else HUMAN


def encode_journal(served: ServedGame) -> bytes:
    """Return a game as the bytes of a journal. Raises JournalError if the game is too large for one."""
    journal = build_journal(served.game, dict(served.players), served.autosave.notes)
    return format_journal(journal.header, journal.entries)
