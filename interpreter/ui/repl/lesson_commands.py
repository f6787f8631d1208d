"""Commands of a lesson at the prompt: read on, show what to type, go back, leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import mark as _
from interpreter.players.orders.menu import Menu, find_root, format_option, list_entries, skip_single_questions
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.questions.plain_answers import is_asking_for_help
from interpreter.ui.repl.commands import ALL, Command, list_command_words, render_help
from interpreter.ui.repl.lesson import LessonGuide
from interpreter.ui.repl.option_menu import OptionMenu
from interpreter.ui.repl.play_context import CommandResult, PlayContext
from interpreter.ui.repl.reporter import Reporter

NEXT, SHOW, AGAIN, BACK, LEAVE = _("next"), _("show me"), _("lesson"), _("undo"), _("leave")
_REPLACED = ("undo", "back", "hint")  # commands that the lesson explains itself, or answers with what to type
_REFUSED = ("try", "mark", "return", "save", "steps", "redo", "all")  # commands that would take the game elsewhere


@dataclass(slots=True)
class LessonCommands:
    """Service for the commands that a lesson adds; it refuses commands that would leave the lesson's course."""

    context: PlayContext
    menu: OptionMenu
    reporter: Reporter
    guide: LessonGuide

    def take(self, text: str, command: Command | None) -> CommandResult | None:
        """Carry out a command of the lesson; return None for all other text.

        `command`: the command outside of lessons with which the text begins, or None.
        """
        say, typed = self.context.say, " ".join(text.casefold().split())
        if not self.guide.is_on:
            if typed in list_command_words(SHOW, self.context.localizer):
                return self.context.refuse(say("The lesson is over. Play on from here, or type `quit`."))
            return None
        if typed in ("", *list_command_words(NEXT, self.context.localizer)):
            if self.guide.course.is_read_only:
                return self._read_on()
            if self.guide.waits:
                return self.context.refuse(*self._render_how())
            return self.context.refuse(say("This step needs an order; `show me` shows what to type."))
        is_hint = command is not None and command.name == "hint"  # a bot does not know the lesson
        is_show = typed in (*list_command_words(SHOW, self.context.localizer), "show")
        if is_show or is_hint or is_asking_for_help(typed, self.context.localizer):
            self.context.write(*self._render_how())
            return CommandResult.ASK
        if typed in list_command_words(AGAIN, self.context.localizer):
            return self._tell()
        if typed in list_command_words(LEAVE, self.context.localizer):
            self.guide.course.leave()
            return self._tell()
        is_first_menu = self.menu.shown.parent is None
        if command is not None and (command.name == "undo" or command.name == "back" and is_first_menu):
            if self.guide.course.go_back():
                self.reporter.log_position = len(self.context.game.get_raw_log())
                self.context.write(say("One step back."))
                return CommandResult.MOVED
            return self.context.refuse(say("This is the first step."))
        if command is not None and command.name in _REFUSED:
            return self.context.refuse(
                say("`{command}` is not possible in a lesson; `leave` ends it", command=quote_typed(typed))
            )
        return None

    def _read_on(self) -> CommandResult:
        """Finish a step that is only read, and make the choices that the lesson prescribes after it."""
        choices = len(self.context.game.keys)
        if lines := self.guide.read():
            return self.context.refuse(*lines)
        return self._tell() if len(self.context.game.keys) == choices else CommandResult.MOVED

    def _tell(self) -> CommandResult:
        """Write the text of the step and the present question again."""
        self.guide.shown = -1
        self.menu.begin()
        return CommandResult.ASK

    def render_help(self, topic: str) -> list[str]:
        """Return the help in a lesson: its own commands, then the commands of the game that it does not refuse.

        `topic`: '', "all", or the name of a command.
        """
        localizer = self.context.localizer
        examples = () if self.guide.waits else self.menu.list_examples()
        lines = render_help(topic, examples, localizer, (*_REFUSED, *_REPLACED))
        is_list = not topic or topic.casefold() in list_command_words(ALL, localizer)
        return [*self._render_own_help(), "", *lines] if is_list else lines

    def _render_own_help(self) -> list[str]:
        """Return the help for the commands of the lesson itself."""
        say = self.context.say
        commands = _(
            "`{show}` shows what to type, `{lesson}` shows the text again, `{undo}` goes one step back, `{leave}` ends "
            "the lesson"
        )
        return [
            say("in the lesson: Enter goes on where there is only something to read"),
            "  " + say(commands, show=say(SHOW), lesson=say(AGAIN), undo=say(BACK), leave=say(LEAVE)),
        ]

    def _render_how(self) -> Sequence[str]:
        """Return lines that say what to type now to carry out the present step."""
        say, step = self.context.say, self.guide.course.step
        if step is None or step.look is not None or not step.orders:
            return self.guide.render_what_to_type()
        accepted, name_index = self.guide.course.list_accepted_options(), self.context.name_index
        if not accepted:
            return [say("Type: {command}", command=say("options"))]
        key, option = accepted[0].key, format_option(accepted[0], name_index)
        way = list(map(str, self._list_entry_numbers(key, self.menu.shown, name_index)))
        if len(way) > 1 and (typed := self.menu.find_words_for(accepted[0])):
            numbers = say("or by number: {numbers}", numbers="; ".join(way))
            return [say("Type: {command}", command=typed), f"  ({numbers})"]
        if not way:  # another part of the list is shown
            way = [say("options"), *map(str, self._list_entry_numbers(key, find_root(self.menu.shown), name_index))]
        return [say("Type: {command}", command="; ".join(way)), f"  ({option})"]

    def _list_entry_numbers(self, key: str, menu: Menu, name_index: NameIndex) -> list[int]:
        """Return the entry numbers that lead from a menu to the option with this key; [] if none do."""
        menu = skip_single_questions(menu, name_index)
        for number, entry in enumerate(list_entries(menu, name_index), 1):
            target = entry.target
            if not isinstance(target, Menu):
                if getattr(target, "key", "") == key:
                    return [number]
            elif any(getattr(option, "key", "") == key for option in target.options):
                return [number, *self._list_entry_numbers(key, target, name_index)]
        return []
