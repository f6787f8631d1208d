"""A game at a plain terminal: asks people, lets bots choose, tells what happens.

Holds no rules and no words of its own about the position; what is said is made by the other
modules of this package, where it goes is the screen's business.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from interpreter.players.plain import queries
from interpreter.players.plain.keeping import Keeper
from interpreter.players.plain.menus import (
    Menu,
    answer,
    entries,
    entry_lines,
    first_menu,
    option_words,
    question,
)
from interpreter.players.plain.position import heading, position_lines
from interpreter.players.plain.screen import Screen
from interpreter.players.plain.telling import Teller, events_since, outcome_lines
from interpreter.players.roster import Bot
from interpreter.players.words import Words, cited
from interpreter.runtime.choices import Decision, Option
from interpreter.runtime.faults import IllegalAction
from interpreter.runtime.journal import JournalError
from interpreter.runtime.session import Game


class Follows(Enum):
    """What comes after something typed: it was an answer, ask on, the game has changed, or the end."""

    ANSWER = auto()
    ASK = auto()
    MOVED = auto()
    STOP = auto()


@dataclass(slots=True)
class Session:
    """One sitting. `bots` play their seats, people all others; `told` entries of the log have been shown.

    `building`: a draft is asked step by step; `menu` is what was shown last.
    """

    game: Game
    words: Words
    screen: Screen
    bots: Mapping[str, Bot]
    keeper: Keeper
    teller: Teller
    told: int = 0
    shown: tuple[int, str | None, str] | None = None
    standing: list[str] = field(default_factory=list)
    building: bool = False
    menu: Menu = field(default_factory=lambda: first_menu(()))

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
                number = bot.choose(self.game)
                self._tell_choice(decision, decision.options[number])
                self.game.pick(number)
                self.keeper.keep(self.game)
            elif not self._ask(decision):
                return False

    def tell_news(self) -> None:
        """Tell what has happened since the last time."""
        events = events_since(self.game, self.told)
        self.screen.write(self.teller.lines(events))
        self.told = len(self.game.raw_log())

    def _tell_choice(self, decision: Decision, option: Option) -> None:
        side = self.words.thing("side", decision.side)
        self.screen.write(
            self.teller.below_headings(f"{side}: {option_words(option, self.words)}{cited(option.cite)}")
        )

    # --- asking a person ------------------------------------------------------------------

    def _ask(self, decision: Decision) -> bool:
        """Ask until something was chosen, taken back or done again; False when the person stops."""
        self._show_position(decision)
        self._begin_menu(decision)
        while True:
            typed = self.screen.read(f"{self.words.thing('seat', decision.seat)}> ")
            if typed is None:
                return False
            text = " ".join(typed.split())
            if not text:
                self.screen.write(["type a number, or help"])
                continue
            follows = self._command(text, decision)
            if follows is Follows.ANSWER:
                follows = self._answer(text)
            if follows is Follows.MOVED:
                return True
            if follows is Follows.STOP:
                return False

    def _answer(self, text: str) -> Follows:
        """Take what was typed as an answer to the menu that is shown."""
        leads = answer(self.menu, text, self.words)
        if isinstance(leads, Menu):
            self._show_menu(leads)
            return Follows.ASK
        if isinstance(leads, Option):
            return self._choose(leads.key)
        decision = self.game.decision
        if text.casefold() == "finish" and decision is not None and decision.is_draft:
            return self._choose("finish")
        if "(" in text:  # a key that was not listed, or one that is refused with its reasons
            return self._choose(text)
        self.screen.write([self._not_understood(text)])
        return Follows.ASK

    def _choose(self, key: str) -> Follows:
        try:
            self.game.choose(key)
        except IllegalAction as refused:
            self.screen.write(refusal_lines(refused))
            return Follows.ASK
        self.keeper.keep(self.game)
        decision = self.game.decision
        self.building = self.building and decision is not None and bool(self.game.state.draft)
        return Follows.MOVED

    def _not_understood(self, text: str) -> str:
        found = entries(self.menu, self.words)
        shown = text if len(text) <= 40 else text[:40] + "..."
        if found and all(e.value is not None for e in found):
            return f"`{shown}` is not possible here; type one of the numbers shown, back, or help"
        return (
            f"`{shown}` is none of the options; type a number from 1 to {len(found)}, an option's name, "
            "or help"
        )

    # --- showing ----------------------------------------------------------------------------

    def _show_position(self, decision: Decision) -> None:
        """The whole position, once when a person's turn to decide comes; what is as it was is not told again."""
        now = (self.game.turn, self.game.phase, decision.seat)
        if now != self.shown:
            title, *standing = position_lines(self.game.view(), self.words, whole=False)
            as_before = standing == self.standing
            self.screen.write(["", title, *(["all stands as before; `position` shows it"] if as_before else standing)])
            self.shown, self.standing = now, standing

    def _begin_menu(self, decision: Decision) -> None:
        """Say what is asked and show the first menu: all options, or the next steps of a draft."""
        side, prompt = self.words.thing("side", decision.side), decision.prompt_text(self.words.lang)
        asked = prompt if prompt.startswith(side) else f"{side}: {prompt}"
        self.screen.write(["", f"{asked}{cited(decision.cite)}"])
        if self.building:
            self._show_menu(first_menu(self.game.draft_steps()))
            taken = "; undo takes the last step back" if self.game.state.draft else ""
            self.screen.write(
                [f"  (step by step: finish ends it where it may end{taken}; options shows it whole)"]
            )
        else:
            self._show_menu(first_menu(decision.options))
            if decision.is_draft:
                self.screen.write(["  (steps: choose step by step instead)"])

    def _show_menu(self, menu: Menu) -> None:
        self.menu = menu
        asked = question(menu, self.words)
        self.screen.write([*([asked] if asked else []), *entry_lines(entries(menu, self.words))])

    # --- commands ------------------------------------------------------------------------------

    def _command(self, text: str, decision: Decision) -> Follows:
        """Carry out what was typed if it is a command; Follows.ANSWER when it is none."""
        word, _, rest = text.partition(" ")
        word = word.lower()
        told = self._told_by(word, rest, decision)
        if told is not None:
            self.screen.write(told)
            return Follows.ASK
        if word == "save":
            return self._save(rest)
        if rest:
            return Follows.ANSWER
        match word:
            case "options" | "steps":
                return self._switch(word, decision)
            case "back":
                self._show_menu(self.menu.before or self.menu)
                return Follows.ASK
            case "quit" | "exit":
                return Follows.STOP
            case "undo" | "redo":
                return self._take_back(word)
        return Follows.ANSWER

    def _told_by(self, word: str, rest: str, decision: Decision) -> list[str] | None:
        """The answer to a question that changes nothing; None when it is no such question."""
        match word:
            case "help" | "?":
                return queries.HELP.split("\n")
            case "why":
                return queries.why_lines(rest, decision, self.game, self.words)
            case "rule":
                return queries.rule_lines(rest, self.words)
            case "look":
                return queries.look_lines(rest, self.game, self.words)
            case "log":
                return queries.log_lines(rest, self.game, self.words)
            case "position" if not rest:
                return position_lines(self.game.view(), self.words)
        return None

    def _switch(self, word: str, decision: Decision) -> Follows:
        """Show the options whole, or step by step."""
        if word == "steps" and not decision.is_draft:
            self.screen.write(["nothing is built here in steps; choose one of the options"])
            return Follows.ASK
        self.building = word == "steps"
        self._begin_menu(decision)
        return Follows.ASK

    def _take_back(self, word: str) -> Follows:
        """Undo or redo; what bots chose since the last decision of a person goes with it."""
        try:
            getattr(self.game, word)()
            while not self.game.over and self._is_bots_turn():
                getattr(self.game, word)()
        except IllegalAction as refused:
            self.screen.write([refused.message])
            if not self._is_bots_turn():
                return Follows.ASK
        self.building = self.building and bool(self.game.state.draft)
        self.told = len(self.game.raw_log())
        self.keeper.keep(self.game)
        self.screen.write(
            [f"{'taken back' if word == 'undo' else 'done again'}: {heading(self.game.view(), self.words)}"]
        )
        return Follows.MOVED

    def _is_bots_turn(self) -> bool:
        decision = self.game.decision
        return decision is not None and decision.seat in self.bots

    def _save(self, name: str) -> Follows:
        if not name:
            self.keeper.keep(self.game)
            self.screen.write([self.keeper.where()])
            return Follows.ASK
        try:
            self.keeper.copy(self.game, name)
            self.screen.write([f"saved in {name}"])
        except JournalError as problem:
            self.screen.write([f"not saved: {problem}"])
        return Follows.ASK


def refusal_lines(refused: IllegalAction) -> list[str]:
    """Why a choice was refused, each reason with its rules."""
    if not refused.reasons:
        return [refused.message]
    return ["that is not possible:", *(f"  {r}" for r in refused.reasons)]
