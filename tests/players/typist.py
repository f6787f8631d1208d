"""A person at the plain runner who sees only what is printed and types by what he sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext

from interpreter.api.autosave import Autosave
from interpreter.api.game import Rules
from interpreter.play.game import Game
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.localizer import Localizer
from interpreter.ui.repl.play_context import PlayContext
from interpreter.ui.repl.repl import Repl

_ENTRY = re.compile(r"^ +(\d+)  (.+?)((?: \[[^\]]+\])*)$")
_BESIDE = re.compile(r" {3,}(?=\d+  )")  # between adjacent entries of a line
_RANGE = re.compile(r"^  a number from (-?\d+) to (-?\d+), or `all`$")
_ONE_OF = re.compile(r"^  one of ([-\d, ]+), or `all`$")


class Typist:
    """A screen: remembers the menu printed last and answers it by number or by words; stops when nothing helps."""

    def __init__(self, by_words: bool, seed: int, most: int = 30_000) -> None:
        self.by_words = by_words
        self.chance = SeededDice(seed)
        self.left = most
        self.menu: list[tuple[str, str]] = []
        self.fresh = True
        self.refused: list[str] = []
        self.typed: list[str] = []

    def write(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._see(str(line))

    def _see(self, line: str) -> None:
        if " matches no option" in line or " is not a number of the list" in line or " is not possible here" in line:
            self.refused.append(f"{self.typed[-1]!r}: {line}")
        numbers = _numbers(line)
        found = [_ENTRY.match("  " + part.strip()) for part in _BESIDE.split(line)] if _ENTRY.match(line) else []
        entries = [(entry[1], entry[2].strip()) for entry in found if entry]
        if numbers or entries:
            if self.fresh:
                self.menu, self.fresh = [], False
            self.menu += [(n, n) for n in numbers] or entries

    def width(self) -> int:
        """Return 0, for unlimited width."""
        return 0

    def offer(self, words: Sequence[str]) -> None:
        """Offer no completions."""

    def show_progress(self, text: str) -> AbstractContextManager[None]:
        """Show no notice while waiting."""
        return nullcontext()

    def read(self, prompt: str) -> str | None:
        self.left -= 1
        if self.left < 0 or not self.menu or len(self.refused) > 20:
            return None
        number, words = self.menu[self.chance.roll(len(self.menu))]
        self.fresh = True
        self.typed.append(words if self.by_words else number)
        return self.typed[-1]


class Dictated:
    """A screen that types given lines and keeps what was shown."""

    def __init__(self, *typed: str) -> None:
        self.typed = list(typed)
        self.shown: list[str] = []

    def write(self, lines: Iterable[str]) -> None:
        self.shown += map(str, lines)

    def width(self) -> int:
        """Return 0, for unlimited width."""
        return 0

    def read(self, prompt: str) -> str | None:
        self.shown.append(prompt)
        return self.typed.pop(0) if self.typed else None


def _numbers(line: str) -> list[str]:
    span, listed = _RANGE.match(line), _ONE_OF.match(line)
    if span:
        return [str(n) for n in range(int(span[1]), int(span[2]) + 1)]
    return listed[1].split(", ") if listed else []


class QuickQueries(GameQueries):
    """Queries without those that a prompt makes unasked and that take long."""

    def preview_option(self, game: Game, key: str) -> str:
        return ""

    def advance_luck(self, game: Game) -> None:
        """Count no dice in advance."""

    def render_luck(self, game: Game) -> list[str]:
        return []


def sit_down(rules: Rules, game: Game, screen: Typist, lang: str = "") -> Repl:
    """Return a session of people only, saved nowhere."""
    localizer = Localizer(rules.program, lang)
    context = PlayContext(game, localizer, screen, {}, Autosave(None, {}, print), QuickQueries(rules, localizer))
    return Repl(context, EventFormatter(localizer, decisions=False))
