"""A lesson at the prompt: its texts, its own commands, and which orders are carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.i18n.translator import mark as _
from interpreter.model.ruleset import Label
from interpreter.players.narration.localizer import Localizer
from interpreter.players.orders.matching import match_things
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.option_tree import (
    OptionTree,
    entries,
    find_root,
    option_words,
    without_single_questions,
)
from interpreter.runtime.decisions import Option
from interpreter.tools.lessons.course import LessonCourse, LessonError, OtherOrderError, without_emphasis
from interpreter.ui.repl.commands import find_command, words_of
from interpreter.ui.repl.repl_protocol import CommandResult, ReplProtocol

NEXT, SHOW, AGAIN, BACK, LEAVE = _("next"), _("show me"), _("lesson"), _("undo"), _("leave")
_REFUSED = ("try", "mark", "return", "save", "steps", "redo", "all")  # commands that would take the game elsewhere


@dataclass(slots=True)
class LessonGuide:
    """The guide of one lesson. `shown` is the number of the step whose text was written last, -1 before the first."""

    course: LessonCourse
    words: Localizer
    shown: int = -1

    @property
    def is_on(self) -> bool:
        """Return whether the lesson is running."""
        return self.course.is_on

    @property
    def waits(self) -> bool:
        """Return True if the present step asks for no order, so that no options are listed."""
        step = self.course.step
        return step is not None and not step.orders

    def choose(self, option: Option | str) -> list[str]:
        """Carry out an order; return what to say if the step does not expect it, [] if it was carried out."""
        try:
            self.course.choose(option)
        except OtherOrderError:
            step = self.course.step
            assert step is not None
            own = self._text(step.advice)
            return [own or self.words.say("Not that one yet."), self.words.say("`show me` tells what to type.")]
        except LessonError as fault:
            self.course.leave()
            return [self.words.say("the lesson cannot go on: {problem}", problem=self.words.say(fault.message))]
        return []

    def lines(self) -> list[str]:
        """Return the text of the present step and what to do, or how the lesson ends."""
        say, step = self.words.say, self.course.step
        self.shown = self.course.number
        if step is None:
            return ["", say("The lesson is over. Play on from here, or type `quit`.")]
        total = len(self.course.lesson.steps)
        title = self._text(step.title)
        heading = say("Step {number} of {total}: {title}", number=self.shown + 1, total=total, title=title)
        lines = ["", f"--- {heading} ---", self._text(step.text)]
        if step.look is not None:
            lines.append(say("Type: {command}", command=self._look_command(step.look.kind, step.look.id)))
        elif not step.orders:
            lines.append(say("Press Enter to go on."))
        return lines

    def take(self, session: ReplProtocol, text: str) -> CommandResult | None:
        """Carry out a command of the lesson; return None for all other text."""
        if not self.is_on:
            return None
        say, typed = self.words.say, " ".join(text.casefold().split())
        if typed in ("", *words_of(NEXT, self.words)):
            if self.course.read():
                return self._tell(session)
            if self.waits:
                return session.refuse(list(self._shown_how(session)))
            return session.refuse([say("This step needs an order; `show me` tells what to type.")])
        if typed in (*words_of(SHOW, self.words), "show"):
            session.screen.write(self._shown_how(session))
            return CommandResult.ASK
        if typed in words_of(AGAIN, self.words):
            return self._tell(session)
        if typed in words_of(LEAVE, self.words):
            self.course.leave()
            return self._tell(session)
        command = find_command(text.strip().partition(" ")[0], self.words)
        if command is not None and command.name == "undo":
            if self.course.go_back():
                session.log_position = len(session.game.raw_log())
                session.screen.write([say("One step back.")])
                return CommandResult.MOVED
            return session.refuse([say("This is the first step.")])
        if command is not None and command.name in _REFUSED:
            return session.refuse([say("`{command}` is not possible in a lesson; `leave` ends it", command=typed[:40])])
        if command is not None and command.name == "help":
            session.screen.write(self._help())
        return None

    def watch(self, text: str, name_index: NameIndex) -> bool:
        """Finish a step that asks the player to look at something, if the text did; return whether it did."""
        first, _gap, rest = text.strip().partition(" ")
        command = find_command(first, self.words)
        if command is None or command.name not in ("look", "what") or not rest:
            return False
        return any(self.course.look_at(kind, match_things(kind, rest, name_index)) for kind in ("place", "piece"))

    def _tell(self, session: ReplProtocol) -> CommandResult:
        """Ask the present question again, with the text of the step."""
        self.shown = -1
        session.ask_again()
        return CommandResult.ASK

    def _help(self) -> list[str]:
        say = self.words.say
        told = _(
            "`{show}` tells what to type, `{lesson}` shows the text again, `{undo}` goes one step back, `{leave}` ends "
            "the lesson"
        )
        return [
            say("in the lesson: Enter goes on where there is only something to read"),
            "  " + say(told, show=say(SHOW), lesson=say(AGAIN), undo=say(BACK), leave=say(LEAVE)),
        ]

    def _shown_how(self, session: ReplProtocol) -> Sequence[str]:
        """Return what to type now."""
        say, step = self.words.say, self.course.step
        if step is None or step.look is not None or not step.orders:
            return self.lines()[3:] or [say("Press Enter to go on.")]
        accepted, name_index = self.course.accepted(), session.words_here()
        if not accepted:
            return [say("Type: {command}", command=say("options"))]
        key, option = accepted[0].key, option_words(accepted[0], name_index)
        way = list(map(str, self._numbers_to(key, session.menu, name_index)))
        if not way:  # another part of the list is shown
            way = [say("options"), *map(str, self._numbers_to(key, find_root(session.menu), name_index))]
        return [say("Type {number}: {option}", number="; ".join(way), option=option)]

    def _numbers_to(self, key: str, menu: OptionTree, name_index: NameIndex) -> list[int]:
        """Return the numbers that lead through the menus to the option with a key; [] if none does."""
        menu = without_single_questions(menu, name_index)
        for number, entry in enumerate(entries(menu, name_index), 1):
            leads = entry.leads
            if not isinstance(leads, OptionTree):
                if getattr(leads, "key", "") == key:
                    return [number]
            elif any(getattr(option, "key", "") == key for option in leads.options):
                return [number, *self._numbers_to(key, leads, name_index)]
        return []

    def _look_command(self, kind: str, thing: str) -> str:
        say = self.words.say
        name = self.words.piece(thing) if kind == "piece" else self.words.thing(kind, thing)
        command = say("what") if kind == "piece" else say("look")
        return f"{command} {name}"

    def _text(self, label: Label) -> str:
        return without_emphasis(self.words.label(label))
