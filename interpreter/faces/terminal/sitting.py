"""A game at a plain terminal: asks people, lets bots choose, tells what happens.

Holds no rules and no words of its own about the position; what is said is made by the other
modules of this package, where it goes is the screen's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from interpreter.facade.keeping import Keeper
from interpreter.faces.terminal import announcing, doubts as asking, errands, glances, group_orders, what_ifs
from interpreter.faces.terminal.commands import Command, called, command_of, help_lines
from interpreter.faces.terminal.errand_giver import Branches, Follows
from interpreter.faces.terminal.inquiries import NO_SHEETS, Inquiries, Sheets
from interpreter.faces.terminal.screen import Screen, is_garbled
from interpreter.play.session import Game
from interpreter.players.belonging import seats_of
from interpreter.players.bots.roster import Bot
from interpreter.players.orders.answers import Answer, answer
from interpreter.players.orders.confirming import ends_an_order
from interpreter.players.orders.lexicon import Lexicon, tokens
from interpreter.players.orders.matching import Choosable
from interpreter.players.orders.menus import (
    Entry,
    Menu,
    entries,
    entry_lines,
    first_menu,
    option_words,
    question,
    several,
    whole_menu,
)
from interpreter.players.orders.slips import put_right
from interpreter.players.orders.typed import parts_of, without_small_words
from interpreter.players.orders.ways import Way
from interpreter.players.table_dice import RollDeclined
from interpreter.players.telling.happenings import Teller, outcome_lines
from interpreter.players.telling.position import Standing, position_lines
from interpreter.players.telling.reasons import pointing_on, reason_lines, why_not_ordered
from interpreter.players.telling.synonyms import synonyms
from interpreter.players.telling.vocabulary import Words, cited
from interpreter.runtime.choices import Decision, Option
from interpreter.runtime.faults import IllegalAction, RuleFault

_MOST_PREVIEWED = 15  # entries of a list
_NEW_PAGE = "\x0c"  # what Ctrl-L types where no line editor takes it
_MOVING = ("go", "all", "steps", "undo", "redo")  # commands that leave an open question behind


@dataclass(slots=True)
class Session:
    """One sitting. `bots` play their seats, people all others; `told` entries of the log have been shown.

    `building`: a draft is asked step by step; `menu` is what was shown last; `waiting` what was typed
    but not yet read. `unbriefed`: seats that have not been told their aim; `is_brief`: few words, no brackets;
    `is_untouched`: nothing has been typed; `only`: the seats that people play here, () for all.
    """

    game: Game
    words: Words
    screen: Screen
    bots: Mapping[str, Bot]
    keeper: Keeper
    teller: Teller
    sheets: Sheets = NO_SHEETS
    told: int = 0
    shown: tuple[int, str | None] | None = None
    standing: Standing | None = None
    building: bool = False
    menu: Menu = field(default_factory=lambda: first_menu(()))
    waiting: list[str] = field(default_factory=list)
    lexicon: Lexicon | None = None
    inquiries: Inquiries | None = None
    way_taken: tuple[int, int, str] = (0, 0, "")  # the last one: choices made by its end, choices in it, its words
    refused: bool = False  # what was typed last was not possible or not understood
    is_open: bool = False  # what was typed last has led to a question of its own
    chained: bool = False  # what was typed last stood behind a semicolon
    typed_ahead: str | None = None  # a line typed where yes or no was asked
    most: int = 100_000  # decisions that bots make in a row, before they are stopped
    unasked: int = 0  # decisions that bots have made since a person was asked
    branches: Branches = field(default_factory=Branches)
    is_brief: bool = False
    unbriefed: list[str] = field(default_factory=list)
    is_untouched: bool = True
    only: tuple[str, ...] = ()

    @property
    def tells_all(self) -> bool:
        """True where nobody is asked, and brief words were not asked for: what bots do is told in full."""
        return not self.is_brief and set(seats_of(self.game)) <= set(self.bots)

    def play(self) -> bool:
        """Play until the game is over (True), or the people stop or bots have chosen too often in a row (False).

        Also until a person is to decide who plays elsewhere (False).
        """
        while True:
            decision = self.game.decision
            bot = None if decision is None or self.keeper.looking else self.bots.get(decision.seat)
            if bot is None or self.tells_all or self.unasked >= self.most:
                self.tell_news()
            if self.game.over:
                self.screen.write(outcome_lines(self.game.outcome, self.words))
                if self.branches.left is None:
                    self._tell_luck()
                    return True
                what_ifs.go_back(self)
            elif decision is None:  # what a case called has ended
                self.screen.write([self.words.say("what was called has ended; nothing more is asked")])
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
                self._tell_how_many()
                return False

    def _is_elsewhere(self, seat: str) -> bool:
        """Return True if the person who plays this seat does so elsewhere; what is tried here is anybody's."""
        return bool(self.only) and seat not in self.only and not self.keeper.looking and self.branches.left is None

    def _tell_how_many(self) -> None:
        """Why bots are stopped in the middle of a game, and how they go on longer."""
        self.screen.write(
            [
                "",
                self.words.say(
                    "programs have made {decisions} decisions in a row and the game is not over; they go on longer "
                    "with --max-decisions {more}",
                    decisions=self.unasked,
                    more=10 * self.unasked,
                ),
            ]
        )

    def tell_news(self) -> None:
        """Tell what has happened since the last time."""
        announcing.tell_news(self)

    def _tell_luck(self) -> None:
        """At the end of a game in which a person played: the dice against what was to be expected."""
        if self.sheets.luck is not None and not set(seats_of(self.game)) <= set(self.bots):
            self.screen.write(["", self.words.say("counting the dice of this game ...")])
            self.screen.write(self.sheets.luck(self.game))

    def _let_choose(self, bot: Bot, decision: Decision) -> None:
        player = self.words.thing("seat", decision.seat)
        with self.screen.meanwhile(self.words.say("{player} thinks ...", player=player)):
            number = bot.choose(self.game)
        option = decision.options[number]
        if self.tells_all:
            side = self.words.thing("side", decision.side)
            chosen = self.words.about(side, option_words(option, Lexicon(self.game, self.words))) + cited(option.cite)
            self.screen.write(self.teller.below_headings(chosen))
        self.game.pick(number)
        self.keeper.keep(self.game)

    # --- asking a person ------------------------------------------------------------------

    def _ask(self, decision: Decision) -> bool:
        """Ask until something was chosen, taken back or done again; False when the person stops."""
        self.lexicon = Lexicon(self.game, self.words)
        announcing.brief_once(self, decision.seat)
        if self._took_the_only_one(decision):
            return True
        announcing.show_position(self)
        self._begin_menu(decision)
        if self.sheets.count_on is not None and not self.waiting and self.branches.left is None:
            self.sheets.count_on(self.game)
        while True:
            typed = self._read(decision)
            if typed is None:
                return False
            follows = self._take(typed, decision)
            if follows is Follows.MOVED:
                after = self.game.decision
                if after is None or after.seat != decision.seat:
                    self.leave_out()
                return True
            if follows is Follows.STOP:
                return False

    def _took_the_only_one(self, decision: Decision) -> bool:
        """Take the one answer where there is no other, and tell it.

        It is asked for where it is the end of an order that could still be taken back, and no longer afterwards.
        """
        if self.game.count() != 1 or self.keeper.looking or self.building:
            return False
        option = decision.options[0]
        if ends_an_order(self.game, option.key):
            return False
        told = option_words(option, self.words_here()) + cited(option.cite)
        side = self.words.thing("side", decision.side)
        self.screen.write([self.words.say("{side}: nothing else is possible: {option}", side=side, option=told)])
        return self._choose(option) is Follows.MOVED

    def _read(self, decision: Decision) -> str | None:
        """The next thing typed; of a line parted by semicolons, one part at a time."""
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
            if is_garbled(line):
                self.screen.write([self.words.say("this line is no text in the encoding UTF-8 and is left out")])
                continue
            command = command_of(line.strip().partition(" ")[0], self.words)
            is_note = command is not None and command.name == "note"  # what is noted may hold anything
            self.waiting = [line.strip()] if is_note else parts_of(line)
            if self.waiting:
                return self.waiting.pop(0)
            self.screen.write([self.words.say("type a number, or help")])

    def _take(self, text: str, decision: Decision) -> Follows:
        self.is_open = False
        follows = self._command(text, decision)
        if follows is Follows.ANSWER:
            follows = self._answer(text)
        if follows is Follows.ASK and (self.refused or self.is_open):
            self.leave_out()
        return follows

    def leave_out(self) -> None:
        """Of a line parted by semicolons, what has not been read is not carried out; that is told."""
        if self.waiting:
            self.screen.write([self.words.say("what follows is left out: {typed}", typed="; ".join(self.waiting))])
            self.waiting.clear()

    def _answer(self, text: str) -> Follows:
        """Take what was typed as an answer to the menu that is shown."""
        outright = asking.without_anyway(text, self.words)
        found = self._meant(text)
        if found is None and outright and (found := self._meant(outright)) is not None:
            is_one = not found.is_several
            found = Answer(found.leads, is_printed=is_one, is_several=found.is_several, is_outright=is_one)
        if found is None:
            return self._unanswered(text)
        if isinstance(found.leads, Menu):
            if found.is_several:
                self.is_open = True
                self.screen.write([several(text, found.leads, self.words)])
            self.show_menu(found.leads)
            return Follows.ASK
        if not asking.goes_ahead(self, found, text):
            return Follows.ASK
        if isinstance(found.leads, Way):
            return errands.take_way(self, found.leads)
        return self.order(found.leads)

    def _meant(self, text: str) -> Answer | None:
        """What an answer means among what is shown; else among all, but for what follows in the same line."""
        found = answer(self.menu, text, self.words_here())
        if found is None and self.menu.before is not None and not self.chained:
            found = answer(whole_menu(self.menu), text, self.words_here())
        if found is None and (plain := without_small_words(text, self.words_here())):
            found = self._meant(plain)
        return found

    def _unanswered(self, text: str) -> Follows:
        """An answer that is none: refused with reasons where it is an order."""
        decision, say = self.game.decision, self.words.say
        if decision is not None and decision.is_draft and text.casefold() in ("finish", say("finish").casefold()):
            return self._choose("finish")
        if (
            decision is not None
            and decision.described["until_done"]
            and text.casefold() in ("done", self.words.name("done", "option").casefold(), *synonyms("done", self.words))
        ):
            done = next((option for option in decision.options if option.key == "done"), None)
            if done is not None and not asking.goes_ahead(self, Answer(done), text):
                return Follows.ASK
            return self._choose("done")
        if "(" in text:  # a key that was not listed, or one that is refused with its reasons
            return self._choose(text)
        if reasons := why_not_ordered(text, self.game, self.words_here()):
            return self.refuse([say("that is not possible:"), *reasons])
        return self.refuse([self._not_understood(text)])

    def order(self, order: Choosable) -> Follows:
        """Carry out an option, or a way of several choices as long as nothing else comes between."""
        keys: Sequence[Option | str] = (
            order.keys if isinstance(order, Way) else (order if isinstance(order, Option) else order.key,)
        )
        for number, key in enumerate(keys):
            follows = self._choose(key)
            if follows is not Follows.MOVED:
                return follows
            if number + 1 == len(keys):
                break
            self.tell_news()
            decision = self.game.decision
            if decision is None or decision.find(str(keys[number + 1])) is None:
                self.screen.write([self.words.say("the rest of the way has to wait: something came between")])
                return follows
        if isinstance(order, Way):
            self.way_taken = (len(self.game.keys), len(keys), order.text(self.words.lang))
        return Follows.MOVED

    def _choose(self, option: Option | str) -> Follows:
        """Choose an option of the present decision, or the one with a key."""
        if self.keeper.looking:
            return self.only_looking()
        try:
            self.game.choose(option)
        except IllegalAction as refused:
            follows = self.refuse(self._refusal_lines(refused))
            return Follows.STOP if isinstance(refused, RollDeclined) and refused.is_last else follows
        self.refused, self.way_taken = False, (0, 0, "")
        self.keeper.keep(self.game)
        decision = self.game.decision
        self.building = self.building and decision is not None and bool(self.game.state.draft)
        return Follows.MOVED

    def only_looking(self) -> Follows:
        """Refuse what would change a game that another program plays, or that has no room left in its file."""
        say = self.words.say
        cure = (
            say("a copy, which may have room again, is made by: save FILE")
            if self.keeper.is_full
            else say(
                "a copy that you can play on with is made by: save FILE; to take the game over, quit "
                "and resume it with --take-over"
            )
        )
        return self.refuse([say("you only look at this game: {problem}", problem=self.keeper.looking), cure])

    def refuse(self, lines: list[str]) -> Follows:
        self.refused = True
        self.screen.write(lines)
        return Follows.ASK

    def _refusal_lines(self, refused: IllegalAction) -> list[str]:
        """Why a choice was refused, each reason with its rules."""
        if not refused.reasons:
            return [self.words.say(refused.message)]
        return [self.words.say("that is not possible:"), *reason_lines(refused.reasons, self.words)]

    def _not_understood(self, text: str) -> str:
        say = self.words.say
        found = entries(self.menu, self.words_here())
        if (meant := self.put_right(text)) and self._leads_somewhere(meant):
            return say("`{text}` is not understood; did you mean `{meant}`?", text=text[:40], meant=meant)
        if told := pointing_on(text, self.game, self.words_here()):
            return told
        shown = text if len(text) <= 40 else text[:40] + "..."
        if not found:
            return say("`{text}` is not possible here; type finish, undo, or help", text=shown)
        if all(e.value is not None for e in found):
            return say("`{text}` is not possible here; type one of the numbers shown, back, or help", text=shown)
        if len(found) == 1:
            return say("`{text}` does not fit; there is one answer: type 1, its words, or help", text=shown)
        return say(
            "`{text}` fits none of the options; type a number from 1 to {last}, words of an option, or help",
            text=shown,
            last=len(found),
        )

    def _leads_somewhere(self, text: str) -> bool:
        """Whether words could be typed here: a command, an answer, an order that is refused with its reason, a name."""
        lexicon = self.words_here()
        return (
            command_of(text.split()[0], self.words) is not None
            or answer(self.menu, text, lexicon) is not None
            or bool(why_not_ordered(text, self.game, lexicon))
            or any({*tokens(text)} <= {*tokens(name)} for name in self.words.all_names())
        )

    def put_right(self, text: str) -> str:
        """What was typed without its slips of the finger; '' where there are none, or nobody can tell."""
        asked = [entry.words for entry in entries(self.menu, self.words_here())]
        orders = {choice["name"] for decision in self.game.program.decisions for choice in decision["choices"]}
        named = [self.words.name(name, "option") for name in sorted(orders)]
        return put_right(text, self.words, [*asked, *orders, *named, *called(self.words)])

    def words_here(self) -> Lexicon:
        if self.lexicon is None:
            self.lexicon = Lexicon(self.game, self.words)
        return self.lexicon

    # --- showing ----------------------------------------------------------------------------

    def _begin_menu(self, decision: Decision) -> None:
        """Say what is asked and show the first menu: all options, or the next steps of a draft."""
        side, prompt = self.words.thing("side", decision.side), decision.prompt_text(self.words.lang)
        asked = prompt if prompt.startswith(side) else self.words.about(side, prompt)
        self.screen.write(["", f"{asked}{cited(decision.cite)}"])
        say = self.words.say
        if self.building:
            steps = self.game.draft_steps()
            self.show_menu(first_menu(steps))
            hint = (
                say("(step by step: finish ends it where it may end; options shows it whole)")
                if steps
                else say("(no further step is possible: finish ends it)")
            )
            self.screen.write([f"  {hint}"])
            if decision.draft["unordered"] and not self.game.state.draft:
                self.screen.write(["  " + say("(the steps are taken in the order in which they are listed)")])
            if self.game.state.draft:
                self.screen.write(["  " + say("(undo takes the last step back)")])
        else:
            self.show_menu(first_menu(decision.options))
            if decision.is_draft:
                self.screen.write(["  " + say("(steps: choose step by step instead)")])

    def show_menu(self, menu: Menu) -> None:
        lexicon = self.words_here()
        found = entries(menu, lexicon)
        while len(found) == 1 and isinstance(found[0].leads, Menu) and len(found[0].leads.options) > 1:
            menu = replace(found[0].leads, before=menu.before)  # where there is one answer nothing is asked
            found = entries(menu, lexicon)
        self.menu = menu
        asked = question(menu, lexicon)
        previews = [self._preview(entry) for entry in found] if len(found) <= _MOST_PREVIEWED else []
        self.screen.write([*([asked] if asked else []), *entry_lines(found, self.words, previews, self.screen.width())])
        self.screen.offer([t for e in found for t in e.typed])

    def _preview(self, entry: Entry) -> str:
        """A line about what an option may do, where it leads to dice and that can be told quickly."""
        preview, option = self.sheets.preview, entry.leads
        return preview(self.game, option.key) if preview is not None and isinstance(option, Option) else ""

    # --- commands ------------------------------------------------------------------------------

    def _command(self, text: str, decision: Decision) -> Follows:
        """Carry out what was typed if it is a command; Follows.ANSWER when it is none."""
        self.refused = False
        word, _, rest = text.partition(" ")
        command = command_of(word, self.words)
        if command is None or self._is_option(text):
            return Follows.ANSWER
        if rest and command.stands_alone:
            if answer(self.menu, text, self.words_here()) is not None:
                return Follows.ANSWER
            return self.refuse(
                [
                    self.words.say(
                        "`{command}` stands alone: what is `{rest}`?",
                        command=self.words.say(command.name),
                        rest=rest[:40],
                    )
                ]
            )
        if self.chained and self.menu.before is not None and command.name in _MOVING:
            return self.refuse([self.words.say("a question is open, and `{text}` is no answer to it", text=text[:40])])
        try:
            told = self._told_by(command, rest.strip())
        except RuleFault as fault:  # a question changes nothing: the game goes on
            from interpreter.tools.asking.asked_values import fault_words  # seldom needed

            return self.refuse(fault_words(fault, self.words.say))
        if told is not None:
            self.screen.write(told)
            return Follows.ASK
        match command.name:
            case "save":
                return errands.save_copy(self, rest)
            case "go" | "plan":
                return errands.go(self, rest, command.name == "plan")
            case "all":
                return group_orders.send(self, rest)
            case "undo" | "redo":
                return errands.take_back(self, command.name, rest)
            case "note":
                return errands.note(self, rest)
            case "mark":
                return what_ifs.mark(self, rest)
            case "try":
                return what_ifs.attempt(self, rest)
            case "return":
                return what_ifs.go_back(self)
            case "brief":
                return announcing.change_speech(self)
        match command.name:
            case "options" | "steps":
                return self._switch(command.name, decision)
            case "clear":
                self.screen.clear()
                self._begin_menu(decision) if self.menu.before is None else self.show_menu(self.menu)
                return Follows.ASK
            case "back":
                self.show_menu(self.menu.before or self.menu)
                return Follows.ASK
            case "quit":
                return Follows.STOP
        return Follows.ANSWER

    def _is_option(self, text: str) -> bool:
        """True when the text is the whole name or key of an option, or a whole entry: the game's words come first."""
        plain = tokens(text)
        return any(
            tokens(o.name) == plain or tokens(self.words.name(o.name, "option")) == plain or o.key == text
            for o in self.menu.options
        ) or any(tokens(t) == plain for e in entries(self.menu, self.words_here()) for t in e.typed)

    def _told_by(self, command: Command, rest: str) -> list[str] | None:
        """The answer to a question that changes nothing; None when it is no such question."""
        if command.name == "help":
            return help_lines(rest, self._examples(), self.words)
        if command.name == "position":
            return glances.roster(self, rest) if rest else position_lines(self.game, self.words)
        if command.name == "marks":
            return what_ifs.mark_lines(self)
        if (told := glances.glance(self, command.name, rest)) is not None:
            return told
        if command.name == "changes":
            return announcing.changes_asked(self)
        if self.inquiries is None:
            self.inquiries = Inquiries(self.game, self.words, self.sheets, self.keeper.notes)
        self.inquiries.width = self.screen.width()
        if command.name == "odds":
            with self.screen.meanwhile(self.words.say("working out the odds ...")):
                return list(self.inquiries.odds(rest, self.menu, self.words_here()))
        if command.name == "table":
            return list(self.inquiries.table(rest, self.menu, self.words_here()))
        answered = self.inquiries.answer(command.name, rest, self.words_here())
        meant = self.put_right(rest) if command.name == "why" else ""
        asked = " ".join([self.words.say("why"), meant])
        hint = [self.words.say("did you mean `{word}`?", word=asked)] if meant else []
        return None if answered is None else [*answered, *hint]

    def _examples(self) -> tuple[str, ...]:
        """Answers that would do now: the first entries of the menu, by the shortest words that stand in the list."""
        lexicon = self.words_here()
        found = entries(self.menu, lexicon)
        is_translated = self.words.lang != self.game.program.languages[0]  # ids of the rules look foreign then

        def length(text: str) -> tuple[bool, int]:
            letters = [sign for sign in text if sign.isalpha()]  # a bracket of the language does not make its words
            return is_translated and bool(letters) and "".join(letters).isascii(), len(text)

        def shown(entry: Entry) -> str:
            told = set(tokens(entry.words))
            fitting = [t for t in entry.typed if t and told.issuperset(tokens(t)) and leads(t, entry)]
            return min(fitting, key=length, default="")

        def leads(text: str, entry: Entry) -> bool:
            meant = answer(self.menu, text, lexicon)
            return meant is not None and meant.leads == entry.leads

        return tuple(dict.fromkeys(text for e in found[:3] if (text := shown(e))))

    def _switch(self, word: str, decision: Decision) -> Follows:
        """Show the options whole, or step by step."""
        if word == "steps" and not decision.is_draft:
            return self.refuse([self.words.say("nothing is built here in steps; choose one of the options")])
        self.building = word == "steps"
        self._begin_menu(decision)
        return Follows.ASK

    def is_bots_turn(self) -> bool:
        decision = self.game.decision
        return decision is not None and decision.seat in self.bots
