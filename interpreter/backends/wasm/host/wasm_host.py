"""Runs modules with wasmtime: one engine for the process, prepared calls, machine code kept between starts.

Wasmtime's own call of a function takes 9 to 44 us; a call prepared once with ctypes takes 0.4 us.
"""

from __future__ import annotations

import atexit
import ctypes
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from platform import platform
from typing import TYPE_CHECKING, NoReturn, Protocol, TypeVar
from weakref import ref

from interpreter.files import disk_cache
from interpreter.runtime.errors import NotNativeError

if TYPE_CHECKING:
    import wasmtime


_GUARD = 256 << 20  # bytes of address space behind a memory: more than any offset, so that loads need no check


class Closable(Protocol):
    """Protocol of a wasmtime object that can be closed."""

    def close(self) -> None:
        """Release the object."""


Held = TypeVar("Held", bound=Closable)


class TrapError(NotNativeError):
    """Raised when the module could not do something exactly; its memory then holds no valid position."""


def is_available() -> bool:
    """Return whether wasmtime can be used on this machine."""
    try:
        import wasmtime
    except (ImportError, OSError):
        return False
    return wasmtime is not None


_open: list[ref[Closable]] = []  # what wasmtime holds; the newest last


def _close_at_exit(resource: Held) -> Held:
    """Register an object of wasmtime to be closed before the Python interpreter shuts down.

    Closed any later, it would depend on parts of wasmtime that no longer exist, and print a warning.
    """
    if not _open:
        atexit.register(_close_all)
    _open.append(ref(resource))
    return resource


def _close_all() -> None:
    for reference in reversed(_open):
        resource = reference()
        if resource is not None:
            resource.close()


@cache
def _get_engine() -> wasmtime.Engine:
    import wasmtime

    config = wasmtime.Config()
    config.cranelift_opt_level = "speed"
    config.memory_guard_size = _GUARD
    return _close_at_exit(wasmtime.Engine(config))


def load_module(binary: bytes, family: str = "") -> wasmtime.Module:
    """Compile a module, or load its machine code from the disk cache if it has a family (see `files.disk_cache`).

    Cached machine code is stored in a folder that only the user can write to, behind two digests: of the file, and of
    the module that it was compiled from. A damaged file, or the file of another module, is never run.
    """
    import wasmtime

    engine = _get_engine()
    digest = blake2b(f"{version('wasmtime')} {platform()} {_GUARD} ".encode() + binary, digest_size=20).digest()
    key = f"{family}-{digest.hex()}"
    cached = disk_cache.find(disk_cache.Namespace.MACHINE_CODE, key) if family else None
    if cached is not None and cached.startswith(digest):
        with suppress(wasmtime.WasmtimeError):  # machine code of another engine version: compile again
            return _close_at_exit(wasmtime.Module.deserialize(engine, cached[len(digest) :]))
    module = _close_at_exit(wasmtime.Module(engine, binary))
    if family:
        disk_cache.store(disk_cache.Namespace.MACHINE_CODE, key, digest + bytes(module.serialize()))
    return module


class Instance:
    """An instantiated module with its memory."""

    def __init__(self, module: wasmtime.Module) -> None:
        import wasmtime

        self._store = _close_at_exit(wasmtime.Store(_get_engine()))
        instance = wasmtime.Instance(self._store, module, [])
        self._exports = instance.exports(self._store)
        memory = self._exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        size = memory.data_len(self._store)
        address = ctypes.cast(memory.data_ptr(self._store), ctypes.c_void_p).value
        assert address is not None
        self.memory = memoryview((ctypes.c_uint8 * size).from_address(address)).cast("B")

    def get_function(self, name: str, arguments: int = 0) -> Callable[..., int]:
        """Return a prepared call of an exported function of numbers. A call raises TrapError if it traps.

        `arguments`: how many arguments the function takes. Without wasmtime's internals, which preparing uses, it
        returns wasmtime's own call, which is slower.
        """
        import wasmtime

        exported = self._exports[name]
        assert isinstance(exported, wasmtime.Func)
        try:
            return self._prepare_call(exported, name, arguments)
        except (AttributeError, ImportError):
            return self._build_public_call(exported, name)

    def _build_public_call(self, exported: wasmtime.Func, name: str) -> Callable[..., int]:
        import wasmtime

        def called(*arguments_given: int) -> int:
            try:
                return int(exported(self._store, *arguments_given) or 0)
            except wasmtime.Trap as trap:
                raise TrapError(f"{name}: {trap}") from None

        return called

    def _prepare_call(self, exported: wasmtime.Func, name: str, arguments: int) -> Callable[..., int]:
        import wasmtime
        from wasmtime import _ffi as ffi

        function = exported._func
        context = ctypes.c_void_p(ctypes.cast(self._store._context(), ctypes.c_void_p).value)
        values = (ctypes.c_uint8 * (16 * max(1, arguments)))()
        view = memoryview(values).cast("B").cast("q")
        trap = (ctypes.c_uint64 * 1)()  # holds a pointer, as a number that is quickly compared
        raised = memoryview(trap).cast("B").cast("q")
        prototype = ctypes.CFUNCTYPE(
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p
        )
        address = ctypes.cast(ffi.dll.wasmtime_func_call_unchecked, ctypes.c_void_p).value
        assert address is not None
        quick = prototype(address)
        at_function, at_values, at_trap = ctypes.addressof(function), ctypes.addressof(values), ctypes.addressof(trap)
        count = max(1, arguments)
        referenced = (function, values, trap, self)

        def fail() -> NoReturn:
            message = name
            if raised[0]:
                message = str(wasmtime.Trap._from_ptr(ctypes.cast(raised[0], ctypes.POINTER(ffi.wasm_trap_t))))
                raised[0] = 0
            raise TrapError(message)

        def called(*arguments_given: int) -> int:
            for number, value in enumerate(arguments_given):
                view[2 * number] = value
            if quick(context, at_function, at_values, count, at_trap) or raised[0]:
                fail()
            return view[0]

        def called_alone() -> int:
            if quick(context, at_function, at_values, 1, at_trap) or raised[0]:
                fail()
            return view[0]

        def called_with_one(value: int) -> int:
            view[0] = value
            if quick(context, at_function, at_values, 1, at_trap) or raised[0]:
                fail()
            return view[0]

        prepared: Callable[..., int] = (called_alone, called_with_one, called)[min(arguments, 2)]
        prepared.kept = referenced  # type: ignore[attr-defined]
        return prepared
