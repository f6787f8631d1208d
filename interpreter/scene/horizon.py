"""What lies behind: the game as it stood earlier, what can be taken back and made again, and what has come out since
(dice that fell, what others decided).

Must not take anything back; the game itself stands still.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.play.session import Game
from interpreter.players.telling.come_out import come_out_lines
from interpreter.players.telling.vocabulary import Words
from interpreter.runtime.faults import SetupError
from interpreter.runtime.state import copied
from interpreter.scene.records import TakingBack


def taking_back(game: Game, seats: Collection[str], words: Words) -> TakingBack | None:
    """The last choice of one of these seats, which can be taken back; None where there is none."""
    if game.state.draft:
        return TakingBack(words.say("the last step"), ())
    log = game.raw_log()
    for number, raw in reversed(list(enumerate(log))):
        if raw[0] == "decision" and raw[2] in seats:
            return TakingBack(words.told(raw[6]), come_out_lines(log[number + 1 :], words)) if game.past() else None
    return None


def others_since(game: Game, seats: Collection[str]) -> tuple[str, ...]:
    """The seats that have decided since the last choice of one of these seats, each once."""
    found: dict[str, None] = {}
    for raw in reversed(game.raw_log()):
        if raw[0] == "decision":
            if raw[2] in seats:
                break
            found[raw[2]] = None
    return tuple(found)


def choices_on_record(game: Game) -> int:
    """After how many choices the game can be shown again: from 0 to this number."""
    return sum(1 for _length, key in game.past().marks() if key)


def game_after(game: Game, choices: int) -> Game:
    """The game as it stood after its first so many choices, for looking at; SetupError where it never stood so."""
    past = game.past()
    at = [number for number, (_length, key) in enumerate(reversed(list(past.marks()))) if key]
    if not 0 <= choices <= len(at):
        raise SetupError("expected a number from {first} to {last}", first=0, last=len(at))
    if choices == len(at):
        return game.whole_copy()
    before, length, _key = past[at[choices]]
    shown = Game(game.program, copied(before), game.scenario, game.seed, True)
    shown.raw_log().extend(game.raw_log()[:length])
    return shown
