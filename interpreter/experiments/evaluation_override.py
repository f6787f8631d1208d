"""Bots that evaluate positions by another ruleset than the game's, and records of what each weight contributes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from interpreter.api.loading import load
from interpreter.api.rules import Rules
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.play.state_transfer import check_same_choices, transfer_to_variant
from interpreter.players.bots.registry import make_bots
from interpreter.runtime.errors import SetupError
from interpreter.runtime.program import Program

AT = "@"  # separates a bot from the ruleset by which it evaluates
_EVERY = 20  # decisions from one sample to the next; the beginning of each turn is sampled too


def parse_player(player: str) -> tuple[str, str]:
    """Split the name of a player such as "greedy@my-folder" into bot and ruleset by which it evaluates positions.

    The ruleset is '' if the bot uses that of the game.
    """
    bot, _parted, where = player.partition(AT)
    return bot, where


@cache
def _load_program(path: str, content: str) -> Program:
    """Return the program of the ruleset at `path`, by which a bot evaluates.

    Raises `SetupError` unless its content hash is `content`.
    """
    program = load(path).program
    if program.content_hash != content:
        raise SetupError(
            "{target} has changed since the games began: a file was changed, or a worker has a different "
            "copy; start the games again",
            target=path,
        )
    return program


def check_evaluation_ruleset(path: str, program: Program) -> str:
    """Return the content hash of the ruleset at `path`, by which a bot is to evaluate.

    Raises `SetupError` if its decisions differ from those of `program`.
    """
    other = load(path).program
    try:
        check_same_choices(other, program)
    except ValueError as fault:
        raise SetupError(
            "the evaluation of {target} does not fit {ruleset}: their choices differ ({what}); give a "
            "ruleset that differs only in the evaluation and the values it reads",
            target=path,
            ruleset=program.data["id"],
            what=str(fault),
        ) from None
    return other.content_hash


class EvaluationOverride:
    """Bot that evaluates positions by another ruleset, which has the same choices but another evaluation."""

    def __init__(self, bot: Bot, program: Program) -> None:
        self._bot = bot
        self._program = program
        self._checked_program: Program | None = None

    def choose(self, game: Game) -> int:
        """Return the wrapped bot's choice in the game. Raise ValueError if its program belongs to another game."""
        if self._checked_program is not game.program:
            check_same_choices(self._program, game.program)
            self._checked_program = game.program
        game.count()  # lists the options by the game\'s own rules, before the position is copied
        state = transfer_to_variant(self._program, game.state)
        return self._bot.choose(Game(self._program, state, game.scenario, None, False))


@dataclass(frozen=True, slots=True)
class EvaluationOverrides:
    """Factory of the bots of a game, some of which evaluate by another ruleset.

    `contents` holds the content hash of each such ruleset by its path.
    """

    contents: tuple[tuple[str, str], ...]

    def __call__(self, seats: Mapping[str, str], seed: int) -> Mapping[str, Bot]:
        """Return the bots of one game by seat; `seats` maps each seat to the name of its bot."""
        bots: dict[str, Bot] = dict(make_bots({seat: parse_player(player)[0] for seat, player in seats.items()}, seed))
        contents = dict(self.contents)
        for seat, player in seats.items():
            if path := parse_player(player)[1]:
                bots[seat] = EvaluationOverride(bots[seat], _load_program(path, contents[path]))
        return bots


class WeightStep(NamedTuple):
    """A variant in which one weight is larger by `size`: its path and its content hash."""

    path: str
    content: str
    size: float


@dataclass(frozen=True, slots=True)
class EvaluationNotes:
    """Factory of observers that record evaluations of a game.

    `steps`: for each weight a variant in which it is larger.
    """

    steps: tuple[WeightStep, ...]

    def __call__(self, rules: Rules, game: Game) -> EvaluationObserver:
        """Return the observer of one game."""
        return EvaluationObserver(game, [(_load_program(step.path, step.content), step.size) for step in self.steps])


class EvaluationObserver:
    """Observer of a game that samples, for every seat, the value of the position and what each weight adds to it."""

    def __init__(self, game: Game, others: list[tuple[Program, float]]) -> None:
        for program, _more in others:
            check_same_choices(program, game.program)
        self._variants = others
        self._seats = list(dict.fromkeys(game.program.ids["seat"][s] for s in game.state.seat_of))
        self._count = 0
        self._turn = 0
        self._rows: list[list[Any]] = []

    def before_choice(self, game: Game, _number: int) -> None:
        """Sample the position before a choice: at the start of a turn, and at every `_EVERY`th choice."""
        self._count += 1
        if game.turn == self._turn and self._count % _EVERY:
            return
        self._turn = game.turn
        variants = [
            (Game(p, transfer_to_variant(p, game.state), game.scenario, None, False), more)
            for p, more in self._variants
        ]
        for seat in self._seats:
            value = game.evaluation(seat) or 0.0
            gains = [((other.evaluation(seat) or 0.0) - value) / more for other, more in variants]
            self._rows.append([seat, value, *gains])

    def get_record(self, _game: Game) -> dict[str, Any]:
        """Return the samples of the game under the key "rows": (seat, value of the position, gain by each weight)."""
        return {"rows": self._rows}
