"""A game at a plain terminal: asks people, lets bots choose, tells what happens.

Holds no rules and no words of its own about the position; what is said is made by the other
modules of this package, where it goes is the screen's business.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto

from interpreter.players.orders.lexicon import Lexicon, tokens
from interpreter.players.orders.matching import Choosable
from interpreter.players.orders.menus import Menu, answer, entries, entry_lines, first_menu, option_words, question
from interpreter.players.orders.typed import destination, endpoints, parts_of
from interpreter.players.orders.ways import (
    MOST_REPEATED,
    Way,
    dice_fell,
    dice_on,
    largest_from,
    obstacles,
    ways,
    within_reach,
)
from interpreter.players.plain.commands import Command, command_of, help_lines
from interpreter.players.plain.inquiries import NO_SHEETS, Inquiries, Sheets
from interpreter.players.plain.keeping import Keeper
from interpreter.players.plain.position import Standing, change_lines, heading, position_lines, standing_of
from interpreter.players.plain.screen import Screen
from interpreter.players.plain.telling import Teller, events_since, outcome_lines
from interpreter.players.roster import Bot
from interpreter.players.views.piece import reach_words
from interpreter.players.views.reasons import reason_lines
from interpreter.players.words import Words, cited
from interpreter.runtime.choices import Decision, Option
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.journal import JournalError
from interpreter.runtime.session import Game

_MUCH = 0.6  # of the places changed: then the whole position is shorter to read than the changes


class Follows(Enum):
    """What comes after something typed: it was an answer, ask on, the game has changed, or the end."""

    ANSWER = auto()
    ASK = auto()
    MOVED = auto()
    STOP = auto()


@dataclass(slots=True)
class Session:
    """One sitting. `bots` play their seats, people all others; `told` entries of the log have been shown.

    `building`: a draft is asked step by step; `menu` is what was shown last; `waiting` what was typed
    but not yet read.
    """

    game: Game
    words: Words
    screen: Screen
    bots: Mapping[str, Bot]
    keeper: Keeper
    teller: Teller
    sheets: Sheets = NO_SHEETS
    told: int = 0
    shown: tuple[int, str | None, str] | None = None
    standing: Standing | None = None
    building: bool = False
    menu: Menu = field(default_factory=lambda: first_menu(()))
    waiting: list[str] = field(default_factory=list)
    lexicon: Lexicon | None = None
    inquiries: Inquiries | None = None
    refused: bool = False  # what was typed last was not possible or not understood

    def play(self) -> bool:
        """Play until the game is over (True) or the people stop (False)."""
        while True:
            self.tell_news()
            if self.game.over:
                self.screen.write(outcome_lines(self.game.outcome, self.words))
                return True
            decision = self.game.decision
            assert decision is not None
            bot = self.bots.get(decision.seat)
            if bot is not None:
                self._let_choose(bot, decision)
            elif not self._ask(decision):
                return False

    def tell_news(self) -> None:
        """Tell what has happened since the last time."""
        events = events_since(self.game, self.told)
        self.screen.write(self.teller.lines(events))
        self.told = len(self.game.raw_log())

    def _let_choose(self, bot: Bot, decision: Decision) -> None:
        number = bot.choose(self.game)
        option = decision.options[number]
        side = self.words.thing("side", decision.side)
        chosen = f"{side}: {option_words(option, Lexicon(self.game, self.words))}{cited(option.cite)}"
        self.screen.write(self.teller.below_headings(chosen))
        self.game.pick(number)
        self.keeper.keep(self.game)

    # --- asking a person ------------------------------------------------------------------

    def _ask(self, decision: Decision) -> bool:
        """Ask until something was chosen, taken back or done again; False when the person stops."""
        self.lexicon = Lexicon(self.game, self.words)
        self._show_position(decision)
        self._begin_menu(decision)
        while True:
            typed = self._read(decision)
            if typed is None:
                return False
            follows = self._take(typed, decision)
            if follows is Follows.MOVED:
                return True
            if follows is Follows.STOP:
                return False

    def _read(self, decision: Decision) -> str | None:
        """The next thing typed; of a line parted by semicolons, one part at a time."""
        while True:
            if self.waiting:
                text = self.waiting.pop(0)
                self.screen.write([f"; {text}"])
                return text
            line = self.screen.read(f"{self.words.thing('seat', decision.seat)}> ")
            if line is None:
                return None
            self.waiting = parts_of(line)
            if self.waiting:
                return self.waiting.pop(0)
            self.screen.write([self.words.say("type a number, or help")])

    def _take(self, text: str, decision: Decision) -> Follows:
        follows = self._command(text, decision)
        if follows is Follows.ANSWER:
            follows = self._answer(text)
        if follows is Follows.ASK and self.waiting and self.refused:
            self.screen.write([self.words.say("what follows is left out: {typed}", typed="; ".join(self.waiting))])
            self.waiting.clear()
        return follows

    def _answer(self, text: str) -> Follows:
        """Take what was typed as an answer to the menu that is shown."""
        leads = answer(self.menu, text, self._words_here())
        if leads is None and self.menu.before is not None:  # not among these: perhaps among all
            leads = answer(self._whole_menu(), text, self._words_here())
        if isinstance(leads, Menu):
            self._show_menu(leads)
            return Follows.ASK
        if leads is not None:
            return self._order(leads)
        decision = self.game.decision
        if text.casefold() == "finish" and decision is not None and decision.is_draft:
            return self._choose("finish")
        if "(" in text:  # a key that was not listed, or one that is refused with its reasons
            return self._choose(text)
        return self._refuse([self._not_understood(text)])

    def _whole_menu(self) -> Menu:
        """The menu the decision began with."""
        menu = self.menu
        while menu.before is not None:
            menu = menu.before
        return menu

    def _order(self, order: Choosable) -> Follows:
        """Carry out an option, or a way of several choices as long as nothing else comes between."""
        keys: Sequence[Option | str] = (order.keys if isinstance(order, Way)
                                        else (order if isinstance(order, Option) else order.key,))
        for number, key in enumerate(keys):
            follows = self._choose(key)
            if follows is not Follows.MOVED or number + 1 == len(keys):
                return follows
            self.tell_news()
            decision = self.game.decision
            if decision is None or decision.find(str(keys[number + 1])) is None:
                self.screen.write([self.words.say("the rest of the way has to wait: something came between")])
                return follows
        return Follows.MOVED

    def _choose(self, option: Option | str) -> Follows:
        """Choose an option of the present decision, or the one with a key."""
        try:
            self.game.choose(option)
        except IllegalAction as refused:
            return self._refuse(self._refusal_lines(refused))
        self.refused = False
        self.keeper.keep(self.game)
        decision = self.game.decision
        self.building = self.building and decision is not None and bool(self.game.state.draft)
        return Follows.MOVED

    def _refuse(self, lines: list[str]) -> Follows:
        self.refused = True
        self.screen.write(lines)
        return Follows.ASK

    def _refusal_lines(self, refused: IllegalAction) -> list[str]:
        """Why a choice was refused, each reason with its rules."""
        if not refused.reasons:
            return [refused.message]
        return [self.words.say("that is not possible:"), *reason_lines(refused.reasons, self.words)]

    def _not_understood(self, text: str) -> str:
        say = self.words.say
        found = entries(self.menu, self._words_here())
        shown = text if len(text) <= 40 else text[:40] + "..."
        if found and all(e.value is not None for e in found):
            return say("`{text}` is not possible here; type one of the numbers shown, back, or help", text=shown)
        return say("`{text}` fits none of the options; type a number from 1 to {last}, words of an option, or help",
                   text=shown, last=len(found))

    def _words_here(self) -> Lexicon:
        if self.lexicon is None:
            self.lexicon = Lexicon(self.game, self.words)
        return self.lexicon

    # --- showing ----------------------------------------------------------------------------

    def _show_position(self, decision: Decision) -> None:
        """The position once when a person's turn to decide comes: whole at first, then what has changed."""
        now = (self.game.turn, self.game.phase, decision.seat)
        if now == self.shown:
            return
        view, before = self.game.view(), self.standing
        standing = standing_of(view, self.words)
        if before is None:
            lines = position_lines(view, self.words, whole=False)
        else:
            lines = change_lines(before, standing, self.words)
            if len(lines) > _MUCH * len(standing.places):
                lines = position_lines(view, self.words, whole=False)
            elif len(lines) == 1:
                lines.append(self.words.say("all stands as before; `position` shows it"))
            else:
                lines.insert(1, self.words.say("what has changed (`position` shows the whole):"))
        self.screen.write(["", *lines])
        self.shown, self.standing = now, standing

    def _begin_menu(self, decision: Decision) -> None:
        """Say what is asked and show the first menu: all options, or the next steps of a draft."""
        side, prompt = self.words.thing("side", decision.side), decision.prompt_text(self.words.lang)
        asked = prompt if prompt.startswith(side) else f"{side}: {prompt}"
        self.screen.write(["", f"{asked}{cited(decision.cite)}"])
        say = self.words.say
        if self.building:
            self._show_menu(first_menu(self.game.draft_steps()))
            hint = say("(step by step: finish ends it where it may end; options shows it whole)")
            more = say("(undo takes the last step back)") if self.game.state.draft else ""
            self.screen.write([f"  {hint}", *([f"  {more}"] if more else [])])
        else:
            self._show_menu(first_menu(decision.options))
            if decision.is_draft:
                self.screen.write(["  " + say("(steps: choose step by step instead)")])

    def _show_menu(self, menu: Menu) -> None:
        self.menu = menu
        lexicon = self._words_here()
        asked = question(menu, self.words)
        found = entries(menu, lexicon)
        self.screen.write([*([asked] if asked else []), *entry_lines(found, self.words)])
        self.screen.offer([t for e in found for t in e.typed])

    # --- commands ------------------------------------------------------------------------------

    def _command(self, text: str, decision: Decision) -> Follows:
        """Carry out what was typed if it is a command; Follows.ANSWER when it is none."""
        self.refused = False
        word, _, rest = text.partition(" ")
        command = command_of(word, self.words)
        if command is None or self._is_option(text):
            return Follows.ANSWER
        told = self._told_by(command, rest.strip(), decision)
        if told is not None:
            self.screen.write(told)
            return Follows.ASK
        match command.name:
            case "save":
                return self._save(rest)
            case "go" | "plan":
                return self._go(rest, command.name == "plan")
            case "all":
                return self._send_all(rest)
            case "undo" | "redo":
                return self._take_back(command.name, rest)
            case "note":
                return self._note(rest)
        if rest:
            return Follows.ANSWER
        match command.name:
            case "options" | "steps":
                return self._switch(command.name, decision)
            case "back":
                self._show_menu(self.menu.before or self.menu)
                return Follows.ASK
            case "quit":
                return Follows.STOP
        return Follows.ANSWER

    def _is_option(self, text: str) -> bool:
        """True when the text is the whole name or key of an option, or a whole entry: the game's words come first."""
        plain = tokens(text)
        return any(tokens(o.name) == plain or tokens(self.words.name(o.name, "option")) == plain or o.key == text
                   for o in self.menu.options) or any(
                   tokens(t) == plain for e in entries(self.menu, self._words_here()) for t in e.typed)

    def _told_by(self, command: Command, rest: str, decision: Decision) -> list[str] | None:
        """The answer to a question that changes nothing; None when it is no such question."""
        if command.name == "help":
            return help_lines(rest, self._examples(), self.words)
        if command.name == "position" and not rest:
            return position_lines(self.game.view(), self.words)
        if self.inquiries is None:
            self.inquiries = Inquiries(self.game, self.words, self.sheets, self.keeper.notes)
        told = self.inquiries.answer(command.name, rest, self._words_here())
        return None if told is None else list(told)

    def _examples(self) -> tuple[str, ...]:
        """Answers that would do now: the first entries of the menu, by their shortest words."""
        found = entries(self.menu, self._words_here())
        return tuple(dict.fromkeys(min((t for t in e.typed if t), key=len) for e in found[:3] if any(e.typed)))

    def _switch(self, word: str, decision: Decision) -> Follows:
        """Show the options whole, or step by step."""
        if word == "steps" and not decision.is_draft:
            return self._refuse([self.words.say("nothing is built here in steps; choose one of the options")])
        self.building = word == "steps"
        self._begin_menu(decision)
        return Follows.ASK

    # --- going somewhere --------------------------------------------------------------------

    def _go(self, text: str, only_told: bool) -> Follows:
        """Find the way to a place and take it, or only tell it; what names no place is an answer."""
        say, lexicon = self.words.say, self._words_here()
        who, places = destination(text, lexicon)
        if not places:
            if not only_told and text:
                return Follows.ANSWER
            return self._refuse([say("go where? write: go [WHO] PLACE")])
        if len(places) > 1:
            return self._refuse([say("`{text}` may be {places}", text=text[:40],
                                     places=", ".join(self.words.thing("place", p) for p in places[:12]))])
        found = ways(self.game, who, places[0], lexicon)
        if not found:
            return self._refuse(self._no_way(who, places[0]))
        if len(found) > 1:
            menu = Menu(tuple(found), found[0].name, (), self.menu)
            if only_told:
                self.screen.write(entry_lines(entries(menu, lexicon), self.words))
            else:
                self._show_menu(menu)
            return Follows.ASK
        dice = dice_on(self.game, found[0])
        self.screen.write([option_words(found[0], lexicon) + cited(found[0].cite)])
        if dice:
            rolls = ", ".join(self.words.name(d, "roll") for d in dice)
            self.screen.write([say("dice on the way: {rolls}", rolls=rolls)])
        if only_told or dice and not self._agreed():
            return Follows.ASK
        return self._order(found[0])

    def _no_way(self, who: str, place: str) -> list[str]:
        where = self.words.thing("place", place)
        reasons = obstacles(self.game, who, place, self._words_here())
        near = within_reach(self.game, who, self._words_here())
        if reasons or near:
            told = [self.words.say("{place} cannot be reached now", place=where), *reason_lines(reasons, self.words)]
            return [*told, f"  {reach_words(near, self.words)}"] if near else told
        decision = self.game.decision
        asked = decision.prompt_text(self.words.lang) if decision else ""
        return [self.words.say("nothing that can be ordered now leads to {place}; asked is: {question}", place=where,
                               question=asked)]

    def _agreed(self) -> bool:
        """Ask before dice fall."""
        say = self.words.say
        typed = self.waiting.pop(0) if self.waiting else self.screen.read(say("go on? (yes or no)") + " ")
        yes = {"y", "yes", say("yes").casefold()}
        return typed is not None and typed.strip().casefold() in yes

    def _send_all(self, text: str) -> Follows:
        """Send everybody who can from one place to another, group after group."""
        say, lexicon = self.words.say, self._words_here()
        ends = endpoints(text, lexicon)
        if ends is None:
            return self._refuse([say("all from where to where? write: all from PLACE to PLACE")])
        origin, goal = ends
        decision = self.game.decision
        address = decision.address if decision else ""
        sent = 0
        while sent < MOST_REPEATED:
            way = largest_from(self.game, origin, goal, Lexicon(self.game, self.words))
            if way is None:
                break
            follows = self._order(way)
            if follows is not Follows.MOVED:
                return follows
            sent += 1
            decision = self.game.decision
            if decision is None or decision.address != address or dice_fell(self.game):
                break
        if not sent:
            return self._refuse(self._no_way(self.words.thing("place", origin), goal))
        return Follows.MOVED

    # --- back, notes, saving ----------------------------------------------------------------------

    def _take_back(self, word: str, rest: str) -> Follows:
        """Undo or redo; what bots chose since the last decision of a person goes with it."""
        say = self.words.say
        fell = () if word == "redo" or self.game.state.draft else self._revealed()
        if fell and rest.strip().casefold() not in ("anyway", say("anyway").casefold()):
            return self._refuse([say("since your last choice this has come out: {what}", what=", ".join(fell)),
                                 say("undo anyway: takes it back all the same")])
        try:
            getattr(self.game, word)()
            while not self.game.over and self._is_bots_turn():
                getattr(self.game, word)()
        except IllegalAction as refused:
            self.screen.write([say(refused.message)])
            if not self._is_bots_turn():
                return Follows.ASK
        self.building = self.building and bool(self.game.state.draft)
        self.told = len(self.game.raw_log())
        self.keeper.keep(self.game)
        now = heading(self.game.view(), self.words)
        self.screen.write([say("taken back: {now}", now=now) if word == "undo" else say("done again: {now}", now=now)])
        return Follows.MOVED

    def _revealed(self) -> tuple[str, ...]:
        """What came out since the last choice of a person: dice by name, and what a bot decided."""
        found: list[str] = []
        for raw in reversed(self.game.raw_log()):
            if raw[0] == "roll":
                found.append(self.words.name(raw[1], "roll"))
            elif raw[0] == "decision":
                if raw[2] not in self.bots:
                    break
                found.append(self.words.thing("side", raw[1]))
        return tuple(dict.fromkeys(reversed(found)))

    def _is_bots_turn(self) -> bool:
        decision = self.game.decision
        return decision is not None and decision.seat in self.bots

    def _note(self, text: str) -> Follows:
        if not text.strip():
            return self._refuse([self.words.say("note what? write: note TEXT")])
        note = f"{heading(self.game.view(), self.words)}: {text.strip()}"
        self.keeper.note(note)
        self.screen.write([self.words.say("noted")])
        return Follows.ASK

    def _save(self, name: str) -> Follows:
        say = self.words.say
        if not name:
            self.keeper.keep(self.game)
            self.screen.write([self.keeper.where()])
            return Follows.ASK
        try:
            self.keeper.copy(self.game, name)
            self.screen.write([say("saved in {file}", file=name)])
        except JournalError as problem:
            self.screen.write([say("not saved: {problem}", problem=problem)])
        return Follows.ASK
