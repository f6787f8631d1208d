"""Play one game between bots, from the first decision to the end.

Builds no text and no objects for options: bots choose by number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Protocol

from interpreter.api.game import Rules
from interpreter.api.native_rules import Attempt, get_attempt
from interpreter.play.bot import Bot
from interpreter.play.game import Game
from interpreter.runtime.errors import RuleFault


class GameObserver(Protocol):
    """Protocol of an observer, which records data of a game while it is played, without changing it.

    With the attribute `looks_by_turn` it looks only at the first decision of each turn.
    """

    def before_choice(self, game: Game, number: int) -> None:
        """Record that the option with this number is about to be chosen."""

    def get_record(self, game: Game) -> Mapping[str, Any]:
        """Return the recorded data; called when the game is over or was cut off."""


BotFactory = Callable[[Mapping[str, str], int], Mapping[str, Bot]]
ObserverFactory = Callable[[Rules, Game], GameObserver]


@dataclass(frozen=True, slots=True)
class BatchSpec:
    """Specification shared by all games of a batch.

    `make_bots` makes the bots of a game from `seats` (seat -> name of a bot) and the seed of the game; `make_observer`
    makes its observer. Both must be importable by name. `content` is the content hash of the intended rules, '' to
    accept whatever `target` resolves to.
    """

    target: str
    seats: Mapping[str, str]
    make_bots: BotFactory
    seed: int = 0
    scenario: str | None = None
    options: tuple[str, ...] = ()
    max_decisions: int = 100_000
    make_observer: ObserverFactory | None = None
    content: str = ""


@dataclass(frozen=True, slots=True)
class GameFault:
    """A fault of the rules that ended a game."""

    seed: int
    message: str
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """Result of one game.

    `outcome` is '' if the game was cut off or ended by a fault. `winners` are seats, empty for a draw. `observations`
    is what the observer of the batch recorded. `hash`: the digest of the final state. `is_native`: it was played inside
    WebAssembly, with the same result as in Python.
    """

    number: int
    seed: int
    outcome: str
    turn: int
    decisions: int
    hash: str
    fault: GameFault | None = None
    winners: tuple[str, ...] = ()
    observations: Mapping[str, Any] = field(default_factory=dict)
    is_native: bool = field(default=False, compare=False)


def play_game(rules: Rules, spec: BatchSpec, number: int, seed: int) -> GameResult:
    """Play one game to its end, or to the maximum number of decisions of the batch.

    `number`: its number in the batch, from 0.
    """
    attempt = get_attempt(rules)
    played = _play_native(attempt, rules, spec, number, seed)
    if played is not None:
        return played
    begun = process_time()
    played = _play_in_python(rules, spec, number, seed)
    attempt.add_time(process_time() - begun)
    return played


def _play_native(attempt: Attempt, rules: Rules, spec: BatchSpec, number: int, seed: int) -> GameResult | None:
    """Play a game inside WebAssembly; return None if Python has to play it.

    `attempt`: the state of compiling the rules to WebAssembly. `number`: the number of the game in the batch.
    """
    if attempt.loaded is not None and attempt.loaded.session is None or not isinstance(seed, int):
        return None
    bots = spec.make_bots(spec.seats, seed)
    if not all(getattr(bot, "plays_native", False) for bot in bots.values()):
        return None
    session = attempt.find(rules)
    if session is None:
        return None
    observer = None
    if spec.make_observer is not None:
        try:
            begun = rules.start(scenario=spec.scenario, options=spec.options, seed=seed, record=False)
        except RuleFault:
            return None
        observer = spec.make_observer(rules, begun)
    from interpreter.simulation.native_games import GameFaultError, play_natively

    stream = getattr(find_only_bot(bots), "stream", None)
    try:
        played = play_natively(session, spec, seed, bots, stream, observer)
    except GameFaultError as ended:
        return build_fault_result(number, seed, ended.decisions, ended.fault)
    if played is None:
        return None
    return build_result(played.game, number, seed, played.decisions, played.observations, is_native=True)


def _play_in_python(rules: Rules, spec: BatchSpec, number: int, seed: int) -> GameResult:
    """Play a game in Python; `number`: its number in the batch."""
    decisions = turn = 0
    try:
        game = rules.start(scenario=spec.scenario, options=spec.options, seed=seed, record=False)
        bots = spec.make_bots(spec.seats, seed)
        observer = None if spec.make_observer is None else spec.make_observer(rules, game)
        only_bot, most = find_only_bot(bots), spec.max_decisions
        while not game.over and decisions < most:
            choice = (only_bot or bots[_get_seat(game)]).choose(game)
            if observer is not None:
                observer.before_choice(game, choice)
            game.pick(choice)
            decisions += 1
        turn = game.turn
        return build_result(game, number, seed, decisions, {} if observer is None else observer.get_record(game))
    except RuleFault as fault:
        return build_fault_result(number, seed, decisions, fault, turn)


def build_result(
    game: Game, number: int, seed: int, decisions: int, observations: Mapping[str, Any], is_native: bool = False
) -> GameResult:
    """Return the result of a game that has ended or was cut off.

    `number`: its number in the batch; `is_native`: it was played inside WebAssembly.
    """
    word, winners = format_outcome(game), list_winners(game)
    return GameResult(
        number, seed, word, game.turn, decisions, game.hash(), None, winners, observations, is_native=is_native
    )


def build_fault_result(number: int, seed: int, decisions: int, fault: RuleFault, turn: int = 0) -> GameResult:
    """Return the result of a game that a fault of the rules ended.

    `number`: the number of the game in the batch. `decisions`: how many were made before.
    """
    game_fault = GameFault(seed, str(getattr(fault, "message", fault)), fault.file, fault.line)
    return GameResult(number, seed, "", turn, decisions, "", game_fault)


def list_winners(game: Game) -> tuple[str, ...]:
    """Return the seats that have won; () for a draw or an unfinished game."""
    winner = None if game.outcome is None else game.outcome.winner
    if winner is None or winner == "draw":
        return ()
    return (winner,) if isinstance(winner, str) else winner


def format_outcome(game: Game) -> str:
    """Return the outcome as a word such as "reds", "reds: overlord" or "draw".

    Several winners are joined by "+". Returns '' for an unfinished game.
    """
    outcome = game.outcome
    if outcome is None:
        return ""
    winner = "nobody" if outcome.winner is None else outcome.winner
    word = winner if isinstance(winner, str) else "+".join(winner)
    return f"{word}: {outcome.level}" if outcome.level else word


def find_only_bot(bots: Mapping[str, Bot]) -> Bot | None:
    """Return the bot that plays all seats, or None if there are several."""
    listed = list(bots.values())
    return listed[0] if listed and all(bot is listed[0] for bot in listed) else None


def _get_seat(game: Game) -> str:
    """Return the seat that decides now."""
    decision = game.decision
    assert decision is not None
    return decision.seat
