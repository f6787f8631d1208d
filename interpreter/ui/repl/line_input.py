"""Typed input: lines with several commands, and yes-or-no questions before guesses and before final choices."""

from __future__ import annotations

from dataclasses import dataclass, field

from interpreter.diagnostics.terminal_text import measure_cells
from interpreter.players.orders.confirmations import AskedSeries, find_confirmation, name_idle_pieces
from interpreter.players.orders.menu import Menu, format_option
from interpreter.players.orders.menu_answers import MenuAnswer, list_no_words, list_yes_words
from interpreter.players.orders.name_index import to_half_width
from interpreter.players.orders.route_planning import Route, is_irreversible
from interpreter.players.orders.tokenizer import split_orders
from interpreter.runtime.localizer import Localizer
from interpreter.ui.repl.commands import find_command
from interpreter.ui.repl.play_context import PlayContext
from interpreter.ui.repl.terminal import is_garbled

_NEW_PAGE = "\x0c"  # what Ctrl-L types where no line editor takes it
_ROOM = 10  # cells reserved for the answer after a question


@dataclass(slots=True)
class LineInput:
    """Reader of commands; a line with semicolons is read one part at a time.

    `waiting`: the unread parts of a line. `typed_ahead`: a command typed in answer to a yes-or-no question.
    `is_chained`: the last command followed a semicolon. `is_untouched`: nothing has been typed.
    `asked_series`: the series of decisions whose end was questioned.
    """

    context: PlayContext
    waiting: list[str] = field(default_factory=list)
    typed_ahead: str | None = None
    is_chained: bool = False
    is_untouched: bool = True
    asked_series: AskedSeries = field(default_factory=AskedSeries)

    def read(self, seat: str, takes_empty: bool) -> str | None:
        """Return the next command typed for a seat; None at the end of input.

        An empty line is '' if `takes_empty`; otherwise a message says what to type.
        """
        localizer, screen = self.context.localizer, self.context.screen
        while True:
            if self.waiting:
                text = self.waiting.pop(0)
                self.is_chained = True
                self.context.write(f"; {text}")
                return text
            self.is_chained = False
            line, self.typed_ahead = self.typed_ahead, None
            if line is None:
                line = screen.read(f"{localizer.get_thing_name('seat', seat)}> ")
            if line is None:
                return None
            self.is_untouched = False
            if not line.strip() and _NEW_PAGE in line:
                line = "clear"
            elif not line.strip() and takes_empty:
                return ""
            if is_garbled(line):
                self.context.write(localizer.say("this line is not valid UTF-8 and is ignored"))
                continue
            command = find_command(line.strip().partition(" ")[0], localizer)
            is_note = command is not None and command.name == "note"  # a note may contain semicolons
            self.waiting = [line.strip()] if is_note else split_orders(line)
            if self.waiting:
                return self.waiting.pop(0)
            self.context.write(localizer.say("type a number, or help"))

    def discard_rest(self) -> None:
        """Discard the unread parts of a line with semicolons and report them."""
        if self.waiting:
            self.context.write(self.context.say("the rest is ignored: {typed}", typed="; ".join(self.waiting)))
            self.waiting.clear()

    def ask_yes_no(self, question: str, insisted: str = "") -> bool:
        """Ask a yes-or-no question and return True for yes.

        Any other answer means no and is read as the next command. `insisted`: a text that also means yes, namely the
        one that led to the question, typed again; `anyway`, alone or after that text, means yes too. Answers chained
        after a semicolon are used only if they answer the question.
        """
        name_index, screen = self.context.name_index, self.context.screen
        forcing = list_forcing_words(self.context.localizer)
        yes_words = (*list_yes_words(name_index), *forcing, insisted.casefold())
        if insisted:
            yes_words += tuple(f"{insisted.casefold()} {word}" for word in forcing)
        answers = (*yes_words, *list_no_words(name_index))
        if self.waiting and to_half_width(self.waiting[0]).casefold() in answers:
            typed: str | None = self.waiting.pop(0)
            self.context.write(f"{question} {typed}")
        else:
            self.discard_rest()
            width = screen.width()
            is_long = width > 0 and measure_cells(question) + _ROOM > width  # readline would wrap inside a word
            if is_long:
                self.context.write(question)
            typed = screen.read("? " if is_long else question + " ")
        plain = "" if typed is None else to_half_width(typed).strip().casefold()
        if plain and plain in yes_words:
            return True
        self.context.write(self.context.say("cancelled"))
        if typed is not None and plain not in list_no_words(name_index):
            self.typed_ahead = typed
        return False

    def confirm(self, answer: MenuAnswer, text: str) -> bool:
        """Return whether to carry out a typed order: its meaning is clear and it can be undone, or the player agrees.

        `answer`: the interpretation of `text`, the typed text.
        """
        context, localizer, say, option = self.context, self.context.localizer, self.context.say, answer.target
        assert not isinstance(option, Menu)
        if isinstance(option, Route):
            return True  # its dice are asked about where it is taken
        needed = find_confirmation(context.game, option.key, localizer) if not answer.is_outright else None
        is_asked = needed is not None and not (needed.is_plain and answer.is_printed)
        if needed is not None and is_asked and self.asked_series.is_first(context.game, needed):
            hint = say(
                "(`{typed} anyway`, or its number, ends it without a question)",
                typed=localizer.translate_name("done", "option"),
            )
            context.write(*needed.reasons, *([hint] if needed.ends_series else []))
            return self.ask_yes_no(say("{question} (yes or no)", question=needed.question), text)
        if option.name == "done" and not context.name_index.is_series_unused:
            if idle := name_idle_pieces(context.game, localizer):
                context.write(say("(left without orders: {names})", names=idle))
        if answer.is_plain or not is_irreversible(context.game, (option.key,)):
            return True
        option_text = format_option(option, context.name_index)
        return self.ask_yes_no(say("did you mean: {option}? (yes or no)", option=option_text))


def list_forcing_words(localizer: Localizer) -> tuple[str, ...]:
    """Return the words that confirm an order in advance."""
    return "anyway", localizer.say("anyway").casefold()


def strip_forcing_word(text: str, localizer: Localizer) -> str:
    """Return the typed text without its trailing word `anyway`, or '' if it does not end with that word."""
    before, _, last = text.rpartition(" ")
    return before.strip() if last.casefold() in list_forcing_words(localizer) else ""
