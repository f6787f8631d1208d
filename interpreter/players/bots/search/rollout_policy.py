"""Rollout policy of the searching seat: the average gain of each option, measured by one-ply lookahead.

A decision is identified by its address, its side and its options; each option stores how much better the position
after it was. Results are kept, so that playouts become better and cheaper the longer a search runs. Games inside
WebAssembly follow it in `backends/wasm/assembly/trial_text.py`: change both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from interpreter.play.game import Game
from interpreter.players.bots.bot_game import BotDecision, BotGame, get_decision
from interpreter.players.bots.evaluation import evaluate_seats
from interpreter.players.bots.lookahead import (
    MAX_DEFAULT_REPLIES,
    DecisionId,
    choose_default_reply,
    identify_pending,
    look_ahead,
    sample_options,
)
from interpreter.runtime.dice import SeededDice

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.native_game import NativeGame

_LOOKS_TO_TRUST = 3  # lookaheads before the best option is trusted: the first may have been lucky
_RETEST_EVERY = 3  # one in this many times, a decision with a trusted option is evaluated again
_MIN_WEIGHT = 0.2  # minimum weight of the latest gain in the mean of an option
_NO_OPTION = -1  # the number that asks for the position before any option


@dataclass(slots=True)
class ActionStats:
    """Statistics of an option: the number of lookaheads and the mean gain."""

    looks: int = 0
    gain: float = 0.0

    def record_gain(self, gain: float) -> None:
        """Record one observed gain; older observations lose weight exponentially."""
        self.looks += 1
        self.gain += max(_MIN_WEIGHT, 1 / self.looks) * (gain - self.gain)


@dataclass(slots=True)
class PolicyEntry:
    """The gains of the options of one decision, by option number.

    `key`: the decision, its side and its options in the encoding of the WebAssembly module; `cell`: the memory address
    at which the module reads the best option, 0 if none.
    """

    stats: dict[int, ActionStats] = field(default_factory=dict)
    key: tuple[int, int, bytes] = (0, 0, b"")
    cell: int = 0

    def record_gain(self, number: int, gain: float) -> None:
        """Record one observed gain of an option."""
        self.stats.setdefault(number, ActionStats()).record_gain(gain)


@dataclass(slots=True)
class RolloutPolicy:
    """The gains of a seat's options, by decision and number. A WebAssembly module holds a copy of the best options.

    `known`: (address, side) of the decisions that have gains; `by_key`: the entries by their `key`. `is_stale`: gains
    that the module holds have changed; `is_full`: the module has no room for more.
    """

    seat: str
    gains: dict[Any, PolicyEntry] = field(default_factory=dict)
    known: set[tuple[str, str]] = field(default_factory=set)
    by_key: dict[tuple[int, int, bytes], PolicyEntry] = field(default_factory=dict)
    is_stale: bool = False
    is_full: bool = False

    def pick(self, game: BotGame, looks: int, chance: SeededDice) -> int:
        """Evaluate a few options of the pending decision by lookahead; return the number of the one with the best gain.

        In a new decision `looks` sampled options are tried; later the best so far and a random one. `chance`: the
        random source.
        """
        decision, count = get_decision(game), game.count()
        native, name = self._get_native(game), None
        key = None if native is None else native.build_decision_key()
        entry = None if key is None else self.by_key.get(key)
        if entry is None:
            name = _identify_decision(decision, decision.list_offers())
            entry = self.gains.get(name) or PolicyEntry()
        if entry.stats:
            first = _find_best(entry.stats)
            if entry.stats[first].looks >= _LOOKS_TO_TRUST and chance.roll(_RETEST_EVERY):
                return first
            numbers = sorted({first, chance.roll(count)})
        else:
            numbers = sample_options(count, looks, chance)
        self._evaluate(game, entry, numbers, chance.roll(256))
        if name is not None:
            self.gains[name] = entry
            self.known.add((decision.address, decision.side))
            if native is not None and key is not None:
                entry.key = key
                self.by_key[key] = entry
                self._store_in_module(native, entry)
        return _find_best(entry.stats)

    def _evaluate(self, game: BotGame, entry: PolicyEntry, numbers: Sequence[int], seed: int) -> None:
        """Try each of the options `numbers` with the same dice, then repeat the best one; record the gains in `entry`.

        A known decision may occur again in a lookahead, so each lookahead must see the results of the one before.
        """
        start, stats = identify_pending(game), entry.stats
        certain: dict[int, float] = {}  # values that do not depend on dice, by option number
        at_once = 1 if stats else len(numbers)
        before, *values = self._look_ahead(game, [_NO_OPTION, *numbers[:at_once]], start, seed, certain)
        for place, number in enumerate(numbers):
            value = values[place] if place < at_once else self._look_ahead(game, [number], start, seed, certain)[0]
            self._record_gain(game, entry, number, value - before)
        for more in range(1, _LOOKS_TO_TRUST):
            best = _find_best(stats)
            if stats[best].looks > more or len(stats) == 1:
                return
            value = (
                certain[best]
                if best in certain
                else self._look_ahead(game, [best], start, seed + 256 * more, certain)[0]
            )
            self._record_gain(game, entry, best, value - before)

    def _look_ahead(
        self, game: BotGame, numbers: Sequence[int], start: DecisionId, seed: int, certain: dict[int, float]
    ) -> list[float]:
        """Return the value of the position after each of the options `numbers`; this policy chooses the seat's replies.

        `start`: the decision from which the lookahead begins; `seed`: seed of the dice. Values that involved no chance
        are stored in `certain`, by option number.
        """
        native = self._get_native(game)
        if native is None:
            return [self._look_ahead_in_python(game, number, start, seed, certain) for number in numbers]
        self._refresh_module(native)
        from interpreter.backends.wasm.host.trials import Trial

        trials = [Trial(number, seed, follows_policy=True) for number in numbers]
        results = native.try_options(trials, MAX_DEFAULT_REPLIES, start, start, self.seat, 0)
        values = []
        for number, result in zip(numbers, results, strict=True):
            if result is None:
                values.append(self._look_ahead_in_python(native.in_python(), number, start, seed, certain))
                continue
            values.append(result.worth)
            if result.is_certain:
                certain[number] = result.worth
        return values

    def _look_ahead_in_python(
        self, game: BotGame, number: int, start: DecisionId, seed: int, certain: dict[int, float]
    ) -> float:
        """Return the value of the position after option `number`, computed in Python; see `_look_ahead`."""
        if number == _NO_OPTION:
            return evaluate_seats(game, (self.seat,))[0]
        dice, chance = SeededDice(seed), SeededDice(-1 - seed)
        trial = game.trial(dice)
        trial.pick(number)
        look_ahead(trial, start, start, partial(self._answer_decision, chance=chance))
        value = evaluate_seats(trial, (self.seat,))[0]
        if dice.counter == chance.counter == 0:
            certain[number] = value
        return value

    def _answer_decision(self, trial: BotGame, chance: SeededDice) -> None:
        """Answer the seat's decision in the game `trial` by its recorded gains; otherwise play a default reply.

        `chance`: the random source of default replies.
        """
        decision = trial.decision
        entry = None
        if decision is not None and decision.seat == self.seat and (decision.address, decision.side) in self.known:
            entry = self.gains.get(_identify_decision(decision, decision.list_offers()))
        if entry is None:
            choose_default_reply(trial, chance)
        else:
            trial.pick(_find_best(entry.stats))

    # --- the copy in a module ------------------------------------------------------------------------------

    def _get_native(self, game: BotGame) -> NativeGame | None:
        """Return the game if its WebAssembly module can follow this policy, else None."""
        return None if isinstance(game, Game) or self.is_full or not game.follows_policies else game

    def _record_gain(self, game: BotGame, entry: PolicyEntry, number: int, gain: float) -> None:
        """Record the gain of reply `number`, and let native playouts use the best reply known now."""
        entry.record_gain(number, gain)
        if isinstance(game, Game):
            self.is_stale = True
        elif entry.cell:
            game.set_answer(entry.cell, _find_best(entry.stats))

    def _refresh_module(self, game: NativeGame) -> None:
        """Copy all gains into the module if it follows another policy or has outdated gains; mark known decisions."""
        if game.set_policy(self) or self.is_stale:
            self.is_stale = False
            game.clear_policy()
            for entry in self.by_key.values():
                self._store_in_module(game, entry)
        game.mark_known(self.known)

    def _store_in_module(self, game: NativeGame, entry: PolicyEntry) -> None:
        entry.cell = game.enter_answer(entry.key, _find_best(entry.stats))
        self.is_full = not entry.cell


def _identify_decision(decision: BotDecision, keys: Sequence[Any]) -> object:
    return decision.address, decision.side, tuple(keys)


def _find_best(stats: dict[int, ActionStats]) -> int:
    """Return the number of the option with the largest gain; of equal ones the last, which often ends the decision."""
    best, most = -1, float("-inf")
    for number, option_stats in stats.items():
        if option_stats.gain > most or option_stats.gain == most and number > best:
            best, most = number, option_stats.gain
    return best
