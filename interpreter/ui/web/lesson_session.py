"""The lesson of a served game: its steps advance by commands, and orders that a step does not expect are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from interpreter.i18n.translator import mark as _
from interpreter.runtime.localizer import Localizer
from interpreter.tools.lessons.errors import LessonError, OtherOrderError
from interpreter.ui.web.commands import CommandRefusedError, LessonCommand

if TYPE_CHECKING:
    from interpreter.tools.lessons.course import LessonCourse
    from interpreter.view_model.lesson_view import ShownLesson


class LessonSession:
    """A lesson in a served game. Not thread-safe: the served game calls it under its lock.

    `course`: the lesson in play; `notify` shows a notice to all clients.
    """

    def __init__(self, course: LessonCourse, notify: Callable[[str], None]) -> None:
        self.course = course
        self._notify = notify

    @property
    def is_on(self) -> bool:
        """Return True until the last step is done or the player leaves the lesson."""
        return self.course.is_on

    def choose(self, key: str, localizer: Localizer) -> None:
        """Choose an option; the lesson ends, with a notice, if a choice that it prescribes is not legal.

        Raises CommandRefusedError if the step does not expect the option, IllegalAction if it is not legal.
        """
        try:
            self.course.choose(key)
        except OtherOrderError:
            raise self.build_other_order_refusal(localizer) from None
        except LessonError as fault:
            self._end(fault)

    def advance(self, command: LessonCommand) -> bool:
        """Carry out a command that does not go back; return whether it changed the lesson.

        Raises CommandRefusedError if the step expects an order instead.
        """
        match command.action:
            case "leave":
                self.course.leave()
            case "look":
                return self.course.finish_look_step(command.kind, command.ids)
            case "next" if not self.course.is_read_only:
                raise CommandRefusedError("order-expected", _("This step needs an order."))
            case "next":
                try:
                    self.course.read()
                except LessonError as fault:
                    self._end(fault)
        return True

    def build_view(self, localizer: Localizer) -> ShownLesson | None:
        """Return the present step as the page shows it, or None if the player has left the lesson."""
        from interpreter.view_model.lesson_view import build_lesson_view

        return build_lesson_view(self.course, localizer)

    def build_other_order_refusal(self, localizer: Localizer) -> CommandRefusedError:
        """Return the refusal of an order that the present step does not expect."""
        from interpreter.view_model.lesson_view import format_other_order

        step = self.course.step
        return CommandRefusedError("other-order", format_other_order({} if step is None else step.advice, localizer))

    def _end(self, fault: LessonError) -> None:
        self.course.leave()
        self._notify(_("the lesson cannot go on: {problem}", problem=fault.message))
