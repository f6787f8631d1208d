"""The present step of a lesson as a screen shows it."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.model.learning import Highlight
from interpreter.model.ruleset import Label
from interpreter.runtime.localizer import Localizer
from interpreter.tools.lessons.course import LessonCourse


@dataclass(frozen=True, slots=True)
class ShownTarget:
    """A thing to highlight: `kind` is "place", "piece" or "part" (of the screen); `place` is where a piece is."""

    kind: str
    id: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class ShownLesson:
    """A step of a lesson as a screen shows it, counted from 1.

    `asks`: what the player is to do, "read", "look" or "order", or "over" after the last step. In `text`, asterisks
    enclose the words of options to choose. `keys`: the accepted options, the usual one first.
    """

    number: int
    total: int
    lesson: str
    title: str
    text: str
    asks: str
    targets: tuple[ShownTarget, ...]
    keys: tuple[str, ...]


def build_lesson_view(course: LessonCourse, localizer: Localizer) -> ShownLesson | None:
    """Return the present step of a lesson, or None if the player has left it."""
    if course.has_left:
        return None
    total, step = len(course.lesson.steps), course.step
    title = localizer.translate_label(course.lesson.title)
    if step is None:
        message = localizer.say("The lesson is over. Play on from here, or begin a game of your own.")
        return ShownLesson(total, total, title, localizer.say("Well done"), message, "over", (), ())
    asks = "look" if step.look is not None else "order" if step.orders else "read"
    highlights = step.highlights or ((step.look,) if step.look is not None else ())
    targets = tuple(_build_target(mark, course) for mark in highlights)
    keys = tuple(option.key for option in course.list_accepted_options())
    heading, text = localizer.translate_label(step.title), localizer.translate_label(step.text)
    return ShownLesson(course.number + 1, total, title, heading, text, asks, targets, keys)


def format_other_order(label: Label, localizer: Localizer) -> str:
    """Return the reply to an order that the lesson step does not expect.

    `label`: the reply that the lesson has for it, empty for none.
    """
    return localizer.translate_label(label) or localizer.say("Not that one yet.")


def _build_target(highlight: Highlight, course: LessonCourse) -> ShownTarget:
    if highlight.kind != "piece":
        return ShownTarget(highlight.kind, highlight.id)
    program, state = course.game.program, course.game.state
    place = program.ids["place"][state.at[program.handles["piece"][highlight.id]]]
    return ShownTarget(highlight.kind, highlight.id, place)
