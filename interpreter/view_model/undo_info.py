"""History of a game for viewing: earlier positions, what can be undone and redone, and what was revealed since.

Rolled dice and choices of other seats count as revealed. The game itself does not change.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.play.game import Game
from interpreter.players.narration.event_lines import render_revealed
from interpreter.runtime.errors import SetupError
from interpreter.runtime.localizer import Localizer
from interpreter.runtime.log_entries import LoggedChoice
from interpreter.runtime.state import State, clone_state
from interpreter.view_model.records import UndoInfo


def find_last_undoable(game: Game, seats: Collection[str], localizer: Localizer) -> UndoInfo | None:
    """Return the last choice of one of these seats that can be undone, or None."""
    if game.state.draft:
        return UndoInfo(localizer.say("the last step"), ())
    if not game.get_history():
        return None
    log = game.get_raw_log()
    for number, raw in reversed(list(enumerate(log))):
        if isinstance(raw, LoggedChoice) and raw.seat in seats:
            return UndoInfo(localizer.format_telling(raw.words), render_revealed(log[number + 1 :], localizer))
    return None


def list_others_since(game: Game, seats: Collection[str]) -> tuple[str, ...]:
    """Return the seats that have chosen since the last choice of one of `seats`, each once, latest first."""
    other_seats: dict[str, None] = {}
    for raw in reversed(game.get_raw_log()):
        if isinstance(raw, LoggedChoice):
            if raw.seat in seats:
                break
            other_seats[raw.seat] = None
    return tuple(other_seats)


def count_recorded_choices(game: Game) -> int:
    """Return the number of recorded choices; the game can be viewed after any number from 0 to this."""
    return sum(1 for _length, key in game.get_history().iter_marks() if key)


def restore_game_at(game: Game, state: State, record: bool = False) -> Game:
    """Return a new game at `state`, an earlier state of a game; `record`: choices made in it can be undone."""
    return Game(game.program, clone_state(state), game.scenario, game.seed, record)


def restore_game_after(game: Game, choices: int) -> Game:
    """Return the game as it was after its first `choices` choices, for viewing.

    Raises SetupError if the number is out of range.
    """
    past = game.get_history()
    at = [number for number, (_length, key) in enumerate(reversed(list(past.iter_marks()))) if key]
    if not 0 <= choices <= len(at):
        raise SetupError("expected a number from {first} to {last}", first=0, last=len(at))
    if choices == len(at):
        return game.copy_with_history()
    before, length, _key = past[at[choices]]
    past_game = restore_game_at(game, before, record=True)
    past_game.get_raw_log().extend(game.get_raw_log()[:length])
    return past_game
