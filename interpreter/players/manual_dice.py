"""Manual dice: ask the player for the faces rolled at the table until they are valid.

A player who does not answer returns to the previous decision.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.lines import TextLine, begin_sentence
from interpreter.runtime.dice import Faces, LabelledDie
from interpreter.runtime.errors import IllegalAction
from interpreter.runtime.localizer import Localizer

_LISTED = 12  # faces of an irregular die that are listed one by one


class RollDeclined(IllegalAction):
    """Control-flow signal: asked for dice, the player withdrew the choice, or input ended; the game is unchanged.

    `is_last`: no further input follows.
    """

    def __init__(self, message: str, is_last: bool = False) -> None:
        self.is_last = is_last
        super().__init__(message)


class DiceQuestion(Protocol):
    """Protocol of the screen that asks for dice: it writes lines and reads an answer."""

    def write(self, lines: Sequence[TextLine]) -> None:
        """Show lines."""

    def read(self, prompt: str) -> str | None:
        """Return the next line typed, or None at the end of input."""


class ManualDice:
    """A dice source that asks the player for the faces."""

    def __init__(self, localizer: Localizer, screen: DiceQuestion) -> None:
        self.localizer = localizer
        self.screen = screen

    def __call__(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """Return `count` faces of the die `faces` for a roll. Raises RollDeclined if the player does not answer."""
        say = self.localizer.say
        prompt = self.prompt(name, subject, faces, count)
        names = (
            [self.localizer.format_value(faces.shown, member) for member in faces.members]
            if isinstance(faces, LabelledDie)
            else []
        )
        self.screen.write([f"  {number}  {name}" for number, name in enumerate(names, 1)])
        while True:
            typed = self.screen.read(f"{prompt}> ")
            if typed is None:
                raise RollDeclined(say("end of input: the choice that needs this roll was not made"), True)
            text = typed.strip().casefold()
            if text in ("undo", "back", say("undo"), say("back")):
                raise RollDeclined(say("the choice that needs this roll is undone"))
            if text in ("quit", say("quit")):
                raise RollDeclined(say("the choice that needs this roll is undone"), True)
            if text in ("help", "?", say("help")):
                self.screen.write(
                    [self._describe_expected(faces, count), say("undo undoes the choice; quit leaves the game")]
                )
                continue
            thrown = _match_face_name(text, names) or read_faces(text, faces, count)
            if thrown is not None:
                return thrown
            problem = say("no input") if not text else say("found `{typed}`", typed=_shorten(typed.strip()))
            self.screen.write(
                [say("{found}; {expected}", found=problem, expected=self._describe_expected(faces, count))]
            )

    def prompt(self, name: str, subject: str, faces: Faces, count: int) -> str:
        """Render the question for `count` dice with these faces, rolled for a subject: "Storm (Reds): one d6 (1-6)"."""
        roll = self.localizer.translate_name(name, "roll")
        subject_name = self.localizer.find_name_of_id(subject) if subject else ""
        dice_text = self._describe_dice(faces, count)
        return begin_sentence(self.localizer.prefix_topic(self.localizer.with_detail(roll, subject_name), dice_text))

    def _describe_dice(self, faces: Faces, count: int) -> str:
        """Render how many dice to roll, and with which faces."""
        say = self.localizer.say
        face_list = _format_faces(faces)
        if isinstance(faces, LabelledDie):
            return say("which one was drawn? ({faces})", faces=face_list)
        if len(set(faces)) == len(faces) and faces == tuple(range(1, len(faces) + 1)):
            die = f"d{len(faces)}"
            return (
                say("one {die} ({faces})", die=die, faces=face_list)
                if count == 1
                else say("{count} {die} ({faces} each)", count=count, die=die, faces=face_list)
            )
        if count == 1:
            return say("one die with the faces {faces}", faces=face_list)
        return say("{count} (die|dice) with the faces {faces}", count=count, faces=face_list)

    def _describe_expected(self, faces: Faces, count: int) -> str:
        """Render what to type for `count` dice with these faces."""
        say, face_list = self.localizer.say, _format_faces(faces)
        if isinstance(faces, LabelledDie):
            return say("type the number or the name that was drawn, one of {faces}", faces=face_list)
        if count == 1:
            return say("type the result, one number from {faces}", faces=face_list)
        return say("type the {count} results, numbers from {faces} separated by spaces", count=count, faces=face_list)


def read_faces(text: str, faces: Faces, count: int) -> list[int] | None:
    """Parse the typed faces. Return None unless there are `count` of them and all are on the die.

    >>> read_faces("3, 1", (1, 2, 3), 2), read_faces("31", (1, 2, 3), 2), read_faces("4", (1, 2, 3), 1)
    ([3, 1], [3, 1], None)
    """
    parts = [part for part in re.split(r"[\s,;+]+", text) if part]
    if len(parts) == 1 and count > 1 and len(text) == count and all(0 <= face <= 9 for face in faces):
        parts = list(parts[0])
    if len(parts) != count or not all(re.fullmatch(r"-?[0-9]{1,9}", part) for part in parts):
        return None
    thrown = [int(part) for part in parts]
    return thrown if all(face in faces for face in thrown) else None


def _match_face_name(text: str, names: Sequence[str]) -> list[int] | None:
    """Return the number (from 1) of the only face that is named or begins with the text, as a one-element list.

    Return None if no name or several match.
    """
    called = [name.casefold() for name in names]
    numbers = [n for n, name in enumerate(called, 1) if text and name.startswith(text)]
    exact = [n for n in numbers if called[n - 1] == text]
    return numbers if len(numbers) == 1 else exact if len(exact) == 1 else None


def _format_faces(faces: Faces) -> str:
    """Render faces as a range like "1-6" if they are consecutive, otherwise as a list."""
    ordered = sorted(set(faces))
    if len(ordered) > 1 and ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"{ordered[0]}-{ordered[-1]}"
    more = ", ..." if len(ordered) > _LISTED else ""
    return ", ".join(str(face) for face in ordered[:_LISTED]) + more


def _shorten(text: str) -> str:
    return quote_typed(text, "...")
