"""Orders at the prompt: options chosen by their words, and routes to a place, carried out after confirmation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.play.lines import Line, TextLine
from interpreter.players.manual_dice import RollDeclined
from interpreter.players.narration.synonyms import list_synonyms
from interpreter.players.narration.why_lines import render_reasons, render_why_not_order, render_why_unreachable
from interpreter.players.orders.confirmations import find_confirmation, is_last_order
from interpreter.players.orders.matching import Choosable, has_place_name_at_end, match_options
from interpreter.players.orders.menu import (
    Menu,
    format_option,
    list_entries,
    render_entries,
    render_question,
    render_several_matches,
)
from interpreter.players.orders.menu_answers import MenuAnswer, parse_menu_answer
from interpreter.players.orders.name_index import to_half_width
from interpreter.players.orders.route_planning import Route, find_routes, is_irreversible, prefer_plain_routes
from interpreter.players.orders.tokenizer import split_destination_and_route
from interpreter.players.questions.plain_answers import (
    explain_bare_verb,
    explain_later_order,
    explain_order,
    parse_route,
    suggest_questions,
)
from interpreter.runtime.decisions import Decision, Option
from interpreter.runtime.errors import IllegalAction
from interpreter.ui.repl.lesson import LessonGuide
from interpreter.ui.repl.line_input import LineInput, strip_forcing_word
from interpreter.ui.repl.option_menu import OptionMenu
from interpreter.ui.repl.play_context import CommandResult, PlayContext
from interpreter.ui.repl.reporter import Reporter

_MAX_NAMED = 12  # places that a text may mean; more are counted


@dataclass(slots=True)
class RouteTaken:
    """The last route taken, which is undone as a whole.

    `end`: the number of choices in the game after the route; `choices`: how many of them belong to it; `text`: the
    route in words.
    """

    end: int = 0
    choices: int = 0
    text: str = ""


@dataclass(slots=True)
class OrderTaker:
    """Service that carries out orders: it asks before final ones, chooses, and saves the game.

    `guide`: the guide of a lesson, or None.
    """

    context: PlayContext
    line_input: LineInput
    menu: OptionMenu
    reporter: Reporter
    guide: LessonGuide | None
    route_taken: RouteTaken

    # --- answers to the menu ----------------------------------------------------------------

    def answer(self, text: str) -> CommandResult:
        """Interpret the typed text as an answer to the shown menu and carry it out."""
        menu, is_chained = self.menu, self.line_input.is_chained
        outright = strip_forcing_word(text, self.context.localizer)
        answer = menu.resolve(text, is_chained)
        if answer is None and outright and (answer := menu.resolve(outright, is_chained)) is not None:
            is_one = not answer.is_several
            answer = MenuAnswer(answer.target, is_printed=is_one, is_several=answer.is_several, is_outright=is_one)
        if answer is None:
            return self._answer_unlisted(text)
        if isinstance(answer.target, Menu):
            is_named = not to_half_width(text).strip().isdigit()  # a number asks to see what it leads to
            if is_named and (expected := self._find_expected(answer.target)) is not None:
                return self.carry_out(expected)
            if answer.is_several:
                menu.is_open = True
                self.context.write(render_several_matches(text, answer.target, self.context.localizer))
            menu.show(answer.target)
            return CommandResult.ASK
        if not self.menu.is_lesson and not self.line_input.confirm(answer, text):
            return CommandResult.ASK
        if isinstance(answer.target, Route):
            return self.take_route(answer.target, is_outright=answer.is_outright)
        return self.carry_out(answer.target)

    def _answer_unlisted(self, text: str) -> CommandResult:
        """Handle text that fits no option: try `finish`, `done` and keys, else refuse it with reasons."""
        context, decision, localizer = self.context, self.context.game.decision, self.context.localizer
        typed, say, name_index = text.casefold(), localizer.say, self.context.name_index
        if decision is not None and decision.is_draft and typed in ("finish", say("finish").casefold()):
            return self.choose("finish")
        if typed in ("done", localizer.translate_name("done", "option").casefold(), *list_synonyms("done", localizer)):
            if decision is None or not decision.info.is_repeated:
                return context.refuse(say("there is nothing to end here; choose one of the options"))
            done = next((option for option in decision.options if option.key == "done"), None)
            if done is not None and not self.menu.is_lesson and not self.line_input.confirm(MenuAnswer(done), text):
                return CommandResult.ASK
            return self.choose("done")
        if "(" in text:  # an unlisted key; the game refuses it with reasons
            return self.choose(text)
        if lines := explain_bare_verb(text, context.game, name_index):
            return context.refuse(*lines)
        if reasons := render_why_not_order(text, context.game, name_index):
            return context.refuse(say("this is not possible:"), *reasons)
        if route := parse_route(text, name_index):
            return self.go(route, is_plan=False)
        if answer := explain_order(text, context.game, name_index):
            return context.refuse(*answer)
        if lines := suggest_questions(text, name_index):
            return context.refuse(*lines)
        return context.refuse(*self.menu.explain_not_understood(text))

    def _find_expected(self, menu: Menu) -> Option | None:
        """Return the option of a menu that the current lesson step expects; None if none, or outside of a lesson."""
        if self.guide is None or not self.menu.is_lesson:
            return None
        keys = {getattr(option, "key", "") for option in menu.options}
        return next((option for option in self.guide.course.list_accepted_options() if option.key in keys), None)

    def take_only_option(self, decision: Decision) -> bool:
        """Take the sole option automatically and report it; return whether it was taken.

        The player is asked first if it ends an order that could be undone until now.
        """
        context, localizer = self.context, self.context.localizer
        if context.game.count() != 1 or context.autosave.read_only_reason or self.menu.builds_draft:
            return False
        option = decision.options[0]
        if is_last_order(context.game, option.key):
            return False
        text, side = format_option(option, context.name_index), localizer.get_thing_name("side", decision.side)
        line = localizer.say("{side}: only one option: {option}", side=side, option=text)
        context.write(Line(line, option.cite))
        return self.choose(option) is CommandResult.MOVED

    # --- carrying out -----------------------------------------------------------------------

    def carry_out(self, order: Choosable) -> CommandResult:
        """Carry out an option, or the choices of a route until another decision comes in between."""
        context = self.context
        keys: Sequence[Option | str] = (
            order.keys if isinstance(order, Route) else (order if isinstance(order, Option) else order.key,)
        )
        for number, key in enumerate(keys):
            result = self.choose(key)
            if result is not CommandResult.MOVED:
                return result
            if number + 1 == len(keys):
                break
            self.reporter.write_news()
            decision = context.game.decision
            if decision is None or decision.find(str(keys[number + 1])) is None:
                context.write(context.say("the rest of the route has to wait: another event came first"))
                return result
        if isinstance(order, Route):
            self.record_route(len(keys), order.text(context.localizer.lang))
        return CommandResult.MOVED

    def choose(self, option: Option | str) -> CommandResult:
        """Choose an option of the present decision, given itself or its key."""
        context = self.context
        if context.autosave.read_only_reason:
            return context.refuse_viewer()
        try:
            if self.guide is None:
                context.game.choose(option)
            elif lines := self.guide.choose(option):
                return context.refuse(*lines)
        except IllegalAction as refused:
            result = context.refuse(*self._render_refusal(refused))
            return CommandResult.STOP if isinstance(refused, RollDeclined) and refused.is_last else result
        context.is_refused = False
        self.forget_route()
        context.autosave.save_progress(context.game)
        self.menu.reset_after_choice()
        return CommandResult.MOVED

    def _render_refusal(self, refused: IllegalAction) -> Sequence[TextLine]:
        """Return why a choice was refused, each reason with its rules."""
        localizer = self.context.localizer
        if not refused.reasons:
            return [localizer.say(refused.message)]
        return [localizer.say("this is not possible:"), *render_reasons(refused.reasons, localizer)]

    def record_route(self, choices: int, text: str) -> None:
        """Record that the last `choices` choices form one route with this text."""
        self.route_taken = RouteTaken(len(self.context.game.keys), choices, text)

    def forget_route(self) -> None:
        """Discard the recorded route: something else was chosen since."""
        self.route_taken = RouteTaken()

    # --- routes -----------------------------------------------------------------------------

    def go(self, text: str, is_plan: bool) -> CommandResult:
        """Find the route that the typed words name and take it, or only describe it if `is_plan`.

        The word `anyway` at the end of the text confirms the route in advance.
        Returns CommandResult.ANSWER if the text names no place but fits an option or a known order.
        """
        context, localizer, name_index = self.context, self.context.localizer, self.context.name_index
        say, game = localizer.say, context.game
        outright = strip_forcing_word(text, localizer)
        text = outright or text
        who, places, how = split_destination_and_route(text, name_index)
        if not places:
            return self._go_nowhere(text, "plan" if is_plan else "go")
        if len(places) > 1:
            place_names = localizer.join_list(
                localizer.limit_texts([localizer.get_thing_name("place", p) for p in places], _MAX_NAMED)
            )
            return context.refuse(say("`{text}` can mean {places}", text=_parse_goal(text, who), places=place_names))
        routes = find_routes(game, who, places[0], name_index)
        is_plain = has_place_name_at_end(places[0], text.removesuffix(how), name_index)
        if not routes:
            later = [] if who else explain_later_order(localizer.get_thing_name("place", places[0]), game, name_index)
            return context.refuse(*(later or render_why_unreachable(text.removesuffix(how), game, name_index)))
        if how:
            matches = match_options(routes, how, name_index)
            if not matches:
                heading = say("no route there matches `{text}`; the routes are:", text=quote_typed(how))
                return context.refuse(heading, *self._render_menu(self._build_route_menu(routes)))
            routes = matches
        routes = prefer_plain_routes(game, routes)
        if len(routes) == 1:
            return self.take_route(routes[0], is_plan, is_guess=not is_plain, is_outright=bool(outright))
        menu = self._build_route_menu(routes)
        if len(list_entries(menu, name_index)) < len(routes):
            is_id = who in game.program.handles["piece"]  # typed by the full screen rather than by the player
            typed = f"{localizer.get_piece_name(who)} {localizer.get_thing_name('place', places[0])}" if is_id else text
            context.write(render_several_matches(typed, menu, localizer))
        if is_plan:
            context.write(render_question(menu, name_index))
            context.write(*self._render_menu(menu))
        else:
            self.menu.show(menu)
        return CommandResult.ASK

    def _go_nowhere(self, text: str, command: str) -> CommandResult:
        """Refuse `go` or `plan` without a place; return CommandResult.ANSWER if the line fits an option or an order.

        `text`: the words after the command; `command`: "go" or "plan".
        """
        context, say, name_index = self.context, self.context.say, self.context.name_index
        typed = [f"{word} {text}" for word in (command, say(command))]
        if any(
            parse_menu_answer(self.menu.shown, t, name_index) or render_why_not_order(t, context.game, name_index)
            for t in typed
        ):
            return CommandResult.ANSWER
        if nearest := self.menu.correct(text):
            suggestion = f"{say(command)} {nearest}"
            return context.refuse(
                say("cannot understand `{text}`; did you mean `{meant}`?", text=quote_typed(text), meant=suggestion)
            )
        if text:
            return context.refuse(
                say(
                    "`{text}` is not a place on the map; write: {command} [PIECE] PLACE",
                    text=quote_typed(text),
                    command=say(command),
                )
            )
        return context.refuse(say("{command} where? Write: {command} [PIECE] PLACE", command=say(command)))

    def _build_route_menu(self, routes: Sequence[Route]) -> Menu:
        return Menu(tuple(routes), routes[0].name, (), self.menu.shown)

    def _render_menu(self, menu: Menu) -> Sequence[TextLine]:
        """Return routes as the lines of a menu."""
        context = self.context
        return render_entries(list_entries(menu, context.name_index), context.localizer, room=context.screen.width())

    def take_route(
        self, way: Route, is_plan: bool = False, is_guess: bool = False, is_outright: bool = False
    ) -> CommandResult:
        """Describe a route and take it, asking first if dice will be rolled; return ASK if it was not taken.

        `is_plan`: only describe it; `is_guess`: the typed words may mean another route, so ask first unless the
        choices can be undone; `is_outright`: the player has confirmed the route in advance.
        """
        context, localizer = self.context, self.context.localizer
        needed = find_confirmation(context.game, way.keys, localizer)
        context.write(Line(format_option(way, context.name_index), way.cite), *(needed.reasons if needed else ()))
        is_final = needed is not None or is_guess and is_irreversible(context.game, way.keys)
        question = localizer.say("{question} (yes or no)", question=localizer.say("continue?"))
        if is_plan or is_final and not is_outright and not self.line_input.ask_yes_no(question):
            return CommandResult.ASK
        return self.carry_out(way)


def _parse_goal(text: str, who: str) -> str:
    """Return the words of an order that follow the words `who` for the piece, shortened."""
    return quote_typed(text.removeprefix(who).strip())
