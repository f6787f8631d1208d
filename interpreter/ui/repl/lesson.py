"""The guide of a lesson at the prompt: it provides the texts and decides which orders are carried out."""

from __future__ import annotations

from dataclasses import dataclass

from interpreter.i18n.translator import mark as _
from interpreter.model.ruleset import Label
from interpreter.players.orders.matching import match_things
from interpreter.players.orders.name_index import NameIndex
from interpreter.runtime.decisions import Option
from interpreter.runtime.localizer import Localizer
from interpreter.tools.lessons.course import LessonCourse, LessonError, OtherOrderError, strip_emphasis
from interpreter.ui.repl.commands import find_command


@dataclass(slots=True)
class LessonGuide:
    """The guide of one lesson. `shown` is the number of the step whose text was written last, -1 before the first."""

    course: LessonCourse
    localizer: Localizer
    shown: int = -1

    @property
    def is_on(self) -> bool:
        """Return whether the lesson is running."""
        return self.course.is_on

    @property
    def has_news(self) -> bool:
        """Return whether the text of the present step is still to be written."""
        return self.shown != self.course.number

    @property
    def seat(self) -> str:
        """Return the id of the seat that the player has in the lesson."""
        return self.course.lesson.seat

    @property
    def waits(self) -> bool:
        """Return whether the present step needs no order, so that no options are listed."""
        step = self.course.step
        return step is not None and not step.orders

    def choose(self, option: Option | str) -> list[str]:
        """Carry out an order. Return [] if that was done, else lines: advice, or why the lesson ends."""
        try:
            self.course.choose(option)
        except OtherOrderError:
            step = self.course.step
            assert step is not None
            own = self._format_text(step.advice)
            return [own or self.localizer.say("Not that one yet."), self.localizer.say("`show me` shows what to type.")]
        except LessonError as fault:
            return self._end(fault)
        return []

    def read(self) -> list[str]:
        """Finish the present step if there is only something to read; return lines only if the lesson ends at once."""
        try:
            self.course.read()
        except LessonError as fault:
            return self._end(fault)
        return []

    def _end(self, fault: LessonError) -> list[str]:
        """End the lesson because a choice that it fixes is not possible; return a line that says so."""
        self.course.leave()
        return [self.localizer.say("the lesson cannot go on: {problem}", problem=self.localizer.say(fault.message))]

    def render_step(self) -> list[str]:
        """Return the text of the present step and what to do, or how the lesson ends."""
        say, step = self.localizer.say, self.course.step
        self.shown = self.course.number
        if step is None:
            return ["", say("The lesson is over. Play on from here, or type `quit`.")]
        total = len(self.course.lesson.steps)
        title = self._format_text(step.title)
        heading = say("Step {number} of {total}: {title}", number=self.shown + 1, total=total, title=title)
        return ["", f"--- {heading} ---", self._format_text(step.text), *self.render_what_to_type()]

    def render_what_to_type(self) -> list[str]:
        """Return what to type in a step that takes no order; [] for other steps and after the lesson."""
        say, step = self.localizer.say, self.course.step
        if step is None or (step.look is None and step.orders):
            return []
        if step.look is None:
            return [say("Press Enter to go on.")]
        return [say("Type: {command}", command=self._format_look_command(step.look.kind, step.look.id))]

    def mark_shown(self) -> None:
        """Mark the text of the present step, or the end of the lesson, as written."""
        self.shown = self.course.number if self.is_on else len(self.course.lesson.steps)

    @property
    def wants(self) -> str:
        """Return what the present step waits for; '' at the end.

        It is "order", "read" for a step without an order, or "place" or "piece" for a thing to look at.
        """
        step = self.course.step
        if step is None:
            return ""
        return step.look.kind if step.look is not None else "order" if step.orders else "read"

    def watch(self, text: str, name_index: NameIndex) -> bool:
        """Finish a step that asks the player to look at something if `text` is a command that shows that thing.

        Return whether it finished the step.
        """
        first, _gap, rest = text.strip().partition(" ")
        command = find_command(first, self.localizer)
        if command is None or command.name not in ("look", "what") or not rest:
            return False
        return any(
            self.course.finish_look_step(kind, match_things(kind, rest, name_index)) for kind in ("place", "piece")
        )

    def _format_look_command(self, kind: str, thing: str) -> str:
        say = self.localizer.say
        name = self.localizer.get_piece_name(thing) if kind == "piece" else self.localizer.get_thing_name(kind, thing)
        command = _("what") if kind == "piece" else _("look")
        text = f"{say(command)} {name}"
        return text if say(command) == command else self.localizer.with_detail(text, f"{command} {thing}")

    def _format_text(self, label: Label) -> str:
        return strip_emphasis(self.localizer.translate_label(label))
