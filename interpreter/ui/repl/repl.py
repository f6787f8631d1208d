"""Read-evaluate-print loop for a game in a plain terminal: ask players, let bots choose, carry out commands.

The loop holds no rules and no wording of positions. Each of its services has one task and is given what it needs:
reading lines, showing options, carrying out orders, reporting, the course of the game and its file, trials, queries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from interpreter.api.autosave import Autosave
from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine, begin_sentence
from interpreter.players.narration.event_lines import EventFormatter, render_outcome
from interpreter.players.narration.position_lines import position_lines
from interpreter.players.narration.why_lines import render_why_not
from interpreter.players.orders.matching import match_things
from interpreter.players.orders.menu import format_option
from interpreter.players.orders.menu_answers import parse_menu_answer
from interpreter.players.orders.name_index import NameIndex
from interpreter.players.orders.route_planning import limit_trials
from interpreter.players.ownership import list_seats
from interpreter.players.questions.plain_answers import find_intent
from interpreter.players.questions.plain_commands import parse_plain_command
from interpreter.runtime.decisions import Decision
from interpreter.runtime.errors import RuleFault
from interpreter.runtime.limits import tolerate_exhaustion
from interpreter.ui.repl.commands import Command, find_command, render_help
from interpreter.ui.repl.group_orders import GroupOrders
from interpreter.ui.repl.history_commands import HistoryCommands
from interpreter.ui.repl.lesson import LessonGuide
from interpreter.ui.repl.lesson_commands import LessonCommands
from interpreter.ui.repl.line_input import LineInput
from interpreter.ui.repl.option_menu import OptionMenu
from interpreter.ui.repl.order_taker import OrderTaker, RouteTaken
from interpreter.ui.repl.play_context import CommandResult, PlayContext
from interpreter.ui.repl.query_commands import QueryCommands
from interpreter.ui.repl.reporter import Reporter
from interpreter.ui.repl.sandbox import Sandbox
from interpreter.ui.repl.summary_commands import answer_summary, render_roster

MAX_BOT_DECISIONS = 100_000  # in a row
_MOVING = ("go", "all", "steps", "undo", "redo")  # commands that would abandon an open question


class Repl:
    """A loop over the decisions of a game.

    `most`: limit of consecutive bot decisions. `seats_played_here`: the seats whose players type here, () for all.
    """

    def __init__(
        self,
        context: PlayContext,
        event_formatter: EventFormatter,
        guide: LessonGuide | None = None,
        most: int = MAX_BOT_DECISIONS,
        seats_played_here: tuple[str, ...] = (),
    ) -> None:
        self.context = context
        self.guide = guide
        self.seats_played_here = seats_played_here
        self.line_input = LineInput(context)
        self.menu = OptionMenu(context, guide)
        self.reporter = Reporter(context, event_formatter, guide=guide)
        self._orders = OrderTaker(context, self.line_input, self.menu, self.reporter, guide, RouteTaken())
        self._groups = GroupOrders(context, self.line_input, self._orders)
        self._history = HistoryCommands(context, self.menu, self.reporter, self._orders)
        self._sandbox = Sandbox(context, self.menu, self.reporter, self._orders)
        self._queries = QueryCommands(context)
        self._lesson = LessonCommands(context, self.menu, self.reporter, guide) if guide is not None else None
        self._most = most
        self._bot_decisions = 0  # consecutive bot decisions so far

    @property
    def game(self) -> Game:
        """Return the game that is played now: a copy during a trial."""
        return self.context.game

    @property
    def bots(self) -> Mapping[str, Bot]:
        """Return the bots by seat."""
        return self.context.bots

    @property
    def autosave(self) -> Autosave:
        """Return the autosave, which also holds the players of the seats."""
        return self.context.autosave

    @property
    def lesson_wants(self) -> str:
        """Return what a lesson waits for: "read", "order", or "place" or "piece" to look at; '' outside of a lesson."""
        return "" if self.guide is None else self.guide.wants

    # --- the loop ---------------------------------------------------------------------------

    def play(self) -> bool:
        """Play until the game is over; return False if a person stops or bots choose too often in a row.

        Also returns False when the next decision belongs to a person who plays elsewhere.
        """
        with tolerate_exhaustion(self.reporter.write_omission):
            return self._run_loop()

    def _run_loop(self) -> bool:
        """Run the loop of `play`."""
        context, reporter = self.context, self.reporter
        while True:
            decision = context.game.decision
            has_bot = decision is not None and not context.autosave.read_only_reason and not self.menu.is_lesson
            bot = context.bots.get(decision.seat) if decision is not None and has_bot else None
            if bot is None or reporter.tells_all or self._bot_decisions >= self._most:
                reporter.write_news()
            if context.game.over:
                context.write(*render_outcome(context.game.outcome, context.localizer))
                if self._sandbox.suspended is None:
                    self._write_luck()
                    return True
                self._sandbox.return_to_game()
            elif decision is None:  # a test case ran a procedure, which has returned
                context.write(context.say("the call has ended without a further decision"))
                return False
            elif bot is None and self._is_elsewhere(decision.seat):
                return False
            elif bot is None:
                self._bot_decisions = 0
                if not self._ask(decision):
                    return False
            elif self._bot_decisions < self._most:
                self._bot_decisions += 1
                self._let_bot_choose(bot, decision)
            else:
                reporter.write_bot_limit(self._bot_decisions)
                return False

    def _is_elsewhere(self, seat: str) -> bool:
        """Return whether the player of this seat plays elsewhere; False in a read-only game or a tried copy."""
        if self.context.autosave.read_only_reason or self._sandbox.suspended is not None:
            return False
        return bool(self.seats_played_here) and seat not in self.seats_played_here

    def _write_luck(self) -> None:
        """Compare the dice with their expected values at the end of a game in which a person played."""
        context = self.context
        if not set(list_seats(context.game)) <= set(context.bots):
            context.write("", context.say("counting the dice of this game ..."))
            context.write(*context.queries.render_luck(context.game))

    def _let_bot_choose(self, bot: Bot, decision: Decision) -> None:
        """Let a bot choose, and report its choice if bots play all seats."""
        context, game, localizer = self.context, self.context.game, self.context.localizer
        player = localizer.get_thing_name("seat", decision.seat)
        with context.screen.show_progress(localizer.say("{player} is thinking ...", player=player)):
            number = bot.choose(game)
        option = decision.options[number]
        if self.reporter.tells_all:
            side = localizer.get_thing_name("side", decision.side)
            text = localizer.prefix_topic(side, format_option(option, NameIndex(game, localizer)))
            line = Line(begin_sentence(text), option.cite, "choice", side=decision.side)
            context.write(*self.reporter.event_formatter.add_headings(line))
        game.pick(number)
        context.autosave.save_progress(game)

    def _ask(self, decision: Decision) -> bool:
        """Ask until the player chooses, undoes or redoes; return False if the player stops."""
        context = self.context
        context.index_names()
        seat = self.guide.seat if self.guide is not None and self.menu.is_lesson else decision.seat
        self.reporter.write_briefing_once(seat)
        if self.menu.is_lesson:
            self.reporter.mark_shown()
        elif self._orders.take_only_option(decision):
            return True
        self.reporter.write_position()
        self.menu.begin()
        if not self.line_input.waiting and self._sandbox.suspended is None:
            context.queries.advance_luck(context.game)
        while True:
            typed = self.line_input.read(seat, self.menu.is_lesson)
            result = CommandResult.STOP if typed is None else self._take(typed, decision)
            if result is CommandResult.STOP:
                return False
            if result is CommandResult.MOVED:
                after = context.game.decision
                if after is None or after.seat != decision.seat:
                    self.line_input.discard_rest()
                return True

    # --- input ------------------------------------------------------------------------------

    def _take(self, text: str, decision: Decision) -> CommandResult:
        """Carry out a typed text: a command of a lesson, a question in plain words, a command, or an answer."""
        context = self.context
        self.menu.is_open = False
        text = self._read_plain_words(text)
        command = self._find_command(text)
        if self._lesson is not None and (taken := self._lesson.take(text, command)) is not None:
            return taken
        is_option = self.menu.is_option(text)
        if not is_option and (answer := self._queries.answer_question(text, decision.seat)) is not None:
            context.is_refused = False
            context.write(*answer)
            return CommandResult.ASK
        result = self._run_command(command, text, decision)
        if result is CommandResult.ANSWER:
            result = self._orders.answer(text)
        if result is CommandResult.ASK and (context.is_refused or self.menu.is_open):
            self.line_input.discard_rest()
        if self.guide is not None and self.menu.is_lesson and self.guide.watch(text, context.name_index):
            self.menu.begin()
        return result

    def _read_plain_words(self, text: str) -> str:
        """Return the command line that a text in plain words asks for, or the text itself if it fits an option."""
        line = "" if find_intent(text, self.context.localizer) else parse_plain_command(text, self.context.localizer)
        is_option = bool(line) and parse_menu_answer(self.menu.shown, text, self.context.name_index) is not None
        return text if is_option else line or text

    def _find_command(self, text: str) -> Command | None:
        """Return the command that the text begins with, or None if there is none or the text means an option.

        The text means an option if it is the option's whole name, or if the command does not understand the words after
        it and the text matches an option that is printed with the same first word.
        """
        word, _, rest = text.partition(" ")
        command = find_command(word, self.context.localizer)
        if command is None or self.menu.is_option(text):
            return None
        if rest and self.menu.is_option_with_same_first_word(text) and not self._is_understood(command, rest.strip()):
            return None
        return command

    def _is_understood(self, command: Command, rest: str) -> bool:
        """Return whether the words `rest` can follow the command; True also if the command takes any words."""
        match command.name:
            case "try":
                return self._sandbox.has_mark(rest)
            case "all":
                return self._groups.has_goal(rest)
            case "undo":
                return rest.casefold() in ("anyway", self.context.say("anyway").casefold())
            case "what" | "look" | "map" | "position" | "roster":
                name_index = self.context.name_index
                return any(match_things(kind, rest, name_index) for kind in name_index.program.kinds)
        return True

    def _run_command(self, command: Command | None, text: str, decision: Decision) -> CommandResult:
        """Carry out a command, or return CommandResult.ANSWER if it is None; `text`: the whole typed text."""
        context, localizer = self.context, self.context.localizer
        context.is_refused = False
        rest = text.partition(" ")[2]
        if command is None:
            return CommandResult.ANSWER
        if rest and command.stands_alone:
            if parse_menu_answer(self.menu.shown, text, context.name_index) is not None:
                return CommandResult.ANSWER
            name = localizer.say(command.name)
            return context.refuse(
                localizer.say(
                    "`{command}` takes no arguments; `{rest}` is unknown", command=name, rest=quote_typed(rest)
                )
            )
        if self.line_input.is_chained and self.menu.shown.parent is not None and command.name in _MOVING:
            return context.refuse(
                localizer.say("there is an open question, and `{text}` is not an answer to it", text=quote_typed(text))
            )
        try:
            with limit_trials():
                answer = self._answer_query(command, rest.strip())
        except RuleFault as fault:  # queries are read-only, so the session can continue
            from interpreter.tools.evaluate import explain_fault  # imported late: rarely needed

            return context.refuse(*explain_fault(fault, localizer.say))
        if answer is not None:
            context.write(*answer)
            return CommandResult.ASK
        return self._carry_out(command, rest, decision)

    def _carry_out(self, command: Command, rest: str, decision: Decision) -> CommandResult:
        """Carry out a command that is not a query; `rest`: the words after it."""
        context, say = self.context, self.context.say
        match command.name:
            case "save":
                return self._history.save_copy(rest)
            case "go" | "plan":
                return self._orders.go(rest, command.name == "plan")
            case "all":
                return self._groups.send_group(rest)
            case "undo" | "redo":
                return self._history.undo_or_redo(command.name, rest)
            case "note":
                return self._history.write_note(rest)
            case "mark":
                return self._sandbox.add_mark(rest)
            case "try":
                return self._sandbox.try_copy(rest)
            case "return":
                return self._sandbox.return_to_game()
            case "brief":
                context.is_brief = not context.is_brief
                context.write(say("short text; `brief` ends it") if context.is_brief else say("full text again"))
                return CommandResult.ASK
            case "options" | "steps":
                return self.menu.switch_view(command.name == "steps", decision)
            case "clear":
                context.screen.clear()
                self.menu.show_again()
                return CommandResult.ASK
            case "back":
                return self.menu.go_back()
            case "quit":
                return CommandResult.STOP
        return CommandResult.ANSWER

    def _answer_query(self, command: Command, rest: str) -> Sequence[TextLine] | None:
        """Return the answer to a read-only command, or None for other commands; `rest`: the words after it."""
        context, localizer, queries = self.context, self.context.localizer, self._queries
        if command.name == "help":
            is_topic = bool(rest) and find_command(rest, localizer) is None
            if is_topic and (explanation := queries.explain_word(rest)):
                return explanation
            if self.menu.is_lesson and self._lesson is not None:
                return self._lesson.render_help(rest)
            return render_help(rest, self.menu.list_examples(), localizer)
        if command.name == "why":
            return self._explain(rest)
        if command.name == "position":
            return render_roster(context, rest) if rest else position_lines(context.game, localizer)
        if command.name == "marks":
            return self._sandbox.render_marks()
        if (summary := answer_summary(context, command.name, rest)) is not None:
            return summary
        if command.name == "changes":
            return self.reporter.render_changes_since_shown()
        if command.name == "odds":
            with context.screen.show_progress(localizer.say("computing the odds ...")):
                return queries.render_odds(rest, self.menu.shown)
        if command.name == "table":
            return queries.render_table(rest, self.menu.shown)
        return queries.answer(command.name, rest)

    def _explain(self, text: str) -> Sequence[TextLine]:
        """Return why an order is illegal, with the order that may have been meant."""
        context, localizer = self.context, self.context.localizer
        correction = self.menu.correct(text)
        why_question = " ".join([localizer.say("why"), correction])
        hint = [localizer.say("did you mean `{word}`?", word=why_question)] if correction else []
        return [*render_why_not(text, context.game, context.name_index), *hint]
