"""Latency of answers at the prompt: `python -m tests.bench.answers [RULESET ...]`.

Each question is asked first in a new session (a process of its own) and then again, at the beginning and in the middle
of a game, in each language; then a game is played by typing numbers. The slowest answers are printed. A second run
shows a warm start: compiled programs and drawings are cached then.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from time import perf_counter
from typing import Any

from interpreter.api.autosave import Autosave
from interpreter.api.game import Game, Rules, load
from interpreter.files.assets import list_shipped_rulesets
from interpreter.players.narration.event_lines import EventFormatter
from interpreter.queries.game_queries import GameQueries
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.localizer import Localizer
from interpreter.ui.repl.play_context import PlayContext
from interpreter.ui.repl.repl import Repl
from tests.players.typist import Dictated, Typist

QUESTIONS = (
    "options",
    "help",
    "position",
    "changes",
    "map",
    "map all",
    "tables",
    "table {table}",
    "rule {rule}",
    "ledger",
    "luck",
    "log",
    "log rolls",
    "log turn 2",
    "log {piece}",
    "find {piece}",
    "what {piece}",
    "look {place}",
    "why {piece} {place}",
    "go {piece} {place}",
    "plan {place}",
    "undo",
    "redo",
    "odds 1",
)
MIDDLE, TYPED, MOST_SHOWN = 150, 400, 6

Answer = tuple[float, str]


class Clock:
    """A screen that records how long each answer took, up to the next prompt."""

    def __init__(self, inner: Dictated | Typist) -> None:
        self.inner, self.took, self.since = inner, list[float](), 0.0

    def write(self, lines: Iterable[str]) -> None:
        self.inner.write(lines)

    def width(self) -> int:
        """Return 0, for unlimited width."""
        return 0

    def offer(self, words: Sequence[str]) -> None:
        """Offer no completions."""

    def meanwhile(self, text: str) -> AbstractContextManager[None]:
        return nullcontext()

    def read(self, prompt: str) -> str | None:
        if self.since:
            self.took.append(perf_counter() - self.since)
        typed = self.inner.read(prompt)
        self.since = perf_counter()
        return typed


def sit_down(rules: Rules, game: Game, lang: str, clock: Clock) -> Repl:
    localizer = Localizer(rules.program, lang)
    told = len(game.get_raw_log())
    context = PlayContext(game, localizer, clock, {}, Autosave(None, {}, print), GameQueries(rules, localizer))
    session = Repl(context, EventFormatter(localizer, decisions=False, has_started=told > 0))
    session.reporter.log_position = told
    return session


def asked(rules: Rules, game: Game, lang: str, question: str) -> tuple[float, float]:
    """Return the seconds that a question took the first and the second time; the game is unchanged."""
    clock = Clock(Dictated(question, "options", question))
    sit_down(rules, game, lang, clock).play()
    return (clock.took[0], clock.took[2]) if len(clock.took) > 2 else (clock.took[0], 0.0)


def typed(rules: Rules, lang: str) -> list[Answer]:
    """Return the seconds of each answer, with its input, in a game played by typing numbers."""
    screen = Typist(False, 1, TYPED)
    clock = Clock(screen)
    sit_down(rules, rules.start(seed=1), lang, clock).play()
    return [(took, text) for took, text in zip(clock.took, screen.typed, strict=False)]


def apart(work: Callable[..., Any], *arguments: object) -> Any:
    """Return the result of work in a process of its own, forked from the present state of this one."""
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=lambda: there.send(work(*arguments)))
    process.start()
    there.close()
    try:
        return here.recv()
    finally:
        process.join()


def position(rules: Rules, choices: int) -> Game:
    game, chance = rules.start(seed=1), SeededDice(1)
    while len(game.keys) < choices and not game.over:
        game.pick(chance.roll(game.count()))
    return game


def questions(game: Game) -> list[str]:
    """Return the questions about things that exist in a game."""
    program = game.program
    piece = next((i for i, at in zip(program.ids["piece"], game.state.at, strict=True) if program.on_map[at]), "none")
    holes = {
        "piece": piece,
        "place": program.ids["place"][-1],
        "table": next(iter(program.charts), "none"),
        "rule": next(iter(program.data["rulebook"])),
    }
    return [question.format(**holes) for question in QUESTIONS]


def measure(name: str) -> None:
    rules = load(name)
    for lang in rules.program.languages:
        first: list[Answer] = []
        again: list[Answer] = []
        for choices in (0, MIDDLE):
            game = position(rules, choices)
            for question in questions(game):
                once, twice = apart(asked, rules, game, lang, question)
                first.append((once, question))
                again.append((twice, question))
        for title, answers in (("asked first", first), ("asked again", again), ("choices", apart(typed, rules, lang))):
            slowest = sorted(answers, reverse=True)[:MOST_SHOWN]
            print(f"{name} {lang} {title}: " + ", ".join(f"{text} {1000 * took:.0f} ms" for took, text in slowest))


if __name__ == "__main__":
    for ruleset in sys.argv[1:] or sorted(list_shipped_rulesets()):
        measure(ruleset)
