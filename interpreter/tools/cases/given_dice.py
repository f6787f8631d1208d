"""The dice of a case: exactly the faces it gives, step by step.

Must not invent faces once the steps have begun.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from interpreter.runtime.dice import Faces, ScriptedDice


class CaseDice:
    """A dice source whose script is changed between steps.

    Until the first script is loaded every die shows its first face: what is rolled while a
    game starts does not belong to the case. The script stays the case's own: a copy of a game
    takes from the same one, so that no face is given twice.
    """

    def __init__(self) -> None:
        self._script: ScriptedDice | None = None

    def load(self, faces: Mapping[str, Any]) -> None:
        """Give the faces for what comes next, by roll: a list, a single face, or either by subject."""
        self._script = ScriptedDice({name: _queues(given) for name, given in faces.items()})

    def left_over(self) -> dict[str, list[int]]:
        """Faces given and not rolled, by roll."""
        return self._script.left_over() if self._script else {}

    def roll_faces(self, name: str, subject: str, faces: Faces, count: int) -> list[int]:
        """The next faces of the script; DiceExhausted when there are too few."""
        if self._script is None:
            return [faces[0]] * count
        return self._script.roll_faces(name, subject, faces, count)

    def clone(self) -> CaseDice:
        """This source itself."""
        return self


def _queues(given: Any) -> Sequence[int] | Mapping[str, Sequence[int]]:
    if isinstance(given, Mapping):
        return {subject: _queue(faces) for subject, faces in given.items()}
    return _queue(given)


def _queue(given: Any) -> list[int]:
    return list(given) if isinstance(given, list) else [given]
