"""Games of a batch inside WebAssembly, with the same choices, outcomes and state hashes as in Python.

Whole games by chance run inside in one call. For other bots Python drives them decision by decision; their trials run
inside. What the module cannot do exactly (a rules fault, an overflow) is done by Python: the set-up, one choice, or one
trial of a bot. Then the game goes on inside.

A module that traps has lost the position. The game returns to a saved position and repeats the choices made since;
Python continues from there:

    play: choices 1 to 40 inside, the 41st traps -> 40 again inside, frames read, the 41st in Python, then on inside
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from interpreter.backends.wasm.host.native_game import NativeGame
from interpreter.backends.wasm.host.wasm_host import TrapError
from interpreter.play.game import Game
from interpreter.play.setup import create_game
from interpreter.runtime.dice import SeededDice
from interpreter.runtime.errors import NotNativeError, RuleFault

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.session import NativeSession
    from interpreter.play.bot import Bot
    from interpreter.runtime.state import State
    from interpreter.simulation.games import BatchSpec, GameObserver


class PlayedGame(NamedTuple):
    """A finished game: its position, the number of decisions, and what its observer has recorded."""

    game: Game
    decisions: int
    observations: Mapping[str, Any]


def play_natively(
    session: NativeSession,
    spec: BatchSpec,
    seed: int,
    bots: Mapping[str, Bot],
    stream: tuple[int, int] | None,
    observer: GameObserver | None,
) -> PlayedGame | None:
    """Play one game; return None if Python must play it, which then needs new bots.

    `bots`: the bot of each seat. `stream`: seed and counter of the dice if one bot plays all seats by chance, else
    None. `observer`: records data of the game, or None. Raises GameFaultError if the rules fault.
    """
    with session.lock:
        try:
            begun, game = _begin(session, spec, seed)
            batch_game = BatchGame(session, begun, game, spec.max_decisions, observer)
            if stream is not None and (observer is None or batch_game.looks_by_turn):
                batch_game.play_by_chance(stream)
            else:
                batch_game.play_by_bots(bots)
            if not batch_game.game.over:
                return None
            final = batch_game.game if isinstance(batch_game.game, Game) else batch_game.game.as_python()
            return PlayedGame(final, batch_game.decisions, {} if observer is None else observer.get_record(final))
        except (NotNativeError, RuleFault, OverflowError, KeyError):
            return None  # something that has no form inside


def _begin(session: NativeSession, spec: BatchSpec, seed: int) -> tuple[State, NativeGame | Game]:
    """Set up a game and run it to its first decision: in WebAssembly, or in Python if that traps.

    Returns the position that games begin with, and the game.
    """
    begun = session.begin(spec.scenario, spec.options, seed)
    try:
        return begun, NativeGame.start(session, spec.scenario, spec.options, seed)
    except TrapError:
        game = create_game(session.program, spec.scenario, spec.options, seed, record=False)
        with suppress(NotNativeError):
            return begun, NativeGame.from_python_game(session, game, begun)
        return begun, game


class GameFaultError(Exception):
    """Raised for a choice, made by Python, in which the rules fault."""

    def __init__(self, fault: RuleFault, decisions: int) -> None:
        super().__init__(str(fault))
        self.fault = fault
        self.decisions = decisions


class BatchGame:
    """One game that begins inside WebAssembly; Python makes the choices that WebAssembly cannot make exactly.

    `looks_by_turn`: the observer looks only at the first decision of each turn.
    """

    def __init__(
        self, session: NativeSession, begun: State, game: NativeGame | Game, most: int, observer: GameObserver | None
    ) -> None:
        self.game = game
        self.decisions = 0
        self._session = session
        self._begun = begun
        self._most = most
        self._observer = observer
        self.looks_by_turn = getattr(observer, "looks_by_turn", False)
        self._turn = -1  # that the observer has looked at

    def play_by_chance(self, stream: tuple[int, int]) -> None:
        """Play to the end, with all choices drawn from one stream of dice. `stream`: its seed and counter."""
        while not self.game.over and self.decisions < self._most:
            if isinstance(self.game, Game):
                dice = SeededDice(*stream)
                self._choose_in_python(dice.roll(self.game.count()))
                stream = dice.seed, dice.counter
            else:
                stream = self._play_inside(self.game, stream)

    def _play_inside(self, game: NativeGame, stream: tuple[int, int]) -> tuple[int, int]:
        """Continue natively until the game ends, the decisions reach their maximum or a choice traps.

        `stream`: seed and counter of the dice for choices by chance. Returns its state after the last choice.
        """
        session = self._session
        session.set_chooser(stream)
        while not game.over and self.decisions < self._most:
            self._show(game, 0)
            saved, before = game.save_position(), (stream[0], session.words[session.used_at[1]])
            remaining = self._most - self.decisions
            play = game.play if self._observer is None else game.play_turn
            try:
                self.decisions += play(remaining)
            except TrapError:
                decisions_made, _ = session.count_choices()
                game.restore(saved)
                session.set_chooser(before)
                self.decisions += game.play(decisions_made)
                stream = stream[0], session.words[session.used_at[1]]
                self.game = game.to_python_game()
                break
        return stream

    def play_by_bots(self, bots: Mapping[str, Bot]) -> None:
        """Play to the end, each choice by the bot of the seat that decides."""
        while self.decisions < self._most and (decision := self.game.decision) is not None:
            game = self.game
            number = bots[decision.seat].choose(game)  # type: ignore[arg-type]  # it `plays_native`
            if isinstance(game, Game):
                self._choose_in_python(number)
                continue
            self._show(game, number)
            position = game.save_position()
            try:
                game.pick(number)
                self.decisions += 1
            except TrapError:
                game.restore(position)
                self.game = game.to_python_game()
                self._choose_in_python(number, is_shown=True)

    def _choose_in_python(self, number: int, is_shown: bool = False) -> None:
        """Take option `number` in Python, then continue natively if possible and if there is more than one option.

        `is_shown`: the observer already knows of the choice. Python counts choices without an alternative, and ends a
        game with too many of them.
        """
        game = self.game
        assert isinstance(game, Game)
        if not is_shown:
            self._show(game, number)
        try:
            game.pick(number)
        except RuleFault as fault:
            raise GameFaultError(fault, self.decisions) from None
        self.decisions += 1
        if not game.over and game.count() > 1:
            with suppress(NotNativeError):
                self.game = NativeGame.from_python_game(self._session, game, self._begun)

    def _show(self, game: NativeGame | Game, number: int) -> None:
        """Report to the observer, if there is one, that option `number` is about to be chosen."""
        if self._observer is None or self.looks_by_turn and game.turn == self._turn:
            return
        self._turn = game.turn
        self._observer.before_choice(game if isinstance(game, Game) else game.as_python(), number)
