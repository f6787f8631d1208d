"""Menu of options at the prompt: the question, the entries shown, and the option that typed words select."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from interpreter.diagnostics.terminal_text import quote_typed
from interpreter.i18n.translator import format_number_range
from interpreter.play.lines import Line, TextLine, begin_sentence
from interpreter.players.narration.why_lines import render_why_not_order, suggest_next_step
from interpreter.players.orders.matching import get_kind
from interpreter.players.orders.menu import (
    Menu,
    MenuEntry,
    find_root,
    format_after_colon,
    format_option,
    format_value,
    list_entries,
    render_entries,
    render_question,
    skip_single_questions,
)
from interpreter.players.orders.menu_answers import MenuAnswer, correct_typos, parse_menu_answer
from interpreter.players.orders.name_index import to_half_width, tokenize_words
from interpreter.players.orders.tokenizer import remove_articles
from interpreter.players.questions.plain_answers import explain_unknown_name, list_order_verbs
from interpreter.runtime.decisions import Decision, Option
from interpreter.ui.repl.commands import find_command, list_command_names
from interpreter.ui.repl.lesson import LessonGuide
from interpreter.ui.repl.play_context import CommandResult, PlayContext

_MAX_PREVIEWED_OPTIONS = 15  # no previews in longer lists, for speed


@dataclass(slots=True)
class OptionMenu:
    """Service that shows menus and resolves answers.

    `shown`: the menu shown last; `builds_draft`: its options are steps of a draft. `is_open`: the last input opened a
    question. `guide`: the guide of a lesson, or None. `has_told_losses`: the note on what counts as a loss was written.
    """

    context: PlayContext
    guide: LessonGuide | None = None
    shown: Menu = Menu(())
    builds_draft: bool = False
    is_open: bool = False
    has_told_losses: bool = False

    @property
    def is_lesson(self) -> bool:
        """Return whether a lesson is running."""
        return self.guide is not None and self.guide.is_on

    def begin(self) -> None:
        """Write the question and show the first menu: all options, or the next steps of a draft.

        In a lesson the text of the step comes first, alone where it asks for no order. Does nothing after the game.
        """
        context, say, decision = self.context, self.context.say, self.context.game.decision
        if decision is None:
            return
        if self.guide is not None and self.guide.has_news:
            context.write(*self.guide.render_step())
            self.guide.mark_shown()
        if self.guide is not None and self.guide.waits:
            self.shown = Menu(decision.options)
            return
        side, prompt = (
            context.localizer.get_thing_name("side", decision.side),
            decision.format_prompt(context.localizer.lang),
        )
        question = (
            prompt
            if prompt.startswith(side)
            else context.localizer.prefix_topic(side, format_after_colon(prompt, context.localizer))
        )
        context.write("", Line(begin_sentence(question), decision.cite))
        if not self.builds_draft:
            self.show(Menu(decision.options))
            if decision.is_draft:
                context.write("  " + say("(steps: choose step by step instead)"))
            if command := self._find_unlisted_order():
                context.write(say("Type: {command}", command=command))
            return
        steps, begun = context.game.draft_steps(), bool(context.game.state.draft)
        self.show(Menu(tuple(steps)))
        hint = (
            say("(step by step: finish ends it, if that is legal; options shows the whole list)")
            if steps
            else say("(no further step is possible: finish ends it)")
        )
        context.write(f"  {hint}")
        if decision.draft.is_unordered and not begun:
            context.write("  " + say("(the steps are taken in the listed order)"))
        if begun:
            context.write("  " + say("(undo undoes the last step)"))

    def show(self, menu: Menu) -> None:
        """Show a menu, skipping questions with a single answer, and make it the current question."""
        context, name_index = self.context, self.context.name_index
        localizer, screen = context.localizer, context.screen
        self.shown = menu = skip_single_questions(menu, name_index)
        menu_entries = list_entries(menu, name_index)
        question = render_question(menu, name_index)
        previews = (
            [self._render_preview(entry) for entry in menu_entries]
            if len(menu_entries) <= _MAX_PREVIEWED_OPTIONS
            else []
        )
        context.write(
            *([question] if question else []), *render_entries(menu_entries, localizer, previews, screen.width())
        )
        if any(previews) and not self.has_told_losses:
            self.has_told_losses = True
            context.write(f"  {context.queries.get_preview_note()}")
        decision = context.game.decision
        # after a fault of this sort options show only their names
        faults = [] if decision is None else [str(fault) for fault in decision.faults.values() if fault.is_exhausted]
        context.write(*["  " + localizer.say("error in the rules: {fault}", fault=fault) for fault in faults])
        screen.offer([t for e in menu_entries for t in e.typed])

    def show_again(self) -> None:
        """Show the menu again after the screen was cleared; a root menu with the question of the decision."""
        if self.shown.parent is None:
            self.begin()
        else:
            self.show(self.shown)

    def _render_preview(self, entry: MenuEntry) -> str:
        """Return a one-line preview of an option's outcomes.

        It is '' if the option rolls no dice or takes too long to compute, and in a lesson, whose dice are fixed.
        """
        option = entry.target
        if not isinstance(option, Option) or self.is_lesson:
            return ""
        return self.context.queries.preview_option(self.context.game, option.key)

    def switch_view(self, by_steps: bool, decision: Decision) -> CommandResult:
        """Show the options as a whole or, with `by_steps`, the steps of a draft; refuse steps without a draft."""
        if by_steps and not decision.is_draft:
            return self.context.refuse(
                self.context.say("this decision has no steps to build; choose one of the options")
            )
        self.builds_draft = by_steps
        self.begin()
        return CommandResult.ASK

    def go_back(self) -> CommandResult:
        """Show the menu that led to the shown one."""
        if self.shown.parent is None:
            return self.context.refuse(
                self.context.say("this decision has no earlier question; `undo` takes back your last choice")
            )
        self.show(self.shown.parent)
        return CommandResult.ASK

    def reset_after_choice(self) -> None:
        """Return to whole options if the last choice has ended the draft."""
        game = self.context.game
        self.builds_draft = self.builds_draft and game.decision is not None and bool(game.state.draft)

    # --- what typed words mean -----------------------------------------------------------------

    def resolve(self, text: str, is_chained: bool) -> MenuAnswer | None:
        """Return the interpretation of an answer in the shown menu, else in the root menu; None if it fits neither.

        `is_chained`: the text follows a semicolon, so it is matched against the shown menu only.
        """
        name_index = self.context.name_index
        answer = parse_menu_answer(self.shown, text, name_index)
        if answer is None and self.shown.parent is not None and not is_chained:
            answer = parse_menu_answer(find_root(self.shown), text, name_index)
        if answer is None and (plain := remove_articles(text, name_index)):
            answer = self.resolve(plain, is_chained)
        return answer

    def is_option(self, text: str) -> bool:
        """Return True if the text is a whole option name, key or entry, which take precedence over commands."""
        plain, localizer = tokenize_words(text), self.context.localizer
        return any(
            tokenize_words(o.name) == plain
            or tokenize_words(localizer.translate_name(o.name, "option")) == plain
            or o.key == text
            for o in self.shown.options
        ) or any(tokenize_words(t) == plain for e in list_entries(self.shown, self.context.name_index) for t in e.typed)

    def is_option_with_same_first_word(self, text: str) -> bool:
        """Return whether the text matches options of the shown menu, one of them printed with the text's first word."""
        name_index, first = self.context.name_index, tokenize_words(text)[:1]
        answer = parse_menu_answer(self.shown, text, name_index) if first else None
        if answer is None:
            return False
        options = answer.target.options if isinstance(answer.target, Menu) else (answer.target,)
        return any(tokenize_words(format_option(option, name_index))[:1] == first for option in options)

    def correct(self, text: str) -> str:
        """Return the text with typing errors corrected, or '' without errors or with an ambiguous correction."""
        localizer, decisions = self.context.localizer, self.context.game.program.decisions
        entry_words = [entry.text for entry in list_entries(self.shown, self.context.name_index)]
        orders = {choice.name for decision in decisions for choice in decision.options}
        order_names = [localizer.translate_name(name, "option") for name in sorted(orders)]
        verbs = list_order_verbs(self.context.name_index)
        return correct_typos(
            text, localizer, [*entry_words, *orders, *order_names, *list_command_names(localizer), *verbs]
        )

    def explain_not_understood(self, text: str) -> Sequence[TextLine]:
        """Return the message for text that is neither a command nor an option."""
        correction = self.correct(text)
        if not correction and (lines := explain_unknown_name(text, self.context.game, self.context.name_index)):
            return lines
        return [self._explain_mismatch(text, correction)]

    def _explain_mismatch(self, text: str, correction: str) -> TextLine:
        """Return what to type instead of a text that matches nothing; `correction`: the text without typing errors."""
        say = self.context.say
        if self.guide is not None and self.guide.waits:
            return say("This step takes no order. {how}", how=" ".join(self.guide.render_what_to_type()))
        menu_entries = list_entries(self.shown, self.context.name_index)
        if correction and self._can_be_typed(correction):
            return say("cannot understand `{text}`; did you mean `{meant}`?", text=quote_typed(text), meant=correction)
        if advice := suggest_next_step(text, self.context.game, self.context.name_index):
            return advice
        shortened = quote_typed(text, "...")
        if not menu_entries:
            return say("`{text}` is not possible here; type finish, undo, or help", text=shortened)
        if all(e.value is not None for e in menu_entries):
            return say("`{text}` is not possible here; type one of the numbers shown, back, or help", text=shortened)
        if len(menu_entries) == 1:
            return say("`{text}` does not match; there is only one answer: type 1, its words, or help", text=shortened)
        numbers = format_number_range(1, len(menu_entries), say)
        if to_half_width(text).strip().removeprefix("-").isdigit():
            return say("`{text}` is not a number of the list; type {number}", text=shortened, number=numbers)
        return say(
            "`{text}` matches no option; type {number}, words of an option, or help", text=shortened, number=numbers
        )

    def _find_unlisted_order(self) -> str:
        """Return the words to type for the order that a lesson expects, if the shown menu does not list it.

        It is '' if the menu lists it, if no lesson expects an order, or if no words are known.
        """
        accepted = self.guide.course.list_accepted_options() if self.guide is not None and self.is_lesson else []
        keys = {option.key for option in accepted}
        listed = list_entries(self.shown, self.context.name_index)
        if not accepted or any(getattr(entry.target, "key", "") in keys for entry in listed):
            return ""
        return self.find_words_for(accepted[0])

    def find_words_for(self, option: Option) -> str:
        """Return the shortest words that select an option from the shown menu in a lesson, '' if none are known."""
        name_index, lang = self.context.name_index, self.context.localizer.lang
        kinds = {name: get_kind(show) for name, show in option.shows.items()}
        things = [(value, kinds.get(name, "")) for name, value in option.args.items() if isinstance(value, str)]
        texts = [
            option.text(lang),
            *(format_value(value, name_index.localizer, kind) for value, kind in things if kind),
        ]

        def is_choosing(text: str) -> bool:  # of several options that fit, a lesson takes the one that its step accepts
            answer = parse_menu_answer(self.shown, text, name_index)
            if answer is None:
                return False
            options = answer.target.options if isinstance(answer.target, Menu) else (answer.target,)
            return any(candidate.key == option.key for candidate in options)

        def is_free(text: str) -> bool:  # not a number or a command
            if not text.strip() or text.isdigit():
                return False
            return find_command(text.split()[0], self.context.localizer) is None or self.is_option(text)

        return min((text for text in dict.fromkeys(texts) if is_free(text) and is_choosing(text)), key=len, default="")

    def _can_be_typed(self, text: str) -> bool:
        """Return whether the text could be typed now: it is a command, an answer, a known order or a name."""
        name_index, localizer = self.context.name_index, self.context.localizer
        return (
            find_command(text.split()[0], localizer) is not None
            or parse_menu_answer(self.shown, text, name_index) is not None
            or bool(render_why_not_order(text, self.context.game, name_index))
            or any(text == verb or text.startswith(verb + " ") for verb in list_order_verbs(name_index))
            or any({*tokenize_words(text)} <= {*tokenize_words(name)} for name in localizer.iter_names())
        )

    def list_examples(self) -> tuple[str, ...]:
        """Return example answers: the shortest unambiguous words of the first menu entries."""
        name_index, menu = self.context.name_index, self.shown
        is_translated = (
            name_index.localizer.lang != name_index.program.languages[0]
        )  # then prefer translated words to ids

        def measure_length(text: str) -> tuple[bool, int]:
            letters = [sign for sign in text if sign.isalpha()]  # ignore localized punctuation
            return is_translated and bool(letters) and "".join(letters).isascii(), len(text)

        def choose_example(entry: MenuEntry) -> str:
            entry_words = set(tokenize_words(entry.text))
            fitting = [
                t for t in entry.typed if t and entry_words.issuperset(tokenize_words(t)) and is_selecting(t, entry)
            ]
            return min(fitting, key=measure_length, default="")

        def is_selecting(text: str, entry: MenuEntry) -> bool:
            answer = parse_menu_answer(menu, text, name_index)
            return answer is not None and answer.target == entry.target

        return tuple(dict.fromkeys(text for e in list_entries(menu, name_index)[:3] if (text := choose_example(e))))
