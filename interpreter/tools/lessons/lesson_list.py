"""The lessons that are offered: those of the shipped rulesets, in one language, without loading the rules."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.diagnostics.diagnostic import Sink
from interpreter.documents.learning import read_lesson
from interpreter.documents.reading.folder import read_file
from interpreter.documents.reading.merge_files import read_document
from interpreter.documents.reading.tree import MappingNode, read_label_texts
from interpreter.files.assets import list_shipped_rulesets
from interpreter.files.file_names import find_ruleset_document
from interpreter.tools.describe.value_format import format_label

_UNKNOWN = 1_000  # minutes; puts a lesson of unknown length last


@dataclass(frozen=True, slots=True)
class OfferedLesson:
    """An offered lesson: the title of the game, the lesson's subject, and its length; `minutes` is 0 if unknown."""

    ruleset: str
    game: str
    about: str
    steps: int
    minutes: int


def list_lessons(lang: str) -> list[OfferedLesson]:
    """Return the lessons of the shipped rulesets, the shortest first."""
    lessons = []
    for ruleset, folder in sorted(list_shipped_rulesets().items()):
        head = find_ruleset_document(folder)
        file = read_file(folder, head.name, Sink()) if head is not None else None
        document = read_document(file.source, Sink()) if file is not None else None
        if document is None:
            continue
        languages = list_languages(document.root)
        lesson = read_lesson(ruleset, languages)
        if lesson is not None:
            texts = (read_label_texts(document.root.get("title"), languages), lesson.title, lesson.about)
            game, title, about = (format_label(label, lang) for label in texts)
            lessons.append(OfferedLesson(ruleset, game, about or title, len(lesson.steps), lesson.minutes))
    return sorted(lessons, key=lambda entry: (entry.minutes or _UNKNOWN, entry.steps))


def list_languages(root: MappingNode) -> tuple[str, ...]:
    """Return the languages that a ruleset document states, English if it states none."""
    return tuple(node.text for node in root.list_scalars("languages")) or ("en",)
