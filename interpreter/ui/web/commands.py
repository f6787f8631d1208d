"""Commands: what the players of a served game may do to it, as records, and the error that refuses one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

LessonAction: TypeAlias = Literal["next", "back", "leave", "look"]


@dataclass(frozen=True, slots=True)
class ChooseCommand:
    """Choose the options with these keys, in order.

    `version`: the version of the game that the player has seen, '' for any; `is_careful`: refuse choices that need a
    confirmation.
    """

    keys: tuple[str, ...]
    version: str = ""
    is_careful: bool = False


@dataclass(frozen=True, slots=True)
class GroupCommand:
    """Order a group by its id, or some pieces, to move to a place or, if it is '', toward the nearest enemies.

    `with_dice`: also give orders that roll dice, as the player has confirmed; `version`: the version of the game that
    the player has seen, '' for any.
    """

    group: str
    pieces: tuple[str, ...]
    place: str
    with_dice: bool = False
    version: str = ""


@dataclass(frozen=True, slots=True)
class UndoCommand:
    """Undo the player's last choice, the choices made together with it, and the bots' choices since.

    `anyway`: even if something was revealed since.
    """

    anyway: bool = False


@dataclass(frozen=True, slots=True)
class RedoCommand:
    """Redo the last undone choice, with the bots' choices after it."""


@dataclass(frozen=True, slots=True)
class NoteCommand:
    """Write a note into the game's file."""

    text: str


@dataclass(frozen=True, slots=True)
class NameCommand:
    """Set the displayed name of a seat's player; '' restores the seat's own name."""

    seat: str
    name: str


@dataclass(frozen=True, slots=True)
class LessonCommand:
    """Advance the lesson, go back a step, leave it, or look at the things `ids` of a kind."""

    action: LessonAction
    kind: str = ""
    ids: tuple[str, ...] = ()


GameCommand: TypeAlias = (
    ChooseCommand | GroupCommand | UndoCommand | RedoCommand | NoteCommand | NameCommand | LessonCommand
)


class CommandRefusedError(Exception):
    """Raised for a command that the game refuses; its message is a sentence of the catalogues.

    `code` is a word for programs; `reasons` and `answers` are those of `ApiError`.
    """

    def __init__(self, code: str, message: str, reasons: Sequence[str] = (), answers: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.code = code
        self.reasons = tuple(reasons)
        self.answers = tuple(answers)
