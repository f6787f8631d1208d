"""A game as it stood earlier: after so many choices. The game itself stands still."""

from __future__ import annotations

from interpreter.play.session import Game
from interpreter.runtime.faults import SetupError
from interpreter.runtime.state import copied
from interpreter.words.speech import mark as _


def choices_on_record(game: Game) -> int:
    """After how many choices the game can be shown again: from 0 to this number."""
    return sum(1 for _length, key in game.past().marks() if key)


def game_after(game: Game, choices: int) -> Game:
    """The game as it stood after its first so many choices, for looking at; SetupError where it never stood so."""
    past = game.past()
    at = [number for number, (_length, key) in enumerate(reversed(list(past.marks()))) if key]
    if not 0 <= choices <= len(at):
        raise SetupError(_("expected a number from {first} to {last}", first=0, last=len(at)))
    if choices == len(at):
        return game.whole_copy()
    before, length, _key = past[at[choices]]
    shown = Game(game.program, copied(before), game.scenario, game.seed, True)
    shown.raw_log().extend(game.raw_log()[:length])
    return shown
