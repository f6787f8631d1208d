"""Case recording: show the last choice of a game in progress as a test case, or write it to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interpreter.api.resume import build_replay
from interpreter.api.rules import Rules
from interpreter.files.os_errors import format_os_error
from interpreter.i18n.translator import Translator, get_error_message
from interpreter.play.game import Game
from interpreter.play.lines import TextLine, mark_drawing_lines
from interpreter.runtime.log_entries import LoggedChoice
from interpreter.saves.journal import JournalError
from interpreter.saves.recorder import build_journal
from interpreter.tools.cases.case_recording import record_case

ENDING = ".yaml"


def render_case_lines(rules: Rules, game: Game, name: str, say: Translator) -> Sequence[TextLine]:
    """Return the last choice as a test case; with a file `name`, write it and return a message about that.

    Raises SetupError if no choice can be recorded as a case.
    """
    path = Path(name if not name or name.endswith(ENDING) else name + ENDING)
    id = path.stem.replace("-", "_") if name else "recorded"
    if name and (not id.isidentifier() or path.exists() or path.is_symlink()):
        return [say("{file} already exists or is not a valid name for a case; choose another", file=path.as_posix())]
    try:
        replay = build_replay(build_journal(game), rules, rules.id)
    except JournalError as problem:
        return [say(get_error_message(problem))]
    text = record_case(replay, rules, id, "", _count_choices_back(game))
    if not name:
        return mark_drawing_lines(text.rstrip("\n").split("\n"))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        return [say("cannot write {file}: {problem}", file=path.as_posix(), problem=format_os_error(problem))]
    return format_written_lines(id, path, say)


def format_written_lines(id: str, path: Path, say: Translator) -> list[str]:
    """Render that the case `id` was written to a file, and how to move it to where `test` finds it."""
    lines = [say("the case `{case}` passes; written to {file}", case=id, file=path.as_posix())]
    folder = path.absolute().parent.name
    if folder != "tests" and not folder.endswith("-tests"):
        lines.append(
            say("to run it with `test`, put it in the folder tests/ of a ruleset, or in NAME-tests/ beside a variant")
        )
    return lines


def _count_choices_back(game: Game) -> int:
    """Return how many choices back the last choice of the deciding seat is, counting that choice too."""
    seat = game.decision.seat if game.decision is not None else None
    choices = [raw for raw in game.get_raw_log() if isinstance(raw, LoggedChoice)]
    for number, raw in enumerate(reversed(choices), 1):
        if seat is None or raw.seat == seat:
            return number
    return 1
