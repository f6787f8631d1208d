"""Whole games inside WebAssembly: the same choices, outcomes and state hashes as in Python, about ten times as fast.

A game that the module cannot play exactly (a rules fault, an overflow, a game that is cut off) is replayed by Python
from its beginning.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING, Any

from interpreter.api.game import Rules
from interpreter.diagnostics.diagnostic import Sink
from interpreter.play.game import Game
from interpreter.play.setup import starting
from interpreter.runtime.dice import LEAST_SEED, SeededDice

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.state_transfer import StateTransfer
    from interpreter.backends.wasm.host.wasm_host import Instance
    from interpreter.model.statements import CheckedModel
    from interpreter.runtime.program import Program

PATIENCE = 0.4  # seconds of play in Python before a module that was never compiled is worth its compilation
SWITCH = "GROGNARD_WASM"  # "1" turns games inside WebAssembly on; they are still being tested against Python
_SORT = "wasm-module"


class NativeGames:
    """Plays whole games of one ruleset by chance."""

    def __init__(self, program: Program, transfer: StateTransfer, instance: Instance) -> None:
        self._program = program
        self._transfer = transfer
        self._memory = instance.memory
        self._start = instance.function("start")
        self._play = instance.function("play", 1)
        self._lock = Lock()  # one memory, one game at a time
        self._blocks: dict[tuple[Any, ...], tuple[bytes, Any]] = {}  # begun positions by scenario and options

    def play(
        self, scenario: str | None, options: tuple[str, ...], seed: int, stream: tuple[int, int], most: int
    ) -> tuple[Game, int] | None:
        """Return the game at its end and how many decisions it took; None if Python must play it."""
        if not LEAST_SEED <= seed < -LEAST_SEED:
            return None  # Python tells that there are no such dice
        with self._lock:
            return self._played(scenario, options, seed, stream, most)

    def _played(
        self, scenario: str | None, options: tuple[str, ...], seed: int, stream: tuple[int, int], most: int
    ) -> tuple[Game, int] | None:
        from interpreter.backends.wasm.host.state_transfer import NotTransferableError
        from interpreter.backends.wasm.host.wasm_host import TrapError

        transfer, memory, sheet = self._transfer, self._memory, self._transfer.sheet
        try:
            block, begun = self._start_position(scenario, options)
            dice, chooser = transfer.dice(seed), transfer.dice(*stream)
            memory[sheet.state : sheet.state + len(block)] = block
            memory[sheet.dice : sheet.dice + len(dice)] = dice
            memory[sheet.chooser : sheet.chooser + len(chooser)] = chooser
            self._start()
            decisions = self._play(most)
            if not transfer.machine(memory, "over"):
                return None
            left = SeededDice(seed, transfer.dice_counter(memory))
            state = self._program.copy_state(begun, self._program.state_type, left)
            transfer.read(memory, state)
        except (NotTransferableError, TrapError, OverflowError, KeyError):
            return None  # a position with something that has no form inside
        return Game(self._program, state, state.scenario, seed, False), decisions

    def _start_position(self, scenario: str | None, options: tuple[str, ...]) -> tuple[bytes, Any]:
        """Return the position that games begin with, as bytes and as a state."""
        key = (scenario, options)
        if key not in self._blocks:
            given = starting.read_options(self._program, options) if options else {}
            state = starting.first_state(self._program, scenario, given, False)
            self._blocks[key] = self._transfer.written(state), state
        return self._blocks[key]


class Attempt:
    """State of playing a ruleset's games in WebAssembly: not tried yet, or the result with its reason."""

    __slots__ = ("games", "reason", "is_tried", "_has_looked", "_patience")

    def __init__(self) -> None:
        self.games: NativeGames | None = None
        self.reason = ""
        self.is_tried = False
        self._has_looked = False
        self._patience = PATIENCE

    def waited(self, seconds: float) -> None:
        """Note time that games have taken in Python."""
        self._patience -= seconds

    def find(self, rules: Rules) -> NativeGames | None:
        """Return what plays the games inside: at once where it is kept, else once Python has played for a while."""
        if not self.is_tried and (not self._has_looked or self._patience <= 0):
            made = load_native(rules, compiles=self._patience <= 0)
            self._has_looked = True
            if made is not None:
                self.is_tried = True
                self.games, self.reason = made
        return self.games


