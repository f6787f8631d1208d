"""A game at a plain terminal: asks people, lets bots choose, tells what happens.

Holds no rules and no words of its own about the position; what is said is made by the other
modules of this package, where it goes is the screen's business.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from interpreter.game import Game
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


@dataclass(slots=True)
class Session:
    """One sitting. `bots` play their seats, people all others; `told` events have been shown."""

    game: Game
    words: Words
    screen: Screen
    bots: Mapping[str, Bot]
    keeper: Keeper
    teller: Teller
    told: int = 0
    shown: tuple[int, str | None, str] | None = None

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
        self.screen.write(self.teller.below_headings(f"{side}: {option_words(option, self.words)}"))

    # --- asking a person ------------------------------------------------------------------

    def _ask(self, decision: Decision) -> bool:
        """Ask until something was chosen, taken back or done again; False when the person stops."""
        self._show_position(decision)
        self._show_prompt(decision)
        menu = first_menu(decision.options)
        self._show_menu(menu)
        while True:
            typed = self.screen.read(f"{self.words.thing('seat', decision.seat)}> ")
            if typed is None:
                return False
            text = typed.strip()
            if not text:
                self.screen.write(["type a number, or help"])
                continue
            going_on = self._command(text, decision)
            if going_on is not None:
                if going_on == "again":
                    self._show_prompt(decision)
                    menu = first_menu(decision.options)
                    self._show_menu(menu)
                elif going_on == "back":
                    menu = menu.before or first_menu(decision.options)
                    self._show_menu(menu)
                elif going_on in ("stop", "moved"):
                    return going_on == "moved"
                continue
            leads = answer(menu, text, self.words)
            if leads is None and self._is_key(text):
                return True
            if leads is None:
                self.screen.write([self._not_understood(text, menu)])
            elif isinstance(leads, Menu):
                menu = leads
                self._show_menu(menu)
            elif self._choose(leads):
                return True

    def _choose(self, option: Option | str) -> bool:
        try:
            self.game.choose(option)
        except IllegalAction as refused:
            self.screen.write([refused.message, *(f"  {r}" for r in refused.reasons)])
            return False
        self.keeper.keep(self.game)
        return True

    def _is_key(self, text: str) -> bool:
        """True when the text was a key that the game took, whether or not it was listed."""
        if "(" not in text:
            return False
        try:
            self.game.choose(text)
        except IllegalAction:
            return False
        self.keeper.keep(self.game)
        return True

    def _not_understood(self, text: str, menu: Menu) -> str:
        found = entries(menu, self.words)
        shown = text if len(text) <= 40 else text[:40] + "..."
        if found and all(e.value is not None for e in found):
            return f"`{shown}` is not possible here; type one of the numbers shown, back, or help"
        return (f"`{shown}` is none of the options; type a number from 1 to {len(found)}, an option's name, "
                "or help")

    # --- showing ----------------------------------------------------------------------------

    def _show_position(self, decision: Decision) -> None:
        """The whole position, once when a person's turn to decide comes."""
        now = (self.game.turn, self.game.phase, decision.seat)
        if now != self.shown:
            self.screen.write(["", *position_lines(self.game.view(), self.words)])
            self.shown = now

    def _show_prompt(self, decision: Decision) -> None:
        prompt = decision.prompt_text(self.words.lang)
        self.screen.write(["", f"{self.words.thing('side', decision.side)}: {prompt}{cited(decision.cite)}"])

    def _show_menu(self, menu: Menu) -> None:
        asked = question(menu, self.words)
        found = entry_lines(entries(menu, self.words))
        self.screen.write([*([asked] if asked else []), *found])

    # --- commands ------------------------------------------------------------------------------

    def _command(self, text: str, decision: Decision) -> str | None:
        """Carry out a command: "again", "back", "stop", "moved" or "" as what follows; None for no command."""
        word, _, rest = text.partition(" ")
        word, rest = word.lower(), rest.strip()
        ask: Mapping[str, Callable[[], list[str]]] = {
            "help": lambda: queries.HELP.split("\n"),
            "?": lambda: queries.HELP.split("\n"),
            "why": lambda: queries.why_lines(rest, decision, self.game, self.words),
            "rule": lambda: queries.rule_lines(rest, self.words),
            "look": lambda: queries.look_lines(rest, self.game, self.words),
            "log": lambda: queries.log_lines(rest, self.game, self.words),
            "position": lambda: position_lines(self.game.view(), self.words),
        }
        if word in ask:
            self.screen.write(ask[word]())
            return ""
        if rest and word != "save":
            return None
        match word:
            case "options":
                return "again"
            case "back":
                return "back"
            case "quit" | "exit":
                return "stop"
            case "undo" | "redo":
                return self._take_back(word)
            case "save":
                self._save(rest)
                return ""
            case "steps":
                return self._build(decision)
        return None

    def _take_back(self, word: str) -> str:
        """Undo or redo; bots' choices since the last decision of a person go with it."""
        try:
            getattr(self.game, word)()
            while not self.game.over and self._is_bots_turn():
                getattr(self.game, word)()
        except IllegalAction as refused:
            self.screen.write([refused.message])
            if not self._is_bots_turn():
                return ""
        self.told = len(self.game.raw_log())
        self.shown = None
        self.keeper.keep(self.game)
        self.screen.write([f"{'taken back' if word == 'undo' else 'done again'}: "
                           f"{heading(self.game.view(), self.words)}"])
        return "moved"

    def _is_bots_turn(self) -> bool:
        decision = self.game.decision
        return decision is not None and decision.seat in self.bots

    def _save(self, name: str) -> None:
        try:
            if name:
                self.game.save(Path(name).expanduser())
                self.screen.write([f"saved in {name}"])
            else:
                self.keeper.keep(self.game)
                self.screen.write([self.keeper.where()])
        except (JournalError, OSError) as problem:
            self.screen.write([f"not saved: {problem}"])

    def _build(self, decision: Decision) -> str:
        """Build a draft step by step: the offers that begin with the steps taken so far."""
        if not decision.is_draft:
            self.screen.write(["nothing is built here in steps; choose one of the options"])
            return ""
        while True:
            found = self.game.draft_steps()
            menu = first_menu(found)
            self.screen.write(["next step (or finish, undo to take back the last one, options for all at once):",
                               *entry_lines(entries(menu, self.words))])
            typed = self.screen.read("step> ")
            if typed is None:
                return "stop"
            text = typed.strip()
            if text == "options":
                return "again"
            if text == "quit":
                return "stop"
            if text == "undo" and self.game.state.draft:
                self.game.undo()
                continue
            leads = answer(menu, text, self.words)
            try:
                self.game.choose("finish" if text == "finish" else leads.key if isinstance(leads, Option) else text)
            except IllegalAction as refused:
                self.screen.write([refused.message, *(f"  {r}" for r in refused.reasons)])
                continue
            self.keeper.keep(self.game)
            if self.game.decision is None or not self.game.decision.is_draft:
                return "moved"
