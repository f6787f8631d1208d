"""Case recording: show the last choice of a game in progress as a test case, or write it to a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from interpreter.api.resume import replay_of
from interpreter.api.rules import Rules
from interpreter.files.os_errors import system_message
from interpreter.i18n.translator import Translator, message_of
from interpreter.play.game import Game
from interpreter.play.lines import TextLine, drawing_lines
from interpreter.runtime.log_entries import LoggedChoice
from interpreter.saves.journal import JournalError
from interpreter.saves.recorder import journal_of
from interpreter.tools.cases.case_recording import record_case

ENDING = ".yaml"


def case_lines(rules: Rules, game: Game, name: str, say: Translator) -> Sequence[TextLine]:
    """Return the last choice as a test case; with a file `name`, write it and return a message about that.

    Raises SetupError if no choice can be recorded as a case.
    """
    path = Path(name if not name or name.endswith(ENDING) else name + ENDING)
    id = path.stem.replace("-", "_") if name else "recorded"
    if name and (not id.isidentifier() or path.exists() or path.is_symlink()):
        return [say("{file} already exists or is not a valid name for a case; choose another", file=path.as_posix())]
    try:
        replay = replay_of(journal_of(game), rules, rules.id)
    except JournalError as problem:
        return [say(message_of(problem))]
    text = record_case(replay, rules, id, "", _since_own_choice(game))
    if not name:
        return drawing_lines(text.rstrip("\n").split("\n"))
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as problem:
        return [say("cannot write {file}: {problem}", file=path.as_posix(), problem=system_message(problem))]
    return written_lines(id, path, say)


def written_lines(id: str, path: Path, say: Translator) -> list[str]:
    """Render that the case `id` was written to a file, and how to move it to where `test` finds it."""
    lines = [say("the case `{case}` passes; written to {file}", case=id, file=path.as_posix())]
    folder = path.absolute().parent.name
    if folder != "tests" and not folder.endswith("-tests"):
        lines.append(
            say("to run it with `test`, put it in the folder tests/ of a ruleset, or in NAME-tests/ beside a variant")
        )
    return lines


def _since_own_choice(game: Game) -> int:
    """Return how many choices back the last choice of the deciding seat is, counting that choice too."""
    seat = game.decision.seat if game.decision is not None else None
    made = [raw for raw in game.raw_log() if isinstance(raw, LoggedChoice)]
    for number, raw in enumerate(reversed(made), 1):
        if seat is None or raw.seat == seat:
            return number
    return 1