_MOST_RULES = 12  # rulesets whose modules a process keeps
_attempts: OrderedDict[int, tuple[Program, Attempt]] = OrderedDict()


def attempt_of(rules: Rules) -> Attempt:
    """Return what is known of a ruleset in this process."""
    key = id(rules.program)
    if key not in _attempts:
        _attempts[key] = rules.program, Attempt()
        if len(_attempts) > _MOST_RULES:
            _attempts.popitem(last=False)
    _attempts.move_to_end(key)
    return _attempts[key][1]


def load_native(rules: Rules, compiles: bool = True) -> tuple[NativeGames | None, str] | None:
    """Return what plays a ruleset inside, or None and why it cannot be; None alone if it would have to be compiled."""
    from interpreter.backends.wasm.host.wasm_host import is_available

    if os.environ.get(SWITCH) != "1":
        return None, f"WebAssembly is off; {SWITCH}=1 turns it on"
    if rules.program.data["form"] != "play" or not is_available():
        return None, "wasmtime is not installed"
    from interpreter.compiler.cache import key_of
    from interpreter.files import disk_cache

    key = key_of(rules.target)
    body = disk_cache.find(_SORT, key) if key is not None else None
    if body is None:
        if not compiles:
            return None
        body = _compiled(rules, key)
        if key is not None:
            disk_cache.keep(_SORT, key, body)
    return _linked(rules.program, body, key)


def _linked(program: Program, body: bytes, key: str | None) -> tuple[NativeGames | None, str]:
    """Instantiate the games of a compiled module; a body of one part holds the reason why there is none."""
    from interpreter.backends.wasm.host.state_transfer import StateTransfer
    from interpreter.backends.wasm.host.wasm_host import Instance, load_module
    from interpreter.backends.wasm.module_sheet import ModuleSheet

    size = int.from_bytes(body[:8], "little")
    head, binary = body[8 : 8 + size], body[8 + size :]
    if not binary:
        return None, head.decode()
    slots = {**program.slot_of, **{("game", name): slot for name, slot in program.game_slot.items()}}
    transfer = StateTransfer(ModuleSheet.from_json(head), slots)
    family = "" if key is None else "shipped" if key.startswith("shipped") else "own"
    return NativeGames(program, transfer, Instance(load_module(binary, family))), ""


def _compiled(rules: Rules, key: str | None) -> bytes:
    """Return the module of a ruleset behind its sheet, or behind nothing the reason why there is none."""
    from interpreter.backends.wasm.memory_layout import NotEncodableError
    from interpreter.backends.wasm.wasm_module import build_module
    from interpreter.lowering.model_lowering import lower_model
    from interpreter.lowering.value_types import NotLoweredError
    from interpreter.passes.pipeline import run_passes

    model = _model_of(rules, key)
    if model is None:
        return _packed(b"the rules have changed", b"")
    try:
        built = build_module(run_passes(lower_model(model)), model.ruleset)
    except (NotEncodableError, NotLoweredError) as refusal:
        return _packed(str(refusal).encode(), b"")
    except RecursionError:
        return _packed(b"something is nested too deeply", b"")
    return _packed(built.sheet.to_json(), built.module.binary())


def _packed(head: bytes, binary: bytes) -> bytes:
    return len(head).to_bytes(8, "little") + head + binary


def _model_of(rules: Rules, key: str | None) -> CheckedModel | None:
    """Return the checked rules of a loaded ruleset."""
    from interpreter.api.loading import load_model
    from interpreter.compiler import kept_models

    model = rules.model or kept_models.find(key) or load_model(rules.target, Sink())
    if model is None or model.ruleset.content_hash != rules.program.content_hash:
        return None
    return model
