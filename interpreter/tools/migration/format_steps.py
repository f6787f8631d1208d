"""The steps from one format of documents to the next, oldest first. Must not read files.

When a format is superseded, its step is added to `STEPS`: what changes in a document of a kind, as edits of its text,
and what changes in rules. A step must leave alone what it does not know; `check` tells of it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from interpreter.documents.reading.tree import Branch
from interpreter.tools.sheets.yaml_edits import Edit
from interpreter.words.speech import Sentence

FIRST = 1


@dataclass(frozen=True, slots=True)
class Step:
    """From one format to the next.

    `document` gives for a kind and the tree of a document the edits of its text (spans are those of the tree);
    `rules` gives the new text of a rules file, or of rules inside a variant. `about` says what the step does.
    """

    about: Sentence
    document: Callable[[str, Branch], Sequence[Edit]] = lambda _kind, _root: ()
    rules: Callable[[str], str] = lambda text: text


STEPS: tuple[Step, ...] = ()


def newest(steps: Sequence[Step]) -> int:
    """The format that files have when all steps are done."""
    return FIRST + len(steps)
