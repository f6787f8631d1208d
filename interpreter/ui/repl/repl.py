"""Read-evaluate-print loop for a game in a plain terminal: ask players, let bots choose, report events.

The loop holds no rules and no wording of positions: other modules produce the text and the screen shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from interpreter.api.autosave import Autosave
from interpreter.play.game import Game
from interpreter.play.lines import Line, TextLine, begin_sentence
from interpreter.players.bots.registry import Bot
from interpreter.players.manual_dice import RollDeclined
from interpreter.players.narration.event_lines import EventFormatter, outcome_lines
from interpreter.players.narration.localizer import Localizer
from interpreter.players.narration.position_lines import PositionText, position_lines
from interpreter.players.narration.synonyms import synonyms
from interpreter.players.narration.why_lines import reason_lines, suggest_next_step, why_not_ordered
from interpreter.players.orders.confirming import ends_an_order
from interpreter.players.orders.matching import Choosable
from interpreter.players.orders.menu_answers import MenuAnswer, parse_menu_answer
from interpreter.players.orders.name_index import NameIndex, tokens
from interpreter.players.orders.option_tree import (
    OptionTree,
    OptionTreeEntry,
    entries,
    entry_lines,
    find_root,
    option_words,
    render_question,
    render_several_matches,
    root_menu,
    without_single_questions,
)
from interpreter.players.orders.route_planning import Route
from interpreter.players.orders.tokenizer import remove_articles, split_orders
from interpreter.players.orders.typo_correction import correct_typos
from interpreter.players.ownership import seats_of
from interpreter.players.questions.plain_answers import plain_order_lines
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.errors import IllegalAction, RuleFault
from interpreter.runtime.limits import tolerate_exhaustion
from interpreter.ui.repl import (
    confirmations as asking,
    group_orders,
    mutating_commands,
    notifications,
    sandbox,
    summary_commands,
)
from interpreter.ui.repl.commands import Command, command_names, find_command, help_lines
from interpreter.ui.repl.examples import examples
from interpreter.ui.repl.lesson import LessonGuide
from interpreter.ui.repl.query_commands import QueryCommands
from interpreter.ui.repl.repl_protocol import CommandResult, NamedPositions
from interpreter.ui.repl.terminal import Screen, is_garbled

_MOST_PREVIEWED = 15  # no previews in longer lists, for speed
_NEW_PAGE = "\x0c"  # what Ctrl-L types where no line editor takes it
_MOVING = ("go", "all", "steps", "undo", "redo")  # commands that would abandon an open question


@dataclass(slots=True)
class Repl:
    """Interactive session. `bots` play their seats, people all others; `log_position` log entries have been shown.

    `building`: a draft is being built step by step; `menu` was shown last; `waiting` is typed input not yet read.
    `unbriefed`: seats that have not seen their objective; `is_brief`: short output without brackets; `is_untouched`:
    nothing has been typed; `seats_played_here`: the seats played here, () for all.
    """

    game: Game
    words: Localizer
    screen: Screen
    bots: Mapping[str, Bot]
    autosave: Autosave
    event_formatter: EventFormatter
    queries: GameQueries | None = None
    log_position: int = 0
    shown_decision: tuple[int, str | None] | None = None
    last_position: PositionText | None = None
    building: bool = False
    menu: OptionTree = field(default_factory=lambda: root_menu(()))
    waiting: list[str] = field(default_factory=list)
    name_index: NameIndex | None = None
    query_commands: QueryCommands | None = None
    way_taken: tuple[int, int, str] = (0, 0, "")  # last route: game length at its end, its choices, its text
    refused: bool = False  # the last input was refused
    is_open: bool = False  # the last input opened a question
    chained: bool = False  # the last input followed a semicolon
    typed_ahead: str | None = None  # a command typed in answer to a yes-or-no question
    most: int = 100_000  # limit of consecutive bot decisions
    unasked: int = 0  # consecutive bot decisions so far
    branches: NamedPositions = field(default_factory=NamedPositions)
    is_brief: bool = False
    unbriefed: list[str] = field(default_factory=list)
    is_untouched: bool = True
    seats_played_here: tuple[str, ...] = ()
    guide: LessonGuide | None = None  # of a lesson

    @property
    def tells_all(self) -> bool:
        """Return True if bots play all seats and brief output is off, so that their moves are reported in full."""
        return not self.is_brief and set(seats_of(self.game)) <= set(self.bots)

    def play(self) -> bool:
        """Play until the game is over; return False if a person stops or bots choose too often in a row.

        Also returns False when the next decision belongs to a person who plays elsewhere.
        """
        with tolerate_exhaustion(lambda fault: notifications.tell_left_out(self, fault)):
            return self._play()

    def _play(self) -> bool:
        while True:
            decision = self.game.decision
            bot = None if decision is None or self.autosave.looking else self.bots.get(decision.seat)
            if bot is None or self.tells_all or self.unasked >= self.most:
                self.tell_news()
            if self.game.over:
                self.screen.write(outcome_lines(self.game.outcome, self.words))
                if self.branches.suspended is None:
                    self._tell_luck()
                    return True
                sandbox.return_to_game(self)
            elif decision is None:  # a test case ran a procedure, which has returned
                self.screen.write([self.words.say("the call has ended; there are no more decisions")])
                return False
            elif bot is None and self._is_elsewhere(decision.seat):
                return False
            elif bot is None:
                self.unasked = 0
                if not self._ask(decision):
                    return False
            elif self.unasked < self.most:
                self.unasked += 1
                self._let_choose(bot, decision)
            else:
                notifications.tell_how_many(self, self.unasked)
                return False

    def _is_elsewhere(self, seat: str) -> bool:
        """Return True if the person who plays this seat does so elsewhere; what is tried here is anybody's."""
        return (
            bool(self.seats_played_here)
            and seat not in self.seats_played_here
            and not self.autosave.looking
            and self.branches.suspended is None
        )

    def tell_news(self) -> None:
        """Report events since the last report."""
        notifications.write_news(self)

    def _tell_luck(self) -> None:
        """Compare the dice with their expected values at the end of a game in which a person played."""
        if self.queries is not None and not set(seats_of(self.game)) <= set(self.bots):
            self.screen.write(["", self.words.say("counting the dice of this game ...")])
            self.screen.write(self.queries.luck(self.game))

    def _let_choose(self, bot: Bot, decision: Decision) -> None:
        player = self.words.thing("seat", decision.seat)
        with self.screen.meanwhile(self.words.say("{player} is thinking ...", player=player)):
            number = bot.choose(self.game)
        option = decision.options[number]
        if self.tells_all:
            side = self.words.thing("side", decision.side)
            chosen = self.words.about(side, option_words(option, NameIndex(self.game, self.words)))
            self.screen.write(
                self.event_formatter.below_headings(
                    Line(begin_sentence(chosen), option.cite, "choice", side=decision.side)
                )
            )
        self.game.pick(number)
        self.autosave.keep(self.game)

    # --- asking the player ----------------------------------------------------------------

    def _ask(self, decision: Decision) -> bool:
        """Ask until the player chooses, undoes or redoes; return False if the player stops."""
        self.name_index = NameIndex(self.game, self.words)
        notifications.write_briefing_once(self, decision.seat)
        if self._is_lesson:
            self.shown_decision = (self.game.turn, self.game.phase)
        elif self._took_the_only_one(decision):
            return True
        notifications.show_position(self)
        self._begin_menu(decision)
        if self.queries is not None and not self.waiting and self.branches.suspended is None:
            self.queries.count_on(self.game)
        while True:
            typed = self._read(decision)
            if typed is None:
                return False
            follows = self._take(typed, decision)
            if follows is CommandResult.MOVED:
                after = self.game.decision
                if after is None or after.seat != decision.seat:
                    self.leave_out()
                return True
            if follows is CommandResult.STOP:
                return False

    def _took_the_only_one(self, decision: Decision) -> bool:
        """Take the sole option automatically and report it.

        The player is asked first if it ends an order that could be undone until now.
        """
        if self.game.count() != 1 or self.autosave.looking or self.building:
            return False
        option = decision.options[0]
        if ends_an_order(self.game, option.key):
            return False
        told, side = option_words(option, self.words_here()), self.words.thing("side", decision.side)
        line = self.words.say("{side}: only one option: {option}", side=side, option=told)
        self.screen.write([Line(line, option.cite)])
        return self._choose(option) is CommandResult.MOVED

    def _read(self, decision: Decision) -> str | None:
        """Return the next command typed, one part at a time for a line with semicolons; None at the end of input."""
        while True:
            if self.waiting:
                text = self.waiting.pop(0)
                self.chained = True
                self.screen.write([f"; {text}"])
                return text
            self.chained = False
            line, self.typed_ahead = self.typed_ahead, None
            if line is None:
                line = self.screen.read(f"{self.words.thing('seat', decision.seat)}> ")
            if line is None:
                return None
            self.is_untouched = False
            if not line.strip() and _NEW_PAGE in line:
                line = "clear"
            elif not line.strip() and self._is_lesson:
                return ""  # goes on to the next step
            if is_garbled(line):
                self.screen.write([self.words.say("this line is not valid UTF-8 and is ignored")])
                continue
            command = find_command(line.strip().partition(" ")[0], self.words)
            is_note = command is not None and command.name == "note"  # a note may contain semicolons
            self.waiting = [line.strip()] if is_note else split_orders(line)
            if self.waiting:
                return self.waiting.pop(0)
            self.screen.write([self.words.say("type a number, or help")])

    def _take(self, text: str, decision: Decision) -> CommandResult:
        self.is_open = False
        if self.guide is not None and (taken := self.guide.take(self, text)) is not None:
            return taken
        if (told := self._told_plainly(text, decision)) is not None:
            self.refused = False
            self.screen.write(told)
            return CommandResult.ASK
        follows = self._command(text, decision)
        if follows is CommandResult.ANSWER:
            follows = self._answer(text)
        if follows is CommandResult.ASK and (self.refused or self.is_open):
            self.leave_out()
        if self.guide is not None and self.guide.is_on and self.guide.watch(text, self.words_here()):
            self.ask_again()
        return follows

    def leave_out(self) -> None:
        """Discard the unread parts of a line with semicolons and report them."""
        if self.waiting:
            self.screen.write([self.words.say("the rest is ignored: {typed}", typed="; ".join(self.waiting))])
            self.waiting.clear()

    def _answer(self, text: str) -> CommandResult:
        """Interpret the typed text as an answer to the shown menu and carry it out."""
        outright = asking.strip_anyway(text, self.words)
        found = self._resolve_answer(text)
        if found is None and outright and (found := self._resolve_answer(outright)) is not None:
            is_one = not found.is_several
            found = MenuAnswer(found.leads, is_printed=is_one, is_several=found.is_several, is_outright=is_one)
        if found is None:
            return self._unanswered(text)
        if isinstance(found.leads, OptionTree):
            if found.is_several:
                self.is_open = True
                self.screen.write([render_several_matches(text, found.leads, self.words)])
            self.show_menu(found.leads)
            return CommandResult.ASK
        if not self._is_lesson and not asking.confirm_answer(self, found, text):
            return CommandResult.ASK
        if isinstance(found.leads, Route):
            return mutating_commands.take_route(self, found.leads)
        return self.order(found.leads)

    def _resolve_answer(self, text: str) -> MenuAnswer | None:
        """Return what an answer means in the shown menu, else in the whole menu, or None.

        Later parts of a line with semicolons are matched against the shown menu only.
        """
        found = parse_menu_answer(self.menu, text, self.words_here())
        if found is None and self.menu.parent is not None and not self.chained:
            found = parse_menu_answer(find_root(self.menu), text, self.words_here())
        if found is None and (plain := remove_articles(text, self.words_here())):
            found = self._resolve_answer(plain)
        return found

    def _unanswered(self, text: str) -> CommandResult:
        """Handle text that fits no option: try `finish`, `done` and keys, else refuse it with reasons."""
        decision, say = self.game.decision, self.words.say
        if decision is not None and decision.is_draft and text.casefold() in ("finish", say("finish").casefold()):
            return self._choose("finish")
        if (
            decision is not None
            and decision.described.is_repeated
            and text.casefold() in ("done", self.words.name("done", "option").casefold(), *synonyms("done", self.words))
        ):
            done = next((option for option in decision.options if option.key == "done"), None)
            if done is not None and not self._is_lesson and not asking.confirm_answer(self, MenuAnswer(done), text):
                return CommandResult.ASK
            return self._choose("done")
        if "(" in text:  # an unlisted key; the game refuses it with reasons
            return self._choose(text)
        if reasons := why_not_ordered(text, self.game, self.words_here()):
            return self.refuse([say("this is not possible:"), *reasons])
        if told := plain_order_lines(text, self.game, self.words_here()):
            return self.refuse(told)
        return self.refuse([self._not_understood(text)])

    def _told_plainly(self, text: str, decision: Decision) -> Sequence[TextLine] | None:
        """Return the answer to a question in plain words, or None if the text is not one."""
        if self._is_option(text):
            return None
        return self._queries().plainly(text, decision.seat, self.words_here())

    def _queries(self) -> QueryCommands:
        if self.query_commands is None:
            self.query_commands = QueryCommands(self.game, self.words, self.queries, self.autosave.notes)
        self.query_commands.width = self.screen.width()
        return self.query_commands

    def order(self, order: Choosable) -> CommandResult:
        """Carry out an option, or a route's choices until another decision intervenes."""
        keys: Sequence[Option | str] = (
            order.keys if isinstance(order, Route) else (order if isinstance(order, Option) else order.key,)
        )
        for number, key in enumerate(keys):
            follows = self._choose(key)
            if follows is not CommandResult.MOVED:
                return follows
            if number + 1 == len(keys):
                break
            self.tell_news()
            decision = self.game.decision
            if decision is None or decision.find(str(keys[number + 1])) is None:
                self.screen.write([self.words.say("the rest of the route has to wait: another event came first")])
                return follows
        if isinstance(order, Route):
            self.way_taken = (len(self.game.keys), len(keys), order.text(self.words.lang))
        return CommandResult.MOVED

    def _choose(self, option: Option | str) -> CommandResult:
        """Choose an option of the present decision, given itself or its key."""
        if self.autosave.looking:
            return self.only_looking()
        try:
            if self.guide is None:
                self.game.choose(option)
            elif told := self.guide.choose(option):
                return self.refuse(told)
        except IllegalAction as refused:
            follows = self.refuse(self._refusal_lines(refused))
            return CommandResult.STOP if isinstance(refused, RollDeclined) and refused.is_last else follows
        self.refused, self.way_taken = False, (0, 0, "")
        self.autosave.keep(self.game)
        decision = self.game.decision
        self.building = self.building and decision is not None and bool(self.game.state.draft)
        return CommandResult.MOVED

    def only_looking(self) -> CommandResult:
        """Refuse what would change a game that another program plays, or that has no room left in its file."""
        say = self.words.say
        cure = (
            say("to make a copy, which may have room again: save FILE")
            if self.autosave.is_full
            else say(
                "to make a copy that you can play on with: save FILE; to take over the game, quit and resume "
                "it with --take-over"
            )
        )
        return self.refuse([say("you are only viewing this game: {problem}", problem=self.autosave.looking), cure])

    def refuse(self, lines: Sequence[TextLine]) -> CommandResult:
        self.refused = True
        self.screen.write(lines)
        return CommandResult.ASK

    def _refusal_lines(self, refused: IllegalAction) -> Sequence[TextLine]:
        """Return why a choice was refused, each reason with its rules."""
        if not refused.reasons:
            return [self.words.say(refused.message)]
        return [self.words.say("this is not possible:"), *reason_lines(refused.reasons, self.words)]

    def _not_understood(self, text: str) -> TextLine:
        say = self.words.say
        found = entries(self.menu, self.words_here())
        if (meant := self.put_right(text)) and self._leads_somewhere(meant):
            return say("cannot understand `{text}`; did you mean `{meant}`?", text=text[:40], meant=meant)
        if told := suggest_next_step(text, self.game, self.words_here()):
            return told
        shown = text if len(text) <= 40 else text[:40] + "..."
        if not found:
            return say("`{text}` is not possible here; type finish, undo, or help", text=shown)
        if all(e.value is not None for e in found):
            return say("`{text}` is not possible here; type one of the numbers shown, back, or help", text=shown)
        if len(found) == 1:
            return say("`{text}` does not match; there is only one answer: type 1, its words, or help", text=shown)
        return say(
            "`{text}` matches no option; type a number from 1 to {last}, words of an option, or help",
            text=shown,
            last=len(found),
        )

    def _leads_somewhere(self, text: str) -> bool:
        """Return True if the text could be typed here: a command, an answer, a known order or a name."""
        name_index = self.words_here()
        return (
            find_command(text.split()[0], self.words) is not None
            or parse_menu_answer(self.menu, text, name_index) is not None
            or bool(why_not_ordered(text, self.game, name_index))
            or any({*tokens(text)} <= {*tokens(name)} for name in self.words.all_names())
        )

    def put_right(self, text: str) -> str:
        """Return the text with typing errors corrected, or '' if there are none or the correction is ambiguous."""
        asked = [entry.words for entry in entries(self.menu, self.words_here())]
        orders = {choice.name for decision in self.game.program.decisions for choice in decision.options}
        named = [self.words.name(name, "option") for name in sorted(orders)]
        return correct_typos(text, self.words, [*asked, *orders, *named, *command_names(self.words)])

    def words_here(self) -> NameIndex:
        if self.name_index is None:
            self.name_index = NameIndex(self.game, self.words)
        return self.name_index

    # --- showing ----------------------------------------------------------------------------

    @property
    def lesson_wants(self) -> str:
        """Return what a lesson waits for: "read", "order", or "place" or "piece" to look at; '' outside of a lesson."""
        step = self.guide.course.step if self.guide is not None else None
        if step is None:
            return ""
        return step.look.kind if step.look is not None else "order" if step.orders else "read"

    @property
    def _is_lesson(self) -> bool:
        return self.guide is not None and self.guide.is_on

    def ask_again(self) -> None:
        if self.game.decision is not None:
            self._begin_menu(self.game.decision)

    def _begin_menu(self, decision: Decision) -> None:
        """Write the question and show the first menu: all options, or the next steps of a draft.

        In a lesson the text of the step comes first, alone where it asks for no order.
        """
        if self.guide is not None and self.guide.shown != self.guide.course.number:
            self.screen.write(self.guide.lines())
            self.guide.shown = self.guide.course.number if self.guide.is_on else len(self.guide.course.lesson.steps)
        if self.guide is not None and self.guide.waits:
            self.menu = root_menu(decision.options)
            return
        side, prompt = self.words.thing("side", decision.side), decision.prompt_text(self.words.lang)
        asked = prompt if prompt.startswith(side) else self.words.about(side, prompt)
        self.screen.write(["", Line(begin_sentence(asked), decision.cite)])
        say = self.words.say
        if self.building:
            steps = self.game.draft_steps()
            self.show_menu(root_menu(steps))
            hint = (
                say("(step by step: finish ends it, if that is legal; options shows the whole list)")
                if steps
                else say("(no further step is possible: finish ends it)")
            )
            self.screen.write([f"  {hint}"])
            if decision.draft.is_unordered and not self.game.state.draft:
                self.screen.write(["  " + say("(the steps are taken in the listed order)")])
            if self.game.state.draft:
                self.screen.write(["  " + say("(undo undoes the last step)")])
        else:
            self.show_menu(root_menu(decision.options))
            if decision.is_draft:
                self.screen.write(["  " + say("(steps: choose step by step instead)")])

    def show_menu(self, menu: OptionTree) -> None:
        name_index = self.words_here()
        self.menu = menu = without_single_questions(menu, name_index)
        found = entries(menu, name_index)
        asked = render_question(menu, name_index)
        previews = [self._preview(entry) for entry in found] if len(found) <= _MOST_PREVIEWED else []
        self.screen.write([*([asked] if asked else []), *entry_lines(found, self.words, previews, self.screen.width())])
        faults = () if (decision := self.game.decision) is None else decision.faults.values()
        exhausted = [
            str(fault) for fault in faults if fault.is_exhausted
        ]  # from there on options show only their names
        self.screen.write(["  " + self.words.say("error in the rules: {fault}", fault=fault) for fault in exhausted])
        self.screen.offer([t for e in found for t in e.typed])

    def _preview(self, entry: OptionTreeEntry) -> str:
        """Return a one-line preview of an option's outcomes, or '' if it rolls no dice or takes too long to compute."""
        option = entry.leads
        if self.queries is None or not isinstance(option, Option):
            return ""
        return self.queries.preview(self.game, option.key)

    # --- commands ------------------------------------------------------------------------------

    def _command(self, text: str, decision: Decision) -> CommandResult:
        """Carry out the text if it is a command; return CommandResult.ANSWER if it is not."""
        self.refused = False
        word, _, rest = text.partition(" ")
        command = find_command(word, self.words)
        if command is None or self._is_option(text):
            return CommandResult.ANSWER
        if rest and command.stands_alone:
            if parse_menu_answer(self.menu, text, self.words_here()) is not None:
                return CommandResult.ANSWER
            return self.refuse(
                [
                    self.words.say(
                        "`{command}` takes no arguments; `{rest}` is unknown",
                        command=self.words.say(command.name),
                        rest=rest[:40],
                    )
                ]
            )
        if self.chained and self.menu.parent is not None and command.name in _MOVING:
            return self.refuse(
                [self.words.say("there is an open question, and `{text}` is not an answer to it", text=text[:40])]
            )
        try:
            told = self._told_by(command, rest.strip())
        except RuleFault as fault:  # queries are read-only, so the session can continue
            from interpreter.tools.evaluate.value_lines import fault_lines  # imported late: rarely needed

            return self.refuse(fault_lines(fault, self.words.say))
        if told is not None:
            self.screen.write(told)
            return CommandResult.ASK
        match command.name:
            case "save":
                return mutating_commands.save_copy(self, rest)
            case "go" | "plan":
                return mutating_commands.go(self, rest, command.name == "plan")
            case "all":
                return group_orders.send_group(self, rest)
            case "undo" | "redo":
                return mutating_commands.undo_or_redo(self, command.name, rest)
            case "note":
                return mutating_commands.write_note(self, rest)
            case "mark":
                return sandbox.add_mark(self, rest)
            case "try":
                return sandbox.try_copy(self, rest)
            case "return":
                return sandbox.return_to_game(self)
            case "brief":
                return notifications.toggle_brief(self)
        match command.name:
            case "options" | "steps":
                return self._switch(command.name, decision)
            case "clear":
                self.screen.clear()
                self._begin_menu(decision) if self.menu.parent is None else self.show_menu(self.menu)
                return CommandResult.ASK
            case "back":
                self.show_menu(self.menu.parent or self.menu)
                return CommandResult.ASK
            case "quit":
                return CommandResult.STOP
        return CommandResult.ANSWER

    def _is_option(self, text: str) -> bool:
        """Return True if the text is a whole option name, key or entry, which take precedence over commands."""
        plain = tokens(text)
        return any(
            tokens(o.name) == plain or tokens(self.words.name(o.name, "option")) == plain or o.key == text
            for o in self.menu.options
        ) or any(tokens(t) == plain for e in entries(self.menu, self.words_here()) for t in e.typed)

    def _told_by(self, command: Command, rest: str) -> Sequence[TextLine] | None:
        """Return the answer to a read-only command, or None if the command is not one."""
        if command.name == "help":
            is_topic = bool(rest) and find_command(rest, self.words) is None
            if is_topic and (explained := self._queries().word(rest, self.words_here())):
                return explained
            return help_lines(rest, examples(self.menu, self.words_here()), self.words)
        if command.name == "position":
            return summary_commands.render_roster(self, rest) if rest else position_lines(self.game, self.words)
        if command.name == "marks":
            return sandbox.mark_lines(self)
        if (told := summary_commands.answer_summary(self, command.name, rest)) is not None:
            return told
        if command.name == "changes":
            return notifications.changes_since_shown(self)
        inquiries = self._queries()
        if command.name == "odds":
            with self.screen.meanwhile(self.words.say("computing the odds ...")):
                return list(inquiries.odds(rest, self.menu, self.words_here()))
        if command.name == "table":
            return list(inquiries.table(rest, self.menu, self.words_here()))
        answered = inquiries.answer(command.name, rest, self.words_here())
        meant = self.put_right(rest) if command.name == "why" else ""
        asked = " ".join([self.words.say("why"), meant])
        hint = [self.words.say("did you mean `{word}`?", word=asked)] if meant else []
        return None if answered is None else [*answered, *hint]

    def _switch(self, word: str, decision: Decision) -> CommandResult:
        """Show the options as a whole, or step by step."""
        if word == "steps" and not decision.is_draft:
            return self.refuse([self.words.say("there are no steps to build here; choose one of the options")])
        self.building = word == "steps"
        self._begin_menu(decision)
        return CommandResult.ASK

    def is_bots_turn(self) -> bool:
        decision = self.game.decision
        return decision is not None and decision.seat in self.bots
