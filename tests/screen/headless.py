"""The full screen without a terminal: opens a game in it, presses keys, types lines, and reads the screen."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from textual.pilot import Pilot

from interpreter.api.autosave import Autosave
from interpreter.api.game import load
from interpreter.api.rules import Rules
from interpreter.documents.learning import read_lesson
from interpreter.players.bots.registry import make_bots
from interpreter.players.manual_dice import ManualDice
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.players.ownership import list_seats
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.dice import AskedDice
from interpreter.runtime.localizer import Localizer
from interpreter.tools.lessons.course import start_lesson
from interpreter.ui.repl.commands import COMMANDS
from interpreter.ui.repl.lesson import LessonGuide
from interpreter.ui.repl.play_context import PlayContext
from interpreter.ui.repl.repl import Repl
from interpreter.ui.tui.app import Application
from interpreter.ui.tui.play import connect_screen
from interpreter.ui.tui.ui_channel import SideOutput, UiChannel
from tests.patience import PATIENCE


class Silent:
    """A stand-in for the plain terminal before and after; keeps what is written, and types 3."""

    def __init__(self) -> None:
        self.written: list[str] = []

    def write(self, lines) -> None:
        self.written += map(str, lines)

    def width(self) -> int:
        return 80

    def read(self, prompt: str) -> str | None:
        return "3"

    def offer(self, words: Sequence[str]) -> None:
        """Complete nothing."""

    def meanwhile(self, text: str):
        raise AssertionError("the plain terminal is not there while the screen is")


@dataclass(slots=True)
class Board:
    """A game on the screen."""

    app: Application
    pilot: Pilot[None]
    session: Repl
    plain: Silent

    async def settle(self) -> None:
        """Wait until input is accepted or the game is over."""
        await self.until(lambda: bool(self.app.prompt) or self.session.game.over or not self.app.is_running)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds that a background task fulfils."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            await self.pilot.pause()
            if holds():
                return
            await asyncio.sleep(0.01)
        raise AssertionError("waited in vain; on the screen:\n" + "\n".join(self.seen()))

    async def press(self, *keys: str) -> None:
        """Press keys, and wait for their effects."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, line: str) -> None:
        """Type a line."""
        self.app.line.value = line
        await self.press("enter")

    async def sheet(self, wanted: str) -> list[str]:
        """Return the lines of the sheet, once one of them contains the words."""
        from interpreter.ui.tui.widgets import TextView

        def lines() -> list[str]:
            return list(self.app.query_one("#sheet", TextView).lines)

        await self.until(lambda: any(wanted in line for line in lines()))
        return lines()

    def seen(self) -> list[str]:
        """Return the text on the screen, line by line."""
        width, height = self.app.size
        strips = self.app.screen._compositor.render_strips()
        return [strip.text for strip in strips][:height]

    def map_rows(self) -> list[str]:
        """Return the visible rows of the map."""
        view = self.app.map
        return [view.render_line(y).text for y in range(view.size.height)]

    def keys(self) -> list[str]:
        """Return the keys of all choices so far."""
        return list(self.session.game.keys)


@cache
def loaded(ruleset: str) -> Rules:
    """Return a ruleset as all screens use it: it and its documents are read once."""
    rules = load(ruleset)
    rules.documents = cache(rules.documents)
    return rules


@asynccontextmanager
async def screen(
    ruleset: str,
    size=(80, 24),
    seed: int = 3,
    lang: str = "",
    bots=None,
    path: Path | None = None,
    plain_signs=False,
    is_asked=False,
    played: int = 0,
    taught=False,
) -> AsyncIterator[Board]:
    """Open a new game on a screen of that size. `is_asked`: dice are typed; `played`: choices that bots make before.

    `taught`: the lesson of the ruleset instead of a new game.
    """
    rules = load(ruleset, checked=True) if taught else loaded(ruleset)
    localizer = Localizer(rules.program, lang)
    plain = Silent()
    channel = UiChannel(plain)
    course = start_lesson(read_lesson(rules.target, rules.program.languages), rules) if taught else None
    if course is not None:
        game = course.game
    elif is_asked:
        game = rules.start(dice=AskedDice(ManualDice(localizer, SideOutput(channel))))
    else:
        game = rules.start(seed=seed)
    before = make_bots(dict.fromkeys(list_seats(game), "greedy"), seed)
    for _ in range(played):
        game.pick(before[game.decision.seat].choose(game))
    players = {seat: (bots or {}).get(seat, "human") for seat in list_seats(game)}
    channel.always = [localizer.say(name) for name in COMMANDS]
    keeper = Autosave(path, players, channel.report_problem, say=localizer.say)
    sheets = GameQueries(rules, localizer)
    context = PlayContext(game, localizer, channel, make_bots(players, seed), keeper, sheets)
    guide = None if course is None else LessonGuide(course, localizer)
    session = Repl(context, EventFormatter(localizer, decisions=False), guide)
    if course is None:
        keeper.begin(game)
    else:
        session.reporter.log_position = len(game.get_raw_log())
    shown = connect_screen(session, rules, lang, sheets, channel, session.play, plain_signs)
    async with shown.app.run_test(size=size) as pilot:
        board = Board(shown.app, pilot, session, plain)
        try:
            await board.settle()
            yield board
        finally:
            shown.channel.close()
    shown.close()
    keeper.save_progress(session.game)
    keeper.close()
    if shown.result is not None and shown.result.fault is not None:
        raise shown.result.fault
