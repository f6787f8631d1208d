"""What can be taken back and made again, and what has come out since: dice that fell, what others decided.

Must not take anything back.
"""

from __future__ import annotations

from collections.abc import Collection

from interpreter.play.session import Game
from interpreter.players.telling.vocabulary import Words
from interpreter.scene.records import TakingBack


def taking_back(game: Game, seats: Collection[str], words: Words) -> TakingBack | None:
    """The last choice of one of these seats, which can be taken back; None where there is none."""
    if game.state.draft:
        return TakingBack(words.say("the last step"), ())
    out: list[str] = []
    for raw in reversed(game.raw_log()):
        if raw[0] == "roll":
            out.append(words.name(raw[1], "roll"))
        elif raw[0] == "decision":
            if raw[2] in seats:
                return TakingBack(words.told(raw[6]), tuple(dict.fromkeys(reversed(out)))) if game.past() else None
            out.append(words.thing("side", raw[1]))
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
