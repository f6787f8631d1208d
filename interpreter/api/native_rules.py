"""Rulesets compiled to WebAssembly: compile a loaded ruleset's module or read it from the cache, and instantiate it.

The environment variable `GROGNARD_WASM=0` turns this off; Python then plays everything.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from interpreter.api.game import Rules
from interpreter.api.loading import disable_gc, read_model
from interpreter.diagnostics.diagnostic import Sink
from interpreter.files import disk_cache
from interpreter.files.memory_cache import MemoryCache
from interpreter.i18n.translator import Message, mark as _
from interpreter.programs.program_cache import compute_key

if TYPE_CHECKING:
    from interpreter.backends.wasm.host.session import NativeSession
    from interpreter.backends.wasm.wasm_module import BuiltModule
    from interpreter.model.checked_model import CheckedModel
    from interpreter.runtime.program import Program

PATIENCE = 0.4  # seconds of play in Python before a module that was never compiled is worth its compilation
SWITCH = "GROGNARD_WASM"
_REFUSED = b"refused"  # begins the body of a ruleset that has no module; the reason follows


@dataclass(frozen=True, slots=True)
class Loaded:
    """The WebAssembly session of a ruleset, or the reason why it is unavailable."""

    session: NativeSession | None
    reason: str | Message = ""


class Attempt:
    """State of running one ruleset inside WebAssembly in this process.

    `loaded`: the session, or the reason why it is unavailable; None before the first attempt.
    """

    __slots__ = ("loaded", "_has_looked", "_patience")

    def __init__(self) -> None:
        self.loaded: Loaded | None = None
        self._has_looked = False
        self._patience = PATIENCE

    def add_time(self, seconds: float) -> None:
        """Add to the time that games of the ruleset have taken in Python. `seconds`: the time to add."""
        self._patience -= seconds

    def find(self, rules: Rules) -> NativeSession | None:
        """Return the WebAssembly session of `rules`, or None if it does not exist (yet).

        A module in the cache is loaded at the first call. A missing one is compiled only after games have been
        played in Python for `PATIENCE` seconds.
        """
        may_compile = self._patience <= 0
        if self.loaded is None and (not self._has_looked or may_compile):
            self.loaded = load_native(rules, compiles=may_compile)
            self._has_looked = True
        return None if self.loaded is None else self.loaded.session


_MAX_RULESETS = 12  # rulesets whose modules a process keeps
_attempts: MemoryCache[int, tuple[Program, Attempt]] = MemoryCache(_MAX_RULESETS)


def get_attempt(rules: Rules) -> Attempt:
    """Return the state of running a ruleset inside WebAssembly in this process."""
    key = id(rules.program)
    cached = _attempts.find(key)
    if cached is None:
        cached = rules.program, Attempt()
        _attempts.store(key, cached)
    return cached[1]


def find_refusal_reason(rules: Rules) -> str | Message:
    """Return why a ruleset does not run inside WebAssembly; '' if it does, or if that is not known yet."""
    loaded = get_attempt(rules).loaded or load_native(rules, compiles=False)
    return "" if loaded is None else loaded.reason


def find_off_reason() -> Message | None:
    """Return why no ruleset runs inside WebAssembly on this machine, or None."""
    from interpreter.backends.wasm.host.wasm_host import is_available

    if os.environ.get(SWITCH) == "0":
        return _("{switch}=0 turns WebAssembly off", switch=SWITCH)
    if not is_available():
        return _("the package wasmtime is not installed")
    return None


def load_native(rules: Rules, compiles: bool = True) -> Loaded | None:
    """Return the WebAssembly session of a ruleset, or the reason why it is unavailable.

    Returns None if the module would have to be compiled and `compiles` is false.
    """
    off = find_off_reason()
    if off is not None:
        return Loaded(None, off)
    if rules.program.data["form"] != "play":
        return Loaded(None, _("only the form for play is compiled to WebAssembly"))
    key = compute_key(rules.target)
    cached = disk_cache.find(disk_cache.Namespace.WASM_MODULES, key) if key is not None else None
    head = f"{key}\n".encode()
    if cached is not None and cached.startswith(head):  # else the file of another ruleset
        return _instantiate(rules.program, cached[len(head) :], key)
    if not compiles:
        return None
    body = _compile(rules, key)
    if key is not None:
        disk_cache.store(disk_cache.Namespace.WASM_MODULES, key, head + body)
    return _instantiate(rules.program, body, key)


def _instantiate(program: Program, body: bytes, key: str | None) -> Loaded:
    """Return the session of a compiled module, or the reason why it cannot be created.

    `body`: the result of `_compile`; `key`: the cache key of the ruleset, or None if it has none.
    """
    from interpreter.backends.wasm.host.session import NativeSession
    from interpreter.backends.wasm.host.state_transfer import StateTransfer
    from interpreter.backends.wasm.host.wasm_host import Instance, load_module
    from interpreter.backends.wasm.module_sheet import ModuleSheet

    if body.startswith(_REFUSED):
        return Loaded(None, body[len(_REFUSED) :].decode())
    size = int.from_bytes(body[:8], "little")
    head, binary = body[8 : 8 + size], body[8 + size :]
    slots = {**program.slot_of, **{("game", name): slot for name, slot in program.game_slot.items()}}
    transfer = StateTransfer(ModuleSheet.from_json(head), slots)
    family = "" if key is None else "shipped" if key.startswith("shipped") else "own"
    return Loaded(NativeSession(program, transfer, Instance(load_module(binary, family))))


def _compile(rules: Rules, key: str | None) -> bytes:
    """Return the compiled module of a ruleset, preceded by a header and the header's length (8 bytes, little-endian).

    If it cannot be compiled, the result is `_REFUSED` followed by the reason. `key`: the cache key of the ruleset or
    None.
    """
    model = _get_model(rules, key)
    if model is None:
        return _REFUSED + b"the rules have changed"
    built = build(model)
    if isinstance(built, str):
        return _REFUSED + built.encode()
    head = built.sheet.to_json()
    return len(head).to_bytes(8, "little") + head + built.module.to_binary()


def build(model: CheckedModel) -> BuiltModule | str:
    """Compile checked rules to a WebAssembly module; return the reason as text if that is impossible."""
    from interpreter.backends.wasm.memory_layout import NotEncodableError
    from interpreter.backends.wasm.wasm_module import build_module
    from interpreter.lowering.model_lowering import lower_model
    from interpreter.lowering.value_types import NotLoweredError
    from interpreter.passes.pipeline import run_passes

    try:
        with disable_gc():
            return build_module(run_passes(lower_model(model)), model.ruleset)
    except NotLoweredError as refusal:
        where = "" if refusal.span is None else f" ({refusal.span.file}:{refusal.span.line})"
        return refusal.what + where
    except NotEncodableError as refusal:
        return str(refusal)
    except RecursionError:
        return "something is nested too deeply"


def _get_model(rules: Rules, key: str | None) -> CheckedModel | None:
    """Return the checked rules of a loaded ruleset, or None if its files have changed.

    `key`: its key in the cache of checked rules, or None.
    """
    from interpreter.programs import model_cache

    model = rules.model or model_cache.find(key) or read_model(rules.target, Sink(), lints=False)
    if model is None or model.ruleset.content_hash != rules.program.content_hash:
        return None
    return model
